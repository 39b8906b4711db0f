//! `reenact record`: a program, started with the recorder in it. The tool becomes the program, so that signals, exit status and streams
//! are the program's own.

use crate::args::Record;
use crate::failure::Failure;
use crate::terminal;
use agent::hard::Reason;
use analysis::{Hardness, Methods, hard_methods};
use program::{Cache, ClassPath, MethodRef, Program};
use recording::{Level, Redaction};
use reenact as agent;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

/// What every JVM takes options from, however it is started.
const OPTIONS: &str = "JAVA_TOOL_OPTIONS";

pub(crate) fn run(args: &Record) -> Result<ExitCode, Failure> {
    if args.plan {
        return plan(args);
    }
    let settings = settings(args)?;
    let options = settings.options().map_err(|error| {
        Failure::new(error.to_string()).hint("options of JVM agents are separated by commas; use another path")
    })?;
    let mut option = OsString::from("-agentpath:");
    option.push(library()?);
    option.push(format!("={options}"));
    if settings.redact != Redaction::Strict {
        let what = if settings.redact == Redaction::Off { "texts, numbers and messages" } else { "hashes of texts" };
        terminal::say(&format!("WARNING: recordings in `{}` will hold the program's {what}", settings.dir.display()));
    }
    let Some((program, arguments)) = args.command.split_first() else {
        return Err(Failure::new("there is nothing to record").hint("`reenact record -- java -jar app.jar`"));
    };
    let mut command = command(program, arguments, &option);
    // Returns only if the program could not be started.
    let error = command.exec();
    let shown = program.to_string_lossy();
    Err(Failure::new(format!("cannot start `{shown}`: {error}"))
        .hint("what follows `--` is the program and its arguments"))
}

#[expect(clippy::disallowed_methods, reason = "the user's own program, with the user's rights: that is the command")]
fn command(program: &OsStr, arguments: &[OsString], option: &OsStr) -> Command {
    let mut command = Command::new(program);
    if Path::new(program).file_name() == Some(OsStr::new("java")) {
        command.arg(option);
    } else {
        let mut options = std::env::var_os(OPTIONS).unwrap_or_default();
        if !options.is_empty() {
            options.push(" ");
        }
        options.push(option);
        command.env(OPTIONS, options);
    }
    command.args(arguments);
    command
}

fn settings(args: &Record) -> Result<agent::Settings, Failure> {
    let usual = agent::Settings::default();
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if let Some(path) = &args.hard {
        std::fs::metadata(path).map_err(|error| {
            Failure::new(format!("cannot read `{}`: {error}", path.display())).hint("check the path of `--hard`")
        })?;
    }
    Ok(agent::Settings {
        // Programs change their directory.
        dir: absolute(&args.out),
        level: Level::by_name(&args.level).unwrap_or(usual.level),
        redact: Redaction::by_name(&args.redact).unwrap_or(usual.redact),
        maxsize: agent::size(&args.maxsize).ok_or_else(|| {
            Failure::new(format!("`--maxsize {}` is not a size", args.maxsize)).hint("write `64m`; `1g` is the most")
        })?,
        application: args.application.clone(),
        exceptions: args.exceptions.clone(),
        hard: args.hard.as_deref().map(absolute),
        arm: args.arm.as_deref().map(|arm| if is_fingerprint(arm) { arm.to_path_buf() } else { absolute(arm) }),
    })
}

/// Of a crash, which is no path.
fn is_fingerprint(arm: &Path) -> bool {
    arm.to_str().is_some_and(recording::is_fingerprint) && !arm.exists()
}

/// Beside the executable; where Cargo has just built it, in the directory for that, which is never older.
fn library() -> Result<PathBuf, Failure> {
    let executable = std::env::current_exe().ok();
    let directory = executable.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    let places = [directory.join("deps"), directory.to_path_buf(), directory.join("../lib")];
    let found = places.iter().map(|place| place.join(agent::LIBRARY)).find(|path| path.is_file());
    found.ok_or_else(|| {
        let (name, shown) = (agent::LIBRARY, directory.display());
        Failure::new(format!("the recorder `{name}` is not in `{shown}`"))
            .hint(format!("`cargo build` makes it beside `reenact`; copy `{name}` along with the executable"))
    })
}

/// What `--level hard` records: what is hard in the JDK, and what the program's own code makes hard.
fn plan(args: &Record) -> Result<ExitCode, Failure> {
    let mut functions = agent::hard::Functions::known();
    if !args.class_path.is_empty() {
        of_program(args, &mut functions)?;
    }
    if let Some(path) = &args.hard {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::new(format!("cannot read `{}`: {error}", path.display())).hint("check the path of `--hard`")
        })?;
        functions.apply(&text);
    }
    let mut out = String::new();
    for ((class, method, descriptor), reason) in functions.iter() {
        out += &format!("{}.{method}{descriptor}  # {}\n", class.replace('/', "."), reason.text());
    }
    terminal::print(&out);
    Ok(ExitCode::SUCCESS)
}

/// The hard methods of the application's classes on the class path.
fn of_program(args: &Record, functions: &mut agent::hard::Functions) -> Result<(), Failure> {
    let jdk = program::Jdk::find(None)?;
    let (program, problems) = Program::open(&ClassPath::parse(&args.class_path)?, jdk, &Cache::of_user())?;
    crate::load::warn_of(&problems);
    let methods = Methods::new(Arc::new(program));
    let program = methods.program();
    let named = settings(args)?.named();
    let classes = program.classes().into_iter().filter(|class| named.contains(class.as_internal()));
    let all = classes.filter_map(|class| program.class(class)).flat_map(|class| {
        let with_result = |method: &&program::Method| !method.descriptor.as_str().ends_with('V');
        let of_class = class.methods.iter().filter(|method| !method.access.is_abstract()).filter(with_result);
        let reference = |method: &program::Method| MethodRef {
            class: class.name,
            name: method.name,
            descriptor: method.descriptor,
        };
        of_class.map(reference).collect::<Vec<_>>()
    });
    for (method, why) in hard_methods(&methods, all) {
        let Some(first) = why.first() else { continue };
        let name = (method.class.as_internal(), method.name.as_str(), method.descriptor.as_str());
        functions.add((name.0.to_owned(), name.1.to_owned(), name.2.to_owned()), reason(*first));
    }
    Ok(())
}

fn reason(hardness: Hardness) -> Reason {
    match hardness {
        Hardness::NestedPredicates => Reason::NestedPredicates,
        Hardness::Recursion => Reason::Recursion,
        Hardness::Loop => Reason::Loop,
        Hardness::NoBody => Reason::Native,
    }
}
