//! The class reader on class files made for the purpose: every version, every odd instruction, every kind of damage.

mod common;

use common::class_builder::{ClassBuilder, CodeSpec};
use program::classfile::{BranchTest, Constant, Damage, ElementValue, Instruction, Kind, MethodOperand, Visibility};
use program::{Bytes, Class, ClassName, Instruction as I, Method, MethodRef, Symbol, Type};
use proptest::prelude::*;

fn read(bytes: Vec<u8>) -> Class {
    Class::read(&Bytes::from(bytes)).expect("the class can be read")
}

fn method<'a>(class: &'a Class, name: &str) -> &'a Method {
    class.methods_named(name).next().expect("the method is there")
}

fn instructions(class: &Class, name: &str) -> Vec<(u16, Instruction)> {
    let code = method(class, name).code().expect("the method has code").expect("its code can be read");
    code.instructions().collect::<Result<_, _>>().expect("all instructions can be decoded")
}

#[test]
fn every_version_is_read() {
    for major in 45..=75 {
        let code = CodeSpec { max_locals: 1, bytes: &[0xb1], ..CodeSpec::default() };
        let class = read(ClassBuilder::new("a/B").major(major).method(1, "run", "()V", &code).build());
        assert_eq!((class.major, class.name), (major, ClassName::internal("a/B")));
        assert_eq!(instructions(&class, "run"), [(0, I::Return(None))]);
    }
}

#[test]
fn header_and_members() {
    let class = ClassBuilder::new("a/B").extends("a/A").implements("a/I").implements("a/J").access(0x0420);
    let class = read(class.field(0x0002, "count", "I").abstract_method(0x0004, "run", "(J)V").build());
    assert_eq!(class.super_class, Some(ClassName::internal("a/A")));
    assert_eq!(class.interfaces, ["a/I", "a/J"].map(ClassName::internal));
    assert!(class.access.is_abstract() && !class.is_interface());
    assert_eq!(class.access.visibility(), Visibility::Package);
    assert_eq!(class.fields[0].reference().to_string(), "a.B.count");
    assert_eq!(class.fields[0].access.visibility(), Visibility::Private);
    let run = method(&class, "run");
    assert_eq!(run.reference(), MethodRef::new("a/B", "run", "(J)V"));
    assert!(run.access.is_abstract() && run.code().is_none());
    assert_eq!(class.line_span(), None);
}

#[test]
fn subroutines_and_wide_forms() {
    let code = CodeSpec {
        max_stack: 2,
        max_locals: 300,
        bytes: &[
            0xa8, 0, 5, // 0: jsr 5
            0xb1, 0x00, // 3: return, nop
            0x3a, 4, // 5: astore 4
            0xc4, 0x84, 1, 0, 0xff, 0x00, // 7: wide iinc 256 by -256
            0xc4, 0x19, 1, 1,    // 13: wide aload 257
            0x57, // 17: pop
            0xc9, 0xff, 0xff, 0xff, 0xf2, // 18: jsr_w 4
            0xc4, 0xa9, 0, 4, // 23: wide ret 4
        ],
        ..CodeSpec::default()
    };
    let class = read(ClassBuilder::new("Old").major(48).method(8, "run", "()V", &code).build());
    let expected = [
        (0, I::Jsr(5)),
        (3, I::Return(None)),
        (4, I::Nop),
        (5, I::Store(Kind::Reference, 4)),
        (7, I::Increment { slot: 256, by: -256 }),
        (13, I::Load(Kind::Reference, 257)),
        (17, I::Stack(program::classfile::StackOp::Pop)),
        (18, I::Jsr(4)),
        (23, I::Ret(4)),
    ];
    assert_eq!(instructions(&class, "run"), expected);
    assert!(!I::Jsr(5).falls_through() && I::Jsr(5).targets() == [5]);
}

#[test]
fn switches_and_branches() {
    let code = CodeSpec {
        max_stack: 1,
        max_locals: 1,
        bytes: &[
            0x1a, // 0: iload_0
            0xaa, 0, 0, 0, 0, 0, 27, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 27, 0, 0, 0,
            28, // 1: -1 → 28, 0 → 29
            0x00, 0x00, 0x00, 0x00, // 24
            0xb1, 0xb1, // 28, 29
            0x1a, // 30
            0xab, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 100, 0xff, 0xff, 0xff, 0xfd, // 31: 100 → 28
            0x9b, 0xff, 0xd0, // 48: iflt 0
            0xb1,
        ],
        ..CodeSpec::default()
    };
    let class = read(ClassBuilder::new("S").method(8, "run", "(I)V", &code).build());
    let code = method(&class, "run").code().unwrap().unwrap();
    assert_eq!(code.instruction_at(1).unwrap(), I::Switch { default: 28, cases: Box::new([(-1, 28), (0, 29)]) });
    assert_eq!(code.instruction_at(31).unwrap(), I::Switch { default: 31, cases: Box::new([(100, 28)]) });
    let test = BranchTest::IntZero(program::CompareOp::Lt);
    assert_eq!(code.instruction_at(48).unwrap(), I::If { test, target: 0 });
    assert_eq!(code.instruction_at(1).unwrap().targets(), [28, 28, 29]);
}

#[test]
fn operands_are_resolved() {
    let mut builder = ClassBuilder::new("C");
    let clone = builder.member_constant(10, "[I", "clone", "()Ljava/lang/Object;");
    let size = builder.member_constant(11, "java/util/List", "size", "()I");
    let long = builder.constant(&[&[5][..], &(-7i64).to_be_bytes()].concat());
    let text = builder.utf8("a\u{e9}");
    let string = builder.constant_of(8, &[text]);
    let array = builder.class_constant("[[Ljava/lang/String;");
    let hi = |index: u16| (index >> 8) as u8;
    let lo = |index: u16| index as u8;
    let bytes = [
        0xb6,
        hi(clone),
        lo(clone),
        0xb9,
        hi(size),
        lo(size),
        1,
        0,
        0x14,
        hi(long),
        lo(long),
        0x12,
        lo(string),
        0xc5,
        hi(array),
        lo(array),
        2,
        0xbc,
        10,
        0xc0,
        hi(array),
        lo(array),
        0x0e,
        0xb1,
    ];
    let code = CodeSpec { max_stack: 9, bytes: &bytes, ..CodeSpec::default() };
    let class = read(builder.method(8, "run", "()V", &code).build());
    let array = Type::parse("[[Ljava/lang/String;").unwrap();
    let code = instructions(&class, "run");
    let Instruction::Invoke { callee, .. } = code[0].1 else { panic!("{code:?}") };
    let object_clone = MethodRef::new("java/lang/Object", "clone", "()Ljava/lang/Object;");
    let int_array = Some(Type::array_of(Type::Int));
    assert_eq!(callee, MethodOperand { method: object_clone, interface: false, array: int_array });
    assert!(matches!(&code[1].1, I::Invoke { callee, .. } if callee.interface));
    assert_eq!(code[2].1, I::Const(Constant::Long(-7)));
    assert!(matches!(&code[3].1, I::Const(Constant::String(text)) if text.text() == "a\u{e9}"));
    assert_eq!(code[4].1, I::NewMultiArray { array, dimensions: 2 });
    assert_eq!(code[5].1, I::NewArray { component: Type::Int });
    assert_eq!(code[6].1, I::CheckCast(array));
    assert_eq!(code[7].1, I::Const(Constant::Double(0.0)));
}

#[test]
fn lines_are_those_of_hotspot() {
    let lines = [(0, 10), (4, 12), (2, 11), (6, 10), (6, 13)];
    let code = CodeSpec { bytes: &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0xb1], lines: &lines, ..CodeSpec::default() };
    let class = read(ClassBuilder::new("L").method(8, "run", "()V", &code).build());
    let run = method(&class, "run");
    let found: Vec<_> = (0..10).map(|bci| run.line_of(bci)).collect();
    // Of the two entries at 6, the first is for 6 itself and the last for what follows.
    assert_eq!(found, [10, 10, 11, 11, 12, 12, 10, 13, 13, 13].map(Some));
    assert_eq!(run.ranges_of_line(10), [0..2, 6..7]);
    assert_eq!(run.ranges_of_line(13), vec![std::ops::Range { start: 7, end: 10 }]);
    assert_eq!(run.ranges_of_line(99), []);
    assert_eq!(class.line_span(), Some((10, 13)));
}

#[test]
fn a_damaged_attribute_costs_only_itself() {
    let good = [0, 0, 0, 0, 0, 0, 0, 1, 0xb1, 0, 0, 0, 0];
    let class = ClassBuilder::new("D")
        .attribute("InnerClasses", &[0, 9])
        .attribute("Unknown", &[1, 2, 3])
        .attribute("SourceFile", &[0xff, 0xff])
        .method_with(1, "broken", "()V", &[("Code", &[0, 1])])
        .method_with(1, "fine", "()V", &[("Code", &good), ("Exceptions", &[0, 1])]);
    let class = read(class.build());
    let damages: Vec<String> = class.problems.iter().map(ToString::to_string).collect();
    assert_eq!(damages.len(), 2, "{damages:?}");
    assert!(damages[0].contains("class `D`: attribute InnerClasses cannot be read at byte "), "{}", damages[0]);
    assert!(damages[1].ends_with("constant 65535 does not exist"), "{}", damages[1]);
    let error = method(&class, "broken").code().unwrap().unwrap_err();
    assert_eq!(error.damage, Damage::Truncated);
    assert!(error.to_string().contains("attribute Code of `D.broken()`"), "{error}");
    assert_eq!(instructions(&class, "fine").len(), 1);
    assert!(method(&class, "fine").exceptions().is_err());
    assert_eq!(method(&class, "broken").exceptions(), Ok(vec![]));
}

#[test]
fn bad_code_is_told_with_its_place() {
    let cases: [(&[u8], &str); 6] = [
        (&[0x00, 0xfe], "opcode 0xfe is unknown"),
        (&[0xa7, 0, 9], "branch to 9, outside of the method's code"),
        (&[0xa7, 0xff, 0xff], "branch to -1, outside of the method's code"),
        (&[0xb6, 0, 0], "constant 0 does not exist"),
        (&[0xb6, 0], "the data ends too early"),
        (&[0xab, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff], "the data ends too early"),
    ];
    for (bytes, expected) in cases {
        let code = CodeSpec { bytes, ..CodeSpec::default() };
        let class = read(ClassBuilder::new("B").method(8, "run", "()V", &code).build());
        let code = method(&class, "run").code().unwrap().unwrap();
        let errors: Vec<String> = code.instructions().filter_map(Result::err).map(|error| error.to_string()).collect();
        assert_eq!(errors.len(), 1, "{bytes:?}");
        assert!(errors[0].ends_with(expected), "{}", errors[0]);
        assert!(errors[0].starts_with("class `B`: code of `B.run()` cannot be read at byte "), "{}", errors[0]);
    }
}

#[test]
fn annotations_nest_only_so_deep() {
    let mut builder = ClassBuilder::new("N");
    let (tag, element) = (builder.utf8("La/Mark;"), builder.utf8("value"));
    let three = builder.constant(&[3, 0, 0, 0, 3]);
    let mut plain = vec![0, 1];
    plain.extend([tag, 1, element].iter().flat_map(|n| n.to_be_bytes()));
    let mut deep = plain.clone();
    plain.push(b'I');
    plain.extend(three.to_be_bytes());
    (0..50_000).for_each(|_| deep.extend([b'[', 0, 1]));
    let fine = read(builder.attribute("RuntimeVisibleAnnotations", &plain).build());
    let annotation = &fine.annotations().unwrap()[0];
    assert_eq!(annotation.elements, [(Symbol::new("value"), ElementValue::Constant(Constant::Int(3)))]);
    assert!(annotation.visible && annotation.annotation_type == Type::class("a/Mark"));
    let mut builder = ClassBuilder::new("N");
    builder.utf8("La/Mark;");
    builder.utf8("value");
    let broken = read(builder.attribute("RuntimeVisibleAnnotations", &deep).build());
    assert_eq!(broken.annotations().unwrap_err().damage, Damage::TooDeep);
}

/// Asks for everything the reader can give.
fn read_everything(bytes: &[u8]) -> bool {
    let Ok(class) = Class::read(&Bytes::from(bytes.to_vec())) else { return false };
    let _ = (class.annotations(), class.signature(), class.line_span(), class.source_access());
    for field in &class.fields {
        let _ = (field.annotations(), field.signature(), field.constant_value());
    }
    for method in &class.methods {
        let _ = (method.annotations(), method.parameter_annotations(), method.annotation_default());
        let _ = (method.exceptions(), method.parameters(), method.parameter_names(), method.signature());
        if let Some(Ok(code)) = method.code() {
            let _: usize = code.instructions().flatten().map(|(_, step)| step.targets().len()).sum();
            let lines: Vec<u16> = code.lines.iter().map(|entry| entry.line).collect();
            lines.iter().take(20).for_each(|line| drop(code.ranges_of_line(*line)));
        }
    }
    true
}

/// A real class with lambdas, records, switches and annotations, from the JDK at hand.
fn real_class(name: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let (program, _) = common::open(&[directory.path()]);
    program.class_bytes(ClassName::internal(name)).expect("the JDK has the class").to_vec()
}

#[test]
fn a_class_cut_anywhere_is_no_panic() {
    for name in ["java/util/Optional", "java/lang/Deprecated", "java/util/concurrent/TimeUnit"] {
        let whole = real_class(name);
        assert!(read_everything(&whole));
        for length in 0..whole.len() {
            read_everything(&whole[..length]);
        }
    }
}

proptest! {
    #[test]
    fn a_mutated_class_is_no_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        use std::sync::LazyLock;
        static CLASSES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
            ["java/util/Optional", "java/lang/invoke/MethodType", "java/lang/Deprecated"].map(real_class).into()
        });
        for class in CLASSES.iter() {
            let mut mutated = class.clone();
            for (at, value) in &changes {
                let at = at.index(mutated.len());
                mutated[at] = *value;
            }
            read_everything(&mutated);
        }
    }

    #[test]
    fn any_bytes_are_no_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_everything(&bytes);
        let magic = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52];
        bytes.splice(0..0, magic);
        read_everything(&bytes);
    }
}
