//! Whole names for classes whose packages the logger shortened: `at o.s.beans.BeanUtils.copy(BeanUtils.java:12)`.
//!
//! Encoders of JSON logs and converters for exceptions do so. Which class is meant, only the program can tell; a name that
//! several of its classes would fit stays as it is.

use crash_report::CrashReport;
use program::{ClassName, Program};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn expand(report: &mut CrashReport, program: &Program) {
    let wanted: BTreeSet<&str> = report.classes().map(base).filter(|name| is_short(name, program)).collect();
    if wanted.is_empty() {
        return;
    }
    // A class of the program before one of the JDK: few would shorten the one and not the other.
    let mut full: BTreeMap<String, String> = BTreeMap::new();
    for classes in [program.classes(), program.jdk_classes()] {
        let found = matches(&wanted, &classes);
        for (name, class) in found {
            full.entry(name).or_insert(class);
        }
    }
    full.retain(|_, class| !class.is_empty());
    report.rename_classes(&|name| Some(format!("{}{}", full.get(base(name))?, &name[base(name).len()..])));
}

/// The class that each name means; empty where several would fit.
fn matches(wanted: &BTreeSet<&str>, classes: &[ClassName]) -> BTreeMap<String, String> {
    let mut by_simple: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in wanted {
        by_simple.entry(name.rsplit('.').next().unwrap_or(name)).or_default().push(name);
    }
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for class in classes {
        let names = by_simple.get(class.simple()).into_iter().flatten();
        for name in names.filter(|name| class.is_abbreviated_by(name)) {
            found.entry((*name).to_owned()).and_modify(String::clear).or_insert_with(|| class.dotted());
        }
    }
    found
}

/// The name without what was added when the class was made at run time: `Shop$$Lambda/0x1`, `Shop$$SpringCGLIB$$0`.
fn base(class: &str) -> &str {
    class.split("$$").next().unwrap_or(class)
}

/// Packages of one letter do exist; then the program has the class.
fn is_short(class: &str, program: &Program) -> bool {
    let first = class.split('.').next().unwrap_or_default();
    class.contains('.') && first.len() == 1 && program.origin(ClassName::from_dotted(class)).is_none()
}
