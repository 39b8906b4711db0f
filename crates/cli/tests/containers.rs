//! As in a container with the usual profile: no namespaces, no mounts. `contained.c` takes them away.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::{Ended, Program, end};

const CRASH: &str = "if (n > 3) { throw new IllegalStateException(\"too many: \" + n); }";

/// Whatever it is called with, it tries what a container alone would not stop.
const ATTACKS: &str = "static { String victim = System.getProperty(\"victim\").substring(1);
  attack(() -> java.nio.file.Files.write(java.nio.file.Path.of(victim, \"precious\"), new byte[1]));
  attack(() -> java.nio.file.Files.deleteIfExists(java.nio.file.Path.of(victim, \"precious\")));
  attack(() -> java.nio.file.Files.setPosixFilePermissions(java.nio.file.Path.of(victim, \"precious\"), java.util.Set.of()));
  attack(() -> java.nio.file.Files.createFile(java.nio.file.Path.of(victim, \"new\")));
  attack(() -> new ProcessBuilder(\"/bin/touch\", victim + \"/touched\").start().waitFor());
  attack(() -> new java.net.Socket(\"127.0.0.1\", Integer.getInteger(\"port\")));
  attack(() -> { throw new Error(new String(java.nio.file.Files.readAllBytes(java.nio.file.Path.of(victim, \"precious\")))); });
 }
 static void attack(java.util.concurrent.Callable<?> attack) {
  try { attack.call(); } catch (Throwable e) { if (e instanceof Error) throw (Error) e; } }";

#[expect(clippy::disallowed_methods, reason = "the compiler that links the tests themselves")]
fn container(place: &Path) -> PathBuf {
    let (source, program) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contained.c"), place.join("contained"));
    let compiled = Command::new("cc").arg("-o").arg(&program).arg(source).status();
    assert!(compiled.is_ok_and(|status| status.success()), "`cc`, which links Rust programs, is needed");
    program
}

#[expect(clippy::disallowed_methods, reason = "the tests start the tool itself")]
fn contained(container: &Path) -> Command {
    let mut command = Command::new(container);
    command.arg(env!("CARGO_BIN_EXE_reenact"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn kept(ended: &Ended) -> Vec<(String, bool)> {
    let result = ended.result();
    let promises = result["sandbox"]["promises"].as_array().unwrap().clone();
    promises.iter().map(|it| (it["promise"].as_str().unwrap().to_owned(), it["kept"] == true)).collect()
}

#[test]
fn a_container_keeps_all_promises_but_that_of_the_disk() {
    let program = Program::new(ATTACKS, CRASH);
    let container = container(program.directory.path());
    let promised = kept(&end(contained(&container).args(["doctor", "--json"])));
    if !promised.iter().any(|(name, kept)| name == "reading" && *kept) {
        // Without landlock in the kernel a container has nothing to lock up with.
        return;
    }
    let lost: Vec<&str> = promised.iter().filter(|(_, kept)| !kept).map(|(name, _)| name.as_str()).collect();
    assert_eq!(lost, ["disk"]);
    let victim = program.path("victim");
    std::fs::create_dir(&victim).unwrap();
    std::fs::write(victim.join("precious"), "precious").unwrap();
    let mode =
        |file: &str| std::os::unix::fs::PermissionsExt::mode(&victim.join(file).metadata().unwrap().permissions());
    let before = mode("precious");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let told = [
        format!("--jvm-arg=-Dport={}", listener.local_addr().unwrap().port()),
        // What an option names may be read, so it is told in two parts.
        format!("--jvm-arg=-Dvictim=.{}", victim.display()),
    ];
    let test = program.path("ShopTest.java");
    std::fs::write(&test, "public class ShopTest {\n public static void main(String[] a) { app.Shop.total(7); }\n}\n")
        .unwrap();
    for job in ["confirm", "reproduce"] {
        let mut command = contained(&container);
        match job {
            "confirm" => command.args(["confirm", "--runs", "1"]).arg(&test).arg(program.path("crash.log")),
            _ => command
                .arg(program.path("crash.log"))
                .args(["--candidates", "2000", "--junit", "main", "-o"])
                .arg(program.path("out")),
        };
        command.arg("-c").arg(program.path("classes")).args(["--json"]).args(&told).env("TMPDIR", program.path("tmp"));
        let ended = end(command.current_dir("/"));
        assert_eq!(ended.code(), Some(0), "{job}: {}{}", ended.stdout, ended.stderr);
        assert!(ended.result()["grade"].as_str().unwrap().starts_with("full-stack"), "{}", ended.stdout);
        let warnings: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
        assert!(
            matches!(warnings[..], [one] if one.contains("not promised here: its files are in memory")),
            "{warnings:?}"
        );
        assert_eq!(std::fs::read(victim.join("precious")).unwrap(), b"precious", "{job}");
        assert_eq!((mode("precious"), victim.read_dir().unwrap().count()), (before, 1), "{job}");
        assert!(listener.accept().is_err(), "{job} reached a port");
    }
    program.assert_no_temporary_files();
}
