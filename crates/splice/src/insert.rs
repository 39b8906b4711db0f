//! The code that is inserted: small jump-free sequences that call the probe classes of the host. Being jump-free they
//! need no stack map frames of their own.

use super::SpliceError;
use super::bytes::Put;
use super::opcodes::*;
use super::plan::ValueKind;
use super::pool::Pool;
use super::recorder::CLASS as RECORDER;

/// For each instruction of a method what goes before it, and how much more stack and how many more locals that needs.
#[derive(Debug, Default)]
pub(super) struct Insertions {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
    pub(super) extra_stack: u16,
    pub(super) extra_locals: u16,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    replaces: bool,
}

impl Insertions {
    /// What goes before instruction `index`.
    pub(super) fn before(&self, index: usize) -> &[u8] {
        self.pieces.get(index).map_or(&[], |piece| &self.bytes[piece.start..piece.end])
    }

    /// Whether that takes the place of the instruction.
    pub(super) fn replaces(&self, index: usize) -> bool {
        self.pieces.get(index).is_some_and(|piece| piece.replaces)
    }
}

/// Writes insertions, one instruction after the other.
#[derive(Debug)]
pub(super) struct Inserter<'p, 'a> {
    pool: &'p mut Pool<'a>,
    out: Insertions,
    start: usize,
    replaces: bool,
    /// Whether the order of branch outcomes is noted.
    is_ordered: bool,
}

impl<'p, 'a> Inserter<'p, 'a> {
    pub(super) fn new(pool: &'p mut Pool<'a>, is_ordered: bool) -> Self {
        Inserter { pool, out: Insertions::default(), start: 0, replaces: false, is_ordered }
    }

    pub(super) fn pool(&self) -> &Pool<'a> {
        self.pool
    }

    /// Everything written since the last call belongs before the next instruction.
    pub(super) fn next_instruction(&mut self) {
        let end = self.out.bytes.len();
        self.out.pieces.push(Piece { start: self.start, end, replaces: self.replaces });
        (self.start, self.replaces) = (end, false);
    }

    /// What was written for this instruction takes its place.
    pub(super) fn replace(&mut self) {
        self.replaces = true;
    }

    pub(super) fn finish(self) -> Insertions {
        self.out
    }

    pub(super) fn op(&mut self, op: u8) {
        self.out.bytes.push(op);
    }

    pub(super) fn push_int(&mut self, value: i32) -> Result<(), SpliceError> {
        if let Ok(value) = i8::try_from(value) {
            self.out.bytes.extend([BIPUSH, value.cast_unsigned()]);
        } else if let Ok(value) = i16::try_from(value) {
            self.op(SIPUSH);
            self.out.bytes.u2(value.cast_unsigned());
        } else {
            let constant = self.pool.add_integer(value)?;
            self.op(LDC_W);
            self.out.bytes.u2(constant);
        }
        Ok(())
    }

    pub(super) fn push_string(&mut self, modified_utf8: &[u8]) -> Result<(), SpliceError> {
        let constant = self.pool.add_string(modified_utf8)?;
        self.op(LDC_W);
        self.out.bytes.u2(constant);
        Ok(())
    }

    pub(super) fn load(&mut self, kind: ValueKind, slot: u16) {
        self.local(ILOAD + kind.opcode_offset(), slot);
    }

    pub(super) fn store(&mut self, kind: ValueKind, slot: u16) {
        self.local(ISTORE + kind.opcode_offset(), slot);
    }

    fn local(&mut self, op: u8, slot: u16) {
        if let Ok(slot) = u8::try_from(slot) {
            self.out.bytes.extend([op, slot]);
        } else {
            self.out.bytes.extend([WIDE, op]);
            self.out.bytes.u2(slot);
        }
    }

    /// Calls a probe; `stack` is what the sequence has pushed on top of the method's own operands.
    pub(super) fn call(&mut self, call: Call, stack: u16) -> Result<(), SpliceError> {
        let (owner, name, descriptor) = call.method();
        let owner = if self.is_ordered && call.is_branch() { TRACE } else { owner };
        let method = self.pool.add_method(owner, name, descriptor)?;
        self.op(INVOKESTATIC);
        self.out.bytes.u2(method);
        self.out.extra_stack = self.out.extra_stack.max(stack);
        Ok(())
    }

    /// The bytes of an instruction that stays valid wherever it is.
    pub(super) fn copy(&mut self, instruction: &[u8]) {
        self.out.bytes.extend(instruction);
    }

    pub(super) fn needs_locals(&mut self, count: u16) {
        self.out.extra_locals = self.out.extra_locals.max(count);
    }

    /// `putstatic` of a field of the class itself.
    pub(super) fn put_own_static(&mut self, this_class: u16, name: u16, descriptor: u16) -> Result<(), SpliceError> {
        let field = self.pool.add_own_field(this_class, name, descriptor)?;
        self.op(PUTSTATIC);
        self.out.bytes.u2(field);
        Ok(())
    }

    pub(super) fn ldc(&mut self, op: u8, constant: u16) {
        self.op(op);
        self.out.bytes.u2(constant);
    }
}

const PROBE: &str = "reenact/host/Probe";
const HINTS: &str = "reenact/host/Hints";
const STATICS: &str = "reenact/host/Statics";
const STOP: &str = "reenact/host/Stop";
/// Has the branch probes once more.
const TRACE: &str = "reenact/host/Trace";
const VALUES: &str = "reenact/host/Values";

/// In the order of the opcodes.
const NUMBER_TESTS: [&str; 6] = ["equal", "unequal", "less", "notLess", "greater", "notGreater"];

/// The static methods of the host that inserted code calls; `java/reenact/host` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Step,
    Hit,
    /// By the distance of the opcode from `ifeq`, `if_icmpeq`, `if_acmpeq`, `ifnull`, and again `ifeq`.
    BranchOnZero(u8),
    BranchOnInts(u8),
    BranchOnSame(u8),
    BranchOnNull(u8),
    BranchOnHint(u8),
    CompareLongs,
    CompareFloats {
        nan_is_less: bool,
    },
    CompareDoubles {
        nan_is_less: bool,
    },
    SelectTable,
    SelectLookup,
    Array,
    Array2,
    HintEqual,
    HintIgnoreCase,
    HintPrefix,
    HintSuffix,
    HintPart,
    HintEmpty,
    HintContains,
    HintInstance,
    HintCharacter,
    StaticsUse,
    StaticsDirty,
    StaticsWrite,
    StaticsBegin,
    StaticsEnd,
    Exit,
    ThreadStart,
    VirtualThreadStart,
    TimeZone,
    Bean,
    Finalize,
    Value(ValueKind),
    NoValue,
    ValuesDone,
    /// Of a recorder.
    Crash,
    Made,
    Note,
    Result(ValueKind),
}

impl Call {
    fn is_branch(self) -> bool {
        matches!(
            self,
            Call::BranchOnZero(_)
                | Call::BranchOnInts(_)
                | Call::BranchOnSame(_)
                | Call::BranchOnNull(_)
                | Call::BranchOnHint(_)
                | Call::CompareLongs
                | Call::CompareFloats { .. }
                | Call::CompareDoubles { .. }
                | Call::SelectTable
                | Call::SelectLookup
        )
    }

    fn method(self) -> (&'static str, &'static str, &'static str) {
        const TWO_OBJECTS: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        const TWO_STRINGS: &str = "(Ljava/lang/String;Ljava/lang/String;I)V";
        match self {
            Call::Step => (PROBE, "step", "()V"),
            Call::Hit => (PROBE, "hit", "(I)V"),
            Call::BranchOnZero(condition) => (PROBE, NUMBER_TESTS[usize::from(condition)], "(II)V"),
            Call::BranchOnInts(condition) => (PROBE, NUMBER_TESTS[usize::from(condition)], "(III)V"),
            Call::BranchOnSame(condition) => (PROBE, ["same", "different"][usize::from(condition)], TWO_OBJECTS),
            Call::BranchOnNull(condition) => {
                (PROBE, ["isNull", "isNotNull"][usize::from(condition)], "(Ljava/lang/Object;I)V")
            }
            Call::BranchOnHint(condition) => (PROBE, ["fails", "holds"][usize::from(condition)], "(II)V"),
            Call::CompareLongs => (PROBE, "compare", "(JJI)I"),
            Call::CompareFloats { nan_is_less: true } => (PROBE, "compareNanLess", "(FFI)I"),
            Call::CompareFloats { nan_is_less: false } => (PROBE, "compareNanGreater", "(FFI)I"),
            Call::CompareDoubles { nan_is_less: true } => (PROBE, "compareNanLess", "(DDI)I"),
            Call::CompareDoubles { nan_is_less: false } => (PROBE, "compareNanGreater", "(DDI)I"),
            Call::SelectTable => (PROBE, "selectTable", "(ILjava/lang/String;II)V"),
            Call::SelectLookup => (PROBE, "selectLookup", "(ILjava/lang/String;I)V"),
            Call::Array => (PROBE, "array", "(I)V"),
            Call::Array2 => (PROBE, "array", "(II)V"),
            Call::HintEqual => (HINTS, "equal", TWO_OBJECTS),
            Call::HintIgnoreCase => (HINTS, "ignoreCase", TWO_STRINGS),
            Call::HintPrefix => (HINTS, "prefix", TWO_STRINGS),
            Call::HintSuffix => (HINTS, "suffix", TWO_STRINGS),
            Call::HintPart => (HINTS, "part", TWO_OBJECTS),
            Call::HintEmpty => (HINTS, "empty", "(Ljava/lang/Object;I)V"),
            Call::HintContains => (HINTS, "contains", TWO_OBJECTS),
            Call::HintInstance => (HINTS, "instance", "(Ljava/lang/Object;I)V"),
            Call::HintCharacter => (HINTS, "character", "(III)V"),
            Call::StaticsUse => (STATICS, "use", "(I)V"),
            Call::StaticsDirty => (STATICS, "dirty", "(I)V"),
            Call::StaticsWrite => (STATICS, "write", "(I)V"),
            Call::StaticsBegin => (STATICS, "begin", "(I)V"),
            Call::StaticsEnd => (STATICS, "end", "(I)V"),
            Call::Exit => (STOP, "exit", "(I)V"),
            Call::ThreadStart => (STOP, "threadStart", "()V"),
            Call::VirtualThreadStart => (STOP, "virtualThreadStart", "()V"),
            Call::TimeZone => (STOP, "timeZone", "()V"),
            Call::Bean => (STOP, "bean", "()V"),
            Call::Finalize => (STOP, "finalizing", "()V"),
            Call::Value(ValueKind::Int) => (VALUES, "put", "(II)V"),
            Call::Value(ValueKind::Long) => (VALUES, "put", "(JI)V"),
            Call::Value(ValueKind::Float) => (VALUES, "put", "(FI)V"),
            Call::Value(ValueKind::Double) => (VALUES, "put", "(DI)V"),
            Call::Value(ValueKind::Reference) => (VALUES, "put", "(Ljava/lang/Object;I)V"),
            Call::NoValue => (VALUES, "none", "(I)V"),
            Call::ValuesDone => (VALUES, "done", "(I)V"),
            Call::Crash => (RECORDER, "crash", "(Ljava/lang/Thread;Ljava/lang/Throwable;)V"),
            Call::Made => (RECORDER, "made", "(Ljava/lang/Throwable;)V"),
            Call::Note => (RECORDER, "note", "(I)V"),
            Call::Result(ValueKind::Int) => (RECORDER, "result", "(II)V"),
            Call::Result(ValueKind::Long) => (RECORDER, "result", "(JI)V"),
            Call::Result(ValueKind::Float) => (RECORDER, "result", "(FI)V"),
            Call::Result(ValueKind::Double) => (RECORDER, "result", "(DI)V"),
            Call::Result(ValueKind::Reference) => (RECORDER, "result", "(Ljava/lang/Object;I)V"),
        }
    }
}

/// UTF-16 code units in the class file's modified UTF-8 (JVMS 4.4.7): no zero bytes, surrogates one by one.
pub(super) fn modified_utf8(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let mut out = Vec::new();
    for unit in units {
        match unit {
            1..0x80 => out.push(unit as u8),
            0 | 0x80..0x800 => out.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            _ => out.extend([0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]),
        }
    }
    out
}
