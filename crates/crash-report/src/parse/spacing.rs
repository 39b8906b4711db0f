//! Text in which a blank line follows each line: pages and mails double line ends.
//!
//! Two frames tell it, with the lines between them and those between head and frame. From then on the blank line after a line is
//! none; a second one is meant.

/// Is every other line, beginning with the first and ending with the last, blank?
pub(crate) fn alternates<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let mut count = 0;
    for line in lines {
        if count % 2 == 0 && !line.trim().is_empty() {
            return false;
        }
        count += 1;
    }
    count % 2 == 1
}

/// The lines that were meant, of lines that [`alternates`] is true for.
pub(crate) fn halved<T>(lines: Vec<T>) -> Vec<T> {
    lines.into_iter().skip(1).step_by(2).collect()
}

/// What is known of the spacing while a trace is read.
#[derive(Debug, Default)]
pub(crate) struct Spacing {
    doubled: bool,
    /// The last line was not blank.
    after_text: bool,
}

impl Spacing {
    pub(crate) fn double(&mut self) {
        *self = Spacing { doubled: true, after_text: true };
    }

    /// Takes notice of a line; true if it is blank and was not meant.
    pub(crate) fn swallows(&mut self, blank: bool) -> bool {
        let swallowed = self.doubled && blank && self.after_text;
        self.after_text = !blank;
        swallowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_line_ends() {
        assert!(alternates(["", "a", " ", "", "", "b", ""].into_iter()));
        for lines in [vec![], vec!["a"], vec!["", "a"], vec!["", "a", "b"]] {
            assert!(!alternates(lines.iter().copied()), "{lines:?}");
        }
        assert_eq!(halved(vec!["", "a", "", "", ""]), ["a", ""]);
        let mut spacing = Spacing::default();
        assert!(!spacing.swallows(true));
        spacing.double();
        assert_eq!([true, true, false, true].map(|blank| spacing.swallows(blank)), [true, false, false, true]);
    }
}
