//! From a condition at the entry of a method to the calls that bring it about (STAR, section 4): a condition about fields of an object is
//! composed with the ways through a constructor, a factory or a method that writes these fields, which leaves a condition about
//! their arguments; and so on, until only values are left that can be written down.
//!
//! A [`Plan`] is a condition and the calls after which it is asked for, the last call first. Plans with few calls and little left
//! to be brought about are worked on first. Unlike the paper, an object may come from any member that gives one, and not only
//! from its own constructors.

use crate::emit::{Emitter, Fill, is_written_down, may_run};
use crate::journal::note;
use crate::precondition::{Precondition, parameter};
use crate::settings::Switches;
use crate::solving::Solving;
use crate::summaries::Summaries;
use crate::walk::{Entry, Place, Reach, Walker, tidy};
use analysis::Lowered;
use ir::{Kind, Operand, Parameter, Terminator, Var};
use objects::{AccessContext, CallKind, Callable, Catalogue, How, StubForm, Usable, Way};
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::{Access, Recipe};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smt::{Evaluation, Model, Node, Term};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use symbolic::{Bounds, Leaf, Marks, Region, State, World};

/// A recipe, and what values are like in it of which nothing was said.
#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) recipe: Recipe,
    pub(crate) fill: Fill,
}

/// Something that the test does.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) receiver: Option<Term>,
    pub(crate) args: Vec<(Term, Type)>,
    /// The object that its result stands for.
    pub(crate) makes: Option<Term>,
}

#[derive(Clone, Debug)]
pub(crate) enum Act {
    Call {
        callable: Arc<Callable>,
        /// The name under which it is called.
        name: MethodRef,
        access: Access,
        /// The class of what it gives, where that is known better.
        creates: Option<ClassName>,
    },
    /// An object of a subclass of the test's own, which overrides nothing.
    Subclass(Way),
    /// Writes a field of the receiver; a static one without a receiver.
    Put { field: FieldRef, access: Access },
}

/// A condition, and what is done after which it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) formula: Vec<Term>,
    /// The last one first.
    pub(crate) steps: Vec<Step>,
    /// Objects that have to be made, with their declared types, in the order in which they came up.
    objects: Vec<(Term, Type)>,
    /// Some object is in a state that nobody knows.
    is_guess: bool,
    cost: usize,
}

impl Plan {
    /// Its calls, the first one first.
    fn said(&self) -> String {
        let calls = self.steps.iter().rev().map(|step| match &step.act {
            Act::Call { name, .. } => name.to_string(),
            Act::Subclass(way) => way.to_string(),
            Act::Put { field, .. } => format!("{field} ="),
        });
        let calls: Vec<String> = calls.collect();
        format!(
            "{} with {} conditions, cost {}, guess {}",
            calls.join("; "),
            self.formula.len(),
            self.cost,
            self.is_guess
        )
    }
}

/// An object that has to be brought into some state.
#[derive(Debug)]
struct Wanted {
    object: Term,
    ty: Type,
    /// Fields that the condition reads of it, and of what is reached through it.
    fields: BTreeSet<FieldRef>,
    /// Elements of arrays are read too.
    has_elements: bool,
}

/// Who has to be made for a read to give what is wanted.
#[derive(Clone, Copy, Debug)]
struct Owner {
    /// The place among the objects to be made.
    at: usize,
    object: Term,
    ty: Type,
    /// The read is of the object itself, or of what is written down with it, and goes through no field of the program.
    is_part: bool,
}

/// A call that may come first.
struct Called<'a> {
    act: Act,
    callable: &'a Arc<Callable>,
    /// The object that it is called on, where that is to be changed.
    on: Option<Term>,
    /// The object that it is to give.
    makes: Option<Term>,
}

/// How far what makes or changes an object is walked through.
const REACH: Reach = Reach {
    visits: 2,
    walks: 120,
    entries: 4,
    // Most plans are never looked at again: those that are get asked for then.
    asks: false,
    callee: Bounds { visits: 2, depth: 5, steps: 2_000, paths: 8, failures: false, targets: 2 },
};
/// Calls that are put in front of the one that crashes.
const MOST_STEPS: usize = 8;
/// Recipes that are made of one condition.
const MOST_RECIPES: usize = 2;
/// Lengths of arrays and lists that people like to read, the best last.
const SHORT: [i32; 2] = [300, 5];
/// Numbers of which little is known are mostly small where they mean anything.
const SMALL: i32 = 300;
/// What it costs to take code that is not seen to do nothing.
const UNSEEN: usize = 6;
/// What it costs to call the same once more.
const AGAIN: usize = 4;
/// What it costs not to know the state of an object.
const GUESS: usize = 20;
/// Recipes of one condition in which the state of some object is not known.
const MOST_GUESSES: usize = 3;
/// Members that are tried to make or change one object.
const MOST_MEMBERS: usize = 10;

/// Classes of objects that run the method of the trace which are looked at, the nearest first: finding all ways to one takes long.
const MOST_OWNERS: usize = 2;

pub(crate) struct Composer<'a> {
    pub(crate) world: &'a World,
    pub(crate) solving: &'a mut Solving,
    pub(crate) summaries: &'a mut Summaries,
    pub(crate) catalogue: &'a Catalogue,
    /// Recipes that there are already, by fingerprint.
    pub(crate) known: &'a BTreeSet<u64>,
    /// Operations that were walked through.
    pub(crate) steps: u64,
}

/// What is to be worked on, the cheapest first.
#[derive(Debug, Default)]
struct Open {
    work: Vec<Option<Work>>,
    order: BinaryHeap<Reverse<(usize, usize)>>,
}

#[derive(Debug)]
enum Work {
    Plan(Plan),
    /// One more thing done before a plan. Walking through a method takes long, so that it is done when its turn comes.
    Before(Rc<Plan>, Move),
}

/// Something that may be done before a plan.
#[derive(Debug)]
enum Move {
    Make(Rc<Wanted>, Way),
    Put(Option<Term>, FieldRef),
    Change(Option<Term>, Usable),
}

impl Open {
    fn push(&mut self, cost: usize, work: Work) {
        self.order.push(Reverse((cost, self.work.len())));
        self.work.push(Some(work));
    }

    fn pop(&mut self) -> Option<Work> {
        let Reverse((_, at)) = self.order.pop()?;
        self.work[at].take()
    }
}

/// The search for plans that bring a condition about, with some access to the program; it can be interrupted.
#[derive(Debug)]
pub(crate) struct Search {
    from: AccessContext,
    open: Open,
    /// What plans come down to: calls in another order mostly make no difference.
    seen: FxHashSet<u64>,
    /// What is done as well as it can be if nothing else was found.
    last_resort: Option<Plan>,
    /// What is done by force.
    by_force: Option<Plan>,
    guessed: usize,
}

impl Search {
    /// Whether there is nothing more to be found.
    pub(crate) fn is_finished(&self) -> bool {
        self.open.order.is_empty() && self.last_resort.is_none() && self.by_force.is_none()
    }
}

impl Composer<'_> {
    /// Begins to look for recipes that end with a call of the method, in a state in which the condition holds; none if the test cannot call
    /// it.
    pub(crate) fn begin(&mut self, precondition: &Precondition, from: AccessContext) -> Option<Search> {
        let access = self.catalogue.direct_access(precondition.method.reference(), from)?;
        let plan = self.entry(&precondition.method, &precondition.formula, access)?;
        let mut open = Open::default();
        // What can be called without reflection was tried without it.
        let is_searched = !from.reflection || access == Access::Reflective;
        if is_searched {
            open.push(plan.cost, Work::Plan(plan.clone()));
            // Code that is not seen does what is needed, or nothing at all.
            let formula = self.world.if_nothing_was_rewritten(&plan.formula);
            if formula != plan.formula {
                let formula = tidy(self.world, formula);
                open.push(plan.cost + UNSEEN, Work::Plan(Plan { formula, ..plan.clone() }));
            }
        }
        let last_resort = (is_searched && uses(&plan, from)).then(|| plan.clone());
        let by_force = from.reflection.then_some(plan);
        Some(Search { from, open, seen: FxHashSet::default(), last_resort, by_force, guessed: 0 })
    }

    /// Objects are made somehow, and their fields are written by force.
    fn forge(&mut self, mut plan: Plan) -> Plan {
        for _ in 0..MOST_STEPS {
            let Some(wanted) = self.wanted(&plan) else { break };
            let Some(next) = self.forged(&plan, &wanted) else { break };
            plan = next;
        }
        for field in self.statics(&plan.formula) {
            if self.is_open(field) {
                plan = self.written(&plan, None, field, Access::Reflective).unwrap_or(plan);
            }
        }
        plan
    }

    /// Whether reflection can write the static field.
    fn is_open(&self, field: FieldRef) -> bool {
        let program = self.world.program();
        let class = program.class(field.class).filter(|class| !program.is_jdk(class.name));
        let declared = class.as_ref().and_then(|class| class.field(field.name, field.descriptor));
        declared.is_some_and(|field| !field.access.is_final())
    }

    /// Recipes that were not known yet, after so many steps at the most.
    pub(crate) fn go_on(&mut self, search: &mut Search, most: u64) -> Vec<Composed> {
        let until = self.spent() + most;
        let mut found = Vec::new();
        if let Some(plan) = search.by_force.take() {
            let forged = self.forge(plan);
            found.extend(self.emit(&forged, search.from));
        }
        let (mut ready, mut guessed) = (0, 0);
        while ready < MOST_RECIPES + guessed && self.spent() < until && !self.is_interrupted() {
            let Some(work) = search.open.pop() else { break };
            let plan = match work {
                Work::Plan(plan) => plan,
                Work::Before(plan, one) => {
                    for next in self.before(&plan, &one, search.from) {
                        search.open.push(next.cost, Work::Plan(next));
                    }
                    continue;
                }
            };
            if !search.seen.insert(self.gist(&plan)) {
                continue;
            }
            let wanted = self.wanted(&plan);
            let is_ready = wanted.is_none() && !self.asks_what_is_made(&plan.formula);
            if !is_ready && self.is_refuted(&plan) {
                note(|| format!("refuted: {}", plan.said()));
                continue;
            }
            note(|| format!("plan: {}", plan.said()));
            let is_guess = plan.is_guess || !self.statics(&plan.formula).is_empty();
            if is_ready && uses(&plan, search.from) && (!is_guess || search.guessed < MOST_GUESSES) {
                let composed = self.emit(&plan, search.from);
                let is_new = usize::from(!composed.is_empty());
                ready += is_new;
                guessed += if is_guess { is_new } else { 0 };
                search.guessed += if is_guess { is_new } else { 0 };
                found.extend(composed);
            }
            if plan.steps.len() <= MOST_STEPS {
                self.open_moves(plan, wanted, search);
            }
        }
        if search.open.order.is_empty()
            && let Some(plan) = search.last_resort.take()
            && found.is_empty()
        {
            // As good as can be done: objects are made somehow.
            found.extend(self.emit(&plan, search.from));
        }
        if !found.is_empty() {
            search.last_resort = None;
        }
        found
    }

    /// Whether the condition cannot hold: what everything begins with is asked for in earnest, all else is when it is ready.
    fn is_refuted(&mut self, plan: &Plan) -> bool {
        match plan.steps.len() {
            1 => self.solving.check(self.world, &plan.formula).is_unsat(),
            _ => self.solving.is_plainly_refuted(self.world, &plan.formula),
        }
    }

    /// The same for plans with the same calls, in whatever order, that leave conditions of the same form.
    fn gist(&self, plan: &Plan) -> u64 {
        fn hash(of: impl Hash) -> u64 {
            let mut hasher = FxHasher::default();
            of.hash(&mut hasher);
            hasher.finish()
        }
        let terms = &self.world.terms;
        let of_term = |term: Term| match (self.world.leaf_of(term), terms.node(term)) {
            // Each call has arguments of its own.
            (Some(Leaf::Argument { kind, .. } | Leaf::Unknown { kind, .. }), _) => hash(kind),
            (Some(leaf), _) => hash(leaf),
            (None, node @ (Node::Bits { .. } | Node::Str(_))) => hash(node),
            (None, node) => hash(std::mem::discriminant(&node)),
        };
        let of_terms = terms.subterms(&plan.formula).into_iter().map(of_term);
        let of_steps = plan.steps.iter().map(|step| match &step.act {
            Act::Call { name, .. } => hash(name),
            Act::Subclass(way) => hash(way.to_string()),
            Act::Put { field, .. } => hash(field),
        });
        of_terms.chain(of_steps).fold(0, u64::wrapping_add)
    }

    fn is_interrupted(&self) -> bool {
        self.solving.is_stopped() || self.solving.is_paused()
    }

    fn spent(&self) -> u64 {
        self.steps + self.solving.cost()
    }

    /// All that may be done before the plan, to be tried in this order: objects are made, fields are written, methods are called.
    fn open_moves(&self, plan: Plan, wanted: Option<Wanted>, search: &mut Search) {
        let from = search.from;
        let mut moves = Vec::new();
        if let Some(wanted) = wanted.map(Rc::new) {
            moves.extend(self.makers(&plan, &wanted, from).into_iter().map(|way| Move::Make(wanted.clone(), way)));
            moves.extend(wanted.fields.iter().map(|field| Move::Put(Some(wanted.object), *field)));
            let changers = self.changers(&wanted, from).into_iter();
            moves.extend(changers.map(|usable| Move::Change(Some(wanted.object), usable)));
        }
        for field in self.statics(&plan.formula) {
            moves.extend(self.static_writers(field, from).into_iter().map(|usable| Move::Change(None, usable)));
            moves.push(Move::Put(None, field));
        }
        let plan = Rc::new(plan);
        for (place, one) in moves.into_iter().enumerate() {
            search.open.push(plan.cost + place, Work::Before(plan.clone(), one));
        }
    }

    /// The plans in which this is done first.
    fn before(&mut self, plan: &Plan, one: &Move, from: AccessContext) -> Vec<Plan> {
        match one {
            Move::Make(wanted, way) => self.made_by(plan, wanted, way),
            Move::Put(on, field) => self.put(plan, *on, *field, from).into_iter().collect(),
            Move::Change(on, usable) => self.changed_by(plan, *on, usable),
        }
    }

    /// The plan with values, once for each way to choose those of which nothing is said.
    fn emit(&mut self, plan: &Plan, from: AccessContext) -> Vec<Composed> {
        let Some((formula, model)) = self.with_preferences(plan) else {
            note(|| format!("no values for a plan of {} steps", plan.steps.len()));
            return Vec::new();
        };
        let mut found: Vec<Composed> = Vec::new();
        for fill in Fill::ALL {
            let emitter = Emitter::new(self.world, self.catalogue, from, fill, &formula, &model);
            let Some(recipe) = emitter.recipe(&plan.steps) else {
                note(|| format!("a plan of {} steps cannot be written down", plan.steps.len()));
                continue;
            };
            let is_known = self.known.contains(&recipe.fingerprint());
            if !is_known && found.iter().all(|known| known.recipe != recipe) {
                found.push(Composed { recipe, fill });
            }
        }
        found
    }

    /// The condition with what a reader would rather see, as far as it can hold too, and values for it; none if the condition itself
    /// cannot hold.
    fn with_preferences(&mut self, plan: &Plan) -> Option<(Vec<Term>, Model)> {
        let terms = &self.world.terms;
        let mut formula = plan.formula.clone();
        let wishes = self.preferences(plan);
        // Mostly they all come true together.
        let all: Vec<Term> = formula.iter().chain(&wishes).copied().collect();
        if let Some(model) = self.solving.model(self.world, &all) {
            return Some((all, model));
        }
        let mut model = self.solving.model(self.world, &formula)?;
        for wish in wishes {
            if formula.contains(&terms.not(wish)) {
                continue;
            }
            formula.push(wish);
            if Evaluation::new(model.clone()).holds(terms, &[wish]) {
                continue;
            }
            match self.solving.model(self.world, &formula) {
                Some(better) => model = better,
                None => drop(formula.pop()),
            }
        }
        Some((formula, model))
    }

    /// Nothing is null that need not be, arrays and lists are short.
    fn preferences(&self, plan: &Plan) -> Vec<Term> {
        let terms = &self.world.terms;
        let given = plan.steps.iter().flat_map(|step| step.args.iter()).filter(|(_, ty)| ty.is_reference());
        let mut wishes: Vec<Term> = given.map(|(leaf, _)| terms.not(terms.is_null(*leaf))).collect();
        let lengths = self.world.region(Region::Lengths);
        for term in terms.subterms(&plan.formula) {
            if matches!(terms.node(term), Node::Select(region, _) if region == lengths) {
                wishes.extend(SHORT.map(|most| terms.sle(term, terms.i32(most))));
            }
        }
        let numbers = plan.steps.iter().flat_map(|step| step.args.iter()).filter(|(_, ty)| *ty == Type::Int);
        wishes
            .extend(numbers.flat_map(|(leaf, _)| [terms.sle(terms.i32(0), *leaf), terms.sle(*leaf, terms.i32(SMALL))]));
        wishes
    }

    /// The plan that only has the call of the method itself.
    fn entry(&self, method: &Lowered, formula: &[Term], access: Access) -> Option<Plan> {
        let callable = self.catalogue.callable(method.reference())?;
        let body = &method.body;
        let (mut receiver, mut args, mut objects) = (None, Vec::new(), Vec::new());
        let mut put: FxHashMap<Term, Term> = FxHashMap::default();
        for (slot, declared) in body.parameters() {
            match declared {
                Parameter::This => {
                    let class = Type::Class(body.method.class);
                    let leaf = parameter(self.world, body, slot, Kind::Reference);
                    if callable.kind == CallKind::Constructor {
                        put.insert(leaf, self.world.allocate(class));
                        continue;
                    }
                    let this = self.world.argument(Kind::Reference);
                    put.insert(leaf, this);
                    objects.push((this, class));
                    receiver = Some(this);
                }
                Parameter::Declared(_, ty) => {
                    let kind = ir::kind_of_type(ty);
                    let argument = self.world.argument(kind);
                    put.insert(parameter(self.world, body, slot, kind), argument);
                    args.push((argument, ty));
                }
            }
        }
        let formula = tidy(self.world, self.world.terms.substitute_all(formula, &put));
        objects.extend(args.iter().copied().filter(|(_, ty)| ty.is_reference()));
        let act = Act::Call { name: callable.method, callable, access, creates: None };
        let steps = vec![Step { act, receiver, args, makes: None }];
        Some(Plan { formula, steps, objects, is_guess: false, cost: 0 })
    }

    /// The object that came up first of those whose state the condition is about.
    fn wanted(&self, plan: &Plan) -> Option<Wanted> {
        let mut found: BTreeMap<usize, Wanted> = BTreeMap::new();
        for term in self.world.terms.subterms(&plan.formula) {
            let Node::Select(region, index) = self.world.terms.node(term) else { continue };
            let Some(Leaf::Region(region)) = self.world.leaf_of(region) else { continue };
            let Some(owner) = self.owner(plan, index.0) else { continue };
            let of_object =
                || Wanted { object: owner.object, ty: owner.ty, fields: BTreeSet::new(), has_elements: false };
            match region {
                // It is written down with its elements.
                Region::Field(field) if owner.is_part && is_written_down(field) => {}
                Region::Field(field) => drop(found.entry(owner.at).or_insert_with(of_object).fields.insert(field)),
                Region::Elements(_) | Region::Lengths => {
                    if let Some(wanted) = found.get_mut(&owner.at) {
                        wanted.has_elements = true;
                    }
                }
                _ => {}
            }
        }
        found.into_values().next()
    }

    /// The object to be made through which the term reads.
    fn owner(&self, plan: &Plan, term: Term) -> Option<Owner> {
        if let Some(at) = plan.objects.iter().position(|(object, _)| *object == term) {
            let (object, ty) = plan.objects[at];
            return Some(Owner { at, object, ty, is_part: true });
        }
        let Node::Select(region, index) = self.world.terms.node(term) else { return None };
        let Some(Leaf::Region(region)) = self.world.leaf_of(region) else { return None };
        let outer = self.owner(plan, index.0)?;
        match region {
            // An element of an array or list that is written down is an object of its own.
            Region::Elements(_) if outer.is_part => {
                let component = match outer.ty {
                    Type::Array(array) => array.component(),
                    _ => Type::Class(ClassName::object()),
                };
                Some(Owner { object: term, ty: component, ..outer })
            }
            Region::Field(field) if outer.is_part && is_written_down(field) => Some(outer),
            _ => Some(Owner { is_part: false, ..outer }),
        }
    }

    /// What may write the static field when it is called, of its class.
    fn static_writers(&self, field: FieldRef, from: AccessContext) -> Vec<Usable> {
        let effects = |usable: &Usable| self.world.methods.effects(usable.callable.method);
        let mut writers = self.catalogue.static_members(field.class, from);
        writers.extend(self.catalogue.members(field.class, from).iter().cloned());
        writers.retain(|usable| effects(usable).writes.has(field));
        writers.sort_by_key(|usable| (usable.callable.params.len(), effects(usable).writes.statics.len()));
        writers.truncate(MOST_MEMBERS);
        writers
    }

    /// The plan in which the test writes the field itself, if it may.
    fn put(&self, plan: &Plan, on: Option<Term>, field: FieldRef, from: AccessContext) -> Option<Plan> {
        let program = self.world.program();
        let class = program.class(field.class)?;
        let declared = class.fields.iter().find(|one| one.name == field.name && one.descriptor == field.descriptor)?;
        let access = from.member(program, &class, declared.access.visibility())?;
        if declared.access.is_final() || program.is_jdk(field.class) {
            return None;
        }
        let mut next = self.written(plan, on, field, access)?;
        next.cost = self.cost(&next);
        Some(next)
    }

    /// The plan in which the field is written before everything else, if the condition reads it.
    fn written(&self, plan: &Plan, on: Option<Term>, field: FieldRef, access: Access) -> Option<Plan> {
        if on.is_some_and(|object| !self.reads(&plan.formula, field, object)) {
            return None;
        }
        let ty = field.field_type();
        let value = self.world.argument(ir::kind_of_type(ty));
        let mut state = State::identity(0);
        match on {
            Some(object) => state.set_field(self.world, object, field, value),
            None => state.set_static(self.world, field, value),
        }
        let mut formula = state.compose(self.world, &plan.formula);
        if formula == plan.formula {
            return None;
        }
        formula.push(self.world.well_typed(value, ty));
        let mut next = plan.clone();
        next.formula = tidy(self.world, formula);
        next.objects.extend(ty.is_reference().then_some((value, ty)));
        let act = Act::Put { field, access };
        next.steps.push(Step { act, receiver: on, args: vec![(value, ty)], makes: None });
        Some(next)
    }

    /// Whether the field is read of this very object, and not of one that is reached through it.
    fn reads(&self, formula: &[Term], field: FieldRef, object: Term) -> bool {
        let read = Node::Select(self.world.region(Region::Field(field)), object.into());
        self.world.terms.subterms(formula).into_iter().any(|term| self.world.terms.node(term) == read)
    }

    /// Whether the condition is about what an object answers that the program makes itself: its own code answers.
    fn asks_what_is_made(&self, formula: &[Term]) -> bool {
        self.world.terms.subterms(formula).into_iter().any(|term| {
            let Node::Select(region, index) = self.world.terms.node(term) else { return false };
            let is_answer = matches!(self.world.leaf_of(region), Some(Leaf::Region(Region::Answer(_))));
            is_answer && self.world.known_type(index.0).is_some()
        })
    }

    fn statics(&self, formula: &[Term]) -> BTreeSet<FieldRef> {
        let leaves = self.world.terms.subterms(formula).into_iter().filter_map(|term| self.world.leaf_of(term));
        let fields = leaves.filter_map(|leaf| match leaf {
            Leaf::Region(Region::Static(field)) => Some(field),
            _ => None,
        });
        fields.collect()
    }

    /// Constructors, factories and methods of other objects that give an object of the type.
    fn makers(&self, plan: &Plan, wanted: &Wanted, from: AccessContext) -> Vec<Way> {
        let mut types = vec![wanted.ty];
        let mut runs = None;
        if let Some(Step { act: Act::Call { callable, .. }, receiver, .. }) = plan.steps.first()
            && *receiver == Some(wanted.object)
        {
            types = self
                .catalogue
                .owners(callable.method)
                .iter()
                .take(MOST_OWNERS)
                .map(|owner| Type::Class(*owner))
                .collect();
            runs = Some(callable.method);
        }
        let mut makers: Vec<Way> = Vec::new();
        for ty in types {
            let ways = self.catalogue.ways(ty, from);
            let is_of_use = |way: &&Way| {
                let runs = runs.is_none_or(|method| may_run(self.catalogue, way, method));
                runs && maker(way).is_some() && !is_of_no_use(way, &ways)
            };
            makers.extend(ways.iter().filter(is_of_use).cloned());
        }
        let objects = |way: &Way| {
            let is_asked = way.asked_object().is_some();
            (is_asked, way.needs().filter(|ty| ty.is_reference()).count())
        };
        makers.sort_by(|a, b| {
            a.access.cmp(&b.access).then(objects(a).cmp(&objects(b))).then(b.weight.total_cmp(&a.weight))
        });
        makers.truncate(MOST_MEMBERS);
        makers
    }

    /// Methods of the object that may write what is read of it; those that write little first.
    fn changers(&self, wanted: &Wanted, from: AccessContext) -> Vec<Usable> {
        let Some(class) = wanted.ty.as_class() else { return Vec::new() };
        let effects = |usable: &Usable| self.world.methods.effects(usable.callable.method);
        let writes = |usable: &&Usable| {
            let writes = &effects(usable).writes;
            wanted.fields.iter().any(|field| writes.has(*field)) || (wanted.has_elements && !writes.arrays.is_empty())
        };
        let mut found: Vec<Usable> = self.catalogue.members(class, from).iter().filter(writes).cloned().collect();
        found.sort_by_key(|usable| (usable.callable.params.len(), effects(usable).writes.fields.len()));
        found.truncate(MOST_MEMBERS);
        found
    }

    fn made_by(&mut self, plan: &Plan, wanted: &Wanted, way: &Way) -> Vec<Plan> {
        let Some(callable) = maker(way) else { return Vec::new() };
        let act = match &way.how {
            How::Stub(_) => Act::Subclass(way.clone()),
            _ => Act::Call {
                callable: callable.clone(),
                name: callable.method,
                access: way.access,
                creates: way.creates,
            },
        };
        self.before_call(plan, &Called { act, callable, on: None, makes: Some(wanted.object) })
    }

    fn changed_by(&mut self, plan: &Plan, on: Option<Term>, usable: &Usable) -> Vec<Plan> {
        let callable = &usable.callable;
        let (name, access) = (usable.name, usable.access);
        let act = Act::Call { callable: callable.clone(), name, access, creates: None };
        self.before_call(plan, &Called { act, callable, on, makes: None })
    }

    /// The plans in which this call comes first: one for each way through the method that the condition allows. The condition is
    /// walked backwards through the method, so that what does not matter to it is left out.
    fn before_call(&mut self, plan: &Plan, called: &Called<'_>) -> Vec<Plan> {
        let Some(method) = self.world.methods.get(called.callable.method) else { return Vec::new() };
        let mut plans = Vec::new();
        for (block, found) in method.body.block_ids().map(|id| (id, method.body.block(id))) {
            let Terminator::Return(value) = &found.end else { continue };
            let Some(goal) = self.at_return(&method, value.as_ref(), plan, called) else { continue };
            let place = Place { block, index: found.instrs.len() };
            let mut walker = Walker::new(self.world, self.solving, self.summaries, Switches::ALL, REACH);
            let entries = walker.entries(&method, place, goal, Marks::default());
            self.steps += walker.effort.steps;
            for mut entry in entries {
                // What the call does unseen is nothing to rely on. Of what makes an object it may all the same be what is needed.
                let certain = self.world.if_nothing_more_was_rewritten(&entry.formula, &plan.formula);
                if called.makes.is_some() && certain != entry.formula {
                    plans.extend(self.at_entry(&method, plan, called, &entry, true));
                }
                entry.formula = certain;
                plans.extend(self.at_entry(&method, plan, called, &entry, false));
            }
        }
        plans
    }

    /// The condition where the method returns: the object that is wanted is what it gives, or what it was called on.
    fn at_return(
        &self,
        method: &Lowered,
        value: Option<&Operand>,
        plan: &Plan,
        called: &Called<'_>,
    ) -> Option<Vec<Term>> {
        let this = || self.world.variable(0, Var::Local(0), Kind::Reference);
        let put = match (called.makes, called.on) {
            (Some(object), _) if called.callable.kind == CallKind::Constructor => Some((object, this())),
            (Some(object), _) => {
                let given = State::identity(0).operand(self.world, &method.body, value?, Kind::Reference);
                Some((object, given))
            }
            (None, Some(object)) => Some((object, this())),
            (None, None) => None,
        };
        let put: FxHashMap<Term, Term> = put.into_iter().collect();
        Some(tidy(self.world, self.world.terms.substitute_all(&plan.formula, &put)))
    }

    /// The plan with the call in front, given what must hold at the method's entry; none if nothing is gained.
    fn at_entry(
        &mut self,
        method: &Lowered,
        plan: &Plan,
        called: &Called<'_>,
        entry: &Entry,
        is_guessed: bool,
    ) -> Option<Plan> {
        let mut put: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut receiver, mut args, mut objects) = (None, Vec::new(), plan.objects.clone());
        if let Some(made) = called.makes {
            objects.retain(|(object, _)| *object != made);
        }
        for (slot, parameter) in method.body.parameters() {
            match parameter {
                Parameter::This => {
                    let class = Type::Class(method.reference().class);
                    let this = match called.callable.kind {
                        CallKind::Constructor => self.world.allocate(class),
                        _ => called.on.unwrap_or_else(|| self.world.argument(Kind::Reference)),
                    };
                    if called.callable.kind != CallKind::Constructor {
                        receiver = Some(this);
                        objects.extend(called.on.is_none().then_some((this, class)));
                    }
                    put.insert(self.world.variable(0, Var::Local(slot), Kind::Reference), this);
                }
                Parameter::Declared(_, ty) => {
                    let argument = self.world.argument(ir::kind_of_type(ty));
                    put.insert(self.world.variable(0, Var::Local(slot), ir::kind_of_type(ty)), argument);
                    args.push((argument, ty));
                    objects.extend(ty.is_reference().then_some((argument, ty)));
                }
            }
        }
        let formula = tidy(self.world, self.world.terms.substitute_all(&entry.formula, &put));
        // A call that leaves everything to be brought about, and asks for more, is of no use.
        let is_useless = plan.formula.iter().all(|part| formula.contains(part));
        if is_useless || formula.contains(&self.world.terms.falsity()) {
            return None;
        }
        let mut steps = plan.steps.clone();
        steps.push(Step { act: called.act.clone(), receiver, args, makes: called.makes });
        let is_guess = plan.is_guess || is_guessed || (called.makes.is_some() && self.is_opaque(&formula, &objects));
        let mut next = Plan { formula, steps, objects, is_guess, cost: 0 };
        next.cost = self.cost(&next);
        Some(next)
    }

    /// Whether the condition reads of objects that nobody knows how they came to be.
    fn is_opaque(&self, formula: &[Term], objects: &[(Term, Type)]) -> bool {
        self.world.terms.subterms(formula).into_iter().any(|term| {
            let Node::Select(region, index) = self.world.terms.node(term) else { return false };
            let is_field = matches!(self.world.leaf_of(region), Some(Leaf::Region(Region::Field(_))));
            is_field && self.base(index.0).is_none_or(|base| !objects.iter().any(|(object, _)| *object == base))
        })
    }

    /// The object from which the term is read through fields and elements.
    fn base(&self, term: Term) -> Option<Term> {
        match self.world.terms.node(term) {
            Node::Select(_, index) => self.base(index.0),
            Node::Var(_) => Some(term),
            _ => None,
        }
    }

    /// The fields are written by force, each with a value of its own.
    fn forged(&self, plan: &Plan, wanted: &Wanted) -> Option<Plan> {
        let program = self.world.program();
        let mut next: Option<Plan> = None;
        for field in wanted.fields.iter().filter(|field| !program.is_jdk(field.class)) {
            let before = next.as_ref().unwrap_or(plan);
            next = self.written(before, Some(wanted.object), *field, Access::Reflective).or(next);
        }
        next
    }

    /// What has been done, and what is still to be brought about.
    fn cost(&self, plan: &Plan) -> usize {
        let reads = self.world.terms.subterms(&plan.formula).into_iter().filter(|term| {
            let Node::Select(region, _) = self.world.terms.node(*term) else { return false };
            matches!(self.world.leaf_of(region), Some(Leaf::Region(_)))
        });
        let access = plan.steps.iter().map(|step| match step.act {
            Act::Call { access, .. } | Act::Put { access, .. } | Act::Subclass(Way { access, .. }) => match access {
                Access::Public => 0,
                Access::Package => 6,
                Access::Reflective => 12,
            },
        });
        let guess = if plan.is_guess { GUESS } else { 0 };
        3 * plan.steps.len() + AGAIN * repeated(plan) + 2 * reads.count() + access.sum::<usize>() + guess
    }
}

/// Calls of methods that are called before.
fn repeated(plan: &Plan) -> usize {
    let calls = plan.steps.iter().filter_map(|step| match &step.act {
        Act::Call { name, .. } => Some(name),
        Act::Subclass(_) | Act::Put { .. } => None,
    });
    let all: Vec<&MethodRef> = calls.collect();
    let different: FxHashSet<&MethodRef> = all.iter().copied().collect();
    all.len() - different.len()
}

/// Whether the plan takes all the access that there is: what takes less was tried with less.
fn uses(plan: &Plan, from: AccessContext) -> bool {
    let mut accesses = plan.steps.iter().map(|step| match step.act {
        Act::Call { access, .. } | Act::Put { access, .. } | Act::Subclass(Way { access, .. }) => access,
    });
    !from.reflection || accesses.any(|access| access == Access::Reflective)
}

/// Whether the way is a subclass that overrides nothing of a class that can be had without one.
fn is_of_no_use(way: &Way, ways: &[Way]) -> bool {
    let How::Stub(stub) = &way.how else { return false };
    let StubForm::Subclass(constructor) = &stub.form else { return false };
    let is_same = |other: &Way| matches!(&other.how, How::Call(callable) if callable.method == constructor.method);
    ways.iter().any(|other| is_same(other) && other.access <= way.access)
}

/// What the way calls to make an object; none if it makes one otherwise.
fn maker(way: &Way) -> Option<&Arc<Callable>> {
    match &way.how {
        How::Call(callable) | How::Build { build: callable, .. } => Some(callable),
        How::Stub(stub) => match &stub.form {
            StubForm::Subclass(constructor) => Some(constructor),
            StubForm::Lambda(_) | StubForm::Interface(_) => None,
        },
        _ => None,
    }
}
