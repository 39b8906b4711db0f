//! Terms as SMT-LIB commands. A script remembers what its process knows, so that every term is sent once.

use crate::node::{Node, Term, Var};
use crate::print::smtlib;
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::Reference;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt::Write;

#[derive(Debug, Default)]
pub(crate) struct Script {
    /// What a term is called, and whether "unsatisfiable" may be wrong because of it.
    defined: FxHashMap<Term, bool>,
    literals: FxHashSet<Term>,
    has_classes: bool,
}

/// What a model is asked for, in this order.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) vars: Vec<Var>,
    /// Objects whose classes are of interest.
    pub(crate) objects: Vec<Term>,
    /// Objects that the query names.
    pub(crate) named: BTreeSet<Reference>,
}

impl Script {
    /// The number of terms that the process knows: a measure of its age.
    pub(crate) fn len(&self) -> usize {
        self.defined.len()
    }

    /// Definitions of what is new in these terms.
    pub(crate) fn define(&mut self, terms: &Terms, roots: &[Term]) -> String {
        let mut text = String::new();
        for term in terms.below(roots, |term| !self.defined.contains_key(&term)) {
            let is_partial = self.define_one(terms, term, &mut text);
            self.defined.insert(term, is_partial);
        }
        text
    }

    fn define_one(&mut self, terms: &Terms, term: Term, text: &mut String) -> bool {
        let node = terms.node(term);
        let sort = smtlib::sort(terms.sort(term));
        match &node {
            Node::Var(_) => {
                let _ = writeln!(text, "(declare-fun {} () {sort})", name(terms, term));
                return false;
            }
            Node::Reference(object) => {
                // Its class goes with it; a set of classes may be asked of whatever turns out to be this object.
                if let Some(class) = terms.allocated_class(*object) {
                    self.declare_classes(text);
                    let _ = writeln!(text, "(assert (= ({} {}) #x{:08x}))", smtlib::CLASS, name(terms, term), class.0);
                }
                return false;
            }
            _ if terms.constant(term).is_some() => return false,
            Node::ClassIn(..) => self.declare_classes(text),
            _ => {}
        }
        let written = smtlib::node(terms, &node, &name(terms, term), &|operand| name(terms, operand));
        if let Some((helper, sort)) = &written.helper {
            let _ = writeln!(text, "(declare-fun {helper} () {})", smtlib::sort(*sort));
        }
        for fact in &written.facts {
            let _ = writeln!(text, "(assert {fact})");
        }
        let _ = writeln!(text, "(define-fun {} () {sort} {})", name(terms, term), written.text);
        let mut is_partial = written.is_partial;
        node.children(|child| is_partial |= self.is_partial(child));
        is_partial
    }

    fn declare_classes(&mut self, text: &mut String) {
        if !self.has_classes {
            self.has_classes = true;
            let _ = writeln!(text, "(declare-fun {} ((_ BitVec 32)) (_ BitVec 32))", smtlib::CLASS);
        }
    }

    /// Whether "unsatisfiable" may be wrong because of this term. It must be defined.
    pub(crate) fn is_partial(&self, term: Term) -> bool {
        self.defined.get(&term).copied().unwrap_or(false)
    }

    /// Literals that imply the conjuncts, for `check-sat-assuming`.
    pub(crate) fn literals(&mut self, terms: &Terms, conjuncts: &[Term]) -> String {
        let mut text = String::new();
        for conjunct in conjuncts {
            if self.literals.insert(*conjunct) {
                let (literal, name) = (literal(*conjunct), name(terms, *conjunct));
                let _ = writeln!(text, "(declare-fun {literal} () Bool)\n(assert (=> {literal} {name}))");
            }
        }
        text
    }

    /// What a model of the conjuncts has to say.
    pub(crate) fn wanted(terms: &Terms, conjuncts: &[Term]) -> Wanted {
        let mut wanted = Wanted::default();
        for term in terms.subterms(conjuncts) {
            match terms.node(term) {
                Node::Var(var) => wanted.vars.push(var),
                Node::Reference(object) => wanted.named.extend([object]),
                Node::ClassIn(object, _) if !wanted.objects.contains(&object) => wanted.objects.push(object),
                _ => {}
            }
        }
        wanted
    }
}

impl Wanted {
    /// `None` where there is nothing to ask.
    pub(crate) fn command(&self, terms: &Terms) -> Option<String> {
        let vars = self.vars.iter().map(|var| var_name(*var));
        let objects = self.objects.iter().flat_map(|object| {
            let name = name(terms, *object);
            [name.clone(), format!("({} {name})", smtlib::CLASS)]
        });
        let asked: Vec<String> = vars.chain(objects).collect();
        if asked.is_empty() { None } else { Some(format!("(get-value ({}))", asked.join(" "))) }
    }
}

fn var_name(var: Var) -> String {
    format!("v{}", var.0)
}

/// Constants are themselves; all else has a name.
pub(crate) fn name(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Var(var) => var_name(var),
        _ => match terms.constant(term) {
            Some(value) => smtlib::value(&value),
            None => format!("t{}", term.0),
        },
    }
}

pub(crate) fn literal(conjunct: Term) -> String {
    format!("a{}", conjunct.0)
}

/// The conjunct that a literal or a named assertion stands for.
pub(crate) fn conjunct(literal: &str) -> Option<Term> {
    literal.strip_prefix('a')?.parse().ok().map(Term)
}

impl Terms {
    /// A whole query as an SMT-LIB 2 script that any solver takes, with a comment for each conjunct.
    pub fn to_smtlib(&self, conjuncts: &[Term]) -> String {
        let mut script = Script::default();
        let mut text = String::from("(set-logic ALL)\n");
        for var in self.free_vars(conjuncts) {
            let _ = writeln!(text, "; v{} is `{}`, a {}", var.0, self.var_name(var).escape_debug(), self.var_sort(var));
        }
        text.push_str(&script.define(self, conjuncts));
        for conjunct in conjuncts {
            debug_assert_eq!(self.sort(*conjunct), Sort::Bool, "conjuncts are conditions");
            let _ = writeln!(text, "(assert {})", name(self, *conjunct));
        }
        text.push_str("(check-sat)\n");
        text
    }
}
