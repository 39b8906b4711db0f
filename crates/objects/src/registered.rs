//! Under which names does the program know the classes of the crash? What builds objects by name (tasks, filters, handlers of a
//! configuration) keeps a registry beside its classes, mostly a resource of lines `name=class`. The name is what a document has
//! to say for the class to be used, with the properties that the class can be given.

use program::{ClassName, Program, Symbol, Type};
use recipe::Text;

/// Larger files are tables of texts, and more of them translations.
const MAX_BYTES: u64 = 256 << 10;
const MAX_FILES: usize = 40;
/// Properties of one class that are tried one by one.
const MAX_PROPERTIES: usize = 12;

/// The class under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registered {
    pub(crate) name: String,
    pub(crate) class: ClassName,
}

/// The names of the classes in the registries beside them, in the order of the registries.
pub(crate) fn registered(program: &Program, classes: &[ClassName]) -> Vec<Registered> {
    let registries = program.resources_beside(classes, ".properties", MAX_BYTES);
    let lines = registries.iter().take(MAX_FILES).flat_map(|(_, content)| {
        let text = String::from_utf8_lossy(content);
        text.lines().filter_map(entry).collect::<Vec<_>>()
    });
    lines.filter(|entry| classes.contains(&entry.class)).collect()
}

/// A line `name=class`.
fn entry(line: &str) -> Option<Registered> {
    let (name, class) = line.split_once(['=', ':'])?;
    let (name, class) = (name.trim(), class.trim());
    let is_word = |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "#!\\${}".contains(c));
    (is_word(name) && is_word(class) && class.contains('.'))
        .then(|| Registered { name: name.to_owned(), class: ClassName::from_dotted(class) })
}

/// Elements of the name in markup: bare, with one property each, with all of those that take a plain value.
pub(crate) fn elements(program: &Program, registered: &Registered) -> Vec<Text> {
    let properties: Vec<String> = properties(program, registered.class)
        .into_iter()
        .take(MAX_PROPERTIES)
        .map(|(name, value)| format!(" {name}=\"{value}\""))
        .collect();
    let attributes = std::iter::once(String::new()).chain(properties.iter().cloned()).chain([properties.concat()]);
    attributes.map(|attributes| Text::plain(&format!("<{}{attributes}/>", registered.name))).collect()
}

/// What the class and its superclasses in the application can be given by a setter, with a value that it can be read from.
fn properties(program: &Program, class: ClassName) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &'static str)> = Vec::new();
    let classes = std::iter::once(class).chain(program.superclasses(class));
    for declaring in classes.filter(|class| program.is_application_default(*class)) {
        let Some(declaring) = program.class(declaring) else { continue };
        for method in declaring.methods.iter().filter(|method| method.access.is_public() && !method.access.is_static())
        {
            let (Some(name), [taken]) = (property(method.name), &*method.reference().signature().params) else {
                continue;
            };
            if let Some(value) = value_of(*taken)
                && !found.iter().any(|(known, _)| *known == name)
            {
                found.push((name, value));
            }
        }
    }
    found
}

/// `setFailOnError` sets `failonerror`: readers that do not mind the case mostly write it so, and others have short names.
fn property(setter: Symbol) -> Option<String> {
    let name = setter.as_str().strip_prefix("set")?;
    name.starts_with(char::is_uppercase).then(|| name.to_lowercase())
}

fn value_of(ty: Type) -> Option<&'static str> {
    match ty {
        Type::Boolean => Some("true"),
        Type::Char => Some("a"),
        Type::Byte | Type::Short | Type::Int | Type::Long | Type::Float | Type::Double => Some("1"),
        Type::Class(class) => matches!(class.as_internal(), "java/lang/String" | "java/io/File").then_some("a"),
        Type::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program_of;

    #[test]
    fn a_line_gives_a_name_to_a_class() {
        let entry = |line: &str| entry(line).map(|found| (found.name, found.class.dotted().to_string()));
        assert_eq!(entry("copy = x.y.Copy"), Some(("copy".to_owned(), "x.y.Copy".to_owned())));
        for other in ["# copy=x.y.Copy", "message=could not be copied.", "size=1", "", "=x.Y", "dir=${a.b}"] {
            assert_eq!(entry(other), None, "{other}");
        }
    }

    #[test]
    fn the_jar_s_own_registry_names_the_class_with_its_properties() {
        let program = program_of(&["org.apache.ant/ant/1.7.1"]);
        let copy = ClassName::internal("org/apache/tools/ant/taskdefs/Copy");
        let unknown = ClassName::internal("org/apache/tools/ant/Task");
        let found = registered(&program, &[unknown, copy]);
        assert_eq!(found, [Registered { name: "copy".to_owned(), class: copy }]);
        let texts: Vec<String> = elements(&program, &found[0]).iter().map(|text| text.expanded().to_lossy()).collect();
        assert!(texts.contains(&"<copy/>".to_owned()), "{texts:?}");
        assert!(texts.contains(&"<copy todir=\"a\"/>".to_owned()), "{texts:?}");
    }
}
