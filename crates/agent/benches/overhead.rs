//! What recording costs: processor time of programs with the recorder over that without, in pairs

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use testing::Jdk;

/// Pairs of runs; `REENACT_PAIRS` says otherwise.
const PAIRS: usize = 12;

fn main() {
    let pairs = std::env::var("REENACT_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(PAIRS);
    let directory = tempfile::tempdir().unwrap();
    let classes = directory.path().join("classes");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs/Load.java");
    std::fs::create_dir(&classes).unwrap();
    testing::compile(&[source], &classes, &["-g", "-nowarn"]);
    let input = directory.path().join("input.txt");
    write_input(&input);
    let recordings = directory.path().join("recordings");
    let bench = Bench { classes, input, recordings };
    println!("{:<9} {:<8} {:<6} {:>6}  95 % interval   ({pairs} pairs)", "JDK", "program", "level", "ratio");
    for jdk in testing::jdks() {
        for program in ["read", "strings"] {
            for level in ["stack", "calls", "hard"] {
                let ratios: Vec<f64> = (0..pairs).map(|pair| bench.ratio(&jdk, program, level, pair)).collect();
                let (mean, low, high) = interval(&ratios);
                println!("{:<9} {program:<8} {level:<6} {mean:>6.3}  {low:.3} to {high:.3}", jdk.major);
            }
        }
        for level in ["stack", "calls", "hard"] {
            let longer: Vec<f64> = (0..pairs).map(|pair| bench.longer_start(&jdk, level, pair)).collect();
            println!("{:<9} start    {level:<6} {:>+6.1} ms longer (median)", jdk.major, median(longer));
        }
    }
}

struct Bench {
    classes: PathBuf,
    input: PathBuf,
    recordings: PathBuf,
}

impl Bench {
    /// Which of the two comes first changes from pair to pair.
    fn ratio(&self, jdk: &Jdk, program: &str, level: &str, pair: usize) -> f64 {
        let (plain, recorded) = if pair.is_multiple_of(2) {
            let plain = self.cpu(jdk, program, None);
            (plain, self.cpu(jdk, program, Some(level)))
        } else {
            let recorded = self.cpu(jdk, program, Some(level));
            (self.cpu(jdk, program, None), recorded)
        };
        recorded / plain
    }

    fn longer_start(&self, jdk: &Jdk, level: &str, pair: usize) -> f64 {
        let time = |level| {
            let started = Instant::now();
            self.cpu(jdk, "nothing", level);
            started.elapsed().as_secs_f64() * 1000.0
        };
        if pair.is_multiple_of(2) {
            let plain = time(None);
            time(Some(level)) - plain
        } else {
            time(Some(level)) - time(None)
        }
    }

    /// The processor time that the program says it took.
    fn cpu(&self, jdk: &Jdk, program: &str, level: Option<&str>) -> f64 {
        let mut java = jdk.java();
        if let Some(level) = level {
            let library = std::env::current_exe().unwrap().with_file_name(reenact::LIBRARY);
            java.arg(format!("-agentpath:{}=level={level},dir={}", library.display(), self.recordings.display()));
        }
        java.arg("-cp").arg(&self.classes).args(["Load", program]).arg(&self.input);
        let out = testing::run(&mut java);
        out.lines().nth(1).and_then(|nanos| nanos.parse().ok()).expect("the program prints its time")
    }
}

fn write_input(path: &Path) {
    let mut dice = 1u64;
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for line in 0..200_000 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let name = dice >> 50;
        writeln!(out, "{line};Part-{name} ;{};in-Stock;{}", dice >> 40 & 0xffff, name % 7).unwrap();
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The geometric mean with Student's interval, for about a dozen values.
fn interval(ratios: &[f64]) -> (f64, f64, f64) {
    const STUDENT: f64 = 2.2;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let half = STUDENT * (variance / count).sqrt();
    (mean.exp(), (mean - half).exp(), (mean + half).exp())
}
