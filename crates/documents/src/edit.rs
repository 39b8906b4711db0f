//! All that can be done to a text in one step: to its tokens (remove, insert, replace, boundary characters, odd white space) and to
//! the tree that brackets, tags, quotes and lines make (delete, double, swap, borrow, nest, repeat, cut).
//!
//! An [`Edit`] is data; [`edits`] lists all edits of a text, and which of them is made is for others to decide. Repetitions stay
//! pieces of their own, so that a recipe that nests ten thousand levels deep stays small and [`scale`] can make it deeper or
//! shallower.

use crate::structure::{Span, SpanKind, Token, TokenClass, closing_of, separator_behind, spans_of, text_of, tokens_of};
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

/// One change of a text, by the places of its tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Other tokens in the place of some; an empty place for inserting, no tokens for removing.
    Put { place: Range<usize>, tokens: Vec<Token> },
    /// Takes a part away, with the separator behind or before it.
    Delete { part: Range<usize>, separator: Option<Beside> },
    /// Tokens behind a part, as an item or a line of their own or not.
    PutBehind { part: Span, tokens: Vec<Token>, is_separated: bool },
    /// Two parts in each other's place; the first ends before the second begins.
    Swap { first: Range<usize>, second: Range<usize> },
    /// Takes away what is inside of the delimiters.
    Empty { part: Span },
    /// Further levels of the part's own brackets or tags around it.
    Nest { part: Span, levels: u32 },
    /// The part many times, as items of their own or not.
    Repeat { part: Span, times: u32, is_separated: bool },
    /// Only the tokens before the place.
    KeepHead { end: usize },
    /// Only the tokens from the place on.
    KeepTail { start: usize },
    /// Another number of turns for a repetition.
    Rescale { at: usize, times: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    Behind,
    Before,
}

/// Written-out documents longer than this are not grown further; repetition has its own way to be long.
pub const MAX_TOKENS: usize = 3_000;

/// A long part that is repeated often would be a document of megabytes.
const MAX_UNITS: u64 = 1 << 20;

/// Levels that a part is nested in by one edit.
pub const LEVELS: [u32; 6] = [1, 2, 3, 10, 100, 1000];
/// How many times a part is repeated by one edit.
pub const TIMES: [u32; 7] = [2, 3, 5, 17, 100, 1000, 10_000];
/// With separators, the parts are shown one by one in what a parser makes of them.
const MAX_SEPARATED: u32 = 1000;
/// The most turns that an edit gives a repetition.
const MAX_TURNS: u32 = 100_000;

/// Characters at which parsers go wrong: quotes, escapes, brackets, control and format characters, a lone surrogate, digits
/// outside ASCII, letters whose case mapping changes the length.
pub const BOUNDARY_UNITS: &[u16] = &[
    0x00, 0x01, 0x09, 0x0A, 0x0D, 0x1B, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
    0x2D, 0x2E, 0x2F, 0x30, 0x39, 0x3A, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F, 0x40, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F, 0x60, 0x7B,
    0x7C, 0x7D, 0x7E, 0x7F, 0x80, 0x85, 0xA0, 0xAD, 0xDF, 0xFF, 0x100, 0x130, 0x131, 0x660, 0x2028, 0x202E, 0x3000,
    0xD800, 0xDC00, 0xFEFF, 0xFFFE, 0xFFFF,
];

/// White space that parsers treat differently.
pub const SPACES: &[&str] = &["", "  ", "\t", "\n", "\r\n", "\r", "\u{A0}", "\u{2003}", "\u{B}", "\u{C}", "\0"];

/// Numbers at which types end, and ways to write numbers.
pub const NUMBERS: &[&str] = &[
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

/// Brackets for a text that has none.
pub const WRAPPINGS: [(&str, &str); 5] = [("(", ")"), ("[", "]"), ("{", "}"), ("<a>", "</a>"), ("a(", ")")];

impl Edit {
    /// Makes the edit. Places beyond the text are left alone, so that an edit of another text does no harm.
    pub fn apply(&self, tokens: &mut Vec<Token>) {
        if self.end() > tokens.len() {
            return;
        }
        match self {
            Edit::Put { place, tokens: others } => drop(tokens.splice(place.clone(), others.iter().cloned())),
            Edit::Delete { part, separator } => delete(tokens, part, *separator),
            Edit::PutBehind { part, tokens: others, is_separated } => put_behind(tokens, part, others, *is_separated),
            Edit::Swap { first, second } => swap(tokens, first, second),
            Edit::Empty { part } => empty(tokens, part),
            Edit::Nest { part, levels } => wrap(tokens, part, *levels),
            Edit::Repeat { part, times, is_separated } => repeat_part(tokens, part, *times, *is_separated),
            Edit::KeepHead { end } => tokens.truncate(*end),
            Edit::KeepTail { start } => drop(tokens.drain(..*start)),
            Edit::Rescale { at, times } => {
                if let Some(TextPiece::Repeat(_, turns)) = tokens.get_mut(*at).map(|token| &mut token.piece) {
                    *turns = *times;
                }
            }
        }
    }

    /// Where the last of its places ends.
    fn end(&self) -> usize {
        match self {
            Edit::Put { place, .. } => place.end,
            Edit::Delete { part, separator } => part.end + usize::from(*separator == Some(Beside::Behind)),
            Edit::PutBehind { part, .. }
            | Edit::Empty { part }
            | Edit::Nest { part, .. }
            | Edit::Repeat { part, .. } => part.tokens.end,
            Edit::Swap { second, .. } => second.end,
            Edit::KeepHead { end: at } | Edit::KeepTail { start: at } => *at,
            Edit::Rescale { at, .. } => at + 1,
        }
    }

    /// The text after the edit.
    pub fn of(&self, text: &Text) -> Text {
        let mut tokens = tokens_of(text);
        self.apply(&mut tokens);
        text_of(&tokens)
    }

    pub fn remove(at: usize) -> Edit {
        Edit::Put { place: at..at + 1, tokens: Vec::new() }
    }

    pub fn replace(at: usize, token: Token) -> Edit {
        Edit::Put { place: at..at + 1, tokens: vec![token] }
    }

    pub fn insert(at: usize, token: Token) -> Edit {
        Edit::Put { place: at..at, tokens: vec![token] }
    }
}

/// All edits of the text by one step, in a fixed order. Long texts have very many; take what is needed.
pub fn edits(text: &Text, material: Material<'_>) -> Vec<Edit> {
    let tokens = tokens_of(text);
    let spans = spans_of(&tokens);
    let mut all = Vec::new();
    spans.iter().for_each(|part| of_part(&tokens, part, &mut all));
    doubled(&tokens, &spans, &mut all);
    swapped(&spans, &mut all);
    borrowed(&tokens, &spans, material, &mut all);
    phrases(&tokens, &spans, material, &mut all);
    (1..tokens.len()).for_each(|at| all.extend([Edit::KeepHead { end: at }, Edit::KeepTail { start: at }]));
    (0..tokens.len()).for_each(|at| of_token(&tokens, at, material, &mut all));
    if tokens.len() < MAX_TOKENS {
        for at in 0..=tokens.len() {
            all.extend(material.words.iter().map(|word| Edit::insert(at, Token::plain(&word.0))));
            all.extend(BOUNDARY_UNITS.iter().map(|unit| Edit::insert(at, Token::plain(&[*unit]))));
        }
    }
    all
}

fn of_part(tokens: &[Token], part: &Span, all: &mut Vec<Edit>) {
    let separators = [None, Some(Beside::Behind), Some(Beside::Before)];
    let fitting =
        separators.into_iter().filter(|separator| separator.is_none_or(|at| has_separator(tokens, &part.tokens, at)));
    all.extend(fitting.map(|separator| Edit::Delete { part: part.tokens.clone(), separator }));
    all.push(Edit::Empty { part: part.clone() });
    all.extend(LEVELS.map(|levels| Edit::Nest { part: part.clone(), levels }));
    for times in TIMES {
        let repeat = |is_separated| Edit::Repeat { part: part.clone(), times, is_separated };
        all.push(repeat(false));
        all.extend(separator_behind(tokens, &part.tokens).map(|_| repeat(true)));
    }
}

fn doubled(tokens: &[Token], spans: &[Span], all: &mut Vec<Edit>) {
    if tokens.len() >= MAX_TOKENS {
        return;
    }
    for part in spans.iter().cloned().chain([whole(tokens)]) {
        let copy = tokens[part.tokens.clone()].to_vec();
        all.extend(behind(&part, &copy));
    }
}

fn behind(part: &Span, copy: &[Token]) -> [Edit; 2] {
    [false, true].map(|is_separated| Edit::PutBehind { part: part.clone(), tokens: copy.to_vec(), is_separated })
}

fn swapped(spans: &[Span], all: &mut Vec<Edit>) {
    for first in spans {
        let later = spans.iter().filter(|second| first.tokens.end <= second.tokens.start);
        all.extend(later.map(|second| Edit::Swap { first: first.tokens.clone(), second: second.tokens.clone() }));
    }
}

fn borrowed(tokens: &[Token], spans: &[Span], material: Material<'_>, all: &mut Vec<Edit>) {
    let donors: Vec<Vec<Token>> = material.donors.iter().map(tokens_of).collect();
    for source in std::iter::once(tokens).chain(donors.iter().map(Vec::as_slice)) {
        for part in spans_of(source) {
            let copy = &source[part.tokens];
            for place in spans.iter().filter(|_| tokens.len() + copy.len() <= MAX_TOKENS) {
                all.push(Edit::Put { place: place.tokens.clone(), tokens: copy.to_vec() });
                all.extend(behind(place, copy));
            }
        }
    }
}

fn phrases(tokens: &[Token], spans: &[Span], material: Material<'_>, all: &mut Vec<Edit>) {
    if tokens.len() >= MAX_TOKENS {
        return;
    }
    let between = (0..=tokens.len()).map(|at| at..at);
    let parts = spans.iter().map(|span| span.tokens.clone());
    let places: Vec<Range<usize>> = between.chain(parts).chain(values_of(tokens)).collect();
    for phrase in material.phrases {
        let phrase = tokens_of(&Text::from(phrase.clone()));
        all.extend(places.iter().map(|place| Edit::Put { place: place.clone(), tokens: phrase.clone() }));
    }
}

fn of_token(tokens: &[Token], at: usize, material: Material<'_>, all: &mut Vec<Edit>) {
    let token = &tokens[at];
    all.extend([Edit::remove(at), Edit::insert(at, token.clone())]);
    let replace = |text: &str| Edit::replace(at, plain(text));
    match token.class {
        TokenClass::Number => all.extend(NUMBERS.iter().map(|number| replace(number))),
        TokenClass::Space => all.extend(SPACES.iter().map(|space| replace(space))),
        TokenClass::Word => all.extend([true, false].map(|is_upper| Edit::replace(at, in_case(token, is_upper)))),
        TokenClass::Repeat => all.extend(turns_near(token).into_iter().map(|times| Edit::Rescale { at, times })),
        TokenClass::LineEnd | TokenClass::Symbol(_) => {}
    }
    if is_value(token) {
        let others = tokens.iter().filter(|other| is_value(other)).map(|other| other.units());
        let words = material.words.iter().map(|word| word.0.as_slice()).chain(others);
        all.extend(words.map(|word| Edit::replace(at, Token::plain(word))));
    }
    if token.class != TokenClass::Repeat {
        for unit in 0..token.units().len() {
            all.push(Edit::replace(at, with_unit(token, unit, None)));
            all.extend(BOUNDARY_UNITS.iter().map(|other| Edit::replace(at, with_unit(token, unit, Some(*other)))));
        }
    }
}

/// The whole text as a part.
pub fn whole(tokens: &[Token]) -> Span {
    Span { tokens: 0..tokens.len(), kind: SpanKind::Line }
}

/// Words and numbers.
pub fn is_value(token: &Token) -> bool {
    matches!(token.class, TokenClass::Word | TokenClass::Number)
}

/// Their places.
pub fn values_of(tokens: &[Token]) -> impl Iterator<Item = Range<usize>> {
    (0..tokens.len()).filter(|at| is_value(&tokens[*at])).map(|at| at..at + 1)
}

/// Signs without which what is around them is not closed.
pub fn is_delimiter(token: &Token) -> bool {
    let TokenClass::Symbol(symbol) = token.class else { return false };
    char::from_u32(symbol.into()).is_some_and(|c| "()[]{}<>\"'`/".contains(c))
}

/// A word in capitals, or without any.
pub fn in_case(token: &Token, is_upper: bool) -> Token {
    let word = JavaString(token.units().to_vec()).to_lossy();
    plain(&if is_upper { word.to_uppercase() } else { word.to_lowercase() })
}

/// A token with another character at the place, or without the one there.
pub fn with_unit(token: &Token, at: usize, other: Option<u16>) -> Token {
    let mut units = token.units().to_vec();
    units.splice(at..at + 1, other);
    Token::plain(&units)
}

/// Half as many turns of a repetition, twice as many, one less, one more.
pub fn turns_near(token: &Token) -> Vec<u32> {
    let TextPiece::Repeat(_, times) = token.piece else { return Vec::new() };
    let near = [times / 2, times.saturating_mul(2), times.saturating_sub(1), times.saturating_add(1)];
    near.map(|times| times.clamp(1, MAX_TURNS)).to_vec()
}

/// Whether a separator of the part's list is at that side of it.
pub fn has_separator(tokens: &[Token], part: &Range<usize>, side: Beside) -> bool {
    let at = match side {
        Beside::Behind => Some(part.end),
        Beside::Before => part.start.checked_sub(1),
    };
    let Some(at) = at else { return false };
    separator_behind(tokens, part).is_some_and(|separator| tokens.get(at) == Some(&separator))
}

pub fn plain(text: &str) -> Token {
    Token::plain(&JavaString::new(text).0)
}

fn delete(tokens: &mut Vec<Token>, part: &Range<usize>, separator: Option<Beside>) {
    let range = match separator {
        None => part.clone(),
        Some(Beside::Behind) => part.start..part.end + 1,
        Some(Beside::Before) => part.start.saturating_sub(1)..part.end,
    };
    tokens.drain(range);
}

fn put_behind(tokens: &mut Vec<Token>, part: &Span, others: &[Token], is_separated: bool) {
    let separator = separator_of(tokens, part).filter(|_| is_separated);
    tokens.splice(part.tokens.end..part.tokens.end, separator.into_iter().chain(others.iter().cloned()));
}

/// What separates an item or a line from one that is put behind it, if anything does.
pub fn separator_of(tokens: &[Token], part: &Span) -> Option<Token> {
    match part.kind {
        SpanKind::Line => {
            let ends = tokens[part.tokens.clone()].last().is_some_and(|last| last.class == TokenClass::LineEnd);
            (!ends).then(|| plain("\n"))
        }
        _ => separator_behind(tokens, &part.tokens),
    }
}

fn swap(tokens: &mut Vec<Token>, first: &Range<usize>, second: &Range<usize>) {
    let (left, right) = (tokens[first.clone()].to_vec(), tokens[second.clone()].to_vec());
    tokens.splice(second.clone(), left);
    tokens.splice(first.clone(), right);
}

fn empty(tokens: &mut Vec<Token>, part: &Span) {
    let (start, end) = match part.kind {
        SpanKind::Bracket | SpanKind::Quoted | SpanKind::Tag => (1, 1),
        SpanKind::Element { start, end } => (start, end),
        SpanKind::Item | SpanKind::Line => (0, 0),
    };
    tokens.drain(part.tokens.start + start..part.tokens.end - end);
}

fn repeat_part(tokens: &mut Vec<Token>, part: &Span, times: u32, is_separated: bool) {
    let mut unit = text_of(&tokens[part.tokens.clone()]).expanded();
    if let Some(separator) = separator_behind(tokens, &part.tokens).filter(|_| is_separated) {
        // The last one stays as it is.
        unit.0.extend_from_slice(separator.units());
        tokens.insert(part.tokens.start, repeated(&unit.0, times.min(MAX_SEPARATED) - 1));
        return;
    }
    if unit.0.len() as u64 * u64::from(times) <= MAX_UNITS {
        tokens.splice(part.tokens.clone(), [repeated(&unit.0, times)]);
    }
}

/// Further levels of the part's own brackets or tags around it; nothing for a part without.
pub fn wrap(tokens: &mut Vec<Token>, part: &Span, levels: u32) {
    let Some((open, close)) = wrapping(tokens, part) else { return };
    tokens.insert(part.tokens.end, repeated(&close, levels));
    tokens.insert(part.tokens.start, repeated(&open, levels));
}

/// Brackets around everything.
pub fn wrap_all(tokens: &mut Vec<Token>, (open, close): (&str, &str), levels: u32) {
    tokens.insert(0, repeated(&JavaString::new(open).0, levels));
    tokens.push(repeated(&JavaString::new(close).0, levels));
}

/// A step of a path many times more.
pub fn repeat_step(tokens: &mut Vec<Token>, step: &Range<usize>, times: u32) {
    let unit = text_of(&tokens[step.clone()]).expanded();
    tokens.insert(step.start, repeated(&unit.0, times));
}

/// Words with a sign behind them, and signs with a word behind them: steps of a path, terms of a sum.
pub fn steps_of(tokens: &[Token]) -> Vec<Range<usize>> {
    let is_value = |at: usize| is_value(&tokens[at]);
    let is_sign = |at: usize| matches!(tokens[at].class, TokenClass::Symbol(_));
    let is_step = |at: &usize| (is_value(*at) && is_sign(at + 1)) || (is_sign(*at) && is_value(at + 1));
    (0..tokens.len().saturating_sub(1)).filter(is_step).map(|at| at..at + 2).collect()
}

/// The places inside of the part where the part itself could stand again: its parts, words and numbers.
pub fn holes_in(part: &Range<usize>, tokens: &[Token], spans: &[Span]) -> Vec<Range<usize>> {
    let is_inside = |range: &Range<usize>| range.start > part.start && range.end < part.end;
    let parts = spans.iter().map(|span| span.tokens.clone());
    let values = part.clone().filter(|at| is_value(&tokens[*at])).map(|at| at..at + 1);
    parts.chain(values).filter(is_inside).collect()
}

/// Puts the part into its own hole, again and again: `{"a": 1}` becomes `{"a": {"a": 1}}`.
pub fn pump(tokens: &mut Vec<Token>, part: &Range<usize>, hole: &Range<usize>, levels: u32) {
    let (before, after) = (text_of(&tokens[part.start..hole.start]), text_of(&tokens[hole.end..part.end]));
    if (before.len() + after.len()) * u64::from(levels) <= MAX_UNITS {
        tokens.insert(part.end, repeated(&after.expanded().0, levels));
        tokens.insert(part.start, repeated(&before.expanded().0, levels));
    }
}

/// The places behind tags and elements; none for a text without markup.
pub fn places_in_markup(spans: &[Span]) -> Vec<usize> {
    let markup = spans.iter().filter(|span| matches!(span.kind, SpanKind::Tag | SpanKind::Element { .. }));
    markup.map(|span| span.tokens.end).collect()
}

/// The text before and after one more level of the part: its own brackets or tags, with the word before a bracket (`f(`).
pub fn wrapping(tokens: &[Token], part: &Span) -> Option<(Vec<u16>, Vec<u16>)> {
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
pub fn name_before(tokens: &[Token], bracket: usize) -> usize {
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

/// Multiplies every repetition; never below one turn or above ten million.
pub fn scale(text: &Text, factor: f64) -> Text {
    let scaled = |times: u32| ((f64::from(times) * factor) as u32).clamp(1, 10_000_000);
    let pieces = text.pieces.iter().map(|piece| match piece {
        TextPiece::Repeat(unit, times) => TextPiece::Repeat(unit.clone(), scaled(*times)),
        plain @ TextPiece::Plain(_) => plain.clone(),
    });
    Text { pieces: pieces.collect() }
}

fn repeated(unit: &[u16], times: u32) -> Token {
    // One or two turns read better written out.
    if times <= 2 {
        return Token::plain(&unit.repeat(times as usize));
    }
    Token { piece: TextPiece::Repeat(JavaString(unit.to_vec()), times), class: TokenClass::Repeat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn results(text: &str, material: Material<'_>) -> Vec<String> {
        let text = Text::plain(text);
        edits(&text, material).iter().map(|edit| edit.of(&text).expanded().to_lossy()).collect()
    }

    #[test]
    fn one_step_leads_to_all_that_is_near() {
        let becomes = |text: &str, wanted: &str| {
            assert!(results(text, Material::default()).iter().any(|result| result == wanted), "{text} to {wanted}");
        };
        becomes("[[1,2]]", "[[1,2],[1,2]]");
        becomes("{\"a\": 1}", "{\"a\": 1,\"a\": 1}");
        becomes("f(a; b)", "f(a; b; b)");
        becomes("a: 1", "a: 1\na: 1");
        becomes("x\ny", "x\ny\ny");
        becomes("[1,2]", "[2]");
        becomes("[1,2]", "[1]");
        becomes("[1]", "[1,1,1,1,1]");
        becomes("f(a, b)", "f( b,a)");
        becomes("f(a)", "f()");
        becomes("f(a)", "f(f(a))");
        becomes("f(a)", "f(a");
        becomes("ab", "AB");
        becomes("7", "2147483648");
    }

    #[test]
    fn words_phrases_and_donors_are_put_everywhere_they_fit() {
        let (words, phrases) = ([JavaString::new("key")], [JavaString::new("(SELECT 1)")]);
        let donors = [Text::plain("<c d=\"e\"/>")];
        let material = Material { words: &words, donors: &donors, phrases: &phrases };
        let has = |text: &str, wanted: &str| {
            assert!(results(text, material).iter().any(|result| result == wanted), "{text} to {wanted}");
        };
        has("a = f(b)", "(SELECT 1) = f(b)");
        has("a = f(b)", "a = f((SELECT 1))");
        has("a = f(b)", "a = f(b)(SELECT 1)");
        has("a = f(b)", "key = f(b)");
        has("<a><b/></a>", "<a><b/><c d=\"e\"/></a>");
    }

    #[test]
    fn the_list_of_edits_is_always_the_same_and_each_can_be_made() {
        for document in corpus().iter().filter(|document| document.text.len() < 60) {
            let text = Text::plain(document.text);
            let all = edits(&text, Material::default());
            assert_eq!(all, edits(&text, Material::default()));
            let changed = all.iter().filter(|edit| edit.of(&text) != text).count();
            assert!(2 * changed > all.len(), "{changed} of {}: {}", all.len(), document.text);
        }
    }

    #[test]
    fn an_edit_of_another_text_does_no_harm() {
        let long = Text::plain("f(a, b)\n<a>x</a>");
        for edit in edits(&long, Material::default()) {
            edit.of(&Text::default());
            edit.of(&Text::plain("x"));
        }
    }

    #[test]
    fn scaling_changes_repetitions_only() {
        let text =
            Text { pieces: vec![TextPiece::Plain(JavaString::new("a")), TextPiece::Repeat(JavaString::new("("), 10)] };
        assert_eq!(scale(&text, 2.5).pieces[1], TextPiece::Repeat(JavaString::new("("), 25));
        assert_eq!(scale(&text, 0.0).pieces[1], TextPiece::Repeat(JavaString::new("("), 1));
        assert_eq!(scale(&text, 2.5).pieces[0], text.pieces[0]);
    }
}
