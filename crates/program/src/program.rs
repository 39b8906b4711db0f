//! The program under study as a whole: finds classes on the class path and in the JDK, reads them lazily, remembers them. Shared by
//! all threads. A class that is not there is a fact to ask for ([`Program::missing`]), never an error.

use crate::bytes::Bytes;
use crate::cache::Cache;
use crate::class_path::ClassPath;
use crate::classfile::Class;
use crate::error::{Problem, ProgramError};
use crate::jdk::{Jdk, JdkLibrary};
use crate::jimage::JImage;
use crate::names::ClassName;
use crate::source::{self, Entry, Origin, Source};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// All classes of a class path and a JDK.
#[derive(Debug)]
pub struct Program {
    jdk: Jdk,
    library: Library,
    sources: Vec<Source>,
    /// Which source has the class; the first on the class path wins.
    table: FxHashMap<ClassName, usize>,
    classes: RwLock<FxHashMap<ClassName, Option<Arc<Class>>>>,
    problems: Mutex<Vec<Problem>>,
}

#[derive(Debug)]
enum Library {
    Image(JImage),
    Jars(Vec<Source>),
}

impl Program {
    /// Opens the class path and the JDK. Problems are those of single archives and entries; the rest is there.
    pub fn open(class_path: &ClassPath, jdk: Jdk, cache: &Cache) -> Result<(Program, Vec<Problem>), ProgramError> {
        let _ = cache;
        let mut problems = Vec::new();
        let sources = source::open_all(class_path.entries(), jdk.feature, &mut problems)?;
        let library = open_library(&jdk, &mut problems)?;
        let mut table = FxHashMap::default();
        for (index, source) in sources.iter().enumerate() {
            for name in source.classes.keys() {
                table.entry(*name).or_insert(index);
            }
        }
        let program = Program { jdk, library, sources, table, classes: RwLock::default(), problems: Mutex::default() };
        Ok((program, problems))
    }

    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The class, read on the first call; `None` if it is nowhere or cannot be read (see [`problems`](Self::problems)).
    pub fn class(&self, name: ClassName) -> Option<Arc<Class>> {
        if let Some(known) = self.classes.read().unwrap_or_else(PoisonError::into_inner).get(&name) {
            return known.clone();
        }
        let class = self.read_class(name).map(Arc::new);
        // Two threads may read the same class; the first result stays, so that all users share one.
        let mut classes = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        classes.entry(name).or_insert(class).clone()
    }

    /// The bytes of the class file.
    pub fn class_bytes(&self, name: ClassName) -> Option<Bytes> {
        match self.find_bytes(name)? {
            Ok(bytes) => Some(bytes),
            Err(problem) => {
                self.note(problem);
                None
            }
        }
    }

    /// Where the class comes from.
    pub fn origin(&self, name: ClassName) -> Option<Origin> {
        if let Some((source, entry)) = self.on_class_path(name) {
            return Some(source.origin(entry));
        }
        match &self.library {
            Library::Image(image) => {
                image.find_class(name.as_internal())?;
                image.module_of_package(name.package()).map(|module| Origin::Module(module.to_owned()))
            }
            Library::Jars(jars) => find_in(jars, name).map(|(source, entry)| source.origin(entry)),
        }
    }

    /// Whether the class is on the class path, which makes it part of the application unless the user says otherwise. As in the JVM,
    /// a class of the JDK hides one of the same name on the class path.
    pub fn is_application_default(&self, name: ClassName) -> bool {
        self.table.contains_key(&name) && !self.is_jdk(name)
    }

    /// Whether the JDK has the class.
    pub fn is_jdk(&self, name: ClassName) -> bool {
        match &self.library {
            Library::Image(image) => image.find_class(name.as_internal()).is_some(),
            Library::Jars(jars) => find_in(jars, name).is_some(),
        }
    }

    /// The names of all classes on the class path, sorted.
    pub fn classes(&self) -> Vec<ClassName> {
        let mut names: Vec<ClassName> = self.table.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The names of all classes of the JDK, sorted.
    pub fn jdk_classes(&self) -> Vec<ClassName> {
        let mut names: Vec<ClassName> = match &self.library {
            Library::Image(image) => {
                let locations = image.locations();
                locations.filter_map(|at| image.class_name(&at).map(|(_, name)| ClassName::internal(&name))).collect()
            }
            Library::Jars(jars) => jars.iter().flat_map(|jar| jar.classes.keys().copied()).collect(),
        };
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Classes that were asked for and are not there, sorted.
    pub fn missing(&self) -> Vec<ClassName> {
        let classes = self.classes.read().unwrap_or_else(PoisonError::into_inner);
        let missing: BTreeSet<ClassName> =
            classes.iter().filter(|(_, class)| class.is_none()).map(|(name, _)| *name).collect();
        missing.into_iter().collect()
    }

    /// What was found wrong with classes since the program was opened.
    pub fn problems(&self) -> Vec<Problem> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn read_class(&self, name: ClassName) -> Option<Class> {
        let bytes = self.class_bytes(name)?;
        let place = || self.origin(name).map_or_else(String::new, |origin| origin.to_string());
        match Class::read(&bytes) {
            Ok(class) if class.name == name => {
                for error in &class.problems {
                    self.note(Problem::Class { place: place(), error: error.clone() });
                }
                Some(class)
            }
            Ok(class) => {
                self.note(Problem::WrongName { place: format!("{}: {name}", place()), found: class.name.dotted() });
                None
            }
            Err(error) => {
                self.note(Problem::Class { place: format!("{}: {name}", place()), error });
                None
            }
        }
    }

    fn note(&self, problem: Problem) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }

    /// The JDK comes first, as in the JVM's delegation.
    fn find_bytes(&self, name: ClassName) -> Option<Result<Bytes, Problem>> {
        match &self.library {
            Library::Image(image) => match image.class(name.as_internal()) {
                Ok(None) => {}
                Ok(Some(bytes)) => return Some(Ok(bytes)),
                Err(error) => return Some(Err(Problem::Jdk { message: error.to_string() })),
            },
            Library::Jars(jars) => {
                if let Some((source, entry)) = find_in(jars, name) {
                    return Some(source.read(entry));
                }
            }
        }
        let (source, entry) = self.on_class_path(name)?;
        Some(source.read(entry))
    }

    fn on_class_path(&self, name: ClassName) -> Option<(&Source, &Entry)> {
        let source = self.sources.get(*self.table.get(&name)?)?;
        Some((source, source.classes.get(&name)?))
    }
}

fn find_in(sources: &[Source], name: ClassName) -> Option<(&Source, &Entry)> {
    sources.iter().find_map(|source| Some((source, source.classes.get(&name)?)))
}

fn open_library(jdk: &Jdk, problems: &mut Vec<Problem>) -> Result<Library, ProgramError> {
    let broken = |reason: String| ProgramError::NotAJdk { home: jdk.home.clone(), reason };
    match &jdk.library {
        JdkLibrary::Image(path) => {
            let bytes = Bytes::map(path).map_err(|error| broken(format!("`{}`: {error}", path.display())))?;
            let image = JImage::open(bytes).map_err(|error| broken(format!("`{}`: {error}", path.display())))?;
            Ok(Library::Image(image))
        }
        JdkLibrary::Jars(jars) => Ok(Library::Jars(source::open_all(jars, jdk.feature, problems)?)),
    }
}
