//! The part of Java's syntax that tests are made of. Types are kept as such until the file is laid out, when it is known
//! which simple names are free; names of variables are text.

use program::classfile::signature::{GenericType, TypeParameter};
use program::{ClassName, Type};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A literal, a variable, `this`.
    Atom(String),
    /// A class where an expression begins: `Collections.sort`.
    Class(ClassName),
    /// `List.class`, `int[].class`
    ClassLiteral(Type),
    /// `target.name`
    Select(Box<Expr>, String),
    /// `target.name(args)`; without a target a method of the test itself.
    Call {
        target: Option<Box<Expr>>,
        name: String,
        args: Vec<Expr>,
    },
    /// `new T(args) { members }`, `outer.new T(args)`
    New {
        outer: Option<Box<Expr>>,
        class: TypeUse,
        args: Vec<Expr>,
        body: Option<Vec<Member>>,
    },
    /// `new T[length]`
    NewArray {
        component: Type,
        length: Box<Expr>,
    },
    /// `new T[] {elements}`
    ArrayOf {
        component: Type,
        elements: Vec<Expr>,
    },
    /// `array[index]`
    Index(Box<Expr>, Box<Expr>),
    Cast(Type, Box<Expr>),
    /// A cast to a type variable of ours.
    CastToVariable(&'static str, Box<Expr>),
    Lambda {
        params: Vec<String>,
        body: LambdaBody,
    },
    /// Joined by `+`.
    Concat(Vec<Expr>),
    /// The lines between the quotes, escaped.
    TextBlock(Vec<String>),
    /// `left = right`
    Assign(Box<Expr>, Box<Expr>),
    /// `left != null`
    Compare(Box<Expr>, &'static str, Box<Expr>),
    /// `!condition`
    Not(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LambdaBody {
    Value(Box<Expr>),
    Block(Vec<Statement>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Expr(Expr),
    Declare {
        ty: TypeUse,
        name: String,
        init: Option<Expr>,
    },
    Return(Option<Expr>),
    Throw(Expr),
    If {
        condition: Expr,
        then: Vec<Statement>,
    },
    Try {
        body: Vec<Statement>,
        catch: Option<Catch>,
        finally: Vec<Statement>,
    },
    /// `for (int index = 0; index < times; index++) { body }`
    Repeat {
        index: String,
        times: u32,
        body: Vec<Statement>,
    },
    /// `for (T name : all) { body }`
    ForEach {
        ty: TypeUse,
        name: String,
        all: Expr,
        body: Vec<Statement>,
    },
    /// `// ..`
    Comment(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Catch {
    pub(crate) class: ClassName,
    pub(crate) name: String,
    pub(crate) body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member {
    Field(Field),
    Method(Method),
    Class(Class),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) annotations: Vec<AnnotationUse>,
    /// `public static`
    pub(crate) modifiers: &'static str,
    pub(crate) ty: TypeUse,
    pub(crate) name: String,
    pub(crate) init: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Method {
    /// Lines of a comment above it.
    pub(crate) comment: Option<String>,
    pub(crate) annotations: Vec<AnnotationUse>,
    pub(crate) modifiers: String,
    pub(crate) type_parameters: Vec<TypeParameter>,
    pub(crate) ret: Option<TypeUse>,
    /// Empty for a constructor, whose name is that of the class.
    pub(crate) name: String,
    pub(crate) is_constructor: bool,
    pub(crate) params: Vec<Param>,
    pub(crate) throws: Vec<TypeUse>,
    /// `None` for an abstract method.
    pub(crate) body: Option<Vec<Statement>>,
    /// There only because the compiler asks for it: takes no more room than it must.
    pub(crate) is_filler: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Param {
    pub(crate) annotations: Vec<AnnotationUse>,
    pub(crate) ty: TypeUse,
    /// `T...` for an array.
    pub(crate) is_variable: bool,
    pub(crate) name: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Class {
    pub(crate) annotations: Vec<AnnotationUse>,
    pub(crate) modifiers: &'static str,
    pub(crate) is_interface: bool,
    pub(crate) name: String,
    pub(crate) type_parameters: Vec<TypeParameter>,
    pub(crate) super_class: Option<TypeUse>,
    pub(crate) interfaces: Vec<TypeUse>,
    pub(crate) members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnnotationUse {
    pub(crate) class: ClassName,
    pub(crate) values: Vec<(String, AnnotationArg)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnnotationArg {
    Value(Expr),
    Array(Vec<AnnotationArg>),
    Nested(AnnotationUse),
}

/// A type as the source writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeUse {
    /// Without type arguments.
    Raw(Type),
    /// With those of a signature.
    Generic(GenericType),
    /// With these arguments.
    Applied(ClassName, Vec<TypeUse>),
    /// `ArrayList<>`
    Diamond(ClassName),
    /// The simple name of an inner class, after its outer object.
    Name(String),
    /// A type variable of ours, or a wildcard.
    Text(&'static str),
}

impl From<Type> for TypeUse {
    fn from(ty: Type) -> Self {
        TypeUse::Raw(ty)
    }
}

impl TypeUse {
    pub(crate) fn class(internal: &str) -> Self {
        TypeUse::Raw(Type::class(internal))
    }
}

impl Expr {
    pub(crate) fn atom(text: impl Into<String>) -> Expr {
        Expr::Atom(text.into())
    }

    pub(crate) fn class(internal: &str) -> Expr {
        Expr::Class(ClassName::internal(internal))
    }

    pub(crate) fn select(target: Expr, name: &str) -> Expr {
        Expr::Select(Box::new(target), name.to_owned())
    }

    pub(crate) fn call(target: Option<Expr>, name: &str, args: Vec<Expr>) -> Expr {
        Expr::Call { target: target.map(Box::new), name: name.to_owned(), args }
    }

    /// `Class.name(args)`
    pub(crate) fn static_call(class: &str, name: &str, args: Vec<Expr>) -> Expr {
        Expr::call(Some(Expr::class(class)), name, args)
    }

    /// `self == null`, `self != null`
    pub(crate) fn compare(self, operator: &'static str, other: Expr) -> Expr {
        Expr::Compare(Box::new(self), operator, Box::new(other))
    }

    /// `self = value`
    pub(crate) fn assign(self, value: Expr) -> Expr {
        Expr::Assign(Box::new(self), Box::new(value))
    }

    pub(crate) fn cast(self, ty: Type) -> Expr {
        Expr::Cast(ty, Box::new(self))
    }

    /// `self.name(args)`
    pub(crate) fn then(self, name: &str, args: Vec<Expr>) -> Expr {
        Expr::call(Some(self), name, args)
    }
}

impl Param {
    pub(crate) fn new(ty: TypeUse, name: impl Into<String>) -> Param {
        Param { annotations: Vec::new(), ty, is_variable: false, name: name.into() }
    }
}

impl Statement {
    pub(crate) fn declare(ty: impl Into<TypeUse>, name: &str, init: Expr) -> Statement {
        Statement::Declare { ty: ty.into(), name: name.to_owned(), init: Some(init) }
    }
}
