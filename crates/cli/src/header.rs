//! What a run is about, said before it begins: which crash of the log, which program, which JDK.

use crate::load::Loaded;
use program::Container;
use std::fmt::Write;
use std::path::Path;

/// Of a message; the rest is in the test's comment.
const LONGEST_MESSAGE: usize = 200;

/// `tests` is how many directories and jars of compiled tests there are.
pub(crate) fn text(crash: &Path, loaded: &Loaded, tests: usize) -> String {
    let mut out = String::new();
    let place = loaded.report.traces.get(loaded.trace).map_or(0, |trace| trace.place.line);
    let name = if crash == Path::new("-") { "standard input".into() } else { crash.display().to_string() };
    let _ = writeln!(out, "crash    {name}, line {place}{}", which(loaded));
    let _ = writeln!(out, "         {}", exception(loaded));
    let _ = writeln!(out, "         {}", frames(loaded));
    let _ = writeln!(out, "program  {}", program(loaded));
    if tests > 0 {
        let _ = writeln!(out, "tests    {} to learn from", counted(tests, "directory or jar", "directories or jars"));
    }
    let jdk = loaded.program.jdk();
    let why = loaded.why_jdk.as_ref().map_or_else(String::new, |why| format!(": {why}"));
    let _ = write!(out, "JDK      {} in {}{why}", jdk.version, jdk.home.display());
    out
}

/// The frames of the application and the class path, one line each.
pub(crate) fn details(loaded: &Loaded) -> String {
    let frames = application_frames(loaded).map(|frame| format!("frame    {frame}"));
    let entries = loaded.given.class_path.entries().iter().map(|entry| format!("path     {}", entry.display()));
    frames.chain(entries).collect::<Vec<_>>().join("\n")
}

/// Which trace of several, which exception of its chain.
fn which(loaded: &Loaded) -> String {
    let traces = loaded.report.traces.len();
    let mut which = Vec::new();
    if traces > 1 {
        which.push(format!("trace {} of {traces}", loaded.trace + 1));
    }
    let outermost = loaded.report.traces.get(loaded.trace);
    let chain = outermost.map_or(1, |trace| trace.throwable.chain().count());
    if loaded.cause > 0 {
        which.push(format!("exception {} of its chain of {chain}", loaded.cause + 1));
    }
    if which.is_empty() { String::new() } else { format!(" ({})", which.join(", ")) }
}

fn exception(loaded: &Loaded) -> String {
    let thrown = &loaded.throwable;
    let message = thrown.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default();
    let name = thrown.name().unwrap_or("an exception that the log does not name");
    if message.is_empty() {
        return name.to_owned();
    }
    let cut: String = message.chars().take(LONGEST_MESSAGE).collect();
    format!("{name}: {cut}{}", if cut.len() < message.len() { ".." } else { "" })
}

fn application_frames(loaded: &Loaded) -> impl Iterator<Item = &crash_report::Frame> {
    let is_application = |class: &str| loaded.application.contains(&loaded.program, class);
    loaded.throwable.frames.iter().filter(move |frame| is_application(&frame.class))
}

fn frames(loaded: &Loaded) -> String {
    let method = |frame: &crash_report::Frame| format!("{}.{}", frame.class, frame.method);
    let all: Vec<String> = application_frames(loaded).map(method).collect();
    let count = counted(all.len(), "frame", "frames");
    match (all.first(), all.last()) {
        (Some(top), Some(bottom)) if all.len() > 1 => format!("{count} of the application, {top} to {bottom}"),
        (Some(only), _) => format!("{count} of the application, {only}"),
        _ => count,
    }
}

fn program(loaded: &Loaded) -> String {
    let containers = loaded.program.containers();
    let is_directory = |container: &&Container| container.nested.is_none() && container.path.is_dir();
    let directories = containers.iter().filter(is_directory).count();
    let jars = containers.len() - directories;
    let mut parts = Vec::new();
    if directories > 0 {
        parts.push(counted(directories, "class directory", "class directories"));
    }
    if jars > 0 {
        parts.push(counted(jars, "jar", "jars"));
    }
    parts.push(counted(loaded.program.class_count(), "class", "classes"));
    let project = loaded.given.project.as_ref().map_or_else(String::new, |it| format!("; {}", it.title()));
    format!("{}{project}", parts.join(", "))
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
