//! Any bytes as what a worker answers: two batches, cut at the first byte, read by one decoder. The module under test is private to its
//! crate and is therefore compiled in here.
#![no_main]
#![allow(dead_code, reason = "only a part of each module is under test")]

use libfuzzer_sys::fuzz_target;

#[path = "."]
mod wire {
    #[path = "../../../crates/worker/src/wire/decode.rs"]
    pub(crate) mod decode;
    #[path = "../../../crates/worker/src/wire/layout.rs"]
    mod layout;
}

fuzz_target!(|data: &[u8]| {
    let Some((cut, rest)) = data.split_first() else { return };
    let (first, second) = rest.split_at(usize::from(*cut).min(rest.len()));
    let mut decoder = wire::decode::Decoder::default();
    for batch in [first, second] {
        if let Ok(answers) = decoder.answers(batch) {
            assert!(answers.len() <= batch.len());
        }
    }
});
