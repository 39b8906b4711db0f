//! Bodies for what has no bytecode: code is put together operation by operation, and runs like all other.

use analysis::Lowered;
use ir::{
    Block, BlockId, Body, Callee, CompareOp, Const, Guard, Instr, InvokeKind, Op, Operand, Rvalue, Stacks, Terminator,
    Var, VarInfo,
};
use program::{ClassName, FoundMethod, InstrId, MethodRef, MethodType, Symbol, Type};
use std::sync::Arc;

/// A static method that is being written.
pub(super) struct Code {
    found: FoundMethod,
    params: Vec<Type>,
    blocks: Vec<Block>,
    instrs: Vec<Instr>,
    vars: Vec<(Var, VarInfo)>,
    next: u16,
}

impl Code {
    /// With these parameters, as if it stood beside the method.
    pub(super) fn new(found: FoundMethod, params: &[Type]) -> Code {
        let mut code =
            Code { found, params: params.to_vec(), blocks: Vec::new(), instrs: Vec::new(), vars: Vec::new(), next: 0 };
        let mut slot = 0;
        for ty in params {
            code.vars.push((Var::Local(slot), info(*ty)));
            slot += ty.slots();
        }
        code
    }

    pub(super) fn parameter(&self, at: usize) -> Operand {
        let slot = self.params[..at].iter().map(|ty| ty.slots()).sum();
        Var::Local(slot).into()
    }

    fn id(&mut self) -> InstrId {
        self.next += 1;
        InstrId::at(self.next)
    }

    pub(super) fn op(&mut self, op: Op) {
        let id = self.id();
        self.instrs.push(Instr { id, op });
    }

    pub(super) fn value(&mut self, ty: Type, value: Rvalue) -> Operand {
        let id = self.id();
        let var = Var::Temp(id.bci);
        self.vars.push((var, info(ty)));
        self.instrs.push(Instr { id, op: Op::Assign(var, value) });
        var.into()
    }

    /// Calls the method; its result, if it has one. Receivers are checked.
    pub(super) fn call(
        &mut self,
        kind: InvokeKind,
        method: MethodRef,
        interface: bool,
        args: Vec<Operand>,
    ) -> Option<Operand> {
        if kind != InvokeKind::Static && !method.is_constructor() {
            self.op(Op::Guard(Guard::NotNull(args[0].clone())));
        }
        let callee = Callee::Method { kind, method, interface };
        match method.signature().ret {
            Some(ty) => Some(self.value(ty, Rvalue::Invoke(callee, args))),
            None => {
                self.op(Op::Invoke(callee, args));
                None
            }
        }
    }

    pub(super) fn call_static(&mut self, class: &str, name: &str, descriptor: &str, args: Vec<Operand>) -> Operand {
        let called = self.call(InvokeKind::Static, MethodRef::new(class, name, descriptor), false, args);
        called.unwrap_or(Operand::Const(Const::Null))
    }

    pub(super) fn cast(&mut self, value: Operand, ty: Type) -> Operand {
        if ty == Type::Class(ClassName::object()) {
            return value;
        }
        self.op(Op::Guard(Guard::Castable(value.clone(), ty)));
        self.value(ty, Rvalue::Cast(value, ty))
    }

    pub(super) fn new_object(&mut self, constructor: MethodRef, args: Vec<Operand>) -> Operand {
        let object = self.value(Type::Class(constructor.class), Rvalue::New(constructor.class));
        let args = std::iter::once(object.clone()).chain(args).collect();
        self.call(InvokeKind::Special, constructor, false, args);
        object
    }

    /// Ends the block that is being written; the next one has the number behind it.
    fn end(&mut self, end: Terminator) {
        let end_id = self.id();
        let instrs = std::mem::take(&mut self.instrs);
        let start = instrs.first().map_or(end_id.bci, |instr| instr.id.bci);
        let after = end_id.bci + 1;
        self.blocks.push(Block { start, after, instrs, end, end_id, handlers: Vec::new() });
    }

    pub(super) fn give(&mut self, value: Option<Operand>) {
        self.end(Terminator::Return(value));
    }

    /// Returns this number where the comparison holds, and goes on where it does not.
    pub(super) fn give_if(&mut self, op: CompareOp, left: Operand, right: Operand, number: i32) {
        let here = self.blocks.len();
        let (then, otherwise) = (block(here + 1), block(here + 2));
        self.end(Terminator::If { op, left, right, then, otherwise });
        self.give(Some(Const::Int(number).into()));
    }

    /// Skips what `write` writes unless the comparison holds; that must go on at its end.
    pub(super) fn only_if(&mut self, op: CompareOp, left: Operand, right: Operand, write: impl FnOnce(&mut Code)) {
        let here = self.blocks.len();
        self.end(Terminator::If { op, left, right, then: block(here + 1), otherwise: block(here + 1) });
        write(self);
        let behind = block(self.blocks.len() + 1);
        self.end(Terminator::Goto(behind));
        if let Terminator::If { otherwise, .. } = &mut self.blocks[here].end {
            *otherwise = behind;
        }
    }

    /// The whole, under this name.
    pub(super) fn finish(self, name: &str, ret: Option<Type>) -> Arc<Lowered> {
        let descriptor = MethodType { params: self.params, ret }.descriptor();
        let method =
            MethodRef { class: self.found.class.name, name: Symbol::new(name), descriptor: Symbol::new(&descriptor) };
        let mut vars = self.vars;
        vars.sort_by_key(|(var, _)| *var);
        let body = Body {
            method,
            is_static: true,
            blocks: self.blocks,
            vars,
            names: Vec::new(),
            lines: Vec::new(),
            stacks: Stacks::default(),
            unreachable: 0,
        };
        Arc::new(Lowered::new(self.found, body))
    }
}

fn info(ty: Type) -> VarInfo {
    VarInfo { kind: Some(ir::kind_of_type(ty)), ty: Some(ty), name: None }
}

fn block(number: usize) -> BlockId {
    BlockId(u32::try_from(number).unwrap_or(u32::MAX))
}
