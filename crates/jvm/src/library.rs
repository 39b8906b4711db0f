//! Where the JVM of a JDK or JRE is.

use super::JvmError;
use std::path::{Path, PathBuf};

/// Names of the library, by platform.
const LIBRARY: &str = if cfg!(target_os = "macos") {
    "libjvm.dylib"
} else if cfg!(windows) {
    "jvm.dll"
} else {
    "libjvm.so"
};

/// The JVM library below a Java home of any version: Java 8 has it in the runtime's own directory, by processor.
pub fn find_libjvm(home: &Path) -> Result<PathBuf, JvmError> {
    let processor = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        other => other,
    };
    let directories = [
        "lib/server".to_owned(),
        "jre/lib/server".to_owned(),
        format!("jre/lib/{processor}/server"),
        format!("lib/{processor}/server"),
        "bin/server".to_owned(),
        "lib/client".to_owned(),
        "lib/minimal".to_owned(),
    ];
    let mut places = directories.iter().map(|directory| home.join(directory).join(LIBRARY));
    places.find(|path| path.is_file()).ok_or_else(|| JvmError::NoLibrary { home: home.to_path_buf() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_all_versions_are_known() {
        for layout in ["lib/server", "jre/lib/server", "lib/client"] {
            let home = tempfile::tempdir().expect("a temporary directory");
            let library = home.path().join(layout).join(LIBRARY);
            std::fs::create_dir_all(library.parent().expect("it has one")).expect("created");
            std::fs::write(&library, "").expect("written");
            assert_eq!(find_libjvm(home.path()).expect("found"), library);
        }
        let nothing = tempfile::tempdir().expect("a temporary directory");
        assert!(matches!(find_libjvm(nothing.path()), Err(JvmError::NoLibrary { .. })));
    }
}
