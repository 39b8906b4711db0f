//! Tests that earn a grade by what they do to the exception, and not by what the program does.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use support::{Program, end, jdks, lock_up, reenact};

const CRASH: &str = "if (n > 3) { throw new IllegalStateException(\"too many: \" + n); }";
/// Throws the same from another place, line 6; and as a program that replaces its own stacks.
const OTHER: &str = "

 public static int other(int n) { if (n > 3) { throw new IllegalStateException(\"too many: \" + n); } return n; }
 public static int told(int n) {
  try { return other(n); } catch (IllegalStateException e) {
   e.setStackTrace(new StackTraceElement[] {new StackTraceElement(\"app.Shop\", \"total\", \"Shop.java\", 3)}); throw e; } }";

/// Writes the exception down, changes what was written, and reads it back.
const DESERIALISED: &str = "
  try { app.Shop.other(7); } catch (IllegalStateException e) {
   java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
   new java.io.ObjectOutputStream(out).writeObject(e);
   String text = new String(out.toByteArray(), \"ISO-8859-1\").replace(\"\\u0000\\u0005other\", \"\\u0000\\u0005total\")
     .replace(\"\\u0000\\u0000\\u0000\\u0006\", \"\\u0000\\u0000\\u0000\\u0003\");
   throw (Throwable) new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(text.getBytes(\"ISO-8859-1\"))).readObject();
  }";

/// Calls what must not be named.
const BY_REFLECTION: &str = "
  try { app.Shop.other(7); } catch (IllegalStateException e) {
   StackTraceElement[] stack = e.getStackTrace();
   for (java.lang.reflect.Constructor<?> made : stack[0].getClass().getConstructors())
    if (made.getParameterCount() == 4)
     stack[0] = (StackTraceElement) made.newInstance(\"app.Shop\", \"total\", \"Shop.java\", 3);
   e.getClass().getMethod(\"setStack\" + \"Trace\", stack.getClass()).invoke(e, (Object) stack);
   throw e;
  }";

/// Another class of the same name, from a loader that does not look at the class path.
fn loaded(class: &[u8]) -> String {
    let hex = class.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    format!(
        "
  java.nio.file.Path place = java.nio.file.Files.createTempDirectory(\"x\").resolve(\"app\");
  java.nio.file.Files.createDirectories(place);
  byte[] bytes = new java.math.BigInteger(\"{hex}\", 16).toByteArray();
  java.nio.file.Files.write(place.resolve(\"Shop.class\"), java.util.Arrays.copyOfRange(bytes, 1, bytes.length));
  ClassLoader loader = new java.net.URLClassLoader(new java.net.URL[] {{ place.getParent().toUri().toURL() }}, null);
  try {{ loader.loadClass(\"app.Shop\").getMethod(\"total\", int.class).invoke(null, 7); }}
  catch (java.lang.reflect.InvocationTargetException e) {{ throw e.getCause(); }}"
    )
}

fn confirmed(program: &Program, jdk: &Path, body: &str) -> (Option<i32>, Value) {
    let test = program.path("ForgedTest.java");
    let source =
        format!("public class ForgedTest {{\n public static void main(String[] a) throws Throwable {{ {body} }}\n}}\n");
    std::fs::write(&test, source).unwrap();
    let mut command = reenact();
    command.arg("confirm").arg(test).arg(program.path("crash.log")).arg("-c").arg(program.path("classes"));
    let ended = end(command.arg("--jdk").arg(jdk).args(["--json", "--runs", "1"]).args(lock_up()));
    (ended.code(), ended.result())
}

#[test]
fn what_a_test_makes_itself_has_no_grade() {
    let program = Program::new(OTHER, CRASH);
    // Always throws, from the line of the log.
    let forged = Program::new("", "if (n > 0) { throw new IllegalStateException(\"too many: \" + n); }");
    let loaded = loaded(&std::fs::read(forged.path("classes/app/Shop.class")).unwrap());
    for jdk in jdks() {
        for (body, flag, why) in [
            (DESERIALISED, "replaced-stack", "another stack than the JVM has noted"),
            (BY_REFLECTION, "replaced-stack", "another stack than the JVM has noted"),
            (&loaded, "other-loader", "a class of the program that is not from the class path"),
        ] {
            let (code, result) = confirmed(&program, &jdk, body);
            assert_eq!((code, &result["grade"]), (Some(1), &"none".into()), "{body}: {result}");
            assert!(result["flags"].as_array().unwrap().contains(&flag.into()), "{result}");
            assert!(result["reason"].as_str().unwrap().contains(why), "{result}");
            assert_eq!(result["would_be"], "full-stack+message", "{result}");
        }
    }
}

#[test]
fn what_the_program_does_itself_keeps_its_grade() {
    let program = Program::new(OTHER, CRASH);
    for jdk in jdks() {
        let (code, result) = confirmed(&program, &jdk, "app.Shop.told(7);");
        assert_eq!((code, &result["grade"]), (Some(0), &"full-stack+message".into()), "{result}");
        assert_eq!(result["flags"], serde_json::json!(["replaced-stack"]));
        // Reflection alone is no means to an end.
        let call = "try { app.Shop.class.getMethod(\"total\", int.class).invoke(null, 7); }
            catch (java.lang.reflect.InvocationTargetException e) { throw e.getCause(); }";
        let (code, result) = confirmed(&program, &jdk, call);
        assert_eq!((code, &result["grade"]), (Some(0), &"full-stack+message".into()), "{result}");
    }
}
