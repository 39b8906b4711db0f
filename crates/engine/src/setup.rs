//! What engines are made from, and how they are found by name.

use crate::assessor::IsApplication;
use crate::goal::Goal;
use crate::{Engine, EngineName};
use objects::Catalogue;
use program::{CodePoint, MethodRef, Program};
use std::fmt;
use std::sync::Arc;
use target::CrashTarget;

/// All that is known of a crash before anything was tried.
#[derive(Clone)]
pub struct Setup {
    pub target: Arc<CrashTarget>,
    pub goal: Arc<Goal>,
    pub program: Arc<Program>,
    /// What objects can be made of.
    pub catalogue: Arc<Catalogue>,
    pub is_application: IsApplication,
    /// What the log says before the trace; empty if nothing.
    pub before: String,
    pub seed: u64,
    /// The budget is counted in candidates: the same seed has to give the same candidates, however fast the machine is.
    pub is_counted: bool,
    /// Where the run that crashed is known to have been, in the order in which it was there; empty if nothing was recorded.
    pub waypoints: Vec<Waypoint>,
}

/// A place that the run that crashed came through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waypoint {
    /// The instruction was executed: a call, or where a branch led.
    At(CodePoint),
    /// The method was entered.
    Entry(MethodRef),
    /// The conditional jump was taken or not.
    Branch { at: CodePoint, taken: bool },
    /// The call there, or the field that is read there, gave this.
    Returned { at: CodePoint, value: Recorded },
    /// The method was given this in the local variable.
    Parameter { of: MethodRef, slot: u16, value: Recorded },
    /// What comes next is known, what came in between is not.
    Gap,
}

/// What was recorded of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    Null,
    NotNull,
    /// An integer, from the first to the second.
    Integer(i64, i64),
    /// A text or an array with so many units or elements.
    Length(u32),
    Text(String),
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("goal", &self.goal).field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// An engine with the user's settings, ready to be made for any crash.
pub trait Factory: fmt::Debug + Send + Sync {
    fn name(&self) -> EngineName;
    fn make(&self, setup: &Setup) -> Box<dyn Engine>;

    /// Whether it thinks for long and gives way to other engines, where there are some: what they run is not to wait for it.
    fn gives_way(&self) -> bool {
        false
    }

    /// What this machine has not got, without which it does less; in words, with how to get it.
    fn lacks(&self) -> Option<String> {
        None
    }

    /// Whether it has an [`Engine::more_natural`] of its own. Whoever has none is not asked, since whoever is asked is waited for.
    fn makes_natural(&self) -> bool {
        false
    }

    /// The engine as one of all, where the user asked for none in particular; none if that makes no difference to it.
    fn among_all(&self) -> Option<Arc<dyn Factory>> {
        None
    }
}

/// An engine that the tool has.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    pub name: EngineName,
    /// One line for people who choose.
    pub about: &'static str,
    /// With settings as text, in the engine's own language; empty for the usual ones. What is wrong with them is said.
    pub configure: fn(&str) -> Result<Arc<dyn Factory>, String>,
}

/// The engines to choose from, in the order in which their candidates are run.
#[derive(Clone, Debug)]
pub struct Registry(Vec<Registration>);

/// Stands for all engines.
pub const AUTO: &str = "auto";

impl Registry {
    pub fn new(engines: impl IntoIterator<Item = Registration>) -> Registry {
        Registry(engines.into_iter().collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = &Registration> {
        self.0.iter()
    }

    pub fn get(&self, name: &str) -> Option<&Registration> {
        self.iter().find(|engine| engine.name == name)
    }

    /// Whether there is such an engine, or what there is instead.
    pub fn check(&self, name: &str) -> Result<(), String> {
        if name == AUTO || self.get(name).is_some() {
            return Ok(());
        }
        let known: Vec<String> = self.iter().map(|engine| format!("`{}`", engine.name)).collect();
        Err(format!("there is no engine `{name}`; there are {}, and `{AUTO}` for all of them", known.join(", ")))
    }

    /// The engines of these names, each once, in the registry's order; `settings` has the user's text for some of them.
    pub fn choose(
        &self,
        names: &[impl AsRef<str>],
        settings: &dyn Fn(EngineName) -> String,
    ) -> Result<Vec<Arc<dyn Factory>>, String> {
        names.iter().try_for_each(|name| self.check(name.as_ref()))?;
        let is_chosen = |engine: &&Registration| names.iter().any(|name| [AUTO, engine.name].contains(&name.as_ref()));
        let configured = |engine: &Registration| {
            let factory = (engine.configure)(&settings(engine.name))?;
            let is_named = names.iter().any(|name| name.as_ref() == engine.name);
            Ok(factory.among_all().filter(|_| !is_named).unwrap_or(factory))
        };
        self.iter().filter(is_chosen).map(configured).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Named(EngineName);

    impl Factory for Named {
        fn name(&self) -> EngineName {
            self.0
        }

        fn make(&self, _: &Setup) -> Box<dyn Engine> {
            unreachable!("nothing is made here")
        }
    }

    fn registry() -> Registry {
        let one = Registration { name: "one", about: "", configure: |_| Ok(Arc::new(Named("one"))) };
        let strict = |text: &str| match text {
            "" => Ok(Arc::new(Named("two")) as Arc<dyn Factory>),
            other => Err(format!("`{other}` is no setting")),
        };
        Registry::new([one, Registration { name: "two", about: "", configure: strict }])
    }

    fn chosen(names: &[&str]) -> Result<Vec<EngineName>, String> {
        let chosen = registry().choose(names, &|_| String::new())?;
        Ok(chosen.iter().map(|factory| factory.name()).collect())
    }

    #[test]
    fn engines_are_chosen_by_name_each_once_in_their_order() {
        assert_eq!(chosen(&["auto"]), Ok(vec!["one", "two"]));
        assert_eq!(chosen(&["two", "one", "two"]), Ok(vec!["one", "two"]));
        assert_eq!(chosen(&["two"]), Ok(vec!["two"]));
    }

    #[test]
    fn an_unknown_engine_is_named_with_those_there_are() {
        let error = chosen(&["one", "three"]).unwrap_err();
        assert_eq!(error, "there is no engine `three`; there are `one`, `two`, and `auto` for all of them");
    }

    #[test]
    fn wrong_settings_are_the_engines_to_refuse() {
        let error = registry().choose(&["auto"], &|_| "odd".into()).unwrap_err();
        assert_eq!(error, "`odd` is no setting");
    }
}
