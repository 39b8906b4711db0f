//! Real classes in bulk: everything is spliced with all probes and must still be accepted by the verifier.

#![allow(clippy::unwrap_used, reason = "a failed test is what a panic means here")]

use splice::{ProbeIds, SplicePlan, SpliceReport, splice};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use testing::{Jdk, class_path, fixtures, host_classes, jar, jdks, run};

type Classes = Vec<(String, Vec<u8>)>;

/// Some of each kind of compiler and age; `REENACT_ALL_JARS` takes all jars there are.
fn corpus_jars() -> Vec<PathBuf> {
    if std::env::var_os("REENACT_ALL_JARS").is_some() {
        return all_jars(&testing::jars());
    }
    let coordinates = [
        "ant:ant:1.6.2",
        "commons-collections:commons-collections:3.1",
        "log4j:log4j:1.2.8",
        "com.google.guava:guava:33.4.8-jre",
        "org.jetbrains.kotlin:kotlin-stdlib:1.9.10",
        "org.scala-lang:scala-library:2.13.9",
        "org.apache.groovy:groovy:4.0.5",
        "com.h2database:h2:2.4.240",
    ];
    coordinates.iter().map(|coordinates| jar(coordinates)).collect()
}

fn all_jars(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(all_jars(&path));
        } else if path.extension().is_some_and(|extension| extension == "jar") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn dump(jdk: &Jdk, from: &str) -> Classes {
    let file = tempfile::NamedTempFile::new().unwrap();
    run(jdk.java().arg("-cp").arg(fixtures()).args(["Corpus", "dump"]).arg(file.path()).arg(from));
    read_classes(&std::fs::read(file.path()).unwrap())
}

fn read_classes(mut bytes: &[u8]) -> Classes {
    let mut classes = Vec::new();
    while !bytes.is_empty() {
        let (len, rest) = bytes.split_at(2);
        let (name, rest) = rest.split_at(u16::from_be_bytes(len.try_into().unwrap()).into());
        let (len, rest) = rest.split_at(4);
        let (class, rest) = rest.split_at(u32::from_be_bytes(len.try_into().unwrap()) as usize);
        classes.push((String::from_utf8(name.to_vec()).unwrap(), class.to_vec()));
        bytes = rest;
    }
    classes
}

fn write_classes(classes: &Classes) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, class) in classes {
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(name.as_bytes());
        out.extend((class.len() as u32).to_be_bytes());
        out.extend(class);
    }
    out
}

/// Everything but what must be refused, spliced with all probes; the sums of the reports.
fn splice_all(classes: &Classes) -> (Classes, SpliceReport) {
    let (mut ids, mut sum) = (ProbeIds::default(), SpliceReport::default());
    let plan = SplicePlan::full();
    let mut spliced = Vec::new();
    for (name, class) in classes {
        if name == "java/lang/Object" {
            assert!(splice(class, &plan, &mut ids).is_err());
            continue;
        }
        let done = splice(class, &plan, &mut ids).unwrap_or_else(|error| panic!("{name}: {error}"));
        sum.methods += done.report.methods;
        sum.probes += done.report.probes;
        sum.reduced.extend(done.report.reduced);
        spliced.push((name.clone(), done.bytes));
    }
    (spliced, sum)
}

/// Class name to `ok` or the reason of the refusal.
fn link(jdk: &Jdk, classes: &Classes, class_path: &std::ffi::OsStr) -> BTreeMap<String, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), write_classes(classes)).unwrap();
    let mut java = jdk.java();
    java.arg(boot_append()).arg("-cp").arg(class_path).args(["-Xverify:all", "-Xshare:off"]);
    results(&run(java.args(["Corpus", "link"]).arg(file.path())))
}

fn boot_append() -> String {
    format!("-Xbootclasspath/a:{}", host_classes().display())
}

fn results(text: &str) -> BTreeMap<String, String> {
    let pair = |line: &str| line.split_once('\t').map(|(name, result)| (name.to_owned(), result.to_owned()));
    text.lines().filter_map(pair).collect()
}

fn assert_same_results(what: &str, before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) {
    let worse: Vec<_> = before
        .iter()
        .filter(|(name, result)| *result == "ok" && after.get(*name).map(String::as_str) != Some("ok"))
        .map(|(name, _)| (name, after.get(name)))
        .collect();
    assert!(
        worse.is_empty(),
        "{what}: {} of {} classes got worse: {:#?}",
        worse.len(),
        before.len(),
        &worse[..worse.len().min(5)]
    );
    assert!(
        before.values().filter(|result| *result == "ok").count() > before.len() / 2,
        "{what}: hardly anything links at all"
    );
}

#[test]
fn jars_link_after_splicing() {
    let jdk = jdks().pop().unwrap();
    for jar in corpus_jars() {
        let classes = dump(&jdk, &jar.to_string_lossy());
        if classes.iter().filter(|(_, class)| is_too_new(class, &jdk)).count() > classes.len() / 2 {
            // Old JDKs do not read it at all.
            continue;
        }
        let (spliced, report) = splice_all(&classes);
        let path = class_path(&[fixtures(), &jar]);
        let (before, after) = (link(&jdk, &classes, &path), link(&jdk, &spliced, &path));
        let name = jar.file_name().unwrap().to_string_lossy();
        println!(
            "{name}: {} classes, {} methods, {} probes, reduced {:?}",
            classes.len(),
            report.methods,
            report.probes,
            report.reduced
        );
        assert_same_results(&name, &before, &after);
    }
}

/// Java 8 has version 52, and each later one the next.
fn is_too_new(class: &[u8], jdk: &Jdk) -> bool {
    u32::from(u16::from_be_bytes([class[6], class[7]])) > jdk.major + 44
}

#[test]
fn the_jdk_boots_on_its_own_spliced_classes() {
    for jdk in jdks().iter().filter(|jdk| jdk.major >= 9) {
        let classes = dump(jdk, "module:java.base");
        let (spliced, report) = splice_all(&classes);
        let patch = tempfile::tempdir().unwrap();
        for (name, bytes) in &spliced {
            let file = patch.path().join(format!("{name}.class"));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
        copy_host_classes(patch.path());
        let names = patch.path().join("names");
        let list: Vec<String> = classes.iter().map(|(name, _)| name.replace('/', ".")).collect();
        std::fs::write(&names, list.join("\n")).unwrap();
        let link = |options: &[String]| {
            let mut java = jdk.java();
            java.args(options).args(["-Xverify:all", "-Xshare:off", "-Xms1g", "-Xmn512m", "-cp"]).arg(fixtures());
            results(&run(java.args(["Corpus", "link-module"]).arg(&names)))
        };
        println!(
            "java.base {}: {} classes, {} probes, reduced {:?}",
            jdk.major,
            classes.len(),
            report.probes,
            report.reduced
        );
        let patched = link(&["--patch-module".into(), format!("java.base={}", patch.path().display())]);
        assert_same_results("java.base", &link(&[]), &patched);
    }
}

/// Into the patched module itself, which cannot see the class path behind it.
fn copy_host_classes(to: &Path) {
    let package = to.join("reenact/host");
    std::fs::create_dir_all(&package).unwrap();
    for entry in std::fs::read_dir(host_classes().join("reenact/host")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, package.join(path.file_name().unwrap())).unwrap();
    }
}
