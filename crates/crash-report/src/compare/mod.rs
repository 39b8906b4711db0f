//! How alike two crashes are: the grade, and what differs.
//!
//! Input is an exception as reported and one as it happened, and which classes are the application's and the test's.
//! [`Comparison::exact`] is what counts: a test is judged by it. [`Comparison::tolerant`] forgives what another compiler
//! or another depth of recursion changes ([`Tolerance`]); where it is better than the exact match, the crash is very
//! likely the same, and a person may be told so.
//!
//! Does not look at bytecode: whether two lines are one statement and whether two messages come from one template is
//! asked of the caller.

mod distance;
mod frames;
mod grade;

use std::fmt;

use frames::Kind;
pub use grade::{Grade, Graded, MessageGrade, NotAGrade};

use crate::message::chain as compare_messages;
pub use crate::message::{Ignored, MessageMatch, Messages, SameTemplate};
use crate::report::{Frame, Throwable};

/// Are these two lines (the last arguments) of one statement of this method of this class?
pub type SameStatement<'a> = dyn Fn(&str, &str, u32, u32) -> bool + 'a;

/// What a comparison has to know besides the two exceptions.
#[derive(Clone, Copy)]
pub struct Comparing<'a> {
    /// Is the class one of the application?
    pub is_application: &'a dyn Fn(&str) -> bool,
    /// Is the class one of the test that made the crash happen? Asked for the actual stack only.
    pub is_test: &'a dyn Fn(&str) -> bool,
    /// False if the jars have no line tables: then methods are compared.
    pub lines: bool,
    /// How many application frames, from the top, the exception can get out of; none if it gets out of all.
    pub reachable: Option<usize>,
    pub same_statement: Option<&'a SameStatement<'a>>,
    pub same_template: Option<&'a SameTemplate<'a>>,
}

/// The result of comparing two exceptions.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What the crash counts as.
    pub exact: Match,
    /// What it would count as with the tolerances; never less than `exact`.
    pub tolerant: Match,
    /// The tolerances that `tolerant` took, each once.
    pub tolerances: Vec<Tolerance>,
    pub messages: Messages,
    /// The first thing that keeps `exact` from all that a test can show.
    pub difference: Option<Difference>,
    /// EvoCrash's distance of stacks: 0 is equal.
    pub frame_distance: f64,
    /// JCHARMING's similarity in percent: 100 is equal.
    pub similarity: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    pub grade: Grade,
    /// Application frames, from the top, that agree.
    pub matched: usize,
    /// Application frames of the report; for a stack overflow, those that repeat.
    pub of: usize,
}

/// What a tolerant match forgives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tolerance {
    /// Another line of the same statement.
    Statement,
    /// An accessor or a bridge that only one side has.
    Glue,
    /// A recursion of another depth.
    Recursion,
}

/// Where two crashes begin to differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Another exception was thrown.
    Type { expected: String, actual: String },
    /// The application frame with this index (from 0, at the top) of the report. `actual` is the frame that stands there
    /// instead, a foreign one included; `None` if the stack ends.
    Frame { index: usize, expected: Box<Frame>, actual: Option<Box<Frame>> },
    /// This frame of the reported recursion does not repeat.
    Recursion { expected: Box<Frame> },
    /// The cause at this depth (1 is the direct cause) is another one, comes from elsewhere, or is missing.
    Cause { depth: usize, expected: String, actual: Option<String> },
    /// Nothing that is there to compare, but the report does not name the exception at this depth (0 is the exception itself).
    Unnamed { depth: usize, actual: String },
}

const STACK_OVERFLOW: &str = "java.lang.StackOverflowError";

/// Compares an exception, with its causes, with the reported one.
pub fn compare(expected: &Throwable, actual: &Throwable, how: &Comparing<'_>) -> Comparison {
    let reported = frames::relevant(&expected.frames, how, false);
    let stack = frames::relevant(&actual.frames, how, true);
    let is_same_type = same_type(&expected.class, &actual.class);
    let messages = if is_same_type { compare_messages(expected, actual, how.same_template) } else { Messages::other() };
    let frame_distance = distance::frame_distance(&reported, &stack, how);
    let similarity = distance::similarity(expected, actual, &reported, &stack, how);
    let stacks = Stacks { expected, actual, reported, stack, how };
    let (exact, difference) = stacks.exact();
    let (tolerant, tolerances) = stacks.tolerant(exact);
    Comparison { exact, tolerant, tolerances, messages, difference, frame_distance, similarity }
}

/// Compares with every exception of a chain and takes the best: a test may let a wrapper escape. Gives the depth of the
/// one that matches best.
pub fn compare_chain(expected: &Throwable, outermost: &Throwable, how: &Comparing<'_>) -> (usize, Comparison) {
    let all = outermost.chain().map(|actual| compare(expected, actual, how)).enumerate();
    let key = |c: &Comparison| {
        let same_type = !matches!(c.difference, Some(Difference::Type { .. }));
        (same_type, c.exact.matched, c.messages.verdict == MessageMatch::Exact, c.tolerant.matched)
    };
    all.reduce(|best, next| if key(&next.1) > key(&best.1) { next } else { best })
        .expect("a chain has at least its first exception")
}

/// Is this the same type? A report without packages is compared by the simple name; one without a name fits anything.
pub(crate) fn same_type(reported: &str, actual: &str) -> bool {
    let simple = || actual.rsplit(['.', '$']).next().unwrap_or(actual);
    reported.is_empty() || reported == actual || (!reported.contains('.') && reported == simple())
}

impl Match {
    fn of(matched: usize, of: usize, reachable: usize) -> Match {
        Match { grade: Grade::of(matched, of, reachable), matched, of }
    }
}

impl Comparison {
    /// The grade that counts, with the message.
    pub fn graded(&self) -> Graded {
        Graded { grade: self.exact.grade, message: self.messages.verdict.into(), fixed: false }
    }

    /// Is the crash the same only with tolerance?
    pub fn is_tolerant(&self) -> bool {
        self.tolerant.grade > self.exact.grade
    }
}

/// Two exceptions with the frames that count.
struct Stacks<'a> {
    expected: &'a Throwable,
    actual: &'a Throwable,
    reported: frames::Stack<'a>,
    stack: frames::Stack<'a>,
    how: &'a Comparing<'a>,
}

impl Stacks<'_> {
    fn exact(&self) -> (Match, Option<Difference>) {
        let recursion = self.recursion();
        let of = if recursion.is_empty() { frames::application(&self.reported).len() } else { recursion.len() };
        if !same_type(&self.expected.class, &self.actual.class) {
            let (expected, actual) = (self.expected.class.clone(), self.actual.class.clone());
            return (Match::of(0, of, of), Some(Difference::Type { expected, actual }));
        }
        let (matched, difference) = if recursion.is_empty() {
            self.aligned()
        } else {
            let actual = frames::repeating(&self.stack, self.how);
            let missing = recursion.iter().find(|f| frames::in_both(&[f], &actual, self.how) == 0);
            let difference = missing.map(|f| Difference::Recursion { expected: Box::new((*f).clone()) });
            (frames::in_both(&recursion, &actual, self.how), difference)
        };
        self.with_causes(matched, of, difference)
    }

    fn aligned(&self) -> (usize, Option<Difference>) {
        let end = frames::align(&self.reported, &self.stack, self.how);
        let wanted = frames::application(&self.reported);
        let difference = wanted.get(end.matched).map(|expected| Difference::Frame {
            index: end.matched,
            expected: Box::new((*expected).clone()),
            actual: self.stack.get(end.stopped).map(|(_, frame)| Box::new((*frame).clone())),
        });
        (end.matched, difference)
    }

    /// Where the stack is right but what lies behind it is not, one frame is taken back: the crash is not the full one.
    fn with_causes(&self, matched: usize, of: usize, difference: Option<Difference>) -> (Match, Option<Difference>) {
        let reachable = self.reachable(matched, of);
        if matched >= reachable
            && matched > 0
            && let Some(cause) = self.other_cause()
        {
            return (Match::of(reachable - 1, of, of), Some(cause));
        }
        let found = Match::of(matched, of, reachable);
        if !found.grade.is_full() {
            return (found, difference);
        }
        match self.unnamed() {
            Some(unnamed) => (Match { grade: Grade::short_of_full(matched, of), ..found }, Some(unnamed)),
            None => (found, None),
        }
    }

    /// The first exception of the report that has no name: any other with the same frames would fit as well.
    fn unnamed(&self) -> Option<Difference> {
        let mut chains = self.expected.chain().zip(self.actual.chain()).enumerate();
        let (depth, (_, actual)) = chains.find(|(_, (expected, _))| expected.name().is_none())?;
        Some(Difference::Unnamed { depth, actual: actual.class.clone() })
    }

    /// Of so many frames, those that a test can see. Of a recursion it sees all that repeat. What shows more than it should be able
    /// to proves that the exception gets further than was thought: then nothing is known of where it ends.
    fn reachable(&self, matched: usize, of: usize) -> usize {
        let known = self.how.reachable.filter(|reachable| *reachable > 0 && self.recursion().is_empty());
        known.filter(|reachable| matched <= *reachable).map_or(of, |reachable| reachable.min(of))
    }

    /// The first cause that does not have the same type and the same top application frame.
    fn other_cause(&self) -> Option<Difference> {
        let mut actual = self.actual.chain().skip(1);
        self.expected.chain().skip(1).enumerate().find_map(|(i, expected)| {
            let cause = actual.next();
            if cause.is_some_and(|cause| self.same_cause(expected, cause)) {
                return None;
            }
            let (expected, actual) = (expected.class.clone(), cause.map(|c| c.class.clone()));
            Some(Difference::Cause { depth: i + 1, expected, actual })
        })
    }

    fn same_cause(&self, expected: &Throwable, actual: &Throwable) -> bool {
        let reported = frames::relevant(&expected.frames, self.how, false);
        let top: frames::Stack<'_> =
            reported.into_iter().filter(|(kind, _)| *kind == Kind::Application).take(1).collect();
        let stack = frames::relevant(&actual.frames, self.how, true);
        let same_top = top.is_empty() || frames::align(&top, &stack, self.how).matched == 1;
        same_type(&expected.class, &actual.class) && same_top
    }

    fn tolerant(&self, exact: Match) -> (Match, Vec<Tolerance>) {
        if exact.grade.is_full() || !same_type(&self.expected.class, &self.actual.class) {
            return (exact, Vec::new());
        }
        let recursion = self.recursion();
        let (matched, of, mut used) = if recursion.is_empty() {
            self.best_tolerant()
        } else {
            let mut used = Vec::new();
            let actual = frames::repeating(&self.stack, self.how);
            let matched = frames::in_both_tolerantly(&recursion, &actual, self.how, &mut used);
            (matched, recursion.len(), used)
        };
        let (tolerant, _) = self.with_causes(matched, of, None);
        used.sort_unstable();
        used.dedup();
        if tolerant.grade > exact.grade { (tolerant, used) } else { (exact, Vec::new()) }
    }

    /// As it is, or with recursions shortened on both sides, whichever gets further.
    fn best_tolerant(&self) -> (usize, usize, Vec<Tolerance>) {
        let mut plain = Vec::new();
        let of = frames::application(&self.reported).len();
        let matched = frames::align_tolerantly(&self.reported, &self.stack, self.how, &mut plain);
        if matched == of {
            return (matched, of, plain);
        }
        let (reported, stack) = (frames::without_recursion(&self.reported), frames::without_recursion(&self.stack));
        let short = frames::application(&reported).len();
        let mut used = vec![Tolerance::Recursion];
        let shortened = frames::align_tolerantly(&reported, &stack, self.how, &mut used);
        let better =
            shortened * of > matched * short && stack.len() + reported.len() < self.stack.len() + self.reported.len();
        if better { (shortened, short, used) } else { (matched, of, plain) }
    }

    /// The frames of a reported stack overflow that repeat; empty for any other exception.
    fn recursion(&self) -> Vec<&Frame> {
        let name = if self.expected.class.is_empty() { &self.actual.class } else { &self.expected.class };
        if same_type(name, STACK_OVERFLOW) { frames::repeating(&self.reported, self.how) } else { Vec::new() }
    }
}

impl fmt::Debug for Comparing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparing").field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tolerance::Statement => "another line of the same statement",
            Tolerance::Glue => "synthetic methods that only one side has",
            Tolerance::Recursion => "a recursion of another depth",
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Type { expected, actual } => write!(f, "`{actual}` was thrown instead of `{expected}`"),
            Difference::Frame { index, expected, actual: Some(actual) } => {
                write!(f, "frame {} is `{actual}` instead of `{expected}`", index + 1)
            }
            Difference::Frame { index, expected, actual: None } => {
                write!(f, "the stack ends before frame {}, `{expected}`", index + 1)
            }
            Difference::Recursion { expected } => write!(f, "`{expected}` does not repeat"),
            Difference::Cause { depth, expected, actual: Some(actual) } if expected == actual => {
                write!(f, "cause {depth}, `{expected}`, comes from another place")
            }
            Difference::Cause { depth, expected, actual: Some(actual) } => {
                write!(f, "cause {depth} is `{actual}` instead of `{expected}`")
            }
            Difference::Cause { depth, expected, actual: None } => write!(f, "cause {depth}, `{expected}`, is missing"),
            Difference::Unnamed { depth: 0, actual } => {
                write!(f, "the log does not say which exception it is; `{actual}` was thrown")
            }
            Difference::Unnamed { depth, actual } => {
                write!(f, "the log does not say which exception cause {depth} is; here it is `{actual}`")
            }
        }
    }
}
