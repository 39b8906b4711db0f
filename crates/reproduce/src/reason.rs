//! Why the full stack was not reproduced: what does not fit, what could not be made, where the nearest candidates turned
//! away.

use crate::search::Search;
use crate::verdict::{Fixed, Reason, Unreachable};
use crash_report::compare::{Comparison, Difference, Grade};
use engine::Find;
use program::{CodePoint, MethodRef, Program};
use recipe::RunnerError;
use std::path::{Path, PathBuf};
use target::{CrashTarget, FrameRole, MisfitKind, TargetFrame};

/// The most telling of the closed list of reasons. `confirmed` is what the written test shows, if there is one; then what stopped
/// the search, and files that the program was kept from reading.
pub(crate) fn reason(
    target: &CrashTarget,
    search: &Search,
    confirmed: Option<&Comparison>,
    program: &Program,
    (broken, denied): (Option<&RunnerError>, &[PathBuf]),
) -> Reason {
    if let Some(error) = broken {
        return Reason::Environment { explanation: error.to_string() };
    }
    misfit(target)
        .or_else(|| failed(search))
        .or_else(|| barren(target, search))
        .or_else(|| denied.first().map(|file| Reason::Environment { explanation: could_not_read(file) }))
        .or_else(|| concurrency(target, search.best()?))
        .or_else(|| environment(target))
        .or_else(|| branch(target, search.best()?, program))
        .unwrap_or_else(|| Reason::Budget {
            // The test at hand is what can be looked at; another candidate may have come as far on another way.
            explanation: confirmed
                .and_then(shown)
                .or_else(|| search.best().map(describe))
                .unwrap_or_else(|| "no candidate could be made".into()),
        })
}

/// Where the exception never leaves the frame that throws it, there is nothing to search for.
pub(crate) fn out_of_reach(frames: &[Unreachable]) -> Option<Reason> {
    let top = frames.first().filter(|top| top.number == 1)?;
    Some(Reason::OutOfReach { explanation: format!("`{}` {}", top.frame, top.reason) })
}

/// Nobody is left to go on.
fn failed(search: &Search) -> Option<Reason> {
    let all: Vec<String> =
        search.left_out().map(|(engine, why)| format!("the engine `{engine}` failed: {why}")).collect();
    let is_alone = search.is_barren() && !all.is_empty();
    is_alone.then(|| Reason::Budget { explanation: all.join("; ") })
}

/// With the way out.
pub(crate) fn could_not_read(file: &Path) -> String {
    let file = file.display();
    format!("the program was not allowed to read `{file}`; `--allow-read {file}` permits it")
}

/// Why a test that shows the whole stack is a fragment: what stands between its callers and the member that it enters.
pub(crate) fn of_fragment(entered: MethodRef, target: &CrashTarget, search: &Search, program: &Program) -> Reason {
    let frame = application(target)
        .zip(1..)
        .find(|(frame, _)| frame.frame.method == entered.name.as_str() && frame.frame.class == entered.class.dotted());
    let nearest = frame.and_then(|(_, number)| search.nearest_outside(number));
    let name = format!("`{}.{}`", entered.class, entered.name);
    let blocked = nearest.and_then(|nearest| branch(target, nearest, program));
    blocked.unwrap_or_else(|| Reason::Budget {
        explanation: match nearest {
            Some(_) => format!("no candidate reached {name} through its callers, only by reflection"),
            None => format!("{name} can only be called by reflection, and the log does not show its caller"),
        },
    })
}

/// Why a test that shows all frames is not called full.
pub(crate) fn of_nameless(difference: &Difference) -> Reason {
    Reason::ExceptionNotNamed { explanation: difference.to_string() }
}

/// Why a test that shows the whole stack does not show the bug.
pub(crate) fn on_fixed(fixed: Fixed) -> Option<Reason> {
    let what = match fixed {
        Fixed::SameCrash => "the same crash happens with the fixed jars, so this is not the bug that was fixed",
        Fixed::DoesNotCompile => {
            "the test does not compile with the fixed jars, so they do not tell whether it shows the bug"
        }
        Fixed::Unknown => "the test gave no clear result with the fixed jars",
        Fixed::Passes | Fixed::Changed => return None,
    };
    Some(Reason::OnFixed { explanation: what.into() })
}

/// What the nearest candidate shows, in few words.
pub(crate) fn describe(find: &Find) -> String {
    if let Some(shown) = find.assessment.comparison.as_ref().and_then(shown) {
        return shown;
    }
    match find.assessment.inwards.frames_to_go {
        _ if find.assessment.is_astray() => "no candidate entered a frame of the crash".into(),
        0 => "the crash line was reached, but the exception was not thrown there".into(),
        to_go => lacking(find.candidate.entry(), to_go),
    }
}

/// What a crash shows that is in part the one looked for, and where it begins to be another; `None` if it shows nothing of it.
fn shown(comparison: &Comparison) -> Option<String> {
    let grade = Some(comparison.exact.grade).filter(|grade| *grade > Grade::None)?;
    let next = comparison.difference.as_ref();
    Some(next.map_or(grade.to_string(), |next| format!("{grade}; {}", differs(next))))
}

/// A candidate that enters at an inner frame has all the frames around that one still before it.
fn lacking(entry: u32, to_go: u32) -> String {
    let missing = match to_go {
        1 => "the line of one frame".to_owned(),
        several => format!("the lines of {several} frames"),
    };
    match entry {
        1 => format!("the nearest candidate called frame 1 and did not reach {missing}"),
        _ => format!("the nearest candidate entered at frame {entry} and did not reach {missing} inside it"),
    }
}

/// Where what was thrown begins to be another crash.
fn differs(difference: &Difference) -> String {
    match difference {
        Difference::Type { actual, .. } => format!("{actual} was thrown"),
        Difference::Frame { expected, actual: Some(actual), .. } => {
            format!("`{actual}` was on the stack instead of `{expected}`")
        }
        Difference::Frame { expected, actual: None, .. } => format!("`{expected}` was not on the stack"),
        Difference::Recursion { expected } => format!("`{expected}` did not repeat"),
        Difference::Cause { expected, actual: Some(actual), .. } => {
            format!("the cause was {actual}, not {expected} as reported")
        }
        Difference::Cause { expected, actual: None, .. } => format!("the cause {expected} was missing"),
        Difference::Unnamed { .. } => difference.to_string(),
    }
}

fn misfit(target: &CrashTarget) -> Option<Reason> {
    target.misfits.iter().find_map(|misfit| match &misfit.kind {
        MisfitKind::ClassMissing { class, .. } => Some(Reason::ClassMissing { class: class.to_string() }),
        MisfitKind::LineNotInMethod { .. } => {
            let frame = misfit.frame.and_then(|index| target.frames.get(index));
            let frame = frame.map_or_else(String::new, |frame| frame.frame.to_string());
            Some(Reason::LineNotInJar { frame, explanation: misfit.to_string() })
        }
        _ => None,
    })
}

fn barren(target: &CrashTarget, search: &Search) -> Option<Reason> {
    let top = application(target).next().filter(|_| search.is_barren())?;
    let explanation = "a test cannot use any of its constructors, factories or callers".into();
    Some(Reason::ObjectNotConstructible { class: top.frame.class.clone(), explanation })
}

/// Most of these exceptions can be had with one thread; where the crash line is executed and they do not come, another
/// thread may have to be there.
fn concurrency(target: &CrashTarget, best: &Find) -> Option<Reason> {
    if best.assessment.is_crash() || best.assessment.inwards.frames_to_go > 0 {
        return None;
    }
    let of_threads = [
        "java.util.ConcurrentModificationException",
        "java.lang.IllegalMonitorStateException",
        "java.lang.InterruptedException",
    ];
    let name = target.exception.dotted();
    let explanation =
        format!("the crash line was executed without throwing {name}, which usually takes several threads");
    of_threads.contains(&name.as_str()).then_some(Reason::Concurrency { explanation })
}

/// The JDK frames above the application's own tell what was asked of the machine.
fn environment(target: &CrashTarget) -> Option<Reason> {
    const OUTSIDE: [&str; 6] =
        ["java.net.", "sun.net.", "sun.nio.ch.", "sun.nio.fs.", "java.lang.ProcessImpl", "java.lang.ProcessBuilder"];
    let name = target.exception.dotted();
    if !["java.io.", "java.net.", "java.nio.", "javax.net."].iter().any(|package| name.starts_with(package)) {
        return None;
    }
    let above = target.frames.iter().take_while(|frame| !matches!(frame.role, FrameRole::Application(_)));
    let asked =
        above.map(|frame| &frame.frame).find(|frame| OUTSIDE.iter().any(|start| frame.class.starts_with(start)))?;
    Some(Reason::Environment { explanation: format!("it was thrown inside {}.{}", asked.class, asked.method) })
}

/// The branch that the nearest candidate did not take, or the throw condition that it did not meet.
fn branch(target: &CrashTarget, best: &Find, program: &Program) -> Option<Reason> {
    if best.assessment.is_crash() {
        return None;
    }
    if best.assessment.inwards.frames_to_go == 0 {
        let site = target.throw_sites.first()?;
        return Some(Reason::BranchNotSatisfied { place: place(site.at, program), condition: site.text.clone() });
    }
    let at = best.assessment.blocked_at?;
    let guards = target.throw_sites.iter().flat_map(|site| &site.guards);
    let condition = guards
        .filter(|guard| guard.condition.at.method == at.method && guard.condition.at.at.bci == at.at.bci)
        .map(|guard| guard.text.clone());
    let condition = condition.into_iter().next().unwrap_or_else(|| "the other outcome".into());
    Some(Reason::BranchNotSatisfied { place: place(at, program), condition })
}

fn place(at: CodePoint, program: &Program) -> String {
    let line = program.declared_method(at.method).and_then(|found| found.line_of(at.at.bci));
    let line = line.map_or_else(|| format!("bytecode {}", at.at.bci), |line| format!("line {line}"));
    format!("{}.{}, {line}", at.method.class, at.method.name)
}

fn application(target: &CrashTarget) -> impl Iterator<Item = &TargetFrame> {
    target.frames.iter().filter(|frame| matches!(frame.role, FrameRole::Application(_)))
}

#[cfg(test)]
mod tests {
    use super::{out_of_reach, shown};
    use crate::verdict::Unreachable;
    use crash_report::compare::{Comparing, compare};

    #[test]
    fn what_does_not_leave_frame_1_is_not_searched_for() {
        let kept_in = |number| vec![Unreachable { number, frame: "a.B.c(B.java:1)".into(), reason: "drops it".into() }];
        let said = out_of_reach(&kept_in(1)).map(|reason| (reason.code(), reason.to_string()));
        let text = "no test can see the exception: `a.B.c(B.java:1)` drops it";
        assert_eq!(said, Some(("out-of-reach", text.to_owned())));
        assert_eq!(out_of_reach(&kept_in(2)), None, "frame 1 can be shown");
        assert_eq!(out_of_reach(&[]), None);
    }

    #[test]
    fn what_a_test_lacks_is_said_of_that_test() {
        let throwable = |text: &str| crash_report::parse(text.as_bytes()).traces.remove(0).throwable;
        let reported = throwable(
            "a.AException: x\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:9)\nCaused by: java.lang.Error\n\tat a.D.e(D.java:2)\n",
        );
        let how = Comparing {
            is_application: &|class| class.starts_with("a."),
            is_test: &|_| false,
            lines: true,
            reachable: None,
            same_statement: None,
            same_template: None,
        };
        let of = |text: &str| shown(&compare(&reported, &throwable(text), &how));
        let other_cause = of(
            "a.AException: x\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:9)\nCaused by: java.io.IOException\n\tat a.D.e(D.java:2)\n",
        );
        assert_eq!(
            other_cause.as_deref(),
            Some("crash-line; the cause was java.io.IOException, not java.lang.Error as reported")
        );
        assert_eq!(of("a.AException: x\n\tat a.F.g(F.java:1)\n"), None);
    }
}
