//! Reads the text form of bodies (see `print.rs`), for tests. Side tables may be left out, and so may declarations: a variable
//! that occurs without one is `mixed`. What is read is not verified.

mod cursor;
mod operation;

use crate::body::{Block, BlockId, Body, HandlerEdge, LocalName, Operand, Stacks, Terminator, Var, VarInfo};
use crate::lookup::kind_of_type;
use cursor::{Cursor, Fault};
use program::classfile::Kind;
use program::{ClassName, InstrId, MethodRef, Symbol, Type};
use std::collections::BTreeMap;

/// The text is not a body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found `{found}`")]
pub struct ReadError {
    /// Counted from 1.
    pub line: usize,
    pub expected: &'static str,
    pub found: String,
}

/// Reads one body.
pub fn read(text: &str) -> Result<Body, ReadError> {
    let mut reader = Reader::default();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        let mut cursor = Cursor::new(text);
        let outcome = reader.line(&mut cursor).and_then(|()| cursor.end());
        outcome.map_err(|Fault { expected, at }| ReadError {
            line,
            expected,
            found: text[at..].trim_start().to_string(),
        })?;
    }
    reader.finish().map_err(|expected| ReadError { line: text.lines().count(), expected, found: String::new() })
}

#[derive(Default)]
struct Reader {
    header: Option<(MethodRef, bool)>,
    unreachable: u32,
    vars: BTreeMap<Var, VarInfo>,
    blocks: Vec<Block>,
    /// The block that is being read has no terminator yet.
    open: bool,
    lines: Vec<(u16, u16)>,
    names: Vec<LocalName>,
    stacks: Stacks,
}

impl Reader {
    fn line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        if cursor.peek("@") {
            return self.operation(cursor);
        }
        if cursor.peek("block") {
            return self.block(cursor);
        }
        match cursor.word()? {
            "method" => self.method(cursor),
            "unreachable" => {
                self.unreachable = cursor.number()?;
                Ok(())
            }
            "var" => self.var(cursor),
            "line" => {
                self.lines.push((cursor.index()?, cursor.number()?));
                Ok(())
            }
            "name" => self.name(cursor),
            "stack" => self.stack(cursor),
            _ => cursor.fault("an operation, a block or a declaration"),
        }
    }

    fn method(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let is_static = cursor.eat("static ");
        self.header = Some((cursor.method()?, is_static));
        Ok(())
    }

    fn var(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let var = operation::var(cursor)?;
        let (kind, ty) = if cursor.eat("reference") {
            (Some(Kind::Reference), None)
        } else if cursor.eat("mixed") {
            (None, None)
        } else {
            let ty = cursor.ty()?;
            (Some(kind_of_type(ty)), Some(ty))
        };
        let name = if cursor.is_at_end() { None } else { Some(Symbol::new(&cursor.name()?)) };
        self.vars.insert(var, VarInfo { kind, ty, name });
        Ok(())
    }

    fn block(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let id = operation::block_id(cursor)?;
        if id.0 as usize != self.blocks.len() || self.open {
            return cursor.fault("blocks in the order of their numbers, each with a terminator");
        }
        let start = cursor.index()?;
        cursor.expect("..")?;
        let after = cursor.number()?;
        let mut handlers = Vec::new();
        while cursor.eat("catch") {
            let catch = if cursor.eat("*") { None } else { Some(ClassName::internal(&cursor.name()?)) };
            handlers.push(HandlerEdge { catch, target: operation::block_id(cursor)? });
        }
        cursor.expect(":")?;
        // Stands in until the terminator is read.
        let (end, end_id) = (Terminator::Goto(BlockId(0)), InstrId::at(0));
        self.blocks.push(Block { start, after, instrs: Vec::new(), end, end_id, handlers });
        self.open = true;
        Ok(())
    }

    fn operation(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let bci = cursor.index()?;
        let sub = if cursor.eat(".") { cursor.number()? } else { 0 };
        let id = InstrId { bci, sub };
        let Some(block) = self.blocks.last_mut().filter(|_| self.open) else {
            return cursor.fault("a block before its operations");
        };
        match operation::terminator(cursor)? {
            Some(end) => {
                (block.end, block.end_id) = (end, id);
                self.open = false;
            }
            None => block.instrs.push(crate::Instr { id, op: operation::op(cursor)? }),
        }
        Ok(())
    }

    fn name(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        cursor.expect("l")?;
        let slot = cursor.number()?;
        let start = cursor.number()?;
        cursor.expect("..")?;
        let end = cursor.number()?;
        let name = Symbol::new(&cursor.name()?);
        let descriptor = Symbol::new(&cursor.descriptor()?);
        self.names.push(LocalName { slot, range: start..end, name, descriptor });
        Ok(())
    }

    fn stack(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let bci = cursor.index()?;
        let operands = operation::list(cursor, "[", "]")?;
        if self.stacks.iter().last().is_some_and(|(last, _)| last >= bci) {
            return cursor.fault("stacks in ascending order");
        }
        self.stacks.push(bci, operands);
        Ok(())
    }

    fn finish(mut self) -> Result<Body, &'static str> {
        let (method, is_static) = self.header.ok_or("a line with `method`")?;
        if self.open || self.blocks.is_empty() {
            return Err("a terminator");
        }
        self.declare_missing();
        Ok(Body {
            method,
            is_static,
            blocks: self.blocks,
            vars: self.vars.into_iter().collect(),
            names: self.names,
            lines: self.lines,
            stacks: self.stacks,
            unreachable: self.unreachable,
        })
    }

    fn declare_missing(&mut self) {
        let mut occurring = Vec::new();
        for block in &self.blocks {
            let operands = block.instrs.iter().flat_map(|instr| instr.op.operands()).chain(block.end.operands());
            occurring.extend(operands.filter_map(Operand::as_var));
            occurring.extend(block.instrs.iter().filter_map(|instr| instr.op.defines()));
        }
        occurring.extend(self.stacks.iter().flat_map(|(_, stack)| stack.iter().filter_map(Operand::as_var)));
        for var in occurring {
            self.vars.entry(var).or_insert(VarInfo { kind: None, ty: None::<Type>, name: None });
        }
    }
}
