//! What is promised to those who run foreign code, and whether this system can keep it. The long form, with what is not promised, is
//! `docs/security.md`.

use super::Support;
use std::fmt;

/// One promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// For scripts; never changes.
    pub name: &'static str,
    pub text: &'static str,
    /// What keeps it, any of these.
    pub needs: &'static str,
    pub kept: bool,
}

/// As a warning says it.
impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.kept { "" } else { "not " };
        write!(f, "{not}promised here: {}; that takes {}", self.text, self.needs)
    }
}

impl Support {
    /// All promises, the gravest first.
    pub fn promises(&self) -> [Promise; 5] {
        [
            Promise {
                name: "changes",
                text: "foreign code changes nothing outside of its scratch directory",
                needs: "landlock version 3 (Linux 6.2), or namespaces for this user",
                kept: self.protects_files(),
            },
            Promise {
                name: "reading",
                text: "it reads nothing but the program, the JDK and data of the system without secrets, and nothing of other processes",
                needs: "landlock (Linux 5.13)",
                kept: self.landlock.is_some(),
            },
            Promise { name: "network", text: "it talks to nobody", needs: "seccomp", kept: self.seccomp },
            Promise {
                name: "processes",
                text: "it starts no program and touches no other process",
                needs: "seccomp",
                kept: self.seccomp,
            },
            Promise {
                name: "disk",
                text: "its files are in memory and cannot fill the disk",
                needs: "namespaces for this user",
                kept: self.mount_namespace,
            },
        ]
    }
}
