//! Which jar a class comes from, and which version that is.

use crate::misfit::Artifact;
use program::{ClassName, Origin, Program};
use std::path::Path;

/// The jar, directory or module of a class.
pub(crate) fn artifact(program: &Program, class: ClassName) -> Option<Artifact> {
    let origin = program.origin(class)?;
    let name = match &origin {
        Origin::Archive { nested: Some(nested), .. } => nested.rsplit('/').next().unwrap_or(nested).to_owned(),
        Origin::Archive { archive, .. } => file_name(archive)?,
        Origin::File(path) => root_of(path, class),
        Origin::Module(module) => format!("the JDK's module {module}"),
    };
    Some(Artifact { name, version: version(program, &origin) })
}

fn file_name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// The class directory, without the directories of the package.
fn root_of(file: &Path, class: ClassName) -> String {
    let depth = class.as_internal().matches('/').count() + 1;
    file.ancestors().nth(depth).map_or_else(String::new, |root| root.display().to_string())
}

/// What the manifest of the jar says.
fn version(program: &Program, origin: &Origin) -> Option<String> {
    const KEYS: &[&str] = &["Implementation-Version", "Bundle-Version", "Specification-Version"];
    let manifest = program.manifest_at(origin);
    let value = |key: &&str| {
        let attribute = manifest.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        attribute.map(|(_, value)| value.clone())
    };
    KEYS.iter().find_map(value).filter(|version| version.chars().any(|c| c.is_ascii_digit()))
}
