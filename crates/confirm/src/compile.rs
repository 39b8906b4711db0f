//! Compiles a test: which files, against which class path.

use super::compiler::{Answer, Compiler, OUTPUT};
use super::framework::{self, Supply};
use super::jdk::Tools;
use super::process;
use super::runner::Runner;
use super::scratch::Scratch;
use super::{ConfirmError, ConfirmOptions, Setting, TestFile};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) enum Compiled {
    Refused { errors: String },
    Classes(CompiledTest),
}

/// A test ready to run.
#[derive(Clone)]
pub(super) struct CompiledTest {
    /// Everything that the JVM needs, in order; the test's own classes last, so that they replace none of the program's.
    pub(super) class_path: Vec<PathBuf>,
    /// Binary names, sorted.
    pub(super) test_classes: Vec<String>,
    /// The runner's main class.
    pub(super) runner: String,
}

const QUIET: [&str; 6] = ["-nowarn", "-Xlint:none", "-proc:none", "-implicit:none", "-encoding", "UTF-8"];
const ERROR_LINES: usize = 40;
/// Who uses more of a framework than its stubs have reads of a symbol that is not found.
const ONLY_STUBS: &str = "\nnote: the class path has no jar of this test framework, so stubs of its commonest annotations and assertions \
                          stood in for it";
/// The directory of the compiled stubs, in the compiler's reach.
const STUBS: &str = "compiled/stubs";
/// The directory without plug-ins and annotation processors, out of its reach.
const NO_PLUG_INS: &str = "no-plug-ins";

/// Compiles the stubs of all frameworks. The least work that shows a compiler every corner of itself, and it may be needed.
pub(super) fn warm_up(compiler: &mut Compiler, tools: &Tools, scratch: &Scratch) -> Result<(), ConfirmError> {
    let files = scratch.write("stub-sources", &framework::all_stubs())?;
    compiler.warm_up(arguments(&[], tools, &scratch.directory(STUBS)?, &files, &scratch.directory(NO_PLUG_INS)?));
    Ok(())
}

/// `common` is where [`warm_up`] has left the stubs.
pub(super) fn compile(
    test: &[TestFile],
    setting: &Setting<'_>,
    options: &ConfirmOptions,
    compiler: &mut Compiler,
    tools: &Tools,
    (common, scratch): (&Scratch, &Scratch),
) -> Result<Compiled, ConfirmError> {
    let mut class_path = setting.class_path.entries().to_vec();
    let repository = options.maven_repository.as_deref();
    let Supply { jars, stubs, mut next_steps } = framework::supply(test, setting.program, repository);
    class_path.extend(jars);
    match framework::missing_params(test, &class_path, setting.program, repository) {
        Some(Ok(jar)) => class_path.push(jar),
        Some(Err(next_step)) => next_steps.push(next_step),
        None => {}
    }
    if stubs {
        class_path.push(common.directory(STUBS)?);
    }
    let sources: Vec<(PathBuf, String)> =
        test.iter().enumerate().map(|(index, file)| (place_of(index, file), file.text.clone())).collect();
    let files = scratch.write("sources", &sources)?;
    let output = output(common, scratch)?;
    let args = arguments(&class_path, tools, &output, &files, &common.directory(NO_PLUG_INS)?);
    let reads: Vec<PathBuf> = class_path.iter().cloned().chain(setting.program.archives()).collect();
    let answer = compiler.compile(&args, &reads, tools, options)?;
    if !answer.accepted {
        refused_for_room(&answer, || scratch.write_bytes("room", Path::new("test"), &[0; ROOM]).map(|_| ()))?;
        let mut errors = errors_of(&answer, scratch);
        if stubs {
            errors.push_str(ONLY_STUBS);
        }
        next_steps.dedup();
        next_steps.iter().for_each(|step| errors.extend(["\nnote: ", step]));
        return Ok(Compiled::Refused { errors });
    }
    // From here on out of the compiler's reach.
    let classes = scratch.path().join("classes");
    fs::rename(&output, &classes)
        .map_err(|source| ConfirmError::System { what: "take over the compiled classes", source })?;
    let mut test_classes = Vec::new();
    class_names(&classes, "", &mut test_classes)
        .map_err(|source| ConfirmError::System { what: "list the compiled classes", source })?;
    test_classes.sort();
    class_path.push(classes);
    let runner = Runner::new();
    scratch.write_bytes("runner", Path::new(&format!("{}.class", runner.name)), &runner.class_file)?;
    class_path.push(scratch.directory("runner")?);
    Ok(Compiled::Classes(CompiledTest { class_path, test_classes, runner: runner.name }))
}

/// A directory of its own for each compilation.
fn output(common: &Scratch, scratch: &Scratch) -> Result<PathBuf, ConfirmError> {
    let name = scratch.path().file_name().unwrap_or_default().to_string_lossy();
    common.directory(&format!("{OUTPUT}/{name}"))
}

/// What is written to learn whether there is room: more than the classes of most tests.
const ROOM: usize = 1 << 16;

/// A full disk is not the fault of the test. The reason that the compiler gives is in the system's language, so whether there is room
/// is tried.
fn refused_for_room(answer: &Answer, write: impl FnOnce() -> Result<(), ConfirmError>) -> Result<(), ConfirmError> {
    if answer.said.contains("error: error while writing ") { write() } else { Ok(()) }
}

fn arguments(
    class_path: &[PathBuf],
    tools: &Tools,
    output: &Path,
    files: &[PathBuf],
    no_plug_ins: &Path,
) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut args: Vec<String> = QUIET.iter().map(ToString::to_string).collect();
    if let Some((_, release)) = &tools.borrowed {
        args.extend(["--release".into(), release.to_string()]);
    }
    args.extend(["-g".into(), "-d".into(), text(output)]);
    // An empty source path: sources that happen to lie on the class path are none of the test's.
    args.extend(["-sourcepath".into(), text(output)]);
    // Services of the class path would otherwise run inside of the compiler, some without being asked for.
    args.extend(["-processorpath".into(), text(no_plug_ins)]);
    args.extend(["-classpath".into(), process::joined(class_path).to_string_lossy().into_owned()]);
    args.extend(files.iter().map(|file| text(file)));
    args
}

/// Files of the same name may come from different directories.
fn place_of(index: usize, file: &TestFile) -> PathBuf {
    let name = file.path.file_name().map_or_else(|| PathBuf::from("Test.java"), PathBuf::from);
    Path::new(&index.to_string()).join(name)
}

/// What the compiler said, without the temporary directory's name.
fn errors_of(answer: &Answer, scratch: &Scratch) -> String {
    let sources = scratch.path().join("sources");
    let lines = answer.said.lines().filter(|line| !line.starts_with("Note: ")).take(ERROR_LINES);
    lines.map(|line| without_place(line, &sources)).collect::<Vec<_>>().join("\n")
}

/// `/tmp/x/sources/0/FooTest.java:12: error` as `FooTest.java:12: error`.
fn without_place<'a>(line: &'a str, sources: &Path) -> &'a str {
    let inner = line.strip_prefix(&*sources.to_string_lossy()).and_then(|rest| rest.strip_prefix('/'));
    inner.and_then(|rest| rest.split_once('/')).map_or(line, |(_, file)| file)
}

fn class_names(directory: &Path, package: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            class_names(&entry.path(), &format!("{package}{name}."), names)?;
        } else if let Some(class) = name.strip_suffix(".class") {
            names.push(format!("{package}{class}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_disk_is_not_the_fault_of_the_test() {
        let refused = |said: &str, is_full: bool| {
            let answer = Answer { accepted: false, said: said.into() };
            let full = || ConfirmError::System { what: "write", source: io::ErrorKind::StorageFull.into() };
            refused_for_room(&answer, || if is_full { Err(full()) } else { Ok(()) }).is_err()
        };
        let unwritten = "T.java:3: error: error while writing T: Kein Platz";
        assert!(refused(unwritten, true));
        assert!(!refused(unwritten, false), "as with a name that is too long");
        assert!(!refused("T.java:3: error: cannot find symbol", true));
    }
}
