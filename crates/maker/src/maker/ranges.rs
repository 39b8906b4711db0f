//! Arguments that belong together: something with a length, and the part of it that is meant. `(byte[] data, int offset, int
//! length)` by chance is nearly always out of range, and then nothing but the check at the method's start is ever tested.

use super::Maker;
use crate::dice::Choose;
use objects::Callable;
use objects::Draft;
use objects::ranges::{has_length, length_of};
use program::Type;
use recipe::{Arg, Literal};

impl Maker<'_> {
    /// Makes numbers fit what they are parts of, now and then; mostly all of it.
    pub(super) fn fit_ranges(&mut self, draft: &Draft, callable: &Callable, args: &mut [Arg]) {
        for at in 0..callable.params.len().saturating_sub(2) {
            let [whole, first, second] = [0, 1, 2].map(|next| callable.params[at + next].ty);
            if !has_length(whole) || first != Type::Int || second != Type::Int {
                continue;
            }
            let Some(length) = args.get(at).and_then(|arg| length_of(draft.recipe(), arg)) else { continue };
            if args.len() > at + 2 && self.rng.chance(self.rng.policy().ranges.fitting) {
                let (from, to) = self.range(length);
                args[at + 1] = Arg::Literal(Literal::Int(from));
                args[at + 2] = Arg::Literal(Literal::Int(to));
            }
        }
    }

    fn range(&mut self, length: i32) -> (i32, i32) {
        match self.rng.pick(&self.rng.policy().ranges.parts) {
            0 if length > 1 => (1, length - 1),
            1 => (0, self.rng.i32(0..=length)),
            2 => (length, 0),
            _ => (0, length),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::jdk_only;
    use crate::{Maker, MakerConfig, MemberStatistics, Rng};
    use objects::ranges::length_of;
    use objects::{AccessContext, Catalogue, Draft, Pool};
    use program::MethodRef;
    use recipe::{Action, Arg, Literal};

    #[test]
    fn parts_mostly_fit_the_whole() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let (pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(3));
        let method = MethodRef::new("java/lang/String", "valueOf", "([CII)Ljava/lang/String;");
        let mut fitting = 0;
        for _ in 0..200 {
            let mut draft = Draft::new();
            let (from, config) = (AccessContext::public(), MakerConfig { null: 0.0, ..MakerConfig::default() });
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
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
}
