//! Constants in recipes. Strings are UTF-16 as in Java and may hold lone surrogates; long repetitive ones stay small.
//!
//! Literals are equal when Java could not tell them apart: floats compare by their bits, so NaN equals itself and the two
//! zeros differ.

use program::{ClassName, FieldRef, Type};
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug)]
pub enum Literal {
    /// `null`, cast to this type where Java needs it.
    Null(Type),
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Text),
    Class(Type),
    Enum(FieldRef),
}

impl Literal {
    pub fn string(text: &str) -> Self {
        Literal::String(Text::plain(text))
    }

    /// The static type of the literal in Java source.
    pub fn ty(&self) -> Type {
        match self {
            Literal::Null(ty) => *ty,
            Literal::Boolean(_) => Type::Boolean,
            Literal::Byte(_) => Type::Byte,
            Literal::Char(_) => Type::Char,
            Literal::Short(_) => Type::Short,
            Literal::Int(_) => Type::Int,
            Literal::Long(_) => Type::Long,
            Literal::Float(_) => Type::Float,
            Literal::Double(_) => Type::Double,
            Literal::String(_) => Type::Class(ClassName::string()),
            Literal::Class(_) => Type::class("java/lang/Class"),
            Literal::Enum(field) => Type::Class(field.class),
        }
    }

    /// Zero, false or a typed null.
    pub fn default_of(ty: Type) -> Self {
        match ty {
            Type::Boolean => Literal::Boolean(false),
            Type::Byte => Literal::Byte(0),
            Type::Char => Literal::Char(0),
            Type::Short => Literal::Short(0),
            Type::Int => Literal::Int(0),
            Type::Long => Literal::Long(0),
            Type::Float => Literal::Float(0.0),
            Type::Double => Literal::Double(0.0),
            Type::Class(_) | Type::Array(_) => Literal::Null(ty),
        }
    }

    fn float_bits(&self) -> Option<u64> {
        match self {
            Literal::Float(value) => Some(u64::from(value.to_bits())),
            Literal::Double(value) => Some(value.to_bits()),
            _ => None,
        }
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Literal::Null(a), Literal::Null(b)) | (Literal::Class(a), Literal::Class(b)) => a == b,
            (Literal::Boolean(a), Literal::Boolean(b)) => a == b,
            (Literal::Byte(a), Literal::Byte(b)) => a == b,
            (Literal::Char(a), Literal::Char(b)) => a == b,
            (Literal::Short(a), Literal::Short(b)) => a == b,
            (Literal::Int(a), Literal::Int(b)) => a == b,
            (Literal::Long(a), Literal::Long(b)) => a == b,
            (Literal::Float(_), Literal::Float(_)) | (Literal::Double(_), Literal::Double(_)) => {
                self.float_bits() == other.float_bits()
            }
            (Literal::String(a), Literal::String(b)) => a == b,
            (Literal::Enum(a), Literal::Enum(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Literal {}

impl Hash for Literal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Literal::Null(ty) | Literal::Class(ty) => ty.hash(state),
            Literal::Boolean(value) => value.hash(state),
            Literal::Byte(value) => value.hash(state),
            Literal::Char(value) => value.hash(state),
            Literal::Short(value) => value.hash(state),
            Literal::Int(value) => value.hash(state),
            Literal::Long(value) => value.hash(state),
            Literal::Float(_) | Literal::Double(_) => self.float_bits().hash(state),
            Literal::String(text) => text.hash(state),
            Literal::Enum(field) => field.hash(state),
        }
    }
}

/// String content as pieces, so that `"[".repeat(10000)` stays small.
///
/// The normal form, which [`Text::normalised`] gives, has no empty piece, no repetition of fewer than two times and no
/// two plain pieces in a row; the empty text has no pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Text {
    pub pieces: Vec<TextPiece>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextPiece {
    Plain(JavaString),
    Repeat(JavaString, u32),
}

impl Text {
    pub fn plain(text: &str) -> Self {
        Text::from(JavaString::new(text))
    }

    /// The whole text, repetitions written out.
    pub fn expanded(&self) -> JavaString {
        let mut units = Vec::new();
        for piece in &self.pieces {
            match piece {
                TextPiece::Plain(text) => units.extend_from_slice(&text.0),
                TextPiece::Repeat(unit, times) => (0..*times).for_each(|_| units.extend_from_slice(&unit.0)),
            }
        }
        JavaString(units)
    }

    /// Length in UTF-16 units when written out.
    pub fn len(&self) -> u64 {
        let piece_len = |piece: &TextPiece| match piece {
            TextPiece::Plain(text) => text.0.len() as u64,
            TextPiece::Repeat(unit, times) => unit.0.len() as u64 * u64::from(*times),
        };
        self.pieces.iter().map(piece_len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same content in normal form.
    pub fn normalised(self) -> Self {
        let mut pieces: Vec<TextPiece> = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces {
            match piece {
                TextPiece::Plain(text) | TextPiece::Repeat(text, 1) => append_plain(&mut pieces, text),
                TextPiece::Repeat(_, 0) => {}
                TextPiece::Repeat(unit, _) if unit.0.is_empty() => {}
                repeat @ TextPiece::Repeat(..) => pieces.push(repeat),
            }
        }
        Text { pieces }
    }
}

fn append_plain(pieces: &mut Vec<TextPiece>, text: JavaString) {
    if text.0.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(TextPiece::Plain(last)) => last.0.extend_from_slice(&text.0),
        _ => pieces.push(TextPiece::Plain(text)),
    }
}

impl From<JavaString> for Text {
    fn from(text: JavaString) -> Self {
        Text { pieces: vec![TextPiece::Plain(text)] }.normalised()
    }
}

/// A Java string: UTF-16 code units, lone surrogates allowed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct JavaString(pub Vec<u16>);

impl JavaString {
    pub fn new(text: &str) -> Self {
        JavaString(text.encode_utf16().collect())
    }

    pub fn to_lossy(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }
}

impl std::fmt::Debug for JavaString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_equal_by_bits() {
        assert_eq!(Literal::Double(f64::NAN), Literal::Double(f64::NAN));
        assert_ne!(Literal::Float(0.0), Literal::Float(-0.0));
        assert_ne!(Literal::Float(1.0), Literal::Double(1.0));
    }

    #[test]
    fn normal_form_keeps_the_content() {
        let repeat = |text: &str, times| TextPiece::Repeat(JavaString::new(text), times);
        let plain = |text: &str| TextPiece::Plain(JavaString::new(text));
        let text =
            Text { pieces: vec![plain(""), plain("a"), repeat("b", 1), repeat("c", 0), repeat("d", 3), repeat("", 9)] };
        let normal = text.clone().normalised();
        assert_eq!(normal.pieces, [plain("ab"), repeat("d", 3)]);
        assert_eq!(normal.expanded(), text.expanded());
        assert_eq!(normal.len(), 5);
        assert!(Text::plain("").pieces.is_empty());
    }
}
