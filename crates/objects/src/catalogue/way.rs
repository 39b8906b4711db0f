//! One way to get a value of a type, as far as it is known before anything is run.

use super::found::Found;
use super::members::Usable;
use super::stub::{Stub, StubForm};
use crate::callable::{CallKind, Callable};
use policy::Ways;
use program::{ClassName, FieldRef, Type};
use recipe::{Access, Collection, StreamKind};
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Way {
    pub how: How,
    pub access: Access,
    /// The static type of what it gives; a subtype of the type asked for, except for hidden classes (see `creates`).
    pub yields: Type,
    /// The class of the object, where that says more than `yields`: a class that the test cannot name, made inside the call.
    pub creates: Option<ClassName>,
    /// How likely it should be tried, before the run has taught better.
    pub weight: f64,
}

#[derive(Clone, Debug)]
pub enum How {
    /// A primitive, a string, a class.
    Literal,
    Enum(FieldRef),
    /// A constructor, a static factory, or a method of an object that has to be made first.
    Call(Arc<Callable>),
    /// A fluent builder: some of its setters, then the method that gives the value.
    Build {
        build: Arc<Callable>,
        setters: Arc<[Usable]>,
    },
    /// Something inside of what a method gives, or that a method looks for.
    Found(Arc<Found>),
    /// A static field: constants, singletons.
    StaticField(FieldRef),
    /// A JDK collection with elements.
    Collection(Collection),
    /// A stream or reader over a document.
    Stream(StreamKind),
    /// A `java.io.File` with content, or a directory of such files.
    TempFile,
    TempDir,
    /// An object of the test itself.
    Stub(Arc<Stub>),
    /// A method, field or constructor, looked up.
    Reflected(Reflected),
    /// An array with elements.
    Array(Type),
    /// An object of a subclass that tells the type parameter of this class.
    Token(ClassName),
    /// A type with type arguments, or a part of one, read from a class of the user; as this interface.
    GenericType(ClassName),
}

/// A member as an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reflected {
    Method,
    Field,
    Constructor,
}

impl Reflected {
    pub fn ty(self) -> Type {
        Type::class(match self {
            Reflected::Method => "java/lang/reflect/Method",
            Reflected::Field => "java/lang/reflect/Field",
            Reflected::Constructor => "java/lang/reflect/Constructor",
        })
    }
}

impl Way {
    /// The types of the values that must be made first.
    pub fn needs(&self) -> impl Iterator<Item = Type> + '_ {
        let callable = match &self.how {
            How::Call(callable) | How::Build { build: callable, .. } => Some(callable),
            How::Found(found) => Some(&found.callable),
            How::Stub(stub) => match &stub.form {
                StubForm::Subclass(constructor) => Some(constructor),
                StubForm::Lambda(_) | StubForm::Interface(_) => None,
            },
            _ => None,
        };
        let receiver = callable
            .filter(|callable| callable.kind == CallKind::Virtual)
            .map(|callable| Type::Class(callable.method.class));
        let params = callable.into_iter().flat_map(|callable| callable.params.iter().map(|param| param.ty));
        receiver.into_iter().chain(params)
    }

    /// The class of the other object that is asked for the value, which it may not have.
    pub fn asked_object(&self) -> Option<ClassName> {
        match &self.how {
            How::Call(callable) if callable.kind == CallKind::Virtual && self.creates.is_none() => {
                Some(callable.method.class)
            }
            How::Found(found) if found.callable.kind == CallKind::Virtual && found.class_at.is_none() => {
                Some(found.callable.method.class)
            }
            _ => None,
        }
    }

    /// Whether it is written as an argument, without a statement of its own.
    pub fn is_literal(&self) -> bool {
        matches!(self.how, How::Literal | How::Enum(_))
    }
}

/// For people and snapshots: `new a.B(int)`, `a.B.of()`, `a.B.INSTANCE`.
impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Literal => write!(f, "literal")?,
            How::Enum(field) => write!(f, "enum {field}")?,
            How::Call(callable) => match callable.kind {
                CallKind::Constructor => {
                    let params: Vec<String> = callable.params.iter().map(|param| param.ty.to_string()).collect();
                    write!(f, "new {}({})", callable.method.class, params.join(", "))?;
                }
                CallKind::Static => write!(f, "{}", callable.method)?,
                CallKind::Virtual => write!(f, "_.{}", callable.method)?,
            },
            How::Build { build, setters } => write!(f, "_.{} after {} setters", build.method, setters.len())?,
            How::Found(found) if found.class_at.is_some() => write!(f, "looked for by {}", found.callable.method)?,
            How::Found(found) => write!(f, "in {}", found.callable.method)?,
            How::StaticField(field) => write!(f, "{field}")?,
            How::Collection(collection) => write!(f, "{collection:?} of elements")?,
            How::Stream(kind) => write!(f, "{kind:?} over a document")?,
            How::TempFile => write!(f, "temporary file")?,
            How::TempDir => write!(f, "temporary directory")?,
            How::Stub(stub) => match &stub.form {
                StubForm::Lambda(interface) => write!(f, "lambda {interface}")?,
                StubForm::Interface(interface) => write!(f, "anonymous {interface}")?,
                StubForm::Subclass(constructor) => write!(f, "anonymous {}", constructor.method)?,
            },
            How::Reflected(wanted) => write!(f, "{wanted:?} of a class")?,
            How::Token(class) => write!(f, "token {class}")?,
            How::GenericType(wanted) => write!(f, "{} of a class", wanted.simple())?,
            How::Array(component) => write!(f, "{component}[] of elements")?,
        }
        match self.access {
            Access::Public => Ok(()),
            Access::Package => write!(f, " [package]"),
            Access::Reflective => write!(f, " [reflective]"),
        }?;
        self.creates.map_or(Ok(()), |class| write!(f, " -> {class}"))
    }
}

pub(super) fn literal(ty: Type, weights: &Ways) -> Way {
    Way { how: How::Literal, access: Access::Public, yields: ty, creates: None, weight: weights.literal }
}

pub(super) fn array(array: program::ArrayType, weights: &Ways) -> Way {
    let how = How::Array(array.component());
    Way { how, access: Access::Public, yields: Type::Array(array), creates: None, weight: weights.array }
}
