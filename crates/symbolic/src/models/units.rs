//! What Java's library does with texts that are constants.

/// `compareTo`.
pub(super) fn compare(left: &[u16], right: &[u16]) -> i32 {
    let difference = left.iter().zip(right).find(|(one, other)| one != other);
    match difference {
        Some((one, other)) => i32::from(*one) - i32::from(*other),
        None => i32::try_from(left.len()).unwrap_or(i32::MAX) - i32::try_from(right.len()).unwrap_or(i32::MAX),
    }
}

pub(super) fn hash(text: &[u16]) -> i32 {
    text.iter().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit)))
}

pub(super) fn is_ascii(text: &[u16]) -> bool {
    text.iter().all(|unit| *unit < 128)
}

/// `toLowerCase` of ASCII, in every locale but a few that treat `I` otherwise.
pub(super) fn lower(text: &[u16]) -> Vec<u16> {
    text.iter().map(|unit| if (65..=90).contains(unit) { unit + 32 } else { *unit }).collect()
}

pub(super) fn upper(text: &[u16]) -> Vec<u16> {
    text.iter().map(|unit| if (97..=122).contains(unit) { unit - 32 } else { *unit }).collect()
}

/// `Character.isWhitespace`: separators but for those that do not break, and some controls.
pub(super) fn is_whitespace(unit: u16) -> bool {
    WHITESPACE.iter().any(|(first, last)| (*first..=*last).contains(&unit))
}

pub(super) const WHITESPACE: [(u16, u16); 9] = [
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x1680, 0x1680),
    (0x2000, 0x2006),
    (0x2008, 0x200A),
    (0x2028, 0x2029),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0x180E, 0x180D),
];

/// The part between the first and the last unit that is kept.
pub(super) fn trimmed(text: &[u16], front: bool, back: bool, drops: impl Fn(u16) -> bool) -> &[u16] {
    let keeps = |unit: &u16| !drops(*unit);
    let start = if front { text.iter().position(keeps).unwrap_or(text.len()) } else { 0 };
    let rest = &text[start..];
    let end = if back { rest.iter().rposition(keeps).map_or(0, |last| last + 1) } else { rest.len() };
    &rest[..end]
}

pub(super) fn index_of(text: &[u16], part: &[u16], from: usize) -> Option<usize> {
    (from..=text.len()).find(|at| text[*at..].starts_with(part))
}

/// `replace(CharSequence, CharSequence)`: an empty target is found between all units.
pub(super) fn replaced(text: &[u16], target: &[u16], with: &[u16]) -> Vec<u16> {
    let mut result = Vec::new();
    let mut at = 0;
    while let Some(found) = index_of(text, target, at) {
        result.extend(&text[at..found]);
        result.extend(with);
        at = found + target.len();
        if target.is_empty() {
            let Some(unit) = text.get(found) else { return result };
            result.push(*unit);
            at += 1;
        }
    }
    result.extend(&text[at.min(text.len())..]);
    result
}

/// `StringBuilder.reverse`: pairs of surrogates keep their order.
pub(super) fn reversed(text: &[u16]) -> Vec<u16> {
    let mut result: Vec<u16> = text.iter().rev().copied().collect();
    let is_low = |unit: u16| (0xDC00..0xE000).contains(&unit);
    let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
    let mut at = 0;
    while at + 1 < result.len() {
        if is_low(result[at]) && is_high(result[at + 1]) {
            result.swap(at, at + 1);
            at += 1;
        }
        at += 1;
    }
    result
}

/// `split` by one unit that means itself: parts, with the empty ones at the end left out where the limit is 0.
pub(super) fn split(text: &[u16], by: u16, limit: i64) -> Vec<Vec<u16>> {
    let most = usize::try_from(limit).ok().filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    let mut parts: Vec<Vec<u16>> = text.splitn(most, |unit| *unit == by).map(<[u16]>::to_vec).collect();
    if parts.len() == 1 {
        return vec![text.to_vec()];
    }
    while limit == 0 && parts.last().is_some_and(Vec::is_empty) {
        parts.pop();
    }
    parts
}

/// A number in this radix, as `parseInt` reads ASCII; none where that throws.
pub(super) fn parse(text: &[u16], radix: u32, least: i64, most: i64) -> Option<i64> {
    let (is_negative, digits) = match text.first() {
        Some(45) => (true, &text[1..]),
        Some(43) => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: i128 = 0;
    for unit in digits {
        let digit = char::from_u32(u32::from(*unit))?.to_digit(radix)?;
        value = value * i128::from(radix) + i128::from(digit);
        if value > 1 << 70 {
            return None;
        }
    }
    let value = if is_negative { -value } else { value };
    i64::try_from(value).ok().filter(|value| (least..=most).contains(value))
}

/// A decimal number as `parseDouble` reads it, without the forms that other languages read otherwise; none for those.
pub(super) fn plain_decimal(text: &[u16]) -> Option<String> {
    let text = String::from_utf16(text).ok()?;
    let is_plain = |unit: char| unit.is_ascii_digit() || matches!(unit, '+' | '-' | '.' | 'e' | 'E');
    (text.chars().all(is_plain) && text.parse::<f64>().is_ok()).then_some(text)
}
