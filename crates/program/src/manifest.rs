//! The manifest of a jar: the few main attributes that decide which classes there are.

use std::path::{Path, PathBuf};

/// Main attributes of `META-INF/MANIFEST.MF`, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    attributes: Vec<(String, String)>,
}

impl Manifest {
    /// Reads the main section; lines that are no attributes are skipped. A line that starts with a space continues the one before.
    pub(crate) fn parse(bytes: &[u8]) -> Manifest {
        let text = String::from_utf8_lossy(bytes);
        let mut attributes: Vec<(String, String)> = Vec::new();
        for line in text.split(['\n', '\r']) {
            if let Some(more) = line.strip_prefix(' ') {
                if let Some((_, value)) = attributes.last_mut() {
                    value.push_str(more);
                }
            } else if let Some((key, value)) = line.split_once(':') {
                if key.eq_ignore_ascii_case("Name") {
                    break;
                }
                attributes.push((key.to_owned(), value.trim_start().to_owned()));
            }
        }
        Manifest { attributes }
    }

    pub(crate) fn attributes(&self) -> &[(String, String)] {
        &self.attributes
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.trim())
    }

    pub(crate) fn is_multi_release(&self) -> bool {
        self.get("Multi-Release").is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The archives and directories that `Class-Path` names, relative to the jar's directory.
    pub(crate) fn class_path(&self, jar: &Path) -> Vec<PathBuf> {
        let base = jar.parent().unwrap_or(Path::new(""));
        let urls = self.get("Class-Path").unwrap_or_default().split_whitespace();
        urls.filter_map(|url| {
            let plain = url.strip_prefix("file:").unwrap_or(url);
            (!plain.contains(':')).then(|| base.join(percent_decoded(plain)))
        })
        .collect()
    }
}

fn percent_decoded(url: &str) -> String {
    let bytes = url.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex =
            url.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(hex.unwrap_or(bytes[at]));
        at += if hex.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_attributes_with_continuations() {
        let text = b"Manifest-Version: 1.0\r\nClass-Path: lib/a.jar lib/b\r\n .jar http://x/y.jar lib/c%20d.jar\r\nmulti-release: TRUE\r\n\r\nName: x\r\nClass-Path: no\r\n";
        let manifest = Manifest::parse(text);
        assert!(manifest.is_multi_release());
        let expected = ["/app/lib/a.jar", "/app/lib/b.jar", "/app/lib/c d.jar"].map(PathBuf::from);
        assert_eq!(manifest.class_path(Path::new("/app/app.jar")), expected);
    }
}
