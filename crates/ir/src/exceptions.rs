//! What each operation can throw, where that goes, and which classes an operation may initialise. A block knows its handlers;
//! here they are told apart by operation.
//!
//! Not looked at, as in [`Op::can_throw`]: exceptions that hit any place (`ThreadDeath`, a full stack), and what a class loader of
//! the program throws while a class is linked, apart from errors.

use crate::body::{Block, BlockId, Body, Callee, Guard, Instr, InvokeKind, Op, Operand, Rvalue, Terminator, Var};
use program::{ClassName, InstrId, Subtype, Type};

/// Classes of exceptions that an operation may throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thrown {
    /// Of this class and no other.
    Exactly(ClassName),
    /// Of this class or one below it.
    Below(ClassName),
}

/// One way in which an operation ends with an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionEdge {
    pub at: InstrId,
    pub thrown: Thrown,
    /// The handlers that may take it, as positions in [`Block::handlers`], in the order in which the JVM tries them.
    pub handlers: Vec<usize>,
    /// Whether it may leave the method.
    pub escapes: bool,
}

impl Op {
    /// The classes of exceptions that may come from here; empty exactly if [`can_throw`](Op::can_throw) says no.
    pub fn throws(&self) -> Vec<Thrown> {
        match self {
            Op::Assign(_, value) => value.throws(),
            Op::PutElement { .. } => Vec::new(),
            Op::PutField { .. } | Op::PutStatic { .. } => vec![errors()],
            Op::Invoke(..) => vec![anything()],
            Op::Guard(Guard::Castable(..)) => vec![exactly("java/lang/ClassCastException"), errors()],
            Op::Guard(guard) => vec![exactly(guard.exception())],
            Op::MonitorEnter(_) => vec![errors()],
            Op::MonitorExit(_) => vec![exactly("java/lang/IllegalMonitorStateException")],
        }
    }

    /// The class that is initialised before this runs, unless it was before, under the name that the code has for it. With a
    /// class go its superclasses; a static member may be declared above the class that is named.
    pub fn initialises(&self) -> Option<ClassName> {
        match self {
            Op::PutStatic { field, .. } | Op::Assign(_, Rvalue::GetStatic(field)) => Some(field.class),
            Op::Assign(_, Rvalue::New(class)) => Some(*class),
            Op::Invoke(callee, _) | Op::Assign(_, Rvalue::Invoke(callee, _)) => match callee {
                Callee::Method { kind: InvokeKind::Static, method, .. } => Some(method.class),
                Callee::Method { .. } | Callee::Dynamic { .. } => None,
            },
            _ => None,
        }
    }

    /// The call that this operation is, with its arguments, receiver first.
    pub fn call(&self) -> Option<(&Callee, &[Operand])> {
        match self {
            Op::Invoke(callee, args) | Op::Assign(_, Rvalue::Invoke(callee, args)) => Some((callee, args)),
            _ => None,
        }
    }
}

impl Rvalue {
    /// See [`Op::throws`].
    pub fn throws(&self) -> Vec<Thrown> {
        match self {
            Rvalue::Invoke(..) => vec![anything()],
            // Whatever it is computed by may throw anything; other constants are looked up.
            Rvalue::Use(Operand::Const(crate::Const::Dynamic { .. })) => vec![anything()],
            other if other.can_throw() => vec![errors()],
            _ => Vec::new(),
        }
    }
}

impl Body {
    /// What a `throw` throws: the object that was just made, else what its static type tells.
    fn thrown_by(&self, end: &Terminator) -> Option<Thrown> {
        let Terminator::Throw(value) = end else { return None };
        if let Operand::Var(Var::Temp(bci)) = value {
            let made = self.instrs_at(*bci).iter().find_map(|instr| match instr.op {
                Op::Assign(_, Rvalue::New(class)) => Some(Thrown::Exactly(class)),
                _ => None,
            });
            if made.is_some() {
                return made;
            }
        }
        let class = self.type_of(value).and_then(Type::as_class);
        Some(class.map_or_else(anything, Thrown::Below))
    }

    /// Every way in which an operation of the body ends with an exception, in the order of the code. `is_subtype` answers whether
    /// the first class is the second or below it.
    pub fn exception_edges(&self, is_subtype: &dyn Fn(ClassName, ClassName) -> Subtype) -> Vec<ExceptionEdge> {
        self.blocks.iter().flat_map(|block| self.exception_edges_of(block, is_subtype)).collect()
    }

    /// The same for one block of the body.
    pub fn exception_edges_of(
        &self,
        block: &Block,
        is_subtype: &dyn Fn(ClassName, ClassName) -> Subtype,
    ) -> Vec<ExceptionEdge> {
        let of_instr = |instr: &Instr| {
            let id = instr.id;
            instr.op.throws().into_iter().map(move |thrown| (id, thrown))
        };
        let of_end = self.thrown_by(&block.end).map(|thrown| (block.end_id, thrown));
        let thrown = block.instrs.iter().flat_map(of_instr).chain(of_end);
        thrown.map(|(at, thrown)| block.edge(at, thrown, is_subtype)).collect()
    }
}

impl Block {
    fn edge(&self, at: InstrId, thrown: Thrown, is_subtype: &dyn Fn(ClassName, ClassName) -> Subtype) -> ExceptionEdge {
        let mut handlers = Vec::new();
        for (position, handler) in self.handlers.iter().enumerate() {
            match thrown.is_caught(handler.catch, is_subtype) {
                Caught::Never => {}
                Caught::Perhaps => handlers.push(position),
                Caught::Always => {
                    handlers.push(position);
                    return ExceptionEdge { at, thrown, handlers, escapes: false };
                }
            }
        }
        ExceptionEdge { at, thrown, handlers, escapes: true }
    }

    /// Where the handlers of an edge are.
    pub fn targets_of(&self, edge: &ExceptionEdge) -> Vec<BlockId> {
        edge.handlers.iter().map(|position| self.handlers[*position].target).collect()
    }
}

impl Thrown {
    /// Whether a handler takes it.
    fn is_caught(self, catch: Option<ClassName>, is_subtype: &dyn Fn(ClassName, ClassName) -> Subtype) -> Caught {
        let Some(catch) = catch.filter(|catch| *catch != throwable()) else { return Caught::Always };
        let (Thrown::Exactly(class) | Thrown::Below(class)) = self;
        match is_subtype(class, catch) {
            Subtype::Yes => Caught::Always,
            Subtype::Unknown { .. } => Caught::Perhaps,
            // One below may be the class that is caught, or below that.
            Subtype::No if matches!(self, Thrown::Below(_)) && is_subtype(catch, class) != Subtype::No => {
                Caught::Perhaps
            }
            Subtype::No => Caught::Never,
        }
    }
}

/// Whether a handler takes an exception of which not all is known.
enum Caught {
    Always,
    Perhaps,
    Never,
}

fn throwable() -> ClassName {
    ClassName::internal("java/lang/Throwable")
}

fn anything() -> Thrown {
    Thrown::Below(throwable())
}

/// What is thrown where classes and members are looked up, classes are initialised and memory is full.
fn errors() -> Thrown {
    Thrown::Below(ClassName::internal("java/lang/Error"))
}

fn exactly(class: &str) -> Thrown {
    Thrown::Exactly(ClassName::internal(class))
}
