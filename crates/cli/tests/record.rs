//! A program is recorded, the recording shown, redacted, and taken for a crash.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::Path;
use support::{end, reenact};

const PROGRAM: &str = "package shop;
public class Orders {
    public static void main(String[] args) {
        System.out.println(\"start\");
        System.out.println(new Orders().price(args[0]));
    }
    int price(String name) {
        if (name.length() > 3) {
            return look(name.replace('a', 'b'));
        }
        return 1;
    }
    private int look(String name) {
        throw new IllegalStateException(\"no price for \" + name);
    }
    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }
}
";

fn compile(directory: &Path) -> String {
    let source = directory.join("Orders.java");
    std::fs::write(&source, PROGRAM).unwrap();
    let classes = directory.join("classes");
    std::fs::create_dir(&classes).unwrap();
    testing::compile(&[source], &classes, &["--release", "8", "-Xlint:-options", "-g"]);
    classes.display().to_string()
}

#[test]
fn from_a_recorded_run_to_a_crash_that_fits() {
    let directory = tempfile::tempdir().unwrap();
    let classes = compile(directory.path());
    let recordings = directory.path().join("recordings");
    let java = testing::jdks()[0].home.join("bin/java");
    let record = |redact: &str| {
        let mut command = reenact();
        command.args(["record", "--level", "hard", "--redact", redact, "--maxsize", "2m", "-o"]).arg(&recordings);
        command.arg("--").arg(&java).args(["-cp", &classes, "shop.Orders", "sesame"]);
        let ended = end(&mut command);
        assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
        assert_eq!(ended.stdout, "start\n");
        assert_eq!(ended.stderr.contains("WARNING: "), redact != "strict", "{}", ended.stderr);
        let mut files = std::fs::read_dir(&recordings).unwrap().map(|entry| entry.unwrap().path());
        let file = files.next().unwrap();
        assert_eq!(files.next(), None);
        file
    };

    let strict = record("strict");
    let shown = end(reenact().args(["recording", "show"]).arg(&strict));
    assert_eq!(shown.code(), Some(0), "{}", shown.stderr);
    for expected in [
        "level hard, redaction strict\n",
        "java.lang.IllegalStateException\n\tat shop.Orders.look(Orders.java:14)\n",
        "= a text of 6 characters\n",
        "  crash\n",
    ] {
        assert!(shown.stdout.contains(expected), "{expected}: {}", shown.stdout);
    }
    let checked = end(reenact().arg("check").arg(&strict).args(["-c", &classes]));
    assert_eq!(checked.code(), Some(0), "{}{}", checked.stdout, checked.stderr);
    assert!(checked.stdout.contains("fits: 3 of 3 application frames"), "{}", checked.stdout);
    std::fs::remove_file(strict).unwrap();

    let open = record("off");
    assert!(end(reenact().args(["recording", "show"]).arg(&open)).stdout.contains("no price for sesbme"));
    let clean = directory.path().join("clean.rec");
    let redacted = end(reenact().args(["recording", "redact"]).arg(&open).arg("-o").arg(&clean));
    assert_eq!(redacted.code(), Some(0), "{}", redacted.stderr);
    let shown = end(reenact().args(["recording", "show"]).arg(&clean)).stdout;
    assert!(shown.contains("redaction strict") && !shown.contains("sesbme"), "{shown}");
}

#[test]
fn the_plan_names_functions_and_reasons() {
    let directory = tempfile::tempdir().unwrap();
    let classes = compile(directory.path());
    let planned = end(reenact().args(["record", "--plan", "-c", &classes]));
    assert_eq!(planned.code(), Some(0), "{}", planned.stderr);
    for expected in
        ["java.lang.String.split  # a string operation that solvers lack\n", "shop.Orders.fibonacci(I)I  # recursion\n"]
    {
        assert!(planned.stdout.contains(expected), "{expected}: {}", planned.stdout);
    }
    assert!(!planned.stdout.contains("shop.Orders.price"), "{}", planned.stdout);
}

#[test]
fn what_cannot_be_recorded_or_read_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let text = directory.path().join("log.txt");
    std::fs::write(&text, "no recording").unwrap();
    let killed = directory.path().join("killed.live.rec");
    std::fs::write(&killed, recording::write(&recording::Recording::default())).unwrap();
    let [text, killed] = [text, killed].map(|path| path.display().to_string());
    let classes = compile(directory.path());
    for (args, names) in [
        (vec!["recording", "show", &text], "it is no recording"),
        (vec!["recording", "show", "/no/such/file"], "/no/such/file"),
        (vec!["check", &killed, "-c", &classes], "no crash was seen"),
        (vec!["record", "--maxsize", "much", "--", "java"], "`--maxsize much` is not a size"),
        (vec!["record", "-o", "a,b", "--", "java"], "a,b"),
        (vec!["record", "--", "/no/such/java"], "/no/such/java"),
    ] {
        let ended = end(reenact().args(&args));
        assert_eq!(ended.code(), Some(2), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains(names), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("\nhint: "), "{args:?}: {}", ended.stderr);
    }
}
