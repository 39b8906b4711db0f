//! What must hold for every recipe: forms round-trip, operators keep recipes well typed, hashes see through renaming.

use proptest::prelude::*;
use proptest::sample::Index;
use recipe::testing::{Flavour, jdk, recipes, recipes_over};
use recipe::{Arg, Keep, Literal, Place, Recipe, VarId, binary, check, parse};
use std::collections::BTreeMap;

/// A statement's place, any of them.
fn place(recipe: &Recipe, index: Index) -> Option<Place> {
    let places = recipe.places();
    (!places.is_empty()).then(|| index.get(&places).clone())
}

fn shuffled_names(mut recipe: Recipe, factor: u32) -> Recipe {
    // Odd factors permute the numbers modulo 2^32.
    recipe.for_each_var_mut(&mut |var| var.0 = var.0.wrapping_add(17).wrapping_mul(2 * factor + 1));
    recipe
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn generated_recipes_are_well_typed(recipe in recipes()) {
        prop_assert_eq!(check(&recipe, jdk()), Ok(()));
    }

    #[test]
    fn text_round_trips(recipe in recipes()) {
        let text = recipe.to_string();
        prop_assert_eq!(parse(&text).map_err(|e| format!("{e}\n{text}")), Ok(recipe));
    }

    #[test]
    fn binary_round_trips(recipe in recipes()) {
        prop_assert_eq!(binary::from_bytes(&binary::to_bytes(&recipe)), Ok(recipe));
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes: Vec<u8>) {
        let _ = binary::from_bytes(&bytes);
    }

    #[test]
    fn damaged_bytes_are_read_without_panic(recipe in recipes(), at: Index, byte: u8) {
        let mut bytes = binary::to_bytes(&recipe);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = binary::from_bytes(&bytes);
        let _ = binary::from_bytes(&bytes[..at]);
    }

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn damaged_text_is_read_without_panic(recipe in recipes(), at: Index, insert in "[-(){}\\[\\]:=,.\"'`#@ a-z0-9]{0,3}") {
        let text = recipe.to_string();
        let boundaries: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        let at = *at.get(&boundaries);
        let _ = parse(&format!("{}{insert}{}", &text[..at], &text[at..]));
        let _ = parse(&text[..at]);
    }

    #[test]
    fn the_hash_sees_through_renaming(recipe in recipes(), factor in 0u32..1000) {
        let renamed = shuffled_names(recipe.clone(), factor);
        prop_assert_eq!(renamed.canonical_hash(), recipe.canonical_hash());
        prop_assert_eq!(renamed.fingerprint(), recipe.fingerprint());
        prop_assert_eq!(renamed.canonical(), recipe.canonical());
    }

    #[test]
    fn the_hash_tells_recipes_apart(a in recipes(), b in recipes()) {
        prop_assert_eq!(a.canonical_hash() == b.canonical_hash(), a.canonical() == b.canonical());
    }

    #[test]
    fn removal_keeps_recipes_well_typed(recipe in recipes(), at: Index) {
        let Some(place) = place(&recipe, at) else { return Ok(()) };
        let mut smaller = recipe.clone();
        let removed = smaller.remove(&place);
        prop_assert!(removed >= 1);
        prop_assert!(smaller.places().len() + removed <= recipe.places().len());
        prop_assert_eq!(check(&smaller, jdk()), Ok(()));
    }

    #[test]
    fn slices_are_well_typed_and_end_with_their_statement(recipe in recipes(), at: Index) {
        if recipe.body.stmts.is_empty() {
            return Ok(());
        }
        let stmt = at.index(recipe.body.stmts.len());
        let narrow = recipe.slice(stmt, Keep::Definitions);
        let wide = recipe.slice(stmt, Keep::Effects);
        for slice in [&narrow, &wide] {
            prop_assert_eq!(check(slice, jdk()), Ok(()));
            prop_assert_eq!(slice.body.stmts.last(), Some(&recipe.body.stmts[stmt]));
        }
        prop_assert!(narrow.body.stmts.iter().all(|stmt| wide.body.stmts.contains(stmt)));
    }

    #[test]
    fn a_slice_of_a_slice_is_itself(recipe in recipes(), at: Index) {
        if recipe.body.stmts.is_empty() {
            return Ok(());
        }
        let slice = recipe.slice(at.index(recipe.body.stmts.len()), Keep::Effects);
        prop_assert_eq!(slice.slice(slice.body.stmts.len() - 1, Keep::Effects), slice);
    }

    #[test]
    fn splicing_keeps_recipes_well_typed(a in recipes(), b in recipes(), at: Index) {
        let mut both = a.clone();
        let place = place(&a, at).unwrap_or(Place::top(0));
        prop_assert!(both.splice(&place, &b).is_some());
        prop_assert_eq!(check(&both, jdk()), Ok(()));
        prop_assert_eq!(both.places().len() >= a.places().len(), true);
    }

    #[test]
    fn edits_are_refused_or_keep_recipes_well_typed(
        recipe in recipes(),
        donor in recipes_over(jdk(), Flavour::PLAIN),
        at: Index,
        from: Index,
        argument in 0usize..3,
    ) {
        let (Some(to), Some(from)) = (place(&recipe, at), place(&donor, from)) else { return Ok(()) };
        let Some(stmt) = donor.stmt(&from).cloned() else { return Ok(()) };
        let mut edited = recipe.clone();
        let before = edited.clone();
        for attempt in 0..4 {
            let refused = match attempt {
                0 => edited.insert(&to, stmt.clone(), jdk()).is_err(),
                1 => edited.replace(&to, stmt.clone(), jdk()).is_err(),
                2 => edited.replace_arg(&to, argument, Arg::Literal(Literal::Int(1)), jdk()).is_err(),
                _ => edited.substitute(VarId(0), &Arg::Literal(Literal::string("s")), jdk()).is_err(),
            };
            prop_assert_eq!(check(&edited, jdk()), Ok(()));
            prop_assert!(!refused || attempt > 0 || edited == before);
        }
    }

    #[test]
    fn visible_variables_are_what_the_checker_accepts(recipe in recipes(), at: Index) {
        let Some(place) = place(&recipe, at) else { return Ok(()) };
        let visible: BTreeMap<VarId, program::Type> =
            recipe.visible_at(&place).into_iter().map(|def| (def.var, def.ty)).collect();
        let fresh = recipe.fresh_var();
        for (var, ty) in visible {
            let use_it = recipe::Stmt {
                def: Some(recipe::Def { var: fresh, ty }),
                action: recipe::Action::Cast(Arg::Var(var)),
            };
            prop_assert_eq!(recipe.clone().insert(&place, use_it, jdk()), Ok(()));
        }
    }
}
