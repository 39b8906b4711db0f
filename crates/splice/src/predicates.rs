//! Library predicates whose result is branched on at once. For these the probe sees the arguments before the call, so
//! that the distance is graded and not just true or false. Which branch is taken is still read from the call's own
//! result: what is computed here is only how far away the other outcome is.

use super::insert::Call;
use super::opcodes::{INVOKEINTERFACE, INVOKESTATIC, INVOKEVIRTUAL};
use super::pool::Member;

/// How the operands of a predicate call are copied and handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) call: Call,
    /// Operands taken: 1 or 2, each one slot wide.
    pub(super) operands: u8,
    /// An extra constant, for [`Call::HintCharacter`].
    pub(super) kind: Option<i32>,
}

/// The tests of `java.lang.Character` that `Hints.character` knows, by position.
const CHARACTER_TESTS: [&[u8]; 9] = [
    b"isDigit",
    b"isLetter",
    b"isLetterOrDigit",
    b"isWhitespace",
    b"isUpperCase",
    b"isLowerCase",
    b"isSpaceChar",
    b"isJavaIdentifierStart",
    b"isJavaIdentifierPart",
];

pub(super) fn hint(op: u8, callee: Member<'_>) -> Option<Hint> {
    match op {
        INVOKESTATIC => static_hint(callee),
        INVOKEVIRTUAL | INVOKEINTERFACE => receiver_hint(callee),
        _ => None,
    }
}

fn static_hint(callee: Member<'_>) -> Option<Hint> {
    match (callee.name, callee.descriptor) {
        // `Objects.equals` and what compilers of other languages emit for `==`.
        (b"equals" | b"areEqual", b"(Ljava/lang/Object;Ljava/lang/Object;)Z") => Some(two(Call::HintEqual)),
        (name, b"(C)Z") if callee.owner == b"java/lang/Character" => {
            let kind = CHARACTER_TESTS.iter().position(|test| *test == name)?;
            Some(Hint { call: Call::HintCharacter, operands: 1, kind: Some(kind as i32) })
        }
        _ => None,
    }
}

/// By name and shape: the probe looks at the objects it gets and passes over those it does not know.
fn receiver_hint(callee: Member<'_>) -> Option<Hint> {
    let on_string = callee.owner == b"java/lang/String";
    Some(match (callee.name, callee.descriptor) {
        (b"equals", b"(Ljava/lang/Object;)Z") => two(Call::HintEqual),
        (b"isEmpty", b"()Z") => Hint { call: Call::HintEmpty, operands: 1, kind: None },
        (b"contains" | b"containsKey", b"(Ljava/lang/Object;)Z") => two(Call::HintContains),
        (b"equalsIgnoreCase", b"(Ljava/lang/String;)Z") if on_string => two(Call::HintIgnoreCase),
        (b"startsWith", b"(Ljava/lang/String;)Z") if on_string => two(Call::HintPrefix),
        (b"endsWith", b"(Ljava/lang/String;)Z") if on_string => two(Call::HintSuffix),
        (b"contains", b"(Ljava/lang/CharSequence;)Z") if on_string => two(Call::HintPart),
        (b"contentEquals", b"(Ljava/lang/CharSequence;)Z") if on_string => two(Call::HintEqual),
        _ => return None,
    })
}

fn two(call: Call) -> Hint {
    Hint { call, operands: 2, kind: None }
}
