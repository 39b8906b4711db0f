//! Who calls a method, and who makes a lambda of an interface, over the class path (not the JDK). The indexes of call sites answer
//! without reading the code again; classes are read only to decide which method a name stands for.
//!
//! Popular members have tens of thousands of callers on a large class path. Whoever needs examples only asks for the nearest: units
//! are looked at in the order of [`Nearness`], and no further than until there are enough.

use crate::call_index::{CallIndex, Caller, Implementation, SiteKind};
use crate::classfile::{InvokeOp, MethodOperand};
use crate::error::Problem;
use crate::names::{ClassName, MethodRef, Type, name_hash};
use crate::nearness::Nearness;
use crate::program::Program;
use crate::resolve::{FoundMethod, Resolved, Subtype};
use crate::scan::{Unit, on_own_threads};
use crate::sources::{Place, Sources};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

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
        self.load_calls();
        let mut found = Vec::new();
        self.visit_callers(method, self.sources().positions(), &mut |_, sites| {
            found.extend(sites);
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The `limit` call sites that are nearest: those of the method's own class, of its package and of its archive, then as
    /// `near` orders the archives. In the list, those of near archives come first; both parts are sorted.
    pub fn nearest_callers(&self, method: MethodRef, near: &Nearness, limit: usize) -> Vec<CallSite> {
        let mut found: Vec<(usize, CallSite)> = Vec::new();
        let own = self.sources().find(method.class.as_internal()).map(|place| place.source);
        let (units, near_units) = near.order_from(own);
        let order = units.iter().copied().enumerate();
        let ranks: FxHashMap<u32, usize> = order.map(|(rank, unit)| (unit, rank)).collect();
        self.visit_callers(method, units, &mut |unit, sites| {
            found.extend(sites.into_iter().map(|site| (ranks[&unit], site)));
            if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let distance = |(rank, site): &(usize, CallSite)| {
            let caller = site.caller.class;
            (caller != method.class, caller.package() != method.class.package(), *rank)
        };
        found.sort_unstable_by(|a, b| distance(a).cmp(&distance(b)).then_with(|| a.1.cmp(&b.1)));
        found.truncate(limit);
        let mut found: Vec<(bool, CallSite)> =
            found.into_iter().map(|(rank, site)| (rank >= near_units, site)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, site)| site).collect()
    }

    /// Whether code of a near archive calls the method in a class whose internal name fits.
    pub fn is_called_near(&self, method: MethodRef, near: &Nearness, fits: impl Fn(&str) -> bool) -> bool {
        let mut is_called = false;
        self.visit_callers(method, near.near().to_vec(), &mut |_, sites| {
            is_called = sites.iter().any(|site| fits(site.caller.class.as_internal()));
            if is_called { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        is_called
    }

    /// Whether code of the class itself names the method.
    pub fn names_method(&self, class: ClassName, method: MethodRef) -> bool {
        let Some(place) = self.sources().find(class.as_internal()) else { return false };
        let index = self.call_index(place.source);
        let targets = index.targets(method.name.as_str(), method.descriptor.as_str());
        let named = targets.filter(|target| target.class == method.class.as_internal());
        let mut callers = named.flat_map(|target| index.sites(&target).collect::<Vec<_>>());
        callers.any(|site| index.caller(site.caller).is_some_and(|caller| caller.class == class.as_internal()))
    }

    /// Where lambdas and method references of the functional interface are made, sorted.
    pub fn lambda_sites(&self, interface: ClassName) -> Vec<LambdaSite> {
        self.load_calls();
        let mut found = Vec::new();
        for unit in self.sources().positions() {
            let index = self.call_index(unit);
            for lambda in index.lambdas(interface.as_internal()) {
                let Some(caller) = index.caller(lambda.caller) else { continue };
                if self.is_live(unit, caller) {
                    let implementation = lambda.implementation.as_ref().and_then(operand);
                    found.push(LambdaSite { creator: caller.method(), bci: lambda.bci, interface, implementation });
                }
            }
        }
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

    /// Loads or makes the index of call sites of every archive, on all cores. Whoever does not call this pays on first use, for each
    /// archive that is looked at.
    pub fn load_calls(&self) {
        if self.calls().is_complete() {
            return;
        }
        on_own_threads(|| {
            self.sources().positions().par_iter().for_each(|unit| {
                self.call_index(*unit);
            });
        });
        self.calls().set_complete();
        self.trim_calls();
    }

    /// Whether all indexes of call sites are loaded.
    pub fn has_calls(&self) -> bool {
        self.calls().is_complete()
    }

    /// The call sites of the method in each unit, in this order, until there are enough.
    fn visit_callers(
        &self,
        method: MethodRef,
        units: Vec<u32>,
        visit: &mut dyn FnMut(u32, Vec<CallSite>) -> ControlFlow<()>,
    ) {
        let Some(target) = self.resolve_method(method).found() else { return };
        let mut query = CallersOf::new(self, target);
        for unit in units {
            if visit(unit, query.sites_in(unit)).is_break() {
                break;
            }
        }
        self.trim_calls();
    }

    pub(crate) fn call_index(&self, unit: u32) -> &CallIndex {
        self.calls().get(unit, || {
            let Some(source) = self.sources().list.get(unit as usize) else { return CallIndex::default() };
            let (index, learnt) = CallIndex::of(Unit::from(source), self.cache());
            self.note(learnt.problems);
            self.calls().note_stored(learnt.stored);
            index
        })
    }

    /// Brings the cache below its limit if indexes were stored.
    fn trim_calls(&self) {
        if self.calls().take_stored()
            && let Err(error) = self.cache().trim()
        {
            self.note([Problem::cache_not_written(&error)]);
        }
    }

    /// Whether the caller's class is the one that is found by its name.
    fn is_live(&self, unit: u32, caller: Caller<'_>) -> bool {
        let hash = name_hash(caller.class.as_bytes());
        self.sources().is_live(Place { source: unit, at: caller.at }, hash, caller.class)
    }
}

fn operand(implementation: &Implementation<'_>) -> Option<MethodOperand> {
    let Implementation { class, name, descriptor, interface, array } = *implementation;
    let array = match array {
        Some(array) => Some(Type::from_class_entry(array)?),
        None => None,
    };
    Some(MethodOperand { method: MethodRef::new(class, name, descriptor), interface, array })
}

impl Caller<'_> {
    fn method(self) -> MethodRef {
        MethodRef::new(self.class, self.name, self.descriptor)
    }
}

/// Decides which instructions that name a method can lead to the one that is asked for.
struct CallersOf<'a> {
    program: &'a Program,
    target: FoundMethod,
    /// Hashes of the classes above the method's own, missing ones included.
    above: FxHashSet<u64>,
    /// Hashes of the classes below the method's own that may inherit it.
    below: FxHashSet<u64>,
    /// What was decided about classes that name the method, by their hashes: they come again and again.
    decided: FxHashMap<u64, Option<(MethodRef, Leads)>>,
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
        let class = target.class.name;
        let is_inherited = !target.is_constructor() && !target.access.is_private() && class != ClassName::object();
        let below = if is_inherited { program.hierarchy().below(hash_of(class)) } else { FxHashSet::default() };
        let above = if target.access.is_static() || target.is_constructor() {
            FxHashSet::default()
        } else {
            let (found, missing) = program.supertypes(class);
            found.into_iter().chain(missing).map(hash_of).collect()
        };
        CallersOf { program, target, above, below, decided: FxHashMap::default() }
    }

    fn sites_in(&mut self, unit: u32) -> Vec<CallSite> {
        let program = self.program;
        let index = program.call_index(unit);
        let mut found = Vec::new();
        for target in index.targets(self.target.name.as_str(), self.target.descriptor.as_str()) {
            let Some((named, leads)) = self.leads(target.class) else { continue };
            for site in index.sites(&target) {
                let kind = match site.kind {
                    SiteKind::Invoke(op) => CallKind::Invoke(op),
                    SiteKind::Handle => CallKind::Handle,
                };
                let dispatches = !matches!(kind, CallKind::Invoke(InvokeOp::Special | InvokeOp::Static));
                let Some(caller) = index.caller(site.caller) else { continue };
                if (leads == Leads::Always || dispatches) && program.is_live(unit, caller) {
                    let by_overriding = leads == Leads::ByOverriding;
                    found.push(CallSite { caller: caller.method(), bci: site.bci, named, kind, by_overriding });
                }
            }
        }
        found
    }

    /// The method as it is named by the class, if that leads to the one that is asked for.
    fn leads(&mut self, class: &str) -> Option<(MethodRef, Leads)> {
        let hash = name_hash(class.as_bytes());
        if let Some(known) = self.decided.get(&hash) {
            return *known;
        }
        let named = || MethodRef { class: ClassName::internal(class), ..self.target.reference() };
        let decided = self.may_name(class).then(named).map(|named| (named, self.decide(named)));
        let leads = decided.filter(|(_, leads)| *leads != Leads::Never);
        self.decided.insert(hash, leads);
        leads
    }

    /// Whether the class is above or below the method's own, or some class is below both: told from names and headers alone, since
    /// half of the program's classes have a `toString`.
    fn may_name(&self, class: &str) -> bool {
        let own = self.target.class.name;
        let hash = name_hash(class.as_bytes());
        let is_related = own.as_internal() == class || self.above.contains(&hash) || self.below.contains(&hash);
        // All classes are below `Object`, and none are above.
        let is_of_object = own == ClassName::object() && !self.target.is_constructor();
        let is_dispatched = !self.target.access.is_static() && !self.below.is_empty();
        is_related || is_of_object || (is_dispatched && self.program.hierarchy().has_below(hash, &self.below))
    }

    fn decide(&self, named: MethodRef) -> Leads {
        match self.program.resolve_method(named) {
            Resolved::Found(found) if found.reference() == self.target.reference() => Leads::Always,
            Resolved::Found(found) if self.is_run_by(named, found.class.is_interface()) => Leads::ByOverriding,
            Resolved::Found(_) | Resolved::Absent => Leads::Never,
            // A missing class leaves it open.
            Resolved::Unknown { .. } => Leads::ByOverriding,
        }
    }

    /// Whether calling `named` runs the method on some object.
    fn is_run_by(&self, named: MethodRef, of_interface: bool) -> bool {
        let own = self.target.class.name;
        if self.runs_on(own, named) {
            return true;
        }
        let hierarchy = self.program.hierarchy();
        let receivers = match () {
            // What an interface declares again, a class may have from `Object`.
            () if own == ClassName::object() && of_interface => hierarchy.names_below(hash_of(named.class), |_| true),
            () if self.below.is_empty() => return false,
            () => hierarchy.names_below(hash_of(named.class), |hash| self.below.contains(&hash)),
        };
        receivers.into_iter().any(|receiver| self.runs_on(receiver, named))
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

fn hash_of(class: ClassName) -> u64 {
    name_hash(class.as_internal().as_bytes())
}

/// The indexes of call sites of all units of the class path, each loaded when it is asked for.
#[derive(Debug)]
pub(crate) struct CallIndexes {
    units: Vec<OnceLock<CallIndex>>,
    /// All are loaded.
    complete: AtomicBool,
    /// Some were added to the cache.
    stored: AtomicBool,
}

impl CallIndexes {
    pub(crate) fn new(sources: &Sources) -> CallIndexes {
        let units = sources.list.iter().map(|_| OnceLock::new()).collect();
        CallIndexes { units, complete: AtomicBool::new(false), stored: AtomicBool::new(false) }
    }

    fn get(&self, unit: u32, load: impl FnOnce() -> CallIndex) -> &CallIndex {
        static NONE: OnceLock<CallIndex> = OnceLock::new();
        match self.units.get(unit as usize) {
            Some(index) => index.get_or_init(load),
            None => NONE.get_or_init(CallIndex::default),
        }
    }

    fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    fn set_complete(&self) {
        self.complete.store(true, Ordering::Release);
    }

    fn note_stored(&self, stored: bool) {
        self.stored.fetch_or(stored, Ordering::Relaxed);
    }

    fn take_stored(&self) -> bool {
        self.stored.swap(false, Ordering::Relaxed)
    }
}
