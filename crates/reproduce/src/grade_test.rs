//! What is this test worth, whoever wrote it? Its source is looked at, fresh JVMs run it, and what escaped is compared
//! with the crash; with the fixed program too, if there is one.

use crate::comment;
use crate::fragment;
use crate::judge::{Judgement, judge, judge_fixed};
use crate::run::Crash;
use crate::verdict::{self, Fixed, Unreachable};
use confirm::source::{Cheat, SourceFacts, look_at};
use confirm::{ConfirmError, ConfirmOptions, Confirmation, Confirmer, Setting, TestFile};
use crash_report::Throwable;
use crash_report::compare::{Comparing, Grade, Graded, compare};
use engine::Goal;
use program::{ClassName, Program};
use std::cell::OnceCell;
use target::{CrashTarget, Methods};

/// What came of a test.
#[derive(Clone, Debug)]
pub struct TestVerdict {
    pub judgement: Judgement,
    /// The application frames that there are to match.
    pub frames: usize,
    /// Those that no test can see; not looked for if the test shows them all.
    pub unreachable: Vec<Unreachable>,
    /// What it would be worth if it did not cheat.
    pub would_be: Option<Graded>,
    pub fixed: Option<Fixed>,
    pub facts: SourceFacts,
    /// A class of the program that is in the stack was made by another loader than that of the class path.
    pub brings_classes: bool,
    /// The private or synthetic member of the trace that the test enters by reflection, so that it is a fragment.
    pub entered: Option<String>,
    /// What the test throws that is not as in the log.
    pub differences: Vec<String>,
}

impl TestVerdict {
    /// The grade with all evidence.
    pub fn graded(&self) -> Graded {
        Graded { fixed: self.fixed == Some(Fixed::Passes), ..self.judgement.graded() }
    }

    /// The stack happened again as far as a test can see it, in every run, from where a user of the program can begin, and not with
    /// the fixed program.
    pub fn is_success(&self) -> bool {
        self.judgement.grade.is_full() && self.entered.is_none() && self.fixed.is_none_or(Fixed::is_gone)
    }
}

/// Grades the test. Its files are compiled together; the methods are those of the program that it runs with.
pub fn grade_test(
    test: &[TestFile],
    (crash, methods): (&Crash, &Methods),
    confirmer: &Confirmer,
    (setting, fixed): (&Setting<'_>, Option<&Setting<'_>>),
    options: &ConfirmOptions,
) -> Result<TestVerdict, ConfirmError> {
    let expected = &crash.throwable;
    let facts = look_at(test.iter().map(|file| file.text.as_str()), expected.name());
    let confirmation = confirmer.confirm(test, setting, options)?;
    let goal = OnceCell::new();
    let same_template =
        |depth: usize, actual: &str| goal.get_or_init(|| goal_of(crash, methods)).is_instance(depth, actual);
    let judge = |reachable| judge(&confirmation, expected, (true, reachable), &*crash.is_application, &same_template);
    let mut judgement = judge(None);
    let frames = frames_of(crash);
    let mut unreachable = Vec::new();
    if judgement.grade != Grade::FullStack {
        let target = CrashTarget::derive(expected, methods, &*crash.is_application);
        unreachable = verdict::unreachable(&target);
        judgement = judge(Some(target.reachable() as usize).filter(|_| target.kept.is_some()));
    }
    let mut verdict = TestVerdict {
        differences: comment::differences(expected, &judgement),
        judgement,
        frames,
        unreachable,
        would_be: None,
        fixed: None,
        facts,
        brings_classes: false,
        entered: None,
    };
    let thrown = verdict.judgement.compared();
    let is_test = |class: &str| is_of_test(class, &confirmation);
    let how = (&is_test as &dyn Fn(&str) -> bool, verdict.facts.reflection);
    verdict.entered =
        thrown.and_then(|thrown| fragment::on_stack(thrown, &*crash.is_application, how, setting.program));
    verdict.look_for_means(setting.program);
    verdict.disbelieve(&confirmation);
    if let Some(fixed) = fixed.filter(|_| verdict.judgement.grade > Grade::None) {
        let once = ConfirmOptions { runs: 1, ..options.clone() };
        let confirmation = confirmer.confirm(test, fixed, &once)?;
        let name = verdict.judgement.test.as_deref();
        verdict.fixed = Some(judge_fixed(&confirmation, name, expected, &*crash.is_application));
    }
    Ok(verdict)
}

impl TestVerdict {
    /// A program may replace a stack for good reasons, or load classes of its own again. A test that has the means to do either itself
    /// shows nothing by it.
    fn look_for_means(&mut self, program: &Program) {
        self.brings_classes =
            self.judgement.elsewhere().any(|name| program.class(ClassName::from_dotted(name)).is_some());
        if self.facts.has_means {
            let forged = [
                (self.judgement.has_replaced_stack(), Cheat::MayMakeStack),
                (self.brings_classes, Cheat::MayBringClasses),
            ];
            self.facts.cheats.extend(forged.into_iter().filter(|(there, _)| *there).map(|(_, cheat)| cheat));
        }
    }

    /// A test that makes the exception itself shows nothing.
    fn disbelieve(&mut self, confirmation: &Confirmation) {
        let Some(cheat) = self.facts.cheats.first() else { return };
        if matches!(confirmation, Confirmation::NotCompiled { .. }) {
            return;
        }
        self.would_be = Some(self.graded()).filter(|graded| graded.grade > Grade::None);
        let runs = std::mem::take(&mut self.judgement.runs);
        self.judgement = Judgement { runs, ..Judgement::none(format!("it {}", cheat.describe())) };
    }
}

fn is_of_test(class: &str, confirmation: &Confirmation) -> bool {
    matches!(confirmation, Confirmation::Ran { classes, .. } if classes.iter().any(|own| own == class))
}

fn frames_of(crash: &Crash) -> usize {
    let how = Comparing {
        is_application: &*crash.is_application,
        is_test: &|_| false,
        lines: true,
        reachable: None,
        same_statement: None,
        same_template: None,
    };
    compare(&crash.throwable, &Throwable::default(), &how).exact.of
}

/// Knows the templates of messages; reading them off the bytecode is worth it only if messages differ.
fn goal_of(crash: &Crash, methods: &Methods) -> Goal {
    let target = CrashTarget::derive(&crash.throwable, methods, &*crash.is_application);
    Goal::new(&target, crash.throwable.clone(), methods)
}
