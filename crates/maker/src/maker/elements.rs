//! Collections and arrays with elements of the right type.

use super::{Budget, Hint, Maker};
use crate::dice::Choose;
use crate::documents;
use objects::Draft;
use program::{ClassName, MethodRef, Type};
use recipe::{Access, Action, Arg, Collection, Content, Literal, Text, VarId};

impl Maker<'_> {
    pub(super) fn collection(
        &mut self,
        draft: &mut Draft,
        collection: Collection,
        ty: Type,
        hint: Hint<'_>,
        budget: Budget,
    ) -> Option<Arg> {
        let below = budget.below()?;
        if let Some(elements) = self.entries(draft, collection, hint) {
            return Some(draft.define(Action::Collection(collection, elements), ty));
        }
        let count = self.element_count();
        let mut elements = Vec::new();
        for _ in 0..count {
            elements.push(self.element(draft, collection, (hint, 0), below)?);
            if collection.is_map() {
                elements.push(self.element(draft, collection, (hint, 1), below)?);
            }
        }
        let made = draft.define(Action::Collection(collection, elements), ty);
        if self.config.nesting > 0 && self.rng.chance(self.rng.policy().elements.in_itself) {
            put_into_itself(draft, collection, &made);
        }
        Some(made)
    }

    /// The entries of a map from texts to texts that the call asks for in whose argument it will be.
    fn entries(&mut self, draft: &mut Draft, collection: Collection, hint: Hint<'_>) -> Option<Vec<Arg>> {
        let string = Type::Class(ClassName::string());
        let is_of_texts = hint.arguments.iter().filter(|argument| argument.ty == string).count() == 2;
        if !collection.is_map() || !(is_of_texts || collection == Collection::Properties) {
            return None;
        }
        let entries = self.entries_asked_for(draft)?;
        let text = |text: Text| Arg::Literal(Literal::String(text));
        Some(entries.into_iter().flat_map(|(key, value)| [text(key.into()), text(value)]).collect())
    }

    pub(super) fn array(&mut self, draft: &mut Draft, component: Type, hint: Hint<'_>, budget: Budget) -> Option<Arg> {
        let ty = Type::array_of(component);
        let Some(below) = budget.below() else {
            return Some(draft.define(Action::NewArray { component, length: 0 }, ty));
        };
        if matches!(component, Type::Byte | Type::Char) && self.rng.bool() {
            return Some(self.array_of_text(draft, component, hint));
        }
        if component == Type::Byte && self.rng.chance(self.rng.policy().elements.binary) {
            return Some(self.array_of_bytes(draft));
        }
        let numbers = &self.rng.policy().elements;
        if self.rng.chance(numbers.plain_array) {
            let length = *self.rng.one(&numbers.lengths)?;
            return Some(draft.define(Action::NewArray { component, length }, ty));
        }
        let mut elements = Vec::new();
        for _ in 0..self.element_count() {
            let element = self.value_within(draft, component, Hint { not_null: false, ..hint }, below);
            elements.push(element.unwrap_or(Arg::Literal(Literal::Null(component))));
        }
        Some(draft.define(Action::ArrayOf { component, elements }, ty))
    }

    /// The start of a binary file: what reads bytes knows its format by the first of them.
    fn array_of_bytes(&mut self, draft: &mut Draft) -> Arg {
        let mut bytes = match documents::binary(self.rng) {
            Content::Bytes(bytes) => bytes,
            Content::Text(text) => text.expanded().to_lossy().into_bytes(),
        };
        if self.rng.bool() {
            bytes = documents::mutate_bytes(&bytes, self.rng);
        }
        bytes.truncate(self.rng.policy().elements.most_bytes);
        let elements = bytes.into_iter().map(|byte| Arg::Literal(Literal::Byte(byte.cast_signed()))).collect();
        draft.define(Action::ArrayOf { component: Type::Byte, elements }, Type::array_of(Type::Byte))
    }

    /// An element for the type argument of that number.
    fn element(
        &mut self,
        draft: &mut Draft,
        collection: Collection,
        (hint, argument): (Hint<'_>, usize),
        budget: Budget,
    ) -> Option<Arg> {
        let argument = hint.arguments.get(argument);
        let ty = match argument {
            _ if collection == Collection::Properties => Type::Class(ClassName::string()),
            Some(argument) if argument.ty != Type::Class(ClassName::object()) => argument.ty,
            _ => match self.known_object(draft, collection) {
                Some(known) => return Some(known),
                // Elements of one type are what most code expects; `Object` still gives mixtures.
                None if self.rng.chance(self.rng.policy().elements.strings) => Type::Class(ClassName::string()),
                None => Type::Class(ClassName::object()),
            },
        };
        // Sorted and old collections refuse null, which would only waste the candidate.
        let refuses_null = matches!(collection, Collection::TreeMap | Collection::TreeSet | Collection::Properties);
        let arguments = argument.map_or(&[][..], |argument| &argument.arguments);
        let hint = Hint { arguments, text: hint.text, not_null: refuses_null };
        self.value_within(draft, ty, hint, budget)
    }

    /// Now and then, an object of the program that is there already: queues and registries hold what else the test is about.
    /// Sorted collections would have to compare it.
    fn known_object(&mut self, draft: &Draft, collection: Collection) -> Option<Arg> {
        let is_sorted = matches!(collection, Collection::TreeMap | Collection::TreeSet);
        if is_sorted || !self.rng.chance(self.rng.policy().elements.known * self.config.reuse) {
            return None;
        }
        let program = self.catalogue.program();
        let is_of_program = |ty: &Type| ty.as_class().is_some_and(|class| program.is_application_default(class));
        let known: Vec<VarId> =
            draft.variables().iter().filter(|known| is_of_program(&known.ty)).map(|known| known.id).collect();
        self.rng.one(&known).map(|id| Arg::Var(*id))
    }

    fn element_count(&mut self) -> usize {
        // Empty and single are the interesting sizes, so a geometric draw fits.
        match self.config.benign {
            true => 1 + self.rng.small(self.config.elements.saturating_sub(1)),
            false => self.rng.small(self.config.elements),
        }
    }
}

/// Adds the collection to itself. Sorted ones compare what they contain, and fixed ones take nothing.
fn put_into_itself(draft: &mut Draft, collection: Collection, made: &Arg) {
    let key = Arg::Literal(Literal::String(Text::plain("a")));
    let (method, args) = match collection {
        Collection::HashMap | Collection::LinkedHashMap => {
            let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            (MethodRef::new("java/util/Map", "put", put), vec![key, made.clone()])
        }
        Collection::ArrayList | Collection::LinkedList | Collection::HashSet | Collection::LinkedHashSet => {
            (MethodRef::new("java/util/Collection", "add", "(Ljava/lang/Object;)Z"), vec![made.clone()])
        }
        Collection::AsList | Collection::TreeMap | Collection::TreeSet | Collection::Properties => return,
    };
    draft.perform(Action::Call { method, receiver: Some(made.clone()), args, access: Access::Public });
}

#[cfg(test)]
mod tests {
    use crate::maker::Budget;
    use crate::testing::{jdk_only, program_of};
    use crate::{Hint, Maker, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Draft, Pool};
    use program::{MethodRef, Type};
    use recipe::{Access, Action};

    #[test]
    fn collections_contain_themselves_only_where_a_stack_is_to_overflow() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(3));
        let mut count = |nesting: u32| {
            let mut made = |_: &u32| {
                let mut draft = Draft::new();
                let (from, config) = (AccessContext::public(), MakerConfig { nesting, ..MakerConfig::default() });
                let mut maker =
                    Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
                maker.value(&mut draft, Type::class("java/util/HashMap"), Hint::not_null());
                draft.finish().to_string().contains("java.util.Map.put(java.lang.Object \"a\"")
            };
            (0..100).filter(|at| made(at)).count()
        };
        assert_eq!(count(0), 0);
        let found = count(20);
        assert!(found > 5, "{found}");
    }

    #[test]
    fn collections_of_anything_hold_what_the_test_has_of_the_program() {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15"]), &[]);
        let (pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(3));
        let mut holds_it = |_: &u32| {
            let mut draft = Draft::new();
            let layout = Type::class("org/apache/log4j/SimpleLayout");
            let constructor = MethodRef::new("org/apache/log4j/SimpleLayout", "<init>", "()V");
            let action = Action::New { constructor, args: Vec::new(), access: Access::Public };
            let known = draft.define(action, layout);
            let (from, config) = (AccessContext::public(), MakerConfig { reuse: 0.85, ..MakerConfig::default() });
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            maker.new_instance(
                &mut draft,
                Type::class("java/util/ArrayList"),
                Hint::not_null(),
                Budget { levels: 4, limit: 40 },
            );
            let stmts = draft.finish().body.stmts;
            stmts.iter().any(|stmt| matches!(&stmt.action, Action::Collection(_, held) if held.contains(&known)))
        };
        let found = (0..200).filter(|at| holds_it(at)).count();
        assert!(found > 20, "{found}");
    }
}
