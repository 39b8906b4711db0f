//! The text form: how it looks, odd names, and what the reader says to nonsense.

use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::{Access, Action, Arg, Block, JavaString, Literal, Recipe, Stmt, Text, parse};

/// Every kind of statement, as the printer lays it out.
const ALL: &str = r#"@java.lang.Deprecated
@x.Table(name = "t", columns = [@x.Column(of = class int[]), 3])
declare class Row signature "Lx/Base<Ljava/lang/String;>;" extends x.Base implements java.io.Serializable, x.Other {
  @x.Id field id: long = 7L
  field static names: java.util.List signature "Ljava/util/List<Ljava/lang/String;>;"
  method `<init>`(v0: int) this v1 {
    put v1->reenact.user.Row.id: long = v0
  }
  @x.Run method static main(@x.Arg v2: java.lang.String[]...): int signature "([TT;)I" {
    return 1
  }
}
declare interface Plain {
}
v3: java.util.HashMap = new java.util.HashMap(int 16)
v4: java.lang.Object = call v3->java.util.Map.put(java.lang.Object "key", java.lang.Object null(java.lang.String)): java.lang.Object
call "abc"->java.lang.String.length(): int
package call a.B.c()
v5: int = reflective get a.B.d: int
put v3->a.B.e: float = -1.5f
v6: int[][] = array int[][2]
v7: int[] = array int {1, -2, 3}
store v6[0] = v7
v8: int = load v7[-1]
v9: java.util.TreeMap = collect TreeMap [1, "one", 2, 'b']
v10: java.util.Map = cast v9
v11: java.util.Comparator = lambda java.util.Comparator {
  java.util.Comparator.compare(v12: java.lang.Object, v13: java.lang.Object): int {
    call v3->java.util.Map.clear()
    return 0
  }
}
v14: java.util.AbstractList = subclass java.util.AbstractList() {
  java.util.AbstractList.get(v15: int): java.lang.Object this v16 {
    return v16
  }
  java.util.AbstractList.clear() {
    v37: java.lang.Error = new java.lang.Error()
    keep v37
  }
  java.util.AbstractCollection.size(): int {
    v36: java.lang.Error = new java.lang.Error()
    throw v36
  }
}
try {
  thread {
    v17: long = 1L
  }
} swallow
try {
} rethrow
repeat 100 {
  package call a.B.c()
}
v31: java.lang.Object = repeat 2147483647 from v3 as v32: java.lang.Object {
  v33: java.lang.Object = new java.lang.Object()
  next v33
}
together {
  repeat 0 from 1 as v34: int {
    next 2
  }
} and {
} and {
  v35: int = 3
}
v18: java.io.File = file "a.txt" "[" * 1000 + "]"
v19: java.io.File = directory { "x/y" bytes "00ff" "z" "" }
v38: java.io.File = link v18
unreadable v18
unwritable v38
delete v18
capture
v20: java.io.StringReader = stream StringReader "text"
property "key" = "value"
property "key" unset
locale "tr-TR"
zone "Asia/Tokyo"
v21: java.util.concurrent.TimeUnit = enum java.util.concurrent.TimeUnit.DAYS
v22: java.lang.Object = enum a.B.C: a.D
v23: java.lang.Class = class a.B[]
v24: double = NaNd
v25: double = NaNd(9218868437227405313)
v26: float = -Infinityf
v27: byte = -1b
v28: short = 2s
v29: char = '\''
v30: java.lang.String = "tab\t quote\" lone\u{d800} smile\u{1f600} bell\u{7} ä"
"#;

#[test]
fn every_kind_of_statement_reads_as_it_is_printed() {
    let recipe = parse(ALL).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(recipe.to_string(), ALL);
}

#[test]
fn line_ends_and_comments_mean_nothing() {
    let one_line = parse("v0: int = 1 # one\nv1: int = cast v0 try { v2: int = 2 } swallow").unwrap();
    let many = parse("v0:\nint\n=\n1\nv1: int = cast\nv0\ntry\n{ # start\nv2: int = 2 }\nswallow").unwrap();
    assert_eq!(one_line, many);
}

#[test]
fn odd_names_round_trip() {
    let names =
        ["int", "v1", "null", "class", "a b", "`", "\\", "été", "-", "9", "", "->", "<clinit>", "\u{1f600}", "new"];
    for name in names {
        let class = format!("odd/{name}");
        let stmts = [
            Action::Call {
                method: MethodRef::new(&class, name, "(I)V"),
                receiver: None,
                args: vec![Arg::Literal(Literal::Int(1))],
                access: Access::Public,
            },
            Action::GetField { field: FieldRef::new(name, name, "I"), receiver: None, access: Access::Package },
            Action::Literal(Literal::Class(Type::Class(ClassName::internal(name)))),
            Action::Literal(Literal::Class(Type::array_of(Type::class(name)))),
            Action::SetProperty { key: JavaString::new(name), value: None },
            Action::Literal(Literal::String(Text::plain(name))),
        ];
        let stmts = stmts.map(|action| Stmt { def: None, action }).to_vec();
        let recipe = Recipe { classes: Vec::new(), body: Block { stmts } };
        let text = recipe.to_string();
        assert_eq!(parse(&text), Ok(recipe), "{text}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("v0: int = ", "line 1, column 11: expected a literal, found the end"),
        ("v0: int = frobnicate v1", "line 1, column 11: expected an action or a literal, found `frobnicate`"),
        ("call foo()", "line 1, column 6: expected a class and a member of it, found `foo`"),
        ("\n  v0 int = 1", "line 2, column 6: expected `:`, found `int`"),
        ("try { } ", "line 1, column 9: expected `swallow` or `rethrow`, found the end"),
        ("repeat 2 from 1 as v0: int { }", "line 1, column 30: expected `next`, found `}`"),
        ("repeat 2 { next 1 }", "line 1, column 12: expected `}`, found `next`"),
        ("repeat -1 { }", "line 1, column 8: expected a whole number, found `-1`"),
        ("together", "line 1, column 9: expected `{`, found the end"),
        ("v0: int = 99999999999", "line 1, column 11: expected a number, found `99999999999`"),
        ("v0: char = 'ab'", "line 1, column 12: a character literal holds one UTF-16 unit"),
        ("v0: java.lang.String = \"x", "line 1, column 24: the closing quote is missing"),
        ("v0: java.lang.String = \"\\x\"", "line 1, column 24: unknown escape"),
        (
            "v0: java.io.File = file \"a\" bytes \"0\"",
            "line 1, column 35: expected two hexadecimal digits for each byte, found a string",
        ),
        ("reflective cast v0", "line 1, column 12: expected `new`, `call`, `get` or `put`, found `cast`"),
        (
            "collect Bag []",
            "line 1, column 9: expected one of [AsList, ArrayList, LinkedList, HashSet, LinkedHashSet, TreeSet, HashMap, LinkedHashMap, TreeMap, Properties], found `Bag`",
        ),
        ("@x.Y v0: int = 1", "line 1, column 6: expected `declare`, found `v0`"),
        ("v0: int = 1 }", "line 1, column 13: expected a statement, found `}`"),
        ("%", "line 1, column 1: this character has no meaning"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn deep_nesting_is_refused_and_not_our_end() {
    let deep = "try {".repeat(100_000);
    assert!(parse(&deep).unwrap_err().to_string().contains("nested less deeply"));
    let deep = format!("@x.Y(z = {}", "[".repeat(100_000));
    assert!(parse(&deep).unwrap_err().to_string().contains("nested less deeply"));
}
