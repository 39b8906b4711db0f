//! The `Code` attribute (JVMS 4.7.3): instructions, exception handlers, line and variable tables. A damaged table costs only
//! itself; damaged instructions show when they are decoded.

use super::attributes::{self, AttributeKind};
use super::constant_pool::ConstantPool;
use super::error::{ClassFileError, Flaw};
use super::input::Input;
use super::instruction::{Decoder, Instruction};
use crate::bytes::Bytes;
use crate::names::{ClassName, MethodRef, Symbol};
use std::ops::Range;
use std::sync::Arc;

/// The code of one method.
#[derive(Clone, Debug)]
pub struct Code {
    method: MethodRef,
    pool: Arc<ConstantPool>,
    range: Range<usize>,
    pub max_stack: u16,
    pub max_locals: u16,
    /// In the order of search.
    pub handlers: Vec<Handler>,
    /// In the order of the file, which need not be ascending.
    pub lines: Vec<LineEntry>,
    pub local_variables: Vec<LocalVariable>,
    /// The body of `StackMapTable`, unparsed.
    pub stack_map: Option<Bytes>,
    pub problems: Vec<ClassFileError>,
}

/// An exception handler: covers `start..end`, goes on at `handler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    pub start: u16,
    pub end: u16,
    pub handler: u16,
    /// `None` catches everything.
    pub catch: Option<ClassName>,
}

/// From `bci` on, the code belongs to source line `line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEntry {
    pub bci: u16,
    pub line: u16,
}

/// The name of a local variable while it lives in `slot`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    pub range: Range<u16>,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub slot: u16,
}

impl Code {
    /// The bytes of the instructions.
    pub fn bytes(&self) -> &[u8] {
        &self.pool.bytes()[self.range.clone()]
    }

    /// The index behind the last instruction. A code array is shorter than 65536 bytes (JVMS 4.7.3).
    pub fn end(&self) -> u16 {
        u16::try_from(self.range.len()).unwrap_or(u16::MAX)
    }

    /// All instructions in order, each with its bytecode index. After an instruction that cannot be read, none follow.
    pub fn instructions(&self) -> impl Iterator<Item = Result<(u16, Instruction), ClassFileError>> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let bci = u16::try_from(next).ok().filter(|bci| usize::from(*bci) < self.range.len())?;
            match self.decode(bci) {
                Ok((instruction, after)) => {
                    next = after;
                    Some(Ok((bci, instruction)))
                }
                Err(flaw) => {
                    next = usize::MAX;
                    Some(Err(self.error(flaw)))
                }
            }
        })
    }

    /// The instruction at `bci`, which must be the index of an instruction.
    pub fn instruction_at(&self, bci: u16) -> Result<Instruction, ClassFileError> {
        self.decode(bci).map(|(instruction, _)| instruction).map_err(|flaw| self.error(flaw))
    }

    /// The line of the instruction at `bci`, as HotSpot computes it for stack traces: an entry that starts exactly there, the
    /// first one of several; else the nearest before, the last one of several.
    pub fn line_of(&self, bci: u16) -> Option<u16> {
        if let Some(exact) = self.lines.iter().find(|entry| entry.bci == bci) {
            return Some(exact.line);
        }
        self.lines.iter().filter(|entry| entry.bci < bci).max_by_key(|entry| entry.bci).map(|entry| entry.line)
    }

    /// The parts of the code that [`line_of`](Self::line_of) puts on `line`, ascending and not touching each other.
    pub fn ranges_of_line(&self, line: u16) -> Vec<Range<u16>> {
        let mut starts: Vec<u16> = self.lines.iter().map(|entry| entry.bci).filter(|bci| *bci < self.end()).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut ranges: Vec<Range<u16>> = Vec::new();
        for (index, start) in starts.iter().copied().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(self.end());
            // With several entries at `start`, the first instruction and the rest may be on different lines.
            for part in [start..start + 1, start + 1..end] {
                if part.is_empty() || self.line_of(part.start) != Some(line) {
                    continue;
                }
                match ranges.last_mut() {
                    Some(last) if last.end == part.start => last.end = part.end,
                    _ => ranges.push(part),
                }
            }
        }
        ranges
    }

    /// The variable that lives in `slot` at `bci`, if the class has debug information. A store that starts the variable's life
    /// lies just before its range; ask for the index behind the store.
    pub fn variable(&self, slot: u16, bci: u16) -> Option<&LocalVariable> {
        self.local_variables.iter().find(|variable| variable.slot == slot && variable.range.contains(&bci))
    }

    fn decode(&self, bci: u16) -> Result<(Instruction, usize), Flaw> {
        Decoder { pool: &self.pool, start: self.range.start, length: self.range.len() }.decode(bci)
    }

    fn error(&self, flaw: Flaw) -> ClassFileError {
        flaw.within(Some(self.method.class), format_args!("code of `{}`", self.method))
    }

    pub(crate) fn read(method: MethodRef, pool: &Arc<ConstantPool>, body: Range<usize>) -> Result<Code, Flaw> {
        let mut input = Input::within(pool.bytes(), body);
        let (max_stack, max_locals) = (input.u16()?, input.u16()?);
        let length = input.u32()?;
        let range = input.skip(length as usize)?;
        let handlers = input.list(|input| read_handler(pool, input))?;
        let mut code = Code {
            method,
            pool: Arc::clone(pool),
            range,
            max_stack,
            max_locals,
            handlers,
            lines: Vec::new(),
            local_variables: Vec::new(),
            stack_map: None,
            problems: Vec::new(),
        };
        match attributes::read_table(pool, &mut input) {
            Ok(attributes) => {
                for attribute in &attributes {
                    code.read_attribute(attribute.kind, &attribute.body);
                }
            }
            Err(flaw) => code.problems.push(code.error(flaw)),
        }
        Ok(code)
    }

    /// Several `LineNumberTable`s of one method add up, and so do variable tables.
    fn read_attribute(&mut self, kind: AttributeKind, body: &Range<usize>) {
        let pool = Arc::clone(&self.pool);
        let mut input = Input::within(pool.bytes(), body.clone());
        let outcome = match kind {
            AttributeKind::LineNumberTable => input
                .list(|input| Ok(LineEntry { bci: input.u16()?, line: input.u16()? }))
                .map(|l| self.lines.extend(l)),
            AttributeKind::LocalVariableTable => {
                input.list(|input| read_variable(&pool, input)).map(|v| self.local_variables.extend(v))
            }
            AttributeKind::StackMapTable => {
                self.stack_map = pool.bytes().slice(body.clone());
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(flaw) = outcome {
            self.problems.push(
                flaw.within(Some(self.method.class), format_args!("attribute {} of `{}`", kind.name(), self.method)),
            );
        }
    }
}

fn read_handler(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Handler, Flaw> {
    let (start, end, handler) = (input.u16()?, input.u16()?, input.u16()?);
    let at = input.position();
    let catch = pool.optional_class(input.u16()?, at)?;
    Ok(Handler { start, end, handler, catch })
}

fn read_variable(pool: &ConstantPool, input: &mut Input<'_>) -> Result<LocalVariable, Flaw> {
    let at = input.position();
    let (start, length) = (input.u16()?, input.u16()?);
    let (name, descriptor, slot) = (input.u16()?, input.u16()?, input.u16()?);
    Ok(LocalVariable {
        range: start..start.saturating_add(length),
        name: pool.symbol(name, at)?,
        descriptor: pool.symbol(descriptor, at)?,
        slot,
    })
}
