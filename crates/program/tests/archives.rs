//! Class paths of every shape: nested and layered archives, multi-release jars, manifests, directories, and all the ways in which an
//! archive can be broken.

mod common;

use common::class_builder::ClassBuilder;
use common::{JarBuilder, jdk, open, open_for, write_file};
use program::{Cache, ClassName, ClassPath, Jdk, Origin, Problem, Program, ProgramError};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A class file whose source tells classes of one name apart.
fn class_from(name: &str, source: &str) -> Vec<u8> {
    let mut builder = ClassBuilder::new(name);
    let source = builder.utf8(source);
    builder.attribute("SourceFile", &source.to_be_bytes()).build()
}

fn source_of(program: &Program, name: &str) -> Option<&'static str> {
    program.class(ClassName::internal(name))?.source_file.map(|source| source.as_str())
}

fn has(program: &Program, name: &str) -> bool {
    program.class(ClassName::internal(name)).is_some()
}

fn names(program: &Program) -> Vec<&'static str> {
    program.classes().into_iter().map(ClassName::as_internal).collect()
}

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary directory can be made")
}

/// The JDK at hand, taken for one of this version.
fn jdk_of(feature: u16) -> Jdk {
    Jdk { feature, ..jdk() }
}

#[test]
fn a_war_has_its_classes_and_libraries() {
    let directory = temporary();
    let library = JarBuilder::new().class("lib/Util").build();
    let war = JarBuilder::new()
        .deflated("WEB-INF/classes/app/Main.class", ClassBuilder::new("app/Main").build())
        .deflated("WEB-INF/lib/util.jar", library)
        .deflated("index.jsp", "<html/>")
        .write(&directory.path().join("app.war"));
    let (program, problems) = open(&[&war]);
    assert_eq!(problems, []);
    assert_eq!(names(&program), ["app/Main", "lib/Util"]);
    assert!(has(&program, "app/Main") && has(&program, "lib/Util"));
    let origin = program.origin(ClassName::internal("lib/Util")).unwrap();
    assert_eq!(origin.to_string(), format!("{}!/WEB-INF/lib/util.jar", war.display()));
    let entry = "WEB-INF/classes/app/Main.class".to_owned();
    assert_eq!(
        program.origin(ClassName::internal("app/Main")),
        Some(Origin::Archive { archive: war, nested: None, entry })
    );
}

#[test]
fn a_spring_boot_jar_behind_a_start_script() {
    let directory = temporary();
    let boot = JarBuilder::new()
        .class("org/springframework/boot/loader/Launcher")
        .deflated("BOOT-INF/classes/app/Main.class", ClassBuilder::new("app/Main").build())
        .stored("BOOT-INF/lib/a.jar", JarBuilder::new().class("a/A").build())
        .stored("BOOT-INF/lib/b.jar", JarBuilder::new().deflated("b/B.class", class_from("b/B", "b")).build())
        .build();
    let executable = [b"#!/bin/sh\nexec java -jar \"$0\"\n".to_vec(), boot].concat();
    let path = write_file(&directory.path().join("app.jar"), &executable);
    let (program, problems) = open(&[path]);
    assert_eq!(problems, []);
    for name in ["app/Main", "a/A", "b/B", "org/springframework/boot/loader/Launcher"] {
        assert!(has(&program, name), "{name}");
    }
}

#[test]
fn archives_nest_in_archives() {
    let directory = temporary();
    let jar = JarBuilder::new().class("deep/Down").build();
    let war = JarBuilder::new().deflated("WEB-INF/lib/deep.jar", jar).build();
    let ear =
        JarBuilder::new().deflated("web.war", war).stored("lib/shared.jar", JarBuilder::new().class("s/S").build());
    let ear = ear.write(&directory.path().join("app.ear"));
    let cache = Cache::at(directory.path().join("cache"));
    for _ in 0..2 {
        let class_path = ClassPath::parse([&ear]).unwrap();
        let (program, problems) = Program::open(&class_path, jdk(), &cache).unwrap();
        assert_eq!(problems, []);
        assert_eq!(names(&program), ["deep/Down", "s/S"]);
        let origin = program.origin(ClassName::internal("deep/Down")).unwrap().to_string();
        assert!(origin.ends_with("app.ear!/web.war!/WEB-INF/lib/deep.jar"), "{origin}");
        assert!(has(&program, "deep/Down"));
    }
    assert_eq!(cache.size().unwrap().files, 2, "the compressed archives are kept");
}

/// Where a JVM finds the classes that it is given: the names of the entries, jar by jar.
fn contents_of(runtime: &program::RuntimeClassPath) -> Vec<Vec<String>> {
    let names = |path: &PathBuf| {
        let file = std::fs::File::open(path).expect("what the JVM is given is there");
        let mut jar = zip::ZipArchive::new(file).expect("what the JVM is given is an archive");
        let mut name = |index| jar.by_index(index)?.name().map(|name| name.into_owned());
        (0..).map_while(|index| name(index).ok()).collect()
    };
    runtime.entries().iter().map(names).collect()
}

#[test]
fn a_jvm_is_given_every_part_of_a_boot_jar_in_its_order() {
    let directory = temporary();
    let marked = |source: &str| JarBuilder::new().deflated("x/X.class", class_from("x/X", source));
    let index = "- \"BOOT-INF/lib/z.jar\"\n- \"BOOT-INF/lib/a.jar\"\n";
    let boot = JarBuilder::new()
        .manifest("Multi-Release: true\r\nImplementation-Version: 7")
        .class("org/springframework/boot/loader/Launcher")
        .stored("BOOT-INF/lib/a.jar", marked("a").build())
        .deflated("BOOT-INF/lib/other.jar", JarBuilder::new().class("o/O").build())
        .deflated("BOOT-INF/lib/z.jar", marked("z").manifest("Multi-Release: true").build())
        .deflated("BOOT-INF/classes/app/Main.class", class_from("app/Main", "base"))
        .deflated("BOOT-INF/classes/META-INF/versions/9/app/Main.class", class_from("app/Main", "9"))
        .deflated("BOOT-INF/classes/META-INF/services/s.Service", "app.Main\n")
        .deflated("BOOT-INF/classes/application.yml", "x: 1")
        .deflated("BOOT-INF/classes/META-INF/A.SF", "a signature of something else")
        .deflated("BOOT-INF/classpath.idx", index)
        .write(&directory.path().join("app.jar"));
    let cache = Cache::at(directory.path().join("cache"));
    let class_path = ClassPath::parse([&boot]).unwrap();
    let mut seen = Vec::new();
    for _ in 0..2 {
        let (program, problems) = Program::open(&class_path, jdk(), &cache).unwrap();
        assert_eq!(problems, []);
        assert_eq!((source_of(&program, "x/X"), source_of(&program, "app/Main")), (Some("z"), Some("9")));
        assert_eq!(program.service_providers(ClassName::internal("s/Service")), [ClassName::internal("app/Main")]);
        let runtime = program.runtime_class_path().unwrap();
        let contents = contents_of(&runtime);
        assert_eq!(runtime.entries()[0], boot, "its loader");
        let classes = ["META-INF/MANIFEST.MF", "app/Main.class", "META-INF/versions/9/app/Main.class"];
        let resources = ["META-INF/services/s.Service", "application.yml"];
        assert_eq!(contents[1], [&classes[..], &resources].concat());
        assert_eq!(contents[2..], [vec!["x/X.class", "META-INF/MANIFEST.MF"], vec!["x/X.class"], vec!["o/O.class"]]);
        let names = runtime.entries().iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        assert_eq!(names.collect::<Vec<_>>(), ["app.jar", "classes-of-app.jar", "z.jar", "a.jar", "other.jar"]);
        let [unpacked] = runtime.unpacked() else { panic!("{:?}", runtime.unpacked()) };
        assert_eq!((unpacked.directory.as_path(), unpacked.is_temporary), (cache.directory().unwrap(), false));
        seen.push((runtime.entries().to_vec(), cache.size().unwrap()));
    }
    assert_eq!(seen[0], seen[1], "nothing is unpacked twice");
    cache.clear().unwrap();
    assert!(!seen[0].0[2].exists());
}

#[test]
fn a_jvm_is_given_jars_at_any_depth_but_no_mere_wrapping() {
    let directory = temporary();
    let jar = JarBuilder::new().class("deep/Down").build();
    let war = JarBuilder::new()
        .deflated("WEB-INF/classes/w/W.class", ClassBuilder::new("w/W").build())
        .deflated("WEB-INF/lib/deep.jar", JarBuilder::new().class("d/D").stored("lib/inner.jar", jar).build())
        .deflated("index.jsp", "<html/>")
        .build();
    let ear = JarBuilder::new()
        .deflated("web.war", war)
        .stored("lib/shared.jar", JarBuilder::new().class("s/S").build())
        .deflated("ejb.jar", JarBuilder::new().class("e/E").build())
        .write(&directory.path().join("app.ear"));
    let (program, problems) = open(&[&ear]);
    assert_eq!(problems, []);
    let runtime = program.runtime_class_path().unwrap();
    let classes: Vec<_> = contents_of(&runtime).into_iter().map(|jar| jar[0].clone()).collect();
    assert_eq!(classes, ["w/W.class", "d/D.class", "deep/Down.class", "s/S.class", "e/E.class"]);
    assert!(runtime.unpacked()[0].is_temporary, "there is no cache");
    let files = runtime.entries().to_vec();
    drop((program, runtime));
    assert!(files.iter().all(|file| !file.exists()));
}

#[test]
fn what_is_at_the_top_hides_the_directory_of_classes() {
    let directory = temporary();
    for top_first in [true, false] {
        let top = |jar: JarBuilder| jar.deflated("x/X.class", class_from("x/X", "top"));
        let below = |jar: JarBuilder| jar.deflated("WEB-INF/classes/x/X.class", class_from("x/X", "below"));
        let jar = JarBuilder::new();
        let jar = if top_first { below(top(jar)) } else { top(below(jar)) };
        let jar = jar.write(&directory.path().join(format!("{top_first}.war")));
        let (program, _) = open(&[&jar]);
        assert_eq!(source_of(&program, "x/X"), Some("top"));
        let runtime = program.runtime_class_path().unwrap();
        assert_eq!((&runtime.entries()[0], runtime.entries().len()), (&jar, 2));
    }
}

/// A class path cannot name such files, but a JVM must find them.
#[cfg(unix)]
#[test]
fn a_jvm_is_led_to_names_with_a_separator() {
    let directory = temporary();
    let jar = JarBuilder::new().class("a/A").write(&directory.path().join("a:b.jar"));
    write_file(&directory.path().join("c:d/c/C.class"), &ClassBuilder::new("c/C").build());
    let (program, _) = open(&[jar.clone(), directory.path().join("c:d")]);
    assert_eq!(names(&program), ["a/A", "c/C"]);
    let runtime = program.runtime_class_path().unwrap();
    assert!(runtime.entries().iter().all(|path| !path.display().to_string().contains(':')), "{runtime:?}");
    assert_eq!(std::fs::read(&runtime.entries()[0]).unwrap(), std::fs::read(&jar).unwrap());
    assert!(runtime.entries()[1].join("c/C.class").is_file());
}

/// The place of an entry's data in the central directory.
fn set_offset(jar: &mut [u8], central: usize, offset: usize) {
    jar[central + 42..central + 46].copy_from_slice(&(offset as u32).to_le_bytes());
}

/// Thousands of entries over the same packed bytes: a jar of some kilobytes that unpacks to gigabytes.
#[test]
fn entries_that_overlap_are_not_unpacked_over_and_over() {
    const ENTRIES: usize = 500;
    let directory = temporary();
    let mut builder = JarBuilder::new().deflated("a/A00000.class", vec![0; 4 << 20]);
    for number in 1..ENTRIES {
        builder = builder.stored(&format!("a/A{number:05}.class"), "");
    }
    let mut jar = builder.class("z/Z").build();
    let (first, local) = find_entry(&jar, "a/A00000.class");
    let sizes: [u8; 8] = jar[first + 20..first + 28].try_into().unwrap();
    for number in 1..ENTRIES {
        let (central, _) = find_entry(&jar, &format!("a/A{number:05}.class"));
        jar[central + 10] = 8;
        jar[central + 20..central + 28].copy_from_slice(&sizes);
        set_offset(&mut jar, central, local);
    }
    let (program, problems, _) = open_bytes(&directory, &jar);
    let problem = problems[0].to_string();
    assert!(problem.contains("overlaps with other entries"), "{problem}");
    let refused: usize = problem.split("(and ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let packed = u32::from_le_bytes(sizes[..4].try_into().unwrap()) as usize;
    assert!(ENTRIES - refused <= jar.len() / packed + 1, "{refused} of {ENTRIES}");
    program.index_classes();
    let told = program.problems().iter().filter(|problem| problem.to_string().contains("overlaps")).count();
    assert!(ENTRIES - told <= jar.len() / packed + 1, "{told} of {ENTRIES}");
}

#[test]
fn jars_that_are_no_libraries_come_last() {
    let directory = temporary();
    let stray = JarBuilder::new().deflated("x/X.class", class_from("x/X", "stray")).class("x/Only").build();
    let first = JarBuilder::new().deflated("testdata/stray.jar", stray).write(&directory.path().join("1.jar"));
    let second =
        JarBuilder::new().deflated("x/X.class", class_from("x/X", "second")).write(&directory.path().join("2.jar"));
    let (program, _) = open(&[first, second]);
    assert_eq!(source_of(&program, "x/X"), Some("second"));
    assert!(has(&program, "x/Only"));
}

#[test]
fn multi_release_jars_are_read_for_the_jdk() {
    let directory = temporary();
    let jar = |manifest: &str, name: &str| {
        JarBuilder::new()
            .manifest(manifest)
            .deflated("META-INF/versions/17/a/A.class", class_from("a/A", "17"))
            .deflated("a/A.class", class_from("a/A", "base"))
            .deflated("META-INF/versions/9/a/A.class", class_from("a/A", "9"))
            .deflated("META-INF/versions/11/a/New.class", class_from("a/New", "11"))
            .write(&directory.path().join(name))
    };
    let multi = jar("Multi-Release: true", "multi.jar");
    for (feature, source, has_new) in
        [(8, "base", false), (9, "9", false), (11, "9", true), (17, "17", true), (25, "17", true)]
    {
        let (program, _) = open_for(&[&multi], jdk_of(feature));
        assert_eq!(source_of(&program, "a/A"), Some(source), "Java {feature}");
        assert_eq!(has(&program, "a/New"), has_new, "Java {feature}");
    }
    let (program, _) = open_for(&[jar("Created-By: nobody", "plain.jar")], jdk_of(25));
    assert_eq!(source_of(&program, "a/A"), Some("base"));
    assert_eq!(names(&program), ["a/A"]);
}

#[test]
fn manifests_lead_to_further_jars() {
    let directory = temporary();
    let at = |name: &str| directory.path().join(name);
    let marked = |source: &str| JarBuilder::new().deflated("x/X.class", class_from("x/X", source));
    let manifest = "Class-Path: lib/one.jar lib/gone.jar";
    let app = JarBuilder::new().manifest(manifest).class("app/Main").write(&at("app.jar"));
    marked("one").manifest("Class-Path: two.jar ../app.jar").write(&at("lib/one.jar"));
    JarBuilder::new().class("two/Two").write(&at("lib/two.jar"));
    let other = marked("other").write(&at("other.jar"));
    let (program, problems) = open(&[&app, &other]);
    assert_eq!(problems, []);
    assert_eq!(names(&program), ["app/Main", "two/Two", "x/X"]);
    assert_eq!(source_of(&program, "x/X"), Some("one"), "the manifest's jars come before the next of the class path");
    let runtime = program.runtime_class_path().unwrap();
    assert_eq!(runtime.entries(), [app.clone(), at("lib/one.jar"), at("lib/two.jar"), other.clone()]);
    assert_eq!(runtime.needed_entries(), [app, other], "the JVM finds the rest itself");
    assert_eq!(runtime.unpacked(), []);
}

/// A manifest is not the user: it must not make us search the file system, nor open what is no jar.
#[test]
fn manifests_lead_to_no_directory() {
    let directory = temporary();
    let at = |name: &str| directory.path().join(name);
    write_file(&at("classes/c/C.class"), &ClassBuilder::new("c/C").build());
    write_file(&at("lib/secret.docx"), &JarBuilder::new().class("s/Secret").build());
    let app = JarBuilder::new().manifest("Class-Path: / ../ classes/ lib/secret.docx gone/").class("app/Main");
    let app = app.write(&at("sub/app.jar"));
    JarBuilder::new().class("c/D").write(&at("sub/classes/d.jar"));
    write_file(&at("sub/lib/secret.docx"), b"");
    let (program, problems) = open(&[&app]);
    assert_eq!(names(&program), ["app/Main"]);
    assert_eq!(problems.len(), 4, "{problems:?}");
    assert!(problems.iter().all(|problem| problem.to_string().contains("a manifest names it")), "{problems:?}");
    assert_eq!(program.runtime_class_path().unwrap().entries(), std::slice::from_ref(&app));
    // Whom the user names is looked at, be it named by a manifest as well.
    let (program, _) = open(&[app, at("sub/classes")]);
    assert_eq!(program.containers().len(), 2);
}

#[test]
fn the_first_on_the_class_path_wins() {
    let directory = temporary();
    let at = |name: &str| directory.path().join(name);
    let jar = JarBuilder::new().deflated("x/X.class", class_from("x/X", "jar")).class("j/J").write(&at("a.jar"));
    write_file(&at("classes/x/X.class"), &class_from("x/X", "directory"));
    write_file(&at("classes/d/D.class"), &ClassBuilder::new("d/D").extends("x/X").build());
    for (order, source) in [([at("classes"), jar.clone()], "directory"), ([jar, at("classes")], "jar")] {
        let (program, _) = open(&order);
        assert_eq!(source_of(&program, "x/X"), Some(source));
        assert_eq!(names(&program), ["d/D", "j/J", "x/X"]);
        assert_eq!(program.direct_subtypes(ClassName::internal("x/X")), [ClassName::internal("d/D")]);
    }
}

#[test]
fn the_jdk_hides_the_class_path() {
    let directory = temporary();
    let jar = JarBuilder::new().deflated("java/util/List.class", class_from("java/util/List", "mine")).class("a/A");
    let (program, _) = open(&[jar.write(&directory.path().join("a.jar"))]);
    assert_eq!(source_of(&program, "java/util/List"), Some("List.java"));
    assert_eq!(program.origin(ClassName::internal("java/util/List")), Some(Origin::Module("java.base".into())));
    assert!(!program.is_application_default(ClassName::internal("java/util/List")));
    assert!(program.is_application_default(ClassName::internal("a/A")));
    assert!(!program.is_application_default(ClassName::internal("a/Gone")));
}

#[test]
fn what_is_missing_is_remembered() {
    let directory = temporary();
    let (program, _) = open(&[directory.path()]);
    assert!(!has(&program, "b/Gone") && !has(&program, "a/Gone") && !has(&program, "../a/Gone"));
    let missing: Vec<_> = program.missing().into_iter().map(ClassName::as_internal).collect();
    assert_eq!(missing, ["../a/Gone", "a/Gone", "b/Gone"]);
    assert_eq!(program.problems(), []);
}

fn error_of(path: &Path) -> ProgramError {
    let opened = ClassPath::parse([path]).and_then(|class_path| Program::open(&class_path, jdk(), &Cache::none()));
    let error = opened.expect_err("the class path cannot be used");
    assert!(!error.hint().is_empty());
    error
}

#[test]
fn unusable_class_paths_are_explained() {
    let directory = temporary();
    let at = |name: &str| directory.path().join(name);
    let cases: [(&str, &[u8], &str); 3] = [
        ("empty.jar", b"", "is not a jar: it is not a zip archive"),
        ("text.jar", b"hello, this is no archive at all", "is not a jar: it is not a zip archive"),
        ("page.jar", b"<html>404</html>", "is not a jar: it is not a zip archive"),
    ];
    for (name, content, expected) in cases {
        let path = write_file(&at(name), content);
        assert_eq!(error_of(&path).to_string(), format!("class path entry `{}` {expected}", path.display()));
    }
    let gone = at("gone.jar");
    assert_eq!(error_of(&gone).to_string(), format!("class path entry `{}` does not exist", gone.display()));
    let below_file = at("text.jar").join("x.jar");
    assert!(matches!(error_of(&below_file), ProgramError::NotFound { .. }));
}

#[cfg(unix)]
#[test]
fn an_unreadable_directory_is_explained() {
    use std::os::unix::fs::PermissionsExt;
    let directory = temporary();
    let locked = directory.path().join("locked");
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read it all the same.
    if std::fs::read_dir(&locked).is_err() {
        assert_eq!(
            error_of(&locked).to_string(),
            format!("class path entry `{}` cannot be read: Permission denied (os error 13)", locked.display())
        );
    }
}

/// Three classes; the middle one is what tests break.
fn three_classes() -> Vec<u8> {
    JarBuilder::new().class("a/A").class("b/Broken").class("c/C").build()
}

/// Where the central directory has the entry, and where the local header is.
fn find_entry(jar: &[u8], entry: &str) -> (usize, usize) {
    let places: Vec<usize> =
        jar.windows(entry.len()).enumerate().filter(|(_, part)| *part == entry.as_bytes()).map(|(at, _)| at).collect();
    (places[1] - 46, places[0] - 30)
}

fn open_bytes(directory: &TempDir, bytes: &[u8]) -> (Program, Vec<Problem>, PathBuf) {
    let path = write_file(&directory.path().join("broken.jar"), bytes);
    let (program, problems) = open(&[&path]);
    (program, problems, path)
}

#[test]
fn one_broken_entry_leaves_the_rest() {
    let directory = temporary();
    type Breakage = fn(&mut Vec<u8>, usize, usize);
    let cases: [(&str, Breakage, &str); 5] = [
        ("encrypted", |jar, central, _| jar[central + 8] |= 1, "it is encrypted"),
        (
            "unknown method",
            |jar, central, _| jar[central + 10] = 14,
            "it uses compression method 14, only stored and deflated entries can be read",
        ),
        (
            "huge",
            |jar, central, _| jar[central + 20..central + 28].copy_from_slice(&[0, 0, 0, 0x70, 0, 0, 0, 0x70]),
            "it unpacks to 1879048192 bytes, the limit is 67108864",
        ),
        (
            "bomb",
            |jar, central, _| jar[central + 24..central + 28].copy_from_slice(&60_000_000u32.to_le_bytes()),
            "its compressed data is damaged",
        ),
        (
            "outside",
            |jar, central, _| jar[central + 42..central + 46].copy_from_slice(&u32::MAX.to_le_bytes()),
            "its data lies outside of the archive",
        ),
    ];
    for (what, damage, reason) in cases {
        let mut jar = three_classes();
        let (central, local) = find_entry(&jar, "b/Broken.class");
        damage(&mut jar, central, local);
        let (program, mut problems, path) = open_bytes(&directory, &jar);
        assert!(has(&program, "a/A") && has(&program, "c/C") && !has(&program, "b/Broken"), "{what}");
        problems.extend(program.problems());
        let expected = format!("`{}`: entry `b/Broken.class` cannot be read: {reason}", path.display());
        assert_eq!(problems[0].to_string(), expected, "{what}");
    }
}

#[test]
fn a_wholly_encrypted_jar_is_told_once() {
    let directory = temporary();
    let mut jar = three_classes();
    for entry in ["a/A.class", "b/Broken.class", "c/C.class"] {
        let (central, _) = find_entry(&jar, entry);
        jar[central + 8] |= 1;
    }
    let (_, problems, path) = open_bytes(&directory, &jar);
    let expected = format!("`{}`: entry `a/A.class` (and 2 more) cannot be read: it is encrypted", path.display());
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
}

#[test]
fn an_archive_cut_anywhere_gives_what_is_whole() {
    let directory = temporary();
    let whole = three_classes();
    let last = find_entry(&whole, "c/C.class").1;
    let directory_start = find_entry(&whole, "a/A.class").0;
    for length in 1..whole.len() {
        let path = write_file(&directory.path().join("cut.jar"), &whole[..length]);
        let class_path = ClassPath::parse([&path]).unwrap();
        let Ok((program, problems)) = Program::open(&class_path, jdk(), &Cache::none()) else {
            assert!(length < last, "{length}: two entries are whole");
            continue;
        };
        assert!(!problems.is_empty(), "{length}: nothing is said");
        if length >= last {
            assert!(has(&program, "a/A") && has(&program, "b/Broken"), "{length}");
        }
        if length >= directory_start {
            assert!(has(&program, "c/C"), "{length}");
            let expected = "its end is missing, the archive was cut off; 3 entries could be read";
            assert_eq!(problems[0].to_string(), format!("`{}`: {expected}", path.display()));
        }
    }
}

#[test]
fn large_archives_are_read() {
    use std::io::Write;
    let directory = temporary();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.start_file("a/A.class", options.large_file(true)).unwrap();
    writer.write_all(&ClassBuilder::new("a/A").build()).unwrap();
    // More entries than the old end record can count.
    for number in 0..66_000 {
        writer.add_directory(format!("d{number}"), options).unwrap();
    }
    let jar = writer.finish().unwrap().into_inner();
    let (program, problems, _) = open_bytes(&directory, &jar);
    assert_eq!(problems, []);
    assert!(has(&program, "a/A"));
}

#[test]
fn a_class_in_the_wrong_place_is_told() {
    let directory = temporary();
    let jar = JarBuilder::new().deflated("a/Wrong.class", ClassBuilder::new("a/Right").build()).class("a/A").build();
    let (program, problems, path) = open_bytes(&directory, &jar);
    assert_eq!(problems, []);
    assert!(!has(&program, "a/Wrong") && has(&program, "a/A"));
    let expected = format!("`{}: a.Wrong` holds class `a.Right`", path.display());
    assert_eq!(program.problems()[0].to_string(), expected);
    assert_eq!(program.subtypes(ClassName::internal("a/A")), []);
}

#[test]
fn a_damaged_class_is_told_with_its_place() {
    let directory = temporary();
    let mut class = ClassBuilder::new("a/Cut").build();
    class.truncate(40);
    let jar = JarBuilder::new().deflated("a/Cut.class", class).class("a/A").build();
    let (program, _, path) = open_bytes(&directory, &jar);
    assert!(!has(&program, "a/Cut"));
    let problem = program.problems()[0].to_string();
    assert!(
        problem.starts_with(&format!("`{}: a.Cut`: class `?`: constant pool cannot be read at byte ", path.display())),
        "{problem}"
    );
}

#[test]
fn the_cache_is_used_and_made_anew_when_damaged() {
    let directory = temporary();
    let jar = JarBuilder::new()
        .class("a/A")
        .deflated("a/B.class", ClassBuilder::new("a/B").extends("a/A").build())
        .write(&directory.path().join("a.jar"));
    let cache = Cache::at(directory.path().join("cache"));
    let class_path = ClassPath::parse([&jar]).unwrap();
    let subtypes = |expected_problems: usize| {
        let (program, _) = Program::open(&class_path, jdk(), &cache).unwrap();
        assert_eq!(program.subtypes(ClassName::internal("a/A")), [ClassName::internal("a/B")]);
        let problems = program.problems();
        assert_eq!(problems.len(), expected_problems, "{problems:?}");
    };
    subtypes(0);
    let files = || std::fs::read_dir(cache.directory().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(files().count(), 2, "one for the jar, one for the JDK");
    subtypes(0);
    for file in files() {
        let mut content = std::fs::read(&file).unwrap();
        let middle = content.len() / 2;
        content[middle] ^= 0x55;
        std::fs::write(&file, content).unwrap();
    }
    subtypes(2);
    subtypes(0);
    assert_eq!(cache.clear().unwrap().files, 2);
    subtypes(0);
}

/// A JDK 8 as far as we look at it.
fn old_jdk(home: &Path) -> PathBuf {
    let mut builder = ClassBuilder::new("java/lang/Object");
    let source = builder.utf8("Object.java");
    let object = builder.attribute("SourceFile", &source.to_be_bytes()).build();
    JarBuilder::new()
        .deflated("java/lang/Object.class", object)
        .class("java/util/Base")
        .write(&home.join("jre/lib/rt.jar"));
    JarBuilder::new()
        .deflated("sun/ext/Sub.class", ClassBuilder::new("sun/ext/Sub").extends("java/util/Base").build())
        .write(&home.join("jre/lib/ext/sunext.jar"));
    write_file(&home.join("release"), b"JAVA_VERSION=\"1.8.0_392\"\nOS_NAME=\"Linux\"\n");
    home.to_owned()
}

#[test]
fn a_jdk_of_jars() {
    let directory = temporary();
    let jdk = Jdk::at(&old_jdk(&directory.path().join("jdk8"))).unwrap();
    assert_eq!((jdk.feature, jdk.version.as_str()), (8, "1.8.0_392"));
    let jar = JarBuilder::new()
        .deflated("app/App.class", ClassBuilder::new("app/App").extends("java/util/Base").build())
        .class("java/util/Base")
        .write(&directory.path().join("app.jar"));
    let (program, problems) = open_for(&[&jar], jdk);
    assert_eq!(problems, []);
    let base = ClassName::internal("java/util/Base");
    assert!(program.is_jdk(base) && !program.is_application_default(base));
    assert_eq!(program.subtypes(base), ["app/App", "sun/ext/Sub"].map(ClassName::internal));
    assert_eq!(program.jdk_classes(), ["java/lang/Object", "java/util/Base", "sun/ext/Sub"].map(ClassName::internal));
    assert!(program.origin(base).unwrap().to_string().ends_with("jre/lib/rt.jar"));
}

#[test]
fn what_is_no_jdk_is_explained() {
    let directory = temporary();
    let home = directory.path().join("not-a-jdk");
    let error = Jdk::find(Some(&home)).unwrap_err();
    assert_eq!(error.to_string(), format!("`{}` is not a JDK: there is no such directory", home.display()));
    assert!(error.hint().contains("lib/modules"));
    write_file(&home.join("lib/modules"), b"no image");
    let jdk = Jdk::find(Some(&home)).unwrap();
    let class_path = ClassPath::parse([directory.path()]).unwrap();
    let error = Program::open(&class_path, jdk, &Cache::none()).unwrap_err();
    assert!(error.to_string().ends_with("lib/modules`: it does not start like a JDK image"), "{error}");
}

#[test]
fn a_cut_archive_is_not_taken_for_one_inside_of_it() {
    let directory = temporary();
    let outer = JarBuilder::new()
        .class("app/Main")
        .stored("BOOT-INF/lib/inner.jar", JarBuilder::new().class("in/Inner").build())
        .class("app/Last")
        .build();
    let end_of_inner = find_entry(&outer, "app/Last.class").1;
    let (program, problems, _) = open_bytes(&directory, &outer[..end_of_inner]);
    assert!(problems[0].to_string().ends_with("the archive was cut off; 2 entries could be read"), "{problems:?}");
    assert_eq!(names(&program), ["app/Main", "in/Inner"]);
}

#[test]
fn unreadable_classes_are_told_from_the_cache_too() {
    let directory = temporary();
    let jar = JarBuilder::new().deflated("a/Wrong.class", ClassBuilder::new("a/Right").build()).class("a/A");
    let jar = jar.write(&directory.path().join("a.jar"));
    let cache = Cache::at(directory.path().join("cache"));
    let class_path = ClassPath::parse([&jar]).unwrap();
    for _ in 0..2 {
        let (program, _) = Program::open(&class_path, jdk(), &cache).unwrap();
        program.index_classes();
        let problems: Vec<String> = program.problems().iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [format!("`{}`: entry `a/Wrong.class` cannot be read: it holds class `a.Right`", jar.display())]
        );
    }
}

#[test]
fn a_program_is_shared_by_threads() {
    fn assert_shareable<T: Send + Sync>(_: &T) {}
    let directory = temporary();
    let jar = JarBuilder::new().class("a/A").write(&directory.path().join("a.jar"));
    let (program, _) = open(&[jar]);
    assert_shareable(&program);
    // Many at once ask for the index while the common pool is busy with them.
    use rayon::prelude::*;
    let counts: Vec<usize> =
        (0..16).into_par_iter().map(|_| program.subtypes(ClassName::internal("java/util/List")).len()).collect();
    assert!(counts[0] > 10 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn the_inventory_of_a_class_path() {
    let directory = temporary();
    let at = |name: &str| directory.path().join(name);
    let services = "# comment\na.First # the first\n\nb.Second\n";
    let first = JarBuilder::new()
        .manifest("Implementation-Version: 1.2.3")
        .class("a/First")
        .class("x/X")
        .deflated("META-INF/services/s.Service", services)
        .write(&at("first.jar"));
    let second = JarBuilder::new()
        .class("x/X")
        .deflated("META-INF/services/s.Service", "a.First\nc.Third")
        .write(&at("second.jar"));
    write_file(&at("classes/x/X.class"), &ClassBuilder::new("x/X").build());
    let (program, _) = open(&[first.clone(), second.clone(), at("classes")]);
    let containers = program.containers();
    assert_eq!(
        containers.iter().map(|container| &container.path).collect::<Vec<_>>(),
        [&first, &second, &at("classes")]
    );
    assert!(containers[0].manifest.contains(&("Implementation-Version".into(), "1.2.3".into())));
    assert_eq!(containers[0].packages, ["a", "x"]);
    let manifest = |class| program.manifest_at(&program.origin(ClassName::internal(class)).expect("it is there"));
    assert_eq!(manifest("a/First"), containers[0].manifest);
    assert_eq!(manifest("java/lang/Object"), []);
    assert_eq!((program.class_count(), program.classes().len()), (2, 2));
    let duplicates = program.duplicates();
    assert_eq!(duplicates.len(), 1);
    assert_eq!(duplicates[0].class, ClassName::internal("x/X"));
    let origins: Vec<String> = duplicates[0].origins.iter().map(ToString::to_string).collect();
    assert_eq!(origins, [&first, &second, &at("classes/x/X.class")].map(|path| path.display().to_string()));
    let providers = program.service_providers(ClassName::internal("s/Service"));
    assert_eq!(providers, ["a/First", "b/Second", "c/Third"].map(ClassName::internal));
    assert_eq!(program.resources("META-INF/services/none").len(), 0);
}

#[test]
fn resources_beside_a_class_are_those_of_its_own_archive_or_package() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    let first = JarBuilder::new()
        .class("a/First")
        .deflated("b/names.properties", "x=y")
        .deflated("c/long.properties", "longer than asked for")
        .deflated("b/other.txt", "x")
        .write(&at("first.jar"));
    let second = JarBuilder::new().class("b/Second").deflated("d/more.properties", "z=z").write(&at("second.jar"));
    write_file(&at("classes/x/X.class"), &ClassBuilder::new("x/X").build());
    write_file(&at("classes/x/own.properties"), b"own=1");
    write_file(&at("classes/y/others.properties"), b"others=1");
    let (program, _) = open(&[first, second, at("classes")]);
    let beside = |classes: &[&str]| {
        let classes: Vec<ClassName> = classes.iter().map(|name| ClassName::internal(name)).collect();
        let found = program.resources_beside(&classes, ".properties", 10);
        found.iter().map(|(_, content)| String::from_utf8_lossy(content).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(beside(&["a/First", "a/First"]), ["x=y"]);
    assert_eq!(beside(&["x/X"]), ["own=1"]);
    assert_eq!(beside(&["b/Second", "a/First", "none/Of"]), ["z=z", "x=y"]);
}
