//! Which loaded classes have been made by others than the JDK's own loaders? A class of the program's name that comes from elsewhere may
//! have any code.

use super::JvmError;
use super::env::Env;
use super::objects::Kinds;
use super::tools::Tools;
use std::collections::BTreeSet;

/// The loaders of the class path and of the platform, in all versions of the JDK. Nobody else can define classes of these names.
const OF_JDK: [&str; 4] = [
    "jdk.internal.loader.ClassLoaders$AppClassLoader",
    "jdk.internal.loader.ClassLoaders$PlatformClassLoader",
    "sun.misc.Launcher$AppClassLoader",
    "sun.misc.Launcher$ExtClassLoader",
];

impl Tools {
    /// Those of the names (binary, with dots) of which there is a class that was defined by another loader.
    pub fn defined_elsewhere(
        self,
        env: &Env<'_>,
        kinds: &Kinds,
        names: &BTreeSet<&str>,
    ) -> Result<BTreeSet<String>, JvmError> {
        let mut found = BTreeSet::new();
        for (name, class) in self.named(|name| names.contains(&*name.replace('/', ".")))? {
            // The boot loader is null.
            let loader = self.loader_of(env, class)?.and_then(|loader| loader.class_name(kinds));
            if loader.is_some_and(|loader| !OF_JDK.contains(&loader.as_str())) {
                found.insert(name.replace('/', "."));
            }
        }
        Ok(found)
    }
}
