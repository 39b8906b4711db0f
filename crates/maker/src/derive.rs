//! Draws documents of a kind: samples of the corpus, and texts derived from grammars.

use crate::dice::{Choose, Rng};
use documents::grammar::{Alternative, Leaf, Piece, Rule};
use documents::{Grammar, GrammarBias, Kind};
use recipe::Text;

/// Random documents of one kind.
pub trait DrawDocument: Sized {
    /// A document of this kind: a sample, or one that a grammar gives, or a part of such a document if it is about one. Rich ones
    /// have much in them.
    fn document(self, about: &[String], is_rich: bool, bias: &GrammarBias, rng: &mut Rng) -> Text;

    /// One document of this kind, unchanged.
    fn sample(self, rng: &mut Rng) -> Text;

    /// A document that nobody wrote, or the part of one that the words name; `None` for kinds without a grammar.
    fn derived(self, about: &[String], is_rich: bool, bias: &GrammarBias, rng: &mut Rng) -> Option<String>;

    /// A part of such a document: an expression, a clause, a name.
    fn phrase(self, bias: &GrammarBias, rng: &mut Rng) -> Option<String>;
}

impl DrawDocument for Kind {
    fn document(self, about: &[String], is_rich: bool, bias: &GrammarBias, rng: &mut Rng) -> Text {
        let numbers = &rng.policy().documents;
        let often = match is_rich {
            true => numbers.derived_rich,
            false if bias.knows(self) => numbers.derived_with_bias,
            false => numbers.derived,
        };
        let derived = rng.chance(often).then(|| self.derived(about, is_rich, bias, rng));
        derived.flatten().map_or_else(|| self.sample(rng), |text| Text::plain(&text))
    }

    fn sample(self, rng: &mut Rng) -> Text {
        Text::plain(rng.one(documents::of_kind(self)).map_or("", |document| document.text))
    }

    fn derived(self, about: &[String], is_rich: bool, bias: &GrammarBias, rng: &mut Rng) -> Option<String> {
        let numbers = &rng.policy().documents;
        let grammar = self.grammar()?;
        let rule = about.iter().find_map(|word| grammar.rule(word)).unwrap_or(0);
        let size = numbers.least_rules << (rng.small(numbers.doubled) + if is_rich { numbers.richer } else { 0 });
        Some(Derivation { kind: self, grammar, bias }.of(rule, size, rng))
    }

    fn phrase(self, bias: &GrammarBias, rng: &mut Rng) -> Option<String> {
        let numbers = &rng.policy().documents;
        let grammar = self.grammar()?;
        let rule = rng.usize(..grammar.rules().len());
        let size = numbers.least_rules_of_phrase << rng.small(numbers.doubled);
        Some(Derivation { kind: self, grammar, bias }.of(rule, size, rng))
    }
}

/// One walk through a grammar.
struct Derivation<'a> {
    kind: Kind,
    grammar: &'a Grammar,
    bias: &'a GrammarBias,
}

impl<'a> Derivation<'a> {
    /// Text of the rule, by about `size` further rules.
    fn of(&self, rule: usize, size: usize, rng: &mut Rng) -> String {
        let mut text = String::new();
        self.append(rule, size, &mut text, rng);
        text
    }

    fn append(&self, rule: usize, size: usize, text: &mut String, rng: &mut Rng) {
        let Rule { alternatives, height, leaf } = &self.grammar.rules()[rule];
        if let Some(stated) = self.stated(*leaf, rng) {
            text.push_str(&stated);
            return;
        }
        let shallow: Vec<&Alternative>;
        let chosen = if size == 0 {
            shallow = alternatives.iter().filter(|alternative| alternative.height == *height).collect();
            rng.one(&shallow).copied()
        } else {
            self.choose(rule, alternatives, rng)
        };
        let Some(chosen) = chosen else { return };
        let mut open = chosen.rules().filter(|rule| self.grammar.may_be_deep(*rule)).count();
        let mut left = size.saturating_sub(1);
        for piece in &chosen.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Rule(rule) if self.grammar.may_be_deep(*rule) => {
                    // Any share for each but the last, so that one part may have most of it.
                    let share = if open <= 1 { left } else { rng.usize(..=(2 * left / open).min(left)) };
                    (open, left) = (open - 1, left - share);
                    self.append(*rule, share, text, rng);
                }
                Piece::Rule(rule) => self.append(*rule, size, text, rng),
            }
        }
    }

    /// What the message says in the place of such a leaf, now and then. A name may also be a text.
    fn stated(&self, leaf: Option<Leaf>, rng: &mut Rng) -> Option<String> {
        let numbers = &rng.policy().documents;
        let (names, literals) = (self.bias.names(), self.bias.literals());
        let all = match leaf? {
            Leaf::Literal if literals.is_empty() || (!names.is_empty() && rng.chance(numbers.stated_name_as_text)) => {
                return rng.one(names).filter(|_| rng.chance(numbers.stated)).map(|name| format!("'{name}'"));
            }
            Leaf::Literal => literals,
            Leaf::Name => names,
        };
        rng.one(all).filter(|_| rng.chance(numbers.stated)).cloned()
    }

    fn choose<'r>(&self, rule: usize, alternatives: &'r [Alternative], rng: &mut Rng) -> Option<&'r Alternative> {
        let spoken_of = rng.policy().documents.spoken_of;
        match self.bias.spoken_of(self.kind, rule) {
            Some(words) => {
                let weights = words.iter().map(|words| 1.0 + spoken_of * *words as f64);
                rng.index_by_weight(weights).map(|index| &alternatives[index])
            }
            None => rng.one(alternatives),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_bound_what_is_derived() {
        let mut rng = Rng::with_seed(1);
        for kind in Kind::ALL {
            let Some(grammar) = kind.grammar() else { continue };
            let derivation = Derivation { kind: *kind, grammar, bias: &GrammarBias::default() };
            let all = |size: usize, rng: &mut Rng| (0..400).map(|_| derivation.of(0, size, rng).len()).sum::<usize>();
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
                let text = kind.derived(&[], true, &GrammarBias::default(), &mut rng).unwrap();
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
            let texts =
                || (0..500).map(|seed| kind.derived(&[], true, &GrammarBias::default(), &mut Rng::with_seed(seed)));
            assert!(texts().flatten().any(|text| text.contains(opening)), "{opening}");
            let counts = |text: &String| text.matches(opening).count() == text.matches(closing).count();
            texts().flatten().for_each(|text| assert!(counts(&text), "{text}"));
        }
    }

    #[test]
    fn words_name_the_part_that_is_wanted() {
        let mut rng = Rng::with_seed(1);
        let mut derived = |about: &str| {
            Kind::Sql.derived(&["x".to_owned(), about.to_owned()], false, &GrammarBias::default(), &mut rng)
        };
        assert!((0..100).all(|_| ["t", "u"].contains(&derived("table").unwrap().as_str())));
        assert!((0..100).all(|_| derived("merge").unwrap().starts_with("WHEN ")));
        assert!((0..100).any(|_| derived("y").unwrap().starts_with("SELECT ")));
    }

    #[test]
    fn what_the_trace_speaks_of_is_derived_more_often() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let count = |bias: &GrammarBias, kind: Kind, part: &str| {
            let mut rng = Rng::with_seed(1);
            (0..500).filter(|_| kind.derived(&[], false, bias, &mut rng).unwrap().contains(part)).count()
        };
        let none = GrammarBias::default();
        // A word of the line itself, and one that is only what such code is called.
        let views = GrammarBias::towards(&words(&["create", "view", "accept"]));
        assert!(count(&views, Kind::Sql, "CREATE VIEW") > 3 * count(&none, Kind::Sql, "CREATE VIEW"));
        let divisions = GrammarBias::towards(&words(&["divide", "evaluate"]));
        assert!(count(&divisions, Kind::Expression, " / ") > 2 * count(&none, Kind::Expression, " / "));
        let rings = GrammarBias::towards(&words(&["polygon", "ring"]));
        assert!(count(&rings, Kind::Geometry, "POLYGON ((") > 2 * count(&none, Kind::Geometry, "POLYGON (("));
        let slices = GrammarBias::towards(&words(&["slice", "subscript"]));
        assert!(count(&slices, Kind::Template, ":1] }}") > count(&none, Kind::Template, ":1] }}"));
        assert!(divisions.knows(Kind::Expression) && !none.knows(Kind::Expression));
    }

    #[test]
    fn names_and_numbers_of_the_message_take_their_places() {
        let mut bias = GrammarBias::default();
        ["substring", "9", "a message", "-"].iter().for_each(|text| bias.add_stated(text));
        let mut rng = Rng::with_seed(1);
        let mut derived = (0..3000).filter_map(|_| Kind::Expression.derived(&[], false, &bias, &mut rng));
        assert!(derived.any(|text| text.contains(".substring(9)")));
        assert!(derived.all(|text| !text.contains("a message")));
        let sql: Vec<String> = (0..200).filter_map(|_| Kind::Sql.derived(&[], false, &bias, &mut rng)).collect();
        assert!(
            sql.iter().any(|text| text.contains("FROM substring")) && sql.iter().any(|text| text.contains("FROM t"))
        );
    }

    /// What crashes have needed: a subquery in a condition that is joined with another one, in a `MERGE`.
    #[test]
    fn statements_contain_each_other() {
        let mut rng = Rng::with_seed(7);
        let found =
            (0..20_000).filter_map(|_| Kind::Sql.derived(&[], false, &GrammarBias::default(), &mut rng)).find(|text| {
                let on = text.strip_prefix("MERGE INTO ").and_then(|rest| rest.split_once(" ON "));
                on.and_then(|(_, rest)| rest.split_once(" WHEN "))
                    .is_some_and(|(condition, _)| condition.contains(" AND ") && condition.contains("= (SELECT "))
            });
        assert!(found.is_some());
    }
}
