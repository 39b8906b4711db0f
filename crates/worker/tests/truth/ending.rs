//! How a candidate ended, as far as two runs can be compared: without identity hashes, names of temporary files,
//! numbers of threads and hidden classes, and without frames of the JDK and of the test itself.

use recipe::{End, Thrown};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Completed,
    Exited(i32),
    /// Outermost first.
    Threw(Vec<Exception>),
    /// It did not end in time, or the VM died.
    Lost(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exception {
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    /// Whether the test itself threw it: then the message of a null pointer exception describes the test's source.
    pub(crate) is_by_test: bool,
    /// Class, method and line of all frames.
    pub(crate) frames: Vec<(String, String, i32)>,
}

impl Ending {
    /// `None` for ends that a plain VM does not have: limits, and memory that is smaller here.
    pub(crate) fn of_worker(end: &End) -> Option<Ending> {
        match end {
            End::Completed => Some(Ending::Completed),
            End::Exited { status } => Some(Ending::Exited(*status & 0xff)),
            End::Threw { thrown, .. } => {
                let chain: Vec<Exception> = std::iter::successors(Some(thrown), |thrown| thrown.cause.as_deref())
                    .map(Exception::of_worker)
                    .collect();
                // The test itself followed a null: the message describes the source, of which a worker knows nothing.
                if chain[0].class == "java.lang.NullPointerException" && chain[0].frames.is_empty() {
                    return None;
                }
                let is_of_vm =
                    |e: &Exception| e.class.ends_with("StackOverflowError") || e.class.ends_with("MemoryError");
                (!chain.iter().any(is_of_vm)).then_some(Ending::Threw(chain))
            }
            _ => None,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Ending::Completed => "completed",
            Ending::Exited(_) => "exited",
            Ending::Threw(_) => "threw",
            Ending::Lost(_) => "lost",
        }
    }

    pub(crate) fn agrees(&self, other: &Ending, is_application: &dyn Fn(&str) -> bool) -> bool {
        match (self, other) {
            (Ending::Threw(one), Ending::Threw(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(a, b)| a.agrees(b, is_application))
            }
            (one, two) => one == two,
        }
    }
}

impl Exception {
    fn of_worker(thrown: &Thrown) -> Exception {
        let is_by_test = thrown.stack.first().is_some_and(|frame| frame.is_test);
        let frames = thrown.stack.iter().filter(|frame| !frame.is_test);
        let frames = frames.map(|frame| {
            let line = frame.line.map_or(-1, i32::from);
            (frame.class.dotted(), frame.method.as_str().to_owned(), line)
        });
        Exception {
            class: thrown.class.dotted(),
            message: thrown.message.clone(),
            is_by_test,
            frames: frames.collect(),
        }
    }

    /// `self` is the worker's.
    fn agrees(&self, other: &Exception, is_application: &dyn Fn(&str) -> bool) -> bool {
        let message = |exception: &Exception| exception.message.as_deref().map(|message| plain(told(message)));
        let describes_test = self.is_by_test && other.is_by_test && self.class == "java.lang.NullPointerException";
        self.class == other.class
            && (describes_test || message(self) == message(other))
            && self.application(is_application) == other.application(is_application)
    }

    fn application(&self, is_application: &dyn Fn(&str) -> bool) -> Vec<(&str, &str, i32)> {
        let frames = self.frames.iter().filter(|(class, ..)| is_application(class));
        frames.map(|(class, method, line)| (class.as_str(), method.as_str(), *line)).collect()
    }
}

/// As much of a message as a worker tells; Java's `Answer` has the same.
const LONGEST_MESSAGE: usize = 8 << 10;

fn told(message: &str) -> &str {
    let mut units = 0;
    let end = message.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > LONGEST_MESSAGE
    });
    &message[..end.map_or(message.len(), |(at, _)| at)]
}

/// A message without what differs between two runs of the same test: names of the test's own classes, which are emitted
/// for a worker and compiled for a plain VM, identity hashes, the numbers of hidden classes, and what is not the program's of
/// a stack that it quotes.
fn plain(message: &str) -> String {
    let lines: Vec<String> = message.split('\n').filter(|line| !is_foreign_frame(line)).map(plain_line).collect();
    lines.join("\n")
}

/// Whether a line quotes a frame of the JDK, of the test or of what is below it: `  java.lang.Thread.run(Thread.java:840)`.
fn is_foreign_frame(line: &str) -> bool {
    let frame = line.trim().trim_start_matches("at ");
    let Some((name, _)) = frame.strip_suffix(')').and_then(|frame| frame.split_once('(')) else { return false };
    // In front of the class there may be a module.
    let name = name.rsplit('/').next().unwrap_or(name);
    let foreign = ["java.", "jdk.", "sun.", "reenact.", "Fresh."];
    // Invokers of a worker are in the packages of what they call.
    let is_ours = name.contains(".$Invoke$") || foreign.iter().any(|prefix| name.starts_with(prefix));
    name.contains('.') && (is_ours || is_of_test(name))
}

fn plain_line(message: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || "_$./".contains(c);
    let mut text = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(is_name) {
        let (before, name) = rest.split_at(at);
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        text.push_str(before);
        let is_hash = before.ends_with('@') && name.chars().all(|c| c.is_ascii_hexdigit());
        let is_test = name.contains("$Reenact$") || is_of_test(name);
        // Hidden classes have an address behind their name.
        let name = name.split_once("/0x").map_or(name, |(name, _)| name);
        text.push_str(if is_hash || is_test { "?" } else { name });
        rest = after;
    }
    text + rest
}

/// Whether a class is the printed test or in it.
pub(crate) fn is_of_test(class: &str) -> bool {
    class.strip_prefix("Random").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

pub(crate) fn kind(end: &End) -> &'static str {
    match end {
        End::Completed => "completed",
        End::Threw { thrown, .. } if thrown.stack.iter().all(|frame| frame.is_test) => "null in the test itself",
        End::Threw { .. } => "stack or memory used up",
        End::Stopped(_) => "stopped",
        End::Exited { .. } => "exited",
        End::OutOfMemory => "out of memory",
        End::VmDied { .. } => "VM died",
        End::Unlinkable { .. } => "unlinkable",
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ending::Threw(chain) = self else { return write!(f, "{self:?}") };
        for exception in chain {
            writeln!(f, "{}: {:?}", exception.class, exception.message)?;
            for (class, method, line) in exception.frames.iter().take(25) {
                writeln!(f, "    {class}.{method}:{line}")?;
            }
        }
        Ok(())
    }
}

#[test]
fn quoted_stacks_are_the_programs_part() {
    let of_worker = "Error @1f\n  org.acme.Parser.parse(Parser.java:4)\n  org.acme.$Invoke$8e25.call(Unknown Source)\n  java.lang.invoke.X.invoke(X.java)\n  reenact.user.Run.a(B)";
    let of_vm = "Error @2e\n  org.acme.Parser.parse(Parser.java:4)\n  Random7.main(Random7.java:9)\n  java.base/java.lang.Y.z(Y.java:1)";
    assert_eq!(plain(of_worker), "Error @?\n  org.acme.Parser.parse(Parser.java:4)");
    assert_eq!(plain(of_worker), plain(of_vm));
}

#[test]
fn what_a_worker_does_not_tell_is_not_compared() {
    let long = "é𝄞x".repeat(4000);
    assert_eq!(told(&long).encode_utf16().count(), LONGEST_MESSAGE);
    assert_eq!(told("short"), "short");
}
