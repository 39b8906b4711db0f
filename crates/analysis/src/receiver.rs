//! Does a method change the object that it is called on? It does if it writes a field of the object, or of what the object's fields
//! hold, or an element of an array that they hold; by itself, or by calling such a method on the object or on something that
//! its fields hold. What a constructor sets up is not counted: there the object is new.
//!
//! A help for choosing, not a proof: values are followed through their only assignment, calls as far as the limit goes, and of an
//! abstract method the nearest implementations decide by majority. For what *may* happen ask [`Methods::effects`].

use crate::calls::{Limits, Named};
use crate::lowered::{Assignment, Lowered};
use crate::methods::Methods;
use crate::natives;
use ir::{Callee, Instr, InvokeKind, Op, Operand, Rvalue, Terminator, Var};
use program::{ClassName, FoundMethod, InstrId, MethodRef, Subtype};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Implementations of an abstract method that are looked at.
const IMPLEMENTATIONS: Limits = Limits { targets: 5, classes: 25, methods: 0 };
/// Methods that are looked at for one answer.
const MOST_METHODS: usize = 40;

/// Whose a value is, as the method sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The object itself.
    Receiver,
    /// Something that can be reached from the object's fields.
    Held,
    Other,
}

/// Whether something changes the receiver; `None` where the look ended before it told: at the limit, in a circle of calls that pass
/// the question on, in code that only throws.
type Alters = Option<bool>;

/// It does if one part does; it does not if all parts are known not to.
fn any(parts: impl Iterator<Item = Alters>) -> Alters {
    let mut all = Some(false);
    for part in parts {
        match part {
            Some(true) => return Some(true),
            Some(false) => {}
            None => all = None,
        }
    }
    all
}

impl Methods {
    /// Whether calling the method changes its receiver, as far as a short look tells.
    pub fn alters_receiver(&self, method: MethodRef) -> bool {
        self.altering.get_or(method, || {
            let Some(found) = self.program().resolve_method(method).found() else { return false };
            let is_called_on_object = !found.access.is_static() && !found.is_constructor();
            let mut search = Search { methods: self, seen: FxHashSet::default() };
            is_called_on_object && search.alters(method, &found) == Some(true)
        })
    }
}

/// What the operations of one method do to its receiver. The same few methods of collections are asked about for most of the
/// methods that call them: each is looked at once.
#[derive(Debug)]
pub(crate) enum OwnPart {
    /// There is no code to look at.
    Native { alters: bool },
    /// It can only throw.
    NeverReturns,
    /// In the order of the code; what does nothing to it is left out.
    Does(Vec<Doing>),
}

#[derive(Debug)]
pub(crate) enum Doing {
    /// Writes into the receiver, or into what it holds.
    Writes,
    /// Calls a method of the receiver.
    CallsOwn(InvokeKind, MethodRef),
    /// Calls a method of something that the receiver holds.
    CallsHeld(MethodRef),
}

impl Methods {
    fn own_part(&self, method: MethodRef) -> Arc<OwnPart> {
        self.own_parts.get_or(method, || {
            Arc::new(match self.look_at(method) {
                None => OwnPart::Native { alters: is_altering_native(self, method) },
                Some(unit) => own_part(&unit),
            })
        })
    }
}

fn own_part(unit: &Lowered) -> OwnPart {
    if !unit.body.blocks.iter().any(|block| matches!(block.end, Terminator::Return(_))) {
        return OwnPart::NeverReturns;
    }
    OwnPart::Does(unit.body.instrs().filter_map(|(_, instr)| doing(unit, instr)).collect())
}

fn doing(unit: &Lowered, instr: &Instr) -> Option<Doing> {
    let of = |operand: &Operand| whose(unit, operand, instr.id, 0);
    match &instr.op {
        Op::PutField { object, .. } => (of(object) != Of::Other).then_some(Doing::Writes),
        Op::PutElement { array, .. } => (of(array) != Of::Other).then_some(Doing::Writes),
        op => {
            let (Callee::Method { kind, method, .. }, args) = op.call()? else { return None };
            if *kind == InvokeKind::Static || method.is_constructor() {
                return None;
            }
            match of(args.first()?) {
                Of::Receiver => Some(Doing::CallsOwn(*kind, *method)),
                Of::Held => Some(Doing::CallsHeld(*method)),
                Of::Other => None,
            }
        }
    }
}

struct Search<'a> {
    methods: &'a Methods,
    seen: FxHashSet<MethodRef>,
}

impl Search<'_> {
    fn alters(&mut self, named: MethodRef, found: &FoundMethod) -> Alters {
        if !found.access.is_abstract() {
            return self.body_alters(found.reference(), named.class);
        }
        let targets = self.methods.implementations(named, named.class, IMPLEMENTATIONS).methods;
        let known: Vec<bool> = targets.into_iter().filter_map(|it| self.body_alters(it, it.class)).collect();
        let altering = known.iter().filter(|alters| **alters).count();
        (!known.is_empty()).then_some(2 * altering > known.len())
    }

    /// `class` is the receiver's.
    fn body_alters(&mut self, method: MethodRef, class: ClassName) -> Alters {
        if self.seen.len() >= MOST_METHODS || !self.seen.insert(method) {
            return None;
        }
        match &*self.methods.own_part(method) {
            OwnPart::Native { alters } => Some(*alters),
            OwnPart::NeverReturns => None,
            OwnPart::Does(all) => any(all.iter().map(|one| self.does_alter(one, method, class))),
        }
    }

    fn does_alter(&mut self, one: &Doing, method: MethodRef, class: ClassName) -> Alters {
        match *one {
            Doing::Writes => Some(true),
            Doing::CallsOwn(kind, callee) => self.own_call_alters(method.class, kind, callee, class),
            Doing::CallsHeld(callee) => {
                let found = self.methods.program().resolve_method(callee).found()?;
                self.alters(callee, &found)
            }
        }
    }

    /// A call on the object itself runs what its class has.
    fn own_call_alters(&mut self, from: ClassName, kind: InvokeKind, method: MethodRef, class: ClassName) -> Alters {
        let program = self.methods.program();
        match self.methods.named(kind, method, from) {
            Named::Fixed(targets) => any(targets.methods.into_iter().map(|target| self.body_alters(target, class))),
            Named::Dispatched(found, _) => {
                let is_below = program.is_subtype(class, method.class) == Subtype::Yes;
                let selected = is_below.then(|| program.select_virtual(class, method).found()).flatten();
                self.alters(method, &selected.unwrap_or(found))
            }
        }
    }
}

/// How many steps a value is followed.
const DEEPEST: u32 = 12;

/// Whose the operand is just before `at`. Most are told by the operation that made them; only what comes from variables needs to
/// know which assignments are current.
fn whose(unit: &Lowered, operand: &Operand, at: InstrId, depth: u32) -> Of {
    let Operand::Var(var) = operand else { return Of::Other };
    if depth > DEEPEST {
        return Of::Other;
    }
    if *var == Var::Local(0) && !unit.body.is_static && !unit.stores_to(Var::Local(0)) {
        return Of::Receiver;
    }
    let Some(Assignment::At(at, value)) = unit.only_assignment(*var, at) else { return Of::Other };
    match value {
        Rvalue::Use(inner) | Rvalue::Cast(inner, _) => whose(unit, inner, at, depth + 1),
        Rvalue::GetField(inner, _) | Rvalue::GetElement { array: inner, .. } => {
            match whose(unit, inner, at, depth + 1) {
                Of::Receiver | Of::Held => Of::Held,
                Of::Other => Of::Other,
            }
        }
        _ => Of::Other,
    }
}

/// Native methods of which nothing is known are there to do something.
fn is_altering_native(methods: &Methods, method: MethodRef) -> bool {
    let is_native = methods.program().declared_method(method).is_some_and(|found| found.access.is_native());
    is_native && natives::known(method).is_none_or(|native| !native.writes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Cache, ClassPath, Jdk, Program};
    use std::path::Path;

    #[test]
    fn collections_tell_changes_from_questions() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let class_path = ClassPath::parse([here]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let methods = Methods::new(Arc::new(program));
        let object = "Ljava/lang/Object;";
        let changes = [
            ("java/util/ArrayList", "add", format!("({object})Z")),
            ("java/util/ArrayList", "ensureCapacity", "(I)V".into()),
            ("java/util/HashMap", "put", format!("({object}{object}){object}")),
            ("java/util/HashSet", "add", format!("({object})Z")),
            ("java/util/TreeMap", "pollFirstEntry", "()Ljava/util/Map$Entry;".into()),
            ("java/util/Iterator", "next", format!("(){object}")),
            ("java/util/List", "add", format!("({object})Z")),
            ("java/util/ArrayDeque", "poll", format!("(){object}")),
            ("java/lang/StringBuilder", "append", "(C)Ljava/lang/StringBuilder;".into()),
            ("java/util/StringTokenizer", "nextToken", "()Ljava/lang/String;".into()),
        ];
        let questions = [
            ("java/util/ArrayList", "get", format!("(I){object}")),
            ("java/util/ArrayList", "size", "()I".into()),
            ("java/util/ArrayList", "toArray", format!("()[{object}")),
            ("java/util/HashMap", "containsKey", format!("({object})Z")),
            ("java/util/TreeMap", "firstKey", format!("(){object}")),
            ("java/util/Collection", "size", "()I".into()),
            ("java/lang/String", "substring", "(I)Ljava/lang/String;".into()),
            ("java/lang/StringBuilder", "toString", "()Ljava/lang/String;".into()),
            ("java/lang/StringBuilder", "length", "()I".into()),
            ("java/lang/Integer", "parseInt", "(Ljava/lang/String;)I".into()),
        ];
        let alters = |(class, name, descriptor): &(&str, &str, String)| {
            methods.alters_receiver(MethodRef::new(class, name, descriptor))
        };
        assert_eq!(changes.iter().filter(|method| !alters(method)).collect::<Vec<_>>(), Vec::<&_>::new());
        assert_eq!(questions.iter().filter(|method| alters(method)).collect::<Vec<_>>(), Vec::<&_>::new());
    }
}
