//! Who extends whom, downwards: subtypes and overriders over the whole class path and the JDK, from the header indexes of all units.
//! Looking upwards needs no index; see [`crate::resolve`]. Classes hidden by another of the same name earlier on the class path are
//! left out.

use crate::cache::Cache;
use crate::error::Problem;
use crate::index::{Header, HeaderIndex};
use crate::names::{ClassName, MethodRef, name_hash};
use crate::program::{Library, Program};
use crate::resolve::FoundMethod;
use crate::scan::Unit;
use crate::sources::{Place, Sources};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// All classes by their direct supertypes.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    indexes: Vec<HeaderIndex>,
    /// Each class under each of its direct supertypes, sorted by the hash of the supertype's name.
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    parent: u64,
    index: u32,
    class: u32,
}

impl Program {
    /// Classes and interfaces that name `class` as superclass or superinterface, sorted.
    pub fn direct_subtypes(&self, class: ClassName) -> Vec<ClassName> {
        let hierarchy = self.hierarchy();
        let children = hierarchy.children(name_hash(class.as_internal().as_bytes()));
        sorted(children.filter_map(|edge| hierarchy.name(edge)))
    }

    /// All classes and interfaces below `class`, without itself, sorted.
    pub fn subtypes(&self, class: ClassName) -> Vec<ClassName> {
        let hierarchy = self.hierarchy();
        let mut seen = FxHashSet::default();
        let mut pending = vec![name_hash(class.as_internal().as_bytes())];
        let mut found = Vec::new();
        seen.extend(pending.iter().copied());
        while let Some(parent) = pending.pop() {
            for edge in hierarchy.children(parent) {
                let Some((hash, name)) = hierarchy.hash_and_name(edge) else { continue };
                if seen.insert(hash) {
                    pending.push(hash);
                    found.push(name);
                }
            }
        }
        sorted(found.into_iter())
    }

    /// Methods in subclasses that override `method`, or implement it, abstract ones included; sorted by class.
    pub fn overriders(&self, method: MethodRef) -> Vec<FoundMethod> {
        let Some(resolved) = self.resolve_method(method).found() else { return Vec::new() };
        if resolved.is_constructor() || resolved.access.is_static() || resolved.access.is_private() {
            return Vec::new();
        }
        let below = self.subtypes(resolved.class.name).into_iter();
        let declared = below.filter_map(|class| self.declared_method(MethodRef { class, ..method }));
        declared.filter(|candidate| self.overrides(candidate, &resolved)).collect()
    }

    /// Loads or makes the indexes that [`subtypes`](Self::subtypes) needs, and returns how many classes they have. Whoever does not
    /// call this pays on first use.
    pub fn index_classes(&self) -> usize {
        self.hierarchy().indexes.iter().map(HeaderIndex::len).sum()
    }
}

impl Hierarchy {
    pub(crate) fn build(sources: &Sources, library: &Library, cache: &Cache) -> (Hierarchy, Vec<Problem>) {
        let units: Vec<Unit<'_>> = library.units().into_iter().chain(sources.list.iter().map(Unit::from)).collect();
        let learnt: Vec<_> = units.par_iter().map(|unit| HeaderIndex::of(*unit, cache)).collect();
        let mut problems = Vec::new();
        let mut indexes = Vec::new();
        let mut stored = false;
        for (index, learnt) in learnt {
            indexes.push(index);
            problems.extend(learnt.problems);
            stored |= learnt.stored;
        }
        if stored && let Err(error) = cache.trim() {
            problems.push(Problem::cache_not_written(&error));
        }
        let of_library = library.units().len();
        let edges = indexes.par_iter().enumerate().flat_map_iter(|(position, index)| {
            edges_of(index, position, Live { sources, library, of_library, package: None })
        });
        let mut edges: Vec<Edge> = edges.collect();
        edges.par_sort_unstable();
        (Hierarchy { indexes, edges }, problems)
    }

    /// Hashes of the names of all classes below the one with this hash, without itself.
    pub(crate) fn below(&self, class: u64) -> FxHashSet<u64> {
        let mut seen = FxHashSet::default();
        let mut pending = vec![class];
        while let Some(parent) = pending.pop() {
            let children = self.children(parent).filter_map(|edge| self.hash(edge));
            pending.extend(children.filter(|child| *child != class && seen.insert(*child)));
        }
        seen
    }

    /// Whether some class below the one with this hash is in the set.
    pub(crate) fn has_below(&self, class: u64, set: &FxHashSet<u64>) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![class];
        while let Some(parent) = pending.pop() {
            for child in self.children(parent).filter_map(|edge| self.hash(edge)) {
                if set.contains(&child) {
                    return true;
                }
                if seen.insert(child) {
                    pending.push(child);
                }
            }
        }
        false
    }

    /// The classes below the one with this hash whose own hashes are wanted, sorted by name.
    pub(crate) fn names_below(&self, class: u64, is_wanted: impl Fn(u64) -> bool) -> Vec<ClassName> {
        let mut seen = FxHashSet::default();
        let mut pending = vec![class];
        let mut found = Vec::new();
        while let Some(parent) = pending.pop() {
            for (hash, edge) in self.children(parent).filter_map(|edge| Some((self.hash(edge)?, edge))) {
                if seen.insert(hash) {
                    pending.push(hash);
                    found.extend(self.name(edge).filter(|_| is_wanted(hash)));
                }
            }
        }
        sorted(found.into_iter())
    }

    fn hash(&self, edge: Edge) -> Option<u64> {
        let (index, header) = self.header(edge)?;
        index.hash(header.name)
    }

    fn children(&self, parent: u64) -> impl Iterator<Item = Edge> + '_ {
        let start = self.edges.partition_point(|edge| edge.parent < parent);
        self.edges[start..].iter().take_while(move |edge| edge.parent == parent).copied()
    }

    fn header(&self, edge: Edge) -> Option<(&HeaderIndex, Header)> {
        let index = self.indexes.get(edge.index as usize)?;
        Some((index, index.header(edge.class as usize)?))
    }

    fn name(&self, edge: Edge) -> Option<ClassName> {
        let (index, header) = self.header(edge)?;
        index.text(header.name).map(ClassName::internal)
    }

    fn hash_and_name(&self, edge: Edge) -> Option<(u64, ClassName)> {
        let (index, header) = self.header(edge)?;
        Some((index.hash(header.name)?, ClassName::internal(index.text(header.name)?)))
    }
}

/// Tells which classes of one index are found by their name.
struct Live<'a> {
    sources: &'a Sources,
    library: &'a Library,
    /// So many indexes at the start are of the JDK.
    of_library: usize,
    /// The package asked for last, and whether the JDK has it: classes come package by package.
    package: Option<(&'a str, bool)>,
}

impl<'a> Live<'a> {
    fn has(&mut self, index: &'a HeaderIndex, position: usize, header: Header) -> Option<bool> {
        let (hash, name) = (index.hash(header.name)?, index.text(header.name)?);
        let Some(source) = position.checked_sub(self.of_library) else {
            return Some(self.library.is_live(position, header.at, hash, name));
        };
        let place = Place { source: source as u32, at: header.at };
        Some(self.sources.is_live(place, hash, name) && !self.is_hidden(name))
    }

    /// Whether the JDK has a class of this name.
    fn is_hidden(&mut self, name: &'a str) -> bool {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let in_jdk = match self.package {
            Some((last, in_jdk)) if last == package => in_jdk,
            _ => self.library.has_package(package),
        };
        self.package = Some((package, in_jdk));
        in_jdk && self.library.has(name)
    }
}

fn edges_of<'a>(index: &'a HeaderIndex, position: usize, mut live: Live<'a>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for class in 0..index.len() {
        let Some(header) = index.header(class) else { continue };
        if live.has(index, position, header) != Some(true) {
            continue;
        }
        let parents = index.parents(header).filter_map(|parent| index.hash(parent));
        edges.extend(parents.map(|parent| Edge { parent, index: position as u32, class: class as u32 }));
    }
    edges
}

fn sorted(names: impl Iterator<Item = ClassName>) -> Vec<ClassName> {
    let mut names: Vec<ClassName> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}
