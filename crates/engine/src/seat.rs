//! One engine on a thread of its own. Requests are served in their order; nobody has to wait for an answer.

use crate::{Allowance, Candidate, Engine, EngineName, Fact, Find, Proposal, Refutation, Round, Standing};
use recipe::Recipe;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

pub(crate) enum Request {
    Propose(Allowance),
    Learn(Arc<Round>),
    Inform(Arc<[Arc<Fact>]>),
    Refute(Arc<Find>, Refutation),
    MoreNatural {
        candidate: Arc<Candidate>,
        recipe: Arc<Recipe>,
        count: usize,
    },
    /// To be answered when all that was asked before is done.
    Settle,
}

pub(crate) enum Answer {
    Settled,
    Proposal(Box<Proposal>),
    Natural(Vec<Recipe>),
    Panicked(String),
}

/// Of the engine with this number.
pub(crate) type Mail = (usize, Answer);

/// Makes an engine on the thread that it will work on: what it prepares holds up nobody.
pub(crate) type Maker = Box<dyn FnOnce() -> Box<dyn Engine> + Send>;

/// Trees of the program are deep now and then, and an overflow would end the whole process.
const STACK: usize = 64 << 20;

/// What the crew knows of an engine.
pub(crate) struct Seat {
    pub(crate) name: EngineName,
    requests: Sender<Request>,
    /// A proposal was asked for and has not come yet.
    pub(crate) is_asked: bool,
    /// The proposal that came and was not taken yet.
    pub(crate) proposal: Option<Proposal>,
    /// It has nothing left to do of what it was told before that was last asked.
    pub(crate) is_settled: bool,
    /// Rounds that were run since it was last asked.
    pub(crate) behind: u32,
    /// Why the engine is no longer asked.
    pub(crate) left_out: Option<String>,
    /// As it last said.
    pub(crate) standing: Standing,
    /// It can be asked for more natural tests.
    pub(crate) makes_natural: bool,
}

impl Seat {
    pub(crate) fn new(number: usize, name: EngineName, make: Maker, mail: Sender<Mail>) -> std::io::Result<Seat> {
        let (requests, inbox) = channel();
        // Never joined: an engine that does not come back ends with the process.
        let thread = std::thread::Builder::new().name(format!("engine {name}")).stack_size(STACK);
        thread.spawn(move || work(make, &inbox, |answer| mail.send((number, answer)).is_ok()))?;
        Ok(Seat {
            name,
            requests,
            is_asked: false,
            proposal: None,
            is_settled: true,
            behind: 0,
            left_out: None,
            standing: Standing::default(),
            makes_natural: true,
        })
    }

    /// Unless it still thinks about what it was asked before.
    pub(crate) fn ask(&mut self, allowance: Allowance) {
        if !self.is_asked && self.proposal.is_none() && self.left_out.is_none() {
            self.is_asked = true;
            self.behind = 0;
            self.tell(Request::Propose(allowance));
        }
    }

    /// Whatever it is, an engine that is gone has said why, or its mail is still on the way.
    pub(crate) fn tell(&mut self, request: Request) {
        if self.left_out.is_none() {
            let _ = self.requests.send(request);
        }
    }

    /// Whether it can answer at once.
    pub(crate) fn is_free(&self) -> bool {
        self.left_out.is_none() && !self.is_asked
    }

    /// Takes in what it answered; gives what was not a proposal.
    pub(crate) fn receive(&mut self, answer: Answer) -> Option<Vec<Recipe>> {
        match answer {
            Answer::Proposal(proposal) => {
                self.is_asked = false;
                self.proposal = Some(*proposal);
                None
            }
            Answer::Natural(recipes) => Some(recipes),
            Answer::Settled => {
                self.is_settled = true;
                None
            }
            Answer::Panicked(why) => {
                self.is_asked = false;
                self.proposal = None;
                self.left_out = Some(why);
                Some(Vec::new())
            }
        }
    }
}

fn work(make: Maker, inbox: &Receiver<Request>, answer: impl Fn(Answer) -> bool) {
    // What a panic left half done is never used again.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut engine = make();
        for request in inbox {
            if !serve(&mut *engine, request).is_none_or(&answer) {
                return;
            }
        }
    }));
    if let Err(panic) = outcome {
        answer(Answer::Panicked(message(&*panic)));
    }
}

fn serve(engine: &mut dyn Engine, request: Request) -> Option<Answer> {
    match request {
        Request::Propose(allowance) => return Some(Answer::Proposal(Box::new(engine.propose(&allowance)))),
        Request::MoreNatural { candidate, recipe, count } => {
            return Some(Answer::Natural(engine.more_natural(&candidate, &recipe, count)));
        }
        Request::Settle => return Some(Answer::Settled),
        Request::Learn(round) => engine.learn(&round),
        Request::Inform(facts) => engine.inform(&facts),
        Request::Refute(find, refutation) => engine.refute(&find, refutation),
    }
    None
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
