//! Applies a mapping to a report.

use super::{Class, Mapping, Member};
use crate::names;
use crate::report::{CrashReport, Frame, Place, Problem, ProblemKind, Throwable};

impl Mapping {
    /// Gives the exceptions and frames of a report their original names and lines. A frame that several methods could
    /// be becomes the first of them, and a problem says so.
    pub fn deobfuscate(&self, report: &mut CrashReport) {
        let CrashReport { traces, problems } = report;
        for trace in traces {
            self.throwable(&mut trace.throwable, problems);
        }
        problems.sort_by_key(|p| p.place.offset);
    }

    fn throwable(&self, t: &mut Throwable, problems: &mut Vec<Problem>) {
        if let Some(original) = self.original_class(&t.class) {
            t.class = original.to_owned();
        }
        let own = t.own_frames().len();
        let mut stack = Stack { mapping: self, place: t.place, outline: None, ambiguous: Vec::new() };
        let mut frames = stack.frames(&t.frames[..own], Some(&t.class));
        let common = stack.frames(&t.frames[own..], None);
        problems.append(&mut stack.ambiguous);
        t.common = common.len();
        frames.extend(common);
        t.frames = frames;
        t.suppressed.iter_mut().chain(t.cause.as_deref_mut()).for_each(|inner| self.throwable(inner, problems));
    }
}

/// Goes down a stack.
struct Stack<'a> {
    mapping: &'a Mapping,
    place: Place,
    /// The line of the outline that the frame below was called from.
    outline: Option<u32>,
    ambiguous: Vec<Problem>,
}

impl Stack<'_> {
    /// The frames of the source; `thrown` is the exception that the first frame throws.
    fn frames(&mut self, frames: &[Frame], thrown: Option<&str>) -> Vec<Frame> {
        let mut all = Vec::with_capacity(frames.len());
        for (i, frame) in frames.iter().enumerate() {
            all.extend(self.frame(frame, thrown.filter(|_| i == 0)));
        }
        // Methods that R8 made are of no source; but a stack of nothing else is better than none.
        let plain: Vec<Frame> = all.iter().filter(|(synthetic, _)| !synthetic).map(|(_, f)| f.clone()).collect();
        if plain.is_empty() { all.into_iter().map(|(_, f)| f).collect() } else { plain }
    }

    /// What one frame stands for, the innermost first; whether R8 made the method, for each.
    fn frame(&mut self, frame: &Frame, thrown: Option<&str>) -> Vec<(bool, Frame)> {
        let called_from = self.outline.take();
        let Some(class) = self.mapping.classes.get(&frame.class) else { return vec![(false, frame.clone())] };
        let members = class.methods.get(&frame.method).map_or(&[][..], |m| m.as_slice());
        let mut line = frame.line;
        let mut group = Group::of(members, line);
        if let Some(moved) = called_from.and_then(|at| group.outline_line(at)) {
            line = Some(moved);
            group = Group::of(members, line);
        }
        if group.members.iter().any(|m| m.notes.outline) {
            self.outline = line;
            return Vec::new();
        }
        if group.ambiguous {
            let kind = ProblemKind::AmbiguousMapping { frame: frame.to_string() };
            self.ambiguous.push(Problem { place: self.place, kind });
        }
        if group.members.is_empty() {
            return vec![(class.synthetic, self.renamed(frame, class, None, None))];
        }
        let removed = thrown.map_or(0, |exception| group.removed(exception)).min(group.members.len() - 1);
        let shown = group.members[removed..].iter();
        shown.map(|m| (class.synthetic || m.notes.synthetic, self.renamed(frame, class, Some(m), line))).collect()
    }

    fn renamed(&self, frame: &Frame, class: &Class, member: Option<&Member>, line: Option<u32>) -> Frame {
        let owner = member.and_then(|m| m.owner.as_ref()).unwrap_or(&class.original);
        Frame {
            class: owner.clone(),
            method: member.map_or(&frame.method, |m| &m.method).clone(),
            file: Some(self.file(owner)),
            line: member.and_then(|m| m.original_line(line)),
            ..frame.clone()
        }
    }

    /// The source file of a class: as R8 noted it, else named after the outermost class, as Java demands.
    fn file(&self, class: &str) -> String {
        if let Some(file) = self.mapping.files.get(class) {
            return file.clone();
        }
        let host = names::host_class(class);
        let simple = host.rsplit('.').next().unwrap_or(host);
        match simple.strip_suffix("Kt").filter(|s| !s.is_empty()) {
            Some(kotlin) => format!("{kotlin}.kt"),
            None => format!("{simple}.java"),
        }
    }
}

impl Member {
    fn covers(&self, line: u32) -> bool {
        self.lines.is_some_and(|(first, last)| (first..=last).contains(&line))
    }

    fn original_line(&self, line: Option<u32>) -> Option<u32> {
        let line = line?;
        let start = self.lines.map_or(line, |(first, _)| first);
        match self.original {
            None => Some(line),
            Some((first, None)) => Some(first),
            Some((first, Some(last))) => Some(first.saturating_add(line.saturating_sub(start)).min(last.max(first))),
        }
        .filter(|&line| line > 0)
    }
}

/// The methods of the source that one line of an obfuscated method is of: the innermost first, then its callers.
struct Group<'a> {
    members: Vec<&'a Member>,
    ambiguous: bool,
}

impl<'a> Group<'a> {
    fn of(members: &'a [Member], line: Option<u32>) -> Group<'a> {
        if let Some(first) = line.and_then(|line| members.iter().position(|m| m.covers(line))) {
            let inlined = members[first..].iter().take_while(|m| m.lines == members[first].lines);
            return Group { members: inlined.collect(), ambiguous: false };
        }
        let everywhere: Vec<&Member> = members.iter().filter(|m| m.lines.is_none()).collect();
        let candidates = if everywhere.is_empty() { outermost(members) } else { everywhere };
        let name = |m: &'a Member| (&m.owner, &m.method);
        let ambiguous = candidates.iter().any(|m| name(m) != name(candidates[0]));
        Group { members: candidates.into_iter().take(1).collect(), ambiguous }
    }

    fn outline_line(&self, at: u32) -> Option<u32> {
        let lines = self.members.iter().flat_map(|m| &m.notes.outline_lines);
        lines.into_iter().find(|(from, _)| *from == at).map(|(_, to)| *to)
    }

    /// How many of the inlined frames were not there when this exception was thrown.
    fn removed(&self, exception: &str) -> usize {
        let rewrites = self.members.iter().flat_map(|m| &m.notes.rewrites);
        rewrites.filter(|r| r.exception == exception).map(|r| r.remove).sum()
    }
}

/// Of each run of members for the same lines the last: the method that the others were inlined into.
fn outermost(members: &[Member]) -> Vec<&Member> {
    members.chunk_by(|a, b| a.lines == b.lines).filter_map(|run| run.last()).collect()
}
