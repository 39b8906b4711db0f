//! Classes that crash, compiled from `tests/throws`, and what an engine knows of a crash of theirs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine::{Goal, Setup};
use objects::Catalogue;
use program::{Cache, ClassPath, Jdk, Program};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name, what the log says was thrown, and the frames: methods of the class with the end of their lines, and of the JDK.
pub(crate) type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

pub(crate) struct Scene {
    class: &'static str,
    source: String,
    program: Arc<Program>,
    _directory: tempfile::TempDir,
}

impl Scene {
    /// With the class of this name.
    pub(crate) fn of(class: &'static str) -> Scene {
        let directory = tempfile::tempdir().unwrap();
        let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/throws/{class}.java"));
        let source = std::fs::read_to_string(&path).unwrap();
        testing::compile(&[path], directory.path(), &["-g"]);
        let class_path = ClassPath::parse([directory.path()]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        Scene { class, source, program: Arc::new(program), _directory: directory }
    }

    pub(crate) fn setup(&self, (_, thrown, frames): &Case) -> Setup {
        let thrown = if thrown.starts_with("java.") { (*thrown).to_owned() } else { format!("java.lang.{thrown}") };
        let text = frames.iter().fold(format!("{thrown}\n"), |text, frame| text + &self.line_of_trace(frame));
        let throwable = crash_report::parse(text.as_bytes()).traces.remove(0).throwable;
        let catalogue = Arc::new(Catalogue::new(self.program.clone(), &[]));
        let is_application = |class: &str| class.starts_with("throwing.");
        let target = target::CrashTarget::derive(&throwable, catalogue.methods(), &is_application);
        let goal = Arc::new(Goal::new(&target, throwable, catalogue.methods()));
        Setup {
            target: Arc::new(target),
            goal,
            program: self.program.clone(),
            catalogue,
            is_application: Arc::new(is_application),
            before: String::new(),
            seed: 1,
            is_counted: true,
            waypoints: Vec::new(),
        }
    }

    /// The number of the line that ends with this comment.
    pub(crate) fn line(&self, end: &str) -> Option<u16> {
        let line = self.source.lines().position(|line| line.ends_with(&format!("// {end}")))?;
        u16::try_from(line + 1).ok()
    }

    fn line_of_trace(&self, (method, end): &(&str, &str)) -> String {
        if method.starts_with("java.") {
            return format!("\tat {method}(Unknown Source)\n");
        }
        let outer = self.class;
        let method = match method.split_once('.') {
            Some((class, method)) => format!("throwing.{outer}${class}.{method}"),
            None => format!("throwing.{outer}.{method}"),
        };
        match self.line(end) {
            Some(line) => format!("\tat {method}({outer}.java:{line})\n"),
            None => format!("\tat {method}(Unknown Source)\n"),
        }
    }
}
