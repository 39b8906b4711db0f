//! Reads operations, terminators and operands.

use super::cursor::{Cursor, Fault};
use crate::body::{
    BinaryOp, BlockId, Callee, CompareOp, Const, Guard, InvokeKind, Op, Operand, Rvalue, Terminator, ThreeWay, Var,
};
use crate::print::handle_kind;
use program::classfile::{HandleKind, HandleMember, JavaString, MethodHandle, MethodOperand};
use program::{ClassName, Symbol, Type};

/// `None` if the line does not start like a terminator.
pub(super) fn terminator(cursor: &mut Cursor<'_>) -> Result<Option<Terminator>, Fault> {
    let end = if cursor.eat("goto ") {
        Terminator::Goto(block_id(cursor)?)
    } else if cursor.eat("if ") {
        let (left, op, right) = (operand(cursor)?, compare_op(cursor)?, operand(cursor)?);
        cursor.expect("then")?;
        let then = block_id(cursor)?;
        cursor.expect("else")?;
        Terminator::If { op, left, right, then, otherwise: block_id(cursor)? }
    } else if cursor.eat("switch ") {
        switch(cursor)?
    } else if cursor.eat("return") {
        Terminator::Return(if cursor.is_at_end() { None } else { Some(operand(cursor)?) })
    } else if cursor.eat("throw ") {
        Terminator::Throw(operand(cursor)?)
    } else if cursor.eat("ret ") {
        let address = operand(cursor)?;
        Terminator::Ret(address, separated(cursor, "[", "]", labelled)?)
    } else {
        return Ok(None);
    };
    Ok(Some(end))
}

fn switch(cursor: &mut Cursor<'_>) -> Result<Terminator, Fault> {
    let on = operand(cursor)?;
    cursor.expect("[")?;
    let mut cases = Vec::new();
    while !cursor.eat("default:") {
        cases.push(labelled(cursor)?);
        cursor.expect(",")?;
    }
    let default = block_id(cursor)?;
    cursor.expect("]")?;
    Ok(Terminator::Switch { on, cases, default })
}

/// `5: block3`
fn labelled<T: std::str::FromStr>(cursor: &mut Cursor<'_>) -> Result<(T, BlockId), Fault> {
    let label = cursor.number()?;
    cursor.expect(":")?;
    Ok((label, block_id(cursor)?))
}

pub(super) fn block_id(cursor: &mut Cursor<'_>) -> Result<BlockId, Fault> {
    cursor.expect("block")?;
    Ok(BlockId(cursor.number()?))
}

pub(super) fn op(cursor: &mut Cursor<'_>) -> Result<Op, Fault> {
    if cursor.eat("putfield ") {
        let (object, field) = (operand(cursor)?, cursor.field()?);
        cursor.expect("=")?;
        return Ok(Op::PutField { object, field, value: operand(cursor)? });
    }
    if cursor.eat("putstatic ") {
        let field = cursor.field()?;
        cursor.expect("=")?;
        return Ok(Op::PutStatic { field, value: operand(cursor)? });
    }
    if cursor.eat("putelement ") {
        let (array, index) = element(cursor)?;
        let component = component(cursor)?;
        cursor.expect("=")?;
        return Ok(Op::PutElement { array, index, value: operand(cursor)?, component });
    }
    if cursor.eat("invoke ") {
        return Ok(Op::Invoke(callee(cursor)?, list(cursor, "(", ")")?));
    }
    if cursor.eat("guard ") {
        return Ok(Op::Guard(guard(cursor)?));
    }
    if cursor.eat("monitorenter ") {
        return Ok(Op::MonitorEnter(operand(cursor)?));
    }
    if cursor.eat("monitorexit ") {
        return Ok(Op::MonitorExit(operand(cursor)?));
    }
    let to = var(cursor)?;
    cursor.expect("=")?;
    Ok(Op::Assign(to, rvalue(cursor)?))
}

fn guard(cursor: &mut Cursor<'_>) -> Result<Guard, Fault> {
    Ok(match cursor.word()? {
        "notnull" => Guard::NotNull(operand(cursor)?),
        "inbounds" => {
            let (array, index) = element(cursor)?;
            Guard::InBounds { array, index }
        }
        "castable" => {
            let (value, ty) = converted(cursor)?;
            Guard::Castable(value, ty)
        }
        "storable" => {
            let value = operand(cursor)?;
            cursor.expect("into")?;
            Guard::Storable { array: operand(cursor)?, value }
        }
        "notzero" => Guard::NotZero(operand(cursor)?),
        "notnegative" => Guard::NotNegative(operand(cursor)?),
        _ => return cursor.fault("a guard"),
    })
}

fn rvalue(cursor: &mut Cursor<'_>) -> Result<Rvalue, Fault> {
    if let Some(op) = three_way(cursor) {
        let left = operand(cursor)?;
        cursor.expect(",")?;
        return Ok(Rvalue::ThreeWay(op, left, operand(cursor)?));
    }
    if cursor.eat("neg ") {
        return Ok(Rvalue::Negate(operand(cursor)?));
    }
    if cursor.eat("convert ") {
        return converted(cursor).map(|(value, ty)| Rvalue::Convert(value, ty));
    }
    if cursor.eat("cast ") {
        return converted(cursor).map(|(value, ty)| Rvalue::Cast(value, ty));
    }
    if cursor.eat("instanceof ") {
        return Ok(Rvalue::InstanceOf(operand(cursor)?, cursor.ty()?));
    }
    if cursor.eat("getfield ") {
        return Ok(Rvalue::GetField(operand(cursor)?, cursor.field()?));
    }
    if cursor.eat("getstatic ") {
        return Ok(Rvalue::GetStatic(cursor.field()?));
    }
    if cursor.eat("getelement ") {
        let (array, index) = element(cursor)?;
        return Ok(Rvalue::GetElement { array, index, component: component(cursor)? });
    }
    if cursor.eat("length ") {
        return Ok(Rvalue::Length(operand(cursor)?));
    }
    if cursor.eat("newarray ") {
        return Ok(Rvalue::NewArray(cursor.ty()?, list(cursor, "[", "]")?));
    }
    if cursor.eat("new ") {
        return Ok(Rvalue::New(ClassName::internal(&cursor.name()?)));
    }
    if cursor.eat("invoke ") {
        return Ok(Rvalue::Invoke(callee(cursor)?, list(cursor, "(", ")")?));
    }
    if cursor.eat("caught") {
        return Ok(Rvalue::Caught);
    }
    let left = operand(cursor)?;
    if cursor.is_at_end() {
        return Ok(Rvalue::Use(left));
    }
    Ok(Rvalue::Binary(binary_op(cursor)?, left, operand(cursor)?))
}

/// `l1[l2]`
fn element(cursor: &mut Cursor<'_>) -> Result<(Operand, Operand), Fault> {
    let array = operand(cursor)?;
    cursor.expect("[")?;
    let index = operand(cursor)?;
    cursor.expect("]")?;
    Ok((array, index))
}

/// `of I`, `of ?`
fn component(cursor: &mut Cursor<'_>) -> Result<Option<Type>, Fault> {
    cursor.expect("of")?;
    if cursor.eat("?") { Ok(None) } else { cursor.ty().map(Some) }
}

/// `l1 to I`
fn converted(cursor: &mut Cursor<'_>) -> Result<(Operand, Type), Fault> {
    let value = operand(cursor)?;
    cursor.expect("to")?;
    Ok((value, cursor.ty()?))
}

fn callee(cursor: &mut Cursor<'_>) -> Result<Callee, Fault> {
    if cursor.eat("dynamic ") {
        let bootstrap = cursor.number()?;
        let name = Symbol::new(&cursor.name()?);
        return Ok(Callee::Dynamic { bootstrap, name, descriptor: Symbol::new(&cursor.descriptor()?) });
    }
    let kind = match cursor.word()? {
        "static" => InvokeKind::Static,
        "special" => InvokeKind::Special,
        "virtual" => InvokeKind::Virtual,
        "interface" => InvokeKind::Interface,
        _ => return cursor.fault("a kind of call"),
    };
    let interface = cursor.eat("of-interface ") || kind == InvokeKind::Interface;
    Ok(Callee::Method { kind, method: cursor.method()?, interface })
}

fn three_way(cursor: &mut Cursor<'_>) -> Option<ThreeWay> {
    const OPS: [ThreeWay; 5] = [
        ThreeWay::Long,
        ThreeWay::Float { nan: -1 },
        ThreeWay::Float { nan: 1 },
        ThreeWay::Double { nan: -1 },
        ThreeWay::Double { nan: 1 },
    ];
    OPS.into_iter().find(|op| cursor.eat(&op.to_string()))
}

fn binary_op(cursor: &mut Cursor<'_>) -> Result<BinaryOp, Fault> {
    use BinaryOp::*;
    let symbol = cursor.run(|character| "+-*/%&|^<>".contains(character));
    // `5 - -3` has a space between the signs, so a run is one operator.
    let found = [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Ushr].into_iter().find(|op| op.to_string() == symbol);
    found.map_or_else(|| cursor.fault("an operator"), Ok)
}

fn compare_op(cursor: &mut Cursor<'_>) -> Result<CompareOp, Fault> {
    use CompareOp::*;
    let symbol = cursor.run(|character| "=!<>".contains(character));
    let found = [Eq, Ne, Lt, Le, Gt, Ge].into_iter().find(|op| op.to_string() == symbol);
    found.map_or_else(|| cursor.fault("a comparison"), Ok)
}

pub(super) fn list(cursor: &mut Cursor<'_>, open: &'static str, close: &'static str) -> Result<Vec<Operand>, Fault> {
    separated(cursor, open, close, operand)
}

fn separated<T>(
    cursor: &mut Cursor<'_>,
    open: &'static str,
    close: &'static str,
    item: impl Fn(&mut Cursor<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    cursor.expect(open)?;
    let mut items = Vec::new();
    while !cursor.eat(close) {
        if !items.is_empty() {
            cursor.expect(",")?;
        }
        items.push(item(cursor)?);
    }
    Ok(items)
}

pub(super) fn var(cursor: &mut Cursor<'_>) -> Result<Var, Fault> {
    if cursor.eat("l") {
        return Ok(Var::Local(cursor.number()?));
    }
    if cursor.eat("t") {
        return Ok(Var::Temp(cursor.number()?));
    }
    if !cursor.eat("s") {
        return cursor.fault("an operation or a variable");
    }
    let join = cursor.number()?;
    cursor.expect(".")?;
    Ok(Var::Merge { join, depth: cursor.number()? })
}

fn operand(cursor: &mut Cursor<'_>) -> Result<Operand, Fault> {
    if let Some(constant) = constant(cursor)? {
        return Ok(constant.into());
    }
    var(cursor).map(Operand::Var)
}

fn constant(cursor: &mut Cursor<'_>) -> Result<Option<Const>, Fault> {
    if cursor.peek("\"") {
        let units = cursor.quoted('"')?;
        return Ok(Some(Const::String(JavaString::from_utf16(&units))));
    }
    if cursor.rest().starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return number(cursor).map(Some);
    }
    Ok(Some(if cursor.eat("null") {
        Const::Null
    } else if cursor.eat("float:0x") {
        Const::Float(f32::from_bits(hexadecimal(cursor)?))
    } else if cursor.eat("double:0x") {
        Const::Double(f64::from_bits(hexadecimal(cursor)?))
    } else if cursor.eat("class:") {
        Const::Class(cursor.ty()?)
    } else if cursor.eat("methodtype:") {
        Const::MethodType(Symbol::new(&cursor.descriptor()?))
    } else if cursor.eat("handle:") {
        Const::MethodHandle(handle(cursor)?)
    } else if cursor.eat("dynamic:") {
        let bootstrap = cursor.number()?;
        cursor.expect(".")?;
        let name = Symbol::new(&cursor.name()?);
        cursor.expect(":")?;
        Const::Dynamic { bootstrap, name, descriptor: Symbol::new(&cursor.descriptor()?) }
    } else if cursor.eat("address:") {
        Const::ReturnAddress(cursor.number()?)
    } else {
        return Ok(None);
    }))
}

fn number(cursor: &mut Cursor<'_>) -> Result<Const, Fault> {
    let digits = cursor.run(|character| character.is_ascii_digit() || "-.e".contains(character));
    let read = if cursor.eat("L") {
        digits.parse().ok().map(Const::Long)
    } else if cursor.eat("f") {
        digits.parse().ok().map(Const::Float)
    } else if cursor.eat("d") {
        digits.parse().ok().map(Const::Double)
    } else {
        digits.parse().ok().map(Const::Int)
    };
    read.map_or_else(|| cursor.fault("a number"), Ok)
}

fn hexadecimal<T: TryFrom<u64>>(cursor: &mut Cursor<'_>) -> Result<T, Fault> {
    let digits = cursor.run(|character| character.is_ascii_hexdigit());
    let value = u64::from_str_radix(digits, 16).ok().and_then(|bits| T::try_from(bits).ok());
    value.map_or_else(|| cursor.fault("hexadecimal digits"), Ok)
}

fn handle(cursor: &mut Cursor<'_>) -> Result<MethodHandle, Fault> {
    use HandleKind::*;
    let all = [
        GetField,
        GetStatic,
        PutField,
        PutStatic,
        InvokeVirtual,
        InvokeStatic,
        InvokeSpecial,
        NewInvokeSpecial,
        InvokeInterface,
    ];
    let word = cursor.word()?;
    let Some(kind) = all.into_iter().find(|kind| handle_kind(*kind) == word) else {
        return cursor.fault("a kind of handle");
    };
    let member = if matches!(kind, GetField | GetStatic | PutField | PutStatic) {
        cursor.expect(".")?;
        HandleMember::Field(cursor.field()?)
    } else {
        let interface = cursor.eat("!");
        let array = if cursor.eat("@") { Some(cursor.ty()?) } else { None };
        cursor.expect(".")?;
        HandleMember::Method(MethodOperand { method: cursor.method()?, interface, array })
    };
    Ok(MethodHandle { kind, member })
}
