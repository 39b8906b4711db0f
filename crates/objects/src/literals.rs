//! Simpler literals than a given one, for whoever makes recipes smaller.

use program::{ClassName, Type};
use recipe::{JavaString, Literal, Text, TextPiece};
use std::ops::Range;

/// Simpler values of a literal's type, for minimising, the simplest first: 0, "", false, numbers nearer to 0, texts with a part
/// left out.
pub fn simpler(literal: &Literal) -> Vec<Literal> {
    let mut found = simplest(literal);
    match literal {
        Literal::Int(value) => found.extend(nearer((*value).into()).map(|near| Literal::Int(near as i32))),
        Literal::Long(value) => found.extend(nearer(*value).map(Literal::Long)),
        Literal::String(text) => found.extend(shortened(text).into_iter().map(Literal::String)),
        _ => {}
    }
    found
}

/// Powers of ten and halves on the way from 0 to the number.
fn nearer(value: i64) -> impl Iterator<Item = i64> {
    let tens = (1..19).map(move |power| 10i64.pow(power) * value.signum());
    tens.take_while(move |ten| ten.unsigned_abs() < value.unsigned_abs())
        .chain((value.unsigned_abs() > 16).then_some(value / 2))
}

/// The text with one part left out: halves first, single characters last. Of a number or name some sign is left, or nothing at all: a test
/// that reads `1.2.3` shows what is wrong with numbers more often than one that reads `..`.
pub fn shortened(text: &Text) -> Vec<Text> {
    /// More would make a round of minimising too long.
    const MOST: usize = 60;
    let [TextPiece::Plain(JavaString(units))] = text.pieces.as_slice() else { return fewer_repetitions(text) };
    let without = |part: Range<usize>| plain(JavaString([&units[..part.start], &units[part.end..]].concat()));
    let kept = parts(units.len(), 1, MOST).into_iter().filter(|part| !leaves_signs_only(units, part));
    kept.map(without).collect()
}

/// Whether of the word around the part nothing but signs would be left.
fn leaves_signs_only(units: &[u16], part: &Range<usize>) -> bool {
    let sign = |unit: &u16| char::from_u32((*unit).into()).unwrap_or(char::REPLACEMENT_CHARACTER);
    let is_inside = |unit: &u16| sign(unit).is_alphanumeric() || ['.', ',', ':', '-', '+'].contains(&sign(unit));
    let has_content = |units: &[u16]| units.iter().any(|unit| sign(unit).is_alphanumeric());
    let before = units[..part.start].iter().rev().take_while(|unit| is_inside(unit)).count();
    let after = units[part.end..].iter().take_while(|unit| is_inside(unit)).count();
    let left = [&units[part.start - before..part.start], &units[part.end..part.end + after]];
    has_content(&units[part.clone()]) && before + after > 0 && !left.into_iter().any(has_content)
}

/// What to leave out of a sequence whose elements belong together in units, `most` parts: halves first, single units last.
pub fn parts(length: usize, unit: usize, most: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut part = length.div_ceil(2 * unit) * unit;
    while part > 0 && found.len() < most {
        found.extend((0..length).step_by(part).map(|start| start..(start + part).min(length)));
        part = part / unit / 2 * unit;
    }
    found.truncate(most);
    found
}

fn fewer_repetitions(text: &Text) -> Vec<Text> {
    let mut found = Vec::new();
    for (index, piece) in text.pieces.iter().enumerate() {
        let TextPiece::Repeat(unit, times) = piece else { continue };
        for fewer in [1, times / 4, times / 2] {
            if fewer > 0 && fewer < *times {
                let mut pieces = text.pieces.clone();
                pieces[index] = TextPiece::Repeat(unit.clone(), fewer);
                found.push(Text { pieces });
            }
        }
    }
    found
}

/// Ends before the literal itself.
fn simplest(literal: &Literal) -> Vec<Literal> {
    let ladder: Vec<Literal> = match literal {
        Literal::Boolean(_) => vec![Literal::Boolean(false)],
        Literal::Byte(_) => [0, 1, -1].map(Literal::Byte).into(),
        Literal::Char(_) => [b'a', b' ', b'0'].map(|c| Literal::Char(c.into())).into(),
        Literal::Short(_) => [0, 1, -1].map(Literal::Short).into(),
        Literal::Int(_) => [0, 1, -1, 2, 10].map(Literal::Int).into(),
        Literal::Long(_) => [0, 1, -1, 2, 10].map(Literal::Long).into(),
        Literal::Float(_) => [0.0, 1.0, -1.0].map(Literal::Float).into(),
        Literal::Double(_) => [0.0, 1.0, -1.0].map(Literal::Double).into(),
        Literal::String(_) => ["", "a"].map(Literal::string).into(),
        Literal::Class(_) => vec![Literal::Class(Type::Class(ClassName::object()))],
        Literal::Null(_) | Literal::Enum(_) => Vec::new(),
    };
    ladder.into_iter().take_while(|simple| simple != literal).collect()
}

fn plain(text: JavaString) -> Text {
    Text { pieces: vec![TextPiece::Plain(text)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_number_more_is_left_than_its_signs() {
        let texts = |text: &str| -> Vec<String> {
            let shorter = shortened(&Text::plain(text));
            shorter.iter().map(|text| text.expanded().to_lossy()).collect()
        };
        assert!(!texts("..5").contains(&"..".to_owned()));
        assert!(texts("..5").contains(&".5".to_owned()));
        assert!(texts("a;5").contains(&"a;".to_owned()));
    }

    use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

    fn literals() -> impl Strategy<Value = Literal> {
        prop_oneof![
            any::<bool>().prop_map(Literal::Boolean),
            any::<i8>().prop_map(Literal::Byte),
            any::<u16>().prop_map(Literal::Char),
            any::<i16>().prop_map(Literal::Short),
            any::<i32>().prop_map(Literal::Int),
            any::<i64>().prop_map(Literal::Long),
            any::<f32>().prop_map(Literal::Float),
            any::<f64>().prop_map(Literal::Double),
            "\\PC{0,20}".prop_map(|text| Literal::string(&text)),
            Just(Literal::Null(Type::class("a/B"))),
        ]
    }

    proptest! {
        #[test]
        fn simpler_literals_have_the_type_and_end(literal in literals()) {
            let mut current = literal.clone();
            for _ in 0..10 {
                let Some(simple) = simpler(&current).first().cloned() else { return Ok(()) };
                prop_assert_eq!(simple.ty(), literal.ty());
                current = simple;
            }
            prop_assert!(false, "never ends");
        }
    }

    #[test]
    fn parts_are_whole_units_from_large_to_small() {
        assert_eq!(parts(4, 1, 40), [0..2, 2..4, 0..1, 1..2, 2..3, 3..4]);
        assert_eq!(parts(6, 2, 40), [0..4, 4..6, 0..2, 2..4, 4..6]);
        assert_eq!(parts(0, 1, 40), Vec::<Range<usize>>::new());
        assert_eq!(parts(100_000, 1, 40).len(), 40);
    }
}
