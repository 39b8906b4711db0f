//! Sorts: what kind of value a term stands for.

use std::fmt;

/// The sort of a term.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Bit-vectors of 1 to 64 bits.
    Bv(u8),
    F32,
    F64,
    /// Objects by identity, with null.
    Ref,
    /// Sequences of 16-bit units, as Java has them; surrogates need not be paired.
    Str,
    Array(ArraySort),
}

/// What arrays are made of: everything but arrays. Two keys stand for the pair of an object and a place in it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    Bv(u8),
    F32,
    F64,
    Ref,
    Str,
}

/// Total functions from one or two keys: a field of all objects, the elements of all arrays of a kind.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySort {
    pub first: Scalar,
    pub second: Option<Scalar>,
    pub element: Scalar,
}

/// The two IEEE formats of the JVM.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatSort {
    F32,
    F64,
}

impl FloatSort {
    pub fn width(self) -> u8 {
        match self {
            FloatSort::F32 => 32,
            FloatSort::F64 => 64,
        }
    }

    pub fn of_width(width: u8) -> Option<FloatSort> {
        match width {
            32 => Some(FloatSort::F32),
            64 => Some(FloatSort::F64),
            _ => None,
        }
    }
}

impl Sort {
    /// An array from one key.
    pub fn array(key: Scalar, element: Scalar) -> Sort {
        Sort::Array(ArraySort { first: key, second: None, element })
    }

    /// An array from two keys.
    pub fn array2(first: Scalar, second: Scalar, element: Scalar) -> Sort {
        Sort::Array(ArraySort { first, second: Some(second), element })
    }

    /// The width of a bit-vector.
    pub fn width(self) -> Option<u8> {
        if let Sort::Bv(width) = self { Some(width) } else { None }
    }

    pub fn float(self) -> Option<FloatSort> {
        match self {
            Sort::F32 => Some(FloatSort::F32),
            Sort::F64 => Some(FloatSort::F64),
            _ => None,
        }
    }

    /// The sort without arrays.
    pub fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Sort::Bool => Scalar::Bool,
            Sort::Bv(width) => Scalar::Bv(width),
            Sort::F32 => Scalar::F32,
            Sort::F64 => Scalar::F64,
            Sort::Ref => Scalar::Ref,
            Sort::Str => Scalar::Str,
            Sort::Array(_) => return None,
        })
    }
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Bv(width) => Sort::Bv(width),
            Scalar::F32 => Sort::F32,
            Scalar::F64 => Sort::F64,
            Scalar::Ref => Sort::Ref,
            Scalar::Str => Sort::Str,
        }
    }
}

impl From<FloatSort> for Sort {
    fn from(float: FloatSort) -> Sort {
        match float {
            FloatSort::F32 => Sort::F32,
            FloatSort::F64 => Sort::F64,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Bv(width) => write!(f, "bv{width}"),
            Sort::F32 => f.write_str("float"),
            Sort::F64 => f.write_str("double"),
            Sort::Ref => f.write_str("ref"),
            Sort::Str => f.write_str("string"),
            Sort::Array(array) => {
                write!(f, "[{}", Sort::from(array.first))?;
                if let Some(second) = array.second {
                    write!(f, ", {}", Sort::from(second))?;
                }
                write!(f, " -> {}]", Sort::from(array.element))
            }
        }
    }
}
