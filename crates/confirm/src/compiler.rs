//! The JDK's compiler, kept warm: one JVM, locked up, that compiles whatever it is asked to for as long as this value
//! lives. Its first compilation takes most of a second, every further one some 50 ms, so it is started early and given
//! something to do, while the caller is still busy with other things.
//!
//! No code of the program runs in it: annotation processors are off, and plug-ins of the compiler are looked for in an empty
//! directory (see `compile`). Should some get in all the same, it finds neither environment nor files beyond what is compiled, and
//! can write nowhere but to one directory, from which classes are taken away before they are run.

use super::jdk::Tools;
use super::process::{self, Program};
use super::scratch::Scratch;
use super::{ConfirmError, ConfirmOptions};
use sandbox::child::Process;
use sandbox::{Readable, absolute, usual_heap};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

pub(super) struct Compiler {
    server: Server,
    start: Start,
    /// What each new one begins with.
    warm_up: Vec<String>,
}

/// How one is started.
struct Start {
    program: PathBuf,
    args: Vec<OsString>,
    /// What it may write to.
    output: PathBuf,
    /// What re-executes this program.
    lock_up: Option<Vec<OsString>>,
    /// What it may read beyond the JDK.
    readable: Vec<PathBuf>,
}

/// What javac said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) accepted: bool,
    pub(super) said: String,
}

/// It runs for seconds: starting fast counts, optimising does not. What the VM itself has to say must not get between the
/// answers.
const FAST: [&str; 8] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    jvm::ARCHIVE_STAYS[0],
    jvm::ARCHIVE_STAYS[1],
    "-XX:+DisplayVMOutputToStderr",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-Dfile.encoding=UTF-8",
];
/// Messages are read by people and by our tests.
const ENGLISH: &str = "-Duser.language=en";
const CLASS: &str = "reenact/confirm/Compiler";
const CLASS_FILE: &[u8] = include_bytes!("../java/classes/reenact/confirm/Compiler.class");
/// The part of the scratch directory that the compiler may write to.
pub(super) const OUTPUT: &str = "compiled";
const TIME_LIMIT: Duration = Duration::from_secs(300);
/// Longer answers are not javac's.
const MAX_ANSWER: u32 = 64 << 20;
/// What our Java class answers where the installation has no compiler.
const NO_COMPILER: i32 = -1;

impl Compiler {
    /// Starts one that may read all of the scratch directory and write to the part of it that is for its output.
    pub(super) fn start(
        tools: &Tools,
        lock_up: Option<&[OsString]>,
        scratch: &Scratch,
        readable: &[PathBuf],
    ) -> Result<Compiler, ConfirmError> {
        let home = scratch.directory("compiler")?;
        let output = scratch.directory(OUTPUT)?;
        scratch.write_bytes("compiler", &PathBuf::from(format!("{CLASS}.class")), CLASS_FILE)?;
        let mut args: Vec<OsString> = FAST.iter().map(OsString::from).collect();
        args.push(ENGLISH.into());
        args.push(format!("-Xmx{}m", usual_heap() >> 20).into());
        for name in ["java.io.tmpdir", "user.home"] {
            let mut property = OsString::from(format!("-D{name}="));
            property.push(&output);
            args.push(property);
        }
        args.extend(["-classpath".into(), home.into(), CLASS.replace('/', ".").into()]);
        let start = Start {
            program: tools.compiler_java.clone(),
            args,
            output,
            lock_up: lock_up.map(<[OsString]>::to_vec),
            readable: std::iter::once(scratch.path())
                .chain(readable.iter().map(PathBuf::as_path))
                .map(absolute)
                .collect(),
        };
        let server = start.server(tools)?;
        Ok(Compiler { server, start, warm_up: Vec::new() })
    }

    /// Begins with a compilation that nobody waits for until the next one is asked for.
    pub(super) fn warm_up(&mut self, args: Vec<String>) {
        self.warm_up = args;
        self.begin();
    }

    fn begin(&mut self) {
        // If it is dead already, the next one to ask will know.
        let _ = self.server.send(&self.warm_up);
    }

    fn restart(&mut self, tools: &Tools) -> Result<(), ConfirmError> {
        self.server = self.start.server(tools)?;
        self.begin();
        Ok(())
    }

    /// Runs javac with these arguments, which make it read these files. A compiler that may not, or that has died, is replaced, once.
    pub(super) fn compile(
        &mut self,
        args: &[String],
        reads: &[PathBuf],
        tools: &Tools,
        options: &ConfirmOptions,
    ) -> Result<Answer, ConfirmError> {
        self.allow(reads, tools)?;
        let failed = |source| ConfirmError::System { what: "run the compiler", source };
        let answer = match self.server.ask(args, options.limit(TIME_LIMIT)?) {
            Ok(answer) => answer,
            Err(Lost::TimedOut) => {
                options.check_time()?;
                self.restart(tools)?;
                let said = format!("javac did not end within {} seconds", TIME_LIMIT.as_secs());
                return Ok(Answer { accepted: false, said });
            }
            Err(Lost::Died) => {
                self.restart(tools)?;
                let asked = self.server.ask(args, options.limit(TIME_LIMIT)?);
                options.check_time()?;
                asked.map_err(|_| failed(io::Error::other("it ends without an answer")))?
            }
        };
        match answer.status {
            NO_COMPILER => Err(ConfirmError::NoCompiler { home: tools.home.clone() }),
            status => Ok(Answer { accepted: status == 0, said: answer.said }),
        }
    }
}

impl Compiler {
    fn allow(&mut self, reads: &[PathBuf], tools: &Tools) -> Result<(), ConfirmError> {
        let known = &self.start.readable;
        let is_new = |path: &&PathBuf| !known.iter().any(|known| path.starts_with(known));
        let reads: Vec<PathBuf> = reads.iter().map(|path| absolute(path)).collect();
        let new: Vec<PathBuf> = reads.iter().filter(is_new).cloned().collect();
        if self.start.lock_up.is_some() && !new.is_empty() {
            self.start.readable.extend(new);
            self.restart(tools)?;
        }
        Ok(())
    }
}

impl Start {
    fn server(&self, tools: &Tools) -> Result<Server, ConfirmError> {
        let readable = Readable { class_path: &self.readable, ..Readable::default() };
        let lock_up = tools.lock_up(self.lock_up.as_deref(), &self.output, readable);
        let program = Program { program: &self.program, args: &self.args, directory: &self.output, lock_up };
        Server::start(&program).map_err(|source| ConfirmError::System { what: "start the compiler", source })
    }
}

/// The process. It is ended when the value goes.
struct Server {
    _process: Process,
    stdin: ChildStdin,
    answers: Receiver<RawAnswer>,
    /// Answers that nobody has waited for yet.
    owed: usize,
}

struct RawAnswer {
    status: i32,
    said: String,
}

enum Lost {
    Died,
    TimedOut,
}

impl Server {
    fn start(program: &Program<'_>) -> io::Result<Server> {
        let mut command = process::command(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Process::start(command)?;
        let (stdin, stdout) = (process.take_stdin(), process.take_stdout());
        let (Some(stdin), Some(mut stdout)) = (stdin, stdout) else {
            return Err(io::Error::other("it has no standard streams"));
        };
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            // The end of the stream, or of whoever listens.
            while let Ok(answer) = read_answer(&mut stdout) {
                if sender.send(answer).is_err() {
                    break;
                }
            }
        });
        Ok(Server { _process: process, stdin, answers, owed: 0 })
    }

    fn send(&mut self, args: &[String]) -> io::Result<()> {
        self.stdin.write_all(&request(args))?;
        self.stdin.flush()?;
        self.owed += 1;
        Ok(())
    }

    fn ask(&mut self, args: &[String], limit: Duration) -> Result<RawAnswer, Lost> {
        let deadline = Instant::now() + limit;
        // Before a long request is written somebody must be there to read it.
        while self.owed > 0 {
            self.receive(deadline)?;
        }
        self.send(args).map_err(|_| Lost::Died)?;
        self.receive(deadline)
    }

    fn receive(&mut self, deadline: Instant) -> Result<RawAnswer, Lost> {
        let left = deadline.saturating_duration_since(Instant::now());
        let answer = self.answers.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Lost::TimedOut,
            RecvTimeoutError::Disconnected => Lost::Died,
        })?;
        self.owed -= 1;
        Ok(answer)
    }
}

fn request(args: &[String]) -> Vec<u8> {
    let mut bytes = length(args.len()).to_vec();
    for arg in args {
        bytes.extend(length(arg.len()));
        bytes.extend(arg.as_bytes());
    }
    bytes
}

fn length(of: usize) -> [u8; 4] {
    u32::try_from(of).expect("command lines are not that long").to_be_bytes()
}

fn read_answer(stream: &mut impl Read) -> io::Result<RawAnswer> {
    let mut word = [0; 4];
    stream.read_exact(&mut word)?;
    let status = i32::from_be_bytes(word);
    stream.read_exact(&mut word)?;
    let size = u32::from_be_bytes(word);
    if size > MAX_ANSWER {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut said = vec![0; size as usize];
    stream.read_exact(&mut said)?;
    Ok(RawAnswer { status, said: String::from_utf8_lossy(&said).into_owned() })
}
