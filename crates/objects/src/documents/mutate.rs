//! Changes to documents: of tokens (delete, insert, replace, boundary characters, odd white space) and of the tree that
//! brackets, tags, quotes and lines make (delete, double, swap, move, nest, repeat, cut).
//!
//! A change takes any [`Text`] and gives a [`Text`]; repetitions stay pieces of their own, so that a recipe that nests ten
//! thousand levels deep stays small and [`scale`] can make it deeper or shallower.

use super::structure::{Span, SpanKind, Token, TokenClass, closing_of, separator_behind, spans_of, text_of, tokens_of};
use crate::choose::{Choose, Rng};
use recipe::{JavaString, Text, TextPiece};
use std::ops::Range;

/// Where words to insert come from: the parser's own constants, what the message quotes, other documents.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material<'a> {
    pub words: &'a [JavaString],
    /// Texts of the same kind, whose parts may be borrowed.
    pub donors: &'a [Text],
    /// Parts that can stand where other parts stand: expressions, clauses.
    pub phrases: &'a [JavaString],
}

/// Written-out documents longer than this are not grown further; repetition has its own way to be long.
const MAX_TOKENS: usize = 3_000;

/// A long part that is repeated often would be a document of megabytes.
const MAX_UNITS: u64 = 1 << 20;

/// A changed copy; the same text only if nothing could be changed.
pub fn mutate(text: &Text, material: Material<'_>, rng: &mut Rng) -> Text {
    let mut tokens = tokens_of(text);
    for _ in 0..=rng.small(3) {
        // Some changes do not fit some texts (no brackets, no numbers); a few tries find one that does.
        for _ in 0..8 {
            if Change::random(rng).apply(&mut tokens, material, rng) {
                break;
            }
        }
    }
    text_of(&tokens)
}

/// Wraps one part of the text into `levels` further levels of its own brackets or tags, with or without what else is in them, or
/// repeats a step of a path; without such a part, brackets of a random sort go around everything.
pub fn deepen(text: &Text, levels: u32, rng: &mut Rng) -> Text {
    let mut tokens = tokens_of(text);
    let spans = spans_of(&tokens);
    let nestable: Vec<&Span> = spans.iter().filter(|span| wrapping(&tokens, span).is_some()).collect();
    let steps = steps_of(&tokens);
    match rng.one(&nestable) {
        _ if !steps.is_empty() && (nestable.is_empty() || rng.chance(0.2)) => {
            let step = rng.one(&steps).cloned().unwrap_or_default();
            let unit = text_of(&tokens[step.clone()]).expanded();
            tokens.insert(step.start, repeat(&unit.0, levels));
        }
        Some(span) if rng.bool() => {
            let part = name_before(&tokens, span.tokens.start)..span.tokens.end;
            let hole = hole_in(&span.tokens, &tokens, &spans, rng);
            pump(&mut tokens, &part, &hole, levels);
        }
        Some(span) => wrap(&mut tokens, &(*span).clone(), levels),
        None => {
            let (open, close) =
                *rng.one(&[("(", ")"), ("[", "]"), ("{", "}"), ("<a>", "</a>"), ("a(", ")")]).unwrap_or(&("(", ")"));
            tokens.insert(0, repeat(&JavaString::new(open).0, levels));
            tokens.push(repeat(&JavaString::new(close).0, levels));
        }
    }
    text_of(&tokens)
}

/// The text with the part behind one of its tags or elements; `None` for a text without markup.
pub fn graft(text: &Text, part: &Text, rng: &mut Rng) -> Option<Text> {
    let mut tokens = tokens_of(text);
    let spans = spans_of(&tokens);
    let markup = spans.iter().filter(|span| matches!(span.kind, SpanKind::Tag | SpanKind::Element { .. }));
    let places: Vec<usize> = markup.map(|span| span.tokens.end).collect();
    let at = *rng.one(&places)?;
    tokens.splice(at..at, tokens_of(part));
    Some(text_of(&tokens))
}

/// Multiplies every repetition; never below one turn or above ten million.
pub fn scale(text: &Text, factor: f64) -> Text {
    let scaled = |times: u32| ((f64::from(times) * factor) as u32).clamp(1, 10_000_000);
    let pieces = text.pieces.iter().map(|piece| match piece {
        TextPiece::Repeat(unit, times) => TextPiece::Repeat(unit.clone(), scaled(*times)),
        plain @ TextPiece::Plain(_) => plain.clone(),
    });
    Text { pieces: pieces.collect() }
}

/// Characters at which parsers go wrong: quotes, escapes, brackets, control and format characters, a lone surrogate, digits
/// outside ASCII, letters whose case mapping changes the length.
pub const BOUNDARY_UNITS: &[u16] = &[
    0x00, 0x01, 0x09, 0x0A, 0x0D, 0x1B, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
    0x2D, 0x2E, 0x2F, 0x30, 0x39, 0x3A, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F, 0x40, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F, 0x60, 0x7B,
    0x7C, 0x7D, 0x7E, 0x7F, 0x80, 0x85, 0xA0, 0xAD, 0xDF, 0xFF, 0x100, 0x130, 0x131, 0x660, 0x2028, 0x202E, 0x3000,
    0xD800, 0xDC00, 0xFEFF, 0xFFFE, 0xFFFF,
];

const SPACES: &[&str] = &["", "  ", "\t", "\n", "\r\n", "\r", "\u{A0}", "\u{2003}", "\u{B}", "\u{C}", "\0"];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "10",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "0.5",
    "1e400",
    "00",
    "0x10",
    "1.",
    "99999999999999999999",
];

#[derive(Clone, Copy, Debug)]
enum Change {
    DeletePart,
    DoublePart,
    SwapParts,
    ReplacePart,
    PutPhrase,
    InsertPart,
    EmptyPart,
    NestPart,
    RepeatPart,
    Cut,
    Unbalance,
    DeleteToken,
    DoubleToken,
    InsertWord,
    ReplaceWord,
    ReplaceNumber,
    OtherCase,
    OtherSpace,
    InsertUnit,
    DeleteUnit,
    ReplaceUnit,
    Rescale,
}

impl Change {
    fn random(rng: &mut Rng) -> Change {
        use Change::*;
        const LIKELY: &[Change] = &[
            DeletePart,
            DeletePart,
            DoublePart,
            SwapParts,
            ReplacePart,
            ReplacePart,
            PutPhrase,
            PutPhrase,
            PutPhrase,
            InsertPart,
            EmptyPart,
            NestPart,
            RepeatPart,
            Cut,
            Unbalance,
            DeleteToken,
            DeleteToken,
            DoubleToken,
            InsertWord,
            InsertWord,
            ReplaceWord,
            ReplaceWord,
            ReplaceWord,
            ReplaceNumber,
            ReplaceNumber,
            OtherCase,
            OtherSpace,
            InsertUnit,
            InsertUnit,
            DeleteUnit,
            ReplaceUnit,
            Rescale,
        ];
        *rng.one(LIKELY).unwrap_or(&DeleteToken)
    }

    /// False if the change does not fit the text, which is then unchanged.
    fn apply(self, tokens: &mut Vec<Token>, material: Material<'_>, rng: &mut Rng) -> bool {
        match self {
            Change::DeletePart => on_part(tokens, rng, delete),
            Change::DoublePart => double(tokens, rng),
            Change::SwapParts => swap(tokens, rng),
            Change::ReplacePart => borrow_part(tokens, material, rng, false),
            Change::PutPhrase => put_phrase(tokens, material, rng),
            Change::InsertPart => borrow_part(tokens, material, rng, true),
            Change::EmptyPart => on_part(tokens, rng, empty),
            Change::NestPart => on_part(tokens, rng, |tokens, part, rng| {
                let levels = *rng.one(&[1, 2, 3, 10, 100, 1000]).unwrap_or(&1);
                wrap(tokens, part, levels);
            }),
            Change::RepeatPart => on_part(tokens, rng, repeat_part),
            Change::Cut => cut(tokens, rng),
            Change::Unbalance => on_token(tokens, rng, is_delimiter, |tokens, index, _| drop(tokens.remove(index))),
            Change::DeleteToken => on_token(tokens, rng, |_| true, |tokens, index, _| drop(tokens.remove(index))),
            Change::DoubleToken => {
                on_token(tokens, rng, |_| true, |tokens, index, _| tokens.insert(index, tokens[index].clone()))
            }
            Change::InsertWord => insert_word(tokens, material, rng),
            Change::ReplaceWord => replace_word(tokens, material, rng),
            Change::ReplaceNumber => on_token(
                tokens,
                rng,
                |t| t.class == TokenClass::Number,
                |tokens, index, rng| {
                    tokens[index] = plain(rng.one(NUMBERS).unwrap_or(&"0"));
                },
            ),
            Change::OtherCase => on_token(
                tokens,
                rng,
                |t| t.class == TokenClass::Word,
                |tokens, index, rng| change_case(tokens, index, rng),
            ),
            Change::OtherSpace => on_token(
                tokens,
                rng,
                |t| t.class == TokenClass::Space,
                |tokens, index, rng| {
                    tokens[index] = plain(rng.one(SPACES).unwrap_or(&""));
                },
            ),
            Change::InsertUnit => insert_unit(tokens, rng),
            Change::DeleteUnit => on_units(tokens, rng, |units, at, _| {
                units.remove(at);
            }),
            Change::ReplaceUnit => on_units(tokens, rng, |units, at, rng| units[at] = boundary_unit(rng)),
            Change::Rescale => on_token(
                tokens,
                rng,
                |t| t.class == TokenClass::Repeat,
                |tokens, index, rng| rescale(tokens, index, rng),
            ),
        }
    }
}

fn on_part(tokens: &mut Vec<Token>, rng: &mut Rng, change: impl FnOnce(&mut Vec<Token>, &Span, &mut Rng)) -> bool {
    let spans = spans_of(tokens);
    let Some(part) = rng.one(&spans) else { return false };
    change(tokens, part, rng);
    true
}

fn on_token(
    tokens: &mut Vec<Token>,
    rng: &mut Rng,
    fits: impl Fn(&Token) -> bool,
    change: impl FnOnce(&mut Vec<Token>, usize, &mut Rng),
) -> bool {
    let fitting: Vec<usize> = (0..tokens.len()).filter(|index| fits(&tokens[*index])).collect();
    let Some(index) = rng.one(&fitting) else { return false };
    change(tokens, *index, rng);
    true
}

fn on_units(tokens: &mut Vec<Token>, rng: &mut Rng, change: impl FnOnce(&mut Vec<u16>, usize, &mut Rng)) -> bool {
    on_token(
        tokens,
        rng,
        |token| token.class != TokenClass::Repeat && !token.units().is_empty(),
        |tokens, index, rng| {
            let mut units = tokens[index].units().to_vec();
            let at = rng.usize(..units.len());
            change(&mut units, at, rng);
            tokens[index] = Token::plain(&units);
        },
    )
}

/// An item goes with its separator as often as not.
fn delete(tokens: &mut Vec<Token>, part: &Span, rng: &mut Rng) {
    let mut range = part.tokens.clone();
    let is_separator = |at: usize| separator_behind(tokens, &part.tokens).is_some_and(|s| tokens.get(at) == Some(&s));
    if rng.bool() && is_separator(range.end) {
        range.end += 1;
    } else if rng.bool() && range.start > 0 && is_separator(range.start - 1) {
        range.start -= 1;
    }
    tokens.drain(range);
}

/// A part twice, or the whole text: an item as two items, a line as two lines.
fn double(tokens: &mut Vec<Token>, rng: &mut Rng) -> bool {
    let mut spans = spans_of(tokens);
    spans.push(Span { tokens: 0..tokens.len(), kind: SpanKind::Line });
    let Some(part) = rng.one(&spans).filter(|_| tokens.len() < MAX_TOKENS) else { return false };
    let copy = tokens[part.tokens.clone()].to_vec();
    put_behind(tokens, part, copy, rng);
    true
}

/// How often what is put behind an item or a line is one of its own.
const SEPARATED: f64 = 0.8;

fn put_behind(tokens: &mut Vec<Token>, part: &Span, copy: Vec<Token>, rng: &mut Rng) {
    let separator = match part.kind {
        SpanKind::Line => {
            let ends = tokens[part.tokens.clone()].last().is_some_and(|last| last.class == TokenClass::LineEnd);
            (!ends).then(|| plain("\n"))
        }
        _ => separator_behind(tokens, &part.tokens),
    };
    let separator = separator.filter(|_| rng.chance(SEPARATED));
    tokens.splice(part.tokens.end..part.tokens.end, separator.into_iter().chain(copy));
}

fn swap(tokens: &mut Vec<Token>, rng: &mut Rng) -> bool {
    let spans = spans_of(tokens);
    let (Some(a), Some(b)) = (rng.one(&spans), rng.one(&spans)) else { return false };
    let (first, second) = if a.tokens.start <= b.tokens.start { (a, b) } else { (b, a) };
    if first.tokens.end > second.tokens.start {
        return false;
    }
    let (left, right) = (tokens[first.tokens.clone()].to_vec(), tokens[second.tokens.clone()].to_vec());
    tokens.splice(second.tokens.clone(), left);
    tokens.splice(first.tokens.clone(), right);
    true
}

/// Puts another part, of this text or of a donor, in the place of a part or behind it.
fn borrow_part(tokens: &mut Vec<Token>, material: Material<'_>, rng: &mut Rng, is_behind: bool) -> bool {
    let spans = spans_of(tokens);
    let Some(place) = rng.one(&spans) else { return false };
    let donor = rng.one(material.donors).filter(|_| rng.bool()).map(tokens_of);
    let source = donor.as_ref().unwrap_or(tokens);
    let parts = if donor.is_some() { spans_of(source) } else { spans.clone() };
    // Of the same sort as often as not: an item for an item, an element for an element.
    let alike: Vec<&Span> = parts.iter().filter(|part| same_sort(part.kind, place.kind)).collect();
    let any: Vec<&Span> = parts.iter().collect();
    let choice = if alike.is_empty() || rng.chance(0.3) { &any } else { &alike };
    let Some(part) = rng.one(choice) else { return false };
    let copy = source[part.tokens.clone()].to_vec();
    if tokens.len() + copy.len() > MAX_TOKENS {
        return false;
    }
    if is_behind {
        put_behind(tokens, place, copy, rng);
    } else {
        tokens.splice(place.tokens.clone(), copy);
    }
    true
}

/// Puts a phrase in the place of a value or of a part, or between two tokens.
fn put_phrase(tokens: &mut Vec<Token>, material: Material<'_>, rng: &mut Rng) -> bool {
    let Some(phrase) = rng.one(material.phrases).filter(|_| tokens.len() < MAX_TOKENS) else { return false };
    let is_value = |at: &usize| matches!(tokens[*at].class, TokenClass::Word | TokenClass::Number);
    let values = (0..tokens.len()).filter(is_value).map(|at| at..at + 1);
    let place = match rng.u8(..4) {
        0 => {
            let at = rng.usize(..=tokens.len());
            at..at
        }
        1 => rng.one(&spans_of(tokens)).map(|span| span.tokens.clone()).unwrap_or_default(),
        _ => rng.one(&values.collect::<Vec<_>>()).cloned().unwrap_or_default(),
    };
    tokens.splice(place, tokens_of(&Text::from(phrase.clone())));
    true
}

fn same_sort(a: SpanKind, b: SpanKind) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

/// Removes what is inside the delimiters.
fn empty(tokens: &mut Vec<Token>, part: &Span, _: &mut Rng) {
    let (start, end) = match part.kind {
        SpanKind::Bracket | SpanKind::Quoted | SpanKind::Tag => (1, 1),
        SpanKind::Element { start, end } => (start, end),
        SpanKind::Item | SpanKind::Line => (0, 0),
    };
    tokens.drain(part.tokens.start + start..part.tokens.end - end);
}

fn repeat_part(tokens: &mut Vec<Token>, part: &Span, rng: &mut Rng) {
    let mut unit = text_of(&tokens[part.tokens.clone()]).expanded();
    let times = *rng.one(&[2, 3, 5, 17, 100, 1000, 10_000]).unwrap_or(&2);
    if let Some(separator) = separator_behind(tokens, &part.tokens).filter(|_| rng.bool()) {
        // The last one stays as it is.
        unit.0.extend_from_slice(separator.units());
        tokens.insert(part.tokens.start, repeat(&unit.0, times.min(1000) - 1));
        return;
    }
    if unit.0.len() as u64 * u64::from(times) <= MAX_UNITS {
        tokens.splice(part.tokens.clone(), [repeat(&unit.0, times)]);
    }
}

fn wrap(tokens: &mut Vec<Token>, part: &Span, levels: u32) {
    let Some((open, close)) = wrapping(tokens, part) else { return };
    tokens.insert(part.tokens.end, repeat(&close, levels));
    tokens.insert(part.tokens.start, repeat(&open, levels));
}

/// Words with a sign behind them, and signs with a word behind them: steps of a path, terms of a sum.
fn steps_of(tokens: &[Token]) -> Vec<Range<usize>> {
    let is_value = |at: usize| matches!(tokens[at].class, TokenClass::Word | TokenClass::Number);
    let is_sign = |at: usize| matches!(tokens[at].class, TokenClass::Symbol(_));
    let is_step = |at: &usize| (is_value(*at) && is_sign(at + 1)) || (is_sign(*at) && is_value(at + 1));
    (0..tokens.len().saturating_sub(1)).filter(is_step).map(|at| at..at + 2).collect()
}

/// A place inside the part where the part itself could stand again: one of its parts, a word or a number.
fn hole_in(part: &Range<usize>, tokens: &[Token], spans: &[Span], rng: &mut Rng) -> Range<usize> {
    let is_inside = |range: &Range<usize>| range.start > part.start && range.end < part.end;
    let is_value = |at: &usize| matches!(tokens[*at].class, TokenClass::Word | TokenClass::Number);
    let parts = spans.iter().map(|span| span.tokens.clone());
    let values = part.clone().filter(is_value).map(|at| at..at + 1);
    let holes: Vec<Range<usize>> = parts.chain(values).filter(is_inside).collect();
    rng.one(&holes).cloned().unwrap_or(part.end - 1..part.end - 1)
}

/// Puts the part into its own hole, again and again: `{"a": 1}` becomes `{"a": {"a": 1}}`.
fn pump(tokens: &mut Vec<Token>, part: &Range<usize>, hole: &Range<usize>, levels: u32) {
    let (before, after) = (text_of(&tokens[part.start..hole.start]), text_of(&tokens[hole.end..part.end]));
    if (before.len() + after.len()) * u64::from(levels) <= MAX_UNITS {
        tokens.insert(part.end, repeat(&after.expanded().0, levels));
        tokens.insert(part.start, repeat(&before.expanded().0, levels));
    }
}

/// The text before and after one more level of the part: its own brackets or tags, with the word before a bracket (`f(`).
fn wrapping(tokens: &[Token], part: &Span) -> Option<(Vec<u16>, Vec<u16>)> {
    let units = |range: Range<usize>| text_of(&tokens[range]).expanded().0;
    let span = &part.tokens;
    match part.kind {
        SpanKind::Bracket => {
            let TokenClass::Symbol(symbol) = tokens[span.start].class else { return None };
            let name = name_before(tokens, span.start);
            // The name itself stays in front of the outermost level.
            Some(([vec![symbol], units(name..span.start)].concat(), vec![closing_of(symbol)?]))
        }
        SpanKind::Element { start, end } => {
            Some((units(span.start..span.start + start), units(span.end - end..span.end)))
        }
        SpanKind::Tag | SpanKind::Quoted | SpanKind::Item | SpanKind::Line => None,
    }
}

/// Where the name in front of a bracket begins: a word, with the sign that marks it as in `:has(`, `@at(`, `$x[`.
fn name_before(tokens: &[Token], bracket: usize) -> usize {
    let is_word = |at: usize| tokens[at].class == TokenClass::Word;
    let is_mark = |at: usize| match tokens[at].class {
        TokenClass::Symbol(symbol) => char::from_u32(symbol.into()).is_some_and(|c| ":@$#.!%&-+*?".contains(c)),
        _ => false,
    };
    match bracket {
        1.. if is_word(bracket - 1) => {
            if bracket > 1 && is_mark(bracket - 2) {
                bracket - 2
            } else {
                bracket - 1
            }
        }
        _ => bracket,
    }
}

fn cut(tokens: &mut Vec<Token>, rng: &mut Rng) -> bool {
    if tokens.len() < 2 {
        return false;
    }
    let at = rng.usize(1..tokens.len());
    if rng.chance(0.8) {
        tokens.truncate(at);
    } else {
        tokens.drain(..at);
    }
    true
}

fn is_delimiter(token: &Token) -> bool {
    let TokenClass::Symbol(symbol) = token.class else { return false };
    char::from_u32(symbol.into()).is_some_and(|c| "()[]{}<>\"'`/".contains(c))
}

fn insert_word(tokens: &mut Vec<Token>, material: Material<'_>, rng: &mut Rng) -> bool {
    let Some(word) = rng.one(material.words).filter(|_| tokens.len() < MAX_TOKENS) else { return false };
    tokens.insert(rng.usize(..=tokens.len()), Token::plain(&word.0));
    true
}

fn replace_word(tokens: &mut Vec<Token>, material: Material<'_>, rng: &mut Rng) -> bool {
    let is_word = |token: &Token| matches!(token.class, TokenClass::Word | TokenClass::Number);
    let other = match rng.one(material.words) {
        Some(word) if rng.chance(0.7) => word.0.clone(),
        // Another word of the same text: names that should agree, or should not.
        _ => {
            let words: Vec<&Token> = tokens.iter().filter(|token| is_word(token)).collect();
            let Some(word) = rng.one(&words) else { return false };
            word.units().to_vec()
        }
    };
    on_token(tokens, rng, is_word, |tokens, index, _| tokens[index] = Token::plain(&other))
}

fn change_case(tokens: &mut [Token], index: usize, rng: &mut Rng) {
    let word = JavaString(tokens[index].units().to_vec()).to_lossy();
    let changed = if rng.bool() { word.to_uppercase() } else { word.to_lowercase() };
    tokens[index] = plain(&changed);
}

fn insert_unit(tokens: &mut Vec<Token>, rng: &mut Rng) -> bool {
    if tokens.len() >= MAX_TOKENS {
        return false;
    }
    tokens.insert(rng.usize(..=tokens.len()), Token::plain(&[boundary_unit(rng)]));
    true
}

fn rescale(tokens: &mut [Token], index: usize, rng: &mut Rng) {
    if let TextPiece::Repeat(_, times) = &mut tokens[index].piece {
        *times = match rng.u8(..4) {
            0 => *times / 2,
            1 => times.saturating_mul(2),
            2 => times.saturating_sub(1),
            _ => times.saturating_add(1),
        }
        .clamp(1, 100_000);
    }
}

fn boundary_unit(rng: &mut Rng) -> u16 {
    *rng.one(BOUNDARY_UNITS).unwrap_or(&0)
}

fn plain(text: &str) -> Token {
    Token::plain(&JavaString::new(text).0)
}

fn repeat(unit: &[u16], times: u32) -> Token {
    // One or two turns read better written out.
    if times <= 2 {
        return Token::plain(&unit.repeat(times as usize));
    }
    Token { piece: TextPiece::Repeat(JavaString(unit.to_vec()), times), class: TokenClass::Repeat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Kind, corpus};
    use proptest::prelude::{prop_assert, proptest};

    fn words() -> Vec<JavaString> {
        ["SELECT", "<!--", "key"].iter().map(|word| JavaString::new(word)).collect()
    }

    #[test]
    fn mutation_is_a_function_of_the_seed() {
        let words = words();
        for seed in 0..20 {
            let text = Kind::Json.sample(&mut Rng::with_seed(seed));
            let run =
                || mutate(&text, Material { words: &words, donors: &[], phrases: &[] }, &mut Rng::with_seed(seed));
            assert_eq!(run(), run());
        }
    }

    #[test]
    fn most_mutations_change_the_text() {
        let mut rng = Rng::with_seed(3);
        let words = words();
        for document in corpus() {
            let text = Text::plain(document.text);
            let changed = (0..20)
                .filter(|_| mutate(&text, Material { words: &words, donors: &[], phrases: &[] }, &mut rng) != text)
                .count();
            assert!(changed >= 12, "{changed} of 20 for {:?}", document.text);
        }
    }

    #[test]
    fn phrases_stand_where_values_and_parts_stood() {
        let phrases = [JavaString::new("(SELECT 1)")];
        let becomes = |wanted: &str| {
            let mutated = |seed| {
                let material = Material { phrases: &phrases, ..Material::default() };
                mutate(&Text::plain("a = f(b)"), material, &mut Rng::with_seed(seed)).expanded().to_lossy()
            };
            assert!((0..3000).any(|seed| mutated(seed) == wanted), "{wanted}");
        };
        becomes("(SELECT 1) = f(b)");
        becomes("a = f((SELECT 1))");
        becomes("a = f(SELECT 1)");
        becomes("a = f(b)(SELECT 1)");
    }

    #[test]
    fn a_part_of_another_document_gets_behind_one_of_the_text() {
        let text = Text::plain("<a><b/></a>");
        let donors = [Text::plain("<c d=\"e\"/>")];
        let changed =
            |seed| mutate(&text, Material { donors: &donors, ..Material::default() }, &mut Rng::with_seed(seed));
        let wanted = "<a><b/><c d=\"e\"/></a>";
        assert!((0..3000).any(|seed| changed(seed).expanded().to_lossy() == wanted));
    }

    #[test]
    fn items_and_lines_are_doubled_and_deleted_whole() {
        let becomes = |text: &str, wanted: &str| {
            let mutated =
                |seed| mutate(&Text::plain(text), Material::default(), &mut Rng::with_seed(seed)).expanded().to_lossy();
            assert!((0..3000).any(|seed| mutated(seed) == wanted), "{text} to {wanted}");
        };
        becomes("[[1,2]]", "[[1,2],[1,2]]");
        becomes("{\"a\": 1}", "{\"a\": 1,\"a\": 1}");
        becomes("f(a; b)", "f(a; b; b)");
        becomes("a: 1", "a: 1\na: 1");
        becomes("x\ny", "x\ny\ny");
        becomes("[1,2]", "[2]");
        becomes("[1,2]", "[1]");
        becomes("[1]", "[1,1,1,1,1]");
    }

    #[test]
    fn deepening_nests_in_the_text_s_own_brackets() {
        let becomes = |text: &str, deep: &str| {
            let deepened = |seed| deepen(&Text::plain(text), 3, &mut Rng::with_seed(seed)).expanded().to_lossy();
            assert!(
                (0..40).any(|seed| deepened(seed) == deep),
                "{text}: {:?}",
                (0..10).map(deepened).collect::<Vec<_>>()
            );
        };
        becomes("[1]", "[[[[1]]]]");
        becomes("<a k='v'>x</a>", "<a k='v'><a k='v'><a k='v'><a k='v'>x</a></a></a></a>");
        becomes("f(x)", "f(f(f(f(x))))");
        becomes("a:has(b)", "a:has(:has(:has(:has(b))))");
        becomes("{\"a\": 1}", "{\"a\": {\"a\": {\"a\": {\"a\": 1}}}}");
        becomes("java.lang", "java.java.java.java.lang");
        becomes("-1", "-1-1-1-1");
        becomes("f(1, x)", "f(1, f(1, f(1, f(1, x))))");
    }

    #[test]
    fn scaling_changes_repetitions_only() {
        let text =
            Text { pieces: vec![TextPiece::Plain(JavaString::new("a")), TextPiece::Repeat(JavaString::new("("), 10)] };
        assert_eq!(scale(&text, 2.5).pieces[1], TextPiece::Repeat(JavaString::new("("), 25));
        assert_eq!(scale(&text, 0.0).pieces[1], TextPiece::Repeat(JavaString::new("("), 1));
        assert_eq!(scale(&text, 2.5).pieces[0], text.pieces[0]);
    }

    proptest! {
        /// Any text, any seed: no panic, and the result stays within bounds.
        #[test]
        fn any_text_can_be_mutated(text in "\\PC{0,60}", seed: u64) {
            let mut rng = Rng::with_seed(seed);
            let words = words();
            let donors = [Kind::Xml.sample(&mut rng), Kind::Sql.sample(&mut rng)];
            let phrases = [JavaString::new("(SELECT 1)"), JavaString::default()];
            let mut current = Text::plain(&text);
            for _ in 0..30 {
                current = mutate(&current, Material { words: &words, donors: &donors, phrases: &phrases }, &mut rng);
                prop_assert!(current.pieces.len() <= 2 * MAX_TOKENS);
            }
            deepen(&current, 1000, &mut rng);
        }
    }
}
