//! The manifest of a crash pack: crashes with traces, jars and, where known, the fixed version and published results.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

#[derive(Debug, Deserialize)]
pub struct Pack {
    pub crashes: Vec<Crash>,
    /// Directory of the manifest; traces and jar paths are relative to it.
    #[serde(skip)]
    pub base: PathBuf,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Crash {
    pub id: String,
    pub project: String,
    pub version: String,
    pub exception: String,
    pub trace: PathBuf,
    /// Regular expression on class names: the application.
    pub target_frames: String,
    /// Index of the exception block in the trace, in print order.
    #[serde(default)]
    pub block: usize,
    /// False when the jars have no line tables.
    #[serde(default = "yes")]
    pub lines: bool,
    pub jars: Vec<Jar>,
    pub fixed: Option<Fixed>,
    /// Options of the JVM the test is run with.
    pub jvm: Option<String>,
    /// Application frames that a hand-written program reproduces, by JDK: `3/6`.
    #[serde(default)]
    pub by_hand: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    pub published: Published,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone, Deserialize)]
pub struct Fixed {
    pub jars: Vec<Jar>,
    /// What the by-hand test does there: `passes` or `changed`.
    pub then: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Jar {
    Coordinates(String),
    Entry { maven: Option<String>, path: Option<PathBuf> },
}

/// Results that papers report for this crash.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Published {
    pub star: Option<Star>,
    pub evocrash: Option<EvoCrash>,
    pub jcharming: Option<Jcharming>,
    pub symcrash: Option<BTreeMap<String, String>>,
    pub mucrash: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Star {
    pub exploited: bool,
    pub exploit_level: Option<u32>,
    /// Frames, those of the JDK included, up to which a condition was computed.
    pub precondition_level: Option<u32>,
    pub total_frames: Option<u32>,
    pub useful: Option<bool>,
    pub time_s: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct EvoCrash {
    pub rate_percent: Option<f64>,
    pub avg_time_s: Option<f64>,
    pub table4: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Jcharming {
    pub reproduced: Option<String>,
    pub time_min: Option<f64>,
}

#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("cannot read the pack `{path}`")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("`{path}` is not a crash pack: {source}")]
    NotAPack { path: PathBuf, source: serde_json::Error },
    #[error("`{id}` in the pack `{path}` cannot be the id of a crash: files are named after it")]
    BadId { path: PathBuf, id: String },
    #[error("crash `{id}` is not in the pack")]
    UnknownCrash { id: String },
    #[error("jar `{path}` of crash `{id}` is not there")]
    JarMissing { id: String, path: PathBuf },
}

impl Pack {
    pub fn read(path: &Path) -> Result<Pack, PackError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| PackError::Unreadable { path: path.into(), source })?;
        let mut pack: Pack =
            serde_json::from_str(&text).map_err(|source| PackError::NotAPack { path: path.into(), source })?;
        pack.base = path.parent().unwrap_or(Path::new("")).to_path_buf();
        match pack.crashes.iter().find(|crash| !is_name(&crash.id)) {
            Some(crash) => Err(PackError::BadId { path: path.into(), id: crash.id.clone() }),
            None => Ok(pack),
        }
    }

    /// The crashes with these ids, in the order of the pack; all of them when none is named.
    pub fn select(&self, only: &[String]) -> Result<Vec<&Crash>, PackError> {
        if let Some(id) = only.iter().find(|id| !self.crashes.iter().any(|crash| crash.id == **id)) {
            return Err(PackError::UnknownCrash { id: id.clone() });
        }
        Ok(self.crashes.iter().filter(|crash| only.is_empty() || only.contains(&crash.id)).collect())
    }

    pub fn trace_path(&self, crash: &Crash) -> PathBuf {
        self.base.join(&crash.trace)
    }

    /// Paths of the crash's jars, which must be there.
    pub fn class_path(&self, crash: &Crash, jars: &Path) -> Result<Vec<PathBuf>, PackError> {
        self.existing(crash, &crash.jars, jars)
    }

    pub fn fixed_class_path(&self, crash: &Crash, jars: &Path) -> Result<Option<Vec<PathBuf>>, PackError> {
        crash.fixed.as_ref().map(|fixed| self.existing(crash, &fixed.jars, jars)).transpose()
    }

    fn existing(&self, crash: &Crash, entries: &[Jar], jars: &Path) -> Result<Vec<PathBuf>, PackError> {
        let paths: Vec<PathBuf> = entries.iter().map(|jar| self.jar_path(jar, jars)).collect();
        match paths.iter().find(|path| !path.exists()) {
            Some(path) => Err(PackError::JarMissing { id: crash.id.clone(), path: path.clone() }),
            None => Ok(paths),
        }
    }

    /// `DIR/<groupId>/<artifactId>/<version>/<artifactId>-<version>.jar`, or the path relative to the manifest.
    fn jar_path(&self, jar: &Jar, jars: &Path) -> PathBuf {
        match jar {
            Jar::Coordinates(coordinates) => maven_path(coordinates, jars),
            Jar::Entry { path: Some(path), .. } => self.base.join(path),
            Jar::Entry { maven, .. } => maven_path(maven.as_deref().unwrap_or_default(), jars),
        }
    }
}

/// Whether it names one entry of a directory, and no other than itself.
fn is_name(id: &str) -> bool {
    let mut components = Path::new(id).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(name)), None) if name == id)
        && !id.contains('\0')
}

fn maven_path(coordinates: &str, jars: &Path) -> PathBuf {
    let parts: Vec<&str> = coordinates.split(':').collect();
    match parts[..] {
        [group, artifact, version] => {
            jars.join(group).join(artifact).join(version).join(format!("{artifact}-{version}.jar"))
        }
        _ => jars.join(coordinates),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_crash_stay_in_their_directory() {
        for id in ["ACC-48", "a.b", "..a", "ü"] {
            assert!(is_name(id), "{id}");
        }
        for id in ["", ".", "..", "../..", "a/b", "/etc", "a/", "a/..", "./a", "a\0b"] {
            assert!(!is_name(id), "{id}");
        }
    }
}
