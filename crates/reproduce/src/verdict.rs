//! What a whole run comes to: the grade a fresh JVM confirmed, the test, or the reason why there is none.

use crash_report::Throwable;
use crash_report::compare::{Grade, Graded, Ignored, MessageGrade, MessageMatch};
use engine::{EngineName, FrameCondition};
use junit::Framework;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use target::CrashTarget;

#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The highest grade that a fresh JVM confirmed.
    pub grade: Grade,
    pub frames: FrameCount,
    /// The frames that no test can see.
    pub unreachable: Vec<Unreachable>,
    /// How the messages of the exception and its causes compare; none without a test, or where it cannot be told.
    pub message: Option<MessageMatch>,
    /// As the log has it; none before the log was read.
    pub exception: Option<Throwable>,
    /// The version of the JDK that tests run on.
    pub jdk: Option<String>,
    /// What was not looked at in messages.
    pub ignored: Vec<Ignored>,
    /// What the test throws.
    pub thrown: Option<Throwable>,
    /// What of that is not as in the log.
    pub differences: Vec<String>,
    pub fixed: Option<Fixed>,
    pub test: Option<WrittenTest>,
    /// A test that workers saw the crash with and that there was no time to confirm; only where it shows more than the confirmed one.
    pub unconfirmed: Option<WrittenTest>,
    /// The engine whose candidate became the test.
    pub engine: Option<EngineName>,
    /// Engines that failed and were not asked any more, and why.
    pub left_out: Vec<(EngineName, String)>,
    /// Facts of engines that what was seen contradicts: faults of the tool.
    pub contradicted: u32,
    /// Under which conditions the frames crash, as far as engines found out.
    pub conditions: Vec<FrameCondition>,
    pub flags: Vec<Flag>,
    /// What stopped it; none when the crash was reproduced.
    pub reason: Option<Reason>,
    /// Where engines stand that have something to say of it; empty when the crash was reproduced.
    pub explanations: Vec<(EngineName, String)>,
    /// What engines count of their work, by name.
    pub counts: Vec<(EngineName, Vec<(&'static str, u64)>)>,
    pub effort: Effort,
    pub seed: u64,
}

impl Verdict {
    /// The stack was reproduced and confirmed as far as a test can see it, from where a user of the program can begin, and it is gone where the bug is
    /// fixed.
    pub fn is_success(&self) -> bool {
        let is_fragment = self.flags.contains(&Flag::Fragment);
        self.grade.is_full() && !is_fragment && self.fixed.is_none_or(Fixed::is_gone)
    }

    /// The grade with the evidence beyond the stack.
    pub fn graded(&self) -> Graded {
        Graded {
            grade: self.grade,
            message: self.message.map_or(MessageGrade::None, MessageGrade::from),
            fixed: self.fixed == Some(Fixed::Passes),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FrameCount {
    pub matched: u32,
    pub of: u32,
    /// Up to the outermost that the exception can leave.
    pub reachable: u32,
}

/// An application frame that the exception does not come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// Counted from 1 at the top.
    pub number: u32,
    /// As the log has it.
    pub frame: String,
    /// What the frame does, or why it gets nothing.
    pub reason: String,
}

/// The frames of the target that no test can see, from the innermost outwards.
pub(crate) fn unreachable(target: &CrashTarget) -> Vec<Unreachable> {
    let frames = (target.reachable() + 1..).zip(target.unreachable());
    frames.map(|(number, (frame, reason))| Unreachable { number, frame: frame.frame.to_string(), reason }).collect()
}

/// What the same test does with the fixed jars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    Passes,
    SameCrash,
    /// It fails with another exception or from another place.
    Changed,
    DoesNotCompile,
    /// It did not run to an end there, or there was no time for it.
    Unknown,
}

impl Fixed {
    /// The crash does not happen there: the test passes, or fails with something else.
    pub fn is_gone(self) -> bool {
        matches!(self, Fixed::Passes | Fixed::Changed)
    }
}

#[derive(Clone, Debug)]
pub struct WrittenTest {
    pub path: PathBuf,
    pub source: String,
    pub command: RunCommand,
    pub statements: u32,
}

/// How a person compiles and runs a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCommand {
    /// One line for a POSIX shell.
    pub line: String,
    /// The framework that the program's class path does not have; the line then has `$JUNIT` in the place of its class path.
    pub missing_framework: Option<Framework>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub elapsed: Duration,
    /// To the first, and to the best test that a fresh JVM confirmed.
    pub to_first: Option<Duration>,
    pub to_best: Option<Duration>,
    pub candidates: u64,
    /// Successes that workers reported, and those among them that a fresh JVM refuted.
    pub claims: u32,
    pub refuted: u32,
}

/// What makes a test less useful than it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flag {
    /// It calls a non-public member by reflection.
    Reflection,
    /// It passes a bare `null` straight into frame 1.
    NullIntoFrame1,
    /// It sits in a package of the application.
    InPackage,
    /// Runs disagree.
    Flaky,
    /// It enters a private, synthetic or lambda member of the trace by reflection.
    Fragment,
    /// An exception tells another stack than the one that the JVM noted when it was made, as after `setStackTrace`.
    ReplacedStack,
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flag::Reflection => "reflection",
            Flag::NullIntoFrame1 => "null-into-frame-1",
            Flag::InPackage => "in-package",
            Flag::Flaky => "flaky",
            Flag::Fragment => "fragment",
            Flag::ReplacedStack => "replaced-stack",
        })
    }
}

/// Why the crash was not reproduced: a closed list, each with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    ClassMissing {
        class: String,
    },
    LineNotInJar {
        frame: String,
        explanation: String,
    },
    ObjectNotConstructible {
        class: String,
        explanation: String,
    },
    /// The branch at which the closest candidates turn away from the crash.
    BranchNotSatisfied {
        place: String,
        condition: String,
    },
    /// The exception stays in the frame that throws it.
    OutOfReach {
        explanation: String,
    },
    Environment {
        explanation: String,
    },
    Concurrency {
        explanation: String,
    },
    /// The frames were reproduced, but the log does not say which exception it is.
    ExceptionNotNamed {
        explanation: String,
    },
    /// The stack was reproduced, and the fixed build does not tell that it is the bug that was fixed.
    OnFixed {
        explanation: String,
    },
    /// Time or candidates ran out while things still improved.
    Budget {
        explanation: String,
    },
}

impl Reason {
    /// The machine-readable name.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::ClassMissing { .. } => "class-missing",
            Reason::LineNotInJar { .. } => "line-not-in-jar",
            Reason::ObjectNotConstructible { .. } => "object-not-constructible",
            Reason::BranchNotSatisfied { .. } => "branch-not-satisfied",
            Reason::OutOfReach { .. } => "out-of-reach",
            Reason::Environment { .. } => "environment",
            Reason::Concurrency { .. } => "concurrency",
            Reason::ExceptionNotNamed { .. } => "exception-not-named",
            Reason::OnFixed { .. } => "on-fixed",
            Reason::Budget { .. } => "budget",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::ClassMissing { class } => write!(f, "class `{class}` is not on the class path"),
            Reason::LineNotInJar { frame, explanation } => {
                write!(f, "frame `{frame}` does not fit the jars: {explanation}")
            }
            Reason::ObjectNotConstructible { class, explanation } => {
                write!(f, "no way was found to create a `{class}`: {explanation}")
            }
            Reason::BranchNotSatisfied { place, condition } => {
                write!(f, "no candidate got past {place}, which requires `{condition}`")
            }
            Reason::OutOfReach { explanation } => write!(f, "no test can see the exception: {explanation}"),
            Reason::Environment { explanation } => write!(f, "the crash depends on its environment: {explanation}"),
            Reason::Concurrency { explanation } => write!(f, "the crash needs several threads: {explanation}"),
            Reason::ExceptionNotNamed { explanation } | Reason::OnFixed { explanation } => f.write_str(explanation),
            Reason::Budget { explanation } => write!(f, "the budget ran out: {explanation}"),
        }
    }
}
