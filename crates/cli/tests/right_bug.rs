//! Another bug with the same stack is not this one: messages of causes, values in messages, the fixed build, fragments.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::{Path, PathBuf};
use support::{Ended, end, lock_up, reenact};

/// The service wraps whatever happens in the same words; codes of up to three letters have no rate.
const SERVICE: &str = "\
package shop;
public class Service {
    public int total(String code) {
        try {
            return Rates.rate(code);
        } catch (RuntimeException e) {
            throw new ServiceException(\"cannot load order\", e);
        }
    }
}
";
const RATES: &str = "\
package shop;
public class Rates {
    public static int rate(String code) {
        if (code.length() < 4) {
            throw new IllegalStateException(\"no rate for \" + code);
        }
        return 1;
    }
    private static char hidden(String code) {
        return code.charAt(code.length());
    }
}
";
const EXCEPTION: &str = "\
package shop;
public class ServiceException extends RuntimeException {
    public ServiceException(String message, Throwable cause) {
        super(message, cause);
    }
}
";

fn log(cause: &str) -> String {
    format!(
        "shop.ServiceException: cannot load order\n\tat shop.Service.total(Service.java:7)\n\
         Caused by: java.lang.IllegalStateException: {cause}\n\tat shop.Rates.rate(Rates.java:5)\n\
         \tat shop.Service.total(Service.java:5)\n"
    )
}

struct Shop {
    directory: tempfile::TempDir,
}

impl Shop {
    fn open() -> Shop {
        let shop = Shop { directory: tempfile::tempdir().unwrap() };
        shop.compile("program", &[("Service", SERVICE), ("Rates", RATES), ("ServiceException", EXCEPTION)]);
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn compile(&self, version: &str, sources: &[(&str, &str)]) -> PathBuf {
        let classes = self.path(version);
        let home =
            program::Jdk::find(None).expect("the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`").home;
        #[expect(clippy::disallowed_methods, reason = "the test needs programs of its own")]
        let mut javac = std::process::Command::new(home.join("bin/javac"));
        javac.args(["-g", "-d"]).arg(&classes);
        for (name, text) in sources {
            let source = self.path(&format!("{version}-sources")).join(format!("{name}.java"));
            std::fs::create_dir_all(source.parent().unwrap()).unwrap();
            std::fs::write(&source, text).unwrap();
            javac.arg(source);
        }
        assert!(javac.status().unwrap().success());
        classes
    }

    fn reproduce(&self, log: &str, candidates: &str, more: &[&Path]) -> Ended {
        let crash = self.path("crash.log");
        std::fs::write(&crash, log).unwrap();
        let mut command = reenact();
        command.arg(crash).arg("-c").arg(self.path("program")).args(["--json", "--candidates", candidates, "--out"]);
        command.arg(self.path("out")).args(more).args(lock_up());
        end(&mut command)
    }
}

#[test]
fn a_wrapped_exception_is_the_one_of_the_log_with_its_cause() {
    let shop = Shop::open();
    for (cause, grade, message, told) in [
        ("no rate for v-7", "full-stack+message", "exact", None),
        ("no rate for anything", "full-stack~message", "template", Some("instead of `no rate for anything`")),
        ("the rates are closed", "full-stack", "other", Some("instead of `the rates are closed`")),
    ] {
        let ended = shop.reproduce(&log(cause), "1000", &[]);
        let result = ended.result();
        assert_eq!((&result["grade"], &result["message"]), (&grade.into(), &message.into()), "{result}");
        assert_eq!(ended.code(), Some(0), "{result}");
        let source = result["source"].as_str().unwrap();
        match told {
            // What is right ends the search; what is not goes on to the end.
            None => assert!(result["candidates"].as_u64().unwrap() < 1000 && source.contains("Reproduces"), "{result}"),
            Some(told) => {
                assert_eq!(result["candidates"], 1000, "{result}");
                assert!(source.contains(told) && source.contains("Throws shop.ServiceException"), "{source}");
                assert!(result["differences"][0].as_str().unwrap().contains(told), "{result}");
            }
        }
        let written = std::fs::read_to_string(result["test"].as_str().unwrap()).unwrap();
        assert_eq!(written, source);
        assert_eq!(result["schema"], 2);
        assert_eq!(result["frames"], serde_json::json!({ "matched": 1, "of": 1, "reachable": 1 }));
        assert_eq!(result["exception"]["causes"][0]["message"], cause);
        assert_eq!(result["thrown"]["class"], "shop.ServiceException");
        assert!(result["version"].is_string() && result["jdk"].is_string(), "{result}");
    }
}

#[test]
fn the_crash_is_gone_in_the_fixed_build_or_it_is_not_reproduced() {
    let shop = Shop::open();
    let mended = RATES.replace("throw new IllegalStateException(\"no rate for \" + code);", "return 0;");
    let stricter = RATES.replace("if (code", "if (code.isEmpty()) return 0; if (true) throw new Error(code); if (code");
    let renamed = SERVICE.replace("total(", "sum(");
    for (version, service, rates, fixed, code, grade) in [
        ("passes", SERVICE, mended.as_str(), "passes", 0, "full-stack+message+fixed"),
        ("changed", SERVICE, stricter.as_str(), "changed", 0, "full-stack+message"),
        ("same", SERVICE, RATES, "same-crash", 1, "full-stack+message"),
        ("renamed", renamed.as_str(), RATES, "does-not-compile", 1, "full-stack+message"),
    ] {
        let build = shop.compile(version, &[("Service", service), ("Rates", rates), ("ServiceException", EXCEPTION)]);
        let ended = shop.reproduce(&log("no rate for v-7"), "400", &[Path::new("--fixed"), &build]);
        let result = ended.result();
        assert_eq!((&result["fixed"], &result["grade"]), (&fixed.into(), &grade.into()), "{version}: {result}");
        assert_eq!(ended.code(), Some(code), "{version}: {result}");
        assert_eq!(result["reason"].is_null(), code == 0, "{version}: {result}");
        if code == 1 {
            assert_eq!(result["candidates"], 400, "it is searched on: {result}");
            assert_eq!(result["reason"]["code"], "on-fixed", "{result}");
        }
    }
}

#[test]
fn what_only_reflection_can_enter_is_a_fragment() {
    let shop = Shop::open();
    let log = "java.lang.StringIndexOutOfBoundsException: String index out of range: 0\n\
         \tat java.lang.String.charAt(String.java:1)\n\tat shop.Rates.hidden(Rates.java:10)\n";
    let ended = shop.reproduce(log, "300", &[]);
    let result = ended.result();
    assert!(result["grade"].as_str().unwrap().starts_with("full-stack"), "{result}");
    assert!(result["flags"].as_array().unwrap().contains(&"fragment".into()), "{result}");
    assert_eq!(ended.code(), Some(1), "{result}");
    assert!(result["reason"]["text"].as_str().unwrap().contains("`shop.Rates.hidden`"), "{result}");
    assert!(result["source"].as_str().unwrap().contains("A fragment: it enters shop.Rates.hidden"), "{result}");
}

/// The test's own package may be what `--application` matches; a handle leaves no frame between the test and what it enters.
#[test]
fn a_fragment_is_one_whatever_counts_as_the_application() {
    let shop = Shop::open();
    let log = shop.path("hidden.log");
    let text = "java.lang.StringIndexOutOfBoundsException: index 0, length 0\n\tat shop.Rates.hidden(Rates.java:10)\n";
    std::fs::write(&log, text).unwrap();
    let by_reflection = "java.lang.reflect.Method hidden = Rates.class.getDeclaredMethod(\"hidden\", String.class);
         hidden.setAccessible(true);
         try { hidden.invoke(null, \"\"); } catch (java.lang.reflect.InvocationTargetException e) { throw e.getCause(); }";
    let by_handle = "java.lang.reflect.Method hidden = Rates.class.getDeclaredMethod(\"hidden\", String.class);
         hidden.setAccessible(true);
         java.lang.invoke.MethodHandles.lookup().unreflect(hidden).invoke(\"\");";
    for body in [by_reflection, by_handle] {
        let test = shop.path("HiddenTest.java");
        let source = format!(
            "package shop;\npublic class HiddenTest {{\n public static void main(String[] a) throws Throwable {{ {body} }}\n}}\n"
        );
        std::fs::write(&test, source).unwrap();
        for application in ["", r"shop\.Rates", r"shop\..*"] {
            let mut command = reenact();
            command.arg("confirm").args([&test, &log]).arg("-c").arg(shop.path("program"));
            command.args(["--json", "--runs", "1"]).args(lock_up());
            if !application.is_empty() {
                command.args(["--application", application]);
            }
            let ended = end(&mut command);
            let result = ended.result();
            assert!(result["grade"].as_str().unwrap().starts_with("full-stack"), "{application}: {result}");
            assert!(result["flags"].as_array().unwrap().contains(&"fragment".into()), "{application}: {body} {result}");
            assert_eq!(ended.code(), Some(1), "{application}: {result}");
        }
    }
}

#[test]
fn a_log_that_does_not_name_the_exception_is_not_reproduced_in_full() {
    let shop = Shop::open();
    let nameless = "\tat shop.Rates.rate(Rates.java:5)\n\tat shop.Service.total(Service.java:5)\n";
    let ended = shop.reproduce(nameless, "1000", &[]);
    let result = ended.result();
    assert_eq!(
        (&result["grade"], &result["reason"]["code"]),
        (&"frames 2/2".into(), &"exception-not-named".into()),
        "{result}"
    );
    assert_eq!(ended.code(), Some(1), "{result}");
    assert!(result["candidates"].as_u64().unwrap() < 1000, "nothing is left to look for: {result}");
    assert!(result["source"].as_str().unwrap().contains("the log does not say which exception it is"), "{result}");
}

#[test]
fn scripts_read_why_it_could_not_run() {
    for args in [&["no-such.log", "-c", ".", "--json"][..], &["check", "--no-such-option", "--json"]] {
        let ended = end(reenact().args(args));
        let error = ended.result();
        assert_eq!(ended.code(), Some(2), "{error}");
        assert_eq!((&error["schema"], &error["event"]), (&2.into(), &"error".into()), "{error}");
        assert!(error["message"].as_str().unwrap().contains("no-such"), "{error}");
        assert!(error["hint"].is_string() && ended.stderr.starts_with("error: "), "{error} {}", ended.stderr);
    }
}
