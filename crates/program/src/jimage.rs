//! The `lib/modules` file of a JDK 9 or later (the "jimage" format): looks up one resource by its perfect hash without reading the
//! rest, lists all resources, and knows which module has a package. Only reading; signatures and jlink plug-in formats other
//! than plain and zip-compressed resources are not understood.

use crate::bytes::Bytes;
use crate::cache::CacheKey;
use std::io::Read;

/// An open image. The file stays mapped; a look-up touches a few pages.
#[derive(Clone, Debug)]
pub(crate) struct JImage {
    bytes: Bytes,
    endian: Endian,
    table_length: u32,
    redirect: usize,
    offsets: usize,
    locations: usize,
    strings: usize,
    strings_end: usize,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum JImageError {
    #[error("it does not start like a JDK image")]
    NotAnImage,
    #[error("image format {major}.{minor} is unknown")]
    UnknownVersion { major: u32, minor: u32 },
    #[error("the image ends too early, or an offset in it points nowhere")]
    Truncated,
    #[error("resource `{name}` is compressed by `{by}`, which is not understood")]
    UnknownCompression { name: String, by: String },
    #[error("resource `{name}` cannot be decompressed")]
    BadCompression { name: String },
}

/// Where a resource is in the image.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Location {
    module: u32,
    parent: u32,
    base: u32,
    extension: u32,
    offset: u64,
    compressed: u64,
    size: u64,
}

#[derive(Clone, Copy, Debug)]
enum Endian {
    Little,
    Big,
}

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;
/// No class file of a JDK is near this size; a damaged length must not allocate more.
const MAX_RESOURCE: u64 = 64 << 20;

impl JImage {
    pub(crate) fn open(bytes: Bytes) -> Result<JImage, JImageError> {
        let endian = match bytes.first_chunk::<4>().copied() {
            Some(magic) if u32::from_le_bytes(magic) == MAGIC => Endian::Little,
            Some(magic) if u32::from_be_bytes(magic) == MAGIC => Endian::Big,
            _ => return Err(JImageError::NotAnImage),
        };
        let field = |index: usize| endian.u32(&bytes, index * 4).ok_or(JImageError::Truncated);
        let version = field(1)?;
        if version >> 16 != 1 {
            return Err(JImageError::UnknownVersion { major: version >> 16, minor: version & 0xFFFF });
        }
        let table_length = field(4)?;
        let redirect = HEADER_SIZE;
        let offsets = redirect + table_length as usize * 4;
        let locations = offsets + table_length as usize * 4;
        let strings = locations + field(5)? as usize;
        let strings_end = strings + field(6)? as usize;
        if strings_end > bytes.len() || table_length == 0 {
            return Err(JImageError::Truncated);
        }
        Ok(JImage { endian, table_length, redirect, offsets, locations, strings, strings_end, bytes })
    }

    /// The class of this internal name.
    pub(crate) fn class(&self, internal_name: &str) -> Result<Option<Bytes>, JImageError> {
        let Some(location) = self.find_class(internal_name) else { return Ok(None) };
        self.read(location).map(Some)
    }

    /// The location of a class by its internal name.
    pub(crate) fn find_class(&self, internal_name: &str) -> Option<Location> {
        let package = internal_name.rsplit_once('/')?.0;
        let module = self.module_of_package(package)?;
        self.find(&format!("/{module}/{internal_name}.class"))
    }

    /// The module that has classes in this package (internal form, `java/util`).
    pub(crate) fn module_of_package(&self, package: &str) -> Option<&str> {
        let location = self.find(&format!("/packages/{}", package.replace('/', ".")))?;
        let content = self.content(&location)?;
        // Pairs of "has no content" and the module's name; several modules may have empty packages of this name.
        content.chunks_exact(8).find_map(|pair| {
            let is_empty = self.endian.u32(pair, 0)?;
            let name = self.endian.u32(pair, 4)?;
            if is_empty == 0 { self.string(name) } else { None }
        })
    }

    /// A resource by its full name, `/java.base/java/lang/Object.class`.
    pub(crate) fn find(&self, name: &str) -> Option<Location> {
        let slot = hash(name.as_bytes(), HASH_MULTIPLIER) % self.table_length;
        let redirect = self.endian.u32(&self.bytes, self.redirect + slot as usize * 4)?.cast_signed();
        let slot = match redirect {
            0 => return None,
            seed if seed > 0 => hash(name.as_bytes(), seed.cast_unsigned()) % self.table_length,
            direct => u32::try_from(-1 - i64::from(direct)).ok()?,
        };
        let location = self.location(slot)?;
        (self.name(&location)? == name).then_some(location)
    }

    /// Resources are numbered from 0 to here.
    pub(crate) fn slots(&self) -> u32 {
        self.table_length
    }

    /// The module and the internal name, if the resource is a class.
    pub(crate) fn class_name(&self, location: &Location) -> Option<(&str, String)> {
        if self.string(location.extension)? != "class" {
            return None;
        }
        let (module, parent, base) =
            (self.string(location.module)?, self.string(location.parent)?, self.string(location.base)?);
        // Every module has one of these; it describes the module and is no class.
        if parent.is_empty() && base == "module-info" {
            return None;
        }
        let name = if parent.is_empty() { base.to_owned() } else { format!("{parent}/{base}") };
        Some((module, name))
    }

    /// The resource's bytes; a part of the mapping unless the image is compressed.
    pub(crate) fn read(&self, location: Location) -> Result<Bytes, JImageError> {
        let name = || self.name(&location).unwrap_or_default();
        let stored = if location.compressed == 0 { location.size } else { location.compressed };
        let start = (self.strings_end as u64).checked_add(location.offset).ok_or(JImageError::Truncated)?;
        let end = start.checked_add(stored).ok_or(JImageError::Truncated)?;
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok()).map(|(start, end)| start..end);
        let raw = range.and_then(|range| self.bytes.slice(range)).ok_or(JImageError::Truncated)?;
        if location.compressed == 0 { Ok(raw) } else { self.decompress(&raw, name()) }
    }

    /// What identifies the image for the cache: its tables, which name all resources with their sizes, and its length.
    pub(crate) fn key(&self) -> CacheKey {
        CacheKey::of(&self.bytes[..self.strings_end]).part(&self.bytes.len().to_le_bytes())
    }

    fn content(&self, location: &Location) -> Option<Bytes> {
        self.read(*location).ok()
    }

    /// The resource with this number.
    pub(crate) fn location(&self, slot: u32) -> Option<Location> {
        if slot >= self.table_length {
            return None;
        }
        let offset = self.endian.u32(&self.bytes, self.offsets + slot as usize * 4)?;
        let mut at = self.locations + offset as usize;
        let mut location = Location::default();
        while at < self.strings {
            let head = *self.bytes.get(at)?;
            let length = usize::from(head & 7) + 1;
            let value = self.bytes.get(at + 1..at + 1 + length)?.iter().fold(0, |sum, b| sum << 8 | u64::from(*b));
            match head >> 3 {
                0 => return Some(location),
                1 => location.module = value as u32,
                2 => location.parent = value as u32,
                3 => location.base = value as u32,
                4 => location.extension = value as u32,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => return None,
            }
            at += 1 + length;
        }
        None
    }

    fn name(&self, location: &Location) -> Option<String> {
        let mut name = String::with_capacity(80);
        let module = self.string(location.module)?;
        if !module.is_empty() {
            name.push('/');
            name.push_str(module);
            name.push('/');
        }
        let parent = self.string(location.parent)?;
        if !parent.is_empty() {
            name.push_str(parent);
            name.push('/');
        }
        name.push_str(self.string(location.base)?);
        let extension = self.string(location.extension)?;
        if !extension.is_empty() {
            name.push('.');
            name.push_str(extension);
        }
        Some(name)
    }

    fn string(&self, offset: u32) -> Option<&str> {
        let text = self.bytes.get(self.strings + offset as usize..self.strings_end)?;
        let end = memchr::memchr(0, text)?;
        std::str::from_utf8(&text[..end]).ok()
    }

    /// A compressed resource is wrapped in one header per compression step; the outermost is undone first.
    fn decompress(&self, raw: &[u8], name: String) -> Result<Bytes, JImageError> {
        const WRAPPER_MAGIC: u32 = 0xCAFE_FAFA;
        const WRAPPER_SIZE: usize = 29;
        let mut content = raw.to_vec();
        while self.endian.u32(&content, 0) == Some(WRAPPER_MAGIC) {
            let size = self.endian.u64(&content, 12).ok_or(JImageError::Truncated)?;
            let by = self.endian.u32(&content, 20).and_then(|at| self.string(at)).unwrap_or("?");
            if by != "zip" {
                return Err(JImageError::UnknownCompression { name, by: by.to_owned() });
            }
            let body = content.get(WRAPPER_SIZE..).ok_or(JImageError::Truncated)?;
            let mut inflated = Vec::new();
            let inflate = flate2::read::ZlibDecoder::new(body).take(MAX_RESOURCE).read_to_end(&mut inflated);
            if inflate.is_err() || inflated.len() as u64 != size {
                return Err(JImageError::BadCompression { name });
            }
            content = inflated;
        }
        Ok(content.into())
    }
}

impl Endian {
    fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let raw = bytes.get(at..)?.first_chunk().copied()?;
        Some(match self {
            Endian::Little => u32::from_le_bytes(raw),
            Endian::Big => u32::from_be_bytes(raw),
        })
    }

    fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let raw = bytes.get(at..)?.first_chunk().copied()?;
        Some(match self {
            Endian::Little => u64::from_le_bytes(raw),
            Endian::Big => u64::from_be_bytes(raw),
        })
    }
}

fn hash(name: &[u8], seed: u32) -> u32 {
    let hash = name.iter().fold(seed, |hash, byte| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(*byte));
    hash & 0x7FFF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Writes images of a few resources; the hash table is large enough that no two share a slot.
    struct ImageBuilder {
        endian: Endian,
        strings: Vec<u8>,
        resources: Vec<(String, [u32; 4], u64, Vec<u8>)>,
    }

    impl ImageBuilder {
        fn new(endian: Endian) -> Self {
            ImageBuilder { endian, strings: vec![0], resources: Vec::new() }
        }

        fn string(&mut self, text: &str) -> u32 {
            let at = self.strings.len() as u32;
            self.strings.extend(text.bytes().chain([0]));
            if text.is_empty() { 0 } else { at }
        }

        /// `compressed` is the stored size, or 0 for a plain resource.
        fn add(&mut self, parts: [&str; 4], compressed: bool, content: Vec<u8>) {
            let [module, parent, base, extension] = parts;
            let slash = if parent.is_empty() { "" } else { "/" };
            let dot = if extension.is_empty() { "" } else { "." };
            let name = format!("/{module}/{parent}{slash}{base}{dot}{extension}");
            let ids = parts.map(|part| self.string(part));
            let compressed = if compressed { content.len() as u64 } else { 0 };
            self.resources.push((name, ids, compressed, content));
        }

        fn number(&self, value: u32) -> [u8; 4] {
            match self.endian {
                Endian::Little => value.to_le_bytes(),
                Endian::Big => value.to_be_bytes(),
            }
        }

        /// A resource as jlink wraps it.
        fn wrapped(&mut self, by: &str, content: &[u8], packed: &[u8]) -> Vec<u8> {
            let by = self.string(by);
            let long = |value: usize| match self.endian {
                Endian::Little => (value as u64).to_le_bytes(),
                Endian::Big => (value as u64).to_be_bytes(),
            };
            let mut wrapped = self.number(0xCAFE_FAFA).to_vec();
            wrapped.extend(long(packed.len()));
            wrapped.extend(long(content.len()));
            wrapped.extend([self.number(by), self.number(0)].concat());
            wrapped.push(1);
            wrapped.extend_from_slice(packed);
            wrapped
        }

        fn build(&self) -> Vec<u8> {
            const SLOTS: u32 = 64;
            let mut redirect = [0u32; SLOTS as usize];
            let mut offsets = [0u32; SLOTS as usize];
            let mut locations = vec![0];
            let mut data = Vec::new();
            for (slot, (name, ids, compressed, content)) in self.resources.iter().enumerate() {
                offsets[slot] = locations.len() as u32;
                let entry = &mut redirect[(hash(name.as_bytes(), HASH_MULTIPLIER) % SLOTS) as usize];
                assert_eq!(*entry, 0, "choose other names: two have the same hash");
                *entry = (-1 - slot as i32).cast_unsigned();
                let values =
                    ids.map(u64::from).into_iter().chain([data.len() as u64, *compressed, content.len() as u64]);
                for (kind, value) in (1u8..).zip(values) {
                    locations.push(kind << 3 | 7);
                    locations.extend(value.to_be_bytes());
                }
                locations.push(0);
                data.extend_from_slice(content);
            }
            let sizes = [locations.len() as u32, self.strings.len() as u32];
            let header = [MAGIC, 1 << 16, 0, self.resources.len() as u32, SLOTS, sizes[0], sizes[1]];
            let mut image: Vec<u8> =
                header.iter().chain(&redirect).chain(&offsets).flat_map(|n| self.number(*n)).collect();
            for part in [&locations, &self.strings, &data] {
                image.extend_from_slice(part);
            }
            image
        }
    }

    fn deflated(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    fn sample(endian: Endian) -> Vec<u8> {
        let mut builder = ImageBuilder::new(endian);
        let module = builder.string("java.base");
        let packages = [builder.number(1), builder.number(0), builder.number(0), builder.number(module)].concat();
        builder.add(["packages", "", "a.b", ""], false, packages);
        builder.add(["java.base", "a/b", "Plain", "class"], false, b"plain".to_vec());
        let zipped = builder.wrapped("zip", b"zipped", &deflated(b"zipped"));
        builder.add(["java.base", "a/b", "Zipped", "class"], true, zipped);
        let shared = builder.wrapped("compact-cp", b"shared", b"?");
        builder.add(["java.base", "a/b", "Shared", "class"], true, shared);
        let wrong = builder.wrapped("zip", b"longer than it is", &deflated(b"short"));
        builder.add(["java.base", "a/b", "Wrong", "class"], true, wrong);
        builder.add(["java.base", "", "module-info", "class"], false, b"module".to_vec());
        builder.build()
    }

    #[test]
    fn resources_are_found_and_read() {
        for endian in [Endian::Little, Endian::Big] {
            let image = JImage::open(sample(endian).into()).unwrap();
            assert_eq!(image.module_of_package("a/b"), Some("java.base"));
            assert_eq!(image.module_of_package("a/c"), None);
            assert_eq!(image.class("a/b/Plain").unwrap().as_deref(), Some(&b"plain"[..]));
            assert_eq!(image.class("a/b/Zipped").unwrap().as_deref(), Some(&b"zipped"[..]));
            assert_eq!(image.class("a/b/Gone").unwrap().as_deref(), None);
            let shared = image.class("a/b/Shared").unwrap_err().to_string();
            assert!(shared.ends_with("is compressed by `compact-cp`, which is not understood"), "{shared}");
            let wrong = image.class("a/b/Wrong").unwrap_err().to_string();
            assert_eq!(wrong, "resource `/java.base/a/b/Wrong.class` cannot be decompressed");
            let locations = (0..image.slots()).filter_map(|slot| image.location(slot));
            let mut classes: Vec<String> =
                locations.filter_map(|at| image.class_name(&at)).map(|(_, name)| name).collect();
            classes.sort();
            assert_eq!(classes, ["a/b/Plain", "a/b/Shared", "a/b/Wrong", "a/b/Zipped"]);
        }
    }

    /// Found by fuzzing.
    #[test]
    fn a_resource_outside_of_the_image_is_an_error() {
        let image = JImage::open(sample(Endian::Little).into()).unwrap();
        for (offset, size) in [(u64::MAX, 1), (0, u64::MAX), (1 << 40, 1), (u64::MAX, u64::MAX)] {
            let location = Location { offset, size, ..Location::default() };
            assert!(matches!(image.read(location), Err(JImageError::Truncated)), "{offset} {size}");
        }
    }

    #[test]
    fn an_image_cut_anywhere_is_no_panic() {
        let whole = sample(Endian::Little);
        for length in 0..whole.len() {
            let Ok(image) = JImage::open(whole[..length].to_vec().into()) else { continue };
            let _ = (image.class("a/b/Plain"), image.class("a/b/Zipped"), image.key());
            (0..image.slots()).filter_map(|slot| image.location(slot)).for_each(|at| drop(image.read(at)));
        }
    }
}
