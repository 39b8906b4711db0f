//! Writes recipes for one worker.

use super::body::RecipeWriter;
use super::layout::*;
use crate::emit::{self, EmitError, Manner, Shape, Shapes, StubKey};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use recipe::bytes::Writer;
use recipe::{Block, ClassDecl, Recipe, Text, TextPiece};
use rustc_hash::FxHashMap;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// Knows what its worker has been told. When the worker is replaced, so is its encoder.
#[derive(Debug, Default)]
pub struct Encoder {
    strings: FxHashMap<Symbol, u32>,
    types: FxHashMap<Type, u32>,
    methods: FxHashMap<MethodKey, u32>,
    /// How many arguments each takes, the receiver aside.
    arities: Vec<usize>,
    fields: FxHashMap<(FieldRef, u8), u32>,
    texts: FxHashMap<Text, u32>,
    text_units: u64,
    /// Stub classes by what they do.
    stubs: FxHashMap<StubKey, ClassName>,
    /// Sets of declared classes, bodies aside, and the key of the first class of each.
    declared: FxHashMap<u128, u32>,
    next_key: u32,
    /// Definitions of the batch in the making.
    definitions: Writer,
    defined: u32,
}

/// A method and how it is called. Looked up for every call of every candidate, so it is hashed by the addresses of its names,
/// which are interned, without a look at the names themselves; the order of the table is never seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MethodKey(MethodRef, u8);

impl Hash for MethodKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let MethodKey(method, kind) = self;
        for name in [method.class.as_internal(), method.name.as_str(), method.descriptor.as_str()] {
            state.write_usize(name.as_ptr().addr());
        }
        state.write_u8(*kind);
    }
}

/// Why a recipe cannot be sent; the worker answers such a recipe with [`recipe::End::Unlinkable`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("variable {0} is not defined")]
    Undefined(recipe::VarId),
    #[error("{method} takes {expected} arguments, not {found}")]
    ArgCount { method: MethodRef, expected: usize, found: usize },
    #[error("class {0} is missing")]
    Missing(ClassName),
    #[error("a cast to nothing")]
    CastToNothing,
    #[error(transparent)]
    Emit(#[from] EmitError),
}

/// Constants that a worker keeps; beyond that it is told to forget them all.
const MAX_TEXTS: usize = 1 << 15;
const MAX_TEXT_UNITS: u64 = 8 << 20;

impl Encoder {
    /// How many classes the worker was told to define.
    pub fn classes(&self) -> usize {
        self.next_key as usize + self.stubs.len()
    }

    /// One batch for `Interpreter.run`. A recipe that cannot be written is answered as unlinkable.
    pub fn batch(&mut self, recipes: &[impl Borrow<Recipe>], shapes: &dyn Shapes) -> Vec<u8> {
        if self.texts.len() > MAX_TEXTS || self.text_units > MAX_TEXT_UNITS {
            self.texts.clear();
            self.text_units = 0;
            self.define(FORGET_TEXTS);
        }
        let mut bodies = Writer::default();
        for recipe in recipes {
            let body = self.recipe(recipe.borrow(), shapes).unwrap_or_else(|refusal| refused(&refusal));
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

    fn recipe(&mut self, recipe: &Recipe, shapes: &dyn Shapes) -> Result<Vec<u8>, Refusal> {
        if recipe.classes.is_empty() {
            return RecipeWriter::new(self, shapes).write(recipe, 0);
        }
        let set = set_hash(&recipe.classes);
        let mut renamed = recipe.clone();
        renamed.rename_classes(|class| runtime_name(class, set));
        let first_key = self.declare(set, &renamed.classes, shapes)?;
        RecipeWriter::new(self, shapes).write(&renamed, first_key)
    }

    /// Defines a set of declared classes, unless the worker has them; their keys are consecutive.
    fn declare(&mut self, set: u128, classes: &[ClassDecl], shapes: &dyn Shapes) -> Result<u32, Refusal> {
        if let Some(first_key) = self.declared.get(&set) {
            return Ok(*first_key);
        }
        let first_key = self.next_key;
        let mut files = Vec::new();
        for (key, class) in (first_key..).zip(classes) {
            files.push((class.name, emit::declared_class(classes, class, key, shapes)?));
        }
        self.next_key += classes.len() as u32;
        for (name, file) in files {
            self.emitted_type(name, &file);
        }
        self.declared.insert(set, first_key);
        Ok(first_key)
    }

    /// The constructor of the stub class for such callbacks.
    pub(super) fn stub_constructor(&mut self, key: &StubKey, shapes: &dyn Shapes) -> Result<u32, Refusal> {
        let name = match self.stubs.get(key) {
            Some(name) => *name,
            None => {
                let shape = shapes.shape(key.class).ok_or(Refusal::Missing(key.class))?;
                let name = emit::stub_name(key, shape);
                let file = emit::stub_class(name, key, shape, shapes)?;
                self.emitted_type(name, &file);
                self.stubs.insert(key.clone(), name);
                name
            }
        };
        let descriptor = emit::constructor_descriptor(key.constructor);
        let constructor = MethodRef { class: name, name: Symbol::new("<init>"), descriptor };
        Ok(self.method(constructor, MEMBER_CONSTRUCTOR, shapes))
    }

    fn define(&mut self, what: u8) {
        self.defined += 1;
        self.definitions.octet(what);
    }

    pub(super) fn string(&mut self, symbol: Symbol) -> u32 {
        if let Some(id) = self.strings.get(&symbol) {
            return *id;
        }
        self.define(DEFINE_STRING);
        self.definitions.utf8(symbol.as_str());
        insert(&mut self.strings, symbol)
    }

    pub(super) fn ty(&mut self, ty: Type) -> u32 {
        if let Some(id) = self.types.get(&ty) {
            return *id;
        }
        let descriptor = self.string(Symbol::new(&ty.descriptor()));
        self.define(DEFINE_TYPE);
        self.definitions.number(descriptor);
        insert(&mut self.types, ty)
    }

    fn emitted_type(&mut self, class: ClassName, file: &[u8]) {
        let ty = Type::Class(class);
        let descriptor = self.string(Symbol::new(&ty.descriptor()));
        self.define(DEFINE_EMITTED_TYPE);
        self.definitions.number(descriptor);
        self.definitions.blob(file);
        insert(&mut self.types, ty);
    }

    pub(super) fn method(&mut self, method: MethodRef, kind: u8, shapes: &dyn Shapes) -> u32 {
        if let Some(id) = self.methods.get(&MethodKey(method, kind)) {
            return *id;
        }
        let owner = self.ty(Type::Class(method.class));
        let name = self.string(method.name);
        let descriptor = self.string(method.descriptor);
        self.define(DEFINE_METHOD);
        self.definitions.octet(kind);
        [owner, name, descriptor].into_iter().for_each(|id| self.definitions.number(id));
        match invoker(method, kind, shapes) {
            Some((place, file)) => {
                self.definitions.octet(place);
                self.definitions.blob(&file);
            }
            None => self.definitions.octet(INVOKER_NONE),
        }
        self.arities.push(method.signature().params.len());
        insert(&mut self.methods, MethodKey(method, kind))
    }

    /// How many arguments the method with this number takes, the receiver aside.
    pub(super) fn arity(&self, method: u32) -> usize {
        self.arities[method as usize]
    }

    pub(super) fn field(&mut self, field: FieldRef, kind: u8) -> u32 {
        if let Some(id) = self.fields.get(&(field, kind)) {
            return *id;
        }
        let owner = self.ty(Type::Class(field.class));
        let name = self.string(field.name);
        let ty = self.ty(field.field_type());
        self.define(DEFINE_FIELD);
        self.definitions.octet(kind);
        [owner, name, ty].into_iter().for_each(|id| self.definitions.number(id));
        insert(&mut self.fields, (field, kind))
    }

    pub(super) fn text(&mut self, text: &Text) -> u32 {
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
        self.text_units += text.len();
        insert(&mut self.texts, text.clone())
    }
}

/// What calls the member, and where it is to be defined; `None` if the member's class is not known.
fn invoker(method: MethodRef, kind: u8, shapes: &dyn Shapes) -> Option<(u8, Vec<u8>)> {
    let shape = shapes.shape(method.class);
    let on_interface = || shape.map(|shape| shape.is_interface);
    let manner = match kind {
        MEMBER_STATIC => Manner::Static { on_interface: on_interface()? },
        MEMBER_INSTANCE => Manner::Virtual { on_interface: on_interface()? },
        _ => Manner::Constructor,
    };
    // Nothing can be defined beside classes of the JDK. Those that have no shape are our own.
    let (place, package) = match shape {
        Some(Shape { is_platform: true, .. }) => (INVOKER_APART, ClassDecl::PACKAGE),
        _ => (INVOKER_BESIDE, method.class.package()),
    };
    let sure = if shapes.can_call(method, manner, package) { INVOKER_SURE } else { 0 };
    Some((place | sure, emit::invoker_class(method, manner, package).ok()?))
}

/// Numbers are handed out in order, as the worker counts them.
fn insert<K: Hash + Eq>(table: &mut FxHashMap<K, u32>, key: K) -> u32 {
    let id = table.len() as u32;
    table.insert(key, id);
    id
}

/// A recipe whose only statement says why it is none.
fn refused(why: &Refusal) -> Vec<u8> {
    let mut out = Writer::default();
    // No declared classes, no variables, one statement that defines nothing.
    [0, 0, 1].into_iter().for_each(|number| out.number(number));
    out.octet(OP_REFUSE);
    out.number(0);
    out.utf8(&why.to_string());
    out.bytes
}

/// Recipes whose declared classes look the same to the program share them, whatever the bodies do.
fn set_hash(classes: &[ClassDecl]) -> u128 {
    let mut shells = Recipe { classes: classes.to_vec(), body: Block::default() };
    for method in shells.classes.iter_mut().flat_map(|class| &mut class.methods) {
        method.body = Block::default();
        method.result = None;
        method.this = None;
    }
    shells.canonical_hash().0
}

/// Two recipes may give the same name to different classes, but a worker defines each name once.
fn runtime_name(class: ClassName, set: u128) -> ClassName {
    if ClassDecl::is_declared_name(class) {
        ClassName::internal(&format!("{}/set{:016x}/{}", ClassDecl::PACKAGE, set as u64, class.simple()))
    } else {
        class
    }
}
