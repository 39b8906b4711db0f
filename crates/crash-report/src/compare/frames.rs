//! How many frames of two stacks agree: exactly, and with tolerance.
//!
//! The exact count leaves out frames of the JDK and glue on both sides, and compares what is left from the top: class,
//! method and, where both sides have one, line. Between two frames of the application, those of libraries are left out as well: frameworks
//! call back through other frames in every version, as the JDK does. Above the first one they are not, and a frame of the test ends the
//! match, unless the report has a frame at that place that is not the application's either.
//!
//! The tolerant count forgives, in addition, what differs between compilers and runs without being another crash.

use std::collections::BTreeMap;

use super::{Comparing, Tolerance};
use crate::report::Frame;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Application,
    Test,
    Other,
}

pub(super) type Stack<'a> = Vec<(Kind, &'a Frame)>;

/// The frames that count, with their kinds. The report has no test: only the actual stack may.
pub(super) fn relevant<'a>(frames: &'a [Frame], how: &Comparing<'_>, actual: bool) -> Stack<'a> {
    let kind = |frame: &Frame| {
        if actual && (how.is_test)(&frame.class) {
            Some(Kind::Test)
        } else if frame.is_glue() {
            None
        } else if (how.is_application)(&frame.class) {
            Some(Kind::Application)
        } else {
            (!frame.is_jdk()).then_some(Kind::Other)
        }
    };
    frames.iter().filter_map(|frame| Some((kind(frame)?, frame))).collect()
}

pub(super) fn application<'a>(stack: &Stack<'a>) -> Vec<&'a Frame> {
    stack.iter().filter(|(kind, _)| *kind == Kind::Application).map(|(_, frame)| *frame).collect()
}

/// Where a match from the top ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aligned {
    /// Application frames of the report that agree.
    pub(super) matched: usize,
    /// Index into the actual stack of the frame that did not agree, or its length.
    pub(super) stopped: usize,
}

/// The exact match.
pub(super) fn align(reported: &Stack<'_>, actual: &Stack<'_>, how: &Comparing<'_>) -> Aligned {
    let mut at = Aligned { matched: 0, stopped: 0 };
    let mut gap = false;
    for (kind, frame) in reported {
        if *kind != Kind::Application {
            gap = true;
            continue;
        }
        while actual.get(at.stopped).is_some_and(|(kind, _)| is_passed_over(*kind, gap, at.matched)) {
            at.stopped += 1;
        }
        match actual.get(at.stopped) {
            Some((Kind::Application, other)) if agree(frame, other, how) => {
                at = Aligned { matched: at.matched + 1, stopped: at.stopped + 1 };
                gap = false;
            }
            _ => break,
        }
    }
    at
}

/// Whether a frame of the actual stack may stand where the report has none, `gap` being that it has one that is not the application's.
fn is_passed_over(kind: Kind, gap: bool, matched: usize) -> bool {
    match kind {
        Kind::Application => false,
        Kind::Other => gap || matched > 0,
        Kind::Test => gap,
    }
}

fn agree(a: &Frame, b: &Frame, how: &Comparing<'_>) -> bool {
    same_method(a, b) && (!how.lines || a.line.is_none() || b.line.is_none() || a.line == b.line)
}

fn same_method(a: &Frame, b: &Frame) -> bool {
    a.class == b.class && a.method == b.method
}

/// The match that forgives lines of one statement, accessors and bridges. Gives the number of reported application
/// frames that are accounted for.
pub(super) fn align_tolerantly(
    reported: &Stack<'_>,
    actual: &Stack<'_>,
    how: &Comparing<'_>,
    used: &mut Vec<Tolerance>,
) -> usize {
    let (mut matched, mut j, mut gap) = (0, 0, false);
    let mut last: Option<&Frame> = None;
    for (kind, frame) in reported {
        if *kind != Kind::Application {
            gap = true;
            continue;
        }
        let found = loop {
            match actual.get(j) {
                Some((Kind::Application, other)) => {
                    if let Some(tolerance) = agree_tolerantly(frame, other, how) {
                        used.extend(tolerance);
                        break true;
                    }
                    // The actual stack has glue that the report has not.
                    if !is_skippable(other, last) {
                        break false;
                    }
                    used.push(Tolerance::Glue);
                    j += 1;
                }
                Some((kind, _)) if is_passed_over(*kind, gap, matched) => j += 1,
                _ => break false,
            }
        };
        if found {
            last = Some(actual[j].1);
            j += 1;
        } else if is_skippable(frame, last) {
            // The report has glue that the actual stack has not.
            used.push(Tolerance::Glue);
        } else {
            break;
        }
        matched += 1;
        gap = false;
    }
    matched
}

/// An accessor, or what may be the bridge to the method right above it.
fn is_skippable(frame: &Frame, above: Option<&Frame>) -> bool {
    frame.is_accessor() || above.is_some_and(|above| same_method(above, frame) && above.line != frame.line)
}

/// `Some` if the frames agree, with the tolerance that it took.
fn agree_tolerantly(a: &Frame, b: &Frame, how: &Comparing<'_>) -> Option<Option<Tolerance>> {
    if agree(a, b, how) {
        return Some(None);
    }
    let (Some(same), Some(x), Some(y)) = (how.same_statement, a.line, b.line) else { return None };
    (same_method(a, b) && same(&a.class, &a.method, x, y)).then_some(Some(Tolerance::Statement))
}

/// The stack with every recursion shortened: of a group of frames that repeats three times or more in a row, two are left.
pub(super) fn without_recursion<'a>(stack: &Stack<'a>) -> Stack<'a> {
    const LONGEST: usize = 16;
    let mut out: Stack<'a> = Vec::with_capacity(stack.len().min(256));
    for &entry in stack {
        out.push(entry);
        let period = (1..=LONGEST).find(|&p| {
            let n = out.len();
            n >= 3 * p && (0..2 * p).all(|i| same_place(&out[n - 1 - i], &out[n - 1 - i - p]))
        });
        if let Some(period) = period {
            out.truncate(out.len() - period);
        }
    }
    out
}

fn same_place(a: &(Kind, &Frame), b: &(Kind, &Frame)) -> bool {
    a.0 == b.0 && same_method(a.1, b.1) && a.1.line == b.1.line
}

/// The frames of a recursion: those that are there three times or more.
pub(super) fn repeating<'a>(stack: &Stack<'a>, how: &Comparing<'_>) -> Vec<&'a Frame> {
    let mut count: BTreeMap<(&str, &str, Option<u32>), (&Frame, usize)> = BTreeMap::new();
    for frame in application(stack) {
        let line = frame.line.filter(|_| how.lines);
        count.entry((&frame.class, &frame.method, line)).or_insert((frame, 0)).1 += 1;
    }
    count.into_values().filter(|(_, n)| *n >= 3).map(|(frame, _)| frame).collect()
}

/// How many frames of the reported recursion are in the actual one.
pub(super) fn in_both(reported: &[&Frame], actual: &[&Frame], how: &Comparing<'_>) -> usize {
    let equal = |a: &Frame, b: &Frame| same_method(a, b) && (!how.lines || a.line == b.line);
    reported.iter().filter(|a| actual.iter().any(|b| equal(a, b))).count()
}

/// The same with tolerance.
pub(super) fn in_both_tolerantly(
    reported: &[&Frame],
    actual: &[&Frame],
    how: &Comparing<'_>,
    used: &mut Vec<Tolerance>,
) -> usize {
    let mut matched = 0;
    for frame in reported {
        let best = actual.iter().filter_map(|other| agree_tolerantly(frame, other, how)).min();
        match best {
            Some(tolerance) => used.extend(tolerance),
            None if frame.is_accessor() => used.push(Tolerance::Glue),
            None => continue,
        }
        matched += 1;
    }
    matched
}
