//! Reads the answers of one worker.

use super::layout::*;
use program::{ClassName, Symbol};
use recipe::bytes::Reader;
use recipe::{End, Limit, StackFrame, Thrown};
use rustc_hash::FxHashMap;

/// How one candidate ended, as its worker tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<'a> {
    pub end: End,
    /// Threads that the candidate started and that still run.
    pub leaked_threads: u32,
    /// What the watcher of the worker appended: the probes' data.
    pub watched: &'a [u8],
}

/// The worker wrote nonsense: it is broken, or the program got hold of its memory.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("answer {answer} of this batch is malformed")]
pub struct DecodeError {
    pub answer: usize,
}

/// Knows the names and frames that its worker has spelled out so far.
#[derive(Debug, Default)]
pub struct Decoder {
    names: Vec<Symbol>,
    /// The names that were names of classes, by their place among the names.
    classes: FxHashMap<u32, ClassName>,
    frames: Vec<StackFrame>,
}

/// Longer chains are cut by the worker; more is nonsense.
const MAX_CAUSES: u32 = 64;

impl Decoder {
    /// All complete records in `bytes`; a worker that died may leave a torn one at the end, which is left out.
    pub fn answers<'a>(&mut self, mut bytes: &'a [u8]) -> Result<Vec<Answer<'a>>, DecodeError> {
        let mut answers = Vec::new();
        while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
            let Some((record, rest)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize) else { break };
            answers.push(self.answer(record).ok_or(DecodeError { answer: answers.len() })?);
            bytes = rest;
        }
        Ok(answers)
    }

    fn answer<'a>(&mut self, record: &'a [u8]) -> Option<Answer<'a>> {
        let mut input = Reader::new(record);
        let end = self.end(&mut input)?;
        let leaked_threads = input.number()?;
        Some(Answer { end, leaked_threads, watched: input.rest() })
    }

    fn end(&mut self, input: &mut Reader) -> Option<End> {
        let mut tag = input.octet()?;
        if tag == FORGET_TABLES {
            *self = Decoder::default();
            tag = input.octet()?;
        }
        Some(match tag {
            END_COMPLETED => End::Completed,
            END_THREW => End::Threw { stmt: input.number()?, thrown: self.thrown(input, 0)? },
            END_STOPPED => End::Stopped(limit(input.octet()?)?),
            END_EXITED => End::Exited { status: input.signed()? },
            END_OUT_OF_MEMORY => End::OutOfMemory,
            END_UNLINKABLE => End::Unlinkable { what: input.utf8()?.into_owned() },
            _ => return None,
        })
    }

    fn thrown(&mut self, input: &mut Reader, depth: u32) -> Option<Thrown> {
        let class = self.class(input)?;
        let message = match input.octet()? {
            0 => None,
            _ => Some(input.utf8()?.into_owned()),
        };
        let count = input.number()?;
        let stack = (0..count).map(|_| self.frame(input)).collect::<Option<_>>()?;
        let cause = match input.octet()? {
            0 => None,
            _ if depth == MAX_CAUSES => return None,
            _ => Some(Box::new(self.thrown(input, depth + 1)?)),
        };
        Some(Thrown { class, message, stack, cause })
    }

    fn frame(&mut self, input: &mut Reader) -> Option<StackFrame> {
        let id = input.number()? as usize;
        if id == self.frames.len() {
            let class = self.class(input)?;
            let method = self.name(input)?;
            let line = u16::try_from(input.number()?).ok().filter(|line| *line > 0);
            let is_test = input.octet()? != 0;
            self.frames.push(StackFrame { class, method, line, is_test });
        }
        self.frames.get(id).cloned()
    }

    fn class(&mut self, input: &mut Reader) -> Option<ClassName> {
        let (id, name) = self.numbered_name(input)?;
        Some(*self.classes.entry(id).or_insert_with(|| ClassName::from_dotted(name.as_str())))
    }

    fn name(&mut self, input: &mut Reader) -> Option<Symbol> {
        self.numbered_name(input).map(|(_, name)| name)
    }

    fn numbered_name(&mut self, input: &mut Reader) -> Option<(u32, Symbol)> {
        let id = input.number()?;
        if id as usize == self.names.len() {
            self.names.push(Symbol::new(&input.utf8()?));
        }
        Some((id, *self.names.get(id as usize)?))
    }
}

/// The reasons of `Abort.java`. A callback of an earlier candidate that is still called, and a reset that does not end, are
/// stopped as if they had looped.
fn limit(reason: u8) -> Option<Limit> {
    Some(match reason {
        1 | 5 | 7 => Limit::Steps,
        2 => Limit::Time,
        3 => Limit::ArrayLength,
        6 => Limit::Threads,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A record around these bytes.
    fn record(content: &[u8]) -> Vec<u8> {
        let mut record = (content.len() as u32).to_le_bytes().to_vec();
        record.extend(content);
        record
    }

    /// `x.Y: m` thrown by statement 1 at `x.Y.f`, line 7, names and frame spelled out.
    const THREW: &[u8] = b"\x01\x01\x00\x03x.Y\x01\x01m\x01\x00\x00\x01\x01f\x07\x00\x00\x00";

    #[test]
    fn names_and_frames_are_spelled_out_once() {
        let mut decoder = Decoder::default();
        let bytes = [record(THREW), record(b"\x01\x02\x00\x00\x01\x00\x00\x03watched")].concat();
        let answers = decoder.answers(&bytes).unwrap();
        let frame =
            StackFrame { class: ClassName::internal("x/Y"), method: Symbol::new("f"), line: Some(7), is_test: false };
        let thrown = |message: Option<&str>| Thrown {
            class: ClassName::internal("x/Y"),
            message: message.map(str::to_owned),
            stack: vec![frame.clone()],
            cause: None,
        };
        assert_eq!(answers[0].end, End::Threw { stmt: 1, thrown: thrown(Some("m")) });
        assert_eq!(answers[1].end, End::Threw { stmt: 2, thrown: thrown(None) });
        assert_eq!((answers[1].leaked_threads, answers[1].watched), (3, &b"watched"[..]));
    }

    #[test]
    fn tables_are_forgotten_on_request() {
        let mut decoder = Decoder::default();
        let again = [&[FORGET_TABLES], THREW].concat();
        let bytes = [record(THREW), record(&again)].concat();
        let answers = decoder.answers(&bytes).unwrap();
        assert_eq!(answers[0], answers[1]);
    }

    #[test]
    fn a_torn_record_is_left_out() {
        let bytes = [record(&[END_COMPLETED, 0]), record(THREW)].concat();
        for cut in 6..bytes.len() {
            assert_eq!(Decoder::default().answers(&bytes[..cut]).unwrap().len(), 1);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(content: Vec<u8>, bytes: Vec<u8>) {
            let _ = Decoder::default().answers(&bytes);
            let _ = Decoder::default().answers(&record(&content));
        }
    }
}
