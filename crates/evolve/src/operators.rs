//! Making and changing candidates: Algorithms 2 to 4 of the paper on recipes. Every candidate keeps a *core*, a call of the
//! frame it enters at; an operator that would lose it gives nothing, so that the caller tries again (the paper repeats the
//! mutation instead, which comes to the same).

use objects::{Catalogue, Choose, Door, Draft, Entry, Habits, Hint, Ledger, Maker, Pool, Rng, Vantage, literals};
use program::{ClassName, MethodRef, Type};
use recipe::{Action, Arg, Place, Recipe, Stmt, VarId};
use rustc_hash::FxHashMap;

/// What operators draw from.
#[derive(Debug)]
pub(crate) struct Tools<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) pool: &'a Pool,
    pub(crate) ledger: &'a Ledger,
    /// The classes of the crash: their other methods may have to run first.
    pub(crate) classes: &'a [ClassName],
    pub(crate) rng: &'a mut Rng,
}

/// The call that a candidate must keep.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    /// The ways into the frame's method.
    pub(crate) entries: Vec<Entry>,
    pub(crate) from: Vantage,
}

impl Core {
    /// The last statement that calls the core.
    pub(crate) fn find(&self, recipe: &Recipe) -> Option<usize> {
        recipe.body.stmts.iter().rposition(|stmt| self.is_call(stmt))
    }

    fn is_call(&self, stmt: &Stmt) -> bool {
        self.entries.iter().any(|entry| match (&stmt.action, entry.door) {
            (Action::New { constructor, .. }, Door::Call(door)) => *constructor == door,
            (Action::Call { method, .. }, Door::Call(door) | Door::CallOnResult(_, door)) => {
                is_named_alike(*method, door)
            }
            (Action::GetField { field, .. }, Door::Field(door)) => *field == door,
            _ => false,
        })
    }
}

/// Under the name of a supertype it is the same method.
fn is_named_alike(called: MethodRef, door: MethodRef) -> bool {
    called.name == door.name && called.descriptor == door.descriptor
}

impl Tools<'_> {
    fn maker(&mut self, from: Vantage, habits: Habits) -> Maker<'_> {
        Maker { catalogue: self.catalogue, pool: self.pool, ledger: self.ledger, rng: self.rng, from, habits }
    }

    /// Algorithm 2 for one test: the core with what it needs, and up to `extra` other calls before it.
    pub(crate) fn random(&mut self, core: &Core, extra: usize) -> Option<Recipe> {
        let mut draft = Draft::new();
        self.enter(&mut draft, core)?;
        let mut recipe = draft.finish();
        for _ in 0..self.rng.usize(..=extra) {
            recipe = self.insert_call(&recipe, core).unwrap_or(recipe);
        }
        Some(recipe)
    }

    fn enter(&mut self, draft: &mut Draft, core: &Core) -> Option<()> {
        let chosen = self.rng.index_by_weight(core.entries.iter().map(|entry| entry.weight))?;
        self.maker(core.from, Habits::default()).enter(draft, &core.entries[chosen]).map(|_| ())
    }

    /// Algorithm 4: each statement is changed with probability one in n, by deleting, changing or inserting.
    pub(crate) fn mutated(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let mut changed = recipe.clone();
        let rounds = 1 + self.rng.small(3);
        let mut any = false;
        for _ in 0..rounds {
            let next = match self.rng.u8(..20) {
                0..7 => self.change_literal(&changed),
                7..12 => self.change_argument(&changed, core),
                12..16 => self.insert_call(&changed, core),
                16..18 => self.delete(&changed),
                _ => self.change_statement(&changed, core),
            };
            if let Some(next) = next.filter(|next| core.find(next).is_some()) {
                changed = next;
                any = true;
            }
        }
        any.then_some(changed)
    }

    /// Algorithm 3: the first statements of one parent, the last of the other, corrected.
    pub(crate) fn crossed(&mut self, first: &Recipe, second: &Recipe, core: &Core) -> Option<Recipe> {
        let cut = self.rng.f64();
        let head = (cut * first.body.stmts.len() as f64) as usize;
        let tail = (cut * second.body.stmts.len() as f64) as usize;
        let mut start = first.clone();
        start.body.stmts.truncate(head);
        let mut draft = Draft::after(start);
        let mut names: FxHashMap<VarId, Arg> = FxHashMap::default();
        for stmt in &second.body.stmts[tail..] {
            self.append_corrected(&mut draft, stmt, second, core, &mut names)?;
        }
        let child = draft.finish();
        core.find(&child).map(|_| child)
    }

    /// Adds a statement of another recipe; variables that are not there are replaced by fitting ones or made.
    fn append_corrected(
        &mut self,
        draft: &mut Draft,
        stmt: &Stmt,
        origin: &Recipe,
        core: &Core,
        names: &mut FxHashMap<VarId, Arg>,
    ) -> Option<()> {
        if !stmt.action.bodies().is_empty() {
            // Bodies bring variables of their own; crossing keeps to plain statements.
            return None;
        }
        let mut action = stmt.action.clone();
        for arg in action.args_mut() {
            let Arg::Var(var) = arg else { continue };
            if !names.contains_key(var) {
                let ty = type_in(origin, *var)?;
                let habits = Habits { reuse: 0.9, ..Habits::default() };
                let value = self.maker(core.from, habits).value(draft, ty, Hint::not_null())?;
                names.insert(*var, value);
            }
            *arg = names[var].clone();
        }
        match stmt.def {
            Some(def) => {
                names.insert(def.var, draft.define(action, def.ty));
            }
            None => draft.perform(action),
        }
        Some(())
    }

    fn change_literal(&mut self, recipe: &Recipe) -> Option<Recipe> {
        let mut changed = recipe.clone();
        let mut count = 0;
        changed.for_each_literal_mut(&mut |_| count += 1);
        if count == 0 {
            return None;
        }
        let chosen = self.rng.usize(..count);
        let mut index = 0;
        let (pool, rng) = (self.pool, &mut *self.rng);
        changed.for_each_literal_mut(&mut |literal| {
            if index == chosen {
                *literal = literals::mutate(literal, pool, rng);
            }
            index += 1;
        });
        Some(changed)
    }

    /// Another value for one argument, made just before the statement.
    fn change_argument(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let candidates: Vec<(usize, usize, Type)> = recipe
            .body
            .stmts
            .iter()
            .enumerate()
            .flat_map(|(at, stmt)| argument_types(stmt).into_iter().enumerate().map(move |(i, ty)| (at, i, ty)))
            .collect();
        // The core's own arguments matter most.
        let at_core = core.find(recipe)?;
        let weight = |(at, _, _): &(usize, usize, Type)| if *at == at_core { 3.0 } else { 1.0 };
        let chosen = self.rng.index_by_weight(candidates.iter().map(weight))?;
        let (at, index, ty) = candidates[chosen];
        let mut draft = Draft::before(recipe.clone(), at);
        let habits = Habits { null: 0.15, ..Habits::default() };
        let value = self.maker(core.from, habits).value(&mut draft, ty, Hint::default())?;
        let at = draft.position();
        let mut changed = draft.finish();
        let receiver = usize::from(matches!(&changed.body.stmts[at].action, Action::Call { receiver: Some(_), .. }));
        *changed.body.stmts[at].action.args_mut().nth(receiver + index)? = value;
        Some(changed)
    }

    /// One more call before the core: on something that is there already, or any of the crash's classes.
    fn insert_call(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let at = core.find(recipe)?;
        let place = self.place_for_call(recipe, at);
        let mut draft = Draft::before(recipe.clone(), place);
        let variables: Vec<VarId> = draft.variables().iter().map(|variable| variable.id).collect();
        match self.rng.one(&variables).copied() {
            Some(variable) if self.rng.chance(0.85) => {
                let habits = Habits { reuse: 0.6, ..Habits::default() };
                self.maker(core.from, habits).act_on(&mut draft, variable)?;
            }
            _ => self.call_anything(&mut draft, core)?,
        }
        Some(draft.finish())
    }

    /// A call of some method of a class of the crash, which may change static state.
    fn call_anything(&mut self, draft: &mut Draft, core: &Core) -> Option<()> {
        let class = *self.rng.one(self.classes)?;
        let mut members = self.catalogue.static_members(class, core.from);
        if members.is_empty() || self.rng.bool() {
            members.extend_from_slice(&self.catalogue.members(class, core.from));
        }
        let method = self.rng.one(&members)?.callable.method;
        self.maker(core.from, Habits::default()).call(draft, method).map(|_| ())
    }

    /// Mostly right before the core, where all its objects are there.
    fn place_for_call(&mut self, recipe: &Recipe, core: usize) -> usize {
        if self.rng.chance(0.7) { core } else { self.rng.usize(..=core.min(recipe.body.stmts.len())) }
    }

    fn delete(&mut self, recipe: &Recipe) -> Option<Recipe> {
        let n = recipe.body.stmts.len();
        let at = self.rng.usize(..n.max(1));
        let mut changed = recipe.clone();
        (n > 1 && changed.remove(&Place::top(at)) > 0).then_some(changed)
    }

    /// Another way to the value that a statement defines.
    fn change_statement(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let defining: Vec<usize> =
            recipe.body.stmts.iter().enumerate().filter(|(_, stmt)| stmt.def.is_some()).map(|(at, _)| at).collect();
        let at = *self.rng.one(&defining)?;
        if core.find(recipe) == Some(at) {
            return self.replace_core(recipe, at, core);
        }
        let def = recipe.body.stmts[at].def?;
        let mut draft = Draft::before(recipe.clone(), at);
        let habits = Habits { reuse: 0.2, ..Habits::default() };
        let value = self.maker(core.from, habits).value(&mut draft, def.ty, Hint::default())?;
        let at = draft.position();
        let mut changed = draft.finish();
        changed.for_each_arg_mut(&mut |arg| {
            if arg.var() == Some(def.var) {
                *arg = value.clone();
            }
        });
        changed.body.stmts.remove(at);
        Some(changed)
    }

    fn replace_core(&mut self, recipe: &Recipe, at: usize, core: &Core) -> Option<Recipe> {
        let mut draft = Draft::before(recipe.clone(), at);
        self.enter(&mut draft, core)?;
        let at = draft.position();
        let mut changed = draft.finish();
        changed.body.stmts.truncate(at);
        Some(changed)
    }
}

/// The types of the parameters of a call, the receiver apart.
fn argument_types(stmt: &Stmt) -> Vec<Type> {
    match &stmt.action {
        Action::New { constructor, .. } => constructor.signature().params,
        Action::Call { method, .. } => method.signature().params,
        _ => Vec::new(),
    }
}

fn type_in(recipe: &Recipe, var: VarId) -> Option<Type> {
    recipe.body.stmts.iter().filter_map(|stmt| stmt.def).find(|def| def.var == var).map(|def| def.ty)
}
