//! Every number is documented, and `docs/policy.md` shows them all. `INSTA_UPDATE=always` writes it anew.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the docs had better stop there")]

use policy::{Group, Policy};
use std::fmt::Write;
use std::path::Path;

/// The table of all numbers, for people.
fn table(groups: &[Group]) -> String {
    let mut text = String::from(
        "# The policy of the search\n\n\
         Every number by which the search decides how often, how much or in which order something is tried: fields of \
         `policy::Policy`,\nprinted by the test `crates/policy/tests/table.rs`. Lists are weights, in the order in which their \
         meaning names what they are of.\nMost numbers were chosen and kept while the crash packs were worked on and have no \
         measurement of their own: these say \u{201c}not\nmeasured\u{201d}.\n",
    );
    for Group { name, about, numbers } in groups {
        write!(text, "\n## {name}\n\n{}\n\n| name | value | meaning | measured |\n|---|---|---|---|\n", about.trim())
            .unwrap();
        for number in numbers {
            let (meaning, measured) =
                (number.meaning.trim().replace('|', "\\|"), number.measured.unwrap_or("not measured"));
            writeln!(text, "| `{}` | {} | {meaning} | {measured} |", number.name, number.value).unwrap();
        }
    }
    text
}

#[test]
fn every_number_says_what_it_means() {
    let groups = Policy::STANDARD.groups();
    for group in &groups {
        assert!(group.about.trim().len() > 10, "{}", group.name);
        for number in &group.numbers {
            let meaning = number.meaning.trim();
            assert!(meaning.len() > 7 && meaning.ends_with('.'), "{}.{}: {meaning}", group.name, number.name);
        }
    }
    let count: usize = groups.iter().map(|group| group.numbers.len()).sum();
    assert!(count > 200, "{count}");
}

#[test]
fn chances_are_between_0_and_1_and_weights_are_not_all_0() {
    for group in Policy::STANDARD.groups() {
        for number in &group.numbers {
            let meaning = number.meaning.trim();
            if meaning.starts_with("How often") && !number.value.starts_with('[') {
                let chance: f64 = number.value.parse().unwrap();
                assert!((0.0..=1.0).contains(&chance), "{}.{}", group.name, number.name);
            }
            assert!(!number.value.starts_with("[0, 0"), "{}.{}", group.name, number.name);
        }
    }
}

#[test]
fn the_docs_show_all_numbers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/policy.md");
    let wanted = table(&Policy::STANDARD.groups());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        std::fs::write(&path, &wanted).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap_or_default() == wanted, "docs/policy.md is not what the policy says");
}
