//! Reads fields of objects and classes, whoever may see them, without running anything of the program.
#![expect(unsafe_code, reason = "JNI")]

use super::env::{Env, jni};
use super::tools::Tools;
use jni_sys::{jclass, jfieldID, jobject};
use std::ffi::CStr;

impl Env<'_> {
    /// A field of instances of this class, as a number for Java to keep; 0 if there is none such.
    ///
    /// # Safety
    /// A live reference to a class that is initialised, as it is once it has instances.
    pub unsafe fn field_number(&self, class: jclass, name: &CStr, descriptor: &CStr) -> i64 {
        // SAFETY: by the contract of this function; the texts live through the call.
        let id = unsafe { jni!(self, v1_1.GetFieldID, class, name.as_ptr(), descriptor.as_ptr()) };
        self.number(id)
    }

    /// The same for a static field; 0 also if the class is not initialised, which this would do.
    ///
    /// # Safety
    /// A live reference to a class.
    pub unsafe fn static_field_number(&self, tools: Tools, class: jclass, name: &CStr, descriptor: &CStr) -> i64 {
        // SAFETY: by the contract of this function; the texts live through the call.
        unsafe {
            if !tools.class_status(class).is_ok_and(|status| status.is_settled()) {
                return 0;
            }
            let id = jni!(self, v1_1.GetStaticFieldID, class, name.as_ptr(), descriptor.as_ptr());
            self.number(id)
        }
    }

    fn number(&self, id: jfieldID) -> i64 {
        self.unless_thrown((!id.is_null()).then_some(id)).map_or(0, |id| id as i64)
    }

    /// What a field holds, as a reference local to this thread.
    ///
    /// # Safety
    /// The number is one that [`Self::field_number`] gave for a class of this object, and the field holds references.
    pub unsafe fn read_object(&self, object: jobject, field: i64) -> jobject {
        // SAFETY: by the contract of this function.
        unsafe { self.object_field(object, field as jfieldID) }
    }

    /// What a field of the primitive type with this descriptor holds; of floating point numbers the bits.
    ///
    /// # Safety
    /// The number is one that [`Self::field_number`] gave for a class of this object and this descriptor.
    pub unsafe fn read_bits(&self, object: jobject, field: i64, descriptor: u8) -> i64 {
        let id = field as jfieldID;
        // SAFETY: by the contract of this function.
        unsafe {
            match descriptor {
                b'Z' => jni!(self, v1_1.GetBooleanField, object, id).into(),
                b'B' => jni!(self, v1_1.GetByteField, object, id).into(),
                b'C' => jni!(self, v1_1.GetCharField, object, id).into(),
                b'S' => jni!(self, v1_1.GetShortField, object, id).into(),
                b'J' => jni!(self, v1_1.GetLongField, object, id),
                b'F' => jni!(self, v1_1.GetFloatField, object, id).to_bits().into(),
                b'D' => jni!(self, v1_1.GetDoubleField, object, id).to_bits().cast_signed(),
                _ => jni!(self, v1_1.GetIntField, object, id).into(),
            }
        }
    }

    /// What a static field holds, as a reference local to this thread.
    ///
    /// # Safety
    /// The number is one that [`Self::static_field_number`] gave for this class, and the field holds references.
    pub unsafe fn read_static_object(&self, class: jclass, field: i64) -> jobject {
        // SAFETY: by the contract of this function.
        unsafe { jni!(self, v1_1.GetStaticObjectField, class, field as jfieldID) }
    }

    /// What a static field of the primitive type with this descriptor holds; of floating point numbers the bits.
    ///
    /// # Safety
    /// The number is one that [`Self::static_field_number`] gave for this class and this descriptor.
    pub unsafe fn read_static_bits(&self, class: jclass, field: i64, descriptor: u8) -> i64 {
        let id = field as jfieldID;
        // SAFETY: by the contract of this function.
        unsafe {
            match descriptor {
                b'Z' => jni!(self, v1_1.GetStaticBooleanField, class, id).into(),
                b'B' => jni!(self, v1_1.GetStaticByteField, class, id).into(),
                b'C' => jni!(self, v1_1.GetStaticCharField, class, id).into(),
                b'S' => jni!(self, v1_1.GetStaticShortField, class, id).into(),
                b'J' => jni!(self, v1_1.GetStaticLongField, class, id),
                b'F' => jni!(self, v1_1.GetStaticFloatField, class, id).to_bits().into(),
                b'D' => jni!(self, v1_1.GetStaticDoubleField, class, id).to_bits().cast_signed(),
                _ => jni!(self, v1_1.GetStaticIntField, class, id).into(),
            }
        }
    }
}
