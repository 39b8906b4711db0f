//! Tests that overflow a stack: how deep is deep enough? Probes make the frames of a worker larger than those of a plain VM, and
//! compiled code needs less stack than interpreted code, so what just overflows there need not do so elsewhere.

use objects::documents::mutate;
use recipe::{Action, Content, Literal, Recipe, Text, TextPiece};

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
    for stmt in &mut changed.body.stmts {
        if let Action::Stream(_, Content::Text(text)) | Action::TempFile { content: Content::Text(text), .. } =
            &mut stmt.action
        {
            scale(text);
        }
    }
    any.then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::MethodRef;
    use recipe::{Access, Arg, JavaString, Stmt};

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
}
