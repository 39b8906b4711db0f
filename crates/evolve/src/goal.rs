//! What the search is after: the application frames of the crash with the bytecode they are bound to, and, for each, how
//! near an execution came to its line.

use analysis::Approach;
use condition::Anchored;
use crash_report::Throwable;
use program::{ClassName, MethodRef, Program};
use recipe::{Aim, LineHit, Observation, ProbePlan};
use rustc_hash::FxHashMap;
use target::{Binding, CrashTarget, FrameRole, TargetFrame};

#[derive(Debug)]
pub struct Goal {
    pub exception: ClassName,
    pub message: Option<String>,
    /// The reported exception, for comparison with what candidates throw.
    pub expected: Throwable,
    /// Application frames that are bound, top first; the search stops at the first that is not.
    pub frames: Vec<GoalFrame>,
    /// Any of these makes the crash line throw.
    pub conditions: Vec<Anchored>,
    /// Templates of the message, to tell an instance of the same text from another text.
    pub templates: Vec<target::Template>,
    pub is_stack_overflow: bool,
}

#[derive(Debug)]
pub struct GoalFrame {
    pub methods: Vec<GoalMethod>,
    pub line: Option<u16>,
}

#[derive(Debug)]
pub struct GoalMethod {
    pub method: MethodRef,
    /// Distances to each bytecode range of the frame's line; none if the method could not be lowered.
    approaches: Vec<Approach>,
    first_line: Option<u16>,
}

impl Goal {
    pub fn new(target: &CrashTarget, expected: Throwable, program: &Program) -> Goal {
        let frames = target
            .frames
            .iter()
            .filter(|frame| matches!(frame.role, FrameRole::Application(_)))
            .map_while(|frame| GoalFrame::new(frame, program))
            .collect();
        Goal {
            exception: target.exception,
            message: target.message.clone(),
            expected,
            frames,
            conditions: target.throw_sites.iter().map(|site| site.condition.clone()).collect(),
            templates: target.templates.clone(),
            is_stack_overflow: target.recursion.is_some(),
        }
    }

    pub(crate) fn is_in_trace(&self, method: MethodRef) -> bool {
        self.frames.iter().any(|frame| frame.methods.iter().any(|bound| bound.method == method))
    }

    /// Whether a message is another instance of the text that the crash's message is an instance of.
    pub fn is_instance(&self, message: &str) -> bool {
        self.templates.iter().any(|template| target::template_matches(template, message))
    }

    /// What to observe: lines and branches in the classes of the frames, and the throw conditions.
    pub fn probe_plan(&self) -> ProbePlan {
        let mut classes: Vec<ClassName> =
            self.frames.iter().flat_map(|frame| frame.methods.iter().map(|bound| bound.method.class)).collect();
        classes.sort();
        classes.dedup();
        let mut frames: Vec<MethodRef> =
            self.frames.iter().flat_map(|frame| frame.methods.iter().map(|bound| bound.method)).collect();
        frames.sort();
        frames.dedup();
        ProbePlan { classes, conditions: self.conditions.clone(), frames, aim: self.aim(), ..ProbePlan::default() }
    }

    fn aim(&self) -> Aim {
        let chain = std::iter::successors(Some(&self.expected), |thrown| thrown.cause.as_deref());
        let methods = chain.flat_map(|thrown| thrown.frames.iter().map(|frame| frame.method.as_str()));
        Aim::of(self.exception, self.message.as_deref(), methods)
    }
}

impl GoalFrame {
    fn new(frame: &TargetFrame, program: &Program) -> Option<GoalFrame> {
        let Binding::Bound { candidates, .. } = &frame.binding else { return None };
        let methods = candidates.iter().map(|bound| GoalMethod::new(bound, program)).collect();
        Some(GoalFrame { methods, line: frame.frame.line.and_then(|line| u16::try_from(line).ok()) })
    }

    /// Whether the frame's line (its method, if the line is unknown) was executed.
    pub fn is_reached(&self, hits: &Hits) -> bool {
        self.methods.iter().any(|bound| hits.has(bound.method, self.line))
    }

    /// How far the nearest execution stayed from the line: approach level plus normalised branch distance; infinite if
    /// the method was never entered.
    pub fn distance(&self, hits: &Hits, observation: &Observation) -> f64 {
        if self.is_reached(hits) {
            return 0.0;
        }
        let near = |bound: &GoalMethod| bound.distance(self.line, hits, observation);
        self.methods.iter().map(near).fold(f64::INFINITY, f64::min)
    }
}

impl GoalMethod {
    fn new(bound: &target::BoundMethod, program: &Program) -> GoalMethod {
        let found = program.declared_method(bound.method);
        let body = found.as_ref().and_then(|found| ir::lower(found).ok());
        let approach_in =
            |body: &ir::Body| bound.ranges.iter().filter_map(|range| Approach::new(body, range.start)).collect();
        GoalMethod {
            method: bound.method,
            approaches: body.as_ref().map_or_else(Vec::new, approach_in),
            first_line: found.and_then(|found| found.line_span()).map(|(first, _)| first),
        }
    }

    fn distance(&self, line: Option<u16>, hits: &Hits, observation: &Observation) -> f64 {
        if !hits.has(self.method, None) {
            return f64::INFINITY;
        }
        let of_method = observation.branches.iter().filter(|branch| branch.at.method == self.method);
        let distances = of_method.flat_map(|branch| {
            self.approaches.iter().filter_map(|approach| approach.distance(branch.at.at.bci, &branch.to))
        });
        distances.min_by(f64::total_cmp).unwrap_or_else(|| self.straight_line(line, hits))
    }

    /// Without a branch to blame, something on the way threw: the nearer the last line before, the better.
    fn straight_line(&self, line: Option<u16>, hits: &Hits) -> f64 {
        let Some(target) = line else { return 1.0 };
        let nearest = hits.lines(self.method).filter(|hit| *hit <= target).max().or(self.first_line).unwrap_or(0);
        normalised(f64::from(target.saturating_sub(nearest)))
    }
}

/// Lines executed, by method.
#[derive(Debug, Default)]
pub struct Hits(FxHashMap<MethodRef, Vec<u16>>);

impl Hits {
    pub fn new(lines: &[LineHit]) -> Hits {
        let mut by_method: FxHashMap<MethodRef, Vec<u16>> = FxHashMap::default();
        for hit in lines {
            by_method.entry(hit.method).or_default().push(hit.line);
        }
        Hits(by_method)
    }

    fn has(&self, method: MethodRef, line: Option<u16>) -> bool {
        self.0.get(&method).is_some_and(|lines| line.is_none_or(|line| lines.contains(&line)))
    }

    fn lines(&self, method: MethodRef) -> impl Iterator<Item = u16> + '_ {
        self.0.get(&method).into_iter().flatten().copied()
    }
}

/// The customary normalisation of distances into `0..1`.
pub(crate) fn normalised(distance: f64) -> f64 {
    if distance.is_infinite() { 1.0 } else { distance / (distance + 1.0) }
}
