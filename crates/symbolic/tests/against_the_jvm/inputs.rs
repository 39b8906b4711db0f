//! Random arguments for the cases.

use program::{ClassName, Type};
use smt::Term;
use symbolic::{State, World};

/// An argument, before it is made for either side.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Null,
    /// `new Object()`
    Object,
    Number(Type, i64),
    Text(&'static str),
    Array(Type, Vec<Input>),
}

impl Input {
    /// As the driver reads it.
    pub(crate) fn word(&self) -> String {
        match self {
            Input::Null => "null".into(),
            Input::Object => "object".into(),
            Input::Number(_, bits) => bits.to_string(),
            Input::Text(text) => {
                format!("\"{}", text.encode_utf16().map(|unit| format!("{unit:04x}")).collect::<String>())
            }
            Input::Array(_, elements) => {
                format!("[{}]", elements.iter().map(Input::word).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// The argument in a state without symbols.
    #[expect(clippy::cast_possible_truncation, reason = "bits of narrower types")]
    pub(crate) fn value(&self, world: &World, state: &mut State) -> Term {
        let terms = &world.terms;
        match self {
            Input::Null => terms.null(),
            Input::Object => world.allocate(Type::Class(ClassName::object())),
            Input::Text(text) => state.new_text(world, terms.string(text)),
            Input::Number(Type::Long, bits) => terms.i64(*bits),
            Input::Number(Type::Float, bits) => terms.f32(f32::from_bits((*bits as i32).cast_unsigned())),
            Input::Number(Type::Double, bits) => terms.f64(f64::from_bits(bits.cast_unsigned())),
            Input::Number(_, bits) => terms.i32(*bits as i32),
            Input::Array(component, elements) => {
                let elements: Vec<Term> = elements.iter().map(|element| element.value(world, state)).collect();
                state.array_of(world, *component, &elements)
            }
        }
    }
}

/// xorshift64*: the same inputs on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn bits(&mut self) -> i64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D).cast_signed()
    }

    fn below(&mut self, bound: i64) -> i64 {
        (self.bits() >> 8).rem_euclid(bound)
    }

    /// A number below the bound.
    pub(crate) fn choose(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(i64::try_from(bound).unwrap())).unwrap()
    }

    pub(crate) fn input(&mut self, ty: Type) -> Input {
        match ty {
            Type::Class(class) if class == ClassName::string() => self.text(),
            Type::Class(_) if self.below(3) == 0 => Input::Object,
            Type::Class(_) if self.below(2) == 0 => self.array(Type::Int),
            Type::Class(_) => Input::Null,
            Type::Array(_) if self.below(8) == 0 => Input::Null,
            Type::Array(array) => self.array(array.component()),
            _ => Input::Number(ty, self.number(ty)),
        }
    }

    fn text(&mut self) -> Input {
        const TEXTS: [&str; 16] = [
            "",
            "a",
            "b",
            "ab",
            "ba",
            "Aa",
            "BB",
            "12",
            "-7",
            "99999999999",
            " a b ",
            "a,b,,",
            "abcabc",
            "zz",
            "X1y",
            "true",
        ];
        if self.below(10) == 0 { Input::Null } else { Input::Text(TEXTS[usize::try_from(self.below(16)).unwrap()]) }
    }

    fn array(&mut self, component: Type) -> Input {
        let length = self.below(5);
        // No arrays in arrays: the driver could not read them.
        let element = |random: &mut Random| match component {
            Type::Class(_) if random.below(2) == 0 => Input::Object,
            Type::Class(_) => random.text(),
            _ => random.input(component),
        };
        Input::Array(component, (0..length).map(|_| element(self)).collect())
    }

    /// Small numbers mostly, and those where the rules change.
    fn number(&mut self, ty: Type) -> i64 {
        const EDGES: [i64; 12] = [0, 1, -1, 2, 31, 32, 99_999, -1000, 77, i32::MAX as i64, i32::MIN as i64, i64::MIN];
        let edge = EDGES[usize::try_from(self.below(12)).unwrap()];
        let number = match self.below(8) {
            0..5 => self.below(16) - 4,
            5 | 6 => edge,
            _ => self.bits(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "random numbers")]
        match ty {
            Type::Boolean => number & 1,
            Type::Byte => (number as i8).into(),
            Type::Short => (number as i16).into(),
            Type::Char => (number as i16).cast_unsigned().into(),
            Type::Int => (number as i32).into(),
            Type::Float => i64::from(self.float(number as f64 as f32).to_bits().cast_signed()),
            Type::Double => self.double(number as f64).to_bits().cast_signed(),
            _ => number,
        }
    }

    fn float(&mut self, number: f32) -> f32 {
        const EDGES: [f32; 6] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MIN_POSITIVE, f32::MAX];
        match self.below(12) {
            which @ 0..6 => EDGES[usize::try_from(which).unwrap()],
            6 | 7 => number / 7.0,
            _ => number,
        }
    }

    fn double(&mut self, number: f64) -> f64 {
        const EDGES: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, f64::MAX];
        match self.below(12) {
            which @ 0..6 => EDGES[usize::try_from(which).unwrap()],
            6 | 7 => number / 7.0,
            _ => number,
        }
    }
}
