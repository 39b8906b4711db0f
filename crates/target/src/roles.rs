//! Which frames must be matched, which only guide, which are glue.

use crate::model::FrameRole;
use crash_report::Frame;

/// The role of each frame; application frames are numbered from 1 at the top. `application` is asked with the dotted
/// class name, and so is `compiled`: has the class path a class of this name that was compiled from a source?
pub(crate) fn roles(
    frames: &[Frame],
    application: &dyn Fn(&str) -> bool,
    compiled: &dyn Fn(&str) -> bool,
) -> Vec<FrameRole> {
    let mut number = 0;
    frames
        .iter()
        .map(|frame| {
            if is_machinery(frame) || (frame.is_glue() && !is_written(frame, compiled)) {
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

/// A name may end as those of a container's classes do, but code that has lines and was compiled from a source was written.
fn is_written(frame: &Frame, compiled: &dyn Fn(&str) -> bool) -> bool {
    frame.line.is_some() && compiled(&frame.class)
}

/// The JDK's machinery of reflection and method handles.
fn is_machinery(frame: &Frame) -> bool {
    const PACKAGES: &[&str] = &["sun.reflect.", "jdk.internal.reflect.", "java.lang.invoke."];
    const CLASSES: &[&str] =
        &["java.lang.reflect.Method", "java.lang.reflect.Constructor", "java.lang.reflect.ReflectAccess"];
    CLASSES.contains(&frame.class.as_str()) || PACKAGES.iter().any(|package| frame.class.starts_with(package))
}
