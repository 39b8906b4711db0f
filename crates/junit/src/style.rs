//! The style that passes while the bug exists: the crash is expected, with its type, its message and the application's
//! frames.

use crate::literal;
use crate::options::{Expected, ExpectedFrame, Framework};
use crate::syntax::{Expr, LambdaBody, Statement, TypeUse};
use program::{ClassName, Type};
use recipe::JavaString;

/// Wraps what throws. Only the last statement does, if everything before it can stand outside. `caught` is the class of what
/// leaves the program, or one above it.
pub(crate) fn asserting(
    statements: Vec<Statement>,
    expected: &Expected,
    caught: ClassName,
    framework: Framework,
    static_imports: &mut Vec<&'static str>,
) -> Vec<Statement> {
    let (mut before, throwing) = split(statements);
    let is_wrapped = !expected.wrappers.is_empty();
    let declared = if is_wrapped { ClassName::internal("java/lang/Throwable") } else { caught };
    let unwrapped =
        |thrown: Expr| expected.wrappers.iter().fold(thrown, |thrown, _| thrown.then("getCause", Vec::new()));
    before.extend(match framework {
        Framework::Main => caught_by_hand(declared, caught, throwing, &unwrapped),
        _ => {
            let class = Expr::ClassLiteral(Type::Class(caught));
            let args = vec![class, Expr::Lambda { params: Vec::new(), body: throwing }];
            static_imports.push(match framework {
                Framework::JUnit4 => "org.junit.Assert.assertThrows",
                Framework::JUnit5 => "org.junit.jupiter.api.Assertions.assertThrows",
                Framework::TestNg | Framework::Main => "org.testng.Assert.expectThrows",
            });
            let assert_throws = if framework == Framework::TestNg { "expectThrows" } else { "assertThrows" };
            let thrown = Expr::call(None, assert_throws, args);
            vec![Statement::declare(Type::Class(declared), THROWN, unwrapped(thrown))]
        }
    });
    let mut checks = Checks { framework, static_imports, statements: before };
    let is_named = !is_wrapped && caught == expected.exception;
    if !is_named {
        let name = Expr::atom(THROWN).then("getClass", Vec::new()).then("getName", Vec::new());
        checks.equal(text(&expected.exception.dotted()), name);
    }
    if let Some(message) = &expected.message {
        let message = message.as_ref().map_or(Expr::atom("null"), |message| text(message));
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
    if framework == Framework::Main && is_named && expected.message.is_none() && expected.frames.is_empty() {
        // Nothing else would notice that nothing was thrown.
        checks.fails_if(Expr::atom(THROWN).compare("==", Expr::atom("null")));
    }
    checks.statements
}

const THROWN: &str = "crash";
const FRAME: &str = "frame";
const CAUGHT: &str = "e";

/// The names that the checks use.
pub(crate) const NAMES: [&str; 3] = [THROWN, FRAME, CAUGHT];

fn text(text: &str) -> Expr {
    Expr::atom(literal::quoted(&JavaString::new(text).0))
}

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
fn caught_by_hand(
    declared: ClassName,
    caught: ClassName,
    throwing: LambdaBody,
    unwrapped: &dyn Fn(Expr) -> Expr,
) -> Vec<Statement> {
    let body = match throwing {
        LambdaBody::Value(expr) => vec![Statement::Expr(*expr)],
        LambdaBody::Block(statements) => statements,
    };
    let keep = Expr::atom(THROWN).assign(unwrapped(Expr::atom(CAUGHT)));
    let catch = crate::syntax::Catch { class: caught, name: CAUGHT.into(), body: vec![Statement::Expr(keep)] };
    vec![
        Statement::declare(Type::Class(declared), THROWN, Expr::atom("null")),
        Statement::Try { body, catch: Some(catch), finally: Vec::new() },
    ]
}

/// `org.acme.Parser.read:12`, without the line where there is none.
fn frame_text(frame: &ExpectedFrame) -> Expr {
    let line = frame.line.map_or(String::new(), |line| format!(":{line}"));
    text(&format!("{}.{}{line}", frame.class, frame.method))
}

/// The frames of the expected classes, written like [`frame_text`]; only as many as expected, if the number counts.
fn stack_of(expected: &Expected, counted: bool) -> Expr {
    let mut classes: Vec<String> = expected.frames.iter().map(|frame| frame.class.dotted()).collect();
    classes.sort();
    classes.dedup();
    let quoted = |class: &String| text(class);
    let frame = || Expr::atom(FRAME);
    let class_name = || frame().then("getClassName", Vec::new());
    let is_ours = match classes.as_slice() {
        [only] => class_name().then("equals", vec![quoted(only)]),
        several => {
            let listed = Expr::static_call("java/util/Arrays", "asList", several.iter().map(quoted).collect());
            listed.then("contains", vec![class_name()])
        }
    };
    let mut shown = vec![class_name(), Expr::atom("\".\""), frame().then("getMethodName", Vec::new())];
    if expected.frames.iter().all(|frame| frame.line.is_some()) {
        shown.extend([Expr::atom("\":\""), frame().then("getLineNumber", Vec::new())]);
    }
    let lambda = |value: Expr| Expr::Lambda { params: vec![FRAME.into()], body: LambdaBody::Value(Box::new(value)) };
    let stack = Expr::atom(THROWN).then("getStackTrace", Vec::new());
    let mut stream = Expr::static_call("java/util/Arrays", "stream", vec![stack]).then("filter", vec![lambda(is_ours)]);
    if counted {
        stream = stream.then("limit", vec![Expr::atom(expected.frames.len().to_string())]);
    }
    let to_list = Expr::static_call("java/util/stream/Collectors", "toList", Vec::new());
    stream.then("map", vec![lambda(Expr::Concat(shown))]).then("collect", vec![to_list])
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
            Framework::Main => return self.fails_if(Expr::Not(Box::new(condition))),
        };
        self.import(name);
        self.statements.push(Statement::Expr(Expr::call(None, "assertTrue", vec![condition])));
    }

    /// Without a framework.
    fn fails_if(&mut self, condition: Expr) {
        let error = TypeUse::class("java/lang/AssertionError");
        let failed = Expr::New { outer: None, class: error, args: vec![Expr::atom("\"another crash\"")], body: None };
        self.statements.push(Statement::If { condition, then: vec![Statement::Throw(failed)] });
    }

    fn import(&mut self, name: &'static str) {
        if !self.static_imports.contains(&name) {
            self.static_imports.push(name);
            self.static_imports.sort_unstable();
        }
    }
}
