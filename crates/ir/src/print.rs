//! The text form of bodies. `{}` is for people: variables, blocks, a comment where the source line changes. `{:#}` adds the side
//! tables, so that [`read`](crate::read::read) gives the same body back.
//!
//! ```text
//! method static Example.half(I)I
//! var l0 I
//! var t2 I
//! block0 @0..4:
//!   // line 3
//!   @2 t2 = l0 / 2
//!   @3 return t2
//! ```
//! Types are descriptors. Names with characters other than letters, digits and `_$/<>-;[` are in backticks.

use crate::body::{
    Block, BlockId, Body, Callee, Const, Guard, InvokeKind, Op, Operand, Rvalue, Terminator, ThreeWay, Var, VarInfo,
};
use program::classfile::{HandleKind, HandleMember, JavaString, Kind, MethodHandle};
use program::{FieldRef, MethodRef, Type};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "method {}{}", if self.is_static { "static " } else { "" }, Method(&self.method))?;
        if self.unreachable > 0 {
            writeln!(f, "unreachable {}", self.unreachable)?;
        }
        for (var, info) in &self.vars {
            writeln!(f, "var {var} {info}")?;
        }
        let mut line = None;
        for id in self.block_ids() {
            print_block(f, self, id, &mut line)?;
        }
        if f.alternate() { print_tables(f, self) } else { Ok(()) }
    }
}

fn print_block(f: &mut Formatter<'_>, body: &Body, id: BlockId, line: &mut Option<u16>) -> fmt::Result {
    let block = body.block(id);
    write!(f, "{id} @{}..{}", block.start, block.after)?;
    for handler in &block.handlers {
        match handler.catch {
            Some(class) => write!(f, " catch {} {}", Name(class.as_internal()), handler.target)?,
            None => write!(f, " catch * {}", handler.target)?,
        }
    }
    writeln!(f, ":")?;
    for instr in &block.instrs {
        print_line_change(f, body, block, instr.id.bci, line)?;
        writeln!(f, "  {} {}", instr.id, instr.op)?;
    }
    print_line_change(f, body, block, block.end_id.bci, line)?;
    writeln!(f, "  {} {}", block.end_id, block.end)
}

fn print_line_change(
    f: &mut Formatter<'_>,
    body: &Body,
    block: &Block,
    bci: u16,
    last: &mut Option<u16>,
) -> fmt::Result {
    let line = body.line_of(bci);
    if block.is_on_edge() || line == *last {
        return Ok(());
    }
    *last = line;
    line.map_or(Ok(()), |line| writeln!(f, "  // line {line}"))
}

fn print_tables(f: &mut Formatter<'_>, body: &Body) -> fmt::Result {
    for (bci, line) in &body.lines {
        writeln!(f, "line @{bci} {line}")?;
    }
    for local in &body.names {
        let (start, end) = (local.range.start, local.range.end);
        let (name, descriptor) = (Name(local.name.as_str()), Descriptor(local.descriptor.as_str()));
        writeln!(f, "name l{} {start}..{end} {name} {descriptor}", local.slot)?;
    }
    for (bci, stack) in body.stacks.iter() {
        writeln!(f, "stack @{bci} [{}]", List(stack))?;
    }
    Ok(())
}

impl Display for BlockId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "block{}", self.0)
    }
}

impl Display for Var {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Var::Local(slot) => write!(f, "l{slot}"),
            Var::Temp(bci) => write!(f, "t{bci}"),
            Var::Merge { join, depth } => write!(f, "s{join}.{depth}"),
        }
    }
}

/// The type, or what is known instead of it.
impl Display for VarInfo {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.ty, self.kind) {
            (Some(ty), _) => write!(f, "{}", TypeText(ty))?,
            (None, Some(Kind::Reference)) => f.write_str("reference")?,
            (None, _) => f.write_str("mixed")?,
        }
        self.name.map_or(Ok(()), |name| write!(f, " {}", Name(name.as_str())))
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Op::Assign(var, value) => write!(f, "{var} = {value}"),
            Op::PutField { object, field, value } => write!(f, "putfield {object} {} = {value}", Field(field)),
            Op::PutStatic { field, value } => write!(f, "putstatic {} = {value}", Field(field)),
            Op::PutElement { array, index, value, component } => {
                write!(f, "putelement {array}[{index}] of {} = {value}", Component(*component))
            }
            Op::Invoke(callee, args) => write!(f, "invoke {callee} ({})", List(args)),
            Op::Guard(guard) => write!(f, "guard {guard}"),
            Op::MonitorEnter(object) => write!(f, "monitorenter {object}"),
            Op::MonitorExit(object) => write!(f, "monitorexit {object}"),
        }
    }
}

impl Display for Guard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Guard::NotNull(operand) => write!(f, "notnull {operand}"),
            Guard::InBounds { array, index } => write!(f, "inbounds {array}[{index}]"),
            Guard::Castable(operand, ty) => write!(f, "castable {operand} to {}", TypeText(*ty)),
            Guard::Storable { array, value } => write!(f, "storable {value} into {array}"),
            Guard::NotZero(operand) => write!(f, "notzero {operand}"),
            Guard::NotNegative(operand) => write!(f, "notnegative {operand}"),
        }
    }
}

impl Display for Rvalue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Rvalue::Use(operand) => write!(f, "{operand}"),
            Rvalue::Negate(operand) => write!(f, "neg {operand}"),
            Rvalue::Binary(op, left, right) => write!(f, "{left} {op} {right}"),
            Rvalue::ThreeWay(op, left, right) => write!(f, "{op} {left}, {right}"),
            Rvalue::Convert(operand, ty) => write!(f, "convert {operand} to {}", TypeText(*ty)),
            Rvalue::Cast(operand, ty) => write!(f, "cast {operand} to {}", TypeText(*ty)),
            Rvalue::InstanceOf(operand, ty) => write!(f, "instanceof {operand} {}", TypeText(*ty)),
            Rvalue::GetField(object, field) => write!(f, "getfield {object} {}", Field(field)),
            Rvalue::GetStatic(field) => write!(f, "getstatic {}", Field(field)),
            Rvalue::GetElement { array, index, component } => {
                write!(f, "getelement {array}[{index}] of {}", Component(*component))
            }
            Rvalue::Length(array) => write!(f, "length {array}"),
            Rvalue::New(class) => write!(f, "new {}", Name(class.as_internal())),
            Rvalue::NewArray(component, lengths) => write!(f, "newarray {} [{}]", TypeText(*component), List(lengths)),
            Rvalue::Invoke(callee, args) => write!(f, "invoke {callee} ({})", List(args)),
            Rvalue::Caught => f.write_str("caught"),
        }
    }
}

impl Display for Callee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Method { kind, method, interface } => {
                // An `invokeinterface` names an interface anyway.
                let mark = if *interface && *kind != InvokeKind::Interface { "of-interface " } else { "" };
                write!(f, "{kind} {mark}{}", Method(method))
            }
            Callee::Dynamic { bootstrap, name, descriptor } => {
                write!(f, "dynamic {bootstrap} {} {}", Name(name.as_str()), Descriptor(descriptor.as_str()))
            }
        }
    }
}

impl Display for InvokeKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InvokeKind::Static => "static",
            InvokeKind::Special => "special",
            InvokeKind::Virtual => "virtual",
            InvokeKind::Interface => "interface",
        })
    }
}

impl ThreeWay {
    /// As it is written.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            ThreeWay::Long => "lcmp",
            ThreeWay::Float { nan: ..0 } => "fcmpl",
            ThreeWay::Float { .. } => "fcmpg",
            ThreeWay::Double { nan: ..0 } => "dcmpl",
            ThreeWay::Double { .. } => "dcmpg",
        }
    }
}

impl Display for ThreeWay {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Goto(target) => write!(f, "goto {target}"),
            Terminator::If { op, left, right, then, otherwise } => {
                write!(f, "if {left} {op} {right} then {then} else {otherwise}")
            }
            Terminator::Switch { on, cases, default } => {
                write!(f, "switch {on} [")?;
                for (key, target) in cases {
                    write!(f, "{key}: {target}, ")?;
                }
                write!(f, "default: {default}]")
            }
            Terminator::Return(None) => f.write_str("return"),
            Terminator::Return(Some(value)) => write!(f, "return {value}"),
            Terminator::Throw(thrown) => write!(f, "throw {thrown}"),
            Terminator::Ret(address, targets) => {
                let targets: Vec<String> = targets.iter().map(|(site, target)| format!("{site}: {target}")).collect();
                write!(f, "ret {address} [{}]", targets.join(", "))
            }
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Var(var) => var.fmt(f),
            Operand::Const(value) => value.fmt(f),
        }
    }
}

impl Display for Const {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Const::Null => f.write_str("null"),
            Const::Int(value) => write!(f, "{value}"),
            Const::Long(value) => write!(f, "{value}L"),
            Const::Float(value) if value.is_finite() => write!(f, "{value:?}f"),
            Const::Float(value) => write!(f, "float:{:#x}", value.to_bits()),
            Const::Double(value) if value.is_finite() => write!(f, "{value:?}d"),
            Const::Double(value) => write!(f, "double:{:#x}", value.to_bits()),
            Const::String(text) => print_string(f, text),
            Const::Class(ty) => write!(f, "class:{}", TypeText(*ty)),
            Const::MethodType(descriptor) => write!(f, "methodtype:{}", Descriptor(descriptor.as_str())),
            Const::MethodHandle(handle) => write!(f, "handle:{}", Handle(handle)),
            Const::Dynamic { bootstrap, name, descriptor } => {
                write!(f, "dynamic:{bootstrap}.{}:{}", Name(name.as_str()), Descriptor(descriptor.as_str()))
            }
            Const::ReturnAddress(bci) => write!(f, "address:{bci}"),
        }
    }
}

fn print_string(f: &mut Formatter<'_>, text: &JavaString) -> fmt::Result {
    f.write_char('"')?;
    for unit in char::decode_utf16(text.utf16()) {
        match unit {
            Ok(character) => print_escaped(f, character, '"')?,
            Err(lone) => write!(f, "\\u{{{:x}}}", lone.unpaired_surrogate())?,
        }
    }
    f.write_char('"')
}

fn print_escaped(f: &mut Formatter<'_>, character: char, quote: char) -> fmt::Result {
    match character {
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        quoted if quoted == quote => write!(f, "\\{quoted}"),
        odd if odd.is_control() || !(odd.is_alphanumeric() || odd.is_ascii()) => {
            write!(f, "\\u{{{:x}}}", u32::from(odd))
        }
        plain => f.write_char(plain),
    }
}

/// Whether a character needs no quotes in a name.
pub(crate) fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || "_$/<>-;[".contains(character)
}

/// Whether a character needs no quotes in a descriptor.
pub(crate) fn is_plain_in_descriptor(character: char) -> bool {
    is_plain(character) || "()".contains(character)
}

struct Name<'a>(&'a str);
struct Descriptor<'a>(&'a str);
struct TypeText(Type);
struct Component(Option<Type>);
struct Field<'a>(&'a FieldRef);
struct Method<'a>(&'a MethodRef);
struct Handle<'a>(&'a MethodHandle);
struct List<'a>(&'a [Operand]);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print_quoted_unless(f, self.0, is_plain)
    }
}

impl Display for Descriptor<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print_quoted_unless(f, self.0, is_plain_in_descriptor)
    }
}

fn print_quoted_unless(f: &mut Formatter<'_>, text: &str, plain: impl Fn(char) -> bool) -> fmt::Result {
    if !text.is_empty() && text.chars().all(plain) {
        return f.write_str(text);
    }
    f.write_char('`')?;
    text.chars().try_for_each(|character| print_escaped(f, character, '`'))?;
    f.write_char('`')
}

impl Display for TypeText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Name(&self.0.descriptor()).fmt(f)
    }
}

impl Display for Component {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(ty) => TypeText(ty).fmt(f),
            None => f.write_str("?"),
        }
    }
}

impl Display for Field<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let FieldRef { class, name, descriptor } = self.0;
        write!(f, "{}.{}:{}", Name(class.as_internal()), Name(name.as_str()), Descriptor(descriptor.as_str()))
    }
}

impl Display for Method<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let MethodRef { class, name, descriptor } = self.0;
        write!(f, "{}.{}", Name(class.as_internal()), Name(name.as_str()))?;
        // Only the parenthesis tells where the name ends.
        let is_plain = |character| descriptor.as_str().starts_with('(') && is_plain_in_descriptor(character);
        print_quoted_unless(f, descriptor.as_str(), is_plain)
    }
}

impl Display for Handle<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(handle_kind(self.0.kind))?;
        match &self.0.member {
            HandleMember::Field(field) => write!(f, ".{}", Field(field)),
            HandleMember::Method(operand) => {
                let mark = if operand.interface { "!" } else { "" };
                let array = operand.array.map(|ty| format!("@{}", TypeText(ty))).unwrap_or_default();
                write!(f, "{mark}{array}.{}", Method(&operand.method))
            }
        }
    }
}

impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, operand) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{operand}")?;
        }
        Ok(())
    }
}

pub(crate) fn handle_kind(kind: HandleKind) -> &'static str {
    match kind {
        HandleKind::GetField => "getfield",
        HandleKind::GetStatic => "getstatic",
        HandleKind::PutField => "putfield",
        HandleKind::PutStatic => "putstatic",
        HandleKind::InvokeVirtual => "virtual",
        HandleKind::InvokeStatic => "static",
        HandleKind::InvokeSpecial => "special",
        HandleKind::NewInvokeSpecial => "new",
        HandleKind::InvokeInterface => "interface",
    }
}
