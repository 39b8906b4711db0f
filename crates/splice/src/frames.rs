//! The `StackMapTable` (JVMS 4.7.4): read, moved to new places, extended by copies. Types are never computed, only
//! carried.

use super::SpliceError;
use super::bytes::{Put, Reader};
use super::code::Code;
use super::layout::Island;

/// A verification type as the file has it; `Uninitialized` refers to its `new` by bytecode index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerificationType {
    /// Top, int, float, double, long, null, uninitializedThis: nothing but the tag.
    Plain(u8),
    Object(u16),
    Uninitialized(u16),
}

impl VerificationType {
    pub(super) const INT: Self = VerificationType::Plain(1);
    pub(super) const FLOAT: Self = VerificationType::Plain(2);
    pub(super) const DOUBLE: Self = VerificationType::Plain(3);
    pub(super) const LONG: Self = VerificationType::Plain(4);
    pub(super) const NULL: Self = VerificationType::Plain(5);
    pub(super) const UNINITIALISED_THIS: Self = VerificationType::Plain(6);
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Same,
    SameLocalsOneStack(VerificationType),
    Chop(u8),
    Append(Vec<VerificationType>),
    Full { locals: Vec<VerificationType>, stack: Vec<VerificationType> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) pc: usize,
    pub(super) shape: Shape,
}

/// The frames in order of their place; a place that is no instruction is refused.
pub(super) fn read(table: &[u8], code: &Code<'_>) -> Result<Vec<Frame>, SpliceError> {
    let mut reader = Reader::new(table);
    let count = reader.u2()?;
    let mut frames: Vec<Frame> = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let (delta, shape) = read_frame(&mut reader)?;
        let pc = match frames.last() {
            None => usize::from(delta),
            Some(previous) => previous.pc + usize::from(delta) + 1,
        };
        if !code.is_start(pc) {
            return Err(reader.malformed("frame that is not at an instruction"));
        }
        frames.push(Frame { pc, shape });
    }
    Ok(frames)
}

fn read_frame(reader: &mut Reader<'_>) -> Result<(u16, Shape), SpliceError> {
    let tag = reader.u1()?;
    Ok(match tag {
        0..=63 => (u16::from(tag), Shape::Same),
        64..=127 => (u16::from(tag) - 64, Shape::SameLocalsOneStack(read_type(reader)?)),
        128..=246 => return Err(reader.malformed("reserved frame type")),
        247 => (reader.u2()?, Shape::SameLocalsOneStack(read_type(reader)?)),
        248..=250 => (reader.u2()?, Shape::Chop(251 - tag)),
        251 => (reader.u2()?, Shape::Same),
        252..=254 => (reader.u2()?, Shape::Append(read_types(reader, u16::from(tag) - 251)?)),
        255 => {
            let delta = reader.u2()?;
            let count = reader.u2()?;
            let locals = read_types(reader, count)?;
            let count = reader.u2()?;
            (delta, Shape::Full { locals, stack: read_types(reader, count)? })
        }
    })
}

fn read_types(reader: &mut Reader<'_>, count: u16) -> Result<Vec<VerificationType>, SpliceError> {
    (0..count).map(|_| read_type(reader)).collect()
}

fn read_type(reader: &mut Reader<'_>) -> Result<VerificationType, SpliceError> {
    Ok(match reader.u1()? {
        plain @ 0..=6 => VerificationType::Plain(plain),
        7 => VerificationType::Object(reader.u2()?),
        8 => VerificationType::Uninitialized(reader.u2()?),
        _ => return Err(reader.malformed("verification type")),
    })
}

/// A frame spelled out, as it is before encoding relative to the frame before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Absolute {
    locals: Vec<VerificationType>,
    stack: Vec<VerificationType>,
}

impl Absolute {
    pub(super) fn at_entry(locals: Vec<VerificationType>) -> Self {
        Absolute { locals, stack: Vec::new() }
    }

    pub(super) fn locals(&self) -> &[VerificationType] {
        &self.locals
    }

    /// The frame that `shape` makes of this one.
    pub(super) fn then(&self, shape: &Shape) -> Self {
        let mut locals = self.locals.clone();
        let stack = match shape {
            Shape::Same => Vec::new(),
            Shape::SameLocalsOneStack(on_stack) => vec![*on_stack],
            Shape::Chop(count) => {
                locals.truncate(locals.len().saturating_sub(usize::from(*count)));
                Vec::new()
            }
            Shape::Append(more) => {
                locals.extend(more);
                Vec::new()
            }
            Shape::Full { locals: all, stack } => {
                locals.clone_from(all);
                stack.clone()
            }
        };
        Absolute { locals, stack }
    }

    fn into_shape(self) -> Shape {
        Shape::Full { locals: self.locals, stack: self.stack }
    }
}

/// Adds a frame for each island: a copy of the frame of its target. Frames behind islands are spelled out, because
/// what they were relative to is no longer before them. `None` if a target has no frame, which the verifier does not
/// allow.
pub(super) fn with_islands(
    frames: &[Frame],
    entry: Absolute,
    islands: &[Island],
    place: impl Fn(usize) -> u16,
) -> Option<Vec<Placed>> {
    let spelled_out: Vec<Absolute> = frames
        .iter()
        .scan(entry, |before, frame| {
            *before = before.then(&frame.shape);
            Some(before.clone())
        })
        .collect();
    let mut placed = Vec::with_capacity(frames.len() + islands.len());
    for (frame, absolute) in frames.iter().zip(&spelled_out) {
        let mut here = islands.iter().filter(|island| island.before == frame.pc).peekable();
        let is_relative = here.peek().is_none();
        for island in here {
            let target = frames.iter().position(|other| other.pc == island.target)?;
            placed.push(Placed { at: island.at as u16, shape: spelled_out[target].clone().into_shape() });
        }
        let shape = if is_relative { frame.shape.clone() } else { absolute.clone().into_shape() };
        placed.push(Placed { at: place(frame.pc), shape });
    }
    Some(placed)
}

/// A frame at its new place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) at: u16,
    pub(super) shape: Shape,
}

/// Writes the table. `new_at` gives the new index of the `new` that an uninitialised type refers to.
pub(super) fn write(frames: &[Placed], new_at: impl Fn(u16) -> u16) -> Vec<u8> {
    let mut out = Vec::new();
    // A table never has more frames than the code has bytes.
    out.u2(frames.len() as u16);
    let mut next = 0;
    for frame in frames {
        write_frame(&mut out, frame.at - next, &frame.shape, &new_at);
        next = frame.at + 1;
    }
    out
}

fn write_frame(out: &mut Vec<u8>, delta: u16, shape: &Shape, new_at: &impl Fn(u16) -> u16) {
    match shape {
        Shape::Same if delta < 64 => out.u1(delta as u8),
        Shape::Same => {
            out.u1(251);
            out.u2(delta);
        }
        Shape::SameLocalsOneStack(stack) => {
            if delta < 64 {
                out.u1(64 + delta as u8);
            } else {
                out.u1(247);
                out.u2(delta);
            }
            write_type(out, *stack, new_at);
        }
        Shape::Chop(count) => {
            out.u1(251 - count);
            out.u2(delta);
        }
        Shape::Append(types) => {
            out.u1(251 + types.len() as u8);
            out.u2(delta);
            types.iter().for_each(|ty| write_type(out, *ty, new_at));
        }
        Shape::Full { locals, stack } => {
            out.u1(255);
            out.u2(delta);
            for types in [locals, stack] {
                out.u2(types.len() as u16);
                types.iter().for_each(|ty| write_type(out, *ty, new_at));
            }
        }
    }
}

fn write_type(out: &mut Vec<u8>, ty: VerificationType, new_at: &impl Fn(u16) -> u16) {
    match ty {
        VerificationType::Plain(tag) => out.u1(tag),
        VerificationType::Object(class) => {
            out.u1(7);
            out.u2(class);
        }
        VerificationType::Uninitialized(pc) => {
            out.u1(8);
            out.u2(new_at(pc));
        }
    }
}
