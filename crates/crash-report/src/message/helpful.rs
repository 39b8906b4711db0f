//! Helpful null-pointer texts (JEP 358) taken apart: what the JVM was about to do, and which expression was null.
//!
//! `Cannot invoke "String.length()" because "<local1>.name" is null` says that a call of `String.length()` failed because
//! the field `name` of local variable 1 was null. Android's texts (`Attempt to invoke virtual method 'int
//! java.lang.String.length()' on a null object reference`) name the action only. Reading them says nothing about which
//! instruction it was: that needs bytecode (see `throws::helpful`).

/// What a null-pointer text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NullText {
    pub action: Action,
    pub cause: Option<NullCause>,
}

/// What failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A call; the method as the JVM writes it, `String.length()`.
    Invoke(String),
    ReadField(String),
    AssignField(String),
    /// Of an array with this component: `int`, `object`, `byte/boolean`, ..
    LoadElement(Option<String>),
    StoreElement(Option<String>),
    ArrayLength,
    Throw,
    EnterMonitor,
    ExitMonitor,
}

/// Which value was null, as the JVM writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NullCause {
    /// `this.map`, `<local1>.name`, `a[...]`, `a.B.STATIC`.
    Expression(String),
    /// The return value of this method.
    ReturnValue(String),
}

impl NullText {
    /// Reads a helpful text; `None` if it is none.
    pub fn parse(message: &str) -> Option<NullText> {
        if let Some(android) = message.strip_prefix("Attempt to ") {
            return Some(NullText { action: android_action(android)?, cause: None });
        }
        let (action, cause) = match message.split_once(" because ") {
            Some((action, cause)) => (action, Some(parse_cause(cause)?)),
            None => (message, None),
        };
        Some(NullText { action: parse_action(action)?, cause })
    }
}

impl Action {
    /// The same, whichever JVM says it: Android writes packages out and does not say what an array is of.
    pub(super) fn is_same(&self, other: &Action) -> bool {
        let short = |name: &str| name.replace("java.lang.String", "String").replace("java.lang.Object", "Object");
        match (self, other) {
            (Action::Invoke(a), Action::Invoke(b)) => short(a) == short(b),
            (Action::LoadElement(a), Action::LoadElement(b)) | (Action::StoreElement(a), Action::StoreElement(b)) => {
                a == b || a.is_none() || b.is_none()
            }
            _ => self == other,
        }
    }
}

impl NullCause {
    /// The same expression, where a class file without names of local variables may have numbers in their place.
    pub(super) fn is_same(&self, other: &NullCause) -> bool {
        let (NullCause::Expression(one), NullCause::Expression(other)) = (self, other) else { return self == other };
        let (one, other) = (tokens(one), tokens(other));
        one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| a == b || is_same_local(a, b))
    }

    /// In words: `this.map`, `the return value of a.B.c()`.
    pub fn subject(&self) -> String {
        match self {
            NullCause::Expression(text) => text.clone(),
            NullCause::ReturnValue(method) => format!("the return value of {method}"),
        }
    }
}

/// Names, numbers in the place of names, and what is between them.
fn tokens(expression: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = expression;
    while !rest.is_empty() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = match rest.find('>').filter(|_| numbered(rest).is_some()) {
            Some(end) => end + 1,
            None => rest.find(|c| !is_name(c)).filter(|length| *length > 0).unwrap_or_else(|| {
                if rest.starts_with(is_name) { rest.len() } else { rest.chars().next().map_or(0, char::len_utf8) }
            }),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

/// `<local4>` and `<parameter1>` at the beginning.
fn numbered(text: &str) -> Option<&str> {
    text.strip_prefix("<local").or_else(|| text.strip_prefix("<parameter"))
}

/// One has a number where the other one has a name.
fn is_same_local(one: &str, other: &str) -> bool {
    let is_name = |text: &str| text != "this" && text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    match (numbered(one), numbered(other)) {
        (Some(_), None) => is_name(other),
        (None, Some(_)) => is_name(one),
        _ => false,
    }
}

fn parse_action(text: &str) -> Option<Action> {
    let rest = text.strip_prefix("Cannot ")?;
    let array = |rest: &str| rest.strip_suffix(" array").map(|kind| Some(kind.to_owned()));
    match rest {
        "read the array length" => return Some(Action::ArrayLength),
        "throw exception" => return Some(Action::Throw),
        "enter synchronized block" => return Some(Action::EnterMonitor),
        "exit synchronized block" => return Some(Action::ExitMonitor),
        _ => {}
    }
    if let Some(method) = rest.strip_prefix("invoke ") {
        return Some(Action::Invoke(quoted(method)?.into()));
    }
    if let Some(field) = rest.strip_prefix("read field ") {
        return Some(Action::ReadField(quoted(field)?.into()));
    }
    if let Some(field) = rest.strip_prefix("assign field ") {
        return Some(Action::AssignField(quoted(field)?.into()));
    }
    if let Some(kind) = rest.strip_prefix("load from ") {
        return Some(Action::LoadElement(array(kind)?));
    }
    rest.strip_prefix("store to ").and_then(|kind| Some(Action::StoreElement(array(kind)?)))
}

fn parse_cause(text: &str) -> Option<NullCause> {
    let value = text.strip_suffix(" is null")?;
    match value.strip_prefix("the return value of ") {
        Some(method) => Some(NullCause::ReturnValue(quoted(method)?.into())),
        None => Some(NullCause::Expression(quoted(value)?.into())),
    }
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

/// The texts of the Android runtime, `Attempt to ` taken off.
fn android_action(text: &str) -> Option<Action> {
    if let Some(rest) = text.strip_prefix("invoke ") {
        let (_, method) = rest.split_once(" method '")?;
        let (method, _) = method.split_once("' on a null object reference")?;
        // The return type comes first.
        let method = method.split_once(' ').map_or(method, |(_, named)| named);
        return Some(Action::Invoke(method.into()));
    }
    let field = |rest: &str| {
        let (field, _) = rest.split_once('\'')?;
        let qualified = field.split_once(' ').map_or(field, |(_, named)| named);
        Some(qualified.rsplit('.').next().unwrap_or(qualified).to_owned())
    };
    if let Some(rest) = text.strip_prefix("read from field '") {
        return Some(Action::ReadField(field(rest)?));
    }
    if let Some(rest) = text.strip_prefix("write to field '") {
        return Some(Action::AssignField(field(rest)?));
    }
    match text {
        "get length of null array" => Some(Action::ArrayLength),
        "read from null array" => Some(Action::LoadElement(None)),
        "write to null array" => Some(Action::StoreElement(None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, action: Action, cause: Option<NullCause>) {
        assert_eq!(NullText::parse(message), Some(NullText { action, cause }), "{message}");
    }

    #[test]
    fn all_forms_are_read() {
        use Action::*;
        use NullCause::*;
        check(
            "Cannot invoke \"String.length()\" because \"<local1>.name\" is null",
            Invoke("String.length()".into()),
            Some(Expression("<local1>.name".into())),
        );
        check(
            "Cannot invoke \"java.nio.file.Path.toString()\" because the return value of \"java.nio.file.Path.getFileName()\" is null",
            Invoke("java.nio.file.Path.toString()".into()),
            Some(ReturnValue("java.nio.file.Path.getFileName()".into())),
        );
        check(
            "Cannot read field \"entry\" because \"x0\" is null",
            ReadField("entry".into()),
            Some(Expression("x0".into())),
        );
        check(
            "Cannot assign field \"i\" because \"a[...].b\" is null",
            AssignField("i".into()),
            Some(Expression("a[...].b".into())),
        );
        check(
            "Cannot load from byte/boolean array because \"this.buf\" is null",
            LoadElement(Some("byte/boolean".into())),
            Some(Expression("this.buf".into())),
        );
        check(
            "Cannot store to object array because \"<local4>\" is null",
            StoreElement(Some("object".into())),
            Some(Expression("<local4>".into())),
        );
        check("Cannot read the array length because \"a\" is null", ArrayLength, Some(Expression("a".into())));
        check("Cannot throw exception", Throw, None);
        check(
            "Cannot enter synchronized block because \"null\" is null",
            EnterMonitor,
            Some(Expression("null".into())),
        );
        check(
            "Attempt to invoke virtual method 'int java.lang.String.length()' on a null object reference",
            Invoke("java.lang.String.length()".into()),
            None,
        );
        check("Attempt to read from field 'int a.B.c' on a null object reference", ReadField("c".into()), None);
        check("Attempt to get length of null array", ArrayLength, None);
    }

    #[test]
    fn other_texts_are_none() {
        for message in [
            "",
            "Deflater has been closed",
            "Cannot invoke it",
            "Cannot read field \"x\" because I say so",
            "Attempt to",
        ] {
            assert_eq!(NullText::parse(message), None, "{message}");
        }
    }
}
