//! On every crash of the packs: is there a way into the method of each application frame, and can the maker go it?

use crate::check;
use crate::common::open;
use maker::{Maker, MakerConfig, MemberStatistics, Rng};
use objects::{AccessContext, Catalogue, Draft, EntryPoint, Pool, mine};
use program::{ClassName, MethodRef, Program};
use recipe::Access;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Crash {
    id: String,
    jars: Vec<String>,
    frames: Vec<Frame>,
}

struct Frame {
    class: ClassName,
    method: String,
    line: Option<u16>,
}

/// The crashes of a pack, with the application frames of the target exception's trace, the top one first.
fn crashes(pack: &str) -> Vec<Crash> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs").join(pack);
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(directory.join("manifest.json")).unwrap()).unwrap();
    let entries = manifest["crashes"].as_array().unwrap();
    entries.iter().map(|entry| crash(&directory, entry)).collect()
}

fn crash(directory: &Path, entry: &Value) -> Crash {
    let log = std::fs::read_to_string(directory.join(entry["trace"].as_str().unwrap())).unwrap();
    let application = regex::Regex::new(&format!("^(?:{})$", entry["target_frames"].as_str().unwrap())).unwrap();
    let block = entry["block"].as_u64().unwrap_or(0);
    let pattern = regex::Regex::new(r"^\s*at (?:\S+/)?([\w.$]+)\.([\w$<>]+)\((?:[^:)]*:(\d+)|[^)]*)\)").unwrap();
    let mut frames = Vec::new();
    let mut blocks = 0;
    let mut in_frames = false;
    for line in log.lines() {
        match pattern.captures(line) {
            Some(found) => {
                blocks += u64::from(!in_frames);
                in_frames = true;
                if blocks == block + 1 && application.is_match(&found[1]) {
                    let line = found.get(3).and_then(|line| line.as_str().parse().ok());
                    frames.push(Frame { class: ClassName::from_dotted(&found[1]), method: found[2].to_owned(), line });
                }
            }
            None => in_frames = false,
        }
    }
    let jars =
        entry["jars"].as_array().unwrap().iter().filter_map(|jar| jar["maven"].as_str()).map(str::to_owned).collect();
    Crash { id: entry["id"].as_str().unwrap().to_owned(), jars, frames }
}

/// The methods that a frame may mean: by line, or all of the name if the line does not tell.
fn bind(program: &Program, frame: &Frame) -> Vec<MethodRef> {
    let Some(class) = program.class(frame.class) else { return Vec::new() };
    let named: Vec<&program::Method> =
        class.methods_named(&frame.method).filter(|method| !method.access.is_abstract()).collect();
    let by_line: Vec<&program::Method> = named
        .iter()
        .filter(|method| frame.line.is_some_and(|line| !method.ranges_of_line(line).is_empty()))
        .copied()
        .collect();
    let chosen = if by_line.is_empty() { named } else { by_line };
    chosen
        .into_iter()
        .filter(|method| !method.access.is_synthetic() || frame.method.starts_with("lambda$"))
        .map(|method| method.reference())
        .collect()
}

fn jar_path(coordinate: &str) -> PathBuf {
    let parts: Vec<&str> = coordinate.split(':').collect();
    crate::common::jar(&parts.join("/"))
}

#[derive(Default)]
struct Count {
    frames: usize,
    entered: usize,
    without_reflection: usize,
    made: usize,
    misses: Vec<String>,
}

#[test]
fn every_frame_can_be_entered() {
    for pack in ["seeds", "modern"] {
        let mut count = Count::default();
        for crash in crashes(pack) {
            look_at(&crash, &mut count);
        }
        println!(
            "{pack}: {} distinct frames, {} with a way in, {} without reflection, {} entered by the maker",
            count.frames, count.entered, count.without_reflection, count.made
        );
        println!("missed: {:#?}", count.misses);
        assert!(count.entered * 100 >= count.frames * 97, "{pack}");
    }
}

fn look_at(crash: &Crash, count: &mut Count) {
    let program = open(crash.jars.iter().map(|jar| jar_path(jar)).collect());
    let near: Vec<ClassName> = crash.frames.iter().map(|frame| frame.class).collect();
    let catalogue = Catalogue::new(Arc::clone(&program), &near);
    let mut methods: Vec<MethodRef> = crash.frames.iter().flat_map(|frame| bind(&program, frame)).collect();
    methods.sort_unstable();
    methods.dedup();
    let mut pool = Pool::general();
    mine(catalogue.methods(), &methods, &mut pool);
    let statistics = MemberStatistics::default();
    for method in methods {
        count.frames += 1;
        let from = AccessContext::in_package_of(method.class).with_reflection();
        let entries = catalogue.entries(method, from);
        count.entered += usize::from(!entries.is_empty());
        count.without_reflection += usize::from(entries.iter().any(|entry| entry.access != Access::Reflective));
        let mut made = false;
        for (index, entry) in entries.iter().take(4).enumerate() {
            let mut rng = Rng::with_seed(index as u64);
            let mut maker = Maker {
                catalogue: &catalogue,
                pool: &pool,
                statistics: &statistics,
                rng: &mut rng,
                from,
                config: MakerConfig::default(),
            };
            let mut draft = Draft::new();
            made |= maker.enter(&mut draft, entry).is_some();
            check(&catalogue, draft.recipe());
        }
        count.made += usize::from(made);
        if !made
            || entries
                .first()
                .is_none_or(|entry| matches!(entry.point, EntryPoint::Call(_)) && entry.access == Access::Reflective)
        {
            count.misses.push(format!("{}: {method}: {:?}", crash.id, entries.first().map(|entry| entry.point)));
        }
    }
}
