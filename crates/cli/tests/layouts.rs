//! Programs in every kind of archive: `check`, `reproduce`, `confirm` and the printed command see the same classes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Ended, end, lock_up, reenact};
use zip::CompressionMethod::{self, Deflated, Stored};

const SERVICE: &str = "package app;\npublic class Service {\n    public int handle(String text) {\n        return lib.Parser.parse(text);\n    }\n}\n";
const PARSER: &str = "package lib;\npublic class Parser {\n    public static int parse(String text) {\n        if (text == null) {\n            throw new IllegalStateException(\"no text\");\n        }\n        return text.length();\n    }\n}\n";
/// Another release, which does not crash.
const OLD_PARSER: &str =
    "package lib;\npublic class Parser {\n    public static int parse(String text) {\n        return 0;\n    }\n}\n";
const CRASH: &str = "java.lang.IllegalStateException: no text\n\tat lib.Parser.parse(Parser.java:5)\n\tat app.Service.handle(Service.java:4)\n";

/// All JDKs of this machine that can compile, oldest first.
fn jdks() -> Vec<program::Jdk> {
    let mut jdks = program::Jdk::list();
    jdks.retain(|jdk| jdk.feature >= 17 && jdk.home.join("bin/javac").exists());
    jdks.sort_by_key(|jdk| jdk.feature);
    jdks.dedup_by_key(|jdk| jdk.feature);
    assert!(!jdks.is_empty(), "the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`");
    jdks
}

#[expect(clippy::disallowed_methods, reason = "the tests start the tool itself and the JDK's own")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Compiles sources together; class files by their entries.
fn compiled(sources: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("src"), directory.path().join("classes"));
    let mut javac = command(&jdks()[0].home.join("bin/javac"));
    javac.args(["-g", "-nowarn", "-proc:none", "--release", "11", "-d"]).arg(&to);
    for (class, text) in sources {
        let file = from.join(format!("{class}.java"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        javac.arg(file);
    }
    assert!(javac.status().unwrap().success());
    let class = |name: &str| (format!("{name}.class"), std::fs::read(to.join(format!("{name}.class"))).unwrap());
    sources.iter().map(|(name, _)| class(name)).collect()
}

struct Archive(Vec<(String, Vec<u8>, CompressionMethod)>);

fn archive() -> Archive {
    Archive(Vec::new())
}

impl Archive {
    fn with(mut self, name: &str, content: impl Into<Vec<u8>>, method: CompressionMethod) -> Archive {
        self.0.push((name.to_owned(), content.into(), method));
        self
    }

    fn manifest(self, attributes: &str) -> Archive {
        self.with("META-INF/MANIFEST.MF", format!("Manifest-Version: 1.0\r\n{attributes}\r\n\r\n"), Deflated)
    }

    fn bytes(self) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content, method) in self.0 {
            let options = zip::write::SimpleFileOptions::default().compression_method(method);
            writer.start_file(name, options).unwrap();
            writer.write_all(&content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn write(self, path: &Path) -> PathBuf {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, self.bytes()).unwrap();
        path.to_owned()
    }
}

/// The same program in archives of every kind, by what they are called.
fn layouts(directory: &Path) -> Vec<PathBuf> {
    let classes = compiled(&[("app/Service", SERVICE), ("lib/Parser", PARSER)]);
    let old = compiled(&[("lib/Parser", OLD_PARSER)]).remove("lib/Parser.class").unwrap();
    let (service, parser) = (classes["app/Service.class"].clone(), classes["lib/Parser.class"].clone());
    let jar = |content: &[u8]| archive().with("lib/Parser.class", content, Deflated);
    let at = |name: &str| directory.join(name);
    let index = "- \"BOOT-INF/lib/z.jar\"\n- \"BOOT-INF/lib/a.jar\"\n";
    let boot = archive()
        .manifest("Main-Class: org.springframework.boot.loader.JarLauncher")
        .with("org/springframework/boot/loader/JarLauncher.class", old.clone(), Deflated)
        .with("BOOT-INF/classes/app/Service.class", service.clone(), Deflated)
        .with("BOOT-INF/lib/a.jar", jar(&old).bytes(), Stored)
        .with("BOOT-INF/lib/z.jar", jar(&parser).bytes(), Stored)
        .with("BOOT-INF/classpath.idx", index, Deflated);
    let war = |library: Vec<u8>| {
        let classes = archive().with("WEB-INF/classes/app/Service.class", service.clone(), Deflated);
        classes.with("WEB-INF/lib/parser.jar", library, Deflated)
    };
    let ear = archive().with("web.war", war(archive().with("x.txt", "x", Deflated).bytes()).bytes(), Deflated).with(
        "lib/parser.jar",
        jar(&parser).bytes(),
        Deflated,
    );
    let deep = archive().with("lib/inner.jar", jar(&parser).bytes(), Stored).bytes();
    let deep = archive().with("main/main.jar", archive().with("lib/deep.jar", deep, Deflated).bytes(), Deflated);
    let multi = jar(&old).manifest("Multi-Release: true").with(
        "META-INF/versions/9/lib/Parser.class",
        parser.clone(),
        Deflated,
    );
    let manifest =
        archive().manifest("Class-Path: lib/parser.jar").with("app/Service.class", service.clone(), Deflated);
    jar(&parser).write(&at("lib/parser.jar"));
    vec![
        boot.write(&at("boot.jar")),
        war(jar(&parser).bytes()).write(&at("app.war")),
        ear.write(&at("app.ear")),
        deep.with("app/Service.class", service.clone(), Deflated).write(&at("deep.jar")),
        war(multi.bytes()).write(&at("multi.war")),
        manifest.write(&at("manifest.jar")),
        archive()
            .with("app/Service.class", service, Deflated)
            .with("lib/Parser.class", parser, Deflated)
            .write(&at("a:b.jar")),
    ]
}

/// The tool with a cache of its own.
fn run(cache: &Path, args: &[&str]) -> Ended {
    end(reenact().args(args).env("REENACT_CACHE", cache))
}

#[test]
fn what_is_in_any_archive_runs() {
    let directory = tempfile::tempdir().unwrap();
    let layouts = layouts(directory.path());
    let cache = directory.path().join("cache");
    let crash = directory.path().join("crash.log");
    std::fs::write(&crash, CRASH).unwrap();
    let crash = crash.to_str().unwrap();
    for jdk in jdks() {
        let home = jdk.home.to_str().unwrap();
        for layout in &layouts {
            let what = format!("{} on {home}", layout.display());
            let path = layout.to_str().unwrap();
            // Both frames are to be matched, wherever their classes lie.
            let both = ["--application", "(app|lib)[.].*"];
            let checked = run(&cache, &[&["check", crash, "-c", path, "--jdk", home, "--json"], &both[..]].concat());
            assert_eq!(checked.code(), Some(0), "{what}: {}{}", checked.stdout, checked.stderr);
            assert_eq!(checked.result()["verdict"]["bound"], 2, "{what}");
            let out = directory.path().join("out");
            let _ = std::fs::remove_dir_all(&out);
            let options = ["--jdk", home, "--junit", "main", "--budget", "20s", "-o", out.to_str().unwrap(), "--json"];
            let found = run(&cache, &[&["reproduce", crash, "-c", path], &options[..], &both, lock_up()].concat());
            assert_eq!(found.code(), Some(0), "{what}: {}{}", found.stdout, found.stderr);
            let result = found.result();
            let test = result["test"].as_str().unwrap();
            let confirm = [&["confirm", test, crash, "-c", path, "--jdk", home], &both[..], lock_up()].concat();
            let confirmed = run(&cache, &confirm);
            assert_eq!(confirmed.code(), Some(0), "{what}: {}{}", confirmed.stdout, confirmed.stderr);
            let thrown = paste(result["command"].as_str().unwrap(), &jdk.home);
            assert!(thrown.contains("IllegalStateException: no text\n\tat lib.Parser.parse"), "{what}: {thrown}");
        }
    }
}

/// Runs a printed command in a shell; what it says on standard error.
fn paste(command_line: &str, home: &Path) -> String {
    let path = format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap());
    let output = command(Path::new("sh")).args(["-c", command_line]).env("PATH", path).output().unwrap();
    assert!(!output.status.success(), "{command_line}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Linking tells, before anything is searched for; what only a constructor's parameter names is not needed for it.
#[test]
fn a_missing_class_ends_the_run_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let cache = directory.path().join("cache");
    let crash = directory.path().join("crash.log");
    let in_service = CRASH.lines().filter(|line| !line.contains("lib.Parser")).collect::<Vec<_>>().join("\n");
    let below = SERVICE.replace("class Service", "class Service extends Middle");
    let verified =
        SERVICE.replace("    public int", "    static gone.Face face() { return new gone.Base(); } public int");
    let lenient =
        SERVICE.replace("    public int", "    public Service() { } public Service(gone.Base base) { } public int");
    let cases = [
        (below.as_str(), Some("`app.Middle` extends or implements it")),
        (&verified, Some("`app.Service` refers to it")),
        (&lenient, None),
    ];
    for (service, needed) in cases {
        // Frames further out need not be complete: without them the inner ones can still be reproduced.
        std::fs::write(&crash, if needed.is_some() { &in_service } else { CRASH }).unwrap();
        let classes = compiled(&[
            ("app/Service", service),
            ("app/Middle", "package app;\npublic class Middle extends gone.Base { }\n"),
            ("gone/Base", "package gone;\npublic class Base extends Face { }\n"),
            ("gone/Face", "package gone;\npublic class Face { }\n"),
            ("lib/Parser", PARSER),
        ]);
        let kept = classes.iter().filter(|(name, _)| !name.starts_with("gone/"));
        let jar = kept.fold(archive(), |jar, (name, content)| jar.with(name, content.clone(), Deflated));
        let jar = jar.write(&directory.path().join("app.jar"));
        let jar = jar.to_str().unwrap();
        let out = directory.path().join("out");
        let (crash, out) = (crash.to_str().unwrap(), out.to_str().unwrap());
        let args = ["reproduce", crash, "-c", jar, "--junit", "main", "--json", "-o", out];
        for jdk in jdks() {
            let jdk = ["--jdk", jdk.home.to_str().unwrap()];
            let ended = run(&cache, &[&args[..], &jdk, lock_up()].concat());
            let Some(needed) = needed else {
                assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
                continue;
            };
            let errors = &ended.stderr;
            assert_eq!(ended.code(), Some(2), "{errors}");
            assert!(errors.contains("error: class-missing: no jar of the class path has `gone."), "{errors}");
            assert!(errors.contains("without which `app.Service` of the crash") && errors.contains(needed), "{errors}");
            assert!(errors.contains("\nhint: add the jar that has `gone."), "{errors}");
            assert!(ended.stdout.contains("\"reason\":\"class-missing\""), "{}", ended.stdout);
        }
    }
}

#[test]
fn check_names_the_classes_that_nobody_has() {
    let directory = tempfile::tempdir().unwrap();
    let service =
        SERVICE.replace("return", "if (text instanceof CharSequence && gone.Base.is) new gone.Base(); return");
    let classes = compiled(&[
        ("app/Service", &service),
        ("gone/Base", "package gone;\npublic class Base { public static boolean is; }\n"),
        ("lib/Parser", PARSER),
    ]);
    let jar = archive()
        .with("app/Service.class", classes["app/Service.class"].clone(), Deflated)
        .with("lib/Parser.class", classes["lib/Parser.class"].clone(), Deflated)
        .write(&directory.path().join("app.jar"));
    let crash = directory.path().join("crash.log");
    std::fs::write(&crash, CRASH).unwrap();
    let args = ["check", crash.to_str().unwrap(), "-c", jar.to_str().unwrap()];
    let text = run(directory.path(), &args);
    assert!(text.stdout.contains("no jar has\n     gone.Base, which app.Service.handle needs\n"), "{}", text.stdout);
    let json = run(directory.path(), &[&args[..], &["--json"]].concat()).result();
    assert_eq!(json["missing"], serde_json::json!([{"class": "gone.Base", "needed_by": ["app.Service.handle"]}]));
}

#[test]
fn a_directory_that_does_not_exist_is_left_out_with_a_remark() {
    let directory = tempfile::tempdir().unwrap();
    let layouts = layouts(directory.path());
    let crash = directory.path().join("crash.log");
    std::fs::write(&crash, CRASH).unwrap();
    let class_path = format!("{}/target/classes:{}", directory.path().display(), layouts[0].display());
    let ended = run(directory.path(), &["check", crash.to_str().unwrap(), "-c", &class_path]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("target/classes`: there is no such directory; it is left out"), "{}", ended.stdout);
}

/// Without `--application`: what lies where a program has its own classes, if the trace has a frame of it.
#[test]
fn the_programs_own_classes_are_the_application() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let layouts = layouts(directory.path());
    let classes = compiled(&[("app/Service", SERVICE), ("lib/Parser", PARSER)]);
    let own = at("classes/app/Service.class");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(own, &classes["app/Service.class"]).unwrap();
    let with_jar = format!("{}:{}", at("classes").display(), at("lib/parser.jar").display());
    let jar = at("lib/parser.jar").display().to_string();
    let of_kind = |extension: &str| {
        let is_it = |layout: &&PathBuf| layout.file_name().is_some_and(|name| name == extension);
        layouts.iter().find(is_it).unwrap_or_else(|| panic!("no {extension} in {layouts:?}")).display().to_string()
    };
    let only_library: String = CRASH.lines().take(2).map(|line| format!("{line}\n")).collect();
    for (path, log, frames) in [
        (&with_jar, CRASH, "1 of 1"),
        (&of_kind("boot.jar"), CRASH, "1 of 1"),
        (&of_kind("app.war"), CRASH, "1 of 1"),
        (&jar, &only_library, "1 of 1"),
        (&of_kind("boot.jar"), &only_library, "1 of 1"),
    ] {
        std::fs::write(at("crash.log"), log).unwrap();
        let checked = run(&at("cache"), &["check", at("crash.log").to_str().unwrap(), "-c", path]);
        assert_eq!(checked.code(), Some(0), "{path}: {}{}", checked.stdout, checked.stderr);
        assert!(checked.stdout.contains(&format!("{frames} application frame")), "{path}: {}", checked.stdout);
    }
}
