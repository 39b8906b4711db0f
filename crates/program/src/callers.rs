//! Who calls a method, and who makes a lambda of an interface, over the whole class path (not the JDK). An index per unit tells which
//! classes mention a method in their constant pool; only the code of those is read.
//!
//! Layout of the index, little-endian: the number of method records and of lambda records; then for each record the lower half of a
//! hash and the place of the class in its unit, sorted. The hash is of the method as the class names it, or of the functional interface.

use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKind};
use crate::classfile::{
    BootstrapMethod, CallConstant, Class, Constant, HandleMember, Instruction, InvokeOp, MethodHandle, MethodOperand,
    decode_text,
};
use crate::error::Problem;
use crate::names::{ClassName, MethodRef, Type, name_hash};
use crate::program::Program;
use crate::resolve::{FoundMethod, Resolved, Subtype};
use crate::scan::{Learnt, Scanned, Unit};
use crate::sources::{Place, Sources};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

/// A place in the code from where a method may be called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallSite {
    pub caller: MethodRef,
    pub bci: u16,
    /// The method as the instruction names it.
    pub named: MethodRef,
    pub kind: CallKind,
    /// The instruction names another method, which the one asked for overrides: it is called if the receiver's class says so.
    pub by_overriding: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallKind {
    Invoke(InvokeOp),
    /// A lambda or method reference that calls the method is made here, or its method handle is loaded.
    Handle,
}

/// A place in the code that makes a lambda or method reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LambdaSite {
    pub creator: MethodRef,
    pub bci: u16,
    /// The functional interface.
    pub interface: ClassName,
    /// What the lambda runs; `None` if the bootstrap method is not of the usual form.
    pub implementation: Option<MethodOperand>,
}

/// What can stand for an interface.
#[derive(Clone, Debug, Default)]
pub struct Implementors {
    /// Concrete classes below it, sorted.
    pub classes: Vec<ClassName>,
    pub lambdas: Vec<LambdaSite>,
}

impl Program {
    /// Where `method` may be called from, also by way of methods that it overrides; sorted. Reflection is not looked at.
    pub fn callers(&self, method: MethodRef) -> Vec<CallSite> {
        let Some(target) = self.resolve_method(method).found() else { return Vec::new() };
        let target_ref = target.reference();
        let mut query = CallersOf::new(self, target);
        let calls = self.calls();
        let owners = query.possible_owners().into_iter();
        let mut places: Vec<Place> =
            owners.flat_map(|class| calls.methods(MethodRef { class, ..target_ref })).collect();
        places.sort_unstable_by_key(|place| (place.source, place.at));
        places.dedup();
        let sites = places.par_iter().flat_map_iter(|place| {
            let mentions = self.mentions_at(*place);
            let named = mentions.iter().filter(|site| site.names(target_ref)).copied();
            named.collect::<Vec<_>>()
        });
        let sites: Vec<Mention> = sites.collect();
        let mut found: Vec<CallSite> = sites.into_iter().filter_map(|site| query.as_call(site)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where lambdas and method references of the functional interface are made, sorted.
    pub fn lambda_sites(&self, interface: ClassName) -> Vec<LambdaSite> {
        let places = self.calls().lambdas(interface);
        let sites = places.par_iter().filter_map(|place| self.class_at(*place));
        let mut found: Vec<LambdaSite> = sites.flat_map_iter(|class| lambdas_in(&class, interface)).collect();
        found.sort_by_key(|site| (site.creator, site.bci));
        found
    }

    /// Concrete classes below `interface`, and lambdas of it and of interfaces below it.
    pub fn implementors(&self, interface: ClassName) -> Implementors {
        let mut implementors = Implementors { classes: Vec::new(), lambdas: self.lambda_sites(interface) };
        for name in self.subtypes(interface) {
            let Some(class) = self.class(name) else { continue };
            if class.is_interface() {
                implementors.lambdas.extend(self.lambda_sites(name));
            } else if !class.access.is_abstract() {
                implementors.classes.push(name);
            }
        }
        implementors
    }

    /// What the class at a place mentions. Remembered, because whoever asks for callers asks for the callers of these next,
    /// but only so many: on a large class path the first queries would otherwise fill the memory.
    fn mentions_at(&self, place: Place) -> Arc<[Mention]> {
        let known = self.mentions.read().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        if let Some(known) = known {
            return known;
        }
        let found: Arc<[Mention]> = self.class_at(place).iter().flat_map(mentions).collect();
        let mut all = self.mentions.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() < REMEMBERED_CLASSES {
            all.insert(place, found.clone());
        }
        found
    }

    /// The class at a place of the class path, if it is the one of its name. It is not remembered: a query may look at thousands.
    fn class_at(&self, place: Place) -> Option<Class> {
        let bytes = self.sources().read_at(place)?;
        Class::read(&bytes).ok()
    }
}

/// About 10 MB.
const REMEMBERED_CLASSES: usize = 3000;

/// Decides which instructions that name a method can lead to the one that is asked for.
struct CallersOf<'a> {
    program: &'a Program,
    target: FoundMethod,
    /// Classes whose objects may run the method: its own and those below.
    receivers: Vec<ClassName>,
    /// What was decided about names, which come again and again.
    decided: FxHashMap<MethodRef, Leads>,
}

/// Whether a method, as an instruction names it, leads to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    Always,
    /// If the receiver is of the right class.
    ByOverriding,
    Never,
}

impl<'a> CallersOf<'a> {
    fn new(program: &'a Program, target: FoundMethod) -> Self {
        let mut receivers = vec![target.class.name];
        if !target.is_constructor() && !target.access.is_private() {
            receivers.extend(program.subtypes(target.class.name));
        }
        CallersOf { program, target, receivers, decided: FxHashMap::default() }
    }

    /// The classes by which an instruction can name the method or one that it overrides: those that have it, and all above them.
    fn possible_owners(&self) -> BTreeSet<ClassName> {
        let mut owners: BTreeSet<ClassName> = self.receivers.iter().copied().collect();
        // All classes are below `Object`, and none are above.
        if !self.target.access.is_static() && self.target.class.name != ClassName::object() {
            for receiver in &self.receivers {
                let (found, missing) = self.program.supertypes(*receiver);
                owners.extend(found.into_iter().chain(missing));
            }
        }
        owners
    }

    fn as_call(&mut self, site: Mention) -> Option<CallSite> {
        let Mention { caller, bci, named, kind } = site;
        let dispatches = !matches!(kind, CallKind::Invoke(InvokeOp::Special | InvokeOp::Static));
        let by_overriding = match self.leads(named) {
            Leads::Always => false,
            Leads::ByOverriding if dispatches => true,
            Leads::ByOverriding | Leads::Never => return None,
        };
        Some(CallSite { caller, bci, named, kind, by_overriding })
    }

    fn leads(&mut self, named: MethodRef) -> Leads {
        if let Some(known) = self.decided.get(&named) {
            return *known;
        }
        let leads = match self.program.resolve_method(named) {
            Resolved::Found(found) if found.reference() == self.target.reference() => Leads::Always,
            Resolved::Found(_) if self.receivers.iter().any(|receiver| self.runs_on(*receiver, named)) => {
                Leads::ByOverriding
            }
            Resolved::Found(_) | Resolved::Absent => Leads::Never,
            // A missing class leaves it open.
            Resolved::Unknown { .. } => Leads::ByOverriding,
        };
        self.decided.insert(named, leads);
        leads
    }

    /// Whether calling `named` on an object of this class runs the method.
    fn runs_on(&self, receiver: ClassName, named: MethodRef) -> bool {
        self.program.is_subtype(receiver, named.class) == Subtype::Yes
            && self
                .program
                .select_virtual(receiver, named)
                .found()
                .is_some_and(|selected| selected.reference() == self.target.reference())
    }
}

/// The call indexes of all units of the class path.
#[derive(Debug)]
pub(crate) struct CallIndexes {
    units: Vec<CallIndex>,
}

impl CallIndexes {
    pub(crate) fn build(sources: &Sources, cache: &Cache) -> (CallIndexes, Vec<Problem>) {
        let learnt: Vec<_> = sources.list.par_iter().map(|source| CallIndex::of(Unit::from(source), cache)).collect();
        let mut problems = Vec::new();
        let mut units = Vec::new();
        let mut stored = false;
        for (index, learnt) in learnt {
            units.push(index);
            problems.extend(learnt.problems);
            stored |= learnt.stored;
        }
        if stored && let Err(error) = cache.trim() {
            problems.push(Problem::cache_not_written(&error));
        }
        (CallIndexes { units }, problems)
    }

    /// Classes that may mention exactly this method.
    fn methods(&self, method: MethodRef) -> Vec<Place> {
        let (class, name, descriptor) = (method.class.as_internal(), method.name.as_str(), method.descriptor.as_str());
        let hash = method_hash(class.as_bytes(), name.as_bytes(), descriptor.as_bytes(), &mut Vec::new());
        self.places(|unit| unit.methods.find(&unit.body, hash))
    }

    /// Classes that may make lambdas of the interface.
    fn lambdas(&self, interface: ClassName) -> Vec<Place> {
        let hash = name_hash(interface.as_internal().as_bytes()) as u32;
        self.places(|unit| unit.lambdas.find(&unit.body, hash))
    }

    fn places(&self, find: impl Fn(&CallIndex) -> Vec<u32>) -> Vec<Place> {
        let per_unit = (0..).zip(&self.units).map(|(source, unit)| (source, find(unit)));
        per_unit.flat_map(|(source, found)| found.into_iter().map(move |at| Place { source, at })).collect()
    }
}

#[derive(Debug)]
struct CallIndex {
    body: Bytes,
    methods: Records,
    lambdas: Records,
}

/// A sorted section of records.
#[derive(Clone, Copy, Debug)]
struct Records {
    start: usize,
    count: usize,
}

const COUNTS_SIZE: usize = 8;
const RECORD_SIZE: usize = 8;

impl CallIndex {
    fn of(unit: Unit<'_>, cache: &Cache) -> (CallIndex, Learnt) {
        let is_valid = |body: &Bytes| CallIndex::open(body.clone()).is_some();
        let learnt = unit.learn(cache, CacheKind::Calls, is_valid, || {
            let (classes, problems) = unit.scan(|class| calls_of(&class));
            (encode(classes), problems)
        });
        let empty = || CallIndex { body: Bytes::default(), methods: Records::NONE, lambdas: Records::NONE };
        (CallIndex::open(learnt.body.clone()).unwrap_or_else(empty), learnt)
    }

    fn open(body: Bytes) -> Option<CallIndex> {
        let count = |at: usize| body.get(at..)?.first_chunk().copied().map(|raw| u32::from_le_bytes(raw) as usize);
        let methods = Records { start: COUNTS_SIZE, count: count(0)? };
        let lambdas = Records { start: methods.end(), count: count(4)? };
        (lambdas.end() == body.len()).then_some(CallIndex { body, methods, lambdas })
    }
}

impl Records {
    const NONE: Records = Records { start: 0, count: 0 };

    fn end(self) -> usize {
        self.start + self.count * RECORD_SIZE
    }

    /// The places recorded for a hash.
    fn find(self, body: &[u8], hash: u32) -> Vec<u32> {
        let record = |position: usize| {
            let raw = body.get(self.start + position * RECORD_SIZE..)?.first_chunk::<RECORD_SIZE>()?;
            let [h0, h1, h2, h3, p0, p1, p2, p3] = *raw;
            Some((u32::from_le_bytes([h0, h1, h2, h3]), u32::from_le_bytes([p0, p1, p2, p3])))
        };
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if record(middle).is_some_and(|(found, _)| found < hash) { low = middle + 1 } else { high = middle }
        }
        let matching = (low..self.count).map_while(|position| record(position).filter(|(found, _)| *found == hash));
        matching.map(|(_, place)| place).collect()
    }
}

/// The records of one class: hashes of methods, and of functional interfaces, with its place.
type ClassCalls = (Vec<(u32, u32)>, Vec<(u32, u32)>);

fn calls_of(class: &Scanned<'_>) -> ClassCalls {
    let mut methods = Vec::new();
    let mut lambdas = Vec::new();
    let mut buffer = Vec::new();
    for call in class.summary.calls() {
        match call {
            CallConstant::Method { class: owner, name, descriptor } => {
                // Arrays have the methods of `Object`.
                let owner = if owner.starts_with(b"[") { b"java/lang/Object" } else { owner };
                methods.push((method_hash(owner, name, descriptor, &mut buffer), class.at));
            }
            CallConstant::Dynamic { descriptor } => {
                if let Some(interface) = returned_class(descriptor) {
                    lambdas.push((name_hash(decode_text(interface).as_bytes()) as u32, class.at));
                }
            }
        }
    }
    (methods, lambdas)
}

fn returned_class(descriptor: &[u8]) -> Option<&[u8]> {
    let close = descriptor.iter().rposition(|byte| *byte == b')')?;
    descriptor[close + 1..].strip_prefix(b"L")?.strip_suffix(b";")
}

/// `buffer` is only there to be used again.
fn method_hash(class: &[u8], name: &[u8], descriptor: &[u8], buffer: &mut Vec<u8>) -> u32 {
    buffer.clear();
    for part in [class, name, descriptor] {
        buffer.extend_from_slice(decode_text(part).as_bytes());
        buffer.push(0);
    }
    name_hash(buffer) as u32
}

fn encode(classes: Vec<ClassCalls>) -> Vec<u8> {
    let (methods, lambdas): (Vec<_>, Vec<_>) = classes.into_iter().unzip();
    let [methods, lambdas] = [methods, lambdas].map(|lists| {
        let mut records: Vec<(u32, u32)> = lists.concat();
        records.par_sort_unstable();
        records.dedup();
        records
    });
    let mut body = Vec::with_capacity(COUNTS_SIZE + (methods.len() + lambdas.len()) * RECORD_SIZE);
    body.extend_from_slice(&(methods.len() as u32).to_le_bytes());
    body.extend_from_slice(&(lambdas.len() as u32).to_le_bytes());
    for (hash, place) in methods.into_iter().chain(lambdas) {
        body.extend_from_slice(&hash.to_le_bytes());
        body.extend_from_slice(&place.to_le_bytes());
    }
    body
}

/// An instruction that names a method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    caller: MethodRef,
    bci: u16,
    named: MethodRef,
    kind: CallKind,
}

impl Mention {
    fn names(&self, method: MethodRef) -> bool {
        self.named.name == method.name && self.named.descriptor == method.descriptor
    }
}

fn mentions(class: &Class) -> impl Iterator<Item = Mention> + '_ {
    class.methods.iter().flat_map(move |method| {
        let caller = method.reference();
        let instructions = method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
        instructions.flat_map(move |(bci, instruction)| {
            let named = named_methods(&instruction, &class.bootstrap_methods);
            named.into_iter().map(move |(kind, named)| Mention { caller, bci, named, kind })
        })
    })
}

fn named_methods(instruction: &Instruction, bootstrap_methods: &[BootstrapMethod]) -> Vec<(CallKind, MethodRef)> {
    match instruction {
        Instruction::Invoke { op, callee } => vec![(CallKind::Invoke(*op), callee.method)],
        Instruction::Const(Constant::MethodHandle(handle)) => handle_method(handle).into_iter().collect(),
        Instruction::InvokeDynamic { bootstrap, .. } => {
            let arguments = bootstrap_methods.get(usize::from(*bootstrap)).map_or(&[][..], |method| &method.arguments);
            let handles = arguments.iter().filter_map(|argument| match argument {
                Constant::MethodHandle(handle) => handle_method(handle),
                _ => None,
            });
            handles.collect()
        }
        _ => Vec::new(),
    }
}

fn handle_method(handle: &MethodHandle) -> Option<(CallKind, MethodRef)> {
    match handle.member {
        HandleMember::Method(operand) => Some((CallKind::Handle, operand.method)),
        HandleMember::Field(_) => None,
    }
}

fn lambdas_in(class: &Class, interface: ClassName) -> Vec<LambdaSite> {
    let mut sites = Vec::new();
    for method in &class.methods {
        let instructions = method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
        for (bci, instruction) in instructions {
            let Instruction::InvokeDynamic { bootstrap, descriptor, .. } = instruction else { continue };
            let made = crate::names::MethodType::parse(descriptor.as_str()).and_then(|signature| signature.ret);
            if made != Some(Type::Class(interface)) {
                continue;
            }
            let bootstrap = class.bootstrap_methods.get(usize::from(bootstrap));
            let implementation = bootstrap.and_then(implementation_of);
            sites.push(LambdaSite { creator: method.reference(), bci, interface, implementation });
        }
    }
    sites
}

/// The bootstrap methods of `LambdaMetafactory` get the implementation as second argument.
fn implementation_of(bootstrap: &BootstrapMethod) -> Option<MethodOperand> {
    match bootstrap.arguments.get(1)? {
        Constant::MethodHandle(MethodHandle { member: HandleMember::Method(operand), .. }) => Some(*operand),
        _ => None,
    }
}
