//! Which probes are put into a class file, and what have they recorded? Input is the bytes of one class and a [`SplicePlan`];
//! output the bytes of the same class with calls to the host's probe classes in it ([`readings`] decodes what these record). A pure
//! function: no VM, no class hierarchy, no files. Knows neither recipes nor conditions: what is worth a probe is for others to say.
//!
//! The class is not taken apart and written anew, it is *spliced*: the constant pool is only appended to, everything
//! that is not code is copied as it is, and code moves. What is inserted has no jumps, so no stack map frame has to be
//! made; existing frames, jumps, exception ranges and tables follow their instructions. Annotations on types inside
//! code are dropped; no reflection shows them.
//!
//! What does not fit (methods near 64 KB, jumps that no longer reach) gets fewer probes, in the order of [`Detail`],
//! and in the end none; [`SpliceReport`] counts it. `java/lang/Object` is refused: giving it a non-empty `finalize`
//! makes every object finalizable.

mod bytes;
mod code;
mod frames;
mod insert;
mod layout;
mod locals;
mod opcodes;
mod operands;
mod plan;
mod pool;
mod predicates;
mod probes;
pub mod readings;
mod recorder;
mod statics;

pub use plan::{
    EntryGuard, GuardCall, Outcome, ProbeId, ProbeIds, ProbeKind, ProbeSite, SplicePlan, StaticsId, ValueKind,
    ValueProbe, ValueSource,
};
pub use probes::Detail;
pub use recorder::{Named, RecordedId, RecordedKind, RecordedPart, RecordedPlace, RecordedSite, RecorderPlan};
pub use statics::is_constant_static;

use bytes::{Put, Reader, rows, u2_at};
use code::{Code, read_attributes};
use frames::{Absolute, Frame, Placed, VerificationType};
use layout::{FarBranches, Layout, Unplaceable};
use pool::Pool;
use probes::{Role, Subject};
use program::{ClassName, MethodRef, Type};
use statics::{OwnStatics, StaticField};

/// A class with its probes.
#[derive(Debug)]
pub struct Spliced {
    pub bytes: Vec<u8>,
    pub report: SpliceReport,
}

/// What became of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpliceReport {
    /// Methods with code.
    pub methods: u32,
    pub probes: u32,
    /// Methods that got less than the plan asked for, and what they got; `None` is nothing at all.
    pub reduced: Vec<(MethodRef, Option<Detail>)>,
    /// Value probes (by index in the plan) that read what cannot be read where they are.
    pub unreadable: Vec<u16>,
    /// The class can be initialised again.
    pub resets: bool,
}

/// Why a class is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    /// The class file's fault; the VM would most likely refuse it as well.
    #[error("not a well-formed class file: {what} at offset {offset}")]
    Malformed { what: &'static str, offset: usize },
    /// A limit of the class file format.
    #[error("no room in the constant pool")]
    PoolFull,
    /// A limit of the class file format.
    #[error("the code would be longer than 64 KB")]
    TooLong,
    /// A limit of the class file format.
    #[error("a conditional branch would not reach its target")]
    FarBranch,
    /// A limit of the class file format.
    #[error("more local variables than a method can have")]
    TooManyLocals,
    /// A limit of ours: ids are packed into an int with three other bits.
    #[error("more probes than ids")]
    TooManyProbes,
    /// Probes in this class would break the VM or the host itself.
    #[error("`{class}` cannot be probed")]
    Refused { class: ClassName },
}

impl From<Unplaceable> for SpliceError {
    fn from(why: Unplaceable) -> Self {
        match why {
            Unplaceable::TooLong => SpliceError::TooLong,
            Unplaceable::FarBranch => SpliceError::FarBranch,
        }
    }
}

/// Splices one class. On an error `ids` has gained no probes.
pub fn splice(class: &[u8], plan: &SplicePlan, ids: &mut ProbeIds) -> Result<Spliced, SpliceError> {
    let mark = ids.mark();
    let result = Splicer::read(class, plan, ids).and_then(Splicer::finish);
    if result.is_err() {
        ids.forget_from(mark);
    }
    result
}

/// The names of a class's superclass and interfaces, in internal form.
pub fn supertypes(class: &[u8]) -> Result<Vec<&[u8]>, SpliceError> {
    let pool = Pool::read(class)?;
    let mut reader = Reader::new(class);
    reader.take(pool.end() + 4)?;
    let superclass = reader.u2()?;
    let mut names = Vec::new();
    if superclass != 0 {
        names.push(pool.class(superclass)?);
    }
    for _ in 0..reader.u2()? {
        names.push(pool.class(reader.u2()?)?);
    }
    Ok(names)
}

const ACC_PRIVATE: u16 = 0x0002;
const ACC_STATIC: u16 = 0x0008;
const ACC_SYNTHETIC: u16 = 0x1000;
const ACC_INTERFACE: u16 = 0x0200;
const ACC_ENUM: u16 = 0x4000;

/// The first class file version whose code must have stack map frames.
const FRAMES_SINCE: u16 = 50;

struct Splicer<'s, 'a> {
    plan: &'s SplicePlan,
    ids: &'s mut ProbeIds,
    pool: Pool<'a>,
    major: u16,
    name: &'a [u8],
    class: ClassName,
    this_class: u16,
    /// Access flags to interfaces, unchanged.
    head: &'a [u8],
    /// The fields, with changed flags.
    fields: Vec<u8>,
    methods: Vec<MethodSource<'a>>,
    static_fields: Vec<StaticField<'a>>,
    /// Class attributes, unchanged.
    tail: &'a [u8],
    own_statics: Option<OwnStatics>,
    report: SpliceReport,
}

/// A method as it is in the file.
#[derive(Clone, Debug)]
struct MethodSource<'a> {
    access: u16,
    name: &'a [u8],
    descriptor: &'a [u8],
    /// Flags, name and descriptor.
    head: &'a [u8],
    attributes: Vec<code::Attribute<'a>>,
}

impl<'a> MethodSource<'a> {
    fn code(&self) -> Option<Reader<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == b"Code").map(|code| code.reader())
    }
}

impl<'s, 'a> Splicer<'s, 'a> {
    fn read(file: &'a [u8], plan: &'s SplicePlan, ids: &'s mut ProbeIds) -> Result<Self, SpliceError> {
        let pool = Pool::read(file)?;
        let major = u2_at(file, 6);
        let mut reader = Reader::new(file);
        reader.take(pool.end())?;
        let head_at = reader.position();
        let (access, this_class) = (reader.u2()?, reader.u2()?);
        reader.u2()?;
        let interfaces = usize::from(reader.u2()?);
        reader.take(2 * interfaces)?;
        let head = reader.since(head_at);
        let name = pool.class(this_class)?;
        let class = ClassName::internal(&String::from_utf8_lossy(name));
        if name == b"java/lang/Object"
            || name.starts_with(b"reenact/host/")
            || name.starts_with(recorder::CLASS.as_bytes())
        {
            return Err(SpliceError::Refused { class });
        }
        let fields_at = reader.position();
        let static_fields = statics::read_static_fields(&mut reader, &pool)?;
        let fields = reader.since(fields_at).to_vec();
        let methods = read_methods(&mut reader, &pool)?;
        let tail_at = reader.position();
        read_attributes(&mut reader, &pool)?;
        if !reader.is_at_end() {
            return Err(reader.malformed("bytes behind the class"));
        }
        let tail = reader.since(tail_at);
        let mut splicer = Splicer {
            plan,
            ids,
            pool,
            major,
            name,
            class,
            this_class,
            head,
            fields,
            methods,
            static_fields,
            tail,
            own_statics: None,
            report: SpliceReport::default(),
        };
        splicer.prepare_statics(access)?;
        Ok(splicer)
    }

    fn initialiser(&self) -> Option<&MethodSource<'a>> {
        self.methods.iter().find(|method| method.name == b"<clinit>" && method.code().is_some())
    }

    /// Decides whether the class can be initialised again, and makes its static fields assignable if so.
    fn prepare_statics(&mut self, access: u16) -> Result<(), SpliceError> {
        if !self.plan.statics || !statics::is_tracked(self.name) {
            return Ok(());
        }
        let assigned = match self.initialiser().and_then(MethodSource::code) {
            Some(body) => statics::assigned_fields(&Code::parse(body, &self.pool)?, self.name, &self.pool)?,
            None => Vec::new(),
        };
        let has_initialiser = self.initialiser().is_some();
        self.static_fields.retain(|field| !field.is_fixed(&assigned));
        if self.static_fields.is_empty() && !has_initialiser {
            return Ok(());
        }
        let has_room = self.methods.len() + 2 <= usize::from(u16::MAX);
        let resets = access & (ACC_INTERFACE | ACC_ENUM) == 0 && has_room && !self.plan.initialised_once;
        if resets {
            for field in &self.static_fields {
                self.fields.patch_u2(field.flags_at, field.assignable_flags());
            }
        }
        self.report.resets = resets;
        self.own_statics = Some(OwnStatics { id: self.ids.statics_id(self.class), resets });
        Ok(())
    }

    fn finish(mut self) -> Result<Spliced, SpliceError> {
        let first = self.ids.next();
        let mut methods = Vec::new();
        let sources = std::mem::take(&mut self.methods);
        for source in &sources {
            self.method(source, &mut methods)?;
        }
        let mut count = sources.len() as u16;
        if self.own_statics.is_some_and(|own| own.resets) {
            count += self.reset_methods(&sources, &mut methods)?;
        }
        self.report.probes = self.ids.next().0 - first.0;
        let mut bytes =
            Vec::with_capacity(self.pool.size() + methods.len() + self.fields.len() + self.tail.len() + 256);
        self.pool.write(&mut bytes);
        bytes.extend(self.head);
        bytes.extend(&self.fields);
        bytes.u2(count);
        bytes.extend(methods);
        bytes.extend(self.tail);
        Ok(Spliced { bytes, report: self.report })
    }

    fn method(&mut self, source: &MethodSource<'a>, out: &mut Vec<u8>) -> Result<(), SpliceError> {
        out.extend(source.head);
        out.u2(source.attributes.len() as u16);
        for attribute in &source.attributes {
            out.u2(attribute.name_index);
            let spliced = if attribute.name == b"Code" { self.code(source, attribute.reader())? } else { None };
            let data = spliced.as_deref().unwrap_or(attribute.data);
            out.u4(data.len() as u32);
            out.extend(data);
        }
        Ok(())
    }

    /// The new body of a method's `Code`, or `None` if it stays as it is.
    fn code(&mut self, source: &MethodSource<'a>, body: Reader<'a>) -> Result<Option<Vec<u8>>, SpliceError> {
        self.report.methods += 1;
        let code = Code::parse(body, &self.pool)?;
        let subject = self.subject(source);
        for detail in [Detail::Everything, Detail::Branches, Detail::Lean, Detail::Least] {
            if let Some(spliced) = self.attempt(&code, subject, detail)? {
                if detail != Detail::Everything {
                    self.report.reduced.push((subject.method, Some(detail)));
                }
                return Ok(Some(spliced));
            }
        }
        self.report.reduced.push((subject.method, None));
        Ok(None)
    }

    fn subject(&self, source: &MethodSource<'a>) -> Subject<'a> {
        let text = |bytes| String::from_utf8_lossy(bytes);
        Subject {
            class: self.name,
            method: MethodRef {
                class: self.class,
                name: program::Symbol::new(&text(source.name)),
                descriptor: program::Symbol::new(&text(source.descriptor)),
            },
            is_static: source.access & ACC_STATIC != 0,
            is_called_by_its_own: source.access & (ACC_PRIVATE | ACC_SYNTHETIC) == ACC_PRIVATE,
            own_statics: self.own_statics,
            role: if source.name == b"<clinit>" { Role::StaticInitialiser } else { Role::Ordinary },
        }
    }

    /// Splices with this much detail; `None`, and nothing changed, if it does not fit.
    fn attempt(
        &mut self,
        code: &Code<'a>,
        subject: Subject<'a>,
        detail: Detail,
    ) -> Result<Option<Vec<u8>>, SpliceError> {
        let (pool_mark, id_mark) = (self.pool.mark(), self.ids.mark());
        let spliced = probes::choose(code, subject, self.plan, detail, &mut self.pool, self.ids).and_then(|chosen| {
            let code = self.write_code(code, subject, &chosen.insertions)?;
            Ok((code, chosen.unreadable))
        });
        match spliced {
            Ok((code, unreadable)) => {
                self.report.unreadable.extend(unreadable);
                Ok(Some(code))
            }
            Err(malformed @ SpliceError::Malformed { .. }) => Err(malformed),
            Err(_) => {
                self.pool.rollback(pool_mark);
                self.ids.forget_from(id_mark);
                Ok(None)
            }
        }
    }

    fn write_code(
        &mut self,
        code: &Code<'a>,
        subject: Subject<'a>,
        insertions: &insert::Insertions,
    ) -> Result<Vec<u8>, SpliceError> {
        let frames = code.attribute(b"StackMapTable").map(|table| frames::read(table, code)).transpose()?;
        let far = match &frames {
            Some(frames) => FarBranches::Islands(frames),
            // Version 50 without frames is left to the old verifier, which infers types.
            None if self.major <= FRAMES_SINCE => FarBranches::Invert,
            None => FarBranches::Islands(&[]),
        };
        let layout = Layout::find(code, insertions, far)?;
        let moved_frames = match frames {
            Some(frames) => Some(self.move_frames(&frames, subject, &layout)?),
            None => None,
        };
        let max_stack = code.max_stack.checked_add(insertions.extra_stack).ok_or(SpliceError::TooLong)?;
        let max_locals = code.max_locals.checked_add(insertions.extra_locals).ok_or(SpliceError::TooManyLocals)?;
        let mut out = Vec::with_capacity(layout.code_len() + code.handlers.len() + 512);
        out.u2(max_stack);
        out.u2(max_locals);
        out.u4(layout.code_len() as u32);
        layout.write_code(&mut out);
        out.u2((code.handlers.len() / 8) as u16);
        layout.write_handlers(&mut out);
        write_code_attributes(code, &layout, moved_frames, &mut out)?;
        Ok(out)
    }

    /// The frames at their new places, with those of islands.
    fn move_frames(
        &mut self,
        frames: &[Frame],
        subject: Subject<'a>,
        layout: &Layout<'_, 'a>,
    ) -> Result<Vec<u8>, SpliceError> {
        let place = |pc| layout.before(pc);
        let placed = if layout.islands().is_empty() {
            frames.iter().map(|frame| Placed { at: place(frame.pc), shape: frame.shape.clone() }).collect()
        } else {
            let entry = Absolute::at_entry(self.entry_locals(subject)?);
            frames::with_islands(frames, entry, layout.islands(), place).ok_or(SpliceError::FarBranch)?
        };
        Ok(frames::write(&placed, |new| layout.at(usize::from(new))))
    }

    /// The types of the local variables at method entry.
    fn entry_locals(&mut self, subject: Subject<'a>) -> Result<Vec<VerificationType>, SpliceError> {
        let mut locals = Vec::new();
        if !subject.is_static {
            let this = VerificationType::Object(self.this_class);
            locals.push(if subject.method.is_constructor() { VerificationType::UNINITIALISED_THIS } else { this });
        }
        for param in subject.method.signature().params {
            locals.push(match param {
                Type::Float => VerificationType::FLOAT,
                Type::Long => VerificationType::LONG,
                Type::Double => VerificationType::DOUBLE,
                Type::Class(class) => VerificationType::Object(self.pool.add_class(class.as_internal())?),
                Type::Array(_) => VerificationType::Object(self.pool.add_class(&param.descriptor())?),
                _ => VerificationType::INT,
            });
        }
        Ok(locals)
    }

    /// Appends `$reset$zero` and, if there is something to copy, `$reset$init`; says how many.
    fn reset_methods(&mut self, sources: &[MethodSource<'a>], out: &mut Vec<u8>) -> Result<u16, SpliceError> {
        out.extend(statics::zero_method(&self.static_fields, self.this_class, &mut self.pool)?);
        let Some(source) = sources.iter().find(|method| method.name == b"<clinit>") else { return Ok(1) };
        let Some(body) = source.code() else { return Ok(1) };
        let code = Code::parse(body, &self.pool)?;
        let subject = Subject { role: Role::InitialiserCopy, ..self.subject(source) };
        let copy = match self.attempt(&code, subject, Detail::Lean)? {
            Some(copy) => copy,
            None => body_without_probes(source),
        };
        out.extend(statics::method(statics::INIT_METHOD, &copy, &mut self.pool)?);
        Ok(2)
    }
}

fn body_without_probes(source: &MethodSource<'_>) -> Vec<u8> {
    source.code().map(|mut body| body.rest().to_vec()).unwrap_or_default()
}

fn read_methods<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Vec<MethodSource<'a>>, SpliceError> {
    let count = reader.u2()?;
    let mut methods = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let start = reader.position();
        let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let head = reader.since(start);
        let attributes = read_attributes(reader, pool)?;
        methods.push(MethodSource {
            access,
            name: pool.utf8(name)?,
            descriptor: pool.utf8(descriptor)?,
            head,
            attributes,
        });
    }
    Ok(methods)
}

/// The attributes of a `Code`, with every bytecode index in them moved.
fn write_code_attributes(
    code: &Code<'_>,
    layout: &Layout<'_, '_>,
    frames: Option<Vec<u8>>,
    out: &mut Vec<u8>,
) -> Result<(), SpliceError> {
    let mut frames = frames;
    let count_at = out.len();
    out.u2(0);
    let mut count = 0;
    for attribute in &code.attributes {
        let moved = match attribute.name {
            b"LineNumberTable" => move_lines(attribute.data, layout)?,
            b"LocalVariableTable" | b"LocalVariableTypeTable" => move_variables(attribute.data, layout)?,
            b"StackMapTable" => match frames.take() {
                Some(frames) => frames,
                // A second table, which no VM reads.
                None => continue,
            },
            // The last is the frame format of small devices, which no JVM reads.
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" | b"StackMap" => continue,
            _ => attribute.data.to_vec(),
        };
        out.u2(attribute.name_index);
        out.u4(moved.len() as u32);
        out.extend(moved);
        count += 1;
    }
    out.patch_u2(count_at, count);
    Ok(())
}

fn move_lines(table: &[u8], layout: &Layout<'_, '_>) -> Result<Vec<u8>, SpliceError> {
    let mut out = table[..2].to_vec();
    for row in rows(table, 4)? {
        out.u2(layout.before(usize::from(u2_at(row, 0))));
        out.extend(&row[2..]);
    }
    Ok(out)
}

fn move_variables(table: &[u8], layout: &Layout<'_, '_>) -> Result<Vec<u8>, SpliceError> {
    let mut out = Vec::with_capacity(table.len());
    let rows = rows(table, 10)?;
    out.extend(&table[..2]);
    for row in rows {
        let start = usize::from(u2_at(row, 0));
        let end = start + usize::from(u2_at(row, 2));
        out.u2(layout.before(start));
        out.u2(layout.before(end).saturating_sub(layout.before(start)));
        out.extend(&row[4..]);
    }
    Ok(out)
}
