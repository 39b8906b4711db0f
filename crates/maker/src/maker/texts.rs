//! Texts, files and other content, and the environment in which the program reads them.

use super::{Hint, Maker};
use crate::dice::Choose;
use crate::draw::Draw;
use crate::literals;
use crate::{documents, mutate};
use ::documents::Kind;
use objects::Draft;
use objects::TextHint;
use program::{MethodRef, Symbol, Type};
use recipe::{Access, Action, Arg, Content, JavaString, Literal, StreamKind, Text};

/// Locales in which formatting, case and digits differ from what most code expects.
const LOCALES: [&str; 8] =
    ["en-US", "tr-TR", "de-DE", "ar-EG", "ja-JP-u-ca-japanese", "th-TH-u-ca-buddhist", "hi-IN", "und"];
/// Zones with odd offsets, changes at midnight, a day left out.
const TIME_ZONES: [&str; 7] =
    ["UTC", "America/New_York", "Asia/Kolkata", "America/Sao_Paulo", "Pacific/Apia", "Europe/London", "Asia/Gaza"];

impl Maker<'_> {
    /// Sets something of the environment at the draft's place: a system property that the code reads, the locale, the zone.
    pub fn environment(&mut self, draft: &mut Draft) {
        let property = self.pool.property(self.rng);
        let action = match (property, self.rng.pick(&self.rng.policy().texts.environment)) {
            (Some(key), 0) => Action::SetProperty { key, value: self.property_value() },
            (_, 1) => Action::SetTimeZone(Symbol::new(self.rng.one(&TIME_ZONES).unwrap_or(&"UTC"))),
            _ => Action::SetLocale(Symbol::new(self.rng.one(&LOCALES).unwrap_or(&"en-US"))),
        };
        draft.perform(action);
    }

    /// `None` clears the property.
    fn property_value(&mut self) -> Option<JavaString> {
        match self.rng.pick(&self.rng.policy().texts.property) {
            0 => None,
            1 => Some(JavaString::default()),
            2 => Some(self.pool.string(self.rng)),
            _ => Some(literals::string(TextHint::default(), self.pool, self.rng).expanded()),
        }
    }

    /// Other content, mostly near the given one.
    pub fn mutate_content(&mut self, content: &Content, hint: TextHint<'_>) -> Content {
        let fresh = self.rng.policy().texts.fresh_content;
        match content {
            Content::Text(_) if self.rng.chance(fresh) => {
                Content::Text(self.text(Hint { text: hint, ..Hint::default() }))
            }
            Content::Text(text) => Content::Text(self.pool.mutated(text, hint, self.rng)),
            Content::Bytes(_) if self.rng.chance(fresh) => documents::binary(self.rng),
            Content::Bytes(bytes) => Content::Bytes(documents::mutate_bytes(bytes, self.rng)),
        }
    }

    /// A string: mostly a literal; where a path is wanted also that of a file that exists.
    pub(super) fn string(&mut self, draft: &mut Draft, hint: Hint<'_>) -> Arg {
        let wants_path = hint.text.topic.iter().any(|(kind, _)| *kind == Kind::Path);
        if wants_path && self.rng.chance(self.rng.policy().texts.path_of_file) {
            let file = self.file(draft, hint);
            let method = MethodRef::new("java/io/File", "getPath", "()Ljava/lang/String;");
            let action = Action::Call { method, receiver: Some(file), args: Vec::new(), access: Access::Public };
            return draft.define(action, Type::class("java/lang/String"));
        }
        if let Some(text) = self.same_text(draft, hint) {
            return Arg::Literal(Literal::String(text));
        }
        if let Some(text) = self.pairs(draft, hint) {
            return Arg::Literal(Literal::String(text));
        }
        if let Some(key) = self.key_of_log(draft) {
            return Arg::Literal(Literal::String(key.into()));
        }
        let numbers = &self.rng.policy().texts;
        let often = if self.has_several(draft) { numbers.known_of_several } else { numbers.known };
        let known = if self.rng.chance(often) { draft.recipe().words() } else { Vec::new() };
        let text = match self.rng.one(&known).cloned().or_else(|| self.readable()).or_else(|| self.asked_for()) {
            Some(word) => word.into(),
            None => literals::string(hint.text, self.pool, self.rng),
        };
        Arg::Literal(Literal::String(self.nested(text)))
    }

    /// The bytes or characters of a text.
    pub(super) fn array_of_text(&mut self, draft: &mut Draft, component: Type, hint: Hint<'_>) -> Arg {
        let (name, descriptor) = if component == Type::Byte { ("getBytes", "()[B") } else { ("toCharArray", "()[C") };
        let receiver = Some(Arg::Literal(Literal::String(self.text(hint))));
        let method = MethodRef::new("java/lang/String", name, descriptor);
        let action = Action::Call { method, receiver, args: Vec::new(), access: Access::Public };
        draft.define(action, Type::array_of(component))
    }

    pub(super) fn stream(&mut self, draft: &mut Draft, kind: StreamKind, hint: Hint<'_>) -> Arg {
        let content = if kind == StreamKind::ByteArrayInputStream {
            self.content(hint).1
        } else {
            Content::Text(self.text(hint))
        };
        draft.define(Action::Stream(kind, content), Type::Class(kind.class()))
    }

    pub(super) fn file(&mut self, draft: &mut Draft, hint: Hint<'_>) -> Arg {
        let (name, content) = self.content(hint);
        draft.define(Action::TempFile { name, content }, Type::class("java/io/File"))
    }

    pub(super) fn directory(&mut self, draft: &mut Draft, hint: Hint<'_>) -> Arg {
        let mut files: Vec<(JavaString, Content)> = Vec::new();
        for _ in 0..self.rng.small(self.config.elements) {
            let (name, content) = self.content(hint);
            if files.iter().all(|(other, _)| *other != name) {
                files.push((name, content));
            }
        }
        draft.define(Action::TempDir { files }, Type::class("java/io/File"))
    }

    /// Content, and a name for the file that holds it.
    fn content(&mut self, hint: Hint<'_>) -> (JavaString, Content) {
        if self.rng.chance(self.rng.policy().texts.binary) {
            return (
                JavaString::new(self.rng.one(&["a.zip", "a.bin", "a"]).unwrap_or(&"a")),
                documents::binary(self.rng),
            );
        }
        let kind = self.pool.kind(hint.text.topic, self.rng);
        let text = if self.rng.chance(self.rng.policy().texts.any_kind) {
            self.pool.document(hint.text, self.rng)
        } else {
            self.pool.sample(kind, hint.text, self.rng)
        };
        (JavaString::new(kind.file_name()), Content::Text(self.varied(text, hint)))
    }

    pub(super) fn text(&mut self, hint: Hint<'_>) -> Text {
        let text = self.pool.document(hint.text, self.rng);
        self.varied(text, hint)
    }

    fn varied(&mut self, text: Text, hint: Hint<'_>) -> Text {
        let text =
            if !hint.text.is_rich && self.rng.bool() { self.pool.mutated(&text, hint.text, self.rng) } else { text };
        self.nested(text)
    }

    /// Deeply nested where the search asks for it: stacks overflow on depth.
    fn nested(&mut self, text: Text) -> Text {
        if self.config.nesting > 0 && self.rng.chance(self.rng.policy().texts.nested) {
            return mutate::deepen(&text, self.config.nesting, self.rng);
        }
        text
    }
}
