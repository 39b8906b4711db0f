//! Any bytes as a class file: everything that can be asked of a class is asked. Only a panic, a hang or memory without bounds is a
//! finding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use program::{Bytes, Class, Code, Method};

fuzz_target!(|data: &[u8]| {
    let Ok(class) = Class::read(&Bytes::from(data.to_vec())) else { return };
    let _ = (class.annotations(), class.signature(), class.line_span(), class.source_access());
    for field in &class.fields {
        let _ = (field.annotations(), field.signature(), field.constant_value());
    }
    class.methods.iter().for_each(ask_method);
});

fn ask_method(method: &Method) {
    let _ = (method.annotations(), method.parameter_annotations(), method.annotation_default());
    let _ = (method.exceptions(), method.parameters(), method.parameter_names(), method.signature());
    match method.code() {
        Some(Ok(code)) => ask_code(code),
        Some(Err(error)) => drop(error.to_string()),
        None => {}
    }
}

fn ask_code(code: &Code) {
    for step in code.instructions() {
        match step {
            Ok((bci, instruction)) => {
                let _ = (code.line_of(bci), instruction.targets(), instruction.falls_through());
                assert!(instruction.targets().iter().all(|target| *target < code.end()));
            }
            Err(error) => drop(error.to_string()),
        }
    }
    for entry in code.lines.iter().take(50) {
        let ranges = code.ranges_of_line(entry.line);
        assert!(ranges.iter().all(|range| range.start < range.end && range.end <= code.end()));
        assert!(ranges.is_sorted_by_key(|range| range.start));
    }
}
