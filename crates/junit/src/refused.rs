//! Which uses of a recipe does a compiler refuse, by what it says about the printed test? The last line of defence: the
//! printer knows Java's rules, but a class path may hold what no rule foresees.

use crate::options::{TestSource, Use};
use program::ClassName;
use recipe::types::callback_class;
use recipe::{Action, CallbackForm, Recipe};
use std::collections::BTreeSet;

/// What the refused statements use that is not in `known`. If the compiler names none, all that the recipe uses; empty if
/// there is nothing new.
pub fn refused_uses(recipe: &Recipe, test: &TestSource, said: &str, known: &BTreeSet<Use>) -> BTreeSet<Use> {
    let mut all = BTreeSet::new();
    recipe.for_each_stmt(&mut |stmt| all.extend(uses_of(&stmt.action)));
    let all: BTreeSet<Use> = all.difference(known).copied().collect();
    let lines: Vec<&str> = test.text.lines().collect();
    let near: Vec<&str> = refused_lines(said).flat_map(|line| statement_around(&lines, line)).copied().collect();
    let named: BTreeSet<Use> =
        all.iter().filter(|wanted| near.iter().any(|line| names(line, **wanted))).copied().collect();
    if named.is_empty() { all } else { named }
}

fn uses_of(action: &Action) -> Vec<Use> {
    match action {
        Action::New { constructor: method, .. } | Action::Call { method, .. } => vec![Use::Method(*method)],
        Action::GetField { field, .. } | Action::PutField { field, .. } => vec![Use::Field(*field)],
        Action::Callback(callback) => match callback.form {
            // Source has no other way.
            CallbackForm::Subclass { .. } => Vec::new(),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => {
                vec![Use::Callback(callback_class(&callback.form))]
            }
        },
        _ => Vec::new(),
    }
}

/// The lines, counted from 1, of `FooTest.java:12: error: ..`.
fn refused_lines(said: &str) -> impl Iterator<Item = usize> + '_ {
    said.lines().filter_map(|line| {
        let (_, rest) = line.split_once(".java:")?;
        rest.split_once(": error")?.0.parse().ok()
    })
}

/// From the line behind the end of the statement before to the one with the end of this.
fn statement_around<'a>(lines: &'a [&'a str], line: usize) -> &'a [&'a str] {
    let ends = |line: &&str| line.trim_end().ends_with([';', '{', '}']);
    let at = line.saturating_sub(1).min(lines.len());
    let (before, behind) = lines.split_at(at);
    let start = before.iter().rposition(ends).map_or(0, |end| end + 1);
    let end = behind.iter().position(ends).map_or(lines.len(), |end| at + end + 1);
    &lines[start..end]
}

/// Whether a line has the name of the member, or of the class that a constructor or callback makes.
fn names(line: &str, wanted: Use) -> bool {
    let simple = |class: ClassName| class.simple().rsplit('$').next().unwrap_or_default().to_owned();
    let name = match wanted {
        Use::Method(method) if method.is_constructor() => simple(method.class),
        Use::Method(method) => method.name.as_str().to_owned(),
        Use::Field(field) => field.name.as_str().to_owned(),
        // A lambda does not say what it implements.
        Use::Callback(class) if !line.contains("->") => simple(class),
        Use::Callback(_) => return true,
    };
    line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == name)
}
