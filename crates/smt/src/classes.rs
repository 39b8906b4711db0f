//! Sets of classes, for type tests. What a class is, only the caller knows: here it is a number.

use std::collections::BTreeSet;
use std::fmt;

/// A class, numbered by the caller.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// Finitely many classes, or all but finitely many. There is always a class that no set names: whoever knows that the
/// world is closed says so with a finite set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassSet {
    named: BTreeSet<ClassId>,
    /// The set is what is *not* named.
    is_complement: bool,
}

impl ClassSet {
    pub fn of(classes: impl IntoIterator<Item = ClassId>) -> ClassSet {
        ClassSet { named: classes.into_iter().collect(), is_complement: false }
    }

    pub fn all() -> ClassSet {
        ClassSet { named: BTreeSet::new(), is_complement: true }
    }

    pub fn none() -> ClassSet {
        ClassSet::of([])
    }

    pub fn complement(&self) -> ClassSet {
        ClassSet { named: self.named.clone(), is_complement: !self.is_complement }
    }

    pub fn contains(&self, class: ClassId) -> bool {
        self.named.contains(&class) != self.is_complement
    }

    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && !self.is_complement
    }

    pub fn is_all(&self) -> bool {
        self.named.is_empty() && self.is_complement
    }

    /// The only member, where there is only one.
    pub fn single(&self) -> Option<ClassId> {
        if self.is_complement || self.named.len() != 1 { None } else { self.named.first().copied() }
    }

    /// Members of a finite set; of a complement, what it leaves out.
    pub fn named(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.named.iter().copied()
    }

    pub fn is_complement(&self) -> bool {
        self.is_complement
    }

    pub fn intersection(&self, other: &ClassSet) -> ClassSet {
        let named: BTreeSet<ClassId> = match (self.is_complement, other.is_complement) {
            (false, _) => self.named.iter().copied().filter(|class| other.contains(*class)).collect(),
            (true, false) => return other.intersection(self),
            (true, true) => self.named.union(&other.named).copied().collect(),
        };
        ClassSet { named, is_complement: self.is_complement && other.is_complement }
    }

    pub fn union(&self, other: &ClassSet) -> ClassSet {
        self.complement().intersection(&other.complement()).complement()
    }

    /// The least member; of a complement, the least number that it does not leave out.
    pub fn least(&self) -> Option<ClassId> {
        if self.is_complement {
            (0..).map(ClassId).find(|class| self.contains(*class))
        } else {
            self.named.first().copied()
        }
    }
}

impl fmt::Display for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_complement { "!{" } else { "{" })?;
        for (at, class) in self.named.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { ", " }, class.0)?;
        }
        f.write_str("}")
    }
}
