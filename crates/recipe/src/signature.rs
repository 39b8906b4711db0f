//! Generic signatures of declared classes: would Java's compiler take them? A test that is not accepted shows nothing, so
//! type arguments are counted and have to be within their bounds, variables are those that are declared, and what is erased is
//! what descriptors say (JLS 4.4, 4.5, 8.1.2, 8.1.5).
//!
//! Answers are on the safe side: what would need captured wildcards to be seen is taken to be wrong.

use crate::types::Subtyping;
use crate::{ClassDecl, FieldDecl, Literal, MethodDecl, Recipe};
use program::classfile::signature::{
    ClassSignature, ClassType, FieldSignature, GenericType, MethodSignature, TypeArgument, TypeParameter,
};
use program::{ClassName, MethodType, Symbol, Type};
use std::collections::BTreeMap;

/// Types that grow while they are looked at are given up at this depth.
const MAX_DEPTH: u8 = 12;

impl ClassDecl {
    /// What its class file would say about type parameters and supertypes; without a signature all of these are plain.
    pub fn generic(&self) -> ClassSignature {
        let parsed = self.signature.and_then(|signature| ClassSignature::parse(signature.as_str()));
        parsed.unwrap_or_else(|| ClassSignature {
            type_parameters: Vec::new(),
            super_class: raw(self.super_class),
            interfaces: self.interfaces.iter().copied().map(raw).collect(),
        })
    }

    /// The type parameters that it declares.
    pub fn type_parameters(&self) -> Vec<TypeParameter> {
        if self.signature.is_some_and(|signature| signature.as_str().starts_with('<')) {
            self.generic().type_parameters
        } else {
            Vec::new()
        }
    }
}

/// A class without type arguments.
pub fn raw(class: ClassName) -> ClassType {
    ClassType { class, arguments: Vec::new(), outer: None }
}

/// The type without its arguments, where these type parameters are declared.
pub fn erased(ty: &GenericType, declared: &[TypeParameter]) -> Type {
    erased_within(ty, declared, MAX_DEPTH)
}

fn erased_within(ty: &GenericType, declared: &[TypeParameter], depth: u8) -> Type {
    ty.erasure(&|name| {
        let first = declared.iter().find(|parameter| parameter.name == name)?.bounds().next()?.clone();
        depth.checked_sub(1).map(|depth| erased_within(&first, declared, depth))
    })
}

impl Recipe {
    /// Takes signatures away that the compiler would not accept, after classes were changed: what they were on is raw then.
    pub fn forget_wrong_signatures(&mut self, program: &dyn Subtyping) {
        if self.classes.iter().all(|class| class.signature.is_none() && !has_signatures(class)) {
            return;
        }
        // What is taken away may be what another one was about.
        for _ in 0..=self.classes.len() {
            let mut changed = false;
            for at in 0..self.classes.len() {
                let types = Generics { program, classes: &self.classes };
                let class = &self.classes[at];
                let is_wrong = class.signature.is_some() && types.class(class).is_err();
                let fields: Vec<bool> = class.fields.iter().map(|field| types.field(class, field).is_err()).collect();
                let methods: Vec<bool> = class.methods.iter().map(|one| types.method(class, one).is_err()).collect();
                let class = &mut self.classes[at];
                if is_wrong {
                    class.signature = None;
                }
                for (field, _) in class.fields.iter_mut().zip(&fields).filter(|(_, is_wrong)| **is_wrong) {
                    field.signature = None;
                }
                for (method, _) in class.methods.iter_mut().zip(&methods).filter(|(_, is_wrong)| **is_wrong) {
                    method.signature = None;
                }
                changed |= is_wrong || fields.contains(&true) || methods.contains(&true);
            }
            if !changed {
                return;
            }
        }
    }
}

fn has_signatures(class: &ClassDecl) -> bool {
    class.fields.iter().any(|field| field.signature.is_some())
        || class.methods.iter().any(|method| method.signature.is_some())
}

type Bindings = BTreeMap<Symbol, TypeArgument>;
type Said = Result<(), String>;

/// The classes that types are made of.
#[derive(Clone, Copy)]
pub struct Generics<'a> {
    pub program: &'a dyn Subtyping,
    pub classes: &'a [ClassDecl],
}

impl std::fmt::Debug for Generics<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generics").field("classes", &self.classes).finish_non_exhaustive()
    }
}

impl Generics<'_> {
    /// Everything that a declared class says.
    pub(crate) fn all(&self, class: &ClassDecl) -> Said {
        self.class(class)?;
        class.fields.iter().try_for_each(|field| self.field(class, field))?;
        class.methods.iter().try_for_each(|method| self.method(class, method))
    }

    /// The signature of the class itself.
    fn class(&self, class: &ClassDecl) -> Said {
        let Some(text) = class.signature else { return Ok(()) };
        let signature = ClassSignature::parse(text.as_str()).ok_or_else(|| format!("`{text}` is no signature"))?;
        let above: Vec<ClassName> = signature.interfaces.iter().map(|above| above.class).collect();
        let is_same = signature.super_class.class == class.super_class && above == class.interfaces;
        said(is_same, || format!("`{text}` has other supertypes"))?;
        let parameters = &signature.type_parameters;
        self.parameters(parameters, parameters)?;
        let is_thrown = self.is_subclass(class.super_class, ClassName::internal("java/lang/Throwable"));
        said(parameters.is_empty() || !is_thrown, || "an exception has no type parameters".into())?;
        for above in std::iter::once(&signature.super_class).chain(&signature.interfaces) {
            let is_exact = above.arguments.iter().all(|argument| matches!(argument, TypeArgument::Exactly(_)));
            said(is_exact, || format!("{above} is no supertype"))?;
            self.ty(&GenericType::Class(above.clone()), parameters)?;
        }
        said(!self.inherits_twice(class), || format!("`{text}` has a supertype with two sets of arguments"))
    }

    fn parameters(&self, parameters: &[TypeParameter], scope: &[TypeParameter]) -> Said {
        for (at, parameter) in parameters.iter().enumerate() {
            let name = parameter.name;
            let is_new = parameters[..at].iter().all(|other| other.name != name);
            said(is_new, || format!("type parameter {name} is declared twice"))?;
            let hides = self.classes.iter().any(|class| class.name.simple() == name.as_str());
            said(!hides && is_name(name.as_str()), || format!("{name} is no name of a type parameter"))?;
            let bounds: Vec<&GenericType> = parameter.bounds().collect();
            let is_variable = |bound: &&GenericType| matches!(bound, GenericType::Variable(_));
            said(bounds.len() < 2 || !bounds.iter().any(is_variable), || format!("{name} has further bounds"))?;
            for bound in bounds {
                said(!matches!(bound, GenericType::Array(_)), || format!("{name} is bounded by an array"))?;
                self.ty(bound, scope)?;
            }
            said(!goes_round(name, parameters), || format!("the bounds of {name} go round in circles"))?;
        }
        Ok(())
    }

    fn field(&self, class: &ClassDecl, field: &FieldDecl) -> Said {
        let Some(text) = field.signature else { return Ok(()) };
        let FieldSignature(ty) =
            FieldSignature::parse(text.as_str()).ok_or_else(|| format!("`{text}` is no signature"))?;
        let scope = if field.is_static { Vec::new() } else { class.type_parameters() };
        self.ty(&ty, &scope)?;
        let is_set = field.init.as_ref().is_some_and(|init| !matches!(init, Literal::Null(_)));
        let is_variable = matches!(ty, GenericType::Variable(_));
        said(!(is_set && is_variable), || format!("no value is known to be of type `{text}`"))?;
        said(erased(&ty, &scope) == field.ty, || format!("`{text}` is not of type {}", field.ty))
    }

    fn method(&self, class: &ClassDecl, method: &MethodDecl) -> Said {
        let Some(text) = method.signature else { return Ok(()) };
        let signature = MethodSignature::parse(text.as_str()).ok_or_else(|| format!("`{text}` is no signature"))?;
        // A method's own variable hides the class's of the same name.
        let mut scope = signature.type_parameters.clone();
        if !method.is_static {
            scope.extend(class.type_parameters());
        }
        self.parameters(&signature.type_parameters, &scope)?;
        signature.params.iter().chain(&signature.ret).try_for_each(|ty| self.ty(ty, &scope))?;
        let Some(plain) = MethodType::parse(method.descriptor.as_str()) else { return Ok(()) };
        let params = signature.params.iter().map(|param| erased(param, &scope));
        let is_same = params.eq(plain.params) && signature.ret.as_ref().map(|ret| erased(ret, &scope)) == plain.ret;
        said(is_same, || format!("`{text}` is not {}", method.descriptor))
    }

    /// Whether the compiler would take what the class says, but for its members.
    pub fn is_class(&self, class: &ClassDecl) -> bool {
        self.class(class).is_ok()
    }

    /// Whether source may have the type where these parameters are declared.
    pub fn is_type(&self, ty: &GenericType, scope: &[TypeParameter]) -> bool {
        self.ty(ty, scope).is_ok()
    }

    /// Whether `X.class` may stand where a `Class` of this type argument is wanted; it is the raw class that `X` names there.
    pub fn is_class_of(&self, class: ClassName, wanted: &TypeArgument) -> bool {
        self.is_contained(&TypeArgument::Exactly(GenericType::Class(raw(class))), wanted, &[], 0)
    }

    fn ty(&self, ty: &GenericType, scope: &[TypeParameter]) -> Said {
        match ty {
            GenericType::Primitive(_) => Ok(()),
            GenericType::Variable(name) => {
                said(scope.iter().any(|parameter| parameter.name == *name), || format!("{name} is not declared"))
            }
            GenericType::Array(component) => self.ty(component, scope),
            GenericType::Class(class) => {
                let is_there = !ClassDecl::is_declared_name(class.class) || self.declared(class.class).is_some();
                said(is_there, || format!("{} is not declared", class.class))?;
                for argument in &class.arguments {
                    inside(argument).map_or(Ok(()), |ty| self.ty(ty, scope))?;
                }
                self.arguments(class, scope)
            }
        }
    }

    /// As many as there are parameters, or none; each within its bounds.
    fn arguments(&self, class: &ClassType, scope: &[TypeParameter]) -> Said {
        if class.arguments.is_empty() || class.outer.is_some() {
            return Ok(());
        }
        let Some(known) = self.known(class.class) else { return Ok(()) };
        let parameters = known.type_parameters;
        said(parameters.len() == class.arguments.len(), || format!("{class} has another number of type arguments"))?;
        // What is within a wildcard's bound is good enough for it.
        let exact =
            |argument: &TypeArgument| inside(argument).cloned().map_or(TypeArgument::Any, TypeArgument::Exactly);
        let names = parameters.iter().map(|parameter| parameter.name);
        let bindings: Bindings = names.zip(class.arguments.iter().map(exact)).collect();
        for (parameter, argument) in parameters.iter().zip(&class.arguments) {
            let Some(has) = inside(argument) else { continue };
            for bound in parameter.bounds().filter(|bound| !is_object(bound)) {
                let fits = substitute(bound, &bindings).is_some_and(|bound| self.is_below(has, &bound, scope, 0));
                said(fits, || format!("{argument} is not within the bounds of {} of {}", parameter.name, class.class))?;
            }
        }
        Ok(())
    }

    /// Whether the one type is the other or below it, where these parameters are declared.
    fn is_below(&self, sub: &GenericType, sup: &GenericType, scope: &[TypeParameter], depth: u8) -> bool {
        if sub == sup || is_object(sup) {
            return !matches!(sub, GenericType::Primitive(_)) || sub == sup;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        match (sub, sup) {
            (GenericType::Variable(name), _) => {
                let declared = scope.iter().find(|parameter| parameter.name == *name);
                declared
                    .is_some_and(|declared| declared.bounds().any(|bound| self.is_below(bound, sup, scope, depth + 1)))
            }
            (GenericType::Array(sub), GenericType::Array(sup)) => self.is_below(sub, sup, scope, depth + 1),
            (GenericType::Class(sub), GenericType::Class(sup)) => {
                if sup.arguments.is_empty() {
                    return self.is_subclass(sub.class, sup.class);
                }
                let Some(seen) = self.as_super(sub, sup.class, depth) else { return false };
                let same_count = seen.arguments.len() == sup.arguments.len();
                let mut both = seen.arguments.iter().zip(&sup.arguments);
                same_count && both.all(|(has, wanted)| self.is_contained(has, wanted, scope, depth + 1))
            }
            _ => false,
        }
    }

    /// Whether a type argument is one of those that another one stands for (JLS 4.5.1).
    fn is_contained(&self, has: &TypeArgument, wanted: &TypeArgument, scope: &[TypeParameter], depth: u8) -> bool {
        use TypeArgument::{Any, Exactly, Extends, Super};
        match (has, wanted) {
            (_, Any) => true,
            (Exactly(has), Exactly(wanted)) => has == wanted,
            (Exactly(has) | Extends(has), Extends(wanted)) => self.is_below(has, wanted, scope, depth),
            (Any | Super(_), Extends(wanted)) => is_object(wanted),
            (Exactly(has) | Super(has), Super(wanted)) => self.is_below(wanted, has, scope, depth),
            (Any | Extends(_), Super(_)) | (Any | Extends(_) | Super(_), Exactly(_)) => false,
        }
    }

    /// The type as that class above it, with what its parameters are there. Without arguments where it is raw on the way.
    fn as_super(&self, class: &ClassType, wanted: ClassName, depth: u8) -> Option<ClassType> {
        if class.class == wanted {
            return Some(class.clone());
        }
        if depth > MAX_DEPTH || class.class == ClassName::object() {
            return None;
        }
        self.above(class)?.iter().find_map(|above| self.as_super(above, wanted, depth + 1))
    }

    /// The types right above, raw where their arguments cannot be told.
    fn above(&self, class: &ClassType) -> Option<Vec<ClassType>> {
        let known = self.known(class.class)?;
        let is_raw = class.arguments.len() != known.type_parameters.len();
        let names = known.type_parameters.iter().map(|parameter| parameter.name);
        let bindings: Bindings = names.zip(class.arguments.iter().cloned()).collect();
        let seen = |above: ClassType| match substitute(&GenericType::Class(above.clone()), &bindings) {
            Some(GenericType::Class(seen)) if !is_raw => seen,
            _ => raw(above.class),
        };
        Some(std::iter::once(known.super_class).chain(known.interfaces).map(seen).collect())
    }

    /// Whether a generic type is above the class with different type arguments. A class that only says what the parameter of
    /// one of the program's is cannot be blamed for it.
    fn inherits_twice(&self, class: &ClassDecl) -> bool {
        if class.interfaces.is_empty() && !ClassDecl::is_declared_name(class.super_class) {
            return false;
        }
        let own = class.type_parameters();
        let arguments = own.iter().map(|parameter| TypeArgument::Exactly(GenericType::Variable(parameter.name)));
        let mut seen: BTreeMap<ClassName, Vec<TypeArgument>> = BTreeMap::new();
        let mut open = vec![ClassType { class: class.name, arguments: arguments.collect(), outer: None }];
        while let Some(next) = open.pop() {
            for above in self.above(&next).unwrap_or_default() {
                match seen.get(&above.class) {
                    Some(known) if *known != above.arguments => return true,
                    Some(_) => {}
                    None => {
                        seen.insert(above.class, above.arguments.clone());
                        open.push(above);
                    }
                }
            }
        }
        false
    }

    fn declared(&self, class: ClassName) -> Option<&ClassDecl> {
        self.classes.iter().find(|declared| declared.name == class)
    }

    /// Parameters and supertypes, where they are known.
    fn known(&self, class: ClassName) -> Option<ClassSignature> {
        match self.declared(class) {
            Some(declared) => Some(declared.generic()),
            None => self.program.signature(class),
        }
    }

    fn is_subclass(&self, sub: ClassName, sup: ClassName) -> bool {
        crate::types::WithDeclared { program: self.program, classes: self.classes }.is_subtype(sub, sup)
    }
}

fn said(holds: bool, problem: impl FnOnce() -> String) -> Said {
    if holds { Ok(()) } else { Err(problem()) }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_object(ty: &GenericType) -> bool {
    matches!(ty, GenericType::Class(class) if class.class == ClassName::object())
}

/// Whether a parameter is bounded by itself, over others or at once.
fn goes_round(name: Symbol, parameters: &[TypeParameter]) -> bool {
    let mut at = name;
    for _ in parameters {
        let bound = parameters.iter().find(|parameter| parameter.name == at).and_then(|one| one.bounds().next());
        let Some(GenericType::Variable(next)) = bound else { return false };
        at = *next;
    }
    true
}

/// The type of a type argument.
pub fn inside(argument: &TypeArgument) -> Option<&GenericType> {
    match argument {
        TypeArgument::Any => None,
        TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => Some(ty),
    }
}

/// With what stands for the variables; `None` where a wildcard would have to be captured.
fn substitute(ty: &GenericType, bindings: &Bindings) -> Option<GenericType> {
    Some(match ty {
        GenericType::Primitive(_) => ty.clone(),
        GenericType::Variable(name) => match bindings.get(name) {
            Some(TypeArgument::Exactly(bound)) => bound.clone(),
            Some(_) => return None,
            None => ty.clone(),
        },
        GenericType::Array(component) => GenericType::Array(Box::new(substitute(component, bindings)?)),
        GenericType::Class(class) => {
            // A wildcard may stand for an argument of the type itself, but not for one further inside.
            let argument = |argument: &TypeArgument| match argument {
                TypeArgument::Exactly(GenericType::Variable(name)) => {
                    Some(bindings.get(name).unwrap_or(argument).clone())
                }
                TypeArgument::Exactly(ty) => substitute_exactly(ty, bindings).map(TypeArgument::Exactly),
                TypeArgument::Extends(ty) => substitute_exactly(ty, bindings).map(TypeArgument::Extends),
                TypeArgument::Super(ty) => substitute_exactly(ty, bindings).map(TypeArgument::Super),
                TypeArgument::Any => Some(TypeArgument::Any),
            };
            let arguments: Option<Vec<TypeArgument>> = class.arguments.iter().map(argument).collect();
            GenericType::Class(ClassType { class: class.class, arguments: arguments?, outer: class.outer.clone() })
        }
    })
}

fn substitute_exactly(ty: &GenericType, bindings: &Bindings) -> Option<GenericType> {
    let is_exact = |name: &Symbol| bindings.get(name).is_none_or(|bound| matches!(bound, TypeArgument::Exactly(_)));
    variables(ty).iter().all(is_exact).then(|| substitute(ty, bindings)).flatten()
}

/// The type variables in a type.
pub fn variables(ty: &GenericType) -> Vec<Symbol> {
    match ty {
        GenericType::Primitive(_) => Vec::new(),
        GenericType::Variable(name) => vec![*name],
        GenericType::Array(component) => variables(component),
        GenericType::Class(class) => class.arguments.iter().filter_map(inside).flat_map(variables).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, parse};

    /// What some classes of the JDK say.
    struct Known;

    impl Subtyping for Known {
        fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
            let is_above = |above: &ClassType| self.is_subtype(above.class, sup);
            sub == sup
                || sup == ClassName::object()
                || sub != ClassName::object()
                    && self
                        .signature(sub)
                        .is_some_and(|known| std::iter::once(&known.super_class).chain(&known.interfaces).any(is_above))
        }

        fn signature(&self, class: ClassName) -> Option<ClassSignature> {
            ClassSignature::parse(match class.as_internal() {
                "java/lang/Object" | "java/io/Serializable" => "Ljava/lang/Object;",
                "java/lang/String" => "Ljava/lang/Object;Ljava/lang/Comparable<Ljava/lang/String;>;",
                "java/lang/Comparable" => "<T:Ljava/lang/Object;>Ljava/lang/Object;",
                "java/util/Date" => "Ljava/lang/Object;Ljava/lang/Comparable<Ljava/util/Date;>;",
                "java/sql/Timestamp" => "Ljava/util/Date;",
                "java/util/List" => "<E:Ljava/lang/Object;>Ljava/lang/Object;",
                "java/lang/Exception" => "Ljava/lang/Throwable;",
                "java/lang/Throwable" => "Ljava/lang/Object;",
                _ => return None,
            })
        }
    }

    fn said(text: &str) -> Result<(), String> {
        let recipe = parse(text).unwrap_or_else(|why| panic!("{why}: {text}"));
        check(&recipe, &Known).map_err(|problems| problems[0].problem.to_string())
    }

    const SELF: &str = r#"declare class Self signature "<T:Lreenact/user/Self<TT;>;>Ljava/lang/Object;" {}"#;
    const NODE: &str = r#"declare class Node signature "<T::Ljava/lang/Comparable<-TT;>;>Ljava/lang/Object;" {
             field value: java.lang.Comparable signature "TT;"
             field next: reenact.user.Node signature "Lreenact/user/Node<TT;>;"
             field items: java.util.List signature "Ljava/util/List<+TT;>;"
             method get(): java.lang.Comparable signature "()TT;" {}
           }"#;

    #[test]
    fn recursive_bounds_are_kept() {
        assert_eq!(said(SELF), Ok(()));
        assert_eq!(said(NODE), Ok(()));
        let leaf = |of: &str| {
            format!(r#"{SELF} declare class Leaf signature "Lreenact/user/Self<{of}>;" extends reenact.user.Self {{}}"#)
        };
        assert_eq!(said(&leaf("Lreenact/user/Leaf;")), Ok(()));
        assert!(said(&leaf("Ljava/lang/String;")).unwrap_err().contains("not within the bounds of T"));
        let of = |argument: &str| {
            format!(
                r#"{NODE} declare class Use {{ field x: reenact.user.Node signature "Lreenact/user/Node<{argument}>;" }}"#
            )
        };
        // A subclass of what can be compared with itself can be compared with that.
        for fine in ["Ljava/lang/String;", "Ljava/sql/Timestamp;", "*", "+Ljava/lang/String;"] {
            assert_eq!(said(&of(fine)), Ok(()), "{fine}");
        }
        for wrong in ["Ljava/lang/Object;", "Ljava/util/List<Ljava/lang/String;>;", "TT;", "[Ljava/lang/String;"] {
            assert!(said(&of(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn types_may_grow() {
        let grow = r#"declare class Grow signature "<T:Ljava/lang/Object;>Ljava/lang/Object;" {
                        field next: reenact.user.Grow signature "Lreenact/user/Grow<Lreenact/user/Grow<TT;>;>;" }"#;
        assert_eq!(said(grow), Ok(()));
    }

    #[test]
    fn what_the_compiler_refuses_is_refused() {
        for wrong in [
            r#"declare class A signature "<T:Ljava/lang/Object;T:Ljava/lang/Object;>Ljava/lang/Object;" {}"#,
            r#"declare class A signature "<T:TU;U:TT;>Ljava/lang/Object;" {}"#,
            r#"declare class A signature "<A:Ljava/lang/Object;>Ljava/lang/Object;" {}"#,
            r#"declare class A signature "<T:TT;>Ljava/lang/Object;" {}"#,
            r#"declare class A signature "<T:[Ljava/lang/Object;>Ljava/lang/Object;" {}"#,
            r#"declare class A signature "Ljava/lang/Object;Ljava/util/List<TT;>;" implements java.util.List {}"#,
            r#"declare class A signature "Ljava/lang/Object;Ljava/util/List<*>;" implements java.util.List {}"#,
            r#"declare class A signature "Ljava/lang/Object;Ljava/util/List<Lreenact/user/A;>;" {}"#,
            r#"declare class A signature "<T:Ljava/lang/Object;>Ljava/lang/Exception;" extends java.lang.Exception {}"#,
            r#"declare class A { field x: java.util.List signature "Ljava/util/List<TT;>;" }"#,
            r#"declare class A { field x: java.util.List signature "Ljava/util/List<Lreenact/user/B;>;" }"#,
            r#"declare class A { field x: java.util.Set signature "Ljava/util/List<Lreenact/user/A;>;" }"#,
            r#"declare class A { field x: java.util.List signature "Ljava/util/List<Lreenact/user/A;*>;" }"#,
            r#"declare class A signature "<T:Ljava/lang/Object;>Ljava/lang/Object;" {
                 field static x: java.lang.Object signature "TT;" }"#,
            r#"declare class A signature "<T:Ljava/lang/Object;>Ljava/lang/Object;" {
                 method f(v0: java.lang.String) signature "(TT;)V" {} }"#,
            r#"declare class A signature "Ljava/util/Date;Ljava/lang/Comparable<Lreenact/user/A;>;"
                 extends java.util.Date implements java.lang.Comparable {}"#,
        ] {
            assert!(said(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_signature_that_is_wrong_goes_with_what_depends_on_it() {
        let mut recipe = parse(
            r#"declare class A {}
               declare class B signature "<T:Ljava/lang/Object;>Lreenact/user/A<TT;>;" extends reenact.user.A {
                 field x: java.lang.Object signature "TT;"
                 field y: java.util.List signature "Ljava/util/List<Ljava/lang/String;>;" }
               declare class C { field z: reenact.user.B signature "Lreenact/user/B<Ljava/lang/String;>;" }"#,
        )
        .unwrap();
        recipe.forget_wrong_signatures(&Known);
        insta::assert_snapshot!(recipe, @r#"
        declare class A {
        }
        declare class B extends reenact.user.A {
          field x: java.lang.Object
          field y: java.util.List signature "Ljava/util/List<Ljava/lang/String;>;"
        }
        declare class C {
          field z: reenact.user.B
        }
        "#);
        assert_eq!(check(&recipe, &Known), Ok(()));
    }
}
