//! A target as text: frame by frame, throw sites, what the message says, what does not fit. For tests, logs and whoever
//! wants to see everything; the command line has its own table.

use crate::message::Template;
use crate::misfit::Misfit;
use crate::model::{
    Binding, BoundMethod, CauseTarget, Certainty, CrashTarget, FactValue, FrameRole, MessageFact, Precision,
    TargetFrame, ThrowSite,
};
use program::ClassName;
use std::fmt;
use std::ops::Range;

impl fmt::Display for CrashTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Part {
            exception: self.exception,
            message: self.message.as_deref(),
            frames: &self.frames,
            sites: &self.throw_sites,
            templates: &self.templates,
            facts: &self.message_facts,
            recursion: self.recursion.as_ref(),
        }
        .write(f)?;
        for (frame, reason) in self.unreachable() {
            writeln!(f, "  out of reach: {}.{} {reason}", frame.frame.class, frame.frame.method)?;
        }
        for cause in &self.causes {
            f.write_str("caused by ")?;
            Part::of_cause(cause).write(f)?;
        }
        for misfit in &self.misfits {
            write_misfit(f, misfit)?;
        }
        Ok(())
    }
}

/// What the target and its causes have in common.
struct Part<'a> {
    exception: ClassName,
    message: Option<&'a str>,
    frames: &'a [TargetFrame],
    sites: &'a [ThrowSite],
    templates: &'a [Template],
    facts: &'a [MessageFact],
    recursion: Option<&'a Range<usize>>,
}

impl<'a> Part<'a> {
    fn of_cause(cause: &'a CauseTarget) -> Self {
        Part {
            exception: cause.exception,
            message: cause.message.as_deref(),
            frames: &cause.frames,
            sites: &cause.throw_sites,
            templates: &cause.templates,
            facts: &cause.message_facts,
            recursion: cause.recursion.as_ref(),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.exception)?;
        match self.message {
            Some(message) => writeln!(f, ": {}", first_line(message))?,
            None => writeln!(f)?,
        }
        for frame in self.frames.iter().take(MOST_FRAMES) {
            write_frame(f, frame)?;
        }
        if self.frames.len() > MOST_FRAMES {
            writeln!(f, "    .. {} more frames", self.frames.len() - MOST_FRAMES)?;
        }
        if let Some(round) = self.recursion {
            writeln!(f, "  recursion: frames {}..{}", round.start, round.end)?;
        }
        for site in self.sites {
            write_site(f, site)?;
        }
        for template in self.templates {
            writeln!(f, "  message template: {}", first_line(&template.to_string()))?;
        }
        for fact in self.facts {
            write_fact(f, fact)?;
        }
        Ok(())
    }
}

/// Of a stack overflow with a thousand frames, nobody reads all.
const MOST_FRAMES: usize = 40;

fn first_line(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, _)) => format!("{first} .."),
        None => text.to_owned(),
    }
}

fn write_frame(f: &mut fmt::Formatter<'_>, frame: &TargetFrame) -> fmt::Result {
    let role = match frame.role {
        FrameRole::Application(number) => format!("{number:>3}"),
        FrameRole::Library => "lib".into(),
        FrameRole::Glue => "   ".into(),
    };
    let line = match (frame.frame.line, frame.frame.native) {
        (Some(line), _) => format!(":{line}"),
        (None, true) => " native".into(),
        (None, false) => String::new(),
    };
    write!(f, "{role} {}.{}{line}", frame.frame.class, frame.frame.method)?;
    match &frame.binding {
        Binding::Unneeded => writeln!(f, " (glue)"),
        Binding::Unbound(_) => writeln!(f, " unbound"),
        Binding::Bound { candidates, certainty } => {
            writeln!(f, " {}", certainty_text(*certainty))?;
            candidates.iter().try_for_each(|candidate| write_candidate(f, candidate))
        }
    }
}

fn certainty_text(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::ByMethod => "by method",
        Certainty::NearLine => "near line",
        Certainty::ByLine => "by line",
        Certainty::ByPossibleCall => "by possible call",
        Certainty::ByCall => "by call",
    }
}

fn write_candidate(f: &mut fmt::Formatter<'_>, candidate: &BoundMethod) -> fmt::Result {
    let ranges: Vec<String> = candidate.ranges.iter().map(|range| format!("{}..{}", range.start, range.end)).collect();
    write!(f, "      {}{} [{}]", candidate.method.name, candidate.method.descriptor, ranges.join(", "))?;
    if !candidate.calls.is_empty() {
        let calls: Vec<String> = candidate.calls.iter().map(|bci| format!("@{bci}")).collect();
        write!(f, " calls {}", calls.join(", "))?;
    }
    writeln!(f)
}

fn write_site(f: &mut fmt::Formatter<'_>, site: &ThrowSite) -> fmt::Result {
    write!(f, "  throws {:?} {}.{} {}", site.kind, site.at.method.class.simple(), site.at.method.name, site.at.at)?;
    if let Some(made) = site.made_at {
        write!(f, ", made {}", made.at)?;
    }
    if let Some(thrown) = site.thrown_at {
        write!(f, ", thrown in {}.{} {}", thrown.method.class.simple(), thrown.method.name, thrown.at)?;
    }
    let precision = match site.precision {
        Precision::Exact => "when",
        Precision::Partial => "only when",
        Precision::Opaque => "when ?",
    };
    writeln!(f, " {precision} {}", site.text)?;
    for guard in &site.guards {
        writeln!(f, "      if {} {}", guard.text, guard.condition.at.at)?;
    }
    for inside in site.inside.iter().take(3) {
        writeln!(f, "      inside {} {}", inside.at.method, inside.at.at)?;
    }
    Ok(())
}

fn write_fact(f: &mut fmt::Formatter<'_>, fact: &MessageFact) -> fmt::Result {
    let value = match &fact.value {
        FactValue::Null => "null".to_owned(),
        FactValue::Int(value) => value.to_string(),
        FactValue::Text(text) => format!("{text:?}"),
        FactValue::Class(class) => format!("a {class}"),
    };
    let doubt = if fact.certain { "" } else { " (or else)" };
    writeln!(f, "  message says: {} = {value}{doubt}", fact.subject)
}

fn write_misfit(f: &mut fmt::Formatter<'_>, misfit: &Misfit) -> fmt::Result {
    let weight = if misfit.is_contradiction() { "misfit" } else { "remark" };
    match misfit.frame {
        Some(frame) => writeln!(f, "{weight} (frame {frame}): {misfit}"),
        None => writeln!(f, "{weight}: {misfit}"),
    }
}
