//! Terms as text: for people here, for solvers in [`smtlib`].

pub(crate) mod smtlib;

use crate::node::{BitBinary, BitCompare, BitUnary, FloatBinary, FloatCompare, FloatUnary, Index, Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::{Row, Value};
use std::fmt::{self, Write};

/// Shared parts are printed once per use; a formula with more parts than this ends in dots.
const MOST_PARTS: usize = 5000;

impl Terms {
    /// The term as an expression close to Java's.
    pub fn show(&self, term: Term) -> String {
        let mut printer = Printer { terms: self, text: String::new(), left: MOST_PARTS };
        printer.term(term, false);
        printer.text
    }
}

struct Printer<'t> {
    terms: &'t Terms,
    text: String,
    left: usize,
}

impl Printer<'_> {
    fn push(&mut self, text: impl fmt::Display) {
        let _ = write!(self.text, "{text}");
    }

    fn term(&mut self, term: Term, in_operand: bool) {
        if self.left == 0 {
            return self.push("…");
        }
        self.left -= 1;
        let node = self.terms.node(term);
        let parenthesise = in_operand && is_infix(&node);
        if parenthesise {
            self.push('(');
        }
        self.node(term, &node);
        if parenthesise {
            self.push(')');
        }
    }

    fn node(&mut self, term: Term, node: &Node) {
        if let Some(value) = self.terms.constant(term) {
            return self.push(value);
        }
        match node {
            Node::Var(var) => self.push(self.terms.var_name(*var)),
            Node::Not(a) => match self.terms.node(*a) {
                Node::Eq(a, b) => self.infix(a, " != ", b),
                _ => self.prefix("!", *a),
            },
            Node::And(all) => self.list(all, " && "),
            Node::Or(all) => self.list(all, " || "),
            Node::Eq(a, b) => self.infix(*a, " == ", *b),
            Node::Ite(c, a, b) => {
                self.term(*c, true);
                self.push(" ? ");
                self.term(*a, true);
                self.push(" : ");
                self.term(*b, true);
            }
            Node::BitUnary(op, a) => self.prefix(if *op == BitUnary::Not { "~" } else { "-" }, *a),
            Node::BitBinary(op, a, b) => self.infix(*a, bit_binary(*op), *b),
            Node::BitCompare(op, a, b) => self.infix(*a, bit_compare(*op), *b),
            Node::Extract { high, low, of } => {
                self.term(*of, true);
                self.push(format_args!("[{high}:{low}]"));
            }
            Node::Join(a, b) => self.call("join", &[*a, *b]),
            Node::Extend { signed, width, of } => {
                self.push(format_args!("({}{width}) ", if *signed { 's' } else { 'u' }));
                self.term(*of, true);
            }
            Node::FloatBinary(op, a, b) => self.infix(*a, float_binary(*op), *b),
            Node::FloatCompare(op, a, b) => self.infix(*a, float_compare(*op), *b),
            Node::Select(array, index) => self.cell(*array, *index),
            Node::Store(array, index, value) => {
                self.term(*array, true);
                self.push('{');
                self.index(*index);
                self.push(": ");
                self.term(*value, false);
                self.push('}');
            }
            Node::ClassIn(a, set) => {
                self.term(*a, true);
                self.push(format_args!(" instanceof {}", self.terms.classes(*set)));
            }
            node => self.function(node),
        }
    }

    fn function(&mut self, node: &Node) {
        match node {
            Node::FloatUnary(FloatUnary::Neg, a) => self.prefix("-", *a),
            Node::FloatUnary(op, a) => self.call(float_unary(*op), &[*a]),
            Node::IsNan(a) => self.call("isNaN", &[*a]),
            Node::FloatOfSigned { to, of } | Node::FloatOfFloat { to, of } => {
                self.push(format_args!("({}) ", Sort::from(*to)));
                self.term(*of, true);
            }
            Node::SignedOfFloat { width, of } => {
                self.push(format_args!("(s{width}) "));
                self.term(*of, true);
            }
            Node::FloatOfBits(a) => self.call("bitsToFloat", &[*a]),
            Node::BitsOfFloat(a) => self.call("floatToBits", &[*a]),
            Node::IsAllocated(a) => self.call("isNew", &[*a]),
            Node::Filled(_, value) => self.call("filled", &[*value]),
            Node::Length(a) => self.method(*a, "length", &[]),
            Node::UnitAt(a, at) => self.method(*a, "charAt", &[*at]),
            Node::Unit(a) => self.call("toString", &[*a]),
            Node::Concat(a, b) => self.infix(*a, " ++ ", *b),
            Node::Substring(a, from, to) => self.method(*a, "substring", &[*from, *to]),
            Node::IndexOf(a, b, from) => self.method(*a, "indexOf", &[*b, *from]),
            Node::StartsWith(a, b) => self.method(*a, "startsWith", &[*b]),
            Node::EndsWith(a, b) => self.method(*a, "endsWith", &[*b]),
            Node::Contains(a, b) => self.method(*a, "contains", &[*b]),
            Node::Decimal(a) => self.call("toString", &[*a]),
            Node::IsDecimal { width, of } => self.call(if *width == 32 { "isInt" } else { "isLong" }, &[*of]),
            Node::OfDecimal { width, of } => self.call(if *width == 32 { "parseInt" } else { "parseLong" }, &[*of]),
            other => unreachable!("printed by the caller: {other:?}"),
        }
    }

    fn prefix(&mut self, op: &str, a: Term) {
        self.push(op);
        self.term(a, true);
    }

    fn infix(&mut self, a: Term, op: &str, b: Term) {
        self.list(&[a, b], op);
    }

    fn list(&mut self, all: &[Term], op: &str) {
        for (at, term) in all.iter().enumerate() {
            if at > 0 {
                self.push(op);
            }
            self.term(*term, true);
        }
    }

    fn call(&mut self, name: &str, arguments: &[Term]) {
        self.push(name);
        self.push('(');
        for (at, argument) in arguments.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            self.term(*argument, false);
        }
        self.push(')');
    }

    fn method(&mut self, receiver: Term, name: &str, arguments: &[Term]) {
        self.term(receiver, true);
        self.push('.');
        self.call(name, arguments);
    }

    fn cell(&mut self, array: Term, index: Index) {
        self.term(array, true);
        self.push('[');
        self.index(index);
        self.push(']');
    }

    fn index(&mut self, index: Index) {
        self.term(index.0, false);
        if let Some(second) = index.1 {
            self.push(", ");
            self.term(second, false);
        }
    }
}

fn is_infix(node: &Node) -> bool {
    matches!(
        node,
        Node::And(_)
            | Node::Or(_)
            | Node::Eq(..)
            | Node::Ite(..)
            | Node::BitBinary(..)
            | Node::BitCompare(..)
            | Node::Extend { .. }
            | Node::FloatBinary(..)
            | Node::FloatCompare(..)
            | Node::FloatOfSigned { .. }
            | Node::FloatOfFloat { .. }
            | Node::SignedOfFloat { .. }
            | Node::ClassIn(..)
            | Node::Not(_)
            | Node::Concat(..)
    )
}

fn bit_binary(op: BitBinary) -> &'static str {
    match op {
        BitBinary::Add => " + ",
        BitBinary::Sub => " - ",
        BitBinary::Mul => " * ",
        BitBinary::SDiv => " / ",
        BitBinary::SRem => " % ",
        BitBinary::UDiv => " /u ",
        BitBinary::URem => " %u ",
        BitBinary::And => " & ",
        BitBinary::Or => " | ",
        BitBinary::Xor => " ^ ",
        BitBinary::Shl => " << ",
        BitBinary::LShr => " >>> ",
        BitBinary::AShr => " >> ",
    }
}

fn bit_compare(op: BitCompare) -> &'static str {
    match op {
        BitCompare::Ult => " <u ",
        BitCompare::Ule => " <=u ",
        BitCompare::Slt => " < ",
        BitCompare::Sle => " <= ",
    }
}

fn float_unary(op: FloatUnary) -> &'static str {
    match op {
        FloatUnary::Neg => "neg",
        FloatUnary::Abs => "abs",
        FloatUnary::Sqrt => "sqrt",
        FloatUnary::Floor => "floor",
        FloatUnary::Ceil => "ceil",
        FloatUnary::Rint => "rint",
    }
}

fn float_binary(op: FloatBinary) -> &'static str {
    match op {
        FloatBinary::Add => " + ",
        FloatBinary::Sub => " - ",
        FloatBinary::Mul => " * ",
        FloatBinary::Div => " / ",
        FloatBinary::Rem => " % ",
    }
}

fn float_compare(op: FloatCompare) -> &'static str {
    match op {
        FloatCompare::Eq => " ==f ",
        FloatCompare::Lt => " <f ",
        FloatCompare::Le => " <=f ",
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bv { width, bits } => write!(f, "{}", crate::value::signed(*width, *bits)),
            Value::F32(bits) => write!(f, "{:?}f", f32::from_bits(*bits)),
            Value::F64(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Value::Ref(reference) => write!(f, "{reference}"),
            Value::Str(units) => write_string(f, units),
            Value::Array(array) if array.sort().second.is_none() => write_row(f, array.row()),
            Value::Array(array) => {
                f.write_str("{")?;
                for (key, row) in array.rows() {
                    write!(f, "{key}: ")?;
                    write_row(f, row)?;
                    f.write_str(", ")?;
                }
                f.write_str("else ")?;
                write_row(f, array.row())?;
                f.write_str("}")
            }
        }
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    f.write_str("{")?;
    for (key, value) in row.cells() {
        write!(f, "{key}: {value}, ")?;
    }
    write!(f, "else {}}}", row.default_value())
}

/// As a Java literal; what is not printable ASCII is escaped.
fn write_string(f: &mut fmt::Formatter<'_>, units: &[u16]) -> fmt::Result {
    f.write_char('"')?;
    for unit in units {
        match u8::try_from(*unit) {
            Ok(quoted @ (b'"' | b'\\')) => write!(f, "\\{}", char::from(quoted))?,
            Ok(plain @ b' '..=b'~') => f.write_char(char::from(plain))?,
            _ => write!(f, "\\u{unit:04x}")?,
        }
    }
    f.write_char('"')
}
