//! Can a class be loaded and linked, which verifies it? Asked without initialising it: that is for candidates.
#![expect(unsafe_code, reason = "references to classes")]

use super::JvmError;
use super::env::Vm;
use super::tools::ClassStatus;

impl Vm {
    /// Loads and links a class through the loader of the class path, by its binary name; says what was thrown if that fails.
    pub fn link(&self, name: &str) -> Result<Option<String>, JvmError> {
        let env = self.attach()?;
        let class = match env.load_program_class(name) {
            Ok(class) => class,
            Err(JvmError::Java { thrown, .. }) => return Ok(Some(thrown)),
            Err(error) => return Err(error),
        };
        // There is no call for linking alone. Listing the constructors links the class first, and may fail for a type of a
        // parameter afterwards, which does not matter: hence the look at the class itself.
        let listed = env.list_constructors(class);
        // SAFETY: a live reference to a class.
        let status = unsafe { self.tools()?.class_status(class.raw())? };
        match listed {
            _ if status.is_linked() => Ok(None),
            Err(JvmError::Java { thrown, .. }) => Ok(Some(thrown)),
            Err(error) => Err(error),
            // Linked by no VM that we know of, and nothing was thrown: candidates will tell.
            Ok(()) => Ok(None),
        }
    }
}

impl ClassStatus {
    fn is_linked(self) -> bool {
        const VERIFIED: i32 = 1;
        const PREPARED: i32 = 2;
        self.0 & VERIFIED != 0 && self.0 & PREPARED != 0
    }
}
