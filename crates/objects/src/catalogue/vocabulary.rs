//! Which words may a text contain that is given to this method? Parsers compare what they read with constants of their own,
//! in their class and in what it calls, which need not be anywhere near the crash.

use super::Catalogue;
use crate::callable::{Argument, arguments_of};
use crate::shapes::{self, Shape};
use crate::words::words_of;
use analysis::Lowered;
use ir::{Callee, Const, Op, Operand, Rvalue};
use program::classfile::Constant;
use program::{ClassName, FieldRef, Instruction, MethodRef, Type};
use recipe::JavaString;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Methods that are read for one answer, and levels of calls that are followed.
const MAX_METHODS: usize = 150;
const DEPTH: u8 = 3;
/// Words in one answer.
const MAX_WORDS: usize = 400;
/// Longer texts are messages for people.
const LONGEST: usize = 40;

impl Catalogue {
    /// The string constants and characters that the method's class and what it calls compare with, the nearest first.
    /// Nothing for methods of the JDK.
    pub fn vocabulary(&self, method: MethodRef) -> Arc<[JavaString]> {
        self.vocabularies.get_or(method, || {
            if !self.program.is_application_default(method.class) {
                return Arc::default();
            }
            let mut reader = Reader { catalogue: self, words: Vec::new(), known: FxHashSet::default() };
            reader.read_from(method);
            reader.words.into()
        })
    }

    /// The string constants of the method itself and of what it calls directly in the application: what it asks its arguments for.
    pub fn asked_words(&self, method: MethodRef) -> Arc<[JavaString]> {
        self.asked_words.get_or(method, || {
            if !self.program.is_application_default(method.class) {
                return Arc::default();
            }
            let own = self.own_words(method);
            let mut reader = Reader { catalogue: self, words: Vec::new(), known: FxHashSet::default() };
            own.words.iter().for_each(|word| reader.word(word));
            for callee in own.called.iter().filter(|callee| !callee.is_constructor()) {
                self.own_words(*callee).words.iter().for_each(|word| reader.word(word));
            }
            reader.words.into()
        })
    }

    /// Texts that the JDK's readers of numbers and dates can read, where the method, or what it calls directly, asks one of them.
    pub fn readable(&self, method: MethodRef) -> Arc<[JavaString]> {
        self.readable.get_or(method, || {
            let Some(unit) = self.methods.look_at(method) else { return Arc::default() };
            let called: Vec<MethodRef> = unit.calls().filter_map(|(callee, _)| named(callee)).collect();
            let of_program = called.iter().filter(|callee| self.program.is_application_default(callee.class));
            let further = of_program.filter_map(|callee| self.methods.look_at(*callee));
            let further: Vec<MethodRef> = further
                .flat_map(|unit| unit.calls().filter_map(|(callee, _)| named(callee)).collect::<Vec<_>>())
                .collect();
            let mut found: Vec<JavaString> = Vec::new();
            for text in called.iter().chain(&further).flat_map(|callee| read_by(*callee)) {
                let text = JavaString::new(text);
                if !found.contains(&text) {
                    found.push(text);
                }
            }
            found.into()
        })
    }

    /// What the method expects of each of its parameters, by how it takes them apart.
    pub fn shapes(&self, method: MethodRef) -> Arc<[Shape]> {
        self.shapes.get_or(method, || shapes::Reader::new(self).parameters(method).into())
    }

    /// Fields that the method reads of its own object and that no code of the class ever sets: whoever makes such an object, a
    /// container or a parser of command lines, sets them by reflection. Each with what is expected of it.
    pub fn injected(&self, method: MethodRef) -> Arc<[(FieldRef, Shape)]> {
        self.injected.get_or(method, || {
            let fields = self.unset_fields(method.class);
            let unit = if fields.is_empty() { None } else { self.read_for_shapes(method) };
            let Some(unit) = unit else { return Arc::default() };
            let mut found: Vec<(FieldRef, Shape)> = Vec::new();
            for (_, instr) in unit.body.instrs() {
                if let Op::Assign(_, Rvalue::GetField(_, field)) = &instr.op
                    && fields.contains(field)
                    && found.iter().all(|(known, _)| known != field)
                {
                    found.push((*field, shapes::Reader::new(self).field(*field)));
                }
            }
            found.into()
        })
    }

    /// What is expected of elements, keys and values of the field.
    pub fn arguments_of_field(&self, field: FieldRef) -> Box<[Argument]> {
        let class = self.program.class(field.class);
        let found = class.iter().flat_map(|class| &class.fields).find(|found| found.reference() == field);
        found
            .and_then(|found| found.signature())
            .map_or_else(Box::default, |signature| arguments_of(&signature.0, None))
    }

    fn unset_fields(&self, class: ClassName) -> Arc<[FieldRef]> {
        self.unset.get_or(class, || self.find_unset_fields(class).into())
    }

    /// The field that the method gives as it is, if it does nothing else.
    pub(crate) fn got_by(&self, method: MethodRef) -> Option<FieldRef> {
        /// Loads, a read, a cast and a return.
        const LONGEST_GETTER: u32 = 16;
        let is_candidate = method.signature().params.is_empty() && !method.is_constructor();
        let is_short = || self.code_length(method).is_some_and(|length| length <= LONGEST_GETTER);
        let find = || self.methods.look_at(method).and_then(|unit| shapes::got_by(&unit));
        self.got_by.get_or(method, || if is_candidate && is_short() { find() } else { None })
    }

    /// The code of a method, for a look at what it expects: what such looks cost on a large program has a limit, because every method that
    /// a test may call is asked about.
    pub(crate) fn read_for_shapes(&self, method: MethodRef) -> Option<Arc<Lowered>> {
        /// What is longer takes no text apart by hand: tables of parsers, large switches.
        const LONGEST: u32 = 2_000;
        /// In all of one run: about a second.
        const MOST: usize = 128 << 10;
        /// What is known is cheaper, but not for nothing: values are followed through it again.
        const AGAIN: usize = 16;
        let length = self.code_length(method).filter(|length| *length <= LONGEST)? as usize;
        let known = self.units_for_shapes.known(&method);
        let cost = if known.is_some() { length / AGAIN } else { length };
        if self.read_for_shapes.fetch_add(cost, Ordering::Relaxed) >= MOST {
            return None;
        }
        known.unwrap_or_else(|| self.units_for_shapes.get_or(method, || self.methods.look_at(method)))
    }

    pub(super) fn code_length(&self, method: MethodRef) -> Option<u32> {
        let found = self.program.declared_method(method)?;
        found.readable_code().map(|code| code.end().into())
    }

    fn find_unset_fields(&self, class: ClassName) -> Vec<FieldRef> {
        let Some(class) = self.program.class(class).filter(|class| self.program.is_application_default(class.name))
        else {
            return Vec::new();
        };
        let own = class.fields.iter().filter(|field| !field.access.is_static() && !field.access.is_final());
        let mut fields: Vec<FieldRef> = own.map(|field| field.reference()).collect();
        for method in &class.methods {
            if fields.is_empty() {
                break;
            }
            // What was not looked at may set any of them.
            if method.access.is_abstract() || method.access.is_native() {
                continue;
            }
            let Some(unit) = self.read_for_shapes(method.reference()) else { return Vec::new() };
            for (_, instr) in unit.body.instrs() {
                if let Op::PutField { field, .. } = &instr.op {
                    fields.retain(|known| known != field);
                }
            }
        }
        fields
    }

    /// The words of the names of the method and its class.
    pub fn names_of(&self, method: MethodRef) -> Vec<String> {
        words_of(method.name.as_str()).chain(words_of(method.class.simple())).collect()
    }

    /// The words of the names that a value given to the method stands under: parameter, method and class, and what the program calls
    /// it further on.
    pub fn names_around(&self, method: MethodRef, index: usize) -> Vec<String> {
        let callable = self.callable(method);
        let param = callable.iter().flat_map(|callable| callable.params.get(index));
        let own = param.flat_map(|param| param.about.iter().cloned());
        let shapes = self.shapes(method);
        let further = shapes.get(index).into_iter().flat_map(|shape| shape.about.iter().cloned());
        own.chain(further).chain(words_of(method.class.simple())).collect()
    }
}

/// What one method compares with, in the order of its code, and what it calls in the application.
#[derive(Debug, Default)]
pub(super) struct OwnWords {
    words: Vec<JavaString>,
    called: Vec<MethodRef>,
}

impl Catalogue {
    /// Many methods share most of what they call: each is read once for all of them.
    fn own_words(&self, method: MethodRef) -> Arc<OwnWords> {
        self.own_words.get_or(method, || Arc::new(self.read_words(method)))
    }

    fn read_words(&self, method: MethodRef) -> OwnWords {
        let mut own = OwnWords::default();
        let Some(found) = self.program.resolve_method(method).found() else { return own };
        for (_, instruction) in found.readable_code().into_iter().flat_map(|code| code.instructions()).flatten() {
            match &instruction {
                Instruction::Const(Constant::String(text)) => own.word(JavaString(text.utf16())),
                Instruction::Switch { cases, .. } if cases.iter().all(|(key, _)| (0..0x80).contains(key)) => {
                    cases.iter().for_each(|(key, _)| own.character(*key));
                }
                Instruction::Invoke { callee, .. } if self.program.is_application_default(callee.method.class) => {
                    own.called.push(callee.method);
                }
                _ => {}
            }
        }
        if let Some(unit) = self.methods.look_at(found.reference()) {
            unit.compared_ints().for_each(|value| own.character(value));
            unit.calls().filter_map(|(callee, args)| looked_for(callee, args)).for_each(|value| own.character(value));
        }
        own
    }
}

impl OwnWords {
    fn character(&mut self, value: i32) {
        if let Ok(unit) = u16::try_from(value)
            && (0x21..0x7F).contains(&unit)
        {
            self.word(JavaString(vec![unit]));
        }
    }

    fn word(&mut self, word: JavaString) {
        let spaces = word.0.iter().filter(|unit| **unit == u16::from(b' ')).count();
        let is_prose = spaces >= 2 && word.0.len() > 12;
        if !word.0.is_empty() && word.0.len() <= LONGEST && !is_prose {
            self.words.push(word);
        }
    }
}

struct Reader<'a> {
    catalogue: &'a Catalogue,
    words: Vec<JavaString>,
    known: FxHashSet<JavaString>,
}

impl Reader<'_> {
    /// The method, then the rest of its class, then what these call.
    fn read_from(&mut self, start: MethodRef) {
        let class = self.catalogue.program.class(start.class);
        let siblings = class.iter().flat_map(|class| class.methods.iter().map(program::Method::reference));
        let mut queue: VecDeque<(MethodRef, u8)> = std::iter::once(start).chain(siblings).map(|m| (m, 0)).collect();
        let mut seen: FxHashSet<MethodRef> = FxHashSet::default();
        while let Some((method, depth)) = queue.pop_front()
            && seen.len() < MAX_METHODS
            && self.words.len() < MAX_WORDS
        {
            if !seen.insert(method) {
                continue;
            }
            let own = self.catalogue.own_words(method);
            own.words.iter().for_each(|word| self.word(word));
            if depth < DEPTH {
                queue.extend(own.called.iter().map(|callee| (*callee, depth + 1)));
            }
        }
        self.words.truncate(MAX_WORDS);
    }

    fn word(&mut self, word: &JavaString) {
        if !self.known.contains(word) {
            self.known.insert(word.clone());
            self.words.push(word.clone());
        }
    }
}

fn named(callee: &Callee) -> Option<MethodRef> {
    match callee {
        Callee::Method { method, .. } => Some(*method),
        Callee::Dynamic { .. } => None,
    }
}

/// What a method of the JDK can read that takes a text and gives what it stands for.
pub(crate) fn read_by(method: MethodRef) -> &'static [&'static str] {
    let takes_text =
        method.signature().params.first().is_some_and(|first| {
            [Type::Class(ClassName::string()), Type::class("java/lang/CharSequence")].contains(first)
        });
    if !takes_text {
        return &[];
    }
    match method.class.as_internal() {
        "java/lang/Integer" | "java/lang/Long" | "java/lang/Short" | "java/lang/Byte" => &["1", "2", "7", "40", "2026"],
        "java/lang/Double" | "java/lang/Float" | "java/math/BigDecimal" => &["1", "2.5", "40"],
        "java/time/LocalDate" => &["2026-03-31", "2026-10-02"],
        "java/time/LocalTime" => &["12:30", "06:00"],
        "java/time/LocalDateTime" => &["2026-03-31T12:30"],
        _ => &[],
    }
}

/// The character that a text is searched for.
fn looked_for(callee: &Callee, args: &[Operand]) -> Option<i32> {
    let Callee::Method { method, .. } = callee else { return None };
    let is_search = method.class == ClassName::string() && matches!(method.name.as_str(), "indexOf" | "lastIndexOf");
    match args.get(1).filter(|_| is_search)? {
        Operand::Const(Const::Int(value)) => Some(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Catalogue;
    use crate::testing::program_of;
    use program::MethodRef;

    #[test]
    fn a_parser_s_words_are_found_from_its_entry() {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15"]), &[]);
        let layout = MethodRef::new("org/apache/log4j/PatternLayout", "<init>", "(Ljava/lang/String;)V");
        let words: Vec<String> = catalogue.vocabulary(layout).iter().map(|word| word.to_lossy()).collect();
        assert!(words.contains(&"%".to_owned()) && words.contains(&"ISO8601".to_owned()), "{words:?}");
        let jdk = MethodRef::new("java/lang/Integer", "parseInt", "(Ljava/lang/String;)I");
        assert!(catalogue.vocabulary(jdk).is_empty());
    }

    #[test]
    fn what_is_read_as_a_number_is_one() {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15"]), &[]);
        let readable = |class: &str, name: &str, descriptor: &str| {
            let method = MethodRef::new(class, name, descriptor);
            catalogue.readable(method).iter().map(|text| text.to_lossy()).collect::<Vec<_>>()
        };
        let to_int = readable("org/apache/log4j/helpers/OptionConverter", "toInt", "(Ljava/lang/String;I)I");
        assert!(to_int.contains(&"7".to_owned()), "{to_int:?}");
        let other = readable("org/apache/log4j/PatternLayout", "<init>", "(Ljava/lang/String;)V");
        assert!(other.is_empty(), "{other:?}");
    }
}
