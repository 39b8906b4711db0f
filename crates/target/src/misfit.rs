//! Why a part of the log does not fit the jars, and what would.

use program::{ClassName, MethodRef};
use std::fmt;

/// One thing that does not fit between log and jars.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// Index of the frame among all frames of its exception.
    pub frame: Option<usize>,
    /// The jar or directory that the frame's class comes from.
    pub artifact: Option<Artifact>,
    pub kind: MisfitKind,
}

/// A jar, class directory or JDK module, as people call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The file name: `parser-2.1.jar`.
    pub name: String,
    /// From the manifest or the Maven properties inside of it.
    pub version: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MisfitKind {
    ClassMissing {
        class: ClassName,
        similar: Vec<ClassName>,
    },
    /// The class is not on the class path, and its source is a script that is compiled when the program runs.
    MadeAtRunTime {
        class: ClassName,
        script: String,
    },
    MethodMissing {
        class: ClassName,
        method: String,
        /// Methods of nearly this name, or of this name in supertypes.
        similar: Vec<MethodRef>,
    },
    /// The line is outside every method of that name.
    LineNotInMethod {
        line: u32,
        /// With first and last line, where there is a line table.
        methods: Vec<(MethodRef, Option<(u16, u16)>)>,
        /// Methods of the same source file that have the line.
        elsewhere: Vec<MethodRef>,
    },
    /// The class has no line table; bound by method only.
    NoLines {
        class: ClassName,
    },
    /// The line lies in the method but has no code; the nearest lines with code.
    LineWithoutCode {
        line: u32,
        method: MethodRef,
        nearest: Vec<u16>,
    },
    /// No call on the line leads to the frame above.
    NoCall {
        line: u32,
        method: MethodRef,
        above: String,
        /// Lines of the method that do call it.
        calling: Vec<u16>,
    },
    /// Nothing on the top line is seen to throw this exception.
    CannotThrow {
        exception: ClassName,
        method: MethodRef,
        /// There are calls on the line, one of which may throw if its frame is missing from the trace.
        calls: bool,
        /// Lines of the method that can throw it.
        able: Vec<u16>,
    },
    /// The log names the jar of the frame, and it is another.
    OtherArtifact {
        logged: String,
    },
    /// The trace has no frame of the application.
    NoApplicationFrame,
}

impl Misfit {
    /// Whether log and jars cannot belong together as they are, as opposed to a remark on what could not be checked.
    pub fn is_contradiction(&self) -> bool {
        match self.kind {
            MisfitKind::ClassMissing { .. }
            | MisfitKind::MethodMissing { .. }
            | MisfitKind::LineNotInMethod { .. }
            | MisfitKind::NoCall { .. }
            | MisfitKind::NoApplicationFrame => true,
            MisfitKind::CannotThrow { calls, .. } => !calls,
            MisfitKind::MadeAtRunTime { .. }
            | MisfitKind::NoLines { .. }
            | MisfitKind::LineWithoutCode { .. }
            | MisfitKind::OtherArtifact { .. } => false,
        }
    }

    fn of_artifact(&self) -> String {
        self.artifact.as_ref().map_or_else(String::new, |artifact| format!(" of {artifact}"))
    }
}

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            // File names usually have it already.
            Some(version) if !has_version(&self.name) => write!(f, "{} (version {version})", self.name),
            _ => f.write_str(&self.name),
        }
    }
}

fn has_version(file_name: &str) -> bool {
    file_name.split(['-', '_']).skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MisfitKind::ClassMissing { class, similar } => {
                write!(f, "class `{class}` is not on the class path")?;
                listed(f, "; there is ", similar, |class| format!("`{class}`"))
            }
            MisfitKind::MadeAtRunTime { class, script } => {
                write!(f, "class `{class}` is made of `{script}` at run time, so there is no bytecode of it to look at")
            }
            MisfitKind::MethodMissing { class, method, similar } => {
                write!(f, "`{class}`{} has no method `{method}`", self.of_artifact())?;
                listed(f, "; there is ", similar, |method| format!("`{}`", short(*method)))
            }
            MisfitKind::LineNotInMethod { line, methods, elsewhere } => {
                self.line_not_in_method(f, *line, methods)?;
                listed(f, &format!("; line {line} is in "), elsewhere, |method| format!("`{}`", short(*method)))
            }
            MisfitKind::NoLines { class } => {
                write!(f, "`{class}`{} has no line table, so its frames are matched by method", self.of_artifact())
            }
            MisfitKind::LineWithoutCode { line, method, nearest } => {
                write!(f, "line {line} of `{}`{} has no code", short(*method), self.of_artifact())?;
                listed(f, "; the nearest lines with code are ", nearest, u16::to_string)
            }
            MisfitKind::NoCall { line, method, above, calling } => {
                write!(f, "line {line} of `{}`{} does not call `{above}`", short(*method), self.of_artifact())?;
                listed(f, "; it is called in line ", calling, u16::to_string)
            }
            MisfitKind::CannotThrow { exception, method, calls, able } => {
                let line = format!("line of `{}`{}", short(*method), self.of_artifact());
                if *calls {
                    write!(f, "nothing on this {line} is seen to throw {exception}, unless a frame is missing")?;
                } else {
                    write!(f, "this {line} cannot throw {exception}")?;
                }
                listed(f, "; it can be thrown in line ", able, u16::to_string)
            }
            MisfitKind::OtherArtifact { logged } => match &self.artifact {
                Some(artifact) => write!(f, "the log names `{logged}`, the class path has {artifact}"),
                None => write!(f, "the log names `{logged}`, which is not on the class path"),
            },
            MisfitKind::NoApplicationFrame => f.write_str("no frame of the trace belongs to the application"),
        }
    }
}

impl Misfit {
    fn line_not_in_method(
        &self,
        f: &mut fmt::Formatter<'_>,
        line: u32,
        methods: &[(MethodRef, Option<(u16, u16)>)],
    ) -> fmt::Result {
        let name = methods.first().map_or_else(String::new, |(method, _)| short(*method));
        write!(f, "line {line} is not in `{name}`{}", self.of_artifact())?;
        let spans: Vec<(u16, u16)> = methods.iter().filter_map(|(_, span)| *span).collect();
        listed(f, ", which covers ", &spans, |(first, last)| format!("{first}-{last}"))
    }
}

/// At most this many alternatives are named.
const NAMED: usize = 3;

fn listed<T>(f: &mut fmt::Formatter<'_>, lead: &str, items: &[T], text: impl Fn(&T) -> String) -> fmt::Result {
    let mut texts: Vec<String> = items.iter().map(text).collect();
    texts.dedup();
    if texts.is_empty() {
        return Ok(());
    }
    let more = texts.len().saturating_sub(NAMED);
    let shown = texts[..texts.len() - more].join(", ");
    write!(f, "{lead}{shown}")?;
    if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
}

/// `Parser.read`, `Map.Entry.<init>`.
fn short(method: MethodRef) -> String {
    format!("{}.{}", method.class.simple(), method.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_would_fit() {
        let read = MethodRef::new("org/acme/Parser", "read", "()V");
        let skip = MethodRef::new("org/acme/Parser", "skip", "()V");
        let artifact = Some(Artifact { name: "parser-2.1.jar".into(), version: Some("2.1".into()) });
        let kind =
            MisfitKind::LineNotInMethod { line: 214, methods: vec![(read, Some((12, 190)))], elsewhere: vec![skip] };
        let misfit = Misfit { frame: Some(2), artifact, kind };
        assert_eq!(
            misfit.to_string(),
            "line 214 is not in `Parser.read` of parser-2.1.jar, which covers 12-190; line 214 is in `Parser.skip`"
        );
        let class = ClassName::internal("org/acme/Praser");
        let kind = MisfitKind::ClassMissing { class, similar: vec![ClassName::internal("org/acme/Parser")] };
        let misfit = Misfit { frame: None, artifact: None, kind };
        assert_eq!(misfit.to_string(), "class `org.acme.Praser` is not on the class path; there is `org.acme.Parser`");
    }
}
