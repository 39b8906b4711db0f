//! What the indexes of a jar keep of a class file, read from its constant pool and header alone: names are left as raw modified
//! UTF-8, nothing is interned or kept. One [`Summariser`] reads many classes.

use super::constant_pool::{RawPool, read_tags, tag};
use super::error::{Damage, Flaw};
use super::input::Input;
use super::reader::MAGIC;

/// Reads summaries and reuses its buffer between classes.
#[derive(Debug, Default)]
pub(crate) struct Summariser {
    tags: Vec<u32>,
}

/// The hierarchy part of a class file.
#[derive(Clone, Debug)]
pub(crate) struct Summary<'a> {
    pub(crate) access: u16,
    pub(crate) name: &'a [u8],
    pub(crate) super_class: Option<&'a [u8]>,
    interfaces: Input<'a>,
    interface_count: u16,
    pool: RawPool<'a>,
}

/// A constant that lets the class call something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CallConstant<'a> {
    Method {
        class: &'a [u8],
        name: &'a [u8],
        descriptor: &'a [u8],
    },
    /// Of an `invokedynamic` instruction.
    Dynamic {
        descriptor: &'a [u8],
    },
}

impl Summariser {
    pub(crate) fn read<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Summary<'a>, Flaw> {
        let mut input = Input::new(bytes);
        if input.u32()? != MAGIC {
            return Err(Flaw::new(0, Damage::NotAClassFile));
        }
        input.u32()?;
        read_tags(&mut input, &mut self.tags)?;
        let pool = RawPool::new(bytes, &self.tags);
        let access = input.u16()?;
        let at = input.position();
        let name = pool.class(input.u16()?, at)?;
        let super_class = match input.u16()? {
            0 => None,
            index => Some(pool.class(index, at)?),
        };
        let interface_count = input.u16()?;
        Ok(Summary { access, name, super_class, interfaces: input, interface_count, pool })
    }
}

impl<'a> Summary<'a> {
    pub(crate) fn interfaces(&self) -> impl Iterator<Item = &'a [u8]> {
        let mut input = self.interfaces.clone();
        let pool = self.pool;
        (0..self.interface_count).map_while(move |_| {
            let at = input.position();
            pool.class(input.u16().ok()?, at).ok()
        })
    }

    /// All method and dynamic call site constants; damaged ones are left out.
    pub(crate) fn calls(&self) -> impl Iterator<Item = CallConstant<'a>> {
        let pool = self.pool;
        pool.constants().filter_map(move |(tag, mut input)| {
            let (first, member) = match tag {
                tag::METHOD | tag::INTERFACE_METHOD | tag::INVOKE_DYNAMIC => (input.u16().ok()?, input.u16().ok()?),
                _ => return None,
            };
            let (name, descriptor) = pool.name_and_type(member, 0).ok()?;
            if tag == tag::INVOKE_DYNAMIC {
                return Some(CallConstant::Dynamic { descriptor });
            }
            Some(CallConstant::Method { class: pool.class(first, 0).ok()?, name, descriptor })
        })
    }
}
