//! Bodies that are wrong in one way each. The comments `// error:` at the start of a file are what the verifier must say; a file
//! without any is valid.

use std::path::Path;

#[test]
fn violations_are_found() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invalid");
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 15);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let body = ir::read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("// error: ")).collect();
        let found: Vec<String> = match ir::verify(&body) {
            Ok(()) => Vec::new(),
            Err(violations) => violations.0.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(found, expected, "{}", file.display());
    }
}
