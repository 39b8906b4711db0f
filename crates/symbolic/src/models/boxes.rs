//! Boxes of numbers: which object `valueOf` gives, and numbers in text.

use super::{Answer, Call, FORMAT, Model, NULL, model, text, units};
use crate::leaves::Leaf;
use crate::world::World;
use program::{ClassName, FieldRef, MethodRef, Type};
use smt::{Term, Value};

const WHOLE: [(&str, Type); 5] = [
    ("java/lang/Integer", Type::Int),
    ("java/lang/Long", Type::Long),
    ("java/lang/Short", Type::Short),
    ("java/lang/Byte", Type::Byte),
    ("java/lang/Character", Type::Char),
];
const FLOATS: [(&str, Type); 2] = [("java/lang/Float", Type::Float), ("java/lang/Double", Type::Double)];

pub(super) fn models() -> Vec<Model> {
    let mut all = Vec::new();
    for (class, ty) in WHOLE.into_iter().chain(FLOATS) {
        let descriptor = format!("({})L{class};", ty.descriptor());
        all.push(model(class, "valueOf", &descriptor, |c| Some(c.boxed())));
    }
    for (class, ty) in WHOLE.into_iter().filter(|(_, ty)| *ty != Type::Char).chain(FLOATS) {
        all.push(model(class, "toString", "()Ljava/lang/String;", |c| c.box_in_text()));
        let descriptor = format!("({})Ljava/lang/String;", ty.descriptor());
        all.push(model(class, "toString", &descriptor, |c| c.value_in_text(0, *c.named.signature().params.first()?)));
    }
    let integer = "java/lang/Integer";
    let long = "java/lang/Long";
    all.extend([
        model("java/lang/Boolean", "toString", "(Z)Ljava/lang/String;", |c| {
            let is_false = c.terms().eq(c.args[0], c.int(0));
            let word = |word: &str| c.world.literal(word.encode_utf16().collect());
            Some(c.endings().returns_if(is_false, word("false")).returns(word("true")))
        }),
        model("java/lang/Character", "toString", "(C)Ljava/lang/String;", |c| c.value_in_text(0, Type::Char)),
        model("java/lang/Character", "toString", "()Ljava/lang/String;", |c| {
            let field = value_field(c.named.class)?;
            let unit = c.state.field(c.world, c.args[0], field);
            Some(c.endings().returns_text(c.terms().unit(c.terms().extract(15, 0, unit))))
        }),
        model(integer, "parseInt", "(Ljava/lang/String;)I", |c| Some(c.parsed(32))),
        model(long, "parseLong", "(Ljava/lang/String;)J", |c| Some(c.parsed(64))),
        model(integer, "parseInt", "(Ljava/lang/String;I)I", |c| c.parsed_in_radix(32)),
        model(long, "parseLong", "(Ljava/lang/String;I)J", |c| c.parsed_in_radix(64)),
        model("java/lang/Double", "parseDouble", "(Ljava/lang/String;)D", |c| c.parsed_float()),
        model("java/lang/Float", "parseFloat", "(Ljava/lang/String;)F", |c| c.parsed_float()),
    ]);
    all
}

/// The field that holds the number.
pub(crate) fn value_field(class: ClassName) -> Option<FieldRef> {
    let known = WHOLE.iter().chain(&FLOATS).find(|(name, _)| *name == class.as_internal());
    let boolean = (class.as_internal() == "java/lang/Boolean").then_some(("java/lang/Boolean", Type::Boolean));
    let (name, ty) = known.copied().or(boolean)?;
    Some(FieldRef::new(name, "value", &ty.descriptor()))
}

/// What a field of a box is that is made in advance.
pub(crate) fn boxed_value(world: &World, object: Term, field: FieldRef) -> Option<Term> {
    let Some(Leaf::Box { class, value }) = world.leaf_of(object) else { return None };
    if value_field(class) != Some(field) {
        return None;
    }
    Some(match field.field_type() {
        Type::Long => world.terms.i64(value),
        _ => world.terms.i32(i32::try_from(value).ok()?),
    })
}

/// Whether the library promises one object for all boxes of this number (JLS 5.1.7).
fn is_made_in_advance(method: MethodRef, value: i64) -> bool {
    match method.class.as_internal() {
        "java/lang/Character" => (0..128).contains(&value),
        "java/lang/Integer" | "java/lang/Long" | "java/lang/Short" | "java/lang/Byte" => (-128..128).contains(&value),
        _ => false,
    }
}

impl<'a> Call<'a> {
    /// A number that is not a constant gets a new object: which one it is nobody should ask.
    fn boxed(&'a self) -> Vec<Answer> {
        let class = self.named.class;
        if let Some(value) = self.constant(0).filter(|value| is_made_in_advance(self.named, *value)) {
            return self.returns(self.world.leaf(Leaf::Box { class, value }));
        }
        let mut state = self.state.clone();
        let object = self.world.allocate(Type::Class(class));
        if let Some(field) = value_field(class) {
            state.set_field(self.world, object, field, self.args[0]);
        }
        self.endings().leaves(state, Some(object))
    }

    fn box_in_text(&'a self) -> Option<Vec<Answer>> {
        if let Some(decimal) = text::decimal_of(self.world, self.state, self.args[0]) {
            return Some(self.endings().returns_text(decimal));
        }
        let field = value_field(self.named.class)?;
        let value = self.state.field(self.world, self.args[0], field);
        match field.field_type() {
            Type::Float | Type::Double => Some(self.endings().returns_text(self.world.text_of_float(value)?)),
            _ => Some(self.endings().returns_text(self.terms().decimal(value))),
        }
    }

    fn parsed(&'a self, width: u8) -> Vec<Answer> {
        let (terms, text) = (self.terms(), self.text(0));
        let holds = terms.and([terms.not(self.is_null(0)), terms.is_decimal(width, text)]);
        self.endings().throws_unless(holds, FORMAT).returns(terms.of_decimal(width, text))
    }

    fn parsed_in_radix(&'a self, width: u8) -> Option<Vec<Answer>> {
        let endings = self.endings().throws(self.is_null(0), FORMAT);
        let Some(radix) = self.constant(1) else { return Some(endings.unknown()) };
        if !(2..=36).contains(&radix) {
            return Some(endings.throws(self.terms().truth(), FORMAT).answers);
        }
        if radix == 10 {
            return Some(self.parsed(width));
        }
        let Some(text) = self.constant_text(0).filter(|text| units::is_ascii(text)) else {
            return Some(endings.unknown());
        };
        let (least, most) = if width == 32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        match units::parse(&text, u32::try_from(radix).unwrap_or(10), least, most) {
            Some(value) => Some(endings.returns(self.terms().bits(width, value.cast_unsigned()))),
            None => Some(endings.throws(self.terms().truth(), FORMAT).answers),
        }
    }

    fn parsed_float(&'a self) -> Option<Vec<Answer>> {
        let endings = self.endings().throws(self.is_null(0), NULL);
        let plain = self.constant_text(0).and_then(|text| units::plain_decimal(&text));
        let Some(plain) = plain else { return Some(endings.unknown()) };
        let value = if self.named.name.as_str() == "parseFloat" {
            Value::f32(plain.parse().ok()?)
        } else {
            Value::f64(plain.parse().ok()?)
        };
        Some(endings.returns(self.terms().value(&value)))
    }
}
