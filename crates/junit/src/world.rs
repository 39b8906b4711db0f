//! The classes that a recipe talks about, its own declared ones included, and what Java's rules say about them: subtypes,
//! members by name, methods to implement. Classes that are not known have no members and no supertypes but `Object`.

use crate::facts::{ClassFact, ClassFacts, FieldFact, MethodFact, Nesting};
use program::classfile::Visibility;
use program::classfile::signature::{ClassSignature, FieldSignature, MethodSignature};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};
use recipe::{ClassDecl, ClassKind, Recipe};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) struct World<'a> {
    facts: &'a dyn ClassFacts,
    declared: BTreeMap<ClassName, Rc<ClassFact>>,
    lineages: RefCell<BTreeMap<ClassName, Lineage>>,
    missing: RefCell<BTreeMap<ClassName, Option<ClassName>>>,
}

type Lineage = Rc<[Rc<ClassFact>]>;

/// A method and the class that declares it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) class: Rc<ClassFact>,
    pub(crate) method: MethodFact,
}

impl<'a> World<'a> {
    pub(crate) fn new(facts: &'a dyn ClassFacts, recipe: &Recipe) -> Self {
        let declared = recipe.classes.iter().map(|decl| (decl.name, Rc::new(declared_fact(decl))));
        World { facts, declared: declared.collect(), lineages: RefCell::default(), missing: RefCell::default() }
    }

    pub(crate) fn class(&self, name: ClassName) -> Option<Rc<ClassFact>> {
        self.declared.get(&name).cloned().or_else(|| self.facts.class(name))
    }

    pub(crate) fn is_generic(&self, name: ClassName) -> bool {
        self.class(name).is_some_and(|class| class.is_generic())
    }

    /// The class itself and everything above it, nearest first, `Object` last.
    pub(crate) fn lineage(&self, name: ClassName) -> Lineage {
        if let Some(known) = self.lineages.borrow().get(&name) {
            return Rc::clone(known);
        }
        let lineage: Lineage = self.find_lineage(name).into();
        self.lineages.borrow_mut().insert(name, Rc::clone(&lineage));
        lineage
    }

    fn find_lineage(&self, name: ClassName) -> Vec<Rc<ClassFact>> {
        let mut names = vec![name];
        let mut found = Vec::new();
        let mut next = 0;
        while let Some(current) = names.get(next).copied() {
            next += 1;
            let Some(class) = self.class(current) else { continue };
            for parent in class.super_class.iter().chain(&class.interfaces) {
                if !names.contains(parent) && *parent != ClassName::object() {
                    names.push(*parent);
                }
            }
            found.push(class);
        }
        if name != ClassName::object() {
            found.extend(self.class(ClassName::object()));
        }
        found
    }

    /// What is missing, of the class itself and everything above it.
    pub(crate) fn missing_above(&self, name: ClassName) -> Option<ClassName> {
        if let Some(known) = self.missing.borrow().get(&name) {
            return *known;
        }
        let missing = if self.class(name).is_none() {
            Some(name)
        } else {
            let lineage = self.lineage(name);
            let parents = lineage.iter().flat_map(|class| class.super_class.iter().chain(&class.interfaces));
            parents.copied().find(|parent| self.class(*parent).is_none())
        };
        self.missing.borrow_mut().insert(name, missing);
        missing
    }

    /// Whether a value of type `sub` can stand where `sup` is wanted, without boxing (JLS 4.10).
    pub(crate) fn is_subtype(&self, sub: Type, sup: Type) -> bool {
        match (sub, sup) {
            _ if sub == sup => true,
            (Type::Class(_) | Type::Array(_), Type::Class(sup)) if sup == ClassName::object() => true,
            (Type::Class(sub), Type::Class(sup)) => self.lineage(sub).iter().any(|class| class.name == sup),
            (Type::Array(sub), Type::Array(sup)) => {
                let (sub, sup) = (sub.component(), sup.component());
                sub.is_reference() && sup.is_reference() && self.is_subtype(sub, sup)
            }
            (Type::Array(_), Type::Class(sup)) => {
                ["java/lang/Cloneable", "java/io/Serializable"].contains(&sup.as_internal())
            }
            _ => sub != sup && recipe::types::widens(sub, sup),
        }
    }

    /// The method as the class or the nearest class above it declares it. For a bridge, which source cannot call, the
    /// method that a call in source means instead: the one it leads to, or the one above that it overrides.
    pub(crate) fn find_method(&self, method: MethodRef) -> Option<Found> {
        let lineage: Lineage = if method.is_constructor() {
            self.class(method.class).into_iter().collect()
        } else {
            self.lineage(method.class)
        };
        let mut bridge = None;
        for class in lineage.iter() {
            let class = Rc::clone(class);
            let named = || class.methods.iter().filter(|m| m.method.name == method.name);
            let Some(exact) = named().find(|m| m.method.descriptor == method.descriptor) else { continue };
            let params = method.signature().params;
            let same_params = |m: &&MethodFact| !m.is_synthetic && m.method.signature().params == params;
            let meant = if exact.is_synthetic { named().find(same_params) } else { Some(exact) };
            if let Some(meant) = meant.cloned() {
                return Some(Found { class, method: meant });
            }
            let exact = exact.clone();
            bridge.get_or_insert(Found { class, method: exact });
        }
        bridge
    }

    /// The class through which source reaches a bridge that stands beside the method it leads to, whose result or parameters
    /// are narrower: called on its own class, the compiler would pass it by, and its frame would be missing.
    pub(crate) fn way_to_bridge(&self, method: MethodRef) -> Option<ClassName> {
        let lineage = self.lineage(method.class);
        let mut exact = lineage.iter().filter_map(|class| {
            let is_it = |m: &&MethodFact| (m.method.name, m.method.descriptor) == (method.name, method.descriptor);
            class.methods.iter().find(is_it).map(|fact| (class, fact))
        });
        let (class, bridge) = exact.next()?;
        let params = method.signature().params.len();
        let is_beside = |m: &MethodFact| {
            !m.is_synthetic && m.method.name == method.name && m.method.signature().params.len() == params
        };
        let is_passed_by = bridge.is_synthetic && class.methods.iter().any(is_beside);
        let is_public = |class: &ClassFact, fact: &MethodFact| {
            !fact.is_synthetic && fact.visibility == Visibility::Public && class.visibility == Visibility::Public
        };
        exact.find(|(class, fact)| is_passed_by && is_public(class, fact)).map(|(class, _)| class.name)
    }

    pub(crate) fn find_field(&self, field: FieldRef) -> Option<(Rc<ClassFact>, FieldFact)> {
        self.lineage(field.class).iter().find_map(|class| {
            let class = Rc::clone(class);
            let fact =
                class.fields.iter().find(|f| f.field.name == field.name && f.field.descriptor == field.descriptor);
            let fact = fact?.clone();
            Some((class, fact))
        })
    }

    /// The class whose field of this name is meant by `receiver.name`.
    pub(crate) fn field_meant(&self, receiver: ClassName, name: Symbol) -> Option<ClassName> {
        let lineage = self.lineage(receiver);
        lineage.iter().find(|class| class.fields.iter().any(|field| field.field.name == name)).map(|class| class.name)
    }

    /// The methods of this name that a call on `class` can mean: its own and inherited ones, each signature once; the
    /// compiler's own are left out. For constructors, only those of the class.
    pub(crate) fn methods_named(&self, class: ClassName, name: Symbol) -> Vec<Found> {
        let lineage: Lineage =
            if name.as_str() == "<init>" { self.class(class).into_iter().collect() } else { self.lineage(class) };
        let mut found: Vec<Found> = Vec::new();
        for class in lineage.iter() {
            for method in class.methods.iter().filter(|m| m.method.name == name && !m.is_synthetic) {
                let params = method.method.signature().params;
                if !found.iter().any(|other| other.method.method.signature().params == params) {
                    found.push(Found { class: Rc::clone(class), method: method.clone() });
                }
            }
        }
        found
    }

    /// Whether the class is `RuntimeException`, `Error` or below: nobody has to declare it.
    pub(crate) fn is_unchecked(&self, class: ClassName) -> bool {
        let unchecked = ["java/lang/RuntimeException", "java/lang/Error"];
        self.lineage(class).iter().any(|class| unchecked.contains(&class.name.as_internal()))
    }
}

/// A declared class as it will be in the test: a public static nested class with public members.
fn declared_fact(decl: &ClassDecl) -> ClassFact {
    let is_interface = decl.kind == ClassKind::Interface;
    let fields = decl.fields.iter().map(|field| FieldFact {
        field: FieldRef { class: decl.name, name: field.name, descriptor: Symbol::new(&field.ty.descriptor()) },
        visibility: Visibility::Public,
        is_static: field.is_static,
        is_final: false,
        is_synthetic: false,
        signature: field.signature.and_then(|signature| FieldSignature::parse(signature.as_str())),
    });
    let method = |name: Symbol, descriptor: Symbol, is_static: bool| MethodFact {
        method: MethodRef { class: decl.name, name, descriptor },
        visibility: Visibility::Public,
        is_static,
        is_abstract: is_interface && !is_static,
        is_final: false,
        is_varargs: false,
        is_synthetic: false,
        exceptions: Vec::new(),
        signature: None,
        param_names: Vec::new(),
    };
    let methods = decl.methods.iter().map(|m| MethodFact {
        is_varargs: m.is_varargs,
        signature: m.signature.and_then(|signature| MethodSignature::parse(signature.as_str())),
        // Whatever its body may throw, which is not known before it is written; callers then declare it.
        exceptions: if m.body.stmts.is_empty() { Vec::new() } else { vec![ClassName::internal("java/lang/Exception")] },
        ..method(m.name, m.descriptor, m.is_static)
    });
    let mut methods: Vec<MethodFact> = methods.collect();
    if !is_interface && !methods.iter().any(|m| m.method.is_constructor()) {
        methods.push(method(Symbol::new("<init>"), Symbol::new("()V"), false));
    }
    ClassFact {
        name: decl.name,
        visibility: Visibility::Public,
        is_interface,
        is_abstract: is_interface,
        is_enum: false,
        // Inside the test its simple name is enough.
        nesting: Nesting::TopLevel,
        exported: true,
        is_jdk: false,
        super_class: Some(decl.super_class),
        interfaces: decl.interfaces.clone(),
        signature: decl.signature.and_then(|signature| ClassSignature::parse(signature.as_str())),
        fields: fields.collect(),
        methods,
    }
}
