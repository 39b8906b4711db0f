//! Class files with damaged bytes: lowering and verifying never panic, and what can be lowered survives the round trip through
//! text.

use program::{Bytes, Class};
use proptest::prelude::*;

const CASES: [&[u8]; 5] = [
    include_bytes!("cases/debug/Arrays.class"),
    include_bytes!("cases/debug/Exceptions.class"),
    include_bytes!("cases/lines/Control.class"),
    include_bytes!("cases/lines/Objects.class"),
    include_bytes!("cases/lines/Odd.class"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn never_panics(
        case in prop::sample::select(&CASES[..]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = case.to_vec();
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let Ok(class) = Class::read(&Bytes::from(bytes)) else { return Ok(()) };
        for method in &class.methods {
            let Ok(body) = ir::lower(method) else { continue };
            // The JVM would refuse many of these, and so may the verifier.
            _ = ir::verify(&body);
            // Names that no class file may have (`L;;`) cannot be read back.
            if let Ok(again) = ir::read(&format!("{body:#}")) {
                prop_assert_eq!(again, body);
            }
        }
    }
}
