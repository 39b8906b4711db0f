//! Texts derived from small grammars: where a corpus holds some dozens of samples, a grammar holds every way in which the parts
//! of a notation go together, and the crash often is in one that nobody would have written down.
//!
//! A grammar is a list of lines `name = what it may be`. Names of other rules stand in backquotes; `\n` is a line end, `\s` a space
//! where a line begins or ends with one, `\\` a backslash. The first rule is the whole document. Few different names occur in a
//! grammar, so that what is used in one place was often declared in another. Words in brackets behind the name are what classes
//! and methods that deal with this may be called beside the words of the line itself; see [`Leaning`].

use super::Kind;
use crate::choose::{Choose, Rng};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// The rules of one notation.
#[derive(Debug)]
pub(super) struct Grammar {
    rules: Vec<Rule>,
    names: FxHashMap<String, usize>,
}

#[derive(Debug, Default)]
struct Rule {
    alternatives: Vec<Alternative>,
    leaf: Option<Leaf>,
    /// Levels of rules that the shallowest derivation has.
    height: u32,
}

/// What a rule without others below it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Name,
    Literal,
}

#[derive(Debug)]
struct Alternative {
    pieces: Vec<Piece>,
    height: u32,
    /// What it is about, in lower case.
    words: Vec<String>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Rule(usize),
}

/// Rules that a document is derived by: half have the least, a quarter twice as many, and so on.
const LEAST: usize = 12;
const DOUBLED: usize = 4;
/// For a part of a document less is enough.
const LEAST_OF_PHRASE: usize = 4;

/// Which ways through the grammars are gone more often: those that the names of the trace speak of. A parser's frames name the
/// parts of its notation that the crash was in.
#[derive(Clone, Debug, Default)]
pub struct Leaning {
    /// For each kind the weights of the alternatives of each rule; only for rules that some word speaks of.
    weights: FxHashMap<Kind, FxHashMap<usize, Vec<f64>>>,
    /// What the message names and states: in the place of names, and of literals as they are written.
    names: Vec<String>,
    literals: Vec<String>,
}

/// How much likelier an alternative is for each of the words that it has in common with the trace, up to two.
const SPOKEN_OF: f64 = 6.0;

impl Leaning {
    pub fn towards(words: &FxHashSet<String>) -> Leaning {
        let of_kind = |(kind, _): &(Kind, &str)| {
            let grammar = kind.grammar()?;
            let weights = grammar.rules.iter().map(|rule| rule.weights(words)).enumerate();
            Some((*kind, weights.filter(|(_, weights)| weights.iter().any(|weight| *weight > 1.0)).collect()))
        };
        Leaning { weights: SOURCES.iter().filter_map(of_kind).collect(), ..Leaning::default() }
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
    pub(super) fn knows(&self, kind: Kind) -> bool {
        self.weights.get(&kind).is_some_and(|rules| !rules.is_empty())
    }

    fn of(&self, kind: Kind) -> Lean<'_> {
        Lean { leaning: self, weights: self.weights.get(&kind) }
    }
}

/// Words of a message that says much.
const MOST_STATED: usize = 12;
/// How often a name or literal is one of the message.
const STATED: f64 = 0.25;

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A leaning in one grammar.
#[derive(Clone, Copy)]
struct Lean<'a> {
    leaning: &'a Leaning,
    weights: Option<&'a FxHashMap<usize, Vec<f64>>>,
}

impl<'a> Lean<'a> {
    /// What the message says in the place of such a leaf, now and then. A name may also be a text.
    fn stated(self, leaf: Option<Leaf>, rng: &mut Rng) -> Option<String> {
        let Leaning { names, literals, .. } = self.leaning;
        let all = match leaf? {
            Leaf::Literal if literals.is_empty() || (!names.is_empty() && rng.chance(0.3)) => {
                return rng.one(names).filter(|_| rng.chance(STATED)).map(|name| format!("'{name}'"));
            }
            Leaf::Literal => literals,
            Leaf::Name => names,
        };
        rng.one(all).filter(|_| rng.chance(STATED)).cloned()
    }

    fn choose<'r>(self, rule: usize, alternatives: &'r [Alternative], rng: &mut Rng) -> Option<&'r Alternative> {
        match self.weights.and_then(|rules| rules.get(&rule)) {
            Some(weights) => rng.index_by_weight(weights.iter().copied()).map(|index| &alternatives[index]),
            None => rng.one(alternatives),
        }
    }
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

    /// Words that many alternatives have tell nothing.
    fn weights(&self, words: &FxHashSet<String>) -> Vec<f64> {
        const OFTEN: usize = 3;
        let all = &self.alternatives;
        let has = |word: &String| all.iter().filter(|alternative| alternative.words.contains(word)).count();
        let telling = |word: &&String| words.contains(*word) && (all.len() <= OFTEN || has(word) * OFTEN <= all.len());
        let common = |alternative: &Alternative| alternative.words.iter().filter(telling).count().min(2);
        all.iter().map(|alternative| 1.0 + SPOKEN_OF * common(alternative) as f64).collect()
    }
}

impl Kind {
    fn grammar(self) -> Option<&'static Grammar> {
        static GRAMMARS: LazyLock<FxHashMap<Kind, Grammar>> =
            LazyLock::new(|| SOURCES.iter().map(|(kind, source)| (*kind, Grammar::read(source))).collect());
        GRAMMARS.get(&self)
    }

    /// A document that nobody wrote, or the part of one that the words name; `None` for kinds without a grammar.
    pub(super) fn derived(self, about: &[String], is_rich: bool, leaning: &Leaning, rng: &mut Rng) -> Option<String> {
        const RICHER: usize = 2;
        let grammar = self.grammar()?;
        let rule = about.iter().find_map(|word| grammar.names.get(word)).copied().unwrap_or(0);
        let size = LEAST << (rng.small(DOUBLED) + if is_rich { RICHER } else { 0 });
        Some(grammar.derive(rule, size, leaning.of(self), rng))
    }

    /// A part of such a document: an expression, a clause, a name.
    pub fn phrase(self, leaning: &Leaning, rng: &mut Rng) -> Option<String> {
        let grammar = self.grammar()?;
        let rule = rng.usize(..grammar.rules.len());
        let size = LEAST_OF_PHRASE << rng.small(DOUBLED);
        Some(grammar.derive(rule, size, leaning.of(self), rng))
    }
}

const SOURCES: [(Kind, &str); 19] = [
    (Kind::Css, include_str!("../../corpus/grammar/css.txt")),
    (Kind::Expression, include_str!("../../corpus/grammar/expression.txt")),
    (Kind::Geometry, include_str!("../../corpus/grammar/geometry.txt")),
    (Kind::Graph, include_str!("../../corpus/grammar/graph.txt")),
    (Kind::Html, include_str!("../../corpus/grammar/html.txt")),
    (Kind::Java, include_str!("../../corpus/grammar/java.txt")),
    (Kind::Json, include_str!("../../corpus/grammar/json.txt")),
    (Kind::Markdown, include_str!("../../corpus/grammar/markdown.txt")),
    (Kind::Measure, include_str!("../../corpus/grammar/measure.txt")),
    (Kind::Path, include_str!("../../corpus/grammar/path.txt")),
    (Kind::Query, include_str!("../../corpus/grammar/query.txt")),
    (Kind::Regex, include_str!("../../corpus/grammar/regex.txt")),
    (Kind::Schema, include_str!("../../corpus/grammar/schema.txt")),
    (Kind::Script, include_str!("../../corpus/grammar/script.txt")),
    (Kind::Sql, include_str!("../../corpus/grammar/sql.txt")),
    // Its own rules first, then what stands in the tags and the forms that expressions alone are written in as well.
    (
        Kind::Template,
        concat!(include_str!("../../corpus/grammar/template.txt"), include_str!("../../corpus/grammar/expression.txt")),
    ),
    (Kind::Version, include_str!("../../corpus/grammar/version.txt")),
    (Kind::Xml, include_str!("../../corpus/grammar/xml.txt")),
    (Kind::Yaml, include_str!("../../corpus/grammar/yaml.txt")),
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

    /// Text of the rule, by about `size` further rules.
    fn derive(&self, rule: usize, size: usize, lean: Lean<'_>, rng: &mut Rng) -> String {
        let mut text = String::new();
        self.append(rule, size, lean, &mut text, rng);
        text
    }

    fn append(&self, rule: usize, size: usize, lean: Lean<'_>, text: &mut String, rng: &mut Rng) {
        let Rule { alternatives, height, leaf } = &self.rules[rule];
        if let Some(stated) = lean.stated(*leaf, rng) {
            text.push_str(&stated);
            return;
        }
        let shallow: Vec<&Alternative>;
        let chosen = if size == 0 {
            shallow = alternatives.iter().filter(|alternative| alternative.height == *height).collect();
            rng.one(&shallow).copied()
        } else {
            lean.choose(rule, alternatives, rng)
        };
        let Some(chosen) = chosen else { return };
        let mut open = chosen.rules().filter(|rule| self.may_be_deep(*rule)).count();
        let mut left = size.saturating_sub(1);
        for piece in &chosen.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Rule(rule) if self.may_be_deep(*rule) => {
                    // Any share for each but the last, so that one part may have most of it.
                    let share = if open <= 1 { left } else { rng.usize(..=(2 * left / open).min(left)) };
                    (open, left) = (open - 1, left - share);
                    self.append(*rule, share, lean, text, rng);
                }
                Piece::Rule(rule) => self.append(*rule, size, lean, text, rng),
            }
        }
    }

    /// Whether the rule has others below it; names and numbers have not, and take nothing from the size.
    fn may_be_deep(&self, rule: usize) -> bool {
        self.rules[rule].alternatives.iter().any(|alternative| alternative.height > 1)
    }
}

impl Alternative {
    fn rules(&self) -> impl Iterator<Item = usize> {
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
    fn sizes_bound_what_is_derived() {
        let mut rng = Rng::with_seed(1);
        for (kind, _) in SOURCES {
            let grammar = kind.grammar().unwrap();
            let all = |size: usize, rng: &mut Rng| {
                (0..400).map(|_| grammar.derive(0, size, Leaning::default().of(kind), rng).len()).sum::<usize>()
            };
            let (small, large) = (all(4, &mut rng), all(64, &mut rng));
            assert!(small < large && large < 400 * 4_000, "{kind:?}: {small}, {large}");
        }
    }

    /// Brackets that a notation uses in pairs, and what else its derivations have.
    #[test]
    fn derivations_are_well_formed() {
        let mut rng = Rng::with_seed(3);
        let pairs: [(Kind, &[(char, char)]); 5] = [
            (Kind::Geometry, &[('(', ')'), ('[', ']'), ('{', '}')]),
            (Kind::Graph, &[('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')]),
            (Kind::Schema, &[('(', ')'), ('[', ']'), ('{', '}')]),
            (Kind::Query, &[('(', ')')]),
            (Kind::Measure, &[('(', ')'), ('{', '}'), ('[', ']')]),
        ];
        for (kind, brackets) in pairs {
            for _ in 0..500 {
                let text = kind.derived(&[], true, &Leaning::default(), &mut rng).unwrap();
                for (open, close) in brackets.iter().filter(|(open, _)| !(*open == '<' && text.contains("->"))) {
                    assert_eq!(text.matches(*open).count(), text.matches(*close).count(), "{kind:?}: {text}");
                }
            }
        }
        for (kind, opening, closing) in [
            (Kind::Template, "{% for ", "{% endfor %}"),
            (Kind::Template, "<#list ", "</#list>"),
            (Kind::Template, "<#macro ", "</#macro>"),
            (Kind::Template, "{{#each ", "{{/each}}"),
            (Kind::Template, "<c:if ", "</c:if>"),
        ] {
            let texts = || (0..500).map(|seed| kind.derived(&[], true, &Leaning::default(), &mut Rng::with_seed(seed)));
            assert!(texts().flatten().any(|text| text.contains(opening)), "{opening}");
            let counts = |text: &String| text.matches(opening).count() == text.matches(closing).count();
            texts().flatten().for_each(|text| assert!(counts(&text), "{text}"));
        }
    }

    #[test]
    fn notations_nest() {
        let grammar = Grammar::read("e = (`e`)\ne = `n`\nn = \\s1\\n\nn =");
        let derived: Vec<String> = (0..200)
            .map(|seed| grammar.derive(0, 8, Leaning::default().of(Kind::Sql), &mut Rng::with_seed(seed)))
            .collect();
        for expected in ["", " 1\n", "(( 1\n))", "(((((((())))))))"] {
            assert!(derived.iter().any(|text| text == expected), "{expected:?} is not among {derived:?}");
        }
        assert!(derived.iter().all(|text| text.matches('(').count() == text.matches(')').count()));
    }

    #[test]
    fn words_name_the_part_that_is_wanted() {
        let mut rng = Rng::with_seed(1);
        let mut derived =
            |about: &str| Kind::Sql.derived(&["x".to_owned(), about.to_owned()], false, &Leaning::default(), &mut rng);
        assert!((0..100).all(|_| ["t", "u"].contains(&derived("table").unwrap().as_str())));
        assert!((0..100).all(|_| derived("merge").unwrap().starts_with("WHEN ")));
        assert!((0..100).any(|_| derived("y").unwrap().starts_with("SELECT ")));
    }

    #[test]
    fn what_the_trace_speaks_of_is_derived_more_often() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let count = |leaning: &Leaning, kind: Kind, part: &str| {
            let mut rng = Rng::with_seed(1);
            (0..500).filter(|_| kind.derived(&[], false, leaning, &mut rng).unwrap().contains(part)).count()
        };
        let none = Leaning::default();
        // A word of the line itself, and one that is only what such code is called.
        let views = Leaning::towards(&words(&["create", "view", "accept"]));
        assert!(count(&views, Kind::Sql, "CREATE VIEW") > 3 * count(&none, Kind::Sql, "CREATE VIEW"));
        let divisions = Leaning::towards(&words(&["divide", "evaluate"]));
        assert!(count(&divisions, Kind::Expression, " / ") > 2 * count(&none, Kind::Expression, " / "));
        let rings = Leaning::towards(&words(&["polygon", "ring"]));
        assert!(count(&rings, Kind::Geometry, "POLYGON ((") > 2 * count(&none, Kind::Geometry, "POLYGON (("));
        let slices = Leaning::towards(&words(&["slice", "subscript"]));
        assert!(count(&slices, Kind::Template, ":1] }}") > count(&none, Kind::Template, ":1] }}"));
        assert!(divisions.knows(Kind::Expression) && !none.knows(Kind::Expression));
    }

    #[test]
    fn names_and_numbers_of_the_message_take_their_places() {
        let mut leaning = Leaning::default();
        ["substring", "9", "a message", "-"].iter().for_each(|text| leaning.add_stated(text));
        let mut rng = Rng::with_seed(1);
        let mut derived = (0..3000).filter_map(|_| Kind::Expression.derived(&[], false, &leaning, &mut rng));
        assert!(derived.any(|text| text.contains(".substring(9)")));
        assert!(derived.all(|text| !text.contains("a message")));
        let sql: Vec<String> = (0..200).filter_map(|_| Kind::Sql.derived(&[], false, &leaning, &mut rng)).collect();
        assert!(
            sql.iter().any(|text| text.contains("FROM substring")) && sql.iter().any(|text| text.contains("FROM t"))
        );
    }

    /// What crashes have needed: a subquery in a condition that is joined with another one, in a `MERGE`.
    #[test]
    fn statements_contain_each_other() {
        let mut rng = Rng::with_seed(7);
        let found =
            (0..20_000).filter_map(|_| Kind::Sql.derived(&[], false, &Leaning::default(), &mut rng)).find(|text| {
                let on = text.strip_prefix("MERGE INTO ").and_then(|rest| rest.split_once(" ON "));
                on.and_then(|(_, rest)| rest.split_once(" WHEN "))
                    .is_some_and(|(condition, _)| condition.contains(" AND ") && condition.contains("= (SELECT "))
            });
        assert!(found.is_some());
    }
}
