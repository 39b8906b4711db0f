//! What a name in the log may have meant: classes and methods of nearly that name.

use program::{Class, ClassName, MethodRef, Program};

/// As many alternatives as are worth reading.
const WANTED: usize = 3;

/// Classes of the class path with the same simple name in another package, else with a similar name in the same one.
pub(crate) fn classes(program: &Program, missing: ClassName) -> Vec<ClassName> {
    let all = program.classes();
    let same_simple: Vec<ClassName> =
        all.iter().copied().filter(|class| class.simple() == missing.simple()).take(WANTED).collect();
    if !same_simple.is_empty() {
        return same_simple;
    }
    let package = all.iter().copied().filter(|class| class.package() == missing.package());
    nearest(package, |class| class.simple(), missing.simple())
}

/// The methods of this name in supertypes, else those of the class with a similar name.
pub(crate) fn methods(program: &Program, class: &Class, name: &str) -> Vec<MethodRef> {
    let (supertypes, _) = program.supertypes(class.name);
    let inherited: Vec<MethodRef> = supertypes
        .iter()
        .filter_map(|parent| program.class(*parent))
        .flat_map(|parent| parent.methods_named(name).map(program::Method::reference).collect::<Vec<_>>())
        .filter(|method| !method.is_constructor() && !method.is_static_initialiser())
        .take(WANTED)
        .collect();
    if !inherited.is_empty() {
        return inherited;
    }
    let own = class.methods.iter().map(program::Method::reference);
    nearest(own, |method| method.name.as_str(), name)
}

fn nearest<T: Ord>(all: impl Iterator<Item = T>, name: impl Fn(&T) -> &'static str, wanted: &str) -> Vec<T> {
    let limit = 1 + wanted.chars().count() / 4;
    let mut close: Vec<(usize, T)> =
        all.map(|item| (distance(name(&item), wanted), item)).filter(|(distance, _)| *distance <= limit).collect();
    close.sort_unstable();
    close.dedup_by(|a, b| name(&a.1) == name(&b.1));
    close.into_iter().take(WANTED).map(|(_, item)| item).collect()
}

/// Edit distance with transpositions of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Class names are short; a long generated name is never what somebody mistyped.
    if a.len().abs_diff(b.len()) > 8 || a.len().max(b.len()) > 200 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "", 0), ("read", "read", 0), ("read", "raed", 1), ("read", "reads", 1), ("a", "b", 1)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }
}
