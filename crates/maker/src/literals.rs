//! Literals of primitive types and strings: fresh ones from the pool, and neighbours of given ones for local search.

use crate::dice::{Choose, Rng};
use crate::draw::Draw;
use documents::edit::BOUNDARY_UNITS;
use objects::{Pool, TextHint};
use program::Type;
use recipe::{JavaString, Literal, Text, TextPiece};

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
    let numbers = &rng.policy().literals;
    if hint.is_rich && rng.chance(numbers.rich) {
        return pool.document(hint, rng);
    }
    if !hint.words.is_empty() && rng.chance(numbers.worded) {
        return worded(hint, pool, rng);
    }
    let weights = if hint.topic.is_empty() { &numbers.string } else { &numbers.string_on_topic };
    match rng.pick(weights) {
        0 => {
            let document = pool.document(hint, rng);
            if rng.chance(numbers.changed_document) { pool.mutated(&document, hint, rng) } else { document }
        }
        2 => pool.mutated(&plain(pool.string(rng)), hint, rng),
        3 => plain(JavaString((0..rng.small(numbers.characters)).map(|_| unit(pool, rng)).collect())),
        _ => plain(pool.string(rng)),
    }
}

/// One or a few words that the reader knows, side by side or with something between them.
fn worded(hint: TextHint<'_>, pool: &Pool, rng: &mut Rng) -> Text {
    let mut units = Vec::new();
    for index in 0..=rng.small(rng.policy().literals.further_words) {
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
    let fresh = rng.chance(rng.policy().literals.fresh);
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

fn int(pool: &Pool, rng: &mut Rng) -> i64 {
    let numbers = &rng.policy().literals;
    match rng.pick(&numbers.int) {
        0 => pool.int(rng),
        1 => pool.int(rng).wrapping_add(rng.i64(-1..=1)),
        2 => rng.i64(numbers.small_from..=numbers.small_to),
        _ => rng.i64(..) >> rng.u32(..64),
    }
}

fn float(pool: &Pool, rng: &mut Rng) -> f64 {
    match rng.pick(&rng.policy().literals.float) {
        0 => pool.float(rng),
        1 => pool.int(rng) as f64,
        2 => (rng.f64() - 0.5) * 10f64.powi(rng.i32(-3..10)),
        _ => f64::from_bits(rng.u64(..)),
    }
}

fn unit(pool: &Pool, rng: &mut Rng) -> u16 {
    match rng.pick(&rng.policy().literals.character) {
        0 => pool.char(rng),
        1 => *rng.one(BOUNDARY_UNITS).unwrap_or(&0),
        _ => rng.u16(0x20..0x7F),
    }
}

fn near_int(value: i64, pool: &Pool, rng: &mut Rng) -> i64 {
    let numbers = &rng.policy().literals;
    match rng.pick(&numbers.near_int) {
        0 => value.wrapping_add(1),
        1 => value.wrapping_sub(1),
        2 => value.wrapping_add(rng.i64(-numbers.little..=numbers.little)),
        3 => value.wrapping_neg(),
        4 => {
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
    match rng.pick(&rng.policy().literals.near_character) {
        0 => value.wrapping_add(1),
        1 => value.wrapping_sub(1),
        // The other case of an ASCII letter.
        _ => value ^ 0x20,
    }
}

fn near_float(value: f64, pool: &Pool, rng: &mut Rng) -> f64 {
    match rng.pick(&rng.policy().literals.near_float) {
        0 => value + 1.0,
        1 => value - 1.0,
        2 => -value,
        3 => value * rng.f64() * 4.0,
        4 => value.round(),
        _ => value + pool.float(rng),
    }
}

fn mutate_text(text: &Text, hint: TextHint<'_>, pool: &Pool, rng: &mut Rng) -> Text {
    let numbers = &rng.policy().literals;
    match (text.pieces.as_slice(), rng.pick(&numbers.short_string)) {
        // A short string is a word more often than a document: change single characters.
        ([TextPiece::Plain(plain)], 0) if plain.0.len() < numbers.short => {
            Text { pieces: vec![TextPiece::Plain(mutate_units(plain, pool, rng))] }
        }
        ([], _) => plain(JavaString(vec![unit(pool, rng)])),
        _ => pool.mutated(text, hint, rng),
    }
}

fn mutate_units(text: &JavaString, pool: &Pool, rng: &mut Rng) -> JavaString {
    let mut units = text.0.clone();
    let at = rng.usize(..=units.len());
    match rng.pick(&rng.policy().literals.units) {
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
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

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
}
