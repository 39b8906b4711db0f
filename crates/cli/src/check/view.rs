//! What `check` shows, as plain data: the table for people and the JSON for scripts are two renderings of it.
//!
//! The JSON is one object a run, with `"schema": 2` and `"event": "check"`.

use crate::load::Loaded;
use crate::result::ConditionView;
use crash_report::Throwable;
use program::{ClassName, Origin};
use serde::Serialize;
use std::ops::Range;
use std::path::Path;
use target::{
    Binding, BoundMethod, CauseTarget, Certainty, CrashTarget, FactValue, FrameRole, MessageFact, Precision,
    TargetFrame, ThrowSite,
};

const NOT_NAMED: &str = "(not named)";

#[derive(Debug, Serialize)]
pub(crate) struct View {
    schema: u32,
    event: &'static str,
    pub(crate) crash: Source,
    pub(crate) program: ProgramView,
    /// The chosen trace's exceptions, outermost first.
    pub(crate) exceptions: Vec<Exception>,
    /// The target.
    #[serde(flatten)]
    pub(crate) account: Account,
    /// The target's own causes, outermost first.
    pub(crate) causes: Vec<Cause>,
    /// Classes that methods of the frames refer to and no jar has.
    pub(crate) missing: Vec<MissingClass>,
    /// What could not be read in the log or the jars.
    pub(crate) problems: Vec<String>,
    /// With `--explain`: why it crashes, frame by frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conditions: Option<Vec<ConditionView>>,
    pub(crate) verdict: Verdict,
}

/// What log and jars say of one exception.
#[derive(Debug, Serialize)]
pub(crate) struct Account {
    /// Top first.
    pub(crate) frames: Vec<Frame>,
    /// Of a stack overflow, the frames of one round of the recursion.
    pub(crate) recursion: Vec<String>,
    /// Places that may throw, the best guess first.
    pub(crate) throws: Vec<Throw>,
    pub(crate) message_facts: Vec<Fact>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Cause {
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    #[serde(flatten)]
    pub(crate) account: Account,
}

#[derive(Debug, Serialize)]
pub(crate) struct MissingClass {
    pub(crate) class: String,
    /// The methods that refer to it, or whose class is below it.
    pub(crate) needed_by: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) line: u32,
    /// Which trace of the file, counted from 1.
    pub(crate) trace: usize,
    pub(crate) traces: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct ProgramView {
    pub(crate) class_path: Vec<String>,
    pub(crate) classes: usize,
    pub(crate) jdk: String,
    pub(crate) jdk_home: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Exception {
    pub(crate) relation: Relation,
    pub(crate) depth: usize,
    pub(crate) class: String,
    pub(crate) message: Option<String>,
    pub(crate) frames: usize,
    pub(crate) target: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Relation {
    Outermost,
    Cause,
    Suppressed,
}

#[derive(Debug, Serialize)]
pub(crate) struct Frame {
    /// Number among the application frames, 1 at the top.
    pub(crate) number: Option<u32>,
    pub(crate) role: &'static str,
    pub(crate) frame: String,
    pub(crate) bound: Vec<Bound>,
    pub(crate) certainty: Option<&'static str>,
    pub(crate) jar: Option<String>,
    pub(crate) misfit: Option<String>,
    /// Why no test can see the frame; none if one can.
    pub(crate) unreachable: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Bound {
    pub(crate) method: String,
    pub(crate) descriptor: String,
    /// Bytecode ranges of the line, end exclusive.
    pub(crate) ranges: Vec<(u16, u16)>,
    pub(crate) calls: Vec<u16>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Throw {
    pub(crate) method: String,
    /// The instruction that ends the method: the failing operation, the call that does not return, the `athrow`.
    pub(crate) bytecode: u16,
    /// The constructor call of the exception, which gives the trace its line, where that is another.
    pub(crate) made_at: Option<u16>,
    /// The `athrow` of a frame below, where the exception is made here and thrown there.
    pub(crate) thrown_at: Option<u16>,
    pub(crate) kind: String,
    /// In source terms.
    pub(crate) condition: String,
    /// Branches on the way, innermost first.
    pub(crate) guards: Vec<String>,
    pub(crate) precision: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Fact {
    pub(crate) subject: String,
    pub(crate) value: String,
    pub(crate) certain: bool,
    pub(crate) from: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    pub(crate) fit: Fit,
    pub(crate) bound: usize,
    pub(crate) application_frames: usize,
    /// Those of them that a test can see.
    pub(crate) reachable: u32,
    pub(crate) misfits: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fit {
    Fits,
    DoesNotFit,
}

impl View {
    pub(crate) fn new(path: &Path, loaded: &Loaded, target: &CrashTarget) -> View {
        let trace = &loaded.report.traces[loaded.trace];
        let chosen = &loaded.throwable;
        let mut exceptions = Vec::new();
        list(&trace.throwable, Relation::Outermost, 0, chosen, &mut exceptions);
        let mut frames: Vec<Frame> = target.frames.iter().map(|frame| frame_view(frame, loaded)).collect();
        let out_of_reach = frames.iter_mut().filter(|frame| frame.number > Some(target.reachable()));
        for (frame, (_, reason)) in out_of_reach.zip(target.unreachable()) {
            frame.unreachable = Some(reason);
        }
        let account = Account {
            frames,
            recursion: recursion(&target.frames, target.recursion.clone()),
            throws: target.throw_sites.iter().map(throw_view).collect(),
            message_facts: target.message_facts.iter().map(fact_view).collect(),
        };
        View {
            schema: crate::SCHEMA,
            event: "check",
            crash: Source {
                path: path.display().to_string(),
                line: chosen.place.line,
                trace: loaded.trace + 1,
                traces: loaded.report.traces.len(),
            },
            program: program_view(loaded),
            exceptions,
            causes: target.causes.iter().map(|cause| cause_view(cause, loaded)).collect(),
            missing: missing(target, loaded),
            problems: problems(loaded),
            conditions: None,
            verdict: verdict(target, &account.frames),
            account,
        }
    }
}

fn missing(target: &CrashTarget, loaded: &Loaded) -> Vec<MissingClass> {
    let missing = target.missing(&loaded.program).into_iter().map(|(class, methods)| MissingClass {
        class: class.to_string(),
        needed_by: methods.iter().map(|method| format!("{}.{}", method.class, method.name)).collect(),
    });
    missing.collect()
}

fn cause_view(cause: &CauseTarget, loaded: &Loaded) -> Cause {
    Cause {
        class: named(cause.exception),
        message: cause.message.clone(),
        account: Account {
            frames: cause.frames.iter().map(|frame| frame_view(frame, loaded)).collect(),
            recursion: recursion(&cause.frames, cause.recursion.clone()),
            throws: cause.throw_sites.iter().map(throw_view).collect(),
            message_facts: cause.message_facts.iter().map(fact_view).collect(),
        },
    }
}

/// Some exceptions print themselves without their class.
fn named(exception: ClassName) -> String {
    let name = exception.to_string();
    if name.is_empty() { NOT_NAMED.to_owned() } else { name }
}

fn recursion(frames: &[TargetFrame], round: Option<Range<usize>>) -> Vec<String> {
    let round = round.and_then(|round| frames.get(round)).unwrap_or_default();
    round.iter().map(|frame| frame.frame.to_string()).collect()
}

fn list(throwable: &Throwable, relation: Relation, depth: usize, chosen: &Throwable, out: &mut Vec<Exception>) {
    out.push(Exception {
        relation,
        depth,
        class: throwable.name().unwrap_or(NOT_NAMED).to_owned(),
        message: throwable.message.clone(),
        frames: throwable.frames.len(),
        target: throwable.block == chosen.block,
    });
    for suppressed in &throwable.suppressed {
        list(suppressed, Relation::Suppressed, depth + 1, chosen, out);
    }
    if let Some(cause) = &throwable.cause {
        list(cause, Relation::Cause, depth + 1, chosen, out);
    }
}

fn program_view(loaded: &Loaded) -> ProgramView {
    let jdk = loaded.program.jdk();
    ProgramView {
        class_path: loaded.given.class_path.entries().iter().map(|path| path.display().to_string()).collect(),
        classes: loaded.program.class_count(),
        jdk: jdk.version.clone(),
        jdk_home: jdk.home.display().to_string(),
    }
}

fn frame_view(frame: &TargetFrame, loaded: &Loaded) -> Frame {
    let (number, role) = match frame.role {
        FrameRole::Application(number) => (Some(number), "application"),
        FrameRole::Library => (None, "library"),
        FrameRole::Glue => (None, "glue"),
    };
    let (bound, certainty, misfit) = match &frame.binding {
        Binding::Bound { candidates, certainty } => {
            (candidates.iter().map(bound_view).collect(), Some(certainty_text(*certainty)), None)
        }
        Binding::Unbound(misfit) => (Vec::new(), None, Some(misfit.to_string())),
        Binding::Unneeded => (Vec::new(), None, None),
    };
    let class = ClassName::from_dotted(&frame.frame.class);
    let jar = loaded.program.origin(class).map(|origin| short_origin(&origin, class));
    Frame { number, role, frame: frame.frame.to_string(), bound, certainty, jar, misfit, unreachable: None }
}

fn bound_view(bound: &BoundMethod) -> Bound {
    let types: Vec<String> = bound.method.signature().params.iter().map(|ty| simple(&ty.to_string())).collect();
    Bound {
        method: format!("{}({})", bound.method.name, types.join(", ")),
        descriptor: bound.method.descriptor.to_string(),
        ranges: bound.ranges.iter().map(|range| (range.start, range.end)).collect(),
        calls: bound.calls.clone(),
    }
}

fn certainty_text(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::ByMethod => "by method",
        Certainty::NearLine => "near the line",
        Certainty::ByLine => "by line",
        Certainty::ByPossibleCall => "by possible call",
        Certainty::ByCall => "by call",
    }
}

fn throw_view(site: &ThrowSite) -> Throw {
    Throw {
        method: site.at.method.to_string(),
        bytecode: site.at.at.bci,
        made_at: site.made_at.map(|made| made.at.bci),
        thrown_at: site.thrown_at.map(|thrown| thrown.at.bci),
        kind: format!("{:?}", site.kind),
        condition: site.text.clone(),
        guards: site.guards.iter().map(|guard| guard.text.clone()).collect(),
        precision: match site.precision {
            Precision::Exact => "exact",
            Precision::Partial => "partial",
            Precision::Opaque => "opaque",
        },
    }
}

fn fact_view(fact: &MessageFact) -> Fact {
    let value = match &fact.value {
        FactValue::Null => "null".into(),
        FactValue::Int(value) => value.to_string(),
        FactValue::Text(text) => format!("{text:?}"),
        FactValue::Class(class) => class.to_string(),
    };
    Fact {
        subject: fact.subject.clone(),
        value,
        certain: fact.certain,
        from: fact.from.map(|method| method.to_string()),
    }
}

fn problems(loaded: &Loaded) -> Vec<String> {
    let log = loaded.report.problems.iter().map(ToString::to_string);
    let mut jars: Vec<String> =
        loaded.problems.iter().chain(&loaded.program.problems()).map(ToString::to_string).collect();
    jars.dedup();
    log.chain(jars).collect()
}

fn verdict(target: &CrashTarget, frames: &[Frame]) -> Verdict {
    let application: Vec<&Frame> = frames.iter().filter(|frame| frame.number.is_some()).collect();
    let bound = application.iter().filter(|frame| !frame.bound.is_empty()).count();
    let contradicted = target.misfits.iter().any(target::Misfit::is_contradiction);
    Verdict {
        fit: if contradicted { Fit::DoesNotFit } else { Fit::Fits },
        bound,
        application_frames: application.len(),
        reachable: target.reachable(),
        misfits: target.misfits.iter().map(ToString::to_string).collect(),
    }
}

/// The file name of the jar or of the directory with the classes.
fn short_origin(origin: &Origin, class: ClassName) -> String {
    let text = match origin {
        Origin::File(path) => {
            let packages = class.as_internal().split('/').count();
            path.ancestors().nth(packages).unwrap_or(path).display().to_string()
        }
        other => other.to_string(),
    };
    text.rsplit('/').next().unwrap_or(&text).to_owned()
}

/// `String[]` for `java.lang.String[]`.
fn simple(ty: &str) -> String {
    ty.rsplit('.').next().unwrap_or(ty).replace('$', ".")
}
