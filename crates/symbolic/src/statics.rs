//! What static final fields are once their class is initialised: its initialiser is run, once, within a bound, and what comes out as known
//! is kept. A number or a literal is that; an object keeps the leaf of its field as its name, so that it may still be the same as
//! one that came in, and is known by its class and by what can no longer change in it: final fields, lengths, and elements of arrays that
//! nobody can write. Fields whose values did not come out stay leaves.

use crate::forward::{Bounds, End, Paths};
use crate::leaves::{Leaf, Region};
use crate::state::State;
use crate::world::{Captured, World};
use analysis::{Definition, Lowered};
use ir::{Guard, Op, Operand, Rvalue, Var};
use program::classfile::Constant;
use program::{Class, ClassName, Field, FieldRef, InstrId, Symbol, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Index, Node, Term};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// How long an initialiser may run, with those that it needs: those of enums with a hundred constants do not reach this.
const BOUNDS: Bounds = Bounds { visits: 300, depth: 16, steps: 6_000, paths: 2, failures: false, targets: 1 };
/// Calls that are not looked into: behind several of them little is known.
const MOST_UNSEEN: u32 = 3;
/// Initialisers that need others.
const DEEPEST: u32 = 3;
/// Longer arrays are not taken apart.
const MOST_ELEMENTS: i64 = 512;
/// Choices by an index that is not known.
const MOST_CHOICES: usize = 64;
/// Classes with more methods are not searched for writes to an array.
const MOST_METHODS: usize = 300;

/// The flag of fields that are constants of an enum class (JVMS table 4.5-A).
const ENUM: u16 = 0x4000;

/// What is known of static fields.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    /// By class; none while its initialiser runs.
    classes: RefCell<FxHashMap<ClassName, Option<Arc<Values>>>>,
    depth: Cell<u32>,
    /// Operations that are left to the initialisers that run, and calls that are not looked into.
    steps: Cell<u64>,
    unseen: Cell<u32>,
    /// Classes whose initialisers are among the code under study.
    uninitialised: RefCell<FxHashSet<ClassName>>,
    /// Exact classes of objects that have the names of their fields.
    types: RefCell<FxHashMap<Term, Type>>,
    /// Cells of such objects, by object.
    cells: RefCell<FxHashMap<Term, Cells>>,
    elements: RefCell<FxHashMap<Term, Arc<[Term]>>>,
}

type Values = FxHashMap<FieldRef, Term>;
type Cells = FxHashMap<(Region, Index), Term>;

impl World {
    /// The fields of this class are not what its initialiser leaves: that runs as a part of what is looked at.
    pub fn leave_uninitialised(&self, class: ClassName) {
        self.statics.uninitialised.borrow_mut().insert(class);
    }

    /// The value of a static final field (under the class that declares it) of a class that is initialised, as memory holds it.
    pub fn static_value(&self, field: FieldRef) -> Option<Term> {
        if self.statics.uninitialised.borrow().contains(&field.class) || !self.is_final(field) {
            return None;
        }
        let known = self.statics.classes.borrow().get(&field.class).cloned();
        let values = known.unwrap_or_else(|| self.initialise(field.class))?;
        values.get(&field).copied()
    }

    /// Whether an initialiser runs, which is to be cheap.
    pub(crate) fn is_initialising(&self) -> bool {
        self.statics.depth.get() > 0
    }

    /// Counts a call that is not looked into; whether the initialiser that makes it is not worth going on with.
    pub(crate) fn gives_up(&self) -> bool {
        let left = self.statics.unseen.get();
        self.statics.unseen.set(left.saturating_sub(1));
        self.is_initialising() && left == 0
    }

    /// All constants of an enum class; none if they are not known.
    pub(crate) fn enum_constants(&self, class: ClassName) -> Option<Vec<(Symbol, Term)>> {
        let found = self.program().class(class).filter(|found| found.access.is_enum())?;
        let constants = found.fields.iter().filter(|field| field.access.0 & ENUM != 0);
        constants.map(|field| Some((field.name, self.static_value(field.reference())?))).collect()
    }

    /// The exact class of the object that a static field holds.
    pub(crate) fn static_type(&self, object: Term) -> Option<Type> {
        self.statics.types.borrow().get(&object).copied()
    }

    /// What a cell of a region was at the beginning, where it was so already then and cannot change.
    pub(crate) fn known_cell(&self, region: &Region, read: Term) -> Option<Term> {
        let Node::Select(array, index) = self.terms.node(read) else { return None };
        if array != self.region(region.clone()) {
            return None;
        }
        if let Some(known) = self.statics.cells.borrow().get(&index.0)?.get(&(region.clone(), index)) {
            return Some(*known);
        }
        let elements = self.statics.elements.borrow().get(&index.0).cloned()?;
        let Region::Elements(_) = region else { return None };
        if elements.len() > MOST_CHOICES {
            return None;
        }
        let at = index.1?;
        let numbered: Vec<(i32, &Term)> = (0..).zip(elements.iter()).collect();
        Some(numbered.into_iter().rev().fold(read, |rest, (number, element)| {
            self.terms.ite(self.terms.eq(at, self.terms.i32(number)), *element, rest)
        }))
    }

    /// Axioms of the cells that these terms read.
    pub(crate) fn static_axioms(&self, subterms: &[Term]) -> Vec<Term> {
        let mut axioms = Vec::new();
        let types = self.statics.types.borrow();
        let objects: Vec<(Term, Type)> = subterms.iter().filter_map(|term| Some((*term, *types.get(term)?))).collect();
        for (at, (object, ty)) in objects.iter().enumerate() {
            axioms.push(self.is_exactly(*object, *ty));
            let others = objects[..at].iter().filter(|(_, other)| other == ty);
            axioms.extend(others.map(|(other, _)| self.terms.not(self.terms.eq(*object, *other))));
        }
        // All cells in regions that the terms speak of: an object may be read under another name.
        let regions: FxHashSet<Region> = subterms
            .iter()
            .filter_map(|term| if let Leaf::Region(region) = self.leaf_of(*term)? { Some(region) } else { None })
            .collect();
        let cells = self.statics.cells.borrow();
        for cell in objects.iter().filter_map(|(object, _)| cells.get(object)).flatten() {
            let ((region, index), value) = cell;
            if regions.contains(region) {
                let read = self.terms.raw(Node::Select(self.region(region.clone()), *index));
                axioms.push(self.terms.eq(read, *value));
            }
        }
        axioms
    }

    fn initialise(&self, class: ClassName) -> Option<Arc<Values>> {
        if self.statics.depth.get() >= DEEPEST {
            return None;
        }
        if self.statics.depth.get() == 0 {
            self.statics.steps.set(BOUNDS.steps);
            self.statics.unseen.set(MOST_UNSEEN);
        }
        self.statics.classes.borrow_mut().insert(class, None);
        self.statics.depth.set(self.statics.depth.get() + 1);
        let values = self.run_initialiser(class).map(Arc::new);
        self.statics.depth.set(self.statics.depth.get() - 1);
        let values = values.unwrap_or_default();
        self.statics.classes.borrow_mut().insert(class, Some(values.clone()));
        Some(values)
    }

    fn run_initialiser(&self, class: ClassName) -> Option<Values> {
        let class = self.program().class(class)?;
        let mut start = State::identity(0);
        let fields: Vec<&Field> = class.fields.iter().filter(|field| field.access.is_static()).collect();
        for field in &fields {
            start.clear_static(self, field.reference());
            if let Ok(Some(constant)) = field.constant_value()
                && let Some(value) = self.constant_value(&constant)
            {
                start.set_static(self, field.reference(), value);
            }
        }
        let initialiser = class.methods.iter().find(|method| method.is_static_initialiser());
        let state = match initialiser {
            None => start,
            Some(initialiser) => {
                let lowered = self.methods.get(initialiser.reference())?;
                let left = self.statics.steps.get();
                let paths = Paths::of(self, &lowered, start, Bounds { steps: left, ..BOUNDS });
                self.statics.steps.set(self.statics.steps.get().min(left.saturating_sub(paths.steps)));
                let mut ways = paths.ways.into_iter().filter(|way| matches!(way.end, End::Return(_)));
                match (ways.next(), ways.next()) {
                    (Some(way), None) if !paths.is_cut && !way.state.marks.cut => way.state,
                    _ => return None,
                }
            }
        };
        Some(Reader { world: self, class: &class, state, names: FxHashMap::default() }.read(&fields))
    }

    fn constant_value(&self, constant: &Constant) -> Option<Term> {
        let terms = &self.terms;
        Some(match constant {
            Constant::Int(value) => terms.i32(*value),
            Constant::Long(value) => terms.i64(*value),
            Constant::Float(value) => terms.f32(*value),
            Constant::Double(value) => terms.f64(*value),
            Constant::String(text) => self.literal(text.utf16()),
            _ => return None,
        })
    }
}

/// Takes what an initialiser left.
struct Reader<'a> {
    world: &'a World,
    class: &'a Arc<Class>,
    state: State,
    /// Objects that were made, by the leaf of the first field that holds them.
    names: FxHashMap<Term, Term>,
}

impl Reader<'_> {
    fn read(mut self, fields: &[&Field]) -> Values {
        let finals: Vec<&&Field> = fields.iter().filter(|field| field.access.is_final()).collect();
        let held = |reader: &Self, field: &Field| reader.state.region(reader.world, Region::Static(field.reference()));
        for field in &finals {
            let value = held(&self, field);
            let is_text = self.world.allocated_type(value) == Some(Type::Class(ClassName::string()));
            if self.world.allocated_type(value).is_some() && !is_text && !self.names.contains_key(&value) {
                let leaf = self.world.region(Region::Static(field.reference()));
                self.names.insert(value, leaf);
            }
        }
        let mut values = Values::default();
        for field in &finals {
            let value = held(&self, field);
            let Some(known) = self.translated(value) else { continue };
            if known == self.world.region(Region::Static(field.reference())) {
                self.describe(value, known, field);
            }
            values.insert(field.reference(), known);
        }
        values
    }

    /// The value as others name it: nothing that was made while the initialiser ran.
    fn translated(&self, value: Term) -> Option<Term> {
        let world = self.world;
        if let Some(name) = self.names.get(&value) {
            return Some(*name);
        }
        if world.allocated_type(value) == Some(Type::Class(ClassName::string())) {
            let text = self.state.text_of(world, value);
            let Node::Str(units) = world.terms.node(text) else { return None };
            return Some(world.literal(units.to_vec()));
        }
        let is_constant = world.terms.constant(value).is_some() && world.allocated_type(value).is_none();
        let is_named = || match world.leaf_of(value) {
            Some(Leaf::Literal(_) | Leaf::Class(_) | Leaf::Box { .. }) => true,
            Some(Leaf::Region(Region::Static(field))) => world.is_final(field),
            _ => false,
        };
        (is_constant || is_named()).then_some(value)
    }

    /// Keeps what cannot change of the object.
    fn describe(&self, object: Term, name: Term, field: &Field) {
        let Some(ty) = self.world.allocated_type(object) else { return };
        self.world.statics.types.borrow_mut().insert(name, ty);
        match ty {
            Type::Array(array) => self.describe_array(object, name, array.component(), field),
            Type::Class(class) => {
                self.describe_lambda(object, name);
                for class in std::iter::once(class).chain(self.world.program().superclasses(class)) {
                    self.describe_fields(object, name, class);
                }
            }
            _ => {}
        }
    }

    fn describe_lambda(&self, object: Term, name: Term) {
        let Some(made) = self.world.lambda(object) else { return };
        let args: Option<Vec<Term>> = made.args.iter().map(|arg| self.translated(*arg)).collect();
        if let Some(args) = args {
            let made_by = made.made_by.clone();
            self.world.name_lambda(name, Captured { lambda: made.lambda.clone(), args, made_by });
        }
    }

    fn describe_fields(&self, object: Term, name: Term, class: ClassName) {
        let Some(class) = self.world.program().class(class) else { return };
        for field in class.fields.iter().filter(|field| field.access.is_final() && !field.access.is_static()) {
            let region = Region::Field(field.reference());
            let cell = self.world.terms.select(self.state.region(self.world, region.clone()), object);
            self.keep(region, name.into(), cell);
        }
    }

    fn keep(&self, region: Region, at: Index, value: Term) {
        if let Some(value) = self.translated(value) {
            let mut cells = self.world.statics.cells.borrow_mut();
            cells.entry(at.0).or_default().insert((region, at), value);
        }
    }

    fn describe_array(&self, array: Term, name: Term, component: Type, field: &Field) {
        let world = self.world;
        let length = world.terms.select(self.state.region(world, Region::Lengths), array);
        self.keep(Region::Lengths, name.into(), length);
        let length = world.terms.constant(length).and_then(|length| length.as_signed());
        let Some(length @ 0..=MOST_ELEMENTS) = length else { return };
        if !self.is_unchanged(field) {
            return;
        }
        let region = Region::Elements(world.element_kind(component));
        let memory = self.state.region(world, region.clone());
        let mut elements = Vec::new();
        for at in 0..i32::try_from(length).unwrap_or(0) {
            let at = world.terms.i32(at);
            let element = world.terms.select(memory, (array, at));
            self.keep(region.clone(), (name, at).into(), element);
            elements.extend(self.translated(element));
        }
        if i64::try_from(elements.len()) == Ok(length) {
            world.statics.elements.borrow_mut().insert(name, elements.into());
        }
    }

    /// Whether nobody can write to the array of the field: those of compilers, and private ones that are only indexed, measured and
    /// copied.
    fn is_unchanged(&self, field: &Field) -> bool {
        if field.access.is_synthetic() {
            return true;
        }
        let program = self.world.program();
        let nest = self.class.nest_members.iter().filter_map(|member| program.class(*member));
        let classes: Vec<Arc<Class>> = std::iter::once(self.class.clone()).chain(nest).collect();
        // Without its members the nest of a nested class is not known.
        if !field.access.is_private() || self.class.nest_host.is_some() {
            return false;
        }
        let methods: Vec<_> = classes.iter().flat_map(|class| &class.methods).collect();
        methods.len() <= MOST_METHODS
            && methods.iter().all(|method| {
                method.is_static_initialiser()
                    || method.access.is_abstract()
                    || self
                        .world
                        .methods
                        .get(method.reference())
                        .is_some_and(|code| only_reads(&code, field.reference()))
            })
    }
}

/// Whether a method does nothing to the array of a static field but read it.
fn only_reads(method: &Lowered, field: FieldRef) -> bool {
    method.body.instrs().all(|(_, instr)| match &instr.op {
        Op::Assign(var, Rvalue::GetStatic(read)) if *read == field => is_only_read(method, *var, instr.id, 0),
        _ => true,
    })
}

fn is_only_read(method: &Lowered, var: Var, at: InstrId, depth: u32) -> bool {
    let definition = Definition { var, at: Some(at) };
    let this = Operand::Var(var);
    depth < 3
        && method.def_use().uses(definition).iter().all(|used| match method.body.operation_at(*used) {
            Some(ir::Operation::Instr(op)) => match op {
                Op::Assign(_, Rvalue::GetElement { array, index, .. }) => *array == this && *index != this,
                Op::Assign(_, Rvalue::Length(_)) => true,
                Op::Assign(copy, Rvalue::Use(_)) => is_only_read(method, *copy, *used, depth + 1),
                Op::Guard(Guard::NotNull(_) | Guard::InBounds { .. }) => true,
                op => {
                    matches!(op.call(), Some((ir::Callee::Method { method, .. }, _)) if method.name.as_str() == "clone")
                }
            },
            _ => false,
        })
}
