//! Of the conditions that are derived for the crashes of the packs, how many can probes read, and why not the others?
#![cfg(target_os = "linux")]

#[path = "../../target/tests/support/jars.rs"]
mod jars;
#[path = "../../target/tests/support/packs.rs"]
mod packs;
#[path = "../../target/tests/support/mod.rs"]
mod support;

use condition::{Anchored, Condition, Expr};
use packs::{crashes, jdk};
use program::Program;
use std::collections::BTreeMap;
use std::fmt::Write;
use target::{CrashTarget, ThrowSite};

/// Conditions of the JDK's own checks are derived from the bytecode of this one.
const SNAPSHOT_JDK: u16 = 17;

#[derive(Default)]
struct Count {
    all: usize,
    /// What operands, parameters and lengths are enough for.
    by_operands: usize,
    readable: usize,
    unreadable: BTreeMap<String, usize>,
}

impl Count {
    fn add(&mut self, anchor: &Anchored, program: &Program) {
        if anchor.when == Condition::True {
            return;
        }
        self.all += 1;
        self.by_operands += usize::from(needs_operands_only(&anchor.when));
        let why = worker::unreadable(anchor, program);
        self.readable += usize::from(why.is_empty());
        if let Some(why) = why.first() {
            *self.unreadable.entry(format!("{why:?}")).or_default() += 1;
        }
    }
}

fn needs_operands_only(condition: &Condition) -> bool {
    fn is_plain(expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::This | Expr::Param(_) | Expr::Operand(_) => true,
            computed if computed.is_computed() => computed.parts().into_iter().all(is_plain),
            _ => false,
        }
    }
    let is_other = matches!(
        condition,
        Condition::CallThrows { .. } | Condition::Same(..) | Condition::Storable { .. } | Condition::Predicate(..)
    );
    !is_other && condition.exprs().into_iter().all(is_plain)
}

fn sites(target: &CrashTarget) -> impl Iterator<Item = &ThrowSite> {
    target.throw_sites.iter().chain(target.causes.iter().flat_map(|cause| &cause.throw_sites))
}

#[test]
fn conditions_of_the_packs() {
    let jdk = jdk(SNAPSHOT_JDK);
    if jdk.feature != SNAPSHOT_JDK {
        return;
    }
    let (mut throws, mut guards) = (Count::default(), Count::default());
    for crash in crashes("seeds").into_iter().chain(crashes("modern")) {
        let (target, methods) = (crash.derive(&jdk), support::open(&crash.jars, jdk.clone()));
        let program = methods.program();
        for site in sites(&target) {
            throws.add(&site.condition, program);
            site.guards.iter().for_each(|guard| guards.add(&guard.seen, program));
        }
    }
    let mut table = String::new();
    for (name, count) in [("throw conditions", throws), ("guards", guards)] {
        writeln!(table, "{name}: {} of {} readable, {} by operands", count.readable, count.all, count.by_operands)
            .expect("writing to a string");
        for (why, number) in count.unreadable {
            writeln!(table, "  {why}: {number}").expect("writing to a string");
        }
    }
    insta::assert_snapshot!(table);
}
