//! What the VM calls.
#![expect(unsafe_code, reason = "called by the VM")]

use crate::Settings;
use crate::arm::ArmFile;
use crate::crash::Describer;
use crate::recorder::{NoRecording, Recorder};
use crate::watch::Watch;
use jni_sys::{JNIEnv, JavaVM, jboolean, jclass, jint, jobject};
use jvm::{Env, JvmError, StaticMethod, Tools, Vm};
use recording::Level;
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::OnceLock;

const RING: (&str, &[u8]) = ("java/lang/ReenactRing", include_bytes!("../java/classes/java/lang/ReenactRing.class"));
const RECORDER: (&str, &[u8]) =
    ("java/lang/ReenactRecorder", include_bytes!("../java/classes/java/lang/ReenactRecorder.class"));

/// How the thread that watches is called in what the VM prints of threads, for as long as it is busy.
const THREAD_NAME: &CStr = c"reenact";

/// The class that tells of crashes.
const THREAD: &str = "java/lang/Thread";

/// Each question for the tools gives others: they are asked for once.
static SETTINGS: OnceLock<(Vm, Tools, Settings)> = OnceLock::new();
static RUNNING: OnceLock<Running> = OnceLock::new();

#[derive(Debug)]
struct Running {
    recorder: Recorder,
    describer: Describer,
}

/// The VM has loaded this library. Whatever is wrong, the program is started.
///
/// # Safety
/// Called by a VM, with its interface and a text or null.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    let loaded = || {
        // SAFETY: the caller's.
        let (vm, options) = unsafe { (Vm::from_raw(vm), options.as_ref().map(|text| CStr::from_ptr(text))) };
        let options = options.map(CStr::to_string_lossy).unwrap_or_default();
        match (vm, Settings::parse(&options)) {
            (Some(vm), Ok(settings)) => {
                if let Err(error) = prepare(vm, settings) {
                    say(&error.to_string());
                }
            }
            (_, Err(error)) => say(&error.to_string()),
            (None, _) => {}
        }
    };
    // A panic must not unwind into the VM.
    let _ = catch_unwind(AssertUnwindSafe(loaded));
    0
}

fn prepare(vm: Vm, settings: Settings) -> Result<(), JvmError> {
    let tools = vm.tools()?;
    tools.add_agent_capabilities()?;
    let _ = SETTINGS.set((vm, tools, settings));
    // SAFETY: the hooks are ready for any thread.
    unsafe { tools.set_agent_hooks(init_hook, death_hook, load_hook) }
}

/// The one thing that the program's user may see of a recorder that is off.
fn say(why: &str) {
    let _ = writeln!(std::io::stderr(), "reenact: nothing is recorded: {why}");
}

/// The VM has started, and the program has not.
unsafe extern "system" fn init_hook(_tools: *mut *const *const c_void, jni: *mut JNIEnv, _thread: jobject) {
    let started = || {
        let Some((vm, tools, settings)) = SETTINGS.get() else { return };
        // SAFETY: the VM passes this thread's environment, which is not kept.
        let Some(env) = (unsafe { Env::from_raw(jni) }) else { return };
        if let Err(error) = start((*vm, *tools), &env, settings) {
            if let Some(running) = RUNNING.get() {
                running.recorder.end();
            }
            let _ = tools.show_classes(false);
            say(&error.to_string());
        }
    };
    let _ = catch_unwind(AssertUnwindSafe(started));
}

fn start((vm, tools): (Vm, Tools), env: &Env<'_>, settings: &Settings) -> Result<(), NoRecording> {
    let describer = Describer::new(env)?;
    env.define_boot_class(RING.0, RING.1)?;
    let class = env.define_boot_class(RECORDER.0, RECORDER.1)?;
    let running = Running { recorder: Recorder::new(settings.clone(), jdk(env).unwrap_or_default())?, describer };
    let running = RUNNING.get_or_init(|| running);
    let recorder = &running.recorder;
    let rings = recorder.file().layout().rings as i32;
    env.call_with_ints(env.static_method(class, "start", "(II)V")?, &[rings, recorder.settings().redact as i32])?;
    let mut arm = settings.arm.clone().map(ArmFile::new);
    if let Some(methods) = arm.as_mut().and_then(ArmFile::look) {
        recorder.arm(methods);
    }
    tools.show_classes(true)?;
    let thread = tools.loaded(|name| name == THREAD || recorder.is_exception(name))?;
    // SAFETY: the VM has just given these references to this thread.
    unsafe { tools.retransform(&thread)? };
    if recorder.wants_classes() {
        let tell = env.static_method(class, "tell", "(I)V")?;
        let splicing = Splicing { tools, tell, recorder };
        let watching = move || drop(catch_unwind(AssertUnwindSafe(|| watch(vm, &splicing, arm))));
        // Without this thread recording costs what it costs.
        let _ = std::thread::Builder::new().name("reenact".into()).stack_size(WATCHING_STACK).spawn(watching);
    } else {
        tools.show_classes(false)?;
    }
    Ok(())
}

/// Room for the thread that watches what recording costs; splicing classes again needs the most of it.
const WATCHING_STACK: usize = 1 << 20;
/// How often something is hushed, at each level, before the level goes.
const HUSHES: usize = 24;
/// Classes that are spliced again at a time: those of more loaders are left as they are.
const MOST_CLASSES: usize = 64;

/// Looks what recording costs, until the program ends, and takes out of the code what is too much; and for crashes to be armed for.
fn watch(vm: Vm, spliced: &Splicing<'_>, mut arm: Option<ArmFile>) {
    let recorder = spliced.recorder;
    let mut watch = Watch::new();
    let mut hushes = 0;
    while recorder.level() > Level::Stack {
        if let Some(methods) = arm.as_mut().and_then(ArmFile::look).or_else(|| recorder.to_arm()) {
            let classes = recorder.arm(methods);
            let is_done =
                classes.is_empty() || matches!(vm.attached(THREAD_NAME, |_| spliced.again(&classes)), Ok(Ok(())));
            if !is_done {
                return;
            }
        }
        std::thread::sleep(watch.pause());
        if recorder.is_over() {
            return;
        }
        // Whoever wants everything has said so.
        let gone = if recorder.level() == Level::Trace { Vec::new() } else { watch.look(recorder.file()) };
        if gone.is_empty() {
            continue;
        }
        hushes += 1;
        let is_last = hushes > HUSHES;
        let is_done = vm.attached(THREAD_NAME, |env| {
            if is_last {
                return env.call_with_ints(spliced.tell, &[recorder.step_down()]);
            }
            let hushed = spliced.again(&recorder.hush(&gone));
            hushed.or_else(|_| env.call_with_ints(spliced.tell, &[recorder.step_down()]))
        });
        if is_last {
            hushes = 0;
        }
        if !matches!(is_done, Ok(Ok(()))) {
            return;
        }
    }
}

/// What it takes to change classes that are loaded.
struct Splicing<'a> {
    tools: Tools,
    /// `ReenactRecorder.tell`
    tell: StaticMethod,
    recorder: &'a Recorder,
}

impl Splicing<'_> {
    /// Has classes of these names spliced again, where they are loaded.
    fn again(&self, classes: &BTreeSet<String>) -> Result<(), JvmError> {
        let mut loaded = self.tools.loaded(|name| classes.contains(name))?;
        loaded.truncate(MOST_CLASSES);
        if loaded.is_empty() {
            return Ok(());
        }
        // SAFETY: the VM has just given these references to this thread.
        unsafe { self.tools.retransform(&loaded) }
    }
}

/// The VM's version, as it says itself.
fn jdk(env: &Env<'_>) -> Option<String> {
    let system = env.find_class("java/lang/System").ok()?;
    let get = env.static_method(system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;").ok()?;
    let name = env.text("java.vm.version").ok()?;
    env.call_with(get, &[&name]).ok()??.string(&jvm::Kinds::find(env).ok()?)
}

/// The VM is about to end.
unsafe extern "system" fn death_hook(_tools: *mut *const *const c_void, _jni: *mut JNIEnv) {
    let ended = || {
        if let Some(running) = RUNNING.get() {
            running.recorder.end();
        }
    };
    let _ = catch_unwind(AssertUnwindSafe(ended));
}

/// The VM is about to make a class of these bytes.
unsafe extern "system" fn load_hook(
    tools: *mut *const *const c_void,
    _jni: *mut JNIEnv,
    _redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    len: c_int,
    bytes: *const u8,
    new_len: *mut c_int,
    new_bytes: *mut *mut u8,
) {
    let (Some(running), false, Ok(len)) = (RUNNING.get(), name.is_null(), usize::try_from(len)) else { return };
    // SAFETY: the VM passes a NUL-terminated name and `len` bytes, valid during the call.
    let (name, bytes) = unsafe { (CStr::from_ptr(name), std::slice::from_raw_parts(bytes, len)) };
    let Ok(name) = name.to_str() else { return };
    // A panic must not unwind into the VM; the class then stays as it is.
    let spliced = catch_unwind(AssertUnwindSafe(|| running.recorder.splice(name, loader.is_null(), bytes)));
    let (Ok(Some(spliced)), Some(tools)) = (spliced, NonNull::new(tools)) else { return };
    // SAFETY: the VM passes the environment the hook was set in, ..
    let tools = unsafe { Tools::new(tools.cast()) };
    if let (Ok(copy), Ok(len)) = (tools.copy(&spliced), c_int::try_from(spliced.len())) {
        // SAFETY: .. and two places for the result, which it takes over.
        unsafe {
            *new_bytes = copy;
            *new_len = len;
        }
    }
}

/// The memory of a ring, and for any number below those of rings that of the constants.
fn memory(number: jint) -> Option<(*mut u8, usize)> {
    let recorder = &RUNNING.get()?.recorder;
    match usize::try_from(number) {
        Ok(ring) => recorder.file().ring(ring),
        Err(_) => {
            let places = recorder.constants();
            Some((places.as_ptr().cast_mut().cast(), std::mem::size_of_val(places)))
        }
    }
}

/// `ReenactRecorder.memory`. Found by its name: registering natives of a class of the JDK's packages makes the VM print a warning.
///
/// # Safety
/// Called by a VM, with what the declaration in Java says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_ReenactRecorder_memory(
    env: *mut JNIEnv,
    _class: jclass,
    ring: jint,
) -> jobject {
    let ring = memory(ring);
    // SAFETY: the VM passes this thread's environment, which is not kept.
    let env = unsafe { Env::from_raw(env) };
    match (env, ring) {
        // SAFETY: both are there until the process ends; nobody has references to rings, and constants are atomics.
        (Some(env), Some((start, len))) => unsafe { env.buffer_for_java(start, len) },
        _ => std::ptr::null_mut(),
    }
}

/// `ReenactRecorder.crashed`
///
/// # Safety
/// Called by a VM, with what the declaration in Java says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Java_java_lang_ReenactRecorder_crashed(
    env: *mut JNIEnv,
    _class: jclass,
    thread: jobject,
    thrown: jobject,
    number: jint,
    is_just_made: jboolean,
) {
    let told = || {
        let running = RUNNING.get()?;
        // SAFETY: the VM passes this thread's environment, and two live references or nulls; nothing is kept.
        let (env, thrown, thread) = unsafe {
            let env = Env::from_raw(env)?;
            let (thrown, thread) = (env.argument(thrown)?, env.argument(thread));
            (env, thrown, thread)
        };
        let redact = running.recorder.settings().redact;
        let crash = running.describer.crash(&env, &thrown, thread.as_ref(), (redact, is_just_made));
        running.recorder.crashed(&crash, number.cast_unsigned());
        Some(())
    };
    // A panic must not unwind into the VM; there is no recording of this crash then.
    let _ = catch_unwind(AssertUnwindSafe(told));
}
