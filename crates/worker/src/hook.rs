//! Instrumentation at class load: the VM shows every class file to [`Instrumentation`], which splices it as its plan
//! says.
#![expect(unsafe_code, reason = "called by the VM")]

use crate::messages::{Probes, is_of_jdk};
use crate::natives::{field, field_bits, field_object, static_bits, static_field, static_object};
use jni_sys::{JNIEnv, jclass, jint, jobject};
use jvm::{BrokenClasses, Class, Env, Global, JvmError, ThrowableParts, Tools, Vm};
use program::ClassName;
use rustc_hash::FxHashMap;
use splice::{ProbeId, ProbeIds, ProbeKind, SpliceError, StaticsId};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard};

/// Where a class comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassOrigin {
    /// The JDK's core, and the host itself.
    Boot,
    Other,
}

/// A class that stays as it is, against the plan.
#[derive(Clone, Debug)]
pub(crate) struct SpliceFailure {
    pub(crate) class: ClassName,
    pub(crate) error: SpliceError,
}

/// Makes the VM collect its garbage, files that nobody can reach any more included.
pub(crate) type CollectGarbage<'a> = &'a dyn Fn();

/// What the Java side asks of the process around it.
pub(crate) struct Services {
    /// Called on the thread of the candidates after each of them. Says whether files are left open.
    pub(crate) case_ended: Box<dyn Fn(CollectGarbage<'_>) -> bool + Send + Sync>,
    /// Called to wake threads that wait for the network.
    pub(crate) hang_up: fn(),
    /// Called on each thread that ends.
    pub(crate) thread_ended: Box<dyn Fn() + Send + Sync>,
    /// The class on whose behalf recipes call the program: its internal name and class file.
    pub(crate) caller: (&'static str, &'static [u8]),
    /// Whether classes of the program are loaded again and again. They are then spliced once.
    pub(crate) reloads: bool,
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Services").field("reloads", &self.reloads).finish_non_exhaustive()
    }
}

/// The probes of this process's VM.
pub(crate) struct Instrumentation {
    /// Which plan a class gets: asked once per class load, by whichever thread loads it.
    probes: RwLock<Probes>,
    services: Services,
    state: Mutex<State>,
    /// Classes that were shown to the hook, but for those made for candidates that have no initialiser: they fail with a class above them
    /// only, which is counted itself.
    loads: AtomicU64,
    broken: Mutex<BrokenClasses>,
    throwable: Option<ThrowableParts>,
    tools: Tools,
}

#[derive(Default)]
struct State {
    ids: ProbeIds,
    failures: Vec<SpliceFailure>,
    initialised_once: Vec<ClassName>,
    /// By class, if classes are loaded again: the file, and what became of it.
    spliced: FxHashMap<String, (Vec<u8>, Option<Vec<u8>>)>,
}

impl std::fmt::Debug for Instrumentation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instrumentation").finish_non_exhaustive()
    }
}

// Bits of JVMTI's thread state.
const RUNNABLE: c_int = 0x4;
const WAITING_WITH_TIMEOUT: c_int = 0x20;
const SUSPENDED: c_int = 0x10_0000;
const WAITING_INDEFINITELY: c_int = 0x10;
const IN_NATIVE: c_int = 0x40_0000;

/// There is one VM per process, and its hook gets no pointer of ours.
static INSTRUMENTATION: OnceLock<Instrumentation> = OnceLock::new();

impl Instrumentation {
    /// Hooks into the VM's class loading. From here on every class is spliced as `probes` says; classes that are
    /// loaded already go through it by [`Self::retransform`]. The host's Java classes must be defined before; `host`
    /// is the one with the native methods.
    pub(crate) fn install(
        vm: &Vm,
        env: &Env<'_>,
        host: Class,
        probes: Probes,
        services: Services,
    ) -> Result<&'static Instrumentation, JvmError> {
        let tools = vm.tools()?;
        tools.add_capabilities()?;
        let new = || Instrumentation {
            probes: RwLock::new(probes),
            services,
            state: Mutex::default(),
            loads: AtomicU64::new(0),
            broken: Mutex::default(),
            throwable: ThrowableParts::find(env),
            tools,
        };
        let installed = INSTRUMENTATION.get_or_init(new);
        let natives: [(&CStr, &CStr, *mut c_void); 20] = [
            (c"backtrace", c"(Ljava/lang/Throwable;)Ljava/lang/Object;", backtrace as *mut c_void),
            (c"brokenClasses", c"(Ljava/lang/Class;)I", broken_classes as *mut c_void),
            (c"caseEnded", c"()Z", case_ended_native as *mut c_void),
            (c"define", c"(Ljava/lang/ClassLoader;Ljava/lang/String;[B)Ljava/lang/Class;", define as *mut c_void),
            (c"defineCaller", c"(Ljava/lang/ClassLoader;)Ljava/lang/Class;", define_caller as *mut c_void),
            (c"derivations", c"(I)Ljava/lang/String;", derivations as *mut c_void),
            (c"field", c"(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)J", field as *mut c_void),
            (c"fieldBits", c"(Ljava/lang/Object;JI)J", field_bits as *mut c_void),
            (c"fieldObject", c"(Ljava/lang/Object;J)Ljava/lang/Object;", field_object as *mut c_void),
            (c"hangUp", c"()V", hang_up_native as *mut c_void),
            (c"hasPlainStack", c"(Ljava/lang/Class;)Z", has_plain_stack as *mut c_void),
            (c"initialisedOnce", c"(I)V", initialised_once as *mut c_void),
            (c"invoker", c"(Ljava/lang/ClassLoader;[B)Lreenact/host/Invoker;", invoker as *mut c_void),
            (c"isConstant", c"(Ljava/lang/String;Ljava/lang/String;)Z", is_constant as *mut c_void),
            (c"staticBits", c"(Ljava/lang/Class;JI)J", static_bits as *mut c_void),
            (c"staticField", c"(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)J", static_field as *mut c_void),
            (c"staticObject", c"(Ljava/lang/Class;J)Ljava/lang/Object;", static_object as *mut c_void),
            (c"stop", c"(Ljava/lang/Thread;Ljava/lang/Throwable;)V", stop_native as *mut c_void),
            (c"staticsClass", c"(I)Ljava/lang/String;", statics_class as *mut c_void),
            (c"staticsId", c"(Ljava/lang/String;)I", statics_id as *mut c_void),
        ];
        // SAFETY: each function has the type of its descriptor, which is how `Host` declares it, and both hooks take what the VM
        // passes, whichever thread it is.
        unsafe {
            env.register_natives(host, &natives)?;
            tools.set_hooks(load_hook, thread_end_hook)?;
        }
        Ok(installed)
    }

    /// Sends classes that are loaded already through the plan; others go through it when they are loaded. No fields or
    /// methods can be added to them then. Those that are `useful` may be such that cannot be changed, the `necessary` may
    /// not.
    pub(crate) fn retransform(&self, necessary: &[&str], useful: &[&str]) -> Result<(), JvmError> {
        let all = self.tools.loaded(|name| necessary.contains(&name) || useful.contains(&name))?;
        // SAFETY: the VM has just given these references to this thread.
        let change = |classes: &[jclass]| unsafe { self.tools.retransform(classes) };
        if change(&all).is_err() {
            change(&self.tools.loaded(|name| necessary.contains(&name))?)?;
            let useful = self.tools.loaded(|name| useful.contains(&name))?;
            useful.iter().for_each(|class| drop(change(std::slice::from_ref(class))));
        }
        Ok(())
    }

    /// From now on classes get these probes: those that have others by now go through the hook again. The VM starts from the file
    /// that a class was loaded from; what a class has got to be initialised again stays the same, as the VM requires.
    pub(crate) fn change(&self, new: Probes) -> Result<(), JvmError> {
        let changed = {
            let mut probes = self.probes.write().unwrap_or_else(PoisonError::into_inner);
            let initialised_once = std::mem::take(&mut probes.initialised_once);
            let old = std::mem::replace(&mut *probes, Probes { initialised_once: initialised_once.clone(), ..new });
            Probes { initialised_once, ..old }.changed(&probes)
        };
        self.state().spliced.clear();
        // Where every candidate gets classes of its own, the next one gets others.
        let is_wanted = |name: &str| changed.contains(name) && (!self.services.reloads || is_of_jdk(name));
        let classes = self.tools.loaded(is_wanted)?;
        if classes.is_empty() {
            return Ok(());
        }
        // SAFETY: the VM has just given these references to this thread.
        unsafe { self.tools.retransform(&classes) }
    }

    /// Throws `exception` in `thread` and wakes it if it sleeps or waits.
    pub(crate) fn stop(&self, thread: Global, exception: Global) -> Result<(), JvmError> {
        self.tools.stop_thread(thread, exception)?;
        self.tools.interrupt_thread(thread)
    }

    /// Throws `exception` in `thread`, which the VM wakes for it. The further interrupt of [`Self::stop`] may come when the thread has
    /// gone on to something else, which must not see it.
    pub(crate) fn unblock(&self, thread: Global, exception: Global) -> Result<(), JvmError> {
        self.tools.stop_thread(thread, exception)
    }

    /// Whether the thread waits for another one, without a limit of time.
    pub(crate) fn waits_for_ever(&self, thread: Global) -> bool {
        self.tools.thread_state(thread).is_ok_and(|state| state & WAITING_INDEFINITELY != 0)
    }

    /// Whether the thread sleeps or waits until some time, by its own wish.
    pub(crate) fn waits_for_time(&self, thread: Global) -> bool {
        self.tools.thread_state(thread).is_ok_and(|state| state & WAITING_WITH_TIMEOUT != 0)
    }

    /// Whether the thread runs Java code, or would if it had a processor.
    pub(crate) fn runs_java(&self, thread: Global) -> bool {
        self.tools.thread_state(thread).is_ok_and(|state| state & RUNNABLE != 0 && state & (IN_NATIVE | SUSPENDED) == 0)
    }

    /// The VM's interface for tools, once there are probes.
    pub(crate) fn tools() -> Option<Tools> {
        INSTRUMENTATION.get().map(|installed| installed.tools)
    }

    /// Looks at the probe ids handed out so far.
    pub(crate) fn with_ids<T>(&self, look: impl FnOnce(&ProbeIds) -> T) -> T {
        look(&self.state().ids)
    }

    /// Classes that could not be spliced since the last call.
    pub(crate) fn take_failures(&self) -> Vec<SpliceFailure> {
        std::mem::take(&mut self.state().failures)
    }

    /// Classes that could not be initialised again since the last call.
    pub(crate) fn take_initialised_once(&self) -> Vec<ClassName> {
        std::mem::take(&mut self.state().initialised_once)
    }

    /// A panic while splicing leaves the ids usable: at worst some are never used.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn probes(&self) -> RwLockReadGuard<'_, Probes> {
        self.probes.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a value probe reads by way of its values.
    fn derivations(&self, probe: ProbeId) -> Option<String> {
        let site = self.state().ids.site(probe).cloned()?;
        let ProbeKind::Values { index } = site.kind else { return None };
        let probes = self.probes();
        let spots = probes.values.get(site.method.class.as_internal())?;
        spots.get(usize::from(index)).map(|spot| spot.derivations.clone())
    }

    /// The spliced class, or `None` if it stays as it is.
    fn splice(&self, name: &str, origin: ClassOrigin, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_jdk = origin == ClassOrigin::Boot || is_of_jdk(name);
        let plan = self.probes().plan(name, is_jdk);
        if plan.is_empty() {
            return None;
        }
        let mut state = self.state();
        let is_known = self.services.reloads && origin == ClassOrigin::Other;
        if is_known && let Some((_, spliced)) = state.spliced.get(name).filter(|(file, _)| file == bytes) {
            return spliced.clone();
        }
        let spliced = match splice::splice(bytes, &plan, &mut state.ids) {
            Ok(spliced) => Some(spliced.bytes),
            Err(error) => {
                state.failures.push(SpliceFailure { class: ClassName::internal(name), error });
                None
            }
        };
        if is_known {
            state.spliced.insert(name.to_owned(), (bytes.to_vec(), spliced.clone()));
        }
        spliced
    }
}

/// A thread is about to end, and it is this one.
unsafe extern "system" fn thread_end_hook(_tools: *mut *const *const c_void, _jni: *mut JNIEnv, _thread: jobject) {
    if let Some(instrumentation) = INSTRUMENTATION.get() {
        (instrumentation.services.thread_ended)();
    }
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
    // Hidden classes have no name here; they are made at run time and not of interest.
    let (Some(instrumentation), false, Ok(len)) = (INSTRUMENTATION.get(), name.is_null(), usize::try_from(len)) else {
        return;
    };
    // SAFETY: the VM passes a NUL-terminated name and `len` bytes, valid during the call.
    let (name, bytes) = unsafe { (CStr::from_ptr(name), std::slice::from_raw_parts(bytes, len)) };
    let origin = if loader.is_null() { ClassOrigin::Boot } else { ClassOrigin::Other };
    let Ok(name) = name.to_str() else { return };
    if !crate::emit::is_emitted(name) || has_initialiser(bytes) {
        instrumentation.loads.fetch_add(1, Ordering::Relaxed);
    }
    // A panic must not unwind into the VM; the class then stays as it is.
    let spliced =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| instrumentation.splice(name, origin, bytes)));
    let Ok(Some(spliced)) = spliced else { return };
    let Some(tools) = std::ptr::NonNull::new(tools) else { return };
    // SAFETY: the VM passes the environment the hook was set in, ..
    let tools = unsafe { Tools::new(tools.cast()) };
    if let Ok(copy) = tools.copy(&spliced) {
        // SAFETY: .. and two places for the result, which it takes over.
        unsafe {
            *new_bytes = copy;
            *new_len = spliced.len() as c_int;
        }
    }
}

/// Whether a class file that is ours may have a static initialiser, which is named in it then.
fn has_initialiser(bytes: &[u8]) -> bool {
    bytes.windows(8).any(|part| part == b"<clinit>")
}

/// `Host.caseEnded`
unsafe extern "system" fn case_ended_native(_env: *mut JNIEnv, _host: jclass) -> jni_sys::jboolean {
    let Some(instrumentation) = INSTRUMENTATION.get() else { return false };
    let collect_garbage = || {
        // Without it, whoever waits for it sees nothing change.
        let _ = instrumentation.tools.collect_garbage();
    };
    // A panic must not unwind into the VM; what is left behind then is noticed by the next candidate at worst.
    let ended = || (instrumentation.services.case_ended)(&collect_garbage);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(ended)).unwrap_or(false)
}

/// `Host.stop`
unsafe extern "system" fn stop_native(_env: *mut JNIEnv, _host: jclass, thread: jobject, exception: jobject) {
    if let Some(instrumentation) = INSTRUMENTATION.get() {
        // SAFETY: the VM passes what the declaration in Java says, both alive during the call. A thread that is gone by
        // now is an error that does not matter.
        let _ = unsafe { instrumentation.tools.stop_thread_raw(thread, exception) };
    }
}

/// `Host.hangUp`
unsafe extern "system" fn hang_up_native(_env: *mut JNIEnv, _host: jclass) {
    if let Some(instrumentation) = INSTRUMENTATION.get() {
        (instrumentation.services.hang_up)();
    }
}

/// `Host.define`
unsafe extern "system" fn define(
    env: *mut JNIEnv,
    _host: jclass,
    loader: jobject,
    name: jobject,
    bytes: jobject,
) -> jclass {
    // SAFETY: the VM passes this thread's environment, and what the declaration in Java says; nothing is kept.
    unsafe { Env::from_raw(env).map_or(std::ptr::null_mut(), |env| env.define_from_java(loader, name, bytes)) }
}

/// `Host.invoker`
unsafe extern "system" fn invoker(env: *mut JNIEnv, _host: jclass, loader: jobject, bytes: jobject) -> jobject {
    // SAFETY: the VM passes this thread's environment, and what the declaration in Java says; nothing is kept.
    unsafe { Env::from_raw(env).map_or(std::ptr::null_mut(), |env| env.instance_of_defined(loader, bytes)) }
}

/// `Host.defineCaller`
unsafe extern "system" fn define_caller(env: *mut JNIEnv, _host: jclass, loader: jobject) -> jclass {
    let Some(instrumentation) = INSTRUMENTATION.get() else { return std::ptr::null_mut() };
    let (name, bytes) = instrumentation.services.caller;
    // SAFETY: the VM passes this thread's environment and a class loader; neither is kept.
    unsafe { Env::from_raw(env).map_or(std::ptr::null_mut(), |env| env.define_in(loader, name, bytes)) }
}

/// `Host.backtrace`
unsafe extern "system" fn backtrace(env: *mut JNIEnv, _host: jclass, thrown: jobject) -> jobject {
    // SAFETY: the VM passes this thread's environment, which is not kept, ..
    let env = unsafe { Env::from_raw(env) };
    let parts = INSTRUMENTATION.get().and_then(|all| all.throwable.as_ref());
    match (env, parts) {
        // SAFETY: .. and an exception; Java does not ask with null.
        (Some(env), Some(parts)) => unsafe { parts.backtrace(&env, thrown) },
        _ => std::ptr::null_mut(),
    }
}

/// `Host.hasPlainStack`
unsafe extern "system" fn has_plain_stack(env: *mut JNIEnv, _host: jclass, class: jclass) -> jni_sys::jboolean {
    // SAFETY: the VM passes this thread's environment, which is not kept, ..
    let env = unsafe { Env::from_raw(env) };
    let parts = INSTRUMENTATION.get().and_then(|all| all.throwable.as_ref());
    // SAFETY: .. and the class of an exception that there is.
    env.zip(parts).is_some_and(|(env, parts)| unsafe { parts.is_plain(&env, class) })
}

/// `Host.brokenClasses`
unsafe extern "system" fn broken_classes(env: *mut JNIEnv, _host: jclass, disposable: jclass) -> jint {
    // SAFETY: the VM passes this thread's environment, which is not kept, ..
    let env = unsafe { Env::from_raw(env) };
    let (Some(env), Some(all)) = (env, INSTRUMENTATION.get()) else { return 0 };
    let loads = all.loads.load(Ordering::Relaxed);
    let mut broken = all.broken.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: .. and a class.
    let counted = unsafe { broken.count(all.tools, &env, disposable, loads) };
    counted.unwrap_or(0).cast_signed()
}

/// `Host.initialisedOnce`
unsafe extern "system" fn initialised_once(_env: *mut JNIEnv, _host: jclass, id: jint) {
    let Some(instrumentation) = INSTRUMENTATION.get() else { return };
    let class = instrumentation.with_ids(|ids| ids.statics_class(StaticsId(id.cast_unsigned())));
    instrumentation.state().initialised_once.extend(class);
}

/// `Host.staticsClass`
unsafe extern "system" fn statics_class(env: *mut JNIEnv, _host: jclass, id: jint) -> jobject {
    // SAFETY: the VM passes this thread's environment, which is not kept.
    let Some(env) = (unsafe { Env::from_raw(env) }) else { return std::ptr::null_mut() };
    let class =
        INSTRUMENTATION.get().and_then(|all| all.with_ids(|ids| ids.statics_class(StaticsId(id.cast_unsigned()))));
    class.map_or(std::ptr::null_mut(), |class| env.new_string(&class.dotted()))
}

/// `Host.derivations`
unsafe extern "system" fn derivations(env: *mut JNIEnv, _host: jclass, probe: jint) -> jobject {
    // SAFETY: the VM passes this thread's environment, which is not kept.
    let Some(env) = (unsafe { Env::from_raw(env) }) else { return std::ptr::null_mut() };
    let text = INSTRUMENTATION.get().and_then(|all| all.derivations(ProbeId(probe.cast_unsigned())));
    text.map_or(std::ptr::null_mut(), |text| env.new_string(&text))
}

/// `Host.staticsId`
unsafe extern "system" fn statics_id(env: *mut JNIEnv, _host: jclass, name: jobject) -> jint {
    // SAFETY: the VM passes this thread's environment and a string or null; neither is kept.
    let name = unsafe { Env::from_raw(env).and_then(|env| env.string(name)) };
    let class = name.map(|name| ClassName::from_dotted(&name));
    let id = class.and_then(|class| INSTRUMENTATION.get()?.with_ids(|ids| ids.find_statics(class)));
    id.map_or(-1, |id| id.0.cast_signed())
}

/// `Host.isConstant`
unsafe extern "system" fn is_constant(
    env: *mut JNIEnv,
    _host: jclass,
    name: jobject,
    descriptor: jobject,
) -> jni_sys::jboolean {
    // SAFETY: the VM passes this thread's environment, which is not kept, ..
    let Some(env) = (unsafe { Env::from_raw(env) }) else { return false };
    // SAFETY: .. and two strings or nulls.
    let texts = unsafe { env.string(name).zip(env.string(descriptor)) };
    texts.is_some_and(|(name, descriptor)| splice::is_constant_static(name.as_bytes(), descriptor.as_bytes()))
}
