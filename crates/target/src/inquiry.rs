//! One derivation of a target: the methods it asks about, how deeply its questions are nested, and the values that it could not
//! follow.

use analysis::{Lowered, Methods};
use condition::{Expr, UnknownId};
use program::{MethodRef, Program};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What all questions of a derivation share.
pub(crate) struct Inquiry<'p> {
    methods: &'p Methods,
    pub(crate) program: &'p Program,
    nesting: Rc<Cell<u32>>,
    /// Values that could not be followed so far.
    unknowns: Cell<u32>,
}

/// While it lives, one more question is asked inside of another.
pub(crate) struct Nested(Rc<Cell<u32>>);

impl Drop for Nested {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// Questions about branches lead to further ones; in loops even back to themselves.
const DEEPEST_NESTING: u32 = 3;

impl<'p> Inquiry<'p> {
    pub(crate) fn new(methods: &'p Methods) -> Self {
        Inquiry { methods, program: methods.program(), nesting: Rc::default(), unknowns: Cell::default() }
    }

    /// A value that cannot be followed, and is none of those before.
    pub(crate) fn unknown(&self) -> Expr {
        let id = self.unknowns.get();
        self.unknowns.set(id.wrapping_add(1));
        Expr::Unknown(UnknownId(id))
    }

    /// Notes that a question is asked inside of another; `None` if that goes too deep.
    pub(crate) fn nest(&self) -> Option<Nested> {
        let depth = self.nesting.get();
        (depth < DEEPEST_NESTING).then(|| {
            self.nesting.set(depth + 1);
            Nested(Rc::clone(&self.nesting))
        })
    }

    /// See [`Methods::get`].
    pub(crate) fn get(&self, method: MethodRef) -> Option<Arc<Lowered>> {
        self.methods.get(method)
    }
}
