//! Values, objects and arrays.

use super::numbers::narrowed;
use ir::Kind;
use program::{ClassName, FieldRef, Symbol, Type};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Reference(Option<Reference>),
    Address(u16),
}

/// Equal if it is the same object.
#[derive(Clone, Debug)]
pub(crate) struct Reference(Rc<RefCell<Object>>);

#[derive(Debug)]
pub(crate) enum Object {
    Instance { class: ClassName, fields: BTreeMap<(Symbol, Symbol), Value>, created: Place },
    Array { component: Type, elements: Vec<Value> },
}

/// Method name and line.
pub(crate) type Place = (Symbol, Option<u16>);

impl Value {
    pub(crate) fn default_of(ty: Type) -> Value {
        match ir::kind_of_type(ty) {
            Kind::Int => Value::Int(0),
            Kind::Long => Value::Long(0),
            Kind::Float => Value::Float(0.0),
            Kind::Double => Value::Double(0.0),
            Kind::Reference => Value::Reference(None),
        }
    }

    pub(crate) fn int(&self) -> i32 {
        let Value::Int(value) = self else { panic!("{self:?} is not an int") };
        *value
    }

    pub(crate) fn reference(&self) -> Option<Reference> {
        let Value::Reference(reference) = self else { panic!("{self:?} is not a reference") };
        reference.clone()
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        Some(match self {
            Value::Int(_) => Kind::Int,
            Value::Long(_) => Kind::Long,
            Value::Float(_) => Kind::Float,
            Value::Double(_) => Kind::Double,
            Value::Reference(_) => Kind::Reference,
            Value::Address(_) => return None,
        })
    }
}

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Reference {
    pub(crate) fn new_object(class: ClassName, created: Place) -> Self {
        Reference(Rc::new(RefCell::new(Object::Instance { class, fields: BTreeMap::new(), created })))
    }

    pub(crate) fn array_of(component: Type, elements: Vec<Value>) -> Self {
        Reference(Rc::new(RefCell::new(Object::Array { component, elements })))
    }

    pub(crate) fn new_array(component: Type, lengths: &[i32]) -> Self {
        let length = usize::try_from(lengths[0]).expect("the guard has passed");
        let element = || match (component, &lengths[1..]) {
            (Type::Array(inner), rest @ [_, ..]) => {
                Value::Reference(Some(Reference::new_array(inner.component(), rest)))
            }
            _ => Value::default_of(component),
        };
        Reference::array_of(component, (0..length).map(|_| element()).collect())
    }

    pub(crate) fn class(&self) -> Option<ClassName> {
        self.ty().as_class()
    }

    pub(crate) fn created(&self) -> Option<Place> {
        match &*self.0.borrow() {
            Object::Instance { created, .. } => Some(*created),
            Object::Array { .. } => None,
        }
    }

    pub(crate) fn ty(&self) -> Type {
        match &*self.0.borrow() {
            Object::Instance { class, .. } => Type::Class(*class),
            Object::Array { component, .. } => Type::array_of(*component),
        }
    }

    pub(crate) fn component(&self) -> Type {
        let Object::Array { component, .. } = &*self.0.borrow() else { panic!("not an array") };
        *component
    }

    pub(crate) fn length(&self) -> i32 {
        let Object::Array { elements, .. } = &*self.0.borrow() else { panic!("not an array") };
        i32::try_from(elements.len()).unwrap()
    }

    pub(crate) fn element(&self, index: i32) -> Value {
        let Object::Array { elements, .. } = &*self.0.borrow() else { panic!("not an array") };
        elements[usize::try_from(index).unwrap()].clone()
    }

    pub(crate) fn set_element(&self, index: i32, value: Value) {
        let Object::Array { elements, component } = &mut *self.0.borrow_mut() else { panic!("not an array") };
        elements[usize::try_from(index).unwrap()] = narrowed(value, *component);
    }

    pub(crate) fn field(&self, field: FieldRef) -> Value {
        let Object::Instance { fields, .. } = &*self.0.borrow() else { panic!("not an object") };
        let known = fields.get(&(field.name, field.descriptor)).cloned();
        known.unwrap_or_else(|| Value::default_of(field.field_type()))
    }

    pub(crate) fn set_field(&self, field: FieldRef, value: Value) {
        let Object::Instance { fields, .. } = &mut *self.0.borrow_mut() else { panic!("not an object") };
        fields.insert((field.name, field.descriptor), narrowed(value, field.field_type()));
    }
}
