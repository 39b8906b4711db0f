//! How can a test make a method run? By calling it, or by calling something that leads to it: a public caller of a private
//! method, the method that makes the lambda or anonymous class, anything that initialises the class.
//!
//! Found on the callers index, shortest path first, bounded. Whether the call really gets there depends on values and is the
//! search's business.

use super::{Catalogue, Keeper};
use crate::access::AccessContext;
use crate::callable::{CallKind, Callable};
use program::{ClassName, FieldRef, MethodRef, Type};
use recipe::Access;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// One way into a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub point: EntryPoint,
    pub access: Access,
    /// What is then called on the way, from what the test calls down to the method itself.
    pub path: Vec<MethodRef>,
    pub weight: f64,
}

/// What the test does to get in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPoint {
    Call(MethodRef),
    /// Calls a method and then this one on what it gives: a lambda, an object of an anonymous class.
    CallOnResult(MethodRef, MethodRef),
    /// Reads a static field, which initialises the class.
    Field(FieldRef),
}

impl Catalogue {
    /// The ways into the method, the most promising first.
    pub fn entries(&self, method: MethodRef, from: AccessContext) -> Arc<[Entry]> {
        self.entries.get_or((method, from), || Walk::new(self, from).entries(method).into())
    }

    /// How the test reaches the method itself; `None` if it cannot, or has no object to call it on.
    pub fn direct_access(&self, method: MethodRef, from: AccessContext) -> Option<Access> {
        let callable = self.callable(method)?;
        let class = self.program.class(method.class)?;
        match callable.kind {
            CallKind::Static if !method.is_static_initialiser() => {
                from.member(&self.program, &class, callable.visibility)
            }
            CallKind::Constructor if !class.access.is_abstract() && !class.access.is_enum() => {
                from.member(&self.program, &class, callable.visibility)
            }
            CallKind::Virtual => self.access_through_receiver(&callable, from),
            CallKind::Static | CallKind::Constructor => None,
        }
    }

    fn access_through_receiver(&self, callable: &Callable, from: AccessContext) -> Option<Access> {
        let method = callable.method;
        let owners = self.owners(method);
        // A method of an abstract class or interface also runs on an object of the test.
        let own = (!callable.is_abstract).then_some(&method.class).filter(|_| owners.is_empty());
        let types = owners.iter().chain(own).flat_map(|owner| {
            let ways = self.ways(Type::Class(*owner), from);
            let yields: Vec<Type> = ways.iter().map(|way| way.yields).take(4).collect();
            yields
        });
        types.filter_map(|on| self.name_for(method, on, from)).map(|(_, access)| access).min()
    }
}

struct Walk<'a> {
    catalogue: &'a Catalogue,
    from: AccessContext,
    seen: FxHashSet<MethodRef>,
    found: Vec<Entry>,
}

impl<'a> Walk<'a> {
    fn new(catalogue: &'a Catalogue, from: AccessContext) -> Self {
        Walk { catalogue, from, seen: FxHashSet::default(), found: Vec::new() }
    }

    fn entries(mut self, target: MethodRef) -> Vec<Entry> {
        let weights = &self.catalogue.policy.entries;
        let mut level = vec![vec![target]];
        self.seen.insert(target);
        for _ in 0..weights.depth {
            let mut next = Vec::new();
            for path in level {
                if !self.stop_at(&path) {
                    next.extend(self.longer(&path));
                }
            }
            level = next;
            if level.is_empty() || self.found.len() >= weights.most || self.seen.len() >= weights.visited {
                break;
            }
        }
        // Stable: shorter paths were found first.
        self.found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        self.found.truncate(weights.most);
        self.found
    }

    /// Notes the entries at the path's first method; true if there is no need to look at its callers.
    fn stop_at(&mut self, path: &[MethodRef]) -> bool {
        let head = path[0];
        if head.is_static_initialiser() {
            self.initialisers(head.class, path);
            return true;
        }
        let Some(access) = self.catalogue.direct_access(head, self.from) else { return false };
        let call = self.price(head, access, path.len());
        self.found.push(Entry { point: EntryPoint::Call(head), access, path: path.to_vec(), weight: call });
        if path.len() > 1 {
            self.on_result(head, path, access, call);
        }
        // Protected and package-private methods are often reached more naturally through a public one.
        access == Access::Public
    }

    /// Something that the method gives back may have to be called before the rest of the path runs.
    fn on_result(&mut self, head: MethodRef, path: &[MethodRef], access: Access, weight: f64) {
        let Some(Type::Class(given)) = head.signature().ret else { return };
        let Some(class) = self.catalogue.program.class(given).filter(|class| class.is_interface()) else { return };
        let is_lambda_body = path[1].name.as_str().starts_with("lambda$");
        if !is_lambda_body {
            return;
        }
        for (stub, _) in self.catalogue.stubs(&class, self.from) {
            let [only] = &*stub.methods else { continue };
            let point = EntryPoint::CallOnResult(head, only.method);
            let weight = self.catalogue.policy.entries.on_result * weight;
            self.found.push(Entry { point, access, path: path.to_vec(), weight });
        }
    }

    /// Paths that begin one call earlier.
    fn longer(&mut self, path: &[MethodRef]) -> Vec<Vec<MethodRef>> {
        let head = path[0];
        let mut before: Vec<MethodRef> = self.catalogue.callers(head).iter().map(|site| site.caller).collect();
        before.extend(self.users_of_hidden(head));
        before.sort_by_cached_key(|caller| (caller.package_distance(head), *caller));
        before.dedup();
        let most = self.catalogue.policy.entries.visited;
        before.retain(|caller| self.seen.len() < most && self.seen.insert(*caller));
        before.into_iter().map(|caller| std::iter::once(caller).chain(path.iter().copied()).collect()).collect()
    }

    /// Methods that make an object of a class that only they know, and use it: they are likely to call it.
    fn users_of_hidden(&self, method: MethodRef) -> Vec<MethodRef> {
        let program = &self.catalogue.program;
        let hidden = program.class(method.class).is_some_and(|class| self.from.class(program, &class).is_none());
        if !hidden || method.is_constructor() {
            return Vec::new();
        }
        let creations = self.catalogue.creations(method.class);
        let users = creations.iter().filter_map(|creation| match creation.keeper {
            Keeper::Used(user) | Keeper::Returned(user) => Some(user),
            Keeper::StaticField(_) => None,
        });
        users.collect()
    }

    /// Whatever touches the class first runs its initialiser.
    fn initialisers(&mut self, class: ClassName, path: &[MethodRef]) {
        let Some(declaring) = self.catalogue.program.class(class) else { return };
        for field in declaring.fields.iter().filter(|field| field.access.is_static() && !field.access.is_synthetic()) {
            let is_constant = field.constant_value().is_ok_and(|value| value.is_some());
            let access = self.from.member(&self.catalogue.program, &declaring, field.access.visibility());
            if let (false, Some(access)) = (is_constant, access) {
                let weight = self.catalogue.policy.entries.static_field * self.factor(access);
                self.found.push(Entry {
                    point: EntryPoint::Field(field.reference()),
                    access,
                    path: path.to_vec(),
                    weight,
                });
            }
        }
        for member in self.catalogue.static_members(class, self.from) {
            let method = member.callable.method;
            let weight = self.price(method, member.access, path.len());
            self.found.push(Entry {
                point: EntryPoint::Call(method),
                access: member.access,
                path: path.to_vec(),
                weight,
            });
        }
    }

    fn price(&self, method: MethodRef, access: Access, length: usize) -> f64 {
        let weights = &self.catalogue.policy.entries;
        let cost = |ty: Type| self.catalogue.cost(ty, self.from).unwrap_or(weights.unknown_argument);
        let params = self
            .catalogue
            .callable(method)
            .map_or(0, |callable| callable.params.iter().map(|param| cost(param.ty)).sum::<u32>());
        let counted = params.min(weights.arguments_counted);
        self.factor(access) * weights.each_call.powi(length as i32) * weights.each_argument.powi(counted as i32)
    }

    fn factor(&self, access: Access) -> f64 {
        let weights = &self.catalogue.policy.entries;
        match access {
            Access::Public => 1.0,
            Access::Package => weights.package,
            Access::Reflective => weights.reflective,
        }
    }
}

trait PackageDistance {
    fn package_distance(self, other: Self) -> u8;
}

impl PackageDistance for MethodRef {
    /// Callers in the same class are the most natural, then those of the same package.
    fn package_distance(self, other: MethodRef) -> u8 {
        match () {
            () if self.class == other.class => 0,
            () if self.class.package() == other.class.package() => 1,
            () => 2,
        }
    }
}
