//! Every library model against the real method: results, exceptions and what becomes of arguments. Each call is asked twice: with constants,
//! and with variables whose values a model says, so that the terms are compared too and not only what they fold to.
//!
//! `REENACT_MODEL_INPUTS` is the number of inputs per method.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod values;

use analysis::Methods;
use program::{Cache, ClassName, ClassPath, Jdk, MethodRef, Program, Type};
use smt::{Evaluation, Term, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use symbolic::models::{self, Outcome};
use symbolic::{Leaf, Region, State, World};
use values::{BOXED, Input, Random, Symbols, boxed};

/// Inputs per method.
const INPUTS: usize = 200;

/// Methods whose results cannot be known, or need objects that the test does not make.
const NEVER_COMPARED: &[&str] = &[
    "java/lang/Math.random",
    "java/lang/Object.hashCode",
    "java/lang/Object.notify",
    "java/lang/Object.notifyAll",
    "java/lang/StrictMath.random",
    "java/lang/System.currentTimeMillis",
    "java/lang/System.getProperty",
    "java/lang/System.getenv",
    "java/lang/System.nanoTime",
    "java/lang/Thread.currentThread",
    "java/lang/Thread.sleep",
    "java/lang/Thread.yield",
    "java/util/concurrent/locks/ReentrantLock.lock",
    "java/util/concurrent/locks/ReentrantLock.unlock",
];

/// Functions of numbers that are not computed.
const FUNCTIONS: [&str; 17] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "exp",
    "log",
    "log10",
    "cbrt",
    "sinh",
    "cosh",
    "tanh",
    "pow",
    "atan2",
    "hypot",
    "IEEEremainder",
];

#[test]
fn all_models() {
    for jdk in testing::jdks() {
        check(Jdk::at(&jdk.home).unwrap());
    }
}

fn check(jdk: Jdk) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/driver");
    let class_path = ClassPath::parse([&tests]).unwrap();
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
    let methods = Arc::new(Methods::new(Arc::new(program)));
    let calls = calls(&methods);
    let lines: Vec<String> = calls.iter().map(Call::line).collect();
    let theirs = run_jvm(&methods.program().jdk().home, &tests, &lines);
    assert_eq!(theirs.len(), calls.len());
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    let mut loose = 0;
    let mut wrong = Vec::new();
    for (call, theirs) in calls.iter().zip(&theirs) {
        let count = compared.entry(call.name()).or_default();
        for (mode, ours) in [("constants", call.concrete(&methods)), ("variables", call.symbolic(&methods, theirs))] {
            match ours {
                Ok(ours) if ours == *theirs => *count += 1,
                Err(Why::Loose) => loose += 1,
                Ok(ours) => wrong.push(format!("{mode}: {}\n  ours   {ours}\n  theirs {theirs}", call.line())),
                Err(Why::Wrong(why)) => wrong.push(format!("{mode}: {}: {why}; theirs {theirs}", call.line())),
            }
        }
    }
    let total: usize = compared.values().sum();
    let threw = theirs.iter().filter(|line| line.starts_with('!')).count();
    println!(
        "JDK {}: {} methods, {} calls, {threw} threw; {total} answers compared, {loose} loose",
        methods.program().jdk().feature,
        compared.len(),
        calls.len()
    );
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    let is_excused = |method: &str| {
        let name = method.split('(').next().unwrap_or_default();
        let function = name.rsplit_once('.').map_or("", |(_, function)| function);
        FUNCTIONS.contains(&function)
    };
    let forgotten: Vec<&String> = compared.iter().filter(|(_, count)| **count == 0).map(|(name, _)| name).collect();
    let forgotten: Vec<&&String> = forgotten.iter().filter(|name| !is_excused(name)).collect();
    assert!(forgotten.is_empty(), "never compared: {forgotten:?}");
}

struct Call {
    method: MethodRef,
    inputs: Vec<Input>,
}

/// Why there is nothing to compare.
enum Why {
    Loose,
    Wrong(String),
}

fn calls(methods: &Arc<Methods>) -> Vec<Call> {
    let inputs = std::env::var("REENACT_MODEL_INPUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(INPUTS);
    let mut random = Random(0x5EED);
    let mut calls = Vec::new();
    for method in models::modelled() {
        let Some(found) = methods.program().declared_method(method) else { continue };
        let name = format!("{}.{}", method.class.as_internal(), method.name);
        if NEVER_COMPARED.contains(&name.as_str()) {
            continue;
        }
        for _ in 0..inputs {
            let inputs = random.arguments(method, found.access.is_static());
            let is_array = |input: &Input| matches!(input, Input::Array(..));
            if method.name.as_str() == "clone" && !is_array(&inputs[0]) {
                continue;
            }
            calls.push(Call { method, inputs });
        }
    }
    calls
}

impl Call {
    fn name(&self) -> String {
        format!("{}.{}{}", self.method.class.as_internal(), self.method.name, self.method.descriptor)
    }

    fn line(&self) -> String {
        let words: Vec<String> = self.inputs.iter().map(Input::word).collect();
        let class = self.method.class.dotted();
        format!("{class}\t{}\t{}\t{}", self.method.name, self.method.descriptor, words.join("\t"))
    }

    fn types(&self, args: usize) -> Vec<Option<Type>> {
        vec![None; args]
    }

    fn concrete(&self, methods: &Arc<Methods>) -> Result<String, Why> {
        let world = World::new(methods.clone());
        let mut state = State::identity(0);
        let args: Vec<Term> = self.inputs.iter().map(|input| input.value(&world, &mut state)).collect();
        let all = self.with_receiver(&world, &args);
        let answers = models::answer(&world, &state, self.method, &all, &self.types(all.len()));
        let answers = answers.ok_or(Why::Wrong("no answer".into()))?;
        if answers.iter().any(|answer| answer.marks.loose) {
            return Err(Why::Loose);
        }
        let [answer] = &answers[..] else { return Err(Why::Wrong(format!("{} answers", answers.len()))) };
        if answer.when != world.terms.truth() {
            return Err(Why::Wrong("not decided".into()));
        }
        let mut shown = Shown { world: &world, state: &State { memory: answer.memory.clone(), ..state }, values: None };
        shown.line(self, &args, all[0], answer.outcome)
    }

    /// A constructor has an object already.
    fn with_receiver(&self, world: &World, args: &[Term]) -> Vec<Term> {
        let made = self.method.is_constructor().then(|| world.allocate(Type::Class(self.method.class)));
        let all: Vec<Term> = made.into_iter().chain(args.iter().copied()).collect();
        if all.is_empty() { vec![world.terms.null()] } else { all }
    }

    fn symbolic(&self, methods: &Arc<Methods>, theirs: &str) -> Result<String, Why> {
        let world = World::new(methods.clone());
        let mut state = State::identity(0);
        let mut symbols = Symbols::new();
        let inputs = (0..).zip(&self.inputs);
        let args: Vec<Term> = inputs.map(|(at, input)| input.symbol(&world, &mut state, &mut symbols, at)).collect();
        let all = self.with_receiver(&world, &args);
        let answers = models::answer(&world, &state, self.method, &all, &self.types(all.len()));
        let answers = answers.ok_or(Why::Wrong("no answer".into()))?;
        // A number that conditions determine: it is what the JVM says, if they hold.
        for answer in &answers {
            if let Outcome::Returns(Some(value)) = answer.outcome
                && let Some(Leaf::Unknown { kind: ir::Kind::Int, .. }) = world.leaf_of(value)
                && let Some(number) = theirs.split('\t').next().unwrap().get(1..).and_then(|word| word.parse().ok())
            {
                symbols.set(&world, value, Value::i32(number));
            }
        }
        let mut values = Evaluation::new(symbols.model);
        let holding: Vec<_> = answers.iter().filter(|answer| values.holds(&world.terms, &[answer.when])).collect();
        if holding.iter().any(|answer| answer.marks.loose) || (holding.is_empty() && is_loose(&answers)) {
            return Err(Why::Loose);
        }
        let [answer] = &holding[..] else {
            return Err(Why::Wrong(format!("{} of {} answers hold", holding.len(), answers.len())));
        };
        let state = State { memory: answer.memory.clone(), ..state };
        let mut shown = Shown { world: &world, state: &state, values: Some(values) };
        shown.line(self, &args, all[0], answer.outcome)
    }
}

/// A model that leaves an answer open may leave out the real one: its unknown is another object.
fn is_loose(answers: &[models::Answer]) -> bool {
    answers.iter().any(|answer| answer.marks.loose || answer.marks.cut)
}

/// Terms as the driver prints them.
struct Shown<'a> {
    world: &'a World,
    state: &'a State,
    values: Option<Evaluation>,
}

impl Shown<'_> {
    fn line(&mut self, call: &Call, args: &[Term], this: Term, outcome: Outcome) -> Result<String, Why> {
        let result = match outcome {
            Outcome::Throws(class) => format!("!{}", class.dotted()),
            Outcome::Returns(_) if call.method.is_constructor() => {
                self.show(this, Type::Class(call.method.class), None)?
            }
            Outcome::Returns(None) => "V".into(),
            Outcome::Returns(Some(value)) => {
                let given = args.iter().position(|arg| *arg == value).map(|at| &call.inputs[at]);
                self.show(value, call.method.signature().ret.unwrap(), given)?
            }
        };
        let mut line = result;
        for (arg, input) in args.iter().zip(&call.inputs) {
            let after = match input {
                Input::Builder(..) | Input::Array(..) => {
                    self.show(*arg, Type::Class(ClassName::object()), Some(input))?
                }
                Input::Number(ty, bits) => format!("x{}{bits}", ty.descriptor()),
                other => other.word(),
            };
            line.push('\t');
            line.push_str(&after);
        }
        Ok(line)
    }

    fn value(&mut self, term: Term) -> Result<Value, Why> {
        match &mut self.values {
            Some(values) => Ok(values.value(&self.world.terms, term)),
            None => self.world.terms.constant(term).ok_or(Why::Wrong(format!("not a constant: {term:?}"))),
        }
    }

    fn show(&mut self, term: Term, ty: Type, given: Option<&Input>) -> Result<String, Why> {
        if !ty.is_reference() {
            let bits = match self.value(term)? {
                Value::F32(bits) => i64::from(bits.cast_signed()),
                Value::F64(bits) => bits.cast_signed(),
                other => other.as_signed().unwrap(),
            };
            return Ok(format!("{}{bits}", ty.descriptor()));
        }
        match self.world.leaf_of(term) {
            Some(Leaf::Literal(units)) => return Ok(Input::Text(units).word()),
            Some(Leaf::Class(ty)) => return Ok(Input::Class(ty).word()),
            // A constant of an enum class.
            Some(Leaf::Region(Region::Static(_))) => return Ok("O".into()),
            Some(Leaf::Box { class, value }) => {
                let ty = BOXED.iter().find(|ty| boxed(**ty) == class.as_internal()).unwrap();
                return Ok(format!("x{}{value}", ty.descriptor()));
            }
            _ => {}
        }
        if self.value(term)?.as_ref().is_some_and(smt::Reference::is_null) {
            return Ok("N".into());
        }
        let class = self.world.allocated_type(term).or(match given {
            Some(Input::Builder(class, _)) => Some(Type::Class(*class)),
            Some(Input::Text(_)) => Some(Type::Class(ClassName::string())),
            _ => None,
        });
        match class {
            Some(Type::Array(array)) => self.array(term, array.component()),
            Some(Type::Class(class)) => self.object(term, class),
            _ => Err(Why::Wrong(format!("what is {term:?}"))),
        }
    }

    fn array(&mut self, array: Term, component: Type) -> Result<String, Why> {
        let terms = &self.world.terms;
        let length = terms.select(self.state.region(self.world, Region::Lengths), array);
        let length = self.value(length)?.as_signed().unwrap();
        let mut elements = Vec::new();
        for at in 0..i32::try_from(length).unwrap() {
            let element = self.state.element(self.world, array, terms.i32(at), component);
            elements.push(self.show(element, component, None)?);
        }
        Ok(format!("[{}|{}", component.descriptor(), elements.join(",")))
    }

    fn object(&mut self, object: Term, class: ClassName) -> Result<String, Why> {
        let region = match class.as_internal() {
            "java/lang/String" => Region::Texts,
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => Region::Built,
            "java/lang/Object" => return Ok("O".into()),
            name => {
                let ty = BOXED.iter().find(|ty| boxed(**ty) == name).unwrap();
                let field = program::FieldRef::new(name, "value", &ty.descriptor());
                let value = self.state.field(self.world, object, field);
                return Ok(format!("x{}", self.show(value, *ty, None)?));
            }
        };
        let text = self.world.terms.select(self.state.region(self.world, region.clone()), object);
        let text = self.value(text)?.as_units().unwrap().to_vec();
        Ok(if region == Region::Texts { Input::Text(text).word() } else { Input::Builder(class, text).word() })
    }
}

#[expect(clippy::disallowed_methods, reason = "the JVM is what the test compares with")]
fn run_jvm(home: &Path, class_path: &Path, calls: &[String]) -> Vec<String> {
    let opened = ["java.lang", "java.lang.reflect", "java.util", "jdk.internal.util"];
    let mut child = std::process::Command::new(home.join("bin/java"))
        .args(["-Xshare:auto", "-XX:+UseSerialGC", "-cp"])
        .arg(class_path)
        .args(opened.iter().flat_map(|package| ["--add-opens".to_owned(), format!("java.base/{package}=ALL-UNNAMED")]))
        .arg("Calls")
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
