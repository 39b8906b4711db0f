//! Prints exceptions and frames the way the JVM does.
//!
//! `Throwable` prints like `Throwable.printStackTrace` (JDK 17): common frames as `... n more`, suppressed exceptions
//! indented by one tab, causes after them. What the JVM never prints (jar notes) is left out, so the text of a trace
//! read from a log can be compared with one from a fresh JVM.

use std::fmt::{self, Display, Formatter};

use crate::report::{Frame, Module, Throwable};

impl Display for Throwable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(self, "", "", f)
    }
}

impl Display for Frame {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(loader) = &self.loader {
            write!(f, "{loader}/")?;
        }
        if let Some(module) = &self.module {
            write!(f, "{module}")?;
        }
        if self.loader.is_some() || self.module.is_some() {
            f.write_str("/")?;
        }
        write!(f, "{}.{}(", self.class, self.method)?;
        match (&self.file, self.line) {
            _ if self.native => f.write_str("Native Method")?,
            (Some(file), Some(line)) => write!(f, "{file}:{line}")?,
            (Some(file), None) => f.write_str(file)?,
            (None, Some(line)) => write!(f, "Unknown Source:{line}")?,
            (None, None) => f.write_str("Unknown Source")?,
        }
        f.write_str(")")
    }
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.version {
            Some(version) => write!(f, "@{version}"),
            None => Ok(()),
        }
    }
}

fn print(t: &Throwable, indent: &str, caption: &str, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "{indent}{caption}")?;
    if t.circular {
        f.write_str("[CIRCULAR REFERENCE: ")?;
    }
    f.write_str(t.name().unwrap_or("<unknown exception>"))?;
    if let Some(message) = &t.message {
        write!(f, ": {message}")?;
    }
    f.write_str(if t.circular { "]\n" } else { "\n" })?;
    for frame in t.own_frames() {
        writeln!(f, "{indent}\tat {frame}")?;
    }
    if t.common > 0 {
        writeln!(f, "{indent}\t... {} more", t.common)?;
    }
    for suppressed in &t.suppressed {
        print(suppressed, &format!("{indent}\t"), "Suppressed: ", f)?;
    }
    match &t.cause {
        Some(cause) => print(cause, indent, "Caused by: ", f),
        None => Ok(()),
    }
}
