//! Makes a recipe from a list of choices.

use crate::types::boxed;
use crate::{
    Action, Annotation, AnnotationValue, Arg, Block, Callback, CallbackForm, CallbackMethod, ClassDecl, ClassKind,
    Collection, Content, Def, FieldDecl, JavaString, Literal, MethodDecl, OnThrow, Problem, Recipe, RecipeBuilder,
    StreamKind, Text, TextPiece, VarId,
};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};

use super::Universe;

/// Which kinds of actions to use.
#[derive(Clone, Copy, Debug)]
pub struct Flavour {
    /// Callbacks, `Try`, loops and threads.
    pub blocks: bool,
    /// Several bodies at the same time: what happens first is not the recipe's choice.
    pub races: bool,
    /// Declared classes.
    pub classes: bool,
    /// Files, properties, locale, time zone.
    pub environment: bool,
}

impl Flavour {
    pub const ALL: Flavour = Flavour { blocks: true, races: true, classes: true, environment: true };
    pub const PLAIN: Flavour = Flavour { blocks: false, races: false, classes: false, environment: false };
}

/// A well-typed recipe; the same for the same choices. No choices make the empty recipe.
pub fn generate(universe: &Universe, flavour: Flavour, choices: &[u16]) -> Recipe {
    let mut generator =
        Generator { universe, flavour, choices, build: RecipeBuilder::new(universe), depth: 0, declared: None };
    if flavour.classes && generator.choose(6) == 5 {
        generator.declare();
    }
    while !generator.choices.is_empty() {
        generator.stmt();
    }
    generator.build.finish()
}

struct Generator<'u> {
    universe: &'u Universe,
    flavour: Flavour,
    choices: &'u [u16],
    build: RecipeBuilder<'u>,
    depth: u32,
    declared: Option<ClassName>,
}

impl<'u> Generator<'u> {
    /// A number below `bound`; 0 when the choices have run out.
    fn choose(&mut self, bound: usize) -> usize {
        let Some((first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(*first) % bound.max(1)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let index = self.choose(items.len());
        items.get(index).copied()
    }

    /// Adds a statement of some kind; what does not fit here adds none.
    fn stmt(&mut self) {
        let added = match self.choose(20) {
            0..=2 => self.construct(),
            3..=8 => self.call(),
            9 | 10 => self.call_static(),
            11 => self.literal(),
            12 => self.array(),
            13 => self.element(),
            14 => self.collection(),
            15 => self.cast(),
            16 if self.flavour.blocks && self.depth < 3 => self.callback(),
            17 if self.flavour.blocks && self.depth < 3 => self.block(),
            18 if self.flavour.environment => self.environment(),
            19 if self.flavour.classes => self.use_declared(),
            _ => self.construct(),
        };
        // The generator only proposes what fits, so a refusal is a bug here or in the rules.
        added.expect("generated statements are well typed");
    }

    fn construct(&mut self) -> Result<(), Problem> {
        let Some(constructor) = self.pick(&self.universe.constructors) else { return Ok(()) };
        let args = self.args(constructor);
        self.build.construct(constructor, args).map(|_| ())
    }

    fn call_static(&mut self) -> Result<(), Problem> {
        let Some(method) = self.pick(&self.universe.static_methods) else { return Ok(()) };
        let args = self.args(method);
        self.build.call(method, None, args).map(|_| ())
    }

    fn call(&mut self) -> Result<(), Problem> {
        let objects: Vec<Def> = self.build.vars().into_iter().filter(|def| def.ty.is_reference()).collect();
        let Some(receiver) = self.pick(&objects) else { return self.construct() };
        let methods = self.universe.methods_of(receiver.ty);
        let Some(method) = self.pick(&methods) else { return self.construct() };
        let args = self.args(method);
        self.build.call(method, Some(Arg::Var(receiver.var)), args).map(|_| ())
    }

    fn args(&mut self, method: MethodRef) -> Vec<Arg> {
        method.signature().params.into_iter().map(|param| self.arg(param)).collect()
    }

    fn arg(&mut self, ty: Type) -> Arg {
        let vars = self.build.vars_for(ty);
        if !vars.is_empty() && self.choose(3) > 0 {
            return self.pick(&vars).map_or_else(|| Arg::Literal(Literal::default_of(ty)), Arg::Var);
        }
        Arg::Literal(self.literal_of(ty))
    }

    /// A literal that fits.
    fn literal_of(&mut self, ty: Type) -> Literal {
        match ty {
            Type::Boolean => Literal::Boolean(self.choose(2) == 1),
            Type::Byte => Literal::Byte(self.choose(256) as u8 as i8),
            Type::Char => Literal::Char(self.unit()),
            Type::Short => Literal::Short(self.choose(1 << 16) as u16 as i16),
            Type::Int => Literal::Int(self.int()),
            Type::Long => Literal::Long(i64::from(self.int()) << (8 * self.choose(5))),
            Type::Float => Literal::Float(f32::from_bits(self.bits() as u32)),
            Type::Double => Literal::Double(f64::from_bits(self.bits())),
            Type::Class(class) if class == ClassName::object() => self.any_literal(),
            Type::Class(class) if ["java/lang/String", "java/lang/CharSequence"].contains(&class.as_internal()) => {
                if self.choose(5) == 4 {
                    Literal::Null(ty)
                } else {
                    Literal::String(self.text())
                }
            }
            Type::Class(class) => {
                let wrapper = [Type::Int, Type::Char, Type::Double].into_iter().find(|p| boxed(*p) == class);
                match wrapper {
                    Some(primitive) if self.choose(4) < 3 => self.literal_of(primitive),
                    _ => Literal::Null(ty),
                }
            }
            Type::Array(_) => Literal::Null(ty),
        }
    }

    fn any_literal(&mut self) -> Literal {
        match self.choose(8) {
            0 => Literal::Null(Type::Class(ClassName::object())),
            1 => Literal::Int(self.int()),
            2 => Literal::Class(Type::parse("[Ljava/lang/String;").unwrap_or(Type::Int)),
            3 => match self.pick(&self.universe.constants) {
                Some(constant) => Literal::Enum(constant),
                None => Literal::Boolean(true),
            },
            4 => self.literal_of(Type::Double),
            5 => self.literal_of(Type::Char),
            _ => Literal::String(self.text()),
        }
    }

    fn int(&mut self) -> i32 {
        match self.choose(8) {
            0 => i32::MAX,
            1 => i32::MIN,
            2 => -1,
            _ => self.choose(7) as i32,
        }
    }

    /// Any double, often a round one.
    fn bits(&mut self) -> u64 {
        match self.choose(3) {
            0 => (self.choose(1 << 16) as f64 / 4.0).to_bits(),
            _ => (0..4).fold(0, |bits, _| bits << 16 | self.choose(1 << 16) as u64),
        }
    }

    fn unit(&mut self) -> u16 {
        match self.choose(4) {
            0 => self.choose(1 << 16) as u16,
            _ => b'a' as u16 + self.choose(26) as u16,
        }
    }

    fn string(&mut self) -> JavaString {
        let length = self.choose(5);
        JavaString((0..length).map(|_| self.unit()).collect())
    }

    fn text(&mut self) -> Text {
        let number = self.choose(50).to_string();
        match self.choose(4) {
            0 => Text::plain(&number),
            1 => Text { pieces: vec![TextPiece::Repeat(self.string(), 2 + self.choose(9) as u32)] }.normalised(),
            _ => Text::from(self.string()),
        }
    }

    fn literal(&mut self) -> Result<(), Problem> {
        let literal = self.any_literal();
        self.build.literal(literal).map(|_| ())
    }

    fn array(&mut self) -> Result<(), Problem> {
        let component = match self.choose(4) {
            0 => Type::Int,
            1 => Type::Char,
            2 => Type::Class(ClassName::string()),
            _ => Type::Class(ClassName::object()),
        };
        let action = if self.choose(2) == 0 {
            Action::NewArray { component, length: self.choose(6) as i32 - 1 }
        } else {
            let count = self.choose(4);
            Action::ArrayOf { component, elements: (0..count).map(|_| self.arg(component)).collect() }
        };
        self.build.define(action).map(|_| ())
    }

    fn element(&mut self) -> Result<(), Problem> {
        let arrays: Vec<(VarId, Type)> = self
            .build
            .vars()
            .into_iter()
            .filter_map(|def| if let Type::Array(array) = def.ty { Some((def.var, array.component())) } else { None })
            .collect();
        let Some((array, component)) = self.pick(&arrays) else { return self.array() };
        let index = self.choose(5) as i32 - 1;
        if self.choose(2) == 0 {
            return self.build.define(Action::GetElement { array: Arg::Var(array), index }).map(|_| ());
        }
        let value = self.arg(component);
        self.build.perform(Action::PutElement { array: Arg::Var(array), index, value })
    }

    fn collection(&mut self) -> Result<(), Problem> {
        let Some(kind) = self.pick(&Collection::ALL) else { return Ok(()) };
        let pairs = self.choose(3);
        let count = if kind.is_map() { 2 * pairs } else { pairs };
        let elements = (0..count).map(|_| self.arg(Type::Class(ClassName::object()))).collect();
        self.build.define(Action::Collection(kind, elements)).map(|_| ())
    }

    fn cast(&mut self) -> Result<(), Problem> {
        let objects = self.build.vars_for(Type::Class(ClassName::object()));
        let Some(var) = self.pick(&objects) else { return Ok(()) };
        match self.build.type_of(var) {
            Some(ty) if ty.is_reference() => {
                let to = if self.choose(2) == 0 { "java/util/List" } else { "java/lang/String" };
                self.build.define_as(Type::class(to), Action::Cast(Arg::Var(var))).map(|_| ())
            }
            Some(Type::Boolean) | None => Ok(()),
            Some(_) => self.build.define_as(Type::Byte, Action::Cast(Arg::Var(var))).map(|_| ()),
        }
    }

    fn callback(&mut self) -> Result<(), Problem> {
        let count = self.universe.interfaces.len();
        if count == 0 {
            return Ok(());
        }
        let universe = self.universe;
        let (interface, declared) = &universe.interfaces[self.choose(count)];
        let methods = declared.iter().map(|method| self.callback_method(*interface, *method)).collect();
        let form = if declared.len() == 1 && self.choose(2) == 0 {
            CallbackForm::Lambda { interface: *interface }
        } else {
            CallbackForm::Interface { interface: *interface }
        };
        self.build.define(Action::Callback(Callback { form, methods })).map(|_| ())
    }

    fn callback_method(&mut self, class: ClassName, method: MethodRef) -> CallbackMethod {
        let open = self.build.open_method(class, method);
        let count = self.choose(3);
        self.stmts(count);
        let result = method.signature().ret.filter(|_| self.choose(4) > 0).map(|ty| self.arg(ty));
        self.build.close_method(open, result)
    }

    fn stmts(&mut self, count: usize) {
        self.depth += 1;
        (0..count).for_each(|_| self.stmt());
        self.depth -= 1;
    }

    fn block(&mut self) -> Result<(), Problem> {
        let action = match self.choose(6) {
            0 => Action::Try { body: self.nested(), on_throw: OnThrow::Swallow },
            1 => Action::Try { body: self.nested(), on_throw: OnThrow::RethrowAtEnd },
            2 => Action::Thread(self.nested()),
            3 => {
                let bodies = if self.flavour.races { 1 + self.choose(3) } else { 1 };
                Action::Together((0..bodies).map(|_| self.nested()).collect())
            }
            4 => Action::Repeat { times: self.choose(4) as u32, carried: None, body: self.nested() },
            _ => return self.carry(),
        };
        self.build.perform(action)
    }

    fn nested(&mut self) -> Block {
        let open = self.build.open();
        let count = 1 + self.choose(3);
        self.stmts(count);
        self.build.close(open)
    }

    /// A loop over the value of a variable. What a primitive variable is given has exactly its type.
    fn carry(&mut self) -> Result<(), Problem> {
        let Some(from) = self.pick(&self.build.vars()) else { return self.construct() };
        let ty = if from.ty.is_reference() && self.choose(3) == 0 { Type::Class(ClassName::object()) } else { from.ty };
        let open = self.build.open_turn(ty);
        let count = 1 + self.choose(3);
        self.stmts(count);
        let next = if ty.is_reference() { self.arg(ty) } else { Arg::Literal(self.literal_of(ty)) };
        let times = self.choose(4) as u32;
        let action = self.build.close_turn(open, times, Arg::Var(from.var), next);
        if self.choose(2) == 0 { self.build.perform(action) } else { self.build.define(action).map(|_| ()) }
    }

    fn environment(&mut self) -> Result<(), Problem> {
        let action = match self.choose(7) {
            0 => Action::TempFile { name: JavaString::new("data.txt"), content: self.content() },
            1 => {
                let files = [("a.txt", self.content()), ("sub/b.bin", self.content())];
                Action::TempDir { files: files.map(|(name, content)| (JavaString::new(name), content)).to_vec() }
            }
            2 => Action::Stream(StreamKind::ByteArrayInputStream, self.content()),
            3 => Action::Stream(StreamKind::StringReader, Content::Text(self.text())),
            4 => Action::Stream(StreamKind::BufferedReader, Content::Text(self.text())),
            5 => {
                let value = if self.choose(3) == 0 { None } else { Some(self.string()) };
                return self.build.perform(Action::SetProperty { key: JavaString::new("reenact.test"), value });
            }
            _ => {
                let locale = self.choose(2) == 0;
                let name = Symbol::new(if locale { "tr-TR" } else { "Asia/Tokyo" });
                let action = if locale { Action::SetLocale(name) } else { Action::SetTimeZone(name) };
                return self.build.perform(action);
            }
        };
        self.build.define(action).map(|_| ())
    }

    fn content(&mut self) -> Content {
        match self.choose(2) {
            0 => Content::Text(self.text()),
            _ => Content::Bytes((0..self.choose(6)).map(|i| (i * 47) as u8).collect()),
        }
    }

    /// A class with annotated fields, a constant and a method that calls its parameter; now and then a type parameter is the
    /// type of a field and of the parameter.
    fn declare(&mut self) {
        const GENERIC: [&str; 3] = [
            "<T:Ljava/lang/Object;>Ljava/lang/Object;Ljava/lang/Cloneable;",
            "<T:Ljava/lang/Object;U::Ljava/util/List<-TT;>;>Ljava/lang/Object;Ljava/lang/Cloneable;",
            "<T:Ljava/lang/Object;S:Lreenact/user/Sample<TT;TS;>;>Ljava/lang/Object;Ljava/lang/Cloneable;",
        ];
        let name = ClassDecl::class_name("Sample");
        let generic = GENERIC.get(self.choose(GENERIC.len() + 1).wrapping_sub(1)).copied().map(Symbol::new);
        let deprecated = Annotation { class: ClassName::internal("java/lang/Deprecated"), values: Vec::new() };
        let target = Annotation {
            class: ClassName::internal("java/lang/SuppressWarnings"),
            values: vec![(
                Symbol::new("value"),
                AnnotationValue::Array(vec![AnnotationValue::Literal(Literal::String(self.text()))]),
            )],
        };
        let field = |name: &str, ty: Type, init: Literal, is_static: bool| FieldDecl {
            name: Symbol::new(name),
            ty,
            signature: None,
            is_static,
            annotations: vec![deprecated.clone()],
            init: Some(init),
        };
        let (this, param) = (VarId(1_000_000), VarId(1_000_001));
        let object = Type::Class(ClassName::object());
        let method = MethodDecl {
            name: Symbol::new("apply"),
            descriptor: Symbol::new("(Ljava/lang/Object;)Ljava/lang/Object;"),
            signature: generic.map(|_| Symbol::new("(TT;)Ljava/lang/Object;")),
            is_static: false,
            is_varargs: false,
            annotations: vec![deprecated.clone(), target],
            param_annotations: vec![vec![deprecated.clone()]],
            params: vec![Def { var: param, ty: object }],
            this: Some(this),
            body: Block {
                stmts: vec![crate::Stmt {
                    def: None,
                    action: Action::Call {
                        method: MethodRef::new("java/lang/Object", "toString", "()Ljava/lang/String;"),
                        receiver: Some(Arg::Var(param)),
                        args: Vec::new(),
                        access: crate::Access::Public,
                    },
                }],
            },
            result: Some(Arg::Var(this)),
        };
        let class = ClassDecl {
            name,
            kind: ClassKind::Class,
            signature: generic,
            super_class: ClassName::object(),
            interfaces: vec![ClassName::internal("java/lang/Cloneable")],
            annotations: vec![deprecated.clone()],
            fields: vec![
                field("number", Type::Int, Literal::Int(self.int()), false),
                field("text", Type::Class(ClassName::string()), Literal::String(self.text()), true),
                FieldDecl {
                    signature: generic.map(|_| Symbol::new("TT;")),
                    ..field("any", object, Literal::Null(object), false)
                },
            ],
            methods: vec![method],
        };
        self.declared = self.build.declare(class).ok();
    }

    fn use_declared(&mut self) -> Result<(), Problem> {
        let Some(class) = self.declared else { return self.construct() };
        let name = class.as_internal();
        let object = self.build.construct(MethodRef::new(name, "<init>", "()V"), Vec::new())?;
        match self.choose(4) {
            0 => self.build.get(FieldRef::new(name, "number", "I"), Some(Arg::Var(object))).map(|_| ()),
            3 => {
                let (any, value) =
                    (FieldRef::new(name, "any", "Ljava/lang/Object;"), self.arg(Type::Class(ClassName::object())));
                self.build.put(any, Some(Arg::Var(object)), value)?;
                self.build.get(any, Some(Arg::Var(object))).map(|_| ())
            }
            1 => {
                let value = self.arg(Type::Class(ClassName::string()));
                self.build.put(FieldRef::new(name, "text", "Ljava/lang/String;"), None, value)
            }
            _ => {
                let method = MethodRef::new(name, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;");
                let args = self.args(method);
                self.build.call(method, Some(Arg::Var(object)), args).map(|_| ())
            }
        }
    }
}
