//! One engine on a thread of its own. Requests are answered in their order; nobody has to wait for an answer.

use crate::{Allowance, Candidate, Engine, EngineName, Fact, Proposal, Refutation, Round};
use recipe::Recipe;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

pub(crate) enum Request {
    Propose(Allowance),
    Learn(Arc<Round>),
    Inform(Arc<[Arc<Fact>]>),
    Refute(Arc<Candidate>, Refutation),
    MoreNatural { candidate: Arc<Candidate>, recipe: Box<Recipe>, count: usize },
}

enum Answer {
    Proposal(Box<Proposal>),
    Natural(Vec<Recipe>),
    Panicked(String),
}

pub(crate) struct Seat {
    pub(crate) name: EngineName,
    requests: Sender<Request>,
    answers: Receiver<Answer>,
    /// A proposal was asked for and has not come yet.
    pub(crate) is_asked: bool,
    /// Answers that came while another was waited for.
    early: Option<Proposal>,
    /// Why the engine is no longer asked.
    pub(crate) left_out: Option<String>,
}

impl Seat {
    pub(crate) fn new(engine: Box<dyn Engine>) -> std::io::Result<Seat> {
        let name = engine.name();
        let (requests, inbox) = channel();
        let (outbox, answers) = channel();
        // Never joined: an engine that does not come back ends with the process.
        std::thread::Builder::new().name(format!("engine {name}")).spawn(move || work(engine, &inbox, &outbox))?;
        Ok(Seat { name, requests, answers, is_asked: false, early: None, left_out: None })
    }

    pub(crate) fn ask(&mut self, allowance: Allowance) {
        if !self.is_asked && self.left_out.is_none() {
            self.is_asked = true;
            self.tell(Request::Propose(allowance));
        }
    }

    /// Whatever needs no answer. An engine that is gone has said why, or will be found out when it is asked.
    pub(crate) fn tell(&mut self, request: Request) {
        if self.left_out.is_none() && self.requests.send(request).is_err() {
            self.notice_panic();
        }
    }

    /// The proposal that was asked for, if it is there by then; `None` waits for as long as it takes.
    pub(crate) fn proposal(&mut self, until: Option<Instant>) -> Option<Proposal> {
        if !self.is_asked {
            return None;
        }
        let early = self.early.take();
        let proposal = early.or_else(|| match self.answer(until)? {
            Answer::Proposal(proposal) => Some(*proposal),
            Answer::Natural(_) => None,
            Answer::Panicked(why) => self.leave_out(why),
        });
        self.is_asked &= proposal.is_none() && self.left_out.is_none();
        proposal
    }

    /// None in time is as good as none.
    pub(crate) fn more_natural(
        &mut self,
        candidate: &Arc<Candidate>,
        recipe: &Recipe,
        count: usize,
        until: Option<Instant>,
    ) -> Vec<Recipe> {
        // One that is still thinking about its next proposal would keep the caller waiting, and those who are asked next.
        let now = until.map(|_| Instant::now());
        if self.left_out.is_some() || (self.is_asked && self.early.is_none() && !self.is_there(now)) {
            return Vec::new();
        }
        let recipe = Box::new(recipe.clone());
        self.tell(Request::MoreNatural { candidate: candidate.clone(), recipe, count });
        loop {
            match self.answer(until) {
                Some(Answer::Natural(recipes)) => return recipes,
                Some(Answer::Proposal(proposal)) => self.early = Some(*proposal),
                Some(Answer::Panicked(why)) => {
                    self.leave_out::<()>(why);
                    return Vec::new();
                }
                None => return Vec::new(),
            }
        }
    }

    /// Whether the proposal that was asked for has come, or comes by then.
    fn is_there(&mut self, until: Option<Instant>) -> bool {
        if let Some(proposal) = self.proposal(until) {
            self.early = Some(proposal);
            self.is_asked = true;
        }
        self.early.is_some()
    }

    fn answer(&mut self, until: Option<Instant>) -> Option<Answer> {
        if self.left_out.is_some() {
            return None;
        }
        let received = match until {
            None => self.answers.recv().ok(),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                match self.answers.recv_timeout(left) {
                    Ok(answer) => Some(answer),
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => return None,
                    Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
                }
            }
        };
        received.or_else(|| self.leave_out("its thread ended".to_owned()))
    }

    fn notice_panic(&mut self) {
        let why = self.answers.try_iter().find_map(|answer| match answer {
            Answer::Panicked(why) => Some(why),
            _ => None,
        });
        self.leave_out::<()>(why.unwrap_or_else(|| "its thread ended".to_owned()));
    }

    fn leave_out<T>(&mut self, why: String) -> Option<T> {
        self.left_out = Some(why);
        self.is_asked = false;
        None
    }
}

/// How long a look at an answer takes at most that nobody waits for.
pub(crate) const GLANCE: Duration = Duration::ZERO;

fn work(mut engine: Box<dyn Engine>, inbox: &Receiver<Request>, outbox: &Sender<Answer>) {
    for request in inbox {
        // What a panic left half done is never used again.
        let outcome = catch_unwind(AssertUnwindSafe(|| serve(&mut *engine, request)));
        let (answer, goes_on) = match outcome {
            Ok(answer) => (answer, true),
            Err(panic) => (Some(Answer::Panicked(message(&*panic))), false),
        };
        let is_heard = answer.is_none_or(|answer| outbox.send(answer).is_ok());
        if !goes_on || !is_heard {
            return;
        }
    }
}

fn serve(engine: &mut dyn Engine, request: Request) -> Option<Answer> {
    match request {
        Request::Propose(allowance) => return Some(Answer::Proposal(Box::new(engine.propose(&allowance)))),
        Request::MoreNatural { candidate, recipe, count } => {
            return Some(Answer::Natural(engine.more_natural(&candidate, &recipe, count)));
        }
        Request::Learn(round) => engine.learn(&round),
        Request::Inform(facts) => engine.inform(&facts),
        Request::Refute(candidate, refutation) => engine.refute(&candidate, refutation),
    }
    None
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
