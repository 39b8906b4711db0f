//! The view of `check` as text for people.

use super::view::{Account, Cause, Fit, Frame, Relation, Verdict, View};
use crate::terminal::{Ink, ink};
use std::fmt::Write;

/// Stack overflows have a thousand frames; the table shows this many from either end.
const SHOWN_FRAMES: usize = 40;

/// In characters; three lines of a wide terminal.
const LONGEST_CONDITION: usize = 400;

pub(crate) fn render(view: &View, colour: bool) -> String {
    let mut out = String::new();
    header(view, colour, &mut out);
    exceptions(view, colour, &mut out);
    let width = view.account.frames.iter().map(|frame| frame.frame.len()).max().unwrap_or(0).min(90);
    frames(&view.account.frames, width, colour, &mut out);
    out.push('\n');
    throws(&view.account, &mut out);
    facts(&view.account, &mut out);
    for cause in &view.causes {
        cause_text(cause, &view.account.frames, width, colour, &mut out);
    }
    conditions(view, &mut out);
    missing(view, &mut out);
    notes(view, &mut out);
    verdict(view, colour, &mut out);
    out
}

/// Under which condition each frame crashes, with what is uncertain about it.
fn conditions(view: &View, out: &mut String) {
    let Some(conditions) = &view.conditions else { return };
    if conditions.is_empty() {
        out.push_str("crashes when\n     nothing could be derived\n\n");
        return;
    }
    out.push_str("crashes when, at the entry of\n");
    let mut last = 0;
    for condition in conditions {
        let lead = if condition.frame == last { "  or".to_owned() } else { format!("{:4}", condition.frame) };
        last = condition.frame;
        let _ = writeln!(out, "{lead} {}", shortened(&condition.when));
        if let Some(doubt) = condition.doubt() {
            let _ = writeln!(out, "       {doubt}");
        }
    }
    out.push('\n');
}

fn header(view: &View, colour: bool, out: &mut String) {
    let which = if view.crash.traces > 1 {
        format!(" (trace {} of {})", view.crash.trace, view.crash.traces)
    } else {
        String::new()
    };
    let _ =
        writeln!(out, "{} {}, line {}{which}", ink("crash   ", Ink::Bold, colour), view.crash.path, view.crash.line);
    let entries = match view.program.class_path.as_slice() {
        [one] => one.clone(),
        several => format!("{} class path entries", several.len()),
    };
    let _ = writeln!(
        out,
        "{} {entries}, {} classes; JDK {} in {}\n",
        ink("program ", Ink::Bold, colour),
        view.program.classes,
        view.program.jdk,
        view.program.jdk_home
    );
}

fn exceptions(view: &View, colour: bool, out: &mut String) {
    for exception in &view.exceptions {
        let lead = match exception.relation {
            Relation::Outermost => "",
            Relation::Cause => "caused by ",
            Relation::Suppressed => "suppressed ",
        };
        let message = exception.message.as_deref().map_or(String::new(), |m| format!(": {}", first_line(m)));
        let line = format!("{}{lead}{}{message}", "  ".repeat(exception.depth), exception.class);
        let mark = if exception.target { ink("target  ", Ink::Bold, colour) } else { "        ".into() };
        let shown = if exception.target { ink(&line, Ink::Bold, colour) } else { line };
        let _ = writeln!(out, "{mark} {shown}");
    }
    out.push('\n');
}

fn frames(frames: &[Frame], width: usize, colour: bool, out: &mut String) {
    let skip = frames.len().saturating_sub(2 * SHOWN_FRAMES);
    for (index, frame) in frames.iter().enumerate() {
        if skip > 0 && index == SHOWN_FRAMES {
            let _ = writeln!(out, "     ... {skip} frames ...");
        }
        if skip == 0 || index < SHOWN_FRAMES || index >= SHOWN_FRAMES + skip {
            frame_line(frame, width, colour, out);
        }
    }
}

/// A cause with the frames that it does not share with the target.
fn cause_text(cause: &Cause, above: &[Frame], width: usize, colour: bool, out: &mut String) {
    let message = cause.message.as_deref().map_or(String::new(), |m| format!(": {}", first_line(m)));
    let _ = writeln!(out, "caused by {}{message}\n", cause.class);
    let own = &cause.account.frames;
    let shared = own.iter().rev().zip(above.iter().rev()).take_while(|(one, other)| one.frame == other.frame).count();
    frames(&own[..own.len() - shared], width, colour, out);
    if shared > 0 {
        let noun = if shared == 1 { "frame" } else { "frames" };
        let _ = writeln!(out, "     ... {shared} {noun} as above");
    }
    out.push('\n');
    throws(&cause.account, out);
    facts(&cause.account, out);
}

fn frame_line(frame: &Frame, width: usize, colour: bool, out: &mut String) {
    let number = frame.number.map_or(String::new(), |n| n.to_string());
    let text = format!("{:>4} {:<width$}  ", number, frame.frame);
    let (told, shade) = match (&frame.misfit, frame.certainty) {
        (Some(misfit), _) if frame.number.is_some() => (misfit.clone(), Ink::Red),
        _ if frame.unreachable.is_some() => {
            (format!("out of reach: {}", frame.unreachable.as_deref().unwrap_or_default()), Ink::Yellow)
        }
        (None, Some(certainty)) => (format!("{} {certainty}{}", bound_text(frame), jar_text(frame)), Ink::Green),
        _ => (frame.role.to_owned(), Ink::Dim),
    };
    let text = if frame.number.is_some() { text } else { ink(&text, Ink::Dim, colour) };
    let _ = writeln!(out, "{text}{}", ink(&told, shade, colour));
}

fn bound_text(frame: &Frame) -> String {
    match frame.bound.as_slice() {
        [one] => {
            let place = match one.calls.as_slice() {
                [] => one.ranges.first().map_or(String::new(), |(start, end)| format!(" @{start}..{end}")),
                calls => format!(" @{}", calls.iter().map(u16::to_string).collect::<Vec<_>>().join(",")),
            };
            format!("{}{place}", one.method)
        }
        several => format!("one of {} methods", several.len()),
    }
}

fn jar_text(frame: &Frame) -> String {
    frame.jar.as_deref().map_or(String::new(), |jar| format!(", {jar}"))
}

fn throws(account: &Account, out: &mut String) {
    if !account.recursion.is_empty() {
        return overflow(&account.recursion, out);
    }
    if account.throws.is_empty() {
        return;
    }
    out.push_str("thrown when\n");
    for site in &account.throws {
        let remark = if site.precision == "exact" { "" } else { " (incomplete)" };
        let _ = writeln!(out, "     @{:<5} {}{remark}", site.bytecode, shortened(&site.condition));
        let guards: Vec<String> = site.guards.iter().filter(|guard| **guard != site.condition).map(grouped).collect();
        if !guards.is_empty() {
            let _ = writeln!(out, "            reached if {}", shortened(&guards.join(" && ")));
        }
    }
    out.push('\n');
}

/// Where the stack ends is chance; what matters is the recursion.
fn overflow(round: &[String], out: &mut String) {
    let what = if round.len() == 1 { "this frame repeats" } else { "these frames repeat" };
    let _ = writeln!(out, "thrown when the stack is full; {what}");
    for frame in round.iter().take(SHOWN_FRAMES) {
        let _ = writeln!(out, "     {frame}");
    }
    if round.len() > SHOWN_FRAMES {
        let _ = writeln!(out, "     ... {} frames ...", round.len() - SHOWN_FRAMES);
    }
    out.push('\n');
}

/// As a part of a conjunction.
fn grouped(condition: &String) -> String {
    if condition.contains(" || ") { format!("({condition})") } else { condition.clone() }
}

/// Switches and long ways make conditions that nobody reads to their end; `--json` has them whole.
fn shortened(condition: &str) -> String {
    match condition.char_indices().nth(LONGEST_CONDITION) {
        Some((end, _)) => {
            let kept = &condition[..end];
            let kept = kept.rfind(" && ").or_else(|| kept.rfind(" || ")).map_or(kept, |end| &condition[..end]);
            format!("{kept} ..")
        }
        None => condition.to_owned(),
    }
}

fn facts(account: &Account, out: &mut String) {
    if account.message_facts.is_empty() {
        return;
    }
    out.push_str("the message says\n");
    for fact in &account.message_facts {
        let hedge = if fact.certain { "" } else { " (or split otherwise)" };
        let _ = writeln!(out, "     {} = {}{hedge}", fact.subject, shortened(&fact.value));
    }
    out.push('\n');
}

fn missing(view: &View, out: &mut String) {
    if view.missing.is_empty() {
        return;
    }
    out.push_str("no jar has\n");
    for missing in &view.missing {
        let (first, others) = missing.needed_by.split_first().map_or(("", 0), |(first, rest)| (first, rest.len()));
        let more = if others == 0 { String::new() } else { format!(" and {others} more") };
        let _ = writeln!(out, "     {}, which {first}{more} needs", missing.class);
    }
    out.push('\n');
}

fn notes(view: &View, out: &mut String) {
    if view.problems.is_empty() {
        return;
    }
    out.push_str("notes\n");
    for problem in &view.problems {
        let _ = writeln!(out, "     {problem}");
    }
    out.push('\n');
}

fn verdict(view: &View, colour: bool, out: &mut String) {
    let verdict = &view.verdict;
    let (word, shade) = match verdict.fit {
        Fit::Fits => ("fits", Ink::Green),
        Fit::DoesNotFit => ("does not fit", Ink::Red),
    };
    let _ = writeln!(
        out,
        "{} {}: {} of {} application frames bound{}",
        ink("verdict ", Ink::Bold, colour),
        ink(word, shade, colour),
        verdict.bound,
        verdict.application_frames,
        seen_by_tests(verdict)
    );
    for misfit in &verdict.misfits {
        let _ = writeln!(out, "     {misfit}");
    }
}

/// What a test can see, where that is not all.
fn seen_by_tests(verdict: &Verdict) -> String {
    match verdict.reachable as usize {
        all if all == verdict.application_frames => String::new(),
        0 => ", none within reach of a test".into(),
        some => format!(", frames 1 to {some} within reach of a test"),
    }
}

fn first_line(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, _)) => format!("{first} .."),
        None => text.to_owned(),
    }
}
