//! What an instruction takes from the operand stack, bottom first. Answers only for instructions whose operand types
//! follow from the instruction itself; stack shuffles (`dup`, `swap`, `pop`) and jumps to subroutines are not among
//! them.

use super::SpliceError;
use super::code::{Code, Instruction};
use super::opcodes::*;
use super::plan::ValueKind;
use super::pool::Pool;

/// An operand; the receiver of a constructor call may be an object that is not initialised, which nothing may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Value(ValueKind),
    Uninitialised,
}

pub(super) fn operands(
    code: &Code<'_>,
    instruction: Instruction,
    pool: &Pool<'_>,
) -> Result<Option<Vec<Operand>>, SpliceError> {
    use ValueKind::{Int, Reference};
    let op = instruction.op;
    let index = || code.u2(instruction.pc + 1);
    let kinds = match op {
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let callee = pool.member(index())?;
            let mut kinds = vec![];
            if op == INVOKESPECIAL && callee.name == b"<init>" {
                kinds.push(Operand::Uninitialised);
            } else if op != INVOKESTATIC {
                kinds.push(Operand::Value(Reference));
            }
            return Ok(parameters(callee.descriptor).map(|parameters| {
                kinds.extend(parameters.into_iter().map(Operand::Value));
                kinds
            }));
        }
        INVOKEDYNAMIC => match parameters(pool.call_site_descriptor(index())?) {
            Some(kinds) => kinds,
            None => return Ok(None),
        },
        GETFIELD => vec![Reference],
        PUTFIELD => vec![Reference, field_kind(pool, index())?],
        PUTSTATIC => vec![field_kind(pool, index())?],
        MULTIANEWARRAY => vec![Int; usize::from(code.bytes[instruction.pc + 3])],
        _ => match fixed(op) {
            Some(kinds) => kinds,
            None => return Ok(None),
        },
    };
    Ok(Some(kinds.into_iter().map(Operand::Value).collect()))
}

fn field_kind(pool: &Pool<'_>, index: u16) -> Result<ValueKind, SpliceError> {
    let first = pool.member(index)?.descriptor.first().copied();
    first.map(ValueKind::of_descriptor).ok_or(SpliceError::Malformed { what: "empty descriptor", offset: 0 })
}

/// Operands that depend on the opcode alone.
fn fixed(op: u8) -> Option<Vec<ValueKind>> {
    use ValueKind::{Double, Float, Int, Long, Reference};
    const ARITHMETIC: [ValueKind; 4] = [Int, Long, Float, Double];
    // Element types of array instructions: int, long, float, double, reference, byte, char, short.
    const ELEMENTS: [ValueKind; 8] = [Int, Long, Float, Double, Reference, Int, Int, Int];
    let by_four = |base: u8| ARITHMETIC[usize::from(op - base) % 4];
    Some(match op {
        IALOAD..=SALOAD => vec![Reference, Int],
        IASTORE..=SASTORE => vec![Reference, Int, ELEMENTS[usize::from(op - IASTORE)]],
        // The operators add, sub, mul, div, rem; then neg.
        0x60..=0x73 => vec![by_four(0x60); 2],
        0x74..=0x77 => vec![by_four(0x74)],
        // Shifts take an int on top.
        0x78..=0x7d => vec![[Int, Long][usize::from(op - 0x78) % 2], Int],
        0x7e..=0x83 => vec![[Int, Long][usize::from(op - 0x7e) % 2]; 2],
        // Conversions in groups of three: from int, long, float, double; then int to byte, char, short.
        0x85..=0x90 => vec![ARITHMETIC[usize::from(op - 0x85) / 3]],
        0x91..=0x93 => vec![Int],
        LCMP => vec![Long; 2],
        FCMPL | FCMPG => vec![Float; 2],
        DCMPL | DCMPG => vec![Double; 2],
        IFEQ..=IFLE | TABLESWITCH | LOOKUPSWITCH | NEWARRAY | ANEWARRAY => vec![Int],
        IF_ICMPEQ..=IF_ICMPLE => vec![Int; 2],
        IF_ACMPEQ | IF_ACMPNE => vec![Reference; 2],
        IRETURN..=0xb0 => vec![[Int, Long, Float, Double, Reference][usize::from(op - IRETURN)]],
        ARRAYLENGTH | ATHROW | CHECKCAST | INSTANCEOF | MONITORENTER | MONITOREXIT | IFNULL | IFNONNULL => {
            vec![Reference]
        }
        ISTORE..=0x39 => vec![ARITHMETIC[usize::from(op - ISTORE)]],
        _ => return None,
    })
}

/// Parameter kinds of a method descriptor.
fn parameters(descriptor: &[u8]) -> Option<Vec<ValueKind>> {
    let mut kinds = Vec::new();
    let mut rest = descriptor.strip_prefix(b"(")?;
    while let Some((first, tail)) = rest.split_first() {
        if *first == b')' {
            return Some(kinds);
        }
        kinds.push(ValueKind::of_descriptor(*first));
        rest = match first {
            b'[' => {
                let dimensions = tail.iter().take_while(|byte| **byte == b'[').count();
                let (element, after) = tail[dimensions..].split_first()?;
                if *element == b'L' { after_class(after)? } else { after }
            }
            b'L' => after_class(tail)?,
            _ => tail,
        };
    }
    None
}

fn after_class(rest: &[u8]) -> Option<&[u8]> {
    let end = rest.iter().position(|byte| *byte == b';')?;
    Some(&rest[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ValueKind::{Double, Float, Int, Long, Reference};

    #[test]
    fn parameters_of_descriptors() {
        let cases: [(&str, Option<Vec<ValueKind>>); 6] = [
            ("()V", Some(vec![])),
            ("(IJ[Ljava/lang/String;D[[F)V", Some(vec![Int, Long, Reference, Double, Reference])),
            ("(Ljava/lang/Object;ZBCSF)V", Some(vec![Reference, Int, Int, Int, Int, Float])),
            ("(I", None),
            ("(Ljava/lang/Object)V", None),
            ("([", None),
        ];
        for (descriptor, expected) in cases {
            assert_eq!(parameters(descriptor.as_bytes()), expected, "{descriptor}");
        }
    }

    #[test]
    fn operands_by_opcode() {
        for (op, expected) in [
            (0x6c, vec![Int, Int]),                  // idiv
            (0x6d, vec![Long, Long]),                // ldiv
            (0x79, vec![Long, Int]),                 // lshl
            (0x8a, vec![Long]),                      // l2d
            (0x8b, vec![Float]),                     // f2i
            (0x32, vec![Reference, Int]),            // aaload
            (0x53, vec![Reference, Int, Reference]), // aastore
            (0x52, vec![Reference, Int, Double]),    // dastore
            (0xb0, vec![Reference]),                 // areturn
        ] {
            assert_eq!(fixed(op), Some(expected), "{op:#x}");
        }
        assert_eq!(fixed(DUP), None);
    }
}
