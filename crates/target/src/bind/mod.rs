//! Which bytecode each frame means.
//!
//! Candidates are the methods of the frame's name that have its line; then each frame's candidates are held against those
//! of the frame above it: an overload that does not call it, or that nothing below calls, is dropped. What is still open
//! stays open. Frames of the JDK come from the log's JDK, which may be another than ours: their names guide, their lines
//! are used only as far as they are borne out by the calls.

mod artifact;
mod calls;
mod similar;

use crate::misfit::{Misfit, MisfitKind};
use crate::model::{Binding, BoundMethod, Certainty, FrameRole, TargetFrame};
pub(crate) use artifact::artifact;
use calls::{Above, Calls, Link};
use crash_report::Frame;
use program::{ClassName, FoundMethod, MethodRef, Program};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Binds all frames; `roles` has one role for each. Misfits are those of application frames.
pub(crate) fn bind(program: &Program, frames: &[Frame], roles: &[FrameRole]) -> (Vec<TargetFrame>, Vec<Misfit>) {
    let classes = frames.iter().map(|frame| ClassName::from_dotted(&frame.class));
    let mut binder = Binder {
        program,
        frames,
        calls: Calls::new(program, classes),
        drafts: drafts(program, frames, roles),
        misfits: Vec::new(),
    };
    binder.narrow();
    binder.finish(roles)
}

struct Binder<'p> {
    program: &'p Program,
    frames: &'p [Frame],
    calls: Calls<'p>,
    drafts: Vec<Draft>,
    misfits: Vec<Misfit>,
}

/// A draft for each frame; frames that occur again and again, as in a recursion, are looked at once.
fn drafts(program: &Program, frames: &[Frame], roles: &[FrameRole]) -> Vec<Draft> {
    let mut known: FxHashMap<(&Frame, bool), Draft> = FxHashMap::default();
    let each = frames.iter().zip(roles).map(|(frame, role)| {
        let is_application = matches!(role, FrameRole::Application(_));
        known.entry((frame, is_application)).or_insert_with(|| draft(program, frame, *role)).clone()
    });
    each.collect()
}

/// What is known of one frame so far.
#[derive(Clone)]
struct Draft {
    candidates: Vec<Candidate>,
    /// By line, for a frame of the JDK: taken if the calls bear it out.
    if_same_jdk: Vec<Candidate>,
    certainty: Certainty,
    misfit: Option<MisfitKind>,
    is_glue: bool,
}

#[derive(Clone)]
struct Candidate {
    method: FoundMethod,
    ranges: Vec<Range<u16>>,
}

impl Binder<'_> {
    /// Drops candidates that do not fit their neighbours.
    fn narrow(&mut self) {
        for index in 0..self.drafts.len() {
            if let Some(above) = self.above(index) {
                self.drop_those_not_calling(index, above);
            }
        }
        for index in (0..self.drafts.len()).rev() {
            if let Some(above) = self.above(index) {
                self.drop_those_not_called(index, above);
            }
        }
        self.trust_the_top_jdk_line();
    }

    /// The next frame above that is no glue.
    fn above(&self, index: usize) -> Option<usize> {
        if self.drafts[index].is_glue {
            return None;
        }
        (0..index).rev().find(|above| !self.drafts[*above].is_glue)
    }

    fn links(&self, caller: &Candidate, index: usize, above: usize, methods: &[FoundMethod]) -> Vec<(u16, Link)> {
        let glue = (above + 1 < index).then(|| &self.frames[index - 1]);
        self.calls.leading_to(&caller.method, &caller.ranges, &Above { frame: &self.frames[above], methods, glue })
    }

    fn drop_those_not_calling(&mut self, index: usize, above: usize) {
        let methods: Vec<FoundMethod> = self.drafts[above].candidates.iter().map(|c| c.method.clone()).collect();
        let strength = |candidate: &Candidate| {
            self.links(candidate, index, above, &methods).into_iter().map(|(_, link)| link).max()
        };
        let by_line = strongest(&self.drafts[index].if_same_jdk, strength);
        let kept = if by_line.is_empty() { strongest(&self.drafts[index].candidates, strength) } else { by_line };
        if !kept.is_empty() {
            self.drafts[index].candidates = kept;
        }
    }

    fn drop_those_not_called(&mut self, index: usize, above: usize) {
        if self.drafts[above].candidates.len() < 2 {
            return;
        }
        let strength = |called: &Candidate| {
            let methods = [called.method.clone()];
            let callers = self.drafts[index].candidates.iter();
            callers.flat_map(|caller| self.links(caller, index, above, &methods)).map(|(_, link)| link).max()
        };
        let kept = strongest(&self.drafts[above].candidates, strength);
        if !kept.is_empty() {
            self.drafts[above].candidates = kept;
        }
    }

    /// If the lines of all other JDK frames above frame 1 were borne out, the log's JDK is like ours and the line of the
    /// topmost frame can be used too.
    fn trust_the_top_jdk_line(&mut self) {
        let Some(top) = self.drafts.first() else { return };
        if top.if_same_jdk.is_empty() {
            return;
        }
        let jdk_frames = self.drafts.iter().skip(1).take_while(|draft| !draft.if_same_jdk.is_empty());
        let borne_out = jdk_frames.map(|draft| {
            let ranges = |candidates: &[Candidate]| -> Vec<_> { candidates.iter().map(|c| c.ranges.clone()).collect() };
            let by_line = ranges(&draft.if_same_jdk);
            ranges(&draft.candidates).iter().all(|range| by_line.contains(range))
        });
        let borne_out: Vec<bool> = borne_out.collect();
        if borne_out.is_empty() || !borne_out.iter().all(|fits| *fits) {
            return;
        }
        let kept: Vec<MethodRef> = top.candidates.iter().map(|c| c.method.reference()).collect();
        let by_line: Vec<Candidate> =
            top.if_same_jdk.iter().filter(|c| kept.contains(&c.method.reference())).cloned().collect();
        if !by_line.is_empty() {
            self.drafts[0].candidates = by_line;
        }
    }

    fn finish(mut self, roles: &[FrameRole]) -> (Vec<TargetFrame>, Vec<Misfit>) {
        let mut bound = Vec::new();
        for (index, role) in roles.iter().enumerate() {
            let binding = self.binding(index, *role);
            bound.push(TargetFrame { frame: self.frames[index].clone(), role: *role, binding });
        }
        (bound, self.misfits)
    }

    fn binding(&mut self, index: usize, role: FrameRole) -> Binding {
        if role == FrameRole::Glue {
            return Binding::Unneeded;
        }
        let draft = &self.drafts[index];
        if draft.candidates.is_empty() {
            let kind = draft.misfit.clone().unwrap_or(MisfitKind::NoApplicationFrame);
            let misfit = self.misfit(index, kind);
            self.note(role, &misfit);
            return Binding::Unbound(misfit);
        }
        if let Some(kind) = draft.misfit.clone() {
            let misfit = self.misfit(index, kind);
            self.note(role, &misfit);
        }
        let (candidates, link) = self.with_calls(index);
        let certainty = self.certainty(index, role, link, &candidates);
        self.compare_artifact(index, role);
        Binding::Bound { candidates, certainty }
    }

    /// The candidates with the calls that lead to the frame above, and the strongest such link.
    fn with_calls(&self, index: usize) -> (Vec<BoundMethod>, Option<Link>) {
        let above = self.above(index);
        let methods: Vec<FoundMethod> = above
            .map(|above| self.drafts[above].candidates.iter().map(|c| c.method.clone()).collect())
            .unwrap_or_default();
        let mut strongest = None;
        let bound = self.drafts[index].candidates.iter().map(|candidate| {
            let links = above.map(|above| self.links(candidate, index, above, &methods)).unwrap_or_default();
            strongest = strongest.max(links.iter().map(|(_, link)| *link).max());
            BoundMethod {
                method: candidate.method.reference(),
                ranges: candidate.ranges.clone(),
                calls: links.into_iter().map(|(bci, _)| bci).collect(),
            }
        });
        let bound = bound.collect();
        (bound, strongest)
    }

    /// Application frames are bound by line and then by call; whether the line of the top frame can throw is not known
    /// here.
    fn certainty(
        &mut self,
        index: usize,
        role: FrameRole,
        link: Option<Link>,
        candidates: &[BoundMethod],
    ) -> Certainty {
        let base = self.drafts[index].certainty;
        let Some(above) = self.above(index) else { return base };
        match link {
            // Without a line, any call of the method may be meant.
            Some(_) if base < Certainty::ByLine => base,
            Some(Link::Sure) => Certainty::ByCall,
            Some(Link::Possible | Link::Conceivable) => Certainty::ByPossibleCall,
            None => {
                if let (FrameRole::Application(_), Some(line)) = (role, self.frames[index].line)
                    && base == Certainty::ByLine
                {
                    let kind = self.no_call(index, above, line, candidates);
                    let misfit = self.misfit(index, kind);
                    self.note(role, &misfit);
                }
                base
            }
        }
    }

    fn no_call(&self, index: usize, above: usize, line: u32, candidates: &[BoundMethod]) -> MisfitKind {
        let methods: Vec<FoundMethod> = self.drafts[above].candidates.iter().map(|c| c.method.clone()).collect();
        let mut calling = Vec::new();
        for candidate in &self.drafts[index].candidates {
            let Some(code) = candidate.method.readable_code() else { continue };
            let everywhere = whole(candidate.method.clone());
            calling.extend(
                self.links(&everywhere, index, above, &methods).iter().filter_map(|(bci, _)| code.line_of(*bci)),
            );
        }
        calling.sort_unstable();
        calling.dedup();
        let name = &self.frames[above];
        let simple = name.class.rsplit('.').next().unwrap_or(&name.class);
        MisfitKind::NoCall { line, method: candidates[0].method, above: format!("{simple}.{}", name.method), calling }
    }

    fn compare_artifact(&mut self, index: usize, role: FrameRole) {
        let Some(logged) = self.frames[index].jar.as_ref().and_then(|jar| jar.name.clone()) else { return };
        let class = ClassName::from_dotted(&self.frames[index].class);
        let Some(found) = artifact(self.program, class) else { return };
        if !logged.ends_with(".jar") || !found.name.ends_with(".jar") || found.name == logged {
            return;
        }
        let misfit = Misfit { frame: Some(index), artifact: Some(found), kind: MisfitKind::OtherArtifact { logged } };
        self.note(role, &misfit);
    }

    fn misfit(&self, index: usize, kind: MisfitKind) -> Misfit {
        let class = ClassName::from_dotted(&self.frames[index].class);
        Misfit { frame: Some(index), artifact: artifact(self.program, class), kind }
    }

    /// What does not fit outside the application is no misfit; the same thing is said once.
    fn note(&mut self, role: FrameRole, misfit: &Misfit) {
        let is_new = !self.misfits.iter().any(|known| known.kind == misfit.kind);
        if matches!(role, FrameRole::Application(_)) && is_new {
            self.misfits.push(misfit.clone());
        }
    }
}

/// Those of the greatest strength; none if none has any.
fn strongest(candidates: &[Candidate], strength: impl Fn(&Candidate) -> Option<Link>) -> Vec<Candidate> {
    let strengths: Vec<Option<Link>> = candidates.iter().map(strength).collect();
    let Some(best) = strengths.iter().copied().flatten().max() else { return Vec::new() };
    let kept = candidates.iter().zip(strengths).filter(|(_, strength)| *strength == Some(best));
    kept.map(|(candidate, _)| candidate.clone()).collect()
}

/// The candidates of one frame by name and line, looked at alone.
fn draft(program: &Program, frame: &Frame, role: FrameRole) -> Draft {
    let mut draft = Draft {
        candidates: Vec::new(),
        if_same_jdk: Vec::new(),
        certainty: Certainty::ByMethod,
        misfit: None,
        is_glue: role == FrameRole::Glue,
    };
    if draft.is_glue {
        return draft;
    }
    let name = ClassName::from_dotted(&frame.class);
    let Some(class) = program.class(name) else {
        draft.misfit = Some(missing_class(program, frame, name, role));
        return draft;
    };
    let mut named: Vec<FoundMethod> = class
        .methods_named(&frame.method)
        .filter_map(|method| program.declared_method(method.reference()))
        .filter(|method| !method.access.is_abstract())
        .collect();
    if frame.native && named.iter().any(|method| method.access.is_native()) {
        named.retain(|method| method.access.is_native());
    }
    if named.is_empty() {
        let similar = similar::methods(program, &class, &frame.method);
        draft.misfit = Some(MisfitKind::MethodMissing { class: name, method: frame.method.clone(), similar });
        return draft;
    }
    if program.is_jdk(name) {
        draft.if_same_jdk = frame.line.map(|line| with_line(&named, line)).unwrap_or_default();
        draft.candidates = named.into_iter().map(whole).collect();
        return draft;
    }
    let Some(line) = frame.line else {
        draft.candidates = named.into_iter().map(whole).collect();
        return draft;
    };
    by_line(program, &mut draft, named, line);
    draft
}

fn missing_class(program: &Program, frame: &Frame, class: ClassName, role: FrameRole) -> MisfitKind {
    if let Some(script) = frame.script() {
        return MisfitKind::MadeAtRunTime { class, script: script.to_owned() };
    }
    // Nobody asks for other names of what is not the application's.
    let is_application = matches!(role, FrameRole::Application(_));
    let similar = if is_application { similar::classes(program, class) } else { Vec::new() };
    MisfitKind::ClassMissing { class, similar }
}

fn by_line(program: &Program, draft: &mut Draft, named: Vec<FoundMethod>, line: u32) {
    draft.candidates = with_line(&named, line);
    if !draft.candidates.is_empty() {
        draft.certainty = Certainty::ByLine;
        return;
    }
    if named.iter().all(|method| method.line_span().is_none()) {
        draft.misfit = Some(MisfitKind::NoLines { class: named[0].class.name });
        draft.candidates = named.into_iter().map(whole).collect();
        return;
    }
    let elsewhere = methods_with_line(program, &named[0], line);
    if elsewhere.is_empty()
        && let Some((near, kind)) = nearest_lines(&named, line)
    {
        draft.candidates = near;
        draft.certainty = Certainty::NearLine;
        draft.misfit = Some(kind);
        return;
    }
    let methods = named.iter().map(|method| (method.reference(), method.line_span())).collect();
    draft.misfit = Some(MisfitKind::LineNotInMethod { line, methods, elsewhere });
}

fn with_line(named: &[FoundMethod], line: u32) -> Vec<Candidate> {
    let Ok(line) = u16::try_from(line) else { return Vec::new() };
    let candidates =
        named.iter().map(|method| Candidate { method: method.clone(), ranges: method.ranges_of_line(line) });
    candidates.filter(|candidate| !candidate.ranges.is_empty()).collect()
}

fn whole(method: FoundMethod) -> Candidate {
    let ranges = method.readable_code().map(|code| 0..code.end()).into_iter().collect();
    Candidate { method, ranges }
}

/// For a line inside a method that has no code on it: the nearest lines before and after. Compilers disagree on which line
/// of a statement a call belongs to.
fn nearest_lines(named: &[FoundMethod], line: u32) -> Option<(Vec<Candidate>, MisfitKind)> {
    let inside = |method: &&FoundMethod| {
        method.line_span().is_some_and(|(first, last)| (u32::from(first)..=u32::from(last)).contains(&line))
    };
    let mut all = Vec::new();
    let mut candidates = Vec::new();
    for method in named.iter().filter(inside) {
        let lines = || method.readable_code().into_iter().flat_map(|code| code.lines.iter().map(|entry| entry.line));
        let before = lines().filter(|known| u32::from(*known) < line).max();
        let after = lines().filter(|known| u32::from(*known) > line).min();
        let near: Vec<u16> = before.into_iter().chain(after).collect();
        let ranges = near.iter().flat_map(|near| method.ranges_of_line(*near)).collect();
        candidates.push(Candidate { method: method.clone(), ranges });
        all.extend(near);
    }
    let method = candidates.first()?.method.reference();
    Some((candidates, MisfitKind::LineWithoutCode { line, method, nearest: all }))
}

/// Methods of the same source file that have the line: the class itself, its outer and nested classes.
fn methods_with_line(program: &Program, of: &FoundMethod, line: u32) -> Vec<MethodRef> {
    let Ok(line) = u16::try_from(line) else { return Vec::new() };
    let outermost = of.class.name.as_internal().split('$').next().unwrap_or_default();
    let mut classes = vec![of.class.name, ClassName::internal(outermost)];
    classes.extend(of.class.inner_classes.iter().map(|inner| inner.inner));
    classes.retain(|class| class.as_internal().split('$').next() == Some(outermost));
    classes.dedup();
    let mut found: Vec<MethodRef> = Vec::new();
    for class in classes.into_iter().filter_map(|class| program.class(class)) {
        if class.source_file != of.class.source_file {
            continue;
        }
        let having = class.methods.iter().filter(|method| !method.ranges_of_line(line).is_empty());
        found.extend(having.map(program::Method::reference));
    }
    found.dedup();
    found
}
