//! Values: what terms evaluate to. Equality of values is identity: there is one NaN, and `0.0` is not `-0.0`.

use crate::sort::{ArraySort, Scalar, Sort};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    /// The bits above the width are zero.
    Bv {
        width: u8,
        bits: u64,
    },
    /// The bits, with one NaN; see [`Value::f32`].
    F32(u32),
    F64(u64),
    Ref(Reference),
    Str(Arc<[u16]>),
    Array(Arc<ArrayValue>),
}

/// An object. Null is none; those that came in from outside and those that the code under study allocated have numbers
/// from two ranges, so that one is never the other.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference(pub(crate) u32);

impl Reference {
    pub const NULL: Reference = Reference(0);
    pub(crate) const ALLOCATED: u32 = 1 << 31;

    /// An object that was there at the entry; numbers start at 1.
    pub fn input(number: u32) -> Reference {
        assert!(number > 0 && number < Reference::ALLOCATED, "numbers of input objects have 31 bits and are not 0");
        Reference(number)
    }

    pub(crate) fn allocated(number: u32) -> Reference {
        assert!(number < Reference::ALLOCATED, "numbers of allocated objects have 31 bits");
        Reference(Reference::ALLOCATED | number)
    }

    pub fn is_null(self) -> bool {
        self == Reference::NULL
    }

    pub fn is_allocated(self) -> bool {
        self.0 & Reference::ALLOCATED != 0
    }

    /// Came in from outside.
    pub fn is_input(self) -> bool {
        !self.is_null() && !self.is_allocated()
    }

    /// Its number within its range.
    pub fn number(self) -> u32 {
        self.0 & !Reference::ALLOCATED
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            r if r.is_null() => f.write_str("null"),
            r if r.is_allocated() => write!(f, "new{}", r.number()),
            r => write!(f, "in{}", r.number()),
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// One key or two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub Value, pub Option<Value>);

/// A total function of one key: a default, and finitely many cells that differ from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row {
    default: Value,
    cells: BTreeMap<Value, Value>,
}

impl Row {
    pub fn filled(default: Value) -> Row {
        Row { default, cells: BTreeMap::new() }
    }

    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// The cells that differ from the default.
    pub fn cells(&self) -> &BTreeMap<Value, Value> {
        &self.cells
    }

    pub fn get(&self, key: &Value) -> &Value {
        self.cells.get(key).unwrap_or(&self.default)
    }

    pub fn set(&mut self, key: Value, value: Value) {
        if value == self.default {
            self.cells.remove(&key);
        } else {
            self.cells.insert(key, value);
        }
    }

    fn is_same_function(&self, other: &Row, keys: Scalar) -> bool {
        if self.default == other.default {
            return self.cells == other.cells;
        }
        // Where keys are so few that every cell is written, defaults mean nothing.
        let written: BTreeSet<&Value> = self.cells.keys().chain(other.cells.keys()).collect();
        number_of(keys) == Some(written.len()) && written.iter().all(|key| self.get(key) == other.get(key))
    }

    fn map(&self, f: &dyn Fn(&Value) -> Value) -> Row {
        let mut mapped = Row::filled(f(&self.default));
        self.cells.iter().for_each(|(key, cell)| mapped.set(f(key), f(cell)));
        mapped
    }
}

/// A total function of one key or two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    sort: ArraySort,
    /// With one key the function itself; with two what first keys lead to that `rows` does not have.
    row: Row,
    rows: BTreeMap<Value, Row>,
}

impl ArrayValue {
    pub fn filled(sort: ArraySort, default: Value) -> ArrayValue {
        ArrayValue::of_rows(sort, Row::filled(default), [])
    }

    /// With one key, the first row is the function. With two, the row of first keys without a row of their own.
    pub fn of_rows(sort: ArraySort, row: Row, rows: impl IntoIterator<Item = (Value, Row)>) -> ArrayValue {
        // The last of equal keys counts, be it the row of all others.
        let mut rows: BTreeMap<Value, Row> = rows.into_iter().collect();
        rows.retain(|_, other| *other != row);
        ArrayValue { sort, row, rows }
    }

    pub fn sort(&self) -> ArraySort {
        self.sort
    }

    pub fn row(&self) -> &Row {
        &self.row
    }

    pub fn rows(&self) -> &BTreeMap<Value, Row> {
        &self.rows
    }

    pub fn get(&self, key: &Key) -> &Value {
        match &key.1 {
            None => self.row.get(&key.0),
            Some(second) => self.rows.get(&key.0).unwrap_or(&self.row).get(second),
        }
    }

    pub fn set(&mut self, key: Key, value: Value) {
        let Some(second) = key.1 else { return self.row.set(key.0, value) };
        let mut row = self.rows.remove(&key.0).unwrap_or_else(|| self.row.clone());
        row.set(second, value);
        if row != self.row {
            self.rows.insert(key.0, row);
        }
    }

    /// Whether both are the same function.
    pub fn is_same_function(&self, other: &ArrayValue) -> bool {
        let Some(second) = self.sort.second else { return self.row.is_same_function(&other.row, self.sort.first) };
        let named: BTreeSet<&Value> = self.rows.keys().chain(other.rows.keys()).collect();
        let row = |array: &ArrayValue, key: &Value| array.rows.get(key).unwrap_or(&array.row).clone();
        let same_rows = named.iter().all(|key| row(self, key).is_same_function(&row(other, key), second));
        let others = self.row.is_same_function(&other.row, second) || number_of(self.sort.first) == Some(named.len());
        same_rows && others
    }

    /// The same function of renamed keys and cells; the renaming must tell apart what is apart.
    #[must_use]
    pub(crate) fn map(&self, f: &dyn Fn(&Value) -> Value) -> ArrayValue {
        let rows = self.rows.iter().map(|(key, row)| (f(key), row.map(f)));
        ArrayValue::of_rows(self.sort, self.row.map(f), rows)
    }

    /// Calls `see` with all keys and cells.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(&Value)) {
        self.rows.keys().for_each(&mut *see);
        for row in self.rows.values().chain([&self.row]) {
            see(&row.default);
            for (key, cell) in &row.cells {
                see(key);
                see(cell);
            }
        }
    }
}

/// How many values there are, where they are few.
fn number_of(scalar: Scalar) -> Option<usize> {
    match scalar {
        Scalar::Bool => Some(2),
        Scalar::Bv(width) if width <= 16 => Some(1 << width),
        _ => None,
    }
}

impl Value {
    /// The bits are cut to the width.
    pub fn bits(width: u8, bits: u64) -> Value {
        Value::Bv { width, bits: bits & mask(width) }
    }

    pub fn i32(value: i32) -> Value {
        Value::bits(32, u64::from(value.cast_unsigned()))
    }

    pub fn i64(value: i64) -> Value {
        Value::bits(64, value.cast_unsigned())
    }

    /// All NaNs are one.
    pub fn f32(value: f32) -> Value {
        Value::F32(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
    }

    pub fn f64(value: f64) -> Value {
        Value::F64(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
    }

    pub fn string(text: &str) -> Value {
        Value::Str(text.encode_utf16().collect())
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv { width, .. } => Sort::Bv(*width),
            Value::F32(_) => Sort::F32,
            Value::F64(_) => Sort::F64,
            Value::Ref(_) => Sort::Ref,
            Value::Str(_) => Sort::Str,
            Value::Array(array) => Sort::Array(array.sort),
        }
    }

    /// What a variable is that nobody said anything about: zero, false, null, the empty string, the same in every cell.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(width) => Value::Bv { width, bits: 0 },
            Sort::F32 => Value::F32(0),
            Sort::F64 => Value::F64(0),
            Sort::Ref => Value::Ref(Reference::NULL),
            Sort::Str => Value::Str(Arc::from([])),
            Sort::Array(array) => {
                Value::Array(Arc::new(ArrayValue::filled(array, Value::default_of(array.element.into()))))
            }
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The bits of a bit-vector, unsigned.
    pub fn as_unsigned(&self) -> Option<u64> {
        if let Value::Bv { bits, .. } = self { Some(*bits) } else { None }
    }

    /// A bit-vector as a signed number.
    pub fn as_signed(&self) -> Option<i64> {
        if let Value::Bv { width, bits } = self { Some(signed(*width, *bits)) } else { None }
    }

    pub fn as_ref(&self) -> Option<Reference> {
        if let Value::Ref(reference) = self { Some(*reference) } else { None }
    }

    pub fn as_units(&self) -> Option<&[u16]> {
        if let Value::Str(units) = self { Some(units) } else { None }
    }

    /// Whether they are equal as terms are: arrays as functions.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => a.is_same_function(b),
            (a, b) => a == b,
        }
    }
}

/// All bits of a width.
pub(crate) fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

pub(crate) fn signed(width: u8, bits: u64) -> i64 {
    let unused = 64 - u32::from(width);
    (bits << unused).cast_signed() >> unused
}

/// The least signed number of a width, as bits.
pub(crate) fn sign_bit(width: u8) -> u64 {
    1 << (width - 1)
}
