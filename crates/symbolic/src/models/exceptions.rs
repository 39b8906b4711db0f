//! Constructors of the JDK's exceptions.

use super::{Answer, Call};
use crate::world::World;
use program::{ClassName, FieldRef, Subtype};

pub(super) fn is_jdk_exception(world: &World, class: ClassName) -> bool {
    let program = world.program();
    program.is_jdk(class) && program.is_subtype(class, ClassName::internal("java/lang/Throwable")) == Subtype::Yes
}

/// Message and cause are kept, the stack trace is not.
pub(super) fn constructed(call: &Call<'_>) -> Vec<Answer> {
    let mut state = call.state.clone();
    for (argument, ty) in call.args[1..].iter().zip(call.named.signature().params) {
        let (name, descriptor) = match ty.as_class().map(ClassName::as_internal) {
            Some("java/lang/String") => ("detailMessage", "Ljava/lang/String;"),
            Some("java/lang/Throwable") => ("cause", "Ljava/lang/Throwable;"),
            _ => continue,
        };
        let field = FieldRef::new("java/lang/Throwable", name, descriptor);
        state.set_field(call.world, call.args[0], field, *argument);
    }
    call.endings().leaves(state, None)
}
