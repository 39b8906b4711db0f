//! User classes of the recipe, as static nested classes of the test.

use super::{Lower, Scope, Value};
use crate::literal;
use crate::syntax::{AnnotationArg, AnnotationUse, Class, Expr, Field, Member, Method, Param, Statement, TypeUse};
use program::classfile::signature::FieldSignature;
use program::{ClassName, MethodRef, Type};
use recipe::{Annotation, AnnotationValue, ClassDecl, FieldDecl, Literal, MethodDecl};

impl Lower<'_> {
    pub(crate) fn class(&mut self, decl: &ClassDecl) -> Class {
        self.in_class_body += 1;
        let mut members: Vec<Member> = decl.fields.iter().map(|field| Member::Field(self.field(field))).collect();
        let methods: Vec<Member> =
            decl.methods.iter().map(|method| Member::Method(self.method(decl, method))).collect();
        members.extend(methods);
        self.in_class_body -= 1;
        self.note_raw(Type::Class(decl.super_class));
        decl.interfaces.iter().for_each(|interface| self.note_raw(Type::Class(*interface)));
        Class {
            annotations: self.annotations(&decl.annotations),
            modifiers: "public static",
            name: decl.name.simple().to_owned(),
            super_class: Some(decl.super_class).filter(|parent| *parent != ClassName::object()),
            interfaces: decl.interfaces.clone(),
            members,
        }
    }

    fn field(&mut self, field: &FieldDecl) -> Field {
        let signature = field.signature.and_then(|signature| FieldSignature::parse(signature.as_str()));
        let ty = match signature {
            Some(FieldSignature(generic)) => TypeUse::Generic(generic),
            None => self.type_use(field.ty),
        };
        let mut scope = Scope::default();
        let init = field.init.as_ref().map(|literal| {
            let value = self.literal(literal, &mut scope);
            self.assigned(value, field.ty)
        });
        Field {
            annotations: self.annotations(&field.annotations),
            modifiers: if field.is_static { "public static" } else { "public" },
            ty,
            name: field.name.to_string(),
            init,
        }
    }

    fn method(&mut self, decl: &ClassDecl, method: &MethodDecl) -> Method {
        let reference = MethodRef { class: decl.name, name: method.name, descriptor: method.descriptor };
        let signature = reference.signature();
        let mut params = Vec::new();
        for (index, ty) in signature.params.iter().enumerate() {
            let def = method.params.get(index);
            let name = match def {
                Some(def) => self.name_of(def.var, def.ty),
                None => self.names.give(&crate::ident::name_for_type(*ty)),
            };
            if let Some(def) = def {
                self.values.insert(def.var, Value::plain(Expr::atom(&*name), *ty));
            }
            let annotations = method.param_annotations.get(index).map_or_else(Vec::new, |list| self.annotations(list));
            params.push(Param { annotations, ty: self.type_use(*ty), name });
        }
        if let Some(this) = method.this {
            self.values.insert(this, Value::plain(Expr::atom("this"), Type::Class(decl.name)));
        }
        let (body, throws) = self.declared_body(decl, method, signature.ret);
        let annotations = self.annotations(&method.annotations);
        Method {
            comment: None,
            annotations,
            modifiers: if method.is_static { "public static".into() } else { "public".into() },
            type_params: "",
            ret: signature.ret.map(|ret| self.type_use(ret)),
            name: if reference.is_constructor() { decl.name.simple().into() } else { method.name.to_string() },
            is_constructor: reference.is_constructor(),
            params,
            throws,
            body,
        }
    }

    /// Checked exceptions are declared, unless the method overrides one that may not throw them.
    fn declared_body(
        &mut self,
        decl: &ClassDecl,
        method: &MethodDecl,
        ret: Option<Type>,
    ) -> (Vec<Statement>, Vec<TypeUse>) {
        let mut scope = Scope::default();
        self.block(&method.body, &mut scope);
        let result = ret.map(|ret| {
            let value = match &method.result {
                Some(result) => self.arg(result, &mut scope),
                None => self.literal(&super::callbacks::zero(ret), &mut scope),
            };
            self.assigned(value, ret)
        });
        let parents: Vec<ClassName> =
            std::iter::once(decl.super_class).chain(decl.interfaces.iter().copied()).collect();
        let overridden = parents.into_iter().find_map(|parent| {
            self.world.find_method(MethodRef { class: parent, name: method.name, descriptor: method.descriptor })
        });
        let allowed = |thrown: &ClassName| match &overridden {
            Some(found) if method.name.as_str() != "<init>" => found
                .method
                .exceptions
                .iter()
                .any(|class| self.world.is_subtype(Type::Class(*thrown), Type::Class(*class))),
            _ => true,
        };
        if scope.thrown.iter().all(allowed) {
            let throws = scope.thrown.into_iter().map(|class| TypeUse::Raw(Type::Class(class))).collect();
            scope.statements.extend(result.map(|result| Statement::Return(Some(result))));
            (scope.statements, throws)
        } else {
            (self.throw_unchecked(scope.statements, result), Vec::new())
        }
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
