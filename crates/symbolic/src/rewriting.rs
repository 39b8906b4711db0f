//! What becomes of memory when code runs that cannot be seen: what it may write is unknown afterwards. Lengths of arrays and texts of
//! strings never change, final fields only while their object is constructed; objects that were made here and that the code has no way to
//! know keep what they hold.

use crate::leaves::{Leaf, Region};
use crate::state::State;
use crate::world::World;
use analysis::Effects;
use program::{FieldRef, MethodRef};
use smt::{Index, Node, Term};
use std::collections::{BTreeMap, BTreeSet};

impl State {
    /// The effects of a call with these arguments.
    pub(crate) fn rewrite_by(&mut self, world: &World, effects: &Effects, named: MethodRef, args: &[Term]) {
        let writes = &effects.writes;
        let is_all = !effects.is_exact() || writes.any;
        if !is_all && writes.is_empty() {
            self.escape(world, args);
            return;
        }
        self.escape(world, args);
        let keeps_final = !named.is_constructor();
        let changes = |region: &Region| is_all || is_written(world, effects, region);
        let is_fixed = |region: &Region| match region {
            Region::Field(_) => keeps_final && world.is_fixed(region),
            region => world.is_fixed(region),
        };
        let known: BTreeSet<Region> = world.regions().into_iter().chain(self.memory.keys().cloned()).collect();
        for region in known.into_iter().filter(|region| changes(region) && !is_fixed(region)) {
            self.rewrite_kept(world, region);
        }
        if is_all {
            self.epoch = Some(world.next_unknown());
        } else {
            for region in written(effects) {
                if !is_fixed(&region) && !self.memory.contains_key(&region) {
                    self.rewrite(world, region);
                }
            }
        }
    }

    /// Rewrites the region but for the cells of objects that nobody else knows.
    fn rewrite_kept(&mut self, world: &World, region: Region) {
        let old = self.region(world, region.clone());
        let mut kept: BTreeMap<Index, Term> = BTreeMap::new();
        let mut array = old;
        while let Node::Store(inner, index, value) = world.terms.node(array) {
            if is_made(world, index.0) && !self.escaped.contains(&index.0) {
                kept.entry(index).or_insert(value);
            }
            array = inner;
        }
        let mut new = world.rewritten(region.clone(), old);
        for (index, value) in kept {
            new = world.terms.store(new, index, value);
        }
        self.set_region(region, new);
    }

    /// Objects that the arguments lead to, and those that others lead to, are known to other code from now on.
    fn escape(&mut self, world: &World, args: &[Term]) {
        let mut holds: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        let mut open: Vec<Term> = args.to_vec();
        for memory in self.memory.values() {
            let mut array = *memory;
            while let Node::Store(inner, index, value) = world.terms.node(array) {
                match is_made(world, index.0) {
                    true => holds.entry(index.0).or_default().push(value),
                    false => open.push(value),
                }
                array = inner;
            }
            open.push(array);
        }
        open.extend(self.escaped.iter().flat_map(|object| holds.get(object)).flatten().copied());
        while let Some(term) = open.pop() {
            for object in made_in(world, term) {
                if self.escaped.insert(object) {
                    open.extend(world.captured(object));
                    open.extend(holds.get(&object).into_iter().flatten());
                }
            }
        }
    }
}

fn is_made(world: &World, object: Term) -> bool {
    matches!(world.terms.node(object), Node::Reference(reference) if reference.is_allocated())
}

/// The objects made here that a value may be.
fn made_in(world: &World, value: Term) -> Vec<Term> {
    match world.terms.node(value) {
        Node::Reference(reference) if reference.is_allocated() => vec![value],
        Node::Ite(_, then, otherwise) => [made_in(world, then), made_in(world, otherwise)].concat(),
        Node::Select(..) => {
            let all = world.terms.subterms(&[value]);
            all.into_iter().filter(|term| is_made(world, *term)).collect()
        }
        _ => Vec::new(),
    }
}

fn is_written(world: &World, effects: &Effects, region: &Region) -> bool {
    match region {
        Region::Field(field) => effects.writes.fields.contains(field),
        Region::Static(field) => effects.writes.statics.contains(field),
        Region::Elements(element) => {
            effects.writes.arrays.iter().any(|component| world.element_kind(*component) == *element)
        }
        Region::Built => effects.writes.fields.iter().any(is_of_builder),
        Region::Lengths | Region::Texts | Region::Answer(_) => false,
    }
}

fn is_of_builder(field: &FieldRef) -> bool {
    field.class.as_internal() == "java/lang/AbstractStringBuilder"
}

/// The regions of the lists.
fn written(effects: &Effects) -> Vec<Region> {
    let writes = &effects.writes;
    let fields = writes.fields.iter().map(|field| Region::Field(*field));
    let statics = writes.statics.iter().map(|field| Region::Static(*field));
    let arrays = writes.arrays.iter().map(|component| Region::Elements(crate::transfer::element(*component)));
    fields.chain(statics).chain(arrays).collect()
}

impl World {
    /// Whether the field is written only where its object or class is made.
    pub(crate) fn is_final(&self, field: FieldRef) -> bool {
        self.program().resolve_field(field).found().is_some_and(|found| found.access.is_final())
    }

    /// Whether nothing in the region changes but what was made meanwhile.
    pub(crate) fn is_fixed(&self, region: &Region) -> bool {
        match region {
            Region::Lengths | Region::Texts | Region::Answer(_) => true,
            Region::Field(field) | Region::Static(field) => self.is_final(*field),
            Region::Elements(_) | Region::Built => false,
        }
    }

    /// All regions that were heard of.
    fn regions(&self) -> Vec<Region> {
        self.known_leaves(|leaf| if let Leaf::Region(region) = leaf { Some(region.clone()) } else { None })
    }
}
