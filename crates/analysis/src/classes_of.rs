//! Of which classes exactly may the object in a variable or a field be? Andersen's question, asked for one place and answered from nearby
//! code alone: values are followed through variables, casts, calls whose target is known and fields that only few methods can write,
//! back to the places that make them. No answer where something comes in from elsewhere, unless whoever asks assumes a class there.

use crate::lowered::{Assignment, Lowered};
use crate::methods::Methods;
use ir::{Callee, Const, InvokeKind, Op, Operand, Rvalue, Terminator};
use program::{ClassName, FieldRef, InstrId, MethodRef, Type};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Fields, calls and variables that one question goes through.
const DEPTH: u8 = 6;
/// Classes in one nest that are searched for writes of a private field.
const MOST_CLASSES: usize = 40;

/// The class that a value of a declared type is taken to be of where nobody can tell.
pub type Assume = fn(ClassName) -> Option<ClassName>;

impl Methods {
    /// The classes of the objects that the operand may be just before `at`, if it is not null; `None` if that cannot be said.
    pub fn classes_of(&self, method: &Lowered, operand: &Operand, at: InstrId) -> Option<BTreeSet<ClassName>> {
        self.likely_classes_of(method, operand, at, |_| None)
    }

    /// The same where values that come in from elsewhere are taken to be of the assumed classes.
    pub fn likely_classes_of(
        &self,
        method: &Lowered,
        operand: &Operand,
        at: InstrId,
        assume: Assume,
    ) -> Option<BTreeSet<ClassName>> {
        Question { methods: self, assume }.of_operand(method, operand, at, DEPTH)
    }
}

struct Question<'m> {
    methods: &'m Methods,
    assume: Assume,
}

impl Question<'_> {
    fn assumed(&self, ty: Option<Type>) -> Option<BTreeSet<ClassName>> {
        ty.and_then(Type::as_class).and_then(self.assume).map(|class| [class].into())
    }

    fn of_operand(&self, method: &Lowered, operand: &Operand, at: InstrId, depth: u8) -> Option<BTreeSet<ClassName>> {
        let var = match operand {
            Operand::Const(Const::Null) => return Some(BTreeSet::new()),
            Operand::Const(value) => return value.ty().and_then(Type::as_class).map(|class| [class].into()),
            Operand::Var(var) => *var,
        };
        let assignments = method.assignments(var, at);
        if assignments.is_empty() {
            return None;
        }
        let mut classes = BTreeSet::new();
        for assignment in assignments {
            classes.extend(match assignment {
                Assignment::Entry => self.assumed(method.body.type_of(operand))?,
                Assignment::At(at, value) => self.of_value(method, value, at, depth.checked_sub(1)?)?,
            });
        }
        Some(classes)
    }

    fn of_value(&self, method: &Lowered, value: &Rvalue, at: InstrId, depth: u8) -> Option<BTreeSet<ClassName>> {
        match value {
            Rvalue::New(class) => Some([*class].into()),
            Rvalue::Use(operand) | Rvalue::Cast(operand, _) => self.of_operand(method, operand, at, depth),
            Rvalue::GetField(_, field) | Rvalue::GetStatic(field) => {
                let known = self.in_field(*field, depth).map(|classes| BTreeSet::clone(&classes));
                known.or_else(|| self.assumed(Some(field.field_type())))
            }
            Rvalue::Invoke(Callee::Method { kind, method: named, .. }, args) => {
                let returned = self.of_call(method, (*kind, *named), args, at, depth);
                returned.or_else(|| self.assumed(named.signature().ret))
            }
            _ => None,
        }
    }

    /// What the methods give that the call runs, where these are known.
    fn of_call(
        &self,
        method: &Lowered,
        (kind, named): (InvokeKind, MethodRef),
        args: &[Operand],
        at: InstrId,
        depth: u8,
    ) -> Option<BTreeSet<ClassName>> {
        let depth = depth.checked_sub(1)?;
        let program = self.methods.program();
        let mut classes = BTreeSet::new();
        let is_dispatched = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        let targets: Vec<MethodRef> = if is_dispatched {
            let receivers = self.of_operand(method, args.first()?, at, depth)?;
            let selected = |class: &ClassName| Some(program.select_virtual(*class, named).found()?.reference());
            receivers.iter().map(selected).collect::<Option<_>>()?
        } else {
            vec![program.resolve_method(named).found()?.reference()]
        };
        for target in targets {
            classes.extend(self.returned(target, depth)?);
        }
        Some(classes)
    }

    fn returned(&self, method: MethodRef, depth: u8) -> Option<BTreeSet<ClassName>> {
        let method = self.methods.look_at(method)?;
        let mut classes = BTreeSet::new();
        for block in &method.body.blocks {
            if let Terminator::Return(Some(value)) = &block.end {
                classes.extend(self.of_operand(&method, value, block.end_id, depth)?);
            }
        }
        Some(classes)
    }

    fn in_field(&self, field: FieldRef, depth: u8) -> Option<Arc<BTreeSet<ClassName>>> {
        let depth = depth.checked_sub(1)?;
        let field = self.methods.declared(field);
        // What was found from further away may not have been found for lack of depth.
        if let Some(known) = self.methods.held.known(&(field, depth)) {
            return known;
        }
        // Without assumptions: who asks next may make others.
        let exact = Question { methods: self.methods, assume: |_| None };
        self.methods.held.get_or((field, depth), || exact.find_held(field, depth).map(Arc::new))
    }

    fn find_held(&self, field: FieldRef, depth: u8) -> Option<BTreeSet<ClassName>> {
        let mut classes = BTreeSet::new();
        for method in self.may_write(field)? {
            let Some(method) = self.methods.look_at(method) else { continue };
            for (_, instr) in method.body.instrs() {
                let (Op::PutField { field: written, value, .. } | Op::PutStatic { field: written, value }) = &instr.op
                else {
                    continue;
                };
                if self.methods.declared(*written) == field {
                    classes.extend(self.of_operand(&method, value, instr.id, depth)?);
                }
            }
        }
        Some(classes)
    }

    /// The methods that the JVM lets write the field, as far as these are few: those of the nest for a private field, of the class
    /// for a final one.
    fn may_write(&self, field: FieldRef) -> Option<Vec<MethodRef>> {
        let program = self.methods.program();
        let class = program.class(field.class)?;
        let declared = class.fields.iter().find(|one| one.name == field.name && one.descriptor == field.descriptor)?;
        let mut classes = vec![class.clone()];
        if declared.access.is_private() {
            let inner = class.inner_classes.iter().map(|entry| entry.inner);
            let nest = inner.chain(class.nest_members.iter().copied()).chain(class.nest_host);
            let nest: BTreeSet<ClassName> = nest.filter(|name| *name != field.class).collect();
            if nest.len() > MOST_CLASSES {
                return None;
            }
            classes.extend(nest.into_iter().filter_map(|name| program.class(name)));
        } else if !declared.access.is_final() {
            return None;
        }
        let code =
            |class: &Arc<program::Class>| class.methods.iter().map(program::Method::reference).collect::<Vec<_>>();
        Some(classes.iter().flat_map(code).collect())
    }
}
