//! From a chosen way to statements: adds to a [`Draft`] what the way does with values that the caller has. Nothing is chosen here; a
//! way that lacks something says what.

mod reflected;

pub use reflected::{element, generic_type, look_up, read, token, type_variable, typed_field};

use crate::callable::{CallKind, Callable};
use crate::catalogue::{Catalogue, Found, Holder, How, StubForm, Usable, Way};
use crate::draft::Draft;
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use recipe::{Access, Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Content, Def, JavaString, Literal};
use std::fmt;

/// What a way is gone with. A way takes only what it has use for.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// For each of [`Way::needs`], in its order: the receiver, where there is one, and then the arguments. For a literal, the
    /// literal.
    pub args: Vec<Arg>,
    /// Which setters of a builder are called, in this order, and their arguments.
    pub setters: Vec<(usize, Vec<Arg>)>,
    /// Elements of a collection or array; of a map, keys and values in turn.
    pub elements: Vec<Arg>,
    /// Content of a stream or file, or the files of a directory, with their names.
    pub files: Vec<(JavaString, Content)>,
    /// Bodies of an object of the test; methods without one give zero or null.
    pub methods: Vec<CallbackMethod>,
    /// The member that is looked up.
    pub member: Option<Member>,
    /// The signature of the type argument that a token tells, or of the type that is wanted as an object.
    pub signature: Option<Symbol>,
}

/// A member of a class, to be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    Method(MethodRef),
    Field(FieldRef),
}

/// What a way lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// So many values are needed, and so many were given.
    Values { needed: usize, given: usize },
    /// The value at this place does not fit the type.
    Fitting { at: usize, ty: Type },
    /// No literal, content, member or signature was given.
    Content,
    /// The setter, member or name that was asked for does not exist, or the test cannot reach it.
    Unreachable,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Values { needed, given } => write!(f, "{needed} values are needed and {given} were given"),
            Missing::Fitting { at, ty } => write!(f, "value {at} does not fit `{ty}`"),
            Missing::Content => write!(f, "the way needs a literal, content, a member or a signature"),
            Missing::Unreachable => write!(f, "the test cannot reach what was asked for"),
        }
    }
}

impl std::error::Error for Missing {}

impl Parts {
    pub fn of(args: Vec<Arg>) -> Parts {
        Parts { args, ..Parts::default() }
    }
}

/// Adds the statements of the way; gives the value. Leaves the draft as it was if something is missing.
pub fn go(catalogue: &Catalogue, draft: &mut Draft, way: &Way, parts: Parts) -> Result<Arg, Missing> {
    let checkpoint = draft.checkpoint();
    let made = way_of(catalogue, draft, way, parts);
    if made.is_err() {
        draft.take_back(checkpoint);
    }
    made
}

fn way_of(catalogue: &Catalogue, draft: &mut Draft, way: &Way, parts: Parts) -> Result<Arg, Missing> {
    check_values(catalogue, draft, way, &parts.args)?;
    let Way { access, yields, creates, .. } = *way;
    match &way.how {
        How::Literal => match parts.args.first() {
            Some(literal @ Arg::Literal(_)) => Ok(literal.clone()),
            _ => Err(Missing::Content),
        },
        How::Enum(field) => Ok(Arg::Literal(Literal::Enum(*field))),
        How::StaticField(field) => {
            let action = Action::GetField { field: *field, receiver: None, access };
            Ok(draft.define_exactly(action, yields, creates))
        }
        How::Call(callable) => {
            let (receiver, args) = split(callable, parts.args);
            let made = call(draft, Call { callable, method: callable.method, access, receiver, creates }, args);
            made.ok_or(Missing::Unreachable)
        }
        How::Build { build, setters } => built(catalogue, draft, (build, setters, access), parts),
        How::Found(found) => found_by(catalogue, draft, found, (access, yields), parts.args),
        How::Stub(stub) => {
            let form = match &stub.form {
                StubForm::Lambda(interface) => CallbackForm::Lambda { interface: *interface },
                StubForm::Interface(interface) => CallbackForm::Interface { interface: *interface },
                StubForm::Subclass(constructor) => {
                    CallbackForm::Subclass { constructor: constructor.method, args: parts.args }
                }
            };
            let mut methods = parts.methods;
            if let (CallbackForm::Lambda { .. }, [], [only]) = (&form, methods.as_slice(), &*stub.methods) {
                methods.push(empty_body(draft, only));
            }
            Ok(draft.define(Action::Callback(Callback { form, methods }), yields))
        }
        How::Collection(collection) => Ok(draft.define(Action::Collection(*collection, parts.elements), yields)),
        How::Array(component) => {
            Ok(draft.define(Action::ArrayOf { component: *component, elements: parts.elements }, yields))
        }
        How::Stream(kind) => {
            let (_, content) = parts.files.into_iter().next().ok_or(Missing::Content)?;
            Ok(draft.define(Action::Stream(*kind, content), Type::Class(kind.class())))
        }
        How::TempFile => {
            let (name, content) = parts.files.into_iter().next().ok_or(Missing::Content)?;
            Ok(draft.define(Action::TempFile { name, content }, yields))
        }
        How::TempDir => Ok(draft.define(Action::TempDir { files: parts.files }, yields)),
        How::Reflected(wanted) => look_up(draft, *wanted, parts.member.ok_or(Missing::Content)?),
        How::Token(class) => Ok(token(draft, *class, parts.signature.ok_or(Missing::Content)?)),
        How::GenericType(wanted) => {
            let signature = parts.signature.ok_or(Missing::Content)?;
            reflected::type_object(draft, *wanted, signature).ok_or(Missing::Unreachable)
        }
    }
}

fn check_values(catalogue: &Catalogue, draft: &Draft, way: &Way, given: &[Arg]) -> Result<(), Missing> {
    let needed: Vec<Type> = match way.how {
        How::Literal => vec![way.yields],
        _ => way.needs().collect(),
    };
    if needed.len() != given.len() {
        return Err(Missing::Values { needed: needed.len(), given: given.len() });
    }
    let fits = |(ty, arg): (&Type, &Arg)| draft.type_of(arg).is_some_and(|given| catalogue.is_assignable(given, *ty));
    match needed.iter().zip(given).position(|pair| !fits(pair)) {
        Some(at) => Err(Missing::Fitting { at, ty: needed[at] }),
        None => Ok(()),
    }
}

/// The receiver of a method that has one, and the arguments.
fn split(callable: &Callable, mut args: Vec<Arg>) -> (Option<Arg>, Vec<Arg>) {
    match callable.kind {
        CallKind::Virtual if !args.is_empty() => (Some(args.remove(0)), args),
        CallKind::Virtual | CallKind::Constructor | CallKind::Static => (None, args),
    }
}

fn built(
    catalogue: &Catalogue,
    draft: &mut Draft,
    (build, setters, access): (&Callable, &[Usable], Access),
    parts: Parts,
) -> Result<Arg, Missing> {
    let (builder, args) = split(build, parts.args);
    let mut receiver = builder.ok_or(Missing::Values { needed: 1, given: 0 })?;
    for (index, args) in parts.setters {
        let setter = setters.get(index).ok_or(Missing::Unreachable)?;
        let params = setter.callable.params.iter().map(|param| param.ty);
        let fits = |arg: &Arg, ty: Type| draft.type_of(arg).is_some_and(|given| catalogue.is_assignable(given, ty));
        if params.len() != args.len() {
            return Err(Missing::Values { needed: params.len(), given: args.len() });
        }
        if let Some((at, (_, ty))) = args.iter().zip(params).enumerate().find(|(_, (arg, ty))| !fits(arg, *ty)) {
            return Err(Missing::Fitting { at, ty });
        }
        receiver = call(draft, Call::member(setter, receiver.clone()), args).unwrap_or(receiver);
    }
    let last = Call { callable: build, method: build.method, access, receiver: Some(receiver), creates: None };
    call(draft, last, args).ok_or(Missing::Unreachable)
}

fn found_by(
    catalogue: &Catalogue,
    draft: &mut Draft,
    found: &Found,
    (access, yields): (Access, Type),
    args: Vec<Arg>,
) -> Result<Arg, Missing> {
    let (receiver, args) = split(&found.callable, args);
    let method = found.callable.method;
    let ret = found.callable.ret.ok_or(Missing::Unreachable)?;
    let given = draft.define(Action::Call { method, receiver, args, access }, ret);
    taken_out(catalogue, draft, given, found.holder, yields).ok_or(Missing::Unreachable)
}

/// A call with its parts, before it becomes a statement.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    pub callable: &'a Callable,
    /// The name under which it is called.
    pub method: MethodRef,
    pub access: Access,
    pub receiver: Option<Arg>,
    /// The class of what it gives, where that is known better.
    pub creates: Option<ClassName>,
}

impl<'a> Call<'a> {
    /// A call of a member of an object.
    pub fn member(usable: &'a Usable, receiver: Arg) -> Self {
        let Usable { callable, name, access } = usable;
        Call { callable, method: *name, access: *access, receiver: Some(receiver), creates: None }
    }
}

/// Adds the statement; gives the variable of its result, if it has one.
pub fn call(draft: &mut Draft, call: Call<'_>, args: Vec<Arg>) -> Option<Arg> {
    let Call { callable, method, access, receiver, creates } = call;
    let (action, yields) = match callable.kind {
        CallKind::Constructor => (Action::New { constructor: method, args, access }, callable.yields()),
        // Under another name the method may be declared to give less.
        CallKind::Static | CallKind::Virtual => {
            (Action::Call { method, receiver, args, access }, method.signature().ret)
        }
    };
    match yields {
        Some(ty) => Some(draft.define_exactly(action, ty, creates)),
        None => {
            draft.perform(action);
            None
        }
    }
}

/// Takes an object out of what a method gave, and casts it where its type says too little.
pub fn taken_out(catalogue: &Catalogue, draft: &mut Draft, given: Arg, holder: Holder, yields: Type) -> Option<Arg> {
    let taken = take_out(draft, given, holder)?;
    let known = draft.type_of(&taken)?;
    if catalogue.is_assignable(known, yields) {
        return Some(taken);
    }
    Some(draft.define(Action::Cast(taken), yields))
}

fn take_out(draft: &mut Draft, given: Arg, holder: Holder) -> Option<Arg> {
    let steps = match holder {
        Holder::Bare => return Some(given),
        Holder::Array => {
            let Type::Array(array) = draft.type_of(&given)? else { return None };
            return Some(draft.define(Action::GetElement { array: given, index: 0 }, array.component()));
        }
        Holder::Calls(steps) => steps,
    };
    let mut holding = given;
    for step in steps {
        let method = step.method();
        let signature = method.signature();
        // The only number there is says which element: the first.
        let args = signature.params.iter().map(|_| Arg::Literal(Literal::Int(0))).collect();
        let action = Action::Call { method, receiver: Some(holding), args, access: Access::Public };
        holding = draft.define(action, signature.ret?);
    }
    Some(holding)
}

/// A body that gives zero or null.
fn empty_body(draft: &mut Draft, method: &Callable) -> CallbackMethod {
    let params = method.params.iter().map(|param| Def { var: draft.fresh(), ty: param.ty }).collect();
    CallbackMethod { method: method.method, params, this: None, body: Block::default(), result: None }
}
