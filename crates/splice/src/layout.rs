//! Where everything is after insertion, and the new bytes. Jumps land before what was inserted at their target, so a
//! probe runs whichever way its instruction is reached.
//!
//! A jump that no longer reaches its target grows: `goto` and `jsr` have wide forms. An `if` turns into the inverted
//! `if` around a `goto_w`; but where there are stack map frames, that would need a frame for the instruction behind
//! it, hence types that nobody has computed. There the `if` jumps to an *island* instead: a `goto_w` to its target,
//! put before an instruction that has a frame anyway. The island gets a copy of the target's frame, and whoever comes
//! from above jumps over it.

use super::bytes::{Put, u2_at};
use super::code::{Code, Instruction};
use super::frames::Frame;
use super::insert::Insertions;
use super::opcodes::{self, GOTO, GOTO_W, JSR, JSR_W, TABLESWITCH};

/// A method's code must be shorter than 64 KiB.
const MAX_CODE: usize = 65_535;

/// Why the insertions do not fit into the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unplaceable {
    TooLong,
    /// A conditional branch cannot reach its target any more, and there is no other way.
    FarBranch,
}

/// What becomes of an `if` that does not reach its target.
#[derive(Clone, Copy, Debug)]
pub(super) enum FarBranches<'f> {
    /// No frames are needed.
    Invert,
    /// By islands before these frames' places.
    Islands(&'f [Frame]),
}

/// A `goto_w` in reach of an `if` that is far from its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Island {
    /// Old index of the instruction it stands before, which has a frame, ..
    pub(super) before: usize,
    /// .. and of the one it leads to.
    pub(super) target: usize,
    /// Its own new index.
    pub(super) at: usize,
}

#[derive(Debug)]
pub(super) struct Layout<'c, 'a> {
    code: &'c Code<'a>,
    insertions: &'c Insertions,
    /// New index of what was inserted before each old index, ..
    before: Vec<usize>,
    /// .. and of the instruction itself. Indices within an instruction keep their distance to its start.
    at: Vec<usize>,
    grown: Vec<bool>,
    islands: Vec<Island>,
    /// The island that an `if` goes by.
    via: Vec<Option<usize>>,
}

impl<'c, 'a> Layout<'c, 'a> {
    pub(super) fn find(
        code: &'c Code<'a>,
        insertions: &'c Insertions,
        far: FarBranches<'_>,
    ) -> Result<Self, Unplaceable> {
        let (len, count) = (code.bytes.len(), code.instructions.len());
        let mut layout = Layout {
            code,
            insertions,
            before: vec![0; len + 1],
            at: vec![0; len + 1],
            grown: vec![false; count],
            islands: Vec::new(),
            via: vec![None; count],
        };
        loop {
            layout.place()?;
            if !layout.grow_far_jumps(far)? {
                return Ok(layout);
            }
        }
    }

    /// In the order of their places.
    pub(super) fn islands(&self) -> &[Island] {
        &self.islands
    }

    /// Where jumps to, ranges from and frames at this old index go. The end of the code is an index, too.
    pub(super) fn before(&self, pc: usize) -> u16 {
        self.before[pc.min(self.code.bytes.len())] as u16
    }

    /// Where the instruction at this old index is.
    pub(super) fn at(&self, pc: usize) -> u16 {
        self.at[pc.min(self.code.bytes.len())] as u16
    }

    fn place(&mut self) -> Result<(), Unplaceable> {
        let mut next = 0;
        for (index, instruction) in self.code.instructions.iter().enumerate() {
            let pc = instruction.pc;
            next = self.place_islands(index, next);
            self.before[pc] = next;
            next += self.insertions.before(index).len();
            for inner in 0..instruction.len {
                self.at[pc + inner] = next + inner;
            }
            for inner in 1..instruction.len {
                self.before[pc + inner] = next + inner;
            }
            next += self.size(index, *instruction, next);
        }
        if next > MAX_CODE {
            return Err(Unplaceable::TooLong);
        }
        let end = self.code.bytes.len();
        (self.before[end], self.at[end]) = (next, next);
        Ok(())
    }

    /// New size of an instruction that starts at the new index `at`.
    fn size(&self, index: usize, instruction: Instruction, at: usize) -> usize {
        if self.insertions.replaces(index) {
            return 0;
        }
        match instruction.op {
            op if opcodes::is_switch(op) => {
                let operands = instruction.pc + instruction.len - opcodes::switch_operands(instruction.pc);
                opcodes::switch_operands(at) - at + operands
            }
            GOTO | JSR if self.grown[index] => 5,
            _ if self.grown[index] => 8,
            _ => instruction.len,
        }
    }

    /// Puts the islands before an instruction at the new index `next`; returns where they end.
    fn place_islands(&mut self, index: usize, mut next: usize) -> usize {
        let pc = self.code.instructions[index].pc;
        if self.islands.iter().any(|island| island.before == pc) && self.is_fallen_into(index) {
            next += 3;
        }
        for island in self.islands.iter_mut().filter(|island| island.before == pc) {
            island.at = next;
            next += 5;
        }
        next
    }

    fn is_fallen_into(&self, index: usize) -> bool {
        index == 0 || !opcodes::ends_flow(self.code.instructions[index - 1].op)
    }

    /// Sees to the jumps that do not reach their targets; whether there were any.
    fn grow_far_jumps(&mut self, far: FarBranches<'_>) -> Result<bool, Unplaceable> {
        let mut any = false;
        for (index, instruction) in self.code.instructions.iter().enumerate() {
            if self.grown[index] || !opcodes::is_short_jump(instruction.op) || self.reaches(index, *instruction) {
                continue;
            }
            match far {
                FarBranches::Islands(frames) if opcodes::is_conditional(instruction.op) => {
                    let island = self.island(*instruction, frames).ok_or(Unplaceable::FarBranch)?;
                    // Moved out of reach again by what was put in between.
                    if self.via[index].replace(island).is_some() {
                        return Err(Unplaceable::FarBranch);
                    }
                }
                _ => self.grown[index] = true,
            }
            any = true;
        }
        Ok(any)
    }

    /// An island for this `if`, there already or new.
    fn island(&mut self, branch: Instruction, frames: &[Frame]) -> Option<usize> {
        // Leaves room for other islands and for jumps that are yet to grow.
        const REACH: usize = 30_000;
        let from = self.at[branch.pc];
        let target = self.code.jump_target(branch);
        let is_near = |at: usize| at.abs_diff(from) < REACH;
        let known = |island: &Island| island.target == target && is_near(self.before[island.before]);
        if let Some(known) = self.islands.iter().position(known) {
            return Some(known);
        }
        let places = frames.iter().map(|frame| frame.pc).filter(|pc| !self.is_inside_try(*pc));
        let nearest = places.min_by_key(|pc| self.before[*pc].abs_diff(from)).filter(|pc| is_near(self.before[*pc]))?;
        self.islands.push(Island { before: nearest, target, at: 0 });
        Some(self.islands.len() - 1)
    }

    /// Whether what is put before this instruction gets into a guarded range, where code must have what the handler
    /// expects; an island may not have it. It does at the end of a range, and not at its start.
    fn is_inside_try(&self, pc: usize) -> bool {
        let mut ranges = self.code.handlers.chunks_exact(8);
        ranges.any(|row| usize::from(u2_at(row, 0)) < pc && pc <= usize::from(u2_at(row, 2)))
    }

    fn reaches(&self, index: usize, jump: Instruction) -> bool {
        i16::try_from(self.jump_distance(index, jump)).is_ok()
    }

    /// From a jump to its target, or to its island.
    fn jump_distance(&self, index: usize, jump: Instruction) -> i64 {
        match self.via[index] {
            Some(island) => self.islands[island].at as i64 - self.at[jump.pc] as i64,
            None => self.distance(jump.pc, self.code.jump_target(jump)),
        }
    }

    /// From the instruction at one old index to what is before another, in new bytes.
    fn distance(&self, from: usize, to: usize) -> i64 {
        self.before[to] as i64 - self.at[from] as i64
    }

    pub(super) fn write_code(&self, out: &mut Vec<u8>) {
        let base = out.len();
        for (index, instruction) in self.code.instructions.iter().enumerate() {
            self.write_islands(index, out, base);
            out.extend(self.insertions.before(index));
            debug_assert_eq!(out.len() - base, self.at[instruction.pc]);
            if !self.insertions.replaces(index) {
                self.write_instruction(index, *instruction, out, base);
            }
        }
    }

    fn write_islands(&self, index: usize, out: &mut Vec<u8>, base: usize) {
        let pc = self.code.instructions[index].pc;
        let mut islands = self.islands.iter().filter(|island| island.before == pc).peekable();
        if islands.peek().is_some() && self.is_fallen_into(index) {
            let over = self.before[pc] - (out.len() - base);
            out.u1(GOTO);
            // A few islands at most stand in one place.
            out.u2(over as u16);
        }
        for island in islands {
            out.u1(GOTO_W);
            out.i4((self.before[island.target] as i64 - island.at as i64) as i32);
        }
    }

    fn write_instruction(&self, index: usize, instruction: Instruction, out: &mut Vec<u8>, base: usize) {
        let Instruction { pc, op, len } = instruction;
        // All distances lie within the 64 KiB of the method.
        let wide = |to: usize| self.distance(pc, to) as i32;
        if opcodes::is_short_jump(op) {
            let target = self.code.jump_target(instruction);
            match op {
                _ if !self.grown[index] => {
                    out.u1(op);
                    out.u2((self.jump_distance(index, instruction) as i16).cast_unsigned());
                }
                GOTO | JSR => {
                    out.u1(if op == GOTO { GOTO_W } else { JSR_W });
                    out.i4(wide(target));
                }
                _ => {
                    out.u1(opcodes::inverted(op));
                    out.u2(8);
                    out.u1(GOTO_W);
                    // Counted from the goto_w, which stands three bytes behind the if.
                    out.i4(wide(target) - 3);
                }
            }
        } else if opcodes::is_wide_jump(op) {
            out.u1(op);
            out.i4(wide(self.code.jump_target(instruction)));
        } else if opcodes::is_switch(op) {
            self.write_switch(instruction, out, base);
        } else {
            out.extend(&self.code.bytes[pc..pc + len]);
        }
    }

    fn write_switch(&self, instruction: Instruction, out: &mut Vec<u8>, base: usize) {
        let switch = self.code.switch(instruction);
        let distance = |to: usize| self.distance(instruction.pc, to) as i32;
        out.u1(instruction.op);
        while !(out.len() - base).is_multiple_of(4) {
            out.u1(0);
        }
        out.i4(distance(switch.default));
        if instruction.op == TABLESWITCH {
            let table = opcodes::switch_operands(instruction.pc);
            out.extend(&self.code.bytes[table + 4..table + 12]);
            switch.cases.iter().for_each(|(_, target)| out.i4(distance(*target)));
        } else {
            // At most a method's worth of cases.
            out.u4(switch.cases.len() as u32);
            for (key, target) in &switch.cases {
                out.i4(*key);
                out.i4(distance(*target));
            }
        }
    }

    pub(super) fn write_handlers(&self, out: &mut Vec<u8>) {
        for row in self.code.handlers.chunks_exact(8) {
            for at in [0, 2, 4] {
                out.u2(self.before(usize::from(u2_at(row, at))));
            }
            out.extend(&row[6..]);
        }
    }

    pub(super) fn code_len(&self) -> usize {
        self.before[self.code.bytes.len()]
    }
}
