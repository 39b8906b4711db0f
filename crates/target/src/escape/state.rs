//! What is known of an exception at one place of a method: which variables may hold it, or something that has it.

use ir::{Operand, Var};
use program::ClassName;
use std::collections::{BTreeMap, BTreeSet};

/// What a variable holds that leads to the exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Carrier {
    /// The exception, or one that has it among its causes; its exact class, where that is known.
    Thrown(Option<ClassName>),
    /// Another object that keeps it.
    Holder,
}

impl Carrier {
    fn join(self, other: Carrier) -> Carrier {
        if self == other { self } else { Carrier::Thrown(None) }
    }
}

/// An object that this activation has made itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Made {
    /// The bytecode index of its creation.
    pub(super) at: u16,
    /// None for an array.
    pub(super) class: Option<ClassName>,
}

/// A variable that may hold the exception; `surely` if it does on every path on which the exception is still in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Carried {
    carrier: Carrier,
    surely: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    carried: BTreeMap<Var, Carried>,
    made: BTreeMap<Var, Made>,
    /// Objects made here, by their creation, that somebody else may have got hold of: what they take in from then on is out.
    published: BTreeSet<u16>,
    /// Outcomes of `instanceof` that the exception's class decides.
    decided: BTreeMap<Var, bool>,
    /// What a handler that begins here takes.
    pub(super) caught: Option<Carrier>,
}

impl State {
    /// The state at the start of a handler.
    pub(super) fn catching(&self, caught: Option<Carrier>) -> State {
        State { caught, ..self.clone() }
    }

    pub(super) fn carrier(&self, operand: &Operand) -> Option<Carrier> {
        self.carried.get(&operand.as_var()?).map(|carried| carried.carrier)
    }

    pub(super) fn sure(&self, operand: &Operand) -> Option<Carrier> {
        self.carried.get(&operand.as_var()?).filter(|carried| carried.surely).map(|carried| carried.carrier)
    }

    pub(super) fn made(&self, operand: &Operand) -> Option<Made> {
        self.made.get(&operand.as_var()?).copied()
    }

    pub(super) fn decided(&self, operand: &Operand) -> Option<bool> {
        self.decided.get(&operand.as_var()?).copied()
    }

    /// Whether the exception can no longer be got at.
    fn is_out_of_sight(&self) -> bool {
        self.carried.is_empty() && self.caught.is_none()
    }

    pub(super) fn forget(&mut self, var: Var) {
        self.carried.remove(&var);
        self.made.remove(&var);
        self.decided.remove(&var);
    }

    pub(super) fn carry(&mut self, var: Var, carrier: Carrier) {
        self.carried.insert(var, Carried { carrier, surely: true });
    }

    pub(super) fn make(&mut self, var: Var, made: Made) {
        self.forget(var);
        self.made.insert(var, made);
    }

    /// Whoever it was given to, or was put into, may look at it later.
    pub(super) fn publish(&mut self, operand: &Operand) {
        if let Some(made) = self.made(operand) {
            self.published.insert(made.at);
        }
    }

    pub(super) fn is_published(&self, made: Made) -> bool {
        self.published.contains(&made.at)
    }

    pub(super) fn decide(&mut self, var: Var, outcome: bool) {
        self.decided.insert(var, outcome);
    }

    /// `to` is from now on what `from` is.
    pub(super) fn copy(&mut self, to: Var, from: &Operand) {
        let Some(from) = from.as_var() else { return self.forget(to) };
        let (carried, made) = (self.carried.get(&from).copied(), self.made.get(&from).copied());
        let decided = self.decided.get(&from).copied();
        self.forget(to);
        self.carried.extend(carried.map(|carried| (to, carried)));
        self.made.extend(made.map(|made| (to, made)));
        self.decided.extend(decided.map(|decided| (to, decided)));
    }

    /// An object that was made here takes the exception in: all names of it carry it.
    pub(super) fn fill(&mut self, made: Made, carrier: Carrier) {
        let names: Vec<Var> = self.made.iter().filter(|(_, known)| known.at == made.at).map(|(var, _)| *var).collect();
        names.into_iter().for_each(|var| self.carry(var, carrier));
    }

    /// Takes in what holds on another path to the same place; whether that changed anything. A path on which the exception is
    /// out of sight says nothing of it.
    pub(super) fn join(&mut self, other: &State) -> bool {
        if other.is_out_of_sight() {
            return false;
        }
        if self.is_out_of_sight() {
            self.clone_from(other);
            return true;
        }
        let before = self.clone();
        for (var, carried) in &mut self.carried {
            carried.surely &= other.carried.get(var).is_some_and(|other| other.surely);
        }
        for (var, theirs) in &other.carried {
            match self.carried.get_mut(var) {
                Some(ours) => ours.carrier = ours.carrier.join(theirs.carrier),
                None => {
                    self.carried.insert(*var, Carried { surely: false, ..*theirs });
                }
            }
        }
        self.made.retain(|var, made| other.made.get(var) == Some(made));
        self.published.extend(&other.published);
        self.decided.retain(|var, decided| other.decided.get(var) == Some(decided));
        self.caught = match (self.caught, other.caught) {
            (Some(one), Some(other)) => Some(one.join(other)),
            (one, other) => one.or(other),
        };
        *self != before
    }
}
