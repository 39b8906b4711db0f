//! The program under study as a whole: finds classes on the class path and in the JDK, reads them lazily, remembers them. Shared by
//! all threads. A class that is not there is a fact to ask for ([`Program::missing`]), never an error.

use crate::archive::within_class_root;
use crate::bytes::Bytes;
use crate::cache::Cache;
use crate::callers::CallIndexes;
use crate::class_path::ClassPath;
use crate::classfile::Class;
use crate::error::{Problem, ProgramError};
use crate::hierarchy::Hierarchy;
use crate::jdk::{Jdk, JdkLibrary};
use crate::jimage::JImage;
use crate::names::ClassName;
use crate::resolve::Ancestry;
use crate::scan::{Unit, on_own_threads};
use crate::sources::{Origin, Place, Sources};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// All classes of a class path and a JDK.
#[derive(Debug)]
pub struct Program {
    jdk: Jdk,
    library: Library,
    sources: Sources,
    cache: Cache,
    classes: RwLock<FxHashMap<ClassName, Option<Arc<Class>>>>,
    /// Of which classes it is known whether the JDK has them: asked again and again.
    in_jdk: RwLock<FxHashMap<ClassName, bool>>,
    ancestries: RwLock<FxHashMap<ClassName, Arc<Ancestry>>>,
    hierarchy: OnceLock<Hierarchy>,
    calls: CallIndexes,
    problems: Mutex<Vec<Problem>>,
}

/// The classes of the JDK.
#[derive(Debug)]
pub(crate) enum Library {
    Image(JImage),
    Jars(Sources),
}

impl Program {
    /// Opens the class path and the JDK. Problems are those of single archives and entries; the rest is there.
    pub fn open(class_path: &ClassPath, jdk: Jdk, cache: &Cache) -> Result<(Program, Vec<Problem>), ProgramError> {
        let (sources, mut problems) = Sources::open(class_path.entries(), jdk.feature, cache)?;
        problems.extend(class_path.ignored().iter().map(|path| Problem::no_directory(path)));
        let library = Library::open(&jdk, cache, &mut problems)?;
        let program = Program {
            jdk,
            library,
            calls: CallIndexes::new(&sources),
            sources,
            cache: cache.clone(),
            classes: RwLock::default(),
            in_jdk: RwLock::default(),
            ancestries: RwLock::default(),
            hierarchy: OnceLock::new(),
            problems: Mutex::default(),
        };
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
        match self.find_bytes(name.as_internal())? {
            Ok(bytes) => Some(bytes),
            Err(problem) => {
                self.note([problem]);
                None
            }
        }
    }

    /// Where the class comes from. As in the JVM, a class of the JDK hides one of the same name on the class path.
    pub fn origin(&self, name: ClassName) -> Option<Origin> {
        let name = name.as_internal();
        self.library.origin(name).or_else(|| self.sources.origin(self.sources.find(name)?, name))
    }

    /// Whether the class comes from the class path, which makes it part of the application unless the user says otherwise.
    pub fn is_application_default(&self, name: ClassName) -> bool {
        self.sources.find(name.as_internal()).is_some() && !self.is_jdk(name)
    }

    /// Whether the class lies where a program has its own classes and no libraries: in a class directory, or in `BOOT-INF/classes`
    /// and the like of an archive.
    pub fn is_own(&self, name: ClassName) -> bool {
        let place = self.sources.find(name.as_internal()).filter(|_| !self.is_jdk(name));
        let origin = place.and_then(|place| self.sources.origin(place, name.as_internal()));
        match origin {
            Some(Origin::File(_)) => true,
            Some(Origin::Archive { entry, .. }) => within_class_root(entry.as_bytes()).is_some(),
            Some(Origin::Module(_)) | None => false,
        }
    }

    /// Whether the JDK has the class.
    pub fn is_jdk(&self, name: ClassName) -> bool {
        if let Some(known) = self.in_jdk.read().unwrap_or_else(PoisonError::into_inner).get(&name) {
            return *known;
        }
        let has = self.library.has(name.as_internal());
        self.in_jdk.write().unwrap_or_else(PoisonError::into_inner).insert(name, has);
        has
    }

    /// The names of all classes on the class path, sorted.
    pub fn classes(&self) -> Vec<ClassName> {
        sorted_names(&self.sources.names())
    }

    /// How many classes are on the class path.
    pub fn class_count(&self) -> usize {
        self.sources.class_count()
    }

    /// The names of all classes of the JDK, sorted.
    pub fn jdk_classes(&self) -> Vec<ClassName> {
        sorted_names(&self.library.names())
    }

    /// Classes that were asked for and are not there, sorted.
    pub fn missing(&self) -> Vec<ClassName> {
        let classes = self.classes.read().unwrap_or_else(PoisonError::into_inner);
        let mut missing: Vec<ClassName> =
            classes.iter().filter(|(_, class)| class.is_none()).map(|(name, _)| *name).collect();
        missing.sort_unstable();
        missing
    }

    /// What was found wrong since the program was opened.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone();
        problems.extend(self.sources.listing_problems());
        problems
    }

    /// What is above the class, computed on the first call.
    pub(crate) fn ancestry(&self, name: ClassName) -> Arc<Ancestry> {
        if let Some(known) = self.ancestries.read().unwrap_or_else(PoisonError::into_inner).get(&name) {
            return Arc::clone(known);
        }
        let ancestry = Arc::new(Ancestry::of(self, name));
        let mut ancestries = self.ancestries.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(ancestries.entry(name).or_insert(ancestry))
    }

    pub(crate) fn hierarchy(&self) -> &Hierarchy {
        self.hierarchy.get_or_init(|| {
            let build = || Hierarchy::build(&self.sources, &self.library, &self.cache);
            let (hierarchy, problems) = on_own_threads(build);
            self.note(problems);
            hierarchy
        })
    }

    pub(crate) fn calls(&self) -> &CallIndexes {
        &self.calls
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    pub(crate) fn note(&self, problems: impl IntoIterator<Item = Problem>) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).extend(problems);
    }

    fn read_class(&self, name: ClassName) -> Option<Class> {
        let bytes = self.class_bytes(name)?;
        let place = || self.origin(name).map_or_else(String::new, |origin| origin.to_string());
        match Class::read(&bytes) {
            Ok(class) if class.name == name => {
                let damaged = class.problems.iter().cloned();
                self.note(damaged.map(|error| Problem::Class { place: place(), error }));
                Some(class)
            }
            Ok(class) => {
                self.note([Problem::WrongName { place: format!("{}: {name}", place()), found: class.name.dotted() }]);
                None
            }
            Err(error) => {
                self.note([Problem::Class { place: format!("{}: {name}", place()), error }]);
                None
            }
        }
    }

    fn find_bytes(&self, name: &str) -> Option<Result<Bytes, Problem>> {
        self.library.read(name).or_else(|| self.sources.read(self.sources.find(name)?, name))
    }
}

impl Library {
    fn open(jdk: &Jdk, cache: &Cache, problems: &mut Vec<Problem>) -> Result<Library, ProgramError> {
        match &jdk.library {
            JdkLibrary::Image(path) => {
                let broken = |error: &dyn ToString| ProgramError::NotAJdk {
                    home: jdk.home.clone(),
                    reason: format!("`{}`: {}", path.display(), error.to_string()),
                };
                let bytes = Bytes::map(path).map_err(|error| broken(&error))?;
                let image = JImage::open(bytes).map_err(|error| broken(&error))?;
                // Better to learn now than with every class that the image cannot be read.
                match image.class("java/lang/Object") {
                    Ok(Some(_)) => Ok(Library::Image(image)),
                    Ok(None) => Err(broken(&"it has no class `java.lang.Object`")),
                    Err(error) => Err(broken(&error)),
                }
            }
            JdkLibrary::Jars(jars) => {
                let (sources, more) = Sources::open(jars, jdk.feature, cache)?;
                problems.extend(more);
                Ok(Library::Jars(sources))
            }
        }
    }

    pub(crate) fn units(&self) -> Vec<Unit<'_>> {
        match self {
            Library::Image(image) => vec![Unit::Image(image)],
            Library::Jars(sources) => sources.list.iter().map(Unit::from).collect(),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Library::Image(image) => image.find_class(name).is_some(),
            Library::Jars(sources) => sources.find(name).is_some(),
        }
    }

    /// Whether there may be classes in the package.
    pub(crate) fn has_package(&self, package: &str) -> bool {
        match self {
            Library::Image(image) => image.module_of_package(package).is_some(),
            Library::Jars(_) => true,
        }
    }

    /// Whether the class at `at` of the unit with this position is found by its name. An image has no two of one name.
    pub(crate) fn is_live(&self, unit: usize, at: u32, hash: u64, name: &str) -> bool {
        match self {
            Library::Image(_) => true,
            Library::Jars(sources) => sources.is_live(Place { source: unit as u32, at }, hash, name),
        }
    }

    fn names(&self) -> Vec<String> {
        match self {
            Library::Image(image) => {
                let locations = (0..image.slots()).filter_map(|slot| image.location(slot));
                locations.filter_map(|location| image.class_name(&location).map(|(_, name)| name)).collect()
            }
            Library::Jars(sources) => sources.names(),
        }
    }

    fn origin(&self, name: &str) -> Option<Origin> {
        match self {
            Library::Image(image) => {
                let location = image.find_class(name)?;
                Some(Origin::Module(image.class_name(&location)?.0.to_owned()))
            }
            Library::Jars(sources) => sources.origin(sources.find(name)?, name),
        }
    }

    fn read(&self, name: &str) -> Option<Result<Bytes, Problem>> {
        match self {
            Library::Image(image) => {
                let read = image.class(name).map_err(|error| Problem::Jdk { message: error.to_string() });
                read.transpose()
            }
            Library::Jars(sources) => sources.read(sources.find(name)?, name),
        }
    }
}

fn sorted_names(names: &[String]) -> Vec<ClassName> {
    let mut names: Vec<ClassName> = names.iter().map(|name| ClassName::internal(name)).collect();
    names.sort_unstable();
    names
}
