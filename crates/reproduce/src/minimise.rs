//! Smaller recipes that show just as much: statements are removed and values simplified as long as the workers see the
//! same. All single steps from one recipe are run as one batch, and the best is taken. When the run is to stop, what is
//! reached is taken.

use crate::tidy;
use objects::Vantage;
use objects::literals;
use program::{Class, MethodRef, Program};
use recipe::{
    Access, Action, Arg, Callback, CallbackForm, CallbackMethod, Content, Def, Literal, Observation, Place, ProbePlan,
    Recipe, Runner, RunnerError,
};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps at most; each one makes the recipe strictly simpler, so this bound is for safety only.
const MAX_STEPS: usize = 400;
/// Parts of one sequence that are left out in turn; more would make a round too long.
const MOST_PARTS: usize = 40;

/// Simplifies as long as `keeps` holds of what is observed, and nothing gets less natural by it.
pub(crate) fn minimise(
    recipe: Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
    demerits: &dyn Fn(&Recipe) -> u32,
    program: &Program,
    stop: &AtomicBool,
) -> Result<Recipe, RunnerError> {
    let mut simplify = |recipe: Recipe, variants: &dyn Fn(&Recipe) -> Vec<Recipe>| {
        simplify(recipe, runner, plan, keeps, stop, &|recipe| {
            let most = demerits(recipe);
            let mut simpler = variants(recipe);
            simpler.retain(|simpler| demerits(simpler) <= most);
            simpler
        })
    };
    let real = simplify(recipe, &|recipe| plainer_callbacks(recipe, program))?;
    let plain = simplify(real, &plainer_classes)?;
    let known = simplify(plain, &tidy::plain_objects)?;
    let lighter = simplify(known, &tidy::fewer_methods)?;
    let shorter = simplify(lighter, &removals)?;
    let merged = simplify(shorter, &mergers)?;
    let emptier = simplify(merged, &fewer_elements)?;
    let fewer = simplify(emptier, &removals)?;
    let plainer = simplify(fewer, &simpler_values)?;
    let brief = simplify(plainer, &shorter_contents)?;
    let readable = simplify(brief, &tidy::shorter_callbacks)?;
    let inner = simplify(readable, &tidy::made_in_callbacks)?;
    simplify(inner, &tidy::made_where_used)
}

fn simplify(
    mut recipe: Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
    stop: &AtomicBool,
    variants: &dyn Fn(&Recipe) -> Vec<Recipe>,
) -> Result<Recipe, RunnerError> {
    for _ in 0..MAX_STEPS {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let candidates = variants(&recipe);
        let observations = runner.run(&candidates, plan)?;
        let kept = candidates.into_iter().zip(&observations).find(|(candidate, seen)| keeps(candidate, seen));
        match kept {
            Some((simpler, _)) => recipe = simpler,
            None => break,
        }
    }
    Ok(recipe)
}

/// The recipe without one statement and what depends on it, the shortest first.
fn removals(recipe: &Recipe) -> Vec<Recipe> {
    let mut shorter: Vec<Recipe> = recipe
        .places()
        .iter()
        .filter_map(|place: &Place| {
            let mut without = recipe.clone();
            let is_shorter = without.remove(place) > 0 && !without.body.stmts.is_empty();
            without.drop_unused_classes();
            is_shorter.then_some(without)
        })
        .collect();
    shorter.sort_by_key(Recipe::size);
    shorter
}

/// The recipe with an object of the class in place of an object of the test, or with one that does less.
fn plainer_callbacks(recipe: &Recipe, program: &Program) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        let Action::Callback(callback) = &stmt.action else { continue };
        let mut add = |action: Action| {
            let mut changed = recipe.clone();
            changed.body.stmts[at].action = action;
            found.push(changed);
        };
        if let CallbackForm::Subclass { constructor, args } = &callback.form
            && is_for_everybody(*constructor, program)
        {
            add(Action::New { constructor: *constructor, args: args.clone(), access: Access::Public });
        }
        let is_lambda = matches!(callback.form, CallbackForm::Lambda { .. });
        for (index, method) in callback.methods.iter().enumerate() {
            if !is_lambda && (overrides(method, program) || !gives_object(method)) {
                let mut fewer: Callback = callback.clone();
                fewer.methods.remove(index);
                add(Action::Callback(fewer));
            }
        }
    }
    found
}

fn is_for_everybody(constructor: MethodRef, program: &Program) -> bool {
    let is_public = |class: &Class| {
        let found = program.declared_method(constructor)?;
        Vantage::public().member(program, class, found.access.visibility())
    };
    program
        .class(constructor.class)
        .is_some_and(|class| !class.access.is_abstract() && is_public(&class) == Some(Access::Public))
}

/// Whether the class does something without it.
fn overrides(method: &CallbackMethod, program: &Program) -> bool {
    program.resolve_method(method.method).found().is_some_and(|found| !found.access.is_abstract())
}

/// Whether it gives something that the program may go on with: one that gives null, as a method without a body does, is less.
fn gives_object(method: &CallbackMethod) -> bool {
    let gives_reference = method.method.signature().ret.is_some_and(|ret| ret.is_reference());
    gives_reference && !matches!(method.result, None | Some(Arg::Literal(Literal::Null(_))))
}

/// The recipe without classes that it does not need, and with a member or an annotation of one of the others left out.
fn plainer_classes(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut Recipe)| {
        let mut changed = recipe.clone();
        change(&mut changed);
        changed.drop_unused_classes();
        if changed != *recipe {
            found.push(changed);
        }
    };
    add(&|_| {});
    for (at, class) in recipe.classes.iter().enumerate() {
        (0..class.methods.len()).for_each(|method| add(&|changed| drop(changed.classes[at].methods.remove(method))));
        (0..class.fields.len()).for_each(|field| add(&|changed| changed.classes[at].remove_field(field)));
        // Single settings stay: some have to be given.
        let counts: Vec<usize> = class.clone().annotations_mut().iter().map(|list| list.len()).collect();
        for (list, count) in counts.into_iter().enumerate() {
            (0..count).for_each(|index| {
                add(&|changed| drop(changed.classes[at].annotations_mut()[list].remove(index)));
            });
        }
    }
    found
}

/// The recipe with one object in place of two of the same type.
fn mergers(recipe: &Recipe) -> Vec<Recipe> {
    let defs: Vec<(usize, Def)> =
        recipe.body.stmts.iter().enumerate().filter_map(|(at, stmt)| Some((at, stmt.def?))).collect();
    let mut merged = Vec::new();
    for (later, (at, def)) in defs.iter().enumerate() {
        for (_, other) in defs[..later].iter().filter(|(_, other)| other.ty == def.ty && def.ty.is_reference()) {
            let mut changed = recipe.clone();
            changed.for_each_arg_mut(&mut |arg| {
                if arg.var() == Some(def.var) {
                    *arg = Arg::Var(other.var);
                }
            });
            changed.body.stmts.remove(*at);
            merged.push(changed);
        }
    }
    merged
}

/// The recipe with one literal made simpler.
fn simpler_values(recipe: &Recipe) -> Vec<Recipe> {
    let mut count = 0;
    recipe.clone().for_each_literal_mut(&mut |_| count += 1);
    (0..count).flat_map(|chosen| with_simpler(recipe, chosen)).collect()
}

/// The recipe with some elements of one array or collection left out. Numbers that may be its length follow.
fn fewer_elements(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        let (length, together) = match &stmt.action {
            Action::ArrayOf { elements, .. } => (elements.len(), 1),
            Action::Collection(kind, elements) => (elements.len(), if kind.is_map() { 2 } else { 1 }),
            _ => continue,
        };
        for part in literals::parts(length, together, MOST_PARTS) {
            let mut changed = recipe.clone();
            let left = length - part.len();
            if let Action::ArrayOf { elements, .. } | Action::Collection(_, elements) =
                &mut changed.body.stmts[at].action
            {
                elements.drain(part);
            }
            found.extend(with_length(&changed, length, left));
            found.push(changed);
        }
    }
    found
}

/// The recipe with another number wherever one is the length that something had.
fn with_length(recipe: &Recipe, was: usize, is: usize) -> Option<Recipe> {
    let (was, is) = (i32::try_from(was).ok()?, i32::try_from(is).ok()?);
    let mut changed = recipe.clone();
    changed.for_each_literal_mut(&mut |literal| {
        if *literal == Literal::Int(was) {
            *literal = Literal::Int(is);
        }
    });
    (changed != *recipe).then_some(changed)
}

/// The recipe with a part of one document left out.
fn shorter_contents(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        for (index, content) in stmt.clone().contents_mut().into_iter().enumerate() {
            for shorter in shortened(content) {
                let mut changed = recipe.clone();
                *changed.body.stmts[at].contents_mut()[index] = shorter;
                found.push(changed);
            }
        }
    }
    found
}

fn shortened(content: &Content) -> Vec<Content> {
    match content {
        Content::Text(text) => literals::shortened(text).into_iter().map(Content::Text).collect(),
        Content::Bytes(bytes) => {
            let without = |part: Range<usize>| Content::Bytes([&bytes[..part.start], &bytes[part.end..]].concat());
            literals::parts(bytes.len(), 1, MOST_PARTS).into_iter().map(without).collect()
        }
    }
}

fn with_simpler(recipe: &Recipe, chosen: usize) -> Vec<Recipe> {
    let mut ladder = Vec::new();
    let mut index = 0;
    recipe.clone().for_each_literal_mut(&mut |literal| {
        if index == chosen {
            ladder = literals::simpler(literal);
        }
        index += 1;
    });
    ladder
        .into_iter()
        .map(|simpler| {
            let mut changed = recipe.clone();
            let mut index = 0;
            changed.for_each_literal_mut(&mut |literal| {
                if index == chosen {
                    *literal = simpler.clone();
                }
                index += 1;
            });
            changed
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_goes_with_its_array() {
        let recipe = recipe::parse(
            "v0: java.lang.String[] = array java.lang.String {\"a\", \"b\", \"c\"}\nv1: a.B = new a.B(java.lang.String[] v0, int 0, int 3)",
        );
        let shorter: Vec<String> = fewer_elements(&recipe.unwrap()).iter().map(ToString::to_string).collect();
        assert!(shorter[0].contains("{\"c\"}") && shorter[0].contains("int 1)"), "{}", shorter[0]);
        assert!(shorter[1].contains("{\"c\"}") && shorter[1].contains("int 3)"), "{}", shorter[1]);
    }
}
