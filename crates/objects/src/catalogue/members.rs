//! Which methods can a test call on an object, or on a class?

use super::Catalogue;
use crate::access::AccessContext;
use crate::callable::{CallKind, Callable};
use program::classfile::Visibility;
use program::{Class, ClassName, MethodRef, Symbol};
use recipe::Access;
use std::sync::Arc;

/// A method that the test can call, with how it is reached.
#[derive(Clone, Debug)]
pub struct Usable {
    pub callable: Arc<Callable>,
    /// The name under which it is called: of the class that was asked for, where the declaring one cannot be named.
    pub name: MethodRef,
    pub access: Access,
}

/// Methods of the JDK that only end, hold up or slow down what calls them: nothing of the program's state comes of them.
const HARMFUL: [(&str, &[&str]); 4] = [
    (
        "java/lang/Thread",
        &["countStackFrames", "destroy", "join", "onSpinWait", "resume", "sleep", "stop", "suspend", "yield"],
    ),
    ("java/lang/ThreadGroup", &["destroy", "interrupt", "resume", "stop", "suspend"]),
    ("java/lang/Runtime", &["exec", "exit", "gc", "halt", "load", "loadLibrary", "runFinalization"]),
    ("java/lang/System", &["exit", "gc", "load", "loadLibrary", "runFinalization", "setSecurityManager"]),
];

fn is_harmful(method: MethodRef) -> bool {
    let listed = HARMFUL.iter().find(|(class, _)| *class == method.class.as_internal());
    listed.is_some_and(|(_, names)| names.contains(&method.name.as_str()))
}

impl Catalogue {
    /// The methods that can be called on a value of the class, inherited ones included; those of `Object`, static ones and
    /// reflection left out. Sorted by class and name.
    pub fn members(&self, class: ClassName, from: AccessContext) -> Arc<[Usable]> {
        self.members.get_or((class, from), || self.find_members(class, from).into())
    }

    /// The static methods and constructors that a test can call on the class without reflection, sorted.
    pub fn static_members(&self, class: ClassName, from: AccessContext) -> Vec<Usable> {
        let Some(declaring) = self.program.class(class) else { return Vec::new() };
        let methods = declaring.methods.iter().filter(|method| {
            let is_candidate =
                method.access.is_static() || (method.is_constructor() && !declaring.access.is_abstract());
            is_candidate
                && !method.access.is_synthetic()
                && !method.is_static_initialiser()
                && !declaring.access.is_enum()
        });
        let harmless = methods.filter(|method| !is_harmful(method.reference()));
        let usable = harmless.filter_map(|method| {
            let access = from.member(&self.program, &declaring, method.access.visibility())?;
            Some(Usable { callable: self.callable(method.reference())?, name: method.reference(), access })
        });
        usable.filter(|usable| usable.access != Access::Reflective).collect()
    }

    fn find_members(&self, class: ClassName, from: AccessContext) -> Vec<Usable> {
        let mut found: Vec<Usable> = Vec::new();
        let mut seen: Vec<(Symbol, Symbol)> = Vec::new();
        for name in std::iter::once(class).chain(self.program.supertypes(class).0) {
            let Some(declaring) = self.program.class(name).filter(|_| name != ClassName::object()) else { continue };
            for method in &declaring.methods {
                let is_seen = seen.contains(&(method.name, method.descriptor));
                if method.access.is_synthetic() || is_seen || is_harmful(method.reference()) {
                    continue;
                }
                let Some(callable) =
                    self.callable(method.reference()).filter(|callable| callable.kind == CallKind::Virtual)
                else {
                    continue;
                };
                let Some((name, access)) = self.name_of_inherited(class, &declaring, &callable, from) else { continue };
                seen.push((method.name, method.descriptor));
                found.push(Usable { callable, name, access });
            }
        }
        found.sort_by_key(|usable| usable.callable.method);
        found
    }

    /// A public method of a class that the test cannot name is called under the class that inherits it, as compilers do.
    fn name_of_inherited(
        &self,
        class: ClassName,
        declaring: &Class,
        callable: &Callable,
        from: AccessContext,
    ) -> Option<(MethodRef, Access)> {
        let direct = |access: &Access| *access != Access::Reflective;
        if let Some(access) = from.member(&self.program, declaring, callable.visibility).filter(direct) {
            return Some((callable.method, access));
        }
        let inheriting = self.program.class(class).filter(|_| callable.visibility == Visibility::Public)?;
        let access = from.class(&self.program, &inheriting).filter(direct)?;
        Some((MethodRef { class, ..callable.method }, access))
    }
}

#[cfg(test)]
mod tests {
    use crate::AccessContext;
    use crate::Catalogue;
    use crate::testing::program_of;
    use program::ClassName;

    #[test]
    fn a_thread_may_be_named_but_not_suspended() {
        let catalogue = Catalogue::new(program_of(&["commons-collections/commons-collections/3.1"]), &[]);
        let members = catalogue.members(ClassName::internal("java/lang/Thread"), AccessContext::public());
        let has = |name: &str| members.iter().any(|member| member.callable.method.name.as_str() == name);
        assert!(has("setName") && has("interrupt"));
        assert!(!has("suspend") && !has("stop") && !has("join"));
    }
}
