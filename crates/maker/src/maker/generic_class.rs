//! Classes of the user with type parameters, bounds and supertypes that have arguments, for code that takes types apart:
//! `class Node<T extends Comparable<? super T>>`, `class Leaf extends Node<Leaf>`, `class Grow<T> { Grow<Grow<T>> next; }`.
//! What is drawn is kept if Java's compiler would take it.

use super::Maker;
use super::generic::{OF_ONE, OF_TWO, PLAIN};
use super::user_class::add_methods;
use super::user_object::without_lost_fields;
use crate::dice::Choose;
use crate::draw::Draw;
use objects::Draft;
use objects::build;
use program::classfile::signature::{FieldSignature, TypeParameter};
use program::{ClassName, Symbol, Type};
use recipe::signature::{Generics, erased};
use recipe::{Arg, ClassDecl, ClassKind, FieldDecl, Literal, MethodDecl, Recipe};

/// Generic classes of the JDK, the more peculiar first.
const OF_THE_JDK: [&str; 5] =
    ["java/lang/Enum", "java/util/EnumMap", "java/util/Map", "java/util/List", "java/lang/Comparable"];
/// Classes of the JDK that the user's extend, with the arguments that they take.
const EXTENDED: [(&str, usize); 3] = [("java/util/ArrayList", 1), ("java/util/HashMap", 2), ("java/util/HashSet", 1)];

impl Maker<'_> {
    /// Whether the next class or type of the user has type parameters. Nothing is drawn where nobody looks.
    pub(super) fn wants_generics(&mut self) -> bool {
        let often = self.pool.generics(self.rng);
        often > 0.0 && self.rng.chance(often)
    }

    /// Declares a class that has type parameters, or says what those of the ones above it are.
    pub(super) fn generic_class(&mut self, draft: &mut Draft, nesting: u8) -> ClassName {
        let object = ClassName::object();
        let (super_class, interfaces) = match self.rng.pick(&self.numbers().above) {
            0 if nesting > 0 => (self.generic_class(draft, nesting - 1), Vec::new()),
            1 => (object, vec![ClassName::internal("java/lang/Comparable")]),
            2 => (ClassName::internal(self.rng.one(&EXTENDED).map_or("java/util/ArrayList", |one| one.0)), Vec::new()),
            _ => (object, Vec::new()),
        };
        let name = draft.unused_class_name();
        draft.declare_class(ClassDecl {
            name,
            kind: ClassKind::Class,
            signature: None,
            super_class,
            interfaces,
            annotations: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
        });
        let signature = self.class_signature(draft, name);
        let annotations = self.annotations(|targets| targets.class, nesting);
        if let Some(class) = draft.declared_mut(name) {
            (class.signature, class.annotations) = (signature, annotations);
        }
        for _ in 0..=self.rng.small(self.rng.policy().classes.fields - 1) {
            self.add_generic_field(draft, name, nesting);
        }
        if self.rng.chance(self.rng.policy().classes.bean) {
            let fields = declared(draft.recipe(), name).map(|class| class.fields.clone()).unwrap_or_default();
            fields.iter().for_each(|field| self.add_accessors(draft, name, field));
        }
        name
    }

    /// One of the recipe's classes with other type parameters, bounds or arguments, or a field that has others.
    pub(super) fn mutate_generic(&mut self, recipe: &Recipe, chosen: usize) -> Recipe {
        let mut draft = Draft::after(recipe.clone());
        let (name, fields) = (recipe.classes[chosen].name, &recipe.classes[chosen].fields);
        let at = self.rng.usize(..fields.len().max(1));
        match self.rng.pick(&self.numbers().change_class) {
            0 => {
                let signature = self.class_signature(&draft, name);
                if let Some(class) = draft.declared_mut(name) {
                    class.signature = signature.or(class.signature);
                    erase_anew(class);
                }
            }
            1 if let Some(old) = fields.get(at) => {
                let scope = recipe.classes[chosen].type_parameters();
                let before = old.signature.map_or_else(|| old.ty.descriptor(), |signature| signature.to_string());
                let near =
                    self.rng.chance(self.numbers().near_field).then(|| self.changed_signature(&mut draft, &before));
                let typed = near.and_then(|near| typed(&self.generics(&draft), &near, &scope));
                let (ty, signature) = typed.unwrap_or_else(|| self.scoped_type(&mut draft, name));
                let field = FieldDecl { ty, signature, init: None, ..old.clone() };
                let is_bean = recipe.classes[chosen].methods.iter().any(|method| method.this.is_some());
                if let Some(class) = draft.declared_mut(name) {
                    class.remove_field(at);
                    class.fields.insert(at, field.clone());
                }
                if is_bean {
                    self.add_accessors(&mut draft, name, &field);
                }
            }
            _ => self.add_generic_field(&mut draft, name, 0),
        }
        let mut changed = draft.finish();
        drop_clashes(&mut changed);
        changed.forget_wrong_signatures(self.catalogue);
        without_lost_fields(changed)
    }

    /// A type that a class of the user, or a generic one of the JDK, tells by reflection.
    pub(super) fn type_of_class(&mut self, draft: &mut Draft) -> Arg {
        if self.rng.chance(self.numbers().of_the_jdk) {
            let class = self.rng.one(&OF_THE_JDK).copied().unwrap_or("java/lang/Enum");
            return build::type_variable(draft, ClassName::internal(class), 0);
        }
        let class = self.generic_class(draft, 1);
        let Some(decl) = declared(draft.recipe(), class).cloned() else { return self.field_of_any_type(draft) };
        let variable = self.rng.usize(..decl.type_parameters().len().max(1));
        let field = self.rng.one(&decl.fields).map(|field| field.name);
        match self.rng.pick(&self.numbers().reflected) {
            0 if !decl.type_parameters().is_empty() => build::type_variable(draft, class, variable),
            1 if !decl.type_parameters().is_empty() => {
                let variable = build::type_variable(draft, class, variable);
                let bounds = build::read(draft, "TypeVariable", "getBounds", "()[Ljava/lang/reflect/Type;", variable);
                build::element(draft, bounds, 0, Type::class("java/lang/reflect/Type"))
            }
            2 if !decl.interfaces.is_empty() => {
                let interfaces = build::read(
                    draft,
                    "java/lang/Class",
                    "getGenericInterfaces",
                    "()[Ljava/lang/reflect/Type;",
                    class_literal(class),
                );
                build::element(draft, interfaces, 0, Type::class("java/lang/reflect/Type"))
            }
            2 | 3 if decl.super_class != ClassName::object() => {
                let descriptor = "()Ljava/lang/reflect/Type;";
                build::read(draft, "java/lang/Class", "getGenericSuperclass", descriptor, class_literal(class))
            }
            4 if let Some(field) = field => build::generic_type(draft, class, field.as_str()),
            _ => {
                let signature = self.applied(draft, class);
                self.field_of_type(draft, &signature)
            }
        }
    }

    /// A type variable as an object of its own.
    pub(super) fn type_variable(&mut self, draft: &mut Draft) -> Arg {
        for _ in 0..self.numbers().tries {
            let checkpoint = draft.checkpoint();
            let class = self.generic_class(draft, 1);
            let count = declared(draft.recipe(), class).map_or(0, |class| class.type_parameters().len());
            if count > 0 {
                let index = self.rng.usize(..count);
                return build::type_variable(draft, class, index);
            }
            draft.take_back(checkpoint);
        }
        build::type_variable(draft, ClassName::internal(OF_THE_JDK[0]), 0)
    }

    /// The class with type arguments, where it has parameters.
    pub(super) fn applied(&mut self, draft: &Draft, class: ClassName) -> String {
        let count = declared(draft.recipe(), class).map_or(0, |class| class.type_parameters().len());
        let name = class.as_internal();
        if count == 0 {
            return format!("L{name};");
        }
        let plain: Vec<ClassName> =
            draft.recipe().classes.iter().filter(|one| one.type_parameters().is_empty()).map(|one| one.name).collect();
        for _ in 0..self.numbers().tries {
            let mut arguments = String::new();
            for _ in 0..count {
                arguments.push_str(&match self.rng.pick(&self.numbers().applied) {
                    0 => "*".to_owned(),
                    1 => format!("+{}", self.first_ones(&PLAIN)),
                    2 => format!("{}<{}>;", self.first_ones(&OF_ONE), self.first_ones(&PLAIN)),
                    3 if let Some(one) = self.rng.one(&plain) => format!("L{};", one.as_internal()),
                    _ => self.first_ones(&PLAIN).to_owned(),
                });
            }
            let text = format!("L{name}<{arguments}>;");
            if typed(&self.generics(draft), &text, &[]).is_some() {
                return text;
            }
        }
        format!("L{name}<{}>;", "*".repeat(count))
    }

    /// What knows the classes of the draft.
    pub(super) fn generics<'a>(&'a self, draft: &'a Draft) -> Generics<'a> {
        Generics { program: self.catalogue, classes: &draft.recipe().classes }
    }

    /// What a declared class says about its parameters and the types above it; `None` if those are plain.
    fn class_signature(&mut self, draft: &Draft, name: ClassName) -> Option<Symbol> {
        let class = declared(draft.recipe(), name)?.clone();
        let is_plain = class.super_class == ClassName::object() && class.interfaces.is_empty();
        for _ in 0..self.numbers().tries {
            let count = if is_plain { 1 } else { self.rng.usize(..2) };
            let count = if count == 1 && self.rng.chance(self.numbers().second_parameter) { 2 } else { count };
            let names: &[&str] = [&[][..], &["T"], &["A", "B"]][count];
            let own = own_type(name, names);
            let mut text = String::new();
            for (at, variable) in names.iter().enumerate() {
                text.push_str(if at == 0 { "<" } else { "" });
                text.push_str(&format!("{variable}{}", self.bound(&own, names, at)));
            }
            text.push_str(if names.is_empty() { "" } else { ">" });
            for above in std::iter::once(&class.super_class).chain(&class.interfaces) {
                text.push_str(&self.above(draft, *above, &own, names));
            }
            let signature = Some(Symbol::new(&text));
            let candidate = ClassDecl { signature, fields: Vec::new(), methods: Vec::new(), ..class.clone() };
            let mut classes = draft.recipe().classes.clone();
            classes.iter_mut().filter(|other| other.name == name).for_each(|other| *other = candidate.clone());
            if (Generics { program: self.catalogue, classes: &classes }).is_class(&candidate) {
                return signature;
            }
        }
        is_plain.then(|| Symbol::new("<T:Ljava/lang/Object;>Ljava/lang/Object;"))
    }

    /// The bound of a type parameter, as it stands behind the name.
    fn bound(&mut self, own: &str, names: &[&str], at: usize) -> String {
        let (variable, first) = (names[at], names[0]);
        match self.rng.pick(&self.numbers().bound) {
            0 => format!("::Ljava/lang/Comparable<-T{variable};>;"),
            1 => format!("::Ljava/lang/Comparable<T{variable};>;"),
            2 => format!(":{own}"),
            3 if at > 0 => format!(":T{first};"),
            3 | 4 => format!("::Ljava/util/List<T{first};>;"),
            5 => ":Ljava/lang/Number;".to_owned(),
            _ => ":Ljava/lang/Object;".to_owned(),
        }
    }

    /// A type above a class, with arguments where it has parameters.
    fn above(&mut self, draft: &Draft, above: ClassName, own: &str, names: &[&str]) -> String {
        let of_the_jdk = EXTENDED.iter().find(|(class, _)| *class == above.as_internal()).map(|(_, count)| *count);
        let count = match declared(draft.recipe(), above) {
            Some(class) => class.type_parameters().len(),
            None if above.as_internal() == "java/lang/Comparable" => 1,
            None => of_the_jdk.unwrap_or(0),
        };
        let mut arguments = String::new();
        for _ in 0..count {
            let variable = self.rng.one(names).map(|name| format!("T{name};"));
            arguments.push_str(&match (self.rng.pick(&self.numbers().argument_above), variable) {
                (0, Some(variable)) => variable,
                (1, Some(variable)) => format!("{}<{variable}>;", self.first_ones(&OF_ONE)),
                (2, _) => self.first_ones(&PLAIN).to_owned(),
                _ => own.to_owned(),
            });
        }
        let arguments = if count == 0 { String::new() } else { format!("<{arguments}>") };
        format!("L{}{arguments};", above.as_internal())
    }

    /// Adds a field whose type is made of the class's variables and of the class itself.
    fn add_generic_field(&mut self, draft: &mut Draft, class: ClassName, nesting: u8) {
        let (ty, signature) = self.scoped_type(draft, class);
        let annotations = self.annotations(|targets| targets.field, nesting);
        let field = FieldDecl { name: self.identifier(), ty, signature, is_static: false, annotations, init: None };
        if let Some(class) = draft.declared_mut(class)
            && class.fields.iter().all(|other| other.name != field.name)
        {
            class.fields.push(field);
        }
    }

    /// Methods that get and set the field, unless the class inherits others of the name.
    fn add_accessors(&mut self, draft: &mut Draft, class: ClassName, field: &FieldDecl) {
        let mut accessors = self.accessors(draft, class, field);
        let mut above = class;
        while let Some(decl) = declared(draft.recipe(), above) {
            accessors.retain(|accessor| above == class || decl.methods.iter().all(|other| other.name != accessor.name));
            above = decl.super_class;
        }
        // What classes of the program have is not looked at.
        if above == ClassName::object()
            && let Some(class) = draft.declared_mut(class)
        {
            add_methods(&mut class.methods, accessors);
        }
    }

    /// A type that may mention the class and its variables.
    fn scoped_type(&mut self, draft: &mut Draft, class: ClassName) -> (Type, Option<Symbol>) {
        let scope = declared(draft.recipe(), class).map(ClassDecl::type_parameters).unwrap_or_default();
        let names: Vec<&str> = scope.iter().map(|parameter| parameter.name.as_str()).collect();
        for _ in 0..self.numbers().tries {
            let text = self.scoped_signature(draft, class, &names, self.numbers().levels);
            if let Some(typed) = typed(&self.generics(draft), &text, &scope) {
                return typed;
            }
        }
        (Type::Class(class), None)
    }

    fn scoped_signature(&mut self, draft: &mut Draft, class: ClassName, names: &[&str], levels: u8) -> String {
        let own = own_type(class, names);
        let variable = self.rng.one(names).map_or_else(|| own.clone(), |name| format!("T{name};"));
        let Some(below) = levels.checked_sub(1) else { return variable };
        match self.rng.pick(&self.numbers().scoped) {
            0 => variable,
            1 => format!("{}<{}>;", self.first_ones(&OF_ONE), self.scoped_argument(draft, class, names, below)),
            2 => {
                let value = self.scoped_argument(draft, class, names, below);
                format!("{}<{}{value}>;", self.first_ones(&OF_TWO), self.first_ones(&PLAIN))
            }
            3 => own,
            4 if !names.is_empty() => {
                let arguments: String =
                    names.iter().map(|_| self.scoped_argument(draft, class, names, below)).collect();
                format!("L{}<{arguments}>;", class.as_internal())
            }
            5 => format!("[{}", self.scoped_signature(draft, class, names, below)),
            _ => self.generic_signature(draft, below),
        }
    }

    fn scoped_argument(&mut self, draft: &mut Draft, class: ClassName, names: &[&str], levels: u8) -> String {
        let inside = self.scoped_signature(draft, class, names, levels);
        match self.rng.pick(&self.numbers().scoped_argument) {
            0 => format!("+{inside}"),
            1 => format!("-{inside}"),
            2 => "*".to_owned(),
            _ => inside,
        }
    }
}

/// The type of a signature that the compiler would take, with the signature if it says more than the type.
pub(super) fn typed(generics: &Generics<'_>, text: &str, scope: &[TypeParameter]) -> Option<(Type, Option<Symbol>)> {
    let FieldSignature(ty) = FieldSignature::parse(text)?;
    let says_more = text.contains('<') || !recipe::signature::variables(&ty).is_empty();
    generics.is_type(&ty, scope).then(|| (erased(&ty, scope), says_more.then(|| Symbol::new(text))))
}

/// Gives the fields the types that their signatures have now; methods that knew them by others go.
fn erase_anew(class: &mut ClassDecl) {
    let scope = class.type_parameters();
    for at in 0..class.fields.len() {
        let signature = class.fields[at].signature.and_then(|text| FieldSignature::parse(text.as_str()));
        let Some(FieldSignature(generic)) = signature else { continue };
        let is_known = |name: &Symbol| scope.iter().any(|parameter| parameter.name == *name);
        let all_known = recipe::signature::variables(&generic).iter().all(is_known);
        let ty = erased(&generic, &scope);
        if all_known && ty != class.fields[at].ty {
            let field = FieldDecl { ty, ..class.fields[at].clone() };
            class.remove_field(at);
            class.fields.insert(at, field);
        }
    }
}

/// Drops methods of user classes below others that have one of the name which takes or gives something else.
pub(super) fn drop_clashes(recipe: &mut Recipe) {
    for at in 0..recipe.classes.len() {
        let mut above = recipe.classes[at].super_class;
        let mut inherited: Vec<MethodDecl> = Vec::new();
        while let Some(decl) = declared(recipe, above) {
            inherited.extend(decl.methods.iter().cloned());
            above = decl.super_class;
        }
        recipe.classes[at].methods.retain(|method| {
            let clashes = |other: &MethodDecl| {
                other.name == method.name
                    && (other.descriptor, other.signature) != (method.descriptor, method.signature)
            };
            method.name.as_str() == "<init>" || !inherited.iter().any(clashes)
        });
    }
}

fn declared(recipe: &Recipe, class: ClassName) -> Option<&ClassDecl> {
    recipe.classes.iter().find(|declared| declared.name == class)
}

/// The class with its own variables for arguments.
fn own_type(class: ClassName, names: &[&str]) -> String {
    let variables: String = names.iter().map(|name| format!("T{name};")).collect();
    let arguments = if names.is_empty() { String::new() } else { format!("<{variables}>") };
    format!("L{}{arguments};", class.as_internal())
}

fn class_literal(class: ClassName) -> Arg {
    Arg::Literal(Literal::Class(Type::Class(class)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use crate::{Hint, MakerConfig, MemberStatistics, Rng};
    use objects::Reflects;
    use objects::{AccessContext, Catalogue, Pool};
    use program::Subtype;

    fn with_makers(seeds: std::ops::Range<u64>, pool: &Pool, mut then: impl FnMut(&mut Maker<'_>, Draft)) {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let statistics = MemberStatistics::default();
        for seed in seeds {
            let rng = &mut Rng::with_seed(seed);
            let (from, config) = (AccessContext::public(), MakerConfig::default());
            let mut maker = Maker { catalogue: &catalogue, pool, statistics: &statistics, rng, from, config };
            then(&mut maker, Draft::new());
        }
    }

    fn dissecting() -> Pool {
        let mut pool = Pool::general();
        pool.set_dissects_types(Reflects::AtTheCrash);
        pool
    }

    #[test]
    fn classes_have_parameters_bounds_and_supertypes_of_all_kinds() {
        let mut shapes = String::new();
        with_makers(0..800, &dissecting(), |maker, mut draft| {
            maker.generic_class(&mut draft, 2);
            let recipe = draft.finish();
            assert_eq!(recipe::check(&recipe, maker.catalogue), Ok(()), "{recipe}");
            shapes.push_str(&recipe.to_string());
        });
        for wanted in [
            "<T::Ljava/lang/Comparable<-TT;>;>Ljava/lang/Object;",
            "<T:Lreenact/user/User<TT;>;>Ljava/lang/Object;",
            "<A:Ljava/lang/Object;B::Ljava/util/List<TA;>;>",
            "signature \"Lreenact/user/User<Lreenact/user/User2;>;\"",
            "Ljava/lang/Comparable<Lreenact/user/User;>;\" implements java.lang.Comparable",
            "signature \"TT;\"",
            "signature \"Ljava/util/List<+TT;>;\"",
            "signature \"Lreenact/user/User<Lreenact/user/User<TT;>;>;\"",
        ] {
            assert!(shapes.contains(wanted), "{wanted}");
        }
    }

    #[test]
    fn changed_classes_are_still_taken_by_the_compiler() {
        let mut changes = 0;
        with_makers(0..300, &dissecting(), |maker, mut draft| {
            maker.user_object(&mut draft);
            maker.type_of_class(&mut draft);
            let mut recipe = draft.finish();
            for _ in 0..5 {
                let before = recipe.clone();
                recipe = maker.mutate_user_class(&recipe).unwrap_or(recipe);
                assert_eq!(recipe::check(&recipe, maker.catalogue), Ok(()), "{before}\n=>\n{recipe}");
                let mut apart = recipe.clone();
                drop_clashes(&mut apart);
                assert_eq!(apart, recipe);
                changes +=
                    usize::from(before.classes.iter().zip(&recipe.classes).any(|(a, b)| a.signature != b.signature));
            }
        });
        assert!(changes > 50, "{changes}");
    }

    #[test]
    fn every_kind_of_type_is_made() {
        for wanted in ["Type", "TypeVariable", "ParameterizedType", "WildcardType", "GenericArrayType"] {
            let ty = Type::class(&format!("java/lang/reflect/{wanted}"));
            let (mut made, mut reflected) = (0, 0);
            with_makers(0..60, &dissecting(), |maker, mut draft| {
                let Some(value) = maker.value(&mut draft, ty, Hint::not_null()) else { return };
                let given = draft.type_of(&value).unwrap();
                assert_eq!(maker.catalogue.program().is_subtype_of(given, ty), Subtype::Yes);
                let recipe = draft.finish();
                assert_eq!(recipe::check(&recipe, maker.catalogue), Ok(()), "{recipe}");
                made += 1;
                reflected += usize::from(recipe.to_string().contains("call class reenact.user.User"));
            });
            assert!(made > 40 && reflected > 10, "{wanted}: {made} {reflected}");
        }
    }

    #[test]
    fn nothing_is_generic_where_nobody_takes_types_apart() {
        with_makers(0..200, &Pool::general(), |maker, mut draft| {
            maker.user_object(&mut draft);
            let recipe = draft.finish();
            assert!(recipe.classes.iter().all(|class| class.signature.is_none()), "{recipe}");
        });
    }
}
