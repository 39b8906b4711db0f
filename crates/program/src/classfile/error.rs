//! What can be wrong with a class file, and where. Nothing here is our user's fault: these errors describe foreign input.

use crate::names::ClassName;
use std::fmt;

/// Something in a class file that cannot be read, with the structure it is in and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("class `{}`: {within} cannot be read at byte {offset}: {damage}", class_text(.class))]
pub struct ClassFileError {
    /// `None` when the damage comes before the class's own name.
    pub class: Option<ClassName>,
    /// The structure or attribute, such as `constant pool` or `Code of run()V`.
    pub within: String,
    /// Offset from the start of the class file.
    pub offset: u32,
    pub damage: Damage,
}

fn class_text(class: &Option<ClassName>) -> String {
    class.map_or_else(|| "?".into(), ClassName::dotted)
}

/// The kinds of damage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("the data ends too early")]
    Truncated,
    #[error("it does not start with the magic number of class files")]
    NotAClassFile,
    #[error("constant {index} does not exist")]
    NoSuchConstant { index: u16 },
    #[error("constant {index} is not a {expected}")]
    WrongConstant { index: u16, expected: &'static str },
    #[error("constant tag {tag} is unknown")]
    UnknownConstantTag { tag: u8 },
    #[error("`{text}` is not a valid {expected}")]
    Malformed { text: String, expected: &'static str },
    #[error("opcode {opcode:#04x} is unknown")]
    UnknownOpcode { opcode: u8 },
    #[error("branch to {target}, outside of the method's code")]
    BadBranch { target: i64 },
    #[error("value {value} is not allowed for the {of}")]
    BadValue { value: u32, of: &'static str },
    #[error("nested too deeply")]
    TooDeep,
}

/// Damage with its place, before it is known which class and structure it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) offset: usize,
    pub(crate) damage: Damage,
}

impl Flaw {
    pub(crate) fn new(offset: usize, damage: Damage) -> Self {
        Flaw { offset, damage }
    }

    pub(crate) fn within(self, class: Option<ClassName>, within: impl fmt::Display) -> ClassFileError {
        let offset = u32::try_from(self.offset).unwrap_or(u32::MAX);
        ClassFileError { class, within: within.to_string(), offset, damage: self.damage }
    }
}
