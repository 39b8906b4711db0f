//! Values that look as the code expects which takes them apart: `TEA-100:2;POT-1:1` for what is split at `;` and `:` and of which the
//! second parts are read as numbers.

use super::{Hint, Maker, MakerConfig};
use crate::dice::Choose;
use crate::draw::Draw;
use objects::{Argument, Callable, Draft, HOLE, Notation, Param, Shape, TextHint, words_of};
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::{Access, Action, Arg, Collection, Content, JavaString, Literal, Stmt, StreamKind, Text};

/// Parts of parts: what code takes apart is no deeper.
const DEEPEST: u8 = 6;
/// Texts of the test that are no longer than this may be keys.
const LONGEST_KEY: u64 = 40;
/// What names of files look like.
const FILE: &str = "a.a";
/// What people write where a number is expected, and where a date or time is.
const NO_NUMBERS: [&str; 5] = ["", "1.234.5", "1,5", "n/a", "6-"];
const NO_DATES: [&str; 4] = ["", "31.12.2026", "n/a", "6 Apr"];

/// What mappers of documents put into maps.
const SIMPLE: [&str; 5] =
    ["java/lang/String", "java/lang/Integer", "java/lang/Double", "java/lang/Boolean", "java/lang/Long"];

impl Maker<'_> {
    /// A value for the parameter that the method can take apart; `None` where nothing is known, and now and then elsewhere.
    pub(super) fn shaped(&mut self, draft: &mut Draft, callable: &Callable, index: usize) -> Option<Arg> {
        let is_inside = self.config.caller.is_some_and(|caller| caller != callable.method);
        if is_inside && let Some(map) = self.map_shaped(draft, &callable.params[index]) {
            return Some(map);
        }
        let shapes = self.catalogue.shapes(callable.method);
        let shape = shapes.get(index).filter(|shape| !shape.is_plain())?;
        let numbers = &self.rng.policy().texts;
        // Of a word by itself much else may be wanted.
        let often = if shape.is_structured() { numbers.shaped } else { numbers.shaped_word };
        if !self.config.knows_words || !self.rng.chance(often) {
            return None;
        }
        let param = &callable.params[index];
        if is_inside
            && param.takes_text()
            && let Some(text) = self.pairs_shaped(draft, shape)
        {
            return Some(Arg::Literal(Literal::String(text)));
        }
        self.value_shaped(draft, param.ty, &param.arguments, shape)
    }

    /// A map from texts to texts with the keys that the call asks for in whose argument it will be.
    fn map_shaped(&mut self, draft: &mut Draft, param: &Param) -> Option<Arg> {
        let string = Type::Class(ClassName::string());
        let map = Type::Class(Collection::LinkedHashMap.class());
        let is_of_texts = matches!(&*param.arguments, [key, value] if key.ty == string && value.ty == string);
        let is_map = param.ty == Type::class("java/util/Map") || param.ty == map;
        if !is_map || !is_of_texts || !self.rng.chance(self.rng.policy().texts.shaped) {
            return None;
        }
        let keys = self.keys_of_shape(self.config.caller?);
        let mut entries = Vec::new();
        for key in keys {
            if !self.is_flawed() {
                let value = self.shaped_value_of_key(draft, &key)?;
                entries.extend([key.into(), value].map(|text| Arg::Literal(Literal::String(text))));
            }
        }
        (!entries.is_empty()).then(|| draft.define(Action::Collection(Collection::LinkedHashMap, entries), map))
    }

    /// A text of keys and values, with the keys that the call asks for in whose argument it will be.
    fn pairs_shaped(&mut self, draft: &mut Draft, shape: &Shape) -> Option<Text> {
        let pair = shape.each.as_ref()?;
        let (between, separator) = (pair.separator.as_ref()?.to_lossy(), shape.separator.as_ref()?.to_lossy());
        let keys = self.keys_of_shape(self.config.caller?);
        let mut pairs: Vec<String> = Vec::new();
        for key in keys {
            if !self.is_flawed() {
                let value = self.shaped_value_of_key(draft, &key)?.expanded().to_lossy();
                pairs.push(format!("{}{between}{value}", key.to_lossy()));
            }
        }
        (!pairs.is_empty()).then(|| Text::plain(&pairs.join(&separator)))
    }

    /// Sets by force what others set by reflection: the fields that the method reads and no code of its class sets.
    pub(super) fn inject_fields(&mut self, draft: &mut Draft, receiver: &Arg, method: MethodRef) {
        let injected = self.catalogue.injected(method);
        let is_set = |field: &FieldRef| {
            let sets = |stmt: &Stmt| {
                matches!(&stmt.action, Action::PutField { field: known, receiver: Some(on), .. }
                if known == field && on == receiver)
            };
            draft.recipe().body.stmts.iter().any(sets)
        };
        let missing: Vec<_> = injected.iter().filter(|(field, _)| !is_set(field)).cloned().collect();
        for (field, shape) in missing {
            let program = self.catalogue.program().clone();
            let Some(found) = program.resolve_field(field).found() else { continue };
            let Some(access) = self.from.member(&program, &found.class, found.access.visibility()) else { continue };
            let arguments = self.catalogue.arguments_of_field(field);
            let known = self.value_shaped(draft, field.field_type(), &arguments, &shape);
            let hint = Hint { arguments: &arguments, not_null: true, ..Hint::default() };
            if let Some(value) = known.or_else(|| self.value(draft, field.field_type(), hint)) {
                draft.perform(Action::PutField { field, receiver: Some(receiver.clone()), value, access });
            }
        }
    }

    fn value_shaped(&mut self, draft: &mut Draft, ty: Type, arguments: &[Argument], shape: &Shape) -> Option<Arg> {
        let string = Type::Class(ClassName::string());
        match ty {
            Type::Array(array) if array.component() == string => {
                let elements = self.elements_shaped(draft, string, shape)?;
                Some(draft.define(Action::ArrayOf { component: string, elements }, ty))
            }
            Type::Class(class) => match class.as_internal() {
                "java/lang/String" | "java/lang/CharSequence" => Some(self.text_or_path(draft, shape)),
                "java/util/Map" | "java/util/LinkedHashMap" | "java/util/HashMap" if !shape.keys.is_empty() => {
                    self.map_of_keys(draft, arguments, shape, DEEPEST)
                }
                "java/util/List" | "java/util/Collection" | "java/lang/Iterable" => {
                    let element = arguments.first().map_or(string, |argument| argument.ty);
                    let elements = self.elements_shaped(draft, element, shape)?;
                    let list = Type::Class(Collection::AsList.class());
                    Some(draft.define(Action::Collection(Collection::AsList, elements), list))
                }
                "java/nio/file/Path" => {
                    let file = self.file_shaped(draft, shape.content.as_deref()?);
                    let method = MethodRef::new("java/io/File", "toPath", "()Ljava/nio/file/Path;");
                    let action =
                        Action::Call { method, receiver: Some(file), args: Vec::new(), access: Access::Public };
                    Some(draft.define(action, ty))
                }
                "java/io/File" => shape.content.as_deref().map(|content| self.file_shaped(draft, content)),
                "java/io/BufferedReader" => self.stream_shaped(draft, StreamKind::BufferedReader, shape),
                "java/io/Reader" => self.stream_shaped(draft, StreamKind::StringReader, shape),
                _ => None,
            },
            _ => None,
        }
    }

    /// A map that has what is looked up in it, maps of maps included.
    fn map_of_keys(&mut self, draft: &mut Draft, arguments: &[Argument], shape: &Shape, levels: u8) -> Option<Arg> {
        let any = Type::Class(ClassName::object());
        let (key_type, value) = (arguments.first().map_or(any, |key| key.ty), arguments.get(1));
        if !self.catalogue.is_assignable(Type::Class(ClassName::string()), key_type) {
            return None;
        }
        let (ty, inner) = value.map_or((any, &[][..]), |value| (value.ty, &*value.arguments));
        let mut entries = Vec::new();
        for (key, value) in &shape.keys {
            // Where others do, it takes the way that is not for those that lack it.
            let is_left_out = value.is_optional && self.rng.chance(self.rng.policy().texts.optional_left_out);
            if has_hole(key) || is_left_out || self.is_flawed() {
                continue;
            }
            let names: Vec<String> = words_of(&key.to_lossy()).collect();
            let value = self.value_in_map(draft, ty, inner, (value, &names), levels.checked_sub(1)?)?;
            entries.extend([Arg::Literal(Literal::String(key.clone().into())), value]);
        }
        let map = Type::Class(Collection::LinkedHashMap.class());
        (!entries.is_empty()).then(|| draft.define(Action::Collection(Collection::LinkedHashMap, entries), map))
    }

    /// A value of such a map, of the type that it is cast to; now and then of another one.
    fn value_in_map(
        &mut self,
        draft: &mut Draft,
        ty: Type,
        arguments: &[Argument],
        (shape, names): (&Shape, &[String]),
        levels: u8,
    ) -> Option<Arg> {
        let is_any = ty == Type::Class(ClassName::object());
        if !shape.keys.is_empty() && shape.document.is_none() {
            let wanted = if is_any { Type::class("java/util/Map") } else { ty };
            let fits = self.catalogue.is_assignable(Type::Class(Collection::LinkedHashMap.class()), wanted);
            return if fits { self.map_of_keys(draft, arguments, shape, levels) } else { None };
        }
        if !is_any {
            let known = self.value_shaped(draft, ty, arguments, shape);
            let hint = Hint { arguments, not_null: true, ..Hint::default() };
            return known.or_else(|| self.value(draft, ty, hint));
        }
        if shape.each.is_some() || !shape.parts.is_empty() {
            return self.value_shaped(draft, Type::class("java/util/List"), &[], shape);
        }
        let is_of = |ty: Type, name: &str| ty.as_class().is_some_and(|class| class.as_internal() == name);
        let wanted = SIMPLE.iter().find(|simple| shape.types.iter().any(|ty| is_of(*ty, simple)));
        let is_other = !self.config.benign && self.rng.chance(self.rng.policy().texts.other_type);
        match wanted.or(Some(&SIMPLE[0])).filter(|_| !is_other).or_else(|| self.rng.one(&SIMPLE)) {
            Some(simple) => self.simple(draft, simple, shape, names),
            None => None,
        }
    }

    /// What documents have as values.
    fn simple(&mut self, draft: &mut Draft, name: &str, shape: &Shape, names: &[String]) -> Option<Arg> {
        let primitive = match name {
            "java/lang/Integer" => Type::Int,
            "java/lang/Long" => Type::Long,
            "java/lang/Double" => Type::Double,
            "java/lang/Boolean" => Type::Boolean,
            _ => return Some(Arg::Literal(Literal::String(self.word_shaped(draft, shape, names)))),
        };
        crate::literals::primitive(primitive, self.pool, self.rng).map(Arg::Literal)
    }

    /// The value of a key that the call asks for, in whose argument it will be.
    pub(super) fn shaped_value_of_key(&mut self, draft: &mut Draft, key: &JavaString) -> Option<Text> {
        let shapes = self.catalogue.shapes(self.config.caller?);
        let shape = shapes.iter().find_map(|shape| shape.keys.get(key))?;
        let names: Vec<String> = words_of(&key.to_lossy()).collect();
        Some(self.text_shaped(draft, shape, &names, DEEPEST))
    }

    /// The keys that the call asks any of its parameters for; half of those that it can do without.
    pub(super) fn keys_of_shape(&mut self, caller: MethodRef) -> Vec<JavaString> {
        let shapes = self.catalogue.shapes(caller);
        let keys = shapes.iter().flat_map(|shape| &shape.keys);
        let keys = keys.filter(|(key, shape)| !has_hole(key) && (!shape.is_optional || self.rng.bool()));
        keys.map(|(key, _)| key.clone()).collect()
    }

    fn elements_shaped(&mut self, draft: &mut Draft, ty: Type, shape: &Shape) -> Option<Vec<Arg>> {
        let is_listed = !shape.parts.is_empty() || shape.each.is_some();
        let count = if is_listed { self.count_of_parts(shape) } else { 0 };
        let places = (0..count).map(|place| {
            self.one_of(shape, place, count, |maker| maker.value_shaped(draft, ty, &[], &shape.part(place)))
        });
        places.collect::<Option<Vec<Arg>>>().filter(|elements| !elements.is_empty())
    }

    /// The text itself, or the path of a file that has what will be read.
    fn text_or_path(&mut self, draft: &mut Draft, shape: &Shape) -> Arg {
        let Some(content) = &shape.content else {
            return Arg::Literal(Literal::String(self.text_shaped(draft, shape, &[], DEEPEST)));
        };
        let file = self.file_shaped(draft, content);
        let method = MethodRef::new("java/io/File", "getPath", "()Ljava/lang/String;");
        let action = Action::Call { method, receiver: Some(file), args: Vec::new(), access: Access::Public };
        draft.define(action, Type::Class(ClassName::string()))
    }

    fn file_shaped(&mut self, draft: &mut Draft, content: &Shape) -> Arg {
        let text = self.text_shaped(draft, content, &[], DEEPEST);
        let usual = match content.document {
            Some(Notation::Json) => "a.json",
            Some(Notation::Properties) => "a.properties",
            None => "a.csv",
        };
        // Messages name the file that could not be read.
        let draws = self.rng.policy().texts.draws_alike;
        let mut drawn = (0..draws).map(|_| self.pool.string(self.rng));
        let name = drawn.find(|name| pattern_of(&name.to_lossy()) == FILE).unwrap_or_else(|| JavaString::new(usual));
        draft.define(Action::TempFile { name, content: Content::Text(text) }, Type::class("java/io/File"))
    }

    fn stream_shaped(&mut self, draft: &mut Draft, kind: StreamKind, shape: &Shape) -> Option<Arg> {
        let is_text = shape.is_split() || shape.document.is_some();
        is_text.then(|| {
            let text = self.text_shaped(draft, shape, &[], DEEPEST);
            draft.define(Action::Stream(kind, Content::Text(text)), Type::Class(kind.class()))
        })
    }

    fn text_shaped(&mut self, draft: &mut Draft, shape: &Shape, names: &[String], levels: u8) -> Text {
        match shape.document {
            Some(Notation::Json) if levels > 0 => {
                return Text::plain(&self.document_shaped(draft, shape, names, levels));
            }
            Some(Notation::Properties) if levels > 0 => {
                return Text::plain(&self.properties_shaped(draft, shape, levels));
            }
            _ => {}
        }
        if shape.is_split() && levels > 0 {
            let separator = shape.separator.as_ref().map(|separator| separator.to_lossy()).unwrap_or_default();
            let count = self.count_of_parts(shape);
            let part = |place| {
                let shaped = |maker: &mut Self| maker.text_shaped(draft, &shape.part(place), names, levels - 1);
                self.one_of(shape, place, count, shaped).expanded().to_lossy()
            };
            let parts: Vec<String> = (0..count).map(part).collect();
            return Text::plain(&parts.join(&separator));
        }
        self.word_shaped(draft, shape, names)
    }

    /// A JSON object, list or value.
    fn document_shaped(&mut self, draft: &mut Draft, shape: &Shape, names: &[String], levels: u8) -> String {
        if !shape.keys.is_empty() && levels > 0 {
            let mut members: Vec<String> = Vec::new();
            for (key, value) in &shape.keys {
                if has_hole(key) || self.is_flawed() || (value.is_optional && self.rng.bool()) {
                    continue;
                }
                let names: Vec<String> = words_of(&key.to_lossy()).collect();
                let value = self.document_shaped(draft, value, &names, levels - 1);
                members.push(format!("{}: {value}", quoted(&key.to_lossy())));
            }
            return format!("{{{}}}", members.join(", "));
        }
        if (shape.each.is_some() || !shape.parts.is_empty()) && !shape.is_split() && levels > 0 {
            let count = self.count_of_parts(shape);
            let part = |place| {
                let shaped = |maker: &mut Self| maker.document_shaped(draft, &shape.part(place), names, levels - 1);
                self.one_of(shape, place, count, shaped)
            };
            let parts: Vec<String> = (0..count).map(part).collect();
            return format!("[{}]", parts.join(", "));
        }
        let plain = Shape { document: None, ..shape.clone() };
        let text = self.text_shaped(draft, &plain, names, levels.saturating_sub(1)).expanded().to_lossy();
        let is_number = !text.is_empty() && text.parse::<i32>().is_ok();
        if is_number && (!shape.samples.is_empty() || self.rng.bool()) { text } else { quoted(&text) }
    }

    /// Lines with keys and values. Keys with holes are asked for once for each word that another value lists.
    fn properties_shaped(&mut self, draft: &mut Draft, shape: &Shape, levels: u8) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut listed: Vec<String> = Vec::new();
        let (plain, with_holes): (Vec<_>, Vec<_>) = shape.keys.iter().partition(|(key, _)| !has_hole(key));
        for (key, value) in plain {
            let is_left_out = self.is_flawed() || (value.is_optional && !value.is_split() && self.rng.bool());
            if !is_left_out {
                let names: Vec<String> = words_of(&key.to_lossy()).collect();
                let text = self.text_shaped(draft, value, &names, levels - 1).expanded().to_lossy();
                if let Some(separator) = value.separator.as_ref().filter(|_| value.is_split()) {
                    listed.extend(text.split(&separator.to_lossy()).map(|word| word.trim().to_owned()));
                }
                lines.push(format!("{}={text}", key.to_lossy()));
            }
        }
        for (key, value) in with_holes {
            for word in &listed {
                if !value.is_optional || self.rng.bool() {
                    let text = self.text_shaped(draft, value, &[], levels - 1).expanded().to_lossy();
                    lines.push(format!("{}={text}", key.to_lossy().replace(HOLE, word)));
                }
            }
        }
        lines.join("\n")
    }

    /// Makes one of the parts. Where all of them are read alike, those before the last one are as expected: whoever reads them stops at
    /// the first that is not.
    fn one_of<T>(&mut self, shape: &Shape, place: usize, count: usize, make: impl FnOnce(&mut Self) -> T) -> T {
        let usual = self.config;
        if shape.each.is_some() {
            let flawed = usual.flawed.max(self.rng.policy().making.flawed_last);
            self.config = MakerConfig { benign: usual.benign || place + 1 < count, flawed, ..usual };
        }
        let made = make(self);
        self.config = usual;
        made
    }

    /// As many as are asked for, or a few, or as many as the message speaks of: the row at which an import stopped; now and then one
    /// less.
    fn count_of_parts(&mut self, shape: &Shape) -> usize {
        let least = shape.parts.last_key_value().map_or(0, |(place, _)| place + 1);
        let stated = self.rng.one(self.pool.counts()).copied();
        let stated = stated.filter(|_| self.rng.chance(self.rng.policy().texts.parts_stated));
        let more = match stated {
            _ if shape.each.is_none() => 0,
            Some(stated) => stated,
            None => 1 + self.rng.small(self.config.elements),
        };
        let count = least.max(more);
        if self.is_flawed() { count.saturating_sub(1) } else { count }
    }

    /// Whether something is not as expected: that is what many crashes are about.
    fn is_flawed(&mut self) -> bool {
        let often = if self.config.benign { 0.0 } else { self.config.flawed };
        self.rng.chance(often)
    }

    fn word_shaped(&mut self, draft: &mut Draft, shape: &Shape, names: &[String]) -> Text {
        let about: Vec<String> = shape.about.iter().chain(names).cloned().collect();
        let hint = Hint { text: TextHint { about: &about, ..TextHint::default() }, ..Hint::default() };
        if self.is_flawed() {
            return self.unreadable(shape);
        }
        if let Some(sample) = self.rng.one(&shape.samples) {
            return self.like(draft, sample, hint);
        }
        if let Some(constant) = self.rng.one(&shape.constants) {
            return constant.clone().into();
        }
        if let Some(text) = self.same_text(draft, hint) {
            return text;
        }
        if self.rng.chance(self.rng.policy().texts.known_of_several)
            && let Some(known) = self.rng.one(&keys_in(draft))
        {
            return known.clone();
        }
        match self.string(draft, hint) {
            Arg::Literal(Literal::String(text)) if text.len() <= LONGEST_KEY => text,
            _ => self.pool.string(self.rng).into(),
        }
    }

    /// What is not expected: what people write, or what the message speaks of, which names constants in full.
    fn unreadable(&mut self, shape: &Shape) -> Text {
        let is_number = |sample: &&str| sample.parse::<f64>().is_ok();
        let known = match shape.samples.first() {
            Some(sample) if is_number(sample) => &NO_NUMBERS[..],
            Some(_) => &NO_DATES[..],
            None => &[""],
        };
        if self.rng.bool()
            && let Some(text) = self.rng.one(known)
        {
            return Text::plain(text);
        }
        let word = self.pool.string(self.rng);
        let short = word.to_lossy().rsplit_once('.').map(|(_, short)| short.to_owned());
        match short.filter(|short| !short.is_empty()) {
            Some(short) if self.rng.bool() => Text::plain(&short),
            _ => word.into(),
        }
    }

    /// A text that what reads the sample can read as well: one that was given before under a like name, one near the crash, or the
    /// sample itself.
    fn like(&mut self, draft: &mut Draft, sample: &str, hint: Hint<'_>) -> Text {
        let pattern = pattern_of(sample);
        let is_like = |text: &Text| pattern_of(&text.expanded().to_lossy()) == pattern;
        if let Some(text) = self.same_text(draft, hint).filter(is_like) {
            return text;
        }
        if self.rng.bool() {
            return Text::plain(sample);
        }
        let of_log: Vec<Text> = self.pool.keys().iter().cloned().map(Text::from).filter(is_like).collect();
        if let Some(key) = self.rng.one(&of_log) {
            return key.clone();
        }
        let draws = self.rng.policy().texts.draws_alike;
        let mut drawn = (0..draws).map(|_| Text::from(self.pool.string(self.rng)));
        drawn.find(is_like).unwrap_or_else(|| Text::plain(sample))
    }
}

/// Short texts that calls of the test were given.
fn keys_in(draft: &Draft) -> Vec<Text> {
    let given = draft.recipe().body.stmts[..draft.position()].iter().flat_map(|stmt| stmt.action.args());
    let texts = given.filter_map(|arg| match arg {
        Arg::Literal(Literal::String(text)) if (1..=LONGEST_KEY).contains(&text.len()) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

/// The text with one sign for each run of digits and each of letters.
fn pattern_of(text: &str) -> String {
    let mut pattern = String::new();
    for sign in text.chars() {
        let sort = match sign {
            '0'..='9' => '9',
            sign if sign.is_alphabetic() => 'a',
            sign => sign,
        };
        if !pattern.ends_with(sort) || !matches!(sort, '9' | 'a') {
            pattern.push(sort);
        }
    }
    pattern
}

fn has_hole(key: &JavaString) -> bool {
    key.0.iter().any(|unit| u32::from(*unit) == u32::from(HOLE))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for sign in text.chars() {
        match sign {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            sign if sign.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(sign))),
            sign => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}
