//! The tool as a process, with the crashes of the bundled packs. Nothing waits for ever: a run that does not end is killed
//! and fails the test.

#![allow(dead_code, reason = "not every test needs everything")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// More processor time than any run takes; and how long nothing may move on a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The last line of standard output, as JSON.
    pub(crate) fn result(&self) -> serde_json::Value {
        let last = self.stdout.lines().last().unwrap_or_else(|| panic!("no result: {}", self.stderr));
        serde_json::from_str(last).unwrap()
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests start the tool itself")]
pub(crate) fn reenact() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reenact"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// For runs that start workers: nothing where candidates can be locked up; elsewhere, as in some containers, what the tool
/// itself names as the way out, with a notice that is not captured.
pub(crate) fn lock_up() -> &'static [&'static str] {
    static ARGS: std::sync::OnceLock<&[&str]> = std::sync::OnceLock::new();
    ARGS.get_or_init(|| {
        let doctor = run(&["doctor", "--json"]).result();
        let Some(missing) = doctor["sandbox"]["missing"].as_str() else { return &[] };
        let notice = format!("\nNO SANDBOX HERE: {missing}; the tool is tested with --no-sandbox\n");
        let _ = std::io::Write::write_all(&mut std::io::stderr(), notice.as_bytes());
        &["--no-sandbox"]
    })
}

/// Runs the tool with these arguments.
pub(crate) fn run(args: &[&str]) -> Ended {
    end(reenact().args(args))
}

pub(crate) fn end(command: &mut Command) -> Ended {
    Running::start(command).end()
}

/// A process whose output is read while it runs.
pub(crate) struct Running {
    pub(crate) child: Child,
    stdout: Reader,
    stderr: Reader,
}

/// How much a process is given until it has to show something, whatever else the machine does.
struct Patience {
    process: u32,
    had: Duration,
    moved: (Duration, Instant),
}

impl Patience {
    fn new(child: &Child) -> Patience {
        let had = processor_time(child.id());
        Patience { process: child.id(), had, moved: (had, Instant::now()) }
    }

    fn is_over(&mut self) -> bool {
        // Looking at all processes takes a moment: not before it is due.
        if self.moved.1.elapsed() < PATIENCE / 10 {
            return false;
        }
        let has = processor_time(self.process);
        if has != self.moved.0 {
            self.moved = (has, Instant::now());
        }
        has.saturating_sub(self.had) > PATIENCE || self.moved.1.elapsed() > PATIENCE
    }
}

/// Of a process, what it has waited for, and all below it that still run; nothing where the system does not tell.
fn processor_time(process: u32) -> Duration {
    let mut all = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // Behind the name, which may contain anything: state, parent, .., and from the 14th of all on, times in hundredths.
        let Some((id, rest)) = stat.rsplit_once(") ").and_then(|(front, rest)| Some((front.split_once(' ')?.0, rest)))
        else {
            continue;
        };
        let fields: Vec<u64> = rest.split(' ').map(|field| field.trim().parse().unwrap_or(0)).collect();
        if let (Ok(id), Some(times), Some(parent)) = (id.parse::<u64>(), fields.get(11..15), fields.get(1)) {
            all.insert(id, (*parent, times.iter().sum::<u64>()));
        }
    }
    let is_below = |id: u64| {
        let mut above = std::iter::successors(Some(id), |id| Some(all.get(id)?.0).filter(|parent| *parent > 1));
        above.any(|id| id == u64::from(process))
    };
    let ticks: u64 = all.iter().filter(|(id, _)| is_below(**id)).map(|(_, (_, ticks))| ticks).sum();
    Duration::from_millis(ticks * 10)
}

type Output = Box<dyn Read + Send>;
type Text = std::sync::Arc<std::sync::Mutex<Vec<u8>>>;

struct Reader {
    text: Text,
    thread: std::thread::JoinHandle<()>,
}

impl Reader {
    fn new(mut stream: impl Read + Send + 'static) -> Reader {
        let text = Text::default();
        let sink = text.clone();
        let thread = std::thread::spawn(move || {
            let mut block = [0; 4096];
            while let Ok(length @ 1..) = stream.read(&mut block) {
                sink.lock().unwrap().extend_from_slice(&block[..length]);
            }
        });
        Reader { text, thread }
    }

    fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().unwrap()).into_owned()
    }
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Running {
        let mut child = command.spawn().unwrap();
        // It may lead elsewhere.
        let stdout =
            Reader::new(child.stdout.take().map_or_else(|| Box::new(std::io::empty()) as Output, |out| Box::new(out)));
        let stderr = Reader::new(child.stderr.take().unwrap());
        Running { child, stdout, stderr }
    }

    /// Waits until standard output has this text; fails if the process ends before.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let mut patience = Patience::new(&self.child);
        while !self.stdout.so_far().contains(text) {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none() || self.stdout.so_far().contains(text), "ended before `{text}`: {}", self.said());
            self.give_up(&mut patience, text);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether standard error has this text, or the process has ended.
    pub(crate) fn has_said(&mut self, text: &str) -> bool {
        self.stderr.so_far().contains(text) || self.child.try_wait().unwrap().is_some()
    }

    pub(crate) fn signal(&self, name: &str) {
        #[expect(clippy::disallowed_methods, reason = "the standard library sends no signals")]
        let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", self.child.id())).status().unwrap();
        assert!(sent.success());
    }

    pub(crate) fn end(mut self) -> Ended {
        let mut patience = Patience::new(&self.child);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            self.give_up(&mut patience, "its end");
            std::thread::sleep(Duration::from_millis(20));
        };
        self.stdout.thread.join().unwrap();
        self.stderr.thread.join().unwrap();
        let text = |reader: Text| String::from_utf8_lossy(&reader.lock().unwrap()).into_owned();
        Ended { status, stdout: text(self.stdout.text), stderr: text(self.stderr.text) }
    }

    fn give_up(&mut self, patience: &mut Patience, what: &str) {
        if patience.is_over() {
            self.child.kill().unwrap();
            panic!("no {what} after {PATIENCE:?} of processor time, or of none: {}", self.said());
        }
    }

    fn said(&self) -> String {
        format!("{}{}", self.stdout.so_far(), self.stderr.so_far())
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn trace(id: &str) -> String {
    root().join(format!("packs/seeds/traces/{id}.log")).display().to_string()
}

pub(crate) fn jars() -> PathBuf {
    match std::env::var_os("REENACT_JARS") {
        Some(jars) => PathBuf::from(jars),
        None => panic!("REENACT_JARS is not set; run the tests by `cargo xtask test`, which fetches the jars"),
    }
}

/// The jar of ACC-48.
pub(crate) fn jar() -> String {
    jars().join("commons-collections/commons-collections/3.1/commons-collections-3.1.jar").display().to_string()
}

/// A log of ACC-48 with another message: its stack is found in a second, and then the search goes on for the message.
pub(crate) fn endless_crash(directory: &Path) -> String {
    let path = directory.join("endless.log");
    let text = std::fs::read_to_string(trace("ACC-48")).unwrap();
    std::fs::write(&path, text.replace("Initial capacity must be greater than 0", "no program says this")).unwrap();
    path.display().to_string()
}

/// The JDKs that the tool finds.
pub(crate) fn jdks() -> Vec<PathBuf> {
    let doctor = run(&["doctor", "--json"]).result();
    let homes = doctor["jdks"].as_array().unwrap().iter().filter(|jdk| jdk["compiler"] == true);
    homes.map(|jdk| PathBuf::from(jdk["home"].as_str().unwrap())).collect()
}

/// A program of one class, compiled, and the log of its crash.
pub(crate) struct Program {
    pub(crate) directory: tempfile::TempDir,
}

impl Program {
    /// `body` is that of `static int total(int n)` in `app.Shop`, on one line; where it throws, the crash is on line 3.
    #[expect(clippy::disallowed_methods, reason = "the tests run Java")]
    pub(crate) fn new(members: &str, body: &str) -> Program {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("Shop.java");
        let text = format!(
            "package app;\npublic class Shop {{\n public static int total(int n) {{ {body} return n; }}\n {members}\n}}\n"
        );
        std::fs::write(&source, text).unwrap();
        let javac = jdks()[0].join("bin/javac");
        let compiled = Command::new(javac)
            .args(["-g", "--release", "11", "-d"])
            .arg(directory.path().join("classes"))
            .arg(source)
            .output();
        let compiled = compiled.unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        std::fs::create_dir(directory.path().join("tmp")).unwrap();
        std::fs::write(
            directory.path().join("crash.log"),
            "java.lang.IllegalStateException: too many: 7\n\tat app.Shop.total(Shop.java:3)\n",
        )
        .unwrap();
        Program { directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A search for its crash, with temporary files of its own.
    pub(crate) fn command(&self) -> Command {
        let mut command = reenact();
        self.add_arguments(&mut command);
        command
    }

    pub(crate) fn add_arguments(&self, command: &mut Command) {
        command.arg(self.path("crash.log")).arg("-c").arg(self.path("classes")).args(["--json", "--junit", "main"]);
        command.args(lock_up()).arg("-o").arg(self.path("out")).env("TMPDIR", self.path("tmp"));
        command.current_dir(self.directory.path());
    }

    pub(crate) fn assert_no_temporary_files(&self) {
        let left: Vec<_> = std::fs::read_dir(self.path("tmp")).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// The children of a process, and theirs.
pub(crate) fn descendants(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    let children: Vec<u32> =
        lists.flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()).collect();
    children.iter().copied().chain(children.iter().flat_map(|child| descendants(*child))).collect()
}

/// A small library, and a program that uses it and crashes in several ways; the program itself is not on the class path of the search.
/// Their sources are in the directory of that name beside the tests, and in the package of that name.
pub(crate) struct Scene {
    name: &'static str,
    directory: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn new(name: &'static str) -> Scene {
        let directory = tempfile::tempdir().unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
        let (library, field) = (directory.path().join("library"), directory.path().join("field"));
        let of_library = java_files(&sources.join("library").join(name));
        testing::compile(&of_library, &library, &["-g"]);
        // The program is compiled with the library, so that it need not be told where that is.
        let of_field = java_files(&sources.join("field").join(name));
        let all: Vec<PathBuf> = of_library.into_iter().chain(of_field).collect();
        testing::compile(&all, &field, &["-g"]);
        Scene { name, directory }
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The log of the crash with this name.
    pub(crate) fn log(&self, crash: &str) -> PathBuf {
        let jdk = &testing::jdks()[0];
        let class_path = testing::class_path(&[&self.at("library"), &self.at("field")]);
        let main = format!("{}.Field", self.name);
        let ran = jdk.java().arg("-cp").arg(class_path).args([&main, crash]).output().unwrap();
        let log = self.at(&format!("{crash}.log"));
        std::fs::write(&log, ran.stderr).unwrap();
        log
    }

    /// The tool for that crash, with that seed.
    pub(crate) fn tool(&self, crash: &str, seed: &str) -> Command {
        let mut tool = reenact();
        tool.arg(self.log(crash))
            .arg("-c")
            .arg(self.at("library"))
            .arg("-o")
            .arg(self.at(&format!("out-{crash}-{seed}")));
        tool.args(["--seed", seed, "--json"]).args(lock_up());
        tool
    }
}

fn java_files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
