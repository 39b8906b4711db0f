//! Lines made to be slow or large: each is read in about linear time, so this test ends.

use crash_report::parse;

#[test]
fn long_lines_of_one_pattern() {
    const SIZE: usize = 1 << 18;
    for pattern in [
        "at ",
        "[a.B.c(B.java:1), ",
        "a.BException [",
        "<error message=\"a.BError\" type=\"a.BError\"",
        "at a.B.c(x) in ",
        "at a.B.c(x) in B.java:line ",
        "%0A%09at%20",
        "at a.b(",
        "at a.b((((",
        "(",
        ")",
        "<br ",
        "<p",
        "&#",
        "&",
        "\\n",
        "\\n\\tat ",
        "\\\\n\\\\t",
        "#012#011at ",
        "{\"",
        "[[",
        "{\"a\":",
        "{\"a\":1},",
        "Exception",
        "a.BException",
        "java.lang.Error: ",
        "Caused by: ",
        "Suppressed: ",
        "... 1 more ",
        "[",
        "](",
        "~[a:1]",
        "\"",
        "> ",
        "\r",
        "at a.B.c(D.java:1) ",
        "at a.B.c(D.java:1) while it ran ",
        "at <js> f(a.js:1:2) ",
        "at f @ ",
        "a.",
        "/",
        "//",
        "0x",
        "\u{1b}[",
        "ä",
        "\"frames\":",
        "a : ",
        "[31m",
        "^[[0m",
        "%0A",
        "%0Aat a.b(",
        "..",
        "{code}",
        "<frame>",
        "<exception><frame>",
        "</exception><frame>",
        ":via :trace [",
        ":via [{:type a :trace [[",
    ] {
        for (start, end) in [("", ""), ("a.BException: x\n\tat a.B.c(B.java:1)\n\tat ", "\n\tat a.B.d(B.java:2)\n")] {
            let mut text = String::from(start);
            text.push_str(&pattern.repeat(SIZE / pattern.len()));
            text.push_str(end);
            parse(text.as_bytes());
        }
    }
}

#[test]
fn many_lines_of_one_pattern() {
    for pattern in [
        "a.BException\n",
        "Caused by: a.BException\n",
        "\tat a.B.c(B.java:1)\n",
        "\tSuppressed: a.BException\n\t\tat a.B.c(B.java:1)\n",
        "Wrapped by: a.BException\n\tat a.B.c(B.java:1)\n",
        "at\n",
        "at a.B.c\n",
        "... 3 more\n",
        "{\n",
        "\"frames\":[\n",
        "\"main\" #1\n\tat a.B.c(B.java:1)\n",
        "a.BException\n\tat a.B.c(B.java:1)\nCaused by: a.C\n\t... 1 more\n",
        "> > > at a.B.c(B.java:1)\n",
        "[CIRCULAR REFERENCE:a.B]\n",
        "Traceback (most recent call last):\n\tat a.B.c(B.java:1)\na.BException: a.BException\n",
        "Traceback (most recent call last):\n\tat a.B.c(B.java:1)\na.BException: a.BException\n... 1 more\n",
        "Traceback (most recent call last):\n\tat a.B.c(B.java:1)\na.BError: a.BError\nCaused by: a.C\n\tat a.B.c(B.java:1)\n",
        "a.BException: a.CError: x\n\tat a.B.c(B.java:1)\nCaused by: a.D\n\t... 1 more\n\nDriver stacktrace:\n",
        "<exception>\n<frame>\n<class>a.B</class>\n",
        "{:via [{:type a.B}]\n:trace [\n",
    ] {
        let report = parse(pattern.repeat(5_000).as_bytes());
        for trace in &report.traces {
            let _ = trace.throwable.to_string();
        }
    }
}

#[test]
fn deep_json() {
    for (open, close) in [("[", "]"), ("{\"cause\":", "}"), ("{\"exception\":{\"values\":[", "]}}")] {
        let text = format!("{}{}{}", open.repeat(100_000), "{\"frames\":[]}", close.repeat(100_000));
        parse(text.as_bytes());
    }
    let value = r#"{"type":"a.B","stacktrace":{"frames":[{"module":"a.B","function":"c","lineno":1}]}}"#;
    let text = format!("{{\"exception\":{{\"values\":[{}]}}}}", vec![value; 10_000].join(","));
    assert_eq!(parse(text.as_bytes()).traces.len(), 1);
}

/// The window on the stream moves while the end of the JSON is looked for, also when there is nothing more to read.
#[test]
fn json_over_several_lines_is_found_wherever_it_stands() {
    let event = "{\n \"events\": [\n  {\n   \"errorClass\": \"a.BException\",\n   \"stacktrace\": [\n    \
                 {\"file\": \"B.java\", \"lineNumber\": 1, \"method\": \"a.B.c\"\n    }\n   ]\n  }\n ]\n}\n";
    let line = "2024-11-05 09:31:22 INFO nothing happened\n";
    for before in [1, 2_000, 9_000, 20_000] {
        let report = parse(format!("{}{event}{}", line.repeat(before), line.repeat(30_000)).as_bytes());
        assert_eq!(report.traces.len(), 1, "{before} lines above");
        assert_eq!(report.traces[0].place.line as usize, before + 1);
    }
}
