//! The text of the lowered cases, and its round trip.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use ir::{lower, read, verify};
use program::{Bytes, Class};
use std::path::Path;

#[test]
fn lowered_cases() {
    let cases = ["debug/Control", "debug/Exceptions", "lines/Arrays", "lines/Control", "lines/Objects", "lines/Odd"];
    for case in cases {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(case.replace('/', "-"), text_of(case));
        });
    }
}

/// All methods of a case.
fn text_of(case: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case).with_extension("class");
    let class = Class::read(&Bytes::map(&path).unwrap()).unwrap();
    let mut text = String::new();
    for method in &class.methods {
        let body = lower(method).unwrap();
        verify(&body).unwrap();
        assert_eq!(read(&format!("{body:#}")).unwrap(), body);
        text += &format!("{body}\n");
    }
    text
}
