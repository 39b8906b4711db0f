//! Resolution, selection and subtyping against the JVM: every reference in classes drawn from the crash jars and the JDK is resolved by
//! us and by method handle look-ups of a running JVM. REENACT_SAMPLES sets how many classes (60).

mod common;

use common::{crash_jars, draw, jdk, open, run_tool, write_file};
use program::classfile::{FieldOp, InvokeOp};
use program::{ClassName, FieldRef, Instruction, MethodRef, Program, Resolved, Subtype};
use std::collections::BTreeSet;
use std::env;
use std::fmt::Display;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    Method(InvokeOp, MethodRef),
    Field(bool, FieldRef),
    Select(ClassName, MethodRef),
    Subtype(ClassName, ClassName),
}

#[test]
fn members_resolve_as_in_the_jvm() {
    let jars = crash_jars();
    let (program, _) = open(&jars);
    let questions = questions(&program);
    let lines: String = questions.iter().map(|question| question.line() + "\n").collect();
    let directory = tempfile::tempdir().unwrap();
    let file = write_file(&directory.path().join("questions"), lines.as_bytes());
    let class_path = env::join_paths(&jars).unwrap().into_string().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Link.java");
    let open_lookup = "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED";
    let arguments =
        [open_lookup, "-Xverify:none", "-cp", &class_path, source, &file.display().to_string()].map(str::to_owned);
    let answers = run_tool(&jdk(), "java", &arguments);
    let mut told = 0;
    let mut differences = Vec::new();
    for (question, theirs) in questions.iter().zip(answers.lines()) {
        if theirs == "?" {
            continue;
        }
        told += 1;
        let ours = question.answer(&program);
        if ours != theirs && ours != "?" && !question.is_arbitrary(&program, &ours, theirs) {
            differences.push(format!("{}: we say {ours}, the JVM says {theirs}", question.line()));
        }
    }
    println!("{} questions, {told} answered by the JVM", questions.len());
    assert_eq!(answers.lines().count(), questions.len());
    assert!(told * 10 > questions.len() * 8, "the JVM answered only {told} of {}", questions.len());
    assert_eq!(differences, [""; 0]);
}

/// What the sampled classes refer to.
fn questions(program: &Program) -> Vec<Question> {
    let samples: usize = env::var("REENACT_SAMPLES").ok().and_then(|samples| samples.parse().ok()).unwrap_or(60);
    let mut names = draw(&program.classes(), samples / 2);
    names.extend(draw(&program.jdk_classes(), samples - samples / 2));
    let mut questions = BTreeSet::new();
    for class in names.iter().filter_map(|name| program.class(*name)) {
        for method in &class.methods {
            let instructions = method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
            instructions.for_each(|(_, instruction)| add_questions(program, &instruction, &mut questions));
        }
        let pairs = names.iter().step_by(7).map(|other| Question::Subtype(class.name, *other));
        questions.extend(pairs);
        questions
            .extend(program.supertypes(class.name).0.into_iter().map(|parent| Question::Subtype(class.name, parent)));
    }
    questions.into_iter().collect()
}

fn add_questions(program: &Program, instruction: &Instruction, questions: &mut BTreeSet<Question>) {
    match instruction {
        // Look-ups give constructors and signature-polymorphic methods in another form.
        Instruction::Invoke { callee, .. } if callee.method.is_constructor() || is_polymorphic(callee.method) => {}
        Instruction::Invoke { op, callee } => {
            questions.insert(Question::Method(*op, callee.method));
            if matches!(op, InvokeOp::Virtual | InvokeOp::Interface) {
                let receivers = program.subtypes(callee.method.class);
                let selections =
                    draw(&receivers, 2).into_iter().filter(|receiver| is_selectable(program, *receiver, callee.method));
                questions.extend(selections.map(|receiver| Question::Select(receiver, callee.method)));
            }
        }
        Instruction::Field { op, field } => {
            questions.insert(Question::Field(matches!(op, FieldOp::GetStatic | FieldOp::PutStatic), *field));
        }
        _ => {}
    }
}

fn is_polymorphic(method: MethodRef) -> bool {
    ["java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"].contains(&method.class.as_internal())
}

/// `findSpecial` asks for the method of a class by name alone, which is what runs only if it can override the named one.
fn is_selectable(program: &Program, receiver: ClassName, method: MethodRef) -> bool {
    let is_class = program.class(receiver).is_some_and(|class| !class.is_interface());
    let resolved = program.resolve_method(method).found();
    is_class && resolved.is_some_and(|found| found.access.is_public() || found.access.is_protected())
}

impl Question {
    fn line(&self) -> String {
        match self {
            Question::Method(op, method) => {
                let how = match op {
                    InvokeOp::Virtual | InvokeOp::Interface => "virtual",
                    InvokeOp::Static => "static",
                    InvokeOp::Special => "special",
                };
                format!("{how} {} {} {}", method.class, method.name, method.descriptor)
            }
            Question::Field(is_static, field) => {
                let how = if *is_static { "static-getter" } else { "getter" };
                format!("{how} {} {} {}", field.class, field.name, field.descriptor)
            }
            Question::Select(receiver, method) => format!("select {receiver} {} {}", method.name, method.descriptor),
            Question::Subtype(sub, sup) => format!("subtype {sub} {sup}"),
        }
    }

    /// Of several abstract methods of interfaces, any may be chosen (JVMS 5.4.3.3).
    fn is_arbitrary(&self, program: &Program, ours: &str, theirs: &str) -> bool {
        let Question::Method(_, method) = self else { return false };
        [ours, theirs].iter().all(|class| {
            let found = program.declared_method(MethodRef { class: ClassName::from_dotted(class), ..*method });
            found.is_some_and(|found| found.class.is_interface() && found.access.is_abstract())
        })
    }

    fn answer(&self, program: &Program) -> String {
        match self {
            Question::Method(_, method) => declaring(program.resolve_method(*method), |found| found.class.name),
            Question::Field(_, field) => declaring(program.resolve_field(*field), |found| found.class.name),
            Question::Select(receiver, method) => {
                declaring(program.select_virtual(*receiver, *method), |found| found.class.name)
            }
            Question::Subtype(sub, sup) => match program.is_subtype(*sub, *sup) {
                Subtype::Yes => "true".into(),
                Subtype::No => "false".into(),
                Subtype::Unknown { .. } => "?".into(),
            },
        }
    }
}

fn declaring<T, N: Display>(resolved: Resolved<T>, class: impl FnOnce(&T) -> N) -> String {
    match resolved {
        Resolved::Found(found) => class(&found).to_string(),
        Resolved::Absent => "-".into(),
        Resolved::Unknown { .. } => "?".into(),
    }
}
