//! Class files that we emit: stubs for callbacks and the classes that recipes declare, whose methods hand over to the
//! interpreter, which has the bodies; and invokers, by which the interpreter calls the program.
//!
//! Class file version 49 is the last one without stack maps, and the first whose `ldc` takes classes. What a
//! class inherits comes from [`Shapes`]; nothing here reads class files.

mod annotations;
mod class_file;
mod code;
mod declared;
mod invoker;
mod pool;
mod shapes;
mod stub;

pub use declared::declared_class;
pub(crate) use invoker::INVOKER_MARK;
pub use invoker::{Manner, invoker_class};
pub(crate) use stub::constructor_descriptor;
pub use stub::{StubKey, stub_class, stub_name};

use program::{ClassName, MethodRef, Symbol};

/// What must be known of a class or interface to extend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub is_interface: bool,
    /// It comes with the JDK, in whose packages nothing else can be defined.
    pub is_platform: bool,
}

/// The program's classes, as far as extending them goes.
pub trait Shapes {
    /// `None` for a class that is missing.
    fn shape(&self, class: ClassName) -> Option<Shape>;

    /// Name and descriptor of the abstract methods that a concrete class with these supers must have, inherited ones
    /// included and those left out that some superclass implements. Methods that every object has do not count.
    fn abstract_methods(&self, super_class: ClassName, interfaces: &[ClassName]) -> Vec<(Symbol, Symbol)>;

    /// Whether it is certain that a class in this package may make the call: the member is there and is what the manner says,
    /// and neither it nor a class that the call names is out of reach. Classes without a shape are taken for ours.
    fn can_call(&self, method: MethodRef, manner: Manner, package: &str) -> bool;
}

/// Why a class cannot be emitted: the recipe asks for something that has no class file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    #[error("class {0} is missing")]
    Missing(ClassName),
    #[error("`{0}` is not a descriptor")]
    Descriptor(Symbol),
    #[error("an annotation cannot hold {0}")]
    AnnotationValue(String),
    #[error("class {0} is too large for a class file")]
    TooLarge(ClassName),
}

/// Every class that we emit for a stub has this in its name; stack frames are told apart by it.
pub(crate) const STUB_MARK: &str = "$Reenact$";

/// Whether the class, by its internal name, is one that was made for candidates; declared ones are in packages of their own.
pub(crate) fn is_emitted(class: &str) -> bool {
    let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
    package.starts_with(recipe::ClassDecl::PACKAGE) || name.starts_with(INVOKER_MARK) || name.starts_with(STUB_MARK)
}

#[cfg(test)]
mod tests {
    use super::is_emitted;

    #[test]
    fn classes_made_for_candidates_are_known_by_name() {
        let emitted = ["reenact/user/set1/User2", "a/b/$Invoke$0123", "$Reenact$List$0123", "a/$Reenact$B$0123"];
        assert_eq!(emitted.map(is_emitted), [true; 4]);
        assert_eq!(["a/User", "User", "a/Invoke$1", "java/lang/Object"].map(is_emitted), [false; 4]);
    }
}
