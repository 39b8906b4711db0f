//! Is a test the whole crash, or a fragment? One that enters a private, synthetic or lambda member of the trace by reflection
//! begins where no user of the program can: what its callers do is missing.

use crash_report::{Frame, Throwable};
use engine::Goal;
use program::{ClassName, Method, MethodRef, Program};
use recipe::{Access, Action, Recipe};

/// The member of the trace that the test enters although nobody could.
pub(crate) fn entered(recipe: &Recipe, goal: &Goal, program: &Program) -> Option<MethodRef> {
    let mut found = None;
    recipe.for_each_stmt(&mut |stmt| {
        let called = match &stmt.action {
            Action::Call { method, access: Access::Reflective, .. } => Some(*method),
            Action::New { constructor, access: Access::Reflective, .. } => Some(*constructor),
            _ => None,
        };
        found = found.or(called.filter(|method| goal.is_in_trace(*method) && is_hidden(*method, program)));
    });
    found
}

/// What stands on the stack below a member that was called by reflection: which of them differs between versions of the JDK.
const REFLECTION: [&str; 4] = ["java.lang.reflect.", "java.lang.invoke.", "jdk.internal.reflect.", "sun.reflect."];

/// The same of a test that anybody wrote, seen from the stack of what it throws: below the outermost frame of the program is
/// reflection, or the test itself, if it `forces` its way. The test's own classes may well match what the application's are known by.
pub(crate) fn on_stack(
    thrown: &Throwable,
    is_application: &dyn Fn(&str) -> bool,
    (is_test, forces): (&dyn Fn(&str) -> bool, bool),
    program: &Program,
) -> Option<String> {
    let is_of_program = |frame: &Frame| is_application(&frame.class) && !is_test(&frame.class);
    let outermost = thrown.frames.iter().rposition(is_of_program)?;
    let (frame, below) = (&thrown.frames[outermost], thrown.frames.get(outermost + 1)?);
    // A method handle leaves no frame of its own.
    let is_by_handle = forces && is_test(&below.class);
    let is_by_reflection =
        is_by_handle || below.is_glue() || REFLECTION.iter().any(|package| below.class.starts_with(package));
    let class = program.class(ClassName::from_dotted(&frame.class))?;
    let named = class.methods.iter().filter(|method| method.name.as_str() == frame.method);
    let is_hidden = |method: &Method| method.access.is_private() || method.access.is_synthetic();
    let mut named = named.peekable();
    (is_by_reflection && named.peek().is_some() && named.all(is_hidden))
        .then(|| format!("{}.{}", frame.class, frame.method))
}

fn is_hidden(method: MethodRef, program: &Program) -> bool {
    method.name.as_str().starts_with("lambda$")
        || program.declared_method(method).is_some_and(|found| found.access.is_private() || found.access.is_synthetic())
}
