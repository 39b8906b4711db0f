//! `reenact doctor`: what is here, what is missing, how to get it.

use crate::args::Doctor;
use crate::failure::Failure;
use std::process::ExitCode;

pub(crate) fn run(_: &Doctor) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
