//! Whether an instruction of one method can put another method's frame on top of it.
//!
//! Besides plain calls these are: overriding and inherited methods, class initialisers, lambdas and method references
//! behind an abstract call, reflection and proxies (glue frames between), call sites that link on first use, and class
//! loading. Hidden frames of the JVM are not in traces, so a lambda's body can follow directly on the abstract call.

use crash_report::Frame;
use program::classfile::{Constant, HandleMember, InvokeOp, MethodOperand};
use program::{ClassName, FoundMethod, Instruction, MethodRef, Program, Resolved, Subtype};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::ops::Range;

/// How surely an instruction leads to the frame above, the weaker first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Link {
    /// The call is of a method that a method reference made elsewhere may stand behind.
    Conceivable,
    Possible,
    Sure,
}

/// What is above a frame: the next frame that is no glue, and the glue between.
pub(crate) struct Above<'a> {
    pub(crate) frame: &'a Frame,
    /// The methods that the frame may be; empty if it is not bound.
    pub(crate) methods: &'a [FoundMethod],
    /// The lowest glue frame between.
    pub(crate) glue: Option<&'a Frame>,
}

pub(crate) struct Calls<'p> {
    program: &'p Program,
    /// Recursion asks the same of many frames.
    answered: RefCell<FxHashMap<Question, Vec<(u16, Link)>>>,
    /// Methods that classes of the trace refer to as lambda bodies or method references.
    handles: FxHashSet<MethodRef>,
}

/// What an answer depends on.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    caller: MethodRef,
    ranges: Vec<Range<u16>>,
    above: (String, String),
    methods: Vec<MethodRef>,
    glue: Option<String>,
}

impl<'p> Calls<'p> {
    /// `classes`: those of the trace.
    pub(crate) fn new(program: &'p Program, classes: impl Iterator<Item = ClassName>) -> Self {
        let mut handles = FxHashSet::default();
        let classes: FxHashSet<ClassName> = classes.collect();
        for class in classes.into_iter().filter_map(|name| program.class(name)) {
            for argument in class.bootstrap_methods.iter().flat_map(|bootstrap| &bootstrap.arguments) {
                if let Constant::MethodHandle(handle) = argument
                    && let HandleMember::Method(operand) = handle.member
                {
                    handles.insert(operand.method);
                }
            }
        }
        Calls { program, answered: RefCell::default(), handles }
    }

    /// The instructions of `caller` in `ranges` that can lead to what is above; only the surest.
    pub(crate) fn leading_to(
        &self,
        caller: &FoundMethod,
        ranges: &[Range<u16>],
        above: &Above<'_>,
    ) -> Vec<(u16, Link)> {
        let question = Question {
            caller: caller.reference(),
            ranges: ranges.to_vec(),
            above: (above.frame.class.clone(), above.frame.method.clone()),
            methods: above.methods.iter().map(|method| method.reference()).collect(),
            glue: above.glue.map(|glue| glue.method.clone()),
        };
        if let Some(known) = self.answered.borrow().get(&question) {
            return known.clone();
        }
        let links = self.find_links(caller, ranges, above);
        self.answered.borrow_mut().insert(question, links.clone());
        links
    }

    fn find_links(&self, caller: &FoundMethod, ranges: &[Range<u16>], above: &Above<'_>) -> Vec<(u16, Link)> {
        let Some(code) = caller.readable_code() else { return Vec::new() };
        let mut links: Vec<(u16, Link)> = code
            .instructions()
            .map_while(Result::ok)
            .filter(|(bci, _)| ranges.iter().any(|range| range.contains(bci)))
            .filter_map(|(bci, instruction)| Some((bci, self.link(caller, &instruction, above)?)))
            .collect();
        let surest = links.iter().map(|(_, link)| *link).max();
        links.retain(|(_, link)| Some(*link) == surest);
        links
    }

    /// The strongest link to any of the methods above.
    fn link(&self, caller: &FoundMethod, instruction: &Instruction, above: &Above<'_>) -> Option<Link> {
        if above.methods.is_empty() {
            return self.link_by_name(instruction, above);
        }
        let direct = above.methods.iter().filter_map(|method| self.link_to(caller, instruction, method, above)).max();
        match above.glue {
            None => direct,
            // With glue between, the call is the one to the glue; it may look direct by chance.
            Some(glue) => through_glue(instruction, glue),
        }
    }

    fn link_to(
        &self,
        caller: &FoundMethod,
        instruction: &Instruction,
        method: &FoundMethod,
        above: &Above<'_>,
    ) -> Option<Link> {
        if method.is_static_initialiser() {
            let class = initialised_class(instruction)?;
            return yes_or_maybe(self.program.is_subtype(class, method.class.name));
        }
        let link = match instruction {
            Instruction::Invoke { op, callee } => {
                self.call_link(*op, callee, method).or_else(|| self.functional_link(callee, method))
            }
            Instruction::InvokeDynamic { bootstrap, .. } => {
                let bootstrap = caller.class.bootstrap_methods.get(usize::from(*bootstrap))?;
                let HandleMember::Method(factory) = bootstrap.handle.member else { return None };
                // Making a lambda runs nothing of the program.
                (factory.method.class.as_internal() != "java/lang/invoke/LambdaMetafactory").then_some(Link::Possible)
            }
            _ => None,
        };
        let may_load = above.frame.method == "loadClass" && names_a_class(instruction);
        link.or_else(|| may_load.then_some(Link::Possible))
    }

    fn call_link(&self, op: InvokeOp, callee: &MethodOperand, method: &FoundMethod) -> Option<Link> {
        let called = callee.method;
        if called.name != method.name || called.descriptor != method.descriptor {
            return None;
        }
        let resolved = match self.program.resolve_method(called) {
            Resolved::Found(found) if found.class.name == method.class.name => return Some(Link::Sure),
            Resolved::Found(found) => Some(found),
            Resolved::Absent => None,
            Resolved::Unknown { .. } => return Some(Link::Possible),
        };
        let is_virtual = matches!(op, InvokeOp::Virtual | InvokeOp::Interface);
        if !is_virtual || method.access.is_static() || method.access.is_private() {
            return None;
        }
        match self.program.is_subtype(method.class.name, called.class) {
            Subtype::Yes => return Some(Link::Sure),
            Subtype::Unknown { .. } => return Some(Link::Possible),
            Subtype::No => {}
        }
        // A class that is not seen here may extend the one and implement the other.
        let interface = method.class.is_interface() || resolved.is_some_and(|found| found.class.is_interface());
        interface.then_some(Link::Possible)
    }

    /// A lambda or method reference behind a call of an abstract method. The class that makes the reference need not be on the
    /// stack, and the method referred to may be overridden by the one above, so that any method of the right shape will do.
    fn functional_link(&self, callee: &MethodOperand, method: &FoundMethod) -> Option<Link> {
        let is_known = is_lambda_body(method) || self.handles.contains(&method.reference());
        let link = if is_known { Link::Possible } else { Link::Conceivable };
        // What a handle does with its arguments cannot be seen.
        if callee.method.class.as_internal() == "java/lang/invoke/MethodHandle" {
            return Some(link);
        }
        if !is_known && !fits_reference(callee.method, method) {
            return None;
        }
        let is_abstract = match self.program.resolve_method(callee.method) {
            Resolved::Found(found) => found.access.is_abstract() && (is_known || found.class.is_interface()),
            Resolved::Absent => false,
            Resolved::Unknown { .. } => is_known,
        };
        is_abstract.then_some(link)
    }

    /// The frame above is unknown here, for example a class of another JDK.
    fn link_by_name(&self, instruction: &Instruction, above: &Above<'_>) -> Option<Link> {
        if let Some(glue) = above.glue {
            return through_glue(instruction, glue);
        }
        let class = ClassName::from_dotted(&above.frame.class);
        match instruction {
            Instruction::Invoke { callee, .. } if callee.method.name.as_str() == above.frame.method => {
                Some(if callee.method.class == class { Link::Sure } else { Link::Possible })
            }
            _ if above.frame.method == "<clinit>" => (initialised_class(instruction)? == class).then_some(Link::Sure),
            _ if above.frame.method == "loadClass" => names_a_class(instruction).then_some(Link::Possible),
            Instruction::Invoke { callee, .. } if self.program.is_jdk(callee.method.class) => Some(Link::Possible),
            // Whoever calls the library gave it a function, whose own frame the VM hides.
            Instruction::Invoke { callee, .. } => self.is_abstract(callee.method).then_some({
                if is_name_of_lambda_body(&above.frame.method) { Link::Possible } else { Link::Conceivable }
            }),
            Instruction::InvokeDynamic { .. } => Some(Link::Possible),
            _ => None,
        }
    }

    fn is_abstract(&self, method: MethodRef) -> bool {
        self.program.resolve_method(method).found().is_some_and(|found| found.access.is_abstract())
    }
}

/// The call of a proxy's or lambda's method by name, or of reflection under any name.
fn through_glue(instruction: &Instruction, glue: &Frame) -> Option<Link> {
    const REFLECTION: &[&str] = &["java/lang/Class", "java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"];
    match instruction {
        Instruction::Invoke { callee, .. } => {
            let class = callee.method.class;
            let reflective = class.package() == "java/lang/reflect" || REFLECTION.contains(&class.as_internal());
            (callee.method.name.as_str() == glue.method || reflective).then_some(Link::Possible)
        }
        Instruction::InvokeDynamic { .. } => Some(Link::Possible),
        _ => None,
    }
}

/// Bodies of lambdas as javac, kotlinc and scalac name them.
fn is_lambda_body(method: &FoundMethod) -> bool {
    is_name_of_lambda_body(method.name.as_str())
}

fn is_name_of_lambda_body(name: &str) -> bool {
    ["lambda$", "$lambda", "$anonfun", "$adapted"].iter().any(|part| name.contains(part))
}

/// Whether a reference to `method` can implement `functional`, by the number of parameters. The receiver is bound, or comes
/// as the first argument. With variable arguments, compilers make a lambda instead.
fn fits_reference(functional: MethodRef, method: &FoundMethod) -> bool {
    let given = functional.signature().params.len();
    let taken = method.reference().signature().params.len();
    let has_receiver = !method.access.is_static() && !method.is_constructor();
    taken == given || (has_receiver && taken + 1 == given)
}

/// The class that an instruction initialises (JVMS 5.5).
fn initialised_class(instruction: &Instruction) -> Option<ClassName> {
    use program::classfile::FieldOp;
    match instruction {
        Instruction::New(created) => created.as_class(),
        Instruction::Field { op: FieldOp::GetStatic | FieldOp::PutStatic, field } => Some(field.class),
        Instruction::Invoke { op: InvokeOp::Static, callee } => Some(callee.method.class),
        _ => None,
    }
}

/// Whether the instruction resolves a class, which may load it.
fn names_a_class(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::New(_)
            | Instruction::Field { .. }
            | Instruction::Invoke { .. }
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_)
            | Instruction::NewArray { .. }
            | Instruction::NewMultiArray { .. }
            | Instruction::Const(Constant::Class(_))
    )
}

fn yes_or_maybe(subtype: Subtype) -> Option<Link> {
    match subtype {
        Subtype::Yes => Some(Link::Sure),
        Subtype::Unknown { .. } => Some(Link::Possible),
        Subtype::No => None,
    }
}
