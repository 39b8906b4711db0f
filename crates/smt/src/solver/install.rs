//! Installs Z3 once into the tool's cache: its wheel from the user's Python package index, checked against a pinned
//! hash, and out of it the one program.
//!
//! The wheel comes by `pip download`, which knows the user's index, proxy and certificates; without pip by `curl` from
//! `PIP_INDEX_URL`, or from PyPI.

use super::process;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// What would be downloaded for a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    pub version: &'static str,
    /// The file's name on the index.
    pub wheel: &'static str,
    pub sha256: &'static str,
}

#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// There is no wheel for this machine.
    #[error("there is no Z3 wheel for {os} on {processor}; install Z3 so that `z3` is on the PATH")]
    Platform { os: &'static str, processor: &'static str },
    /// The network, the index, or neither pip nor curl.
    #[error("cannot download {wheel}; install Z3 so that `z3` is on the PATH\n{tried}")]
    Download { wheel: &'static str, tried: String },
    /// What came is not what was pinned. Nothing is installed.
    #[error("{wheel} has the sha256 {found}, but {expected} was expected; nothing was installed")]
    Hash { wheel: &'static str, found: String, expected: &'static str },
    /// The wheel has the right hash and cannot be read: a fault of ours.
    #[error("cannot take the program out of {wheel}: {problem}")]
    Archive { wheel: &'static str, problem: String },
    /// The program is for another system after all: too old a C library, most likely.
    #[error("the installed {} does not run: {problem}; install Z3 so that `z3` is on the PATH", .path.display())]
    DoesNotRun { path: PathBuf, problem: String },
    #[error("cannot write to {}: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

const DATA: &str = include_str!("../../data/z3.txt");

/// The release for this machine.
pub fn release() -> Result<Release, InstallError> {
    release_for(std::env::consts::OS, std::env::consts::ARCH)
}

fn release_for(os: &'static str, processor: &'static str) -> Result<Release, InstallError> {
    let lines = DATA.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let found = lines.into_iter().find_map(|words| match words[..] {
        [o, p, wheel, sha256] if o == os && p == processor => Some(Release { version: version(), wheel, sha256 }),
        _ => None,
    });
    found.ok_or(InstallError::Platform { os, processor })
}

fn version() -> &'static str {
    DATA.lines().find_map(|line| line.strip_prefix("version ")).unwrap_or_default()
}

/// Where the program is, once installed.
pub(super) fn installed_path(cache: &Path) -> PathBuf {
    let program = format!("z3{}", std::env::consts::EXE_SUFFIX);
    cache.join("solvers").join(format!("z3-{}", version())).join(program)
}

/// Installs Z3 below the cache directory unless it is there already, and returns its path. What is downloaded is said
/// first.
pub fn install(cache: &Path, say: &mut dyn FnMut(&str)) -> Result<PathBuf, InstallError> {
    let path = installed_path(cache);
    if path.is_file() {
        return Ok(path);
    }
    let release = release()?;
    let directory = path.parent().unwrap_or(cache);
    let at = |source| InstallError::Io { path: directory.to_owned(), source };
    std::fs::create_dir_all(directory).map_err(at)?;
    let scratch = tempfile::tempdir_in(directory).map_err(at)?;
    say(&format!("downloading Z3 {} ({}, about 40 MB, sha256 {})", release.version, release.wheel, release.sha256));
    let wheel = download(&release, scratch.path())?;
    check(&release, &wheel)?;
    let unpacked = unpack(&release, &wheel, scratch.path())?;
    runs(&unpacked, &path)?;
    // Whole or not at all, whoever else is at it.
    std::fs::rename(&unpacked, &path).map_err(at)?;
    say(&format!("installed {}", path.display()));
    Ok(path)
}

fn download(release: &Release, directory: &Path) -> Result<PathBuf, InstallError> {
    let file = directory.join(release.wheel);
    let mut tried = String::new();
    for attempt in [by_pip, by_curl] {
        match attempt(release, directory) {
            Ok(()) if file.is_file() => return Ok(file),
            Ok(()) => tried.push_str("  the index gave another file\n"),
            Err(problem) => {
                let _ = writeln!(tried, "  {problem}");
            }
        }
    }
    Err(InstallError::Download { wheel: release.wheel, tried: tried.trim_end().to_owned() })
}

fn by_pip(release: &Release, directory: &Path) -> Result<(), String> {
    // `name-version-python-abi-platform.whl`
    let platform = release.wheel.trim_end_matches(".whl").rsplit('-').next().unwrap_or_default();
    let mut last = String::from("pip: not found");
    for (program, arguments) in [("python3", &["-m", "pip"][..]), ("pip3", &[]), ("pip", &[])] {
        let mut pip = process::command(Path::new(program));
        pip.args(arguments).args(["download", "--quiet", "--no-deps", "--no-input", "--only-binary=:all:"]);
        pip.args(["--disable-pip-version-check", "--platform", platform, "--dest"]).arg(directory);
        pip.arg(format!("z3-solver=={}", release.version));
        match output(pip) {
            Ok(_) => return Ok(()),
            Err(Failed::NotFound) => {}
            Err(Failed::With(problem)) => last = format!("pip: {problem}"),
        }
    }
    Err(last)
}

fn by_curl(release: &Release, directory: &Path) -> Result<(), String> {
    let index = std::env::var("PIP_INDEX_URL").ok().filter(|url| !url.is_empty());
    let index = index.unwrap_or_else(|| "https://pypi.org/simple".to_owned());
    let page_url = format!("{}/z3-solver/", index.trim_end_matches('/'));
    let page = curl(&["--max-time", "60", &page_url])?;
    let link = link_to(&String::from_utf8_lossy(&page), release.wheel)
        .ok_or_else(|| format!("curl: {page_url} has no {}", release.wheel))?;
    let url = absolute(&page_url, &link);
    let file = directory.join(release.wheel);
    curl(&["--max-time", "900", "--output", &file.to_string_lossy(), &url]).map(|_| ())
}

fn curl(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut curl = process::command(Path::new("curl"));
    curl.args(["--fail", "--silent", "--show-error", "--location", "--connect-timeout", "20"]).args(arguments);
    output(curl).map_err(|failed| match failed {
        Failed::NotFound => "curl: not found".to_owned(),
        Failed::With(problem) => format!("curl: {problem}"),
    })
}

enum Failed {
    NotFound,
    With(String),
}

fn output(mut command: std::process::Command) -> Result<Vec<u8>, Failed> {
    let output = command.stdin(std::process::Stdio::null()).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failed::NotFound,
        _ => Failed::With(error.to_string()),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("failed without a word");
    Err(Failed::With(last.trim().to_owned()))
}

/// The quoted link to a file on an index's page, be it HTML or JSON, without its fragment.
fn link_to(page: &str, file: &str) -> Option<String> {
    page.split('"').map(|text| text.split('#').next().unwrap_or(text)).find_map(|link| {
        let name = link.rsplit('/').next().unwrap_or(link);
        (name == file && link.contains('/')).then(|| link.to_owned())
    })
}

/// A link of a page as an address; `..` is left for curl.
fn absolute(page: &str, link: &str) -> String {
    if link.contains("://") {
        return link.to_owned();
    }
    if link.starts_with('/') {
        let host = page.find("://").and_then(|at| page[at + 3..].find('/').map(|end| &page[..at + 3 + end]));
        return format!("{}{link}", host.unwrap_or(page));
    }
    format!("{page}{link}")
}

fn check(release: &Release, wheel: &Path) -> Result<(), InstallError> {
    let bytes = std::fs::read(wheel).map_err(|source| InstallError::Io { path: wheel.to_owned(), source })?;
    let found = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    if found == release.sha256 {
        return Ok(());
    }
    Err(InstallError::Hash { wheel: release.wheel, found, expected: release.sha256 })
}

/// A wheel is a zip; the program is in its `data/bin`.
fn unpack(release: &Release, wheel: &Path, directory: &Path) -> Result<PathBuf, InstallError> {
    let wrong = |problem: String| InstallError::Archive { wheel: release.wheel, problem };
    let file = std::fs::File::open(wheel).map_err(|error| wrong(error.to_string()))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| wrong(error.to_string()))?;
    let program = format!("/bin/z3{}", std::env::consts::EXE_SUFFIX);
    let names = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned()));
    let name = names.into_iter().find(|name| name.ends_with(&program));
    let name = name.ok_or_else(|| wrong(format!("it has no {program}")))?;
    let mut entry = archive.by_name(&name).map_err(|error| wrong(error.to_string()))?;
    let path = directory.join("z3");
    let mut out = std::fs::File::create(&path).map_err(|error| wrong(error.to_string()))?;
    io::copy(&mut entry, &mut out).map_err(|error| wrong(error.to_string()))?;
    #[cfg(unix)]
    {
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        out.set_permissions(executable).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(path)
}

fn runs(unpacked: &Path, path: &Path) -> Result<(), InstallError> {
    let mut z3 = process::command(unpacked);
    z3.arg("--version");
    match output(z3) {
        Ok(_) => Ok(()),
        Err(Failed::NotFound) => Err(does_not_run(path, "not found")),
        Err(Failed::With(problem)) => Err(does_not_run(path, &problem)),
    }
}

fn does_not_run(path: &Path, problem: &str) -> InstallError {
    InstallError::DoesNotRun { path: path.to_owned(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_data_is_a_release_of_the_version() {
        let lines: Vec<&str> =
            DATA.lines().filter(|line| !line.starts_with('#') && !line.starts_with("version")).collect();
        assert!(lines.len() >= 5);
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words.len(), 4, "{line}");
            assert!(words[2].starts_with(&format!("z3_solver-{}-", version())), "{line}");
            assert!(words[3].len() == 64 && words[3].chars().all(|c| c.is_ascii_hexdigit()), "{line}");
        }
    }

    #[test]
    fn an_unknown_platform_is_named() {
        let error = release_for("plan9", "mips").unwrap_err().to_string();
        assert_eq!(error, "there is no Z3 wheel for plan9 on mips; install Z3 so that `z3` is on the PATH");
    }

    #[test]
    fn links_are_found_on_pages_of_both_kinds() {
        let html = r#"<a href="../../packages/aa/x-1.whl#sha256=12">x-1.whl</a>"#;
        assert_eq!(link_to(html, "x-1.whl").as_deref(), Some("../../packages/aa/x-1.whl"));
        let json = r#"{"files":[{"filename":"x-1.whl","url":"https://files.example/aa/x-1.whl"}]}"#;
        assert_eq!(link_to(json, "x-1.whl").as_deref(), Some("https://files.example/aa/x-1.whl"));
        assert_eq!(link_to(html, "y-1.whl"), None);
    }

    #[test]
    fn links_become_addresses() {
        let page = "https://index.example/simple/x/";
        assert_eq!(absolute(page, "https://f.example/x"), "https://f.example/x");
        assert_eq!(absolute(page, "/files/x"), "https://index.example/files/x");
        assert_eq!(absolute(page, "../../x"), "https://index.example/simple/x/../../x");
    }

    #[test]
    fn a_wrong_hash_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let wheel = directory.path().join("x.whl");
        std::fs::write(&wheel, b"something else").unwrap();
        let release = Release { version: "1", wheel: "x.whl", sha256: "00" };
        let error = check(&release, &wheel).unwrap_err();
        assert!(matches!(error, InstallError::Hash { .. }), "{error}");
    }
}
