//! Which part of something with a length do numbers behind it mean, and does it have that part?

use crate::catalogue::Catalogue;
use program::{ClassName, Type};
use recipe::{Action, Arg, Literal, Recipe};

/// Whether the call is given a part of something that the whole does not have: with a count, by its name; otherwise however the
/// numbers are read. Two numbers behind a text may mean anything if their names do not say so.
pub fn asks_for_too_much(recipe: &Recipe, call: &Action, catalogue: &Catalogue) -> bool {
    let (Action::New { args, .. } | Action::Call { args, .. }) = call else { return false };
    let method = call.called().and_then(|method| catalogue.program().resolve_method(method).found());
    let Some(callable) = method.and_then(|method| catalogue.callable(method.reference())) else { return false };
    callable.params.windows(3).zip(args.windows(3)).any(|(params, args)| {
        let [of, Arg::Literal(Literal::Int(from)), Arg::Literal(Literal::Int(to))] = args else { return false };
        let [whole, first, second] = params else { return false };
        if !has_length(whole.ty) || first.ty != Type::Int || second.ty != Type::Int {
            return false;
        }
        if !is_buffer(whole.ty) && !first.is_start && !second.is_count {
            return false;
        }
        let end = if second.is_count { i64::from(*from) + i64::from(*to) } else { i64::from(*to) };
        let is_within = |length: i32| *from >= 0 && *to >= 0 && *from <= length && end <= i64::from(length);
        length_of(recipe, of).is_some_and(|length| !is_within(length))
    })
}

/// What is read and written in parts.
fn is_buffer(ty: Type) -> bool {
    matches!(ty, Type::Array(array) if matches!(array.component(), Type::Byte | Type::Char))
}

/// Whether values of the type have a length that parts are counted in.
pub fn has_length(ty: Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Class(class) => class == ClassName::string() || class.as_internal() == "java/lang/CharSequence",
        _ => false,
    }
}

/// The length of a text or array, where the recipe shows it.
pub fn length_of(recipe: &Recipe, arg: &Arg) -> Option<i32> {
    match arg {
        Arg::Literal(Literal::String(text)) => i32::try_from(text.len()).ok(),
        Arg::Literal(_) => None,
        Arg::Var(id) => {
            let defines = recipe.body.stmts.iter().find(|stmt| stmt.def.is_some_and(|def| def.var == *id))?;
            match &defines.action {
                Action::ArrayOf { elements, .. } => i32::try_from(elements.len()).ok(),
                Action::NewArray { length, .. } => Some(*length).filter(|length| *length >= 0),
                // The characters or bytes of a text.
                Action::Call { method, receiver: Some(receiver @ Arg::Literal(Literal::String(_))), .. }
                    if matches!(method.name.as_str(), "getBytes" | "toCharArray") =>
                {
                    length_of(recipe, receiver)
                }
                _ => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;

    #[test]
    fn a_part_is_not_more_than_the_whole() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let asks = |from: i32, to: i32| {
            let text = format!(
                "v0: char[] = array char {{'a', 'b'}}\ncall java.lang.String.valueOf(char[] v0, int {from}, int {to}): java.lang.String"
            );
            let recipe = recipe::parse(&text).unwrap();
            asks_for_too_much(&recipe, &recipe.body.stmts[1].action, &catalogue)
        };
        assert!(!asks(0, 2) && !asks(1, 1) && !asks(2, 0));
        assert!(asks(0, 3) && asks(-1, 1) && asks(3, 0));
        // The place of a text in a picture is no part of it.
        let drawn =
            "call null(java.awt.Graphics)->java.awt.Graphics.drawString(java.lang.String \"a\", int 10, int 20)";
        let recipe = recipe::parse(drawn).unwrap();
        assert!(!asks_for_too_much(&recipe, &recipe.body.stmts[0].action, &catalogue));
    }
}
