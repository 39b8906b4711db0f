//! How fast a program is opened and indexed, beside what any tool would need at least: reading the bytes and unzipping the classes.
//! Needs the crash jars: `REENACT_JARS=DIR cargo bench -p program`, or `cargo xtask bench`. Ratios come first, because times depend on
//! the machine; divan's statistics of single operations follow.

use divan::Bencher;
use divan::counter::ItemsCount;
use program::{Cache, ClassName, ClassPath, Jdk, MethodRef, Program};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    // `cargo test` only wants to know that the benchmarks run.
    if !std::env::args().any(|argument| argument == "--test") {
        print_ratios();
    }
    divan::main();
}

/// One round of everything a server product needs, on both JDKs: the crash jars have more classes than most have.
fn print_ratios() {
    let jars = jars();
    let jdks = Jdk::list();
    let images: Vec<PathBuf> =
        jdks.iter().map(|jdk| jdk.home.join("lib/modules")).filter(|image| image.is_file()).collect();
    let all: Vec<PathBuf> = jars.iter().chain(&images).cloned().collect();
    let (bytes, reading) = best_of(3, || all.par_iter().map(|file| read_through(file)).sum::<u64>());
    let (unzipped, unzipping) = best_of(3, || jars.par_iter().map(|jar| unzip_classes(jar)).sum::<u64>());
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let cache = Cache::at(directory.path());
    let (classes, cold) = best_of(3, || {
        cache.clear().expect("the cache can be cleared");
        index_all(&jars, &jdks, &cache)
    });
    let (_, warm) = best_of(5, || index_all(&jars, &jdks, &cache));
    let (_, opening) = best_of(5, || jdks.iter().for_each(|jdk| drop(open(&jars, jdk.clone(), &cache))));
    let (_, calls_cold) = best_of(1, || count_callers(&open(&jars, jdks[0].clone(), &cache)));
    let (_, calls_warm) = best_of(3, || count_callers(&open(&jars, jdks[0].clone(), &cache)));
    let base = (reading + unzipping).as_secs_f64();
    println!(
        "{} jars and {} JDK images, {} MB; {} MB of classes unzipped; {classes} classes",
        jars.len(),
        images.len(),
        bytes >> 20,
        unzipped >> 20
    );
    println!("cache: {:?}\n", cache.size().expect("the cache can be read"));
    println!("{:<44} {:>10} {:>28}", "", "time", "ratio to reading + unzipping");
    for (what, time) in [
        ("reading all bytes", reading),
        ("unzipping the jars' classes", unzipping),
        ("opening and indexing, cold", cold),
        ("opening and indexing, warm", warm),
        ("opening alone", opening),
        ("first callers query, calls not yet indexed", calls_cold),
        ("first callers query, calls indexed", calls_warm),
    ] {
        println!("{what:<44} {:>7.1} ms {:>28.3}", time.as_secs_f64() * 1e3, time.as_secs_f64() / base);
    }
    println!();
}

fn best_of<T>(rounds: usize, mut work: impl FnMut() -> T) -> (T, Duration) {
    let timed = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        let result = work();
        (result, start.elapsed())
    };
    let mut best = timed(&mut work);
    for _ in 1..rounds {
        let next = timed(&mut work);
        if next.1 < best.1 {
            best = next;
        }
    }
    best
}

fn read_through(path: &Path) -> u64 {
    let mut file = File::open(path).expect("the file can be read");
    let mut buffer = vec![0; 1 << 20];
    let mut sum = 0;
    while let Ok(count @ 1..) = file.read(&mut buffer) {
        sum += count as u64;
    }
    sum
}

fn unzip_classes(jar: &Path) -> u64 {
    let file = File::open(jar).expect("the jar can be read");
    let mut archive = zip::ZipArchive::new(std::io::BufReader::new(file)).expect("the jar is a zip archive");
    let mut buffer = Vec::new();
    let mut sum = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("the entry is there");
        if entry.name().is_ok_and(|name| name.ends_with(".class")) {
            buffer.clear();
            sum += entry.read_to_end(&mut buffer).expect("the entry can be read") as u64;
        }
    }
    sum
}

fn index_all(jars: &[PathBuf], jdks: &[Jdk], cache: &Cache) -> usize {
    let first = open(jars, jdks[0].clone(), cache).index_classes();
    // The other JDKs beside the smallest jar.
    let small = smallest(jars);
    first
        + jdks[1..]
            .iter()
            .map(|jdk| open(std::slice::from_ref(&small), jdk.clone(), cache).index_classes())
            .sum::<usize>()
}

fn open(jars: &[PathBuf], jdk: Jdk, cache: &Cache) -> Program {
    let class_path = ClassPath::parse(jars).expect("the jars exist");
    Program::open(&class_path, jdk, cache).expect("the jars can be opened").0
}

fn count_callers(program: &Program) -> usize {
    program
        .callers(MethodRef::new("org/apache/commons/lang3/StringUtils", "isEmpty", "(Ljava/lang/CharSequence;)Z"))
        .len()
}

fn jars() -> Vec<PathBuf> {
    let directory = std::env::var_os("REENACT_JARS").expect("REENACT_JARS is not set: run `cargo xtask bench`");
    let mut jars = Vec::new();
    collect(Path::new(&directory), &mut jars);
    jars.sort();
    jars
}

fn collect(directory: &Path, jars: &mut Vec<PathBuf>) {
    for path in fs::read_dir(directory).expect("the directory can be read").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, jars);
        } else if path.extension().is_some_and(|extension| extension == "jar") {
            jars.push(path);
        }
    }
}

fn smallest(jars: &[PathBuf]) -> PathBuf {
    jars.iter()
        .min_by_key(|jar| fs::metadata(jar).map_or(u64::MAX, |metadata| metadata.len()))
        .expect("there are jars")
        .clone()
}

fn jdk() -> Jdk {
    Jdk::find(None).expect("there is a JDK")
}

/// What `reenact check` pays before it does anything.
#[divan::bench]
fn open_a_small_jar(bencher: Bencher<'_, '_>) {
    let jar = [smallest(&jars())];
    bencher.bench(|| open(&jar, Jdk::find(None).expect("there is a JDK"), &Cache::none()));
}

#[divan::bench]
fn look_up_and_read_classes_of_the_jdk(bencher: Bencher<'_, '_>) {
    let names = ["java/util/HashMap", "java/lang/String", "java/util/ArrayList", "java/util/regex/Pattern"];
    let jar = [smallest(&jars())];
    let open_program = || open(&jar, jdk(), &Cache::none());
    bencher.counter(ItemsCount::new(names.len())).with_inputs(open_program).bench_refs(|program| {
        names.map(|name| program.class(ClassName::internal(name)).expect("the JDK has it").methods.len())
    });
}

#[divan::bench]
fn decode_instructions(bencher: Bencher<'_, '_>) {
    let program = open(&[smallest(&jars())], jdk(), &Cache::none());
    let class = program.class(ClassName::internal("java/util/regex/Pattern")).expect("the JDK has it");
    let count = || {
        class
            .methods
            .iter()
            .filter_map(|method| method.readable_code())
            .map(|code| code.instructions().count())
            .sum::<usize>()
    };
    bencher.counter(ItemsCount::new(count())).bench(count);
}
