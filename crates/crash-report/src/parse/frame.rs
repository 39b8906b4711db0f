//! Reads the frame in a line: `at loader/module@version/class.method(location) ~[jar:version]`.
//!
//! Input is one line of text in any dress; what stands before the frame is handed back as its prefix. Frames without
//! `at` (`java.base/java.lang.Thread.run(Thread.java:833)`, as in thread dumps of `jcmd` and in issue texts) are
//! found only if nothing else is in the line. Does not decide whether the line belongs to a trace.

use std::sync::LazyLock;

use memchr::memmem;

use super::guest;
use crate::report::{Frame, Jar, Module};

/// A frame and where in its line it was found.
#[derive(Debug)]
pub(crate) struct FrameLine<'a> {
    /// What stands before `at` (or before the frame), white space included.
    pub(crate) prefix: &'a str,
    /// Without `at`.
    pub(crate) bare: bool,
    pub(crate) frame: Frame,
    /// Frames that the logger left out after this one (`[3 skipped]`).
    pub(crate) skipped: usize,
    /// What stands after the frame and its jar.
    pub(crate) rest: &'a str,
}

/// The first frame of the line.
pub(crate) fn find(line: &str) -> Option<FrameLine<'_>> {
    memchr::memchr(b'(', line.as_bytes())?;
    let plain = line.len() - line.trim_start().len();
    if line[plain..].starts_with("at ")
        && let Some(found) = find_at(line, plain)
    {
        return Some(found);
    }
    at_words(line).find_map(|at| find_at(line, at)).or_else(|| find_bare(line))
}

/// The frame behind the `at` that begins here.
fn find_at(line: &str, at: usize) -> Option<FrameLine<'_>> {
    let (frame, skipped, rest) = read(line[at + 3..].trim_start())?;
    Some(FrameLine { prefix: &line[..at], bare: false, frame, skipped, rest })
}

/// Where the word `at`, followed by white space, begins in the line.
pub(crate) fn at_words(line: &str) -> impl Iterator<Item = usize> {
    static AT: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"at"));
    let bytes = line.as_bytes();
    AT.find_iter(bytes).filter(move |&i| {
        let boundary = i == 0 || !is_name_byte(bytes[i - 1]);
        boundary && matches!(bytes.get(i + 2), Some(b' ' | b'\t'))
    })
}

/// Where the word `at` begins that the line ends with.
pub(crate) fn at_end(line: &str) -> Option<usize> {
    let before = line.trim_end().strip_suffix("at")?;
    (!before.bytes().next_back().is_some_and(is_name_byte)).then_some(before.len())
}

/// Does the line begin like a frame, but end before its location does? `at`, `at org.acme.Foo.bar`,
/// `at org.acme.Foo.bar(Foo.java`.
pub(crate) fn is_cut(line: &str) -> bool {
    let text = line.trim();
    let Some(name) = text.strip_prefix("at").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])) else {
        return false;
    };
    let name = name.trim_start();
    let (name, location) = name.split_once('(').unwrap_or((name, ""));
    !location.contains(')')
        && !name.contains(char::is_whitespace)
        && (name.is_empty() || (name.contains('.') && is_name(name)))
}

/// The continuation of a line that [`is_cut`] after the method: `(Foo.java:12)`.
pub(crate) fn is_location_alone(line: &str) -> bool {
    let text = line.trim();
    text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).is_some_and(|l| Location::read(l).is_some())
}

fn find_bare(line: &str) -> Option<FrameLine<'_>> {
    let text = line.trim_start();
    // A list of frames, as people and YAML write it.
    let text = ["- ", "* ", "• "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    if !text.starts_with(begins_name) {
        return None;
    }
    let (frame, skipped, rest) = read(text)?;
    let sure = frame.native || frame.line.is_some() || text.contains("(Unknown Source)");
    let alone = rest.trim_end_matches([',', ';', '"', '\'', '`']).trim().is_empty();
    let qualified = frame.class.contains('.') || frame.class.starts_with(char::is_uppercase);
    (sure && alone && qualified).then(|| FrameLine {
        prefix: &line[..line.len() - text.len()],
        bare: true,
        frame,
        skipped,
        rest,
    })
}

/// Reads a frame that begins at the first character; gives the rest of the text back.
fn read(text: &str) -> Option<(Frame, usize, &str)> {
    let (frame, rest) = of_class(text).or_else(|| of_dotnet(text)).or_else(|| guest::read(text))?;
    Some(with_suffixes(frame, rest))
}

/// The same for `class.method(location)` only, without what loggers write behind it.
pub(crate) fn of_class(text: &str) -> Option<(Frame, &str)> {
    let (name, location, rest) = split(text)?;
    let (owner, method) = name.rsplit_once('.')?;
    // No method has a slash in its name; a function of Clojure does, as its source names it.
    if method.is_empty() || method.contains('/') || !is_name(owner) {
        return None;
    }
    let owner = Owner::read(owner)?;
    let module = owner.module.or(location.module);
    let frame = Frame {
        class: owner.class,
        method: method.to_owned(),
        file: location.file.map(str::to_owned),
        line: location.line,
        native: location.native,
        module,
        loader: owner.loader,
        jar: None,
    };
    Some((frame, rest))
}

/// A frame as IKVM, which runs Java on .NET, prints it: `a.B.c(String x) in B.java:line 12`. A constructor is `a.B..ctor()`.
fn of_dotnet(text: &str) -> Option<(Frame, &str)> {
    const LONGEST: usize = 1024;
    let near = &text[..text.floor_char_boundary(LONGEST)];
    let (call, location) = near.split_once(") in ")?;
    let (name, _) = call.split_once('(')?;
    let (path, number) = location.split_once(":line ")?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let constructor = name.strip_suffix("..ctor").map(|owner| (owner, "<init>"));
    let (class, method) = constructor.or_else(|| name.rsplit_once('.'))?;
    if !class.contains('.') || !is_name(class) || method.is_empty() || method.contains(char::is_whitespace) {
        return None;
    }
    let Owner { loader, module, class } = Owner::read(class)?;
    let file = path.rsplit(['/', '\\']).next().map(str::to_owned);
    let line = Some(number[..digits].parse().ok()?);
    let frame = Frame { class, method: method.to_owned(), file, line, native: false, module, loader, jar: None };
    let end = near.len() - number.len() + digits;
    Some((frame, &text[end..]))
}

/// Splits `name(location)rest`. A name may have blanks only where Kotlin allows them, in the method; then the location
/// must have a line, for a sentence could be meant.
fn split(text: &str) -> Option<(&str, Location<'_>, &str)> {
    // Bounds that no frame comes near; they keep the reading of a hostile line linear.
    const LONGEST_NAME: usize = 4096;
    const LONGEST_LOCATION: usize = 512;
    const MOST_PARENTHESES: usize = 3;
    let first = memchr::memchr(b'(', &text.as_bytes()[..text.len().min(LONGEST_NAME)])?;
    let blank = text[..first].find(char::is_whitespace);
    let near = memchr::memchr_iter(b'(', &text.as_bytes()[..text.len().min(LONGEST_NAME)]);
    for open in near.take(MOST_PARENTHESES) {
        let Some(close) = closing(&text.as_bytes()[open..text.len().min(open + LONGEST_LOCATION)]) else { continue };
        let name = &text[..open];
        if let Some(location) = Location::read(&text[open + 1..open + close])
            && (blank.is_none() && open == first || location.line.is_some() && spaced_method(name))
        {
            return Some((name.trim_end(), location, &text[open + close + 1..]));
        }
        // Google's console sets a blank before the location; a class without a package needs a closer look.
        if let Some(location) = Location::read(&text[open + 1..open + close])
            && open == first
            && blank == open.checked_sub(1)
            && location.line.is_some_and(|_| location.file.is_some_and(|file| !file.contains([':', '/', '\\'])))
        {
            return Some((&text[..open - 1], location, &text[open + close + 1..]));
        }
        if blank.is_none() && open == first && !text[open + close..].starts_with(")(") {
            return None;
        }
    }
    None
}

/// Is this `org.acme.FooTest.does a thing (twice)`: blanks in the last part only?
fn spaced_method(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(owner, method)| {
        owner.contains('.')
            && is_name(owner)
            && !method.contains(['"', '\'', ',', '='])
            && method.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$')
    })
}

/// The index of the parenthesis that closes the one the text begins with. A location has one more inside, not two.
fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (i, b) in text.iter().enumerate() {
        match b {
            b'(' if depth == 2 => return None,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// `loader/module@version/class`, in the form of `StackTraceElement.toString`.
struct Owner {
    loader: Option<String>,
    module: Option<Module>,
    class: String,
}

impl Owner {
    fn read(text: &str) -> Option<Owner> {
        if !text.contains('/') {
            return Some(Owner { loader: None, module: None, class: text.to_owned() });
        }
        let mut parts: Vec<&str> = text.split('/').collect();
        let mut class = parts.pop()?.to_owned();
        if is_hidden_suffix(&class) {
            class = format!("{}/{class}", parts.pop()?);
        }
        // IBM's javacore writes `java/lang/Thread`; a module or loader is never followed by a class without package
        // more than twice.
        let slashes = !class.contains('.') && parts.len() >= 2 && parts.iter().all(|p| is_identifier(p));
        if slashes {
            parts.push(&class);
            return Some(Owner { loader: None, module: None, class: parts.join(".") });
        }
        let (loader, module) = match parts[..] {
            [] => (None, None),
            [module] => (None, Some(module)),
            [.., loader, module] => (Some(loader), Some(module)),
        };
        (!class.is_empty()).then(|| Owner {
            loader: loader.filter(|l| !l.is_empty()).map(str::to_owned),
            module: module.filter(|m| !m.is_empty()).map(Module::read),
            class,
        })
    }
}

impl Module {
    pub(crate) fn read(text: &str) -> Module {
        match text.split_once('@') {
            Some((name, version)) => Module { name: name.to_owned(), version: Some(version.to_owned()) },
            None => Module { name: text.to_owned(), version: None },
        }
    }
}

/// What stands in the parentheses of a frame.
struct Location<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    native: bool,
    module: Option<Module>,
}

impl<'a> Location<'a> {
    fn read(text: &'a str) -> Option<Location<'a>> {
        let mut text = text.trim();
        let mut module = None;
        // `jstack` puts the module here: `(java.base@17.0.1/Thread.java:833)`.
        if let Some((before, after)) = text.split_once('/')
            && before.contains('@')
            && !before.contains(char::is_whitespace)
        {
            module = Some(Module::read(before));
            text = after;
        }
        // J9 and old HotSpots: `(Foo.java:12(Compiled Code))`, `(Compiled Code)`.
        let noted = text.ends_with([')', 'e', 'd']);
        for note in ["Inlined Compiled Code", "Compiled Code", "Optimized Method", "Interpreted Code"] {
            if !noted {
                break;
            }
            if let Some(before) = text.strip_suffix(note).or_else(|| text.strip_suffix(')')?.strip_suffix(note)) {
                text = before.trim_end_matches('(').trim_end();
                if text.is_empty() {
                    return Some(Location { file: None, line: None, native: false, module });
                }
            }
        }
        let (file, line) = match text.rsplit_once(':') {
            Some((file, digits)) if is_line_number(digits.trim()) => (file.trim_end(), Some(digits.trim())),
            _ => (text, None),
        };
        let number = line.and_then(|l| l.parse().ok()).filter(|&l: &u32| l > 0);
        let location = |file: Option<&'a str>, native| Location { file, line: number, native, module };
        match file {
            // J9: not a line but an index of bytecode.
            "Bytecode PC" => Some(Location { line: None, ..location(None, false) }),
            "Native Method" | "Native method" | "Native" => Some(location(None, true)),
            "Unknown Source" | "Unknown" | "<unknown>" | "<Unknown>" | "Unknown source" => Some(location(None, false)),
            "" => line.map(|_| location(None, false)),
            _ if line.is_some() => is_file(file).then(|| location(Some(file), false)),
            _ => (is_file(file) && names_a_file(file)).then(|| location(Some(file), false)),
        }
    }
}

fn is_line_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.len() <= 10 && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_file(text: &str) -> bool {
    !text.contains(['"', '\n', '\t', ',', '=', '(']) && (!text.contains(' ') || text.contains('.'))
}

/// Without a line the name itself has to look like that of a source: `Foo.java`, `SourceFile`, `<generated>`,
/// `LambdaForm$MH`.
fn names_a_file(text: &str) -> bool {
    let extension = text
        .rsplit_once('.')
        .is_some_and(|(stem, ext)| !stem.is_empty() && (1..=8).contains(&ext.len()) && is_identifier(ext));
    let angled = text.starts_with('<') && text.ends_with('>');
    extension || angled || text.contains('$') || matches!(text, "SourceFile" | "NO_SOURCE_FILE" | "Unknown Method")
}

/// The number in `<4 internal lines>`, `<4 folded frames>`: what a development environment shows of folded frames.
pub(crate) fn folded(text: &str) -> Option<usize> {
    let (count, what) = text.trim().strip_prefix('<')?.strip_suffix('>')?.split_once(' ')?;
    ["internal", "folded"].iter().any(|word| what.starts_with(word)).then(|| count.parse().ok())?
}

/// Reads what loggers write after a frame: `~[log4j.jar:1.2]`, `[na:1.8.0_312]`, `[3 skipped]`.
fn with_suffixes(mut frame: Frame, mut rest: &str) -> (Frame, usize, &str) {
    let mut skipped = 0;
    loop {
        let text = rest.trim_start();
        let (text, exact) = match text.strip_prefix('~') {
            Some(text) => (text, false),
            None => (text, true),
        };
        let Some((note, after)) = text.strip_prefix('[').and_then(|t| t.split_once(']')) else {
            return (frame, folded(text).unwrap_or(skipped), rest);
        };
        if let Some(n) = note.strip_suffix(" skipped").and_then(|n| n.parse().ok()) {
            skipped = n;
        } else if let Some((name, version)) = note.rsplit_once(':').filter(|_| frame.jar.is_none()) {
            let known = |s: &str| (!matches!(s, "" | "?" | "na")).then(|| s.to_owned());
            frame.jar = Some(Jar { name: known(name), version: known(version), exact });
        } else {
            return (frame, skipped, rest);
        }
        rest = after;
    }
}

/// `0x0000000800066840` of hidden classes, `1023892928` of the lambdas of JDK 8; some loggers add the hash of an object.
fn is_hidden_suffix(text: &str) -> bool {
    let text = text.split_once('@').map_or(text, |(class, _)| class);
    let hex = text.strip_prefix("0x").is_some_and(|h| !h.is_empty() && h.bytes().all(|b| b.is_ascii_hexdigit()));
    hex || (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
}

/// May this be a class name with what stands before it? The JVM allows nearly everything; sentences and addresses
/// are refused.
fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
    if text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.split('.').all(|part| !part.is_empty() && part.bytes().all(plain))
    {
        return true;
    }
    let mut last = ' ';
    for (i, c) in text.char_indices() {
        let refused = match c {
            '"' | '\'' | ',' | '=' | '{' | '}' | '|' => true,
            ':' => last == '/',
            '.' => last == '.',
            '/' => last == ':',
            c => (!c.is_ascii_alphanumeric() && c.is_whitespace()) || c.is_control(),
        };
        if refused || (i == 0 && !begins_name(c)) {
            return false;
        }
        last = c;
    }
    !text.is_empty()
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$' | '-' | '<')
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'))
}

fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b'-' | b'/') || b >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        find(text).unwrap_or_else(|| panic!("no frame in {text}")).frame
    }

    #[test]
    fn forms_of_frames_print_back_as_they_were() {
        for text in [
            "org.acme.Foo.bar(Foo.java:12)",
            "org.acme.Foo.<init>(Foo.java)",
            "Main.main(Main.java:3)",
            "java.base/java.lang.Thread.run(Thread.java:840)",
            "java.base@17.0.1/java.lang.Thread.run(Thread.java:840)",
            "app//org.acme.Foo.bar(Foo.java:12)",
            "plugin-loader/org.acme@1.2/org.acme.Foo.bar(Unknown Source)",
            "org.acme.Foo$$Lambda$14/0x0000000800066840.run(Unknown Source)",
            "java.base/java.lang.invoke.LambdaForm$MH/0x0000000800c03000.invoke(LambdaForm$MH)",
            "org.acme.Foo$$Lambda$1/1023892928.run(Unknown Source)",
            "org.acme.Foo$$Lambda/0x00007f1234@1a2b.run(Unknown Source)",
            "org.acme.Foo$$EnhancerBySpringCGLIB$$1a2b.bar(<generated>)",
            "java.lang.Object.wait(Native Method)",
            "a.b.c(Unknown Source:5)",
            "org.acme.FooTest.does a thing(FooTest.kt:7)",
            "org.acme.FooTest.does a thing (twice)(FooTest.kt:7)",
            "clojure.core$map$fn__4785.invoke(core.clj:2646)",
        ] {
            let line = format!("\tat {text}");
            assert_eq!(frame(&line).to_string(), text);
        }
    }

    #[test]
    fn what_is_not_a_frame() {
        for text in [
            "at System.currentTimeMillis()",
            "we met at noon (with Bob.java)",
            "look at http://acme.org/a.b(c.java:1)",
            "calls foo.bar(baz)",
            "at foo.bar(some text)",
            "at foo.bar(some text) in a hurry",
            "at foo.bar(x) in Foo.java:line twelve",
            "at bar(x) in Foo.java:line 12",
            "- see foo.bar(x) and others",
            "at Module._compile (internal/loader.js:1063:30)",
            "that org.acme.Foo.bar(Foo.java:12)",
        ] {
            assert!(find(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_blank_before_the_location() {
        assert_eq!(frame("  at a.B.c (B.java:12)").to_string(), "a.B.c(B.java:12)");
        assert_eq!(frame("  at B.c (B.java:12)").to_string(), "B.c(B.java:12)");
    }

    #[test]
    fn notes_of_loggers_and_of_other_machines() {
        let f = frame("at a.B.c(B.java:1) ~[app.jar!/BOOT-INF/lib/b-1.jar!/:1.0]");
        let jar = f.jar.expect("a jar");
        assert_eq!(
            (jar.name.as_deref(), jar.version.as_deref(), jar.exact),
            (Some("app.jar!/BOOT-INF/lib/b-1.jar!/"), Some("1.0"), false)
        );
        assert_eq!(frame("at a.B.c(B.java:1) [?:?]").jar, Some(Jar { name: None, version: None, exact: true }));
        assert_eq!(find("at a.B.c(B.java:1) [4 skipped]").map(|f| f.skipped), Some(4));
        let j9 = frame("4XESTACKTRACE                at java/lang/Thread.run(Thread.java:785(Compiled Code))");
        assert_eq!((j9.class.as_str(), j9.line), ("java.lang.Thread", Some(785)));
        let jstack = frame("\tat java.lang.Thread.sleep(java.base@17.0.1/Native Method)");
        assert!(jstack.native);
        assert_eq!(jstack.module.map(|m| m.to_string()).as_deref(), Some("java.base@17.0.1"));
    }

    #[test]
    fn cut_frames() {
        for text in ["\tat", "  at org.acme.Foo.bar", "at org.acme.Foo.bar(Foo.", "at a.B.c(Native"] {
            assert!(is_cut(text), "{text}");
        }
        for text in ["at noon", "at a.B.c(B.java:1)", "attack", "at a.B.c is where"] {
            assert!(!is_cut(text), "{text}");
        }
        assert!(is_location_alone("  (Foo.java:12)"));
    }
}
