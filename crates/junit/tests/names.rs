//! Class files may have any text for a name. Whatever it is, the printed test has the tokens that it would have with another
//! name, and its literals mean the name.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use junit::{ClassFact, ClassFacts, FieldFact, Framework, MethodFact, Nesting, PrintOptions, Release, Style};
use program::classfile::Visibility;
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use proptest::prelude::*;
use recipe::{Access, Action, Arg, Block, Def, Literal, Recipe, Stmt, VarId};
use std::rc::Rc;

/// The names of one program: a class in a package, a method and a field of it.
#[derive(Clone, Debug)]
struct Names {
    package: String,
    class: String,
    method: String,
    field: String,
    header: String,
}

impl Names {
    fn all(name: &str) -> Names {
        let [package, class, method, field, header] = [name; 5].map(str::to_owned);
        Names { package, class, method, field, header }
    }

    fn class(&self) -> ClassName {
        ClassName::internal(&format!("{}/{}", self.package, self.class))
    }

    fn method(&self) -> MethodRef {
        MethodRef::new(self.class().as_internal(), &self.method, "(I)V")
    }

    fn field(&self) -> FieldRef {
        FieldRef { class: self.class(), name: Symbol::new(&self.field), descriptor: Symbol::new("I") }
    }

    fn recipe(&self) -> Recipe {
        let class = Type::Class(self.class());
        let literal = Stmt {
            def: Some(Def { var: VarId(0), ty: Type::class("java/lang/Class") }),
            action: Action::Literal(Literal::Class(class)),
        };
        let access = Access::Public;
        let get = Action::GetField { field: self.field(), receiver: None, access };
        let args = vec![Arg::Literal(Literal::Int(7))];
        let call = Action::Call { method: self.method(), receiver: None, args, access };
        let stmts = vec![literal, Stmt { def: None, action: get }, Stmt { def: None, action: call }];
        Recipe { classes: Vec::new(), body: Block { stmts } }
    }

    fn print(&self) -> String {
        let options = PrintOptions {
            framework: Framework::Main,
            style: Style::Red,
            release: Release(17),
            package: String::new(),
            class_name: "NamesTest".into(),
            method_name: "crash".into(),
            header: vec![self.header.clone()],
            refused: std::collections::BTreeSet::new(),
        };
        junit::print(&self.recipe(), self, &options).unwrap().text
    }
}

impl ClassFacts for Names {
    fn class(&self, name: ClassName) -> Option<Rc<ClassFact>> {
        let method = MethodFact {
            method: self.method(),
            visibility: Visibility::Public,
            is_static: true,
            is_abstract: false,
            is_final: false,
            is_varargs: false,
            is_synthetic: false,
            exceptions: Vec::new(),
            signature: None,
            param_names: Vec::new(),
        };
        let field = FieldFact {
            field: self.field(),
            visibility: Visibility::Public,
            is_static: true,
            is_final: false,
            is_synthetic: false,
            signature: None,
        };
        let fact = ClassFact {
            name,
            visibility: Visibility::Public,
            is_interface: false,
            is_abstract: false,
            is_enum: false,
            nesting: Nesting::TopLevel,
            exported: true,
            is_jdk: false,
            super_class: None,
            interfaces: Vec::new(),
            signature: None,
            fields: vec![field],
            methods: vec![method],
        };
        (name == self.class()).then(|| Rc::new(fact))
    }
}

/// A token without its text, but for punctuation.
#[derive(Debug, PartialEq)]
enum Token {
    Word,
    Text,
    Mark(char),
}

/// The kinds of the tokens, and what the string literals mean.
fn lexed(source: &str) -> (Vec<Token>, Vec<String>) {
    let (mut kinds, mut texts) = (Vec::new(), Vec::new());
    let chars: Vec<char> = decoded(source);
    let mut at = 0;
    let is_line_end = |c: char| c == '\n' || c == '\r';
    while at < chars.len() {
        match chars[at..] {
            ['/', '/', ..] => at += chars[at..].iter().take_while(|c| !is_line_end(**c)).count(),
            ['/', '*', ..] => {
                at += 2;
                while !chars[at..].starts_with(&['*', '/']) {
                    at += 1;
                }
                at += 2;
            }
            ['"', ..] => {
                let mut inside = String::new();
                at += 1;
                while chars[at] != '"' {
                    assert!(!is_line_end(chars[at]), "an unfinished literal in {source}");
                    let length = if chars[at] == '\\' { 2 } else { 1 };
                    inside.extend(&chars[at..at + length]);
                    at += length;
                }
                at += 1;
                kinds.push(Token::Text);
                texts.push(inside);
            }
            [c, ..] if c.is_whitespace() => at += 1,
            [c, ..] if c.is_alphanumeric() || c == '_' || c == '$' => {
                let is_name = |c: &&char| c.is_alphanumeric() || **c == '_' || **c == '$';
                at += chars[at..].iter().take_while(is_name).count();
                kinds.push(Token::Word);
            }
            [c, ..] => {
                assert!(c.is_ascii_graphic(), "{c:?} in {source}");
                kinds.push(Token::Mark(c));
                at += 1;
            }
            [] => unreachable!("the loop ends before"),
        }
    }
    (kinds, texts)
}

/// With Unicode escapes replaced, as the compiler begins.
fn decoded(source: &str) -> Vec<char> {
    let (mut units, mut rest) = (Vec::new(), source);
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\\\") {
            units.extend("\\\\".encode_utf16());
            rest = after;
        } else if let Some(escape) = rest.strip_prefix("\\u") {
            units.push(u16::from_str_radix(&escape[..4], 16).unwrap());
            rest = &escape[4..];
        } else {
            units.extend(first.encode_utf16(&mut [0; 2]).iter());
            rest = &rest[first.len_utf8()..];
        }
    }
    String::from_utf16_lossy(&units).chars().collect()
}

/// The name as it stands in a literal whose Unicode escapes are replaced.
fn in_literal(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            '\n' => "\\n".into(),
            '\r' => "\\r".into(),
            '\t' => "\\t".into(),
            '\u{8}' => "\\b".into(),
            '\u{c}' => "\\f".into(),
            '\0'..' ' => format!("\\{:03o}", u32::from(c)),
            _ => c.to_string(),
        })
        .collect()
}

/// Pieces that mean something to a compiler or to a terminal; all of them may be in names of class files.
const PIECES: [&str; 20] = [
    "\"",
    "\")",
    "\\",
    "\\\\",
    "\\u0022",
    "\\u000a",
    "\\u003b",
    "\n",
    "\r",
    "\u{2028}",
    "*",
    "*\\u002f",
    "//",
    "/*",
    "\u{202e}",
    "\u{1b}[2J",
    "evil()",
    "a",
    "\u{f6}",
    "7",
];

/// A name that no source can spell.
fn name() -> impl Strategy<Value = String> {
    let piece = prop_oneof![prop::sample::select(&PIECES[..]).prop_map(str::to_owned), "\\PC"];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| {
        let name = pieces.concat().replace(['.', ';', '[', '/', '<', '>'], "");
        format!("{name}-")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn names_change_no_token(package in name(), class in name(), method in name(), field in name(), header in name()) {
        let names = Names { package, class, method, field, header };
        let (kinds, texts) = lexed(&names.print());
        let (usual, _) = lexed(&Names::all("a-").print());
        prop_assert_eq!(kinds, usual, "{}", names.print());
        for name in [format!("{}.{}", names.package, names.class), names.method.clone(), names.field.clone()] {
            prop_assert!(texts.contains(&in_literal(&name)), "{:?} in {:?}", name, texts);
        }
    }
}
