//! References, type tests, arrays.

use crate::classes::ClassSet;
use crate::node::{ClassSetId, Index, Node, Term};
use crate::sort::{ArraySort, Sort};
use crate::terms::Terms;
use crate::value::{Reference, Value};

impl Terms {
    pub fn null(&self) -> Term {
        self.raw(Node::Reference(Reference::NULL))
    }

    pub fn is_null(&self, a: Term) -> Term {
        self.eq(a, self.null())
    }

    pub fn is_allocated(&self, a: Term) -> Term {
        match self.node(a) {
            Node::Ite(c, x, y) if self.constant(x).is_some() || self.constant(y).is_some() => {
                let (x, y) = (self.is_allocated(x), self.is_allocated(y));
                self.ite(c, x, y)
            }
            _ => self.folded(Node::IsAllocated(a)),
        }
    }

    /// Not null, and of one of these classes.
    pub fn class_in(&self, a: Term, classes: &ClassSet) -> Term {
        let set = self.class_set(classes);
        self.class_in_set(a, set)
    }

    pub fn class_in_set(&self, a: Term, set: ClassSetId) -> Term {
        let classes = self.classes(set);
        if classes.is_empty() {
            return self.falsity();
        }
        if classes.is_all() {
            return self.not(self.is_null(a));
        }
        match self.node(a) {
            Node::Reference(object) if object.is_null() => self.falsity(),
            Node::Reference(object) => match self.allocated_class(object) {
                Some(class) => self.bool(classes.contains(class)),
                None => self.raw(Node::ClassIn(a, set)),
            },
            Node::Ite(c, x, y) if self.constant(x).is_some() || self.constant(y).is_some() => {
                let (x, y) = (self.class_in_set(x, set), self.class_in_set(y, set));
                self.ite(c, x, y)
            }
            _ => self.raw(Node::ClassIn(a, set)),
        }
    }

    pub fn select(&self, array: Term, index: impl Into<Index>) -> Term {
        let index = index.into();
        let mut array = array;
        // Past the writes that are somewhere else for certain.
        while let Node::Store(inner, at, value) = self.node(array) {
            match self.same_place(at, index) {
                Some(true) => return value,
                Some(false) => array = inner,
                None => break,
            }
        }
        match self.node(array) {
            Node::Filled(_, value) => value,
            // Memory of an object is zero until it is written.
            Node::Var(_) if self.is_new(index.0) && self.is_input(array) => {
                self.value(&Value::default_of(self.array_sort(array).element.into()))
            }
            // Not into an `Ite`: its branches share most of what is below them, which would be gone through once for
            // every path.
            _ => self.raw(Node::Select(array, index)),
        }
    }

    /// Whether two indices are the same, where that can be seen.
    pub(crate) fn same_place(&self, a: Index, b: Index) -> Option<bool> {
        let second = match (a.1, b.1) {
            (Some(a), Some(b)) => self.same(a, b),
            _ => Some(true),
        };
        match (self.same(a.0, b.0), second) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    fn same(&self, a: Term, b: Term) -> Option<bool> {
        if a == b { Some(true) } else { self.as_bool(self.eq(a, b)) }
    }

    pub fn store(&self, array: Term, index: impl Into<Index>, value: Term) -> Term {
        let index = index.into();
        let array = match self.node(array) {
            Node::Store(inner, at, _) if at == index => inner,
            _ => array,
        };
        match (self.node(array), self.node(value)) {
            // Writing what is there already.
            (Node::Filled(_, fill), _) if fill == value => array,
            (_, Node::Select(from, at)) if from == array && at == index => array,
            _ => self.raw(Node::Store(array, index, value)),
        }
    }

    /// The same value in every cell.
    pub fn filled(&self, sort: ArraySort, value: Term) -> Term {
        self.raw(Node::Filled(sort, value))
    }

    pub(crate) fn array_sort(&self, array: Term) -> ArraySort {
        match self.sort(array) {
            Sort::Array(sort) => sort,
            other => panic!("{array:?} is a {other}, no array"),
        }
    }
}
