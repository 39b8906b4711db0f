//! Things that are known by keys are related by calls that take two of them: a person is made a member of a group, a task waits for another one. Such a
//! call is added before the core, between what the core is about and something else that the test has, and the core is called for that
//! instead.

use super::{Core, Tools};
use maker::Choose;
use objects::{Draft, Usable};
use program::{ClassName, Type};
use recipe::{Arg, Literal, Recipe, Stmt, VarId};

/// Longer texts are no keys.
const LONGEST_KEY: u64 = 40;

impl Tools<'_> {
    pub(super) fn relate(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let at = core.find(recipe)?;
        let mut draft = Draft::before(recipe.clone(), at);
        let own = keys(&recipe.body.stmts[at], &draft);
        let (place, key, ty) = self.rng.one(&own)?.clone();
        let other = self.other_key(&draft, (&key, ty))?;
        let members = self.relating_members(&draft, ty, core);
        let (object, usable) = self.rng.one(&members)?.clone();
        let mut places: Vec<usize> = places_of(&usable, ty);
        self.rng.shuffle(&mut places);
        let mut args: Vec<Option<Arg>> = vec![None; usable.callable.params.len()];
        args[places[0]] = Some(key);
        args[places[1]] = Some(other.clone());
        self.benign_maker(core.from).call_with(&mut draft, &Arg::Var(object), usable.callable.method, args)?;
        let at = draft.position();
        let mut changed = draft.finish();
        if self.rng.chance(self.rng.policy().mutation.core_of_other) {
            *changed.body.stmts.get_mut(at)?.action.args_mut().nth(place)? = other;
        }
        Some(changed)
    }

    /// Another key that the test has given to somebody, or that the log has.
    fn other_key(&mut self, draft: &Draft, (key, ty): (&Arg, Type)) -> Option<Arg> {
        let given = draft.recipe().body.stmts[..draft.position()].iter().flat_map(|stmt| keys(stmt, draft));
        let of_log = self.pool.keys().iter().map(|key| Literal::String(key.clone().into()));
        let of_log = of_log.map(|literal| (0, Arg::Literal(literal.clone()), literal.ty()));
        let mut others: Vec<Arg> = Vec::new();
        for (_, arg, _) in given.chain(of_log).filter(|(_, arg, known)| *known == ty && arg != key) {
            if !others.contains(&arg) {
                others.push(arg);
            }
        }
        self.rng.one(&others).cloned()
    }

    /// Methods of the test's objects that take two values of the type.
    fn relating_members(&self, draft: &Draft, ty: Type, core: &Core) -> Vec<(VarId, Usable)> {
        let program = self.catalogue.program();
        let mut seen: Vec<ClassName> = Vec::new();
        let mut found: Vec<(VarId, Usable)> = Vec::new();
        for known in draft.variables() {
            let Some(class) = known.ty.as_class().filter(|class| program.is_application_default(*class)) else {
                continue;
            };
            if seen.contains(&class) {
                continue;
            }
            seen.push(class);
            let members = self.catalogue.members(class, core.from);
            let relating = members.iter().filter(|usable| places_of(usable, ty).len() >= 2);
            found.extend(relating.map(|usable| (known.id, usable.clone())));
        }
        found
    }
}

fn places_of(usable: &Usable, ty: Type) -> Vec<usize> {
    let params = usable.callable.params.iter().enumerate();
    params.filter(|(_, param)| param.ty == ty).map(|(index, _)| index).collect()
}

/// What the call was given that may be keys, each with its place among all arguments.
fn keys(stmt: &Stmt, draft: &Draft) -> Vec<(usize, Arg, Type)> {
    let is_key = |arg: &Arg, ty: Type| match arg {
        Arg::Literal(Literal::String(text)) => (1..=LONGEST_KEY).contains(&text.len()),
        Arg::Literal(Literal::Int(_) | Literal::Long(_)) => true,
        Arg::Literal(_) => false,
        Arg::Var(_) => [Type::Class(ClassName::string()), Type::Int, Type::Long].contains(&ty),
    };
    let known = stmt.action.args().enumerate().filter_map(|(place, arg)| Some((place, arg, draft.type_of(arg)?)));
    known.filter(|(_, arg, ty)| is_key(arg, *ty)).map(|(place, arg, ty)| (place, arg.clone(), ty)).collect()
}
