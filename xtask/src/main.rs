//! The project's own chores: `cargo xtask demo`, `cargo xtask test` and what they need.

mod bugredux;
mod demo;
mod deny;
mod fetch;
mod java;
mod links;
mod mentions;
mod metadata;
mod solver;
mod suite;
mod tidy;
mod tools;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser, Debug)]
#[command(name = "cargo xtask", about = "Chores of the Reenact project")]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand, Debug)]
enum Chore {
    /// Reproduce a bundled crash and show the test that was written; set-up included
    Demo,
    /// Format, lints, tidiness and all tests, with the jars of the crash packs fetched first
    Test {
        /// Run the tests that need a JVM on this JDK
        #[arg(long, value_name = "HOME")]
        jdk: Option<PathBuf>,
        /// Only the tests: no format, lints and tidiness
        #[arg(long)]
        only_tests: bool,
    },
    /// Download the jars of the crash packs into the cache directory, and say where that is
    Fetch {
        /// Only these crashes
        #[arg(long, value_name = "ID,..", value_delimiter = ',')]
        only: Vec<String>,
        /// Another pack instead of the bundled ones
        #[arg(long, value_name = "PACK.json")]
        pack: Option<PathBuf>,
    },
    /// Install the solver Z3 into the tool's cache unless one is there, and say where it is
    Solver,
    /// Check that crates depend on each other as ARCHITECTURE.md says, that every dependency is used, and licences, sources and versions
    /// of third-party crates as deny.toml says; and that pages point at things that exist
    Tidy,
    /// Compare what symbolic execution says of bytecode and of the library with the JVM, on large numbers of bodies and inputs
    Soundness {
        /// Generated method bodies
        #[arg(long, default_value_t = 100_000)]
        bodies: usize,
        /// Calls of each modelled library method
        #[arg(long, default_value_t = 10_000)]
        inputs: usize,
        /// Runs of each case
        #[arg(long, default_value_t = 2000)]
        runs: usize,
    },
    /// Kill recorded programs at any moment and take their disk away, and damage recordings for their reader, in large numbers
    Field {
        /// Runs of each ending
        #[arg(long, default_value_t = 1000)]
        runs: usize,
        /// Damaged recordings
        #[arg(long, default_value_t = 10_000_000)]
        inputs: usize,
    },
    /// Record the programs of the conditions pack, and print how far each kind of goals leads (BugRedux, Table III)
    Bugredux {
        /// Only these crashes
        #[arg(long, value_name = "ID,..", value_delimiter = ',')]
        only: Vec<String>,
        /// Time for each kind of goals of each crash
        #[arg(long, default_value = "60s")]
        budget: String,
    },
    /// Run the speed benchmarks, a section each, all in one run
    Bench {
        /// Only these sections, by the names of the files in `benches`
        #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
        only: Vec<String>,
    },
    /// Compile the Java classes that run inside the workers and other JVMs, and say whether the committed ones are current
    Java {
        /// Replace the committed class files
        #[arg(long)]
        bless: bool,
    },
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<()> {
    match args.chore {
        Chore::Demo => demo::demo(),
        Chore::Test { jdk, only_tests } => suite::test(jdk.as_deref(), only_tests),
        Chore::Fetch { only, pack } => {
            let jars = match pack {
                Some(pack) => fetch::pack(&pack, &only)?,
                None => fetch::packs(&only)?,
            };
            println!("{}", jars.display());
            Ok(())
        }
        Chore::Solver => {
            println!("{}", solver::solver()?.display());
            Ok(())
        }
        Chore::Soundness { bodies, inputs, runs } => suite::soundness(bodies, inputs, runs),
        Chore::Field { runs, inputs } => suite::field(runs, inputs),
        Chore::Bugredux { only, budget } => bugredux::table(&only, &budget),
        Chore::Tidy => tidy::tidy(),
        Chore::Bench { only } => suite::bench(&only),
        Chore::Java { bless } => java::classes(bless),
    }
}
