//! Local search: all small steps from the values of one promising candidate. Where a branch compares a number or a text, one
//! of them is nearer; random changes find it too, but later.

use policy::{LocalSearch, Policy};
use recipe::{JavaString, Literal, Recipe, Text, TextPiece};

/// The candidate with one of its literals moved a little, in every direction. The last literals come first, since they belong to the
/// core.
pub(crate) fn neighbours(recipe: &Recipe) -> Vec<Recipe> {
    neighbours_by(recipe, &Policy::standard().local_search)
}

fn neighbours_by(recipe: &Recipe, policy: &LocalSearch) -> Vec<Recipe> {
    let mut literals = Vec::new();
    recipe.clone().for_each_literal_mut(&mut |literal| literals.push(literal.clone()));
    let mut found = Vec::new();
    for (index, literal) in literals.iter().enumerate().rev() {
        for step in steps(literal, policy) {
            if found.len() == policy.steps {
                return found;
            }
            found.push(with_literal(recipe, index, &step));
        }
    }
    found
}

fn with_literal(recipe: &Recipe, index: usize, step: &Literal) -> Recipe {
    let mut changed = recipe.clone();
    let mut at = 0;
    changed.for_each_literal_mut(&mut |literal| {
        if at == index {
            *literal = step.clone();
        }
        at += 1;
    });
    changed
}

/// Pattern moves: steps of growing size, both ways.
fn steps(literal: &Literal, policy: &LocalSearch) -> Vec<Literal> {
    let moved =
        |value: i64| policy.sizes.iter().flat_map(move |size| [value.wrapping_add(*size), value.wrapping_sub(*size)]);
    match literal {
        Literal::Int(value) => moved((*value).into()).map(|v| Literal::Int(v as i32)).collect(),
        Literal::Long(value) => moved(*value).map(Literal::Long).collect(),
        Literal::Short(value) => {
            moved((*value).into()).take(policy.steps_of_small).map(|v| Literal::Short(v as i16)).collect()
        }
        Literal::Byte(value) => {
            moved((*value).into()).take(policy.steps_of_small).map(|v| Literal::Byte(v as i8)).collect()
        }
        Literal::Char(value) => {
            moved((*value).into()).take(policy.steps_of_small).map(|v| Literal::Char(v as u16)).collect()
        }
        Literal::Double(value) => fractions(policy).map(|step| Literal::Double(value + step)).collect(),
        Literal::Float(value) => fractions(policy).map(|step| Literal::Float(value + step as f32)).collect(),
        Literal::Boolean(value) => vec![Literal::Boolean(!value)],
        Literal::String(text) => match text.pieces.as_slice() {
            [] => vec![Literal::string(" "), Literal::string("a")],
            [TextPiece::Plain(plain)] if plain.0.len() <= policy.longest_text => text_steps(plain),
            _ => Vec::new(),
        },
        Literal::Null(_) | Literal::Class(_) | Literal::Enum(_) => Vec::new(),
    }
}

fn fractions(policy: &LocalSearch) -> impl Iterator<Item = f64> {
    policy.fractions.iter().flat_map(|size| [*size, -size])
}

/// One character less, one more, another one, twice the same.
fn text_steps(text: &JavaString) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut push = |units: Vec<u16>| found.push(Literal::String(Text::from(JavaString(units))));
    for at in 0..text.0.len() {
        let without: Vec<u16> = [&text.0[..at], &text.0[at + 1..]].concat();
        push(without);
        let twice: Vec<u16> = [&text.0[..=at], &text.0[at..]].concat();
        push(twice);
    }
    for unit in [text.0.last().copied().unwrap_or(b'a'.into()), b' '.into(), b'0'.into()] {
        push([text.0.as_slice(), &[unit]].concat());
        push([&[unit], text.0.as_slice()].concat());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::MethodRef;
    use recipe::{Access, Action, Arg, Stmt};

    fn call(arg: Literal) -> Recipe {
        let method = MethodRef::new("a/B", "c", "(I)V");
        let action = Action::Call { method, receiver: None, args: vec![Arg::Literal(arg)], access: Access::Public };
        let mut recipe = Recipe::default();
        recipe.body.stmts.push(Stmt { def: None, action });
        recipe
    }

    #[test]
    fn numbers_move_both_ways() {
        let near = neighbours(&call(Literal::Int(7)));
        assert!(near.contains(&call(Literal::Int(8))) && near.contains(&call(Literal::Int(6))));
        assert!(!near.contains(&call(Literal::Int(7))));
    }

    #[test]
    fn texts_shrink_and_grow() {
        let near = neighbours(&call(Literal::string("ab")));
        for expected in ["a", "b", "aab", "abb", "ab "] {
            assert!(near.contains(&call(Literal::string(expected))), "{expected}");
        }
    }

    #[test]
    fn there_are_not_too_many() {
        let long = "x".repeat(LocalSearch::STANDARD.longest_text);
        assert_eq!(neighbours(&call(Literal::string(&"x".repeat(LocalSearch::STANDARD.longest_text + 1)))).len(), 0);
        assert!(neighbours(&call(Literal::string(&long))).len() <= LocalSearch::STANDARD.steps);
    }
}
