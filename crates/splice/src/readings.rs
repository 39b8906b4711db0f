//! What the probes of one candidate have recorded, as `Probe.drain` and `Values.drain` of the host's Java side write it
//! (little-endian). Input is bytes from a worker, which runs foreign code, so nothing is taken on trust.

use crate::{ProbeId, ValueProbe};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// Line probes that were hit, and how often.
    pub lines: Vec<(ProbeId, u32)>,
    pub branches: Vec<BranchReading>,
    pub values: Vec<ValueReading>,
}

/// A conditional branch, or one outcome of a switch (where `missed` means nothing).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BranchReading {
    pub id: ProbeId,
    /// Smallest distance to the jump being taken, or to the outcome; 0 if it was.
    pub taken: f64,
    /// Smallest distance to the jump not being taken.
    pub missed: f64,
}

/// The visits of a value probe, oldest first; of many visits the first and the last are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueReading {
    pub id: ProbeId,
    pub visits: u32,
    pub kept: Vec<Vec<Value>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Null,
    /// By the name that `Class.getName` gives; of a string the length is known.
    Object {
        class: String,
        length: Option<u32>,
        /// The first value of the visit that is the same object.
        first: u8,
    },
    Array {
        class: String,
        length: u32,
        first: u8,
    },
    /// Of a string, as `char`s.
    Text(Vec<u16>),
    /// It could not be read there and then.
    Unreadable,
}

/// The worker's answer does not have the agreed form: a bug of ours, or a candidate has scribbled over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unreadable probe readings at byte {at}")]
pub struct Garbled {
    pub at: usize,
}

impl Readings {
    /// Decodes from the start of `bytes`; also says how many bytes that took.
    pub fn decode(bytes: &[u8]) -> Result<(Readings, usize), Garbled> {
        let mut input = Input { bytes, at: 0 };
        let readings = Readings {
            lines: input.records(|[id, hits]: [[u8; 4]; 2]| Some((probe(id), u32::from_le_bytes(hits))))?,
            branches: input.records(branch)?,
            values: input.list(16, Input::value_reading)?,
        };
        Ok((readings, input.at))
    }
}

fn probe(id: [u8; 4]) -> ProbeId {
    ProbeId(u32::from_le_bytes(id))
}

/// `None` for distances that are none: these are neither negative nor NaN.
fn branch([id, taken_low, taken_high, missed_low, missed_high]: [[u8; 4]; 5]) -> Option<BranchReading> {
    let distance = |low: [u8; 4], high: [u8; 4]| {
        let bits = u64::from(u32::from_le_bytes(high)) << 32 | u64::from(u32::from_le_bytes(low));
        Some(f64::from_bits(bits)).filter(|distance| *distance >= 0.0)
    };
    Some(BranchReading {
        id: probe(id),
        taken: distance(taken_low, taken_high)?,
        missed: distance(missed_low, missed_high)?,
    })
}

/// Visits without values are all alike.
const MAX_EMPTY_VISITS: usize = 64;

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], Garbled> {
        let garbled = Garbled { at: self.at };
        let end = self.at.checked_add(len).ok_or(garbled)?;
        let taken = self.bytes.get(self.at..end).ok_or(garbled)?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Garbled> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, Garbled> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A count and as many records of so many words. Candidates have hundreds of these, so they are taken all at once.
    fn records<T, const WORDS: usize>(
        &mut self,
        record: impl Fn([[u8; 4]; WORDS]) -> Option<T>,
    ) -> Result<Vec<T>, Garbled> {
        let count = self.u32()? as usize;
        let garbled = Garbled { at: self.at };
        let bytes = self.take(count.checked_mul(4 * WORDS).ok_or(garbled)?)?;
        let (words, _) = bytes.as_chunks::<4>();
        let (records, _) = words.as_chunks::<WORDS>();
        let mut items = Vec::with_capacity(count);
        for words in records {
            items.push(record(*words).ok_or(garbled)?);
        }
        Ok(items)
    }

    /// A count and as many items of at least `size` bytes, so that a wrong count cannot ask for all memory.
    fn list<T>(&mut self, size: usize, item: impl Fn(&mut Self) -> Result<T, Garbled>) -> Result<Vec<T>, Garbled> {
        let count = self.u32()? as usize;
        if count > (self.bytes.len() - self.at) / size {
            return Err(Garbled { at: self.at });
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn value_reading(&mut self) -> Result<ValueReading, Garbled> {
        let (id, visits, width) = (ProbeId(self.u32()?), self.u32()?, self.u32()? as usize);
        if width > ValueProbe::MAX_VALUES {
            return Err(Garbled { at: self.at });
        }
        let kept = if width == 0 {
            // A probe that reads nothing says only that its place was reached; its visits take no room.
            vec![Vec::new(); (self.u32()? as usize).min(MAX_EMPTY_VISITS)]
        } else {
            self.list(9 * width, |input| (0..width).map(|_| input.value()).collect())?
        };
        Ok(ValueReading { id, visits, kept })
    }

    fn value(&mut self) -> Result<Value, Garbled> {
        let at = self.at;
        let [kind] = self.array()?;
        let bits = i64::from_le_bytes(self.array()?);
        Ok(match kind {
            0 => Value::Int(bits as i32),
            1 => Value::Long(bits),
            2 => Value::Float(f32::from_bits(bits as u32)),
            3 => Value::Double(f64::from_bits(bits.cast_unsigned())),
            4 => Value::Null,
            5 => {
                let [first] = self.array()?;
                Value::Object { class: self.text()?, length: u32::try_from(bits).ok(), first }
            }
            6 => {
                let [first] = self.array()?;
                Value::Array { class: self.text()?, length: u32::try_from(bits).map_err(|_| Garbled { at })?, first }
            }
            7 => {
                let len = u16::from_le_bytes(self.array()?);
                let (units, _) = self.take(2 * usize::from(len))?.as_chunks::<2>();
                Value::Text(units.iter().map(|unit| u16::from_le_bytes(*unit)).collect())
            }
            8 => Value::Unreadable,
            _ => return Err(Garbled { at }),
        })
    }

    fn text(&mut self) -> Result<String, Garbled> {
        let at = self.at;
        let len = u16::from_le_bytes(self.array()?);
        let bytes = self.take(usize::from(len))?.to_vec();
        String::from_utf8(bytes).map_err(|_| Garbled { at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_candidate() {
        assert_eq!(Readings::decode(&[0; 12]), Ok((Readings::default(), 12)));
    }

    #[test]
    fn counts_beyond_the_input_are_refused() {
        let mut bytes = vec![0xff; 4];
        bytes.extend([0; 64]);
        assert_eq!(Readings::decode(&bytes), Err(Garbled { at: 4 }));
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(0u8..4, 0..200)) {
            if let Ok((_, used)) = Readings::decode(&bytes) {
                prop_assert!(used <= bytes.len());
            }
        }
    }
}
