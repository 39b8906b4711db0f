//! Methods that SymCrash calls hard, and their easy neighbours.

use analysis::{Hardness, Methods, hard_methods};
use program::{Cache, ClassName, ClassPath, Jdk, MethodRef, Program};
use std::path::Path;
use std::sync::Arc;

#[test]
fn hard_methods_are_told_from_easy_ones() {
    let directory = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hardness/hard/Cases.java");
    testing::compile(&[source], directory.path(), &["--release", "8", "-Xlint:-options"]);
    let class_path = ClassPath::parse([directory.path()]).unwrap();
    let jdk = Jdk::find(Some(&testing::jdks()[0].home)).unwrap();
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).unwrap();
    let methods = Methods::new(Arc::new(program));
    let class = methods.program().class(ClassName::from_dotted("hard.Cases")).unwrap();
    let all: Vec<MethodRef> = class
        .methods
        .iter()
        .map(|method| MethodRef { class: class.name, name: method.name, descriptor: method.descriptor })
        .collect();
    let hard = hard_methods(&methods, all.iter().copied());
    for method in all {
        let found: Vec<Hardness> = hard.get(&method).into_iter().flatten().copied().collect();
        let name = method.name.as_str();
        let expected = if name.starts_with("loop") {
            vec![Hardness::Loop]
        } else if name.starts_with("recursion") {
            vec![Hardness::Recursion]
        } else if name.starts_with("nested") {
            vec![Hardness::NestedPredicates]
        } else if name == "bodyless" {
            vec![Hardness::NoBody]
        } else {
            vec![]
        };
        assert_eq!(found, expected, "{name}");
    }
}
