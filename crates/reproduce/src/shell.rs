//! Commands for people to copy into a POSIX shell: every argument arrives as it is, whatever characters it has.

/// One argument, or a part of one: as it is if the shell reads it so, otherwise in quotes.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_/.:=@%+,-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    // Nothing but a quote means anything between single quotes, not even a line end.
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A directory or file that a command takes by its name: never taken for an option.
pub fn path(text: &str) -> String {
    if text.starts_with('-') { quoted(&format!("./{text}")) } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the shell is what decides here")]
    fn the_shell_gets_what_was_meant() {
        for text in
            ["plain/a.jar", "", "a b", "it's", "$HOME", "`id`", "\"", "\\", "a\nb", "!x", "*", "~", "a;b", "'''", "-e"]
        {
            let command = format!("printf %s {}", quoted(text));
            let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{command}");
        }
        assert_eq!(quoted("lib/a-1.jar:/b"), "lib/a-1.jar:/b");
        assert_eq!(path("-out"), "./-out");
    }
}
