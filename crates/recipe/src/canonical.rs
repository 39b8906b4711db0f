//! One form for recipes that differ only in how their variables are numbered, and a hash of it that is the same in every
//! run and on every machine.

use crate::bytes::stable_hash;
use crate::{Action, Arg, Content, Literal, Recipe, Text, VarId, binary};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// A hash of a recipe's canonical form. Equal hashes mean equal recipes, as far as 128 bits go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecipeHash(pub u128);

impl std::fmt::Debug for RecipeHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Recipe {
    /// Numbers the variables from 0 in order of introduction, and brings texts into normal form.
    #[must_use]
    pub fn canonical(mut self) -> Recipe {
        self.renumber(0);
        self.normalise_texts();
        self
    }

    /// The hash of the canonical form.
    pub fn canonical_hash(&self) -> RecipeHash {
        RecipeHash(stable_hash(&binary::to_bytes(&self.clone().canonical())))
    }

    /// The same for recipes that differ only in how their variables are numbered, in this process and in every other of the
    /// same build. Much cheaper than [`canonical_hash`](Self::canonical_hash), and only as good as 64 bits are.
    pub fn fingerprint(&self) -> u64 {
        let mut renumbered = self.clone();
        renumbered.renumber(0);
        let mut hasher = rustc_hash::FxHasher::default();
        renumbered.hash(&mut hasher);
        hasher.finish()
    }

    /// Numbers the variables from `first` on in order of introduction. A variable that is never introduced (the recipe is ill
    /// typed) gets a number too, behind those that are.
    pub(crate) fn renumber(&mut self, first: u32) {
        let mut numbers: FxHashMap<VarId, VarId> = FxHashMap::default();
        let mut number = |var: VarId| {
            let next = VarId(first + numbers.len() as u32);
            *numbers.entry(var).or_insert(next)
        };
        for body in self.roots() {
            body.for_each_introduced(&mut |var| {
                number(var);
            });
        }
        self.for_each_var_mut(&mut |var| *var = number(*var));
    }

    fn normalise_texts(&mut self) {
        let normalise = |text: &mut Text| *text = std::mem::take(text).normalised();
        self.for_each_arg_mut(&mut |arg| {
            if let Arg::Literal(Literal::String(text)) = arg {
                normalise(text);
            }
        });
        for place in self.places() {
            let Some(stmt) = self.stmt_mut(&place) else { continue };
            match &mut stmt.action {
                Action::Literal(Literal::String(text))
                | Action::TempFile { content: Content::Text(text), .. }
                | Action::Stream(_, Content::Text(text)) => normalise(text),
                Action::TempDir { files } => {
                    for (_, content) in files {
                        if let Content::Text(text) = content {
                            normalise(text);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn hashes_do_not_change_between_versions_of_ours() {
        let recipe = crate::parse("v7: java.util.ArrayList = new java.util.ArrayList(int 3)").unwrap();
        let same = crate::parse("v0: java.util.ArrayList = new java.util.ArrayList(int 3)").unwrap();
        assert_eq!(recipe.canonical_hash(), same.canonical_hash());
        insta::assert_debug_snapshot!(recipe.canonical_hash(), @"48c6059a4ffa62ec6560ac5de4255f99");
    }

    #[test]
    fn variables_are_numbered_in_order_of_introduction() {
        let recipe = crate::parse(
            "v9: java.lang.Runnable = lambda java.lang.Runnable { java.lang.Runnable.run() this v4 { v6: int = 1 } }
             call v9->java.lang.Runnable.run()",
        )
        .unwrap();
        insta::assert_snapshot!(recipe.canonical(), @r"
        v2: java.lang.Runnable = lambda java.lang.Runnable {
          java.lang.Runnable.run() this v0 {
            v1: int = 1
          }
        }
        call v2->java.lang.Runnable.run()
        ");
    }
}
