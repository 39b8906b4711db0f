//! Recipes that do the same and read better: callbacks with less to read, and values made where they are used. Each is a
//! variant that workers have to see the same crash of, as with all that minimising does.

use program::{ClassName, MethodRef, Program, Type};
use recipe::{
    Access, Action, Arg, Callback, CallbackForm, CallbackMethod, Collection, Def, Literal, Place, Recipe, Stmt, VarId,
};
use std::collections::BTreeMap;

/// The recipe with one method of a callback less: what it does not say, does nothing or is inherited. One that gives an object
/// stays where null would be given instead.
pub(crate) fn fewer_methods(recipe: &Recipe, program: &Program) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (place, callback) in callbacks(recipe) {
        let without = |method: usize| {
            with_callback(recipe, &place, &|callback| {
                callback.methods.remove(method);
            })
        };
        if !matches!(callback.form, CallbackForm::Lambda { .. }) {
            let is_needless = |index: &usize| {
                inherits(&callback.methods[*index], program) || !gives_object(&callback.methods[*index])
            };
            found.extend((0..callback.methods.len()).filter(is_needless).filter_map(without));
        }
    }
    found
}

/// Whether the class has something without it.
fn inherits(method: &CallbackMethod, program: &Program) -> bool {
    program.resolve_method(method.method).found().is_some_and(|found| !found.access.is_abstract())
}

/// Whether it gives something that the program may go on with.
fn gives_object(method: &CallbackMethod) -> bool {
    let gives_reference = method.method.signature().ret.is_some_and(|ret| ret.is_reference());
    gives_reference && !matches!(method.result, None | Some(Arg::Literal(Literal::Null(_))))
}

/// The recipe with an object that the JDK has in place of one of a class of the test.
pub(crate) fn plain_objects(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        let (Action::Callback(callback), Some(def)) = (&stmt.action, stmt.def) else { continue };
        if matches!(callback.form, CallbackForm::Lambda { .. }) {
            continue;
        }
        let Some(class) = def.ty.as_class() else { continue };
        for made in plain_object(class, recipe.fresh_var()) {
            let mut changed = recipe.clone();
            let (last, before) = made.split_last().expect("it takes an action to make something");
            changed.body.stmts[at].action = last.action.clone();
            changed.body.stmts.splice(at..at, before.iter().cloned());
            found.push(changed);
        }
    }
    found
}

/// Ways to an object of this type that anybody knows. The last statement makes it, with those before it.
fn plain_object(class: ClassName, fresh: VarId) -> Vec<Vec<Stmt>> {
    let single = |action: Action| vec![Stmt { def: None, action }];
    match class.as_internal() {
        "java/lang/CharSequence" | "java/lang/Comparable" => vec![single(Action::Literal(Literal::string("")))],
        "java/lang/Iterable" | "java/util/Collection" | "java/util/List" => {
            vec![single(Action::Collection(Collection::ArrayList, Vec::new()))]
        }
        "java/util/Set" => vec![single(Action::Collection(Collection::HashSet, Vec::new()))],
        "java/util/Map" => vec![single(Action::Collection(Collection::HashMap, Vec::new()))],
        "java/util/Iterator" => {
            let method = MethodRef::new("java/util/Collections", "emptyIterator", "()Ljava/util/Iterator;");
            vec![single(Action::Call { method, receiver: None, args: Vec::new(), access: Access::Public })]
        }
        "java/nio/file/Path" => ["", "/"].map(|name| path(name, fresh)).into(),
        _ => Vec::new(),
    }
}

/// `new File(name).toPath()`
fn path(name: &str, fresh: VarId) -> Vec<Stmt> {
    let constructor = MethodRef::new("java/io/File", "<init>", "(Ljava/lang/String;)V");
    let args = vec![Arg::Literal(Literal::string(name))];
    let method = MethodRef::new("java/io/File", "toPath", "()Ljava/nio/file/Path;");
    let file = Def { var: fresh, ty: Type::class("java/io/File") };
    vec![
        Stmt { def: Some(file), action: Action::New { constructor, args, access: Access::Public } },
        Stmt {
            def: None,
            action: Action::Call { method, receiver: Some(Arg::Var(fresh)), args: Vec::new(), access: Access::Public },
        },
    ]
}

/// Interfaces of the JDK with many methods, and its classes that have most of them.
const SKELETONS: [(&str, &str); 5] = [
    ("java/util/Collection", "java/util/AbstractCollection"),
    ("java/util/List", "java/util/AbstractList"),
    ("java/util/Set", "java/util/AbstractSet"),
    ("java/util/Queue", "java/util/AbstractQueue"),
    ("java/util/Map", "java/util/AbstractMap"),
];

/// The recipe with a callback that extends a class in place of one that has to implement a long interface.
pub(crate) fn shorter_callbacks(recipe: &Recipe) -> Vec<Recipe> {
    let callbacks = callbacks(recipe);
    let extending = callbacks.iter().filter_map(|(place, callback)| {
        let CallbackForm::Interface { interface } = &callback.form else { return None };
        let (_, skeleton) = SKELETONS.iter().find(|(name, _)| interface.as_internal() == *name)?;
        let class = ClassName::internal(skeleton);
        with_callback(recipe, place, &|callback| {
            let constructor = MethodRef::new(class.as_internal(), "<init>", "()V");
            callback.form = CallbackForm::Subclass { constructor, args: Vec::new() };
            callback.methods.iter_mut().for_each(|method| method.method.class = class);
        })
    });
    extending.collect()
}

fn callbacks(recipe: &Recipe) -> Vec<(Place, &Callback)> {
    let callback = |place: Place| match &recipe.stmt(&place)?.action {
        Action::Callback(callback) => Some((place, callback)),
        _ => None,
    };
    recipe.places().into_iter().filter_map(callback).collect()
}

fn with_callback(recipe: &Recipe, place: &Place, change: &dyn Fn(&mut Callback)) -> Option<Recipe> {
    let mut changed = recipe.clone();
    let Action::Callback(callback) = &mut changed.stmt_mut(place)?.action else { return None };
    change(callback);
    Some(changed)
}

/// The recipe with values that are used once made right before they are used, all of them or one: then they need no variable.
pub(crate) fn made_where_used(recipe: &Recipe) -> Vec<Recipe> {
    let users = only_users(recipe);
    // Values for the same statement change places only together, or they would do so for ever.
    let passes = |(made, user): &(&usize, &usize)| (**made + 1..**user).any(|between| !users.contains_key(&between));
    let mut found = vec![sunk(recipe, &users)];
    found.extend(users.iter().filter(passes).map(|(made, user)| sunk(recipe, &BTreeMap::from([(*made, *user)]))));
    found.retain(|changed| changed != recipe);
    found
}

/// The recipe with one value that only a method of a callback uses made in there: it is then made anew by each call.
pub(crate) fn made_in_callbacks(recipe: &Recipe) -> Vec<Recipe> {
    let uses = uses(recipe);
    let stmts = &recipe.body.stmts;
    let moved = |made: usize| {
        let var = stmts[made].def?.var;
        (uses.get(&var) == Some(&1) && is_value(&stmts[made].action)).then_some(())?;
        let mut changed = recipe.clone();
        let value = changed.body.stmts.remove(made);
        changed.body.stmts[made..].iter_mut().find_map(|stmt| insert_before_use(stmt, var, &value))?;
        Some(changed)
    };
    (0..stmts.len()).filter_map(moved).collect()
}

fn is_value(action: &Action) -> bool {
    matches!(
        action,
        Action::New { .. }
            | Action::NewArray { .. }
            | Action::ArrayOf { .. }
            | Action::Collection(..)
            | Action::Callback(_)
            | Action::Stream(..)
    )
}

/// Puts the value into the method of a callback that uses it, if this is one.
fn insert_before_use(stmt: &mut Stmt, var: VarId, value: &Stmt) -> Option<()> {
    let Action::Callback(callback) = &mut stmt.action else { return None };
    callback.methods.iter_mut().find_map(|method| {
        let uses = |stmt: &Stmt| stmt.action.args().any(|arg| arg.var() == Some(var));
        let returned = method.result.as_ref().is_some_and(|result| result.var() == Some(var));
        let at = method.body.stmts.iter().position(uses).or(returned.then_some(method.body.stmts.len()))?;
        method.body.stmts.insert(at, value.clone());
        Some(())
    })
}

fn uses(recipe: &Recipe) -> BTreeMap<VarId, usize> {
    let mut uses: BTreeMap<VarId, usize> = BTreeMap::new();
    recipe.for_each_arg(&mut |arg| {
        if let Some(var) = arg.var() {
            *uses.entry(var).or_default() += 1;
        }
    });
    uses
}

/// The statements of the test that make a value for one other statement of it, and that one.
fn only_users(recipe: &Recipe) -> BTreeMap<usize, usize> {
    let uses = uses(recipe);
    let stmts = &recipe.body.stmts;
    let user_of = |made: usize| {
        let var = stmts[made].def?.var;
        let takes = |user: &usize| stmts[*user].action.args().any(|arg| arg.var() == Some(var));
        (uses.get(&var) == Some(&1)).then(|| (made + 1..stmts.len()).find(takes)).flatten()
    };
    (0..stmts.len()).filter_map(|made| Some((made, user_of(made)?))).collect()
}

/// What is made for others waits until they need it, in the order in which they do.
fn sunk(recipe: &Recipe, users: &BTreeMap<usize, usize>) -> Recipe {
    let mut order = Vec::new();
    (0..recipe.body.stmts.len())
        .filter(|at| !users.contains_key(at))
        .for_each(|at| place(recipe, users, at, &mut order));
    let mut changed = recipe.clone();
    changed.body.stmts = order.into_iter().map(|at| recipe.body.stmts[at].clone()).collect();
    changed
}

fn place(recipe: &Recipe, users: &BTreeMap<usize, usize>, at: usize, order: &mut Vec<usize>) {
    for var in recipe.body.stmts[at].action.args().filter_map(|arg| arg.var()) {
        let is_it = |made: &&usize| recipe.body.stmts[**made].def.is_some_and(|def| def.var == var);
        if let Some(made) = users.keys().filter(|made| users[*made] == at).find(is_it) {
            place(recipe, users, *made, order);
        }
    }
    order.push(at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;

    fn shown(variants: &[Recipe]) -> Vec<String> {
        variants.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_are_made_where_they_are_used() {
        let recipe = recipe::parse(
            "v0: a.A = new a.A()\nv1: a.B = new a.B()\nv2: a.C = new a.C()\ncall v2->a.C.start()\ncall v2->a.C.take(a.B v1, a.A v0)",
        );
        let variants = made_where_used(&recipe.unwrap());
        let text = |text: &str| recipe::parse(text).unwrap().to_string();
        let all = "v2: a.C = new a.C()\ncall v2->a.C.start()\nv1: a.B = new a.B()\nv0: a.A = new a.A()\ncall v2->a.C.take(a.B v1, a.A v0)";
        let first = "v1: a.B = new a.B()\nv2: a.C = new a.C()\ncall v2->a.C.start()\nv0: a.A = new a.A()\ncall v2->a.C.take(a.B v1, a.A v0)";
        let second = "v0: a.A = new a.A()\nv2: a.C = new a.C()\ncall v2->a.C.start()\nv1: a.B = new a.B()\ncall v2->a.C.take(a.B v1, a.A v0)";
        assert_eq!(shown(&variants), [all, first, second].map(text));
        // There is an end to it.
        assert_eq!(made_where_used(&variants[0]), []);
        let mut steps = variants[1].clone();
        for _ in 0..2 {
            steps = made_where_used(&steps).pop().unwrap();
        }
        assert_eq!((steps == variants[0], made_where_used(&steps)), (true, Vec::new()));
    }

    #[test]
    fn what_only_a_callback_uses_is_made_in_there() {
        let recipe = recipe::parse(
            "v0: java.lang.Object = new java.lang.Object()\nv1: java.util.List = implement java.util.List {\n  java.util.List.get(v2: int): java.lang.Object {\n    return v0\n  }\n}\ncall a.A.take(java.util.List v1)",
        );
        let moved = made_in_callbacks(&recipe.unwrap());
        assert_eq!(moved.len(), 1);
        let text = moved[0].to_string();
        assert!(text.find("new java.lang.Object()") > text.find("List.get("), "{text}");
        assert!(made_in_callbacks(&moved[0]).is_empty());
    }

    #[test]
    fn what_the_jdk_has_need_not_be_implemented() {
        let callback = |interface: &str| {
            recipe::parse(&format!("v0: {interface} = implement {interface} {{\n}}\ncall a.A.take({interface} v0)"))
                .unwrap()
        };
        let first_line = |recipe: &Recipe| recipe.to_string().lines().next().unwrap_or_default().to_owned();
        for (interface, expected) in [
            ("java.lang.CharSequence", vec!["v0: java.lang.CharSequence = \"\""]),
            ("java.util.List", vec!["v0: java.util.List = collect ArrayList []"]),
            (
                "java.nio.file.Path",
                vec![
                    "v1: java.io.File = new java.io.File(java.lang.String \"\")",
                    "v1: java.io.File = new java.io.File(java.lang.String \"/\")",
                ],
            ),
            ("a.Interface", vec![]),
        ] {
            let variants = plain_objects(&callback(interface));
            assert_eq!(variants.iter().map(first_line).collect::<Vec<_>>(), expected);
            let uses_it = |recipe: &Recipe| recipe.to_string().ends_with(&format!("call a.A.take({interface} v0)\n"));
            assert!(variants.iter().all(uses_it) && variants.iter().all(|variant| plain_objects(variant).is_empty()));
        }
    }

    #[test]
    fn long_interfaces_are_extended_as_classes_that_have_most_of_them() {
        let recipe = recipe::parse(
            "v0: java.util.List = implement java.util.List {\n  java.util.List.size(): int {\n    return 1\n  }\n}\ncall a.A.take(java.util.List v0)",
        );
        let recipe = recipe.unwrap();
        let shorter = shorter_callbacks(&recipe);
        assert_eq!(shorter.len(), 1);
        assert!(shorter[0].to_string().contains("java.util.AbstractList"), "{}", shorter[0]);
        assert!(shorter_callbacks(&shorter[0]).is_empty());
        let fewer = fewer_methods(&recipe, &jdk_only());
        assert!(fewer.len() == 1 && !fewer[0].to_string().contains("size"), "{}", fewer[0]);
    }

    /// Null in place of an object is not less, but worse; what is inherited is.
    #[test]
    fn what_gives_an_object_stays_unless_it_is_inherited() {
        let giving = |of: &str, class: &str| {
            let method = format!("{class}.subList(v1: int, v2: int): java.util.List {{\n    return v3\n  }}");
            recipe::parse(&format!(
                "v3: java.util.List = collect ArrayList []\nv0: java.util.List = {of} {{\n  {method}\n}}"
            ))
        };
        let stub = giving("implement java.util.List", "java.util.List").unwrap_or_else(|error| panic!("{error}"));
        assert!(fewer_methods(&stub, &jdk_only()).is_empty());
        let list =
            giving("subclass java.util.ArrayList()", "java.util.ArrayList").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(fewer_methods(&list, &jdk_only()).len(), 1);
    }
}
