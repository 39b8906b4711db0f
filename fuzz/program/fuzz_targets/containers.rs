//! Any bytes as a zip archive and as a JDK image: every entry is listed and read. The modules under test are private to their crate and
//! are therefore compiled in here.
#![no_main]
#![allow(dead_code, reason = "only a part of each module is under test")]

use libfuzzer_sys::fuzz_target;

#[path = "../../../crates/program/src/bytes.rs"]
mod bytes;
#[path = "../../../crates/program/src/cache.rs"]
mod cache;
#[path = "../../../crates/program/src/jimage.rs"]
mod jimage;
#[path = "../../../crates/program/src/manifest.rs"]
mod manifest;
#[path = "../../../crates/program/src/zip/mod.rs"]
mod zip;

const LIMIT: u64 = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let bytes = bytes::Bytes::from(data.to_vec());
    if let Ok(zip) = zip::Zip::open(bytes.clone()) {
        let mut scratch = zip::Scratch::default();
        let contents = zip.contents();
        for entry in zip.entries().take(100).flatten() {
            let one = zip.read(entry.location, LIMIT);
            if let Ok(contents) = &contents {
                let other = contents.read(entry.location, LIMIT, &mut scratch);
                assert_eq!(one.as_deref().ok(), other.ok());
            }
            assert_eq!(zip.entry(entry.at).map(|again| again.name), Some(entry.name));
        }
    }
    if let Ok(image) = jimage::JImage::open(bytes) {
        let _ = (image.class("java/lang/Object"), image.key());
        for location in (0..image.slots().min(1000)).filter_map(|slot| image.location(slot)) {
            let _ = (image.class_name(&location), image.read(location));
        }
    }
    let manifest = manifest::Manifest::parse(data);
    let _ = (manifest.is_multi_release(), manifest.class_path(std::path::Path::new("a/b.jar")));
});
