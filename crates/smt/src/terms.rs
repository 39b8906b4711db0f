//! The store of terms: hash-consing, variables, objects. Building goes through the constructors in [`build`](crate::build),
//! which simplify.

use crate::classes::{ClassId, ClassSet};
use crate::node::{BitUnary, ClassSetId, Node, Term, Var};
use crate::sort::{ArraySort, FloatSort, Sort};
use crate::value::{Reference, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// All terms of one user. `Send`, not `Sync`: see the crate's documentation for how threads work together.
#[derive(Debug)]
pub struct Terms {
    store: RefCell<Store>,
    id: u64,
}

impl Default for Terms {
    fn default() -> Terms {
        static STORES: AtomicU64 = AtomicU64::new(0);
        Terms { store: RefCell::default(), id: STORES.fetch_add(1, Ordering::Relaxed) }
    }
}

#[derive(Debug, Default)]
struct Store {
    nodes: Vec<(Node, Sort)>,
    index: FxHashMap<Node, Term>,
    vars: Vec<(Arc<str>, Sort)>,
    /// Variables that hold nothing which the code under study allocates.
    inputs: FxHashSet<Var>,
    var_index: FxHashMap<Arc<str>, Var>,
    class_sets: Vec<Arc<ClassSet>>,
    class_set_index: FxHashMap<Arc<ClassSet>, ClassSetId>,
    /// Classes of allocated objects, by number.
    objects: Vec<ClassId>,
    simplified: FxHashMap<Term, Term>,
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// Tells stores apart within the process; nothing else depends on it.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.store.borrow().nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the handle stands for. Cheap: operands are handles, longer lists are shared.
    pub fn node(&self, term: Term) -> Node {
        self.store.borrow().nodes[term.0 as usize].0.clone()
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.store.borrow().nodes[term.0 as usize].1
    }

    /// Calls `visit` with each operand.
    pub fn children(&self, term: Term, visit: impl FnMut(Term)) {
        let node = self.node(term);
        node.children(visit);
    }

    /// The term exactly as given, without simplification. Panics where operands are ill sorted, which is a mistake of the
    /// caller; constructors come here too.
    pub fn raw(&self, node: Node) -> Term {
        if let Some(known) = self.store.borrow().index.get(&node) {
            return *known;
        }
        let sort = self.sort_of(&node);
        let mut store = self.store.borrow_mut();
        let term =
            Term(u32::try_from(store.nodes.len()).expect("fewer than four thousand million terms fit in memory"));
        store.nodes.push((node.clone(), sort));
        store.index.insert(node, term);
        term
    }

    /// The term, if it was made already.
    pub(crate) fn known(&self, node: &Node) -> Option<Term> {
        self.store.borrow().index.get(node).copied()
    }

    /// The variable of that name, made if it is new. Panics where it is known with another sort.
    pub fn var(&self, name: &str, sort: Sort) -> Term {
        let known = self.store.borrow().var_index.get(name).copied();
        let var = known.unwrap_or_else(|| self.new_var(name.into(), sort));
        assert_eq!(self.var_sort(var), sort, "variable `{name}` has two sorts");
        self.raw(Node::Var(var))
    }

    /// The same for what was there before the code under study ran: a reference, or a region whose cells are references, holds no
    /// object that [`Terms::allocate`] made, and a region has zeros for such objects. Comparisons with them are decided where terms are built;
    /// [`Queries`](crate::Queries) keeps solvers to it.
    pub fn input(&self, name: &str, sort: Sort) -> Term {
        let term = self.var(name, sort);
        if let Node::Var(var) = self.node(term) {
            self.store.borrow_mut().inputs.insert(var);
        }
        term
    }

    /// Whether the term was there before the code under study ran: an input variable, or what stands in a region as it was then.
    pub fn is_input(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Var(var) => self.store.borrow().inputs.contains(&var),
            Node::Select(array, _) => matches!(self.node(array), Node::Var(_)) && self.is_input(array),
            _ => false,
        }
    }

    /// Whether this object was made by [`Terms::allocate`].
    pub(crate) fn is_new(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Reference(object) if object.is_allocated())
    }

    /// A variable that nobody has yet, with a name that begins like this.
    pub fn fresh(&self, hint: &str, sort: Sort) -> Term {
        let mut number = self.store.borrow().vars.len();
        loop {
            let name = format!("{hint}!{number}");
            if !self.store.borrow().var_index.contains_key(name.as_str()) {
                return self.var(&name, sort);
            }
            number += 1;
        }
    }

    fn new_var(&self, name: Arc<str>, sort: Sort) -> Var {
        if let Sort::Bv(width) = sort {
            assert!((1..=64).contains(&width), "bit-vectors have 1 to 64 bits, not {width}");
        }
        let mut store = self.store.borrow_mut();
        let var = Var(u32::try_from(store.vars.len()).expect("variables are terms, which fit"));
        store.vars.push((name.clone(), sort));
        store.var_index.insert(name, var);
        var
    }

    pub fn var_name(&self, var: Var) -> Arc<str> {
        self.store.borrow().vars[var.0 as usize].0.clone()
    }

    pub fn var_sort(&self, var: Var) -> Sort {
        self.store.borrow().vars[var.0 as usize].1
    }

    /// The variable that has this name.
    pub fn var_named(&self, name: &str) -> Option<Var> {
        self.store.borrow().var_index.get(name).copied()
    }

    /// A new object of that class, unlike all others.
    pub fn allocate(&self, class: ClassId) -> Term {
        let number = {
            let mut store = self.store.borrow_mut();
            store.objects.push(class);
            store.objects.len() - 1
        };
        let number = u32::try_from(number).expect("objects are terms, which fit");
        self.raw(Node::Reference(Reference::allocated(number)))
    }

    /// The class of an object that was allocated here; `None` for others.
    pub fn allocated_class(&self, object: Reference) -> Option<ClassId> {
        let known = || self.store.borrow().objects.get(object.number() as usize).copied();
        if object.is_allocated() { known() } else { None }
    }

    pub fn class_set(&self, set: &ClassSet) -> ClassSetId {
        if let Some(known) = self.store.borrow().class_set_index.get(set) {
            return *known;
        }
        let mut store = self.store.borrow_mut();
        let id = ClassSetId(u32::try_from(store.class_sets.len()).expect("sets are fewer than terms"));
        let set = Arc::new(set.clone());
        store.class_sets.push(set.clone());
        store.class_set_index.insert(set, id);
        id
    }

    pub fn classes(&self, id: ClassSetId) -> Arc<ClassSet> {
        self.store.borrow().class_sets[id.0 as usize].clone()
    }

    /// A constant of a scalar sort. Panics for arrays: their values are for models only.
    pub fn value(&self, value: &Value) -> Term {
        self.raw(match value {
            Value::Bool(value) => Node::Bool(*value),
            Value::Bv { width, bits } => Node::Bits { width: *width, bits: *bits },
            Value::F32(bits) => Node::F32(*bits),
            Value::F64(bits) => Node::F64(*bits),
            Value::Ref(reference) => Node::Reference(*reference),
            Value::Str(units) => Node::Str(units.clone()),
            Value::Array(_) => panic!("an array is no constant"),
        })
    }

    /// The value of a scalar constant.
    pub fn constant(&self, term: Term) -> Option<Value> {
        Some(match self.node(term) {
            Node::Bool(value) => Value::Bool(value),
            Node::Bits { width, bits } => Value::Bv { width, bits },
            Node::F32(bits) => Value::F32(bits),
            Node::F64(bits) => Value::F64(bits),
            Node::Reference(reference) => Value::Ref(reference),
            Node::Str(units) => Value::Str(units),
            _ => return None,
        })
    }

    pub(crate) fn simplified(&self, term: Term) -> Option<Term> {
        self.store.borrow().simplified.get(&term).copied()
    }

    pub(crate) fn remember_simplified(&self, term: Term, simple: Term) {
        self.store.borrow_mut().simplified.insert(term, simple);
    }

    fn sort_of(&self, node: &Node) -> Sort {
        use Node::*;
        let require = |holds: bool| {
            if !holds {
                ill_sorted(node)
            }
        };
        let width = |term: Term| self.sort(term).width().unwrap_or_else(|| ill_sorted(node));
        let float = |term: Term| self.sort(term).float().unwrap_or_else(|| ill_sorted(node));
        let is = |term: Term, sort: Sort| require(self.sort(term) == sort);
        match node {
            Bool(_) => Sort::Bool,
            Bits { width, .. } => Sort::Bv(*width),
            F32(_) => Sort::F32,
            F64(_) => Sort::F64,
            Reference(_) => Sort::Ref,
            Str(_) => Sort::Str,
            Var(var) => self.var_sort(*var),
            Not(a) => {
                is(*a, Sort::Bool);
                Sort::Bool
            }
            And(all) | Or(all) => {
                all.iter().for_each(|a| is(*a, Sort::Bool));
                Sort::Bool
            }
            Eq(a, b) => {
                is(*b, self.sort(*a));
                Sort::Bool
            }
            Ite(c, a, b) => {
                is(*c, Sort::Bool);
                is(*b, self.sort(*a));
                self.sort(*a)
            }
            BitUnary(self::BitUnary::Not | self::BitUnary::Neg, a) => Sort::Bv(width(*a)),
            BitBinary(_, a, b) => {
                require(width(*a) == width(*b));
                self.sort(*a)
            }
            BitCompare(_, a, b) => {
                require(width(*a) == width(*b));
                Sort::Bool
            }
            Extract { high, low, of } => {
                require(high >= low && *high < width(*of));
                Sort::Bv(high - low + 1)
            }
            Join(a, b) => {
                require(width(*a) + width(*b) <= 64);
                Sort::Bv(width(*a) + width(*b))
            }
            Extend { width: to, of, .. } => {
                require(width(*of) <= *to && *to <= 64);
                Sort::Bv(*to)
            }
            FloatUnary(_, a) => float(*a).into(),
            FloatBinary(_, a, b) => {
                require(float(*a) == float(*b));
                self.sort(*a)
            }
            FloatCompare(_, a, b) => {
                require(float(*a) == float(*b));
                Sort::Bool
            }
            IsNan(a) => {
                float(*a);
                Sort::Bool
            }
            FloatOfSigned { to, of } => {
                width(*of);
                (*to).into()
            }
            SignedOfFloat { width, of } => {
                float(*of);
                require((1..=64).contains(width));
                Sort::Bv(*width)
            }
            FloatOfFloat { to, of } => {
                float(*of);
                (*to).into()
            }
            FloatOfBits(a) => FloatSort::of_width(width(*a)).unwrap_or_else(|| ill_sorted(node)).into(),
            BitsOfFloat(a) => Sort::Bv(float(*a).width()),
            _ => self.sort_of_object_or_text(node),
        }
    }

    fn sort_of_object_or_text(&self, node: &Node) -> Sort {
        use Node::*;
        let is = |term: Term, sort: Sort| {
            if self.sort(term) != sort {
                ill_sorted(node)
            }
        };
        let array = |term: Term, index: &crate::node::Index| -> ArraySort {
            let Sort::Array(array) = self.sort(term) else { ill_sorted(node) };
            is(index.0, array.first.into());
            match (index.1, array.second) {
                (None, None) => {}
                (Some(second), Some(sort)) => is(second, sort.into()),
                _ => ill_sorted(node),
            }
            array
        };
        match node {
            IsAllocated(a) | ClassIn(a, _) => {
                is(*a, Sort::Ref);
                Sort::Bool
            }
            Select(a, i) => array(*a, i).element.into(),
            Store(a, i, v) => {
                is(*v, array(*a, i).element.into());
                self.sort(*a)
            }
            Filled(sort, v) => {
                is(*v, sort.element.into());
                Sort::Array(*sort)
            }
            Length(a) => {
                is(*a, Sort::Str);
                Sort::Bv(32)
            }
            UnitAt(a, i) => {
                is(*a, Sort::Str);
                is(*i, Sort::Bv(32));
                Sort::Bv(16)
            }
            Unit(a) => {
                is(*a, Sort::Bv(16));
                Sort::Str
            }
            Concat(a, b) => {
                is(*a, Sort::Str);
                is(*b, Sort::Str);
                Sort::Str
            }
            Substring(a, from, to) => {
                is(*a, Sort::Str);
                is(*from, Sort::Bv(32));
                is(*to, Sort::Bv(32));
                Sort::Str
            }
            IndexOf(a, b, from) => {
                is(*a, Sort::Str);
                is(*b, Sort::Str);
                is(*from, Sort::Bv(32));
                Sort::Bv(32)
            }
            StartsWith(a, b) | EndsWith(a, b) | Contains(a, b) => {
                is(*a, Sort::Str);
                is(*b, Sort::Str);
                Sort::Bool
            }
            Decimal(a) => {
                if !matches!(self.sort(*a), Sort::Bv(32 | 64)) {
                    ill_sorted(node);
                }
                Sort::Str
            }
            IsDecimal { width, of } | OfDecimal { width, of } => {
                is(*of, Sort::Str);
                if !matches!(width, 32 | 64) {
                    ill_sorted(node);
                }
                if matches!(node, IsDecimal { .. }) { Sort::Bool } else { Sort::Bv(*width) }
            }
            _ => ill_sorted(node),
        }
    }
}

fn ill_sorted(node: &Node) -> ! {
    panic!("ill-sorted term: {node:?}")
}
