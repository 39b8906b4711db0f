//! The instruction set as far as the splicer needs it: lengths, kinds of jumps, operand types (JVMS chapter 6).

pub(super) const ACONST_NULL: u8 = 0x01;
pub(super) const ICONST_M1: u8 = 0x02;
pub(super) const ICONST_0: u8 = 0x03;
pub(super) const ICONST_5: u8 = 0x08;
pub(super) const LCONST_0: u8 = 0x09;
pub(super) const FCONST_0: u8 = 0x0b;
pub(super) const DCONST_0: u8 = 0x0e;
pub(super) const BIPUSH: u8 = 0x10;
pub(super) const SIPUSH: u8 = 0x11;
pub(super) const LDC: u8 = 0x12;
pub(super) const LDC_W: u8 = 0x13;
pub(super) const LDC2_W: u8 = 0x14;
pub(super) const ILOAD: u8 = 0x15;
pub(super) const ALOAD: u8 = 0x19;
pub(super) const ILOAD_1: u8 = 0x1b;
pub(super) const IALOAD: u8 = 0x2e;
pub(super) const SALOAD: u8 = 0x35;
pub(super) const ISTORE: u8 = 0x36;
pub(super) const ASTORE: u8 = 0x3a;
pub(super) const IASTORE: u8 = 0x4f;
pub(super) const SASTORE: u8 = 0x56;
pub(super) const POP: u8 = 0x57;
pub(super) const DUP: u8 = 0x59;
pub(super) const DUP2: u8 = 0x5c;
pub(super) const IINC: u8 = 0x84;
pub(super) const LCMP: u8 = 0x94;
pub(super) const FCMPL: u8 = 0x95;
pub(super) const FCMPG: u8 = 0x96;
pub(super) const DCMPL: u8 = 0x97;
pub(super) const DCMPG: u8 = 0x98;
pub(super) const IFEQ: u8 = 0x99;
pub(super) const IFNE: u8 = 0x9a;
pub(super) const IFLE: u8 = 0x9e;
pub(super) const IF_ICMPEQ: u8 = 0x9f;
pub(super) const IF_ICMPLE: u8 = 0xa4;
pub(super) const IF_ACMPEQ: u8 = 0xa5;
pub(super) const IF_ACMPNE: u8 = 0xa6;
pub(super) const GOTO: u8 = 0xa7;
pub(super) const JSR: u8 = 0xa8;
pub(super) const RET: u8 = 0xa9;
pub(super) const TABLESWITCH: u8 = 0xaa;
pub(super) const LOOKUPSWITCH: u8 = 0xab;
pub(super) const IRETURN: u8 = 0xac;
pub(super) const RETURN: u8 = 0xb1;
pub(super) const GETSTATIC: u8 = 0xb2;
pub(super) const PUTSTATIC: u8 = 0xb3;
pub(super) const GETFIELD: u8 = 0xb4;
pub(super) const PUTFIELD: u8 = 0xb5;
pub(super) const INVOKEVIRTUAL: u8 = 0xb6;
pub(super) const INVOKESPECIAL: u8 = 0xb7;
pub(super) const INVOKESTATIC: u8 = 0xb8;
pub(super) const INVOKEINTERFACE: u8 = 0xb9;
pub(super) const INVOKEDYNAMIC: u8 = 0xba;
pub(super) const NEW: u8 = 0xbb;
pub(super) const NEWARRAY: u8 = 0xbc;
pub(super) const ANEWARRAY: u8 = 0xbd;
pub(super) const ARRAYLENGTH: u8 = 0xbe;
pub(super) const ATHROW: u8 = 0xbf;
pub(super) const CHECKCAST: u8 = 0xc0;
pub(super) const INSTANCEOF: u8 = 0xc1;
pub(super) const MONITORENTER: u8 = 0xc2;
pub(super) const MONITOREXIT: u8 = 0xc3;
pub(super) const WIDE: u8 = 0xc4;
pub(super) const MULTIANEWARRAY: u8 = 0xc5;
pub(super) const IFNULL: u8 = 0xc6;
pub(super) const IFNONNULL: u8 = 0xc7;
pub(super) const GOTO_W: u8 = 0xc8;
pub(super) const JSR_W: u8 = 0xc9;
/// The last opcode a class file may use.
const LAST: u8 = JSR_W;

/// Length of the instruction at `pc`, or `None` if it is none or does not fit into the code.
pub(super) fn length(code: &[u8], pc: usize) -> Option<usize> {
    let len = match *code.get(pc)? {
        BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | NEWARRAY => 2,
        SIPUSH | LDC_W | LDC2_W | IINC | IFEQ..=JSR | GETSTATIC..=INVOKESTATIC => 3,
        0xbb | ANEWARRAY | CHECKCAST | INSTANCEOF | IFNULL | IFNONNULL => 3,
        INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
        MULTIANEWARRAY => 4,
        TABLESWITCH => {
            let table = switch_operands(pc);
            let (low, high) = (i4(code, table + 4)?, i4(code, table + 8)?);
            let entries = usize::try_from(i64::from(high) - i64::from(low) + 1).ok()?;
            table - pc + 12 + entries.checked_mul(4)?
        }
        LOOKUPSWITCH => {
            let table = switch_operands(pc);
            let pairs = usize::try_from(i4(code, table + 4)?).ok()?;
            table - pc + 8 + pairs.checked_mul(8)?
        }
        WIDE => {
            if *code.get(pc + 1)? == IINC {
                6
            } else {
                4
            }
        }
        op if op > LAST => return None,
        _ => 1,
    };
    (pc.checked_add(len)? <= code.len()).then_some(len)
}

/// Where the operands of the switch at `pc` start: at the next multiple of four.
pub(super) fn switch_operands(pc: usize) -> usize {
    (pc + 4) & !3
}

/// `if..`, including the comparisons with null.
pub(super) fn is_conditional(op: u8) -> bool {
    matches!(op, IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL)
}

/// Jumps with a 16-bit offset.
pub(super) fn is_short_jump(op: u8) -> bool {
    is_conditional(op) || matches!(op, GOTO | JSR)
}

pub(super) fn is_wide_jump(op: u8) -> bool {
    matches!(op, GOTO_W | JSR_W)
}

pub(super) fn is_switch(op: u8) -> bool {
    matches!(op, TABLESWITCH | LOOKUPSWITCH)
}

/// Control never reaches the next instruction.
pub(super) fn ends_flow(op: u8) -> bool {
    matches!(op, GOTO | GOTO_W | RET | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW)
}

/// The opposite condition. Opcodes come in pairs: (153, 154), .., (165, 166) and (198, 199).
pub(super) fn inverted(op: u8) -> u8 {
    if op >= IFNULL { op ^ 1 } else { ((op + 1) ^ 1) - 1 }
}

pub(super) fn i4(code: &[u8], at: usize) -> Option<i32> {
    code.get(at..at.checked_add(4)?).and_then(|bytes| bytes.try_into().ok()).map(i32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversion_is_its_own_opposite_and_keeps_the_kind() {
        for op in (IFEQ..=IF_ACMPNE).chain([IFNULL, IFNONNULL]) {
            assert_eq!(inverted(inverted(op)), op);
            assert_ne!(inverted(op), op);
            assert!(is_conditional(inverted(op)), "{op:#x}");
        }
        // `if_icmplt` and `if_icmpge`
        assert_eq!(inverted(0xa1), 0xa2);
    }

    #[test]
    fn switches_are_measured_with_padding_and_refused_when_cut() {
        let mut code = vec![ACONST_NULL, TABLESWITCH, 0, 0];
        for value in [0i32, 1, 3, 0, 0, 0] {
            code.extend(value.to_be_bytes());
        }
        assert_eq!(length(&code, 1), Some(27));
        assert_eq!(length(&code[..code.len() - 1], 1), None);
        let backwards = [TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0x80, 0, 0, 0];
        assert_eq!(length(&backwards, 0), None);
    }
}
