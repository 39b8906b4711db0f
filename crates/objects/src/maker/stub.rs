//! Lambdas, anonymous classes and anonymous subclasses as values: what their methods give back is made before them.

use super::{Budget, Hint, Maker};
use crate::callable::Callable;
use crate::catalogue::{Stub, StubForm};
use crate::choose::Choose;
use crate::draft::Draft;
use program::Type;
use recipe::{Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Def};

/// More bodies than this in one object are noise: an interface like a result set has hundreds of methods.
const MAX_BODIES: usize = 4;

impl Maker<'_> {
    pub(super) fn stub(&mut self, draft: &mut Draft, stub: &Stub, ty: Type, budget: Budget) -> Option<Arg> {
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
            StubForm::Lambda(_) => stub.methods.iter().map(AsRef::as_ref).collect(),
            StubForm::Interface(_) | StubForm::Subclass(_) => self.methods_with_body(stub),
        };
        let methods = methods.into_iter().map(|method| self.body(draft, method, below)).collect();
        Some(draft.define(Action::Callback(Callback { form, methods }), ty))
    }

    /// Those whose result is more interesting than zero or null; methods that the code near the crash calls come first.
    fn methods_with_body<'s>(&mut self, stub: &'s Stub) -> Vec<&'s Callable> {
        let mut giving: Vec<&Callable> =
            stub.methods.iter().map(AsRef::as_ref).filter(|method| method.ret.is_some()).collect();
        self.rng.shuffle(&mut giving);
        giving.sort_by_key(|method| !self.pool.is_called(method.method));
        let count = self.rng.usize(..=giving.len().min(MAX_BODIES));
        giving.truncate(count);
        giving
    }

    fn body(&mut self, draft: &mut Draft, method: &Callable, budget: Budget) -> CallbackMethod {
        let params: Vec<Def> = method.params.iter().map(|param| Def { var: draft.fresh(), ty: param.ty }).collect();
        let result = method.ret.and_then(|ret| self.result(draft, ret, &params, budget));
        CallbackMethod { method: method.method, params, this: None, body: Block::default(), result }
    }

    /// One of the arguments, a value made before, or nothing: zero or null.
    fn result(&mut self, draft: &mut Draft, ret: Type, params: &[Def], budget: Budget) -> Option<Arg> {
        let same: Vec<&Def> = params.iter().filter(|param| self.catalogue.is_assignable(param.ty, ret)).collect();
        if let Some(param) = self.rng.one(&same).filter(|_| self.rng.chance(0.35)) {
            return Some(Arg::Var(param.var));
        }
        if self.rng.chance(0.2) {
            return None;
        }
        self.value_within(draft, ret, Hint::default(), budget)
    }
}
