//! The golden corpus: each `tests/cases/<name>/crash.*` is read, and what was found is compared with the snapshot beside it.
//!
//! A new case is a directory with one file; `INSTA_UPDATE=always cargo test -p crash-report --test cases` writes its
//! snapshot. Text in UTF-16 and with broken bytes is made from readable text by the last part of the file name:
//! `crash.utf16le.txt`, `crash.latin1.txt`, `crash.crlf.txt`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crash_report::{CrashReport, Throwable, Trace, parse};

#[test]
fn every_case_is_read_as_its_snapshot_says() {
    insta::glob!("cases/*/crash.*", |path| {
        let report = parse(&encode(path, fs::read(path).expect("a readable case")));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().expect("a case is in a directory"));
        settings.set_prepend_module_to_snapshot(false);
        settings.remove_snapshot_suffix();
        settings.set_omit_expression(true);
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!("report", render(&report)));
    });
}

/// The reader knows lines and traces again that it met before. All cases in one text, and then all of them once more: what
/// is found must be the same, each trace twice as often.
#[test]
fn what_was_met_before_is_read_as_if_it_were_new() {
    let (mut once, apart) = (Vec::new(), "2024-11-05 09:31:22 INFO nothing happened\n".repeat(250));
    for case in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")).expect("cases") {
        let path = case.expect("a readable entry").path().join("crash.txt");
        if let Ok(text) = fs::read(&path) {
            once.extend([apart.as_bytes(), &text, b"\n"].concat());
        }
    }
    once.extend(apart.as_bytes());
    let (first, both) = (parse(&once), parse(&once.repeat(2)));
    assert!(first.traces.len() > 40, "only {} traces", first.traces.len());
    assert_eq!(first.traces.len(), both.traces.len());
    for (one, two) in first.traces.iter().zip(&both.traces) {
        assert_eq!((one, one.count * 2), (&Trace { count: one.count, ..two.clone() }, two.count));
    }
}

#[test]
fn the_corpus_is_not_empty() {
    let cases = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")).expect("cases").count();
    assert!(cases >= 50, "only {cases} cases");
}

/// The bytes that the name of the case asks for.
fn encode(path: &Path, text: Vec<u8>) -> Vec<u8> {
    let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
    let utf8 = || String::from_utf8(text.clone()).expect("the case is UTF-8 on disk");
    match name.split('.').nth(1) {
        Some("utf16le") => [0xff, 0xfe].into_iter().chain(utf8().encode_utf16().flat_map(u16::to_le_bytes)).collect(),
        Some("utf16be") => utf8().encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Some("utf8bom") => [&[0xef, 0xbb, 0xbf], &text[..]].concat(),
        Some("latin1") => utf8().chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        Some("crlf") => utf8().replace('\n', "\r\n").into_bytes(),
        Some("cr") => utf8().replace('\n', "\r").into_bytes(),
        Some("colour") => utf8().replace("<red>", "\u{1b}[31m").replace("<off>", "\u{1b}[0m").into_bytes(),
        _ => text,
    }
}

fn render(report: &CrashReport) -> String {
    let mut out = String::new();
    for trace in &report.traces {
        let thread = trace.thread.as_ref().map_or(String::new(), |t| format!(", thread `{t}`"));
        let times = if trace.count > 1 { format!(", {} times", trace.count) } else { String::new() };
        writeln!(out, "{} at {}{thread}{times}", trace.source, trace.place).expect("strings do not fail");
        throwable(&mut out, &trace.throwable, "", 1);
    }
    for problem in &report.problems {
        writeln!(out, "problem: {problem}").expect("strings do not fail");
    }
    out
}

fn throwable(out: &mut String, t: &Throwable, role: &str, depth: usize) {
    let indent = "  ".repeat(depth);
    let name = t.name().unwrap_or("?");
    let circular = if t.circular { " (circular)" } else { "" };
    let message = t.message.as_ref().map_or(String::new(), |m| format!(": {m:?}"));
    writeln!(out, "{indent}{role}[{}] {name}{message}{circular} at {}", t.block, t.place).expect("strings do not fail");
    for (i, frame) in t.frames.iter().enumerate() {
        let mark = if i >= t.own_frames().len() { "+" } else { "-" };
        let jar = frame.jar.as_ref().map_or(String::new(), |j| {
            let text = |s: &Option<String>| s.clone().unwrap_or_else(|| "?".to_owned());
            format!(" {}[{}:{}]", if j.exact { "" } else { "~" }, text(&j.name), text(&j.version))
        });
        writeln!(out, "{indent}  {mark} {frame}{jar}").expect("strings do not fail");
    }
    for suppressed in &t.suppressed {
        throwable(out, suppressed, "suppressed ", depth + 1);
    }
    if let Some(cause) = &t.cause {
        throwable(out, cause, "cause ", depth);
    }
}
