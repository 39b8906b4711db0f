//! An exception as the recording keeps it. Nothing of the program's is asked that printing the exception would not ask: its causes, and
//! its message where messages may be kept.

use jvm::{Env, JvmError, Kinds, Local, StackElement, Stacks};
use recording::{Crash, Redaction, Relation, Thrown};

/// Exceptions of one crash that are kept, and frames of one exception.
const EXCEPTION_LIMIT: usize = 32;
const FRAME_LIMIT: usize = 1024;

#[derive(Debug)]
pub(crate) struct Describer {
    kinds: Kinds,
    stacks: Stacks,
    null_pointer: jvm::Class,
}

impl Describer {
    pub(crate) fn new(env: &Env<'_>) -> Result<Describer, JvmError> {
        let stacks = Stacks::find(env);
        let stacks = stacks.ok_or(JvmError::Java { what: "stack traces".into(), thrown: "other fields".into() })?;
        Ok(Describer {
            kinds: Kinds::find(env)?,
            stacks,
            null_pointer: env.find_class("java/lang/NullPointerException")?,
        })
    }

    pub(crate) fn crash(
        &self,
        env: &Env<'_>,
        thrown: &Local<'_>,
        thread: Option<&Local<'_>>,
        (redact, is_just_made): (Redaction, bool),
    ) -> Crash {
        let mut crash = Crash::default();
        if redact == Redaction::Off {
            crash.thread = thread.and_then(|thread| self.thread_name(env, thread));
        }
        let mut walk = Walk { describer: self, env, redact, is_just_made, crash, seen: Vec::new() };
        walk.chain(thrown, Relation::Root, 0, &[]);
        std::mem::take(&mut walk.crash)
    }

    fn thread_name(&self, env: &Env<'_>, thread: &Local<'_>) -> Option<String> {
        let class = env.find_class("java/lang/Thread").ok()?;
        thread.call(class, c"getName", c"()Ljava/lang/String;")?.string(&self.kinds)
    }

    fn frames(&self, env: &Env<'_>, thrown: &Local<'_>) -> Vec<String> {
        let Some(stack) = self.stacks.told(env, thrown) else { return Vec::new() };
        let elements = stack.elements(&self.kinds).take(FRAME_LIMIT);
        elements.filter_map(|element| Some(frame(&self.stacks.element(env, &element?, &self.kinds)?))).collect()
    }

    /// Strictly, only a message that the VM makes of the code itself: of a null pointer exception without one of its own.
    fn message(&self, thrown: &Local<'_>, class: &str, (redact, is_just_made): (Redaction, bool)) -> Option<String> {
        let throwable = self.stacks.throwable();
        let text = |text: Local<'_>| text.string(&self.kinds);
        if redact == Redaction::Off && is_just_made {
            return thrown.held(throwable, c"detailMessage", c"Ljava/lang/String;").and_then(text);
        }
        if redact == Redaction::Off {
            return thrown.call(throwable, c"getLocalizedMessage", c"()Ljava/lang/String;").and_then(text);
        }
        let has_own = thrown.held(throwable, c"detailMessage", c"Ljava/lang/String;").is_some();
        if class != "java.lang.NullPointerException" || has_own {
            return None;
        }
        thrown.call(self.null_pointer, c"getMessage", c"()Ljava/lang/String;").and_then(text)
    }
}

struct Walk<'a, 'vm> {
    describer: &'a Describer,
    env: &'a Env<'vm>,
    redact: Redaction,
    /// Of an object that is not made yet no method is called that its class may have.
    is_just_made: bool,
    crash: Crash,
    seen: Vec<jvm::Global>,
}

impl Walk<'_, '_> {
    /// An exception, those that it suppressed, and its cause in turn; `outer` are the frames of the one that it belongs to.
    fn chain(&mut self, thrown: &Local<'_>, relation: Relation, depth: u8, outer: &[String]) {
        if self.crash.exceptions.len() >= EXCEPTION_LIMIT || self.is_known(thrown) {
            return;
        }
        let throwable = self.describer.stacks.throwable();
        let class = thrown.class_name(&self.describer.kinds).unwrap_or_else(|| "java.lang.Throwable".into());
        let is_just_made = self.is_just_made && relation == Relation::Root;
        let all = self.describer.frames(self.env, thrown);
        let common = all.iter().rev().zip(outer.iter().rev()).take_while(|(one, other)| one == other).count();
        self.crash.exceptions.push(Thrown {
            relation,
            depth,
            message: self.describer.message(thrown, &class, (self.redact, is_just_made)),
            class,
            frames: all[..all.len() - common].to_vec(),
            in_common: common as u32,
        });
        if is_just_made {
            if let Some(cause) = thrown.held(throwable, c"cause", c"Ljava/lang/Throwable;") {
                self.chain(&cause, Relation::Cause, depth, &all);
            }
            return;
        }
        if let Some(suppressed) = thrown.call(throwable, c"getSuppressed", c"()[Ljava/lang/Throwable;") {
            for one in suppressed.elements(&self.describer.kinds).take(EXCEPTION_LIMIT).flatten() {
                self.chain(&one, Relation::Suppressed, depth.saturating_add(1), &all);
            }
        }
        if let Some(cause) = thrown.call(throwable, c"getCause", c"()Ljava/lang/Throwable;") {
            self.chain(&cause, Relation::Cause, depth, &all);
        }
    }

    fn is_known(&mut self, thrown: &Local<'_>) -> bool {
        let known = self.seen.iter().any(|one| self.env.reference(*one).is_some_and(|one| one.is_same(thrown)));
        self.seen.extend(thrown.global());
        known
    }
}

impl Drop for Walk<'_, '_> {
    fn drop(&mut self) {
        self.seen.iter().for_each(|object| self.env.delete(*object));
    }
}

/// As `StackTraceElement` prints itself, without modules and loaders.
fn frame(element: &StackElement) -> String {
    let place = match (&element.file, element.line) {
        (_, -2) => "Native Method".to_owned(),
        (Some(file), line) if line >= 0 => format!("{file}:{line}"),
        (Some(file), _) => file.clone(),
        (None, _) => "Unknown Source".to_owned(),
    };
    format!("{}.{}({place})", element.class, element.method)
}
