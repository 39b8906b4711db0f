//! Differential test: the cases run as three-address code in a small interpreter and as bytecode in a real JVM, on random inputs.
//! Compared are results, types of exceptions, and the method and line that an exception comes from.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod interpreter;

use interpreter::{Machine, Reference, Stop, Value};
use program::{Cache, ClassPath, Jdk, Method, Program, Type};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const RUNS: usize = 150;

#[test]
fn with_variable_tables() {
    check("debug", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects"]);
}

#[test]
fn without_variable_tables() {
    check("lines", &["Arithmetic", "Arrays", "Control", "Exceptions", "Objects", "Odd"]);
}

fn check(directory: &str, classes: &[&str]) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let cases = tests.join("cases").join(directory);
    let jdk = Jdk::find(None).unwrap();
    let (program, _) = Program::open(&ClassPath::parse([&cases]).unwrap(), jdk, &Cache::none()).unwrap();
    let mut random = Random(0x5EED);
    let mut calls = Vec::new();
    let mut ours = Vec::new();
    let mut machine = Machine::new(&program);
    for class in classes {
        let class = program.class(program::ClassName::internal(class)).unwrap();
        for method in class.methods.iter().filter(|method| method.access.is_static() && !method.is_static_initialiser())
        {
            for _ in 0..RUNS {
                let params = method.reference().signature().params;
                let inputs: Vec<Input> = params.iter().map(|ty| random.input(*ty)).collect();
                let words: Vec<String> = inputs.iter().map(Input::word).collect();
                calls.push(format!("{} {} {}", method.class, method.name, words.join(" ")));
                ours.push(run(&mut machine, method, &inputs));
            }
        }
    }
    let theirs = run_jvm(&program.jdk().home, &[tests.join("driver"), cases], &calls);
    assert_eq!(theirs.len(), ours.len());
    let mut incomparable = 0;
    for ((call, ours), theirs) in calls.iter().zip(&ours).zip(&theirs) {
        match ours {
            Ok(ours) => assert_eq!(ours, theirs, "{call}"),
            Err(reason) => {
                println!("{call}: {reason}");
                incomparable += 1;
            }
        }
    }
    let threw = theirs.iter().filter(|outcome| outcome.starts_with("threw")).count();
    println!("{directory}: {} runs, {threw} threw, {incomparable} not comparable", calls.len());
    assert_eq!(incomparable, 0);
    assert!(threw > calls.len() / 20, "only {threw} runs threw");
}

/// What the driver prints for the same call, or why that cannot be known.
fn run(machine: &mut Machine<'_>, method: &Method, inputs: &[Input]) -> Result<String, String> {
    machine.fuel = 100_000;
    match machine.call(method.reference(), inputs.iter().map(Input::value).collect()) {
        Ok(None) => Ok("null".into()),
        Ok(Some(Value::Int(value))) => Ok(format!("int {value}")),
        Ok(Some(Value::Long(value))) => Ok(format!("long {value}")),
        // As `floatToIntBits` does, with one NaN.
        Ok(Some(Value::Float(value))) if value.is_nan() => Ok(format!("float {}", 0x7fc0_0000)),
        Ok(Some(Value::Double(value))) if value.is_nan() => Ok(format!("double {}", 0x7ff8_0000_0000_0000_i64)),
        Ok(Some(Value::Float(value))) => Ok(format!("float {}", value.to_bits().cast_signed())),
        Ok(Some(Value::Double(value))) => Ok(format!("double {}", value.to_bits().cast_signed())),
        Ok(Some(other)) => Err(format!("returned {other:?}")),
        Err(Stop::NotComparable(reason)) => Err(reason),
        Err(Stop::Threw(thrown)) => {
            let (name, line) = thrown.created().unwrap();
            Ok(format!("threw {} {name} {}", thrown.class().unwrap(), line.unwrap()))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the JVM is what the test compares with")]
fn run_jvm(home: &Path, class_path: &[PathBuf], calls: &[String]) -> Vec<String> {
    let mut child = std::process::Command::new(home.join("bin/java"))
        .args(["-Xshare:auto", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow", "-cp"])
        .arg(std::env::join_paths(class_path).unwrap())
        .arg("Driver")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = calls.join("\n") + "\n";
    // From another thread: the driver answers while we write.
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the driver failed");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// An argument, before it is made for either side.
#[derive(Clone, Debug)]
enum Input {
    Null,
    /// `new Object()`
    Object,
    Number(Type, i64),
    Array(Type, Vec<Input>),
}

impl Input {
    /// As the driver reads it.
    fn word(&self) -> String {
        match self {
            Input::Null => "null".into(),
            Input::Object => "object".into(),
            Input::Number(_, bits) => bits.to_string(),
            Input::Array(_, elements) => {
                format!("[{}]", elements.iter().map(Input::word).collect::<Vec<_>>().join(","))
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "bits of narrower types")]
    fn value(&self) -> Value {
        match self {
            Input::Null => Value::Reference(None),
            Input::Object => {
                let nowhere = (program::Symbol::new("nowhere"), None);
                Value::Reference(Some(Reference::new_object(program::ClassName::object(), nowhere)))
            }
            Input::Number(Type::Long, bits) => Value::Long(*bits),
            Input::Number(Type::Float, bits) => Value::Float(f32::from_bits((*bits as i32).cast_unsigned())),
            Input::Number(Type::Double, bits) => Value::Double(f64::from_bits(bits.cast_unsigned())),
            Input::Number(_, bits) => Value::Int(*bits as i32),
            Input::Array(component, elements) => {
                Value::Reference(Some(Reference::array_of(*component, elements.iter().map(Input::value).collect())))
            }
        }
    }
}

/// xorshift64*: the same inputs on every machine.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> i64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D).cast_signed()
    }

    fn below(&mut self, bound: i64) -> i64 {
        (self.bits() >> 8).rem_euclid(bound)
    }

    fn input(&mut self, ty: Type) -> Input {
        match ty {
            Type::Class(_) if self.below(3) == 0 => Input::Object,
            Type::Class(_) if self.below(2) == 0 => self.array(Type::Int),
            Type::Class(_) => Input::Null,
            Type::Array(_) if self.below(8) == 0 => Input::Null,
            Type::Array(array) => self.array(array.component()),
            _ => Input::Number(ty, self.number(ty)),
        }
    }

    fn array(&mut self, component: Type) -> Input {
        let length = self.below(5);
        Input::Array(component, (0..length).map(|_| self.input(component)).collect())
    }

    /// Small numbers mostly, and those where the rules change.
    fn number(&mut self, ty: Type) -> i64 {
        const EDGES: [i64; 12] = [0, 1, -1, 2, 31, 32, 99_999, -1000, 77, i32::MAX as i64, i32::MIN as i64, i64::MIN];
        let edge = EDGES[usize::try_from(self.below(12)).unwrap()];
        let number = match self.below(8) {
            0..5 => self.below(16) - 4,
            5 | 6 => edge,
            _ => self.bits(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "random numbers")]
        match ty {
            Type::Boolean => number & 1,
            Type::Byte => (number as i8).into(),
            Type::Short => (number as i16).into(),
            Type::Char => (number as i16).cast_unsigned().into(),
            Type::Int => (number as i32).into(),
            Type::Float => i64::from(self.float(number as f64 as f32).to_bits().cast_signed()),
            Type::Double => self.double(number as f64).to_bits().cast_signed(),
            _ => number,
        }
    }

    fn float(&mut self, number: f32) -> f32 {
        const EDGES: [f32; 6] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MIN_POSITIVE, f32::MAX];
        match self.below(12) {
            which @ 0..6 => EDGES[usize::try_from(which).unwrap()],
            6 | 7 => number / 7.0,
            _ => number,
        }
    }

    fn double(&mut self, number: f64) -> f64 {
        const EDGES: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, f64::MAX];
        match self.below(12) {
            which @ 0..6 => EDGES[usize::try_from(which).unwrap()],
            6 | 7 => number / 7.0,
            _ => number,
        }
    }
}
