//! Over whole terms: order, variables, substitution, independent parts, and moving terms between stores.

use crate::classes::{ClassId, ClassSet};
use crate::node::{Node, Term, Var};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::Reference;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Terms {
    /// All terms in these, operands before what they are in; only those that `enter` lets in, and what is below them.
    pub(crate) fn below(&self, roots: &[Term], enter: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut open: Vec<Term> = roots.iter().copied().filter(|root| enter(*root)).collect();
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            found.push(term);
            self.children(term, |child| {
                if enter(child) && !seen.contains(&child) {
                    open.push(child);
                }
            });
        }
        // Operands have smaller numbers.
        found.sort_unstable();
        found
    }

    /// All terms in these, operands before what they are in.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        self.below(roots, |_| true)
    }

    pub fn free_vars(&self, roots: &[Term]) -> BTreeSet<Var> {
        let vars = self.subterms(roots).into_iter().filter_map(|term| match self.node(term) {
            Node::Var(var) => Some(var),
            _ => None,
        });
        vars.collect()
    }

    /// The term with other terms in place of some, all at once; simplified on the way. What is put in is not looked at
    /// again.
    pub fn substitute(&self, term: Term, put: &FxHashMap<Term, Term>) -> Term {
        self.substitute_all(&[term], put)[0]
    }

    /// The same for several terms, which share the work.
    pub fn substitute_all(&self, roots: &[Term], put: &FxHashMap<Term, Term>) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for next in self.below(roots, |term| !put.contains_key(&term)) {
            let node = self.node(next);
            let mut is_changed = false;
            let new = node.map_children(|child| {
                let new = put.get(&child).or_else(|| done.get(&child)).copied().unwrap_or(child);
                is_changed |= new != child;
                new
            });
            done.insert(next, if is_changed { self.build(new) } else { next });
        }
        roots.iter().map(|root| put.get(root).or_else(|| done.get(root)).copied().unwrap_or(*root)).collect()
    }

    /// The conjuncts in groups that share no variable, each with the positions of its members; in the order of first
    /// members. Conjuncts without variables are groups of their own.
    pub fn independent_parts(&self, conjuncts: &[Term]) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..conjuncts.len()).collect();
        let mut owner: BTreeMap<Var, usize> = BTreeMap::new();
        for (at, conjunct) in conjuncts.iter().enumerate() {
            for var in self.free_vars(&[*conjunct]) {
                let first = *owner.entry(var).or_insert(at);
                join(&mut group, first, at);
            }
        }
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..conjuncts.len() {
            parts.entry(root(&mut group, at)).or_default().push(at);
        }
        parts.into_values().collect()
    }
}

/// The least member of the group.
fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

fn join(group: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(group, a), root(group, b));
    group[a.max(b)] = a.min(b);
}

/// Terms apart from any store, for other threads: see [`Terms::export`].
#[derive(Debug, Clone)]
pub struct Exported {
    nodes: Vec<(Term, Node)>,
    roots: Vec<Term>,
    vars: BTreeMap<Var, (Arc<str>, Sort)>,
    sets: FxHashMap<crate::node::ClassSetId, Arc<ClassSet>>,
    objects: BTreeMap<Reference, ClassId>,
}

impl Terms {
    /// A copy that can be sent and shared.
    pub fn export(&self, roots: &[Term]) -> Exported {
        let mut out = Exported {
            nodes: Vec::new(),
            roots: roots.to_vec(),
            vars: BTreeMap::new(),
            sets: FxHashMap::default(),
            objects: BTreeMap::new(),
        };
        for term in self.subterms(roots) {
            let node = self.node(term);
            match &node {
                Node::Var(var) => {
                    out.vars.insert(*var, (self.var_name(*var), self.var_sort(*var)));
                }
                Node::ClassIn(_, set) => {
                    out.sets.insert(*set, self.classes(*set));
                }
                Node::Reference(object) => {
                    out.objects.extend(self.allocated_class(*object).map(|class| (*object, class)));
                }
                _ => {}
            }
            out.nodes.push((term, node));
        }
        out
    }

    /// The exported roots as terms of this store. Variables are the same if their names are; allocated objects become new
    /// objects here, one for each, at each import.
    pub fn import(&self, exported: &Exported) -> Vec<Term> {
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        for (old, node) in &exported.nodes {
            let term = match node {
                Node::Var(var) => {
                    let (name, sort) = &exported.vars[var];
                    self.var(name, *sort)
                }
                Node::Reference(object) if exported.objects.contains_key(object) => {
                    self.allocate(exported.objects[object])
                }
                Node::ClassIn(a, set) => self.class_in(known[a], &exported.sets[set]),
                node => self.build(node.map_children(|child| known[&child])),
            };
            known.insert(*old, term);
        }
        exported.roots.iter().map(|root| known[root]).collect()
    }
}
