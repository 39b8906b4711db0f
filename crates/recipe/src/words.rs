//! The names that a recipe's texts and documents contain. What one statement reads, another looks up: the key of a setting, the
//! name of a column, an option of a command line.

use crate::{Content, JavaString, Literal, Recipe, Text};

/// Longer texts are not looked into.
const LOOKED_INTO: u64 = 2000;
/// More are not kept: each would be drawn too seldom.
const MOST: usize = 60;
/// Longer ones are data.
const LONGEST: usize = 40;

impl Recipe {
    /// Words and dotted paths in the recipe's texts and documents, each once; those of documents first.
    pub fn words(&self) -> Vec<JavaString> {
        let mut found: Vec<JavaString> = Vec::new();
        for text in self.texts() {
            let paths = text.0.split(|unit| !is_part_of_path(*unit)).filter(|path| !path.is_empty());
            for path in paths {
                let names = path.split(|unit| !is_part_of_name(*unit));
                for word in std::iter::once(path).chain(names) {
                    let is_word = (1..=LONGEST).contains(&word.len()) && word.iter().any(|unit| is_part_of_name(*unit));
                    if is_word && found.iter().all(|known| known.0 != word) {
                        found.push(JavaString(word.to_vec()));
                    }
                    if found.len() >= MOST {
                        return found;
                    }
                }
            }
        }
        found
    }

    fn texts(&self) -> Vec<JavaString> {
        let mut texts: Vec<JavaString> = Vec::new();
        let mut add = |text: &Text| {
            // What is repeated is there for its depth.
            if text.len() <= LOOKED_INTO {
                texts.push(text.expanded());
            }
        };
        let mut copy = self.clone();
        for stmt in &mut copy.body.stmts {
            for content in stmt.contents_mut() {
                if let Content::Text(text) = content {
                    add(text);
                }
            }
        }
        copy.for_each_literal_mut(&mut |literal| {
            if let Literal::String(text) = literal {
                add(text);
            }
        });
        texts
    }
}

fn is_part_of_name(unit: u16) -> bool {
    char::from_u32(unit.into()).is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn is_part_of_path(unit: u16) -> bool {
    is_part_of_name(unit) || unit == u16::from(b'.') || unit == u16::from(b'-')
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_of_documents_are_words() {
        let recipe = crate::parse(
            "v0: java.io.StringReader = stream StringReader \"[a.b]\\nkey-1 = 'x'\"\nv1: a.B = new a.B(java.lang.String \"x\")",
        );
        let words: Vec<String> = recipe.unwrap().words().iter().map(crate::JavaString::to_lossy).collect();
        assert_eq!(words, ["a.b", "a", "b", "key-1", "key", "1", "x"]);
    }
}
