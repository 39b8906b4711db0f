//! Parts of messages that no two runs have in common: identities of objects, the time, addresses, names that are made up.
//!
//! A time counts as volatile only where the run wrote its own clock: a date that the program was given is a value like any
//! other, and `no rate for 2031-12-05` is not `no rate for 1999-01-01`.

use super::Ignored;
use regex::{Captures, Regex};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// What the texts differ in, if that is nothing but volatile parts; none if they differ in anything else.
pub(super) fn only_volatile(expected: &str, actual: &str) -> Option<Vec<Ignored>> {
    let (expected, actual) = (pieces(expected), pieces(actual));
    let mut ignored = Vec::new();
    for (one, other) in expected.iter().zip(&actual) {
        ignored.extend(one.difference(other)?);
    }
    (expected.len() == actual.len()).then_some(ignored)
}

#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Text(&'a str),
    Volatile(Ignored, &'a str),
}

impl Piece<'_> {
    /// `None` if it is more than a volatile part that differs.
    fn difference(&self, actual: &Piece<'_>) -> Option<Option<Ignored>> {
        match (self, actual) {
            _ if self == actual => Some(None),
            (Piece::Volatile(kind, expected), Piece::Volatile(other, actual)) if kind == other => {
                may_differ(*kind, expected, actual).then_some(Some(*kind))
            }
            _ => None,
        }
    }
}

fn may_differ(kind: Ignored, expected: &str, actual: &str) -> bool {
    match kind {
        Ignored::Time => is_now(actual),
        Ignored::TemporaryFile => last_name(expected) == last_name(actual),
        Ignored::MadeUpName => name_alone(expected) == name_alone(actual),
        _ => true,
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for captures in pattern().captures_iter(text) {
        let Some((kind, range)) = found(&captures, text) else { continue };
        pieces.push(Piece::Text(&text[at..range.start]));
        pieces.push(Piece::Volatile(kind, &text[range.clone()]));
        at = range.end;
    }
    pieces.push(Piece::Text(&text[at..]));
    pieces
}

fn pattern() -> &'static Regex {
    static PATTERN: OnceLock<Regex> = OnceLock::new();
    PATTERN.get_or_init(|| Regex::new(VOLATILE).expect("it is the same every time and was tried"))
}

const VOLATILE: &str = r#"(?x)
    [\w$;]@(?P<identity>[0-9a-f]{5,8})\b
  | (?P<time>
        \d{4}-\d{2}-\d{2}[T\x20]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?:\[[\w/]+\])?
      | (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\x20[A-Z][a-z]{2}\x20\d{2}\x20\d{2}:\d{2}:\d{2}\x20\S+\x20\d{4}
      | \b1\d{9}(?:\d{3})?\b
    )
  | (?P<address>\b0x[0-9a-fA-F]{9,16}\b)
  | (?:localhost|127\.0\.0\.1)[^\s\d]{0,2}:(?P<port>3[3-9]\d{3}|[45]\d{4}|60\d{3})\b
  | (?P<temporary>
        (?:/tmp|/var/tmp|/var/folders/\w+/\w+/T|[A-Z]:\\Users\\[^\\\s]+\\AppData\\Local\\Temp)[/\\][^\s'":;,)]*
    )
  | (?P<made_up>
        \$\$Lambda[\w$/.]*
      | \$\$(?:Enhancer|FastClass)By\w+\$\$\w+
      | \$Proxy\d+ | GeneratedMethodAccessor\d+
      | \bThread-\d+ | \bpool-\d+-thread-\d+ | \bForkJoinPool[\w.]*-\d+-worker-\d+
    )
  | (?i:\bhash\x20?code\x20?[=:]\x20?)(?P<hash>-?[0-9a-f]+)\b
"#;

fn found(captures: &Captures<'_>, text: &str) -> Option<(Ignored, std::ops::Range<usize>)> {
    const NAMES: [(&str, Ignored); 7] = [
        ("identity", Ignored::Identity),
        ("time", Ignored::Time),
        ("address", Ignored::Address),
        ("port", Ignored::Address),
        ("temporary", Ignored::TemporaryFile),
        ("made_up", Ignored::MadeUpName),
        ("hash", Ignored::HashCode),
    ];
    let (kind, found) = NAMES.iter().find_map(|(name, kind)| Some((*kind, captures.name(name)?)))?;
    // `somebody@c0ffee.org` is nobody's identity, and an identity without a digit is one in a thousand.
    let is_name =
        || text[found.end()..].starts_with(['.', '-']) || !found.as_str().contains(|c: char| c.is_ascii_digit());
    (kind != Ignored::Identity || !is_name()).then(|| (kind, found.range()))
}

/// Without the directory, and without the numbers that make it unique.
fn last_name(path: &str) -> String {
    const UNIQUE: usize = 5;
    let name = path.rsplit(['/', '\\']).find(|name| !name.is_empty()).unwrap_or_default();
    let mut out = String::new();
    let mut digits = String::new();
    for c in name.chars().chain(std::iter::once('\0')) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if digits.len() < UNIQUE {
            out.push_str(&digits);
        }
        digits.clear();
        out.push(c);
    }
    out
}

fn name_alone(name: &str) -> &str {
    // What CGLIB puts behind it is any word of hexadecimal digits.
    if let Some((made_for, _)) = name.rsplit_once("$$").filter(|(made_for, _)| made_for.contains("By")) {
        return made_for;
    }
    let end = name.find(|c: char| c.is_ascii_digit() || c == '/').unwrap_or(name.len());
    name[..end].trim_end_matches('$')
}

/// Whether a time is that of the clock, give or take a day for time zones.
fn is_now(time: &str) -> bool {
    const DAY: u64 = 24 * 60 * 60;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    seconds(time).is_some_and(|seconds| seconds.abs_diff(now) <= 2 * DAY)
}

/// Since 1970, to the day.
fn seconds(time: &str) -> Option<u64> {
    if time.bytes().all(|b| b.is_ascii_digit()) {
        return time.get(..10)?.parse().ok();
    }
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let date = match time.as_bytes()[0].is_ascii_digit() {
        true => (time.get(..4)?, time.get(5..7)?.parse::<i64>().ok()?, time.get(8..10)?),
        false => {
            let month = MONTHS.iter().position(|month| time.get(4..7) == Some(month))? as i64 + 1;
            (time.get(time.len() - 4..)?, month, time.get(8..10)?)
        }
    };
    let days = days_since_1970(date.0.parse().ok()?, date.1, date.2.parse().ok()?);
    u64::try_from(days * 24 * 60 * 60).ok()
}

/// In the Gregorian calendar, counted in years that begin in March, so that the odd day is the last one.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_the_calendar_has_them() {
        assert_eq!(days_since_1970(1970, 1, 1), 0);
        assert_eq!(days_since_1970(2000, 3, 1), 11_017);
        assert_eq!(days_since_1970(2024, 2, 29), 19_782);
        assert_eq!(seconds("2001-09-09T01:46:40Z").map(|s| s / 86_400), Some(11_574));
        assert_eq!(seconds("Sun Sep 09 01:46:40 UTC 2001").map(|s| s / 86_400), Some(11_574));
        assert_eq!(seconds("1000000000123"), Some(1_000_000_000));
    }

    #[test]
    fn the_time_is_ignored_where_it_is_the_clock() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let said = |seconds: u64| format!("expired at {seconds}000");
        assert_eq!(only_volatile("expired at 1431654321000", &said(now)), Some(vec![Ignored::Time]));
        assert_eq!(only_volatile(&said(now), "expired at 1431654321000"), None);
        assert_eq!(only_volatile("on 2015-05-15T12:30", "on 2016-05-15T12:30"), None);
    }
}
