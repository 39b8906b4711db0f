//! Names in Java source: what may be one, and how variables get theirs. Input is types and parameter names as the class
//! files have them; output is names that clash with no keyword, no type and no other variable of the test.

use program::Type;
use recipe::java::is_reserved;
use std::collections::BTreeSet;

/// Whether the name can stand in source as it is. Other languages of the JVM allow themselves more.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    starts && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$') && !is_reserved(name)
}

/// Gives out names, each once in its scope.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// In the order in which they were given out.
    given: Vec<String>,
}

/// Where a scope began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeStart(usize);

impl Names {
    /// Keeps a name from being given out: a type, the first part of a package, a field that would be meant instead.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// The wished name, or the next of `name2`, `name3`, ..
    pub(crate) fn give(&mut self, wish: &str) -> String {
        let base = if is_identifier(wish) { wish.to_owned() } else { repaired(wish) };
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(base);
        self.taken.insert(name.clone());
        self.given.push(name.clone());
        name
    }

    pub(crate) fn begin_scope(&self) -> ScopeStart {
        ScopeStart(self.given.len())
    }

    /// The names that were given out inside may be given out again. Right for methods of classes inside of a method: they may
    /// hide names of the method, and those that they need were given out before.
    pub(crate) fn end_scope(&mut self, start: ScopeStart) {
        for name in self.given.drain(start.0..) {
            self.taken.remove(&name);
        }
    }
}

/// `class` as `aClass`, `a-b` as `aB`.
fn repaired(wish: &str) -> String {
    if is_reserved(wish) {
        let article = if wish.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        return format!("{article}{}", capitalised(wish));
    }
    let words: Vec<&str> = wish.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joined: String =
        words.iter().enumerate().map(|(i, w)| if i == 0 { (*w).into() } else { capitalised(w) }).collect();
    if is_identifier(&joined) { joined } else { "value".into() }
}

/// A variable's name by its type: `HTMLParser` gives `htmlParser`, `int[]` gives `ints`.
pub(crate) fn name_for_type(ty: Type) -> String {
    match ty {
        Type::Boolean => "flag".into(),
        Type::Byte => "b".into(),
        Type::Char => "c".into(),
        Type::Short | Type::Int => "number".into(),
        Type::Long => "number".into(),
        Type::Float | Type::Double => "number".into(),
        Type::Array(array) => match array.component() {
            Type::Class(_) | Type::Array(_) => plural(&name_for_type(array.component())),
            primitive => format!("{primitive}s"),
        },
        Type::Class(class) => match class.as_internal() {
            "java/lang/String" | "java/lang/CharSequence" => "text".into(),
            "java/lang/Object" => "object".into(),
            "java/lang/Class" => "type".into(),
            _ => decapitalised(innermost(class.simple())),
        },
    }
}

fn plural(name: &str) -> String {
    match name {
        _ if name.ends_with('s') || name.ends_with('x') || name.ends_with("ch") => format!("{name}es"),
        _ if name.ends_with('y') && !name.ends_with("ey") && !name.ends_with("ay") => {
            format!("{}ies", &name[..name.len() - 1])
        }
        _ => format!("{name}s"),
    }
}

/// `Entry` of `Map$Entry`.
fn innermost(simple: &str) -> &str {
    let last = simple.rsplit('$').find(|part| part.starts_with(|c: char| c.is_alphabetic()));
    last.unwrap_or(simple)
}

/// The leading capitals are one word, less the first letter of the next one: `URLConnection` is `urlConnection`.
fn decapitalised(name: &str) -> String {
    let capitals = name.chars().take_while(|c| c.is_uppercase() || c.is_ascii_digit()).count();
    let length = name.chars().count();
    let lowered = if capitals > 1 && capitals < length { capitals - 1 } else { capitals };
    name.chars().enumerate().map(|(i, c)| if i < lowered { c.to_ascii_lowercase() } else { c }).collect()
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether a parameter's name tells a reader anything.
pub(crate) fn is_telling(name: &str) -> bool {
    const NOTHING: [&str; 12] =
        ["obj", "object", "other", "val", "str", "string", "arg", "args", "param", "params", "that", "elt"];
    let numbered =
        |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    name.len() > 2
        && !NOTHING.contains(&name)
        && is_identifier(name)
        && !name.contains('$')
        && !["arg", "p", "a", "var"].into_iter().any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_give_names() {
        for (descriptor, name) in [
            ("Ljava/net/URL;", "url"),
            ("Ljava/net/URLConnection;", "urlConnection"),
            ("Ljava/util/Map$Entry;", "entry"),
            ("La/B$1;", "b"),
            ("La/X509Key;", "x509Key"),
            ("[I", "ints"),
            ("[[I", "intses"),
            ("[Ljava/lang/String;", "texts"),
            ("[La/Box;", "boxes"),
            ("[La/Entity;", "entities"),
            ("Ljava/lang/String;", "text"),
            ("Ljava/util/ArrayList;", "arrayList"),
        ] {
            assert_eq!(name_for_type(Type::parse(descriptor).unwrap()), name, "{descriptor}");
        }
    }

    #[test]
    fn names_are_given_once_and_are_never_keywords() {
        let mut names = Names::default();
        names.reserve("org");
        let given: Vec<String> = ["list", "list", "org", "class", "enum", "double", "a-b", "1", "record"]
            .map(|wish| names.give(wish))
            .into();
        assert_eq!(given, ["list", "list2", "org2", "aClass", "anEnum", "aDouble", "aB", "value", "record"]);
    }

    #[test]
    fn some_parameter_names_tell_nothing() {
        for (name, telling) in [("index", true), ("arg0", false), ("p1", false), ("i", false), ("this$0", false)] {
            assert_eq!(is_telling(name), telling, "{name}");
        }
    }
}
