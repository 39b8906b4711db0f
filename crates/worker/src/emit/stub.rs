//! Stub classes: what a callback is an instance of.

use super::class_file::{Attributes, ClassFile, FINAL, PUBLIC, STRAIGHT_LINE, SUPER, SYNTHETIC, TRANSIENT};
use super::code::{BODY, Code};
use super::{EmitError, STUB_MARK, Shape, Shapes};
use program::{ClassName, MethodType, Symbol, Type};
use recipe::ClassDecl;
use recipe::bytes::stable_hash;

/// What makes a stub class: callbacks with equal keys share one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StubKey {
    /// The interface or superclass.
    pub class: ClassName,
    /// Of the superclass; `()V` for an interface.
    pub constructor: Symbol,
    /// Name and descriptor of the methods with a body, in the order of their numbers.
    pub methods: Vec<(Symbol, Symbol)>,
}

const FIELD: &str = "$reenact$body";
const BODY_DESCRIPTOR: &str = "Lreenact/host/Body;";
const CALL_DESCRIPTOR: &str = "(Ljava/lang/Object;I[Ljava/lang/Object;)Ljava/lang/Object;";

/// The name of a stub: the same in every worker, because it shows in stacks. It lives in the package of what it extends, so
/// that it may see what is visible there only.
pub fn stub_name(key: &StubKey, shape: Shape) -> ClassName {
    let package = if shape.is_platform { ClassDecl::PACKAGE } else { key.class.package() };
    let separator = if package.is_empty() { "" } else { "/" };
    let mut whole = format!("{}{}", key.class.as_internal(), key.constructor);
    for (name, descriptor) in &key.methods {
        whole.push_str(&format!("\n{name}{descriptor}"));
    }
    let hash = stable_hash(whole.as_bytes()) as u64;
    ClassName::internal(&format!("{package}{separator}{STUB_MARK}{}${hash:016x}", key.class.simple()))
}

/// The class file of a stub. Its only constructor takes the body first, then what the superclass's takes.
pub fn stub_class(name: ClassName, key: &StubKey, shape: Shape, shapes: &dyn Shapes) -> Result<Vec<u8>, EmitError> {
    let (super_class, interfaces) =
        if shape.is_interface { (ClassName::object(), vec![key.class]) } else { (key.class, Vec::new()) };
    let required = shapes.abstract_methods(super_class, &interfaces);
    let mut class = ClassFile::new(name, PUBLIC | SUPER | SYNTHETIC, super_class, interfaces);
    class.version(STRAIGHT_LINE);
    class.field(FINAL | TRANSIENT | SYNTHETIC, FIELD, BODY_DESCRIPTOR, &Attributes::default());
    constructor(&mut class, name, super_class, key.constructor)?;
    for (number, (method, descriptor)) in key.methods.iter().enumerate() {
        dispatch(&mut class, name, number, *method, *descriptor)?;
    }
    add_defaults(&mut class, required, &key.methods)?;
    class.finish()
}

/// The descriptor of a stub's constructor.
pub(crate) fn constructor_descriptor(of_super: Symbol) -> Symbol {
    Symbol::new(&of_super.as_str().replacen('(', &format!("({BODY_DESCRIPTOR}"), 1))
}

/// Adds methods that do nothing for those of `required` that are not `present`.
pub(super) fn add_defaults(
    class: &mut ClassFile,
    mut required: Vec<(Symbol, Symbol)>,
    present: &[(Symbol, Symbol)],
) -> Result<(), EmitError> {
    required.sort_unstable();
    required.dedup();
    for (name, descriptor) in required.into_iter().filter(|method| !present.contains(method)) {
        let signature = MethodType::parse(descriptor.as_str()).ok_or(EmitError::Descriptor(descriptor))?;
        let mut code = Code::new(&mut class.pool, 1 + slots(&signature.params));
        code.return_default(signature.ret);
        let code = code.finish();
        class.code_method(PUBLIC, name.as_str(), descriptor.as_str(), &code);
    }
    Ok(())
}

/// The body is stored before the superclass's constructor runs, because that may call methods of ours: javac does the same
/// with captured variables, and the verifier allows it.
fn constructor(
    class: &mut ClassFile,
    name: ClassName,
    super_class: ClassName,
    of_super: Symbol,
) -> Result<(), EmitError> {
    let signature = MethodType::parse(of_super.as_str()).ok_or(EmitError::Descriptor(of_super))?;
    let mut code = Code::new(&mut class.pool, 2 + slots(&signature.params));
    let body = Type::class(BODY);
    code.this();
    code.load(body, 1);
    code.put_field(name.as_internal(), FIELD, body);
    code.this();
    let mut local = 2;
    for param in &signature.params {
        code.load(*param, local);
        local += param.slots();
    }
    code.invoke_constructor(super_class.as_internal(), of_super.as_str(), slots(&signature.params));
    code.return_value(None);
    let code = code.finish();
    class.code_method(PUBLIC, "<init>", constructor_descriptor(of_super).as_str(), &code);
    Ok(())
}

fn dispatch(
    class: &mut ClassFile,
    own: ClassName,
    number: usize,
    method: Symbol,
    descriptor: Symbol,
) -> Result<(), EmitError> {
    let signature = MethodType::parse(descriptor.as_str()).ok_or(EmitError::Descriptor(descriptor))?;
    let mut code = Code::new(&mut class.pool, 1 + slots(&signature.params));
    code.this();
    code.get_field(own.as_internal(), FIELD, BODY_DESCRIPTOR);
    code.this();
    code.int(number as i32);
    code.boxed_params(&signature.params, 1);
    code.invoke_virtual(BODY, "call", CALL_DESCRIPTOR, 4, 1);
    code.return_object_as(signature.ret);
    let code = code.finish();
    class.code_method(PUBLIC, method.as_str(), descriptor.as_str(), &code);
    Ok(())
}

pub(super) fn slots(types: &[Type]) -> u16 {
    types.iter().map(|ty| ty.slots()).sum()
}
