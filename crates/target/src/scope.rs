//! Values seen from a chain of calls: what an operand deep inside a callee is in terms of the place where the chain starts.
//!
//! A [`Scope`] is one activation: a method, the place it has got to, and the scope that called it. The outermost scope is
//! the anchor: expressions are stated for it, just before the instruction it is at. Parameters are followed outwards
//! through the arguments of the calls; local variables with a single definition are replaced by it. What has been
//! assigned anew in between, and what depends on anything else, is [`Expr::Unknown`]. Fields that only other methods
//! write count as unchanged: calls are everywhere, and the search that is guided by the condition is not misled for long.

use crate::enums;
use crate::inquiry::Inquiry;
use crate::models;
use analysis::{Assignment, Lowered};
use condition::text::Naming;
use condition::{Const, Expr};
use ir::{Callee, Operand, Parameter, Rvalue, Terminator, Var};
use program::{ClassName, CodePoint, FieldRef, InstrId, MethodRef, Symbol, Type};
use std::rc::Rc;
use std::sync::Arc;

/// One activation in a chain of calls.
#[derive(Clone)]
pub(crate) struct Scope<'p> {
    pub(crate) units: &'p Inquiry<'p>,
    pub(crate) unit: Arc<Lowered>,
    pub(crate) at: InstrId,
    pub(crate) caller: Option<Rc<Scope<'p>>>,
    /// For people: in `a[i++]` the index is called `i`, although `i` is another number by then.
    pub(crate) as_read: bool,
}

/// Expressions deeper than this help nobody.
const DEEPEST: u32 = 16;
/// Parts of an expression that stands for an unnamed variable.
const LARGEST: usize = 12;

impl<'p> Scope<'p> {
    pub(crate) fn outermost(units: &'p Inquiry<'p>, unit: Arc<Lowered>, at: InstrId) -> Rc<Self> {
        Rc::new(Scope { units, unit, at, caller: None, as_read: false })
    }

    /// The callee's activation, started by the call that this scope is at.
    pub(crate) fn call(self: &Rc<Self>, unit: Arc<Lowered>, at: InstrId) -> Rc<Self> {
        Rc::new(Scope { unit, at, caller: Some(Rc::clone(self)), ..Scope::clone(self) })
    }

    /// The same activation at another place.
    pub(crate) fn moved(&self, at: InstrId) -> Rc<Self> {
        Rc::new(Scope { at, ..self.clone() })
    }

    /// The same activation with only the nearest `callers` below it.
    pub(crate) fn with_callers(&self, callers: usize) -> Rc<Self> {
        let caller = self.caller.as_ref().filter(|_| callers > 0).map(|caller| caller.with_callers(callers - 1));
        Rc::new(Scope { caller, ..self.clone() })
    }

    /// How many activations of the JDK, and the one that called into it, are at the end of the chain: they belong together.
    pub(crate) fn own_depth(&self) -> usize {
        if !self.units.program.is_jdk(self.unit.reference().class) {
            return 0;
        }
        self.caller.as_ref().map_or(0, |caller| 1 + caller.own_depth())
    }

    pub(crate) fn point(&self) -> CodePoint {
        CodePoint { method: self.unit.reference(), at: self.at }
    }

    pub(crate) fn point_at(&self, at: InstrId) -> CodePoint {
        CodePoint { method: self.unit.reference(), at }
    }

    /// How many calls below the anchor.
    pub(crate) fn depth(&self) -> usize {
        std::iter::successors(self.caller.as_ref(), |scope| scope.caller.as_ref()).count()
    }

    pub(crate) fn contains(&self, method: MethodRef) -> bool {
        self.unit.reference() == method || self.caller.as_ref().is_some_and(|caller| caller.contains(method))
    }

    /// The outermost activation.
    pub(crate) fn anchor(&self) -> &Self {
        self.caller.as_deref().map_or(self, Scope::anchor)
    }

    /// The value that `operand` has just before `at`, for the anchor.
    pub(crate) fn value(&self, operand: &Operand, at: InstrId) -> Expr {
        self.follow(operand, at, 0)
    }

    /// What an operation at `at` computes, for the anchor.
    pub(crate) fn computed_value(&self, value: &Rvalue, at: InstrId) -> Expr {
        self.computed(value, at, 0)
    }

    fn follow(&self, operand: &Operand, at: InstrId, depth: u32) -> Expr {
        if depth > DEEPEST {
            return self.units.unknown();
        }
        match operand {
            Operand::Const(constant) => constant_expr(constant).unwrap_or_else(|| self.units.unknown()),
            Operand::Var(Var::Local(slot)) => self.local(*slot, at, depth),
            Operand::Var(var) => match self.unit.only_assignment(*var, at) {
                Some(Assignment::At(defined, value)) => self.computed(value, defined, depth),
                _ => self.units.unknown(),
            },
        }
    }

    fn local(&self, slot: u16, at: InstrId, depth: u32) -> Expr {
        let definitions = self.unit.assignments(Var::Local(slot), at);
        if definitions.as_slice() == [Assignment::Entry] {
            return self.parameter(slot, depth);
        }
        let only = match definitions.as_slice() {
            [Assignment::At(defined, value)] => Some((*defined, *value)),
            _ => None,
        };
        let is_current = self.caller.is_none() && self.unit.is_unchanged(Var::Local(slot), at, self.at);
        match only {
            // A variable that the source does not name is better told by what it holds.
            Some((defined, value)) if is_current && self.local_name(slot).is_none() => {
                let told = self.computed(value, defined, depth);
                if told.is_known() && told.size() <= LARGEST { told } else { Expr::Local(slot) }
            }
            _ if is_current => Expr::Local(slot),
            Some((defined, value)) => self.computed(value, defined, depth),
            None if self.as_read && self.local_name(slot).is_some() => Expr::Local(slot),
            None => self.units.unknown(),
        }
    }

    fn local_name(&self, slot: u16) -> Option<Symbol> {
        self.unit.body.name_of(slot, self.at.bci)
    }

    fn parameter(&self, slot: u16, depth: u32) -> Expr {
        let parameters = self.unit.body.parameters();
        let Some(position) = parameters.iter().position(|(known, _)| *known == slot) else {
            return self.units.unknown();
        };
        let Some(caller) = &self.caller else {
            return match parameters[position].1 {
                Parameter::This => Expr::This,
                Parameter::Declared(index, _) => Expr::Param(index),
            };
        };
        // A lambda's call site passes other arguments than its body takes.
        let arguments = caller.unit.call_at(caller.at.bci).map_or(0, |(_, args)| args.len());
        let Some((argument, below_top)) = caller.unit.argument(caller.at.bci, position) else {
            return self.units.unknown();
        };
        if arguments != parameters.len() {
            return self.units.unknown();
        }
        match caller.follow(argument, caller.at, depth + 1) {
            constant @ Expr::Const(_) => constant,
            // On the operand stack of the anchor it can be looked at, whatever it is.
            _ if caller.caller.is_none() => Expr::Operand(below_top),
            followed => followed,
        }
    }

    fn computed(&self, value: &Rvalue, at: InstrId, depth: u32) -> Expr {
        let inner = |operand: &Operand| self.follow(operand, at, depth + 1);
        let boxed = |operand: &Operand| Box::new(self.follow(operand, at, depth + 1));
        let expr = match value {
            Rvalue::Use(operand) | Rvalue::Cast(operand, _) => inner(operand),
            Rvalue::Negate(operand) => Expr::Negate(boxed(operand)),
            Rvalue::Binary(op, left, right) => Expr::binary(*op, inner(left), inner(right)),
            Rvalue::Convert(operand, ty) => Expr::Convert(boxed(operand), *ty),
            Rvalue::GetField(_, field) | Rvalue::GetStatic(field) if self.is_written(*field, at) => {
                self.units.unknown()
            }
            Rvalue::GetField(object, field) => match boxed(object) {
                object if self.is_internal(&object) => self.units.unknown(),
                object => Expr::Field(object, *field),
            },
            Rvalue::GetStatic(field) => Expr::Static(*field),
            Rvalue::GetElement { array, index, .. } => Expr::Element(boxed(array), boxed(index)),
            Rvalue::Length(array) => Expr::Length(boxed(array)),
            Rvalue::New(class) => Expr::Created(self.point_at(at), Type::Class(*class)),
            Rvalue::NewArray(component, _) => Expr::Created(self.point_at(at), Type::array_of(*component)),
            Rvalue::Invoke(Callee::Method { method, .. }, args) => {
                let args: Vec<Expr> = args.iter().map(inner).collect();
                match self.accessed_field(*method) {
                    Some(Accessed::Field(field)) if args.len() == 1 => Expr::Field(Box::new(args[0].clone()), field),
                    Some(Accessed::Static(field)) if args.is_empty() => Expr::Static(field),
                    _ if args.first().is_some_and(|object| self.is_internal(object)) => self.units.unknown(),
                    _ => Expr::CallResult { at: self.point_at(at), callee: *method, args },
                }
            }
            Rvalue::Caught => Expr::Caught(self.caught_type(at)),
            Rvalue::Invoke(Callee::Dynamic { .. }, _) | Rvalue::ThreeWay(..) | Rvalue::InstanceOf(..) => {
                self.units.unknown()
            }
        };
        models::simplified(expr)
    }

    /// Whether this is an object that the JDK makes for itself: its state is nobody else's.
    fn is_internal(&self, object: &Expr) -> bool {
        matches!(object, Expr::Created(..)) && self.units.program.is_jdk(self.unit.reference().class)
    }

    /// Whether this method may write the field between `at`, where it was read, and the place of the anchor.
    fn is_written(&self, field: FieldRef, at: InstrId) -> bool {
        match self.caller {
            _ if self.as_read => false,
            Some(_) => self.unit.writes_before(field, at),
            None => self.unit.writes_between(field, at, self.at),
        }
    }

    /// The field that a compiler-made accessor (`access$000`) reads.
    fn accessed_field(&self, method: MethodRef) -> Option<Accessed> {
        if !method.name.as_str().starts_with("access$") {
            return None;
        }
        let unit = self.units.get(method)?;
        let [block] = unit.body.blocks.as_slice() else { return None };
        let Terminator::Return(Some(Operand::Var(returned))) = &block.end else { return None };
        match unit.only_assignment(*returned, block.end_id)? {
            Assignment::At(_, Rvalue::GetField(Operand::Var(Var::Local(0)), field)) => Some(Accessed::Field(*field)),
            Assignment::At(_, Rvalue::GetStatic(field)) => Some(Accessed::Static(*field)),
            _ => None,
        }
    }

    fn caught_type(&self, at: InstrId) -> Type {
        let handlers = self.unit.body.blocks.iter().flat_map(|block| &block.handlers);
        let here = self.unit.body.block_of(at.bci);
        let mut caught = handlers.filter(|edge| Some(edge.target) == here).map(|edge| edge.catch);
        let first = caught.next().flatten();
        match first {
            Some(class) if caught.all(|other| other == first) => Type::Class(class),
            _ => Type::class("java/lang/Throwable"),
        }
    }
}

/// What an accessor reads.
enum Accessed {
    Field(FieldRef),
    Static(FieldRef),
}

fn constant_expr(constant: &ir::Const) -> Option<Expr> {
    Some(Expr::Const(match constant {
        ir::Const::Null => Const::Null,
        ir::Const::Int(value) => Const::Int(*value),
        ir::Const::Long(value) => Const::Long(*value),
        ir::Const::Float(value) => Const::Float(*value),
        ir::Const::Double(value) => Const::Double(*value),
        ir::Const::String(value) => Const::String(value.clone()),
        ir::Const::Class(ty) => Const::Class(*ty),
        _ => return None,
    }))
}

/// The names that values have in the source at the place of the anchor.
impl Naming for Scope<'_> {
    fn param(&self, index: u16) -> Option<String> {
        let names = self.unit.method.parameter_names();
        names.get(usize::from(index)).copied().flatten().map(|name| name.to_string())
    }

    fn local(&self, slot: u16) -> Option<String> {
        self.local_name(slot).map(|name| name.to_string())
    }

    fn operand(&self, depth: u8) -> Option<Expr> {
        let operand = self.unit.body.stack_operand(self.at.bci, usize::from(depth))?;
        Some(Scope { caller: None, as_read: true, ..self.clone() }.value(operand, self.at))
    }

    fn enum_constant(&self, table: FieldRef, number: i32) -> Option<FieldRef> {
        enums::constant(self.units, table, number)
    }

    fn nth_constant(&self, of: ClassName, ordinal: i32) -> Option<FieldRef> {
        enums::nth(self.units.program, of, ordinal)
    }

    fn type_of(&self, value: &Expr) -> Option<Type> {
        match value {
            Expr::Param(index) => self.unit.reference().signature().params.get(usize::from(*index)).copied(),
            Expr::Local(slot) => {
                let covers = |name: &&ir::LocalName| name.slot == *slot && name.range.contains(&self.at.bci);
                let named =
                    self.unit.body.names.iter().find(covers).and_then(|name| Type::parse(name.descriptor.as_str()));
                named.or_else(|| self.unit.body.var(Var::Local(*slot)).and_then(|info| info.ty))
            }
            _ => None,
        }
    }
}
