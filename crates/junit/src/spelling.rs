//! Text of others in Java source: the names, signatures and messages of the program under test. Class files may have any
//! text for a name, and whoever made them may want it to be read as something else: the end of a literal or of a comment, a
//! line end, an escape that the compiler replaces before it reads anything (JLS 3.3), characters that reorder what people see.
//!
//! Everything that is no identifier goes through [`text`] or [`comment`]; [`Spelling`] looks at all identifiers as they are
//! written.

use crate::ident::is_identifier;
use crate::literal;
use crate::syntax::Expr;
use program::classfile::signature::{
    ClassSignature, ClassType, FieldSignature, GenericType, MethodSignature, TypeArgument, TypeParameter,
};
use std::cell::RefCell;

/// A string literal.
pub(crate) fn text(text: &str) -> Expr {
    let units: Vec<u16> = text.encode_utf16().collect();
    Expr::atom(literal::quoted(&units))
}

/// What a comment may say: on one line, in printable ASCII, without its end and without escapes.
pub(crate) fn comment(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            ' '..='~' => c,
            _ if c.is_control() => ' ',
            _ => '?',
        })
        .collect();
    plain.replace("*/", "* /").replace("\\u", "\\ u")
}

/// Notes the first name that is none in Java.
#[derive(Debug, Default)]
pub(crate) struct Spelling(RefCell<Option<String>>);

impl Spelling {
    /// The name as it is, of a variable, a member, a type, with dots or without.
    pub(crate) fn look_at<'n>(&self, name: &'n str) -> &'n str {
        if !name.split('.').all(|part| is_identifier(part) || OURS.contains(&part)) {
            self.0.borrow_mut().get_or_insert_with(|| name.to_owned());
        }
        name
    }

    /// What was noted elsewhere counts as well.
    pub(crate) fn take_over(&self, other: Spelling) {
        if let Some(name) = other.misspelt() {
            self.0.borrow_mut().get_or_insert(name);
        }
    }

    pub(crate) fn misspelt(self) -> Option<String> {
        self.0.into_inner()
    }
}

/// Keywords that are called like methods.
const OURS: [&str; 2] = ["this", "super"];

/// Signatures whose type variables have no names in Java say nothing that could be written.
pub(crate) trait Spellable {
    fn is_spellable(&self) -> bool;
}

impl Spellable for GenericType {
    fn is_spellable(&self) -> bool {
        match self {
            GenericType::Primitive(_) => true,
            GenericType::Class(class) => class.is_spellable(),
            GenericType::Variable(name) => is_identifier(name.as_str()),
            GenericType::Array(component) => component.is_spellable(),
        }
    }
}

impl Spellable for ClassType {
    fn is_spellable(&self) -> bool {
        let argument = |argument: &TypeArgument| match argument {
            TypeArgument::Any => true,
            TypeArgument::Exactly(ty) | TypeArgument::Extends(ty) | TypeArgument::Super(ty) => ty.is_spellable(),
        };
        self.arguments.iter().all(argument) && self.outer.as_ref().is_none_or(|outer| outer.is_spellable())
    }
}

impl Spellable for TypeParameter {
    fn is_spellable(&self) -> bool {
        let mut bounds = self.class_bound.iter().chain(&self.interface_bounds);
        is_identifier(self.name.as_str()) && bounds.all(Spellable::is_spellable)
    }
}

impl Spellable for ClassSignature {
    fn is_spellable(&self) -> bool {
        let mut above = std::iter::once(&self.super_class).chain(&self.interfaces);
        self.type_parameters.iter().all(Spellable::is_spellable) && above.all(Spellable::is_spellable)
    }
}

impl Spellable for MethodSignature {
    fn is_spellable(&self) -> bool {
        let mut types = self.params.iter().chain(&self.ret).chain(&self.throws);
        self.type_parameters.iter().all(Spellable::is_spellable) && types.all(Spellable::is_spellable)
    }
}

impl Spellable for FieldSignature {
    fn is_spellable(&self) -> bool {
        self.0.is_spellable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_comments() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a\nb\u{2028}c", "a b?c"),
            ("x */ evil(); /*", "x * / evil(); /*"),
            ("\\u000a evil();", "\\ u000a evil();"),
            ("\\\\u000a", "\\\\ u000a"),
            ("\u{202e}live", "?live"),
        ] {
            assert_eq!(comment(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_of_others_are_noticed() {
        for (name, misspelt) in [
            ("java.util.List", false),
            ("this", false),
            ("gr\u{f6}\u{df}e", false),
            ("a.b-c", true),
            ("a;evil()", true),
            ("a\u{202e}b", true),
            ("", true),
        ] {
            let spelling = Spelling::default();
            assert_eq!(spelling.look_at(name), name);
            assert_eq!(spelling.misspelt().is_some(), misspelt, "{name:?}");
        }
    }
}
