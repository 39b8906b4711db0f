//! Writes one recipe: variables become slots of a frame, nested bodies get frames of their own.
//!
//! The recipe's own block has one frame, in which every variable has its slot; `Try` and threads share the frame they
//! stand in, and each turn of a loop has a copy of it. The body of a callback runs in a new frame that starts with the slots
//! in use where the callback was made (blocks run at most once per frame, so these never change again), then has `this`,
//! the parameters and its own variables.

use super::encode::{Encoder, Refusal};
use super::layout::*;
use crate::emit::{Shapes, StubKey};
use program::{FieldRef, MethodRef, Symbol, Type};
use recipe::bytes::Writer;
use recipe::types::unboxed;
use recipe::{
    Action, Arg, Block, Body, Callback, CallbackForm, CallbackMethod, Carried, Collection, Content, Def, FileChange,
    JavaString, Literal, OnThrow, Recipe, Stmt, StreamKind, Text, VarId,
};

pub(super) struct RecipeWriter<'e> {
    encoder: &'e mut Encoder,
    shapes: &'e dyn Shapes,
    slots: Slots,
    next_slot: u32,
    out: Writer,
}

type Written = Result<(), Refusal>;

/// Where variables are, with their types. There are a dozen in most recipes, and those defined last are used most.
#[derive(Default)]
struct Slots(Vec<(VarId, (u32, Option<Type>))>);

impl Slots {
    fn insert(&mut self, var: VarId, slot: (u32, Option<Type>)) {
        self.0.push((var, slot));
    }

    /// Of two slots of one variable the later.
    fn get(&self, var: VarId) -> Option<(u32, Option<Type>)> {
        self.0.iter().rev().find(|(other, _)| *other == var).map(|(_, slot)| *slot)
    }
}

/// For most recipes large enough from the start.
fn roomy() -> Writer {
    Writer { bytes: Vec::with_capacity(256) }
}

impl<'e> RecipeWriter<'e> {
    pub(super) fn new(encoder: &'e mut Encoder, shapes: &'e dyn Shapes) -> Self {
        RecipeWriter { encoder, shapes, slots: Slots::default(), next_slot: 0, out: roomy() }
    }

    /// The whole recipe; its declared classes have the keys from `first_key` on.
    pub(super) fn write(mut self, recipe: &Recipe, first_key: u32) -> Result<Vec<u8>, Refusal> {
        self.classes(recipe, first_key)?;
        let head = std::mem::take(&mut self.out);
        self.next_slot = 0;
        self.block(&recipe.body)?;
        let mut whole = head;
        // The last bit says whether the end has to be waited for.
        whole.number(2 * self.next_slot + u32::from(recipe.keeps_exceptions()));
        whole.raw(&self.out.bytes);
        Ok(whole.bytes)
    }

    /// The slots of the variables that the recipe's own statements define.
    pub(super) fn slots(mut self, recipe: &Recipe) -> Vec<(VarId, u32)> {
        // What cannot be written has not been run either.
        let _ = self.block(&recipe.body);
        let defined = recipe.body.stmts.iter().filter_map(|stmt| stmt.def);
        defined.filter_map(|def| Some((def.var, self.slots.get(def.var)?.0))).collect()
    }

    fn classes(&mut self, recipe: &Recipe, first_key: u32) -> Written {
        self.out.count(recipe.classes.len());
        if recipe.classes.is_empty() {
            return Ok(());
        }
        for (key, class) in (first_key..).zip(&recipe.classes) {
            self.out.number(key);
            self.ty(Type::Class(class.name));
            self.out.count(class.methods.len());
            for method in &class.methods {
                let body = Body {
                    this: method.this,
                    params: &method.params,
                    block: &method.body,
                    result: method.result.as_ref(),
                };
                self.next_slot = 0;
                self.body(body, method.descriptor)?;
            }
        }
        self.statics(recipe)
    }

    /// What static fields of declared classes hold at the start; those of interfaces are set for good.
    fn statics(&mut self, recipe: &Recipe) -> Written {
        let mut fields = Vec::new();
        for class in recipe.classes.iter().filter(|class| class.kind == recipe::ClassKind::Class) {
            for field in class.fields.iter().filter(|field| field.is_static) {
                let value = field.init.clone().unwrap_or(Literal::default_of(field.ty));
                let descriptor = Symbol::new(&field.ty.descriptor());
                fields.push((FieldRef { class: class.name, name: field.name, descriptor }, value));
            }
        }
        self.out.count(fields.len());
        for (field, value) in fields {
            let id = self.encoder.field(field, MEMBER_STATIC);
            self.out.number(id);
            self.literal(&value);
        }
        Ok(())
    }

    /// A body in a frame of its own: its length, then the size of what it sees and of its frame, statements, result.
    fn body(&mut self, body: Body<'_>, descriptor: Symbol) -> Written {
        let (outer_out, visible) = (std::mem::take(&mut self.out), self.next_slot);
        let this = self.new_slot();
        if let Some(var) = body.this {
            self.slots.insert(var, (this, None));
        }
        for Def { var, ty } in body.params {
            let slot = self.new_slot();
            self.slots.insert(*var, (slot, Some(*ty)));
        }
        self.block(body.block)?;
        self.result(body.result, descriptor)?;
        let frame = std::mem::replace(&mut self.next_slot, visible);
        let inner = std::mem::replace(&mut self.out, outer_out);
        let mut whole = Writer::default();
        whole.number(visible);
        whole.number(frame);
        whole.raw(&inner.bytes);
        self.out.blob(&whole.bytes);
        Ok(())
    }

    fn result(&mut self, result: Option<&Arg>, descriptor: Symbol) -> Written {
        let Some(result) = result else {
            self.out.octet(RESULT_DEFAULT);
            return Ok(());
        };
        let returns_primitive = !descriptor.as_str().ends_with([';', 'V']) && !descriptor.as_str().contains(")[");
        self.out.octet(if returns_primitive { RESULT_UNBOXED } else { RESULT_VALUE });
        self.arg(result)
    }

    fn new_slot(&mut self) -> u32 {
        self.next_slot += 1;
        self.next_slot - 1
    }

    fn block(&mut self, block: &Block) -> Written {
        self.out.count(block.stmts.len());
        block.stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Written {
        self.out.octet(op(&stmt.action));
        let slot = stmt.def.map(|_| self.new_slot());
        self.out.number(slot.map_or(0, |slot| slot + 1));
        self.action(&stmt.action, stmt.def)?;
        if let (Some(def), Some(slot)) = (stmt.def, slot) {
            self.slots.insert(def.var, (slot, Some(def.ty)));
        }
        Ok(())
    }

    fn action(&mut self, action: &Action, def: Option<Def>) -> Written {
        match action {
            Action::Literal(literal) => self.literal(literal),
            Action::New { constructor, args, .. } => self.invoke(*constructor, MEMBER_CONSTRUCTOR, None, args)?,
            Action::Call { method, receiver, args, .. } => {
                let kind = if receiver.is_some() { MEMBER_INSTANCE } else { MEMBER_STATIC };
                self.invoke(*method, kind, receiver.as_ref(), args)?;
            }
            Action::GetField { field, receiver, .. } => self.field(*field, receiver.as_ref())?,
            Action::PutField { field, receiver, value, .. } => {
                self.field(*field, receiver.as_ref())?;
                self.arg(value)?;
            }
            Action::NewArray { component, length } => {
                self.ty(*component);
                self.out.signed(*length);
            }
            Action::ArrayOf { component, elements } => {
                self.ty(*component);
                self.args(elements)?;
            }
            Action::PutElement { array, index, value } => {
                self.arg(array)?;
                self.out.signed(*index);
                self.arg(value)?;
            }
            Action::GetElement { array, index } => {
                self.arg(array)?;
                self.out.signed(*index);
            }
            Action::Collection(kind, elements) => {
                self.out.octet(collection(*kind));
                self.args(elements)?;
            }
            Action::Cast(arg) => self.cast(arg, def)?,
            Action::Throw(arg) | Action::Keep(arg) | Action::Link(arg) => self.arg(arg)?,
            Action::Capture => {}
            Action::ChangeFile(change, file) => {
                self.out.octet(match change {
                    FileChange::DenyRead => CHANGE_DENY_READ,
                    FileChange::DenyWrite => CHANGE_DENY_WRITE,
                    FileChange::Delete => CHANGE_DELETE,
                });
                self.arg(file)?;
            }
            Action::Callback(callback) => self.callback(callback)?,
            Action::Try { body, on_throw } => {
                self.out.octet(match on_throw {
                    OnThrow::Swallow => ON_THROW_SWALLOW,
                    OnThrow::RethrowAtEnd => ON_THROW_RETHROW_AT_END,
                });
                self.measured_block(body)?;
            }
            Action::Thread(body) => self.measured_block(body)?,
            Action::Repeat { times, carried, body } => self.repeat(*times, carried.as_ref(), body)?,
            Action::Together(bodies) => {
                self.out.count(bodies.len());
                bodies.iter().try_for_each(|body| self.measured_block(body))?;
            }
            Action::TempFile { name, content } => self.file(name, content),
            Action::TempDir { files } => {
                self.out.count(files.len());
                files.iter().for_each(|(name, content)| self.file(name, content));
            }
            Action::Stream(kind, content) => self.stream(*kind, content),
            Action::SetProperty { key, value } => {
                self.java_string(key);
                self.out.octet(u8::from(value.is_some()));
                value.iter().for_each(|value| self.java_string(value));
            }
            Action::SetLocale(name) | Action::SetTimeZone(name) => {
                let id = self.encoder.string(*name);
                self.out.number(id);
            }
        }
        Ok(())
    }

    fn invoke(&mut self, method: MethodRef, kind: u8, receiver: Option<&Arg>, args: &[Arg]) -> Written {
        let id = self.encoder.method(method, kind, self.shapes);
        let expected = self.encoder.arity(id);
        if expected != args.len() {
            return Err(Refusal::ArgCount { method, expected, found: args.len() });
        }
        self.out.number(id);
        receiver.into_iter().chain(args).try_for_each(|arg| self.arg(arg))
    }

    fn field(&mut self, field: FieldRef, receiver: Option<&Arg>) -> Written {
        let kind = if receiver.is_some() { MEMBER_INSTANCE } else { MEMBER_STATIC };
        let id = self.encoder.field(field, kind);
        self.out.number(id);
        receiver.into_iter().try_for_each(|arg| self.arg(arg))
    }

    /// Unboxing a variable that has not the wrapper's type also checks the class of its value.
    fn cast(&mut self, arg: &Arg, def: Option<Def>) -> Written {
        let to = def.ok_or(Refusal::CastToNothing)?.ty;
        let from = match arg {
            Arg::Literal(literal) => Some(literal.ty()),
            Arg::Var(var) => self.slots.get(*var).and_then(|(_, ty)| ty),
        };
        let is_exact = from.is_none_or(|from| from.is_reference() && unboxed(from).is_none());
        self.ty(to);
        self.out.octet(u8::from(is_exact));
        self.arg(arg)
    }

    fn callback(&mut self, callback: &Callback) -> Written {
        let (class, constructor, args): (_, _, &[Arg]) = match &callback.form {
            CallbackForm::Lambda { interface } | CallbackForm::Interface { interface } => {
                (*interface, Symbol::new("()V"), &[])
            }
            CallbackForm::Subclass { constructor, args } => (constructor.class, constructor.descriptor, args),
        };
        let mut methods: Vec<&CallbackMethod> = callback.methods.iter().collect();
        // Callbacks with the same methods in another order share a stub.
        methods.sort_by_key(|method| (method.method.name, method.method.descriptor));
        self.out.count(methods.len());
        for method in &methods {
            let body =
                Body { this: method.this, params: &method.params, block: &method.body, result: method.result.as_ref() };
            self.body(body, method.method.descriptor)?;
        }
        let methods = methods.iter().map(|method| (method.method.name, method.method.descriptor)).collect();
        let id = self.encoder.stub_constructor(&StubKey { class, constructor, methods }, self.shapes)?;
        self.out.number(id);
        args.iter().try_for_each(|arg| self.arg(arg))
    }

    /// The number of turns; the slot of what they carry on plus one and the first value, or 0; then what is done in a turn,
    /// the next value last.
    fn repeat(&mut self, times: u32, carried: Option<&Carried>, body: &Block) -> Written {
        self.out.number(times);
        match carried {
            None => self.out.number(0),
            Some(Carried { from, var, .. }) => {
                let slot = self.new_slot();
                self.out.number(slot + 1);
                self.arg(from)?;
                self.slots.insert(var.var, (slot, Some(var.ty)));
            }
        }
        self.measured(|writer| {
            writer.block(body)?;
            carried.map_or(Ok(()), |carried| writer.arg(&carried.next))
        })
    }

    fn measured_block(&mut self, block: &Block) -> Written {
        self.measured(|writer| writer.block(block))
    }

    /// What is left in the middle when it throws: its length comes first.
    fn measured(&mut self, write: impl FnOnce(&mut Self) -> Written) -> Written {
        let outer = std::mem::take(&mut self.out);
        write(self)?;
        let inner = std::mem::replace(&mut self.out, outer);
        self.out.blob(&inner.bytes);
        Ok(())
    }

    fn file(&mut self, name: &JavaString, content: &Content) {
        self.java_string(name);
        self.content(content);
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Text(text) => {
                self.out.octet(CONTENT_TEXT);
                self.text(text);
            }
            Content::Bytes(bytes) => {
                self.out.octet(CONTENT_BYTES);
                self.out.blob(bytes);
            }
        }
    }

    /// Readers read text; bytes are text in UTF-8 there.
    fn stream(&mut self, kind: StreamKind, content: &Content) {
        self.out.octet(match kind {
            StreamKind::ByteArrayInputStream => STREAM_BYTES,
            StreamKind::StringReader => STREAM_READER,
            StreamKind::BufferedReader => STREAM_BUFFERED_READER,
        });
        match (kind, content) {
            (StreamKind::ByteArrayInputStream, content) => self.content(content),
            (_, Content::Text(text)) => self.text(text),
            (_, Content::Bytes(bytes)) => self.text(&Text::plain(&String::from_utf8_lossy(bytes))),
        }
    }

    fn text(&mut self, text: &Text) {
        let id = self.encoder.text(text);
        self.out.number(id);
    }

    fn java_string(&mut self, text: &JavaString) {
        self.text(&Text::from(text.clone()));
    }

    fn ty(&mut self, ty: Type) {
        let id = self.encoder.ty(ty);
        self.out.number(id);
    }

    fn args(&mut self, args: &[Arg]) -> Written {
        self.out.count(args.len());
        args.iter().try_for_each(|arg| self.arg(arg))
    }

    fn arg(&mut self, arg: &Arg) -> Written {
        match arg {
            Arg::Literal(literal) => self.literal(literal),
            Arg::Var(var) => {
                let (slot, _) = self.slots.get(*var).ok_or(Refusal::Undefined(*var))?;
                match u8::try_from(slot).ok().and_then(|slot| slot.checked_add(ARG_SMALL_VAR)) {
                    Some(tag) => self.out.octet(tag),
                    None => {
                        self.out.octet(ARG_VAR);
                        self.out.number(slot);
                    }
                }
            }
        }
        Ok(())
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null(_) => self.out.octet(ARG_NULL),
            Literal::Boolean(false) => self.out.octet(ARG_FALSE),
            Literal::Boolean(true) => self.out.octet(ARG_TRUE),
            Literal::Byte(value) => self.tagged(ARG_BYTE, &value.to_le_bytes()),
            Literal::Char(value) => {
                self.out.octet(ARG_CHAR);
                self.out.number(u32::from(*value));
            }
            Literal::Short(value) => {
                self.out.octet(ARG_SHORT);
                self.out.signed(i32::from(*value));
            }
            Literal::Int(value) => {
                self.out.octet(ARG_INT);
                self.out.signed(*value);
            }
            Literal::Long(value) => self.tagged(ARG_LONG, &value.to_le_bytes()),
            Literal::Float(value) => self.tagged(ARG_FLOAT, &value.to_le_bytes()),
            Literal::Double(value) => self.tagged(ARG_DOUBLE, &value.to_le_bytes()),
            Literal::String(text) => {
                self.out.octet(ARG_TEXT);
                self.text(text);
            }
            Literal::Class(ty) => {
                self.out.octet(ARG_CLASS);
                self.ty(*ty);
            }
            Literal::Enum(field) => {
                let id = self.encoder.field(*field, MEMBER_STATIC);
                self.out.octet(ARG_FIELD);
                self.out.number(id);
            }
        }
    }

    fn tagged(&mut self, tag: u8, bytes: &[u8]) {
        self.out.octet(tag);
        self.out.raw(bytes);
    }
}

fn op(action: &Action) -> u8 {
    match action {
        Action::Literal(_) => OP_VALUE,
        Action::New { .. } | Action::Call { .. } => OP_INVOKE,
        Action::GetField { .. } => OP_GET_FIELD,
        Action::PutField { .. } => OP_PUT_FIELD,
        Action::NewArray { .. } => OP_NEW_ARRAY,
        Action::ArrayOf { .. } => OP_ARRAY_OF,
        Action::PutElement { .. } => OP_PUT_ELEMENT,
        Action::GetElement { .. } => OP_GET_ELEMENT,
        Action::Collection(..) => OP_COLLECTION,
        Action::Cast(_) => OP_CAST,
        Action::Callback(_) => OP_CALLBACK,
        Action::Try { .. } => OP_TRY,
        Action::Thread(_) => OP_THREAD,
        Action::TempFile { .. } => OP_TEMP_FILE,
        Action::TempDir { .. } => OP_TEMP_DIR,
        Action::Stream(..) => OP_STREAM,
        Action::SetProperty { .. } => OP_SET_PROPERTY,
        Action::SetLocale(_) => OP_SET_LOCALE,
        Action::SetTimeZone(_) => OP_SET_TIME_ZONE,
        Action::Repeat { .. } => OP_REPEAT,
        Action::Together(_) => OP_TOGETHER,
        Action::Throw(_) => OP_THROW,
        Action::Capture => OP_CAPTURE,
        Action::Keep(_) => OP_KEEP,
        Action::Link(_) => OP_LINK,
        Action::ChangeFile(..) => OP_CHANGE_FILE,
    }
}

fn collection(kind: Collection) -> u8 {
    match kind {
        Collection::AsList => COLLECTION_AS_LIST,
        Collection::ArrayList => COLLECTION_ARRAY_LIST,
        Collection::LinkedList => COLLECTION_LINKED_LIST,
        Collection::HashSet => COLLECTION_HASH_SET,
        Collection::LinkedHashSet => COLLECTION_LINKED_HASH_SET,
        Collection::TreeSet => COLLECTION_TREE_SET,
        Collection::HashMap => COLLECTION_HASH_MAP,
        Collection::LinkedHashMap => COLLECTION_LINKED_HASH_MAP,
        Collection::TreeMap => COLLECTION_TREE_MAP,
        Collection::Properties => COLLECTION_PROPERTIES,
    }
}
