//! A candidate that shows the crash with other values in its message: what differs tells what to change. The name of a file, a key or a
//! number that the test has given becomes the reported one; where the message counts lines or elements, there are more of them.

use recipe::{Action, Arg, Content, JavaString, Literal, Recipe, Text};

/// Candidates made of one.
const MOST: usize = 24;
/// Lines or elements that are added at most.
const MOST_ADDED: i64 = 40;
/// Longer texts are left alone.
const LONGEST: u64 = 10_000;
/// Signs between the parts of a value: the name of a file and the line in it.
const JOINING: [char; 7] = [':', ' ', '/', ',', '#', '(', ')'];

/// The candidate with values of its message replaced by the reported ones; `values` are pairs of them.
pub(crate) fn fitted(recipe: &Recipe, values: &[(String, String)]) -> Vec<Recipe> {
    let values: Vec<(&str, &str)> = values.iter().flat_map(|(actual, wanted)| parts(actual, wanted)).collect();
    let mut found: Vec<Recipe> = Vec::new();
    let mut add = |recipe: Recipe| {
        if found.len() < MOST && !found.contains(&recipe) {
            found.push(recipe);
        }
    };
    // All texts at once; then what is counted, with these texts.
    let mut renamed = recipe.clone();
    values.iter().for_each(|(actual, wanted)| replace(&mut renamed, actual, wanted));
    let counts: Vec<i64> = values.iter().filter_map(|(actual, wanted)| more(actual, wanted)).collect();
    let mut plain = recipe.clone();
    let texts = values.iter().filter(|(actual, wanted)| more(actual, wanted).is_none());
    texts.for_each(|(actual, wanted)| replace(&mut plain, actual, wanted));
    for count in counts {
        longer(&plain, count).into_iter().for_each(&mut add);
    }
    for changed in [renamed, plain] {
        if changed != *recipe {
            add(changed);
        }
    }
    for (actual, wanted) in &values {
        let mut one = recipe.clone();
        replace(&mut one, actual, wanted);
        if one != *recipe {
            add(one);
        }
    }
    found
}

/// Values that have as many parts differ in some of them.
fn parts<'v>(actual: &'v str, wanted: &'v str) -> Vec<(&'v str, &'v str)> {
    let (one, other): (Vec<&str>, Vec<&str>) = (actual.split(JOINING).collect(), wanted.split(JOINING).collect());
    if one.len() == other.len() && one.len() > 1 {
        return one.into_iter().zip(other).filter(|(actual, wanted)| actual != wanted).collect();
    }
    vec![(actual, wanted)]
}

/// How many more the reported number is.
fn more(actual: &str, wanted: &str) -> Option<i64> {
    let more = wanted.parse::<i64>().ok()?.checked_sub(actual.parse::<i64>().ok()?)?;
    (1..=MOST_ADDED).contains(&more).then_some(more)
}

fn replace(recipe: &mut Recipe, actual: &str, wanted: &str) {
    let (text, other) = (Text::plain(actual), Text::plain(wanted));
    recipe.for_each_literal_mut(&mut |literal| match literal {
        Literal::String(known) if *known == text => *known = other.clone(),
        Literal::String(known) => inside(known, actual, wanted),
        Literal::Int(number) if number.to_string() == actual => {
            *number = wanted.parse().unwrap_or(*number);
        }
        Literal::Long(number) if number.to_string() == actual => {
            *number = wanted.parse().unwrap_or(*number);
        }
        _ => {}
    });
    for stmt in &mut recipe.body.stmts {
        if let Action::TempFile { name, .. } = &mut stmt.action
            && name.to_lossy() == actual
            && !wanted.is_empty()
        {
            *name = JavaString::new(wanted);
        }
        for content in stmt.contents_mut() {
            if let Content::Text(known) = content {
                inside(known, actual, wanted);
            }
        }
    }
}

/// The value as a part of a document; an empty one stands in quotes.
fn inside(text: &mut Text, actual: &str, wanted: &str) {
    if text.len() > LONGEST {
        return;
    }
    let plain = text.expanded().to_lossy();
    let changed = match actual {
        "" => plain.replace("\"\"", &format!("\"{wanted}\"")),
        _ if plain.parse::<i64>().is_ok() => return,
        _ => plain.replace(actual, wanted),
    };
    if changed != plain {
        *text = Text::plain(&changed);
    }
}

/// The candidate with that many more lines or elements before the last one: empty ones, and copies of the first.
fn longer(recipe: &Recipe, count: i64) -> Vec<Recipe> {
    let count = count.unsigned_abs() as usize;
    let mut found = Vec::new();
    for at in 0..recipe.body.stmts.len() {
        for which in 0..recipe.body.stmts[at].contents().len() {
            let Content::Text(text) = recipe.body.stmts[at].contents()[which] else { continue };
            let text = text.expanded().to_lossy();
            let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
            let (last, before) = lines.split_last().unwrap_or((&"", &[]));
            let nearest = before.last().copied().unwrap_or_default();
            for added in [nearest, ""] {
                let all = before.iter().copied().chain(std::iter::repeat_n(added, count)).chain([*last]);
                let mut changed = recipe.clone();
                if let Some(Content::Text(text)) = changed.body.stmts[at].contents_mut().into_iter().nth(which) {
                    *text = Text::plain(&all.collect::<Vec<_>>().join("\n"));
                    found.push(changed);
                }
            }
        }
        let elements = match &recipe.body.stmts[at].action {
            Action::ArrayOf { elements, .. } => elements,
            Action::Collection(kind, elements) if !kind.is_map() => elements,
            _ => continue,
        };
        let Some(first) = elements.first().cloned() else { continue };
        let mut changed = recipe.clone();
        if let Action::ArrayOf { elements, .. } | Action::Collection(_, elements) = &mut changed.body.stmts[at].action {
            let added: Vec<Arg> = std::iter::repeat_n(first, count).collect();
            elements.splice(0..0, added);
            found.push(changed);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted_texts(before: &str, values: &[(&str, &str)]) -> Vec<String> {
        let recipe = recipe::parse(before).unwrap_or_else(|error| panic!("{error}"));
        let values: Vec<(String, String)> = values.iter().map(|(a, w)| ((*a).into(), (*w).into())).collect();
        fitted(&recipe, &values).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_become_the_reported_ones() {
        let call = "call a.B.c(java.lang.String \"x\", long 7L, java.lang.String \"\")";
        let texts = fitted_texts(call, &[("x", "may"), ("7", "77"), ("", "shop")]);
        assert!(
            texts.contains(&"call a.B.c(java.lang.String \"may\", long 77L, java.lang.String \"shop\")\n".into()),
            "{texts:?}"
        );
    }

    #[test]
    fn what_is_counted_gets_longer() {
        let read = "v0: java.io.File = file \"a.csv\" \"h\\n1\\n?\"\ncall a.B.c(java.io.File v0)";
        let texts = fitted_texts(read, &[("a.csv:3", "may.csv:5")]);
        assert!(texts.iter().any(|text| text.contains("\"may.csv\" \"h\\n1\\n1\\n1\\n?\"")), "{texts:?}");
        assert!(texts.iter().any(|text| text.contains("\"may.csv\" \"h\\n1\\n\\n\\n?\"")), "{texts:?}");
        let list = "v0: java.util.List = collect AsList [\"a\", \"?\"]\ncall a.B.c(java.util.List v0)";
        let texts = fitted_texts(list, &[("2", "3")]);
        assert!(texts.iter().any(|text| text.contains("[\"a\", \"a\", \"?\"]")), "{texts:?}");
    }
}
