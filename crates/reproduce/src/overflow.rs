//! Tests that overflow a stack, or in which threads meet: how deep, or how often, is enough? Probes make the frames of a worker
//! larger than those of a plain VM, and compiled code needs less stack than interpreted code, so what just overflows there need
//! not do so elsewhere; and threads that met in a warm worker need not meet in a VM that has just started.

use objects::documents::mutate;
use recipe::{Action, Content, Literal, Observation, ProbePlan, Recipe, Runner, RunnerError, Stmt, Text, TextPiece};
use std::time::Duration;

/// How much deeper than what is just enough in a worker.
pub(crate) const MARGIN: f64 = 4.0;
/// How often threads are run in a worker to see how long that takes.
pub(crate) const TIMES_SEEN: usize = 8;
/// How often a fresh JVM is shown something deeper still.
pub(crate) const ATTEMPTS: u32 = 2;

/// The recipe with every repetition in its texts, and the turns of its loops, multiplied; nothing if it has none.
pub(crate) fn deeper(recipe: &Recipe, factor: f64) -> Option<Recipe> {
    let mut changed = recipe.clone();
    let mut any = false;
    let mut scale = |text: &mut Text| {
        if text.pieces.iter().any(|piece| matches!(piece, TextPiece::Repeat(..))) {
            *text = mutate::scale(text, factor);
            any = true;
        }
    };
    changed.for_each_literal_mut(&mut |literal| {
        if let Literal::String(text) = literal {
            scale(text);
        }
    });
    for content in changed.body.stmts.iter_mut().flat_map(Stmt::contents_mut) {
        if let Content::Text(text) = content {
            scale(text);
        }
    }
    for action in changed.body.stmts.iter_mut().flat_map(loops) {
        if let Action::Repeat { times, .. } = action {
            *times = ((f64::from(*times) * factor) as u32).min(Action::MOST_TURNS);
            any = true;
        }
    }
    any.then_some(changed)
}

/// The statement itself, or those that its threads run.
fn loops(stmt: &mut Stmt) -> Vec<&mut Action> {
    match &mut stmt.action {
        Action::Together(bodies) => {
            bodies.iter_mut().flat_map(|body| body.stmts.iter_mut().map(|stmt| &mut stmt.action)).collect()
        }
        action => vec![action],
    }
}

/// How many times as many turns as in a worker, where it took this long, threads take in a fresh JVM, which has to see them meet
/// every time: as many as there is time for.
pub(crate) fn meetings(in_worker: Duration) -> f64 {
    const TIME: f64 = 1.5;
    (TIME / in_worker.as_secs_f64().max(1e-6)).clamp(4.0, 4000.0)
}

/// The recipe deeper than it need be in a worker, if it shows the same there.
pub(crate) fn with_margin(
    recipe: Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
) -> Result<Recipe, RunnerError> {
    let Some(deeper) = deeper(&recipe, MARGIN) else { return Ok(recipe) };
    let seen = runner.run(std::slice::from_ref(&deeper), plan)?;
    let is_kept = seen.first().is_some_and(|seen| keeps(&deeper, seen));
    Ok(if is_kept { deeper } else { recipe })
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::MethodRef;
    use recipe::{Access, Action, Arg, JavaString};

    fn parse(text: Text) -> Recipe {
        let method = MethodRef::new("a/B", "parse", "(Ljava/lang/String;)V");
        let args = vec![Arg::Literal(Literal::String(text))];
        let mut recipe = Recipe::default();
        let action = Action::Call { method, receiver: None, args, access: Access::Public };
        recipe.body.stmts.push(Stmt { def: None, action });
        recipe
    }

    fn nested(levels: u32) -> Recipe {
        let brackets = |bracket| TextPiece::Repeat(JavaString::new(bracket), levels);
        parse(Text { pieces: vec![brackets("["), TextPiece::Plain(JavaString::new("1")), brackets("]")] })
    }

    #[test]
    fn repetitions_are_multiplied_and_nothing_else_is() {
        assert_eq!(deeper(&nested(500), MARGIN), Some(nested(2000)));
        assert_eq!(deeper(&parse(Text::plain("[[[1]]]")), MARGIN), None);
    }

    #[test]
    fn files_of_a_directory_are_texts_as_well() {
        let file = |levels| {
            let text = Text { pieces: vec![TextPiece::Repeat(JavaString::new("["), levels)] };
            let files = vec![(JavaString::new("a.json"), Content::Text(text))];
            let mut recipe = Recipe::default();
            recipe.body.stmts.push(Stmt { def: None, action: Action::TempDir { files } });
            recipe
        };
        assert_eq!(deeper(&file(10), MARGIN), Some(file(40)));
    }

    #[test]
    fn turns_are_multiplied_also_those_of_threads() {
        let repeat = |times| {
            let body = recipe::Block { stmts: parse(Text::plain("x")).body.stmts };
            Stmt { def: None, action: Action::Repeat { times, carried: None, body } }
        };
        let of = |stmt| Recipe { body: recipe::Block { stmts: vec![stmt] }, ..Recipe::default() };
        assert_eq!(deeper(&of(repeat(1000)), MARGIN), Some(of(repeat(4000))));
        let together = |times| {
            let part = || recipe::Block { stmts: vec![repeat(times)] };
            Stmt { def: None, action: Action::Together(vec![part(), part()]) }
        };
        assert_eq!(deeper(&of(together(50)), 32.0), Some(of(together(1600))));
    }
}
