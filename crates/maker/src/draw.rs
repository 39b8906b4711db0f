//! Draws constants and documents from a [`Pool`].

use crate::derive::DrawDocument;
use crate::dice::{Choose, Rng};
use crate::mutate;
use documents::{Kind, Material};
use objects::{Pool, Reflects, TextHint};
use program::Type;
use recipe::{JavaString, Text};

/// Random choices from what is worth trying.
pub trait Draw {
    /// A whole number; callers cut it down to the type that they need.
    fn int(&self, rng: &mut Rng) -> i64;

    fn float(&self, rng: &mut Rng) -> f64;

    fn char(&self, rng: &mut Rng) -> u16;

    fn string(&self, rng: &mut Rng) -> JavaString;

    fn property(&self, rng: &mut Rng) -> Option<JavaString>;

    /// A type for an `Object`, or for a class literal.
    fn type_for_object(&self, rng: &mut Rng) -> Option<Type>;

    /// A whole document. Kinds that fit the place where it is needed (a parameter called `url`) win over what fits the program
    /// as a whole.
    fn document(&self, hint: TextHint<'_>, rng: &mut Rng) -> Text;

    /// A document of this kind; one with markup often has an element that names what the crash is about.
    fn sample(&self, kind: Kind, hint: TextHint<'_>, rng: &mut Rng) -> Text;

    fn kind(&self, topic: &[(Kind, u32)], rng: &mut Rng) -> Kind;

    /// A word for a text: one that its reader knows, or one of the pool.
    fn word(&self, hint: TextHint<'_>, rng: &mut Rng) -> JavaString;

    /// A changed document, with words that its reader may know to put in.
    fn mutated(&self, text: &Text, hint: TextHint<'_>, rng: &mut Rng) -> Text;

    /// How likely it is that what the code is given matters for the members of its class, from 0 to 1.
    fn reflection(&self, rng: &Rng) -> f64;

    /// How often a class of the user has type parameters, or says what those of another one are. Never where nobody looks.
    fn generics(&self, rng: &Rng) -> f64;
}

impl Draw for Pool {
    fn int(&self, rng: &mut Rng) -> i64 {
        rng.weighted(self.ints()).copied().unwrap_or(0)
    }

    fn float(&self, rng: &mut Rng) -> f64 {
        rng.weighted(self.floats()).map_or(0.0, |bits| f64::from_bits(*bits))
    }

    fn char(&self, rng: &mut Rng) -> u16 {
        rng.weighted(self.chars()).copied().unwrap_or(b'a'.into())
    }

    fn string(&self, rng: &mut Rng) -> JavaString {
        rng.weighted(self.strings()).cloned().unwrap_or_default()
    }

    fn property(&self, rng: &mut Rng) -> Option<JavaString> {
        rng.weighted(self.properties()).cloned()
    }

    fn type_for_object(&self, rng: &mut Rng) -> Option<Type> {
        rng.weighted(self.types()).copied()
    }

    fn document(&self, hint: TextHint<'_>, rng: &mut Rng) -> Text {
        if !self.documents().is_empty() && rng.chance(rng.policy().documents.quoted) {
            return rng.weighted(self.documents()).cloned().unwrap_or_default();
        }
        let kind = self.kind(hint.topic, rng);
        self.sample(kind, hint, rng)
    }

    fn sample(&self, kind: Kind, hint: TextHint<'_>, rng: &mut Rng) -> Text {
        let text = kind.document(hint.about, hint.is_rich, self.bias(), rng);
        let fragment = rng.weighted(self.fragments()).filter(|_| rng.chance(rng.policy().documents.grafted));
        fragment.and_then(|fragment| mutate::graft(&text, fragment, rng)).unwrap_or(text)
    }

    fn kind(&self, topic: &[(Kind, u32)], rng: &mut Rng) -> Kind {
        let weights = &rng.policy().constants;
        let weight = |words: u32| words.min(weights.most_words_for_kind) * weights.kind_spoken_for;
        let by_topic =
            rng.index_by_weight(topic.iter().map(|(_, words)| f64::from(weight(*words)))).map(|index| topic[index].0);
        match by_topic {
            Some(kind) if rng.chance(rng.policy().documents.on_topic) => kind,
            _ => rng.weighted(self.kinds()).copied().unwrap_or(Kind::Name),
        }
    }

    fn word(&self, hint: TextHint<'_>, rng: &mut Rng) -> JavaString {
        match rng.one(hint.words).filter(|_| rng.bool()) {
            Some(word) => word.clone(),
            None => self.string(rng),
        }
    }

    fn mutated(&self, text: &Text, hint: TextHint<'_>, rng: &mut Rng) -> Text {
        let words: Vec<JavaString> = (0..rng.policy().documents.words).map(|_| self.word(hint, rng)).collect();
        let fragment = rng.weighted(self.fragments()).filter(|_| rng.bool());
        let donors = [fragment.cloned().unwrap_or_else(|| self.document(hint, rng))];
        let phrase = self.kind(hint.topic, rng).phrase(self.bias(), rng).map(|phrase| JavaString::new(&phrase));
        mutate::mutate(text, Material { words: &words, donors: &donors, phrases: phrase.as_slice() }, rng)
    }

    fn reflection(&self, rng: &Rng) -> f64 {
        match self.reflects() {
            Reflects::No => 0.0,
            Reflects::Elsewhere => rng.policy().constants.reflection_elsewhere,
            Reflects::AtTheCrash => rng.policy().constants.reflection_at_the_crash,
        }
    }

    fn generics(&self, rng: &Rng) -> f64 {
        match self.dissects_types() {
            Reflects::No => 0.0,
            Reflects::Elsewhere => rng.policy().constants.generics_elsewhere,
            Reflects::AtTheCrash => rng.policy().constants.generics_at_the_crash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program_of;
    use objects::Origin;
    use program::MethodRef;
    use std::collections::BTreeSet;

    #[test]
    fn what_the_message_says_is_drawn_most() {
        let mut pool = Pool::general();
        pool.add_string(&JavaString::new("from message"), Origin::Message);
        let mut rng = Rng::with_seed(5);
        let drawn = (0..1000).filter(|_| pool.string(&mut rng).to_lossy() == "from message").count();
        assert!(drawn > 500, "{drawn}");
    }

    #[test]
    fn topics_win_over_the_program_s_kinds() {
        let mut pool = Pool::general();
        pool.add_words(["json", "object", "array"].into_iter());
        let mut rng = Rng::with_seed(5);
        let count =
            |topic: &[(Kind, u32)], kind, rng: &mut Rng| (0..1000).filter(|_| pool.kind(topic, rng) == kind).count();
        assert!(count(&[], Kind::Json, &mut rng) > 200);
        assert!(count(&[(Kind::Url, 4)], Kind::Url, &mut rng) > 500);
    }

    #[test]
    fn notations_of_few_programs_take_little_from_the_others() {
        let pool = Pool::general();
        let weight =
            |kind: Kind| pool.kinds().iter().find(|(other, _)| **other == kind).map_or(0, |(_, weight)| weight);
        let all: u64 = Kind::ALL.iter().map(|kind| weight(*kind)).sum();
        let rare: u64 = Kind::ALL.iter().filter(|kind| kind.is_rare()).map(|kind| weight(*kind)).sum();
        assert_eq!((rare, all), (weight(Kind::Json), 29 * weight(Kind::Json)));
        assert!(Kind::ALL.iter().all(|kind| weight(*kind) > 0));
    }

    #[test]
    fn documents_borrow_elements_that_the_program_has_a_class_of_the_trace_for() {
        let program = program_of(&["org.apache.ant/ant/1.8.1"]);
        let mut pool = Pool::general();
        objects::mine(
            &analysis::Methods::new(program.clone()),
            &[MethodRef::new("org/apache/tools/ant/taskdefs/ImportTask", "execute", "()V")],
            &mut pool,
        );
        let mut rng = Rng::with_seed(1);
        let document = Text::plain("<a><b/></a>");
        let texts: BTreeSet<String> =
            (0..3000).map(|_| pool.mutated(&document, Default::default(), &mut rng).expanded().to_lossy()).collect();
        let borrowed = texts.iter().filter(|text| text.contains("<import ")).count();
        assert!(borrowed > 20, "{borrowed} of {}", texts.len());
        let builds: BTreeSet<String> =
            (0..3000).map(|_| pool.sample(Kind::Build, TextHint::default(), &mut rng).expanded().to_lossy()).collect();
        let grafted =
            |text: &String| text.starts_with("<project default=\"a\"><import ") && text.contains("<target name=\"a\">");
        assert!(builds.iter().any(grafted), "{}", builds.len());
    }
}
