//! Bodies that throw: a callback of the user may fail like any other code, and where the user's code threw the exception of the
//! crash, one has to.

use super::Maker;
use crate::dice::Choose;
use objects::Draft;
use program::classfile::Visibility;
use program::{ClassName, MethodRef, Type};
use recipe::{Access, Action, Arg, Block, Def, JavaString, Literal, Stmt};

/// What any code may throw.
const ANY: [&str; 3] =
    ["java/lang/IllegalStateException", "java/lang/RuntimeException", "java/lang/UnsupportedOperationException"];

impl Maker<'_> {
    /// A body that makes an exception and throws it, now and then.
    pub(super) fn throwing_body(&mut self, draft: &mut Draft) -> Option<Block> {
        let thrown = self.pool.thrown();
        let numbers = &self.rng.policy().callbacks;
        if !self.rng.chance(if thrown.is_empty() { numbers.throws } else { numbers.throws_like_users }) {
            return None;
        }
        let (class, message) = match self.rng.one(thrown) {
            Some((class, message)) => (*class, message.clone()),
            None => (ClassName::internal(self.rng.one(&ANY)?), None),
        };
        if self.pool.is_like_crash(class) {
            return None;
        }
        let (constructor, args) = self.construction(class, message.as_ref())?;
        let made = Def { var: draft.fresh(), ty: Type::Class(class) };
        let make = Action::New { constructor, args, access: Access::Public };
        let throw = Action::Throw(Arg::Var(made.var));
        Some(Block { stmts: vec![Stmt { def: Some(made), action: make }, Stmt { def: None, action: throw }] })
    }

    /// A public constructor that needs nothing but the message, and its arguments; of several the one that takes it and little
    /// else.
    fn construction(&self, class: ClassName, message: Option<&JavaString>) -> Option<(MethodRef, Vec<Arg>)> {
        let found = self.catalogue.program().class(class)?;
        let is_usable =
            self.from.class(self.catalogue.program(), &found)? == Access::Public && !found.access.is_abstract();
        let is_public = |visibility| matches!(visibility, Visibility::Public);
        let methods = found.methods.iter().filter(|method| is_usable && is_public(method.access.visibility()));
        let constructors = methods.filter(|method| method.name.as_str() == "<init>").filter_map(|method| {
            let constructor = MethodRef { class, name: method.name, descriptor: method.descriptor };
            let params = constructor.signature().params;
            let args: Vec<Arg> = params.iter().map(|ty| argument(*ty, message)).collect::<Option<_>>()?;
            let takes_message = params.first().is_some_and(|ty| is_text(*ty));
            Some(((takes_message != message.is_some(), params.len()), (constructor, args)))
        });
        constructors.min_by_key(|(rank, _)| *rank).map(|(_, found)| found)
    }
}

/// `AssertionError` takes an object for its message.
fn is_text(ty: Type) -> bool {
    ty.as_class().is_some_and(|class| class == ClassName::string() || class == ClassName::object())
}

fn argument(ty: Type, message: Option<&JavaString>) -> Option<Arg> {
    let literal = match (ty, message) {
        (_, Some(message)) if is_text(ty) => Literal::String(message.clone().into()),
        (Type::Class(class), _) if is_text(ty) || class.as_internal() == "java/lang/Throwable" => Literal::Null(ty),
        (Type::Class(_) | Type::Array(_), _) => return None,
        _ => Literal::default_of(ty),
    };
    Some(Arg::Literal(literal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use crate::{Hint, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Pool};

    /// The recipes of many callbacks, as text.
    fn callbacks(pool: &Pool) -> Vec<String> {
        let program = jdk_only();
        let catalogue = Catalogue::new(program.clone(), &[]);
        let (statistics, mut rng, from) = (MemberStatistics::default(), Rng::with_seed(3), AccessContext::public());
        let made = (0..600).filter_map(|_| {
            let config = MakerConfig::default();
            let mut maker = Maker { catalogue: &catalogue, pool, statistics: &statistics, rng: &mut rng, from, config };
            let mut draft = Draft::new();
            maker.value(&mut draft, Type::class("java/util/function/Supplier"), Hint::not_null())?;
            let recipe = draft.finish();
            assert_eq!(recipe::check(&recipe, &*program), Ok(()), "{recipe}");
            Some(recipe.to_string())
        });
        made.collect()
    }

    #[test]
    fn callbacks_throw_what_users_threw() {
        let throwing = |made: &[String]| made.iter().filter(|one| one.contains("throw ")).count();
        let usual = callbacks(&Pool::general());
        assert!((1..60).contains(&throwing(&usual)), "{}", throwing(&usual));
        let mut pool = Pool::general();
        pool.add_thrown(ClassName::internal("java/io/IOException"), Some("disk full"));
        let thrown = callbacks(&pool);
        assert!(throwing(&thrown) > 100, "{}", throwing(&thrown));
        assert!(thrown.iter().any(|one| one.contains("new java.io.IOException(java.lang.String \"disk full\")")));
        pool.set_crash(ClassName::internal("java/io/IOException"));
        assert_eq!(throwing(&callbacks(&pool)), 0, "a test that throws the crash itself shows nothing");
        // It has no public constructor that could be used.
        let mut pool = Pool::general();
        pool.add_thrown(ClassName::internal("java/lang/reflect/Proxy"), None);
        assert_eq!(throwing(&callbacks(&pool)), 0);
    }
}
