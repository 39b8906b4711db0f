//! Reads the answers of one worker.

use super::layout::*;
use program::{ClassName, Symbol};
use recipe::bytes::Reader;
use recipe::{End, Limit, StackFrame, Thrown};

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
        Some(match input.octet()? {
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
        let class = ClassName::from_dotted(self.name(input)?.as_str());
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
            let class = ClassName::from_dotted(self.name(input)?.as_str());
            let method = self.name(input)?;
            let line = u16::try_from(input.number()?).ok().filter(|line| *line > 0);
            let is_test = input.octet()? != 0;
            self.frames.push(StackFrame { class, method, line, is_test });
        }
        self.frames.get(id).cloned()
    }

    fn name(&mut self, input: &mut Reader) -> Option<Symbol> {
        let id = input.number()? as usize;
        if id == self.names.len() {
            self.names.push(Symbol::new(&input.utf8()?));
        }
        self.names.get(id).copied()
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
