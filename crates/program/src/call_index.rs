//! The call sites of one unit: which method names which, where and how, and where lambdas are made. Exact, and used in place from the
//! disk or from memory, so that no class is read to answer a question. [`crate::callers`] joins the indexes of a program.
//!
//! Layout, little-endian: the seven counts (texts, callers, targets, sites, interfaces, lambdas, bytes of text), then the sections:
//! - texts, 4 bytes each: where the text ends;
//! - callers, 16: place of the class, its name, name and descriptor of the method;
//! - targets, 20: hash of name and descriptor, class, name, descriptor, where its sites end; sorted by hash;
//! - sites, 8: caller, bytecode index, kind;
//! - interfaces, 12: hash, name, where its lambdas end; sorted by hash;
//! - lambdas, 24: caller, bytecode index, flags, class, name and descriptor of what runs, array type;
//! - the text.
//!
//! Sections refer to each other by position.

use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKind};
use crate::classfile::{InvokeOp, RawCall, RawCaller, RawMethod, decode_text};
use crate::names::name_hash;
use crate::scan::{Learnt, Scanned, Unit, on_own_threads};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The index of one unit.
#[derive(Debug, Default)]
pub(crate) struct CallIndex {
    body: Bytes,
    sections: [Section; SECTIONS],
}

/// A section of records of the same size.
#[derive(Clone, Copy, Debug, Default)]
struct Section {
    start: usize,
    count: usize,
}

/// A method that the unit's code names.
#[derive(Clone, Debug)]
pub(crate) struct Target<'a> {
    /// Arrays have the methods of `Object`.
    pub(crate) class: &'a str,
    pub(crate) name: &'a str,
    pub(crate) descriptor: &'a str,
    sites: Range<u32>,
}

/// A method that has calls in its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller<'a> {
    /// The place of its class in the unit.
    pub(crate) at: u32,
    pub(crate) class: &'a str,
    pub(crate) name: &'a str,
    pub(crate) descriptor: &'a str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// To be given to [`CallIndex::caller`]; those of one class follow each other.
    pub(crate) caller: u32,
    pub(crate) bci: u16,
    pub(crate) kind: SiteKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SiteKind {
    Invoke(InvokeOp),
    Handle,
}

/// A place that makes a lambda.
#[derive(Clone, Debug)]
pub(crate) struct Lambda<'a> {
    pub(crate) caller: u32,
    pub(crate) bci: u16,
    pub(crate) implementation: Option<Implementation<'a>>,
}

/// The method that a lambda runs.
#[derive(Clone, Debug)]
pub(crate) struct Implementation<'a> {
    pub(crate) class: &'a str,
    pub(crate) name: &'a str,
    pub(crate) descriptor: &'a str,
    pub(crate) interface: bool,
    /// The array type, where it is a method of one.
    pub(crate) array: Option<&'a str>,
}

const SECTIONS: usize = 7;
const TEXTS: usize = 0;
const CALLERS: usize = 1;
const TARGETS: usize = 2;
const SITES: usize = 3;
const INTERFACES: usize = 4;
const LAMBDAS: usize = 5;
const TEXT: usize = 6;
const SIZES: [usize; SECTIONS] = [4, 16, 20, 8, 12, 24, 1];
const COUNTS_SIZE: usize = 4 * SECTIONS;
const NONE: u32 = u32::MAX;
const HAS_IMPLEMENTATION: u16 = 1;
const ON_INTERFACE: u16 = 2;
const KINDS: [SiteKind; 5] = [
    SiteKind::Invoke(InvokeOp::Virtual),
    SiteKind::Invoke(InvokeOp::Special),
    SiteKind::Invoke(InvokeOp::Static),
    SiteKind::Invoke(InvokeOp::Interface),
    SiteKind::Handle,
];
const OBJECT: &[u8] = b"java/lang/Object";

impl CallIndex {
    /// Loads the index of the unit, or makes it.
    pub(crate) fn of(unit: Unit<'_>, cache: &Cache) -> (CallIndex, Learnt) {
        let is_valid = |body: &Bytes| CallIndex::open(body.clone()).is_some();
        let learnt = unit.learn(cache, CacheKind::Calls, is_valid, || {
            let (classes, problems) = on_own_threads(|| unit.scan(|scanned| ClassCalls::new(&scanned)));
            let mut builder = Builder::default();
            classes.iter().for_each(|class| builder.add(class));
            (builder.finish(), problems)
        });
        // Both ways above give a valid body; the empty index is for a builder that is wrong.
        (CallIndex::open(learnt.body.clone()).unwrap_or_default(), learnt)
    }

    fn open(body: Bytes) -> Option<CallIndex> {
        let mut sections = [Section::default(); SECTIONS];
        let mut start = COUNTS_SIZE;
        for (position, section) in sections.iter_mut().enumerate() {
            let count = u32_at(&body, 4 * position)? as usize;
            *section = Section { start, count };
            start = start.checked_add(count.checked_mul(SIZES[position])?)?;
        }
        (start == body.len()).then_some(CallIndex { body, sections })
    }

    /// The methods of this name and descriptor that are named, each under every class that it is named by.
    pub(crate) fn targets<'a>(&'a self, name: &'a str, descriptor: &'a str) -> impl Iterator<Item = Target<'a>> {
        let all = self.with_hash(TARGETS, member_hash(name, descriptor)).map_while(|at| self.target(at));
        all.filter(move |target| target.name == name && target.descriptor == descriptor)
    }

    /// All classes whose methods are named, and how many of their methods are.
    pub(crate) fn named_classes(&self) -> impl Iterator<Item = (&str, usize)> {
        let mut classes: Vec<u32> =
            (0..self.sections[TARGETS].count).map_while(|at| self.field(TARGETS, at, 1)).collect();
        classes.sort_unstable();
        let mut counted: Vec<(u32, usize)> = Vec::new();
        for same in classes.chunk_by(|a, b| a == b) {
            counted.push((same[0], same.len()));
        }
        counted.into_iter().filter_map(|(class, methods)| Some((self.text(class)?, methods)))
    }

    pub(crate) fn sites(&self, target: &Target<'_>) -> impl Iterator<Item = Site> {
        target.sites.clone().map_while(|at| {
            let last = self.field(SITES, at as usize, 1)?;
            let kind = *KINDS.get((last >> 16) as usize)?;
            Some(Site { caller: self.field(SITES, at as usize, 0)?, bci: last as u16, kind })
        })
    }

    pub(crate) fn lambdas<'a>(&'a self, interface: &'a str) -> impl Iterator<Item = Lambda<'a>> {
        let hash = name_hash(interface.as_bytes()) as u32;
        let own = self.with_hash(INTERFACES, hash);
        let own = own.filter(move |at| self.field(INTERFACES, *at, 1).and_then(|id| self.text(id)) == Some(interface));
        let ranges = own.filter_map(|at| self.range(INTERFACES, at, 2));
        ranges.flatten().map_while(|at| self.lambda(at as usize))
    }

    pub(crate) fn caller(&self, position: u32) -> Option<Caller<'_>> {
        let text = |field| self.text(self.field(CALLERS, position as usize, field)?);
        let at = self.field(CALLERS, position as usize, 0)?;
        Some(Caller { at, class: text(1)?, name: text(2)?, descriptor: text(3)? })
    }

    fn target(&self, at: usize) -> Option<Target<'_>> {
        let text = |field| self.text(self.field(TARGETS, at, field)?);
        Some(Target { class: text(1)?, name: text(2)?, descriptor: text(3)?, sites: self.range(TARGETS, at, 4)? })
    }

    fn lambda(&self, at: usize) -> Option<Lambda<'_>> {
        let text = |field| self.text(self.field(LAMBDAS, at, field)?);
        let place = self.field(LAMBDAS, at, 1)?;
        let flags = (place >> 16) as u16;
        let implementation = if flags & HAS_IMPLEMENTATION == 0 {
            None
        } else {
            let interface = flags & ON_INTERFACE != 0;
            Some(Implementation { class: text(2)?, name: text(3)?, descriptor: text(4)?, interface, array: text(5) })
        };
        Some(Lambda { caller: self.field(LAMBDAS, at, 0)?, bci: place as u16, implementation })
    }

    /// From where the record before ends to where this one does.
    fn range(&self, section: usize, at: usize, field: usize) -> Option<Range<u32>> {
        let start = if at == 0 { 0 } else { self.field(section, at - 1, field)? };
        Some(start..self.field(section, at, field)?)
    }

    /// Positions of the records whose first field is the hash.
    fn with_hash(&self, section: usize, hash: u32) -> impl Iterator<Item = usize> {
        let first = |at: usize| self.field(section, at, 0);
        let (mut low, mut high) = (0, self.sections[section].count);
        while low < high {
            let middle = low.midpoint(high);
            if first(middle).is_some_and(|found| found < hash) { low = middle + 1 } else { high = middle }
        }
        (low..self.sections[section].count).take_while(move |at| self.field(section, *at, 0) == Some(hash))
    }

    fn text(&self, id: u32) -> Option<&str> {
        let Range { start, end } = self.range(TEXTS, id as usize, 0)?;
        let base = self.sections[TEXT].start;
        std::str::from_utf8(self.body.get(base + start as usize..base + end as usize)?).ok()
    }

    fn field(&self, section: usize, at: usize, field: usize) -> Option<u32> {
        let Section { start, count } = self.sections[section];
        if at < count { u32_at(&self.body, start + at * SIZES[section] + 4 * field) } else { None }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

fn member_hash(name: &str, descriptor: &str) -> u32 {
    (name_hash(name.as_bytes()).rotate_left(1) ^ name_hash(descriptor.as_bytes())) as u32
}

/// What a scan keeps of a class until all are there. Texts are numbered within the class.
struct ClassCalls {
    at: u32,
    name: u32,
    texts: Vec<Box<[u8]>>,
    /// Class, name and descriptor.
    targets: Vec<[u32; 3]>,
    /// Name and descriptor.
    callers: Vec<[u32; 2]>,
    /// Target, caller, bytecode index, kind.
    sites: Vec<(u32, u32, u16, u8)>,
    lambdas: Vec<ClassLambda>,
}

struct ClassLambda {
    interface: u32,
    caller: u32,
    bci: u16,
    flags: u16,
    /// Class, name, descriptor and array type.
    implementation: [u32; 4],
}

impl ClassCalls {
    fn new(scanned: &Scanned<'_>) -> ClassCalls {
        let mut reader = ClassReader {
            texts: FxHashMap::default(),
            targets: FxHashMap::default(),
            last: None,
            calls: ClassCalls {
                at: scanned.at,
                name: 0,
                texts: Vec::new(),
                targets: Vec::new(),
                callers: Vec::new(),
                sites: Vec::new(),
                lambdas: Vec::new(),
            },
        };
        reader.calls.name = reader.text(scanned.summary.name);
        scanned.summary.visit_calls(|caller, bci, call| reader.call(caller, bci, call));
        reader.calls
    }
}

struct ClassReader<'a> {
    texts: FxHashMap<&'a [u8], u32>,
    targets: FxHashMap<[u32; 3], u32>,
    /// The caller that was seen last; all calls of one follow each other.
    last: Option<RawCaller<'a>>,
    calls: ClassCalls,
}

impl<'a> ClassReader<'a> {
    fn call(&mut self, caller: RawCaller<'a>, bci: u16, call: RawCall<'a>) {
        if self.last != Some(caller) {
            let method = [self.text(caller.name), self.text(caller.descriptor)];
            self.calls.callers.push(method);
            self.last = Some(caller);
        }
        let caller = self.calls.callers.len() as u32 - 1;
        match call {
            RawCall::Invoke(op, method) => {
                let kind = KINDS.iter().position(|kind| *kind == SiteKind::Invoke(op)).unwrap_or_default();
                self.site(method, caller, bci, kind as u8);
            }
            RawCall::Handle(method) => self.site(method, caller, bci, KINDS.len() as u8 - 1),
            RawCall::Dynamic { interface, implementation } => {
                let interface = self.text(interface);
                let (flags, implementation) = self.implementation(implementation);
                self.calls.lambdas.push(ClassLambda { interface, caller, bci, flags, implementation });
            }
        }
    }

    fn site(&mut self, method: RawMethod<'a>, caller: u32, bci: u16, kind: u8) {
        let (class, _) = owner(method);
        let named = [self.text(class), self.text(method.name), self.text(method.descriptor)];
        let next = self.calls.targets.len() as u32;
        let target = *self.targets.entry(named).or_insert(next);
        if target == next {
            self.calls.targets.push(named);
        }
        self.calls.sites.push((target, caller, bci, kind));
    }

    fn implementation(&mut self, method: Option<RawMethod<'a>>) -> (u16, [u32; 4]) {
        let Some(method) = method else { return (0, [NONE; 4]) };
        let (class, array) = owner(method);
        let flags = HAS_IMPLEMENTATION | if method.interface { ON_INTERFACE } else { 0 };
        let array = array.map_or(NONE, |array| self.text(array));
        (flags, [self.text(class), self.text(method.name), self.text(method.descriptor), array])
    }

    fn text(&mut self, raw: &'a [u8]) -> u32 {
        let next = self.calls.texts.len() as u32;
        let id = *self.texts.entry(raw).or_insert(next);
        if id == next {
            self.calls.texts.push(raw.into());
        }
        id
    }
}

/// The class that has the method, and the array type if it is called on one.
fn owner(method: RawMethod<'_>) -> (&[u8], Option<&[u8]>) {
    if method.class.starts_with(b"[") { (OBJECT, Some(method.class)) } else { (method.class, None) }
}

/// Puts the sections together.
#[derive(Default)]
struct Builder {
    text_ids: FxHashMap<Box<[u8]>, u32>,
    text_ends: Vec<u8>,
    text: Vec<u8>,
    /// Hashes of the texts.
    hashes: Vec<u64>,
    callers: Vec<[u32; 4]>,
    target_ids: FxHashMap<[u32; 3], u32>,
    targets: Vec<[u32; 3]>,
    sites: Vec<(u32, u32, u16, u8)>,
    /// The interface, then as in the section.
    lambdas: Vec<(u32, [u32; 6])>,
}

impl Builder {
    fn add(&mut self, class: &ClassCalls) {
        let texts: Vec<u32> = class.texts.iter().map(|raw| self.text(raw)).collect();
        let global = |id: u32| if id == NONE { NONE } else { texts[id as usize] };
        let first_caller = self.callers.len() as u32;
        let callers = class.callers.iter();
        self.callers.extend(callers.map(|method| [class.at, global(class.name), global(method[0]), global(method[1])]));
        let targets: Vec<u32> = class.targets.iter().map(|named| self.target(named.map(global))).collect();
        let sites = class.sites.iter();
        self.sites.extend(sites.map(|site| (targets[site.0 as usize], first_caller + site.1, site.2, site.3)));
        for lambda in &class.lambdas {
            let place = u32::from(lambda.bci) | u32::from(lambda.flags) << 16;
            let [class, name, descriptor, array] = lambda.implementation.map(global);
            let record = [first_caller + lambda.caller, place, class, name, descriptor, array];
            self.lambdas.push((global(lambda.interface), record));
        }
    }

    fn target(&mut self, named: [u32; 3]) -> u32 {
        let next = self.targets.len() as u32;
        let id = *self.target_ids.entry(named).or_insert(next);
        if id == next {
            self.targets.push(named);
        }
        id
    }

    fn text(&mut self, raw: &[u8]) -> u32 {
        if let Some(id) = self.text_ids.get(raw) {
            return *id;
        }
        let id = self.text_ids.len() as u32;
        let text = decode_text(raw);
        self.text.extend_from_slice(text.as_bytes());
        self.text_ends.extend_from_slice(&(self.text.len() as u32).to_le_bytes());
        self.hashes.push(name_hash(text.as_bytes()));
        self.text_ids.insert(raw.into(), id);
        id
    }

    fn finish(mut self) -> Vec<u8> {
        let (targets, sites) = self.finish_targets();
        let (interfaces, lambdas) = self.finish_lambdas();
        let mut callers = Vec::with_capacity(self.callers.len() * SIZES[CALLERS]);
        self.callers.iter().for_each(|caller| push_all(&mut callers, caller));
        let sections = [self.text_ends, callers, targets, sites, interfaces, lambdas, self.text];
        let mut body = Vec::with_capacity(COUNTS_SIZE + sections.iter().map(Vec::len).sum::<usize>());
        for (section, size) in sections.iter().zip(SIZES) {
            push_all(&mut body, &[(section.len() / size) as u32]);
        }
        sections.iter().for_each(|section| body.extend_from_slice(section));
        body
    }

    /// The sections of targets and of sites, which are in the order of their targets.
    fn finish_targets(&mut self) -> (Vec<u8>, Vec<u8>) {
        let hash = |[_, name, descriptor]: [u32; 3]| {
            let (name, descriptor) = (self.hashes[name as usize], self.hashes[descriptor as usize]);
            (name.rotate_left(1) ^ descriptor) as u32
        };
        let mut order: Vec<(u32, u32)> = (0..).zip(&self.targets).map(|(id, named)| (hash(*named), id)).collect();
        order.sort_unstable();
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0u32..).for_each(|((_, id), rank)| ranks[*id as usize] = rank);
        // Stable: sites of one target stay in the order of their callers.
        self.sites.sort_by_key(|site| ranks[site.0 as usize]);
        let (mut targets, mut sites) = (Vec::new(), Vec::new());
        let mut rest = self.sites.as_slice();
        for (hash, id) in order {
            let count = rest.iter().take_while(|site| site.0 == id).count();
            for (_, caller, bci, kind) in &rest[..count] {
                push_all(&mut sites, &[*caller, u32::from(*bci) | u32::from(*kind) << 16]);
            }
            rest = &rest[count..];
            let [class, name, descriptor] = self.targets[id as usize];
            push_all(&mut targets, &[hash, class, name, descriptor, (self.sites.len() - rest.len()) as u32]);
        }
        (targets, sites)
    }

    fn finish_lambdas(&mut self) -> (Vec<u8>, Vec<u8>) {
        let hash = |interface: u32| self.hashes[interface as usize] as u32;
        self.lambdas.sort_by_key(|(interface, _)| (hash(*interface), *interface));
        let (mut interfaces, mut lambdas) = (Vec::new(), Vec::new());
        for same in self.lambdas.chunk_by(|a, b| a.0 == b.0) {
            same.iter().for_each(|(_, record)| push_all(&mut lambdas, record));
            push_all(&mut interfaces, &[hash(same[0].0), same[0].0, (lambdas.len() / SIZES[LAMBDAS]) as u32]);
        }
        (interfaces, lambdas)
    }
}

fn push_all(bytes: &mut Vec<u8>, fields: &[u32]) {
    fields.iter().for_each(|field| bytes.extend_from_slice(&field.to_le_bytes()));
}
