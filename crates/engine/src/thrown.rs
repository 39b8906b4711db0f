//! What a candidate threw, compared with the crash.

use crate::goal::{FRAMES_OF_RECURSION, Goal};
use crash_report::compare::{Comparing, Comparison, MessageMatch, compare_chain};
use crash_report::message::{distance_of_texts, distance_of_values};
use crash_report::{Frame, Throwable};
use recipe::{StackFrame, Thrown};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::borrow::Cow;
use std::hash::BuildHasher as _;

/// The class name that stands for the test in converted stacks.
const TEST_CLASS: &str = "reenact.Test";

/// The comparisons so far. Candidates throw the same exceptions again and again.
#[derive(Debug, Default)]
pub(crate) struct Comparisons {
    known: FxHashMap<u64, Vec<(Thrown, Comparison)>>,
    /// In all that is known.
    frames: usize,
}

impl Comparisons {
    /// So many frames take a few megabytes.
    const MOST_FRAMES: usize = 100_000;

    /// As [`compare_with_goal`], with the same goal every time.
    pub(crate) fn with_goal(
        &mut self,
        goal: &Goal,
        thrown: &Thrown,
        is_application: &dyn Fn(&str) -> bool,
    ) -> Option<Comparison> {
        if !has_type_of_goal(goal, thrown) {
            return None;
        }
        let stack = &*compared_frames(goal, thrown);
        let rest = (thrown.class, &thrown.message, &thrown.cause);
        let hash = FxBuildHasher.hash_one((rest, stack));
        let alike = self.known.get(&hash).into_iter().flatten();
        let is_same = |known: &Thrown| (known.class, &known.message, &known.cause) == rest && known.stack == stack;
        if let Some((_, comparison)) = alike.into_iter().find(|(known, _)| is_same(known)) {
            return Some(comparison.clone());
        }
        let thrown = Thrown { stack: stack.to_vec(), ..thrown.clone() };
        let comparison = compare_with_goal(goal, &thrown, is_application)?;
        self.frames += chain(&thrown).map(|exception| exception.stack.len()).sum::<usize>();
        if self.frames > Self::MOST_FRAMES {
            *self = Comparisons::default();
        }
        self.known.entry(hash).or_default().push((thrown, comparison.clone()));
        Some(comparison)
    }
}

/// The comparison with whichever exception of the chain comes nearest; none if the type is nowhere in the chain, which is
/// the common case and has to be cheap.
pub fn compare_with_goal(goal: &Goal, thrown: &Thrown, is_application: &dyn Fn(&str) -> bool) -> Option<Comparison> {
    if !has_type_of_goal(goal, thrown) {
        return None;
    }
    let same_template = |depth: usize, actual: &str| goal.is_instance(depth, actual);
    let how = Comparing {
        is_application,
        is_test: &|class| class == TEST_CLASS,
        lines: true,
        reachable: goal.reachable,
        same_statement: None,
        same_template: Some(&same_template),
    };
    let compared = |frames: &[StackFrame]| {
        let thrown = Throwable { frames: frames.iter().map(as_frame).collect(), ..without_frames(thrown) };
        compare_chain(&goal.expected, &thrown, &how).1
    };
    let stack = &*compared_frames(goal, thrown);
    let (top, below) = stack.split_at(if goal.is_stack_overflow { innermost(stack.len()) } else { stack.len() });
    // How deep a stack gets is not the same in each VM: what repeats only at its end there does so by chance.
    let of_both = std::iter::once(top).chain((!below.is_empty()).then_some(below)).map(compared);
    of_both.reduce(|least, other| if other.exact.matched < least.exact.matched { other } else { least })
}

pub(crate) fn has_type_of_goal(goal: &Goal, thrown: &Thrown) -> bool {
    chain(thrown).any(|exception| exception.class == goal.exception)
}

/// Of the escaping exception, all that count: of a recursion the innermost frames, and the outermost of those that are known.
fn compared_frames<'a>(goal: &Goal, thrown: &'a Thrown) -> Cow<'a, [StackFrame]> {
    let stack = &thrown.stack[..];
    if !goal.is_stack_overflow {
        return Cow::Borrowed(stack);
    }
    let (top, below) = stack.split_at(innermost(stack.len()));
    match below.len().checked_sub(FRAMES_OF_RECURSION) {
        Some(between) => Cow::Owned([top, &below[between..]].concat()),
        None => Cow::Borrowed(top),
    }
}

/// How many frames of an overflowing stack of so many are compared by themselves.
fn innermost(frames: usize) -> usize {
    frames.min(FRAMES_OF_RECURSION)
}

/// From the escaping exception to its root cause.
pub(crate) fn chain(thrown: &Thrown) -> impl Iterator<Item = &Thrown> {
    std::iter::successors(Some(thrown), |t| t.cause.as_deref())
}

/// An observed exception in the form of reports.
pub(crate) fn as_throwable(thrown: &Thrown) -> Throwable {
    Throwable { frames: thrown.stack.iter().map(as_frame).collect(), ..without_frames(thrown) }
}

/// With the frames of its causes.
fn without_frames(thrown: &Thrown) -> Throwable {
    Throwable {
        class: thrown.class.dotted(),
        message: thrown.message.clone(),
        cause: thrown.cause.as_deref().map(|cause| Box::new(as_throwable(cause))),
        ..Throwable::default()
    }
}

fn as_frame(frame: &StackFrame) -> Frame {
    Frame {
        class: if frame.is_test { TEST_CLASS.into() } else { frame.class.dotted() },
        method: frame.method.as_str().into(),
        line: frame.line.map(u32::from),
        ..Frame::default()
    }
}

/// How far the messages of the exception and its causes are from the reported ones. The whole part says what can be said of
/// them (0 the same, 1 of the same templates, 2 others), the rest how near they come: what templates have in their holes counts,
/// so that a message whose values come nearer is nearer.
pub(crate) fn message_distance(goal: &Goal, comparison: &Comparison, thrown: &Thrown) -> f64 {
    let verdict = match comparison.messages.verdict {
        MessageMatch::Exact | MessageMatch::Unknown => return 0.0,
        MessageMatch::Template => 1.0,
        MessageMatch::Other => 2.0,
    };
    let compared = chain(thrown).skip_while(|exception| exception.class != goal.exception);
    let mut messages = compared.map(|exception| exception.message.as_deref().unwrap_or_default());
    let expected = goal.expected.chain().map(|exception| exception.message.as_deref().unwrap_or_default());
    let each = expected.zip(&comparison.messages.each).enumerate();
    let sum: f64 = each.map(|(depth, (want, found))| one_distance(goal, depth, *found, want, messages.next())).sum();
    verdict + 0.99 * sum / comparison.messages.each.len().max(1) as f64
}

fn one_distance(goal: &Goal, depth: usize, found: MessageMatch, expected: &str, actual: Option<&str>) -> f64 {
    const OTHER: f64 = 0.4;
    const TEMPLATE: f64 = 0.1;
    let actual = actual.unwrap_or_default();
    match found {
        MessageMatch::Exact | MessageMatch::Unknown => 0.0,
        MessageMatch::Template => {
            let values = goal.distance_of_values(depth, expected, actual);
            TEMPLATE + (OTHER - TEMPLATE) * values.unwrap_or_else(|| distance_of_values(expected, actual))
        }
        MessageMatch::Other => OTHER + (1.0 - OTHER) * distance_of_texts(expected, actual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{ClassName, Symbol};

    fn stack(methods: impl IntoIterator<Item = &'static str>) -> Vec<StackFrame> {
        let frame = |name: &'static str| StackFrame {
            class: ClassName::internal("a/B"),
            method: Symbol::new(name),
            line: Some(7),
            is_test: false,
        };
        methods.into_iter().map(frame).collect()
    }

    fn overflow(stack: Vec<StackFrame>) -> Thrown {
        Thrown { class: ClassName::internal("java/lang/StackOverflowError"), message: None, stack, cause: None }
    }

    #[test]
    fn a_recursion_repeats_all_the_way() {
        let both = || ["x", "y"].into_iter().cycle();
        let goal = Goal {
            exception: ClassName::internal("java/lang/StackOverflowError"),
            message: None,
            expected: as_throwable(&overflow(stack(both().take(100)))),
            frames: Vec::new(),
            reachable: None,
            conditions: Vec::new(),
            guards: Vec::new(),
            root: None,
            templates: Vec::new(),
            is_stack_overflow: true,
            cycle: Vec::new(),
        };
        let matched = |methods: Vec<&'static str>| {
            let thrown = overflow(stack(methods));
            let known = Comparisons::default().with_goal(&goal, &thrown, &|_| true).unwrap().exact.matched;
            assert_eq!(known, compare_with_goal(&goal, &thrown, &|_| true).unwrap().exact.matched);
            known
        };
        let one = || std::iter::repeat("x");
        assert_eq!(matched(both().take(1024).collect()), 2);
        assert_eq!(matched(both().take(300).collect()), 2, "what is known ends early");
        assert_eq!(matched(one().take(1024).collect()), 1);
        // Where one recursion goes over into another, both are near the end of the stack.
        assert_eq!(matched(both().take(100).chain(one().take(924)).collect()), 1);
    }
}
