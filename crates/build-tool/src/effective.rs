//! A POM with what it inherits: parents, properties, managed versions, imported lists of versions. As Maven does it, to the extent that
//! files on this machine tell; profiles that something outside of the POM turns on are not looked at.

use crate::pom::{Dependency, Pom};
use crate::repository::{Coordinates, Repositories};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Group, artifact, type and classifier.
pub(crate) type Key = (String, String, String, String);

#[derive(Clone, Debug, Default)]
pub(crate) struct Effective {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) packaging: String,
    pub(crate) managed: BTreeMap<Key, Dependency>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) build: BTreeMap<String, String>,
}

impl Dependency {
    pub(crate) fn key(&self) -> Key {
        let kind = self.kind.clone().unwrap_or_else(|| "jar".into());
        (self.group.clone(), self.artifact.clone(), kind, self.classifier.clone().unwrap_or_default())
    }

    /// What is managed fills what is not said.
    pub(crate) fn filled_by(&mut self, managed: &BTreeMap<Key, Dependency>) {
        if let Some(managed) = managed.get(&self.key()) {
            self.version = self.version.take().or_else(|| managed.version.clone());
            self.scope = self.scope.take().or_else(|| managed.scope.clone());
            self.exclusions.extend(managed.exclusions.iter().cloned());
        }
    }
}

/// Parents of parents, imports of imports: more than this is a circle.
const DEEPEST: usize = 16;

/// POMs of one project and of repositories, each read once.
#[derive(Debug)]
pub(crate) struct Poms {
    repositories: Repositories,
    read: RefCell<BTreeMap<PathBuf, Option<Rc<Pom>>>>,
    /// What POMs that others import manage: every module of a large project imports the same ones, with thousands of entries.
    imported: RefCell<BTreeMap<PathBuf, Rc<BTreeMap<Key, Dependency>>>>,
}

impl Poms {
    pub(crate) fn new(repositories: Repositories) -> Poms {
        Poms { repositories, read: RefCell::default(), imported: RefCell::default() }
    }

    pub(crate) fn repositories(&self) -> &Repositories {
        &self.repositories
    }

    /// None if it cannot be read; what it inherits from may be missing all the same.
    pub(crate) fn effective(&self, file: &Path) -> Option<Effective> {
        self.effective_at(file, 0)
    }

    pub(crate) fn of_repository(&self, of: &Coordinates) -> Option<Effective> {
        self.effective_at(&self.repositories.file(of, None, "pom")?, 0)
    }

    fn pom(&self, file: &Path) -> Option<Rc<Pom>> {
        if let Some(known) = self.read.borrow().get(file) {
            return known.clone();
        }
        let pom = Pom::read(file).ok().map(Rc::new);
        self.read.borrow_mut().insert(file.to_owned(), pom.clone());
        pom
    }

    /// The POM, its parent, and so on.
    fn lineage(&self, file: &Path) -> Vec<Rc<Pom>> {
        let mut line = Vec::new();
        let mut at = Some(file.to_owned());
        while let Some(file) = at.take().filter(|_| line.len() < DEEPEST) {
            let Some(pom) = self.pom(&file) else { break };
            at = self.parent_file(&file, &pom);
            line.push(pom);
        }
        line
    }

    fn parent_file(&self, file: &Path, pom: &Pom) -> Option<PathBuf> {
        let parent = pom.parent.as_ref()?;
        let relative = parent.relative_path.as_deref().unwrap_or("../pom.xml");
        let beside = (!relative.is_empty()).then(|| file.parent().unwrap_or(Path::new(".")).join(relative));
        let beside = beside.map(|path| if path.is_dir() { path.join("pom.xml") } else { path });
        let is_it = |path: &PathBuf| self.pom(path).is_some_and(|pom| pom.artifact == parent.artifact);
        let coordinates = Coordinates {
            group: parent.group.clone(),
            artifact: parent.artifact.clone(),
            version: parent.version.clone(),
        };
        beside.filter(is_it).or_else(|| self.repositories.file(&coordinates, None, "pom"))
    }

    fn effective_at(&self, file: &Path, depth: usize) -> Option<Effective> {
        let line = self.lineage(file);
        let own = line.first()?;
        let values = Values::of(&line, file);
        let mut effective = Effective {
            group: values.get("project.groupId"),
            artifact: own.artifact.clone(),
            packaging: own.packaging.clone().unwrap_or_else(|| "jar".into()),
            ..Effective::default()
        };
        for pom in line.iter().rev() {
            effective.build.extend(pom.build.iter().map(|(name, value)| (name.clone(), values.fill(value))));
        }
        let mut imports = Vec::new();
        for managed in line.iter().flat_map(|pom| &pom.managed).map(|it| values.filled(it)) {
            if managed.scope.as_deref() == Some("import") {
                imports.push(managed);
            } else {
                effective.managed.entry(managed.key()).or_insert(managed);
            }
        }
        for import in imports.iter().filter(|_| depth < DEEPEST) {
            self.import(import, depth, &mut effective.managed);
        }
        for mut dependency in line.iter().flat_map(|pom| &pom.dependencies).map(|it| values.filled(it)) {
            if effective.dependencies.iter().all(|known| known.key() != dependency.key()) {
                dependency.filled_by(&effective.managed);
                effective.dependencies.push(dependency);
            }
        }
        Some(effective)
    }

    /// What another POM manages, where nothing nearer does.
    fn import(&self, of: &Dependency, depth: usize, managed: &mut BTreeMap<Key, Dependency>) {
        let coordinates = Coordinates {
            group: of.group.clone(),
            artifact: of.artifact.clone(),
            version: of.version.clone().unwrap_or_default(),
        };
        let Some(file) = self.repositories.file(&coordinates, None, "pom") else { return };
        for (key, dependency) in &*self.imported(&file, depth + 1) {
            managed.entry(key.clone()).or_insert_with(|| dependency.clone());
        }
    }

    fn imported(&self, file: &Path, depth: usize) -> Rc<BTreeMap<Key, Dependency>> {
        if let Some(known) = self.imported.borrow().get(file) {
            return Rc::clone(known);
        }
        let managed = Rc::new(self.effective_at(file, depth).map(|it| it.managed).unwrap_or_default());
        self.imported.borrow_mut().insert(file.to_owned(), Rc::clone(&managed));
        managed
    }
}

/// What `${..}` stands for.
struct Values(BTreeMap<String, String>);

impl Values {
    fn of(line: &[Rc<Pom>], file: &Path) -> Values {
        let mut values = BTreeMap::new();
        for pom in line.iter().rev() {
            values.extend(pom.properties.clone());
        }
        let Some(own) = line.first() else { return Values(values) };
        let parent = own.parent.clone().unwrap_or_default();
        let inherited = |of: fn(&Pom) -> &Option<String>| line.iter().find_map(|pom| of(pom).clone());
        let group = inherited(|pom| &pom.group).unwrap_or_else(|| parent.group.clone());
        let version = inherited(|pom| &pom.version).unwrap_or_else(|| parent.version.clone());
        let directory = file.parent().unwrap_or(Path::new(".")).to_string_lossy().into_owned();
        let known = [
            ("groupId", group),
            ("artifactId", own.artifact.clone()),
            ("version", version),
            ("parent.groupId", parent.group),
            ("parent.artifactId", parent.artifact),
            ("parent.version", parent.version),
            ("basedir", directory.clone()),
            ("build.directory", "target".into()),
        ];
        values.insert("basedir".into(), directory);
        for (name, value) in known {
            values.insert(format!("project.{name}"), value.clone());
            values.insert(format!("pom.{name}"), value);
        }
        Values(values)
    }

    fn get(&self, name: &str) -> String {
        self.0.get(name).map(|value| self.fill(value)).unwrap_or_default()
    }

    /// The text with every `${..}` that is known replaced.
    fn fill(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // A value may have others in it; a circle ends.
        for _ in 0..DEEPEST {
            let filled = self.fill_once(&text);
            if filled == text {
                break;
            }
            text = filled;
        }
        text
    }

    fn fill_once(&self, text: &str) -> String {
        /// Values that hold themselves twice would double with every step.
        const LONGEST: usize = 4096;
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${").filter(|_| filled.len() < LONGEST) {
            filled.push_str(before);
            match after.split_once('}').and_then(|(name, after)| Some((self.0.get(name)?, after))) {
                Some((value, after)) => {
                    filled.push_str(value);
                    rest = after;
                }
                None => {
                    filled.push_str("${");
                    rest = after;
                }
            }
        }
        filled + rest
    }

    fn filled(&self, of: &Dependency) -> Dependency {
        let fill = |text: &Option<String>| text.as_ref().map(|text| self.fill(text));
        Dependency {
            group: self.fill(&of.group),
            artifact: self.fill(&of.artifact),
            version: fill(&of.version),
            kind: fill(&of.kind),
            classifier: fill(&of.classifier),
            scope: fill(&of.scope),
            is_optional: of.is_optional,
            exclusions: of.exclusions.iter().map(|(group, name)| (self.fill(group), self.fill(name))).collect(),
            system_path: fill(&of.system_path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::Repository;

    fn write(directory: &Path, file: &str, text: &str) -> PathBuf {
        let path = directory.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("<project>{text}</project>")).unwrap();
        path
    }

    #[test]
    fn parents_properties_and_managed_versions() {
        let place = tempfile::tempdir().unwrap();
        let repository = place.path().join("m2");
        write(
            &repository,
            "org/bom/bom/7/bom-7.pom",
            "<groupId>org.bom</groupId><artifactId>bom</artifactId><version>7</version><dependencyManagement><dependencies>
             <dependency><groupId>x</groupId><artifactId>imported</artifactId><version>${project.version}</version></dependency>
             <dependency><groupId>x</groupId><artifactId>y</artifactId><version>never</version></dependency>
             </dependencies></dependencyManagement>",
        );
        write(
            place.path(),
            "p/pom.xml",
            "<groupId>g</groupId><artifactId>parent</artifactId><version>${revision}</version>
             <properties><revision>3</revision><y.version>1</y.version></properties>
             <build><outputDirectory>${project.build.directory}/out</outputDirectory></build>
             <dependencyManagement><dependencies>
             <dependency><groupId>x</groupId><artifactId>y</artifactId><version>${y.version}</version><scope>test</scope></dependency>
             <dependency><groupId>org.bom</groupId><artifactId>bom</artifactId><version>7</version><type>pom</type><scope>import</scope></dependency>
             </dependencies></dependencyManagement>",
        );
        let child = write(
            place.path(),
            "p/child/pom.xml",
            "<parent><groupId>g</groupId><artifactId>parent</artifactId><version>3</version></parent><artifactId>child</artifactId>
             <properties><y.version>2</y.version><loop>a${loop}${loop}</loop></properties><dependencies>
             <dependency><groupId>x</groupId><artifactId>y</artifactId></dependency>
             <dependency><groupId>x</groupId><artifactId>imported</artifactId></dependency>
             <dependency><groupId>${project.groupId}</groupId><artifactId>${loop}</artifactId><version>${unknown}</version></dependency>
             </dependencies>",
        );
        let poms = Poms::new(Repositories(vec![Repository::Maven(repository)]));
        let effective = poms.effective(&child).unwrap();
        assert_eq!((effective.group.as_str(), effective.packaging.as_str()), ("g", "jar"));
        assert_eq!(effective.build["outputDirectory"], "target/out");
        let found: Vec<_> =
            effective.dependencies.iter().map(|it| (it.version.as_deref(), it.scope.as_deref())).collect();
        assert_eq!(found, [(Some("2"), Some("test")), (Some("7"), None), (Some("${unknown}"), None)]);
        assert_eq!(effective.dependencies[2].group, "g");
    }

    #[test]
    fn a_parent_that_is_its_own_ends() {
        let place = tempfile::tempdir().unwrap();
        let file = write(
            place.path(),
            "pom.xml",
            "<parent><groupId>g</groupId><artifactId>a</artifactId><version>1</version><relativePath>pom.xml</relativePath></parent>
             <artifactId>a</artifactId>",
        );
        assert_eq!(Poms::new(Repositories::default()).effective(&file).unwrap().group, "g");
        assert!(Poms::new(Repositories::default()).effective(&place.path().join("none.xml")).is_none());
    }
}
