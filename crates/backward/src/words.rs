//! From formulas back to conditions over the values at a method's entry: what other engines measure and what people read. This is the one
//! place where terms become conditions. What a condition cannot say is left out, and that is said.

use condition::{BinaryOp, CompareOp, Condition, Const, Expr, NumberKind, Predicate};
use ir::{Body, Parameter, Var};
use program::{CodePoint, InstrId, JavaString};
use smt::{BitBinary, BitCompare, FloatCompare, Node, Sort, Term, Value};
use symbolic::{Leaf, Region, World};

pub(crate) struct Words<'a> {
    pub(crate) world: &'a World,
    pub(crate) body: &'a Body,
}

/// A condition, and whether it says all of the formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) when: Condition,
    pub(crate) is_all: bool,
}

impl Words<'_> {
    /// What the conjuncts say. Those that hold of every call, because of the declared types, are not mentioned.
    pub(crate) fn of(&self, formula: &[Term]) -> Said {
        let typing = symbolic::entry_facts(self.world, self.body, &symbolic::State::identity(0));
        let told = formula.iter().filter(|part| !typing.contains(part) && !self.is_typing(**part));
        let parts: Vec<Option<Condition>> = told.map(|part| self.condition(*part)).collect();
        let is_all = parts.iter().all(Option::is_some);
        Said { when: Condition::all(parts.into_iter().flatten()), is_all }
    }

    /// `x == null || x instanceof T` is what a declared type says; so is a class by itself, where no check asks for it.
    fn is_typing(&self, term: Term) -> bool {
        let terms = &self.world.terms;
        match terms.node(term) {
            Node::Or(parts) => {
                let is_class = |part: &Term| matches!(terms.node(*part), Node::ClassIn(..));
                parts.len() == 2 && parts.iter().any(is_class) && parts.iter().any(|part| !is_class(part))
            }
            _ => false,
        }
    }

    fn condition(&self, term: Term) -> Option<Condition> {
        let terms = &self.world.terms;
        match terms.node(term) {
            Node::Bool(true) => Some(Condition::True),
            Node::Bool(false) => Some(Condition::False),
            Node::Not(inner) => self.condition(inner).map(Condition::negated),
            Node::And(parts) => {
                parts.iter().map(|part| self.condition(*part)).collect::<Option<Vec<_>>>().map(Condition::all)
            }
            Node::Or(parts) => {
                parts.iter().map(|part| self.condition(*part)).collect::<Option<Vec<_>>>().map(Condition::any)
            }
            Node::Eq(left, right) => self.equal(left, right),
            Node::BitCompare(op, left, right) => self.compared(op, left, right),
            Node::FloatCompare(op, left, right) => {
                let op = match op {
                    FloatCompare::Eq => CompareOp::Eq,
                    FloatCompare::Lt => CompareOp::Lt,
                    FloatCompare::Le => CompareOp::Le,
                };
                Some(Condition::compare(self.kind(left), self.expr(left)?, op, self.expr(right)?))
            }
            Node::ClassIn(object, set) => {
                let class = terms.classes(set).single()?;
                Some(Condition::InstanceOf(self.expr(object)?, self.world.classes.ty(class)?))
            }
            Node::StartsWith(text, part) => self.predicate(Predicate::StringStartsWith, text, part),
            Node::EndsWith(text, part) => self.predicate(Predicate::StringEndsWith, text, part),
            Node::Contains(text, part) => self.predicate(Predicate::StringContains, text, part),
            _ => None,
        }
    }

    fn predicate(&self, predicate: Predicate, text: Term, part: Term) -> Option<Condition> {
        Some(Condition::Predicate(predicate, vec![self.expr(text)?, self.expr(part)?]))
    }

    fn equal(&self, left: Term, right: Term) -> Option<Condition> {
        let terms = &self.world.terms;
        match terms.sort(left) {
            Sort::Ref if left == terms.null() => Some(Condition::is_null(self.expr(right)?)),
            Sort::Ref if right == terms.null() => Some(Condition::is_null(self.expr(left)?)),
            Sort::Ref => Some(Condition::Same(self.expr(left)?, self.expr(right)?)),
            Sort::Str => self.predicate(Predicate::StringEquals, left, right),
            Sort::Bv(_) => {
                Some(Condition::compare(self.kind(left), self.expr(left)?, CompareOp::Eq, self.expr(right)?))
            }
            _ => None,
        }
    }

    fn compared(&self, op: BitCompare, left: Term, right: Term) -> Option<Condition> {
        let kind = self.kind(left);
        let (low, high) = (self.expr(left)?, self.expr(right)?);
        let zero = || Expr::Const(Const::Int(0));
        match op {
            BitCompare::Slt => Some(Condition::compare(kind, low, CompareOp::Lt, high)),
            BitCompare::Sle => Some(Condition::compare(kind, low, CompareOp::Le, high)),
            // An index is in bounds; or, the other way round, it is not.
            BitCompare::Ult if matches!(high, Expr::Length(_)) => Some(Condition::all([
                Condition::compare(kind, low.clone(), CompareOp::Ge, zero()),
                Condition::compare(kind, low, CompareOp::Lt, high),
            ])),
            BitCompare::Ule if matches!(low, Expr::Length(_)) => Some(Condition::any([
                Condition::compare(kind, high.clone(), CompareOp::Lt, zero()),
                Condition::compare(kind, high, CompareOp::Ge, low),
            ])),
            BitCompare::Ult | BitCompare::Ule => None,
        }
    }

    fn kind(&self, term: Term) -> NumberKind {
        match self.world.terms.sort(term) {
            Sort::Bv(64) => NumberKind::Long,
            Sort::F32 => NumberKind::Float,
            Sort::F64 => NumberKind::Double,
            _ => NumberKind::Int,
        }
    }

    fn expr(&self, term: Term) -> Option<Expr> {
        let terms = &self.world.terms;
        if term == terms.null() {
            return Some(Expr::Const(Const::Null));
        }
        if let Some(value) = terms.constant(term) {
            return constant(&value).map(Expr::Const);
        }
        if let Some(leaf) = self.world.leaf_of(term) {
            return self.leaf(&leaf);
        }
        match terms.node(term) {
            Node::Select(region, index) => self.read(region, index),
            Node::Extend { of, .. } => self.expr(of),
            Node::BitBinary(op, left, right) => Some(Expr::binary(operator(op)?, self.expr(left)?, self.expr(right)?)),
            Node::Length(text) => self.called("length", "()I", text),
            _ => None,
        }
    }

    fn leaf(&self, leaf: &Leaf) -> Option<Expr> {
        match leaf {
            Leaf::Variable { depth: 0, var: Var::Local(slot), .. } => {
                let parameter = self.body.parameters().into_iter().find(|(known, _)| known == slot)?.1;
                Some(match parameter {
                    Parameter::This => Expr::This,
                    Parameter::Declared(index, _) => Expr::Param(index),
                })
            }
            Leaf::Region(Region::Static(field)) => Some(Expr::Static(*field)),
            Leaf::Literal(units) => Some(Expr::Const(Const::String(JavaString::from_utf16(units)))),
            Leaf::Class(ty) => Some(Expr::Const(Const::Class(*ty))),
            _ => None,
        }
    }

    fn read(&self, region: Term, index: smt::Index) -> Option<Expr> {
        let Some(Leaf::Region(region)) = self.world.leaf_of(region) else { return None };
        let of = Box::new(self.expr(index.0)?);
        match region {
            Region::Field(field) => Some(Expr::Field(of, field)),
            Region::Lengths => Some(Expr::Length(of)),
            Region::Elements(_) => Some(Expr::Element(of, Box::new(self.expr(index.1?)?))),
            // The text of a string is the string.
            Region::Texts => Some(*of),
            Region::Answer(method) => {
                let args = std::iter::once(Some(*of)).chain(index.1.map(|argument| self.expr(argument)));
                Some(Expr::CallResult { at: self.entry(), callee: method, args: args.collect::<Option<_>>()? })
            }
            Region::Static(_) | Region::Built => None,
        }
    }

    fn called(&self, name: &str, descriptor: &str, text: Term) -> Option<Expr> {
        let callee = program::MethodRef::new("java/lang/String", name, descriptor);
        Some(Expr::CallResult { at: self.entry(), callee, args: vec![self.expr(text)?] })
    }

    fn entry(&self) -> CodePoint {
        CodePoint { method: self.body.method, at: InstrId::at(0) }
    }
}

fn operator(op: BitBinary) -> Option<BinaryOp> {
    Some(match op {
        BitBinary::Add => BinaryOp::Add,
        BitBinary::Sub => BinaryOp::Sub,
        BitBinary::Mul => BinaryOp::Mul,
        BitBinary::SDiv => BinaryOp::Div,
        BitBinary::SRem => BinaryOp::Rem,
        BitBinary::And => BinaryOp::And,
        BitBinary::Or => BinaryOp::Or,
        BitBinary::Xor => BinaryOp::Xor,
        BitBinary::Shl => BinaryOp::Shl,
        BitBinary::AShr => BinaryOp::Shr,
        BitBinary::LShr => BinaryOp::Ushr,
        BitBinary::UDiv | BitBinary::URem => return None,
    })
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of 32 bits and less")]
fn constant(value: &Value) -> Option<Const> {
    Some(match value {
        Value::Bv { width: 64, .. } => Const::Long(value.as_signed()?),
        Value::Bv { width: 1, .. } => Const::Int(value.as_unsigned()? as i32),
        Value::Bv { .. } => Const::Int(value.as_signed()? as i32),
        Value::F32(bits) => Const::Float(f32::from_bits(*bits)),
        Value::F64(bits) => Const::Double(f64::from_bits(*bits)),
        Value::Str(_) => Const::String(JavaString::from_utf16(value.as_units()?)),
        Value::Ref(reference) if reference.is_null() => Const::Null,
        _ => return None,
    })
}
