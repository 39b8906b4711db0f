//! Operations on strings, as Java's `String`, `Integer` and `Long` have them. Where Java throws, the value is the one that
//! [`Node`] states.

use crate::node::{Node, Term};
use crate::value::{Value, mask, signed};
use std::sync::Arc;

pub(super) fn apply<'v>(node: &Node, of: impl Fn(Term) -> &'v Value) -> Value {
    let text = |term: &Term| of(*term).as_units().unwrap_or_default();
    let number = |term: &Term| of(*term).as_signed().unwrap_or_default();
    match node {
        Node::Length(a) => Value::bits(32, text(a).len() as u64),
        Node::UnitAt(a, at) => {
            let unit = usize::try_from(number(at)).ok().and_then(|at| text(a).get(at).copied());
            Value::bits(16, u64::from(unit.unwrap_or(0)))
        }
        Node::Unit(a) => Value::Str(Arc::from([of(*a).as_unsigned().unwrap_or_default() as u16])),
        Node::Concat(a, b) => Value::Str(text(a).iter().chain(text(b)).copied().collect()),
        Node::Substring(a, from, to) => Value::Str(substring(text(a), number(from), number(to)).into()),
        Node::IndexOf(a, b, from) => {
            let at = index_of(text(a), text(b), number(from));
            Value::bits(32, at.map_or(u64::MAX, |at| at as u64))
        }
        Node::StartsWith(a, b) => Value::Bool(text(a).starts_with(text(b))),
        Node::EndsWith(a, b) => Value::Bool(text(a).ends_with(text(b))),
        Node::Contains(a, b) => Value::Bool(index_of(text(a), text(b), 0).is_some()),
        Node::Decimal(a) => Value::string(&number(a).to_string()),
        Node::IsDecimal { width, of: a } => Value::Bool(parse_decimal(text(a), *width).is_some()),
        Node::OfDecimal { width, of: a } => {
            Value::bits(*width, parse_decimal(text(a), *width).unwrap_or_default().cast_unsigned())
        }
        other => unreachable!("no operation on strings: {other:?}"),
    }
}

/// `None` of Java's `substring` (it throws) is the empty string.
fn substring(text: &[u16], from: i64, to: i64) -> &[u16] {
    match (usize::try_from(from), usize::try_from(to)) {
        (Ok(from), Ok(to)) if from <= to => text.get(from..to).unwrap_or_default(),
        _ => &[],
    }
}

fn index_of(text: &[u16], part: &[u16], from: i64) -> Option<usize> {
    // Java moves an index outside of the string to its nearest end.
    let from = usize::try_from(from.max(0)).unwrap_or(usize::MAX).min(text.len());
    (from..=text.len()).find(|at| text[*at..].starts_with(part))
}

/// What `parseInt` (32) or `parseLong` (64) make of it: an optional sign, then digits of any script with single units.
pub(crate) fn parse_decimal(text: &[u16], width: u8) -> Option<i64> {
    let is_negative = text.first() == Some(&u16::from(b'-'));
    let digits = if is_negative || text.first() == Some(&u16::from(b'+')) { &text[1..] } else { text };
    if digits.is_empty() {
        return None;
    }
    let mut value: i128 = 0;
    for unit in digits {
        value = value * 10 + i128::from(decimal_digit(*unit)?);
        if value > i128::from(mask(width)) {
            return None;
        }
    }
    let value = i64::try_from(if is_negative { -value } else { value }).ok()?;
    (signed(width, value.cast_unsigned()) == value).then_some(value)
}

/// As `Character.digit(unit, 10)`: decimal digits come in runs of ten, whose zeros are these.
fn decimal_digit(unit: u16) -> Option<u8> {
    const ZEROS: [u16; 37] = [
        0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
        0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
        0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    ];
    let zero = *ZEROS.iter().rev().find(|zero| **zero <= unit)?;
    u8::try_from(unit - zero).ok().filter(|digit| *digit < 10)
}
