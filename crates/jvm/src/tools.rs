//! JVMTI, the VM's interface for tools: the handful of functions the host needs, by their place in the function table,
//! which the specification fixes for all versions.
#![expect(unsafe_code, reason = "JVMTI")]

use super::JvmError;
use super::env::{Env, Global};
use super::objects::Local;
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

/// A JVMTI environment: a pointer to a pointer to the function table.
#[derive(Clone, Copy, Debug)]
pub struct Tools {
    env: NonNull<*const *const c_void>,
}

// SAFETY: the environment may be used from any attached thread.
unsafe impl Send for Tools {}
// SAFETY: as above.
unsafe impl Sync for Tools {}

/// The bits of JVMTI's class status.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassStatus(pub(super) c_int);

/// The type of the class file load hook.
pub type LoadHook = unsafe extern "system" fn(
    tools: *mut *const *const c_void,
    jni: *mut jni_sys::JNIEnv,
    redefined: jni_sys::jclass,
    loader: jni_sys::jobject,
    name: *const std::ffi::c_char,
    domain: jni_sys::jobject,
    len: c_int,
    bytes: *const u8,
    new_len: *mut c_int,
    new_bytes: *mut *mut u8,
);

pub type ThreadHook =
    unsafe extern "system" fn(tools: *mut *const *const c_void, jni: *mut jni_sys::JNIEnv, thread: jni_sys::jobject);

/// Called when the VM is about to end.
pub type DeathHook = unsafe extern "system" fn(tools: *mut *const *const c_void, jni: *mut jni_sys::JNIEnv);

/// The events of JVMTI that we are told of; their numbers are those of the table of callbacks, from the first on.
const FIRST_EVENT: usize = 50;
const VM_INIT: c_int = 50;
const VM_DEATH: c_int = 51;
const THREAD_END: c_int = 53;
const CLASS_FILE_LOAD_HOOK: c_int = 54;

/// The number of a capability among all.
const RETRANSFORM_CLASSES: u32 = 37;

/// Calls the function with this number in the specification; the table starts with number 1.
macro_rules! jvmti {
    ($tools:expr, $name:literal, $number:literal, ($($type:ty),*), $($argument:expr),*) => {{
        let table = *$tools.env.as_ref();
        let function: unsafe extern "system" fn(*mut c_void $(, $type)*) -> c_int = std::mem::transmute(*table.add($number - 1));
        match function($tools.env.as_ptr().cast() $(, $argument)*) {
            0 => Ok(()),
            code => Err(JvmError::Tools { function: $name, code }),
        }
    }};
}

impl Tools {
    /// # Safety
    /// `env` is a JVMTI environment that is never disposed of.
    pub unsafe fn new(env: NonNull<*const *const c_void>) -> Self {
        Tools { env }
    }

    /// What the host needs: stopping threads, and changing classes that are loaded already.
    pub fn add_capabilities(self) -> Result<(), JvmError> {
        const SIGNAL_THREAD: u32 = 10;
        self.add(&[SIGNAL_THREAD, RETRANSFORM_CLASSES])
    }

    /// What an agent needs: changing classes that are loaded already.
    pub fn add_agent_capabilities(self) -> Result<(), JvmError> {
        self.add(&[RETRANSFORM_CLASSES])
    }

    fn add(self, capabilities: &[u32]) -> Result<(), JvmError> {
        // The capabilities are a struct of 128 one-bit fields.
        let mut bits = [0u32; 4];
        for capability in capabilities {
            bits[(capability / 32) as usize] |= 1 << (capability % 32);
        }
        // SAFETY: AddCapabilities reads a jvmtiCapabilities of this size.
        unsafe { jvmti!(self, "AddCapabilities", 142, (*const u32), bits.as_ptr()) }
    }

    /// Has `load` called for each class, and `thread_end` on each thread that ends, by that thread.
    ///
    /// # Safety
    /// Both can be called by any thread at any time, with what the VM passes.
    pub unsafe fn set_hooks(self, load: LoadHook, thread_end: ThreadHook) -> Result<(), JvmError> {
        // SAFETY: both have the types of their events.
        unsafe {
            self.set_callbacks(&[
                (CLASS_FILE_LOAD_HOOK, load as *const c_void),
                (THREAD_END, thread_end as *const c_void),
            ])
        }
    }

    /// Has `death` called when the VM is about to end, whoever ends it by means of Java, while it can still be asked.
    ///
    /// # Safety
    /// It can be called by any thread, with what the VM passes.
    pub unsafe fn set_death_hook(self, death: DeathHook) -> Result<(), JvmError> {
        // SAFETY: it has the type of its event.
        unsafe { self.set_callbacks(&[(VM_DEATH, death as *const c_void)]) }
    }

    /// Has `init` called when the VM has started, and `death` when it is about to end. `load` is called for each class from
    /// [`Tools::show_classes`] on.
    ///
    /// # Safety
    /// All can be called by any thread, with what the VM passes.
    pub unsafe fn set_agent_hooks(self, init: ThreadHook, death: DeathHook, load: LoadHook) -> Result<(), JvmError> {
        let init = (VM_INIT, init as *const c_void);
        let death = (VM_DEATH, death as *const c_void);
        // SAFETY: all have the types of their events.
        unsafe {
            self.set_callbacks(&[init, death, (CLASS_FILE_LOAD_HOOK, load as *const c_void)])?;
        }
        self.show_classes(false)
    }

    /// Whether classes are shown to the hook for them.
    pub fn show_classes(self, shown: bool) -> Result<(), JvmError> {
        self.notify(CLASS_FILE_LOAD_HOOK, shown)
    }

    /// # Safety
    /// The functions have the types of their events.
    unsafe fn set_callbacks(self, events: &[(c_int, *const c_void)]) -> Result<(), JvmError> {
        let mut callbacks: [*const c_void; 35] = [std::ptr::null(); 35];
        for (event, callback) in events {
            callbacks[*event as usize - FIRST_EVENT] = *callback;
        }
        let size = size_of_val(&callbacks) as c_int;
        // SAFETY: SetEventCallbacks copies a table of this size, in which the entries that are set have the types of their
        // events.
        unsafe { jvmti!(self, "SetEventCallbacks", 122, (*const c_void, c_int), callbacks.as_ptr().cast(), size)? };
        events.iter().try_for_each(|(event, _)| self.enable(*event))
    }

    fn enable(self, event: c_int) -> Result<(), JvmError> {
        self.notify(event, true)
    }

    /// For all threads.
    fn notify(self, event: c_int, enabled: bool) -> Result<(), JvmError> {
        // SAFETY: a null thread means all threads. The function is variadic for extensions, of which none is passed.
        unsafe {
            let set: unsafe extern "C" fn(*mut c_void, c_int, c_int, *mut c_void, ...) -> c_int =
                std::mem::transmute(*(*self.env.as_ref()).add(2 - 1));
            match set(self.env.as_ptr().cast(), c_int::from(enabled), event, std::ptr::null_mut()) {
                0 => Ok(()),
                code => Err(JvmError::Tools { function: "SetEventNotificationMode", code }),
            }
        }
    }

    /// Sends classes that are loaded already through the hook.
    ///
    /// # Safety
    /// All are live references to classes.
    pub unsafe fn retransform(self, classes: &[jni_sys::jclass]) -> Result<(), JvmError> {
        let count = classes.len() as c_int;
        // SAFETY: as many class references as said, which the caller vouches for.
        unsafe { jvmti!(self, "RetransformClasses", 152, (c_int, *const jni_sys::jclass), count, classes.as_ptr()) }
    }

    /// Those of the loaded classes whose names, in internal form, are wanted. The references are local to this thread.
    pub fn loaded(self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<jni_sys::jclass>, JvmError> {
        Ok(self.named(is_wanted)?.into_iter().map(|(_, class)| class).collect())
    }

    /// The same with their names.
    pub(super) fn named(self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<(String, jni_sys::jclass)>, JvmError> {
        let mut wanted = Vec::new();
        self.each_loaded(|class| {
            let mut signature: *mut std::ffi::c_char = std::ptr::null_mut();
            // SAFETY: a live reference; the signature is a NUL-terminated text that is given back right after it is
            // looked at, and nothing is written where a null pointer says that it is not wanted.
            unsafe {
                let (to, none) = (&raw mut signature, std::ptr::null_mut());
                jvmti!(
                    self,
                    "GetClassSignature",
                    48,
                    (jni_sys::jclass, *mut *mut std::ffi::c_char, *mut c_void),
                    class,
                    to,
                    none
                )?;
                let name = std::ffi::CStr::from_ptr(signature).to_str().ok();
                let name = name.and_then(|text| text.strip_prefix('L')?.strip_suffix(';'));
                if let Some(name) = name.filter(|name| is_wanted(name)) {
                    wanted.push((name.to_owned(), class));
                }
                jvmti!(self, "Deallocate", 47, (*mut u8), signature.cast())
            }
        })?;
        Ok(wanted)
    }

    /// The loader of one of those classes; `None` for classes of the boot loader.
    pub(super) fn loader_of<'vm>(self, env: &Env<'vm>, class: jni_sys::jclass) -> Result<Option<Local<'vm>>, JvmError> {
        // SAFETY: callers pass what `named` gave them; the new reference is nobody else's.
        unsafe { Ok(env.local(self.class_loader(class)?)) }
    }

    /// Calls `look` with each loaded class. The references are local to this thread.
    pub(super) fn each_loaded(
        self,
        mut look: impl FnMut(jni_sys::jclass) -> Result<(), JvmError>,
    ) -> Result<(), JvmError> {
        let (mut count, mut classes): (c_int, *mut jni_sys::jclass) = (0, std::ptr::null_mut());
        // SAFETY: GetLoadedClasses writes the length and the address of an array that it allocates.
        unsafe {
            jvmti!(self, "GetLoadedClasses", 78, (*mut c_int, *mut *mut jni_sys::jclass), &mut count, &mut classes)?;
        }
        // SAFETY: the array has that many live references.
        let looked =
            (0..usize::try_from(count).unwrap_or(0)).try_for_each(|index| look(unsafe { *classes.add(index) }));
        // SAFETY: the array was allocated for us, and is not used any more.
        unsafe { jvmti!(self, "Deallocate", 47, (*mut u8), classes.cast())? };
        looked
    }

    /// # Safety
    /// A live reference to a class.
    pub(super) unsafe fn class_status(self, class: jni_sys::jclass) -> Result<ClassStatus, JvmError> {
        let mut status: c_int = 0;
        // SAFETY: the caller's; the result goes to a place of its type.
        unsafe { jvmti!(self, "GetClassStatus", 49, (jni_sys::jclass, *mut c_int), class, &mut status)? };
        Ok(ClassStatus(status))
    }

    /// The loader of a class, as a reference local to this thread; null for classes of the boot loader.
    ///
    /// # Safety
    /// A live reference to a class.
    pub(super) unsafe fn class_loader(self, class: jni_sys::jclass) -> Result<jni_sys::jobject, JvmError> {
        let mut loader: jni_sys::jobject = std::ptr::null_mut();
        // SAFETY: the caller's; the result goes to a place of its type.
        unsafe {
            jvmti!(self, "GetClassLoader", 57, (jni_sys::jclass, *mut jni_sys::jobject), class, &mut loader)?;
        }
        Ok(loader)
    }

    /// Throws an exception in another thread, wherever it is.
    pub fn stop_thread(self, thread: Global, exception: Global) -> Result<(), JvmError> {
        // SAFETY: live references to a thread and an exception.
        unsafe { self.stop_thread_raw(thread.raw(), exception.raw()) }
    }

    /// # Safety
    /// Live references to a thread and an exception.
    pub unsafe fn stop_thread_raw(self, thread: jni_sys::jobject, exception: jni_sys::jobject) -> Result<(), JvmError> {
        // SAFETY: the caller's.
        unsafe { jvmti!(self, "StopThread", 7, (jni_sys::jobject, jni_sys::jobject), thread, exception) }
    }

    /// The bits of a thread's state.
    pub fn thread_state(self, thread: Global) -> Result<c_int, JvmError> {
        let mut state: c_int = 0;
        // SAFETY: a live reference to a thread, and a place for the state.
        unsafe { jvmti!(self, "GetThreadState", 17, (jni_sys::jobject, *mut c_int), thread.raw(), &raw mut state)? };
        Ok(state)
    }

    pub fn interrupt_thread(self, thread: Global) -> Result<(), JvmError> {
        // SAFETY: a live reference to a thread.
        unsafe { jvmti!(self, "InterruptThread", 8, (jni_sys::jobject), thread.raw()) }
    }

    /// A whole collection, also where the program may not ask for one.
    pub fn collect_garbage(self) -> Result<(), JvmError> {
        // SAFETY: takes nothing.
        unsafe { jvmti!(self, "ForceGarbageCollection", 108, (),) }
    }

    /// A copy of these bytes in memory that the VM will free.
    pub fn copy(self, bytes: &[u8]) -> Result<*mut u8, JvmError> {
        let mut memory: *mut u8 = std::ptr::null_mut();
        // SAFETY: Allocate writes a pointer to as many bytes as asked for, ..
        unsafe {
            jvmti!(self, "Allocate", 46, (i64, *mut *mut u8), bytes.len() as i64, &mut memory)?;
            // .. which does not overlap with ours.
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len());
        }
        Ok(memory)
    }
}
