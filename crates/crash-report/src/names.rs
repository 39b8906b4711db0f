//! What the names in a frame mean: JDK, glue of reflection and generated code, and the source names behind the mangled
//! ones of Java, Kotlin, Scala and Groovy compilers.
//!
//! Everything here is told from names alone. A bridge method has the name of the method it calls, so it cannot be told;
//! an accessor (`access$000`) can.

use crate::report::Frame;

/// Packages of the JDK, with the APIs that it ships under other names.
const JDK: [&str; 10] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "oracle.",
    "com.oracle.",
    "com.ibm.oti.",
    "org.w3c.dom.",
    "org.xml.sax.",
];

/// Is the class one of the JDK, by its package?
pub fn is_jdk_class(class: &str) -> bool {
    JDK.iter().any(|package| class.starts_with(package))
}

/// Is the class made at run time or by a compiler to connect others: lambda, proxy, reflection accessor, mock, hidden
/// class? Such frames come and go between versions of the JDK and of libraries.
pub fn is_glue_class(class: &str) -> bool {
    const MARKS: [&str; 21] = [
        "$$Lambda",
        "LambdaForm",
        "GeneratedMethodAccessor",
        "GeneratedConstructorAccessor",
        "GeneratedSerialization",
        // CGLIB, as itself, in Spring and in Guice.
        "$$FastClass",
        "$$Enhancer",
        "$$SpringCGLIB$$",
        "$MockitoMock$",
        // Byte Buddy, as itself and in Hibernate; Javassist before it.
        "$ByteBuddy$",
        "$HibernateProxy$",
        "_$$_jvst",
        "_$$_javassist",
        "$auxiliary$",
        // Containers of beans: Weld, OpenWebBeans, WildFly, ArC.
        "$_$$_Weld",
        "$$Owb",
        "$$$view",
        "_Subclass$$function$$",
        // Plans of queries that Janino compiles.
        ".GeneratedClass$",
        "$$Hidden",
        "/0x",
    ];
    let hidden = class.strip_prefix("0x").is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
    let of_container = class.ends_with("_ClientProxy") || class.ends_with("_Subclass");
    // Cats Effect and Kotlin put steps on a stack that never were there: `map @ com.acme.Jobs`, `_COROUTINE._BOUNDARY`.
    let step = class.contains(" @ ") || class.starts_with("_COROUTINE.");
    MARKS.iter().any(|mark| class.contains(mark)) || of_container || is_proxy_class(class) || hidden || step
}

/// `com.sun.proxy.$Proxy12`, `jdk.proxy2.$Proxy7`.
pub fn is_proxy_class(class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    simple.strip_prefix("$Proxy").is_some_and(is_digits)
}

/// Is the method one that javac makes so that a class can reach the private members of another (`access$000`)? Since
/// Java 11 there are none.
pub fn is_accessor_method(method: &str) -> bool {
    method.strip_prefix("access$").is_some_and(|n| !n.is_empty()) || method.starts_with("-$$Nest$")
}

impl Frame {
    /// Is this a frame of the JDK? Its line and even its method differ between versions.
    pub fn is_jdk(&self) -> bool {
        is_jdk_class(&self.class)
    }

    /// Is this a frame of generated code, by its class?
    pub fn is_glue(&self) -> bool {
        is_glue_class(&self.class)
    }

    /// The source file, if it is a script in a language that is compiled or interpreted while the program runs (`order.js`,
    /// `<generated>`): the class is in no jar.
    pub fn script(&self) -> Option<&str> {
        const COMPILED_BEFORE: [&str; 8] = ["java", "kt", "scala", "groovy", "clj", "cljc", "aj", "jsp"];
        if self.is_guest() {
            return Some(self.file.as_deref().unwrap_or(&self.class));
        }
        let file = self.file.as_deref()?;
        let is_script = match file.rsplit_once('.') {
            Some((name, extension)) => !COMPILED_BEFORE.contains(&extension) || is_numbered_script(name),
            // Ruby's `-e`, JShell's `#3`; Groovy calls class and file of a script that was no file the same.
            None => file.starts_with(['<', '-', '#']) || file == "NO_SOURCE_FILE" || file == host_class(&self.class),
        };
        (is_script || self.is_server_page()).then_some(file)
    }

    /// Is this a function of a guest language of Truffle? The class is the language: `<js>`.
    fn is_guest(&self) -> bool {
        self.class.starts_with('<') && self.class.ends_with('>')
    }

    /// Servers compile pages when they are asked for: `org.apache.jsp.index_jsp`, `jsp_servlet.__index`, `com.ibm._jsp._index`.
    fn is_server_page(&self) -> bool {
        self.class.ends_with("_jsp") || self.class.starts_with("jsp_servlet.") || self.class.contains("._jsp.")
    }

    /// Is this a synthetic accessor of a class that is not itself glue?
    pub fn is_accessor(&self) -> bool {
        is_accessor_method(&self.method)
    }
}

/// What Groovy calls a script that has no name: `Script1`.
fn is_numbered_script(name: &str) -> bool {
    name.strip_prefix("Script").is_some_and(is_digits)
}

/// Is this the bottom of a stack: nothing calls it?
pub(crate) fn is_bottom(frame: &Frame) -> bool {
    let class = frame.class.as_str();
    frame.method == "main"
        || (frame.method == "run"
            && (class.starts_with("java.lang.Thread") || class.starts_with("java.lang.VirtualThread")))
        || class == "java.util.concurrent.ForkJoinWorkerThread"
        || (frame.method == "run" && class.contains("$Handler"))
}

/// The class without what differs from run to run: `com.Foo$$Lambda$14/0x0000000800066840` becomes
/// `com.Foo$$Lambda`, `jdk.proxy2.$Proxy7` becomes `$Proxy`, `GeneratedMethodAccessor3` loses its number.
pub fn stable_class(class: &str) -> String {
    if let Some((host, _)) = class.split_once("$$Lambda") {
        return format!("{host}$$Lambda");
    }
    if is_proxy_class(class) {
        return "$Proxy".to_owned();
    }
    let class = class.split_once("/0x").map_or(class, |(class, _)| class);
    let accessor = class.contains("Generated") && class.contains("Accessor");
    if accessor { class.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned() } else { class.to_owned() }
}

/// The class in whose source the code of this class stands: that of a lambda, a closure, an anonymous or a nested class.
pub fn host_class(class: &str) -> &str {
    let class = class.split_once("/0x").map_or(class, |(class, _)| class);
    // A package or a class may begin with `$`; a nested class needs something before it.
    let package = class.rfind('.').map_or(0, |i| i + 1);
    match class[package..].char_indices().skip(1).find(|(_, c)| *c == '$') {
        Some((i, _)) if package + i > 0 => &class[..package + i],
        _ => class,
    }
}

/// What a compiler made of a piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mangling {
    /// The body of a lambda: `lambda$run$0`, `$anonfun$run$1`, `run$lambda$0`.
    Lambda,
    /// Kotlin: a function with default arguments, `foo$default`.
    DefaultArguments,
    /// Kotlin: the state machine of a coroutine, `invokeSuspend`, or `foo$suspendImpl`.
    Suspend,
    /// `access$000`, `access$getFoo`, `-$$Nest$mfoo`.
    Accessor,
    /// Groovy: a closure, `Foo$_run_closure1.doCall`.
    Closure,
    /// Scala: the static twin of a method of a trait, `foo$`, or of an object.
    TraitForwarder,
    /// Kotlin: a method of an inline class, `foo-impl`, or with its types in the name, `foo-abc123`.
    InlineClass,
}

/// The method of the source that a mangled method stands in, with the kind of mangling. `None` for plain names, and the
/// name is `None` where the class, not the method, tells it.
pub fn demangle<'a>(class: &'a str, method: &'a str) -> Option<(Mangling, Option<&'a str>)> {
    if let Some(name) = lambda_host(method) {
        return Some((Mangling::Lambda, name));
    }
    if let Some(rest) = method.strip_prefix("access$") {
        let named = !is_digits(rest);
        return Some((Mangling::Accessor, named.then_some(rest)));
    }
    if let Some(rest) = method.strip_prefix("-$$Nest$") {
        return Some((Mangling::Accessor, rest.get(1..).filter(|n| !n.is_empty())));
    }
    if let Some(name) = method.strip_suffix("$default") {
        return Some((Mangling::DefaultArguments, Some(name)));
    }
    if let Some(name) = method.strip_suffix("$suspendImpl") {
        return Some((Mangling::Suspend, Some(name)));
    }
    if method == "invokeSuspend" {
        return Some((Mangling::Suspend, kotlin_lambda_host(class)));
    }
    if matches!(method, "doCall" | "call")
        && let Some(host) = groovy_closure_host(class)
    {
        return Some((Mangling::Closure, Some(host)));
    }
    if let Some((name, suffix)) = method.split_once('-')
        && !name.is_empty()
        && !suffix.is_empty()
    {
        return Some((Mangling::InlineClass, Some(name)));
    }
    match method.strip_suffix('$') {
        Some(name) if !name.is_empty() => Some((Mangling::TraitForwarder, Some(name))),
        _ => None,
    }
}

/// Scala writes operators as words: `$colon$plus` is `:+`. `None` if there is nothing to undo.
pub fn scala_operators(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 18] = [
        ("$colon", ":"),
        ("$plus", "+"),
        ("$minus", "-"),
        ("$times", "*"),
        ("$div", "/"),
        ("$eq", "="),
        ("$less", "<"),
        ("$greater", ">"),
        ("$bang", "!"),
        ("$hash", "#"),
        ("$percent", "%"),
        ("$up", "^"),
        ("$amp", "&"),
        ("$bar", "|"),
        ("$tilde", "~"),
        ("$qmark", "?"),
        ("$at", "@"),
        ("$bslash", "\\"),
    ];
    let plain = WORDS.iter().fold(name.to_owned(), |name, (word, sign)| name.replace(word, sign));
    (plain != name).then_some(plain)
}

/// `lambda$run$0` and `lambda$run$0$Foo` (javac), `$anonfun$run$1` (Scala), `run$lambda$0` and `run$lambda-0` (Kotlin).
fn lambda_host(method: &str) -> Option<Option<&str>> {
    let numbered = |text: &str| text.split(['$', '-']).next().is_some_and(is_digits);
    if let Some(rest) = method.strip_prefix("lambda$") {
        let name = rest.rsplit_once('$').map_or(rest, |(name, _)| name);
        let name = name.strip_prefix("new$").unwrap_or(name);
        return Some(Some(match name {
            "new" => "<init>",
            "static" => "<clinit>",
            name => name,
        }));
    }
    if let Some(rest) = method.strip_prefix("$anonfun$") {
        let name = rest.rsplit_once('$').map_or("", |(name, _)| name);
        return Some((!name.is_empty()).then_some(name));
    }
    for mark in ["$lambda$", "$lambda-"] {
        if let Some((name, rest)) = method.split_once(mark)
            && !name.is_empty()
            && numbered(rest)
        {
            return Some(Some(name));
        }
    }
    None
}

/// Kotlin names the class of a lambda after the function: `FooKt$main$1`.
fn kotlin_lambda_host(class: &str) -> Option<&str> {
    let mut parts = class.rsplit('$').skip_while(|part| is_digits(part));
    let name = parts.next()?;
    parts.next().map(|_| name)
}

/// Groovy names the class of a closure after the method: `Foo$_run_closure1`, nested ones `Foo$_run_closure1$_closure2`.
fn groovy_closure_host(class: &str) -> Option<&str> {
    let at = class.find("$_")?;
    let rest = &class[at + 2..];
    let end = rest.find("_closure").or_else(|| rest.starts_with("closure").then_some(0))?;
    let name = &rest[..end];
    (!name.is_empty()).then_some(name)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_methods() {
        use Mangling::*;
        for (class, method, kind, name) in [
            ("a.B", "lambda$run$0", Lambda, Some("run")),
            ("a.B", "lambda$new$3", Lambda, Some("<init>")),
            ("a.B", "lambda$static$1", Lambda, Some("<clinit>")),
            ("a.B", "$anonfun$main$1", Lambda, Some("main")),
            ("a.B", "$anonfun$1", Lambda, None),
            ("a.B", "run$lambda$0", Lambda, Some("run")),
            ("a.B", "run$lambda-12", Lambda, Some("run")),
            ("a.B", "foo$default", DefaultArguments, Some("foo")),
            ("a.BKt$main$1", "invokeSuspend", Suspend, Some("main")),
            ("a.B", "foo$suspendImpl", Suspend, Some("foo")),
            ("a.B", "access$000", Accessor, None),
            ("a.B", "access$getFoo", Accessor, Some("getFoo")),
            ("a.B", "-$$Nest$mfoo", Accessor, Some("foo")),
            ("a.B$_run_closure1", "doCall", Closure, Some("run")),
            ("a.SetOps", "apply$", TraitForwarder, Some("apply")),
            ("a.B", "foo-impl", InlineClass, Some("foo")),
        ] {
            assert_eq!(demangle(class, method), Some((kind, name)), "{class}.{method}");
        }
        for method in ["run", "<init>", "$plus", "call"] {
            assert_eq!(demangle("a.B", method), None, "{method}");
        }
    }

    #[test]
    fn scripts_and_pages() {
        let made = |class: &str, file: &str| {
            let frame = Frame { class: class.into(), file: Some(file.into()), ..Frame::default() };
            frame.script().is_some()
        };
        for (class, file) in [
            ("a.B", "order.js"),
            ("a.B", "<generated>"),
            ("Script1", "Script1.groovy"),
            ("user$eval1", "NO_SOURCE_FILE"),
            ("org.apache.jsp.index_jsp", "index_jsp.java"),
            ("jsp_servlet.__index", "__index.java"),
            ("<js>", "Unnamed"),
            ("WorkflowScript", "WorkflowScript"),
            ("WorkflowScript$_run_closure1", "WorkflowScript"),
            ("RUBY", "-e"),
        ] {
            assert!(made(class, file), "{class} {file}");
        }
        for (class, file) in
            [("a.B", "B.java"), ("a.Script", "Script.groovy"), ("a.B", "B.scala"), ("a.b", "SourceFile")]
        {
            assert!(!made(class, file), "{class} {file}");
        }
    }

    #[test]
    fn classes() {
        assert_eq!(stable_class("a.B$$Lambda$14/0x0000000800066840"), "a.B$$Lambda");
        assert_eq!(stable_class("a.B$$Lambda/0x0000000800066840"), "a.B$$Lambda");
        assert_eq!(stable_class("a.B/0x0000000800066840"), "a.B");
        assert_eq!(stable_class("sun.reflect.GeneratedMethodAccessor3"), "sun.reflect.GeneratedMethodAccessor");
        assert_eq!(stable_class("jdk.proxy2.$Proxy7"), "$Proxy");
        assert_eq!(host_class("a.B$C$1"), "a.B");
        assert_eq!(host_class("a.B$$Lambda$14/0x0000000800066840"), "a.B");
        assert_eq!(host_class("a.$Gson$Types"), "a.$Gson");
        assert_eq!(host_class("a.B"), "a.B");
        assert!(is_glue_class("com.sun.proxy.$Proxy12") && is_glue_class("a.B$$EnhancerBySpringCGLIB$$1"));
        assert!(is_glue_class("a.B$$SpringCGLIB$$0") && is_glue_class("a.B$HibernateProxy$x3"));
        assert!(is_glue_class("a.B_$$_jvst3a2_0") && is_glue_class("a.B$Proxy$_$$_WeldClientProxy"));
        assert!(is_glue_class("a.B_ClientProxy") && is_glue_class("a.B_Subclass$$function$$1"));
        assert!(is_glue_class("a.B$$OwbInterceptProxy0") && is_glue_class("a.GeneratedClass$SpecificOrdering"));
        assert!(is_glue_class("map @ a.B") && is_glue_class("_COROUTINE._BOUNDARY"));
        assert!(!is_glue_class("a.Proxy12") && !is_glue_class("a.$ProxyFoo"));
        assert_eq!(scala_operators("$colon$plus").as_deref(), Some(":+"));
        assert_eq!(scala_operators("plain"), None);
    }
}
