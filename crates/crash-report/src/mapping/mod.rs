//! Undoes what ProGuard and R8 did to the names and lines of a report, with the mapping file of the build.
//!
//! [`Mapping::parse`] reads `mapping.txt`; [`Mapping::deobfuscate`] gives every exception its class and every frame its
//! class, method, file and line back. One frame may become several where methods were inlined. R8's notes on source
//! files, synthetic methods, rewritten frames and outlines are obeyed; others are ignored. Messages are left alone: a
//! short class name in one cannot be told from a word.

mod apply;
mod read;

use rustc_hash::FxHashMap;

/// The names of a build before and after obfuscation.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// By obfuscated name.
    classes: FxHashMap<String, Class>,
    /// From the original name of a class to its source file.
    files: FxHashMap<String, String>,
}

/// A line of a mapping file that is not understood and was skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the mapping file is not understood: `{text}`")]
pub struct MappingProblem {
    /// From 1.
    pub line: u32,
    pub text: String,
}

#[derive(Debug, Clone, Default)]
struct Class {
    original: String,
    synthetic: bool,
    /// By obfuscated name, in the order of the file.
    methods: FxHashMap<String, Vec<Member>>,
}

/// A method of the source that has code in an obfuscated method.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Member {
    /// Lines of the obfuscated method; `None`: all.
    lines: Option<(u32, u32)>,
    /// The class, if the method was of another one.
    owner: Option<String>,
    method: String,
    /// Lines of the source: first and, if it is a range, last.
    original: Option<(u32, Option<u32>)>,
    notes: Notes,
}

/// What R8 says of a method in the comment below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Notes {
    /// R8 made the method.
    synthetic: bool,
    /// Code that several methods share; its frame is none of the source.
    outline: bool,
    /// For lines of an outline, the line in this method that the code stood at.
    outline_lines: Vec<(u32, u32)>,
    /// If this exception is thrown from this frame, so many inlined frames were not there.
    rewrites: Vec<Rewrite>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rewrite {
    exception: String,
    remove: usize,
}

impl Mapping {
    /// The original name of a class.
    pub fn original_class(&self, obfuscated: &str) -> Option<&str> {
        self.classes.get(obfuscated).map(|class| class.original.as_str())
    }

    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
}
