//! JNI, as much of it as this project needs.
#![expect(unsafe_code, reason = "JNI")]

use super::JvmError;
use super::tools::Tools;
use jni_sys::{
    JNI_OK, JNI_VERSION_1_8, JNIEnv, JavaVM, JavaVMAttachArgs, JavaVMInitArgs, JavaVMOption, jclass, jfieldID, jint,
    jmethodID, jobject, jvalue,
};
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::path::Path;
use std::ptr::NonNull;

/// The VM of this process. Never ends: workers leave by exiting the process.
#[derive(Clone, Copy, Debug)]
pub struct Vm {
    vm: NonNull<JavaVM>,
}

// SAFETY: the invocation interface may be used from any thread.
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

type CreateJavaVm = unsafe extern "system" fn(*mut *mut JavaVM, *mut *mut c_void, *mut c_void) -> jint;

impl Vm {
    /// Loads the library and starts the VM with these options (`-Xmx..`, `-Dname=value`). The calling thread stays
    /// attached.
    pub fn start(libjvm: &Path, options: &[String]) -> Result<Vm, JvmError> {
        let load_error = |source| JvmError::Load { path: libjvm.to_path_buf(), source };
        // SAFETY: loading runs the initialisers of the user's own JVM, which is what the user asked for.
        let library = unsafe { libloading::Library::new(libjvm) }.map_err(load_error)?;
        // SAFETY: JNI fixes the type of this symbol.
        let create = unsafe { library.get::<CreateJavaVm>(b"JNI_CreateJavaVM\0") }.map_err(load_error)?;
        let texts = options.iter().map(|option| c_string(option)).collect::<Result<Vec<_>, _>>()?;
        let mut list: Vec<JavaVMOption> = texts
            .iter()
            .map(|text| JavaVMOption { optionString: text.as_ptr().cast_mut(), extraInfo: std::ptr::null_mut() })
            .collect();
        let mut args = JavaVMInitArgs {
            version: JNI_VERSION_1_8,
            nOptions: list.len() as jint,
            options: list.as_mut_ptr(),
            ignoreUnrecognized: false,
        };
        let (mut vm, mut env) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: all pointers are valid for the call; the VM copies the options it keeps.
        let code = unsafe { create(&mut vm, &mut env, (&raw mut args).cast()) };
        let vm = NonNull::new(vm).filter(|_| code == JNI_OK);
        // The VM cannot be unloaded.
        std::mem::forget(library);
        vm.map(|vm| Vm { vm }).ok_or_else(|| JvmError::Create { code, options: options.to_vec() })
    }

    /// The VM that has loaded this library.
    ///
    /// # Safety
    /// The VM's own interface, as it hands it to agents.
    pub unsafe fn from_raw(vm: *mut JavaVM) -> Option<Vm> {
        NonNull::new(vm).map(|vm| Vm { vm })
    }

    /// Attaches the current thread for good, as one that does not keep the VM alive.
    pub fn attach(&self) -> Result<Env<'_>, JvmError> {
        let mut env = std::ptr::null_mut();
        // SAFETY: the VM lives as long as the process; `env` is a valid place to write to.
        let code = unsafe {
            ((*self.vm.as_ref()).as_ref().expect("the VM fills its table").v1_4.AttachCurrentThreadAsDaemon)(
                self.vm.as_ptr(),
                &mut env,
                std::ptr::null_mut(),
            )
        };
        let env = NonNull::new(env.cast::<JNIEnv>()).filter(|_| code == JNI_OK);
        env.map(|env| Env { env, vm: PhantomData })
            .ok_or_else(|| JvmError::Java { what: "a thread".into(), thrown: format!("JNI error {code}") })
    }

    /// Does something on the current thread, which is attached for as long as that takes, under this name: a thread without one takes a
    /// number that a thread of the program would have had.
    pub fn attached<T>(&self, name: &CStr, act: impl FnOnce(&Env<'_>) -> T) -> Result<T, JvmError> {
        let mut env = std::ptr::null_mut();
        let mut args =
            JavaVMAttachArgs { version: JNI_VERSION_1_8, name: name.as_ptr().cast_mut(), group: std::ptr::null_mut() };
        // SAFETY: as in `attach`; the VM copies the name.
        let (code, interface) = unsafe {
            let interface = (*self.vm.as_ref()).as_ref().expect("the VM fills its table");
            let args = (&raw mut args).cast();
            ((interface.v1_4.AttachCurrentThreadAsDaemon)(self.vm.as_ptr(), &mut env, args), interface)
        };
        let failed = || JvmError::Java { what: "a thread".into(), thrown: format!("JNI error {code}") };
        let env = NonNull::new(env.cast::<JNIEnv>()).filter(|_| code == JNI_OK).ok_or_else(failed)?;
        let given = act(&Env { env, vm: PhantomData });
        // SAFETY: the thread was attached above, and the environment is not used any more.
        let _ = unsafe { (interface.v1_2.DetachCurrentThread)(self.vm.as_ptr()) };
        Ok(given)
    }

    pub fn tools(&self) -> Result<Tools, JvmError> {
        const JVMTI_VERSION_1_2: jint = 0x3001_0200;
        let mut tools = std::ptr::null_mut();
        // SAFETY: as in `attach`.
        let code = unsafe {
            ((*self.vm.as_ref()).as_ref().expect("the VM fills its table").v1_2.GetEnv)(
                self.vm.as_ptr(),
                &mut tools,
                JVMTI_VERSION_1_2,
            )
        };
        let tools = NonNull::new(tools).filter(|_| code == JNI_OK);
        // SAFETY: GetEnv with a JVMTI version gives a JVMTI environment.
        tools.map(|tools| unsafe { Tools::new(tools.cast()) }).ok_or(JvmError::Tools { function: "GetEnv", code })
    }
}

/// The current thread's access to the VM.
#[derive(Clone, Copy, Debug)]
pub struct Env<'vm> {
    pub(super) env: NonNull<JNIEnv>,
    /// Neither Send nor Sync: the environment belongs to one thread.
    vm: PhantomData<(&'vm Vm, *mut ())>,
}

/// An object that stays reachable from any thread. Never freed: there are few, and they are needed until the process
/// ends.
#[derive(Clone, Copy, Debug)]
pub struct Global(jobject);

// SAFETY: global references may be used from any attached thread.
unsafe impl Send for Global {}
// SAFETY: as above; what is done with them needs an `Env`.
unsafe impl Sync for Global {}

impl Global {
    pub(super) fn raw(self) -> jobject {
        self.0
    }
}

/// A loaded class.
#[derive(Clone, Copy, Debug)]
pub struct Class(Global);

impl Class {
    pub(super) fn raw(self) -> jclass {
        self.0.raw()
    }
}

/// A static method of a class, and how it may be called.
#[derive(Clone, Copy, Debug)]
pub struct StaticMethod {
    pub(super) class: Class,
    pub(super) id: jmethodID,
}

// SAFETY: method ids are valid on all threads while their class is loaded, and the global reference keeps it loaded.
unsafe impl Send for StaticMethod {}
// SAFETY: as above.
unsafe impl Sync for StaticMethod {}

/// A static field of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticField {
    class: Class,
    id: jfieldID,
}

/// Calls a function of the JNI table.
macro_rules! jni {
    ($env:expr, $version:ident . $function:ident $(, $argument:expr)*) => {{
        let env = $env.env.as_ptr();
        ((**env).$version.$function)(env $(, $argument)*)
    }};
}
pub(super) use jni;

impl<'vm> Env<'vm> {
    /// The environment that the VM passes to a native method or callback.
    ///
    /// # Safety
    /// `env` is the JNI environment of the current thread, and is used no longer than the callback runs.
    pub unsafe fn from_raw(env: *mut JNIEnv) -> Option<Env<'vm>> {
        NonNull::new(env).map(|env| Env { env, vm: PhantomData })
    }

    /// Defines a class in the boot loader, visible to all others. `name` is in internal form.
    pub fn define_boot_class(&self, name: &str, bytes: &[u8]) -> Result<Class, JvmError> {
        self.define_class(name, std::ptr::null_mut(), bytes)
    }

    /// `loader` is a live reference to a class loader, or null for the boot loader.
    fn define_class(&self, name: &str, loader: jobject, bytes: &[u8]) -> Result<Class, JvmError> {
        let text = c_string(name)?;
        let len = jint::try_from(bytes.len()).map_err(|_| JvmError::Text { text: name.to_owned() })?;
        // SAFETY: name and bytes live through the call, and so does the loader.
        let class = unsafe { jni!(self, v1_1.DefineClass, text.as_ptr(), loader, bytes.as_ptr().cast(), len) };
        self.class(class, name)
    }

    /// Defines a class in the loader for the class path. `name` is in internal form.
    pub fn define_program_class(&self, name: &str, bytes: &[u8]) -> Result<Class, JvmError> {
        let loaders = self.find_class("java/lang/ClassLoader")?;
        let loader = self.static_method(loaders, "getSystemClassLoader", "()Ljava/lang/ClassLoader;")?;
        let loader = self.call_object(loader)?;
        self.define_class(name, loader.raw(), bytes)
    }

    /// Finds a class through the boot and system loaders. `name` is in internal form.
    pub fn find_class(&self, name: &str) -> Result<Class, JvmError> {
        let text = c_string(name)?;
        // SAFETY: the name lives through the call.
        let class = unsafe { jni!(self, v1_1.FindClass, text.as_ptr()) };
        self.class(class, name)
    }

    /// Loads a class through the loader for the class path, and does not initialise it. `name` is the binary one.
    pub fn load_program_class(&self, name: &str) -> Result<Class, JvmError> {
        let loaders = self.find_class("java/lang/ClassLoader")?;
        let loader = self.static_method(loaders, "getSystemClassLoader", "()Ljava/lang/ClassLoader;")?;
        let loader = self.call_object(loader)?;
        // SAFETY: live references; `loadClass` takes a string, and is a method of every loader.
        let class = unsafe {
            let load = self.method(loaders.raw(), c"loadClass", c"(Ljava/lang/String;)Ljava/lang/Class;");
            let load = load.ok_or_else(|| JvmError::Java { what: name.into(), thrown: "no loadClass".into() })?;
            let argument = jvalue { l: self.new_string(name) };
            jni!(self, v1_1.CallObjectMethodA, loader.raw(), load, &raw const argument)
        };
        self.class(class, name)
    }

    /// Has the VM make the list of a class's constructors.
    pub(super) fn list_constructors(&self, class: Class) -> Result<(), JvmError> {
        let classes = self.find_class("java/lang/Class")?;
        // SAFETY: live references; the method takes nothing, and is one of every class.
        unsafe {
            let list = self.method(classes.raw(), c"getDeclaredConstructors", c"()[Ljava/lang/reflect/Constructor;");
            let list =
                list.ok_or_else(|| JvmError::Java { what: "a class".into(), thrown: "no constructors".into() })?;
            jni!(self, v1_1.CallObjectMethodA, class.raw(), list, std::ptr::null());
        }
        self.check(|| "a list of constructors".into())
    }

    pub(super) fn class(&self, class: jclass, name: &str) -> Result<Class, JvmError> {
        self.check(|| format!("class {name}"))?;
        self.global(class).map(Class).ok_or_else(|| JvmError::Java { what: name.into(), thrown: "nothing".into() })
    }

    /// Keeps an object; `None` for null.
    fn global(&self, local: jobject) -> Option<Global> {
        // SAFETY: `local` is null or a live reference, mostly one that was just returned to this thread.
        let global = unsafe { jni!(self, v1_1.NewGlobalRef, local) };
        (!global.is_null()).then_some(Global(global))
    }

    pub fn static_method(&self, class: Class, name: &str, descriptor: &str) -> Result<StaticMethod, JvmError> {
        let (c_name, c_descriptor) = (c_string(name)?, c_string(descriptor)?);
        // SAFETY: the class is a live reference, the texts live through the call.
        let id = unsafe { jni!(self, v1_1.GetStaticMethodID, class.raw(), c_name.as_ptr(), c_descriptor.as_ptr()) };
        self.check(|| format!("method {name}{descriptor}"))?;
        Ok(StaticMethod { class, id })
    }

    /// Calls a method without arguments that returns nothing.
    pub fn run(&self, method: StaticMethod) -> Result<(), JvmError> {
        self.call_void(method, &[])
    }

    /// Calls a method that takes ints and returns nothing.
    pub fn call_with_ints(&self, method: StaticMethod, ints: &[i32]) -> Result<(), JvmError> {
        let args: Vec<jvalue> = ints.iter().map(|int| jvalue { i: *int }).collect();
        self.call_void(method, &args)
    }

    /// Calls a method that takes objects and returns nothing.
    pub fn call_with_objects(&self, method: StaticMethod, objects: &[Global]) -> Result<(), JvmError> {
        let args: Vec<jvalue> = objects.iter().map(|object| jvalue { l: object.raw() }).collect();
        self.call_void(method, &args)
    }

    fn call_void(&self, method: StaticMethod, args: &[jvalue]) -> Result<(), JvmError> {
        // SAFETY: class and method belong together by construction; callers pass what the descriptor they asked for
        // says.
        unsafe { jni!(self, v1_1.CallStaticVoidMethodA, method.class.raw(), method.id, args.as_ptr()) };
        self.check(|| "a call".into())
    }

    /// Calls a method without arguments that returns an int.
    pub fn call_int(&self, method: StaticMethod) -> Result<i32, JvmError> {
        // SAFETY: as in `call_void`.
        let result = unsafe { jni!(self, v1_1.CallStaticIntMethodA, method.class.raw(), method.id, std::ptr::null()) };
        self.check(|| "a call".into())?;
        Ok(result)
    }

    /// Calls a method without arguments that returns an object.
    pub fn call_object(&self, method: StaticMethod) -> Result<Global, JvmError> {
        // SAFETY: as in `call_void`.
        let result =
            unsafe { jni!(self, v1_1.CallStaticObjectMethodA, method.class.raw(), method.id, std::ptr::null()) };
        self.check(|| "a call".into())?;
        self.global(result).ok_or_else(|| JvmError::Java { what: "a call".into(), thrown: "null".into() })
    }

    /// Keeps an object beyond the native method or callback that got it; `None` for null.
    ///
    /// # Safety
    /// `object` is null or a live reference.
    pub(super) unsafe fn keep(&self, object: jobject) -> Option<Global> {
        self.global(object)
    }

    /// Forgets an object. For objects made again and again; the others stay.
    pub fn delete(&self, object: Global) {
        // SAFETY: callers do not use the object afterwards; a `Global` is only ever deleted through this.
        unsafe { jni!(self, v1_1.DeleteGlobalRef, object.raw()) };
    }

    /// A direct buffer over memory that is never given back.
    pub fn direct_buffer(&self, memory: &'static [std::cell::UnsafeCell<u8>]) -> Result<Global, JvmError> {
        let start = memory.as_ptr().cast_mut().cast();
        // SAFETY: the memory is valid for ever and open to change from elsewhere.
        let buffer = unsafe { jni!(self, v1_4.NewDirectByteBuffer, start, memory.len() as i64) };
        self.check(|| "a buffer".into())?;
        self.global(buffer).ok_or_else(|| JvmError::Java { what: "a buffer".into(), thrown: "null".into() })
    }

    /// A direct buffer for Java code, or null if that fails.
    ///
    /// # Safety
    /// The memory is as long as said, stays valid for ever and is open to change from elsewhere.
    pub unsafe fn buffer_for_java(&self, start: *mut u8, len: usize) -> jobject {
        // SAFETY: by the contract of this function.
        unsafe { jni!(self, v1_4.NewDirectByteBuffer, start.cast(), len as i64) }
    }

    /// The current `java.lang.Thread`.
    pub fn current_thread(&self) -> Result<Global, JvmError> {
        let class = self.find_class("java/lang/Thread")?;
        self.call_object(self.static_method(class, "currentThread", "()Ljava/lang/Thread;")?)
    }

    /// Binds native methods of a class, each by name and descriptor.
    ///
    /// # Safety
    /// The functions have the types of their descriptors.
    pub unsafe fn register_natives(
        &self,
        class: Class,
        natives: &[(&CStr, &CStr, *mut c_void)],
    ) -> Result<(), JvmError> {
        let list: Vec<jni_sys::JNINativeMethod> = natives
            .iter()
            .map(|(name, descriptor, function)| jni_sys::JNINativeMethod {
                name: name.as_ptr().cast_mut(),
                signature: descriptor.as_ptr().cast_mut(),
                fnPtr: *function,
            })
            .collect();
        // SAFETY: the list and its texts live through the call; the functions are what the caller vouches for.
        let code = unsafe { jni!(self, v1_1.RegisterNatives, class.raw(), list.as_ptr(), list.len() as jint) };
        self.check(|| "native methods".into())?;
        if code == JNI_OK {
            Ok(())
        } else {
            Err(JvmError::Java { what: "native methods".into(), thrown: format!("JNI error {code}") })
        }
    }

    /// A new `java.lang.String`, or null if that fails; for the result of a native method.
    pub fn new_string(&self, text: &str) -> jobject {
        let Ok(text) = CString::new(text) else { return std::ptr::null_mut() };
        // SAFETY: the text lives through the call. Names of classes have no characters outside the plane that modified
        // UTF-8 and UTF-8 share.
        unsafe { jni!(self, v1_1.NewStringUTF, text.as_ptr()) }
    }

    /// The text of a `java.lang.String` that the VM passed to a native method.
    ///
    /// # Safety
    /// `string` is null or a live reference to a string.
    pub unsafe fn string(&self, string: jobject) -> Option<String> {
        if string.is_null() {
            return None;
        }
        // SAFETY: by the contract of this function.
        let chars: *const c_char = unsafe { jni!(self, v1_1.GetStringUTFChars, string, std::ptr::null_mut()) };
        if chars.is_null() {
            return None;
        }
        // SAFETY: the VM returned a NUL-terminated text, which is released right after it is copied.
        let text = unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned();
        // SAFETY: as above.
        unsafe { jni!(self, v1_1.ReleaseStringUTFChars, string, chars) };
        Some(text)
    }

    /// What `Host.define` does: the new class, or null with an exception pending.
    ///
    /// # Safety
    /// The arguments are live references to a class loader or null, a string or null, and a byte array.
    pub unsafe fn define_from_java(&self, loader: jobject, name: jobject, array: jobject) -> jclass {
        // SAFETY: by the contract of this function.
        let text = (unsafe { self.string(name) }).and_then(|name| CString::new(name).ok());
        // Without a name the VM takes the one in the file.
        let text = text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        // SAFETY: as above; the region is the whole array, and the bytes outlive the definition.
        unsafe {
            let len = jni!(self, v1_1.GetArrayLength, array);
            let mut bytes = vec![0i8; usize::try_from(len).unwrap_or(0)];
            jni!(self, v1_1.GetByteArrayRegion, array, 0, len, bytes.as_mut_ptr());
            jni!(self, v1_1.DefineClass, text, loader, bytes.as_ptr(), len)
        }
    }

    /// What `Host.invoker` does: an instance of the new class that no constructor has seen, or null with an exception
    /// pending.
    ///
    /// # Safety
    /// The arguments are live references to a class loader or null, and a byte array.
    pub unsafe fn instance_of_defined(&self, loader: jobject, array: jobject) -> jobject {
        // SAFETY: by the contract of this function.
        let class = unsafe { self.define_from_java(loader, std::ptr::null_mut(), array) };
        if class.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: the class was just defined.
        unsafe { jni!(self, v1_1.AllocObject, class) }
    }

    /// Defines a class of ours in a loader, for a native method: the new class, or null with an exception pending.
    ///
    /// # Safety
    /// `loader` is a live reference to a class loader.
    pub unsafe fn define_in(&self, loader: jobject, name: &str, bytes: &[u8]) -> jclass {
        let Ok(name) = CString::new(name) else { return std::ptr::null_mut() };
        // SAFETY: by the contract of this function; name and bytes outlive the call.
        unsafe { jni!(self, v1_1.DefineClass, name.as_ptr(), loader, bytes.as_ptr().cast(), bytes.len() as jint) }
    }

    /// Whether the object is one of this class. Null is not.
    ///
    /// # Safety
    /// Both are live references or null, and the second is one to a class.
    pub(super) unsafe fn is_instance(&self, object: jobject, class: jclass) -> bool {
        // SAFETY: by the contract of this function; the VM takes a null object for an instance of every class.
        !object.is_null() && !class.is_null() && unsafe { jni!(self, v1_1.IsInstanceOf, object, class) }
    }

    /// A field of a class; `None` if it has none such.
    pub(super) fn field(&self, class: Class, name: &CStr, descriptor: &CStr) -> Option<jfieldID> {
        // SAFETY: the class is a live reference, the texts live through the call.
        let id = unsafe { jni!(self, v1_1.GetFieldID, class.raw(), name.as_ptr(), descriptor.as_ptr()) };
        self.unless_thrown((!id.is_null()).then_some(id))
    }

    /// What a static field holds; `None` if there is no such field, or nothing in it.
    pub(super) fn static_array(&self, class: Class, name: &CStr, descriptor: &CStr) -> Option<Global> {
        // SAFETY: as above; the field that was found is read as what its descriptor says, an object.
        let held = unsafe {
            let id = jni!(self, v1_1.GetStaticFieldID, class.raw(), name.as_ptr(), descriptor.as_ptr());
            if id.is_null() { std::ptr::null_mut() } else { jni!(self, v1_1.GetStaticObjectField, class.raw(), id) }
        };
        self.unless_thrown(self.global(held))
    }

    /// A static field of a class; `None` if it has none such.
    pub(super) fn static_field(&self, class: Class, name: &CStr, descriptor: &CStr) -> Option<StaticField> {
        // SAFETY: the class is a live reference, the texts live through the call.
        let id = unsafe { jni!(self, v1_1.GetStaticFieldID, class.raw(), name.as_ptr(), descriptor.as_ptr()) };
        self.unless_thrown((!id.is_null()).then_some(StaticField { class, id }))
    }

    /// Sets a static field of type `long`, be it final.
    ///
    /// # Safety
    /// The field is a `long`.
    pub(super) unsafe fn set_long(&self, field: StaticField, value: i64) {
        // SAFETY: by the contract of this function; class and field belong together by construction.
        unsafe { jni!(self, v1_1.SetStaticLongField, field.class.raw(), field.id, value) }
    }

    /// Sets a static field of type `boolean`, be it final.
    ///
    /// # Safety
    /// The field is a `boolean`.
    pub(super) unsafe fn set_boolean(&self, field: StaticField, value: bool) {
        // SAFETY: by the contract of this function; class and field belong together by construction.
        unsafe { jni!(self, v1_1.SetStaticBooleanField, field.class.raw(), field.id, value) }
    }

    /// A method of a class, its own or inherited; `None` if it has none such.
    ///
    /// # Safety
    /// A live reference to a class.
    pub(super) unsafe fn method(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Option<jmethodID> {
        // SAFETY: by the contract of this function; the texts live through the call.
        let id = unsafe { jni!(self, v1_1.GetMethodID, class, name.as_ptr(), descriptor.as_ptr()) };
        self.unless_thrown((!id.is_null()).then_some(id))
    }

    /// What an object's field holds, as a reference local to this thread.
    ///
    /// # Safety
    /// A live reference to an object that has this field, which holds objects.
    pub(super) unsafe fn object_field(&self, object: jobject, field: jfieldID) -> jobject {
        // SAFETY: by the contract of this function.
        unsafe { jni!(self, v1_1.GetObjectField, object, field) }
    }

    /// # Safety
    /// Both are live references or null.
    pub(super) unsafe fn is_same(&self, left: jobject, right: jobject) -> bool {
        // SAFETY: by the contract of this function.
        unsafe { jni!(self, v1_1.IsSameObject, left, right) }
    }

    /// Forgets a pending exception, and the value with it.
    pub(super) fn unless_thrown<T>(&self, value: Option<T>) -> Option<T> {
        self.check(String::new).ok().and(value)
    }

    /// Turns a pending exception into an error.
    pub(super) fn check(&self, what: impl FnOnce() -> String) -> Result<(), JvmError> {
        // SAFETY: asks for the pending exception of this thread.
        let thrown = unsafe { jni!(self, v1_1.ExceptionOccurred) };
        if thrown.is_null() {
            return Ok(());
        }
        // SAFETY: there is an exception to clear.
        unsafe { jni!(self, v1_1.ExceptionClear) };
        let text = self.describe(thrown).unwrap_or_else(|| "an exception that cannot be printed".into());
        Err(JvmError::Java { what: what(), thrown: text })
    }

    /// What `toString` says; `None` if that throws in turn.
    fn describe(&self, object: jobject) -> Option<String> {
        // SAFETY: `object` is a live local reference; the method is one that every object has.
        let text = unsafe {
            let class = jni!(self, v1_1.GetObjectClass, object);
            let to_string = jni!(self, v1_1.GetMethodID, class, c"toString".as_ptr(), c"()Ljava/lang/String;".as_ptr());
            jni!(self, v1_1.CallObjectMethodA, object, to_string, std::ptr::null())
        };
        // SAFETY: asks for and clears the pending exception of this thread.
        unsafe {
            if jni!(self, v1_2.ExceptionCheck) {
                jni!(self, v1_1.ExceptionClear);
                return None;
            }
        }
        // SAFETY: `toString` returns a string or null.
        unsafe { self.string(text) }
    }
}

fn c_string(text: &str) -> Result<CString, JvmError> {
    CString::new(text).map_err(|_| JvmError::Text { text: text.to_owned() })
}
