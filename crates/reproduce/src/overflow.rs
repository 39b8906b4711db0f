//! Tests that overflow a stack: how deep is deep enough? Probes make the frames of a worker larger than those of a plain VM, and
//! compiled code needs less stack than interpreted code, so what just overflows there need not do so elsewhere.

use objects::documents::mutate;
use recipe::{Content, Literal, Observation, ProbePlan, Recipe, Runner, RunnerError, Stmt, Text, TextPiece};

/// How much deeper than what is just enough in a worker.
pub(crate) const MARGIN: f64 = 4.0;
/// How often a fresh JVM is shown something deeper still.
pub(crate) const ATTEMPTS: u32 = 2;

/// The recipe with every repetition in its texts multiplied; nothing if it has none.
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
    any.then_some(changed)
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
}
