//! The test as a file: its name, its options, the command that runs it.

use crate::output::Output;
use crate::settings::Settings;
use crate::shell;
use crate::verdict::RunCommand;
use crash_report::Throwable;
use junit::{ExpectedFrame, Framework, Inexpressible, PrintOptions, ProgramFacts, Release, Style, TestSource, Use};
use program::{ClassName, Jdk, Program};
use recipe::Recipe;
use std::collections::BTreeSet;
use std::path::Path;

/// Prints the recipe as a test of the crash, under a name that nobody has taken and with this comment above. `refused`: what a
/// compiler would not take. `taken`: a test of this run that is to stay beside this one.
pub(crate) fn print(
    recipe: &Recipe,
    style: Style,
    refused: &BTreeSet<Use>,
    (header, crash): (Vec<String>, &Throwable),
    frames: &[ExpectedFrame],
    program: &Program,
    (settings, output, taken): (&Settings, &Output, Option<&Path>),
) -> Result<TestSource, Inexpressible> {
    let top = frames.first();
    let simple = top.map_or("Crash", |frame| named_part(frame.class.simple()));
    let exception = crash.class.rsplit(['.', '$']).next().unwrap_or("Exception");
    let mut options = PrintOptions {
        framework: settings.framework.unwrap_or_else(|| framework_of(program)),
        style,
        release: release(program),
        package: top.filter(|_| settings.in_package).map_or_else(String::new, |top| package_of(&top.class)),
        class_name: format!("{}CrashTest", capitalised(simple)),
        method_name: format!("throws{exception}"),
        header,
        refused: refused.clone(),
    };
    let (facts, plain) = (ProgramFacts::new(program), options.class_name.clone());
    let mut test = junit::print(recipe, &facts, &options)?;
    for number in 2..MOST_NAMES {
        if taken != Some(&*test.path) && output.is_free(&test.path, &test.text) {
            break;
        }
        options.class_name = format!("{plain}{number}");
        test = junit::print(recipe, &facts, &options)?;
    }
    Ok(test)
}

/// Tests of one name in one directory.
const MOST_NAMES: u32 = 1000;

/// `Buffer` for the anonymous class `Buffer$1`, `Node` for `Tree$Node`.
fn named_part(simple: &str) -> &str {
    let is_name = |part: &&str| part.starts_with(|c: char| c.is_alphabetic());
    simple.rsplit('$').find(is_name).unwrap_or("Crash")
}

/// Dotted, and none where Java cannot spell it.
fn package_of(class: &ClassName) -> String {
    let package = class.package().replace('/', ".");
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_name = |part: &str| part.chars().all(is_letter) && !part.starts_with(|c: char| c.is_ascii_digit());
    Some(package).filter(|package| package.split('.').all(is_name)).unwrap_or_default()
}

/// The annotation that marks the methods of the tests to be written; none for a plain `main`.
pub fn test_annotation(settings: &Settings, program: &Program) -> Option<&'static str> {
    match settings.framework.unwrap_or_else(|| framework_of(program)) {
        Framework::JUnit4 => Some("org.junit.Test"),
        Framework::JUnit5 => Some("org.junit.jupiter.api.Test"),
        Framework::TestNg => Some("org.testng.annotations.Test"),
        Framework::Main => None,
    }
}

/// What the class path has; JUnit 5 if it has nothing.
fn framework_of(program: &Program) -> Framework {
    let has = |class: &str| program.is_application_default(ClassName::internal(class));
    if has("org/junit/jupiter/api/Test") {
        Framework::JUnit5
    } else if has("org/junit/Test") {
        Framework::JUnit4
    } else if has("org/testng/annotations/Test") {
        Framework::TestNg
    } else {
        Framework::JUnit5
    }
}

/// Whether the class path alone can run the test.
fn has_launcher(program: &Program, framework: Framework) -> bool {
    let launcher = match framework {
        Framework::JUnit4 => "org/junit/runner/JUnitCore",
        Framework::JUnit5 => "org/junit/platform/console/ConsoleLauncher",
        Framework::TestNg => "org/testng/TestNG",
        Framework::Main => return true,
    };
    program.is_application_default(ClassName::internal(launcher))
}

/// Source that the JDK at hand and all later ones accept.
fn release(program: &Program) -> Release {
    Release(program.jdk().feature)
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Its short name where that means the JDK that the test was confirmed on.
fn program_of(jdk: &Jdk, name: &str) -> String {
    let file = jdk.home.join("bin").join(name);
    if jdk.is_on_path() || !file.is_file() { name.to_owned() } else { shell::path(&file.to_string_lossy()) }
}

/// The command that compiles and runs the test from the output directory.
pub(crate) fn command(test: &TestSource, settings: &Settings, program: &Program) -> RunCommand {
    let entries = settings.class_path.needed_entries().iter();
    let class_path: Vec<String> = entries.map(|entry| entry.display().to_string()).collect();
    let name =
        if test.package.is_empty() { test.class_name.clone() } else { format!("{}.{}", test.package, test.class_name) };
    let name = shell::quoted(&name);
    let framework = settings.framework.unwrap_or_else(|| framework_of(program));
    let launcher = match framework {
        Framework::JUnit4 => format!("org.junit.runner.JUnitCore {name}"),
        Framework::JUnit5 => format!("org.junit.platform.console.ConsoleLauncher execute --select-class {name}"),
        Framework::TestNg => format!("org.testng.TestNG -testclass {name}"),
        Framework::Main => name,
    };
    let class_path = class_path.join(":");
    let missing_framework = Some(framework).filter(|framework| !has_launcher(program, *framework));
    let junit = if missing_framework.is_some() { ":\"$JUNIT\"" } else { "" };
    let path = |path: &Path| shell::path(&path.to_string_lossy());
    let line = format!(
        "cd {} && {} -cp {}{junit} {} && {} -cp {}{junit} {launcher}",
        path(&settings.out),
        program_of(program.jdk(), "javac"),
        shell::quoted(&class_path),
        path(&test.path),
        program_of(program.jdk(), "java"),
        shell::quoted(&format!(".:{class_path}")),
    );
    RunCommand { line, missing_framework }
}
