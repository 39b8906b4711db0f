//! The least that an engine can be: it says whatever comes to its mind.

use crate::fakes::{LINE, NOTHING, WHOLE, saying};
use engine::{
    Allowance, Engine, EngineName, Fact, Factory, Find, Proposal, Proposed, Refutation, Registration, Round, Setup,
};
use std::sync::Arc;

const NAME: EngineName = "random";

pub(crate) const REGISTRATION: Registration =
    Registration { name: NAME, about: "random recipes", configure: |_| Ok(Arc::new(Maker)) };

#[derive(Debug)]
struct Maker;

impl Factory for Maker {
    fn name(&self) -> EngineName {
        NAME
    }

    fn make(&self, setup: &Setup) -> Box<dyn Engine> {
        Box::new(Random(setup.seed))
    }
}

/// The state of a generator.
struct Random(u64);

impl Engine for Random {
    fn name(&self) -> EngineName {
        NAME
    }

    fn propose(&mut self, allowance: &Allowance) -> Proposal {
        let mut word = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [NOTHING, NOTHING, NOTHING, LINE, WHOLE][(self.0 >> 33) as usize % 5]
        };
        let candidates = (0..allowance.candidates.min(3)).map(|_| Proposed::new(saying(word()), 1, 0)).collect();
        Proposal { candidates, ..Proposal::default() }
    }

    fn learn(&mut self, _: &Round) {}

    fn inform(&mut self, _: &[Arc<Fact>]) {}

    fn refute(&mut self, _: &Find, _: Refutation) {}
}
