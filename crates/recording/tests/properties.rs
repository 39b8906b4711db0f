//! Recordings survive writing and reading, foreign and damaged files never make the reader panic, redaction leaves no data.

use proptest::prelude::*;
use recording::*;

fn number_kind() -> impl Strategy<Value = NumberKind> {
    prop_oneof![Just(NumberKind::Int), Just(NumberKind::Long), Just(NumberKind::Float), Just(NumberKind::Double)]
}

fn length() -> impl Strategy<Value = u32> {
    0..=i32::MAX.cast_unsigned()
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Null),
        Just(Shape::Object),
        (number_kind(), any::<bool>(), 0..=64u8).prop_map(|(kind, negative, bits)| Shape::Magnitude {
            kind,
            negative,
            bits
        }),
        (number_kind(), any::<bool>(), 0..2048u16).prop_map(|(kind, negative, exponent)| Shape::Exponent {
            kind,
            negative,
            exponent
        }),
        (number_kind(), any::<i64>()).prop_map(|(kind, value)| Shape::Exact { kind, value }),
        (length(), proptest::option::of(0..8u8)).prop_map(|(length, same_as)| Shape::Text { length, same_as }),
        (length(), any::<u32>()).prop_map(|(length, hash)| Shape::Hashed { length, hash }),
        (length(), "\\PC{0,40}").prop_map(|(length, text)| Shape::Exactly { length, text }),
        length().prop_map(|length| Shape::Array { length }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let id = 0..=format::MAX_ID;
    prop_oneof![
        id.clone().prop_map(|id| Event::Enter { method: MethodId(id) }),
        id.clone().prop_map(|id| Event::Leave { method: MethodId(id) }),
        (0..4u32).prop_map(|id| Event::Call { place: PlaceId(id) }),
        (id.clone(), any::<bool>()).prop_map(|(id, taken)| Event::Branch { place: PlaceId(id), taken }),
        (id.clone(), shape()).prop_map(|(id, result)| Event::Hard { place: PlaceId(id), result }),
        proptest::option::of(1..=format::MAX_ID).prop_map(|lost| Event::Gap { lost }),
        Just(Event::Crash),
    ]
}

fn thrown() -> impl Strategy<Value = Thrown> {
    let relation = prop_oneof![Just(Relation::Root), Just(Relation::Cause), Just(Relation::Suppressed)];
    let frames = proptest::collection::vec("[a-z.]{1,9}\\(A.java:[0-9]\\)", 0..4);
    (relation, 0..3u8, "[a-z]{1,5}\\.[A-Z][a-z]{1,5}", proptest::option::of("[a-z\\\\\n\r ]{0,9}"), frames, 0..9u32)
        .prop_map(|(relation, depth, class, message, frames, in_common)| Thrown {
            relation,
            depth,
            class,
            message,
            frames,
            in_common,
        })
}

/// Gaps of unknown size in a row are one gap.
fn with_runs_as_one(mut events: Vec<Event>) -> Vec<Event> {
    let gap = Event::Gap { lost: None };
    events.dedup_by(|next, before| *next == gap && *before == gap);
    events
}

fn recording() -> impl Strategy<Value = Recording> {
    let level =
        prop_oneof![Just(Level::Stack), Just(Level::Calls), Just(Level::Hard), Just(Level::Facts), Just(Level::Trace)];
    let redaction = prop_oneof![Just(Redaction::Off), Just(Redaction::Hashes), Just(Redaction::Strict)];
    let crash = (proptest::option::of("[a-z]{1,9}"), proptest::collection::vec(thrown(), 1..4))
        .prop_map(|(thread, exceptions)| Crash { thread, exceptions });
    let threads = proptest::collection::vec(
        (proptest::option::of("[a-zé]{1,15}"), proptest::collection::vec(event(), 0..40)),
        0..4,
    );
    let methods = proptest::collection::btree_map(
        (0..6u32).prop_map(MethodId),
        ("[a-z/]{1,9}", "[a-z]{1,9}", "\\(\\)V").prop_map(|(class, name, descriptor)| Method {
            class,
            name,
            descriptor,
        }),
        0..6,
    );
    let places = proptest::collection::btree_map(
        (0..6u32).prop_map(PlaceId),
        (0..6u32, any::<u16>(), proptest::option::of((0..6u32).prop_map(MethodId)))
            .prop_map(|(method, bci, callee)| Place { method: MethodId(method), bci, callee }),
        0..6,
    );
    let head = (level, redaction, any::<u64>(), any::<u32>(), "[0-9.+]{0,20}", "[a-z.*:]{0,20}");
    let quiet = proptest::collection::btree_set(0..6u32, 0..3);
    let crashed = proptest::option::of(1..4u32);
    (
        head,
        methods,
        (places, quiet),
        (proptest::option::of(crash), crashed),
        proptest::collection::vec("[a-z ]{1,20}", 0..3),
        threads,
    )
        .prop_map(|(head, methods, (places, quiet), (crash, crashed), notes, threads)| {
            let (level, redaction, started, process, jdk, application) = head;
            let threads = threads.into_iter().map(|(name, events)| (name, with_runs_as_one(events))).zip(1..);
            let threads =
                threads.map(|((name, events), number)| Thread { number, name, events }).collect::<Vec<Thread>>();
            Recording {
                level,
                redaction,
                started,
                process,
                jdk,
                application,
                methods,
                places,
                quiet,
                crash,
                crashed,
                notes,
                threads,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_is_read(recording in recording()) {
        let (back, problems) = read(&write(&recording)).unwrap();
        prop_assert_eq!(problems, vec![]);
        prop_assert_eq!(back, recording);
    }

    /// The size of its rings is a power of two: these fill one, or all but a few words of it.
    #[test]
    fn full_rings_are_read_whole(words in 1..140usize) {
        let events = vec![Event::Enter { method: MethodId(7) }; words];
        let recording = Recording { threads: vec![Thread { number: 1, name: None, events }], ..Recording::default() };
        prop_assert_eq!(read(&write(&recording)).unwrap(), (recording, vec![]));
    }

    #[test]
    fn cut_off_files_are_read_as_far_as_they_go(recording in recording(), share in 0.0..1.0f64) {
        let file = write(&recording);
        let cut = &file[..(file.len() as f64 * share) as usize];
        if let Ok((part, _)) = read(cut) {
            prop_assert!(part.threads.len() <= recording.threads.len());
            let _ = part.to_string();
        }
    }

    #[test]
    fn flipped_bits_are_problems_at_worst(recording in recording(), flips in proptest::collection::vec((0.0..1.0f64, 0..8u8), 1..12)) {
        let mut file = write(&recording);
        for (place, bit) in flips {
            let at = (file.len() as f64 * place) as usize;
            file[at] ^= 1 << bit;
        }
        if let Ok((read, _)) = read(&file) {
            let _ = read.to_string();
            let _ = recording::read(&write(&redact(&read, Redaction::Strict)));
        }
    }

    /// The header decides where everything is, and most of a file is not header.
    #[test]
    fn damaged_headers(recording in recording(), changes in proptest::collection::vec((8..70usize, any::<u8>()), 1..6)) {
        let mut file = write(&recording);
        changes.into_iter().for_each(|(at, byte)| file[at] = byte);
        if let Ok((read, _)) = read(&file) {
            let _ = read.to_string();
        }
    }

    #[test]
    fn foreign_files(bytes in proptest::collection::vec(any::<u8>(), 0..6000)) {
        prop_assert_eq!(read(&bytes).unwrap_err(), NotARecording::Magic);
        let mut file = format::MAGIC.to_vec();
        file.extend(1u32.to_le_bytes());
        file.extend(bytes);
        let _ = read(&file);
    }

    #[test]
    fn strict_leaves_no_data(recording in recording()) {
        let clean = redact(&recording, Redaction::Strict);
        let again = redact(&clean, Redaction::Off);
        prop_assert_eq!(&again, &clean);
        if recording.redaction == Redaction::Strict {
            return Ok(());
        }
        for thread in &clean.threads {
            prop_assert_eq!(&thread.name, &None);
            for event in &thread.events {
                let data = matches!(
                    event,
                    Event::Hard { result: Shape::Exact { .. } | Shape::Hashed { .. } | Shape::Exactly { .. }, .. }
                );
                prop_assert!(!data, "{:?}", event);
            }
        }
        let messages = clean.crash.iter().flat_map(|crash| &crash.exceptions).filter_map(|thrown| thrown.message.as_ref());
        prop_assert_eq!(messages.count(), 0);
    }
}

/// Rings as the recorder leaves them, written around.
#[test]
fn rings_that_were_written_around_begin_with_a_gap() {
    let layout = format::Layout { dictionary: 0, crash: 0, notes: 0, rings: 1, ring: format::RING_HEADER + 4 * 16 };
    let header = format::Header {
        level: Level::Calls,
        redaction: Redaction::Strict,
        started: 0,
        process: 1,
        jdk: "",
        application: "",
    };
    let enter = |id| format::word(format::ENTER, id);
    let call = |id| format::word(format::CALL, id);
    let hard = |id| format::word(format::HARD, id);
    let gap = format::word(format::GAP, 0);
    // Length of a text, with its tag before it.
    let (tag, length) = (6, 9);
    let enters = |ids: std::ops::Range<u32>| ids.map(enter).collect::<Vec<u32>>();
    for (written, words, expected) in [
        (0u64, vec![], vec![]),
        (2, vec![enter(7), call(8)], vec!["enter 7", "call 8"]),
        // As many as leave room for what may be written and not counted; the next one, and there may be none.
        (8, enters(0..8), vec!["enter 0", "enter 1", "enter 2", "enter 3", "enter 4", "enter 5", "enter 6", "enter 7"]),
        (
            9,
            enters(0..9),
            vec!["gap", "enter 1", "enter 2", "enter 3", "enter 4", "enter 5", "enter 6", "enter 7", "enter 8"],
        ),
        // The oldest word is the second; of the eight that may be overwritten the last belongs to an event that goes on.
        (
            17,
            [enters(20..28), vec![hard(3), tag, length, call(6)], enters(8..12)].concat(),
            vec!["gap", "call 6", "enter 8", "enter 9", "enter 10", "enter 11", "enter 20"],
        ),
        // Killed while it wrote two texts over the oldest words: of each one word, two, three are there, and not counted.
        (
            16,
            [vec![hard(9), tag, call(2), hard(9), length, tag, call(2), tag], enters(4..12)].concat(),
            vec!["gap", "enter 4", "enter 5", "enter 6", "enter 7", "enter 8", "enter 9", "enter 10", "enter 11"],
        ),
        // What a copy could not tell is one gap.
        (4, vec![enter(1), gap, gap, gap], vec!["enter 1", "gap"]),
    ] {
        let mut file = header.encode(&layout);
        file.extend(format::ring_header(1, written, None));
        words.iter().for_each(|word| file.extend(word.to_le_bytes()));
        file.resize(layout.size(), 0);
        let (recording, problems) = read(&file).unwrap();
        assert_eq!(problems, []);
        let events: Vec<String> = recording.threads[0]
            .events
            .iter()
            .map(|event| match event {
                Event::Enter { method } => format!("enter {}", method.0),
                Event::Call { place } => format!("call {}", place.0),
                Event::Gap { .. } => "gap".into(),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(events, expected);
    }
}

#[test]
fn crashes_print_as_logs_have_them() {
    let frames = |list: &[&str]| list.iter().map(|frame| (*frame).to_owned()).collect();
    let crash = Crash {
        thread: Some("main".into()),
        exceptions: vec![
            Thrown {
                class: "java.lang.IllegalStateException".into(),
                message: Some("two\nlines".into()),
                frames: frames(&["a.B.c(B.java:3)", "a.B.main(B.java:9)"]),
                ..Thrown::default()
            },
            Thrown {
                relation: Relation::Cause,
                class: "java.lang.NullPointerException".into(),
                frames: frames(&["a.D.e(D.java:5)"]),
                in_common: 1,
                ..Thrown::default()
            },
        ],
    };
    let expected = "Exception in thread \"main\" java.lang.IllegalStateException: two\nlines\n\
                    \tat a.B.c(B.java:3)\n\tat a.B.main(B.java:9)\n\
                    Caused by: java.lang.NullPointerException\n\tat a.D.e(D.java:5)\n\t... 1 more\n";
    assert_eq!(crash.text(), expected);
    assert_eq!(crash.encode().lines().next(), Some("Nmain"));
    // Lines, messages and the JDK's frames are no part of the fingerprint, classes and methods are.
    let mut other = crash.clone();
    other.exceptions[0].message = None;
    other.exceptions[0].frames =
        frames(&["app//a.B.c(B.java:4)", "java.lang.Thread.run(Thread.java:1)", "a.B.main(B.java)"]);
    assert_eq!(other.fingerprint(), crash.fingerprint());
    assert!(is_fingerprint(&crash.fingerprint()));
    other.exceptions[0].frames.pop();
    assert_ne!(other.fingerprint(), crash.fingerprint());
}

/// What was told of a place before it was told no more is not all that happened there.
#[test]
fn quiet_places_are_no_waypoints() {
    let method = |name: &str| Method { class: "A".into(), name: name.into(), descriptor: "()V".into() };
    let events = vec![Event::Enter { method: MethodId(1) }, Event::Enter { method: MethodId(2) }, Event::Crash];
    let mut recording = Recording {
        methods: [(MethodId(1), method("often")), (MethodId(2), method("once"))].into(),
        threads: vec![Thread { number: 1, name: None, events }],
        ..Recording::default()
    };
    assert_eq!(recording.waypoints(&recording.threads[0]).len(), 3);
    recording.quiet.insert(1);
    let left = recording.waypoints(&recording.threads[0]);
    assert_eq!(left, [Waypoint::Entered(method("once")), Waypoint::Crashed]);
}

/// Inputs of the next test; `REENACT_INPUTS` says otherwise (`cargo xtask field`).
const INPUTS: u64 = 20_000;

/// Damage of all kinds, to a recording that has everything in it.
#[test]
fn damaged_files_never_make_the_reader_panic() {
    let inputs = std::env::var("REENACT_INPUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(INPUTS);
    let method = Method { class: "a/B".into(), name: "c".into(), descriptor: "()I".into() };
    let shapes = [
        Shape::Null,
        Shape::Magnitude { kind: NumberKind::Int, negative: true, bits: 7 },
        Shape::Exact { kind: NumberKind::Long, value: -5 },
        Shape::Text { length: 3, same_as: Some(1) },
        Shape::Exactly { length: 2, text: "ab".into() },
        Shape::Array { length: 4 },
    ];
    let mut events: Vec<Event> = shapes.into_iter().map(|result| Event::Hard { place: PlaceId(2), result }).collect();
    events.extend([Event::Enter { method: MethodId(1) }, Event::Call { place: PlaceId(2) }, Event::Gap { lost: None }]);
    events.extend([Event::Branch { place: PlaceId(2), taken: true }, Event::Crash]);
    let thrown = Thrown {
        class: "a.E".into(),
        message: Some("m".into()),
        frames: vec!["a.B.c(B.java:1)".into()],
        ..Thrown::default()
    };
    let whole = write(&Recording {
        methods: [(MethodId(1), method)].into(),
        places: [(PlaceId(2), Place { method: MethodId(1), bci: 9, callee: Some(MethodId(1)) })].into(),
        quiet: [1].into(),
        crash: Some(Crash { thread: None, exceptions: vec![thrown] }),
        notes: vec!["note".into()],
        threads: vec![Thread { number: 1, name: None, events }],
        ..Recording::default()
    });
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move |below: usize| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice % below.max(1) as u64) as usize
    };
    // Most of the header is empty: what is behind it is hit as often as it.
    let place = |draw: &mut dyn FnMut(usize) -> usize, len: usize| match draw(3) {
        0 => draw(80),
        _ => format::HEADER.min(len) + draw(len.saturating_sub(format::HEADER)),
    };
    for _ in 0..inputs {
        let mut file = whole.clone();
        for _ in 0..=draw(6) {
            let at = place(&mut draw, file.len()).min(file.len().saturating_sub(1));
            match draw(5) {
                0 => file[at] ^= 1 << draw(8),
                1 => file[at] = draw(256) as u8,
                2 => file[at..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
                3 => drop(file.splice(at..at, whole[..draw(64)].iter().copied())),
                _ => file.truncate((at + 1).max(12)),
            }
        }
        if let Ok((recording, _)) = read(&file) {
            let _ = recording.to_string();
            for thread in &recording.threads {
                let _ = recording.waypoints(thread);
            }
        }
    }
}
