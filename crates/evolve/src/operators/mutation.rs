//! Algorithm 4 of the paper: a candidate is changed here and there.

use super::statistics::{Change, Changes};
use super::{Core, Tools, put_in_place};
use crate::comparands::Comparands;
use maker::{Choose, Draw, Hint, MakerConfig, Rng};
use objects::{Draft, Pool};
use policy::Mutation;
use program::{MethodRef, Type};
use recipe::{Action, Arg, Content, JavaString, Literal, Place, Recipe, Stmt, Text, VarId};

impl Tools<'_> {
    fn numbers(&self) -> &'static Mutation {
        &self.rng.policy().mutation
    }

    /// A few changes, each of a value, a call or an object, and of which kinds they were; none that loses the core.
    pub(crate) fn mutated(&mut self, recipe: &Recipe, core: &Core) -> Option<(Recipe, Changes)> {
        let mut changed = recipe.clone();
        let rounds = 1 + self.rng.small(self.numbers().further);
        let mut changes = Changes::default();
        for _ in 0..rounds {
            let change = self.choose_change(&changed, core)?;
            let next = match change {
                Change::Value => self.change_value(&changed, core),
                Change::Argument => self.change_argument(&changed, core),
                Change::Insert => self.insert_call(&changed, core),
                Change::Repeat => self.repeat(&changed, core),
                Change::Delete => self.delete(&changed),
                Change::Move => self.move_call(&changed, core),
                Change::Environment => self.change_environment(&changed, core),
                Change::Field => self.set_field(&changed, core),
                Change::UserClass => self.usual_maker(core.from).mutate_user_class(&changed),
                Change::Comparand => self.face_comparands(&changed),
                Change::Chain => self.chain(&changed, core),
                Change::Statement => self.change_statement(&changed, core),
                Change::Relate => self.relate(&changed, core),
            };
            if let Some(next) = next.filter(|next| core.find(next).is_some()) {
                changed = next;
                changes.add(change);
            }
        }
        (changes != Changes::default()).then_some((changed, changes))
    }

    fn choose_change(&mut self, recipe: &Recipe, core: &Core) -> Option<Change> {
        let more = self.extras.mutations;
        let only_if = |is: bool, share: f64| if is { share } else { 0.0 };
        let sets_fields = more && !core.from.is_public();
        let is_layered = self.has_parts(recipe);
        let (faces_fields, faces_any) = (self.faces_fields(), self.comparands.is_some());
        let shares = self.numbers();
        let share = |change: Change| match change {
            Change::Value => shares.value,
            Change::Argument => shares.argument,
            Change::Insert => shares.insert,
            Change::Delete => shares.delete,
            Change::Statement => shares.statement + only_if(!more, shares.statement_alone),
            Change::Repeat => only_if(more, shares.repeat),
            Change::Move => only_if(more, shares.move_call),
            Change::Environment => only_if(more, shares.environment),
            Change::Field => {
                only_if(sets_fields, shares.field) + only_if(sets_fields && faces_fields, shares.comparand)
            }
            Change::Comparand => only_if(faces_any, shares.comparand),
            Change::Chain => only_if(more && self.nesting > 0, shares.chain),
            Change::Relate => only_if(more && is_layered, shares.relate),
            Change::UserClass => only_if(more && !recipe.classes.is_empty(), shares.user_class),
        };
        self.operator_statistics.choose(share, self.rng)
    }

    /// Another literal, or other content of a file or stream.
    fn change_value(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let mut changed = recipe.clone();
        let mut literals = 0;
        changed.for_each_literal_mut(&mut |_| literals += 1);
        let contents: usize = changed.body.stmts.iter_mut().map(|stmt| stmt.contents_mut().len()).sum();
        if literals + contents == 0 {
            return None;
        }
        // A document is made of many values.
        let numbers = self.numbers();
        let chosen = self.rng.usize(..literals + numbers.values_of_document * contents);
        let more = self.extras.mutations;
        let mut maker = self.usual_maker(core.from);
        // What a mapper reads names the members of the class that it fills.
        let names = if more && maker.rng.bool() { recipe.member_names() } else { Vec::new() };
        let document = if names.is_empty() || !maker.rng.chance(numbers.of_members) {
            None
        } else {
            Some(maker::documents::of_members(&names, maker.rng))
        };
        if chosen >= literals {
            let readers = readers(&changed);
            let all = changed.body.stmts.iter_mut().zip(readers);
            let mut all = all.flat_map(|(stmt, reader)| stmt.contents_mut().into_iter().map(move |c| (c, reader)));
            let (content, reader) = all.nth((chosen - literals) / numbers.values_of_document)?;
            if let (Content::Text(text), Some(document)) = (&mut *content, document) {
                *text = document;
                return Some(changed);
            }
            *content = maker.with_text_hint(reader, &names, |maker, hint| maker.mutate_content(content, hint));
            return Some(changed);
        }
        let shared = match more && maker.rng.chance(numbers.shared) {
            true if maker.rng.bool() => recipe.words(),
            true => texts(recipe, numbers.longest_shared),
            false => Vec::new(),
        };
        let mut index = 0;
        changed.for_each_given_literal_mut(&mut |given_to, literal| {
            if index == chosen {
                let is_text = matches!(literal, Literal::String(_));
                let other = maker.rng.one(&shared).cloned().filter(|_| is_text);
                *literal = match other {
                    _ if is_text && document.is_some() => Literal::String(document.clone().unwrap_or_default()),
                    Some(other) => Literal::String(sharing(literal, other, maker.pool, maker.rng)),
                    None => maker.with_text_hint(given_to, &names, |maker, hint| maker.mutate_literal(literal, hint)),
                };
            }
            index += 1;
        });
        Some(changed)
    }

    fn faces_fields(&self) -> bool {
        self.extras.mutations && self.comparands.is_some_and(|comparands| !comparands.fields.is_empty())
    }

    /// One of the values becomes, or gets into it, a constant of the branch that has to be passed.
    fn face_comparands(&mut self, recipe: &Recipe) -> Option<Recipe> {
        let comparands = self.comparands?;
        let mut changed = recipe.clone();
        let mut fitting = 0;
        changed.for_each_literal_mut(&mut |literal| fitting += usize::from(can_face(literal, comparands)));
        let texts = |recipe: &mut Recipe| {
            recipe.body.stmts.iter_mut().flat_map(Stmt::contents_mut).filter(|c| is_text(c)).count()
        };
        let contents = if comparands.words.is_empty() { 0 } else { texts(&mut changed) };
        let chosen = self.rng.usize(..(fitting + contents).max(1));
        if chosen >= fitting {
            let mut all = changed.body.stmts.iter_mut().flat_map(Stmt::contents_mut).filter(|content| is_text(content));
            let Content::Text(text) = all.nth(chosen - fitting)? else { return None };
            *text = with_word(text, self.rng.one(&comparands.words)?, self.rng)?;
            return Some(changed);
        }
        let (mut index, mut faced) = (0, false);
        let rng = &mut *self.rng;
        changed.for_each_literal_mut(&mut |literal| {
            if can_face(literal, comparands) {
                if index == chosen
                    && let Some(other) = facing(literal, comparands, rng)
                {
                    *literal = other;
                    faced = true;
                }
                index += 1;
            }
        });
        faced.then_some(changed)
    }

    /// Another value for one argument, made just before the statement.
    fn change_argument(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let candidates: Vec<(usize, usize, MethodRef)> = recipe
            .body
            .stmts
            .iter()
            .enumerate()
            .filter_map(|(at, stmt)| Some((at, stmt.action.called()?)))
            .flat_map(|(at, method)| (0..method.signature().params.len()).map(move |index| (at, index, method)))
            .collect();
        // The core's own arguments matter most, and what its receiver is made of.
        let at_core = core.find(recipe)?;
        let receiver = match &recipe.body.stmts[at_core].action {
            Action::Call { receiver: Some(receiver), .. } => receiver.var(),
            _ => None,
        };
        let makes_receiver = |at: usize| receiver.is_some() && recipe.body.stmts[at].def.map(|def| def.var) == receiver;
        let likelier = self.numbers().argument_of_core;
        let (is_told, seldom) = (!self.told.is_empty(), self.numbers().argument_of_wiring);
        let is_wiring = |at: usize, index: usize| match &recipe.body.stmts[at].action {
            Action::New { args, .. } => args.get(index).is_some_and(|arg| arg.var().is_some()),
            _ => false,
        };
        let weight = |(at, index, _): &(usize, usize, MethodRef)| match *at {
            at if is_told && is_wiring(at, *index) => seldom,
            at if at == at_core || makes_receiver(at) => likelier,
            _ => 1.0,
        };
        let chosen = self.rng.index_by_weight(candidates.iter().map(weight))?;
        let (at, index, method) = candidates[chosen];
        let mut draft = Draft::before(recipe.clone(), at);
        let config = MakerConfig { null: self.numbers().null_argument, ..self.config() };
        let mut maker = self.maker(core.from, config);
        let ty = *method.signature().params.get(index)?;
        let value = match maker.parameter(&mut draft, method, index) {
            Some(value) => value,
            None => maker.value(&mut draft, ty, Hint::default())?,
        };
        let at = draft.position();
        let mut changed = draft.finish();
        let receiver = usize::from(matches!(&changed.body.stmts[at].action, Action::Call { receiver: Some(_), .. }));
        *changed.body.stmts[at].action.args_mut().nth(receiver + index)? = value;
        Some(changed)
    }

    /// One more call before the core: on something that is there already, or any of the crash's classes.
    pub(super) fn insert_call(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let at = core.find(recipe)?;
        let place = self.place_for_call(recipe, at);
        let mut draft = Draft::before(recipe.clone(), place);
        match self.object_to_act_on(&draft, &recipe.body.stmts[at]) {
            Some(variable) if self.rng.chance(self.numbers().call_on_known) => {
                let benign = !self.told.is_empty() && self.rng.bool();
                let config = MakerConfig { reuse: self.numbers().reuse_in_call, benign, ..self.config() };
                self.maker(core.from, config).act_on(&mut draft, variable)?;
            }
            _ => self.call_anything(&mut draft, core)?,
        }
        Some(draft.finish())
    }

    /// An object whose state may matter: those that the core gets directly, and those of the crash's own classes, above all.
    fn object_to_act_on(&mut self, draft: &Draft, core: &Stmt) -> Option<VarId> {
        let given: Vec<VarId> = core.action.args().filter_map(Arg::var).collect();
        let program = self.catalogue.program();
        let numbers = self.numbers();
        let weight = |ty: Type, id: VarId| {
            let of_program = ty.as_class().is_some_and(|class| !program.is_jdk(class));
            let of_crash = ty.as_class().is_some_and(|class| self.classes.contains(&class));
            let mut weight = if of_program { 1.0 } else { numbers.object_of_jdk };
            if of_crash {
                weight *= numbers.object_of_crash;
            }
            if given.contains(&id) { numbers.object_of_core * weight } else { weight }
        };
        let variables = draft.variables();
        let weights: Vec<f64> = variables.iter().map(|variable| weight(variable.ty, variable.id)).collect();
        let chosen = self.rng.index_by_weight(weights.into_iter())?;
        Some(variables[chosen].id)
    }

    /// A call of some method of a class of the crash, which may change static state.
    fn call_anything(&mut self, draft: &mut Draft, core: &Core) -> Option<()> {
        let class = *self.rng.one(self.classes)?;
        let mut members = self.catalogue.static_members(class, core.from);
        if members.is_empty() || self.rng.bool() {
            members.extend_from_slice(&self.catalogue.members(class, core.from));
        }
        let weights: Vec<f64> = members.iter().map(|member| self.pool.relevance(member.callable.method)).collect();
        let method = members[self.rng.index_by_weight(weights.into_iter())?].callable.method;
        self.usual_maker(core.from).call(draft, method).map(|_| ())
    }

    /// Mostly right before the core, where all its objects are there.
    fn place_for_call(&mut self, recipe: &Recipe, core: usize) -> usize {
        if self.rng.chance(self.numbers().before_core) {
            core
        } else {
            self.rng.usize(..=core.min(recipe.body.stmts.len()))
        }
    }

    /// The same call a few times more: buffers run full, counters run over, keys are there already. The core's own call is
    /// made beforehand.
    fn repeat(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let end = core.find(recipe)?;
        let calls: Vec<usize> =
            (0..=end).filter(|at| matches!(recipe.body.stmts[*at].action, Action::Call { .. })).collect();
        let at = *self.rng.one(&calls)?;
        let stmt = recipe.body.stmts[at].clone();
        let mut draft = Draft::before(recipe.clone(), (at + 1).min(end));
        for _ in 0..=self.rng.small(self.numbers().copies) {
            let action = stmt.action.clone();
            match stmt.def {
                Some(def) => drop(draft.define(action, def.ty)),
                None => draft.perform(action),
            }
        }
        Some(draft.finish())
    }

    /// A call at another place: the order of calls is state, too.
    fn move_call(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let end = core.find(recipe)?;
        let is_loose = |stmt: &Stmt| {
            let unused = stmt.def.is_none_or(|def| {
                let mut uses = 0;
                recipe.for_each_arg(&mut |arg| uses += usize::from(arg.var() == Some(def.var)));
                uses == 0
            });
            unused && matches!(stmt.action, Action::Call { .. })
        };
        let loose: Vec<usize> = (0..end).filter(|at| is_loose(&recipe.body.stmts[*at])).collect();
        let from = *self.rng.one(&loose)?;
        let mut changed = recipe.clone();
        let stmt = changed.body.stmts.remove(from);
        let needed: Vec<VarId> = stmt.action.args().filter_map(Arg::var).collect();
        let is_there = |other: &Stmt| other.def.is_some_and(|def| needed.contains(&def.var));
        let earliest = changed.body.stmts.iter().rposition(is_there).map_or(0, |at| at + 1);
        let latest = end - 1;
        (earliest <= latest).then_some(())?;
        changed.body.stmts.insert(self.rng.usize(earliest..=latest), stmt);
        Some(changed)
    }

    /// A field that the crash reads, set by force.
    fn set_field(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let faced = self.comparands.map(|comparands| &*comparands.fields).unwrap_or_default();
        let near = self.rng.one(faced).filter(|_| self.rng.chance(self.numbers().faced_field));
        let field = *near.or_else(|| self.rng.one(self.pool.fields()))?;
        let mut draft = Draft::before(recipe.clone(), core.find(recipe)?);
        self.usual_maker(core.from).set_field(&mut draft, field)?;
        Some(draft.finish())
    }

    /// A system property, the locale or the time zone, set before everything else.
    fn change_environment(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let mut draft = Draft::before(recipe.clone(), 0);
        self.usual_maker(core.from).environment(&mut draft);
        Some(draft.finish())
    }

    fn delete(&mut self, recipe: &Recipe) -> Option<Recipe> {
        let n = recipe.body.stmts.len();
        let at = self.rng.usize(..n.max(1));
        let mut changed = recipe.clone();
        (n > 1 && changed.remove(&Place::top(at)) > 0).then_some(changed)
    }

    /// Another way to the value that a statement defines.
    fn change_statement(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let defining: Vec<usize> =
            recipe.body.stmts.iter().enumerate().filter(|(_, stmt)| stmt.def.is_some()).map(|(at, _)| at).collect();
        let at_core = core.find(recipe)?;
        let at = self.rng.one(&defining).copied().unwrap_or(at_core);
        if at_core == at {
            return self.replace_core(recipe, at, core);
        }
        let def = recipe.body.stmts[at].def?;
        let mut draft = Draft::before(recipe.clone(), at);
        let config = MakerConfig { reuse: self.numbers().reuse_in_statement, ..self.config() };
        let value = self.maker(core.from, config).value(&mut draft, def.ty, Hint::default())?;
        Some(put_in_place(draft, def, &value))
    }

    fn replace_core(&mut self, recipe: &Recipe, at: usize, core: &Core) -> Option<Recipe> {
        let mut draft = Draft::before(recipe.clone(), at);
        self.enter(&mut draft, core)?;
        let at = draft.position();
        let mut changed = draft.finish();
        changed.body.stmts.truncate(at);
        Some(changed)
    }
}

/// The short texts of a recipe: what is put in under a name is asked for under the same name.
fn texts(recipe: &Recipe, longest: u64) -> Vec<JavaString> {
    let mut found = Vec::new();
    recipe.clone().for_each_literal_mut(&mut |literal| {
        if let Literal::String(text) = literal
            && (1..=longest).contains(&text.len())
        {
            found.push(text.expanded());
        }
    });
    found
}

fn is_text(content: &Content) -> bool {
    matches!(content, Content::Text(_))
}

fn can_face(literal: &Literal, comparands: &Comparands) -> bool {
    match literal {
        Literal::String(_) => !comparands.words.is_empty(),
        Literal::Byte(_) | Literal::Short(_) | Literal::Char(_) | Literal::Int(_) | Literal::Long(_) => {
            !comparands.numbers.is_empty()
        }
        _ => false,
    }
}

/// A number of the branch or its neighbour; a text with a word of the branch in it.
fn facing(literal: &Literal, comparands: &Comparands, rng: &mut Rng) -> Option<Literal> {
    if let Literal::String(text) = literal {
        return with_word(text, rng.one(&comparands.words)?, rng).map(Literal::String);
    }
    let number =
        rng.one(&comparands.numbers)?.wrapping_add([0, 1, -1][rng.listed(&rng.policy().mutation.faced_number)]);
    Some(match literal {
        Literal::Byte(_) => Literal::Byte(number as i8),
        Literal::Short(_) => Literal::Short(number as i16),
        Literal::Char(_) => Literal::Char(number as u16),
        Literal::Int(_) => Literal::Int(number as i32),
        _ => Literal::Long(number),
    })
}

/// The text with the word put in somewhere, in the place of something, or alone.
fn with_word(text: &Text, word: &JavaString, rng: &mut Rng) -> Option<Text> {
    if text.len() > rng.policy().mutation.longest_with_word {
        return None;
    }
    let mut units = text.expanded().0;
    let at = rng.usize(..=units.len());
    let is_word_part = |unit: &u16| char::from_u32((*unit).into()).is_some_and(char::is_alphanumeric);
    let (start, end) = match rng.pick(&rng.policy().mutation.word) {
        0 => (at, at),
        1 => (at, (at + 1).min(units.len())),
        2 => {
            let start = units[..at].iter().rposition(|unit| !is_word_part(unit)).map_or(0, |before| before + 1);
            let end = units[at..].iter().position(|unit| !is_word_part(unit)).map_or(units.len(), |len| at + len);
            (start, end)
        }
        3 if rng.bool() => (0, 0),
        3 => (units.len(), units.len()),
        _ => (0, units.len()),
    };
    units.splice(start..end, word.0.iter().copied());
    Some(Text::from(JavaString(units)))
}

/// A text with what the candidate has elsewhere: inside of the one that was there, or instead of it.
fn sharing(literal: &Literal, other: JavaString, pool: &Pool, rng: &mut Rng) -> Text {
    let inside = match literal {
        Literal::String(text) if rng.bool() => with_word(text, &other, rng),
        _ => None,
    };
    inside.unwrap_or_else(|| joined(other, pool, rng))
}

/// The text alone, with something before or behind it, or as what refers to it where texts are filled in.
fn joined(text: JavaString, pool: &Pool, rng: &mut Rng) -> Text {
    const REFERENCES: [(&str, &str); 4] = [("${", "}"), ("#{", "}"), ("{{", "}}"), ("%", "%")];
    let units = match rng.pick(&rng.policy().mutation.joined) {
        4 => {
            let (open, close) = REFERENCES[rng.listed(&rng.policy().mutation.reference)];
            [JavaString::new(open).0, text.0, JavaString::new(close).0].concat()
        }
        3 => [&[u16::from(b'-')].repeat(1 + rng.usize(..2)), &text.0[..]].concat(),
        0 => [pool.string(rng).0, text.0].concat(),
        1 => [text.0, pool.string(rng).0].concat(),
        _ => text.0,
    };
    Text::from(JavaString(units))
}

/// For each statement, the first method that is given what it defines.
fn readers(recipe: &Recipe) -> Vec<Option<MethodRef>> {
    let stmts = &recipe.body.stmts;
    let reader = |(at, stmt): (usize, &Stmt)| {
        let var = stmt.def?.var;
        let is_given = |later: &&Stmt| later.action.args().any(|arg| arg.var() == Some(var));
        stmts[at + 1..].iter().filter(is_given).find_map(|later| later.action.called())
    };
    stmts.iter().enumerate().map(reader).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Extras;
    use crate::operators::OperatorStatistics;
    use crate::testing::jdk_only;
    use maker::MemberStatistics;
    use objects::{AccessContext, Entry, EntryPoint};
    use recipe::Access;

    /// What `make` gives with each of many seeds, as text.
    fn made(make: impl Fn(&mut Tools<'_>) -> Option<String>) -> Vec<String> {
        let catalogue = jdk_only();
        let (pool, statistics, operator_statistics) =
            (Pool::general(), MemberStatistics::default(), OperatorStatistics::default());
        let one = |seed| {
            let mut rng = Rng::with_seed(seed);
            make(&mut Tools {
                catalogue: &catalogue,
                pool: &pool,
                statistics: &statistics,
                classes: &[],
                extras: Extras::ALL,
                nesting: 0,
                comparands: None,
                told: &[],
                operator_statistics: &operator_statistics,
                rng: &mut rng,
            })
        };
        (0..200).filter_map(one).collect()
    }

    #[test]
    fn the_call_that_is_to_crash_may_have_been_made_before() {
        let recipe = recipe::parse("call a.B.set(int 1)\ncall a.B.insert(int 7)").unwrap();
        let point = EntryPoint::Call(MethodRef::new("a/B", "insert", "(I)V"));
        let entries = vec![Entry { point, access: Access::Public, path: Vec::new(), weight: 1.0 }];
        let core = Core { entries, from: AccessContext::public() };
        let repeated = made(|tools| tools.repeat(&recipe, &core).map(|changed| changed.to_string()));
        let twice = "call a.B.set(int 1)\ncall a.B.insert(int 7)\ncall a.B.insert(int 7)\n";
        assert!(repeated.iter().any(|text| text == twice), "{repeated:?}");
        let other = "call a.B.set(int 1)\ncall a.B.set(int 1)\ncall a.B.insert(int 7)\n";
        assert!(repeated.iter().any(|text| text == other), "{repeated:?}");
    }

    #[test]
    fn texts_may_refer_to_each_other() {
        let joins = made(|tools| Some(joined(JavaString::new("b"), tools.pool, tools.rng).expanded().to_lossy()));
        assert!(joins.iter().any(|text| text == "${b}") && joins.iter().any(|text| text == "b"), "{joins:?}");
    }
}
