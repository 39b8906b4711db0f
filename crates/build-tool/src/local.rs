//! What a module needs, without asking anybody: build files and local repositories are read, nothing is run and nothing fetched. Versions
//! are chosen as Maven does it: the nearest counts, and what the module manages counts before all.

use crate::effective::{Effective, Key, Poms};
use crate::pom::Dependency;
use crate::repository::{self, Coordinates, Repositories, Repository};
use crate::{BuildPath, Project, gradle};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

pub(crate) fn of_maven(project: &Project, module: usize) -> BuildPath {
    let poms = Poms::new(Repositories(vec![Repository::Maven(repository::of_maven(&project.root))]));
    let file = project.modules[module].directory.join("pom.xml");
    match poms.effective(&file) {
        Some(root) => Search::new(&poms, project).from(&root),
        None => unreadable(&file),
    }
}

/// Gradle's build files are programs; of them only what is written as `group:name:version` is understood.
pub(crate) fn of_gradle(project: &Project, module: usize) -> BuildPath {
    let maven = Repository::Maven(repository::of_maven(&project.root));
    let poms = Poms::new(Repositories(vec![Repository::Gradle(repository::of_gradle()), maven]));
    let root = Effective { dependencies: gradle::declared(project, module), ..Effective::default() };
    let mut path = Search::new(&poms, project).from(&root);
    if root.dependencies.is_empty() {
        path.problems.push(
            "no dependency is written as `group:name:version` in the build files: without Gradle, others are not known"
                .into(),
        );
    }
    path
}

fn unreadable(file: &Path) -> BuildPath {
    BuildPath { problems: vec![format!("`{}` cannot be read", file.display())], ..BuildPath::default() }
}

/// One thing that is needed, with where it is.
#[derive(Debug)]
struct Needed {
    jar: Option<PathBuf>,
    is_wanted: bool,
    name: String,
    /// What it needs in turn.
    needs: Vec<Key>,
}

struct Search<'a> {
    poms: &'a Poms,
    project: &'a Project,
    found: BTreeMap<Key, Needed>,
    order: Vec<Key>,
    /// Of the project, by group and artifact.
    siblings: BTreeMap<(String, String), Effective>,
}

/// What is still to be looked at: who it is, and what is not to be followed from there.
struct Open {
    dependency: Dependency,
    excluded: Vec<(String, String)>,
    needed_by: Option<Key>,
}

/// More than any program needs.
const MOST: usize = 5000;

impl<'a> Search<'a> {
    fn new(poms: &'a Poms, project: &'a Project) -> Search<'a> {
        let files = project.modules.iter().map(|module| module.directory.join("pom.xml"));
        let siblings = files.filter_map(|file| poms.effective(&file));
        let siblings = siblings.map(|it| ((it.group.clone(), it.artifact.clone()), it)).collect();
        Search { poms, project, found: BTreeMap::new(), order: Vec::new(), siblings }
    }

    fn from(mut self, root: &Effective) -> BuildPath {
        let open = |it: &Dependency| Open { dependency: it.clone(), excluded: Vec::new(), needed_by: None };
        let mut queue: VecDeque<Open> = root.dependencies.iter().map(open).collect();
        while let Some(next) = queue.pop_front().filter(|_| self.found.len() < MOST) {
            self.visit(next, root, &mut queue);
        }
        let roots = |is_test: bool| {
            let wanted = root.dependencies.iter().filter(move |it| (it.scope.as_deref() == Some("test")) == is_test);
            wanted.map(Dependency::key).collect::<Vec<Key>>()
        };
        let (program, tests) = (self.reached(roots(false)), self.reached(roots(true)));
        let mut path = BuildPath::default();
        for key in &self.order {
            let Some(needed) = self.found.get(key) else { continue };
            let list = if program.contains(key) {
                &mut path.libraries
            } else if tests.contains(key) {
                &mut path.test_libraries
            } else {
                continue;
            };
            match &needed.jar {
                Some(jar) => list.push(jar.clone()),
                None if needed.is_wanted => {
                    path.problems.push(format!("`{}` is not in the local repository", needed.name));
                }
                None => {}
            }
        }
        path
    }

    fn visit(&mut self, open: Open, root: &Effective, queue: &mut VecDeque<Open>) {
        let Open { mut dependency, excluded, needed_by } = open;
        let key = dependency.key();
        if let Some(needing) = needed_by.as_ref().and_then(|by| self.found.get_mut(by)) {
            needing.needs.push(key.clone());
        }
        if self.found.contains_key(&key) {
            return;
        }
        if let Some(managed) = root.managed.get(&key).filter(|_| needed_by.is_some()) {
            dependency.version = managed.version.clone().or(dependency.version);
        }
        let sibling = self.siblings.get(&(dependency.group.clone(), dependency.artifact.clone())).cloned();
        let of = self.coordinates(&dependency);
        let jar = self.jar(&dependency, &of).filter(|_| sibling.is_none());
        let is_wanted = sibling.is_none() && !matches!(dependency.kind.as_deref(), Some("pom"));
        let name = format!("{}:{}:{}", of.group, of.artifact, of.version);
        self.found.insert(key.clone(), Needed { jar, is_wanted, name, needs: Vec::new() });
        self.order.push(key.clone());
        let mut excluded = excluded;
        excluded.extend(dependency.exclusions.iter().cloned());
        let needs = sibling.or_else(|| self.poms.of_repository(&of)).map(|it| it.dependencies).unwrap_or_default();
        for need in needs.into_iter().filter(|need| is_followed(need) && !is_excluded(need, &excluded)) {
            queue.push_back(Open { dependency: need, excluded: excluded.clone(), needed_by: Some(key.clone()) });
        }
    }

    fn coordinates(&self, of: &Dependency) -> Coordinates {
        let said = of.version.clone().filter(|version| !version.contains(['$', '[', '(', '+']));
        let said = said.filter(|version| !["LATEST", "RELEASE"].contains(&version.as_str()));
        let version = said.or_else(|| self.poms.repositories().newest(&of.group, &of.artifact));
        Coordinates {
            group: of.group.clone(),
            artifact: of.artifact.clone(),
            version: version.or_else(|| of.version.clone()).unwrap_or_else(|| "?".into()),
        }
    }

    fn jar(&self, dependency: &Dependency, of: &Coordinates) -> Option<PathBuf> {
        if let Some(path) = &dependency.system_path {
            return Some(self.project.root.join(path)).filter(|path| path.is_file());
        }
        let classifier = match dependency.kind.as_deref() {
            Some("pom" | "war" | "ear" | "zip") => return None,
            Some("test-jar") => Some("tests"),
            _ => dependency.classifier.as_deref().filter(|it| !it.is_empty()),
        };
        self.poms.repositories().file(of, classifier, "jar")
    }

    fn reached(&self, roots: Vec<Key>) -> BTreeSet<Key> {
        let (mut reached, mut open) = (BTreeSet::new(), roots);
        while let Some(key) = open.pop() {
            if let Some(needed) = self.found.get(&key).filter(|_| reached.insert(key)) {
                open.extend(needed.needs.iter().cloned());
            }
        }
        reached
    }
}

/// Of what others need, only what runs with them counts.
fn is_followed(need: &Dependency) -> bool {
    !need.is_optional && matches!(need.scope.as_deref(), None | Some("compile" | "runtime"))
}

fn is_excluded(need: &Dependency, excluded: &[(String, String)]) -> bool {
    let fits = |pattern: &str, name: &str| pattern == "*" || pattern == name;
    excluded.iter().any(|(group, artifact)| fits(group, &need.group) && fits(artifact, &need.artifact))
}
