//! The seam to fresh JVMs, as [`recipe::Runner`] is the one to workers.

use crate::ReproduceError;
use crate::settings::Settings;
use crate::write;
use confirm::{ConfirmError, ConfirmOptions, Confirmation, Confirmer, Setting, TestFile, framework_jars};
use program::{Jdk, Program};
use std::path::PathBuf;

/// Compiles tests and runs them in fresh JVMs.
pub trait Confirming {
    fn confirm(
        &self,
        test: &[TestFile],
        setting: &Setting<'_>,
        options: &ConfirmOptions,
    ) -> Result<Confirmation, ConfirmError>;
}

impl Confirming for Confirmer {
    fn confirm(
        &self,
        test: &[TestFile],
        setting: &Setting<'_>,
        options: &ConfirmOptions,
    ) -> Result<Confirmation, ConfirmError> {
        Confirmer::confirm(self, test, setting, options)
    }
}

/// Starts a compiler, which gets ready while the search is on; the inner error is that there is none. `lender` is whose compiler
/// stands in where the JDK has none.
pub fn start_confirmer(
    program: &Program,
    settings: &Settings,
    lender: Option<&Jdk>,
) -> Result<Result<Box<dyn Confirming>, ConfirmError>, ReproduceError> {
    match Confirmer::start_with(program.jdk(), lender, settings.launch.clone(), &compiled_against(settings, program)) {
        Err(ConfirmError::NoCompiler { home }) => Ok(Err(ConfirmError::NoCompiler { home })),
        other => Ok(Ok(Box::new(other?))),
    }
}

/// What tests are compiled against.
fn compiled_against(settings: &Settings, program: &Program) -> Vec<PathBuf> {
    let fixed = settings
        .fixed
        .iter()
        .flat_map(|fixed| fixed.class_path.entries().iter().cloned().chain(fixed.program.archives()));
    let framework = write::test_annotation(settings, program).map(|annotation| framework_jars(annotation, program));
    let own = settings.class_path.entries().iter().cloned().chain(program.archives());
    own.chain(fixed).chain(framework.into_iter().flatten()).collect()
}
