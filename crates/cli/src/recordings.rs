//! `reenact recording`: what is in a recording, and the same with less in it; and the crash of a recording as the text that other
//! commands read.

use crate::args::{Recording as Args, RecordingCommand};
use crate::failure::Failure;
use crate::terminal;
use engine::Recorded;
use program::{CodePoint, InstrId, MethodRef};
use recording::{NumberKind, Recording, Redaction, Shape, Site, Waypoint};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        RecordingCommand::Show { file } => {
            let recording = read(file)?;
            terminal::print(&recording.to_string());
        }
        RecordingCommand::Redact { file, to, out } => {
            let out = out.clone().unwrap_or_else(|| file.with_extension("redacted.rec"));
            redact(file, to, &out)?;
            terminal::say(&format!("written to `{}`", out.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn redact(file: &Path, to: &str, out: &Path) -> Result<(), Failure> {
    let recording = read(file)?;
    // clap lets nothing else through.
    let to = Redaction::by_name(to).unwrap_or(Redaction::Strict);
    let bytes = recording::write(&recording::redact(&recording, to));
    let shown = out.display();
    let written = std::fs::OpenOptions::new().write(true).create_new(true).open(out);
    written.and_then(|mut file| std::io::Write::write_all(&mut file, &bytes)).map_err(|error| {
        Failure::new(format!("cannot write `{shown}`: {error}")).hint("name another file with `--out FILE`")
    })
}

/// A recording, with a warning where a part of it cannot be read.
fn read(file: &Path) -> Result<Recording, Failure> {
    let shown = format!("`{}`", file.display());
    let bytes = std::fs::read(file).map_err(|error| {
        Failure::new(format!("cannot read {shown}: {error}")).hint("check the path and its permissions")
    })?;
    parse(&bytes, &shown)
}

fn parse(bytes: &[u8], shown: &str) -> Result<Recording, Failure> {
    let (recording, problems) = recording::read(bytes).map_err(|error| {
        Failure::new(format!("cannot read {shown}: {error}"))
            .hint("recordings are written by `reenact record` and by the agent `libreenact.so`, and end in `.rec`")
    })?;
    for problem in problems.iter().take(3) {
        terminal::say(&format!("warning: {shown} is damaged: {problem}"));
    }
    Ok(recording)
}

/// The stack trace in a recording, and what the thread that crashed did before. Unless its values are wanted, nothing of the program's
/// data goes from here to where tests are made, so that nothing can come to stand in one.
pub(crate) fn crash(bytes: &[u8], shown: &str, with_values: bool) -> Result<(String, Vec<engine::Waypoint>), Failure> {
    let mut recording = parse(bytes, shown)?;
    if recording.redaction != Redaction::Strict {
        if with_values {
            terminal::say(&format!("WARNING: texts and numbers of {shown} may come to stand in the test"));
        } else {
            terminal::say(&format!(
                "note: texts, numbers and messages of {shown} are not used; `--recorded-values` uses them"
            ));
            recording = recording::redact(&recording, Redaction::Strict);
        }
    }
    let waypoints = recording.crashed().map(|thread| recording.waypoints(thread)).unwrap_or_default();
    let waypoints = waypoints.into_iter().filter_map(waypoint).collect();
    let text = recording.crash.map(|crash| crash.text()).ok_or_else(|| {
        Failure::new(format!("no crash was seen while {shown} was recorded")).hint(
            "recordings with a crash have `crash` in their names; one that ends in `.live.rec` is of a program that was killed",
        )
    })?;
    Ok((text, waypoints))
}

/// As engines understand it; none if they make nothing of it.
fn waypoint(recorded: Waypoint) -> Option<engine::Waypoint> {
    Some(match recorded {
        Waypoint::Entered(of) => engine::Waypoint::Entry(method(&of)),
        Waypoint::Calls(site) => engine::Waypoint::At(place(&site)),
        Waypoint::Branches { site, taken } => engine::Waypoint::Branch { at: place(&site), taken },
        Waypoint::Returned { site: Site { method: of, bci, callee: None }, result } => {
            engine::Waypoint::Parameter { of: method(&of), slot: bci, value: value(&result)? }
        }
        Waypoint::Returned { site, result } => engine::Waypoint::Returned { at: place(&site), value: value(&result)? },
        Waypoint::Gap => engine::Waypoint::Gap,
        Waypoint::Left(_) | Waypoint::Crashed => return None,
    })
}

fn method(of: &recording::Method) -> MethodRef {
    MethodRef::new(&of.class, &of.name, &of.descriptor)
}

fn place(site: &recording::Site) -> CodePoint {
    CodePoint { method: method(&site.method), at: InstrId::at(site.bci) }
}

fn value(shape: &Shape) -> Option<Recorded> {
    Some(match shape {
        Shape::Null => Recorded::Null,
        Shape::Object => Recorded::NotNull,
        Shape::Magnitude { negative, bits, .. } => {
            let (least, most) = match bits {
                0 => (0, 0),
                bits => (1_i128 << (bits - 1).min(63), (1_i128 << (*bits).min(64)) - 1),
            };
            let (least, most) = if *negative { (-most, -least) } else { (least, most) };
            let fitting = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            Recorded::Integer(fitting(least), fitting(most))
        }
        Shape::Exact { kind: NumberKind::Int | NumberKind::Long, value } => Recorded::Integer(*value, *value),
        // Solvers that know more of a floating-point number than its magnitude are rare.
        Shape::Exact { .. } | Shape::Exponent { .. } => return None,
        Shape::Text { length, .. } | Shape::Hashed { length, .. } | Shape::Array { length } => {
            Recorded::Length(*length)
        }
        Shape::Exactly { length, text } if text.encode_utf16().count() == *length as usize => {
            Recorded::Text(text.clone())
        }
        Shape::Exactly { length, .. } => Recorded::Length(*length),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_known_by_their_magnitude_are_between_bounds() {
        for (negative, bits, expected) in [
            (false, 0, (0, 0)),
            (true, 1, (-1, -1)),
            (false, 3, (4, 7)),
            (true, 3, (-7, -4)),
            (false, 64, (i64::MAX, i64::MAX)),
        ] {
            let shape = Shape::Magnitude { kind: NumberKind::Long, negative, bits };
            assert_eq!(value(&shape), Some(Recorded::Integer(expected.0, expected.1)), "{shape:?}");
        }
    }

    #[test]
    fn data_of_a_recording_goes_nowhere_unless_it_is_wanted() {
        let secret = "correct-horse";
        let method = |name: &str| recording::Method { class: "A".into(), name: name.into(), descriptor: "()V".into() };
        let place = |callee| recording::Place { method: recording::MethodId(1), bci: 3, callee };
        let result = |result| recording::Event::Hard { place: recording::PlaceId(1), result };
        let text = Shape::Exactly { length: 13, text: secret.into() };
        let number = Shape::Exact { kind: NumberKind::Int, value: 7_340_129 };
        let events = vec![result(text), result(number), recording::Event::Crash];
        let thrown = recording::Thrown {
            class: "java.lang.Error".into(),
            message: Some(secret.into()),
            frames: vec!["A.a(A.java:1)".into()],
            ..recording::Thrown::default()
        };
        let bytes = recording::write(&Recording {
            redaction: Redaction::Off,
            methods: [(recording::MethodId(1), method("a")), (recording::MethodId(2), method("b"))].into(),
            places: [(recording::PlaceId(1), place(Some(recording::MethodId(2))))].into(),
            crash: Some(recording::Crash { thread: Some(secret.into()), exceptions: vec![thrown] }),
            threads: vec![recording::Thread { number: 1, name: None, events }],
            ..Recording::default()
        });
        let told = |with_values| format!("{:?}", crash(&bytes, "it", with_values).ok());
        assert!(told(true).contains(secret) && told(true).contains("7340129"));
        assert!(told(false).contains("A.java:1") && told(false).contains("Length(13)"), "{}", told(false));
        assert!(!told(false).contains(secret) && !told(false).contains("7340129"));
    }
}
