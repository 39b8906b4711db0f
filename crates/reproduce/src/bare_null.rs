//! Does the test put a bare null into the method that crashes? Such a test says little about the program: nearly every method can be
//! crashed so. It is told from tests in which a null gets there on the program's own ways, or is meant for another frame.

use engine::Goal;
use program::MethodRef;
use recipe::{Action, Arg, Block, Literal, Recipe, VarId};

/// Whether the test calls the method of frame 1 itself, and gives it a null.
pub(crate) fn goes_into_frame_1(recipe: &Recipe, goal: &Goal) -> bool {
    let methods = goal.frames.first().map(|frame| frame.methods.iter().map(|bound| bound.method).collect());
    let methods: Vec<MethodRef> = methods.unwrap_or_default();
    let nulls = nulls(recipe);
    let is_null = |arg: &Arg| match arg {
        Arg::Literal(literal) => matches!(literal, Literal::Null(_)),
        Arg::Var(var) => nulls.contains(var),
    };
    last_actions(&recipe.body).into_iter().any(|action| {
        let (called, args) = match action {
            Action::Call { method, args, .. } => (*method, args),
            Action::New { constructor, args, .. } => (*constructor, args),
            _ => return false,
        };
        methods.iter().any(|method| is_alike(called, *method)) && args.iter().any(is_null)
    })
}

/// What the test ends with; of blocks, what each of them ends with.
fn last_actions(block: &Block) -> Vec<&Action> {
    let Some(last) = block.stmts.last() else { return Vec::new() };
    match &last.action {
        nesting @ (Action::Try { .. } | Action::Thread(_) | Action::Repeat { .. } | Action::Together(_)) => {
            nesting.bodies().into_iter().flat_map(|body| last_actions(body.block)).collect()
        }
        action => vec![action],
    }
}

/// Variables that are null, whatever happens.
fn nulls(recipe: &Recipe) -> Vec<VarId> {
    let mut nulls: Vec<VarId> = Vec::new();
    recipe.for_each_stmt(&mut |stmt| {
        let is_null = match &stmt.action {
            Action::Literal(Literal::Null(_)) | Action::Cast(Arg::Literal(Literal::Null(_))) => true,
            Action::Cast(Arg::Var(var)) => nulls.contains(var),
            _ => false,
        };
        nulls.extend(stmt.def.filter(|_| is_null).map(|def| def.var));
    });
    nulls
}

/// Constructors are of one class; a method may be called by the name of a supertype.
fn is_alike(called: MethodRef, frame: MethodRef) -> bool {
    let is_same_member = (called.name, called.descriptor) == (frame.name, frame.descriptor);
    is_same_member && (!called.is_constructor() || called.class == frame.class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use target::CrashTarget;

    /// The crash is of `Objects.requireNonNull`, called by `List.copyOf`.
    const CRASH: &str = "java.lang.NullPointerException\n\tat java.util.Objects.requireNonNull(Unknown Source)\n\
        \tat java.util.List.copyOf(Unknown Source)\n";
    const FRAME_1: &str = "java.util.Objects.requireNonNull(java.lang.Object";

    #[test]
    fn only_a_null_for_frame_1_counts() {
        let program = jdk_only();
        let throwable = crash_report::parse(CRASH.as_bytes()).traces.remove(0).throwable;
        let methods = target::Methods::new(program.into());
        let target = CrashTarget::derive(&throwable, &methods, &|_| true);
        let goal = Goal::new(&target, throwable, &methods);
        let null = "v0: java.lang.Object = null(java.lang.Object)";
        let cases = [
            (format!("call {FRAME_1} null(java.lang.Object)): java.lang.Object"), true),
            (format!("{null}\ncall {FRAME_1} v0): java.lang.Object"), true),
            (format!("{null}\nv1: java.lang.Object = cast v0\ncall {FRAME_1} v1): java.lang.Object"), true),
            (format!("{null}\nthread {{ call {FRAME_1} v0): java.lang.Object }}"), true),
            (format!("{null}\ncall {FRAME_1} \"text\"): java.lang.Object"), false),
            // Of another frame, and of the same one before the crash.
            (
                "call java.util.List.copyOf(java.util.Collection null(java.util.Collection)): java.util.List".into(),
                false,
            ),
            (
                format!("try {{ call {FRAME_1} null(java.lang.Object)): java.lang.Object }} swallow\ncall a.B.c()"),
                false,
            ),
            // Another method of the same name.
            ("call java.util.Objects.requireNonNull(a.B null(a.B)): a.B".into(), false),
        ];
        for (text, expected) in cases {
            let recipe = recipe::parse(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
            assert_eq!(goes_into_frame_1(&recipe, &goal), expected, "{text}");
        }
    }
}
