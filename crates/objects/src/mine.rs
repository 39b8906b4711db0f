//! Which constants, types and methods does the code near the crash know? Reads the bytecode of the methods of the trace, of
//! their classes, and of what they call, and fills a [`Pool`] with what it finds.

use crate::pool::{Origin, Pool, Reflects, is_generic_type};
use crate::registered;
use crate::words::words_of;
use analysis::Methods;
use ir::{Callee, Const, Operand};
use program::classfile::Constant;
use program::{Class, ClassName, Instruction, Method, MethodRef, Program, Type};
use recipe::JavaString;
use rustc_hash::FxHashSet;

/// Longer texts are messages for people, not values that the code compares with.
const MAX_STRING: usize = 60;
/// Methods called from the trace that are read as well.
const MAX_CALLED: usize = 200;

/// Adds what the methods of the trace know, and with less weight what the code around them knows.
pub fn mine(methods: &Methods, trace: &[MethodRef], pool: &mut Pool) {
    let program = methods.program();
    let mut miner = Miner { methods, pool, words: Vec::new(), read: FxHashSet::default() };
    for method in trace {
        // Class names are values where classes are loaded by name.
        miner.pool.add_string(&JavaString::new(&method.class.dotted()), Origin::Near);
        miner.words.extend(words_of(method.class.simple()).chain(words_of(method.name.as_str())));
        miner.method(*method, Origin::Trace);
    }
    let spoken_of: FxHashSet<String> = miner.words.iter().cloned().collect();
    miner.pool.bias_towards(&spoken_of);
    // What surrounds a class knows what it is for.
    let mut classes: Vec<ClassName> = trace.iter().flat_map(|method| around(method.class)).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes.into_iter().filter(|class| program.is_application_default(*class)) {
        miner.class(class);
    }
    let mut called: Vec<MethodRef> = trace.iter().flat_map(|method| called_by(program, *method)).collect();
    called.sort_unstable();
    called.dedup();
    for method in called.into_iter().take(MAX_CALLED) {
        miner.method(method, Origin::Near);
    }
    let words = std::mem::take(&mut miner.words);
    add_registered(program, trace, pool);
    pool.add_words(words.iter().map(String::as_str));
    if library_reflects(program, trace) {
        pool.set_reflects(Reflects::Elsewhere);
    }
    if library_dissects_types(program, trace) {
        pool.set_dissects_types(Reflects::Elsewhere);
    }
}

/// Names under which the program itself knows classes of the trace, and what documents say to use them.
fn add_registered(program: &Program, trace: &[MethodRef], pool: &mut Pool) {
    let mut classes: Vec<ClassName> = trace.iter().map(|method| method.class).collect();
    classes.sort_unstable();
    classes.dedup();
    for registered in registered::registered(program, &classes) {
        pool.add_string(&JavaString::new(&registered.name), Origin::Trace);
        for element in registered::elements(program, &registered) {
            pool.add_fragment(&element, Origin::Near);
        }
    }
}

/// Whether code of the packages that the trace is in asks objects for their properties. What maps or binds objects does so in
/// a part of its own, which is seldom near the place that crashes.
fn library_reflects(program: &Program, trace: &[MethodRef]) -> bool {
    let asks = [
        MethodRef::new("java/beans/Introspector", "getBeanInfo", "(Ljava/lang/Class;)Ljava/beans/BeanInfo;"),
        MethodRef::new("java/lang/Class", "getMethods", "()[Ljava/lang/reflect/Method;"),
        MethodRef::new("java/lang/Class", "getDeclaredMethods", "()[Ljava/lang/reflect/Method;"),
        MethodRef::new("java/lang/Class", "getDeclaredFields", "()[Ljava/lang/reflect/Field;"),
    ];
    is_called_beside(program, trace, &asks)
}

/// Whether code of these packages asks types for their arguments.
fn library_dissects_types(program: &Program, trace: &[MethodRef]) -> bool {
    let class = "java/lang/reflect/ParameterizedType";
    is_called_beside(program, trace, &[MethodRef::new(class, "getActualTypeArguments", "()[Ljava/lang/reflect/Type;")])
}

/// Whether code of the packages that the trace is in calls one of the methods.
fn is_called_beside(program: &Program, trace: &[MethodRef], methods: &[MethodRef]) -> bool {
    let libraries: FxHashSet<&str> =
        trace.iter().filter(|method| !program.is_jdk(method.class)).map(|method| library(method.class)).collect();
    let classes: Vec<ClassName> = trace.iter().map(|method| method.class).collect();
    let nearness = program.nearness(&classes);
    let is_near = |method: &MethodRef| {
        program.is_called_near(*method, &nearness, |class| libraries.contains(library(ClassName::internal(class))))
    };
    methods.iter().any(is_near)
}

/// The first three parts of the package.
fn library(class: ClassName) -> &'static str {
    const PARTS: usize = 3;
    let package = class.package();
    package.match_indices('/').nth(PARTS - 1).map_or(package, |(end, _)| &package[..end])
}

/// The class and those that it is nested in.
fn around(class: ClassName) -> impl Iterator<Item = ClassName> {
    let name = class.as_internal();
    let outer = name.char_indices().filter(|(at, c)| *c == '$' && *at > 0).map(|(at, _)| &name[..at]);
    std::iter::once(class).chain(outer.map(ClassName::internal))
}

struct Miner<'a> {
    methods: &'a Methods,
    pool: &'a mut Pool,
    words: Vec<String>,
    read: FxHashSet<MethodRef>,
}

impl Miner<'_> {
    fn class(&mut self, name: ClassName) {
        let Some(class) = self.methods.program().class(name) else { return };
        for method in &class.methods {
            self.method(method.reference(), Origin::Near);
        }
        for constant in class.fields.iter().filter_map(|field| field.constant_value().ok().flatten()) {
            self.constant(&constant, Origin::Near);
        }
    }

    fn method(&mut self, method: MethodRef, origin: Origin) {
        if !self.read.insert(method) {
            return;
        }
        let Some(found) = self.methods.program().resolve_method(method).found() else { return };
        self.code(&found.class, &found, origin);
    }

    fn code(&mut self, class: &Class, method: &Method, origin: Origin) {
        let Some(code) = method.readable_code() else { return };
        for (_, instruction) in code.instructions().flatten() {
            self.instruction(class, &instruction, origin);
        }
        let Some(unit) = self.methods.look_at(method.reference()) else { return };
        for value in unit.compared_ints() {
            self.compared(value, origin);
        }
        for (callee, args) in unit.calls() {
            if let (Callee::Method { method, .. }, Some(Operand::Const(Const::String(key)))) = (callee, args.first())
                && reads_property(*method)
            {
                self.pool.add_property(&JavaString(key.utf16()), origin);
            }
        }
    }

    fn instruction(&mut self, class: &Class, instruction: &Instruction, origin: Origin) {
        match instruction {
            Instruction::Const(constant) => self.constant(constant, origin),
            Instruction::Switch { cases, .. } => self.switch(cases, origin),
            Instruction::CheckCast(ty) | Instruction::InstanceOf(ty) => {
                self.pool.add_type(*ty, origin);
                if ty.as_class().is_some_and(is_generic_type) {
                    self.pool.set_dissects_types(Reflects::AtTheCrash);
                }
            }
            Instruction::New(ty) if origin == Origin::Trace => self.pool.add_type(*ty, Origin::Near),
            // What is put into the array comes from somewhere: a collection that does not say what it holds.
            Instruction::NewArray { component: ty @ Type::Class(_) } if origin == Origin::Trace => {
                self.pool.add_type(*ty, Origin::Near);
            }
            Instruction::Invoke { callee, .. } => self.pool.add_called(callee.method),
            Instruction::InvokeDynamic { bootstrap, .. } => {
                let arguments =
                    class.bootstrap_methods.get(usize::from(*bootstrap)).map(|method| method.arguments.clone());
                arguments.into_iter().flatten().for_each(|argument| self.constant(&argument, origin));
            }
            _ => {}
        }
    }

    fn constant(&mut self, constant: &Constant, origin: Origin) {
        match constant {
            Constant::Int(value) => self.pool.add_int((*value).into(), origin),
            Constant::Long(value) => self.pool.add_int(*value, origin),
            Constant::Float(value) => self.pool.add_float((*value).into(), origin),
            Constant::Double(value) => self.pool.add_float(*value, origin),
            Constant::String(text) => self.string(text.text(), &JavaString(text.utf16()), origin),
            Constant::Class(ty) => self.pool.add_type(*ty, origin),
            Constant::Null | Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic { .. } => {}
        }
    }

    fn string(&mut self, text: &str, exact: &JavaString, origin: Origin) {
        self.words.extend(words_of(text).take(8));
        let is_prose = text.len() > 20 && text.matches(' ').count() >= 2;
        if text.len() <= MAX_STRING && !is_prose {
            self.pool.add_string(exact, origin);
        }
    }

    /// A number that something is compared with: its neighbours are on the other side; it may be a character.
    fn compared(&mut self, value: i32, origin: Origin) {
        for near in [value.wrapping_sub(1), value.wrapping_add(1)] {
            self.pool.add_int(near.into(), origin);
        }
        self.character(value, origin);
    }

    fn switch(&mut self, cases: &[(i32, u16)], origin: Origin) {
        // A switch over strings compares hash codes, which are nobody's values.
        let is_by_hash = cases.iter().any(|(key, _)| key.unsigned_abs() > 0xFFFF);
        if is_by_hash {
            return;
        }
        for (key, _) in cases.iter().take(64) {
            self.pool.add_int((*key).into(), origin);
            self.character(*key, origin);
        }
    }

    fn character(&mut self, value: i32, origin: Origin) {
        if let Ok(unit) = u16::try_from(value)
            && matches!(unit, 0x09..=0x0D | 0x20..=0x7E)
        {
            self.pool.add_char(unit, origin);
            self.pool.add_string(&JavaString(vec![unit]), Origin::Near);
        }
    }
}

fn reads_property(method: MethodRef) -> bool {
    matches!(
        (method.class.as_internal(), method.name.as_str()),
        ("java/lang/System", "getProperty")
            | ("java/lang/Boolean", "getBoolean")
            | ("java/lang/Integer", "getInteger")
            | ("java/lang/Long", "getLong")
    )
}

/// Methods of the application that the method calls, as far as static types tell.
fn called_by(program: &Program, method: MethodRef) -> Vec<MethodRef> {
    let Some(found) = program.resolve_method(method).found() else { return Vec::new() };
    let instructions = found.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
    let called = instructions.filter_map(|(_, instruction)| match instruction {
        Instruction::Invoke { callee, .. } => Some(callee.method),
        _ => None,
    });
    called.filter(|callee| program.is_application_default(callee.class)).collect()
}

/// Types that values are cast to or tested for in a method: what a parameter declared as `Object` may really be.
pub(crate) fn cast_types(program: &Program, method: MethodRef) -> Vec<Type> {
    let Some(found) = program.resolve_method(method).found() else { return Vec::new() };
    let instructions = found.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
    let mut types: Vec<Type> = instructions
        .filter_map(|(_, instruction)| match instruction {
            Instruction::CheckCast(ty) | Instruction::InstanceOf(ty) => Some(ty),
            _ => None,
        })
        .collect();
    types.sort_unstable();
    types.dedup();
    types
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program_of;

    #[test]
    fn the_pattern_parser_s_characters_and_words_are_found() {
        let program = program_of(&["log4j/log4j/1.2.15"]);
        let parser = "org/apache/log4j/helpers/PatternParser";
        let mut pool = Pool::general();
        mine(&Methods::new(program.clone()), &[MethodRef::new(parser, "finalizeConverter", "(C)V")], &mut pool);
        let chars = pool.chars();
        assert!("cdFlLmMprtxX".encode_utf16().all(|c| chars.contains(&c)), "{chars:?}");
        let strings = pool.strings();
        assert!(
            ["ABSOLUTE", "DATE", "ISO8601"].iter().all(|word| strings.contains(&JavaString::new(word))),
            "{strings:?}"
        );
        assert!(pool.types().contains(&Type::class("org/apache/log4j/helpers/PatternParser$MDCPatternConverter")));
    }

    #[test]
    fn property_names_are_found() {
        let program = program_of(&["org.apache.ant/ant/1.8.1"]);
        let class = "org/apache/tools/ant/taskdefs/condition/Os";
        let mut pool = Pool::general();
        mine(&Methods::new(program.clone()), &[MethodRef::new(class, "<clinit>", "()V")], &mut pool);
        assert!(pool.properties().contains(&JavaString::new("os.name")), "{:?}", pool.properties());
    }

    #[test]
    fn code_that_takes_types_apart_is_noticed() {
        let program = program_of(&["com.google.guava/guava/33.1.0-jre", "com.google.guava/failureaccess/1.0.2"]);
        let generics = |class: &str, name: &str, descriptor: &str| {
            let mut pool = Pool::general();
            mine(&Methods::new(program.clone()), &[MethodRef::new(class, name, descriptor)], &mut pool);
            pool.dissects_types()
        };
        let resolve = "(Ljava/lang/reflect/Type;)Ljava/lang/reflect/Type;";
        let at_the_crash = generics("com/google/common/reflect/TypeResolver", "resolveType", resolve);
        let elsewhere =
            generics("com/google/common/base/Splitter", "trimResults", "()Lcom/google/common/base/Splitter;");
        assert_eq!((at_the_crash, elsewhere), (Reflects::AtTheCrash, Reflects::Elsewhere));
        assert_eq!(Pool::general().dissects_types(), Reflects::No);
    }

    #[test]
    fn what_an_array_is_made_for_is_a_type_near_the_crash() {
        let program = program_of(&["log4j/log4j/1.2.15"]);
        let mut pool = Pool::general();
        mine(
            &Methods::new(program.clone()),
            &[MethodRef::new("org/apache/log4j/AsyncAppender$Dispatcher", "run", "()V")],
            &mut pool,
        );
        assert!(pool.types().contains(&Type::class("org/apache/log4j/spi/LoggingEvent")), "{:?}", pool.types());
    }

    #[test]
    fn elements_that_the_program_has_a_class_of_the_trace_for_are_found() {
        let program = program_of(&["org.apache.ant/ant/1.8.1"]);
        let mut pool = Pool::general();
        mine(
            &Methods::new(program.clone()),
            &[MethodRef::new("org/apache/tools/ant/taskdefs/ImportTask", "execute", "()V")],
            &mut pool,
        );
        assert!(pool.fragments().items().iter().any(|text| text.expanded().to_lossy().starts_with("<import ")));
    }
}
