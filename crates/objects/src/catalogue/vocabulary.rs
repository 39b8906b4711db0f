//! Which words may a text contain that is given to this method? Parsers compare what they read with constants of their own,
//! in their class and in what it calls, which need not be anywhere near the crash.

use super::Catalogue;
use program::classfile::Constant;
use program::{Instruction, MethodRef};
use recipe::JavaString;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;

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
}

struct Reader<'a> {
    catalogue: &'a Catalogue,
    words: Vec<JavaString>,
    known: FxHashSet<JavaString>,
}

impl Reader<'_> {
    /// The method, then the rest of its class, then what these call.
    fn read_from(&mut self, start: MethodRef) {
        let program = self.catalogue.program.clone();
        let siblings = program.class(start.class).into_iter().flat_map(|class| {
            let methods: Vec<MethodRef> = class.methods.iter().map(program::Method::reference).collect();
            methods
        });
        let mut queue: VecDeque<(MethodRef, u8)> = std::iter::once(start).chain(siblings).map(|m| (m, 0)).collect();
        let mut seen: FxHashSet<MethodRef> = FxHashSet::default();
        while let Some((method, depth)) = queue.pop_front()
            && seen.len() < MAX_METHODS
            && self.words.len() < MAX_WORDS
        {
            if !seen.insert(method) {
                continue;
            }
            let called = self.method(method);
            if depth < DEPTH {
                queue.extend(called.into_iter().map(|callee| (callee, depth + 1)));
            }
        }
        self.words.truncate(MAX_WORDS);
    }

    /// Takes the words of one method; gives what it calls in the application.
    fn method(&mut self, method: MethodRef) -> Vec<MethodRef> {
        let program = self.catalogue.program.clone();
        let Some(found) = program.resolve_method(method).found() else { return Vec::new() };
        let mut called = Vec::new();
        for (_, instruction) in found.readable_code().into_iter().flat_map(|code| code.instructions()).flatten() {
            match &instruction {
                Instruction::Const(Constant::String(text)) => self.word(JavaString(text.utf16())),
                Instruction::Switch { cases, .. } if cases.iter().all(|(key, _)| (0..0x80).contains(key)) => {
                    cases.iter().for_each(|(key, _)| self.character(*key));
                }
                Instruction::Invoke { callee, .. } if program.is_application_default(callee.method.class) => {
                    called.push(callee.method);
                }
                _ => {}
            }
        }
        for value in self.catalogue.methods.look_at(found.reference()).iter().flat_map(|unit| unit.compared_ints()) {
            self.character(value);
        }
        called
    }

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
        if !word.0.is_empty() && word.0.len() <= LONGEST && !is_prose && self.known.insert(word.clone()) {
            self.words.push(word);
        }
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
}
