//! Which exception of a report is the one to reproduce.
//!
//! A log holds traces, a trace holds a chain. The target is the outermost exception of the chain that has a frame of the
//! application; its causes are part of the goal, the wrappers around it (a caller's own exception, a framework) are
//! not. Of several traces the first one that has such an exception is taken: what follows the first failure is often
//! its consequence. Stacks of thread dumps are no exceptions and never taken; a trace whose exception has no name only
//! if no other has an application frame.

use std::collections::BTreeMap;

use crate::names;
use crate::report::{CrashReport, Throwable, Trace, TraceSource, counted};

/// The exception to reproduce: a trace of the report and the depth in its chain of causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Index into [`CrashReport::traces`].
    pub trace: usize,
    /// How many exceptions are around it: 0 is the outermost.
    pub cause: usize,
}

/// Why no exception can be chosen. Indices count from 0, what is printed from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTarget {
    /// The text has no trace at all.
    #[error("there is no stack trace in the text")]
    NoTrace,
    /// The text has only stacks of threads.
    #[error("the text has a thread dump but no exception")]
    OnlyThreadDumps { threads: usize },
    /// The asked-for trace is the stack of a thread.
    #[error("trace {} is the stack of a thread, not an exception", .trace + 1)]
    ThreadDump { trace: usize },
    /// `--trace` asks for more than there is.
    #[error("there is no trace {}: the text has {}", .trace + 1, counted(*.traces, "trace"))]
    NoSuchTrace { trace: usize, traces: usize },
    /// `--cause` asks for more than there is.
    #[error("there is no exception {} in the chain of causes: it has {}", .cause + 1, counted(*.causes, "exception"))]
    NoSuchCause {
        cause: usize,
        /// Of the longest chain that was looked at.
        causes: usize,
    },
    /// No exception that was looked at has a frame of the application.
    #[error("no frame is of the application; the packages in the traces are {}", list(.packages))]
    NoApplicationFrame {
        /// The packages seen, those with most frames first, JDK and glue left out.
        packages: Vec<String>,
    },
}

impl Choice {
    /// The chosen exception; `None` if the report is not the one that was chosen from.
    pub fn throwable<'a>(&self, report: &'a CrashReport) -> Option<&'a Throwable> {
        report.traces.get(self.trace)?.throwable.chain().nth(self.cause)
    }
}

/// Chooses the exception to reproduce. `trace` and `cause` restrict the choice; a given cause is taken whatever its frames
/// are, as long as one is of the application.
pub fn choose(
    report: &CrashReport,
    is_application: &dyn Fn(&str) -> bool,
    trace: Option<usize>,
    cause: Option<usize>,
) -> Result<Choice, NoTarget> {
    let candidates = candidates(report, trace)?;
    let causes = candidates.iter().map(|&i| report.traces[i].throwable.chain().count()).max().unwrap_or(0);
    if let Some(cause) = cause.filter(|&cause| cause >= causes) {
        return Err(NoTarget::NoSuchCause { cause, causes });
    }
    let fits = |t: &Throwable| t.frames.iter().any(|f| is_application(&f.class));
    let pick = |named: bool| {
        candidates.iter().find_map(|&trace| {
            let chain = report.traces[trace].throwable.chain().enumerate();
            let mut chain = chain.filter(|(i, _)| cause.is_none_or(|cause| cause == *i));
            let (cause, _) = chain.find(|(_, t)| fits(t) && (!named || t.name().is_some()))?;
            Some(Choice { trace, cause })
        })
    };
    pick(true).or_else(|| pick(false)).ok_or_else(|| NoTarget::NoApplicationFrame {
        packages: packages(candidates.iter().map(|&i| &report.traces[i])),
    })
}

/// The traces that may be chosen.
fn candidates(report: &CrashReport, trace: Option<usize>) -> Result<Vec<usize>, NoTarget> {
    let traces = report.traces.len();
    if traces == 0 {
        return Err(NoTarget::NoTrace);
    }
    let is_dump = |i: usize| report.traces[i].source == TraceSource::ThreadDump;
    match trace {
        Some(trace) if trace >= traces => Err(NoTarget::NoSuchTrace { trace, traces }),
        Some(trace) if is_dump(trace) => Err(NoTarget::ThreadDump { trace }),
        Some(trace) => Ok(vec![trace]),
        None => {
            let all: Vec<usize> = (0..traces).filter(|&i| !is_dump(i)).collect();
            if all.is_empty() { Err(NoTarget::OnlyThreadDumps { threads: traces }) } else { Ok(all) }
        }
    }
}

fn packages<'a>(traces: impl Iterator<Item = &'a Trace>) -> Vec<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for trace in traces {
        let frames = trace.throwable.tree().into_iter().flat_map(|t| t.own_frames());
        for frame in frames.filter(|f| !f.is_jdk() && !f.is_glue()) {
            *count.entry(package(&frame.class)).or_default() += 1;
        }
    }
    let mut packages: Vec<(&str, usize)> = count.into_iter().collect();
    packages.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    packages.into_iter().map(|(package, _)| package.to_owned()).collect()
}

fn package(class: &str) -> &str {
    names::host_class(class).rsplit_once('.').map_or("(default package)", |(package, _)| package)
}

fn list(packages: &[String]) -> String {
    const SHOWN: usize = 5;
    if packages.is_empty() {
        return "those of the JDK only".to_owned();
    }
    let mut text = packages.iter().take(SHOWN).map(|p| format!("`{p}`")).collect::<Vec<_>>().join(", ");
    if packages.len() > SHOWN {
        text.push_str(&format!(" and {} more", packages.len() - SHOWN));
    }
    text
}
