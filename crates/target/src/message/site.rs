//! The message that a throw site gives its exception, as templates read off the bytecode.
//!
//! From the constructor call the message argument is followed through the exception's constructors down to
//! `Throwable`, and backwards through string builders, `invokedynamic` concatenation, formats, helper methods and the
//! callers on the stack to constants and values. Where there are several possibilities all are returned, up to a limit;
//! which of them was it, the reported message decides.

use super::format::{self, Piece};
use super::origin::{Origin, What, array_elements, origins};
use super::{Hole, HoleKind, Located, Template};
use crate::inquiry::Inquiry;
use crate::models;
use crate::scope::Scope;
use analysis::Lowered;
use condition::Expr;
use condition::text::{self, Naming};
use ir::{Callee, ConcatPiece, Const, Dynamic, InvokeKind, Op, Operand, Rvalue, Terminator, Var};
use program::classfile::Constant;
use program::{ClassName, FieldRef, InstrId, MethodRef, Resolved, Type};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// The templates that `message`, of the exception whose constructor call `made` is at, is an instance of.
///
/// Values that the method gets from its callers are left open, unless that leaves no constant text: then the text itself is
/// the caller's, and callers are followed one by one until there is some.
pub(crate) fn templates(made: &Rc<Scope<'_>>, message: &str) -> Vec<Template> {
    let mut open = Vec::new();
    let looks = Cell::new(MOST_LOOKS);
    for callers in made.own_depth()..=made.depth() {
        let made = made.with_callers(callers);
        let reader = Reader { units: made.units, made: Rc::clone(&made), message: Some(message), looks: &looks };
        let mut found = reader.message(&made, 0);
        found.retain(|template| template.matches(message).is_some());
        if found.iter().any(|template| template.constant_length() > 0) {
            return found;
        }
        open = found;
    }
    open
}

/// Alternatives of one text.
const MOST: usize = 8;
/// Helpers and concatenations inside each other. Constructors do not count: chains of classes are long.
const DEEPEST: u32 = 24;
/// Values that are followed for one message, before the rest is left open: helpers that call helpers are many.
const MOST_LOOKS: u32 = 4_000;

#[derive(Clone)]
struct Reader<'p, 'm> {
    units: &'p Inquiry<'p>,
    /// The constructor call that makes the exception.
    made: Rc<Scope<'p>>,
    /// The reported text, unless what is read is not a part of it, as a format is not.
    message: Option<&'m str>,
    /// How many values may still be followed.
    looks: &'m Cell<u32>,
}

impl<'p> Reader<'p, '_> {
    /// What `getMessage` gives for the exception that is made at `made`.
    fn message(&self, made: &Rc<Scope<'p>>, depth: u32) -> Vec<Template> {
        let Some((Callee::Method { method, .. }, _)) = made.unit.call_at(made.at.bci) else { return Vec::new() };
        for name in ["getLocalizedMessage", "getMessage"] {
            let plain = MethodRef::new("java/lang/Throwable", name, "()Ljava/lang/String;");
            let Resolved::Found(found) = self.units.program.select_virtual(method.class, plain) else { continue };
            if found.class.name != plain.class {
                return self.overridden(found.reference(), depth);
            }
        }
        self.constructed(made, depth)
    }

    /// A `getMessage` of the exception's own, which reads fields that the constructors have set.
    fn overridden(&self, method: MethodRef, depth: u32) -> Vec<Template> {
        let Some(unit) = self.units.get(method) else { return Vec::new() };
        let scope = Scope::outermost(self.units, unit, InstrId::at(0));
        self.returned(&scope, depth + 1)
    }

    /// The message that the constructor call gives to `Throwable`.
    fn constructed(&self, call: &Rc<Scope<'p>>, depth: u32) -> Vec<Template> {
        let Some((Callee::Method { method, .. }, args)) = call.unit.call_at(call.at.bci) else { return Vec::new() };
        if method.class.as_internal() == "java/lang/Throwable" {
            let descriptor = method.descriptor.as_str();
            return match args.get(1) {
                Some(text) if descriptor.starts_with("(Ljava/lang/String;") => {
                    self.text(call, text, call.at, None, depth + 1)
                }
                Some(cause) => vec![self.hole(call, cause, call.at, Some(HoleKind::Text))],
                None => Vec::new(),
            };
        }
        limited(self.inner_calls(call).iter().flat_map(|inner| self.constructed(inner, depth)))
    }

    /// The cause that the constructor call gives to `Throwable`, as text.
    fn cause(&self, call: &Rc<Scope<'p>>) -> Vec<Template> {
        let Some((Callee::Method { method, .. }, args)) = call.unit.call_at(call.at.bci) else { return Vec::new() };
        if method.class.as_internal() != "java/lang/Throwable" {
            return limited(self.inner_calls(call).iter().flat_map(|inner| self.cause(inner)));
        }
        let params = method.signature().params;
        let position = params.iter().position(|param| *param == Type::class("java/lang/Throwable"));
        let cause = position.and_then(|position| args.get(position + 1));
        cause.map(|cause| self.hole(call, cause, call.at, Some(HoleKind::Text))).into_iter().collect()
    }

    /// The activations of the constructor called at `call`, at the calls of `super(..)` and `this(..)` in it.
    fn inner_calls(&self, call: &Rc<Scope<'p>>) -> Vec<Rc<Scope<'p>>> {
        let unit = self.constructor(call);
        let inner = |unit: Arc<Lowered>| {
            let calls: Vec<InstrId> = constructor_calls(&unit.body).collect();
            calls.into_iter().map(|at| call.call(Arc::clone(&unit), at)).collect()
        };
        unit.map_or_else(Vec::new, inner)
    }

    /// The constructor called at `call`; none if it is being followed already, as broken classes may have it.
    fn constructor(&self, call: &Rc<Scope<'p>>) -> Option<Arc<Lowered>> {
        let (Callee::Method { method, .. }, _) = call.unit.call_at(call.at.bci)? else { return None };
        if call.contains(*method) { None } else { self.units.get(*method) }
    }

    /// What a method returns, as text.
    fn returned(&self, scope: &Rc<Scope<'p>>, depth: u32) -> Vec<Template> {
        let body = &scope.unit.body;
        let returns = body.blocks.iter().filter_map(|block| match &block.end {
            Terminator::Return(Some(value)) => Some((block.end_id, value.clone())),
            _ => None,
        });
        let returns: Vec<(InstrId, Operand)> = returns.collect();
        limited(returns.iter().flat_map(|(at, value)| self.text(scope, value, *at, None, depth + 1)))
    }

    /// The text of a value when it is concatenated; `ty` is the static type that decides how it is printed.
    fn text(&self, scope: &Rc<Scope<'p>>, value: &Operand, at: InstrId, ty: Option<Type>, depth: u32) -> Vec<Template> {
        self.looks.set(self.looks.get().saturating_sub(1));
        if depth > DEEPEST || self.looks.get() == 0 {
            return vec![self.hole(scope, value, at, None)];
        }
        let ty = ty.filter(|ty| !ty.is_reference()).or_else(|| scope.unit.body.type_of(value));
        let found = origins(scope, value, at);
        // A number that changes, as in a loop, is the variable; a text that changes is one of several.
        if found.len() > 1 && ty.is_some_and(|ty| !ty.is_reference()) {
            return vec![self.hole(scope, value, at, ty.map(kind_of))];
        }
        limited(found.into_iter().flat_map(|origin| self.origin_text(&origin, ty, depth)))
    }

    fn origin_text(&self, origin: &Origin<'p>, ty: Option<Type>, depth: u32) -> Vec<Template> {
        let templates = match &origin.what {
            What::Const(constant) => constant_text(constant, ty).map(|text| vec![Template::text(text)]),
            What::Computed(Rvalue::Invoke(callee, args)) => self.call_text(origin, callee, args, depth),
            What::Computed(Rvalue::GetStatic(field)) => self.static_text(*field),
            What::Computed(Rvalue::GetField(object, field)) => self.field_text(origin, object, *field, depth),
            What::Computed(_) | What::Open(_) => None,
        };
        templates.filter(|found| !found.is_empty()).unwrap_or_else(|| vec![self.origin_hole(origin, ty.map(kind_of))])
    }

    fn call_text(&self, origin: &Origin<'p>, callee: &Callee, args: &[Operand], depth: u32) -> Option<Vec<Template>> {
        let (method, kind) = match callee {
            Callee::Dynamic { descriptor, .. } => {
                return self.concatenation(origin, callee, descriptor.as_str(), args, depth);
            }
            Callee::Method { method, kind, .. } => (*method, *kind),
        };
        let of =
            |index: usize, ty: Option<Type>| Some(self.text(&origin.scope, args.get(index)?, origin.at, ty, depth + 1));
        let first_type = || method.signature().params.first().copied();
        match (method.class.as_internal(), method.name.as_str()) {
            ("java/lang/StringBuilder" | "java/lang/StringBuffer", "toString" | "substring") => {
                self.builder_text(origin, args.first()?, depth)
            }
            (_, "toString") if args.len() == 1 && is_builder(self.units, method.class) => {
                self.builder_text(origin, args.first()?, depth)
            }
            ("java/lang/String", "concat") => Some(self.joined(vec![of(0, None)?, of(1, None)?])),
            ("java/lang/String", "valueOf" | "copyValueOf") => of(0, first_type()),
            ("java/lang/String", "toString" | "intern" | "trim" | "strip") => of(0, None),
            ("java/lang/String", "format") => {
                let skipped = usize::from(method.descriptor.as_str().starts_with("(Ljava/util/Locale;"));
                self.formatted(origin, args.get(skipped)?, &args[skipped + 1..], format::percent, depth)
            }
            ("java/lang/String", "formatted") => {
                self.formatted(origin, args.first()?, &args[1..], format::percent, depth)
            }
            ("java/text/MessageFormat", "format") if args.len() == 2 => {
                self.formatted(origin, args.first()?, &args[1..], format::message, depth)
            }
            ("java/lang/Class", "getName" | "getSimpleName") => self.class_text(origin, args.first()?, &method),
            ("java/lang/Integer" | "java/lang/Long", "toHexString") => {
                Some(vec![self.hole(&origin.scope, args.first()?, origin.at, Some(HoleKind::Hex))])
            }
            (class, "toString") if class.starts_with("java/lang/") && args.len() == 1 => of(0, first_type()),
            ("java/util/Objects", "toString") if args.len() == 1 => of(0, None),
            (_, "getMessage" | "getLocalizedMessage") if self.is_exception(origin, args.first()?) => {
                Some(self.constructed(&self.made, depth + 1))
            }
            (_, "getCause") if self.is_exception(origin, args.first()?) => Some(self.cause(&self.made)),
            _ if models::is_boxing(method) => of(0, first_type()),
            _ if args.len() == 1 && method.signature().params.is_empty() => self
                .lambda_text(origin, args.first()?, depth)
                .or_else(|| self.helper_text(origin, (kind, method), args, depth))
                .or_else(|| self.held_text(origin, args.first()?, depth)),
            _ => self.helper_text(origin, (kind, method), args, depth),
        }
    }

    /// Inside the exception's own `getMessage`: is this value the exception?
    fn is_exception(&self, origin: &Origin<'p>, value: &Operand) -> bool {
        let is_it = |found: &Origin<'p>| {
            matches!(found.what, What::Open(Operand::Var(Var::Local(0))))
                && self.is_told_by_exception(&found.scope)
                && found.scope.caller.is_none()
                && !found.scope.unit.body.is_static
        };
        self.is_told_by_exception(&origin.scope) && origins(&origin.scope, value, origin.at).iter().all(is_it)
    }

    /// Is this an activation of the exception's own `getMessage`, or below it? That runs when the exception is printed.
    fn is_told_by_exception(&self, scope: &Scope<'p>) -> bool {
        scope.anchor().unit.reference() != self.made.anchor().unit.reference()
    }

    /// A method that returns the text, or formats its arguments.
    fn helper_text(
        &self,
        origin: &Origin<'p>,
        (kind, method): (InvokeKind, MethodRef),
        args: &[Operand],
        depth: u32,
    ) -> Option<Vec<Template>> {
        let of_exception =
            kind != InvokeKind::Static && args.first().is_some_and(|this| self.is_exception(origin, this));
        if method.signature().ret != Some(Type::class("java/lang/String")) && !of_exception {
            return None;
        }
        if let Some(found) = self.format_like(origin, method, args, depth) {
            return Some(found);
        }
        let found = match self.units.program.resolve_method(method) {
            Resolved::Found(found) if of_exception && kind != InvokeKind::Special => {
                self.of_exception(found.reference()).unwrap_or(found)
            }
            Resolved::Found(found) => found,
            Resolved::Absent | Resolved::Unknown { .. } => return None,
        };
        // The JDK's own helpers are followed only for the JDK's own exceptions.
        let foreign = self.units.program.is_jdk(found.class.name)
            && !self.units.program.is_jdk(origin.scope.unit.reference().class);
        if foreign || origin.scope.contains(found.reference()) {
            return None;
        }
        let unit = self.units.get(found.reference())?;
        let inner = origin.scope.moved(origin.at).call(unit, InstrId::at(0));
        match self.telling(&inner, depth) {
            // What the exception's own getters give is told by the constructor, be it constant or not.
            None if self.is_told_by_exception(&inner) => Some(self.returned(&inner, depth + 1)),
            found => found,
        }
    }

    /// The method that runs if this one is called on the exception.
    fn of_exception(&self, method: MethodRef) -> Option<program::FoundMethod> {
        let (Callee::Method { method: made, .. }, _) = self.made.unit.call_at(self.made.at.bci)? else { return None };
        match self.units.program.select_virtual(made.class, method) {
            Resolved::Found(found) => Some(found),
            Resolved::Absent | Resolved::Unknown { .. } => None,
        }
    }

    /// What the method returns, if some of it is constant.
    fn telling(&self, inner: &Rc<Scope<'p>>, depth: u32) -> Option<Vec<Template>> {
        let found = self.returned(inner, depth + 1);
        found.iter().any(|template| template.constant_length() > 0).then_some(found)
    }

    /// A supplier: the text is what the body of its lambda returns.
    fn lambda_text(&self, origin: &Origin<'p>, supplier: &Operand, depth: u32) -> Option<Vec<Template>> {
        let [made] = origins(&origin.scope, supplier, origin.at).try_into().ok()?;
        let Origin { scope, at, what: What::Computed(Rvalue::Invoke(callee, _)) } = made else { return None };
        let Some(Dynamic::Lambda(lambda)) = scope.unit.dynamic(&callee) else { return None };
        let (_, body) = lambda.target()?;
        // What the lambda captures are the arguments of the call site that makes it.
        let inner = scope.moved(at).call(self.units.get(body)?, InstrId::at(0));
        self.telling(&inner, depth)
    }

    /// A helper that takes a format and its arguments: whether it is one, the reported message will show.
    fn format_like(
        &self,
        origin: &Origin<'p>,
        method: MethodRef,
        args: &[Operand],
        depth: u32,
    ) -> Option<Vec<Template>> {
        let params = method.signature().params;
        let objects = Type::array_of(Type::class("java/lang/Object"));
        let format = params.iter().position(|param| *param == Type::class("java/lang/String"))?;
        let is_argument = |param: &Type| *param == objects || *param == Type::class("java/lang/Object");
        if !params.get(format + 1).is_some_and(is_argument)
            || !method.name.as_str().to_ascii_lowercase().contains("format")
        {
            return None;
        }
        let first = format + args.len() - params.len();
        let rest = &args[first + 1..];
        let mut all = Vec::new();
        for syntax in [format::percent, format::message, |text: &str| Some(format::braces(text))] {
            all.extend(self.formatted(origin, &args[first], rest, syntax, depth).unwrap_or_default());
        }
        all.retain(|template| template.holes().next().is_some());
        (!all.is_empty()).then_some(all)
    }

    /// A text that was formatted before and is held by an object: `MessageFormatter.format("{} failed", name).getMessage()`.
    fn held_text(&self, origin: &Origin<'p>, holder: &Operand, depth: u32) -> Option<Vec<Template>> {
        let [made] = origins(&origin.scope, holder, origin.at).try_into().ok()?;
        let What::Computed(Rvalue::Invoke(Callee::Method { method, .. }, args)) = &made.what else { return None };
        self.format_like(&made, *method, args, depth)
    }

    /// `+` between strings, as compilers since JEP 280 write it.
    fn concatenation(
        &self,
        origin: &Origin<'p>,
        callee: &Callee,
        descriptor: &str,
        args: &[Operand],
        depth: u32,
    ) -> Option<Vec<Template>> {
        let Some(Dynamic::Concat(pieces)) = origin.scope.unit.dynamic(callee) else { return None };
        let types = program::MethodType::parse(descriptor)?.params;
        let mut parts = Vec::new();
        for piece in &pieces {
            parts.push(match piece {
                ConcatPiece::Argument(index) => {
                    let ty = types.get(*index).copied();
                    self.text(&origin.scope, args.get(*index)?, origin.at, ty, depth + 1)
                }
                ConcatPiece::Constant(constant) => vec![Template::text(pool_text(constant))],
                ConcatPiece::Text(text) => vec![Template::text(text.text().to_owned())],
            });
        }
        Some(self.joined(parts))
    }

    /// Everything that is appended to a string builder before `toString`: once, or not on all ways, or in a loop, which could
    /// add anything.
    fn builder_text(&self, origin: &Origin<'p>, builder: &Operand, depth: u32) -> Option<Vec<Template>> {
        let scope = &origin.scope;
        let root = builder_root(scope, builder, origin.at)?;
        let (end, _) = scope.unit.place_of(origin.at)?;
        let mut parts: Vec<Vec<Template>> = Vec::new();
        for (block, instr) in scope.unit.body.instrs() {
            if instr.id.bci <= root || instr.id.bci >= origin.at.bci {
                continue;
            }
            let (Op::Invoke(callee, args) | Op::Assign(_, Rvalue::Invoke(callee, args))) = &instr.op else { continue };
            let Callee::Method { method, .. } = callee else { continue };
            if args.first().and_then(|receiver| builder_root(scope, receiver, instr.id)) != Some(root) {
                continue;
            }
            let mut added = self.appended(origin, *method, args, instr.id, depth)?;
            if scope.unit.is_in_loop(block) {
                added = vec![self.hole(scope, args.get(1)?, instr.id, Some(HoleKind::Text))];
            } else if block != end && !scope.unit.dominates(block, end) {
                added.push(Template::default());
            }
            parts.push(added);
        }
        Some(self.joined(parts))
    }

    /// What one call adds to the builder; `None` for calls that change what is there.
    fn appended(
        &self,
        origin: &Origin<'p>,
        method: MethodRef,
        args: &[Operand],
        at: InstrId,
        depth: u32,
    ) -> Option<Vec<Template>> {
        let ty = method.signature().params.first().copied();
        let text = |ty: Option<Type>| self.text(&origin.scope, &args[1], at, ty, depth + 1);
        match method.name.as_str() {
            "<init>" if args.len() == 2 && ty.is_some_and(Type::is_reference) => Some(text(ty)),
            "<init>" | "length" | "toString" | "charAt" | "ensureCapacity" | "isEmpty" => {
                Some(vec![Template::default()])
            }
            "append" if args.len() == 2 => Some(text(ty)),
            "append" => Some(vec![self.hole(&origin.scope, &args[1], at, Some(HoleKind::Text))]),
            _ => None,
        }
    }

    fn formatted(
        &self,
        origin: &Origin<'p>,
        format: &Operand,
        args: &[Operand],
        syntax: impl Fn(&str) -> Option<Vec<Piece>>,
        depth: u32,
    ) -> Option<Vec<Template>> {
        let reader = Reader { message: None, ..self.clone() };
        let formats = reader.text(&origin.scope, format, origin.at, None, depth + 1);
        let single = |value: &Operand| (Rc::clone(&origin.scope), origin.at, value.clone());
        let array = match args.first().map(|first| origin.scope.unit.body.type_of(first)) {
            Some(Some(Type::Class(_))) => Some(args.iter().map(single).collect()),
            _ => args.first().and_then(|array| array_elements(&origin.scope, array, origin.at)),
        };
        let mut all = Vec::new();
        for format in formats.iter().filter_map(Template::constant) {
            let parts = syntax(format)?.into_iter().map(|piece| match piece {
                Piece::Text(text) => vec![Template::text(text)],
                Piece::Argument(index, kind) => match array.as_ref().and_then(|array| array.get(index)) {
                    Some((scope, at, value)) => match kind {
                        None => self.text(scope, value, *at, None, depth + 1),
                        Some(kind) => vec![self.hole(scope, value, *at, Some(kind))],
                    },
                    None => vec![named_hole(kind.unwrap_or(HoleKind::Text), format!("argument {}", index + 1))],
                },
            });
            all.extend(self.joined(parts.collect()));
        }
        (!all.is_empty()).then(|| limited(all.into_iter()))
    }

    fn class_text(&self, origin: &Origin<'p>, class: &Operand, method: &MethodRef) -> Option<Vec<Template>> {
        let found = origins(&origin.scope, class, origin.at);
        let texts = found.iter().map(|found| match &found.what {
            What::Const(Const::Class(Type::Class(class))) if method.name.as_str() == "getName" => {
                Template::text(class.dotted())
            }
            What::Const(Const::Class(Type::Class(class))) => {
                Template::text(class.simple().rsplit('$').next().unwrap_or_default())
            }
            _ => self.hole(&origin.scope, class, origin.at, Some(HoleKind::Class)),
        });
        Some(texts.collect())
    }

    /// A constant; other static fields are not followed.
    fn static_text(&self, field: FieldRef) -> Option<Vec<Template>> {
        let found = self.units.program.resolve_field(field).found()?;
        let constant = found.constant_value().ok()??;
        Some(vec![Template::text(pool_text(&constant))])
    }

    /// In the exception's own `getMessage`: a field that a constructor has set.
    fn field_text(&self, origin: &Origin<'p>, object: &Operand, field: FieldRef, depth: u32) -> Option<Vec<Template>> {
        if !self.is_exception(origin, object) {
            return None;
        }
        let found = self.stored(&self.made, field, depth + 1);
        (!found.is_empty()).then_some(found)
    }

    /// What the constructor called at `call`, or one that it calls in turn, stores into the field.
    fn stored(&self, call: &Rc<Scope<'p>>, field: FieldRef, depth: u32) -> Vec<Template> {
        let Some(unit) = self.constructor(call) else { return Vec::new() };
        let mut all = Vec::new();
        for (_, instr) in unit.body.instrs() {
            if let Op::PutField { object: Operand::Var(Var::Local(0)), field: put, value } = &instr.op
                && put.name == field.name
            {
                let inner = call.call(Arc::clone(&unit), instr.id);
                all.extend(self.text(&inner, value, instr.id, None, depth + 1));
            }
        }
        for at in constructor_calls(&unit.body) {
            all.extend(self.stored(&call.call(Arc::clone(&unit), at), field, depth));
        }
        limited(all.into_iter())
    }

    /// All combinations of the alternatives of the parts, in order, as far as the message may contain them.
    fn joined(&self, parts: Vec<Vec<Template>>) -> Vec<Template> {
        let mut all = vec![Template::default()];
        for alternatives in parts {
            let combined =
                || all.iter().flat_map(|start| alternatives.iter().map(|end| start.clone().then(end.clone())));
            let is_possible = |template: &Template| self.message.is_none_or(|message| template.may_be_in(message));
            let possible: Vec<Template> = combined().filter(is_possible).take(MOST).collect();
            // A text that the message does not contain is still what is built here.
            all = if possible.is_empty() { combined().take(MOST).collect() } else { possible };
        }
        all
    }

    fn hole(&self, scope: &Rc<Scope<'p>>, value: &Operand, at: InstrId, kind: Option<HoleKind>) -> Template {
        let mut found = origins(scope, value, at);
        let only = if found.len() == 1 { found.pop() } else { None };
        let ty = scope.unit.body.type_of(value);
        let kind = kind.or_else(|| ty.map(kind_of));
        let several = Origin { scope: Rc::clone(scope), at, what: What::Open(value.clone()) };
        self.origin_hole(&only.unwrap_or(several), kind)
    }

    /// A hole for what was followed as far as here.
    fn origin_hole(&self, origin: &Origin<'p>, kind: Option<HoleKind>) -> Template {
        let here = origin.scope.moved(origin.at);
        // Seen from its own activation, since parameters were followed already; but what the JDK's insides are called means
        // nothing to people, so there it is seen from the call into the JDK.
        let is_jdk = here.units.program.is_jdk(here.unit.reference().class);
        let scope = if is_jdk { Scope::clone(&here) } else { Scope { caller: None, ..Scope::clone(&here) } };
        let value = match &origin.what {
            What::Const(constant) => scope.value(&Operand::Const(constant.clone()), origin.at),
            What::Computed(value) => scope.computed_value(value, origin.at),
            What::Open(operand) => scope.value(operand, origin.at),
        };
        let anchor = scope.anchor();
        // What the exception computes when it is printed is no value at the crash.
        let is_late = self.is_told_by_exception(&origin.scope);
        let is_told = value.is_known() && !is_late && !(is_jdk && anchor.unit.reference() == scope.unit.reference());
        let about = is_told.then(|| Located { at: anchor.point(), value: value.clone() });
        let subject = match seen_by_callers(&here, origin, &value) {
            _ if !is_told => "..".into(),
            Some(seen) => text::expr(&seen, here.anchor()),
            None => text::expr(&value, anchor),
        };
        Template::hole(Hole { kind: kind.unwrap_or(HoleKind::Text), subject, about })
    }
}

/// A value of an object that is not the one of the frame, in terms of the callers: what is `this` to a helper has a name there.
fn seen_by_callers(here: &Scope<'_>, origin: &Origin<'_>, own: &Expr) -> Option<Expr> {
    if here.caller.is_none() || !own.contains(&|part| *part == Expr::This) {
        return None;
    }
    let seen = match &origin.what {
        What::Const(_) => return None,
        What::Computed(value) => here.computed_value(value, origin.at),
        What::Open(operand) => here.value(operand, origin.at),
    };
    let is_named = |part: &Expr| !matches!(part, Expr::Created(..) | Expr::Operand(_));
    let names = |part: &Expr| match part {
        Expr::Operand(depth) => here.anchor().operand(*depth).is_some_and(|known| known.is_known() && is_named(&known)),
        other => is_named(other),
    };
    (seen.is_known() && !seen.contains(&|part| !names(part))).then_some(seen)
}

fn named_hole(kind: HoleKind, subject: String) -> Template {
    Template::hole(Hole { kind, subject, about: None })
}

/// How a value of this static type is printed.
fn kind_of(ty: Type) -> HoleKind {
    match ty {
        Type::Boolean => HoleKind::Bool,
        Type::Char => HoleKind::Char,
        Type::Byte | Type::Short | Type::Int | Type::Long => HoleKind::Int,
        Type::Float | Type::Double => HoleKind::Float,
        Type::Class(_) | Type::Array(_) => HoleKind::Text,
    }
}

fn constant_text(constant: &Const, ty: Option<Type>) -> Option<String> {
    Some(match constant {
        Const::Null => "null".into(),
        Const::Int(value) => match ty {
            Some(Type::Char) => char::from_u32(u32::try_from(*value).ok()?)?.to_string(),
            Some(Type::Boolean) => (*value != 0).to_string(),
            _ => value.to_string(),
        },
        Const::Long(value) => value.to_string(),
        Const::String(value) => value.text().to_owned(),
        _ => return None,
    })
}

fn pool_text(constant: &Constant) -> String {
    match constant {
        Constant::String(text) => text.text().to_owned(),
        Constant::Int(value) => value.to_string(),
        Constant::Long(value) => value.to_string(),
        Constant::Class(ty) => ty.to_string(),
        _ => String::new(),
    }
}

/// Calls of `super(..)` and `this(..)` in a constructor.
fn constructor_calls(body: &ir::Body) -> impl Iterator<Item = InstrId> + '_ {
    body.instrs().filter_map(|(_, instr)| match &instr.op {
        Op::Invoke(Callee::Method { method, .. }, args)
            if method.is_constructor() && args.first() == Some(&Operand::Var(Var::Local(0))) =>
        {
            Some(instr.id)
        }
        _ => None,
    })
}

/// The `new` that a string builder comes from, through local variables and calls that return the builder itself.
fn builder_root(scope: &Scope<'_>, builder: &Operand, at: InstrId) -> Option<u16> {
    use analysis::Assignment;
    let mut current = (builder.clone(), at);
    for _ in 0..256 {
        let Operand::Var(var) = &current.0 else { return None };
        let Assignment::At(defined, value) = scope.unit.only_assignment(*var, current.1)? else { return None };
        match value {
            Rvalue::New(class) if is_builder(scope.units, *class) => return Some(defined.bci),
            Rvalue::Use(from) | Rvalue::Cast(from, _) => current = (from.clone(), defined),
            Rvalue::Invoke(Callee::Method { method, .. }, args) if is_builder(scope.units, method.class) => {
                current = (args.first()?.clone(), defined);
            }
            _ => return None,
        }
    }
    None
}

/// The JDK's builders, and classes that are built like them: an `append` for texts that gives the builder back, and a `toString` of
/// their own. What else such a class can do to its text is not followed.
fn is_builder(units: &Inquiry<'_>, class: ClassName) -> bool {
    if matches!(class.as_internal(), "java/lang/StringBuilder" | "java/lang/StringBuffer") {
        return true;
    }
    let name = class.as_internal();
    let own =
        |method: &str, descriptor: &str| match units.program.resolve_method(MethodRef::new(name, method, descriptor)) {
            Resolved::Found(found) => found.class.name == class,
            Resolved::Absent | Resolved::Unknown { .. } => false,
        };
    own("append", &format!("(Ljava/lang/String;)L{name};")) && own("toString", "()Ljava/lang/String;")
}

fn limited(templates: impl Iterator<Item = Template>) -> Vec<Template> {
    let mut unique: Vec<Template> = Vec::new();
    for template in templates {
        if unique.len() < MOST && !unique.contains(&template) {
            unique.push(template);
        }
    }
    unique
}
