//! From calls and a model to a recipe: literals for numbers and texts, arrays, objects of the test that answer what the model says, and for
//! what nothing is asked of, whatever is made most cheaply.

use crate::compose::{Act, Step};
use objects::build::{self, Call, Parts};
use objects::{AccessContext, Argument, CallKind, Callable, Catalogue, Draft, How, StubForm, Way};
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::{Arg, Block, CallbackMethod, Collection, Content, Def, JavaString, Literal, Recipe, StreamKind, Text};
use smt::{Evaluation, Model, Node, Reference, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use symbolic::{Held, Leaf, Part, Region, World};

/// What values are like of which the condition does not say anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fill {
    /// Zero and empty.
    Least,
    /// One, with something inside: code that goes through texts and collections does something then.
    Some,
}

impl Fill {
    pub(crate) const ALL: [Fill; 2] = [Fill::Least, Fill::Some];
}

pub(crate) struct Emitter<'a> {
    world: &'a World,
    catalogue: &'a Catalogue,
    from: AccessContext,
    fill: Fill,
    draft: Draft,
    values: Evaluation,
    /// What the condition speaks of, and how.
    mentioned: BTreeSet<Term>,
    made: BTreeMap<Term, Arg>,
    objects: BTreeMap<Reference, Arg>,
    /// Objects whose parts are being made: none of them is part of itself in what is written down.
    pending: BTreeSet<Reference>,
    /// What the code that is called takes objects to be that are declared as anything.
    casts: Vec<Type>,
    /// The object on which the method of the trace is called, and that method.
    main: Option<(Term, MethodRef)>,
}

/// Objects inside of objects.
const DEPTH: u8 = 4;
/// Longer arrays are not written down.
const LONGEST_ARRAY: i64 = 4096;
/// Ways to one object that are gone until one works.
const MOST_WAYS: usize = 6;
/// A text of which nothing is said.
const SOME_TEXT: &str = "a";

/// Whether a call of the method on what the way gives runs this very body, as far as is known.
pub(crate) fn may_run(catalogue: &Catalogue, way: &Way, method: MethodRef) -> bool {
    let Some(class) = way.creates.or_else(|| way.yields.as_class()) else { return false };
    let is_concrete = catalogue.program().class(class).is_some_and(|class| !class.access.is_abstract());
    !is_concrete || catalogue.dispatches(class, method)
}

/// The field of boxes that has the number.
const VALUE: &str = "value";

const FILE: &str = "java/io/File";
/// Names of files are not longer than that.
const LONGEST_NAME: usize = 100;

/// Whether the field is what a literal says, or part of an object that is written down with what is in it.
pub(crate) fn is_written_down(field: FieldRef) -> bool {
    let is_box = || recipe::types::unboxed(Type::Class(field.class)).is_some();
    symbolic::is_of_stand_in(field) || (field.name.as_str() == VALUE && is_box()) || field.class.as_internal() == FILE
}

/// What stands for a directory and not for a file in it.
fn is_dots(name: &[u16]) -> bool {
    name.iter().all(|unit| *unit == u16::from(b'.'))
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(
        world: &'a World,
        catalogue: &'a Catalogue,
        from: AccessContext,
        fill: Fill,
        formula: &[Term],
        model: &Model,
    ) -> Emitter<'a> {
        Emitter {
            world,
            catalogue,
            from,
            fill,
            draft: Draft::new(),
            values: Evaluation::new(model.clone()),
            mentioned: world.terms.subterms(formula).into_iter().collect(),
            made: BTreeMap::new(),
            objects: BTreeMap::new(),
            pending: BTreeSet::new(),
            casts: Vec::new(),
            main: None,
        }
    }

    /// The calls, the last one first.
    pub(crate) fn recipe(mut self, steps: &[Step]) -> Option<Recipe> {
        if let Some(Step { act: Act::Call { callable, .. }, receiver, .. }) = steps.first() {
            self.main = receiver.map(|leaf| (leaf, callable.method));
        }
        for step in steps.iter().rev() {
            self.step(step)?;
        }
        Some(self.draft.finish())
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        match &step.act {
            Act::Call { callable, name, access, creates } => {
                let receiver = match step.receiver {
                    Some(leaf) => Some(self.receiver(leaf, callable.method)?),
                    None => None,
                };
                let args = self.arguments(callable, &step.args)?;
                let mut method = *name;
                if let Some(ty) = receiver.as_ref().and_then(|receiver| self.draft.type_of(receiver))
                    && let Some((name, _)) = self.catalogue.name_for(callable.method, ty, self.from)
                {
                    method = name;
                }
                let call = Call { callable, method, access: *access, receiver, creates: *creates };
                let result = build::call(&mut self.draft, call, args);
                if let (Some(leaf), Some(result)) = (step.makes, result) {
                    self.made.insert(leaf, result);
                }
            }
            Act::Subclass(way) => {
                let args: Option<Vec<Arg>> = step.args.iter().map(|(leaf, ty)| self.value(*leaf, *ty, &[])).collect();
                let made = build::go(self.catalogue, &mut self.draft, way, Parts::of(args?)).ok()?;
                self.made.extend(step.makes.map(|leaf| (leaf, made)));
            }
            Act::Put { field, access } => {
                let (leaf, ty) = *step.args.first()?;
                let receiver = match step.receiver {
                    Some(object) => Some(self.value(object, Type::Class(field.class), &[])?),
                    None => None,
                };
                let value = self.value(leaf, ty, &[])?;
                let action = recipe::Action::PutField { field: *field, receiver, value, access: *access };
                self.draft.perform(action);
            }
        }
        Some(())
    }

    /// An object on which the method runs.
    fn receiver(&mut self, leaf: Term, method: MethodRef) -> Option<Arg> {
        if let Some(known) = self.made.get(&leaf) {
            return Some(known.clone());
        }
        let method = self.main.filter(|(main, _)| *main == leaf).map_or(method, |(_, method)| method);
        let owners = self.catalogue.owners(method);
        let priced = owners
            .iter()
            .filter_map(|owner| Some((self.catalogue.cost_within(Type::Class(*owner), DEPTH, self.from)?, *owner)));
        let cheapest = priced.min_by_key(|(cost, _)| *cost).map(|(_, owner)| owner);
        let class = Type::Class(cheapest.unwrap_or(method.class));
        let arg = match self.plain_receiver(leaf, class, method) {
            Some(arg) => arg,
            None => self.object_of(leaf, class)?,
        };
        self.made.insert(leaf, arg.clone());
        Some(arg)
    }

    /// An object of which no more is asked than that it runs the method.
    fn plain_receiver(&mut self, leaf: Term, class: Type, method: MethodRef) -> Option<Arg> {
        let object = self.values.value(&self.world.terms, leaf).as_ref()?;
        if !self.answers_of(object).is_empty() {
            return None;
        }
        let mut ways = self.by_cost(class, DEPTH);
        ways.retain(|way| may_run(self.catalogue, way, method));
        self.first_of(&ways, &[], DEPTH)
    }

    /// The values that a call is given.
    fn arguments(&mut self, callable: &Callable, given: &[(Term, Type)]) -> Option<Vec<Arg>> {
        self.casts =
            self.catalogue.casts(callable.method).iter().copied().filter(|ty| ty.as_class().is_some()).collect();
        let params = callable.params.iter().map(|param| &*param.arguments).chain(std::iter::repeat(&[][..]));
        given.iter().zip(params).map(|((leaf, ty), arguments)| self.value(*leaf, *ty, arguments)).collect()
    }

    fn value(&mut self, leaf: Term, ty: Type, arguments: &[Argument]) -> Option<Arg> {
        if let Some(known) = self.made.get(&leaf) {
            return Some(known.clone());
        }
        if let Some((_, method)) = self.main.filter(|(main, _)| *main == leaf) {
            return self.receiver(leaf, method);
        }
        let arg = match ty {
            _ if !self.mentioned.contains(&leaf) => self.anything(ty, arguments, DEPTH)?,
            Type::Class(_) | Type::Array(_) => self.object_of(leaf, ty)?,
            _ => Arg::Literal(self.number(leaf, ty)?),
        };
        self.made.insert(leaf, arg.clone());
        Some(arg)
    }

    #[expect(clippy::cast_possible_truncation, reason = "values of narrower types")]
    fn number(&mut self, term: Term, ty: Type) -> Option<Literal> {
        let value = self.values.value(&self.world.terms, term);
        Some(match (ty, &value) {
            (Type::Float, Value::F32(bits)) => Literal::Float(f32::from_bits(*bits)),
            (Type::Double, Value::F64(bits)) => Literal::Double(f64::from_bits(*bits)),
            (Type::Boolean, _) => Literal::Boolean(value.as_signed()? != 0),
            (Type::Byte, _) => Literal::Byte(value.as_signed()? as i8),
            (Type::Char, _) => Literal::Char(value.as_unsigned()? as u16),
            (Type::Short, _) => Literal::Short(value.as_signed()? as i16),
            (Type::Int, _) => Literal::Int(value.as_signed()? as i32),
            (Type::Long, _) => Literal::Long(value.as_signed()?),
            _ => return None,
        })
    }

    /// The object that the model has for a term.
    fn object_of(&mut self, term: Term, ty: Type) -> Option<Arg> {
        let terms = &self.world.terms;
        if !self.mentioned.contains(&term) {
            return self.anything(ty, &[], DEPTH);
        }
        let object = self.values.value(terms, term).as_ref()?;
        if object.is_null() {
            return Some(Arg::Literal(Literal::Null(ty)));
        }
        if let Some(known) = self.objects.get(&object).filter(|known| self.fits(known, ty)) {
            return Some(known.clone());
        }
        if !self.pending.insert(object) {
            return self.anything(ty, &[], DEPTH);
        }
        let made = self.made_as(term, object, ty);
        self.pending.remove(&object);
        let arg = made?;
        self.objects.insert(object, arg.clone());
        Some(arg)
    }

    fn made_as(&mut self, term: Term, object: Reference, ty: Type) -> Option<Arg> {
        let terms = &self.world.terms;
        let class = self.values.model().class_of(terms, object).and_then(|class| self.world.classes.ty(class));
        let narrower = class.filter(|class| self.catalogue.is_assignable(*class, ty)).unwrap_or(ty);
        Some(match narrower {
            Type::Class(class) if class == ClassName::string() => self.text(term),
            Type::Array(array) => self.array(term, array.component())?,
            Type::Class(class) if let Some((primitive, value)) = self.boxed(term, class) => {
                let is_said = self.mentioned.contains(&value);
                Arg::Literal(if is_said { self.number(value, primitive)? } else { self.some_number(primitive) })
            }
            Type::Class(class) if class.as_internal() == FILE => self.file(term)?,
            Type::Class(class) if let Some(held) = symbolic::held(self.world, term, class) => self.holding(held)?,
            narrower => match self.answers_of(object) {
                // Of no class that anybody asks about: a plain object.
                answers if answers.is_empty() && class.is_none() && ty == Type::Class(ClassName::object()) => {
                    let constructor = MethodRef::new("java/lang/Object", "<init>", "()V");
                    let access = recipe::Access::Public;
                    self.draft.define(recipe::Action::New { constructor, args: Vec::new(), access }, ty)
                }
                answers if answers.is_empty() => {
                    let asked = if self.asks_for_class(object, ty) { narrower } else { ty };
                    self.anything(asked, &[], DEPTH).or_else(|| self.anything(ty, &[], DEPTH))?
                }
                answers => match self.map(narrower, object, &answers) {
                    Some(map) => map,
                    None => self.answering(ty, answers)?,
                },
            },
        })
    }

    /// A file that is there, under the name that the model has for it. What code finds out about files it does not find in memory.
    fn file(&mut self, file: Term) -> Option<Arg> {
        let ways = self.catalogue.ways(Type::class(FILE), self.from);
        let way = ways.iter().find(|way| matches!(way.how, How::TempFile))?.clone();
        let mut parts = Parts::default();
        parts.files.push((self.file_name(file), self.some_content()));
        build::go(self.catalogue, &mut self.draft, &way, parts).ok()
    }

    fn file_name(&mut self, file: Term) -> JavaString {
        let terms = &self.world.terms;
        let path = FieldRef::new(FILE, "path", "Ljava/lang/String;");
        let path = terms.select(self.world.region(Region::Field(path)), file);
        let units = if self.mentioned.contains(&path) { self.units(path) } else { Vec::new() };
        let is_separator = |unit: &u16| *unit == u16::from(b'/');
        let name = units.rsplit(is_separator).next().unwrap_or_default();
        let is_plain = |unit: &u16| (u16::from(b'!')..=u16::from(b'~')).contains(unit);
        let is_name = (1..=LONGEST_NAME).contains(&name.len()) && name.iter().all(is_plain) && !is_dots(name);
        if is_name { JavaString(name.to_vec()) } else { JavaString::new(SOME_TEXT) }
    }

    /// Whether the condition says more of the object's class than its declared type does. Else the one in the model is any that there is.
    fn asks_for_class(&mut self, object: Reference, ty: Type) -> bool {
        let terms = &self.world.terms;
        let declared = self.world.classes.below(ty);
        for term in self.mentioned.clone() {
            let Node::ClassIn(of, set) = terms.node(term) else { continue };
            let is_more = !declared.intersection(&terms.classes(set).complement()).is_empty();
            if is_more && self.values.value(terms, of).as_ref() == Some(object) {
                return true;
            }
        }
        false
    }

    /// What is in a box, as a term.
    fn boxed(&self, object: Term, class: ClassName) -> Option<(Type, Term)> {
        let primitive = recipe::types::unboxed(Type::Class(class))?;
        let field = FieldRef::new(class.as_internal(), VALUE, &primitive.descriptor());
        Some((primitive, self.world.terms.select(self.world.region(Region::Field(field)), object)))
    }

    fn fits(&self, arg: &Arg, ty: Type) -> bool {
        self.draft.type_of(arg).is_some_and(|known| self.catalogue.is_assignable(known, ty))
    }

    fn text(&mut self, string: Term) -> Arg {
        Arg::Literal(Literal::String(Text::from(JavaString(self.units(string)))))
    }

    /// The characters of a string.
    fn units(&mut self, string: Term) -> Vec<u16> {
        let terms = &self.world.terms;
        let text = terms.select(self.world.region(Region::Texts), string);
        self.values.value(terms, text).as_units().unwrap_or_default().to_vec()
    }

    /// An object with the content that the model has.
    fn holding(&mut self, held: Held) -> Option<Arg> {
        let object = Type::Class(ClassName::object());
        match held {
            Held::List(part) => {
                let elements = self.elements(part, object)?;
                Some(self.collection(Collection::ArrayList, elements))
            }
            Held::Set(part) => {
                let elements = self.elements(part, object)?;
                Some(self.collection(Collection::LinkedHashSet, elements))
            }
            Held::Iterator(part) => {
                let elements = self.elements(part, object)?;
                let list = self.collection(Collection::ArrayList, elements);
                let method = MethodRef::new("java/util/List", "listIterator", "()Ljava/util/ListIterator;");
                let (args, access) = (Vec::new(), recipe::Access::Public);
                let action = recipe::Action::Call { method, receiver: Some(list), args, access };
                Some(self.draft.define(action, Type::class("java/util/ListIterator")))
            }
            Held::Bytes(part) => {
                let bytes = self.bytes(part)?;
                Some(self.stream(StreamKind::ByteArrayInputStream, Content::Bytes(bytes)))
            }
            Held::Text { string, from } => {
                let from = usize::try_from(self.values.value(&self.world.terms, from).as_signed()?).ok()?;
                let units = self.units(string).get(from..).unwrap_or_default().to_vec();
                Some(self.stream(StreamKind::StringReader, Content::Text(Text::from(JavaString(units)))))
            }
        }
    }

    fn collection(&mut self, kind: Collection, elements: Vec<Arg>) -> Arg {
        self.draft.define(recipe::Action::Collection(kind, elements), Type::Class(kind.class()))
    }

    fn stream(&mut self, kind: StreamKind, content: Content) -> Arg {
        self.draft.define(recipe::Action::Stream(kind, content), Type::Class(kind.class()))
    }

    fn array(&mut self, array: Term, component: Type) -> Option<Arg> {
        let terms = &self.world.terms;
        let to = terms.select(self.world.region(Region::Lengths), array);
        let elements = self.elements(Part { array, from: terms.i32(0), to }, component)?;
        Some(self.draft.define(recipe::Action::ArrayOf { component, elements }, Type::array_of(component)))
    }

    fn places(&mut self, part: Part) -> Option<std::ops::Range<i32>> {
        let terms = &self.world.terms;
        let (from, to) =
            (self.values.value(terms, part.from).as_signed()?, self.values.value(terms, part.to).as_signed()?);
        let is_short = from <= to && to - from <= LONGEST_ARRAY;
        is_short.then_some(i32::try_from(from).ok()?..i32::try_from(to).ok()?)
    }

    fn element(&self, array: Term, at: i32, component: Type) -> Term {
        let terms = &self.world.terms;
        terms.select(self.world.region(Region::Elements(self.world.element_kind(component))), (array, terms.i32(at)))
    }

    #[expect(clippy::cast_possible_truncation, reason = "bytes")]
    fn bytes(&mut self, part: Part) -> Option<Vec<u8>> {
        let places = self.places(part)?;
        let byte = |at| {
            let value = self.element(part.array, at, Type::Byte);
            Some(self.values.value(&self.world.terms, value).as_unsigned()? as u8)
        };
        places.map(byte).collect()
    }

    fn elements(&mut self, part: Part, component: Type) -> Option<Vec<Arg>> {
        let mut elements = Vec::new();
        for at in self.places(part)? {
            let element = self.element(part.array, at, component);
            elements.push(match component {
                Type::Class(_) | Type::Array(_) => match self.mentioned_as(element) {
                    Some(known) => self.object_of(known, component)?,
                    None => self.unsaid(component),
                },
                _ => Arg::Literal(self.number(element, component)?),
            });
        }
        Some(elements)
    }

    /// What the code that is called takes an object of this declared type to be.
    fn taken_for(&self, ty: Type) -> Type {
        let is_anything = ty == Type::Class(ClassName::object());
        self.casts.first().copied().filter(|_| is_anything).unwrap_or(ty)
    }

    /// An element of which nothing is said: there all the same, if that is easy.
    fn unsaid(&mut self, component: Type) -> Arg {
        let made = if self.fill == Fill::Some { self.anything(self.taken_for(component), &[], DEPTH) } else { None };
        made.unwrap_or(Arg::Literal(Literal::Null(component)))
    }

    /// The term by which the condition speaks of the object; it may be read at an index that is no constant.
    fn mentioned_as(&mut self, term: Term) -> Option<Term> {
        if self.mentioned.contains(&term) {
            return Some(term);
        }
        let terms = &self.world.terms;
        let object = self.values.value(terms, term).as_ref().filter(|object| !object.is_null())?;
        let is_read =
            |other: &Term| matches!(terms.node(*other), Node::Select(..)) && terms.sort(*other) == smt::Sort::Ref;
        let reads: Vec<Term> = self.mentioned.iter().copied().filter(is_read).collect();
        reads.into_iter().find(|other| self.values.value(terms, *other).as_ref() == Some(object))
    }

    /// What the condition wants the object to answer, by method: the term of the last answer.
    fn answers_of(&mut self, object: Reference) -> BTreeMap<MethodRef, Term> {
        let terms = &self.world.terms;
        let mut answers = BTreeMap::new();
        for term in self.mentioned.clone() {
            let Node::Select(region, index) = terms.node(term) else { continue };
            let Some(Leaf::Region(Region::Answer(method))) = self.world.leaf_of(region) else { continue };
            if self.values.value(terms, index.0).as_ref() == Some(object) {
                answers.insert(method, term);
            }
        }
        answers
    }

    /// A map of the JDK that answers this, if one can: entries that are asked for by key, the number of them, and whether there are any.
    fn map(&mut self, ty: Type, object: Reference, answers: &BTreeMap<MethodRef, Term>) -> Option<Arg> {
        const ENTRIES: [&str; 3] = ["get", "containsKey", "getOrDefault"];
        const COUNTS: [&str; 2] = ["size", "isEmpty"];
        let class = ty.as_class().filter(|class| class.as_internal() == "java/util/Map")?;
        let is_usual = |method: &MethodRef| {
            method.class == class && (ENTRIES.contains(&method.name.as_str()) || COUNTS.contains(&method.name.as_str()))
        };
        if !answers.keys().all(is_usual) {
            return None;
        }
        let mut entries: Vec<(Arg, Arg)> = Vec::new();
        for (method, key, answer) in self.answers_by_key(object) {
            let before = self.draft.checkpoint();
            let entry = self.entry(method, key, answer);
            match entry {
                Some((key, _)) if entries.iter().any(|(known, _)| *known == key) => self.draft.take_back(before),
                Some(entry) => entries.push(entry),
                None => {}
            }
        }
        let count = entries.len() as i64;
        let is_so = |method: &MethodRef, answer: i64| match method.name.as_str() {
            "size" => answer == count,
            "isEmpty" => (answer != 0) == (count == 0),
            _ => true,
        };
        for (method, answer) in answers {
            let answer = self.values.value(&self.world.terms, *answer).as_signed();
            if answer.is_some_and(|answer| !is_so(method, answer)) {
                return None;
            }
        }
        let elements = entries.into_iter().flat_map(|(key, value)| [key, value]).collect();
        Some(self.collection(Collection::HashMap, elements))
    }

    /// The entry that has a map answer like this; none if it has to have none.
    fn entry(&mut self, method: MethodRef, key: Term, answer: Term) -> Option<(Arg, Arg)> {
        let object = Type::Class(ClassName::object());
        let value = self.values.value(&self.world.terms, answer);
        let value = match method.name.as_str() {
            "get" if value.as_ref()?.is_null() => return None,
            "get" => self.object_of(answer, object)?,
            "containsKey" if value.as_signed()? != 0 => self.anything(object, &[], DEPTH)?,
            _ => return None,
        };
        let key = self.object_of(key, object)?;
        Some((key, value))
    }

    /// What the condition wants the object to answer for which argument.
    fn answers_by_key(&mut self, object: Reference) -> Vec<(MethodRef, Term, Term)> {
        let terms = &self.world.terms;
        let mut answers = Vec::new();
        for term in self.mentioned.clone() {
            let Node::Select(region, index) = terms.node(term) else { continue };
            let Some(Leaf::Region(Region::Answer(method))) = self.world.leaf_of(region) else { continue };
            if let Some(key) = index.1
                && self.values.value(terms, index.0).as_ref() == Some(object)
            {
                answers.push((method, key, term));
            }
        }
        answers
    }

    /// An object of the test whose methods give these answers.
    fn answering(&mut self, ty: Type, answers: BTreeMap<MethodRef, Term>) -> Option<Arg> {
        let class = ty.as_class()?;
        let can = |method: &MethodRef| self.catalogue.is_subclass(class, method.class);
        // Where the declared type does not have the method, the class that has it is what is wanted.
        let class = if answers.keys().all(can) { class } else { answers.keys().next()?.class };
        let wanted = Type::Class(class);
        let is_open = |way: &&Way| {
            matches!(&way.how, How::Stub(stub)
                if matches!(stub.form, StubForm::Interface(_) | StubForm::Subclass(_) | StubForm::Lambda(_)))
        };
        let way = self.catalogue.ways(wanted, self.from).iter().filter(is_open).min_by_key(|way| way.access)?.clone();
        let mut parts = Parts::default();
        for need in way.needs() {
            parts.args.push(self.anything(need, &[], DEPTH - 1)?);
        }
        for (method, answer) in answers {
            let ret = method.signature().ret?;
            let result = match ret {
                Type::Class(_) | Type::Array(_) => self.object_of(answer, ret)?,
                _ => Arg::Literal(self.number(answer, ret)?),
            };
            let params = method.signature().params.into_iter();
            let params = params.map(|ty| Def { var: self.draft.fresh(), ty }).collect();
            let body = Block::default();
            parts.methods.push(CallbackMethod { method, params, this: None, body, result: Some(result) });
        }
        build::go(self.catalogue, &mut self.draft, &way, parts).ok()
    }

    /// Ways to a value, the cheapest first; another object is asked for one only where there is no other way, since it may not have one.
    fn by_cost(&self, ty: Type, depth: u8) -> Vec<Way> {
        let ways = self.catalogue.ways(ty, self.from);
        let priced = ways.iter().filter_map(|way| {
            let cost = self.catalogue.cost_of_way(way, depth, self.from)?;
            // A constructor is sure to give an object; what a factory gives may be null.
            let is_sure = !matches!(&way.how, How::Call(callable) if callable.kind == CallKind::Static);
            Some(((way.asked_object().is_some(), way.access, !is_sure, cost), way))
        });
        let mut priced: Vec<_> = priced.collect();
        priced.sort_by_key(|(cost, _)| *cost);
        priced.into_iter().map(|(_, way)| way.clone()).collect()
    }

    /// A value of the type, as cheap as can be had; nothing is asked of it.
    fn anything(&mut self, ty: Type, arguments: &[Argument], depth: u8) -> Option<Arg> {
        if !ty.is_reference() {
            return Some(Arg::Literal(self.some_number(ty)));
        }
        let ways = self.by_cost(ty, depth);
        self.first_of(&ways[..ways.len().min(MOST_WAYS)], arguments, depth)
    }

    /// What the first way gives that works.
    fn first_of(&mut self, ways: &[Way], arguments: &[Argument], depth: u8) -> Option<Arg> {
        ways.iter().find_map(|way| {
            let before = self.draft.checkpoint();
            let made = self.by_way(way, arguments, depth);
            if made.is_none() {
                self.draft.take_back(before);
            }
            made
        })
    }

    fn by_way(&mut self, way: &Way, arguments: &[Argument], depth: u8) -> Option<Arg> {
        let mut parts = Parts::default();
        if matches!(way.how, How::Literal) {
            parts.args.push(Arg::Literal(self.some_literal(way.yields)));
        } else {
            for need in way.needs() {
                parts.args.push(self.anything(need, &[], depth.checked_sub(1)?)?);
            }
        }
        match &way.how {
            How::Stream(_) | How::TempFile => parts.files.push((JavaString::new(SOME_TEXT), self.some_content())),
            How::TempDir if self.fill == Fill::Some => {
                parts.files.push((JavaString::new(SOME_TEXT), self.some_content()));
            }
            How::Collection(collection) if self.fill == Fill::Some => {
                parts.elements = self.some_elements(*collection, arguments, depth.checked_sub(1)?)?;
            }
            How::Array(component) if self.fill == Fill::Some => {
                parts.elements.push(self.anything(*component, &[], depth.checked_sub(1)?)?);
            }
            _ => {}
        }
        build::go(self.catalogue, &mut self.draft, way, parts).ok()
    }

    /// One element, or a key with its value; texts where nobody says what they are.
    fn some_elements(&mut self, collection: Collection, arguments: &[Argument], depth: u8) -> Option<Vec<Arg>> {
        let is_map = matches!(
            collection,
            Collection::HashMap | Collection::LinkedHashMap | Collection::TreeMap | Collection::Properties
        );
        let text = Argument { ty: Type::Class(ClassName::string()), arguments: Box::default() };
        let object = Type::Class(ClassName::object());
        let elements = (0..if is_map { 2 } else { 1 }).map(|at| {
            let declared = arguments.get(at).filter(|argument| argument.ty != object).unwrap_or(&text);
            self.anything(declared.ty, &declared.arguments, depth)
        });
        elements.collect()
    }

    fn some_text(&self) -> &'static str {
        if self.fill == Fill::Some { SOME_TEXT } else { "" }
    }

    fn some_content(&self) -> Content {
        Content::Text(Text::plain(self.some_text()))
    }

    fn some_number(&self, ty: Type) -> Literal {
        match ty {
            _ if self.fill == Fill::Least => Literal::default_of(ty),
            Type::Boolean => Literal::Boolean(true),
            Type::Byte => Literal::Byte(1),
            Type::Char => Literal::Char(u16::from(b'a')),
            Type::Short => Literal::Short(1),
            Type::Int => Literal::Int(1),
            Type::Long => Literal::Long(1),
            Type::Float => Literal::Float(1.0),
            Type::Double => Literal::Double(1.0),
            Type::Class(_) | Type::Array(_) => Literal::default_of(ty),
        }
    }

    fn some_literal(&self, ty: Type) -> Literal {
        match ty.as_class().map(ClassName::as_internal) {
            None => self.some_number(ty),
            Some("java/lang/Class") => Literal::Class(Type::Class(ClassName::object())),
            Some(_) => Literal::string(self.some_text()),
        }
    }
}
