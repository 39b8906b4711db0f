//! Lowering, verifying, printing and reading all methods of `java.util`, beside decoding their bytecode alone.

use divan::Bencher;
use ir::Body;
use program::{Cache, Class, ClassPath, Jdk, Method, Program};
use std::path::Path;
use std::sync::Arc;

fn main() {
    divan::main();
}

fn classes() -> Vec<Arc<Class>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/lines");
    let class_path = ClassPath::parse([here]).expect("the cases are there");
    let jdk = Jdk::find(None).expect("a JDK is needed");
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).expect("the JDK can be read");
    let mut names = program.jdk_classes();
    names.retain(|name| name.package() == "java/util");
    names.into_iter().filter_map(|name| program.class(name)).collect()
}

fn methods(classes: &[Arc<Class>]) -> Vec<&Method> {
    let methods = classes.iter().flat_map(|class| &class.methods);
    methods.filter(|method| method.readable_code().is_some()).collect()
}

fn bodies() -> Vec<Body> {
    methods(&classes()).into_iter().filter_map(|method| ir::lower(method).ok()).collect()
}

#[divan::bench]
fn decode_only(bencher: Bencher<'_, '_>) {
    let classes = classes();
    let methods = methods(&classes);
    bencher.counter(methods.len()).bench(|| {
        let codes = methods.iter().filter_map(|method| method.readable_code());
        codes.map(|code| code.instructions().count()).sum::<usize>()
    });
}

#[divan::bench]
fn lower(bencher: Bencher<'_, '_>) {
    let classes = classes();
    let methods = methods(&classes);
    bencher.counter(methods.len()).bench(|| methods.iter().filter_map(|method| ir::lower(method).ok()).count());
}

#[divan::bench]
fn verify(bencher: Bencher<'_, '_>) {
    let bodies = bodies();
    bencher.counter(bodies.len()).bench(|| bodies.iter().filter(|body| ir::verify(body).is_ok()).count());
}

#[divan::bench]
fn print_and_read(bencher: Bencher<'_, '_>) {
    let bodies = bodies();
    bencher.counter(bodies.len()).bench(|| bodies.iter().filter(|body| ir::read(&format!("{body:#}")).is_ok()).count());
}
