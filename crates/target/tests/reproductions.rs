//! Crashes of the packs that are made to happen again: the bytecode index that really throws is among the candidates that were
//! derived from the log alone.

#[path = "support/jars.rs"]
mod jars;
#[path = "support/java.rs"]
mod java;
#[path = "support/packs.rs"]
mod packs;
mod support;

use crash_report::{Frame, Throwable};
use packs::{Crash, crashes, jdk};
use program::Jdk;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use target::{Binding, CrashTarget, FrameRole, TargetFrame, ThrowSite};

#[test]
fn the_index_that_throws_is_a_candidate() {
    let jdk = jdk(17);
    let crashes: Vec<Crash> = crashes("seeds").into_iter().chain(crashes("modern")).collect();
    let bodies = bodies();
    let happened = run(&jdk, &crashes, &bodies);
    let mut failures = Vec::new();
    for (id, _) in &bodies {
        let crash = crashes.iter().find(|crash| crash.id == *id).unwrap_or_else(|| panic!("no pack has {id}"));
        let target = crash.derive(&jdk);
        let mut own = happened.iter().filter(|happened| happened.id == *id);
        let wrong = match &target.recursion {
            Some(round) => own.clone().find_map(|happened| happened.wrong_in_recursion(&target, round)),
            None => own.clone().find_map(|happened| happened.wrong_at_the_top(crash, &target)),
        };
        match wrong {
            Some(wrong) if wrong.is_empty() => {}
            Some(wrong) => failures.push(format!("{id}: {}\n{target}", wrong.join(", "))),
            None => failures.push(format!("{id}: another crash: {:?}\n{target}", own.next().map(|own| &own.trace))),
        }
    }
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), bodies.len(), failures.join("\n"));
}

fn is_candidate(target: &CrashTarget, at: u16) -> bool {
    // HotSpot's interpreter runs a load (of one or two bytes) and what follows as one, and names it after the load.
    target.throw_sites.iter().flat_map(ThrowSite::places).any(|place| (at..=at + 2).contains(&place.at.bci))
}

/// What a run threw.
struct Happened {
    id: String,
    trace: String,
    indices: Vec<u16>,
}

impl Happened {
    /// What is wrong with the candidates for the top application frame; `None` if this is another crash.
    fn wrong_at_the_top(&self, crash: &Crash, target: &CrashTarget) -> Option<Vec<String>> {
        let thrown = self.thrown(target)?;
        let position = thrown.frames.iter().position(|frame| crash.application.is_match(&frame.class))?;
        let first = target.frames.iter().find(|frame| matches!(frame.role, FrameRole::Application(_)))?;
        let at = self.index_of(&thrown, position).filter(|_| is_same(&thrown.frames[position], &first.frame))?;
        Some(if is_candidate(target, at) { Vec::new() } else { vec![format!("the JVM threw at {at}")] })
    }

    /// Which frame finds the stack used up is chance, and so are those above the recursion. But every frame of every round
    /// must have called the next one at an index that its line was bound to. `None` if this is another recursion.
    fn wrong_in_recursion(&self, target: &CrashTarget, round: &Range<usize>) -> Option<Vec<String>> {
        let thrown = self.thrown(target)?;
        // The first round may begin at the top, and then its first frame has called nothing.
        let bound = &target.frames[round.end..round.end + round.len()];
        let is_round = |start: &usize| {
            let frames = &thrown.frames[*start..*start + bound.len()];
            frames.iter().zip(bound).all(|(frame, bound)| is_same(frame, &bound.frame))
        };
        let starts = (1..=thrown.frames.len().checked_sub(bound.len())?).filter(is_round);
        // What is above the first frame of a round is the last of another.
        let starts = starts.filter(|start| is_same(&thrown.frames[start - 1], &bound[bound.len() - 1].frame));
        let places: Vec<(usize, usize)> =
            starts.flat_map(|start| (0..bound.len()).map(move |i| (start + i, i))).collect();
        (!places.is_empty()).then_some(())?;
        let mut wrong = Vec::new();
        for (position, index) in places {
            let at = self.index_of(&thrown, position)?;
            if !calls_at(&bound[index], at) {
                wrong.push(format!("{} calls at {at}", bound[index].frame));
            }
        }
        wrong.sort();
        wrong.dedup();
        Some(wrong)
    }

    /// The exception of the run, if it is of the target's class.
    fn thrown(&self, target: &CrashTarget) -> Option<Throwable> {
        let report = crash_report::parse(self.trace.as_bytes());
        let thrown = report.traces.into_iter().next()?.throwable;
        (thrown.class == target.exception.dotted()).then_some(thrown)
    }

    fn index_of(&self, thrown: &Throwable, position: usize) -> Option<u16> {
        // Some exceptions cut helpers of their own off the top of the trace.
        let hidden = self.indices.len().checked_sub(thrown.frames.len())?;
        self.indices.get(hidden + position).copied()
    }
}

/// Some jars have no lines, and those of the JDK are another's.
fn is_same(frame: &Frame, expected: &Frame) -> bool {
    (&frame.class, &frame.method) == (&expected.class, &expected.method)
        && (frame.line.is_none() || frame.line == expected.line || frame.is_jdk())
}

/// Glue is bound to nothing.
fn calls_at(frame: &TargetFrame, at: u16) -> bool {
    match &frame.binding {
        Binding::Bound { candidates, .. } => candidates.iter().any(|candidate| candidate.calls.contains(&at)),
        Binding::Unneeded => true,
        Binding::Unbound(_) => false,
    }
}

/// The crashes of `reproductions.txt` with their code.
fn bodies() -> Vec<(String, String)> {
    let text = include_str!("reproductions.txt");
    let sections = text.split("\n# ").skip(1);
    sections
        .map(|section| {
            let (id, body) = section.split_once('\n').expect("a section has a body");
            (id.to_owned(), body.to_owned())
        })
        .collect()
}

/// Runs them all in one JVM, each with its own jars.
fn run(jdk: &Jdk, crashes: &[Crash], bodies: &[(String, String)]) -> Vec<Happened> {
    let helpers = java::compile(jdk, &["-nowarn"], &["Reproduce", "Bytecodes"]);
    let directory = tempfile::tempdir().expect("a directory for sources");
    let mut list = String::new();
    for (id, body) in bodies {
        let own = directory.path().join(id);
        std::fs::create_dir(&own).expect("a directory for the crash");
        std::fs::write(own.join("Crash.java"), source(body)).expect("the source can be written");
        let crash = crashes.iter().find(|crash| crash.id == *id).unwrap_or_else(|| panic!("no pack has {id}"));
        let class_path = std::env::join_paths(&crash.jars).expect("paths without colons");
        writeln!(list, "{id}\t{}\t{}", own.display(), Path::new(&class_path).display()).expect("a string takes all");
    }
    let file = directory.path().join("list");
    std::fs::write(&file, list).expect("the list can be written");
    let options = ["-XX:TieredStopAtLevel=1", "-XX:-OmitStackTraceInFastThrow", "-cp"].map(Into::into);
    let arguments = options.into_iter().chain([helpers, "Reproduce".into(), file]);
    let text = java::execute(&jdk.home.join("bin/java"), arguments);
    text.split("=== ").skip(1).map(read).collect()
}

fn read(text: &str) -> Happened {
    let (id, rest) = text.split_once('\n').expect("a name");
    let (trace, indices) = rest.split_once("\n---").unwrap_or_else(|| panic!("{id}: {rest}"));
    // What the libraries print comes last.
    let indices = indices.lines().next().unwrap_or_default();
    let indices = indices.split_whitespace().map(|index| index.parse().expect("a number")).collect();
    Happened { id: id.into(), trace: trace.into(), indices }
}

fn source(section: &str) -> String {
    let (imports, body): (Vec<&str>, Vec<&str>) = section.lines().partition(|line| line.starts_with("import "));
    let (imports, body) = (imports.join("\n"), body.join("\n"));
    let method = if body.contains("void crash()") {
        body
    } else {
        format!("static void crash() throws Throwable {{\n{body}\n}}\n")
    };
    format!("{imports}{PRELUDE}{method}}}\n")
}

const PRELUDE: &str = "
import java.io.*;
import java.net.*;
import java.util.*;
@SuppressWarnings({\"unchecked\", \"rawtypes\", \"deprecation\"})
public class Crash {
    /** A queue in an array of five elements or fewer: elements wrap around its end, and one before the end is taken out. */
    static void wrapAround(Collection queue, Runnable removeFirst) {
        for (int i = 0; i < 4; i++) queue.add(i);
        removeFirst.run();
        removeFirst.run();
        queue.add(4);
        queue.add(5);
        Iterator all = queue.iterator();
        all.next();
        all.next();
        all.remove();
    }
    /** Sets a field of a class or an object to null. */
    static void forget(Object owner, String name) throws Exception {
        Class<?> type = owner instanceof Class ? (Class<?>) owner : owner.getClass();
        while (true) {
            try {
                java.lang.reflect.Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                field.set(owner, null);
                return;
            } catch (NoSuchFieldException e) {
                type = type.getSuperclass();
            }
        }
    }
";
