//! What is said when the tool could not run: one message that names the thing, and the next step. Exit status 2.

use crate::terminal;
use serde::Serialize;
use std::process::ExitCode;

#[derive(Debug)]
pub(crate) struct Failure {
    /// Its name for scripts, where it has one.
    pub(crate) reason: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure { reason: None, message: message.into(), hint: None }
    }

    pub(crate) fn reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The message with the whole chain of causes.
    pub(crate) fn from_error(error: &dyn std::error::Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Failure::new(message)
    }

    /// For people on standard error; for scripts, which read JSON, also as the last line of standard output.
    pub(crate) fn report_with_event(&self, json: bool) -> ExitCode {
        self.report();
        self.as_event(json)
    }

    /// What scripts get, if there is one: `"event": "error"`.
    pub(crate) fn as_event(&self, json: bool) -> ExitCode {
        let Failure { reason, message, hint } = self;
        let event = Event { schema: crate::SCHEMA, event: "error", reason: *reason, message, hint: hint.as_deref() };
        if let (true, Ok(line)) = (json, serde_json::to_string(&event)) {
            terminal::print_json(&line);
        }
        ExitCode::from(2)
    }

    pub(crate) fn report(&self) -> ExitCode {
        let reason = self.reason.map_or_else(String::new, |reason| format!("{reason}: "));
        terminal::say(&format!("error: {reason}{}", self.message));
        if let Some(hint) = &self.hint {
            terminal::say(&format!("\nhint: {hint}"));
        }
        ExitCode::from(2)
    }
}

#[derive(Serialize)]
struct Event<'a> {
    schema: u32,
    event: &'static str,
    reason: Option<&'static str>,
    message: &'a str,
    hint: Option<&'a str>,
}

impl From<program::ProgramError> for Failure {
    fn from(error: program::ProgramError) -> Self {
        Failure::from_error(&error).hint(error.hint())
    }
}
