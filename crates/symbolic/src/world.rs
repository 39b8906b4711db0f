//! What all states of one thread share.

use crate::classes::Classes;
use crate::leaves::{Leaf, Region};
use crate::models::boxes;
use crate::statics::Statics;
use analysis::Methods;
use ir::{Kind, Lambda, Var};
use program::{ClassName, CodePoint, FoundMethod, Program, Type};
use rustc_hash::FxHashMap;
use smt::{ClassSet, Node, Sort, Term, Terms};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// A lambda or method reference with what it took along.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) lambda: Lambda,
    pub(crate) args: Vec<Term>,
    /// The method whose code made it.
    pub(crate) made_by: FoundMethod,
}

/// Terms with their leaves, and classes by number.
#[derive(Debug)]
pub struct World {
    pub terms: Terms,
    pub methods: Arc<Methods>,
    pub classes: Classes,
    leaves: RefCell<Table>,
    unknowns: Cell<u32>,
    /// Regions that unseen code may have written, and what they were before.
    rewritten: RefCell<FxHashMap<Term, Term>>,
    pub(crate) statics: Statics,
    /// Objects that are lambdas.
    lambdas: RefCell<FxHashMap<Term, Arc<Captured>>>,
    /// Where objects were made.
    created: RefCell<FxHashMap<Term, CodePoint>>,
}

#[derive(Debug, Default)]
struct Table {
    terms: FxHashMap<Leaf, Term>,
    leaves: FxHashMap<Term, Leaf>,
}

impl World {
    pub fn new(methods: Arc<Methods>) -> World {
        let classes = Classes::new(methods.program().clone());
        World {
            terms: Terms::new(),
            methods,
            classes,
            leaves: RefCell::default(),
            unknowns: Cell::new(0),
            rewritten: RefCell::default(),
            statics: Statics::default(),
            lambdas: RefCell::default(),
            created: RefCell::default(),
        }
    }

    pub fn program(&self) -> &Arc<Program> {
        self.methods.program()
    }

    /// The variable that stands for the leaf.
    pub fn leaf(&self, leaf: Leaf) -> Term {
        if let Some(known) = self.leaves.borrow().terms.get(&leaf) {
            return *known;
        }
        let (name, sort) = (leaf.to_string(), leaf.sort());
        let term = if leaf.is_input() { self.terms.input(&name, sort) } else { self.terms.var(&name, sort) };
        let mut table = self.leaves.borrow_mut();
        table.leaves.insert(term, leaf.clone());
        table.terms.insert(leaf, term);
        term
    }

    /// What is wanted of all leaves there are.
    pub(crate) fn known_leaves<T>(&self, wanted: impl Fn(&Leaf) -> Option<T>) -> Vec<T> {
        self.leaves.borrow().terms.keys().filter_map(wanted).collect()
    }

    /// What the variable stands for.
    pub fn leaf_of(&self, term: Term) -> Option<Leaf> {
        self.leaves.borrow().leaves.get(&term).cloned()
    }

    pub fn region(&self, region: Region) -> Term {
        self.leaf(Leaf::Region(region))
    }

    pub fn variable(&self, depth: u16, var: Var, kind: Kind) -> Term {
        self.leaf(Leaf::Variable { depth, var, kind })
    }

    /// A value that the test gives to a call: there before whatever the call makes.
    pub fn argument(&self, kind: Kind) -> Term {
        let number = self.next_unknown();
        self.leaf(Leaf::Argument { number, kind })
    }

    /// A value that nothing is known of, unlike all others.
    pub fn unknown(&self, kind: Kind) -> Term {
        let number = self.next_unknown();
        self.leaf(Leaf::Unknown { number, kind })
    }

    pub(crate) fn unknown_text(&self) -> Term {
        let number = self.next_unknown();
        self.leaf(Leaf::UnknownText { number })
    }

    /// What a region may be after code that cannot be seen.
    pub(crate) fn rewritten(&self, region: Region, old: Term) -> Term {
        let number = self.next_unknown();
        let new = self.leaf(Leaf::Rewritten { number, region });
        self.rewritten.borrow_mut().insert(new, old);
        new
    }

    /// The same under the assumption that code that cannot be seen wrote nothing: for finding a model, never for refuting.
    pub fn if_nothing_was_rewritten(&self, roots: &[Term]) -> Vec<Term> {
        self.if_nothing_more_was_rewritten(roots, &[])
    }

    /// The same where what these terms speak of may have been rewritten.
    pub fn if_nothing_more_was_rewritten(&self, roots: &[Term], known: &[Term]) -> Vec<Term> {
        let mut put = self.rewritten.borrow().clone();
        for term in self.terms.subterms(known) {
            put.remove(&term);
        }
        let mut roots = roots.to_vec();
        // What was there before may itself be a rewritten region.
        loop {
            let is_rewritten = |term: &Term| put.contains_key(term);
            if !self.terms.subterms(&roots).iter().any(is_rewritten) {
                return roots;
            }
            roots = self.terms.substitute_all(&roots, &put);
        }
    }

    pub(crate) fn next_unknown(&self) -> u32 {
        let number = self.unknowns.get();
        self.unknowns.set(number + 1);
        number
    }

    /// The object of a string literal: the same text is the same object.
    pub fn literal(&self, units: Vec<u16>) -> Term {
        self.leaf(Leaf::Literal(units))
    }

    /// A new object.
    pub fn allocate(&self, ty: Type) -> Term {
        self.terms.allocate(self.classes.id(ty))
    }

    /// A new object that this place makes.
    pub fn allocate_at(&self, ty: Type, at: CodePoint) -> Term {
        let object = self.allocate(ty);
        self.created.borrow_mut().insert(object, at);
        object
    }

    /// A new object that is this lambda.
    pub(crate) fn allocate_lambda(&self, captured: Captured) -> Term {
        let object = self.allocate(Type::Class(captured.lambda.interface));
        self.lambdas.borrow_mut().insert(object, Arc::new(captured));
        object
    }

    /// The object that has this name is the lambda.
    pub(crate) fn name_lambda(&self, name: Term, captured: Captured) {
        self.lambdas.borrow_mut().insert(name, Arc::new(captured));
    }

    pub(crate) fn lambda(&self, object: Term) -> Option<Arc<Captured>> {
        self.lambdas.borrow().get(&object).cloned()
    }

    /// What a lambda took along.
    pub(crate) fn captured(&self, object: Term) -> Vec<Term> {
        self.lambda(object).map_or_else(Vec::new, |captured| captured.args.clone())
    }

    /// The place that made the object, if code did: what the stack trace of an exception begins with.
    pub fn created_at(&self, object: Term) -> Option<CodePoint> {
        self.created.borrow().get(&object).copied()
    }

    /// Not null and of the type.
    pub fn is_instance(&self, object: Term, ty: Type) -> Term {
        match self.known_type(object) {
            Some(known) => self.terms.bool(self.classes.below(ty).contains(self.classes.id(known))),
            None => self.terms.class_in(object, &self.classes.below(ty)),
        }
    }

    pub fn is_null(&self, object: Term) -> Term {
        if self.known_type(object).is_some() { self.terms.falsity() } else { self.terms.is_null(object) }
    }

    /// Whether two references are the same. Objects that are known by what they are differ where they are named differently.
    pub fn same(&self, left: Term, right: Term) -> Term {
        if left == self.terms.null() {
            return self.is_null(right);
        }
        if right == self.terms.null() {
            return self.is_null(left);
        }
        let is_known = |term| self.is_constant_object(term);
        if left != right && is_known(left) && is_known(right) {
            return self.terms.falsity();
        }
        self.terms.eq(left, right)
    }

    /// Whether the leaf names one object, unlike all that are named otherwise.
    fn is_constant_object(&self, term: Term) -> bool {
        let is_named = || matches!(self.leaf_of(term), Some(Leaf::Literal(_) | Leaf::Class(_) | Leaf::Box { .. }));
        self.static_type(term).is_some() || is_named()
    }

    /// The exact class of an object, where it is known which object it is.
    pub fn known_type(&self, object: Term) -> Option<Type> {
        if let Node::Reference(_) = self.terms.node(object) {
            return self.allocated_type(object);
        }
        match self.leaf_of(object)? {
            Leaf::Literal(_) => Some(Type::Class(ClassName::string())),
            Leaf::Class(_) => Some(Type::class("java/lang/Class")),
            Leaf::Box { class, .. } => Some(Type::Class(class)),
            Leaf::Region(Region::Static(_)) => self.static_type(object),
            _ => None,
        }
    }

    /// The class of an object that was allocated here.
    pub fn allocated_type(&self, object: Term) -> Option<Type> {
        let Node::Reference(reference) = self.terms.node(object) else { return None };
        self.terms.allocated_class(reference).and_then(|class| self.classes.ty(class))
    }

    /// The object is not null, and of this class.
    pub(crate) fn is_exactly(&self, object: Term, ty: Type) -> Term {
        self.terms.class_in(object, &ClassSet::of([self.classes.id(ty)]))
    }

    /// Class objects of different types are not the same.
    fn classes_differ(&self, subterms: &[Term]) -> Vec<Term> {
        let is_named = |term: &Term| matches!(self.leaf_of(*term), Some(Leaf::Class(_)));
        let classes: Vec<Term> = subterms.iter().copied().filter(is_named).collect();
        let pairs =
            classes.iter().enumerate().flat_map(|(at, one)| classes[..at].iter().map(move |other| (*one, *other)));
        pairs.map(|(one, other)| self.terms.not(self.terms.eq(one, other))).collect()
    }

    fn value_of_box(&self, object: Term, class: ClassName, value: i64) -> Option<Term> {
        let field = boxes::value_field(class)?;
        let cell = self.terms.raw(Node::Select(self.region(Region::Field(field)), object.into()));
        let Sort::Bv(width) = self.terms.sort(cell) else { return None };
        Some(self.terms.eq(cell, self.terms.bits(width, value.cast_unsigned())))
    }

    /// What holds of these terms because of what they are: literals have their texts and are strings, lengths are not negative.
    /// To be asked together with whatever the terms occur in.
    pub fn axioms(&self, roots: &[Term]) -> Vec<Term> {
        let terms = &self.terms;
        let mut axioms = Vec::new();
        let lengths = self.region(Region::Lengths);
        let subterms = terms.subterms(roots);
        axioms.extend(self.static_axioms(&subterms));
        axioms.extend(self.classes_differ(&subterms));
        for term in subterms {
            match (terms.node(term), self.leaf_of(term)) {
                (_, Some(Leaf::Literal(units))) => {
                    axioms.push(self.is_exactly(term, Type::Class(ClassName::string())));
                    let text = terms.raw(Node::Select(self.region(Region::Texts), term.into()));
                    axioms.push(terms.eq(text, terms.units(&units)));
                }
                (_, Some(Leaf::Class(_))) => axioms.push(self.is_exactly(term, Type::class("java/lang/Class"))),
                (_, Some(Leaf::Box { class, value })) => {
                    axioms.push(self.is_exactly(term, Type::Class(class)));
                    axioms.extend(self.value_of_box(term, class, value));
                }
                (Node::Select(array, _), _) if array == lengths => {
                    axioms.push(terms.sle(terms.i32(0), term));
                }
                (Node::Select(..), _) => axioms.extend(crate::stand_in::invariants(self, term)),
                _ => {}
            }
        }
        axioms
    }
}
