//! The process of a confirming JVM: takes its orders, locks itself up, starts the VM, has the tests run, and tells what escaped.
//!
//! The VM is one that this native code hosts. Java code finds nothing here that it could talk through: orders have been read, the
//! answer is written to shared memory to which no descriptor leads any more, and what the tests did is in an object that only this
//! code and the stack of the running tests know. Stacks are compared with what the VM itself has noted.

use super::answer::Answer;
use super::told::{self, Element, Event, Thrown};
use jvm::{Env, Global, JvmError, Kinds, Local, Stacks, StaticMethod, Vm};
use sandbox::inherited::{self, Leads};
use sandbox::{SandboxError, SandboxPolicy, child, messages};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

/// The hidden subcommand that ends in [`main`].
pub const COMMAND: &str = "confirming";

/// What such a process must know before its VM exists.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    pub(super) sandbox: Option<SandboxPolicy>,
    pub(super) libjvm: PathBuf,
    pub(super) vm_options: Vec<String>,
    /// Bytes of stack of the thread that runs the tests.
    pub(super) stack: usize,
    /// The internal name of the class that runs them.
    pub(super) runner: String,
    /// What that is told: names of classes, separated by line ends.
    pub(super) classes: String,
}

/// Why tests could not be run.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The system's fault, or that of another version of this program.
    #[error("cannot {what}")]
    Io {
        what: &'static str,
        #[source]
        source: io::Error,
    },
    /// The system's fault; see there.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The JDK's fault, or that of the user's VM options.
    #[error(transparent)]
    Jvm(#[from] JvmError),
    /// The JDK is one that nobody has tried.
    #[error("this JVM keeps stacks in a form that is not known")]
    UnknownStacks,
}

/// Entry point of the hidden subcommand. Standard input is a pipe that whoever started it holds open for as long as it is to go on,
/// standard output memory for the answer. Must be called before any thread is started. Never returns.
pub fn main() -> ! {
    inherited::close();
    child::die_with_parent();
    if let Err(error) = serve() {
        report(&error);
    }
    child::leave(1)
}

/// As the JVM's own launcher reports what keeps it from starting.
fn report(error: &dyn std::error::Error) {
    eprint!("error: {error}");
    let mut source = error.source();
    while let Some(cause) = source {
        eprint!(": {cause}");
        source = cause.source();
    }
    eprintln!();
}

fn serve() -> Result<(), Failure> {
    let io = |what| move |source| Failure::Io { what, source };
    let (input, memory) = inherited::take_over(Leads::ToErrors).map_err(io("take over the descriptors"))?;
    let (mut input, memory) = (File::from(input), File::from(memory));
    let setup: Setup = messages::receive(&mut input).map_err(io("read the orders"))?;
    let answer = Answer::open(&memory).map_err(io("map the place for the answer"))?;
    // Mapped it stays; open, tests would find it.
    drop(memory);
    setup.sandbox.as_ref().map(sandbox::apply).transpose()?;
    // The first thread of a process has another stack than the VM would give it.
    let thread = std::thread::Builder::new().name("main".into()).stack_size(setup.stack);
    thread.spawn(move || run(&setup, answer)).map_err(io("start a thread"))?;
    // Whoever started us has closed its end, or has died: what there is by now is all that there will be.
    while let Ok(1..) = input.read(&mut [0; 64]) {}
    if let Some(tests) = TESTS.get()
        && let Ok(env) = tests.vm.attach()
    {
        tests.tell(&env, false);
    }
    Ok(())
}

/// On the thread that Java knows as `main`.
fn run(setup: &Setup, answer: Answer) {
    match Tests::start(setup, answer).and_then(|(tests, env)| tests.run(&env, &setup.classes)) {
        Ok(()) => child::leave(0),
        Err(error) => {
            report(&error);
            child::leave(1);
        }
    }
}

/// There is one VM per process, and its hook gets no pointer of ours.
static TESTS: OnceLock<Tests> = OnceLock::new();

/// The VM, the object that runs tests in it, and where it is told what came of them.
struct Tests {
    vm: Vm,
    runner: Global,
    run: StaticMethod,
    told: StaticMethod,
    kinds: Kinds,
    stacks: Stacks,
    /// Gone once it was written for good.
    answer: Mutex<Option<Answer>>,
}

impl Tests {
    fn start(setup: &Setup, answer: Answer) -> Result<(&'static Tests, Env<'static>), Failure> {
        let vm = Vm::start(&setup.libjvm, &setup.vm_options)?;
        let tests = {
            let env = vm.attach()?;
            let class = env.find_class(&setup.runner)?;
            let object = "Ljava/lang/Object;";
            Tests {
                vm,
                runner: env.call_object(env.static_method(class, "make", &format!("(){object}"))?)?,
                run: env.static_method(class, "run", &format!("({object}Ljava/lang/String;){object}"))?,
                told: env.static_method(class, "told", &format!("({object}){object}"))?,
                kinds: Kinds::find(&env)?,
                stacks: Stacks::find(&env).ok_or(Failure::UnknownStacks)?,
                answer: Mutex::new(Some(answer)),
            }
        };
        let tests = TESTS.get_or_init(|| tests);
        hook::install(tests.vm)?;
        Ok((tests, tests.vm.attach()?))
    }

    fn run(&self, env: &Env<'_>, classes: &str) -> Result<(), Failure> {
        let classes = env.text(classes)?;
        let ran = env.reference(self.runner).map(|runner| env.call_with(self.run, &[&runner, &classes]).map(drop));
        let ran = ran.unwrap_or(Ok(()));
        // What was told before the runner itself failed is true all the same.
        self.tell(env, ran.is_ok());
        Ok(ran?)
    }

    /// Writes the answer, once: when all tests have been run, or when the process is about to end before that.
    fn tell(&self, env: &Env<'_>, ended: bool) {
        // Whoever has it is about to write; to wait for that may be to wait for a thread that the VM has stopped.
        let Ok(mut place) = self.answer.try_lock() else { return };
        let Some(answer) = place.take() else { return };
        let mut events = self.events(env);
        events.extend(ended.then_some(Event::Ended));
        answer.write(&told::print(&events));
    }

    fn events(&self, env: &Env<'_>) -> Vec<Event> {
        let told = env.reference(self.runner).and_then(|runner| env.call_with(self.told, &[&runner]).ok().flatten());
        let Some(told) = told else { return Vec::new() };
        told.elements(&self.kinds).flatten().filter_map(|parts| self.event(env, &parts)).collect()
    }

    /// See the head of the class that runs tests.
    fn event(&self, env: &Env<'_>, parts: &Local<'_>) -> Option<Event> {
        let mut parts = parts.elements(&self.kinds);
        let kind = self.text(parts.next())?;
        let name = self.text(parts.next())?;
        Some(match kind.as_str() {
            "T" => Event::Started { test: name },
            "F" => Event::Failed { test: name, chain: self.chain(env, parts) },
            "S" => {
                let reason = self.text(parts.next()).unwrap_or_default();
                Event::NotRun { name, reason, lacks: self.text(parts.next()) }
            }
            "E" => Event::Unloadable { class: name, reason: self.text(parts.next()).unwrap_or_default() },
            "N" => Event::Needs { framework: name },
            _ => return None,
        })
    }

    fn text(&self, part: Option<Option<Local<'_>>>) -> Option<String> {
        part??.string(&self.kinds)
    }

    /// Exceptions with their messages and stacks.
    fn chain<'vm>(&self, env: &Env<'vm>, mut parts: impl Iterator<Item = Option<Local<'vm>>>) -> Vec<Thrown> {
        let mut chain = Vec::new();
        while let Some(Some(thrown)) =
            parts.next().filter(|part| part.as_ref().is_some_and(|t| self.stacks.is_exception(t)))
        {
            let message = self.text(parts.next());
            let stack = parts.next().flatten().map(|stack| self.stack(env, &stack)).unwrap_or_default();
            let noted = self.stacks.noted(env, &thrown).map(|noted| self.stack(env, &noted));
            let class = thrown.class_name(&self.kinds).unwrap_or_default();
            // One that was made without a stack, and tells one, has it from elsewhere.
            let is_replaced = match noted {
                Some(noted) => noted != stack,
                None => self.stacks.are_known() && !stack.is_empty(),
            };
            let elsewhere = self.elsewhere(env, &stack);
            chain.push(Thrown { class, message, is_replaced, elsewhere, stack });
        }
        chain
    }

    /// Of a VM that does not tell, nothing is known.
    fn elsewhere(&self, env: &Env<'_>, stack: &[Element]) -> Vec<String> {
        let names = stack.iter().map(|element| element.0.as_str()).collect();
        let found = self.vm.tools().and_then(|tools| tools.defined_elsewhere(env, &self.kinds, &names));
        found.map_or_else(|_| Vec::new(), |found| found.into_iter().collect())
    }

    fn stack(&self, env: &Env<'_>, stack: &Local<'_>) -> Vec<Element> {
        const MOST: usize = 4096;
        let elements = stack.elements(&self.kinds).flatten().take(MOST);
        let read = elements.filter_map(|element| self.stacks.element(env, &element, &self.kinds));
        read.map(|element| Element(element.class, element.method, element.file, element.line)).collect()
    }
}

/// What the VM calls.
mod hook {
    #![expect(unsafe_code, reason = "called by the VM")]

    use super::TESTS;
    use jvm::{Env, JvmError, Vm};
    use std::ffi::c_void;

    /// Tests that end the VM do not take with them what was told before.
    pub(super) fn install(vm: Vm) -> Result<(), JvmError> {
        // SAFETY: it takes what the VM passes, whichever thread it is.
        unsafe { vm.tools()?.set_death_hook(death) }
    }

    unsafe extern "system" fn death(_tools: *mut *const *const c_void, env: *mut jni_sys::JNIEnv) {
        // SAFETY: the VM passes the environment of this thread, which is not kept.
        let env = unsafe { Env::from_raw(env) };
        if let (Some(tests), Some(env)) = (TESTS.get(), env) {
            // A panic must not unwind into the VM.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tests.tell(&env, false)));
        }
    }
}
