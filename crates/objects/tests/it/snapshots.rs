//! What the catalogue says about telling types and methods of the crash packs' programs.

use crate::common::Jars;
use objects::{AccessContext, Catalogue};
use program::{ClassName, MethodRef, Type};
use std::fmt::Write;

fn catalogue(jars: &str) -> Catalogue {
    let jars = Jars::ALL.iter().find(|known| known.name == jars).unwrap();
    Catalogue::new(jars.open(), &[])
}

#[test]
fn ranked_ways() {
    let cases = [
        ("commons-collections 3.1", "org/apache/commons/collections/map/TransformedMap"),
        ("commons-collections 3.1", "org/apache/commons/collections/list/TreeList$TreeListIterator"),
        ("commons-collections 3.1", "org/apache/commons/collections/buffer/UnboundedFifoBuffer$1"),
        ("commons-collections 3.1", "org/apache/commons/collections/Predicate"),
        ("commons-collections 3.1", "java/util/Iterator"),
        ("commons-collections 3.1", "java/lang/Number"),
        ("log4j 1.2.15", "org/apache/log4j/Logger"),
        ("log4j 1.2.15", "org/apache/log4j/Level"),
        ("log4j 1.2.15", "org/apache/log4j/spi/LoggingEvent"),
        ("ant 1.8.1", "org/apache/tools/ant/Project"),
        ("ant 1.8.1", "org/apache/tools/ant/types/Path"),
        ("ant 1.8.1", "org/w3c/dom/Element"),
    ];
    let mut text = String::new();
    for jars in Jars::ALL {
        let catalogue = catalogue(jars.name);
        for (_, name) in cases.iter().filter(|(of, _)| *of == jars.name) {
            let ty = Type::class(name);
            writeln!(text, "{ty}").unwrap();
            for way in catalogue.ways(ty, AccessContext::public()).iter().take(8) {
                writeln!(text, "  {:.2} {way}", way.weight).unwrap();
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn entries_into_hidden_methods() {
    let cases = [
        (
            "commons-collections 3.1",
            "org/apache/commons/collections/map/AbstractHashedMap",
            "calculateNewCapacity",
            "(I)I",
        ),
        (
            "commons-collections 3.1",
            "org/apache/commons/collections/list/TreeList$TreeListIterator",
            "previous",
            "()Ljava/lang/Object;",
        ),
        ("commons-collections 3.1", "org/apache/commons/collections/buffer/UnboundedFifoBuffer$1", "remove", "()V"),
        ("commons-collections 3.1", "org/apache/commons/collections/iterators/CollatingIterator", "least", "()I"),
        ("commons-collections 3.1", "org/apache/commons/collections/map/AbstractHashedMap", "<init>", "(IF)V"),
        ("log4j 1.2.15", "org/apache/log4j/MDC", "get0", "(Ljava/lang/String;)Ljava/lang/Object;"),
        (
            "log4j 1.2.15",
            "org/apache/log4j/helpers/PatternParser$MDCPatternConverter",
            "convert",
            "(Lorg/apache/log4j/spi/LoggingEvent;)Ljava/lang/String;",
        ),
        ("log4j 1.2.15", "org/apache/log4j/LogManager", "<clinit>", "()V"),
        ("ant 1.8.1", "org/apache/tools/ant/filters/ReplaceTokens", "getNextChar", "()I"),
        (
            "ant 1.8.1",
            "org/apache/tools/ant/taskdefs/Sync",
            "removeOrphanFiles",
            "(Ljava/util/Set;Ljava/io/File;Ljava/util/Set;)[I",
        ),
    ];
    let mut text = String::new();
    for jars in Jars::ALL {
        let catalogue = catalogue(jars.name);
        for (_, class, name, descriptor) in cases.iter().filter(|(of, ..)| *of == jars.name) {
            let method = MethodRef::new(class, name, descriptor);
            writeln!(text, "{method}").unwrap();
            for entry in catalogue.entries(method, AccessContext::in_package_of(method.class)).iter().take(6) {
                let path: Vec<String> =
                    entry.path.iter().map(|method| format!("{}.{}", method.class.simple(), method.name)).collect();
                writeln!(text, "  {:.3} {:?} {:?} by {}", entry.weight, entry.point, entry.access, path.join(" > "))
                    .unwrap();
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn usages_of_methods() {
    let cases = [
        (
            "commons-collections 3.1",
            "org/apache/commons/collections/iterators/IteratorChain",
            "addIterator",
            "(Ljava/util/Iterator;)V",
        ),
        ("log4j 1.2.15", "org/apache/log4j/AppenderSkeleton", "activateOptions", "()V"),
        ("log4j 1.2.15", "org/apache/log4j/PropertyConfigurator", "configure", "(Ljava/util/Properties;)V"),
        ("ant 1.8.1", "org/apache/tools/ant/Task", "execute", "()V"),
        ("ant 1.8.1", "org/apache/tools/ant/taskdefs/Delete", "execute", "()V"),
        ("ant 1.8.1", "org/apache/tools/ant/Project", "init", "()V"),
    ];
    let mut text = String::new();
    for jars in Jars::ALL {
        let catalogue = catalogue(jars.name);
        for (_, class, name, descriptor) in cases.iter().filter(|(of, ..)| *of == jars.name) {
            let method = MethodRef::new(class, name, descriptor);
            writeln!(text, "{method}").unwrap();
            catalogue.usages(method).iter().take(2).for_each(|usage| write!(text, "{usage}").unwrap());
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn set_ups_of_objects() {
    let cases = [
        ("commons-collections 3.1", "org/apache/commons/collections/iterators/IteratorChain"),
        ("log4j 1.2.15", "org/apache/log4j/ConsoleAppender"),
        ("log4j 1.2.15", "org/apache/log4j/PatternLayout"),
        ("ant 1.8.1", "org/apache/tools/ant/types/FileSet"),
        ("ant 1.8.1", "org/apache/tools/ant/taskdefs/Delete"),
    ];
    let mut text = String::new();
    for jars in Jars::ALL {
        let catalogue = catalogue(jars.name);
        for (_, class) in cases.iter().filter(|(of, ..)| *of == jars.name) {
            writeln!(text, "{}", class).unwrap();
            let set_ups = catalogue.set_ups(ClassName::internal(class), AccessContext::public());
            set_ups.iter().take(2).for_each(|usage| write!(text, "{usage}").unwrap());
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn compositions_of_objects() {
    let cases = [
        ("log4j 1.2.15", "org/apache/log4j/lf5/viewer/FilteredLogTableModel"),
        ("log4j 1.2.15", "org/apache/log4j/chainsaw/ControlPanel"),
        ("ant 1.8.1", "org/apache/tools/ant/util/StringTokenizer"),
        ("picocli 4.7.0", "picocli/CommandLine"),
    ];
    let mut text = String::new();
    for jars in Jars::ALL {
        let catalogue = catalogue(jars.name);
        for (_, class) in cases.iter().filter(|(of, _)| *of == jars.name) {
            let class = ClassName::internal(class);
            writeln!(text, "{class}").unwrap();
            catalogue.compositions(class).iter().take(2).for_each(|usage| write!(text, "{usage}").unwrap());
        }
    }
    insta::assert_snapshot!(text);
}
