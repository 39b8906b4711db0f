//! What a child prints: read in the background and to the end, so that it does not block, and of it only as much kept as somebody wants.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A stream that is read in the background.
#[derive(Debug)]
pub struct Output<K> {
    reader: JoinHandle<()>,
    kept: Arc<Mutex<K>>,
}

/// What is kept of a stream.
pub trait Keep: Send + 'static {
    fn add(&mut self, block: &[u8]);
    fn take(&mut self) -> Vec<u8>;
}

impl<K: Keep> Output<K> {
    pub fn of(mut stream: impl Read + Send + 'static, kept: K) -> Output<K> {
        let kept = Arc::new(Mutex::new(kept));
        let shared = Arc::clone(&kept);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 1 << 14];
            // A read error ends the stream like its end does.
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                shared.lock().unwrap_or_else(PoisonError::into_inner).add(&buffer[..count]);
            }
        });
        Output { reader, kept }
    }

    /// What was kept. Waits for the end of the stream, but not for long: the child has ended, and somebody whom it started may
    /// hold the stream open.
    pub fn taken(self, patience: Duration) -> Vec<u8> {
        let deadline = Instant::now() + patience;
        while !self.reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(200));
        }
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The end of a stream.
#[derive(Debug)]
pub struct Tail {
    most: usize,
    bytes: Vec<u8>,
}

impl Tail {
    /// Keeps so many bytes at most.
    pub fn new(most: usize) -> Tail {
        Tail { most, bytes: Vec::new() }
    }

    fn cut(&mut self) {
        self.bytes.drain(..self.bytes.len().saturating_sub(self.most));
    }
}

impl Keep for Tail {
    fn add(&mut self, block: &[u8]) {
        self.bytes.extend_from_slice(block);
        // Not for each block, or each would be copied again and again.
        if self.bytes.len() > 2 * self.most {
            self.cut();
        }
    }

    fn take(&mut self) -> Vec<u8> {
        self.cut();
        std::mem::take(&mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept() {
        const MOST: usize = 100;
        for blocks in
            [vec![vec![b'x'; 5 * MOST], b"the end".to_vec()], vec![[vec![b'x'; 150], b"the end".to_vec()].concat()]]
        {
            let mut tail = Tail::new(MOST);
            blocks.iter().for_each(|block| tail.add(block));
            let kept = tail.take();
            assert!(kept.len() == MOST && kept.ends_with(b"xthe end"), "{kept:?}");
        }
        let stream = std::io::Cursor::new(b"short".to_vec());
        assert_eq!(Output::of(stream, Tail::new(MOST)).taken(Duration::from_secs(60)), b"short");
    }

    /// As by a process that was started by one that has ended.
    #[test]
    fn a_stream_that_stays_open_is_not_waited_for() {
        let (read, mut write) = std::io::pipe().expect("a pipe");
        let output = Output::of(read, Tail::new(100));
        std::io::Write::write_all(&mut write, b"so far").expect("somebody reads");
        while output.kept.lock().unwrap_or_else(PoisonError::into_inner).bytes.is_empty() {
            thread::yield_now();
        }
        assert_eq!(output.taken(Duration::from_millis(1)), b"so far");
    }
}
