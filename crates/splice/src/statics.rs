//! Static state: which accesses are watched, and the two methods that let a class be initialised again.
//!
//! A fresh VM initialises a class when it is first used. Between candidates the same effect is had by marking a
//! changed class stale and, at its next use, setting its fields to their default values (`$reset$zero`) and running a
//! copy of its static initialiser (`$reset$init`). The copy leaves `<clinit>` itself where stack traces of first
//! initialisation expect it. Enums and interfaces are left alone: an enum's constants are compared by identity, and an
//! interface's fields must stay final.

use super::SpliceError;
use super::bytes::{Put, Reader};
use super::code::{Code, read_attributes};
use super::insert::Inserter;
use super::opcodes::*;
use super::plan::StaticsId;
use super::pool::{Member, Pool};

pub(super) const ZERO_METHOD: &str = "$reset$zero";
pub(super) const INIT_METHOD: &str = "$reset$init";

const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;

/// The static state of the class being spliced.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnStatics {
    pub(super) id: StaticsId,
    /// Whether the class can be initialised again.
    pub(super) resets: bool,
}

/// A static field of the class being spliced.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticField<'a> {
    /// Where its access flags are, counted from the start of the fields.
    pub(super) flags_at: usize,
    access: u16,
    name_index: u16,
    descriptor_index: u16,
    name: &'a [u8],
    descriptor: &'a [u8],
    constant: Option<u16>,
}

/// The JDK's own classes are outside: there is no resetting them, and they are not spliced.
pub(super) fn is_tracked(owner: &[u8]) -> bool {
    const JDK: [&[u8]; 5] = [b"java/", b"javax/", b"jdk/", b"sun/", b"com/sun/"];
    !JDK.iter().any(|prefix| owner.starts_with(prefix)) && !owner.starts_with(b"reenact/host/")
}

/// Whether reading a static field cannot lead to a change: its type is immutable, or it is a table that only the compiler
/// uses.
pub fn is_constant_static(name: &[u8], descriptor: &[u8]) -> bool {
    const IMMUTABLE: [&[u8]; 15] = [
        b"java/lang/String",
        b"java/lang/Class",
        b"java/lang/Boolean",
        b"java/lang/Byte",
        b"java/lang/Character",
        b"java/lang/Short",
        b"java/lang/Integer",
        b"java/lang/Long",
        b"java/lang/Float",
        b"java/lang/Double",
        b"java/math/BigInteger",
        b"java/math/BigDecimal",
        b"java/nio/charset/Charset",
        b"java/util/Locale",
        b"java/util/regex/Pattern",
    ];
    let is_immutable = match descriptor {
        [b'L', name @ .., b';'] => IMMUTABLE.contains(&name),
        [b'[', ..] => false,
        _ => true,
    };
    is_immutable || name.starts_with(b"$SwitchMap$") || name.starts_with(b"$SWITCH_TABLE$")
}

/// The static fields among the fields of the class; leaves the reader behind the last field.
pub(super) fn read_static_fields<'a>(
    reader: &mut Reader<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<StaticField<'a>>, SpliceError> {
    let start = reader.position();
    let mut statics = Vec::new();
    for _ in 0..reader.u2()? {
        let flags_at = reader.position() - start;
        let (access, name_index, descriptor_index) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let attributes = read_attributes(reader, pool)?;
        if access & STATIC == 0 {
            continue;
        }
        let constant = match attributes.iter().find(|attribute| attribute.name == b"ConstantValue") {
            Some(attribute) => Some(attribute.reader().u2()?),
            None => None,
        };
        statics.push(StaticField {
            flags_at,
            access,
            name_index,
            descriptor_index,
            name: pool.utf8(name_index)?,
            descriptor: pool.utf8(descriptor_index)?,
            constant,
        });
    }
    Ok(statics)
}

impl StaticField<'_> {
    /// A compile-time constant: no code assigns it.
    pub(super) fn is_fixed(&self, assigned_by_initialiser: &[Member<'_>]) -> bool {
        let is_assigned =
            || assigned_by_initialiser.iter().any(|f| f.name == self.name && f.descriptor == self.descriptor);
        self.access & FINAL != 0 && self.constant.is_some() && !is_assigned()
    }

    /// Flags without `final`, which the copied initialiser could not assign.
    pub(super) fn assignable_flags(&self) -> u16 {
        self.access & !FINAL
    }
}

/// The fields of `class` that its static initialiser assigns.
pub(super) fn assigned_fields<'a>(
    initialiser: &Code<'a>,
    class: &[u8],
    pool: &Pool<'a>,
) -> Result<Vec<Member<'a>>, SpliceError> {
    let mut assigned = Vec::new();
    for instruction in initialiser.instructions.iter().filter(|instruction| instruction.op == PUTSTATIC) {
        let field = pool.member(initialiser.u2(instruction.pc + 1))?;
        if field.owner == class {
            assigned.push(field);
        }
    }
    Ok(assigned)
}

/// The whole `$reset$zero` method: every field gets its default value, or its `ConstantValue`.
pub(super) fn zero_method<'a>(
    fields: &[StaticField<'a>],
    this_class: u16,
    pool: &mut Pool<'a>,
) -> Result<Vec<u8>, SpliceError> {
    let mut insert = Inserter::new(pool, false);
    for field in fields {
        match (field.constant, field.descriptor.first()) {
            (Some(constant), Some(b'J' | b'D')) => insert.ldc(LDC2_W, constant),
            (Some(constant), _) => insert.ldc(LDC_W, constant),
            (None, Some(b'L' | b'[')) => insert.op(ACONST_NULL),
            (None, Some(b'J')) => insert.op(LCONST_0),
            (None, Some(b'F')) => insert.op(FCONST_0),
            (None, Some(b'D')) => insert.op(DCONST_0),
            (None, _) => insert.op(ICONST_0),
        }
        insert.put_own_static(this_class, field.name_index, field.descriptor_index)?;
    }
    insert.op(RETURN);
    insert.next_instruction();
    let insertions = insert.finish();
    let body = insertions.before(0);
    let mut code = Vec::with_capacity(body.len() + 12);
    code.u2(2);
    code.u2(0);
    code.u4(body.len() as u32);
    code.extend(body);
    code.u2(0);
    code.u2(0);
    if body.len() > usize::from(u16::MAX) {
        return Err(SpliceError::TooLong);
    }
    method(ZERO_METHOD, &code, pool)
}

/// A private, so that it does not count for serialization, static, synthetic method without arguments.
pub(super) fn method(name: &str, code: &[u8], pool: &mut Pool<'_>) -> Result<Vec<u8>, SpliceError> {
    let mut out = Vec::with_capacity(code.len() + 14);
    out.u2(0x1000 | STATIC | 0x0002);
    out.u2(pool.add_utf8(name.as_bytes())?);
    out.u2(pool.add_utf8(b"()V")?);
    out.u2(1);
    out.u2(pool.add_utf8(b"Code")?);
    out.u4(code.len() as u32);
    out.extend(code);
    Ok(out)
}
