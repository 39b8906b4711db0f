//! The reader against every class there is: all jars of the crash packs and the JDKs of this machine.

mod common;

use common::crash_jars;
use program::{Cache, Class, ClassName, ClassPath, Jdk, Program};

#[derive(Debug, Default)]
struct Count {
    classes: usize,
    methods: usize,
    instructions: usize,
    problems: Vec<String>,
}

impl Count {
    fn add(&mut self, class: &Class) {
        self.classes += 1;
        self.problems.extend(class.problems.iter().map(ToString::to_string));
        for method in &class.methods {
            self.methods += 1;
            match method.code() {
                None => {}
                Some(Err(error)) => self.problems.push(error.to_string()),
                Some(Ok(code)) => {
                    self.problems.extend(code.problems.iter().map(ToString::to_string));
                    for step in code.instructions() {
                        match step {
                            Ok(_) => self.instructions += 1,
                            Err(error) => self.problems.push(error.to_string()),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_class_of_the_crash_jars_can_be_read() {
    let jars = crash_jars();
    let class_path = ClassPath::parse(&jars).unwrap();
    let (program, problems) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
    assert_eq!(problems, []);
    check(&program, &program.classes());
}

#[test]
fn every_class_of_the_jdks_can_be_read() {
    let jdks = Jdk::list();
    assert!(!jdks.is_empty(), "no JDK found");
    for jdk in jdks {
        let jars = crash_jars();
        let class_path = ClassPath::parse(&jars[..1]).unwrap();
        let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
        let names = program.jdk_classes();
        assert!(names.len() > 5_000, "{} classes", names.len());
        check(&program, &names);
    }
}

fn check(program: &Program, names: &[ClassName]) {
    let mut count = Count::default();
    for name in names {
        if let Some(class) = program.class(*name) {
            count.add(&class);
        }
    }
    println!(
        "{} names, {} classes, {} methods, {} instructions",
        names.len(),
        count.classes,
        count.methods,
        count.instructions
    );
    assert_eq!(program.problems(), []);
    assert_eq!(count.problems, [""; 0]);
    assert_eq!(count.classes, names.len());
}
