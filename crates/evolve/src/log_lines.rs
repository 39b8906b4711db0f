//! What a log says before a trace may quote what the program was working on: a template, a statement, a request.

/// Lines before the trace that are looked at, the nearest first.
const LINES: usize = 20;
/// Inputs that are taken from them.
const MOST: usize = 8;
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
    use super::inputs;

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
