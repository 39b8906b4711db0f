//! Writes recipes for one worker.

use super::layout::*;
use program::{FieldRef, MethodRef, Symbol, Type};
use recipe::bytes::Writer;
use recipe::{Action, Arg, Block, Collection, Literal, Recipe, Stmt, Text, TextPiece, VarId};
use rustc_hash::FxHashMap;

/// Knows what its worker has been told.
#[derive(Debug, Default)]
pub struct Encoder {
    strings: FxHashMap<Symbol, u32>,
    types: FxHashMap<Type, u32>,
    methods: FxHashMap<(MethodRef, u8), u32>,
    fields: FxHashMap<(FieldRef, u8), u32>,
    texts: FxHashMap<Text, u32>,
    /// Definitions of the batch in the making.
    definitions: Writer,
    defined: u32,
}

impl Encoder {
    /// One batch for `Interpreter.run`. A recipe that cannot be written is answered as unlinkable.
    pub fn batch(&mut self, recipes: &[Recipe]) -> Vec<u8> {
        let mut bodies = Writer::default();
        for recipe in recipes {
            let body = self.recipe(recipe).unwrap_or_else(|refusal| refused(&refusal));
            bodies.blob(&body);
        }
        let mut batch = Writer::default();
        batch.octet(FORMAT);
        batch.number(std::mem::take(&mut self.defined));
        batch.raw(&std::mem::take(&mut self.definitions).bytes);
        batch.count(recipes.len());
        batch.raw(&bodies.bytes);
        batch.bytes
    }

    fn recipe(&mut self, recipe: &Recipe) -> Result<Vec<u8>, String> {
        let mut body =
            RecipeWriter { encoder: self, slots: FxHashMap::default(), next_slot: 0, out: Writer::default() };
        body.block(&recipe.body)?;
        let RecipeWriter { next_slot, out, .. } = body;
        let mut whole = Writer::default();
        whole.number(next_slot);
        whole.raw(&out.bytes);
        Ok(whole.bytes)
    }

    fn define(&mut self, what: u8) {
        self.defined += 1;
        self.definitions.octet(what);
    }

    fn string(&mut self, symbol: Symbol) -> u32 {
        if let Some(id) = self.strings.get(&symbol) {
            return *id;
        }
        self.define(DEFINE_STRING);
        self.definitions.utf8(symbol.as_str());
        let id = self.strings.len() as u32;
        self.strings.insert(symbol, id);
        id
    }

    fn ty(&mut self, ty: Type) -> u32 {
        if let Some(id) = self.types.get(&ty) {
            return *id;
        }
        let descriptor = self.string(Symbol::new(&ty.descriptor()));
        self.define(DEFINE_TYPE);
        self.definitions.number(descriptor);
        let id = self.types.len() as u32;
        self.types.insert(ty, id);
        id
    }

    fn method(&mut self, method: MethodRef, kind: u8) -> u32 {
        if let Some(id) = self.methods.get(&(method, kind)) {
            return *id;
        }
        let owner = self.ty(Type::Class(method.class));
        let name = self.string(method.name);
        let descriptor = self.string(method.descriptor);
        self.define(DEFINE_METHOD);
        self.definitions.octet(kind);
        [owner, name, descriptor].into_iter().for_each(|id| self.definitions.number(id));
        let id = self.methods.len() as u32;
        self.methods.insert((method, kind), id);
        id
    }

    fn field(&mut self, field: FieldRef, kind: u8) -> u32 {
        if let Some(id) = self.fields.get(&(field, kind)) {
            return *id;
        }
        let owner = self.ty(Type::Class(field.class));
        let name = self.string(field.name);
        let ty = self.ty(field.field_type());
        self.define(DEFINE_FIELD);
        self.definitions.octet(kind);
        [owner, name, ty].into_iter().for_each(|id| self.definitions.number(id));
        let id = self.fields.len() as u32;
        self.fields.insert((field, kind), id);
        id
    }

    fn text(&mut self, text: &Text) -> u32 {
        if let Some(id) = self.texts.get(text) {
            return *id;
        }
        self.define(DEFINE_TEXT);
        self.definitions.count(text.pieces.len());
        for piece in &text.pieces {
            let (unit, times) = match piece {
                TextPiece::Plain(unit) => (unit, 1),
                TextPiece::Repeat(unit, times) => (unit, *times),
            };
            self.definitions.number(times);
            self.definitions.units(unit);
        }
        let id = self.texts.len() as u32;
        self.texts.insert(text.clone(), id);
        id
    }
}

/// A recipe whose only statement says why it is none.
fn refused(why: &str) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(0);
    out.count(1);
    out.octet(OP_REFUSE);
    out.number(0);
    out.utf8(why);
    out.bytes
}

struct RecipeWriter<'e> {
    encoder: &'e mut Encoder,
    slots: FxHashMap<VarId, u32>,
    next_slot: u32,
    out: Writer,
}

impl RecipeWriter<'_> {
    fn block(&mut self, block: &Block) -> Result<(), String> {
        self.out.count(block.stmts.len());
        block.stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        self.out.octet(op(&stmt.action)?);
        let slot = stmt.def.map(|def| {
            let slot = self.next_slot;
            self.next_slot += 1;
            (def.var, slot)
        });
        self.out.number(slot.map_or(0, |(_, slot)| slot + 1));
        self.action(&stmt.action)?;
        self.slots.extend(slot);
        Ok(())
    }

    fn action(&mut self, action: &Action) -> Result<(), String> {
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
                self.out.count(elements.len());
                elements.iter().try_for_each(|element| self.arg(element))?;
            }
            Action::Collection(kind, elements) => {
                self.out.octet(collection(*kind));
                self.out.count(elements.len());
                elements.iter().try_for_each(|element| self.arg(element))?;
            }
            _ => return Err(format!("{action:?} is not known to the workers")),
        }
        Ok(())
    }

    fn invoke(&mut self, method: MethodRef, kind: u8, receiver: Option<&Arg>, args: &[Arg]) -> Result<(), String> {
        let params = method.signature().params.len();
        if params != args.len() {
            return Err(format!("{method} takes {params} arguments, not {}", args.len()));
        }
        let id = self.encoder.method(method, kind);
        self.out.number(id);
        receiver.into_iter().chain(args).try_for_each(|arg| self.arg(arg))
    }

    fn field(&mut self, field: FieldRef, receiver: Option<&Arg>) -> Result<(), String> {
        let kind = if receiver.is_some() { MEMBER_INSTANCE } else { MEMBER_STATIC };
        let id = self.encoder.field(field, kind);
        self.out.number(id);
        receiver.into_iter().try_for_each(|arg| self.arg(arg))
    }

    fn ty(&mut self, ty: Type) {
        let id = self.encoder.ty(ty);
        self.out.number(id);
    }

    fn arg(&mut self, arg: &Arg) -> Result<(), String> {
        match arg {
            Arg::Literal(literal) => self.literal(literal),
            Arg::Var(var) => {
                let slot = *self.slots.get(var).ok_or_else(|| format!("variable v{} is not defined", var.0))?;
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
                let id = self.encoder.text(text);
                self.out.octet(ARG_TEXT);
                self.out.number(id);
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

fn op(action: &Action) -> Result<u8, String> {
    Ok(match action {
        Action::Literal(_) => OP_VALUE,
        Action::New { .. } | Action::Call { .. } => OP_INVOKE,
        Action::GetField { .. } => OP_GET_FIELD,
        Action::PutField { .. } => OP_PUT_FIELD,
        Action::NewArray { .. } => OP_NEW_ARRAY,
        Action::ArrayOf { .. } => OP_ARRAY_OF,
        Action::Collection(..) => OP_COLLECTION,
        _ => return Err(format!("{action:?} is not known to the workers")),
    })
}

fn collection(kind: Collection) -> u8 {
    match kind {
        Collection::AsList => 0,
        Collection::ArrayList => 1,
        Collection::LinkedList => 2,
        Collection::HashSet => 3,
        Collection::LinkedHashSet => 4,
        Collection::TreeSet => 5,
        Collection::HashMap => 6,
        Collection::LinkedHashMap => 7,
        Collection::TreeMap => 8,
        Collection::Properties => 9,
    }
}
