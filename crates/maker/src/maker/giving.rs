//! Objects that are given to others: an appender to its logger, a listener to what it listens to, a child to its parent. What one
//! object does with another, it mostly does with one that it was given before.

use super::{Budget, Maker};
use crate::dice::Choose;
use crate::statistics::Member;
use objects::Draft;
use objects::Usable;
use objects::build::{self, Call};
use program::{ClassName, Type};
use recipe::{Arg, VarId};

/// How the names of methods begin that keep what they are given.
const KEEPING: [&str; 8] = ["add", "append", "attach", "install", "put", "register", "set", "with"];

impl Maker<'_> {
    /// Calls a method of one object that takes the other; `None` if it has none.
    pub fn give(&mut self, draft: &mut Draft, holder: VarId, given: VarId) -> Option<Option<Arg>> {
        let type_of = |id: VarId| draft.type_of(&Arg::Var(id));
        let (class, given_type) = (type_of(holder)?.as_class()?, type_of(given)?);
        let members = self.catalogue.members(class, self.from);
        let takers: Vec<(&Usable, usize)> = members.iter().flat_map(|usable| self.places(usable, given_type)).collect();
        let likelier = self.policy().kept;
        let weight = |(usable, _): &(&Usable, usize)| {
            let name = usable.name.name.as_str();
            let kept = if KEEPING.iter().any(|keeping| name.starts_with(keeping)) { likelier } else { 1.0 };
            kept * self.pool.relevance(usable.callable.method) * self.statistics.factor(Member::Method(usable.name))
        };
        let weights: Vec<f64> = takers.iter().map(weight).collect();
        let (usable, place) = takers[self.rng.index_by_weight(weights.into_iter())?];
        let budget = Budget { levels: self.config.depth, limit: draft.position() + self.config.statements };
        let checkpoint = draft.checkpoint();
        let args = (0..usable.callable.params.len()).map(|index| match index == place {
            true => Some(Arg::Var(given)),
            false => self.argument(draft, &usable.callable, index, budget),
        });
        let Some(args) = args.collect::<Option<Vec<Arg>>>() else {
            draft.take_back(checkpoint);
            return None;
        };
        Some(build::call(draft, Call::member(usable, Arg::Var(holder)), args))
    }

    /// The parameters that take such an object. Those that take anything at all do not count: what is compared or printed is not
    /// kept.
    fn places<'u>(&self, usable: &'u Usable, given: Type) -> impl Iterator<Item = (&'u Usable, usize)> + use<'u> {
        let takes = |ty: Type| {
            ty != Type::Class(ClassName::object()) && ty.is_reference() && self.catalogue.is_assignable(given, ty)
        };
        let params = usable.callable.params.iter().enumerate();
        let places: Vec<usize> = params.filter(|(_, param)| takes(param.ty)).map(|(index, _)| index).collect();
        places.into_iter().map(move |index| (usable, index))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::program_of;
    use crate::{Maker, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Draft, Pool};
    use program::{MethodRef, Type};
    use recipe::{Access, Action, VarId};

    fn made(draft: &mut Draft, class: &str) -> VarId {
        let action = Action::New {
            constructor: MethodRef::new(class, "<init>", "()V"),
            args: Vec::new(),
            access: Access::Public,
        };
        draft.define(action, Type::class(class)).var().unwrap()
    }

    #[test]
    fn an_object_is_given_to_what_takes_such_objects() {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15"]), &[]);
        let (pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(3));
        let mut given = |holder: &str, object: &str| {
            let mut draft = Draft::new();
            let (holder, object) = (made(&mut draft, holder), made(&mut draft, object));
            let (from, config) = (AccessContext::public(), MakerConfig::default());
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            maker.give(&mut draft, holder, object)?;
            Some(draft.finish().to_string())
        };
        let (attachable, appender) =
            ("org/apache/log4j/helpers/AppenderAttachableImpl", "org/apache/log4j/ConsoleAppender");
        let texts: Vec<String> = (0..60).filter_map(|_| given(attachable, appender)).collect();
        let is_given = |text: &String| {
            let call = text.lines().last().unwrap();
            call.contains("v0->") && call.contains("org.apache.log4j.Appender v1")
        };
        assert!(texts.len() == 60 && texts.iter().all(is_given), "{texts:?}");
        let added = texts.iter().filter(|text| text.contains(".addAppender(")).count();
        assert!((31..60).contains(&added), "{added}");
        assert_eq!(given(attachable, "org/apache/log4j/SimpleLayout"), None);
        assert!(given(appender, "org/apache/log4j/SimpleLayout").unwrap().contains("setLayout("));
    }
}
