//! Which dynamic loader does a program ask the kernel for? Most name the one of the system; those of package managers that keep to
//! themselves (Nix, Guix, Homebrew) have their own, which the kernel executes along with the program.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The segment of an ELF file that names it.
const INTERPRETER: u32 = 3;

/// `None` for a file that is no program, or needs none. 64-bit little-endian files only, as no others run where we do.
pub(super) fn loader_of(program: &Path) -> Option<PathBuf> {
    let file = File::open(program).ok()?;
    let header: [u8; 64] = read(&file, 0)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (start, size, count) = (u64_at(&header, 32)?, u16_at(&header, 54)?, u16_at(&header, 56)?);
    let segments =
        (0..u64::from(count)).map_while(|index| read::<56>(&file, start.checked_add(index * u64::from(size))?));
    let segment = segments.into_iter().find(|segment| segment[..4] == INTERPRETER.to_le_bytes())?;
    let (at, len) = (u64_at(&segment, 8)?, u64_at(&segment, 32)?);
    let mut name = vec![0; usize::try_from(len).ok().filter(|len| *len <= 4096)?];
    file.read_exact_at(&mut name, at).ok()?;
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    Some(PathBuf::from(OsStr::from_bytes(&name[..end])))
}

fn read<const N: usize>(file: &File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file that is as much of a program as the kernel looks at to find the loader.
    pub(in super::super) fn program(loader: &str) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01\x01".to_vec();
        file.resize(64 + 2 * 56, 0);
        file[32..40].copy_from_slice(&64u64.to_le_bytes());
        file[54..56].copy_from_slice(&56u16.to_le_bytes());
        file[56..58].copy_from_slice(&2u16.to_le_bytes());
        let (segment, name) = (64 + 56, file.len() as u64);
        file[segment..segment + 4].copy_from_slice(&INTERPRETER.to_le_bytes());
        file[segment + 8..segment + 16].copy_from_slice(&name.to_le_bytes());
        file[segment + 32..segment + 40].copy_from_slice(&(loader.len() as u64 + 1).to_le_bytes());
        file.extend(loader.as_bytes());
        file.push(0);
        file
    }

    #[test]
    fn programs_name_their_loader() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("java");
        let loader_in = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            loader_of(&path)
        };
        let whole = program("/nix/store/x-glibc/lib/ld.so");
        assert_eq!(loader_in(&whole).as_deref(), Some(Path::new("/nix/store/x-glibc/lib/ld.so")));
        for cut in [0, 10, 63, 64, 100, whole.len() - 4] {
            assert_eq!(loader_in(&whole[..cut]), None, "{cut}");
        }
        assert_eq!(loader_in(b"#!/bin/sh\n"), None);
        let own = std::env::current_exe().expect("it runs");
        assert!(loader_of(&own).is_none_or(|loader| loader.exists()));
    }
}
