//! One ill-typed recipe per rule of the checker.

use recipe::testing::jdk;
use recipe::{check, parse};

/// The first error of the recipe, or `well typed`.
fn verdict(text: &str) -> String {
    let recipe = parse(text).unwrap_or_else(|e| panic!("{e} in {text}"));
    match check(&recipe, jdk()) {
        Ok(()) => "well typed".to_owned(),
        Err(errors) => errors[0].to_string(),
    }
}

#[test]
fn each_rule_refuses() {
    let cases = [
        // Scoping and single assignment.
        ("v0: java.lang.Object = cast v1", "statement 0: variable v1 is not in scope"),
        ("v0: int = 1 v0: int = 2", "statement 1: variable v0 is defined twice"),
        ("try { v0: int = 1 } swallow v1: int = cast v0", "statement 1: variable v0 is not in scope"),
        ("try { v0: int = 1 } swallow try { v0: int = 1 } swallow", "statement 1.0/0: variable v0 is defined twice"),
        (
            "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() { v1: int = cast v0 } }",
            "statement 0.0/0: variable v0 is not in scope",
        ),
        // Definitions.
        (
            "v0: int = call java.util.Arrays.fill(int[] null(int[]), int 0, int 0, int 0)",
            "statement 0: the action has no value to define a variable with",
        ),
        ("v0: long = 1", "statement 0: a value of type int does not fit a variable of type long"),
        (
            "v0: java.util.List = new java.util.HashMap()",
            "statement 0: a value of type java.util.HashMap does not fit a variable of type java.util.List",
        ),
        ("cast 1", "statement 0: a cast needs a variable to say its type"),
        ("v0: boolean = cast 1", "statement 0: int cannot be cast to boolean"),
        (
            "v0: java.util.List = null(int)",
            "statement 0: a value of type int does not fit a variable of type java.lang.Object",
        ),
        // Arguments.
        (
            "v0: java.util.ArrayList = new java.util.ArrayList(int 1L)",
            "statement 0: argument 0 of type long does not fit int",
        ),
        (
            "v0: java.util.ArrayList = new java.util.ArrayList(java.util.Collection null(java.lang.Object))",
            "statement 0: argument 0 of type java.lang.Object does not fit java.util.Collection",
        ),
        ("v0: int[] = array int {1, true}", "statement 0: argument 1 of type boolean does not fit int"),
        (
            "v0: java.util.HashMap = collect HashMap [1]",
            "statement 0: a map needs a value for each key, 1 elements are odd",
        ),
        // Exceptions that are kept for the end.
        ("thread { capture }", "statement 0.0/0: what ends threads is kept from a statement of the test itself on"),
        (
            "v0: java.lang.Throwable = new java.lang.Throwable() keep v0",
            "statement 1: only methods of callbacks keep exceptions",
        ),
        (
            "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() { keep \"text\" } }",
            "statement 0.0/0: argument 0 of type java.lang.String does not fit java.lang.Throwable",
        ),
        (
            "capture v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() { v1: java.lang.Throwable = new java.lang.Throwable() keep v1 } }",
            "well typed",
        ),
        // Files.
        ("delete \"a.txt\"", "statement 0: argument 0 of type java.lang.String does not fit java.io.File"),
        // Receivers.
        (
            "call null(java.lang.String)->java.lang.String.length(): int",
            "statement 0: the receiver of java.lang.String.length() is null",
        ),
        (
            "call 1->java.lang.Integer.intValue(): int",
            "statement 0: a receiver of type int has no java.lang.Integer.intValue()",
        ),
        (
            "v0: java.lang.Object = new java.lang.Object() call v0->java.util.List.size(): int",
            "statement 1: a receiver of type java.lang.Object has no java.util.List.size()",
        ),
        ("get 1->a.B.c: int", "statement 0: a receiver of type int has no a.B.c"),
        ("call a.B.`<init>`()", "statement 0: a.B.<init>() cannot be called as a method"),
        // Arrays.
        ("v0: java.lang.Object = new java.lang.Object() load v0[0]", "statement 1: java.lang.Object is not an array"),
        ("v0: int[] = array int[3] store v0[0] = 1.5d", "statement 1: argument 0 of type double does not fit int"),
        // Callbacks.
        ("v0: java.util.Iterator = lambda java.util.Iterator { }", "statement 0: a lambda has one method, not 0"),
        (
            "v0: java.lang.Runnable = implement java.lang.Runnable { java.util.Iterator.hasNext(): boolean { return true } }",
            "statement 0: java.lang.Runnable has no method java.util.Iterator.hasNext()",
        ),
        (
            "v0: java.lang.Runnable = implement java.lang.Runnable { java.lang.Runnable.run() { } java.lang.Runnable.run() { } }",
            "statement 0: java.lang.Runnable.run() has two bodies",
        ),
        (
            "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() { return 1 } }",
            "statement 0.0/0: java.lang.Runnable.run() gives no value back",
        ),
        (
            "v0: java.util.Comparator = lambda java.util.Comparator {
               java.util.Comparator.compare(v1: java.lang.Object, v2: java.lang.Object): int { return v1 } }",
            "statement 0.0/0: a result of type java.lang.Object does not fit int",
        ),
        (
            "v0: java.lang.Object = subclass a.B(int true) { }",
            "statement 0: argument 0 of type boolean does not fit int",
        ),
        (
            "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() {
               v1: java.lang.Throwable = new java.lang.Throwable() throw v1 call java.lang.System.gc() } }",
            "statement 0.0/1: only the last statement of a method throws",
        ),
        (
            "v0: java.lang.Throwable = new java.lang.Throwable() thread { throw v0 }",
            "statement 1.0/0: only the last statement of a method throws",
        ),
        (
            "v0: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() { throw \"x\" } }",
            "statement 0.0/0: argument 0 of type java.lang.String does not fit java.lang.Throwable",
        ),
        // Loops and threads.
        (
            "repeat 2 from \"x\" as v0: int { next v0 }",
            "statement 0: a value of type java.lang.String does not fit a variable of type int",
        ),
        (
            "repeat 2 from 1 as v0: long { next v0 }",
            "statement 0: a value of type int does not fit a variable of type long",
        ),
        (
            "repeat 2 from 1 as v0: int { v1: java.lang.String = \"x\" next v1 }",
            "statement 0.0/1: a value of type java.lang.String does not fit a variable of type int",
        ),
        ("repeat 2 from v0 as v0: int { next v0 }", "statement 0: variable v0 is not in scope"),
        ("repeat 2 from 1 as v0: int { next v1 }", "statement 0.0/0: variable v1 is not in scope"),
        ("repeat 2 from 1 as v0: int { next v0 } v1: int = cast v0", "statement 1: variable v0 is not in scope"),
        ("v0: int = 1 repeat 2 from 1 as v0: int { next v0 }", "statement 1.0/0: variable v0 is defined twice"),
        (
            "v0: java.lang.String = repeat 2 from 1 as v1: int { next v1 }",
            "statement 0: a value of type int does not fit a variable of type java.lang.String",
        ),
        ("v0: int = repeat 2 { }", "statement 0: the action has no value to define a variable with"),
        ("repeat 2147483648 { }", "statement 0: 2147483648 turns are more than a Java loop counts"),
        ("v0: int = together { }", "statement 0: the action has no value to define a variable with"),
        ("together { v0: int = 1 } and { v1: int = cast v0 }", "statement 0.1/0: variable v0 is not in scope"),
        ("together { v0: int = 1 } v1: int = cast v0", "statement 1: variable v0 is not in scope"),
        // Streams and files.
        ("v0: java.io.StringReader = stream StringReader bytes \"00\"", "statement 0: a reader reads text, not bytes"),
        ("v0: java.io.File = file \"../x\" \"\"", "statement 0: `../x` is not a file name below its directory"),
        (
            "v0: java.io.File = directory { \"/etc/passwd\" \"\" }",
            "statement 0: `/etc/passwd` is not a file name below its directory",
        ),
        // Declared classes.
        (
            "declare class A {} declare class A {}",
            "statement class 1 method 0: 0: declared class reenact.user.A: is declared twice",
        ),
        (
            "declare class A extends reenact.user.B {}",
            "statement class 0 method 0: 0: declared class reenact.user.A: reenact.user.B is not declared before",
        ),
        (
            "declare class A { field x: int field x: long }",
            "statement class 0 method 0: 0: declared class reenact.user.A: field x is declared twice",
        ),
        (
            "declare class A { field x: int = \"1\" }",
            "statement class 0 method 0: 0: argument 0 of type java.lang.String does not fit int",
        ),
        (
            "declare class A { method f() {} method f() {} }",
            "statement class 0 method 0: 0: declared class reenact.user.A: method f()V is declared twice",
        ),
        (
            "declare class A { method static f() this v0 {} }",
            "statement class 0 method 0: 0: declared class reenact.user.A: method f is static and has no `this`",
        ),
        (
            "declare class A { method f(v0: int...) {} }",
            "statement class 0 method 0: 0: declared class reenact.user.A: method f has no array for `...`",
        ),
        (
            "declare interface A { method f(): int { return 1 } }",
            "statement class 0 method 0: 0: declared class reenact.user.A: method f has a body",
        ),
        (
            "declare interface A { field x: int }",
            "statement class 0 method 0: 0: declared class reenact.user.A: fields of an interface are static",
        ),
        (
            "declare class A { method f() { v0: int = cast v1 } }",
            "statement class 0 method 0: 0: variable v1 is not in scope",
        ),
        ("v0: reenact.user.A = new reenact.user.A()", "statement 0: reenact.user.A.<init>() is not declared"),
        (
            "declare class A { method `<init>`(v0: int) {} } v1: reenact.user.A = new reenact.user.A()",
            "statement 0: reenact.user.A.<init>() is not declared",
        ),
        (
            "declare interface A {} v0: reenact.user.A = new reenact.user.A()",
            "statement 0: reenact.user.A.<init>() is not declared",
        ),
        (
            "declare class A {} v0: reenact.user.A = new reenact.user.A() get v0->reenact.user.A.x: int",
            "statement 1: reenact.user.A.x is not declared",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(verdict(text), expected, "{text}");
    }
}

#[test]
fn what_java_allows_is_well_typed() {
    let cases = [
        "v0: java.lang.Object = 1",
        "v0: java.lang.Integer = call java.lang.Integer.valueOf(int 'c'): java.lang.Integer v1: int = cast v0",
        "v0: int[][] = array int[][2] store v0[0] = null(int[]) v1: java.lang.Object = load v0[0]",
        "v0: int[] = array int[1] call v0->java.lang.Object.toString(): java.lang.String",
        "v0: java.lang.Integer = 3 v1: double = call java.lang.Math.max(double v0, double 1f): double",
        "v0: java.lang.Object = \"x\" v1: char = cast v0",
        "v0: int = 1 thread { try { v1: long = cast v0 } rethrow }",
        "v0: java.lang.Object = repeat 3 from 1 as v1: java.lang.Object { next \"x\" } call v0->java.lang.Object.hashCode(): int",
        "v0: java.util.ArrayList = new java.util.ArrayList()
         v1: java.util.List = repeat 0 from v0 as v2: java.util.List {
           v3: java.util.List = call java.util.Collections.unmodifiableList(java.util.List v2): java.util.List
           next v3
         }",
        "v0: int = 1 together { repeat 9 { v1: int = cast v0 } } and { v2: int = cast v0 } and { }",
        "declare interface I { method f(v9: int) {} }
         declare class A implements reenact.user.I {
           field next: reenact.user.A
           method f(v0: int) this v1 { put v1->reenact.user.A.next: reenact.user.A = v1 }
         }
         v2: reenact.user.I = new reenact.user.A()
         call v2->reenact.user.I.f(int 3)
         call v2->java.lang.Object.toString(): java.lang.String",
    ];
    for text in cases {
        assert_eq!(verdict(text), "well typed", "{text}");
    }
}
