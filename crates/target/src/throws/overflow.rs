//! Stack overflows: which frames repeat, and where frame 1 can run out of stack.
//!
//! The JVM notices at a call or at the start of a method, so every call of the line is a candidate; which one it was is
//! chance, and what matters is the recursion.

use super::{Found, Place, rank};
use crate::model::{FrameRole, Precision, TargetFrame, ThrowKind};
use condition::Condition;
use ir::Callee;
use program::InstrId;
use std::ops::Range;

/// One round of the recursion: the first stretch of frames that is followed by itself. Of several the one that explains the
/// most frames, then the shortest: inside a long round a method may also call itself twice.
pub(crate) fn recursion(frames: &[TargetFrame]) -> Option<Range<usize>> {
    let key = |index: usize| {
        let frame = &frames[index].frame;
        (&frame.class, &frame.method, frame.line)
    };
    let mut best: Option<(usize, Range<usize>)> = None;
    for period in 1..=frames.len() / 2 {
        let (mut start, mut length) = (0, 0);
        for index in 0..frames.len() - period {
            length = if key(index) == key(index + period) { length + 1 } else { 0 };
            if length == 1 {
                start = index;
            }
            let explained = length + period;
            if length >= period && best.as_ref().is_none_or(|(known, _)| explained > *known) {
                best = Some((explained, start..start + period));
            }
        }
    }
    let (_, round) = best?;
    let is_application = |frame: &TargetFrame| matches!(frame.role, FrameRole::Application(_));
    frames[round.clone()].iter().any(is_application).then_some(round)
}

pub(super) fn sites<'p>(place: &Place<'p>) -> Vec<Found<'p>> {
    let calls = &place.candidate.calls;
    let mut found = Vec::new();
    for bci in place.unit.body.bytecodes().filter(|bci| place.covers(*bci)) {
        let Some((callee, _)) = place.unit.call_at(bci) else {
            if bci == 0 {
                found.push(at_entry(place));
            }
            continue;
        };
        let when = match callee {
            Callee::Method { method, .. } => {
                Condition::CallThrows { callee: *method, exception: place.thrown.exception }
            }
            Callee::Dynamic { .. } => Condition::True,
        };
        let rank = if calls.contains(&bci) { rank::LIKELY } else { rank::POSSIBLE };
        let site = place.site(InstrId::at(bci), ThrowKind::StackOverflow, when, Precision::Opaque);
        found.push(Found { site, made: Vec::new(), rank });
    }
    found
}

fn at_entry<'p>(place: &Place<'p>) -> Found<'p> {
    let site = place.site(InstrId::at(0), ThrowKind::StackOverflow, Condition::True, Precision::Opaque);
    Found { site, made: Vec::new(), rank: rank::POSSIBLE }
}
