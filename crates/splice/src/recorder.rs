//! What a recorder in the field is told: entries of methods, calls among the application's classes, results of calls. Calls that
//! follow from others are left out: of the calls in a stretch of code without jumps the first is told, and none where the entry of
//! the method was. Entries follow from calls where a method is private: whoever calls it is of the application, too.

use super::SpliceError;
use super::code::Instruction;
use super::insert::Call;
use super::opcodes::*;
use super::plan::ValueKind;
use super::probes::Walk;
use program::{ClassName, MethodRef, Symbol};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The class that spliced code calls. It is in a package of the JDK's core because class loaders that delegate nothing else to their
/// parents delegate that, and because every module reads its module.
pub(super) const CLASS: &str = "java/lang/ReenactRecorder";

/// What a recorder wants to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecorderPlan {
    /// Classes that count as the application.
    pub application: Named,
    /// Entries and calls.
    pub calls: bool,
    /// Methods whose results are recorded, by class in internal form and name, and by descriptor unless that is empty.
    pub results: BTreeSet<(String, String, String)>,
    /// Where jumps lead.
    pub blocks: bool,
    /// Methods, by class in internal form and name, of which everything is told: parameters, what calls and fields give, where jumps
    /// lead.
    pub armed: Arc<BTreeSet<(String, String)>>,
    /// What is put before the ids of entries, calls and results to make a word of the recording.
    pub entry_word: u32,
    pub call_word: u32,
    pub result_word: u32,
    /// What is not told any more, because it happens too often.
    pub quiet: Arc<BTreeSet<RecordedPlace>>,
}

/// A site by its place, whatever id it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedPlace {
    pub method: MethodRef,
    pub bci: u16,
    /// Of the result of the call that is there.
    pub of: RecordedPart,
}

/// What of an instruction is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordedPart {
    Entry,
    Call,
    Result,
    Parameter,
    Block,
}

/// Classes by their names in internal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// What names begin with, or whole names; nothing means every class outside of the JDK.
    pub prefixes: Vec<String>,
    pub names: BTreeSet<String>,
}

impl Named {
    pub fn contains(&self, class: &str) -> bool {
        const JDK: [&str; 8] =
            ["java/", "javax/", "jdk/", "sun/", "com/sun/", "org/w3c/dom/", "org/xml/sax/", "org/ietf/jgss/"];
        if self.prefixes.is_empty() && self.names.is_empty() {
            return !class.starts_with('[') && !JDK.iter().any(|prefix| class.starts_with(prefix));
        }
        self.names.contains(class) || self.prefixes.iter().any(|prefix| class.starts_with(prefix))
    }
}

/// Something that a recorder is told of. A numbering of its own, dense from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedSite {
    pub method: MethodRef,
    pub bci: u16,
    pub kind: RecordedKind,
}

impl RecordedSite {
    pub fn place(&self) -> RecordedPlace {
        RecordedPlace {
            method: self.method,
            bci: self.bci,
            of: match self.kind {
                RecordedKind::Entry => RecordedPart::Entry,
                RecordedKind::Call(_) => RecordedPart::Call,
                RecordedKind::Result(_) => RecordedPart::Result,
                RecordedKind::Parameter => RecordedPart::Parameter,
                RecordedKind::Block => RecordedPart::Block,
            },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedKind {
    Entry,
    /// About to call this.
    Call(MethodRef),
    /// This has returned, or this field was read: a field has its name and its descriptor.
    Result(MethodRef),
    /// What the method was given in the local variable that stands in place of the bytecode index.
    Parameter,
    /// A jump led here, or did not lead elsewhere.
    Block,
}

/// Ids are parts of words.
const MAX_RECORDED: usize = 1 << 26;

/// HotSpot compiles calls of methods up to this size away wherever it can (`MaxInlineSize`). Those that call nothing themselves are
/// mostly accessors, whose calls are told by their callers.
const SMALL: usize = 35;

impl<'a> Walk<'_, 'a> {
    pub(super) fn recorded(&mut self, index: usize) -> Result<(), SpliceError> {
        let Some(plan) = self.plan.recorder.clone() else { return Ok(()) };
        let instruction = self.code.instructions[index];
        if self.code.is_target(instruction.pc) {
            self.is_told = false;
        }
        if index == 0 && plan.calls {
            if self.subject.is_called_by_its_own {
                self.is_told = true;
            } else if self.is_worth_telling(&plan)? {
                self.note(instruction.pc, RecordedKind::Entry, plan.entry_word)?;
                self.is_told = true;
            }
        }
        let is_armed = self.is_armed(&plan);
        if is_armed && index == 0 && !self.code.is_target(0) {
            self.parameters(plan.result_word)?;
        }
        if (is_armed || plan.blocks) && self.is_block(index) {
            self.note(instruction.pc, RecordedKind::Block, plan.call_word)?;
        }
        if is_armed && let Some(field) = self.field(instruction)? {
            self.result(instruction, field, plan.result_word)?;
        }
        if let Some(callee) = self.callee(instruction)? {
            if plan.calls && !self.is_told && plan.application.contains(callee.class.as_internal()) {
                self.note(instruction.pc, RecordedKind::Call(callee), plan.call_word)?;
                self.is_told = true;
            }
            let by_descriptor = |descriptor: &str| {
                let (class, name) = (callee.class.as_internal().to_owned(), callee.name.as_str().to_owned());
                plan.results.contains(&(class, name, descriptor.to_owned()))
            };
            if is_armed || by_descriptor("") || by_descriptor(callee.descriptor.as_str()) {
                self.result(instruction, callee, plan.result_word)?;
            }
        }
        if is_conditional(instruction.op) || is_switch(instruction.op) || matches!(instruction.op, JSR | JSR_W) {
            self.is_told = false;
        }
        Ok(())
    }

    /// The integers that stand in the method's code.
    pub(super) fn constants(&self) -> BTreeSet<i64> {
        let mut constants = BTreeSet::new();
        for instruction in &self.code.instructions {
            let byte = |at: usize| self.code.bytes[instruction.pc + at];
            let constant = match instruction.op {
                ICONST_M1..=ICONST_5 => Some(i64::from(instruction.op) - i64::from(ICONST_0)),
                BIPUSH => Some(i64::from(byte(1).cast_signed())),
                SIPUSH => Some(i64::from(self.code.u2(instruction.pc + 1).cast_signed())),
                LDC => self.insert.pool().integer(u16::from(byte(1))),
                LDC_W | LDC2_W => self.insert.pool().integer(self.code.u2(instruction.pc + 1)),
                op if is_switch(op) => {
                    let cases = self.code.switch(*instruction).cases;
                    constants.extend(cases.into_iter().map(|(key, _)| i64::from(key)));
                    None
                }
                _ => None,
            };
            constants.extend(constant);
        }
        constants
    }

    fn is_armed(&self, plan: &RecorderPlan) -> bool {
        let method = self.subject.method;
        !plan.armed.is_empty()
            && plan.armed.contains(&(method.class.as_internal().to_owned(), method.name.as_str().to_owned()))
    }

    /// Whether a jump leads to the instruction, or one before it did not lead elsewhere.
    fn is_block(&self, index: usize) -> bool {
        let is_behind = index.checked_sub(1).is_some_and(|before| is_conditional(self.code.instructions[before].op));
        is_behind || self.code.is_target(self.code.instructions[index].pc)
    }

    /// What the method was given, but for the receiver, which a constructor must not look at yet.
    fn parameters(&mut self, word: u32) -> Result<(), SpliceError> {
        let mut slot = u16::from(!self.subject.is_static);
        for ty in self.subject.method.signature().params {
            let kind = ValueKind::of_descriptor(ty.descriptor().bytes().next().unwrap_or_default());
            if let Some(word) = self.word(usize::from(slot), RecordedKind::Parameter, word)? {
                self.insert.load(kind, slot);
                self.insert.push_int(word)?;
                self.insert.call(Call::Result(kind), kind.slots() + 1)?;
            }
            slot += kind.slots();
        }
        Ok(())
    }

    /// The field that an instruction reads.
    fn field(&self, instruction: Instruction) -> Result<Option<MethodRef>, SpliceError> {
        if matches!(instruction.op, GETFIELD | GETSTATIC) { self.member(instruction).map(Some) } else { Ok(None) }
    }

    fn is_worth_telling(&self, plan: &RecorderPlan) -> Result<bool, SpliceError> {
        if self.code.bytes.len() > SMALL {
            return Ok(true);
        }
        for instruction in &self.code.instructions {
            let callee = self.callee(*instruction)?;
            if callee.is_some_and(|callee| plan.application.contains(callee.class.as_internal())) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What an instruction calls by name. The constructors of superclasses are called whatever happens.
    fn callee(&self, instruction: Instruction) -> Result<Option<MethodRef>, SpliceError> {
        if !matches!(instruction.op, INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE) {
            return Ok(None);
        }
        self.member(instruction).map(Some)
    }

    fn member(&self, instruction: Instruction) -> Result<MethodRef, SpliceError> {
        let member = self.insert.pool().member(self.code.u2(instruction.pc + 1))?;
        let text = |bytes| String::from_utf8_lossy(bytes);
        Ok(MethodRef {
            class: ClassName::internal(&text(member.owner)),
            name: Symbol::new(&text(member.name)),
            descriptor: Symbol::new(&text(member.descriptor)),
        })
    }

    /// None for what is not told any more.
    fn word(&mut self, pc: usize, kind: RecordedKind, word: u32) -> Result<Option<i32>, SpliceError> {
        if self.ids.recorded().len() >= MAX_RECORDED {
            return Err(SpliceError::TooManyProbes);
        }
        let site = RecordedSite { method: self.subject.method, bci: pc as u16, kind };
        if self.plan.recorder.as_ref().is_some_and(|plan| plan.quiet.contains(&site.place())) {
            return Ok(None);
        }
        Ok(Some((word | self.ids.record(site).0).cast_signed()))
    }

    fn note(&mut self, pc: usize, kind: RecordedKind, word: u32) -> Result<(), SpliceError> {
        let Some(word) = self.word(pc, kind, word)? else { return Ok(()) };
        self.insert.push_int(word)?;
        self.insert.call(Call::Note, 1)
    }

    /// The call, and what takes a copy of its result right behind it: the instruction there may also be jumped to.
    fn result(&mut self, call: Instruction, callee: MethodRef, word: u32) -> Result<(), SpliceError> {
        let descriptor = callee.descriptor.as_str();
        let returned = descriptor.split_once(')').map_or(descriptor, |(_, returned)| returned);
        let Some(returned) = returned.bytes().next().filter(|first| *first != b'V') else { return Ok(()) };
        let kind = ValueKind::of_descriptor(returned);
        let Some(word) = self.word(call.pc, RecordedKind::Result(callee), word)? else { return Ok(()) };
        self.insert.copy(&self.code.bytes[call.pc..call.pc + call.len]);
        self.insert.op(if kind.slots() == 2 { DUP2 } else { DUP });
        self.insert.push_int(word)?;
        self.insert.call(Call::Result(kind), kind.slots() + 1)?;
        self.insert.replace();
        Ok(())
    }
}
