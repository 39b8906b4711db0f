//! Generic signatures (JVMS 4.7.9.1) as a small syntax tree. Input is the text of a `Signature` attribute; a text that does not
//! follow the grammar gives `None`, since a signature is never needed to run a program and old tools wrote wrong ones.

use crate::names::{ClassName, Symbol, Type};
use std::fmt;

/// `<T:Ljava/lang/Object;>Ljava/util/AbstractList<TT;>;Ljava/util/List<TT;>;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSignature {
    pub type_parameters: Vec<TypeParameter>,
    pub super_class: ClassType,
    pub interfaces: Vec<ClassType>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodSignature {
    pub type_parameters: Vec<TypeParameter>,
    pub params: Vec<GenericType>,
    /// `None` for `void`.
    pub ret: Option<GenericType>,
    pub throws: Vec<GenericType>,
}

/// The generic type of a field, record component or local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSignature(pub GenericType);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeParameter {
    pub name: Symbol,
    pub class_bound: Option<GenericType>,
    pub interface_bounds: Vec<GenericType>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenericType {
    Primitive(Type),
    Class(ClassType),
    Variable(Symbol),
    Array(Box<GenericType>),
}

/// A class with its type arguments. For `Outer<X>.Inner<Y>` the class is `Outer$Inner`, the arguments are those of `Inner`, and
/// `outer` holds `Outer<X>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassType {
    pub class: ClassName,
    pub arguments: Vec<TypeArgument>,
    pub outer: Option<Box<ClassType>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeArgument {
    Any,
    Exactly(GenericType),
    Extends(GenericType),
    Super(GenericType),
}

impl ClassSignature {
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser::new(text);
        let type_parameters = parser.type_parameters()?;
        let super_class = parser.class_type()?;
        let mut interfaces = Vec::new();
        while !parser.at_end() {
            interfaces.push(parser.class_type()?);
        }
        Some(ClassSignature { type_parameters, super_class, interfaces })
    }
}

impl MethodSignature {
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser::new(text);
        let type_parameters = parser.type_parameters()?;
        parser.expect('(')?;
        let mut params = Vec::new();
        while !parser.accept(')') {
            params.push(parser.any_type()?);
        }
        let ret = if parser.accept('V') { None } else { Some(parser.any_type()?) };
        let mut throws = Vec::new();
        while parser.accept('^') {
            throws.push(parser.reference_type()?);
        }
        parser.at_end().then_some(MethodSignature { type_parameters, params, ret, throws })
    }
}

impl FieldSignature {
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser::new(text);
        let parsed = parser.any_type()?;
        parser.at_end().then_some(FieldSignature(parsed))
    }
}

impl GenericType {
    /// The type without its arguments. A variable erases to the bound that `bounds` gives for it, else to `Object`.
    pub fn erasure(&self, bounds: &dyn Fn(Symbol) -> Option<Type>) -> Type {
        match self {
            GenericType::Primitive(primitive) => *primitive,
            GenericType::Class(class) => Type::Class(class.class),
            GenericType::Variable(name) => bounds(*name).unwrap_or(Type::Class(ClassName::object())),
            GenericType::Array(component) => Type::array_of(component.erasure(bounds)),
        }
    }
}

impl TypeParameter {
    /// What it stands for where nothing else is known.
    pub fn bounds(&self) -> impl Iterator<Item = &GenericType> {
        self.class_bound.iter().chain(&self.interface_bounds)
    }
}

/// The text of the attribute; what was parsed from it is written as it was.
impl fmt::Display for ClassSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parameters(&self.type_parameters, f)?;
        write!(f, "{}", self.super_class)?;
        self.interfaces.iter().try_for_each(|interface| write!(f, "{interface}"))
    }
}

impl fmt::Display for MethodSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parameters(&self.type_parameters, f)?;
        f.write_str("(")?;
        self.params.iter().try_for_each(|param| write!(f, "{param}"))?;
        f.write_str(")")?;
        match &self.ret {
            Some(ret) => write!(f, "{ret}")?,
            None => f.write_str("V")?,
        }
        self.throws.iter().try_for_each(|thrown| write!(f, "^{thrown}"))
    }
}

fn write_parameters(parameters: &[TypeParameter], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if parameters.is_empty() {
        return Ok(());
    }
    f.write_str("<")?;
    for parameter in parameters {
        write!(f, "{}:", parameter.name)?;
        parameter.class_bound.iter().try_for_each(|bound| write!(f, "{bound}"))?;
        parameter.interface_bounds.iter().try_for_each(|bound| write!(f, ":{bound}"))?;
    }
    f.write_str(">")
}

impl fmt::Display for GenericType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenericType::Primitive(primitive) => f.write_str(&primitive.descriptor()),
            GenericType::Class(class) => write!(f, "{class}"),
            GenericType::Variable(name) => write!(f, "T{name};"),
            GenericType::Array(component) => write!(f, "[{component}"),
        }
    }
}

impl fmt::Display for ClassType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("L")?;
        self.write_inside(f)?;
        f.write_str(";")
    }
}

impl ClassType {
    fn write_inside(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.class.as_internal();
        match &self.outer {
            Some(outer) => {
                outer.write_inside(f)?;
                write!(f, ".{}", name.get(outer.class.as_internal().len() + 1..).unwrap_or(name))?;
            }
            None => f.write_str(name)?,
        }
        if self.arguments.is_empty() {
            return Ok(());
        }
        f.write_str("<")?;
        self.arguments.iter().try_for_each(|argument| write!(f, "{argument}"))?;
        f.write_str(">")
    }
}

impl fmt::Display for TypeArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeArgument::Any => f.write_str("*"),
            TypeArgument::Exactly(ty) => write!(f, "{ty}"),
            TypeArgument::Extends(ty) => write!(f, "+{ty}"),
            TypeArgument::Super(ty) => write!(f, "-{ty}"),
        }
    }
}

/// Signatures nest as deeply as source code does; files made to break readers nest deeper.
const MAX_DEPTH: usize = 100;

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Parser { rest: text, depth: 0 }
    }

    fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn accept(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) -> Option<()> {
        self.accept(wanted).then_some(())
    }

    /// The text before the first of `ends`, which is not consumed; `None` if it is empty.
    fn until(&mut self, ends: &[char]) -> Option<&'a str> {
        let end = self.rest.find(ends)?;
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!text.is_empty()).then_some(text)
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if self.accept('<') {
            while !self.accept('>') {
                parameters.push(self.type_parameter()?);
            }
        }
        Some(parameters)
    }

    fn type_parameter(&mut self) -> Option<TypeParameter> {
        let name = Symbol::new(self.until(&[':'])?);
        self.expect(':')?;
        let class_bound = if self.rest.starts_with([':', '>']) { None } else { self.optional_bound()? };
        let mut interface_bounds = Vec::new();
        while self.accept(':') {
            interface_bounds.push(self.reference_type()?);
        }
        Some(TypeParameter { name, class_bound, interface_bounds })
    }

    /// An empty class bound may also be followed by the next parameter's name.
    fn optional_bound(&mut self) -> Option<Option<GenericType>> {
        if self.rest.starts_with(['L', 'T', '[']) {
            let saved = (self.rest, self.depth);
            if let Some(bound) = self.reference_type() {
                return Some(Some(bound));
            }
            (self.rest, self.depth) = saved;
        }
        Some(None)
    }

    fn any_type(&mut self) -> Option<GenericType> {
        if self.rest.starts_with(['L', 'T', '[']) {
            return self.reference_type();
        }
        let primitive = Type::parse(self.rest.get(..1)?)?;
        self.rest = &self.rest[1..];
        Some(GenericType::Primitive(primitive))
    }

    fn reference_type(&mut self) -> Option<GenericType> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let parsed = if self.accept('[') {
            GenericType::Array(Box::new(self.any_type()?))
        } else if self.accept('T') {
            let name = Symbol::new(self.until(&[';'])?);
            self.expect(';')?;
            GenericType::Variable(name)
        } else {
            GenericType::Class(self.class_type()?)
        };
        self.depth -= 1;
        Some(parsed)
    }

    fn class_type(&mut self) -> Option<ClassType> {
        self.expect('L')?;
        let name = self.until(&['<', '.', ';'])?;
        let mut class = ClassType { class: ClassName::internal(name), arguments: self.type_arguments()?, outer: None };
        while self.accept('.') {
            let simple = self.until(&['<', '.', ';'])?;
            let name = ClassName::internal(&format!("{}${simple}", class.class.as_internal()));
            let arguments = self.type_arguments()?;
            class = ClassType { class: name, arguments, outer: Some(Box::new(class)) };
        }
        self.expect(';')?;
        Some(class)
    }

    fn type_arguments(&mut self) -> Option<Vec<TypeArgument>> {
        let mut arguments = Vec::new();
        if self.accept('<') {
            while !self.accept('>') {
                arguments.push(self.type_argument()?);
            }
        }
        Some(arguments)
    }

    fn type_argument(&mut self) -> Option<TypeArgument> {
        Some(if self.accept('*') {
            TypeArgument::Any
        } else if self.accept('+') {
            TypeArgument::Extends(self.reference_type()?)
        } else if self.accept('-') {
            TypeArgument::Super(self.reference_type()?)
        } else {
            TypeArgument::Exactly(self.reference_type()?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_signature_with_bounds() {
        let text = "<K::Ljava/lang/Comparable<-TK;>;V:Ljava/lang/Object;>Ljava/util/AbstractMap<TK;TV;>;Ljava/util/Map<TK;TV;>;";
        let signature = ClassSignature::parse(text).unwrap();
        assert_eq!(signature.type_parameters.len(), 2);
        assert_eq!(signature.type_parameters[0].class_bound, None);
        assert_eq!(signature.type_parameters[0].interface_bounds.len(), 1);
        assert_eq!(signature.super_class.class, ClassName::internal("java/util/AbstractMap"));
        assert_eq!(signature.interfaces.len(), 1);
    }

    #[test]
    fn method_signature_with_throws_and_inner_class() {
        let signature =
            MethodSignature::parse("<E:Ljava/lang/Exception;>(I[TT;La/Outer<*>.Inner<+TE;>;)V^TE;").unwrap();
        assert_eq!(signature.params.len(), 3);
        let GenericType::Class(inner) = &signature.params[2] else { panic!("{signature:?}") };
        assert_eq!(inner.class, ClassName::internal("a/Outer$Inner"));
        assert_eq!(inner.outer.as_ref().unwrap().arguments, [TypeArgument::Any]);
        assert_eq!(signature.ret, None);
        assert_eq!(signature.throws, [GenericType::Variable(Symbol::new("E"))]);
    }

    #[test]
    fn what_was_read_is_written_as_it_was() {
        for text in [
            "<K::Ljava/lang/Comparable<-TK;>;V:Ljava/lang/Object;>Ljava/util/AbstractMap<TK;TV;>;Ljava/util/Map<TK;[TV;>;",
            "<T:La/Self<TT;>;:Ljava/io/Serializable;>Ljava/lang/Object;",
            "La/Token<Ljava/util/List<*>;>;",
        ] {
            assert_eq!(ClassSignature::parse(text).unwrap().to_string(), text);
        }
        for text in ["<E:Ljava/lang/Exception;>(I[TT;La/Outer<*>.Inner<+TE;>;)V^TE;", "([[J)TT;"] {
            assert_eq!(MethodSignature::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn malformed_signatures_are_refused() {
        let deep = "[".repeat(100_000) + "I";
        for text in ["", "L", "Ljava/util/List<", "Ljava/util/List<>", "TX", "[", "é", "Q", &deep] {
            assert_eq!(FieldSignature::parse(text), None, "{:?}", text.get(..20));
        }
        assert_eq!(MethodSignature::parse("(I"), None);
        assert_eq!(ClassSignature::parse("<T>Ljava/lang/Object;"), None);
    }
}
