//! Models and cores out of what solvers print.

use super::script::{Wanted, conjunct};
use crate::classes::ClassId;
use crate::model::Model;
use crate::node::Term;
use crate::sexp::{self, Sexp};
use crate::sort::Sort;
use crate::terms::Terms;

/// The answer to [`Wanted::command`].
pub(crate) fn model(terms: &Terms, wanted: &Wanted, answer: &str) -> Result<Model, String> {
    let read = Sexp::read_all(answer)?;
    let [Sexp::List(pairs)] = &read[..] else { return Err(format!("`{}` is no list of values", clipped(answer))) };
    let mut values = pairs.iter().map(|pair| match pair.list() {
        Some([_, value]) => Ok(value),
        _ => Err(format!("`{pair:?}` is no pair")),
    });
    let mut next = || values.next().ok_or("values are missing")?;
    let mut model = Model::new();
    for var in &wanted.vars {
        model.set(*var, sexp::value(next()?, terms.var_sort(*var))?);
    }
    for _ in &wanted.objects {
        let object = sexp::value(next()?, Sort::Ref)?.as_ref().ok_or("an object is no reference")?;
        let class = sexp::value(next()?, Sort::Bv(32))?.as_unsigned().and_then(|class| u32::try_from(class).ok());
        if !object.is_null() {
            model.set_class(object, ClassId(class.ok_or("a class is no number")?));
        }
    }
    Ok(model.compact(&wanted.named))
}

/// The answer to `get-unsat-assumptions` or `get-unsat-core`, as a part of the conjuncts.
pub(crate) fn core(conjuncts: &[Term], answer: &str) -> Result<Vec<Term>, String> {
    let read = Sexp::read_all(answer)?;
    let [Sexp::List(names)] = &read[..] else { return Err(format!("`{}` is no core", clipped(answer))) };
    let mut core = Vec::new();
    for name in names {
        let term = name.atom().and_then(conjunct).filter(|term| conjuncts.contains(term));
        core.push(term.ok_or_else(|| format!("`{name:?}` is no conjunct"))?);
    }
    core.sort_unstable();
    core.dedup();
    Ok(core)
}

/// The beginning of a text, for messages.
pub(crate) fn clipped(text: &str) -> String {
    const SHOWN: usize = 120;
    let text = text.trim();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
