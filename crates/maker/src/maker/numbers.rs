//! Numbers that belong together: a message that says `2010-03-28T02:30` or `begin 9, end 3` has the arguments of a call in their
//! order.

use super::Maker;
use crate::dice::Choose;
use objects::Callable;
use program::Type;
use recipe::{Arg, Literal};

impl Maker<'_> {
    /// Gives the numbers among the arguments what a message says, in its order, now and then.
    pub(super) fn number_in_order(&mut self, callable: &Callable, args: &mut [Arg]) {
        let Some(stated) = self.rng.one(self.pool.numbers_in_order()) else { return };
        let is_number = |at: &usize| as_literal(callable.params[*at].ty, 0).is_some();
        let is_plain = |at: &usize| matches!(args.get(*at), Some(Arg::Literal(_)));
        let places: Vec<usize> = (0..callable.params.len()).filter(is_number).filter(is_plain).collect();
        if places.len() < 2 || stated.len() < 2 || !self.rng.chance(self.policy().numbers_of_message) {
            return;
        }
        let last = stated.len().saturating_sub(places.len());
        let start = if self.rng.chance(self.policy().first_numbers) { 0 } else { self.rng.usize(..=last) };
        for (at, number) in places.into_iter().zip(&stated[start..]) {
            if let Some(literal) = as_literal(callable.params[at].ty, *number) {
                args[at] = Arg::Literal(literal);
            }
        }
    }
}

fn as_literal(ty: Type, number: i64) -> Option<Literal> {
    Some(match ty {
        Type::Byte => Literal::Byte(number as i8),
        Type::Short => Literal::Short(number as i16),
        Type::Int => Literal::Int(number as i32),
        Type::Long => Literal::Long(number),
        Type::Float => Literal::Float(number as f32),
        Type::Double => Literal::Double(number as f64),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::jdk_only;
    use crate::{Maker, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Draft, Pool};
    use program::MethodRef;

    #[test]
    fn the_numbers_of_a_message_are_given_in_its_order() {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let mut pool = Pool::general();
        pool.add_numbers_in_order(vec![2010, 3, 28, 2, 30]);
        let (statistics, mut rng) = (MemberStatistics::default(), Rng::with_seed(3));
        let of = "(IIIII)Ljava/time/LocalDateTime;";
        let method = MethodRef::new("java/time/LocalDateTime", "of", of);
        let mut found = (0, 0);
        for _ in 0..400 {
            let (from, config) = (AccessContext::public(), MakerConfig::default());
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            let mut draft = Draft::new();
            maker.call(&mut draft, method).unwrap();
            let text = draft.finish().to_string();
            found.0 += usize::from(text.contains("int 2010, int 3, int 28, int 2, int 30"));
            found.1 += usize::from(!text.contains("int 2010"));
        }
        assert!(found.0 > 50 && found.1 > 50, "{found:?}");
    }
}
