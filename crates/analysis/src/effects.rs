//! What may a method do to memory, with everything that it calls: which fields, statics and kinds of arrays it reads and writes,
//! whether it makes objects, whether it throws. Calls have the targets of [`crate::calls`], classes are initialised where code
//! may be the first to need them, lambdas count where they are called. Recursion needs no care: what a method does is what all
//! methods do that can be reached from it.
//!
//! Nothing is left out silently. `cut` says that a limit ended the search, `open` that code runs which cannot be seen (a native
//! method that is not in the table, a missing class, an opaque `invokedynamic`): then anything may be read and written, and the
//! lists have what is known for sure to be possible. What the table says of natives is data: `natives.txt`.

use crate::calls::{Limits, Targets};
use crate::lowered::Lowered;
use crate::methods::Methods;
use crate::natives::{self, Native};
use ir::{Callee, Const, Dynamic, InvokeKind, Op, Operand, RecordMethod, Rvalue, SwitchLabel};
use program::classfile::MethodOperand;
use program::{ClassName, FieldRef, InstrId, MethodRef, MethodType, Resolved, Symbol, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Places in memory by what they are called: an object's identity does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Instance fields, under the class that declares them.
    pub fields: BTreeSet<FieldRef>,
    pub statics: BTreeSet<FieldRef>,
    /// Static component types of arrays; `Object` where the type is not known.
    pub arrays: BTreeSet<Type>,
    /// Anything at all.
    pub any: bool,
}

/// What a method may do, with all that it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub reads: Touched,
    pub writes: Touched,
    pub allocates: bool,
    /// An exception may leave the method.
    pub throws: bool,
    /// How many methods were looked at.
    pub methods: usize,
    /// A limit ended the search.
    pub cut: bool,
    /// Code runs that cannot be seen.
    pub open: bool,
}

/// What the operations of one method do, calls left out.
#[derive(Debug, Default)]
pub struct OwnEffects {
    pub reads: Touched,
    pub writes: Touched,
    pub allocates: bool,
    /// Some operation that is not a call may throw an exception that leaves the method.
    pub throws: bool,
    /// Something is computed by code that cannot be seen.
    pub open: bool,
    /// What the lambdas and method references run that the method makes, in the order of the code.
    pub lambdas: Vec<MethodRef>,
    calls: Vec<OwnCall>,
    /// Classes that may have to be initialised.
    initialises: Vec<ClassName>,
}

#[derive(Debug)]
struct OwnCall {
    callee: Callee,
    /// Whether what the callee throws may leave the method.
    escapes: bool,
}

impl OwnEffects {
    /// The methods that are called, as the code names them, in its order.
    pub fn calls(&self) -> impl Iterator<Item = MethodRef> + '_ {
        self.calls.iter().filter_map(|call| match &call.callee {
            Callee::Method { method, .. } => Some(*method),
            Callee::Dynamic { .. } => None,
        })
    }
}

impl Touched {
    fn add(&mut self, other: &Touched) {
        self.fields.extend(&other.fields);
        self.statics.extend(&other.statics);
        self.arrays.extend(&other.arrays);
        self.any |= other.any;
    }

    /// Whether the field (under the class that declares it) is in one of the lists.
    pub fn has(&self, field: FieldRef) -> bool {
        self.fields.contains(&field) || self.statics.contains(&field)
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.statics.is_empty() && self.arrays.is_empty() && !self.any
    }
}

impl Effects {
    /// Whether the lists are all there is.
    pub fn is_exact(&self) -> bool {
        !self.cut && !self.open
    }

    /// Whether the field (under the class that declares it) may be written; always so where not all is known.
    pub fn may_write(&self, field: FieldRef) -> bool {
        !self.is_exact() || self.writes.any || self.writes.has(field)
    }

    pub fn may_read(&self, field: FieldRef) -> bool {
        !self.is_exact() || self.reads.any || self.reads.has(field)
    }
}

impl Methods {
    /// What the method may do, within the usual limits. Of an abstract method, what the methods do that implement it.
    pub fn effects(&self, method: MethodRef) -> Arc<Effects> {
        self.effects.get_or(method, || Arc::new(self.effects_within(method, Limits::default())))
    }

    /// The same within other limits, and not remembered.
    pub fn effects_within(&self, method: MethodRef, limits: Limits) -> Effects {
        let mut search = Search::new(self, limits);
        search.reach(None, Node::Method(method), true);
        search.run()
    }

    /// What a call may do that a method of the class `caller` makes.
    pub fn effects_of_call(&self, callee: &Callee, caller: ClassName, limits: Limits) -> Effects {
        let mut search = Search::new(self, limits);
        search.call(None, callee, caller, true);
        search.run()
    }

    /// The field under the class that declares it; as it is named if that class is missing.
    pub fn declared(&self, field: FieldRef) -> FieldRef {
        self.program().resolve_field(field).found().map_or(field, |found| found.reference())
    }

    /// The static initialisers that may run when the class is initialised: its own, those of its superclasses, and those of
    /// interfaces with default methods (JVMS 5.5).
    pub fn initialisers(&self, class: ClassName) -> Vec<MethodRef> {
        let program = self.program();
        let (above, _) = program.supertypes(class);
        let runs = |name: ClassName| {
            let found = program.class(name)?;
            let has_default = |method: &program::Method| {
                !method.access.is_abstract() && !method.access.is_static() && !method.is_static_initialiser()
            };
            if name != class && found.is_interface() && !found.methods.iter().any(has_default) {
                return None;
            }
            found.methods.iter().find(|method| method.is_static_initialiser()).map(program::Method::reference)
        };
        std::iter::once(class).chain(above).filter_map(runs).collect()
    }

    /// What the operations of the method itself do, calls left out; `None` if it has no code that can be lowered.
    pub fn own_effects(&self, method: MethodRef) -> Option<Arc<OwnEffects>> {
        self.own.get_or(method, || self.look_at(method).map(|unit| Arc::new(self.read_own(&unit))))
    }

    fn read_own(&self, method: &Lowered) -> OwnEffects {
        let mut own = OwnEffects::default();
        for block in &method.body.blocks {
            let escaping = self.escaping(method, block);
            for instr in &block.instrs {
                let escapes = escaping.as_ref().map_or_else(|| instr.op.can_throw(), |known| known.contains(&instr.id));
                match instr.op.call() {
                    Some((callee @ Callee::Method { .. }, _)) => {
                        own.calls.push(OwnCall { callee: callee.clone(), escapes });
                    }
                    Some((callee, _)) => self.dynamic(method, callee, escapes, &mut own),
                    None => own.throws |= escapes,
                }
                own.initialises.extend(instr.op.initialises());
                self.operation(method, &instr.op, &mut own);
            }
            own.throws |= escaping.map_or_else(|| block.end.can_throw(), |known| known.contains(&block.end_id));
        }
        own.initialises.sort_unstable();
        own.initialises.dedup();
        own
    }

    /// The operations of the block whose exceptions may leave the method; `None` if there are no handlers, so that all do.
    fn escaping(&self, method: &Lowered, block: &ir::Block) -> Option<FxHashSet<InstrId>> {
        let program = self.program();
        (!block.handlers.is_empty()).then(|| {
            let edges = method.body.exception_edges_of(block, &|sub, sup| program.is_subtype(sub, sup));
            edges.into_iter().filter(|edge| edge.escapes).map(|edge| edge.at).collect()
        })
    }

    fn operation(&self, method: &Lowered, op: &Op, own: &mut OwnEffects) {
        match op {
            Op::PutField { field, .. } => _ = own.writes.fields.insert(self.declared(*field)),
            Op::PutStatic { field, .. } => _ = own.writes.statics.insert(self.declared(*field)),
            Op::PutElement { component, value, .. } => {
                own.writes.arrays.extend(components(*component, method.body.kind_of(value)));
            }
            Op::Assign(var, value) => match value {
                Rvalue::GetField(_, field) => _ = own.reads.fields.insert(self.declared(*field)),
                Rvalue::GetStatic(field) => _ = own.reads.statics.insert(self.declared(*field)),
                Rvalue::GetElement { component, .. } => {
                    own.reads.arrays.extend(components(*component, method.body.var(*var).and_then(|info| info.kind)));
                }
                Rvalue::New(_) | Rvalue::NewArray(..) => own.allocates = true,
                // A constant that the program's own code computes.
                Rvalue::Use(Operand::Const(Const::Dynamic { bootstrap, name, descriptor })) => {
                    match Dynamic::resolve(&method.method.class, *bootstrap, *name, *descriptor) {
                        Dynamic::StaticField(field) => {
                            own.initialises.push(field.class);
                            own.reads.statics.insert(self.declared(field));
                        }
                        Dynamic::Constant(_) => {}
                        _ => own.open = true,
                    }
                }
                _ => {}
            },
            Op::Invoke(..) | Op::Guard(_) | Op::MonitorEnter(_) | Op::MonitorExit(_) => {}
        }
    }

    /// What an `invokedynamic` does by itself. Making a lambda runs nothing of it.
    fn dynamic(&self, method: &Lowered, callee: &Callee, escapes: bool, own: &mut OwnEffects) {
        own.throws |= escapes;
        own.allocates = true;
        let Callee::Dynamic { descriptor, .. } = callee else { return };
        let calls = &mut own.calls;
        let mut call = |receiver: Type, name: &str, descriptor: &str| {
            calls.extend(on_value(receiver, name, descriptor).map(|callee| OwnCall { callee, escapes }));
        };
        match method.dynamic(callee) {
            Some(Dynamic::Lambda(lambda)) => own.lambdas.extend(lambda.target().map(|(_, target)| target)),
            None => {}
            Some(Dynamic::Concat(_)) => {
                let params = MethodType::parse(descriptor.as_str()).map(|ty| ty.params).unwrap_or_default();
                params.into_iter().for_each(|ty| call(ty, "toString", "()Ljava/lang/String;"));
            }
            Some(Dynamic::Record { method, components, .. }) => {
                let (name, descriptor) = match method {
                    RecordMethod::Equals => ("equals", "(Ljava/lang/Object;)Z"),
                    RecordMethod::HashCode => ("hashCode", "()I"),
                    RecordMethod::ToString => ("toString", "()Ljava/lang/String;"),
                };
                components.iter().for_each(|(_, field)| call(field.field_type(), name, descriptor));
                own.reads.fields.extend(components.iter().map(|(_, field)| self.declared(*field)));
            }
            Some(Dynamic::TypeSwitch(labels) | Dynamic::EnumSwitch { labels, .. }) => {
                for label in labels {
                    match label {
                        SwitchLabel::Enum(class, _) => own.initialises.push(class),
                        SwitchLabel::Constant(_) => own.open = true,
                        SwitchLabel::Instance(_) | SwitchLabel::Int(_) | SwitchLabel::String(_) => {}
                    }
                }
            }
            Some(Dynamic::Constant(_) | Dynamic::StaticField(_) | Dynamic::Opaque(_) | Dynamic::Missing) => {
                own.open = true;
            }
        }
    }
}

/// The call of a method of `Object` on a value; `None` for primitive values and for strings, which run code of the JDK that
/// changes nothing.
fn on_value(receiver: Type, name: &str, descriptor: &str) -> Option<Callee> {
    let class = match receiver {
        Type::Class(class) if class.as_internal() == "java/lang/String" => return None,
        Type::Class(class) => class,
        Type::Array(_) => ClassName::object(),
        _ => return None,
    };
    let method = MethodRef { class, name: Symbol::new(name), descriptor: Symbol::new(descriptor) };
    Some(Callee::Method { kind: InvokeKind::Virtual, method, interface: false })
}

/// The types of arrays that an access may mean. Where the component is not known, the kind of the value decides; `byte` and
/// `boolean` arrays have the same instructions.
fn components(component: Option<Type>, kind: Option<ir::Kind>) -> Vec<Type> {
    match (component, kind) {
        (Some(ty), _) => vec![ty],
        (None, Some(ir::Kind::Int)) => vec![Type::Boolean, Type::Byte, Type::Char, Type::Short, Type::Int],
        (None, Some(ir::Kind::Long)) => vec![Type::Long],
        (None, Some(ir::Kind::Float)) => vec![Type::Float],
        (None, Some(ir::Kind::Double)) => vec![Type::Double],
        (None, Some(ir::Kind::Reference) | None) => vec![Type::Class(ClassName::object())],
    }
}

/// Something that runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Method(MethodRef),
    /// A lambda or method reference that this class made of a method.
    Lambda(ClassName, MethodOperand),
}

/// Walks the call graph, breadth first; initialisers come after calls.
struct Search<'a> {
    methods: &'a Methods,
    limits: Limits,
    found: Effects,
    seen: FxHashMap<Node, usize>,
    calls: VecDeque<Node>,
    initialisers: VecDeque<Node>,
    initialised: FxHashSet<ClassName>,
    /// Whether the node with this number throws by itself.
    throws: Vec<bool>,
    /// Caller and callee, where exceptions of the callee may leave the caller. What starts the search is called by nobody.
    passes: Vec<(Option<usize>, usize)>,
}

impl<'a> Search<'a> {
    fn new(methods: &'a Methods, limits: Limits) -> Self {
        Search {
            methods,
            limits,
            found: Effects::default(),
            seen: FxHashMap::default(),
            calls: VecDeque::new(),
            initialisers: VecDeque::new(),
            initialised: FxHashSet::default(),
            throws: Vec::new(),
            passes: Vec::new(),
        }
    }

    fn run(mut self) -> Effects {
        while let Some(node) = self.calls.pop_front().or_else(|| self.initialisers.pop_front()) {
            if self.found.methods >= self.limits.methods {
                self.found.cut = true;
                break;
            }
            self.found.methods += 1;
            match node {
                Node::Method(method) => self.visit(method),
                Node::Lambda(creator, operand) => self.lambda(creator, operand),
            }
        }
        self.found.throws = self.found.cut || self.found.open || self.is_thrown_out();
        self.found
    }

    fn number(&mut self, node: Node, is_initialiser: bool) -> usize {
        let next = self.seen.len();
        let number = *self.seen.entry(node).or_insert(next);
        if number == next {
            self.throws.push(false);
            if is_initialiser { &mut self.initialisers } else { &mut self.calls }.push_back(node);
        }
        number
    }

    fn reach(&mut self, from: Option<usize>, node: Node, escapes: bool) {
        let number = self.number(node, false);
        if escapes {
            self.passes.push((from, number));
        }
    }

    fn visit(&mut self, method: MethodRef) {
        let number = self.seen[&Node::Method(method)];
        let Some(own) = self.methods.own_effects(method) else { return self.without_code(number, method) };
        self.found.reads.add(&own.reads);
        self.found.writes.add(&own.writes);
        self.found.allocates |= own.allocates;
        self.found.open |= own.open;
        self.throws[number] |= own.throws;
        for call in &own.calls {
            self.call(Some(number), &call.callee, method.class, call.escapes);
        }
        for class in &own.initialises {
            self.initialise(*class);
        }
    }

    fn call(&mut self, from: Option<usize>, callee: &Callee, caller: ClassName, escapes: bool) {
        let targets = self.methods.targets(callee, caller, self.limits);
        self.take(from, &targets, escapes);
    }

    fn take(&mut self, from: Option<usize>, targets: &Targets, escapes: bool) {
        self.found.cut |= targets.cut;
        self.found.open |= targets.open;
        for method in targets.methods.iter().copied() {
            self.reach(from, Node::Method(method), escapes);
        }
        for site in &targets.lambdas {
            let Some(operand) = site.implementation else { continue };
            self.reach(from, Node::Lambda(site.creator.class, operand), escapes);
        }
    }

    /// A method reference may name a method that is overridden, or a constructor.
    fn lambda(&mut self, creator: ClassName, operand: MethodOperand) {
        let number = self.seen[&Node::Lambda(creator, operand)];
        let kind = if operand.interface { InvokeKind::Interface } else { InvokeKind::Virtual };
        let callee = Callee::Method { kind, method: operand.method, interface: operand.interface };
        match self.methods.program().resolve_method(operand.method) {
            Resolved::Found(found) if !found.access.is_static() && !found.is_constructor() => {
                self.call(Some(number), &callee, creator, true);
            }
            Resolved::Found(found) => {
                self.found.allocates |= found.is_constructor();
                self.initialise(found.class.name);
                self.reach(Some(number), Node::Method(found.reference()), true);
            }
            Resolved::Absent | Resolved::Unknown { .. } => self.found.open = true,
        }
    }

    fn initialise(&mut self, class: ClassName) {
        if self.initialised.insert(class) {
            for initialiser in self.methods.initialisers(class) {
                // What it throws becomes an error where the class is needed; that counts as the operation's own.
                self.number(Node::Method(initialiser), true);
            }
        }
    }

    fn without_code(&mut self, number: usize, method: MethodRef) {
        let Some(found) = self.methods.program().declared_method(method) else {
            self.found.open = true;
            return;
        };
        if found.access.is_abstract() {
            let kind = if found.class.is_interface() { InvokeKind::Interface } else { InvokeKind::Virtual };
            let interface = found.class.is_interface();
            self.call(Some(number), &Callee::Method { kind, method, interface }, method.class, true);
            return;
        }
        match natives::known(method) {
            Some(native) => self.native(number, native),
            None => self.found.open = true,
        }
    }

    fn native(&mut self, number: usize, native: &Native) {
        self.found.reads.add(&native.reads);
        self.found.writes.add(&native.writes);
        self.found.allocates |= native.allocates;
        self.throws[number] |= native.throws;
    }

    /// Whether an exception finds its way out of what started the search.
    fn is_thrown_out(&self) -> bool {
        let mut throws = self.throws.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for (caller, callee) in &self.passes {
                if throws[*callee] {
                    match caller {
                        None => return true,
                        Some(caller) => changed |= !std::mem::replace(&mut throws[*caller], true),
                    }
                }
            }
        }
        false
    }
}
