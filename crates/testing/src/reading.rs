//! Code that reads files, as a candidate and as a test of `confirm`: what it needs, and nothing of the user's.

use crate::{Jdk, jar};
use program::{Cache, ClassPath, Program};
use std::fmt::Write;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/reading");

/// Native code that unpacks itself, each in its own way.
const NATIVE: [&str; 4] = [
    "org.xerial.snappy:snappy-java:1.1.10.5",
    "org.xerial:sqlite-jdbc:3.36.0.3",
    "io.netty:netty-common:4.1.94.Final",
    "io.netty:netty-tcnative-boringssl-static:2.0.25.Final",
];

/// The methods that try to read what is none of theirs, and those that need what they read.
pub fn methods() -> (Vec<String>, Vec<String>) {
    let source = std::fs::read_to_string(Path::new(SOURCES).join("Reading.java")).unwrap();
    let source = source.split_once("// ---- A program that cannot go on").unwrap().0;
    let (denied, needed) = source.split_once("// ---- What must be read").unwrap();
    let names = |part: &str| -> Vec<String> {
        let names = part.lines().filter_map(|line| line.split_once("public static void ")?.1.split_once("()"));
        names.map(|(name, _)| name.to_owned()).collect()
    };
    (names(denied), names(needed))
}

/// A program with its surroundings: what is beside it, in the user's home, of another user.
#[derive(Debug)]
pub struct Scene {
    root: tempfile::TempDir,
    process: Child,
    pub class_path: Vec<PathBuf>,
}

impl Scene {
    #[expect(clippy::disallowed_methods, reason = "a process to be looked at")]
    #[allow(clippy::new_without_default, reason = "compiles, and starts a process")]
    pub fn new() -> Scene {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::fs::create_dir_all(at("app/classes")).unwrap();
        for name in ["secret", "others", "app/beside", "allowed"] {
            std::fs::write(at(name), "nobody's business").unwrap();
        }
        std::fs::set_permissions(at("others"), PermissionsExt::from_mode(0o600)).unwrap();
        // Only an administrator can; for others it is their own file then.
        let _ = chown(at("others"), Some(65534), Some(65534));
        symlink(at("secret"), at("app/classes/link")).unwrap();
        let source = Path::new(SOURCES).join("Reading.java");
        crate::compile(&[source], &at("app/classes"), &["--release", "8", "-Xlint:-options", "-nowarn", "-g"]);
        let process = Command::new("sleep").arg("3600").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let mut class_path = vec![at("app/classes"), with_manifest(&at("app"))];
        class_path.extend(NATIVE.map(jar));
        let scene = Scene { root, process, class_path };
        scene.write_paths();
        scene
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write_paths(&self) {
        let mut text = String::new();
        let mut add = |name: &str, value: String| writeln!(text, "{name}={value}").unwrap();
        for name in ["secret", "others", "allowed"] {
            add(name, self.at(name).display().to_string());
        }
        add("beside", self.at("app/beside").display().to_string());
        add("directory", self.root.path().display().to_string());
        add("link", self.at("app/classes/link").display().to_string());
        add("process", self.process.id().to_string());
        add("tool", std::process::id().to_string());
        std::fs::write(self.at("app/classes/reading.properties"), text).unwrap();
    }

    pub fn program(&self, jdk: &Jdk) -> (ClassPath, Program) {
        let class_path = ClassPath::parse(&self.class_path).unwrap();
        let jdk = program::Jdk::at(&jdk.home).unwrap();
        let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
        (class_path, program)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A jar whose manifest names another, which has a class.
fn with_manifest(directory: &Path) -> PathBuf {
    let classes = directory.join("only-in-manifest");
    std::fs::create_dir(&classes).unwrap();
    let source = directory.join("OnlyInManifest.java");
    std::fs::write(&source, "public class OnlyInManifest {}").unwrap();
    crate::compile(&[source], &classes, &["--release", "8", "-Xlint:-options"]);
    let class = std::fs::read(classes.join("OnlyInManifest.class")).unwrap();
    archive(&directory.join("second.jar"), "OnlyInManifest.class", &class);
    let manifest = b"Manifest-Version: 1.0\nClass-Path: second.jar\n\n";
    archive(&directory.join("first.jar"), "META-INF/MANIFEST.MF", manifest);
    std::fs::remove_dir_all(classes).unwrap();
    directory.join("first.jar")
}

fn archive(at: &Path, name: &str, content: &[u8]) {
    let mut archive = zip::ZipWriter::new(std::fs::File::create(at).unwrap());
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, content).unwrap();
    archive.finish().unwrap();
}
