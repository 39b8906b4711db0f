//! What was called by reflection was called by its name: an expression, a template or a document had to say it.

use crash_report::Frame;
use target::{FrameRole, TargetFrame};

/// Methods of one stack that are of interest.
const MOST: usize = 3;

/// The methods of the stack that were called by reflection, top first: those at the bottom are the user's, of a test or a server.
pub(crate) fn called(frames: &[TargetFrame]) -> Vec<&Frame> {
    let is_called = |at: &usize| {
        let mut glue = frames[at + 1..].iter().take_while(|frame| frame.role == FrameRole::Glue);
        frames[*at].role != FrameRole::Glue && glue.any(|frame| is_reflection(&frame.frame))
    };
    let called = (0..frames.len()).filter(is_called).map(|at| &frames[at].frame);
    let mut found: Vec<&Frame> = Vec::new();
    for frame in called.filter(|frame| !frame.method.contains(['<', '$'])) {
        let is_new = found.iter().all(|known| (&known.class, &known.method) != (&frame.class, &frame.method));
        if is_new && found.len() < MOST {
            found.push(frame);
        }
    }
    found
}

fn is_reflection(frame: &Frame) -> bool {
    frame.class == "java.lang.reflect.Method" && frame.method == "invoke"
}

/// How such a call is written: the name with the numbers that the message states as its arguments, and without; of a getter or
/// setter, the name of the property.
pub(crate) fn notations(method: &str, numbers: &[i64]) -> Vec<String> {
    const MOST_ARGUMENTS: usize = 2;
    let calls = (0..=numbers.len().min(MOST_ARGUMENTS)).rev().map(|count| {
        let arguments: Vec<String> = numbers[..count].iter().map(ToString::to_string).collect();
        format!("{method}({})", arguments.join(", "))
    });
    calls.chain(property(method)).collect()
}

fn property(method: &str) -> Option<String> {
    let rest = ["get", "set", "is"].iter().find_map(|prefix| method.strip_prefix(prefix))?;
    let first = rest.chars().next().filter(|first| first.is_uppercase())?;
    // As beans do it: `getURL` is for `URL`.
    if rest.chars().nth(1).is_some_and(char::is_uppercase) {
        return Some(rest.to_owned());
    }
    Some(first.to_lowercase().chain(rest.chars().skip(1)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use target::Binding;

    fn frames(of: &[(&str, &str)]) -> Vec<TargetFrame> {
        let frame = |(class, method): &(&str, &str)| {
            let is_glue = class.starts_with("java.lang.reflect.") || class.starts_with("jdk.internal.");
            let frame = Frame { class: (*class).into(), method: (*method).into(), ..Frame::default() };
            let role = if is_glue { FrameRole::Glue } else { FrameRole::Library };
            TargetFrame { frame, role, binding: Binding::Unneeded }
        };
        of.iter().map(frame).collect()
    }

    #[test]
    fn methods_below_reflection_are_found() {
        let frames = frames(&[
            ("java.lang.String", "checkBounds"),
            ("java.lang.String", "substring"),
            ("jdk.internal.reflect.DelegatingMethodAccessorImpl", "invoke"),
            ("java.lang.reflect.Method", "invoke"),
            ("a.Expression", "call"),
            ("a.Bean", "lambda$of$0"),
            ("java.lang.reflect.Method", "invoke"),
            ("a.Made", "<init>"),
            ("java.lang.reflect.Constructor", "newInstance"),
            ("a.Main", "main"),
        ]);
        let methods: Vec<&str> = called(&frames).iter().map(|frame| &*frame.method).collect();
        assert_eq!(methods, ["substring"]);
    }

    #[test]
    fn calls_have_the_numbers_of_the_message() {
        assert_eq!(notations("substring", &[9, 3, 3]), ["substring(9, 3)", "substring(9)", "substring()"]);
        assert_eq!(notations("getName", &[]), ["getName()", "name"]);
        assert_eq!(notations("getURL", &[]), ["getURL()", "URL"]);
        assert_eq!(notations("issue", &[]), ["issue()"]);
        assert_eq!(notations("set", &[]), ["set()"]);
    }
}
