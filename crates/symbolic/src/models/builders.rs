//! `StringBuilder` and `StringBuffer`: objects with a text.

use super::{Answer, Call, INDEX, Model, NULL, TEXT_INDEX, model, units};
use program::{ClassName, Type};
use smt::Term;

const BUILDERS: [&str; 2] = ["java/lang/StringBuilder", "java/lang/StringBuffer"];

pub(super) fn is_builder(class: ClassName) -> bool {
    BUILDERS.contains(&class.as_internal()) || class.as_internal() == "java/lang/AbstractStringBuilder"
}

pub(super) fn models() -> Vec<Model> {
    BUILDERS.iter().flat_map(|this| of_class(this)).collect()
}

fn of_class(this: &str) -> Vec<Model> {
    let m = |name: &str, descriptor: &str, run| model(this, name, descriptor, run);
    let mut all = vec![
        m("<init>", "()V", |c| Some(c.endings().becomes(c.terms().units(&[]), None))),
        m("<init>", "(I)V", |c| {
            let endings =
                c.endings().throws(c.terms().slt(c.args[1], c.int(0)), "java/lang/NegativeArraySizeException");
            Some(endings.becomes(c.terms().units(&[]), None))
        }),
        m("<init>", "(Ljava/lang/String;)V", |c| Some(c.copied_from_text())),
        m("<init>", "(Ljava/lang/CharSequence;)V", |c| {
            Some(c.with_sequence(1, |endings, text| endings.throws(c.is_null(1), NULL).becomes(text, None)))
        }),
        m("toString", "()Ljava/lang/String;", |c| Some(c.endings().returns_text(c.text(0)))),
        m("length", "()I", |c| Some(c.returns(c.length(0)))),
        m("isEmpty", "()Z", |c| Some(c.truth(c.terms().eq(c.length(0), c.int(0))))),
        m("charAt", "(I)C", |c| Some(c.unit_at())),
        m("codePointAt", "(I)I", |c| Some(c.code_point_at())),
        m("substring", "(I)Ljava/lang/String;", |c| Some(c.substring(c.args[1], c.length(0)))),
        m("substring", "(II)Ljava/lang/String;", |c| Some(c.substring(c.args[1], c.args[2]))),
        m("subSequence", "(II)Ljava/lang/CharSequence;", |c| Some(c.substring(c.args[1], c.args[2]))),
    ];
    all.extend(changes(this));
    all.extend(appends(this));
    all.extend(insertions(this));
    all
}

fn changes(this: &str) -> Vec<Model> {
    let returning = |parameters: &str| format!("({parameters})L{this};");
    let m = |name: &str, descriptor: &str, run| model(this, name, descriptor, run);
    vec![
        m("ensureCapacity", "(I)V", |c| Some(c.nothing())),
        m("trimToSize", "()V", |c| Some(c.nothing())),
        m("indexOf", "(Ljava/lang/String;)I", |c| {
            let found = c.terms().index_of(c.text(0), c.text(1), c.int(0));
            Some(c.endings().throws(c.is_null(1), NULL).returns(found))
        }),
        m("indexOf", "(Ljava/lang/String;I)I", |c| {
            let found = c.terms().index_of(c.text(0), c.text(1), c.args[2]);
            Some(c.endings().throws(c.is_null(1), NULL).returns(found))
        }),
        m("lastIndexOf", "(Ljava/lang/String;)I", |c| {
            Some(c.endings().throws(c.is_null(1), NULL).last_index(c.text(0), c.text(1), c.length(0)))
        }),
        m("lastIndexOf", "(Ljava/lang/String;I)I", |c| {
            Some(c.endings().throws(c.is_null(1), NULL).last_index(c.text(0), c.text(1), c.args[2]))
        }),
        m("setLength", "(I)V", |c| Some(c.set_length())),
        m("setCharAt", "(IC)V", |c| {
            let at = c.args[1];
            let endings = c.endings().throws_unless(c.terms().ult(at, c.length(0)), TEXT_INDEX);
            let unit = c.terms().unit(c.unit(2));
            Some(endings.becomes(c.spliced(at, c.terms().add(at, c.int(1)), unit), None))
        }),
        m("deleteCharAt", &returning("I"), |c| {
            let at = c.args[1];
            let endings = c.endings().throws_unless(c.terms().ult(at, c.length(0)), TEXT_INDEX);
            Some(endings.becomes(c.spliced(at, c.terms().add(at, c.int(1)), c.terms().units(&[])), Some(c.args[0])))
        }),
        m("delete", &returning("II"), |c| {
            let (from, to) = (c.args[1], c.least(c.args[2], c.length(0)));
            let endings = c.endings().throws_unless(c.is_range(from, to, c.length(0)), TEXT_INDEX);
            Some(endings.becomes(c.spliced(from, to, c.terms().units(&[])), Some(c.args[0])))
        }),
        m("replace", &returning("IILjava/lang/String;"), |c| {
            let (from, to) = (c.args[1], c.least(c.args[2], c.length(0)));
            let endings = c.endings().throws_unless(c.is_range(from, to, c.length(0)), TEXT_INDEX);
            Some(endings.throws(c.is_null(3), NULL).becomes(c.spliced(from, to, c.text(3)), Some(c.args[0])))
        }),
        m("reverse", &returning(""), |c| {
            let text = c.constant_text(0)?;
            Some(c.endings().becomes(c.terms().units(&units::reversed(&text)), Some(c.args[0])))
        }),
    ]
}

fn appends(this: &str) -> Vec<Model> {
    let m = |parameters: &str, run| model(this, "append", &format!("({parameters})L{this};"), run);
    vec![
        m("Z", |c| c.appended(Type::Boolean)),
        m("C", |c| c.appended(Type::Char)),
        m("I", |c| c.appended(Type::Int)),
        m("J", |c| c.appended(Type::Long)),
        m("F", |c| c.appended(Type::Float)),
        m("D", |c| c.appended(Type::Double)),
        m("Ljava/lang/String;", |c| c.appended(Type::Class(ClassName::string()))),
        m("Ljava/lang/StringBuffer;", |c| c.appended(Type::class("java/lang/StringBuffer"))),
        m("Ljava/lang/CharSequence;", |c| {
            Some(c.with_sequence(1, |endings, text| endings.appends(c.or_null(1, text))))
        }),
        m("Ljava/lang/CharSequence;II", |c| {
            Some(c.with_sequence(1, |endings, text| {
                let text = c.or_null(1, text);
                let (from, to) = (c.args[2], c.args[3]);
                let endings = endings.throws_unless(c.is_range(from, to, c.terms().length(text)), INDEX);
                endings.appends(c.terms().substring(text, from, to))
            }))
        }),
        m("[C", |c| {
            let endings = c.endings().throws(c.is_null(1), NULL);
            let Some(units) = c.units_in(1) else { return Some(endings.unknown()) };
            Some(endings.appends(units))
        }),
        m("[CII", |c| {
            let (from, count) = (c.args[2], c.args[3]);
            let endings = c.endings().throws(c.is_null(1), NULL);
            let endings = endings.throws_unless(c.is_part(from, count, c.array_length(1)), INDEX);
            let Some(units) = c.units_in(1) else { return Some(endings.unknown()) };
            Some(endings.appends(c.terms().substring(units, from, c.terms().add(from, count))))
        }),
    ]
}

fn insertions(this: &str) -> Vec<Model> {
    let m = |parameter: &str, run| model(this, "insert", &format!("(I{parameter})L{this};"), run);
    vec![
        m("Z", |c| c.inserted(Type::Boolean)),
        m("C", |c| c.inserted(Type::Char)),
        m("I", |c| c.inserted(Type::Int)),
        m("J", |c| c.inserted(Type::Long)),
        m("F", |c| c.inserted(Type::Float)),
        m("D", |c| c.inserted(Type::Double)),
        m("Ljava/lang/String;", |c| c.inserted(Type::Class(ClassName::string()))),
        m("Ljava/lang/CharSequence;", |c| {
            Some(c.with_sequence(2, |endings, text| endings.inserts(c.or_null(2, text))))
        }),
        m("[C", |c| {
            let at = c.args[1];
            let holds = c.is_range(at, c.length(0), c.length(0));
            let endings = c.endings().throws_unless(holds, TEXT_INDEX).throws(c.is_null(2), NULL);
            let Some(units) = c.units_in(2) else { return Some(endings.unknown()) };
            Some(endings.becomes(c.spliced(at, at, units), Some(c.args[0])))
        }),
    ]
}

impl<'a> super::Endings<'a> {
    fn appends(self, piece: Term) -> Vec<Answer> {
        let call = self.call;
        self.becomes(call.terms().concat(call.text(0), piece), Some(call.args[0]))
    }

    fn inserts(self, piece: Term) -> Vec<Answer> {
        let (call, at) = (self.call, self.call.args[1]);
        let holds = call.is_range(at, call.length(0), call.length(0));
        self.throws_unless(holds, TEXT_INDEX).becomes(call.spliced(at, at, piece), Some(call.args[0]))
    }
}

impl<'a> Call<'a> {
    fn appended(&'a self, ty: Type) -> Option<Vec<Answer>> {
        match self.world.text_of_value(self.state, self.args[1], ty) {
            super::Piece::Text(text) => Some(self.endings().appends(text)),
            _ => None,
        }
    }

    fn inserted(&'a self, ty: Type) -> Option<Vec<Answer>> {
        match self.world.text_of_value(self.state, self.args[2], ty) {
            super::Piece::Text(text) => Some(self.endings().inserts(text)),
            _ => {
                let holds = self.is_range(self.args[1], self.length(0), self.length(0));
                Some(self.endings().throws_unless(holds, TEXT_INDEX).unknown())
            }
        }
    }

    /// The text of an argument, `null` for null.
    fn or_null(&self, at: usize, text: Term) -> Term {
        self.terms().ite(self.is_null(at), self.terms().string("null"), text)
    }

    /// The receiver's text with a part replaced.
    fn spliced(&self, from: Term, to: Term, piece: Term) -> Term {
        let (terms, text) = (self.terms(), self.text(0));
        let front = terms.substring(text, self.int(0), from);
        let back = terms.substring(text, to, terms.length(text));
        terms.concat(front, terms.concat(piece, back))
    }

    fn set_length(&'a self) -> Vec<Answer> {
        let (terms, text, length) = (self.terms(), self.text(0), self.args[1]);
        let endings = self.endings().throws(terms.slt(length, self.int(0)), TEXT_INDEX);
        let shorter = terms.sle(length, terms.length(text));
        let mut state = self.state.clone();
        state.set_built(self.world, self.args[0], terms.substring(text, self.int(0), length));
        let endings = endings.leaves_if(shorter, state, None);
        let missing = terms.constant(terms.sub(length, terms.length(text))).and_then(|missing| missing.as_signed());
        match missing.and_then(|missing| usize::try_from(missing).ok()) {
            Some(missing @ 0..=4096) => endings.becomes(terms.concat(text, terms.units(&vec![0; missing])), None),
            _ => endings.unknown(),
        }
    }
}
