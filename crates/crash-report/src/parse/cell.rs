//! A trace in a quoted cell of a table of comma-separated values: where the cell begins, where it ends, and what its
//! doubled quotes mean. Does not read tables: only the line that opens a cell is looked at.

use super::head::{self, Head};

/// The exception in a cell that this line opens and does not close.
pub(crate) fn head(line: &str) -> Option<Head> {
    let start = opened(line)?;
    let cell = &line[start..];
    let head = head::read(cell).filter(|head| head.sure).or_else(|| head::embedded(cell))?;
    Some(Head { at: start + head.at, ..head })
}

/// Does the text that ends here open a cell?
pub(crate) fn opens(before: &str) -> bool {
    opened(before).is_some()
}

/// Where the cell begins that the line opens and does not close.
fn opened(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut open = None;
    let mut quotes = memchr::memchr_iter(b'"', bytes).peekable();
    while let Some(at) = quotes.next() {
        match open {
            None if at == 0 || matches!(bytes[at - 1], b',' | b';' | b'\t') => open = Some(at + 1),
            None => return None,
            // Two quotes are one of the text.
            Some(_) if quotes.peek() == Some(&(at + 1)) => drop(quotes.next()),
            Some(_) => open = None,
        }
    }
    open
}

/// Does the cell end in this text of it?
pub(crate) fn closes(text: &str) -> bool {
    text.replace("\"\"", "").contains('"')
}

/// The text of a cell: two quotes are one, and one alone is its end.
pub(crate) fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        out.push_str(&rest[..at]);
        let Some(after) = rest[at + 1..].strip_prefix('"') else { return out };
        out.push('"');
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_go_on() {
        let class = |line: &str| head(line).map(|head| (head.class, head.at));
        assert_eq!(class("1,\"ok\",\"a.BException: x"), Some(("a.BException".to_owned(), 8)));
        assert_eq!(class("1;\"failed: a.BException: say \"\"x\"\""), Some(("a.BException".to_owned(), 11)));
        for line in ["1,\"a.BException: x\"", "said \"a.BException: x", "a.BException: x", "1,2,\"no"] {
            assert_eq!(class(line), None, "{line}");
        }
    }

    #[test]
    fn quotes_of_cells() {
        assert_eq!(unquoted("say \"\"x\"\" or y"), "say \"x\" or y");
        assert_eq!(unquoted("y\",2,\"\""), "y");
    }
}
