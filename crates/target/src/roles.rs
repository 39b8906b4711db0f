//! Which frames must be matched, which only guide, which are glue.

use crate::model::FrameRole;
use crash_report::Frame;

/// The role of each frame; application frames are numbered from 1 at the top. `application` is asked with the dotted
/// class name.
pub(crate) fn roles(frames: &[Frame], application: &dyn Fn(&str) -> bool) -> Vec<FrameRole> {
    let mut number = 0;
    frames
        .iter()
        .map(|frame| {
            if is_glue(frame) {
                FrameRole::Glue
            } else if application(&frame.class) {
                number += 1;
                FrameRole::Application(number)
            } else {
                FrameRole::Library
            }
        })
        .collect()
}

/// Generated classes, and the JDK's machinery of reflection and method handles.
fn is_glue(frame: &Frame) -> bool {
    const PACKAGES: &[&str] = &["sun.reflect.", "jdk.internal.reflect.", "java.lang.invoke."];
    const CLASSES: &[&str] =
        &["java.lang.reflect.Method", "java.lang.reflect.Constructor", "java.lang.reflect.ReflectAccess"];
    frame.is_glue()
        || CLASSES.contains(&frame.class.as_str())
        || PACKAGES.iter().any(|package| frame.class.starts_with(package))
}
