//! From a reported exception and a program to a [`CrashTarget`].

use crate::bind;
use crate::escape;
use crate::inquiry::Inquiry;
use crate::message::facts::{self, Reading};
use crate::misfit::{Misfit, MisfitKind};
use crate::model::{
    Binding, CauseTarget, Certainty, CrashTarget, FrameRole, Precision, TargetFrame, ThrowKind, ThrowSite,
};
use crate::roles;
use crate::throws::{self, Thrown};
use analysis::Methods;
use condition::Condition;
use crash_report::Throwable;
use program::{ClassName, Resolved};

impl CrashTarget {
    /// Derives the target of an exception with its causes. `application` says which classes (dotted names) belong to the
    /// application. Never fails: what does not fit is listed in [`CrashTarget::misfits`].
    pub fn derive(throwable: &Throwable, methods: &Methods, application: &dyn Fn(&str) -> bool) -> CrashTarget {
        let units = Inquiry::new(methods);
        let deriver = Deriver { units: &units, application };
        let (mut own, mut misfits) = deriver.one(throwable);
        // A cause may come from a thread that the JDK runs alone; the target may not.
        if !own.frames.iter().any(|frame| matches!(frame.role, FrameRole::Application(_))) {
            misfits.push(Misfit { frame: None, artifact: None, kind: MisfitKind::NoApplicationFrame });
        }
        own.misfits = misfits;
        own.kept = escape::find(&units, &own, application);
        own.causes = throwable
            .chain()
            .skip(1)
            .map(|cause| {
                let (target, misfits) = deriver.one(cause);
                // Causes share frames with what they cause; what does not fit there was said already.
                for misfit in misfits {
                    if !own.misfits.iter().any(|known| known.kind == misfit.kind) {
                        own.misfits.push(misfit);
                    }
                }
                cause_target(target)
            })
            .collect();
        own
    }
}

fn cause_target(target: CrashTarget) -> CauseTarget {
    CauseTarget {
        exception: target.exception,
        message: target.message,
        frames: target.frames,
        throw_sites: target.throw_sites,
        templates: target.templates,
        message_facts: target.message_facts,
        recursion: target.recursion,
    }
}

struct Deriver<'a> {
    units: &'a Inquiry<'a>,
    application: &'a dyn Fn(&str) -> bool,
}

impl Deriver<'_> {
    /// Was the class compiled from a source, so that it is not made by a container, whatever its name?
    fn is_compiled(&self, class: &str) -> bool {
        const SOURCES: [&str; 4] = ["java", "kt", "scala", "groovy"];
        let file = self.units.program.class(ClassName::from_dotted(class)).and_then(|class| class.source_file);
        let extension = |file: &program::Symbol| file.as_str().rsplit_once('.').map(|(_, ext)| SOURCES.contains(&ext));
        file.as_ref().and_then(extension).unwrap_or(false)
    }

    /// One exception without its causes, and what does not fit.
    fn one(&self, throwable: &Throwable) -> (CrashTarget, Vec<Misfit>) {
        let roles = roles::roles(&throwable.frames, self.application, &|class| self.is_compiled(class));
        let (mut frames, mut misfits) = bind::bind(self.units.program, &throwable.frames, &roles);
        let named = throwable.name().map(ClassName::from_dotted);
        // Exceptions of scripts print the name that they have there.
        let is_class = named.is_some_and(|name| !name.package().is_empty() || self.units.program.class(name).is_some());
        let exception = match named {
            Some(name) if is_class => name,
            _ => self.unnamed_exception(&frames).or(named).unwrap_or(ClassName::internal("")),
        };
        let thrown = Thrown {
            exception,
            message: throwable.message.as_deref(),
            frames: &frames,
            failed_initialiser: failed_initialiser(throwable),
        };
        let found = throws::find(self.units, &thrown);
        let Reading { templates, facts } = facts::read(self.units, exception, throwable, &found);
        let throw_sites: Vec<ThrowSite> = found.into_iter().map(|found| found.site).collect();
        match frames.iter().position(|frame| matches!(frame.role, FrameRole::Application(_))) {
            Some(0) if !settle_top(&mut frames[0], &throw_sites) && is_class => {
                misfits.extend(self.cannot_throw(exception, &frames[0], &throw_sites));
            }
            _ => {}
        }
        let recursion =
            (exception.as_internal() == "java/lang/StackOverflowError").then(|| throws::recursion(&frames)).flatten();
        let target = CrashTarget {
            exception,
            message: throwable.message.clone(),
            frames,
            throw_sites,
            templates,
            message_facts: facts,
            recursion,
            causes: Vec::new(),
            kept: None,
            misfits: Vec::new(),
        };
        (target, misfits)
    }
}

impl Deriver<'_> {
    /// Some exceptions print themselves without their class. If the top line throws only one, it is that one.
    fn unnamed_exception(&self, frames: &[TargetFrame]) -> Option<ClassName> {
        let Binding::Bound { candidates, .. } = &frames.first()?.binding else { return None };
        let [only] = candidates.as_slice() else { return None };
        let unit = self.units.get(only.method)?;
        throws::only_exception(&unit, &only.ranges)
    }

    /// The top frame is bound, but nothing on its line is seen to throw the exception.
    fn cannot_throw(&self, exception: ClassName, top: &TargetFrame, calls: &[ThrowSite]) -> Option<Misfit> {
        let Binding::Bound { candidates, .. } = &top.binding else { return None };
        let method = candidates.first()?.method;
        let calls = calls.iter().any(|call| self.may_hide_frames(call));
        let able = throws::able_lines(self.units, exception, method);
        let kind = MisfitKind::CannotThrow { exception, method, calls, able };
        Some(Misfit { frame: Some(0), artifact: bind::artifact(self.units.program, method.class), kind })
    }
}

impl Deriver<'_> {
    /// Lambdas, proxies and method handles run in frames that traces leave out, and some libraries cut their own off; the JDK
    /// does not.
    fn may_hide_frames(&self, call: &ThrowSite) -> bool {
        let Condition::CallThrows { callee, .. } = &call.condition.when else { return true };
        match self.units.program.resolve_method(*callee) {
            Resolved::Found(found) => found.access.is_abstract() || !self.units.program.is_jdk(found.class.name),
            Resolved::Absent | Resolved::Unknown { .. } => true,
        }
    }
}

/// At the top of the stack, "the line can throw this" takes the place of "the line calls the frame above".
fn settle_top(frame: &mut TargetFrame, sites: &[ThrowSite]) -> bool {
    let is_seen = |site: &ThrowSite| site.kind != ThrowKind::Helper || site.precision != Precision::Opaque;
    let can_throw = sites.iter().any(is_seen);
    if let Binding::Bound { certainty, .. } = &mut frame.binding
        && *certainty == Certainty::ByLine
        && can_throw
    {
        *certainty = Certainty::ByCall;
    }
    can_throw
}

/// The class whose static initialiser is on the stack of the exception's cause.
fn failed_initialiser(throwable: &Throwable) -> Option<ClassName> {
    let cause = throwable.cause.as_deref()?;
    let initialiser = cause.frames.iter().rev().find(|frame| frame.method == "<clinit>")?;
    Some(ClassName::from_dotted(&initialiser.class))
}
