//! A recording for people.

use crate::{Recording, Site, Waypoint};
use std::fmt::{self, Display, Formatter};

impl Display for Recording {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "level {}, redaction {}", self.level.name(), self.redaction.name())?;
        writeln!(f, "process {} on JDK {}, started {}", self.process, self.jdk, date(self.started))?;
        let application =
            if self.application.is_empty() { "every class outside of the JDK" } else { &self.application };
        writeln!(f, "application: {application}")?;
        writeln!(f, "dictionary: {} methods, {} places", self.methods.len(), self.places.len())?;
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        match &self.crash {
            Some(crash) => write!(f, "fingerprint: {}\n\n{}", crash.fingerprint(), crash.text())?,
            None => writeln!(f, "\nno crash was seen")?,
        }
        for thread in &self.threads {
            let name = thread.name.as_ref().map(|name| format!(" \"{name}\"")).unwrap_or_default();
            writeln!(f, "\nthread {}{name}: {} events", thread.number, thread.events.len())?;
            for waypoint in self.waypoints(thread) {
                writeln!(f, "  {waypoint}")?;
            }
        }
        Ok(())
    }
}

impl Display for Site {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} @{}", self.method, self.bci)?;
        match &self.callee {
            Some(callee) => write!(f, " -> {callee}"),
            None => Ok(()),
        }
    }
}

impl Display for Waypoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Waypoint::Entered(method) => write!(f, "enter {method}"),
            Waypoint::Left(method) => write!(f, "leave {method}"),
            Waypoint::Calls(site) if site.callee.is_none() => write!(f, "at {site}"),
            Waypoint::Calls(site) => write!(f, "call {site}"),
            Waypoint::Branches { site, taken } => {
                write!(f, "branch {site} {}", if *taken { "taken" } else { "not taken" })
            }
            Waypoint::Returned { site, result } => write!(f, "result {site} = {result}"),
            Waypoint::Gap => f.write_str(".. (not recorded)"),
            Waypoint::Crashed => f.write_str("crash"),
        }
    }
}

/// Milliseconds since 1970 as a date in UTC; the calendar by Howard Hinnant's `civil_from_days`.
fn date(millis: u64) -> String {
    let (days, seconds) = (millis / 86_400_000, millis / 1000 % 86_400);
    // Later than the year 9999 nothing was recorded.
    let z = days.min(2_932_896) + 719_468;
    let era = z / 146_097;
    let day_of_era = z % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates() {
        for (millis, expected) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399_000, "2000-02-28 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_735_689_600_000, "2025-01-01 00:00:00 UTC"),
        ] {
            assert_eq!(super::date(millis), expected);
        }
        super::date(u64::MAX);
    }
}
