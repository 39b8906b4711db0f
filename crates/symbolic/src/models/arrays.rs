//! Arrays: copies, element by element where the length is a constant.

use super::{ARRAY_INDEX, Answer, Call, Endings, MOST_ELEMENTS, Model, NULL, model};
use crate::leaves::{Leaf, Region};
use program::{Subtype, Type};
use smt::Term;

const ARRAYS: &str = "java/util/Arrays";
const STORE: &str = "java/lang/ArrayStoreException";

pub(super) fn models() -> Vec<Model> {
    let mut all = vec![
        model("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", |c| Some(c.copied())),
        model("java/lang/Object", "clone", "()Ljava/lang/Object;", |c| c.cloned()),
        model("java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", |c| c.new_array()),
    ];
    for ty in ["Z", "B", "C", "S", "I", "J"] {
        all.push(model(ARRAYS, "equals", &format!("([{ty}[{ty})Z"), |c| c.equal_arrays()));
    }
    all
}

impl<'a> Call<'a> {
    /// The component type of an array argument; none if it may be several.
    fn component(&self, at: usize) -> Option<Type> {
        let Type::Array(array) = self.type_of(at)? else { return None };
        Some(array.component())
    }

    /// Exactly that of the array, not one above it.
    fn exact_component(&self, at: usize) -> Option<Type> {
        let is_exact = self.world.known_type(self.args[at]).is_some();
        self.component(at).filter(|component| is_exact || !component.is_reference())
    }

    /// `System.arraycopy`: nulls, types, places, and then each element, in this order.
    fn copied(&'a self) -> Vec<Answer> {
        let terms = self.terms();
        let endings = self.endings().throws(self.is_null(0), NULL).throws(self.is_null(2), NULL);
        let is_no_array = |at: usize| matches!(self.world.known_type(self.args[at]), Some(Type::Class(_)));
        if is_no_array(0) || is_no_array(2) {
            return endings.throws(terms.truth(), STORE).answers;
        }
        let (Some(from), Some(to)) = (self.component(0), self.component(2)) else { return endings.rewrites_all() };
        if from != to && !(from.is_reference() && to.is_reference()) {
            return endings.throws(terms.truth(), STORE).answers;
        }
        let (from_at, to_at, length) = (self.args[1], self.args[3], self.args[4]);
        let wide = |value: Term| terms.extend(true, 64, value);
        let zero = self.int(0);
        let fits = |at: Term, array: usize| {
            let end = terms.add(wide(at), wide(length));
            terms.and([terms.sle(zero, at), terms.sle(end, wide(self.array_length(array)))])
        };
        let holds = terms.and([terms.sle(zero, length), fits(from_at, 0), fits(to_at, 2)]);
        let endings = endings.throws_unless(holds, ARRAY_INDEX);
        let is_safe = !from.is_reference() || self.is_assignable(from);
        match self.constant(4) {
            // An exception leaves nothing to copy.
            _ if endings.rest == terms.falsity() => endings.answers,
            Some(0) => endings.leaves(self.state.clone(), None),
            Some(length @ 1..=MOST_ELEMENTS) if is_safe => self.copied_elements(endings, from, length, None),
            Some(length @ 1..=MOST_ELEMENTS) if self.exact_component(2).is_some() => {
                self.copied_elements(endings, from, length, self.exact_component(2))
            }
            _ if is_safe => endings.rewrites(from),
            _ => endings.may_throw(STORE).rewrites(from),
        }
    }

    /// Whether what one array holds can always be stored into the other.
    fn is_assignable(&self, from: Type) -> bool {
        let exact = self.exact_component(2);
        exact.is_some_and(|to| self.world.program().is_subtype_of(from, to) == Subtype::Yes)
            || self.args[0] == self.args[2]
    }

    /// Copies element by element; each must be of the checked type, if there is one.
    fn copied_elements(
        &'a self,
        mut endings: Endings<'a>,
        component: Type,
        length: i64,
        checked: Option<Type>,
    ) -> Vec<Answer> {
        let terms = self.terms();
        let at = |start: Term, index: i64| terms.add(start, self.int(i32::try_from(index).unwrap_or(i32::MAX)));
        let read = |index: i64| self.state.element(self.world, self.args[0], at(self.args[1], index), component);
        // All are read before any is written: the two may be one array.
        let values: Vec<Term> = (0..length).map(read).collect();
        let mut state = self.state.clone();
        for (index, value) in (0..).zip(values) {
            if let Some(ty) = checked {
                let holds = terms.or([self.world.is_null(value), self.world.is_instance(value, ty)]);
                endings = endings.throws_leaving(terms.not(holds), &state, STORE);
            }
            state.set_element(self.world, self.args[2], at(self.args[3], index), component, value);
        }
        endings.leaves(state, None)
    }

    fn cloned(&'a self) -> Option<Vec<Answer>> {
        let component = self.exact_component(0)?;
        let elements = self.elements(0, component)?;
        let mut state = self.state.clone();
        let array = state.array_of(self.world, component, &elements);
        Some(self.endings().leaves(state, Some(array)))
    }

    fn new_array(&'a self) -> Option<Vec<Answer>> {
        let endings = self.endings().throws(self.is_null(0), NULL);
        let Some(Leaf::Class(component)) = self.world.leaf_of(self.args[0]) else { return Some(endings.unknown()) };
        let is_negative = self.terms().slt(self.args[1], self.int(0));
        let endings = endings.throws(is_negative, "java/lang/NegativeArraySizeException");
        let mut state = self.state.clone();
        let array = state.new_array(self.world, component, &[self.args[1]]);
        Some(endings.leaves(state, Some(array)))
    }

    fn equal_arrays(&'a self) -> Option<Vec<Answer>> {
        let terms = self.terms();
        let is_same = self.world.same(self.args[0], self.args[1]);
        let endings = self.endings().returns_if(is_same, self.int(1));
        let endings = endings.returns_if(terms.or([self.is_null(0), self.is_null(1)]), self.int(0));
        let differ = terms.not(terms.eq(self.array_length(0), self.array_length(1)));
        let endings = endings.returns_if(differ, self.int(0));
        if endings.rest == terms.falsity() {
            return Some(endings.answers);
        }
        let Some(Type::Array(array)) = self.parameter(0) else { return None };
        let (Some(left), Some(right)) = (self.elements(0, array.component()), self.elements(1, array.component()))
        else {
            return Some(endings.unknown());
        };
        let equal: Vec<Term> = left.iter().zip(&right).map(|(left, right)| terms.eq(*left, *right)).collect();
        Some(endings.truth(terms.and(equal)))
    }
}

impl<'a> Endings<'a> {
    /// Elements of this kind may be anything afterwards.
    fn rewrites(self, component: Type) -> Vec<Answer> {
        let mut state = self.call.state.clone();
        state.rewrite(self.call.world, Region::Elements(self.call.world.element_kind(component)));
        state.marks.loose = true;
        self.leaves(state, None)
    }

    fn rewrites_all(self) -> Vec<Answer> {
        let mut state = self.call.state.clone();
        state.rewrite_elements(self.call.world);
        state.marks.loose = true;
        self.leaves(state, None)
    }
}
