//! What a build tool has answered, kept until a build file changes: asking takes seconds.

use crate::{BuildPath, Project, Tool, astray};
use program::Cache;
use std::fs;
use std::path::{Path, PathBuf};

/// Changes with the meaning of what is kept.
const FORMAT: &str = "build path 1";

pub(crate) fn kept(project: &Project, module: usize, cache: &Cache) -> Option<BuildPath> {
    let bytes = cache.answer(&key(project, module))?;
    let text = String::from_utf8(bytes).ok()?;
    let mut path = BuildPath::default();
    for line in text.lines() {
        let (kind, file) = line.split_once(' ')?;
        // A jar that somebody has cleared away would have to be fetched again.
        let file = Some(PathBuf::from(file)).filter(|file| file.exists())?;
        match kind {
            LIBRARY => path.libraries.push(file),
            TEST_LIBRARY => path.test_libraries.push(file),
            _ => return None,
        }
    }
    Some(path)
}

const LIBRARY: &str = "library";
const TEST_LIBRARY: &str = "test-library";

/// Output directories are not kept: they come and go as the project is compiled.
pub(crate) fn keep(project: &Project, module: usize, cache: &Cache, path: &BuildPath) {
    let lines = |kind: &str, files: &[PathBuf]| {
        files
            .iter()
            .filter(|file| file.is_file())
            .map(|file| format!("{kind} {}\n", file.display()))
            .collect::<String>()
    };
    let text = lines(LIBRARY, &path.libraries) + &lines(TEST_LIBRARY, &path.test_libraries);
    cache.keep_answer(&key(project, module), text.as_bytes());
}

/// Everything that the answer depends on, as far as files of the project and the user's settings tell.
fn key(project: &Project, module: usize) -> Vec<u8> {
    let mut key = format!("{FORMAT} {:?} {}\n", project.tool, project.modules[module].directory.display()).into_bytes();
    for file in build_files(project) {
        key.extend(format!("{}\n", file.display()).bytes());
        key.extend(astray::text(&file).unwrap_or_default().into_bytes());
    }
    key
}

fn build_files(project: &Project) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let mut directories: Vec<&Path> = vec![&project.root];
    directories.extend(project.modules.iter().map(|module| module.directory.as_path()));
    let mut files: Vec<PathBuf> = match project.tool {
        Tool::Maven => {
            let poms = directories.iter().flat_map(|directory| directory.ancestors().take(4));
            let poms = poms.map(|directory| directory.join("pom.xml"));
            let settings = [project.root.join(".mvn/maven.config"), home.join(".m2/settings.xml")];
            poms.chain(settings).collect()
        }
        Tool::Gradle => {
            let mut files: Vec<PathBuf> = directories.iter().flat_map(|directory| in_directory(directory)).collect();
            files.extend(in_directory(&project.root.join("gradle")));
            tree(&project.root.join("buildSrc"), 0, &mut files);
            files.push(home.join(".gradle/gradle.properties"));
            files
        }
    };
    files.sort();
    files.dedup();
    files.retain(|file| file.is_file());
    files
}

fn in_directory(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| is_of_gradle(path)).collect()
}

fn is_of_gradle(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    [".gradle", ".gradle.kts", ".toml", ".lockfile", "gradle.properties"].iter().any(|end| name.ends_with(end))
}

/// The sources of a project's own build logic.
fn tree(directory: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    const DEEPEST: usize = 12;
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|_| depth < DEEPEST) {
        let is_output = ["build", ".gradle", "out"].iter().any(|name| entry.file_name() == *name);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !is_output => tree(&entry.path(), depth + 1, files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}
