//! Recipes as bytes: compact, self-contained, the same on every machine. For corpora on disk and for canonical hashes;
//! workers get another form, which refers to what they already know.
//!
//! Names are spelled out at their first use and numbered from then on. Reading is total: it refuses what is not the form of
//! a recipe and never panics, but it knows no types.

use crate::bytes::{Reader, Writer};
use crate::{
    Access, Action, Annotation, AnnotationValue, Arg, Block, Callback, CallbackForm, CallbackMethod, Carried,
    ClassDecl, ClassKind, Collection, Content, Def, FieldDecl, FileChange, JavaString, Literal, MethodDecl, OnThrow,
    Recipe, Stmt, StreamKind, Text, TextPiece, VarId,
};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use rustc_hash::FxHashMap;

const FORMAT: u8 = 1;
/// Deeper nesting is no recipe, and would overflow our stack.
const MAX_DEPTH: u32 = 100;

pub fn to_bytes(recipe: &Recipe) -> Vec<u8> {
    let mut encoder = Encoder::default();
    encoder.out.octet(FORMAT);
    encoder.list(&recipe.classes, Encoder::class);
    encoder.block(&recipe.body);
    encoder.out.bytes
}

pub fn from_bytes(bytes: &[u8]) -> Result<Recipe, BinaryError> {
    let mut decoder = Decoder { input: Reader::new(bytes), names: Vec::new(), depth: 0 };
    decoder.recipe().ok_or_else(|| BinaryError { offset: bytes.len() - decoder.input.rest().len() })
}

/// The bytes are not a recipe of this version: they come from elsewhere, or were damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are not a recipe, which shows before offset {offset}")]
pub struct BinaryError {
    pub offset: usize,
}

#[derive(Default)]
struct Encoder {
    out: Writer,
    names: FxHashMap<Symbol, u32>,
}

impl Encoder {
    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.out.count(items.len());
        items.iter().for_each(|i| item(self, i));
    }

    fn option<T>(&mut self, value: Option<&T>, item: impl FnOnce(&mut Self, &T)) {
        self.out.octet(u8::from(value.is_some()));
        if let Some(value) = value {
            item(self, value);
        }
    }

    fn flag(&mut self, flag: bool) {
        self.out.octet(u8::from(flag));
    }

    fn name(&mut self, name: Symbol) {
        let next = self.names.len() as u32;
        let id = *self.names.entry(name).or_insert(next);
        self.out.number(id);
        if id == next {
            self.out.utf8(name.as_str());
        }
    }

    fn class_name(&mut self, class: ClassName) {
        self.name(Symbol::new(class.as_internal()));
    }

    fn ty(&mut self, ty: Type) {
        self.name(Symbol::new(&ty.descriptor()));
    }

    fn method_ref(&mut self, method: MethodRef) {
        self.class_name(method.class);
        self.name(method.name);
        self.name(method.descriptor);
    }

    fn field_ref(&mut self, field: FieldRef) {
        self.class_name(field.class);
        self.name(field.name);
        self.name(field.descriptor);
    }

    fn def(&mut self, def: Def) {
        self.out.number(def.var.0);
        self.ty(def.ty);
    }

    fn block(&mut self, block: &Block) {
        self.list(&block.stmts, |e, stmt| {
            e.option(stmt.def.as_ref(), |e, def| e.def(*def));
            e.action(&stmt.action);
        });
    }

    fn args(&mut self, args: &[Arg]) {
        self.list(args, Encoder::arg);
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Var(var) => {
                self.out.octet(0);
                self.out.number(var.0);
            }
            Arg::Literal(literal) => self.literal(literal),
        }
    }

    fn action(&mut self, action: &Action) {
        self.out.octet(tag(action));
        match action {
            Action::Literal(literal) => self.literal(literal),
            Action::New { constructor, args, access } => {
                self.out.octet(*access as u8);
                self.method_ref(*constructor);
                self.args(args);
            }
            Action::Call { method, receiver, args, access } => {
                self.out.octet(*access as u8);
                self.method_ref(*method);
                self.option(receiver.as_ref(), Encoder::arg);
                self.args(args);
            }
            Action::GetField { field, receiver, access } => {
                self.out.octet(*access as u8);
                self.field_ref(*field);
                self.option(receiver.as_ref(), Encoder::arg);
            }
            Action::PutField { field, receiver, value, access } => {
                self.out.octet(*access as u8);
                self.field_ref(*field);
                self.option(receiver.as_ref(), Encoder::arg);
                self.arg(value);
            }
            Action::NewArray { component, length } => {
                self.ty(*component);
                self.out.signed(*length);
            }
            Action::ArrayOf { component, elements } => {
                self.ty(*component);
                self.args(elements);
            }
            Action::PutElement { array, index, value } => {
                self.arg(array);
                self.out.signed(*index);
                self.arg(value);
            }
            Action::GetElement { array, index } => {
                self.arg(array);
                self.out.signed(*index);
            }
            Action::Collection(kind, elements) => {
                self.out.octet(*kind as u8);
                self.args(elements);
            }
            Action::Cast(arg) | Action::Throw(arg) | Action::Keep(arg) | Action::Link(arg) => self.arg(arg),
            Action::Capture => {}
            Action::ChangeFile(change, file) => {
                self.out.octet(*change as u8);
                self.arg(file);
            }
            Action::Callback(callback) => self.callback(callback),
            Action::Try { body, on_throw } => {
                self.out.octet(*on_throw as u8);
                self.block(body);
            }
            Action::Thread(body) => self.block(body),
            Action::Repeat { times, carried, body } => {
                self.out.number(*times);
                self.option(carried.as_ref(), |e, carried| {
                    e.arg(&carried.from);
                    e.def(carried.var);
                    e.arg(&carried.next);
                });
                self.block(body);
            }
            Action::Together(bodies) => self.list(bodies, Encoder::block),
            Action::TempFile { name, content } => self.file(name, content),
            Action::TempDir { files } => self.list(files, |e, (name, content)| e.file(name, content)),
            Action::Stream(kind, content) => {
                self.out.octet(*kind as u8);
                self.content(content);
            }
            Action::SetProperty { key, value } => {
                self.out.units(key);
                self.option(value.as_ref(), |e, value| e.out.units(value));
            }
            Action::SetLocale(name) | Action::SetTimeZone(name) => self.name(*name),
        }
    }

    fn file(&mut self, name: &JavaString, content: &Content) {
        self.out.units(name);
        self.content(content);
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Text(text) => {
                self.out.octet(0);
                self.text(text);
            }
            Content::Bytes(bytes) => {
                self.out.octet(1);
                self.out.blob(bytes);
            }
        }
    }

    fn text(&mut self, text: &Text) {
        self.list(&text.pieces, |e, piece| match piece {
            TextPiece::Plain(text) => {
                e.out.octet(0);
                e.out.units(text);
            }
            TextPiece::Repeat(unit, times) => {
                e.out.octet(1);
                e.out.number(*times);
                e.out.units(unit);
            }
        });
    }

    /// Tags from 1, because 0 is a variable where an argument stands.
    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null(ty) => {
                self.out.octet(1);
                self.ty(*ty);
            }
            Literal::Boolean(value) => self.tagged(2, &[u8::from(*value)]),
            Literal::Byte(value) => self.tagged(3, &value.to_le_bytes()),
            Literal::Char(value) => self.tagged(4, &value.to_le_bytes()),
            Literal::Short(value) => self.tagged(5, &value.to_le_bytes()),
            Literal::Int(value) => {
                self.out.octet(6);
                self.out.signed(*value);
            }
            Literal::Long(value) => self.tagged(7, &value.to_le_bytes()),
            Literal::Float(value) => self.tagged(8, &value.to_le_bytes()),
            Literal::Double(value) => self.tagged(9, &value.to_le_bytes()),
            Literal::String(text) => {
                self.out.octet(10);
                self.text(text);
            }
            Literal::Class(ty) => {
                self.out.octet(11);
                self.ty(*ty);
            }
            Literal::Enum(field) => {
                self.out.octet(12);
                self.field_ref(*field);
            }
        }
    }

    fn tagged(&mut self, tag: u8, bytes: &[u8]) {
        self.out.octet(tag);
        self.out.raw(bytes);
    }

    fn callback(&mut self, callback: &Callback) {
        match &callback.form {
            CallbackForm::Lambda { interface } => {
                self.out.octet(0);
                self.class_name(*interface);
            }
            CallbackForm::Interface { interface } => {
                self.out.octet(1);
                self.class_name(*interface);
            }
            CallbackForm::Subclass { constructor, args } => {
                self.out.octet(2);
                self.method_ref(*constructor);
                self.args(args);
            }
        }
        self.list(&callback.methods, |e, method| {
            e.method_ref(method.method);
            e.body(&method.params, method.this, &method.body, method.result.as_ref());
        });
    }

    fn body(&mut self, params: &[Def], this: Option<VarId>, block: &Block, result: Option<&Arg>) {
        self.list(params, |e, param| e.def(*param));
        self.option(this.as_ref(), |e, this| e.out.number(this.0));
        self.block(block);
        self.option(result, Encoder::arg);
    }

    fn class(&mut self, class: &ClassDecl) {
        self.class_name(class.name);
        self.out.octet(class.kind as u8);
        self.option(class.signature.as_ref(), |e, signature| e.name(*signature));
        self.class_name(class.super_class);
        self.list(&class.interfaces, |e, interface| e.class_name(*interface));
        self.list(&class.annotations, Encoder::annotation);
        self.list(&class.fields, Encoder::field);
        self.list(&class.methods, Encoder::method);
    }

    fn field(&mut self, field: &FieldDecl) {
        self.name(field.name);
        self.ty(field.ty);
        self.option(field.signature.as_ref(), |e, signature| e.name(*signature));
        self.flag(field.is_static);
        self.list(&field.annotations, Encoder::annotation);
        self.option(field.init.as_ref(), Encoder::literal);
    }

    fn method(&mut self, method: &MethodDecl) {
        self.name(method.name);
        self.name(method.descriptor);
        self.option(method.signature.as_ref(), |e, signature| e.name(*signature));
        self.flag(method.is_static);
        self.flag(method.is_varargs);
        self.list(&method.annotations, Encoder::annotation);
        self.list(&method.param_annotations, |e, annotations| e.list(annotations, Encoder::annotation));
        self.body(&method.params, method.this, &method.body, method.result.as_ref());
    }

    fn annotation(&mut self, annotation: &Annotation) {
        self.class_name(annotation.class);
        self.list(&annotation.values, |e, (name, value)| {
            e.name(*name);
            e.annotation_value(value);
        });
    }

    fn annotation_value(&mut self, value: &AnnotationValue) {
        match value {
            AnnotationValue::Literal(literal) => {
                self.out.octet(0);
                self.literal(literal);
            }
            AnnotationValue::Array(values) => {
                self.out.octet(1);
                self.list(values, Encoder::annotation_value);
            }
            AnnotationValue::Nested(annotation) => {
                self.out.octet(2);
                self.annotation(annotation);
            }
        }
    }
}

fn tag(action: &Action) -> u8 {
    match action {
        Action::Literal(_) => 0,
        Action::New { .. } => 1,
        Action::Call { .. } => 2,
        Action::GetField { .. } => 3,
        Action::PutField { .. } => 4,
        Action::NewArray { .. } => 5,
        Action::ArrayOf { .. } => 6,
        Action::PutElement { .. } => 7,
        Action::GetElement { .. } => 8,
        Action::Collection(..) => 9,
        Action::Cast(_) => 10,
        Action::Callback(_) => 11,
        Action::Try { .. } => 12,
        Action::Thread(_) => 13,
        Action::TempFile { .. } => 14,
        Action::TempDir { .. } => 15,
        Action::Stream(..) => 16,
        Action::SetProperty { .. } => 17,
        Action::SetLocale(_) => 18,
        Action::SetTimeZone(_) => 19,
        Action::Repeat { .. } => 20,
        Action::Together(_) => 21,
        Action::Throw(_) => 22,
        Action::Capture => 23,
        Action::Keep(_) => 24,
        Action::Link(_) => 25,
        Action::ChangeFile(..) => 26,
    }
}

/// Parameters, `this`, statements and result.
type BodyParts = (Vec<Def>, Option<VarId>, Block, Option<Arg>);

struct Decoder<'a> {
    input: Reader<'a>,
    names: Vec<Symbol>,
    depth: u32,
}

impl Decoder<'_> {
    fn recipe(&mut self) -> Option<Recipe> {
        if self.input.octet()? != FORMAT {
            return None;
        }
        let classes = self.list(Self::class)?;
        let body = self.block()?;
        self.input.rest().is_empty().then_some(Recipe { classes, body })
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.input.count()?;
        (0..count).map(|_| item(self)).collect()
    }

    fn option<T>(&mut self, item: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { item(self).map(Some) } else { Some(None) }
    }

    fn flag(&mut self) -> Option<bool> {
        match self.input.octet()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// One of these by number.
    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let number = self.input.octet()?;
        all.get(usize::from(number)).copied()
    }

    fn nested<T>(&mut self, item: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let read = item(self);
        self.depth -= 1;
        read
    }

    fn name(&mut self) -> Option<Symbol> {
        let id = self.input.number()? as usize;
        if id == self.names.len() {
            let spelled = std::str::from_utf8(self.input.blob()?).ok()?;
            self.names.push(Symbol::new(spelled));
        }
        self.names.get(id).copied()
    }

    fn class_name(&mut self) -> Option<ClassName> {
        self.name().map(|name| ClassName::internal(name.as_str()))
    }

    fn ty(&mut self) -> Option<Type> {
        Type::parse(self.name()?.as_str())
    }

    fn method_ref(&mut self) -> Option<MethodRef> {
        Some(MethodRef { class: self.class_name()?, name: self.name()?, descriptor: self.name()? })
    }

    fn field_ref(&mut self) -> Option<FieldRef> {
        Some(FieldRef { class: self.class_name()?, name: self.name()?, descriptor: self.name()? })
    }

    fn def(&mut self) -> Option<Def> {
        Some(Def { var: VarId(self.input.number()?), ty: self.ty()? })
    }

    fn block(&mut self) -> Option<Block> {
        let stmt = |d: &mut Self| Some(Stmt { def: d.option(Self::def)?, action: d.action()? });
        self.nested(|d| d.list(stmt)).map(|stmts| Block { stmts })
    }

    fn args(&mut self) -> Option<Vec<Arg>> {
        self.list(Self::arg)
    }

    fn arg(&mut self) -> Option<Arg> {
        match self.input.octet()? {
            0 => Some(Arg::Var(VarId(self.input.number()?))),
            tag => self.literal_of(tag).map(Arg::Literal),
        }
    }

    fn access(&mut self) -> Option<Access> {
        self.one_of(&[Access::Public, Access::Package, Access::Reflective])
    }

    fn action(&mut self) -> Option<Action> {
        Some(match self.input.octet()? {
            0 => Action::Literal(self.literal()?),
            1 => {
                let access = self.access()?;
                Action::New { constructor: self.method_ref()?, args: self.args()?, access }
            }
            2 => {
                let access = self.access()?;
                let method = self.method_ref()?;
                Action::Call { method, receiver: self.option(Self::arg)?, args: self.args()?, access }
            }
            3 => {
                let access = self.access()?;
                Action::GetField { field: self.field_ref()?, receiver: self.option(Self::arg)?, access }
            }
            4 => {
                let access = self.access()?;
                let field = self.field_ref()?;
                Action::PutField { field, receiver: self.option(Self::arg)?, value: self.arg()?, access }
            }
            5 => Action::NewArray { component: self.ty()?, length: self.input.signed()? },
            6 => Action::ArrayOf { component: self.ty()?, elements: self.args()? },
            7 => Action::PutElement { array: self.arg()?, index: self.input.signed()?, value: self.arg()? },
            8 => Action::GetElement { array: self.arg()?, index: self.input.signed()? },
            9 => Action::Collection(self.one_of(&Collection::ALL)?, self.args()?),
            10 => Action::Cast(self.arg()?),
            11 => Action::Callback(self.callback()?),
            12 => {
                let on_throw = self.one_of(&[OnThrow::Swallow, OnThrow::RethrowAtEnd])?;
                Action::Try { body: self.block()?, on_throw }
            }
            13 => Action::Thread(self.block()?),
            14 => {
                let (name, content) = self.file()?;
                Action::TempFile { name, content }
            }
            15 => Action::TempDir { files: self.list(Self::file)? },
            16 => Action::Stream(self.one_of(&StreamKind::ALL)?, self.content()?),
            17 => Action::SetProperty { key: self.input.units()?, value: self.option(|d| d.input.units())? },
            18 => Action::SetLocale(self.name()?),
            19 => Action::SetTimeZone(self.name()?),
            20 => {
                let times = self.input.number()?;
                let carried = |d: &mut Self| Some(Carried { from: d.arg()?, var: d.def()?, next: d.arg()? });
                Action::Repeat { times, carried: self.option(carried)?, body: self.block()? }
            }
            21 => Action::Together(self.list(Self::block)?),
            22 => Action::Throw(self.arg()?),
            23 => Action::Capture,
            24 => Action::Keep(self.arg()?),
            25 => Action::Link(self.arg()?),
            26 => Action::ChangeFile(self.one_of(&FileChange::ALL)?, self.arg()?),
            _ => return None,
        })
    }

    fn file(&mut self) -> Option<(JavaString, Content)> {
        Some((self.input.units()?, self.content()?))
    }

    fn content(&mut self) -> Option<Content> {
        match self.input.octet()? {
            0 => self.text().map(Content::Text),
            1 => self.input.blob().map(|bytes| Content::Bytes(bytes.to_vec())),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<Text> {
        let piece = |d: &mut Self| match d.input.octet()? {
            0 => d.input.units().map(TextPiece::Plain),
            1 => {
                let times = d.input.number()?;
                d.input.units().map(|unit| TextPiece::Repeat(unit, times))
            }
            _ => None,
        };
        self.list(piece).map(|pieces| Text { pieces })
    }

    fn literal(&mut self) -> Option<Literal> {
        let tag = self.input.octet()?;
        self.literal_of(tag)
    }

    fn literal_of(&mut self, tag: u8) -> Option<Literal> {
        Some(match tag {
            1 => Literal::Null(self.ty()?),
            2 => Literal::Boolean(self.flag()?),
            3 => Literal::Byte(i8::from_le_bytes(self.input.array()?)),
            4 => Literal::Char(u16::from_le_bytes(self.input.array()?)),
            5 => Literal::Short(i16::from_le_bytes(self.input.array()?)),
            6 => Literal::Int(self.input.signed()?),
            7 => Literal::Long(i64::from_le_bytes(self.input.array()?)),
            8 => Literal::Float(f32::from_le_bytes(self.input.array()?)),
            9 => Literal::Double(f64::from_le_bytes(self.input.array()?)),
            10 => Literal::String(self.text()?),
            11 => Literal::Class(self.ty()?),
            12 => Literal::Enum(self.field_ref()?),
            _ => return None,
        })
    }

    fn callback(&mut self) -> Option<Callback> {
        let form = match self.input.octet()? {
            0 => CallbackForm::Lambda { interface: self.class_name()? },
            1 => CallbackForm::Interface { interface: self.class_name()? },
            2 => CallbackForm::Subclass { constructor: self.method_ref()?, args: self.args()? },
            _ => return None,
        };
        let methods = self.list(|d| {
            let method = d.method_ref()?;
            let (params, this, body, result) = d.body()?;
            Some(CallbackMethod { method, params, this, body, result })
        })?;
        Some(Callback { form, methods })
    }

    fn body(&mut self) -> Option<BodyParts> {
        let params = self.list(Self::def)?;
        let this = self.option(|d| d.input.number().map(VarId))?;
        Some((params, this, self.block()?, self.option(Self::arg)?))
    }

    fn class(&mut self) -> Option<ClassDecl> {
        Some(ClassDecl {
            name: self.class_name()?,
            kind: self.one_of(&[ClassKind::Class, ClassKind::Interface])?,
            signature: self.option(Self::name)?,
            super_class: self.class_name()?,
            interfaces: self.list(Self::class_name)?,
            annotations: self.list(Self::annotation)?,
            fields: self.list(Self::field)?,
            methods: self.list(Self::method)?,
        })
    }

    fn field(&mut self) -> Option<FieldDecl> {
        Some(FieldDecl {
            name: self.name()?,
            ty: self.ty()?,
            signature: self.option(Self::name)?,
            is_static: self.flag()?,
            annotations: self.list(Self::annotation)?,
            init: self.option(Self::literal)?,
        })
    }

    fn method(&mut self) -> Option<MethodDecl> {
        let (name, descriptor) = (self.name()?, self.name()?);
        let signature = self.option(Self::name)?;
        let (is_static, is_varargs) = (self.flag()?, self.flag()?);
        let annotations = self.list(Self::annotation)?;
        let param_annotations = self.list(|d| d.list(Self::annotation))?;
        let (params, this, body, result) = self.body()?;
        Some(MethodDecl {
            name,
            descriptor,
            signature,
            is_static,
            is_varargs,
            annotations,
            param_annotations,
            params,
            this,
            body,
            result,
        })
    }

    fn annotation(&mut self) -> Option<Annotation> {
        let class = self.class_name()?;
        let values = self.nested(|d| d.list(|d| Some((d.name()?, d.annotation_value()?))))?;
        Some(Annotation { class, values })
    }

    fn annotation_value(&mut self) -> Option<AnnotationValue> {
        match self.input.octet()? {
            0 => self.literal().map(AnnotationValue::Literal),
            1 => self.nested(|d| d.list(Self::annotation_value)).map(AnnotationValue::Array),
            2 => self.annotation().map(AnnotationValue::Nested),
            _ => None,
        }
    }
}
