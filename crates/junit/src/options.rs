//! What a caller chooses about the printed test, and what is handed back.

use program::{ClassName, FieldRef, MethodRef};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq)]
pub struct PrintOptions {
    pub framework: Framework,
    pub style: Style,
    /// The source must compile for this release and all later ones.
    pub release: Release,
    /// The package for a test that need not be in a certain one, dotted; empty for the unnamed package.
    pub package: String,
    /// Repaired where it is no Java name.
    pub class_name: String,
    pub method_name: String,
    /// Comment lines above the class: what the test reproduces, how to run it.
    pub header: Vec<String>,
    /// What a compiler has refused in an earlier print of the same recipe: reached by reflection, implemented by proxies.
    pub refused: BTreeSet<Use>,
}

/// What a recipe uses and a compiler may refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Or a constructor.
    Method(MethodRef),
    Field(FieldRef),
    /// A type that an object of the test implements.
    Callback(ClassName),
}

/// Why a recipe cannot be written as Java source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// The type of an object that the program calls back.
    #[error("{what} cannot be implemented in Java source: it {why}")]
    Type { what: ClassName, why: String },
    /// Nothing of that name can be written down.
    #[error("Java source cannot spell the name {name:?}")]
    Name { name: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framework {
    JUnit4,
    JUnit5,
    TestNg,
    /// A class with a `main` method.
    Main,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub enum Style {
    /// The exception escapes: the test fails until the bug is fixed.
    #[default]
    Red,
    /// The test passes as long as the bug exists.
    AssertThrows(Expected),
}

/// What the crash looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    pub exception: ClassName,
    /// What it is wrapped in where it leaves the program: outermost first, each the cause of the one before.
    pub wrappers: Vec<ClassName>,
    /// `None` if it is not the same in each run, or not known; `Some(None)` for an exception without one.
    pub message: Option<Option<String>>,
    /// The application's frames, top first.
    pub frames: Vec<ExpectedFrame>,
    /// For a stack overflow: the frames are among those of the stack, in no order.
    pub repeating: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedFrame {
    pub class: ClassName,
    pub method: String,
    /// `None` where the class has no line table.
    pub line: Option<u32>,
}

/// A Java release: 8, 11, 17, ..
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(pub u16);

impl Release {
    pub(crate) fn has_private_lookup(self) -> bool {
        self.0 >= 9
    }

    pub(crate) fn has_string_repeat(self) -> bool {
        self.0 >= 11
    }

    pub(crate) fn has_text_blocks(self) -> bool {
        self.0 >= 15
    }
}

/// A printed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSource {
    /// Dotted; empty for the unnamed package.
    pub package: String,
    pub class_name: String,
    pub method_name: String,
    /// Below a source directory: `org/acme/ParserTest.java`.
    pub path: PathBuf,
    pub text: String,
    pub flags: Flags,
}

/// What a reader should know about how the test reaches the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags {
    /// Calls or sets non-public members by reflection.
    pub reflection: bool,
    /// Sits in a package of the program to see package-private members.
    pub in_package: bool,
}
