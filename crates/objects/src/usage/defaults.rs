//! Which method does a call with default arguments stand for? Kotlin compiles `Room("101", SINGLE)` into a call of a synthetic
//! constructor that takes, behind all parameters, bits that say which of them were left out. Java source cannot call it; what it
//! can call is the method with all parameters.

use ir::InvokeKind;
use program::{MethodRef, MethodType, Symbol, Type};

/// A call without the bits.
pub(super) struct Plain {
    pub(super) method: MethodRef,
    pub(super) kind: InvokeKind,
    /// How many of the arguments are given, the receiver included.
    pub(super) args: usize,
}

const MARKER: &str = "kotlin/jvm/internal/DefaultConstructorMarker";
const SUFFIX: &str = "$default";

/// Parameters for each word of bits.
pub(super) const BITS: usize = 32;

/// `None` for a call that is what it seems.
pub(super) fn plain(method: MethodRef, kind: InvokeKind) -> Option<Plain> {
    let params = method.signature().params;
    if method.is_constructor() {
        let count = given(&params, |last| last == Type::class(MARKER), 0)?;
        let descriptor = MethodType { params: params[..count].to_vec(), ret: None }.descriptor();
        let method = MethodRef { descriptor: Symbol::new(&descriptor), ..method };
        return Some(Plain { method, kind, args: count + 1 });
    }
    let name = method.name.as_str().strip_suffix(SUFFIX).filter(|_| kind == InvokeKind::Static)?;
    let count = given(&params, |last| last == Type::class("java/lang/Object"), 1)?;
    let is_own = params.first() == Some(&Type::Class(method.class));
    let of_method = if is_own { &params[1..count] } else { &params[..count] };
    let descriptor = MethodType { params: of_method.to_vec(), ret: method.signature().ret }.descriptor();
    let method = MethodRef { name: Symbol::new(name), descriptor: Symbol::new(&descriptor), ..method };
    let kind = if is_own { InvokeKind::Virtual } else { InvokeKind::Static };
    Some(Plain { method, kind, args: count })
}

/// How many parameters come before the bits and the mark behind them; `before` of them have no bit.
fn given(params: &[Type], is_mark: impl Fn(Type) -> bool, before: usize) -> Option<usize> {
    let (last, rest) = params.split_last()?;
    let count = (1..rest.len()).rev().find(|count| {
        let words = rest.len() - count;
        rest[*count..].iter().all(|ty| *ty == Type::Int) && words == count.saturating_sub(before).div_ceil(BITS).max(1)
    })?;
    is_mark(*last).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(class: &str, name: &str, descriptor: &str, kind: InvokeKind) -> Option<(String, usize)> {
        plain(MethodRef::new(class, name, descriptor), kind).map(|plain| (plain.method.to_string(), plain.args))
    }

    #[test]
    fn the_bits_of_default_arguments_are_left_out() {
        let room = plainly(
            "a/Room",
            "<init>",
            "(Ljava/lang/String;IILkotlin/jvm/internal/DefaultConstructorMarker;)V",
            InvokeKind::Special,
        );
        assert_eq!(room, Some(("a.Room.<init>(java.lang.String, int)".to_owned(), 3)));
        let book =
            plainly("a/Desk", "book$default", "(La/Desk;Ljava/lang/String;IILjava/lang/Object;)J", InvokeKind::Static);
        assert_eq!(book, Some(("a.Desk.book(java.lang.String, int)".to_owned(), 3)));
        assert_eq!(plainly("a/Room", "<init>", "(Ljava/lang/String;I)V", InvokeKind::Special), None);
        assert_eq!(plainly("a/Desk", "book", "(La/Desk;ILjava/lang/Object;)V", InvokeKind::Static), None);
    }
}
