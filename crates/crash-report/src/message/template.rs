//! Message templates: constant text with holes, and the question "is this message an instance, and if so, what was in
//! the holes?".
//!
//! A template is what a throw site does to build its message (`"No param with index " + i + ". Number of params: " + n`).
//! Matching is exact: all ways to split the message are considered at once, so a hole counts as certain only when every
//! way gives it the same text. Where templates come from is not known here: those of the JVM and the JDK are in
//! [`super::known`], those of a program are read off its bytecode by who has it, and say of each hole which value it shows.

use std::ops::Range;

/// Constant parts and holes, in order. `A` is what is known of the value in a hole.
#[derive(Clone, Debug, PartialEq)]
pub struct Template<A = ()> {
    pub parts: Vec<Part<A>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part<A = ()> {
    Text(String),
    Hole(Hole<A>),
}

/// A value that the message shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Hole<A = ()> {
    pub kind: HoleKind,
    /// In source terms: `index`, `this.name`.
    pub subject: String,
    /// The value, if it could be followed.
    pub about: Option<A>,
}

/// What texts a hole can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HoleKind {
    /// Any text, also none.
    Text,
    /// Decimal digits with an optional minus sign.
    Int,
    /// Hexadecimal digits.
    Hex,
    /// As Java prints a `float` or `double`.
    Float,
    Bool,
    /// One UTF-16 unit, which for readable messages is one character.
    Char,
    /// At least one character and no white space: an enum constant, a key.
    Word,
    /// The name of a class, dotted or in internal form.
    Class,
    /// The name of a method or field: no dots.
    Name,
}

/// A message seen as an instance of a template: for each hole, in order, what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub holes: Vec<Filling>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filling {
    /// Bytes of the message.
    pub range: Range<usize>,
    /// Every way to split the message gives this hole the same text. Otherwise `range` is one possibility.
    pub certain: bool,
}

/// Up to this many bytes all ways to split a message are considered, which takes time in the square of the length.
const LONGEST_EXACT: usize = 1 << 12;

impl<A> Default for Template<A> {
    fn default() -> Self {
        Template { parts: Vec::new() }
    }
}

impl<A: Clone> Template<A> {
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Template { parts: if text.is_empty() { Vec::new() } else { vec![Part::Text(text)] } }
    }

    pub fn hole(hole: Hole<A>) -> Self {
        Template { parts: vec![Part::Hole(hole)] }
    }

    /// Appends, joining adjacent constant text.
    pub fn push(&mut self, part: Part<A>) {
        match (self.parts.last_mut(), part) {
            (_, Part::Text(text)) if text.is_empty() => {}
            (Some(Part::Text(last)), Part::Text(text)) => last.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    #[must_use]
    pub fn then(mut self, next: Template<A>) -> Self {
        for part in next.parts {
            self.push(part);
        }
        self
    }

    pub fn holes(&self) -> impl Iterator<Item = &Hole<A>> {
        self.parts.iter().filter_map(|part| if let Part::Hole(hole) = part { Some(hole) } else { None })
    }

    /// The text, if there are no holes.
    pub fn constant(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// How much of the template is constant: a template without any says nothing about a message.
    pub fn constant_length(&self) -> usize {
        self.parts.iter().map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum()
    }

    /// The template with a constant text in the place of the hole at this index of the parts; none if there is no hole for text.
    pub fn with_text(&self, index: usize, text: &str) -> Option<Template<A>> {
        let Part::Hole(Hole { kind: HoleKind::Text, .. }) = self.parts.get(index)? else { return None };
        let mut known = Template::default();
        for (position, part) in self.parts.iter().enumerate() {
            known.push(if position == index { Part::Text(text.to_owned()) } else { part.clone() });
        }
        Some(known)
    }

    /// Whether the message has the constant parts in this order: cheap, and false only if nothing put before and behind makes
    /// the message an instance. White space at the end may be lost.
    pub fn may_be_in(&self, message: &str) -> bool {
        let mut rest = message;
        let last = self.parts.len().saturating_sub(1);
        self.parts.iter().enumerate().all(|(index, part)| {
            let Part::Text(text) = part else { return true };
            let text = if index == last { text.trim_end() } else { text };
            let found = rest.find(text);
            rest = found.map_or("", |at| &rest[at + text.len()..]);
            found.is_some()
        })
    }

    /// Whether `message` is an instance, and what is in the holes. White space at the end does not count: logs lose it.
    pub fn matches(&self, message: &str) -> Option<Instance> {
        let message = message.trim_end();
        let plain = match self.parts.last() {
            Some(Part::Text(last)) if last.ends_with(char::is_whitespace) => self.trimmed().matches_trimmed(message),
            _ => self.matches_trimmed(message),
        };
        match (plain, self.matches_with_lost_end(message)) {
            (Some(mut plain), Some(other)) => {
                for (one, other) in plain.holes.iter_mut().zip(other.holes) {
                    one.certain &= other.certain && one.range == other.range;
                }
                Some(plain)
            }
            (plain, other) => plain.or(other),
        }
    }

    /// Holes at the end may have been empty, and then the white space before them is lost too.
    fn matches_with_lost_end(&self, message: &str) -> Option<Instance> {
        let mut lost = String::new();
        for part in self.parts.iter().rev() {
            let Part::Text(text) = part else { continue };
            lost.insert_str(0, &text[text.trim_end().len()..]);
            if !text.trim_end().is_empty() {
                break;
            }
        }
        if lost.is_empty() || !matches!(self.parts.last(), Some(Part::Hole(_))) {
            return None;
        }
        let mut instance = self.matches_trimmed(&format!("{message}{lost}"))?;
        for hole in &mut instance.holes {
            hole.range = hole.range.start.min(message.len())..hole.range.end.min(message.len());
        }
        Some(instance)
    }

    fn matches_trimmed(&self, message: &str) -> Option<Instance> {
        if message.len() > LONGEST_EXACT {
            return self.matches_once(message);
        }
        Some(Splits::of(&self.parts, message)?.instance())
    }

    /// Without white space at the end.
    fn trimmed(&self) -> Template<A> {
        let mut parts = self.parts.clone();
        if let Some(Part::Text(last)) = parts.pop() {
            let mut template = Template { parts };
            template.push(Part::Text(last.trim_end().to_owned()));
            return template;
        }
        self.clone()
    }

    /// For oversized messages: one split, each hole as short as the constant text behind it allows. Kinds are not looked
    /// at and nothing is certain.
    fn matches_once(&self, message: &str) -> Option<Instance> {
        let mut holes = Vec::new();
        let mut at = 0;
        let mut open = None;
        for (index, part) in self.parts.iter().enumerate() {
            let Part::Text(text) = part else {
                holes.extend(open.map(|start| Filling { range: start..at, certain: false }));
                open = Some(at);
                continue;
            };
            let rest = &message[at..];
            let is_last = index + 1 == self.parts.len();
            let found = match open {
                None => rest.starts_with(text.as_str()).then_some(0),
                Some(_) if is_last => rest.ends_with(text.as_str()).then(|| rest.len() - text.len()),
                Some(_) => rest.find(text.as_str()),
            }?;
            holes.extend(open.take().map(|start| Filling { range: start..at + found, certain: false }));
            at += found + text.len();
        }
        match open {
            Some(start) => holes.push(Filling { range: start..message.len(), certain: false }),
            None if at != message.len() => return None,
            None => {}
        }
        Some(Instance { holes })
    }
}

/// Whether a produced message is an instance of the template.
pub fn template_matches<A: Clone>(template: &Template<A>, message: &str) -> bool {
    template.matches(message).is_some()
}

/// For each boundary between parts, the positions in the message where it can lie on some complete split.
struct Splits<'a, A> {
    parts: &'a [Part<A>],
    boundaries: Vec<Vec<usize>>,
    message: &'a str,
}

impl<'a, A> Splits<'a, A> {
    fn of(parts: &'a [Part<A>], message: &'a str) -> Option<Self> {
        let mut forward: Vec<Vec<usize>> = vec![vec![0]];
        for part in parts {
            let from = forward.last().map_or(&[][..], Vec::as_slice);
            let to = ends(part, message, from);
            if to.is_empty() {
                return None;
            }
            forward.push(to);
        }
        let last = forward.last_mut()?;
        last.retain(|end| *end == message.len());
        if last.is_empty() {
            return None;
        }
        for index in (0..parts.len()).rev() {
            let next = forward[index + 1].clone();
            forward[index].retain(|start| reaches(&parts[index], message, *start, &next));
        }
        Some(Splits { parts, boundaries: forward, message })
    }

    /// The first split, hole by hole the shortest, with what is certain marked.
    fn instance(&self) -> Instance {
        let mut holes = Vec::new();
        let mut at = 0;
        for (index, part) in self.parts.iter().enumerate() {
            let next = &self.boundaries[index + 1];
            let end = next.iter().copied().find(|end| accepts(part, self.message, at..*end)).unwrap_or(at);
            if matches!(part, Part::Hole(_)) {
                let certain = self.boundaries[index].len() == 1 && next.len() == 1;
                holes.push(Filling { range: at..end, certain });
            }
            at = end;
        }
        Instance { holes }
    }
}

/// Where `part` can end if it starts at one of `from` (ascending); the result is ascending.
fn ends<A>(part: &Part<A>, message: &str, from: &[usize]) -> Vec<usize> {
    let hole = match part {
        Part::Text(text) => {
            let starts = from.iter().filter(|start| message[**start..].starts_with(text.as_str()));
            return starts.map(|start| start + text.len()).collect();
        }
        Part::Hole(hole) => hole,
    };
    let mut all = Vec::new();
    // Two starts inside one run of characters share their ends, so each end is visited once.
    let mut next = 0;
    for start in from {
        let span = span(hole.kind, message, *start);
        let fresh = span.start.max(next)..span.end;
        all.extend(fresh.filter(|end| is_end(hole.kind, message, *start, *end)));
        next = next.max(span.end);
    }
    all
}

/// Whether `part` started at `start` can end at one of `ends` (ascending).
fn reaches<A>(part: &Part<A>, message: &str, start: usize, ends: &[usize]) -> bool {
    match part {
        Part::Text(text) => {
            message[start..].starts_with(text.as_str()) && ends.binary_search(&(start + text.len())).is_ok()
        }
        Part::Hole(hole) => {
            let span = span(hole.kind, message, start);
            let first = ends.partition_point(|end| *end < span.start);
            ends[first..].iter().take_while(|end| **end < span.end).any(|end| is_end(hole.kind, message, start, *end))
        }
    }
}

fn accepts<A>(part: &Part<A>, message: &str, range: Range<usize>) -> bool {
    range.start <= range.end && reaches(part, message, range.start, &[range.end])
}

/// The range in which all ends lie of texts of this kind that start at `start`; empty if there are none.
fn span(kind: HoleKind, message: &str, start: usize) -> Range<usize> {
    let rest = &message[start..];
    let run = |skip: usize, belongs: fn(char) -> bool| {
        let length = rest[skip..].find(|c| !belongs(c)).unwrap_or(rest.len() - skip);
        start + skip + 1..start + skip + length + 1
    };
    let exactly = |length: Option<usize>| length.map_or(0..0, |length| start + length..start + length + 1);
    match kind {
        HoleKind::Text => start..message.len() + 1,
        HoleKind::Int => run(usize::from(rest.starts_with('-')), |c| c.is_ascii_digit()),
        HoleKind::Hex => run(0, |c| c.is_ascii_hexdigit()),
        HoleKind::Word => run(0, |c| !c.is_whitespace()),
        HoleKind::Name => run(0, |c| c.is_alphanumeric() || "_$-".contains(c)),
        HoleKind::Class => run(0, |c| c.is_alphanumeric() || "._$/-;[]+".contains(c)),
        HoleKind::Char => exactly(rest.chars().next().map(char::len_utf8)),
        HoleKind::Bool => {
            exactly(["true", "false"].iter().find(|word| rest.starts_with(**word)).map(|word| word.len()))
        }
        HoleKind::Float => float_ends(rest).last().map_or(0..0, |longest| start + 1..start + longest + 1),
    }
}

/// Whether a position inside the span is an end.
fn is_end(kind: HoleKind, message: &str, start: usize, end: usize) -> bool {
    message.is_char_boundary(end) && (kind != HoleKind::Float || float_ends(&message[start..]).contains(&(end - start)))
}

/// `-?digits.digits(E-?digits)?`, `NaN`, `Infinity`.
fn float_ends(rest: &str) -> Vec<usize> {
    let unsigned = rest.strip_prefix('-').unwrap_or(rest);
    let sign = rest.len() - unsigned.len();
    if let Some(word) = ["NaN", "Infinity"].iter().find(|word| unsigned.starts_with(**word)) {
        return vec![sign + word.len()];
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    if whole == 0 || unsigned.as_bytes().get(whole) != Some(&b'.') {
        return Vec::new();
    }
    let fraction_at = whole + 1;
    let fraction = digits(&unsigned[fraction_at..]);
    let mut ends: Vec<usize> = (1..=fraction).map(|count| sign + fraction_at + count).collect();
    let behind = &unsigned[fraction_at + fraction..];
    if fraction > 0 && behind.starts_with('E') {
        let exponent_sign = usize::from(behind[1..].starts_with('-'));
        let exponent = digits(&behind[1 + exponent_sign..]);
        ends.extend((1..=exponent).map(|count| sign + fraction_at + fraction + 1 + exponent_sign + count));
    }
    ends
}

/// For people: holes in braces.
impl<A> std::fmt::Display for Template<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Hole(hole) => write!(f, "{{{}}}", hole.subject)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hole(kind: HoleKind) -> Part {
        Part::Hole(Hole { kind, subject: "x".into(), about: None })
    }

    fn template(parts: &[Part]) -> Template {
        let mut whole = Template::default();
        parts.iter().cloned().for_each(|part| whole.push(part));
        whole
    }

    fn text(text: &str) -> Part {
        Part::Text(text.into())
    }

    #[track_caller]
    fn check(parts: &[Part], message: &str, expected: Option<&[(&str, bool)]>) {
        let found = template(parts).matches(message);
        let found = found.as_ref().map(|instance| {
            instance.holes.iter().map(|hole| (&message[hole.range.clone()], hole.certain)).collect::<Vec<_>>()
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn holes_are_found() {
        let bounds = [text("Index "), hole(HoleKind::Int), text(" out of bounds for length "), hole(HoleKind::Int)];
        check(&bounds, "Index -5 out of bounds for length 3", Some(&[("-5", true), ("3", true)]));
        check(&bounds, "Index five out of bounds for length 3", None);
        check(&bounds, "Index 5 out of bounds for length 3.", None);
        check(&[text("a")], "a", Some(&[]));
        check(&[], "", Some(&[]));
        check(&[], "a", None);
        check(&[text("a. ")], "a.", Some(&[]));
        check(&[text("a: "), hole(HoleKind::Text)], "a:", Some(&[("", true)]));
        check(&[hole(HoleKind::Text), text(" "), hole(HoleKind::Text)], "a b", Some(&[("a", false), ("b", false)]));
        check(&[text("a: "), hole(HoleKind::Text), text(" \n")], "a: b", Some(&[("b", true)]));
    }

    #[test]
    fn what_is_open_is_said() {
        let pair = [hole(HoleKind::Text), text(": "), hole(HoleKind::Text)];
        check(&pair, "a: b", Some(&[("a", true), ("b", true)]));
        check(&pair, "a: b: c", Some(&[("a", false), ("b: c", false)]));
        check(&[hole(HoleKind::Int), hole(HoleKind::Int)], "123", Some(&[("1", false), ("23", false)]));
        check(&[hole(HoleKind::Text), hole(HoleKind::Int)], "n7", Some(&[("n", true), ("7", true)]));
    }

    #[test]
    fn kinds_hold_only_their_texts() {
        for (kind, good, bad) in [
            (HoleKind::Int, &["0", "-12"][..], &["", "-", "1.5", "+3"][..]),
            (HoleKind::Float, &["1.0", "-0.5E-7", "NaN", "-Infinity", "1.0E10"], &["1", ".5", "1.", "1.0E"]),
            (HoleKind::Bool, &["true", "false"], &["True", ""]),
            (HoleKind::Char, &["x", "ß"], &["", "xy"]),
            (HoleKind::Word, &["a.B$C"], &["", "a b"]),
            (HoleKind::Hex, &["7fA"], &["", "g"]),
        ] {
            let whole = template(&[hole(kind)]);
            for message in good {
                assert!(whole.matches(message).is_some(), "{kind:?} {message:?}");
            }
            for message in bad {
                assert!(whole.matches(message).is_none(), "{kind:?} {message:?}");
            }
        }
    }

    #[test]
    fn oversized_messages_are_still_matched() {
        let long = "x".repeat(LONGEST_EXACT * 2);
        let open = template(&[text("a "), hole(HoleKind::Text)]);
        let message = format!("a {long}");
        let instance = open.matches(&message).expect("the hole takes all");
        assert_eq!(instance.holes[0].range, 2..message.len());
        let closed = template(&[text("a "), hole(HoleKind::Text), text(" b")]);
        assert!(closed.matches(&format!("a {long} b")).is_some());
        assert!(closed.matches(&format!("a {long} c")).is_none());
    }

    fn kind_and_text() -> impl Strategy<Value = (HoleKind, String)> {
        prop_oneof![
            any::<i64>().prop_map(|value| (HoleKind::Int, value.to_string())),
            any::<bool>().prop_map(|value| (HoleKind::Bool, value.to_string())),
            "[a-z.é]{1,12}".prop_map(|value| (HoleKind::Word, value)),
            "[a-zA-Z ß:,]{0,20}".prop_map(|value| (HoleKind::Text, value)),
        ]
    }

    proptest! {
        /// An instance always matches, and what is called certain is what was put in.
        #[test]
        fn certain_holes_hold_what_was_put_in(pieces in prop::collection::vec(("[a-z: ]{0,6}", kind_and_text()), 0..6)) {
            let mut whole = Template::default();
            let mut message = String::new();
            let mut fillings = Vec::new();
            for (constant, (kind, filling)) in pieces {
                whole.push(text(&constant));
                whole.push(hole(kind));
                message.push_str(&constant);
                fillings.push(message.len()..message.len() + filling.len());
                message.push_str(&filling);
            }
            let instance = whole.matches(&message).expect("it was made from the template");
            let end = message.trim_end().len();
            for (found, put) in instance.holes.iter().zip(&fillings) {
                let seen = put.start.min(end)..put.end.min(end);
                prop_assert!(!found.certain || found.range == seen, "{whole} {message:?}");
            }
        }

        /// With separators that no filling contains, every hole is certain.
        #[test]
        fn separable_holes_are_certain(fillings in prop::collection::vec("[a-zA-Z ß:,]{0,20}[a-z]", 1..6)) {
            let mut whole = Template::default();
            for index in 0..fillings.len() {
                whole.push(text(&format!("<{index}>")));
                whole.push(hole(HoleKind::Text));
            }
            let message: String = fillings.iter().enumerate().map(|(index, filling)| format!("<{index}>{filling}")).collect();
            let instance = whole.matches(&message).expect("it was made from the template");
            let found: Vec<&str> = instance.holes.iter().map(|hole| &message[hole.range.clone()]).collect();
            prop_assert_eq!(found, fillings.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert!(instance.holes.iter().all(|hole| hole.certain));
        }
    }
}
