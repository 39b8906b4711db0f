//! The recipe as a tree of blocks. Each statement performs one [`Action`] and may define one variable; arguments are
//! variables or literals, so the order of evaluation is the order of the statements.
//!
//! Variables are assigned once; those of a repeated block, once in each turn. A variable is visible after its definition in
//! its own block and in the blocks nested there, which is what Java's effectively final captures allow, so any recipe can be
//! printed as Java.

use crate::{JavaString, Literal, Text};
use program::{ClassName, FieldRef, MethodRef, Symbol, Type};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Recipe {
    /// User classes that the body refers to by name.
    pub classes: Vec<ClassDecl>,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stmt {
    /// The variable that holds the result, when it is used.
    pub def: Option<Def>,
    pub action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Def {
    pub var: VarId,
    /// The static type of the variable in Java source.
    pub ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// A cast to the definition's type: checked between references, a conversion between numbers, unboxing from a
    /// reference to a primitive type.
    Cast(Arg),
    /// Throws the value; only as the last statement of a method of a callback or of a declared class.
    Throw(Arg),
    /// From here on, an exception that ends a thread is kept as with [`Action::Keep`]; only in the body of the recipe itself.
    Capture,
    /// Keeps the exception, which is thrown after the last statement of the recipe; the first one kept wins. Only in a method
    /// of a callback. A recipe that keeps exceptions waits at its end until there is one, or until all threads are idle.
    Keep(Arg),
    Callback(Callback),
    Try {
        body: Block,
        on_throw: OnThrow,
    },
    /// Runs the body in a second thread and waits for it; an exception there is rethrown here.
    Thread(Block),
    /// Runs the body this many times, at most [`Action::MOST_TURNS`]. The result is the value that the turns carry on; none
    /// without one.
    Repeat {
        times: u32,
        carried: Option<Carried>,
        body: Block,
    },
    /// Runs the bodies at the same time, each in a thread of its own, and waits for all; of the exceptions there the one
    /// thrown first is rethrown here. At least one body.
    Together(Vec<Block>),
    /// A file in a fresh temporary directory; the result is a `java.io.File`.
    TempFile {
        name: JavaString,
        content: Content,
    },
    /// A fresh temporary directory holding these files, by relative name; the result is a `java.io.File`.
    TempDir {
        files: Vec<(JavaString, Content)>,
    },
    /// A symbolic link to a file, in a fresh temporary directory; the result is a `java.io.File`.
    Link(Arg),
    /// Changes a file that is there.
    ChangeFile(FileChange, Arg),
    /// A stream or reader over the content. Readers take text only.
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

impl Action {
    /// Turns are counted by an `int` in Java.
    pub const MOST_TURNS: u32 = i32::MAX as u32;
}

/// What each turn of [`Action::Repeat`] takes over from the one before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Carried {
    /// The value in the first turn, evaluated before it. It is also the result when there is no turn.
    pub from: Arg,
    /// Visible in the body.
    pub var: Def,
    /// The value in the following turn and, after the last, the result; evaluated at the end of each turn, so it may be a
    /// variable of the body.
    pub next: Arg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnThrow {
    /// Go on with the next statement.
    Swallow,
    /// Keep it, go on, and throw it after the last statement of the recipe; the first one kept wins.
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

impl Collection {
    /// In the order of their numbers in encoded forms.
    pub const ALL: [Collection; 10] = [
        Collection::AsList,
        Collection::ArrayList,
        Collection::LinkedList,
        Collection::HashSet,
        Collection::LinkedHashSet,
        Collection::TreeSet,
        Collection::HashMap,
        Collection::LinkedHashMap,
        Collection::TreeMap,
        Collection::Properties,
    ];

    /// The static type of the value.
    pub fn class(self) -> ClassName {
        ClassName::internal(match self {
            Collection::AsList => "java/util/List",
            Collection::ArrayList => "java/util/ArrayList",
            Collection::LinkedList => "java/util/LinkedList",
            Collection::HashSet => "java/util/HashSet",
            Collection::LinkedHashSet => "java/util/LinkedHashSet",
            Collection::TreeSet => "java/util/TreeSet",
            Collection::HashMap => "java/util/HashMap",
            Collection::LinkedHashMap => "java/util/LinkedHashMap",
            Collection::TreeMap => "java/util/TreeMap",
            Collection::Properties => "java/util/Properties",
        })
    }

    /// Takes keys and values in turn.
    pub fn is_map(self) -> bool {
        matches!(self, Collection::HashMap | Collection::LinkedHashMap | Collection::TreeMap | Collection::Properties)
    }
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

impl StreamKind {
    /// In the order of their numbers in encoded forms.
    pub const ALL: [StreamKind; 3] =
        [StreamKind::ByteArrayInputStream, StreamKind::StringReader, StreamKind::BufferedReader];

    pub fn class(self) -> ClassName {
        ClassName::internal(match self {
            StreamKind::ByteArrayInputStream => "java/io/ByteArrayInputStream",
            StreamKind::StringReader => "java/io/StringReader",
            StreamKind::BufferedReader => "java/io/BufferedReader",
        })
    }
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileChange {
    /// Nobody may read it from now on; who is root may all the same.
    DenyRead,
    DenyWrite,
    /// With an empty directory, too.
    Delete,
}

impl FileChange {
    /// In the order of their numbers in encoded forms.
    pub const ALL: [FileChange; 3] = [FileChange::DenyRead, FileChange::DenyWrite, FileChange::Delete];
}

/// What a file or stream holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Encoded as UTF-8.
    Text(Text),
    Bytes(Vec<u8>),
}

/// An object of ours that the program calls back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callback {
    pub form: CallbackForm,
    /// The methods with a body; every other one does nothing and returns zero, false or null.
    pub methods: Vec<CallbackMethod>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallbackForm {
    /// A lambda for a functional interface: exactly one method.
    Lambda { interface: ClassName },
    /// An anonymous class implementing an interface.
    Interface { interface: ClassName },
    /// An anonymous subclass, made with this constructor.
    Subclass { constructor: MethodRef, args: Vec<Arg> },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallbackMethod {
    /// As declared by the interface or superclass.
    pub method: MethodRef,
    pub params: Vec<Def>,
    /// The callback itself, where the body needs it.
    pub this: Option<VarId>,
    pub body: Block,
    /// `None` returns zero, false or null.
    pub result: Option<Arg>,
}

/// A class of the user that a library reflects on. Its name lives in [`ClassDecl::PACKAGE`]; the test prints it as a
/// public static nested class. All its members are public.
///
/// A class without a constructor of its own gets the default one, which calls the superclass's without arguments and
/// sets the fields. A method named `<init>` is a constructor: it does the same and then runs its body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassDecl {
    pub name: ClassName,
    pub kind: ClassKind,
    /// The generic signature of class, superclass and interfaces, where the library reads it:
    /// `Lcom/acme/TypeToken<Ljava/util/List<Ljava/lang/String;>;>;`.
    pub signature: Option<Symbol>,
    /// `java/lang/Object` for an interface.
    pub super_class: ClassName,
    pub interfaces: Vec<ClassName>,
    pub annotations: Vec<Annotation>,
    pub fields: Vec<FieldDecl>,
    pub methods: Vec<MethodDecl>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClassKind {
    Class,
    /// Its methods are abstract, so their bodies are empty; its fields are constants.
    Interface,
}

impl ClassDecl {
    /// The package of declared classes inside recipes and workers.
    pub const PACKAGE: &'static str = "reenact/user";

    /// The class name of a declared class with this simple name.
    pub fn class_name(simple: &str) -> ClassName {
        ClassName::internal(&format!("{}/{simple}", ClassDecl::PACKAGE))
    }

    /// Whether it is there for nothing but to say what the type parameter of its superclass is.
    pub fn is_token(&self) -> bool {
        self.signature.is_some_and(|signature| !signature.as_str().starts_with('<'))
            && self.super_class != ClassName::object()
            && !ClassDecl::is_declared_name(self.super_class)
            && self.interfaces.is_empty()
            && self.fields.is_empty()
            && self.methods.is_empty()
    }

    /// Whether a class of this name can only come from a declaration.
    pub fn is_declared_name(class: ClassName) -> bool {
        class.package() == ClassDecl::PACKAGE
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodDecl {
    pub name: Symbol,
    pub descriptor: Symbol,
    pub signature: Option<Symbol>,
    pub is_static: bool,
    /// The last parameter, an array, is declared with `...`.
    pub is_varargs: bool,
    pub annotations: Vec<Annotation>,
    /// Empty, or one list per parameter.
    pub param_annotations: Vec<Vec<Annotation>>,
    pub params: Vec<Def>,
    pub this: Option<VarId>,
    pub body: Block,
    /// `None` returns zero, false or null.
    pub result: Option<Arg>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Annotation {
    pub class: ClassName,
    pub values: Vec<(Symbol, AnnotationValue)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnnotationValue {
    Literal(Literal),
    Array(Vec<AnnotationValue>),
    Nested(Annotation),
}
