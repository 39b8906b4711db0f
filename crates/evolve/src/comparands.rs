//! Which constants does a branch compare with? A candidate that was turned away at a branch on the way may pass it with one of
//! them somewhere in its values, and there are few enough to try.
//!
//! Looks at the instructions just before the branch, not at what flows into it: a constant too many costs little.

use program::classfile::{Constant, FieldOp};
use program::{CodePoint, FieldRef, Instruction, Program};
use recipe::JavaString;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The constants around one branch.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Comparands {
    pub(crate) words: Vec<JavaString>,
    pub(crate) numbers: Vec<i64>,
    /// Fields that are read for it.
    pub(crate) fields: Vec<FieldRef>,
}

/// Answers that were given before.
#[derive(Debug, Default)]
pub(crate) struct Known(FxHashMap<CodePoint, Arc<Comparands>>);

/// Instructions before the branch that are looked at: enough for a call with its arguments.
const BEFORE: usize = 8;
/// Cases of a switch.
const CASES: usize = 40;
const LONGEST_WORD: usize = 60;

impl Known {
    pub(crate) fn at(&mut self, branch: CodePoint, program: &Program) -> Arc<Comparands> {
        self.0.entry(branch).or_insert_with(|| Arc::new(Comparands::read(branch, program))).clone()
    }
}

impl Comparands {
    fn read(branch: CodePoint, program: &Program) -> Comparands {
        let mut found = Comparands::default();
        let Some(method) = program.declared_method(branch.method) else { return found };
        let Some(code) = method.readable_code() else { return found };
        let all: Vec<(u16, Instruction)> = code.instructions().flatten().collect();
        let Some(at) = all.iter().position(|(bci, _)| *bci == branch.at.bci) else { return found };
        if let Instruction::Switch { cases, .. } = &all[at].1 {
            cases.iter().take(CASES).for_each(|(key, _)| found.number((*key).into()));
            return found;
        }
        Comparands::before(&all[at.saturating_sub(BEFORE)..at])
    }

    /// The constants behind the last branch among these.
    fn before(instructions: &[(u16, Instruction)]) -> Comparands {
        let mut found = Comparands::default();
        let is_branch = |(_, instruction): &(u16, Instruction)| matches!(instruction, Instruction::If { .. });
        let start = instructions.iter().rposition(is_branch).map_or(0, |at| at + 1);
        for (_, instruction) in &instructions[start..] {
            match instruction {
                Instruction::Const(constant) => found.constant(constant),
                Instruction::Field { op: FieldOp::GetField | FieldOp::GetStatic, field } => found.fields.push(*field),
                _ => {}
            }
        }
        // Compared with zero.
        if found.words.is_empty() && found.numbers.is_empty() {
            found.numbers.push(0);
        }
        found
    }

    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Int(value) => self.number((*value).into()),
            Constant::Long(value) => self.number(*value),
            Constant::String(text) => {
                let word = JavaString(text.utf16());
                if (1..=LONGEST_WORD).contains(&word.0.len()) && !self.words.contains(&word) {
                    self.words.push(word);
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, value: i64) {
        if !self.numbers.contains(&value) {
            self.numbers.push(value);
        }
        let unit = u16::try_from(value).ok().filter(|unit| matches!(unit, 0x09..=0x0D | 0x20..=0x7E));
        if let Some(word) = unit.map(|unit| JavaString(vec![unit])).filter(|word| !self.words.contains(word)) {
            self.words.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::CompareOp;
    use program::classfile::BranchTest;

    #[test]
    fn constants_before_an_earlier_branch_are_another_matter() {
        let number = |value| Instruction::Const(Constant::Int(value));
        let branch = Instruction::If { test: BranchTest::Int(CompareOp::Eq), target: 0 };
        let field = FieldRef::new("A", "f", "I");
        let read = Instruction::Field { op: FieldOp::GetField, field };
        let code: Vec<(u16, Instruction)> = (0..).zip([number(45), branch, read, number(35)]).collect();
        let found = Comparands::before(&code);
        assert_eq!(found.numbers, [35]);
        assert_eq!(found.words, [JavaString::new("#")]);
        assert_eq!(found.fields, [field]);
        assert_eq!(Comparands::before(&code[..2]).numbers, [0], "compared with nothing, it is compared with zero");
    }
}
