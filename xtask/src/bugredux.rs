//! BugRedux's Table III on crashes of a pack: each program is recorded, and `--engine replay` alone gets the failure point, the stack, the
//! calls or the whole trace of it. The programs are the field: they are not on the class path that the engine sees.

use crate::{fetch, tools};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACK: &str = "packs/conditions";
/// Kinds of goals, with the level at which they are recorded.
const GOALS: [(&str, &str); 4] = [("point", "calls"), ("stack", "calls"), ("calls", "calls"), ("trace", "trace")];

#[derive(Deserialize)]
struct Pack {
    crashes: Vec<Crash>,
}

#[derive(Deserialize)]
struct Crash {
    id: String,
    target_frames: String,
    jars: Vec<Jar>,
}

#[derive(Deserialize)]
struct Jar {
    maven: String,
}

/// One program, compiled, and what it needs.
struct Field<'a> {
    crash: &'a Crash,
    jars: Vec<String>,
    classes: tempfile::TempDir,
    main: String,
}

pub(crate) fn table(only: &[String], budget: &str) -> Result<()> {
    tools::require_jdk()?;
    let root = tools::root();
    let pack: Pack = serde_json::from_str(&std::fs::read_to_string(root.join(PACK).join("manifest.json"))?)?;
    let jars = fetch::packs(only)?;
    tools::run(tools::cargo().args(["build", "--release", "--quiet", "--package", "cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let reenact = target.join("release/reenact");
    println!(
        "{:<18} {:>8} {:>8}  {}",
        "crash",
        "calls",
        "trace",
        GOALS.map(|(goal, _)| format!("{goal:<12}")).join(" ")
    );
    let mut full = [0; GOALS.len()];
    let mut all = 0;
    for crash in pack.crashes.iter().filter(|crash| only.is_empty() || only.contains(&crash.id)) {
        let Some(field) = Field::new(crash, &jars)? else { continue };
        let grades = field.row(&reenact, budget)?;
        all += 1;
        full.iter_mut().zip(&grades).for_each(|(full, grade)| *full += usize::from(grade.starts_with("full-stack")));
    }
    println!("{:<36}  {}", format!("full-stack, of {all}"), full.map(|count| format!("{count:<12}")).join(" "));
    Ok(())
}

impl Field<'_> {
    /// None where there is no program.
    fn new<'a>(crash: &'a Crash, jars: &Path) -> Result<Option<Field<'a>>> {
        let source = tools::root().join(PACK).join("programs").join(format!("{}.java", crash.id));
        let Ok(text) = std::fs::read_to_string(&source) else { return Ok(None) };
        let jars: Vec<String> =
            crash.jars.iter().map(|jar| fetch::jar_path(jars, &jar.maven).display().to_string()).collect();
        let classes = tempfile::tempdir()?;
        let mut javac = tools::command("javac");
        javac.args(["-nowarn", "-g", "-cp", &jars.join(":"), "-d"]).arg(classes.path()).arg(&source);
        tools::run(&mut javac)?;
        let before = text.split("public static void main").next().unwrap_or_default();
        let name = before.rsplit("class ").next().and_then(|rest| rest.split_whitespace().next());
        let package = text.lines().find_map(|line| line.strip_prefix("package ")?.strip_suffix(';'));
        let main = [package, name].into_iter().flatten().collect::<Vec<_>>().join(".");
        Ok(Some(Field { crash, jars, classes, main }))
    }

    /// How far each kind of goals leads; printed with the lengths of what was recorded.
    fn row(&self, reenact: &Path, budget: &str) -> Result<Vec<String>> {
        let scratch = tempfile::tempdir()?;
        let calls = self.record(reenact, "calls", scratch.path())?;
        let trace = self.record(reenact, "trace", scratch.path())?;
        let length = |recording: &Option<PathBuf>| -> Result<String> {
            let Some(recording) = recording else { return Ok("-".into()) };
            let shown = said(tools::command(reenact).args(["recording", "show"]).arg(recording))?;
            Ok(shown.lines().filter(|line| line.starts_with("  ")).count().to_string())
        };
        let mut grades = Vec::new();
        for (goal, level) in GOALS {
            let recording = if level == "trace" { &trace } else { &calls };
            grades.push(match recording {
                Some(recording) => self.replay(reenact, recording, goal, (budget, scratch.path()))?,
                None => "-".to_owned(),
            });
        }
        let shown: Vec<String> = grades.iter().map(|grade| format!("{grade:<12}")).collect();
        println!("{:<18} {:>8} {:>8}  {}", self.crash.id, length(&calls)?, length(&trace)?, shown.join(" "));
        Ok(grades)
    }

    fn record(&self, reenact: &Path, level: &str, scratch: &Path) -> Result<Option<PathBuf>> {
        let out = scratch.join(level);
        let class_path = format!("{}:{}", self.jars.join(":"), self.classes.path().display());
        let mut program = tools::command(reenact);
        program.args(["record", "--level", level, "-o"]).arg(&out);
        program.args(["--", "java", "-cp", &class_path, &self.main]);
        said(&mut program)?;
        let files = std::fs::read_dir(&out).into_iter().flatten().flatten().map(|entry| entry.path());
        Ok(files.into_iter().find(|path| path.to_string_lossy().contains("-crash-")))
    }

    fn replay(&self, reenact: &Path, recording: &Path, goal: &str, (budget, scratch): (&str, &Path)) -> Result<String> {
        let mut run = tools::command(reenact);
        run.arg(recording).args(["-c", &self.jars.join(":"), "--application", &self.crash.target_frames]);
        run.args(["--engine", "replay", "--replay", &format!("goals={goal}"), "--budget", budget, "--json", "--out"]);
        let out = said(run.arg(scratch.join(goal)))?;
        let last: Option<serde_json::Value> = out.lines().last().and_then(|line| serde_json::from_str(line).ok());
        let grade = last.as_ref().and_then(|result| result["grade"].as_str()).unwrap_or("error");
        Ok(grade.to_owned())
    }
}

/// What it says on standard output, however it ends.
fn said(command: &mut Command) -> Result<String> {
    let out = command.output().with_context(|| format!("cannot start {command:?}"))?;
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}
