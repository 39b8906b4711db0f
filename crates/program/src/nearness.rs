//! Which archives are near a crash? A server product has hundreds of archives, and a popular member has callers in all of them: those
//! of the archives that the crash is in, and of what these use, are the ones that tell something.

use crate::names::ClassName;
use crate::program::Program;
use crate::sources::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// The archives and directories of a class path in the order of their distance from some classes. Depends on the class path and the
/// classes only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nearness {
    /// Positions of the sources: the near ones, nearest first, then the others in the order of the class path.
    order: Vec<u32>,
    near: usize,
}

/// Up to this many classes, everything is near: most programs are no larger.
const SMALL: usize = 15_000;
/// Classes that archives may have together to be near because they are used.
const MAX_USED: usize = 5_000;

impl Program {
    /// The archives and directories of the class path as seen from these classes: those that they are in, then those whose methods
    /// these call, and so on. On a small class path all are near.
    pub fn nearness(&self, classes: &[ClassName]) -> Nearness {
        self.nearness_from(Vec::new(), classes)
    }

    /// The same, but archives and directories that are not on the other program's class path are the nearest.
    pub fn nearness_beside(&self, classes: &[ClassName], other: &Program) -> Nearness {
        let known: FxHashSet<_> = other.sources().list.iter().map(identity).collect();
        let sources = (0..).zip(&self.sources().list);
        let added = sources.filter(|(_, source)| !known.contains(&identity(source)));
        self.nearness_from(added.map(|(position, _)| position).collect(), classes)
    }

    fn nearness_from(&self, first: Vec<u32>, classes: &[ClassName]) -> Nearness {
        let all = self.sources().positions();
        if self.class_count() <= SMALL {
            return Nearness { near: all.len(), order: all };
        }
        let mut order = first;
        for place in classes.iter().filter_map(|class| self.sources().find(class.as_internal())) {
            if !order.contains(&place.source) {
                order.push(place.source);
            }
        }
        self.add_used(&mut order);
        let near = order.len();
        order.extend(all.into_iter().filter(|unit| !order[..near].contains(unit)).collect::<Vec<_>>());
        Nearness { order, near }
    }

    /// Level by level, those that are used most first.
    fn add_used(&self, order: &mut Vec<u32>) {
        let counts = self.sources().class_counts();
        let mut left = MAX_USED;
        let mut level = order.clone();
        while !level.is_empty() {
            let mut used: FxHashMap<u32, usize> = FxHashMap::default();
            for unit in std::mem::take(&mut level) {
                for (class, methods) in self.call_index(unit).named_classes() {
                    let place = self.sources().find(class).filter(|place| !order.contains(&place.source));
                    *place.map_or(&mut 0, |place| used.entry(place.source).or_default()) += methods;
                }
            }
            let mut used: Vec<(u32, usize)> = used.into_iter().collect();
            used.sort_unstable_by_key(|(unit, methods)| (std::cmp::Reverse(*methods), *unit));
            for (unit, _) in used {
                let count = counts.get(unit as usize).copied().unwrap_or_default();
                if let Some(rest) = left.checked_sub(count) {
                    left = rest;
                    order.push(unit);
                    level.push(unit);
                }
            }
        }
    }

    /// Whether the class is in one of the near archives; classes of the JDK are in none.
    pub fn is_near(&self, class: ClassName, nearness: &Nearness) -> bool {
        let place = self.sources().find(class.as_internal());
        place.is_some_and(|place| nearness.near().contains(&place.source))
    }

    /// The names of the classes in near archives, sorted.
    pub fn near_classes(&self, nearness: &Nearness) -> Vec<ClassName> {
        if nearness.is_all() {
            return self.classes();
        }
        let names = self.sources().names_in(nearness.near());
        let mut names: Vec<ClassName> = names.into_iter().map(|name| ClassName::internal(&name)).collect();
        names.sort_unstable();
        names
    }
}

/// Tells sources of two class paths apart.
fn identity(source: &Source) -> (&Path, Option<&str>) {
    match source {
        Source::Archive(archive) => (&archive.path, archive.nested.as_deref()),
        Source::Directory(directory) => (&directory.root, None),
    }
}

impl Nearness {
    /// Whether there is nothing that is not near.
    pub fn is_all(&self) -> bool {
        self.near == self.order.len()
    }

    /// The near sources alone.
    pub fn near_only(&self) -> Nearness {
        Nearness { order: self.near().to_vec(), near: self.near }
    }

    pub(crate) fn near(&self) -> &[u32] {
        &self.order[..self.near]
    }

    /// All sources, `first` before the others, and how many of them are near; the first one always is.
    pub(crate) fn order_from(&self, first: Option<u32>) -> (Vec<u32>, usize) {
        let Some(first) = first else { return (self.order.clone(), self.near) };
        let others = self.order.iter().copied().filter(|unit| *unit != first);
        let near = self.near + usize::from(!self.near().contains(&first));
        (std::iter::once(first).chain(others).collect(), near)
    }
}
