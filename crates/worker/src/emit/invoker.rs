//! Invokers: one class per member that recipes call, which takes the arguments from an array and makes the very call that
//! a compiled test would make. Method handles would do, too, but the JDK makes classes for every new shape of a call and
//! combines several of them per member: that is most of what a young worker would do.
//!
//! An invoker can do what any class of its package can, which is that of the member's class where something can be defined
//! there: private members are not for it, nor those whose parameters are of classes that it cannot name. Who links a
//! member decides that; see `Linker.java`.

use super::EmitError;
use super::class_file::{ClassFile, FINAL, PUBLIC, STRAIGHT_LINE, SUPER, SYNTHETIC};
use super::code::Code;
use super::stub::slots;
use program::{ClassName, MethodRef, MethodType};
use recipe::bytes::stable_hash;

/// How a member is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Static { on_interface: bool },
    Virtual { on_interface: bool },
    Constructor,
}

const INVOKER: &str = "reenact/host/Invoker";
const CALL_DESCRIPTOR: &str = "([Ljava/lang/Object;)Ljava/lang/Object;";

/// The class file. Who defines it makes an instance without a constructor: the fewer methods the VM has to link, the better.
pub fn invoker_class(method: MethodRef, manner: Manner, package: &str) -> Result<Vec<u8>, EmitError> {
    let name = invoker_name(method, manner, package);
    let mut class = ClassFile::new(name, FINAL | SUPER | SYNTHETIC, ClassName::internal(INVOKER), Vec::new());
    class.version(STRAIGHT_LINE);
    let signature = MethodType::parse(method.descriptor.as_str()).ok_or(EmitError::Descriptor(method.descriptor))?;
    call(&mut class, method, &signature, manner);
    class.finish()
}

/// The name: the same in every worker.
fn invoker_name(method: MethodRef, manner: Manner, package: &str) -> ClassName {
    let MethodRef { class, name, descriptor } = method;
    let hash = stable_hash(format!("{}.{name}{descriptor} {manner:?}", class.as_internal()).as_bytes()) as u64;
    // `Frames.java` and the worker's plans know invokers by it.
    let simple = format!("{INVOKER_MARK}{hash:016x}");
    ClassName::internal(&if package.is_empty() { simple } else { format!("{package}/{simple}") })
}

/// What the simple names of all invokers start with.
pub(crate) const INVOKER_MARK: &str = "$Invoke$";

fn call(class: &mut ClassFile, method: MethodRef, signature: &MethodType, manner: Manner) {
    let owner = method.class.as_internal();
    let (name, descriptor) = (method.name.as_str(), method.descriptor.as_str());
    let mut code = Code::new(&mut class.pool, 2);
    let mut args = slots(&signature.params);
    let mut first = 0;
    match manner {
        Manner::Static { .. } => {}
        Manner::Constructor => code.new_object(owner),
        Manner::Virtual { .. } => {
            code.element_as(1, 0, program::Type::Class(method.class));
            args += 1;
            first = 1;
        }
    }
    for (index, param) in (first..).zip(&signature.params) {
        code.element_as(1, index, *param);
    }
    let result = signature.ret.map_or(0, program::Type::slots);
    match manner {
        Manner::Static { on_interface } => code.invoke_static_on(owner, name, descriptor, args, result, on_interface),
        Manner::Virtual { on_interface: false } => code.invoke_virtual(owner, name, descriptor, args, result),
        Manner::Virtual { on_interface: true } => code.invoke_interface(owner, name, descriptor, args, result),
        Manner::Constructor => code.invoke_constructor(owner, descriptor, args),
    }
    match (manner, signature.ret) {
        (Manner::Constructor, _) => {}
        (_, Some(ty)) => code.box_value(ty),
        (_, None) => code.null(),
    }
    code.return_value(Some(program::Type::Class(ClassName::object())));
    let code = code.finish();
    class.code_method(PUBLIC, "call", CALL_DESCRIPTOR, &code);
}
