//! The seam between engines and whatever executes recipes.
//!
//! A [`Runner`] takes recipes and a [`ProbePlan`] and answers with one [`Observation`] each, in order. The same recipes
//! under the same plan give the same observations, whatever the batch or its order; exempt are time, allocation,
//! identity hashes and what leaks through the JDK's own static state.

use crate::Recipe;
use condition::Anchored;
use program::{ClassName, CodePoint, MethodRef};
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub trait Runner: Send {
    fn run_each(&mut self, recipes: &[&Recipe], plan: &ProbePlan) -> Result<Vec<Observation>, RunnerError>;

    /// The same for recipes that the caller has in a row.
    fn run(&mut self, recipes: &[Recipe], plan: &ProbePlan) -> Result<Vec<Observation>, RunnerError> {
        self.run_each(&recipes.iter().collect::<Vec<_>>(), plan)
    }

    /// From then on [`run_each`](Runner::run_each) may answer for the first recipes only, so that it ends in time.
    fn set_deadline(&mut self, deadline: Option<Instant>);

    /// Files that many of the recipes so far could not read, for no other reason than that they are locked up.
    fn denied(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Why nothing could be run at all. What a candidate does, however bad, is an [`End`] and never this.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The environment's fault: no JDK, a class path that cannot be opened, the sandbox refused.
    #[error("the workers cannot start: {reason}")]
    CannotStart { reason: String, hint: Option<String> },
    /// The class path's fault: a class of the crash cannot be loaded or linked. `thrown` is what the JVM said.
    #[error("class `{class}` cannot be used: {thrown}")]
    Unlinkable { class: String, thrown: String },
    /// Workers die before any candidate runs, again and again.
    #[error("workers die at start ({deaths} in a row): {last}")]
    AlwaysDying { deaths: u32, last: String },
}

/// What to observe while recipes run. Plans are compared by content. To change the plan takes workers some milliseconds, as their
/// classes get other probes, and a new VM where the `aim` or the size of the stack changes: engines keep one plan for many batches.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ProbePlan {
    /// Classes whose line hits and branch distances are wanted; all others only count loops and calls.
    pub classes: Vec<ClassName>,
    /// Conditions whose distance from true is wanted, answered in this order.
    pub conditions: Vec<Anchored>,
    /// Methods whose entry and the calls out of which matter (frames of the crash): lines hit are kept per frame.
    pub frames: Vec<MethodRef>,
    /// Whether lines, branches and conditions count only while the last statement runs: for tests whose last statement is to
    /// crash, what the ones before it do on their own is no step on the way.
    pub last_statement_only: bool,
    pub limits: Limits,
    pub aim: Aim,
    pub show: Show,
}

/// What candidates are to show beyond distances: nothing, unless asked for.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Show {
    /// Values at places whose objects are wanted, as they are at the first visit.
    pub places: Vec<PlaceToShow>,
    /// Whether the objects in the recipe's variables are wanted when it has ended.
    pub variables: bool,
    /// How many outcomes of branches of the plan's classes are kept in the order in which they came about, the first ones.
    pub outcomes: u32,
    /// Methods at whose call sites the classes of the receivers are wanted.
    pub receivers: Vec<MethodRef>,
    pub limits: ShowLimits,
}

/// `this`, parameters, operands and what is read by way of them, just before the instruction executes.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceToShow {
    pub at: CodePoint,
    pub values: Vec<condition::Expr>,
}

/// How much is shown of a graph of objects; what is beyond is marked as cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowLimits {
    /// References to follow from a variable.
    pub depth: u16,
    pub objects: u16,
    pub bytes: u32,
}

impl Default for ShowLimits {
    fn default() -> Self {
        ShowLimits { depth: 4, objects: 256, bytes: 32 << 10 }
    }
}

/// What kind of crash the candidates are after, where that takes a VM of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    #[default]
    Exception,
    /// A `StackOverflowError`: the stack is as large as in a plain VM, whatever the limit says, and calls do not count
    /// as steps.
    StackOverflow,
    /// A crash inside a static initialiser, or of a class whose initialiser has failed before: every candidate finds
    /// the program's classes uninitialised. About a tenth as fast.
    Initialiser,
}

impl Aim {
    /// By the exception that is to be thrown, its message, and the names of the methods on its stack and those of its
    /// causes.
    pub fn of<'a>(exception: ClassName, message: Option<&str>, methods: impl IntoIterator<Item = &'a str>) -> Aim {
        let is_of_dead_class = || message.is_some_and(|text| text.starts_with("Could not initialize class"));
        match exception.as_internal() {
            "java/lang/StackOverflowError" => Aim::StackOverflow,
            "java/lang/ExceptionInInitializerError" => Aim::Initialiser,
            "java/lang/NoClassDefFoundError" if is_of_dead_class() => Aim::Initialiser,
            _ if methods.into_iter().any(|method| method == "<clinit>") => Aim::Initialiser,
            _ => Aim::Exception,
        }
    }
}

/// What a single candidate may use up before it is stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Loop iterations and method entries in instrumented code.
    pub steps: u64,
    pub time: Duration,
    /// Elements of a single array.
    pub array_length: u32,
    /// Stack of the candidate's thread in bytes.
    pub stack: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 200_000, time: Duration::from_millis(250), array_length: 1 << 20, stack: 512 << 10 }
    }
}

/// What one candidate did.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub end: End,
    /// Lines executed in the classes of the plan, sorted by class and line.
    pub lines: Vec<LineHit>,
    /// Branches executed in the classes of the plan, sorted by place.
    pub branches: Vec<BranchDistance>,
    /// For each condition of the plan the smallest distance seen: 0 held, `None` never reached.
    pub conditions: Vec<Option<f64>>,
    pub cost: Cost,
    /// What the plan asks for beyond that.
    pub shown: Shown,
}

/// What a candidate has shown; empty if nobody asked.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Shown {
    /// Those of [`Show::places`] that were reached, by their number there.
    pub places: Vec<(usize, Snapshot)>,
    /// The variables that the recipe's own statements define, in order.
    pub variables: Option<(Vec<crate::VarId>, Snapshot)>,
    pub outcomes: Vec<BranchOutcome>,
    /// Sorted by place and class, each once.
    pub receivers: Vec<Receiver>,
}

/// A graph of objects. References are numbers of `objects`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Snapshot {
    pub roots: Vec<ShownValue>,
    pub objects: Vec<ShownObject>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShownValue {
    /// boolean, byte, char, short and int.
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Null,
    /// The object with this number.
    Object(u32),
    /// An object that the limits leave out, or a value that could not be read.
    Cut,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShownObject {
    /// As `Class.getName` has it.
    pub class: String,
    pub content: ShownContent,
    /// Parts of it are left out.
    pub is_cut: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ShownContent {
    Fields(Vec<(program::FieldRef, ShownValue)>),
    Array { length: u32, elements: Vec<ShownValue> },
    Text(program::JavaString),
}

/// Which way a branch went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchOutcome {
    pub at: CodePoint,
    pub went: Went,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    Taken,
    NotTaken,
    /// The way of this case of a switch, the first that leads there.
    Case(i32),
    Default,
}

/// An object of this class was called at this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Receiver {
    pub at: CodePoint,
    pub class: ClassName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineHit {
    pub method: MethodRef,
    pub line: u16,
    pub count: u32,
}

/// The smallest distances seen at one conditional branch: 0 means it went that way.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchDistance {
    pub at: CodePoint,
    /// Distance to each outcome: [taken, not taken] for an `if`; the cases in order, then default, for a switch.
    pub to: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Cost {
    pub steps: u64,
    pub time: Duration,
    pub allocated: u64,
}

/// How a candidate ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// All statements ran.
    Completed,
    /// A statement threw.
    Threw {
        /// Index of the top-level statement.
        stmt: u32,
        thrown: Thrown,
    },
    /// The step, time or array limit was hit.
    Stopped(Limit),
    /// It called `System.exit` or `Runtime.halt`.
    Exited {
        status: i32,
    },
    OutOfMemory,
    /// The worker process died.
    VmDied {
        signal: Option<i32>,
    },
    /// The recipe could not be carried out: a class or member is missing or cannot be linked.
    Unlinkable {
        what: String,
    },
}

impl End {
    /// It ended with an error of linking or initialising a class, which leaves that class unusable.
    pub fn is_linkage_failure(&self) -> bool {
        const ERRORS: [&str; 3] = [
            "java/lang/ExceptionInInitializerError",
            "java/lang/NoClassDefFoundError",
            "java/lang/UnsatisfiedLinkError",
        ];
        matches!(self, End::Threw { thrown, .. } if ERRORS.contains(&thrown.class.as_internal()))
    }

    /// It met the error that costs a worker, whatever memory was used up; also if the program caught it and threw something of its
    /// own for it.
    pub fn is_out_of_memory(&self) -> bool {
        *self == End::OutOfMemory || self.has_thrown("java/lang/OutOfMemoryError")
    }

    /// Its stack was full; also if the program caught that and threw something of its own for it.
    pub fn is_stack_overflow(&self) -> bool {
        self.has_thrown("java/lang/StackOverflowError")
    }

    fn has_thrown(&self, class: &str) -> bool {
        let End::Threw { thrown, .. } = self else { return false };
        let mut chain = std::iter::successors(Some(thrown), |thrown| thrown.cause.as_deref());
        chain.any(|thrown| thrown.class.as_internal() == class)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Steps,
    Time,
    ArrayLength,
    /// It started too many threads.
    Threads,
}

/// An exception with its complete stack and causes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thrown {
    pub class: ClassName,
    pub message: Option<String>,
    pub stack: Stack,
    pub cause: Option<Box<Thrown>>,
}

/// Top frame first, down to the first frame of the program; the host's own frames are cut off, and the place where the
/// test would be is the bottom.
pub type Stack = Vec<StackFrame>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StackFrame {
    pub class: ClassName,
    pub method: program::Symbol,
    /// `None` when the class has no line table, and for native methods.
    pub line: Option<u16>,
    /// A frame of our own (a callback's body), where the test's own frame would be.
    pub is_test: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_the_program_caught_count_as_well() {
        let thrown = |class: &str, cause: Option<Thrown>| Thrown {
            class: ClassName::internal(class),
            message: None,
            stack: Vec::new(),
            cause: cause.map(Box::new),
        };
        let error = thrown("java/lang/OutOfMemoryError", None);
        let wrapped = thrown("a/SqlException", Some(error.clone()));
        let other = thrown("a/SqlException", Some(thrown("a/Other", None)));
        let is_out_of_memory = |thrown| End::Threw { stmt: 0, thrown }.is_out_of_memory();
        assert_eq!([error, wrapped, other].map(is_out_of_memory), [true, true, false]);
        assert!(End::OutOfMemory.is_out_of_memory() && !End::Completed.is_out_of_memory());
    }
}
