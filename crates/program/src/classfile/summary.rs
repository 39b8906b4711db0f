//! What the indexes of a jar keep of a class file, read from its constant pool and header alone: names are left as raw modified
//! UTF-8, nothing is interned or kept. One [`Summariser`] reads many classes.

use super::calls::{RawCall, RawCaller, visit_calls};
use super::constant_pool::{RawPool, read_tags};
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

    /// Visits what the code of the class calls; see [`visit_calls`]. Nothing where the members are damaged.
    pub(crate) fn visit_calls(&self, visit: impl FnMut(RawCaller<'a>, u16, RawCall<'a>)) {
        let mut input = self.interfaces.clone();
        let members =
            input.take(2 * usize::from(self.interface_count)).and_then(|_| visit_calls(self.pool, input, visit));
        // The class itself says what is wrong with it when it is read as a whole.
        drop(members);
    }
}
