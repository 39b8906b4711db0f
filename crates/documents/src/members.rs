//! Documents that give values to the members of a class, in the forms in which mappers read them, and expressions that lead to one
//! of the members.

use recipe::Text;

/// How pairs of a name and a value are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Object,
    ListOfObjects,
    Lines,
    Properties,
    Table,
    Options,
    Markup,
    Placeholder,
    /// A path of names, with one of [`STEPS`] behind it.
    Path,
}

impl Form {
    pub const ALL: [Form; 9] = [
        Form::Object,
        Form::ListOfObjects,
        Form::Lines,
        Form::Properties,
        Form::Table,
        Form::Options,
        Form::Markup,
        Form::Placeholder,
        Form::Path,
    ];

    /// The document; `step` is what stands behind a path.
    pub fn write(self, pairs: &[(String, &str)], step: &str) -> Text {
        let joined = |between: &str, pair: &dyn Fn(&str, &str) -> String| {
            pairs.iter().map(|(name, value)| pair(name, value)).collect::<Vec<_>>().join(between)
        };
        let object = || format!("{{{}}}", joined(", ", &|name, value| format!("\"{name}\": {value}")));
        let names = |between: &str| joined(between, &|name, _| name.to_owned());
        Text::plain(&match self {
            Form::Object => object(),
            Form::ListOfObjects => format!("[{}]", object()),
            Form::Lines => joined("\n", &|name, value| format!("{name}: {value}")),
            Form::Properties => joined("\n", &|name, value| format!("{name}={value}")),
            Form::Table => format!("{}\n{}", names(","), joined(",", &|_, value| value.to_owned())),
            Form::Options => joined(" ", &|name, value| format!("--{name} {value}")),
            Form::Markup => format!("<a>{}</a>", joined("", &|name, value| format!("<{name}>{value}</{name}>"))),
            Form::Placeholder => format!("${{{}}}", names(".")),
            Form::Path => names(".") + step,
        })
    }
}

/// Values that mappers read differently.
pub const VALUES: [&str; 12] =
    ["1", "\"a\"", "\"\"", "null", "true", "[]", "{}", "1.5", "-1", "[1, 2]", "a", "\"2020-01-01\""];

/// What may stand behind a path of names.
pub const STEPS: [&str; 8] = ["", ".", "[0]", "[3]", "(a)", "[a]", "[", "()"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_names_all_members() {
        let pairs = [("size".to_owned(), "1"), ("name".to_owned(), "\"a\"")];
        let texts = Form::ALL.map(|form| form.write(&pairs, "[0]").expanded().to_lossy());
        insta::assert_snapshot!(texts.join("\n---\n"), @r#"
        {"size": 1, "name": "a"}
        ---
        [{"size": 1, "name": "a"}]
        ---
        size: 1
        name: "a"
        ---
        size=1
        name="a"
        ---
        size,name
        1,"a"
        ---
        --size 1 --name "a"
        ---
        <a><size>1</size><name>"a"</name></a>
        ---
        ${size.name}
        ---
        size.name[0]
        "#);
    }
}
