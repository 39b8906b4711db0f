//! Arguments that belong together: something with a length, and the part of it that is meant. `(byte[] data, int offset, int
//! length)` by chance is nearly always out of range, and then nothing but the check at the method's start is ever tested.

use super::Maker;
use crate::callable::Callable;
use crate::catalogue::Catalogue;
use crate::choose::Choose;
use crate::draft::Draft;
use program::{ClassName, Type};
use recipe::{Action, Arg, Literal, Recipe};

/// How often a pair of numbers behind something with a length is made to fit.
const FITTING: f64 = 0.6;

impl Maker<'_> {
    /// Makes numbers fit what they are parts of, now and then; mostly all of it.
    pub(super) fn fit_ranges(&mut self, draft: &Draft, callable: &Callable, args: &mut [Arg]) {
        for at in 0..callable.params.len().saturating_sub(2) {
            let [whole, first, second] = [0, 1, 2].map(|next| callable.params[at + next].ty);
            if !has_length(whole) || first != Type::Int || second != Type::Int {
                continue;
            }
            let Some(length) = args.get(at).and_then(|arg| length_of(draft.recipe(), arg)) else { continue };
            if args.len() > at + 2 && self.rng.chance(FITTING) {
                let (from, to) = self.range(length);
                args[at + 1] = Arg::Literal(Literal::Int(from));
                args[at + 2] = Arg::Literal(Literal::Int(to));
            }
        }
    }

    fn range(&mut self, length: i32) -> (i32, i32) {
        match self.rng.u8(..8) {
            0 if length > 1 => (1, length - 1),
            1 => (0, self.rng.i32(0..=length)),
            2 => (length, 0),
            _ => (0, length),
        }
    }
}

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

fn has_length(ty: Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Class(class) => class == ClassName::string() || class.as_internal() == "java/lang/CharSequence",
        _ => false,
    }
}

/// The length of a text or array, where the recipe shows it.
fn length_of(recipe: &Recipe, arg: &Arg) -> Option<i32> {
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
    use super::{asks_for_too_much, length_of};
    use crate::testing::jdk_only;
    use crate::{Catalogue, Draft, Habits, Ledger, Maker, Pool, Rng, Vantage};
    use program::MethodRef;
    use recipe::{Action, Arg, Literal};

    #[test]
    fn parts_mostly_fit_the_whole() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, ledger, mut rng) = (Pool::general(), Ledger::default(), Rng::with_seed(3));
        let method = MethodRef::new("java/lang/String", "valueOf", "([CII)Ljava/lang/String;");
        let mut fitting = 0;
        for _ in 0..200 {
            let mut draft = Draft::new();
            let (from, habits) = (Vantage::public(), Habits { null: 0.0, ..Habits::default() });
            let mut maker = Maker { catalogue: &catalogue, pool: &pool, ledger: &ledger, rng: &mut rng, from, habits };
            maker.call(&mut draft, method);
            let recipe = draft.recipe();
            if let Some(Action::Call { args, .. }) = recipe.body.stmts.last().map(|stmt| &stmt.action)
                && let [whole, Arg::Literal(Literal::Int(from)), Arg::Literal(Literal::Int(count))] = args.as_slice()
                && let Some(length) = length_of(draft.recipe(), whole)
            {
                let end = i64::from(*from) + i64::from(*count);
                fitting += u32::from(*from >= 0 && *count >= 0 && end <= i64::from(length));
            }
        }
        assert!(fitting > 100, "{fitting}");
    }

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
