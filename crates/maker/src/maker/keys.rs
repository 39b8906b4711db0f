//! Values that agree: an order is looked up under the number that it was stored under. What has to be equal mostly has like names:
//! the `id` that a customer was registered with, and the `customerId` of an order.

use super::{Hint, Maker};
use crate::dice::Choose;
use objects::Draft;
use objects::Usable;
use objects::build::{self, Call};
use objects::words_of;
use program::{ClassName, Type};
use recipe::{Action, Arg, JavaString, Literal, Stmt, Text, VarId};

/// Longer texts are documents.
const LONGEST_KEY: u64 = 40;
/// Keys of one text or map at most.
const MOST_KEYS: usize = 8;
/// Words of names of methods that say nothing about what these are given.
const VERBS: [&str; 7] = ["set", "get", "add", "with", "put", "init", "of"];
/// Signs between a key and its value, and between such pairs.
const ASSIGNING: [&str; 2] = ["=", ":"];
const SEPARATING: [&str; 5] = ["&", ";", ",", "\n", " "];

impl Maker<'_> {
    /// A text that was given before under a name that has words in common with where this one is needed.
    pub(super) fn same_text(&mut self, draft: &Draft, hint: Hint<'_>) -> Option<Text> {
        let is_key = !hint.text.about.is_empty() && self.has_several(draft);
        if !is_key || !self.rng.chance(self.rng.policy().texts.same_key) {
            return None;
        }
        let mut found: Vec<(Text, f64)> = Vec::new();
        self.for_each_given(draft, hint.text.about, &mut |literal, weight| match literal {
            Literal::String(text) if (1..=LONGEST_KEY).contains(&text.len()) => found.push((text.clone(), weight)),
            Literal::Int(number) => found.push((Text::plain(&number.to_string()), weight)),
            Literal::Long(number) => found.push((Text::plain(&number.to_string()), weight)),
            _ => {}
        });
        let chosen = self.rng.index_by_weight(found.iter().map(|(_, weight)| *weight))?;
        Some(found.swap_remove(chosen).0)
    }

    /// A word of the log that looks like a key, where the test has objects that may be known by one.
    pub(super) fn key_of_log(&mut self, draft: &Draft) -> Option<JavaString> {
        let may_be = !self.pool.keys().is_empty() && self.has_several(draft);
        let often = self.rng.policy().texts.key_of_log;
        if may_be && self.rng.chance(often) { self.rng.one(self.pool.keys()).cloned() } else { None }
    }

    /// A number that was given before under a like name, or that an object of the test has under one.
    pub(super) fn same_number(&mut self, draft: &mut Draft, ty: Type, hint: Hint<'_>) -> Option<Arg> {
        let is_key = matches!(ty, Type::Int | Type::Long);
        if !is_key || !self.has_several(draft) || !self.rng.chance(self.rng.policy().texts.same_key) {
            return None;
        }
        if self.rng.bool()
            && let Some(got) = self.asked_number(draft, ty, hint)
        {
            return Some(got);
        }
        let mut found: Vec<(Literal, f64)> = Vec::new();
        self.for_each_given(draft, hint.text.about, &mut |literal, weight| {
            let number = match *literal {
                Literal::Int(value) => i64::from(value),
                Literal::Long(value) => value,
                _ => return,
            };
            let literal = if ty == Type::Long { Literal::Long(number) } else { Literal::Int(number as i32) };
            found.push((literal, weight));
        });
        let chosen = self.rng.index_by_weight(found.iter().map(|(_, weight)| *weight))?;
        Some(Arg::Literal(found.swap_remove(chosen).0))
    }

    /// Whether the test has so many objects of the program that some may have to agree.
    pub(super) fn has_several(&self, draft: &Draft) -> bool {
        let program = self.catalogue.program();
        let of_program = |ty: Type| ty.as_class().is_some_and(|class| program.is_application_default(class));
        let several = self.rng.policy().texts.several;
        draft.variables().iter().filter(|known| of_program(known.ty)).take(several).count() == several
    }

    /// A text that can be read, where the call in whose argument it will be reads texts as numbers or dates.
    pub(super) fn readable(&mut self) -> Option<JavaString> {
        let texts = self.catalogue.readable(self.config.caller?);
        let numbers = &self.rng.policy().texts;
        let often = if self.config.is_direct { numbers.readable_itself } else { numbers.readable };
        self.rng.one(&texts).filter(|_| self.rng.chance(often)).cloned()
    }

    /// A word that the method asks its arguments for, in whose argument this text will be.
    pub(super) fn asked_for(&mut self) -> Option<JavaString> {
        let caller = self.config.caller.filter(|_| !self.config.is_direct)?;
        if !self.rng.chance(self.rng.policy().texts.asked_for) {
            return None;
        }
        let words = self.catalogue.asked_words(caller);
        self.rng.one(&words).cloned()
    }

    /// Keys with values as one text, where the method that gets it looks for what is between them, and the call that it is made for
    /// asks for keys.
    pub(super) fn pairs(&mut self, draft: &mut Draft, hint: Hint<'_>) -> Option<Text> {
        let is_known = |sign: &&&str| hint.text.words.iter().any(|word| word.to_lossy() == ***sign);
        let between = *ASSIGNING.iter().find(is_known)?;
        if !self.has_keys_asked_for() {
            return None;
        }
        let separator = *SEPARATING.iter().find(is_known).unwrap_or(&SEPARATING[0]);
        let mut text = String::new();
        for key in self.keys_asked_for()? {
            let value = self.value_of_key(draft, &key)?;
            let separator = if text.is_empty() { "" } else { separator };
            text += &format!("{separator}{}{between}{}", key.to_lossy(), value.expanded().to_lossy());
        }
        Some(Text::plain(&text))
    }

    /// What a map has to have, keys and values in turn, so that the call which it is made for finds what it asks for.
    pub(super) fn entries_asked_for(&mut self, draft: &mut Draft) -> Option<Vec<(JavaString, Text)>> {
        if !self.has_keys_asked_for() {
            return None;
        }
        let keys = self.keys_asked_for()?;
        keys.into_iter().map(|key| self.value_of_key(draft, &key).map(|value| (key, value))).collect()
    }

    /// Mostly, where it is certain what the call looks up.
    fn has_keys_asked_for(&mut self) -> bool {
        let numbers = &self.rng.policy().texts;
        let is_certain = self.config.caller.is_some_and(|caller| {
            let shapes = self.catalogue.shapes(caller);
            shapes.iter().any(|shape| !shape.keys.is_empty())
        });
        self.rng.chance(if is_certain { numbers.shaped } else { numbers.asked_for })
    }

    /// All words that the call asks for, or some of them.
    fn keys_asked_for(&mut self) -> Option<Vec<JavaString>> {
        let caller = self.config.caller?;
        let mut keys = self.keys_of_shape(caller);
        let is_known = !keys.is_empty();
        if !is_known {
            keys = self.catalogue.asked_words(caller).iter().take(MOST_KEYS).cloned().collect();
        }
        // What is certainly looked up is mostly needed.
        let fewer = if is_known { self.rng.policy().texts.fewer_known_keys } else { 0.5 };
        if self.rng.chance(fewer) {
            self.rng.shuffle(&mut keys);
            let count = 1 + self.rng.small(keys.len().checked_sub(1)?);
            keys.truncate(count);
        }
        (!keys.is_empty()).then_some(keys)
    }

    fn value_of_key(&mut self, draft: &mut Draft, key: &JavaString) -> Option<Text> {
        if let Some(text) = self.shaped_value_of_key(draft, key) {
            return Some(text);
        }
        let about: Vec<String> = words_of(&key.to_lossy()).collect();
        let text = objects::TextHint { about: &about, ..objects::TextHint::default() };
        match self.string(draft, Hint { text, ..Hint::default() }) {
            Arg::Literal(Literal::String(text)) => Some(text),
            _ => None,
        }
    }

    /// What a getter of an object of the program gives: the number that the program itself has given it.
    fn asked_number(&mut self, draft: &mut Draft, ty: Type, hint: Hint<'_>) -> Option<Arg> {
        let mut getters: Vec<(VarId, Usable, f64)> = Vec::new();
        let program = self.catalogue.program();
        for known in draft.variables() {
            let Some(class) = known.ty.as_class().filter(|class| program.is_application_default(*class)) else {
                continue;
            };
            let members = self.catalogue.members(class, self.from);
            let is_getter = |usable: &&Usable| {
                let callable = &usable.callable;
                callable.params.is_empty()
                    && callable.ret == Some(ty)
                    && callable.method.class != ClassName::object()
                    && callable.method.name.as_str() != "hashCode"
            };
            for usable in members.iter().filter(is_getter) {
                let names = self.catalogue.names_of(usable.callable.method);
                getters.push((known.id, usable.clone(), self.likeness(&names, hint.text.about)));
            }
        }
        let chosen = self.rng.index_by_weight(getters.iter().map(|(_, _, weight)| *weight))?;
        let (object, usable, _) = getters.swap_remove(chosen);
        build::call(draft, Call::member(&usable, Arg::Var(object)), Vec::new())
    }

    /// Shows the literals that calls before were given, each with how like its name is.
    fn for_each_given(&self, draft: &Draft, about: &[String], visit: &mut dyn FnMut(&Literal, f64)) {
        let stmts = &draft.recipe().body.stmts[..draft.position()];
        for stmt in stmts {
            let Some((method, args)) = called(stmt) else { continue };
            for (index, arg) in args.iter().enumerate() {
                if let Arg::Literal(literal) = arg {
                    let weight = self.likeness(&self.catalogue.names_around(method, index), about);
                    visit(literal, weight);
                }
            }
        }
    }

    fn likeness(&self, names: &[String], about: &[String]) -> f64 {
        let common = names.iter().filter(|name| about.contains(name) && !VERBS.contains(&name.as_str())).count();
        (common as f64 * self.rng.policy().texts.like_name).powi(2)
    }
}

fn called(stmt: &Stmt) -> Option<(program::MethodRef, &[Arg])> {
    match &stmt.action {
        Action::New { constructor, args, .. } => Some((*constructor, args)),
        Action::Call { method, args, .. } => Some((*method, args)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::jdk_only;
    use crate::{Hint, Maker, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Argument, Catalogue, Draft, Pool};
    use program::{ClassName, MethodRef, Type};
    use recipe::Arg;

    /// What `make` gives with each of many seeds, as text.
    fn made(before: &str, config: MakerConfig, make: impl Fn(&mut Maker<'_>, &mut Draft)) -> Vec<String> {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, statistics, from) = (Pool::general(), MemberStatistics::default(), AccessContext::public());
        let one = |seed| {
            let mut rng = Rng::with_seed(seed);
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            let mut draft = Draft::after(recipe::parse(before).unwrap());
            make(&mut maker, &mut draft);
            draft.finish().to_string()
        };
        (0..200).map(one).collect()
    }

    #[test]
    fn what_was_given_under_a_like_name_is_asked_for_again() {
        // Three objects of a program: whether they are used does not matter.
        let before = "v2: org.junit.rules.TestName = new org.junit.rules.TestName()\n\
                      v3: org.junit.rules.TestName = new org.junit.rules.TestName()\n\
                      v4: org.junit.rules.TestName = new org.junit.rules.TestName()\n\
                      v0: java.util.Properties = new java.util.Properties()\n\
                      v1: java.lang.Object = call v0->java.util.Properties.setProperty(java.lang.String \"key-77\", java.lang.String \"x\"): java.lang.Object\n";
        let get = MethodRef::new("java/util/Properties", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
        let clear = MethodRef::new("java/util/Properties", "contains", "(Ljava/lang/Object;)Z");
        let asked = |method: MethodRef| {
            let texts = made(before, MakerConfig::default(), |maker, draft| {
                let object = draft.variables()[3].id;
                maker.call_on(draft, &Arg::Var(object), method);
            });
            texts.iter().filter(|text| text.matches("key-77").count() == 2).count()
        };
        let (alike, other) = (asked(get), asked(clear));
        assert!(alike > 30 && alike > 2 * other, "{alike} {other}");
    }

    #[test]
    fn what_is_to_work_has_elements_and_no_nulls() {
        let arguments = [Argument { ty: Type::Class(ClassName::string()), arguments: Box::default() }];
        let lists = |benign| {
            let config = MakerConfig { benign, null: 0.5, ..MakerConfig::default() };
            made("", config, |maker, draft| {
                let hint = Hint { arguments: &arguments, ..Hint::default() };
                maker.value(draft, Type::class("java/util/ArrayList"), hint);
            })
        };
        let empty = |texts: &[String]| texts.iter().filter(|text| text.contains("collect ArrayList []")).count();
        let nulls = |texts: &[String]| texts.iter().filter(|text| text.contains("[null(")).count();
        assert!(empty(&lists(false)) > 0);
        assert_eq!((empty(&lists(true)), nulls(&lists(true))), (0, 0));
    }
}
