//! Is this recipe well typed? Holds for a recipe that [`check`] accepts:
//!
//! 1. Every variable is introduced once in the whole recipe: by a statement, as a parameter of a body or as its `this`.
//! 2. It is used after its definition only, in its own block or one nested there.
//! 3. Arguments fit the declared parameters as in a Java method call ([`is_assignable`]); counts agree.
//! 4. The value of an action fits the variable that it defines; actions without value define none. A cast defines one, and
//!    Java accepts it.
//! 5. Receivers are references, not the literal `null`, and of the member's class; constructors are made by `New` only.
//! 6. Array accesses have an array. A map takes an even number of elements.
//! 7. A lambda has exactly one method; methods of callbacks belong to the callback's class, each at most once, with the
//!    parameters of their descriptor. A result fits the return type; a `void` method has none.
//! 8. Readers read text. Files have relative names that stay below their directory.
//! 9. Declared classes have distinct names in [`ClassDecl::PACKAGE`], supers that exist or are declared before, distinct
//!    fields and methods, and initial values that fit. Members of declared classes that are used are declared.
//! 10. The values that the turns of a loop carry on fit the variable, as in a definition. A loop has no more turns than
//!     [`Action::MOST_TURNS`]. Of bodies that run together there is at least one.
//! 11. Generic signatures of declared classes are what the compiler would take: see [`crate::signature`].
//!
//! Whether members of the program's classes exist, and are accessible as the recipe says, is the program's knowledge and
//! not checked here; nor are checked exceptions.

use crate::signature::Generics;
use crate::types::{WithDeclared, callback_class, is_assignable, is_castable, result_type};
use crate::{
    Action, Arg, BlockPath, Body, Callback, CallbackForm, CallbackMethod, ClassDecl, ClassKind, Content, Def,
    JavaString, Literal, MethodDecl, Place, Recipe, Root, Stmt, StreamKind, Subtyping, VarId,
};
use program::{ClassName, FieldRef, MethodRef, MethodType, Symbol, Type};
use rustc_hash::FxHashSet;

/// All violations of the rules above, in order of the text.
pub fn check(recipe: &Recipe, program: &dyn Subtyping) -> Result<(), Vec<TypeError>> {
    let mut checker = Checker::new(Rules { program, classes: &recipe.classes });
    (0..recipe.classes.len()).for_each(|c| checker.class(c));
    checker.path = BlockPath::default();
    checker.stmts(&recipe.body.stmts);
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("statement {at}: {problem}")]
pub struct TypeError {
    pub at: Place,
    pub problem: Problem,
}

/// What is wrong; the engine's fault in every case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("variable v{} is not in scope", .0.0)]
    NotInScope(VarId),
    #[error("variable v{} is defined twice", .0.0)]
    DefinedTwice(VarId),
    #[error("the action has no value to define a variable with")]
    NoValue,
    #[error("a value of type {found} does not fit a variable of type {declared}")]
    DefType { found: Type, declared: Type },
    #[error("a cast needs a variable to say its type")]
    CastToNothing,
    #[error("{from} cannot be cast to {to}")]
    Cast { from: Type, to: Type },
    #[error("{method} takes {expected} arguments, not {found}")]
    ArgCount { method: MethodRef, expected: usize, found: usize },
    #[error("argument {index} of type {found} does not fit {expected}")]
    ArgType { index: usize, found: Type, expected: Type },
    #[error("`{0}` is not a descriptor")]
    Descriptor(Symbol),
    #[error("{0} is not a constructor")]
    NotAConstructor(MethodRef),
    #[error("{0} cannot be called as a method")]
    NotAMethod(MethodRef),
    #[error("the receiver of {0} is null")]
    NullReceiver(String),
    #[error("a receiver of type {found} has no {member}")]
    Receiver { member: String, found: Type },
    #[error("{0} is not an array")]
    NotAnArray(Type),
    #[error("a map needs a value for each key, {0} elements are odd")]
    OddMap(usize),
    #[error("a lambda has one method, not {0}")]
    LambdaMethods(usize),
    #[error("{class} has no method {method}")]
    ForeignMethod { class: ClassName, method: MethodRef },
    #[error("{0} has two bodies")]
    TwoBodies(MethodRef),
    #[error("the parameters of {0} differ from its descriptor")]
    Params(String),
    #[error("{0} gives no value back")]
    VoidResult(String),
    #[error("a result of type {found} does not fit {expected}")]
    ResultType { found: Type, expected: Type },
    #[error("a reader reads text, not bytes")]
    ReaderOfBytes,
    #[error("`{0}` is not a file name below its directory")]
    FileName(String),
    #[error("declared class {class}: {what}")]
    Class { class: ClassName, what: String },
    #[error("{0} is not declared")]
    NotDeclared(String),
    #[error("{0} turns are more than a Java loop counts")]
    Turns(u32),
    #[error("nothing runs together")]
    NothingTogether,
    #[error("only the last statement of a method throws")]
    ThrowsTooEarly,
    #[error("what ends threads is kept from a statement of the test itself on")]
    CapturesInside,
    #[error("only methods of callbacks keep exceptions")]
    KeepsOutside,
}

/// Variables in scope, innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    vars: Vec<(VarId, Type)>,
}

impl Scope {
    pub(crate) fn push(&mut self, var: VarId, ty: Type) {
        self.vars.push((var, ty));
    }

    pub(crate) fn len(&self) -> usize {
        self.vars.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.vars.truncate(len);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Def> {
        self.vars.iter().map(|(var, ty)| Def { var: *var, ty: *ty })
    }

    pub(crate) fn ty(&self, arg: &Arg) -> Result<Type, Problem> {
        match arg {
            Arg::Literal(literal) => Ok(literal.ty()),
            Arg::Var(var) => {
                let found = self.vars.iter().rev().find(|(known, _)| known == var);
                found.map(|(_, ty)| *ty).ok_or(Problem::NotInScope(*var))
            }
        }
    }
}

/// The rules for one statement in a given scope; nested bodies are the business of [`Checker`].
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) program: &'a dyn Subtyping,
    pub(crate) classes: &'a [ClassDecl],
}

pub(crate) type Checked = Result<(), Problem>;

impl Rules<'_> {
    pub(crate) fn types(&self) -> WithDeclared<'_> {
        WithDeclared { program: self.program, classes: self.classes }
    }

    /// The first problem of the statement itself.
    pub(crate) fn stmt(&self, stmt: &Stmt, scope: &Scope) -> Checked {
        self.action(&stmt.action, scope)?;
        let found = self.result(&stmt.action, scope)?;
        match (&stmt.action, stmt.def, found) {
            (Action::Cast(_), None, _) => Err(Problem::CastToNothing),
            (Action::Cast(arg), Some(def), _) => {
                let from = scope.ty(arg)?;
                ok_or(is_castable(from, def.ty, &self.types()), || Problem::Cast { from, to: def.ty })
            }
            (_, None, _) => Ok(()),
            (_, Some(_), None) => Err(Problem::NoValue),
            (_, Some(def), Some(found)) => {
                ok_or(defines(found, def.ty, &self.types()), || Problem::DefType { found, declared: def.ty })
            }
        }
    }

    /// The type of an action's value.
    pub(crate) fn result(&self, action: &Action, scope: &Scope) -> Result<Option<Type>, Problem> {
        let array = match action {
            Action::GetElement { array, .. } => Some(scope.ty(array)?),
            _ => None,
        };
        Ok(result_type(action, array))
    }

    fn action(&self, action: &Action, scope: &Scope) -> Checked {
        match action {
            Action::Literal(literal) => self.literal(literal),
            Action::New { constructor, args, .. } => self.construct(*constructor, args, scope),
            Action::Call { method, receiver, args, .. } => {
                ok_or(!method.name.as_str().starts_with('<'), || Problem::NotAMethod(*method))?;
                self.receiver(method.class, receiver.as_ref(), scope, || method.to_string())?;
                self.declared_method(*method, receiver.is_none())?;
                self.args(*method, args, scope)
            }
            Action::GetField { field, receiver, .. } => self.field(*field, receiver.as_ref(), scope),
            Action::PutField { field, receiver, value, .. } => {
                self.field(*field, receiver.as_ref(), scope)?;
                self.arg(0, value, field.field_type(), scope)
            }
            Action::NewArray { .. } | Action::Try { .. } | Action::Thread(_) => Ok(()),
            Action::Repeat { times, carried, .. } => {
                ok_or(*times <= Action::MOST_TURNS, || Problem::Turns(*times))?;
                carried.as_ref().map_or(Ok(()), |carried| self.carries(&carried.from, carried.var, scope))
            }
            Action::Together(bodies) => ok_or(!bodies.is_empty(), || Problem::NothingTogether),
            Action::ArrayOf { component, elements } => self.elements(*component, elements, scope),
            Action::PutElement { array, value, .. } => self.arg(0, value, component(array, scope)?, scope),
            Action::GetElement { array, .. } => component(array, scope).map(|_| ()),
            Action::Collection(kind, elements) => {
                ok_or(!kind.is_map() || elements.len() % 2 == 0, || Problem::OddMap(elements.len()))?;
                self.elements(Type::Class(ClassName::object()), elements, scope)
            }
            Action::Cast(arg) => scope.ty(arg).map(|_| ()),
            Action::Throw(arg) | Action::Keep(arg) => self.arg(0, arg, Type::class("java/lang/Throwable"), scope),
            Action::Capture => Ok(()),
            Action::Link(file) | Action::ChangeFile(_, file) => self.arg(0, file, Type::class("java/io/File"), scope),
            Action::Callback(callback) => self.callback(callback, scope),
            Action::TempFile { name, .. } => file_name(name),
            Action::TempDir { files } => files.iter().try_for_each(|(name, _)| file_name(name)),
            Action::Stream(kind, content) => {
                let fits = *kind == StreamKind::ByteArrayInputStream || matches!(content, Content::Text(_));
                ok_or(fits, || Problem::ReaderOfBytes)
            }
            Action::SetProperty { .. } | Action::SetLocale(_) | Action::SetTimeZone(_) => Ok(()),
        }
    }

    fn literal(&self, literal: &Literal) -> Checked {
        match literal {
            Literal::Null(ty) => {
                ok_or(ty.is_reference(), || Problem::DefType { found: *ty, declared: Type::Class(ClassName::object()) })
            }
            Literal::Enum(field) => self.declared_field(*field, true),
            _ => Ok(()),
        }
    }

    fn construct(&self, constructor: MethodRef, args: &[Arg], scope: &Scope) -> Checked {
        ok_or(constructor.is_constructor(), || Problem::NotAConstructor(constructor))?;
        self.declared_method(constructor, false)?;
        self.args(constructor, args, scope)
    }

    fn callback(&self, callback: &Callback, scope: &Scope) -> Checked {
        if let CallbackForm::Subclass { constructor, args } = &callback.form {
            self.construct(*constructor, args, scope)?;
        }
        if matches!(callback.form, CallbackForm::Lambda { .. }) {
            ok_or(callback.methods.len() == 1, || Problem::LambdaMethods(callback.methods.len()))?;
        }
        let class = callback_class(&callback.form);
        for (i, method) in callback.methods.iter().enumerate() {
            self.callback_method(class, method)?;
            let same = |other: &CallbackMethod| {
                other.method.name == method.method.name && other.method.descriptor == method.method.descriptor
            };
            ok_or(!callback.methods[..i].iter().any(same), || Problem::TwoBodies(method.method))?;
        }
        Ok(())
    }

    fn callback_method(&self, class: ClassName, callback: &CallbackMethod) -> Checked {
        let method = callback.method;
        let belongs = self.types().is_subtype(class, method.class) && !method.name.as_str().starts_with('<');
        ok_or(belongs, || Problem::ForeignMethod { class, method })?;
        params(method.descriptor, &callback.params, || method.to_string())
    }

    /// Parameters of the program's members are trusted; those of declared classes are looked up.
    fn declared_method(&self, method: MethodRef, is_static: bool) -> Checked {
        if !ClassDecl::is_declared_name(method.class) {
            return Ok(());
        }
        let declared = self.classes.iter().find(|class| class.name == method.class);
        let found = declared.is_some_and(|class| {
            let mut constructors = class.methods.iter().filter(|m| m.name.as_str() == "<init>");
            let is_default = method.is_constructor()
                && method.descriptor.as_str() == "()V"
                && class.kind == ClassKind::Class
                && constructors.next().is_none();
            let same =
                |m: &MethodDecl| (m.name, m.descriptor, m.is_static) == (method.name, method.descriptor, is_static);
            // An inherited method is called through its own class, or trusted to be there.
            is_default || class.methods.iter().any(same) || (!method.is_constructor() && inherits(class))
        });
        ok_or(found, || Problem::NotDeclared(method.to_string()))
    }

    fn declared_field(&self, field: FieldRef, is_static: bool) -> Checked {
        if !ClassDecl::is_declared_name(field.class) {
            return Ok(());
        }
        let declared = self.classes.iter().find(|class| class.name == field.class);
        let found = declared.is_some_and(|class| {
            let same =
                |f: &crate::FieldDecl| (f.name, f.ty, f.is_static) == (field.name, field.field_type(), is_static);
            class.fields.iter().any(same) || inherits(class)
        });
        ok_or(found, || Problem::NotDeclared(field.to_string()))
    }

    fn field(&self, field: FieldRef, receiver: Option<&Arg>, scope: &Scope) -> Checked {
        ok_or(Type::parse(field.descriptor.as_str()).is_some(), || Problem::Descriptor(field.descriptor))?;
        self.receiver(field.class, receiver, scope, || field.to_string())?;
        self.declared_field(field, receiver.is_none())
    }

    fn receiver(
        &self,
        class: ClassName,
        receiver: Option<&Arg>,
        scope: &Scope,
        member: impl Fn() -> String,
    ) -> Checked {
        let Some(receiver) = receiver else { return Ok(()) };
        ok_or(!matches!(receiver, Arg::Literal(Literal::Null(_))), || Problem::NullReceiver(member()))?;
        let found = scope.ty(receiver)?;
        let fits = found.is_reference() && is_assignable(found, Type::Class(class), &self.types());
        ok_or(fits, || Problem::Receiver { member: member(), found })
    }

    fn args(&self, method: MethodRef, args: &[Arg], scope: &Scope) -> Checked {
        let signature = MethodType::parse(method.descriptor.as_str()).ok_or(Problem::Descriptor(method.descriptor))?;
        let (expected, found) = (signature.params.len(), args.len());
        ok_or(expected == found, || Problem::ArgCount { method, expected, found })?;
        args.iter().zip(signature.params).enumerate().try_for_each(|(i, (arg, param))| self.arg(i, arg, param, scope))
    }

    fn elements(&self, expected: Type, elements: &[Arg], scope: &Scope) -> Checked {
        elements.iter().enumerate().try_for_each(|(i, element)| self.arg(i, element, expected, scope))
    }

    pub(crate) fn arg(&self, index: usize, arg: &Arg, expected: Type, scope: &Scope) -> Checked {
        if let Arg::Literal(literal) = arg {
            self.literal(literal)?;
        }
        let found = scope.ty(arg)?;
        ok_or(is_assignable(found, expected, &self.types()), || Problem::ArgType { index, found, expected })
    }

    /// A value that turns carry on in this variable.
    fn carries(&self, value: &Arg, var: Def, scope: &Scope) -> Checked {
        if let Arg::Literal(literal) = value {
            self.literal(literal)?;
        }
        let found = scope.ty(value)?;
        ok_or(defines(found, var.ty, &self.types()), || Problem::DefType { found, declared: var.ty })
    }

    /// The value that a body gives back.
    fn body_result(&self, descriptor: Symbol, result: Option<&Arg>, scope: &Scope, shown: &str) -> Checked {
        let signature = MethodType::parse(descriptor.as_str()).ok_or(Problem::Descriptor(descriptor))?;
        let Some(result) = result else { return Ok(()) };
        let expected = signature.ret.ok_or_else(|| Problem::VoidResult(shown.to_owned()))?;
        if let Arg::Literal(literal) = result {
            self.literal(literal)?;
        }
        let found = scope.ty(result)?;
        ok_or(is_assignable(found, expected, &self.types()), || Problem::ResultType { found, expected })
    }
}

/// A variable of primitive type has exactly the type of the value: boxing it later must give the same class in Java.
fn defines(found: Type, declared: Type, types: &dyn Subtyping) -> bool {
    if declared.is_reference() { is_assignable(found, declared, types) } else { found == declared }
}

fn inherits(class: &ClassDecl) -> bool {
    class.super_class != ClassName::object() || !class.interfaces.is_empty()
}

fn component(array: &Arg, scope: &Scope) -> Result<Type, Problem> {
    match scope.ty(array)? {
        Type::Array(array) => Ok(array.component()),
        other => Err(Problem::NotAnArray(other)),
    }
}

fn file_name(name: &JavaString) -> Checked {
    let shown = name.to_lossy();
    let stays = !shown.is_empty()
        && !shown.contains(['\0', '\\'])
        && shown.split('/').all(|part| !matches!(part, "" | "." | ".."));
    ok_or(stays, || Problem::FileName(shown))
}

fn params(descriptor: Symbol, params: &[Def], shown: impl Fn() -> String) -> Checked {
    let signature = MethodType::parse(descriptor.as_str()).ok_or(Problem::Descriptor(descriptor))?;
    let same = params.iter().map(|def| def.ty).eq(signature.params);
    ok_or(same, || Problem::Params(shown()))
}

fn ok_or(holds: bool, problem: impl FnOnce() -> Problem) -> Checked {
    if holds { Ok(()) } else { Err(problem()) }
}

/// What a body gives back.
enum Gives {
    Nothing,
    /// The result of a method of this descriptor, which is shown like this.
    Result(Symbol, String),
    /// The next value of this variable.
    Next(Def),
}

/// Walks the whole recipe with the scope of each place.
pub(crate) struct Checker<'a> {
    rules: Rules<'a>,
    scope: Scope,
    introduced: FxHashSet<VarId>,
    path: BlockPath,
    /// How many bodies, and how many methods of callbacks, the place is in.
    depth: u32,
    in_callback: u32,
    errors: Vec<TypeError>,
}

impl<'a> Checker<'a> {
    fn new(rules: Rules<'a>) -> Self {
        Checker {
            rules,
            scope: Scope::default(),
            introduced: FxHashSet::default(),
            path: BlockPath::default(),
            depth: 0,
            in_callback: 0,
            errors: Vec::new(),
        }
    }

    /// The first problem of a statement, nested bodies included, behind others that introduced these variables.
    pub(crate) fn stmt_in(rules: Rules<'a>, scope: &Scope, introduced: &FxHashSet<VarId>, stmt: &Stmt) -> Checked {
        // Where a statement may stand is seen when the recipe is whole.
        let (scope, introduced) = (scope.clone(), introduced.clone());
        let mut checker = Checker { scope, introduced, in_callback: 1, ..Checker::new(rules) };
        checker.stmts(std::slice::from_ref(stmt));
        checker.errors.into_iter().next().map_or(Ok(()), |error| Err(error.problem))
    }

    /// The first problem of the class at `index`, behind others that introduced these variables.
    pub(crate) fn class_in(rules: Rules<'a>, introduced: &FxHashSet<VarId>, index: usize) -> Checked {
        let mut checker = Checker { introduced: introduced.clone(), ..Checker::new(rules) };
        checker.class(index);
        checker.errors.into_iter().next().map_or(Ok(()), |error| Err(error.problem))
    }

    fn report(&mut self, index: usize, checked: Checked) {
        if let Err(problem) = checked {
            self.errors.push(TypeError { at: Place { block: self.path.clone(), index }, problem });
        }
    }

    fn introduce(&mut self, index: usize, var: VarId, ty: Type) {
        let is_new = self.introduced.insert(var);
        self.report(index, ok_or(is_new, || Problem::DefinedTwice(var)));
        self.scope.push(var, ty);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for (index, stmt) in stmts.iter().enumerate() {
            let checked = self.rules.stmt(stmt, &self.scope);
            self.report(index, checked);
            match stmt.action {
                Action::Capture if self.depth > 0 => self.report(index, Err(Problem::CapturesInside)),
                Action::Keep(_) if self.in_callback == 0 => self.report(index, Err(Problem::KeepsOutside)),
                _ => {}
            }
            self.bodies(index, &stmt.action);
            if let Some(def) = stmt.def {
                self.introduce(index, def.var, def.ty);
            }
        }
    }

    /// What stands behind a statement that throws would be refused by a Java compiler.
    fn throws(&mut self, stmts: &[Stmt], may_end_so: bool) {
        let all = if may_end_so { stmts.len().saturating_sub(1) } else { stmts.len() };
        let early = stmts[..all].iter().position(|stmt| matches!(stmt.action, Action::Throw(_)));
        if let Some(index) = early {
            self.report(index, Err(Problem::ThrowsTooEarly));
        }
    }

    fn bodies(&mut self, index: usize, action: &Action) {
        for (b, body) in action.bodies().into_iter().enumerate() {
            self.path.steps.push((index, b));
            match action {
                Action::Callback(callback) => {
                    let this = Type::Class(callback_class(&callback.form));
                    let method = callback.methods[b].method;
                    self.in_callback += 1;
                    self.body(body, this, Gives::Result(method.descriptor, method.to_string()));
                    self.in_callback -= 1;
                }
                Action::Repeat { carried: Some(carried), .. } => {
                    self.body(body, Type::Class(ClassName::object()), Gives::Next(carried.var));
                }
                _ => self.body(body, Type::Class(ClassName::object()), Gives::Nothing),
            }
            self.path.steps.pop();
        }
    }

    fn body(&mut self, body: Body<'_>, this: Type, gives: Gives) {
        let outer = self.scope.len();
        self.depth += 1;
        if let Some(var) = body.this {
            self.introduce(0, var, this);
        }
        for param in body.params {
            self.introduce(0, param.var, param.ty);
        }
        self.stmts(&body.block.stmts);
        self.throws(&body.block.stmts, matches!(gives, Gives::Result(..)));
        let checked = match gives {
            Gives::Nothing => Ok(()),
            Gives::Result(descriptor, shown) => self.rules.body_result(descriptor, body.result, &self.scope, &shown),
            Gives::Next(var) => body.result.map_or(Ok(()), |next| self.rules.carries(next, var, &self.scope)),
        };
        self.report(body.block.stmts.len(), checked);
        self.scope.truncate(outer);
        self.depth -= 1;
    }

    fn class(&mut self, index: usize) {
        let (before, class) = (&self.rules.classes[..index], &self.rules.classes[index]);
        self.path = BlockPath { root: Root::Method { class: index, method: 0 }, steps: Vec::new() };
        self.report(0, class_shape(class, before));
        let generics = Generics { program: self.rules.program, classes: self.rules.classes };
        let problem = |what| Problem::Class { class: class.name, what };
        self.report(0, generics.all(class).map_err(problem));
        for field in &class.fields {
            let init = field.init.clone().map(Arg::Literal);
            let checked = init.map_or(Ok(()), |init| self.rules.arg(0, &init, field.ty, &Scope::default()));
            self.report(0, checked);
        }
        for (m, method) in class.methods.iter().enumerate() {
            self.path.root = Root::Method { class: index, method: m };
            self.method(class, method);
        }
    }

    fn method(&mut self, class: &ClassDecl, method: &MethodDecl) {
        let shown = format!("{}.{}", class.name, method.name);
        let checked = params(method.descriptor, &method.params, || shown.clone()).and(method_shape(class, method));
        self.report(0, checked);
        let body =
            Body { this: method.this, params: &method.params, block: &method.body, result: method.result.as_ref() };
        self.body(body, Type::Class(class.name), Gives::Result(method.descriptor, shown));
    }
}

fn class_shape(class: &ClassDecl, before: &[ClassDecl]) -> Checked {
    let problem = |what: String| Problem::Class { class: class.name, what };
    ok_or(ClassDecl::is_declared_name(class.name), || problem(format!("is not in {}", ClassDecl::PACKAGE)))?;
    ok_or(before.iter().all(|other| other.name != class.name), || problem("is declared twice".into()))?;
    for above in class.interfaces.iter().chain([&class.super_class]) {
        let known = !ClassDecl::is_declared_name(*above) || before.iter().any(|other| other.name == *above);
        ok_or(known, || problem(format!("{above} is not declared before")))?;
    }
    for (i, field) in class.fields.iter().enumerate() {
        ok_or(class.fields[..i].iter().all(|other| other.name != field.name), || {
            problem(format!("field {} is declared twice", field.name))
        })?;
    }
    for (i, method) in class.methods.iter().enumerate() {
        let same = |other: &MethodDecl| other.name == method.name && other.descriptor == method.descriptor;
        ok_or(!class.methods[..i].iter().any(same), || {
            problem(format!("method {}{} is declared twice", method.name, method.descriptor))
        })?;
    }
    if class.kind == ClassKind::Interface {
        ok_or(class.super_class == ClassName::object(), || problem("an interface has no superclass".into()))?;
        ok_or(class.fields.iter().all(|field| field.is_static), || {
            problem("fields of an interface are static".into())
        })?;
    }
    Ok(())
}

fn method_shape(class: &ClassDecl, method: &MethodDecl) -> Checked {
    let problem = |what: &str| Problem::Class { class: class.name, what: format!("method {} {what}", method.name) };
    let is_constructor = method.name.as_str() == "<init>";
    ok_or(!method.name.as_str().starts_with('<') || is_constructor, || problem("cannot be declared"))?;
    ok_or(!is_constructor || (!method.is_static && method.descriptor.as_str().ends_with(")V")), || {
        problem("is no constructor")
    })?;
    ok_or(!(method.is_static && method.this.is_some()), || problem("is static and has no `this`"))?;
    let last = method.params.last().map(|def| def.ty);
    ok_or(!method.is_varargs || matches!(last, Some(Type::Array(_))), || problem("has no array for `...`"))?;
    ok_or(method.param_annotations.is_empty() || method.param_annotations.len() == method.params.len(), || {
        problem("has annotations for parameters that it lacks")
    })?;
    let is_abstract = class.kind == ClassKind::Interface;
    ok_or(!is_abstract || (method.body.stmts.is_empty() && method.result.is_none()), || problem("has a body"))?;
    ok_or(!is_abstract || !(is_constructor || method.is_static), || problem("does not belong to an interface"))
}
