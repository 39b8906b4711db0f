//! How fast are recipes made? Items are recipes: one value of a random public type of commons-collections, warm.

use maker::{Choose, Hint, Maker, MakerConfig, MemberStatistics, Rng};
use objects::{AccessContext, Catalogue, Draft, Pool};
use program::{Cache, ClassName, ClassPath, Jdk, Program, Type};
use std::path::PathBuf;
use std::sync::Arc;

fn main() {
    divan::main();
}

#[divan::bench]
fn values_of_random_types(bencher: divan::Bencher<'_, '_>) {
    let jars = std::env::var_os("REENACT_JARS").expect("REENACT_JARS names the directory of the crash packs' jars");
    let jar = PathBuf::from(jars).join("commons-collections/commons-collections/3.1/commons-collections-3.1.jar");
    let class_path = ClassPath::parse([jar]).expect("the jar is there");
    let jdk = Jdk::find(None).expect("a JDK is installed");
    let (program, _) = Program::open(&class_path, jdk, &Cache::none()).expect("the jar can be opened");
    let program = Arc::new(program);
    let catalogue = Catalogue::new(Arc::clone(&program), &[]);
    let (pool, statistics) = (Pool::general(), MemberStatistics::default());
    let types: Vec<ClassName> = program
        .classes()
        .into_iter()
        .filter(|name| catalogue.cost(Type::Class(*name), AccessContext::public()).is_some())
        .collect();
    let mut rng = Rng::with_seed(1);
    let mut make = || {
        let ty = Type::Class(*rng.one(&types)?);
        let mut draft = Draft::new();
        let from = AccessContext::public();
        let mut maker = Maker {
            catalogue: &catalogue,
            pool: &pool,
            statistics: &statistics,
            rng: &mut rng,
            from,
            config: MakerConfig::default(),
        };
        maker.value(&mut draft, ty, Hint::not_null())?;
        Some(draft.finish())
    };
    (0..20_000).for_each(|_| drop(make()));
    bencher.counter(divan::counter::ItemsCount::new(1usize)).bench_local(make);
}
