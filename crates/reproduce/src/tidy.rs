//! Recipes that do the same and read better: callbacks with less to read, and values made where they are used. Each is a
//! variant that workers have to see the same crash of, as with all that minimising does.

use program::{ClassName, MethodRef};
use recipe::{Action, Callback, CallbackForm, Place, Recipe, VarId};
use std::collections::BTreeMap;

/// The recipe with one method of a callback less: what it does not say, does nothing or is inherited.
pub(crate) fn fewer_methods(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (place, callback) in callbacks(recipe) {
        let without = |method: usize| {
            with_callback(recipe, &place, &|callback| {
                callback.methods.remove(method);
            })
        };
        if !matches!(callback.form, CallbackForm::Lambda { .. }) {
            found.extend((0..callback.methods.len()).filter_map(without));
        }
    }
    found
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

/// The statements of the test that make a value for one other statement of it, and that one.
fn only_users(recipe: &Recipe) -> BTreeMap<usize, usize> {
    let mut uses: BTreeMap<VarId, usize> = BTreeMap::new();
    recipe.for_each_arg(&mut |arg| {
        if let Some(var) = arg.var() {
            *uses.entry(var).or_default() += 1;
        }
    });
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

    fn shown(variants: Vec<Recipe>) -> Vec<String> {
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
        assert_eq!(shown(variants.clone()), [all, first, second].map(text));
        // There is an end to it.
        assert_eq!(made_where_used(&variants[0]), []);
        let mut steps = variants[1].clone();
        for _ in 0..2 {
            steps = made_where_used(&steps).pop().unwrap();
        }
        assert_eq!((steps == variants[0], made_where_used(&steps)), (true, Vec::new()));
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
        let fewer = fewer_methods(&recipe);
        assert!(fewer.len() == 1 && !fewer[0].to_string().contains("size"), "{}", fewer[0]);
    }
}
