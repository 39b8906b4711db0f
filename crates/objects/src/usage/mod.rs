//! What do others do before they call this method? Small slices of code around call sites in the jars, as sequences that a
//! maker can replay: the constructor that is used, the setters that come first, the constants that are passed.

mod composition;
mod defaults;
mod scene;

pub(crate) use composition::compositions;
pub(crate) use scene::Scene;
pub use scene::{Event, Function, Value, ValueId};

use analysis::Methods;
use program::{CallKind, CallSite, MethodRef, Type};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A sequence of calls that ends in the one asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// From whose code it was taken.
    pub source: MethodRef,
    pub events: Vec<Event>,
    /// What the sequence is for: the result of the last call, or the object that was set up.
    pub gives: Option<ValueId>,
    /// The values that the events refer to, by [`ValueId`] of the source's code.
    pub values: Vec<(ValueId, Value)>,
}

/// Longer sequences are the program's business, not an example of how to use a class.
const MAX_EVENTS: usize = 12;
/// Call sites looked at.
const MAX_SITES: usize = 40;
/// Different sequences kept.
const MAX_USAGES: usize = 8;

impl Usage {
    pub fn value(&self, id: ValueId) -> Option<&Value> {
        let place = self.values.binary_search_by_key(&id, |(known, _)| *known).ok()?;
        Some(&self.values[place].1)
    }

    /// What the sequence shows, without where it was found.
    fn shape(&self) -> Vec<MethodRef> {
        self.events.iter().map(|event| event.method).collect()
    }
}

/// Sequences that end with a call of the method, longer ones first: they show more of what is needed.
pub(crate) fn usages(methods: &Methods, sites: &[CallSite]) -> Vec<Usage> {
    let direct = sites.iter().filter(|site| !site.by_overriding && matches!(site.kind, CallKind::Invoke(_)));
    let mut found: Vec<Usage> = Vec::new();
    let mut shapes: FxHashSet<Vec<MethodRef>> = FxHashSet::default();
    for site in direct.take(MAX_SITES) {
        let Some(scene) = scene_of(methods, site.caller) else { continue };
        let Some(last) = scene.events.iter().position(|event| event.bci == site.bci) else { continue };
        let usage = slice(&scene, last, scene.events[last].result, site.caller);
        if usage.events.len() <= MAX_EVENTS && shapes.insert(usage.shape()) {
            found.push(usage);
        }
    }
    longest_first(found)
}

/// Sequences that make an object by the constructor or factory whose call sites these are, and then set it up. Only those that
/// do more than make it.
pub(crate) fn set_ups(methods: &Methods, sites: &[CallSite]) -> Vec<Usage> {
    let mut found: Vec<Usage> = Vec::new();
    let mut shapes: FxHashSet<Vec<MethodRef>> = FxHashSet::default();
    for site in sites.iter().filter(|site| matches!(site.kind, CallKind::Invoke(_))).take(MAX_SITES) {
        let Some(scene) = scene_of(methods, site.caller) else { continue };
        let Some(first) = scene.events.iter().position(|event| event.bci == site.bci) else { continue };
        let Some(object) = scene.events[first].result else { continue };
        let Some(last) = last_set_up(&scene, first, object) else { continue };
        let usage = slice(&scene, last, Some(object), site.caller);
        if usage.events.len() <= MAX_EVENTS && shapes.insert(usage.shape()) {
            found.push(usage);
        }
    }
    longest_first(found)
}

/// What the caller does; nothing for a method that is too long to tell anything.
fn scene_of(methods: &Methods, caller: MethodRef) -> Option<Scene> {
    let end = |code: &program::Code| code.end();
    let is_short = methods.program().declared_method(caller)?.readable_code().map(end)? <= scene::MAX_CODE;
    is_short.then(|| methods.look_at(caller).map(|caller| Scene::of(&caller))).flatten()
}

/// The last call on the object before it is given to somebody else.
fn last_set_up(scene: &Scene, first: usize, object: ValueId) -> Option<usize> {
    let later = scene.events.iter().enumerate().skip(first + 1);
    let own = later.take_while(|(_, event)| !event.args.contains(&object));
    own.filter(|(_, event)| event.receiver == Some(object)).map(|(index, _)| index).last()
}

fn longest_first(mut found: Vec<Usage>) -> Vec<Usage> {
    // Stable, so that equally long ones stay in the order of their sources.
    found.sort_by_key(|usage| std::cmp::Reverse(usage.events.len()));
    found.truncate(MAX_USAGES);
    found
}

/// The events that the last one needs: those that made its values, and those that were done to its objects before.
fn slice(scene: &Scene, last: usize, gives: Option<ValueId>, source: MethodRef) -> Usage {
    usage_of(scene, &needed_by(scene, last), gives, source)
}

/// The places of these events, in their order.
fn needed_by(scene: &Scene, last: usize) -> BTreeSet<usize> {
    let mut needed: FxHashSet<ValueId> = FxHashSet::default();
    let mut events = BTreeSet::new();
    for (index, event) in scene.events[..=last].iter().enumerate().rev() {
        let makes = event.result.is_some_and(|result| needed.contains(&result));
        let on_needed = event.receiver.is_some_and(|receiver| needed.contains(&receiver) && scene.is_made(receiver));
        let changes = on_needed && !is_question(scene, event);
        if index == last || makes || changes {
            event.receiver.iter().chain(&event.args).for_each(|id| need(scene, *id, &mut needed));
            events.insert(index);
        }
    }
    events
}

fn usage_of(scene: &Scene, places: &BTreeSet<usize>, gives: Option<ValueId>, source: MethodRef) -> Usage {
    let events: Vec<Event> = places.iter().map(|index| scene.events[*index].clone()).collect();
    let mut needed: FxHashSet<ValueId> = FxHashSet::default();
    for event in &events {
        event.receiver.iter().chain(&event.args).for_each(|id| need(scene, *id, &mut needed));
        needed.extend(event.result);
    }
    let mut values: Vec<(ValueId, Value)> =
        needed.iter().map(|id| (*id, scene.values[id.0 as usize].clone())).collect();
    values.sort_by_key(|(id, _)| *id);
    Usage { source, events, gives, values }
}

/// An object is asked, and not changed, by a call whose answer is used further, or that takes nothing and answers.
fn is_question(scene: &Scene, event: &Event) -> bool {
    event.result.is_some_and(|result| event.args.is_empty() || scene.is_used(result))
}

fn need(scene: &Scene, id: ValueId, needed: &mut FxHashSet<ValueId>) {
    if needed.insert(id) {
        scene.parts(id).into_iter().for_each(|part| need(scene, part, needed));
    }
}

/// For people and snapshots, one call a line.
impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "from {}", self.source)?;
        for event in &self.events {
            let shown = |id: &ValueId| match self.value(*id) {
                Some(Value::Literal(literal)) => format!("{literal:?}"),
                Some(Value::StaticField(field)) => field.to_string(),
                Some(Value::Some(ty)) => format!("<{ty}>"),
                Some(Value::Function(function)) => {
                    format!("{}::{}", function.target.class.simple(), function.target.name)
                }
                Some(Value::Array { component, elements }) => format!("{component}[{}]", elements.len()),
                Some(Value::Made { .. } | Value::Cast(..)) | None => format!("v{}", id.0),
            };
            let result = event.result.map_or(String::new(), |id| format!("v{} = ", id.0));
            let receiver = event.receiver.map_or(String::new(), |id| format!("{}.", shown(&id)));
            let args: Vec<String> = event.args.iter().map(shown).collect();
            writeln!(
                f,
                "  {result}{receiver}{}.{}({})",
                event.method.class.simple(),
                event.method.name,
                args.join(", ")
            )?;
        }
        Ok(())
    }
}

/// Whether a literal of the class file's types can stand for the parameter's: the JVM's `int` is Java's `boolean`, `byte`,
/// `char` and `short` as well.
pub fn narrowed(literal: &recipe::Literal, to: Type) -> Option<recipe::Literal> {
    use recipe::Literal;
    match (literal, to) {
        (Literal::Int(value), Type::Boolean) => Some(Literal::Boolean(*value != 0)),
        (Literal::Int(value), Type::Byte) => i8::try_from(*value).ok().map(Literal::Byte),
        (Literal::Int(value), Type::Char) => u16::try_from(*value).ok().map(Literal::Char),
        (Literal::Int(value), Type::Short) => i16::try_from(*value).ok().map(Literal::Short),
        (other, to) if other.ty() == to => Some(other.clone()),
        (Literal::String(_) | Literal::Class(_), Type::Class(_)) => Some(literal.clone()),
        _ => None,
    }
}
