//! What variables and memory are, over leaves.

use crate::leaves::{Leaf, Region, units};
use crate::models::boxes;
use crate::world::World;
use ir::{Body, Const, Kind, Operand, Var};
use program::{MethodRef, Type};
use rustc_hash::FxHashMap;
use smt::{Scalar, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What an answer is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// A limit left ways out.
    pub cut: bool,
    /// Unknown values were let in.
    pub loose: bool,
}

impl Marks {
    #[must_use]
    pub fn with(self, other: Marks) -> Marks {
        Marks { cut: self.cut || other.cut, loose: self.loose || other.loose }
    }
}

/// How arrays hold their elements.
pub(crate) const ELEMENTS: [Scalar; 7] =
    [Scalar::Bv(8), Scalar::Bv(16), Scalar::Bv(32), Scalar::Bv(64), Scalar::F32, Scalar::F64, Scalar::Ref];

/// Variables of one method and all of memory. What is not in the maps is its own leaf.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Depth of the method in the stack of calls.
    pub depth: u16,
    pub vars: BTreeMap<Var, Term>,
    pub memory: BTreeMap<Region, Term>,
    /// What must hold for control to have come here.
    pub path: Vec<Term>,
    pub marks: Marks,
    /// Objects made here that code which cannot be seen may know.
    pub escaped: BTreeSet<Term>,
    /// Methods of objects that the test may supply which were asked.
    pub asked: BTreeSet<MethodRef>,
    /// Code ran that may have written anything: regions that are not in `memory` are not their own leaves since.
    pub epoch: Option<u32>,
    /// Something was assumed together with its contrary.
    pub is_contradictory: bool,
}

impl State {
    /// Everything is its own leaf.
    pub fn identity(depth: u16) -> State {
        State { depth, ..State::default() }
    }

    pub fn assume(&mut self, world: &World, condition: Term) {
        for part in world.terms.conjuncts(condition) {
            if !self.path.contains(&part) {
                self.is_contradictory |= part == world.terms.falsity() || self.path.contains(&world.terms.not(part));
                self.path.push(part);
            }
        }
    }

    /// Whether the path contradicts itself so plainly that nobody needs to be asked.
    pub fn is_impossible(&self) -> bool {
        self.is_contradictory
    }

    /// The value of an operand. `hint` is what it must be, for slots that hold values of several kinds in their time.
    pub fn operand(&self, world: &World, body: &Body, operand: &Operand, hint: Kind) -> Term {
        match operand {
            Operand::Var(var) => self.var(world, body, *var, hint),
            Operand::Const(value) => constant(world, value),
        }
    }

    pub fn var(&self, world: &World, body: &Body, var: Var, hint: Kind) -> Term {
        let kind = body.var(var).and_then(|info| info.kind).unwrap_or(hint);
        self.vars.get(&var).copied().unwrap_or_else(|| world.variable(self.depth, var, kind))
    }

    pub fn region(&self, world: &World, region: Region) -> Term {
        let known = self.memory.get(&region).copied();
        known.unwrap_or_else(|| match self.epoch {
            Some(number) if !world.is_fixed(&region) => world.leaf(Leaf::Rewritten { number, region }),
            _ => world.region(region),
        })
    }

    pub fn set_region(&mut self, region: Region, term: Term) {
        self.memory.insert(region, term);
    }

    /// The text of a string object.
    pub fn text_of(&self, world: &World, string: Term) -> Term {
        match world.leaf_of(string) {
            Some(Leaf::Literal(units)) => world.terms.units(&units),
            _ => {
                let text = world.terms.select(self.region(world, Region::Texts), string);
                world.known_cell(&Region::Texts, text).unwrap_or(text)
            }
        }
    }

    /// A new string object with this text.
    pub fn new_text(&mut self, world: &World, text: Term) -> Term {
        let object = world.allocate(Type::class("java/lang/String"));
        self.set_text(world, object, text);
        object
    }

    /// The text in a builder of strings.
    pub(crate) fn built(&self, world: &World, builder: Term) -> Term {
        world.terms.select(self.region(world, Region::Built), builder)
    }

    pub(crate) fn set_built(&mut self, world: &World, builder: Term, text: Term) {
        let texts = self.region(world, Region::Built);
        self.set_region(Region::Built, world.terms.store(texts, builder, text));
    }

    pub(crate) fn set_text(&mut self, world: &World, object: Term, text: Term) {
        let texts = self.region(world, Region::Texts);
        self.set_region(Region::Texts, world.terms.store(texts, object, text));
    }

    /// The region may be anything now: code that cannot be seen may have written it.
    pub(crate) fn rewrite(&mut self, world: &World, region: Region) {
        let old = self.region(world, region.clone());
        let new = world.rewritten(region.clone(), old);
        self.set_region(region, new);
    }

    pub(crate) fn rewrite_elements(&mut self, world: &World) {
        for element in ELEMENTS {
            self.rewrite(world, Region::Elements(element));
        }
    }

    /// Reads a field of an object, as the operand stack has it.
    pub fn field(&self, world: &World, object: Term, field: program::FieldRef) -> Term {
        if let Some(value) = boxes::boxed_value(world, object, field) {
            return value;
        }
        let region = Region::Field(world.methods.declared(field));
        let read = world.terms.select(self.region(world, region.clone()), object);
        world.as_operand(world.known_cell(&region, read).unwrap_or(read), field.field_type())
    }

    pub fn set_field(&mut self, world: &World, object: Term, field: program::FieldRef, value: Term) {
        let region = Region::Field(world.methods.declared(field));
        let Sort::Array(sort) = region.sort() else { unreachable!("fields are arrays") };
        let stored = world.as_stored(value, sort.element.into());
        let old = self.region(world, region.clone());
        self.set_region(region, world.terms.store(old, object, stored));
    }

    /// What terms over the end of this state are over its beginning: its variables and regions in place of leaves.
    pub fn compose(&self, world: &World, roots: &[Term]) -> Vec<Term> {
        world.terms.substitute_all(roots, &self.substitution(world))
    }

    fn substitution(&self, world: &World) -> FxHashMap<Term, Term> {
        let kind_of = |term: Term| match world.terms.sort(term) {
            Sort::Bv(64) => Kind::Long,
            Sort::F32 => Kind::Float,
            Sort::F64 => Kind::Double,
            Sort::Ref => Kind::Reference,
            _ => Kind::Int,
        };
        let vars = self.vars.iter().map(|(var, term)| (world.variable(self.depth, *var, kind_of(*term)), *term));
        let memory = self.memory.iter().map(|(region, term)| (world.region(region.clone()), *term));
        vars.chain(memory).collect()
    }
}

fn constant(world: &World, value: &Const) -> Term {
    let terms = &world.terms;
    match value {
        Const::Null => terms.null(),
        Const::Int(value) => terms.i32(*value),
        Const::Long(value) => terms.i64(*value),
        Const::Float(value) => terms.f32(*value),
        Const::Double(value) => terms.f64(*value),
        Const::String(text) => world.literal(units(text)),
        Const::Class(ty) => world.leaf(Leaf::Class(*ty)),
        Const::ReturnAddress(bci) => terms.i32(i32::from(*bci)),
        Const::MethodType(_) | Const::MethodHandle(_) | Const::Dynamic { .. } => {
            let kind = value.kind().unwrap_or(Kind::Reference);
            world.unknown(kind)
        }
    }
}
