//! The crash as the engines see it: plain values.

use crate::escape::Kept;
use crate::message::{Located, Template};
use crate::misfit::Misfit;
use condition::Anchored;
use program::{ClassName, CodePoint, MethodRef, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The crash as the engines see it.
#[derive(Clone, Debug)]
pub struct CrashTarget {
    /// The exception that must be thrown, with the message as reported.
    pub exception: ClassName,
    pub message: Option<String>,
    /// All frames of the exception, top first, JDK and glue frames included.
    pub frames: Vec<TargetFrame>,
    /// The places that may throw, each with its condition; the best guess first.
    pub throw_sites: Vec<ThrowSite>,
    /// The ways in which the message may have been built, as far as the reported message is an instance of them; the most
    /// telling first.
    pub templates: Vec<Template>,
    pub message_facts: Vec<MessageFact>,
    /// Of a stack overflow, the indices in `frames` of one round of the recursion.
    pub recursion: Option<Range<usize>>,
    /// The exception's own causes, outermost first; part of the goal for the full stack.
    pub causes: Vec<CauseTarget>,
    /// The first frame that the exception does not get out of; none if a test that calls the outermost frame can see it.
    pub kept: Option<Kept>,
    /// What does not fit between log and jars.
    pub misfits: Vec<Misfit>,
}

impl CrashTarget {
    /// The most telling template that the reported message is an instance of.
    pub fn message_template(&self) -> Option<&Template> {
        self.templates.first()
    }

    /// Whether a produced message is as good as the reported one: the same text, or an instance of the same template.
    pub fn accepts_message(&self, produced: Option<&str>) -> bool {
        accepts(self.message.as_deref(), &self.templates, produced)
    }

    /// Classes that nobody has, each with the methods of application frames that refer to it, causes included.
    pub fn missing(&self, program: &Program) -> BTreeMap<ClassName, Vec<MethodRef>> {
        let frames = self.frames.iter().chain(self.causes.iter().flat_map(|cause| &cause.frames));
        let bound = frames.filter_map(|frame| match (&frame.role, &frame.binding) {
            (FrameRole::Application(_), Binding::Bound { candidates, .. }) => Some(candidates),
            _ => None,
        });
        let methods: BTreeSet<_> = bound.flatten().map(|bound| bound.method).collect();
        let mut missing: BTreeMap<ClassName, Vec<MethodRef>> = BTreeMap::new();
        for method in methods {
            for class in program.missing_for(method) {
                missing.entry(class).or_default().push(method);
            }
        }
        missing
    }
}

impl CauseTarget {
    /// See [`CrashTarget::accepts_message`].
    pub fn accepts_message(&self, produced: Option<&str>) -> bool {
        accepts(self.message.as_deref(), &self.templates, produced)
    }
}

fn accepts(reported: Option<&str>, templates: &[Template], produced: Option<&str>) -> bool {
    reported.map(str::trim_end) == produced.map(str::trim_end)
        || produced.is_some_and(|produced| templates.iter().any(|template| template.matches(produced).is_some()))
}

/// A cause of the exception, derived in the same way.
#[derive(Clone, Debug)]
pub struct CauseTarget {
    pub exception: ClassName,
    pub message: Option<String>,
    pub frames: Vec<TargetFrame>,
    pub throw_sites: Vec<ThrowSite>,
    pub templates: Vec<Template>,
    pub message_facts: Vec<MessageFact>,
    pub recursion: Option<Range<usize>>,
}

#[derive(Clone, Debug)]
pub struct TargetFrame {
    pub frame: crash_report::Frame,
    pub role: FrameRole,
    pub binding: Binding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameRole {
    /// Must be matched; numbered from 1 at the top among application frames.
    Application(u32),
    /// Of the JDK or of a library that is not the application: guides, is not matched.
    Library,
    /// Reflection, proxies, lambda forms: made by the JVM or the JDK to get from one method to another.
    Glue,
}

/// Which bytecode a frame means.
#[derive(Clone, Debug)]
pub enum Binding {
    /// One method, or several that could not be told apart.
    Bound {
        candidates: Vec<BoundMethod>,
        certainty: Certainty,
    },
    Unbound(Misfit),
    /// Glue has no bytecode that matters.
    Unneeded,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BoundMethod {
    pub method: MethodRef,
    /// Bytecode ranges of the frame's line; the whole method when the line is unknown.
    pub ranges: Vec<Range<u16>>,
    /// Of these ranges, the instructions that may have led to the frame above; empty for the top frame.
    pub calls: Vec<u16>,
}

/// How surely a frame is bound, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The method has the name; there is no line, or none that can be used.
    ByMethod,
    /// The line lies in the method but has no code of its own; the nearest lines were taken.
    NearLine,
    /// The line is in the method, but nothing on it is seen to lead to the frame above (or, at the top, to throw).
    ByLine,
    /// Something on the line may lead to the frame above: through a lambda, reflection, a proxy, class loading or a
    /// subclass that is not seen.
    ByPossibleCall,
    /// The line calls the frame above; at the top: it can throw the exception.
    ByCall,
}

/// One instruction that may throw, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrowSite {
    /// The instruction in frame 1's method that ends it: the failing operation, the call that does not return, the
    /// `athrow`. Where the exception is made in frame 1 but thrown further down, the constructor call.
    pub at: CodePoint,
    /// The constructor call that gives the stack trace its line, where that is not `at`.
    pub made_at: Option<CodePoint>,
    /// The `athrow`, where frame 1 makes the exception and returns it to a frame below that throws it.
    pub thrown_at: Option<CodePoint>,
    pub kind: ThrowKind,
    /// Holds when `at` throws; reaching `at` is presupposed.
    pub condition: Anchored,
    pub precision: Precision,
    /// Further conditions inside callees (the JDK's own checks), outermost first.
    pub inside: Vec<Anchored>,
    /// The branches of frame 1's method that lead to `at`, innermost first.
    pub guards: Vec<BranchGuard>,
    /// The condition in source terms.
    pub text: String,
}

impl ThrowSite {
    /// All instructions that count as "the one that throws", depending on who asks: a debugger sees the `athrow`, a stack
    /// trace the constructor call.
    pub fn places(&self) -> impl Iterator<Item = CodePoint> + '_ {
        std::iter::once(self.at).chain(self.made_at).chain(self.thrown_at)
    }
}

/// A branch that must be taken for a place to be reached.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchGuard {
    /// Anchored at the first branch instruction that decides; holds if control goes on towards the place.
    pub condition: Anchored,
    /// The same for probes: what only the branch itself sees, such as the result of a call, is told by its operands.
    pub seen: Anchored,
    /// In source terms: `initialCapacity < 1`.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// Throws exactly when the condition holds.
    Exact,
    /// The condition is part of what must hold; something could not be followed.
    Partial,
    /// Nothing is known but that it must throw.
    Opaque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThrowKind {
    /// `throw` in this method.
    Explicit,
    /// Made here, thrown by a frame below; or thrown or made by a helper whose frame is not on the trace.
    Helper,
    NullDereference,
    ArrayIndex,
    NegativeSize,
    ClassCast,
    ArrayStore,
    Division,
    /// Thrown by the JDK, or by a library that is not the application, below this call.
    Library,
    StackOverflow,
    /// Class initialisation at this instruction fails, or has failed before.
    Initialisation,
    /// A class or member that this instruction names is missing or has changed.
    Linkage,
    /// The allocation at this instruction does not fit into memory.
    Allocation,
}

/// Something the message says about the values at the crash.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageFact {
    /// The value, where it could be followed to one.
    pub about: Option<Located>,
    /// In source terms: `index`, `the argument`, `this.map`.
    pub subject: String,
    pub value: FactValue,
    /// False if the message can be split in another way too.
    pub certain: bool,
    /// The method whose message template it was read from; none for the JVM's and the JDK's own messages.
    pub from: Option<MethodRef>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    Null,
    Int(i64),
    /// The text of the value; its type is unknown.
    Text(String),
    Class(ClassName),
}
