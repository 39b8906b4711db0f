//! Texts derived from small grammars: where a corpus holds some dozens of samples, a grammar holds every way in which the parts
//! of a notation go together, and the crash often is in one that nobody would have written down.
//!
//! A grammar is a list of lines `name = what it may be`. Names of other rules stand in backquotes; `\n` is a line end, `\s` a space
//! where a line begins or ends with one, `\\` a backslash. The first rule is the whole document. Few different names occur in a
//! grammar, so that what is used in one place was often declared in another.

use super::Kind;
use crate::choose::{Choose, Rng};
use rustc_hash::FxHashMap;
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
    /// Levels of rules that the shallowest derivation has.
    height: u32,
}

#[derive(Debug)]
struct Alternative {
    pieces: Vec<Piece>,
    height: u32,
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

impl Kind {
    fn grammar(self) -> Option<&'static Grammar> {
        static GRAMMARS: LazyLock<FxHashMap<Kind, Grammar>> =
            LazyLock::new(|| SOURCES.iter().map(|(kind, source)| (*kind, Grammar::read(source))).collect());
        GRAMMARS.get(&self)
    }

    /// A document that nobody wrote, or the part of one that the words name; `None` for kinds without a grammar.
    pub(super) fn derived(self, about: &[String], is_rich: bool, rng: &mut Rng) -> Option<String> {
        const RICHER: usize = 2;
        let grammar = self.grammar()?;
        let rule = about.iter().find_map(|word| grammar.names.get(word)).copied().unwrap_or(0);
        let size = LEAST << (rng.small(DOUBLED) + if is_rich { RICHER } else { 0 });
        Some(grammar.derive(rule, size, rng))
    }

    /// A part of such a document: an expression, a clause, a name.
    pub fn phrase(self, rng: &mut Rng) -> Option<String> {
        let grammar = self.grammar()?;
        let rule = rng.usize(..grammar.rules.len());
        let size = LEAST_OF_PHRASE << rng.small(DOUBLED);
        Some(grammar.derive(rule, size, rng))
    }
}

const SOURCES: [(Kind, &str); 12] = [
    (Kind::Css, include_str!("../../corpus/grammar/css.txt")),
    (Kind::Expression, include_str!("../../corpus/grammar/expression.txt")),
    (Kind::Html, include_str!("../../corpus/grammar/html.txt")),
    (Kind::Java, include_str!("../../corpus/grammar/java.txt")),
    (Kind::Json, include_str!("../../corpus/grammar/json.txt")),
    (Kind::Markdown, include_str!("../../corpus/grammar/markdown.txt")),
    (Kind::Path, include_str!("../../corpus/grammar/path.txt")),
    (Kind::Regex, include_str!("../../corpus/grammar/regex.txt")),
    (Kind::Script, include_str!("../../corpus/grammar/script.txt")),
    (Kind::Sql, include_str!("../../corpus/grammar/sql.txt")),
    (Kind::Xml, include_str!("../../corpus/grammar/xml.txt")),
    (Kind::Yaml, include_str!("../../corpus/grammar/yaml.txt")),
];

impl Grammar {
    /// A name that no rule has stands for nothing; the grammars are ours, and a test looks for such names.
    fn read(source: &str) -> Grammar {
        let lines: Vec<(&str, &str)> = source.lines().filter_map(|line| line.split_once(" =")).collect();
        let mut names: FxHashMap<&str, usize> = FxHashMap::default();
        for (name, _) in &lines {
            let next = names.len();
            names.entry(*name).or_insert(next);
        }
        let mut rules: Vec<Rule> = names.iter().map(|_| Rule::default()).collect();
        for (name, body) in lines {
            let pieces = pieces(body.strip_prefix(' ').unwrap_or(body), &names);
            rules[names[name]].alternatives.push(Alternative { pieces, height: u32::MAX });
        }
        rules.iter_mut().for_each(|rule| rule.height = u32::MAX);
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
    fn derive(&self, rule: usize, size: usize, rng: &mut Rng) -> String {
        let mut text = String::new();
        self.append(rule, size, &mut text, rng);
        text
    }

    fn append(&self, rule: usize, size: usize, text: &mut String, rng: &mut Rng) {
        let Rule { alternatives, height } = &self.rules[rule];
        let shallow: Vec<&Alternative>;
        let chosen = if size == 0 {
            shallow = alternatives.iter().filter(|alternative| alternative.height == *height).collect();
            rng.one(&shallow).copied()
        } else {
            rng.one(alternatives)
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
                    self.append(*rule, share, text, rng);
                }
                Piece::Rule(rule) => self.append(*rule, size, text, rng),
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
            let rules: Vec<&str> = source.lines().filter_map(|line| Some(line.split_once(" =")?.0)).collect();
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
            let mean =
                |size: usize, rng: &mut Rng| (0..100).map(|_| grammar.derive(0, size, rng).len()).sum::<usize>() / 100;
            let (small, large) = (mean(4, &mut rng), mean(64, &mut rng));
            assert!(small < large && large < 4_000, "{kind:?}: {small}, {large}");
        }
    }

    #[test]
    fn notations_nest() {
        let grammar = Grammar::read("e = (`e`)\ne = `n`\nn = \\s1\\n\nn =");
        let derived: Vec<String> = (0..200).map(|seed| grammar.derive(0, 8, &mut Rng::with_seed(seed))).collect();
        for expected in ["", " 1\n", "(( 1\n))", "(((((((())))))))"] {
            assert!(derived.iter().any(|text| text == expected), "{expected:?} is not among {derived:?}");
        }
        assert!(derived.iter().all(|text| text.matches('(').count() == text.matches(')').count()));
    }

    #[test]
    fn words_name_the_part_that_is_wanted() {
        let mut rng = Rng::with_seed(1);
        let mut derived = |about: &str| Kind::Sql.derived(&["x".to_owned(), about.to_owned()], false, &mut rng);
        assert!((0..100).all(|_| ["t", "u"].contains(&derived("table").unwrap().as_str())));
        assert!((0..100).all(|_| derived("merge").unwrap().starts_with("WHEN ")));
        assert!((0..100).any(|_| derived("y").unwrap().starts_with("SELECT ")));
    }

    /// What crashes have needed: a subquery in a condition that is joined with another one, in a `MERGE`.
    #[test]
    fn statements_contain_each_other() {
        let mut rng = Rng::with_seed(7);
        let found = (0..20_000).filter_map(|_| Kind::Sql.derived(&[], false, &mut rng)).find(|text| {
            let on = text.strip_prefix("MERGE INTO ").and_then(|rest| rest.split_once(" ON "));
            on.and_then(|(_, rest)| rest.split_once(" WHEN "))
                .is_some_and(|(condition, _)| condition.contains(" AND ") && condition.contains("= (SELECT "))
        });
        assert!(found.is_some());
    }
}
