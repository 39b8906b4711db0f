//! Small binary files, written out by hand: nothing here depends on a compressor, because entries are stored. And what can be done to
//! bytes in one step.

use std::sync::LazyLock;

/// Archives, compressed data, images, serialised objects.
pub fn samples() -> &'static [Vec<u8>] {
    static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let files = [
            Vec::new(),
            vec![0],
            vec![0xFF; 4],
            zip(&[]),
            zip(&[("a.txt", b"hello"), ("dir/", b""), ("dir/b", b"")]),
            zip(&[("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\n\r\n"), ("A.class", &class_file())]),
            zip(&[("../x", b"up")]),
            gzip(b"hello"),
            zlib(b"hello"),
            tar("a.txt", b"hello"),
            class_file(),
            SERIALISED_STRING.to_vec(),
            PNG_HEADER.to_vec(),
            BMP_PIXEL.to_vec(),
            GIF_PIXEL.to_vec(),
            PDF.to_vec(),
            wav(&[0, 1, 2, 3]),
            b"\xEF\xBB\xBFtext".to_vec(),
            b"\xFE\xFF\0a\0b".to_vec(),
            b"a\r\nb\rc\nd\0".to_vec(),
            b"\xC3\x28\xF0\x9F".to_vec(),
            wide("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a b=\"c\">d</a>"),
            wav(&[]),
        ];
        files.into_iter().chain(ENCODED.iter().map(|bytes| bytes.to_vec())).collect()
    });
    &SAMPLES
}

/// One change of bytes at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteEdit {
    Set(u8),
    Flip(u8),
    Cut,
    Remove,
    /// So many bytes from the place on once more.
    Double(usize),
    Insert(u8),
}

/// Values at which lengths and signs go wrong.
pub const BOUNDARY: [u8; 6] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF];
/// Larger files are not grown further.
pub const MAX_BYTES: usize = 1 << 16;

impl ByteEdit {
    /// Makes the edit; nothing happens at places that the bytes do not have.
    pub fn apply(self, bytes: &mut Vec<u8>, at: usize) {
        match self {
            ByteEdit::Insert(byte) if at <= bytes.len() => bytes.insert(at, byte),
            ByteEdit::Double(length) if at <= bytes.len() => {
                let part = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            _ if at >= bytes.len() => {}
            ByteEdit::Set(byte) => bytes[at] = byte,
            ByteEdit::Flip(bit) => bytes[at] ^= 1 << (bit % 8),
            ByteEdit::Cut => bytes.truncate(at),
            ByteEdit::Remove => drop(bytes.remove(at)),
            ByteEdit::Double(_) | ByteEdit::Insert(_) => {}
        }
    }
}

/// Values and headers in other formats: DER with a definite and an indefinite length, CBOR twice, MessagePack, protocol
/// buffers, BSON, Smile, a JPEG without an image, a TIFF with one field, compressed nothing or
/// next to it (bzip2, LZ4, Snappy), the first bytes of xz and 7z, archives (ar, cpio) and the start of a font.
const ENCODED: [&[u8]; 18] = [
    b"\x30\x0A\x02\x01\x05\x04\x01a\x0C\x02ab",
    b"\x30\x80\x02\x01\0\0\0",
    b"\xA2\x61a\x83\x01\x02\x03\x61b\xF6",
    b"\xBF\x61a\x9F\x01\xFB\x3F\xF8\0\0\0\0\0\0\xFF\xFF",
    b"\x82\xA1a\x01\xA1b\x92\xC0\xC3",
    b"\x08\x96\x01\x12\x03abc\x1A\x02\x08\x01",
    b"\x0C\0\0\0\x10a\0\x01\0\0\0\0",
    b":)\n\x01\xFA\x80a\xC2\xFB",
    b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xFF\xD9",
    b"II*\0\x08\0\0\0\x01\0\0\x01\x03\0\x01\0\0\0\x01\0\0\0\0\0\0\0",
    b"BZh9\x17rE8P\x90\0\0\0\0",
    b"\x04\x22M\x18\x60\x40\x82\0\0\0\0",
    b"\x05\x10hello",
    b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F",
    b"7z\xBC\xAF\x27\x1C\0\x04\x8D\x9B\xD5\x0F\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"!<arch>\na.txt/          0           0     0     644     5         `\nhello\n",
    b"0707070000010000021006440000000000000000010000000000000000000000200000000005a\0hello",
    b"\0\x01\0\0\0\x01\0\x10\0\0\0\0head\0\0\0\0\0\0\0\x1C\0\0\0\x04\0\0\0\0",
];

/// A text in UTF-16, most significant byte first, marked as such.
fn wide(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_be_bytes).collect()
}

/// A string in Java's serialisation protocol.
const SERIALISED_STRING: &[u8] = b"\xAC\xED\0\x05t\0\x01a";
const PNG_HEADER: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9BU\0\0\0\0IEND\xAEB`\x82";
const BMP_PIXEL: &[u8] =
    b"BM:\0\0\0\0\0\0\x006\0\0\0(\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xFF\xFF\xFF\0";
const GIF_PIXEL: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\xFF\xFF\xFF\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
const PDF: &[u8] = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n\
xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000053 00000 n \ntrailer<</Size 3/Root 1 0 R>>\nstartxref\n98\n%%EOF\n";

/// A zip archive of stored entries.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, data) in entries {
        let offset = le32(out.len());
        let header = zip_header(name, data);
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&header);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(data);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&header);
        // Comment length, disk, attributes inside and outside.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset);
        directory.extend_from_slice(name.as_bytes());
    }
    let count = (entries.len() as u16).to_le_bytes();
    let end =
        [b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &le32(directory.len()), &le32(out.len()), &[0, 0]].concat();
    out.extend(directory);
    out.extend(end);
    out
}

/// What local header and directory entry share: version to the length of the extra field.
fn zip_header(name: &str, data: &[u8]) -> Vec<u8> {
    let size = le32(data.len());
    let name_length = (name.len() as u16).to_le_bytes();
    // Version 2.0, no flags, stored, midnight of 1 January 1980.
    let fixed = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    [&fixed[..], &crc32(data).to_le_bytes(), &size, &size, &name_length, &[0, 0]].concat()
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let header = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];
    [&header[..], &stored_block(data), &crc32(data).to_le_bytes(), &le32(data.len())].concat()
}

fn zlib(data: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1u32, 0u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    [&[0x78, 0x01], &stored_block(data)[..], &(b << 16 | a).to_be_bytes()].concat()
}

/// The last block of a deflate stream, uncompressed.
fn stored_block(data: &[u8]) -> Vec<u8> {
    let length = data.len() as u16;
    [&[1], &length.to_le_bytes()[..], &(!length).to_le_bytes(), data].concat()
}

fn tar(name: &str, data: &[u8]) -> Vec<u8> {
    let mut block = vec![0u8; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[100..108].copy_from_slice(b"0000644\0");
    block[108..124].copy_from_slice(b"0000000\x000000000\0");
    block[124..136].copy_from_slice(format!("{:011o}\0", data.len()).as_bytes());
    block[136..148].copy_from_slice(b"00000000000\0");
    block[148..156].copy_from_slice(b"        ");
    block[156] = b'0';
    block[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block.extend_from_slice(data);
    block.resize(1024 + 1024, 0);
    block
}

fn wav(samples: &[u8]) -> Vec<u8> {
    // PCM, one channel, 8000 Hz, 8 bits.
    let format = [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0];
    [b"RIFF".as_slice(), &le32(36 + samples.len()), b"WAVEfmt ", &format, b"data", &le32(samples.len()), samples]
        .concat()
}

/// `class A extends Object {}` for Java 5.
fn class_file() -> Vec<u8> {
    let pool = b"\x07\0\x02\x01\0\x01A\x07\0\x04\x01\0\x10java/lang/Object";
    [b"\xCA\xFE\xBA\xBE\0\0\x001\0\x05".as_slice(), pool, b"\0\x20\0\x01\0\x03\0\0\0\0\0\0\0\0"].concat()
}

fn le32(value: usize) -> [u8; 4] {
    (value as u32).to_le_bytes()
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = !0u32;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_of_the_usual_example() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn bytes_are_edited_in_their_places() {
        let edited = |edit: ByteEdit, at: usize| {
            let mut bytes = vec![1, 2, 3];
            edit.apply(&mut bytes, at);
            bytes
        };
        assert_eq!(edited(ByteEdit::Set(9), 1), [1, 9, 3]);
        assert_eq!(edited(ByteEdit::Flip(0), 1), [1, 3, 3]);
        assert_eq!(edited(ByteEdit::Cut, 1), [1]);
        assert_eq!(edited(ByteEdit::Remove, 0), [2, 3]);
        assert_eq!(edited(ByteEdit::Double(2), 1), [1, 2, 3, 2, 3]);
        assert_eq!(edited(ByteEdit::Insert(7), 3), [1, 2, 3, 7]);
        assert_eq!(edited(ByteEdit::Remove, 3), [1, 2, 3]);
    }

    #[test]
    fn archive_ends_with_a_directory_of_all_entries() {
        let bytes = zip(&[("a", b"xy"), ("b/", b"")]);
        let end = &bytes[bytes.len() - 22..];
        assert_eq!(&end[..4], b"PK\x05\x06");
        assert_eq!(u16::from_le_bytes([end[10], end[11]]), 2);
        let start = u32::from_le_bytes([end[16], end[17], end[18], end[19]]) as usize;
        let size = u32::from_le_bytes([end[12], end[13], end[14], end[15]]) as usize;
        assert_eq!(start + size, bytes.len() - 22);
        assert_eq!(&bytes[start..start + 4], b"PK\x01\x02");
    }
}
