//! `reenact doctor`: what is here, what is missing, how to get it.

use crate::args::Doctor;
use crate::failure::Failure;
use crate::terminal;
use program::{Cache, Jdk};
use sandbox::Promise;
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;

#[derive(Debug, Serialize)]
struct View {
    schema: u32,
    event: &'static str,
    version: &'static str,
    jdks: Vec<JdkView>,
    sandbox: Sandbox,
    /// Z3, which engines that reason ask.
    solver: Option<SolverView>,
    cache: Option<CacheView>,
}

#[derive(Debug, Serialize)]
struct JdkView {
    version: String,
    home: String,
    /// Tests can be compiled with it.
    compiler: bool,
    /// The version of the JDK whose compiler stands in where it has none.
    lender: Option<String>,
    /// Used when `--jdk` does not say otherwise.
    default: bool,
}

#[derive(Debug, Serialize)]
struct Sandbox {
    offers: String,
    missing: Option<&'static str>,
    promises: Vec<PromiseView>,
}

/// What is promised to those who run foreign code; `docs/security.md` says it at length.
#[derive(Debug, Serialize)]
struct PromiseView {
    promise: &'static str,
    text: &'static str,
    kept: bool,
    needs: &'static str,
}

#[derive(Debug, Serialize)]
struct SolverView {
    path: String,
    /// In the cache, not found on the `PATH`.
    installed: bool,
}

#[derive(Debug, Serialize)]
struct CacheView {
    directory: String,
    files: u64,
    bytes: u64,
}

pub(crate) fn run(args: &Doctor) -> Result<ExitCode, Failure> {
    let cache = Cache::of_user();
    if args.clear_cache {
        let gone = cache.clear().map_err(|error| Failure::new(format!("cannot clear the cache: {error}")))?;
        terminal::print(&format!("removed {} files, {} bytes\n", gone.files, gone.bytes));
        return Ok(ExitCode::SUCCESS);
    }
    if args.install {
        install()?;
    }
    let view = view(&cache);
    if args.json {
        let json = serde_json::to_string(&view).map_err(|error| Failure::from_error(&error))?;
        terminal::print_json(&json);
    } else {
        terminal::print(&text(&view));
    }
    let usable = view.jdks.iter().any(|jdk| jdk.compiler) && view.sandbox.missing.is_none();
    Ok(ExitCode::from(if usable { 0 } else { 1 }))
}

/// What is downloaded is said before, on standard error.
fn install() -> Result<(), Failure> {
    let cache = smt::solver::cache_directory().ok_or_else(|| {
        Failure::new("there is no cache directory to install into").hint("set `REENACT_CACHE` to a directory")
    })?;
    if smt::solver::find_z3(&cache).is_ok() {
        return Ok(());
    }
    let installed = smt::solver::install(&cache, &mut terminal::say);
    installed.map(drop).map_err(|error| Failure::from_error(&error).hint("what needs no solver works without it"))
}

fn view(cache: &Cache) -> View {
    let default = Jdk::find(None).ok();
    let support = sandbox::probe();
    let jdks = Jdk::list().into_iter().map(|jdk| JdkView {
        compiler: jdk.has_compiler(),
        lender: ::confirm::lender(&jdk).map(|lender| lender.version),
        default: default.as_ref().is_some_and(|default| default.home == jdk.home),
        version: jdk.version,
        home: jdk.home.display().to_string(),
    });
    View {
        schema: crate::SCHEMA,
        event: "doctor",
        version: crate::VERSION,
        jdks: jdks.collect(),
        sandbox: Sandbox {
            offers: support.to_string(),
            missing: support.missing(),
            promises: support.promises().iter().map(PromiseView::of).collect(),
        },
        solver: smt::solver::cache_directory().and_then(|cache| smt::solver::find_z3(&cache).ok()).map(|found| {
            SolverView { path: found.program.path.display().to_string(), installed: found.is_installed_by_us }
        }),
        cache: cache.directory().map(|directory| {
            let size = cache.size().unwrap_or_default();
            CacheView { directory: directory.display().to_string(), files: size.files, bytes: size.bytes }
        }),
    }
}

impl PromiseView {
    fn of(promise: &Promise) -> PromiseView {
        let Promise { name, text, needs, kept } = *promise;
        PromiseView { promise: name, text, kept, needs }
    }
}

fn text(view: &View) -> String {
    let mut out = format!("reenact {}\n\n", view.version);
    if view.jdks.is_empty() {
        out.push_str("JDK      none found: install one (Debian, Ubuntu: `apt install openjdk-17-jdk-headless`) or set JAVA_HOME\n");
    }
    for jdk in &view.jdks {
        let compiler = match &jdk.lender {
            _ if jdk.compiler => String::new(),
            Some(lender) => format!(", no javac: that of {lender} is used"),
            None => ", no javac: tests cannot be confirmed with it".into(),
        };
        let default = if jdk.default { " (used unless --jdk, the log or the classes say otherwise)" } else { "" };
        let _ = writeln!(out, "JDK      {} in {}{compiler}{default}", jdk.version, jdk.home);
    }
    let _ = writeln!(out, "sandbox  {}", view.sandbox.offers);
    if let Some(missing) = view.sandbox.missing {
        let _ = writeln!(out, "         not enough: {missing}; `--no-sandbox` runs candidates without it");
    }
    for promise in &view.sandbox.promises {
        let _ = match promise.kept {
            true => writeln!(out, "         promised: {}", promise.text),
            false => writeln!(out, "         NOT promised: {}; that takes {}", promise.text, promise.needs),
        };
    }
    let _ = match &view.solver {
        Some(SolverView { path, installed: true }) => writeln!(out, "solver   Z3 in {path}, installed by reenact"),
        Some(SolverView { path, .. }) => writeln!(out, "solver   Z3 in {path}, found on the PATH"),
        None => writeln!(
            out,
            "solver   none: the engines that reason do less; `--install` downloads Z3 (40 MB) into the cache"
        ),
    };
    match &view.cache {
        Some(cache) => {
            let megabytes = cache.bytes as f64 / 1e6;
            let _ = writeln!(
                out,
                "cache    {}, {} files, {megabytes:.1} MB; `--clear-cache` empties it",
                cache.directory, cache.files
            );
        }
        None => out.push_str("cache    none: neither XDG_CACHE_HOME nor HOME is set\n"),
    }
    out
}
