//! A method or constructor in the form that makers need: what each argument must be and what it may be about.

use crate::words::words_of;
use documents::Kind;
use program::classfile::Visibility;
use program::classfile::signature::{GenericType, MethodSignature, TypeArgument, TypeParameter};
use program::{Class, ClassName, Method, MethodRef, Symbol, Type};

#[derive(Clone, Debug)]
pub struct Callable {
    pub method: MethodRef,
    pub kind: CallKind,
    pub params: Box<[Param]>,
    pub ret: Option<Type>,
    /// The type arguments of what it gives.
    pub ret_arguments: Box<[Argument]>,
    /// Where it gives what a type variable of its class stands for: the variable's place.
    pub ret_variable: Option<usize>,
    pub visibility: Visibility,
    /// The last parameter takes any number of arguments.
    pub varargs: bool,
    pub is_abstract: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallKind {
    Constructor,
    Static,
    Virtual,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub ty: Type,
    /// The type arguments: `String` for `List<String>`, the component's for an array.
    pub arguments: Box<[Argument]>,
    /// What a text given here may be about, by the names of parameter, method and class: how many words speak for each kind.
    pub topic: Box<[(Kind, u32)]>,
    /// Words of the names of parameter and method: what sort of text it is, where a notation has several, and whose key it is.
    pub about: Box<[String]>,
    /// By its name a number of elements, not the place of one.
    pub is_count: bool,
    /// By its name the place where a part begins.
    pub is_start: bool,
    /// The instance around an inner class: the compiler does not let it be null.
    pub is_outer_instance: bool,
}

/// A type argument, with variables replaced by their bounds, and its own arguments: `Map<String, List<Integer>>` has `String` and
/// `List`, and the latter `Integer`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    pub ty: Type,
    pub arguments: Box<[Argument]>,
}

impl Param {
    /// Whether a text can be given here, by itself or in what wraps it.
    pub fn takes_text(&self) -> bool {
        takes_text(self.ty)
    }
}

impl Callable {
    pub fn of(class: &Class, method: &Method) -> Callable {
        let erased = method.reference().signature();
        let signature = method.signature();
        let names = method.parameter_names();
        let around = words_of(class.name.simple()).chain(words_of(method.name.as_str())).collect::<Vec<_>>();
        let outer = outer_instance(class, method);
        // Signatures leave out the parameters that the compiler adds in front.
        let added =
            signature.as_ref().map_or(0, |signature| erased.params.len().saturating_sub(signature.params.len()));
        let param = |(index, ty): (usize, &Type)| {
            let generic = signature.as_ref().zip(index.checked_sub(added)).and_then(|(s, i)| s.params.get(i));
            Param {
                ty: *ty,
                arguments: generic.map_or_else(Box::default, |generic| arguments_of(generic, signature.as_ref())),
                is_count: *ty == Type::Int && names.get(index).copied().flatten().is_some_and(counts),
                is_start: *ty == Type::Int && names.get(index).copied().flatten().is_some_and(starts),
                topic: if takes_text(*ty) {
                    topic(names.get(index).copied().flatten(), &around)
                } else {
                    Box::default()
                },
                about: about(names.get(index).copied().flatten(), method),
                is_outer_instance: index == 0 && outer == Some(*ty),
            }
        };
        let ret = signature.as_ref().and_then(|signature| signature.ret.as_ref());
        Callable {
            method: method.reference(),
            kind: match method.is_constructor() {
                true => CallKind::Constructor,
                false if method.access.is_static() => CallKind::Static,
                false => CallKind::Virtual,
            },
            params: erased.params.iter().enumerate().map(param).collect(),
            ret: erased.ret,
            ret_arguments: ret.map_or_else(Box::default, |ret| arguments_of(ret, signature.as_ref())),
            ret_variable: ret.and_then(|ret| variable_of(class, ret)),
            visibility: method.access.visibility(),
            varargs: method.access.is_varargs(),
            is_abstract: method.access.is_abstract(),
        }
    }

    /// What the call gives: the class itself for a constructor.
    pub fn yields(&self) -> Option<Type> {
        match self.kind {
            CallKind::Constructor => Some(Type::Class(self.method.class)),
            CallKind::Static | CallKind::Virtual => self.ret,
        }
    }
}

fn outer_instance(class: &Class, method: &Method) -> Option<Type> {
    let nested = class.as_inner_class().filter(|entry| !entry.access.is_static() && method.is_constructor())?;
    nested.outer.map(Type::Class)
}

/// Texts go into strings and into what wraps them.
fn takes_text(ty: Type) -> bool {
    const WRAPPERS: [&str; 8] = [
        "java/lang/String",
        "java/lang/CharSequence",
        "java/lang/Object",
        "java/io/Reader",
        "java/io/InputStream",
        "java/io/File",
        "java/nio/file/Path",
        "java/lang/Comparable",
    ];
    match ty {
        Type::Class(name) => WRAPPERS.contains(&name.as_internal()),
        Type::Array(array) => {
            array.component() == Type::Class(ClassName::string())
                || matches!(array.component(), Type::Byte | Type::Char)
        }
        _ => false,
    }
}

fn about(name: Option<Symbol>, method: &Method) -> Box<[String]> {
    let own = name.into_iter().flat_map(|name| words_of(name.as_str()));
    own.chain(words_of(method.name.as_str())).collect()
}

/// Whether a number of this name is how many there are.
fn counts(name: Symbol) -> bool {
    words_of(name.as_str()).any(|word| matches!(&*word, "len" | "length" | "count" | "size"))
}

/// Whether a number of this name is where a part of something begins.
fn starts(name: Symbol) -> bool {
    words_of(name.as_str()).any(|word| matches!(&*word, "off" | "offset" | "start" | "begin" | "from" | "pos"))
}

/// The kinds that the words hit, with the parameter's own name counting most.
fn topic(name: Option<Symbol>, around: &[String]) -> Box<[(Kind, u32)]> {
    let own: Vec<String> = name.map(|name| words_of(name.as_str()).collect()).unwrap_or_default();
    let words = own.iter().chain(&own).chain(&own).chain(around);
    Kind::rank(words.map(String::as_str)).into()
}

/// The place of the class's type variable that the type is.
fn variable_of(class: &Class, generic: &GenericType) -> Option<usize> {
    let GenericType::Variable(name) = generic else { return None };
    class.signature()?.type_parameters.iter().position(|parameter| parameter.name == *name)
}

pub(crate) fn arguments_of(generic: &GenericType, signature: Option<&MethodSignature>) -> Box<[Argument]> {
    let parameters = signature.map_or(&[][..], |signature| &signature.type_parameters);
    let known = |generic: &GenericType| Argument {
        ty: generic.erasure(&|name| bound_of(name, parameters)),
        arguments: arguments_of(generic, signature),
    };
    match generic {
        GenericType::Class(class) => class
            .arguments
            .iter()
            .map(|argument| match argument {
                TypeArgument::Exactly(generic) | TypeArgument::Extends(generic) => known(generic),
                // A lower bound says what goes in, which is what a maker needs.
                TypeArgument::Super(generic) => known(generic),
                TypeArgument::Any => Argument { ty: Type::Class(ClassName::object()), arguments: Box::default() },
            })
            .collect(),
        GenericType::Array(component) => arguments_of(component, signature),
        GenericType::Primitive(_) | GenericType::Variable(_) => Box::default(),
    }
}

fn bound_of(name: Symbol, parameters: &[TypeParameter]) -> Option<Type> {
    let parameter = parameters.iter().find(|parameter| parameter.name == name)?;
    let bound = parameter.class_bound.as_ref().or(parameter.interface_bounds.first())?;
    // Bounds that are variables themselves are rare; they erase to `Object`.
    Some(bound.erasure(&|_| None))
}
