//! Smaller recipes that show just as much: statements are removed and values simplified as long as the workers see the
//! same. All single steps from one recipe are run as one batch, and the best is taken. When the run is to stop, what is
//! reached is taken.

use crate::tidy;
use objects::AccessContext;
use objects::literals;
use program::classfile::signature::{ClassSignature, GenericType};
use program::{Class, ClassName, MethodRef, Program, Symbol, Type};
use recipe::signature::raw;
use recipe::{
    Access, Action, Arg, Callback, CallbackForm, ClassDecl, Content, Def, Literal, Observation, Place, ProbePlan,
    Recipe, Runner, RunnerError,
};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps at most; each one makes the recipe strictly simpler, so this bound is for safety only.
const MAX_STEPS: usize = 400;
/// Parts of one sequence that are left out in turn; more would make a round too long.
const MOST_PARTS: usize = 40;

/// Simplifies as long as `keeps` holds of what is observed, and nothing gets less natural by it.
pub(crate) fn minimise(
    recipe: Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
    demerits: &dyn Fn(&Recipe) -> u32,
    program: &Program,
    stop: &AtomicBool,
) -> Result<Recipe, RunnerError> {
    let mut simplify = |recipe: Recipe, variants: &dyn Fn(&Recipe) -> Vec<Recipe>| {
        simplify(recipe, runner, plan, keeps, stop, &|recipe| {
            let most = demerits(recipe);
            let mut simpler = variants(recipe);
            simpler.retain(|simpler| demerits(simpler) <= most);
            simpler
        })
    };
    let real = simplify(recipe, &|recipe| plainer_callbacks(recipe, program))?;
    let plain = simplify(real, &|recipe| plainer_classes(recipe, program))?;
    let known = simplify(plain, &tidy::plain_objects)?;
    let lighter = simplify(known, &|recipe| tidy::fewer_methods(recipe, program))?;
    let shorter = simplify(lighter, &removals)?;
    let lesser = simplify(shorter, &|recipe| fewer_arguments(recipe, program))?;
    let shorter = simplify(lesser, &removals)?;
    let merged = simplify(shorter, &mergers)?;
    let emptier = simplify(merged, &fewer_elements)?;
    let fewer = simplify(emptier, &removals)?;
    let plainer = simplify(fewer, &simpler_values)?;
    let brief = simplify(plainer, &shorter_contents)?;
    let readable = simplify(brief, &tidy::shorter_callbacks)?;
    let inner = simplify(readable, &tidy::made_in_callbacks)?;
    simplify(inner, &tidy::made_where_used)
}

fn simplify(
    mut recipe: Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
    stop: &AtomicBool,
    variants: &dyn Fn(&Recipe) -> Vec<Recipe>,
) -> Result<Recipe, RunnerError> {
    for _ in 0..MAX_STEPS {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let candidates = variants(&recipe);
        let observations = runner.run(&candidates, plan)?;
        let kept = candidates.into_iter().zip(&observations).find(|(candidate, seen)| keeps(candidate, seen));
        match kept {
            Some((simpler, _)) => recipe = simpler,
            None => break,
        }
    }
    Ok(recipe)
}

/// The recipe without one statement and what depends on it, the shortest first.
fn removals(recipe: &Recipe) -> Vec<Recipe> {
    let mut shorter: Vec<Recipe> = recipe
        .places()
        .iter()
        .filter_map(|place: &Place| {
            let mut without = recipe.clone();
            let is_shorter = without.remove(place) > 0 && !without.body.stmts.is_empty();
            without.drop_unused_classes();
            is_shorter.then_some(without)
        })
        .collect();
    shorter.sort_by_key(Recipe::size);
    shorter
}

/// The recipe with an object of the class in place of an anonymous one of a subclass.
fn plainer_callbacks(recipe: &Recipe, program: &Program) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        let Action::Callback(Callback { form: CallbackForm::Subclass { constructor, args }, .. }) = &stmt.action else {
            continue;
        };
        let is_abstract = program.class(constructor.class).is_none_or(|class| class.access.is_abstract());
        if !is_abstract && is_for_everybody(*constructor, program) {
            let made = Action::New { constructor: *constructor, args: args.clone(), access: Access::Public };
            found.push(with_action(recipe, at, made));
        }
    }
    found
}

fn with_action(recipe: &Recipe, at: usize, action: Action) -> Recipe {
    let mut changed = recipe.clone();
    changed.body.stmts[at].action = action;
    changed
}

/// The recipe with a constructor or method of the same name that takes less: some of the same arguments, in their order.
fn fewer_arguments(recipe: &Recipe, program: &Program) -> Vec<Recipe> {
    let mut found: Vec<(usize, Recipe)> = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        let Some(called) = stmt.action.called() else { continue };
        for other in shorter_overloads(called, program) {
            let Some(kept) = subsequence(&called.signature().params, &other.signature().params) else { continue };
            let mut action = stmt.action.clone();
            let args = match &mut action {
                Action::New { constructor, args, access: Access::Public } => {
                    *constructor = other;
                    args
                }
                Action::Call { method, args, access: Access::Public, .. } => {
                    *method = other;
                    args
                }
                _ => continue,
            };
            *args = kept.iter().filter_map(|index| args.get(*index).cloned()).collect();
            found.push((kept.len(), with_action(recipe, at, action)));
        }
    }
    found.sort_by_key(|(arguments, _)| *arguments);
    found.into_iter().map(|(_, recipe)| recipe).collect()
}

/// What everybody may call in place of it, with fewer parameters.
fn shorter_overloads(called: MethodRef, program: &Program) -> Vec<MethodRef> {
    let (Some(class), Some(found)) = (program.class(called.class), program.declared_method(called)) else {
        return Vec::new();
    };
    let (is_static, signature) = (found.access.is_static(), called.signature());
    let others = class.methods_named(called.name.as_str()).filter(|other| {
        let types = other.reference().signature();
        types.params.len() < signature.params.len()
            && types.ret == signature.ret
            && other.access.is_static() == is_static
            && !other.access.is_synthetic()
            && is_for_everybody(other.reference(), program)
    });
    others.map(|other| other.reference()).collect()
}

/// Where the types of `few` stand among `many`, in the same order.
fn subsequence(many: &[Type], few: &[Type]) -> Option<Vec<usize>> {
    let mut rest = many.iter().enumerate();
    few.iter().map(|ty| rest.find(|(_, other)| *other == ty).map(|(index, _)| index)).collect()
}

fn is_for_everybody(member: MethodRef, program: &Program) -> bool {
    let is_public = |class: &Class| {
        let found = program.declared_method(member)?;
        AccessContext::public().member(program, class, found.access.visibility())
    };
    program.class(member.class).is_some_and(|class| is_public(&class) == Some(Access::Public))
}

/// The recipe without classes that it does not need, and with a member, an annotation or a part of a signature of one of the
/// others left out.
fn plainer_classes(recipe: &Recipe, program: &Program) -> Vec<Recipe> {
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut Recipe)| {
        let mut changed = recipe.clone();
        change(&mut changed);
        changed.drop_unused_classes();
        if changed != *recipe {
            found.push(changed);
        }
    };
    add(&|_| {});
    for (at, class) in recipe.classes.iter().enumerate() {
        (0..class.methods.len()).for_each(|method| add(&|changed| drop(changed.classes[at].methods.remove(method))));
        (0..class.fields.len()).for_each(|field| add(&|changed| changed.classes[at].remove_field(field)));
        // Single settings stay: some have to be given.
        let counts: Vec<usize> = class.clone().annotations_mut().iter().map(|list| list.len()).collect();
        for (list, count) in counts.into_iter().enumerate() {
            (0..count).for_each(|index| {
                add(&|changed| drop(changed.classes[at].annotations_mut()[list].remove(index)));
            });
        }
    }
    for (at, class) in recipe.classes.iter().enumerate() {
        for plainer in plainer_signatures(class) {
            let mut changed = recipe.clone();
            changed.classes[at] = plainer;
            changed.forget_wrong_signatures(program);
            changed.drop_unused_classes();
            // Without what was above it, the class may not be what others need.
            if recipe::check(&changed, program).is_ok() {
                found.push(changed);
            }
        }
    }
    found
}

/// The class without type parameters, bounds, supertypes and type arguments, one at a time. A token needs its own.
fn plainer_signatures(class: &ClassDecl) -> Vec<ClassDecl> {
    let mut found = Vec::new();
    let of_members = class.fields.iter().any(|field| field.signature.is_some())
        || class.methods.iter().any(|method| method.signature.is_some());
    if class.is_token() || class.signature.is_none() && !of_members {
        return found;
    }
    let mut add = |change: &dyn Fn(&mut ClassDecl)| {
        let mut changed = class.clone();
        change(&mut changed);
        if changed != *class {
            found.push(changed);
        }
    };
    if class.signature.is_some() {
        let signature = class.generic();
        let object = ClassName::object();
        let write = |class: &mut ClassDecl, signature: &ClassSignature| {
            class.super_class = signature.super_class.class;
            class.interfaces = signature.interfaces.iter().map(|interface| interface.class).collect();
            let text = signature.to_string();
            class.signature = text.contains('<').then(|| Symbol::new(&text));
        };
        add(&|class| class.signature = None);
        if signature.super_class.class != object {
            let plain = ClassSignature { super_class: raw(object), ..signature.clone() };
            add(&|class| write(class, &plain));
        }
        for at in 0..signature.interfaces.len() {
            let mut plain = signature.clone();
            plain.interfaces.remove(at);
            add(&|class| write(class, &plain));
        }
        for at in 0..signature.type_parameters.len() {
            let mut without = signature.clone();
            without.type_parameters.remove(at);
            add(&|class| write(class, &without));
            let mut unbounded = signature.clone();
            let parameter = &mut unbounded.type_parameters[at];
            (parameter.class_bound, parameter.interface_bounds) = (Some(GenericType::Class(raw(object))), Vec::new());
            add(&|class| write(class, &unbounded));
        }
    }
    (0..class.fields.len()).for_each(|field| add(&|class| class.fields[field].signature = None));
    (0..class.methods.len()).for_each(|method| add(&|class| class.methods[method].signature = None));
    found
}

/// The recipe with one object in place of two of the same type.
fn mergers(recipe: &Recipe) -> Vec<Recipe> {
    let defs: Vec<(usize, Def)> =
        recipe.body.stmts.iter().enumerate().filter_map(|(at, stmt)| Some((at, stmt.def?))).collect();
    let mut merged = Vec::new();
    for (later, (at, def)) in defs.iter().enumerate() {
        for (_, other) in defs[..later].iter().filter(|(_, other)| other.ty == def.ty && def.ty.is_reference()) {
            let mut changed = recipe.clone();
            changed.for_each_arg_mut(&mut |arg| {
                if arg.var() == Some(def.var) {
                    *arg = Arg::Var(other.var);
                }
            });
            changed.body.stmts.remove(*at);
            merged.push(changed);
        }
    }
    merged
}

/// The recipe with one literal made simpler.
fn simpler_values(recipe: &Recipe) -> Vec<Recipe> {
    let mut count = 0;
    recipe.clone().for_each_literal_mut(&mut |_| count += 1);
    (0..count).flat_map(|chosen| with_simpler(recipe, chosen)).collect()
}

/// The recipe with some elements of one array or collection left out. Numbers that may be its length follow.
fn fewer_elements(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        let (length, together) = match &stmt.action {
            Action::ArrayOf { elements, .. } => (elements.len(), 1),
            Action::Collection(kind, elements) => (elements.len(), if kind.is_map() { 2 } else { 1 }),
            _ => continue,
        };
        for part in literals::parts(length, together, MOST_PARTS) {
            let mut changed = recipe.clone();
            let left = length - part.len();
            if let Action::ArrayOf { elements, .. } | Action::Collection(_, elements) =
                &mut changed.body.stmts[at].action
            {
                elements.drain(part);
            }
            found.extend(with_length(&changed, length, left));
            found.push(changed);
        }
    }
    found
}

/// The recipe with another number wherever one is the length that something had.
fn with_length(recipe: &Recipe, was: usize, is: usize) -> Option<Recipe> {
    let (was, is) = (i32::try_from(was).ok()?, i32::try_from(is).ok()?);
    let mut changed = recipe.clone();
    changed.for_each_literal_mut(&mut |literal| {
        if *literal == Literal::Int(was) {
            *literal = Literal::Int(is);
        }
    });
    (changed != *recipe).then_some(changed)
}

/// The recipe with a part of one document left out.
fn shorter_contents(recipe: &Recipe) -> Vec<Recipe> {
    let mut found = Vec::new();
    for (at, stmt) in recipe.body.stmts.iter().enumerate() {
        for (index, content) in stmt.clone().contents_mut().into_iter().enumerate() {
            for shorter in shortened(content) {
                let mut changed = recipe.clone();
                *changed.body.stmts[at].contents_mut()[index] = shorter;
                found.push(changed);
            }
        }
    }
    found
}

fn shortened(content: &Content) -> Vec<Content> {
    match content {
        Content::Text(text) => literals::shortened(text).into_iter().map(Content::Text).collect(),
        Content::Bytes(bytes) => {
            let without = |part: Range<usize>| Content::Bytes([&bytes[..part.start], &bytes[part.end..]].concat());
            literals::parts(bytes.len(), 1, MOST_PARTS).into_iter().map(without).collect()
        }
    }
}

fn with_simpler(recipe: &Recipe, chosen: usize) -> Vec<Recipe> {
    let mut ladder = Vec::new();
    let mut index = 0;
    recipe.clone().for_each_literal_mut(&mut |literal| {
        if index == chosen {
            ladder = literals::simpler(literal);
        }
        index += 1;
    });
    ladder
        .into_iter()
        .map(|simpler| {
            let mut changed = recipe.clone();
            let mut index = 0;
            changed.for_each_literal_mut(&mut |literal| {
                if index == chosen {
                    *literal = simpler.clone();
                }
                index += 1;
            });
            changed
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jdk_only;

    #[test]
    fn a_length_goes_with_its_array() {
        let recipe = recipe::parse(
            "v0: java.lang.String[] = array java.lang.String {\"a\", \"b\", \"c\"}\nv1: a.B = new a.B(java.lang.String[] v0, int 0, int 3)",
        );
        let shorter: Vec<String> = fewer_elements(&recipe.unwrap()).iter().map(ToString::to_string).collect();
        assert!(shorter[0].contains("{\"c\"}") && shorter[0].contains("int 1)"), "{}", shorter[0]);
        assert!(shorter[1].contains("{\"c\"}") && shorter[1].contains("int 3)"), "{}", shorter[1]);
    }

    fn shown(recipe: &str, variants: impl Fn(&Recipe, &Program) -> Vec<Recipe>) -> Vec<String> {
        let recipe = recipe::parse(recipe).unwrap_or_else(|error| panic!("{error}"));
        variants(&recipe, &jdk_only()).iter().map(|recipe| recipe.to_string().trim().to_owned()).collect()
    }

    #[test]
    fn what_takes_fewer_arguments_comes_first() {
        let of_map = shown("v0: java.util.HashMap = new java.util.HashMap(int 3, float 0.5f)", fewer_arguments);
        let expected = ["new java.util.HashMap()", "new java.util.HashMap(int 3)"];
        assert_eq!(of_map, expected.map(|made| format!("v0: java.util.HashMap = {made}")));
        // `substring(int)` gives the same; `valueOf(char[])` has nothing to do with `valueOf(char[], int, int)` but its name.
        let call = "v0: java.lang.String = call \"abc\"->java.lang.String.substring(int 1, int 2): java.lang.String";
        let of_call = shown(call, fewer_arguments);
        assert!(of_call.len() == 1 && of_call[0].contains("substring(int 1)"), "{of_call:?}");
    }

    #[test]
    fn an_object_of_the_class_does_for_one_of_a_subclass() {
        let list =
            "v0: java.util.List = subclass java.util.ArrayList() { java.util.ArrayList.size(): int { return 1 } }";
        assert_eq!(shown(list, plainer_callbacks), ["v0: java.util.List = new java.util.ArrayList()"]);
        let stream = "v0: java.io.InputStream = subclass java.io.InputStream() {}";
        assert_eq!(shown(stream, plainer_callbacks), Vec::<String>::new());
    }

    #[test]
    fn signatures_get_plainer_as_long_as_they_fit_together() {
        let recipe = r#"
            declare class Node signature "<T::Ljava/lang/Comparable<-TT;>;>Ljava/lang/Object;" {
              field next: reenact.user.Node signature "Lreenact/user/Node<TT;>;"
            }
            declare class Leaf signature "Lreenact/user/Node<Ljava/lang/String;>;" extends reenact.user.Node { }
            v0: java.lang.reflect.Type = call class reenact.user.Leaf->java.lang.Class.getGenericSuperclass(): java.lang.reflect.Type"#;
        let plainer = shown(recipe, plainer_classes);
        let has = |part: &str| plainer.iter().any(|recipe| recipe.contains(part));
        // Without bound, without parameter and so without arguments, without superclass.
        assert!(has("<T:Ljava/lang/Object;>"), "{plainer:#?}");
        assert!(
            has(
                "declare class Node {\n  field next: reenact.user.Node\n}\ndeclare class Leaf extends reenact.user.Node {"
            ),
            "{plainer:#?}"
        );
        assert!(has("declare class Leaf {"), "{plainer:#?}");
    }
}
