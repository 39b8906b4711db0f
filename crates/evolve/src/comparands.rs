//! Which constants does a branch compare with? A candidate that was turned away at a branch on the way may pass it with one of
//! them somewhere in its values, and there are few enough to try.
//!
//! Looks at what the compared values were made of: constants, arguments of calls, fields that are read.

use analysis::{Lowered, Methods, Value};
use ir::{Const, Operand, Operation, Terminator};
use program::{CodePoint, FieldRef};
use recipe::JavaString;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The constants around one branch.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Comparands {
    pub(crate) words: Vec<JavaString>,
    pub(crate) numbers: Vec<i64>,
    /// Fields that are read for it.
    pub(crate) fields: Vec<FieldRef>,
}

/// Answers that were given before.
#[derive(Debug, Default)]
pub(crate) struct Known(FxHashMap<CodePoint, Arc<Comparands>>);

/// Cases of a switch.
const CASES: usize = 40;
const LONGEST_WORD: usize = 60;

impl Known {
    pub(crate) fn at(&mut self, branch: CodePoint, methods: &Methods) -> Arc<Comparands> {
        let read = || methods.get(branch.method).map(|unit| Comparands::read(&unit, branch.at.bci)).unwrap_or_default();
        self.0.entry(branch).or_insert_with(|| Arc::new(read())).clone()
    }
}

impl Comparands {
    fn read(unit: &Lowered, bci: u16) -> Comparands {
        let mut found = Comparands::default();
        let Some(block) = unit.body.block_of(bci).map(|block| unit.body.block(block)) else { return found };
        match unit.body.operation_at(block.end_id) {
            Some(Operation::End(Terminator::Switch { cases, .. })) => {
                cases.iter().take(CASES).for_each(|(key, _)| found.number((*key).into()));
            }
            Some(Operation::End(Terminator::If { left, right, .. })) => {
                let values = unit.values();
                found.value(&values.of(left, block.end_id));
                // Comparing with zero is how a branch takes a truth value or the outcome of a comparison.
                if *right != Operand::Const(Const::Int(0)) {
                    found.value(&values.of(right, block.end_id));
                }
                if found.words.is_empty() && found.numbers.is_empty() {
                    found.numbers.push(0);
                }
            }
            _ => {}
        }
        found
    }

    /// Takes the constants and fields that a value was made of.
    fn value(&mut self, value: &Value) {
        match value {
            Value::Const(constant) => self.constant(constant),
            Value::Field { object, field, .. } => {
                self.value(object);
                self.field(*field);
            }
            Value::Static { field, .. } => self.field(*field),
            Value::Element { array: one, index: other, .. }
            | Value::Binary(_, one, other)
            | Value::ThreeWay(_, one, other) => {
                self.value(one);
                self.value(other);
            }
            Value::Length(inner)
            | Value::Negate(inner)
            | Value::Convert(inner, _)
            | Value::Cast(inner, _)
            | Value::InstanceOf(inner, _) => self.value(inner),
            Value::Call { args, .. } => args.iter().for_each(|arg| self.value(arg)),
            Value::NewArray { .. }
            | Value::New { .. }
            | Value::Caught { .. }
            | Value::This
            | Value::Param(_)
            | Value::Var { .. } => {}
        }
    }

    fn field(&mut self, field: FieldRef) {
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Int(value) => self.number((*value).into()),
            Const::Long(value) => self.number(*value),
            Const::String(text) => {
                let word = JavaString(text.utf16());
                if (1..=LONGEST_WORD).contains(&word.0.len()) && !self.words.contains(&word) {
                    self.words.push(word);
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, value: i64) {
        if !self.numbers.contains(&value) {
            self.numbers.push(value);
        }
        let unit = u16::try_from(value).ok().filter(|unit| matches!(unit, 0x09..=0x0D | 0x20..=0x7E));
        if let Some(word) = unit.map(|unit| JavaString(vec![unit])).filter(|word| !self.words.contains(word)) {
            self.words.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Cache, ClassPath, Jdk, MethodRef, Program};

    /// The branches of a method of the JDK with what they compare with.
    fn comparands(class: &str, name: &str, descriptor: &str) -> Vec<Comparands> {
        let class_path = ClassPath::parse([env!("CARGO_MANIFEST_DIR")]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let unit = Methods::new(Arc::new(program)).get(MethodRef::new(class, name, descriptor)).unwrap();
        let branches = unit.body.blocks.iter().filter(|block| block.successors().len() > 1);
        branches.map(|block| Comparands::read(&unit, block.end_id.bci)).collect()
    }

    #[test]
    fn a_branch_compares_with_what_its_values_were_made_of() {
        let bounds = comparands("java/util/BitSet", "get", "(I)Z");
        let size = FieldRef::new("java/util/BitSet", "wordsInUse", "I");
        assert_eq!(bounds[0].numbers, [0], "compared with nothing, it is compared with zero");
        assert!(bounds.iter().any(|branch| branch.fields.contains(&size)), "{bounds:?}");
        let hexadecimal = comparands("java/lang/Integer", "decode", "(Ljava/lang/String;)Ljava/lang/Integer;");
        let words: Vec<String> =
            hexadecimal.iter().flat_map(|branch| branch.words.iter().map(|word| word.to_lossy())).collect();
        for word in ["-", "+", "0x", "#"] {
            assert!(words.contains(&word.to_owned()), "{words:?}");
        }
        // What another branch compares with is another matter.
        let sign = hexadecimal.iter().find(|branch| branch.words.contains(&JavaString::new("-"))).unwrap();
        assert!(!sign.words.contains(&JavaString::new("0x")), "{sign:?}");
    }
}
