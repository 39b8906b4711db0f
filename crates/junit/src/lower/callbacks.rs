//! Objects of ours that the program calls back: lambdas where Java allows them, anonymous classes elsewhere.

use super::{Lower, Scope, Value, ValueKind};
use crate::generics::{self, StaticType};
use crate::syntax::{AnnotationUse, Expr, LambdaBody, Member, Method, Param, Statement, TypeUse};
use crate::world::Found;
use program::classfile::Visibility;
use program::{ClassName, MethodRef, Type};
use recipe::{Arg, Callback, CallbackForm, CallbackMethod, Literal};

pub(super) fn class_of(callback: &Callback) -> ClassName {
    match &callback.form {
        CallbackForm::Lambda { interface } | CallbackForm::Interface { interface } => *interface,
        CallbackForm::Subclass { constructor, .. } => constructor.class,
    }
}

impl Lower<'_> {
    pub(super) fn callback(&mut self, callback: &Callback, scope: &mut Scope) -> Value {
        let class = class_of(callback);
        self.note_raw(Type::Class(class));
        match self.lambda_method(callback) {
            Some(method) => self.lambda(class, &method, callback.methods.first(), scope),
            None => self.anonymous(class, callback, scope),
        }
    }

    /// The one method that a lambda would implement, if the callback can be one.
    fn lambda_method(&self, callback: &Callback) -> Option<Found> {
        if matches!(callback.form, CallbackForm::Subclass { .. }) {
            return None;
        }
        let mut missing = self.world.abstract_methods(class_of(callback));
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
        let params = self.bind_params(&types.0, own);
        let mut inner = scope.inner();
        let mut statements = self.method_body(own, method, types.1, &mut inner);
        let body = match statements.as_mut_slice() {
            [Statement::Return(Some(only))] => LambdaBody::Value(Box::new(only.clone())),
            [Statement::Expr(only @ (Expr::Call { .. } | Expr::New { .. } | Expr::Assign(..)))]
                if types.1.is_none() =>
            {
                LambdaBody::Value(Box::new(only.clone()))
            }
            _ => LambdaBody::Block(statements),
        };
        let open = own.is_some_and(|own| self.depends_on_types(own, types.1));
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
        uses_params || open_result
    }

    fn anonymous(&mut self, class: ClassName, callback: &Callback, scope: &mut Scope) -> Value {
        let (outer, args) = match &callback.form {
            CallbackForm::Subclass { constructor, args } => self.super_arguments(*constructor, args, scope),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => (None, Vec::new()),
        };
        let mut methods: Vec<(Found, Option<&CallbackMethod>)> = Vec::new();
        for own in &callback.methods {
            let found =
                self.world.find_method(MethodRef { class, ..own.method }).or(self.world.find_method(own.method));
            if let Some(found) = found {
                methods.push((found, Some(own)));
            }
        }
        for missing in self.world.abstract_methods(class) {
            let done = methods.iter().any(|(found, _)| {
                let (a, b) = (found.method.method, missing.method.method);
                a.name == b.name && self.override_types(class, found).0 == self.override_types(class, &missing).0
            });
            if !done {
                methods.push((missing, None));
            }
        }
        self.in_class_body += 1;
        let members = methods.iter().map(|(found, own)| self.implementation(class, found, *own, scope)).collect();
        self.in_class_body -= 1;
        let name = match (&outer, self.inner_class(class)) {
            (Some(_), Some(simple)) => TypeUse::Name(simple),
            _ => TypeUse::Raw(Type::Class(class)),
        };
        let expr = Expr::New { outer: outer.map(Box::new), class: name, args, body: Some(members) };
        Value::plain(expr, Type::Class(class))
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
        let params = self.bind_params(&types.0, own);
        let mut inner = scope.inner();
        if let Some(this) = own.and_then(|own| own.this).filter(|this| self.uses.contains_key(this)) {
            let name = self.names.give("self");
            let ty = self.type_use(Type::Class(class));
            inner.push(Statement::declare(ty, &name, Expr::atom("this")));
            self.values.insert(this, Value::plain(Expr::atom(name), Type::Class(class)));
        }
        let body = self.method_body(own, found, types.1, &mut inner);
        let modifiers = match found.method.visibility {
            Visibility::Public => "public",
            Visibility::Protected => "protected",
            Visibility::Package | Visibility::Private => "",
        };
        Member::Method(Method {
            comment: None,
            annotations: vec![AnnotationUse { class: ClassName::internal("java/lang/Override"), values: Vec::new() }],
            modifiers: modifiers.into(),
            type_params: "",
            ret: types.1.map(|ret| self.type_use(ret)),
            name: found.method.method.name.to_string(),
            is_constructor: false,
            params,
            throws: inner.thrown.into_iter().map(|class| TypeUse::Raw(Type::Class(class))).collect(),
            body,
        })
    }

    /// Parameter and result types of an override, as the class must declare them.
    fn override_types(&self, class: ClassName, found: &Found) -> (Vec<Type>, Option<Type>) {
        let erased = found.method.method.signature();
        generics::inherited(self.world, found, class).unwrap_or((erased.params, erased.ret))
    }

    /// Names the parameters; the recipe's variables for them get these names.
    fn bind_params(&mut self, types: &[Type], own: Option<&CallbackMethod>) -> Vec<Param> {
        let mut params = Vec::with_capacity(types.len());
        for (index, ty) in types.iter().enumerate() {
            let def = own.and_then(|own| own.params.get(index)).copied();
            let name = match def {
                Some(def) => self.name_of(def.var, def.ty),
                None => self.names.give(&crate::ident::name_for_type(*ty)),
            };
            if let Some(def) = def {
                self.values.insert(def.var, Value::plain(Expr::atom(&*name), *ty));
            }
            params.push(Param { annotations: Vec::new(), ty: self.type_use(*ty), name });
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
                None => self.literal(&zero(ret), inner),
            };
            self.assigned(value, ret)
        });
        let permitted = |thrown: &ClassName| {
            let mut allowed = method.method.exceptions.iter();
            allowed.any(|class| self.world.is_subtype(Type::Class(*thrown), Type::Class(*class)))
        };
        let mut statements = std::mem::take(&mut inner.statements);
        if !inner.thrown.iter().all(permitted) {
            inner.thrown.clear();
            return self.throw_unchecked(statements, result);
        }
        statements.extend(result.map(|result| Statement::Return(Some(result))));
        statements
    }
}

/// Nothing, in any type.
pub(super) fn zero(ty: Type) -> Literal {
    match ty {
        Type::Boolean => Literal::Boolean(false),
        Type::Byte => Literal::Byte(0),
        Type::Char => Literal::Char(0),
        Type::Short => Literal::Short(0),
        Type::Int => Literal::Int(0),
        Type::Long => Literal::Long(0),
        Type::Float => Literal::Float(0.0),
        Type::Double => Literal::Double(0.0),
        Type::Class(_) | Type::Array(_) => Literal::Null(ty),
    }
}
