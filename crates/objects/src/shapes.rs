//! What do the texts look like that a method takes apart? A method that splits its argument at `;`, and reads what is behind the
//! second one as a date, says so in its code. The same is asked of what it calls, of the keys that it looks up, of elements of lists,
//! lines of files and nodes of documents.
//!
//! Values are followed backwards, from the call that uses one to the parameter that it came from, without a look at branches:
//! what is found suggests how to make a value, and the JVM decides whether it is one.

mod read;

pub(crate) use read::{Reader, got_by};

use program::Type;
use recipe::JavaString;
use std::collections::BTreeMap;

/// What a value is expected to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// Texts that what reads it can read: numbers, dates.
    pub samples: Vec<&'static str>,
    /// What it is compared with, or the names of the enum constants that it is one of.
    pub constants: Vec<JavaString>,
    /// Words of the names under which it is handed on: whose key it is.
    pub about: Vec<String>,
    /// What it is split at.
    pub separator: Option<JavaString>,
    /// What is asked for by its place.
    pub parts: BTreeMap<usize, Shape>,
    /// What every part has to be.
    pub each: Option<Box<Shape>>,
    /// What is looked up in it.
    pub keys: BTreeMap<JavaString, Shape>,
    /// What is in the file that it names.
    pub content: Option<Box<Shape>>,
    /// It is read as a document with keys and lists.
    pub document: Option<Notation>,
    /// What it is cast to, where it is a value of a map or list that may hold anything.
    pub types: Vec<Type>,
    /// Something else is taken where it is missing.
    pub is_optional: bool,
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    Json,
    Properties,
}

/// Stands for what is not constant in a key.
pub const HOLE: char = '\u{1}';

/// Places behind this one are no fixed columns.
const MOST_PARTS: usize = 24;

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// It is split there; the steps behind this one go to what the splitting gives.
    Split(JavaString),
    At(usize),
    Each,
    /// Whether something else is taken where it is missing.
    Key(JavaString, bool),
    /// The same with the text that the method was given as this parameter.
    KeyGiven(usize, bool),
    Content,
    Document(Notation),
}

impl Shape {
    /// Whether nothing is known that a maker could use.
    pub fn is_plain(&self) -> bool {
        !self.is_structured() && self.samples.is_empty() && self.constants.is_empty()
    }

    /// Whether it has parts of which something is known.
    pub fn is_structured(&self) -> bool {
        !self.parts.is_empty() || self.each.is_some() || !self.keys.is_empty() || self.content.is_some()
    }

    /// Whether it is a text with parts.
    pub fn is_split(&self) -> bool {
        self.separator.is_some() && (!self.parts.is_empty() || self.each.is_some())
    }

    /// The shape of the place with that number, as a part or as any element.
    pub fn part(&self, place: usize) -> Shape {
        let mut part = self.parts.get(&place).cloned().unwrap_or_default();
        if let Some(each) = &self.each {
            part.merge(each);
        }
        part
    }

    fn at(&mut self, steps: &[Step]) -> &mut Shape {
        let Some((first, rest)) = steps.split_first() else { return self };
        let below = match first {
            Step::Split(separator) => {
                self.separator.get_or_insert_with(|| separator.clone());
                self
            }
            Step::Document(notation) => {
                self.document = Some(*notation);
                self
            }
            Step::At(place) => self.parts.entry(*place).or_default(),
            Step::Each => self.each.get_or_insert_default(),
            Step::Key(key, is_optional) => {
                let value = self.keys.entry(key.clone()).or_default();
                value.is_optional |= is_optional;
                value
            }
            Step::Content => self.content.get_or_insert_default(),
            // Nobody who knows the key goes this way.
            Step::KeyGiven(..) => self,
        };
        below.at(rest)
    }

    fn merge(&mut self, other: &Shape) {
        add_new(&mut self.samples, &other.samples);
        add_new(&mut self.constants, &other.constants);
        add_new(&mut self.about, &other.about);
        add_new(&mut self.types, &other.types);
        if self.separator.is_none() {
            self.separator.clone_from(&other.separator);
        }
        for (place, part) in &other.parts {
            self.parts.entry(*place).or_default().merge(part);
        }
        if let Some(each) = &other.each {
            self.each.get_or_insert_default().merge(each);
        }
        for (key, value) in &other.keys {
            self.keys.entry(key.clone()).or_default().merge(value);
        }
        if let Some(content) = &other.content {
            self.content.get_or_insert_default().merge(content);
        }
        self.document = self.document.or(other.document);
        self.is_optional |= other.is_optional;
    }
}

fn add_new<T: Clone + PartialEq>(to: &mut Vec<T>, from: &[T]) {
    for one in from {
        if !to.contains(one) {
            to.push(one.clone());
        }
    }
}

/// For people and tests: `{basket: ;*(:[0, 1=number])}`.
impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut known: Vec<String> = Vec::new();
        known.extend(self.document.iter().map(|notation| format!("{notation:?}")));
        known.extend(self.samples.first().map(|sample| format!("like {sample}")));
        known.extend(self.constants.iter().map(|constant| format!("'{}'", constant.to_lossy())));
        known.extend(self.types.iter().map(|ty| format!("as {ty}")));
        let mut parts: Vec<String> = self.parts.iter().map(|(place, part)| format!("{place}={part}")).collect();
        parts.extend(self.each.iter().map(|each| format!("each={each}")));
        if let Some(separator) = &self.separator {
            parts.insert(0, format!("split '{}'", separator.to_lossy()));
        }
        if !parts.is_empty() {
            known.push(format!("[{}]", parts.join(" ")));
        }
        let keys: Vec<String> = self.keys.iter().map(|(key, value)| format!("{}={value}", key.to_lossy())).collect();
        if !keys.is_empty() {
            known.push(format!("{{{}}}", keys.join(" ")));
        }
        known.extend(self.content.iter().map(|content| format!("file of {content}")));
        write!(f, "({})", known.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalogue;
    use crate::testing::program_of;
    use program::MethodRef;

    fn shown(class: &str, name: &str, descriptor: &str) -> String {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15", "junit/junit/4.13.2"]), &[]);
        let shapes = catalogue.shapes(MethodRef::new(class, name, descriptor));
        shapes.first().map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn code_says_what_it_reads_and_compares_with() {
        let reads = shown("org/apache/log4j/helpers/OptionConverter", "toInt", "(Ljava/lang/String;I)I");
        assert_eq!(reads, "(like 1)");
        let compares =
            shown("junit/runner/BaseTestRunner", "processArguments", "([Ljava/lang/String;)Ljava/lang/String;");
        assert_eq!(compares, "([each=('-noloading' '-nofilterstack' '-c')])");
    }

    #[test]
    fn keys_of_a_file_are_known_by_its_name() {
        let configure = shown("org/apache/log4j/PropertyConfigurator", "configure", "(Ljava/lang/String;)V");
        assert!(
            configure.starts_with("(file of (Properties {log4j.configDebug=()")
                || configure.starts_with("(Properties {log4j.configDebug=()"),
            "{configure}"
        );
        let set = shown("org/apache/log4j/PropertyConfigurator", "configure", "(Ljava/util/Properties;)V");
        assert!(set.contains("log4j.reset=('true' 'false')"), "{set}");
    }

    #[test]
    fn a_list_of_texts_that_are_split_is_known_as_one() {
        let parse = shown(
            "org/junit/runner/JUnitCommandLineParseResult",
            "parse",
            "([Ljava/lang/String;)Lorg/junit/runner/JUnitCommandLineParseResult;",
        );
        assert_eq!(parse, "([each=('--' '--filter' [split '='])])");
        let traced = shown("junit/runner/BaseTestRunner", "getFilteredTrace", "(Ljava/lang/String;)Ljava/lang/String;");
        assert!(traced.starts_with("([split '\n' each="), "{traced}");
    }

    #[test]
    fn what_is_known_of_a_part_is_that_of_its_place_and_of_each() {
        let mut shape = Shape::default();
        shape.at(&[Step::Split(JavaString::new(";")), Step::Each]).samples.push("1");
        shape.at(&[Step::At(1)]).constants.push(JavaString::new("x"));
        assert_eq!(shape.part(1).to_string(), "(like 1 'x')");
        assert_eq!(shape.part(0).to_string(), "(like 1)");
    }
}
