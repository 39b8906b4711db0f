//! Operations against a real JVM: arithmetic, shifts, conversions, comparisons of floats, strings. Each input is evaluated
//! three ways: as a term over variables in a model, simplified, and by constructors on constants.
//!
//! `REENACT_SMT_INPUTS` is the number of inputs per operation.

mod common;

use common::Random;
use smt::{
    BitBinary, BitCompare, BitUnary, Evaluation, FloatBinary, FloatCompare, FloatSort, FloatUnary, Model, Node, Sort,
    Term, Terms, Value,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const INPUTS: usize = 300;

type Build = fn(&Terms, &[Term]) -> Term;

struct Operation {
    name: &'static str,
    operands: &'static [Sort],
    build: Build,
    /// Where the JVM throws instead, as whoever translates Java guards it.
    throws: Option<Build>,
}

const I: Sort = Sort::Bv(32);
const L: Sort = Sort::Bv(64);
const F: Sort = Sort::F32;
const D: Sort = Sort::F64;
const S: Sort = Sort::Str;

fn op(name: &'static str, operands: &'static [Sort], build: Build) -> Operation {
    Operation { name, operands, build, throws: None }
}

fn guarded(name: &'static str, operands: &'static [Sort], build: Build, throws: Build) -> Operation {
    Operation { name, operands, build, throws: Some(throws) }
}

fn bit(t: &Terms, op: BitBinary, x: &[Term]) -> Term {
    t.raw(Node::BitBinary(op, x[0], x[1]))
}

/// Java looks at the lower bits of a shift's distance only.
fn shift(t: &Terms, op: BitBinary, x: &[Term]) -> Term {
    let width = t.sort(x[0]).width().expect("a bit-vector");
    let distance = t.raw(Node::BitBinary(BitBinary::And, x[1], t.bits(width, u64::from(width) - 1)));
    t.raw(Node::BitBinary(op, x[0], distance))
}

fn by_zero(t: &Terms, x: &[Term]) -> Term {
    let width = t.sort(x[1]).width().expect("a bit-vector");
    t.raw(Node::Eq(x[1], t.bits(width, 0)))
}

fn narrow(t: &Terms, x: Term, width: u8, signed: bool) -> Term {
    let low = t.raw(Node::Extract { high: width - 1, low: 0, of: x });
    t.raw(Node::Extend { signed, width: 32, of: low })
}

fn three_way(t: &Terms, x: &[Term], on_nan: i32) -> Term {
    let less = t.raw(Node::FloatCompare(FloatCompare::Lt, x[0], x[1]));
    let more = t.raw(Node::FloatCompare(FloatCompare::Lt, x[1], x[0]));
    let equal = t.raw(Node::FloatCompare(FloatCompare::Eq, x[0], x[1]));
    let rest = t.raw(Node::Ite(more, t.i32(1), t.i32(on_nan)));
    let rest = t.raw(Node::Ite(equal, t.i32(0), rest));
    t.raw(Node::Ite(less, t.i32(-1), rest))
}

fn float(t: &Terms, op: FloatBinary, x: &[Term]) -> Term {
    t.raw(Node::FloatBinary(op, x[0], x[1]))
}

fn compare(t: &Terms, op: FloatCompare, x: &[Term]) -> Term {
    t.raw(Node::FloatCompare(op, x[0], x[1]))
}

fn is_outside(t: &Terms, x: &[Term]) -> Term {
    t.not(t.ult(x[1], t.length(x[0])))
}

fn is_no_range(t: &Terms, x: &[Term]) -> Term {
    t.not(t.and([t.ule(x[1], x[2]), t.ule(x[2], t.length(x[0]))]))
}

fn integers() -> Vec<Operation> {
    use BitBinary::*;
    vec![
        op("iadd", &[I, I], |t, x| bit(t, Add, x)),
        op("isub", &[I, I], |t, x| bit(t, Sub, x)),
        op("imul", &[I, I], |t, x| bit(t, Mul, x)),
        guarded("idiv", &[I, I], |t, x| bit(t, SDiv, x), by_zero),
        guarded("irem", &[I, I], |t, x| bit(t, SRem, x), by_zero),
        op("iand", &[I, I], |t, x| bit(t, And, x)),
        op("ior", &[I, I], |t, x| bit(t, Or, x)),
        op("ixor", &[I, I], |t, x| bit(t, Xor, x)),
        op("ishl", &[I, I], |t, x| shift(t, Shl, x)),
        op("ishr", &[I, I], |t, x| shift(t, AShr, x)),
        op("iushr", &[I, I], |t, x| shift(t, LShr, x)),
        op("ineg", &[I], |t, x| t.raw(Node::BitUnary(BitUnary::Neg, x[0]))),
        op("ilt", &[I, I], |t, x| t.raw(Node::BitCompare(BitCompare::Slt, x[0], x[1]))),
        op("ile", &[I, I], |t, x| t.raw(Node::BitCompare(BitCompare::Sle, x[0], x[1]))),
        op("iult", &[I, I], |t, x| t.raw(Node::BitCompare(BitCompare::Ult, x[0], x[1]))),
        guarded("iudiv", &[I, I], |t, x| bit(t, UDiv, x), by_zero),
        guarded("iurem", &[I, I], |t, x| bit(t, URem, x), by_zero),
        op("i2b", &[I], |t, x| narrow(t, x[0], 8, true)),
        op("i2s", &[I], |t, x| narrow(t, x[0], 16, true)),
        op("i2c", &[I], |t, x| narrow(t, x[0], 16, false)),
        op("i2l", &[I], |t, x| t.raw(Node::Extend { signed: true, width: 64, of: x[0] })),
        op("i2f", &[I], |t, x| t.raw(Node::FloatOfSigned { to: FloatSort::F32, of: x[0] })),
        op("i2d", &[I], |t, x| t.raw(Node::FloatOfSigned { to: FloatSort::F64, of: x[0] })),
        op("ibits", &[I], |t, x| t.raw(Node::BitsOfFloat(t.raw(Node::FloatOfBits(x[0]))))),
        op("ladd", &[L, L], |t, x| bit(t, Add, x)),
        op("lsub", &[L, L], |t, x| bit(t, Sub, x)),
        op("lmul", &[L, L], |t, x| bit(t, Mul, x)),
        guarded("ldiv", &[L, L], |t, x| bit(t, SDiv, x), by_zero),
        guarded("lrem", &[L, L], |t, x| bit(t, SRem, x), by_zero),
        op("land", &[L, L], |t, x| bit(t, And, x)),
        op("lor", &[L, L], |t, x| bit(t, Or, x)),
        op("lxor", &[L, L], |t, x| bit(t, Xor, x)),
        op("lshl", &[L, L], |t, x| shift(t, Shl, x)),
        op("lshr", &[L, L], |t, x| shift(t, AShr, x)),
        op("lushr", &[L, L], |t, x| shift(t, LShr, x)),
        op("lneg", &[L], |t, x| t.raw(Node::BitUnary(BitUnary::Neg, x[0]))),
        op("llt", &[L, L], |t, x| t.raw(Node::BitCompare(BitCompare::Slt, x[0], x[1]))),
        op("lcmp", &[L, L], |t, x| {
            let less = t.raw(Node::BitCompare(BitCompare::Slt, x[0], x[1]));
            let rest = t.raw(Node::Ite(t.raw(Node::Eq(x[0], x[1])), t.i32(0), t.i32(1)));
            t.raw(Node::Ite(less, t.i32(-1), rest))
        }),
        op("l2i", &[L], |t, x| t.raw(Node::Extract { high: 31, low: 0, of: x[0] })),
        op("l2f", &[L], |t, x| t.raw(Node::FloatOfSigned { to: FloatSort::F32, of: x[0] })),
        op("l2d", &[L], |t, x| t.raw(Node::FloatOfSigned { to: FloatSort::F64, of: x[0] })),
    ]
}

fn floats() -> Vec<Operation> {
    use FloatBinary::*;
    vec![
        op("fadd", &[F, F], |t, x| float(t, Add, x)),
        op("fsub", &[F, F], |t, x| float(t, Sub, x)),
        op("fmul", &[F, F], |t, x| float(t, Mul, x)),
        op("fdiv", &[F, F], |t, x| float(t, Div, x)),
        op("frem", &[F, F], |t, x| float(t, Rem, x)),
        op("fneg", &[F], |t, x| t.raw(Node::FloatUnary(FloatUnary::Neg, x[0]))),
        op("fabs", &[F], |t, x| t.raw(Node::FloatUnary(FloatUnary::Abs, x[0]))),
        op("feq", &[F, F], |t, x| compare(t, FloatCompare::Eq, x)),
        op("flt", &[F, F], |t, x| compare(t, FloatCompare::Lt, x)),
        op("fle", &[F, F], |t, x| compare(t, FloatCompare::Le, x)),
        op("fsame", &[F, F], |t, x| t.raw(Node::Eq(x[0], x[1]))),
        op("fcmpl", &[F, F], |t, x| three_way(t, x, -1)),
        op("fcmpg", &[F, F], |t, x| three_way(t, x, 1)),
        op("fnan", &[F], |t, x| t.raw(Node::IsNan(x[0]))),
        op("f2i", &[F], |t, x| t.raw(Node::SignedOfFloat { width: 32, of: x[0] })),
        op("f2l", &[F], |t, x| t.raw(Node::SignedOfFloat { width: 64, of: x[0] })),
        op("f2d", &[F], |t, x| t.raw(Node::FloatOfFloat { to: FloatSort::F64, of: x[0] })),
        op("dadd", &[D, D], |t, x| float(t, Add, x)),
        op("dsub", &[D, D], |t, x| float(t, Sub, x)),
        op("dmul", &[D, D], |t, x| float(t, Mul, x)),
        op("ddiv", &[D, D], |t, x| float(t, Div, x)),
        op("drem", &[D, D], |t, x| float(t, Rem, x)),
        op("dneg", &[D], |t, x| t.raw(Node::FloatUnary(FloatUnary::Neg, x[0]))),
        op("dabs", &[D], |t, x| t.raw(Node::FloatUnary(FloatUnary::Abs, x[0]))),
        op("dsqrt", &[D], |t, x| t.raw(Node::FloatUnary(FloatUnary::Sqrt, x[0]))),
        op("dfloor", &[D], |t, x| t.raw(Node::FloatUnary(FloatUnary::Floor, x[0]))),
        op("dceil", &[D], |t, x| t.raw(Node::FloatUnary(FloatUnary::Ceil, x[0]))),
        op("drint", &[D], |t, x| t.raw(Node::FloatUnary(FloatUnary::Rint, x[0]))),
        op("deq", &[D, D], |t, x| compare(t, FloatCompare::Eq, x)),
        op("dlt", &[D, D], |t, x| compare(t, FloatCompare::Lt, x)),
        op("dle", &[D, D], |t, x| compare(t, FloatCompare::Le, x)),
        op("dcmpl", &[D, D], |t, x| three_way(t, x, -1)),
        op("dcmpg", &[D, D], |t, x| three_way(t, x, 1)),
        op("dnan", &[D], |t, x| t.raw(Node::IsNan(x[0]))),
        op("d2i", &[D], |t, x| t.raw(Node::SignedOfFloat { width: 32, of: x[0] })),
        op("d2l", &[D], |t, x| t.raw(Node::SignedOfFloat { width: 64, of: x[0] })),
        op("d2f", &[D], |t, x| t.raw(Node::FloatOfFloat { to: FloatSort::F32, of: x[0] })),
    ]
}

fn strings() -> Vec<Operation> {
    vec![
        op("slength", &[S], |t, x| t.raw(Node::Length(x[0]))),
        guarded("scharAt", &[S, I], |t, x| t.raw(Node::UnitAt(x[0], x[1])), is_outside),
        op("sconcat", &[S, S], |t, x| t.raw(Node::Concat(x[0], x[1]))),
        guarded("ssubstring", &[S, I, I], |t, x| t.raw(Node::Substring(x[0], x[1], x[2])), is_no_range),
        op("sindexOf", &[S, S, I], |t, x| t.raw(Node::IndexOf(x[0], x[1], x[2]))),
        op("sstartsWith", &[S, S], |t, x| t.raw(Node::StartsWith(x[0], x[1]))),
        op("sendsWith", &[S, S], |t, x| t.raw(Node::EndsWith(x[0], x[1]))),
        op("scontains", &[S, S], |t, x| t.raw(Node::Contains(x[0], x[1]))),
        op("sequals", &[S, S], |t, x| t.raw(Node::Eq(x[0], x[1]))),
        op("sofint", &[I], |t, x| t.raw(Node::Decimal(x[0]))),
        op("soflong", &[L], |t, x| t.raw(Node::Decimal(x[0]))),
        op("schar", &[Sort::Bv(16)], |t, x| t.raw(Node::Unit(x[0]))),
        guarded(
            "sparseInt",
            &[S],
            |t, x| t.raw(Node::OfDecimal { width: 32, of: x[0] }),
            |t, x| t.not(t.raw(Node::IsDecimal { width: 32, of: x[0] })),
        ),
        guarded(
            "sparseLong",
            &[S],
            |t, x| t.raw(Node::OfDecimal { width: 64, of: x[0] }),
            |t, x| t.not(t.raw(Node::IsDecimal { width: 64, of: x[0] })),
        ),
    ]
}

/// As the oracle reads and prints values.
fn word(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Bv { width: 16, bits } => bits.to_string(),
        Value::Bv { .. } => value.as_signed().expect("a bit-vector").to_string(),
        Value::F32(bits) => bits.cast_signed().to_string(),
        Value::F64(bits) => bits.cast_signed().to_string(),
        Value::Str(units) => units.iter().fold(String::from("s"), |word, unit| format!("{word}{unit:04x}")),
        other => panic!("{other} is nothing that the oracle knows"),
    }
}

fn input(random: &mut Random, operation: &str, sort: Sort) -> Value {
    match sort {
        // Places in a short string, mostly.
        Sort::Bv(32) if operation.starts_with("ss") || operation.starts_with("sc") || operation == "sindexOf" => {
            if random.chance(6) {
                common::value(random, sort)
            } else {
                Value::i32(random.below(9) as i32 - 1)
            }
        }
        _ => common::value(random, sort),
    }
}

/// What the term is, over variables, simplified, and built from constants.
fn ways(operation: &Operation, build: Build, values: &[Value]) -> [Value; 3] {
    let terms = Terms::new();
    let mut model = Model::new();
    let operands: Vec<Term> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let name = format!("x{at}");
            let term = terms.var(&name, operation.operands[at]);
            model.set(terms.var_named(&name).expect("just made"), value.clone());
            term
        })
        .collect();
    let term = build(&terms, &operands);
    let simple = terms.simplify(term);
    let constants: Vec<Term> = values.iter().map(|value| terms.value(value)).collect();
    let constant = terms.simplify(build(&terms, &constants));
    let mut evaluation = Evaluation::new(model);
    [term, simple, constant].map(|term| evaluation.value(&terms, term))
}

#[test]
fn every_operation_is_the_jvms() {
    let inputs = std::env::var("REENACT_SMT_INPUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(INPUTS);
    let operations: Vec<Operation> = integers().into_iter().chain(floats()).chain(strings()).collect();
    let mut random = Random(0x5EED);
    let mut calls: Vec<(&Operation, Vec<Value>)> = Vec::new();
    for operation in &operations {
        for _ in 0..inputs {
            let values = operation.operands.iter().map(|sort| input(&mut random, operation.name, *sort));
            calls.push((operation, values.collect()));
        }
    }
    let lines: Vec<String> = calls
        .iter()
        .map(|(operation, values)| {
            [operation.name.to_owned()].into_iter().chain(values.iter().map(word)).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let theirs = oracle(&lines);
    assert_eq!(theirs.len(), lines.len());
    let (mut compared, mut threw) = (0, 0);
    for (((operation, values), line), theirs) in calls.iter().zip(&lines).zip(&theirs) {
        let throws = operation.throws.map_or(Value::Bool(false), |throws| {
            let ways = ways(operation, throws, values);
            assert!(ways.iter().all(|way| *way == ways[0]), "{line}: {ways:?}");
            ways[0].clone()
        });
        assert_eq!(throws == Value::Bool(true), theirs == "throws", "{line}: guard {throws}, JVM {theirs}");
        if theirs == "throws" {
            threw += 1;
            continue;
        }
        for ours in ways(operation, operation.build, values) {
            assert_eq!(&word(&ours), theirs, "{line}");
        }
        compared += 1;
    }
    println!("{} operations, {compared} results compared, {threw} guards where the JVM threw", operations.len());
    assert!(compared > lines.len() / 2 && threw > 0);
}

fn java() -> PathBuf {
    let home = std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    home.filter(|java| java.exists()).unwrap_or_else(|| "java".into())
}

#[expect(clippy::disallowed_methods, reason = "the JVM is what the test compares with")]
fn oracle(lines: &[String]) -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Oracle.java");
    let mut child = std::process::Command::new(java())
        .args(["-Xshare:auto", "-XX:+UseSerialGC"])
        .arg(source)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the JDK can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    let text = lines.join("\n") + "\n";
    // From another thread: the oracle answers while we write.
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the oracle ends");
    writer.join().expect("the writer ends").expect("the oracle reads");
    assert!(output.status.success(), "the oracle failed");
    String::from_utf8(output.stdout).expect("ASCII").lines().map(str::to_owned).collect()
}
