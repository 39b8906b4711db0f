//! Members and types as objects: looked up in classes of the program, or in classes that the test declares for them.

use super::{Member, Missing};
use crate::catalogue::Reflected;
use crate::draft::Draft;
use program::classfile::signature::FieldSignature;
use program::{ClassName, MethodRef, MethodType, Symbol, Type};
use recipe::{Access, Action, Arg, ClassDecl, ClassKind, FieldDecl, Literal};

/// `C.class.getDeclaredX(..)`
pub fn look_up(draft: &mut Draft, wanted: Reflected, member: Member) -> Result<Arg, Missing> {
    let string = |name: Symbol| Arg::Literal(Literal::string(name.as_str()));
    let (class, name, params, args) = match (wanted, member) {
        (Reflected::Method, Member::Method(method)) => {
            let args = vec![string(method.name), parameter_types(draft, &method.signature())];
            (method.class, "getDeclaredMethod", "Ljava/lang/String;[Ljava/lang/Class;", args)
        }
        (Reflected::Constructor, Member::Method(method)) => {
            let args = vec![parameter_types(draft, &method.signature())];
            (method.class, "getDeclaredConstructor", "[Ljava/lang/Class;", args)
        }
        (Reflected::Field, Member::Field(field)) => {
            (field.class, "getDeclaredField", "Ljava/lang/String;", vec![string(field.name)])
        }
        _ => return Err(Missing::Unreachable),
    };
    let descriptor = format!("({params}){}", wanted.ty().descriptor());
    let method = MethodRef::new("java/lang/Class", name, &descriptor);
    let receiver = Some(Arg::Literal(Literal::Class(Type::Class(class))));
    Ok(draft.define(Action::Call { method, receiver, args, access: Access::Public }, wanted.ty()))
}

fn parameter_types(draft: &mut Draft, signature: &MethodType) -> Arg {
    let component = Type::class("java/lang/Class");
    let elements = signature.params.iter().map(|ty| Arg::Literal(Literal::Class(*ty))).collect();
    draft.define(Action::ArrayOf { component, elements }, Type::array_of(component))
}

/// An object of a new class of the test below the class, which says what its type parameter is: the signature of the superclass.
pub fn token(draft: &mut Draft, class: ClassName, signature: Symbol) -> Arg {
    let name = declare(draft, class, Some(signature), Vec::new());
    let constructor = MethodRef { class: name, name: Symbol::new("<init>"), descriptor: Symbol::new("()V") };
    let action = Action::New { constructor, args: Vec::new(), access: Access::Public };
    // Nobody needs to know its own class.
    draft.define(action, Type::Class(class))
}

/// A type of that signature as the wanted interface of `java.lang.reflect`: of a field, or of what is in the type of a field; for a
/// type variable, the first one of a class of that signature.
pub(super) fn type_object(draft: &mut Draft, wanted: ClassName, signature: Symbol) -> Option<Arg> {
    if wanted.simple() == "TypeVariable" {
        let class = declare(draft, ClassName::object(), Some(signature), Vec::new());
        return Some(type_variable(draft, class, 0));
    }
    let FieldSignature(generic) = FieldSignature::parse(signature.as_str())?;
    let found = typed_field(draft, generic.erasure(&|_| None), Some(signature));
    if wanted.simple() != "WildcardType" {
        return Some(draft.define(Action::Cast(found), Type::Class(wanted)));
    }
    let with_arguments = draft.define(Action::Cast(found), Type::class("java/lang/reflect/ParameterizedType"));
    let all = read(draft, "ParameterizedType", "getActualTypeArguments", "()[Ljava/lang/reflect/Type;", with_arguments);
    let first = element(draft, all, 0, Type::class("java/lang/reflect/Type"));
    Some(draft.define(Action::Cast(first), Type::Class(wanted)))
}

/// The generic type of a field of a new class of the test, as an object; of a plain type without a signature.
pub fn typed_field(draft: &mut Draft, ty: Type, signature: Option<Symbol>) -> Arg {
    let name = Symbol::new("value");
    let field = FieldDecl { name, ty, signature, is_static: false, annotations: Vec::new(), init: None };
    let class = declare(draft, ClassName::object(), None, vec![field]);
    generic_type(draft, class, "value")
}

/// `C.class.getField("name").getGenericType()`
pub fn generic_type(draft: &mut Draft, class: ClassName, field: &str) -> Arg {
    let descriptor = "(Ljava/lang/String;)Ljava/lang/reflect/Field;";
    let get_field = Action::Call {
        method: MethodRef::new("java/lang/Class", "getField", descriptor),
        receiver: Some(Arg::Literal(Literal::Class(Type::Class(class)))),
        args: vec![Arg::Literal(Literal::string(field))],
        access: Access::Public,
    };
    let field = draft.define(get_field, Type::class("java/lang/reflect/Field"));
    read(draft, "Field", "getGenericType", "()Ljava/lang/reflect/Type;", field)
}

/// `C.class.getTypeParameters()[index]`
pub fn type_variable(draft: &mut Draft, class: ClassName, index: usize) -> Arg {
    let descriptor = "()[Ljava/lang/reflect/TypeVariable;";
    let class = Arg::Literal(Literal::Class(Type::Class(class)));
    let all = read(draft, "java/lang/Class", "getTypeParameters", descriptor, class);
    element(draft, all, index, Type::class("java/lang/reflect/TypeVariable"))
}

/// A call without arguments; the class is one of `java.lang.reflect` if nothing else is said.
pub fn read(draft: &mut Draft, class: &str, name: &str, descriptor: &str, receiver: Arg) -> Arg {
    let class = if class.contains('/') { class.to_owned() } else { format!("java/lang/reflect/{class}") };
    let method = MethodRef::new(&class, name, descriptor);
    let ty = method.signature().ret.unwrap_or(Type::Class(ClassName::object()));
    let receiver = Some(receiver);
    draft.define(Action::Call { method, receiver, args: Vec::new(), access: Access::Public }, ty)
}

pub fn element(draft: &mut Draft, array: Arg, index: usize, ty: Type) -> Arg {
    draft.define(Action::GetElement { array, index: index as i32 }, ty)
}

fn declare(draft: &mut Draft, above: ClassName, signature: Option<Symbol>, fields: Vec<FieldDecl>) -> ClassName {
    let name = draft.unused_class_name();
    draft.declare_class(ClassDecl {
        name,
        kind: ClassKind::Class,
        signature,
        super_class: above,
        interfaces: Vec::new(),
        annotations: Vec::new(),
        fields,
        methods: Vec::new(),
    });
    name
}
