//! What was found in a text: traces, each a tree of exceptions with frames, and the problems met on the way.
//!
//! These are plain values. Class names are strings in dotted binary form (`java.util.Map$Entry`) exactly as the
//! text has them; nothing here knows whether such a class exists. For what a name means, see [`crate::names`].

use std::fmt;

/// Everything that [`crate::parse()`] found in one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CrashReport {
    /// In the order of the text. Traces that are equal but for their place are kept once, see [`Trace::count`].
    pub traces: Vec<Trace>,
    /// What could not be read, was guessed, or was left out. In the order of the text.
    pub problems: Vec<Problem>,
}

/// One printed exception with all its causes, or the stack of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The thread, where the text names it (`Exception in thread "main"`, thread dumps, Android).
    pub thread: Option<String>,
    /// The outermost exception, also where the text printed the root cause first.
    pub throwable: Throwable,
    /// Where the first line of the trace begins.
    pub place: Place,
    pub source: TraceSource,
    /// How often this very trace is in the text; `place` is that of the first.
    pub count: u32,
}

/// The form in which a trace was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TraceSource {
    /// The text of `Throwable.printStackTrace`, however dressed up.
    PrintedTrace,
    /// The stack of a thread at some moment. There is no exception: the class of its throwable is empty.
    ThreadDump,
    /// A Sentry event.
    Sentry,
    /// A Rollbar item.
    Rollbar,
    /// Any other JSON with an exception as objects: log4j2, Elastic APM, Bugsnag, Quarkus, Jackson, ..
    Json,
    /// XML of java.util.logging, log4j2 or a SOAP fault.
    Xml,
    /// A map that Clojure prints.
    Edn,
}

/// An exception (or error) with its stack, its cause and what it suppressed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Throwable {
    /// Empty if the text does not name it, as in a thread dump or where a head line is lost.
    /// [`Throwable::name`] gives the same as an `Option`.
    pub class: String,
    /// `None` if the exception has no message; the lines of a longer one are joined by `\n`.
    pub message: Option<String>,
    /// The top of the stack first, with the frames that `... n more` stands for.
    pub frames: Vec<Frame>,
    /// How many of `frames`, at the end, were completed from the enclosing trace.
    pub common: usize,
    pub cause: Option<Box<Throwable>>,
    pub suppressed: Vec<Throwable>,
    /// The text says `[CIRCULAR REFERENCE: ..]`: an exception of this trace stands here once more.
    pub circular: bool,
    pub place: Place,
    /// The index of this exception among those of its trace, counted in the order in which they are printed.
    pub block: usize,
}

/// One line of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Frame {
    /// Dotted binary name, with the suffix of a hidden class (`com.Foo$$Lambda$14/0x0000000800066840`).
    pub class: String,
    pub method: String,
    /// The source file as the class names it; also `SourceFile`, `<generated>` and the like.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub native: bool,
    pub module: Option<Module>,
    /// The class loader, where it has a name (`app//com.Foo.bar`).
    pub loader: Option<String>,
    pub jar: Option<Jar>,
}

/// The module of a frame: `java.base@17.0.1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Module {
    pub name: String,
    pub version: Option<String>,
}

/// What logback and log4j2 say of the jar of a frame: `~[spring-core-5.3.jar:5.3]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Jar {
    pub name: Option<String>,
    pub version: Option<String>,
    /// False if the logger guessed (it then writes `~`).
    pub exact: bool,
}

/// A place in the text.
///
/// `offset` counts bytes of the input; if that is UTF-16, bytes of the same text in UTF-8. What comes out of a JSON
/// string or an HTML line has the place of the line it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Place {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub offset: u64,
}

/// Something that the reader could not read, had to guess, or left out. `Display` gives one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub place: Place,
    pub kind: ProblemKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// Bytes of a trace are not UTF-8; they were replaced by U+FFFD.
    InvalidUtf8,
    /// A line is longer than the reader takes; the rest of it was treated as further lines.
    LineTooLong { limit: usize },
    /// A stack without a line that names the exception.
    NoExceptionName,
    /// An exception is named, but no frame follows: the log leaves them out, or the JVM did (`OmitStackTraceInFastThrow`).
    NoFrames { class: String },
    /// A trace that begins with `Caused by`: what was around it is not in the text.
    NoOutermost,
    /// `... n more` where the enclosing trace has fewer frames.
    CommonFramesMissing { wanted: usize, had: usize },
    /// Frames that the logger left out and that cannot be completed.
    FramesElided { count: usize },
    /// Lines of something else stand inside the trace; they were skipped.
    Interleaved { lines: usize },
    /// Frames that were cut by line wrapping, put together again.
    WrappedLines { count: usize },
    /// A line that begins like a frame but cannot be read as one.
    UnreadableFrame { text: String },
    /// Frames above the exception's own that its message quotes, as remote exceptions do.
    FramesInMessage { count: usize },
    /// Indentation is lost, so whether a cause belongs to the exception or to what it suppressed was guessed.
    AmbiguousNesting,
    /// More frames, or exceptions nested more deeply, than one trace may have.
    TraceTooLarge { what: &'static str, limit: usize },
    /// The text has more traces than are kept; these were only counted.
    TooManyTraces { left_out: u64 },
    /// More problems than are kept.
    TooManyProblems { left_out: u64 },
    /// A frame whose line is not known, so that the mapping file has several methods for it; the first was taken.
    AmbiguousMapping { frame: String },
    /// JSON with a stack in it that is cut off or broken.
    BrokenJson { reason: String },
}

impl Frame {
    /// Of the module, or as loggers write it; only what looks like one.
    fn version(&self) -> Option<&str> {
        let module =
            self.module.as_ref().filter(|module| module.name.starts_with("java.") || module.name.starts_with("jdk."));
        let module = module.and_then(|module| module.version.as_deref());
        // A name would be that of a jar.
        let jar = self.jar.as_ref().filter(|jar| jar.name.is_none()).and_then(|jar| jar.version.as_deref());
        module.or(jar).filter(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    }
}

impl CrashReport {
    /// Every class that exceptions and frames name, as often as they do.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        let all = self.traces.iter().flat_map(|trace| trace.throwable.tree());
        all.flat_map(|t| std::iter::once(t.class.as_str()).chain(t.frames.iter().map(|f| f.class.as_str())))
    }

    /// The version of Java that the program ran on, where a frame of the JDK has it: `17.0.15` of `java.base@17.0.15/java.util..`,
    /// `1.8.0_292` of `[?:1.8.0_292]`.
    pub fn java_version(&self) -> Option<&str> {
        let all = self.traces.iter().flat_map(|trace| trace.throwable.tree());
        all.flat_map(|thrown| &thrown.frames).filter(|frame| frame.is_jdk()).find_map(Frame::version)
    }

    /// Replaces names of classes.
    pub fn rename_classes(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        self.traces.iter_mut().for_each(|trace| trace.throwable.rename_classes(new));
    }
}

impl Throwable {
    fn rename_classes(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        let names = std::iter::once(&mut self.class).chain(self.frames.iter_mut().map(|frame| &mut frame.class));
        for name in names {
            if let Some(new) = new(name) {
                *name = new;
            }
        }
        self.suppressed.iter_mut().chain(self.cause.as_deref_mut()).for_each(|inner| inner.rename_classes(new));
    }

    /// The class, if the text names it.
    pub fn name(&self) -> Option<&str> {
        (!self.class.is_empty()).then_some(self.class.as_str())
    }

    /// The exceptions from this one to its root cause.
    pub fn chain(&self) -> impl Iterator<Item = &Throwable> {
        std::iter::successors(Some(self), |t| t.cause.as_deref())
    }

    /// The frames that are printed with this exception, without those completed from the enclosing trace.
    pub fn own_frames(&self) -> &[Frame] {
        &self.frames[..self.frames.len() - self.common.min(self.frames.len())]
    }

    /// This exception, what it suppressed and its causes, in the order of `printStackTrace`.
    pub fn tree(&self) -> Vec<&Throwable> {
        let mut out = vec![self];
        for other in self.suppressed.iter().chain(self.cause.as_deref()) {
            out.extend(other.tree());
        }
        out
    }

    /// Equal in everything but where it was found.
    pub fn same_content(&self, other: &Throwable) -> bool {
        self.class == other.class
            && self.message == other.message
            && self.frames == other.frames
            && self.common == other.common
            && self.circular == other.circular
            && self.suppressed.len() == other.suppressed.len()
            && self.suppressed.iter().zip(&other.suppressed).all(|(a, b)| a.same_content(b))
            && match (&self.cause, &other.cause) {
                (Some(a), Some(b)) => a.same_content(b),
                (a, b) => a.is_none() && b.is_none(),
            }
    }
}

impl Trace {
    /// The exceptions of this trace in the order in which the text has them; the index is [`Throwable::block`].
    pub fn blocks(&self) -> Vec<&Throwable> {
        let mut blocks = self.throwable.tree();
        blocks.sort_by_key(|t| t.block);
        blocks
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for TraceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TraceSource::PrintedTrace => "printed trace",
            TraceSource::ThreadDump => "thread dump",
            TraceSource::Sentry => "Sentry event",
            TraceSource::Rollbar => "Rollbar item",
            TraceSource::Json => "JSON",
            TraceSource::Xml => "XML",
            TraceSource::Edn => "Clojure map",
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.place.line, self.kind)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemKind::InvalidUtf8 => f.write_str("the trace has bytes that are not UTF-8; they are shown as U+FFFD"),
            ProblemKind::LineTooLong { limit } => write!(f, "the line is longer than {limit} bytes and was cut there"),
            ProblemKind::NoExceptionName => f.write_str("this stack has no line that names its exception"),
            ProblemKind::NoFrames { class } => {
                write!(f, "`{class}` is reported without a single frame, so there is nothing to reproduce")
            }
            ProblemKind::NoOutermost => {
                f.write_str("the trace begins with `Caused by`; the exception around it is not in the text")
            }
            ProblemKind::CommonFramesMissing { wanted, had } => write!(
                f,
                "`... {wanted} more` refers to the enclosing trace, which has only {}; the rest stays unknown",
                counted(*had, "frame")
            ),
            ProblemKind::FramesElided { count } => {
                write!(f, "{} left out by the logger stay unknown", counted(*count, "frame"))
            }
            ProblemKind::Interleaved { lines } => {
                write!(f, "{} inside the trace, of something else, skipped", counted(*lines, "line"))
            }
            ProblemKind::WrappedLines { count } => write!(f, "{} put together again", counted(*count, "wrapped line")),
            ProblemKind::UnreadableFrame { text } => {
                write!(f, "`{text}` begins like a frame but cannot be read as one")
            }
            ProblemKind::FramesInMessage { count } => {
                write!(
                    f,
                    "{} above the exception's own stack taken for a part of its message",
                    counted(*count, "frame")
                )
            }
            ProblemKind::AmbiguousNesting => {
                f.write_str("the indentation is lost, so which exception this one belongs to was guessed")
            }
            ProblemKind::TraceTooLarge { what, limit } => {
                write!(f, "the trace has more than {limit} {what}; the rest was left out")
            }
            ProblemKind::TooManyTraces { left_out } => {
                write!(f, "{left_out} more traces are in the text than were kept")
            }
            ProblemKind::TooManyProblems { left_out } => {
                write!(f, "{left_out} more problems are in the text than were kept")
            }
            ProblemKind::AmbiguousMapping { frame } => {
                write!(f, "the mapping file has several methods for `{frame}`; the first was taken")
            }
            ProblemKind::BrokenJson { reason } => write!(f, "JSON with a stack in it cannot be read: {reason}"),
        }
    }
}

pub(crate) fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn frames_of_the_jdk_tell_its_version() {
        let version = |frame: &str| {
            let text = format!("java.lang.Error: x\n\tat app.Shop.go(Shop.java:3) ~[shop.jar:9.1]\n\tat {frame}\n");
            crate::parse(text.as_bytes()).java_version().map(str::to_owned)
        };
        for (frame, expected) in [
            ("java.base@17.0.15/java.util.ArrayList.get(ArrayList.java:9)", Some("17.0.15")),
            ("java.base/java.util.ArrayList.get(ArrayList.java:9)", None),
            ("java.util.ArrayList.get(ArrayList.java:9) ~[?:1.8.0_292]", Some("1.8.0_292")),
            ("java.util.ArrayList.get(ArrayList.java:9) [na:1.8.0_292]", Some("1.8.0_292")),
            ("java.util.ArrayList.get(ArrayList.java:9) ~[?:?]", None),
            ("java.util.ArrayList.get(ArrayList.java:9) [rt.jar:1.8.0_292]", None),
            ("app.Other.go(Other.java:1) [?:2.0]", None),
        ] {
            assert_eq!(version(frame).as_deref(), expected, "{frame}");
        }
    }
}
