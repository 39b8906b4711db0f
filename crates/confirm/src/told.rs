//! What a confirming JVM tells: the form in which it crosses from one process to the other, and what is made of it.

use super::run::{Help, TestRun};
use crash_report::{Frame, Throwable};
use serde::{Deserialize, Serialize};

/// As the runner has it, with room to spare.
const MOST_CAUSES: usize = 64;
/// No suite has as many in its classes; each is compared with all before it.
const MOST_TESTS: usize = 10_000;

/// One thing that is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Event {
    Started {
        test: String,
    },
    /// The exceptions of a chain, outermost first.
    Failed {
        test: String,
        chain: Vec<Thrown>,
    },
    NotRun {
        name: String,
        reason: String,
        /// The package of the framework that would run it, if it were there.
        lacks: Option<String>,
    },
    Unloadable {
        class: String,
        reason: String,
    },
    /// The package of a framework that is needed.
    Needs {
        framework: String,
    },
    /// All tests have been run.
    Ended,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Thrown {
    pub(super) class: String,
    pub(super) message: Option<String>,
    pub(super) stack: Vec<Element>,
    /// The stack is not the one that the VM has noted.
    pub(super) is_replaced: bool,
    /// Classes of the stack that are not, or not only, from the class path.
    pub(super) elsewhere: Vec<String>,
}

/// Class, method, file and line of a frame, as `StackTraceElement` has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Element(pub(super) String, pub(super) String, pub(super) Option<String>, pub(super) i32);

/// Events as lines, so that those before a damaged one are not lost with it.
pub(super) fn print(events: &[Event]) -> Vec<u8> {
    let mut lines = Vec::new();
    for event in events {
        // Writing to memory does not fail, and neither does printing texts and numbers.
        let _ = serde_json::to_writer(&mut lines, event);
        lines.push(b'\n');
    }
    lines
}

/// What was told.
#[derive(Default)]
pub(super) struct Told {
    started: Vec<String>,
    failures: Vec<(String, Vec<Thrown>)>,
    pub(super) not_run: Vec<NotRun>,
    pub(super) unloadable: Vec<(String, String)>,
    pub(super) needs: Vec<String>,
    pub(super) ended: bool,
}

pub(super) struct NotRun {
    pub(super) name: String,
    pub(super) reason: String,
    lacks: Option<String>,
}

impl Told {
    pub(super) fn read(lines: &[u8]) -> Told {
        let mut told = Told::default();
        for line in lines.split(|byte| *byte == b'\n') {
            if let Ok(event) = serde_json::from_slice(line) {
                told.take(event);
            }
        }
        told
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Started { test } if self.started.contains(&test) => {}
            Event::Started { test } if self.started.len() < MOST_TESTS => self.started.push(test),
            Event::Started { .. } => {}
            Event::Failed { test, mut chain } => {
                // More than the runner tells: whoever wrote that has got hold of our memory.
                chain.truncate(MOST_CAUSES);
                self.failures.push((test, chain));
            }
            Event::NotRun { name, reason, lacks } => self.not_run.push(NotRun { name, reason, lacks }),
            Event::Unloadable { class, reason } => self.unloadable.push((class, reason)),
            Event::Needs { framework } => self.needs.push(framework),
            Event::Ended => self.ended = true,
        }
    }

    /// Who reads that a framework is missing should read where it is to be had.
    pub(super) fn add_next_steps(&mut self, help: &Help) {
        let Help::Given { missing } = help else { return };
        for part in &mut self.not_run {
            let step = missing.iter().find(|(package, _)| Some(package) == part.lacks.as_ref());
            part.reason.extend(step.into_iter().flat_map(|(_, step)| ["; ", step]));
        }
    }

    /// The started tests in order, each with its first failure, then the failures that belong to no started test.
    pub(super) fn tests(&mut self, runner: &str) -> Vec<TestRun> {
        let passed = |name: String| TestRun { name, ..TestRun::default() };
        let mut tests: Vec<TestRun> = self.started.drain(..).map(passed).collect();
        for (name, chain) in self.failures.drain(..) {
            let has_replaced_stack = chain.iter().any(|thrown| thrown.is_replaced);
            let elsewhere = chain.iter().flat_map(|thrown| thrown.elsewhere.clone()).collect();
            let chain = chain.into_iter().enumerate().map(|(block, thrown)| thrown.into_throwable(block, runner));
            let escaped = chain.rev().reduce(|cause, outer| Throwable { cause: Some(Box::new(cause)), ..outer });
            // What failed has not passed, even if what escaped from it could not be told.
            let escaped = Some(escaped.unwrap_or_default());
            let failed = TestRun { name, escaped, has_replaced_stack, elsewhere };
            match tests.iter_mut().find(|test| test.name == failed.name && test.escaped.is_none()) {
                Some(test) => *test = failed,
                None => tests.push(failed),
            }
        }
        tests
    }
}

impl Thrown {
    /// The runner's own frames are no part of what the test did.
    fn into_throwable(self, block: usize, runner: &str) -> Throwable {
        let frames = self.stack.into_iter().take_while(|element| !element.0.starts_with(runner)).map(Frame::from);
        let frames = frames.collect();
        Throwable { class: self.class, message: self.message, block, frames, ..Throwable::default() }
    }
}

impl From<Element> for Frame {
    fn from(Element(class, method, file, line): Element) -> Frame {
        /// In place of a line for native methods.
        const NATIVE: i32 = -2;
        let native = line == NATIVE;
        Frame {
            class,
            method,
            file,
            line: u32::try_from(line).ok().filter(|line| *line > 0),
            native,
            ..Frame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(events: &[Event]) -> Vec<TestRun> {
        Told::read(&print(events)).tests("Runner")
    }

    fn started() -> Event {
        Event::Started { test: "t(A)".into() }
    }

    fn failed(chain: Vec<Thrown>) -> Event {
        Event::Failed { test: "t(A)".into(), chain }
    }

    #[test]
    fn names_may_have_line_ends_and_tabs() {
        let stack = vec![
            Element("a.E\n".into(), "m\t".into(), None, 3),
            Element("a.F".into(), "n".into(), Some("F.java".into()), -2),
            Element("Runner".into(), "call".into(), None, 1),
            Element("java.lang.Thread".into(), "run".into(), None, 1),
        ];
        let thrown = Thrown {
            class: "a.B\nC\tD".into(),
            message: Some("message".into()),
            stack,
            is_replaced: false,
            elsewhere: vec!["a.F".into()],
        };
        let tests = told(&[started(), failed(vec![thrown.clone(), Thrown::default()]), Event::Ended]);
        let escaped = tests[0].escaped.as_ref().unwrap();
        assert_eq!((escaped.class.as_str(), escaped.message.as_deref()), ("a.B\nC\tD", Some("message")));
        assert_eq!((escaped.frames[0].class.as_str(), escaped.frames[0].method.as_str()), ("a.E\n", "m\t"));
        assert_eq!((escaped.frames[0].line, escaped.frames[1].line, escaped.frames[1].native), (Some(3), None, true));
        assert_eq!(escaped.frames.len(), 2, "what the runner did is not the test's");
        assert!(escaped.cause.is_some() && !tests[0].has_replaced_stack);
        assert_eq!(tests[0].elsewhere, ["a.F"]);
        let replaced = Thrown { is_replaced: true, ..thrown.clone() };
        assert!(told(&[started(), failed(vec![thrown, replaced])])[0].has_replaced_stack);
    }

    /// Native code of a jar can write any answer: it must not take the tool with it.
    #[test]
    fn no_chain_is_too_long_to_be_read() {
        let tests = told(&[started(), failed(vec![Thrown::default(); 300_000]), Event::Ended]);
        assert_eq!(tests[0].escaped.as_ref().unwrap().chain().count(), MOST_CAUSES);
        let many: Vec<Event> = (0..3 * MOST_TESTS).map(|n| Event::Started { test: n.to_string() }).collect();
        assert_eq!(told(&many).len(), MOST_TESTS);
    }

    #[test]
    fn a_failure_without_an_exception_is_no_pass() {
        assert!(told(&[started(), failed(Vec::new()), Event::Ended])[0].escaped.is_some());
        assert!(told(&[started(), Event::Ended])[0].escaped.is_none());
    }

    #[test]
    fn what_is_damaged_is_left_out() {
        let mut lines = print(&[started(), failed(Vec::new())]);
        lines.extend(b"{\"Failed\":{\"test\":\"t(A)\"\n\xff\xff\nnull");
        let mut told = Told::read(&lines);
        assert!(!told.ended);
        assert_eq!(told.tests("Runner").len(), 1);
    }
}
