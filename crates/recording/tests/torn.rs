//! A recorder that is killed between any two instructions leaves what it had counted, and nothing that reads as something else. The writer
//! here does what the one in Java does (`crates/agent/java/java/lang/ReenactRing.java`), one store after the other.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use recording::format::{self, LONGEST, RING_HEADER};
use recording::*;

fn shape() -> impl Strategy<Value = Shape> {
    let length = 0..=i32::MAX.cast_unsigned();
    prop_oneof![
        Just(Shape::Null),
        (0..=64u8).prop_map(|bits| Shape::Magnitude { kind: NumberKind::Int, negative: false, bits }),
        any::<i64>().prop_map(|value| Shape::Exact { kind: NumberKind::Long, value }),
        (length.clone(), proptest::option::of(0..8u8)).prop_map(|(length, same_as)| Shape::Text { length, same_as }),
        (length.clone(), any::<u32>()).prop_map(|(length, hash)| Shape::Hashed { length, hash }),
        (length, "[a-z]{0,30}").prop_map(|(length, text)| Shape::Exactly { length, text }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (0..99u32).prop_map(|id| Event::Enter { method: MethodId(id) }),
        (0..99u32).prop_map(|id| Event::Call { place: PlaceId(id) }),
        (0..99u32, shape()).prop_map(|(id, result)| Event::Hard { place: PlaceId(id), result }),
    ]
}

/// A store into the ring: where, in bytes from its beginning, and what.
type Store = (usize, Vec<u8>);

/// What is stored between two fences, in any order, and how many events are counted once all of it is there.
#[derive(Default)]
struct Group {
    stores: Vec<Store>,
    counted: usize,
}

/// The words of an event as a file has them.
fn words(event: &Event) -> Vec<u32> {
    let thread = Thread { number: 1, name: None, events: vec![event.clone()] };
    let file = write(&Recording { threads: vec![thread], ..Recording::default() });
    let written = u64::from_le_bytes(file[format::HEADER..][..8].try_into().unwrap()) as usize;
    let words = file[format::HEADER + RING_HEADER..].as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
    words.take(written).collect()
}

fn groups(events: &[Event], capacity: usize) -> Vec<Group> {
    let mut groups = vec![Group::default()];
    let mut written = 0;
    for (number, event) in events.iter().enumerate() {
        let words = words(event);
        let pending = words.len().saturating_sub(LONGEST - 1);
        let is_text = matches!(event, Event::Hard { result: Shape::Exactly { .. }, .. });
        let fence = |groups: &mut Vec<Group>| groups.push(Group { stores: Vec::new(), counted: number });
        let store = |groups: &mut Vec<Group>, at: usize, bytes: &[u8]| {
            groups.last_mut().unwrap().stores.push((at, bytes.to_vec()));
        };
        if is_text {
            store(&mut groups, format::PENDING_AT, &(pending as u32).to_le_bytes());
            fence(&mut groups);
        }
        for word in &words {
            store(&mut groups, RING_HEADER + 4 * (written % capacity), &word.to_le_bytes());
            written += 1;
        }
        fence(&mut groups);
        store(&mut groups, format::WRITTEN_AT, &(written as u64).to_le_bytes());
        groups.last_mut().unwrap().counted = number + 1;
        if is_text {
            fence(&mut groups);
            groups.last_mut().unwrap().counted = number + 1;
            store(&mut groups, format::PENDING_AT, &[0; 4]);
        }
    }
    groups
}

fn file(ring: &[u8]) -> Vec<u8> {
    let layout = format::Layout { dictionary: 0, crash: 0, notes: 0, rings: 1, ring: ring.len() };
    let header = format::Header {
        level: Level::Hard,
        redaction: Redaction::Off,
        started: 0,
        process: 1,
        jdk: "",
        application: "",
    };
    let mut file = header.encode(&layout);
    file.extend(ring);
    file
}

/// What is read are the last events that were counted, all of them unless the ring was written around.
fn check(ring: &[u8], counted: &[Event], before: Option<&[Event]>) -> Result<(), TestCaseError> {
    let (recording, problems) = read(&file(ring)).unwrap();
    prop_assert_eq!(problems, vec![]);
    let read = &recording.threads[0].events;
    let gap = Event::Gap { lost: None };
    let rest = read.strip_prefix(std::slice::from_ref(&gap));
    let events = rest.unwrap_or(read);
    let is_of = |all: &[Event]| all.ends_with(events) && (rest.is_some() || events.len() == all.len());
    prop_assert!(is_of(counted) || before.is_some_and(is_of), "{:?} of {:?}", read, counted);
    let kept: usize = events.iter().map(|event| words(event).len()).sum();
    let all: usize = counted.iter().map(|event| words(event).len()).sum();
    let room = (ring.len() - RING_HEADER) / 4;
    // What is left out: words that may be gone, of an event that begins among them the rest, and what is not counted any more.
    let most = 4 * (2 * LONGEST + 34);
    prop_assert!(kept + most >= all.min(room), "{} of {}", kept, all);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Killed at every fence, with any of what was to be stored until the next, whatever its order.
    #[test]
    fn killed_at_any_instant(events in proptest::collection::vec(event(), 1..60), exponent in 3..9u32, dice in any::<u64>()) {
        let capacity = 1usize << exponent;
        let mut ring = format::ring_header(1, 0, None).to_vec();
        ring.resize(RING_HEADER + 4 * capacity, 0);
        let (mut counted, mut dice) = (0, dice | 1);
        for group in groups(&events, capacity) {
            let put = |ring: &mut Vec<u8>, (at, bytes): &Store| ring[*at..*at + bytes.len()].copy_from_slice(bytes);
            for _ in 0..8 {
                dice ^= dice << 13;
                dice ^= dice >> 7;
                dice ^= dice << 17;
                let mut torn = ring.clone();
                let some = group.stores.iter().enumerate().filter(|(at, _)| dice >> (at % 64) & 1 != 0);
                some.for_each(|(_, store)| put(&mut torn, store));
                check(&torn, &events[..group.counted], Some(&events[..counted]))?;
            }
            group.stores.iter().for_each(|store| put(&mut ring, store));
            counted = group.counted;
            check(&ring, &events[..counted], None)?;
        }
    }

    /// Whatever lies where the next two events come to lie.
    #[test]
    fn what_is_not_counted_does_not_matter(
        events in proptest::collection::vec(event(), 1..60),
        exponent in 3..9u32,
        garbage in proptest::collection::vec(any::<u32>(), format::UNCOUNTED),
    ) {
        let capacity = 1usize << exponent;
        let mut ring = format::ring_header(1, 0, None).to_vec();
        ring.resize(RING_HEADER + 4 * capacity, 0);
        let stores = groups(&events, capacity).into_iter().flat_map(|group| group.stores);
        stores.for_each(|(at, bytes)| ring[at..at + bytes.len()].copy_from_slice(&bytes));
        let written = u64::from_le_bytes(ring[..8].try_into().unwrap()) as usize;
        let whole = read(&file(&ring)).unwrap();
        for (at, word) in garbage.iter().enumerate().take(capacity) {
            let place = RING_HEADER + 4 * ((written + at) % capacity);
            ring[place..place + 4].copy_from_slice(&word.to_le_bytes());
            prop_assert_eq!(&read(&file(&ring)).unwrap(), &whole);
        }
    }
}
