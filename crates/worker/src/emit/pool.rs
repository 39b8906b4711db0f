//! The constant pool of a class file in the making (JVMS 4.4).

use recipe::JavaString;
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(super) struct Pool {
    bytes: Vec<u8>,
    count: u16,
    known: FxHashMap<Vec<u8>, u16>,
    overflows: bool,
}

impl Pool {
    pub(super) fn utf8(&mut self, text: &str) -> u16 {
        self.units(&text.encode_utf16().collect::<Vec<u16>>())
    }

    /// In the class file's own variant of UTF-8 (JVMS 4.4.7): each unit by itself, and zero in two bytes.
    pub(super) fn units(&mut self, units: &[u16]) -> u16 {
        let mut encoded = Vec::with_capacity(units.len());
        for unit in units {
            match *unit {
                1..=0x7f => encoded.push(*unit as u8),
                0 | 0x80..=0x7ff => encoded.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
                0x800.. => encoded.extend([
                    0xe0 | (unit >> 12) as u8,
                    0x80 | (unit >> 6 & 0x3f) as u8,
                    0x80 | (unit & 0x3f) as u8,
                ]),
            }
        }
        let Ok(length) = u16::try_from(encoded.len()) else {
            self.overflows = true;
            return 0;
        };
        let mut entry = vec![1];
        entry.extend(length.to_be_bytes());
        entry.extend(encoded);
        self.entry(entry, 1)
    }

    /// A class, or an array type by its descriptor.
    pub(super) fn class(&mut self, internal: &str) -> u16 {
        let name = self.utf8(internal);
        self.tagged(7, &[name])
    }

    pub(super) fn string(&mut self, text: &JavaString) -> u16 {
        let content = self.units(&text.0);
        self.tagged(8, &[content])
    }

    pub(super) fn int(&mut self, value: i32) -> u16 {
        self.number(3, &value.to_be_bytes(), 1)
    }

    pub(super) fn float(&mut self, value: f32) -> u16 {
        self.number(4, &value.to_be_bytes(), 1)
    }

    pub(super) fn long(&mut self, value: i64) -> u16 {
        self.number(5, &value.to_be_bytes(), 2)
    }

    pub(super) fn double(&mut self, value: f64) -> u16 {
        self.number(6, &value.to_be_bytes(), 2)
    }

    pub(super) fn field(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member(9, class, name, descriptor)
    }

    pub(super) fn method(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member(10, class, name, descriptor)
    }

    pub(super) fn interface_method(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member(11, class, name, descriptor)
    }

    /// The entries with their count, or `None` when they are more or longer than a class file can hold.
    pub(super) fn finish(&self) -> Option<Vec<u8>> {
        let mut out = (self.count + 1).to_be_bytes().to_vec();
        out.extend(&self.bytes);
        (!self.overflows).then_some(out)
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.tagged(12, &[name, descriptor]);
        self.tagged(tag, &[class, name_and_type])
    }

    fn tagged(&mut self, tag: u8, indices: &[u16]) -> u16 {
        let mut entry = vec![tag];
        indices.iter().for_each(|index| entry.extend(index.to_be_bytes()));
        self.entry(entry, 1)
    }

    fn number(&mut self, tag: u8, bytes: &[u8], slots: u16) -> u16 {
        let mut entry = vec![tag];
        entry.extend(bytes);
        self.entry(entry, slots)
    }

    fn entry(&mut self, entry: Vec<u8>, slots: u16) -> u16 {
        if let Some(index) = self.known.get(&entry) {
            return *index;
        }
        // The last index is 65534, and long numbers take two.
        if self.count > u16::MAX - 3 {
            self.overflows = true;
            return 0;
        }
        let index = self.count + 1;
        self.count += slots;
        self.bytes.extend(&entry);
        self.known.insert(entry, index);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_entries_are_shared_and_long_numbers_take_two() {
        let mut pool = Pool::default();
        assert_eq!((pool.utf8("a"), pool.utf8("a")), (1, 1));
        assert_eq!((pool.long(1), pool.int(1), pool.double(1.0), pool.utf8("b")), (2, 4, 5, 7));
        assert_eq!(pool.finish().unwrap()[..2], [0, 8]);
    }

    #[test]
    fn units_are_written_one_by_one() {
        let mut pool = Pool::default();
        pool.units(&[0, 0x41, 0xe9, 0x20ac, 0xd83d]);
        let bytes = [1, 0, 11, 0xc0, 0x80, 0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xbd];
        assert_eq!(pool.finish().unwrap()[2..], bytes);
    }

    #[test]
    fn what_does_not_fit_is_no_class_file() {
        let mut pool = Pool::default();
        pool.utf8(&"x".repeat(70_000));
        assert!(pool.finish().is_none());
        let mut pool = Pool::default();
        (0..70_000).for_each(|n| {
            pool.int(n);
        });
        assert!(pool.finish().is_none());
    }
}
