//! Leaves: what terms speak of that is not computed. Each has one variable of the solver, and every variable is a leaf or an
//! unknown.

use ir::{Kind, Var};
use program::{ClassName, FieldRef, JavaString, MethodRef, Type};
use smt::{Scalar, Sort};
use std::fmt;

/// Something that was there where a state began.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// A variable of the method at this depth of the stack of calls; 0 is the method that the state began in.
    Variable {
        depth: u16,
        var: Var,
        kind: Kind,
    },
    Region(Region),
    /// The string object of a literal.
    Literal(Vec<u16>),
    /// The class object of a type.
    Class(Type),
    /// A value that the test will give to a call; told apart by its number.
    Argument {
        number: u32,
        kind: Kind,
    },
    /// A value that nothing is known of; told apart by its number.
    Unknown {
        number: u32,
        kind: Kind,
    },
    /// A text that nothing is known of.
    UnknownText {
        number: u32,
    },
    /// A region after code that cannot be seen may have written it.
    Rewritten {
        number: u32,
        region: Region,
    },
    /// The box that `valueOf` always gives for this number: small ones are made in advance.
    Box {
        class: ClassName,
        value: i64,
    },
}

/// A part of memory whose cells are named alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// A field, under the class that declares it, of all objects.
    Field(FieldRef),
    Static(FieldRef),
    /// Elements of all arrays whose components are stored like this; references are one kind.
    Elements(Scalar),
    /// Lengths of all arrays.
    Lengths,
    /// The texts of all strings.
    Texts,
    /// The texts in all builders of strings.
    Built,
    /// What a method answers that the test may supply, by receiver and, with one argument, by that: `size()` of a map of which
    /// nothing else is known.
    Answer(MethodRef),
}

impl Region {
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Region::Field(field) => Sort::array(Scalar::Ref, stored(field.field_type())),
            Region::Static(field) => stored(field.field_type()).into(),
            Region::Elements(element) => Sort::array2(Scalar::Ref, Scalar::Bv(32), *element),
            Region::Lengths => Sort::array(Scalar::Ref, Scalar::Bv(32)),
            Region::Texts | Region::Built => Sort::array(Scalar::Ref, Scalar::Str),
            Region::Answer(method) => {
                let signature = method.signature();
                let result = signature.ret.map_or(Scalar::Ref, stored);
                match signature.params[..] {
                    [ty] => Sort::array2(Scalar::Ref, stored(ty), result),
                    _ => Sort::array(Scalar::Ref, result),
                }
            }
        }
    }
}

/// How memory holds a value of this type: numbers at their own width, so that storing one cuts it and reading extends it.
pub(crate) fn stored(ty: Type) -> Scalar {
    match ty {
        Type::Boolean => Scalar::Bv(1),
        Type::Byte => Scalar::Bv(8),
        Type::Char | Type::Short => Scalar::Bv(16),
        Type::Int => Scalar::Bv(32),
        Type::Long => Scalar::Bv(64),
        Type::Float => Scalar::F32,
        Type::Double => Scalar::F64,
        Type::Class(_) | Type::Array(_) => Scalar::Ref,
    }
}

pub(crate) fn sort_of_kind(kind: Kind) -> Sort {
    match kind {
        Kind::Int => Sort::Bv(32),
        Kind::Long => Sort::Bv(64),
        Kind::Float => Sort::F32,
        Kind::Double => Sort::F64,
        Kind::Reference => Sort::Ref,
    }
}

impl Leaf {
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Leaf::Variable { kind, .. } | Leaf::Argument { kind, .. } | Leaf::Unknown { kind, .. } => {
                sort_of_kind(*kind)
            }
            Leaf::Region(region) | Leaf::Rewritten { region, .. } => region.sort(),
            Leaf::UnknownText { .. } => Sort::Str,
            Leaf::Literal(_) | Leaf::Class(_) | Leaf::Box { .. } => Sort::Ref,
        }
    }
}

impl Leaf {
    /// Whether it was there before the code under study ran. What unseen code left may be or hold an object that was made here.
    pub(crate) fn is_input(&self) -> bool {
        // What an object answers that the code made is not for the test to say, and nothing is known of it here.
        let is_answer = matches!(self, Leaf::Region(Region::Answer(_)));
        !is_answer && !matches!(self, Leaf::Unknown { .. } | Leaf::UnknownText { .. } | Leaf::Rewritten { .. })
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leaf::Variable { depth, var, kind } => write!(f, "{depth}:{var}:{kind:?}"),
            Leaf::Region(region) => write!(f, "{region}"),
            Leaf::Literal(units) => write!(f, "literal {units:?}"),
            Leaf::Class(ty) => write!(f, "class {ty}"),
            Leaf::Argument { number, kind } => write!(f, "argument {number}:{kind:?}"),
            Leaf::Unknown { number, kind } => write!(f, "unknown {number}:{kind:?}"),
            Leaf::UnknownText { number } => write!(f, "unknown {number}:text"),
            Leaf::Rewritten { number, region } => write!(f, "rewritten {number}:{region}"),
            Leaf::Box { class, value } => write!(f, "box {class} {value}"),
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Region::Field(field) => write!(f, "field {}.{}:{}", field.class, field.name, field.descriptor),
            Region::Static(field) => write!(f, "static {}.{}:{}", field.class, field.name, field.descriptor),
            Region::Elements(element) => write!(f, "elements of {element:?}"),
            Region::Lengths => f.write_str("lengths"),
            Region::Texts => f.write_str("texts"),
            Region::Built => f.write_str("built"),
            Region::Answer(method) => write!(f, "answer {}.{}{}", method.class, method.name, method.descriptor),
        }
    }
}

/// The text of a constant, in units.
pub(crate) fn units(text: &JavaString) -> Vec<u16> {
    text.utf16()
}
