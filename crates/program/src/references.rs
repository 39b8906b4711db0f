//! Which classes does a method refer to, and which of them does nobody have? Who needs a class that is missing? Answered from
//! instructions and constant pools; no class is loaded by anybody.

use crate::classfile::{Class, Constant, HandleMember, Instruction, Method, MethodHandle};
use crate::names::{ClassName, MethodRef, Type};
use crate::program::Program;
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, VecDeque};

/// Who refers to a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub by: ClassName,
    pub how: Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// It is its superclass or one of its interfaces: nothing of the class works without it.
    Extends,
    Mentions,
}

/// Classes looked at for who needs another: a program refers to all of itself sooner or later.
const MOST_CLASSES: usize = 2000;

impl Program {
    /// The classes that the method refers to and nobody has, sorted: those of its instructions and handlers, and those above its own
    /// class.
    pub fn missing_for(&self, method: MethodRef) -> Vec<ClassName> {
        let Some(class) = self.class(method.class) else { return Vec::new() };
        let mut wanted: BTreeSet<ClassName> = BTreeSet::new();
        if let Some(found) = class.method(method.name, method.descriptor) {
            references(&class, found, &mut wanted);
        }
        let mut above = vec![class];
        let mut seen = FxHashSet::default();
        while let Some(class) = above.pop() {
            for parent in class.super_class.into_iter().chain(class.interfaces.iter().copied()) {
                wanted.insert(parent);
                if seen.insert(parent) {
                    above.extend(self.class(parent));
                }
            }
        }
        wanted.retain(|name| self.origin(*name).is_none());
        wanted.into_iter().collect()
    }

    /// Who refers to `missing`: the class itself, one above it, or one that these refer to, the nearest first.
    pub fn who_needs(&self, missing: ClassName, class: ClassName) -> Option<Need> {
        let mut queue = VecDeque::from([class]);
        let mut seen = FxHashSet::from_iter([class]);
        while let Some(name) = queue.pop_front() {
            let Some(class) = self.class(name) else { continue };
            let parents: Vec<ClassName> = class.super_class.into_iter().chain(class.interfaces.clone()).collect();
            if parents.contains(&missing) {
                return Some(Need { by: name, how: Reference::Extends });
            }
            if class.mentions(missing) {
                return Some(Need { by: name, how: Reference::Mentions });
            }
            for next in parents.into_iter().chain(class.class_constants()) {
                if seen.len() < MOST_CLASSES && !self.is_jdk(next) && seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

fn references(class: &Class, method: &Method, found: &mut BTreeSet<ClassName>) {
    let Some(code) = method.readable_code() else { return };
    found.extend(code.handlers.iter().filter_map(|handler| handler.catch));
    for (_, instruction) in code.instructions().flatten() {
        match instruction {
            Instruction::Field { field, .. } => found.extend([field.class]),
            Instruction::Invoke { callee, .. } => found.extend([callee.method.class]),
            Instruction::New(ty) | Instruction::CheckCast(ty) | Instruction::InstanceOf(ty) => found.extend(named(ty)),
            Instruction::NewArray { component: ty } | Instruction::NewMultiArray { array: ty, .. } => {
                found.extend(named(ty));
            }
            Instruction::Const(constant) => found.extend(of_constant(&constant)),
            Instruction::InvokeDynamic { bootstrap, .. } => {
                let arguments = class.bootstrap_methods.get(usize::from(bootstrap)).map(|method| &method.arguments);
                found.extend(arguments.into_iter().flatten().filter_map(of_constant));
            }
            _ => {}
        }
    }
}

fn of_constant(constant: &Constant) -> Option<ClassName> {
    match constant {
        Constant::Class(ty) => named(*ty),
        Constant::MethodHandle(MethodHandle { member: HandleMember::Field(field), .. }) => Some(field.class),
        Constant::MethodHandle(MethodHandle { member: HandleMember::Method(callee), .. }) => Some(callee.method.class),
        _ => None,
    }
}

/// The class, of an array that of its elements.
fn named(ty: Type) -> Option<ClassName> {
    match ty {
        Type::Class(name) => Some(name),
        Type::Array(array) => named(array.component()),
        _ => None,
    }
}
