//! temporary: no probes
use jvm_host::wire::{Decoder, Encoder};
use recipe::{Cost, Observation, ProbePlan, Recipe, Runner, RunnerError};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
pub(crate) struct Plain {
    child: Child,
    enc: Encoder,
    dec: Decoder,
}
impl Plain {
    #[allow(clippy::disallowed_methods)]
    pub(crate) fn start(home: &std::path::Path, cp: &str) -> Plain {
        let child = Command::new(home.join("bin/java"))
            .args([
                "-XX:-OmitStackTraceInFastThrow",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                "/work/wt/evolve/crates/jvm-host/java/classes:/tmp/batch",
                "reenact.host.BatchMain",
                cp,
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Plain { child, enc: Encoder::default(), dec: Decoder::default() }
    }
}
impl Runner for Plain {
    fn run(&mut self, recipes: &[Recipe], plan: &ProbePlan) -> Result<Vec<Observation>, RunnerError> {
        if recipes.is_empty() {
            return Ok(vec![]);
        }
        let b = self.enc.batch(recipes);
        let i = self.child.stdin.as_mut().unwrap();
        i.write_all(&(b.len() as u32).to_be_bytes()).unwrap();
        i.write_all(&b).unwrap();
        i.flush().unwrap();
        let mut out = vec![];
        loop {
            let o = self.child.stdout.as_mut().unwrap();
            let mut l = [0; 4];
            o.read_exact(&mut l).unwrap();
            let mut v = vec![0; u32::from_be_bytes(l) as usize];
            o.read_exact(&mut v).unwrap();
            if v.is_empty() {
                break;
            }
            for a in self.dec.answers(&v).unwrap() {
                out.push(Observation {
                    end: a.end,
                    lines: vec![],
                    branches: vec![],
                    conditions: vec![None; plan.conditions.len()],
                    cost: Cost::default(),
                })
            }
        }
        Ok(out)
    }
}
