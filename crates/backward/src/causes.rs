//! Where the trace says that the causes of the exception came from. A way that begins in a handler goes on before what threw there.

use analysis::Lowered;
use ir::BlockId;
use program::{ClassName, MethodRef};
use std::collections::BTreeMap;
use target::{Binding, CauseTarget, CrashTarget};

/// Places by method, as bytecode, and what came out of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Causes {
    places: BTreeMap<MethodRef, Vec<(u16, ClassName)>>,
}

impl Causes {
    pub(crate) fn of(target: &CrashTarget) -> Causes {
        let mut causes = Causes::default();
        target.causes.iter().for_each(|cause| causes.add(cause));
        causes
    }

    fn add(&mut self, cause: &CauseTarget) {
        let mut add = |method: MethodRef, bci: u16| {
            self.places.entry(method).or_default().push((bci, cause.exception));
        };
        for site in &cause.throw_sites {
            add(site.at.method, site.at.at.bci);
        }
        for frame in &cause.frames {
            let Binding::Bound { candidates, .. } = &frame.binding else { continue };
            for bound in candidates {
                bound.calls.iter().for_each(|bci| add(bound.method, *bci));
            }
        }
    }

    /// The places of the method that a cause came from and from which control comes to this handler; none if nothing is known of that.
    pub(crate) fn of_handler(&self, method: &Lowered, handler: BlockId) -> Vec<(u16, ClassName)> {
        let known = self.places.get(&method.reference()).map_or(&[][..], Vec::as_slice);
        let is_handled = |(bci, _): &&(u16, ClassName)| {
            let block = method.body.block_of(*bci).map(|block| method.body.block(block));
            block.is_some_and(|block| block.handlers.iter().any(|edge| edge.target == handler))
        };
        known.iter().filter(is_handled).copied().collect()
    }
}
