//! Static fields that recipes read and write themselves: the class is used by that, as in a fresh VM, and is put back.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use program::{Cache, ClassPath, Program};
use recipe::{End, Recipe, parse};
use std::sync::Arc;
use testing::{Jdk, fixtures, jdks};
use worker::{Case, WorkerConfig, WorkerPool};

/// Whether candidates share classes, which are put back, or have classes of their own.
const MANNERS: [bool; 2] = [false, true];

fn pool(jdk: &Jdk, classes_per_candidate: bool) -> WorkerPool {
    let command = vec![env!("CARGO_BIN_EXE_worker").into(), "worker".into()];
    let mut config = WorkerConfig::new(command, &jdk.home, vec![fixtures().to_path_buf()]);
    config.sandboxed = testing::can_lock_up();
    config.limits.milliseconds = 10_000;
    config.probes.classes_per_candidate = classes_per_candidate;
    let class_path = ClassPath::parse([fixtures()]).unwrap();
    let (program, _) = Program::open(&class_path, program::Jdk::at(&jdk.home).unwrap(), &Cache::none()).unwrap();
    WorkerPool::new(config).unwrap().with_program(Arc::new(program))
}

/// Runs the recipes in one worker, forwards and backwards: each has to end in the same way whatever ran before it. Empty
/// for those that complete.
fn expect(cases: &[(&str, &str)]) {
    let both: Vec<&(&str, &str)> = cases.iter().chain(cases.iter().rev()).collect();
    let recipes: Vec<Recipe> =
        both.iter().map(|(text, _)| parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))).collect();
    for jdk in jdks() {
        for classes_per_candidate in MANNERS {
            let mut pool = pool(&jdk, classes_per_candidate);
            let seen = pool.run(&recipes).unwrap();
            for (index, ((text, end), case)) in both.iter().zip(&seen).enumerate() {
                let place = format!("{index} on {}, classes of its own: {classes_per_candidate}: {text}", jdk.major);
                assert_eq!((summary(case), case.taint), ((*end).to_owned(), None), "{place}");
            }
            assert_eq!(pool.statistics().started, 1, "one worker");
        }
    }
}

fn summary(case: &Case) -> String {
    match &case.end {
        End::Completed => String::new(),
        End::Threw { stmt, thrown } => {
            let detail = match thrown.class.simple() {
                "IllegalStateException" => thrown.message.clone().unwrap_or_default(),
                other => other.to_owned(),
            };
            format!("{stmt}: {detail}")
        }
        other => format!("{other:?}"),
    }
}

const USE: &str = "call Held.change() call Held.remove()";
const READ: &str = "v0: int = get Held.number: int
    call Held$Check.same(int 42, int v0)
    v1: java.util.Map = get Held.table: java.util.Map
    v2: int = call v1->java.util.Map.size(): int
    call Held$Check.same(int 0, int v2)";

#[test]
fn what_is_written_stays_until_the_end_of_the_candidate() {
    let null = "put Held.table: java.util.Map = null(java.util.Map) call Held.remove()";
    let number = "put Held.number: int = 1 call Held.remove()
        v0: int = get Held.number: int call Held$Check.same(int 1, int v0)";
    expect(&[
        (USE, ""),
        (null, "1: NullPointerException"),
        (READ, ""),
        (USE, ""),
        (number, ""),
        ("call Held.remove()", ""),
        (null, "1: NullPointerException"),
        (null, "1: NullPointerException"),
        (number, ""),
        (READ, ""),
    ]);
}

/// What is read may be changed by those who have it.
#[test]
fn what_is_only_read_is_put_back() {
    let fill = "v0: java.util.Map = get Held.table: java.util.Map
        v1: java.lang.Object = call v0->java.util.Map.put(java.lang.Object \"a\", java.lang.Object \"b\"): java.lang.Object
        v2: int = call v0->java.util.Map.size(): int call Held$Check.same(int 1, int v2)";
    expect(&[(READ, ""), (USE, ""), (READ, ""), (fill, ""), (READ, ""), (fill, ""), (USE, ""), (fill, "")]);
}

#[test]
fn classes_that_only_recipes_touch_are_put_back() {
    let write = "put Held$Alone.number: int = 8 put Held$Alone.text: java.lang.String = null(java.lang.String)
        v0: int = get Held$Alone.number: int call Held$Check.same(int 8, int v0)";
    let read = "v0: int = get Held$Alone.number: int call Held$Check.same(int 7, int v0)
        v1: java.lang.String = get Held$Alone.text: java.lang.String
        call Held$Check.same(java.lang.String \"as it was\", java.lang.String v1)";
    let fill = "v0: java.util.List = get Held$Alone.LIST: java.util.List
        v1: boolean = call v0->java.util.List.add(java.lang.Object \"a\"): boolean
        v2: int = call v0->java.util.List.size(): int call Held$Check.same(int 1, int v2)";
    let apart =
        format!("thread {{ {write} }} v3: int = get Held$Alone.number: int call Held$Check.same(int 8, int v3)");
    expect(&[(write, ""), (read, ""), (fill, ""), (fill, ""), (&apart, ""), (read, ""), (write, "")]);
}

/// A field of a superclass is that class's, by whatever name.
#[test]
fn the_class_that_declares_the_field_is_used() {
    let written =
        "put Held$Below.above: int = 10 v0: int = get Held$Above.above: int call Held$Check.same(int 10, int v0)";
    let read = "v0: int = get Held$Below.above: int call Held$Check.same(int 5, int v0)
        v1: int = get Held$Above.above: int call Held$Check.same(int 5, int v1)";
    expect(&[(written, ""), (read, ""), (written, ""), (written, ""), (read, "")]);
}

#[test]
fn fields_of_enums_are_put_back() {
    let null = "put Held$Kind.favourite: Held$Kind = null(Held$Kind) call Held$Kind.check()";
    let total = "put Held$Kind.total: int = 9 call Held$Kind.check()";
    let read = "v0: int = get Held$Kind.total: int call Held$Check.same(int 3, int v0)
        v1: Held$Kind = get Held$Kind.favourite: Held$Kind
        call Held$Check.sameKind(Held$Kind enum Held$Kind.A, Held$Kind v1)";
    let other = "put Held$Kind.favourite: Held$Kind = enum Held$Kind.B call Held$Kind.check()";
    expect(&[
        (null, "1: NullPointerException"),
        (read, ""),
        (total, "1: 9 instead of 3"),
        (other, ""),
        (null, "1: NullPointerException"),
        (read, ""),
        ("call Held$Kind.check()", ""),
    ]);
}

#[test]
fn fields_of_interfaces_are_read() {
    let names = "v0: java.util.List = get Held$Constants.NAMES: java.util.List
        v1: int = call v0->java.util.List.size(): int call Held$Check.same(int 2, int v1)";
    let inherited = "v0: int = get Held$Below.LENGTH: int call Held$Check.same(int 3, int v0)
        v1: int = get Held$Below.below: int call Held$Check.same(int 6, int v1)";
    expect(&[(names, ""), (inherited, ""), (names, ""), (inherited, "")]);
}

/// They are set before the candidate begins, which must not be undone when they are first used.
#[test]
fn fields_of_declared_classes_start_anew() {
    let declared = "declare class Row { field static count: int = 3 field static names: java.util.List
        method next(): int this v0 {
            v1: int = get reenact.user.Row.count: int put reenact.user.Row.count: int = 100 return v1 } }
        v2: reenact.user.Row = new reenact.user.Row()
        v3: int = call v2->reenact.user.Row.next(): int call Held$Check.same(int 3, int v3)
        v4: int = call v2->reenact.user.Row.next(): int call Held$Check.same(int 100, int v4)";
    expect(&[(declared, ""), (declared, ""), (declared, "")]);
}
