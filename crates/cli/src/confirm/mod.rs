//! `reenact confirm`: what is this test worth, whoever wrote it? Compiled and run in fresh JVMs, compared with the crash.

mod view;

use crate::args::Confirm;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::load::{self, Loaded};
use crate::terminal;
use confirm::{ConfirmError, ConfirmOptions, Confirmer, Launch, Setting, TestFile};
use crash_report::message::explains_nulls;
use program::{Cache, ClassPath, Jdk, Program, RuntimeClassPath};
use reproduce::{Crash, grade_test};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use target::Methods;
use view::View;

pub(crate) fn run(args: &Confirm) -> Result<ExitCode, Failure> {
    let test = files(&args.test)?;
    let fixed = if args.fixed.is_empty() { None } else { Some(ClassPath::parse(&args.fixed)?) };
    let launch = launch(args.no_sandbox)?;
    let allow_read = allow_read(&args.allow_read)?;
    let _session = Interruptible::at_once()?;
    let loaded = load::load(&args.crash)?;
    load::warn_of_log(&loaded);
    load::tell_jdk(&loaded);
    load::check_versions(&loaded.throwable, &loaded.program)?;
    load::warn_of(&loaded.problems);
    let runtime = loaded.program.runtime_class_path()?;
    let jdk = loaded.program.jdk().clone();
    let fixed = fixed.map(|path| opened_fixed(&path, jdk.clone(), &loaded)).transpose()?;
    // A compiler that may not read everything from the start has to be replaced: what archives hold inside is unpacked by now.
    let compiled_against = compiled_against((&runtime, &loaded.program), fixed.as_ref(), &test);
    let confirmer = Confirmer::start_with(&jdk, lender(&jdk).as_ref(), launch, &compiled_against);
    let confirmer = confirmer.map_err(|error| failure(&error))?;

    let options = ConfirmOptions {
        runs: args.runs,
        time_limit: args.time_limit,
        jvm_args: args.jvm_arg.clone(),
        allow_read,
        helpful_messages: explains_nulls(&loaded.throwable),
        ..ConfirmOptions::default()
    };
    let program = loaded.program;
    let application = Arc::new(loaded.application);
    let crash = Crash {
        throwable: loaded.throwable,
        before: loaded.before,
        waypoints: loaded.waypoints,
        is_application: {
            let program = program.clone();
            Arc::new(move |class: &str| application.contains(&program, class))
        },
    };
    let methods = Methods::new(Arc::clone(&program));
    let setting = Setting { class_path: &runtime, program: &program };
    let fixed = fixed.as_ref().map(|(class_path, program)| Setting { class_path, program });
    let verdict = grade_test(&test, (&crash, &methods), &confirmer, (&setting, fixed.as_ref()), &options)
        .map_err(|error| failure(&error))?;
    let view = View::new(&args.test, (&args.crash.crash, &crash.throwable), program.jdk(), &verdict);
    if args.crash.json {
        terminal::print_json(view.json()?.trim_end());
    } else {
        terminal::print(&view.text(terminal::has_colour()));
    }
    Ok(ExitCode::from(if verdict.is_success() { 0 } else { 1 }))
}

/// The fixed build, as a JVM gets it and opened.
fn opened_fixed(path: &ClassPath, jdk: Jdk, loaded: &Loaded) -> Result<(RuntimeClassPath, Program), Failure> {
    let (program, problems) = Program::open(path, jdk, &Cache::of_user())?;
    load::warn_of(&problems);
    load::check_versions(&loaded.throwable, &program)?;
    Ok((program.runtime_class_path()?, program))
}

/// What the test is compiled against.
fn compiled_against(
    own: (&RuntimeClassPath, &Program),
    fixed: Option<&(RuntimeClassPath, Program)>,
    test: &[TestFile],
) -> Vec<PathBuf> {
    let builds = std::iter::once(own).chain(fixed.map(|(class_path, program)| (class_path, program)));
    let entries =
        builds.flat_map(|(class_path, program)| class_path.entries().iter().cloned().chain(program.archives()));
    entries.chain(confirm::mentioned_jars(test, own.1.jdk())).collect()
}

/// Whose compiler stands in where the JDK is a mere runtime; said, since people may wonder which one it is.
pub(crate) fn lender(jdk: &Jdk) -> Option<Jdk> {
    let lender = confirm::lender(jdk)?;
    terminal::say(&format!(
        "note: `{}` has no compiler: tests are compiled by that of Java {} in `{}`",
        jdk.home.display(),
        lender.version,
        lender.home.display()
    ));
    Some(lender)
}

/// What `--allow-read` names. A path with a slip of the pen would show as a program that does not get on.
pub(crate) fn allow_read(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    for path in given {
        std::fs::metadata(path).map_err(|error| {
            Failure::new(format!("`--allow-read {}` names nothing that can be read: {error}", path.display()))
                .hint("check the path and its permissions")
        })?;
    }
    Ok(given.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect())
}

/// The source files, those of directories in order.
fn files(given: &[PathBuf]) -> Result<Vec<TestFile>, Failure> {
    let mut paths = Vec::new();
    for path in given {
        let before = paths.len();
        collect(path, &mut paths).map_err(|error| {
            Failure::new(format!("the test `{}` cannot be read: {error}", path.display()))
                .hint("the test comes first, the crash second: `reenact confirm TEST.java CRASH -c CLASS_PATH`")
        })?;
        if paths.len() == before {
            return Err(Failure::new(format!("there is no Java file in `{}`", path.display()))
                .hint("name the test's source file, or the directory that has it"));
        }
        paths[before..].sort();
    }
    paths.iter().map(|path| TestFile::read(path)).collect::<Result<_, _>>().map_err(|error| failure(&error))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !std::fs::metadata(path)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let is_directory = entry.file_type()?.is_dir();
        if is_directory || entry.path().extension().is_some_and(|extension| extension == "java") {
            collect(&entry.path(), files)?;
        }
    }
    Ok(())
}

fn failure(error: &ConfirmError) -> Failure {
    Failure::from_error(error).hint(hint(error))
}

/// How the compiler and tests are started. Without sandbox they can do whatever the user can, which is worth a word.
pub(crate) fn launch(no_sandbox: bool) -> Result<Launch, Failure> {
    if no_sandbox {
        terminal::say("warning: without a sandbox, the program's code can change and delete whatever you can");
    } else {
        warn_of_missing_promises();
    }
    Ok(Launch { program: vec![this_program()?.into()], sandboxed: !no_sandbox })
}

/// Said before code is run. Where too little is there, the refusal says more.
fn warn_of_missing_promises() {
    let support = sandbox::probe();
    if support.is_sufficient() {
        for promise in support.promises().iter().filter(|promise| !promise.kept) {
            terminal::say(&format!("warning: {promise}"));
        }
    }
}

/// What workers and locked-up programs are started with.
pub(crate) fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::new(format!("cannot find this program's own file: {error}")))
}

/// The next step for who cannot confirm a test.
pub(crate) fn hint(error: &ConfirmError) -> &'static str {
    match error {
        ConfirmError::NoJava { .. } | ConfirmError::NoLibrary { .. } | ConfirmError::NoCompiler { .. } => {
            "pass a full JDK with `--jdk HOME`; `reenact doctor` lists those found"
        }
        ConfirmError::UnreadableTest { .. } => "check the path and its permissions",
        ConfirmError::NoSandbox { .. } => "`reenact doctor` shows what the sandbox needs",
        ConfirmError::OutOfTime => "a larger `--budget` leaves more time",
        ConfirmError::System { .. } => {
            "check the space and the permissions of the directory for temporary files (TMPDIR)"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn archive(entry: &str, content: &[u8]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file(entry, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn the_compiler_may_read_inner_jars_from_the_start() {
        let directory = tempfile::tempdir().unwrap();
        let war = directory.path().join("app.war");
        std::fs::write(&war, archive("WEB-INF/lib/inner.jar", &archive("a/B.class", b"?"))).unwrap();
        let (class_path, jdk) = (ClassPath::parse([&war]).unwrap(), Jdk::find(None).unwrap());
        let (program, _) = Program::open(&class_path, jdk, &Cache::at(directory.path().join("cache"))).unwrap();
        let runtime = program.runtime_class_path().unwrap();
        assert!(runtime.entries().iter().any(|entry| entry.ends_with("inner.jar")), "{runtime:?}");
        let readable = compiled_against((&runtime, &program), None, &[]);
        assert!(runtime.entries().iter().all(|entry| readable.contains(entry)), "{readable:?}");
    }
}
