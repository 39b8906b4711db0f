//! The main job on a bundled crash: a real trace of commons-collections 3.1, whose jar is fetched.

use crate::{fetch, tools};
use anyhow::Result;

const CRASH: &str = "ACC-48";
const JAR: &str = "commons-collections:commons-collections:3.1";

pub(crate) fn demo() -> Result<()> {
    tools::require_jdk()?;
    let jars = fetch::packs(&[CRASH.to_owned()])?;
    tools::run(tools::cargo().args(["build", "--release", "--quiet", "--package", "cli"]))?;
    let mut reenact = tools::command(tools::root().join("target/release/reenact"));
    reenact.arg(format!("packs/seeds/traces/{CRASH}.log")).arg("-c").arg(fetch::jar_path(&jars, JAR));
    println!("$ {}", shown(&reenact));
    tools::run(&mut reenact)
}

fn shown(command: &std::process::Command) -> String {
    let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
    format!("reenact {}", args.join(" "))
}
