//! Objects that somebody fills field by field, as mappers of documents and of rows do: a class has a constructor without arguments, and
//! methods that do nothing but set a field.

use super::Catalogue;
use super::members::Usable;
use crate::access::AccessContext;
use crate::callable::CallKind;
use analysis::Lowered;
use ir::{Callee, Op, Rvalue};
use program::{ClassName, FieldRef, MethodRef};
use std::sync::Arc;

/// With fewer of them a class is not one that is filled.
const FEWEST: usize = 2;

impl Catalogue {
    /// The methods that set the fields of such an object, one for each field; none if the class is another one.
    pub fn properties(&self, class: ClassName, from: AccessContext) -> Arc<[Usable]> {
        self.properties.get_or((class, from), || {
            if !self.program.is_application_default(class) || !self.is_made_of_nothing(class) {
                return Arc::default();
            }
            let mut known: Vec<FieldRef> = Vec::new();
            let mut found: Vec<Usable> = Vec::new();
            for usable in self.members(class, from).iter() {
                if let Some(field) = self.set_by(usable).filter(|field| !known.contains(field)) {
                    known.push(field);
                    found.push(usable.clone());
                }
            }
            if found.len() < FEWEST { Arc::default() } else { found.into() }
        })
    }

    fn is_made_of_nothing(&self, class: ClassName) -> bool {
        let class = self.program.class(class);
        class.is_some_and(|class| {
            let mut methods = class.methods.iter();
            !class.access.is_abstract()
                && methods.any(|method| method.is_constructor() && method.reference().signature().params.is_empty())
        })
    }

    /// The field that the method sets to what it is given, if it does nothing else.
    fn set_by(&self, usable: &Usable) -> Option<FieldRef> {
        /// Two loads, a write, a check of the argument and a return.
        const LONGEST_SETTER: u32 = 24;
        let callable = &usable.callable;
        let is_candidate = callable.kind == CallKind::Virtual && callable.params.len() == 1;
        let is_short = || self.code_length(callable.method).is_some_and(|length| length <= LONGEST_SETTER);
        if !is_candidate || !is_short() {
            return None;
        }
        set_by(&*self.methods.look_at(callable.method)?)
    }
}

fn set_by(unit: &Lowered) -> Option<FieldRef> {
    let mut set = None;
    for (_, instr) in unit.body.instrs() {
        match &instr.op {
            Op::PutField { field, .. } if set.is_none() => set = Some(*field),
            Op::Assign(_, Rvalue::Use(_)) | Op::Guard(_) => {}
            Op::Invoke(Callee::Method { method, .. }, _)
            | Op::Assign(_, Rvalue::Invoke(Callee::Method { method, .. }, _))
                if checks_argument(*method) => {}
            _ => return None,
        }
    }
    set.filter(|field| unit.reference().signature().params.first() == Some(&field.field_type()))
}

fn checks_argument(method: MethodRef) -> bool {
    matches!(method.name.as_str(), "requireNonNull" | "checkNotNullParameter" | "checkParameterIsNotNull")
}

#[cfg(test)]
mod tests {
    use crate::testing::program_of;
    use crate::{AccessContext, Catalogue};
    use program::ClassName;

    fn properties(class: &str) -> Vec<&'static str> {
        let catalogue = Catalogue::new(program_of(&["log4j/log4j/1.2.15", "junit/junit/4.13.2"]), &[]);
        let found = catalogue.properties(ClassName::internal(class), AccessContext::public());
        found.iter().map(|usable| usable.callable.method.name.as_str()).collect()
    }

    #[test]
    fn what_only_sets_a_field_is_a_property() {
        assert_eq!(
            properties("org/apache/log4j/HTMLLayout"),
            ["setLocationInfo", "setTitle"],
            "`activateOptions` sets nothing"
        );
    }

    #[test]
    fn who_cannot_be_made_of_nothing_has_none() {
        assert!(properties("org/apache/log4j/Logger").is_empty());
        assert!(properties("java/util/Date").is_empty());
    }
}
