//! Runs a command of the user's own build tool, with the user's rights and environment, and listens to what it says.

use crate::BuildError;
use sandbox::child::Process;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// What came of it.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) succeeded: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A first run may fetch half of the internet; longer than this nobody waits without looking.
const LIMIT: Duration = Duration::from_secs(15 * 60);
/// What it says beyond is not needed.
const LONGEST: u64 = 16 << 20;

pub(crate) fn run(program: &str, args: &[String], directory: &Path) -> Result<Ran, BuildError> {
    let failed = |error| BuildError::NotRun { command: shown(program, args), error };
    #[expect(clippy::disallowed_methods, reason = "the user's own build tool, which is asked for the class path")]
    let mut command = Command::new(in_directory(program, directory));
    command.args(args).current_dir(directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process::start(command).map_err(failed)?;
    let stdout = listen(process.take_stdout());
    let stderr = listen(process.take_stderr());
    let has_ended = process.wait(LIMIT).map_err(failed)?;
    let status = process.end();
    let succeeded = has_ended && status.is_some_and(|status| status.success());
    let text = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
    Ok(Ran { succeeded, stdout: text(stdout), stderr: text(stderr) })
}

/// A wrapper script is looked for where it is said to be, not where this process was started.
fn in_directory(program: &str, directory: &Path) -> std::path::PathBuf {
    match program.strip_prefix("./") {
        Some(script) => directory.join(script),
        None => program.into(),
    }
}

fn listen(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // Half of what was said is still of use.
            let _ = pipe.by_ref().take(LONGEST).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The command as people would type it.
pub(crate) fn shown(program: &str, args: &[String]) -> String {
    let args: Vec<&str> = std::iter::once(program).chain(args.iter().map(String::as_str)).collect();
    args.join(" ")
}

/// The lines that say what went wrong, few enough to be read.
pub(crate) fn complaint(ran: &Ran) -> String {
    const LINES: usize = 3;
    let lines = || ran.stdout.lines().chain(ran.stderr.lines()).map(str::trim).filter(|line| !line.is_empty());
    let errors: Vec<&str> = lines().filter_map(|line| line.strip_prefix("[ERROR] ")).take(LINES).collect();
    let plain: Vec<&str> = ran.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES).collect();
    let said = if errors.is_empty() { plain } else { errors };
    if said.is_empty() { "nothing".into() } else { said.join(" ") }
}
