//! What an `invokedynamic` or a dynamic constant means: the bootstrap methods that Java compilers use are known, so that nobody
//! has to run them. Everything else is kept as it stands in the class file, as [`Dynamic::Opaque`].
//!
//! Known are `LambdaMetafactory` (lambdas and method references), `StringConcatFactory`, `ObjectMethods` (records), `SwitchBootstraps`
//! (patterns and enums) and, for constants, `ConstantBootstraps`. A bootstrap that does not have the arguments its factory
//! wants is opaque too: no JVM would link it.

use program::classfile::{BootstrapMethod, Constant, HandleKind, HandleMember, JavaString, MethodHandle};
use program::{Class, ClassName, FieldRef, MethodRef, MethodType, Symbol, Type};

/// What a dynamic call site does with its arguments, or what a dynamic constant is.
#[derive(Clone, Debug, PartialEq)]
pub enum Dynamic {
    Lambda(Lambda),
    /// Strings are put together: the pieces in order.
    Concat(Vec<ConcatPiece>),
    /// A method of a record, over these components in order.
    Record {
        record: ClassName,
        method: RecordMethod,
        components: Vec<(Symbol, FieldRef)>,
    },
    /// `(Object selector, int start)`: the position of the first label from `start` on that the selector matches; the number of
    /// labels if there is none, and -1 for null.
    TypeSwitch(Vec<SwitchLabel>),
    /// The same for a selector of an enum class.
    EnumSwitch {
        class: ClassName,
        labels: Vec<SwitchLabel>,
    },
    /// A constant that needs no code of the program: its value.
    Constant(Constant),
    /// A constant that is an enum constant or another static final field.
    StaticField(FieldRef),
    /// Only running the bootstrap method would tell.
    Opaque(BootstrapMethod),
    /// The class file has no such bootstrap method.
    Missing,
}

/// A lambda or method reference. The arguments of the call site are captured; when the object's method is called, its arguments
/// are appended and go to the implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    pub interface: ClassName,
    /// The method of the interface as it is declared there: what callers name.
    pub method: Symbol,
    pub descriptor: Symbol,
    /// The types that its arguments and its result really have here.
    pub instantiated: Symbol,
    pub implementation: MethodHandle,
    pub captured: Vec<Type>,
    /// Further interfaces that the object has.
    pub markers: Vec<Type>,
    /// Further descriptors under which it can be called.
    pub bridges: Vec<Symbol>,
    pub is_serializable: bool,
}

/// A part of a concatenated string.
#[derive(Clone, Debug, PartialEq)]
pub enum ConcatPiece {
    Text(JavaString),
    /// The argument with this position.
    Argument(usize),
    /// A constant that is not in the text, for example because it contains the text's marks.
    Constant(Constant),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordMethod {
    Equals,
    HashCode,
    ToString,
}

/// What a case of a pattern switch is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum SwitchLabel {
    /// Instances of the type.
    Instance(Type),
    Int(i32),
    String(JavaString),
    /// The constant of the enum class that has this name.
    Enum(ClassName, Symbol),
    /// Another constant.
    Constant(Constant),
}

impl Lambda {
    /// The method that runs, with its kind of call; `None` for a handle of a field, which no compiler makes.
    pub fn target(&self) -> Option<(HandleKind, MethodRef)> {
        match self.implementation.member {
            HandleMember::Method(operand) => Some((self.implementation.kind, operand.method)),
            HandleMember::Field(_) => None,
        }
    }
}

impl Dynamic {
    /// The meaning of the call site or constant with this bootstrap method, name and descriptor in `class`.
    pub fn resolve(class: &Class, bootstrap: u16, name: Symbol, descriptor: Symbol) -> Dynamic {
        Resolver { class, depth: 0 }.resolve(bootstrap, name, descriptor)
    }
}

/// Constants may be arguments of other constants; damaged files may have cycles of them.
const DEEPEST: u32 = 8;

#[derive(Clone, Copy)]
struct Resolver<'a> {
    class: &'a Class,
    depth: u32,
}

impl Resolver<'_> {
    fn resolve(self, bootstrap: u16, name: Symbol, descriptor: Symbol) -> Dynamic {
        let Some(bootstrap) = self.class.bootstrap_methods.get(usize::from(bootstrap)) else { return Dynamic::Missing };
        let known = if self.depth < DEEPEST { self.known(bootstrap, name, descriptor) } else { None };
        known.unwrap_or_else(|| Dynamic::Opaque(bootstrap.clone()))
    }

    fn known(self, bootstrap: &BootstrapMethod, name: Symbol, descriptor: Symbol) -> Option<Dynamic> {
        let HandleMember::Method(factory) = bootstrap.handle.member else { return None };
        let arguments = bootstrap.arguments.as_slice();
        match (factory.method.class.as_internal(), factory.method.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", which @ ("metafactory" | "altMetafactory")) => {
                lambda(name, descriptor, arguments, which == "altMetafactory").map(Dynamic::Lambda)
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcat") => {
                let count = MethodType::parse(descriptor.as_str())?.params.len();
                Some(Dynamic::Concat((0..count).map(ConcatPiece::Argument).collect()))
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => {
                let count = MethodType::parse(descriptor.as_str())?.params.len();
                concat(arguments, count).map(Dynamic::Concat)
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => record(name, arguments),
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch") => {
                Some(Dynamic::TypeSwitch(arguments.iter().map(|label| self.label(label)).collect()))
            }
            ("java/lang/runtime/SwitchBootstraps", "enumSwitch") => {
                let class = MethodType::parse(descriptor.as_str())?.params.first()?.as_class()?;
                let label = |label: &Constant| match label {
                    Constant::String(name) => SwitchLabel::Enum(class, Symbol::new(name.text())),
                    other => self.label(other),
                };
                Some(Dynamic::EnumSwitch { class, labels: arguments.iter().map(label).collect() })
            }
            ("java/lang/invoke/ConstantBootstraps", which) => self.constant(which, name, descriptor, arguments),
            _ => None,
        }
    }

    fn constant(self, factory: &str, name: Symbol, descriptor: Symbol, arguments: &[Constant]) -> Option<Dynamic> {
        let ty = Type::parse(descriptor.as_str())?;
        match (factory, arguments) {
            ("nullConstant", []) => Some(Dynamic::Constant(Constant::Null)),
            ("primitiveClass", []) => Some(Dynamic::Constant(Constant::Class(Type::parse(name.as_str())?))),
            ("enumConstant", []) => Some(Dynamic::StaticField(FieldRef { class: ty.as_class()?, name, descriptor })),
            ("getStaticFinal", rest) => {
                let class = match rest {
                    [Constant::Class(declaring)] => declaring.as_class()?,
                    [] => ty.as_class()?,
                    _ => return None,
                };
                Some(Dynamic::StaticField(FieldRef { class, name, descriptor }))
            }
            _ => None,
        }
    }

    fn label(self, label: &Constant) -> SwitchLabel {
        match label {
            Constant::Class(ty) => SwitchLabel::Instance(*ty),
            Constant::Int(value) => SwitchLabel::Int(*value),
            Constant::String(text) => SwitchLabel::String(text.clone()),
            Constant::Dynamic { bootstrap, name, descriptor } => self
                .dynamic_label(*bootstrap, *name, *descriptor)
                .unwrap_or_else(|| SwitchLabel::Constant(label.clone())),
            other => SwitchLabel::Constant(other.clone()),
        }
    }

    /// An enum constant is described by `EnumDesc.of(ClassDesc.of("a.B"), "C")`; a primitive type by a constant of its own.
    fn dynamic_label(self, bootstrap: u16, name: Symbol, descriptor: Symbol) -> Option<SwitchLabel> {
        let deeper = Resolver { depth: self.depth + 1, ..self };
        match deeper.resolve(bootstrap, name, descriptor) {
            Dynamic::Constant(Constant::Class(ty)) => Some(SwitchLabel::Instance(ty)),
            Dynamic::StaticField(field) => Some(SwitchLabel::Enum(field.class, field.name)),
            Dynamic::Opaque(call) => {
                let [class, Constant::String(constant)] = arguments_of(&call, "java/lang/Enum$EnumDesc")? else {
                    return None;
                };
                let Constant::Dynamic { bootstrap, name, descriptor } = class else { return None };
                let Dynamic::Opaque(call) = deeper.resolve(*bootstrap, *name, *descriptor) else { return None };
                let [Constant::String(class)] = arguments_of(&call, "java/lang/constant/ClassDesc")? else {
                    return None;
                };
                Some(SwitchLabel::Enum(ClassName::from_dotted(class.text()), Symbol::new(constant.text())))
            }
            _ => None,
        }
    }
}

/// The arguments of `ConstantBootstraps.invoke` where it calls the method `of` of this class.
fn arguments_of<'a>(call: &'a BootstrapMethod, class: &str) -> Option<&'a [Constant]> {
    let HandleMember::Method(factory) = call.handle.member else { return None };
    let invokes = factory.method.class.as_internal() == "java/lang/invoke/ConstantBootstraps"
        && factory.method.name.as_str() == "invoke";
    let (Constant::MethodHandle(called), rest) = call.arguments.split_first()? else { return None };
    let HandleMember::Method(called) = called.member else { return None };
    (invokes && called.method.class.as_internal() == class && called.method.name.as_str() == "of").then_some(rest)
}

fn lambda(name: Symbol, descriptor: Symbol, arguments: &[Constant], is_alternative: bool) -> Option<Lambda> {
    let MethodType { params, ret } = MethodType::parse(descriptor.as_str())?;
    let [Constant::MethodType(erased), Constant::MethodHandle(handle), Constant::MethodType(instantiated), rest @ ..] =
        arguments
    else {
        return None;
    };
    let mut lambda = Lambda {
        interface: ret?.as_class()?,
        method: name,
        descriptor: *erased,
        instantiated: *instantiated,
        implementation: *handle,
        captured: params,
        markers: Vec::new(),
        bridges: Vec::new(),
        is_serializable: false,
    };
    match (is_alternative, rest) {
        (false, []) => Some(lambda),
        (true, [Constant::Int(flags), rest @ ..]) => {
            lambda.extend(*flags, rest)?;
            Some(lambda)
        }
        _ => None,
    }
}

/// Flags of `LambdaMetafactory.altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

impl Lambda {
    fn extend(&mut self, flags: i32, mut rest: &[Constant]) -> Option<()> {
        self.is_serializable = flags & SERIALIZABLE != 0;
        if flags & MARKERS != 0 {
            for marker in counted(&mut rest)? {
                let Constant::Class(ty) = marker else { return None };
                self.markers.push(*ty);
            }
        }
        if flags & BRIDGES != 0 {
            for bridge in counted(&mut rest)? {
                let Constant::MethodType(descriptor) = bridge else { return None };
                self.bridges.push(*descriptor);
            }
        }
        rest.is_empty().then_some(())
    }
}

/// A number and as many constants behind it.
fn counted<'a>(rest: &mut &'a [Constant]) -> Option<&'a [Constant]> {
    let (Constant::Int(count), behind) = rest.split_first()? else { return None };
    let (counted, behind) = behind.split_at_checked(usize::try_from(*count).ok()?)?;
    *rest = behind;
    Some(counted)
}

/// In the recipe, `\u{1}` is the next argument and `\u{2}` the next constant (JEP 280).
fn concat(arguments: &[Constant], count: usize) -> Option<Vec<ConcatPiece>> {
    let (Constant::String(recipe), constants) = arguments.split_first()? else { return None };
    let mut constants = constants.iter();
    let mut taken = 0..count;
    let mut text: Vec<u16> = Vec::new();
    let mut pieces = Vec::new();
    for unit in recipe.utf16() {
        let piece = match unit {
            1 => ConcatPiece::Argument(taken.next()?),
            2 => ConcatPiece::Constant(constants.next()?.clone()),
            _ => {
                text.push(unit);
                continue;
            }
        };
        flush(&mut text, &mut pieces);
        pieces.push(piece);
    }
    flush(&mut text, &mut pieces);
    (taken.is_empty() && constants.next().is_none()).then_some(pieces)
}

fn flush(text: &mut Vec<u16>, pieces: &mut Vec<ConcatPiece>) {
    if !text.is_empty() {
        pieces.push(ConcatPiece::Text(JavaString::from_utf16(&std::mem::take(text))));
    }
}

fn record(name: Symbol, arguments: &[Constant]) -> Option<Dynamic> {
    let method = match name.as_str() {
        "equals" => RecordMethod::Equals,
        "hashCode" => RecordMethod::HashCode,
        "toString" => RecordMethod::ToString,
        _ => return None,
    };
    let [Constant::Class(record), Constant::String(names), getters @ ..] = arguments else { return None };
    let names: Vec<Symbol> = names.text().split(';').filter(|name| !name.is_empty()).map(Symbol::new).collect();
    if names.len() != getters.len() {
        return None;
    }
    let component = |(name, getter): (Symbol, &Constant)| match getter {
        Constant::MethodHandle(MethodHandle { kind: HandleKind::GetField, member: HandleMember::Field(field) }) => {
            Some((name, *field))
        }
        _ => None,
    };
    let components: Option<Vec<_>> = names.into_iter().zip(getters).map(component).collect();
    Some(Dynamic::Record { record: record.as_class()?, method, components: components? })
}
