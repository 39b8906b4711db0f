//! Constants as Java source: numbers, characters and strings of any content. Only ASCII comes out, so that the file means
//! the same under every encoding.

use crate::options::Release;
use crate::syntax::Expr;
use recipe::{JavaString, Text, TextPiece};

pub(crate) fn int(value: i32) -> Expr {
    match value {
        i32::MIN => constant_of("java/lang/Integer", "MIN_VALUE"),
        i32::MAX => constant_of("java/lang/Integer", "MAX_VALUE"),
        _ => Expr::atom(value.to_string()),
    }
}

pub(crate) fn long(value: i64) -> Expr {
    match value {
        i64::MIN => constant_of("java/lang/Long", "MIN_VALUE"),
        i64::MAX => constant_of("java/lang/Long", "MAX_VALUE"),
        _ => Expr::atom(format!("{value}L")),
    }
}

pub(crate) fn float(value: f32) -> Expr {
    const FLOAT: &str = "java/lang/Float";
    match value {
        _ if value.is_nan() && value.to_bits() == f32::NAN.to_bits() => constant_of(FLOAT, "NaN"),
        _ if value.is_nan() => Expr::static_call(FLOAT, "intBitsToFloat", vec![int(value.to_bits().cast_signed())]),
        f32::INFINITY => constant_of(FLOAT, "POSITIVE_INFINITY"),
        f32::NEG_INFINITY => constant_of(FLOAT, "NEGATIVE_INFINITY"),
        f32::MAX => constant_of(FLOAT, "MAX_VALUE"),
        _ => Expr::atom(format!("{value:?}f")),
    }
}

pub(crate) fn double(value: f64) -> Expr {
    const DOUBLE: &str = "java/lang/Double";
    match value {
        _ if value.is_nan() && value.to_bits() == f64::NAN.to_bits() => constant_of(DOUBLE, "NaN"),
        _ if value.is_nan() => Expr::static_call(DOUBLE, "longBitsToDouble", vec![long(value.to_bits().cast_signed())]),
        f64::INFINITY => constant_of(DOUBLE, "POSITIVE_INFINITY"),
        f64::NEG_INFINITY => constant_of(DOUBLE, "NEGATIVE_INFINITY"),
        f64::MAX => constant_of(DOUBLE, "MAX_VALUE"),
        _ => Expr::atom(format!("{value:?}")),
    }
}

fn constant_of(class: &str, name: &str) -> Expr {
    Expr::select(Expr::class(class), name)
}

pub(crate) fn character(unit: u16) -> String {
    match unit {
        0x27 => "'\\''".into(),
        0x22 => "'\"'".into(),
        _ => format!("'{}'", escaped(unit)),
    }
}

/// A string literal in quotes.
pub(crate) fn quoted(units: &[u16]) -> String {
    let inside: String = units.iter().map(|unit| escaped(*unit)).collect();
    format!("\"{inside}\"")
}

fn escaped(unit: u16) -> String {
    match unit {
        0x08 => "\\b".into(),
        0x09 => "\\t".into(),
        0x0a => "\\n".into(),
        0x0c => "\\f".into(),
        0x0d => "\\r".into(),
        0x22 => "\\\"".into(),
        0x5c => "\\\\".into(),
        0x20..0x7f => char::from(unit as u8).to_string(),
        // Three digits, so that a digit that follows does not belong to the escape. Unicode escapes would not do here: they
        // are replaced before the line is read, line ends included.
        0..0x20 => format!("\\{unit:03o}"),
        _ => format!("\\u{unit:04x}"),
    }
}

/// The bytes that a class file needs for one unit (JVMS 4.4.7).
fn constant_size(unit: u16) -> usize {
    match unit {
        1..0x80 => 1,
        0 | 0x80..0x800 => 2,
        _ => 3,
    }
}

/// The most that one constant of a class file can hold.
const MAX_CONSTANT: usize = 65_535;
/// Longer literals are split, for people.
const CHUNK: usize = 80;
/// Repetitions up to this length are written out.
const SHORT: usize = 24;
/// Text blocks (Java 15) pay from this number of lines.
const BLOCK_LINES: usize = 3;

/// A string of any length.
pub(crate) fn string(text: &Text, release: Release) -> Expr {
    let mut parts: Vec<Part> = Vec::new();
    for piece in &text.pieces {
        match piece {
            TextPiece::Plain(plain) => push_plain(&mut parts, &plain.0),
            TextPiece::Repeat(unit, times) => {
                if unit.0.len().saturating_mul(*times as usize) <= SHORT {
                    push_plain(&mut parts, &unit.0.repeat(*times as usize));
                } else {
                    parts.push(Part::Repeat(unit.clone(), *times));
                }
            }
        }
    }
    match parts.as_slice() {
        [] => Expr::atom("\"\""),
        [Part::Plain(units)] if units.iter().map(|unit| constant_size(*unit)).sum::<usize>() <= MAX_CONSTANT => {
            constant(units, release)
        }
        _ => computed(&parts, release),
    }
}

/// A string that must be a constant expression: an annotation's value.
pub(crate) fn constant_string(text: &Text) -> Expr {
    Expr::atom(quoted(&text.expanded().0))
}

enum Part {
    Plain(Vec<u16>),
    Repeat(JavaString, u32),
}

fn push_plain(parts: &mut Vec<Part>, units: &[u16]) {
    if units.is_empty() {
        return;
    }
    if let Some(Part::Plain(last)) = parts.last_mut() {
        last.extend_from_slice(units);
    } else {
        parts.push(Part::Plain(units.to_vec()));
    }
}

fn constant(units: &[u16], release: Release) -> Expr {
    if let Some(block) = text_block(units, release) {
        return block;
    }
    let chunks = lines(units).into_iter().flat_map(chunks);
    let mut literals: Vec<Expr> = chunks.map(|chunk| Expr::atom(quoted(chunk))).collect();
    if literals.len() == 1 { literals.remove(0) } else { Expr::Concat(literals) }
}

/// Not a constant for javac, so that no part may be too long for the class file: pieces joined at run time.
fn computed(parts: &[Part], release: Release) -> Expr {
    let mut exprs = Vec::new();
    let mut total = 0;
    for part in parts {
        match part {
            Part::Plain(units) => {
                total += units.iter().map(|unit| constant_size(*unit)).sum::<usize>();
                // Well under the limit: a unit takes up to three bytes.
                exprs.extend(units.chunks(MAX_CONSTANT / 4).map(|chunk| constant(chunk, release)));
            }
            Part::Repeat(unit, times) => exprs.push(repeated(unit, *times, release)),
        }
    }
    if total > MAX_CONSTANT {
        return Expr::static_call("java/lang/String", "join", [vec![Expr::atom("\"\"")], exprs].concat());
    }
    if exprs.len() == 1 { exprs.remove(0) } else { Expr::Concat(exprs) }
}

fn repeated(unit: &JavaString, times: u32, release: Release) -> Expr {
    let literal = Expr::atom(quoted(&unit.0));
    let times = Expr::atom(times.to_string());
    if release.has_string_repeat() {
        return Expr::call(Some(literal), "repeat", vec![times]);
    }
    let copies = Expr::static_call("java/util/Collections", "nCopies", vec![times, literal]);
    Expr::static_call("java/lang/String", "join", vec![Expr::atom("\"\""), copies])
}

/// The text cut after each line end.
fn lines(units: &[u16]) -> Vec<&[u16]> {
    let lines: Vec<&[u16]> = units.split_inclusive(|unit| *unit == 0x0a).collect();
    let ends = units.iter().filter(|unit| **unit == 0x0a).count();
    // A line or two stay together if they are short.
    if ends < BLOCK_LINES && units.len() <= CHUNK || lines.is_empty() { vec![units] } else { lines }
}

/// A line in pieces that fit, cut after a space where there is one.
fn chunks(line: &[u16]) -> Vec<&[u16]> {
    let mut rest = line;
    let mut chunks = Vec::new();
    while rest.len() > CHUNK + CHUNK / 4 {
        let space = rest[..CHUNK].iter().rposition(|unit| *unit == 0x20).filter(|at| *at > CHUNK / 2);
        let (chunk, tail) = rest.split_at(space.map_or(CHUNK, |at| at + 1));
        chunks.push(chunk);
        rest = tail;
    }
    chunks.push(rest);
    chunks
}

/// A text block, if the release has them and the text reads well as one: several lines of printable characters, no
/// trailing blanks (which a block would lose) and nothing to escape but what a document has.
fn text_block(units: &[u16], release: Release) -> Option<Expr> {
    let text = String::from_utf16(units).ok()?;
    let fits = release.has_text_blocks()
        && text.matches('\n').count() >= BLOCK_LINES
        && text.chars().all(|c| c == '\n' || (' '..='~').contains(&c))
        && !text.contains("\"\"\"")
        && !text.ends_with('"')
        && text.lines().all(|line| !line.ends_with(' ') && line.len() <= 2 * CHUNK);
    fits.then(|| {
        let mut lines: Vec<String> = text.split('\n').map(|line| line.replace('\\', "\\\\")).collect();
        if let Some(last) = lines.last_mut() {
            last.push_str("\"\"\"");
        }
        Expr::TextBlock(lines)
    })
}
