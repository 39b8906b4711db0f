//! Changes that aim at what is not natural in a test that shows the crash: real objects in place of the test's own, of nulls and
//! of what reflection got; calls in place of fields set by force. See [`engine::naturalness`] for what counts.

use super::{Core, Tools, put_in_place};
use engine::naturalness;
use maker::{Choose, Hint, Maker, MakerConfig};
use objects::{AccessContext, Draft};
use recipe::{Action, Place, Recipe};

/// What can be done about one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// Another value in place of what the statement defines.
    Value(usize),
    /// Something else in place of a null: the statement and which of its parameters.
    Null(usize, usize),
    /// A call of a method of the object whose field is set by force.
    Field(usize),
    /// All arguments of the core together: what is right in one may only be so by what is wrong in another.
    Arguments,
}

impl Tools<'_> {
    /// One change of something that is not natural; `None` if there is nothing, or if the change fails.
    pub(crate) fn made_natural(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let aims = self.aims(recipe, core)?;
        let from =
            if self.rng.chance(self.rng.policy().naturalness.public) { AccessContext::public() } else { core.from };
        let changed = match *self.rng.one(&aims)? {
            Aim::Value(at) => self.real_value(recipe, at, from),
            Aim::Null(at, index) => self.real_argument(recipe, at, index, from),
            Aim::Field(at) => self.call_for_field(recipe, at, from),
            Aim::Arguments => self.real_arguments(recipe, core, from),
        }?;
        let changed = without_unused(changed);
        core.find(&changed).map(|_| changed)
    }

    /// A maker of real objects, which are null as often as it is told.
    fn real_maker(&mut self, from: AccessContext, null: f64) -> Maker<'_> {
        let config = MakerConfig { real: true, null, ..self.config() };
        self.maker(from, config)
    }

    fn aims(&self, recipe: &Recipe, core: &Core) -> Option<Vec<Aim>> {
        let at_core = core.find(recipe)?;
        let mut aims = Vec::new();
        for (at, stmt) in recipe.body.stmts.iter().enumerate() {
            if naturalness::of_stmt(stmt, self.catalogue) == 0 {
                continue;
            }
            match &stmt.action {
                Action::PutField { .. } => aims.push(Aim::Field(at)),
                _ if stmt.def.is_some() && at != at_core => aims.push(Aim::Value(at)),
                _ => {}
            }
            let receiver = usize::from(matches!(&stmt.action, Action::Call { receiver: Some(_), .. }));
            let args = stmt.action.args().skip(receiver).enumerate();
            let nulls = args.filter(|(_, arg)| naturalness::is_null(arg) && stmt.action.called().is_some());
            aims.extend(nulls.map(|(index, _)| Aim::Null(at, index)));
        }
        let has_arguments =
            |stmt: &recipe::Stmt| stmt.action.called().is_some_and(|m| !m.signature().params.is_empty());
        if has_arguments(&recipe.body.stmts[at_core]) {
            aims.push(Aim::Arguments);
        }
        Some(aims)
    }

    fn real_value(&mut self, recipe: &Recipe, at: usize, from: AccessContext) -> Option<Recipe> {
        let def = recipe.body.stmts[at].def?;
        let mut draft = Draft::before(recipe.clone(), at);
        let value = self.real_maker(from, 0.0).value(&mut draft, def.ty, Hint::not_null())?;
        Some(put_in_place(draft, def, &value))
    }

    fn real_argument(&mut self, recipe: &Recipe, at: usize, index: usize, from: AccessContext) -> Option<Recipe> {
        self.with_argument(recipe.clone(), at, index, from, 0.0).map(|(changed, _)| changed)
    }

    fn real_arguments(&mut self, recipe: &Recipe, core: &Core, from: AccessContext) -> Option<Recipe> {
        let mut at = core.find(recipe)?;
        let count = recipe.body.stmts[at].action.called()?.signature().params.len();
        let mut changed = recipe.clone();
        let null = self.rng.policy().naturalness.null;
        for index in 0..count {
            (changed, at) = self.with_argument(changed, at, index, from, null)?;
        }
        Some(changed)
    }

    /// The recipe with another argument for one parameter, and where the call is then.
    fn with_argument(
        &mut self,
        recipe: Recipe,
        at: usize,
        index: usize,
        from: AccessContext,
        null: f64,
    ) -> Option<(Recipe, usize)> {
        let method = recipe.body.stmts[at].action.called()?;
        let mut draft = Draft::before(recipe, at);
        let value = self.real_maker(from, null).parameter(&mut draft, method, index)?;
        let at = draft.position();
        let mut changed = draft.finish();
        let action = &mut changed.body.stmts[at].action;
        let receiver = usize::from(matches!(action, Action::Call { receiver: Some(_), .. }));
        *action.args_mut().nth(receiver + index)? = value;
        Some((changed, at))
    }

    fn call_for_field(&mut self, recipe: &Recipe, at: usize, from: AccessContext) -> Option<Recipe> {
        let receiver = match &recipe.body.stmts[at].action {
            Action::PutField { receiver, .. } => receiver.as_ref().and_then(recipe::Arg::var),
            _ => None,
        };
        let mut changed = recipe.clone();
        changed.body.stmts.remove(at);
        let mut draft = Draft::before(changed, at);
        if let Some(receiver) = receiver.filter(|_| self.rng.chance(self.rng.policy().naturalness.call_for_field)) {
            self.real_maker(from, 0.0).act_on(&mut draft, receiver)?;
        }
        Some(draft.finish())
    }
}

/// Objects of the test, fields set by force and what reflection got are not needed once nothing refers to them.
fn without_unused(mut recipe: Recipe) -> Recipe {
    let is_made = |action: &Action| {
        matches!(action, Action::Callback(_) | Action::Collection(..) | Action::New { .. } | Action::GetField { .. })
    };
    while let Some(at) = recipe.body.stmts.iter().enumerate().rposition(|(at, stmt)| {
        let is_last = at + 1 == recipe.body.stmts.len();
        !is_last && is_made(&stmt.action) && stmt.def.is_some_and(|def| !is_used(&recipe, def.var))
    }) {
        if recipe.remove(&Place::top(at)) == 0 {
            break;
        }
    }
    recipe.drop_unused_classes();
    recipe
}

fn is_used(recipe: &Recipe, var: recipe::VarId) -> bool {
    let mut used = false;
    recipe.for_each_arg(&mut |arg| used |= arg.var() == Some(var));
    used
}
