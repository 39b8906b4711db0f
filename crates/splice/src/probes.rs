//! Which probes go where in one method. Input is the parsed code and a plan; output the insertions. Nothing here
//! depends on where things end up (see `layout`).

use super::SpliceError;
use super::code::{Code, Instruction, Switch};
use super::insert::{Call, Inserter, Insertions, modified_utf8};
use super::locals::Locals;
use super::opcodes::*;
use super::operands::{Operand, operands};
use super::plan::{
    GuardCall, Outcome, ProbeId, ProbeIds, ProbeKind, ProbeSite, SplicePlan, ValueKind, ValueProbe, ValueSource,
};
use super::pool::Pool;
use super::predicates::{self, Hint};
use super::statics::{self, OwnStatics};
use program::{ClassName, MethodRef};

/// The method being spliced, as its probes see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) class: &'a [u8],
    pub(super) method: MethodRef,
    pub(super) is_static: bool,
    /// Private, and not a body that the compiler has made for others to call.
    pub(super) is_called_by_its_own: bool,
    pub(super) own_statics: Option<OwnStatics>,
    pub(super) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Ordinary,
    StaticInitialiser,
    /// The copy of the static initialiser that is run between candidates.
    InitialiserCopy,
}

/// How much of the plan a method gets; less when its code would grow too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Entry guards and recorded values only.
    Least,
    /// Also what bounds candidates and keeps them apart.
    Lean,
    /// Also branch distances.
    Branches,
    /// The whole plan.
    Everything,
}

/// What was chosen, and which value probes of the plan read something that cannot be read there.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) insertions: Insertions,
    pub(super) unreadable: Vec<u16>,
}

pub(super) fn choose<'a>(
    code: &Code<'a>,
    subject: Subject<'a>,
    plan: &SplicePlan,
    detail: Detail,
    pool: &mut Pool<'a>,
    ids: &mut ProbeIds,
) -> Result<Chosen, SpliceError> {
    let values = plan
        .values
        .iter()
        .enumerate()
        .filter(|(_, probe)| probe.name == subject.method.name && probe.descriptor == subject.method.descriptor)
        .map(|(index, probe)| (index as u16, probe))
        .collect();
    let mut walk = Walk {
        code,
        subject,
        plan,
        detail,
        ids,
        insert: Inserter::new(pool, plan.ordered),
        values,
        next_line: 0,
        announced: None,
        unreadable: Vec::new(),
        is_told: false,
    };
    let first = walk.ids.recorded().len();
    for index in 0..code.instructions.len() {
        walk.instruction(index)?;
        walk.insert.next_instruction();
    }
    if walk.ids.recorded().len() > first {
        let constants = walk.constants();
        walk.ids.add_constants(first, constants);
    }
    Ok(Chosen { insertions: walk.insert.finish(), unreadable: walk.unreadable })
}

pub(super) struct Walk<'w, 'a> {
    pub(super) code: &'w Code<'a>,
    pub(super) subject: Subject<'a>,
    pub(super) plan: &'w SplicePlan,
    detail: Detail,
    pub(super) ids: &'w mut ProbeIds,
    pub(super) insert: Inserter<'w, 'a>,
    values: Vec<(u16, &'w ValueProbe)>,
    next_line: usize,
    /// What the instruction before an `if` has already done for it.
    announced: Option<Announced>,
    unreadable: Vec<u16>,
    /// Once a call of this stretch of code was told, the others follow from it.
    pub(super) is_told: bool,
}

#[derive(Clone, Copy)]
enum Announced {
    /// A predicate's arguments were measured under this id.
    Hint(ProbeId),
    /// The comparison has recorded the branch.
    Recorded,
}

impl<'a> Walk<'_, 'a> {
    fn instruction(&mut self, index: usize) -> Result<(), SpliceError> {
        let instruction = self.code.instructions[index];
        if index == 0 {
            self.entry()?;
        }
        self.line(instruction.pc)?;
        self.values(instruction)?;
        self.receiver(instruction)?;
        if self.plan.exceptions && instruction.op == RETURN && self.subject.method.is_constructor() {
            self.insert.load(ValueKind::Reference, 0);
            self.insert.call(Call::Made, 1)?;
        }
        if self.detail < Detail::Lean {
            return Ok(());
        }
        self.recorded(index)?;
        let announced = self.announced.take();
        match instruction.op {
            GETSTATIC | PUTSTATIC => self.static_access(instruction)?,
            RETURN => self.initialiser_end()?,
            NEWARRAY | ANEWARRAY | MULTIANEWARRAY => self.array(instruction)?,
            LCMP..=DCMPG => self.comparison(index)?,
            INVOKEVIRTUAL | INVOKESTATIC | INVOKEINTERFACE | INSTANCEOF => self.predicate(index)?,
            op if is_conditional(op) || matches!(op, GOTO | GOTO_W) => {
                self.back_edge(instruction)?;
                self.branch(instruction, announced)?;
            }
            op if is_switch(op) => self.switch(instruction)?,
            _ => {}
        }
        Ok(())
    }

    fn wants_branches(&self) -> bool {
        self.plan.branches && self.detail >= Detail::Branches && self.subject.role != Role::InitialiserCopy
    }

    fn entry(&mut self) -> Result<(), SpliceError> {
        let method = self.subject.method;
        for guard in &self.plan.guards {
            if guard.name == method.name && guard.descriptor == method.descriptor {
                match guard.call {
                    GuardCall::Exit => {
                        self.insert.op(ILOAD_1);
                        self.insert.call(Call::Exit, 1)?;
                    }
                    GuardCall::ThreadStart => self.insert.call(Call::ThreadStart, 0)?,
                    GuardCall::VirtualThreadStart => self.insert.call(Call::VirtualThreadStart, 0)?,
                    GuardCall::TimeZone => self.insert.call(Call::TimeZone, 0)?,
                    GuardCall::Bean => self.insert.call(Call::Bean, 0)?,
                    GuardCall::Finalize => self.insert.call(Call::Finalize, 0)?,
                    GuardCall::Crash => {
                        self.insert.load(ValueKind::Reference, 0);
                        self.insert.load(ValueKind::Reference, 1);
                        self.insert.call(Call::Crash, 2)?;
                    }
                }
            }
        }
        if self.detail < Detail::Lean {
            return Ok(());
        }
        if let Some(own) = self.subject.own_statics {
            match self.subject.role {
                Role::StaticInitialiser => self.statics_call(Call::StaticsBegin, own.id.0)?,
                // An instance method needs an instance, whose constructor has come through here.
                Role::Ordinary if own.resets && (self.subject.is_static || method.is_constructor()) => {
                    self.statics_call(Call::StaticsUse, own.id.0)?;
                }
                _ => {}
            }
        }
        if self.plan.entries {
            self.insert.call(Call::Step, 0)?;
        }
        Ok(())
    }

    fn line(&mut self, pc: usize) -> Result<(), SpliceError> {
        // Line starts inside an instruction are legal and useless.
        while self.code.lines.get(self.next_line).is_some_and(|start| usize::from(start.pc) < pc) {
            self.next_line += 1;
        }
        let wanted = self.plan.lines && self.detail >= Detail::Everything && self.subject.role != Role::InitialiserCopy;
        match self.code.lines.get(self.next_line) {
            Some(start) if wanted && usize::from(start.pc) == pc => {
                let id = self.new_id(pc, ProbeKind::Line(start.line))?;
                self.insert.push_int(id.0 as i32)?;
                self.insert.call(Call::Hit, 1)
            }
            _ => Ok(()),
        }
    }

    fn new_id(&mut self, pc: usize, kind: ProbeKind) -> Result<ProbeId, SpliceError> {
        if self.ids.sites().len() >= ProbeIds::MAX {
            return Err(SpliceError::TooManyProbes);
        }
        Ok(self.ids.add(ProbeSite { method: self.subject.method, bci: pc as u16, kind }))
    }

    // Static state.

    fn statics_call(&mut self, call: Call, id: u32) -> Result<(), SpliceError> {
        self.insert.push_int(id as i32)?;
        self.insert.call(call, 1)
    }

    fn static_access(&mut self, instruction: Instruction) -> Result<(), SpliceError> {
        if !self.plan.statics {
            return Ok(());
        }
        let field = self.insert.pool().member(self.code.u2(instruction.pc + 1))?;
        let is_own = field.owner == self.subject.class;
        let initialises_itself = is_own && self.subject.role != Role::Ordinary;
        if initialises_itself || !statics::is_tracked(field.owner) {
            return Ok(());
        }
        let call = match instruction.op {
            PUTSTATIC => Call::StaticsWrite,
            _ if !statics::is_constant_static(field.name, field.descriptor) => Call::StaticsDirty,
            // Whoever runs code of this class has used it already.
            _ if is_own => return Ok(()),
            _ => Call::StaticsUse,
        };
        let owner = ClassName::internal(&String::from_utf8_lossy(field.owner));
        let id = self.ids.statics_id(owner);
        self.statics_call(call, id.0)
    }

    fn initialiser_end(&mut self) -> Result<(), SpliceError> {
        match self.subject.own_statics {
            Some(own) if self.subject.role == Role::StaticInitialiser => self.statics_call(Call::StaticsEnd, own.id.0),
            _ => Ok(()),
        }
    }

    // Bounds.

    fn array(&mut self, instruction: Instruction) -> Result<(), SpliceError> {
        if !self.plan.arrays {
            return Ok(());
        }
        // Of more than two dimensions the inner two are looked at: no instruction copies three operands.
        if instruction.op == MULTIANEWARRAY && self.code.bytes[instruction.pc + 3] > 1 {
            self.insert.op(DUP2);
            self.insert.call(Call::Array2, 2)
        } else {
            self.insert.op(DUP);
            self.insert.call(Call::Array, 1)
        }
    }

    fn back_edge(&mut self, jump: Instruction) -> Result<(), SpliceError> {
        if self.plan.loops && self.code.jump_target(jump) <= jump.pc {
            self.insert.call(Call::Step, 0)?;
        }
        Ok(())
    }

    // Branch distances.

    fn branch(&mut self, branch: Instruction, announced: Option<Announced>) -> Result<(), SpliceError> {
        if !self.wants_branches() || !is_conditional(branch.op) {
            return Ok(());
        }
        let (call, copy) = match (branch.op, announced) {
            (_, Some(Announced::Recorded)) => return Ok(()),
            (op @ (IFEQ | IFNE), Some(Announced::Hint(_))) => (Call::BranchOnHint(op - IFEQ), DUP),
            (op @ IFEQ..=IFLE, _) => (Call::BranchOnZero(op - IFEQ), DUP),
            (op @ IF_ICMPEQ..=IF_ICMPLE, _) => (Call::BranchOnInts(op - IF_ICMPEQ), DUP2),
            (op @ (IF_ACMPEQ | IF_ACMPNE), _) => (Call::BranchOnSame(op - IF_ACMPEQ), DUP2),
            (op, _) => (Call::BranchOnNull(op - IFNULL), DUP),
        };
        let id = match announced {
            Some(Announced::Hint(id)) => id,
            _ => self.new_id(branch.pc, ProbeKind::Branch)?,
        };
        self.insert.op(copy);
        self.insert.push_int(place(id))?;
        self.insert.call(call, if copy == DUP { 2 } else { 3 })
    }

    /// `lcmp` and its like followed by an `if`: one call compares and records the branch, because no instruction copies
    /// two wide operands.
    fn comparison(&mut self, index: usize) -> Result<(), SpliceError> {
        let Some(branch) = self.branch_on_result(index, IFEQ..=IFLE) else { return Ok(()) };
        if self.code.is_target(branch.pc) {
            return Ok(());
        }
        let call = match self.code.instructions[index].op {
            LCMP => Call::CompareLongs,
            op @ (FCMPL | FCMPG) => Call::CompareFloats { nan_is_less: op == FCMPL },
            op => Call::CompareDoubles { nan_is_less: op == DCMPL },
        };
        let id = self.new_id(branch.pc, ProbeKind::Branch)?;
        self.insert.push_int(packed(id, branch.op - IFEQ))?;
        self.insert.call(call, 1)?;
        self.insert.replace();
        self.announced = Some(Announced::Recorded);
        Ok(())
    }

    fn predicate(&mut self, index: usize) -> Result<(), SpliceError> {
        let Some(branch) = self.branch_on_result(index, IFEQ..=IFNE) else { return Ok(()) };
        let instruction = self.code.instructions[index];
        let hint = if instruction.op == INSTANCEOF {
            Some(Hint { call: Call::HintInstance, operands: 1, kind: None })
        } else {
            predicates::hint(instruction.op, self.insert.pool().member(self.code.u2(instruction.pc + 1))?)
        };
        let Some(hint) = hint else { return Ok(()) };
        let id = self.new_id(branch.pc, ProbeKind::Branch)?;
        self.insert.op(if hint.operands == 1 { DUP } else { DUP2 });
        let mut stack = u16::from(hint.operands);
        for constant in hint.kind.into_iter().chain([id.0 as i32]) {
            self.insert.push_int(constant)?;
            stack += 1;
        }
        self.insert.call(hint.call, stack)?;
        self.announced = Some(Announced::Hint(id));
        Ok(())
    }

    /// The `if` right behind this instruction, when branches are wanted and it is one of these.
    fn branch_on_result(&self, index: usize, ops: std::ops::RangeInclusive<u8>) -> Option<Instruction> {
        let next = self.code.instructions.get(index + 1)?;
        (self.wants_branches() && ops.contains(&next.op)).then_some(*next)
    }

    fn switch(&mut self, instruction: Instruction) -> Result<(), SpliceError> {
        let switch = self.code.switch(instruction);
        if self.plan.loops && switch.targets().any(|target| target <= instruction.pc) {
            self.insert.call(Call::Step, 0)?;
        }
        if !self.wants_branches() {
            return Ok(());
        }
        let outcomes = switch.outcomes();
        let index_of = |target: usize| {
            // Every target of the switch is among its outcomes.
            outcomes.iter().position(|outcome| usize::from(outcome.target) == target).unwrap_or(0) as u16
        };
        let is_table = instruction.op == TABLESWITCH;
        let encoded = modified_utf8(switch.cases.iter().flat_map(|(key, target)| {
            let key = key.cast_unsigned();
            let units = [(key >> 16) as u16, key as u16, index_of(*target)];
            units.into_iter().skip(if is_table { 2 } else { 0 })
        }));
        if encoded.len() > usize::from(u16::MAX) {
            return Ok(());
        }
        let first = self.ids.next();
        for outcome in outcomes {
            self.new_id(instruction.pc, ProbeKind::Outcome(outcome))?;
        }
        self.insert.op(DUP);
        self.insert.push_string(&encoded)?;
        if is_table {
            self.insert.push_int(switch.cases.first().map_or(0, |(low, _)| *low))?;
        }
        self.insert.push_int(first.0 as i32)?;
        if is_table { self.insert.call(Call::SelectTable, 4) } else { self.insert.call(Call::SelectLookup, 3) }
    }

    // Recorded values.

    fn values(&mut self, instruction: Instruction) -> Result<(), SpliceError> {
        for (index, probe) in self.values.clone() {
            if usize::from(probe.bci) == instruction.pc
                && !self.value_probe(instruction, ProbeKind::Values { index }, probe)?
            {
                self.unreadable.push(index);
            }
        }
        Ok(())
    }

    /// What a call is made on lies below its arguments.
    fn receiver(&mut self, instruction: Instruction) -> Result<(), SpliceError> {
        let method = self.subject.method;
        if !matches!(instruction.op, INVOKEVIRTUAL | INVOKEINTERFACE)
            || !self.plan.receivers.contains(&(method.name, method.descriptor))
        {
            return Ok(());
        }
        let Some(operands) = operands(self.code, instruction, self.insert.pool())? else { return Ok(()) };
        let Some(depth) = operands.len().checked_sub(1).and_then(|depth| u8::try_from(depth).ok()) else {
            return Ok(());
        };
        let reads = vec![ValueSource::Operand(depth)];
        let (name, descriptor) = (method.name, method.descriptor);
        let probe = ValueProbe { name, descriptor, bci: instruction.pc as u16, reads };
        self.value_probe(instruction, ProbeKind::Receiver, &probe).map(|_| ())
    }

    /// Operands above the deepest one wanted are moved into new local variables and put back afterwards, unless
    /// copying two operands at once does. The deepest one always stays on the stack: the message of a null pointer
    /// exception describes the dereferenced object by the instruction it came from, and that must not become one of
    /// ours.
    ///
    /// Says whether it can be honoured.
    fn value_probe(
        &mut self,
        instruction: Instruction,
        kind: ProbeKind,
        probe: &ValueProbe,
    ) -> Result<bool, SpliceError> {
        let Some(wanted) = self.operands_wanted(instruction, probe)? else { return Ok(false) };
        let id = self.new_id(instruction.pc, kind)?;
        let above = wanted.split_last().map_or(&[][..], |(_, above)| above);
        let copies_two = wanted.len() == 2 && wanted.iter().all(|kind| kind.slots() == 1);
        let homes = if copies_two { Vec::new() } else { self.spill(above)? };
        let locals = Locals::before(instruction.pc, self.code, self.subject, self.insert.pool())?;
        for (position, read) in probe.reads.iter().enumerate() {
            let kind = match *read {
                ValueSource::Local { slot, kind } if locals.as_ref().is_some_and(|all| !all.has(slot, kind)) => {
                    self.insert.push_int(position as i32)?;
                    self.insert.call(Call::NoValue, 1)?;
                    continue;
                }
                ValueSource::Local { slot, kind } => self.load_back((kind, slot)),
                ValueSource::Operand(depth) => match homes.get(usize::from(depth)) {
                    Some(home) => self.load_back(*home),
                    None => {
                        let kind = wanted[usize::from(depth)];
                        let below_another = copies_two && depth == 1;
                        self.insert.op(if kind.slots() == 2 || below_another { DUP2 } else { DUP });
                        if below_another {
                            self.insert.op(POP);
                        }
                        kind
                    }
                },
            };
            self.insert.push_int(position as i32)?;
            self.insert.call(Call::Value(kind), 3)?;
        }
        self.insert.push_int(id.0 as i32)?;
        self.insert.call(Call::ValuesDone, 1)?;
        for home in homes.into_iter().rev() {
            self.load_back(home);
        }
        Ok(true)
    }

    /// Moves operands into new local variables, the topmost first.
    fn spill(&mut self, kinds: &[ValueKind]) -> Result<Vec<(ValueKind, u16)>, SpliceError> {
        let mut slot = self.code.max_locals;
        let mut homes = Vec::with_capacity(kinds.len());
        for kind in kinds {
            self.insert.store(*kind, slot);
            homes.push((*kind, slot));
            slot = slot.checked_add(kind.slots()).ok_or(SpliceError::TooManyLocals)?;
        }
        self.insert.needs_locals(slot - self.code.max_locals);
        Ok(homes)
    }

    fn load_back(&mut self, (kind, slot): (ValueKind, u16)) -> ValueKind {
        self.insert.load(kind, slot);
        kind
    }

    /// Kinds of the operands from the top down to the deepest one wanted; `None` if the probe cannot be honoured.
    fn operands_wanted(
        &self,
        instruction: Instruction,
        probe: &ValueProbe,
    ) -> Result<Option<Vec<ValueKind>>, SpliceError> {
        let depths = probe.reads.iter().filter_map(|read| match read {
            ValueSource::Operand(depth) => Some(usize::from(*depth) + 1),
            ValueSource::Local { .. } => None,
        });
        let count = depths.max().unwrap_or(0);
        let locals_exist = probe.reads.iter().all(|read| match read {
            ValueSource::Operand(_) => true,
            ValueSource::Local { slot, kind } => {
                u32::from(*slot) + u32::from(kind.slots()) <= u32::from(self.code.max_locals)
            }
        });
        if !locals_exist || probe.reads.len() > ValueProbe::MAX_READS {
            return Ok(None);
        }
        if count == 0 {
            return Ok(Some(Vec::new()));
        }
        let Some(operands) = operands(self.code, instruction, self.insert.pool())? else { return Ok(None) };
        if count > operands.len() {
            return Ok(None);
        }
        let kinds = operands.iter().rev().take(count).map(|operand| match operand {
            Operand::Value(kind) => Some(*kind),
            Operand::Uninitialised => None,
        });
        Ok(kinds.collect())
    }
}

/// Where `Probe` keeps the two distances of a branch.
fn place(id: ProbeId) -> i32 {
    (id.0 << 1).cast_signed()
}

fn packed(id: ProbeId, condition: u8) -> i32 {
    // `ProbeIds::MAX` leaves three bits.
    (id.0 << 3 | u32::from(condition)).cast_signed()
}

impl Switch {
    fn targets(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.default).chain(self.cases.iter().map(|(_, target)| *target))
    }

    /// The distinct targets, the default first, then by first appearance.
    fn outcomes(&self) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        for target in self.targets() {
            known.entry(target).or_insert_with(|| {
                outcomes.push(Outcome { target: target as u16, keys: Vec::new(), is_default: outcomes.is_empty() });
                outcomes.len() - 1
            });
        }
        for (key, target) in &self.cases {
            outcomes[known[target]].keys.push(*key);
        }
        outcomes
    }
}
