//! The classes that recipes declare.

use super::annotations;
use super::class_file::{ABSTRACT, Attributes, ClassFile, FINAL, INTERFACE, PUBLIC, STATIC, SUPER, VARARGS};
use super::code::{BODY, Code};
use super::stub::{add_defaults, slots};
use super::{EmitError, Shapes};
use program::{ClassName, MethodType, Symbol};
use recipe::{ClassDecl, ClassKind, FieldDecl, MethodDecl};

const DECLARED_DESCRIPTOR: &str = "(IILjava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";

/// The class file of one of a recipe's declared classes; its methods call the interpreter with this key and their own number.
///
/// Static fields of a class start at their default; the interpreter sets them before each candidate. Abstract methods of
/// the program's supers that are not declared do nothing.
pub fn declared_class(
    classes: &[ClassDecl],
    class: &ClassDecl,
    key: u32,
    shapes: &dyn Shapes,
) -> Result<Vec<u8>, EmitError> {
    let access = match class.kind {
        ClassKind::Class => PUBLIC | SUPER,
        ClassKind::Interface => PUBLIC | INTERFACE | ABSTRACT,
    };
    let mut file = ClassFile::new(class.name, access, class.super_class, class.interfaces.clone());
    class.fields.iter().try_for_each(|field| add_field(&mut file, class.kind, field))?;
    for (number, method) in class.methods.iter().enumerate() {
        add_method(&mut file, class, method, key, number)?;
    }
    match class.kind {
        ClassKind::Interface => add_constants(&mut file, class),
        ClassKind::Class => {
            if !class.methods.iter().any(is_constructor) {
                add_constructor(&mut file, class);
            }
            add_missing(&mut file, classes, class, shapes)?;
        }
    }
    let mut attributes = Attributes::default();
    class.signature.iter().for_each(|signature| attributes.signature(&mut file.pool, signature.as_str()));
    annotations::add(&mut attributes, &mut file.pool, &class.annotations)?;
    file.attributes(attributes);
    file.finish()
}

fn is_constructor(method: &MethodDecl) -> bool {
    method.name.as_str() == "<init>"
}

fn add_field(file: &mut ClassFile, kind: ClassKind, field: &FieldDecl) -> Result<(), EmitError> {
    let mut attributes = Attributes::default();
    field.signature.iter().for_each(|signature| attributes.signature(&mut file.pool, signature.as_str()));
    annotations::add(&mut attributes, &mut file.pool, &field.annotations)?;
    let access = match kind {
        ClassKind::Interface => PUBLIC | STATIC | FINAL,
        ClassKind::Class if field.is_static => PUBLIC | STATIC,
        ClassKind::Class => PUBLIC,
    };
    file.field(access, field.name.as_str(), &field.ty.descriptor(), &attributes);
    Ok(())
}

fn add_method(
    file: &mut ClassFile,
    class: &ClassDecl,
    method: &MethodDecl,
    key: u32,
    number: usize,
) -> Result<(), EmitError> {
    let mut attributes = Attributes::default();
    let mut access = PUBLIC;
    if class.kind == ClassKind::Interface {
        access |= ABSTRACT;
    } else {
        let code = method_code(file, class, method, key, number)?;
        attributes.add(&mut file.pool, "Code", &code);
    }
    access |= if method.is_static { STATIC } else { 0 };
    access |= if method.is_varargs { VARARGS } else { 0 };
    method.signature.iter().for_each(|signature| attributes.signature(&mut file.pool, signature.as_str()));
    annotations::add(&mut attributes, &mut file.pool, &method.annotations)?;
    annotations::add_for_params(&mut attributes, &mut file.pool, &method.param_annotations)?;
    file.method(access, method.name.as_str(), method.descriptor.as_str(), &attributes);
    Ok(())
}

fn method_code(
    file: &mut ClassFile,
    class: &ClassDecl,
    method: &MethodDecl,
    key: u32,
    number: usize,
) -> Result<Vec<u8>, EmitError> {
    let signature = MethodType::parse(method.descriptor.as_str()).ok_or(EmitError::Descriptor(method.descriptor))?;
    let first = u16::from(!method.is_static);
    let mut code = Code::new(&mut file.pool, first + slots(&signature.params));
    if is_constructor(method) {
        begin_constructor(&mut code, class);
    }
    code.int(key as i32);
    code.int(number as i32);
    if method.is_static {
        code.null();
    } else {
        code.this();
    }
    code.boxed_params(&signature.params, first);
    code.invoke_static(BODY, "declared", DECLARED_DESCRIPTOR, 4, 1);
    code.return_object_as(signature.ret);
    Ok(code.finish())
}

/// Calls the superclass's constructor and sets the fields.
fn begin_constructor(code: &mut Code<'_>, class: &ClassDecl) {
    code.this();
    code.invoke_constructor(class.super_class.as_internal(), "()V", 0);
    for field in class.fields.iter().filter(|field| !field.is_static) {
        if let Some(init) = &field.init {
            code.this();
            code.literal(init, field.ty);
            code.put_field(class.name.as_internal(), field.name.as_str(), field.ty);
        }
    }
}

fn add_constructor(file: &mut ClassFile, class: &ClassDecl) {
    let mut code = Code::new(&mut file.pool, 1);
    begin_constructor(&mut code, class);
    code.return_value(None);
    let code = code.finish();
    file.code_method(PUBLIC, "<init>", "()V", &code);
}

/// An interface's fields are final, so only its initialiser may set them.
fn add_constants(file: &mut ClassFile, class: &ClassDecl) {
    let mut code = Code::new(&mut file.pool, 0);
    for field in &class.fields {
        if let Some(init) = &field.init {
            code.literal(init, field.ty);
            code.put_static(class.name.as_internal(), field.name.as_str(), field.ty);
        }
    }
    code.return_value(None);
    let code = code.finish();
    file.code_method(STATIC, "<clinit>", "()V", &code);
}

fn add_missing(
    file: &mut ClassFile,
    classes: &[ClassDecl],
    class: &ClassDecl,
    shapes: &dyn Shapes,
) -> Result<(), EmitError> {
    let find = |name: ClassName| classes.iter().find(|other| other.name == name);
    let mut present: Vec<(Symbol, Symbol)> = Vec::new();
    let mut interfaces: Vec<ClassName> = Vec::new();
    let mut super_class = class.name;
    // Up through declared classes to the first one of the program.
    while let Some(declared) = find(super_class) {
        present.extend(declared.methods.iter().map(|method| (method.name, method.descriptor)));
        interfaces.extend(&declared.interfaces);
        super_class = declared.super_class;
    }
    let mut required: Vec<(Symbol, Symbol)> = Vec::new();
    let mut next = 0;
    while let Some(interface) = interfaces.get(next).copied() {
        next += 1;
        if let Some(declared) = find(interface) {
            required.extend(declared.methods.iter().map(|method| (method.name, method.descriptor)));
            interfaces.extend(&declared.interfaces);
        }
    }
    interfaces.retain(|interface| find(*interface).is_none());
    for above in interfaces.iter().chain([&super_class]) {
        shapes.shape(*above).ok_or(EmitError::Missing(*above))?;
    }
    required.extend(shapes.abstract_methods(super_class, &interfaces));
    add_defaults(file, required, &present)
}
