//! Calls that the log suggests: the objects of a candidate are told again what the program was told before it crashed.

use super::{Core, Tools};
use crate::log_calls::{LogCall, is_name_of};
use crate::rehearsal::{Rehearsal, Stage, Told};
use maker::Choose;
use objects::{AccessContext, Callable, Draft, Entry, EntryPoint, Param, Usable};
use program::{ClassName, MethodRef, Type};
use recipe::{Action, Arg, Collection, Literal, Recipe, Stmt, VarId};

impl Tools<'_> {
    /// Repeats most of the calls that the log tells of, as far as the draft has objects to make them on. The last line is about the
    /// crash itself.
    pub(super) fn tell_again(&mut self, draft: &mut Draft, from: AccessContext) {
        let told = self.told;
        let numbers = &self.rng.policy().start;
        let lines = self.rng.pick(&numbers.lines);
        for line in told.split_last().map_or(&[][..], |(_, before)| before) {
            if self.is_told(line, lines) {
                self.tell(draft, line, from);
            }
        }
    }

    /// How often candidates repeat the log, or, where it tells nothing, build up the state of a program in layers call by call.
    pub(crate) fn rehearses(&self, core: &Core) -> f64 {
        let numbers = &self.rng.policy().start;
        match self.told.len() {
            0 | 1 if self.extras.mined_usages && self.is_layered(core) => numbers.rehearsed_without_log,
            0 | 1 => 0.0,
            _ => numbers.rehearsed,
        }
    }

    /// Whether the core's object is put together of many others by the program itself: these have a state of their own.
    fn is_layered(&self, core: &Core) -> bool {
        let layers = self.rng.policy().start.layers;
        let is_made_of_many = |entry: &Entry| match entry.point {
            EntryPoint::Call(method) => {
                let owners = self.catalogue.owners(method);
                let all = owners.iter().map(|owner| self.catalogue.compositions(*owner));
                all.into_iter().any(|compositions| compositions.iter().any(|usage| usage.events.len() >= layers))
                    || owners.iter().any(|owner| self.has_many_parts(*owner))
            }
            _ => false,
        };
        core.entries.iter().any(is_made_of_many)
    }

    /// Whether constructors ask for many objects of the program, directly or for each other: a container makes them.
    fn has_many_parts(&self, class: ClassName) -> bool {
        let program = self.catalogue.program();
        let most = self.rng.policy().start.parts;
        let mut parts: Vec<ClassName> = vec![class];
        let mut next = 0;
        while let Some(class) = parts.get(next).and_then(|name| program.class(*name)) {
            next += 1;
            let constructors = class.methods.iter().filter(|method| method.is_constructor());
            let asked = constructors.flat_map(|constructor| constructor.reference().signature().params);
            for part in asked.filter_map(Type::as_class).filter(|part| program.is_application_default(*part)) {
                if !parts.contains(&part) && parts.len() <= most {
                    parts.push(part);
                }
            }
        }
        parts.len() > most
    }

    /// Goes on with calls of the log that worked before, or begins with the objects that they are made on; in the end the core is
    /// called.
    pub(crate) fn rehearse(&mut self, core: &Core, stage: &Stage) -> Option<(Recipe, Rehearsal)> {
        let from = core.from;
        let before = stage.choose(from, self.rng).cloned();
        let (mut draft, mut rehearsal, next) = match &before {
            Some(known) => {
                let rehearsal = Rehearsal { went_on_with: Some(known.number()), ..known.rehearsal.clone() };
                (Draft::after(known.recipe.clone()), rehearsal, known.next_line())
            }
            None => {
                let mut draft = Draft::new();
                let (method, receiver) = self.composed(&mut draft, core)?;
                (draft, Rehearsal { method, receiver, told: Vec::new(), went_on_with: None }, 0)
            }
        };
        let told = self.told;
        let lines = self.rng.pick(&self.rng.policy().start.lines);
        let is_stuck = before.is_some_and(|known| known.failures > self.rng.policy().start.tries_of_line);
        for (number, line) in told.iter().enumerate().take(told.len().saturating_sub(1)).skip(next) {
            let is_left_out = number == next && is_stuck && self.rng.bool();
            if !is_left_out && self.is_told(line, lines) && self.tell(&mut draft, line, from).is_some() {
                rehearsal.told.push(Told { line: number, end: draft.position() });
            }
        }
        let numbers = &self.rng.policy().start;
        // Where no log tells anything, this is all that builds up a state.
        let (often, most) =
            if told.len() > 1 { (numbers.acts, 1) } else { (numbers.acts_without_log, numbers.most_acts) };
        for _ in 0..most {
            if !self.rng.chance(often) {
                break;
            }
            if self.act(&mut draft, from).is_some() {
                let line = told.len().max(rehearsal.told.last().map_or(0, |last| last.line + 1));
                rehearsal.told.push(Told { line, end: draft.position() });
            }
        }
        let args = self.told_arguments(&mut draft, rehearsal.method, from);
        let (receiver, method) = (rehearsal.receiver.clone(), rehearsal.method);
        self.usual_maker(from).call_with(&mut draft, &receiver, method, args)?;
        Some((draft.finish(), rehearsal))
    }

    /// One more call, which no log tells of, on one of the objects: it has to work, and to be given something.
    fn act(&mut self, draft: &mut Draft, from: AccessContext) -> Option<()> {
        let program = self.catalogue.program();
        let of_program = |ty: Type| ty.as_class().is_some_and(|class| program.is_application_default(class));
        let known: Vec<(VarId, ClassName)> = draft
            .variables()
            .iter()
            .filter(|known| of_program(known.ty))
            .filter_map(|known| Some((known.id, known.ty.as_class()?)))
            .collect();
        // An object of which some method touches what the crash looks at is likelier than one that has none.
        let weight = |(_, class): &(VarId, ClassName)| {
            let weights = self.pool.relevance_of_members(*class, from, &self.catalogue.members(*class, from));
            weights.iter().copied().fold(0.0, f64::max)
        };
        let weights: Vec<f64> = known.iter().map(weight).collect();
        let (object, _) = *known.get(self.rng.index_by_weight(weights.into_iter())?)?;
        let checkpoint = draft.checkpoint();
        let acted = self.benign_maker(from).act_on(draft, object).is_some();
        let is_given = |stmt: &Stmt| matches!(&stmt.action, Action::Call { args, .. } if !args.is_empty());
        let last = draft.position().checked_sub(1).and_then(|at| draft.recipe().body.stmts.get(at));
        if !acted || !last.is_some_and(is_given) {
            draft.take_back(checkpoint);
            return None;
        }
        Some(())
    }

    /// The object that the core is called on, with all that shares parts with it.
    fn composed(&mut self, draft: &mut Draft, core: &Core) -> Option<(MethodRef, Arg)> {
        let chosen = self.rng.index_by_weight(core.entries.iter().map(|entry| entry.weight))?;
        let EntryPoint::Call(method) = core.entries[chosen].point else { return None };
        let owners = self.catalogue.owners(method);
        let owner = *owners.first()?;
        let mut maker = self.usual_maker(core.from);
        let receiver = maker.compose(draft, &owners).or_else(|| maker.inject(draft, owner))?;
        Some((method, receiver))
    }

    /// All lines, those that have something to do with the crash, or most.
    fn is_told(&mut self, line: &LogCall, lines: usize) -> bool {
        match lines {
            0 => true,
            1 => line.is_related,
            _ => self.rng.chance(self.rng.policy().start.told_line),
        }
    }

    /// The arguments that the log has for a call of the method, mostly those of the last line that names it.
    pub(super) fn told_arguments(
        &mut self,
        draft: &mut Draft,
        method: MethodRef,
        from: AccessContext,
    ) -> Vec<Option<Arg>> {
        let Some(callable) = self.catalogue.callable(method) else { return Vec::new() };
        let is_named = |phrase: &&Vec<String>| is_name_of(phrase, method);
        let phrases: Vec<&Vec<String>> =
            self.told.iter().rev().flat_map(|line| &line.phrases).filter(is_named).collect();
        let back = self.rng.small(phrases.len().saturating_sub(1));
        match phrases.get(back) {
            Some(phrase) => self.arguments_of_phrase(draft, &callable, &phrase[1..], from),
            None => Vec::new(),
        }
    }

    fn tell(&mut self, draft: &mut Draft, line: &LogCall, from: AccessContext) -> Option<()> {
        if let Some((method, given)) = &line.written_by
            && let Some(object) = self.object_with(draft, *method)
        {
            let callable = self.catalogue.callable(*method)?;
            let mut args: Vec<Option<Arg>> = vec![None; callable.params.len()];
            for (index, text) in given {
                *args.get_mut(*index)? = self.read_as(draft, text, callable.params[*index].ty, from);
            }
            return self.benign_maker(from).call_with(draft, &Arg::Var(object), *method, args).map(|_| ());
        }
        for phrase in &line.phrases {
            let members = self.members_named(draft, phrase, from);
            if let Some((object, usable)) = self.rng.one(&members).cloned() {
                let args = self.arguments_of_phrase(draft, &usable.callable, &phrase[1..], from);
                let method = usable.callable.method;
                return self.benign_maker(from).call_with(draft, &Arg::Var(object), method, args).map(|_| ());
            }
        }
        None
    }

    /// The first object on which a call of the method runs it.
    fn object_with(&self, draft: &Draft, method: MethodRef) -> Option<VarId> {
        let runs = |class: ClassName| {
            self.catalogue.is_subclass(class, method.class) && self.catalogue.dispatches(class, method)
        };
        let known = draft.variables().iter();
        known.filter(|known| known.class.or(known.ty.as_class()).is_some_and(runs)).map(|known| known.id).next()
    }

    fn members_named(&self, draft: &Draft, phrase: &[String], from: AccessContext) -> Vec<(VarId, Usable)> {
        let program = self.catalogue.program();
        let of_program = |ty: Type| ty.as_class().filter(|class| program.is_application_default(*class));
        let known = draft.variables().iter().filter_map(|known| Some((known.id, of_program(known.ty)?)));
        let members = known.flat_map(|(id, class)| {
            let members = self.catalogue.members(class, from);
            let named = members.iter().filter(|usable| is_name_of(phrase, usable.callable.method));
            named.map(|usable| (id, usable.clone())).collect::<Vec<_>>()
        });
        members.collect()
    }

    /// The words for the parameters: all of them for one that takes several, otherwise one each.
    fn arguments_of_phrase(
        &self,
        draft: &mut Draft,
        callable: &Callable,
        words: &[String],
        from: AccessContext,
    ) -> Vec<Option<Arg>> {
        if let [only] = &*callable.params
            && let Some(list) = list_of(draft, only, words)
        {
            return vec![Some(list)];
        }
        let params = callable.params.iter().zip(words);
        params.map(|(param, word)| self.read_as(draft, word, param.ty, from)).collect()
    }

    /// The word as a value of the type: a literal, or what the type itself reads from a text.
    fn read_as(&self, draft: &mut Draft, text: &str, ty: Type, from: AccessContext) -> Option<Arg> {
        self.literal_of(text, ty).or_else(|| self.parsed(draft, text, ty, from))
    }

    fn parsed(&self, draft: &mut Draft, text: &str, ty: Type, from: AccessContext) -> Option<Arg> {
        let takes_text = |param: &Param| self.catalogue.is_assignable(Type::Class(ClassName::string()), param.ty);
        let members = self.catalogue.static_members(ty.as_class()?, from);
        let reader = members.iter().find(|usable| {
            let callable = &usable.callable;
            callable.ret == Some(ty) && matches!(&*callable.params, [only] if takes_text(only))
        })?;
        let args = vec![Arg::Literal(Literal::string(text))];
        let (method, access) = (reader.name, reader.access);
        Some(draft.define(Action::Call { method, receiver: None, args, access }, ty))
    }

    fn literal_of(&self, text: &str, ty: Type) -> Option<Arg> {
        let literal = match ty {
            Type::Boolean => Literal::Boolean(text.parse().ok()?),
            Type::Byte => Literal::Byte(text.parse().ok()?),
            Type::Short => Literal::Short(text.parse().ok()?),
            Type::Int => Literal::Int(text.parse().ok()?),
            Type::Long => Literal::Long(text.parse().ok()?),
            Type::Double => Literal::Double(text.parse().ok()?),
            Type::Class(class) if class == ClassName::string() => Literal::string(text),
            Type::Class(class) => {
                let constants = self.catalogue.enum_constants(class);
                Literal::Enum(*constants.iter().find(|constant| constant.name.as_str() == text)?)
            }
            Type::Char | Type::Float | Type::Array(_) => return None,
        };
        Some(Arg::Literal(literal))
    }
}

/// All words as one argument, where the parameter takes a list or array of texts.
fn list_of(draft: &mut Draft, param: &Param, words: &[String]) -> Option<Arg> {
    let string = Type::Class(ClassName::string());
    let words: Vec<Arg> = words.iter().map(|word| Arg::Literal(Literal::string(word))).collect();
    match param.ty {
        Type::Array(array) if array.component() == string => {
            Some(draft.define(Action::ArrayOf { component: string, elements: words }, param.ty))
        }
        Type::Class(class) if ["java/util/List", "java/util/Collection"].contains(&class.as_internal()) => {
            let of_texts = param.arguments.first().is_none_or(|argument| argument.ty == string);
            let list = Type::Class(Collection::AsList.class());
            of_texts.then(|| draft.define(Action::Collection(Collection::AsList, words), list))
        }
        _ => None,
    }
}
