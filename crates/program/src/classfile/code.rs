//! The `Code` attribute (JVMS 4.7.3): instructions, exception handlers, line and variable tables. A damaged table costs only
//! itself; damaged instructions show when they are decoded.

use super::attributes::{self, AttributeKind};
use super::constant_pool::ConstantPool;
use super::error::{ClassFileError, Flaw};
use super::input::Input;
use super::instruction::{Decoder, Instruction};
use super::lines::{LineEntry, LineMap};
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
    line_map: LineMap,
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

    /// The source line of the instruction at `bci`, as HotSpot puts it into stack traces.
    pub fn line_of(&self, bci: u16) -> Option<u16> {
        self.line_map.line_of(bci)
    }

    /// The parts of the code that [`line_of`](Self::line_of) puts on `line`, ascending, none touching the next.
    pub fn ranges_of_line(&self, line: u16) -> Vec<Range<u16>> {
        self.line_map.ranges_of_line(line, self.end())
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
            line_map: LineMap::default(),
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
        code.line_map = LineMap::new(&code.lines);
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
