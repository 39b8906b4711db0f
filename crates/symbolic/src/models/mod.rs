//! Library methods whose meaning is written here as terms: strings and their builders, boxes, mathematics, arrays, class objects,
//! exceptions' constructors. The code of strings and builders is never looked at, so that their fields are never symbolic; a method of
//! theirs that is not here returns an unknown value, marked `loose`. All else that has no model is read off its code.
//!
//! To add one, add a line to a table here; the test `models_against_the_jvm` generates its calls from the tables.

mod arrays;
pub(crate) mod boxes;
mod builders;
mod characters;
mod exceptions;
mod math;
mod objects;
mod strings;
mod text;
mod units;

pub(crate) use text::Piece;

use crate::leaves::Region;
use crate::state::{Marks, State};
use crate::world::World;
use program::{ClassName, MethodRef, Type};
use rustc_hash::FxHashMap;
use smt::{Node, Term, Terms};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// One way in which a modelled method ends.
#[derive(Clone, Debug)]
pub struct Answer {
    pub when: Term,
    pub memory: BTreeMap<Region, Term>,
    pub marks: Marks,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Returns(Option<Term>),
    Throws(ClassName),
}

/// What a model makes of a call; none where it cannot say.
type Run = fn(&Call<'_>) -> Option<Vec<Answer>>;

/// A method with a model.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub method: MethodRef,
    run: Run,
}

static TABLE: LazyLock<FxHashMap<MethodRef, Model>> = LazyLock::new(|| {
    let families = [
        strings::models(),
        builders::models(),
        boxes::models(),
        characters::models(),
        math::models(),
        arrays::models(),
        objects::models(),
    ];
    families.into_iter().flatten().map(|model| (model.method, model)).collect()
});

/// All methods that have a model by name, sorted.
pub fn modelled() -> Vec<MethodRef> {
    let mut all: Vec<MethodRef> = TABLE.keys().copied().collect();
    all.sort_by_key(|method| (method.class.as_internal(), method.name.as_str(), method.descriptor.as_str()));
    all
}

/// Whether the method has a model, so that its code is not looked at.
pub fn is_modelled(world: &World, named: MethodRef) -> bool {
    if TABLE.contains_key(&named) {
        return true;
    }
    !is_by_code(named) && (is_of_text(named) || is_object_made(named) || is_exception_made(world, named))
}

/// Strings and their builders; what has no model of its own gives an unknown value.
fn is_of_text(named: MethodRef) -> bool {
    let class = named.class.as_internal();
    let is_text = matches!(
        class,
        "java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer" | "java/lang/AbstractStringBuilder"
    );
    is_text || class.starts_with("java/lang/CharacterData")
}

fn is_object_made(named: MethodRef) -> bool {
    named.class == ClassName::object() && named.is_constructor()
}

fn is_exception_made(world: &World, named: MethodRef) -> bool {
    named.is_constructor() && exceptions::is_jdk_exception(world, named.class)
}

fn model(class: &str, name: &str, descriptor: &str, run: Run) -> Model {
    Model { method: MethodRef::new(class, name, descriptor), run }
}

/// The ways in which the call may end; none if the method is not modelled. `types` are what is known of the arguments
/// statically.
pub fn answer(
    world: &World,
    state: &State,
    named: MethodRef,
    args: &[Term],
    types: &[Option<Type>],
) -> Option<Vec<Answer>> {
    let call = Call { world, state, named, args, types };
    if let Some(model) = TABLE.get(&named) {
        return Some((model.run)(&call).unwrap_or_else(|| call.unknown()));
    }
    if is_by_code(named) {
        return None;
    }
    if is_object_made(named) {
        return Some(call.nothing());
    }
    if is_of_text(named) {
        return Some(call.unknown());
    }
    is_exception_made(world, named).then(|| exceptions::constructed(&call))
}

/// Methods of strings and builders whose code only calls others of theirs.
fn is_by_code(named: MethodRef) -> bool {
    let parts = (named.class.as_internal(), named.name.as_str(), named.descriptor.as_str());
    matches!(
        parts,
        ("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;")
            | ("java/lang/String", "copyValueOf", _)
            | ("java/lang/String", "compareTo", "(Ljava/lang/Object;)I")
            | ("java/lang/StringBuilder" | "java/lang/StringBuffer", "append" | "insert", _)
            | ("java/lang/AbstractStringBuilder", "insert", "(ILjava/lang/Object;)Ljava/lang/AbstractStringBuilder;")
    )
}

/// Longer arrays and texts are not gone through unit by unit.
const MOST_ELEMENTS: i64 = 64;

const NULL: &str = "java/lang/NullPointerException";
const INDEX: &str = "java/lang/IndexOutOfBoundsException";
const TEXT_INDEX: &str = "java/lang/StringIndexOutOfBoundsException";
const ARRAY_INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";
const FORMAT: &str = "java/lang/NumberFormatException";
const ARGUMENT: &str = "java/lang/IllegalArgumentException";

/// A call of a modelled method.
struct Call<'a> {
    world: &'a World,
    state: &'a State,
    named: MethodRef,
    /// Receiver first.
    args: &'a [Term],
    types: &'a [Option<Type>],
}

/// Endings of a call in the order in which its code decides on them.
struct Endings<'a> {
    call: &'a Call<'a>,
    /// None of those before.
    rest: Term,
    answers: Vec<Answer>,
}

impl<'a> Endings<'a> {
    fn add(&mut self, when: Term, memory: BTreeMap<Region, Term>, marks: Marks, outcome: Outcome) {
        let terms = self.call.terms();
        let here = terms.and([self.rest, when]);
        if here != terms.falsity() {
            self.answers.push(Answer { when: here, memory, marks, outcome });
        }
        self.rest = terms.and([self.rest, terms.not(when)]);
    }

    fn throws(mut self, when: Term, class: &str) -> Self {
        let outcome = Outcome::Throws(ClassName::internal(class));
        self.add(when, self.call.state.memory.clone(), Marks::default(), outcome);
        self
    }

    /// Throws after memory became this.
    fn throws_leaving(mut self, when: Term, state: &State, class: &str) -> Self {
        let outcome = Outcome::Throws(ClassName::internal(class));
        self.add(when, state.memory.clone(), Marks::default(), outcome);
        self
    }

    /// May throw here or not: nobody can tell.
    fn may_throw(mut self, class: &str) -> Self {
        let outcome = Outcome::Throws(ClassName::internal(class));
        let (marks, memory) = (Marks { loose: true, cut: false }, self.call.state.memory.clone());
        self.answers.push(Answer { when: self.rest, memory, marks, outcome });
        self
    }

    fn throws_unless(self, holds: Term, class: &str) -> Self {
        let when = self.call.terms().not(holds);
        self.throws(when, class)
    }

    /// Returns the value where the condition holds.
    fn returns_if(mut self, when: Term, value: Term) -> Self {
        self.add(when, self.call.state.memory.clone(), Marks::default(), Outcome::Returns(Some(value)));
        self
    }

    fn returns(self, value: Term) -> Vec<Answer> {
        let truth = self.call.terms().truth();
        self.returns_if(truth, value).answers
    }

    fn truth(self, condition: Term) -> Vec<Answer> {
        let value = self.call.as_int(condition);
        self.returns(value)
    }

    /// Returns a value that holds this of itself, and nothing else is known of.
    fn returns_such(mut self, value: Term, fact: Term) -> Vec<Answer> {
        let here = self.call.terms().and([self.rest, fact]);
        self.rest = here;
        self.returns(value)
    }

    /// Ends with this memory.
    fn leaves(self, state: State, value: Option<Term>) -> Vec<Answer> {
        let truth = self.call.terms().truth();
        self.leaves_if(truth, state, value).answers
    }

    fn leaves_if(mut self, when: Term, state: State, value: Option<Term>) -> Self {
        self.add(when, state.memory, state.marks, Outcome::Returns(value));
        self
    }

    /// Returns a new string.
    fn returns_text(self, text: Term) -> Vec<Answer> {
        let mut state = self.call.state.clone();
        let object = state.new_text(self.call.world, text);
        self.leaves(state, Some(object))
    }

    /// Ends somehow.
    fn unknown(mut self) -> Vec<Answer> {
        let rest = self.rest;
        for mut answer in self.call.unknown() {
            answer.when = self.call.terms().and([rest, answer.when]);
            if answer.when != self.call.terms().falsity() {
                self.answers.push(answer);
            }
        }
        self.answers
    }
}

impl<'a> Call<'a> {
    fn terms(&self) -> &'a Terms {
        &self.world.terms
    }

    fn endings(&'a self) -> Endings<'a> {
        Endings { call: self, rest: self.terms().truth(), answers: Vec::new() }
    }

    fn int(&self, value: i32) -> Term {
        self.terms().i32(value)
    }

    fn as_int(&self, condition: Term) -> Term {
        self.terms().ite(condition, self.int(1), self.int(0))
    }

    fn returns(&self, value: Term) -> Vec<Answer> {
        let outcome = Outcome::Returns(Some(value));
        let memory = self.state.memory.clone();
        vec![Answer { when: self.terms().truth(), memory, marks: Marks::default(), outcome }]
    }

    fn truth(&self, condition: Term) -> Vec<Answer> {
        self.returns(self.as_int(condition))
    }

    fn nothing(&self) -> Vec<Answer> {
        let memory = self.state.memory.clone();
        let outcome = Outcome::Returns(None);
        vec![Answer { when: self.terms().truth(), memory, marks: Marks::default(), outcome }]
    }

    /// Any value; a builder that is the receiver may have any text then.
    fn unknown(&self) -> Vec<Answer> {
        let mut state = self.state.clone();
        let is_builder = builders::is_builder(self.named.class);
        if is_builder && let Some(this) = self.args.first() {
            state.set_built(self.world, *this, self.world.unknown_text());
        }
        let result = self.named.signature().ret;
        let value = result.map(|ty| match ty {
            Type::Class(class) if is_builder && builders::is_builder(class) => self.args[0],
            ty => self.world.unknown(ir::kind_of_type(ty)),
        });
        let typed = match (value, result) {
            (Some(value), Some(ty)) => self.world.well_typed(value, ty),
            _ => self.terms().truth(),
        };
        let (marks, memory) = (Marks { loose: true, cut: false }, state.memory);
        vec![Answer { when: typed, memory, marks, outcome: Outcome::Returns(value) }]
    }

    fn is_null(&self, at: usize) -> Term {
        self.world.is_null(self.args[at])
    }

    /// The text of a string or builder.
    fn text(&self, at: usize) -> Term {
        let known = self.world.known_type(self.args[at]).or_else(|| self.declared(at));
        match known.and_then(Type::as_class) {
            Some(class) if builders::is_builder(class) => self.state.built(self.world, self.args[at]),
            _ => self.state.text_of(self.world, self.args[at]),
        }
    }

    /// The type of an argument as the method declares it.
    fn declared(&self, at: usize) -> Option<Type> {
        let params = self.named.signature().params;
        match self.args.len() - params.len() {
            0 => params.get(at).copied(),
            _ if at == 0 => Some(Type::Class(self.named.class)),
            _ => params.get(at - 1).copied(),
        }
    }

    fn length(&self, at: usize) -> Term {
        self.terms().length(self.text(at))
    }

    /// The text of an argument where it is a constant.
    fn constant_text(&self, at: usize) -> Option<Arc<[u16]>> {
        units_of(self.terms(), self.text(at))
    }

    fn constant(&self, at: usize) -> Option<i64> {
        self.terms().constant(self.args[at])?.as_signed()
    }

    /// What is known of the class of an argument: exactly, or as declared.
    fn type_of(&self, at: usize) -> Option<Type> {
        self.world.known_type(self.args[at]).or_else(|| self.types.get(at).copied().flatten())
    }

    /// Whether `0 <= from <= to <= length`.
    fn is_range(&self, from: Term, to: Term, length: Term) -> Term {
        let terms = self.terms();
        terms.and([terms.sle(self.int(0), from), terms.sle(from, to), terms.sle(to, length)])
    }

    /// The smaller of two ints.
    fn least(&self, left: Term, right: Term) -> Term {
        let terms = self.terms();
        terms.ite(terms.sle(left, right), left, right)
    }

    /// Whether an object has a text: it is a string or a builder. None where that depends on its class.
    fn has_text(&self, object: Term) -> Option<bool> {
        let class = self.world.known_type(object)?.as_class()?;
        Some(class == ClassName::string() || builders::is_builder(class))
    }

    /// Answers for an argument that is some `CharSequence`: exact where it has a text, else unknown. Null comes before.
    fn with_sequence(&'a self, at: usize, then: impl FnOnce(Endings<'a>, Term) -> Vec<Answer>) -> Vec<Answer> {
        let declared = self.types.get(at).copied().flatten().and_then(Type::as_class);
        let is_string = declared == Some(ClassName::string());
        if is_string || self.has_text(self.args[at]) == Some(true) {
            return then(self.endings(), self.text(at));
        }
        let is_string = self.world.is_instance(self.args[at], Type::Class(ClassName::string()));
        let mut exact = self.endings();
        exact.rest = self.terms().or([is_string, self.is_null(at)]);
        let mut other = self.endings();
        other.rest = self.terms().not(exact.rest);
        let mut all = then(exact, self.text(at));
        all.extend(other.unknown());
        all.retain(|answer| answer.when != self.terms().falsity());
        all
    }

    /// The elements of an array of constant length.
    fn elements(&self, at: usize, component: Type) -> Option<Vec<Term>> {
        let length = self.state.length(self.world, self.args[at]);
        let length = self.terms().constant(length)?.as_signed().filter(|length| *length <= MOST_ELEMENTS)?;
        Some((0..length).map(|index| self.element(self.args[at], index, component)).collect())
    }

    fn element(&self, array: Term, index: i64, component: Type) -> Term {
        self.state.element(self.world, array, self.int(i32::try_from(index).unwrap_or(i32::MAX)), component)
    }
}

fn units_of(terms: &Terms, text: Term) -> Option<Arc<[u16]>> {
    if let Node::Str(units) = terms.node(text) { Some(units) } else { None }
}
