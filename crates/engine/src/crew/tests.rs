//! Scripted engines: what the crew does with those that are quick, slow, silent or broken.

use super::*;
use crate::{Assessment, Engine, FactKind, Nearness, NewFact, Proposal, Proposed};
use program::{ClassName, CodePoint, InstrId, MethodRef};
use std::collections::VecDeque;
use std::sync::Mutex;

/// What an engine does when it is asked the next time.
enum Turn {
    /// Candidates that enter at these frames.
    Give(&'static [u32]),
    Tell(&'static str),
    Panic,
    /// Comes back only when it is stopped.
    Hang,
    End(Outlook),
    /// Wants far archives.
    Widen,
}

struct Scripted {
    name: EngineName,
    turns: VecDeque<Turn>,
    heard: Arc<Mutex<Vec<String>>>,
}

type Heard = Arc<Mutex<Vec<String>>>;

fn scripted(name: EngineName, turns: impl IntoIterator<Item = Turn>) -> ((EngineName, Maker), Heard) {
    let heard = Heard::default();
    let engine = Scripted { name, turns: turns.into_iter().collect(), heard: heard.clone() };
    ((name, Box::new(move || Box::new(engine))), heard)
}

fn seen(class: &str) -> NewFact {
    let at = CodePoint { method: MethodRef::new("a/B", "c", "()V"), at: InstrId::at(1) };
    NewFact { kind: FactKind::Receiver { at, class: ClassName::internal(class) }, cut: false, loose: false }
}

impl Scripted {
    fn hear(&self, what: String) {
        self.heard.lock().expect("nobody panics with it").push(what);
    }
}

impl Engine for Scripted {
    fn name(&self) -> EngineName {
        self.name
    }

    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        let mut proposal = Proposal::default();
        match self.turns.pop_front() {
            Some(Turn::Give(entries)) => {
                let proposed = |entry: &u32| Proposed::new(Recipe::default(), *entry, u64::from(*entry));
                proposal.candidates = entries.iter().map(proposed).collect();
            }
            Some(Turn::Tell(class)) => proposal.facts.push(seen(class)),
            Some(Turn::Panic) => panic!("a mistake in {}", self.name),
            Some(Turn::Hang) => {
                while !allowance.stop.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Some(Turn::End(outlook)) => proposal.standing.outlook = outlook,
            Some(Turn::Widen) => proposal.widens = true,
            None => {}
        }
        proposal
    }

    fn learn(&mut self, round: &Round) {
        // Whoever does not wait for it is ahead of it.
        std::thread::sleep(Duration::from_millis(5));
        self.hear(format!("learnt {}", round.candidates.len()));
    }

    fn inform(&mut self, facts: &[Arc<Fact>]) {
        facts.iter().for_each(|fact| self.hear(format!("told by {}", fact.source)));
    }

    fn refute(&mut self, find: &Find, _: Refutation) {
        self.hear(format!("refuted {}", find.candidate.id.0));
    }

    fn more_natural(&mut self, _: &Candidate, recipe: &Recipe, _: usize) -> Vec<Recipe> {
        vec![recipe.clone()]
    }
}

/// Of a candidate that did nothing.
fn nothing() -> Assessment {
    let nowhere = Nearness { frames_to_go: 1, missing: 1, line: crate::LineDistance::NEVER_ENTERED };
    Assessment {
        entry: 1,
        comparison: None,
        unmatched: 1,
        is_cut_short: false,
        inwards: nowhere,
        outwards: nowhere,
        precondition: 0.0,
        condition: 1.0,
        root: None,
        is_thrown_elsewhere: false,
        message: crate::FARTHEST_MESSAGE,
        demerits: 0,
        blocked_at: None,
    }
}

const COUNTED: Pace = Pace::Counted { steps: 10 };

fn crew(engines: Vec<(EngineName, Maker)>, pace: Pace) -> Crew {
    Crew::of(engines, pace, Arc::default()).expect("threads")
}

fn round(crew: &mut Crew) -> Vec<(u64, EngineName, u32)> {
    crew.ask(8, None);
    // Long enough that only an engine that hangs does not make it.
    let deadline = Instant::now() + Duration::from_secs(30);
    let collected = crew.collect(8, Some(deadline));
    collected.iter().map(|candidate| (candidate.id.0, candidate.engine, candidate.entry())).collect()
}

#[test]
fn rounds_are_put_together_in_the_order_of_the_engines() {
    let (one, _) = scripted("one", [Turn::Give(&[1, 2]), Turn::Give(&[])]);
    let (two, _) = scripted("two", [Turn::Give(&[3]), Turn::Give(&[4])]);
    let mut crew = crew(vec![one, two], COUNTED);
    assert_eq!(round(&mut crew), [(0, "one", 1), (1, "one", 2), (2, "two", 3)]);
    assert_eq!(round(&mut crew), [(3, "two", 4)]);
}

#[test]
fn a_round_has_no_more_candidates_than_there_is_room_for() {
    let (one, _) = scripted("one", [Turn::Give(&[1; 6])]);
    let (two, _) = scripted("two", [Turn::Give(&[2; 6])]);
    assert_eq!(round(&mut crew(vec![one, two], COUNTED)).len(), 8);
}

#[test]
fn facts_reach_the_others_with_the_next_round() {
    let (one, heard) = scripted("one", [Turn::Give(&[1]), Turn::Give(&[1]), Turn::Give(&[1])]);
    let (two, _) = scripted("two", [Turn::Tell("a/X"), Turn::Tell("a/X"), Turn::Tell("a/Y")]);
    let mut crew = crew(vec![one, two], COUNTED);
    let told = || heard.lock().expect("nobody panics").len();
    round(&mut crew);
    assert_eq!(told(), 0);
    round(&mut crew);
    assert_eq!(told(), 1);
    round(&mut crew);
    assert_eq!(told(), 1, "the same fact is told once");
    assert_eq!(crew.blackboard.standing().count(), 2);
}

/// The catalogue is everybody's.
#[test]
fn what_all_share_changes_while_nobody_does_anything() {
    let (one, heard) = scripted("one", [Turn::Widen, Turn::Give(&[1]), Turn::Give(&[1])]);
    let (two, _) = scripted("two", [Turn::Give(&[2]), Turn::Give(&[2]), Turn::Give(&[2])]);
    let mut crew = crew(vec![one, two], COUNTED);
    let widened = heard.clone();
    crew.widen = Box::new(move || widened.lock().expect("nobody panics").push("widened".into()));
    assert_eq!(round(&mut crew).len(), 1);
    crew.learn(&Arc::default());
    assert_eq!(round(&mut crew).len(), 2);
    crew.learn(&Arc::default());
    assert_eq!(round(&mut crew).len(), 2);
    assert_eq!(*heard.lock().expect("nobody panics"), ["learnt 0", "widened", "learnt 0"]);
}

#[test]
fn one_that_panics_is_left_out_and_said() {
    let (one, _) = scripted("one", [Turn::Give(&[1]), Turn::Give(&[1])]);
    let (two, _) = scripted("two", [Turn::Panic]);
    let mut crew = crew(vec![one, two], COUNTED);
    assert_eq!(round(&mut crew).len(), 1);
    assert_eq!(crew.left_out().collect::<Vec<_>>(), [("two", "a mistake in two")]);
    assert_eq!(round(&mut crew).len(), 1);
    assert!(crew.is_open());
}

#[test]
fn one_that_hangs_holds_up_nobody() {
    let (one, heard) = scripted("one", [Turn::Hang]);
    let (two, _) = scripted("two", [Turn::Give(&[1]), Turn::Give(&[2])]);
    let mut crew = crew(vec![one, two], Pace::Timed);
    assert_eq!(round(&mut crew), [(0, "two", 1)]);
    assert_eq!(round(&mut crew), [(1, "two", 2)]);
    let candidate =
        Arc::new(Candidate { id: CandidateId(0), engine: "two", proposed: Proposed::new(Recipe::default(), 1, 0) });
    let late = Some(Instant::now() + Duration::from_secs(30));
    assert_eq!(crew.more_natural(&candidate, &Recipe::default(), 3, late).len(), 1, "the other one answers");
    assert_eq!(crew.left_out().count(), 0);
    assert!(heard.lock().expect("nobody panics").is_empty());
}

/// Claims wait for the answers: nobody is asked who has nothing to say.
#[test]
fn only_who_makes_tests_more_natural_is_asked_for_it() {
    for (able, answers) in [([true, true], 2), ([false, true], 1), ([false, false], 0)] {
        let (one, _) = scripted("one", [Turn::Give(&[1])]);
        let (two, _) = scripted("two", []);
        let mut crew = crew(vec![one, two], COUNTED);
        crew.seats.iter_mut().zip(able).for_each(|(seat, able)| seat.makes_natural = able);
        crew.ask(8, None);
        let candidates = crew.collect(8, None);
        assert_eq!(crew.more_natural(&candidates[0], &Recipe::default(), 3, None).len(), answers, "{able:?}");
    }
}

#[test]
fn who_interrupts_waits_for_nobody() {
    let (one, _) = scripted("one", [Turn::Hang]);
    let mut crew = crew(vec![one], COUNTED);
    crew.interrupted.store(true, Ordering::Relaxed);
    crew.ask(8, None);
    assert!(crew.collect(8, None).is_empty());
}

/// What the orchestrator does in every round: ask, run, learn, collect.
#[test]
fn who_answers_misses_no_round_and_who_hangs_misses_some() {
    const ROUNDS: usize = 3 * MOST_BEHIND as usize;
    let (one, heard) = scripted("one", (0..=ROUNDS).map(|_| Turn::Give(&[1])));
    let (two, _) = scripted("two", [Turn::Hang]);
    let mut crew = crew(vec![one, two], Pace::Timed);
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    for _ in 0..ROUNDS {
        crew.ask(8, deadline);
        crew.learn(&Arc::default());
        assert_eq!(crew.collect(8, deadline).len(), 1);
    }
    // Requests are served in their order: whoever proposes again has learnt everything before.
    crew.ask(8, deadline);
    assert_eq!(crew.collect(8, deadline).len(), 1);
    assert_eq!(heard.lock().expect("nobody panics").len(), ROUNDS);
    assert_eq!(crew.seats.iter().map(|seat| seat.behind).collect::<Vec<_>>(), [0, ROUNDS as u32]);
}

#[test]
fn where_nobody_has_anything_the_round_is_empty() {
    let (one, _) = scripted("one", [Turn::End(Outlook::Barren)]);
    let (two, _) = scripted("two", [Turn::End(Outlook::Done)]);
    let mut crew = crew(vec![one, two], Pace::Timed);
    assert_eq!(round(&mut crew), []);
    assert!(!crew.is_open() && !crew.is_barren());
}

#[test]
fn everybody_learns_from_everybody() {
    let (one, first) = scripted("one", [Turn::Give(&[1])]);
    let (two, second) = scripted("two", [Turn::Give(&[2])]);
    let mut crew = crew(vec![one, two], COUNTED);
    crew.ask(8, None);
    let candidates = crew.collect(8, None);
    let refuted = Find { candidate: candidates[0].clone(), assessment: nothing() };
    crew.learn(&Arc::new(Round { candidates, ..Round::default() }));
    crew.refute(&refuted, Refutation::NotConfirmed);
    round(&mut crew);
    for heard in [first, second] {
        assert_eq!(*heard.lock().expect("nobody panics"), ["learnt 2", "refuted 0"]);
    }
}
