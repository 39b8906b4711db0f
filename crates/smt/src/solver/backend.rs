//! Asking: one incremental process with assumption literals, and for what it cannot answer one-shot processes, of several
//! solvers at once where clocks count.

use super::conversation::{Conversation, Silence};
use super::decode;
use super::script::{Script, Wanted, literal, name};
use super::{Dialect, Limits, SolverProgram};
use crate::answer::Why;
use crate::model::Model;
use crate::node::Term;
use crate::terms::Terms;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a solver says.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Not evaluated yet.
    Sat(Model),
    /// A part of the conjuncts that cannot hold together.
    Unsat(Vec<Term>),
    Unknown(Why),
}

/// The solvers of one user.
#[derive(Debug)]
pub(crate) struct Backend {
    programs: Vec<SolverProgram>,
    limits: Limits,
    incremental: Option<(Conversation, Script)>,
    pub(crate) starts: u64,
    pub(crate) kills: u64,
    pub(crate) deaths: u64,
}

/// A process that knows so many terms is replaced: all that was ever asserted slows down what comes.
const OLD_AGE: usize = 20_000;

impl Backend {
    /// The first program is the one for incremental use, and the only one where runs must repeat.
    pub(crate) fn new(programs: Vec<SolverProgram>, limits: Limits) -> Backend {
        Backend { programs, limits, incremental: None, starts: 0, kills: 0, deaths: 0 }
    }

    pub(crate) fn is_there(&self) -> bool {
        !self.programs.is_empty()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        // The memory limit is an argument of the process.
        if limits.memory_mb != self.limits.memory_mb {
            self.incremental = None;
        }
        self.limits = limits;
    }

    /// Asks the incremental process, which has a part of the time only: where it does not know, [`Backend::ask_alone`] comes next.
    pub(crate) fn ask(&mut self, terms: &Terms, conjuncts: &[Term]) -> Reply {
        let Some(program) = self.programs.first().cloned() else { return Reply::Unknown(Why::NoSolver) };
        let limits = self.limits.of_first_try();
        if self.incremental.as_ref().is_some_and(|(_, script)| script.len() > OLD_AGE) {
            self.incremental = None;
        }
        let (mut conversation, mut script) = match self.incremental.take() {
            Some(running) => running,
            None => match self.start(&program) {
                Ok(conversation) => (conversation, Script::default()),
                Err(why) => return Reply::Unknown(why),
            },
        };
        let mut check = if script.len() == 0 { prelude(program.dialect) } else { String::new() };
        check.push_str(&script.define(terms, conjuncts));
        check.push_str(&script.literals(terms, conjuncts));
        check.push_str(&limit_options(program.dialect, &limits));
        let literals: Vec<String> = conjuncts.iter().map(|conjunct| literal(*conjunct)).collect();
        let _ = write!(check, "(check-sat-assuming ({}))", literals.join(" "));
        let wanted = Script::wanted(terms, conjuncts);
        let question = Question {
            check,
            values: wanted.command(terms),
            core: "(get-unsat-assumptions)",
            patience: limits.patience(),
        };
        let raw = question.put(&mut conversation, &AtomicBool::new(false));
        if raw.is_usable() {
            self.incremental = Some((conversation, script));
        }
        let is_partial =
            |core: &[Term]| self.incremental.as_ref().is_none_or(|(_, s)| core.iter().any(|c| s.is_partial(*c)));
        let reply = raw.clone().decode(terms, &wanted, conjuncts, is_partial);
        self.count(&raw);
        reply
    }

    /// Asks all solvers at once, each in a process of its own; with a resource count the first only.
    pub(crate) fn ask_alone(&mut self, terms: &Terms, conjuncts: &[Term]) -> Reply {
        let contestants = if self.limits.resources.is_some() { 1 } else { self.programs.len() };
        let programs: Vec<SolverProgram> = self.programs.iter().take(contestants).cloned().collect();
        let wanted = Script::wanted(terms, conjuncts);
        let mut script = Script::default();
        let definitions = script.define(terms, conjuncts);
        let mut ready = Vec::new();
        let mut failure = Why::NoSolver;
        for program in &programs {
            let mut check = one_shot_prelude(program.dialect) + &definitions;
            for conjunct in conjuncts {
                let _ = writeln!(check, "(assert (! {} :named {}))", name(terms, *conjunct), literal(*conjunct));
            }
            check.push_str(&limit_options(program.dialect, &self.limits));
            check.push_str("(check-sat)");
            let values = wanted.command(terms);
            match self.start(program) {
                Ok(conversation) => ready.push((
                    conversation,
                    Question { check, values, core: "(get-unsat-core)", patience: self.limits.patience() },
                )),
                Err(why) => failure = why,
            }
        }
        if ready.is_empty() {
            return Reply::Unknown(failure);
        }
        let raw = race(ready);
        self.count(&raw);
        raw.decode(terms, &wanted, conjuncts, |core| core.iter().any(|conjunct| script.is_partial(*conjunct)))
    }

    fn start(&mut self, program: &SolverProgram) -> Result<Conversation, Why> {
        self.starts += 1;
        Conversation::start(program, &self.limits)
            .map_err(|error| Why::CannotStart(format!("cannot start {}: {error}", program.path.display())))
    }

    fn count(&mut self, raw: &Raw) {
        match raw {
            Raw::Silent(Silence::Died) => self.deaths += 1,
            Raw::Silent(Silence::Late) => self.kills += 1,
            _ => {}
        }
    }
}

fn prelude(dialect: Dialect) -> String {
    let mut text = String::from("(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n");
    text.push_str(match dialect {
        Dialect::Z3 => "(set-option :smt.core.minimize true)\n",
        Dialect::Cvc5 => "(set-logic ALL)\n",
    });
    text
}

fn one_shot_prelude(dialect: Dialect) -> String {
    let mut text = String::from("(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n");
    text.push_str(match dialect {
        Dialect::Z3 => "(set-option :smt.core.minimize true)\n",
        Dialect::Cvc5 => "(set-logic ALL)\n",
    });
    text
}

fn limit_options(dialect: Dialect, limits: &Limits) -> String {
    match (dialect, limits.resources) {
        (Dialect::Z3, Some(count)) => format!("(set-option :rlimit {count})\n"),
        (Dialect::Z3, None) => format!("(set-option :timeout {})\n", limits.time.as_millis()),
        // By an argument of the process.
        (Dialect::Cvc5, _) => String::new(),
    }
}

/// Commands of one query, without terms, so that other threads can ask it.
#[derive(Debug)]
struct Question {
    check: String,
    values: Option<String>,
    core: &'static str,
    patience: Duration,
}

/// An answer that is not decoded.
#[derive(Debug, Clone)]
enum Raw {
    Sat(String),
    Unsat(String),
    Unknown(String),
    Garbled(String),
    Silent(Silence),
}

impl Question {
    fn put(&self, conversation: &mut Conversation, cancel: &AtomicBool) -> Raw {
        let answer = match conversation.ask(&self.check, self.patience, cancel) {
            Ok(answer) => answer,
            Err(silence) => return Raw::Silent(silence),
        };
        let more = |conversation: &mut Conversation, command: &str| conversation.ask(command, self.patience, cancel);
        match answer.trim() {
            "sat" => match self.values.as_deref().map(|command| more(conversation, command)) {
                None => Raw::Sat("()".into()),
                Some(Ok(values)) => Raw::Sat(values),
                Some(Err(silence)) => Raw::Silent(silence),
            },
            "unsat" => match more(conversation, self.core) {
                Ok(core) => Raw::Unsat(core),
                Err(silence) => Raw::Silent(silence),
            },
            "unknown" | "timeout" => match more(conversation, "(get-info :reason-unknown)") {
                Ok(reason) => Raw::Unknown(reason),
                Err(silence) => Raw::Silent(silence),
            },
            other => Raw::Garbled(decode::clipped(other)),
        }
    }
}

impl Raw {
    /// The process can be asked again.
    fn is_usable(&self) -> bool {
        matches!(self, Raw::Sat(_) | Raw::Unsat(_) | Raw::Unknown(_))
    }

    fn is_decisive(&self) -> bool {
        matches!(self, Raw::Sat(_) | Raw::Unsat(_))
    }

    fn decode(self, terms: &Terms, wanted: &Wanted, conjuncts: &[Term], is_partial: impl Fn(&[Term]) -> bool) -> Reply {
        match self {
            Raw::Sat(values) => match decode::model(terms, wanted, &values) {
                Ok(model) => Reply::Sat(model),
                Err(problem) => Reply::Unknown(Why::Garbled(problem)),
            },
            Raw::Unsat(core) => match decode::core(conjuncts, &core) {
                Ok(core) if is_partial(&core) => Reply::Unknown(Why::Approximate),
                Ok(core) => Reply::Unsat(core),
                Err(problem) => Reply::Unknown(Why::Garbled(problem)),
            },
            Raw::Unknown(reason) => Reply::Unknown(gave_up(&reason)),
            Raw::Garbled(answer) => Reply::Unknown(Why::Garbled(answer)),
            Raw::Silent(Silence::Died) => Reply::Unknown(Why::Died),
            Raw::Silent(Silence::Late | Silence::Cancelled) => Reply::Unknown(Why::Late),
        }
    }
}

fn gave_up(reason: &str) -> Why {
    // Z3 says `canceled` for both; the limit that was set is the one that was hit.
    let limited = ["canceled", "timeout", "resource", "max. resource"];
    if limited.iter().any(|word| reason.contains(word)) { Why::Limit } else { Why::GaveUp(decode::clipped(reason)) }
}

/// The first decisive answer; else the last. The others are ended before this returns.
fn race(contestants: Vec<(Conversation, Question)>) -> Raw {
    let is_over = AtomicBool::new(false);
    let (to, from) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for (mut conversation, question) in contestants {
            let (to, is_over) = (to.clone(), &is_over);
            scope.spawn(move || {
                let raw = question.put(&mut conversation, is_over);
                let _ = to.send(raw);
            });
        }
        drop(to);
        let mut last = Raw::Silent(Silence::Died);
        for raw in from {
            if raw.is_decisive() {
                is_over.store(true, Ordering::Relaxed);
                return raw;
            }
            last = raw;
        }
        last
    })
}
