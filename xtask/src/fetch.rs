//! Jars of the crash packs and of some tests, from Maven by coordinates, checked by sha1. One Maven run for all that is
//! missing, and again for what a network with holes left out; what is there already is left alone.

use crate::tools;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const COPY_GOAL: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";
/// Networks drop connections; Maven keeps what it has, so that a further attempt is short.
const ATTEMPTS: u32 = 4;
const PAUSE: Duration = Duration::from_secs(5);
const PACKS: [&str; 2] = ["packs/seeds/manifest.json", "packs/modern/manifest.json"];

#[derive(Deserialize)]
struct Pack {
    #[serde(default)]
    junit: Vec<String>,
    #[serde(default)]
    artifacts: BTreeMap<String, Artifact>,
    crashes: Vec<Crash>,
}

#[derive(Deserialize)]
struct Artifact {
    sha1: Option<String>,
}

#[derive(Deserialize)]
struct Crash {
    id: String,
    jars: Vec<Jar>,
    fixed: Option<Fixed>,
}

#[derive(Deserialize)]
struct Fixed {
    #[serde(default)]
    jars: Vec<Jar>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Jar {
    Coordinates(String),
    /// Without coordinates it lies beside the manifest.
    Entry {
        maven: Option<String>,
        sha1: Option<String>,
    },
}

/// What tests need beyond the packs, with its sha1.
const FOR_TESTS: [(&str, &str); 14] = [
    ("org.testng:testng:7.5.1", "6673f647a35826fb01ff3129edc241d88bd27b88"),
    ("com.beust:jcommander:1.78", "a3927de9bd6f351429bcf763712c9890629d8f51"),
    ("org.junit.jupiter:junit-jupiter-api:5.10.2", "fb55d6e2bce173f35fd28422e7975539621055ef"),
    ("org.junit.jupiter:junit-jupiter-params:5.10.2", "359132c82a9d3fa87a325db6edd33b5fdc67a3d8"),
    ("org.junit.jupiter:junit-jupiter-engine:5.10.2", "f1f8fe97bd58e85569205f071274d459c2c4f8cd"),
    ("org.junit.platform:junit-platform-commons:1.10.2", "3197154a1f0c88da46c47a9ca27611ac7ec5d797"),
    ("org.junit.platform:junit-platform-engine:1.10.2", "d53bb4e0ce7f211a498705783440614bfaf0df2e"),
    ("org.junit.platform:junit-platform-launcher:1.10.2", "8125dd29e847ca274dd1a7a9ca54859acc284cb3"),
    ("org.opentest4j:opentest4j:1.3.0", "152ea56b3a72f655d4fd677fc0ef2596c3dd5e6e"),
    ("org.apiguardian:apiguardian-api:1.1.2", "a231e0d844d2721b0fa1b238006d15c6ded6842a"),
    // Many lambdas and call sites, for the index of them.
    ("com.fasterxml.jackson.core:jackson-databind:2.9.8", "11283f21cc480aa86c4df7a0a3243ec508372ed2"),
    // Native code that unpacks itself.
    ("org.xerial.snappy:snappy-java:1.1.10.5", "ac605269f3598506196e469f1fb0d7ed5c55059e"),
    ("org.xerial:sqlite-jdbc:3.36.0.3", "7fa71c4dfab806490cb909714fb41373ec552c29"),
    ("io.netty:netty-tcnative-boringssl-static:2.0.25.Final", "185980556f9f083b5339825f19c9641c6c879417"),
];

/// Gets the jars of both packs (of the named crashes, if any are named) and returns the directory they are in.
pub(crate) fn packs(only: &[String]) -> Result<PathBuf> {
    let extra = FOR_TESTS.iter().filter(|_| only.is_empty());
    let extra = extra.map(|(coordinates, sha1)| ((*coordinates).to_owned(), Some((*sha1).to_owned())));
    from(&PACKS.map(|pack| tools::root().join(pack)), only, extra.collect())
}

/// The same for a pack that is not bundled.
pub(crate) fn pack(manifest: &Path, only: &[String]) -> Result<PathBuf> {
    from(&[std::path::absolute(manifest)?], only, BTreeMap::new())
}

fn from(manifests: &[PathBuf], only: &[String], mut wanted: BTreeMap<String, Option<String>>) -> Result<PathBuf> {
    let directory = tools::jar_directory()?;
    for manifest in manifests {
        let shown = manifest.display();
        let text = std::fs::read_to_string(manifest).with_context(|| format!("cannot read {shown}"))?;
        let pack: Pack = serde_json::from_str(&text).with_context(|| format!("{shown} is not a crash pack"))?;
        collect(&pack, only, &mut wanted);
    }
    get(&directory, &wanted)?;
    Ok(directory)
}

/// Coordinates and, where a pack says it, the sha1.
fn collect(pack: &Pack, only: &[String], wanted: &mut BTreeMap<String, Option<String>>) {
    let mut add = |coordinates: &str, sha1: Option<&String>| {
        let sha1 = sha1.or_else(|| pack.artifacts.get(coordinates).and_then(|known| known.sha1.as_ref()));
        let entry = wanted.entry(coordinates.to_owned()).or_insert(None);
        if entry.is_none() {
            *entry = sha1.cloned();
        }
    };
    for crash in pack.crashes.iter().filter(|crash| only.is_empty() || only.contains(&crash.id)) {
        for jar in crash.jars.iter().chain(crash.fixed.iter().flat_map(|fixed| &fixed.jars)) {
            match jar {
                Jar::Coordinates(coordinates) => add(coordinates, None),
                Jar::Entry { maven: Some(maven), sha1 } => add(maven, sha1.as_ref()),
                Jar::Entry { maven: None, .. } => {}
            }
        }
    }
    pack.junit.iter().for_each(|coordinates| add(coordinates, None));
}

fn get(directory: &Path, wanted: &BTreeMap<String, Option<String>>) -> Result<()> {
    for attempt in 1..=ATTEMPTS {
        let missing = missing(directory, wanted);
        if missing.is_empty() {
            return Ok(());
        }
        eprintln!("fetching {} jars into {}", missing.len(), directory.display());
        match copy(directory, &missing) {
            Err(error) if attempt == ATTEMPTS => return Err(error),
            Err(error) => {
                eprintln!("{error:#}\ntrying again");
                std::thread::sleep(PAUSE * attempt);
            }
            Ok(()) => {}
        }
    }
    let failed: Vec<&str> = missing(directory, wanted).into_iter().map(String::as_str).collect();
    if !failed.is_empty() {
        bail!("missing or with another sha1 than the pack says: {}", failed.join(", "));
    }
    Ok(())
}

fn missing<'a>(directory: &Path, wanted: &'a BTreeMap<String, Option<String>>) -> BTreeSet<&'a String> {
    let missing = wanted.iter().filter(|(coordinates, sha1)| !is_there(directory, coordinates, sha1.as_deref()));
    missing.map(|(coordinates, _)| coordinates).collect()
}

pub(crate) fn jar_path(directory: &Path, coordinates: &str) -> PathBuf {
    let mut parts = coordinates.split(':');
    let mut next = || parts.next().unwrap_or_default();
    let (group, artifact, version) = (next(), next(), next());
    directory.join(group).join(artifact).join(version).join(format!("{artifact}-{version}.jar"))
}

fn is_there(directory: &Path, coordinates: &str, sha1: Option<&str>) -> bool {
    let Ok(bytes) = std::fs::read(jar_path(directory, coordinates)) else { return false };
    sha1.is_none_or(|expected| hex(&Sha1::digest(&bytes)) == expected)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn copy(directory: &Path, coordinates: &BTreeSet<&String>) -> Result<()> {
    let maven = tools::maven()?;
    let scratch = tempfile::tempdir()?;
    let pom = scratch.path().join("pom.xml");
    std::fs::write(&pom, project(directory, coordinates))?;
    let output = tools::command(maven)
        .args(["-q", "-B", "-Dmaven.wagon.http.retryHandler.count=3", "-Dmaven.wagon.rto=60000", "-f"])
        .arg(&pom)
        .arg(COPY_GOAL)
        .stdin(std::process::Stdio::null())
        .output()
        .context("cannot start Maven")?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout);
        let errors: Vec<&str> = text.lines().filter(|line| line.contains("ERROR")).take(5).collect();
        bail!("Maven could not fetch the jars; is the network there?\n{}", errors.join("\n"));
    }
    Ok(())
}

fn project(directory: &Path, coordinates: &BTreeSet<&String>) -> String {
    let mut items = String::new();
    for coordinates in coordinates {
        let parts: Vec<&str> = coordinates.split(':').collect();
        let target = jar_path(directory, coordinates);
        let target = target.parent().unwrap_or(directory).display().to_string();
        let _ = write!(
            items,
            "<artifactItem><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version><type>jar</type>\
             <overWrite>true</overWrite><outputDirectory>{target}</outputDirectory></artifactItem>",
            parts[0], parts[1], parts[2]
        );
    }
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>reenact</groupId><artifactId>jars</artifactId><version>1</version><packaging>pom</packaging><build><plugins><plugin>\
         <groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version>\
         <configuration><artifactItems>{items}</artifactItems></configuration></plugin></plugins></build></project>"
    )
}
