//! Programs made of the crash packs' jars, and a check of recipes that is written independently of the maker.

use objects::Catalogue;
use program::{Cache, ClassName, ClassPath, Jdk, Program, Type};
use recipe::{Action, Arg, Block, Callback, CallbackForm, Collection, Recipe, Stmt, StreamKind, VarId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A class path of the packs.
pub(crate) struct Jars {
    pub(crate) name: &'static str,
    coordinates: &'static [&'static str],
    /// Percentage of concrete public types to which a way must exist.
    pub(crate) least_share: f64,
}

impl Jars {
    pub(crate) const ALL: &[Jars] = &[
        Jars {
            name: "commons-collections 3.1",
            coordinates: &["commons-collections/commons-collections/3.1"],
            least_share: 90.0,
        },
        Jars { name: "log4j 1.2.15", coordinates: &["log4j/log4j/1.2.15"], least_share: 90.0 },
        Jars { name: "ant 1.8.1", coordinates: &["org.apache.ant/ant/1.8.1"], least_share: 90.0 },
    ];

    pub(crate) fn open(&self) -> Arc<Program> {
        let paths: Vec<PathBuf> = self.coordinates.iter().map(|coordinate| jar(coordinate)).collect();
        let class_path = ClassPath::parse(paths).unwrap();
        let (program, problems) =
            Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::at(env!("CARGO_TARGET_TMPDIR"))).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        Arc::new(program)
    }
}

fn jar(coordinate: &str) -> PathBuf {
    let directory = std::env::var_os("REENACT_JARS");
    let directory =
        directory.expect("REENACT_JARS is not set; run the tests with `cargo xtask test`, which fetches the jars");
    let mut parts = coordinate.rsplit('/');
    let (version, artifact) = (parts.next().unwrap(), parts.next().unwrap());
    PathBuf::from(directory).join(coordinate).join(format!("{artifact}-{version}.jar"))
}

/// Panics unless every argument of the recipe has a type that fits.
pub(crate) fn check(catalogue: &Catalogue, recipe: &Recipe) {
    Checker { catalogue, types: BTreeMap::new() }.block(&recipe.body);
}

struct Checker<'a> {
    catalogue: &'a Catalogue,
    types: BTreeMap<VarId, Type>,
}

impl Checker<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            let given = self.action(stmt);
            if let Some(def) = stmt.def {
                let given = given.unwrap_or_else(|| panic!("no value: {stmt:?}"));
                assert!(self.catalogue.is_assignable(given, def.ty), "{given} is no {}: {stmt:?}", def.ty);
                assert_eq!(self.types.insert(def.var, def.ty), None, "{stmt:?}");
            }
        }
    }

    fn action(&self, stmt: &Stmt) -> Option<Type> {
        let action = &stmt.action;
        match action {
            Action::Cast(_) => stmt.def.map(|def| def.ty),
            Action::Literal(literal) => Some(literal.ty()),
            Action::New { constructor, args, .. } => {
                self.arguments(args, &constructor.signature().params, action);
                Some(Type::Class(constructor.class))
            }
            Action::Call { method, receiver, args, .. } => {
                receiver.iter().for_each(|receiver| self.fits(receiver, Type::Class(method.class), action));
                self.arguments(args, &method.signature().params, action);
                method.signature().ret
            }
            Action::GetField { field, .. } => Some(field.field_type()),
            Action::NewArray { component, .. } => Some(Type::array_of(*component)),
            Action::ArrayOf { component, elements } => {
                elements.iter().for_each(|element| self.fits(element, *component, action));
                Some(Type::array_of(*component))
            }
            Action::Collection(collection, elements) => {
                elements.iter().for_each(|element| self.fits(element, Type::Class(ClassName::object()), action));
                Some(Type::class(collection_class(*collection)))
            }
            Action::TempFile { .. } | Action::TempDir { .. } => Some(Type::class("java/io/File")),
            Action::Stream(kind, _) => Some(Type::class(match kind {
                StreamKind::ByteArrayInputStream => "java/io/ByteArrayInputStream",
                StreamKind::StringReader => "java/io/StringReader",
                StreamKind::BufferedReader => "java/io/BufferedReader",
            })),
            Action::Callback(callback) => Some(self.callback(callback, action)),
            other => panic!("not expected of a maker: {other:?}"),
        }
    }

    fn callback(&self, callback: &Callback, action: &Action) -> Type {
        let class = match &callback.form {
            CallbackForm::Lambda { interface } => {
                assert_eq!(callback.methods.len(), 1, "{action:?}");
                *interface
            }
            CallbackForm::Interface { interface } => *interface,
            CallbackForm::Subclass { constructor, args } => {
                self.arguments(args, &constructor.signature().params, action);
                constructor.class
            }
        };
        for method in &callback.methods {
            let signature = method.method.signature();
            assert!(self.catalogue.is_assignable(Type::Class(class), Type::Class(method.method.class)), "{action:?}");
            assert_eq!(method.params.iter().map(|param| param.ty).collect::<Vec<_>>(), signature.params, "{action:?}");
            let mut inner = Checker { catalogue: self.catalogue, types: self.types.clone() };
            method
                .params
                .iter()
                .for_each(|param| assert_eq!(inner.types.insert(param.var, param.ty), None, "{action:?}"));
            method.result.iter().for_each(|result| inner.fits(result, signature.ret.unwrap(), action));
        }
        Type::Class(class)
    }

    fn arguments(&self, args: &[Arg], params: &[Type], action: &Action) {
        assert_eq!(args.len(), params.len(), "{action:?}");
        args.iter().zip(params).for_each(|(arg, param)| self.fits(arg, *param, action));
    }

    fn fits(&self, arg: &Arg, wanted: Type, action: &Action) {
        let given = match arg {
            Arg::Var(id) => *self.types.get(id).unwrap_or_else(|| panic!("undefined {id:?}: {action:?}")),
            Arg::Literal(literal) => literal.ty(),
        };
        assert!(self.catalogue.is_assignable(given, wanted), "{given} is no {wanted}: {action:?}");
    }
}

fn collection_class(collection: Collection) -> &'static str {
    match collection {
        Collection::AsList => "java/util/List",
        Collection::ArrayList => "java/util/ArrayList",
        Collection::LinkedList => "java/util/LinkedList",
        Collection::HashSet => "java/util/HashSet",
        Collection::LinkedHashSet => "java/util/LinkedHashSet",
        Collection::TreeSet => "java/util/TreeSet",
        Collection::HashMap => "java/util/HashMap",
        Collection::LinkedHashMap => "java/util/LinkedHashMap",
        Collection::TreeMap => "java/util/TreeMap",
        Collection::Properties => "java/util/Properties",
    }
}
