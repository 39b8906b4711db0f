//! What the fields of a user's object hold: values as the program would find them, other objects of the test, and the object
//! itself, since a graph of objects may have cycles.

use super::{Budget, Hint, Maker};
use crate::dice::Choose;
use objects::Draft;
use program::{ClassName, FieldRef, Symbol, Type};
use recipe::{Access, Action, Arg, FieldDecl, Recipe, VarId};

impl Maker<'_> {
    /// Makes one of the fields refer to objects of the class itself, now and then: nodes of a list or a tree.
    pub(super) fn link(&mut self, fields: &mut [FieldDecl], class: ClassName) {
        if fields.is_empty() || !self.rng.chance(self.rng.policy().classes.linked) {
            return;
        }
        let at = self.rng.usize(..fields.len());
        let (ty, signature) = if self.rng.chance(self.rng.policy().classes.linked_directly) {
            (Type::Class(class), None)
        } else {
            let list = format!("Ljava/util/List<L{};>;", class.as_internal());
            (Type::class("java/util/List"), Some(Symbol::new(&list)))
        };
        fields[at] = FieldDecl { ty, signature, init: None, ..fields[at].clone() };
    }

    /// Sets some fields of a new object.
    pub(super) fn fill(&mut self, draft: &mut Draft, object: VarId, class: ClassName, budget: Budget) {
        for field in fields_of(draft.recipe(), class) {
            if field.ty.is_reference() && self.rng.chance(self.rng.policy().classes.filled) {
                self.set_own_field(draft, object, class, &field, budget);
            }
        }
    }

    /// Sets a field of an object of the test's own class.
    pub(super) fn change_own(
        &mut self,
        draft: &mut Draft,
        object: VarId,
        class: ClassName,
        budget: Budget,
    ) -> Option<()> {
        let fields = fields_of(draft.recipe(), class);
        let field = self.rng.one(&fields)?.clone();
        self.set_own_field(draft, object, class, &field, budget)
    }

    fn set_own_field(
        &mut self,
        draft: &mut Draft,
        object: VarId,
        class: ClassName,
        field: &FieldDecl,
        budget: Budget,
    ) -> Option<()> {
        let may_be_itself = field.ty == Type::Class(class) || field.ty == Type::Class(ClassName::object());
        let checkpoint = draft.checkpoint();
        let value = match field.ty {
            _ if may_be_itself && self.rng.chance(self.rng.policy().classes.itself) => Some(Arg::Var(object)),
            Type::Class(other) if draft.declares(other) => Some(self.plain_object(draft, other)),
            _ => self.value_within(draft, field.ty, Hint::not_null(), budget),
        };
        let Some(value) = value else {
            draft.take_back(checkpoint);
            return None;
        };
        let descriptor = Symbol::new(&field.ty.descriptor());
        let field = FieldRef { class, name: field.name, descriptor };
        draft.perform(Action::PutField { field, receiver: Some(Arg::Var(object)), value, access: Access::Public });
        Some(())
    }
}

fn fields_of(recipe: &Recipe, class: ClassName) -> Vec<FieldDecl> {
    let declared = recipe.classes.iter().find(|declared| declared.name == class);
    declared
        .map(|declared| declared.fields.iter().filter(|field| !field.is_static).cloned().collect())
        .unwrap_or_default()
}

/// Without the statements that set fields which a changed class no longer has.
pub(super) fn without_lost_fields(mut recipe: Recipe) -> Recipe {
    let classes = recipe.classes.clone();
    recipe.body.stmts.retain(|stmt| {
        let Action::PutField { field, .. } = &stmt.action else { return true };
        let Some(class) = classes.iter().find(|class| class.name == field.class) else { return true };
        class.fields.iter().any(|kept| kept.name == field.name && kept.ty == field.field_type())
    });
    recipe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use crate::{MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Pool};

    #[test]
    fn objects_of_the_user_hold_values_and_themselves() {
        let program = jdk_only();
        let catalogue = Catalogue::new(program.clone(), &[]);
        let (pool, statistics, mut rng, from) =
            (Pool::general(), MemberStatistics::default(), Rng::with_seed(3), AccessContext::public());
        let (mut set, mut cyclic, mut linked) = (0, 0, 0);
        for _ in 0..1000 {
            let config = MakerConfig::default();
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            let mut draft = Draft::new();
            maker.user_object(&mut draft);
            let mut recipe = draft.finish();
            assert_eq!(recipe::check(&recipe, &*program), Ok(()), "{recipe}");
            for stmt in &recipe.body.stmts {
                if let Action::PutField { receiver, value, .. } = &stmt.action {
                    set += 1;
                    cyclic += usize::from(receiver.as_ref() == Some(value));
                }
            }
            linked +=
                recipe.classes.iter().filter(|one| one.fields.iter().any(|f| f.ty == Type::Class(one.name))).count();
            // Whatever becomes of the class, what is set is there.
            for _ in 0..5 {
                recipe = maker.mutate_user_class(&recipe).unwrap();
                assert_eq!(recipe::check(&recipe, &*program), Ok(()), "{recipe}");
            }
        }
        assert!(set > 100 && cyclic > 15 && linked > 30, "{set} {cyclic} {linked}");
    }

    #[test]
    fn a_field_can_be_set_later() {
        let program = jdk_only();
        let catalogue = Catalogue::new(program.clone(), &[]);
        let (pool, statistics, mut rng, from) =
            (Pool::general(), MemberStatistics::default(), Rng::with_seed(5), AccessContext::public());
        let config = MakerConfig::default();
        let mut maker =
            Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
        let mut draft = Draft::new();
        let object = maker.user_object(&mut draft).var().unwrap();
        let before = draft.position();
        for _ in 0..20 {
            maker.act_on(&mut draft, object);
        }
        let recipe = draft.finish();
        assert!(
            recipe.body.stmts[before..].iter().any(|stmt| matches!(stmt.action, Action::PutField { .. })),
            "{recipe}"
        );
        assert_eq!(recipe::check(&recipe, &*program), Ok(()), "{recipe}");
    }
}
