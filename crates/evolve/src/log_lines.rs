//! What a log says before a trace may quote what the program was working on: a template, a statement, a request.

/// Lines before the trace that are looked at, the nearest first.
const LINES: usize = 20;
/// Inputs that are taken from them.
const MOST: usize = 8;
/// Keys that are taken from them.
const MOST_KEYS: usize = 24;
const LONGEST_KEY: usize = 30;
const SHORTEST: usize = 3;
const LONGEST: usize = 1000;

/// Parts of the lines that look like input of a program, the nearest to the trace first: not prose, names or times.
pub(crate) fn inputs(before: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let lines = before.lines().rev().map(str::trim).filter(|line| !line.is_empty() && !is_frame(line));
    for part in lines.take(LINES).flat_map(parts) {
        if (SHORTEST..=LONGEST).contains(&part.len()) && is_notation(part) && !found.contains(&part) {
            found.push(part);
        }
    }
    found.truncate(MOST);
    found
}

/// Words of the lines that look like keys and values: with a digit or a sign inside, or in capitals. Times, threads and names of classes
/// are none.
pub(crate) fn keys(before: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let lines = before.lines().rev().map(str::trim).filter(|line| !line.is_empty() && !is_frame(line));
    for line in lines.take(LINES) {
        for piece in line.split_whitespace() {
            let is_thread = piece.starts_with('[') || piece.ends_with(']');
            let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
            if !is_thread && is_key(word) && !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found.truncate(MOST_KEYS);
    found
}

pub(crate) fn is_key(word: &str) -> bool {
    const LEVELS: [&str; 8] = ["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "SEVERE"];
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let is_capitals = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let is_time = word.matches(':').count() > 1 || word.contains('T') && word.contains(':');
    (1..=LONGEST_KEY).contains(&word.len()) && (has_digit || is_capitals) && !is_time && !LEVELS.contains(&word)
}

fn is_frame(line: &str) -> bool {
    line.starts_with("at ") || line.starts_with("... ")
}

/// What is quoted, and what follows a colon, without a remark in brackets behind it.
fn parts(line: &str) -> Vec<&str> {
    let quoted = ['"', '\'', '`'].into_iter().filter_map(|quote| {
        let (_, rest) = line.split_once(quote)?;
        rest.rsplit_once(quote).map(|(text, _)| text)
    });
    let behind_colons = line.match_indices(": ").map(|(at, colon)| line[at + colon.len()..].trim());
    let without_remark = |text| match str::rsplit_once(text, " [") {
        Some((text, remark)) if remark.ends_with(']') => text.trim_end(),
        _ => text,
    };
    quoted.chain(behind_colons.map(without_remark)).collect()
}

/// Whether it has the signs of a notation: brackets with something in them, or what assigns, ends a statement or marks up.
fn is_notation(text: &str) -> bool {
    let has_pair = [('{', '}'), ('(', ')'), ('<', '>'), ('[', ']')]
        .iter()
        .any(|(open, close)| text.split_once(*open).is_some_and(|(_, rest)| rest.contains(*close)));
    let is_statement = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "MERGE ", "ALTER "]
        .iter()
        .any(|verb| text.get(..verb.len()).is_some_and(|start| start.eq_ignore_ascii_case(verb)));
    has_pair || is_statement || text.ends_with(';')
}

#[cfg(test)]
mod tests {
    use super::{inputs, keys};

    #[test]
    fn keys_of_what_was_worked_on_are_found() {
        let lines = "01:17:11.786 [pool-1-thread-2] INFO TrackingService - P-77 OUT -> ON_VAN\n\
                     2026-11-18T00:50:10Z  INFO 21138 --- [desk] [exec-1] TicketService : DSK-1 opened, 102 for c17\n";
        assert_eq!(keys(lines), ["21138", "DSK-1", "102", "c17", "P-77", "OUT", "ON_VAN"]);
        assert_eq!(keys(""), Vec::<&str>::new());
    }

    #[test]
    fn what_the_program_was_working_on_is_found() {
        let template =
            "----\nFTL stack trace:\n\t- Failed at: ${x[2..9]}  [in template \"mail.ftl\" at line 1, column 1]\n----\n";
        assert_eq!(inputs(template), ["${x[2..9]}"]);
        let request = "12:01 INFO  received payload '{\"id\": [1, 2]}' from 10.0.0.7\n12:02 ERROR failed\n";
        assert!(inputs(request).contains(&"{\"id\": [1, 2]}"), "{:?}", inputs(request));
        assert!(inputs("executing: select a from b where c = 1 [prepared]\n").contains(&"select a from b where c = 1"));
    }

    #[test]
    fn prose_names_and_frames_are_not() {
        let head = "2025-03-02 11:07:45.120 ERROR 771 --- [nio-8080-exec-9] c.a.web.ErrorHandler : request failed\n";
        assert_eq!(inputs(head), Vec::<&str>::new());
        assert_eq!(inputs("java.lang.Error: x\n\tat a.b.C.d(C.java:5)\n\t... 4 more\n"), Vec::<&str>::new());
        assert_eq!(inputs(""), Vec::<&str>::new());
    }
}
