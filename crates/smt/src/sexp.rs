//! S-expressions, as solvers answer. Total: what cannot be read is an error that says where.

use crate::sort::{ArraySort, FloatSort, Scalar, Sort};
use crate::value::{ArrayValue, Reference, Row, Value};
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sexp {
    Atom(String),
    /// Between quotes, with doubled quotes undone and escapes left.
    Text(String),
    List(Vec<Sexp>),
}

/// How deep an answer may be nested: arrays with many cells are chains of stores.
const DEEPEST: usize = 20_000;

impl Sexp {
    fn is_let(&self) -> bool {
        matches!(self.list(), Some([head, _, _]) if head.atom() == Some("let"))
    }

    /// Reads all expressions of a text.
    pub(crate) fn read_all(text: &str) -> Result<Vec<Sexp>, String> {
        let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match c {
                '(' if open.len() > DEEPEST => return Err("nested too deep".into()),
                '(' => open.push(Vec::new()),
                ')' => {
                    let list = open.pop().filter(|_| !open.is_empty()).ok_or("a parenthesis too many")?;
                    push(&mut open, Sexp::List(list));
                }
                '"' => {
                    let (text, left) = quoted(&rest[1..])?;
                    push(&mut open, Sexp::Text(text));
                    rest = left;
                    continue;
                }
                '|' => {
                    let (name, left) = rest[1..].split_once('|').ok_or("a name without end")?;
                    push(&mut open, Sexp::Atom(name.into()));
                    rest = left;
                    continue;
                }
                c if c.is_whitespace() => {}
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "()\"|".contains(c)).unwrap_or(rest.len());
                    push(&mut open, Sexp::Atom(rest[..end].into()));
                    rest = &rest[end..];
                    continue;
                }
            }
            rest = &rest[c.len_utf8()..];
        }
        match open.pop() {
            Some(all) if open.is_empty() => Ok(all),
            _ => Err("a parenthesis is missing".into()),
        }
    }

    pub(crate) fn atom(&self) -> Option<&str> {
        if let Sexp::Atom(atom) = self { Some(atom) } else { None }
    }

    pub(crate) fn list(&self) -> Option<&[Sexp]> {
        if let Sexp::List(list) = self { Some(list) } else { None }
    }
}

fn push(open: &mut [Vec<Sexp>], sexp: Sexp) {
    if let Some(last) = open.last_mut() {
        last.push(sexp);
    }
}

fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut out = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"').ok_or("a string without end")?;
        out.push_str(part);
        match after.strip_prefix('"') {
            Some(more) => {
                out.push('"');
                rest = more;
            }
            None => return Ok((out, after)),
        }
    }
}

/// A value of the sort, as solvers print values. Parts that occur more than once they may give a name by `let`.
pub(crate) fn value(sexp: &Sexp, sort: Sort) -> Result<Value, String> {
    if sexp.is_let() {
        let mut left = LARGEST;
        return plain_value(&without_names(sexp, &[], DEEPEST_NAMED, &mut left)?, sort);
    }
    plain_value(sexp, sort)
}

/// Parts of a value once all names are replaced, and how deep they may be nested: a few lines of names can stand for more than fits
/// into memory.
const LARGEST: usize = 1_000_000;
const DEEPEST_NAMED: usize = 1_000;

/// The expression with what names stand for in their place; inner names come last in the list.
fn without_names(sexp: &Sexp, names: &[(String, Sexp)], depth: usize, left: &mut usize) -> Result<Sexp, String> {
    let deeper = depth.checked_sub(1).ok_or("a value with names is nested too deeply")?;
    *left = left.checked_sub(1).ok_or("a value with names is too large")?;
    match sexp {
        Sexp::Atom(atom) => match names.iter().rev().find(|(name, _)| name == atom) {
            // What it stands for has no names any more, but its size counts.
            Some((_, known)) => without_names(known, &[], deeper, left),
            None => Ok(sexp.clone()),
        },
        Sexp::Text(_) => Ok(sexp.clone()),
        Sexp::List(parts) => match &parts[..] {
            [head, Sexp::List(bound), body] if head.atom() == Some("let") => {
                let mut inner = names.to_vec();
                for pair in bound {
                    let Some([Sexp::Atom(name), value]) = pair.list() else {
                        return Err(format!("`{pair:?}` names nothing"));
                    };
                    inner.push((name.clone(), without_names(value, names, deeper, left)?));
                }
                without_names(body, &inner, deeper, left)
            }
            _ => {
                let parts = parts.iter().map(|part| without_names(part, names, deeper, left));
                Ok(Sexp::List(parts.collect::<Result<_, _>>()?))
            }
        },
    }
}

fn plain_value(sexp: &Sexp, sort: Sort) -> Result<Value, String> {
    let wrong = || format!("`{sexp:?}` is no {sort}");
    match sort {
        Sort::Bool => match sexp.atom() {
            Some("true") => Ok(Value::Bool(true)),
            Some("false") => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        Sort::Bv(width) => bits(sexp).map(|bits| Value::bits(width, bits)).ok_or_else(wrong),
        Sort::Ref => {
            let number = bits(sexp).and_then(|bits| u32::try_from(bits).ok());
            number.map(|number| Value::Ref(Reference(number))).ok_or_else(wrong)
        }
        Sort::F32 => float(sexp, FloatSort::F32).ok_or_else(wrong),
        Sort::F64 => float(sexp, FloatSort::F64).ok_or_else(wrong),
        Sort::Str => match sexp {
            Sexp::Text(text) => units(text).map(|units| Value::Str(units.into())),
            _ => Err(wrong()),
        },
        Sort::Array(array) => array_value(sexp, array),
    }
}

fn bits(sexp: &Sexp) -> Option<u64> {
    if let Some([underscore, number, _]) = sexp.list() {
        let number = number.atom().filter(|_| underscore.atom() == Some("_"))?;
        return number.strip_prefix("bv")?.parse().ok();
    }
    let atom = sexp.atom()?;
    let hex = atom.strip_prefix("#x").map(|digits| u64::from_str_radix(digits, 16));
    hex.or_else(|| atom.strip_prefix("#b").map(|digits| u64::from_str_radix(digits, 2)))?.ok()
}

fn float(sexp: &Sexp, format: FloatSort) -> Option<Value> {
    let (exponent, fraction) = match format {
        FloatSort::F32 => (8, 23),
        FloatSort::F64 => (11, 52),
    };
    let of = |bits: u64| match format {
        FloatSort::F32 => Value::f32(f32::from_bits(bits as u32)),
        FloatSort::F64 => Value::f64(f64::from_bits(bits)),
    };
    let ones = ((1u64 << exponent) - 1) << fraction;
    let sign = 1u64 << (format.width() - 1);
    match sexp.list()? {
        [fp, s, e, f] if fp.atom() == Some("fp") => {
            Some(of(bits(s)? << (format.width() - 1) | bits(e)? << fraction | bits(f)?))
        }
        [underscore, name, _, _] if underscore.atom() == Some("_") => match name.atom()? {
            "NaN" => Some(of(ones | 1)),
            "+oo" => Some(of(ones)),
            "-oo" => Some(of(sign | ones)),
            "+zero" => Some(of(0)),
            "-zero" => Some(of(sign)),
            _ => None,
        },
        _ => None,
    }
}

/// Escapes of SMT-LIB 2.6: `\uABCD` and `\u{A}` to `\u{ABCDE}`.
fn units(text: &str) -> Result<Vec<u16>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (code, len) = escape(rest).unwrap_or((u32::from(c), c.len_utf8()));
        out.push(u16::try_from(code).map_err(|_| format!("character {code:x} has more than 16 bits"))?);
        rest = &rest[len..];
    }
    Ok(out)
}

fn escape(text: &str) -> Option<(u32, usize)> {
    let body = text.strip_prefix("\\u")?;
    if let Some(braced) = body.strip_prefix('{') {
        let (digits, _) = braced.split_once('}').filter(|(digits, _)| (1..=5).contains(&digits.len()))?;
        return Some((u32::from_str_radix(digits, 16).ok()?, digits.len() + 4));
    }
    let digits = body.get(..4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, 6))
}

/// Constant arrays, stores into them, and functions that compare their parameter with values.
fn array_value(sexp: &Sexp, sort: ArraySort) -> Result<Value, String> {
    let element = |cell: &Sexp| value(cell, sort.element.into());
    let array = match sort.second {
        None => ArrayValue::of_rows(sort, one_key(sexp, sort.first, &element)?.into_row(), []),
        Some(second) => {
            let table = one_key(sexp, sort.first, &|row| Ok(one_key(row, second, &element)?.into_row()))?;
            ArrayValue::of_rows(sort, table.default, table.cells)
        }
    };
    Ok(Value::Array(Arc::new(array)))
}

/// A function from one key: the last of equal keys counts.
#[derive(Debug, Clone)]
struct Table<T> {
    default: T,
    cells: Vec<(Value, T)>,
}

impl Table<Value> {
    fn into_row(self) -> Row {
        let mut row = Row::filled(self.default);
        self.cells.into_iter().for_each(|(key, cell)| row.set(key, cell));
        row
    }
}

fn one_key<T: Clone>(sexp: &Sexp, key: Scalar, cell: &dyn Fn(&Sexp) -> Result<T, String>) -> Result<Table<T>, String> {
    let mut stores = Vec::new();
    let mut at = sexp;
    loop {
        let list = at.list().ok_or_else(|| format!("`{at:?}` is no array"))?;
        match list {
            [op, inner, index, new] if op.atom() == Some("store") => {
                stores.push((value(index, key.into())?, cell(new)?));
                at = inner;
            }
            [head, default] if is_const(head) => {
                stores.reverse();
                return Ok(Table { default: cell(default)?, cells: stores });
            }
            [op, parameters, body] if op.atom() == Some("lambda") => {
                let mut table = by_cases(parameter(parameters)?, body, key, cell)?;
                stores.reverse();
                table.cells.extend(stores);
                return Ok(table);
            }
            _ => return Err(format!("`{at:?}` is no array")),
        }
    }
}

fn is_const(head: &Sexp) -> bool {
    head.list().is_some_and(|list| {
        list.first().and_then(Sexp::atom) == Some("as") && list.get(1).and_then(Sexp::atom) == Some("const")
    })
}

/// `((x Sort))`
fn parameter(parameters: &Sexp) -> Result<&str, String> {
    let first = parameters.list().and_then(<[Sexp]>::first).and_then(Sexp::list);
    first.and_then(<[Sexp]>::first).and_then(Sexp::atom).ok_or_else(|| format!("`{parameters:?}` names no parameter"))
}

/// `(ite (= x key) cell (ite ...))`; the first that fits counts.
fn by_cases<T: Clone>(
    parameter: &str,
    body: &Sexp,
    key: Scalar,
    cell: &dyn Fn(&Sexp) -> Result<T, String>,
) -> Result<Table<T>, String> {
    let mut cells = Vec::new();
    let mut at = body;
    while let Some([op, condition, then, otherwise]) = at.list()
        && op.atom() == Some("ite")
    {
        let index = match condition.list() {
            Some([eq, x, index]) if eq.atom() == Some("=") && x.atom() == Some(parameter) => index,
            Some([eq, index, x]) if eq.atom() == Some("=") && x.atom() == Some(parameter) => index,
            _ => return Err(format!("`{condition:?}` is no comparison with a key")),
        };
        cells.push((value(index, key.into())?, cell(then)?));
        at = otherwise;
    }
    cells.reverse();
    Ok(Table { default: cell(at)?, cells })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::smtlib;
    use proptest::prelude::*;

    fn read(text: &str, sort: Sort) -> Result<Value, String> {
        value(&Sexp::read_all(text).unwrap()[0], sort)
    }

    #[test]
    fn parts_with_names_are_put_in_their_place() {
        let sort = Sort::array2(Scalar::Ref, Scalar::Bv(32), Scalar::Bv(8));
        let row = "((as const (Array (_ BitVec 32) (_ BitVec 8))) #x46)";
        let all = "(as const (Array (_ BitVec 32) (Array (_ BitVec 32) (_ BitVec 8))))";
        let plain = format!("(store ({all} {row}) #x00000001 (store {row} #x00000003 #x80))");
        let named = format!("(let ((a!1 (store {row} #x00000003 #x80))) (store ({all} {row}) #x00000001 a!1))");
        let nested =
            format!("(let ((r {row})) (let ((a!1 (store r #x00000003 #x80))) (store ({all} r) #x00000001 a!1)))");
        let expected = read(&plain, sort).unwrap();
        assert_eq!(read(&named, sort).unwrap(), expected);
        assert_eq!(read(&nested, sort).unwrap(), expected);
    }

    #[test]
    fn names_that_stand_for_more_than_fits_are_refused() {
        let mut text = "(store x x x)".to_owned();
        for _ in 0..40 {
            text = format!("(let ((x (store x x x))) {text})");
        }
        assert!(read(&text, Sort::array(Scalar::Ref, Scalar::Ref)).is_err());
    }

    fn scalar(sort: Scalar) -> BoxedStrategy<Value> {
        match sort {
            Scalar::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
            Scalar::Bv(width) => any::<u64>().prop_map(move |bits| Value::bits(width, bits)).boxed(),
            Scalar::F32 => any::<u32>().prop_map(|bits| Value::f32(f32::from_bits(bits))).boxed(),
            Scalar::F64 => any::<u64>().prop_map(|bits| Value::f64(f64::from_bits(bits))).boxed(),
            Scalar::Ref => any::<u32>().prop_map(|number| Value::Ref(Reference(number))).boxed(),
            Scalar::Str => {
                let odd = prop_oneof![any::<u16>(), Just(0x5c), Just(0x22), Just(0x75), Just(0x7b), Just(0xd800)];
                proptest::collection::vec(odd, 0..8).prop_map(|units| Value::Str(units.into())).boxed()
            }
        }
    }

    fn any_scalar() -> impl Strategy<Value = Scalar> {
        prop_oneof![
            Just(Scalar::Bool),
            (1u8..=64).prop_map(Scalar::Bv),
            Just(Scalar::F32),
            Just(Scalar::F64),
            Just(Scalar::Ref),
            Just(Scalar::Str),
        ]
    }

    fn row(key: Scalar, element: Scalar) -> impl Strategy<Value = Row> {
        let cells = proptest::collection::vec((scalar(key), scalar(element)), 0..4);
        (scalar(element), cells).prop_map(|(default, cells)| {
            let mut row = Row::filled(default);
            cells.into_iter().for_each(|(key, cell)| row.set(key, cell));
            row
        })
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let one = (any_scalar(), any_scalar()).prop_flat_map(|(first, element)| {
            let sort = ArraySort { first, second: None, element };
            row(first, element).prop_map(move |row| ArrayValue::of_rows(sort, row, []))
        });
        let two = (any_scalar(), any_scalar(), any_scalar()).prop_flat_map(|(first, second, element)| {
            let sort = ArraySort { first, second: Some(second), element };
            let rows = proptest::collection::vec((scalar(first), row(second, element)), 0..3);
            (row(second, element), rows).prop_map(move |(row, rows)| ArrayValue::of_rows(sort, row, rows))
        });
        prop_oneof![
            any_scalar().prop_flat_map(scalar),
            one.prop_map(|array| Value::Array(Arc::new(array))),
            two.prop_map(|array| Value::Array(Arc::new(array))),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_printed_is_read_again(expected in any_value()) {
            let text = smtlib::value(&expected);
            let read = Sexp::read_all(&text).unwrap();
            prop_assert_eq!(read.len(), 1);
            prop_assert_eq!(value(&read[0], expected.sort()), Ok(expected), "{}", text);
        }

        #[test]
        fn no_text_is_too_odd(text in "[()\"|a-c0-9#\\\\u{} \n]{0,60}") {
            let _ = Sexp::read_all(&text);
        }
    }

    #[test]
    fn functions_by_cases_are_arrays() {
        let text =
            "(store (lambda ((x!1 (_ BitVec 8))) (ite (= x!1 #x01) true (ite (= #x01 x!1) false false))) #x02 true)";
        let sort = Sort::array(Scalar::Bv(8), Scalar::Bool);
        let Ok(Value::Array(array)) = value(&Sexp::read_all(text).unwrap()[0], sort) else { panic!("an array") };
        let cells = [0, 1, 2].map(|key| array.row().get(&Value::bits(8, key)).clone());
        assert_eq!(cells, [false, true, true].map(Value::Bool));
    }

    #[test]
    fn special_floats_are_read() {
        for (text, expected) in [
            ("(_ +oo 8 24)", f32::INFINITY),
            ("(_ -oo 8 24)", f32::NEG_INFINITY),
            ("(_ -zero 8 24)", -0.0),
            ("(_ NaN 8 24)", f32::NAN),
            ("(fp #b1 #x7f #b10000000000000000000000)", -1.5),
        ] {
            assert_eq!(value(&Sexp::read_all(text).unwrap()[0], Sort::F32), Ok(Value::f32(expected)), "{text}");
        }
    }

    #[test]
    fn units_of_more_than_16_bits_are_refused() {
        assert!(value(&Sexp::read_all(r#""\u{2f140}""#).unwrap()[0], Sort::Str).is_err());
    }
}
