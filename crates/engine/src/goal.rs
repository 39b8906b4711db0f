//! What the engines are after: the application frames of the crash with the bytecode they are bound to, and, for each, how
//! near an execution came to its line.

use analysis::{Approach, Lowered, Methods};
use condition::{Anchored, Condition};
use crash_report::{Throwable, message};
use program::{ClassName, CodePoint, MethodRef};
use recipe::{Aim, Limits, LineHit, Observation, ProbePlan, StackFrame, Thrown};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use target::{Binding, CrashTarget, FrameRole, TargetFrame, ThrowSite};

#[derive(Debug)]
pub struct Goal {
    pub exception: ClassName,
    pub message: Option<String>,
    /// The reported exception, for comparison with what candidates throw.
    pub expected: Throwable,
    /// Application frames that are bound, top first, up to the first that is not.
    pub frames: Vec<GoalFrame>,
    /// How many application frames, from the top, the exception can get out of; none if it gets out of all. Nobody has any business
    /// beyond them.
    pub reachable: Option<usize>,
    /// Any of these makes the crash line throw.
    pub conditions: Vec<Anchored>,
    /// For each of these the branches that lead to it, innermost first, where nothing else is said of when it throws.
    pub guards: Vec<Vec<Anchored>>,
    /// The innermost cause of the exception, if it has one: where the trouble began.
    pub root: Option<RootCause>,
    /// Templates of the messages of the exception and of each of its causes, to tell an instance of the same text from
    /// another text.
    pub templates: Vec<Vec<target::Template>>,
    pub is_stack_overflow: bool,
    /// Of a stack overflow, the places in `frames` of one round of the recursion.
    pub cycle: Vec<usize>,
}

/// What is to happen before the exception is thrown that wraps it.
#[derive(Debug)]
pub struct RootCause {
    pub frames: Vec<GoalFrame>,
    pub conditions: Vec<Anchored>,
    pub guards: Vec<Vec<Anchored>>,
    pub exception: ClassName,
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

/// Of a stack overflow only the frames that repeat are compared, and a thousand of them take a thousand times as long.
pub(crate) const FRAMES_OF_RECURSION: usize = 200;

impl Goal {
    pub fn new(target: &CrashTarget, mut expected: Throwable, methods: &Methods) -> Goal {
        if target.recursion.is_some() {
            expected.frames.truncate(FRAMES_OF_RECURSION);
        }
        let root = target.causes.last().map(|cause| RootCause {
            frames: application_frames(&cause.frames, methods),
            conditions: cause.throw_sites.iter().map(|site| site.condition.clone()).collect(),
            guards: guards(&cause.throw_sites),
            exception: cause.exception,
        });
        let reachable = target.kept.as_ref().map(|_| target.reachable() as usize).filter(|reachable| *reachable > 0);
        let mut frames = application_frames(&target.frames, methods);
        frames.truncate(reachable.unwrap_or(usize::MAX));
        Goal {
            exception: target.exception,
            message: target.message.clone(),
            expected,
            frames,
            reachable,
            root: root.filter(|root| !root.frames.is_empty()),
            conditions: target.throw_sites.iter().map(|site| site.condition.clone()).collect(),
            guards: guards(&target.throw_sites),
            templates: std::iter::once(&target.templates)
                .chain(target.causes.iter().map(|cause| &cause.templates))
                .cloned()
                .collect(),
            is_stack_overflow: target.recursion.is_some(),
            cycle: cycle(target),
        }
    }

    /// Whether the method is one of a frame of the crash or of its root cause.
    pub fn is_in_trace(&self, method: MethodRef) -> bool {
        let of_root = self.root.iter().flat_map(|root| &root.frames);
        self.frames.iter().chain(of_root).any(|frame| frame.methods.iter().any(|bound| bound.method == method))
    }

    /// Whether a message is another instance of the text that the message of the crash's exception, or of its cause at this
    /// depth, is an instance of.
    pub fn is_instance(&self, depth: usize, message: &str) -> bool {
        let templates = self.templates.get(depth).into_iter().flatten();
        templates.into_iter().any(|template| target::template_matches(template, message))
    }

    /// How far the values in a message are from the reported ones, from 0 to 1; none if they are not of one template.
    pub(crate) fn distance_of_values(&self, depth: usize, expected: &str, actual: &str) -> Option<f64> {
        let distance = |template: &target::Template| {
            let (want, got) = (template.matches(expected)?, template.matches(actual)?);
            let values = want.holes.iter().zip(&got.holes).map(|(want, got)| {
                message::distance_of_values(&expected[want.range.clone()], &actual[got.range.clone()])
            });
            let distances: Vec<f64> = values.collect();
            Some(distances.iter().sum::<f64>() / distances.len().max(1) as f64)
        };
        self.templates.get(depth)?.iter().find_map(distance)
    }

    /// Values in the messages of what was thrown that are not the reported ones, each with the one in its place.
    pub fn differing_values(&self, thrown: &Thrown) -> Vec<(String, String)> {
        let thrown = std::iter::successors(Some(thrown), |thrown| thrown.cause.as_deref());
        let mut found: Vec<(String, String)> = Vec::new();
        for ((expected, thrown), templates) in self.expected.chain().zip(thrown).zip(&self.templates) {
            let (Some(expected), Some(actual)) = (expected.message.as_deref(), thrown.message.as_deref()) else {
                continue;
            };
            let instances =
                |template: &target::Template| Some((template.matches(expected)?, template.matches(actual)?));
            let Some((want, got)) = templates.iter().find_map(instances) else { continue };
            for (want, got) in want.holes.iter().zip(&got.holes) {
                let pair = (actual[got.range.clone()].to_owned(), expected[want.range.clone()].to_owned());
                if pair.0 != pair.1 && !found.contains(&pair) {
                    found.push(pair);
                }
            }
        }
        found
    }

    /// What to observe: lines and branches in the classes of the frames, and the throw conditions.
    pub fn probe_plan(&self) -> ProbePlan {
        let of_root = self.root.iter().flat_map(|root| &root.frames);
        let all = self.frames.iter().chain(of_root);
        let mut frames: Vec<MethodRef> = all.flat_map(|frame| frame.methods.iter().map(|bound| bound.method)).collect();
        frames.sort();
        frames.dedup();
        let mut classes: Vec<ClassName> = frames.iter().map(|method| method.class).collect();
        classes.sort();
        classes.dedup();
        ProbePlan {
            classes,
            conditions: self.all_conditions(),
            frames,
            limits: self.limits(),
            aim: self.aim(),
            ..ProbePlan::default()
        }
    }

    /// To fill a stack takes its time, above all where each of thousands of calls throws and catches something.
    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits { time: if self.is_stack_overflow { 8 * usual.time } else { usual.time }, ..usual }
    }

    /// How many conditions are measured for the goal itself.
    pub(crate) fn conditions_in_all(&self) -> usize {
        let guards = |of: &[Vec<Anchored>]| of.iter().map(Vec::len).sum::<usize>();
        let of_root = self.root.as_ref().map_or(0, |root| root.conditions.len() + guards(&root.guards));
        self.conditions.len() + guards(&self.guards) + of_root
    }

    /// Those of the exception, then those of its root cause; then the guards of both.
    fn all_conditions(&self) -> Vec<Anchored> {
        let of_root = self.root.iter().flat_map(|root| &root.conditions);
        let guards_of_root = self.root.iter().flat_map(|root| &root.guards);
        let guards = self.guards.iter().chain(guards_of_root).flatten();
        self.conditions.iter().chain(of_root).chain(guards).cloned().collect()
    }

    pub fn aim(&self) -> Aim {
        let chain = std::iter::successors(Some(&self.expected), |thrown| thrown.cause.as_deref());
        let methods = chain.flat_map(|thrown| thrown.frames.iter().map(|frame| frame.method.as_str()));
        Aim::of(self.exception, self.message.as_deref(), methods)
    }
}

/// An explicit `throw` throws whenever it is reached: what decides are the branches before it.
fn guards(sites: &[ThrowSite]) -> Vec<Vec<Anchored>> {
    let of_site = |site: &ThrowSite| match site.condition.when {
        Condition::True => site.guards.iter().map(|guard| guard.seen.clone()).collect(),
        _ => Vec::new(),
    };
    sites.iter().map(of_site).collect()
}

/// Places are counted among application frames.
fn cycle(target: &CrashTarget) -> Vec<usize> {
    let Some(round) = &target.recursion else { return Vec::new() };
    let is_application = |frame: &TargetFrame| matches!(frame.role, FrameRole::Application(_));
    let places = target.frames.iter().enumerate().filter(|(_, frame)| is_application(frame)).enumerate();
    places.filter(|(_, (index, _))| round.contains(index)).map(|(place, _)| place).collect()
}

/// Application frames that are bound, top first, up to the first that is not.
fn application_frames(frames: &[TargetFrame], methods: &Methods) -> Vec<GoalFrame> {
    let application = frames.iter().filter(|frame| matches!(frame.role, FrameRole::Application(_)));
    application.map_while(|frame| GoalFrame::new(frame, methods)).collect()
}

impl GoalFrame {
    fn new(frame: &TargetFrame, methods: &Methods) -> Option<GoalFrame> {
        let Binding::Bound { candidates, .. } = &frame.binding else { return None };
        let methods = candidates.iter().map(|bound| GoalMethod::new(bound, methods)).collect();
        Some(GoalFrame { methods, line: frame.frame.line.and_then(|line| u16::try_from(line).ok()) })
    }

    /// Whether the frame's line (its method, if the line is unknown) was executed.
    pub fn is_reached(&self, hits: &Hits) -> bool {
        self.methods.iter().any(|bound| hits.has(bound.method, self.line))
    }

    pub(crate) fn is_in_same_method(&self, other: &GoalFrame) -> bool {
        self.methods.iter().any(|bound| other.methods.iter().any(|known| known.method == bound.method))
    }

    /// Whether a frame of a stack is this one.
    pub fn is_at(&self, frame: &StackFrame) -> bool {
        let is_method = |bound: &GoalMethod| bound.method.class == frame.class && bound.method.name == frame.method;
        self.methods.iter().any(is_method) && (self.line.is_none() || frame.line.is_none() || self.line == frame.line)
    }

    /// The branch at which the nearest execution turned away from the line.
    pub fn blocking(&self, observation: &Observation) -> Option<CodePoint> {
        let nearest = self.methods.iter().filter_map(|bound| bound.blocking(observation));
        nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
    }

    /// How far the nearest execution stayed from the line.
    pub fn distance(&self, hits: &Hits, observation: &Observation) -> LineDistance {
        if self.is_reached(hits) {
            return LineDistance::default();
        }
        let near = |bound: &GoalMethod| bound.distance(self.line, hits, observation);
        let all = self.methods.iter().map(near);
        all.min_by(|a, b| a.sum().total_cmp(&b.sum())).unwrap_or(LineDistance::NEVER_ENTERED)
    }
}

impl GoalMethod {
    /// One whose way to the line is not known.
    #[cfg(test)]
    pub(crate) fn unknown(method: MethodRef) -> GoalMethod {
        GoalMethod { method, approaches: Vec::new(), first_line: None }
    }

    fn new(bound: &target::BoundMethod, methods: &Methods) -> GoalMethod {
        let approaches_in =
            |unit: Arc<Lowered>| bound.ranges.iter().filter_map(|range| unit.approach(range.start)).collect();
        let found = methods.program().declared_method(bound.method);
        GoalMethod {
            method: bound.method,
            approaches: methods.get(bound.method).map_or_else(Vec::new, approaches_in),
            first_line: found.and_then(|found| found.line_span()).map(|(first, _)| first),
        }
    }

    fn blocking(&self, observation: &Observation) -> Option<(f64, CodePoint)> {
        let of_method = observation.branches.iter().filter(|branch| branch.at.method == self.method);
        let away = of_method.flat_map(|branch| {
            let distances =
                self.approaches.iter().filter_map(|approach| approach.distance(branch.at.at.bci, &branch.to));
            distances.filter(|distance| distance.fract() > 0.0).map(|distance| (distance, branch.at))
        });
        away.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn distance(&self, line: Option<u16>, hits: &Hits, observation: &Observation) -> LineDistance {
        if !hits.has(self.method, None) {
            return LineDistance::NEVER_ENTERED;
        }
        let of_method = observation.branches.iter().filter(|branch| branch.at.method == self.method);
        let distances = of_method.flat_map(|branch| {
            self.approaches.iter().filter_map(|approach| approach.distance(branch.at.at.bci, &branch.to))
        });
        // Before any decision was made, all are still to be made.
        let decisions = distances.min_by(f64::total_cmp).unwrap_or_else(|| self.deepest());
        LineDistance { decisions, straight_line: self.straight_line(line, hits) }
    }

    /// More than any number of decisions on the way to the line.
    fn deepest(&self) -> f64 {
        let levels =
            self.approaches.iter().flat_map(Approach::branches).flat_map(|(_, levels)| levels.iter().flatten());
        levels.max().map_or(0.0, |level| f64::from(*level) + 1.0)
    }

    /// Where all decisions are right, something on the way threw: the nearer the last line before, the better.
    fn straight_line(&self, line: Option<u16>, hits: &Hits) -> f64 {
        let Some(target) = line else { return 1.0 };
        let nearest = hits.lines(self.method).filter(|hit| *hit <= target).max().or(self.first_line).unwrap_or(0);
        normalised(f64::from(target.saturating_sub(nearest)))
    }
}

/// How far an execution stayed from a line of its method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LineDistance {
    /// Approach level and normalised branch distance; infinite if the method was never entered.
    pub decisions: f64,
    /// In straight-line code before the line, how much was not executed, from 0 to 1.
    pub straight_line: f64,
}

impl LineDistance {
    pub const NEVER_ENTERED: LineDistance = LineDistance { decisions: f64::INFINITY, straight_line: 0.0 };

    /// A decision that went wrong counts more than anything that was not executed.
    pub fn sum(self) -> f64 {
        self.decisions + 0.5 * self.straight_line
    }
}

/// Lines executed, by method.
#[derive(Debug, Default)]
pub struct Hits(FxHashMap<MethodRef, Vec<(u16, u32)>>);

impl Hits {
    pub fn new(lines: &[LineHit]) -> Hits {
        let mut by_method: FxHashMap<MethodRef, Vec<(u16, u32)>> = FxHashMap::default();
        for hit in lines {
            by_method.entry(hit.method).or_default().push((hit.line, hit.count));
        }
        Hits(by_method)
    }

    fn has(&self, method: MethodRef, line: Option<u16>) -> bool {
        self.0.get(&method).is_some_and(|lines| line.is_none_or(|line| lines.iter().any(|(hit, _)| *hit == line)))
    }

    fn lines(&self, method: MethodRef) -> impl Iterator<Item = u16> + '_ {
        self.0.get(&method).into_iter().flatten().map(|(line, _)| *line)
    }

    /// How often the frame's line was executed.
    pub fn count(&self, frame: &GoalFrame) -> u32 {
        let lines = frame.methods.iter().filter_map(|bound| self.0.get(&bound.method)).flatten();
        let here = lines.filter(|(line, _)| frame.line.is_none_or(|wanted| wanted == *line));
        here.map(|(_, count)| *count).max().unwrap_or(0)
    }
}

/// The customary normalisation of distances into `0..1`.
pub(crate) fn normalised(distance: f64) -> f64 {
    if distance.is_infinite() { 1.0 } else { distance / (distance + 1.0) }
}
