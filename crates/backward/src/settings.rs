//! What can be switched off, to see what it brings.

use std::str::FromStr;

/// Which engine, and with which of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The published engine instead of ours.
    pub(crate) is_paper: bool,
    pub(crate) switches: Switches,
}

/// The published engine's optimisations, and what was added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switches {
    /// Conditional blocks that do not matter are left out (STAR, 3.2.1).
    pub(crate) prune: bool,
    /// After a contradiction, what cannot change it is left out (STAR, 3.2.2). Of the published engine only: ours takes the shortest ways
    /// first, so that nothing is gone back to.
    pub(crate) backtrack: bool,
    /// Contradictions are looked for at merge points (STAR, 3.2.3).
    pub(crate) recognise: bool,
    /// What the message says of values is a part of the condition. Ours only.
    pub(crate) message: bool,
    /// A quick pass over all frames comes first. Ours only.
    pub(crate) quick: bool,
    /// What a run threw instead of the crash is not passed by again. Ours only.
    pub(crate) lessons: bool,
}

impl Settings {
    const OURS: Settings = Settings { is_paper: false, switches: Switches::ALL };
    const PAPER: Settings = Settings { is_paper: true, switches: Switches::ALL };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::OURS
    }
}

impl Switches {
    pub(crate) const ALL: Switches =
        Switches { prune: true, backtrack: true, recognise: true, message: true, quick: true, lessons: true };
    const NAMES: [&str; 6] = ["prune", "backtrack", "recognise", "message", "quick", "lessons"];

    fn get(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "prune" => &mut self.prune,
            "backtrack" => &mut self.backtrack,
            "recognise" => &mut self.recognise,
            "message" => &mut self.message,
            "quick" => &mut self.quick,
            "lessons" => &mut self.lessons,
            _ => return None,
        })
    }
}

/// `ours`, `paper`, or one of them with switches: `paper,-prune`.
impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut settings = Settings::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part {
                "ours" => settings = Settings::OURS,
                "paper" => settings = Settings::PAPER,
                _ => {
                    let name = part.strip_prefix(['+', '-']).unwrap_or("");
                    let unknown = || {
                        let names = Switches::NAMES.join(", ");
                        format!("`{part}` is neither `ours` nor `paper` nor a switch; switches are +/- {names}")
                    };
                    *settings.switches.get(name).ok_or_else(unknown)? = part.starts_with('+');
                }
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn engines_and_switches_by_name() {
        assert_eq!("".parse(), Ok(Settings::OURS));
        let settings: Settings = "paper,-prune,-backtrack,+backtrack".parse().unwrap();
        assert!(settings.is_paper && !settings.switches.prune && settings.switches.backtrack);
        assert!("paper,-warp".parse::<Settings>().is_err() && "prune".parse::<Settings>().is_err());
    }

    #[test]
    fn every_switch_has_its_name() {
        let mut switches = Switches::ALL;
        Switches::NAMES.iter().for_each(|name| *switches.get(name).unwrap() = false);
        let Switches { prune, backtrack, recognise, message, quick, lessons } = switches;
        assert!(![prune, backtrack, recognise, message, quick, lessons].contains(&true));
    }
}
