//! What coordinator and worker say to each other besides the batches themselves, over a socket.

use program::{MethodRef, Symbol};
use sandbox::SandboxPolicy;
use serde::{Deserialize, Serialize};
use splice::{Outcome, ProbeIds, ProbeKind, ProbeSite, SplicePlan, ValueProbe, ValueSource};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Changes with every change of what is said, so that two versions of the tool never talk past each other.
pub(super) const PROTOCOL: u32 = 3;

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToWorker {
    Setup(Box<Setup>),
    /// From now on candidates are observed in another way.
    Observe(Box<Observing>),
    /// A batch of so many bytes is in the shared memory.
    Run {
        bytes: u32,
    },
    /// Go on with the batch: there is room for answers again.
    Resume,
}

/// Everything a worker must know before its VM exists.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    pub(super) protocol: u32,
    pub(super) sandbox: Option<SandboxPolicy>,
    /// Where candidates may write; emptied after each.
    pub(super) scratch: PathBuf,
    pub(super) libjvm: PathBuf,
    pub(super) vm_options: Vec<String>,
    pub(super) probes: Probes,
    pub(super) limits: CaseLimits,
    pub(super) manners: Manners,
    /// Classes (binary names) to be loaded and linked before anything else.
    pub(super) link: Vec<String>,
}

/// How a worker goes about its work, whatever is observed. See [`super::WorkerConfig`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manners {
    /// Whether it is found out if an error of the VM has left a class unusable.
    pub(super) keep_if_unharmed: bool,
    /// Whether threads that a candidate starts are waited for, so that what they did by its end does not hang on how fast they were.
    pub(super) repeatable: bool,
}

/// How candidates are observed, as far as that can change while the VM runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Observing {
    pub(super) probes: Probes,
    pub(super) limits: CaseLimits,
}

impl Observing {
    /// Whether a worker that observes in this way can go over to the other: what all classes of the program carry stays as it is.
    pub(super) fn can_become(&self, other: &Observing) -> bool {
        let for_good = |one: &Observing| {
            (one.limits.stack, one.probes.count_entries, one.probes.classes_per_candidate, one.probes.bare)
        };
        for_good(self) == for_good(other)
    }
}

/// Which classes get which probes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probes {
    /// Classes (internal names) whose lines and branches are watched, also of the JDK.
    pub full: std::collections::BTreeSet<String>,
    /// Values to record, by class. Must be in the order of their indices.
    pub values: BTreeMap<String, Vec<ValueSpot>>,
    /// Whether method entries count as steps. Not for stack overflow targets.
    pub count_entries: bool,
    /// Whether what static initialisers do is recorded, for crashes inside them.
    pub record_initialisers: bool,
    /// Whether every candidate gets the program's classes anew, none of them initialised. Static state is then not
    /// watched, and what initialisers do counts like everything else.
    pub classes_per_candidate: bool,
    /// Whether readings are only of the last statement of a candidate.
    pub last_statement_only: bool,
    /// Classes (internal names) whose initialisers fail the second time: what candidates assign to their static fields is put
    /// back instead.
    pub initialised_once: std::collections::BTreeSet<String>,
    /// What candidates show beyond distances.
    pub show: ShowProbes,
    /// No probes in the program at all: to measure what they cost. Nothing is bounded and no state is reset then.
    pub bare: bool,
}

/// What candidates show, as workers know it; nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowProbes {
    /// Outcomes of branches that are kept.
    pub outcomes: u32,
    pub depth: u16,
    pub objects: u16,
    pub bytes: u32,
    pub variables: bool,
    /// Class, name and descriptor of methods.
    pub receivers: std::collections::BTreeSet<(String, String, String)>,
}

/// A [`ValueProbe`] in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueSpot {
    pub name: String,
    pub descriptor: String,
    pub bci: u16,
    pub reads: Vec<ValueSource>,
    /// What is read by way of these, as Java's `Derivation` takes it; empty if nothing is.
    pub derivations: String,
}

impl Probes {
    /// The plan for a class of the program or, if `is_jdk`, of the JDK.
    pub(super) fn plan(&self, class: &str, is_jdk: bool) -> SplicePlan {
        if let Some(guards) = SplicePlan::host_guards(class) {
            return guards;
        }
        if self.bare || is_caller(class) {
            return SplicePlan::default();
        }
        let statics = !self.classes_per_candidate;
        let is_full = self.full.contains(class);
        let base = match (is_jdk, is_full) {
            (true, false) if GROWING.contains(&class) => SplicePlan { arrays: true, ..SplicePlan::default() },
            (true, false) => SplicePlan::default(),
            (true, true) => SplicePlan { lines: true, branches: true, ..SplicePlan::default() },
            (false, true) => SplicePlan { entries: self.count_entries, statics, ..SplicePlan::full() },
            (false, false) => SplicePlan { entries: self.count_entries, statics, ..SplicePlan::lean() },
        };
        let spots = self.values.get(class).map(Vec::as_slice).unwrap_or_default();
        let initialised_once = self.initialised_once.contains(class);
        SplicePlan {
            values: spots.iter().map(ValueSpot::probe).collect(),
            initialised_once,
            ordered: is_full && self.show.outcomes > 0,
            receivers: self.receivers_in(class),
            ..base
        }
    }

    fn receivers_in(&self, class: &str) -> Vec<(Symbol, Symbol)> {
        let methods = self.show.receivers.iter().filter(|(of, ..)| of == class);
        methods.map(|(_, name, descriptor)| (Symbol::new(name), Symbol::new(descriptor))).collect()
    }

    /// The classes (internal names) that have other probes by the new plan.
    pub(super) fn changed(&self, new: &Probes) -> std::collections::BTreeSet<String> {
        let in_one = |probes: &Probes| {
            let receivers = probes.show.receivers.iter().map(|(class, ..)| class);
            probes.full.iter().chain(probes.values.keys()).chain(receivers).cloned().collect::<Vec<_>>()
        };
        let names = in_one(self).into_iter().chain(in_one(new));
        let is_changed = |name: &String| {
            let is_jdk = is_of_jdk(name);
            self.plan(name, is_jdk) != new.plan(name, is_jdk) || self.values.get(name) != new.values.get(name)
        };
        names.filter(is_changed).collect()
    }

    /// Classes of the JDK, besides those that every worker changes, that have a plan.
    pub(super) fn jdk_classes(&self) -> impl Iterator<Item = &str> {
        let observed = self.full.iter().chain(self.values.keys()).map(String::as_str).filter(|class| is_of_jdk(class));
        GROWING.into_iter().chain(observed)
    }
}

/// What calls the program on a candidate's behalf is no part of it.
fn is_caller(class: &str) -> bool {
    let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
    name.starts_with(crate::emit::INVOKER_MARK) || package == recipe::ClassDecl::PACKAGE && name == "Caller"
}

/// By name: the JDK's classes outside its core have a loader like everybody else.
pub(super) fn is_of_jdk(class: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"].iter().any(|prefix| class.starts_with(prefix))
}

/// Classes of the JDK that make arrays as large as their callers say. A random number as a capacity would otherwise
/// end in a heap that is used up, which costs a worker.
const GROWING: [&str; 21] = [
    "java/io/BufferedInputStream",
    "java/io/BufferedOutputStream",
    "java/io/BufferedReader",
    "java/io/BufferedWriter",
    "java/io/ByteArrayOutputStream",
    "java/io/CharArrayWriter",
    "java/lang/AbstractStringBuilder",
    "java/nio/HeapByteBuffer",
    "java/nio/HeapCharBuffer",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/Arrays",
    "java/util/BitSet",
    "java/util/HashMap",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/PriorityQueue",
    "java/util/Vector",
    "java/util/WeakHashMap",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/ConcurrentHashMap",
];

impl ValueSpot {
    fn probe(&self) -> ValueProbe {
        ValueProbe {
            name: Symbol::new(&self.name),
            descriptor: Symbol::new(&self.descriptor),
            bci: self.bci,
            reads: self.reads.clone(),
        }
    }
}

/// When a candidate is stopped from within the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseLimits {
    pub steps: u32,
    pub array_length: u32,
    pub threads: u32,
    /// Processor time. Four times as much may pass while it waits, more while the machine is busy with something else.
    pub milliseconds: u32,
    /// Bytes of the candidate thread's stack.
    pub stack: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum FromWorker {
    Ready(Ready),
    /// The worker cannot go on, and says why.
    Failed {
        error: String,
    },
    /// There are answers in the shared memory. After an interference there will be no more.
    Answered {
        interfered: bool,
        /// Of the candidates' thread.
        cpu_nanos: u64,
        /// Of the threads that ended meanwhile.
        thread_nanos: u64,
        news: News,
    },
}

/// How the worker came up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ready {
    pub protocol: u32,
    /// Whether the sandbox is on, and with which layers.
    pub sandbox: Option<String>,
    pub vm_micros: u64,
    pub total_micros: u64,
    /// The first class that could not be linked, and what the VM threw.
    pub unlinkable: Option<(String, String)>,
}

/// What was instrumented since the last message.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct News {
    /// Probes in the order of their ids, grouped by method.
    pub(super) sites: Vec<MethodSites>,
    /// Classes that could not be spliced, and why.
    pub(super) failures: Vec<(String, String)>,
    /// Classes (internal names) that could not be initialised again.
    pub(super) initialised_once: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MethodSites {
    class: String,
    name: String,
    descriptor: String,
    sites: Vec<Site>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Site(u16, Kind);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    L(u16),
    B,
    O(u16, Vec<i32>, bool),
    V(u16),
    R,
}

/// The sites from the given number on.
pub(super) fn sites_since(ids: &ProbeIds, first: usize) -> Vec<MethodSites> {
    let new = ids.sites().get(first..).unwrap_or_default();
    new.chunk_by(|a, b| a.method == b.method)
        .map(|group| MethodSites {
            class: group[0].method.class.as_internal().to_owned(),
            name: group[0].method.name.as_str().to_owned(),
            descriptor: group[0].method.descriptor.as_str().to_owned(),
            sites: group.iter().map(|site| Site(site.bci, Kind::of(&site.kind))).collect(),
        })
        .collect()
}

impl MethodSites {
    pub(super) fn into_sites(self) -> impl Iterator<Item = ProbeSite> {
        let method = MethodRef::new(&self.class, &self.name, &self.descriptor);
        self.sites.into_iter().map(move |Site(bci, kind)| ProbeSite { method, bci, kind: kind.into_kind() })
    }
}

impl Kind {
    fn of(kind: &ProbeKind) -> Self {
        match kind {
            ProbeKind::Line(line) => Kind::L(*line),
            ProbeKind::Branch => Kind::B,
            ProbeKind::Outcome(outcome) => Kind::O(outcome.target, outcome.keys.clone(), outcome.is_default),
            ProbeKind::Values { index } => Kind::V(*index),
            ProbeKind::Receiver => Kind::R,
        }
    }

    fn into_kind(self) -> ProbeKind {
        match self {
            Kind::L(line) => ProbeKind::Line(line),
            Kind::B => ProbeKind::Branch,
            Kind::O(target, keys, is_default) => ProbeKind::Outcome(Outcome { target, keys, is_default }),
            Kind::V(index) => ProbeKind::Values { index },
            Kind::R => ProbeKind::Receiver,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::messages::{receive, send};
    use splice::ValueKind;

    #[test]
    fn sites_survive_the_wire() {
        let mut ids = ProbeIds::default();
        let (one, two) = (MethodRef::new("a/B", "m", "()V"), MethodRef::new("a/B", "n", "(I)V"));
        let outcome = Outcome { target: 9, keys: vec![-1, 5], is_default: false };
        for (method, bci, kind) in [
            (one, 0, ProbeKind::Line(12)),
            (one, 3, ProbeKind::Branch),
            (two, 4, ProbeKind::Outcome(outcome)),
            (two, 7, ProbeKind::Values { index: 2 }),
            (two, 9, ProbeKind::Receiver),
        ] {
            ids.add(ProbeSite { method, bci, kind });
        }
        let mut bytes = Vec::new();
        send(&mut bytes, &sites_since(&ids, 1)).expect("sent");
        let groups: Vec<MethodSites> = receive(&mut bytes.as_slice()).expect("received");
        assert_eq!(groups.len(), 2);
        let sites: Vec<ProbeSite> = groups.into_iter().flat_map(MethodSites::into_sites).collect();
        assert_eq!(sites, ids.sites()[1..]);
    }

    #[test]
    fn plans_by_class() {
        let mut probes = Probes { count_entries: true, ..Probes::default() };
        probes.full.extend(["a/B".to_owned(), "java/util/ArrayList".to_owned()]);
        let read = vec![ValueSource::Local { slot: 1, kind: ValueKind::Double }];
        let spot =
            ValueSpot { name: "m".into(), descriptor: "()V".into(), bci: 3, reads: read, derivations: String::new() };
        probes.values.insert("a/C".into(), vec![spot]);
        let text = serde_json::to_string(&probes).expect("printed");
        let probes: Probes = serde_json::from_str(&text).expect("read");
        assert_eq!(probes.plan("a/B", false), SplicePlan::full());
        assert_eq!(probes.plan("a/C", false).values.len(), 1);
        assert!(!probes.plan("a/C", false).lines);
        assert!(probes.plan("java/util/List", true).is_empty());
        assert!(!probes.plan("java/util/ArrayList", true).statics);
        assert_eq!(probes.plan("java/lang/Runtime", true).guards.len(), 2);
        assert!(probes.plan("reenact/user/Caller", false).is_empty());
        assert!(!probes.plan("reenact/user", false).is_empty());
    }
}
