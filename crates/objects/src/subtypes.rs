//! Which classes can stand for a class? Subtypes of all levels, the nearest first, bounded in number.

use program::{ClassName, Program};
use rustc_hash::FxHashSet;

/// Subtypes, without the class itself: level by level; within a level those of the same package first, then those of the
/// class path, then the JDK's.
pub(crate) fn nearest_subtypes(program: &Program, class: ClassName, limit: usize) -> Vec<ClassName> {
    let mut found: Vec<ClassName> = Vec::new();
    let mut seen: FxHashSet<ClassName> = [class].into_iter().collect();
    let mut level = vec![class];
    while !level.is_empty() && found.len() < limit {
        let below = level.iter().flat_map(|name| program.direct_subtypes(*name));
        let mut next: Vec<ClassName> = below.filter(|name| seen.insert(*name)).collect();
        next.sort_by_cached_key(|name| (name.package() != class.package(), program.is_jdk(*name), *name));
        found.extend(&next);
        level = next;
    }
    found.truncate(limit);
    found
}
