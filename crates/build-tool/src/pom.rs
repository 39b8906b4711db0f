//! One POM as its file has it: nothing is inherited, and `${..}` stands as it is written. What cannot be understood is left out.

use crate::{BuildError, astray};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pom {
    pub(crate) group: Option<String>,
    pub(crate) artifact: String,
    pub(crate) version: Option<String>,
    pub(crate) packaging: Option<String>,
    pub(crate) parent: Option<Parent>,
    pub(crate) properties: BTreeMap<String, String>,
    /// Those of profiles included: which of these are on, only Maven knows.
    pub(crate) modules: Vec<String>,
    pub(crate) managed: Vec<Dependency>,
    pub(crate) dependencies: Vec<Dependency>,
    /// Simple elements of `<build>`: `directory`, `outputDirectory`, ..
    pub(crate) build: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parent {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: String,
    /// Empty: in a repository only.
    pub(crate) relative_path: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) classifier: Option<String>,
    pub(crate) scope: Option<String>,
    pub(crate) is_optional: bool,
    /// Group and artifact, `*` for any.
    pub(crate) exclusions: Vec<(String, String)>,
    pub(crate) system_path: Option<String>,
}

impl Pom {
    pub(crate) fn read(file: &Path) -> Result<Pom, BuildError> {
        let unreadable = |reason: String| BuildError::Unreadable { file: file.to_owned(), reason };
        let text = astray::text(file).map_err(|error| unreadable(error.to_string()))?;
        Pom::parse(&text).map_err(unreadable)
    }

    pub(crate) fn parse(text: &str) -> Result<Pom, String> {
        let document = Document::parse(text.trim_start_matches('\u{feff}')).map_err(|error| error.to_string())?;
        let project = document.root_element();
        if project.tag_name().name() != "project" {
            return Err("its outermost element is not `project`".into());
        }
        let parent = child(project, "parent").map(|parent| Parent {
            group: text_of(parent, "groupId").unwrap_or_default(),
            artifact: text_of(parent, "artifactId").unwrap_or_default(),
            version: text_of(parent, "version").unwrap_or_default(),
            relative_path: child(parent, "relativePath").map(|path| text_in(path)),
        });
        let mut pom = Pom {
            group: text_of(project, "groupId"),
            artifact: text_of(project, "artifactId").unwrap_or_default(),
            version: text_of(project, "version"),
            packaging: text_of(project, "packaging"),
            parent,
            build: child(project, "build").map(simple_elements).unwrap_or_default(),
            ..Pom::default()
        };
        pom.add(project);
        for profile in children(project, "profiles").flat_map(|profiles| children(profiles, "profile")) {
            if is_usual(profile) {
                pom.add(profile);
            } else {
                pom.modules.extend(modules_of(profile));
            }
        }
        Ok(pom)
    }

    /// What a project and its profiles both can have.
    fn add(&mut self, node: Node<'_, '_>) {
        self.properties.extend(child(node, "properties").map(simple_elements).unwrap_or_default());
        self.modules.extend(modules_of(node));
        self.dependencies.extend(dependencies_of(node));
        self.managed.extend(children(node, "dependencyManagement").flat_map(dependencies_of));
    }
}

/// A profile that is on unless somebody chooses another.
fn is_usual(profile: Node<'_, '_>) -> bool {
    let activation = child(profile, "activation");
    activation.and_then(|activation| text_of(activation, "activeByDefault")).as_deref() == Some("true")
}

fn modules_of(node: Node<'_, '_>) -> Vec<String> {
    // Maven 4 calls them subprojects.
    let lists = [("modules", "module"), ("subprojects", "subproject")];
    let named = lists.into_iter().flat_map(|(list, item)| children(node, list).flat_map(move |it| children(it, item)));
    named.map(text_in).filter(|name| !name.is_empty()).collect()
}

fn dependencies_of<'a>(node: Node<'a, '_>) -> Vec<Dependency> {
    let all = children(node, "dependencies").flat_map(|list| children(list, "dependency"));
    all.map(dependency).collect()
}

fn dependency(node: Node<'_, '_>) -> Dependency {
    let exclusions = children(node, "exclusions").flat_map(|list| children(list, "exclusion"));
    let part = |node: Node<'_, '_>, name: &str| text_of(node, name).unwrap_or_else(|| "*".into());
    Dependency {
        group: text_of(node, "groupId").unwrap_or_default(),
        artifact: text_of(node, "artifactId").unwrap_or_default(),
        version: text_of(node, "version"),
        kind: text_of(node, "type"),
        classifier: text_of(node, "classifier"),
        scope: text_of(node, "scope"),
        is_optional: text_of(node, "optional").as_deref() == Some("true"),
        exclusions: exclusions.map(|it| (part(it, "groupId"), part(it, "artifactId"))).collect(),
        system_path: text_of(node, "systemPath"),
    }
}

fn children<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

fn child<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

fn text_of(node: Node<'_, '_>, name: &str) -> Option<String> {
    let child = node.children().find(|child| child.tag_name().name() == name)?;
    Some(text_in(child)).filter(|text| !text.is_empty())
}

fn text_in(node: Node<'_, '_>) -> String {
    let parts: String = node.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect();
    parts.trim().to_owned()
}

/// Elements that have nothing but text, by their names.
fn simple_elements(node: Node<'_, '_>) -> BTreeMap<String, String> {
    let elements = node.children().filter(|child| child.is_element() && !child.children().any(|it| it.is_element()));
    elements.map(|child| (child.tag_name().name().to_owned(), text_in(child))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_is_read() {
        let pom = Pom::parse(
            "<?xml version=\"1.0\"?><!-- x --><project xmlns=\"http://maven.apache.org/POM/4.0.0\">
             <parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version><relativePath/></parent>
             <artifactId> a </artifactId><properties><v>2<!-- two --></v></properties>
             <modules><module>core</module></modules>
             <build><directory>out</directory><plugins><plugin><dependencies><dependency/></dependencies></plugin></plugins></build>
             <dependencies><dependency><groupId>x</groupId><artifactId>y</artifactId><version>${v}</version>
               <exclusions><exclusion><groupId>z</groupId></exclusion></exclusions></dependency></dependencies>
             <profiles><profile><activation><activeByDefault>true</activeByDefault></activation>
               <dependencies><dependency><groupId>in</groupId><artifactId>profile</artifactId></dependency></dependencies></profile>
               <profile><modules><module>extra</module></modules>
               <dependencies><dependency><groupId>not</groupId><artifactId>on</artifactId></dependency></dependencies></profile></profiles>
             </project>",
        )
        .unwrap();
        assert_eq!((pom.artifact.as_str(), pom.properties["v"].as_str()), ("a", "2"));
        assert_eq!(pom.parent.unwrap().relative_path.as_deref(), Some(""));
        assert_eq!(pom.modules, ["core", "extra"]);
        let names: Vec<&str> = pom.dependencies.iter().map(|it| it.artifact.as_str()).collect();
        assert_eq!(names, ["y", "profile"]);
        assert_eq!(pom.dependencies[0].exclusions, [("z".to_owned(), "*".to_owned())]);
        assert_eq!(pom.build, BTreeMap::from([("directory".to_owned(), "out".to_owned())]));
    }

    #[test]
    fn what_is_no_pom_is_an_error() {
        for text in ["", "<project>", "<html/>", "not xml", "<project><a></project>", "\u{0}"] {
            assert!(Pom::parse(text).is_err(), "{text}");
        }
        assert_eq!(Pom::parse("<project/>").unwrap(), Pom::default());
    }
}
