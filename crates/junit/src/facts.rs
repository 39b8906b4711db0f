//! What the printer must know about classes: who may see them, how they nest, which members they have. Asked of whoever
//! has the program; see [`ClassFacts`]. What is not known is taken as the recipe says it.

use crate::spelling::Spellable;
use program::classfile::signature::{
    ClassSignature, ClassType, FieldSignature, GenericType, MethodSignature, TypeParameter,
};
use program::classfile::{InnerClass, Visibility};
use program::{Class, ClassName, Field, FieldRef, Method, MethodRef, Program, Symbol, Type};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A source of facts about classes.
pub trait ClassFacts {
    /// `None` if there is no such class.
    fn class(&self, name: ClassName) -> Option<Rc<ClassFact>>;
}

/// A class as declared.
#[derive(Clone, Debug)]
pub struct ClassFact {
    pub name: ClassName,
    /// As in the source, also for nested classes.
    pub visibility: Visibility,
    pub is_interface: bool,
    pub is_abstract: bool,
    pub is_enum: bool,
    pub nesting: Nesting,
    /// False for a package of the JDK that only the JDK may use.
    pub exported: bool,
    pub is_jdk: bool,
    pub super_class: Option<ClassName>,
    pub interfaces: Vec<ClassName>,
    pub signature: Option<ClassSignature>,
    pub fields: Vec<FieldFact>,
    pub methods: Vec<MethodFact>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    TopLevel,
    /// A member of another class.
    Member {
        outer: ClassName,
        simple: Symbol,
        is_static: bool,
    },
    /// Local, anonymous or made by a compiler: source cannot name it.
    Unnamed,
}

#[derive(Clone, Debug)]
pub struct FieldFact {
    pub field: FieldRef,
    pub visibility: Visibility,
    pub is_static: bool,
    pub is_final: bool,
    pub is_synthetic: bool,
    pub signature: Option<FieldSignature>,
}

#[derive(Clone, Debug)]
pub struct MethodFact {
    pub method: MethodRef,
    pub visibility: Visibility,
    pub is_static: bool,
    pub is_abstract: bool,
    pub is_final: bool,
    pub is_varargs: bool,
    /// Bridges included: source cannot name it.
    pub is_synthetic: bool,
    pub exceptions: Vec<ClassName>,
    pub signature: Option<MethodSignature>,
    pub param_names: Vec<Option<Symbol>>,
}

impl ClassFact {
    /// How many type parameters it has.
    pub fn type_params(&self) -> usize {
        self.signature.as_ref().map_or(0, |signature| signature.type_parameters.len())
    }

    pub fn is_generic(&self) -> bool {
        self.type_params() > 0
    }

    fn of(class: &Class, is_jdk: bool) -> ClassFact {
        let own_entry = class.inner_classes.iter().find(|entry| entry.inner == class.name);
        ClassFact {
            name: class.name,
            visibility: own_entry.map_or(class.access.visibility(), |entry| entry.access.visibility()),
            is_interface: class.access.is_interface(),
            is_abstract: class.access.is_abstract(),
            is_enum: class.access.is_enum(),
            nesting: nesting_of(class, own_entry),
            exported: !is_jdk || is_exported(class.name),
            is_jdk,
            super_class: class.super_class,
            interfaces: class.interfaces.clone(),
            signature: class.signature().filter(Spellable::is_spellable),
            fields: class.fields.iter().map(FieldFact::of).collect(),
            methods: class.methods.iter().map(|method| MethodFact::of(method, class.signature().as_ref())).collect(),
        }
        .with_outer_parameters()
    }

    /// The signatures of an inner class's constructors leave out the outer object, which their descriptors have.
    fn with_outer_parameters(mut self) -> ClassFact {
        if let Nesting::Member { outer, is_static: false, .. } = self.nesting {
            let constructors = self.methods.iter_mut().filter(|method| method.method.is_constructor());
            for (params, erased) in constructors
                .filter_map(|constructor| Some((&mut constructor.signature.as_mut()?.params, constructor.method)))
            {
                if params.len() < erased.signature().params.len() {
                    let outer = ClassType { class: outer, arguments: Vec::new(), outer: None };
                    params.insert(0, GenericType::Class(outer));
                }
            }
        }
        self
    }
}

fn nesting_of(class: &Class, own_entry: Option<&InnerClass>) -> Nesting {
    match own_entry {
        _ if class.access.is_synthetic() => Nesting::Unnamed,
        None => Nesting::TopLevel,
        // The only name under which a compiler looks for a member's class file; Scala leaves one `$` out behind an object's.
        Some(InnerClass { outer: Some(outer), simple_name: Some(simple), access, .. })
            if class.name.as_internal() == format!("{}${simple}", outer.as_internal()) =>
        {
            Nesting::Member { outer: *outer, simple: *simple, is_static: access.is_static() || access.is_interface() }
        }
        Some(_) => Nesting::Unnamed,
    }
}

impl FieldFact {
    fn of(field: &Field) -> FieldFact {
        FieldFact {
            field: field.reference(),
            visibility: field.access.visibility(),
            is_static: field.access.is_static(),
            is_final: field.access.is_final(),
            is_synthetic: field.access.is_synthetic(),
            signature: field.signature().filter(Spellable::is_spellable),
        }
    }
}

impl MethodFact {
    fn of(method: &Method, class: Option<&ClassSignature>) -> MethodFact {
        MethodFact {
            method: method.reference(),
            visibility: method.access.visibility(),
            is_static: method.access.is_static(),
            is_abstract: method.access.is_abstract(),
            is_final: method.access.is_final(),
            is_varargs: method.access.is_varargs(),
            is_synthetic: method.access.is_synthetic() || method.access.is_bridge(),
            exceptions: method.exceptions().unwrap_or_default(),
            signature: method
                .signature()
                .filter(|signature| signature.is_spellable() && fits(signature, method, class)),
            param_names: method.parameter_names(),
        }
    }
}

/// Whether a signature says what the descriptor does, erased. Those of constructors of inner classes leave out the outer object.
/// Those of enums leave out the parameters that the compiler adds, and other languages write what erases to something else; both
/// are of no help.
fn fits(signature: &MethodSignature, method: &Method, class: Option<&ClassSignature>) -> bool {
    let erased = method.reference().signature();
    let added = erased.params.len().checked_sub(signature.params.len());
    let params = match added {
        Some(0) => &erased.params[..],
        Some(1) if method.is_constructor() => &erased.params[1..],
        _ => return false,
    };
    let parameters =
        || signature.type_parameters.iter().chain(class.into_iter().flat_map(|class| &class.type_parameters));
    let fits = |generic: &GenericType, erased: &Type| match erasure(generic, &parameters) {
        Some(found) => found == *erased,
        // A variable of an outer class or method.
        None => true,
    };
    let same_ret = match (&signature.ret, &erased.ret) {
        (Some(generic), Some(erased)) => fits(generic, erased),
        (generic, erased) => generic.is_none() && erased.is_none(),
    };
    same_ret && signature.params.iter().zip(params).all(|(generic, erased)| fits(generic, erased))
}

/// `None` if it depends on a variable that is not among the parameters, or on one that is bounded by itself.
fn erasure<'a, I: Iterator<Item = &'a TypeParameter>>(ty: &GenericType, parameters: &impl Fn() -> I) -> Option<Type> {
    let mut ty = ty;
    let mut dimensions = 0;
    // Only variables lead further, each at most once: class files may hold bounds that go round in circles.
    for _ in 0..=parameters().count() + MAX_DIMENSIONS {
        match ty {
            GenericType::Array(component) => {
                dimensions += 1;
                ty = component;
            }
            GenericType::Variable(name) => {
                let parameter = parameters().find(|parameter| parameter.name == *name)?;
                match parameter.class_bound.as_ref().or(parameter.interface_bounds.first()) {
                    Some(bound) => ty = bound,
                    None => return Some(array_of(Type::Class(ClassName::object()), dimensions)),
                }
            }
            GenericType::Primitive(primitive) => return Some(array_of(*primitive, dimensions)),
            GenericType::Class(class) => return Some(array_of(Type::Class(class.class), dimensions)),
        }
    }
    None
}

/// The JVM's own limit (JVMS 4.4.1).
const MAX_DIMENSIONS: usize = 255;

fn array_of(component: Type, dimensions: usize) -> Type {
    (0..dimensions).fold(component, |component, _| Type::array_of(component))
}

/// Whether source outside of the JDK may use the package, by the names that the JDK gives its packages: its module
/// descriptions are not at hand in every JDK.
fn is_exported(class: ClassName) -> bool {
    const HIDDEN: [&str; 4] = ["sun/", "com/sun/", "jdk/internal/", "jdk/xml/internal/"];
    const OPEN: [&str; 9] = [
        "sun/misc/",
        "com/sun/jdi/",
        "com/sun/management/",
        "com/sun/net/httpserver/",
        "com/sun/nio/sctp/",
        "com/sun/security/auth/",
        "com/sun/security/jgss/",
        "com/sun/source/",
        "com/sun/tools/",
    ];
    let name = class.as_internal();
    !HIDDEN.iter().any(|prefix| name.starts_with(prefix)) || OPEN.iter().any(|prefix| name.starts_with(prefix))
}

/// The facts of a program, each class looked at once; keep it for all tests that are printed.
#[derive(Debug)]
pub struct ProgramFacts<'a> {
    program: &'a Program,
    known: RefCell<FxHashMap<ClassName, Option<Rc<ClassFact>>>>,
}

impl<'a> ProgramFacts<'a> {
    pub fn new(program: &'a Program) -> Self {
        ProgramFacts { program, known: RefCell::default() }
    }
}

impl ClassFacts for ProgramFacts<'_> {
    fn class(&self, name: ClassName) -> Option<Rc<ClassFact>> {
        if let Some(known) = self.known.borrow().get(&name) {
            return known.clone();
        }
        let class = self.program.class(name);
        let fact = class.map(|class| {
            let mut fact = ClassFact::of(&class, self.program.is_jdk(name));
            // Compilers look for a member class in the class around it.
            if let Nesting::Member { outer, .. } = fact.nesting
                && !self.program.class(outer).is_some_and(|outer| outer.inner_classes.iter().any(|e| e.inner == name))
            {
                fact.nesting = Nesting::Unnamed;
            }
            if is_circular(self.program, name) {
                fact.nesting = Nesting::Unnamed;
            }
            Rc::new(fact)
        });
        self.known.borrow_mut().insert(name, fact.clone());
        fact
    }
}

/// Whether the class or one above it is a member of a class that extends or implements it, as Scala allows: Java's compiler
/// gives up on all that have to do with such classes.
fn is_circular(program: &Program, class: ClassName) -> bool {
    let extended_by_outer = |inner: ClassName| {
        let name = inner.as_internal();
        let outers = name.match_indices('$').map(|(end, _)| ClassName::internal(&name[..end]));
        outers.filter(|outer| program.class(*outer).is_some()).any(|outer| program.supertypes(outer).0.contains(&inner))
    };
    std::iter::once(class).chain(program.supertypes(class).0).any(extended_by_outer)
}
