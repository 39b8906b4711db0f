//! `Character`: exact for ASCII, and for white space; what other scripts have is in tables that are not here.

use super::{Answer, Call, Model, model};
use smt::Term;

const THIS: &str = "java/lang/Character";

/// Tests of ASCII units, by their ranges.
const TESTS: [(&str, &[(u8, u8)]); 9] = [
    ("isDigit", &[(b'0', b'9')]),
    ("isLetter", &[(b'A', b'Z'), (b'a', b'z')]),
    ("isAlphabetic", &[(b'A', b'Z'), (b'a', b'z')]),
    ("isLetterOrDigit", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ("isUpperCase", &[(b'A', b'Z')]),
    ("isLowerCase", &[(b'a', b'z')]),
    ("isSpaceChar", &[(b' ', b' ')]),
    ("isJavaIdentifierStart", &[(b'$', b'$'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')]),
    (
        "isJavaIdentifierPart",
        &[(0, 8), (0x0E, 0x1B), (b'$', b'$'), (b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z'), (127, 127)],
    ),
];

pub(super) fn models() -> Vec<Model> {
    let mut all = Vec::new();
    for (name, _) in TESTS {
        if name != "isAlphabetic" {
            all.push(model(THIS, name, "(C)Z", |c| c.ascii_test()));
        }
        all.push(model(THIS, name, "(I)Z", |c| c.ascii_test()));
    }
    for descriptor in ["(C)C", "(I)I"] {
        all.push(model(THIS, "toLowerCase", descriptor, |c| Some(c.ascii_case(b'A', 32))));
        all.push(model(THIS, "toUpperCase", descriptor, |c| Some(c.ascii_case(b'a', -32))));
    }
    all.extend([
        model(THIS, "isWhitespace", "(C)Z", |c| Some(c.truth(c.is_whitespace(c.unit(0))))),
        model(THIS, "isWhitespace", "(I)Z", |c| {
            let is_unit = c.terms().ult(c.args[0], c.int(0x1_0000));
            Some(c.truth(c.terms().and([is_unit, c.is_whitespace(c.unit(0))])))
        }),
        model(THIS, "digit", "(CI)I", |c| c.digit()),
        model(THIS, "digit", "(II)I", |c| c.digit()),
        model(THIS, "getNumericValue", "(C)I", |c| Some(c.numeric_value())),
        model(THIS, "getNumericValue", "(I)I", |c| Some(c.numeric_value())),
    ]);
    all
}

impl<'a> Call<'a> {
    fn is_within(&self, first: u8, last: u8) -> Term {
        let (terms, code) = (self.terms(), self.args[0]);
        terms.and([terms.sle(self.int(first.into()), code), terms.sle(code, self.int(last.into()))])
    }

    fn ascii_test(&'a self) -> Option<Vec<Answer>> {
        let (_, ranges) = TESTS.iter().find(|(name, _)| *name == self.named.name.as_str())?;
        let holds = self.terms().or(ranges.iter().map(|(first, last)| self.is_within(*first, *last)));
        Some(self.endings().returns_if(self.is_within(0, 127), self.as_int(holds)).unknown())
    }

    fn ascii_case(&'a self, first: u8, by: i32) -> Vec<Answer> {
        let (terms, code) = (self.terms(), self.args[0]);
        let changed = terms.ite(self.is_within(first, first + 25), terms.add(code, self.int(by)), code);
        self.endings().returns_if(self.is_within(0, 127), changed).unknown()
    }

    /// The value of an ASCII digit or letter, -1 for others.
    fn ascii_value(&self) -> Term {
        let (terms, code) = (self.terms(), self.args[0]);
        let from = |first: u8, value: i32| terms.add(terms.sub(code, self.int(first.into())), self.int(value));
        let lower = terms.ite(self.is_within(b'a', b'z'), from(b'a', 10), self.int(-1));
        let letter = terms.ite(self.is_within(b'A', b'Z'), from(b'A', 10), lower);
        terms.ite(self.is_within(b'0', b'9'), from(b'0', 0), letter)
    }

    fn digit(&'a self) -> Option<Vec<Answer>> {
        let (terms, radix) = (self.terms(), self.args[1]);
        let value = self.ascii_value();
        let is_radix = terms.and([terms.sle(self.int(2), radix), terms.sle(radix, self.int(36))]);
        let holds = terms.and([is_radix, terms.slt(value, radix)]);
        let value = terms.ite(holds, value, self.int(-1));
        Some(self.endings().returns_if(self.is_within(0, 127), value).unknown())
    }

    fn numeric_value(&'a self) -> Vec<Answer> {
        self.endings().returns_if(self.is_within(0, 127), self.ascii_value()).unknown()
    }
}
