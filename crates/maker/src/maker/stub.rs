//! Lambdas, anonymous classes and anonymous subclasses as values: what their methods give back is made before them.

use super::{Budget, Hint, Maker};
use crate::dice::Choose;
use objects::Draft;
use objects::{Argument, Callable};
use objects::{Stub, StubForm, is_of_object};
use program::{ClassName, Type};
use recipe::{Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Def, Stmt, VarId};

impl Maker<'_> {
    pub(super) fn stub(
        &mut self,
        draft: &mut Draft,
        stub: &Stub,
        ty: Type,
        hint: Hint<'_>,
        budget: Budget,
    ) -> Option<Arg> {
        let below = budget.below()?;
        let form = match &stub.form {
            StubForm::Lambda(interface) => CallbackForm::Lambda { interface: *interface },
            StubForm::Interface(interface) => CallbackForm::Interface { interface: *interface },
            StubForm::Subclass(constructor) => {
                let args = self.arguments(draft, constructor, below)?;
                CallbackForm::Subclass { constructor: constructor.method, args }
            }
        };
        let methods: Vec<&Callable> = match stub.form {
            _ if stub.overrides => self.overridden(stub)?,
            StubForm::Lambda(_) => stub.methods.iter().map(AsRef::as_ref).collect(),
            StubForm::Interface(_) | StubForm::Subclass(_) => self.methods_with_body(stub),
        };
        let methods = methods.into_iter().map(|method| {
            let gives = known_of(method, ty, hint);
            self.body(draft, method, gives, stub.overrides, below)
        });
        let methods = methods.collect();
        Some(draft.define(Action::Callback(Callback { form, methods }), ty))
    }

    /// One or two of the methods that the code near the crash calls. What every object has is called on plain objects and
    /// exceptions by somebody: when they are printed, logged or looked up.
    fn overridden<'s>(&mut self, stub: &'s Stub) -> Option<Vec<&'s Callable>> {
        let program = self.catalogue.program();
        let is_plain = matches!(&stub.form, StubForm::Subclass(made) if program.is_jdk(made.method.class));
        let is_called =
            |method: &&Callable| self.pool.is_called(method.method) || (is_plain && is_of_object(method.method));
        let called: Vec<&Callable> = stub.methods.iter().map(AsRef::as_ref).filter(is_called).collect();
        let first = *self.rng.one(&called)?;
        let second = self
            .rng
            .one(&called)
            .filter(|second| second.method != first.method && self.rng.chance(self.rng.policy().callbacks.second));
        Some(std::iter::once(first).chain(second.copied()).collect())
    }

    /// Those whose result is more interesting than zero or null; methods that the code near the crash calls come first.
    fn methods_with_body<'s>(&mut self, stub: &'s Stub) -> Vec<&'s Callable> {
        let mut giving: Vec<&Callable> = stub.methods.iter().map(AsRef::as_ref).collect();
        self.rng.shuffle(&mut giving);
        giving.sort_by_key(|method| !self.pool.is_called(method.method));
        let most = giving.len().min(self.rng.policy().callbacks.bodies);
        let count = self.rng.usize(..=most);
        giving.truncate(count);
        giving
    }

    /// `gives` is what the type of the object says about the method's result.
    fn body(
        &mut self,
        draft: &mut Draft,
        method: &Callable,
        gives: Option<&Argument>,
        replaces: bool,
        budget: Budget,
    ) -> CallbackMethod {
        let params: Vec<Def> = method.params.iter().map(|param| Def { var: draft.fresh(), ty: param.ty }).collect();
        if let Some(body) = self.throwing_body(draft) {
            return CallbackMethod { method: method.method, params, this: None, body, result: None };
        }
        let gives = gives.filter(|gives| method.ret.is_some_and(|ret| self.catalogue.is_assignable(gives.ty, ret)));
        let (ret, arguments) = match gives {
            Some(gives) => (Some(gives.ty), &gives.arguments),
            None => (method.ret, &method.ret_arguments),
        };
        let hint = Hint { arguments, ..Hint::default() };
        let result = ret.and_then(|ret| self.result(draft, ret, hint, &params, budget));
        let numbers = &self.rng.policy().callbacks;
        let acts = self.rng.chance(match method.ret {
            None => numbers.acts,
            Some(_) if replaces => numbers.replacement_acts,
            Some(_) => numbers.giver_acts,
        });
        let call = if acts { self.call_back(draft, &params, budget) } else { None };
        let body = Block { stmts: call.into_iter().collect() };
        CallbackMethod { method: method.method, params, this: None, body, result }
    }

    /// A call, from inside of the body, of an object that the test has or the body is given: callbacks that change what is
    /// being worked on.
    fn call_back(&mut self, draft: &mut Draft, params: &[Def], budget: Budget) -> Option<Stmt> {
        let known = draft.variables().iter().map(|known| (known.id, known.ty));
        let given = params.iter().map(|param| (param.var, param.ty));
        let objects: Vec<(VarId, Type)> = known.chain(given).filter(|(_, ty)| ty.as_class().is_some()).collect();
        let (object, ty) = *self.rng.one(&objects)?;
        let member = self.member_to_call(ty.as_class()?)?;
        let checkpoint = draft.checkpoint();
        let Some(args) = self.arguments(draft, &member.callable, budget) else {
            draft.take_back(checkpoint);
            return None;
        };
        let (method, receiver) = (member.name, Some(Arg::Var(object)));
        Some(Stmt { def: None, action: Action::Call { method, receiver, args, access: member.access } })
    }

    /// One of the arguments, a value made before, or nothing: zero or null.
    fn result(&mut self, draft: &mut Draft, ret: Type, hint: Hint<'_>, params: &[Def], budget: Budget) -> Option<Arg> {
        let same: Vec<&Def> = params.iter().filter(|param| self.catalogue.is_assignable(param.ty, ret)).collect();
        if let Some(param) = self.rng.one(&same).filter(|_| self.rng.chance(self.rng.policy().callbacks.gives_argument))
        {
            return Some(Arg::Var(param.var));
        }
        if self.rng.chance(self.rng.policy().callbacks.gives_nothing) {
            return None;
        }
        self.value_within(draft, ret, hint, budget)
    }
}

/// What the method gives by the type arguments of the object's type: `B` for `apply` of a `Function<A, B>`.
fn known_of<'a>(method: &Callable, ty: Type, hint: Hint<'a>) -> Option<&'a Argument> {
    let is_own = ty == Type::Class(method.method.class);
    let argument = hint.arguments.get(method.ret_variable.filter(|_| is_own)?)?;
    (argument.ty != Type::Class(ClassName::object())).then_some(argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;
    use crate::{MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Pool};
    use program::MethodRef;

    /// The recipes of many values of the type, as text.
    fn made(ty: &str, arguments: &[Argument]) -> String {
        let catalogue = Catalogue::new(jdk_only(), &[]);
        let mut pool = Pool::general();
        pool.add_called(MethodRef::new(
            "java/net/CookieHandler",
            "get",
            "(Ljava/net/URI;Ljava/util/Map;)Ljava/util/Map;",
        ));
        let (statistics, mut rng, from) = (MemberStatistics::default(), Rng::with_seed(3), AccessContext::public());
        let mut all = String::new();
        for _ in 0..1000 {
            let config = MakerConfig::default();
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            let mut draft = Draft::new();
            maker.value(&mut draft, Type::class(ty), Hint { arguments, ..Hint::not_null() });
            all += &draft.finish().to_string();
        }
        all
    }

    fn plain(ty: &str) -> Argument {
        Argument { ty: Type::class(ty), arguments: Box::default() }
    }

    #[test]
    fn functions_give_what_their_type_says() {
        let of_numbers = made("java/util/function/Supplier", &[plain("java/math/BigInteger")]);
        assert!(of_numbers.contains("java.math.BigInteger"), "{of_numbers}");
        assert!(!made("java/util/function/Supplier", &[]).contains("java.math.BigInteger"));
    }

    /// `Map<String, List<String>>` has lists as values, and texts in these.
    #[test]
    fn results_have_the_elements_that_the_method_declares() {
        let all = made("java/net/CookieHandler", &[]);
        let lists = all.lines().filter(|line| line.contains("List") && line.contains('"')).count();
        let handlers = all.matches("subclass java.net.CookieHandler").count();
        assert!(lists > 10 && 10 * lists > handlers, "{lists} in {handlers}");
    }
}

#[cfg(test)]
mod acting_tests {
    use crate::testing::program_of;
    use crate::{Hint, Maker, MakerConfig, MemberStatistics, Rng};
    use objects::{AccessContext, Catalogue, Draft, Pool};
    use program::{MethodRef, Type};
    use recipe::{Access, Action, Arg, Callback, CallbackMethod};

    /// The bodies of objects of the test that are made as values of the type, where a logger is there already.
    fn bodies(ty: &str) -> Vec<CallbackMethod> {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15"]), &[]);
        let (pool, statistics, mut rng) = (Pool::general(), MemberStatistics::default(), Rng::with_seed(3));
        let mut found = Vec::new();
        for _ in 0..3000 {
            let mut draft = Draft::new();
            let logger = Type::class("org/apache/log4j/Logger");
            let method = MethodRef::new("org/apache/log4j/Logger", "getRootLogger", "()Lorg/apache/log4j/Logger;");
            draft.define(Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public }, logger);
            let (from, config) = (AccessContext::public(), MakerConfig { reuse: 0.0, ..MakerConfig::default() });
            let mut maker =
                Maker { catalogue: &catalogue, pool: &pool, statistics: &statistics, rng: &mut rng, from, config };
            maker.value(&mut draft, Type::class(ty), Hint::not_null());
            for stmt in draft.finish().body.stmts {
                if let Action::Callback(Callback { methods, .. }) = stmt.action {
                    found.extend(methods);
                }
            }
        }
        found
    }

    fn receiver(body: &CallbackMethod) -> Option<&Arg> {
        match &body.body.stmts.first()?.action {
            Action::Call { receiver, .. } => receiver.as_ref(),
            _ => None,
        }
    }

    #[test]
    fn a_plain_object_may_call_back_when_it_is_printed() {
        let bodies = bodies("java/lang/Object");
        let is_printed = |body: &&CallbackMethod| body.method.name.as_str() == "toString";
        assert!(bodies.iter().filter(is_printed).any(|body| receiver(body).is_some()), "{}", bodies.len());
    }

    #[test]
    fn a_body_may_call_what_it_is_given() {
        let bodies = bodies("org/apache/log4j/spi/LoggerRepository");
        let calls_given = |body: &CallbackMethod| {
            receiver(body).and_then(Arg::var).is_some_and(|var| body.params.iter().any(|param| param.var == var))
        };
        assert!(bodies.iter().any(calls_given), "{}", bodies.len());
        assert!(bodies.iter().any(|body| receiver(body).is_some() && !calls_given(body)));
    }
}
