//! Lambdas, anonymous classes and anonymous subclasses as values: what their methods give back is made before them.

use super::{Budget, Hint, Maker};
use crate::callable::{Argument, Callable};
use crate::catalogue::{Stub, StubForm};
use crate::choose::Choose;
use crate::draft::{Draft, Variable};
use program::{ClassName, Type};
use recipe::{Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Def, Stmt};

/// More bodies than this in one object are noise: an interface like a result set has hundreds of methods.
const MAX_BODIES: usize = 4;

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
        let methods =
            methods.into_iter().map(|method| self.body(draft, method, known_of(method, ty, hint), below)).collect();
        Some(draft.define(Action::Callback(Callback { form, methods }), ty))
    }

    /// One or two of the methods that the code near the crash calls.
    fn overridden<'s>(&mut self, stub: &'s Stub) -> Option<Vec<&'s Callable>> {
        let called: Vec<&Callable> =
            stub.methods.iter().map(AsRef::as_ref).filter(|method| self.pool.is_called(method.method)).collect();
        let first = *self.rng.one(&called)?;
        let second = self.rng.one(&called).filter(|second| second.method != first.method && self.rng.chance(0.3));
        Some(std::iter::once(first).chain(second.copied()).collect())
    }

    /// Those whose result is more interesting than zero or null; methods that the code near the crash calls come first.
    fn methods_with_body<'s>(&mut self, stub: &'s Stub) -> Vec<&'s Callable> {
        let mut giving: Vec<&Callable> = stub.methods.iter().map(AsRef::as_ref).collect();
        self.rng.shuffle(&mut giving);
        giving.sort_by_key(|method| !self.pool.is_called(method.method));
        let count = self.rng.usize(..=giving.len().min(MAX_BODIES));
        giving.truncate(count);
        giving
    }

    /// `gives` is what the type of the object says about the method's result.
    fn body(
        &mut self,
        draft: &mut Draft,
        method: &Callable,
        gives: Option<&Argument>,
        budget: Budget,
    ) -> CallbackMethod {
        let params: Vec<Def> = method.params.iter().map(|param| Def { var: draft.fresh(), ty: param.ty }).collect();
        let gives = gives.filter(|gives| method.ret.is_some_and(|ret| self.catalogue.is_assignable(gives.ty, ret)));
        let (ret, arguments) = match gives {
            Some(gives) => (Some(gives.ty), &gives.arguments),
            None => (method.ret, &method.ret_arguments),
        };
        let hint = Hint { arguments, ..Hint::default() };
        let result = ret.and_then(|ret| self.result(draft, ret, hint, &params, budget));
        let acts = self.rng.chance(if method.ret.is_none() { 0.3 } else { 0.08 });
        let call = if acts { self.call_back(draft, budget) } else { None };
        let body = Block { stmts: call.into_iter().collect() };
        CallbackMethod { method: method.method, params, this: None, body, result }
    }

    /// A call, from inside of the body, of an object that the test has: callbacks that change what is being worked on.
    fn call_back(&mut self, draft: &mut Draft, budget: Budget) -> Option<Stmt> {
        let objects: Vec<Variable> =
            draft.variables().iter().filter(|known| known.ty.as_class().is_some()).copied().collect();
        let object = self.rng.one(&objects)?;
        let members = self.catalogue.members(object.ty.as_class()?, self.from);
        let member = self.rng.one(&members)?;
        let checkpoint = draft.checkpoint();
        let Some(args) = self.arguments(draft, &member.callable, budget) else {
            draft.take_back(checkpoint);
            return None;
        };
        let (method, receiver) = (member.name, Some(Arg::Var(object.id)));
        Some(Stmt { def: None, action: Action::Call { method, receiver, args, access: member.access } })
    }

    /// One of the arguments, a value made before, or nothing: zero or null.
    fn result(&mut self, draft: &mut Draft, ret: Type, hint: Hint<'_>, params: &[Def], budget: Budget) -> Option<Arg> {
        let same: Vec<&Def> = params.iter().filter(|param| self.catalogue.is_assignable(param.ty, ret)).collect();
        if let Some(param) = self.rng.one(&same).filter(|_| self.rng.chance(0.35)) {
            return Some(Arg::Var(param.var));
        }
        if self.rng.chance(0.2) {
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
    use crate::{Catalogue, Habits, Ledger, Pool, Rng, Vantage};
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
        let (ledger, mut rng, from) = (Ledger::default(), Rng::with_seed(3), Vantage::public());
        let mut all = String::new();
        for _ in 0..400 {
            let habits = Habits::default();
            let mut maker = Maker { catalogue: &catalogue, pool: &pool, ledger: &ledger, rng: &mut rng, from, habits };
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
        assert!(lists > 10, "{all}");
    }
}
