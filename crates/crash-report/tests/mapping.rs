//! Obfuscated traces with the mapping files they were made with.

use crash_report::mapping::Mapping;
use crash_report::parse;

#[track_caller]
fn check(mapping: &str, trace: &str, expected: &str) {
    let (mapping, problems) = Mapping::parse(mapping.as_bytes());
    assert!(problems.is_empty(), "{problems:?}");
    let mut report = parse(trace.as_bytes());
    mapping.deobfuscate(&mut report);
    let mut text = report.traces[0].throwable.to_string();
    for problem in &report.problems {
        text.push_str(&format!("{problem}\n"));
    }
    let unindent = |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(unindent(&text), unindent(expected));
}

const SHOP: &str = r#"
# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
org.shop.OrderException -> a.a:
org.shop.Orders -> a.b:
# {"id":"sourceFile","fileName":"Orders.kt"}
    int total -> a
    1:3:void place(int):12:14 -> a
    4:4:void org.shop.Stock.take():20:20 -> a
    4:4:void check(int):33 -> a
    4:4:void place(int):15 -> a
    9:9:void cancel():50:50 -> a
    void <init>() -> <init>
    void one() -> c
    void two(int) -> c
    7:7:int size():60 -> d
org.shop.Stock$Shelf -> a.c:
    void put() -> a
"#;

#[test]
fn classes_methods_and_lines() {
    check(
        SHOP,
        "Caused by: a.a: no\n\tat a.b.a(SourceFile:2)\n\tat a.b.<init>(Unknown Source)\n\tat a.c.a(SourceFile:8)\n\tat b.d.e(X.java:1)\n",
        "org.shop.OrderException: no
         at org.shop.Orders.place(Orders.kt:13)
         at org.shop.Orders.<init>(Orders.kt)
         at org.shop.Stock$Shelf.put(Stock.java:8)
         at b.d.e(X.java:1)
         line 1: the trace begins with `Caused by`; the exception around it is not in the text",
    );
}

#[test]
fn inlined_frames_come_back() {
    check(
        SHOP,
        "a.a\n\tat a.b.a(Unknown Source:4)\n\tat a.b.d(Unknown Source:7)\n",
        "org.shop.OrderException
         at org.shop.Stock.take(Stock.java:20)
         at org.shop.Orders.check(Orders.kt:33)
         at org.shop.Orders.place(Orders.kt:15)
         at org.shop.Orders.size(Orders.kt:60)",
    );
}

#[test]
fn a_frame_without_a_line_may_be_several_methods() {
    check(
        SHOP,
        "a.a\n\tat a.b.c(Unknown Source)\n\tat a.b.d(Unknown Source)\n\tat a.b.x(SourceFile:3)\n",
        "org.shop.OrderException
         at org.shop.Orders.one(Orders.kt)
         at org.shop.Orders.size(Orders.kt)
         at org.shop.Orders.x(Orders.kt)
         line 1: the mapping file has several methods for `a.b.c(Unknown Source)`; the first was taken",
    );
}

#[test]
fn common_frames_stay_common() {
    check(
        SHOP,
        "a.a: outer\n\tat a.b.a(S:9)\n\tat a.b.a(S:4)\nCaused by: a.a: inner\n\tat a.b.a(S:1)\n\t... 1 more\n",
        "org.shop.OrderException: outer
         at org.shop.Orders.cancel(Orders.kt:50)
         at org.shop.Stock.take(Stock.java:20)
         at org.shop.Orders.check(Orders.kt:33)
         at org.shop.Orders.place(Orders.kt:15)
         Caused by: org.shop.OrderException: inner
         at org.shop.Orders.place(Orders.kt:12)
         ... 3 more",
    );
}

#[test]
fn notes_of_r8_are_obeyed() {
    let mapping = r#"
some.Class -> a:
  4:4:void other.Class.inlinee():23:23 -> a
  4:4:void caller(other.Class):7 -> a
  # {'id':'com.android.tools.r8.rewriteFrame','conditions':['throws(Ljava/lang/NullPointerException;)'],'actions':['removeInnerFrames(1)']}
  1:1:void bridge():1:1 -> b
  # {"id":"com.android.tools.r8.synthesized"}
"#;
    let frames = "\tat a.a(SourceFile:4)\n\tat a.b(SourceFile:1)\n\tat a.a(SourceFile:4)\n";
    check(
        mapping,
        &format!("java.lang.NullPointerException\n{frames}"),
        "java.lang.NullPointerException
         at some.Class.caller(Class.java:7)
         at other.Class.inlinee(Class.java:23)
         at some.Class.caller(Class.java:7)",
    );
    check(
        mapping,
        &format!("java.lang.IllegalStateException\n{frames}"),
        "java.lang.IllegalStateException
         at other.Class.inlinee(Class.java:23)
         at some.Class.caller(Class.java:7)
         at other.Class.inlinee(Class.java:23)
         at some.Class.caller(Class.java:7)",
    );
}

#[test]
fn outlined_code_is_shown_where_it_was() {
    check(
        r#"
outline.Class -> a:
    1:2:int outline() -> a
# {"id":"com.android.tools.r8.outline"}
some.Class -> b:
    4:4:int foo():98:98 -> s
    5:5:int foo():100:100 -> s
    27:27:int bar():0:0 -> s
# {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La;a()I"}
"#,
        "java.io.IOException: INVALID\n\tat a.a(:1)\n\tat b.s(:27)\n",
        "java.io.IOException: INVALID
         at some.Class.foo(Class.java:98)",
    );
}

#[test]
fn lines_that_are_not_understood_are_reported() {
    let (mapping, problems) =
        Mapping::parse(b"garbage\norg.shop.A -> a:\n    1:x:void b():z -> c\n    void ok() -> d\n");
    assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(mapping.original_class("a"), Some("org.shop.A"));
    assert_eq!(Mapping::parse(b"").0.original_class("a"), None);
}
