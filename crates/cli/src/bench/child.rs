//! One run: a child process of this executable, called as anybody would call it, so that a crash of the tool costs one run
//! and its memory and processor time are its own.

use super::place::Place;
use crate::args::{self, Bench};
use bench::record::{Outcome, Refutation, Setup};
use bench::{Crash, Pack, PackError, Record, Task, statements};
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A run that takes this much longer than its budget hangs.
const OVERTIME: Duration = Duration::from_secs(120);

/// What all runs of a session have in common.
#[derive(Debug)]
pub(super) struct Runs<'a> {
    args: &'a Bench,
    pack: &'a Pack,
    jars: &'a Path,
    place: &'a Place,
}

/// The files of a crash.
#[derive(Debug)]
pub(super) struct Inputs {
    class_path: Vec<PathBuf>,
    fixed: Option<Vec<PathBuf>>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(args: &'a Bench, pack: &'a Pack, jars: &'a Path, place: &'a Place) -> Runs<'a> {
        Runs { args, pack, jars, place }
    }

    /// What is asked for, in short; the same text means the same run.
    pub(super) fn settings(&self) -> String {
        let args = self.args;
        let mut parts = vec![
            args.candidates.map_or_else(|| format!("budget {}", args.budget), |n| format!("candidates {n}")),
            format!("engine {}", args.engines.names.join("+")),
            format!("evolve {}", args.engines.evolve),
            format!("JDK {}", self.place.jdk),
        ];
        // Runs of before there were settings of this engine are the same as those with its usual ones.
        parts.extend((args.engines.backward != "ours").then(|| format!("backward {}", args.engines.backward)));
        parts.extend((!args.engines.replay.is_empty()).then(|| format!("replay {}", args.engines.replay)));
        parts.extend(args.jobs.map(|n| format!("jobs {n}")));
        parts.extend(args.without_fixed.then(|| "without fixed jars".to_owned()));
        parts.extend(args.no_sandbox.then(|| "no sandbox".to_owned()));
        parts.join(", ")
    }

    pub(super) fn inputs(&self, crash: &Crash) -> Result<Inputs, PackError> {
        let class_path = self.pack.class_path(crash, self.jars)?;
        let fixed = if self.args.without_fixed { None } else { self.pack.fixed_class_path(crash, self.jars)? };
        Ok(Inputs { class_path, fixed })
    }

    /// Does the run; whatever goes wrong is in the record.
    pub(super) fn run(&self, task: Task<'_>) -> Record {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let started = Instant::now();
        let mut record = Record {
            schema: Record::SCHEMA,
            crash: task.crash.id.clone(),
            run: task.run,
            seed: task.seed,
            settings: self.settings(),
            setup: Setup {
                version: self.place.version.clone(),
                executable: self.place.executable.clone(),
                jdk: self.place.jdk.clone(),
                machine: self.place.machine.clone(),
                began,
                ..Setup::default()
            },
            outcome: Outcome { grade: "none".into(), ..Outcome::default() },
            ..Record::default()
        };
        match self.inputs(task.crash) {
            Ok(inputs) => self.fill(&mut record, task, &inputs),
            Err(error) => record.error = Some(error.to_string()),
        }
        record.wall_seconds = started.elapsed().as_secs_f64();
        record
    }

    fn fill(&self, record: &mut Record, task: Task<'_>, inputs: &Inputs) {
        let out = self.args.out.join(task.run.to_string()).join(&task.crash.id);
        // An id may have dots in it.
        let log = out.with_file_name(format!("{}.log", task.crash.id));
        let arguments = self.arguments(task, inputs, &out);
        record.setup.command = [self.place.program.clone().into_os_string()]
            .iter()
            .chain(&arguments)
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        match self.start(&arguments, &out, &log) {
            Err(error) => record.error = Some(error.to_string()),
            Ok(ended) => {
                record.refutations = refutations(&ended.stdout);
                match result(&ended.stdout) {
                    Some(outcome) => record.outcome = outcome,
                    None => record.error = Some(format!("{}: {}", ended.how, last_line(&log))),
                }
            }
        }
        record.statements = record.outcome.test.as_ref().and_then(|_| statements_in(&out));
    }

    /// The arguments of `reenact` for this run.
    fn arguments(&self, task: Task<'_>, inputs: &Inputs, out: &Path) -> Vec<OsString> {
        let (args, crash) = (self.args, task.crash);
        let mut line: Vec<OsString> = vec!["reproduce".into(), self.pack.trace_path(crash).into()];
        let mut option = |name: &str, value: OsString| line.extend([name.into(), value]);
        option("-c", joined(&inputs.class_path));
        if let Some(fixed) = &inputs.fixed {
            option("--fixed", joined(fixed));
        }
        option("--application", crash.target_frames.clone().into());
        option("--junit", "4".into());
        option("--seed", task.seed.to_string().into());
        match args.candidates {
            Some(n) => option("--candidates", n.to_string().into()),
            None => option("--budget", args.budget.clone().into()),
        }
        args.engines.names.iter().for_each(|engine| option("--engine", engine.into()));
        for (engine, settings) in args.engines.settings() {
            option(&format!("--{engine}"), settings.into());
        }
        if let Some(jobs) = args.jobs {
            option("--jobs", jobs.to_string().into());
        }
        if let Some(jdk) = &args.jdk {
            option("--jdk", jdk.clone().into());
        }
        crash.jvm.iter().flat_map(|all| all.split_whitespace()).for_each(|arg| option("--jvm-arg", arg.into()));
        option("--out", out.into());
        line.push("--json".into());
        if args.no_sandbox {
            line.push("--no-sandbox".into());
        }
        line
    }

    fn start(&self, arguments: &[OsString], out: &Path, log: &Path) -> std::io::Result<Output> {
        // A test of an earlier try would be taken for this run's.
        match std::fs::remove_dir_all(out) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => std::fs::create_dir_all(out)?,
        }
        let stderr = std::fs::File::create(log)?;
        #[expect(clippy::disallowed_methods, reason = "a run of the tool is a process of its own")]
        let mut command = Command::new(&self.place.program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn()?;
        let reader = child.stdout.take().map(|mut stdout| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                // A broken pipe ends the output like its end does.
                let _ = stdout.read_to_end(&mut bytes);
                bytes
            })
        });
        let how = wait(&mut child, self.limit())?;
        let stdout = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        Ok(Output { how, stdout: String::from_utf8_lossy(&stdout).into_owned() })
    }

    fn limit(&self) -> Option<Duration> {
        let budget = args::duration(&self.args.budget).ok().filter(|_| self.args.candidates.is_none());
        budget.map(|budget| budget + OVERTIME)
    }
}

struct Output {
    /// How the process ended, for people.
    how: String,
    stdout: String,
}

fn wait(child: &mut Child, limit: Option<Duration>) -> std::io::Result<String> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(shown(status));
        }
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            child.kill()?;
            child.wait()?;
            return Ok("killed, because it went on long after its budget".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn shown(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit status {code}"))
}

/// The last line with the result.
fn result(stdout: &str) -> Option<Outcome> {
    event(stdout.lines().last()?, "result")
}

fn refutations(stdout: &str) -> Vec<Refutation> {
    stdout.lines().filter_map(|line| event(line, "refuted")).collect()
}

/// What the line tells if it is an event of this name.
fn event<T: DeserializeOwned>(line: &str, name: &str) -> Option<T> {
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    (event["event"] == name).then(|| serde_json::from_value(event).ok())?
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let error = text.lines().find(|line| line.starts_with("error: ") || line.contains("panicked at"));
    error.or(text.lines().last()).unwrap_or("it printed nothing").to_owned()
}

/// Of all sources below the directory.
fn statements_in(directory: &Path) -> Option<u32> {
    let mut sum = 0;
    for entry in std::fs::read_dir(directory).ok()? {
        let path = entry.ok()?.path();
        if path.is_dir() {
            sum += statements_in(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "java") {
            sum += statements::statements(&std::fs::read_to_string(&path).ok()?);
        }
    }
    Some(sum)
}

fn joined(paths: &[PathBuf]) -> OsString {
    let mut text = OsString::new();
    for (index, path) in paths.iter().enumerate() {
        if index > 0 {
            text.push(":");
        }
        text.push(path);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fresh_jvms_refuted_is_read_from_the_events() {
        let stdout = concat!(
            r#"{"event":"claim","schema":1,"grade":"full-stack"}"#,
            "\n",
            r#"{"event":"refuted","schema":1,"claimed":"full-stack","confirmed":"none","why":"it returned"}"#,
            "\nnot an event\n",
        );
        let refuted = |claimed: &str, confirmed: &str, why: &str| Refutation {
            claimed: claimed.into(),
            confirmed: confirmed.into(),
            why: why.into(),
        };
        assert_eq!(refutations(stdout), [refuted("full-stack", "none", "it returned")]);
        assert_eq!(result(stdout), None);
    }
}
