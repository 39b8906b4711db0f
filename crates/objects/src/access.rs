//! From where does the test see the program? Decides how a class or member can be reached: directly, from its package, by
//! reflection, or not at all.

use program::classfile::Visibility;
use program::{Class, ClassName, Program};
use recipe::Access;

/// The place of the test, and what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct AccessContext {
    /// The package that the test may be in, in internal form; without one it sees only what is public.
    pub package: Option<&'static str>,
    /// Whether members that cannot be named may be reached by `setAccessible`.
    pub reflection: bool,
}

impl AccessContext {
    pub fn public() -> Self {
        AccessContext::default()
    }

    pub fn in_package_of(class: ClassName) -> Self {
        AccessContext { package: Some(class.package()), reflection: false }
    }

    pub fn with_reflection(self) -> Self {
        AccessContext { reflection: true, ..self }
    }

    /// Whether it sees only what everybody sees.
    pub fn is_public(self) -> bool {
        self == AccessContext::public()
    }

    /// How a member with this visibility, declared in the class, is reached; `None` if it is not.
    pub fn member(self, program: &Program, class: &Class, visibility: Visibility) -> Option<Access> {
        let by_class = self.class(program, class)?;
        Some(by_class.max(self.narrowed(program, class.name, visibility)?))
    }

    /// How the class itself can be named. Local and anonymous classes have no name.
    pub fn class(self, program: &Program, class: &Class) -> Option<Access> {
        let mut widest = Access::Public;
        let mut current = Some(class.name);
        let mut steps = 0;
        while let Some(name) = current {
            let class = program.class(name)?;
            let nested = class.as_inner_class().copied();
            if class.enclosing_method.is_some() || nested.is_some_and(|entry| entry.simple_name.is_none()) {
                return None;
            }
            widest = widest.max(self.narrowed(program, name, class.source_access().visibility())?);
            current = nested.and_then(|entry| entry.outer);
            steps += 1;
            if steps > MAX_NESTING {
                return None;
            }
        }
        Some(widest)
    }

    fn narrowed(self, program: &Program, class: ClassName, visibility: Visibility) -> Option<Access> {
        let in_jdk = program.is_jdk(class);
        if visibility == Visibility::Public && (!in_jdk || is_exported(class.package())) {
            return Some(Access::Public);
        }
        // The JDK's packages are sealed against both tests and reflection.
        if in_jdk {
            return None;
        }
        if visibility != Visibility::Private && self.package == Some(class.package()) {
            return Some(Access::Package);
        }
        self.reflection.then_some(Access::Reflective)
    }
}

/// Deeper nesting is a cycle in a damaged class file.
const MAX_NESTING: usize = 32;

/// Whether a package of the JDK is for everybody. The few exported packages of other prefixes are left out.
fn is_exported(package: &str) -> bool {
    ["java/", "javax/", "org/w3c/dom", "org/xml/sax", "org/ietf/"].iter().any(|prefix| package.starts_with(prefix))
}
