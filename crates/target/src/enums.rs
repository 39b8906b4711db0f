//! Which constant of an enum a `switch` means by a number.
//!
//! A `switch` over an enum is compiled to one over `table[value.ordinal()]`; the table is made by the static initialiser of a
//! class of the compiler's own (`Foo$1.$SwitchMap$..` of javac, `Foo$WhenMappings.$EnumSwitchMapping$0` of Kotlin), which
//! is read here. Where the enum is compiled together with the switch, newer compilers do without a table.

use crate::inquiry::Inquiry;
use analysis::{Assignment, Lowered};
use ir::{Callee, Const, Op, Operand, Rvalue};
use program::{ClassName, FieldRef, InstrId, MethodRef, Program};

/// The constant that has this number in the table.
pub(crate) fn constant(units: &Inquiry<'_>, table: FieldRef, number: i32) -> Option<FieldRef> {
    let unit = units.get(MethodRef::new(table.class.as_internal(), "<clinit>", "()V"))?;
    let mut found = unit.body.instrs().filter_map(|(_, instr)| match &instr.op {
        Op::PutElement { array, index, value: Operand::Const(Const::Int(value)), .. }
            if *value == number && is_table(&unit, array, instr.id, table) =>
        {
            with_ordinal(&unit, index, instr.id)
        }
        _ => None,
    });
    found.next().filter(|_| found.next().is_none())
}

/// The constant with this ordinal: compilers declare the constants in their order.
pub(crate) fn nth(program: &Program, of: ClassName, ordinal: i32) -> Option<FieldRef> {
    let class = program.class(of)?;
    let mut constants = class.fields.iter().filter(|field| field.access.is_enum_constant());
    constants.nth(usize::try_from(ordinal).ok()?).map(|field| field.reference())
}

/// Is this array the one in the field, or the one that is put there in the end?
fn is_table(unit: &Lowered, array: &Operand, at: InstrId, table: FieldRef) -> bool {
    match made(unit, array, at) {
        Some((_, Rvalue::GetStatic(field))) => *field == table,
        Some((made_at, Rvalue::NewArray(..))) => unit.body.instrs().any(|(_, instr)| match &instr.op {
            Op::PutStatic { field, value } => {
                *field == table && made(unit, value, instr.id).is_some_and(|(at, _)| at == made_at)
            }
            _ => false,
        }),
        _ => false,
    }
}

/// The static field whose `ordinal()` this value is.
fn with_ordinal(unit: &Lowered, index: &Operand, at: InstrId) -> Option<FieldRef> {
    let (at, Rvalue::Invoke(Callee::Method { method, .. }, args)) = made(unit, index, at)? else { return None };
    if method.name.as_str() != "ordinal" {
        return None;
    }
    match made(unit, args.first()?, at)? {
        (_, Rvalue::GetStatic(constant)) => Some(*constant),
        _ => None,
    }
}

/// The operation that makes a value, copies looked through.
fn made<'u>(unit: &'u Lowered, value: &Operand, at: InstrId) -> Option<(InstrId, &'u Rvalue)> {
    const LONGEST: usize = 8;
    let mut current = (value.clone(), at);
    for _ in 0..LONGEST {
        let Operand::Var(var) = &current.0 else { return None };
        match unit.only_assignment(*var, current.1)? {
            Assignment::At(defined, Rvalue::Use(from)) => current = (from.clone(), defined),
            Assignment::At(defined, value) => return Some((defined, value)),
            Assignment::Entry => return None,
        }
    }
    None
}
