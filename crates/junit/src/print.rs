//! The whole file: package, imports, header, class. See [`print`].

use crate::access::Access;
use crate::facts::ClassFacts;
use crate::ident;
use crate::imports::{Imports, Mentions};
use crate::layout::{Layout, TypeNames};
use crate::lower::{Helper, Lower, MadeAccessible};
use crate::options::{Expected, Framework, Inexpressible, PrintOptions, Style, TestSource};
use crate::spelling::{self, Spelling};
use crate::style;
use crate::syntax::{AnnotationArg, AnnotationUse, Class, Expr, Field, Member, Method, Param, TypeUse};
use crate::world::World;
use program::{ClassName, Type};
use recipe::Recipe;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Writes the recipe as a Java test. Everything can be called, by reflection if need be, but not all can be implemented.
pub fn print(recipe: &Recipe, facts: &dyn ClassFacts, options: &PrintOptions) -> Result<TestSource, Inexpressible> {
    let world = World::new(facts, recipe);
    let access = Access::plan(&world, recipe, &options.package);
    let options = &with_valid_names(options, &access, &world, recipe);
    let lowered = |shared_access: Option<MadeAccessible>| {
        let mut lower = Lower::new(&world, &access, options, recipe, shared_access);
        let scope = lower.body(recipe);
        let nested: Vec<Class> = recipe.classes.iter().map(|decl| lower.class(decl)).collect();
        (lower, scope, nested)
    };
    let (mut lower, mut scope, mut nested) = lowered(None);
    if lower.made_accessible.is_worth_a_helper() {
        (lower, scope, nested) = lowered(Some(lower.made_accessible));
    }
    if let Some(inexpressible) = lower.inexpressible.take() {
        return Err(inexpressible);
    }

    let mut static_imports = Vec::new();
    let thrown = thrown_by(&world, &scope.thrown);
    let body = match &options.style {
        Style::Red => scope.statements,
        Style::AssertThrows(expected) => {
            let caught = caught(&world, &access, expected, options.framework);
            style::asserting(scope.statements, expected, caught, options.framework, &mut static_imports)
        }
    };
    let mut members = Vec::new();
    if let Some(name) = lower.kept_field() {
        members.push(Member::Field(Field {
            annotations: Vec::new(),
            modifiers: "private static",
            ty: TypeUse::class("java/lang/Throwable"),
            name: name.to_owned(),
            init: None,
        }));
    }
    members.push(Member::Method(test_method(options, body, thrown)));
    members.extend(
        Helper::ALL
            .into_iter()
            .filter(|helper| lower.helpers.contains(helper))
            .map(|helper| Member::Method(helper.method())),
    );
    members.extend(nested.into_iter().map(Member::Class));
    let class = Class {
        annotations: if lower.unchecked { vec![suppress_warnings()] } else { Vec::new() },
        modifiers: if options.framework == Framework::JUnit5 { "" } else { "public" },
        is_interface: false,
        name: options.class_name.clone(),
        type_parameters: Vec::new(),
        super_class: None,
        interfaces: Vec::new(),
        members,
    };

    let package = access.package().replace('/', ".");
    let text = file(&world, &class, access.package(), &static_imports, options)?;
    let mut flags = lower.flags;
    flags.in_package = access.package() != options.package.replace('.', "/");
    let path: PathBuf = access
        .package()
        .split('/')
        .filter(|part| !part.is_empty())
        .collect::<PathBuf>()
        .join(format!("{}.java", options.class_name));
    Ok(TestSource {
        package,
        class_name: options.class_name.clone(),
        method_name: options.method_name.clone(),
        path,
        text,
        flags,
    })
}

/// Names that are Java's, and that the program's own package does not use already.
fn with_valid_names(options: &PrintOptions, access: &Access<'_>, world: &World<'_>, recipe: &Recipe) -> PrintOptions {
    let valid =
        |name: &str, otherwise: &str| if ident::is_identifier(name) { name.to_owned() } else { otherwise.into() };
    let class_name = valid(&options.class_name, "ReproducedCrashTest");
    let package = access.package();
    let is_taken = |name: &str| {
        let full = if package.is_empty() { name.to_owned() } else { format!("{package}/{name}") };
        world.class(ClassName::internal(&full)).is_some()
            || recipe.classes.iter().any(|decl| decl.name.simple() == name)
    };
    let numbered = (2..1000).map(|number| format!("{class_name}{number}"));
    let class_name =
        std::iter::once(class_name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(class_name);
    PrintOptions { class_name, method_name: valid(&options.method_name, "crash"), ..options.clone() }
}

/// The class by which a test catches the expected exception: its own if source can name it, else the nearest above. A `catch`
/// of a checked exception that no statement declares is refused, so that one is caught as what it is for the VM.
fn caught(world: &World<'_>, access: &Access<'_>, expected: &Expected, framework: Framework) -> ClassName {
    let class = Type::Class(expected.wrappers.first().copied().unwrap_or(expected.exception));
    let is = |ty: Type, above: &str| world.is_subtype(ty, Type::class(above));
    let is_unchecked = |ty: Type| is(ty, "java/lang/RuntimeException") || is(ty, "java/lang/Error");
    let named = access.nameable(class);
    let may_be_caught = is(named, "java/lang/Throwable") && (framework != Framework::Main || is_unchecked(named));
    named.as_class().filter(|_| may_be_caught).unwrap_or(ClassName::internal("java/lang/Throwable"))
}

/// The shortest list that covers all: none, the one, or what they have in common.
fn thrown_by(world: &World<'_>, thrown: &BTreeSet<ClassName>) -> Vec<TypeUse> {
    let covers = |class: &ClassName| thrown.iter().all(|t| world.is_subtype(Type::Class(*t), Type::Class(*class)));
    let common = ["java/lang/ReflectiveOperationException", "java/lang/Exception", "java/lang/Throwable"]
        .map(ClassName::internal);
    let widest = thrown.iter().chain(&common).find(|class| covers(class));
    if thrown.is_empty() {
        Vec::new()
    } else {
        widest.map(|class| TypeUse::Raw(Type::Class(*class))).into_iter().collect()
    }
}

fn test_method(options: &PrintOptions, body: Vec<crate::syntax::Statement>, throws: Vec<TypeUse>) -> Method {
    let annotation = match options.framework {
        Framework::JUnit4 => Some("org/junit/Test"),
        Framework::JUnit5 => Some("org/junit/jupiter/api/Test"),
        Framework::TestNg => Some("org/testng/annotations/Test"),
        Framework::Main => None,
    };
    let is_main = options.framework == Framework::Main;
    let args = Param::new(TypeUse::Raw(Type::array_of(Type::class("java/lang/String"))), "args");
    Method {
        comment: None,
        annotations: annotation
            .map(|class| AnnotationUse { class: ClassName::internal(class), values: Vec::new() })
            .into_iter()
            .collect(),
        modifiers: match options.framework {
            Framework::JUnit4 | Framework::TestNg => "public",
            Framework::JUnit5 => "",
            Framework::Main => "public static",
        }
        .into(),
        type_parameters: Vec::new(),
        ret: None,
        name: if is_main { "main".into() } else { options.method_name.clone() },
        is_constructor: false,
        params: if is_main { vec![args] } else { Vec::new() },
        throws,
        body: Some(body),
        is_filler: false,
    }
}

fn suppress_warnings() -> AnnotationUse {
    let kinds = ["\"rawtypes\"", "\"unchecked\""].map(|kind| AnnotationArg::Value(Expr::atom(kind)));
    AnnotationUse {
        class: ClassName::internal("java/lang/SuppressWarnings"),
        values: vec![("value".into(), AnnotationArg::Array(kinds.into()))],
    }
}

fn file(
    world: &World<'_>,
    class: &Class,
    package: &str,
    static_imports: &[&str],
    options: &PrintOptions,
) -> Result<String, Inexpressible> {
    let mentions = Mentions::new(world);
    lay_out(class, &mentions)?;
    let nested = class.members.iter().filter_map(|member| match member {
        Member::Class(nested) => Some(nested),
        _ => None,
    });
    // A type variable hides classes of its name.
    let names = nested.flat_map(|nested| {
        let parameters = nested.type_parameters.iter().map(|parameter| parameter.name.to_string());
        std::iter::once(nested.name.clone()).chain(parameters)
    });
    let taken: Vec<String> = std::iter::once(class.name.clone()).chain(names).collect();
    let imports = Imports::settle(&mentions, package, &taken);
    let mut text = String::new();
    let mut section = |lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&lines.join("\n"));
            text.push_str("\n\n");
        }
    };
    if !package.is_empty() {
        section(vec![format!("package {};", package.replace('/', "."))]);
    }
    section(static_imports.iter().map(|name| format!("import static {name};")).collect());
    section(imports.imported().iter().map(|class| format!("import {};", class.dotted())).collect());
    text.push_str(&comment(&options.header));
    text.push_str(&lay_out(class, &imports)?);
    let spelling = Spelling::default();
    let imported = imports.imported().iter().map(|class| class.dotted());
    let in_header = imported.chain((!package.is_empty()).then(|| package.replace('/', ".")));
    in_header.for_each(|name| {
        spelling.look_at(&name);
    });
    inexpressible(spelling).map_or(Ok(text), Err)
}

fn lay_out(class: &Class, names: &dyn TypeNames) -> Result<String, Inexpressible> {
    let mut layout = Layout::new(names);
    layout.class(class, 0);
    let (text, spelling) = layout.finish();
    inexpressible(spelling).map_or(Ok(text), Err)
}

fn inexpressible(spelling: Spelling) -> Option<Inexpressible> {
    spelling.misspelt().map(|name| Inexpressible::Name { name })
}

/// The comment above the class.
fn comment(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let line = |line: &String| format!(" * {}", spelling::comment(line)).trim_end().to_owned() + "\n";
    let lines: String = lines.iter().map(line).collect();
    format!("/**\n{lines} */\n")
}
