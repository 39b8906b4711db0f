//! Literals of primitive types and strings: fresh ones from the pool, and neighbours of given ones for local search.

use crate::choose::{Choose, Rng};
use crate::documents::mutate::BOUNDARY_UNITS;
use crate::pool::{Pool, TextHint};
use program::{ClassName, Type};
use recipe::{JavaString, Literal, Text, TextPiece};
use std::ops::Range;

/// A literal of a primitive type.
pub fn primitive(ty: Type, pool: &Pool, rng: &mut Rng) -> Option<Literal> {
    Some(match ty {
        Type::Boolean => Literal::Boolean(rng.bool()),
        Type::Byte => Literal::Byte(int(pool, rng) as i8),
        Type::Char => Literal::Char(unit(pool, rng)),
        Type::Short => Literal::Short(int(pool, rng) as i16),
        Type::Int => Literal::Int(int(pool, rng) as i32),
        Type::Long => Literal::Long(int(pool, rng)),
        Type::Float => Literal::Float(float(pool, rng) as f32),
        Type::Double => Literal::Double(float(pool, rng)),
        Type::Class(_) | Type::Array(_) => return None,
    })
}

/// A string for the place. Where nothing says that a document is wanted, most strings are short.
pub fn string(hint: TextHint<'_>, pool: &Pool, rng: &mut Rng) -> Text {
    if hint.is_rich && rng.chance(RICH) {
        return pool.document(hint, rng);
    }
    if !hint.words.is_empty() && rng.chance(WORDED) {
        return worded(hint, pool, rng);
    }
    let documents = if hint.topic.is_empty() { 2 } else { 4 };
    match rng.u8(..10) {
        ticket if ticket < documents => {
            let document = pool.document(hint, rng);
            if rng.chance(0.25) { pool.mutated(&document, hint, rng) } else { document }
        }
        8 => pool.mutated(&plain(pool.string(rng)), hint, rng),
        9 => plain(JavaString((0..rng.small(6)).map(|_| unit(pool, rng)).collect())),
        _ => plain(pool.string(rng)),
    }
}

/// How often a text is a document, where only that will do.
const RICH: f64 = 0.9;
/// How often a string is made of the words of the code that gets it, where these are known.
const WORDED: f64 = 0.25;

/// One or a few words that the reader knows, side by side or with something between them.
fn worded(hint: TextHint<'_>, pool: &Pool, rng: &mut Rng) -> Text {
    let mut units = Vec::new();
    for index in 0..=rng.small(4) {
        if index > 0 && rng.bool() {
            let between: &str = rng.one(&[" ", " ", "a", "1", ",", "(", "\n"]).unwrap_or(&" ");
            units.extend(between.encode_utf16());
        }
        units.extend(rng.one(hint.words).cloned().unwrap_or_else(|| pool.string(rng)).0);
    }
    plain(JavaString(units))
}

/// A literal of the same type, near the given one or drawn anew. Null, class and enum literals have no neighbours here,
/// since what can stand for them depends on types ([`Maker`](crate::Maker) replaces them).
pub fn mutate(literal: &Literal, hint: TextHint<'_>, pool: &Pool, rng: &mut Rng) -> Literal {
    let fresh = rng.chance(0.3);
    match literal {
        Literal::Boolean(value) => Literal::Boolean(!value),
        Literal::String(text) if fresh => match rng.bool() {
            true => Literal::String(plain(pool.word(hint, rng))),
            false => Literal::String(if text.pieces.len() > 1 { shorter(text) } else { string(hint, pool, rng) }),
        },
        Literal::String(text) => Literal::String(mutate_text(text, hint, pool, rng)),
        Literal::Null(_) | Literal::Class(_) | Literal::Enum(_) => literal.clone(),
        number if fresh => primitive(number.ty(), pool, rng).unwrap_or_else(|| number.clone()),
        Literal::Byte(value) => Literal::Byte(near_int((*value).into(), pool, rng) as i8),
        Literal::Char(value) => Literal::Char(near_char(*value, rng)),
        Literal::Short(value) => Literal::Short(near_int((*value).into(), pool, rng) as i16),
        Literal::Int(value) => Literal::Int(near_int((*value).into(), pool, rng) as i32),
        Literal::Long(value) => Literal::Long(near_int(*value, pool, rng)),
        Literal::Float(value) => Literal::Float(near_float((*value).into(), pool, rng) as f32),
        Literal::Double(value) => Literal::Double(near_float(*value, pool, rng)),
    }
}

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

/// The text with one part left out: halves first, single characters last.
pub fn shortened(text: &Text) -> Vec<Text> {
    /// More would make a round of minimising too long.
    const MOST: usize = 60;
    let [TextPiece::Plain(JavaString(units))] = text.pieces.as_slice() else { return fewer_repetitions(text) };
    let without = |part: Range<usize>| plain(JavaString([&units[..part.start], &units[part.end..]].concat()));
    parts(units.len(), 1, MOST).into_iter().map(without).collect()
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

fn int(pool: &Pool, rng: &mut Rng) -> i64 {
    match rng.u8(..10) {
        0..7 => pool.int(rng),
        7 => pool.int(rng).wrapping_add(rng.i64(-1..=1)),
        8 => rng.i64(-16..=64),
        _ => rng.i64(..) >> rng.u32(..64),
    }
}

fn float(pool: &Pool, rng: &mut Rng) -> f64 {
    match rng.u8(..10) {
        0..6 => pool.float(rng),
        6..8 => pool.int(rng) as f64,
        8 => (rng.f64() - 0.5) * 10f64.powi(rng.i32(-3..10)),
        _ => f64::from_bits(rng.u64(..)),
    }
}

fn unit(pool: &Pool, rng: &mut Rng) -> u16 {
    match rng.u8(..10) {
        0..6 => pool.char(rng),
        6..8 => *rng.one(BOUNDARY_UNITS).unwrap_or(&0),
        _ => rng.u16(0x20..0x7F),
    }
}

fn near_int(value: i64, pool: &Pool, rng: &mut Rng) -> i64 {
    match rng.u8(..8) {
        0..2 => value.wrapping_add(1),
        2..4 => value.wrapping_sub(1),
        4 => value.wrapping_add(rng.i64(-16..=16)),
        5 => value.wrapping_neg(),
        6 => {
            if rng.bool() {
                value.wrapping_mul(2)
            } else {
                value / 2
            }
        }
        _ => value.wrapping_add(pool.int(rng)),
    }
}

fn near_char(value: u16, rng: &mut Rng) -> u16 {
    match rng.u8(..3) {
        0 => value.wrapping_add(1),
        1 => value.wrapping_sub(1),
        // The other case of an ASCII letter.
        _ => value ^ 0x20,
    }
}

fn near_float(value: f64, pool: &Pool, rng: &mut Rng) -> f64 {
    match rng.u8(..6) {
        0 => value + 1.0,
        1 => value - 1.0,
        2 => -value,
        3 => value * rng.f64() * 4.0,
        4 => value.round(),
        _ => value + pool.float(rng),
    }
}

fn mutate_text(text: &Text, hint: TextHint<'_>, pool: &Pool, rng: &mut Rng) -> Text {
    match (text.pieces.as_slice(), rng.u8(..4)) {
        // A short string is a word more often than a document: change single characters.
        ([TextPiece::Plain(plain)], 0..2) if plain.0.len() < 12 => {
            Text { pieces: vec![TextPiece::Plain(mutate_units(plain, pool, rng))] }
        }
        ([], _) => plain(JavaString(vec![unit(pool, rng)])),
        _ => pool.mutated(text, hint, rng),
    }
}

fn mutate_units(text: &JavaString, pool: &Pool, rng: &mut Rng) -> JavaString {
    let mut units = text.0.clone();
    let at = rng.usize(..=units.len());
    match rng.u8(..4) {
        0 if at < units.len() => drop(units.remove(at)),
        1 if at < units.len() => units[at] = unit(pool, rng),
        2 if at < units.len() => units[at] = near_char(units[at], rng),
        _ => units.insert(at, unit(pool, rng)),
    }
    JavaString(units)
}

fn shorter(text: &Text) -> Text {
    Text { pieces: text.pieces[..text.pieces.len() - 1].to_vec() }
}

fn plain(text: JavaString) -> Text {
    Text { pieces: vec![TextPiece::Plain(text)] }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        fn mutation_keeps_the_type(literal in literals(), seed: u64) {
            let mut rng = Rng::with_seed(seed);
            let pool = Pool::general();
            let mut current = literal.clone();
            for _ in 0..20 {
                current = mutate(&current, TextHint::default(), &pool, &mut rng);
                prop_assert_eq!(current.ty(), literal.ty());
            }
        }

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
    fn local_search_reaches_a_distant_number() {
        let pool = Pool::general();
        let mut rng = Rng::with_seed(11);
        let (mut best, goal) = (0i64, 4711);
        for _ in 0..2000 {
            if let Literal::Long(next) = mutate(&Literal::Long(best), TextHint::default(), &pool, &mut rng)
                && next.abs_diff(goal) < best.abs_diff(goal)
            {
                best = next;
            }
        }
        assert_eq!(best, goal);
    }

    #[test]
    fn parts_are_whole_units_from_large_to_small() {
        assert_eq!(parts(4, 1, 40), [0..2, 2..4, 0..1, 1..2, 2..3, 3..4]);
        assert_eq!(parts(6, 2, 40), [0..4, 4..6, 0..2, 2..4, 4..6]);
        assert_eq!(parts(0, 1, 40), Vec::<Range<usize>>::new());
        assert_eq!(parts(100_000, 1, 40).len(), 40);
    }
}
