//! Making and changing candidates: Algorithms 2 to 4 of the paper on recipes. Every candidate keeps a *core*, a call of the
//! frame it enters at; an operator that would lose it gives nothing, so that the caller tries again (the paper repeats the
//! mutation instead, which comes to the same).

mod crossover;
mod fitting;
mod local;
mod loops;
mod mutation;
mod natural;
mod relate;
mod statistics;
mod telling;

use crate::comparands::Comparands;
use crate::config::Extras;
use crate::log_calls::LogCall;
use maker::{Choose, Maker, MakerConfig, MemberStatistics, Rng};
use objects::{AccessContext, Catalogue, Draft, Entry, EntryPoint, Pool};
use program::{ClassName, MethodRef, Type};
use recipe::{Action, Arg, Content, Def, Literal, Recipe, Stmt, VarId};

pub(crate) use fitting::fitted;
pub(crate) use local::neighbours;
pub(crate) use statistics::{Changes, OperatorStatistics};

/// What operators draw from.
#[derive(Debug)]
pub(crate) struct Tools<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) pool: &'a Pool,
    pub(crate) statistics: &'a MemberStatistics,
    /// The classes of the crash: their other methods may have to run first.
    pub(crate) classes: &'a [ClassName],
    pub(crate) extras: Extras,
    /// Texts are nested this deep now and then: a stack is to overflow.
    pub(crate) nesting: u32,
    /// Constants of the branch that the parent could not pass.
    pub(crate) comparands: Option<&'a Comparands>,
    /// What the log tells of calls before the crash.
    pub(crate) told: &'a [LogCall],
    /// What the kinds of change were worth so far.
    pub(crate) operator_statistics: &'a OperatorStatistics,
    pub(crate) rng: &'a mut Rng,
}

/// The call that a candidate must keep.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    /// The ways into the frame's method.
    pub(crate) entries: Vec<Entry>,
    pub(crate) from: AccessContext,
}

impl Core {
    /// The last statement that calls the core.
    pub(crate) fn find(&self, recipe: &Recipe) -> Option<usize> {
        recipe.body.stmts.iter().rposition(|stmt| self.is_call(stmt))
    }

    fn is_call(&self, stmt: &Stmt) -> bool {
        self.entries.iter().any(|entry| match (&stmt.action, entry.point) {
            (Action::New { constructor, .. }, EntryPoint::Call(door)) => *constructor == door,
            (Action::Call { method, .. }, EntryPoint::Call(door) | EntryPoint::CallOnResult(_, door)) => {
                is_named_alike(*method, door)
            }
            (Action::GetField { field, .. }, EntryPoint::Field(door)) => *field == door,
            _ => false,
        })
    }
}

/// The literals among the arguments of a statement, and then those of the statements that make its other arguments, with the
/// texts of files and streams: what an inner frame reads from a reader, an outer one may get as a text. Null is nothing to hand on.
fn given_to(recipe: &Recipe, at: usize) -> Vec<Literal> {
    let mut given = Vec::new();
    let mut needed = vec![at];
    let mut next = 0;
    while let Some(stmt) = needed.get(next).and_then(|at| recipe.body.stmts.get(*at)) {
        next += 1;
        for arg in stmt.action.args() {
            match arg {
                Arg::Literal(Literal::Null(_)) => {}
                Arg::Literal(literal) => given.push(literal.clone()),
                Arg::Var(var) => {
                    let defines = |stmt: &Stmt| stmt.def.is_some_and(|def| def.var == *var);
                    let found = recipe.body.stmts.iter().position(defines);
                    needed.extend(found.filter(|at| !needed.contains(at)));
                }
            }
        }
        let texts = stmt.contents().into_iter().filter_map(|content| match content {
            Content::Text(text) => Some(text.clone()),
            Content::Bytes(_) => None,
        });
        given.extend(texts.map(Literal::String));
    }
    given
}

/// The literal for a place of the type: a number may come from outside as a text.
fn as_type(literal: &Literal, ty: Type) -> Option<Literal> {
    match literal {
        other if other.ty() == ty => Some(other.clone()),
        Literal::Int(value) if ty == Type::Class(ClassName::string()) => Some(Literal::string(&value.to_string())),
        Literal::Long(value) if ty == Type::Class(ClassName::string()) => Some(Literal::string(&value.to_string())),
        _ => None,
    }
}

/// The value, made right before the statement at the draft's place, for what that statement defines.
fn put_in_place(draft: Draft, def: Def, value: &Arg) -> Recipe {
    let at = draft.position();
    let mut changed = draft.finish();
    changed.for_each_arg_mut(&mut |arg| {
        if arg.var() == Some(def.var) {
            *arg = value.clone();
        }
    });
    changed.body.stmts.remove(at);
    changed
}

/// Under the name of a supertype it is the same method.
fn is_named_alike(called: MethodRef, door: MethodRef) -> bool {
    called.name == door.name && called.descriptor == door.descriptor
}

impl Tools<'_> {
    /// How makers decide unless an operator wants it otherwise.
    fn config(&self) -> MakerConfig {
        MakerConfig::of(&self.rng.policy().making)
    }

    /// A maker that decides as usual.
    fn usual_maker(&mut self, from: AccessContext) -> Maker<'_> {
        let config = self.config();
        self.maker(from, config)
    }

    /// A maker of what is to work.
    fn benign_maker(&mut self, from: AccessContext) -> Maker<'_> {
        let config = MakerConfig { benign: true, ..self.config() };
        self.maker(from, config)
    }

    fn maker(&mut self, from: AccessContext, config: MakerConfig) -> Maker<'_> {
        let Extras { constants, mined_types, mined_usages, .. } = self.extras;
        let config = MakerConfig {
            nesting: self.nesting,
            knows_words: constants && config.knows_words,
            usage: if mined_usages { config.usage } else { 0.0 },
            casts: if mined_types { config.casts } else { 0.0 },
            ..config
        };
        Maker { catalogue: self.catalogue, pool: self.pool, statistics: self.statistics, rng: self.rng, from, config }
    }

    /// Algorithm 2 for one test: the core with what it needs, and up to `extra` other calls before it.
    pub(crate) fn random(&mut self, core: &Core, extra: usize) -> Option<Recipe> {
        let mut draft = Draft::new();
        self.enter(&mut draft, core)?;
        let mut recipe = draft.finish();
        // Half of the tests are plain: the shortest way is often the right one.
        let more = if self.rng.bool() { 0 } else { self.rng.usize(..=extra) };
        for _ in 0..more {
            recipe = self.insert_call(&recipe, core).unwrap_or(recipe);
        }
        Some(recipe)
    }

    /// What made an inner frame crash, up to the call of that frame, and then the core, with the same objects where they fit.
    pub(crate) fn grown(&mut self, inner: &Recipe, inner_core: &Core, core: &Core) -> Option<Recipe> {
        let at = inner_core.find(inner)?;
        let given = given_to(inner, at);
        let objects: Vec<VarId> = inner.body.stmts[at].action.args().filter_map(Arg::var).collect();
        let mut start = inner.clone();
        start.body.stmts.truncate(at);
        let mut draft = Draft::after(start);
        let chosen = self.rng.index_by_weight(core.entries.iter().map(|entry| entry.weight))?;
        let config = MakerConfig { reuse: self.rng.policy().start.reuse_of_grown, ..self.config() };
        self.maker(core.from, config).enter(&mut draft, &core.entries[chosen])?;
        let mut recipe = draft.finish();
        recipe.body.stmts[at..].iter_mut().for_each(|stmt| self.hand_on(stmt, &given));
        if self.rng.chance(self.rng.policy().start.given) {
            recipe = self.give(&recipe, core, at, &objects).unwrap_or(recipe);
        }
        // What the outer frame gets has to be given to it first: an appender is added to its logger.
        for _ in 0..self.rng.small(self.rng.policy().start.calls) {
            recipe = self.insert_call(&recipe, core).unwrap_or(recipe);
        }
        Some(recipe)
    }

    /// One of the objects that the inner frame worked with is given to one that was made for the outer frame, which starts at the
    /// statement `from`: that is how it gets there.
    fn give(&mut self, recipe: &Recipe, core: &Core, from: usize, objects: &[VarId]) -> Option<Recipe> {
        let at = core.find(recipe)?;
        let made = recipe.body.stmts[from.min(at)..at].iter().filter_map(|stmt| Some(stmt.def?.var));
        let called = recipe.body.stmts[at].action.args().filter_map(Arg::var);
        let holders: Vec<VarId> = called.chain(made).collect();
        let mut pairs: Vec<(VarId, VarId)> = Vec::new();
        for holder in holders {
            pairs.extend(objects.iter().filter(|object| **object != holder).map(|object| (holder, *object)));
        }
        // Most objects take no others.
        for _ in 0..pairs.len().min(self.rng.policy().start.pairs) {
            let (holder, object) = *self.rng.one(&pairs)?;
            let mut draft = Draft::before(recipe.clone(), at);
            if self.usual_maker(core.from).give(&mut draft, holder, object).is_some() {
                return Some(draft.finish());
            }
        }
        None
    }

    /// What the inner frame was given as it stands is likely to come from outside: the text that it reads, the number that it
    /// checks.
    fn hand_on(&mut self, stmt: &mut Stmt, given: &[Literal]) {
        let rng = &mut *self.rng;
        let mut handed = |ty: Type| {
            let fitting: Vec<Literal> = given.iter().filter_map(|literal| as_type(literal, ty)).collect();
            let chosen = rng.one(&fitting).cloned();
            chosen.filter(|_| rng.chance(rng.policy().start.handed_on))
        };
        for arg in stmt.action.args_mut() {
            if let Arg::Literal(literal) = arg
                && let Some(other) = handed(literal.ty())
            {
                *literal = other;
            }
        }
        for content in stmt.contents_mut() {
            if let Content::Text(text) = content
                && let Some(Literal::String(other)) = handed(Type::Class(ClassName::string()))
            {
                *text = other;
            }
        }
    }

    fn enter(&mut self, draft: &mut Draft, core: &Core) -> Option<()> {
        let chosen = self.rng.index_by_weight(core.entries.iter().map(|entry| entry.weight))?;
        let entry = &core.entries[chosen];
        let numbers = &self.rng.policy().start;
        let composed = if self.told.is_empty() { numbers.composed } else { numbers.composed_with_log };
        if self.extras.mined_usages && self.rng.chance(composed) && self.enter_composed(draft, entry, core.from) {
            return Some(());
        }
        if self.extras.mined_usages
            && self.rng.chance(self.rng.policy().start.like_others)
            && self.enter_like_others(draft, entry, core.from)
        {
            return Some(());
        }
        self.usual_maker(core.from).enter(draft, entry).map(|_| ())
    }

    /// Enters on an object that shares its parts with others, so that what these are told before has consequences.
    fn enter_composed(&mut self, draft: &mut Draft, entry: &Entry, from: AccessContext) -> bool {
        let EntryPoint::Call(method) = entry.point else { return false };
        let owners = self.catalogue.owners(method);
        let Some(owner) = owners.first().copied() else { return false };
        let checkpoint = draft.checkpoint();
        let mut maker = self.usual_maker(from);
        let composed = maker.compose(draft, &owners).or_else(|| maker.inject(draft, owner));
        let entered = composed.and_then(|receiver| self.enter_on(draft, &receiver, method, from)).is_some();
        if !entered {
            draft.take_back(checkpoint);
        }
        entered
    }

    /// Whether the test has objects of the program that are made of others.
    fn has_parts(&self, recipe: &Recipe) -> bool {
        let program = self.catalogue.program();
        let is_made_of_others = |stmt: &Stmt| match &stmt.action {
            Action::New { constructor, args, .. } => {
                program.is_application_default(constructor.class) && args.iter().any(|arg| arg.var().is_some())
            }
            _ => false,
        };
        recipe.body.stmts.iter().any(is_made_of_others)
    }

    fn enter_on(&mut self, draft: &mut Draft, receiver: &Arg, method: MethodRef, from: AccessContext) -> Option<()> {
        let mut args = Vec::new();
        if !self.told.is_empty() && self.rng.chance(self.rng.policy().start.told) {
            self.tell_again(draft, from);
            args = self.told_arguments(draft, method, from);
        }
        self.usual_maker(from).call_with(draft, receiver, method, args).map(|_| ())
    }

    /// Does what some call site of the entry does before it calls it.
    fn enter_like_others(&mut self, draft: &mut Draft, entry: &Entry, from: AccessContext) -> bool {
        let EntryPoint::Call(method) = entry.point else { return false };
        let usages = self.catalogue.usages(method);
        let Some(usage) = self.rng.one(&usages).cloned() else { return false };
        self.usual_maker(from).replay(draft, &usage).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;

    fn tools<'a>(
        catalogue: &'a Catalogue,
        pool: &'a Pool,
        statistics: &'a MemberStatistics,
        operator_statistics: &'a OperatorStatistics,
        rng: &'a mut Rng,
    ) -> Tools<'a> {
        let (extras, comparands) = (Extras::ALL, None);
        Tools {
            catalogue,
            pool,
            statistics,
            classes: &[],
            extras,
            nesting: 0,
            comparands,
            told: &[],
            operator_statistics,
            rng,
        }
    }

    #[test]
    fn objects_of_the_inner_frame_are_given_to_those_of_the_outer_one() {
        let text = "v0: java.util.logging.Handler = new java.util.logging.ConsoleHandler()
v1: java.util.logging.Logger = call java.util.logging.Logger.getAnonymousLogger(): java.util.logging.Logger
call v1 -> java.util.logging.Logger.info(java.lang.String \"x\")";
        let recipe = recipe::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let catalogue = jdk_only();
        let (pool, statistics, operator_statistics, mut rng) =
            (Pool::general(), MemberStatistics::default(), OperatorStatistics::default(), Rng::with_seed(1));
        let point = EntryPoint::Call(MethodRef::new("java/util/logging/Logger", "info", "(Ljava/lang/String;)V"));
        let entry = Entry { point, access: recipe::Access::Public, path: Vec::new(), weight: 1.0 };
        let core = Core { entries: vec![entry], from: AccessContext::public() };
        let handler: Vec<VarId> = recipe.body.stmts[0].def.iter().map(|def| def.var).collect();
        let mut tools = tools(&catalogue, &pool, &statistics, &operator_statistics, &mut rng);
        let given = (0..20).filter_map(|_| tools.give(&recipe, &core, 1, &handler)).map(|given| given.to_string());
        let given: Vec<String> = given.collect();
        let adds =
            |text: &&String| text.contains("v1->java.util.logging.Logger.addHandler(java.util.logging.Handler v0)");
        assert!(given.iter().filter(adds).count() > 2, "{given:?}");
    }

    #[test]
    fn what_the_inner_frame_was_given_is_handed_on() {
        let parsed = |text: &str| recipe::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let inner = parsed("call a.B.inner(java.lang.String \"x[\", int 7, java.lang.Object null(java.lang.Object))");
        let given = given_to(&inner, 0);
        assert_eq!(given, [Literal::string("x["), Literal::Int(7)]);
        let reads = "v0: java.io.Reader = stream StringReader \"y{\"\nv1: java.io.Reader = new java.io.BufferedReader(java.io.Reader v0, int 9)\n\
                     call a.B.inner(java.io.Reader v1, int 7)";
        assert_eq!(given_to(&parsed(reads), 2), [Literal::Int(7), Literal::Int(9), Literal::string("y{")]);
        let outer = "v0: java.io.Reader = stream StringReader \"doc\"\ncall a.B.outer(java.lang.String \"abc\", int 1, long 2L)";
        let outer = recipe::parse(outer).unwrap_or_else(|error| panic!("{error}"));
        let catalogue = jdk_only();
        let (pool, statistics, operator_statistics) =
            (Pool::general(), MemberStatistics::default(), OperatorStatistics::default());
        let mut texts: Vec<String> = Vec::new();
        for seed in 0..40 {
            let mut rng = Rng::with_seed(seed);
            let mut tools = tools(&catalogue, &pool, &statistics, &operator_statistics, &mut rng);
            let mut grown = outer.clone();
            grown.body.stmts.iter_mut().for_each(|stmt| tools.hand_on(stmt, &given));
            texts.push(grown.to_string());
        }
        let has = |parts: &[&str]| texts.iter().any(|text| parts.iter().all(|part| text.contains(part)));
        assert!(has(&["String \"x[\", int 7, long 2L"]) && has(&["String \"abc\", int 1"]), "{texts:?}");
        assert!(has(&["StringReader \"x[\""]) && has(&["StringReader \"doc\""]), "{texts:?}");
    }
}
