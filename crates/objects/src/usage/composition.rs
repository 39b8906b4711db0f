//! How does the program put its parts together? Somewhere a layered program makes all its repositories, services and controllers and
//! gives them to each other. What it makes there belongs together: whoever asks one of these objects sees what another one
//! was told, because both hold the same third one.

use super::scene::{Event, Scene, Value, ValueId};
use super::{MAX_SITES, Usage, is_question, longest_first, needed_by, scene_of, usage_of};
use analysis::Methods;
use program::{CallKind, CallSite, MethodRef, Program, Type};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Events of one composition: a program of a hundred parts is put together in several places.
const MAX_EVENTS: usize = 90;
/// Compositions with one part alone are no better than a constructor call.
const FEWEST_EVENTS: usize = 2;
/// Different compositions kept.
const MAX_COMPOSITIONS: usize = 4;

/// What is made, around the constructor calls that these sites are, of parts that share parts with the object; the richest first.
pub(crate) fn compositions(methods: &Methods, sites: &[CallSite]) -> Vec<Usage> {
    let mut found: Vec<Usage> = Vec::new();
    let mut shapes: FxHashSet<Vec<MethodRef>> = FxHashSet::default();
    for site in sites.iter().filter(|site| matches!(site.kind, CallKind::Invoke(_))).take(MAX_SITES) {
        let Some(scene) = scene_of(methods, site.caller) else { continue };
        let Some(first) = scene.events.iter().position(|event| event.bci == site.bci) else { continue };
        let Some(usage) = composition(&scene, first, site.caller, methods.program()) else { continue };
        let is_fitting = (FEWEST_EVENTS..=MAX_EVENTS).contains(&usage.events.len());
        if is_fitting && shapes.insert(usage.shape()) {
            found.push(usage);
        }
    }
    let mut found = longest_first(found);
    found.truncate(MAX_COMPOSITIONS);
    found
}

fn composition(scene: &Scene, first: usize, source: MethodRef, program: &Program) -> Option<Usage> {
    let object = scene.events[first].result?;
    let mut places = needed_by(scene, first);
    let gives = set_up(scene, first, object, &mut places);
    let mut shared = values_of(scene, &places);
    // Whoever is given one of the parts belongs to them, and brings the parts that it was given beside.
    loop {
        let is_one_more = |(index, event): &(usize, &Event)| {
            !places.contains(index)
                && event.method.is_constructor()
                && program.is_application_default(event.method.class)
                && event.args.iter().any(|arg| shared.contains(arg))
        };
        let Some((next, _)) = scene.events.iter().enumerate().find(is_one_more) else { break };
        places.extend(needed_by(scene, next));
        if let Some(object) = scene.events[next].result {
            set_up(scene, next, object, &mut places);
        }
        shared = values_of(scene, &places);
    }
    Some(usage_of(scene, &places, Some(gives), source))
}

/// The objects that are shared: those that the method makes, and what it was given.
fn values_of(scene: &Scene, places: &BTreeSet<usize>) -> FxHashSet<ValueId> {
    let events = places.iter().map(|index| &scene.events[*index]);
    let ids = events.flat_map(|event| event.result.into_iter().chain(event.receiver).chain(event.args.iter().copied()));
    let is_object = |id: &ValueId| match &scene.values[id.0 as usize] {
        Value::Made { ty, .. } | Value::Some(ty) => ty.as_class().is_some_and(|class| !is_plain(class.as_internal())),
        _ => false,
    };
    ids.filter(is_object).collect()
}

/// What everybody has.
fn is_plain(class: &str) -> bool {
    class.starts_with("java/lang/")
}

/// Adds what is done to the object until it is used for something: until it gets what only a running program has. Gives the object
/// as the last fluent call returned it.
fn set_up(scene: &Scene, first: usize, object: ValueId, places: &mut BTreeSet<usize>) -> ValueId {
    let mut names = vec![object];
    for (index, event) in scene.events.iter().enumerate().skip(first + 1) {
        let Some(receiver) = event.receiver.filter(|receiver| names.contains(receiver)) else { continue };
        let is_fluent = event.result.is_some_and(|result| type_of(scene, result) == type_of(scene, receiver));
        let is_told = !event.args.is_empty() && event.args.iter().all(|arg| is_known(scene, *arg));
        if !is_told || (!is_fluent && is_question(scene, event)) {
            if is_told || event.result.is_some() {
                continue;
            }
            break;
        }
        places.extend(needed_by(scene, index));
        names.extend(event.result.filter(|_| is_fluent));
    }
    names.last().copied().unwrap_or(object)
}

fn type_of(scene: &Scene, id: ValueId) -> Option<Type> {
    match &scene.values[id.0 as usize] {
        Value::Made { ty, .. } => Some(*ty),
        _ => None,
    }
}

/// Whether the value is made in this method, of constants in the end.
fn is_known(scene: &Scene, id: ValueId) -> bool {
    match &scene.values[id.0 as usize] {
        Value::Literal(_) | Value::StaticField(_) => true,
        Value::Made { event, .. } => {
            let made = &scene.events[*event];
            made.receiver.iter().chain(&made.args).all(|part| is_known(scene, *part))
        }
        Value::Cast(..) | Value::Function(_) | Value::Array { .. } => {
            scene.parts(id).into_iter().all(|part| is_known(scene, part))
        }
        Value::Some(_) => false,
    }
}
