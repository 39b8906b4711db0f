//! Where a project begins, and which modules it has. Looks at build files only.

use crate::{BuildError, Project, Tool, gradle, maven};
use std::path::{Path, PathBuf};

/// The build files of a directory, each with its tool; settings of Gradle count as one.
const NAMES: [(&str, Tool); 5] = [
    ("pom.xml", Tool::Maven),
    ("settings.gradle", Tool::Gradle),
    ("settings.gradle.kts", Tool::Gradle),
    ("build.gradle", Tool::Gradle),
    ("build.gradle.kts", Tool::Gradle),
];

/// Whether a path names a build file that is there, whatever the project is called.
pub fn is_build_file(path: &Path) -> bool {
    tool_of(path).is_some() && path.is_file()
}

fn tool_of(path: &Path) -> Option<Tool> {
    let name = path.file_name()?;
    NAMES.iter().find(|(known, _)| name == *known).map(|(_, tool)| *tool)
}

pub(crate) fn around(directory: &Path) -> Result<Option<Project>, BuildError> {
    let directory = absolute(directory);
    for place in directory.ancestors() {
        let there: Vec<Tool> = NAMES.iter().filter(|(name, _)| place.join(name).is_file()).map(|it| it.1).collect();
        let project = match (there.contains(&Tool::Maven), there.contains(&Tool::Gradle)) {
            (false, false) => continue,
            (true, false) => maven(place)?,
            (false, true) => gradle(place),
            // Both describe the same sources: whoever compiled them is meant.
            (true, true) => {
                let of_gradle = gradle(place);
                if is_compiled(&of_gradle) && !maven(place).is_ok_and(|it| is_compiled(&it)) {
                    of_gradle
                } else {
                    maven(place)?
                }
            }
        };
        return Ok(Some(project));
    }
    Ok(None)
}

pub(crate) fn of_file(file: &Path) -> Result<Project, BuildError> {
    let file = absolute(file);
    let place = file.parent().unwrap_or(Path::new("/"));
    match tool_of(&file) {
        Some(Tool::Maven) => maven(place),
        Some(Tool::Gradle) => Ok(gradle(place)),
        None => Err(BuildError::Unreadable { file: file.clone(), reason: "it is no build file".into() }),
    }
}

fn is_compiled(project: &Project) -> bool {
    project.modules.iter().flat_map(|module| &module.output).any(|directory| directory.is_dir())
}

/// The outermost POM that has the one of this place among its modules.
fn maven(place: &Path) -> Result<Project, BuildError> {
    let mut root = place.to_owned();
    for outer in place.ancestors().skip(1).filter(|outer| outer.join("pom.xml").is_file()) {
        let has = maven::directories(outer).is_ok_and(|directories| directories.contains(&root));
        if has {
            root = outer.to_owned();
        }
    }
    let modules = maven::modules(&root)?;
    Ok(Project { tool: Tool::Maven, root, modules, asked_in: place.to_owned() })
}

/// The nearest directory with settings, else this one.
fn gradle(place: &Path) -> Project {
    let has_settings = |directory: &&Path| {
        ["settings.gradle", "settings.gradle.kts"].iter().any(|name| directory.join(name).is_file())
    };
    let root = place.ancestors().find(has_settings).unwrap_or(place).to_owned();
    let modules = gradle::modules(&root);
    Project { tool: Tool::Gradle, root, modules, asked_in: place.to_owned() }
}

/// Without links and `..`, so that directories can be compared.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
