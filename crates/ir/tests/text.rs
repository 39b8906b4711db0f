//! The text form: exotic names and constants survive a round trip, and errors say where they are.

use ir::read;

#[test]
fn exotic_text_is_printed_as_it_was_read() {
    let text = include_str!("text/exotic.ir");
    let body = read(text).unwrap();
    // `{:#}` adds comments with line numbers, which the file has not.
    let printed: String = format!("{body:#}")
        .lines()
        .filter(|line| !line.trim().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(printed, text);
    assert_eq!(read(&printed).unwrap(), body);
}

#[test]
fn errors_have_places() {
    let cases = [
        ("", "line 0: expected a line with `method`, found ``"),
        ("method static T.t()V", "line 1: expected a terminator, found ``"),
        ("method T", "line 1: expected ., found ``"),
        (
            "method T.t()V\nblock0 @0..1:\n  @0 jump block1",
            "line 3: expected an operation or a variable, found `jump block1`",
        ),
        ("method T.t()V\nblock0 @0..1:\n  @0 l0 = \"open", "line 3: expected a closing quote, found `\"open`"),
        (
            "method T.t()V\nblock1 @0..1:",
            "line 2: expected blocks in the order of their numbers, each with a terminator, found `@0..1:`",
        ),
        ("method T.t()V\n  @0 return", "line 2: expected a block before its operations, found `return`"),
        ("method T.t()V\nvar l0 Q", "line 2: expected a type, found `Q`"),
        ("method T.t()V extra", "line 1: expected the end of the line, found `extra`"),
    ];
    for (text, message) in cases {
        assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
    }
}
