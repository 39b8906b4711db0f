//! Memory that this process shares with one that it starts: a file without a name, which is passed on as a descriptor.
#![expect(unsafe_code, reason = "files in memory")]

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// A new one of this size, for good: whoever reads beyond the end of a mapped file is killed by the kernel, and who has the file
/// could cut it. A hole that is punched into it only reads as zeros.
pub fn create(size: usize) -> io::Result<File> {
    // SAFETY: the name is a constant; the call returns a new descriptor or -1.
    let fd = unsafe { libc::memfd_create(c"reenact".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
    if fd == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new and nobody else's.
    let file = File::from(unsafe { OwnedFd::from_raw_fd(fd) });
    file.set_len(size as u64)?;
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: the descriptor is open, and numbers are passed.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_size_is_for_good() {
        const SIZE: u64 = 1 << 16;
        let file = create(SIZE as usize).expect("memory");
        for size in [0, 1, 4096, SIZE - 1, SIZE + 1] {
            assert!(file.set_len(size).is_err(), "{size}");
        }
        assert!(
            File::options().write(true).truncate(true).open(format!("/proc/self/fd/{}", file.as_raw_fd())).is_err()
        );
    }
}
