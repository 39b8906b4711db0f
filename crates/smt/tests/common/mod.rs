//! Random terms and models for the tests of this crate.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod reader;

use smt::{
    ArraySort, ArrayValue, BitBinary, BitCompare, BitUnary, ClassId, ClassSet, FloatBinary, FloatCompare, FloatSort,
    FloatUnary, Index, Key, Model, Node, Reference, Scalar, SolverProgram, Sort, Term, Terms, Value, Var,
};
use std::sync::Arc;

/// Z3 as the tool finds it.
pub(crate) fn z3() -> SolverProgram {
    let cache = smt::solver::cache_directory().expect("a cache directory");
    match smt::solver::find_z3(&cache) {
        Ok(found) => found.program,
        Err(missing) => panic!("{missing}; `cargo xtask solver` installs one"),
    }
}

/// A small generator whose sequence never changes (splitmix64).
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    pub(crate) fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    /// Small numbers, ends of ranges and anything.
    pub(crate) fn bits(&mut self, width: u8) -> u64 {
        let all = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let value = match self.below(6) {
            0 => 0,
            1 => all,
            2 => 1 << (width - 1),
            3 => (1 << (width - 1)) - 1,
            4 => self.below(5).wrapping_sub(2),
            _ => self.next(),
        };
        value & all
    }

    pub(crate) fn double(&mut self) -> f64 {
        let odd = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            2.5,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            2147483647.0,
            2147483648.0,
            -2147483648.0,
            -2147483649.0,
            9.223372036854776e18,
            1e300,
            0.1,
            -9.223372036854776e18,
            16777217.0,
        ];
        match self.below(4) {
            0 => f64::from_bits(self.next()),
            1 => (self.next() as i64 >> self.below(64)) as f64,
            _ => self.pick(&odd),
        }
    }

    pub(crate) fn float(&mut self) -> f32 {
        match self.below(3) {
            0 => f32::from_bits(self.next() as u32),
            _ => self.double() as f32,
        }
    }

    /// Texts with few letters, so that operations find something; numbers; odd units.
    pub(crate) fn units(&mut self) -> Vec<u16> {
        let length = self.below(7) as usize;
        let letters: &[u16] = match self.below(4) {
            0 => &[0x2D, 0x2B, 0x30, 0x31, 0x39, 0x32],
            1 => &[0xD83D, 0xDE00, 0x61, 0x0, 0xFFFF, 0x0661, 0xFF15],
            _ => &[0x61, 0x62],
        };
        if self.chance(6) {
            let number = (self.next() as i64) >> self.below(63);
            return number.to_string().encode_utf16().collect();
        }
        (0..length).map(|_| self.pick(letters)).collect()
    }
}

/// Which terms are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds {
    pub(crate) floats: bool,
    pub(crate) strings: bool,
    pub(crate) decimals: bool,
    pub(crate) arrays: bool,
}

pub(crate) const ALL: Kinds = Kinds { floats: true, strings: true, decimals: true, arrays: true };

pub(crate) const FIELD: ArraySort = ArraySort { first: Scalar::Ref, second: None, element: Scalar::Bv(32) };
pub(crate) const ELEMENTS: ArraySort =
    ArraySort { first: Scalar::Ref, second: Some(Scalar::Bv(32)), element: Scalar::Bv(8) };
pub(crate) const CONTENT: ArraySort = ArraySort { first: Scalar::Ref, second: None, element: Scalar::Str };

pub(crate) struct Generator<'t> {
    pub(crate) terms: &'t Terms,
    pub(crate) random: Random,
    pub(crate) kinds: Kinds,
    objects: Vec<Term>,
}

const VARS: u64 = 3;

impl<'t> Generator<'t> {
    pub(crate) fn new(terms: &'t Terms, seed: u64, kinds: Kinds) -> Generator<'t> {
        let objects = (0..3).map(|class| terms.allocate(ClassId(class))).collect();
        Generator { terms, random: Random(seed), kinds, objects }
    }

    /// A term of the sort, exactly as drawn.
    pub(crate) fn term(&mut self, sort: Sort, depth: usize) -> Term {
        if depth == 0 || self.random.chance(5) {
            return self.leaf(sort);
        }
        let node = match sort {
            Sort::Bool => self.condition(depth - 1),
            Sort::Bv(width) => self.bits(width, depth - 1),
            Sort::F32 | Sort::F64 => self.float(sort, depth - 1),
            Sort::Ref => self.reference(depth - 1),
            Sort::Str => self.text(depth - 1),
            Sort::Array(array) => self.array(array, depth - 1),
        };
        self.terms.raw(node)
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        if matches!(sort, Sort::Array(_)) || self.random.chance(2) {
            let name = format!("{sort}{}", self.random.below(VARS));
            return self.terms.var(&name, sort);
        }
        match sort {
            Sort::Ref if self.random.chance(2) => self.terms.null(),
            Sort::Ref => self.random.pick(&self.objects),
            sort => {
                let value = value(&mut self.random, sort);
                self.terms.value(&value)
            }
        }
    }

    fn ite(&mut self, sort: Sort, depth: usize) -> Node {
        let condition = self.term(Sort::Bool, depth);
        Node::Ite(condition, self.term(sort, depth), self.term(sort, depth))
    }

    fn condition(&mut self, depth: usize) -> Node {
        let kinds = self.kinds;
        loop {
            return match self.random.below(16) {
                0 => Node::Not(self.term(Sort::Bool, depth)),
                1 => Node::And((0..3).map(|_| self.term(Sort::Bool, depth)).collect()),
                2 => Node::Or((0..3).map(|_| self.term(Sort::Bool, depth)).collect()),
                3 => self.ite(Sort::Bool, depth),
                4..=6 => {
                    let op = self.random.pick(&[BitCompare::Ult, BitCompare::Ule, BitCompare::Slt, BitCompare::Sle]);
                    let sort = Sort::Bv(self.random.pick(&[8, 32]));
                    Node::BitCompare(op, self.term(sort, depth), self.term(sort, depth))
                }
                7..=9 => {
                    let mut sorts = vec![Sort::Bool, Sort::Bv(8), Sort::Bv(32), Sort::Ref];
                    if kinds.floats {
                        sorts.push(Sort::F64);
                    }
                    if kinds.strings {
                        sorts.push(Sort::Str);
                    }
                    if kinds.arrays {
                        sorts.push(Sort::Array(FIELD));
                    }
                    let sort = self.random.pick(&sorts);
                    Node::Eq(self.term(sort, depth), self.term(sort, depth))
                }
                10 => {
                    let set = self.class_set();
                    Node::ClassIn(self.term(Sort::Ref, depth), self.terms.class_set(&set))
                }
                11 => Node::IsAllocated(self.term(Sort::Ref, depth)),
                12 if kinds.floats => {
                    let op = self.random.pick(&[FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le]);
                    let sort = self.random.pick(&[Sort::F32, Sort::F64]);
                    Node::FloatCompare(op, self.term(sort, depth), self.term(sort, depth))
                }
                13 if kinds.floats => Node::IsNan(self.term(Sort::F64, depth)),
                14 if kinds.strings => {
                    let (a, b) = (self.term(Sort::Str, depth), self.term(Sort::Str, depth));
                    self.random.pick(&[Node::StartsWith(a, b), Node::EndsWith(a, b), Node::Contains(a, b)])
                }
                15 if kinds.decimals => {
                    Node::IsDecimal { width: self.random.pick(&[32, 64]), of: self.term(Sort::Str, depth) }
                }
                _ => continue,
            };
        }
    }

    fn class_set(&mut self) -> ClassSet {
        let set = ClassSet::of((0..4).filter(|_| self.random.chance(2)).map(ClassId).collect::<Vec<_>>());
        if self.random.chance(3) { set.complement() } else { set }
    }

    fn bits(&mut self, width: u8, depth: usize) -> Node {
        use BitBinary::*;
        const OPS: [BitBinary; 13] = [Add, Sub, Mul, SDiv, SRem, UDiv, URem, And, Or, Xor, Shl, LShr, AShr];
        let sort = Sort::Bv(width);
        loop {
            return match self.random.below(14) {
                0 => self.ite(sort, depth),
                1 => {
                    let op = self.random.pick(&[BitUnary::Not, BitUnary::Neg]);
                    Node::BitUnary(op, self.term(sort, depth))
                }
                2..=5 => Node::BitBinary(self.random.pick(&OPS), self.term(sort, depth), self.term(sort, depth)),
                6 if width < 64 => {
                    let low = self.random.below(u64::from(64 - width)) as u8;
                    Node::Extract { high: low + width - 1, low, of: self.term(Sort::Bv(64), depth) }
                }
                7 if width > 8 => {
                    let signed = self.random.chance(2);
                    Node::Extend { signed, width, of: self.term(Sort::Bv(8), depth) }
                }
                8 if width > 8 => Node::Join(self.term(Sort::Bv(width - 8), depth), self.term(Sort::Bv(8), depth)),
                9 if self.kinds.floats && width >= 32 => {
                    let of = self.random.pick(&[Sort::F32, Sort::F64]);
                    Node::SignedOfFloat { width, of: self.term(of, depth) }
                }
                10 if self.kinds.floats && matches!(width, 32 | 64) => {
                    let of = if width == 32 { Sort::F32 } else { Sort::F64 };
                    Node::BitsOfFloat(self.term(of, depth))
                }
                11 if self.kinds.arrays && width == 32 => {
                    let array = self.term(Sort::Array(FIELD), depth);
                    Node::Select(array, Index(self.term(Sort::Ref, depth), None))
                }
                11 if self.kinds.arrays && width == 8 => {
                    let array = self.term(Sort::Array(ELEMENTS), depth);
                    let first = self.term(Sort::Ref, depth);
                    Node::Select(array, Index(first, Some(self.term(Sort::Bv(32), depth))))
                }
                12 if self.kinds.strings && width == 32 => {
                    let a = self.term(Sort::Str, depth);
                    if self.random.chance(2) {
                        Node::Length(a)
                    } else {
                        Node::IndexOf(a, self.term(Sort::Str, depth), self.term(Sort::Bv(32), depth))
                    }
                }
                12 if self.kinds.strings && width == 16 => {
                    Node::UnitAt(self.term(Sort::Str, depth), self.term(Sort::Bv(32), depth))
                }
                13 if self.kinds.decimals && matches!(width, 32 | 64) => {
                    Node::OfDecimal { width, of: self.term(Sort::Str, depth) }
                }
                _ => continue,
            };
        }
    }

    fn float(&mut self, sort: Sort, depth: usize) -> Node {
        use FloatUnary::*;
        let to = if sort == Sort::F32 { FloatSort::F32 } else { FloatSort::F64 };
        match self.random.below(8) {
            0 => self.ite(sort, depth),
            1 | 2 => {
                let op = self.random.pick(&[Neg, Abs, Sqrt, Floor, Ceil, Rint]);
                Node::FloatUnary(op, self.term(sort, depth))
            }
            3 | 4 => {
                use FloatBinary::*;
                let op = self.random.pick(&[Add, Sub, Mul, Div, Rem]);
                Node::FloatBinary(op, self.term(sort, depth), self.term(sort, depth))
            }
            5 => Node::FloatOfSigned { to, of: self.term(Sort::Bv(32), depth) },
            6 => {
                let other = if sort == Sort::F32 { Sort::F64 } else { Sort::F32 };
                Node::FloatOfFloat { to, of: self.term(other, depth) }
            }
            _ => Node::FloatOfBits(self.term(Sort::Bv(to.width()), depth)),
        }
    }

    fn reference(&mut self, depth: usize) -> Node {
        self.ite(Sort::Ref, depth)
    }

    fn text(&mut self, depth: usize) -> Node {
        let index = Sort::Bv(32);
        loop {
            return match self.random.below(6) {
                0 => self.ite(Sort::Str, depth),
                1 => Node::Concat(self.term(Sort::Str, depth), self.term(Sort::Str, depth)),
                2 => Node::Substring(self.term(Sort::Str, depth), self.term(index, depth), self.term(index, depth)),
                3 => Node::Unit(self.term(Sort::Bv(16), depth)),
                4 if self.kinds.decimals => Node::Decimal(self.term(index, depth)),
                5 if self.kinds.arrays => {
                    let array = self.term(Sort::Array(CONTENT), depth);
                    Node::Select(array, Index(self.term(Sort::Ref, depth), None))
                }
                _ => continue,
            };
        }
    }

    fn array(&mut self, sort: ArraySort, depth: usize) -> Node {
        match self.random.below(4) {
            0 => self.ite(Sort::Array(sort), depth),
            1 => Node::Filled(sort, self.term(sort.element.into(), depth)),
            _ => {
                let array = self.term(Sort::Array(sort), depth);
                let first = self.term(sort.first.into(), depth);
                let second = sort.second.map(|second| self.term(second.into(), depth));
                Node::Store(array, Index(first, second), self.term(sort.element.into(), depth))
            }
        }
    }

    /// Values for all variables in the terms.
    pub(crate) fn model(&mut self, roots: &[Term]) -> Model {
        let mut model = Model::new();
        for var in self.terms.free_vars(roots) {
            let value = self.var_value(var);
            model.set(var, value);
        }
        for object in 1..4 {
            model.set_class(Reference::input(object), ClassId(self.random.below(5) as u32));
        }
        model
    }

    fn var_value(&mut self, var: Var) -> Value {
        value(&mut self.random, self.terms.var_sort(var))
    }
}

pub(crate) fn value(random: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.chance(2)),
        Sort::Bv(width) => Value::bits(width, random.bits(width)),
        Sort::F32 => Value::f32(random.float()),
        Sort::F64 => Value::f64(random.double()),
        Sort::Ref if random.chance(3) => Value::Ref(Reference::NULL),
        Sort::Ref => Value::Ref(Reference::input(1 + random.below(3) as u32)),
        Sort::Str => Value::Str(random.units().into()),
        Sort::Array(array) => {
            let element = array.element.into();
            let mut all = ArrayValue::filled(array, value(random, element));
            for _ in 0..random.below(4) {
                let first = value(random, array.first.into());
                let second = array.second.map(|second| value(random, second.into()));
                all.set(Key(first, second), value(random, element));
            }
            Value::Array(Arc::new(all))
        }
    }
}
