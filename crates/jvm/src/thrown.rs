//! What the VM has noted in an exception about where it was made. `getStackTrace` turns that into objects with texts, one a
//! frame, which costs more than making, throwing and catching the exception did; most exceptions come from places that others
//! have come from before, and for knowing them again the notes do.
//!
//! The fields are the JDK's own affair, and so is what the notes look like: where they are not found there are no notes, and
//! Java's `Backtraces` checks what it reads.
#![expect(unsafe_code, reason = "fields and methods by name")]

use super::env::{Env, Global};
use jni_sys::{jclass, jfieldID, jmethodID, jobject};

/// The parts of `java.lang.Throwable`.
#[derive(Debug)]
pub struct ThrowableParts {
    /// The notes.
    backtrace: jfieldID,
    /// What has been made of them, or given instead of them.
    stack_trace: jfieldID,
    /// What that field holds before either.
    unassigned: Global,
    get_stack_trace: jmethodID,
}

// SAFETY: ids of fields and methods may be used on all threads while their class is loaded, which this one always is.
unsafe impl Send for ThrowableParts {}
// SAFETY: as above.
unsafe impl Sync for ThrowableParts {}

impl ThrowableParts {
    /// `None` if this VM has others.
    pub fn find(env: &Env<'_>) -> Option<ThrowableParts> {
        let class = env.find_class("java/lang/Throwable").ok()?;
        Some(ThrowableParts {
            backtrace: env.field(class, c"backtrace", c"Ljava/lang/Object;")?,
            stack_trace: env.field(class, c"stackTrace", c"[Ljava/lang/StackTraceElement;")?,
            unassigned: env.static_array(class, c"UNASSIGNED_STACK", c"[Ljava/lang/StackTraceElement;")?,
            get_stack_trace: get_stack_trace(env, class.raw())?,
        })
    }

    /// Whether exceptions of this class leave it to the JDK to tell their stack.
    ///
    /// # Safety
    /// A live reference to a class of exceptions that is initialised.
    pub unsafe fn is_plain(&self, env: &Env<'_>, class: jclass) -> bool {
        get_stack_trace(env, class) == Some(self.get_stack_trace)
    }

    /// The notes in an exception, as a reference local to this thread; null if there are none, or if the exception has been
    /// given another stack.
    ///
    /// # Safety
    /// A live reference to an exception.
    pub unsafe fn backtrace(&self, env: &Env<'_>, thrown: jobject) -> jobject {
        // SAFETY: the fields are those of all exceptions.
        unsafe {
            if env.is_same(env.object_field(thrown, self.stack_trace), self.unassigned.raw()) {
                env.object_field(thrown, self.backtrace)
            } else {
                std::ptr::null_mut()
            }
        }
    }
}

/// The method that an exception of this class has by that name.
fn get_stack_trace(env: &Env<'_>, class: jclass) -> Option<jmethodID> {
    // SAFETY: callers pass live references to classes.
    unsafe { env.method(class, c"getStackTrace", c"()[Ljava/lang/StackTraceElement;") }
}
