//! What values look like in text.

use super::{boxes, builders};
use crate::state::State;
use crate::world::World;
use ir::ConcatPiece;
use program::classfile::Constant;
use program::{ClassName, Type};
use smt::{Term, Value};

/// A part of a text that is put together.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(Term),
    /// The text of an object that code has to be run for.
    Object(Term),
    /// A text that cannot be known.
    Unknown,
}

impl World {
    /// What `String.valueOf` makes of a value.
    pub(crate) fn text_of_value(&self, state: &State, value: Term, ty: Type) -> Piece {
        let terms = &self.terms;
        let null = terms.string("null");
        let object = |value: Term, class: ClassName| match self.known_type(value).and_then(Type::as_class) {
            _ if value == terms.null() => Piece::Text(null),
            known => match known.unwrap_or(class) {
                string if string == ClassName::string() => {
                    Piece::Text(terms.ite(self.is_null(value), null, state.text_of(self, value)))
                }
                builder if builders::is_builder(builder) => {
                    Piece::Text(terms.ite(self.is_null(value), null, state.built(self, value)))
                }
                _ => Piece::Object(value),
            },
        };
        match ty {
            Type::Int | Type::Short | Type::Byte | Type::Long => Piece::Text(terms.decimal(value)),
            Type::Char => Piece::Text(terms.unit(terms.extract(15, 0, value))),
            Type::Boolean => {
                let is_false = terms.eq(value, terms.i32(0));
                Piece::Text(terms.ite(is_false, terms.string("false"), terms.string("true")))
            }
            Type::Float | Type::Double => self.text_of_float(value).map_or(Piece::Unknown, Piece::Text),
            Type::Class(class) => object(value, class),
            Type::Array(_) if value == terms.null() => Piece::Text(null),
            Type::Array(_) => Piece::Object(value),
        }
    }

    /// `Double.toString` where all JDKs agree and digits are plain: whole numbers below ten millions.
    pub(super) fn text_of_float(&self, value: Term) -> Option<Term> {
        let number = match self.terms.constant(value)? {
            Value::F32(bits) => f64::from(f32::from_bits(bits)),
            Value::F64(bits) => f64::from_bits(bits),
            _ => return None,
        };
        let text = match number {
            _ if number.is_nan() => "NaN".to_owned(),
            f64::INFINITY => "Infinity".to_owned(),
            f64::NEG_INFINITY => "-Infinity".to_owned(),
            _ if number.abs() < 1e7 && number.fract() == 0.0 => format!("{number:.1}"),
            _ => return None,
        };
        Some(self.terms.string(&text))
    }

    /// The pieces of a string that an `invokedynamic` puts together.
    pub(crate) fn pieces(
        &self,
        state: &State,
        pieces: &[ConcatPiece],
        args: &[Term],
        params: &[Type],
    ) -> Option<Vec<Piece>> {
        let piece = |piece: &ConcatPiece| {
            Some(match piece {
                ConcatPiece::Text(literal) => Piece::Text(self.terms.units(&literal.utf16())),
                ConcatPiece::Argument(at) => self.text_of_value(state, *args.get(*at)?, *params.get(*at)?),
                ConcatPiece::Constant(constant) => match constant {
                    Constant::String(literal) => Piece::Text(self.terms.units(&literal.utf16())),
                    Constant::Int(value) => Piece::Text(self.terms.decimal(self.terms.i32(*value))),
                    Constant::Long(value) => Piece::Text(self.terms.decimal(self.terms.i64(*value))),
                    _ => Piece::Unknown,
                },
            })
        };
        pieces.iter().map(piece).collect()
    }
}

/// Whether the class's `toString` is read off as a number: boxes of whole numbers.
pub(super) fn decimal_of(world: &World, state: &State, object: Term) -> Option<Term> {
    let class = world.known_type(object)?.as_class()?;
    let field = boxes::value_field(class)?;
    matches!(field.field_type(), Type::Int | Type::Long | Type::Short | Type::Byte)
        .then(|| world.terms.decimal(state.field(world, object, field)))
}
