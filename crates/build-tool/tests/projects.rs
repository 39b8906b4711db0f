//! Projects on disk: their modules, and what is read of them when no build tool may run.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use build_tool::{Asking, BuildError, Project};
use program::Cache;
use std::path::{Path, PathBuf};

struct Place(tempfile::TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, text)| place.write(path, text));
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn project(&self, directory: &str) -> Project {
        Project::around(&self.path(directory)).unwrap().unwrap()
    }
}

fn pom(artifact: &str, rest: &str) -> String {
    let parent = "<parent><groupId>com.acme</groupId><artifactId>all</artifactId><version>1</version></parent>";
    format!("<project>{parent}<artifactId>{artifact}</artifactId>{rest}</project>")
}

fn needs(group: &str, artifact: &str, rest: &str) -> String {
    format!("<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>{rest}</dependency>")
}

/// `web` needs `core`, which needs a library that needs another; `tool` stands alone.
fn shop() -> Place {
    let web = pom(
        "web",
        &format!(
            "<dependencies>{}{}</dependencies>",
            needs("${project.groupId}", "core", "<version>1</version>"),
            needs("junit", "junit", "<version>4.13.2</version><scope>test</scope>")
        ),
    );
    let core = pom("core", &format!("<dependencies>{}</dependencies>", needs("x", "lib", "")));
    let outer = "<project><groupId>com.acme</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
        <modules><module>core</module><module>parts/web</module><module>tool</module></modules>
        <dependencyManagement><dependencies><dependency><groupId>x</groupId><artifactId>lib</artifactId><version>2</version></dependency>
        </dependencies></dependencyManagement></project>";
    let web = web.replace(
        "<version>1</version></parent>",
        "<version>1</version><relativePath>../../pom.xml</relativePath></parent>",
    );
    let lib = format!(
        "<project><groupId>x</groupId><artifactId>lib</artifactId><version>2</version><dependencies>{}{}</dependencies></project>",
        needs("x", "deep", "<version>3</version>"),
        needs("x", "optional", "<version>3</version><optional>true</optional>")
    );
    Place::new(&[
        ("pom.xml", outer),
        ("core/pom.xml", &core),
        ("parts/web/pom.xml", &web),
        ("tool/pom.xml", &pom("tool", "")),
        ("m2/x/lib/2/lib-2.jar", ""),
        ("m2/x/lib/2/lib-2.pom", &lib),
        ("m2/x/deep/3/deep-3.jar", ""),
        ("m2/junit/junit/4.13.2/junit-4.13.2.jar", ""),
        (".mvn/maven.config", "-Dmaven.repo.local=m2\n"),
    ])
}

fn compiled(place: &Place) {
    place.write("core/target/classes/com/acme/Core.class", "");
    place.write("parts/web/target/classes/com/acme/Web.class", "");
    place.write("parts/web/target/test-classes/com/acme/WebTest.class", "");
    place.write("tool/target/classes/com/acme/Tool.class", "");
}

fn never(text: &str) {
    panic!("nobody was to be asked: {text}");
}

#[test]
fn a_project_is_found_from_anywhere_inside() {
    let place = shop();
    std::fs::create_dir_all(place.path("parts/web/src/main/java")).unwrap();
    for directory in [".", "core", "parts", "parts/web/src/main/java"] {
        let project = place.project(directory);
        let names: Vec<&str> = project.modules.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(project.root, place.path(""), "{directory}");
        assert_eq!(names, ["com.acme:core", "com.acme:web", "com.acme:tool"], "{directory}");
        assert_eq!(project.modules[1].siblings, [0]);
    }
    assert!(Project::around(Place::new(&[]).0.path()).unwrap().is_none());
}

#[test]
fn the_module_is_the_one_that_sees_the_whole_trace() {
    let place = shop();
    compiled(&place);
    let project = place.project("core");
    for (classes, module) in [
        (&["com.acme.Core", "com.acme.Web", "java.util.List"][..], 1),
        (&["com.acme.Core"], 0),
        (&["com.acme.Tool$$Lambda/0x1"], 2),
    ] {
        assert_eq!(project.module_of(classes).unwrap(), module, "{classes:?}");
    }
    let error = project.module_of(&["org.other.Thing"]).unwrap_err();
    assert!(matches!(error, BuildError::NoModule { .. }), "{error}");
    assert!(error.to_string().contains("`com.acme:core`"), "{error}");
}

#[test]
fn what_is_not_compiled_is_said_with_the_command() {
    let place = shop();
    let error = place.project(".").module_of(&["com.acme.Core"]).unwrap_err();
    assert_eq!(error.hint(), "compile the project first: `mvn test-compile`");
    compiled(&place);
    place.write("tool/src/main/java/com/acme/New.java", "");
    let error = place.project(".").module_of(&["com.acme.New$Inner"]).unwrap_err();
    assert!(error.to_string().contains("tool/target/classes"), "{error}");
    let gradle = Place::new(&[("build.gradle", ""), ("gradlew", "")]);
    let error = gradle.project(".").module_of(&["a.B"]).unwrap_err();
    assert_eq!(error.hint(), "compile the project first: `./gradlew testClasses`");
}

#[test]
fn poms_and_the_local_repository_give_the_class_path() {
    let place = shop();
    compiled(&place);
    let project = place.project(".");
    let path = project.class_path(1, Asking::Nobody, &Cache::none(), &mut never).unwrap();
    assert_eq!(path.own, ["parts/web/target/classes", "core/target/classes"].map(|it| place.path(it)));
    assert_eq!(path.libraries, ["m2/x/lib/2/lib-2.jar", "m2/x/deep/3/deep-3.jar"].map(|it| place.path(it)));
    assert_eq!(path.tests, [place.path("parts/web/target/test-classes")]);
    assert_eq!(path.test_libraries, [place.path("m2/junit/junit/4.13.2/junit-4.13.2.jar")]);
    assert!(path.problems.is_empty(), "{:?}", path.problems);
    std::fs::remove_file(place.path("m2/x/deep/3/deep-3.jar")).unwrap();
    let path = project.class_path(1, Asking::Nobody, &Cache::none(), &mut never).unwrap();
    assert_eq!(path.problems, ["`x:deep:3` is not in the local repository"]);
}

fn script(place: &Place, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    place.write(name, text);
    std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A wrapper that notes how it was called and answers as Gradle does with our task in it, but not without the network.
fn gradle_project() -> Place {
    let place = Place::new(&[
        ("settings.gradle", "include 'core', 'web'"),
        ("core/build.gradle", ""),
        ("web/build.gradle", "dependencies { implementation project(':core') }"),
        ("core/build/classes/java/main/a/Core.class", ""),
        ("web/build/classes/kotlin/main/a/Web.class", ""),
        ("lib/x.jar", ""),
        ("lib/junit-4.13.2.jar", ""),
    ]);
    let root = place.path("");
    let root = root.display();
    let answer = format!(
        "#!/bin/sh\necho \"$@\" >> {root}/calls\ncase \"$*\" in *--offline*) echo 'no network, no jars' >&2; exit 1;; esac\n\
         echo 'reenact output {root}/web/build/classes/kotlin/main'\necho 'reenact library {root}/core/build/libs/core.jar'\n\
         echo 'reenact library {root}/lib/x.jar'\necho 'reenact test-library {root}/lib/junit-4.13.2.jar'\n"
    );
    script(&place, "gradlew", &answer);
    place
}

#[test]
fn gradle_is_asked_once_until_a_build_file_changes() {
    let place = gradle_project();
    let cache = Cache::at(place.path("cache"));
    let ask = || {
        let project = place.project("web");
        let module = project.module_of(&["a.Core", "a.Web"]).unwrap();
        let mut said = Vec::new();
        let path = project.class_path(module, Asking::Tool, &cache, &mut |text| said.push(text.to_owned())).unwrap();
        (path, said)
    };
    let (first, said) = ask();
    assert_eq!(said.len(), 2, "first without the network: {said:?}");
    assert!(said[1].starts_with("asking Gradle for the class path: ./gradlew -q -I "), "{said:?}");
    let own = ["web/build/classes/kotlin/main", "core/build/classes/java/main"].map(|it| place.path(it));
    assert_eq!((&first.own[..], &first.libraries[..]), (&own[..], &[place.path("lib/x.jar")][..]));
    assert_eq!(first.test_libraries, [place.path("lib/junit-4.13.2.jar")]);
    let (again, said) = ask();
    assert_eq!((again.own, again.libraries, said), (first.own, first.libraries, vec![]));
    place.write("core/build.gradle", "// changed");
    assert_eq!(ask().1.len(), 2);
    let calls = std::fs::read_to_string(place.path("calls")).unwrap();
    assert!(calls.lines().all(|call| call.contains(":web:reenactClassPath")), "{calls}");
}

#[test]
fn a_build_that_fails_is_done_without_where_nothing_is_missing() {
    let place = gradle_project();
    script(&place, "gradlew", "#!/bin/sh\necho 'Plugin [id: x] was not found' >&2\nexit 1\n");
    let project = place.project("web");
    let ask = || project.class_path(2, Asking::Tool, &Cache::none(), &mut |_| {});
    let error = ask().unwrap_err();
    assert!(error.to_string().contains("says: Plugin [id: x] was not found"), "{error}");
    assert!(matches!(error, BuildError::Refused { .. }));
    let place = shop();
    compiled(&place);
    script(&place, "mvnw", "#!/bin/sh\necho '[ERROR] Some problems were encountered'\nexit 1\n");
    let path = place.project(".").class_path(1, Asking::Tool, &Cache::none(), &mut |_| {}).unwrap();
    assert_eq!(path.libraries.len(), 2);
    assert!(path.problems[0].contains("Some problems were encountered"), "{:?}", path.problems);
}

#[test]
fn what_runs_one_test() {
    let place = shop();
    let command = |project: &Project, module| project.test_command(module, "a.T").join(" ");
    assert_eq!(
        command(&place.project("."), 1),
        "mvn test -pl parts/web -am -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false -Dtest=a.T"
    );
    let single = Place::new(&[("pom.xml", "<project><groupId>g</groupId><artifactId>a</artifactId></project>")]);
    assert_eq!(command(&single.project("."), 0), "mvn test -Dtest=a.T");
    assert_eq!(command(&gradle_project().project("web"), 2), "./gradlew :web:test --tests a.T");
    let broken = Place::new(&[("pom.xml", "<project>")]);
    assert!(matches!(Project::of_file(&broken.path("pom.xml")), Err(BuildError::Unreadable { .. })));
    assert!(build_tool::is_build_file(&broken.path("pom.xml")) && !build_tool::is_build_file(Path::new("no/pom.xml")));
}
