//! What does the source of a test show without running it? Whether it makes the exception itself instead of letting the
//! program do it, what it reaches by force, and how long it is.
//!
//! Reads tokens, as the compiler does after it has replaced Unicode escapes, and resolves nothing: a guard against accidents, not
//! against malice.

mod tokens;
mod unicode_escapes;

use tokens::{Token, tokens, unescaped};
use unicode_escapes::without_unicode_escapes;

/// What was seen in the source files of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFacts {
    pub cheats: Vec<Cheat>,
    /// Reaches members by reflection that it could not reach otherwise.
    pub reflection: bool,
    /// Uses `Unsafe`.
    pub unsafe_memory: bool,
    /// Defines or redefines classes at run time.
    pub defines_classes: bool,
    /// Could give an exception another stack, or have classes loaded from elsewhere, in words that the above does not find: by
    /// reflective calls, deserialisation, loaders.
    pub has_means: bool,
    /// Semicolons outside of parentheses, imports and the package not counted.
    pub statements: usize,
}

/// A reason not to believe a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cheat {
    /// `throw new` of the exception that the program should throw.
    Throws,
    /// `new` of it, or a reference to its constructor.
    Constructs,
    /// A subclass of it.
    Subclasses,
    /// Its name or class literal beside reflective construction.
    Names,
    /// Sets or makes up a stack trace.
    MakesStack,
    /// The exception has another stack than the JVM has noted, and the test could have put it there.
    MayMakeStack,
    /// A class of the program in the stack is from elsewhere, and the test could have brought it.
    MayBringClasses,
}

impl Cheat {
    pub fn describe(self) -> &'static str {
        match self {
            Cheat::Throws => "throws the exception itself",
            Cheat::Constructs => "constructs the exception itself",
            Cheat::Subclasses => "subclasses the exception",
            Cheat::Names => "names the exception to construct it",
            Cheat::MakesStack => "makes a stack trace itself",
            Cheat::MayMakeStack => {
                "throws an exception with another stack than the JVM has noted, and has the means to put it there itself"
            }
            Cheat::MayBringClasses => {
                "throws from a class of the program that is not from the class path, and has the means to bring it itself"
            }
        }
    }
}

/// Looks at all files of a test. `exception` is the binary name of the class that should be thrown.
pub fn look_at<'a>(files: impl IntoIterator<Item = &'a str>, exception: Option<&str>) -> SourceFacts {
    let mut facts = SourceFacts::default();
    let mut all = Vec::new();
    let files: Vec<_> = files.into_iter().map(without_unicode_escapes).collect();
    for file in &files {
        let tokens = tokens(file);
        facts.statements += statements(&tokens);
        all.extend(tokens);
    }
    let has_word = |words: &[&str]| all.iter().any(|token| matches!(token, Token::Word(word) if words.contains(word)));
    facts.reflection = has_word(&REFLECTION);
    facts.unsafe_memory =
        has_word(&["Unsafe"]) || all.iter().any(|token| matches!(token, Token::Text(text) if text.contains("Unsafe")));
    facts.defines_classes = has_word(&DEFINING);
    facts.has_means = facts.defines_classes || facts.unsafe_memory || has_word(&MEANS);
    if let Some(exception) = exception {
        facts.cheats = making(&all, exception);
    }
    if makes_stack(&all) {
        facts.cheats.push(Cheat::MakesStack);
    }
    facts.cheats.sort_unstable();
    facts.cheats.dedup();
    facts
}

const REFLECTION: [&str; 9] = [
    "setAccessible",
    "trySetAccessible",
    "privateLookupIn",
    "getDeclaredField",
    "getDeclaredFields",
    "getDeclaredMethod",
    "getDeclaredMethods",
    "getDeclaredConstructor",
    "getDeclaredConstructors",
];
const DEFINING: [&str; 4] = ["defineClass", "defineHiddenClass", "redefineClasses", "retransformClasses"];
const MEANS: [&str; 16] = [
    "invoke",
    "invokeExact",
    "invokeWithArguments",
    "newInstance",
    "VarHandle",
    "MethodHandles",
    "MethodHandle",
    "readObject",
    "readUnshared",
    "ObjectInputStream",
    "XMLDecoder",
    "ClassLoader",
    "URLClassLoader",
    "SecureClassLoader",
    "ModuleLayer",
    "native",
];
const CONSTRUCTING: [&str; 5] =
    ["newInstance", "getConstructor", "getDeclaredConstructor", "getDeclaredConstructors", "findConstructor"];

/// The ways in which the test could make the exception.
fn making(tokens: &[Token<'_>], exception: &str) -> Vec<Cheat> {
    let simple = exception.rsplit(['.', '$']).next().unwrap_or(exception);
    let mut cheats = Vec::new();
    let mut class_literal = false;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            Token::Word("new") if names(&tokens[at + 1..], simple).is_some_and(is_construction) => {
                let thrown = at > 0 && tokens[at - 1] == Token::Word("throw");
                cheats.push(if thrown { Cheat::Throws } else { Cheat::Constructs });
            }
            Token::Word("extends") if names(&tokens[at + 1..], simple).is_some() => cheats.push(Cheat::Subclasses),
            Token::Word(word) if word == simple => match tokens[at + 1..] {
                [Token::Mark(':'), Token::Mark(':'), Token::Word("new"), ..] => cheats.push(Cheat::Constructs),
                [Token::Mark('.'), Token::Word("class"), ..] => class_literal = true,
                _ => {}
            },
            Token::Text(text) if unescaped(text) == exception => cheats.push(Cheat::Names),
            _ => {}
        }
    }
    let constructs = |token: &Token<'_>| matches!(token, Token::Word(word) if CONSTRUCTING.contains(word));
    if class_literal && tokens.iter().any(constructs) {
        cheats.push(Cheat::Names);
    }
    cheats
}

/// If the tokens begin with a qualified name whose last part is `simple`: what follows it. Type arguments of the constructor and
/// annotations may stand before and inside of it.
fn names<'a, 'b>(tokens: &'a [Token<'b>], simple: &str) -> Option<&'a [Token<'b>]> {
    let mut rest = tokens;
    loop {
        rest = without_decoration(rest);
        let [Token::Word(word), tail @ ..] = rest else { return None };
        match tail {
            [Token::Mark('.'), after @ ..] => rest = after,
            _ => return (*word == simple).then_some(tail),
        }
    }
}

/// What is left behind `<Object>` and `@Nullable("x")`.
fn without_decoration<'a, 'b>(mut tokens: &'a [Token<'b>]) -> &'a [Token<'b>] {
    loop {
        tokens = match tokens {
            [Token::Mark('<'), ..] => behind(tokens, '<', '>'),
            [Token::Mark('@'), rest @ ..] => {
                let mut rest = rest.get(1..).unwrap_or_default();
                while let [Token::Mark('.'), Token::Word(_), after @ ..] = rest {
                    rest = after;
                }
                if rest.first() == Some(&Token::Mark('(')) { behind(rest, '(', ')') } else { rest }
            }
            _ => return tokens,
        }
    }
}

/// What follows the bracket that the first token opens.
fn behind<'a, 'b>(tokens: &'a [Token<'b>], open: char, close: char) -> &'a [Token<'b>] {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            Token::Mark(mark) if mark == open => depth += 1,
            Token::Mark(mark) if mark == close => {
                depth -= 1;
                if depth == 0 {
                    return &tokens[at + 1..];
                }
            }
            _ => {}
        }
    }
    &[]
}

/// An array of the exception is not one.
fn is_construction(after_name: &[Token<'_>]) -> bool {
    matches!(after_name.first(), Some(Token::Mark('(' | '<' | '{')))
}

fn makes_stack(tokens: &[Token<'_>]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| match (*token, &tokens[at + 1..]) {
        (Token::Word("setStackTrace"), [Token::Mark('('), ..]) | (Token::Word("sneakyThrow"), _) => true,
        // An override of it.
        (Token::Word("getStackTrace"), [Token::Mark('('), Token::Mark(')'), Token::Mark('{'), ..]) => true,
        (Token::Word("new"), after) => {
            names(after, "StackTraceElement").is_some_and(|rest| rest.first() == Some(&Token::Mark('(')))
        }
        _ => false,
    })
}

fn statements(tokens: &[Token<'_>]) -> usize {
    let mut count = 0;
    // How many parentheses are open since the last open brace; a body inside parentheses counts again.
    let mut depth = 0usize;
    let mut outer = Vec::new();
    let mut in_header = false;
    for token in tokens {
        match token {
            Token::Word("import" | "package") if outer.is_empty() => in_header = true,
            Token::Mark('(') => {
                outer.push(depth);
                depth += 1;
            }
            Token::Mark('{') => {
                outer.push(depth);
                depth = 0;
            }
            Token::Mark(')' | '}') => depth = outer.pop().unwrap_or(0),
            Token::Mark(';') if in_header => in_header = false,
            Token::Mark(';') if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheats(body: &str) -> Vec<Cheat> {
        let source = format!("class T {{ @Test public void t() throws Exception {{ {body} }} }}");
        look_at([source.as_str()], Some("org.acme.Outer$BadState")).cheats
    }

    #[test]
    fn making_the_exception_is_seen() {
        for (body, expected) in [
            ("throw new BadState(\"x\");", Cheat::Throws),
            ("throw new org.acme.Outer.BadState();", Cheat::Throws),
            ("Exception e = new Outer . BadState (1); throw e;", Cheat::Constructs),
            ("new BadState() {};", Cheat::Constructs),
            ("throw new <Object> BadState(\"x\");", Cheat::Throws),
            ("throw new <Map<String, ?>, A> @Deep.Marked(a = (1)) BadState(\"x\");", Cheat::Throws),
            ("throw new org.acme.Outer.@Marked BadState();", Cheat::Throws),
            ("class X extends org.@Marked Outer.@Marked BadState {}", Cheat::Subclasses),
            ("Supplier<BadState> s = BadState::new;", Cheat::Constructs),
            ("class X extends Outer.BadState {}", Cheat::Subclasses),
            ("Outer.BadState.class.getDeclaredConstructor();", Cheat::Names),
            ("Class.forName(\"org.acme.Outer$BadState\");", Cheat::Names),
            ("thrown.setStackTrace(other);", Cheat::MakesStack),
            ("f(new StackTraceElement(\"a\", \"b\", \"c\", 1));", Cheat::MakesStack),
        ] {
            assert_eq!(cheats(body), [expected], "{body}");
        }
    }

    #[test]
    fn unicode_escapes_hide_nothing() {
        for (body, expected) in [
            ("throw n\\u0065w BadState();", Cheat::Throws),
            ("thrown.setStack\\uuu0054race(other);", Cheat::MakesStack),
            ("// harmless \\u000a throw new BadState();", Cheat::Throws),
            ("// harmless \\u000d throw new BadState();", Cheat::Throws),
            ("/* \\u002a\\u002f throw new BadState(); /* */", Cheat::Throws),
            ("String s = \"\\u0022; throw new BadState(); //\";", Cheat::Throws),
            ("String s = \"\\\\\\u0022; throw new BadState(); //\";", Cheat::Throws),
            ("Class.forName(\"org.acme.Outer$Bad\\u0053tate\");", Cheat::Names),
            ("Class.forName(\"org.acme.Outer$Bad\\123tate\");", Cheat::Names),
            ("thrown.set\\u200bStackTrace(other);", Cheat::MakesStack),
        ] {
            assert_eq!(cheats(body), [expected], "{body}");
        }
    }

    #[test]
    fn mentioning_it_is_not_making_it() {
        for body in [
            "// throw new BadState();",
            "String s = \"\\\\u0022; throw new BadState(); //\";",
            "String s = \"throw new BadState()\";",
            "try { run(); } catch (BadState e) { throw e; }",
            "throw new BadStateHandler();",
            "BadState[] none = new BadState[0];",
            "assertThrows(BadState.class, () -> run());",
            "StackTraceElement[] none = new StackTraceElement[0]; x.getStackTrace();",
        ] {
            assert_eq!(cheats(body), [], "{body}");
        }
    }

    #[test]
    fn force_is_noted() {
        let facts = look_at(["m.setAccessible(true); sun.misc.Unsafe u; lookup.defineClass(b);"], None);
        assert!(facts.reflection && facts.unsafe_memory && facts.defines_classes);
        let facts = look_at(["// setAccessible Unsafe\nrun(\"defineClass\");"], None);
        assert!(!facts.reflection && !facts.unsafe_memory && !facts.defines_classes);
    }

    #[test]
    fn statements_are_counted_as_people_do() {
        for (source, expected) in [
            ("package a; import b.C; import static d.E.f; class T { }", 0),
            ("class T { int x; void t() { a(); for (int i = 0; i < 3; i++) b(\";\"); } }", 3),
            ("class T { void t() { run(() -> { a(); b(); }); } }", 3),
            ("class T { void t() { run(new X() { int y() { return 1; } }); } }", 2),
            ("", 0),
        ] {
            assert_eq!(look_at([source], None).statements, expected, "{source}");
        }
    }
}
