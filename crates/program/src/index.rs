//! The headers of all classes of one unit: name, superclass, interfaces and access, in a form that is used in place, from the disk or
//! from memory. Answers in O(1) without interning anything; [`crate::hierarchy`] joins the indexes of a program.
//!
//! Layout, little-endian: the four counts (classes, interface references, strings, bytes of text); 20 bytes for each class (place,
//! name, superclass, first interface reference, access, number of interfaces); 4 bytes for each interface reference; 16 bytes for
//! each string (hash, offset, length); the text. Classes refer to strings by position.

use crate::bytes::Bytes;
use crate::cache::{Cache, CacheKind};
use crate::classfile::decode_text;
use crate::names::name_hash;
use crate::scan::{Learnt, Scanned, Unit};
use rustc_hash::FxHashMap;

/// The index of one unit.
#[derive(Debug)]
pub(crate) struct HeaderIndex {
    body: Bytes,
    classes: usize,
    interfaces: usize,
    strings: usize,
    /// Where the sections start.
    interfaces_at: usize,
    strings_at: usize,
    text_at: usize,
}

/// The entry of one class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// Its place in the unit.
    pub(crate) at: u32,
    pub(crate) name: StringId,
    pub(crate) super_class: Option<StringId>,
    first_interface: u32,
    interface_count: u16,
}

/// A class name in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StringId(u32);

const COUNTS_SIZE: usize = 16;
const CLASS_SIZE: usize = 20;
const INTERFACE_SIZE: usize = 4;
const STRING_SIZE: usize = 16;
const NONE: u32 = u32::MAX;

impl HeaderIndex {
    /// Loads the index of the unit, or makes it.
    pub(crate) fn of(unit: Unit<'_>, cache: &Cache) -> (HeaderIndex, Learnt) {
        let is_valid = |body: &Bytes| HeaderIndex::open(body.clone()).is_some();
        let learnt = unit.learn(cache, CacheKind::Headers, is_valid, || {
            let (classes, problems) = unit.scan(OwnedHeader::new);
            let mut builder = Builder::default();
            classes.iter().for_each(|class| builder.add(class));
            (builder.finish(), problems)
        });
        // Both ways above give a valid body; the empty index is for a builder that is wrong.
        let index = HeaderIndex::open(learnt.body.clone()).unwrap_or_else(HeaderIndex::empty);
        (index, learnt)
    }

    fn empty() -> HeaderIndex {
        let at = COUNTS_SIZE;
        let body = vec![0; at].into();
        HeaderIndex { body, classes: 0, interfaces: 0, strings: 0, interfaces_at: at, strings_at: at, text_at: at }
    }

    fn open(body: Bytes) -> Option<HeaderIndex> {
        let count = |position: usize| u32_at(&body, position * 4).map(|count| count as usize);
        let (classes, interfaces, strings, text) = (count(0)?, count(1)?, count(2)?, count(3)?);
        let interfaces_at = COUNTS_SIZE + classes * CLASS_SIZE;
        let strings_at = interfaces_at + interfaces * INTERFACE_SIZE;
        let text_at = strings_at + strings * STRING_SIZE;
        let fits = text_at + text == body.len();
        fits.then_some(HeaderIndex { classes, interfaces, strings, interfaces_at, strings_at, text_at, body })
    }

    pub(crate) fn len(&self) -> usize {
        self.classes
    }

    /// The class at a position below [`len`](Self::len).
    pub(crate) fn header(&self, position: usize) -> Option<Header> {
        if position >= self.classes {
            return None;
        }
        let at = COUNTS_SIZE + position * CLASS_SIZE;
        let field = |index: usize| u32_at(&self.body, at + index * 4);
        Some(Header {
            at: field(0)?,
            name: StringId(field(1)?),
            super_class: field(2).filter(|id| *id != NONE).map(StringId),
            first_interface: field(3)?,
            interface_count: u16_at(&self.body, at + 18)?,
        })
    }

    /// The direct superclass and superinterfaces.
    pub(crate) fn parents(&self, header: Header) -> impl Iterator<Item = StringId> + '_ {
        let interfaces = (0..u32::from(header.interface_count)).filter_map(move |offset| {
            let position = header.first_interface.checked_add(offset)? as usize;
            let at = self.interfaces_at + position * INTERFACE_SIZE;
            if position < self.interfaces { u32_at(&self.body, at).map(StringId) } else { None }
        });
        header.super_class.into_iter().chain(interfaces)
    }

    pub(crate) fn hash(&self, id: StringId) -> Option<u64> {
        let low = u32_at(&self.body, self.string_at(id)?)?;
        let high = u32_at(&self.body, self.string_at(id)? + 4)?;
        Some(u64::from(low) | u64::from(high) << 32)
    }

    pub(crate) fn text(&self, id: StringId) -> Option<&str> {
        let at = self.string_at(id)?;
        let start = self.text_at + u32_at(&self.body, at + 8)? as usize;
        let text = self.body.get(start..start + u32_at(&self.body, at + 12)? as usize)?;
        std::str::from_utf8(text).ok()
    }

    fn string_at(&self, id: StringId) -> Option<usize> {
        let position = id.0 as usize;
        (position < self.strings).then_some(self.strings_at + position * STRING_SIZE)
    }
}

/// What a scan keeps of a class until all are there.
struct OwnedHeader {
    at: u32,
    access: u16,
    name: Box<[u8]>,
    super_class: Option<Box<[u8]>>,
    interfaces: Vec<Box<[u8]>>,
}

impl OwnedHeader {
    fn new(scanned: Scanned<'_>) -> OwnedHeader {
        let summary = scanned.summary;
        OwnedHeader {
            at: scanned.at,
            access: summary.access,
            name: summary.name.into(),
            super_class: summary.super_class.map(Into::into),
            interfaces: summary.interfaces().map(Into::into).collect(),
        }
    }
}

/// Puts the sections together.
#[derive(Default)]
struct Builder {
    classes: Vec<u8>,
    class_count: u32,
    interfaces: Vec<u8>,
    interface_count: u32,
    strings: Vec<u8>,
    string_ids: FxHashMap<Box<[u8]>, u32>,
    text: Vec<u8>,
}

impl Builder {
    fn add(&mut self, class: &OwnedHeader) {
        let name = self.string(&class.name);
        let super_class = class.super_class.as_ref().map_or(NONE, |name| self.string(name));
        let first_interface = self.interface_count;
        for interface in &class.interfaces {
            let id = self.string(interface);
            self.interfaces.extend_from_slice(&id.to_le_bytes());
            self.interface_count += 1;
        }
        for field in [class.at, name, super_class, first_interface] {
            self.classes.extend_from_slice(&field.to_le_bytes());
        }
        // A class file has at most 65535 interfaces.
        let interface_count = class.interfaces.len() as u16;
        self.classes.extend_from_slice(&class.access.to_le_bytes());
        self.classes.extend_from_slice(&interface_count.to_le_bytes());
        self.class_count += 1;
    }

    fn string(&mut self, raw: &[u8]) -> u32 {
        if let Some(id) = self.string_ids.get(raw) {
            return *id;
        }
        let id = self.string_ids.len() as u32;
        let text = decode_text(raw);
        self.strings.extend_from_slice(&name_hash(text.as_bytes()).to_le_bytes());
        self.strings.extend_from_slice(&(self.text.len() as u32).to_le_bytes());
        self.strings.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.text.extend_from_slice(text.as_bytes());
        self.string_ids.insert(raw.into(), id);
        id
    }

    fn finish(self) -> Vec<u8> {
        let counts = [self.class_count, self.interface_count, self.string_ids.len() as u32, self.text.len() as u32];
        let mut body = Vec::with_capacity(COUNTS_SIZE + self.classes.len() + self.strings.len() + self.text.len());
        counts.iter().for_each(|count| body.extend_from_slice(&count.to_le_bytes()));
        for section in [self.classes, self.interfaces, self.strings, self.text] {
            body.extend_from_slice(&section);
        }
        body
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}
