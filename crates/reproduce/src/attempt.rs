//! A test that compiles. The printer knows Java's rules; should a compiler refuse a test all the same, what it refuses is
//! reached by other means, so that a candidate is lost only if there are none.

use confirm::{ConfirmError, Confirmation};
use junit::{Inexpressible, TestSource, Use, refused_uses};
use recipe::Recipe;
use std::collections::BTreeSet;

/// A test and what fresh JVMs made of it.
pub(crate) struct Attempt {
    pub(crate) test: TestSource,
    /// What the compiler refused before it took this one.
    pub(crate) refused: BTreeSet<Use>,
    pub(crate) confirmation: Confirmation,
}

/// How often the compiler is believed to have named all that it minds; then all is reached by other means.
const BELIEVED: usize = 5;

/// Prints the recipe and has it confirmed, again as long as the compiler refuses something new.
pub(crate) fn attempt(
    recipe: &Recipe,
    print: &dyn Fn(&BTreeSet<Use>) -> Result<TestSource, Inexpressible>,
    confirm: &dyn Fn(&TestSource) -> Result<Confirmation, ConfirmError>,
) -> Result<Result<Attempt, Inexpressible>, ConfirmError> {
    let mut refused = BTreeSet::new();
    for prints in 1.. {
        let test = match print(&refused) {
            Ok(test) => test,
            Err(inexpressible) => return Ok(Err(inexpressible)),
        };
        let confirmation = confirm(&test)?;
        let new = match &confirmation {
            Confirmation::NotCompiled { errors } => {
                let said = if prints < BELIEVED { errors } else { "" };
                refused_uses(recipe, &test, said, &refused)
            }
            Confirmation::Ran { .. } => BTreeSet::new(),
        };
        if new.is_empty() {
            return Ok(Ok(Attempt { test, refused, confirmation }));
        }
        refused.extend(new);
    }
    unreachable!("a recipe uses only so much that can be refused")
}

#[cfg(test)]
mod tests {
    use super::*;
    use junit::Flags;

    fn test(text: &str) -> TestSource {
        TestSource {
            package: String::new(),
            class_name: "T".into(),
            method_name: "crash".into(),
            path: "T.java".into(),
            text: text.into(),
            flags: Flags::default(),
        }
    }

    const RECIPE: &str = "call java.lang.Integer.parseInt(java.lang.String \"1\"): int\n";

    fn refusing(lines: &str) -> Confirmation {
        Confirmation::NotCompiled { errors: lines.into() }
    }

    fn ran() -> Confirmation {
        Confirmation::Ran { classes: Vec::new(), replaced: Vec::new(), runs: Vec::new() }
    }

    #[test]
    fn what_is_refused_is_reached_otherwise() {
        let recipe = recipe::parse(RECIPE).unwrap_or_else(|error| panic!("{error}"));
        let print = |refused: &BTreeSet<Use>| Ok(test(&format!("class T {{\n parseInt({});\n}}\n", refused.len())));
        let confirm = |test: &TestSource| {
            let is_direct = test.text.contains("(0)");
            Ok(if is_direct { refusing("T.java:2: error: cannot access Missing") } else { ran() })
        };
        let attempt = attempt(&recipe, &print, &confirm).ok().and_then(Result::ok).map(|attempt| attempt.refused.len());
        assert_eq!(attempt, Some(1));
    }

    #[test]
    fn it_ends_when_nothing_else_is_left() {
        let recipe = recipe::parse(RECIPE).unwrap_or_else(|error| panic!("{error}"));
        let print = |_: &BTreeSet<Use>| Ok(test("class T {\n parseInt();\n}\n"));
        let confirm = |_: &TestSource| Ok(refusing("T.java:2: error: no"));
        let attempt = attempt(&recipe, &print, &confirm).ok().and_then(Result::ok).map(|attempt| attempt.confirmation);
        assert_eq!(attempt, Some(refusing("T.java:2: error: no")));
    }
}
