//! How natural is a test? Of tests that show the same crash, the one that a user of the program could have written tells most
//! about the bug: a state that was forced upon an object, or an object that breaks what its type promises, crashes any
//! program, the repaired one as well. Everything that ranks tests by this asks here.

use objects::Catalogue;
use program::{ClassName, MethodRef, Program};
use recipe::{Access, Action, Arg, Callback, CallbackForm, CallbackMethod, Literal, Recipe, Stmt};

/// A field set by force: a state that may never be.
const FORCED_FIELD: u32 = 8;
/// A private member reached by reflection.
const REFLECTION: u32 = 6;
/// An object of the test in place of one of the JDK's kind, where there are real ones: nothing tells a program to expect a
/// collection without an iterator.
const FALSE_JDK_OBJECT: u32 = 5;
/// A subclass that does other than the class that can be had: the methods of one object no longer agree.
const OVERRIDING: u32 = 4;
/// An object of the test in place of one of the program's.
const FALSE_OBJECT: u32 = 3;
/// Numbers that mean a part of an array or text that it does not have.
const TOO_MUCH: u32 = 3;
/// A test inside the program's packages.
const IN_PACKAGE: u32 = 2;
/// A null given to a call; once in a while that is what the bug is about.
const NULL: u32 = 1;
/// A null straight into the method that crashes says little about the program. It is still better than a false object that
/// gives the null.
const NULL_INTO_CRASH: u32 = 2;
/// A callback that gives nothing.
const NULL_RESULT: u32 = 1;
/// What is public may be set, though few do.
const PUBLIC_FIELD: u32 = 1;

/// What a reader of the test would frown at; 0 if nothing. The test enters at frame `entry`, 1 is the top.
pub fn demerits(recipe: &Recipe, entry: u32, catalogue: &Catalogue) -> u32 {
    let mut sum = 0;
    recipe.for_each_stmt(&mut |stmt| sum += of_stmt(stmt, catalogue));
    let into_crash = if entry == 1 { recipe.body.stmts.last().map_or(0, |stmt| nulls(&stmt.action)) } else { 0 };
    let too_much =
        recipe.body.stmts.iter().filter(|stmt| objects::asks_for_too_much(recipe, &stmt.action, catalogue)).count();
    sum + NULL_INTO_CRASH * into_crash + TOO_MUCH * too_much as u32
}

/// The same of a test that does not show the whole crash yet. Whose objects it uses does not matter there: a frame that is
/// solved with the test's own is solved, and the effort is needed for the frames around it.
pub(crate) fn demerits_on_the_way(recipe: &Recipe, entry: u32) -> u32 {
    let mut sum = 0;
    recipe.for_each_stmt(&mut |stmt| sum += of_members(stmt));
    let into_crash = if entry == 1 { recipe.body.stmts.last().map_or(0, |stmt| nulls(&stmt.action)) } else { 0 };
    sum + NULL_INTO_CRASH * into_crash
}

/// What is wrong with one statement, whatever it is for.
pub fn of_stmt(stmt: &Stmt, catalogue: &Catalogue) -> u32 {
    let of_callback = match &stmt.action {
        Action::Callback(callback) => of_callback(callback, catalogue),
        _ => 0,
    };
    of_members(stmt) + of_callback
}

/// How it reaches members of the program, and which nulls it gives to them.
fn of_members(stmt: &Stmt) -> u32 {
    let of_access = match (&stmt.action, stmt.action.access()) {
        (Action::PutField { .. }, Some(Access::Public)) => PUBLIC_FIELD,
        (Action::PutField { .. }, Some(_)) => FORCED_FIELD,
        (_, Some(Access::Reflective)) => REFLECTION,
        (_, Some(Access::Package)) => IN_PACKAGE,
        (_, Some(Access::Public) | None) => 0,
    };
    of_access + NULL * nulls(&stmt.action)
}

fn nulls(action: &Action) -> u32 {
    action.args().filter(|arg| is_null(arg)).count() as u32
}

pub fn is_null(arg: &Arg) -> bool {
    matches!(arg, Arg::Literal(Literal::Null(_)))
}

fn of_callback(callback: &Callback, catalogue: &Catalogue) -> u32 {
    let program = catalogue.program();
    let in_place_of = |class: ClassName| match catalogue.has_real(class) {
        true if program.is_jdk(class) => FALSE_JDK_OBJECT,
        true => FALSE_OBJECT,
        false => 0,
    };
    let results = callback.methods.iter().filter(|method| gives_null(method)).count() as u32;
    let pretence = match &callback.form {
        // That is what its interface is there for.
        CallbackForm::Lambda { .. } => 0,
        CallbackForm::Interface { interface } => in_place_of(*interface),
        CallbackForm::Subclass { constructor, .. } if is_abstract(constructor.class, program) => {
            in_place_of(constructor.class)
        }
        CallbackForm::Subclass { .. } if callback.methods.is_empty() => 0,
        CallbackForm::Subclass { .. } => OVERRIDING,
    };
    // What a method without a body gives is null as well, so no more is counted where that is said already.
    if pretence > 0 { pretence } else { NULL_RESULT * results.min(1) }
}

fn is_abstract(class: ClassName, program: &Program) -> bool {
    program.class(class).is_none_or(|class| class.access.is_abstract())
}

fn gives_null(CallbackMethod { method, result, .. }: &CallbackMethod) -> bool {
    gives_reference(*method) && result.as_ref().is_none_or(is_null)
}

fn gives_reference(method: MethodRef) -> bool {
    method.signature().ret.is_some_and(|ret| ret.is_reference())
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Cache, ClassPath, Jdk};
    use std::sync::Arc;

    /// Of a program in which `a.B` is not known, for a test that enters at the given frame.
    fn of(entry: u32, text: &str) -> u32 {
        let directory = tempfile::tempdir().unwrap();
        let class_path = ClassPath::parse([directory.path()]).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let catalogue = Catalogue::new(Arc::new(program), &[]);
        demerits(&recipe::parse(text).unwrap_or_else(|error| panic!("{error}")), entry, &catalogue)
    }

    /// Each is less natural than the one before.
    #[test]
    fn naturalness_is_an_order() {
        let of_collection =
            |value: &str| format!("v0: java.util.Collection = {value}\ncall a.B.c(java.util.Collection v0)");
        let texts = [
            of_collection("collect ArrayList[1]"),
            "call a.B.c(java.util.Collection null(java.util.Collection))".into(),
            of_collection("subclass java.util.ArrayList() { java.util.ArrayList.size(): int { return 1 } }"),
            of_collection("implement java.util.Collection {}"),
            "reflective call a.B.c()".into(),
            "reflective put a.B.c: int = 1".into(),
        ];
        let sums: Vec<u32> = texts.iter().map(|text| of(1, text)).collect();
        assert!(sums.is_sorted_by(|a, b| a < b) && sums[0] == 0, "{sums:?}");
    }

    #[test]
    fn whose_objects_they_are_counts_only_where_the_crash_is_shown() {
        let text = "v0: java.util.Collection = implement java.util.Collection {}\ncall a.B.c(java.util.Collection v0)";
        let recipe = recipe::parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((of(1, text), demerits_on_the_way(&recipe, 1)), (FALSE_JDK_OBJECT, 0));
    }
}
