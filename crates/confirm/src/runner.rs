//! The class that runs tests and tells what escaped from them, under a name that a test can neither call nor take.

use std::hash::{BuildHasher, RandomState};

/// The class file, and the name it was compiled with.
const CLASS_FILE: &[u8] = include_bytes!("../java/classes/reenact/confirm/Runner.class");
const NAME: &str = "reenact/confirm/Runner";

/// A copy of the class with a name of its own.
pub(super) struct Runner {
    pub(super) name: String,
    pub(super) class_file: Vec<u8>,
}

impl Runner {
    /// All mentions of the name are constants whose length does not change.
    pub(super) fn new() -> Runner {
        let mut name = format!("R{}", random_key());
        name.truncate(NAME.len());
        let mut class_file = CLASS_FILE.to_vec();
        let mut at = 0;
        while at + NAME.len() <= class_file.len() {
            if class_file[at..].starts_with(NAME.as_bytes()) {
                class_file[at..at + NAME.len()].copy_from_slice(name.as_bytes());
                at += NAME.len();
            } else {
                at += 1;
            }
        }
        Runner { name, class_file }
    }
}

/// Something a test cannot guess.
pub(super) fn random_key() -> String {
    // The standard library's hash keys come from the system's random numbers; two of them are not to be guessed.
    let word = || RandomState::new().hash_one(0u8);
    format!("{:016x}{:016x}", word(), word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runner_has_its_own_name_and_no_other() {
        let (one, two) = (Runner::new(), Runner::new());
        assert_ne!(one.name, two.name);
        let mentions = |name: &str| one.class_file.windows(name.len()).filter(|part| *part == name.as_bytes()).count();
        assert_eq!((mentions(NAME), mentions(&two.name)), (0, 0));
        assert!(mentions(&one.name) > 0);
    }
}
