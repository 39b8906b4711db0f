//! What a call does with an exception that it is given.

use super::state::{Carrier, State};
use analysis::{Assignment, Lowered};
use ir::{Callee, InvokeKind, Operand, Rvalue, Var};
use program::{ClassName, FoundMethod, InstrId, MethodRef, Program, Subtype, Type};

/// Methods that one call may run and that are looked into.
const MOST_OVERRIDERS: usize = 12;

/// What is known of a call before its code is looked at.
pub(super) enum Call {
    /// Ends the VM.
    Exits,
    /// Writes the exception down, or makes a text of it.
    Writes,
    /// Asks an exception for something that is no exception.
    Asks,
    /// Gives back an exception: a cause, a wrapped one, or the same.
    GivesException,
    /// The receiver takes the argument in as its cause, and is given back.
    TakesCause,
    /// One of these methods is run.
    Runs(Vec<FoundMethod>),
    /// Any implementation may be run, one of the test's as well: an abstract method, or one of the own class that is there to
    /// be overridden.
    Open(MethodRef),
    /// Nothing is known.
    Opaque,
}

/// The logging interfaces that programs call: what takes an exception there writes it down.
const LOGGERS: [&str; 12] = [
    "java/util/logging/Logger",
    "java/lang/System$Logger",
    "org/slf4j/Logger",
    "org/slf4j/spi/LocationAwareLogger",
    "org/apache/commons/logging/Log",
    "org/apache/log4j/Category",
    "org/apache/log4j/Logger",
    "org/apache/logging/log4j/Logger",
    "org/jboss/logging/BasicLogger",
    "org/jboss/logging/Logger",
    "org/eclipse/jetty/util/log/Logger",
    "android/util/Log",
];

/// Classes of the JDK that make text of what they are given.
const WRITERS: [&str; 8] = [
    "java/io/PrintStream",
    "java/io/PrintWriter",
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/io/Writer",
    "java/text/MessageFormat",
    "java/util/Formatter",
];

/// A call and what is known there.
pub(super) struct Site<'a> {
    pub(super) program: &'a Program,
    pub(super) unit: &'a Lowered,
    pub(super) at: InstrId,
    /// Receiver first.
    pub(super) args: &'a [Operand],
    pub(super) state: &'a State,
}

impl Site<'_> {
    pub(super) fn call(&self, callee: &Callee, this: Option<Var>, is_application: &dyn Fn(&str) -> bool) -> Call {
        let (kind, method) = match callee {
            Callee::Method { kind, method, .. } => (*kind, *method),
            // The values are turned into text.
            Callee::Dynamic { .. } if is_concatenation(callee) => return Call::Writes,
            Callee::Dynamic { .. } => return Call::Opaque,
        };
        if ends_vm(method) {
            return Call::Exits;
        }
        if kind != InvokeKind::Special && is_writer(method, is_application) {
            return Call::Writes;
        }
        let is_open = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        if is_open && let Some(known) = self.on_exception(method) {
            return known;
        }
        match self.target(kind, method) {
            Some(found) if self.program.is_jdk(found.class.name) => {
                self.of_throwable(&found).unwrap_or(if is_open { Call::Open(method) } else { Call::Opaque })
            }
            Some(found) => Call::Runs(vec![found]),
            None if is_open => self.any_of(method, this).map_or(Call::Open(method), Call::Runs),
            None => Call::Opaque,
        }
    }

    /// A method of the exception itself, which knows its class even where the code does not.
    fn on_exception(&self, method: MethodRef) -> Option<Call> {
        let Some(Carrier::Thrown(exact)) = self.state.carrier(self.args.first()?) else { return None };
        if !is_throwable(self.program, method.class) {
            return None;
        }
        let found = self.program.select_virtual(exact.unwrap_or(method.class), method).found()?;
        if self.program.is_jdk(found.class.name) {
            return self.of_throwable(&found);
        }
        // Of an exception whose class is not known, a subclass may have another.
        exact.map(|_| Call::Runs(vec![found]))
    }

    /// Methods that the JDK's exceptions have.
    fn of_throwable(&self, found: &FoundMethod) -> Option<Call> {
        if !is_throwable(self.program, found.class.name) && found.class.name != ClassName::object() {
            return None;
        }
        let method = found.reference();
        Some(match method.name.as_str() {
            "<init>" | "initCause" | "addSuppressed" => Call::TakesCause,
            "printStackTrace" => Call::Writes,
            _ => match method.signature().ret {
                Some(Type::Class(class)) if is_throwable(self.program, class) => Call::GivesException,
                _ => Call::Asks,
            },
        })
    }

    /// The method that is run, where only one can be.
    fn target(&self, kind: InvokeKind, method: MethodRef) -> Option<FoundMethod> {
        let found = self.program.resolve_method(method).found()?;
        let is_fixed = matches!(kind, InvokeKind::Static | InvokeKind::Special)
            || found.access.is_private()
            || found.access.is_final()
            || found.class.access.is_final();
        if is_fixed {
            return Some(found);
        }
        let exact = self.made_class(self.args.first()?, self.at)?;
        self.program.select_virtual(exact, method).found()
    }

    /// All that the program has for a method with code; none where a test would bring its own.
    fn any_of(&self, method: MethodRef, this: Option<Var>) -> Option<Vec<FoundMethod>> {
        let found = self.program.resolve_method(method).found()?;
        let is_hook = this.is_some() && self.args.first()?.as_var() == this;
        if is_hook || found.access.is_abstract() || found.class.is_interface() || self.program.is_jdk(found.class.name)
        {
            return None;
        }
        let overriding = self.program.overriders(method).into_iter().filter(|other| !other.access.is_abstract());
        let all: Vec<FoundMethod> = std::iter::once(found).chain(overriding).take(MOST_OVERRIDERS + 1).collect();
        (all.len() <= MOST_OVERRIDERS).then_some(all)
    }

    /// The class of an object that the method itself has made.
    fn made_class(&self, operand: &Operand, at: InstrId) -> Option<ClassName> {
        const MOST_COPIES: usize = 8;
        let (mut operand, mut at) = (operand, at);
        for _ in 0..MOST_COPIES {
            match self.unit.only_assignment(operand.as_var()?, at)? {
                Assignment::At(_, Rvalue::New(class)) => return Some(*class),
                Assignment::At(place, Rvalue::Use(from) | Rvalue::Cast(from, _)) => (operand, at) = (from, place),
                Assignment::At(..) | Assignment::Entry => return None,
            }
        }
        None
    }
}

pub(super) fn is_throwable(program: &Program, class: ClassName) -> bool {
    program.is_subtype(class, ClassName::internal("java/lang/Throwable")) == Subtype::Yes
}

pub(super) fn is_throwable_of_jdk(program: &Program, class: ClassName) -> bool {
    program.is_jdk(class) && is_throwable(program, class)
}

/// Of texts, by an instruction of its own.
pub(super) fn is_concatenation(callee: &Callee) -> bool {
    matches!(callee, Callee::Dynamic { name, .. } if name.as_str().starts_with("makeConcat"))
}

fn ends_vm(method: MethodRef) -> bool {
    matches!(
        (method.class.as_internal(), method.name.as_str()),
        ("java/lang/System", "exit") | ("java/lang/Runtime", "exit" | "halt")
    )
}

/// A logger that is part of the program under test is code like any other.
fn is_writer(method: MethodRef, is_application: &dyn Fn(&str) -> bool) -> bool {
    let class = method.class.as_internal();
    WRITERS.contains(&class) || (LOGGERS.contains(&class) && !is_application(&method.class.dotted()))
}
