//! The structure that most notations share: tokens, brackets, markup elements, quotes, items of a list, lines. Found without
//! knowing the notation, and without failing on text that has none of it.

use recipe::{JavaString, Text, TextPiece};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub piece: TextPiece,
    pub class: TokenClass,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    Word,
    Number,
    Space,
    LineEnd,
    Symbol(u16),
    /// A repetition of the text, kept whole.
    Repeat,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub tokens: Range<usize>,
    pub kind: SpanKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// From the opening to the closing bracket.
    Bracket,
    /// `<a ..>..</a>`: how many tokens its start tag and its end tag have.
    Element {
        start: usize,
        end: usize,
    },
    /// A start, end or empty tag.
    Tag,
    Quoted,
    /// A part between commas or semicolons inside brackets, without them.
    Item,
    Line,
}

impl Token {
    pub fn plain(text: &[u16]) -> Token {
        let class = text.first().map_or(TokenClass::Space, |unit| class_of(*unit));
        Token { piece: TextPiece::Plain(JavaString(text.to_vec())), class }
    }

    /// The text of a plain token; for a repetition, of one turn.
    pub fn units(&self) -> &[u16] {
        match &self.piece {
            TextPiece::Plain(text) | TextPiece::Repeat(text, _) => &text.0,
        }
    }

    fn is_symbol(&self, symbol: char) -> bool {
        self.class == TokenClass::Symbol(symbol as u16)
    }
}

pub fn tokens_of(text: &Text) -> Vec<Token> {
    let mut tokens = Vec::new();
    for piece in &text.pieces {
        match piece {
            TextPiece::Plain(plain) => split(&plain.0, &mut tokens),
            TextPiece::Repeat(..) => tokens.push(Token { piece: piece.clone(), class: TokenClass::Repeat }),
        }
    }
    tokens
}

/// The text of the tokens, with neighbouring plain pieces joined and empty ones left out.
pub fn text_of(tokens: &[Token]) -> Text {
    let mut pieces: Vec<TextPiece> = Vec::new();
    for token in tokens {
        match (&token.piece, pieces.last_mut()) {
            (TextPiece::Plain(text), Some(TextPiece::Plain(last))) => last.0.extend_from_slice(&text.0),
            (TextPiece::Plain(text) | TextPiece::Repeat(text, _), _) if text.0.is_empty() => {}
            (TextPiece::Repeat(_, 0), _) => {}
            (piece, _) => pieces.push(piece.clone()),
        }
    }
    Text { pieces }
}

fn split(units: &[u16], tokens: &mut Vec<Token>) {
    let mut start = 0;
    while start < units.len() {
        let class = class_of(units[start]);
        let end = match class {
            // Brackets and other symbols stand alone; words, numbers and spaces run on.
            TokenClass::Symbol(_) | TokenClass::LineEnd | TokenClass::Repeat => start + 1,
            TokenClass::Word => run_end(units, start, |c| matches!(c, TokenClass::Word | TokenClass::Number)),
            TokenClass::Number | TokenClass::Space => run_end(units, start, |c| c == class),
        };
        tokens.push(Token { piece: TextPiece::Plain(JavaString(units[start..end].to_vec())), class });
        start = end;
    }
}

fn run_end(units: &[u16], start: usize, goes_on: impl Fn(TokenClass) -> bool) -> usize {
    units[start..].iter().position(|unit| !goes_on(class_of(*unit))).map_or(units.len(), |length| start + length)
}

fn class_of(unit: u16) -> TokenClass {
    match char::from_u32(unit.into()) {
        Some('\n' | '\r') => TokenClass::LineEnd,
        Some(c) if c.is_whitespace() => TokenClass::Space,
        Some(c) if c.is_ascii_digit() => TokenClass::Number,
        Some(c) if c.is_alphanumeric() || c == '_' || c == '$' => TokenClass::Word,
        // Half of a surrogate pair: part of a letter or an emoji.
        None => TokenClass::Word,
        Some(_) => TokenClass::Symbol(unit),
    }
}

/// All spans, in the order of their starts. Unbalanced brackets and tags have none.
pub fn spans_of(tokens: &[Token]) -> Vec<Span> {
    let mut spans = brackets(tokens);
    spans.extend(markup(tokens));
    spans.extend(quoted(tokens));
    spans.extend(lines(tokens));
    spans.sort_by_key(|span| (span.tokens.start, span.tokens.end));
    spans.dedup_by(|a, b| a.tokens == b.tokens);
    spans
}

pub fn closing_of(open: u16) -> Option<u16> {
    match char::from_u32(open.into())? {
        '(' => Some(b')'.into()),
        '[' => Some(b']'.into()),
        '{' => Some(b'}'.into()),
        _ => None,
    }
}

/// Balanced brackets, then the items inside each. Nests are thousands deep where a stack is to overflow, so each token is looked at
/// once, not once for every bracket around it.
fn brackets(tokens: &[Token]) -> Vec<Span> {
    let (mut spans, mut items) = (Vec::new(), Vec::new());
    let mut nest = Nest::default();
    for (index, token) in tokens.iter().enumerate() {
        let TokenClass::Symbol(symbol) = token.class else { continue };
        if let Some(closing) = closing_of(symbol) {
            nest.open(index, closing);
        } else if [')', ']', '}'].iter().any(|bracket| *bracket as u16 == symbol) {
            if let Some(closed) = nest.close(symbol) {
                spans.push(Span { tokens: closed.at..index + 1, kind: SpanKind::Bracket });
                items.extend(closed.items_until(index));
            }
        } else if symbol == b','.into() || symbol == b';'.into() {
            nest.separate(index);
        }
    }
    spans.extend(items);
    spans
}

/// The brackets that are open. Each counts how deep the text inside it is nested, and a closing bracket that belongs to none lowers
/// all these depths as well: then a comma separates items of several.
#[derive(Default)]
struct Nest {
    open: Vec<Open>,
    /// As the innermost counts.
    depth: usize,
}

struct Open {
    at: usize,
    closing: u16,
    /// What the next one outwards counts more than this one.
    more_outside: usize,
    /// Where the present item starts.
    item: usize,
    items: Vec<Span>,
}

impl Nest {
    fn open(&mut self, at: usize, closing: u16) {
        let more_outside = std::mem::take(&mut self.depth) + 1;
        self.open.push(Open { at, closing, more_outside, item: at + 1, items: Vec::new() });
    }

    /// The innermost, if it is what the bracket closes.
    fn close(&mut self, symbol: u16) -> Option<Open> {
        let closed = self.open.pop_if(|open| open.closing == symbol);
        self.depth += closed.as_ref().map_or(0, |closed| closed.more_outside);
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            // Who counts none stays there, all further out come nearer.
            None => {
                let further = self.open.iter_mut().rev().find(|open| open.more_outside > 0);
                further.into_iter().for_each(|open| open.more_outside -= 1);
            }
        }
        closed
    }

    fn separate(&mut self, at: usize) {
        if self.depth > 0 {
            return;
        }
        for open in self.open.iter_mut().rev() {
            open.end_item(at);
            if open.more_outside > 0 {
                break;
            }
        }
    }
}

impl Open {
    fn end_item(&mut self, at: usize) {
        if self.item < at {
            self.items.push(Span { tokens: self.item..at, kind: SpanKind::Item });
        }
        self.item = at + 1;
    }

    fn items_until(mut self, end: usize) -> Vec<Span> {
        self.end_item(end);
        self.items
    }
}

/// What separates a part of a list from one behind it: the comma or semicolon beside it, or a comma if it is alone in its
/// brackets; `None` for what is no part of a list.
pub fn separator_behind(tokens: &[Token], part: &Range<usize>) -> Option<Token> {
    let is_space = |token: &&Token| matches!(token.class, TokenClass::Space | TokenClass::LineEnd);
    let before = tokens[..part.start].iter().rev().find(|token| !is_space(token))?;
    let after = tokens[part.end..].iter().find(|token| !is_space(token))?;
    let is_separator = |token: &Token| token.is_symbol(',') || token.is_symbol(';');
    let opens = matches!(before.class, TokenClass::Symbol(symbol) if closing_of(symbol).is_some());
    let closes = [')', ']', '}'].iter().any(|bracket| after.is_symbol(*bracket));
    if !(opens || is_separator(before)) || !(closes || is_separator(after)) {
        return None;
    }
    let beside = [after, before].into_iter().find(|token| is_separator(token));
    Some(beside.cloned().unwrap_or_else(|| Token::plain(&[b','.into()])))
}

fn markup(tokens: &[Token]) -> Vec<Span> {
    let mut open: Vec<(Range<usize>, &[u16])> = Vec::new();
    let mut spans = Vec::new();
    let mut index = 0;
    // Of the first bracket that closes a tag from there on.
    let mut closing = 0;
    while index < tokens.len() {
        closing = closing.max(index);
        closing += tokens[closing..].iter().take_while(|token| !token.is_symbol('>')).count();
        let Some(tag) = tag_at(tokens, index, closing) else {
            index += 1;
            continue;
        };
        index = tag.tokens.end;
        spans.push(Span { tokens: tag.tokens.clone(), kind: SpanKind::Tag });
        match tag.kind {
            TagKind::Start => open.push((tag.tokens, tag.name)),
            TagKind::Empty => {}
            TagKind::End => {
                let Some(matching) = open.iter().rposition(|(_, name)| *name == tag.name) else { continue };
                let start = open[matching].0.clone();
                open.truncate(matching);
                let kind = SpanKind::Element { start: start.len(), end: tag.tokens.len() };
                spans.push(Span { tokens: start.start..tag.tokens.end, kind });
            }
        }
    }
    spans
}

struct Tag<'a> {
    tokens: Range<usize>,
    name: &'a [u16],
    kind: TagKind,
}

enum TagKind {
    Start,
    End,
    Empty,
}

fn tag_at(tokens: &[Token], at: usize, closing: usize) -> Option<Tag<'_>> {
    if !tokens[at].is_symbol('<') {
        return None;
    }
    let is_end = tokens.get(at + 1)?.is_symbol('/');
    let name = tokens.get(at + 1 + usize::from(is_end)).filter(|token| token.class == TokenClass::Word)?.units();
    if closing == tokens.len() {
        return None;
    }
    let kind = match is_end {
        true => TagKind::End,
        false if tokens[closing - 1].is_symbol('/') => TagKind::Empty,
        false => TagKind::Start,
    };
    Some(Tag { tokens: at..closing + 1, name, kind })
}

fn quoted(tokens: &[Token]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        if !['"', '\'', '`'].iter().any(|quote| tokens[index].is_symbol(*quote)) {
            index += 1;
            continue;
        }
        let rest = &tokens[index + 1..];
        let length =
            rest.iter().position(|token| token.class == tokens[index].class || token.class == TokenClass::LineEnd);
        match length {
            Some(length) if rest[length].class == tokens[index].class => {
                spans.push(Span { tokens: index..index + length + 2, kind: SpanKind::Quoted });
                index += length + 2;
            }
            _ => index += 1,
        }
    }
    spans
}

fn lines(tokens: &[Token]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.class == TokenClass::LineEnd {
            spans.push(Span { tokens: start..index + 1, kind: SpanKind::Line });
            start = index + 1;
        }
    }
    if start > 0 && start < tokens.len() {
        spans.push(Span { tokens: start..tokens.len(), kind: SpanKind::Line });
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Vec<String> {
        let tokens = tokens_of(&Text::plain(text));
        let found = spans_of(&tokens);
        found
            .iter()
            .map(|span| format!("{:?} {}", span.kind, text_of(&tokens[span.tokens.clone()]).expanded().to_lossy()))
            .collect()
    }

    #[test]
    fn spans_of_common_notations() {
        let cases = ["f(a, [b], 'c')", "<a k=\"v\"><b/>t</a>", "x\ny", "(]", ""];
        insta::assert_snapshot!(cases.map(|case| format!("{case:?}: {:?}", spans(case))).join("\n"), @r#"
        "f(a, [b], 'c')": ["Bracket (a, [b], 'c')", "Item a", "Item  [b]", "Bracket [b]", "Item b", "Item  'c'", "Quoted 'c'"]
        "<a k=\"v\"><b/>t</a>": ["Tag <a k=\"v\">", "Element { start: 9, end: 4 } <a k=\"v\"><b/>t</a>", "Quoted \"v\"", "Tag <b/>", "Tag </a>"]
        "x\ny": ["Line x\n", "Line y"]
        "(]": []
        "": []
        "#);
    }

    /// Items as they are defined: each bracket by itself counts how deep the text inside it is.
    fn items_in(tokens: &[Token], bracket: &Span) -> Vec<Range<usize>> {
        let inside = bracket.tokens.start + 1..bracket.tokens.end - 1;
        let (mut depth, mut start, mut items) = (0usize, inside.start, Vec::new());
        for index in inside.clone() {
            match tokens[index].class {
                TokenClass::Symbol(symbol) if closing_of(symbol).is_some() => depth += 1,
                TokenClass::Symbol(symbol) if [')', ']'].iter().any(|c| *c as u16 == symbol) => {
                    depth = depth.saturating_sub(1);
                }
                TokenClass::Symbol(symbol) if depth == 0 && symbol == b','.into() => {
                    items.push(start..index);
                    start = index + 1;
                }
                _ => {}
            }
        }
        items.push(start..inside.end);
        items.retain(|item| !item.is_empty());
        items
    }

    /// All short texts of brackets, balanced or not, and commas.
    #[test]
    fn items_are_those_of_each_bracket_by_itself() {
        const LETTERS: [char; 6] = ['(', ')', '[', ']', ',', 'a'];
        for length in 0..=7u32 {
            for number in 0..LETTERS.len().pow(length) {
                let letter = |place: u32| LETTERS[number / LETTERS.len().pow(place) % LETTERS.len()];
                let text: String = (0..length).map(letter).collect();
                let tokens = tokens_of(&Text::plain(&text));
                let of_kind = |kind: SpanKind| move |span: &&Span| span.kind == kind;
                let found = brackets(&tokens);
                let around = found.iter().filter(of_kind(SpanKind::Bracket));
                let expected: Vec<Range<usize>> = around.flat_map(|span| items_in(&tokens, span)).collect();
                let items: Vec<Range<usize>> =
                    found.iter().filter(of_kind(SpanKind::Item)).map(|span| span.tokens.clone()).collect();
                assert_eq!(items, expected, "{text}");
            }
        }
    }

    #[test]
    fn tokens_keep_the_text() {
        for document in crate::corpus() {
            let text = Text::plain(document.text);
            assert_eq!(text_of(&tokens_of(&text)), text);
        }
    }
}
