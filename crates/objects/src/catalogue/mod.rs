//! How can I get a value of type T? The catalogue answers from class files alone: constructors, factories, static fields,
//! enum constants, methods of other objects, concrete subtypes, creators of hidden classes, collections, streams and files.
//!
//! Answers are remembered and shared between threads. They depend on the program and the [`AccessContext`] only, never on the
//! order of questions, so that the same seed gives the same recipes. What works in the run is the [`MemberStatistics`](crate::MemberStatistics)'s
//! to say.

mod annotations;
mod collect;
mod cost;
mod creators;
mod databases;
mod dispatch;
mod entries;
mod found;
mod jdk;
mod members;
mod properties;
mod stub;
mod token;
mod vocabulary;
mod way;

pub use annotations::{AnnotationType, Element, Targets};
pub use creators::{Creation, Keeper};
pub use entries::{Entry, EntryPoint};
pub use found::{Found, Holder, Reader};
pub use members::Usable;
pub use stub::{Stub, StubForm, is_of_object};
pub(crate) use vocabulary::read_by;
pub use way::{How, Reflected, Way};

use crate::access::AccessContext;
use crate::callable::{CallKind, Callable};
use crate::memo::Memo;
use crate::mine;
use crate::producers::Producers;
use crate::shapes::Shape;
use crate::usage::{self, Usage};
use analysis::{Lowered, Methods};
use policy::Policy;
use program::classfile::signature::ClassSignature;
use program::{CallSite, ClassName, FieldRef, MethodRef, Nearness, Program, Type};
use recipe::{Access, JavaString, Subtyping};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use vocabulary::OwnWords;

#[derive(Debug)]
pub struct Catalogue {
    program: Arc<Program>,
    methods: Arc<Methods>,
    policy: &'static Policy,
    /// The program with code beside it that shows how it is used: the user's own tests.
    examples: Option<Methods>,
    producers: OnceLock<Producers>,
    near: Vec<ClassName>,
    nearness: OnceLock<Views>,
    examples_nearness: OnceLock<Views>,
    /// Callers in far archives are looked for too.
    is_wide: AtomicBool,
    annotations: OnceLock<Vec<AnnotationType>>,
    database_urls: OnceLock<Vec<JavaString>>,
    callables: Memo<MethodRef, Option<Arc<Callable>>>,
    supertypes: Memo<ClassName, Arc<FxHashSet<ClassName>>>,
    found: Memo<(ClassName, AccessContext), Arc<[Way]>>,
    ranked: Memo<(Type, AccessContext), Arc<[Way]>>,
    costs: Memo<(Type, u8, AccessContext), Option<u32>>,
    cheapest: Memo<(Type, u8, AccessContext), Option<Way>>,
    callers: Memo<MethodRef, Arc<[CallSite]>>,
    creations: Memo<ClassName, Arc<[Creation]>>,
    owners: Memo<MethodRef, Arc<[ClassName]>>,
    usages: Memo<MethodRef, Arc<[Usage]>>,
    set_ups: Memo<(ClassName, AccessContext), Arc<[Usage]>>,
    compositions: Memo<ClassName, Arc<[Usage]>>,
    casts: Memo<MethodRef, Arc<[Type]>>,
    entries: Memo<(MethodRef, AccessContext), Arc<[Entry]>>,
    members: Memo<(ClassName, AccessContext), Arc<[Usable]>>,
    properties: Memo<(ClassName, AccessContext), Arc<[Usable]>>,
    vocabularies: Memo<MethodRef, Arc<[JavaString]>>,
    own_words: Memo<MethodRef, Arc<OwnWords>>,
    asked_words: Memo<MethodRef, Arc<[JavaString]>>,
    readable: Memo<MethodRef, Arc<[JavaString]>>,
    shapes: Memo<MethodRef, Arc<[Shape]>>,
    injected: Memo<MethodRef, Arc<[(FieldRef, Shape)]>>,
    unset: Memo<ClassName, Arc<[FieldRef]>>,
    got_by: Memo<MethodRef, Option<FieldRef>>,
    units_for_shapes: Memo<MethodRef, Option<Arc<Lowered>>>,
    /// Bytes of code that were read to find out what texts look like.
    read_for_shapes: AtomicUsize,
    readers: Memo<(ClassName, AccessContext), Arc<[Reader]>>,
    dispatch: Memo<(ClassName, MethodRef), bool>,
    names: Memo<(MethodRef, ClassName, AccessContext), Option<(MethodRef, Access)>>,
}

impl Catalogue {
    /// `near` are the classes of the crash. On a large class path only the archives near them are searched for members that give
    /// a type, and what calls, extends or implements something is looked for there first; annotations count where they are in the
    /// packages of these classes.
    pub fn new(program: Arc<Program>, near: &[ClassName]) -> Catalogue {
        Catalogue {
            methods: Arc::new(Methods::new(Arc::clone(&program))),
            program,
            policy: Policy::standard(),
            examples: None,
            producers: OnceLock::new(),
            near: near.to_vec(),
            nearness: OnceLock::new(),
            examples_nearness: OnceLock::new(),
            is_wide: AtomicBool::new(false),
            annotations: OnceLock::new(),
            database_urls: OnceLock::new(),
            callables: Memo::default(),
            supertypes: Memo::default(),
            found: Memo::default(),
            ranked: Memo::default(),
            costs: Memo::default(),
            cheapest: Memo::default(),
            callers: Memo::default(),
            creations: Memo::default(),
            owners: Memo::default(),
            usages: Memo::default(),
            set_ups: Memo::default(),
            compositions: Memo::default(),
            casts: Memo::default(),
            entries: Memo::default(),
            members: Memo::default(),
            properties: Memo::default(),
            vocabularies: Memo::default(),
            own_words: Memo::default(),
            asked_words: Memo::default(),
            readable: Memo::default(),
            shapes: Memo::default(),
            injected: Memo::default(),
            unset: Memo::default(),
            got_by: Memo::default(),
            units_for_shapes: Memo::default(),
            read_for_shapes: AtomicUsize::new(0),
            readers: Memo::default(),
            dispatch: Memo::default(),
            names: Memo::default(),
        }
    }

    /// Learns from this program's code as well how objects are made and used; nothing of it gets into recipes. It has to
    /// contain the program itself.
    pub fn with_examples(mut self, examples: Arc<Program>) -> Catalogue {
        self.examples = Some(Methods::new(examples));
        self
    }

    /// Shares what is known of the program's methods.
    pub fn with_methods(mut self, methods: Arc<Methods>) -> Catalogue {
        self.methods = methods;
        self
    }

    pub fn methods(&self) -> &Arc<Methods> {
        &self.methods
    }

    /// Ranks ways by other weights.
    pub fn with_policy(mut self, policy: &'static Policy) -> Catalogue {
        self.policy = policy;
        self
    }

    pub(crate) fn policy(&self) -> &'static Policy {
        self.policy
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The ways that can be gone, the likeliest first. Null is never among them.
    pub fn ways(&self, ty: Type, from: AccessContext) -> Arc<[Way]> {
        self.ranked.get_or((ty, from), || self.rank(ty, from))
    }

    /// Whether everybody can make an object of the class that is not one of the test itself. What other objects may have is
    /// not counted: they mostly have none.
    pub fn has_real(&self, class: ClassName) -> bool {
        let ways = self.ways(Type::Class(class), AccessContext::public());
        ways.iter().any(|way| !matches!(way.how, How::Stub(_)) && way.asked_object().is_none())
    }

    /// The number of statements that the cheapest way takes; `None` if there is no way within the usual depth. 0 for literals.
    pub fn cost(&self, ty: Type, from: AccessContext) -> Option<u32> {
        self.cost_within(ty, self.policy.ways.depth, from)
    }

    /// What a call of the method needs and gives; `None` if the class does not declare it.
    pub fn callable(&self, method: MethodRef) -> Option<Arc<Callable>> {
        self.callables.get_or(method, || {
            let found = self.program.declared_method(method)?;
            Some(Arc::new(Callable::of(&found.class, &found)))
        })
    }

    /// Where the method may be called from, on the class path: the nearest places, those of archives near the crash first.
    pub fn callers(&self, method: MethodRef) -> Arc<[CallSite]> {
        self.callers
            .get_or(method, || self.program.nearest_callers(method, self.searched(), self.policy.ways.callers).into())
    }

    /// From now on callers are also looked for in archives that are not near the crash. It takes a moment where their indexes are
    /// not loaded yet ([`Program::load_calls`]). Answers that were remembered are looked for again.
    pub fn widen(&self) {
        if self.nearness().is_all() || self.is_wide.load(Ordering::Relaxed) {
            return;
        }
        self.program.load_calls();
        self.examples.iter().for_each(|examples| examples.program().load_calls());
        self.is_wide.store(true, Ordering::Relaxed);
        self.callers.forget();
        self.creations.forget();
        self.usages.forget();
        self.set_ups.forget();
        self.compositions.forget();
        self.entries.forget();
        self.found.forget();
        self.ranked.forget();
        self.costs.forget();
        self.cheapest.forget();
    }

    /// Whether there is more to find in archives that were not looked at yet.
    pub fn can_widen(&self) -> bool {
        !self.nearness().is_all() && !self.is_wide.load(Ordering::Relaxed)
    }

    /// Whether [`widen`](Self::widen) need not wait.
    pub fn is_ready_to_widen(&self) -> bool {
        self.program.has_calls() && self.examples.as_ref().is_none_or(|examples| examples.program().has_calls())
    }

    /// Loads what [`widen`](Self::widen) waits for; to be called on a thread of its own.
    pub fn prepare_to_widen(&self) {
        if self.can_widen() {
            self.program.load_calls();
            self.examples.iter().for_each(|examples| examples.program().load_calls());
        }
    }

    /// Which archives are near the crash.
    pub(crate) fn nearness(&self) -> &Nearness {
        &self.views().all
    }

    /// The archives that are searched for callers.
    fn searched(&self) -> &Nearness {
        self.views().searched(self.is_wide.load(Ordering::Relaxed))
    }

    fn views(&self) -> &Views {
        self.nearness.get_or_init(|| Views::of(self.program.nearness(&self.near)))
    }

    /// What others do before they call the method, from call sites on the class path.
    pub fn usages(&self, method: MethodRef) -> Arc<[Usage]> {
        self.usages.get_or(method, || {
            let (source, sites) = self.example_sites(method);
            usage::usages(source, &sites).into()
        })
    }

    /// Call sites of the method, those in examples before all others, and the methods that they are in.
    fn example_sites(&self, method: MethodRef) -> (&Methods, Vec<CallSite>) {
        let Some(examples) = &self.examples else { return (&self.methods, self.callers(method).to_vec()) };
        let program = examples.program();
        let mut sites = program.nearest_callers(method, self.searched_examples(program), self.policy.ways.callers);
        sites.sort_by_key(|site| self.program.origin(site.caller.class).is_some());
        (examples, sites)
    }

    /// Whether the class is in an archive near the crash.
    pub(crate) fn is_near(&self, class: ClassName) -> bool {
        self.nearness().is_all() || self.program.is_near(class, self.nearness())
    }

    /// The archives that are searched for callers in examples, which are near wherever they are.
    fn searched_examples(&self, examples: &Program) -> &Nearness {
        let views =
            self.examples_nearness.get_or_init(|| Views::of(examples.nearness_beside(&self.near, &self.program)));
        views.searched(self.is_wide.load(Ordering::Relaxed))
    }

    /// The types that the method casts to or tests for.
    pub fn casts(&self, method: MethodRef) -> Arc<[Type]> {
        self.casts.get_or(method, || mine::cast_types(&self.program, method).into())
    }

    /// How others make an object of the class and set it up, from call sites of its constructors and factories.
    pub fn set_ups(&self, class: ClassName, from: AccessContext) -> Arc<[Usage]> {
        self.set_ups.get_or((class, from), || {
            let ways = self.ways(Type::Class(class), from);
            let makers = ways.iter().filter_map(|way| match &way.how {
                How::Call(callable) if callable.kind != CallKind::Virtual => Some(callable.method),
                _ => None,
            });
            let usages = makers.take(self.policy.ways.makers).flat_map(|method| {
                let (source, sites) = self.example_sites(method);
                usage::set_ups(source, &sites)
            });
            usages.collect::<Vec<_>>().into()
        })
    }

    /// How the program puts an object of the class together with others that share parts with it, the richest first.
    pub fn compositions(&self, class: ClassName) -> Arc<[Usage]> {
        self.compositions.get_or(class, || {
            let Some(class) = self.program.class(class) else { return Arc::default() };
            let constructors = class.methods.iter().filter(|method| method.is_constructor());
            let found = constructors.flat_map(|method| {
                let (source, sites) = self.example_sites(method.reference());
                usage::compositions(source, &sites)
            });
            found.collect::<Vec<_>>().into()
        })
    }

    /// Whether a value of type `from` may be given where `to` is asked for, by the rules of a method call in Java.
    pub fn is_assignable(&self, from: Type, to: Type) -> bool {
        recipe::types::is_assignable(from, to, self)
    }

    pub fn is_subclass(&self, sub: ClassName, sup: ClassName) -> bool {
        sub == sup || sup == ClassName::object() || self.supertypes_of(sub).contains(&sup)
    }

    fn supertypes_of(&self, class: ClassName) -> Arc<FxHashSet<ClassName>> {
        self.supertypes.get_or(class, || Arc::new(self.program.supertypes(class).0.into_iter().collect()))
    }

    /// Read on first use, since it takes a look at every class.
    fn producers(&self) -> &Producers {
        self.producers.get_or_init(|| Producers::build(&self.program, self.nearness()))
    }

    fn access_factor(&self, access: Access) -> f64 {
        match access {
            Access::Public => self.policy.access.public,
            Access::Package => self.policy.access.package,
            Access::Reflective => self.policy.access.reflective,
        }
    }

    /// All ways to a class that the code shows, unranked, those that cannot be gone included.
    fn found(&self, class: ClassName, from: AccessContext) -> Arc<[Way]> {
        self.found.get_or((class, from), || collect::collect(self, class, from).into())
    }

    fn rank(&self, ty: Type, from: AccessContext) -> Arc<[Way]> {
        let mut ways: Vec<Way> = match ty {
            Type::Class(class) => self.found(class, from).to_vec(),
            Type::Array(array) => vec![way::array(array, &self.policy.ways)],
            _ => vec![way::literal(ty, &self.policy.ways)],
        };
        ways.retain_mut(|way| match self.cost_of_way(way, self.policy.ways.depth, from) {
            // Each further statement is a further place to fail.
            Some(cost) => {
                let counted = cost.min(self.policy.ways.statements_counted);
                way.weight *= self.policy.ways.each_statement.powi(counted as i32);
                true
            }
            None => false,
        });
        balance(&mut ways, &self.program, self.policy.ways.over_objects);
        // Stable, so that ways of equal weight stay in the order in which they were found.
        ways.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        ways.into()
    }
}

/// A class path as seen from the crash, and the near part of it.
#[derive(Debug)]
struct Views {
    all: Nearness,
    near: Nearness,
}

impl Views {
    fn of(all: Nearness) -> Views {
        Views { near: all.near_only(), all }
    }

    fn searched(&self, is_wide: bool) -> &Nearness {
        if is_wide { &self.all } else { &self.near }
    }
}

impl Subtyping for Catalogue {
    fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
        self.is_subclass(sub, sup)
    }

    fn signature(&self, class: ClassName) -> Option<ClassSignature> {
        Subtyping::signature(&*self.program, class)
    }
}

/// A class that everybody has a getter for has dozens of ways over methods of other objects, which then mostly give null.
/// So has one of a document that methods look for things in. Together they weigh at most a share of the direct ways, if there are any.
fn balance(ways: &mut [Way], program: &Program, share: f64) {
    // The table's ways over JDK objects are good ones.
    let is_found = |way: &Way| matches!(way.how, How::Found(_));
    let is_getter = |way: &Way| is_found(way) || way.asked_object().is_some_and(|class| !program.is_jdk(class));
    let (on_objects, direct): (Vec<&mut Way>, Vec<&mut Way>) = ways.iter_mut().partition(|way| is_getter(way));
    let sum = |ways: &[&mut Way]| ways.iter().map(|way| way.weight).sum::<f64>();
    let (given, allowed) = (sum(&on_objects), share * sum(&direct));
    if allowed > 0.0 && given > allowed {
        on_objects.into_iter().for_each(|way| way.weight *= allowed / given);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use program::{Cache, ClassPath, Jdk};

    /// Of all crash jars: more classes than are near any crash.
    fn large_program() -> Arc<Program> {
        let mut found = Vec::new();
        let mut pending = vec![testing::jars()];
        while let Some(directory) = pending.pop() {
            for path in std::fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "jar") {
                    found.push(path);
                }
            }
        }
        found.sort();
        let first = found.iter().position(|jar| jar.ends_with("commons-collections-3.1.jar")).unwrap();
        found.swap(0, first);
        let class_path = ClassPath::parse(&found).unwrap();
        Arc::new(Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap().0)
    }

    #[test]
    fn the_table_of_jdk_ways_fits_the_jdk() {
        let program = testing::jdk_only();
        assert_eq!(jdk::unresolved(&program), Vec::<&str>::new());
    }

    #[test]
    fn some_interfaces_have_real_objects() {
        let catalogue = Catalogue::new(testing::jdk_only(), &[]);
        let has_real = |name: &str| catalogue.has_real(ClassName::internal(name));
        assert!(has_real("java/util/Collection") && has_real("java/util/Iterator") && has_real("java/nio/file/Path"));
        // Drivers have those, and give them to whoever has a statement.
        assert!(!has_real("java/sql/ResultSet"));
    }

    #[test]
    fn a_large_class_path_is_looked_at_near_the_crash_first_and_as_a_whole_later() {
        let near = ClassName::internal("org/apache/commons/collections/map/LRUMap");
        let catalogue = Catalogue::new(large_program(), &[near]);
        let old = MethodRef::new("java/util/ArrayList", "<init>", "()V");
        let new = MethodRef::new("java/util/function/Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;");
        let is_of_library =
            |site: &&CallSite| site.caller.class.as_internal().starts_with("org/apache/commons/collections/");
        assert!(catalogue.can_widen());
        let before = catalogue.callers(old);
        assert!(before.len() > 20 && before.iter().all(|site| is_of_library(&site)), "{before:?}");
        assert!(catalogue.callers(new).is_empty());
        catalogue.widen();
        assert!(!catalogue.can_widen());
        assert_eq!(catalogue.callers(old).len(), Policy::STANDARD.ways.callers);
        assert_eq!(catalogue.callers(old)[..before.len()], before[..]);
        assert!(!catalogue.callers(new).is_empty());
    }

    #[test]
    fn subtypes_of_far_archives_stand_in_where_there_are_few_others() {
        let near = ClassName::internal("org/apache/commons/collections/map/LRUMap");
        let catalogue = Catalogue::new(large_program(), &[near]);
        let is_far = |class: &ClassName| !catalogue.is_near(*class) && !catalogue.program.is_jdk(*class);
        let below = |class: &str| crate::subtypes::nearest_subtypes(&catalogue, ClassName::internal(class), 60);
        let maps = below("java/util/Map");
        assert!(maps.iter().any(|class| catalogue.is_near(*class)) && !maps.iter().any(is_far), "{maps:?}");
        let nodes = below("com/github/javaparser/ast/Node");
        assert!(!nodes.is_empty() && nodes.iter().all(is_far), "{nodes:?}");
    }
}
