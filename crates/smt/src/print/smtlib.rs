//! SMT-LIB 2: sorts, values and operations. A node is written with its operands' texts, so that sharing is the caller's
//! choice. Approximations and side conditions come back beside the text.

use crate::node::{BitBinary, BitCompare, BitUnary, FloatBinary, FloatCompare, FloatUnary, Index, Node, Term};
use crate::sort::{ArraySort, FloatSort, Sort};
use crate::terms::Terms;
use crate::value::{Reference, Row, Value};
use std::fmt::Write;

/// The function from objects to classes.
pub(crate) const CLASS: &str = "class";

pub(crate) fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::F32 => "Float32".into(),
        Sort::F64 => "Float64".into(),
        Sort::Ref => "(_ BitVec 32)".into(),
        Sort::Str => "String".into(),
        Sort::Array(array) => array_sort(array),
    }
}

fn array_sort(array: ArraySort) -> String {
    format!("(Array {} {})", sort(array.first.into()), sort(inner_sort(array)))
}

/// What one key of an array leads to: arrays of two keys are arrays of arrays.
fn inner_sort(array: ArraySort) -> Sort {
    match array.second {
        None => array.element.into(),
        Some(second) => Sort::Array(ArraySort { first: second, second: None, element: array.element }),
    }
}

pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Bv { width, bits } => bits_text(*width, *bits),
        Value::F32(bits) => float(FloatSort::F32, u64::from(*bits)),
        Value::F64(bits) => float(FloatSort::F64, *bits),
        Value::Ref(reference) => format!("#x{:08x}", reference.0),
        Value::Str(units) => string(units),
        Value::Array(array) => {
            let sort = array.sort();
            let Some(_) = sort.second else { return row(sort, array.row()) };
            let Sort::Array(inner) = inner_sort(sort) else { unreachable!("there are two keys") };
            let mut text = format!("((as const {}) {})", array_sort(sort), row(inner, array.row()));
            for (key, cells) in array.rows() {
                text = store(&text, &self::value(key), None, &row(inner, cells));
            }
            text
        }
    }
}

fn row(sort: ArraySort, row: &Row) -> String {
    let filled = filled(sort, &value(row.default_value()));
    row.cells().iter().fold(filled, |text, (key, cell)| store(&text, &value(key), None, &value(cell)))
}

pub(crate) fn bits_text(width: u8, bits: u64) -> String {
    if width.is_multiple_of(4) {
        format!("#x{bits:0digits$x}", digits = usize::from(width / 4))
    } else {
        format!("#b{bits:0digits$b}", digits = usize::from(width))
    }
}

/// Width of exponent and significand, the hidden bit counted.
fn format_of(float: FloatSort) -> (u8, u8) {
    match float {
        FloatSort::F32 => (8, 24),
        FloatSort::F64 => (11, 53),
    }
}

fn float(float: FloatSort, bits: u64) -> String {
    let (exponent, significand) = format_of(float);
    let fraction = significand - 1;
    let (low, middle) = (bits & ((1 << fraction) - 1), bits >> fraction & ((1 << exponent) - 1));
    if middle == (1 << exponent) - 1 && low != 0 {
        return format!("(_ NaN {exponent} {significand})");
    }
    let sign = bits >> (float.width() - 1);
    format!("(fp #b{sign} #b{middle:0e$b} #b{low:0f$b})", e = usize::from(exponent), f = usize::from(fraction))
}

pub(crate) fn string(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for unit in units {
        match u8::try_from(*unit) {
            Ok(b'"') => text.push_str("\"\""),
            // A backslash might begin an escape.
            Ok(plain @ b' '..=b'~') if plain != b'\\' => text.push(char::from(plain)),
            _ => {
                let _ = write!(text, "\\u{{{unit:x}}}");
            }
        }
    }
    text.push('"');
    text
}

fn filled(array: ArraySort, value: &str) -> String {
    match array.second {
        None => format!("((as const {}) {value})", array_sort(array)),
        Some(_) => {
            let inner = format!("((as const {}) {value})", sort(inner_sort(array)));
            format!("((as const {}) {inner})", array_sort(array))
        }
    }
}

fn store(array: &str, first: &str, second: Option<&str>, value: &str) -> String {
    match second {
        None => format!("(store {array} {first} {value})"),
        Some(second) => format!("(store {array} {first} (store (select {array} {first}) {second} {value}))"),
    }
}

/// An operation as text.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// Declared before it: name and sort.
    pub(crate) helper: Option<(String, Sort)>,
    /// Holds whatever the variables are.
    pub(crate) facts: Vec<String>,
    /// Some values of its operands are not treated as they should be: "unsatisfiable" may be wrong.
    pub(crate) is_partial: bool,
}

impl From<String> for Written {
    fn from(text: String) -> Written {
        Written { text, ..Written::default() }
    }
}

/// Writes a node whose operands have the given texts. `name` is the term's own, from which names of helpers are made.
pub(crate) fn node(terms: &Terms, node: &Node, name: &str, of: &dyn Fn(Term) -> String) -> Written {
    match node {
        Node::Not(a) => format!("(not {})", of(*a)).into(),
        Node::And(all) => list("and", all, of).into(),
        Node::Or(all) => list("or", all, of).into(),
        Node::Eq(a, b) => list("=", &[*a, *b], of).into(),
        Node::Ite(c, a, b) => list("ite", &[*c, *a, *b], of).into(),
        Node::BitUnary(op, a) => list(if *op == BitUnary::Not { "bvnot" } else { "bvneg" }, &[*a], of).into(),
        Node::BitBinary(op, a, b) => list(bit_binary(*op), &[*a, *b], of).into(),
        Node::BitCompare(op, a, b) => list(bit_compare(*op), &[*a, *b], of).into(),
        Node::Extract { high, low, of: a } => format!("((_ extract {high} {low}) {})", of(*a)).into(),
        Node::Join(a, b) => list("concat", &[*a, *b], of).into(),
        Node::Extend { signed, width, of: a } => {
            let by = width - terms.width(*a);
            format!("((_ {}_extend {by}) {})", if *signed { "sign" } else { "zero" }, of(*a)).into()
        }
        Node::IsAllocated(a) => format!("(bvuge {} #x{:08x})", of(*a), Reference::ALLOCATED).into(),
        Node::ClassIn(a, set) => class_in(terms, &of(*a), *set).into(),
        Node::Select(array, Index(first, None)) => list("select", &[*array, *first], of).into(),
        Node::Select(array, Index(first, Some(second))) => {
            format!("(select (select {} {}) {})", of(*array), of(*first), of(*second)).into()
        }
        Node::Store(array, index, value) => {
            let second = index.1.map(of);
            store(&of(*array), &of(index.0), second.as_deref(), &of(*value)).into()
        }
        Node::Filled(sort, value) => filled(*sort, &of(*value)).into(),
        Node::FloatUnary(..)
        | Node::FloatBinary(..)
        | Node::FloatCompare(..)
        | Node::IsNan(_)
        | Node::FloatOfSigned { .. }
        | Node::SignedOfFloat { .. }
        | Node::FloatOfFloat { .. }
        | Node::FloatOfBits(_)
        | Node::BitsOfFloat(_) => float_node(terms, node, name, of),
        node => text_node(terms, node, of),
    }
}

fn list(op: &str, all: &[Term], of: &dyn Fn(Term) -> String) -> String {
    let mut text = format!("({op}");
    for term in all {
        text.push(' ');
        text.push_str(&of(*term));
    }
    text.push(')');
    text
}

/// The set as ranges of numbers: whoever numbers classes in the order of their hierarchy gets one range per type.
fn class_in(terms: &Terms, object: &str, set: crate::node::ClassSetId) -> String {
    let set = terms.classes(set);
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for class in set.named() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == class.0 => *last = class.0,
            _ => ranges.push((class.0, class.0)),
        }
    }
    let class = format!("({CLASS} {object})");
    let parts = ranges.iter().map(|(first, last)| {
        if first == last {
            format!("(= {class} #x{first:08x})")
        } else {
            format!("(and (bvule #x{first:08x} {class}) (bvule {class} #x{last:08x}))")
        }
    });
    let parts: Vec<String> = parts.collect();
    let member = match &parts[..] {
        [] => "false".into(),
        [single] => single.clone(),
        several => format!("(or {})", several.join(" ")),
    };
    let member = if set.is_complement() { format!("(not {member})") } else { member };
    format!("(and (not (= {object} #x00000000)) {member})")
}

fn float_node(terms: &Terms, node: &Node, name: &str, of: &dyn Fn(Term) -> String) -> Written {
    let format = |term: Term| terms.sort(term).float().expect("sorts are checked where terms are made");
    match node {
        Node::FloatUnary(op, a) => match op {
            FloatUnary::Neg => format!("(fp.neg {})", of(*a)),
            FloatUnary::Abs => format!("(fp.abs {})", of(*a)),
            FloatUnary::Sqrt => format!("(fp.sqrt RNE {})", of(*a)),
            FloatUnary::Floor => format!("(fp.roundToIntegral RTN {})", of(*a)),
            FloatUnary::Ceil => format!("(fp.roundToIntegral RTP {})", of(*a)),
            FloatUnary::Rint => format!("(fp.roundToIntegral RNE {})", of(*a)),
        }
        .into(),
        Node::FloatBinary(FloatBinary::Rem, a, b) => remainder(name, terms.sort(*a), &of(*a), &of(*b)),
        Node::FloatBinary(op, a, b) => format!("({} RNE {} {})", float_binary(*op), of(*a), of(*b)).into(),
        Node::FloatCompare(op, a, b) => list(float_compare(*op), &[*a, *b], of).into(),
        Node::IsNan(a) => format!("(fp.isNaN {})", of(*a)).into(),
        Node::FloatOfSigned { to, of: a } | Node::FloatOfFloat { to, of: a } => {
            let (e, s) = format_of(*to);
            format!("((_ to_fp {e} {s}) RNE {})", of(*a)).into()
        }
        Node::SignedOfFloat { width, of: a } => signed_of_float(*width, format(*a), &of(*a)).into(),
        Node::FloatOfBits(a) => {
            let (e, s) = format_of(FloatSort::of_width(terms.width(*a)).unwrap_or(FloatSort::F64));
            format!("((_ to_fp {e} {s}) {})", of(*a)).into()
        }
        Node::BitsOfFloat(a) => bits_of_float(name, format(*a), &of(*a)),
        other => unreachable!("no operation on floats: {other:?}"),
    }
}

/// SMT-LIB has only IEEE's remainder, which rounds. Java's is left open but for what always holds of it: so more is
/// possible than should be, and evaluation of the model decides.
fn remainder(name: &str, sort: Sort, a: &str, b: &str) -> Written {
    let r = format!("{name}r");
    let is_nan = format!("(or (fp.isNaN {a}) (fp.isNaN {b}) (fp.isInfinite {a}) (fp.isZero {b}))");
    let bounds = format!(
        "(and (not (fp.isNaN {r})) (= (fp.isNegative {r}) (fp.isNegative {a})) (fp.leq (fp.abs {r}) (fp.abs {a})) \
         (fp.lt (fp.abs {r}) (fp.abs {b})))"
    );
    let small = format!("(=> (and (not {is_nan}) (fp.lt (fp.abs {a}) (fp.abs {b}))) (= {r} {a}))");
    let facts = vec![format!("(ite {is_nan} (fp.isNaN {r}) {bounds})"), small];
    Written { text: r.clone(), helper: Some((r, sort)), facts, is_partial: false }
}

/// SMT-LIB has no function from floats to bits, since NaN has many: ours is the one of Java.
fn bits_of_float(name: &str, format: FloatSort, a: &str) -> Written {
    let b = format!("{name}b");
    let (e, s) = format_of(format);
    let nan = match format {
        FloatSort::F32 => bits_text(32, 0x7fc0_0000),
        FloatSort::F64 => bits_text(64, 0x7ff8_0000_0000_0000),
    };
    let fact = format!("(ite (fp.isNaN {a}) (= {b} {nan}) (= ((_ to_fp {e} {s}) {b}) {a}))");
    Written { text: b.clone(), helper: Some((b, Sort::Bv(format.width()))), facts: vec![fact], is_partial: false }
}

/// Java's conversion: out of range is the nearest number, NaN is 0.
fn signed_of_float(width: u8, format: FloatSort, a: &str) -> String {
    let (limit, least) = match format {
        FloatSort::F32 => {
            let limit = 2f32.powi(i32::from(width) - 1);
            (Value::f32(limit), Value::f32(-limit))
        }
        FloatSort::F64 => {
            let limit = 2f64.powi(i32::from(width) - 1);
            (Value::f64(limit), Value::f64(-limit))
        }
    };
    let most = bits_text(width, crate::value::mask(width) >> 1);
    let lowest = bits_text(width, crate::value::sign_bit(width));
    format!(
        "(ite (fp.isNaN {a}) {} (ite (fp.geq {a} {}) {most} (ite (fp.leq {a} {}) {lowest} ((_ fp.to_sbv {width}) RTZ {a}))))",
        bits_text(width, 0),
        value(&limit),
        value(&least)
    )
}

fn text_node(terms: &Terms, node: &Node, of: &dyn Fn(Term) -> String) -> Written {
    let whole = |term: &Term| format!("(bv2nat {})", of(*term));
    match node {
        Node::Length(a) => format!("((_ int2bv 32) (str.len {}))", of(*a)).into(),
        Node::UnitAt(a, at) => {
            let unit = format!("(str.at {} {})", of(*a), whole(at));
            Written {
                text: format!("(ite (= {unit} \"\") #x0000 ((_ int2bv 16) (str.to_code {unit})))"),
                facts: vec![format!("(< (str.to_code {unit}) 65536)")],
                ..Written::default()
            }
        }
        Node::Unit(a) => format!("(str.from_code {})", whole(a)).into(),
        Node::Concat(a, b) => list("str.++", &[*a, *b], of).into(),
        Node::Substring(a, from, to) => {
            let (a, from, to) = (of(*a), whole(from), whole(to));
            // Negative numbers are greater than any length here.
            format!("(ite (and (<= {from} {to}) (<= {to} (str.len {a}))) (str.substr {a} {from} (- {to} {from})) \"\")")
                .into()
        }
        Node::IndexOf(a, b, from) => {
            let (a, b, at) = (of(*a), of(*b), whole(from));
            let start =
                format!("(ite (bvslt {} #x00000000) 0 (ite (< (str.len {a}) {at}) (str.len {a}) {at}))", of(*from));
            format!("((_ int2bv 32) (str.indexof {a} {b} {start}))").into()
        }
        Node::StartsWith(a, b) => list("str.prefixof", &[*b, *a], of).into(),
        Node::EndsWith(a, b) => list("str.suffixof", &[*b, *a], of).into(),
        Node::Contains(a, b) => list("str.contains", &[*a, *b], of).into(),
        Node::Decimal(a) => {
            let width = terms.width(*a);
            let (a, zero) = (of(*a), bits_text(width, 0));
            // The least number is its own opposite, which as an unsigned one is right.
            format!(
                "(ite (bvslt {a} {zero}) (str.++ \"-\" (str.from_int (bv2nat (bvneg {a})))) (str.from_int (bv2nat {a})))"
            )
            .into()
        }
        Node::IsDecimal { width, of: a } => {
            Written { text: is_decimal(*width, &of(*a)), is_partial: true, ..Written::default() }
        }
        Node::OfDecimal { width, of: a } => {
            let a = of(*a);
            let number = format!("((_ int2bv {width}) {})", signed_number(&a));
            let text = format!("(ite {} {number} {})", is_decimal(*width, &a), bits_text(*width, 0));
            Written { text, is_partial: true, ..Written::default() }
        }
        other => unreachable!("leaves have no operands: {other:?}"),
    }
}

/// The digits behind an optional sign. Solvers know ASCII digits only.
fn magnitude(a: &str) -> String {
    format!("(str.to_int (ite {} (str.substr {a} 1 (str.len {a})) {a}))", has_sign(a))
}

fn has_sign(a: &str) -> String {
    format!("(or (str.prefixof \"-\" {a}) (str.prefixof \"+\" {a}))")
}

fn signed_number(a: &str) -> String {
    format!("(ite (str.prefixof \"-\" {a}) (- {m}) {m})", m = magnitude(a))
}

fn is_decimal(width: u8, a: &str) -> String {
    let limit = 1u128 << (width - 1);
    let m = magnitude(a);
    format!("(and (<= 0 {m}) (<= {m} (ite (str.prefixof \"-\" {a}) {limit} {})))", limit - 1)
}

fn bit_binary(op: BitBinary) -> &'static str {
    match op {
        BitBinary::Add => "bvadd",
        BitBinary::Sub => "bvsub",
        BitBinary::Mul => "bvmul",
        BitBinary::SDiv => "bvsdiv",
        BitBinary::SRem => "bvsrem",
        BitBinary::UDiv => "bvudiv",
        BitBinary::URem => "bvurem",
        BitBinary::And => "bvand",
        BitBinary::Or => "bvor",
        BitBinary::Xor => "bvxor",
        BitBinary::Shl => "bvshl",
        BitBinary::LShr => "bvlshr",
        BitBinary::AShr => "bvashr",
    }
}

fn bit_compare(op: BitCompare) -> &'static str {
    match op {
        BitCompare::Ult => "bvult",
        BitCompare::Ule => "bvule",
        BitCompare::Slt => "bvslt",
        BitCompare::Sle => "bvsle",
    }
}

fn float_binary(op: FloatBinary) -> &'static str {
    match op {
        FloatBinary::Add => "fp.add",
        FloatBinary::Sub => "fp.sub",
        FloatBinary::Mul => "fp.mul",
        FloatBinary::Div => "fp.div",
        FloatBinary::Rem => "fp.rem",
    }
}

fn float_compare(op: FloatCompare) -> &'static str {
    match op {
        FloatCompare::Eq => "fp.eq",
        FloatCompare::Lt => "fp.lt",
        FloatCompare::Le => "fp.leq",
    }
}
