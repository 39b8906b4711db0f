//! The class reader against `javap` of the JDK: members, instructions with operands, exception and line tables of classes drawn from
//! the crash jars and the JDK. REENACT_SAMPLES sets how many (60).

mod common;

use common::{crash_jars, jdk, open, run_tool};
use program::classfile::{
    BranchTest, Constant, ConvertTo, ElementKind, FieldOp, InvokeOp, Kind, MethodOperand, StackOp, ThreeWayOp,
};
use program::{BinaryOp, Class, ClassName, Code, CompareOp, Instruction, Type};
use std::env;
use std::sync::Arc;

#[test]
fn classes_read_as_javap_prints_them() {
    let jars = crash_jars();
    let (program, _) = open(&jars);
    let samples: usize = env::var("REENACT_SAMPLES").ok().and_then(|samples| samples.parse().ok()).unwrap_or(60);
    let mut names = common::draw(&program.classes(), samples / 2);
    names.extend(common::draw(&program.jdk_classes(), samples - samples / 2));
    let class_path = env::join_paths(&jars).unwrap().into_string().unwrap();
    let mut instructions = 0;
    for batch in names.chunks(50) {
        let mut arguments: Vec<String> = ["-c", "-p", "-s", "-l", "-cp", &class_path].map(str::to_owned).into();
        // Else `javap` prints the class that Java 8 would see.
        if jdk().feature > 8 {
            arguments.extend(["--multi-release".to_owned(), jdk().feature.to_string()]);
        }
        arguments.extend(batch.iter().map(|name| name.dotted()));
        let printed = run_tool(&jdk(), "javap", &arguments);
        let printed = split_classes(&printed);
        assert_eq!(printed.len(), batch.len());
        for (name, theirs) in batch.iter().zip(printed) {
            let class: Arc<Class> = program.class(*name).expect("the class is there");
            let (ours, theirs) = (describe(&class), normalise(*name, &theirs));
            instructions += ours.lines().filter(|line| line.starts_with("  ")).count();
            for (our_line, their_line) in ours.lines().zip(theirs.lines()) {
                assert_eq!(our_line, their_line, "{name}");
            }
            assert_eq!(ours.lines().count(), theirs.lines().count(), "{name}");
        }
    }
    println!("{} classes and {instructions} lines of code and tables are the same", names.len());
}

/// The lines of each class that `javap` was given.
fn split_classes(printed: &str) -> Vec<Vec<&str>> {
    let mut classes: Vec<Vec<&str>> = Vec::new();
    for line in printed.lines() {
        if line.ends_with('{') && !line.starts_with(' ') {
            classes.push(Vec::new());
        }
        if let Some(class) = classes.last_mut() {
            class.push(line);
        }
    }
    classes
}

/// One line per fact: members by their descriptors, then code and tables indented.
fn describe(class: &Class) -> String {
    let mut text = String::new();
    for field in &class.fields {
        text.push_str(&format!("{}\n", field.descriptor));
    }
    for method in &class.methods {
        text.push_str(&format!("{}\n", method.descriptor));
        if let Some(code) = method.code() {
            describe_code(code.expect("the code can be read"), &mut text);
        }
    }
    text
}

fn describe_code(code: &Code, text: &mut String) {
    for step in code.instructions() {
        let (bci, instruction) = step.expect("the instruction can be decoded");
        text.push_str(&format!("  {bci}: {}\n", instruction_text(&instruction)));
    }
    for handler in &code.handlers {
        let catch = handler.catch.map_or("any", ClassName::as_internal);
        text.push_str(&format!("  try {} {} {} {catch}\n", handler.start, handler.end, handler.handler));
    }
    for entry in &code.lines {
        text.push_str(&format!("  line {}: {}\n", entry.line, entry.bci));
    }
    for variable in &code.local_variables {
        let length = variable.range.end - variable.range.start;
        let (name, descriptor) = (variable.name, variable.descriptor);
        text.push_str(&format!("  local {} {length} {} {name} {descriptor}\n", variable.range.start, variable.slot));
    }
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Int => 'i',
        Kind::Long => 'l',
        Kind::Float => 'f',
        Kind::Double => 'd',
        Kind::Reference => 'a',
    }
}

fn element(kind: ElementKind) -> char {
    match kind {
        ElementKind::Int => 'i',
        ElementKind::Long => 'l',
        ElementKind::Float => 'f',
        ElementKind::Double => 'd',
        ElementKind::Reference => 'a',
        ElementKind::Byte => 'b',
        ElementKind::Char => 'c',
        ElementKind::Short => 's',
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::Shl => "shl",
        BinaryOp::Shr => "shr",
        BinaryOp::Ushr => "ushr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
    }
}

fn comparison(comparison: CompareOp) -> &'static str {
    match comparison {
        CompareOp::Eq => "eq",
        CompareOp::Ne => "ne",
        CompareOp::Lt => "lt",
        CompareOp::Ge => "ge",
        CompareOp::Gt => "gt",
        CompareOp::Le => "le",
    }
}

fn stack(op: StackOp) -> &'static str {
    match op {
        StackOp::Pop => "pop",
        StackOp::Pop2 => "pop2",
        StackOp::Dup => "dup",
        StackOp::DupX1 => "dup_x1",
        StackOp::DupX2 => "dup_x2",
        StackOp::Dup2 => "dup2",
        StackOp::Dup2X1 => "dup2_x1",
        StackOp::Dup2X2 => "dup2_x2",
        StackOp::Swap => "swap",
    }
}

/// The instruction in the words of `javap`, short forms spelt out.
fn instruction_text(instruction: &Instruction) -> String {
    match instruction {
        Instruction::Nop => "nop".into(),
        Instruction::Const(constant) => constant_text(constant),
        Instruction::Load(kind, slot) => format!("{}load {slot}", letter(*kind)),
        Instruction::Store(kind, slot) => format!("{}store {slot}", letter(*kind)),
        Instruction::ArrayLoad(kind) => format!("{}aload", element(*kind)),
        Instruction::ArrayStore(kind) => format!("{}astore", element(*kind)),
        Instruction::Stack(op) => stack(*op).into(),
        Instruction::Binary(op, kind) => format!("{}{}", letter(*kind), binary(*op)),
        Instruction::Negate(kind) => format!("{}neg", letter(*kind)),
        Instruction::Increment { slot, by } => format!("iinc {slot}, {by}"),
        Instruction::Convert { from, to } => format!("{}2{}", letter(*from), converted(*to)),
        Instruction::Compare(op) => compare(*op).into(),
        Instruction::If { test, target } => format!("{} {target}", branch(*test)),
        Instruction::Goto(target) => format!("goto {target}"),
        Instruction::Jsr(target) => format!("jsr {target}"),
        Instruction::Ret(slot) => format!("ret {slot}"),
        Instruction::Switch { default, cases } => switch_text(*default, cases),
        Instruction::Return(None) => "return".into(),
        Instruction::Return(Some(kind)) => format!("{}return", letter(*kind)),
        Instruction::Field { op, field } => {
            let (class, name, descriptor) = (field.class.as_internal(), field.name, field.descriptor);
            format!("{} {class}.{name}:{descriptor}", field_op(*op))
        }
        Instruction::Invoke { op, callee } => format!("{} {}", invoke_op(*op), callee_text(callee)),
        Instruction::InvokeDynamic { bootstrap, name, descriptor } => {
            format!("invokedynamic #{bootstrap}:{name}:{descriptor}")
        }
        Instruction::New(class) => format!("new {}", class_text(*class)),
        Instruction::NewArray { component } if component.is_reference() => {
            format!("anewarray {}", class_text(*component))
        }
        Instruction::NewArray { component } => format!("newarray {component}"),
        Instruction::NewMultiArray { array, dimensions } => {
            format!("multianewarray {} {dimensions}", class_text(*array))
        }
        Instruction::ArrayLength => "arraylength".into(),
        Instruction::Throw => "athrow".into(),
        Instruction::CheckCast(class) => format!("checkcast {}", class_text(*class)),
        Instruction::InstanceOf(class) => format!("instanceof {}", class_text(*class)),
        Instruction::MonitorEnter => "monitorenter".into(),
        Instruction::MonitorExit => "monitorexit".into(),
    }
}

/// Strings and floats are printed in too many ways to compare them; their kind is.
fn constant_text(constant: &Constant) -> String {
    match constant {
        Constant::Null => "aconst_null".into(),
        Constant::Int(value) => format!("const int {value}"),
        Constant::Long(value) => format!("const long {value}"),
        Constant::Float(_) => "const float".into(),
        Constant::Double(_) => "const double".into(),
        Constant::String(_) => "const String".into(),
        Constant::Class(class) => format!("const class {}", class_text(*class)),
        Constant::MethodType(descriptor) => format!("const MethodType {descriptor}"),
        Constant::MethodHandle(_) => "const MethodHandle".into(),
        Constant::Dynamic { bootstrap, name, descriptor } => format!("const Dynamic #{bootstrap}:{name}:{descriptor}"),
    }
}

fn switch_text(default: u16, cases: &[(i32, u16)]) -> String {
    let cases: String = cases.iter().map(|(key, target)| format!(" {key}:{target}")).collect();
    format!("switch{cases} default:{default}")
}

fn callee_text(callee: &MethodOperand) -> String {
    let owner = callee.array.map_or_else(|| callee.method.class.as_internal().to_owned(), class_text);
    let prefix = if callee.interface { "Interface" } else { "" };
    format!("{prefix}Method {owner}.{}:{}", callee.method.name, callee.method.descriptor)
}

fn class_text(class: Type) -> String {
    match class {
        Type::Class(name) => name.as_internal().to_owned(),
        array => array.descriptor(),
    }
}

fn converted(to: ConvertTo) -> char {
    match to {
        ConvertTo::Int => 'i',
        ConvertTo::Long => 'l',
        ConvertTo::Float => 'f',
        ConvertTo::Double => 'd',
        ConvertTo::Byte => 'b',
        ConvertTo::Char => 'c',
        ConvertTo::Short => 's',
    }
}

fn compare(op: ThreeWayOp) -> &'static str {
    match op {
        ThreeWayOp::Long => "lcmp",
        ThreeWayOp::FloatNanLess => "fcmpl",
        ThreeWayOp::FloatNanGreater => "fcmpg",
        ThreeWayOp::DoubleNanLess => "dcmpl",
        ThreeWayOp::DoubleNanGreater => "dcmpg",
    }
}

fn branch(test: BranchTest) -> String {
    match test {
        BranchTest::IntZero(how) => format!("if{}", comparison(how)),
        BranchTest::Int(how) => format!("if_icmp{}", comparison(how)),
        BranchTest::SameReference => "if_acmpeq".into(),
        BranchTest::DifferentReference => "if_acmpne".into(),
        BranchTest::Null => "ifnull".into(),
        BranchTest::NonNull => "ifnonnull".into(),
    }
}

fn field_op(op: FieldOp) -> &'static str {
    match op {
        FieldOp::GetStatic => "getstatic",
        FieldOp::PutStatic => "putstatic",
        FieldOp::GetField => "getfield",
        FieldOp::PutField => "putfield",
    }
}

fn invoke_op(op: InvokeOp) -> &'static str {
    match op {
        InvokeOp::Virtual => "invokevirtual",
        InvokeOp::Special => "invokespecial",
        InvokeOp::Static => "invokestatic",
        InvokeOp::Interface => "invokeinterface",
    }
}

/// What `javap` printed for a class, in the form of [`describe`].
fn normalise(class: ClassName, lines: &[&str]) -> String {
    let mut text = String::new();
    let mut section = "";
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        let is_member = !line.starts_with("   ");
        if is_member {
            section = "";
        } else if let Some(descriptor) = trimmed.strip_prefix("descriptor: ") {
            text.push_str(&format!("{descriptor}\n"));
        } else if let Some(title) =
            ["Code:", "Exception table:", "LineNumberTable:", "LocalVariableTable:"].iter().find(|t| trimmed == **t)
        {
            section = title;
        } else if trimmed.ends_with(':') && !trimmed.contains(' ') {
            section = "";
        } else if section == "Code:" {
            let Some((bci, instruction)) = trimmed.split_once(": ") else { continue };
            let mut instruction = instruction.to_owned();
            if instruction.contains("switch ") && instruction.contains('{') {
                for case in lines.by_ref().take_while(|line| line.trim() != "}") {
                    instruction.push('\n');
                    instruction.push_str(case.trim());
                }
            }
            text.push_str(&format!("  {bci}: {}\n", normalise_instruction(class, &instruction)));
        } else if section == "Exception table:" && !trimmed.starts_with("from") {
            let words: Vec<&str> = trimmed.split_whitespace().filter(|word| *word != "Class").collect();
            text.push_str(&format!("  try {}\n", words.join(" ")));
        } else if section == "LineNumberTable:" && trimmed.starts_with("line") {
            text.push_str(&format!("  {trimmed}\n"));
        } else if section == "LocalVariableTable:" && !trimmed.starts_with("Start") && !trimmed.is_empty() {
            text.push_str(&format!("  local {}\n", trimmed.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    text
}

fn normalise_instruction(class: ClassName, printed: &str) -> String {
    if printed.contains("switch ") && printed.contains('{') {
        let cases: Vec<String> = printed.lines().skip(1).map(|line| line.replace(": ", ":").replace(' ', "")).collect();
        return format!("switch {}", cases.join(" "));
    }
    let (code, comment) =
        printed.split_once("//").map_or((printed, ""), |(code, comment)| (code.trim(), comment.trim()));
    let (mnemonic, operand) = code.split_once(char::is_whitespace).map_or((code, ""), |(m, o)| (m, o.trim()));
    let mnemonic = mnemonic.trim_end_matches("_w");
    match mnemonic {
        "ldc" | "ldc2" => normalise_constant(comment),
        "bipush" | "sipush" => format!("const int {operand}"),
        "aconst_null" => mnemonic.into(),
        "getstatic" | "putstatic" | "getfield" | "putfield" => {
            format!("{mnemonic} {}", qualified(class, comment.trim_start_matches("Field ")))
        }
        "invokedynamic" => format!("invokedynamic {}", unquoted(comment.trim_start_matches("InvokeDynamic "))),
        "multianewarray" => {
            let dimensions = operand.rsplit(' ').next().unwrap_or_default();
            format!("{mnemonic} {} {dimensions}", class_in(comment))
        }
        "new" | "anewarray" | "checkcast" | "instanceof" => format!("{mnemonic} {}", class_in(comment)),
        _ if mnemonic.starts_with("invoke") => {
            let (kind, callee) = comment.split_once(' ').unwrap_or_default();
            format!("{mnemonic} {kind} {}", qualified(class, callee))
        }
        _ if mnemonic.contains("const_") => {
            let (kind, value) = mnemonic.split_once("const_").unwrap_or_default();
            match kind {
                "i" => format!("const int {}", value.replace("m1", "-1")),
                "l" => format!("const long {value}"),
                "f" => "const float".into(),
                _ => "const double".into(),
            }
        }
        _ => {
            // `iload_1` and `wide` forms
            let short = mnemonic.split_once('_').filter(|(name, _)| name.ends_with("load") || name.ends_with("store"));
            let text = match short {
                Some((name, slot)) => format!("{name} {slot}"),
                None => format!("{mnemonic} {operand}"),
            };
            text.trim().to_owned()
        }
    }
}

fn normalise_constant(comment: &str) -> String {
    let (kind, value) = comment.split_once(' ').unwrap_or((comment, ""));
    match kind {
        "int" => format!("const int {value}"),
        "long" => format!("const long {}", value.trim_end_matches('l')),
        "class" => format!("const class {}", unquoted(value)),
        "MethodType" => format!("const MethodType {}", unquoted(value)),
        "Dynamic" => format!("const Dynamic {}", unquoted(value)),
        kind => format!("const {kind}"),
    }
}

fn class_in(comment: &str) -> String {
    unquoted(comment.trim_start_matches("class "))
}

/// `javap` leaves out the class of the class's own members.
fn qualified(class: ClassName, member: &str) -> String {
    let name = member.split(':').next().unwrap_or_default();
    if name.contains('.') { unquoted(member) } else { format!("{}.{}", class.as_internal(), unquoted(member)) }
}

/// `javap` quotes names that are not Java identifiers.
fn unquoted(text: &str) -> String {
    text.replace('"', "")
}
