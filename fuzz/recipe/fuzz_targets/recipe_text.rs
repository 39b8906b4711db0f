//! Any bytes as the text of a recipe, and as its bytes: what is read is checked, printed, and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recipe::{Recipe, binary, parse};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(recipe) = parse(text)
    {
        survives(&recipe);
        assert_eq!(parse(&recipe.to_string()).as_ref(), Ok(&recipe));
    }
    if let Ok(recipe) = binary::from_bytes(data) {
        survives(&recipe);
    }
});

fn survives(recipe: &Recipe) {
    let _ = (recipe.size(), recipe.fingerprint(), recipe.to_string());
    let bytes = binary::to_bytes(recipe);
    assert_eq!(binary::from_bytes(&bytes).ok().as_ref(), Some(recipe));
}
