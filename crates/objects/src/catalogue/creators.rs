//! Who makes instances of a class whose constructors the test cannot call? Finds the methods that construct it and return it,
//! and the static fields that hold it, although their declared types are only supertypes. That is how private nested classes,
//! anonymous classes and decorators with a factory method are reached.

use super::Catalogue;
use analysis::{Lowered, Sink};
use program::{Class, ClassName, FieldRef, Method, MethodRef, Type};

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
                let Some(method) = self.methods.look_at(caller) else { continue };
                found.extend(self.creations_in(&method, name));
            }
        }
        found.sort_unstable_by_key(|creation| (!creation.certain, creation.keeper));
        found.dedup_by_key(|creation| creation.keeper);
        found
    }

    /// Follows each new instance through variables and casts to where it is returned or put into a field.
    fn creations_in(&self, method: &Lowered, class: ClassName) -> Vec<Creation> {
        let reference = method.reference();
        let may_return = reference.signature().ret.is_some_and(|ret| self.is_assignable(Type::Class(class), ret));
        let mut found = Vec::new();
        for made in method.instances_of(class) {
            let kept = method.sinks(made).into_iter().filter_map(|sink| match sink {
                Sink::Returned => Some(Keeper::Returned(reference)),
                Sink::Static(field) => Some(Keeper::StaticField(field)),
                Sink::Field(field) => self.getter_of(field).map(Keeper::Returned),
            });
            let kept: Vec<Creation> = kept.map(|keeper| Creation { keeper, certain: true }).collect();
            if kept.is_empty() {
                let keeper = if may_return { Keeper::Returned(reference) } else { Keeper::Used(reference) };
                found.push(Creation { keeper, certain: false });
            }
            found.extend(kept);
        }
        found
    }

    /// A method without parameters of the field's class that just gives the field.
    fn getter_of(&self, field: FieldRef) -> Option<MethodRef> {
        let class = self.program.class(field.class)?;
        let gives = |method: &&Method| {
            method.descriptor.as_str().starts_with("()")
                && !method.access.is_synthetic()
                && self.methods.look_at(method.reference()).is_some_and(|unit| unit.is_getter_of(field))
        };
        class.methods.iter().find(gives).map(Method::reference)
    }
}

/// How a test can call one of the class's constructors, the best of them.
pub(super) fn constructor_access(
    catalogue: &Catalogue,
    class: &Class,
    from: crate::AccessContext,
) -> Option<recipe::Access> {
    let constructors = class.methods.iter().filter(|method| method.is_constructor() && !method.access.is_synthetic());
    let access =
        constructors.filter_map(|constructor| from.member(&catalogue.program, class, constructor.access.visibility()));
    access.min()
}
