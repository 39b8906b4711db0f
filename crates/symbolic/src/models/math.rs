//! `Math` and the bits of floats. What has no fork here would have one by its code, for nothing; sums that throw are read off their code.

use super::{Answer, Call, Model, model};
use program::Type;
use smt::{FloatCompare, FloatSort, FloatUnary, Sort, Term};

const THIS: &str = "java/lang/Math";

pub(super) fn models() -> Vec<Model> {
    let mut all = Vec::new();
    for class in [THIS, "java/lang/StrictMath"] {
        for ty in ["I", "J", "F", "D"] {
            let pair = format!("({ty}{ty}){ty}");
            all.push(model(class, "abs", &format!("({ty}){ty}"), |c| Some(c.returns(c.magnitude()))));
            all.push(model(class, "min", &pair, |c| Some(c.returns(c.extreme(true)))));
            all.push(model(class, "max", &pair, |c| Some(c.returns(c.extreme(false)))));
        }
        all.push(model(class, "sqrt", "(D)D", |c| Some(c.rounded(FloatUnary::Sqrt))));
        all.push(model(class, "floor", "(D)D", |c| Some(c.rounded(FloatUnary::Floor))));
        all.push(model(class, "ceil", "(D)D", |c| Some(c.rounded(FloatUnary::Ceil))));
        all.push(model(class, "rint", "(D)D", |c| Some(c.rounded(FloatUnary::Rint))));
        for name in ["sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10", "cbrt", "sinh", "cosh", "tanh"]
        {
            all.push(model(class, name, "(D)D", |_| None));
        }
        for name in ["pow", "atan2", "hypot", "IEEEremainder"] {
            all.push(model(class, name, "(DD)D", |_| None));
        }
        all.push(model(class, "random", "()D", |_| None));
    }
    let bits = |c: &Call<'_>| Some(c.returns(c.terms().bits_of_float(c.args[0])));
    let float = |c: &Call<'_>| Some(c.returns(c.terms().float_of_bits(c.args[0])));
    all.extend([
        model("java/lang/Float", "floatToRawIntBits", "(F)I", bits),
        model("java/lang/Float", "floatToIntBits", "(F)I", bits),
        model("java/lang/Double", "doubleToRawLongBits", "(D)J", bits),
        model("java/lang/Double", "doubleToLongBits", "(D)J", bits),
        model("java/lang/Float", "intBitsToFloat", "(I)F", float),
        model("java/lang/Double", "longBitsToDouble", "(J)D", float),
        model("java/lang/Float", "isNaN", "(F)Z", |c| Some(c.truth(c.terms().is_nan(c.args[0])))),
        model("java/lang/Double", "isNaN", "(D)Z", |c| Some(c.truth(c.terms().is_nan(c.args[0])))),
    ]);
    all
}

impl<'a> Call<'a> {
    fn rounded(&self, op: FloatUnary) -> Vec<Answer> {
        self.returns(self.terms().float_unary(op, self.args[0]))
    }

    fn magnitude(&self) -> Term {
        let (terms, value) = (self.terms(), self.args[0]);
        match terms.sort(value) {
            Sort::F32 | Sort::F64 => terms.float_unary(FloatUnary::Abs, value),
            sort => {
                let zero = terms.bits(sort.width().unwrap_or(32), 0);
                terms.ite(terms.slt(value, zero), terms.neg(value), value)
            }
        }
    }

    fn extreme(&self, least: bool) -> Term {
        let (terms, left, right) = (self.terms(), self.args[0], self.args[1]);
        let Some(float) = terms.sort(left).float() else {
            let is_left = if least { terms.sle(left, right) } else { terms.sle(right, left) };
            return terms.ite(is_left, left, right);
        };
        // Not a number wins; the negative zero is below the other.
        let nan = if float == FloatSort::F32 { terms.f32(f32::NAN) } else { terms.f64(f64::NAN) };
        let has_nan = terms.or([terms.is_nan(left), terms.is_nan(right)]);
        let bits = |value: Term| terms.bits_of_float(value);
        let zero = terms.bits(float.width(), 0);
        let is_negative = terms.slt(bits(left), zero);
        let of_equal = if least { terms.ite(is_negative, left, right) } else { terms.ite(is_negative, right, left) };
        let is_equal = terms.float_compare(FloatCompare::Eq, left, right);
        let is_less = terms.float_compare(FloatCompare::Lt, left, right);
        let of_others = if least { terms.ite(is_less, left, right) } else { terms.ite(is_less, right, left) };
        terms.ite(has_nan, nan, terms.ite(is_equal, of_equal, of_others))
    }

    /// The type of the first parameter.
    pub(super) fn parameter(&self, at: usize) -> Option<Type> {
        self.named.signature().params.get(at).copied()
    }
}
