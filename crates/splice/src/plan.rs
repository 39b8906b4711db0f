//! What to insert into a class, and what the inserted probes are called afterwards.

use crate::recorder::{RecordedId, RecordedSite, RecorderPlan};
use program::{ClassName, MethodRef, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which probes a class gets. The default is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplicePlan {
    /// A hit counter at the start of each line.
    pub lines: bool,
    /// Before each conditional branch and switch, how far its operands are from each outcome.
    pub branches: bool,
    /// Count loop iterations against the candidate's budget.
    pub loops: bool,
    /// Count method entries against the candidate's budget. Not for stack overflow targets.
    pub entries: bool,
    /// Note which classes' static state is used and changed, and add what is needed to initialise this class again.
    pub statics: bool,
    /// Do not initialise this class again, although its static state is noted.
    pub initialised_once: bool,
    /// Check the size of each array before it is created.
    pub arrays: bool,
    /// Calls at the entry of particular methods.
    pub guards: Vec<EntryGuard>,
    /// At the end of each constructor, the exception that it has made.
    pub exceptions: bool,
    /// Values to record at particular places.
    pub values: Vec<ValueProbe>,
    /// Note the outcomes of branches in the order in which they come about.
    pub ordered: bool,
    /// Methods, by name and descriptor, at whose calls the receivers are recorded.
    pub receivers: Vec<(Symbol, Symbol)>,
    /// What a recorder of the program in the field is told.
    pub recorder: Option<Arc<RecorderPlan>>,
}

impl SplicePlan {
    /// For classes of interest: everything that needs no particular place.
    pub fn full() -> Self {
        SplicePlan { lines: true, branches: true, ..SplicePlan::lean() }
    }

    /// For the rest of the program: only what keeps candidates bounded and independent of each other.
    pub fn lean() -> Self {
        let guards = vec![EntryGuard::new("finalize", "()V", GuardCall::Finalize)];
        SplicePlan { loops: true, entries: true, statics: true, arrays: true, guards, ..SplicePlan::default() }
    }

    /// What the host needs in the JDK's own class of this name: candidates must not end the VM or flood it with
    /// threads, and whether they use the default time zone or register beans is known without asking for it, which takes
    /// long the first time.
    pub fn host_guards(class: &str) -> Option<Self> {
        let guard = EntryGuard::new;
        let guards = match class {
            "java/lang/Runtime" => {
                vec![guard("exit", "(I)V", GuardCall::Exit), guard("halt", "(I)V", GuardCall::Exit)]
            }
            // Since JDK 21 pools start their threads in containers.
            "java/lang/Thread" => vec![
                guard("start", "()V", GuardCall::ThreadStart),
                guard("start", "(Ljdk/internal/vm/ThreadContainer;)V", GuardCall::ThreadStart),
            ],
            "java/util/TimeZone" => vec![
                guard("setDefault", "(Ljava/util/TimeZone;)V", GuardCall::TimeZone),
                guard("setDefaultZone", "()Ljava/util/TimeZone;", GuardCall::TimeZone),
            ],
            "com/sun/jmx/mbeanserver/Repository" => {
                const REGISTER: &str = "(Ljavax/management/DynamicMBean;Ljavax/management/ObjectName;\
                                        Lcom/sun/jmx/mbeanserver/Repository$RegistrationContext;)V";
                vec![guard("addMBean", REGISTER, GuardCall::Bean)]
            }
            "java/lang/VirtualThread" => {
                vec![guard("start", "(Ljdk/internal/vm/ThreadContainer;)V", GuardCall::VirtualThreadStart)]
            }
            _ => return None,
        };
        Some(SplicePlan { guards, ..SplicePlan::default() })
    }

    /// What a recorder needs in the JDK's own class of this name: to be told when an exception has ended a thread.
    pub fn recorder_guards(class: &str) -> Option<Self> {
        let dispatch = EntryGuard::new("dispatchUncaughtException", "(Ljava/lang/Throwable;)V", GuardCall::Crash);
        (class == "java/lang/Thread").then(|| SplicePlan { guards: vec![dispatch], ..SplicePlan::default() })
    }

    pub fn is_empty(&self) -> bool {
        *self == SplicePlan::default()
    }
}

/// A call inserted at the entry of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryGuard {
    pub name: Symbol,
    pub descriptor: Symbol,
    pub call: GuardCall,
}

impl EntryGuard {
    fn new(name: &str, descriptor: &str, call: GuardCall) -> Self {
        EntryGuard { name: Symbol::new(name), descriptor: Symbol::new(descriptor), call }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardCall {
    /// An instance method whose first argument is the exit status: ends the candidate, not the VM.
    Exit,
    /// Ends the candidate when it starts too many threads.
    ThreadStart,
    /// Likewise; nobody can tell afterwards whether such a thread still runs.
    VirtualThreadStart,
    /// The default time zone is found out or set.
    TimeZone,
    /// A bean is registered for management, in a server that all candidates share.
    Bean,
    /// A finalizer runs whenever the VM sees fit, in the middle of some other candidate: the VM's own calls are
    /// ended, those of the program are not.
    Finalize,
    /// An instance method of a thread, with the exception that ended it as its argument.
    Crash,
}

/// Records values just before the instruction at `bci` of one method executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueProbe {
    pub name: Symbol,
    pub descriptor: Symbol,
    pub bci: u16,
    /// At most [`ValueProbe::MAX_READS`].
    pub reads: Vec<ValueSource>,
}

impl ValueProbe {
    /// What spliced code puts into slots of `reenact.host.Values`.
    pub const MAX_READS: usize = 16;
    /// All of its slots: what is read by way of these comes behind them.
    pub const MAX_VALUES: usize = 48;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ValueSource {
    /// An operand of the instruction itself, 0 being the top of the stack; long and double count as one.
    Operand(u8),
    /// A local variable. The caller knows from the method's descriptor or from data flow what it holds.
    Local { slot: u16, kind: ValueKind },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum ValueKind {
    /// boolean, byte, char, short and int.
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl ValueKind {
    pub(super) fn of_descriptor(first: u8) -> Self {
        match first {
            b'J' => ValueKind::Long,
            b'F' => ValueKind::Float,
            b'D' => ValueKind::Double,
            b'L' | b'[' => ValueKind::Reference,
            _ => ValueKind::Int,
        }
    }

    pub(super) fn slots(self) -> u16 {
        if matches!(self, ValueKind::Long | ValueKind::Double) { 2 } else { 1 }
    }

    /// Offset of this kind among the typed variants of load and store opcodes.
    pub(super) fn opcode_offset(self) -> u8 {
        match self {
            ValueKind::Int => 0,
            ValueKind::Long => 1,
            ValueKind::Float => 2,
            ValueKind::Double => 3,
            ValueKind::Reference => 4,
        }
    }
}

/// A probe. Ids are dense from 0, in the order in which classes were spliced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProbeId(pub u32);

/// A class whose static state is tracked. A numbering of its own, dense from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaticsId(pub u32);

/// Where a probe is and what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeSite {
    pub method: MethodRef,
    pub bci: u16,
    pub kind: ProbeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// The start of this line.
    Line(u16),
    /// A conditional branch: distances to taken and not taken.
    Branch,
    /// One outcome of a switch; its outcomes have consecutive ids, the default first.
    Outcome(Outcome),
    /// The [`ValueProbe`] with this index in the plan.
    Values { index: u16 },
    /// The receiver of a call.
    Receiver,
}

/// All cases of a switch that lead to one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub target: u16,
    pub keys: Vec<i32>,
    pub is_default: bool,
}

/// Hands out probe ids and remembers what each is. One per VM, because ids index the arrays of its probe class.
#[derive(Debug, Default)]
pub struct ProbeIds {
    sites: Vec<ProbeSite>,
    statics: Vec<ClassName>,
    statics_ids: FxHashMap<ClassName, StaticsId>,
    recorded: Vec<RecordedSite>,
    constants: Vec<(std::ops::Range<usize>, BTreeSet<i64>)>,
}

/// How many ids there were.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdMark {
    sites: usize,
    recorded: usize,
}

impl ProbeIds {
    /// Branch probes pack the id and a three-bit condition into an `int`.
    pub(super) const MAX: usize = 1 << 28;

    pub fn site(&self, id: ProbeId) -> Option<&ProbeSite> {
        self.sites.get(id.0 as usize)
    }

    pub fn sites(&self) -> &[ProbeSite] {
        &self.sites
    }

    /// The class behind a statics id.
    pub fn statics_class(&self, id: StaticsId) -> Option<ClassName> {
        self.statics.get(id.0 as usize).copied()
    }

    /// The statics id of a class that some spliced code mentions.
    pub fn find_statics(&self, class: ClassName) -> Option<StaticsId> {
        self.statics_ids.get(&class).copied()
    }

    pub(super) fn next(&self) -> ProbeId {
        ProbeId(self.sites.len() as u32)
    }

    pub fn add(&mut self, site: ProbeSite) -> ProbeId {
        let id = self.next();
        self.sites.push(site);
        id
    }

    pub(super) fn mark(&self) -> IdMark {
        IdMark { sites: self.sites.len(), recorded: self.recorded.len() }
    }

    pub(super) fn forget_from(&mut self, mark: IdMark) {
        self.sites.truncate(mark.sites);
        self.recorded.truncate(mark.recorded);
        self.constants.retain(|(ids, _)| ids.end <= mark.recorded);
    }

    /// What a recorder is told of, in the order of the ids.
    pub fn recorded(&self) -> &[RecordedSite] {
        &self.recorded
    }

    /// Integers in the code of a method, with the ids of what is told of it; each is taken once.
    pub fn take_constants(&mut self) -> Vec<(std::ops::Range<usize>, BTreeSet<i64>)> {
        std::mem::take(&mut self.constants)
    }

    /// Of the method whose ids begin here and end with the last one.
    pub(super) fn add_constants(&mut self, first: usize, constants: BTreeSet<i64>) {
        if !constants.is_empty() {
            self.constants.push((first..self.recorded.len(), constants));
        }
    }

    pub(super) fn record(&mut self, site: RecordedSite) -> RecordedId {
        self.recorded.push(site);
        RecordedId(self.recorded.len() as u32 - 1)
    }

    pub(super) fn statics_id(&mut self, class: ClassName) -> StaticsId {
        *self.statics_ids.entry(class).or_insert_with(|| {
            self.statics.push(class);
            StaticsId(self.statics.len() as u32 - 1)
        })
    }
}
