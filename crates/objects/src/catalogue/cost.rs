//! How many statements does a value take at least? Defined by depth, so that cyclic types (a constructor that needs its
//! own type) end, and so that an answer never depends on what was asked before.

use super::{Catalogue, How, Way};
use crate::access::AccessContext;
use program::{ClassName, Method, Type};

impl Catalogue {
    /// The number of statements that the cheapest way takes, with values inside of values down to that depth.
    pub fn cost_within(&self, ty: Type, depth: u8, from: AccessContext) -> Option<u32> {
        match ty {
            Type::Class(class) => self.costs.get_or((ty, depth, from), || {
                // Most of the classes that are priced are never made: they need not be looked at as closely.
                if self.is_made_at_once(class, from) {
                    return Some(1);
                }
                let ways = self.found(class, from);
                let mut best: Option<u32> = None;
                for way in ways.iter() {
                    // A way with n values to make takes n statements at the very least, unless they are literals.
                    if best != Some(1) && best != Some(0) {
                        best = [best, self.cost_of_way(way, depth, from)].into_iter().flatten().min();
                    }
                }
                best
            }),
            // An empty array always works.
            Type::Array(_) => Some(1),
            _ => Some(0),
        }
    }

    /// Whether a constructor makes it that takes nothing but literals. Only what has literals of its own is cheaper.
    fn is_made_at_once(&self, class: ClassName, from: AccessContext) -> bool {
        let Some(class) = self.program.class(class) else { return false };
        if class.access.is_abstract() || class.access.is_enum() || !super::jdk::literals(class.name).is_empty() {
            return false;
        }
        let is_usable = |constructor: &Method| {
            let is_visible = from.member(&self.program, &class, constructor.access.visibility()).is_some();
            is_visible && !constructor.access.is_synthetic() && !constructor.access.is_bridge()
        };
        let takes_literals = |constructor: &Method| {
            let taken = constructor.reference().signature().params;
            taken.iter().all(|param| is_plain(*param))
        };
        let mut constructors = class.methods.iter().filter(|method| method.is_constructor());
        constructors.any(|constructor| takes_literals(constructor) && is_usable(constructor))
    }

    /// The way that takes the fewest statements within the depth; the first of several.
    pub fn cheapest(&self, ty: Type, depth: u8, from: AccessContext) -> Option<Way> {
        self.cheapest.get_or((ty, depth, from), || {
            let ways = self.ways(ty, from);
            let priced = ways.iter().filter_map(|way| Some((self.cost_of_way(way, depth, from)?, way)));
            priced.min_by_key(|(cost, _)| *cost).map(|(_, way)| way.clone())
        })
    }

    /// The number of statements that the way takes at least; `None` if it cannot be gone within the depth.
    pub fn cost_of_way(&self, way: &Way, depth: u8, from: AccessContext) -> Option<u32> {
        if way.is_literal() {
            return Some(0);
        }
        let Some(below) = depth.checked_sub(1) else { return way.needs().all(is_plain).then_some(1) };
        // Real objects are preferred to the test's own, at the same price; what is found has to be taken out.
        let mut cost = if matches!(way.how, How::Stub(_) | How::Found(_) | How::Token(_) | How::GenericType(_)) {
            2u32
        } else {
            1
        };
        for need in way.needs() {
            cost = cost.saturating_add(self.cost_within(need, below, from)?);
        }
        Some(cost)
    }
}

/// Types whose values are literals whatever the program.
fn is_plain(ty: Type) -> bool {
    match ty {
        Type::Class(class) => super::jdk::is_literal(class),
        Type::Array(_) => false,
        _ => true,
    }
}
