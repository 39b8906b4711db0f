//! How many classes are unusable because their initialisers failed? Asked after candidates that may have done that,
//! which some do by the dozen, and a VM has thousands of classes; but most of them are initialised for good, and those
//! are not looked at again.
#![expect(unsafe_code, reason = "references to classes")]

use super::JvmError;
use super::env::{Env, Global};
use super::tools::{ClassStatus, Tools};
use jni_sys::jclass;

/// What the last look at all classes gave.
#[derive(Debug, Default)]
pub struct BrokenClasses {
    /// How many classes had been loaded by then; `None` before the first look.
    loads: Option<u64>,
    broken: u32,
    /// Those that may still break.
    uninitialised: Vec<Global>,
}

impl BrokenClasses {
    /// How many there are now, but for those of disposable loaders, which are instances of the class `disposable`.
    /// `loads` counts the classes that were loaded so far: if it has not changed, there are no new ones.
    ///
    /// # Safety
    /// `disposable` is a live reference to a class.
    pub unsafe fn count(
        &mut self,
        tools: Tools,
        env: &Env<'_>,
        disposable: jclass,
        loads: u64,
    ) -> Result<u32, JvmError> {
        if self.loads != Some(loads) {
            self.loads = None;
            // SAFETY: by the contract of this function.
            unsafe { self.look_at_all(tools, env, disposable)? };
            self.loads = Some(loads);
            return Ok(self.broken);
        }
        let mut broken = self.broken;
        for class in &self.uninitialised {
            // SAFETY: global references stay alive until they are deleted.
            broken += u32::from(unsafe { tools.class_status(class.raw())? }.is_broken());
        }
        Ok(broken)
    }

    /// # Safety
    /// As for [`Self::count`].
    unsafe fn look_at_all(&mut self, tools: Tools, env: &Env<'_>, disposable: jclass) -> Result<(), JvmError> {
        self.uninitialised.drain(..).for_each(|class| env.delete(class));
        self.broken = 0;
        tools.each_loaded(|class| {
            // SAFETY: the reference is alive during this call, and so is `disposable` by contract.
            unsafe {
                let status = tools.class_status(class)?;
                if status.is_settled() || env.is_instance(tools.class_loader(class)?, disposable) {
                    return Ok(());
                }
                if status.is_broken() {
                    self.broken += 1;
                } else {
                    self.uninitialised.extend(env.keep(class));
                }
            }
            Ok(())
        })
    }
}

impl ClassStatus {
    /// Initialised for good, or a class that has no initialiser.
    pub(super) fn is_settled(self) -> bool {
        const INITIALIZED: i32 = 4;
        const ARRAY: i32 = 16;
        const PRIMITIVE: i32 = 32;
        self.0 & (INITIALIZED | ARRAY | PRIMITIVE) != 0 && !self.is_broken()
    }

    fn is_broken(self) -> bool {
        const ERROR: i32 = 8;
        self.0 & ERROR != 0
    }
}
