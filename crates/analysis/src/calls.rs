//! Which methods may a call run? By the class hierarchy (Dean, Grove and Chambers, "Optimization of Object-Oriented Programs Using
//! Static Class Hierarchy Analysis", 1995): whatever a class below the one that the instruction names would select.
//! [`crate::rapid`] narrows that down to classes that are made.
//!
//! Counted are the classes of the class path and the JDK, and the lambdas and method references of the class path. Two marks say
//! what an answer is worth: `cut` if a limit left targets out, `open` if code may run that cannot be seen here: a class is
//! missing, the JDK makes lambdas of the interface, or the class path is too large to look for lambdas. Not counted are
//! classes that are only made while the program runs (proxies, and what a test itself defines).

use crate::methods::Methods;
use ir::{Callee, InvokeKind};
use program::{Class, ClassName, FoundMethod, LambdaSite, MethodRef, Resolved};
use std::sync::Arc;

/// Up to here lambdas are looked for: their index is over all archives.
const MOST_CLASSES: usize = 15_000;

/// How much is looked at for one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Targets of one call.
    pub targets: usize,
    /// Classes that are read to find the targets of one call.
    pub classes: usize,
    /// Methods whose code is looked at.
    pub methods: usize,
}

impl Default for Limits {
    /// Enough for what a method does by itself and with its helpers; what is dispatched all over the JDK is cut.
    fn default() -> Self {
        Limits { targets: 16, classes: 200, methods: 400 }
    }
}

impl Limits {
    pub const NONE: Limits = Limits { targets: usize::MAX, classes: usize::MAX, methods: usize::MAX };
}

/// The methods that a call may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Methods that are not abstract, the nearest to the caller first.
    pub methods: Vec<MethodRef>,
    /// The places that make lambdas and method references which may be the receiver; what they run is not among `methods`.
    pub lambdas: Vec<LambdaSite>,
    /// A limit left some out.
    pub cut: bool,
    /// Code may run that cannot be seen.
    pub open: bool,
}

impl Targets {
    fn one(method: MethodRef) -> Self {
        Targets { methods: vec![method], ..Targets::default() }
    }

    fn unseen() -> Self {
        Targets { open: true, ..Targets::default() }
    }

    pub(crate) fn add(&mut self, method: MethodRef) {
        if !self.methods.contains(&method) {
            self.methods.push(method);
        }
    }

    /// Everything that may run: the methods, and the implementations of the lambdas.
    pub fn all(&self) -> impl Iterator<Item = MethodRef> + '_ {
        let of_lambdas = self.lambdas.iter().filter_map(|site| site.implementation.map(|operand| operand.method));
        self.methods.iter().copied().chain(of_lambdas)
    }
}

/// What a call names, once it is looked up.
pub(crate) enum Named {
    /// Exactly this method, or none that can be seen.
    Fixed(Targets),
    /// Depends on the class of the receiver, which is this one or below it.
    Dispatched(FoundMethod, Arc<Class>),
}

impl Methods {
    /// What a call in a method of the class `caller` may run. Nothing for `invokedynamic`, whose site tells (see
    /// [`crate::Lowered::dynamic`]).
    pub fn targets(&self, callee: &Callee, caller: ClassName, limits: Limits) -> Targets {
        let Callee::Method { kind, method, .. } = callee else { return Targets::default() };
        match self.named(*kind, *method, caller) {
            Named::Fixed(targets) => targets,
            Named::Dispatched(found, class) => {
                // The caller matters for the order alone, and there its package.
                let key = (*method, caller.package(), self.program().is_jdk(caller), limits);
                let dispatched = || Arc::new(self.dispatched(*method, &found, &class, caller, limits));
                Targets::clone(&self.targets.get_or(key, dispatched))
            }
        }
    }

    pub(crate) fn named(&self, kind: InvokeKind, method: MethodRef, caller: ClassName) -> Named {
        let program = self.program();
        let Resolved::Found(found) = program.resolve_method(method) else { return Named::Fixed(Targets::unseen()) };
        let access = found.access;
        let is_fixed = access.is_private() || access.is_static() || access.is_final() || found.class.access.is_final();
        match kind {
            InvokeKind::Special if !found.is_constructor() && !access.is_private() => {
                Named::Fixed(self.of_super(method, caller))
            }
            InvokeKind::Static | InvokeKind::Special => Named::Fixed(Targets::one(found.reference())),
            InvokeKind::Virtual | InvokeKind::Interface if is_fixed => Named::Fixed(Targets::one(found.reference())),
            InvokeKind::Virtual | InvokeKind::Interface => match program.class(method.class) {
                Some(class) => Named::Dispatched(found, class),
                None => Named::Fixed(Targets::unseen()),
            },
        }
    }

    /// A call of `super.m()`: for a class, the search begins at the direct superclass of the caller (JVMS 6.5, `invokespecial`).
    fn of_super(&self, method: MethodRef, caller: ClassName) -> Targets {
        let program = self.program();
        let names_interface = program.class(method.class).is_some_and(|class| class.is_interface());
        let above = program.class(caller).and_then(|class| class.super_class);
        let start = above.filter(|_| !names_interface && caller != method.class).unwrap_or(method.class);
        match program.resolve_method(MethodRef { class: start, ..method }) {
            Resolved::Found(found) => Targets::one(found.reference()),
            _ => Targets::unseen(),
        }
    }

    fn dispatched(
        &self,
        method: MethodRef,
        found: &FoundMethod,
        class: &Class,
        caller: ClassName,
        limits: Limits,
    ) -> Targets {
        let mut targets = self.implementations(method, caller, limits);
        if found.access.is_abstract() && class.is_interface() {
            self.add_lambdas(class.name, &mut targets, limits);
        }
        targets
    }

    /// What the classes below the one that is named have for the method; no lambdas.
    pub(crate) fn implementations(&self, method: MethodRef, caller: ClassName, limits: Limits) -> Targets {
        let program = self.program();
        let mut targets = Targets::default();
        let mut read = 0;
        for receiver in self.nearest_below(method.class, caller) {
            if read >= limits.classes || targets.methods.len() >= limits.targets {
                targets.cut = true;
                break;
            }
            let Some(below) = program.class(receiver) else { continue };
            read += 1;
            if below.access.is_abstract() || below.is_interface() {
                continue;
            }
            match program.select_virtual(receiver, method) {
                Resolved::Found(selected) if !selected.access.is_abstract() => targets.add(selected.reference()),
                Resolved::Found(_) | Resolved::Absent => {}
                Resolved::Unknown { .. } => targets.open = true,
            }
        }
        targets
    }

    /// The class and those below it: of the caller's package, then of the same side (the JDK or the class path), then the others;
    /// each part sorted.
    fn nearest_below(&self, class: ClassName, caller: ClassName) -> impl Iterator<Item = ClassName> {
        let program = Arc::clone(self.program());
        let below = self.below(class);
        let is_ours = program.is_jdk(caller);
        let rank = move |name: ClassName| match () {
            () if name.package() == caller.package() => 0,
            () if program.is_jdk(name) == is_ours => 1,
            () => 2,
        };
        let parts = (0..3).flat_map(move |part| {
            let of_part: Vec<ClassName> = below.iter().copied().filter(|name| rank(*name) == part).collect();
            of_part
        });
        std::iter::once(class).chain(parts)
    }

    /// Lambdas of the interface and of those below it, as far as they are made on the class path.
    fn add_lambdas(&self, interface: ClassName, targets: &mut Targets, limits: Limits) {
        let program = self.program();
        if program.class_count() > MOST_CLASSES {
            targets.open = true;
            return;
        }
        let below = self.below(interface);
        let interfaces = below.iter().copied().filter(|name| program.class(*name).is_some_and(|c| c.is_interface()));
        for interface in std::iter::once(interface).chain(interfaces.take(limits.classes)) {
            let left = limits.targets.saturating_sub(targets.lambdas.len());
            let sites = program.lambda_sites(interface);
            targets.cut |= sites.len() > left;
            targets.open |= sites.iter().any(|site| site.implementation.is_none());
            // What the JDK makes is in no index.
            targets.open |= program.is_jdk(interface);
            targets.lambdas.extend(sites.into_iter().take(left));
        }
    }
}
