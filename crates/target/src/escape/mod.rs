//! Can the exception get out of the methods on the stack, so that a test that calls them sees it?
//!
//! It arrives at the call in each frame, from the top down. A handler may swallow it, write it down, end the VM, throw it on or
//! wrap it. Where the bytecode shows that it is always kept inside, no test can see the frames from there on outwards. Anything
//! that is not certain counts as a way out: a field or a result that keeps it, an object given by the test that is told of it, code
//! that is missing.

mod calls;
mod flow;
mod leaks;
mod state;

use crate::inquiry::Inquiry;
use crate::model::{Binding, BoundMethod, CrashTarget, FrameRole, TargetFrame, ThrowKind, ThrowSite};
use flow::{Context, Flow, Outcome};
use ir::{Op, Rvalue};
use program::{ClassName, MethodRef};
use std::collections::BTreeSet;
use std::fmt;

/// The frame that an exception does not get out of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its index among all frames.
    pub frame: usize,
    pub method: MethodRef,
    /// What the handler catches, none for a `finally`; and its line.
    pub caught: Option<ClassName>,
    pub line: Option<u16>,
    /// It is printed or logged.
    pub is_written: bool,
    pub fate: Fate,
}

/// What becomes of an exception that is kept inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    EndsVm,
    /// Another exception is thrown that does not have it as a cause.
    Replaced,
    /// The program goes on.
    Dropped,
}

impl CrashTarget {
    /// How many application frames, from the top, a test can see: those that the exception gets out of.
    pub fn reachable(&self) -> u32 {
        let end = self.kept.as_ref().map_or(self.frames.len(), |kept| kept.frame);
        let application = self.frames[..end].iter().filter(|frame| matches!(frame.role, FrameRole::Application(_)));
        application.count() as u32
    }

    /// The application frames that no test can see, each with the reason.
    pub fn unreachable(&self) -> Vec<(&TargetFrame, String)> {
        let Some(kept) = &self.kept else { return Vec::new() };
        let keeper = &self.frames[kept.frame].frame;
        let name = format!("{}.{}", keeper.class.rsplit('.').next().unwrap_or_default(), keeper.method);
        let beyond = self.frames.iter().enumerate().skip(kept.frame);
        let application = beyond.filter(|(_, frame)| matches!(frame.role, FrameRole::Application(_)));
        application
            .map(|(index, frame)| match index == kept.frame {
                true => (frame, kept.to_string()),
                false => (frame, format!("does not get it: {name} {kept}")),
            })
            .collect()
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.caught {
            Some(class) => write!(f, "catches {}", class.simple().replace('$', "."))?,
            None => f.write_str("catches everything")?,
        }
        if let Some(line) = self.line {
            write!(f, " at line {line}")?;
        }
        f.write_str(match (self.fate, self.is_written) {
            (Fate::EndsVm, true) => ", logs it and ends the VM",
            (Fate::EndsVm, false) => " and ends the VM",
            (Fate::Replaced, _) => " and throws another exception without it",
            (Fate::Dropped, true) => " and only logs it",
            (Fate::Dropped, false) => " and drops it",
        })
    }
}

/// The first frame, from the top, that the exception is sure not to get out of.
pub(crate) fn find(units: &Inquiry<'_>, target: &CrashTarget, is_application: &dyn Fn(&str) -> bool) -> Option<Kept> {
    // Where a stack overflows is chance, and so is which of its frames have handlers.
    if target.recursion.is_some() || target.exception.as_internal() == "java/lang/StackOverflowError" {
        return None;
    }
    let first = target.frames.iter().position(|frame| matches!(frame.role, FrameRole::Application(_)))?;
    let context = Context { units, is_application };
    let mut outcome = at_the_top(&context, target)?;
    for index in first.. {
        if outcome.is_handed_out || outcome.is_in_this || outcome.returned.is_some() {
            return None;
        }
        if outcome.leaving.is_empty() {
            return kept(&target.frames[index], index, &outcome);
        }
        let frame = target.frames.get(index + 1)?;
        let arriving = arriving(&target.frames[index], outcome.leaving);
        outcome = through(&context, frame, &arriving);
    }
    None
}

fn kept(frame: &TargetFrame, index: usize, outcome: &Outcome) -> Option<Kept> {
    let Binding::Bound { candidates, .. } = &frame.binding else { return None };
    // It gets past the others, or they may not be the ones that take it.
    let (caught, line) = outcome.caught_by.last().copied()?;
    let fate = match outcome {
        Outcome { ends_vm: true, returns: false, .. } => Fate::EndsVm,
        Outcome { is_replaced: true, returns: false, .. } => Fate::Replaced,
        _ => Fate::Dropped,
    };
    let method = candidates.first()?.method;
    Some(Kept { frame: index, method, caught, line, is_written: outcome.is_written, fate })
}

/// What becomes of it in frame 1, which throws it.
fn at_the_top(context: &Context<'_>, target: &CrashTarget) -> Option<Outcome> {
    let outcomes = target.throw_sites.iter().map(|site| at_site(context, site, target.exception));
    let outcomes: Vec<Outcome> = outcomes.collect::<Option<_>>()?;
    outcomes.into_iter().reduce(|mut all, other| {
        all.join(other);
        all
    })
}

fn at_site(context: &Context<'_>, site: &ThrowSite, exception: ClassName) -> Option<Outcome> {
    // What is made here and thrown elsewhere has gone ways that the trace does not show.
    if site.kind == ThrowKind::Helper || site.thrown_at.is_some() {
        return None;
    }
    let unit = context.units.get(site.at.method)?;
    let flow = Flow::new(context, &unit);
    if site.kind != ThrowKind::Explicit {
        return Some(flow.thrown_at(site.at.at.bci, Some(exception)));
    }
    let made = site.made_at.filter(|made| made.method == site.at.method)?;
    let (creations, constructed) = (unit.body.instrs(), made.at.bci);
    let creations =
        creations.filter(|(_, instr)| matches!(&instr.op, Op::Assign(_, Rvalue::New(class)) if *class == exception));
    let at = creations.map(|(_, instr)| instr.id.bci).filter(|bci| *bci <= constructed).max()?;
    Some(flow.made_at(at, exception))
}

/// The classes that arrive at the next frame. Reflection wraps what it lets out, a static initialiser fails with an error of its own.
fn arriving(from: &TargetFrame, leaving: BTreeSet<Option<ClassName>>) -> BTreeSet<Option<ClassName>> {
    let is_initialiser = from.frame.method == "<clinit>";
    if from.role == FrameRole::Glue || is_initialiser { BTreeSet::from([None]) } else { leaving }
}

fn through(context: &Context<'_>, frame: &TargetFrame, arriving: &BTreeSet<Option<ClassName>>) -> Outcome {
    let passed = || Outcome { leaving: BTreeSet::from([None]), ..Outcome::default() };
    let Binding::Bound { candidates, .. } = &frame.binding else { return passed() };
    let mut all = Outcome::default();
    for candidate in candidates {
        all.join(in_method(context, candidate, arriving).unwrap_or_else(passed));
    }
    all
}

/// None if it is not known where it arrives.
fn in_method(context: &Context<'_>, bound: &BoundMethod, arriving: &BTreeSet<Option<ClassName>>) -> Option<Outcome> {
    let unit = context.units.get(bound.method)?;
    let mut all = None;
    for bci in &bound.calls {
        for class in arriving {
            let outcome = Flow::new(context, &unit).thrown_at(*bci, *class);
            match &mut all {
                None => all = Some(outcome),
                Some(all) => Outcome::join(all, outcome),
            }
        }
    }
    all
}
