//! Turns a recipe into Java syntax: one statement at a time, in order, values that need no variable written in place.
//! Decides names, casts, checked exceptions and which helpers the test needs; layout and imports come later.

mod arguments;
mod callbacks;
mod capture;
mod classes;
mod literals;
mod loops;
mod members;
mod reflection;
mod resources;

pub(crate) use reflection::MadeAccessible;
pub(crate) use resources::Helper;

use crate::access::Access;
use crate::generics::{GenericType, StaticType, TypeArgs};
use crate::ident::{self, Names};
use crate::inline::Inlining;
use crate::missing;
use crate::options::{Flags, Framework, Inexpressible, PrintOptions, Style};
use crate::style;
use crate::syntax::{Catch, Expr, Statement, TypeUse};
use crate::typed;
use crate::visit;
use crate::world::World;
use program::{ClassName, Type};
use recipe::types::{boxed, callback_class, unboxed};
use recipe::{Action, Arg, Block, Def, OnThrow, Recipe, Stmt, VarId};
use reflection::Member;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Lower<'a> {
    world: &'a World<'a>,
    access: &'a Access<'a>,
    options: &'a PrintOptions,
    inlining: Inlining,
    /// Variables whose type arguments are all `Object`.
    of_objects: BTreeSet<VarId>,
    uses: BTreeMap<VarId, usize>,
    /// Variables that lambdas and other classes use.
    captured: BTreeSet<VarId>,
    /// Names that parameters suggest.
    hints: BTreeMap<VarId, String>,
    names: Names,
    named: BTreeMap<VarId, String>,
    values: BTreeMap<VarId, Value>,
    /// The types of parameters of user classes' methods, where these have type arguments or variables.
    generic_params: BTreeMap<VarId, GenericType>,
    /// The variable or field that keeps an exception until the end.
    kept: Option<Kept>,
    /// How many blocks may fill it.
    keeps: usize,
    /// Inside the body of an anonymous or nested class, where inherited methods would hide the helpers.
    in_class_body: usize,
    pub(crate) made_accessible: MadeAccessible,
    /// What is made accessible, if a helper does it.
    shared_access: Option<MadeAccessible>,
    pub(crate) helpers: BTreeSet<Helper>,
    pub(crate) flags: Flags,
    /// Raw types were written, or unchecked calls.
    pub(crate) unchecked: bool,
    /// The first thing that source has no words for.
    pub(crate) inexpressible: Option<Inexpressible>,
}

/// An expression and what the compiler knows about it.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    expr: Expr,
    ty: StaticType,
    kind: ValueKind,
}

#[derive(Clone, Debug)]
enum ValueKind {
    Plain,
    Null,
    /// Gets its type from where it stands. `open` if its body could depend on inferred types.
    Lambda {
        open: bool,
    },
    ClassLiteral(Type),
    /// An array written out, whose elements may stand for it in a call of variable arity.
    Elements(Vec<Value>),
    /// `Arrays.asList` of these.
    ListOf(Vec<Value>),
    /// `Integer.valueOf(5)`, which may be written as `5` where the compiler boxes it.
    Boxed {
        inner: Box<Expr>,
        primitive: Type,
    },
    /// A new object of a generic class. Its `expr` is raw; with `<>` it is this, and then nothing is unchecked. `open` if the
    /// compiler may choose the type arguments freely.
    Diamond {
        expr: Box<Expr>,
        open: bool,
    },
    /// A variable that was declared for this value.
    Fresh,
    /// The cast result of a method handle; a result that nobody uses needs no cast.
    Handled,
}

impl Value {
    fn plain(expr: Expr, erased: Type) -> Value {
        Value { expr, ty: StaticType::plain(erased), kind: ValueKind::Plain }
    }

    fn inferred(expr: Expr, erased: Type) -> Value {
        Value { expr, ty: StaticType { erased, args: TypeArgs::Inferred }, kind: ValueKind::Plain }
    }

    fn is_null(&self) -> bool {
        matches!(self.kind, ValueKind::Null)
    }
}

/// A block under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) statements: Vec<Statement>,
    /// Checked exceptions that leave it.
    pub(crate) thrown: BTreeSet<ClassName>,
    /// Members made accessible here or further out, and the variables that hold them.
    reflected: BTreeMap<Member, String>,
}

impl Scope {
    /// A block inside this one.
    fn inner(&self) -> Scope {
        Scope { reflected: self.reflected.clone(), ..Scope::default() }
    }

    fn push(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    fn throws(&mut self, class: &str) {
        self.thrown.insert(ClassName::internal(class));
    }
}

/// Where an exception waits for the end of the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Local(String),
    /// A static field: bodies of other classes and lambdas cannot assign a variable.
    Field(String),
    /// A queue: other threads put exceptions in, and the test waits for one.
    Queue(String),
}

impl<'a> Lower<'a> {
    pub(crate) fn new(
        world: &'a World<'a>,
        access: &'a Access<'a>,
        options: &'a PrintOptions,
        recipe: &Recipe,
        shared_access: Option<MadeAccessible>,
    ) -> Self {
        let mut lower = Lower {
            world,
            access,
            options,
            inlining: Inlining::plan(recipe, &|action| missing::in_action(world, action).is_some()),
            of_objects: typed::of_objects(world, recipe),
            uses: visit::uses(recipe),
            captured: visit::captured(recipe),
            hints: BTreeMap::new(),
            names: Names::default(),
            named: BTreeMap::new(),
            values: BTreeMap::new(),
            generic_params: BTreeMap::new(),
            kept: None,
            keeps: 0,
            in_class_body: 0,
            made_accessible: MadeAccessible::default(),
            shared_access,
            helpers: BTreeSet::new(),
            flags: Flags::default(),
            unchecked: false,
            inexpressible: None,
        };
        lower.collect_hints(recipe);
        lower.reserve_names(recipe);
        lower
    }

    /// The body of the test method.
    pub(crate) fn body(&mut self, recipe: &Recipe) -> Scope {
        let mut scope = Scope::default();
        let block = without_last_keep(&recipe.body);
        let (all, in_method) = keeping_blocks(recipe, &block);
        self.keeps = all;
        if recipe.keeps_exceptions() {
            self.kept = Some(self.queue(&mut scope));
        } else if all > 0 {
            let name = self.names.give("thrown");
            if all > in_method {
                self.kept = Some(Kept::Field(name));
            } else {
                let throwable = TypeUse::class("java/lang/Throwable");
                scope.push(Statement::declare(throwable, &name, Expr::atom("null")));
                self.kept = Some(Kept::Local(name));
            }
        }
        self.restoring(&block, &mut scope);
        let is_captured = block.stmts.iter().any(|stmt| stmt.action == Action::Capture);
        if matches!(self.kept, Some(Kept::Queue(_))) && !is_captured {
            self.throw_queued(&mut scope);
        } else if let Some(Kept::Local(name) | Kept::Field(name)) = self.kept.clone() {
            scope.throws("java/lang/Throwable");
            let rethrow = Statement::Throw(Expr::atom(&*name));
            scope.push(Statement::If {
                condition: Expr::atom(name).compare("!=", Expr::atom("null")),
                then: vec![rethrow],
            });
        }
        scope
    }

    /// The field that keeps an exception, if the test needs one.
    pub(crate) fn kept_field(&self) -> Option<&str> {
        match &self.kept {
            Some(Kept::Field(name)) => Some(name),
            _ => None,
        }
    }

    fn test_class(&self) -> &str {
        &self.options.class_name
    }

    fn block(&mut self, block: &Block, scope: &mut Scope) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, scope));
    }

    fn stmt(&mut self, stmt: &Stmt, scope: &mut Scope) {
        match &stmt.action {
            Action::PutField { field, receiver, value, access } => {
                self.put_field(*field, receiver.as_ref(), value, *access, scope);
            }
            Action::PutElement { array, index, value } => self.put_element(array, *index, value, scope),
            Action::Throw(thrown) => self.throw(thrown, scope),
            Action::Capture => self.capture(scope),
            Action::Keep(thrown) => self.keep(thrown, scope),
            Action::ChangeFile(change, file) => self.change_file(*change, file, scope),
            Action::Try { body, on_throw } => self.try_block(body, *on_throw, scope),
            Action::Thread(body) => self.thread(body, scope),
            Action::Together(bodies) => self.together(bodies, scope),
            Action::Repeat { times, carried, body } => self.repeat(stmt.def, *times, carried.as_ref(), body, scope),
            Action::SetProperty { .. } | Action::SetLocale(_) | Action::SetTimeZone(_) => {
                self.set_environment(&stmt.action, scope);
            }
            action => {
                // Before the variables inside get theirs.
                if let Some(def) = stmt.def.filter(|def| self.is_variable(*def)) {
                    self.name_of(def.var, def.ty);
                }
                let value = self.value(action, stmt.def, scope);
                self.define(stmt.def, value, scope);
            }
        }
    }

    fn value(&mut self, action: &Action, def: Option<Def>, scope: &mut Scope) -> Value {
        match action {
            Action::Literal(literal) => self.literal(literal, scope),
            Action::New { constructor, args, access } => self.construct(*constructor, args, *access, scope),
            Action::Call { method, receiver, args, access } => {
                self.call(*method, receiver.as_ref(), args, *access, scope)
            }
            Action::GetField { field, receiver, access } => self.get_field(*field, receiver.as_ref(), *access, scope),
            Action::NewArray { component, length } => self.new_array(*component, *length, scope),
            Action::ArrayOf { component, elements } => self.array_of(*component, elements, scope),
            Action::GetElement { array, index } => self.get_element(array, *index, scope),
            Action::Collection(kind, elements) => self.collection(*kind, elements, def, scope),
            Action::Cast(value) => self.cast(value, def, scope),
            Action::Callback(callback) => self.callback(callback, scope),
            Action::TempFile { name, content } => self.temp_file(name, content, scope),
            Action::TempDir { files } => self.temp_directory(files, def, scope),
            Action::Link(to) => self.link(to, scope),
            Action::Stream(kind, content) => self.stream(*kind, content),
            Action::PutField { .. }
            | Action::PutElement { .. }
            | Action::Throw(_)
            | Action::Capture
            | Action::Keep(_)
            | Action::ChangeFile(..)
            | Action::Try { .. }
            | Action::Thread(_)
            | Action::Together(_)
            | Action::Repeat { .. }
            | Action::SetProperty { .. }
            | Action::SetLocale(_)
            | Action::SetTimeZone(_) => unreachable!("statements are lowered by `stmt`"),
        }
    }

    /// Whether the value gets a variable of its own.
    fn is_variable(&self, def: Def) -> bool {
        self.uses.contains_key(&def.var) && !self.inlining.contains(def.var)
    }

    /// Gives the value to its variable: in place, by a declaration, or to nobody.
    fn define(&mut self, def: Option<Def>, value: Value, scope: &mut Scope) {
        let used = def.filter(|def| self.uses.contains_key(&def.var));
        match used {
            Some(def) if self.inlining.contains(def.var) || matches!(value.kind, ValueKind::Fresh) => {
                self.values.insert(def.var, value);
            }
            None if matches!(value.kind, ValueKind::Fresh) => {}
            Some(def) => self.declare(def, value, scope),
            None if matches!(value.expr, Expr::Call { .. } | Expr::New { .. }) => {
                let expr = self.with_diamond(value);
                scope.push(Statement::Expr(expr));
            }
            None if let (ValueKind::Handled, Expr::Cast(_, called)) = (&value.kind, &value.expr) => {
                scope.push(Statement::Expr((**called).clone()));
            }
            None if matches!(value.expr, Expr::Cast(..) | Expr::Select(..) | Expr::Index(..)) => {
                // Java has no such statement, but the check or the class initialiser may matter.
                let name = self.names.give("unused");
                let ty = self.type_use(value.ty.erased);
                scope.push(Statement::declare(ty, &name, value.expr));
            }
            None => {}
        }
    }

    fn declare(&mut self, def: Def, value: Value, scope: &mut Scope) {
        let ty = self.access.nameable(def.ty);
        let name = self.name_of(def.var, def.ty);
        let (written, static_type) = self.variable_type(def.var, ty);
        let is_raw = static_type.args == TypeArgs::None;
        let init = match value.kind {
            // A raw variable with a diamond would look like a mistake.
            ValueKind::Diamond { .. } if is_raw && self.assignable(value.ty.erased, ty) && self.is_raw(ty) => {
                value.expr
            }
            _ => self.assigned(value, ty),
        };
        scope.push(Statement::declare(written, &name, init));
        self.values.insert(def.var, Value { expr: Expr::atom(name), ty: static_type, kind: ValueKind::Plain });
    }

    /// How the type of a variable is written, and what it then is for the compiler.
    fn variable_type(&mut self, var: VarId, ty: Type) -> (TypeUse, StaticType) {
        match ty {
            Type::Class(class) if self.of_objects.contains(&var) && typed::is_open(self.world, class) => {
                let count = self.world.class(class).map_or(0, |class| class.type_params());
                let objects = vec![TypeUse::class("java/lang/Object"); count];
                (TypeUse::Applied(class, objects), StaticType { erased: ty, args: TypeArgs::Objects })
            }
            _ => (self.type_use(ty), StaticType::plain(ty)),
        }
    }

    /// The expression where any type arguments will do.
    fn with_diamond(&self, value: Value) -> Expr {
        match value.kind {
            ValueKind::Diamond { expr, .. } => *expr,
            _ => value.expr,
        }
    }

    /// The expression where a variable, field or element of type `ty` is assigned.
    fn assigned(&mut self, value: Value, ty: Type) -> Expr {
        if let Some(narrow) = literals::without_narrowing(&value.expr, ty) {
            return narrow;
        }
        if let (ValueKind::Boxed { inner, .. }, true) = (&value.kind, self.world.is_subtype(value.ty.erased, ty)) {
            return (**inner).clone();
        }
        if value.is_null() || matches!(value.kind, ValueKind::Lambda { .. }) || self.assignable(value.ty.erased, ty) {
            return self.with_diamond(value);
        }
        self.note_raw(ty);
        value.expr.cast(ty)
    }

    /// Whether the compiler takes the one for the other, boxing included (JLS 5.2).
    fn assignable(&self, from: Type, to: Type) -> bool {
        let boxes = || !from.is_reference() && self.world.is_subtype(Type::Class(boxed(from)), to);
        let unboxes = || unboxed(from).is_some_and(|primitive| self.world.is_subtype(primitive, to));
        self.world.is_subtype(from, to) || boxes() || unboxes()
    }

    fn arg(&mut self, arg: &Arg, scope: &mut Scope) -> Value {
        match arg {
            Arg::Literal(literal) => self.literal(literal, scope),
            // A variable that is defined nowhere: the recipe is wrong, and the compiler says where.
            Arg::Var(var) => {
                self.values.get(var).cloned().unwrap_or_else(|| {
                    Value::plain(Expr::atom(format!("v{}", var.0)), Type::Class(ClassName::object()))
                })
            }
        }
    }

    fn throw(&mut self, thrown: &Arg, scope: &mut Scope) {
        let value = self.arg(thrown, scope);
        match value.ty.erased {
            Type::Class(class) if self.world.is_unchecked(class) => {}
            Type::Class(class) => drop(scope.thrown.insert(class)),
            _ => scope.throws("java/lang/Throwable"),
        }
        scope.push(Statement::Throw(value.expr));
    }

    fn try_block(&mut self, body: &Block, on_throw: OnThrow, scope: &mut Scope) {
        let mut inner = scope.inner();
        self.block(body, &mut inner);
        if inner.statements.is_empty() {
            return;
        }
        let kept = match on_throw {
            OnThrow::Swallow => None,
            OnThrow::RethrowAtEnd => self.kept.clone(),
        };
        let (name, handler) = match kept {
            Some(Kept::Local(kept) | Kept::Field(kept)) => {
                let name = self.names.give("e");
                let keep = Statement::Expr(Expr::atom(&*kept).assign(Expr::atom(&*name)));
                // The first one counts.
                let is_first = Expr::atom(kept).compare("==", Expr::atom("null"));
                let keep = if self.keeps > 1 { Statement::If { condition: is_first, then: vec![keep] } } else { keep };
                (name, keep)
            }
            Some(Kept::Queue(queue)) => {
                let name = self.names.give("e");
                let keep = Expr::atom(queue).then("add", vec![Expr::atom(&*name)]);
                (name, Statement::Expr(keep))
            }
            None => (self.names.give("expected"), Statement::Comment("the program goes on".into())),
        };
        let catch = Catch { class: ClassName::internal("java/lang/Throwable"), name, body: vec![handler] };
        scope.push(Statement::Try { body: inner.statements, catch: Some(catch), finally: Vec::new() });
    }

    fn type_use(&mut self, ty: Type) -> TypeUse {
        self.note_raw(ty);
        TypeUse::Raw(ty)
    }

    fn is_raw(&self, ty: Type) -> bool {
        ty.as_class().is_some_and(|class| self.world.is_generic(class))
    }

    /// Remembers that a generic class is written without arguments.
    fn note_raw(&mut self, ty: Type) {
        match ty {
            Type::Class(class) => self.unchecked |= self.world.is_generic(class),
            Type::Array(array) => self.note_raw(array.component()),
            _ => {}
        }
    }

    fn name_of(&mut self, var: VarId, ty: Type) -> String {
        if let Some(name) = self.named.get(&var) {
            return name.clone();
        }
        let wish = self.hints.get(&var).cloned().unwrap_or_else(|| ident::name_for_type(ty));
        let name = self.names.give(&wish);
        self.named.insert(var, name.clone());
        name
    }

    /// Parameters name the values that are passed for them, where the type alone says little.
    fn collect_hints(&mut self, recipe: &Recipe) {
        let mut types = BTreeMap::new();
        recipe.for_each_stmt(&mut |stmt| types.extend(stmt.def.map(|def| (def.var, def.ty))));
        let mut hints = BTreeMap::new();
        recipe.for_each_stmt(&mut |stmt| {
            let (Action::New { constructor: method, args, .. } | Action::Call { method, args, .. }) = &stmt.action
            else {
                return;
            };
            let Some(found) = self.world.find_method(*method) else { return };
            for (arg, name) in args.iter().zip(&found.method.param_names) {
                if let (Arg::Var(var), Some(name)) = (arg, name)
                    && ident::is_telling(name.as_str())
                    && types.get(var).is_some_and(|ty| says_little(*ty))
                {
                    hints.entry(*var).or_insert_with(|| name.to_string());
                }
            }
        });
        self.hints = hints;
    }

    /// Names that would be taken for something else: the first parts of package names, and the fields that anonymous
    /// subclasses inherit.
    fn reserve_names(&mut self, recipe: &Recipe) {
        // The helpers may need the full names of JDK classes.
        self.names.reserve("java");
        if self.options.framework == Framework::Main {
            self.names.reserve("args");
        }
        if let Style::AssertThrows(_) = self.options.style {
            style::NAMES.iter().for_each(|name| self.names.reserve(name));
        }
        for class in same_named(recipe, &self.options.class_name) {
            self.names.reserve(class.as_internal().split('/').next().unwrap_or_default());
        }
        recipe.for_each_stmt(&mut |stmt| {
            if let Action::Callback(callback) = &stmt.action {
                let class = callback_class(&callback.form);
                for fact in self.world.lineage(class).iter() {
                    fact.fields.iter().for_each(|field| self.names.reserve(field.field.name.as_str()));
                }
            }
        });
    }
}

/// The classes that share their simple name with others, so that they may be written with their full one.
fn same_named(recipe: &Recipe, test_class: &str) -> Vec<ClassName> {
    let mut by_name: BTreeMap<&str, BTreeSet<ClassName>> = BTreeMap::new();
    let mut note = |class: ClassName| {
        let outermost = class.simple().split('$').next().unwrap_or_default();
        let outer = ClassName::internal(&format!("{}/{outermost}", class.package()));
        by_name.entry(outermost).or_default().insert(outer);
    };
    recipe.body.stmts.iter().for_each(|stmt| stmt.for_each_class(&mut note));
    recipe.classes.iter().for_each(|class| class.for_each_class(&mut note));
    let clashing = by_name.into_iter().filter(|(name, classes)| classes.len() > 1 || *name == test_class);
    clashing.flat_map(|(_, classes)| classes).collect()
}

/// A last statement that would keep its exception only to throw it at once.
fn without_last_keep(block: &Block) -> Block {
    match block.stmts.split_last() {
        Some((Stmt { action: Action::Try { body, on_throw: OnThrow::RethrowAtEnd }, .. }, before)) => {
            Block { stmts: before.iter().chain(&body.stmts).cloned().collect() }
        }
        _ => block.clone(),
    }
}

/// How many times an exception may be kept for the end: at all, and in the test method itself rather than in the body of a
/// lambda, another class or thread. In a loop that is more than once.
fn keeping_blocks(recipe: &Recipe, body: &Block) -> (usize, usize) {
    let mut all = 0;
    let mut repeated = 0;
    Recipe { classes: recipe.classes.clone(), body: body.clone() }.for_each_stmt(&mut |stmt| {
        all += usize::from(matches!(stmt.action, Action::Try { on_throw: OnThrow::RethrowAtEnd, .. }));
        if let Action::Repeat { body, .. } = &stmt.action {
            repeated += plain_keeps(body);
        }
    });
    (all + repeated, plain_keeps(body) + repeated)
}

fn plain_keeps(block: &Block) -> usize {
    let of_stmt = |stmt: &Stmt| match &stmt.action {
        Action::Try { body, on_throw } => usize::from(*on_throw == OnThrow::RethrowAtEnd) + plain_keeps(body),
        Action::Repeat { body, .. } => plain_keeps(body),
        _ => 0,
    };
    block.stmts.iter().map(of_stmt).sum()
}

/// `String`, `int`, `Object`: types that many values have.
fn says_little(ty: Type) -> bool {
    match ty {
        Type::Class(class) => class.package() == "java/lang",
        _ => true,
    }
}
