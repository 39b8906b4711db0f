//! Arguments of library methods, for both sides.

use program::{ClassName, FieldRef, MethodRef, Type};
use smt::{ArrayValue, Key, Model, Reference, Sort, Term, Value};
use symbolic::{Leaf, Region, State, World};

/// An argument, before it is made for either side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    Null,
    /// `new Object()`
    Object,
    Number(Type, i64),
    Text(Vec<u16>),
    /// A builder of this class.
    Builder(ClassName, Vec<u16>),
    Box(Type, i64),
    Array(Type, Vec<Input>),
    Class(Type),
}

pub(crate) fn boxed(ty: Type) -> &'static str {
    match ty {
        Type::Boolean => "java/lang/Boolean",
        Type::Byte => "java/lang/Byte",
        Type::Char => "java/lang/Character",
        Type::Short => "java/lang/Short",
        Type::Int => "java/lang/Integer",
        Type::Long => "java/lang/Long",
        Type::Float => "java/lang/Float",
        _ => "java/lang/Double",
    }
}

fn hex(units: &[u16]) -> String {
    units.iter().map(|unit| format!("{unit:04x}")).collect()
}

impl Input {
    /// As the driver reads and prints it.
    pub(crate) fn word(&self) -> String {
        match self {
            Input::Null => "N".into(),
            Input::Object => "O".into(),
            Input::Number(ty, bits) => format!("{}{bits}", ty.descriptor()),
            Input::Text(units) => format!("\"{}", hex(units)),
            Input::Builder(class, units) => {
                let tag = if class.simple() == "StringBuilder" { 'b' } else { 'f' };
                format!("{tag}{}", hex(units))
            }
            Input::Box(ty, bits) => format!("x{}{bits}", ty.descriptor()),
            Input::Array(component, elements) => {
                let elements: Vec<String> = elements.iter().map(Input::word).collect();
                format!("[{}|{}", component.descriptor(), elements.join(","))
            }
            Input::Class(ty) => format!("c{}", ty.descriptor()),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "bits of narrower types")]
    fn number(world: &World, ty: Type, bits: i64) -> Term {
        match ty {
            Type::Long => world.terms.i64(bits),
            Type::Float => world.terms.f32(f32::from_bits((bits as i32).cast_unsigned())),
            Type::Double => world.terms.f64(f64::from_bits(bits.cast_unsigned())),
            _ => world.terms.i32(bits as i32),
        }
    }

    /// The argument in a state without symbols.
    pub(crate) fn value(&self, world: &World, state: &mut State) -> Term {
        match self {
            Input::Null => world.terms.null(),
            Input::Object => world.allocate(Type::Class(ClassName::object())),
            Input::Number(ty, bits) => Input::number(world, *ty, *bits),
            Input::Text(units) => state.new_text(world, world.terms.units(units)),
            Input::Builder(class, units) => {
                let builder = world.allocate(Type::Class(*class));
                let old = state.region(world, Region::Built);
                state.set_region(Region::Built, world.terms.store(old, builder, world.terms.units(units)));
                builder
            }
            Input::Box(ty, bits) => {
                let object = world.allocate(Type::class(boxed(*ty)));
                let field = FieldRef::new(boxed(*ty), "value", &ty.descriptor());
                state.set_field(world, object, field, Input::number(world, *ty, *bits));
                object
            }
            Input::Array(component, elements) => {
                let elements: Vec<Term> = elements.iter().map(|element| element.value(world, state)).collect();
                state.array_of(world, *component, &elements)
            }
            Input::Class(ty) => world.leaf(Leaf::Class(*ty)),
        }
    }

    /// The argument as a variable, of which the model says what it is; numbers and texts, others as above.
    pub(crate) fn symbol(&self, world: &World, state: &mut State, model: &mut Symbols, at: u16) -> Term {
        match self {
            Input::Number(ty, bits) => {
                let variable = world.variable(0, ir::Var::Local(at), ir::kind_of_type(*ty));
                let value = world.terms.constant(Input::number(world, *ty, *bits)).unwrap();
                model.set(world, variable, value);
                variable
            }
            Input::Text(units) => model.text(world, at, units, Region::Texts, Type::Class(ClassName::string())),
            Input::Builder(class, units) => model.text(world, at, units, Region::Built, Type::Class(*class)),
            other => other.value(world, state),
        }
    }
}

/// What variables are.
pub(crate) struct Symbols {
    pub(crate) model: Model,
    texts: Vec<(Region, ArrayValue)>,
}

impl Symbols {
    pub(crate) fn new() -> Symbols {
        Symbols { model: Model::new(), texts: Vec::new() }
    }

    pub(crate) fn set(&mut self, world: &World, variable: Term, value: Value) {
        let var = world.terms.var_named(&world.leaf_of(variable).unwrap().to_string()).unwrap();
        self.model.set(var, value);
    }

    /// An object with this text.
    fn text(&mut self, world: &World, at: u16, units: &[u16], region: Region, class: Type) -> Term {
        let object = Reference::input(u32::from(at) + 1);
        let variable = world.variable(0, ir::Var::Local(at), ir::Kind::Reference);
        self.set(world, variable, Value::Ref(object));
        self.model.set_class(object, world.classes.id(class));
        if !self.texts.iter().any(|(known, _)| *known == region) {
            let Sort::Array(sort) = world.terms.sort(world.region(region.clone())) else {
                panic!("texts are a region")
            };
            self.texts.push((region.clone(), ArrayValue::filled(sort, Value::string(""))));
        }
        let (_, texts) = self.texts.iter_mut().find(|(known, _)| *known == region).unwrap();
        texts.set(Key(Value::Ref(object), None), Value::Str(units.into()));
        let texts = Value::Array(std::sync::Arc::new(texts.clone()));
        self.set(world, world.region(region), texts);
        variable
    }
}

/// xorshift64*: the same inputs on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> i64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D).cast_signed()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.bits() >> 8).rem_euclid(i64::try_from(bound).unwrap())).unwrap()
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Arguments of the method, receiver first.
    pub(crate) fn arguments(&mut self, method: MethodRef, is_static: bool) -> Vec<Input> {
        let mut all = Vec::new();
        if !is_static && !method.is_constructor() {
            let receiver = loop {
                match self.input(Type::Class(method.class), method) {
                    Input::Null => {}
                    found => break found,
                }
            };
            all.push(receiver);
        }
        for ty in method.signature().params {
            // Boxes are given as what they hold.
            all.push(self.input(ty, method));
        }
        all
    }

    fn input(&mut self, ty: Type, method: MethodRef) -> Input {
        match ty {
            Type::Class(class) => match class.as_internal() {
                "java/lang/String" if self.below(12) == 0 => Input::Null,
                "java/lang/String" => Input::Text(self.text()),
                "java/lang/StringBuilder" | "java/lang/StringBuffer" if self.below(14) == 0 => Input::Null,
                "java/lang/StringBuilder" | "java/lang/StringBuffer" => Input::Builder(class, self.text()),
                "java/lang/CharSequence" => match self.below(6) {
                    0 => Input::Null,
                    1 => Input::Builder(ClassName::internal("java/lang/StringBuilder"), self.text()),
                    2 => Input::Builder(ClassName::internal("java/lang/StringBuffer"), self.text()),
                    _ => Input::Text(self.text()),
                },
                "java/lang/Class" if self.below(14) == 0 => Input::Null,
                "java/lang/Class" => self.class(),
                "java/lang/Object" => self.object(method),
                "java/util/function/BiFunction" => Input::Null,
                name => match BOXED.iter().find(|ty| boxed(**ty) == name) {
                    Some(ty) => Input::Box(*ty, self.number(*ty)),
                    None => Input::Null,
                },
            },
            Type::Array(_) if self.below(10) == 0 => Input::Null,
            Type::Array(array) => self.array(array.component(), method),
            _ => {
                // Nothing that takes all memory.
                const SIZES: [&str; 5] = ["repeat", "setLength", "<init>", "ensureCapacity", "newInstance"];
                let number = self.number(ty);
                let is_size = SIZES.contains(&method.name.as_str()) && number > 100;
                Input::Number(ty, if is_size { number % 100 } else { number })
            }
        }
    }

    fn array(&mut self, component: Type, method: MethodRef) -> Input {
        let length = self.below(5);
        Input::Array(component, (0..length).map(|_| self.input(component, method)).collect())
    }

    fn object(&mut self, method: MethodRef) -> Input {
        if matches!(method.name.as_str(), "arraycopy" | "clone") && self.below(8) > 0 {
            let component = self.pick(&[Type::Int, Type::Char, Type::Long, Type::Class(ClassName::object())]);
            let element = |random: &mut Random| match component {
                Type::Class(_) => Input::Text(random.text()),
                _ => Input::Number(component, random.number(component)),
            };
            let length = self.below(6);
            return Input::Array(component, (0..length).map(|_| element(self)).collect());
        }
        match self.below(6) {
            0 => Input::Null,
            1 => Input::Object,
            2 => Input::Box(Type::Int, self.number(Type::Int)),
            3 => self.array(Type::Int, method),
            _ => Input::Text(self.text()),
        }
    }

    fn class(&mut self) -> Input {
        let class = |name: &str| Type::class(name);
        let all = [
            Type::Int,
            Type::Boolean,
            class("java/lang/String"),
            class("java/lang/Object"),
            class("java/lang/CharSequence"),
            class("java/lang/Integer"),
            class("java/util/Map$Entry"),
            class("java/lang/Thread$State"),
            class("java/lang/Thread$State"),
            Type::array_of(Type::Int),
            Type::array_of(class("java/lang/String")),
            Type::array_of(class("java/lang/Object")),
        ];
        Input::Class(self.pick(&all))
    }

    /// Short texts with little variety, so that parts are found; numbers; and units where the rules change.
    fn text(&mut self) -> Vec<u16> {
        const WORDS: &[&str] = &[
            "",
            "a",
            "ab",
            "int",
            "NEW",
            "BLOCKED",
            "12",
            "-7",
            "+3",
            "2147483647",
            "-2147483649",
            " x ",
            "7f",
            "1.5",
            "true",
            "KIS",
            "a,b,,c,,",
        ];
        const UNITS: [u16; 24] = [
            0x61, 0x61, 0x62, 0x41, 0x42, 0x20, 0x20, 0x09, 0x31, 0x2C, 0x6B, 0x4B, 0x69, 0x73, 0x212A, 0x131, 0x130,
            0x17F, 0xD835, 0xDCB3, 0xE9, 0xA0, 0x2003, 0x0,
        ];
        match self.below(4) {
            0 => self.pick(WORDS).encode_utf16().collect(),
            1 => (0..self.below(6)).map(|_| UNITS[self.below(4)]).collect(),
            2 => (0..self.below(9)).map(|_| UNITS[self.below(12)]).collect(),
            _ => (0..self.below(7)).map(|_| self.pick(&UNITS)).collect(),
        }
    }

    /// Small numbers mostly, and those where the rules change.
    fn number(&mut self, ty: Type) -> i64 {
        const EDGES: [i64; 14] = [
            0,
            1,
            -1,
            127,
            128,
            -128,
            -129,
            0x61,
            0x1D4B3,
            0x110000,
            i32::MAX as i64,
            i32::MIN as i64,
            i64::MIN,
            i64::MAX,
        ];
        let number = match self.below(8) {
            0..4 => i64::try_from(self.below(9)).unwrap() - 2,
            4 => self.pick(&EDGES),
            5 | 6 => i64::try_from(self.below(130)).unwrap(),
            _ => self.bits(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "random numbers")]
        match ty {
            Type::Boolean => number & 1,
            Type::Byte => (number as i8).into(),
            Type::Short => (number as i16).into(),
            Type::Char => (number as i16).cast_unsigned().into(),
            Type::Int => (number as i32).into(),
            Type::Float => i64::from((self.float(number as f64) as f32).to_bits().cast_signed()),
            Type::Double => self.float(number as f64).to_bits().cast_signed(),
            _ => number,
        }
    }

    fn float(&mut self, number: f64) -> f64 {
        const EDGES: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.5, f64::MIN_POSITIVE, f64::MAX];
        match self.below(12) {
            0..4 => self.pick(&EDGES),
            4..6 => number / 8.0,
            _ => number,
        }
    }
}

pub(crate) const BOXED: [Type; 8] =
    [Type::Boolean, Type::Byte, Type::Char, Type::Short, Type::Int, Type::Long, Type::Float, Type::Double];
