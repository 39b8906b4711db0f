//! The grades of success, printable and readable back.
//!
//! [`Grade`] is what the stack shows: `none`, `crash-line`, `frames 3/6`, `full-reachable`, `full-stack`. [`Graded`] adds what the messages and
//! the fixed build show: `full-stack+message`, `frames 3/6~message`, `full-stack+message+fixed`.

use crate::message::MessageMatch;
use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::str::FromStr;

/// How much of a stack happened again. Ordered: more is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Grade {
    /// Nothing thrown at the crash line.
    #[default]
    None,
    /// The same exception type, as far as the report has it, from the same line of the same method.
    CrashLine,
    /// In addition the first `matched` of the `of` application frames match in order. All of them where the report does not name the
    /// exception or a cause: then nobody can tell whether it is the same.
    Frames { matched: usize, of: usize },
    /// All application frames match up to the outermost one that the exception can get out of, and the causes.
    FullReachable,
    /// All application frames match, and the causes.
    FullStack,
}

/// A grade with the evidence beyond the stack. Ordered by the grade first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Graded {
    pub grade: Grade,
    /// Counts (and is printed) where anything of the crash was shown.
    pub message: MessageGrade,
    /// The same test passes with the fixed jars.
    pub fixed: bool,
}

/// What the messages of the exception and its causes are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum MessageGrade {
    /// Another one, or it cannot be told.
    #[default]
    None,
    /// `~message`: of the same template.
    Template,
    /// `+message`: the same.
    Exact,
}

impl From<MessageMatch> for MessageGrade {
    fn from(found: MessageMatch) -> MessageGrade {
        match found {
            MessageMatch::Exact => MessageGrade::Exact,
            MessageMatch::Template => MessageGrade::Template,
            MessageMatch::Other | MessageMatch::Unknown => MessageGrade::None,
        }
    }
}

/// A text that is no grade.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a grade; expected none, crash-line, frames K/N, full-reachable or full-stack, all but the first with +message or ~message, and with +fixed"
)]
pub struct NotAGrade {
    pub text: String,
}

impl Grade {
    /// The grade for so many matching frames, all causes being the same where all frames match that a test can see.
    pub(crate) fn of(matched: usize, of: usize, reachable: usize) -> Grade {
        match matched {
            0 => Grade::None,
            _ if matched == of => Grade::FullStack,
            _ if matched >= reachable => Grade::FullReachable,
            1 => Grade::CrashLine,
            _ => Grade::Frames { matched, of },
        }
    }

    /// For frames that all match, of an exception that may be another one.
    pub(crate) fn short_of_full(matched: usize, of: usize) -> Grade {
        if matched == 1 { Grade::CrashLine } else { Grade::Frames { matched, of } }
    }

    /// Whether it is all that a test can show of the stack.
    pub fn is_full(self) -> bool {
        matches!(self, Grade::FullReachable | Grade::FullStack)
    }

    fn rank(&self) -> (u8, usize, Reverse<usize>) {
        match *self {
            Grade::None => (0, 0, Reverse(0)),
            Grade::CrashLine => (1, 0, Reverse(0)),
            Grade::Frames { matched, of } => (2, matched, Reverse(of)),
            Grade::FullReachable => (3, 0, Reverse(0)),
            Grade::FullStack => (4, 0, Reverse(0)),
        }
    }
}

impl Ord for Grade {
    fn cmp(&self, other: &Grade) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Grade {
    fn partial_cmp(&self, other: &Grade) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grade::None => f.pad("none"),
            Grade::CrashLine => f.pad("crash-line"),
            Grade::Frames { matched, of } => f.pad(&format!("frames {matched}/{of}")),
            Grade::FullReachable => f.pad("full-reachable"),
            Grade::FullStack => f.pad("full-stack"),
        }
    }
}

impl fmt::Display for Graded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_shown = self.grade != Grade::None;
        let message = match self.message {
            MessageGrade::Exact if is_shown => "+message",
            MessageGrade::Template if is_shown => "~message",
            _ => "",
        };
        let fixed = if self.fixed && is_shown { "+fixed" } else { "" };
        f.pad(&format!("{}{message}{fixed}", self.grade))
    }
}

impl FromStr for Grade {
    type Err = NotAGrade;

    fn from_str(text: &str) -> Result<Grade, NotAGrade> {
        let wrong = || NotAGrade { text: text.to_owned() };
        match text {
            "none" => Ok(Grade::None),
            "crash-line" => Ok(Grade::CrashLine),
            "full-reachable" => Ok(Grade::FullReachable),
            "full-stack" => Ok(Grade::FullStack),
            _ => {
                let (matched, of) = text.strip_prefix("frames ").and_then(|t| t.split_once('/')).ok_or_else(wrong)?;
                let matched = matched.parse().map_err(|_| wrong())?;
                let of = of.parse().map_err(|_| wrong())?;
                if matched <= of { Ok(Grade::Frames { matched, of }) } else { Err(wrong()) }
            }
        }
    }
}

impl FromStr for Graded {
    type Err = NotAGrade;

    fn from_str(text: &str) -> Result<Graded, NotAGrade> {
        let wrong = |_| NotAGrade { text: text.to_owned() };
        let (rest, fixed) = text.strip_suffix("+fixed").map_or((text, false), |rest| (rest, true));
        let exact = rest.strip_suffix("+message").map(|rest| (rest, MessageGrade::Exact));
        let template = || rest.strip_suffix("~message").map(|rest| (rest, MessageGrade::Template));
        let (rest, message) = exact.or_else(template).unwrap_or((rest, MessageGrade::None));
        let graded = Graded { grade: rest.parse().map_err(wrong)?, message, fixed };
        // What would not be printed is not read either.
        if graded.to_string() == text { Ok(graded) } else { Err(NotAGrade { text: text.to_owned() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_ordered_and_read_back() {
        let full = Graded { grade: Grade::FullStack, message: MessageGrade::None, fixed: false };
        let grades = [
            Graded::default(),
            Graded { grade: Grade::CrashLine, ..full },
            Graded { grade: Grade::CrashLine, message: MessageGrade::Exact, ..full },
            Graded { grade: Grade::Frames { matched: 2, of: 6 }, ..full },
            Graded { grade: Grade::Frames { matched: 3, of: 6 }, ..full },
            Graded { grade: Grade::Frames { matched: 6, of: 6 }, ..full },
            Graded { grade: Grade::FullReachable, ..full },
            Graded { grade: Grade::FullReachable, message: MessageGrade::Exact, fixed: true },
            full,
            Graded { fixed: true, ..full },
            Graded { message: MessageGrade::Template, ..full },
            Graded { message: MessageGrade::Template, fixed: true, ..full },
            Graded { message: MessageGrade::Exact, ..full },
            Graded { message: MessageGrade::Exact, fixed: true, ..full },
        ];
        assert!(grades.is_sorted_by(|a, b| a < b));
        for graded in grades {
            assert_eq!(graded.to_string().parse(), Ok(graded));
            assert_eq!(graded.grade.to_string().parse(), Ok(graded.grade));
        }
        assert_eq!(grades[2].to_string(), "crash-line+message");
        assert_eq!(grades[7].to_string(), "full-reachable+message+fixed");
        assert_eq!(grades[11].to_string(), "full-stack~message+fixed");
        assert_eq!(grades[13].to_string(), "full-stack+message+fixed");
        for text in [
            "",
            "full",
            "frames",
            "frames 6/3",
            "frames a/b",
            "none+fixed",
            "none+message",
            "full-stack+message~message",
            "full-stack+fixed+message",
        ] {
            assert!(text.parse::<Graded>().is_err(), "{text}");
        }
    }
}
