//! What is kept of a value, and how it lies in a ring: in words whose highest bit is clear.

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Null,
    /// An object that is nothing of the below.
    Object,
    /// Between `2^(bits-1)` and `2^bits` away from zero; no bits mean zero.
    Magnitude {
        kind: NumberKind,
        negative: bool,
        bits: u8,
    },
    /// A floating-point number by its sign and its exponent as the format has it, bias included.
    Exponent {
        kind: NumberKind,
        negative: bool,
        exponent: u16,
    },
    /// The number itself: bits of a `float` or `double`, otherwise the value.
    Exact {
        kind: NumberKind,
        value: i64,
    },
    /// A text of so many characters; equal to a text that this thread recorded before, so many recorded texts ago.
    Text {
        length: u32,
        same_as: Option<u8>,
    },
    Hashed {
        length: u32,
        hash: u32,
    },
    /// The text itself, or its beginning where it is longer than is kept.
    Exactly {
        length: u32,
        text: String,
    },
    /// An array of so many elements.
    Array {
        length: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// boolean, byte, char, short and int.
    Int,
    Long,
    Float,
    Double,
}

impl NumberKind {
    const ALL: [NumberKind; 4] = [NumberKind::Int, NumberKind::Long, NumberKind::Float, NumberKind::Double];

    fn code(self) -> u32 {
        self as u32
    }

    fn of_code(code: u32) -> NumberKind {
        NumberKind::ALL[(code & 3) as usize]
    }
}

/// Characters of a text that are kept at most.
const TEXT_LIMIT: usize = 255;

const NULL: u32 = 1;
const OBJECT: u32 = 2;
const MAGNITUDE: u32 = 3;
const EXPONENT: u32 = 4;
const EXACT: u32 = 5;
const TEXT: u32 = 6;
const HASHED: u32 = 7;
const EXACTLY: u32 = 8;
const ARRAY: u32 = 9;

/// The first word has the tag in its lowest byte, and what fits besides.
fn first(tag: u32, rest: u32) -> u32 {
    tag | (rest & 0x7f_ffff) << 8
}

const WORD: u32 = 0x7fff_ffff;

impl Shape {
    pub(crate) fn write(&self, out: &mut Vec<u32>) {
        match self {
            Shape::Null => out.push(first(NULL, 0)),
            Shape::Object => out.push(first(OBJECT, 0)),
            Shape::Magnitude { kind, negative, bits } => {
                out.push(first(MAGNITUDE, kind.code() | u32::from(*negative) << 2 | u32::from(*bits) << 3));
            }
            Shape::Exponent { kind, negative, exponent } => {
                out.push(first(EXPONENT, kind.code() | u32::from(*negative) << 2 | u32::from(*exponent) << 3));
            }
            Shape::Exact { kind, value } => {
                let value = value.cast_unsigned();
                out.push(first(EXACT, kind.code() | ((value >> 62) as u32) << 2));
                out.extend([value as u32 & WORD, (value >> 31) as u32 & WORD]);
            }
            Shape::Text { length, same_as } => {
                let same = same_as.map_or(0, |ago| u32::from(ago) + 1);
                out.extend([first(TEXT, same), length & WORD]);
            }
            Shape::Hashed { length, hash } => out.extend([first(HASHED, hash >> 31), length & WORD, hash & WORD]),
            Shape::Exactly { length, text } => {
                let units: Vec<u16> = text.encode_utf16().take(TEXT_LIMIT).collect();
                out.extend([first(EXACTLY, units.len() as u32), length & WORD]);
                out.extend(units.into_iter().map(u32::from));
            }
            Shape::Array { length } => out.extend([first(ARRAY, 0), length & WORD]),
        }
    }

    /// What these words mean; `None` if it is nothing.
    pub(crate) fn read(words: &[u32]) -> Option<Shape> {
        let (head, rest) = words.split_first()?;
        let more = head >> 8;
        let kind = NumberKind::of_code(more);
        let negative = more >> 2 & 1 != 0;
        Some(match (head & 0xff, rest) {
            (NULL, []) => Shape::Null,
            (OBJECT, []) => Shape::Object,
            (MAGNITUDE, []) => Shape::Magnitude { kind, negative, bits: u8::try_from(more >> 3).ok()? },
            (EXPONENT, []) => Shape::Exponent { kind, negative, exponent: u16::try_from(more >> 3).ok()? },
            (EXACT, [low, high]) => {
                let value = u64::from(*low) | u64::from(*high) << 31 | u64::from(more >> 2 & 3) << 62;
                Shape::Exact { kind, value: value.cast_signed() }
            }
            (TEXT, [length]) => {
                let same_as = if more == 0 { None } else { Some(u8::try_from(more - 1).ok()?) };
                Shape::Text { length: *length, same_as }
            }
            (HASHED, [length, hash]) => Shape::Hashed { length: *length, hash: hash | (more & 1) << 31 },
            (EXACTLY, [length, units @ ..]) if units.len() == more as usize => {
                let units = units.iter().map(|unit| *unit as u16);
                let text = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
                Shape::Exactly { length: *length, text }
            }
            (ARRAY, [length]) => Shape::Array { length: *length },
            _ => return None,
        })
    }

    /// What strict redaction leaves of it.
    pub fn strictly(&self) -> Shape {
        match self {
            Shape::Exact { kind: kind @ (NumberKind::Int | NumberKind::Long), value } => Shape::Magnitude {
                kind: *kind,
                negative: *value < 0,
                bits: (64 - value.unsigned_abs().leading_zeros()) as u8,
            },
            Shape::Exact { kind: NumberKind::Float, value } => {
                let bits = *value as u32;
                Shape::Exponent {
                    kind: NumberKind::Float,
                    negative: bits >> 31 != 0,
                    exponent: (bits >> 23 & 0xff) as u16,
                }
            }
            Shape::Exact { kind: NumberKind::Double, value } => {
                let bits = value.cast_unsigned();
                Shape::Exponent {
                    kind: NumberKind::Double,
                    negative: bits >> 63 != 0,
                    exponent: (bits >> 52 & 0x7ff) as u16,
                }
            }
            Shape::Hashed { length, .. } | Shape::Exactly { length, .. } => {
                Shape::Text { length: *length, same_as: None }
            }
            other => other.clone(),
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = |negative: bool| if negative { "-" } else { "" };
        match self {
            Shape::Null => f.write_str("null"),
            Shape::Object => f.write_str("an object"),
            Shape::Magnitude { bits: 0, .. } => f.write_str("0"),
            Shape::Magnitude { negative, bits: 1, .. } => write!(f, "{}1", sign(*negative)),
            Shape::Magnitude { negative, bits, .. } => {
                write!(f, "{}(2^{}..2^{bits})", sign(*negative), bits - 1)
            }
            Shape::Exponent { kind, negative, exponent } => {
                let (bias, all) = if *kind == NumberKind::Float { (127, 255) } else { (1023, 2047) };
                match i32::from(*exponent) {
                    0 => write!(f, "{}0 or nearly", sign(*negative)),
                    e if e == all => write!(f, "{}infinite or no number", sign(*negative)),
                    e => write!(f, "{}(2^{}..2^{})", sign(*negative), e - bias, e - bias + 1),
                }
            }
            Shape::Exact { kind: NumberKind::Float, value } => write!(f, "{}f", f32::from_bits(*value as u32)),
            Shape::Exact { kind: NumberKind::Double, value } => write!(f, "{}", f64::from_bits(value.cast_unsigned())),
            Shape::Exact { value, .. } => write!(f, "{value}"),
            Shape::Text { length, same_as: None } => write!(f, "a text of {length} characters"),
            Shape::Text { length, same_as: Some(ago) } => {
                write!(f, "a text of {length} characters, equal to the one {} texts before", u32::from(*ago) + 1)
            }
            Shape::Hashed { length, hash } => write!(f, "a text of {length} characters with hash {hash:08x}"),
            Shape::Exactly { text, .. } => write!(f, "{text:?}"),
            Shape::Array { length } => write!(f, "an array of {length} elements"),
        }
    }
}
