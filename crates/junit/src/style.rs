//! The style that passes while the bug exists: the crash is expected, with its type, its message and the application's
//! frames.

use crate::literal;
use crate::options::{Expected, ExpectedFrame, Framework};
use crate::syntax::{Expr, LambdaBody, Statement, TypeUse};
use program::{ClassName, Type};
use recipe::JavaString;

/// Wraps what throws. Only the last statement does, if everything before it can stand outside.
pub(crate) fn asserting(
    statements: Vec<Statement>,
    expected: &Expected,
    framework: Framework,
    static_imports: &mut Vec<&'static str>,
) -> Vec<Statement> {
    let (mut before, throwing) = split(statements);
    let class = Type::Class(expected.exception);
    before.extend(match framework {
        Framework::Main => caught_by_hand(class, throwing),
        _ => {
            let args = vec![Expr::ClassLiteral(class), Expr::Lambda { params: Vec::new(), body: throwing }];
            static_imports.push(match framework {
                Framework::JUnit4 => "org.junit.Assert.assertThrows",
                Framework::JUnit5 => "org.junit.jupiter.api.Assertions.assertThrows",
                Framework::TestNg | Framework::Main => "org.testng.Assert.expectThrows",
            });
            let assert_throws = if framework == Framework::TestNg { "expectThrows" } else { "assertThrows" };
            vec![Statement::declare(class, THROWN, Expr::call(None, assert_throws, args))]
        }
    });
    let mut checks = Checks { framework, static_imports, statements: before };
    if let Some(message) = &expected.message {
        let message =
            message.as_ref().map_or(Expr::atom("null"), |text| Expr::atom(literal::quoted(&JavaString::new(text).0)));
        checks.equal(message, Expr::atom(THROWN).then("getMessage", Vec::new()));
    }
    if !expected.frames.is_empty() {
        let frames: Vec<Expr> = expected.frames.iter().map(frame_text).collect();
        let listed = Expr::static_call("java/util/Arrays", "asList", frames);
        if expected.repeating {
            checks.holds(stack_of(expected, false).then("containsAll", vec![listed]));
        } else {
            checks.equal(listed, stack_of(expected, true));
        }
    }
    checks.statements
}

const THROWN: &str = "crash";

/// What stands before, and the code of the lambda.
fn split(mut statements: Vec<Statement>) -> (Vec<Statement>, LambdaBody) {
    let only_last =
        matches!(statements.last(), Some(Statement::Expr(Expr::Call { .. } | Expr::New { .. } | Expr::Assign(..))))
            || matches!(
                statements.last(),
                Some(Statement::Declare { init: Some(Expr::Call { .. } | Expr::New { .. }), .. })
            );
    match statements.pop() {
        Some(Statement::Expr(expr) | Statement::Declare { init: Some(expr), .. }) if only_last => {
            (statements, LambdaBody::Value(Box::new(expr)))
        }
        last => {
            statements.extend(last);
            (Vec::new(), LambdaBody::Block(statements))
        }
    }
}

/// Without a framework: `Crash crash = null; try { .. } catch (Crash e) { crash = e; }`, then checks.
fn caught_by_hand(class: Type, throwing: LambdaBody) -> Vec<Statement> {
    let body = match throwing {
        LambdaBody::Value(expr) => vec![Statement::Expr(*expr)],
        LambdaBody::Block(statements) => statements,
    };
    let keep = Expr::atom(THROWN).assign(Expr::atom("e"));
    let class_name = class.as_class().unwrap_or(ClassName::object());
    let catch = crate::syntax::Catch { class: class_name, name: "e".into(), body: vec![Statement::Expr(keep)] };
    vec![
        Statement::declare(class, THROWN, Expr::atom("null")),
        Statement::Try { body, catch: Some(catch), finally: Vec::new() },
    ]
}

/// `org.acme.Parser.read:12`, without the line where there is none.
fn frame_text(frame: &ExpectedFrame) -> Expr {
    let line = frame.line.map_or(String::new(), |line| format!(":{line}"));
    Expr::atom(literal::quoted(&JavaString::new(&format!("{}.{}{line}", frame.class, frame.method)).0))
}

/// The frames of the expected classes, written like [`frame_text`]; only as many as expected, if the number counts.
fn stack_of(expected: &Expected, counted: bool) -> Expr {
    let mut classes: Vec<String> = expected.frames.iter().map(|frame| frame.class.dotted()).collect();
    classes.sort();
    classes.dedup();
    let quoted = |class: &String| Expr::atom(literal::quoted(&JavaString::new(class).0));
    let frame = || Expr::atom("frame");
    let class_name = || frame().then("getClassName", Vec::new());
    let is_ours = match classes.as_slice() {
        [only] => class_name().then("equals", vec![quoted(only)]),
        several => {
            let listed = Expr::static_call("java/util/Arrays", "asList", several.iter().map(quoted).collect());
            listed.then("contains", vec![class_name()])
        }
    };
    let mut text = vec![class_name(), Expr::atom("\".\""), frame().then("getMethodName", Vec::new())];
    if expected.frames.iter().all(|frame| frame.line.is_some()) {
        text.extend([Expr::atom("\":\""), frame().then("getLineNumber", Vec::new())]);
    }
    let lambda = |value: Expr| Expr::Lambda { params: vec!["frame".into()], body: LambdaBody::Value(Box::new(value)) };
    let stack = Expr::atom(THROWN).then("getStackTrace", Vec::new());
    let mut stream = Expr::static_call("java/util/Arrays", "stream", vec![stack]).then("filter", vec![lambda(is_ours)]);
    if counted {
        stream = stream.then("limit", vec![Expr::atom(expected.frames.len().to_string())]);
    }
    let to_list = Expr::static_call("java/util/stream/Collectors", "toList", Vec::new());
    stream.then("map", vec![lambda(Expr::Concat(text))]).then("collect", vec![to_list])
}

struct Checks<'a> {
    framework: Framework,
    static_imports: &'a mut Vec<&'static str>,
    statements: Vec<Statement>,
}

impl Checks<'_> {
    fn equal(&mut self, expected: Expr, actual: Expr) {
        let name = match self.framework {
            Framework::JUnit4 => "org.junit.Assert.assertEquals",
            Framework::JUnit5 => "org.junit.jupiter.api.Assertions.assertEquals",
            Framework::TestNg => "org.testng.Assert.assertEquals",
            Framework::Main => {
                let equal = Expr::static_call("java/util/Objects", "equals", vec![expected, actual]);
                return self.holds(equal);
            }
        };
        self.import(name);
        // TestNG has it the other way round.
        let args = if self.framework == Framework::TestNg { vec![actual, expected] } else { vec![expected, actual] };
        self.statements.push(Statement::Expr(Expr::call(None, "assertEquals", args)));
    }

    fn holds(&mut self, condition: Expr) {
        let name = match self.framework {
            Framework::JUnit4 => "org.junit.Assert.assertTrue",
            Framework::JUnit5 => "org.junit.jupiter.api.Assertions.assertTrue",
            Framework::TestNg => "org.testng.Assert.assertTrue",
            Framework::Main => {
                let error = TypeUse::class("java/lang/AssertionError");
                let failed =
                    Expr::New { outer: None, class: error, args: vec![Expr::atom("\"another crash\"")], body: None };
                let unless = Expr::Not(Box::new(condition));
                self.statements.push(Statement::If { condition: unless, then: vec![Statement::Throw(failed)] });
                return;
            }
        };
        self.import(name);
        self.statements.push(Statement::Expr(Expr::call(None, "assertTrue", vec![condition])));
    }

    fn import(&mut self, name: &'static str) {
        if !self.static_imports.contains(&name) {
            self.static_imports.push(name);
            self.static_imports.sort_unstable();
        }
    }
}
