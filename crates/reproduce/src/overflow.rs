//! Tests that overflow a stack, or in which threads meet: how deep, or how often, is enough? Probes make the frames of a worker
//! larger than those of a plain VM, and compiled code needs less stack than interpreted code, so what just overflows there need
//! not do so elsewhere; and threads that met in a warm worker need not meet in a VM that has just started.

use documents::edit;
use recipe::{
    Action, Content, End, JavaString, Literal, Observation, ProbePlan, Recipe, Runner, RunnerError, Stmt, Text,
    TextPiece,
};
use std::time::Duration;

/// How much deeper than what is just enough in a worker.
pub(crate) const MARGIN: f64 = 4.0;
/// How often threads are run in a worker to see how they end and how long that takes.
const TIMES_SEEN: usize = 8;
/// How often a fresh JVM is shown something deeper still.
pub(crate) const ATTEMPTS: u32 = 2;

/// The recipe with every repetition in its texts, and the turns of its loops, multiplied; nothing if it has none.
pub(crate) fn deeper(recipe: &Recipe, factor: f64) -> Option<Recipe> {
    let mut changed = recipe.clone();
    let mut any = false;
    for_each_text(&mut changed, &mut |text| {
        if text.pieces.iter().any(|piece| matches!(piece, TextPiece::Repeat(..))) {
            *text = edit::scale(text, factor);
            any = true;
        }
    });
    for action in changed.body.stmts.iter_mut().flat_map(loops) {
        if let Action::Repeat { times, .. } = action {
            *times = ((f64::from(*times) * factor) as u32).min(Action::MOST_TURNS);
            any = true;
        }
    }
    any.then_some(changed)
}

/// Texts that are given to something, and those of files and streams.
fn for_each_text(recipe: &mut Recipe, f: &mut dyn FnMut(&mut Text)) {
    recipe.for_each_literal_mut(&mut |literal| {
        if let Literal::String(text) = literal {
            f(text);
        }
    });
    for content in recipe.body.stmts.iter_mut().flat_map(Stmt::contents_mut) {
        if let Content::Text(text) = content {
            f(text);
        }
    }
}

/// The recipe with what its texts repeat written as repetitions. A text that was taken apart and put together again has them
/// written out, and could not be made deeper.
fn folded(recipe: &Recipe) -> Recipe {
    let mut changed = recipe.clone();
    for_each_text(&mut changed, &mut |text| {
        *text = Text { pieces: text.pieces.iter().flat_map(fold_piece).collect() };
    });
    changed
}

fn fold_piece(piece: &TextPiece) -> Vec<TextPiece> {
    let TextPiece::Plain(JavaString(units)) = piece else { return vec![piece.clone()] };
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    let plain = |units: &[u16]| (!units.is_empty()).then(|| TextPiece::Plain(JavaString(units.to_vec())));
    while at < units.len() {
        let Some((period, times)) = repeated(&units[at..]) else {
            at += 1;
            continue;
        };
        pieces.extend(plain(&units[start..at]));
        pieces.push(TextPiece::Repeat(JavaString(units[at..at + period].to_vec()), times as u32));
        at += period * times;
        start = at;
    }
    pieces.extend(plain(&units[start..]));
    pieces
}

/// How long a part the text begins with that comes many times in a row, and how many times.
fn repeated(units: &[u16]) -> Option<(usize, usize)> {
    const LONGEST: usize = 64;
    const MANY: usize = 20;
    (1..=LONGEST.min(units.len())).find_map(|period| {
        let same = units.iter().zip(&units[period..]).take_while(|(a, b)| a == b).count();
        let times = same / period + 1;
        (times >= MANY).then_some((period, times))
    })
}

/// The statement itself, or those that its threads run.
fn loops(stmt: &mut Stmt) -> Vec<&mut Action> {
    match &mut stmt.action {
        Action::Together(bodies) => {
            bodies.iter_mut().flat_map(|body| body.stmts.iter_mut().map(|stmt| &mut stmt.action)).collect()
        }
        action => vec![action],
    }
}

/// By how much the turns of threads are multiplied that are to meet in every fresh JVM; nothing if no number of turns does it,
/// because they end in another way as well or met by chance.
pub(crate) fn meetings(
    recipe: &Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    meets: &dyn Fn(&Observation) -> bool,
) -> Result<Option<f64>, RunnerError> {
    let seen = runner.run(&vec![recipe.clone(); TIMES_SEEN], plan)?;
    let longest = seen.iter().map(|seen| seen.cost.time).max().unwrap_or_default();
    Ok(could_always_meet(&seen, meets).then(|| more_turns(longest)))
}

/// They met, and where they did not, more turns would have followed. Where there is no time left to look, fresh JVMs will tell.
fn could_always_meet(seen: &[Observation], meets: &dyn Fn(&Observation) -> bool) -> bool {
    let goes_on = |seen: &Observation| matches!(seen.end, End::Completed | End::Stopped(_));
    let met = seen.is_empty() || seen.iter().any(meets);
    met && seen.iter().all(|seen| meets(seen) || goes_on(seen))
}

/// How many times as many turns as in a worker, where it took this long, threads take in a fresh JVM, which has to see them meet
/// every time: as many as there is time for.
fn more_turns(in_worker: Duration) -> f64 {
    const TIME: f64 = 1.5;
    (TIME / in_worker.as_secs_f64().max(1e-6)).clamp(4.0, 4000.0)
}

/// The recipe deeper than it need be in a worker, if it shows the same there.
pub(crate) fn with_margin(
    recipe: &Recipe,
    runner: &mut dyn Runner,
    plan: &ProbePlan,
    keeps: &dyn Fn(&Recipe, &Observation) -> bool,
) -> Result<Recipe, RunnerError> {
    let recipe = folded(recipe);
    let Some(deeper) = deeper(&recipe, MARGIN) else { return Ok(recipe) };
    let seen = runner.run(std::slice::from_ref(&deeper), plan)?;
    let is_kept = seen.first().is_some_and(|seen| keeps(&deeper, seen));
    Ok(if is_kept { deeper } else { recipe })
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::MethodRef;
    use recipe::{Access, Arg};

    fn parse(text: Text) -> Recipe {
        let method = MethodRef::new("a/B", "parse", "(Ljava/lang/String;)V");
        let args = vec![Arg::Literal(Literal::String(text))];
        let mut recipe = Recipe::default();
        let action = Action::Call { method, receiver: None, args, access: Access::Public };
        recipe.body.stmts.push(Stmt { def: None, action });
        recipe
    }

    fn nested(levels: u32) -> Recipe {
        let brackets = |bracket| TextPiece::Repeat(JavaString::new(bracket), levels);
        parse(Text { pieces: vec![brackets("["), TextPiece::Plain(JavaString::new("1")), brackets("]")] })
    }

    #[test]
    fn repetitions_are_multiplied_and_nothing_else_is() {
        assert_eq!(deeper(&nested(500), MARGIN), Some(nested(2000)));
        assert_eq!(deeper(&parse(Text::plain("[[[1]]]")), MARGIN), None);
    }

    #[test]
    fn what_is_written_out_is_a_repetition_all_the_same() {
        let written = parse(Text::plain(&format!("$.a{}1{}?", "['b',".repeat(300), "]".repeat(300))));
        let plain = |text: &str| TextPiece::Plain(JavaString::new(text));
        let times = |text: &str, times| TextPiece::Repeat(JavaString::new(text), times);
        let pieces = vec![plain("$.a"), times("['b',", 300), plain("1"), times("]", 300), plain("?")];
        assert_eq!(folded(&written), parse(Text { pieces }));
        assert_eq!(folded(&nested(500)), nested(500));
        let short = parse(Text::plain("[[[1]]] and ................... so on"));
        assert_eq!(folded(&short), short);
    }

    #[test]
    fn files_of_a_directory_are_texts_as_well() {
        let file = |levels| {
            let text = Text { pieces: vec![TextPiece::Repeat(JavaString::new("["), levels)] };
            let files = vec![(JavaString::new("a.json"), Content::Text(text))];
            let mut recipe = Recipe::default();
            recipe.body.stmts.push(Stmt { def: None, action: Action::TempDir { files } });
            recipe
        };
        assert_eq!(deeper(&file(10), MARGIN), Some(file(40)));
    }

    #[test]
    fn turns_are_multiplied_also_those_of_threads() {
        let repeat = |times| {
            let body = recipe::Block { stmts: parse(Text::plain("x")).body.stmts };
            Stmt { def: None, action: Action::Repeat { times, carried: None, body } }
        };
        let of = |stmt| Recipe { body: recipe::Block { stmts: vec![stmt] }, ..Recipe::default() };
        assert_eq!(deeper(&of(repeat(1000)), MARGIN), Some(of(repeat(4000))));
        let together = |times| {
            let part = || recipe::Block { stmts: vec![repeat(times)] };
            Stmt { def: None, action: Action::Together(vec![part(), part()]) }
        };
        assert_eq!(deeper(&of(together(50)), 32.0), Some(of(together(1600))));
    }

    #[test]
    fn threads_that_end_in_another_way_do_not_always_meet() {
        let seen = |end| Observation {
            end,
            lines: Vec::new(),
            branches: Vec::new(),
            conditions: Vec::new(),
            cost: recipe::Cost::default(),
            shown: Default::default(),
        };
        let [met, returned, other] = [End::Exited { status: 1 }, End::Completed, End::Exited { status: 2 }].map(seen);
        let meets = |seen: &Observation| *seen == met;
        let could = |all: &[&Observation]| {
            let all: Vec<Observation> = all.iter().copied().cloned().collect();
            could_always_meet(&all, &meets)
        };
        assert!(could(&[&met, &returned, &met]));
        assert!(!could(&[&returned, &returned]));
        assert!(!could(&[&met, &other, &met]));
        assert!(could(&[]));
    }
}
