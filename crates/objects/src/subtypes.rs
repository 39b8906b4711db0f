//! Which classes can stand for a class? Subtypes of all levels, the nearest first, bounded in number.

use crate::catalogue::Catalogue;
use program::ClassName;
use rustc_hash::FxHashSet;

/// Parts of the JDK whose classes are at home in every program. Those of others drag in fonts, printers and displays.
const AT_HOME: [&str; 8] =
    ["java/io", "java/lang", "java/math", "java/net", "java/nio", "java/text", "java/time", "java/util"];

/// Whoever reads from these waits for somebody to write.
const WAITING: [&str; 3] = ["java/io/PipedInputStream", "java/io/PipedReader", "java/io/Console"];

/// The distance of classes in archives that are not near the crash.
const FAR: u8 = 2;

/// Subtypes, without the class itself: level by level; within a level those of the same package first, then those of archives
/// near the crash, then the JDK's. Those of other archives come last, and only where there are few.
pub fn nearest_subtypes(catalogue: &Catalogue, class: ClassName, limit: usize) -> Vec<ClassName> {
    let program = catalogue.program();
    let mut found: Vec<ClassName> = Vec::new();
    let mut seen: FxHashSet<ClassName> = [class].into_iter().collect();
    let mut level = vec![class];
    while !level.is_empty() && found.len() < limit {
        let below = level.iter().flat_map(|name| program.direct_subtypes(*name));
        let waits = |name: &ClassName| WAITING.contains(&name.as_internal());
        let stands_for =
            |name: &ClassName| !waits(name) && (!program.is_jdk(*name) || is_at_home(*name) || !is_at_home(class));
        let mut next: Vec<ClassName> = below.filter(|name| stands_for(name) && seen.insert(*name)).collect();
        next.sort_by_cached_key(|name| {
            let distance = distance(catalogue, *name);
            (distance == FAR, name.package() != class.package(), distance, *name)
        });
        // Far ones only where there is little else: on a large class path, an interface has dozens of them that have nothing to do
        // with the crash.
        let enough = catalogue.policy().ways.enough_subtypes;
        let near = next.iter().filter(|name| distance(catalogue, **name) < FAR).count();
        next.truncate(near.max(enough.saturating_sub(found.len())));
        found.extend(&next);
        level = next;
    }
    found.truncate(limit);
    found
}

fn distance(catalogue: &Catalogue, class: ClassName) -> u8 {
    match () {
        () if catalogue.program().is_jdk(class) => 1,
        () if catalogue.is_near(class) => 0,
        () => FAR,
    }
}

fn is_at_home(class: ClassName) -> bool {
    let package = class.package();
    AT_HOME.iter().any(|home| package.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
