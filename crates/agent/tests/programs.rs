//! Programs with the recorder in them do what they do without it, and leave recordings that can be read, whatever ends them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use recording::{Event, Recording, Redaction, Shape, Waypoint};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use testing::{Jdk, jdks};

fn classes() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let directory = tempfile::tempdir().unwrap();
            let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/field");
            let sources = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
            let sources: Vec<PathBuf> = sources.collect();
            testing::compile(&sources, directory.path(), &["--release", "8", "-Xlint:-options", "-g"]);
            directory
        })
        .path()
}

/// Cargo builds the shared library along with this test, beside it.
fn library() -> PathBuf {
    let path = std::env::current_exe().unwrap().with_file_name(reenact::LIBRARY);
    assert!(path.exists(), "{} is missing", path.display());
    path
}

fn plain(jdk: &Jdk, args: &[&str]) -> Command {
    let mut java = jdk.java();
    java.arg("-Xmx64m").arg("-Xss512k").arg("-cp").arg(classes()).arg("field.Program").args(args);
    java.env_remove("JAVA_TOOL_OPTIONS");
    java
}

fn recorded(jdk: &Jdk, options: &str, args: &[&str]) -> Command {
    let mut java = jdk.java();
    java.arg(format!("-agentpath:{}={options}", library().display()));
    java.arg("-Xmx64m").arg("-Xss512k").arg("-cp").arg(classes()).arg("field.Program").args(args);
    java.env_remove("JAVA_TOOL_OPTIONS");
    java
}

fn output(mut command: Command) -> Output {
    command.output().unwrap()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read(file: &Path) -> Recording {
    let (recording, problems) = recording::read(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(problems, [], "{}", file.display());
    recording
}

/// The one recording of a crash.
fn crash_of(directory: &Path) -> Recording {
    let files = files(directory);
    let [file] = &files[..] else { panic!("{files:?}") };
    assert!(file.to_str().unwrap().ends_with("-crash-1.rec"), "{}", file.display());
    read(file)
}

fn short(waypoint: &Waypoint) -> String {
    let name = |method: &recording::Method| method.name.clone();
    match waypoint {
        Waypoint::Entered(method) => format!("enter {}", name(method)),
        Waypoint::Calls(site) => {
            format!("{} calls {}", name(&site.method), site.callee.as_ref().map_or("?".into(), name))
        }
        Waypoint::Returned { site, result } => {
            format!("{} = {result}", site.callee.as_ref().map_or("?".into(), name))
        }
        Waypoint::Crashed => "crash".into(),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_calls_before_a_crash() {
    for jdk in jdks() {
        let directory = tempfile::tempdir().unwrap();
        let options = format!("dir={},level=calls,maxsize=4m", directory.path().display());
        let ended = output(recorded(&jdk, &options, &["crash", "ab", "7000"]));
        assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(files(directory.path()), Vec::<PathBuf>::new(), "a program that ends well leaves nothing");
        let ended = output(recorded(&jdk, &options, &["crash", "abcd", "7000"]));
        assert_eq!(ended.status.code(), Some(1));
        let recording = crash_of(directory.path());
        let waypoints = recording.waypoints(recording.crashed().unwrap());
        // That `main` calls `order` follows from the call of the constructor, that this one makes `Prices` from entering it, and
        // `count` is small and calls nobody: that `order` calls it follows from entering `order`.
        let expected = [
            "enter main",
            "main calls <init>",
            "enter <init>",
            "enter order",
            "order calls check",
            "enter check",
            "crash",
        ];
        assert_eq!(waypoints.iter().map(short).collect::<Vec<_>>(), expected, "JDK {}", jdk.major);
        let text = recording.crash.unwrap().text();
        assert_eq!(
            text,
            "java.lang.IllegalStateException\n\tat field.Prices.check(Prices.java:11)\n\
             \tat field.Shop.order(Shop.java:9)\n\tat field.Program.main(Program.java:14)\n"
        );
    }
}

/// An executor keeps the exceptions of its tasks: they end no thread.
#[test]
fn exceptions_that_somebody_catches() {
    for jdk in jdks() {
        let expected = output(plain(&jdk, &["pool"]));
        for (exceptions, level, is_seen) in [
            ("java.lang.IllegalStateException", "calls", true),
            ("java.lang.IllegalStateException:com.acme.Late", "stack", true),
            // Of a superclass, too.
            ("java.lang.RuntimeException", "calls", true),
            ("java.lang.NullPointerException", "calls", false),
            ("", "calls", false),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let options =
                format!("dir={},level={level},maxsize=4m,exceptions={exceptions}", directory.path().display());
            let ended = output(recorded(&jdk, &options, &["pool"]));
            assert_eq!((ended.status.code(), &ended.stdout), (expected.status.code(), &expected.stdout), "{ended:?}");
            if !is_seen {
                assert_eq!(files(directory.path()), Vec::<PathBuf>::new(), "{exceptions}");
                continue;
            }
            // The same crash leaves no second recording.
            let recording = crash_of(directory.path());
            let crash = recording.crash.as_ref().unwrap();
            let thrown = &crash.exceptions[0];
            assert_eq!((thrown.class.as_str(), &thrown.message), ("java.lang.IllegalStateException", &None));
            assert_eq!(thrown.frames[..2], ["field.Prices.check(Prices.java:11)", "field.Shop.order(Shop.java:9)"]);
            assert_eq!(crash.exceptions.len(), 1);
            if level == "calls" {
                let waypoints = recording.waypoints(recording.crashed().unwrap());
                assert!(waypoints.iter().map(short).any(|waypoint| waypoint == "enter check"), "{waypoints:?}");
            }
        }
    }
}

#[test]
fn results_of_hard_functions() {
    let jdk = &jdks()[0];
    let directory = tempfile::tempdir().unwrap();
    let options = format!("dir={},level=hard,maxsize=4m", directory.path().display());
    output(recorded(jdk, &options, &["crash", "abcd", "6001"]));
    let recording = crash_of(directory.path());
    let waypoints: Vec<String> = recording.waypoints(recording.crashed().unwrap()).iter().map(short).collect();
    for expected in ["parseInt = (2^12..2^13)", "replace = a text of 4 characters"] {
        assert!(waypoints.iter().any(|waypoint| waypoint == expected), "{expected}: {waypoints:?}");
    }
    // The user's list.
    let list = directory.path().join("hard.txt");
    std::fs::write(&list, "- java.lang.String.replace\nfield.Shop.count # letters\n").unwrap();
    let other = tempfile::tempdir().unwrap();
    let options = format!("dir={},level=hard,maxsize=4m,hard={}", other.path().display(), list.display());
    output(recorded(jdk, &options, &["crash", "abcd", "6001"]));
    let recording = crash_of(other.path());
    let waypoints: Vec<String> = recording.waypoints(recording.crashed().unwrap()).iter().map(short).collect();
    assert!(waypoints.contains(&"count = (2^2..2^3)".to_owned()), "{waypoints:?}");
    assert!(!waypoints.iter().any(|waypoint| waypoint.starts_with("replace")), "{waypoints:?}");
}

#[test]
fn programs_end_as_without_a_recorder() {
    let class_path = classes().display().to_string();
    let endings: [&[&str]; 9] = [
        &["crash", "abcd", "7000"],
        &["thread"],
        &["exit"],
        &["halt"],
        &["overflow"],
        &["caught"],
        &["memory"],
        &["threads"],
        &["loaders", &class_path],
    ];
    for jdk in jdks() {
        for args in endings {
            let expected = output(plain(&jdk, args));
            for level in ["stack", "calls", "hard", "trace"] {
                let directory = tempfile::tempdir().unwrap();
                let options = format!("dir={},level={level},maxsize=2m", directory.path().display());
                let ended = output(recorded(&jdk, &options, args));
                let what = format!("{args:?} at level {level} on JDK {}", jdk.major);
                assert_eq!(ended.status.code(), expected.status.code(), "{what}: {ended:?}");
                assert_eq!(ended.stdout, expected.stdout, "{what}");
                for file in files(directory.path()) {
                    let recording = read(&file);
                    assert!(recording.crash.is_some(), "{what}");
                }
                let crashes = matches!(args[0], "crash" | "thread" | "overflow" | "memory");
                assert_eq!(files(directory.path()).len(), usize::from(crashes), "{what}: {ended:?}");
            }
        }
    }
}

/// Old and new class files, verified by the VM with everything that is recorded in them.
#[test]
fn the_classes_of_a_library_are_verified() {
    let jar = testing::jar("commons-collections:commons-collections:3.1").display().to_string();
    for jdk in jdks() {
        let expected = output(plain(&jdk, &["library", &jar]));
        let directory = tempfile::tempdir().unwrap();
        // Everything that there is, in every method of many classes.
        let log = directory.path().join("crash.log");
        let names = ["<init>", "get", "put", "remove", "add", "hashCode", "equals", "iterator", "toString", "clone"];
        let classes = ["map.AbstractHashedMap", "map.LRUMap", "list.TreeList", "TreeBidiMap", "map.Flat3Map"];
        let frame = |class: &&str, name: &&str| format!("\tat org.apache.commons.collections.{class}.{name}(A.java)\n");
        let frames = classes.iter().flat_map(|class| names.iter().map(move |name| frame(class, name)));
        std::fs::write(&log, frames.collect::<String>()).unwrap();
        let log = format!(",arm={}", log.display());
        for (level, arm) in [("hard", ""), ("trace", ""), ("hard", log.as_str())] {
            let options = format!("dir={},level={level},maxsize=16m{arm}", directory.path().display());
            let ended = output(recorded(&jdk, &options, &["library", &jar]));
            let text = String::from_utf8_lossy(&ended.stdout).into_owned();
            assert_eq!(text, String::from_utf8_lossy(&expected.stdout), "JDK {} {options}", jdk.major);
            let linked: u32 = text.lines().rev().find_map(|line| line.parse().ok()).unwrap();
            assert!(linked > 400, "{text}");
        }
    }
}

#[test]
fn a_program_that_is_killed_leaves_what_it_did_last() {
    for jdk in jdks() {
        let directory = tempfile::tempdir().unwrap();
        let options = format!("dir={},maxsize=2m", directory.path().display());
        let mut child = recorded(&jdk, &options, &["wait"]).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line == "ready"));
        child.kill().unwrap();
        child.wait().unwrap();
        let files = files(directory.path());
        let [file] = &files[..] else { panic!("{files:?}") };
        assert!(file.to_str().unwrap().ends_with(".live.rec"));
        let recording = read(file);
        assert_eq!(recording.crash, None);
        let events = &recording.threads[0].events;
        assert_eq!(events[0], Event::Gap { lost: None }, "the ring was written around");
        assert!(events.len() > 1000, "{}", events.len());
        let waypoints = recording.waypoints(&recording.threads[0]);
        assert!(waypoints.iter().skip(1).all(|waypoint| *waypoint != Waypoint::Gap));
    }
}

#[test]
fn a_recorder_that_cannot_record_lets_the_program_run() {
    let jdk = &jdks()[0];
    let expected = output(plain(jdk, &["exit"]));
    let file = tempfile::NamedTempFile::new().unwrap();
    let below_a_file = format!("dir={}/below", file.path().display());
    for (options, reason) in [
        (below_a_file.as_str(), "cannot make"),
        ("dir=/proc/no-such-directory", "cannot make"),
        ("level=everything", "`level=everything` is none of"),
        ("maxsize=1k", "is too small"),
        ("level=hard,hard=/no/such/file", "cannot read `/no/such/file`"),
    ] {
        let ended = output(recorded(jdk, options, &["exit"]));
        assert_eq!((ended.status.code(), &ended.stdout), (expected.status.code(), &expected.stdout), "{options}");
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(errors.contains("reenact: nothing is recorded: ") && errors.contains(reason), "{options}: {errors}");
    }
}

/// The ways in which a text and a number may lie in a file.
fn is_in(bytes: &[u8], text: &str, number: i32) -> bool {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    // As a ring has characters.
    let words: Vec<u8> = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes()).collect();
    let decimal = number.to_string();
    let needles = [text.as_bytes(), &wide, &words, decimal.as_bytes(), &number.to_le_bytes(), &number.to_be_bytes()];
    needles.iter().any(|needle| bytes.windows(needle.len()).any(|part| part == *needle))
}

#[test]
fn secrets_are_in_no_strict_recording() {
    let jdk = &jdks()[0];
    let log = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(log.path(), FRAMES).unwrap();
    let armed = format!("facts,arm={}", log.path().display());
    for (text, number) in
        [("correct-horse-battery", 7_340_129), ("Тайна-4711-abc", 1_998_877), ("abcd\nsecond line", 50_111_222)]
    {
        let argument = number.to_string();
        let args = ["crash", text, &argument];
        let record = |redact: &str, level: &str| {
            let directory = tempfile::tempdir().unwrap();
            let options = format!("dir={},level={level},redact={redact},maxsize=4m", directory.path().display());
            // Names of files in other alphabets do not matter here, arguments do.
            output({
                let mut java = recorded(jdk, &options, &args);
                java.env("LC_ALL", "C.UTF-8");
                java
            });
            let files = files(directory.path());
            assert_eq!(files.len(), 1, "{files:?}");
            std::fs::read(&files[0]).unwrap()
        };
        for level in ["stack", "calls", "hard", "trace", "hard,exceptions=java.lang.IllegalStateException", &armed] {
            for redact in ["strict", "hashes"] {
                assert!(!is_in(&record(redact, level), text, number), "{text} at level {level}, {redact}");
            }
        }
        let caught = record("off", "stack,exceptions=java.lang.IllegalStateException");
        assert!(is_in(&caught, text, number), "the message of an exception that is being made");
        let open = record("off", "hard");
        assert!(is_in(&open, text, number), "the search for secrets finds them where they are");
        let (open, _) = recording::read(&open).unwrap();
        let exact = |event: &Event| matches!(event, Event::Hard { result: Shape::Exactly { .. }, .. });
        assert!(open.crashed().unwrap().events.iter().any(exact));
        assert!(open.crash.as_ref().unwrap().exceptions[0].message.as_ref().unwrap().contains(text));
        let clean = recording::write(&recording::redact(&open, Redaction::Strict));
        assert!(!is_in(&clean, text, number), "{text} after redaction");
    }
}

/// Nothing is spliced until a crash has the fingerprint; what its methods do is recorded when it comes up again.
#[test]
fn a_fingerprint_arms_for_the_next_time() {
    for jdk in jdks() {
        let directory = tempfile::tempdir().unwrap();
        let first = directory.path().join("first");
        let ended = output(recorded(&jdk, &format!("dir={},level=stack,maxsize=4m", first.display()), &["again"]));
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        let fingerprint = crash_of(&first).crash.unwrap().fingerprint();
        for (fingerprint, count) in [(fingerprint.as_str(), 2), ("0123456789abcdef", 1)] {
            let directory = directory.path().join(fingerprint);
            let options = format!("dir={},level=facts,maxsize=4m,arm={fingerprint}", directory.display());
            output(recorded(&jdk, &options, &["again"]));
            let files = files(&directory);
            assert_eq!(files.len(), count, "{files:?}");
            for (file, is_armed) in files.iter().zip([false, true]) {
                let recording = read(file);
                let waypoints = recording.crashed().map(|thread| recording.waypoints(thread)).unwrap_or_default();
                let is_parameter = |waypoint: &Waypoint| match waypoint {
                    Waypoint::Returned { site, .. } => site.method.name == "check" && site.callee.is_none(),
                    _ => false,
                };
                assert_eq!(waypoints.iter().any(is_parameter), is_armed, "{waypoints:?}");
            }
        }
    }
}

/// What a method compares a number with is in its code already; the same number elsewhere is data.
#[test]
fn constants_of_the_code_are_exact() {
    for jdk in jdks() {
        let directory = tempfile::tempdir().unwrap();
        let log = tempfile::tempdir().unwrap();
        let arm = log.path().join("crash.log");
        std::fs::write(&arm, FRAMES).unwrap();
        for (number, in_check) in [("1000", "1000"), ("999", "(2^9..2^10)"), ("-1000", "-(2^9..2^10)")] {
            let directory = directory.path().join(number);
            let options = format!("dir={},level=hard,maxsize=4m,arm={}", directory.display(), arm.display());
            output(recorded(&jdk, &options, &["crash", "abcd", number]));
            let recording = crash_of(&directory);
            let results =
                recording.waypoints(recording.crashed().unwrap()).into_iter().filter_map(|waypoint| match waypoint {
                    Waypoint::Returned { site, result } => Some((site.method.name, result.to_string())),
                    _ => None,
                });
            let results: Vec<(String, String)> = results.collect();
            let has = |method: &str, shape: &str| results.iter().any(|(of, result)| of == method && result == shape);
            assert!(has("check", in_check), "{number}: {results:?}");
            let sign = if number.starts_with('-') { "-" } else { "" };
            assert!(has("main", &format!("{sign}(2^9..2^10)")) && !has("main", number), "{number}: {results:?}");
        }
    }
}

/// Events that cost too much go, the rest of the recording stays, and it says what is missing.
#[test]
fn events_that_happen_too_often_go() {
    for jdk in jdks() {
        let expected = output(plain(&jdk, &["busy"]));
        let directory = tempfile::tempdir().unwrap();
        let options = format!("dir={},level=hard,maxsize=4m", directory.path().display());
        let ended = output(recorded(&jdk, &options, &["busy"]));
        assert_eq!((ended.status.code(), &ended.stdout), (expected.status.code(), &expected.stdout));
        let recording = crash_of(directory.path());
        assert!(!recording.quiet.is_empty(), "JDK {}", jdk.major);
        let said = |what: &str| recording.notes.iter().any(|note| note.contains(what));
        assert!(said("the result in field.Shop.often") && said("not recorded any more"), "{:?}", recording.notes);
        // What happened seldom is still there.
        let waypoints: Vec<String> = recording.waypoints(recording.crashed().unwrap()).iter().map(short).collect();
        assert!(waypoints.ends_with(&["enter check".to_owned(), "crash".to_owned()]), "{waypoints:?}");
        assert!(!waypoints.iter().any(|waypoint| waypoint.starts_with("replace = a text of 9")), "{waypoints:?}");
    }
}

/// Runs of each ending in the next test; `REENACT_RUNS` says otherwise (`cargo xtask field`).
const RUNS: u64 = 2;

/// Killed at any moment, or with no room on the disk: the recording can be read or is not there, and the program does not notice.
#[test]
fn torture() {
    let runs = std::env::var("REENACT_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let jdks = jdks();
    for run in 0..runs {
        let jdk = &jdks[run as usize % jdks.len()];
        killed_early(jdk, run);
        killed_while_counting(jdk, run);
        without_room(jdk, run);
    }
}

fn killed_early(jdk: &Jdk, run: u64) {
    let directory = tempfile::tempdir().unwrap();
    let options = format!("dir={},level=hard,maxsize=2m", directory.path().display());
    let mut child = recorded(jdk, &options, &["busy"]).stdout(Stdio::null()).spawn().unwrap();
    // From before the VM is there to when the program has run for some time.
    std::thread::sleep(std::time::Duration::from_millis(run * 131 % 1500));
    child.kill().unwrap();
    child.wait().unwrap();
    // A file has its name when it can be read.
    files(directory.path()).iter().filter(|file| !is_part(file)).for_each(|file| drop(read(file)));
}

/// What was not there yet when its program was killed.
fn is_part(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "part")
}

/// Of a program that tells its events apart, whatever was being written when it was killed: each text with its number, and behind it the
/// next.
fn killed_while_counting(jdk: &Jdk, run: u64) {
    for redact in ["off", "strict"] {
        let directory = tempfile::tempdir().unwrap();
        let options = format!("dir={},level=trace,redact={redact},maxsize=2m", directory.path().display());
        let mut child = recorded(jdk, &options, &["counting"]).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.map_while(Result::ok).any(|line| line == "start"));
        std::thread::sleep(std::time::Duration::from_millis(run * 37 % 700));
        child.kill().unwrap();
        child.wait().unwrap();
        for file in files(directory.path()) {
            counted(&read(&file), redact);
        }
    }
}

fn counted(recording: &Recording, redact: &str) {
    for thread in &recording.threads {
        let shown = |event: &Event| match event {
            Event::Hard { result: Shape::Exactly { length, text }, .. } if *length as usize == text.len() => {
                Some((true, text.parse().unwrap()))
            }
            // The method that counts has numbers of its own.
            Event::Hard { result: Shape::Exact { .. }, .. } if redact == "strict" => Some((false, 0)),
            Event::Hard { result: Shape::Exact { kind: recording::NumberKind::Int, value }, .. } => {
                Some((false, *value))
            }
            Event::Hard { result: Shape::Text { .. }, .. } => Some((true, 0)),
            Event::Hard { result: Shape::Magnitude { .. }, .. } => Some((false, 0)),
            Event::Hard { .. } => panic!("{event:?}"),
            _ => None,
        };
        let is_counting = |event: &&Event| match event {
            Event::Hard { place, .. } => recording.site(*place).unwrap().method.name == "number",
            _ => false,
        };
        let results: Vec<(bool, i64)> = thread.events.iter().filter(is_counting).filter_map(shown).collect();
        for pair in results.windows(2) {
            let [(is_text, one), (_, next)] = pair else { continue };
            assert_ne!(*is_text, pair[1].0, "{pair:?}");
            let expected = if redact == "off" && !is_text { one + 1 } else { *one };
            assert_eq!(*next, expected);
        }
        let gaps = thread.events.iter().skip(1).filter(|event| matches!(event, Event::Gap { .. }));
        assert_eq!(gaps.count(), 0);
    }
}

/// The shell's limit is in blocks of 512 or 1024 bytes: none, less than the recording, enough for it and not for a copy.
#[expect(clippy::disallowed_methods, reason = "a shell limits the size of files before Java starts")]
fn without_room(jdk: &Jdk, run: u64) {
    let blocks = ["0", "512", "2100"][run as usize % 3];
    let args = ["crash", "abcd", "7000"];
    let expected = output(plain(jdk, &args));
    let directory = tempfile::tempdir().unwrap();
    let options = format!("dir={},level=hard,maxsize=1m", directory.path().display());
    let java = recorded(jdk, &options, &args);
    let mut shell = Command::new("bash");
    shell.arg("-c").arg(format!("ulimit -f {blocks}; exec \"$0\" -XX:-UsePerfData \"$@\""));
    shell.arg(java.get_program()).args(java.get_args()).env_remove("JAVA_TOOL_OPTIONS");
    let ended = output(shell);
    assert_eq!((ended.status.code(), &ended.stdout), (expected.status.code(), &expected.stdout), "{ended:?}");
    assert!(!files(directory.path()).iter().any(|file| is_part(file)));
    files(directory.path()).iter().for_each(|file| drop(read(file)));
}

const FRAMES: &str =
    "java.lang.IllegalStateException\n\tat field.Prices.check(Prices.java:11)\n\tat field.Shop.order(Shop.java:9)\n";

/// What the methods of a known crash were given and read, and nothing of others; also where the crash becomes known later.
#[test]
fn facts_of_a_known_crash() {
    for jdk in jdks() {
        for (program, is_later) in [(&["crash", "abcd", "7000"][..], false), (&["later"][..], true)] {
            let directory = tempfile::tempdir().unwrap();
            let log = tempfile::tempdir().unwrap();
            let arm = log.path().join("crash.log");
            if !is_later {
                std::fs::write(&arm, FRAMES).unwrap();
            }
            let options = format!("dir={},level=facts,maxsize=4m,arm={}", directory.path().display(), arm.display());
            let mut child =
                recorded(&jdk, &options, program).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            if is_later {
                let lines = BufReader::new(child.stdout.take().unwrap()).lines();
                assert!(lines.map_while(Result::ok).any(|line| line == "ready"));
                std::fs::write(&arm, FRAMES).unwrap();
            }
            assert_eq!(child.wait().unwrap().code(), Some(1));
            let recording = crash_of(directory.path());
            let waypoints = recording.waypoints(recording.crashed().unwrap());
            let told = |of: &str, callee: Option<&str>, shape: &str| {
                waypoints.iter().any(|waypoint| match waypoint {
                    Waypoint::Returned { site, result } => {
                        let is_callee = site.callee.as_ref().map(|callee| callee.name.as_str()) == callee;
                        site.method.name == of && is_callee && result.to_string() == shape
                    }
                    _ => false,
                })
            };
            assert!(told("check", None, "(2^12..2^13)"), "a parameter, JDK {}: {waypoints:?}", jdk.major);
            assert!(told("order", Some("count"), "(2^2..2^3)"), "a result: {waypoints:?}");
            assert!(told("order", Some("prices"), "an object"), "a field: {waypoints:?}");
            let jumped = |waypoint: &Waypoint| matches!(waypoint, Waypoint::Calls(site) if site.callee.is_none());
            assert!(waypoints.iter().any(jumped), "{waypoints:?}");
            assert!(!waypoints.iter().any(|waypoint| short(waypoint).contains("main")), "{waypoints:?}");
        }
    }
}
