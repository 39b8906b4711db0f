//! Which numbers does the search decide with? Every chance, weight and limit that says how often, how much or in which order
//! something is tried, in one typed structure, grouped by what it decides, each with its meaning and where it was measured.
//!
//! Mechanisms (`objects`, `documents`) enumerate what can be done; whoever throws dice (`maker`, `evolve`) asks a [`Policy`] how they
//! fall. What stays beside its code: bounds that only protect from damaged or hostile input, sizes that a format defines, and fair
//! coins. `docs/policy.md` is printed from here by a test.
//!
//! Weights that belong together are arrays: an alternative is drawn as often as its weight says, and its meaning stands in the
//! same order in the text of the field.

#[macro_use]
mod numbers;
mod classes;
mod documents;
mod making;
mod search;
mod ways;

pub use classes::{Classes, Generics};
pub use documents::{Databases, Documents, Edits, Literals, Texts};
pub use making::{Callbacks, Constants, Elements, Making, Ranges, Statistics};
pub use numbers::{Group, Number};
pub use search::{
    Adaptation, Growth, Islands, LimitsTuning, LocalSearch, Loops, Message, Mutation, Naturalness, Rounds, Start,
};
pub use ways::{Access, Entries, Ways};

/// All numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    pub access: Access,
    pub ways: Ways,
    pub entries: Entries,
    pub constants: Constants,
    pub making: Making,
    pub elements: Elements,
    pub ranges: Ranges,
    pub callbacks: Callbacks,
    pub statistics: Statistics,
    pub literals: Literals,
    pub texts: Texts,
    pub documents: Documents,
    pub edits: Edits,
    pub databases: Databases,
    pub classes: Classes,
    pub generics: Generics,
    pub message: Message,
    pub start: Start,
    pub mutation: Mutation,
    pub adaptation: Adaptation,
    pub loops: Loops,
    pub naturalness: Naturalness,
    pub local_search: LocalSearch,
    pub growth: Growth,
    pub rounds: Rounds,
    pub islands: Islands,
    pub limits: LimitsTuning,
}

impl Policy {
    /// What the engine uses unless it is told otherwise.
    pub const STANDARD: Policy = Policy {
        access: Access::STANDARD,
        ways: Ways::STANDARD,
        entries: Entries::STANDARD,
        constants: Constants::STANDARD,
        making: Making::STANDARD,
        elements: Elements::STANDARD,
        ranges: Ranges::STANDARD,
        callbacks: Callbacks::STANDARD,
        statistics: Statistics::STANDARD,
        literals: Literals::STANDARD,
        texts: Texts::STANDARD,
        documents: Documents::STANDARD,
        edits: Edits::STANDARD,
        databases: Databases::STANDARD,
        classes: Classes::STANDARD,
        generics: Generics::STANDARD,
        message: Message::STANDARD,
        start: Start::STANDARD,
        mutation: Mutation::STANDARD,
        adaptation: Adaptation::STANDARD,
        loops: Loops::STANDARD,
        naturalness: Naturalness::STANDARD,
        local_search: LocalSearch::STANDARD,
        growth: Growth::STANDARD,
        rounds: Rounds::STANDARD,
        islands: Islands::STANDARD,
        limits: LimitsTuning::STANDARD,
    };

    /// The same, to be shared.
    pub fn standard() -> &'static Policy {
        static STANDARD: Policy = Policy::STANDARD;
        &STANDARD
    }

    /// Everything with its meaning, for tables.
    pub fn groups(&self) -> Vec<Group> {
        vec![
            self.access.group("access"),
            self.ways.group("ways"),
            self.entries.group("entries"),
            self.constants.group("constants"),
            self.making.group("making"),
            self.elements.group("elements"),
            self.ranges.group("ranges"),
            self.callbacks.group("callbacks"),
            self.statistics.group("statistics"),
            self.literals.group("literals"),
            self.texts.group("texts"),
            self.documents.group("documents"),
            self.edits.group("edits"),
            self.databases.group("databases"),
            self.classes.group("classes"),
            self.generics.group("generics"),
            self.message.group("message"),
            self.start.group("start"),
            self.mutation.group("mutation"),
            self.adaptation.group("adaptation"),
            self.loops.group("loops"),
            self.naturalness.group("naturalness"),
            self.local_search.group("local_search"),
            self.growth.group("growth"),
            self.rounds.group("rounds"),
            self.islands.group("islands"),
            self.limits.group("limits"),
        ]
    }
}

impl Default for Policy {
    fn default() -> Self {
        Policy::STANDARD
    }
}
