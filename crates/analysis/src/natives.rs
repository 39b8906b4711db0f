//! What native methods do that are known: the table in `natives.txt`.

use crate::effects::Touched;
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

#[derive(Debug, Default)]
pub(crate) struct Native {
    pub(crate) reads: Touched,
    pub(crate) writes: Touched,
    pub(crate) allocates: bool,
    pub(crate) throws: bool,
}

type Table = FxHashMap<(ClassName, Symbol), Native>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let lines = include_str!("natives.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| entry(line).unwrap_or_else(|| panic!("natives.txt: `{line}`"))).collect()
});

/// What the native method does; `None` if that is not known.
pub(crate) fn known(method: MethodRef) -> Option<&'static Native> {
    TABLE.get(&(method.class, method.name))
}

fn entry(line: &str) -> Option<((ClassName, Symbol), Native)> {
    let mut words = line.split_whitespace();
    let class = ClassName::internal(words.next()?);
    let name = Symbol::new(words.next()?);
    let mut native = Native::default();
    for word in words {
        native.add(class, word)?;
    }
    Some(((class, name), native))
}

impl Native {
    fn add(&mut self, class: ClassName, word: &str) -> Option<()> {
        match word {
            "pure" => {}
            "allocates" => self.allocates = true,
            "throws" => self.throws = true,
            "reads-any" => self.reads.any = true,
            "writes-any" => self.writes.any = true,
            "reads-arrays" => self.reads.arrays.extend(any_array()),
            "writes-arrays" => self.writes.arrays.extend(any_array()),
            other => {
                let (name, descriptor) = other.strip_prefix("writes:")?.split_once(':')?;
                let field = FieldRef { class, name: Symbol::new(name), descriptor: Symbol::new(descriptor) };
                self.writes.fields.insert(field);
            }
        }
        Some(())
    }
}

fn any_array() -> [Type; 9] {
    use Type::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    [Boolean, Byte, Char, Short, Int, Long, Float, Double, Type::Class(ClassName::object())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Cache, ClassPath, Jdk, Program};
    use std::path::Path;

    /// Every entry is read, and the JDK that is there has most of them, as natives.
    #[test]
    fn the_table_is_about_natives_of_the_jdk() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let class_path = ClassPath::parse([here]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let is_native = |(class, name): &&(ClassName, Symbol)| {
            let class = program.class(*class);
            class.is_some_and(|class| class.methods.iter().any(|m| m.name == *name && m.access.is_native()))
        };
        let there = TABLE.keys().filter(is_native).count();
        assert!(there * 10 > TABLE.len() * 8, "{there} of {}", TABLE.len());
    }
}
