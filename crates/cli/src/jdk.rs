//! Which JDK the program is run on: the one that `--jdk` names, else the one that the log is of, else the usual one, unless the program's
//! classes are too new for it.

use crate::failure::Failure;
use crate::terminal;
use crash_report::{CrashReport, Throwable};
use program::{ClassName, Jdk, Program};
use std::path::Path;

/// The JDK, and why it is this one if it is not the usual one.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) jdk: Jdk,
    pub(crate) why: Option<String>,
}

/// The choice before any class has been looked at.
pub(crate) fn by_log(explicit: Option<&Path>, report: &CrashReport) -> Result<Choice, Failure> {
    let usual = find(explicit)?;
    let mark = report.java_version().filter(|_| explicit.is_none());
    let Some((version, feature)) = mark.and_then(|version| Some((version, Jdk::feature_of(version)?))) else {
        return Ok(Choice { jdk: usual, why: None });
    };
    match of_feature(&usual, &Jdk::list(), version, feature) {
        Some(jdk) if jdk.home == usual.home => Ok(Choice { jdk, why: None }),
        Some(jdk) => Ok(Choice { jdk, why: Some(format!("the log is of Java {version}")) }),
        None => Ok(Choice { jdk: usual, why: Some(format!("the log is of Java {version}, which is not here")) }),
    }
}

/// The same version, else the usual one, else one that can compile; all of the same feature release.
fn of_feature(usual: &Jdk, all: &[Jdk], version: &str, feature: u16) -> Option<Jdk> {
    let same: Vec<&Jdk> = all.iter().filter(|jdk| jdk.feature == feature).collect();
    let exact = same.iter().find(|jdk| jdk.version == version && jdk.has_compiler());
    let is_usual = same.iter().find(|jdk| jdk.home == usual.home);
    let compiling = same.iter().rev().find(|jdk| jdk.has_compiler());
    exact.or(is_usual).or(compiling).or(same.last()).map(|jdk| (*jdk).clone())
}

/// Another one, where classes of the crash are too new for the chosen one and a newer one is here: the oldest that can run them.
pub(crate) fn by_classes(chosen: &Choice, crash: &Throwable, program: &Program) -> Option<Choice> {
    let frames = crash.chain().flat_map(|thrown| &thrown.frames);
    let classes = frames.filter_map(|frame| program.class(ClassName::from_dotted(&frame.class)));
    let needed = classes.map(|class| feature_of_class(class.major)).max()?;
    if needed <= chosen.jdk.feature {
        return None;
    }
    let all = Jdk::list();
    let able = all.iter().filter(|jdk| jdk.feature >= needed);
    let jdk = able.min_by_key(|jdk| (!jdk.has_compiler(), jdk.feature))?.clone();
    Some(Choice { jdk, why: Some(format!("the classes are compiled for Java {needed}")) })
}

/// The release that a class file is compiled for; Java 1 would be class file version 45.
pub(crate) fn feature_of_class(major: u16) -> u16 {
    const BEFORE_FIRST: u16 = 44;
    major.saturating_sub(BEFORE_FIRST)
}

/// The usual JDK. A JAVA_HOME that is none is not fatal, but whoever set it meant something else.
fn find(explicit: Option<&Path>) -> Result<Jdk, Failure> {
    let jdk = Jdk::find(explicit)?;
    let of_environment = std::env::var_os("JAVA_HOME").filter(|home| explicit.is_none() && !home.is_empty());
    if let Some(error) = of_environment.and_then(|home| Jdk::at(Path::new(&home)).err()) {
        terminal::say(&format!("warning: JAVA_HOME: {error}; using `{}`", jdk.home.display()));
    }
    Ok(jdk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::JdkLibrary;

    fn jdk(home: &Path, version: &str) -> Jdk {
        let feature = Jdk::feature_of(version).unwrap();
        Jdk { home: home.to_owned(), feature, version: version.into(), library: JdkLibrary::Jars(Vec::new()) }
    }

    #[test]
    fn the_log_decides_among_those_that_are_here() {
        let place = tempfile::tempdir().unwrap();
        let home = |name: &str, compiles: bool| {
            let home = place.path().join(name);
            std::fs::create_dir_all(home.join("bin")).unwrap();
            if compiles {
                std::fs::write(home.join("bin/javac"), "").unwrap();
            }
            home
        };
        let all = [
            jdk(&home("8", true), "1.8.0_292"),
            jdk(&home("17-jre", false), "17.0.1"),
            jdk(&home("17a", true), "17.0.2"),
            jdk(&home("17b", true), "17.0.15"),
            jdk(&home("25", true), "25"),
        ];
        let chosen = |usual: usize, version: &str| {
            let feature = Jdk::feature_of(version).unwrap();
            let found = of_feature(&all[usual], &all, version, feature)?;
            Some(found.home.file_name().unwrap().to_str().unwrap().to_owned())
        };
        for (usual, version, expected) in [
            (4, "17.0.2", Some("17a")),
            (4, "17.0.9", Some("17b")),
            (2, "17.0.9", Some("17a")),
            (4, "17.0.1", Some("17b")),
            (1, "17.0.1", Some("17-jre")),
            (4, "1.8.0_151", Some("8")),
            (4, "11.0.2", None),
        ] {
            assert_eq!(chosen(usual, version).as_deref(), expected, "{version}");
        }
    }
}
