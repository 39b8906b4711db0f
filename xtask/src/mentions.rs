//! Which crates do Rust sources mention? Read off the text alone: comments, literals and, if wanted, code of unit tests are left
//! out, and a crate is mentioned where its name begins a path or follows `use` or `extern crate`. A module of the same name counts too, so
//! this can overlook a crate that nobody uses; it never accuses one that somebody does.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Keywords that may stand before a path.
const BEFORE_PATHS: [&str; 11] = ["as", "dyn", "else", "for", "if", "impl", "in", "match", "mut", "return", "use"];

/// Whether code below `#[cfg(test)]` counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitTests {
    Included,
    LeftOut,
}

/// Names mentioned in all Rust files of a directory; none if it does not exist.
pub(crate) fn in_directory(directory: &Path, tests: UnitTests) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let mut left_out = BTreeSet::new();
    let files = with_borrowed(rust_files(directory)?)?;
    for file in &files {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let code = Code::new(&text, tests);
        left_out.extend(code.test_modules.iter().flat_map(|module| places_of(file, module)));
    }
    for file in files.iter().filter(|file| !left_out.iter().any(|place| file.starts_with(place))) {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        names.extend(Code::new(&text, tests).mentioned());
    }
    Ok(names)
}

/// Names mentioned in one file; none if it does not exist.
pub(crate) fn in_file(file: &Path) -> Result<BTreeSet<String>> {
    if !file.is_file() {
        return Ok(BTreeSet::new());
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Code::new(&text, UnitTests::Included).mentioned())
}

fn rust_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !directory.is_dir() {
        return Ok(found);
    }
    for entry in std::fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Files of other crates too that `#[path = ".."]` makes modules, with what is below them.
fn with_borrowed(mut files: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let mut next = 0;
    while let Some(file) = files.get(next).cloned() {
        next += 1;
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let named = text.split("#[path = \"").skip(1).filter_map(|rest| rest.split('"').next());
        for borrowed in named.map(|path| file.with_file_name(path)).filter(|path| path.is_file()) {
            let below =
                if borrowed.ends_with("mod.rs") { borrowed.with_file_name("") } else { borrowed.with_extension("") };
            let found = std::iter::once(borrowed).chain(rust_files(&below)?);
            let new: Vec<PathBuf> = found.filter(|path| !files.contains(path)).collect();
            files.extend(new);
        }
    }
    Ok(files)
}

/// The file and the directory of a module that this file declares.
fn places_of(file: &Path, module: &str) -> [PathBuf; 2] {
    let is_root = ["lib.rs", "main.rs", "mod.rs"].iter().any(|root| file.ends_with(root));
    let inside = if is_root { file.with_file_name("") } else { file.with_extension("") };
    [inside.join(format!("{module}.rs")), inside.join(module)]
}

/// A file as tokens: names, and every other character by itself.
struct Code {
    tokens: Vec<String>,
    /// Modules in files of their own that are only compiled for tests.
    test_modules: Vec<String>,
}

impl Code {
    fn new(text: &str, tests: UnitTests) -> Code {
        let mut code = Code { tokens: tokens(text), test_modules: Vec::new() };
        if tests == UnitTests::LeftOut {
            code.leave_tests_out();
        }
        code
    }

    fn leave_tests_out(&mut self) {
        const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
        let mut kept = Vec::new();
        let mut rest = self.tokens.as_slice();
        while let Some((first, after)) = rest.split_first() {
            if !rest.iter().zip(MARK).all(|(token, mark)| token == mark) || rest.len() < MARK.len() {
                kept.push(first.clone());
                rest = after;
                continue;
            }
            let (item, behind) = rest[MARK.len()..].split_at(length_of_item(&rest[MARK.len()..]));
            let is_file = item.last().is_some_and(|token| token == ";");
            let module = item.iter().position(|token| token == "mod").and_then(|at| item.get(at + 1));
            self.test_modules.extend(module.filter(|_| is_file).cloned());
            rest = behind;
        }
        self.tokens = kept;
    }

    fn mentioned(&self) -> BTreeSet<String> {
        let at = |index: Option<usize>| index.and_then(|index| self.tokens.get(index)).map_or("", String::as_str);
        let is_mention = |index: usize| {
            let (before, earlier) = (at(index.checked_sub(1)), at(index.checked_sub(3)));
            // `a::b` goes on with a path; `::b` and `use ::b` begin one.
            let continues = before == ":" && is_name(earlier) && !BEFORE_PATHS.contains(&earlier);
            let begins_path = at(Some(index + 1)) == ":" && at(Some(index + 2)) == ":";
            !continues && (begins_path || ["use", "crate"].contains(&before))
        };
        let indices = (0..self.tokens.len()).filter(|index| is_name(&self.tokens[*index]) && is_mention(*index));
        indices.map(|index| self.tokens[index].to_owned()).collect()
    }
}

/// Up to the end of its block, or its semicolon if that comes first.
fn length_of_item(tokens: &[String]) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && ["}", ";"].contains(&token.as_str()) {
            return index + 1;
        }
    }
    tokens.len()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest);
        if length > 0 {
            rest = &rest[length..];
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let length = if name > 0 { name } else { first.len_utf8() };
        found.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    found
}

/// How long the white space, comment or literal is that the text begins with.
fn skipped(text: &str) -> usize {
    let end_of = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with(char::is_whitespace) {
        return text.len() - text.trim_start().len();
    }
    // The mark of a name that is also a keyword.
    if text.strip_prefix("r#").is_some_and(is_name) {
        return 2;
    }
    if text.starts_with("//") {
        return end_of("\n", 0);
    }
    if text.starts_with("/*") {
        return block_comment(text);
    }
    let prefix = ["br", "cr", "b", "c", "r"].into_iter().find(|prefix| {
        text.strip_prefix(prefix).is_some_and(|rest| {
            rest.trim_start_matches('#').starts_with('"') || (*prefix == "b" && rest.starts_with('\''))
        })
    });
    let start = prefix.map_or(0, str::len);
    let hashes = text[start..].len() - text[start..].trim_start_matches('#').len();
    match text[start + hashes..].chars().next() {
        Some('"') if prefix.is_some_and(|prefix| prefix.ends_with('r')) => {
            end_of(&format!("\"{}", "#".repeat(hashes)), start + hashes + 1)
        }
        Some('"') if hashes == 0 => quoted(text, start, '"'),
        Some('\'') if hashes == 0 => character(text, start),
        _ => 0,
    }
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let (step, change) = match &text[at..] {
            rest if rest.starts_with("/*") => (2, 1),
            rest if rest.starts_with("*/") => (2, -1),
            rest => (rest.chars().next().map_or(1, char::len_utf8), 0),
        };
        at += step;
        depth += change;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Up to the closing quote.
fn quoted(text: &str, start: usize, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text[start..].char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return start + at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// A character, or the name of a lifetime.
fn character(text: &str, start: usize) -> usize {
    let mut chars = text[start + 1..].chars();
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(text, start, '\''),
        _ => start + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentioned(text: &str, tests: UnitTests) -> Vec<String> {
        Code::new(text, tests).mentioned().into_iter().collect()
    }

    #[test]
    fn names_that_begin_a_path() {
        let cases: [(&str, &[&str]); 12] = [
            ("use serde::Deserialize;", &["serde"]),
            ("use serde;", &["serde"]),
            ("use {a::B, c::{d::E, f}};", &["a", "c", "d"]),
            ("pub use r#a::B as C;", &["a"]),
            ("extern crate alloc;", &["alloc"]),
            ("fn f(x: &dyn a::B) -> ::c::D<e::F> { x as ::g::H }", &["a", "as", "c", "e", "g"]),
            ("crate::a::b(self::c::d)", &["crate", "self"]),
            ("// use a::B;\n/* b::c /* d::e */ f::g */ h::i()", &["h"]),
            (r##"let s = "a::b \" c::d"; let t = r#"e::f " g::h"#; i::j(b'k', '"', '\'', b"l::m")"##, &["i"]),
            ("impl<'a> B<'a> for c::D<'a> {}", &["c"]),
            ("#[derive(a::B)] struct C { d: u8 }", &["a"]),
            ("let a: b = c; match d { e => f }", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(mentioned(text, UnitTests::Included), expected, "{text}");
        }
    }

    #[test]
    fn modules_of_other_crates_count() {
        let directory = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("one/tests/t.rs", "#[path = \"../../two/support/mod.rs\"]\nmod support;");
        write("two/support/mod.rs", "mod more;\nuse a::B;");
        write("two/support/more.rs", "use c::D;");
        let found = in_directory(&directory.path().join("one/tests"), UnitTests::Included).unwrap();
        assert!(found.contains("a") && found.contains("c"), "{found:?}");
    }

    #[test]
    fn code_of_unit_tests_is_left_out() {
        let text = "use a::B;\n#[cfg(test)]\nmod tests { use c::D; fn f() { g::h(); } }\nuse i::J;\n#[cfg(test)]\nuse k::L;\nfn m() {}";
        assert_eq!(mentioned(text, UnitTests::LeftOut), ["a", "i"]);
        assert_eq!(mentioned(text, UnitTests::Included), ["a", "c", "g", "i", "k"]);
        let file = Code::new("#[cfg(test)]\nmod testing;\nuse a::B;", UnitTests::LeftOut);
        assert_eq!(file.test_modules, ["testing"]);
    }
}
