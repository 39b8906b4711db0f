//! The recipe as a tree of blocks. Each statement performs one [`Action`] and may define one variable; arguments are
//! variables or literals, so the order of evaluation is the order of the statements.
//!
//! Variables are assigned once. A variable is visible after its definition in its own block and in the blocks nested
//! there, which is what Java's effectively final captures allow, so any recipe can be printed as Java.

use program::{ClassName, FieldRef, MethodRef, Symbol, Type};

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Recipe {
    /// User classes that the body refers to by name.
    pub classes: Vec<ClassDecl>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The variable that holds the result, when it is used.
    pub def: Option<Def>,
    pub action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Def {
    pub var: VarId,
    /// The static type of the variable in Java source.
    pub ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Var(VarId),
    Literal(Literal),
}

/// How a member is reached from the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    Public,
    /// The test must be in the package of the member's class.
    Package,
    /// By `setAccessible`; marked in the test and ranked below the others.
    Reflective,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A value of its own, so that several statements can share it.
    Literal(Literal),
    New {
        constructor: MethodRef,
        args: Vec<Arg>,
        access: Access,
    },
    /// `receiver` is `None` for a static method.
    Call {
        method: MethodRef,
        receiver: Option<Arg>,
        args: Vec<Arg>,
        access: Access,
    },
    GetField {
        field: FieldRef,
        receiver: Option<Arg>,
        access: Access,
    },
    PutField {
        field: FieldRef,
        receiver: Option<Arg>,
        value: Arg,
        access: Access,
    },
    /// `new T[length]`
    NewArray {
        component: Type,
        length: i32,
    },
    /// `new T[] {a, b}`
    ArrayOf {
        component: Type,
        elements: Vec<Arg>,
    },
    PutElement {
        array: Arg,
        index: i32,
        value: Arg,
    },
    GetElement {
        array: Arg,
        index: i32,
    },
    /// A JDK collection with these elements; a map takes keys and values in turn.
    Collection(Collection, Vec<Arg>),
    /// A checked cast to the definition's type.
    Cast(Arg),
    Callback(Callback),
    Try {
        body: Block,
        on_throw: OnThrow,
    },
    /// Runs the body in a second thread and waits for it; an exception there is rethrown here.
    Thread(Block),
    /// A file in a fresh temporary directory; the result is a `java.io.File`.
    TempFile {
        name: JavaString,
        content: Content,
    },
    /// A fresh temporary directory holding these files, by relative name; the result is a `java.io.File`.
    TempDir {
        files: Vec<(JavaString, Content)>,
    },
    /// A stream or reader over the content.
    Stream(StreamKind, Content),
    SetProperty {
        key: JavaString,
        value: Option<JavaString>,
    },
    /// A BCP 47 tag for `Locale.setDefault`.
    SetLocale(Symbol),
    /// An id for `TimeZone.setDefault`.
    SetTimeZone(Symbol),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnThrow {
    /// Go on with the next statement.
    Swallow,
    /// Keep it and throw it when the whole recipe has ended otherwise.
    RethrowAtEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collection {
    /// `Arrays.asList`
    AsList,
    ArrayList,
    LinkedList,
    HashSet,
    LinkedHashSet,
    TreeSet,
    HashMap,
    LinkedHashMap,
    TreeMap,
    Properties,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamKind {
    /// `java.io.ByteArrayInputStream`
    ByteArrayInputStream,
    /// `java.io.StringReader`
    StringReader,
    /// `java.io.BufferedReader` over a string
    BufferedReader,
}

/// What a file or stream holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Encoded as UTF-8.
    Text(Text),
    Bytes(Vec<u8>),
}

/// An object of ours that the program calls back.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    pub form: CallbackForm,
    /// The methods with a body; every other one does nothing and returns zero, false or null.
    pub methods: Vec<CallbackMethod>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CallbackForm {
    /// A lambda for a functional interface: exactly one method.
    Lambda { interface: ClassName },
    /// An anonymous class implementing an interface.
    Interface { interface: ClassName },
    /// An anonymous subclass, made with this constructor.
    Subclass { constructor: MethodRef, args: Vec<Arg> },
}

#[derive(Clone, Debug, PartialEq)]
pub struct CallbackMethod {
    /// As declared by the interface or superclass.
    pub method: MethodRef,
    pub params: Vec<Def>,
    /// The callback itself, where the body needs it.
    pub this: Option<VarId>,
    pub body: Block,
    pub result: Option<Arg>,
}

/// A class of the user that a library reflects on. Its name lives in [`ClassDecl::PACKAGE`]; the test prints it as a
/// static nested class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassDecl {
    pub name: ClassName,
    pub super_class: ClassName,
    pub interfaces: Vec<ClassName>,
    pub annotations: Vec<Annotation>,
    pub fields: Vec<FieldDecl>,
    pub methods: Vec<MethodDecl>,
}

impl ClassDecl {
    /// The package of declared classes inside recipes and workers.
    pub const PACKAGE: &'static str = "reenact/user";
}

#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    pub name: Symbol,
    pub ty: Type,
    /// The generic signature, where the library reads it: `Ljava/util/List<Ljava/lang/String;>;`.
    pub signature: Option<Symbol>,
    pub is_static: bool,
    pub annotations: Vec<Annotation>,
    pub init: Option<Literal>,
}

/// A method of a declared class; its body may use `this` and its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDecl {
    pub name: Symbol,
    pub descriptor: Symbol,
    pub is_static: bool,
    pub annotations: Vec<Annotation>,
    pub param_annotations: Vec<Vec<Annotation>>,
    pub params: Vec<Def>,
    pub this: Option<VarId>,
    pub body: Block,
    pub result: Option<Arg>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    pub class: ClassName,
    pub values: Vec<(Symbol, AnnotationValue)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AnnotationValue {
    Literal(Literal),
    Array(Vec<AnnotationValue>),
    Nested(Annotation),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`, cast to this type where Java needs it.
    Null(Type),
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Text),
    Class(Type),
    Enum(FieldRef),
}

/// String content as pieces, so that `"[".repeat(10000)` stays small.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Text {
    pub pieces: Vec<TextPiece>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextPiece {
    Plain(JavaString),
    Repeat(JavaString, u32),
}

/// A Java string: UTF-16 code units, lone surrogates allowed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct JavaString(pub Vec<u16>);

impl JavaString {
    pub fn new(text: &str) -> Self {
        JavaString(text.encode_utf16().collect())
    }

    pub fn to_lossy(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }
}

impl std::fmt::Debug for JavaString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_lossy())
    }
}

impl Text {
    pub fn plain(text: &str) -> Self {
        Text { pieces: vec![TextPiece::Plain(JavaString::new(text))] }
    }

    /// The whole text, repetitions written out.
    pub fn expanded(&self) -> JavaString {
        let mut units = Vec::new();
        for piece in &self.pieces {
            match piece {
                TextPiece::Plain(text) => units.extend_from_slice(&text.0),
                TextPiece::Repeat(unit, times) => (0..*times).for_each(|_| units.extend_from_slice(&unit.0)),
            }
        }
        JavaString(units)
    }
}

impl Literal {
    pub fn string(text: &str) -> Self {
        Literal::String(Text::plain(text))
    }

    /// The static type of the literal in Java source.
    pub fn ty(&self) -> Type {
        match self {
            Literal::Null(ty) => *ty,
            Literal::Boolean(_) => Type::Boolean,
            Literal::Byte(_) => Type::Byte,
            Literal::Char(_) => Type::Char,
            Literal::Short(_) => Type::Short,
            Literal::Int(_) => Type::Int,
            Literal::Long(_) => Type::Long,
            Literal::Float(_) => Type::Float,
            Literal::Double(_) => Type::Double,
            Literal::String(_) => Type::Class(ClassName::string()),
            Literal::Class(_) => Type::class("java/lang/Class"),
            Literal::Enum(field) => Type::Class(field.class),
        }
    }
}
