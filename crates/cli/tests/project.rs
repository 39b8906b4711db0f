//! In a project nobody types a class path: Maven itself is asked, a test goes where the project has its own.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Ended, end, jdks, lock_up, reenact};

const PRICES: &str = "package com.acme.core;\npublic class Prices {\n    public static int parse(String text) {\n        if (text.isEmpty()) {\n            throw new IllegalArgumentException(\"no price\");\n        }\n        return text.length();\n    }\n}\n";
const CART: &str = "package com.acme.web;\npublic class Cart {\n    public int total(String price) {\n        return com.acme.core.Prices.parse(price);\n    }\n}\n";
const CRASH: &str = "java.lang.IllegalArgumentException: no price\n\tat com.acme.core.Prices.parse(Prices.java:5)\n\tat com.acme.web.Cart.total(Cart.java:4)\n";

/// Two modules of one project, compiled as Maven would.
struct Shop {
    directory: tempfile::TempDir,
}

impl Shop {
    fn new() -> Shop {
        let shop = Shop { directory: tempfile::tempdir().unwrap() };
        let coordinates = |artifact: &str| {
            format!("<groupId>com.acme</groupId><artifactId>{artifact}</artifactId><version>1</version>")
        };
        shop.write("pom.xml", &format!("<project><modelVersion>4.0.0</modelVersion>{}<packaging>pom</packaging><modules><module>core</module><module>web</module></modules></project>", coordinates("all")));
        let module = |name: &str, needs: &str| {
            let pom = format!(
                "<project><modelVersion>4.0.0</modelVersion><parent>{}</parent><artifactId>{name}</artifactId>{needs}</project>",
                coordinates("all")
            );
            shop.write(&format!("{name}/pom.xml"), &pom);
        };
        module("core", "");
        module("web", &format!("<dependencies><dependency>{}</dependency></dependencies>", coordinates("core")));
        shop.write("crash.log", CRASH);
        shop
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    #[expect(clippy::disallowed_methods, reason = "the tests run Java")]
    fn compile(&self) {
        for (module, class, text) in [("core", "com/acme/core/Prices", PRICES), ("web", "com/acme/web/Cart", CART)] {
            let source = format!("{module}/src/main/java/{class}.java");
            self.write(&source, text);
            let mut javac = Command::new(jdks()[0].join("bin/javac"));
            javac.args(["-g", "--release", "11", "-cp"]).arg(self.path("core/target/classes"));
            javac.arg("-d").arg(self.path(&format!("{module}/target/classes"))).arg(self.path(&source));
            assert!(javac.status().unwrap().success());
        }
    }

    fn run(&self, directory: &str, args: &[&str]) -> Ended {
        let mut command = reenact();
        command.args(args).current_dir(self.path(directory)).env("REENACT_CACHE", self.path("cache"));
        end(&mut command)
    }

    fn reproduce(&self, directory: &str, args: &[&str]) -> Ended {
        let crash = self.path("crash.log");
        let common = [&[crash.to_str().unwrap(), "--json", "--junit", "main"], lock_up()].concat();
        self.run(directory, &[&common[..], args].concat())
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn maven_is_asked_for_the_class_path_of_the_module() {
    let shop = Shop::new();
    shop.compile();
    let found = shop.reproduce("web", &["-o", "out"]);
    assert_eq!(found.code(), Some(0), "{}{}", found.stdout, found.stderr);
    assert!(found.stderr.contains("asking Maven for the class path: mvn -q -o test-compile"), "{}", found.stderr);
    let result = found.result();
    assert_eq!(result["frames"]["matched"], 2, "{result}");
    let command = result["project_command"].as_str().unwrap();
    assert!(command.contains("mvn test -pl web -am") && command.ends_with("-Dtest=PricesCrashTest"), "{command}");
    // Known by now, whoever asks.
    let beside = format!("../pom.xml:{}", shop.path("cache").display());
    let named = ["check", "../crash.log", "-c", "../pom.xml"];
    for args in [&["check", "../crash.log"][..], &named, &["check", "../crash.log", "-c", &beside]] {
        let checked = shop.run("core", args);
        assert_eq!(checked.code(), Some(0), "{}{}", checked.stdout, checked.stderr);
        assert!(!checked.stderr.contains("asking"), "{}", checked.stderr);
        assert!(checked.stdout.contains("2 of 2 application frames bound"), "{}", checked.stdout);
    }
}

#[test]
fn a_test_goes_into_the_sources_and_nothing_of_others_is_lost() {
    let shop = Shop::new();
    shop.compile();
    let into_tests = || shop.reproduce(".", &["--into-tests", "--no-build"]);
    let found = into_tests();
    assert_eq!(found.code(), Some(0), "{}{}", found.stdout, found.stderr);
    let test = shop.path("web/src/test/java/com/acme/core/PricesCrashTest.java");
    assert!(read(&test).starts_with("package com.acme.core;\n"), "{}", read(&test));
    let result = found.result();
    assert_eq!(result["test"], "web/src/test/java/com/acme/core/PricesCrashTest.java");
    assert_eq!(result["command"], result["project_command"]);
    assert!(result["command"].as_str().unwrap().ends_with("-Dtest=com.acme.core.PricesCrashTest"), "{result}");
    std::fs::write(&test, "// mine now\n").unwrap();
    let again = into_tests().result();
    assert_eq!(again["test"], "web/src/test/java/com/acme/core/PricesCrashTest2.java");
    assert_eq!(read(&test), "// mine now\n");
}

/// Maven would take another JDK by itself.
#[test]
fn the_command_for_the_project_names_a_jdk_that_is_not_the_usual_one() {
    let usual = program::Jdk::find(None).expect("the tests need a JDK: set JAVA_HOME, or see `cargo xtask test`");
    let able = |jdk: &program::Jdk| jdk.has_compiler() && jdk.home != usual.home;
    let Some(other) = program::Jdk::list().into_iter().find(able) else {
        eprintln!("skipped: there is one JDK only");
        return;
    };
    let shop = Shop::new();
    shop.compile();
    let home = other.home.to_str().unwrap();
    let result = shop.reproduce(".", &["-o", "out", "--no-build", "--jdk", home]).result();
    let command = result["project_command"].as_str().unwrap_or_else(|| panic!("{result}"));
    assert!(command.starts_with(&format!("JAVA_HOME={home} mvn test ")), "{command}");
}

#[test]
fn what_it_is_about_is_said_first() {
    let shop = Shop::new();
    shop.compile();
    shop.write("web/target/test-classes/x.txt", "");
    shop.write(
        "two.log",
        &format!("java.lang.Error: x\n\tat java.util.Optional.get(Optional.java:9)\n\nand then\n{CRASH}"),
    );
    let said = |args: &[&str]| {
        let common = [&["two.log", "--no-build", "--junit", "main", "-o", "out"], lock_up()].concat();
        let ended = shop.run(".", &[&common[..], args].concat());
        assert_eq!(ended.code(), Some(0), "{}{}", ended.stdout, ended.stderr);
        ended.stderr
    };
    let usual = said(&[]);
    for line in [
        "crash    two.log, line 5 (trace 2 of 2)\n         java.lang.IllegalArgumentException: no price\n         \
         2 frames of the application, com.acme.core.Prices.parse to com.acme.web.Cart.total\n",
        "program  2 class directories, 2 classes; Maven module com.acme:web in web\ntests    1 directory or jar to learn from\nJDK      ",
        "confirmed in a fresh JVM: full-stack+message",
    ] {
        assert!(usual.contains(line), "{line}: {usual}");
    }
    assert!(!usual.contains("\nframe "), "{usual}");
    let verbose = said(&["-v"]);
    assert!(
        verbose.contains("\nframe    com.acme.web.Cart.total(Cart.java:4)\n") && verbose.contains("\npath "),
        "{verbose}"
    );
    let quiet = said(&["-q"]);
    assert!(!quiet.contains("crash ") && !quiet.contains("confirmed"), "{quiet}");
}

#[test]
fn what_is_missing_is_said() {
    let shop = Shop::new();
    let refused = |directory: &str, args: &[&str], what: &[&str]| {
        let ended = shop.run(directory, args);
        assert_eq!(ended.code(), Some(2), "{}{}", ended.stdout, ended.stderr);
        assert!(what.iter().all(|what| ended.stderr.contains(what)), "{}", ended.stderr);
    };
    let crash = shop.path("crash.log");
    let crash = crash.to_str().unwrap();
    refused("web", &["check", crash], &["is not compiled", "hint: compile the project first: `mvn test-compile`"]);
    refused("web", &[crash], &["is not compiled", "`mvn test-compile`"]);
    shop.write("elsewhere.log", "java.lang.Error\n\tat org.other.Main.main(Main.java:1)\n");
    shop.compile();
    refused(".", &["check", "elsewhere.log", "--no-build"], &["no module of the project", "`com.acme:web`"]);
    let classes = shop.path("core/target/classes");
    refused(".", &[crash, "-c", classes.to_str().unwrap(), "--into-tests"], &["`--into-tests` needs a project"]);
    shop.write("broken/pom.xml", "<project>");
    refused("broken", &["check", crash], &["broken/pom.xml` cannot be read as a build file", "hint: "]);
}

/// A link in a checkout, or its build file, may name any directory of the user's as that of its tests or classes.
#[test]
#[cfg(unix)]
fn a_checkout_leads_nowhere_else() {
    let shop = Shop::new();
    shop.compile();
    std::fs::create_dir_all(shop.path("web/src/test")).unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), shop.path("web/src/test/java")).unwrap();
    let refused = shop.reproduce(".", &["--into-tests", "--no-build"]);
    assert_eq!(refused.code(), Some(2), "{}{}", refused.stdout, refused.stderr);
    assert!(
        refused.stderr.contains("lead out of the project") && refused.stderr.contains("`--out`"),
        "{}",
        refused.stderr
    );
    assert_eq!(outside.path().read_dir().unwrap().count(), 0);
    // Classes elsewhere are not opened, and it is said.
    std::fs::rename(shop.path("web/target/classes"), outside.path().join("classes")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("classes"), shop.path("web/target/classes")).unwrap();
    let ended = shop.run(".", &["check", "crash.log", "--no-build"]);
    assert!(ended.stderr.contains("web/target/classes` leads out of the project"), "{}{}", ended.stdout, ended.stderr);
}
