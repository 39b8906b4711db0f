//! Everything that the analyses say about small bodies, as text beside each other.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use analysis::{Approach, Cfg, ControlDependence, DefUse, Definition, Dominators, Loops, PostDominators, Via};
use ir::{BlockId, Body};
use std::fmt::Write;

#[test]
fn of_cases() {
    insta::glob!("cases/*.ir", |path| {
        let body = ir::read(&std::fs::read_to_string(path).unwrap()).unwrap();
        ir::verify(&body).unwrap();
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(report(&body));
        });
    });
}

fn report(body: &Body) -> String {
    let cfg = Cfg::of(body);
    let dominators = Dominators::of(&cfg);
    let post = PostDominators::of(&cfg);
    let dependence = ControlDependence::of(&cfg, &post);
    let loops = Loops::of(&cfg, &dominators);
    let mut text = format!("order: {}\n", list(cfg.reverse_post_order()));
    for block in cfg.blocks() {
        let immediate = dominators.immediate(block).map_or("-".into(), |id| id.to_string());
        let later = post.immediate(block).map_or("end".into(), |id| id.to_string());
        let depends: Vec<String> = dependence
            .of_block(block)
            .iter()
            .map(|found| match found.edge.via {
                Via::Jump(outcome) => format!("{}/{outcome}", found.on),
                Via::Exception(handler) => format!("{}/exception {handler}", found.on),
            })
            .collect();
        let depends = depends.join(", ");
        let depth = loops.depth(block);
        writeln!(text, "{block}: below {immediate}, before {later}, in {depth} loops, depends on [{depends}]").unwrap();
    }
    for natural in loops.all() {
        let (header, latches, blocks) = (natural.header, list(&natural.latches), list(&natural.blocks));
        writeln!(text, "loop {header}: from {latches}, blocks {blocks}").unwrap();
    }
    for (from, to) in loops.irreducible() {
        writeln!(text, "irreducible: {from} to {to}").unwrap();
    }
    text + &definitions(body, &cfg) + &approaches(body, &dominators, &dependence)
}

fn definitions(body: &Body, cfg: &Cfg) -> String {
    let def_use = DefUse::of(body, cfg);
    let mut text = String::new();
    for definition in def_use.definitions() {
        let Definition { var, at } = definition;
        let place = at.map_or("entry".into(), |at| at.to_string());
        let uses: Vec<String> = def_use.uses(*definition).iter().map(ToString::to_string).collect();
        writeln!(text, "{var} {place}: read by {}", uses.join(", ")).unwrap();
    }
    text
}

fn approaches(body: &Body, dominators: &Dominators, dependence: &ControlDependence) -> String {
    let mut text = String::new();
    for block in body.block_ids() {
        let approach = Approach::to_block(body, dominators, dependence, block);
        assert_eq!(Some(&approach), Approach::new(body, body.block(block).start).as_ref());
        let level = |level: &Option<u32>| level.map_or("away".into(), |level| level.to_string());
        let branches: Vec<String> = approach
            .branches()
            .map(|(bci, levels)| format!("@{bci} [{}]", levels.iter().map(level).collect::<Vec<_>>().join(", ")))
            .collect();
        writeln!(text, "to {block}: {}", branches.join(" ")).unwrap();
    }
    text
}

fn list(blocks: &[BlockId]) -> String {
    blocks.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
