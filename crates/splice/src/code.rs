//! One `Code` attribute, taken apart: instructions, jump targets, handlers, line starts. Everything that later steps
//! index by is checked here once, so that they cannot go out of bounds.

use super::SpliceError;
use super::bytes::{Reader, rows, u2_at};
use super::opcodes::{self, TABLESWITCH};
use super::pool::Pool;

#[derive(Debug)]
pub(super) struct Code<'a> {
    pub(super) max_stack: u16,
    pub(super) max_locals: u16,
    pub(super) bytes: &'a [u8],
    pub(super) instructions: Vec<Instruction>,
    /// Exception table: rows of start, end, handler, type.
    pub(super) handlers: &'a [u8],
    pub(super) attributes: Vec<Attribute<'a>>,
    /// Line starts, sorted by bytecode index, one per index.
    pub(super) lines: Vec<LineStart>,
    is_start: Vec<bool>,
    is_target: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) pc: usize,
    pub(super) len: usize,
    pub(super) op: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute<'a> {
    pub(super) name_index: u16,
    pub(super) name: &'a [u8],
    pub(super) data: &'a [u8],
    /// Where the data is in the file.
    offset: usize,
}

impl<'a> Attribute<'a> {
    pub(super) fn reader(&self) -> Reader<'a> {
        Reader::within(self.data, self.offset)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LineStart {
    pub(super) pc: u16,
    pub(super) line: u16,
}

/// A `tableswitch` or `lookupswitch`: bytecode indices of the targets.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) default: usize,
    pub(super) cases: Vec<(i32, usize)>,
}

impl<'a> Code<'a> {
    pub(super) fn parse(mut body: Reader<'a>, pool: &Pool<'a>) -> Result<Self, SpliceError> {
        let (max_stack, max_locals) = (body.u2()?, body.u2()?);
        let len = body.u4()? as usize;
        if len == 0 || len > usize::from(u16::MAX) {
            return Err(body.malformed("code length"));
        }
        let bytes = body.take(len)?;
        let instructions = decode(bytes).ok_or_else(|| body.malformed("instruction"))?;
        let handler_count = usize::from(body.u2()?);
        let handlers = body.take(8 * handler_count)?;
        let attributes = read_attributes(&mut body, pool)?;
        let lines = line_starts(&attributes, len)?;
        let mut is_start = vec![false; len + 1];
        instructions.iter().for_each(|instruction| is_start[instruction.pc] = true);
        let is_target = Vec::new();
        let mut code =
            Code { max_stack, max_locals, bytes, instructions, handlers, attributes, lines, is_start, is_target };
        code.is_target = code.find_targets().ok_or_else(|| body.malformed("jump or handler"))?;
        Ok(code)
    }

    pub(super) fn u2(&self, at: usize) -> u16 {
        u2_at(self.bytes, at)
    }

    pub(super) fn attribute(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.data)
    }

    /// Whether an instruction starts at this bytecode index.
    pub(super) fn is_start(&self, pc: usize) -> bool {
        self.is_start.get(pc).copied().unwrap_or(false)
    }

    /// Whether a jump, switch or handler leads to this bytecode index.
    pub(super) fn is_target(&self, pc: usize) -> bool {
        self.is_target[pc]
    }

    /// Where a jump leads. Known to be an instruction of this code.
    pub(super) fn jump_target(&self, jump: Instruction) -> usize {
        self.target(jump).expect("targets were checked when the code was parsed")
    }

    pub(super) fn switch(&self, at: Instruction) -> Switch {
        self.read_switch(at).expect("switches were checked when the code was parsed")
    }

    fn target(&self, jump: Instruction) -> Option<usize> {
        let offset = if opcodes::is_wide_jump(jump.op) {
            i64::from(opcodes::i4(self.bytes, jump.pc + 1)?)
        } else {
            i64::from(self.u2(jump.pc + 1).cast_signed())
        };
        self.at_offset(jump.pc, offset)
    }

    fn at_offset(&self, pc: usize, offset: i64) -> Option<usize> {
        usize::try_from(pc as i64 + offset).ok().filter(|target| *target < self.bytes.len())
    }

    fn read_switch(&self, at: Instruction) -> Option<Switch> {
        let table = opcodes::switch_operands(at.pc);
        let word = |index: usize| opcodes::i4(self.bytes, table + 4 * index);
        let target = |index: usize| self.at_offset(at.pc, i64::from(word(index)?));
        let default = target(0)?;
        let cases = if at.op == TABLESWITCH {
            let low = word(1)?;
            let count = (at.pc + at.len - table - 12) / 4;
            (0..count).map(|k| Some((low.wrapping_add(k as i32), target(3 + k)?))).collect::<Option<_>>()?
        } else {
            let count = (at.pc + at.len - table - 8) / 8;
            (0..count).map(|k| Some((word(2 + 2 * k)?, target(3 + 2 * k)?))).collect::<Option<_>>()?
        };
        Some(Switch { default, cases })
    }

    /// Marks all targets; `None` if one is not the start of an instruction.
    fn find_targets(&self) -> Option<Vec<bool>> {
        let mut marks = vec![false; self.bytes.len() + 1];
        let mut mark = |target: usize| {
            marks[target] = true;
            self.is_start[target].then_some(())
        };
        for instruction in &self.instructions {
            if opcodes::is_short_jump(instruction.op) || opcodes::is_wide_jump(instruction.op) {
                mark(self.target(*instruction)?)?;
            } else if opcodes::is_switch(instruction.op) {
                let switch = self.read_switch(*instruction)?;
                mark(switch.default)?;
                switch.cases.iter().try_for_each(|(_, target)| mark(*target))?;
            }
        }
        for row in self.handlers.chunks_exact(8) {
            let (start, end) = (usize::from(u2_at(row, 0)), usize::from(u2_at(row, 2)));
            if start >= end || end > self.bytes.len() {
                return None;
            }
            mark(usize::from(u2_at(row, 4)).min(self.bytes.len()))?;
        }
        Some(marks)
    }
}

fn decode(code: &[u8]) -> Option<Vec<Instruction>> {
    let mut instructions = Vec::with_capacity(code.len() / 2);
    let mut pc = 0;
    while pc < code.len() {
        let len = opcodes::length(code, pc)?;
        instructions.push(Instruction { pc, len, op: code[pc] });
        pc += len;
    }
    Some(instructions)
}

pub(super) fn read_attributes<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Vec<Attribute<'a>>, SpliceError> {
    let count = reader.u2()?;
    let mut attributes = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let name_index = reader.u2()?;
        let len = reader.u4()? as usize;
        let offset = reader.offset();
        attributes.push(Attribute { name_index, name: pool.utf8(name_index)?, data: reader.take(len)?, offset });
    }
    Ok(attributes)
}

fn line_starts(attributes: &[Attribute<'_>], code_len: usize) -> Result<Vec<LineStart>, SpliceError> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.name == b"LineNumberTable") {
        for row in rows(attribute.data, 4)? {
            let start = LineStart { pc: u2_at(row, 0), line: u2_at(row, 2) };
            if usize::from(start.pc) >= code_len {
                return Err(SpliceError::Malformed { what: "line outside the code", offset: usize::from(start.pc) });
            }
            lines.push(start);
        }
    }
    // Stable: of several lines at one place the VM reports the first one of the table.
    lines.sort_by_key(|start| start.pc);
    lines.dedup_by_key(|start| start.pc);
    Ok(lines)
}
