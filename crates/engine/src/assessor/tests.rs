use super::*;
use crate::goal::GoalMethod;
use crash_report::compare::Grade;
use program::{ClassName, MethodRef, Symbol};
use recipe::{LineHit, StackFrame};

const LINE: u16 = 7;

fn crash_method() -> MethodRef {
    MethodRef::new("a/B", "c", "()V")
}

pub(crate) fn goal() -> Goal {
    let frame = GoalFrame { methods: vec![GoalMethod::unknown(crash_method())], line: Some(LINE) };
    let text = "a.Refused: x\n\tat a.B.c(B.java:7)\n";
    Goal {
        exception: ClassName::internal("a/Refused"),
        message: None,
        expected: crash_report::parse(text.as_bytes()).traces.remove(0).throwable,
        frames: vec![frame],
        reachable: None,
        conditions: Vec::new(),
        guards: Vec::new(),
        root: None,
        templates: Vec::new(),
        is_stack_overflow: false,
        cycle: Vec::new(),
    }
}

/// Throws from a line of the crashing method after the statement, having executed these lines.
pub(crate) fn threw(class: &str, from: u16, stmt: u32, lines: &[u16]) -> Observation {
    let MethodRef { class: of, name, .. } = crash_method();
    let frame = StackFrame { class: of, method: Symbol::new(name.as_str()), line: Some(from), is_test: false };
    let stack = vec![frame];
    let message = Some("x".to_owned());
    Observation {
        end: End::Threw { stmt, thrown: Thrown { class: ClassName::internal(class), message, stack, cause: None } },
        lines: lines.iter().map(|line| LineHit { method: crash_method(), line: *line, count: 1 }).collect(),
        branches: Vec::new(),
        conditions: Vec::new(),
        cost: Default::default(),
        shown: Default::default(),
    }
}

fn assessor() -> Assessor {
    let directory = tempfile::tempdir().unwrap();
    let class_path = program::ClassPath::parse([directory.path()]).unwrap();
    let jdk = program::Jdk::find(None).unwrap();
    let (program, _) = program::Program::open(&class_path, jdk, &program::Cache::none()).unwrap();
    Assessor::new(Arc::new(goal()), Arc::new(Catalogue::new(Arc::new(program), &[])), Arc::new(|_| true))
}

fn recipe() -> Recipe {
    recipe::parse("call java.lang.System.gc()\ncall a.B.c()").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_a_candidate_shows() {
    let mut assessor = assessor();
    let mut of = |seen: Observation| assessor.assess(&recipe(), 1, &seen, false, &EntryConditions::default());
    let crash = of(threw("a/Refused", LINE, 1, &[LINE]));
    assert!(crash.is_crash() && crash.grade() == Grade::FullStack && crash.unmatched == 0 && crash.message == 0.0);
    let elsewhere = of(threw("a/Refused", LINE + 1, 1, &[LINE, LINE + 1]));
    assert!(elsewhere.is_thrown_elsewhere && !elsewhere.is_crash());
    // As in the paper: what a parser refuses early is no nearer than what it reads to the end, though it throws the same.
    let early = of(threw("a/Refused", LINE - 1, 1, &[LINE - 1]));
    assert!(!early.is_thrown_elsewhere && early.inwards.frames_to_go == 1);
    let other = of(threw("a/Other", LINE, 1, &[LINE]));
    assert!(!other.is_thrown_elsewhere && other.comparison.is_none() && other.message == FARTHEST_MESSAGE);
    let nearest = [&crash, &elsewhere, &other, &early];
    assert!(nearest.is_sorted_by(|a, b| a.cmp_nearness(b).is_lt()));
}

#[test]
fn what_ends_before_its_last_statement_is_astray() {
    let mut assessor = assessor();
    let seen = threw("a/Refused", LINE, 0, &[LINE]);
    let whole = assessor.assess(&recipe(), 1, &seen, false, &EntryConditions::default());
    assert!(whole.is_cut_short && whole.is_crash(), "the whole crash counts, whoever made it happen");
    let part = assessor.assess(&recipe(), 2, &seen, false, &EntryConditions::default());
    // The trace has one frame, so entering at a second one shows all there is.
    assert_eq!(part.unmatched, 0);
    let wrong = assessor.assess(&recipe(), 1, &threw("a/Other", LINE, 0, &[LINE]), false, &EntryConditions::default());
    assert!(wrong.is_astray() && wrong.grade() == Grade::None && wrong.blocked_at.is_none());
    // Where all statements count, so does what any of them shows.
    let all = assessor.assess(&recipe(), 1, &threw("a/Other", LINE, 0, &[LINE]), true, &EntryConditions::default());
    assert!(!all.is_astray() && all.inwards.frames_to_go == 0);
}

/// `if (a) { .. if (b) throw` on one line: the branches say how far the throw was.
#[test]
fn a_throw_that_was_not_reached_is_as_far_as_its_branches() {
    let at = |bci| CodePoint { method: crash_method(), at: program::InstrId::at(bci) };
    let when = |bci| Anchored { at: at(bci), when: condition::Condition::True };
    let goal = Goal { conditions: vec![when(9)], guards: vec![vec![when(6), when(3)]], ..goal() };
    let seen = |conditions: [Option<f64>; 3]| {
        let seen = Observation { conditions: conditions.to_vec(), ..threw("a/Other", LINE, 1, &[LINE]) };
        let entries = EntryConditions::default();
        let measured = Measuring::new(&goal, 1, &seen, &entries);
        (measured.condition(), measured.throw_site())
    };
    let (inner, outer) = (Some(at(6)), Some(at(3)));
    assert_eq!(seen([Some(0.0), Some(0.0), Some(0.0)]), (0.0, Some(at(9))));
    assert_eq!(seen([None, Some(3.0), Some(0.0)]), (0.375, inner));
    assert_eq!(seen([None, Some(1.0), Some(0.0)]), (0.25, inner));
    assert_eq!(seen([None, None, Some(0.0)]), (0.5, inner));
    assert_eq!(seen([None, None, Some(1.0)]), (0.75, outer));
    assert_eq!(seen([None, Some(0.0), Some(1.0)]), (0.75, outer));
    assert_eq!(seen([None, None, None]), (1.0, outer));
    assert_eq!(seen([None, Some(0.0), Some(0.0)]), (0.25, None));
}

/// What engines derived of a frame is measured behind the goal's own conditions; the nearest alternative counts.
#[test]
fn conditions_of_entries_say_how_near_a_frame_was() {
    let precondition = |frame, slot| crate::Fact {
        id: crate::FactId(0),
        source: "one",
        kind: crate::FactKind::Precondition {
            frame,
            method: crash_method(),
            when: condition::Condition::is_null(condition::Expr::Param(slot)),
        },
        cut: false,
        loose: false,
    };
    let mut entries = EntryConditions::default();
    for fact in [precondition(1, 0), precondition(1, 1), precondition(1, 0), precondition(3, 2)] {
        entries.add(&fact);
    }
    assert_eq!(entries.anchored().count(), 3, "each once");
    let at = CodePoint { method: crash_method(), at: program::InstrId::at(9) };
    let goal = Goal { conditions: vec![Anchored { at, when: condition::Condition::True }], ..goal() };
    let seen = |entry, measured: [Option<f64>; 3]| {
        let conditions = std::iter::once(None).chain(measured).collect();
        let seen = Observation { conditions, ..threw("a/Other", LINE, 1, &[]) };
        let nowhere = Nearness { frames_to_go: 1, missing: 1, line: Default::default() };
        Measuring::new(&goal, entry, &seen, &entries).precondition(nowhere)
    };
    assert_eq!(seen(1, [Some(3.0), Some(1.0), None]), 0.5);
    assert_eq!(seen(1, [Some(0.0), None, None]), 0.0);
    assert_eq!(seen(3, [None, None, Some(1.0)]), 1.5, "frame 1 was not entered, of frame 2 nothing is known");
    assert_eq!(seen(3, [None, None, None]), 3.0);
}
