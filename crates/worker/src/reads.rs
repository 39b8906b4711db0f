//! Which values must a probe read to measure a condition? Operands and local variables are put into slots by spliced code;
//! fields, elements, statics, texts and the like are read by way of these by Java's `Derivation`.

use condition::{BinaryOp, Condition, Const, Expr, NumberKind, Predicate};
use program::{FieldRef, JavaString, MethodRef, Program, Type};
use splice::{ValueKind, ValueProbe, ValueSource};
use std::fmt::Write;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// Put there by spliced code.
    Given(usize),
    /// Read by way of others.
    Derived(usize),
}

#[derive(Clone, Debug, PartialEq)]
enum Derived {
    Int(i32),
    String(JavaString),
    Null,
    Field(Slot, FieldRef),
    Static(FieldRef),
    Element(Slot, Slot),
    /// Whole numbers, for the index of an element.
    Computed(char, Slot, Slot),
    Text(Slot),
    /// Of a collection, map or string.
    Size(Slot),
    /// How far a collection is from having an element, or a map a key.
    Missing(Slot, Slot),
}

/// What to read at a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    pub(crate) given: Vec<ValueSource>,
    derived: Vec<Derived>,
    known: Vec<(Expr, Slot)>,
    /// Why parts of the condition stay unknown.
    unreadable: Vec<Unreadable>,
}

/// Why a value cannot be read at a place, or a condition not be decided there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unreadable {
    /// Nothing is known but that a callee must throw.
    Callee,
    /// What a call returned is not at hand any more.
    CallResult,
    /// It could not be followed back to anything.
    Unknown,
    /// An object that was created, or caught, somewhere else.
    Created,
    /// What a local variable holds does not follow from how it is used.
    Local,
    /// More is read than a probe has room for.
    TooMuch,
}

impl Reads {
    pub(crate) fn of(condition: &Condition, method: MethodRef, program: &Program) -> Reads {
        let mut reading = Reading { frame: Frame::of(method, program), reads: Reads::default() };
        reading.condition(condition);
        reading.reads
    }

    /// These values, in this order as far as they can be read.
    pub(crate) fn of_values(values: &[Expr], method: MethodRef, program: &Program) -> Reads {
        let mut reading = Reading { frame: Frame::of(method, program), reads: Reads::default() };
        values.iter().for_each(|value| reading.leaf(value, Some(ValueKind::Reference)));
        reading.reads
    }

    pub(crate) fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }

    /// The place of an expression's value among the values of a visit.
    pub(crate) fn index_of(&self, expr: &Expr) -> Option<usize> {
        self.slot_of(expr).map(|slot| self.index(slot))
    }

    /// The place of its text.
    pub(crate) fn index_of_text(&self, expr: &Expr) -> Option<usize> {
        self.index_of_derived(&Derived::Text(self.slot_of(expr)?))
    }

    /// The place of how far a collection is from having an element.
    pub(crate) fn index_of_missing(&self, collection: &Expr, element: &Expr) -> Option<usize> {
        self.index_of_derived(&Derived::Missing(self.slot_of(collection)?, self.slot_of(element)?))
    }

    fn slot_of(&self, expr: &Expr) -> Option<Slot> {
        self.known.iter().find(|(known, _)| known == expr).map(|(_, slot)| *slot)
    }

    fn index_of_derived(&self, wanted: &Derived) -> Option<usize> {
        let position = self.derived.iter().position(|derived| derived == wanted)?;
        Some(self.index(Slot::Derived(position)))
    }

    fn index(&self, slot: Slot) -> usize {
        match slot {
            Slot::Given(index) => index,
            Slot::Derived(index) => self.given.len() + index,
        }
    }

    /// What Java's `Derivation` reads: one on each line. No name in a class file has a semicolon in it.
    pub(crate) fn derivations(&self) -> String {
        let mut text = String::new();
        for derived in &self.derived {
            let at = |slot: &Slot| self.index(*slot);
            let field = |field: &FieldRef| format!("{};{};{}", field.class.dotted(), field.name, field.descriptor);
            let line = match derived {
                Derived::Int(value) => format!("i;{value};0"),
                Derived::String(text) => format!("q;0;0;{}", in_hexadecimal(text)),
                Derived::Null => "n;0;0".to_owned(),
                Derived::Field(of, read) => format!("f;{};{}", at(of), field(read)),
                Derived::Static(read) => format!("s;0;{}", field(read)),
                Derived::Element(array, index) => format!("e;{};{}", at(array), at(index)),
                Derived::Computed(op, left, right) => format!("{op};{};{}", at(left), at(right)),
                Derived::Text(of) => format!("t;{};0", at(of)),
                Derived::Size(of) => format!("z;{};0", at(of)),
                Derived::Missing(collection, element) => format!("c;{};{}", at(collection), at(element)),
            };
            writeln!(text, "{line}").expect("writing to a string");
        }
        text
    }

    fn give(&mut self, source: ValueSource) -> Option<Slot> {
        let position = self.given.iter().position(|known| *known == source);
        position.map(Slot::Given).or_else(|| {
            let is_room = self.given.len() < ValueProbe::MAX_READS;
            is_room.then(|| self.given.push(source))?;
            Some(Slot::Given(self.given.len() - 1))
        })
    }

    fn derive(&mut self, derived: Derived) -> Option<Slot> {
        let position = self.derived.iter().position(|known| *known == derived);
        position.map(Slot::Derived).or_else(|| {
            let is_room = self.derived.len() < ValueProbe::MAX_VALUES - ValueProbe::MAX_READS;
            is_room.then(|| self.derived.push(derived))?;
            Some(Slot::Derived(self.derived.len() - 1))
        })
    }
}

/// Has a snapshot taken of all values before it.
pub(crate) fn snapshot_line(place: usize) -> String {
    format!("g;{place};0\n")
}

fn in_hexadecimal(text: &JavaString) -> String {
    text.utf16().iter().fold(String::new(), |mut all, unit| {
        write!(all, "{unit:04x}").expect("writing to a string");
        all
    })
}

/// Where a method's parameters are.
struct Frame {
    is_static: bool,
    params: Vec<(u16, Type)>,
}

impl Frame {
    fn of(method: MethodRef, program: &Program) -> Frame {
        let is_static = program.declared_method(method).is_some_and(|found| found.access.is_static());
        let mut next = u16::from(!is_static);
        let params = method.signature().params.into_iter().map(|ty| {
            let slot = next;
            next += ty.slots();
            (slot, ty)
        });
        Frame { is_static, params: params.collect() }
    }
}

struct Reading {
    frame: Frame,
    reads: Reads,
}

impl Reading {
    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::True | Condition::False => {}
            Condition::Not(inner) => self.condition(inner),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.condition(part)),
            Condition::IsNull(value) | Condition::InstanceOf(value, _) => self.reference(value),
            Condition::Compare { kind, left, right, .. } => {
                self.value(left, Some(kind_of_number(*kind)));
                self.value(right, Some(kind_of_number(*kind)));
            }
            Condition::Same(left, right) | Condition::Storable { array: left, value: right } => {
                self.reference(left);
                self.reference(right);
            }
            Condition::Predicate(Predicate::ContainsKey | Predicate::ContainsElement, args) => self.contains(args),
            Condition::Predicate(_, args) => args.iter().for_each(|arg| self.text(arg)),
            Condition::CallThrows { .. } => self.reads.unreadable.push(Unreadable::Callee),
        }
    }

    fn reference(&mut self, expr: &Expr) {
        self.value(expr, Some(ValueKind::Reference));
    }

    /// What an expression is made of, as far as the evaluator computes it itself.
    fn value(&mut self, expr: &Expr, kind: Option<ValueKind>) {
        match expr {
            Expr::Const(_) => {}
            Expr::Binary(op, left, right) => {
                self.value(left, kind);
                self.value(right, if is_shift(*op) { Some(ValueKind::Int) } else { kind });
            }
            Expr::Negate(inner) => self.value(inner, kind),
            Expr::Convert(inner, ty) => self.value(inner, ty.is_reference().then_some(ValueKind::Reference)),
            Expr::Length(inner) => self.reference(inner),
            Expr::CallResult { args, .. } if expr.is_computed() => args.iter().for_each(|arg| self.reference(arg)),
            leaf => self.leaf(leaf, kind),
        }
    }

    fn leaf(&mut self, expr: &Expr, kind: Option<ValueKind>) {
        match self.read(expr, kind) {
            Ok(slot) if self.reads.slot_of(expr).is_none() => self.reads.known.push((expr.clone(), slot)),
            Ok(_) => {}
            Err(why) => self.reads.unreadable.push(why),
        }
    }

    fn text(&mut self, expr: &Expr) {
        self.reference(expr);
        if let Some(slot) = self.reads.slot_of(expr)
            && self.reads.derive(Derived::Text(slot)).is_none()
        {
            self.reads.unreadable.push(Unreadable::TooMuch);
        }
    }

    fn contains(&mut self, args: &[Expr]) {
        let [collection, element] = args else { return };
        self.leaf(collection, Some(ValueKind::Reference));
        self.leaf(element, Some(ValueKind::Reference));
        if let (Some(collection), Some(element)) = (self.reads.slot_of(collection), self.reads.slot_of(element))
            && self.reads.derive(Derived::Missing(collection, element)).is_none()
        {
            self.reads.unreadable.push(Unreadable::TooMuch);
        }
    }

    fn read(&mut self, expr: &Expr, kind: Option<ValueKind>) -> Result<Slot, Unreadable> {
        const OBJECT: Option<ValueKind> = Some(ValueKind::Reference);
        if let Some(slot) = self.reads.slot_of(expr) {
            return Ok(slot);
        }
        let slot = match expr {
            Expr::Operand(depth) => self.reads.give(ValueSource::Operand(*depth)),
            Expr::This if !self.frame.is_static => {
                self.reads.give(ValueSource::Local { slot: 0, kind: ValueKind::Reference })
            }
            Expr::Param(index) => {
                let (slot, ty) = *self.frame.params.get(usize::from(*index)).ok_or(Unreadable::Unknown)?;
                self.reads.give(ValueSource::Local { slot, kind: kind_of(ty) })
            }
            Expr::Local(slot) => {
                self.reads.give(ValueSource::Local { slot: *slot, kind: kind.ok_or(Unreadable::Local)? })
            }
            Expr::Field(of, field) => {
                let of = self.read(of, OBJECT)?;
                self.reads.derive(Derived::Field(of, *field))
            }
            Expr::Static(field) => self.reads.derive(Derived::Static(*field)),
            Expr::Element(array, index) => {
                let (array, index) = (self.read(array, OBJECT)?, self.index(index)?);
                self.reads.derive(Derived::Element(array, index))
            }
            Expr::Convert(inner, ty) if ty.is_reference() => return self.read(inner, kind),
            Expr::Const(Const::String(text)) => self.reads.derive(Derived::String(text.clone())),
            Expr::Const(Const::Null) => self.reads.derive(Derived::Null),
            Expr::CallResult { callee, args, .. } if is_size(*callee) => {
                let of = self.read(args.first().ok_or(Unreadable::CallResult)?, OBJECT)?;
                self.reads.derive(Derived::Size(of))
            }
            Expr::CallResult { .. } => return Err(Unreadable::CallResult),
            Expr::Created(..) | Expr::Caught(_) => return Err(Unreadable::Created),
            _ => return Err(Unreadable::Unknown),
        };
        slot.ok_or(Unreadable::TooMuch)
    }

    /// A whole number that the worker has to compute itself.
    fn index(&mut self, expr: &Expr) -> Result<Slot, Unreadable> {
        let slot = match expr {
            Expr::Const(Const::Int(value)) => self.reads.derive(Derived::Int(*value)),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
                let (left, right) = (self.index(left)?, self.index(right)?);
                let op = match op {
                    BinaryOp::Add => '+',
                    BinaryOp::Sub => '-',
                    _ => '*',
                };
                self.reads.derive(Derived::Computed(op, left, right))
            }
            other => return self.read(other, Some(ValueKind::Int)),
        };
        slot.ok_or(Unreadable::TooMuch)
    }
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr)
}

/// `size()` of the JDK's collections and maps, whichever type it is called on; the objects are looked at when they are there.
fn is_size(callee: MethodRef) -> bool {
    callee.name.as_str() == "size"
        && callee.descriptor.as_str() == "()I"
        && callee.class.as_internal().starts_with("java/util/")
}

fn kind_of_number(kind: NumberKind) -> ValueKind {
    match kind {
        NumberKind::Int => ValueKind::Int,
        NumberKind::Long => ValueKind::Long,
        NumberKind::Float => ValueKind::Float,
        NumberKind::Double => ValueKind::Double,
    }
}

fn kind_of(ty: Type) -> ValueKind {
    match ty {
        Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => ValueKind::Int,
        Type::Long => ValueKind::Long,
        Type::Float => ValueKind::Float,
        Type::Double => ValueKind::Double,
        Type::Class(_) | Type::Array(_) => ValueKind::Reference,
    }
}
