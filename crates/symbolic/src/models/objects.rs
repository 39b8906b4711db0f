//! `Object`, `Class`, `System`, threads and checks of indices.

use super::{ARRAY_INDEX, Answer, Call, INDEX, Model, NULL, TEXT_INDEX, model};
use crate::leaves::{Leaf, Region};
use program::{FieldRef, Subtype, Type};
use smt::Term;

const CLASS: &str = "java/lang/Class";
const SYSTEM: &str = "java/lang/System";
const OBJECT: &str = "java/lang/Object";
const THREAD: &str = "java/lang/Thread";

pub(super) fn models() -> Vec<Model> {
    let mut all = vec![
        model(OBJECT, "getClass", "()Ljava/lang/Class;", |c| {
            let class = |ty| c.returns(c.world.leaf(Leaf::Class(ty)));
            Some(c.exact_type().map(class).unwrap_or_else(|| c.not_null_unknown()))
        }),
        model(OBJECT, "hashCode", "()I", |_| None),
        model(OBJECT, "notify", "()V", |c| Some(c.nothing())),
        model(OBJECT, "notifyAll", "()V", |c| Some(c.nothing())),
        model(SYSTEM, "identityHashCode", "(Ljava/lang/Object;)I", |c| {
            Some(c.endings().returns_if(c.is_null(0), c.int(0)).unknown())
        }),
        model(SYSTEM, "nanoTime", "()J", |_| None),
        model(SYSTEM, "currentTimeMillis", "()J", |_| None),
        model(SYSTEM, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", |_| None),
        model(SYSTEM, "getenv", "(Ljava/lang/String;)Ljava/lang/String;", |_| None),
        model("java/lang/Enum", "valueOf", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;", enum_constant),
        model(THREAD, "currentThread", "()Ljava/lang/Thread;", |c| Some(c.not_null_unknown())),
        model(THREAD, "sleep", "(J)V", |c| {
            let is_negative = c.terms().slt(c.args[0], c.terms().i64(0));
            Some(c.endings().throws(is_negative, super::ARGUMENT).leaves(c.state.clone(), None))
        }),
        model(THREAD, "yield", "()V", |c| Some(c.nothing())),
    ];
    all.extend(of_classes());
    all.extend(checks());
    all.extend(locks());
    all
}

fn of_classes() -> Vec<Model> {
    vec![
        model(CLASS, "desiredAssertionStatus", "()Z", |c| Some(c.returns(c.int(0)))),
        model(CLASS, "getName", "()Ljava/lang/String;", |c| {
            let name = class_name(c.class_of_leaf()?);
            Some(c.returns(c.world.literal(name.encode_utf16().collect())))
        }),
        model(CLASS, "isInstance", "(Ljava/lang/Object;)Z", |c| {
            let ty = c.class_of_leaf()?;
            let is_instance = if ty.is_reference() { c.world.is_instance(c.args[1], ty) } else { c.terms().falsity() };
            Some(c.truth(is_instance))
        }),
        model(CLASS, "isAssignableFrom", "(Ljava/lang/Class;)Z", |c| {
            let endings = c.endings().throws(c.is_null(1), NULL);
            let (Some(above), Some(Leaf::Class(below))) = (c.class_of_leaf(), c.world.leaf_of(c.args[1])) else {
                return Some(endings.unknown());
            };
            if !above.is_reference() || !below.is_reference() {
                return Some(endings.truth(c.terms().bool(above == below)));
            }
            match c.world.program().is_subtype_of(below, above) {
                Subtype::Unknown { .. } => Some(endings.unknown()),
                known => Some(endings.truth(c.terms().bool(known == Subtype::Yes))),
            }
        }),
        model(CLASS, "isArray", "()Z", |c| Some(c.truth(c.terms().bool(matches!(c.class_of_leaf()?, Type::Array(_)))))),
        model(CLASS, "isPrimitive", "()Z", |c| Some(c.truth(c.terms().bool(!c.class_of_leaf()?.is_reference())))),
        model(CLASS, "isInterface", "()Z", |c| {
            let Type::Class(class) = c.class_of_leaf()? else { return Some(c.returns(c.int(0))) };
            let class = c.world.program().class(class)?;
            Some(c.truth(c.terms().bool(class.is_interface())))
        }),
        model(CLASS, "getComponentType", "()Ljava/lang/Class;", |c| match c.class_of_leaf()? {
            Type::Array(array) => Some(c.returns(c.world.leaf(Leaf::Class(array.component())))),
            _ => Some(c.returns(c.terms().null())),
        }),
        model(CLASS, "getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;", |c| {
            let name = String::from_utf16(&c.constant_text(0)?).ok()?;
            let ty = PRIMITIVES.iter().find(|(known, _)| *known == name)?.1;
            Some(c.returns(c.world.leaf(Leaf::Class(ty))))
        }),
    ]
}

/// `Enum.valueOf`: reads names off the constants, where these are known.
fn enum_constant(call: &Call<'_>) -> Option<Vec<Answer>> {
    let endings = call.endings().throws(call.is_null(0), NULL);
    let is_enum = |class| call.world.program().class(class).is_some_and(|class| class.access.is_enum());
    let class = match call.class_of_leaf() {
        None => return Some(endings.unknown()),
        Some(Type::Class(class)) if is_enum(class) => class,
        // Before the name is looked at.
        Some(_) => return Some(endings.throws(call.terms().truth(), super::ARGUMENT).answers),
    };
    let endings = endings.throws(call.is_null(1), NULL);
    let Some(constants) = call.world.enum_constants(class) else { return Some(endings.unknown()) };
    let mut endings = endings;
    for (name, constant) in constants {
        let is_named = call.terms().eq(call.text(1), call.terms().string(name.as_str()));
        endings = endings.returns_if(is_named, constant);
    }
    Some(endings.throws(call.terms().truth(), super::ARGUMENT).answers)
}

const PRIMITIVES: [(&str, Type); 8] = [
    ("boolean", Type::Boolean),
    ("byte", Type::Byte),
    ("char", Type::Char),
    ("short", Type::Short),
    ("int", Type::Int),
    ("long", Type::Long),
    ("float", Type::Float),
    ("double", Type::Double),
];

/// As `Class.getName` has it: arrays by their descriptors.
fn class_name(ty: Type) -> String {
    match ty {
        Type::Class(class) => class.dotted(),
        Type::Array(_) => ty.descriptor().replace('/', "."),
        primitive => primitive.to_string(),
    }
}

/// Checks of indices make their messages in ways that nobody wants to follow.
fn checks() -> Vec<Model> {
    const OBJECTS: &str = "java/util/Objects";
    const INTERNAL: &str = "jdk/internal/util/Preconditions";
    const FORMATTER: &str = "Ljava/util/function/BiFunction;";
    vec![
        model(OBJECTS, "checkIndex", "(II)I", |c| Some(c.check_index(INDEX))),
        model(OBJECTS, "checkFromToIndex", "(III)I", |c| Some(c.check_range(INDEX))),
        model(OBJECTS, "checkFromIndexSize", "(III)I", |c| Some(c.check_part(INDEX))),
        model(INTERNAL, "checkIndex", &format!("(II{FORMATTER})I"), |c| Some(c.check_index(c.formatted(2)))),
        model(INTERNAL, "checkFromToIndex", &format!("(III{FORMATTER})I"), |c| Some(c.check_range(c.formatted(3)))),
        model(INTERNAL, "checkFromIndexSize", &format!("(III{FORMATTER})I"), |c| Some(c.check_part(c.formatted(3)))),
    ]
}

/// There is one thread.
fn locks() -> Vec<Model> {
    let lock = "java/util/concurrent/locks/ReentrantLock";
    vec![model(lock, "lock", "()V", |c| Some(c.nothing())), model(lock, "unlock", "()V", |c| Some(c.nothing()))]
}

impl<'a> Call<'a> {
    /// The class of the receiver where it is known exactly: a final class has no others below it.
    fn exact_type(&self) -> Option<Type> {
        let is_final = |ty: &Type| match ty {
            Type::Class(class) => self.world.program().class(*class).is_some_and(|class| class.access.is_final()),
            Type::Array(array) => !array.component().is_reference(),
            _ => false,
        };
        self.world.known_type(self.args[0]).or_else(|| self.type_of(0).filter(is_final))
    }

    /// The type that the receiver is the class object of.
    fn class_of_leaf(&self) -> Option<Type> {
        if let Some(Leaf::Class(ty)) = self.world.leaf_of(self.args[0]) { Some(ty) } else { None }
    }

    fn not_null_unknown(&'a self) -> Vec<Answer> {
        let mut answers = self.unknown();
        for answer in &mut answers {
            if let super::Outcome::Returns(Some(value)) = answer.outcome {
                let is_there = self.terms().not(self.world.is_null(value));
                answer.when = self.terms().and([answer.when, is_there]);
            }
        }
        answers
    }

    fn check_index(&'a self, exception: &str) -> Vec<Answer> {
        let (terms, at, length) = (self.terms(), self.args[0], self.args[1]);
        let holds = terms.and([terms.sle(self.int(0), at), terms.slt(at, length)]);
        self.endings().throws_unless(holds, exception).returns(at)
    }

    fn check_range(&'a self, exception: &str) -> Vec<Answer> {
        let holds = self.is_range(self.args[0], self.args[1], self.args[2]);
        self.endings().throws_unless(holds, exception).returns(self.args[0])
    }

    fn check_part(&'a self, exception: &str) -> Vec<Answer> {
        let is_there = self.terms().sle(self.int(0), self.args[2]);
        let holds = self.terms().and([is_there, self.is_part(self.args[0], self.args[1], self.args[2])]);
        self.endings().throws_unless(holds, exception).returns(self.args[0])
    }

    /// The exception that a formatter makes, which is a constant of the library.
    fn formatted(&self, at: usize) -> &'static str {
        let is_field = |name: &str| {
            let field = FieldRef::new("jdk/internal/util/Preconditions", name, "Ljava/util/function/BiFunction;");
            self.args[at] == self.formatter(field)
        };
        match () {
            () if is_field("SIOOBE_FORMATTER") => TEXT_INDEX,
            () if is_field("AIOOBE_FORMATTER") => ARRAY_INDEX,
            () => INDEX,
        }
    }

    fn formatter(&self, field: FieldRef) -> Term {
        self.state.region(self.world, Region::Static(field))
    }
}
