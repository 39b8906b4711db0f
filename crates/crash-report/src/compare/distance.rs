//! Two measures of how alike stacks are, from the papers. They guide a search and are printed; neither decides a grade.

use super::frames::{Stack, application};
use super::{Comparing, same_type};
use crate::report::{Frame, Throwable};

/// EvoCrash's distance of stack traces (TSE 2018, section 3.2, definition 1): each reported frame has the distance to the
/// actual frame closest to it: 3 for another class, 2 for another method, else the normalised distance of the lines.
///
/// Deviations: only application frames of the report count, since JDK frames differ between versions; a line that is not
/// known is no distance; with an empty actual stack every frame is as far as another class.
pub(super) fn frame_distance(reported: &Stack<'_>, actual: &Stack<'_>, how: &Comparing<'_>) -> f64 {
    const OTHER_CLASS: f64 = 3.0;
    application(reported)
        .into_iter()
        .map(|frame| actual.iter().map(|(_, other)| diff(frame, other, how)).fold(OTHER_CLASS, f64::min))
        .sum()
}

fn diff(a: &Frame, b: &Frame, how: &Comparing<'_>) -> f64 {
    match (a.line, b.line) {
        _ if a.class != b.class => 3.0,
        _ if a.method != b.method => 2.0,
        (Some(x), Some(y)) if how.lines => normalised(f64::from(x.abs_diff(y))),
        _ => 0.0,
    }
}

/// From [0, ∞) to [0, 1).
fn normalised(x: f64) -> f64 {
    x / (x + 1.0)
}

/// JCHARMING's similarity in percent (section 4.6): the share of the lines of the reported trace that the actual one has
/// too. A trace counts as partially reproduced from 80 on.
///
/// The paper counts differing lines and does not say how lines are paired; here the head is one line (equal if the type
/// is), the application frames are the others, and the longest common subsequence pairs them.
pub(super) fn similarity(
    expected: &Throwable,
    actual: &Throwable,
    reported: &Stack<'_>,
    stack: &Stack<'_>,
    how: &Comparing<'_>,
) -> f64 {
    let (want, got) = (application(reported), application(stack));
    let head = usize::from(same_type(&expected.class, &actual.class));
    let same = head + common(&want, &got, how);
    100.0 * same as f64 / (want.len() + 1) as f64
}

/// The length of the longest common subsequence.
fn common(a: &[&Frame], b: &[&Frame], how: &Comparing<'_>) -> usize {
    let mut row = vec![0usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if diff(x, y, how) == 0.0 { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[b.len()]
}
