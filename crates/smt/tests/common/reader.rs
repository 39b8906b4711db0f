//! Reads cases. A case is a file of lines:
//!
//! ```text
//! # what it shows
//! var x bv32
//! object a 3
//! assert (slt x 5)
//! expect unsat 1 3 by inner
//! ```
//!
//! Conditions are numbered from 1. Sorts are `bool`, `bv8`, `f32`, `f64`, `ref`, `str`, `(array ref bv32)` and
//! `(array ref bv32 bv8)`. Constants are `5:32` (value and width; 32 bits without), `true`, `null`, `"text"`, `f32:1.5`,
//! `f64:NaN`.

use smt::{BitBinary, BitCompare, ClassId, ClassSet, FloatBinary, FloatCompare, FloatSort, Scalar, Sort, Term, Terms};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) conjuncts: Vec<Term>,
    /// `sat`, `unsat` or `unknown`.
    pub(crate) answer: String,
    /// Numbers of the conjuncts in the core.
    pub(crate) core: Vec<usize>,
    /// `constant`, `inner`, `solver`; empty if anybody may answer.
    pub(crate) by: String,
}

pub(crate) fn read(terms: &Terms, text: &str) -> Case {
    let mut case = Case::default();
    let mut names: BTreeMap<String, Term> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "var" => {
                let (name, of) = rest.split_once(' ').expect("a name and a sort");
                names.insert(name.into(), terms.var(name, sort(&parse(of))));
            }
            "object" => {
                let (name, class) = rest.split_once(' ').expect("a name and a class");
                names.insert(name.into(), terms.allocate(ClassId(class.parse().expect("a number"))));
            }
            "assert" => case.conjuncts.push(Builder { terms, names: &names }.term(&parse(rest))),
            "expect" => {
                let (answer, by) = rest.split_once(" by ").unwrap_or((rest, ""));
                let mut words = answer.split(' ');
                case.answer = words.next().unwrap_or_default().into();
                case.core = words.map(|number| number.parse().expect("a number")).collect();
                case.by = by.into();
            }
            other => panic!("unknown line: {other}"),
        }
    }
    case
}

#[derive(Debug)]
enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

fn parse(text: &str) -> Sexp {
    let mut tokens = tokens(text).into_iter().peekable();
    let sexp = parse_one(&mut tokens);
    assert!(tokens.next().is_none(), "one expression: {text}");
    sexp
}

fn tokens(text: &str) -> Vec<String> {
    let (mut all, mut token, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                token.push(c);
            }
            '(' | ')' | ' ' if !is_quoted => {
                all.extend((!token.is_empty()).then(|| std::mem::take(&mut token)));
                all.extend((c != ' ').then(|| c.to_string()));
            }
            c => token.push(c),
        }
    }
    all.extend((!token.is_empty()).then_some(token));
    all
}

fn parse_one(tokens: &mut std::iter::Peekable<std::vec::IntoIter<String>>) -> Sexp {
    let first = tokens.next().expect("an expression");
    if first != "(" {
        return Sexp::Atom(first);
    }
    let mut list = Vec::new();
    while tokens.peek().expect("a closing parenthesis") != ")" {
        list.push(parse_one(tokens));
    }
    tokens.next();
    Sexp::List(list)
}

fn sort(sexp: &Sexp) -> Sort {
    match sexp {
        Sexp::Atom(name) => match name.as_str() {
            "bool" => Sort::Bool,
            "f32" => Sort::F32,
            "f64" => Sort::F64,
            "ref" => Sort::Ref,
            "str" => Sort::Str,
            bits => Sort::Bv(bits.strip_prefix("bv").and_then(|width| width.parse().ok()).expect("a sort")),
        },
        Sexp::List(parts) => {
            let parts: Vec<Scalar> = parts[1..].iter().map(|part| sort(part).scalar().expect("a scalar")).collect();
            match parts[..] {
                [key, element] => Sort::array(key, element),
                [first, second, element] => Sort::array2(first, second, element),
                _ => panic!("one key or two"),
            }
        }
    }
}

struct Builder<'c> {
    terms: &'c Terms,
    names: &'c BTreeMap<String, Term>,
}

impl Builder<'_> {
    fn term(&self, sexp: &Sexp) -> Term {
        match sexp {
            Sexp::Atom(atom) => self.atom(atom),
            Sexp::List(list) => {
                let Some(Sexp::Atom(op)) = list.first() else { panic!("an operation first") };
                self.apply(op, &list[1..])
            }
        }
    }

    fn atom(&self, atom: &str) -> Term {
        let t = self.terms;
        if let Some(known) = self.names.get(atom) {
            return *known;
        }
        match atom {
            "true" => t.truth(),
            "false" => t.falsity(),
            "null" => t.null(),
            text if text.starts_with('"') => t.string(text.trim_matches('"')),
            float if float.starts_with("f32:") => t.f32(float[4..].parse().expect("a float")),
            float if float.starts_with("f64:") => t.f64(float[4..].parse().expect("a float")),
            number => {
                let (value, width) = number.split_once(':').unwrap_or((number, "32"));
                let value: i64 = value.parse().unwrap_or_else(|_| panic!("no such name: {number}"));
                t.bits(width.parse().expect("a width"), value.cast_unsigned())
            }
        }
    }

    fn apply(&self, op: &str, operands: &[Sexp]) -> Term {
        let t = self.terms;
        if op == "class" {
            let classes = operands[1..].iter().map(|class| match class {
                Sexp::Atom(number) => ClassId(number.parse().expect("a number")),
                Sexp::List(_) => panic!("a number"),
            });
            return t.class_in(self.term(&operands[0]), &ClassSet::of(classes.collect::<Vec<_>>()));
        }
        let x: Vec<Term> = operands.iter().map(|operand| self.term(operand)).collect();
        match (op, &x[..]) {
            ("and", all) => t.and(all.iter().copied()),
            ("or", all) => t.or(all.iter().copied()),
            ("not", [a]) => t.not(*a),
            ("=", [a, b]) => t.eq(*a, *b),
            ("!=", [a, b]) => t.not(t.eq(*a, *b)),
            ("ite", [c, a, b]) => t.ite(*c, *a, *b),
            ("ult", [a, b]) => t.bit_compare(BitCompare::Ult, *a, *b),
            ("ule", [a, b]) => t.bit_compare(BitCompare::Ule, *a, *b),
            ("slt", [a, b]) => t.slt(*a, *b),
            ("sle", [a, b]) => t.sle(*a, *b),
            ("new", [a]) => t.is_allocated(*a),
            ("select", [a, k]) => t.select(*a, *k),
            ("select", [a, k, l]) => t.select(*a, (*k, *l)),
            ("store", [a, k, v]) => t.store(*a, *k, *v),
            ("store", [a, k, l, v]) => t.store(*a, (*k, *l), *v),
            ("sext", [a]) => t.extend(true, 32, *a),
            ("zext", [a]) => t.extend(false, 32, *a),
            ("low8", [a]) => t.extract(7, 0, *a),
            _ => self.arithmetic(op, &x),
        }
    }

    fn arithmetic(&self, op: &str, x: &[Term]) -> Term {
        let t = self.terms;
        let bits = |op| t.bit_binary(op, x[0], x[1]);
        match op {
            "add" => bits(BitBinary::Add),
            "sub" => bits(BitBinary::Sub),
            "mul" => bits(BitBinary::Mul),
            "sdiv" => bits(BitBinary::SDiv),
            "srem" => bits(BitBinary::SRem),
            "bvand" => bits(BitBinary::And),
            "bvor" => bits(BitBinary::Or),
            "xor" => bits(BitBinary::Xor),
            "shl" => bits(BitBinary::Shl),
            "ushr" => bits(BitBinary::LShr),
            "fadd" => t.float_binary(FloatBinary::Add, x[0], x[1]),
            "frem" => t.float_binary(FloatBinary::Rem, x[0], x[1]),
            "feq" => t.float_compare(FloatCompare::Eq, x[0], x[1]),
            "flt" => t.float_compare(FloatCompare::Lt, x[0], x[1]),
            "nan" => t.is_nan(x[0]),
            "d2i" => t.signed_of_float(32, x[0]),
            "i2d" => t.float_of_signed(FloatSort::F64, x[0]),
            "length" => t.length(x[0]),
            "charAt" => t.unit_at(x[0], x[1]),
            "concat" => t.concat(x[0], x[1]),
            "substring" => t.substring(x[0], x[1], x[2]),
            "indexOf" => t.index_of(x[0], x[1], x[2]),
            "startsWith" => t.starts_with(x[0], x[1]),
            "endsWith" => t.ends_with(x[0], x[1]),
            "contains" => t.contains(x[0], x[1]),
            "toString" => t.decimal(x[0]),
            "isInt" => t.is_decimal(32, x[0]),
            "parseInt" => t.of_decimal(32, x[0]),
            other => panic!("no such operation: {other}"),
        }
    }
}
