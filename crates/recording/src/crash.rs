//! The crash: exceptions with their frames, as lines that tell messages from the rest, so that a recording can be redacted later.

use std::fmt::Write;

/// An exception that ended a thread, with its causes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crash {
    pub thread: Option<String>,
    /// The one that was seen first, each followed by the exceptions that belong to it.
    pub exceptions: Vec<Thrown>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    #[default]
    Root,
    /// The cause of the one before at the same depth.
    Cause,
    Suppressed,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thrown {
    pub relation: Relation,
    /// How deep below suppressed exceptions; the printed trace is indented by it.
    pub depth: u8,
    /// With dots.
    pub class: String,
    pub message: Option<String>,
    /// As printed, without `at`.
    pub frames: Vec<String>,
    /// Outer frames that are those of the exception that this one belongs to.
    pub in_common: u32,
}

impl Crash {
    /// The stack trace as a log has it.
    pub fn text(&self) -> String {
        let mut out = match &self.thread {
            Some(name) => format!("Exception in thread \"{name}\" "),
            None => String::new(),
        };
        for thrown in &self.exceptions {
            let indent = "\t".repeat(usize::from(thrown.depth));
            let label = match thrown.relation {
                Relation::Root => "",
                Relation::Cause => "Caused by: ",
                Relation::Suppressed => "Suppressed: ",
            };
            let message = thrown.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
            // Writing to a text does not fail.
            let _ = writeln!(out, "{indent}{label}{}{message}", thrown.class);
            for frame in &thrown.frames {
                let _ = writeln!(out, "{indent}\tat {frame}");
            }
            if thrown.in_common > 0 {
                let _ = writeln!(out, "{indent}\t... {} more", thrown.in_common);
            }
        }
        out
    }

    /// By what this crash is known again: the classes of the exception and its causes, with the methods outside of the JDK where they were.
    /// Lines change from release to release, and the JDK's own frames with it.
    pub fn fingerprint(&self) -> String {
        let mut hash = Fnv::default();
        for thrown in
            self.exceptions.iter().filter(|thrown| thrown.relation != Relation::Suppressed && thrown.depth == 0)
        {
            hash.add(&thrown.class);
            thrown.frames.iter().filter_map(|frame| of_application(frame)).for_each(|place| hash.add(place));
        }
        format!("{:016x}", hash.0)
    }

    /// The lines of the crash section.
    pub fn encode(&self) -> String {
        let mut out = String::new();
        if let Some(name) = &self.thread {
            line(&mut out, 'N', name);
        }
        for thrown in &self.exceptions {
            let tag = match thrown.relation {
                Relation::Root => 'R',
                Relation::Cause => 'C',
                Relation::Suppressed => 'S',
            };
            line(&mut out, tag, &format!("{} {}", thrown.depth, thrown.class));
            if let Some(message) = &thrown.message {
                line(&mut out, 'M', message);
            }
            thrown.frames.iter().for_each(|frame| line(&mut out, 'F', frame));
            if thrown.in_common > 0 {
                line(&mut out, 'O', &thrown.in_common.to_string());
            }
        }
        out
    }

    /// What the lines say; those that say nothing are counted.
    pub(crate) fn decode(text: &str) -> (Crash, usize) {
        let (mut crash, mut odd) = (Crash::default(), 0);
        for line in text.lines() {
            if crash.take(line).is_none() {
                odd += 1;
            }
        }
        (crash, odd)
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let mut chars = line.chars();
        let tag = chars.next()?;
        let rest = unescape(chars.as_str());
        let relation = match tag {
            'N' => {
                self.thread = Some(rest);
                return Some(());
            }
            'R' => Relation::Root,
            'C' => Relation::Cause,
            'S' => Relation::Suppressed,
            _ => {
                let last = self.exceptions.last_mut()?;
                match tag {
                    'M' => last.message = Some(rest),
                    'F' => last.frames.push(rest),
                    'O' => last.in_common = rest.parse().ok()?,
                    _ => return None,
                }
                return Some(());
            }
        };
        let (depth, class) = rest.split_once(' ')?;
        let depth = depth.parse().ok()?;
        self.exceptions.push(Thrown { relation, depth, class: class.to_owned(), ..Thrown::default() });
        Some(())
    }
}

/// Whether a text is what [`Crash::fingerprint`] makes.
pub fn is_fingerprint(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Class and method of a frame outside of the JDK, without what is numbered as it comes.
fn of_application(frame: &str) -> Option<&str> {
    const JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    let place = frame.split('(').next().unwrap_or_default();
    // Loaders and modules come before the class, and numbers behind lambdas.
    let place = place.rsplit('/').next().unwrap_or_default();
    let place = place.split("$$Lambda").next().unwrap_or_default();
    (!JDK.iter().any(|package| place.starts_with(package))).then_some(place)
}

/// FNV-1a of texts, each with an end.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn line(out: &mut String, tag: char, text: &str) {
    out.push(tag);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('\n');
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}
