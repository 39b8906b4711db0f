//! How near a candidate came to the crash, as a value that is compared part by part: reaching the lines of the frames, from the
//! outermost inwards, goes before throwing at the crash line, throwing before the message, and all before brevity. A candidate
//! that gets to the crash line past an outer frame has missed the way, and is worth less than one that is on it. Seen the other
//! way, from the crash outwards ([`Fitness::cmp_outwards`]), it has something that the others lack; populations keep both.
//!
//! This is section 3.2 of the EvoCrash paper with its weights 3, 2, 1 (any sum in which an earlier part outweighs all later
//! ones) made lexicographic. Deviations, each behind a switch: all frames of the trace count on the way in, not only the
//! crash line; on the crash line the distance of the throw condition counts; then the message.

use crate::config::Extras;
use crate::goal::{Goal, GoalFrame, Hits, RootCause, normalised};
use crate::thrown;
use crash_report::compare::{Comparison, Difference};
use program::CodePoint;
use recipe::{End, Observation, Recipe, Thrown};
use std::cmp::Ordering;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq)]
pub struct Fitness {
    /// How far the root cause was from being thrown at its place; 0 if the exception has no cause. It goes before everything
    /// else, since what wraps an exception wraps any.
    pub root: f64,
    /// Frames of the goal that are still to be reached, from the outermost whose line was not executed inwards.
    pub frames_to_go: u32,
    /// Approach level and branch distance to the line of the next frame.
    pub line: f64,
    /// Frames whose line was not executed, wherever they are.
    pub missing: u32,
    /// The same seen from the innermost frame that was reached, on whatever way.
    pub reach: Reach,
    /// How far the throw condition was from true.
    pub condition: f64,
    /// 0 if the exception was thrown from the crash line.
    pub exception: f64,
    /// Outcomes of branches in the methods of the trace that no execution has had: of candidates that are equally near, one
    /// that does more there is likelier to be on the way.
    pub unexplored: u32,
    /// Application frames of the goal that do not match, from the top.
    pub unmatched: u32,
    /// EvoCrash's distance of the whole trace.
    pub trace: f64,
    /// Causes and messages: 0 if all are right; the whole part says what is wrong, the rest how far it is from right.
    pub message: f64,
    /// What makes a test that shows the crash less natural, see [`crate::naturalness`].
    pub demerits: u32,
    /// How long it takes to show the crash, in steps of four times as long: what is made of it takes as long. 0 where the clock
    /// has no say.
    pub slowness: u8,
    /// Statements of the candidate.
    pub size: u32,
}

/// How near the execution came to the innermost frame, on whatever way.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    pub root: f64,
    pub frames_to_go: u32,
    pub line: f64,
}

impl Fitness {
    pub const WORST: Fitness = Fitness {
        root: f64::INFINITY,
        frames_to_go: u32::MAX,
        line: f64::INFINITY,
        missing: u32::MAX,
        reach: Reach { root: f64::INFINITY, frames_to_go: u32::MAX, line: f64::INFINITY },
        condition: f64::INFINITY,
        exception: f64::INFINITY,
        unexplored: u32::MAX,
        unmatched: u32::MAX,
        trace: f64::INFINITY,
        message: f64::INFINITY,
        demerits: u32::MAX,
        slowness: 0,
        size: u32::MAX,
    };

    /// The exception was thrown from the crash line with these many frames of the goal right.
    pub fn is_crash(&self) -> bool {
        self.exception == 0.0
    }

    /// Better in anything but speed and brevity.
    pub(crate) fn is_nearer_than(&self, other: &Fitness) -> bool {
        let of_any_size = |fitness: &Fitness| Fitness { slowness: 0, size: 0, ..fitness.clone() };
        of_any_size(self) < of_any_size(other)
    }

    /// All there is to gain but speed and brevity.
    pub fn is_perfect(&self) -> bool {
        self.is_crash() && self.unmatched == 0 && self.message == 0.0 && self.demerits == 0
    }
}

impl Eq for Fitness {}

impl PartialOrd for Fitness {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fitness {
    fn cmp(&self, other: &Self) -> Ordering {
        // A crash that matches was reached, whatever the line probes say: some lines have no probe (a `finally` copy, a
        // class without line table), and a frame's line may be hit only in its callee's unwinding.
        let differs = |f: &Fitness| f.unmatched_if_crash() > 0;
        self.root
            .total_cmp(&other.root)
            .then(differs(self).cmp(&differs(other)))
            .then(self.frames_to_go.cmp(&other.frames_to_go))
            .then(self.line.total_cmp(&other.line))
            .then(self.missing.cmp(&other.missing))
            .then(self.unmatched_if_crash().cmp(&other.unmatched_if_crash()))
            .then(self.condition.total_cmp(&other.condition))
            .then(self.exception.total_cmp(&other.exception))
            .then(self.unexplored.cmp(&other.unexplored))
            .then(self.unmatched.cmp(&other.unmatched))
            .then(self.trace.total_cmp(&other.trace))
            .then(self.message.total_cmp(&other.message))
            .then(self.demerits.cmp(&other.demerits))
            .then(self.slowness.cmp(&other.slowness))
            .then(self.size.cmp(&other.size))
    }
}

impl Fitness {
    /// By what is right at the crash first, and then on the way to it.
    pub fn cmp_outwards(&self, other: &Fitness) -> Ordering {
        self.reach
            .root
            .total_cmp(&other.reach.root)
            .then((!self.is_crash()).cmp(&!other.is_crash()))
            .then(self.unmatched_if_crash().cmp(&other.unmatched_if_crash()))
            .then(self.reach.frames_to_go.cmp(&other.reach.frames_to_go))
            .then(self.reach.line.total_cmp(&other.reach.line))
            .then(self.condition.total_cmp(&other.condition))
            .then_with(|| self.cmp(other))
    }

    /// The entry frame was not entered, whatever else happened: its call is the last statement.
    fn astray(goal: &Goal, entry: u32, recipe: &Recipe) -> Fitness {
        Fitness {
            root: goal.root.as_ref().map_or(0.0, |root| root.frames.len() as f64 + 1.0),
            frames_to_go: entry,
            missing: entry,
            unmatched: entry,
            message: FARTHEST,
            size: recipe.size().statements,
            ..Fitness::WORST
        }
    }

    fn unmatched_if_crash(&self) -> u32 {
        if self.is_crash() { self.unmatched } else { u32::MAX }
    }
}

/// What a candidate did, as far as the goal goes.
pub(crate) struct Evaluation {
    /// With the crash, where the exception is the same.
    pub(crate) comparison: Option<Comparison>,
    pub(crate) fitness: Fitness,
    /// The branch at which it turned away from the next frame on the way, or where the exception was not thrown.
    pub(crate) blocked_at: Option<CodePoint>,
}

/// Of a candidate that enters at frame `entry` (1 is the top); `compare` compares with the goal, `demerits` says how far from
/// natural the candidate is, which shows the whole crash or not.
pub(crate) fn evaluate(
    goal: &Goal,
    entry: u32,
    observation: &Observation,
    recipe: &Recipe,
    extras: Extras,
    compare: impl FnOnce(&Thrown) -> Option<Comparison>,
    demerits: impl FnOnce(&Recipe, bool) -> u32,
) -> Evaluation {
    let hits = Hits::new(&observation.lines);
    let on_the_way = &goal.frames[..(entry as usize).min(goal.frames.len())];
    let Progress { to_go: frames_to_go, line, missing } = progress(on_the_way, &hits, observation);
    let thrown = if let End::Threw { thrown, .. } = &observation.end { Some(thrown) } else { None };
    let comparison = thrown.and_then(compare);
    if extras.last_statement
        && is_cut_short(recipe, &observation.end)
        && comparison.as_ref().is_none_or(|comparison| unmatched(comparison, entry) > 0)
    {
        return Evaluation { comparison: None, fitness: Fitness::astray(goal, entry, recipe), blocked_at: None };
    }
    let (of_crash, of_root) = observation.conditions.split_at(goal.conditions.len().min(observation.conditions.len()));
    let is_at_crash_line = on_the_way.first().is_some_and(|frame| frame.is_reached(&hits));
    let condition = if !extras.throw_condition || !is_at_crash_line {
        1.0
    } else if goal.is_stack_overflow {
        shallowness(goal, &hits)
    } else {
        nearest(of_crash)
    };
    let is_crash = comparison.as_ref().is_some_and(|c| c.exact.matched > 0);
    let is_shown = comparison.as_ref().is_some_and(|c| c.exact.grade.is_full());
    let root = goal.root.as_ref().filter(|_| extras.root_cause);
    let root = root.map(|root| root_distance(goal, root, entry, &hits, observation, of_root));
    let next = root.as_ref().and_then(|root| root.next).or_else(|| next_frame(on_the_way, frames_to_go));
    let reached = reach(on_the_way, &hits, observation);
    let fitness = Fitness {
        root: root.as_ref().map_or(0.0, |root| root.inwards),
        frames_to_go,
        line,
        missing,
        reach: Reach {
            root: root.as_ref().map_or(0.0, |root| root.outwards),
            frames_to_go: reached.to_go,
            line: reached.line,
        },
        condition,
        exception: exception_distance(goal, observation, comparison.as_ref(), is_at_crash_line),
        unexplored: if is_crash || !extras.coverage { 0 } else { unexplored(goal, observation) },
        unmatched: comparison.as_ref().map_or(entry, |c| unmatched(c, entry)),
        trace: comparison.as_ref().map_or(f64::INFINITY, |c| c.frame_distance),
        demerits: if is_crash { demerits(recipe, is_shown) } else { 0 },
        message: if extras.message { message_distance(goal, thrown, comparison.as_ref()) } else { 0.0 },
        slowness: 0,
        size: recipe.size().statements,
    };
    let at_branch = next.and_then(|frame| frame.blocking(observation));
    let at_crash_line = || if is_at_crash_line && !is_crash { throw_site(goal, of_crash) } else { None };
    Evaluation { comparison, fitness, blocked_at: at_branch.or_else(at_crash_line) }
}

/// The place at which the exception was nearest to being thrown.
fn throw_site(goal: &Goal, distances: &[Option<f64>]) -> Option<CodePoint> {
    let measured = goal.conditions.iter().zip(distances).filter_map(|(condition, d)| Some((condition.at, (*d)?)));
    measured.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// Whether it ended before its last statement, which calls the entry frame.
fn is_cut_short(recipe: &Recipe, end: &End) -> bool {
    matches!(end, End::Threw { stmt, .. } if (*stmt as usize) + 1 < recipe.body.stmts.len())
}

fn next_frame(on_the_way: &[GoalFrame], to_go: u32) -> Option<&GoalFrame> {
    on_the_way.get((to_go as usize).checked_sub(1)?)
}

/// Frames up to the entry that do not match. The frames of an overflow are compared as a set, whatever their number.
fn unmatched(comparison: &Comparison, entry: u32) -> u32 {
    if comparison.exact.grade.is_full() { 0 } else { entry.saturating_sub(comparison.exact.matched as u32) }
}

/// The deeper the recursion, the nearer to the end of the stack: what counts is the line of its round that was executed
/// least.
fn shallowness(goal: &Goal, hits: &Hits) -> f64 {
    let counts: Vec<u32> =
        goal.cycle.iter().filter_map(|place| goal.frames.get(*place)).map(|frame| hits.count(frame)).collect();
    let missing = counts.iter().filter(|count| **count == 0).count() as f64 / counts.len().max(1) as f64;
    let least = counts.iter().copied().min().unwrap_or(0);
    if missing > 0.0 { 0.5 + 0.5 * missing } else { 0.5 / (1.0 + f64::from(least)) }
}

fn nearest(conditions: &[Option<f64>]) -> f64 {
    conditions.iter().flatten().copied().map(normalised).fold(1.0, f64::min)
}

/// Distances to the root cause, seen both ways.
struct RootDistance<'a> {
    inwards: f64,
    outwards: f64,
    /// The next frame on the way.
    next: Option<&'a GoalFrame>,
}

/// Frames to go to the place of the root cause, then how far its condition was from true, then whether it was thrown.
fn root_distance<'a>(
    goal: &Goal,
    root: &'a RootCause,
    entry: u32,
    hits: &Hits,
    observation: &Observation,
    conditions: &[Option<f64>],
) -> RootDistance<'a> {
    let is_thrown = |thrown: &Thrown| {
        thrown.class == root.exception && thrown.stack.iter().any(|frame| root.frames[0].is_at(frame))
    };
    let on_the_way = root_frames(goal, root, entry);
    let (way, reached) = (progress(on_the_way, hits, observation), reach(&root.frames, hits, observation));
    let next = next_frame(on_the_way, way.to_go);
    // Thrown on another way, it is no more than a sign.
    if let End::Threw { thrown, .. } = &observation.end
        && thrown::chain(thrown).any(is_thrown)
    {
        return RootDistance { inwards: f64::from(way.to_go), outwards: 0.0, next };
    }
    let distance = |Progress { to_go, line, .. }| {
        let condition = if to_go == 0 { nearest(conditions) } else { 1.0 };
        f64::from(to_go) + (normalised(line) + 0.5 * condition + 0.5) / 2.0
    };
    RootDistance { inwards: distance(way), outwards: distance(reached), next }
}

/// The frames of the cause from the entry frame inwards; all if the entry frame is not among them.
fn root_frames<'a>(goal: &Goal, root: &'a RootCause, entry: u32) -> &'a [GoalFrame] {
    let Some(outermost) = goal.frames.get(entry as usize - 1) else { return &root.frames };
    let at = root.frames.iter().position(|frame| frame.is_in_same_method(outermost));
    at.map_or(&root.frames, |at| &root.frames[..=at])
}

struct Progress {
    to_go: u32,
    line: f64,
    missing: u32,
}

/// From the entry frame inwards: how many frames are still to be reached, and how far the next one was.
fn progress(on_the_way: &[GoalFrame], hits: &Hits, observation: &Observation) -> Progress {
    let Some(next) = on_the_way.iter().rposition(|frame| !frame.is_reached(hits)) else {
        return Progress { to_go: 0, line: 0.0, missing: 0 };
    };
    let missing = on_the_way[..=next].iter().filter(|frame| !frame.is_reached(hits)).count() as u32;
    Progress { to_go: next as u32 + 1, line: on_the_way[next].distance(hits, observation), missing }
}

/// From the innermost frame that was reached, on whatever way: how many frames are still to be reached, and how far the next
/// one was.
fn reach(on_the_way: &[GoalFrame], hits: &Hits, observation: &Observation) -> Progress {
    let to_go = on_the_way.iter().position(|frame| frame.is_reached(hits)).unwrap_or(on_the_way.len());
    let line = match to_go.checked_sub(1).and_then(|next| on_the_way.get(next)) {
        Some(next) => next.distance(hits, observation),
        None => 0.0,
    };
    Progress { to_go: to_go as u32, line, missing: 0 }
}

/// Counted down from a number that no method reaches, so that less is better as in all other parts.
fn unexplored(goal: &Goal, observation: &Observation) -> u32 {
    const MANY: u32 = 1 << 20;
    let of_trace = observation.branches.iter().filter(|branch| goal.is_in_trace(branch.at.method));
    let had: usize = of_trace.map(|branch| branch.to.iter().filter(|distance| **distance == 0.0).count()).sum();
    MANY - had as u32
}

/// Of what shows the crash, the faster is as good and leaves time for more.
pub(crate) fn slowness(time: Duration) -> u8 {
    const FAST: Duration = Duration::from_micros(250);
    (0..8).take_while(|step| time >= FAST * 4u32.pow(*step)).count() as u8
}

/// Thrown elsewhere, the exception counts only where the crash line was executed: a parser throws the same for everything that it
/// refuses, and what it refuses early would pass for nearer than what it reads to the end.
fn exception_distance(
    goal: &Goal,
    observation: &Observation,
    comparison: Option<&Comparison>,
    is_at_crash_line: bool,
) -> f64 {
    match (&observation.end, comparison) {
        (_, Some(comparison)) if comparison.exact.matched > 0 => 0.0,
        (End::Threw { thrown, .. }, _)
            if is_at_crash_line && thrown::chain(thrown).any(|t| t.class == goal.exception) =>
        {
            0.5
        }
        _ => 1.0,
    }
}

/// More than the messages of any chain can be away.
const FARTHEST: f64 = 5.0;

fn message_distance(goal: &Goal, thrown: Option<&Thrown>, comparison: Option<&Comparison>) -> f64 {
    let (Some(thrown), Some(comparison)) = (thrown, comparison) else { return FARTHEST };
    let wrong_cause = matches!(comparison.difference, Some(Difference::Cause { .. }));
    2.0 * f64::from(u8::from(wrong_cause)) + thrown::message_distance(goal, comparison, thrown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::ClassName;

    #[test]
    fn the_faster_of_two_crashes_wins_before_the_shorter() {
        let crash = |micros: u64, size: u32| Fitness {
            exception: 0.0,
            slowness: slowness(Duration::from_micros(micros)),
            size,
            ..Fitness::WORST
        };
        assert!(crash(100, 9) < crash(300, 1) && crash(300, 9) < crash(1100, 1));
        // Little more is noise.
        assert!(crash(240, 1) < crash(20, 2) && crash(900, 1) < crash(300, 2));
        assert!(!crash(100, 1).is_nearer_than(&crash(5000, 9)));
    }

    /// As in the paper: what a parser refuses early is no nearer than what it reads to the end, though it throws the same.
    #[test]
    fn the_exception_counts_once_the_crash_line_is_executed() {
        let exception = ClassName::internal("a/Refused");
        let goal = Goal {
            exception,
            message: None,
            expected: crash_report::Throwable::default(),
            frames: Vec::new(),
            reachable: None,
            conditions: Vec::new(),
            root: None,
            templates: Vec::new(),
            is_stack_overflow: false,
            cycle: Vec::new(),
        };
        let seen = |class: ClassName| Observation {
            end: End::Threw { stmt: 0, thrown: Thrown { class, message: None, stack: Vec::new(), cause: None } },
            lines: Vec::new(),
            branches: Vec::new(),
            conditions: Vec::new(),
            cost: Default::default(),
        };
        let distance = |class, is_at_line| exception_distance(&goal, &seen(class), None, is_at_line);
        assert_eq!([distance(exception, true), distance(exception, false)], [0.5, 1.0]);
        assert_eq!(distance(ClassName::internal("a/Other"), true), 1.0);
    }
}
