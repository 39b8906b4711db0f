//! Draws changes of documents: which [`Edit`] is made, where, and with what.

use crate::dice::{Choose, Rng};
use documents::edit::{
    self, BOUNDARY_UNITS, Beside, LEVELS, MAX_TOKENS, NUMBERS, SPACES, TIMES, WRAPPINGS, has_separator, holes_in,
    in_case, is_delimiter, is_value, name_before, plain, separator_of, steps_of, turns_near, values_of, whole,
    with_unit, wrapping,
};
use documents::structure::{Span, SpanKind, Token, TokenClass, separator_behind, spans_of, text_of, tokens_of};
use documents::{Edit, Material};
use recipe::Text;
use std::ops::Range;

/// A changed copy; the same text only if nothing could be changed.
pub fn mutate(text: &Text, material: Material<'_>, rng: &mut Rng) -> Text {
    let numbers = &rng.policy().edits;
    let mut tokens = tokens_of(text);
    for _ in 0..=rng.small(numbers.further) {
        // Some changes do not fit some texts (no brackets, no numbers); a few tries find one that does.
        for _ in 0..numbers.tries {
            if let Some(edit) = Change::ALL[rng.listed(&numbers.kinds)].edit(&tokens, material, rng) {
                edit.apply(&mut tokens);
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
        _ if !steps.is_empty() && (nestable.is_empty() || rng.chance(rng.policy().edits.deepen_path)) => {
            let step = rng.one(&steps).cloned().unwrap_or_default();
            edit::repeat_step(&mut tokens, &step, levels);
        }
        Some(span) if rng.bool() => {
            let part = name_before(&tokens, span.tokens.start)..span.tokens.end;
            let holes = holes_in(&span.tokens, &tokens, &spans);
            let hole = rng.one(&holes).cloned().unwrap_or(span.tokens.end - 1..span.tokens.end - 1);
            edit::pump(&mut tokens, &part, &hole, levels);
        }
        Some(span) => edit::wrap(&mut tokens, span, levels),
        None => edit::wrap_all(&mut tokens, *rng.one(&WRAPPINGS).unwrap_or(&WRAPPINGS[0]), levels),
    }
    text_of(&tokens)
}

/// The text with the part behind one of its tags or elements; `None` for a text without markup.
pub fn graft(text: &Text, part: &Text, rng: &mut Rng) -> Option<Text> {
    let mut tokens = tokens_of(text);
    let places = edit::places_in_markup(&spans_of(&tokens));
    let at = *rng.one(&places)?;
    Edit::Put { place: at..at, tokens: tokens_of(part) }.apply(&mut tokens);
    Some(text_of(&tokens))
}

/// The kinds of change.
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
    /// In the order of their weights in the policy.
    const ALL: [Change; 22] = [
        Change::DeletePart,
        Change::DoublePart,
        Change::SwapParts,
        Change::ReplacePart,
        Change::PutPhrase,
        Change::InsertPart,
        Change::EmptyPart,
        Change::NestPart,
        Change::RepeatPart,
        Change::Cut,
        Change::Unbalance,
        Change::DeleteToken,
        Change::DoubleToken,
        Change::InsertWord,
        Change::ReplaceWord,
        Change::ReplaceNumber,
        Change::OtherCase,
        Change::OtherSpace,
        Change::InsertUnit,
        Change::DeleteUnit,
        Change::ReplaceUnit,
        Change::Rescale,
    ];

    /// `None` if the change does not fit the text.
    fn edit(self, tokens: &[Token], material: Material<'_>, rng: &mut Rng) -> Option<Edit> {
        match self {
            Change::DeletePart => Some(delete(tokens, &part_of(tokens, rng)?, rng)),
            Change::DoublePart => double(tokens, rng),
            Change::SwapParts => swap(tokens, rng),
            Change::ReplacePart => borrow_part(tokens, material, rng, false),
            Change::PutPhrase => put_phrase(tokens, material, rng),
            Change::InsertPart => borrow_part(tokens, material, rng, true),
            Change::EmptyPart => Some(Edit::Empty { part: part_of(tokens, rng)? }),
            Change::NestPart => {
                let part = part_of(tokens, rng)?;
                Some(Edit::Nest { part, levels: *rng.one(&LEVELS)? })
            }
            Change::RepeatPart => {
                let part = part_of(tokens, rng)?;
                let times = *rng.one(&TIMES)?;
                let is_separated = separator_behind(tokens, &part.tokens).is_some_and(|_| rng.bool());
                Some(Edit::Repeat { part, times, is_separated })
            }
            Change::Cut => cut(tokens, rng),
            Change::Unbalance => token_of(tokens, rng, is_delimiter).map(Edit::remove),
            Change::DeleteToken => token_of(tokens, rng, |_| true).map(Edit::remove),
            Change::DoubleToken => {
                let at = token_of(tokens, rng, |_| true)?;
                Some(Edit::insert(at, tokens[at].clone()))
            }
            Change::InsertWord => {
                let word = rng.one(material.words).filter(|_| tokens.len() < MAX_TOKENS)?;
                Some(Edit::insert(rng.usize(..=tokens.len()), Token::plain(&word.0)))
            }
            Change::ReplaceWord => replace_word(tokens, material, rng),
            Change::ReplaceNumber => {
                let at = token_of(tokens, rng, |token| token.class == TokenClass::Number)?;
                Some(Edit::replace(at, plain(rng.one(NUMBERS)?)))
            }
            Change::OtherCase => {
                let at = token_of(tokens, rng, |token| token.class == TokenClass::Word)?;
                Some(Edit::replace(at, in_case(&tokens[at], rng.bool())))
            }
            Change::OtherSpace => {
                let at = token_of(tokens, rng, |token| token.class == TokenClass::Space)?;
                Some(Edit::replace(at, plain(rng.one(SPACES)?)))
            }
            Change::InsertUnit if tokens.len() >= MAX_TOKENS => None,
            Change::InsertUnit => {
                let at = rng.usize(..=tokens.len());
                Some(Edit::insert(at, Token::plain(&[*rng.one(BOUNDARY_UNITS)?])))
            }
            Change::DeleteUnit => {
                let (at, unit) = unit_of(tokens, rng)?;
                Some(Edit::replace(at, with_unit(&tokens[at], unit, None)))
            }
            Change::ReplaceUnit => {
                let (at, unit) = unit_of(tokens, rng)?;
                Some(Edit::replace(at, with_unit(&tokens[at], unit, Some(*rng.one(BOUNDARY_UNITS)?))))
            }
            Change::Rescale => {
                let at = token_of(tokens, rng, |token| token.class == TokenClass::Repeat)?;
                let times = *turns_near(&tokens[at]).get(rng.pick(&rng.policy().edits.turns))?;
                Some(Edit::Rescale { at, times })
            }
        }
    }
}

fn part_of(tokens: &[Token], rng: &mut Rng) -> Option<Span> {
    rng.one(&spans_of(tokens)).cloned()
}

fn token_of(tokens: &[Token], rng: &mut Rng, fits: impl Fn(&Token) -> bool) -> Option<usize> {
    let fitting: Vec<usize> = (0..tokens.len()).filter(|index| fits(&tokens[*index])).collect();
    rng.one(&fitting).copied()
}

/// A token, and one of its characters.
fn unit_of(tokens: &[Token], rng: &mut Rng) -> Option<(usize, usize)> {
    let at = token_of(tokens, rng, |token| token.class != TokenClass::Repeat && !token.units().is_empty())?;
    Some((at, rng.usize(..tokens[at].units().len())))
}

/// An item goes with its separator as often as not.
fn delete(tokens: &[Token], part: &Span, rng: &mut Rng) -> Edit {
    let has = |side: Beside| has_separator(tokens, &part.tokens, side);
    let separator = if rng.bool() && has(Beside::Behind) {
        Some(Beside::Behind)
    } else if rng.bool() && has(Beside::Before) {
        Some(Beside::Before)
    } else {
        None
    };
    Edit::Delete { part: part.tokens.clone(), separator }
}

/// A part twice, or the whole text: an item as two items, a line as two lines.
fn double(tokens: &[Token], rng: &mut Rng) -> Option<Edit> {
    let mut spans = spans_of(tokens);
    spans.push(whole(tokens));
    let part = rng.one(&spans).filter(|_| tokens.len() < MAX_TOKENS)?;
    let copy = tokens[part.tokens.clone()].to_vec();
    Some(put_behind(tokens, part, copy, rng))
}

fn put_behind(tokens: &[Token], part: &Span, copy: Vec<Token>, rng: &mut Rng) -> Edit {
    let separated = rng.policy().edits.separated;
    let is_separated = separator_of(tokens, part).is_some_and(|_| rng.chance(separated));
    Edit::PutBehind { part: part.clone(), tokens: copy, is_separated }
}

fn swap(tokens: &[Token], rng: &mut Rng) -> Option<Edit> {
    let spans = spans_of(tokens);
    let (a, b) = (rng.one(&spans)?, rng.one(&spans)?);
    let (first, second) = if a.tokens.start <= b.tokens.start { (a, b) } else { (b, a) };
    let are_apart = first.tokens.end <= second.tokens.start;
    are_apart.then(|| Edit::Swap { first: first.tokens.clone(), second: second.tokens.clone() })
}

/// Puts another part, of this text or of a donor, in the place of a part or behind it.
fn borrow_part(tokens: &[Token], material: Material<'_>, rng: &mut Rng, is_behind: bool) -> Option<Edit> {
    let spans = spans_of(tokens);
    let place = rng.one(&spans)?;
    let donor = rng.one(material.donors).filter(|_| rng.bool()).map(tokens_of);
    let source = donor.as_deref().unwrap_or(tokens);
    let parts = if donor.is_some() { spans_of(source) } else { spans.clone() };
    // Of the same sort as often as not: an item for an item, an element for an element.
    let alike: Vec<&Span> = parts.iter().filter(|part| same_sort(part.kind, place.kind)).collect();
    let any: Vec<&Span> = parts.iter().collect();
    let choice = if alike.is_empty() || rng.chance(rng.policy().edits.any_sort) { &any } else { &alike };
    let part = rng.one(choice)?;
    let copy = source[part.tokens.clone()].to_vec();
    if tokens.len() + copy.len() > MAX_TOKENS {
        return None;
    }
    Some(match is_behind {
        true => put_behind(tokens, place, copy, rng),
        false => Edit::Put { place: place.tokens.clone(), tokens: copy },
    })
}

fn same_sort(a: SpanKind, b: SpanKind) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

/// Puts a phrase in the place of a value or of a part, or between two tokens.
fn put_phrase(tokens: &[Token], material: Material<'_>, rng: &mut Rng) -> Option<Edit> {
    let phrase = rng.one(material.phrases).filter(|_| tokens.len() < MAX_TOKENS)?;
    let place: Range<usize> = match rng.pick(&rng.policy().edits.phrase) {
        0 => {
            let at = rng.usize(..=tokens.len());
            at..at
        }
        1 => rng.one(&spans_of(tokens)).map(|span| span.tokens.clone()).unwrap_or_default(),
        _ => rng.one(&values_of(tokens).collect::<Vec<_>>()).cloned().unwrap_or_default(),
    };
    Some(Edit::Put { place, tokens: tokens_of(&Text::from(phrase.clone())) })
}

fn cut(tokens: &[Token], rng: &mut Rng) -> Option<Edit> {
    if tokens.len() < 2 {
        return None;
    }
    let at = rng.usize(1..tokens.len());
    let keeps_beginning = rng.chance(rng.policy().edits.keep_beginning);
    Some(if keeps_beginning { Edit::KeepHead { end: at } } else { Edit::KeepTail { start: at } })
}

fn replace_word(tokens: &[Token], material: Material<'_>, rng: &mut Rng) -> Option<Edit> {
    let other = match rng.one(material.words) {
        Some(word) if rng.chance(rng.policy().edits.known_word) => word.0.clone(),
        // Another word of the same text: names that should agree, or should not.
        _ => {
            let words: Vec<&Token> = tokens.iter().filter(|token| is_value(token)).collect();
            rng.one(&words)?.units().to_vec()
        }
    };
    let at = token_of(tokens, rng, is_value)?;
    Some(Edit::replace(at, Token::plain(&other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::DrawDocument;
    use documents::{Kind, corpus};
    use proptest::prelude::{prop_assert, proptest};
    use recipe::JavaString;

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

    /// Whatever is drawn is in the list of all edits, so that whoever lists them misses nothing.
    #[test]
    fn what_is_drawn_can_be_listed() {
        let (words, phrases) = (words(), [JavaString::new("(SELECT 1)")]);
        let donors = [Text::plain("[1, <a b=\"c\"/>]")];
        let material = Material { words: &words, donors: &donors, phrases: &phrases };
        for text in ["f(a, [b], 'c')", "<a k=\"v\"><b/>t</a>", "x 1\ny", "{\"a\": -1}", "", "a"] {
            let text = Text::plain(text);
            let all = documents::edits(&text, material);
            let tokens = tokens_of(&text);
            let mut rng = Rng::with_seed(5);
            for _ in 0..2000 {
                let change = Change::ALL[rng.listed(&rng.policy().edits.kinds)];
                if let Some(edit) = change.edit(&tokens, material, &mut rng) {
                    assert!(all.contains(&edit), "{change:?}: {edit:?} of {text:?}");
                }
            }
        }
    }
}
