//! Each kind of action, carried out.

use super::{expect, expect_on};
use testing::{Jdk, jdks};

#[test]
fn literals() {
    expect(&[
        (
            r#"v0: java.lang.Object[] = array java.lang.Object {null(java.lang.String), true, -1b, 'x', -2s, 3, -2147483648,
               -9223372036854775808L, 1.5f, -Infinityd, "a\u{d800}\n" + "ab" * 3, class int[], class void0.X[][]}
           call fixture.Show.show(java.lang.Object v0)"#,
            "unlinkable: class [[Lvoid0.X; is missing",
        ),
        (
            r#"v0: java.lang.Object[] = array java.lang.Object {null(java.lang.String), true, -1b, 'x', -2s, 3, -2147483648,
               -9223372036854775808L, 1.5f, -Infinityd, "aé" + "ab" * 3, class int[], enum fixture.Members$Colour.GREEN}
           call fixture.Show.show(java.lang.Object v0)"#,
            r#"Object[] {null, Boolean true, Byte -1, 'x', Short -2, Integer 3, Integer -2147483648, Long -9223372036854775808, Float 1.5, Double -Infinity, "aéababab", Class class [I, Colour GREEN}"#,
        ),
        (
            r#"v0: boolean = call fixture.Members.isInterned(java.lang.String "literal"): boolean
           v1: boolean = call fixture.Members.isInterned(java.lang.String "a" * 2): boolean
           v2: boolean[] = array boolean {v0, v1}
           call fixture.Show.show(java.lang.Object v2)"#,
            "boolean[] {Boolean true, Boolean false}",
        ),
    ]);
}

#[test]
fn constructors_and_methods() {
    expect(&[
        (
            r#"v0: fixture.Members = new fixture.Members(java.lang.String "n")
               v1: java.lang.String = call v0->fixture.Members.wide(long 'a', float 2, double 3L): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            r#""n 97 2.0 3.0""#,
        ),
        (
            r#"v0: fixture.Members = reflective new fixture.Members(long 9L)
               v1: long = reflective get v0->fixture.Members.secret: long
               call fixture.Show.show(java.lang.Object v1)"#,
            "Long 9",
        ),
        (
            r#"v0: java.lang.Object[] = array java.lang.Object {1, 2}
               v1: java.lang.String = call fixture.Members.variable(java.lang.String "v", java.lang.Object[] v0): java.lang.String
               v2: java.lang.String = package call fixture.Members.inPackage(): java.lang.String
               v3: java.lang.String = reflective call fixture.Members.hidden(int 4): java.lang.String
               v4: java.lang.String[] = array java.lang.String {v1, v2, v3}
               call fixture.Show.show(java.lang.Object v4)"#,
            r#"String[] {"v2", "package", "hidden 4"}"#,
        ),
        (
            // Found in a superclass, in an interface, and in Object by way of an interface.
            r#"v0: java.util.ArrayList = collect ArrayList [1]
               v1: java.lang.String = call v0->java.util.ArrayList.toString(): java.lang.String
               v2: boolean = call v0->java.util.ArrayList.containsAll(java.util.Collection v0): boolean
               v3: java.lang.Class = call v0->java.util.List.getClass(): java.lang.Class
               v4: java.lang.Object[] = array java.lang.Object {v1, v2, v3}
               call fixture.Show.show(java.lang.Object v4)"#,
            r#"Object[] {"[1]", Boolean true, Class class java.util.ArrayList}"#,
        ),
        (
            // The method with exactly this result, where a bridge has another one.
            r#"v0: java.lang.StringBuilder = new java.lang.StringBuilder()
               call v0->java.lang.StringBuilder.append(char 'x'): java.lang.Appendable
               v1: java.lang.StringBuilder = call v0->java.lang.StringBuilder.append(char 'y'): java.lang.StringBuilder
               v2: java.lang.String = call v1->java.lang.Object.toString(): java.lang.String
               call fixture.Show.show(java.lang.Object v2)"#,
            r#""xy""#,
        ),
        (
            // The caller's loader is the program's.
            r#"v0: java.lang.Class = call java.lang.Class.forName(java.lang.String "fixture.Members"): java.lang.Class
               call fixture.Show.show(java.lang.Object v0)"#,
            "Class class fixture.Members",
        ),
    ]);
}

#[test]
fn fields() {
    expect(&[
        (
            r#"put fixture.Members.number: int = 'b'
               v0: fixture.Members = new fixture.Members(java.lang.String "n")
               reflective put v0->fixture.Members.secret: long = 3
               reflective put v0->fixture.Members.name: java.lang.String = "changed"
               v1: int = get fixture.Members.number: int
               v2: long = reflective get v0->fixture.Members.secret: long
               v3: java.lang.String = get v0->fixture.Members.name: java.lang.String
               v4: java.lang.Object[] = array java.lang.Object {v1, v2, v3}
               call fixture.Show.show(java.lang.Object v4)"#,
            r#"Object[] {Integer 98, Long 3, "changed"}"#,
        ),
        ("put fixture.Members.LOCK: java.lang.Object = 1", "unlinkable: fixture.Members.LOCK cannot be accessed"),
        (
            "v0: fixture.Members = new fixture.Members(java.lang.String null(java.lang.String))
             v1: java.lang.String = get v0->fixture.Members.name: java.lang.String
             v2: int = call v1->java.lang.String.length(): int",
            "2: NullPointerException []",
        ),
    ]);
}

#[test]
fn arrays() {
    jdks().iter().for_each(arrays_on);
}

fn arrays_on(jdk: &Jdk) {
    let (out_of_bounds, negative) = if jdk.major < 11 {
        (r#"1: ArrayIndexOutOfBoundsException "5" []"#, "0: NegativeArraySizeException []")
    } else {
        (
            r#"1: ArrayIndexOutOfBoundsException "Index 5 out of bounds for length 3" []"#,
            r#"0: NegativeArraySizeException "-1" []"#,
        )
    };
    let cases = [
        (
            r#"v0: long[] = array long {1, 'a', 2L}
               v1: int[][] = array int[][2]
               store v1[1] = null(int[])
               store v0[0] = 9s
               v2: long = load v0[0]
               v3: java.lang.Object[] = array java.lang.Object {v0, v1, v2}
               call fixture.Show.show(java.lang.Object v3)"#,
            "Object[] {long[] {Long 9, Long 97, Long 2}, int[][] {null, null}, Long 9}",
        ),
        ("v0: int[] = array int[-1]", negative),
        ("v0: int[] = array int[3] v1: int = load v0[5]", out_of_bounds),
        (
            r#"v0: java.lang.Object[] = array java.lang.String[1] store v0[0] = 1"#,
            r#"1: ArrayStoreException "java.lang.Integer" []"#,
        ),
        ("v0: int[] = null(int[]) store v0[0] = 1", "1: NullPointerException []"),
    ];
    expect_on(jdk, &cases);
}

#[test]
fn collections() {
    let show = |kind: &str, elements: &str, shown: &str| {
        let text =
            format!("v0: java.lang.Object = collect {kind} [{elements}] call fixture.Show.show(java.lang.Object v0)");
        (text, shown.to_owned())
    };
    let lists = [
        ("AsList", "ArrayList [2, 1, 1]"),
        ("ArrayList", "ArrayList [2, 1, 1]"),
        ("LinkedList", "LinkedList [2, 1, 1]"),
        ("HashSet", "HashSet [1, 2]"),
        ("LinkedHashSet", "LinkedHashSet [2, 1]"),
        ("TreeSet", "TreeSet [1, 2]"),
    ];
    let maps = ["HashMap", "LinkedHashMap", "TreeMap", "Properties"];
    let lists = lists.map(|(kind, shown)| show(kind, "2, 1, 1", shown));
    let maps = maps.map(|kind| show(kind, "\"a\", 1, \"b\", 2", &format!("{kind} {{a=1, b=2}}")));
    let cases: Vec<(String, String)> = lists.into_iter().chain(maps).collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, shown)| (text.as_str(), shown.as_str())).collect();
    for jdk in jdks() {
        let broken = if jdk.major < 11 { OLD_CLASS_CAST } else { CLASS_CAST };
        let broken = ("v0: java.util.TreeSet = collect TreeSet [1, \"a\"]", broken);
        expect_on(&jdk, &[&cases[..], &[broken]].concat());
    }
}

const CLASS_CAST: &str = "0: ClassCastException \"class java.lang.Integer cannot be cast to class java.lang.String \
                          (java.lang.Integer and java.lang.String are in module java.base of loader 'bootstrap')\" []";
const OLD_CLASS_CAST: &str = "0: ClassCastException \"java.lang.Integer cannot be cast to java.lang.String\" []";

#[test]
fn casts() {
    expect(&[
        (
            r#"v0: double = 300.7d
               v1: byte = cast v0
               v2: char = cast 65601
               v3: java.lang.Object = 'c'
               v4: char = cast v3
               v5: java.lang.Integer = 7
               v6: long = cast v5
               v7: java.util.List = cast null(java.lang.Object)
               v8: java.lang.Object[] = array java.lang.Object {v1, v2, v4, v6, v7}
               call fixture.Show.show(java.lang.Object v8)"#,
            "Object[] {Byte 44, 'A', 'c', Long 7, null}",
        ),
        (
            "v0: java.lang.Object = 1L v1: int = cast v0",
            r#"1: ClassCastException "java.lang.Long cannot be cast to java.lang.Integer" []"#,
        ),
        (
            r#"v0: java.lang.Object = "s" v1: java.util.List = cast v0"#,
            r#"1: ClassCastException "java.lang.String cannot be cast to java.util.List" []"#,
        ),
        ("v0: java.lang.Integer = null(java.lang.Integer) v1: int = cast v0", "1: NullPointerException []"),
        (
            "v0: java.lang.Integer = null(java.lang.Integer) call fixture.Members.unbox(int v0): int",
            "1: NullPointerException []",
        ),
    ]);
}

#[test]
fn lambdas_run_with_what_they_captured_and_show_as_one_frame() {
    expect(&[
        (
            r#"v0: java.util.ArrayList = collect ArrayList []
               v1: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                 java.util.concurrent.Callable.call(): java.lang.Object {
                   call v0->java.util.List.add(java.lang.Object 1): boolean
                   v2: int = call v0->java.util.List.size(): int
                   return v2
                 }
               }
               v3: int = call fixture.Callbacks.twice(java.util.concurrent.Callable v1): int
               call fixture.Show.show(java.lang.Object v3)"#,
            "Integer 3",
        ),
        (
            r#"v1: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                 java.util.concurrent.Callable.call(): java.lang.Object {
                   call fixture.Callbacks.fail(java.lang.String "inside")
                 }
               }
               v3: java.lang.Object = call fixture.Callbacks.call(java.util.concurrent.Callable v1): java.lang.Object"#,
            r#"1: IllegalArgumentException "inside" [Callbacks.fail test Callbacks.call]"#,
        ),
        (
            // Thrown by the body itself: the test's frame is the top.
            r#"v1: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                 java.util.concurrent.Callable.call(): java.lang.Object {
                   v2: java.lang.Object[] = array java.lang.String[1]
                   store v2[0] = 1
                 }
               }
               v3: java.lang.Object = call fixture.Callbacks.call(java.util.concurrent.Callable v1): java.lang.Object"#,
            r#"1: ArrayStoreException "java.lang.Integer" [test Callbacks.call]"#,
        ),
        (
            // Through a thread of the program's: nothing of ours is at the bottom there.
            r#"v1: java.lang.Runnable = lambda java.lang.Runnable {
                 java.lang.Runnable.run() { call fixture.Callbacks.fail(java.lang.String "inside") }
               }
               call fixture.Callbacks.inThread(java.lang.Runnable v1)"#,
            r#"1: IllegalArgumentException "inside" [Callbacks.fail test Callbacks$1.run]"#,
        ),
        (
            // A callback made and called inside another.
            r#"v0: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                 java.util.concurrent.Callable.call(): java.lang.Object {
                   v1: java.lang.String = "captured"
                   v2: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                     java.util.concurrent.Callable.call(): java.lang.Object { call fixture.Callbacks.fail(java.lang.String v1) }
                   }
                   v3: java.lang.Object = call fixture.Callbacks.call(java.util.concurrent.Callable v2): java.lang.Object
                 }
               }
               v4: java.lang.Object = call fixture.Callbacks.call(java.util.concurrent.Callable v0): java.lang.Object"#,
            r#"1: IllegalArgumentException "captured" [Callbacks.fail test Callbacks.call test Callbacks.call]"#,
        ),
    ]);
}

#[test]
fn interfaces_without_bodies_give_defaults() {
    expect(&[
        (
            r#"v0: fixture.Callbacks$Everything = implement fixture.Callbacks$Everything { }
               v1: java.lang.String = call fixture.Callbacks.all(fixture.Callbacks$Everything v0): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            r#""false 0 0 0 0 0 0.0 0.0 null null""#,
        ),
        (
            r#"v0: fixture.Callbacks$Everything = implement fixture.Callbacks$Everything {
                 fixture.Callbacks$Everything.z(): boolean { return true }
                 fixture.Callbacks$Everything.b(): byte { return 1b }
                 fixture.Callbacks$Everything.c(): char { return 'c' }
                 fixture.Callbacks$Everything.s(): short { return 2b }
                 fixture.Callbacks$Everything.i(v1: int, v2: long, v3: double, v4: java.lang.Object): int {
                   v5: double[] = array double {v1, v2, v3}
                   v6: double = load v5[2]
                   v7: int = cast v6
                   return v7
                 }
                 fixture.Callbacks$Everything.j(): long { return 'a' }
                 fixture.Callbacks$Everything.f(): float { return 3 }
                 fixture.Callbacks$Everything.d(): double { return 4L }
                 fixture.Callbacks$Everything.l(): java.lang.String { return "l" }
                 fixture.Callbacks$Everything.array(): int[] { v8: int[] = array int {5} return v8 }
                 fixture.Callbacks$Everything.v() { }
               }
               v9: java.lang.String = call fixture.Callbacks.all(fixture.Callbacks$Everything v0): java.lang.String
               call fixture.Show.show(java.lang.Object v9)"#,
            r#""true 1 99 2 3 97 3.0 4.0 l int[] {Integer 5}""#,
        ),
        (
            // A body that never gave a value where a number must be.
            r#"v0: fixture.Callbacks$Everything = implement fixture.Callbacks$Everything {
                 fixture.Callbacks$Everything.j(): long { v1: java.lang.Long = null(java.lang.Long) return v1 }
               }
               v9: java.lang.String = call fixture.Callbacks.all(fixture.Callbacks$Everything v0): java.lang.String"#,
            "1: NullPointerException [test Callbacks.all]",
        ),
    ]);
}

#[test]
fn subclasses() {
    expect(&[
        (
            // The superclass's constructor calls a body, which sees captured variables; package members are overridden.
            r#"v0: java.lang.String = "seen"
               v1: fixture.Callbacks$Base = subclass fixture.Callbacks$Base(int 4, java.lang.String "!") {
                 fixture.Callbacks$Base.describe(v2: int): java.lang.String { return v0 }
                 fixture.Callbacks$Base.inPackage(): int { return 8 }
               }
               v3: java.lang.String = call v1->fixture.Callbacks$Base.both(): java.lang.String
               call fixture.Show.show(java.lang.Object v3)"#,
            r#""seen! seen 8""#,
        ),
        (
            r#"v1: fixture.Callbacks$Hidden = subclass fixture.Callbacks$Hidden() {
                 fixture.Callbacks$Hidden.get(): java.lang.Object this v2 { return v2 }
               }
               v3: java.lang.Object = package call v1->fixture.Callbacks$Hidden.open(): java.lang.Object
               v4: boolean = call v3->java.lang.Object.equals(java.lang.Object v1): boolean
               call fixture.Show.show(java.lang.Object v4)"#,
            "Boolean true",
        ),
        (
            r#"v1: java.util.AbstractList = subclass java.util.AbstractList() {
                 java.util.AbstractList.get(v2: int): java.lang.Object { return v2 }
                 java.util.AbstractCollection.size(): int { return 3 }
               }
               v3: java.lang.String = call v1->java.lang.Object.toString(): java.lang.String
               call fixture.Show.show(java.lang.Object v3)"#,
            r#""[0, 1, 2]""#,
        ),
        (
            r#"v1: fixture.Callbacks$Base = subclass fixture.Callbacks$Base(int 4, java.lang.String "!") {
                 fixture.Callbacks$Base.describe(v2: int): java.lang.String { call fixture.Callbacks.fail(java.lang.String "in constructor") }
               }"#,
            r#"0: IllegalArgumentException "in constructor" [Callbacks.fail test Callbacks$Base.<init>]"#,
        ),
    ]);
}

#[test]
fn exceptions_are_swallowed_or_kept() {
    expect(&[
        (
            r#"try { call fixture.Callbacks.fail(java.lang.String "swallowed") } swallow
               call fixture.Show.show(java.lang.Object "reached")"#,
            r#""reached""#,
        ),
        (
            r#"v0: java.util.ArrayList = collect ArrayList []
               try {
                 call fixture.Callbacks.fail(java.lang.String "kept")
                 call v0->java.util.List.clear()
               } rethrow
               try { call fixture.Callbacks.fail(java.lang.String "second") } rethrow
               call v0->java.util.List.add(java.lang.Object 1): boolean"#,
            r#"1: IllegalArgumentException "kept" [Callbacks.fail]"#,
        ),
        (
            r#"try { call fixture.Callbacks.fail(java.lang.String "kept") } rethrow
               call fixture.Callbacks.fail(java.lang.String "wins")"#,
            r#"1: IllegalArgumentException "wins" [Callbacks.fail]"#,
        ),
        (
            r#"v0: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                 java.util.concurrent.Callable.call(): java.lang.Object {
                   try { call fixture.Callbacks.fail(java.lang.String "in callback") } rethrow
                   return "fine"
                 }
               }
               v1: java.lang.Object = call fixture.Callbacks.callSwallowing(java.util.concurrent.Callable v0): java.lang.Object
               v2: int = call v1->java.lang.Object.hashCode(): int"#,
            r#"1: IllegalArgumentException "in callback" [Callbacks.fail test Callbacks.callSwallowing]"#,
        ),
    ]);
}

#[test]
fn threads() {
    expect(&[
        (
            r#"v0: java.lang.Thread = call java.lang.Thread.currentThread(): java.lang.Thread
               v1: java.util.ArrayList = collect ArrayList []
               thread {
                 v2: java.lang.Thread = call java.lang.Thread.currentThread(): java.lang.Thread
                 v3: boolean = call v0->java.lang.Object.equals(java.lang.Object v2): boolean
                 call v1->java.util.List.add(java.lang.Object v3): boolean
               }
               call fixture.Show.show(java.lang.Object v1)"#,
            "ArrayList [false]",
        ),
        (
            r#"v0: int = 1
               thread { call fixture.Callbacks.fail(java.lang.String "in thread") }"#,
            r#"1: IllegalArgumentException "in thread" [Callbacks.fail]"#,
        ),
        (
            r#"try { thread { call fixture.Callbacks.fail(java.lang.String "in thread") } } swallow
               call fixture.Show.show(java.lang.Object "after")"#,
            r#""after""#,
        ),
    ]);
}

#[test]
fn loops() {
    expect(&[
        (
            r#"v0: java.util.ArrayList = collect ArrayList []
               repeat 3 { call v0->java.util.List.add(java.lang.Object "x"): boolean }
               call fixture.Show.show(java.lang.Object v0)"#,
            "ArrayList [x, x, x]",
        ),
        (
            r#"v0: java.lang.String = repeat 3 from "x" as v1: java.lang.String {
                 v2: java.lang.String = call v1->java.lang.String.concat(java.lang.String v1): java.lang.String
                 next v2
               }
               call fixture.Show.show(java.lang.Object v0)"#,
            r#""xxxxxxxx""#,
        ),
        (
            r#"v0: java.lang.Object = repeat 0 from 7 as v1: java.lang.Object { next "never" }
               call fixture.Show.show(java.lang.Object v0)"#,
            "Integer 7",
        ),
        // What the last turn carries on is of no use to the variables of the next.
        (
            r#"v0: java.util.ArrayList = collect ArrayList []
               v1: int = repeat 2 from 1 as v2: int {
                 v3: int = repeat 2 from v2 as v4: int {
                   v5: int = call java.lang.Math.addExact(int v4, int v4): int
                   call v0->java.util.List.add(java.lang.Object v5): boolean
                   next v5
                 }
                 next v3
               }
               call v0->java.util.List.add(java.lang.Object v1): boolean
               call fixture.Show.show(java.lang.Object v0)"#,
            "ArrayList [2, 4, 8, 16, 16]",
        ),
        // A callback keeps the variables of the turn that made it.
        (
            r#"v0: java.util.ArrayList = collect ArrayList []
               v1: java.util.ArrayList = collect ArrayList []
               v2: int = repeat 3 from 1 as v3: int {
                 v4: java.util.concurrent.Callable = lambda java.util.concurrent.Callable {
                   java.util.concurrent.Callable.call(): java.lang.Object { return v3 }
                 }
                 call v0->java.util.List.add(java.lang.Object v4): boolean
                 v5: int = call java.lang.Math.addExact(int v3, int 1): int
                 next v5
               }
               v6: java.lang.Object = call v0->java.util.List.get(int 0): java.lang.Object
               v7: java.util.concurrent.Callable = cast v6
               v8: java.lang.Object = call v7->java.util.concurrent.Callable.call(): java.lang.Object
               call fixture.Show.show(java.lang.Object v8)"#,
            "Integer 1",
        ),
        (
            r#"v0: int = 1
               repeat 3 { call fixture.Callbacks.fail(java.lang.String "in loop") }"#,
            r#"1: IllegalArgumentException "in loop" [Callbacks.fail]"#,
        ),
        (
            r#"v0: java.util.ArrayList = collect ArrayList []
               repeat 2 {
                 try {
                   repeat 2 {
                     call v0->java.util.List.add(java.lang.Object 1): boolean
                     call fixture.Callbacks.fail(java.lang.String "in loop")
                   }
                 } swallow
                 call v0->java.util.List.add(java.lang.Object 2): boolean
               }
               call fixture.Show.show(java.lang.Object v0)"#,
            "ArrayList [1, 2, 1, 2]",
        ),
        // A chain that is too long for the stack.
        (
            r#"v0: java.io.ByteArrayInputStream = stream ByteArrayInputStream "x"
               v1: java.io.InputStream = repeat 100000 from v0 as v2: java.io.InputStream {
                 v3: java.io.PushbackInputStream = new java.io.PushbackInputStream(java.io.InputStream v2)
                 next v3
               }
               v4: int = call v1->java.io.InputStream.available(): int"#,
            "2: StackOverflowError []",
        ),
    ]);
}

#[test]
fn threads_together() {
    expect(&[
        // Each waits for the other, so both run at the same time.
        (
            r#"v0: java.util.concurrent.CyclicBarrier = new java.util.concurrent.CyclicBarrier(int 2)
               v1: java.util.Vector = new java.util.Vector()
               together {
                 v2: int = call v0->java.util.concurrent.CyclicBarrier.await(): int
                 call v1->java.util.Vector.add(java.lang.Object "x"): boolean
               } and {
                 v3: int = call v0->java.util.concurrent.CyclicBarrier.await(): int
                 repeat 2 { call v1->java.util.Vector.add(java.lang.Object "x"): boolean }
               }
               call fixture.Show.show(java.lang.Object v1)"#,
            "Vector [x, x, x]",
        ),
        (
            r#"v0: int = 1
               together { v1: int = 2 } and { call fixture.Callbacks.fail(java.lang.String "together") } and { }"#,
            r#"1: IllegalArgumentException "together" [Callbacks.fail]"#,
        ),
        // The second throws when the thread of the first has ended.
        (
            r#"v0: java.util.concurrent.CountDownLatch = new java.util.concurrent.CountDownLatch(int 1)
               v1: java.lang.Thread[] = array java.lang.Thread[1]
               together {
                 call v0->java.util.concurrent.CountDownLatch.await()
                 v2: java.lang.Thread = load v1[0]
                 call v2->java.lang.Thread.join()
                 call fixture.Callbacks.fail(java.lang.String "second")
               } and {
                 v3: java.lang.Thread = call java.lang.Thread.currentThread(): java.lang.Thread
                 store v1[0] = v3
                 call v0->java.util.concurrent.CountDownLatch.countDown()
                 call fixture.Callbacks.fail(java.lang.String "first")
               }
               call fixture.Show.show(java.lang.Object "never")"#,
            r#"2: IllegalArgumentException "first" [Callbacks.fail]"#,
        ),
        (
            r#"try { together { call fixture.Callbacks.fail(java.lang.String "gone") } } swallow
               call fixture.Show.show(java.lang.Object "after")"#,
            r#""after""#,
        ),
        (
            "together { call fixture.Missing.call() } and { v0: int = 1 }",
            "unlinkable: class fixture.Missing is missing",
        ),
    ]);
}

#[test]
fn files_and_streams() {
    expect(&[
        (
            r#"v0: java.io.File = file "a.txt" "é" * 2
               v1: java.lang.String = call fixture.Files.read(java.io.File v0): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            "\"Ã©Ã©\"",
        ),
        (
            r#"v0: java.io.File = directory { "x/y.bin" bytes "4142" "z" "text" }
               v1: java.lang.String = call fixture.Files.read(java.io.File v0): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            r#""x(y.bin(AB))z(text)""#,
        ),
        (
            r#"v0: java.io.ByteArrayInputStream = stream ByteArrayInputStream bytes "00ff"
               v1: java.lang.String = call fixture.Files.read(java.io.InputStream v0): java.lang.String
               v2: java.io.ByteArrayInputStream = stream ByteArrayInputStream "a"
               v3: java.lang.String = call fixture.Files.read(java.io.InputStream v2): java.lang.String
               v4: java.io.StringReader = stream StringReader "text"
               v5: java.lang.String = call fixture.Files.read(java.io.Reader v4): java.lang.String
               v6: java.io.BufferedReader = stream BufferedReader "line"
               v7: java.lang.String = call fixture.Files.read(java.io.Reader v6): java.lang.String
               v8: java.lang.String[] = array java.lang.String {v1, v3, v5, v7}
               call fixture.Show.show(java.lang.Object v8)"#,
            r#"String[] {"0 255", "97", "StringReader text", "BufferedReader line"}"#,
        ),
        (
            // The directory of the candidates before is empty again.
            r#"v0: java.io.File = directory { }
               v1: java.lang.String = call fixture.Files.read(java.io.File v0): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            r#""""#,
        ),
    ]);
}

#[test]
fn the_environment_is_set_and_put_back() {
    let show = "v0: java.lang.String = call fixture.Files.environment(): java.lang.String
                call fixture.Show.show(java.lang.Object v0)";
    let changed = format!("property \"some.key\" = \"value\" locale \"tr-TR\" zone \"Asia/Tokyo\" {show}");
    let removed = format!("property \"some.key\" = \"value\" property \"some.key\" unset {show}");
    for jdk in super::jdks() {
        let outcomes = super::run_on(&jdk, &[show, &changed, show, &removed, show]);
        let shown: Vec<String> = outcomes.iter().map(|outcome| super::summary(&outcome.end)).collect();
        assert_eq!(shown[1], "\"value tr_TR Asia/Tokyo\"");
        assert!(shown[0].starts_with("\"null "), "{}", shown[0]);
        assert_eq!([&shown[2], &shown[3], &shown[4]], [&shown[0]; 3]);
    }
}

const DECLARED: &str = r#"
    @fixture.Reflect$Mark(value = "class", numbers = [1, 2])
    declare class Row implements java.lang.Comparable {
      @fixture.Reflect$Mark(type = class int[], colour = enum fixture.Members$Colour.GREEN)
      field id: long = 7
      field names: java.util.List signature "Ljava/util/List<Ljava/lang/String;>;"
      field static count: int = 3
      @fixture.Reflect$Mark(inner = @fixture.Reflect$Mark$Inner(c = 'y'))
      method set(@fixture.Reflect$Mark(value = "param") v0: long, v1: java.lang.Object[]...): java.lang.String this v2 {
        put v2->reenact.user.Row.id: long = v0
        v3: int = get reenact.user.Row.count: int
        put reenact.user.Row.count: int = 100
        v4: java.lang.String = call java.lang.String.valueOf(int v3): java.lang.String
        return v4
      }
    }
"#;

#[test]
fn declared_classes() {
    let described = format!(
        "{DECLARED} v10: java.lang.String = call fixture.Reflect.describe(java.lang.Class class reenact.user.Row): java.lang.String
         call fixture.Show.show(java.lang.Object v10)"
    );
    let used = format!(
        r#"{DECLARED} v10: reenact.user.Row = new reenact.user.Row()
           v11: java.lang.Object[] = array java.lang.Object {{null(java.lang.String)}}
           v12: java.lang.Object[] = array java.lang.Object {{9L, v11}}
           v13: java.lang.Object = call fixture.Reflect.call(java.lang.Object v10, java.lang.String "set", java.lang.Object[] v12): java.lang.Object
           v14: long = get v10->reenact.user.Row.id: long
           v15: int = get reenact.user.Row.count: int
           v16: int = call v10->java.lang.Comparable.compareTo(java.lang.Object v10): int
           v17: java.lang.Object[] = array java.lang.Object {{v13, v14, v15, v16}}
           call fixture.Show.show(java.lang.Object v17)"#
    );
    let shown = r#"Object[] {"3", Long 9, Integer 100, Integer 0}"#;
    expect(&[
        (
            &described,
            "\"class public Row @class[1, 2]ObjectREDx; field public java.util.List<java.lang.String> names; \
             field public long id @[]int[]GREENx; field public static int count; \
             method compareTo[class java.lang.Object] /; \
             method varargs set[long, class [Ljava.lang.Object;] @[]ObjectREDy / @param[]ObjectREDx /\"",
        ),
        // Twice: static fields start anew.
        (&used, shown),
        (&used, shown),
    ]);
}

#[test]
fn declared_classes_have_type_parameters() {
    let classes = r#"
        declare class Node signature "<T::Ljava/lang/Comparable<-TT;>;>Ljava/lang/Object;" {
          field items: java.util.List signature "Ljava/util/List<+TT;>;"
        }
        declare class Self signature "<T:Lreenact/user/Self<TT;>;>Ljava/lang/Object;" { }
        declare class Leaf signature "Lreenact/user/Self<Lreenact/user/Leaf;>;Ljava/lang/Comparable<Lreenact/user/Leaf;>;"
          extends reenact.user.Self implements java.lang.Comparable { }"#;
    // Workers keep classes of different recipes apart by a package for each set of them.
    let shows = |said: &str| {
        format!(
            r#"{classes} {said}
               v9: java.lang.String = call v8->java.lang.String.replaceAll(java.lang.String "set[0-9a-f]+[.]", java.lang.String ""): java.lang.String
               call fixture.Show.show(java.lang.Object v9)"#
        )
    };
    let bound = |class: &str| {
        shows(&format!(
            "v0: java.lang.reflect.TypeVariable[] = call class reenact.user.{class}->java.lang.Class.getTypeParameters(): java.lang.reflect.TypeVariable[]
             v1: java.lang.reflect.TypeVariable = load v0[0]
             v2: java.lang.reflect.Type[] = call v1->java.lang.reflect.TypeVariable.getBounds(): java.lang.reflect.Type[]
             v3: java.lang.reflect.Type = load v2[0]
             v8: java.lang.String = call v3->java.lang.reflect.Type.getTypeName(): java.lang.String"
        ))
    };
    let above = shows(
        "v0: java.lang.reflect.Type = call class reenact.user.Leaf->java.lang.Class.getGenericSuperclass(): java.lang.reflect.Type
         v8: java.lang.String = call v0->java.lang.reflect.Type.getTypeName(): java.lang.String",
    );
    let field = shows(
        "v0: java.lang.reflect.Field = call class reenact.user.Node->java.lang.Class.getField(java.lang.String \"items\"): java.lang.reflect.Field
         v1: java.lang.reflect.Type = call v0->java.lang.reflect.Field.getGenericType(): java.lang.reflect.Type
         v8: java.lang.String = call v1->java.lang.reflect.Type.getTypeName(): java.lang.String",
    );
    expect(&[
        (&bound("Node"), r#""java.lang.Comparable<? super T>""#),
        (&bound("Self"), r#""reenact.user.Self<T>""#),
        (&above, r#""reenact.user.Self<reenact.user.Leaf>""#),
        (&field, r#""java.util.List<? extends T>""#),
    ]);
}

#[test]
fn declared_classes_of_other_kinds() {
    expect(&[
        (
            r#"declare class StringToken signature "Lfixture/Reflect$Token<Ljava/util/List<Ljava/lang/String;>;>;" extends fixture.Reflect$Token { }
               v0: reenact.user.StringToken = new reenact.user.StringToken()
               v1: java.lang.String = call v0->fixture.Reflect$Token.captured(): java.lang.String
               call fixture.Show.show(java.lang.Object v1)"#,
            r#""java.util.List<java.lang.String>""#,
        ),
        (
            r#"declare interface Constants {
                 field static A: int = 5
                 field static B: java.lang.String = "b" * 3
                 field static C: java.lang.Object = class int
                 field static D: double = 1
                 field static E: java.lang.Object = enum fixture.Members$Colour.RED
                 method f(v8: int): long { }
               }
               declare class Made implements reenact.user.Constants {
                 field x: int = 1
                 method `<init>`(v0: int) this v1 {
                   v2: int = get v1->reenact.user.Made.x: int
                   v3: int[] = array int {v0, v2}
                   v4: int = load v3[0]
                   put v1->reenact.user.Made.x: int = v4
                 }
                 method f(v5: int): long this v6 { return v5 }
                 method static s(v7: java.lang.Object): java.lang.Object { return v7 }
               }
               v20: reenact.user.Made = new reenact.user.Made(int 42)
               v21: int = get v20->reenact.user.Made.x: int
               v22: long = call v20->reenact.user.Constants.f(int 6): long
               v23: java.lang.Object = call reenact.user.Made.s(java.lang.Object 'q'): java.lang.Object
               v24: int = get reenact.user.Constants.A: int
               v25: java.lang.String = get reenact.user.Constants.B: java.lang.String
               v26: java.lang.Object = get reenact.user.Constants.C: java.lang.Object
               v27: double = get reenact.user.Constants.D: double
               v28: java.lang.Object = get reenact.user.Constants.E: java.lang.Object
               v29: java.lang.Object[] = array java.lang.Object {v21, v22, v23, v24, v25, v26, v27, v28}
               call fixture.Show.show(java.lang.Object v29)"#,
            r#"Object[] {Integer 42, Long 6, 'q', Integer 5, "bbb", Class int, Double 1.0, Colour RED}"#,
        ),
        (
            // Another class of the same name in the same worker, and a frame of its method.
            r#"declare class Made { method fail() { call fixture.Callbacks.fail(java.lang.String "declared") } }
               v0: reenact.user.Made = new reenact.user.Made()
               v1: java.lang.Object[] = array java.lang.Object {}
               v2: java.lang.Object = call fixture.Reflect.call(java.lang.Object v0, java.lang.String "fail", java.lang.Object[] v1): java.lang.Object"#,
            r#"2: IllegalArgumentException "declared" [Callbacks.fail test Reflect.call]"#,
        ),
    ]);
}
