//! From where can the test reach what the recipe uses? Decides the package of the test, and for each class and member
//! whether source can name it from there. Where two packages want the test, the one with more uses gets it and the
//! members of the other are reached by reflection.

use crate::facts::{ClassFact, Nesting};
use crate::generics;
use crate::ident::is_identifier;
use crate::missing;
use crate::world::{Found, World};
use program::classfile::Visibility;
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::{Access as Declared, Action, CallbackForm, ClassDecl, Recipe};
use std::collections::BTreeMap;

/// How something is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Direct,
    /// Only by reflection, for this reason: `is private`.
    Reflection(String),
}

/// What something asks of the test.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Need {
    Nothing,
    /// To be in this package, in internal form.
    Package(&'static str),
    Reflection(String),
}

pub(crate) struct Access<'a> {
    world: &'a World<'a>,
    /// Internal form.
    package: String,
}

impl<'a> Access<'a> {
    /// Chooses the package; `preferred` (dotted) if nothing asks for another.
    pub(crate) fn plan(world: &'a World<'a>, recipe: &Recipe, preferred: &str) -> Self {
        let mut votes: BTreeMap<&'static str, usize> = BTreeMap::new();
        recipe.for_each_stmt(&mut |stmt| {
            for need in needs_of(world, &stmt.action) {
                if let Need::Package(package) = need {
                    *votes.entry(package).or_default() += 1;
                }
            }
        });
        // The last of equal maxima would depend on nothing but the name as well; the first reads better.
        let winner = votes.iter().rev().max_by_key(|(_, votes)| **votes).map(|(package, _)| (*package).to_owned());
        let package = winner.unwrap_or_else(|| preferred.replace('.', "/"));
        Access { world, package }
    }

    /// Internal form.
    pub(crate) fn package(&self) -> &str {
        &self.package
    }

    pub(crate) fn can_name(&self, class: ClassName) -> bool {
        self.class(class) == Reach::Direct
    }

    pub(crate) fn can_name_type(&self, ty: Type) -> bool {
        match ty {
            Type::Class(class) => self.can_name(class),
            Type::Array(array) => self.can_name_type(array.component()),
            _ => true,
        }
    }

    /// The type itself if source can name it, else the nearest class above it that can be.
    pub(crate) fn nameable(&self, ty: Type) -> Type {
        match ty {
            Type::Class(class) if !self.can_name(class) => {
                let lineage = self.world.lineage(class);
                let named = lineage.iter().map(|class| class.name).find(|name| self.can_name(*name));
                Type::Class(named.unwrap_or(ClassName::object()))
            }
            Type::Array(array) if !self.can_name_type(ty) => match array.component() {
                Type::Class(_) | Type::Array(_) => Type::array_of(self.nameable(array.component())),
                primitive => Type::array_of(primitive),
            },
            _ => ty,
        }
    }

    /// How the class itself is reached.
    pub(crate) fn class(&self, class: ClassName) -> Reach {
        self.reach(class_need(self.world, class))
    }

    /// Whether a subclass in the test can call the constructor or implement the method.
    pub(crate) fn may_extend(&self, found: &Found) -> bool {
        match found.method.visibility {
            Visibility::Public | Visibility::Protected => true,
            Visibility::Package => found.class.name.package() == self.package,
            Visibility::Private => false,
        }
    }

    /// How a method or constructor is reached; `receiver` is the class through which it is called.
    pub(crate) fn method(&self, method: MethodRef, receiver: ClassName, declared: Declared) -> Reach {
        self.reach(method_need(self.world, method, receiver, declared))
    }

    pub(crate) fn field(&self, field: FieldRef, receiver: ClassName, write: bool, declared: Declared) -> Reach {
        self.reach(field_need(self.world, field, receiver, write, declared))
    }

    /// Whether the compiler sees the method at all when it looks for one of its name.
    pub(crate) fn sees(&self, visibility: Visibility, class: &ClassFact) -> bool {
        match visibility {
            Visibility::Public => true,
            Visibility::Protected | Visibility::Package => class.name.package() == self.package,
            Visibility::Private => false,
        }
    }

    /// Whether the JVM lets the test call the method, whatever the compiler says.
    pub(crate) fn may_call(&self, found: &Found) -> bool {
        let is_public = |visibility: Visibility| visibility == Visibility::Public;
        let all = |may: &dyn Fn(Visibility) -> bool| may(found.method.visibility) && may(found.class.visibility);
        let is_here = found.class.name.package() == self.package;
        all(&is_public) || is_here && all(&|visibility| visibility != Visibility::Private)
    }

    fn reach(&self, need: Need) -> Reach {
        match need {
            Need::Nothing => Reach::Direct,
            Need::Package(package) if package == self.package => Reach::Direct,
            Need::Package(package) => Reach::Reflection(format!("is visible in {} only", package.replace('/', "."))),
            Need::Reflection(reason) => Reach::Reflection(reason),
        }
    }
}

fn needs_of(world: &World<'_>, action: &Action) -> Vec<Need> {
    match action {
        Action::New { constructor, access, .. } => vec![method_need(world, *constructor, constructor.class, *access)],
        Action::Call { method, access, .. } => vec![method_need(world, *method, method.class, *access)],
        Action::GetField { field, access, .. } => vec![field_need(world, *field, field.class, false, *access)],
        Action::PutField { field, access, .. } => vec![field_need(world, *field, field.class, true, *access)],
        Action::Callback(callback) => {
            let class = match &callback.form {
                CallbackForm::Lambda { interface } | CallbackForm::Interface { interface } => *interface,
                CallbackForm::Subclass { constructor, .. } => constructor.class,
            };
            let mut needs = vec![class_need(world, class)];
            if let CallbackForm::Subclass { constructor, .. } = &callback.form
                && let Some(found) = world.find_method(*constructor)
                && found.method.visibility == Visibility::Package
            {
                needs.push(package_need(world, class));
            }
            // Methods that only the package sees can only be implemented there.
            let hidden = generics::to_implement(world, class, false)
                .into_iter()
                .filter(|m| m.method.visibility == Visibility::Package);
            needs.extend(hidden.map(|method| package_need(world, method.class.name)));
            needs
        }
        _ => Vec::new(),
    }
}

/// The test cannot be put into packages of the JDK.
fn package_need(world: &World<'_>, class: ClassName) -> Need {
    if world.class(class).is_some_and(|class| class.is_jdk) {
        return Need::Reflection("is hidden in the JDK".into());
    }
    if !is_spellable(class.package()) {
        return Need::Reflection("is visible in a package only whose name Java cannot spell".into());
    }
    Need::Package(class.package())
}

/// Whether all parts of a package's name can stand in source.
fn is_spellable(package: &str) -> bool {
    package.is_empty() || package.split('/').all(is_identifier)
}

fn stronger(a: Need, b: Need) -> Need {
    match (a, b) {
        (Need::Reflection(reason), _) | (_, Need::Reflection(reason)) => Need::Reflection(reason),
        (Need::Package(a), Need::Package(b)) if a != b => Need::Reflection(format!("needs two packages, {a} and {b}")),
        (Need::Package(package), _) | (_, Need::Package(package)) => Need::Package(package),
        (Need::Nothing, Need::Nothing) => Need::Nothing,
    }
}

fn class_need(world: &World<'_>, name: ClassName) -> Need {
    match world.missing_above(name) {
        Some(missing) if missing == name => Need::Reflection("belongs to a class that is missing".into()),
        Some(missing) => Need::Reflection(missing::naming("belongs to a class that needs", missing)),
        None => name_of_class_need(world, name),
    }
}

/// What its name asks for. Compilers do not mind if something above a class around it is missing.
fn name_of_class_need(world: &World<'_>, name: ClassName) -> Need {
    let Some(class) = world.class(name) else { return Need::Reflection("belongs to a class that is missing".into()) };
    if name.package() == ClassDecl::PACKAGE {
        return Need::Nothing;
    }
    if !class.exported {
        return Need::Reflection("belongs to the JDK's inside".into());
    }
    let visible = match class.visibility {
        Visibility::Public => Need::Nothing,
        Visibility::Protected | Visibility::Package => package_need(world, name),
        Visibility::Private => Need::Reflection("belongs to a private class".into()),
    };
    match class.nesting {
        Nesting::TopLevel if name.package().is_empty() => {
            // The unnamed package can only be used from within.
            stronger(visible, name_need(name.simple(), Need::Package("")))
        }
        Nesting::TopLevel if !is_spellable(name.package()) => {
            Need::Reflection("belongs to a package whose name Java cannot spell".into())
        }
        Nesting::TopLevel => stronger(visible, name_need(name.simple(), Need::Nothing)),
        Nesting::Member { outer, simple, .. } => {
            let named = stronger(visible, name_need(simple.as_str(), Need::Nothing));
            stronger(named, name_of_class_need(world, outer))
        }
        Nesting::Unnamed => Need::Reflection("belongs to a class without a name".into()),
    }
}

fn name_need(name: &str, otherwise: Need) -> Need {
    if is_identifier(name) { otherwise } else { Need::Reflection("has a name that Java cannot spell".into()) }
}

fn member_need(world: &World<'_>, visibility: Visibility, declaring: ClassName) -> Need {
    match visibility {
        Visibility::Public => Need::Nothing,
        Visibility::Protected | Visibility::Package => package_need(world, declaring),
        Visibility::Private => Need::Reflection("is private".into()),
    }
}

fn method_need(world: &World<'_>, method: MethodRef, receiver: ClassName, declared: Declared) -> Need {
    let through = class_need(world, receiver);
    let Some(found) = world.find_method(method) else {
        let named =
            if method.is_constructor() { Need::Nothing } else { name_need(method.name.as_str(), Need::Nothing) };
        return stronger(stronger(through, named), declared_need(declared, method.class));
    };
    if found.method.is_synthetic {
        return Need::Reflection("is made by the compiler".into());
    }
    if let Some(reason) = missing::hinders_call(world, receiver, &found) {
        return Need::Reflection(reason);
    }
    let mut need = stronger(through, member_need(world, found.method.visibility, found.class.name));
    if method.is_constructor() {
        if found.class.is_enum || found.class.is_abstract {
            return Need::Reflection("cannot be called from source".into());
        }
    } else {
        need = stronger(need, name_need(method.name.as_str(), Need::Nothing));
    }
    need
}

fn field_need(world: &World<'_>, field: FieldRef, receiver: ClassName, write: bool, declared: Declared) -> Need {
    let through = class_need(world, receiver);
    let Some((class, fact)) = world.find_field(field) else {
        let named = name_need(field.name.as_str(), Need::Nothing);
        return stronger(stronger(through, named), declared_need(declared, field.class));
    };
    if fact.is_synthetic {
        return Need::Reflection("is made by the compiler".into());
    }
    if let Some(missing) = missing::in_type(world, field.field_type()) {
        return Need::Reflection(missing::naming("is of a type that needs", missing));
    }
    if write && fact.is_final {
        return Need::Reflection("is final".into());
    }
    let named = name_need(field.name.as_str(), Need::Nothing);
    stronger(stronger(through, named), member_need(world, fact.visibility, class.name))
}

/// For members that are not known: what the recipe says.
fn declared_need(declared: Declared, class: ClassName) -> Need {
    match declared {
        Declared::Public => Need::Nothing,
        Declared::Package if !is_spellable(class.package()) => Need::Reflection("is not accessible".into()),
        Declared::Package => Need::Package(class.package()),
        Declared::Reflective => Need::Reflection("is not accessible".into()),
    }
}
