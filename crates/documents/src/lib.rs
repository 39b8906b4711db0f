//! What are documents made of? A bundled corpus of small documents, generic and of our own writing, ranked by how well each kind
//! fits the words found in the code near the crash ([`Kind::rank`]); grammars of notations ([`grammar`]); the structure that most
//! notations share ([`structure`]) and all changes of one step ([`edit`]); what SQL statements need ([`sql`]); how in-memory
//! databases are addressed ([`database`]); binary formats ([`binary`]).
//!
//! Everything can be listed, and nothing is drawn: which document, derivation or edit is tried is decided by whoever asks. This crate
//! does not know types, statements of recipes or crashes.

pub mod binary;
pub mod database;
pub mod edit;
pub mod grammar;
pub mod members;
pub mod sql;
pub mod structure;

pub use edit::{Edit, Material, edits};
pub use grammar::{Grammar, GrammarBias};

use std::sync::LazyLock;

macro_rules! kinds {
    ($($kind:ident, $file:literal, $layout:ident, [$($word:literal),*];)*) => {
        /// What sort of text a document is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $($kind,)* }

        impl Kind {
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];

            /// Words, in lower case, that code dealing with this kind tends to contain in names and constants.
            fn words(self) -> &'static [&'static str] {
                match self { $(Kind::$kind => &[$($word),*],)* }
            }

            fn source(self) -> (&'static str, Layout) {
                match self {
                    $(Kind::$kind => (include_str!(concat!("../corpus/", $file)), Layout::$layout),)*
                }
            }
        }
    };
}

kinds! {
    Java, "java.txt", Blocks, ["java", "source", "parser", "compilation", "statement", "expression", "javadoc", "annotation", "lexer"];
    Sql, "sql.txt", Blocks, ["sql", "select", "insert", "table", "query", "where", "jdbc", "database", "column", "schema"];
    Json, "json.txt", Blocks, ["json", "gson", "array", "object", "{", "}", "true", "false", "null"];
    Xml, "xml.txt", Blocks, ["xml", "sax", "dom", "stax", "element", "attribute", "cdata", "doctype", "xmlns", "namespace", "<?xml"];
    Html, "html.txt", Blocks, ["html", "body", "head", "tag", "script", "href", "div", "entity", "doctype"];
    Yaml, "yaml.txt", Blocks, ["yaml", "yml", "anchor", "scalar", "flow", "document"];
    Csv, "csv.txt", Blocks, ["csv", "column", "delimiter", "record", "header", "row", "quote", "separator"];
    Properties, "properties.txt", Blocks, ["properties", "property", "config", "configuration", "configurator"];
    Build, "build.txt", Blocks, ["project", "target", "build", "task", "build.xml", "basedir", "depends"];
    Ini, "ini.txt", Blocks, ["ini", "toml", "section", "hocon", "config"];
    Markdown, "markdown.txt", Blocks, ["markdown", "md", "commonmark", "wiki", "paragraph", "heading"];
    Script, "script.txt", Blocks, ["script", "groovy", "javascript", "compile", "closure", "eval", "ecma", "kotlin", "scala"];
    Log, "log.txt", Blocks, ["log", "message", "text", "line", "manifest", "diff", "patch"];
    Css, "css.txt", Blocks, ["css", "style", "stylesheet", "selector", "less", "sass"];
    Mail, "mail.txt", Blocks, ["mail", "mime", "http", "header", "message", "multipart", "email"];
    Calendar, "calendar.txt", Blocks, ["ical", "icalendar", "calendar", "vcard", "vevent", "recurrence", "ics"];
    Pem, "pem.txt", Blocks, ["pem", "certificate", "base64", "asn", "der", "jwt", "jws", "crypto", "x509"];
    Regex, "regex.txt", Lines, ["regex", "regexp", "pattern", "match", "matcher"];
    DateTime, "datetime.txt", Lines, ["date", "time", "calendar", "zone", "locale", "duration", "instant", "timestamp"];
    Pattern, "pattern.txt", Lines, ["pattern", "format", "formatter", "layout", "glob", "conversion", "printf"];
    Url, "url.txt", Lines, ["url", "uri", "http", "https", "scheme", "host", "resource"];
    Path, "path.txt", Lines, ["path", "file", "directory", "jsonpath", "xpath", "filename", "dir"];
    CommandLine, "commandline.txt", Lines, ["option", "options", "argument", "arguments", "args", "command", "cli", "usage", "--"];
    Number, "number.txt", Lines, ["number", "numeric", "integer", "decimal", "double", "fraction", "math", "hex", "digit", "0x"];
    Cron, "cron.txt", Lines, ["cron", "schedule", "trigger"];
    Network, "network.txt", Lines, ["ip", "address", "host", "cookie", "header", "mime", "content-type", "inet", "charset", "mac"];
    Name, "name.txt", Lines, ["name", "class", "type", "descriptor", "signature", "identifier", "charset", "method"];
    Expression, "expression.txt", Lines, ["expression", "template", "eval", "evaluate", "operator", "variable", "substitut", "interpolat", "${"];
    Geometry, "geometry.txt", Lines, ["geometry", "wkt", "wkb", "geojson", "polygon", "linestring", "multipolygon", "multipoint", "svg", "color", "colour", "rgb", "coordinate", "coordinates", "srid"];
    Schema, "schema.txt", Blocks, ["proto", "protobuf", "thrift", "avro", "graphql", "idl", "openapi", "swagger", "grammar", "bnf", "ebnf", "sdl", "oneof", "typedef"];
    Query, "query.txt", Lines, ["ldap", "rdn", "dn", "sparql", "cypher", "jpql", "hql", "xquery", "rsql", "fuzzy", "wildcard", "slop", "boost", "searcher"];
    Template, "template.txt", Blocks, ["template", "templates", "mustache", "handlebars", "jinja", "ftl", "jsp", "macro", "foreach", "placeholder"];
    Version, "version.txt", Lines, ["version", "versions", "semver", "artifact", "prerelease"];
    Measure, "measure.txt", Lines, ["units", "quantity", "measure", "measurement", "currency", "money", "monetary", "phone", "formula", "formulas", "latex", "tex"];
    Graph, "graph.txt", Blocks, ["graph", "digraph", "graphviz", "graphml", "gml", "subgraph", "vertex", "vertices", "edge", "edges", "newick"];
    Record, "record.txt", Blocks, ["edi", "edifact", "x12", "hl7", "nmea", "bibtex", "rtf", "gedcom", "fasta", "subtitle", "subtitles", "playlist", "swift"];
}

#[derive(Clone, Copy)]
enum Layout {
    /// Documents of several lines, each after a line `%% what it shows`.
    Blocks,
    /// Each line is a document.
    Lines,
}

/// One text of the corpus.
#[derive(Clone, Debug)]
pub struct Document {
    pub kind: Kind,
    pub text: &'static str,
}

/// The whole corpus, by kind.
pub fn corpus() -> &'static [Document] {
    static CORPUS: LazyLock<Vec<Document>> = LazyLock::new(|| Kind::ALL.iter().flat_map(|kind| read(*kind)).collect());
    &CORPUS
}

/// The documents of one kind.
pub fn of_kind(kind: Kind) -> &'static [Document] {
    let all = corpus();
    let start = all.partition_point(|document| document.kind < kind);
    let end = all.partition_point(|document| document.kind <= kind);
    &all[start..end]
}

impl Kind {
    /// Words that code dealing with a kind contains, but other code as well: they count only beside one of its own.
    fn vague_words(self) -> &'static [&'static str] {
        match self {
            Kind::Geometry => &["point", "shape", "ring", "transform", "spatial"],
            Kind::Schema => &["schema", "definition", "directive", "fragment", "union", "ql"],
            Kind::Query => &["query", "search", "filter", "term", "clause", "phrase", "range", "criteria"],
            Kind::Template => &["directive", "tag", "partial", "render", "include", "filter", "fragment"],
            Kind::Version => {
                &["snapshot", "qualifier", "range", "coordinate", "language", "bundle", "dependency", "constraint"]
            }
            Kind::Measure => &["unit", "amount", "cell", "symbol"],
            Kind::Graph => &["node", "nodes", "dot", "tree", "label"],
            Kind::Record => &["segment", "record", "checksum", "field", "interchange"],
            _ => &[],
        }
    }

    /// Whether only few programs read such a notation.
    pub fn is_rare(self) -> bool {
        matches!(
            self,
            Kind::Geometry
                | Kind::Schema
                | Kind::Query
                | Kind::Template
                | Kind::Version
                | Kind::Measure
                | Kind::Graph
                | Kind::Record
        )
    }

    /// The kinds that the words near the crash (parts of class and method names, string constants, in lower case) speak for, each
    /// with how many do.
    pub fn rank<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(Kind, u32)> {
        let words: Vec<&str> = words.collect();
        let count = |kind: &Kind| {
            let count = |known: &[&str]| words.iter().filter(|word| known.contains(word)).count();
            let count = match count(kind.words()) {
                0 => 0,
                telling => telling + count(kind.vague_words()),
            };
            (*kind, u32::try_from(count).unwrap_or(u32::MAX))
        };
        Kind::ALL.iter().map(count).filter(|(_, count)| *count > 0).collect()
    }

    /// A name for a file that holds a document of this kind.
    pub fn file_name(self) -> &'static str {
        match self {
            Kind::Java => "A.java",
            Kind::Sql => "a.sql",
            Kind::Json => "a.json",
            Kind::Xml => "a.xml",
            Kind::Html => "a.html",
            Kind::Yaml => "a.yaml",
            Kind::Csv => "a.csv",
            Kind::Properties => "a.properties",
            Kind::Build => "build.xml",
            Kind::Ini => "a.ini",
            Kind::Markdown => "a.md",
            Kind::Script => "a.js",
            Kind::Log => "a.log",
            Kind::Css => "a.css",
            Kind::Mail => "a.eml",
            Kind::Calendar => "a.ics",
            Kind::Pem => "a.pem",
            Kind::Geometry => "a.wkt",
            Kind::Schema => "a.proto",
            Kind::Template => "a.tpl",
            Kind::Graph => "a.dot",
            _ => "a.txt",
        }
    }
}

fn read(kind: Kind) -> Vec<Document> {
    let (source, layout) = kind.source();
    let texts: Vec<&'static str> = match layout {
        Layout::Lines => source.lines().collect(),
        Layout::Blocks => {
            source.split("%% ").skip(1).filter_map(|block| block.split_once('\n')).map(|(_, t)| t).collect()
        }
    };
    // The line end before the next block's title belongs to the file and not to the document.
    texts.into_iter().map(|text| Document { kind, text: text.strip_suffix('\n').unwrap_or(text) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_documents_and_words() {
        for kind in Kind::ALL {
            assert!(of_kind(*kind).len() >= 4, "{kind:?}");
            assert!(
                of_kind(*kind).iter().all(|document| document.kind == *kind && !document.text.is_empty()),
                "{kind:?}"
            );
            assert!(!kind.words().is_empty());
            let words = || kind.words().iter().chain(kind.vague_words());
            assert!(words().all(|word| *word == word.to_lowercase()), "{kind:?}");
            assert!(words().all(|word| words().filter(|other| *other == word).count() == 1), "{kind:?}");
        }
        assert_eq!(of_kind(Kind::Json)[1].text, "{}");
    }

    #[test]
    fn words_near_the_crash_decide_the_kind() {
        let best =
            |words: &[&str]| Kind::rank(words.iter().copied()).into_iter().max_by_key(|(_, weight)| *weight).unwrap().0;
        assert_eq!(best(&["json", "reader", "null", "["]), Kind::Json);
        assert_eq!(best(&["statement", "select", "table"]), Kind::Sql);
        assert_eq!(best(&["project", "target", "task"]), Kind::Build);
        assert_eq!(best(&["cookie", "header"]), Kind::Network);
        assert_eq!(best(&["geometry", "wkt", "reader"]), Kind::Geometry);
        assert_eq!(best(&["schema", "avro", "record"]), Kind::Schema);
        assert_eq!(best(&["fuzzy", "query", "parser"]), Kind::Query);
        assert_eq!(best(&["version", "range"]), Kind::Version);
        assert_eq!(best(&["template", "macro", "expression"]), Kind::Template);
        assert_eq!(best(&["currency", "amount"]), Kind::Measure);
        assert_eq!(best(&["graph", "edge"]), Kind::Graph);
        assert_eq!(best(&["hl7", "segment"]), Kind::Record);
    }

    #[test]
    fn every_kind_comes_first_for_its_own_words() {
        for kind in Kind::ALL {
            let ranked = Kind::rank(kind.words().iter().copied());
            let own = ranked.iter().find(|(other, _)| other == kind).unwrap().1;
            assert!(ranked.iter().all(|(other, weight)| other == kind || *weight < own), "{kind:?}: {ranked:?}");
        }
    }

    #[test]
    fn vague_words_say_nothing_alone() {
        let ranked = |words: &[&str]| Kind::rank(words.iter().copied());
        assert_eq!(ranked(&["query", "schema", "clause"]), [(Kind::Sql, 2)]);
        assert_eq!(ranked(&["node", "label", "point", "ring"]), []);
        assert_eq!(ranked(&["query", "fuzzy"]), [(Kind::Sql, 1), (Kind::Query, 2)]);
    }
}
