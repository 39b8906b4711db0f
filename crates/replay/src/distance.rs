//! How many statements lie between a place and a goal, over calls and returns. Distances are computed backwards from the goal: first within
//! its method, then within methods that call that one, and so on.

use crate::goals::Goal;
use analysis::{Lowered, Methods, Via};
use ir::{BlockId, Terminator};
use program::{ClassName, MethodRef};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;
use std::sync::Arc;
use symbolic::{Spot, Way};

/// Methods that are looked at for one goal.
const MOST_METHODS: usize = 1_500;
/// Callers of one method.
const MOST_CALLERS: usize = 100;
/// What it counts to get somewhere by an exception: one has to happen.
const EXCEPTION: u32 = 30;
/// What it counts to run a call to its end.
const CALL: u32 = 3;

/// Places of one method from which it is so far to somewhere.
type Sites = Vec<(BlockId, usize, u32)>;

/// The distances within one method to some of its places.
#[derive(Debug)]
struct Within {
    sites: Sites,
    /// From the start of each block.
    starts: Vec<Option<u32>>,
}

impl Within {
    fn of(method: &Lowered, sites: Sites) -> Within {
        let mut within = Within { sites, starts: vec![None; method.cfg().len()] };
        // Few rounds are needed where blocks are in the order of the code.
        loop {
            let mut is_changed = false;
            for number in (0..within.starts.len()).rev() {
                let block = BlockId(u32::try_from(number).unwrap_or(u32::MAX));
                let new = within.from(method, block, 0);
                if new.is_some_and(|new| within.starts[number].is_none_or(|old| new < old)) {
                    within.starts[number] = new;
                    is_changed = true;
                }
            }
            if !is_changed {
                return within;
            }
        }
    }

    fn from(&self, method: &Lowered, block: BlockId, index: usize) -> Option<u32> {
        let here = method.body.block(block);
        let ahead = self.sites.iter().filter(|(at, place, _)| *at == block && *place >= index);
        let direct = ahead.map(|(_, place, cost)| cost + length(here, index, *place)).min();
        let rest = length(here, index, here.instrs.len()) + 1;
        let on = method.cfg().successors(block).iter().filter_map(|edge| {
            let extra = if matches!(edge.via, Via::Exception(_)) { EXCEPTION } else { 0 };
            Some(self.starts[edge.target.0 as usize]? + rest + extra)
        });
        direct.into_iter().chain(on).min()
    }
}

fn length(block: &ir::Block, from: usize, to: usize) -> u32 {
    let passed = &block.instrs[from..to];
    passed.iter().map(|instr| if instr.op.call().is_some() { CALL } else { 1 }).sum()
}

/// The distances to one goal.
#[derive(Debug)]
pub(crate) struct Distances {
    is_local: bool,
    places: Vec<(Arc<Lowered>, BlockId, usize)>,
    /// Places of methods that lead to it by a call, once they were asked for.
    callers: RefCell<Option<BTreeMap<MethodRef, Sites>>>,
    within: RefCell<FxHashMap<MethodRef, Option<Rc<Within>>>>,
    to_end: RefCell<FxHashMap<MethodRef, Rc<Within>>>,
}

impl Distances {
    pub(crate) fn to(goal: &Goal) -> Distances {
        let places = goal.places.iter().map(|place| (place.method.clone(), place.block, place.index)).collect();
        Distances {
            is_local: goal.is_local,
            places,
            callers: RefCell::default(),
            within: RefCell::default(),
            to_end: RefCell::default(),
        }
    }

    /// From where the way is: within its innermost method, or behind the end of that in the one that called it, and so on.
    pub(crate) fn of_way(&self, methods: &Methods, way: &Way) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut left = 0;
        for (out, spot) in way.spots().rev().enumerate() {
            // Behind the call of which the inner ones are.
            let spot = if out == 0 { spot } else { Spot { index: spot.index + 1, ..spot } };
            if let Some(near) = self.of_spot(methods, spot) {
                best = Some(best.map_or(left + near, |best| best.min(left + near)));
            }
            if self.is_local {
                return best;
            }
            match self.end_of(spot) {
                Some(end) => left += end + 1,
                None => return best,
            }
        }
        best
    }

    /// Without leaving the method.
    pub(crate) fn of_spot(&self, methods: &Methods, spot: Spot<'_>) -> Option<u32> {
        self.within(methods, spot.method)?.from(spot.method, spot.block, spot.index)
    }

    /// From the entry of the method.
    pub(crate) fn of_entry(&self, methods: &Methods, method: &Arc<Lowered>) -> Option<u32> {
        self.of_spot(methods, Spot { method, block: ir::Body::ENTRY, index: 0 })
    }

    fn end_of(&self, spot: Spot<'_>) -> Option<u32> {
        let method = spot.method;
        let compute = || {
            let numbered = (0..).zip(&method.body.blocks);
            let ends = numbered.filter(|(_, block)| matches!(block.end, Terminator::Return(_)));
            Rc::new(Within::of(method, ends.map(|(number, block)| (BlockId(number), block.instrs.len(), 1)).collect()))
        };
        let within = self.to_end.borrow_mut().entry(method.reference()).or_insert_with(compute).clone();
        within.from(method, spot.block, spot.index)
    }

    fn within(&self, methods: &Methods, method: &Arc<Lowered>) -> Option<Rc<Within>> {
        let key = method.reference();
        if let Some(known) = self.within.borrow().get(&key) {
            return known.clone();
        }
        let mut sites = self.own_sites(key);
        if !self.is_local {
            let mut callers = self.callers.borrow_mut();
            let callers = callers.get_or_insert_with(|| self.leading(methods));
            sites.extend(callers.get(&key).into_iter().flatten());
        }
        let found = (!sites.is_empty()).then(|| Rc::new(Within::of(method, sites)));
        self.within.borrow_mut().insert(key, found.clone());
        found
    }

    fn own_sites(&self, method: MethodRef) -> Sites {
        let own = self.places.iter().filter(|(of, ..)| of.reference() == method);
        own.map(|(_, block, index)| (*block, *index, 0)).collect()
    }

    /// The calls that lead to the goal, by method: nearest methods first.
    fn leading(&self, methods: &Methods) -> BTreeMap<MethodRef, Sites> {
        let program = methods.program();
        let mut sites: BTreeMap<MethodRef, Sites> = BTreeMap::new();
        let mut entries: BTreeMap<MethodRef, u32> = BTreeMap::new();
        let mut open = BinaryHeap::new();
        for (method, ..) in &self.places {
            let within = Within::of(method, self.own_sites(method.reference()));
            open.extend(within.starts[0].map(|cost| Reverse((cost, method.reference()))));
        }
        let classes: Vec<ClassName> = self.places.iter().map(|(method, ..)| method.reference().class).collect();
        let near = program.nearness(&classes);
        while let Some(Reverse((cost, method))) = open.pop() {
            if entries.len() >= MOST_METHODS || entries.contains_key(&method) {
                continue;
            }
            entries.insert(method, cost);
            for call in program.nearest_callers(method, &near, MOST_CALLERS) {
                let Some(caller) = methods.get(call.caller) else { continue };
                let is_call = |instr: &&ir::Instr| instr.op.call().is_some();
                let Some(instr) = caller.body.instrs_at(call.bci).iter().find(is_call) else { continue };
                let Some((block, index)) = caller.body.place_of(instr.id) else { continue };
                sites.entry(call.caller).or_default().push((block, index, cost + 1));
                if !entries.contains_key(&call.caller) {
                    let within = Within::of(&caller, vec![(block, index, cost + 1)]);
                    open.extend(within.starts[0].map(|cost| Reverse((cost, call.caller))));
                }
            }
        }
        sites
    }
}
