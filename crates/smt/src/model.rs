//! Models: values of variables and classes of objects. Total: what is not said is the default of its sort.

use crate::classes::ClassId;
use crate::node::Var;
use crate::terms::Terms;
use crate::value::{Reference, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// An assignment that makes a query true.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Var, Value>,
    /// Classes of objects that came in from outside.
    classes: BTreeMap<Reference, ClassId>,
}

impl Model {
    /// The class of an input object that nothing was said about.
    pub const SOME_CLASS: ClassId = ClassId(0);

    pub fn new() -> Model {
        Model::default()
    }

    pub fn set(&mut self, var: Var, value: Value) {
        self.values.insert(var, value);
    }

    pub fn set_class(&mut self, object: Reference, class: ClassId) {
        self.classes.insert(object, class);
    }

    /// What was said of the variable.
    pub fn get(&self, var: Var) -> Option<&Value> {
        self.values.get(&var)
    }

    /// What was said, or the default of its sort.
    pub fn value_of(&self, terms: &Terms, var: Var) -> Value {
        self.values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)))
    }

    /// The class of an object; `None` for null.
    pub fn class_of(&self, terms: &Terms, object: Reference) -> Option<ClassId> {
        if object.is_null() {
            return None;
        }
        let allocated = terms.allocated_class(object);
        Some(allocated.or_else(|| self.classes.get(&object).copied()).unwrap_or(Model::SOME_CLASS))
    }

    pub fn values(&self) -> impl Iterator<Item = (Var, &Value)> {
        self.values.iter().map(|(var, value)| (*var, value))
    }

    pub fn classes(&self) -> impl Iterator<Item = (Reference, ClassId)> + '_ {
        self.classes.iter().map(|(object, class)| (*object, *class))
    }

    /// Takes over what another model says. Objects that came in are told apart by moving those of the other behind
    /// ours: no term can name one, so that their numbers mean nothing.
    pub fn join_apart(&mut self, other: &Model) {
        let ours = self.inputs().last().map_or(0, |last| last.number());
        let new = (ours + 1..).map(Reference::input);
        let moved = Renamed { names: other.inputs().into_iter().zip(new).collect() };
        let other = other.renamed(&moved);
        self.values.extend(other.values);
        self.classes.extend(other.classes);
    }

    /// What is said of these variables, and of the objects in their values.
    #[must_use]
    pub fn restricted_to(&self, vars: &BTreeSet<Var>) -> Model {
        let said = self.values.iter().filter(|(var, _)| vars.contains(var));
        let mut model =
            Model { values: said.map(|(var, value)| (*var, value.clone())).collect(), classes: BTreeMap::new() };
        for object in model.inputs() {
            model.classes.extend(self.classes.get(&object).map(|class| (object, *class)));
        }
        model
    }

    /// The same with input objects numbered from 1 on, and with allocated objects that no term names renamed to such as
    /// nobody allocates: a solver may take the number of an object that it was not told of, class and all.
    #[must_use]
    pub(crate) fn compact(&self, named: &BTreeSet<Reference>) -> Model {
        let mut seen: BTreeSet<Reference> = self.classes.keys().copied().collect();
        self.values.values().for_each(|value| references_in(value, &mut |object| seen.extend([object])));
        let free = |object: &Reference| !named.contains(object);
        let inputs = (1..).map(Reference::input).filter(free);
        let unknown = (0..Reference::ALLOCATED).rev().map(Reference::allocated).filter(free);
        let of_kind = |is_input: bool| {
            let kind = move |object: &&Reference| if is_input { object.is_input() } else { object.is_allocated() };
            seen.iter().filter(kind).copied().filter(free).collect::<Vec<_>>()
        };
        let names = of_kind(true).into_iter().zip(inputs).chain(of_kind(false).into_iter().zip(unknown));
        self.renamed(&Renamed { names: names.collect() })
    }

    fn renamed(&self, names: &Renamed) -> Model {
        Model {
            values: self.values.iter().map(|(var, value)| (*var, names.value(value))).collect(),
            classes: self.classes.iter().map(|(object, class)| (names.reference(*object), *class)).collect(),
        }
    }

    /// All input objects, in order.
    fn inputs(&self) -> BTreeSet<Reference> {
        let mut inputs = BTreeSet::new();
        let mut see = |reference: Reference| {
            if reference.is_input() {
                inputs.insert(reference);
            }
        };
        self.classes.keys().for_each(|object| see(*object));
        self.values.values().for_each(|value| references_in(value, &mut see));
        inputs
    }

    /// One line per variable and object, by name.
    pub fn to_text(&self, terms: &Terms) -> String {
        let mut named: Vec<_> = self.values.iter().map(|(var, value)| (terms.var_name(*var), value)).collect();
        named.sort();
        let mut text = String::new();
        for (name, value) in named {
            let _ = writeln!(text, "{name} = {value}");
        }
        for (object, class) in &self.classes {
            let _ = writeln!(text, "class of {object} = {}", class.0);
        }
        text
    }
}

fn references_in(value: &Value, see: &mut dyn FnMut(Reference)) {
    match value {
        Value::Ref(reference) => see(*reference),
        Value::Array(array) => array.visit(&mut |part| references_in(part, see)),
        _ => {}
    }
}

struct Renamed {
    names: BTreeMap<Reference, Reference>,
}

impl Renamed {
    fn reference(&self, reference: Reference) -> Reference {
        self.names.get(&reference).copied().unwrap_or(reference)
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Ref(reference) => Value::Ref(self.reference(*reference)),
            Value::Array(array) => Value::Array(Arc::new(array.map(&|part| self.value(part)))),
            other => other.clone(),
        }
    }
}
