//! All frames of a trace, one after the other: first quickly, so that every frame soon has a condition if it can, then at length.

use crate::causes::Causes;
use crate::paper::Paper;
use crate::precondition::{self, Precondition};
use crate::settings::{Settings, Switches};
use crate::walk::{Reach, Walker};
use program::MethodRef;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use symbolic::{Bounds, World};
use target::{Binding, CrashTarget, FrameRole};

/// What is done in each pass.
const PASSES: [Pass; 2] = [
    Pass { reach: QUICK, above: 3, time: Duration::from_millis(500) },
    Pass { reach: REACH, above: 8, time: Duration::from_secs(3) },
];

struct Pass {
    /// How far the ways within one frame are followed.
    reach: Reach,
    /// From how many conditions of the frame above.
    above: usize,
    /// Longest time for one frame.
    time: Duration,
}

const QUICK: Reach = Reach {
    walks: 150,
    entries: 3,
    callee: Bounds { visits: 2, depth: 3, steps: 1_000, paths: 8, failures: false, targets: 2 },
    ..REACH
};

/// At length.
pub(crate) const REACH: Reach = Reach {
    visits: 2,
    walks: 1_500,
    entries: 6,
    asks: true,
    callee: Bounds { visits: 2, depth: 4, steps: 4_000, paths: 12, failures: false, targets: 2 },
};

/// Conditions of one frame that are kept, over all passes.
const MOST: usize = 16;

/// How the conditions of all frames are derived.
pub(crate) enum Derivation {
    Ours(Frames),
    Paper(Paper),
}

impl Derivation {
    /// Of so many application frames.
    pub(crate) fn new(target: Arc<CrashTarget>, frames: usize, settings: Settings) -> Derivation {
        match settings.is_paper {
            true => Derivation::Paper(Paper::new(target, frames)),
            false => Derivation::Ours(Frames::new(target, frames, settings.switches)),
        }
    }

    /// Whether the conditions of all frames are known that can be.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            Derivation::Ours(frames) => frames.is_done(),
            Derivation::Paper(paper) => paper.is_done(),
        }
    }

    /// Whether not all frames have been looked at yet.
    pub(crate) fn is_quick(&self) -> bool {
        match self {
            Derivation::Ours(frames) => frames.is_quick(),
            Derivation::Paper(paper) => !paper.is_done(),
        }
    }

    /// More is known of these methods: what went through them is derived again. Of the published engine there is no such thing.
    pub(crate) fn again(&mut self, methods: &BTreeSet<MethodRef>) {
        if let Derivation::Ours(frames) = self {
            frames.again(methods);
        }
    }

    /// Goes on for a while; gives the conditions that are new.
    pub(crate) fn step(&mut self, walker: &mut Walker<'_>) -> Vec<Precondition> {
        match self {
            Derivation::Ours(frames) => frames.step(walker),
            Derivation::Paper(paper) => paper.step(walker),
        }
    }

    /// By frame without a condition: that it is entered.
    pub(crate) fn guesses(&self, world: &World) -> Vec<Vec<Precondition>> {
        let (target, places, found) = match self {
            Derivation::Ours(frames) => (&frames.target, &frames.places, &frames.found),
            Derivation::Paper(paper) => paper.parts(),
        };
        let open = places.iter().zip(found).filter(|(_, found)| found.is_empty());
        open.map(|(place, _)| precondition::entered(world, &target.frames[*place])).collect()
    }

    /// What could not be found out, in words of the program; empty if all was.
    pub(crate) fn gaps(&self) -> String {
        match self {
            Derivation::Ours(frames) => precondition::gaps(&frames.target, &frames.places, &frames.found),
            Derivation::Paper(paper) => {
                let (target, places, found) = paper.parts();
                precondition::gaps(target, places, found)
            }
        }
    }
}

pub(crate) struct Frames {
    target: Arc<CrashTarget>,
    causes: Causes,
    /// Where the application frames are among all frames, top first, as far as the exception gets out of them.
    places: Vec<usize>,
    /// The conditions of those that have been looked at.
    found: Vec<Vec<Precondition>>,
    pass: usize,
    /// The frame that is next.
    next: usize,
    /// From this frame on everything is to be derived again first.
    again: Option<usize>,
}

impl Frames {
    fn new(target: Arc<CrashTarget>, frames: usize, switches: Switches) -> Frames {
        let all = target.frames.iter().enumerate();
        let places = all.filter(|(_, frame)| matches!(frame.role, FrameRole::Application(_))).map(|(at, _)| at);
        let places: Vec<usize> = places.take(frames).collect();
        let found = vec![Vec::new(); places.len()];
        let causes = Causes::of(&target);
        Frames { target, causes, places, found, pass: usize::from(!switches.quick), next: 0, again: None }
    }

    fn is_done(&self) -> bool {
        self.again.is_none() && (self.pass >= PASSES.len() || self.places.is_empty())
    }

    /// Whether not all frames have been looked at yet, or not since something was learnt of them.
    fn is_quick(&self) -> bool {
        self.again.is_some() || (self.pass == 0 && !self.is_done())
    }

    fn again(&mut self, methods: &BTreeSet<MethodRef>) {
        let is_in_one = |place: &usize| match &self.target.frames[*place].binding {
            Binding::Bound { candidates, .. } => candidates.iter().any(|bound| methods.contains(&bound.method)),
            _ => false,
        };
        let first = self.places.iter().position(is_in_one);
        // Those of which nothing is known yet have their turn anyway.
        let first = first.filter(|first| self.pass > 0 || *first < self.next);
        self.again = self.again.into_iter().chain(first).min();
    }

    /// Derives the conditions of the next frame; gives those that are new.
    fn step(&mut self, walker: &mut Walker<'_>) -> Vec<Precondition> {
        match self.again {
            Some(frame) => self.derive_again(walker, frame),
            None => self.derive_next(walker),
        }
    }

    fn derive_next(&mut self, walker: &mut Walker<'_>) -> Vec<Precondition> {
        let mut derived = self.conditions(walker, self.next, &PASSES[self.pass]);
        if let ([], 0, Some(longer)) = (&derived[..], self.next, PASSES.get(self.pass + 1)) {
            // All frames below build on the top one: without it nothing is known of them but that they must be entered.
            derived = self.conditions(walker, self.next, longer);
        }
        let known = &mut self.found[self.next];
        let mut new = new_of(derived, known);
        new.truncate(MOST.saturating_sub(known.len()));
        known.extend(new.iter().cloned());
        self.next += 1;
        if self.next == self.places.len() {
            (self.next, self.pass) = (0, self.pass + 1);
        }
        new
    }

    /// What is known better now comes before what was derived before. Where nothing is, the frames below are as they were.
    fn derive_again(&mut self, walker: &mut Walker<'_>, frame: usize) -> Vec<Precondition> {
        let pass = &PASSES[self.pass.min(PASSES.len() - 1)];
        let derived = self.conditions(walker, frame, pass);
        let known = &mut self.found[frame];
        let new = new_of(derived, known);
        known.splice(..0, new.iter().cloned());
        known.truncate(MOST);
        let last = if self.pass > 0 { self.places.len() } else { self.next };
        self.again = Some(frame + 1).filter(|next| *next < last && !new.is_empty());
        new
    }

    fn conditions(&self, walker: &mut Walker<'_>, frame: usize, pass: &Pass) -> Vec<Precondition> {
        walker.reach = pass.reach;
        walker.causes = self.causes.clone();
        walker.solving.allow(Some(pass.time));
        let derived = self.derived(walker, frame, pass.above);
        walker.solving.allow(None);
        derived
    }

    /// The conditions of one frame, from so many of the frame above it.
    fn derived(&self, walker: &mut Walker<'_>, frame: usize, most: usize) -> Vec<Precondition> {
        let Some(inner) = frame.checked_sub(1) else { return precondition::of_top(walker, &self.target) };
        let (above, here) = (self.places[inner], self.places[frame]);
        let (frames, world) = (&self.target.frames, walker.world);
        let known = match self.found[inner].is_empty() {
            true => precondition::entered(world, &frames[above]),
            false => self.found[inner].iter().take(most).cloned().collect(),
        };
        precondition::of_caller(walker, &frames[above + 1..here], &frames[here], &known)
    }
}

fn new_of(derived: Vec<Precondition>, known: &[Precondition]) -> Vec<Precondition> {
    let is_new = |one: &Precondition| known.iter().all(|known| known.formula != one.formula);
    derived.into_iter().filter(is_new).collect()
}
