//! `String`. Which object a method returns is kept where the library promises it; where a string equal to the receiver may come out of
//! `substring` and others, it is a new object.

use super::{ARGUMENT, Answer, Call, Model, NULL, TEXT_INDEX, model, units};
use crate::leaves::Region;
use ir::Kind;
use program::{ClassName, Type};
use smt::Term;

const THIS: &str = "java/lang/String";

pub(super) fn models() -> Vec<Model> {
    let mut all = vec![
        model(THIS, "length", "()I", |c| Some(c.returns(c.length(0)))),
        model(THIS, "isEmpty", "()Z", |c| Some(c.truth(c.terms().eq(c.length(0), c.int(0))))),
        model(THIS, "toString", "()Ljava/lang/String;", |c| Some(c.returns(c.args[0]))),
        model(THIS, "intern", "()Ljava/lang/String;", |c| {
            let interned = c.constant_text(0).map(|text| c.world.literal(text.to_vec()));
            Some(c.returns(interned.unwrap_or(c.args[0])))
        }),
        model(THIS, "charAt", "(I)C", |c| Some(c.unit_at())),
        model(THIS, "codePointAt", "(I)I", |c| Some(c.code_point_at())),
        model(THIS, "hashCode", "()I", |c| Some(c.returns(c.int(units::hash(&c.constant_text(0)?))))),
        model(THIS, "concat", "(Ljava/lang/String;)Ljava/lang/String;", |c| {
            let is_empty = c.terms().eq(c.length(1), c.int(0));
            let endings = c.endings().throws(c.is_null(1), NULL);
            if is_empty == c.terms().truth() {
                return Some(endings.returns(c.args[0]));
            }
            Some(endings.returns_text(c.terms().concat(c.text(0), c.text(1))))
        }),
        model(THIS, "substring", "(I)Ljava/lang/String;", |c| Some(c.substring(c.args[1], c.length(0)))),
        model(THIS, "substring", "(II)Ljava/lang/String;", |c| Some(c.substring(c.args[1], c.args[2]))),
        model(THIS, "subSequence", "(II)Ljava/lang/CharSequence;", |c| Some(c.substring(c.args[1], c.args[2]))),
        model(THIS, "toCharArray", "()[C", |c| Some(c.to_char_array())),
        model(THIS, "repeat", "(I)Ljava/lang/String;", |c| c.repeated()),
        model(THIS, "split", "(Ljava/lang/String;)[Ljava/lang/String;", |c| c.split(0)),
        model(THIS, "split", "(Ljava/lang/String;I)[Ljava/lang/String;", |c| c.split(c.constant(2)?)),
        model(THIS, "join", "(Ljava/lang/CharSequence;[Ljava/lang/CharSequence;)Ljava/lang/String;", |c| c.joined()),
    ];
    all.extend(comparisons());
    all.extend(searches());
    all.extend(changes());
    all.extend(constructors());
    all
}

fn comparisons() -> Vec<Model> {
    vec![
        model(THIS, "equals", "(Ljava/lang/Object;)Z", |c| {
            let is_string = c.world.is_instance(c.args[1], Type::Class(ClassName::string()));
            Some(c.truth(c.terms().and([is_string, c.terms().eq(c.text(0), c.text(1))])))
        }),
        model(THIS, "contentEquals", "(Ljava/lang/CharSequence;)Z", |c| {
            Some(c.with_sequence(1, |endings, text| {
                endings.throws(c.is_null(1), NULL).truth(c.terms().eq(c.text(0), text))
            }))
        }),
        model(THIS, "equalsIgnoreCase", "(Ljava/lang/String;)Z", |c| Some(c.equals_ignoring_case())),
        model(THIS, "compareTo", "(Ljava/lang/String;)I", |c| {
            let endings = c.endings().throws(c.is_null(1), NULL);
            if let (Some(left), Some(right)) = (c.constant_text(0), c.constant_text(1)) {
                return Some(endings.returns(c.int(units::compare(&left, &right))));
            }
            Some(endings.returns_if(c.terms().eq(c.text(0), c.text(1)), c.int(0)).unknown_but(c.int(0)))
        }),
        model(THIS, "compareToIgnoreCase", "(Ljava/lang/String;)I", |c| {
            let endings = c.endings().throws(c.is_null(1), NULL);
            match (c.constant_text(0), c.constant_text(1)) {
                (Some(left), Some(right)) if units::is_ascii(&left) && units::is_ascii(&right) => {
                    let (left, right) = (units::lower(&left), units::lower(&right));
                    Some(endings.returns(c.int(units::compare(&left, &right))))
                }
                _ => Some(endings.unknown()),
            }
        }),
        model(THIS, "startsWith", "(Ljava/lang/String;)Z", |c| {
            Some(c.endings().throws(c.is_null(1), NULL).truth(c.terms().starts_with(c.text(0), c.text(1))))
        }),
        model(THIS, "startsWith", "(Ljava/lang/String;I)Z", |c| {
            let (terms, from) = (c.terms(), c.args[2]);
            let is_negative = terms.slt(from, c.int(0));
            let end = terms.add(from, c.length(1));
            let is_inside = terms.sle(from, terms.sub(c.length(0), c.length(1)));
            let is_equal = terms.eq(terms.substring(c.text(0), from, end), c.text(1));
            let endings = c.endings().returns_if(is_negative, c.int(0)).throws(c.is_null(1), NULL);
            Some(endings.truth(terms.and([is_inside, is_equal])))
        }),
        model(THIS, "endsWith", "(Ljava/lang/String;)Z", |c| {
            Some(c.endings().throws(c.is_null(1), NULL).truth(c.terms().ends_with(c.text(0), c.text(1))))
        }),
        model(THIS, "contains", "(Ljava/lang/CharSequence;)Z", |c| {
            Some(c.with_sequence(1, |endings, text| {
                endings.throws(c.is_null(1), NULL).truth(c.terms().contains(c.text(0), text))
            }))
        }),
        model(THIS, "regionMatches", "(ILjava/lang/String;II)Z", |c| Some(c.region_matches())),
    ]
}

fn searches() -> Vec<Model> {
    vec![
        model(THIS, "indexOf", "(Ljava/lang/String;)I", |c| {
            let found = c.terms().index_of(c.text(0), c.text(1), c.int(0));
            Some(c.endings().throws(c.is_null(1), NULL).returns(found))
        }),
        model(THIS, "indexOf", "(Ljava/lang/String;I)I", |c| {
            let found = c.terms().index_of(c.text(0), c.text(1), c.args[2]);
            Some(c.endings().throws(c.is_null(1), NULL).returns(found))
        }),
        model(THIS, "indexOf", "(I)I", |c| Some(c.index_of_code(c.int(0)))),
        model(THIS, "indexOf", "(II)I", |c| Some(c.index_of_code(c.args[2]))),
        model(THIS, "lastIndexOf", "(Ljava/lang/String;)I", |c| {
            Some(c.endings().throws(c.is_null(1), NULL).last_index(c.text(0), c.text(1), c.length(0)))
        }),
        model(THIS, "lastIndexOf", "(Ljava/lang/String;I)I", |c| {
            Some(c.endings().throws(c.is_null(1), NULL).last_index(c.text(0), c.text(1), c.args[2]))
        }),
        model(THIS, "lastIndexOf", "(I)I", |c| c.last_index_of_code(c.length(0))),
        model(THIS, "lastIndexOf", "(II)I", |c| c.last_index_of_code(c.args[2])),
    ]
}

/// Those that are computed where the text is a constant.
fn changes() -> Vec<Model> {
    vec![
        model(THIS, "replace", "(CC)Ljava/lang/String;", |c| {
            let (from, to) = (c.unit(1), c.unit(2));
            let is_there = c.terms().contains(c.text(0), c.terms().unit(from));
            let unchanged = c.terms().or([c.terms().eq(from, to), c.terms().not(is_there)]);
            let endings = c.endings().returns_if(unchanged, c.args[0]);
            let constant = |at| u16::try_from(c.constant(at)?).ok();
            let (Some(text), Some(from), Some(to)) = (c.constant_text(0), constant(1), constant(2)) else {
                return Some(endings.unknown());
            };
            let text: Vec<u16> = text.iter().map(|unit| if *unit == from { to } else { *unit }).collect();
            Some(endings.returns_text(c.terms().units(&text)))
        }),
        model(THIS, "replace", "(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;", |c| {
            c.replaced()
        }),
        model(THIS, "trim", "()Ljava/lang/String;", |c| Some(c.trimmed(true, true, |unit| unit <= 32))),
        model(THIS, "strip", "()Ljava/lang/String;", |c| Some(c.trimmed(true, true, units::is_whitespace))),
        model(THIS, "stripLeading", "()Ljava/lang/String;", |c| Some(c.trimmed(true, false, units::is_whitespace))),
        model(THIS, "stripTrailing", "()Ljava/lang/String;", |c| Some(c.trimmed(false, true, units::is_whitespace))),
        model(THIS, "isBlank", "()Z", |c| {
            if let Some(text) = c.constant_text(0) {
                return Some(c.truth(c.terms().bool(text.iter().all(|unit| units::is_whitespace(*unit)))));
            }
            let is_empty = c.terms().eq(c.length(0), c.int(0));
            let starts = c.terms().not(c.is_whitespace(c.terms().unit_at(c.text(0), c.int(0))));
            Some(c.endings().returns_if(is_empty, c.int(1)).returns_if(starts, c.int(0)).unknown())
        }),
        model(THIS, "toLowerCase", "()Ljava/lang/String;", |c| c.of_ascii(units::lower)),
        model(THIS, "toUpperCase", "()Ljava/lang/String;", |c| c.of_ascii(units::upper)),
    ]
}

fn constructors() -> Vec<Model> {
    vec![
        model(THIS, "<init>", "()V", |c| Some(c.endings().becomes(c.terms().units(&[]), None))),
        model(THIS, "<init>", "(Ljava/lang/String;)V", |c| Some(c.copied_from_text())),
        model(THIS, "<init>", "(Ljava/lang/StringBuilder;)V", |c| Some(c.copied_from_text())),
        model(THIS, "<init>", "(Ljava/lang/StringBuffer;)V", |c| Some(c.copied_from_text())),
        model(THIS, "<init>", "([C)V", |c| {
            let endings = c.endings().throws(c.is_null(1), NULL);
            let text = c.units_in(1).unwrap_or_else(|| c.text_as_long_as(1));
            Some(endings.becomes(text, None))
        }),
        model(THIS, "<init>", "([CII)V", |c| {
            let (from, count) = (c.args[2], c.args[3]);
            let endings = c.endings().throws(c.is_null(1), NULL);
            let endings = endings.throws_unless(c.is_part(from, count, c.array_length(1)), TEXT_INDEX);
            let Some(whole) = c.units_in(1) else { return Some(endings.unknown()) };
            Some(endings.becomes(c.terms().substring(whole, from, c.terms().add(from, count)), None))
        }),
        model(THIS, "valueOf", "([C)Ljava/lang/String;", |c| {
            let Some(text) = c.units_in(0) else { return Some(c.endings().throws(c.is_null(0), NULL).unknown()) };
            Some(c.endings().throws(c.is_null(0), NULL).returns_text(text))
        }),
        model(THIS, "valueOf", "(Z)Ljava/lang/String;", |c| c.value_in_text(0, Type::Boolean)),
        model(THIS, "valueOf", "(C)Ljava/lang/String;", |c| c.value_in_text(0, Type::Char)),
        model(THIS, "valueOf", "(I)Ljava/lang/String;", |c| c.value_in_text(0, Type::Int)),
        model(THIS, "valueOf", "(J)Ljava/lang/String;", |c| c.value_in_text(0, Type::Long)),
        model(THIS, "valueOf", "(F)Ljava/lang/String;", |c| c.value_in_text(0, Type::Float)),
        model(THIS, "valueOf", "(D)Ljava/lang/String;", |c| c.value_in_text(0, Type::Double)),
    ]
}

impl<'a> super::Endings<'a> {
    /// The receiver has this text now.
    pub(super) fn becomes(self, text: Term, result: Option<Term>) -> Vec<Answer> {
        let mut state = self.call.state.clone();
        let this = self.call.args[0];
        if super::builders::is_builder(self.call.named.class) {
            state.set_built(self.call.world, this, text);
        } else {
            state.set_text(self.call.world, this, text);
        }
        self.leaves(state, result)
    }

    /// An int that is not this one.
    fn unknown_but(mut self, value: Term) -> Vec<Answer> {
        let call = self.call;
        let unknown = call.world.unknown(Kind::Int);
        self.rest = call.terms().and([self.rest, call.terms().not(call.terms().eq(unknown, value))]);
        let mut answers = self.returns(unknown);
        if let Some(last) = answers.last_mut() {
            last.marks.loose = true;
        }
        answers
    }

    /// The last place of a part at or before an index: a number of which all is said that it takes to know it.
    pub(super) fn last_index(self, text: Term, part: Term, from: Term) -> Vec<Answer> {
        let (call, terms) = (self.call, self.call.terms());
        let none = call.int(-1);
        let last_start = terms.sub(terms.length(text), terms.length(part));
        let from = call.least(from, last_start);
        let endings = self.returns_if(terms.slt(from, call.int(0)), none);
        let within = terms.substring(text, call.int(0), terms.add(from, terms.length(part)));
        if let (Some(text), Some(part)) = (super::units_of(terms, within), super::units_of(terms, part)) {
            let found = (0..=text.len()).rev().find(|at| text[*at..].starts_with(&part));
            let found = found.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1);
            return endings.returns(call.int(found));
        }
        let is_empty = terms.eq(terms.length(part), call.int(0));
        let endings = endings.returns_if(is_empty, from).returns_if(terms.not(terms.contains(within, part)), none);
        let place = call.world.unknown(Kind::Int);
        let is_here = terms.eq(terms.substring(within, place, terms.add(place, terms.length(part))), part);
        let next = terms.index_of(within, part, terms.add(place, call.int(1)));
        let bounds = terms.and([terms.sle(call.int(0), place), terms.sle(place, from)]);
        endings.returns_such(place, terms.and([bounds, is_here, terms.eq(next, none)]))
    }
}

impl<'a> Call<'a> {
    pub(super) fn unit_at(&'a self) -> Vec<Answer> {
        let (terms, text, at) = (self.terms(), self.text(0), self.args[1]);
        let unit = terms.extend(false, 32, terms.unit_at(text, at));
        self.endings().throws_unless(terms.ult(at, terms.length(text)), TEXT_INDEX).returns(unit)
    }

    /// A `char` argument as a unit.
    pub(super) fn unit(&self, at: usize) -> Term {
        self.terms().extract(15, 0, self.args[at])
    }

    pub(super) fn code_point_at(&'a self) -> Vec<Answer> {
        let (terms, text, at) = (self.terms(), self.text(0), self.args[1]);
        let wide = |unit: Term| terms.extend(false, 32, unit);
        let is_in = |unit: Term, first: u64, last: u64| {
            terms.and([terms.ule(terms.bits(16, first), unit), terms.ule(unit, terms.bits(16, last))])
        };
        let next_at = terms.add(at, self.int(1));
        let (high, low) = (terms.unit_at(text, at), terms.unit_at(text, next_at));
        let is_pair = terms.and([
            is_in(high, 0xD800, 0xDBFF),
            terms.slt(next_at, terms.length(text)),
            is_in(low, 0xDC00, 0xDFFF),
        ]);
        let upper = terms.mul(terms.sub(wide(high), self.int(0xD800)), self.int(0x400));
        let pair = terms.add(terms.add(upper, terms.sub(wide(low), self.int(0xDC00))), self.int(0x10000));
        let code = terms.ite(is_pair, pair, wide(high));
        self.endings().throws_unless(terms.ult(at, terms.length(text)), TEXT_INDEX).returns(code)
    }

    /// The string of a code point that is given as an int, and whether there is one.
    fn code_text(&self, at: usize) -> (Term, Term) {
        let (terms, code) = (self.terms(), self.args[at]);
        let is_unit = terms.ult(code, self.int(0x1_0000));
        let beyond = terms.sub(code, self.int(0x1_0000));
        let unit = |value: Term| terms.unit(terms.extract(15, 0, value));
        let ten_bits = |high: u8, low: u8| terms.extend(false, 32, terms.extract(high, low, beyond));
        let pair = terms.concat(
            unit(terms.add(ten_bits(19, 10), self.int(0xD800))),
            unit(terms.add(ten_bits(9, 0), self.int(0xDC00))),
        );
        (terms.ite(is_unit, unit(code), pair), terms.ult(code, self.int(0x11_0000)))
    }

    fn index_of_code(&'a self, from: Term) -> Vec<Answer> {
        let (part, exists) = self.code_text(1);
        let found = self.terms().index_of(self.text(0), part, from);
        self.returns(self.terms().ite(exists, found, self.int(-1)))
    }

    fn last_index_of_code(&'a self, from: Term) -> Option<Vec<Answer>> {
        let (part, exists) = self.code_text(1);
        let endings = self.endings().returns_if(self.terms().not(exists), self.int(-1));
        Some(endings.last_index(self.text(0), part, from))
    }

    pub(super) fn substring(&'a self, from: Term, to: Term) -> Vec<Answer> {
        let (terms, text) = (self.terms(), self.text(0));
        let endings = self.endings().throws_unless(self.is_range(from, to, terms.length(text)), TEXT_INDEX);
        let part = terms.substring(text, from, to);
        if part == text && self.named.class == ClassName::string() {
            return endings.returns(self.args[0]);
        }
        endings.returns_text(part)
    }

    /// The text of an object that is known to have one.
    fn text_of(&self, object: Term) -> Term {
        match self.world.known_type(object).and_then(Type::as_class) {
            Some(class) if super::builders::is_builder(class) => self.state.built(self.world, object),
            _ => self.state.text_of(self.world, object),
        }
    }

    /// `offset` and `count` are a part of something that long.
    pub(super) fn is_part(&self, offset: Term, count: Term, length: Term) -> Term {
        let terms = self.terms();
        let zero = self.int(0);
        let fits = terms.sle(offset, terms.sub(length, count));
        terms.and([terms.sle(zero, offset), terms.sle(zero, count), fits])
    }

    fn equals_ignoring_case(&'a self) -> Vec<Answer> {
        let terms = self.terms();
        let endings = self.endings().returns_if(self.is_null(1), self.int(0));
        let differ = terms.not(terms.eq(self.length(0), self.length(1)));
        let endings = endings.returns_if(differ, self.int(0));
        let known = [(0, 1), (1, 0)].into_iter().find_map(|(at, other)| {
            let text = self.constant_text(at).filter(|text| units::is_ascii(text))?;
            (i64::try_from(text.len()).ok()? <= super::MOST_ELEMENTS).then_some((text, self.text(other)))
        });
        let Some((ascii, other)) = known else {
            return endings.returns_if(terms.eq(self.text(0), self.text(1)), self.int(1)).unknown();
        };
        let is_like = |(at, unit): (i32, &u16)| {
            let there = terms.unit_at(other, self.int(at));
            terms.or(same_letter(*unit).into_iter().map(|like| terms.eq(there, terms.bits(16, u64::from(like)))))
        };
        let all: Vec<Term> = (0..).zip(ascii.iter()).map(is_like).collect();
        endings.truth(terms.and(all))
    }

    fn region_matches(&'a self) -> Vec<Answer> {
        let terms = self.terms();
        let wide = |value: Term| terms.extend(true, 64, value);
        let (from, other_from, count) = (self.args[1], self.args[3], self.args[4]);
        let negative = |value: Term| terms.slt(value, self.int(0));
        let beyond = |from: Term, length: Term| terms.slt(terms.sub(wide(length), wide(count)), wide(from));
        let early = terms.or([negative(other_from), negative(from), beyond(from, self.length(0))]);
        // JDK 17 and 25 differ in which they look at first; those between were not compared.
        let endings = match self.world.program().jdk().feature {
            ..=17 => self.endings().throws(self.is_null(2), NULL).returns_if(early, self.int(0)),
            25.. => self.endings().returns_if(early, self.int(0)).throws(self.is_null(2), NULL),
            _ if terms.and([early, self.is_null(2)]) == terms.truth() => return self.unknown(),
            _ => self.endings().returns_if(early, self.int(0)).throws(self.is_null(2), NULL),
        };
        let endings = endings.returns_if(beyond(other_from, self.length(2)), self.int(0));
        let endings = endings.returns_if(terms.sle(count, self.int(0)), self.int(1));
        let part = |text: Term, from: Term| terms.substring(text, from, terms.add(from, count));
        endings.truth(terms.eq(part(self.text(0), from), part(self.text(2), other_from)))
    }

    fn to_char_array(&'a self) -> Vec<Answer> {
        let (terms, text) = (self.terms(), self.text(0));
        let mut state = self.state.clone();
        let known = terms.constant(terms.length(text)).and_then(|length| length.as_signed());
        let most = known.unwrap_or(super::MOST_ELEMENTS).min(4 * super::MOST_ELEMENTS);
        let elements: Vec<Term> = (0..i32::try_from(most).unwrap_or(0))
            .map(|at| terms.extend(false, 32, terms.unit_at(text, self.int(at))))
            .collect();
        let array = state.array_of(self.world, Type::Char, &elements);
        if known == Some(most) {
            return self.endings().leaves(state, Some(array));
        }
        // Longer ones are left out: what lies behind would read as zeros.
        let lengths = state.region(self.world, Region::Lengths);
        state.set_region(Region::Lengths, terms.store(lengths, array, terms.length(text)));
        state.marks.cut = true;
        let mut endings = self.endings();
        endings.rest = terms.sle(terms.length(text), self.int(i32::try_from(most).unwrap_or(0)));
        endings.leaves(state, Some(array))
    }

    fn repeated(&'a self) -> Option<Vec<Answer>> {
        let endings = self.endings().throws(self.terms().slt(self.args[1], self.int(0)), ARGUMENT);
        let Some(times) = self.constant(1) else { return Some(endings.unknown()) };
        match times {
            1 => Some(endings.returns(self.args[0])),
            ..=super::MOST_ELEMENTS => {
                let mut text = self.terms().units(&[]);
                for _ in 0..times {
                    text = self.terms().concat(text, self.text(0));
                }
                Some(endings.returns_text(text))
            }
            _ => Some(endings.unknown()),
        }
    }

    fn split(&'a self, limit: i64) -> Option<Vec<Answer>> {
        let endings = self.endings().throws(self.is_null(1), NULL);
        let (Some(text), Some(by)) = (self.constant_text(0), self.constant_text(1)) else {
            return Some(endings.unknown());
        };
        const SPECIAL: &[u8] = b".$|()[{^?*+\\";
        let [by] = by[..] else { return Some(endings.unknown()) };
        if by >= 128 || SPECIAL.iter().any(|special| u16::from(*special) == by) {
            return Some(endings.unknown());
        }
        let mut state = self.state.clone();
        let mut strings = Vec::new();
        for part in units::split(&text, by, limit) {
            let is_whole = part[..] == text[..];
            strings.push(if is_whole { self.args[0] } else { state.new_text(self.world, self.terms().units(&part)) });
        }
        let array = state.array_of(self.world, Type::Class(ClassName::string()), &strings);
        Some(endings.leaves(state, Some(array)))
    }

    fn joined(&'a self) -> Option<Vec<Answer>> {
        let terms = self.terms();
        let endings = self.endings().throws(terms.or([self.is_null(0), self.is_null(1)]), NULL);
        let elements = self.elements(1, Type::Class(ClassName::object()));
        let is_text = |element: &Term| *element == terms.null() || self.has_text(*element) == Some(true);
        let elements = elements.filter(|elements| elements.iter().all(is_text));
        let Some(elements) = elements.filter(|_| self.has_text(self.args[0]) == Some(true)) else {
            return Some(endings.unknown());
        };
        let mut text = terms.units(&[]);
        for (at, element) in elements.iter().enumerate() {
            let piece = match *element {
                null if null == terms.null() => terms.string("null"),
                object => self.text_of(object),
            };
            let between = if at == 0 { terms.units(&[]) } else { self.text(0) };
            text = terms.concat(text, terms.concat(between, piece));
        }
        Some(endings.returns_text(text))
    }

    fn replaced(&'a self) -> Option<Vec<Answer>> {
        let nulls = self.terms().or([self.is_null(1), self.is_null(2)]);
        let endings = self.endings().throws(nulls, NULL);
        let is_text = |at: usize| self.has_text(self.args[at]) == Some(true);
        if !is_text(1) || !is_text(2) {
            return Some(endings.unknown());
        }
        let is_there = self.terms().contains(self.text(0), self.text(1));
        let endings = endings.returns_if(self.terms().not(is_there), self.args[0]);
        let constants = (self.constant_text(0), self.constant_text(1), self.constant_text(2));
        let (Some(text), Some(target), Some(with)) = constants else { return Some(endings.unknown()) };
        Some(endings.returns_text(self.terms().units(&units::replaced(&text, &target, &with))))
    }

    fn trimmed(&'a self, front: bool, back: bool, drops: fn(u16) -> bool) -> Vec<Answer> {
        let (terms, text) = (self.terms(), self.text(0));
        if let Some(text) = self.constant_text(0) {
            let rest = units::trimmed(&text, front, back, drops);
            if rest.len() == text.len() {
                return self.returns(self.args[0]);
            }
            return self.endings().returns_text(terms.units(rest));
        }
        let is_dropped = |unit: Term| {
            if self.named.name.as_str() == "trim" {
                terms.ule(unit, terms.bits(16, 32))
            } else {
                self.is_whitespace(unit)
            }
        };
        let first = is_dropped(terms.unit_at(text, self.int(0)));
        let last = is_dropped(terms.unit_at(text, terms.sub(terms.length(text), self.int(1))));
        let ends = [front.then_some(first), back.then_some(last)];
        let is_kept = terms.not(terms.or(ends.into_iter().flatten()));
        let is_empty = terms.eq(terms.length(text), self.int(0));
        self.endings().returns_if(terms.or([is_empty, is_kept]), self.args[0]).unknown()
    }

    /// Whether a unit is white space to `Character.isWhitespace`.
    pub(super) fn is_whitespace(&self, unit: Term) -> Term {
        let terms = self.terms();
        let bits = |value: u16| terms.bits(16, u64::from(value));
        let ranges = units::WHITESPACE.iter();
        terms.or(ranges.map(|(first, last)| terms.and([terms.ule(bits(*first), unit), terms.ule(unit, bits(*last))])))
    }

    fn of_ascii(&'a self, change: fn(&[u16]) -> Vec<u16>) -> Option<Vec<Answer>> {
        let text = self.constant_text(0).filter(|text| units::is_ascii(text))?;
        let changed = change(&text);
        if changed[..] == text[..] {
            return Some(self.returns(self.args[0]));
        }
        Some(self.endings().returns_text(self.terms().units(&changed)))
    }

    pub(super) fn copied_from_text(&'a self) -> Vec<Answer> {
        self.endings().throws(self.is_null(1), NULL).becomes(self.text(1), None)
    }

    /// The units of a `char` array of constant length in a row.
    pub(super) fn units_in(&self, at: usize) -> Option<Term> {
        let terms = self.terms();
        if self.args[at] == terms.null() {
            return Some(terms.units(&[]));
        }
        let elements = self.elements(at, Type::Char)?;
        let units = elements.into_iter().map(|unit| terms.unit(terms.extract(15, 0, unit)));
        Some(units.rev().fold(terms.units(&[]), |rest, unit| terms.concat(unit, rest)))
    }

    /// The length of an array that is not null.
    pub(super) fn array_length(&self, at: usize) -> Term {
        self.state.length(self.world, self.args[at])
    }

    fn text_as_long_as(&self, _array: usize) -> Term {
        self.world.unknown_text()
    }

    pub(super) fn value_in_text(&'a self, at: usize, ty: Type) -> Option<Vec<Answer>> {
        match self.world.text_of_value(self.state, self.args[at], ty) {
            super::Piece::Text(text) => Some(self.endings().returns_text(text)),
            _ => None,
        }
    }
}

/// The units that are the same as this ASCII unit but for case: some of other scripts are.
fn same_letter(unit: u16) -> Vec<u16> {
    let both = |lower: u8| vec![u16::from(lower), u16::from(lower.to_ascii_uppercase())];
    match u8::try_from(unit).unwrap_or(0).to_ascii_lowercase() {
        b'i' => [both(b'i'), vec![0x130, 0x131]].concat(),
        b's' => [both(b's'), vec![0x17F]].concat(),
        b'k' => [both(b'k'), vec![0x212A]].concat(),
        letter @ b'a'..=b'z' => both(letter),
        _ => vec![unit],
    }
}
