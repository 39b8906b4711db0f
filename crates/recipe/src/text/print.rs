//! The printer of the text form.

use crate::text::lex::is_plain_name;
use crate::{
    Access, Action, Annotation, AnnotationValue, Arg, Block, Callback, CallbackForm, CallbackMethod, Carried,
    ClassDecl, ClassKind, Content, Def, FieldDecl, FileChange, JavaString, Literal, MethodDecl, OnThrow, Recipe, Stmt,
    Text, TextPiece, VarId,
};
use program::{ClassName, FieldRef, MethodRef, MethodType, Symbol, Type};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Recipe {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { out: f, indent: 0 };
        self.classes.iter().try_for_each(|class| printer.class(class))?;
        printer.stmts(&self.body.stmts)
    }
}

/// Without the line end.
impl Display for Stmt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { out: f, indent: 0 }.stmt(self)
    }
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Var(var) => var.fmt(f),
            Arg::Literal(literal) => literal.fmt(f),
        }
    }
}

impl Display for VarId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null(ty) => write!(f, "null({})", Ty(*ty)),
            Literal::Boolean(value) => value.fmt(f),
            Literal::Byte(value) => write!(f, "{value}b"),
            Literal::Char(unit) => {
                f.write_char('\'')?;
                units(f, &[*unit])?;
                f.write_char('\'')
            }
            Literal::Short(value) => write!(f, "{value}s"),
            Literal::Int(value) => value.fmt(f),
            Literal::Long(value) => write!(f, "{value}L"),
            Literal::Float(value) => float(f, f64::from(*value), &format!("{value:?}"), value.to_bits().into(), 'f'),
            Literal::Double(value) => float(f, *value, &format!("{value:?}"), value.to_bits(), 'd'),
            Literal::String(text) => text.fmt(f),
            Literal::Class(ty) => write!(f, "class {}", Ty(*ty)),
            Literal::Enum(field) => {
                write!(f, "enum {}", Member(field.class, field.name))?;
                match field.field_type() {
                    ty if ty == Type::Class(field.class) => Ok(()),
                    ty => write!(f, ": {}", Ty(ty)),
                }
            }
        }
    }
}

/// NaNs other than the usual one are rare and written by their bits.
fn float(f: &mut Formatter<'_>, value: f64, shown: &str, bits: u64, suffix: char) -> fmt::Result {
    let usual_nan = if suffix == 'f' { u64::from(f32::NAN.to_bits()) } else { f64::NAN.to_bits() };
    if value.is_finite() {
        write!(f, "{shown}{suffix}")
    } else if value.is_infinite() {
        write!(f, "{}Infinity{suffix}", if value < 0.0 { "-" } else { "" })
    } else if bits == usual_nan {
        write!(f, "NaN{suffix}")
    } else {
        write!(f, "NaN{suffix}({bits})")
    }
}

/// Concatenation of its pieces, in normal form.
impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let normal = self.clone().normalised();
        if normal.pieces.is_empty() {
            return f.write_str("\"\"");
        }
        for (i, piece) in normal.pieces.iter().enumerate() {
            f.write_str(if i > 0 { " + " } else { "" })?;
            match piece {
                TextPiece::Plain(text) => write!(f, "{}", Quoted(text))?,
                TextPiece::Repeat(unit, times) => write!(f, "{} * {times}", Quoted(unit))?,
            }
        }
        Ok(())
    }
}

struct Quoted<'a>(&'a JavaString);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        units(f, &self.0.0)?;
        f.write_char('"')
    }
}

fn units(f: &mut Formatter<'_>, units: &[u16]) -> fmt::Result {
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok('\n') => f.write_str("\\n")?,
            Ok('\r') => f.write_str("\\r")?,
            Ok('\t') => f.write_str("\\t")?,
            Ok(c @ ('"' | '\'' | '\\')) => write!(f, "\\{c}")?,
            // What may be invisible or reorder a line is spelled out: all but ASCII, letters and digits.
            Ok(c) if (' '..='~').contains(&c) || c.is_alphanumeric() => f.write_char(c)?,
            Ok(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            Err(lone) => write!(f, "\\u{{{:x}}}", lone.unpaired_surrogate())?,
        }
    }
    Ok(())
}

/// One part of a name, in backquotes where needed.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain_name(self.0) {
            return f.write_str(self.0);
        }
        f.write_char('`')?;
        for c in self.0.chars() {
            match c {
                '`' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('`')
    }
}

struct Class(ClassName);

impl Display for Class {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.as_internal().split('/').enumerate() {
            f.write_str(if i > 0 { "." } else { "" })?;
            Name(part).fmt(f)?;
        }
        Ok(())
    }
}

struct Ty(Type);

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Class(name) if is_primitive_name(name.as_internal()) => write!(f, "`{}`", name.as_internal()),
            Type::Class(name) => Class(name).fmt(f),
            Type::Array(array) => write!(f, "{}[]", Ty(array.component())),
            primitive => write!(f, "{primitive}"),
        }
    }
}

/// Obfuscated programs do have classes of these names.
fn is_primitive_name(name: &str) -> bool {
    ["boolean", "byte", "char", "short", "int", "long", "float", "double"].contains(&name)
}

struct Member(ClassName, Symbol);

impl Display for Member {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", Class(self.0), Name(self.1.as_str()))
    }
}

struct Printer<'a, 'f> {
    out: &'a mut Formatter<'f>,
    indent: usize,
}

impl Printer<'_, '_> {
    fn line_start(&mut self) -> fmt::Result {
        (0..self.indent).try_for_each(|_| self.out.write_str("  "))
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> fmt::Result {
        for stmt in stmts {
            self.line_start()?;
            self.stmt(stmt)?;
            self.out.write_char('\n')?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        if let Some(def) = stmt.def {
            self.def(def)?;
            self.out.write_str(" = ")?;
        }
        self.action(&stmt.action)
    }

    fn def(&mut self, def: Def) -> fmt::Result {
        write!(self.out, "{}: {}", def.var, Ty(def.ty))
    }

    fn action(&mut self, action: &Action) -> fmt::Result {
        match action {
            Action::Literal(literal) => literal.fmt(self.out),
            Action::New { constructor, args, access } => {
                self.access(*access)?;
                write!(self.out, "new {}", Class(constructor.class))?;
                self.typed_args(*constructor, args)
            }
            Action::Call { method, receiver, args, access } => {
                self.access(*access)?;
                self.out.write_str("call ")?;
                self.receiver(receiver.as_ref())?;
                Member(method.class, method.name).fmt(self.out)?;
                self.typed_args(*method, args)?;
                self.result_type(method.signature().ret)
            }
            Action::GetField { field, receiver, access } => self.field("get", *field, receiver.as_ref(), *access),
            Action::PutField { field, receiver, value, access } => {
                self.field("put", *field, receiver.as_ref(), *access)?;
                write!(self.out, " = {value}")
            }
            Action::NewArray { component, length } => write!(self.out, "array {}[{length}]", Ty(*component)),
            Action::ArrayOf { component, elements } => {
                write!(self.out, "array {} {{", Ty(*component))?;
                self.list(elements)?;
                self.out.write_char('}')
            }
            Action::PutElement { array, index, value } => write!(self.out, "store {array}[{index}] = {value}"),
            Action::GetElement { array, index } => write!(self.out, "load {array}[{index}]"),
            Action::Collection(kind, elements) => {
                write!(self.out, "collect {kind:?} [")?;
                self.list(elements)?;
                self.out.write_char(']')
            }
            Action::Cast(arg) => write!(self.out, "cast {arg}"),
            Action::Throw(arg) => write!(self.out, "throw {arg}"),
            Action::Capture => self.out.write_str("capture"),
            Action::Keep(arg) => write!(self.out, "keep {arg}"),
            Action::Link(to) => write!(self.out, "link {to}"),
            Action::ChangeFile(FileChange::DenyRead, file) => write!(self.out, "unreadable {file}"),
            Action::ChangeFile(FileChange::DenyWrite, file) => write!(self.out, "unwritable {file}"),
            Action::ChangeFile(FileChange::Delete, file) => write!(self.out, "delete {file}"),
            Action::Callback(callback) => self.callback(callback),
            Action::Try { body, on_throw } => {
                self.out.write_str("try ")?;
                self.block(body, None)?;
                self.out.write_str(match on_throw {
                    OnThrow::Swallow => " swallow",
                    OnThrow::RethrowAtEnd => " rethrow",
                })
            }
            Action::Thread(body) => {
                self.out.write_str("thread ")?;
                self.block(body, None)
            }
            Action::Repeat { times, carried, body } => self.repeat(*times, carried.as_ref(), body),
            Action::Together(bodies) => {
                for (i, body) in bodies.iter().enumerate() {
                    self.out.write_str(if i > 0 { " and " } else { "together " })?;
                    self.block(body, None)?;
                }
                Ok(())
            }
            Action::TempFile { name, content } => {
                write!(self.out, "file {} ", Quoted(name))?;
                self.content(content)
            }
            Action::TempDir { files } => self.directory(files),
            Action::Stream(kind, content) => {
                write!(self.out, "stream {kind:?} ")?;
                self.content(content)
            }
            Action::SetProperty { key, value: Some(value) } => {
                write!(self.out, "property {} = {}", Quoted(key), Quoted(value))
            }
            Action::SetProperty { key, value: None } => write!(self.out, "property {} unset", Quoted(key)),
            Action::SetLocale(tag) => write!(self.out, "locale {}", Quoted(&JavaString::new(tag.as_str()))),
            Action::SetTimeZone(id) => write!(self.out, "zone {}", Quoted(&JavaString::new(id.as_str()))),
        }
    }

    fn access(&mut self, access: Access) -> fmt::Result {
        self.out.write_str(match access {
            Access::Public => "",
            Access::Package => "package ",
            Access::Reflective => "reflective ",
        })
    }

    fn receiver(&mut self, receiver: Option<&Arg>) -> fmt::Result {
        receiver.map_or(Ok(()), |receiver| write!(self.out, "{receiver}->"))
    }

    fn typed_args(&mut self, method: MethodRef, args: &[Arg]) -> fmt::Result {
        self.out.write_char('(')?;
        for (i, (ty, arg)) in method.signature().params.into_iter().zip(args).enumerate() {
            self.out.write_str(if i > 0 { ", " } else { "" })?;
            write!(self.out, "{} {arg}", Ty(ty))?;
        }
        self.out.write_char(')')
    }

    fn result_type(&mut self, ret: Option<Type>) -> fmt::Result {
        ret.map_or(Ok(()), |ty| write!(self.out, ": {}", Ty(ty)))
    }

    fn field(&mut self, verb: &str, field: FieldRef, receiver: Option<&Arg>, access: Access) -> fmt::Result {
        self.access(access)?;
        write!(self.out, "{verb} ")?;
        self.receiver(receiver)?;
        write!(self.out, "{}: {}", Member(field.class, field.name), Ty(field.field_type()))
    }

    fn list<T: Display>(&mut self, items: &[T]) -> fmt::Result {
        for (i, item) in items.iter().enumerate() {
            self.out.write_str(if i > 0 { ", " } else { "" })?;
            item.fmt(self.out)?;
        }
        Ok(())
    }

    fn content(&mut self, content: &Content) -> fmt::Result {
        match content {
            Content::Text(text) => text.fmt(self.out),
            Content::Bytes(bytes) => {
                self.out.write_str("bytes \"")?;
                bytes.iter().try_for_each(|byte| write!(self.out, "{byte:02x}"))?;
                self.out.write_char('"')
            }
        }
    }

    fn directory(&mut self, files: &[(JavaString, Content)]) -> fmt::Result {
        self.out.write_str("directory {")?;
        for (name, content) in files {
            write!(self.out, " {} ", Quoted(name))?;
            self.content(content)?;
        }
        self.out.write_str(" }")
    }

    fn repeat(&mut self, times: u32, carried: Option<&Carried>, body: &Block) -> fmt::Result {
        write!(self.out, "repeat {times} ")?;
        if let Some(carried) = carried {
            write!(self.out, "from {} as ", carried.from)?;
            self.def(carried.var)?;
            self.out.write_char(' ')?;
        }
        self.block(body, carried.map(|carried| ("next", &carried.next)))
    }

    /// A value at its end has a word before it.
    fn block(&mut self, block: &Block, end: Option<(&str, &Arg)>) -> fmt::Result {
        self.out.write_str("{\n")?;
        self.indent += 1;
        self.stmts(&block.stmts)?;
        if let Some((word, value)) = end {
            self.line_start()?;
            writeln!(self.out, "{word} {value}")?;
        }
        self.indent -= 1;
        self.line_start()?;
        self.out.write_char('}')
    }

    fn callback(&mut self, callback: &Callback) -> fmt::Result {
        match &callback.form {
            CallbackForm::Lambda { interface } => write!(self.out, "lambda {}", Class(*interface))?,
            CallbackForm::Interface { interface } => write!(self.out, "implement {}", Class(*interface))?,
            CallbackForm::Subclass { constructor, args } => {
                write!(self.out, "subclass {}", Class(constructor.class))?;
                self.typed_args(*constructor, args)?;
            }
        }
        self.out.write_str(" {\n")?;
        self.indent += 1;
        callback.methods.iter().try_for_each(|method| self.callback_method(method))?;
        self.indent -= 1;
        self.line_start()?;
        self.out.write_char('}')
    }

    fn callback_method(&mut self, method: &CallbackMethod) -> fmt::Result {
        self.line_start()?;
        write!(self.out, "{}(", Member(method.method.class, method.method.name))?;
        for (i, param) in method.params.iter().enumerate() {
            self.out.write_str(if i > 0 { ", " } else { "" })?;
            self.def(*param)?;
        }
        self.out.write_char(')')?;
        self.result_type(method.method.signature().ret)?;
        self.body(method.this, &method.body, method.result.as_ref())
    }

    /// From behind the head of a method to the end of its last line.
    fn body(&mut self, this: Option<VarId>, block: &Block, result: Option<&Arg>) -> fmt::Result {
        if let Some(this) = this {
            write!(self.out, " this {this}")?;
        }
        self.out.write_char(' ')?;
        self.block(block, result.map(|result| ("return", result)))?;
        self.out.write_char('\n')
    }

    fn class(&mut self, class: &ClassDecl) -> fmt::Result {
        self.annotations(&class.annotations, "\n")?;
        let kind = match class.kind {
            ClassKind::Class => "class",
            ClassKind::Interface => "interface",
        };
        write!(self.out, "declare {kind} {}", Name(class.name.simple()))?;
        self.signature(class.signature)?;
        if class.super_class != ClassName::object() {
            write!(self.out, " extends {}", Class(class.super_class))?;
        }
        for (i, interface) in class.interfaces.iter().enumerate() {
            write!(self.out, "{} {}", if i > 0 { "," } else { " implements" }, Class(*interface))?;
        }
        self.out.write_str(" {\n")?;
        self.indent += 1;
        class.fields.iter().try_for_each(|field| self.declared_field(field))?;
        class.methods.iter().try_for_each(|method| self.declared_method(method))?;
        self.indent -= 1;
        self.out.write_str("}\n")
    }

    fn declared_field(&mut self, field: &FieldDecl) -> fmt::Result {
        self.line_start()?;
        self.annotations(&field.annotations, " ")?;
        let is_static = if field.is_static { "static " } else { "" };
        write!(self.out, "field {is_static}{}: {}", Name(field.name.as_str()), Ty(field.ty))?;
        self.signature(field.signature)?;
        if let Some(init) = &field.init {
            write!(self.out, " = {init}")?;
        }
        self.out.write_char('\n')
    }

    fn declared_method(&mut self, method: &MethodDecl) -> fmt::Result {
        self.line_start()?;
        self.annotations(&method.annotations, " ")?;
        let is_static = if method.is_static { "static " } else { "" };
        write!(self.out, "method {is_static}{}(", Name(method.name.as_str()))?;
        for (i, param) in method.params.iter().enumerate() {
            self.out.write_str(if i > 0 { ", " } else { "" })?;
            if let Some(annotations) = method.param_annotations.get(i) {
                self.annotations(annotations, " ")?;
            }
            self.def(*param)?;
        }
        self.out.write_str(if method.is_varargs { "...)" } else { ")" })?;
        self.result_type(MethodType::parse(method.descriptor.as_str()).and_then(|signature| signature.ret))?;
        self.signature(method.signature)?;
        self.body(method.this, &method.body, method.result.as_ref())
    }

    fn signature(&mut self, signature: Option<Symbol>) -> fmt::Result {
        signature.map_or(Ok(()), |s| write!(self.out, " signature {}", Quoted(&JavaString::new(s.as_str()))))
    }

    fn annotations(&mut self, annotations: &[Annotation], after: &str) -> fmt::Result {
        for annotation in annotations {
            self.annotation(annotation)?;
            self.out.write_str(after)?;
        }
        Ok(())
    }

    fn annotation(&mut self, annotation: &Annotation) -> fmt::Result {
        write!(self.out, "@{}", Class(annotation.class))?;
        for (i, (name, value)) in annotation.values.iter().enumerate() {
            write!(self.out, "{}{} = ", if i > 0 { ", " } else { "(" }, Name(name.as_str()))?;
            self.annotation_value(value)?;
        }
        self.out.write_str(if annotation.values.is_empty() { "" } else { ")" })
    }

    fn annotation_value(&mut self, value: &AnnotationValue) -> fmt::Result {
        match value {
            AnnotationValue::Literal(literal) => literal.fmt(self.out),
            AnnotationValue::Nested(annotation) => self.annotation(annotation),
            AnnotationValue::Array(values) => {
                self.out.write_char('[')?;
                for (i, value) in values.iter().enumerate() {
                    self.out.write_str(if i > 0 { ", " } else { "" })?;
                    self.annotation_value(value)?;
                }
                self.out.write_char(']')
            }
        }
    }
}
