//! Lambdas, anonymous classes and anonymous subclasses as values: what their methods give back is made before them.

use super::{Budget, Hint, Maker};
use crate::callable::Callable;
use crate::catalogue::{Stub, StubForm};
use crate::choose::Choose;
use crate::draft::{Draft, Variable};
use program::Type;
use recipe::{Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Def, Stmt};

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
            _ if stub.overrides => self.overridden(stub)?,
            StubForm::Lambda(_) => stub.methods.iter().map(AsRef::as_ref).collect(),
            StubForm::Interface(_) | StubForm::Subclass(_) => self.methods_with_body(stub),
        };
        let methods = methods.into_iter().map(|method| self.body(draft, method, below)).collect();
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

    fn body(&mut self, draft: &mut Draft, method: &Callable, budget: Budget) -> CallbackMethod {
        let params: Vec<Def> = method.params.iter().map(|param| Def { var: draft.fresh(), ty: param.ty }).collect();
        let result = method.ret.and_then(|ret| self.result(draft, ret, &params, budget));
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
