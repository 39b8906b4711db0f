//! Which objects have to be brought into which state, read off a condition.

use super::{Composer, Plan};
use crate::emit::is_written_down;
use ir::Kind;
use program::{ClassName, FieldRef, Type};
use smt::{Node, Term};
use std::collections::{BTreeMap, BTreeSet};
use symbolic::{Leaf, Region};

/// An object that has to be brought into some state.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) object: Term,
    pub(super) ty: Type,
    /// Fields that the condition reads of it, and of what is reached through it.
    pub(super) fields: BTreeSet<FieldRef>,
    /// Those that it reads of the object itself.
    pub(super) own: BTreeSet<FieldRef>,
    /// Elements of arrays are read too.
    pub(super) has_elements: bool,
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

impl Composer<'_> {
    /// The object that came up first of those whose state the condition is about.
    pub(super) fn wanted(&self, plan: &Plan) -> Option<Wanted> {
        self.wanted_by(plan, &plan.formula)
    }

    /// The object of the plan that came up first of those whose state these parts of its condition are about.
    pub(super) fn wanted_by(&self, plan: &Plan, parts: &[Term]) -> Option<Wanted> {
        let mut found: BTreeMap<usize, Wanted> = BTreeMap::new();
        for term in self.world.terms.subterms(parts) {
            let Node::Select(region, index) = self.world.terms.node(term) else { continue };
            let Some(Leaf::Region(region)) = self.world.leaf_of(region) else { continue };
            let Some(owner) = self.owner(plan, index.0) else { continue };
            let of_object = || Wanted {
                object: owner.object,
                ty: owner.ty,
                fields: BTreeSet::new(),
                own: BTreeSet::new(),
                has_elements: false,
            };
            match region {
                // It is written down with its elements.
                Region::Field(field) if owner.is_part && is_written_down(field) => {}
                Region::Field(field) => {
                    let wanted = found.entry(owner.at).or_insert_with(of_object);
                    wanted.fields.insert(field);
                    if index.0 == wanted.object {
                        wanted.own.insert(field);
                    }
                }
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

    /// The class that the condition says the object is of; none if there are several.
    pub(super) fn class_of(&self, formula: &[Term], object: Term) -> Option<Type> {
        let terms = &self.world.terms;
        let told = formula.iter().filter_map(|part| match terms.node(*part) {
            Node::ClassIn(of, set) if of == object => terms.classes(set).single(),
            _ => None,
        });
        told.filter_map(|class| self.world.classes.ty(class)).next()
    }

    /// Whether the field is read of this very object, and not of one that is reached through it.
    pub(super) fn reads(&self, formula: &[Term], field: FieldRef, object: Term) -> bool {
        let read = Node::Select(self.world.region(Region::Field(field)), object.into());
        self.world.terms.subterms(formula).into_iter().any(|term| self.world.terms.node(term) == read)
    }

    /// Whether the condition is about what an object answers that the program makes itself: its own code answers.
    pub(super) fn asks_what_is_made(&self, formula: &[Term]) -> bool {
        self.world.terms.subterms(formula).into_iter().any(|term| {
            let Node::Select(region, index) = self.world.terms.node(term) else { return false };
            let is_answer = matches!(self.world.leaf_of(region), Some(Leaf::Region(Region::Answer(_))));
            is_answer && self.world.known_type(index.0).is_some()
        })
    }

    pub(super) fn statics(&self, formula: &[Term]) -> BTreeSet<FieldRef> {
        let leaves = self.world.terms.subterms(formula).into_iter().filter_map(|term| self.world.leaf_of(term));
        let fields = leaves.filter_map(|leaf| match leaf {
            Leaf::Region(Region::Static(field)) => Some(field),
            _ => None,
        });
        fields.collect()
    }

    /// Whether the condition reads of objects that nobody knows how they came to be.
    pub(super) fn is_opaque(&self, formula: &[Term], objects: &[(Term, Type)]) -> bool {
        self.world.terms.subterms(formula).into_iter().any(|term| {
            let Node::Select(region, index) = self.world.terms.node(term) else { return false };
            let is_field = matches!(self.world.leaf_of(region), Some(Leaf::Region(Region::Field(_))));
            is_field && self.base(index.0).is_none_or(|base| !objects.iter().any(|(object, _)| *object == base))
        })
    }

    /// Whether the condition is about objects that came out of code which is not seen, as the one behind it is not.
    pub(super) fn relies_on_unknown(&self, behind: &[Term], formula: &[Term]) -> bool {
        let unknown = |of: &[Term]| {
            let is_unknown =
                |term: &Term| matches!(self.world.leaf_of(*term), Some(Leaf::Unknown { kind: Kind::Reference, .. }));
            self.world.terms.subterms(of).into_iter().filter(is_unknown).collect::<BTreeSet<Term>>()
        };
        !unknown(formula).is_subset(&unknown(behind))
    }

    /// The object from which the term is read through fields and elements.
    fn base(&self, term: Term) -> Option<Term> {
        match self.world.terms.node(term) {
            Node::Select(_, index) => self.base(index.0),
            Node::Var(_) => Some(term),
            _ => None,
        }
    }
}
