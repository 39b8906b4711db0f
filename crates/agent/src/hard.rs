//! Which functions of the JDK can no solver follow? SymCrash, section 3.2, its rules about strings, natives and libraries; what it
//! says about the application's own methods needs their code and is the command line's to find out, which hands it over in a file.

use std::collections::{BTreeMap, BTreeSet};

/// Why a function is hard. The names are SymCrash's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    ComplexString,
    NativeMathematics,
    /// The clock, chance, properties of the system.
    Environment,
    Hashing,
    /// No body to analyse.
    Native,
    NestedPredicates,
    Recursion,
    Loop,
    /// The user says so.
    Asked,
}

impl Reason {
    pub fn text(self) -> &'static str {
        match self {
            Reason::ComplexString => "a string operation that solvers lack",
            Reason::NativeMathematics => "native mathematics",
            Reason::Environment => "depends on the clock, on chance or on the system",
            Reason::Hashing => "a hash",
            Reason::Native => "has no body that can be analysed",
            Reason::NestedPredicates => "predicates are nested deeper than 10",
            Reason::Recursion => "recursion",
            Reason::Loop => "a loop with conditional or nested updates whose rounds depend on its input",
            Reason::Asked => "asked for",
        }
    }
}

/// Class and methods, with a reason. Every overload is meant unless there is a descriptor.
const KNOWN: [(&str, &[&str], Reason); 17] = [
    (
        "java/lang/String",
        &[
            "replace",
            "replaceAll",
            "replaceFirst",
            "split",
            "format",
            "formatted",
            "matches",
            "join",
            "repeat",
            "strip",
        ],
        Reason::ComplexString,
    ),
    ("java/lang/String", &["valueOf", "toLowerCase", "toUpperCase", "intern"], Reason::ComplexString),
    ("java/lang/String", &["hashCode"], Reason::Hashing),
    (
        "java/lang/Integer",
        &["parseInt", "valueOf(Ljava/lang/String;)Ljava/lang/Integer;", "decode"],
        Reason::ComplexString,
    ),
    ("java/lang/Long", &["parseLong", "valueOf(Ljava/lang/String;)Ljava/lang/Long;", "decode"], Reason::ComplexString),
    ("java/lang/Double", &["parseDouble", "toString"], Reason::ComplexString),
    ("java/util/regex/Matcher", &["matches", "find", "lookingAt", "group", "start", "end"], Reason::ComplexString),
    ("java/util/regex/Pattern", &["matches", "split"], Reason::ComplexString),
    (
        "java/lang/Math",
        &["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "log10", "pow", "sqrt", "cbrt", "hypot"],
        Reason::NativeMathematics,
    ),
    (
        "java/lang/StrictMath",
        &["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "log10", "pow", "sqrt", "cbrt", "hypot"],
        Reason::NativeMathematics,
    ),
    ("java/lang/Math", &["random"], Reason::Environment),
    ("java/lang/System", &["currentTimeMillis", "nanoTime", "getProperty", "getenv"], Reason::Environment),
    ("java/lang/System", &["identityHashCode"], Reason::Hashing),
    (
        "java/util/Random",
        &["nextInt", "nextLong", "nextBoolean", "nextFloat", "nextDouble", "nextGaussian"],
        Reason::Environment,
    ),
    ("java/lang/Object", &["hashCode"], Reason::Hashing),
    (
        "java/io/File",
        &["exists", "isDirectory", "isFile", "length", "list", "listFiles", "delete", "mkdirs", "lastModified"],
        Reason::Environment,
    ),
    ("java/nio/file/Files", &["exists", "isDirectory", "size", "notExists"], Reason::Environment),
];

/// A function by its names in class files; an empty descriptor means every overload.
pub type Name = (String, String, String);

/// Hard functions and why they are.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    list: BTreeMap<Name, Reason>,
}

impl Functions {
    /// Those of the JDK.
    pub fn known() -> Functions {
        let mut functions = Functions::default();
        for (class, methods, reason) in KNOWN {
            for method in methods {
                let (method, descriptor) = method.split_at(method.find('(').unwrap_or(method.len()));
                functions.add((class.to_owned(), method.to_owned(), descriptor.to_owned()), reason);
            }
        }
        functions
    }

    pub fn add(&mut self, name: Name, reason: Reason) {
        self.list.entry(name).or_insert(reason);
    }

    /// A line adds a function (`com.acme.Codec.decode`, with or without a descriptor), one that begins with a minus sign takes it
    /// off the list. What follows a `#` is a comment.
    pub fn apply(&mut self, text: &str) {
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let (removes, line) = match line.strip_prefix('-') {
                Some(rest) => (true, rest.trim()),
                None => (false, line),
            };
            let (path, descriptor) = line.split_at(line.find('(').unwrap_or(line.len()));
            let Some((class, method)) = path.rsplit_once('.') else { continue };
            let name = (class.replace('.', "/"), method.to_owned(), descriptor.to_owned());
            if removes {
                self.list.remove(&name);
            } else {
                self.add(name, Reason::Asked);
            }
        }
    }

    pub fn names(&self) -> BTreeSet<Name> {
        self.list.keys().cloned().collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Name, Reason)> {
        self.list.iter().map(|(name, reason)| (name, *reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_add_and_remove() {
        let mut functions = Functions::known();
        let name = |class: &str, method: &str, descriptor: &str| (class.into(), method.into(), descriptor.into());
        assert!(functions.names().contains(&name("java/lang/Math", "sin", "")));
        functions.apply(
            "# mine\n- java.lang.Math.sin\ncom.acme.Codec.decode # slow\ncom.acme.Codec.encode([B)I\nnonsense\n",
        );
        let names = functions.names();
        assert!(!names.contains(&name("java/lang/Math", "sin", "")));
        assert!(names.contains(&name("com/acme/Codec", "decode", "")));
        assert!(names.contains(&name("com/acme/Codec", "encode", "([B)I")));
    }
}
