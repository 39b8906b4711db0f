//! Grammars of notations: where a corpus holds some dozens of samples, a grammar holds every way in which the parts of a notation go
//! together, and the crash often is in one that nobody would have written down.
//!
//! A grammar is a list of lines `name = what it may be`. Names of other rules stand in backquotes; `\n` is a line end, `\s` a space
//! where a line begins or ends with one, `\\` a backslash. The first rule is the whole document. Few different names occur in a
//! grammar, so that what is used in one place was often declared in another. Words in brackets behind the name are what classes
//! and methods that deal with this may be called beside the words of the line itself; see [`GrammarBias`].
//!
//! A grammar only says what there is: [`Grammar::derivations`] lists texts, and whoever wants one by choice walks the rules.

use crate::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// The rules of one notation.
#[derive(Debug)]
pub struct Grammar {
    rules: Vec<Rule>,
    names: FxHashMap<String, usize>,
}

#[derive(Debug, Default)]
pub struct Rule {
    pub alternatives: Vec<Alternative>,
    pub leaf: Option<Leaf>,
    /// Levels of rules that the shallowest derivation has.
    pub height: u32,
}

/// What a rule without others below it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    Name,
    Literal,
}

#[derive(Debug)]
pub struct Alternative {
    pub pieces: Vec<Piece>,
    pub height: u32,
    /// What it is about, in lower case.
    words: Vec<String>,
}

#[derive(Debug)]
pub enum Piece {
    Text(String),
    Rule(usize),
}

/// Which ways through the grammars are gone more often: those that the names of the trace speak of. A parser's frames name the
/// parts of its notation that the crash was in.
#[derive(Clone, Debug, Default)]
pub struct GrammarBias {
    /// For each kind, how many of its words each alternative of a rule has in common with the trace; only for rules where one has.
    spoken_of: FxHashMap<Kind, FxHashMap<usize, Vec<usize>>>,
    /// What the message names and states: in the place of names, and of literals as they are written.
    names: Vec<String>,
    literals: Vec<String>,
}

impl GrammarBias {
    pub fn towards(words: &FxHashSet<String>) -> GrammarBias {
        let of_kind = |(kind, _): &(Kind, &str)| {
            let grammar = kind.grammar()?;
            let counts = grammar.rules.iter().map(|rule| rule.spoken_of(words)).enumerate();
            Some((*kind, counts.filter(|(_, counts)| counts.iter().any(|count| *count > 0)).collect()))
        };
        GrammarBias { spoken_of: SOURCES.iter().filter_map(of_kind).collect(), ..GrammarBias::default() }
    }

    /// A word or number of the message.
    pub fn add_stated(&mut self, text: &str) {
        let is_number = text.parse::<f64>().is_ok();
        let all = match () {
            () if is_number => &mut self.literals,
            () if is_name(text) => &mut self.names,
            () => return,
        };
        if all.len() < MOST_STATED && !all.iter().any(|other| other == text) {
            all.push(text.to_owned());
        }
    }

    /// Whether any word speaks of something in the notation.
    pub fn knows(&self, kind: Kind) -> bool {
        self.spoken_of.get(&kind).is_some_and(|rules| !rules.is_empty())
    }

    /// How many words of the trace speak of each alternative of the rule; `None` if none speaks of any.
    pub fn spoken_of(&self, kind: Kind, rule: usize) -> Option<&[usize]> {
        self.spoken_of.get(&kind)?.get(&rule).map(Vec::as_slice)
    }

    /// Names that the message states.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Literals that the message states.
    pub fn literals(&self) -> &[String] {
        &self.literals
    }
}

/// Words of a message that says much.
const MOST_STATED: usize = 12;
/// Words in common with the trace that count for one alternative.
const MOST_COMMON: usize = 2;

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Rule {
    fn as_leaf(&self) -> Option<Leaf> {
        let mut texts = Vec::new();
        for alternative in &self.alternatives {
            match alternative.pieces.as_slice() {
                [Piece::Text(text)] => texts.push(text.as_str()),
                _ => return None,
            }
        }
        let has_number = texts.iter().any(|text| text.parse::<f64>().is_ok());
        let has_lower_case =
            |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric()) && text.chars().any(char::is_lowercase);
        match () {
            () if has_number => Some(Leaf::Literal),
            // Keywords of a notation are written in capitals, or there are signs among them.
            () if texts.len() > 1 && texts.iter().all(has_lower_case) => Some(Leaf::Name),
            () => None,
        }
    }

    /// How many of the words speak of each alternative. Words that many alternatives have tell nothing.
    fn spoken_of(&self, words: &FxHashSet<String>) -> Vec<usize> {
        const OFTEN: usize = 3;
        let all = &self.alternatives;
        let has = |word: &String| all.iter().filter(|alternative| alternative.words.contains(word)).count();
        let telling = |word: &&String| words.contains(*word) && (all.len() <= OFTEN || has(word) * OFTEN <= all.len());
        let common = |alternative: &Alternative| alternative.words.iter().filter(telling).count().min(MOST_COMMON);
        all.iter().map(common).collect()
    }
}

impl Kind {
    /// The grammar of the notation, if it has one.
    pub fn grammar(self) -> Option<&'static Grammar> {
        static GRAMMARS: LazyLock<FxHashMap<Kind, Grammar>> =
            LazyLock::new(|| SOURCES.iter().map(|(kind, source)| (*kind, Grammar::read(source))).collect());
        GRAMMARS.get(&self)
    }
}

const SOURCES: [(Kind, &str); 19] = [
    (Kind::Css, include_str!("../corpus/grammar/css.txt")),
    (Kind::Expression, include_str!("../corpus/grammar/expression.txt")),
    (Kind::Geometry, include_str!("../corpus/grammar/geometry.txt")),
    (Kind::Graph, include_str!("../corpus/grammar/graph.txt")),
    (Kind::Html, include_str!("../corpus/grammar/html.txt")),
    (Kind::Java, include_str!("../corpus/grammar/java.txt")),
    (Kind::Json, include_str!("../corpus/grammar/json.txt")),
    (Kind::Markdown, include_str!("../corpus/grammar/markdown.txt")),
    (Kind::Measure, include_str!("../corpus/grammar/measure.txt")),
    (Kind::Path, include_str!("../corpus/grammar/path.txt")),
    (Kind::Query, include_str!("../corpus/grammar/query.txt")),
    (Kind::Regex, include_str!("../corpus/grammar/regex.txt")),
    (Kind::Schema, include_str!("../corpus/grammar/schema.txt")),
    (Kind::Script, include_str!("../corpus/grammar/script.txt")),
    (Kind::Sql, include_str!("../corpus/grammar/sql.txt")),
    // Its own rules first, then what stands in the tags and the forms that expressions alone are written in as well.
    (
        Kind::Template,
        concat!(include_str!("../corpus/grammar/template.txt"), include_str!("../corpus/grammar/expression.txt")),
    ),
    (Kind::Version, include_str!("../corpus/grammar/version.txt")),
    (Kind::Xml, include_str!("../corpus/grammar/xml.txt")),
    (Kind::Yaml, include_str!("../corpus/grammar/yaml.txt")),
];

impl Grammar {
    /// A name that no rule has stands for nothing; the grammars are ours, and a test looks for such names.
    fn read(source: &str) -> Grammar {
        let lines: Vec<(&str, &str, &str)> = source.lines().filter_map(parts_of).collect();
        let mut names: FxHashMap<&str, usize> = FxHashMap::default();
        for (name, _, _) in &lines {
            let next = names.len();
            names.entry(*name).or_insert(next);
        }
        let mut rules: Vec<Rule> = names.iter().map(|_| Rule::default()).collect();
        for (name, called, body) in lines {
            let letters = |c: char| !c.is_alphanumeric();
            let words = called.split(letters).chain(body.split(letters)).filter(|word| word.len() > 1);
            let mut words: Vec<String> = words.map(str::to_lowercase).collect();
            words.sort_unstable();
            words.dedup();
            let pieces = pieces(body.strip_prefix(' ').unwrap_or(body), &names);
            rules[names[name]].alternatives.push(Alternative { pieces, height: u32::MAX, words });
        }
        rules.iter_mut().for_each(|rule| (rule.height, rule.leaf) = (u32::MAX, rule.as_leaf()));
        let names = names.into_iter().map(|(name, rule)| (name.to_owned(), rule)).collect();
        let mut grammar = Grammar { rules, names };
        grammar.measure();
        grammar
    }

    /// Heights, lower and lower until nothing changes.
    fn measure(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.rules.len() {
                let heights: Vec<u32> =
                    self.rules[index].alternatives.iter().map(|alternative| self.height_of(alternative)).collect();
                let rule = &mut self.rules[index];
                let least = heights.iter().copied().min().unwrap_or(1);
                changed |= least < rule.height;
                rule.height = rule.height.min(least);
                rule.alternatives.iter_mut().zip(heights).for_each(|(alternative, height)| alternative.height = height);
            }
        }
    }

    fn height_of(&self, alternative: &Alternative) -> u32 {
        let below = alternative.rules().map(|rule| self.rules[rule].height).max().unwrap_or(0);
        below.saturating_add(1)
    }

    /// The rules; the first is the whole document.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule of that name.
    pub fn rule(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// All texts of the rule whose derivations have at most so many levels of rules, in the order of the alternatives; no more than
    /// `most`.
    pub fn derivations(&self, rule: usize, height: u32, most: usize) -> Vec<String> {
        let mut found = Vec::new();
        let Some(below) = height.checked_sub(1) else { return found };
        for alternative in self.rules[rule].alternatives.iter().filter(|alternative| alternative.height <= height) {
            let mut texts = vec![String::new()];
            for piece in &alternative.pieces {
                texts = match piece {
                    Piece::Text(part) => texts.into_iter().map(|text| text + part).collect(),
                    Piece::Rule(inner) => {
                        let parts = self.derivations(*inner, below, most);
                        let all = texts.iter().flat_map(|text| parts.iter().map(move |part| format!("{text}{part}")));
                        all.take(most).collect()
                    }
                };
            }
            found.extend(texts);
        }
        found.truncate(most);
        found
    }

    /// Whether the rule has others below it; names and numbers have not, and take nothing from the size.
    pub fn may_be_deep(&self, rule: usize) -> bool {
        self.rules[rule].alternatives.iter().any(|alternative| alternative.height > 1)
    }
}

impl Alternative {
    /// The rules that it is made of.
    pub fn rules(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Rule(rule) => Some(*rule),
            Piece::Text(_) => None,
        })
    }
}

/// The name of the rule, what its subject may be called, and the body.
fn parts_of(line: &str) -> Option<(&str, &str, &str)> {
    let (head, body) = line.split_once(" =")?;
    let (name, called) = head.split_once(" (").unwrap_or((head, ""));
    Some((name, called, body))
}

fn pieces(body: &str, names: &FxHashMap<&str, usize>) -> Vec<Piece> {
    let piece = |(at, part): (usize, &str)| match at % 2 {
        0 if part.is_empty() => None,
        0 => Some(Piece::Text(unescaped(part))),
        _ => names.get(part).copied().map(Piece::Rule),
    };
    body.split('`').enumerate().filter_map(piece).collect()
}

fn unescaped(part: &str) -> String {
    let mut text = String::new();
    let mut rest = part.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('s') => ' ',
                other => other.unwrap_or('\\'),
            },
            plain => plain,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_a_grammar_is_a_rule_that_ends() {
        for (kind, source) in SOURCES {
            let rules: Vec<&str> = source.lines().filter_map(|line| Some(parts_of(line)?.0)).collect();
            assert_eq!(rules.len(), source.lines().count(), "{kind:?}: a line is no rule");
            for line in source.lines() {
                let body = line.split_once(" =").unwrap().1;
                assert_eq!(body.matches('`').count() % 2, 0, "{line}");
                for name in body.split('`').skip(1).step_by(2) {
                    assert!(rules.contains(&name), "{kind:?}: {name} in {line}");
                }
            }
            let grammar = kind.grammar().unwrap();
            assert!(grammar.rules.iter().all(|rule| rule.height < 10), "{kind:?}");
        }
    }

    #[test]
    fn derivations_are_all_there_is_up_to_a_height() {
        let grammar = Grammar::read("e = (`e`)\ne = `n`\nn = \\s1\\n\nn =");
        assert_eq!(grammar.derivations(0, 1, 100), Vec::<String>::new());
        assert_eq!(grammar.derivations(0, 2, 100), [" 1\n", ""]);
        assert_eq!(grammar.derivations(0, 4, 100), ["(( 1\n))", "(())", "( 1\n)", "()", " 1\n", ""]);
        assert_eq!(grammar.derivations(0, 4, 3).len(), 3);
        let statements = Kind::Sql.grammar().unwrap();
        let height = statements.rules()[0].height;
        let all = statements.derivations(0, height, 50);
        assert!(!all.is_empty() && all == statements.derivations(0, height, 50));
    }
}
