//! Crashes of a thread that the program starts itself. No test can call the outermost frame, which is what the thread runs; but a
//! test can use the object that starts the thread, and keep the exception that ends it.

use crate::island::Island;
use engine::Goal;
use objects::{AccessContext, Catalogue};
use program::{ClassName, Method, MethodRef, Program, Subtype, Type};
use recipe::{Action, Recipe, Stmt};

/// A population for the outermost frame that uses whoever starts its thread; none if that frame is no thread's, or if a test can
/// call it.
pub(crate) fn island(goal: &Goal, islands: &[Island], catalogue: &Catalogue) -> Option<Island> {
    let outermost = islands.last().filter(|island| island.entry as usize == goal.frames.len())?;
    let run = outermost.methods.first().filter(|_| outermost.methods.len() == 1)?;
    let program = catalogue.program();
    if !is_run_by_thread(goal, *run, program) || can_be_called(*run, program) {
        return None;
    }
    let called = goal.frames.iter().nth_back(1).and_then(|frame| frame.methods.first()).map(|bound| bound.method);
    let starters = starters(*run, program);
    let methods: Vec<MethodRef> = starters.iter().flat_map(|class| users(*class, called, program)).collect();
    let in_package = AccessContext::in_package_of(*starters.first()?);
    let places = vec![AccessContext::public(), in_package, in_package.with_reflection()];
    (!methods.is_empty()).then(|| Island::new(outermost.entry, methods, places).capturing())
}

/// The recipe with the exceptions of threads kept from its start on.
pub(crate) fn captured(mut recipe: Recipe) -> Recipe {
    recipe.body.stmts.retain(|stmt| stmt.action != Action::Capture);
    recipe.body.stmts.insert(0, Stmt { def: None, action: Action::Capture });
    recipe
}

/// Whether the method is what a thread runs: it says so itself, or the log shows the thread below it.
fn is_run_by_thread(goal: &Goal, method: MethodRef, program: &Program) -> bool {
    let below = goal.expected.frames.iter().rev().take_while(|frame| frame.class.starts_with("java."));
    let has_thread = below.into_iter().any(|frame| frame.class == "java.lang.Thread" && frame.method == "run");
    let is_runnable = program.is_subtype(method.class, ClassName::internal("java/lang/Runnable")) == Subtype::Yes;
    has_thread || (is_runnable && method.name.as_str() == "run" && method.descriptor.as_str() == "()V")
}

/// Whether any test can make an object of the class and call the method.
fn can_be_called(method: MethodRef, program: &Program) -> bool {
    let Some(class) = program.class(method.class) else { return false };
    let mut constructors = class.methods_named("<init>");
    let is_public = program.declared_method(method).is_some_and(|found| found.access.is_public());
    class.access.is_public() && is_public && constructors.any(|constructor| constructor.access.is_public())
}

/// The classes whose code makes the object that the thread runs: those of the program that call a constructor of its class, or, for
/// a lambda, the class that it is written in.
fn starters(run: MethodRef, program: &Program) -> Vec<ClassName> {
    let constructors =
        program.class(run.class).map(|class| class.methods_named("<init>").map(Method::reference).collect());
    let constructors: Vec<MethodRef> = constructors.unwrap_or_default();
    let callers = constructors.into_iter().flat_map(|constructor| program.callers(constructor));
    let mut classes: Vec<ClassName> =
        callers.map(|site| site.caller.class).filter(|class| *class != run.class).collect();
    if run.name.as_str().starts_with("lambda$") {
        classes.insert(0, run.class);
    }
    classes.sort();
    classes.dedup();
    classes
}

/// The methods through which an object of the class gets the thread to work: those that take what the thread gives to the next frame;
/// if there are none, all that can be called.
fn users(class: ClassName, called: Option<MethodRef>, program: &Program) -> Vec<MethodRef> {
    let Some(found) = program.class(class) else { return Vec::new() };
    let usable = |method: &&Method| {
        !method.access.is_private()
            && !method.access.is_synthetic()
            && !method.access.is_abstract()
            && method.name.as_str() != "<clinit>"
    };
    let all: Vec<MethodRef> = found.methods.iter().filter(usable).map(Method::reference).collect();
    let work = called.map(|called| called.signature().params).unwrap_or_default();
    let takes = |method: &&MethodRef| {
        method.signature().params.iter().any(|param| work.contains(param) && matches!(param, Type::Class(_)))
    };
    let telling: Vec<MethodRef> = all.iter().filter(takes).copied().collect();
    if telling.is_empty() { all } else { telling }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exceptions_of_threads_are_kept_once_and_from_the_start() {
        let recipe = recipe::parse("call a.B.c()\ncapture\ncall a.B.d()").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(captured(captured(recipe)).to_string().trim(), "capture\ncall a.B.c()\ncall a.B.d()");
    }
}
