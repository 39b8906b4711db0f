//! How can I get a value of type T, as statements of a recipe?

pub mod choose;
pub mod documents;
