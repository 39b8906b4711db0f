//! Random arguments for the cases.

use super::{Reference, Value};
use program::Type;

/// An argument, before it is made for either side.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Null,
    /// `new Object()`
    Object,
    Number(Type, i64),
    Array(Type, Vec<Input>),
}

impl Input {
    /// As the driver reads it.
    pub(crate) fn word(&self) -> String {
        match self {
            Input::Null => "null".into(),
            Input::Object => "object".into(),
            Input::Number(_, bits) => bits.to_string(),
            Input::Array(_, elements) => {
                format!("[{}]", elements.iter().map(Input::word).collect::<Vec<_>>().join(","))
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "bits of narrower types")]
    pub(crate) fn value(&self) -> Value {
        match self {
            Input::Null => Value::Reference(None),
            Input::Object => {
                let nowhere = (program::Symbol::new("nowhere"), None);
                Value::Reference(Some(Reference::new_object(program::ClassName::object(), nowhere)))
            }
            Input::Number(Type::Long, bits) => Value::Long(*bits),
            Input::Number(Type::Float, bits) => Value::Float(f32::from_bits((*bits as i32).cast_unsigned())),
            Input::Number(Type::Double, bits) => Value::Double(f64::from_bits(bits.cast_unsigned())),
            Input::Number(_, bits) => Value::Int(*bits as i32),
            Input::Array(component, elements) => {
                Value::Reference(Some(Reference::array_of(*component, elements.iter().map(Input::value).collect())))
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

    pub(crate) fn input(&mut self, ty: Type) -> Input {
        match ty {
            Type::Class(_) if self.below(3) == 0 => Input::Object,
            Type::Class(_) if self.below(2) == 0 => self.array(Type::Int),
            Type::Class(_) => Input::Null,
            Type::Array(_) if self.below(8) == 0 => Input::Null,
            Type::Array(array) => self.array(array.component()),
            _ => Input::Number(ty, self.number(ty)),
        }
    }

    fn array(&mut self, component: Type) -> Input {
        let length = self.below(5);
        Input::Array(component, (0..length).map(|_| self.input(component)).collect())
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
