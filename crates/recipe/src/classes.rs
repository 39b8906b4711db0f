//! Which classes does a recipe mention, and the same recipe with classes renamed.

use crate::{
    Action, Annotation, AnnotationValue, CallbackForm, ClassDecl, Def, FieldDecl, JavaString, Literal, MethodDecl,
    Recipe, Stmt,
};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};

impl Stmt {
    /// Calls `f` on every class that the statement mentions, also in descriptors and nested blocks; some more than once.
    pub fn for_each_class(&self, f: &mut dyn FnMut(ClassName)) {
        // Renaming visits everything; a copy that is thrown away keeps it the only visitor.
        let seen = |class: ClassName| {
            f(class);
            class
        };
        Renamer { rename: seen }.stmt(&mut self.clone());
    }
}

impl ClassDecl {
    /// As [`Stmt::for_each_class`], the class itself included.
    pub fn for_each_class(&self, f: &mut dyn FnMut(ClassName)) {
        let seen = |class: ClassName| {
            f(class);
            class
        };
        Renamer { rename: seen }.class(&mut self.clone());
    }
}

impl Recipe {
    /// The names of the fields of its classes, and of their methods but for those that get and set a field.
    pub fn member_names(&self) -> Vec<JavaString> {
        let members = self.classes.iter().flat_map(|class| {
            let methods = class.methods.iter().filter(|method| method.this.is_none()).map(|method| method.name);
            class.fields.iter().map(|field| field.name).chain(methods)
        });
        members.map(|name| JavaString::new(name.as_str())).collect()
    }

    /// Replaces every mention of a class by what `rename` gives for it.
    pub fn rename_classes(&mut self, rename: impl FnMut(ClassName) -> ClassName) {
        let mut renamer = Renamer { rename };
        self.classes.iter_mut().for_each(|class| renamer.class(class));
        self.body.stmts.iter_mut().for_each(|stmt| renamer.stmt(stmt));
    }

    /// Drops declared classes that nothing mentions.
    pub fn drop_unused_classes(&mut self) {
        let mut used: Vec<ClassName> = Vec::new();
        self.body.stmts.iter().for_each(|stmt| stmt.for_each_class(&mut |class| used.push(class)));
        let mut next = 0;
        while let Some(class) = used.get(next).copied() {
            next += 1;
            if used[..next - 1].contains(&class) {
                continue;
            }
            if let Some(decl) = self.classes.iter().find(|decl| decl.name == class) {
                decl.for_each_class(&mut |class| used.push(class));
            }
        }
        self.classes.retain(|decl| used.contains(&decl.name));
    }
}

impl ClassDecl {
    /// With the methods that get or set it.
    pub fn remove_field(&mut self, at: usize) {
        let name = self.fields.remove(at).name;
        self.methods.retain(|method| {
            !method.body.stmts.iter().any(|stmt| match &stmt.action {
                Action::GetField { field, .. } | Action::PutField { field, .. } => field.name == name,
                _ => false,
            })
        });
    }

    /// Its annotations, and those of its members.
    pub fn annotations_mut(&mut self) -> Vec<&mut Vec<Annotation>> {
        let fields = self.fields.iter_mut().map(|field| &mut field.annotations);
        let methods = self
            .methods
            .iter_mut()
            .flat_map(|method| std::iter::once(&mut method.annotations).chain(method.param_annotations.iter_mut()));
        std::iter::once(&mut self.annotations).chain(fields).chain(methods).collect()
    }
}

struct Renamer<F> {
    rename: F,
}

impl<F: FnMut(ClassName) -> ClassName> Renamer<F> {
    fn name(&mut self, class: &mut ClassName) {
        *class = (self.rename)(*class);
    }

    fn ty(&mut self, ty: &mut Type) {
        match ty {
            Type::Class(class) => self.name(class),
            Type::Array(array) => {
                let mut component = array.component();
                self.ty(&mut component);
                *ty = Type::array_of(component);
            }
            _ => {}
        }
    }

    /// Descriptors and signatures: class names stand between `L` and `;`, `<` or `.` there, other names before `:`.
    fn descriptor(&mut self, descriptor: &mut Symbol) {
        let text = descriptor.as_str();
        let mut renamed = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('L') {
            let name = &rest[start + 1..];
            let Some(end) = name.find([';', '<', '.', ':']) else { break };
            renamed.push_str(&rest[..=start]);
            // A type parameter that starts with an L, in `<LT:Ljava/lang/Object;>`, is no class.
            let is_class = name.as_bytes()[end] != b':';
            let mut class = ClassName::internal(&name[..end]);
            if is_class {
                self.name(&mut class);
            }
            renamed.push_str(class.as_internal());
            rest = &name[end..];
        }
        renamed.push_str(rest);
        *descriptor = Symbol::new(&renamed);
    }

    fn method_ref(&mut self, method: &mut MethodRef) {
        self.name(&mut method.class);
        self.descriptor(&mut method.descriptor);
    }

    fn field_ref(&mut self, field: &mut FieldRef) {
        self.name(&mut field.class);
        self.descriptor(&mut field.descriptor);
    }

    fn def(&mut self, def: &mut Def) {
        self.ty(&mut def.ty);
    }

    fn literal(&mut self, literal: &mut Literal) {
        match literal {
            Literal::Null(ty) | Literal::Class(ty) => self.ty(ty),
            Literal::Enum(field) => self.field_ref(field),
            _ => {}
        }
    }

    fn arg(&mut self, arg: &mut crate::Arg) {
        if let crate::Arg::Literal(literal) = arg {
            self.literal(literal);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.def.iter_mut().for_each(|def| self.def(def));
        self.own_names(&mut stmt.action);
        stmt.action.args_mut().for_each(|arg| self.arg(arg));
        for body in stmt.action.bodies_mut() {
            body.params.iter_mut().for_each(|param| self.def(param));
            body.block.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
            body.result.arg().into_iter().for_each(|arg| self.arg(arg));
        }
    }

    /// What an action names besides its arguments and bodies.
    fn own_names(&mut self, action: &mut Action) {
        match action {
            Action::Literal(literal) => self.literal(literal),
            Action::New { constructor: method, .. } | Action::Call { method, .. } => self.method_ref(method),
            Action::GetField { field, .. } | Action::PutField { field, .. } => self.field_ref(field),
            Action::NewArray { component, .. } | Action::ArrayOf { component, .. } => self.ty(component),
            Action::Callback(callback) => {
                match &mut callback.form {
                    CallbackForm::Lambda { interface } | CallbackForm::Interface { interface } => self.name(interface),
                    CallbackForm::Subclass { constructor, .. } => self.method_ref(constructor),
                }
                callback.methods.iter_mut().for_each(|method| self.method_ref(&mut method.method));
            }
            _ => {}
        }
    }

    fn class(&mut self, class: &mut ClassDecl) {
        self.name(&mut class.name);
        self.name(&mut class.super_class);
        class.interfaces.iter_mut().for_each(|interface| self.name(interface));
        class.signature.iter_mut().for_each(|signature| self.descriptor(signature));
        class.annotations.iter_mut().for_each(|annotation| self.annotation(annotation));
        class.fields.iter_mut().for_each(|field| self.field(field));
        class.methods.iter_mut().for_each(|method| self.method(method));
    }

    fn field(&mut self, field: &mut FieldDecl) {
        self.ty(&mut field.ty);
        field.signature.iter_mut().for_each(|signature| self.descriptor(signature));
        field.annotations.iter_mut().for_each(|annotation| self.annotation(annotation));
        field.init.iter_mut().for_each(|init| self.literal(init));
    }

    fn method(&mut self, method: &mut MethodDecl) {
        self.descriptor(&mut method.descriptor);
        method.signature.iter_mut().for_each(|signature| self.descriptor(signature));
        let annotations = method.annotations.iter_mut().chain(method.param_annotations.iter_mut().flatten());
        annotations.for_each(|annotation| self.annotation(annotation));
        method.params.iter_mut().for_each(|param| self.def(param));
        method.body.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
        method.result.iter_mut().for_each(|arg| self.arg(arg));
    }

    fn annotation(&mut self, annotation: &mut Annotation) {
        self.name(&mut annotation.class);
        annotation.values.iter_mut().for_each(|(_, value)| self.annotation_value(value));
    }

    fn annotation_value(&mut self, value: &mut AnnotationValue) {
        match value {
            AnnotationValue::Literal(literal) => self.literal(literal),
            AnnotationValue::Array(values) => values.iter_mut().for_each(|value| self.annotation_value(value)),
            AnnotationValue::Nested(annotation) => self.annotation(annotation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renaming_reaches_descriptors_and_signatures() {
        let text = r#"
            declare class A signature "<LT:Ljava/lang/Object;>Lx/Base<Lreenact/user/A;[TLT;>;" extends x.Base {
              field a: reenact.user.A[]
            }
            v0: reenact.user.A = new reenact.user.A()
            call x.Y.f(reenact.user.A[] null(reenact.user.A[]), x.List v0): reenact.user.A
        "#;
        let mut recipe = crate::parse(text).unwrap();
        let (a, b) = (ClassDecl::class_name("A"), ClassDecl::class_name("B"));
        recipe.rename_classes(|class| if class == a { b } else { class });
        assert_eq!(
            recipe,
            crate::parse(&text.replace("user/A", "user/B").replace("user.A", "user.B").replace("class A", "class B"))
                .unwrap()
        );
    }

    #[test]
    fn unused_classes_are_dropped() {
        let mut recipe = crate::parse(
            "declare interface A {} declare class B implements reenact.user.A {} declare class C {}
             v0: reenact.user.B = new reenact.user.B()",
        )
        .unwrap();
        recipe.drop_unused_classes();
        let left: Vec<&str> = recipe.classes.iter().map(|class| class.name.simple()).collect();
        assert_eq!(left, ["A", "B"]);
    }
}
