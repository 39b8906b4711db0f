//! What is known about the type of a value while types are inferred: a lattice of finite height over the types of
//! descriptors. Classes are not looked up, so two different classes have no common type but "some reference".

use crate::lookup::kind_of_type;
use program::Type;
use program::classfile::{Constant, ElementKind, Kind};

/// A point of the lattice; [`join`](Known::join) goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Different kinds on different paths, or never assigned: not a usable value.
    Nothing,
    Type(Type),
    /// The constant 0 or 1: an `int` that a `boolean` may join.
    Bit,
    Null,
    /// A reference to an unknown class.
    Reference,
    /// A return address for the subroutine that starts at this index.
    Address(u16),
}

impl Known {
    /// What is known where control flow comes from two places.
    pub(super) fn join(self, other: Known) -> Known {
        match (self, other) {
            (one, two) if one == two => one,
            (Known::Null, reference) | (reference, Known::Null) if reference.is_reference() => reference,
            (one, two) if one.is_reference() && two.is_reference() => Known::Reference,
            (Known::Bit, Known::Type(ty)) | (Known::Type(ty), Known::Bit) if kind_of_type(ty) == Kind::Int => {
                Known::Type(ty)
            }
            (one, two) if one.kind() == Some(Kind::Int) && two.kind() == Some(Kind::Int) => Known::Type(Type::Int),
            _ => Known::Nothing,
        }
    }

    pub(super) fn kind(self) -> Option<Kind> {
        match self {
            Known::Nothing | Known::Address(_) => None,
            Known::Type(ty) => Some(kind_of_type(ty)),
            Known::Bit => Some(Kind::Int),
            Known::Null | Known::Reference => Some(Kind::Reference),
        }
    }

    /// The type to write down.
    pub(super) fn ty(self) -> Option<Type> {
        match self {
            Known::Type(ty) => Some(ty),
            Known::Bit => Some(Type::Int),
            Known::Nothing | Known::Null | Known::Reference | Known::Address(_) => None,
        }
    }

    /// `long` and `double` take two slots, and the `2` forms of the stack instructions treat them as one value.
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Known::Type(Type::Long | Type::Double))
    }

    fn is_reference(self) -> bool {
        self.kind() == Some(Kind::Reference)
    }

    /// What an instruction of this kind guarantees by itself.
    pub(super) fn of_kind(kind: Kind) -> Known {
        match kind {
            Kind::Int => Known::Type(Type::Int),
            Kind::Long => Known::Type(Type::Long),
            Kind::Float => Known::Type(Type::Float),
            Kind::Double => Known::Type(Type::Double),
            Kind::Reference => Known::Reference,
        }
    }

    pub(super) fn of_constant(constant: &Constant) -> Known {
        match constant {
            Constant::Null => Known::Null,
            Constant::Int(0 | 1) => Known::Bit,
            Constant::Int(_) => Known::Type(Type::Int),
            Constant::Long(_) => Known::Type(Type::Long),
            Constant::Float(_) => Known::Type(Type::Float),
            Constant::Double(_) => Known::Type(Type::Double),
            Constant::String(_) => Known::Type(Type::class("java/lang/String")),
            Constant::Class(_) => Known::Type(Type::class("java/lang/Class")),
            Constant::MethodType(_) => Known::Type(Type::class("java/lang/invoke/MethodType")),
            Constant::MethodHandle(_) => Known::Type(Type::class("java/lang/invoke/MethodHandle")),
            Constant::Dynamic { descriptor, .. } => {
                Type::parse(descriptor.as_str()).map_or(Known::Reference, Known::Type)
            }
        }
    }
}

/// The component type of an array that an instruction of this element kind accesses, as far as it is known.
pub(super) fn component(array: Known, element: ElementKind) -> Option<Type> {
    if let Known::Type(Type::Array(array)) = array {
        return Some(array.component());
    }
    Some(match element {
        ElementKind::Int => Type::Int,
        ElementKind::Long => Type::Long,
        ElementKind::Float => Type::Float,
        ElementKind::Double => Type::Double,
        ElementKind::Char => Type::Char,
        ElementKind::Short => Type::Short,
        // `baload` serves `byte[]` and `boolean[]`.
        ElementKind::Byte | ElementKind::Reference => return None,
    })
}

/// What an array load leaves on the stack.
pub(super) fn element(array: Known, element: ElementKind) -> Known {
    match component(array, element) {
        Some(ty) => Known::Type(ty),
        None if element == ElementKind::Reference => Known::Reference,
        None => Known::Type(Type::Byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_known() -> impl Strategy<Value = Known> {
        prop_oneof![
            Just(Known::Nothing),
            Just(Known::Bit),
            Just(Known::Null),
            Just(Known::Reference),
            (0u16..2).prop_map(Known::Address),
            prop::sample::select(&["Z", "B", "I", "J", "D", "[I", "[J", "LA;", "LB;"][..])
                .prop_map(|text| Known::Type(Type::parse(text).unwrap())),
        ]
    }

    proptest! {
        /// Otherwise the fixpoint would depend on the order of visits.
        #[test]
        fn join_is_a_semilattice(a in any_known(), b in any_known(), c in any_known()) {
            prop_assert_eq!(a.join(a), a);
            prop_assert_eq!(a.join(b), b.join(a));
            prop_assert_eq!(a.join(b).join(c), a.join(b.join(c)));
        }
    }

    #[test]
    fn joins() {
        let string = Known::Type(Type::class("java/lang/String"));
        let object = Known::Type(Type::class("java/lang/Object"));
        let cases = [
            (Known::Null, string, string),
            (string, object, Known::Reference),
            (Known::Bit, Known::Type(Type::Boolean), Known::Type(Type::Boolean)),
            (Known::Type(Type::Char), Known::Type(Type::Int), Known::Type(Type::Int)),
            (Known::Type(Type::Int), Known::Type(Type::Long), Known::Nothing),
            (Known::Address(3), Known::Address(7), Known::Nothing),
            (Known::Nothing, string, Known::Nothing),
        ];
        for (one, two, joined) in cases {
            assert_eq!(one.join(two), joined, "{one:?} {two:?}");
        }
    }
}
