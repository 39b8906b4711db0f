//! Classes of the crash that the JVM cannot use because others are missing: which, and who needs them.

use crate::failure::Failure;
use program::{ClassName, Need, Program, Reference};

/// The machine-readable name of this ending.
pub(crate) const CLASS_MISSING: &str = "class-missing";

/// Why a class of the crash could not be linked. `thrown` is what the JVM said.
pub(crate) fn failure(class: &str, thrown: &str, program: &Program) -> Failure {
    let missing = missing_class(thrown).filter(|missing| program.origin(*missing).is_none());
    let Some(missing) = missing else {
        let first = thrown.lines().next().unwrap_or_default();
        return Failure::new(format!("class `{class}` of the crash cannot be linked: {first}"))
            .hint("the jars may not fit each other: give those that crashed together with `--class-path`");
    };
    let crashed = ClassName::from_dotted(class);
    let need = program.who_needs(missing, crashed).map_or_else(String::new, |need| format!("; {}", told(need)));
    Failure::new(format!(
        "no jar of the class path has `{missing}`, without which `{class}` of the crash cannot be loaded{need}"
    ))
    .reason(CLASS_MISSING)
    .hint(format!(
        "add the jar that has `{missing}` to `--class-path`; to do without the frames of `{class}`, leave it out of \
         `--application REGEX`"
    ))
}

fn told(need: Need) -> String {
    match need.how {
        Reference::Extends => format!("`{}` extends or implements it", need.by),
        Reference::Mentions => format!("`{}` refers to it", need.by),
    }
}

/// What `NoClassDefFoundError` and `ClassNotFoundException` name.
fn missing_class(thrown: &str) -> Option<ClassName> {
    let (exception, message) = thrown.split_once(": ")?;
    if !["java.lang.NoClassDefFoundError", "java.lang.ClassNotFoundException"].contains(&exception) {
        return None;
    }
    // Words follow where the class is there, and is not what its file name says.
    let name = message.lines().next().filter(|name| !name.is_empty() && !name.contains(' '))?;
    let element = name.trim_start_matches('[');
    let element = if element.len() < name.len() { element.strip_prefix('L')?.strip_suffix(';')? } else { element };
    Some(ClassName::from_dotted(&element.replace('/', ".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_jvm_misses() {
        let cases = [
            ("java.lang.NoClassDefFoundError: a/b/C", Some("a.b.C")),
            ("java.lang.NoClassDefFoundError: [[La/b/C$D;", Some("a.b.C$D")),
            ("java.lang.ClassNotFoundException: a.b.C", Some("a.b.C")),
            ("java.lang.NoClassDefFoundError: a/b/C (wrong name: b/C)", None),
            ("java.lang.NoClassDefFoundError", None),
            ("java.lang.VerifyError: Bad type on operand stack", None),
        ];
        for (thrown, expected) in cases {
            assert_eq!(missing_class(thrown), expected.map(ClassName::from_dotted), "{thrown}");
        }
    }
}
