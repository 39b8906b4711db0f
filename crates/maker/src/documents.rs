//! Documents about the members of a class, and binary content.

use crate::dice::{Choose, Rng};
use documents::binary::{self, BOUNDARY, ByteEdit, MAX_BYTES};
use documents::members::{Form, STEPS, VALUES};
use recipe::{Content, JavaString, Text};

/// A document that gives values to the members of a class, in one of the forms in which mappers read them, or an expression
/// that leads to one of them.
pub fn of_members(names: &[JavaString], rng: &mut Rng) -> Text {
    let numbers = &rng.policy().texts;
    let names: Vec<String> = names.iter().map(JavaString::to_lossy).collect();
    let one = |rng: &mut Rng| rng.one(&names).cloned().unwrap_or_default();
    let pairs: Vec<(String, &str)> =
        (0..=rng.small(numbers.further_members)).map(|_| (one(rng), *rng.one(&VALUES).unwrap_or(&"1"))).collect();
    let form = Form::ALL[rng.pick(&numbers.forms_of_members)];
    let step = if form == Form::Path { *rng.one(&STEPS).unwrap_or(&"") } else { "" };
    form.write(&pairs, step)
}

/// A binary file: archives, compressed data, images, serialised objects; some cut short.
pub fn binary(rng: &mut Rng) -> Content {
    let mut bytes = rng.one(binary::samples()).cloned().unwrap_or_default();
    if rng.chance(rng.policy().documents.cut_binary) && !bytes.is_empty() {
        bytes.truncate(rng.usize(..bytes.len()));
    }
    Content::Bytes(bytes)
}

/// A changed copy: bytes flipped, cut, doubled, set to the values at which lengths and signs go wrong.
pub fn mutate_bytes(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for _ in 0..=rng.small(rng.policy().edits.further_bytes) {
        let at = rng.usize(..=changed.len());
        byte_edit(&changed, at, rng).apply(&mut changed, at);
    }
    changed
}

fn byte_edit(bytes: &[u8], at: usize, rng: &mut Rng) -> ByteEdit {
    let numbers = &rng.policy().edits;
    let is_inside = at < bytes.len();
    match rng.pick(&numbers.bytes) {
        0 if is_inside => ByteEdit::Set(*rng.one(&BOUNDARY).unwrap_or(&0)),
        1 if is_inside => ByteEdit::Flip(rng.u8(..8)),
        2 if is_inside => ByteEdit::Cut,
        3 if is_inside => ByteEdit::Remove,
        4 if bytes.len() < MAX_BYTES => ByteEdit::Double(rng.usize(1..numbers.doubled_bytes)),
        _ => ByteEdit::Insert(rng.u8(..)),
    }
}
