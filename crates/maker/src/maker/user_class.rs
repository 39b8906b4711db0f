//! Classes of the user that a library reflects on: fields of varied types, a method or two, with the library's own annotations
//! where it reads any. Names come from the pool, where those that the message states are the likeliest.

use super::generic_class::{drop_clashes, typed};
use super::user_object::without_lost_fields;
use super::{Budget, Maker};
use crate::dice::Choose;
use crate::draw::Draw;
use crate::literals;
use objects::Draft;
use objects::TextHint;
use objects::nearest_subtypes;
use objects::{AnnotationType, Targets};
use policy::Classes;
use program::classfile::signature::{GenericType, TypeArgument};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use recipe::signature::Generics;
use recipe::types::unboxed;
use recipe::{
    Access, Action, Annotation, AnnotationValue, Arg, Block, ClassDecl, ClassKind, Def, FieldDecl, Literal, MethodDecl,
    Recipe, Stmt, VarId,
};

/// Types of fields, with the generic signature where it matters.
const FIELD_TYPES: &[(&str, Option<&str>)] = &[
    ("Ljava/lang/String;", None),
    ("I", None),
    ("Z", None),
    ("[Ljava/lang/String;", None),
    ("Ljava/util/List;", Some("Ljava/util/List<Ljava/lang/String;>;")),
    ("Ljava/util/Map;", Some("Ljava/util/Map<Ljava/lang/String;Ljava/lang/Integer;>;")),
    ("Ljava/lang/Integer;", None),
    ("J", None),
    ("D", None),
    ("Ljava/lang/Boolean;", None),
    ("Ljava/io/File;", None),
    ("Ljava/util/List;", Some("Ljava/util/List<+Ljava/lang/Number;>;")),
    ("Ljava/util/Set;", None),
    ("Ljava/lang/Object;", None),
    ("[I", None),
    ("C", None),
    ("Ljava/util/Date;", None),
    ("Ljava/util/Optional;", Some("Ljava/util/Optional<Ljava/lang/String;>;")),
];

/// What methods take and give.
const DESCRIPTORS: [&str; 10] = [
    "()V",
    "(Ljava/lang/String;)V",
    "()Ljava/lang/String;",
    "(I)V",
    "()I",
    "(Ljava/lang/String;I)V",
    "(Ljava/lang/Object;)V",
    "(Ljava/util/List;)V",
    "()Ljava/lang/Object;",
    "([Ljava/lang/String;)V",
];
const WITH_VARARGS: [&str; 8] = [
    "([Ljava/lang/String;)V",
    "([Ljava/lang/Object;)V",
    "([I)V",
    "([J)V",
    "([D)V",
    "([Ljava/lang/Long;)V",
    "([Ljava/lang/Number;)V",
    "(Ljava/lang/String;[Ljava/lang/Integer;)V",
];
impl Maker<'_> {
    fn of_classes(&self) -> &'static Classes {
        &self.rng.policy().classes
    }

    /// Declares a class in the draft and gives its name.
    pub fn user_class(&mut self, draft: &mut Draft) -> ClassName {
        self.declare(draft, self.of_classes().nesting)
    }

    /// An object of a new user class.
    pub(super) fn user_object(&mut self, draft: &mut Draft) -> Arg {
        let class = self.declare(draft, self.of_classes().nesting);
        let object = self.plain_object(draft, class);
        if let Some(variable) = object.var() {
            let limit = draft.position() + self.config.statements;
            self.fill(draft, variable, class, Budget { levels: self.of_classes().filled_levels, limit });
        }
        object
    }

    /// An object of one of the test's classes, as its constructor leaves it.
    pub(super) fn plain_object(&mut self, draft: &mut Draft, class: ClassName) -> Arg {
        let constructor = MethodRef { class, name: Symbol::new("<init>"), descriptor: Symbol::new("()V") };
        let action = Action::New { constructor, args: Vec::new(), access: Access::Public };
        draft.define(action, Type::Class(class))
    }

    /// One of the recipe's user classes with a member or an annotation more, less or other.
    pub fn mutate_user_class(&mut self, recipe: &Recipe) -> Option<Recipe> {
        let chosen = self.rng.usize(..recipe.classes.len().max(1));
        let class = recipe.classes.get(chosen)?;
        if class.is_token() {
            return Some(self.retyped_token(recipe, chosen));
        }
        let numbers = self.of_classes();
        let often = if class.signature.is_some() { numbers.change_generic } else { numbers.become_generic };
        if self.pool.generics(self.rng) > 0.0 && self.rng.chance(often) {
            return Some(self.mutate_generic(recipe, chosen));
        }
        let at = self.rng.usize(..class.fields.len().max(1));
        // A new field may bring a class of its own.
        let mut draft = Draft::after(recipe.clone());
        let field = self.field(&mut draft, 1);
        let method = self.method(&mut draft);
        let generic =
            class.fields.get(at).and_then(|old| old.signature).filter(|_| self.rng.chance(self.of_classes().near_type));
        let changed = generic.map(|signature| self.changed_signature(&mut draft, signature.as_str()));
        let scope = class.type_parameters();
        let field = match changed.and_then(|changed| typed(&self.generics(&draft), &changed, &scope)) {
            Some((ty, signature)) => FieldDecl { ty, signature, init: None, ..field },
            None => field,
        };
        let retyped = class.fields.get(at).map(|old| FieldDecl { name: old.name, ..field.clone() });
        let is_bean = class.methods.iter().any(is_accessor);
        let mut accessors = |field: &FieldDecl| self.accessors(&mut draft, class.name, field);
        let (of_new, of_retyped) = (accessors(&field), retyped.as_ref().map(accessors));
        let mut changed = draft.finish();
        let class = &mut changed.classes[chosen];
        match self.rng.pick(&numbers.change) {
            0 if class.fields.iter().all(|other| other.name != field.name) => {
                class.fields.push(field);
                add_methods(&mut class.methods, of_new.into_iter().filter(|_| is_bean));
            }
            1 if class.fields.len() > 1 => class.remove_field(at),
            2 if !class.fields.is_empty() => class.fields[at].annotations = field.annotations,
            3 if let (Some(field), Some(accessors)) = (retyped, of_retyped) => {
                class.remove_field(at);
                class.fields.insert(at, field);
                class.methods.retain(|method| accessors.iter().all(|accessor| accessor.name != method.name));
                add_methods(&mut class.methods, accessors.into_iter().filter(|_| is_bean || self.rng.bool()));
            }
            4 if class.methods.iter().all(|other| other.name != method.name) => class.methods.push(method),
            _ if self.rng.bool() && !class.methods.is_empty() => drop(class.methods.pop()),
            _ => class.annotations = self.annotations(|targets| targets.class, 1),
        }
        drop_clashes(&mut changed);
        changed.forget_wrong_signatures(self.catalogue);
        Some(without_lost_fields(changed))
    }

    /// The same for another type.
    fn retyped_token(&mut self, recipe: &Recipe, chosen: usize) -> Recipe {
        let mut draft = Draft::after(recipe.clone());
        let above = recipe.classes[chosen].super_class;
        let of_before = recipe.classes[chosen].signature.and_then(|signature| {
            let rest = signature.as_str().strip_prefix(&format!("L{}<", above.as_internal()))?;
            rest.strip_suffix(">;").map(str::to_owned)
        });
        let signature = match of_before.filter(|_| self.rng.chance(self.of_classes().near_type)) {
            Some(argument) => {
                let argument = self.changed_signature(&mut draft, &argument);
                let changed = format!("L{}<{argument}>;", above.as_internal());
                let is_fine = typed(&self.generics(&draft), &changed, &[]).is_some();
                if is_fine { Symbol::new(&changed) } else { self.token_signature(&mut draft, above) }
            }
            None => self.token_signature(&mut draft, above),
        };
        let mut changed = draft.finish();
        changed.classes[chosen].signature = Some(signature);
        changed
    }

    fn declare(&mut self, draft: &mut Draft, nesting: u8) -> ClassName {
        if self.wants_generics() {
            return self.generic_class(draft, nesting);
        }
        let mut fields: Vec<FieldDecl> = Vec::new();
        for _ in 0..=self.rng.small(self.of_classes().fields - 1) {
            let field = self.field(draft, nesting);
            if fields.iter().all(|other| other.name != field.name) {
                fields.push(field);
            }
        }
        let mut methods: Vec<MethodDecl> = Vec::new();
        for _ in 0..self.rng.small(self.of_classes().methods) {
            let method = self.method(draft);
            if methods.iter().all(|other| other.name != method.name) {
                methods.push(method);
            }
        }
        let name = draft.unused_class_name();
        self.link(&mut fields, name);
        if self.rng.chance(self.of_classes().bean) {
            for field in &fields {
                add_methods(&mut methods, self.accessors(draft, name, field));
            }
        }
        draft.declare_class(ClassDecl {
            name,
            kind: ClassKind::Class,
            signature: None,
            super_class: ClassName::object(),
            interfaces: Vec::new(),
            annotations: self.annotations(|targets| targets.class, nesting),
            fields,
            methods,
        });
        name
    }

    /// The methods that get and set a field; none for a static one. What holds other values is rarely null in a bean.
    pub(super) fn accessors(&mut self, draft: &mut Draft, class: ClassName, field: &FieldDecl) -> Vec<MethodDecl> {
        if field.is_static {
            return Vec::new();
        }
        let get = match holder(field.ty, draft.recipe()) {
            Some(holder) if self.rng.chance(self.of_classes().giving_getter) => Accessor::give(holder, draft),
            _ => Accessor::get(draft),
        };
        vec![get.of(class, field), Accessor::set(draft).of(class, field)]
    }

    fn field(&mut self, draft: &mut Draft, nesting: u8) -> FieldDecl {
        let (ty, signature) = self.field_type(draft, nesting);
        let init = if self.rng.chance(self.of_classes().initialised) { self.initial(ty) } else { None };
        FieldDecl {
            name: self.identifier(),
            ty,
            signature,
            is_static: self.rng.chance(self.of_classes().static_field),
            annotations: self.annotations(|targets| targets.field, nesting),
            init,
        }
    }

    fn field_type(&mut self, draft: &mut Draft, nesting: u8) -> (Type, Option<Symbol>) {
        if nesting > 0 && self.rng.chance(self.of_classes().field_of_user_class) {
            return (Type::Class(self.declare(draft, nesting - 1)), None);
        }
        if nesting > 0 && self.rng.chance(self.of_classes().generic_field) {
            return self.generic_field_type(draft);
        }
        // The simpler types come first and are likelier.
        let last = FIELD_TYPES.len() - 1;
        let index = if self.rng.bool() { self.rng.small(last) } else { self.rng.usize(..=last) };
        let (descriptor, signature) = FIELD_TYPES[index];
        let ty = Type::parse(descriptor).unwrap_or(Type::Class(ClassName::string()));
        (ty, signature.map(Symbol::new))
    }

    fn initial(&mut self, ty: Type) -> Option<Literal> {
        match ty {
            Type::Class(class) if class == ClassName::string() => {
                Some(Literal::String(literals::string(TextHint::default(), self.pool, self.rng)))
            }
            _ => literals::primitive(ty, self.pool, self.rng),
        }
    }

    /// A method without a body; what it takes and gives is what matters to a library.
    fn method(&mut self, draft: &mut Draft) -> MethodDecl {
        let is_varargs = self.rng.chance(self.of_classes().varargs);
        let descriptor = self.method_descriptor(is_varargs);
        let name = self.identifier();
        let types = MethodRef::new("", name.as_str(), &descriptor).signature();
        let params = types.params.iter().map(|ty| recipe::Def { var: draft.fresh(), ty: *ty }).collect();
        let body = self.throwing_body(draft).unwrap_or_default();
        let param_annotations = types.params.iter().map(|_| self.annotations(|targets| targets.parameter, 1)).collect();
        MethodDecl {
            name,
            descriptor: Symbol::new(&descriptor),
            signature: None,
            is_static: false,
            is_varargs,
            annotations: self.annotations(|targets| targets.method, 1),
            param_annotations,
            params,
            this: None,
            body,
            result: None,
        }
    }

    /// Of usual types, or of one that the crash speaks of.
    fn method_descriptor(&mut self, is_varargs: bool) -> String {
        let near = if self.rng.chance(self.of_classes().spoken_of) { self.type_spoken_of() } else { None };
        match near.map(Type::descriptor) {
            Some(ty) if is_varargs => format!("([{ty})V"),
            Some(ty) => format!("({ty})V"),
            None if is_varargs => (*self.rng.one(&WITH_VARARGS).unwrap_or(&"([I)V")).to_owned(),
            None => (*self.rng.one(&DESCRIPTORS).unwrap_or(&"()V")).to_owned(),
        }
    }

    /// A type that the message or the code near the crash names; of a wrapper as often the primitive type, which messages and
    /// casts do not tell from it.
    fn type_spoken_of(&mut self) -> Option<Type> {
        let ty = self.pool.type_for_object(self.rng).filter(|ty| self.is_nameable(*ty))?;
        Some(unboxed(ty).filter(|_| self.rng.bool()).unwrap_or(ty))
    }

    /// Some of the near annotations that may stand at the place: mostly one.
    pub(super) fn annotations(&mut self, fits: impl Fn(Targets) -> bool, nesting: u8) -> Vec<Annotation> {
        let catalogue = self.catalogue;
        let fitting: Vec<&AnnotationType> =
            catalogue.annotations().iter().filter(|known| fits(known.targets)).collect();
        let count = self.rng.pick(&self.of_classes().annotations);
        let mut annotations: Vec<Annotation> = Vec::new();
        for _ in 0..count {
            let Some(chosen) = self.rng.one(&fitting) else { break };
            if annotations.iter().all(|other| other.class != chosen.class)
                && let Some(annotation) = self.annotation(chosen, nesting)
            {
                annotations.push(annotation);
            }
        }
        annotations
    }

    /// `None` if a required value cannot be written.
    fn annotation(&mut self, annotation: &AnnotationType, nesting: u8) -> Option<Annotation> {
        let optional = annotation.elements.iter().filter(|element| !element.is_required).count();
        // One or two settings at a time, however many there are.
        let chance = self.of_classes().settings / (1.0 + optional as f64);
        let mut values = Vec::new();
        for element in &annotation.elements {
            if !element.is_required && !self.rng.chance(chance) {
                continue;
            }
            match self.element_value(element.ty, &element.classes, nesting) {
                Some(value) => values.push((element.name, value)),
                None if element.is_required => return None,
                None => {}
            }
        }
        Some(Annotation { class: annotation.class, values })
    }

    /// `classes` are those that may be given where it is a class.
    fn element_value(&mut self, ty: Type, classes: &TypeArgument, nesting: u8) -> Option<AnnotationValue> {
        match ty {
            Type::Array(array) => {
                let count = 1 + self.rng.small(1);
                let values: Option<Vec<_>> =
                    (0..count).map(|_| self.element_value(array.component(), classes, nesting)).collect();
                Some(AnnotationValue::Array(values?))
            }
            Type::Class(class) if class == ClassName::string() => Some(AnnotationValue::Literal(self.setting())),
            Type::Class(class) if class.as_internal() == "java/lang/Class" => {
                self.class_within(classes).map(AnnotationValue::Literal)
            }
            Type::Class(class) => {
                let constants = self.catalogue.enum_constants(class);
                if let Some(constant) = self.rng.one(&constants) {
                    return Some(AnnotationValue::Literal(Literal::Enum(*constant)));
                }
                let nested = self.catalogue.annotation(class).filter(|_| nesting > 0)?;
                self.annotation(&nested, nesting - 1).map(AnnotationValue::Nested)
            }
            primitive => literals::primitive(primitive, self.pool, self.rng).map(AnnotationValue::Literal),
        }
    }

    /// A class that may be given, as far as the test can name one.
    fn class_within(&mut self, classes: &TypeArgument) -> Option<Literal> {
        let (TypeArgument::Extends(GenericType::Class(bound)) | TypeArgument::Exactly(GenericType::Class(bound))) =
            classes
        else {
            return self.class_literal();
        };
        if bound.class == ClassName::object() {
            return self.class_literal();
        }
        let mut fitting = nearest_subtypes(self.catalogue, bound.class, self.of_classes().classes_for_annotation);
        fitting.push(bound.class);
        let generics = Generics { program: self.catalogue, classes: &[] };
        fitting.retain(|class| self.is_nameable(Type::Class(*class)) && generics.is_class_of(*class, classes));
        self.rng.one(&fitting).map(|class| Literal::Class(Type::Class(*class)))
    }

    /// A text for an annotation: a name, an option, a pattern, something of the pool.
    fn setting(&mut self) -> Literal {
        let name = self.identifier();
        match self.rng.pick(&self.of_classes().setting) {
            0 => Literal::string(name.as_str()),
            1 => Literal::string(&format!("-{}", &name.as_str()[..1])),
            2 => Literal::string(&format!("--{name}")),
            _ => Literal::String(literals::string(TextHint::default(), self.pool, self.rng)),
        }
    }

    /// A Java identifier: from the pool if the next strings drawn are some, else a plain one.
    pub(super) fn identifier(&mut self) -> Symbol {
        const PLAIN: [&str; 10] = ["name", "value", "id", "group", "file", "list", "x", "count", "type", "flag"];
        for _ in 0..self.of_classes().draws_of_identifier {
            let text = self.pool.string(self.rng).to_lossy();
            if is_identifier(&text) && self.rng.chance(self.of_classes().drawn_identifier) {
                return Symbol::new(&text);
            }
        }
        Symbol::new(self.rng.one(&PLAIN).unwrap_or(&"x"))
    }
}

/// A method that gets or sets a field, as mappers and expression languages look for them.
enum Accessor {
    Get {
        this: VarId,
        value: VarId,
    },
    /// Of a getter, a new object instead of what the field holds, which is null until somebody sets it.
    Give {
        this: VarId,
        value: VarId,
        class: ClassName,
    },
    Set {
        this: VarId,
        value: VarId,
    },
}

impl Accessor {
    fn get(draft: &mut Draft) -> Accessor {
        Accessor::Get { this: draft.fresh(), value: draft.fresh() }
    }

    fn give(class: ClassName, draft: &mut Draft) -> Accessor {
        Accessor::Give { this: draft.fresh(), value: draft.fresh(), class }
    }

    fn set(draft: &mut Draft) -> Accessor {
        Accessor::Set { this: draft.fresh(), value: draft.fresh() }
    }

    fn of(self, class: ClassName, field: &FieldDecl) -> MethodDecl {
        let place = FieldRef { class, name: field.name, descriptor: Symbol::new(&field.ty.descriptor()) };
        let generic = field.signature.map_or_else(|| field.ty.descriptor(), |signature| signature.to_string());
        let (ty, access) = (field.ty, Access::Public);
        let (prefix, this, descriptor, generic, params, stmt, result) = match self {
            Accessor::Get { this, value } => {
                let action = Action::GetField { field: place, receiver: Some(Arg::Var(this)), access };
                let stmt = Stmt { def: Some(Def { var: value, ty }), action };
                let prefix = if ty == Type::Boolean { "is" } else { "get" };
                let descriptor = format!("(){}", ty.descriptor());
                (prefix, this, descriptor, format!("(){generic}"), Vec::new(), stmt, Some(Arg::Var(value)))
            }
            Accessor::Give { this, value, class } => {
                let constructor = MethodRef { class, name: Symbol::new("<init>"), descriptor: Symbol::new("()V") };
                let action = Action::New { constructor, args: Vec::new(), access };
                let stmt = Stmt { def: Some(Def { var: value, ty: Type::Class(class) }), action };
                let descriptor = format!("(){}", ty.descriptor());
                ("get", this, descriptor, format!("(){generic}"), Vec::new(), stmt, Some(Arg::Var(value)))
            }
            Accessor::Set { this, value } => {
                let receiver = Some(Arg::Var(this));
                let action = Action::PutField { field: place, receiver, value: Arg::Var(value), access };
                let stmt = Stmt { def: None, action };
                let descriptor = format!("({})V", ty.descriptor());
                ("set", this, descriptor, format!("({generic})V"), vec![Def { var: value, ty }], stmt, None)
            }
        };
        MethodDecl {
            name: Symbol::new(&format!("{prefix}{}", capitalised(field.name.as_str()))),
            descriptor: Symbol::new(&descriptor),
            signature: field.signature.map(|_| Symbol::new(&generic)),
            is_static: false,
            is_varargs: false,
            annotations: Vec::new(),
            param_annotations: Vec::new(),
            params,
            this: Some(this),
            body: Block { stmts: vec![stmt] },
            result,
        }
    }
}

/// Those whose names are not taken: fields `a` and `A` have the same getter.
pub(super) fn add_methods(methods: &mut Vec<MethodDecl>, more: impl IntoIterator<Item = MethodDecl>) {
    for method in more {
        if methods.iter().all(|other| other.name != method.name) {
            methods.push(method);
        }
    }
}

/// A class that can be had with nothing and is of the type, which holds other values: a collection, another user class.
fn holder(ty: Type, recipe: &Recipe) -> Option<ClassName> {
    let class = ty.as_class()?;
    if recipe.classes.iter().any(|declared| declared.name == class) {
        return Some(class);
    }
    let holder = match class.as_internal() {
        "java/util/List" => "java/util/ArrayList",
        "java/util/Map" => "java/util/HashMap",
        "java/util/Set" => "java/util/HashSet",
        _ => return None,
    };
    Some(ClassName::internal(holder))
}

fn capitalised(name: &str) -> String {
    let mut rest = name.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

fn is_accessor(method: &MethodDecl) -> bool {
    method.this.is_some()
}

/// In ASCII, and no keyword or literal of Java.
fn is_identifier(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    starts_well && is_word && text.len() <= 30 && !recipe::java::is_reserved(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use crate::{MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Origin, Pool};

    /// Runs `change` on recipes with a user class, one for each seed.
    fn with_classes(seeds: std::ops::Range<u64>, mut then: impl FnMut(&mut Maker<'_>, Draft)) {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, statistics) = (Pool::general(), MemberStatistics::default());
        for seed in seeds {
            let rng = &mut Rng::with_seed(seed);
            let (from, config) = (AccessContext::public(), MakerConfig::default());
            let mut maker = Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng, from, config };
            let mut draft = Draft::new();
            maker.user_object(&mut draft);
            then(&mut maker, draft);
        }
    }

    #[test]
    fn changed_classes_are_well_typed_and_have_no_member_twice() {
        with_classes(0..300, |maker, draft| {
            let program = maker.catalogue.program().clone();
            let mut recipe = draft.finish();
            for _ in 0..5 {
                recipe = maker.mutate_user_class(&recipe).unwrap();
            }
            assert_eq!(recipe::check(&recipe, &*program), Ok(()), "{recipe}");
            for class in &recipe.classes {
                let mut methods: Vec<_> = class.methods.iter().map(|m| (m.name, m.descriptor)).collect();
                methods.sort_unstable();
                let count = methods.len();
                methods.dedup();
                assert_eq!(methods.len(), count, "{recipe}");
            }
        });
    }

    #[test]
    fn methods_take_what_the_crash_speaks_of() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (mut pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(5));
        pool.add_type(Type::class("java/lang/Short"), Origin::Message);
        let (from, config) = (AccessContext::public(), MakerConfig::default());
        let mut maker =
            Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
        let made: Vec<String> = (0..400).map(|index| maker.method_descriptor(index % 2 == 0)).collect();
        for descriptor in ["([S)V", "([Ljava/lang/Short;)V", "(S)V", "(Ljava/lang/Short;)V", "()V", "([J)V"] {
            assert!(made.iter().any(|one| one == descriptor), "{descriptor}: {made:?}");
        }
    }

    #[test]
    fn some_getters_give_collections() {
        let mut lists = 0;
        with_classes(0..300, |_, draft| {
            lists += usize::from(draft.finish().to_string().contains("new java.util.ArrayList()"));
        });
        assert!(lists > 5, "{lists}");
    }

    #[test]
    fn texts_beside_a_class_name_its_members() {
        let (mut named, all) = (0, 200);
        with_classes(0..all, |maker, draft| {
            let names = draft.recipe().member_names();
            let mut args = [Arg::Literal(Literal::string("x"))];
            maker.name_members(&draft, &mut args);
            let Arg::Literal(Literal::String(text)) = &args[0] else { return };
            let text = text.expanded().to_lossy();
            named += u64::from(names.iter().any(|name| text.contains(&name.to_lossy())));
        });
        assert!((all / 4..all / 2).contains(&named), "{named}");
    }
}
