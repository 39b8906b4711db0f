//! What the reported message says about the values at the crash: the fillings of the template's holes, bound to the values
//! they were printed from; for the JVM's own messages, bound to the operands of the failed check.

use super::{Hole, HoleKind, Located, NullCause, NullText, Template, known, site};
use crate::inquiry::Inquiry;
use crate::model::{FactValue, MessageFact, ThrowKind, ThrowSite};
use crate::scope::Scope;
use crate::throws::Found;
use condition::{CompareOp, Condition, Expr, text};
use crash_report::Throwable;
use ir::Callee;
use program::{ClassName, MethodRef};

/// What was made of a message.
#[derive(Default)]
pub(crate) struct Reading {
    /// Those that the message is an instance of and that have constant text, the most telling first.
    pub(crate) templates: Vec<Template>,
    pub(crate) facts: Vec<MessageFact>,
}

/// Reads the message of an exception whose throw sites were found.
pub(crate) fn read(units: &Inquiry<'_>, exception: ClassName, thrown: &Throwable, found: &[Found<'_>]) -> Reading {
    let Some(message) = thrown.message.as_deref() else { return Reading::default() };
    let mut reading = Reading::default();
    let own = own_templates(message, found);
    let sites: Vec<&ThrowSite> = found.iter().map(|found| &found.site).collect();
    if let Some((template, from)) = own.first() {
        reading.facts = template_facts(&knowing_cause(template, message, thrown), message, Some(*from));
        // A value that could not be followed has no name, and then its text says nothing.
        reading.facts.retain(|fact| fact.about.is_some() || fact.subject.starts_with("argument"));
    }
    let known = known(exception, message);
    if reading.facts.is_empty() {
        reading.facts = known_facts(units, &known, message, &sites);
    }
    reading.facts.extend(null_fact(units, exception, message, &sites));
    reading.facts = without_repetition(reading.facts);
    let all = own.into_iter().map(|(template, _)| template).chain(known);
    for template in all.filter(|template| template.constant_length() > 0) {
        if !reading.templates.contains(&template) {
            reading.templates.push(template);
        }
    }
    reading
}

/// A text may name the same value twice: the end of a range is often the length.
fn without_repetition(facts: Vec<MessageFact>) -> Vec<MessageFact> {
    let mut kept: Vec<MessageFact> = Vec::new();
    for fact in facts {
        if !kept.iter().any(|known| known.subject == fact.subject && known.value == fact.value) {
            kept.push(fact);
        }
    }
    kept
}

/// The templates of the throw sites that the message is an instance of, with the method that makes the exception; the one
/// with the most constant text first.
fn own_templates(message: &str, found: &[Found<'_>]) -> Vec<(Template, MethodRef)> {
    let mut own: Vec<(Template, MethodRef)> = Vec::new();
    for made in found.iter().flat_map(|found| &found.made) {
        for template in site::templates(made, message) {
            if !own.iter().any(|(known, _)| *known == template) {
                own.push((template, made.unit.reference()));
            }
        }
    }
    own.sort_by_key(|(template, _)| std::cmp::Reverse(template.constant_length()));
    own
}

/// The template with the text of the reported cause in the place of a value, if the message has it there: texts that go on with
/// the cause's (`..; nested exception is ..`) can often be split in many ways, but what the cause says is known.
fn knowing_cause(template: &Template, message: &str, thrown: &Throwable) -> Template {
    let Some(cause) = thrown.cause.as_deref() else { return template.clone() };
    let whole = cause.message.as_ref().map(|text| format!("{}: {text}", cause.class));
    let texts = whole.iter().chain(&cause.message).chain(std::iter::once(&cause.class));
    for text in texts.filter(|text| !text.is_empty()) {
        for hole in 0..template.parts.len() {
            let known = template.with_text(hole, text);
            if known.as_ref().is_some_and(|known| known.matches(message).is_some()) {
                return known.unwrap_or_default();
            }
        }
    }
    template.clone()
}

fn template_facts(template: &Template, message: &str, from: Option<MethodRef>) -> Vec<MessageFact> {
    let Some(instance) = template.matches(message) else { return Vec::new() };
    let holes = template.holes().zip(&instance.holes);
    holes
        .map(|(hole, filling)| MessageFact {
            about: hole.about.clone(),
            subject: hole.subject.clone(),
            value: value_of(hole, &message[filling.range.clone()]),
            certain: filling.certain,
            from,
        })
        .collect()
}

fn value_of(hole: &Hole, text: &str) -> FactValue {
    match hole.kind {
        HoleKind::Int => text.parse().map_or_else(|_| FactValue::Text(text.into()), FactValue::Int),
        HoleKind::Bool => FactValue::Int(i64::from(text == "true")),
        HoleKind::Class => FactValue::Class(ClassName::from_dotted(text)),
        HoleKind::Text | HoleKind::Hex | HoleKind::Float | HoleKind::Char | HoleKind::Word | HoleKind::Name => {
            FactValue::Text(text.into())
        }
    }
}

/// The holes of a known message, bound to the operands of the best site.
fn known_facts(units: &Inquiry<'_>, known: &[Template], message: &str, sites: &[&ThrowSite]) -> Vec<MessageFact> {
    let Some(template) = known.first() else { return Vec::new() };
    let mut facts = template_facts(template, message, None);
    // The target of a cast is in the code; where the classes were loaded matters to nobody.
    facts.retain(|fact| !matches!(fact.subject.as_str(), "target" | "where"));
    let Some(best) = sites.first() else { return facts };
    let is_only = sites.iter().filter(|site| site.kind == best.kind).count() == 1;
    for fact in &mut facts {
        let Some(value) = role(units, best, &fact.subject) else { continue };
        if let Some(unit) = units.get(best.at.method) {
            let shown = text::expr(&value, &*Scope::outermost(units, unit, best.at.at));
            // A constant of the code has no name, and what it is worth is no news.
            if !shown.starts_with(['"', '\'', '-']) && !shown.starts_with(|c: char| c.is_ascii_digit()) {
                fact.subject = shown;
            }
        }
        fact.about = Some(Located { at: best.at, value });
        fact.certain &= is_only;
    }
    facts
}

/// The value of a site's condition that plays the part that a known message names.
fn role(units: &Inquiry<'_>, site: &ThrowSite, subject: &str) -> Option<Expr> {
    let compared = |wanted: &[CompareOp]| {
        comparisons(&site.condition.when).into_iter().find(|(op, ..)| wanted.contains(op)).map(|(_, l, r)| (l, r))
    };
    match (site.kind, subject) {
        (ThrowKind::ArrayIndex | ThrowKind::Library, "index") => {
            compared(&[CompareOp::Ge]).or_else(|| compared(&[CompareOp::Lt])).map(|(index, _)| index.clone())
        }
        (ThrowKind::ArrayIndex | ThrowKind::Library, "length") => {
            compared(&[CompareOp::Ge]).map(|(_, length)| length.clone())
        }
        (ThrowKind::NegativeSize, "size") => compared(&[CompareOp::Lt]).map(|(size, _)| size.clone()),
        (ThrowKind::ClassCast | ThrowKind::ArrayStore, "actual") => tested(&site.condition.when).cloned(),
        (ThrowKind::Library, "argument") => text_argument(units, site),
        _ => None,
    }
}

fn comparisons(when: &Condition) -> Vec<(CompareOp, &Expr, &Expr)> {
    match when {
        Condition::Compare { op, left, right, .. } => vec![(*op, left, right)],
        Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(comparisons).collect(),
        _ => Vec::new(),
    }
}

/// The value whose type is tested.
fn tested(when: &Condition) -> Option<&Expr> {
    match when {
        Condition::InstanceOf(value, _) | Condition::Storable { value, .. } => Some(value),
        Condition::Not(inner) => tested(inner),
        Condition::All(parts) => parts.iter().find_map(tested),
        _ => None,
    }
}

/// The only text among the arguments of the call that throws.
fn text_argument(units: &Inquiry<'_>, site: &ThrowSite) -> Option<Expr> {
    let unit = units.get(site.at.method)?;
    let (Callee::Method { method, .. }, _) = unit.call_at(site.at.at.bci)? else { return None };
    let params = method.signature().params;
    let is_text = |ty: &program::Type| {
        matches!(ty.as_class().map(ClassName::as_internal), Some("java/lang/String" | "java/lang/CharSequence"))
    };
    let mut texts = params.iter().enumerate().filter(|(_, ty)| is_text(ty));
    let (index, _) = texts.next().filter(|_| texts.next().is_none())?;
    u8::try_from(params.len() - 1 - index).ok().map(Expr::Operand)
}

/// `this.map` is null, from a helpful text.
fn null_fact(units: &Inquiry<'_>, exception: ClassName, message: &str, sites: &[&ThrowSite]) -> Option<MessageFact> {
    if exception.as_internal() != "java/lang/NullPointerException" {
        return None;
    }
    let cause: NullCause = NullText::parse(message)?.cause?;
    let about =
        sites.iter().find(|site| site.kind == ThrowKind::NullDereference).and_then(|site| match &site.condition.when {
            Condition::IsNull(value) => Some(Located { at: site.at, value: value.clone() }),
            _ => None,
        });
    let subject = returned_text(units, &cause, about.as_ref()).unwrap_or_else(|| cause.subject());
    Some(MessageFact { about, subject, value: FactValue::Null, certain: true, from: None })
}

/// A returned value as the source has it: `path.getFileName()` instead of the method with its whole class.
fn returned_text(units: &Inquiry<'_>, cause: &NullCause, about: Option<&Located>) -> Option<String> {
    let NullCause::ReturnValue(_) = cause else { return None };
    let Located { at, value } = about?;
    let scope = Scope::outermost(units, units.get(at.method)?, at.at);
    Some(text::expr(value, &*scope)).filter(|text| !text.contains('?'))
}
