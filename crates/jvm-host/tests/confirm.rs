//! Hand-written tests through `confirm`.

use jvm_host::confirm::{ConfirmOptions, Setting, TestFile, confirm};
use program::{Cache, ClassPath, Jdk, Program};
use std::path::Path;

#[test]
fn smoke() {
    let dir = tempfile::tempdir().unwrap();
    let jdk = Jdk::find(None).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/confirm/program/org/acme");
    #[expect(clippy::disallowed_methods)]
    let ok = std::process::Command::new(jdk.home.join("bin/javac"))
        .arg("-d")
        .arg(dir.path())
        .arg(sources.join("Ledger.java"))
        .arg(sources.join("ReportFailed.java"))
        .status()
        .unwrap();
    assert!(ok.success());
    let class_path = ClassPath::parse([dir.path()]).unwrap();
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
    let text = "import org.junit.Test; public class LedgerTest { @Test public void t() { org.acme.Ledger l = new org.acme.Ledger(); l.add(-1); l.report(); } }";
    let test = [TestFile { path: "LedgerTest.java".into(), text: text.into() }];
    let c =
        confirm(&test, &Setting { class_path: &class_path, program: &program }, &ConfirmOptions::default()).unwrap();
    println!("{c:#?}");
    let c = confirm(
        &test,
        &Setting { class_path: &class_path, program: &program },
        &ConfirmOptions { maven_repository: None, runs: 1, ..ConfirmOptions::default() },
    )
    .unwrap();
    println!("{c:#?}");
}
