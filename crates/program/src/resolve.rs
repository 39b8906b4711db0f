//! Subtyping, resolution and selection of members, as the JVM does them (JVMS 5.4.3, 5.4.6), on a program where classes may be
//! missing: then the answer says so. Access checks are left out: they decide whether code links, and ours did.

use crate::classfile::{Class, Field, Method};
use crate::names::{ClassName, FieldRef, MethodRef, Type};
use crate::program::Program;
use rustc_hash::FxHashSet;
use std::ops::Deref;
use std::sync::Arc;

/// The outcome of a look-up that walks the hierarchy.
#[derive(Clone, Debug)]
pub enum Resolved<T> {
    Found(T),
    /// It is certain that there is none.
    Absent,
    /// Not found, but this class on the way is missing.
    Unknown {
        missing: ClassName,
    },
}

/// Whether one type is a subtype of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subtype {
    Yes,
    No,
    /// This class on the way is missing.
    Unknown {
        missing: ClassName,
    },
}

/// A method together with the class that declares it.
#[derive(Clone, Debug)]
pub struct FoundMethod {
    pub class: Arc<Class>,
    index: usize,
}

/// A field together with the class that declares it.
#[derive(Clone, Debug)]
pub struct FoundField {
    pub class: Arc<Class>,
    index: usize,
}

impl<T> Resolved<T> {
    pub fn found(self) -> Option<T> {
        if let Resolved::Found(found) = self { Some(found) } else { None }
    }
}

impl Deref for FoundMethod {
    type Target = Method;

    fn deref(&self) -> &Method {
        &self.class.methods[self.index]
    }
}

impl Deref for FoundField {
    type Target = Field;

    fn deref(&self) -> &Field {
        &self.class.fields[self.index]
    }
}

impl Program {
    /// The method with exactly this class, name and descriptor, declared there.
    pub fn declared_method(&self, method: MethodRef) -> Option<FoundMethod> {
        declared_in(&self.class(method.class)?, method)
    }

    /// The superclasses from the direct one upwards. Ends early at a missing class, whose name is then the last.
    pub fn superclasses(&self, name: ClassName) -> Vec<ClassName> {
        let mut chain = Vec::new();
        let mut current = name;
        while let Some(parent) = self.class(current).and_then(|class| class.super_class) {
            chain.push(parent);
            current = parent;
            if chain.len() >= MAX_DEPTH {
                break;
            }
        }
        chain
    }

    /// All superclasses and superinterfaces, each once, nearest first; the second list has those that are missing.
    pub fn supertypes(&self, name: ClassName) -> (Vec<ClassName>, Vec<ClassName>) {
        let ancestry = self.ancestry(name);
        (ancestry.found.clone(), ancestry.missing.clone())
    }

    /// Whether a value of class `sub` is always one of class `sup`.
    pub fn is_subtype(&self, sub: ClassName, sup: ClassName) -> Subtype {
        if sub == sup || sup == ClassName::object() {
            return Subtype::Yes;
        }
        let ancestry = self.ancestry(sub);
        if ancestry.all.contains(&sup) {
            return Subtype::Yes;
        }
        ancestry.missing.first().map_or(Subtype::No, |missing| Subtype::Unknown { missing: *missing })
    }

    /// [`is_subtype`](Self::is_subtype) for all types; array types are covariant in reference components (JLS 4.10.3).
    pub fn is_subtype_of(&self, sub: Type, sup: Type) -> Subtype {
        let array_parents = ["java/lang/Object", "java/lang/Cloneable", "java/io/Serializable"];
        let certain = |yes: bool| if yes { Subtype::Yes } else { Subtype::No };
        match (sub, sup) {
            (Type::Class(sub), Type::Class(sup)) => self.is_subtype(sub, sup),
            (Type::Array(sub), Type::Array(sup)) => self.is_subtype_of(sub.component(), sup.component()),
            (Type::Array(_), Type::Class(sup)) => certain(array_parents.contains(&sup.as_internal())),
            (sub, sup) => certain(sub == sup),
        }
    }

    /// Method resolution (JVMS 5.4.3.3 and 5.4.3.4).
    pub fn resolve_method(&self, method: MethodRef) -> Resolved<FoundMethod> {
        let Some(class) = self.class(method.class) else { return Resolved::Unknown { missing: method.class } };
        let mut missing = None;
        if class.is_interface() {
            if let Some(found) = declared_in(&class, method) {
                return Resolved::Found(found);
            }
            if let Some(found) = self.object_method(method) {
                return Resolved::Found(found);
            }
        } else {
            let found = self
                .walk_superclasses(&class, |class| declared_in(class, method).or_else(|| polymorphic(class, method)));
            match found {
                Ok(Some(found)) => return Resolved::Found(found),
                Ok(None) => {}
                Err(name) => missing = Some(name),
            }
        }
        match self.in_superinterfaces(&class, method) {
            Ok(Some(found)) => Resolved::Found(found),
            Ok(None) => missing.map_or(Resolved::Absent, |missing| Resolved::Unknown { missing }),
            Err(missing) => Resolved::Unknown { missing },
        }
    }

    /// Field resolution (JVMS 5.4.3.2).
    pub fn resolve_field(&self, field: FieldRef) -> Resolved<FoundField> {
        let mut missing = None;
        let mut seen = FxHashSet::default();
        // The class itself, then its interfaces with theirs, then its superclass.
        let mut pending = vec![field.class];
        while let Some(name) = pending.pop() {
            if !seen.insert(name) {
                continue;
            }
            let Some(class) = self.class(name) else {
                missing.get_or_insert(name);
                continue;
            };
            let is_wanted = |declared: &Field| declared.name == field.name && declared.descriptor == field.descriptor;
            if let Some(index) = class.fields.iter().position(is_wanted) {
                return Resolved::Found(FoundField { class, index });
            }
            pending.extend(class.super_class.iter().chain(class.interfaces.iter().rev()));
        }
        missing.map_or(Resolved::Absent, |missing| Resolved::Unknown { missing })
    }

    /// The method that runs when `method` is called on an object of class `receiver` (JVMS 5.4.6).
    pub fn select_virtual(&self, receiver: ClassName, method: MethodRef) -> Resolved<FoundMethod> {
        match self.resolve_method(method) {
            Resolved::Found(resolved) => self.select(receiver, &resolved),
            other => other,
        }
    }

    /// Whether `below`, a method of the same name and descriptor, overrides `above` for objects of its own class.
    pub(crate) fn overrides(&self, below: &FoundMethod, above: &FoundMethod) -> bool {
        let selected = if overrides_directly(below, above) { None } else { Some(self.select(below.class.name, above)) };
        let is_selected = |selected: Resolved<FoundMethod>| {
            selected.found().is_some_and(|selected| selected.class.name == below.class.name)
        };
        below.class.name != above.class.name && selected.is_none_or(is_selected)
    }

    fn select(&self, receiver: ClassName, resolved: &FoundMethod) -> Resolved<FoundMethod> {
        let method = resolved.reference();
        if resolved.access.is_private() || resolved.access.is_static() {
            return Resolved::Found(resolved.clone());
        }
        let Some(class) = self.class(receiver) else { return Resolved::Unknown { missing: receiver } };
        let mut declared = Vec::new();
        let missing = self.walk_superclasses(&class, |class| {
            declared.extend(declared_in(class, method));
            None::<()>
        });
        if let Some(selected) = first_override(&declared, resolved) {
            return Resolved::Found(selected);
        }
        if let Err(missing) = missing {
            return Resolved::Unknown { missing };
        }
        match self.in_superinterfaces(&class, method) {
            Ok(Some(found)) => Resolved::Found(found),
            Ok(None) => Resolved::Absent,
            Err(missing) => Resolved::Unknown { missing },
        }
    }

    /// Visits the class and its superclasses until `visit` gives something. `Err` names a missing one.
    fn walk_superclasses<T>(
        &self,
        class: &Arc<Class>,
        mut visit: impl FnMut(&Arc<Class>) -> Option<T>,
    ) -> Result<Option<T>, ClassName> {
        let mut current = Arc::clone(class);
        for _ in 0..MAX_DEPTH {
            if let Some(found) = visit(&current) {
                return Ok(Some(found));
            }
            let Some(parent) = current.super_class else { break };
            current = self.class(parent).ok_or(parent)?;
        }
        Ok(None)
    }

    fn object_method(&self, method: MethodRef) -> Option<FoundMethod> {
        let object = self.class(ClassName::object())?;
        declared_in(&object, method).filter(|found| found.access.is_public() && !found.access.is_static())
    }

    /// The maximally specific method that is not abstract, else any superinterface method (JVMS 5.4.3.3, step 3). `Err` names a
    /// missing interface if nothing was found.
    fn in_superinterfaces(&self, class: &Arc<Class>, method: MethodRef) -> Result<Option<FoundMethod>, ClassName> {
        let ancestry = self.ancestry(class.name);
        let candidates: Vec<FoundMethod> = ancestry
            .found
            .iter()
            .filter_map(|name| self.class(*name))
            .filter(|class| class.is_interface())
            .filter_map(|class| declared_in(&class, method))
            .filter(|found| !found.access.is_private() && !found.access.is_static())
            .collect();
        let is_maximal = |one: &FoundMethod| {
            !candidates.iter().any(|other| {
                other.class.name != one.class.name && self.is_subtype(other.class.name, one.class.name) == Subtype::Yes
            })
        };
        let mut concrete = candidates.iter().filter(|found| !found.access.is_abstract() && is_maximal(found));
        if let (Some(only), None) = (concrete.next(), concrete.next()) {
            return Ok(Some(only.clone()));
        }
        match (candidates.first(), ancestry.missing.first()) {
            (Some(any), _) => Ok(Some(any.clone())),
            (None, Some(missing)) => Err(*missing),
            (None, None) => Ok(None),
        }
    }
}

/// What is above a class.
#[derive(Debug)]
pub(crate) struct Ancestry {
    /// Superclasses and superinterfaces, nearest first.
    found: Vec<ClassName>,
    missing: Vec<ClassName>,
    /// Both, and the class itself.
    all: FxHashSet<ClassName>,
}

impl Ancestry {
    pub(crate) fn of(program: &Program, name: ClassName) -> Ancestry {
        let mut ancestry = Ancestry { found: Vec::new(), missing: Vec::new(), all: FxHashSet::from_iter([name]) };
        let mut order = vec![name];
        let mut next = 0;
        while let Some(current) = order.get(next).copied() {
            next += 1;
            let Some(class) = program.class(current) else {
                ancestry.missing.push(current);
                continue;
            };
            if current != name {
                ancestry.found.push(current);
            }
            let parents = class.super_class.iter().chain(&class.interfaces).copied();
            order.extend(parents.filter(|parent| ancestry.all.insert(*parent)));
        }
        ancestry
    }
}

/// Longer superclass chains are cycles in damaged class files.
const MAX_DEPTH: usize = 4096;

fn declared_in(class: &Arc<Class>, method: MethodRef) -> Option<FoundMethod> {
    let index = class.methods.iter().position(|m| m.name == method.name && m.descriptor == method.descriptor)?;
    Some(FoundMethod { class: Arc::clone(class), index })
}

/// The signature-polymorphic methods of method and variable handles take any arguments (JVMS 2.9.3).
fn polymorphic(class: &Arc<Class>, method: MethodRef) -> Option<FoundMethod> {
    if !matches!(class.name.as_internal(), "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle") {
        return None;
    }
    let is_polymorphic = |declared: &Method| {
        let access = declared.access;
        let takes_anything = declared.descriptor.as_str().starts_with("([Ljava/lang/Object;)");
        declared.name == method.name && access.is_native() && access.is_varargs() && takes_anything
    };
    let index = class.methods.iter().position(is_polymorphic)?;
    Some(FoundMethod { class: Arc::clone(class), index })
}

/// The first of `declared`, which go from the receiver's class upwards, that is `resolved` or overrides it (JVMS 5.4.5): directly, or
/// by way of another one that does. The latter matters for package-private methods alone.
fn first_override(declared: &[FoundMethod], resolved: &FoundMethod) -> Option<FoundMethod> {
    let mut overriding: Vec<&FoundMethod> = Vec::new();
    for candidate in declared.iter().rev() {
        let directly = overrides_directly(candidate, resolved);
        if directly || overriding.iter().any(|above| overrides_directly(candidate, above)) {
            overriding.push(candidate);
        }
    }
    overriding.last().copied().cloned()
}

fn overrides_directly(below: &FoundMethod, above: &FoundMethod) -> bool {
    if below.class.name == above.class.name {
        return true;
    }
    if below.access.is_private() || below.access.is_static() || above.access.is_private() {
        return false;
    }
    above.access.is_public() || above.access.is_protected() || below.class.name.package() == above.class.name.package()
}
