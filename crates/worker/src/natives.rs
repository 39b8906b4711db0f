//! The native methods of Java's `Host` that read fields.
#![expect(unsafe_code, reason = "called by the VM")]

use crate::hook::Instrumentation;
use jni_sys::{JNIEnv, jclass, jint, jlong, jobject};
use jvm::Env;
use std::ffi::CString;

/// `Host.field`
pub(crate) unsafe extern "system" fn field(
    env: *mut JNIEnv,
    _host: jclass,
    class: jclass,
    name: jobject,
    descriptor: jobject,
) -> jlong {
    // SAFETY: the VM passes this thread's environment and what the declaration in Java says; Java asks for a class of an object
    // that there is, and nothing is kept.
    unsafe {
        let Some(env) = Env::from_raw(env) else { return 0 };
        let Some((name, descriptor)) = texts(&env, name, descriptor) else { return 0 };
        env.field_number(class, &name, &descriptor)
    }
}

/// `Host.staticField`
pub(crate) unsafe extern "system" fn static_field(
    env: *mut JNIEnv,
    _host: jclass,
    class: jclass,
    name: jobject,
    descriptor: jobject,
) -> jlong {
    // SAFETY: as above; whether the class is initialised is looked at.
    unsafe {
        let (Some(env), Some(tools)) = (Env::from_raw(env), Instrumentation::tools()) else { return 0 };
        let Some((name, descriptor)) = texts(&env, name, descriptor) else { return 0 };
        env.static_field_number(tools, class, &name, &descriptor)
    }
}

/// # Safety
/// Both are null or live references to strings.
unsafe fn texts(env: &Env<'_>, name: jobject, descriptor: jobject) -> Option<(CString, CString)> {
    // SAFETY: by the contract of this function.
    let text = |string| unsafe { env.string(string) }.and_then(|text| CString::new(text).ok());
    Some((text(name)?, text(descriptor)?))
}

/// `Host.fieldObject`
pub(crate) unsafe extern "system" fn field_object(
    env: *mut JNIEnv,
    _host: jclass,
    object: jobject,
    field: jlong,
) -> jobject {
    // SAFETY: the VM passes this thread's environment; Java passes an object with a field that `field` has found in its class.
    unsafe { Env::from_raw(env).map_or(std::ptr::null_mut(), |env| env.read_object(object, field)) }
}

/// `Host.fieldBits`
pub(crate) unsafe extern "system" fn field_bits(
    env: *mut JNIEnv,
    _host: jclass,
    object: jobject,
    field: jlong,
    descriptor: jint,
) -> jlong {
    // SAFETY: as above, with the descriptor that the field was found by.
    unsafe { Env::from_raw(env).map_or(0, |env| env.read_bits(object, field, descriptor as u8)) }
}

/// `Host.staticObject`
pub(crate) unsafe extern "system" fn static_object(
    env: *mut JNIEnv,
    _host: jclass,
    class: jclass,
    field: jlong,
) -> jobject {
    // SAFETY: the VM passes this thread's environment; Java passes a class with a field that `static_field` has found in it.
    unsafe { Env::from_raw(env).map_or(std::ptr::null_mut(), |env| env.read_static_object(class, field)) }
}

/// `Host.staticBits`
pub(crate) unsafe extern "system" fn static_bits(
    env: *mut JNIEnv,
    _host: jclass,
    class: jclass,
    field: jlong,
    descriptor: jint,
) -> jlong {
    // SAFETY: as above, with the descriptor that the field was found by.
    unsafe { Env::from_raw(env).map_or(0, |env| env.read_static_bits(class, field, descriptor as u8)) }
}
