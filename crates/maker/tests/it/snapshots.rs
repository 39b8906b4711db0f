//! Whole recipes that enter telling methods of the crash packs' programs.

use crate::check;
use crate::common::Jars;
use maker::{Maker, MakerConfig, MemberStatistics, Rng};
use objects::{AccessContext, Catalogue, Draft, Pool, mine};
use program::MethodRef;
use std::fmt::Write;
use std::sync::Arc;

/// Whole recipes, as the search would start with them.
#[test]
fn recipes_that_enter_a_method() {
    let cases = [
        (
            "commons-collections 3.1",
            "org/apache/commons/collections/map/TransformedMap",
            "putAll",
            "(Ljava/util/Map;)V",
        ),
        (
            "commons-collections 3.1",
            "org/apache/commons/collections/list/TreeList$TreeListIterator",
            "previous",
            "()Ljava/lang/Object;",
        ),
        (
            "log4j 1.2.15",
            "org/apache/log4j/PatternLayout",
            "format",
            "(Lorg/apache/log4j/spi/LoggingEvent;)Ljava/lang/String;",
        ),
        ("ant 1.8.1", "org/apache/tools/ant/filters/ReplaceTokens", "getNextChar", "()I"),
        ("picocli 4.7.0", "picocli/CommandLine", "<init>", "(Ljava/lang/Object;)V"),
        ("jsoup 1.15.3", "org/jsoup/select/QueryParser", "parse", "(Ljava/lang/String;)Lorg/jsoup/select/Evaluator;"),
    ];
    let mut text = String::new();
    for jars in Jars::ALL.iter().filter(|jars| cases.iter().any(|(of, ..)| *of == jars.name)) {
        for (_, class, name, descriptor) in cases.iter().filter(|(of, ..)| *of == jars.name) {
            let method = MethodRef::new(class, name, descriptor);
            let program = jars.open();
            let catalogue = Catalogue::new(Arc::clone(&program), &[method.class]);
            let mut pool = Pool::general();
            mine(catalogue.methods(), &[method], &mut pool);
            let from = AccessContext::public();
            let entries = catalogue.entries(method, from);
            for seed in 0..2 {
                let mut rng = Rng::with_seed(seed);
                let mut maker = Maker {
                    catalogue: &catalogue,
                    pool: &pool,
                    statistics: &MemberStatistics::default(),
                    rng: &mut rng,
                    from,
                    config: MakerConfig::default(),
                };
                let mut draft = Draft::new();
                maker.enter(&mut draft, &entries[0]).unwrap();
                check(&catalogue, draft.recipe());
                writeln!(text, "// {method}, seed {seed}\n{}", draft.finish()).unwrap();
            }
        }
    }
    insta::assert_snapshot!(text);
}
