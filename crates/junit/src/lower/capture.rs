//! Exceptions that never come to the test on their own: those that end a thread, and those that a callback is told of. They wait
//! in a queue for the end of the test.

use super::resources::{SET_HANDLER, THREAD};
use super::{Kept, Lower, Scope};
use crate::syntax::{Expr, LambdaBody, Statement, TypeUse};
use program::ClassName;
use recipe::Arg;

/// How long the test waits. What throws at all does so within moments, even on a machine that is busy; what is mended is waited
/// for in vain.
const SECONDS: &str = "10";

impl Lower<'_> {
    /// Declares the queue.
    pub(super) fn queue(&mut self, scope: &mut Scope) -> Kept {
        let name = self.names.give("thrown");
        let throwable = TypeUse::class("java/lang/Throwable");
        let queue = TypeUse::Applied(ClassName::internal("java/util/concurrent/BlockingQueue"), vec![throwable]);
        let class = TypeUse::Diamond(ClassName::internal("java/util/concurrent/LinkedBlockingQueue"));
        let made = Expr::New { outer: None, class, args: Vec::new(), body: None };
        scope.push(Statement::declare(queue, &name, made));
        Kept::Queue(name)
    }

    fn queue_name(&self) -> &str {
        match &self.kept {
            Some(Kept::Queue(name)) => name,
            _ => unreachable!("a test that keeps exceptions of others has a queue"),
        }
    }

    /// What ends a thread is kept from here on.
    pub(super) fn capture(&mut self, scope: &mut Scope) {
        let (thread, uncaught) = (self.names.give("thread"), self.names.give("uncaught"));
        let keep = Expr::atom(self.queue_name()).then("add", vec![Expr::atom(&*uncaught)]);
        let handler = Expr::Lambda { params: vec![thread, uncaught], body: LambdaBody::Value(Box::new(keep)) };
        scope.push(Statement::Expr(Expr::static_call(THREAD, SET_HANDLER, vec![handler])));
    }

    /// A queue takes no null, which a callback may well be told.
    pub(super) fn keep(&mut self, thrown: &Arg, scope: &mut Scope) {
        let value = self.arg(thrown, scope).expr;
        let condition = value.clone().compare("!=", Expr::atom("null"));
        let keep = Statement::Expr(Expr::atom(self.queue_name()).then("add", vec![value.clone()]));
        scope.push(match value {
            Expr::New { .. } => keep,
            _ => Statement::If { condition, then: vec![keep] },
        });
    }

    /// Waits for what was kept first, and throws it.
    pub(super) fn throw_queued(&mut self, scope: &mut Scope) {
        let unit = Expr::select(Expr::class("java/util/concurrent/TimeUnit"), "SECONDS");
        let first = Expr::atom(self.queue_name()).then("poll", vec![Expr::atom(SECONDS), unit]);
        let name = self.names.give("first");
        scope.throws("java/lang/Throwable");
        scope.push(Statement::declare(TypeUse::class("java/lang/Throwable"), &name, first));
        let rethrow = Statement::Throw(Expr::atom(&*name));
        let condition = Expr::atom(name).compare("!=", Expr::atom("null"));
        scope.push(Statement::If { condition, then: vec![rethrow] });
    }
}
