//! How recipes travel to a worker and answers come back.
//!
//! A batch is a list of definitions (names, types, members, constant texts that this worker has not seen before) and the
//! recipes, which refer to definitions by number. The interpreter in the worker reads recipes straight from these bytes,
//! so the format is its program: variables are numbered slots, blocks carry their length, arguments a tag. An answer is
//! one record per recipe; class names and stack frames in it are spelled out once per worker.
//!
//! Both sides keep tables per worker: an [`Encoder`] and a [`Decoder`] live and die with the worker they talk to.
//! Nothing here starts or watches a worker.

mod body;
mod decode;
mod encode;
mod layout;

pub use decode::{Answer, DecodeError, Decoder};
pub use encode::{Encoder, Refusal};

/// Where Java keeps the variables that a recipe's own statements define.
pub(crate) fn slots(recipe: &recipe::Recipe) -> Vec<(recipe::VarId, u32)> {
    body::RecipeWriter::new(&mut Encoder::default(), &crate::pool::NoShapes).slots(recipe)
}
