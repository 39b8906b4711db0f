//! Properties of the parser and of the comparison.

use crash_report::compare::{Comparing, compare};
use crash_report::{Frame, Module, Throwable, parse};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in vec(any::<u8>(), 0..2000)) {
        parse(&bytes);
    }

    #[test]
    fn no_mixture_of_lines_makes_the_parser_panic(lines in vec(piece(), 0..60)) {
        let text = lines.concat();
        let report = parse(text.as_bytes());
        for trace in &report.traces {
            // Places are inside the text, and printing any result works.
            prop_assert!(trace.place.offset <= text.len() as u64);
            let _ = trace.throwable.to_string();
        }
        for problem in &report.problems {
            prop_assert!(problem.place.offset <= text.len() as u64);
            let _ = problem.to_string();
        }
    }

    #[test]
    fn how_the_bytes_arrive_makes_no_difference(lines in vec(piece(), 0..60), step in 1..40usize) {
        let text = lines.concat();
        let slow = crash_report::parse_reader(Slow { text: text.as_bytes(), step }).expect("slices do not fail");
        prop_assert_eq!(slow, parse(text.as_bytes()));
    }

    #[test]
    fn a_printed_trace_is_read_back(throwable in throwable()) {
        check_read_back(&throwable, &throwable.to_string())?;
    }

    #[test]
    fn a_trace_with_a_prefix_on_each_line_is_read_back(throwable in throwable(), prefix in prefix()) {
        let text: String = throwable.to_string().lines().map(|line| format!("{prefix}{line}\n")).collect();
        check_read_back(&throwable, &text)?;
    }

    #[test]
    fn a_trace_in_a_json_line_is_read_back(throwable in throwable()) {
        let text = serde_json::json!({"level": "ERROR", "stack_trace": throwable.to_string()}).to_string();
        check_read_back(&throwable, &text)?;
    }

    #[test]
    fn a_trace_with_windows_line_ends_is_read_back(throwable in throwable()) {
        check_read_back(&throwable, &throwable.to_string().replace('\n', "\r\n"))?;
    }

    #[test]
    fn a_crash_compared_with_itself_is_the_full_stack(throwable in throwable()) {
        let how = Comparing {
            is_application: &|class| class.starts_with("org."),
            is_test: &|_| false,
            lines: true,
            reachable: None,
            same_statement: None,
            same_template: None,
        };
        let comparison = compare(&throwable, &throwable, &how);
        prop_assert_eq!(comparison.graded().to_string(), "full-stack+message");
        prop_assert_eq!(comparison.exact, comparison.tolerant);
        prop_assert_eq!(comparison.frame_distance, 0.0);
        prop_assert_eq!(comparison.similarity, 100.0);
        prop_assert_eq!(comparison.difference, None);
    }
}

/// Hands out a few bytes at a time.
struct Slow<'a> {
    text: &'a [u8],
    step: usize,
}

impl std::io::Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.step.min(self.text.len()).min(out.len());
        out[..n].copy_from_slice(&self.text[..n]);
        self.text = &self.text[n..];
        Ok(n)
    }
}

fn check_read_back(expected: &Throwable, text: &str) -> Result<(), TestCaseError> {
    let report = parse(text.as_bytes());
    prop_assert_eq!(report.traces.len(), 1, "{}\n{:#?}", text, report);
    let actual = &report.traces[0].throwable;
    prop_assert!(expected.same_content(actual), "{}\n{:#?}\n{:#?}", text, expected, actual);
    prop_assert!(report.problems.is_empty(), "{}\n{:#?}", text, report.problems);
    Ok(())
}

/// Pieces of lines that mean something to the parser, in any order.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "\n",
        "\r\n",
        "\t",
        " ",
        "at ",
        "at",
        "org.shop.A.b",
        "(A.java:1)",
        "(Native Method)",
        "(",
        ")",
        "Caused by: ",
        "Suppressed: ",
        "Wrapped by: ",
        "java.lang.Error",
        ": ",
        "... 3 more",
        "...",
        "[CIRCULAR REFERENCE:",
        "]",
        "{\"",
        "\":\"",
        "\"}",
        "\\n\\tat ",
        "#012#011",
        "<br>",
        "&lt;init&gt;",
        "&#",
        ";",
        "```",
        "> ",
        "\"main\" #1 prio=5",
        "2024-11-05 09:31:22 ERROR ",
        "Exception in thread \"",
        "\" ",
        "\u{1b}[31m",
        "ä",
        "\u{feff}",
        "~[a:1]",
        "[3 skipped]",
        "\"frames\":[",
        "{\"exception\":{\"values\":[",
        "/0x1f",
        "app//",
        "@",
        "--- Nested Exception ---",
        "\0",
        "\tat org.shop.A.b(A.java:1)\n",
        "Traceback (most recent call last):\n",
        "java.lang.Error: java.lang.Error: x\n",
        "\nDriver stacktrace:\n",
        "<exception>",
        "<frame>",
        "</frame>",
        "<class>",
        "<method>",
        "</",
        "</exception>",
        "TraceItem class=\"",
        "{:via [",
        "{:type ",
        ":trace ",
        "[[a.B c \"B.clj\" 1]",
        "%0A",
        "^[[0m",
        "MESSAGE=",
        "at f (#1:1)\n",
        "a/b (c.clj:1)\n",
        "java : ",
        "+ CategoryInfo\n+ FullyQualifiedErrorId :\n",
        "\"stack\":[\"",
    ]);
    prop_oneof![8 => known.prop_map(str::to_owned), 1 => any::<String>()]
}

fn prefix() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Nov 05 09:31:22 web-1 java[4711]: ",
        "2024-11-05T09:31:22.000000001Z stderr F ",
        "web_1  | ",
        "> ",
        "     [java] ",
        "INFO   | jvm 1    | 2024/11/05 09:31:22 | ",
        "E/AndroidRuntime( 4711): ",
    ])
}

/// A tree of exceptions as the JVM could print it: the number of common frames is the one that it would find.
fn throwable() -> impl Strategy<Value = Throwable> {
    let leaf = node(Just(Vec::new()).boxed(), Just(None).boxed());
    let tree = leaf.prop_recursive(4, 12, 3, |inner| {
        node(vec(inner.clone(), 0..3).boxed(), option::of(inner.prop_map(Box::new)).boxed())
    });
    tree.prop_map(|mut t| {
        number(&mut t, &[]);
        t
    })
}

fn node(
    suppressed: BoxedStrategy<Vec<Throwable>>,
    cause: BoxedStrategy<Option<Box<Throwable>>>,
) -> BoxedStrategy<Throwable> {
    (class("Exception|Error"), option::of(message()), vec(frame(), 1..6), suppressed, cause)
        .prop_map(|(class, message, frames, suppressed, cause)| Throwable {
            class,
            message,
            frames,
            suppressed,
            cause,
            ..Throwable::default()
        })
        .boxed()
}

/// Gives each exception a part of the enclosing stack, and counts the common frames from the bottom as the JVM does.
fn number(t: &mut Throwable, enclosing: &[Frame]) {
    let shared = enclosing.len() / 2;
    t.frames.extend_from_slice(&enclosing[enclosing.len() - shared..]);
    t.common = t.frames.iter().rev().zip(enclosing.iter().rev()).take_while(|(a, b)| a == b).count();
    let frames = t.frames.clone();
    t.suppressed.iter_mut().chain(t.cause.as_deref_mut()).for_each(|child| number(child, &frames));
}

fn class(suffix: &str) -> impl Strategy<Value = String> + use<> {
    proptest::string::string_regex(&format!(
        "org(\\.[a-z][a-z0-9]{{0,5}}){{1,3}}\\.[A-Z][a-zA-Z]{{0,8}}(\\$[A-Z]?[a-z0-9]{{1,3}})?({suffix})"
    ))
    .expect("a valid regex")
}

/// One or several lines; a later line must not look like a part of a trace, which is not told apart.
fn message() -> impl Strategy<Value = String> {
    vec("[a-zA-Z0-9ä \"'.,:;/=-]{0,30}[a-z0-9.]", 1..4).prop_map(|lines| {
        let lines: Vec<String> = lines.into_iter().map(|line| format!("m{line}")).collect();
        lines.join("\n")
    })
}

fn frame() -> impl Strategy<Value = Frame> {
    let method = prop_oneof![
        4 => "[a-z][a-zA-Z0-9]{0,8}",
        1 => prop::sample::select(vec!["<init>", "<clinit>", "lambda$run$0", "access$000", "$anonfun$go$1"]).prop_map(str::to_owned),
    ];
    let module = ("[a-z]{1,5}(\\.[a-z]{1,5})?", option::of("[0-9](\\.[0-9]){0,2}"))
        .prop_map(|(name, version)| Module { name, version });
    let file = prop_oneof![Just("SourceFile".to_owned()), "[A-Z][a-z]{0,6}\\.(java|kt|scala)"];
    let place = (option::of(file), option::of(1..5000u32), any::<bool>());
    (class(""), method, place, option::of(module), option::of("[a-z]{1,6}")).prop_map(
        |(class, method, (file, line, native), module, loader)| Frame {
            class,
            method,
            file: file.filter(|_| !native),
            line: line.filter(|_| !native),
            native,
            module,
            loader,
            jar: None,
        },
    )
}
