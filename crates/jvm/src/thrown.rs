//! What the VM has noted in an exception about where it was made. `getStackTrace` turns that into objects with texts, one a
//! frame, which costs more than making, throwing and catching the exception did; most exceptions come from places that others
//! have come from before, and for knowing them again the notes do.
//!
//! The fields are the JDK's own affair, and so is what the notes look like: where they are not found there are no notes, and
//! Java's `Backtraces` checks what it reads.
#![expect(unsafe_code, reason = "fields and methods by name")]

use super::JvmError;
use super::env::{Class, Env, Global, jni};
use super::objects::{Kinds, Local};
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

/// One element of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackElement {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    /// As `StackTraceElement` has it: negative where there is none.
    pub line: i32,
}

/// What exceptions tell of their stacks, and what the VM has noted.
#[derive(Debug)]
pub struct Stacks {
    parts: Option<(Class, ThrowableParts)>,
    element: Class,
    declaring_class: jfieldID,
    method_name: jfieldID,
    file_name: jfieldID,
    line_number: jfieldID,
    throwable: Class,
}

// SAFETY: as for `ThrowableParts`.
unsafe impl Send for Stacks {}
// SAFETY: as above.
unsafe impl Sync for Stacks {}

impl Stacks {
    /// `None` if this VM's elements have other fields than all that we know.
    pub fn find(env: &Env<'_>) -> Option<Stacks> {
        let element = env.find_class("java/lang/StackTraceElement").ok()?;
        let throwable = env.find_class("java/lang/Throwable").ok()?;
        let text = |name| env.field(element, name, c"Ljava/lang/String;");
        Some(Stacks {
            parts: ThrowableParts::find(env).map(|parts| (throwable, parts)),
            element,
            declaring_class: text(c"declaringClass")?,
            method_name: text(c"methodName")?,
            file_name: text(c"fileName")?,
            line_number: env.field(element, c"lineNumber", c"I")?,
            throwable,
        })
    }

    pub fn is_exception(&self, object: &Local<'_>) -> bool {
        object.is(self.throwable)
    }

    /// An element of a stack; `None` if it is none.
    pub fn element(&self, env: &Env<'_>, object: &Local<'_>, kinds: &Kinds) -> Option<StackElement> {
        if !object.is(self.element) {
            return None;
        }
        // SAFETY: the object has these fields, of these types.
        let text = |field| unsafe { env.local(env.object_field(object.raw(), field))?.string(kinds) };
        Some(StackElement {
            class: text(self.declaring_class)?,
            method: text(self.method_name)?,
            file: text(self.file_name),
            // SAFETY: as above.
            line: unsafe { env.int_field(object.raw(), self.line_number) },
        })
    }

    /// The stack of an exception as the JDK tells it, whatever the exception's class makes of it.
    pub fn told<'vm>(&self, env: &Env<'vm>, thrown: &Local<'_>) -> Option<Local<'vm>> {
        let method = get_stack_trace(env, self.throwable.raw()).filter(|_| self.is_exception(thrown))?;
        // SAFETY: it is a method of all exceptions, and returns an array.
        unsafe { env.call_of_class(thrown.raw(), self.throwable, method).ok() }
    }

    pub fn throwable(&self) -> Class {
        self.throwable
    }

    /// Whether it is known where this VM keeps its notes.
    pub fn are_known(&self) -> bool {
        self.parts.is_some()
    }

    /// The stack that the VM noted when the exception was made, whatever stack the exception was given since; nothing for one that
    /// has none, or that another VM has made. `None` if the object is no exception, was made to have no stack,
    /// or the VM keeps its notes elsewhere.
    pub fn noted<'vm>(&self, env: &Env<'vm>, thrown: &Local<'_>) -> Option<Local<'vm>> {
        let (class, parts) = self.parts.as_ref().filter(|_| self.is_exception(thrown))?;
        // SAFETY: all exceptions have these fields and this method. The JDK makes a stack of the notes if it finds none.
        let noted = unsafe {
            let given = env.local(env.object_field(thrown.raw(), parts.stack_trace))?;
            env.set_object_field(thrown.raw(), parts.stack_trace, parts.unassigned.raw());
            let noted = env.call_of_class(thrown.raw(), *class, parts.get_stack_trace);
            env.set_object_field(thrown.raw(), parts.stack_trace, given.raw());
            noted
        };
        noted.ok()
    }
}

impl<'vm> Env<'vm> {
    /// # Safety
    /// A live reference to an object that has this field, which holds an `int`.
    unsafe fn int_field(&self, object: jobject, field: jfieldID) -> i32 {
        // SAFETY: by the contract of this function.
        unsafe { jni!(self, v1_1.GetIntField, object, field) }
    }

    /// # Safety
    /// Live references to an object that has this field, and to one of its type.
    unsafe fn set_object_field(&self, object: jobject, field: jfieldID, value: jobject) {
        // SAFETY: by the contract of this function.
        unsafe { jni!(self, v1_1.SetObjectField, object, field, value) };
    }

    /// Calls a method without arguments as this class has it, whatever the object's own class makes of it.
    ///
    /// # Safety
    /// A live reference to an instance of the class, whose method it is; it returns an object.
    unsafe fn call_of_class(&self, object: jobject, class: Class, id: jmethodID) -> Result<Local<'vm>, JvmError> {
        // SAFETY: by the contract of this function.
        let result = unsafe {
            self.local(jni!(self, v1_1.CallNonvirtualObjectMethodA, object, class.raw(), id, std::ptr::null()))
        };
        self.check(|| "a call".into())?;
        result.ok_or_else(|| JvmError::Java { what: "a call".into(), thrown: "null".into() })
    }
}

/// The method that an exception of this class has by that name.
fn get_stack_trace(env: &Env<'_>, class: jclass) -> Option<jmethodID> {
    // SAFETY: callers pass live references to classes.
    unsafe { env.method(class, c"getStackTrace", c"()[Ljava/lang/StackTraceElement;") }
}
