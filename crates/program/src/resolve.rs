//! Subtyping, resolution and selection of members, as the JVM does them (JVMS 5.4.3, 5.4.6), on a program where classes may be
//! missing: then the answer says so. Access checks are left out: they decide whether code links, and ours did.

use crate::classfile::{Class, Field, Method};
use crate::names::{ClassName, FieldRef, MethodRef, Type};
use crate::program::Program;
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
        declared(&self.class(method.class)?, method)
    }

    /// The superclasses from the direct one upwards. Ends early at a missing class, whose name is then the last.
    pub fn superclasses(&self, name: ClassName) -> Vec<ClassName> {
        let mut chain = Vec::new();
        let mut current = name;
        while let Some(parent) = self.class(current).and_then(|class| class.super_class) {
            if chain.contains(&parent) || parent == name {
                break;
            }
            chain.push(parent);
            current = parent;
        }
        chain
    }

    /// All superclasses and superinterfaces, each once, nearest first; the second list has those that are missing.
    pub fn supertypes(&self, name: ClassName) -> (Vec<ClassName>, Vec<ClassName>) {
        let mut found = Vec::new();
        let mut missing = Vec::new();
        let mut seen = vec![name];
        let mut next = 0;
        while let Some(current) = seen.get(next).copied() {
            next += 1;
            let Some(class) = self.class(current) else {
                missing.push(current);
                continue;
            };
            if current != name {
                found.push(current);
            }
            for parent in class.super_class.iter().chain(&class.interfaces) {
                if !seen.contains(parent) {
                    seen.push(*parent);
                }
            }
        }
        (found, missing)
    }

    /// Whether a value of class `sub` is always one of class `sup`.
    pub fn is_subtype(&self, sub: ClassName, sup: ClassName) -> Subtype {
        if sub == sup || sup == ClassName::object() {
            return Subtype::Yes;
        }
        let (found, missing) = self.supertypes(sub);
        if found.contains(&sup) || missing.contains(&sup) {
            return Subtype::Yes;
        }
        missing.first().map_or(Subtype::No, |missing| Subtype::Unknown { missing: *missing })
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
            if let Some(found) = declared(&class, method) {
                return Resolved::Found(found);
            }
            if let Some(found) = self.object_method(method) {
                return Resolved::Found(found);
            }
        } else {
            match self.in_superclasses(&class, method) {
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
        let found = self.field_from(field.class, field, &mut Vec::new(), &mut missing);
        match (found, missing) {
            (Some(found), _) => Resolved::Found(found),
            (None, Some(missing)) => Resolved::Unknown { missing },
            (None, None) => Resolved::Absent,
        }
    }

    /// The method that runs when `method` is called on an object of class `receiver` (JVMS 5.4.6).
    pub fn select_virtual(&self, receiver: ClassName, method: MethodRef) -> Resolved<FoundMethod> {
        let resolved = match self.resolve_method(method) {
            Resolved::Found(resolved) => resolved,
            other => return other,
        };
        if resolved.access.is_private() || resolved.access.is_static() {
            return Resolved::Found(resolved);
        }
        let Some(class) = self.class(receiver) else { return Resolved::Unknown { missing: receiver } };
        let mut current = Some(class.clone());
        let mut steps = 0;
        while let Some(class) = current {
            if let Some(found) = declared(&class, method)
                && overrides(&found, &resolved)
            {
                return Resolved::Found(found);
            }
            steps += 1;
            current = match class.super_class {
                Some(parent) if steps < MAX_DEPTH => match self.class(parent) {
                    Some(parent) => Some(parent),
                    None => return Resolved::Unknown { missing: parent },
                },
                _ => None,
            };
        }
        match self.in_superinterfaces(&class, method) {
            Ok(Some(found)) => Resolved::Found(found),
            Ok(None) => Resolved::Absent,
            Err(missing) => Resolved::Unknown { missing },
        }
    }

    fn object_method(&self, method: MethodRef) -> Option<FoundMethod> {
        let object = self.class(ClassName::object())?;
        declared(&object, method).filter(|found| found.access.is_public() && !found.access.is_static())
    }

    fn in_superclasses(&self, class: &Arc<Class>, method: MethodRef) -> Result<Option<FoundMethod>, ClassName> {
        let mut current = class.clone();
        for _ in 0..MAX_DEPTH {
            if let Some(found) = declared(&current, method) {
                return Ok(Some(found));
            }
            let Some(parent) = current.super_class else { break };
            current = self.class(parent).ok_or(parent)?;
        }
        Ok(None)
    }

    /// The maximally specific method that is not abstract, else any superinterface method (JVMS 5.4.3.3, step 3). `Err` names a
    /// missing interface if nothing was found.
    fn in_superinterfaces(&self, class: &Arc<Class>, method: MethodRef) -> Result<Option<FoundMethod>, ClassName> {
        let (supertypes, missing) = self.supertypes(class.name);
        let candidates: Vec<FoundMethod> = supertypes
            .iter()
            .filter_map(|name| self.class(*name))
            .filter(|class| class.is_interface())
            .filter_map(|class| declared(&class, method))
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
        match (candidates.first(), missing.first()) {
            (Some(any), _) => Ok(Some(any.clone())),
            (None, Some(missing)) => Err(*missing),
            (None, None) => Ok(None),
        }
    }

    fn field_from(
        &self,
        name: ClassName,
        field: FieldRef,
        seen: &mut Vec<ClassName>,
        missing: &mut Option<ClassName>,
    ) -> Option<FoundField> {
        if seen.contains(&name) {
            return None;
        }
        seen.push(name);
        let Some(class) = self.class(name) else {
            missing.get_or_insert(name);
            return None;
        };
        let declared = class.fields.iter().position(|f| f.name == field.name && f.descriptor == field.descriptor);
        if let Some(index) = declared {
            return Some(FoundField { class, index });
        }
        let parents: Vec<ClassName> = class.interfaces.iter().chain(&class.super_class).copied().collect();
        parents.into_iter().find_map(|parent| self.field_from(parent, field, seen, missing))
    }
}

/// Longer superclass chains are cycles in damaged class files.
const MAX_DEPTH: usize = 4096;

fn declared(class: &Arc<Class>, method: MethodRef) -> Option<FoundMethod> {
    let index = class.methods.iter().position(|m| m.name == method.name && m.descriptor == method.descriptor)?;
    Some(FoundMethod { class: Arc::clone(class), index })
}

/// Whether `candidate`, found in a class below, can override `resolved` (JVMS 5.4.5). Transitive overriding across packages is
/// left out.
fn overrides(candidate: &FoundMethod, resolved: &FoundMethod) -> bool {
    if candidate.class.name == resolved.class.name {
        return true;
    }
    if candidate.access.is_private() || candidate.access.is_static() {
        return false;
    }
    resolved.access.is_public()
        || resolved.access.is_protected()
        || candidate.class.name.package() == resolved.class.name.package()
}
