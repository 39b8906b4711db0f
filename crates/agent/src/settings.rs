//! What follows the library in `-agentpath:libreenact.so=`: names as people know them from JFR.

use recording::{Level, Redaction};
use splice::Named;
use std::path::PathBuf;

/// How a program is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub dir: PathBuf,
    pub level: Level,
    /// In bytes.
    pub maxsize: u64,
    pub redact: Redaction,
    /// Packages (`com.acme.*`) and classes with `:` between them; empty for everything outside of the JDK.
    pub application: String,
    /// Classes of exceptions, with `:` between them, that are recorded wherever they are made, also where somebody catches them.
    pub exceptions: String,
    /// A file that names further functions whose results are recorded, and those whose results are not.
    pub hard: Option<PathBuf>,
    /// A log with stack traces, there already or later: their methods are recorded in full.
    pub arm: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            dir: PathBuf::from("."),
            level: Level::Calls,
            maxsize: 64 << 20,
            redact: Redaction::Strict,
            application: String::new(),
            exceptions: String::new(),
            hard: None,
            arm: None,
        }
    }
}

/// The user's fault: an option that does not exist, or does not mean that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error(
        "there is no option `{name}`; there are dir, level, maxsize, redact, application, exceptions, hard and arm"
    )]
    Unknown { name: String },
    #[error("`{name}={value}` is none of {possible}")]
    Value { name: &'static str, value: String, possible: &'static str },
    #[error("`level=facts` needs `arm=FILE`, a log with the stack trace of the crash")]
    Unarmed,
    #[error("`{name}` cannot have a comma in it: `{value}`")]
    Comma { name: &'static str, value: String },
}

impl Settings {
    /// Reads `dir=..,level=..`; what is not mentioned is as usual.
    pub fn parse(options: &str) -> Result<Settings, SettingsError> {
        let mut settings = Settings::default();
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let wrong = |name, possible| SettingsError::Value { name, value: value.to_owned(), possible };
            match name {
                "dir" => settings.dir = PathBuf::from(value),
                "level" => {
                    settings.level = Level::by_name(value)
                        .ok_or_else(|| wrong("level", "`stack`, `calls`, `hard`, `facts` and `trace`"))?;
                }
                "maxsize" => {
                    settings.maxsize = size(value).ok_or_else(|| wrong("maxsize", "a size like `64m`, up to `1g`"))?;
                }
                "redact" => {
                    settings.redact =
                        Redaction::by_name(value).ok_or_else(|| wrong("redact", "`strict`, `hashes` and `off`"))?;
                }
                "application" => settings.application = value.to_owned(),
                "exceptions" => settings.exceptions = value.to_owned(),
                "hard" => settings.hard = Some(PathBuf::from(value)),
                "arm" => settings.arm = Some(PathBuf::from(value)),
                _ => return Err(SettingsError::Unknown { name: name.to_owned() }),
            }
        }
        if settings.level == Level::Facts && settings.arm.is_none() {
            return Err(SettingsError::Unarmed);
        }
        Ok(settings)
    }

    /// What [`Settings::parse`] reads.
    pub fn options(&self) -> Result<String, SettingsError> {
        let dir = self.dir.to_string_lossy();
        let hard = self.hard.as_ref().map(|path| path.to_string_lossy()).unwrap_or_default();
        let arm = self.arm.as_ref().map(|path| path.to_string_lossy()).unwrap_or_default();
        let texts = [
            ("dir", &*dir),
            ("application", &self.application),
            ("exceptions", &self.exceptions),
            ("hard", &*hard),
            ("arm", &*arm),
        ];
        for (name, value) in texts {
            if value.contains(',') {
                return Err(SettingsError::Comma { name, value: value.to_owned() });
            }
        }
        let mut options = format!("dir={dir},level={},maxsize={}", self.level.name(), self.maxsize);
        options += &format!(",redact={}", self.redact.name());
        if !self.application.is_empty() {
            options += &format!(",application={}", self.application);
        }
        if !self.exceptions.is_empty() {
            options += &format!(",exceptions={}", self.exceptions);
        }
        if !hard.is_empty() {
            options += &format!(",hard={hard}");
        }
        if !arm.is_empty() {
            options += &format!(",arm={arm}");
        }
        Ok(options)
    }

    /// The classes that count as the application.
    pub fn named(&self) -> Named {
        let mut named = Named::default();
        for pattern in self.application.split(':').filter(|pattern| !pattern.is_empty()) {
            let pattern = pattern.replace('.', "/");
            match pattern.strip_suffix('*') {
                Some(prefix) => named.prefixes.push(prefix.to_owned()),
                None => drop(named.names.insert(pattern)),
            }
        }
        named
    }
}

/// `64m`, `512k`, `1g`, or a number of bytes.
pub fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor).filter(|size| *size <= 1 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        let settings = Settings {
            dir: "/var/log/crashes".into(),
            level: Level::Hard,
            maxsize: 1 << 20,
            redact: Redaction::Off,
            application: "com.acme.*:org.Main".into(),
            exceptions: "java.lang.IllegalStateException:com.acme.Late".into(),
            hard: Some("hard.txt".into()),
            arm: Some("crash.log".into()),
        };
        assert_eq!(Settings::parse(&settings.options().unwrap()), Ok(settings));
        assert_eq!(Settings::parse(""), Ok(Settings::default()));
    }

    #[test]
    fn wrong_options_are_named() {
        for (options, expected) in [
            (
                "levl=calls",
                "there is no option `levl`; there are dir, level, maxsize, redact, application, exceptions, hard and arm",
            ),
            ("level=all", "`level=all` is none of `stack`, `calls`, `hard`, `facts` and `trace`"),
            ("level=facts", "`level=facts` needs `arm=FILE`, a log with the stack trace of the crash"),
            ("maxsize=2g", "`maxsize=2g` is none of a size like `64m`, up to `1g`"),
            ("redact", "`redact=` is none of `strict`, `hashes` and `off`"),
        ] {
            assert_eq!(Settings::parse(options).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn the_application_by_names() {
        let all = Settings::default().named();
        for (class, expected) in [("com/acme/A", true), ("java/lang/String", false), ("[Lcom/acme/A;", false)] {
            assert_eq!(all.contains(class), expected, "{class}");
        }
        let some = Settings { application: "com.acme.*:org.Main".into(), ..Settings::default() }.named();
        for (class, expected) in [
            ("com/acme/A", true),
            ("com/acme/b/C", true),
            ("com/acmeX", false),
            ("org/Main", true),
            ("org/Main2", false),
        ] {
            assert_eq!(some.contains(class), expected, "{class}");
        }
    }
}
