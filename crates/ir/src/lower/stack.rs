//! The operand stack as lowering sees it: where each value comes from and what is known of its type. One value per entry,
//! whatever its width; the instructions that move values by width (JVMS 6.5, `pop2`, `dup_x2`, ..) are sorted out here.

use super::types::Known;
use program::classfile::StackOp;

/// Where a value on the stack comes from. Two entries with the same source are the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Pushed by the instruction at this index.
    At(u16),
    /// What the predecessors of the block at `join` left at `depth`, or the exception that a handler at `join` caught.
    Merge { join: u16, depth: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) source: Source,
    pub(super) ty: Known,
}

/// The stack has fewer values than an instruction takes, or a `2` form would cut a wide value in half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadStack;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stack(pub(super) Vec<Value>);

impl Stack {
    pub(super) fn push(&mut self, source: Source, ty: Known) {
        self.0.push(Value { source, ty });
    }

    pub(super) fn pop(&mut self) -> Result<Value, BadStack> {
        self.0.pop().ok_or(BadStack)
    }

    pub(super) fn pop_many(&mut self, count: usize) -> Result<(), BadStack> {
        let rest = self.0.len().checked_sub(count).ok_or(BadStack)?;
        self.0.truncate(rest);
        Ok(())
    }

    /// The entry `depth` below the top.
    pub(super) fn peek(&self, depth: usize) -> Result<Value, BadStack> {
        self.0.iter().rev().nth(depth).copied().ok_or(BadStack)
    }

    pub(super) fn apply(&mut self, op: StackOp) -> Result<(), BadStack> {
        match op {
            StackOp::Pop => self.pop_many(1),
            StackOp::Pop2 => self.pop_words(2).map(drop),
            StackOp::Dup => self.insert_copy(1, 0),
            StackOp::DupX1 => self.insert_copy(1, 1),
            StackOp::DupX2 => self.insert_copy(1, 2),
            StackOp::Dup2 => self.insert_copy(2, 0),
            StackOp::Dup2X1 => self.insert_copy(2, 1),
            StackOp::Dup2X2 => self.insert_copy(2, 2),
            StackOp::Swap => {
                let len = self.0.len();
                if len < 2 {
                    return Err(BadStack);
                }
                self.0.swap(len - 1, len - 2);
                Ok(())
            }
        }
    }

    /// Copies the top `words` words and puts the copy below the `below` words under them.
    fn insert_copy(&mut self, words: usize, below: usize) -> Result<(), BadStack> {
        let top = self.pop_words(words)?;
        let under = self.pop_words(below)?;
        self.0.extend(&top);
        self.0.extend(under);
        self.0.extend(top);
        Ok(())
    }

    /// Pops the values that make up exactly this many words, bottom first.
    fn pop_words(&mut self, words: usize) -> Result<Vec<Value>, BadStack> {
        let mut popped = Vec::with_capacity(words);
        let mut left = words;
        while left > 0 {
            let value = self.pop()?;
            left = left.checked_sub(if value.ty.is_wide() { 2 } else { 1 }).ok_or(BadStack)?;
            popped.push(value);
        }
        popped.reverse();
        Ok(popped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::Type;

    /// Values are letters, wide ones upper case.
    fn stack(text: &str) -> Stack {
        let value = |letter: char| Value {
            source: Source::At(letter as u16),
            ty: Known::Type(if letter.is_uppercase() { Type::Long } else { Type::Int }),
        };
        Stack(text.chars().map(value).collect())
    }

    /// The forms of JVMS 6.5, by the widths of the values on top.
    #[test]
    fn forms() {
        use StackOp::*;
        let cases = [
            (Pop, "ab", Some("a")),
            (Pop2, "abc", Some("a")),
            (Pop2, "aB", Some("a")),
            (Dup, "ab", Some("abb")),
            (DupX1, "ab", Some("bab")),
            (DupX2, "abc", Some("cabc")),
            (DupX2, "Ab", Some("bAb")),
            (Dup2, "ab", Some("abab")),
            (Dup2, "aB", Some("aBB")),
            (Dup2X1, "abc", Some("bcabc")),
            (Dup2X1, "aB", Some("BaB")),
            (Dup2X2, "abcd", Some("cdabcd")),
            (Dup2X2, "abC", Some("CabC")),
            (Dup2X2, "Abc", Some("bcAbc")),
            (Dup2X2, "AB", Some("BAB")),
            (Swap, "abc", Some("acb")),
            (Pop2, "a", None),
            (Dup2, "Ab", None),
            (DupX2, "Aab", None),
            (Swap, "a", None),
            (Dup, "", None),
        ];
        for (op, before, after) in cases {
            let mut actual = stack(before);
            let outcome = actual.apply(op).map(|()| actual).ok();
            assert_eq!(outcome, after.map(stack), "{op:?} on {before}");
        }
    }
}
