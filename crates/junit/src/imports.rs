//! How each class is called in the file: by its simple name where that is free, else by its full one. A first layout tells
//! which classes occur; the names are then settled for the second.

use crate::facts::Nesting;
use crate::layout::TypeNames;
use crate::world::World;
use program::ClassName;
use recipe::ClassDecl;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Notes the classes that a layout asks for.
pub(crate) struct Mentions<'a> {
    world: &'a World<'a>,
    /// Outermost classes in the order of their first mention.
    found: RefCell<Vec<ClassName>>,
}

impl<'a> Mentions<'a> {
    pub(crate) fn new(world: &'a World<'a>) -> Self {
        Mentions { world, found: RefCell::default() }
    }
}

impl TypeNames for Mentions<'_> {
    fn name(&self, class: ClassName) -> String {
        let (outermost, path) = path_of(self.world, class);
        let mut found = self.found.borrow_mut();
        if !found.contains(&outermost) {
            found.push(outermost);
        }
        path
    }
}

pub(crate) struct Imports<'a> {
    world: &'a World<'a>,
    /// What stands for each outermost class.
    names: BTreeMap<ClassName, String>,
    imported: Vec<ClassName>,
}

impl<'a> Imports<'a> {
    /// `taken` are simple names that mean something else in the file: the test class and its nested classes.
    pub(crate) fn settle(mentions: &Mentions<'a>, package: &str, taken: &[String]) -> Self {
        let world = mentions.world;
        let mut owners: BTreeMap<String, ClassName> = BTreeMap::new();
        let mut imports = Imports { world, names: BTreeMap::new(), imported: Vec::new() };
        let mut classes = mentions.found.borrow().clone();
        // Who needs no import comes first, so that no import hides it.
        classes.sort_by_key(|class| {
            (class.package() != ClassDecl::PACKAGE, class.package() != "java/lang", class.package() != package)
        });
        for class in classes {
            let simple = class.simple().to_owned();
            if class.package() == ClassDecl::PACKAGE {
                owners.insert(simple.clone(), class);
                imports.names.insert(class, simple);
                continue;
            }
            let free = !taken.contains(&simple) && owners.get(&simple).is_none_or(|owner| *owner == class);
            if !free {
                imports.names.insert(class, class.dotted());
                continue;
            }
            // A class of the test's own package hides one of `java.lang`.
            let hidden = class.package() == "java/lang" && package != "java/lang" && {
                let rival = if package.is_empty() { simple.clone() } else { format!("{package}/{simple}") };
                world.class(ClassName::internal(&rival)).is_some()
            };
            let implicit = class.package() == package || class.package() == "java/lang" && !hidden;
            if !implicit && !class.package().is_empty() {
                imports.imported.push(class);
            }
            owners.insert(simple.clone(), class);
            imports.names.insert(class, simple);
        }
        imports.imported.sort();
        imports
    }

    /// The classes to import, sorted.
    pub(crate) fn imported(&self) -> &[ClassName] {
        &self.imported
    }
}

impl TypeNames for Imports<'_> {
    fn name(&self, class: ClassName) -> String {
        let (outermost, path) = path_of(self.world, class);
        let start = self.names.get(&outermost).cloned().unwrap_or_else(|| outermost.dotted());
        match path.split_once('.') {
            Some((_, nested)) => format!("{start}.{nested}"),
            None => start,
        }
    }
}

/// The outermost class around a class, and the path of simple names from it: `Map.Entry`.
fn path_of(world: &World<'_>, class: ClassName) -> (ClassName, String) {
    let mut path = Vec::new();
    let mut current = class;
    loop {
        match world.class(current).map(|fact| fact.nesting) {
            Some(Nesting::Member { outer, simple, .. }) if path.len() < MAX_NESTING => {
                path.push(simple.to_string());
                current = outer;
            }
            // Not known: the usual spelling of nested classes.
            None if current.simple().trim_start_matches('$').contains('$') => {
                let simple = current.simple();
                let (outer, inner) = simple.split_once('$').unwrap_or((simple, ""));
                path.push(inner.replace('$', "."));
                let package = current.package();
                let separator = if package.is_empty() { "" } else { "/" };
                current = ClassName::internal(&format!("{package}{separator}{outer}"));
            }
            _ => break,
        }
    }
    path.push(current.simple().to_owned());
    path.reverse();
    (current, path.join("."))
}

/// Deeper nesting is a cycle in damaged class files.
const MAX_NESTING: usize = 50;
