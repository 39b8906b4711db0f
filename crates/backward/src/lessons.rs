//! What runs have taught: a candidate threw something else than the crash, where a condition had passed by what may throw. From then on the
//! calls that it went through, and the place, are not passed by: what is derived says when they return.
//!
//! So conditions stay short where that does no harm, and the JVM says where it does.

use analysis::Lowered;
use ir::Instr;
use program::MethodRef;
use recipe::StackFrame;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;
use symbolic::World;

#[derive(Debug, Default)]
pub(crate) struct Lessons {
    /// Bytecodes that must not be passed by.
    places: FxHashSet<(MethodRef, u16)>,
}

impl Lessons {
    /// Whether what is there has thrown.
    pub(crate) fn heeds(&self, method: &Lowered, instr: &Instr) -> bool {
        !self.places.is_empty() && self.places.contains(&(method.reference(), instr.id.bci))
    }

    /// Takes up the stack of something that was thrown, top first; gives the methods of which something new is known.
    pub(crate) fn learn(&mut self, world: &World, stack: &[StackFrame]) -> BTreeSet<MethodRef> {
        let mut taught = BTreeSet::new();
        let above = std::iter::once(None).chain(stack.iter().map(Some));
        for (frame, above) in stack.iter().take_while(|frame| !frame.is_test).zip(above) {
            for method in methods_of(world, frame) {
                for bci in places(&method, frame, above) {
                    if self.places.insert((method.reference(), bci)) {
                        taught.insert(method.reference());
                    }
                }
            }
        }
        taught
    }
}

/// The methods that the frame may be in: it does not say with which parameters.
fn methods_of(world: &World, frame: &StackFrame) -> Vec<Arc<Lowered>> {
    let Some(class) = world.program().class(frame.class) else { return Vec::new() };
    let named = class.methods.iter().filter(|method| method.name == frame.method);
    named.filter_map(|method| world.methods.get(method.reference())).collect()
}

/// Where in the method the frame was: at a call of the method above it, or, on the top, on the line. Where there are no lines, every such
/// call counts.
fn places(method: &Lowered, frame: &StackFrame, above: Option<&StackFrame>) -> BTreeSet<u16> {
    let body = &method.body;
    let is_there = |bci: &u16| frame.line.is_none() || body.line_of(*bci) == frame.line;
    let on_line: Vec<u16> = body.bytecodes().filter(is_there).collect();
    let Some(above) = above else { return on_line.into_iter().filter(|_| frame.line.is_some()).collect() };
    let is_call = |bci: &u16, is_it: &dyn Fn(&ir::Callee) -> bool| {
        let mut calls = body.instrs_at(*bci).iter().filter_map(|instr| instr.op.call());
        calls.any(|(callee, _)| is_it(callee))
    };
    let of_name =
        |callee: &ir::Callee| matches!(callee, ir::Callee::Method { method, .. } if method.name == above.method);
    let named: BTreeSet<u16> = on_line.iter().copied().filter(|bci| is_call(bci, &of_name)).collect();
    // By reflection, or from native code.
    let any = || on_line.iter().copied().filter(|bci| is_call(bci, &|_| true)).collect();
    if named.is_empty() { any() } else { named }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use analysis::Methods;
    use program::{Cache, ClassName, ClassPath, Jdk, Program};

    fn frame(class: &str, method: &str, is_test: bool) -> StackFrame {
        StackFrame { class: ClassName::internal(class), method: program::Symbol::new(method), line: None, is_test }
    }

    #[test]
    fn calls_on_the_stack_are_heeded_down_to_the_test_each_once() {
        let empty = tempfile::tempdir().unwrap();
        let class_path = ClassPath::parse([empty.path()]).unwrap();
        let program = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap().0;
        let world = World::new(Arc::new(Methods::new(Arc::new(program))));
        let stack = [
            frame("java/util/Objects", "checkIndex", false),
            frame("java/util/ArrayList", "get", false),
            frame("java/util/Collections$UnmodifiableList", "get", true),
        ];
        let mut lessons = Lessons::default();
        let get = MethodRef::new("java/util/ArrayList", "get", "(I)Ljava/lang/Object;");
        assert_eq!(lessons.learn(&world, &stack), BTreeSet::from([get]));
        assert!(lessons.learn(&world, &stack).is_empty());
        let method = world.methods.get(get).unwrap();
        let instrs = method.body.blocks.iter().flat_map(|block| &block.instrs);
        let heeded: Vec<&Instr> = instrs.filter(|instr| lessons.heeds(&method, instr)).collect();
        let named = |instr: &&Instr| matches!(instr.op.call(), Some((ir::Callee::Method { method, .. }, _)) if method.name.as_str() == "checkIndex");
        assert!(!heeded.is_empty() && heeded.iter().any(named));
    }
}
