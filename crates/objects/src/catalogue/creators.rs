//! Who makes instances of a class whose constructors the test cannot call? Finds the methods that construct it and return it,
//! and the static fields that hold it, although their declared types are only supertypes. That is how private nested classes,
//! anonymous classes and decorators with a factory method are reached.

use super::Catalogue;
use program::classfile::{FieldOp, InvokeOp, Kind};
use program::{Class, ClassName, FieldRef, Instruction, Method, MethodRef, Type};

/// A place where an instance of the class comes to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Creation {
    pub keeper: Keeper,
    /// The instance certainly is what the keeper gives, as far as a look at the code around the construction tells.
    pub certain: bool,
}

/// Where a fresh instance goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keeper {
    /// The method returns it, under a supertype.
    Returned(MethodRef),
    StaticField(FieldRef),
    /// The method makes it and uses it otherwise.
    Used(MethodRef),
}

impl Catalogue {
    /// Where instances of exactly this class are constructed, sorted; calls from the class's own constructors and from
    /// subclasses left out.
    pub fn creations(&self, class: ClassName) -> std::sync::Arc<[Creation]> {
        self.creations.get_or(class, || self.find_creations(class).into())
    }

    fn find_creations(&self, name: ClassName) -> Vec<Creation> {
        let Some(class) = self.program.class(name) else { return Vec::new() };
        let mut found: Vec<Creation> = Vec::new();
        for constructor in class.methods.iter().filter(|method| method.is_constructor()) {
            let mut callers: Vec<MethodRef> =
                self.callers(constructor.reference()).iter().map(|site| site.caller).collect();
            callers.dedup();
            for caller in callers {
                let Some(method) = self.program.declared_method(caller) else { continue };
                found.extend(self.creations_in(&method, name));
            }
        }
        found.sort_unstable_by_key(|creation| (!creation.certain, creation.keeper));
        found.dedup_by_key(|creation| creation.keeper);
        found
    }

    /// Follows each fresh instance for one step: returned, put into a static field, or stored in a variable that is returned.
    fn creations_in(&self, method: &Method, class: ClassName) -> Vec<Creation> {
        let Some(code) = method.readable_code() else { return Vec::new() };
        let instructions: Vec<Instruction> =
            code.instructions().flatten().map(|(_, instruction)| instruction).collect();
        if !instructions.contains(&Instruction::New(Type::Class(class))) {
            return Vec::new();
        }
        let ret = method.reference().signature().ret;
        let may_return = ret.is_some_and(|ret| self.is_assignable(Type::Class(class), ret));
        let mut found = Vec::new();
        for (at, instruction) in instructions.iter().enumerate() {
            if !constructs(instruction, class) {
                continue;
            }
            let keeper = match instructions.get(at + 1) {
                Some(Instruction::Return(Some(_))) => Some((Keeper::Returned(method.reference()), true)),
                Some(Instruction::Field { op: FieldOp::PutStatic, field }) => Some((Keeper::StaticField(*field), true)),
                Some(Instruction::Field { op: FieldOp::PutField, field }) => {
                    self.getter_of(*field).map(|getter| (Keeper::Returned(getter), true))
                }
                Some(Instruction::Store(Kind::Reference, slot)) if may_return && is_returned(&instructions, *slot) => {
                    Some((Keeper::Returned(method.reference()), true))
                }
                _ => may_return.then_some((Keeper::Returned(method.reference()), false)),
            };
            let (keeper, certain) = keeper.unwrap_or((Keeper::Used(method.reference()), false));
            found.push(Creation { keeper, certain });
        }
        found
    }
}

fn constructs(instruction: &Instruction, class: ClassName) -> bool {
    matches!(instruction, Instruction::Invoke { op: InvokeOp::Special, callee }
        if callee.method.class == class && callee.method.is_constructor())
}

fn is_returned(instructions: &[Instruction], slot: u16) -> bool {
    instructions.windows(2).any(|pair| {
        pair[0] == Instruction::Load(Kind::Reference, slot) && pair[1] == Instruction::Return(Some(Kind::Reference))
    })
}

impl Catalogue {
    /// A method without parameters of the field's class that just gives the field.
    fn getter_of(&self, field: FieldRef) -> Option<MethodRef> {
        let class = self.program.class(field.class)?;
        let wanted = Instruction::Field { op: FieldOp::GetField, field };
        let getter = class.methods.iter().find(|method| {
            let instructions = method.readable_code().into_iter().flat_map(|code| code.instructions()).flatten();
            let mut body = instructions.map(|(_, instruction)| instruction).skip(1);
            method.descriptor.as_str().starts_with("()")
                && !method.access.is_synthetic()
                && body.next().as_ref() == Some(&wanted)
                && body.next() == Some(Instruction::Return(Some(Kind::Reference)))
        });
        getter.map(Method::reference)
    }
}

/// How a test can call one of the class's constructors, the best of them.
pub(super) fn constructor_access(catalogue: &Catalogue, class: &Class, from: crate::Vantage) -> Option<recipe::Access> {
    let constructors = class.methods.iter().filter(|method| method.is_constructor() && !method.access.is_synthetic());
    let access =
        constructors.filter_map(|constructor| from.member(&catalogue.program, class, constructor.access.visibility()));
    access.min()
}
