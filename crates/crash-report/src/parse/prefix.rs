//! What stands before a trace in each line of a log, and where records of a log begin.
//!
//! A collector (journald, docker, Kubernetes, an Ant task, a mail program) puts a prefix before each line: the lines
//! of one trace then begin alike but for numbers and names. A [`Shape`] is that likeness; it is learned from the first
//! frame of a trace, so no list of formats is needed. A logger itself puts its prefix only before the first line of a
//! record; [`begins_record`] recognises it by its time or level.

/// The likeness of prefixes: runs of letters and digits are all the same, white space is one blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    tokens: Vec<Token>,
    /// The name of a field, `MESSAGE=`, is always the same.
    field: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Word,
    Blank,
    Other(char),
}

impl Shape {
    /// The shape of a prefix; `None` if there is nothing but white space.
    pub(crate) fn of(prefix: &str) -> Option<Shape> {
        const LONGEST: usize = 512;
        let prefix = prefix.trim_end();
        (!prefix.is_empty() && prefix.len() <= LONGEST).then(|| {
            let tokens: Vec<Token> = tokens(prefix).map(|(token, _)| token).collect();
            let field = (tokens == [Token::Word, Token::Other('=')]).then(|| prefix.to_owned());
            Shape { tokens, field }
        })
    }

    /// `grep -n -A` sets `app.log-11-` before lines that follow a hit, and `app.log:10:` before the hit: where the marks begin
    /// that may be either.
    fn first_mark_of_grep(&self) -> usize {
        match self.tokens.as_slice() {
            [_, .., Token::Other('-'), Token::Word, Token::Other('-')] => self.tokens.len() - 3,
            [Token::Word, .., Token::Other('-')] => self.tokens.len() - 1,
            _ => self.tokens.len(),
        }
    }

    /// Is this another field of a record, one of whose fields has the trace? journald exports records so.
    pub(crate) fn is_other_field(&self, line: &str) -> bool {
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        };
        self.field.is_some()
            && line.split_once('=').is_some_and(|(name, _)| is_name(name))
            && self.strip(line).is_none()
    }

    /// The line without a prefix of this shape, if it has one. One blank after the prefix goes with it; what follows
    /// is indentation.
    pub(crate) fn strip<'a>(&self, line: &'a str) -> Option<&'a str> {
        if let Some(field) = &self.field {
            return line.strip_prefix(field.as_str());
        }
        let mut end = 0;
        let mut found = tokens(line);
        let first_mark = self.first_mark_of_grep();
        for (i, expected) in self.tokens.iter().enumerate() {
            let (token, len) = found.next()?;
            let hit = i >= first_mark && *expected == Token::Other('-') && token == Token::Other(':');
            if token != *expected && !hit {
                return None;
            }
            end += len;
        }
        let rest = &line[end..];
        Some(self.without_end(rest.strip_prefix(' ').unwrap_or(rest)))
    }

    /// The text without what closes a line that is opened so: the quote of an item of a list.
    fn without_end<'a>(&self, text: &'a str) -> &'a str {
        let Some(Token::Other(quote @ ('\'' | '"'))) = self.tokens.last() else { return text };
        text.trim_end().trim_end_matches(',').strip_suffix(*quote).unwrap_or(text)
    }
}

/// May a frame stand behind this, although nothing is known of the lines around? A prefix ends with a tab, several
/// blanks or a mark; a sentence ends with a letter.
pub(crate) fn may_precede_frame(prefix: &str) -> bool {
    let text = prefix.trim_end();
    let gap = &prefix[text.len()..];
    text.is_empty()
        || gap.contains('\t')
        || gap.len() >= 2
        || text.ends_with([':', '|', ']', '>', ')', '}', '-', '=', '#', '*', '`', '"', '\'', ';', '•', '»', '/'])
        || text.ends_with(|c: char| !c.is_ascii() && !c.is_alphanumeric())
        // The format of container runtimes: `2024-11-05T09:31:22.1Z stderr F at ..`.
        || ["stdout F", "stderr F", "stdout P", "stderr P"].iter().any(|end| text.ends_with(end))
}

/// Does a logger begin a record with this line? It does with a time, a date or a level.
pub(crate) fn begins_record(line: &str) -> bool {
    let text = line.trim_start_matches(['[', '(', '<', ' ', '\t']);
    begins_with_time(text) || begins_with_level(text)
}

const LEVELS: [&str; 19] = [
    "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "SEVERE", "CONFIG", "FINE", "FINER", "FINEST",
    "NOTICE", "CRITICAL", "ALERT", "PANIC", "STDERR", "STDOUT", "VERBOSE",
];

const DAYS_AND_MONTHS: [&str; 19] = [
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
    "Oct", "Nov", "Dec",
];

fn begins_with_level(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(text.len());
    let rest = &text[end..];
    LEVELS.contains(&&text[..end]) && rest.starts_with([' ', ']', ':', '\t', '-', '|', '>', ','])
        // Android: `E/AndroidRuntime( 1234):`.
        || end == 1 && rest.starts_with('/') && rest[1..].starts_with(char::is_alphabetic)
}

fn begins_with_time(text: &str) -> bool {
    let named = DAYS_AND_MONTHS.iter().any(|name| {
        text.strip_prefix(name).map(|rest| rest.trim_start_matches([' ', ','])).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit()) || DAYS_AND_MONTHS.iter().any(|m| rest.starts_with(m))
        })
    });
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = &text.as_bytes()[digits..];
    let two_more = after.len() >= 3 && after[1].is_ascii_digit() && after[2].is_ascii_digit();
    let clock = (1..=2).contains(&digits) && two_more && after[0] == b':';
    // Three numbers; or two, as Android has it, and a blank.
    let goes_on = |b: &u8| *b == after[0] || (digits == 2 && *b == b' ');
    let date = matches!(digits, 2 | 4)
        && two_more
        && matches!(after[0], b'-' | b'/' | b'.')
        && after.get(3).is_some_and(goes_on);
    let month = digits == 2 && after.len() >= 4 && matches!(after[0], b'-' | b'/' | b' ') && {
        let word = &text[digits + 1..];
        DAYS_AND_MONTHS.iter().any(|m| word.starts_with(m))
    };
    let epoch = (10..=13).contains(&digits) && after.first().is_some_and(|b| matches!(b, b' ' | b'.' | b']'));
    named || clock || date || month || epoch
}

fn tokens(text: &str) -> impl Iterator<Item = (Token, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let run = |same: fn(char) -> bool| rest.find(|c| !same(c)).unwrap_or(rest.len());
        let (token, len) = if is_word(first) {
            (Token::Word, run(is_word))
        } else if first.is_whitespace() {
            (Token::Blank, run(char::is_whitespace))
        } else {
            (Token::Other(first), first.len_utf8())
        };
        rest = &rest[len..];
        Some((token, len))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_one_stream_have_one_shape() {
        let shape = Shape::of("Nov 05 09:31:22 host-1 java[123]: ").expect("a shape");
        assert_eq!(shape.strip("Dec 11 10:00:01 host-2 java[9]: \tat x"), Some("\tat x"));
        assert_eq!(shape.strip("Dec 11 10:00:01 host-2 java[9]: a.BException"), Some("a.BException"));
        assert_eq!(shape.strip("something else"), None);
        assert_eq!(Shape::of(" \t"), None);
        let shape = Shape::of("my-app.log-11-").expect("a shape");
        assert_eq!(shape.strip("my-app.log:10:a.BException"), Some("a.BException"));
        assert_eq!(shape.strip("my:app.log-10-a.BException"), None);
        let shape = Shape::of("- '").expect("a shape");
        assert_eq!(shape.strip("- 'a.BException: x'"), Some("a.BException: x"));
    }

    #[test]
    fn records_begin_with_a_time_or_a_level() {
        for line in [
            "2024-11-05 09:31:22.417 ERROR 21233 --- [nio-8080-exec-3] c.a.web.ErrorHandler : Unhandled",
            "03:14:15.926 [pool-2-thread-1] ERROR com.acme.jobs.Scheduler - job aborted",
            "[2025-02-18T14:02:51,903][WARN ][c.a.s.Worker] [worker-7] task failed",
            "Feb 11, 2025 4:05:12 PM com.acme.Main run",
            "SEVERE: unexpected error",
            "[ERROR] failed",
            "05-Nov-2024 09:31:22.417 SEVERE [main] x",
            "E/AndroidRuntime( 1234): FATAL",
            "1730799082.417 x",
            "11-05 09:31:22.417  1234  1234 E AndroidRuntime: FATAL",
            "2024/11/05 09:31:22 x",
        ] {
            assert!(begins_record(line), "{line}");
        }
        for line in [
            "java.lang.Error: x",
            "SELECT 1",
            "12 monkeys",
            "ERRORS everywhere",
            "March on",
            "  indented",
            "[2020-13]; nested",
        ] {
            assert!(!begins_record(line), "{line}");
        }
    }

    #[test]
    fn sentences_do_not_precede_frames() {
        assert!(may_precede_frame("\t"));
        assert!(may_precede_frame("web_1  | "));
        assert!(may_precede_frame("    [java]     "));
        assert!(may_precede_frame("2024-11-05T09:31:22Z stderr F "));
        assert!(!may_precede_frame("the error was thrown "));
    }
}
