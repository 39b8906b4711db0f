//! Objects as native code reads them, with the type of each asked for first: nothing that Java code hands over is taken on trust.
#![expect(unsafe_code, reason = "references to objects")]

use super::JvmError;
use super::env::{Class, Env, Global, StaticMethod, jni};
use jni_sys::{jint, jobject, jvalue};
use std::ffi::CStr;

/// A reference of the current thread to an object. Forgotten when the value goes.
#[derive(Debug)]
pub struct Local<'vm> {
    env: Env<'vm>,
    /// Never null.
    object: jobject,
}

impl Drop for Local<'_> {
    fn drop(&mut self) {
        // SAFETY: the reference is this value's alone.
        unsafe { jni!(self.env, v1_1.DeleteLocalRef, self.object) };
    }
}

impl<'vm> Env<'vm> {
    /// `None` for null.
    ///
    /// # Safety
    /// Null, or a reference that the VM has just given to this thread and that nobody else has.
    pub(super) unsafe fn local(&self, object: jobject) -> Option<Local<'vm>> {
        (!object.is_null()).then_some(Local { env: *self, object })
    }

    /// A new `java.lang.String`.
    pub fn text(&self, text: &str) -> Result<Local<'vm>, JvmError> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let len = jint::try_from(units.len()).map_err(|_| JvmError::Text { text: "a text of gigabytes".into() })?;
        // SAFETY: as many characters as said, which the VM copies.
        let made = unsafe { self.local(jni!(self, v1_1.NewString, units.as_ptr(), len)) };
        self.check(|| "a text".into())?;
        made.ok_or_else(|| JvmError::Java { what: "a text".into(), thrown: "null".into() })
    }

    /// Calls a method that takes and returns objects; `None` for null.
    pub fn call_with(&self, method: StaticMethod, args: &[&Local<'_>]) -> Result<Option<Local<'vm>>, JvmError> {
        let args: Vec<jvalue> = args.iter().map(|arg| jvalue { l: arg.object }).collect();
        // SAFETY: class and method belong together by construction; callers pass what the descriptor they asked for says.
        let result = unsafe {
            self.local(jni!(self, v1_1.CallStaticObjectMethodA, method.class.raw(), method.id, args.as_ptr()))
        };
        self.check(|| "a call".into())?;
        Ok(result)
    }

    /// This thread's own reference to what a native method was called with; `None` for null.
    ///
    /// # Safety
    /// Null, or a live reference.
    pub unsafe fn argument(&self, object: jobject) -> Option<Local<'vm>> {
        // SAFETY: by the contract of this function; the new reference is nobody else's.
        unsafe { self.local(jni!(self, v1_2.NewLocalRef, object)) }
    }

    /// This thread's own reference to an object.
    pub fn reference(&self, object: Global) -> Option<Local<'vm>> {
        // SAFETY: the object is alive; the new reference is nobody else's.
        unsafe { self.local(jni!(self, v1_2.NewLocalRef, object.raw())) }
    }
}

impl<'vm> Local<'vm> {
    pub(super) fn raw(&self) -> jobject {
        self.object
    }

    /// The object as one that any thread may use, for good.
    pub fn global(&self) -> Option<Global> {
        // SAFETY: the reference is alive.
        unsafe { self.env.keep(self.object) }
    }

    pub fn is(&self, class: Class) -> bool {
        // SAFETY: both references are alive.
        unsafe { self.env.is_instance(self.object, class.raw()) }
    }

    /// Calls a method without arguments that all instances of a class have and that returns an object. `None` if the object is no
    /// such instance, for null, and if it throws.
    pub fn call(&self, of: Class, name: &CStr, descriptor: &CStr) -> Option<Local<'vm>> {
        if !self.is(of) {
            return None;
        }
        // SAFETY: the class has the method if it is found, and the object is an instance of it.
        let result = unsafe {
            let method = self.env.method(of.raw(), name, descriptor)?;
            self.env.local(jni!(self.env, v1_1.CallObjectMethodA, self.object, method, std::ptr::null()))
        };
        self.env.unless_thrown(result)
    }

    /// What a field of a class holds, if the object is an instance of it. `None` for null, and if there is no such field.
    pub fn held(&self, of: Class, name: &CStr, descriptor: &CStr) -> Option<Local<'vm>> {
        let field = self.env.field(of, name, descriptor).filter(|_| self.is(of))?;
        // SAFETY: the object has this field, which holds objects by its descriptor.
        unsafe { self.env.local(self.env.object_field(self.object, field)) }
    }

    /// Whether both are the same object.
    pub fn is_same(&self, other: &Local<'_>) -> bool {
        // SAFETY: both references are alive.
        unsafe { self.env.is_same(self.object, other.object) }
    }

    /// What an array of objects holds; nothing if it is none.
    pub fn elements(&self, kinds: &Kinds) -> impl Iterator<Item = Option<Local<'vm>>> {
        let (env, array) = (self.env, self.object);
        // SAFETY: it is an array.
        let len = if self.is(kinds.array) { unsafe { jni!(env, v1_1.GetArrayLength, array) } } else { 0 };
        // SAFETY: within the array, whose length never changes, and which holds objects; each gets a reference of its own.
        (0..len).map(move |index| unsafe { env.local(jni!(env, v1_1.GetObjectArrayElement, array, index)) })
    }

    /// The text of a string; `None` if it is none. What is half a character is a question mark, as where Java prints it.
    pub fn string(&self, kinds: &Kinds) -> Option<String> {
        if !self.is(kinds.string) {
            return None;
        }
        // SAFETY: it is a string; the region is all of it, and there is room for as much.
        let units = unsafe {
            let len = jni!(self.env, v1_1.GetStringLength, self.object);
            let mut units = vec![0u16; usize::try_from(len).ok()?];
            jni!(self.env, v1_2.GetStringRegion, self.object, 0, len, units.as_mut_ptr());
            units
        };
        Some(char::decode_utf16(units).map(|unit| unit.unwrap_or('?')).collect())
    }

    /// The binary name of its class.
    pub fn class_name(&self, kinds: &Kinds) -> Option<String> {
        // SAFETY: every object has a class, and every class this method, which no other class can override.
        let name = unsafe {
            let class = self.env.local(jni!(self.env, v1_1.GetObjectClass, self.object))?;
            let method = self.env.method(kinds.class.raw(), c"getName", c"()Ljava/lang/String;")?;
            self.env.local(jni!(self.env, v1_1.CallObjectMethodA, class.object, method, std::ptr::null()))
        };
        self.env.check(String::new).ok()?;
        name?.string(kinds)
    }
}

/// The classes by which objects are told apart.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    array: Class,
    string: Class,
    class: Class,
}

impl Kinds {
    pub fn find(env: &Env<'_>) -> Result<Kinds, JvmError> {
        let find = |name: &CStr| env.find_class(&name.to_string_lossy());
        Ok(Kinds {
            array: find(c"[Ljava/lang/Object;")?,
            string: find(c"java/lang/String")?,
            class: find(c"java/lang/Class")?,
        })
    }
}
