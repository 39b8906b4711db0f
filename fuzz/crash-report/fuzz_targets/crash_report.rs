//! Any bytes: parsing, choosing, printing and comparing do not panic, and a crash compared with itself is the same crash.

#![no_main]

use crash_report::{Comparing, Grade, choose, compare, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let report = parse(data);
    let how = Comparing {
        is_application: &|_| true,
        is_test: &|_| false,
        lines: true,
        reachable: None,
        same_statement: None,
        same_template: None,
    };
    for trace in &report.traces {
        assert!(trace.place.offset <= data.len() as u64 * 2);
        for block in trace.blocks() {
            let _ = block.to_string();
        }
        let comparison = compare(&trace.throwable, &trace.throwable, &how);
        let is_named = trace.throwable.chain().all(|thrown| thrown.name().is_some());
        assert!(comparison.exact.of == 0 || !is_named || comparison.exact.grade == Grade::FullStack);
    }
    for problem in &report.problems {
        let _ = problem.to_string();
    }
    if let Err(why) = choose(&report, &|class| class.starts_with("org."), None, None) {
        let _ = why.to_string();
    }
});
