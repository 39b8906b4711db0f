//! The same crash by a more natural test, as far as workers see the same: nulls are called what they are, and what a user would
//! not write gives way to what he could.

use crate::run::ROUND;
use crate::search::Search;
use engine::Find;
use program::{ClassName, MethodRef, Type};
use recipe::{Access, Action, Arg, Def, End, Literal, Observation, ProbePlan, Recipe, Runner, RunnerError, Stmt};
use std::sync::atomic::{AtomicBool, Ordering};

/// Batches of changes; each one that helps makes the test more natural, so this bound is for safety only.
const MOST_ROUNDS: u32 = 12;
/// Batches without a success after which nothing more is expected.
const ROUNDS_IN_VAIN: u32 = 2;

/// Successes of one batch that are looked at more closely.
const MOST_ASKED: usize = 8;

/// The most natural test like this one which shows as much; the test was made from the find.
pub(crate) fn naturalise(
    mut recipe: Recipe,
    find: &Find,
    search: &mut Search,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
    stop: &AtomicBool,
) -> Result<Recipe, RunnerError> {
    let mut in_vain = 0;
    for _ in 0..MOST_ROUNDS {
        if in_vain == ROUNDS_IN_VAIN
            || search.demerits(&recipe, find.candidate.entry()) == 0
            || stop.load(Ordering::Relaxed)
        {
            break;
        }
        let candidates = search.more_natural(&recipe, find, ROUND);
        let observations = runner.run(&candidates, plan)?;
        let kept = candidates.into_iter().zip(&observations).filter(|(candidate, seen)| keeps(candidate, seen));
        let mut kept: Vec<Recipe> = kept.map(|(kept, _)| kept).collect();
        kept.sort_by_cached_key(|kept| (search.demerits(kept, find.candidate.entry()), kept.size()));
        let most = search.demerits(&recipe, find.candidate.entry());
        in_vain += 1;
        for kept in kept.into_iter().take(MOST_ASKED) {
            // Replacing a null by a call that returns null is no improvement.
            let honest = with_nulls_shown(kept, runner, plan, keeps)?;
            if search.demerits(&honest, find.candidate.entry()) < most {
                (recipe, in_vain) = (honest, 0);
                break;
            }
        }
    }
    Ok(recipe)
}

/// The recipe with null written where a value is null that a call gave: a getter of an empty object is an odd name for it, and
/// takes statements.
pub(crate) fn with_nulls_shown(
    recipe: Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
) -> Result<Recipe, RunnerError> {
    let asked: Vec<(usize, Def)> = given(&recipe).collect();
    if asked.is_empty() {
        return Ok(recipe);
    }
    let questions: Vec<Recipe> = asked.iter().map(|(at, def)| asking(&recipe, *at, *def)).collect();
    let answers = runner.run(&questions, plan)?;
    let is_null = |(at, _): &(usize, Def), answer: &Observation| {
        matches!(&answer.end, End::Threw { stmt, thrown }
            if *stmt as usize == at + 1 && thrown.class.as_internal() == "java/lang/NullPointerException")
    };
    let nulls: Vec<Def> =
        asked.iter().zip(&answers).filter(|(asked, answer)| is_null(asked, answer)).map(|((_, def), _)| *def).collect();
    if nulls.is_empty() {
        return Ok(recipe);
    }
    let shown = vec![with_nulls(&recipe, &nulls)];
    let seen = runner.run(&shown, plan)?;
    let kept = shown.into_iter().zip(&seen).find(|(shown, seen)| keeps(shown, seen));
    Ok(kept.map_or(recipe, |(shown, _)| shown))
}

/// Statements whose value may be null, and is used.
fn given(recipe: &Recipe) -> impl Iterator<Item = (usize, Def)> + '_ {
    let may_be_null = |action: &Action| {
        matches!(action, Action::Call { .. } | Action::GetField { .. } | Action::GetElement { .. } | Action::Cast(_))
    };
    let stmts = recipe.body.stmts.iter().enumerate();
    let defs = stmts.filter(move |(_, stmt)| may_be_null(&stmt.action)).filter_map(|(at, stmt)| Some((at, stmt.def?)));
    defs.filter(|(_, def)| def.ty.is_reference() && is_used(recipe, *def))
}

fn is_used(recipe: &Recipe, def: Def) -> bool {
    let mut used = false;
    recipe.for_each_arg(&mut |arg| used |= arg.var() == Some(def.var));
    used
}

/// The recipe up to the statement, and then a call that only null cannot answer.
fn asking(recipe: &Recipe, at: usize, def: Def) -> Recipe {
    let mut asking = recipe.clone();
    asking.body.stmts.truncate(at + 1);
    let class = ClassName::object();
    let method = MethodRef::new(class.as_internal(), "getClass", "()Ljava/lang/Class;");
    let receiver = Some(Arg::Var(def.var));
    let action = Action::Call { method, receiver, args: Vec::new(), access: Access::Public };
    let result = Def { var: recipe.fresh_var(), ty: Type::class("java/lang/Class") };
    asking.body.stmts.push(Stmt { def: Some(result), action });
    asking
}

/// What is asked for a member or cast stays a variable.
fn with_nulls(recipe: &Recipe, nulls: &[Def]) -> Recipe {
    let mut shown = recipe.clone();
    for stmt in &mut shown.body.stmts {
        let is_receiver = match &stmt.action {
            Action::Call { receiver, .. } | Action::GetField { receiver, .. } | Action::PutField { receiver, .. } => {
                usize::from(receiver.is_some())
            }
            Action::PutElement { .. } | Action::GetElement { .. } | Action::Cast(_) => 1,
            _ => 0,
        };
        for arg in stmt.action.args_mut().skip(is_receiver) {
            if let Some(def) = nulls.iter().find(|def| arg.var() == Some(def.var)) {
                *arg = Arg::Literal(Literal::Null(def.ty));
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = "v0: a.B = new a.B()
        v1: a.C = call v0->a.B.c(): a.C
        call v1->a.C.d(a.C v1)";

    #[test]
    fn only_what_a_call_gave_is_asked() {
        let recipe = recipe::parse(RECIPE).unwrap_or_else(|error| panic!("{error}"));
        let asked: Vec<(usize, Def)> = given(&recipe).collect();
        assert_eq!(asked.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1]);
        let question = asking(&recipe, asked[0].0, asked[0].1).to_string();
        assert!(question.contains("call v1->java.lang.Object.getClass()"), "{question}");
        assert!(!question.contains("a.C.d"), "{question}");
    }

    #[test]
    fn nulls_are_shown_where_they_are_given() {
        let recipe = recipe::parse(RECIPE).unwrap_or_else(|error| panic!("{error}"));
        let nulls: Vec<Def> = given(&recipe).map(|(_, def)| def).collect();
        let shown = with_nulls(&recipe, &nulls).to_string();
        assert!(shown.contains("call v1->a.C.d(a.C null(a.C))"), "{shown}");
    }
}
