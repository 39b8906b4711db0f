//! What did a program do before it crashed, as far as someone has recorded it? The file that the recorder writes, its reader, and
//! what can be said about a recording without the program: its events, the crash as a stack trace, what is left when it is redacted.
//!
//! The file is mapped into the memory of the recorded program and written in place, so that it survives whatever ends that program:
//! at every moment it is a whole recording (`format` has the layout). [`read`] therefore expects files that were cut off or
//! half written, and foreign ones; it says what it could not read and never panics. Methods are names and places bytecode indices:
//! class files are not needed to read a recording.

mod crash;
pub mod format;
mod print;
mod read;
mod redact;
mod shape;
mod waypoint;
mod write;

pub use crash::{Crash, Relation, Thrown, is_fingerprint};
pub use read::{NotARecording, Problem, is_recording, read};
pub use redact::redact;
pub use shape::{NumberKind, Shape};
pub use waypoint::{Site, Waypoint};
pub use write::write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How much is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing but the crash.
    Stack,
    /// Also the sequence of calls among the application's classes.
    Calls,
    /// Also the results of functions that no solver can follow.
    Hard,
    /// Of the methods of known crashes, what they were given, what calls and fields gave, and where jumps led.
    Facts,
    /// Calls, results of hard functions, and where jumps led, everywhere.
    Trace,
}

impl Level {
    pub const ALL: [Level; 5] = [Level::Stack, Level::Calls, Level::Hard, Level::Facts, Level::Trace];

    pub fn name(self) -> &'static str {
        match self {
            Level::Stack => "stack",
            Level::Calls => "calls",
            Level::Hard => "hard",
            Level::Facts => "facts",
            Level::Trace => "trace",
        }
    }

    pub fn by_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// What of the program's data a recording may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Redaction {
    /// Everything.
    Off,
    /// Of texts, hashes by which equal ones are known again, in this recording and in others.
    Hashes,
    /// Shapes: null or not, length, sign and magnitude, integers where the code has them itself, which of the recorded texts are equal. No
    /// messages, no names of threads.
    Strict,
}

impl Redaction {
    pub const ALL: [Redaction; 3] = [Redaction::Off, Redaction::Hashes, Redaction::Strict];

    pub fn name(self) -> &'static str {
        match self {
            Redaction::Off => "off",
            Redaction::Hashes => "hashes",
            Redaction::Strict => "strict",
        }
    }

    pub fn by_name(name: &str) -> Option<Redaction> {
        Redaction::ALL.into_iter().find(|redaction| redaction.name() == name)
    }
}

/// A method, by the names in its class file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Method {
    /// In internal form, with slashes.
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class.replace('/', "."), self.name, self.descriptor)
    }
}

/// A number of the recording's dictionary of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MethodId(pub u32);

/// A number of the recording's dictionary of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// An instruction that events speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub method: MethodId,
    /// In the class file as it was before the recorder changed it.
    pub bci: u16,
    /// What the instruction calls, by the class that it names.
    pub callee: Option<MethodId>,
}

/// Something that a thread did.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Enter {
        method: MethodId,
    },
    Leave {
        method: MethodId,
    },
    /// The call at this place is about to be made.
    Call {
        place: PlaceId,
    },
    Branch {
        place: PlaceId,
        taken: bool,
    },
    /// The call at this place has returned this.
    Hard {
        place: PlaceId,
        result: Shape,
    },
    /// Events are missing here; how many, if it is known.
    Gap {
        lost: Option<u32>,
    },
    /// The thread died of an exception here.
    Crash,
}

/// What one thread did last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    /// Threads are counted from 1 in the order in which they first recorded something.
    pub number: u32,
    pub name: Option<String>,
    /// Oldest first. Begins with a gap where older ones were overwritten.
    pub events: Vec<Event>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub level: Level,
    pub redaction: Redaction,
    /// Milliseconds since 1970.
    pub started: u64,
    pub process: u32,
    /// As the property `java.vm.version` has it.
    pub jdk: String,
    /// What counted as the application.
    pub application: String,
    pub methods: BTreeMap<MethodId, Method>,
    pub places: BTreeMap<PlaceId, Place>,
    /// Numbers of methods and places that were not told any more at some time: what was told of them before is not all.
    pub quiet: BTreeSet<u32>,
    pub crash: Option<Crash>,
    /// The number of the thread that it is of.
    pub crashed: Option<u32>,
    /// What the recorder has to say about itself: classes left out, levels stepped down.
    pub notes: Vec<String>,
    pub threads: Vec<Thread>,
}

impl Default for Recording {
    fn default() -> Self {
        Recording {
            level: Level::Stack,
            redaction: Redaction::Strict,
            started: 0,
            process: 0,
            jdk: String::new(),
            application: String::new(),
            methods: BTreeMap::new(),
            places: BTreeMap::new(),
            quiet: BTreeSet::new(),
            crash: None,
            crashed: None,
            notes: Vec::new(),
            threads: Vec::new(),
        }
    }
}

impl Recording {
    /// The thread that crashed.
    pub fn crashed(&self) -> Option<&Thread> {
        let of_number = |number| self.threads.iter().find(|thread| thread.number == number);
        let died = || self.threads.iter().rev().find(|thread| thread.events.contains(&Event::Crash));
        self.crashed.and_then(of_number).or_else(died)
    }
}
