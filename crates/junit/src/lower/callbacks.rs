//! Objects of ours that the program calls back: lambdas where Java allows them, anonymous classes elsewhere.

use super::resources::returning;
use super::{Lower, Scope, Value, ValueKind};
use crate::access::Reach;
use crate::generics::{self, OverrideTypes, StaticType};
use crate::ident::{Names, is_identifier, name_for_type};
use crate::missing;
use crate::options::{Inexpressible, Use};
use crate::syntax::{AnnotationUse, Expr, LambdaBody, Member, Method, Param, Statement, TypeUse};
use crate::world::Found;
use program::classfile::Visibility;
use program::classfile::signature::{ClassType, MethodSignature};
use program::{ClassName, MethodRef, Symbol, Type};
use recipe::types::callback_class;
use recipe::{Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Literal};

impl Lower<'_> {
    pub(super) fn callback(&mut self, callback: &Callback, scope: &mut Scope) -> Value {
        let class = callback_class(&callback.form);
        let hindrance = self.hindrance(callback);
        let is_refused = self.is_refused_use(Use::Callback(class));
        let is_interface = !matches!(callback.form, CallbackForm::Subclass { .. });
        if hindrance.is_some() || is_refused && is_interface {
            // Proxies look at all methods at once.
            let is_doomed = self.world.missing_above(class).is_some();
            let has_proxy = is_interface && (is_doomed || self.names_nothing_missing(class));
            if let (false, Some(why)) = (has_proxy, hindrance) {
                self.inexpressible.get_or_insert(Inexpressible::Type { what: class, why });
            }
            return self.proxy(class, callback, scope);
        }
        match self.lambda_method(callback) {
            Some(method) => self.lambda(class, &method, callback.methods.first(), scope),
            None => self.anonymous(class, callback, scope),
        }
    }

    /// Why source cannot implement the type, if it cannot.
    fn hindrance(&self, callback: &Callback) -> Option<String> {
        let class = callback_class(&callback.form);
        if let Reach::Reflection(reason) = self.access.class(class) {
            return Some(reason);
        }
        if let CallbackForm::Subclass { constructor, .. } = &callback.form
            && let Some(found) = self.world.find_method(*constructor)
        {
            if let Some(reason) = missing::hinders_call(self.world, class, &found) {
                return Some(format!("has a constructor that {reason}"));
            }
            if !self.access.may_extend(&found) {
                return Some("has a constructor that the test may not call".into());
            }
        }
        let own = callback.methods.iter().filter_map(|own| self.own_method(class, own));
        for found in generics::to_implement(self.world, class, false).into_iter().chain(own) {
            let OverrideTypes { params, ret } = self.override_types(class, &found);
            if let Some(missing) = params.into_iter().chain(ret).find_map(|ty| missing::named_by(self.world, ty)) {
                return Some(missing::naming("has a method that names", missing));
            }
            if !self.access.may_extend(&found) {
                return Some(format!("has a method {} that the test does not see", found.method.method.name));
            }
            if !is_identifier(found.method.method.name.as_str()) {
                return Some("has a method whose name Java cannot spell".into());
            }
        }
        // Of a superclass the compiler is not sure to refuse the rest.
        if matches!(callback.form, CallbackForm::Subclass { .. }) {
            return None;
        }
        // Compilers do not see what other compilers have added.
        let is_added =
            |own: &CallbackMethod| self.world.find_method(own.method).is_some_and(|found| found.method.is_synthetic);
        if callback.methods.iter().any(is_added) {
            return Some("has methods that compilers have added".into());
        }
        let is_consistent = generics::is_consistent(self.world, class);
        (!is_consistent).then(|| "inherits in a way that Java does not allow".into())
    }

    fn names_nothing_missing(&self, class: ClassName) -> bool {
        self.world.lineage(class).iter().all(|class| !missing::hides_members(self.world, class, false))
    }

    fn own_method(&self, class: ClassName, own: &CallbackMethod) -> Option<Found> {
        self.world.find_method(MethodRef { class, ..own.method }).or(self.world.find_method(own.method))
    }

    /// An object of an interface that source cannot implement.
    fn proxy(&mut self, class: ClassName, callback: &Callback, scope: &mut Scope) -> Value {
        let [proxy, method, arguments] = ["proxy", "method", "arguments"].map(|wish| self.names.give(wish));
        let mut handler = scope.inner();
        for own in &callback.methods {
            let mut inner = handler.inner();
            for (index, param) in own.params.iter().enumerate() {
                let ty = self.access.nameable(param.ty);
                let name = self.name_of(param.var, param.ty);
                let argument = Expr::Index(Box::new(Expr::atom(&*arguments)), Box::new(Expr::atom(index.to_string())));
                let written = self.type_use(ty);
                inner.push(Statement::declare(written, &name, argument.cast(ty)));
                self.values.insert(param.var, Value::plain(Expr::atom(name), ty));
            }
            if let Some(this) = own.this {
                self.values.insert(this, Value::plain(Expr::atom(&*proxy), Type::Class(ClassName::object())));
            }
            self.block(&own.body, &mut inner);
            let ret = own.method.signature().ret;
            let result = match (&own.result, ret) {
                (Some(result), _) => self.arg(result, &mut inner).expr,
                (None, Some(ret)) => self.literal(&Literal::default_of(ret), &mut inner).expr,
                (None, None) => Expr::atom("null"),
            };
            let then = returning(inner.statements, Some(result));
            handler.push(Statement::If { condition: is_named(&method, own.method), then });
        }
        for missing in generics::to_implement(self.world, class, true) {
            let reference = missing.method.method;
            let is_done = callback.methods.iter().any(|own| own.method.name == reference.name);
            if let Some(ret) = reference.signature().ret.filter(|ret| !ret.is_reference() && !is_done) {
                let zero = self.literal(&Literal::default_of(ret), &mut handler).expr;
                handler.push(Statement::If {
                    condition: is_named(&method, reference),
                    then: vec![Statement::Return(Some(zero))],
                });
            }
        }
        handler.push(Statement::Return(Some(Expr::atom("null"))));
        let code = Expr::Lambda { params: vec![proxy, method, arguments], body: LambdaBody::Block(handler.statements) };
        let interface = self.class_literal(Type::Class(class), scope).expr;
        let loader = interface.clone().then("getClassLoader", Vec::new());
        let interfaces = Expr::ArrayOf { component: Type::class("java/lang/Class"), elements: vec![interface] };
        let made = Expr::static_call("java/lang/reflect/Proxy", "newProxyInstance", vec![loader, interfaces, code]);
        let ty = self.access.nameable(Type::Class(class));
        self.note_raw(ty);
        Value::plain(made.cast(ty), ty)
    }

    /// The one method that a lambda would implement, if the callback can be one.
    fn lambda_method(&self, callback: &Callback) -> Option<Found> {
        if matches!(callback.form, CallbackForm::Subclass { .. }) {
            return None;
        }
        // A raw type shows the methods of its own supertypes erased, so that there may be two.
        let mut missing = generics::to_implement(self.world, callback_class(&callback.form), true);
        if missing.len() != 1 && !self.world.is_generic(callback_class(&callback.form)) {
            missing = generics::to_implement(self.world, callback_class(&callback.form), false);
        }
        let method = missing.pop().filter(|_| missing.is_empty())?;
        // A generic method cannot be a lambda.
        let is_generic = method.method.signature.as_ref().is_some_and(|s| !s.type_parameters.is_empty());
        let fits = callback.methods.iter().all(|own| {
            let same = own.method.name == method.method.method.name
                && own.method.descriptor == method.method.method.descriptor;
            same && own.this.is_none_or(|this| !self.uses.contains_key(&this))
        });
        (fits && !is_generic).then_some(method)
    }

    fn lambda(&mut self, class: ClassName, method: &Found, own: Option<&CallbackMethod>, scope: &mut Scope) -> Value {
        let types = self.override_types(class, method);
        let params = self.bind_params(&types.params, own);
        let mut inner = scope.inner();
        let mut statements = self.method_body(own, method, types.ret, &mut inner);
        let body = match statements.as_mut_slice() {
            [Statement::Return(Some(only))] => LambdaBody::Value(Box::new(only.clone())),
            [Statement::Expr(only @ (Expr::Call { .. } | Expr::New { .. } | Expr::Assign(..)))]
                if types.ret.is_none() =>
            {
                LambdaBody::Value(Box::new(only.clone()))
            }
            _ => LambdaBody::Block(statements),
        };
        let open = own.is_some_and(|own| self.depends_on_types(own, types.ret));
        let names = params.into_iter().map(|param| param.name).collect();
        Value {
            expr: Expr::Lambda { params: names, body },
            ty: StaticType::plain(Type::Class(class)),
            kind: ValueKind::Lambda { open },
        }
    }

    /// Whether the body would mean something else, or nothing, if parameters and result had other types.
    fn depends_on_types(&self, own: &CallbackMethod, ret: Option<Type>) -> bool {
        let uses_params = own.params.iter().any(|param| self.uses.contains_key(&param.var));
        let open_result = match &own.result {
            None | Some(Arg::Literal(Literal::Null(_))) => false,
            Some(_) => ret.is_some_and(Type::is_reference),
        };
        // A body that only throws fits functions with and without a result.
        uses_params || open_result || throws(own)
    }

    fn anonymous(&mut self, class: ClassName, callback: &Callback, scope: &mut Scope) -> Value {
        let (outer, args) = match &callback.form {
            CallbackForm::Subclass { constructor, args } => self.super_arguments(*constructor, args, scope),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => (None, Vec::new()),
        };
        let mut methods: Vec<(Found, Option<&CallbackMethod>)> = Vec::new();
        for own in &callback.methods {
            if let Some(found) = self.own_method(class, own) {
                methods.push((found, Some(own)));
            }
        }
        for missing in generics::to_implement(self.world, class, false) {
            let is_done = methods.iter().any(|(found, _)| {
                let types = |found: &Found| self.override_types(class, found).params;
                found.method.method.name == missing.method.method.name && types(found) == types(&missing)
            });
            if !is_done {
                methods.push((missing, None));
            }
        }
        self.in_class_body += 1;
        let members = methods.iter().map(|(found, own)| self.implementation(class, found, *own, scope)).collect();
        self.in_class_body -= 1;
        let name = match (&outer, self.inner_class(class)) {
            (Some(_), Some(simple)) => TypeUse::Name(simple),
            _ => match generics::plain_arguments(self.world, class) {
                Some(arguments) => {
                    let arguments = arguments.into_iter().map(|ty| self.type_use(ty)).collect();
                    TypeUse::Applied(class, arguments)
                }
                None => self.type_use(Type::Class(class)),
            },
        };
        let expr = Expr::New { outer: outer.map(Box::new), class: name, args, body: Some(members) };
        let is_generic = self.world.is_generic(class);
        if is_generic { Value::inferred(expr, Type::Class(class)) } else { Value::plain(expr, Type::Class(class)) }
    }

    fn super_arguments(
        &mut self,
        constructor: MethodRef,
        args: &[Arg],
        scope: &mut Scope,
    ) -> (Option<Expr>, Vec<Expr>) {
        let mut values: Vec<Value> = args.iter().map(|arg| self.arg(arg, scope)).collect();
        let found = self.world.find_method(constructor);
        self.note_exceptions(found.as_ref(), scope);
        let is_inner = self.inner_class(constructor.class).is_some() && !values.is_empty();
        let outer = is_inner.then(|| self.receiver(values.remove(0), None));
        let args = self.arguments(constructor, found.as_ref(), None, values, usize::from(outer.is_some()));
        (outer, args)
    }

    fn implementation(
        &mut self,
        class: ClassName,
        found: &Found,
        own: Option<&CallbackMethod>,
        scope: &Scope,
    ) -> Member {
        let types = self.override_types(class, found);
        let generic = own.is_none().then(|| self.generic_override(class, found, &types)).flatten();
        let names = self.names.begin_scope();
        let mut params = match own {
            Some(_) => self.bind_params(&types.params, own),
            None => self.unused_params(&types.params, generic.as_ref()),
        };
        if let Some(last) = params.last_mut() {
            last.is_variable = found.method.is_varargs;
        }
        let mut inner = scope.inner();
        if let Some(this) = own.and_then(|own| own.this).filter(|this| self.uses.contains_key(this)) {
            let mut expr = Expr::atom("this");
            // Inside of another class body, `this` would be something else.
            if own.is_some_and(has_callbacks) {
                let name = self.names.give("self");
                let ty = self.type_use(Type::Class(class));
                inner.push(Statement::declare(ty, &name, expr));
                expr = Expr::atom(name);
            }
            self.values.insert(this, Value::plain(expr, Type::Class(class)));
        }
        let body = self.method_body(own, found, types.ret, &mut inner);
        self.names.end_scope(names);
        let modifiers = match found.method.visibility {
            Visibility::Public => "public",
            Visibility::Protected => "protected",
            Visibility::Package | Visibility::Private => "",
        };
        Member::Method(Method {
            comment: None,
            annotations: vec![AnnotationUse { class: ClassName::internal("java/lang/Override"), values: Vec::new() }],
            modifiers: modifiers.into(),
            ret: match &generic {
                Some(signature) => signature.ret.clone().map(TypeUse::Generic),
                None => types.ret.map(|ret| self.type_use(ret)),
            },
            type_parameters: generic.map_or_else(Vec::new, |signature| signature.type_parameters),
            name: found.method.method.name.to_string(),
            is_constructor: false,
            params,
            throws: inner.thrown.into_iter().map(|class| TypeUse::Raw(Type::Class(class))).collect(),
            body: Some(body),
            is_filler: own.is_none(),
        })
    }

    /// The types of an override with their type arguments. A body that uses the parameters is written for erased types; one
    /// that is empty does not care, and then nothing is raw.
    fn generic_override(&self, class: ClassName, found: &Found, types: &OverrideTypes) -> Option<MethodSignature> {
        let signature = generics::generic_override(self.world, found, class)?;
        let is_narrowest = signature.ret.as_ref().is_none_or(|ret| {
            let is_own = generics::variables(ret).iter().any(|name| generics::declares(&signature, *name));
            is_own && types.ret == found.method.method.signature().ret || Some(ret.erasure(&|_| None)) == types.ret
        });
        let can_name = |class: ClassName| {
            let is_hidden = generics::declares(&signature, Symbol::new(class.simple()));
            self.access.can_name(class) && !is_hidden
        };
        let mut is_written = true;
        let mut check = |ty: &ClassType| {
            let is_raw = ty.arguments.is_empty() && self.world.is_generic(ty.class);
            is_written &= can_name(ty.class) && ty.outer.is_none() && !is_raw;
        };
        generics::for_each_class(&signature, &mut check);
        (is_narrowest && is_written).then_some(signature)
    }

    /// Parameters that nobody uses: their names may hide all others.
    fn unused_params(&mut self, erased: &[Type], generic: Option<&MethodSignature>) -> Vec<Param> {
        let mut names = Names::default();
        let mut params = Vec::with_capacity(erased.len());
        for (index, ty) in erased.iter().enumerate() {
            let written = match generic.and_then(|signature| signature.params.get(index)) {
                Some(param) => TypeUse::Generic(param.clone()),
                None => self.type_use(*ty),
            };
            params.push(Param::new(written, names.give(&name_for_type(*ty))));
        }
        params
    }

    /// Parameter and result types of an override, as the class must declare them.
    fn override_types(&self, class: ClassName, found: &Found) -> OverrideTypes {
        let types = generics::override_types(self.world, found, class);
        let ret = generics::narrowest_result(self.world, class, found.method.method.name, &types);
        OverrideTypes { ret, ..types }
    }

    /// Names the parameters; the recipe's variables for them get these names.
    fn bind_params(&mut self, types: &[Type], own: Option<&CallbackMethod>) -> Vec<Param> {
        let mut params = Vec::with_capacity(types.len());
        for (index, ty) in types.iter().enumerate() {
            let def = own.and_then(|own| own.params.get(index)).copied();
            let name = match def {
                Some(def) => self.name_of(def.var, def.ty),
                None => self.names.give(&name_for_type(*ty)),
            };
            if let Some(def) = def {
                self.values.insert(def.var, Value::plain(Expr::atom(&*name), *ty));
            }
            params.push(Param::new(self.type_use(*ty), name));
        }
        params
    }

    /// The body of an override. Checked exceptions that it may not throw are thrown all the same, as workers do.
    fn method_body(
        &mut self,
        own: Option<&CallbackMethod>,
        method: &Found,
        ret: Option<Type>,
        inner: &mut Scope,
    ) -> Vec<Statement> {
        if let Some(own) = own {
            self.block(&own.body, inner);
        }
        let result = ret.map(|ret| {
            let value = match own.and_then(|own| own.result.as_ref()) {
                Some(result) => self.arg(result, inner),
                None => self.literal(&Literal::default_of(ret), inner),
            };
            self.assigned(value, ret)
        });
        let permitted = |thrown: &ClassName| {
            let mut allowed = method.method.exceptions.iter();
            allowed.any(|class| self.world.is_subtype(Type::Class(*thrown), Type::Class(*class)))
        };
        let statements = std::mem::take(&mut inner.statements);
        if !inner.thrown.iter().all(permitted) {
            inner.thrown.clear();
            return self.throw_unchecked(statements, result);
        }
        returning(statements, result)
    }
}

fn throws(method: &CallbackMethod) -> bool {
    method.body.stmts.last().is_some_and(|last| matches!(last.action, Action::Throw(_)))
}

fn has_callbacks(method: &CallbackMethod) -> bool {
    fn within(block: &Block) -> bool {
        block.stmts.iter().any(|stmt| {
            matches!(stmt.action, Action::Callback(_)) || stmt.action.bodies().iter().any(|body| within(body.block))
        })
    }
    within(&method.body)
}

/// `method.getName().equals("..")`
fn is_named(method: &str, wanted: MethodRef) -> Expr {
    let name = crate::literal::quoted(&recipe::JavaString::new(wanted.name.as_str()).0);
    Expr::atom(method).then("getName", Vec::new()).then("equals", vec![Expr::atom(name)])
}
