//! The plain test in place of a natural one that fresh JVMs refuted.

use crash_report::compare::Grade;
use recipe::Recipe;

/// A test, how unnatural it is, and what came of trying it out.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome<T> {
    pub(crate) recipe: Recipe,
    pub(crate) demerits: u32,
    pub(crate) tried: T,
}

/// Tries the plain test, unless it is the natural one, and gives the one that shows more; of equals the natural one.
pub(crate) fn or_plain<T, E>(
    natural: Outcome<T>,
    plain: Option<(Recipe, u32)>,
    try_out: impl FnOnce(&Recipe) -> Result<T, E>,
    grade: impl Fn(&T) -> Grade,
) -> Result<Outcome<T>, E> {
    let Some((recipe, demerits)) = plain.filter(|(recipe, _)| *recipe != natural.recipe) else { return Ok(natural) };
    let tried = try_out(&recipe)?;
    Ok(if grade(&tried) > grade(&natural.tried) { Outcome { recipe, demerits, tried } } else { natural })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calling(method: &str) -> Recipe {
        recipe::parse(&format!("call java.lang.Thread.{method}(): void")).unwrap()
    }

    /// What is left of a natural test that showed `natural` when the plain one shows `plain`.
    fn left(natural: Grade, plain: Grade) -> Outcome<Grade> {
        let natural = Outcome { recipe: calling("yield"), demerits: 1, tried: natural };
        or_plain(natural, Some((calling("onSpinWait"), 5)), |_| Ok::<_, ()>(plain), |grade| *grade).unwrap()
    }

    #[test]
    fn the_plain_test_is_taken_where_it_shows_more() {
        let taken = Outcome { recipe: calling("onSpinWait"), demerits: 5, tried: Grade::FullStack };
        assert_eq!(left(Grade::None, Grade::FullStack), taken);
        for plain in [Grade::None, Grade::CrashLine] {
            let kept = Outcome { recipe: calling("yield"), demerits: 1, tried: Grade::CrashLine };
            assert_eq!(left(Grade::CrashLine, plain), kept);
        }
    }

    #[test]
    fn the_same_test_is_not_tried_twice() {
        for plain in [None, Some((calling("yield"), 5))] {
            let natural = Outcome { recipe: calling("yield"), demerits: 1, tried: Grade::None };
            let kept = or_plain(natural, plain, |_| Err("tried again"), |grade| *grade).unwrap();
            assert_eq!(kept.demerits, 1);
        }
    }
}
