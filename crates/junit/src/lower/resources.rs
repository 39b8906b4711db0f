//! What a test takes from outside of the program: threads, files, streams, system settings. Longer ways to get them are
//! helpers of the test class, written once.

use super::{Lower, Scope, Value, ValueKind};
use crate::literal;
use crate::syntax::{Catch, Expr, LambdaBody, Method, Param, Statement, TypeUse};
use program::classfile::signature::{ClassType, GenericType, TypeArgument, TypeParameter};
use program::{ClassName, Symbol, Type};
use recipe::{Action, Arg, Block, Content, Def, FileChange, JavaString, StreamKind, Text, TextPiece};

/// A private static method of the test class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Helper {
    InThread,
    Together,
    TempDirectory,
    Write,
    Unchecked,
    AccessibleConstructor,
    AccessibleMethod,
}

const FILE: &str = "java/io/File";
const FILES: &str = "java/nio/file/Files";
const IO_EXCEPTION: &str = "java/io/IOException";

impl Lower<'_> {
    /// Runs the body in a second thread.
    pub(super) fn thread(&mut self, body: &Block, scope: &mut Scope) {
        let code = self.callable(body, scope);
        scope.throws("java/lang/Throwable");
        scope.push(Statement::Expr(self.helper(Helper::InThread, vec![code])));
    }

    /// Runs the bodies at the same time.
    pub(super) fn together(&mut self, bodies: &[Block], scope: &mut Scope) {
        let codes = bodies.iter().map(|body| self.callable(body, scope)).collect();
        scope.throws("java/lang/Throwable");
        scope.push(Statement::Expr(self.helper(Helper::Together, codes)));
    }

    /// The body as a lambda for a thread.
    fn callable(&mut self, body: &Block, scope: &Scope) -> Expr {
        let mut inner = scope.inner();
        self.block(body, &mut inner);
        let result = Some(Expr::atom("null"));
        // A `Callable` may throw exceptions, but not everything.
        let exception = Type::class("java/lang/Exception");
        let too_wide = inner.thrown.iter().any(|class| !self.world.is_subtype(Type::Class(*class), exception));
        let statements =
            if too_wide { self.throw_unchecked(inner.statements, result) } else { returning(inner.statements, result) };
        Expr::Lambda { params: Vec::new(), body: LambdaBody::Block(statements) }
    }

    /// The statements and the result, so that checked exceptions leave them undeclared.
    pub(super) fn throw_unchecked(&mut self, statements: Vec<Statement>, result: Option<Expr>) -> Vec<Statement> {
        let name = self.names.give("e");
        let rethrow = Statement::Throw(self.helper(Helper::Unchecked, vec![Expr::atom(&*name)]));
        let catch = Catch { class: ClassName::internal("java/lang/Throwable"), name, body: vec![rethrow] };
        vec![Statement::Try { body: returning(statements, result), catch: Some(catch), finally: Vec::new() }]
    }

    pub(super) fn helper(&mut self, helper: Helper, args: Vec<Expr>) -> Expr {
        self.helpers.insert(helper);
        if helper == Helper::Unchecked {
            self.unchecked = true;
        }
        // Inherited methods of the same name would be meant inside of a class body.
        let target = (self.in_class_body > 0).then(|| Expr::atom(self.test_class()));
        Expr::call(target, helper.name(), args)
    }

    pub(super) fn temp_file(&mut self, name: &JavaString, content: &Content, scope: &mut Scope) -> Value {
        let directory = self.helper(Helper::TempDirectory, Vec::new());
        let file = self.written(directory, name, content, scope);
        Value::plain(file, Type::class(FILE))
    }

    pub(super) fn temp_directory(
        &mut self,
        files: &[(JavaString, Content)],
        def: Option<Def>,
        scope: &mut Scope,
    ) -> Value {
        scope.throws(IO_EXCEPTION);
        let made = self.helper(Helper::TempDirectory, Vec::new());
        if files.is_empty() {
            return Value::plain(made, Type::class(FILE));
        }
        let hint = def.and_then(|def| self.hints.get(&def.var).cloned());
        let name = self.names.give(hint.as_deref().unwrap_or("directory"));
        scope.push(Statement::declare(Type::class(FILE), &name, made));
        for (file, content) in files {
            let written = self.written(Expr::atom(&*name), file, content, scope);
            scope.push(Statement::Expr(written));
        }
        Value { kind: ValueKind::Fresh, ..Value::plain(Expr::atom(name), Type::class(FILE)) }
    }

    /// A symbolic link to the file.
    pub(super) fn link(&mut self, to: &Arg, scope: &mut Scope) -> Value {
        scope.throws(IO_EXCEPTION);
        let to = self.arg(to, scope).expr.then("toPath", Vec::new());
        let directory = self.helper(Helper::TempDirectory, Vec::new());
        let place = made(FILE, vec![directory, Expr::atom("\"link\"")]).then("toPath", Vec::new());
        let link = Expr::static_call(FILES, "createSymbolicLink", vec![place, to]).then("toFile", Vec::new());
        Value::plain(link, Type::class(FILE))
    }

    pub(super) fn change_file(&mut self, change: FileChange, file: &Arg, scope: &mut Scope) {
        let file = self.arg(file, scope).expr;
        let changed = match change {
            FileChange::DenyRead => file.then("setReadable", vec![Expr::atom("false")]),
            FileChange::DenyWrite => file.then("setWritable", vec![Expr::atom("false")]),
            FileChange::Delete => file.then("delete", Vec::new()),
        };
        scope.push(Statement::Expr(changed));
    }

    fn written(&mut self, directory: Expr, name: &JavaString, content: &Content, scope: &mut Scope) -> Expr {
        scope.throws(IO_EXCEPTION);
        let name = Expr::atom(literal::quoted(&name.0));
        let bytes = self.bytes(content);
        self.helper(Helper::Write, vec![directory, name, bytes])
    }

    pub(super) fn stream(&mut self, kind: StreamKind, content: &Content) -> Value {
        let (class, arg) = match kind {
            StreamKind::ByteArrayInputStream => ("java/io/ByteArrayInputStream", self.bytes(content)),
            StreamKind::StringReader => ("java/io/StringReader", self.text(content)),
            StreamKind::BufferedReader => {
                let reader = made("java/io/StringReader", vec![self.text(content)]);
                ("java/io/BufferedReader", reader)
            }
        };
        Value::plain(made(class, vec![arg]), Type::class(class))
    }

    /// The content as an array of bytes.
    fn bytes(&self, content: &Content) -> Expr {
        match content {
            Content::Text(text) if text.is_empty() => no_bytes(),
            Content::Text(text) => encoded(literal::string(text, self.options.release), "UTF_8"),
            Content::Bytes(bytes) => self.byte_array(bytes),
        }
    }

    /// Bytes as text where they are one, else as numbers; many of them in Base64, because code for arrays is limited.
    fn byte_array(&self, bytes: &[u8]) -> Expr {
        const FEW: usize = 48;
        if bytes.is_empty() {
            return no_bytes();
        }
        let is_text = bytes.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'));
        if is_text {
            let text =
                Text { pieces: vec![TextPiece::Plain(JavaString(bytes.iter().map(|b| u16::from(*b)).collect()))] };
            return encoded(literal::string(&text, self.options.release), "US_ASCII");
        }
        if bytes.len() <= FEW {
            let elements = bytes.iter().map(|byte| Expr::atom(byte.cast_signed().to_string())).collect();
            return Expr::ArrayOf { component: Type::Byte, elements };
        }
        let text = Text { pieces: vec![TextPiece::Plain(JavaString::new(&base64(bytes)))] };
        let decoder = Expr::static_call("java/util/Base64", "getDecoder", Vec::new());
        decoder.then("decode", vec![literal::string(&text, self.options.release)])
    }

    /// The content as a string.
    fn text(&self, content: &Content) -> Expr {
        match content {
            Content::Text(text) => literal::string(text, self.options.release),
            Content::Bytes(bytes) => made("java/lang/String", vec![self.byte_array(bytes), charset("UTF_8")]),
        }
    }

    pub(super) fn set_environment(&mut self, action: &Action, scope: &mut Scope) {
        let string = |text: &JavaString| Expr::atom(literal::quoted(&text.0));
        let symbol = |text: &str| Expr::atom(literal::quoted(&JavaString::new(text).0));
        let expr = match action {
            Action::SetProperty { key, value: Some(value) } => {
                Expr::static_call(SYSTEM, "setProperty", vec![string(key), string(value)])
            }
            Action::SetProperty { key, value: None } => Expr::static_call(SYSTEM, "clearProperty", vec![string(key)]),
            Action::SetLocale(tag) => {
                let locale = Expr::static_call(LOCALE, "forLanguageTag", vec![symbol(tag.as_str())]);
                Expr::static_call(LOCALE, "setDefault", vec![locale])
            }
            Action::SetTimeZone(id) => {
                let zone = Expr::static_call(TIME_ZONE, "getTimeZone", vec![symbol(id.as_str())]);
                Expr::static_call(TIME_ZONE, "setDefault", vec![zone])
            }
            _ => return,
        };
        scope.push(Statement::Expr(expr));
    }

    /// Lowers the block of the test method; system settings that it changes are put back afterwards, so that the tests
    /// that run next in the same JVM do not see them.
    pub(super) fn restoring(&mut self, block: &Block, scope: &mut Scope) {
        let first = block.stmts.iter().position(|stmt| !Settings::of_action(&stmt.action).is_empty());
        let Some(first) = first else { return self.block(block, scope) };
        let (before, after) = block.stmts.split_at(first);
        before.iter().for_each(|stmt| self.stmt(stmt, scope));
        let settings = after.iter().fold(Settings::default(), |all, stmt| all.and(Settings::of_action(&stmt.action)));
        let mut finally = Vec::new();
        for (is_set, class, wish, get, set) in [
            (settings.locale, LOCALE, "defaultLocale", getter(LOCALE, "getDefault"), "setDefault"),
            (settings.time_zone, TIME_ZONE, "defaultTimeZone", getter(TIME_ZONE, "getDefault"), "setDefault"),
            (
                settings.handler,
                HANDLER,
                "defaultHandler",
                getter(THREAD, "getDefaultUncaughtExceptionHandler"),
                SET_HANDLER,
            ),
            (settings.properties, PROPERTIES, "systemProperties", cloned_properties(), "setProperties"),
        ] {
            if is_set {
                let name = self.names.give(wish);
                scope.push(Statement::declare(Type::class(class), &name, get));
                let owner = match class {
                    PROPERTIES => SYSTEM,
                    HANDLER => THREAD,
                    class => class,
                };
                finally.push(Statement::Expr(Expr::static_call(owner, set, vec![Expr::atom(name)])));
            }
        }
        let mut inner = scope.inner();
        after.iter().for_each(|stmt| self.stmt(stmt, &mut inner));
        if settings.handler {
            self.throw_queued(&mut inner);
        }
        scope.thrown.append(&mut inner.thrown);
        scope.push(Statement::Try { body: inner.statements, catch: None, finally });
    }
}

const SYSTEM: &str = "java/lang/System";
const LOCALE: &str = "java/util/Locale";
const TIME_ZONE: &str = "java/util/TimeZone";
const PROPERTIES: &str = "java/util/Properties";
pub(super) const THREAD: &str = "java/lang/Thread";
const HANDLER: &str = "java/lang/Thread$UncaughtExceptionHandler";
pub(super) const SET_HANDLER: &str = "setDefaultUncaughtExceptionHandler";

fn getter(class: &str, name: &str) -> Expr {
    Expr::static_call(class, name, Vec::new())
}

fn cloned_properties() -> Expr {
    getter(SYSTEM, "getProperties").then("clone", Vec::new()).cast(Type::class(PROPERTIES))
}

fn made(class: &str, args: Vec<Expr>) -> Expr {
    Expr::New { outer: None, class: TypeUse::class(class), args, body: None }
}

fn charset(name: &str) -> Expr {
    Expr::select(Expr::class("java/nio/charset/StandardCharsets"), name)
}

fn encoded(text: Expr, name: &str) -> Expr {
    text.then("getBytes", vec![charset(name)])
}

/// The statements and the result; what throws in the end gives none.
pub(super) fn returning(mut statements: Vec<Statement>, result: Option<Expr>) -> Vec<Statement> {
    let result = result.filter(|_| !matches!(statements.last(), Some(Statement::Throw(_))));
    statements.extend(result.map(|result| Statement::Return(Some(result))));
    statements
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for position in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * position) & 63) as usize];
            text.push(if position <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// System settings that statements change.
#[derive(Clone, Copy, Default)]
struct Settings {
    locale: bool,
    time_zone: bool,
    properties: bool,
    /// What becomes of exceptions that end a thread.
    handler: bool,
}

impl Settings {
    fn of_action(action: &Action) -> Settings {
        let none = Settings::default();
        let of_block =
            |block: &Block| block.stmts.iter().fold(none, |all, stmt| all.and(Settings::of_action(&stmt.action)));
        match action {
            Action::SetLocale(_) => Settings { locale: true, ..none },
            Action::SetTimeZone(_) => Settings { time_zone: true, ..none },
            Action::SetProperty { .. } => Settings { properties: true, ..none },
            Action::Capture => Settings { handler: true, ..none },
            nesting => nesting.bodies().iter().fold(none, |all, body| all.and(of_block(body.block))),
        }
    }

    fn and(self, other: Settings) -> Settings {
        Settings {
            locale: self.locale || other.locale,
            time_zone: self.time_zone || other.time_zone,
            properties: self.properties || other.properties,
            handler: self.handler || other.handler,
        }
    }

    fn is_empty(self) -> bool {
        !(self.locale || self.time_zone || self.properties || self.handler)
    }
}

impl Helper {
    pub(crate) const ALL: [Helper; 7] = [
        Helper::InThread,
        Helper::Together,
        Helper::TempDirectory,
        Helper::Write,
        Helper::Unchecked,
        Helper::AccessibleConstructor,
        Helper::AccessibleMethod,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Helper::InThread => "inThread",
            Helper::Together => "together",
            Helper::TempDirectory => "tempDirectory",
            Helper::Write => "write",
            Helper::Unchecked => "unchecked",
            Helper::AccessibleConstructor | Helper::AccessibleMethod => "accessible",
        }
    }

    pub(crate) fn method(self) -> Method {
        let (comment, ret, params, throws, body) = match self {
            Helper::InThread => in_thread(),
            Helper::Together => together(),
            Helper::TempDirectory => temp_directory(),
            Helper::Write => write(),
            Helper::Unchecked => unchecked(),
            Helper::AccessibleConstructor => {
                accessible(super::reflection::constructor_type(), "constructor", "unreflectConstructor")
            }
            Helper::AccessibleMethod => accessible(TypeUse::class("java/lang/reflect/Method"), "method", "unreflect"),
        };
        let is_generic = self == Helper::Unchecked;
        Method {
            comment: Some(comment.into()),
            annotations: Vec::new(),
            modifiers: "private static".into(),
            type_parameters: if is_generic { vec![throwable_parameter()] } else { Vec::new() },
            ret,
            name: self.name().into(),
            is_constructor: false,
            params,
            throws: vec![throws],
            body: Some(body),
            is_filler: false,
        }
    }
}

type Parts = (&'static str, Option<TypeUse>, Vec<Param>, TypeUse, Vec<Statement>);

/// `new byte[0]`
fn no_bytes() -> Expr {
    Expr::NewArray { component: Type::Byte, length: Box::new(Expr::atom("0")) }
}

/// `T extends Throwable`
fn throwable_parameter() -> TypeParameter {
    let throwable = ClassType { class: ClassName::internal("java/lang/Throwable"), arguments: Vec::new(), outer: None };
    TypeParameter {
        name: Symbol::new("T"),
        class_bound: Some(GenericType::Class(throwable)),
        interface_bounds: Vec::new(),
    }
}

fn object_applied(class: &str) -> TypeUse {
    TypeUse::Applied(ClassName::internal(class), vec![TypeUse::class("java/lang/Object")])
}

fn in_thread() -> Parts {
    let future = "java/util/concurrent/FutureTask";
    let diamond = TypeUse::Diamond(ClassName::internal(future));
    let task = Expr::New { outer: None, class: diamond, args: vec![Expr::atom("code")], body: None };
    let catch = Catch {
        class: ClassName::internal("java/util/concurrent/ExecutionException"),
        name: "e".into(),
        body: vec![Statement::Throw(Expr::atom("e").then("getCause", Vec::new()))],
    };
    let body = vec![
        Statement::declare(object_applied(future), "task", task),
        Statement::Expr(made("java/lang/Thread", vec![Expr::atom("task")]).then("start", Vec::new())),
        Statement::Try {
            body: vec![Statement::Expr(Expr::atom("task").then("get", Vec::new()))],
            catch: Some(catch),
            finally: Vec::new(),
        },
    ];
    let params = vec![Param::new(object_applied("java/util/concurrent/Callable"), "code")];
    (
        "Runs the code in a second thread and throws what it throws.",
        None,
        params,
        TypeUse::class("java/lang/Throwable"),
        body,
    )
}

fn together() -> Parts {
    let (latch, reference, thread) =
        ("java/util/concurrent/CountDownLatch", "java/util/concurrent/atomic/AtomicReference", "java/lang/Thread");
    let throwable = || TypeUse::class("java/lang/Throwable");
    let applied = |class: &str, argument: TypeUse| TypeUse::Applied(ClassName::internal(class), vec![argument]);
    let diamond = |class: &str| {
        let class = TypeUse::Diamond(ClassName::internal(class));
        Expr::New { outer: None, class, args: Vec::new(), body: None }
    };
    let call = |target: &str, name: &str, args: Vec<Expr>| Expr::atom(target).then(name, args);
    let statement = |target: &str, name: &str, args: Vec<Expr>| Statement::Expr(call(target, name, args));
    let catch = Catch {
        class: ClassName::internal("java/lang/Throwable"),
        name: "e".into(),
        body: vec![statement("first", "compareAndSet", vec![Expr::atom("null"), Expr::atom("e")])],
    };
    let run = Statement::Try {
        body: vec![statement("start", "await", Vec::new()), statement("code", "call", Vec::new())],
        catch: Some(catch),
        finally: Vec::new(),
    };
    let code = Expr::Lambda { params: Vec::new(), body: LambdaBody::Block(vec![run]) };
    let body = vec![
        Statement::declare(Type::class(latch), "start", made(latch, vec![Expr::atom("1")])),
        Statement::declare(applied(reference, throwable()), "first", diamond(reference)),
        Statement::declare(
            applied("java/util/List", TypeUse::class(thread)),
            "threads",
            diamond("java/util/ArrayList"),
        ),
        Statement::ForEach {
            ty: applied("java/util/concurrent/Callable", TypeUse::Text("?")),
            name: "code".into(),
            all: Expr::atom("codes"),
            body: vec![
                Statement::declare(Type::class(thread), "thread", made(thread, vec![code])),
                statement("thread", "start", Vec::new()),
                statement("threads", "add", vec![Expr::atom("thread")]),
            ],
        },
        statement("start", "countDown", Vec::new()),
        Statement::ForEach {
            ty: TypeUse::class(thread),
            name: "thread".into(),
            all: Expr::atom("threads"),
            body: vec![statement("thread", "join", Vec::new())],
        },
        Statement::If {
            condition: call("first", "get", Vec::new()).compare("!=", Expr::atom("null")),
            then: vec![Statement::Throw(call("first", "get", Vec::new()))],
        },
    ];
    let callable = ClassType {
        class: ClassName::internal("java/util/concurrent/Callable"),
        arguments: vec![TypeArgument::Any],
        outer: None,
    };
    let codes = TypeUse::Generic(GenericType::Array(Box::new(GenericType::Class(callable))));
    let params = vec![Param { is_variable: true, ..Param::new(codes, "codes") }];
    (
        "Runs the codes at the same time, each in a thread, and throws what is thrown first.",
        None,
        params,
        throwable(),
        body,
    )
}

fn temp_directory() -> Parts {
    let made = Expr::static_call(FILES, "createTempDirectory", vec![Expr::atom("\"test\"")]).then("toFile", Vec::new());
    let body = vec![
        Statement::declare(Type::class(FILE), "directory", made),
        Statement::Expr(Expr::atom("directory").then("deleteOnExit", Vec::new())),
        Statement::Return(Some(Expr::atom("directory"))),
    ];
    ("A new directory, deleted at exit.", Some(TypeUse::class(FILE)), Vec::new(), TypeUse::class(IO_EXCEPTION), body)
}

fn write() -> Parts {
    let file = || Expr::atom("file");
    let body = vec![
        Statement::declare(Type::class(FILE), "file", made(FILE, vec![Expr::atom("directory"), Expr::atom("name")])),
        Statement::Expr(file().then("getParentFile", Vec::new()).then("mkdirs", Vec::new())),
        Statement::Expr(file().then("getParentFile", Vec::new()).then("deleteOnExit", Vec::new())),
        Statement::Expr(file().then("deleteOnExit", Vec::new())),
        Statement::Expr(Expr::static_call(
            FILES,
            "write",
            vec![file().then("toPath", Vec::new()), Expr::atom("content")],
        )),
        Statement::Return(Some(file())),
    ];
    let params = vec![
        Param::new(TypeUse::class(FILE), "directory"),
        Param::new(TypeUse::class("java/lang/String"), "name"),
        Param::new(TypeUse::Raw(Type::array_of(Type::Byte)), "content"),
    ];
    (
        "A file with this content, deleted at exit.",
        Some(TypeUse::class(FILE)),
        params,
        TypeUse::class(IO_EXCEPTION),
        body,
    )
}

fn unchecked() -> Parts {
    let body = vec![Statement::Throw(Expr::CastToVariable("T", Box::new(Expr::atom("e"))))];
    let params = vec![Param::new(TypeUse::class("java/lang/Throwable"), "e")];
    let ret = TypeUse::class("java/lang/RuntimeException");
    ("Throws the exception although nobody declares it.", Some(ret), params, TypeUse::Text("T"), body)
}

fn accessible(ty: TypeUse, name: &'static str, unreflect: &str) -> Parts {
    let lookup = Expr::static_call("java/lang/invoke/MethodHandles", "lookup", Vec::new());
    let body = vec![
        Statement::Expr(Expr::atom(name).then("setAccessible", vec![Expr::atom("true")])),
        Statement::Return(Some(lookup.then(unreflect, vec![Expr::atom(name)]))),
    ];
    (
        "Calls through the handle throw what is thrown, unlike those by reflection.",
        Some(TypeUse::class("java/lang/invoke/MethodHandle")),
        vec![Param::new(ty, name)],
        TypeUse::class("java/lang/IllegalAccessException"),
        body,
    )
}
