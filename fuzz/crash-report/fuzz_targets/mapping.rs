//! Any bytes as a mapping file, up to a zero byte; the rest as the report that it is applied to.

#![no_main]

use crash_report::mapping::Mapping;
use crash_report::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let split = data.iter().position(|&b| b == 0).unwrap_or(data.len());
    let (mapping, _) = Mapping::parse(&data[..split]);
    let mut report = parse(data.get(split + 1..).unwrap_or(b""));
    mapping.deobfuscate(&mut report);
});
