//! The main job on a bundled crash: a real trace of commons-collections 3.1, whose jar is fetched.

use crate::{fetch, solver, tools};
use anyhow::Result;

const CRASH: &str = "ACC-48";
const JAR: &str = "commons-collections:commons-collections:3.1";

pub(crate) fn demo() -> Result<()> {
    tools::require_jdk()?;
    let jars = fetch::packs(&[CRASH.to_owned()])?;
    // Without one the other engines work all the same.
    if let Err(problem) = solver::solver() {
        eprintln!("{problem:#}");
    }
    let trace = format!("packs/seeds/traces/{CRASH}.log");
    let jar = fetch::jar_path(&jars, JAR);
    let mut reenact = tools::cargo();
    reenact.args(["run", "--release", "--quiet", "--package", "cli", "--", &trace, "-c"]).arg(&jar);
    println!("$ reenact {trace} -c {}", jar.display());
    tools::run(&mut reenact)
}
