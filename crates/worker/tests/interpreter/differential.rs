//! The interpreter against a second implementation that calls everything by plain reflection: random recipes end the same way,
//! with the same exception, message and stack.

use super::mix::{Mix, Numbers};
use super::process::{Worker, fixture, host_java, program};
use program::Type;
use recipe::testing::{Flavour, generate, jdk};
use recipe::{Action, Arg, Block, CallbackForm, End, Literal, OnThrow, Recipe, Stmt, Thrown};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use testing::{Jdk, class_path, jar, jdks};

const BLOCKS: Flavour = Flavour { blocks: true, races: false, classes: false, environment: false };

#[test]
fn random_recipes_over_the_jdk() {
    let mut random = Numbers(7);
    let recipes: Vec<Recipe> = (0..3000)
        .map(|_| {
            let choices: Vec<u16> = (0..random.below(120)).map(|_| random.below(1 << 16) as u16).collect();
            generate(jdk(), BLOCKS, &choices)
        })
        .collect();
    for jdk in jdks() {
        compare(&jdk, &[fixture()], &recipes);
    }
}

#[test]
fn random_recipes_over_a_library() {
    let jars = [jar("commons-collections:commons-collections:3.1")];
    for jdk in jdks() {
        let program = program(&jdk, &jars);
        let mix = Mix::new(&program);
        let mut random = Numbers(11);
        let recipes: Vec<Recipe> = (0..3000).map(|_| mix.candidate(&mut random)).collect();
        compare(&jdk, &jars, &recipes);
    }
}

/// Both run the same recipes in the same order in fresh processes, so that what leaks from one to the next is the same.
fn compare(jdk: &Jdk, jars: &[PathBuf], recipes: &[Recipe]) {
    let recipes = tame(jdk, jars, recipes);
    let ours: Vec<String> = Worker::start(jdk, jars).run(&recipes).iter().map(|outcome| shown(&outcome.end)).collect();
    let theirs = reference(jdk, jars, &recipes);
    let mut threw = 0;
    for ((ours, theirs), recipe) in ours.iter().zip(&theirs).zip(&recipes) {
        let (ours, theirs) = (without_noise(ours), without_noise(theirs));
        assert_eq!(ours, theirs, "on JDK {}:\n{recipe}", jdk.major);
        threw += usize::from(ours.starts_with("threw"));
    }
    // Comparing nothing would also agree.
    assert!(recipes.len() > 1500 && threw > recipes.len() / 4 && threw < recipes.len(), "{threw} of {}", recipes.len());
}

/// Leaves out what does not end, what ends where memory or stack happens to end, collections whose order is another in every
/// VM, and candidates that look at their own stack or at the names of our classes.
fn tame(jdk: &Jdk, jars: &[PathBuf], recipes: &[Recipe]) -> Vec<Recipe> {
    let mut worker = Worker::start(jdk, jars);
    let mut kept = Vec::new();
    for recipe in recipes.iter().filter(|recipe| !is_noisy(recipe)) {
        let Some(outcomes) = worker.run_within(std::slice::from_ref(recipe), Duration::from_secs(10)) else {
            worker = Worker::start(jdk, jars);
            continue;
        };
        let is_tame = match &outcomes[0].end {
            End::Completed => true,
            End::Threw { thrown, .. } => causes(thrown).all(|t| !t.class.simple().ends_with("Error")),
            _ => false,
        };
        if is_tame {
            kept.push(recipe.clone());
        }
    }
    kept
}

fn is_noisy(recipe: &Recipe) -> bool {
    let (mut found, mut has_callbacks, mut makes_text) = (false, false, false);
    recipe.for_each_stmt(&mut |stmt| {
        has_callbacks |= matches!(stmt.action, Action::Callback(_));
        if let Action::Call { method, .. } = &stmt.action {
            let (class, name) = (method.class.as_internal(), method.name.as_str());
            found |= ["of", "ofEntries", "copyOf"].contains(&name) && class.starts_with("java/util/");
            found |= name == "getStackTrace";
            makes_text |= ["toString", "valueOf", "append"].contains(&name);
        }
    });
    // The text of a callback has the name of its class.
    found || has_callbacks && makes_text
}

fn causes(thrown: &Thrown) -> impl Iterator<Item = &Thrown> {
    std::iter::successors(Some(thrown), |t| t.cause.as_deref())
}

/// In the words of the reference.
fn shown(end: &End) -> String {
    let End::Threw { stmt, thrown } = end else { return "completed".into() };
    let mut all = format!("threw {stmt} ");
    for thrown in causes(thrown) {
        let message = thrown.message.as_ref().map_or("-".into(), |message| {
            message.encode_utf16().fold("=".to_owned(), |all, unit| format!("{all}{unit:04x}"))
        });
        write!(all, "{} {message}", thrown.class).unwrap();
        for frame in &thrown.stack {
            if frame.is_test {
                all.push_str(" test");
            } else {
                write!(all, " {}#{}#{}", frame.class, frame.method, frame.line.unwrap_or(0)).unwrap();
            }
        }
        all.push_str(" ;");
    }
    all
}

/// Without what the two ways of calling bring with them.
fn without_noise(answer: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in answer.split(' ') {
        let machinery = [
            "java.lang.reflect.",
            "jdk.internal.reflect.",
            "sun.reflect.",
            "java.lang.invoke.",
            "java.lang.Class#cast",
        ];
        let is_glue = machinery.iter().any(|prefix| word.starts_with(prefix) && word.contains('#'));
        let is_same_test = word == "test" && words.last().is_some_and(|last| last == "test");
        if !is_glue && !is_same_test {
            let exception = words.last().map_or("", String::as_str);
            let word = if word.starts_with('=') { message_without_noise(exception, word) } else { word.to_owned() };
            words.push(word);
        }
    }
    words.join(" ")
}

/// A message that names one of our classes, or one of the VM's own that speaks of the caller's variables, is not compared.
fn message_without_noise(exception: &str, word: &str) -> String {
    let units: Vec<u16> = word.as_bytes()[1..]
        .chunks(4)
        .map(|hex| u16::from_str_radix(std::str::from_utf8(hex).unwrap(), 16).unwrap())
        .collect();
    let message = String::from_utf16_lossy(&units);
    let is_noisy = message.starts_with("Cannot ")
        || message.contains("cannot be cast to")
        || message.contains("$Proxy")
        || message.contains("$Reenact$")
        || message.contains("Array index out of range")
        || message.contains("out of bounds for length")
        // The same of JDK 8, where reflection has no message.
        || exception.ends_with(".ArrayIndexOutOfBoundsException") && message.parse::<i32>().is_ok();
    if is_noisy { "-".to_owned() } else { message }
}

fn reference(jdk: &Jdk, jars: &[PathBuf], recipes: &[Recipe]) -> Vec<String> {
    let mut child = host_java(jdk)
        .arg("reenact.host.Reference")
        .arg(class_path(&jars.iter().map(PathBuf::as_path).collect::<Vec<_>>()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = recipes.iter().map(|recipe| format!("{}\n", block(&recipe.body))).collect();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    let answers: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), recipes.len());
    answers
}

fn block(block: &Block) -> String {
    let stmts: Vec<String> = block.stmts.iter().map(stmt).collect();
    format!("{} {}", stmts.len(), stmts.join(" ")).trim_end().to_owned()
}

/// `op var heads head* args arg* blocks block*`
fn stmt(stmt: &Stmt) -> String {
    let (op, head) = head(stmt);
    let var = stmt.def.map_or("-".to_owned(), |def| def.var.to_string());
    let mut args: Vec<String> = stmt.action.args().map(arg).collect();
    if let Action::Literal(value) = &stmt.action {
        args.push(literal(value));
    }
    let blocks: Vec<String> = stmt.action.bodies().iter().map(|body| block(body.block)).collect();
    let counted = |words: &[String]| format!("{} {}", words.len(), words.join(" ")).trim_end().to_owned();
    format!("{op} {var} {} {} {}", counted(&head), counted(&args), counted(&blocks))
}

fn head(stmt: &Stmt) -> (&'static str, Vec<String>) {
    let class = |class: program::ClassName| Type::Class(class).descriptor();
    match &stmt.action {
        Action::Literal(_) => ("value", vec![]),
        Action::New { constructor, .. } => ("new", vec![class(constructor.class), constructor.descriptor.to_string()]),
        Action::Call { method, receiver, .. } => (
            if receiver.is_some() { "call" } else { "static" },
            vec![class(method.class), method.name.to_string(), method.descriptor.to_string()],
        ),
        Action::NewArray { component, length } => ("array", vec![component.descriptor(), length.to_string()]),
        Action::ArrayOf { component, .. } => ("arrayOf", vec![component.descriptor()]),
        Action::GetElement { index, .. } => ("load", vec![index.to_string()]),
        Action::PutElement { index, .. } => ("store", vec![index.to_string()]),
        Action::Collection(kind, _) => ("collect", vec![format!("{kind:?}")]),
        Action::Cast(_) => ("cast", vec![stmt.def.unwrap().ty.descriptor()]),
        Action::Callback(callback) => {
            let (CallbackForm::Lambda { interface } | CallbackForm::Interface { interface }) = &callback.form else {
                panic!("the generator makes interfaces only")
            };
            let mut head = vec![class(*interface)];
            for method in &callback.methods {
                let vars: Vec<String> = method
                    .this
                    .into_iter()
                    .chain(method.params.iter().map(|def| def.var))
                    .map(|var| var.to_string())
                    .collect();
                let result = method.result.as_ref().map_or("-".to_owned(), arg);
                head.extend([method.method.name.to_string(), vars.join(","), result]);
            }
            ("proxy", head)
        }
        Action::Try { on_throw: OnThrow::Swallow, .. } => ("try", vec![]),
        Action::Try { on_throw: OnThrow::RethrowAtEnd, .. } => ("keep", vec![]),
        // Without races one body runs, as in a thread.
        Action::Thread(_) | Action::Together(_) => ("thread", vec![]),
        Action::Repeat { times, carried: None, .. } => ("repeat", vec![times.to_string()]),
        Action::Repeat { times, carried: Some(carried), .. } => {
            ("repeat", vec![times.to_string(), carried.var.var.to_string(), arg(&carried.next)])
        }
        other => panic!("not for the reference: {other:?}"),
    }
}

fn arg(arg: &Arg) -> String {
    match arg {
        Arg::Var(var) => var.to_string(),
        Arg::Literal(value) => literal(value),
    }
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Null(_) => "n".into(),
        Literal::Boolean(value) => format!("Z{value}"),
        Literal::Byte(value) => format!("B{value}"),
        Literal::Char(value) => format!("C{value}"),
        Literal::Short(value) => format!("S{value}"),
        Literal::Int(value) => format!("I{value}"),
        Literal::Long(value) => format!("J{value}"),
        Literal::Float(value) => format!("F{}", value.to_bits()),
        Literal::Double(value) => format!("D{}", value.to_bits() as i64),
        Literal::String(text) => text.expanded().0.iter().fold("s".to_owned(), |all, unit| format!("{all}{unit:04x}")),
        Literal::Class(ty) => format!("T{}", ty.descriptor()),
        Literal::Enum(field) => format!("E{}:{}", Type::Class(field.class).descriptor(), field.name),
    }
}
