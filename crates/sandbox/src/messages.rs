//! Messages between this process and one that it has started: JSON with a length in front.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// Longer messages are a mistake.
const LONGEST: usize = 256 << 20;

pub fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let mut frame = Vec::with_capacity(text.len() + 4);
    frame.extend((text.len() as u32).to_le_bytes());
    frame.extend(text);
    to.write_all(&frame)
}

pub fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut len = [0; 4];
    from.read_exact(&mut len)?;
    let len = u32::from_le_bytes(len) as usize;
    if len > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "message too long"));
    }
    let mut text = vec![0; len];
    from.read_exact(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
