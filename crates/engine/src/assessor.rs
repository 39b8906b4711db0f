//! Measures what candidates did against the goal, once for all engines and the orchestrator.
//!
//! The parts are those of section 3.2 of the EvoCrash paper (distance to the line, whether the exception was thrown, distance of
//! the traces), for every frame instead of the top one, and what else can be seen: throw conditions, root causes, messages. How
//! they are weighed is up to whoever uses them.

use crate::assessment::{Assessment, FARTHEST_MESSAGE, Nearness, RootDistance};
use crate::entries::EntryConditions;
use crate::goal::{Goal, GoalFrame, Hits, RootCause, normalised};
use crate::naturalness;
use crate::thrown::{self, Comparisons};
use condition::Anchored;
use crash_report::compare::{Comparison, Difference};
use objects::Catalogue;
use program::CodePoint;
use recipe::{End, Observation, Recipe, Thrown};
use std::sync::Arc;

/// What counts as the application, by the name of a class as traces have it.
pub type IsApplication = Arc<dyn Fn(&str) -> bool + Send + Sync>;

pub struct Assessor {
    goal: Arc<Goal>,
    catalogue: Arc<Catalogue>,
    is_application: IsApplication,
    comparisons: Comparisons,
}

impl std::fmt::Debug for Assessor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assessor").field("goal", &self.goal).finish_non_exhaustive()
    }
}

impl Assessor {
    pub fn new(goal: Arc<Goal>, catalogue: Arc<Catalogue>, is_application: IsApplication) -> Assessor {
        Assessor { goal, catalogue, is_application, comparisons: Comparisons::default() }
    }

    /// How far from natural a test is that enters at the frame and shows the crash; 0 if it could be a user's.
    pub fn demerits(&self, recipe: &Recipe, entry: u32) -> u32 {
        naturalness::demerits(recipe, entry, &self.catalogue)
    }

    /// What was thrown, compared with the crash; none if the type is nowhere in the chain.
    pub fn compare(&mut self, thrown: &Thrown) -> Option<Comparison> {
        self.comparisons.with_goal(&self.goal, thrown, &*self.is_application)
    }

    /// Of a candidate that enters at frame `entry`; 1 is the top. Only what its last statement does counts, unless what all do is
    /// to count. `entries` are the conditions of frames that were measured with those of the goal.
    pub fn assess(
        &mut self,
        recipe: &Recipe,
        entry: u32,
        observation: &Observation,
        counts_all: bool,
        entries: &EntryConditions,
    ) -> Assessment {
        let thrown = if let End::Threw { thrown, .. } = &observation.end { Some(thrown) } else { None };
        let comparison = thrown.and_then(|thrown| self.compare(thrown));
        let mut assessment = Measuring::new(&self.goal, entry, observation, entries).assess(comparison, thrown);
        assessment.is_cut_short = !counts_all && is_cut_short(recipe, &observation.end);
        if assessment.is_astray() {
            assessment.blocked_at = None;
        }
        assessment.demerits = match (assessment.is_crash(), assessment.grade().is_full()) {
            (false, _) => 0,
            (true, true) => self.demerits(recipe, entry),
            (true, false) => naturalness::demerits_on_the_way(recipe, entry),
        };
        assessment
    }
}

/// Whether it ended before its last statement, which calls the entry frame.
fn is_cut_short(recipe: &Recipe, end: &End) -> bool {
    matches!(end, End::Threw { stmt, .. } if (*stmt as usize) + 1 < recipe.body.stmts.len())
}

/// One observation, seen from the goal.
struct Measuring<'a> {
    goal: &'a Goal,
    entry: u32,
    observation: &'a Observation,
    entries: &'a EntryConditions,
    hits: Hits,
    /// The frames from the top to the entry.
    on_the_way: &'a [GoalFrame],
    is_at_crash_line: bool,
}

impl<'a> Measuring<'a> {
    fn new(goal: &'a Goal, entry: u32, observation: &'a Observation, entries: &'a EntryConditions) -> Measuring<'a> {
        let hits = Hits::new(&observation.lines);
        let on_the_way = &goal.frames[..(entry as usize).min(goal.frames.len())];
        let is_at_crash_line = on_the_way.first().is_some_and(|frame| frame.is_reached(&hits));
        Measuring { goal, entry, observation, entries, hits, on_the_way, is_at_crash_line }
    }

    fn assess(&self, comparison: Option<Comparison>, thrown: Option<&Thrown>) -> Assessment {
        let inwards = self.progress(self.on_the_way);
        let root = self.goal.root.as_ref().map(|root| self.root_distance(root));
        let next = root.as_ref().and_then(|(_, next)| *next).or_else(|| next_frame(self.on_the_way, inwards));
        let is_crash = comparison.as_ref().is_some_and(|comparison| comparison.exact.matched > 0);
        let at_branch = next.and_then(|frame| frame.blocking(self.observation));
        let at_crash_line = || if self.is_at_crash_line && !is_crash { self.throw_site() } else { None };
        let is_of_type = || thrown.is_some_and(|thrown| thrown::has_type_of_goal(self.goal, thrown));
        Assessment {
            entry: self.entry,
            unmatched: comparison.as_ref().map_or(self.entry, |comparison| unmatched(comparison, self.entry)),
            is_cut_short: false,
            inwards,
            outwards: self.reach(self.on_the_way),
            precondition: self.precondition(inwards),
            condition: self.condition(),
            root: root.map(|(distance, _)| distance),
            // A parser throws the same for everything that it refuses, and what it refuses early would pass for nearer than what it
            // reads to the end.
            is_thrown_elsewhere: !is_crash && self.is_at_crash_line && is_of_type(),
            message: message_distance(self.goal, thrown, comparison.as_ref()),
            demerits: 0,
            blocked_at: at_branch.or_else(at_crash_line),
            comparison,
        }
    }

    /// Distances at the places that may throw the exception.
    fn sites(&self) -> Vec<SiteDistances<'a>> {
        let of_root = self.goal.root.as_ref().map_or(0, |root| root.conditions.len());
        let guards = self.goal.conditions.len() + of_root;
        self.sites_from(0, &self.goal.conditions, guards, &self.goal.guards)
    }

    /// The same for the root cause.
    fn root_sites(&self, root: &'a RootCause) -> Vec<SiteDistances<'a>> {
        let of_crash: usize = self.goal.guards.iter().map(Vec::len).sum();
        let guards = self.goal.conditions.len() + root.conditions.len() + of_crash;
        self.sites_from(self.goal.conditions.len(), &root.conditions, guards, &root.guards)
    }

    /// Distances in the order of [`Goal::probe_plan`]: from one place on those of conditions, from another those of guards.
    fn sites_from(
        &self,
        first: usize,
        conditions: &'a [Anchored],
        mut first_guard: usize,
        guards: &'a [Vec<Anchored>],
    ) -> Vec<SiteDistances<'a>> {
        let all = &self.observation.conditions;
        let site = |(number, condition): (usize, &'a Anchored)| {
            let guards = guards.get(number).map_or(&[][..], Vec::as_slice);
            let measured = all.get(first_guard..first_guard + guards.len()).unwrap_or_default();
            first_guard += guards.len();
            let distance = all.get(first + number).copied().flatten();
            SiteDistances { at: condition.at, distance, guards: guards.iter().zip(measured).collect() }
        };
        conditions.iter().enumerate().map(site).collect()
    }

    /// How far the condition at the entry of the next frame was from holding. Where that was not entered, of the next one outwards: each
    /// frame further out is farther, and what was run before anything was known is the farthest.
    fn precondition(&self, inwards: Nearness) -> f64 {
        let known = (inwards.frames_to_go.max(1)..=self.entry).filter(|frame| self.entries.has(*frame));
        let measured = |frame| self.entries.distance(self.goal, frame, &self.observation.conditions);
        let entered = known.enumerate().find_map(|(outwards, frame)| Some(outwards as f64 + measured(frame)?));
        entered.unwrap_or(f64::from(self.entry))
    }

    fn condition(&self) -> f64 {
        if !self.is_at_crash_line {
            1.0
        } else if self.goal.is_stack_overflow {
            self.shallowness()
        } else {
            nearest(&self.sites())
        }
    }

    /// The deeper the recursion, the nearer to the end of the stack: what counts is the line of its round that was executed
    /// least.
    fn shallowness(&self) -> f64 {
        let frames = self.goal.cycle.iter().filter_map(|place| self.goal.frames.get(*place));
        let counts: Vec<u32> = frames.map(|frame| self.hits.count(frame)).collect();
        let missing = counts.iter().filter(|count| **count == 0).count() as f64 / counts.len().max(1) as f64;
        let least = counts.iter().copied().min().unwrap_or(0);
        if missing > 0.0 { 0.5 + 0.5 * missing } else { 0.5 / (1.0 + f64::from(least)) }
    }

    /// The place at which the exception was nearest to being thrown.
    fn throw_site(&self) -> Option<CodePoint> {
        let sites = self.sites();
        let measured = sites.iter().filter_map(|site| Some((site.at, site.distance?)));
        let nearest = measured.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at);
        nearest.or_else(|| sites.iter().find_map(|site| site.unmet().map(|(number, _)| site.guards[number].0.at)))
    }

    /// Frames to go to the place of the root cause, then how far its condition was from true, then whether it was thrown; with the
    /// next frame on the way.
    fn root_distance(&self, root: &'a RootCause) -> (RootDistance, Option<&'a GoalFrame>) {
        let on_the_way = self.root_frames(root);
        let (way, reached) = (self.progress(on_the_way), self.reach(&root.frames));
        let next = next_frame(on_the_way, way);
        let is_thrown = |thrown: &Thrown| {
            thrown.class == root.exception && thrown.stack.iter().any(|frame| root.frames[0].is_at(frame))
        };
        // Thrown on another way, it is no more than a sign.
        if let End::Threw { thrown, .. } = &self.observation.end
            && thrown::chain(thrown).any(is_thrown)
        {
            return (RootDistance { inwards: f64::from(way.frames_to_go), outwards: 0.0 }, next);
        }
        let distance = |near: Nearness| {
            let condition = if near.frames_to_go == 0 { nearest(&self.root_sites(root)) } else { 1.0 };
            f64::from(near.frames_to_go) + (normalised(near.line.sum()) + 0.5 * condition + 0.5) / 2.0
        };
        (RootDistance { inwards: distance(way), outwards: distance(reached) }, next)
    }

    /// The frames of the cause from the entry frame inwards; all if the entry frame is not among them.
    fn root_frames(&self, root: &'a RootCause) -> &'a [GoalFrame] {
        let Some(outermost) = self.goal.frames.get(self.entry as usize - 1) else { return &root.frames };
        let at = root.frames.iter().position(|frame| frame.is_in_same_method(outermost));
        at.map_or(&root.frames, |at| &root.frames[..=at])
    }

    /// From the entry frame inwards: how many frames are still to be reached, and how far the next one was.
    fn progress(&self, on_the_way: &[GoalFrame]) -> Nearness {
        let Some(next) = on_the_way.iter().rposition(|frame| !frame.is_reached(&self.hits)) else {
            return Nearness { frames_to_go: 0, missing: 0, line: Default::default() };
        };
        let missing = on_the_way[..=next].iter().filter(|frame| !frame.is_reached(&self.hits)).count() as u32;
        let line = on_the_way[next].distance(&self.hits, self.observation);
        Nearness { frames_to_go: next as u32 + 1, missing, line }
    }

    /// From the innermost frame that was reached, by any path: how many frames are still to be reached, and how far the next one
    /// was.
    fn reach(&self, on_the_way: &[GoalFrame]) -> Nearness {
        let to_go = on_the_way.iter().position(|frame| frame.is_reached(&self.hits)).unwrap_or(on_the_way.len());
        let next = to_go.checked_sub(1).and_then(|next| on_the_way.get(next));
        let line = next.map_or_else(Default::default, |next| next.distance(&self.hits, self.observation));
        Nearness { frames_to_go: to_go as u32, missing: 0, line }
    }
}

fn next_frame(on_the_way: &[GoalFrame], near: Nearness) -> Option<&GoalFrame> {
    on_the_way.get((near.frames_to_go as usize).checked_sub(1)?)
}

/// Frames up to the entry that do not match. The frames of an overflow are compared as a set, whatever their number.
fn unmatched(comparison: &Comparison, entry: u32) -> u32 {
    if comparison.exact.grade.is_full() { 0 } else { entry.saturating_sub(comparison.exact.matched as u32) }
}

/// A place that may throw: how far its condition was from true, and the branches that lead to it, innermost first.
struct SiteDistances<'a> {
    at: CodePoint,
    /// None if it was not reached.
    distance: Option<f64>,
    guards: Vec<(&'a Anchored, &'a Option<f64>)>,
}

impl SiteDistances<'_> {
    /// From 0 to 1. What was not reached is as far as the outermost branch that went another way.
    fn normalised(&self) -> f64 {
        let count = self.guards.len() as f64;
        match (self.distance, self.unmet()) {
            (Some(distance), _) => normalised(distance),
            (None, _) if self.guards.is_empty() => 1.0,
            (None, Some((number, distance))) => (number as f64 + distance.map_or(1.0, normalised)) / count,
            // All that is known was met; something else was not.
            (None, None) => 0.5 / count,
        }
    }

    /// The outermost guard that was not met, and how far it was from that, if it was reached.
    fn unmet(&self) -> Option<(usize, Option<f64>)> {
        let distances = self.guards.iter().map(|(_, distance)| **distance).enumerate();
        distances.rev().find(|(_, distance)| *distance != Some(0.0))
    }
}

fn nearest(sites: &[SiteDistances<'_>]) -> f64 {
    sites.iter().map(SiteDistances::normalised).fold(1.0, f64::min)
}

fn message_distance(goal: &Goal, thrown: Option<&Thrown>, comparison: Option<&Comparison>) -> f64 {
    let (Some(thrown), Some(comparison)) = (thrown, comparison) else { return FARTHEST_MESSAGE };
    let wrong_cause = matches!(comparison.difference, Some(Difference::Cause { .. }));
    2.0 * f64::from(u8::from(wrong_cause)) + thrown::message_distance(goal, comparison, thrown)
}

#[cfg(test)]
pub(crate) mod tests;
