//! What a run would end with, at every moment of it: for whoever has to end it from outside, because the run itself is stuck in
//! a long computation or waits for somebody who does not answer. Nothing here waits for the run.

use crate::output::Output;
use crate::verdict::{Reason, RunCommand, Verdict, WrittenTest};
use crash_report::compare::Grade;
use junit::TestSource;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Debug)]
pub struct SoFar(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    verdict: Verdict,
    unconfirmed: Option<Unconfirmed>,
}

/// A test that shows the crash, as workers say.
#[derive(Clone, Debug)]
pub(crate) struct Unconfirmed {
    pub(crate) grade: Grade,
    pub(crate) test: TestSource,
    pub(crate) command: RunCommand,
    pub(crate) statements: u32,
    pub(crate) output: Arc<Output>,
}

impl SoFar {
    /// Nothing so far.
    pub fn new(seed: u64) -> SoFar {
        let verdict = Verdict { seed, ..Verdict::default() };
        let so_far = SoFar(Arc::new(Mutex::new(State { verdict, unconfirmed: None })));
        so_far.doing("log and class path were still being read");
        so_far
    }

    /// What would end with this verdict is all there is, as of now. A test that waits for its confirmation is written, if no
    /// better one was confirmed.
    pub fn verdict(&self) -> Verdict {
        let (mut verdict, unconfirmed) = {
            let state = self.state();
            (state.verdict.clone(), state.unconfirmed.clone())
        };
        if let Some(unconfirmed) = unconfirmed.filter(|_| !verdict.is_success()) {
            verdict.add(&unconfirmed);
        }
        verdict
    }

    /// What the run is at, said as the reason why it got no further.
    pub(crate) fn doing(&self, what: &str) {
        self.update(|verdict| verdict.reason = Some(Reason::Budget { explanation: what.to_owned() }));
    }

    pub(crate) fn update(&self, change: impl FnOnce(&mut Verdict)) {
        change(&mut self.state().verdict);
    }

    pub(crate) fn set_unconfirmed(&self, unconfirmed: Option<Unconfirmed>) {
        self.state().unconfirmed = unconfirmed;
    }

    pub(crate) fn unconfirmed(&self) -> Option<Unconfirmed> {
        self.state().unconfirmed.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Verdict {
    /// Writes a test that nobody had the time to confirm. Where it cannot be written, its source is still there to be shown.
    pub(crate) fn add(&mut self, unconfirmed: &Unconfirmed) {
        let Unconfirmed { grade, test, command, statements, output } = unconfirmed;
        let path = output.write(&test.path, &test.text).unwrap_or_default();
        self.reason = Some(Reason::Budget {
            explanation: format!("a candidate shows {grade}, and there was no time left to confirm it in a fresh JVM"),
        });
        self.unconfirmed =
            Some(WrittenTest { path, source: test.text.clone(), command: command.clone(), statements: *statements });
    }
}
