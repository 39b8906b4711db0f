//! Which classes can stand for a class? Subtypes of all levels, the nearest first, bounded in number.

use program::{ClassName, Program};
use rustc_hash::FxHashSet;

/// Parts of the JDK whose classes are at home in every program. Those of others drag in fonts, printers and displays.
const AT_HOME: [&str; 8] =
    ["java/io", "java/lang", "java/math", "java/net", "java/nio", "java/text", "java/time", "java/util"];

/// Whoever reads from these waits for somebody to write.
const WAITING: [&str; 3] = ["java/io/PipedInputStream", "java/io/PipedReader", "java/io/Console"];

/// Subtypes, without the class itself: level by level; within a level those of the same package first, then those of the
/// class path, then the JDK's.
pub(crate) fn nearest_subtypes(program: &Program, class: ClassName, limit: usize) -> Vec<ClassName> {
    let mut found: Vec<ClassName> = Vec::new();
    let mut seen: FxHashSet<ClassName> = [class].into_iter().collect();
    let mut level = vec![class];
    while !level.is_empty() && found.len() < limit {
        let below = level.iter().flat_map(|name| program.direct_subtypes(*name));
        let waits = |name: &ClassName| WAITING.contains(&name.as_internal());
        let stands_for =
            |name: &ClassName| !waits(name) && (!program.is_jdk(*name) || is_at_home(*name) || !is_at_home(class));
        let mut next: Vec<ClassName> = below.filter(|name| stands_for(name) && seen.insert(*name)).collect();
        next.sort_by_cached_key(|name| (name.package() != class.package(), program.is_jdk(*name), *name));
        found.extend(&next);
        level = next;
    }
    found.truncate(limit);
    found
}

fn is_at_home(class: ClassName) -> bool {
    let package = class.package();
    AT_HOME.iter().any(|home| package.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
