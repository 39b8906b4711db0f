//! What the VM draws at random, drawn once and for all: a candidate is to do the same in every worker.
//!
//! - The order of `Set.of` and `Map.of` begins at a place that the JDK takes from the clock when it starts. Since JDK 17 at the
//!   latest, elements are found without it, so it may be set at any time; where the JDK has other fields it stays as it is.
//! - Identity hashes are counted instead of drawn ([`COUNTED_HASHES`]), and Java's `Worker` lets each candidate begin at a
//!   round number. They are then in the order in which they were asked for, as in most fresh VMs nothing else is.
#![expect(unsafe_code, reason = "fields by name")]

use super::env::Env;

/// Options by which identity hashes are counted.
pub const COUNTED_HASHES: [&str; 2] = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=3"];

/// Fixes the order of `Set.of` and `Map.of`; false if this JDK keeps it elsewhere.
pub fn fix_order_of_immutable_collections(env: &Env<'_>) -> bool {
    let Ok(class) = env.find_class("java/util/ImmutableCollections") else { return false };
    let salt = env.static_field(class, c"SALT32L", c"J");
    let reverse = env.static_field(class, c"REVERSE", c"Z");
    let (Some(salt), Some(reverse)) = (salt, reverse) else { return false };
    // SAFETY: the fields were asked for by these types.
    unsafe {
        env.set_long(salt, 0);
        env.set_boolean(reverse, true);
    }
    true
}
