//! What do local variables hold just before an instruction, as the verifier sees it? A variable that data flow knows may be
//! out of scope for the verifier, and to load it would make the class unusable.

use super::SpliceError;
use super::code::{Code, Instruction};
use super::frames::{self, Absolute, VerificationType};
use super::opcodes::*;
use super::plan::ValueKind;
use super::pool::Pool;
use super::probes::Subject;
use program::Type;

/// Kinds by slot; none where nothing can be loaded.
#[derive(Debug)]
pub(super) struct Locals {
    kinds: Vec<Option<ValueKind>>,
}

impl Locals {
    /// `None` where the verifier of old class files infers it all.
    pub(super) fn before(
        pc: usize,
        code: &Code<'_>,
        subject: Subject<'_>,
        pool: &Pool<'_>,
    ) -> Result<Option<Locals>, SpliceError> {
        let table = code.attribute(b"StackMapTable");
        let has_jumps = (0..=pc).any(|target| code.is_target(target));
        if table.is_none() && has_jumps {
            return Ok(None);
        }
        let frames = table.map_or(Ok(Vec::new()), |table| frames::read(table, code))?;
        let mut frame = Absolute::at_entry(entry(subject));
        let mut from = 0;
        for next in frames.iter().take_while(|next| next.pc <= pc) {
            frame = frame.then(&next.shape);
            from = next.pc;
        }
        let mut locals = Locals { kinds: spread(frame.locals()) };
        let is_uninitialised = frame.locals().first() == Some(&VerificationType::UNINITIALISED_THIS);
        let constructed = if is_uninitialised { constructed(code, pool)? } else { None };
        for instruction in code.instructions.iter().filter(|one| (from..pc).contains(&one.pc)) {
            locals.step(code, *instruction);
            if constructed == Some(instruction.pc) {
                locals.set(0, ValueKind::Reference);
            }
        }
        Ok(Some(locals))
    }

    pub(super) fn has(&self, slot: u16, kind: ValueKind) -> bool {
        self.kinds.get(usize::from(slot)).copied().flatten() == Some(kind)
    }

    fn step(&mut self, code: &Code<'_>, instruction: Instruction) {
        const BY_STORE: [ValueKind; 5] =
            [ValueKind::Int, ValueKind::Long, ValueKind::Float, ValueKind::Double, ValueKind::Reference];
        let (pc, op) = (instruction.pc, instruction.op);
        match op {
            ISTORE..=ASTORE => self.set(code.bytes[pc + 1].into(), BY_STORE[usize::from(op - ISTORE)]),
            // `istore_0` to `astore_3`
            0x3b..=0x4e => {
                let number = usize::from(op - 0x3b);
                self.set((number % 4) as u16, BY_STORE[number / 4]);
            }
            WIDE if (ISTORE..=ASTORE).contains(&code.bytes[pc + 1]) => {
                self.set(code.u2(pc + 2), BY_STORE[usize::from(code.bytes[pc + 1] - ISTORE)]);
            }
            _ => {}
        }
    }

    fn set(&mut self, slot: u16, kind: ValueKind) {
        let (first, end) = (usize::from(slot), usize::from(slot) + usize::from(kind.slots()));
        if self.kinds.len() < end {
            self.kinds.resize(end, None);
        }
        // What reaches into it from below is gone.
        if let Some(below) = first.checked_sub(1)
            && self.kinds[below].is_some_and(|kind| kind.slots() == 2)
        {
            self.kinds[below] = None;
        }
        self.kinds[first..end].fill(None);
        self.kinds[first] = Some(kind);
    }
}

/// By slot, where a frame has one entry for each variable.
fn spread(types: &[VerificationType]) -> Vec<Option<ValueKind>> {
    let mut kinds = Vec::new();
    for ty in types {
        let kind = match *ty {
            VerificationType::INT => Some(ValueKind::Int),
            VerificationType::FLOAT => Some(ValueKind::Float),
            VerificationType::DOUBLE => Some(ValueKind::Double),
            VerificationType::LONG => Some(ValueKind::Long),
            VerificationType::NULL | VerificationType::Object(_) => Some(ValueKind::Reference),
            VerificationType::Plain(_) | VerificationType::Uninitialized(_) => None,
        };
        kinds.push(kind);
        if kind.is_some_and(|kind| kind.slots() == 2) {
            kinds.push(None);
        }
    }
    kinds
}

/// Which class an object is of is all the same here.
fn entry(subject: Subject<'_>) -> Vec<VerificationType> {
    const OBJECT: VerificationType = VerificationType::Object(0);
    let this = if subject.method.is_constructor() { VerificationType::UNINITIALISED_THIS } else { OBJECT };
    let params = subject.method.signature().params.into_iter().map(|param| match param {
        Type::Float => VerificationType::FLOAT,
        Type::Long => VerificationType::LONG,
        Type::Double => VerificationType::DOUBLE,
        Type::Class(_) | Type::Array(_) => OBJECT,
        _ => VerificationType::INT,
    });
    (!subject.is_static).then_some(this).into_iter().chain(params).collect()
}

/// The call of a constructor by which `this` becomes an object: the first that belongs to no `new` before it.
fn constructed(code: &Code<'_>, pool: &Pool<'_>) -> Result<Option<usize>, SpliceError> {
    let mut open = 0;
    for instruction in &code.instructions {
        match instruction.op {
            NEW => open += 1,
            INVOKESPECIAL if pool.member(code.u2(instruction.pc + 1))?.name == b"<init>" => {
                if open == 0 {
                    return Ok(Some(instruction.pc));
                }
                open -= 1;
            }
            _ => {}
        }
    }
    Ok(None)
}
