//! Exceptions that are written as a structure over several lines and are not JSON: the XML of java.util.logging, of log4j2 and
//! of SOAP faults, and the maps that Clojure prints.
//!
//! The text is kept from the line that opens the exception to the one that closes it, and read as a whole. A structure that is cut
//! off gives what is there.

mod edn;
mod xml;

use std::collections::VecDeque;

use super::classify::Line;
use super::event::{Exception, Found};
use crate::report::{Place, TraceSource};

/// Longer ones are cut: no exception has so much to say.
const MAX_TEXT: usize = 1 << 20;

#[derive(Debug)]
enum Notation {
    Xml,
    Edn(edn::Brackets),
}

/// A structure of which more lines may come.
#[derive(Debug)]
pub(crate) struct Structure {
    notation: Notation,
    text: String,
    place: Place,
    complete: bool,
}

/// May this line have the first frame of a structure?
pub(crate) fn may_begin(line: &str) -> bool {
    notation(line).is_some()
}

impl Structure {
    /// Begins with a line that has the first frame, and those above that it needs.
    pub(crate) fn begin(above: &VecDeque<Line<'static>>, line: &Line<'_>) -> Option<Structure> {
        let notation = notation(&line.text)?;
        let opens = match notation {
            Notation::Xml => xml::opens,
            Notation::Edn(_) => edn::opens,
        };
        let opened = |line: &Line<'_>| opens(&line.text);
        let start = if opened(line) { above.len() } else { above.iter().rposition(opened)? };
        let place = above.get(start).map_or(line.place, |line| line.place);
        let text = above.range(start..).fold(String::new(), |text, line| text + &line.text + "\n");
        let mut structure = Structure { notation, text, place, complete: false };
        structure.push(&line.text);
        Some(structure)
    }

    pub(crate) fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.complete = self.text.len() > MAX_TEXT
            || match &mut self.notation {
                Notation::Xml => xml::closes(line),
                Notation::Edn(brackets) => brackets.closes(line),
            };
    }

    /// Is no more to come, or too much there already?
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    pub(crate) fn read(self) -> Found {
        let (exceptions, source) = match self.notation {
            Notation::Xml => (xml::read(&self.text), TraceSource::Xml),
            Notation::Edn(_) => (Vec::from_iter(edn::read(&self.text)), TraceSource::Edn),
        };
        let mut found = Found::default();
        for exception in exceptions.into_iter().filter(Exception::has_frames) {
            exception.into_trace(source, None, self.place, &mut found);
        }
        found
    }
}

fn notation(line: &str) -> Option<Notation> {
    if xml::has_frame(line) {
        return Some(Notation::Xml);
    }
    edn::has_trace(line).then(|| Notation::Edn(edn::Brackets::default()))
}
