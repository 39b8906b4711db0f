//! What methods are said to do, on small ones whose effects a reader can check (`watched/Own.java`), and where nothing can be said.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use analysis::{Effects, Limits, Methods};
use program::{Cache, ClassPath, FieldRef, Jdk, MethodRef, Program};
use std::path::Path;
use std::sync::Arc;

fn methods() -> Methods {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/watched/programs");
    let class_path = ClassPath::parse([programs]).unwrap();
    Methods::new(Arc::new(Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap().0))
}

/// Class and name of what is written, and the marks.
fn text(effects: &Effects) -> String {
    let named = |field: &FieldRef| format!("{}.{}", field.class, field.name);
    let mut parts: Vec<String> = effects.writes.fields.iter().chain(&effects.writes.statics).map(named).collect();
    parts.extend(effects.writes.arrays.iter().map(|component| format!("{component}[]")));
    let marks =
        [(effects.allocates, "allocates"), (effects.throws, "throws"), (effects.cut, "cut"), (effects.open, "open")];
    parts.extend(marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| (*mark).to_owned()));
    parts.join(" ")
}

#[test]
fn of_small_methods() {
    let methods = methods();
    let tree = "Own$Tree.depth Own$Tree.left Own$Tree.right allocates throws";
    let cases = [
        ("Own", "negated", "(I)I", ""),
        // Recursion, and through another method back.
        ("Own$Tree", "of", "(I)LOwn$Tree;", tree),
        ("Own$Tree", "mirrored", "(I)LOwn$Tree;", tree),
        // An initialiser that runs when the class is first used, and what it calls.
        ("Own$Cube", "note", "()V", "Own$Named.asked Own$Counter.count Own$Named.all Own$Started.yes throws"),
        ("Own$Square", "<init>", "(I)V", "Own$Square.side throws"),
        // Only what the handler does not take gets out: the array may be null.
        ("Own", "caught", "([II)I", "Own$Started.yes throws"),
        // All that classes below have, whether the program makes them or not.
        (
            "Own$Shape",
            "twice",
            "()I",
            "Own$Base.seen Own$Named.asked Own$Unused.never Own$Counter.count Own$Named.all Own$Started.yes int[] throws",
        ),
    ];
    for (class, name, descriptor, expected) in cases {
        let effects = methods.effects(MethodRef::new(class, name, descriptor));
        assert_eq!(text(&effects), expected, "{class}.{name}");
    }
}

#[test]
fn limits_and_unseen_code_are_said() {
    let methods = methods();
    let main = MethodRef::new("Own", "main", "([Ljava/lang/String;)V");
    let one = methods.effects_within(main, Limits { methods: 1, ..Limits::default() });
    assert!(one.cut && one.throws && !one.is_exact());
    let unwritten = FieldRef::new("Own$Unused", "never", "I");
    assert!(one.may_write(unwritten) && !one.writes.has(unwritten));
    let native = methods.effects(MethodRef::new("java/lang/Thread", "start0", "()V"));
    assert!(native.open && native.may_write(unwritten), "{native:?}");
    let missing = methods.effects(MethodRef::new("not/There", "m", "()V"));
    assert!(missing.open);
    // A lambda counts where it is called, and the JDK makes some of this interface.
    let apply = methods.effects(MethodRef::new("Own", "apply", "(Ljava/util/function/IntUnaryOperator;I)I"));
    assert!(apply.open && apply.writes.has(FieldRef::new("Own", "total", "I")), "{}", text(&apply));
}
