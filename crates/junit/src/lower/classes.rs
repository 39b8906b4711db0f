//! User classes of the recipe, as static nested classes of the test.

use super::resources::returning;
use super::{Lower, Scope, Value, ValueKind};
use crate::generics;
use crate::ident::Names;
use crate::literal;
use crate::syntax::{AnnotationArg, AnnotationUse, Class, Expr, Field, Member, Method, Param, Statement, TypeUse};
use crate::world::Found;
use program::classfile::signature::{ClassSignature, FieldSignature, GenericType, MethodSignature};
use program::{ClassName, MethodRef, Type};
use recipe::{Action, Annotation, AnnotationValue, Arg, ClassDecl, ClassKind, FieldDecl, Literal, MethodDecl, Stmt};

impl Lower<'_> {
    pub(crate) fn class(&mut self, decl: &ClassDecl) -> Class {
        let is_interface = decl.kind == ClassKind::Interface;
        self.in_class_body += 1;
        let mut members: Vec<Member> =
            decl.fields.iter().map(|field| Member::Field(self.field(field, is_interface))).collect();
        let methods: Vec<Member> =
            decl.methods.iter().map(|method| Member::Method(self.method(decl, method))).collect();
        members.extend(methods);
        members.extend(self.fillers(decl));
        self.in_class_body -= 1;
        let signature = decl.signature.and_then(|signature| ClassSignature::parse(signature.as_str()));
        let (type_parameters, super_class, interfaces) = match signature {
            Some(signature) => {
                let interfaces = signature.interfaces.into_iter().map(|i| TypeUse::Generic(GenericType::Class(i)));
                let parent = TypeUse::Generic(GenericType::Class(signature.super_class));
                (signature.type_parameters, parent, interfaces.collect())
            }
            None => {
                let interfaces = decl.interfaces.iter().map(|interface| self.type_use(Type::Class(*interface)));
                let interfaces = interfaces.collect();
                (Vec::new(), self.type_use(Type::Class(decl.super_class)), interfaces)
            }
        };
        Class {
            annotations: self.annotations(&decl.annotations),
            modifiers: if is_interface { "public" } else { "public static" },
            is_interface,
            name: decl.name.simple().to_owned(),
            type_parameters,
            super_class: Some(super_class).filter(|_| decl.super_class != ClassName::object()),
            interfaces,
            members,
        }
    }

    /// The methods that Java wants of the class and the recipe does not have; they do nothing.
    fn fillers(&mut self, decl: &ClassDecl) -> Vec<Member> {
        if decl.kind == ClassKind::Interface || decl.interfaces.is_empty() && decl.super_class == ClassName::object() {
            return Vec::new();
        }
        let mut missing = generics::to_implement(self.world, decl.name, false);
        // A class of the test above it has its own.
        if ClassDecl::is_declared_name(decl.super_class) {
            let above = generics::to_implement(self.world, decl.super_class, false);
            missing.retain(|found| above.iter().all(|other| other.method.method != found.method.method));
        }
        missing.iter().map(|found| self.filler(decl, found)).collect()
    }

    fn filler(&mut self, decl: &ClassDecl, found: &Found) -> Member {
        let erased = found.method.method.signature();
        let generic = generics::inherited_signature(self.world, found, decl.name);
        let mut names = Names::default();
        let mut params = Vec::with_capacity(erased.params.len());
        for (index, ty) in erased.params.iter().enumerate() {
            let written = match generic.as_ref().and_then(|generic| generic.params.get(index)) {
                Some(param) => TypeUse::Generic(param.clone()),
                None => self.type_use(*ty),
            };
            params.push(Param::new(written, names.give(&crate::ident::name_for_type(*ty))));
        }
        let result = erased.ret.map(|ret| self.literal(&Literal::default_of(ret), &mut Scope::default()).expr);
        let generic_ret = generic.as_ref().and_then(|generic| generic.ret.clone()).map(TypeUse::Generic);
        Member::Method(Method {
            comment: None,
            annotations: vec![AnnotationUse { class: ClassName::internal("java/lang/Override"), values: Vec::new() }],
            modifiers: "public".into(),
            ret: generic_ret.or_else(|| erased.ret.map(|ret| self.type_use(ret))),
            type_parameters: generic.map_or_else(Vec::new, |generic| generic.type_parameters),
            name: found.method.method.name.to_string(),
            is_constructor: false,
            params,
            throws: Vec::new(),
            body: Some(returning(Vec::new(), result)),
            is_filler: true,
        })
    }

    fn field(&mut self, field: &FieldDecl, is_constant: bool) -> Field {
        let signature = field.signature.and_then(|signature| FieldSignature::parse(signature.as_str()));
        let ty = match signature {
            Some(FieldSignature(generic)) => TypeUse::Generic(generic),
            None => self.type_use(field.ty),
        };
        let value = field.init.clone().or_else(|| is_constant.then(|| Literal::default_of(field.ty)));
        let init = value.map(|literal| {
            let value = self.literal(&literal, &mut Scope::default());
            self.assigned(value, field.ty)
        });
        Field {
            annotations: self.annotations(&field.annotations),
            modifiers: match (is_constant, field.is_static) {
                (true, _) => "",
                (false, true) => "public static",
                (false, false) => "public",
            },
            ty,
            name: field.name.to_string(),
            init,
        }
    }

    fn method(&mut self, decl: &ClassDecl, method: &MethodDecl) -> Method {
        let reference = MethodRef { class: decl.name, name: method.name, descriptor: method.descriptor };
        let erased = reference.signature();
        let generic = method.signature.and_then(|signature| MethodSignature::parse(signature.as_str()));
        let is_abstract = decl.kind == ClassKind::Interface && !method.is_static;
        let params = self.params(method, &erased.params, generic.as_ref());
        if let Some(this) = method.this {
            self.values.insert(this, Value::plain(Expr::atom("this"), Type::Class(decl.name)));
        }
        let (body, throws) = self.declared_body(decl, method, erased.ret, generic.as_ref());
        let annotations = self.annotations(&method.annotations);
        let generic_ret = generic.as_ref().and_then(|generic| generic.ret.clone()).map(TypeUse::Generic);
        Method {
            comment: None,
            annotations,
            modifiers: match (is_abstract, method.is_static) {
                (true, _) => "",
                (false, true) => "public static",
                (false, false) => "public",
            }
            .into(),
            type_parameters: generic.map_or_else(Vec::new, |generic| generic.type_parameters),
            ret: generic_ret.or_else(|| erased.ret.map(|ret| self.type_use(ret))),
            name: if reference.is_constructor() { decl.name.simple().into() } else { method.name.to_string() },
            is_constructor: reference.is_constructor(),
            params,
            throws,
            body: (!is_abstract).then_some(body),
            is_filler: false,
        }
    }

    fn params(&mut self, method: &MethodDecl, types: &[Type], generic: Option<&MethodSignature>) -> Vec<Param> {
        let mut params = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let def = method.params.get(index);
            let name = match def {
                Some(def) => self.name_of(def.var, def.ty),
                None => self.names.give(&crate::ident::name_for_type(*ty)),
            };
            if let Some(def) = def {
                self.values.insert(def.var, Value::plain(Expr::atom(&*name), *ty));
                let generic = generic.and_then(|generic| generic.params.get(index));
                self.generic_params.extend(generic.map(|generic| (def.var, generic.clone())));
            }
            let annotations = method.param_annotations.get(index).map_or_else(Vec::new, |list| self.annotations(list));
            let written = match generic.and_then(|generic| generic.params.get(index)) {
                Some(param) => TypeUse::Generic(param.clone()),
                None => self.type_use(*ty),
            };
            let is_variable = method.is_varargs && index + 1 == types.len();
            params.push(Param { annotations, ty: written, is_variable, name });
        }
        params
    }

    /// Checked exceptions are declared, unless the method overrides one that may not throw them.
    fn declared_body(
        &mut self,
        decl: &ClassDecl,
        method: &MethodDecl,
        ret: Option<Type>,
        generic: Option<&MethodSignature>,
    ) -> (Vec<Statement>, Vec<TypeUse>) {
        let mut scope = Scope::default();
        self.block(&method.body, &mut scope);
        let result = ret.map(|ret| {
            let value = match &method.result {
                Some(result) => self.arg(result, &mut scope),
                None => self.literal(&Literal::default_of(ret), &mut scope),
            };
            let is_typed = value.is_null() || method.result.as_ref().is_some_and(|it| gives_field(decl, method, it));
            // Values are known by erasure; a variable has to be asked for.
            let variable = generic.and_then(|generic| generics::bare_variable(generic.ret.as_ref()?));
            match variable.filter(|_| !is_typed) {
                Some(name) => self.cast_to_variable(value, ret, name),
                None => self.assigned(value, ret),
            }
        });
        let mut parents = std::iter::once(decl.super_class).chain(decl.interfaces.iter().copied());
        let overridden = parents.find_map(|parent| {
            self.world.find_method(MethodRef { class: parent, name: method.name, descriptor: method.descriptor })
        });
        let is_allowed = |thrown: &ClassName| match &overridden {
            Some(found) if method.name.as_str() != "<init>" => {
                let mut allowed = found.method.exceptions.iter();
                allowed.any(|class| self.world.is_subtype(Type::Class(*thrown), Type::Class(*class)))
            }
            // As callers in the test expect.
            _ => self.world.is_subtype(Type::Class(*thrown), Type::class("java/lang/Exception")),
        };
        if scope.thrown.iter().all(is_allowed) {
            let throws = scope.thrown.into_iter().map(|class| TypeUse::Raw(Type::Class(class))).collect();
            (returning(scope.statements, result), throws)
        } else {
            (self.throw_unchecked(scope.statements, result), Vec::new())
        }
    }

    /// `(T) value`; what is made for any type arguments is raw then, since the compiler would take them for `Object`.
    pub(super) fn cast_to_variable(&mut self, value: Value, ty: Type, name: &'static str) -> Expr {
        self.unchecked = true;
        let expr = match value.kind {
            ValueKind::Diamond { .. } => value.expr,
            _ => self.assigned(value, ty),
        };
        Expr::CastToVariable(name, Box::new(expr))
    }

    fn annotations(&mut self, annotations: &[Annotation]) -> Vec<AnnotationUse> {
        annotations.iter().map(|annotation| self.annotation(annotation)).collect()
    }

    fn annotation(&mut self, annotation: &Annotation) -> AnnotationUse {
        let values = annotation.values.iter().map(|(name, value)| (name.to_string(), self.annotation_value(value)));
        AnnotationUse { class: annotation.class, values: values.collect() }
    }

    fn annotation_value(&mut self, value: &AnnotationValue) -> AnnotationArg {
        match value {
            AnnotationValue::Literal(Literal::String(text)) => AnnotationArg::Value(literal::constant_string(text)),
            AnnotationValue::Literal(literal) => {
                let value = self.literal(literal, &mut Scope::default());
                AnnotationArg::Value(value.expr)
            }
            AnnotationValue::Array(values) => {
                AnnotationArg::Array(values.iter().map(|value| self.annotation_value(value)).collect())
            }
            AnnotationValue::Nested(annotation) => AnnotationArg::Nested(self.annotation(annotation)),
        }
    }
}

/// Whether what a method gives back is a field of the same generic type, which it has just read.
fn gives_field(decl: &ClassDecl, method: &MethodDecl, result: &Arg) -> bool {
    let [Stmt { def: Some(def), action: Action::GetField { field, receiver, .. } }] = method.body.stmts.as_slice()
    else {
        return false;
    };
    let is_own = receiver.as_ref().and_then(Arg::var) == method.this && field.class == decl.name;
    let generic = method.signature.and_then(|signature| MethodSignature::parse(signature.as_str())?.ret);
    let declared = decl.fields.iter().find(|known| known.name == field.name).and_then(|known| known.signature);
    let is_same = declared.zip(generic).is_some_and(|(declared, ret)| declared.as_str() == ret.to_string());
    is_own && is_same && result.var() == Some(def.var)
}
