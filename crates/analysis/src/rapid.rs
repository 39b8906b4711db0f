//! Rapid type analysis (Bacon and Sweeney, "Fast Static Analysis of C++ Virtual Function Calls", 1996): which methods can be
//! reached from some entries, if receivers are only of classes that reached code makes. Narrower than the hierarchy alone; as
//! good as what is known of the entries: the classes that arguments and fields may have there are to be given.
//!
//! Deviation: lambdas and method references are objects that are made where the code makes them. Arrays count as `Object`.

use crate::calls::{Limits, Named, Targets};
use crate::lowered::Lowered;
use crate::methods::Methods;
use crate::natives;
use ir::{Callee, Const, Dynamic, InvokeKind, Lambda, Op, Operand, Rvalue};
use program::classfile::HandleKind;
use program::{ClassName, InstrId, MethodRef, Resolved, Subtype, Type};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What can be reached from some entries.
#[derive(Clone, Debug, Default)]
pub struct RapidTypes {
    /// Methods with code that may run.
    pub reached: BTreeSet<MethodRef>,
    /// Classes of which objects are made.
    pub made: BTreeSet<ClassName>,
    /// Lambdas and method references that are made, by the place.
    pub lambdas: BTreeMap<(MethodRef, InstrId), Lambda>,
    /// A limit ended the search.
    pub cut: bool,
    /// Code runs that cannot be seen, and it may make and call anything.
    pub open: bool,
}

/// Objects that the VM itself makes, of classes that it initialises when it starts.
const OF_THE_VM: [&str; 4] = ["java/lang/Object", "java/lang/String", "java/lang/Class", "java/lang/Thread"];

impl Methods {
    /// Everything that the entries may run, if besides what they make there are objects of the `given` classes.
    pub fn rapid_types(&self, entries: &[MethodRef], given: &[ClassName], limits: Limits) -> RapidTypes {
        let mut search = Search {
            methods: self,
            types: RapidTypes::default(),
            waiting: VecDeque::new(),
            dispatched: Vec::new(),
            known: FxHashSet::default(),
            initialised: FxHashSet::default(),
        };
        for class in OF_THE_VM {
            search.make(ClassName::internal(class));
        }
        for class in given {
            search.initialise(*class);
            search.make(*class);
        }
        for entry in entries {
            search.initialise(entry.class);
            search.reach(*entry);
        }
        search.run(limits)
    }

    /// The targets of a call that are left if only these types are made.
    pub fn rapid_targets(&self, callee: &Callee, caller: ClassName, types: &RapidTypes) -> Targets {
        let Callee::Method { kind, method, .. } = callee else { return Targets::default() };
        let mut targets = match self.named(*kind, *method, caller) {
            Named::Fixed(targets) => targets,
            Named::Dispatched(..) => {
                let mut targets = Targets::default();
                for class in &types.made {
                    self.selected(*class, *method).into_iter().for_each(|selected| targets.add(selected));
                }
                let runs = types.lambdas.values().filter(|lambda| self.is_called_by(lambda, *method));
                runs.filter_map(Lambda::target).for_each(|(_, target)| targets.add(target));
                targets
            }
        };
        targets.cut |= types.cut;
        targets.open |= types.open;
        targets
    }

    /// The method that a call runs on an object of this class; `None` if it cannot be the receiver.
    fn selected(&self, receiver: ClassName, method: MethodRef) -> Option<MethodRef> {
        let program = self.program();
        if program.is_subtype(receiver, method.class) == Subtype::No {
            return None;
        }
        let selected = program.select_virtual(receiver, method).found()?;
        (!selected.access.is_abstract()).then(|| selected.reference())
    }

    /// Whether calling the method on the lambda's object runs its implementation.
    fn is_called_by(&self, lambda: &Lambda, method: MethodRef) -> bool {
        let program = self.program();
        let is_abstract = || program.resolve_method(method).found().is_none_or(|found| found.access.is_abstract());
        lambda.method == method.name
            && program.is_subtype(lambda.interface, method.class) != Subtype::No
            && is_abstract()
    }
}

struct Search<'a> {
    methods: &'a Methods,
    types: RapidTypes,
    waiting: VecDeque<MethodRef>,
    /// Calls whose targets depend on the receiver.
    dispatched: Vec<MethodRef>,
    known: FxHashSet<MethodRef>,
    initialised: FxHashSet<ClassName>,
}

impl Search<'_> {
    fn run(mut self, limits: Limits) -> RapidTypes {
        while let Some(method) = self.waiting.pop_front() {
            if self.types.reached.len() >= limits.methods {
                self.types.cut = true;
                break;
            }
            match self.methods.get(method) {
                Some(unit) => {
                    self.types.reached.insert(method);
                    self.visit(&unit);
                }
                None => self.without_code(method),
            }
        }
        self.types
    }

    fn reach(&mut self, method: MethodRef) {
        if self.known.insert(method) {
            self.waiting.push_back(method);
        }
    }

    fn without_code(&mut self, method: MethodRef) {
        let found = self.methods.program().declared_method(method);
        let is_known = found.is_some_and(|found| found.access.is_abstract() || natives::known(method).is_some());
        self.types.open |= !is_known;
    }

    fn visit(&mut self, unit: &Lowered) {
        for (_, instr) in unit.body.instrs() {
            instr.op.initialises().into_iter().for_each(|class| self.initialise(class));
            match &instr.op {
                Op::Assign(_, Rvalue::New(class)) => self.make(*class),
                Op::Assign(_, Rvalue::GetStatic(field)) => self.of_field(field.class, field.field_type()),
                Op::Assign(_, Rvalue::Use(Operand::Const(Const::Dynamic { .. } | Const::MethodHandle(_)))) => {
                    self.types.open = true;
                }
                Op::Guard(guard) => self.make(ClassName::internal(guard.exception())),
                op => match op.call() {
                    Some((callee @ Callee::Dynamic { .. }, _)) => self.dynamic(unit, callee, instr.id),
                    Some((callee, _)) => self.call(callee, unit.reference().class),
                    None => {}
                },
            }
        }
    }

    /// The JDK's own statics are partly set by the VM, with objects that no code is seen to make.
    fn of_field(&mut self, declared: ClassName, ty: Type) {
        let program = self.methods.program();
        if let Some(class) = ty.as_class().filter(|_| program.is_jdk(declared))
            && program.class(class).is_some_and(|found| !found.access.is_abstract() && !found.is_interface())
        {
            self.make(class);
        }
    }

    fn call(&mut self, callee: &Callee, caller: ClassName) {
        let Callee::Method { kind, method, .. } = callee else { return };
        match self.methods.named(*kind, *method, caller) {
            Named::Fixed(targets) => {
                self.types.open |= targets.open;
                targets.methods.into_iter().for_each(|method| self.reach(method));
            }
            Named::Dispatched(..) => self.dispatch(*method),
        }
    }

    fn dispatch(&mut self, method: MethodRef) {
        if self.dispatched.contains(&method) {
            return;
        }
        self.dispatched.push(method);
        let selected: Vec<MethodRef> =
            self.types.made.iter().filter_map(|class| self.methods.selected(*class, method)).collect();
        selected.into_iter().for_each(|method| self.reach(method));
        let lambdas: Vec<Lambda> = self.types.lambdas.values().cloned().collect();
        for lambda in lambdas.iter().filter(|lambda| self.methods.is_called_by(lambda, method)) {
            self.implementation(lambda);
        }
    }

    fn make(&mut self, class: ClassName) {
        if !self.types.made.insert(class) {
            return;
        }
        let selected: Vec<MethodRef> =
            self.dispatched.iter().filter_map(|method| self.methods.selected(class, *method)).collect();
        selected.into_iter().for_each(|method| self.reach(method));
    }

    fn initialise(&mut self, class: ClassName) {
        if self.initialised.insert(class) {
            self.methods.initialisers(class).into_iter().for_each(|initialiser| self.reach(initialiser));
        }
    }

    fn dynamic(&mut self, unit: &Lowered, callee: &Callee, at: InstrId) {
        match unit.dynamic(callee) {
            Some(Dynamic::Lambda(lambda)) => {
                let is_called = self.dispatched.iter().any(|method| self.methods.is_called_by(&lambda, *method));
                self.types.lambdas.insert((unit.reference(), at), lambda.clone());
                if is_called {
                    self.implementation(&lambda);
                }
            }
            Some(Dynamic::Opaque(_) | Dynamic::Missing) => self.types.open = true,
            // What records and concatenations call are methods of `Object`, on anything.
            Some(Dynamic::Record { .. } | Dynamic::Concat(_)) => {
                for (name, descriptor) in
                    [("toString", "()Ljava/lang/String;"), ("hashCode", "()I"), ("equals", "(Ljava/lang/Object;)Z")]
                {
                    self.dispatch(MethodRef::new("java/lang/Object", name, descriptor));
                }
            }
            _ => {}
        }
    }

    fn implementation(&mut self, lambda: &Lambda) {
        let Some((kind, method)) = lambda.target() else { return };
        let kind = match kind {
            HandleKind::InvokeStatic => InvokeKind::Static,
            HandleKind::InvokeInterface => InvokeKind::Interface,
            HandleKind::InvokeVirtual => InvokeKind::Virtual,
            _ => InvokeKind::Special,
        };
        match self.methods.program().resolve_method(method) {
            Resolved::Found(found) if found.is_constructor() => {
                self.initialise(found.class.name);
                self.make(found.class.name);
                self.reach(found.reference());
            }
            Resolved::Found(_) => self.call(&Callee::Method { kind, method, interface: false }, method.class),
            Resolved::Absent | Resolved::Unknown { .. } => self.types.open = true,
        }
    }
}
