//! A recording as what a search can be led along: places that the crashed run has passed, in order, with methods by name.

use crate::{Event, Method, PlaceId, Recording, Shape, Thread};

/// An instruction, and what it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub method: Method,
    pub bci: u16,
    pub callee: Option<Method>,
}

/// Something that a run like the recorded one does. Between two of them are calls that follow from the code: a call is left out
/// where nothing but an exception can keep it from being made once the waypoint before was passed.
#[derive(Clone, Debug, PartialEq)]
pub enum Waypoint {
    Entered(Method),
    Left(Method),
    Calls(Site),
    Branches {
        site: Site,
        taken: bool,
    },
    Returned {
        site: Site,
        result: Shape,
    },
    /// Something is not known here.
    Gap,
    Crashed,
}

impl Recording {
    /// What the thread did. Events of methods that the dictionary does not have are gaps; what was not told all the time is left out.
    pub fn waypoints(&self, thread: &Thread) -> Vec<Waypoint> {
        let told = thread.events.iter().filter(|event| !self.is_quiet(event));
        told.map(|event| self.waypoint(event).unwrap_or(Waypoint::Gap)).collect()
    }

    fn is_quiet(&self, event: &Event) -> bool {
        match event {
            Event::Enter { method } | Event::Leave { method } => self.quiet.contains(&method.0),
            Event::Call { place } | Event::Branch { place, .. } | Event::Hard { place, .. } => {
                self.quiet.contains(&place.0)
            }
            Event::Gap { .. } | Event::Crash => false,
        }
    }

    fn waypoint(&self, event: &Event) -> Option<Waypoint> {
        Some(match event {
            Event::Enter { method } => Waypoint::Entered(self.methods.get(method)?.clone()),
            Event::Leave { method } => Waypoint::Left(self.methods.get(method)?.clone()),
            Event::Call { place } => Waypoint::Calls(self.site(*place)?),
            Event::Branch { place, taken } => Waypoint::Branches { site: self.site(*place)?, taken: *taken },
            Event::Hard { place, result } => Waypoint::Returned { site: self.site(*place)?, result: result.clone() },
            Event::Gap { .. } => Waypoint::Gap,
            Event::Crash => Waypoint::Crashed,
        })
    }

    /// The names behind a place.
    pub fn site(&self, place: PlaceId) -> Option<Site> {
        let place = self.places.get(&place)?;
        let callee = match place.callee {
            Some(callee) => Some(self.methods.get(&callee)?.clone()),
            None => None,
        };
        Some(Site { method: self.methods.get(&place.method)?.clone(), bci: place.bci, callee })
    }
}
