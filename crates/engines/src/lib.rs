//! The engines of this build. This is the one place that knows them all: a new engine is a crate of its own and one line here.

use engine::Registry;

/// In the order in which their candidates are run: whoever reasons goes before whoever searches.
pub fn all() -> Registry {
    Registry::new([backward::REGISTRATION, replay::REGISTRATION, evolve::REGISTRATION])
}
