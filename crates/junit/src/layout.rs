//! Syntax as text: indentation, line breaks, parentheses. Input is a tree whose names are settled; a [`TypeNames`] says how
//! each class is called in this file. Lines are broken where people would: arguments below each other, chains of calls at
//! the dots, concatenations before the plus.

use crate::spelling::{self, Spelling};
use crate::syntax::{
    AnnotationArg, AnnotationUse, Catch, Class, Expr, Field, LambdaBody, Member, Method, Param, Statement, TypeUse,
};
use program::classfile::signature::{ClassType, GenericType, TypeArgument, TypeParameter};
use program::{ClassName, Type};

/// How classes are called in the file.
pub(crate) trait TypeNames {
    fn name(&self, class: ClassName) -> String;
}

const WIDTH: usize = 110;
/// What a deeply nested line has at least.
const MIN_WIDTH: usize = 40;
const STEP: usize = 4;
/// How far a broken line is indented.
const CONTINUATION: usize = 8;

pub(crate) struct Layout<'a> {
    names: &'a dyn TypeNames,
    spelling: Spelling,
    out: String,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(names: &'a dyn TypeNames) -> Self {
        Layout { names, spelling: Spelling::default(), out: String::new() }
    }

    pub(crate) fn finish(self) -> (String, Spelling) {
        (self.out, self.spelling)
    }

    fn word<'n>(&self, name: &'n str) -> &'n str {
        self.spelling.look_at(name)
    }

    /// What another layout has written, as a part of this one.
    fn taken_in(&self, inner: Layout<'_>) -> String {
        self.spelling.take_over(inner.spelling);
        inner.out
    }

    fn class_name(&self, class: ClassName) -> String {
        let name = self.names.name(class);
        self.word(&name);
        name
    }

    pub(crate) fn line(&mut self, indent: usize, text: &str) {
        if !text.is_empty() {
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    pub(crate) fn class(&mut self, class: &Class, indent: usize) {
        self.annotations(&class.annotations, indent);
        let kind = if class.is_interface { "interface" } else { "class" };
        let params = self.type_parameters(&class.type_parameters);
        let mut head = joined_words(class.modifiers, &format!("{kind} {}{params}", self.word(&class.name)));
        if let Some(parent) = &class.super_class {
            head.push_str(&format!(" extends {}", self.type_use(parent)));
        }
        if !class.interfaces.is_empty() {
            let interfaces: Vec<String> = class.interfaces.iter().map(|name| self.type_use(name)).collect();
            let word = if class.is_interface { "extends" } else { "implements" };
            head.push_str(&format!(" {word} {}", interfaces.join(", ")));
        }
        self.line(indent, &format!("{head} {{"));
        self.members(&class.members, indent + STEP);
        self.line(indent, "}");
    }

    fn members(&mut self, members: &[Member], indent: usize) {
        for (index, member) in members.iter().enumerate() {
            // Fields stand together, and so do methods without a body, and those that say nothing.
            let is_short = |member: &Member| match member {
                Member::Field(field) => field.annotations.is_empty(),
                Member::Method(method) => method.is_filler || method.body.is_none() && method.annotations.is_empty(),
                Member::Class(_) => false,
            };
            let together = index == 0 || is_short(&members[index - 1]) && is_short(member);
            if !together {
                self.line(0, "");
            }
            match member {
                Member::Field(field) => self.field(field, indent),
                Member::Method(method) => self.method(method, indent),
                Member::Class(class) => self.class(class, indent),
            }
        }
    }

    fn field(&mut self, field: &Field, indent: usize) {
        self.annotations(&field.annotations, indent);
        let head = joined_words(field.modifiers, &format!("{} {}", self.type_use(&field.ty), self.word(&field.name)));
        match &field.init {
            Some(init) => self.ending(&format!("{head} = "), init, ";", indent),
            None => self.line(indent, &format!("{head};")),
        }
    }

    fn method(&mut self, method: &Method, indent: usize) {
        if let Some(comment) = &method.comment {
            self.line(indent, &format!("/** {} */", spelling::comment(comment)));
        }
        let head = self.method_head(method);
        if let Some(line) = self.filler(method, &head).filter(|line| indent + line.len() <= WIDTH) {
            return self.line(indent, &line);
        }
        self.annotations(&method.annotations, indent);
        match &method.body {
            None => self.line(indent, &format!("{head};")),
            Some(body) if body.is_empty() => self.line(indent, &format!("{head} {{}}")),
            Some(body) => {
                self.line(indent, &format!("{head} {{"));
                self.statements(body, indent + STEP);
                self.line(indent, "}");
            }
        }
    }

    /// A method that says nothing, on one line.
    fn filler(&self, method: &Method, head: &str) -> Option<String> {
        let body = match method.body.as_deref().filter(|_| method.is_filler)? {
            [] => "{}".into(),
            [Statement::Return(Some(value))] => format!("{{ return {}; }}", self.flat(value)?),
            _ => return None,
        };
        let annotations = method.annotations.iter().map(|annotation| self.annotation(annotation) + " ");
        Some(format!("{}{head} {body}", annotations.collect::<String>()))
    }

    fn method_head(&self, method: &Method) -> String {
        let params: Vec<String> = method.params.iter().map(|param| self.param(param)).collect();
        let mut head = joined_words(&method.modifiers, &self.type_parameters(&method.type_parameters));
        if !method.is_constructor {
            let ret = method.ret.as_ref().map_or("void".into(), |ret| self.type_use(ret));
            head = joined_words(&head, &ret);
        }
        head = joined_words(&head, &format!("{}({})", self.word(&method.name), params.join(", ")));
        if !method.throws.is_empty() {
            let throws: Vec<String> = method.throws.iter().map(|class| self.type_use(class)).collect();
            head.push_str(&format!(" throws {}", throws.join(", ")));
        }
        head
    }

    fn type_parameters(&self, parameters: &[TypeParameter]) -> String {
        if parameters.is_empty() {
            return String::new();
        }
        let parameters: Vec<String> = parameters
            .iter()
            .map(|parameter| {
                let bounds: Vec<String> =
                    parameter.class_bound.iter().chain(&parameter.interface_bounds).map(|b| self.generic(b)).collect();
                let is_object = parameter.interface_bounds.is_empty()
                    && parameter
                        .class_bound
                        .as_ref()
                        .is_none_or(|bound| bound.erasure(&|_| None) == Type::Class(ClassName::object()));
                if is_object {
                    self.word(parameter.name.as_str()).to_owned()
                } else {
                    format!("{} extends {}", self.word(parameter.name.as_str()), bounds.join(" & "))
                }
            })
            .collect();
        format!("<{}>", parameters.join(", "))
    }

    fn param(&self, param: &Param) -> String {
        let annotations: String = param.annotations.iter().map(|a| format!("{} ", self.annotation(a))).collect();
        let ty = self.type_use(&param.ty);
        let ty = match ty.strip_suffix("[]") {
            Some(component) if param.is_variable => format!("{component}..."),
            _ => ty,
        };
        format!("{annotations}{ty} {}", self.word(&param.name))
    }

    fn annotations(&mut self, annotations: &[AnnotationUse], indent: usize) {
        for annotation in annotations {
            let text = self.annotation(annotation);
            self.line(indent, &text);
        }
    }

    fn annotation(&self, annotation: &AnnotationUse) -> String {
        let name = self.class_name(annotation.class);
        let values: Vec<String> = match annotation.values.as_slice() {
            [] => return format!("@{name}"),
            [(element, value)] if element == "value" => vec![self.annotation_arg(value)],
            values => values
                .iter()
                .map(|(name, value)| format!("{} = {}", self.word(name), self.annotation_arg(value)))
                .collect(),
        };
        format!("@{name}({})", values.join(", "))
    }

    fn annotation_arg(&self, arg: &AnnotationArg) -> String {
        match arg {
            AnnotationArg::Value(expr) => self.flat(expr).unwrap_or_default(),
            AnnotationArg::Array(args) => {
                let args: Vec<String> = args.iter().map(|arg| self.annotation_arg(arg)).collect();
                if let [only] = args.as_slice() { only.clone() } else { format!("{{{}}}", args.join(", ")) }
            }
            AnnotationArg::Nested(annotation) => self.annotation(annotation),
        }
    }

    fn statements(&mut self, statements: &[Statement], indent: usize) {
        statements.iter().for_each(|statement| self.statement(statement, indent));
    }

    fn statement(&mut self, statement: &Statement, indent: usize) {
        match statement {
            Statement::Expr(expr) => self.ending("", expr, ";", indent),
            Statement::Declare { ty, name, init } => {
                let head = format!("{} {}", self.type_use(ty), self.word(name));
                match init {
                    // The type of the variable says what the braces hold.
                    Some(Expr::ArrayOf { component, elements }) if *ty == TypeUse::Raw(Type::array_of(*component)) => {
                        let column = indent + head.len() + 3;
                        let braces = self.braces(elements, indent, column + 1);
                        self.line(indent, &format!("{head} = {braces};"));
                    }
                    Some(init) => self.ending(&format!("{head} = "), init, ";", indent),
                    None => self.line(indent, &format!("{head};")),
                }
            }
            Statement::Return(None) => self.line(indent, "return;"),
            Statement::Return(Some(value)) => self.ending("return ", value, ";", indent),
            Statement::Throw(value) => self.ending("throw ", value, ";", indent),
            Statement::If { condition, then } => {
                self.ending("if (", condition, ") {", indent);
                self.statements(then, indent + STEP);
                self.line(indent, "}");
            }
            Statement::Try { body, catch, finally } => self.try_statement(body, catch.as_ref(), finally, indent),
            Statement::Repeat { index, times, body } => {
                self.line(indent, &format!("for (int {index} = 0; {index} < {times}; {index}++) {{"));
                self.statements(body, indent + STEP);
                self.line(indent, "}");
            }
            Statement::ForEach { ty, name, all, body } => {
                let head = format!("for ({} {} : ", self.type_use(ty), self.word(name));
                self.ending(&head, all, ") {", indent);
                self.statements(body, indent + STEP);
                self.line(indent, "}");
            }
            Statement::Comment(text) => self.line(indent, &format!("// {}", spelling::comment(text))),
        }
    }

    fn try_statement(&mut self, body: &[Statement], catch: Option<&Catch>, finally: &[Statement], indent: usize) {
        self.line(indent, "try {");
        self.statements(body, indent + STEP);
        if let Some(catch) = catch {
            let class = self.class_name(catch.class);
            self.line(indent, &format!("}} catch ({class} {}) {{", self.word(&catch.name)));
            self.statements(&catch.body, indent + STEP);
        }
        if !finally.is_empty() {
            self.line(indent, "} finally {");
            self.statements(finally, indent + STEP);
        }
        self.line(indent, "}");
    }

    /// A line with an expression in it, broken where it is too long.
    fn ending(&mut self, before: &str, expr: &Expr, after: &str, indent: usize) {
        let text = self.broken(expr, indent, indent + before.len(), after.len());
        self.line(indent, &format!("{before}{text}{after}"));
    }

    /// The expression, its first line beginning at `column`, its further lines indented from `indent` on.
    fn broken(&self, expr: &Expr, indent: usize, column: usize, after: usize) -> String {
        if let Some(flat) = self.flat(expr)
            && column + flat.len() + after <= WIDTH
        {
            return flat;
        }
        match expr {
            Expr::Call { target, name, args } => self.broken_call(target.as_deref(), name, args, indent, column, after),
            Expr::New { outer, class, args, body } => {
                let outer = outer.as_ref().map_or(String::new(), |outer| format!("{}.", self.operand(outer, indent)));
                let head = format!("{outer}new {}", self.type_use(class));
                let args = self.arguments(args, indent, column + head.len(), after);
                format!("{head}{args}{}", body.as_ref().map_or(String::new(), |body| self.class_body(body, indent)))
            }
            Expr::ArrayOf { component, elements } => {
                let head = format!("new {}[] ", self.type_name(*component));
                let braces = self.braces(elements, indent, column + head.len() + after);
                head + &braces
            }
            Expr::Cast(ty, inner) => {
                let head = format!("({}) ", self.type_name(*ty));
                let inner_text = self.broken(inner, indent, column + head.len(), after);
                format!("{head}{}", parenthesised(inner_text, is_compound(inner)))
            }
            Expr::Lambda { params, body } => self.lambda(params, body, indent, column, after),
            Expr::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.operand(part, indent)).collect();
                parts.join(&format!("\n{}+ ", spaces(indent + CONTINUATION)))
            }
            Expr::TextBlock(lines) => {
                let lines: Vec<String> = lines
                    .iter()
                    .map(|line| if line.is_empty() { String::new() } else { spaces(indent + CONTINUATION) + line })
                    .collect();
                format!("\"\"\"\n{}", lines.join("\n"))
            }
            Expr::Assign(left, right) => {
                let left = self.somehow(left, indent);
                let right = self.broken(right, indent, column + left.len() + 3, after);
                format!("{left} = {right}")
            }
            Expr::Compare(left, operator, right) => {
                format!("{} {operator} {}", self.operand(left, indent), self.operand(right, indent))
            }
            Expr::Not(inner) => format!("!{}", self.operand(inner, indent)),
            Expr::CastToVariable(name, inner) => format!("({name}) {}", self.operand(inner, indent)),
            Expr::Select(target, name) => format!("{}.{}", self.operand(target, indent), self.word(name)),
            Expr::Index(array, index) => {
                format!("{}[{}]", self.operand(array, indent), self.somehow(index, indent))
            }
            Expr::NewArray { .. } | Expr::Atom(_) | Expr::Class(_) | Expr::ClassLiteral(_) => {
                self.flat(expr).unwrap_or_default()
            }
        }
    }

    /// `{a, b}`, on one line that begins at `column` if it fits there.
    fn braces(&self, elements: &[Expr], indent: usize, column: usize) -> String {
        let flat: Option<Vec<String>> = elements.iter().map(|element| self.flat(element)).collect();
        if let Some(line) = flat.map(|flat| format!("{{{}}}", flat.join(", ")))
            && column + line.len() <= WIDTH
        {
            return line;
        }
        let elements: Vec<String> = elements.iter().map(|element| self.somehow(element, indent)).collect();
        let lines = filled(&elements, WIDTH.saturating_sub(indent + CONTINUATION).max(MIN_WIDTH));
        format!("{{{}\n{}}}", indented_lines(&lines, indent + CONTINUATION), spaces(indent))
    }

    fn broken_call(
        &self,
        target: Option<&Expr>,
        name: &str,
        args: &[Expr],
        indent: usize,
        column: usize,
        after: usize,
    ) -> String {
        let Some(target) = target else {
            return format!("{}{}", self.word(name), self.arguments(args, indent, column + name.len(), after));
        };
        if let Some(chain) = Chain::of(target) {
            let deeper = indent + CONTINUATION;
            let mut text = self.operand(chain.start, indent);
            for (name, args) in chain.links.into_iter().chain([(name, args)]) {
                let args = self.arguments(args, deeper, deeper + name.len() + 1, after);
                text.push_str(&format!("\n{}.{}{args}", spaces(deeper), self.word(name)));
            }
            return text;
        }
        let head = match self.flat_operand(target) {
            Some(flat) if column + flat.len() + name.len() + 2 < WIDTH => format!("{flat}.{}", self.word(name)),
            _ => format!("{}\n{}.{}", self.operand(target, indent), spaces(indent + CONTINUATION), self.word(name)),
        };
        let last_line = head.rsplit('\n').next().map_or(0, str::len);
        let (start, indent) =
            if head.contains('\n') { (last_line, indent + CONTINUATION) } else { (column + last_line, indent) };
        format!("{head}{}", self.arguments(args, indent, start, after))
    }

    /// `(a, b)` on one line; else with the last argument, a body, hanging off it; else one argument a line.
    fn arguments(&self, args: &[Expr], indent: usize, column: usize, after: usize) -> String {
        let flat: Option<Vec<String>> = args.iter().map(|arg| self.flat(arg)).collect();
        if let Some(flat) = flat {
            let joined = format!("({})", flat.join(", "));
            if column + joined.len() + after <= WIDTH || args.is_empty() {
                return joined;
            }
        }
        if let [first @ .., last] = args
            && has_body(last)
            && let Some(first) = first.iter().map(|arg| self.flat(arg)).collect::<Option<Vec<_>>>()
        {
            let start: String = first.iter().map(|arg| format!("{arg}, ")).collect();
            if column + start.len() < WIDTH - 20 {
                return format!("({start}{})", self.broken(last, indent, column + 1 + start.len(), after + 1));
            }
        }
        let deeper = indent + CONTINUATION;
        let args: Vec<String> = args.iter().map(|arg| self.broken(arg, deeper, deeper, 1)).collect();
        let lines = if args.iter().any(|arg| arg.contains('\n')) {
            args.join(&format!(",\n{}", spaces(deeper)))
        } else {
            filled(&args, WIDTH.saturating_sub(deeper + after).max(MIN_WIDTH)).join(&format!("\n{}", spaces(deeper)))
        };
        format!("(\n{}{lines})", spaces(deeper))
    }

    fn lambda_head(&self, params: &[String]) -> String {
        params.iter().for_each(|param| {
            self.word(param);
        });
        match params {
            [only] => format!("{only} ->"),
            _ => format!("({}) ->", params.join(", ")),
        }
    }

    fn lambda(&self, params: &[String], body: &LambdaBody, indent: usize, column: usize, after: usize) -> String {
        let head = self.lambda_head(params);
        match body {
            LambdaBody::Value(value) => {
                let value = self.broken(value, indent, column + head.len() + 1, after);
                format!("{head} {value}")
            }
            LambdaBody::Block(statements) if statements.is_empty() => format!("{head} {{}}"),
            LambdaBody::Block(statements) => {
                let mut inner = Layout::new(self.names);
                inner.statements(statements, indent + STEP);
                format!("{head} {{\n{}{}}}", self.taken_in(inner), spaces(indent))
            }
        }
    }

    fn class_body(&self, members: &[Member], indent: usize) -> String {
        if members.is_empty() {
            return " {}".into();
        }
        let mut inner = Layout::new(self.names);
        inner.members(members, indent + STEP);
        format!(" {{\n{}{}}}", self.taken_in(inner), spaces(indent))
    }

    fn somehow(&self, expr: &Expr, indent: usize) -> String {
        self.broken(expr, indent, indent, 0)
    }

    /// As the operand of a dot or a plus.
    fn operand(&self, expr: &Expr, indent: usize) -> String {
        parenthesised(self.somehow(expr, indent), is_compound(expr))
    }

    fn flat_operand(&self, expr: &Expr) -> Option<String> {
        self.flat(expr).map(|text| parenthesised(text, is_compound(expr)))
    }

    /// On one line; `None` if the expression has a body or text block in it.
    fn flat(&self, expr: &Expr) -> Option<String> {
        let list = |args: &[Expr]| -> Option<String> {
            let args: Option<Vec<String>> = args.iter().map(|arg| self.flat(arg)).collect();
            args.map(|args| args.join(", "))
        };
        Some(match expr {
            Expr::Atom(text) => text.clone(),
            Expr::Class(class) => self.class_name(*class),
            Expr::ClassLiteral(ty) => format!("{}.class", self.type_name(*ty)),
            Expr::Select(target, name) => format!("{}.{}", self.flat_operand(target)?, self.word(name)),
            Expr::Call { target: None, name, args } => format!("{}({})", self.word(name), list(args)?),
            Expr::Call { target: Some(target), name, args } => {
                format!("{}.{}({})", self.flat_operand(target)?, self.word(name), list(args)?)
            }
            Expr::New { outer, class, args, body } => {
                let outer = match outer {
                    Some(outer) => format!("{}.", self.flat_operand(outer)?),
                    None => String::new(),
                };
                let body = match body {
                    None => "",
                    Some(members) if members.is_empty() => " {}",
                    Some(_) => return None,
                };
                format!("{outer}new {}({}){body}", self.type_use(class), list(args)?)
            }
            Expr::NewArray { component, length } => {
                // `new int[3][]`: the length belongs to the first brackets.
                let name = self.type_name(*component);
                let brackets = name.find('[').unwrap_or(name.len());
                format!("new {}[{}]{}", &name[..brackets], self.flat(length)?, &name[brackets..])
            }
            Expr::ArrayOf { component, elements } => {
                format!("new {}[] {{{}}}", self.type_name(*component), list(elements)?)
            }
            Expr::Index(array, index) => {
                let array_text = self.flat(array)?;
                let in_parentheses =
                    is_compound(array) || matches!(**array, Expr::NewArray { .. } | Expr::ArrayOf { .. });
                format!("{}[{}]", parenthesised(array_text, in_parentheses), self.flat(index)?)
            }
            Expr::Cast(ty, inner) => {
                let inner_text = parenthesised(self.flat(inner)?, needs_parentheses_in_cast(*ty, inner));
                format!("({}) {inner_text}", self.type_name(*ty))
            }
            Expr::Lambda { params, body: LambdaBody::Value(value) } => {
                format!("{} {}", self.lambda_head(params), self.flat(value)?)
            }
            Expr::Lambda { params, body: LambdaBody::Block(statements) } if statements.is_empty() => {
                format!("{} {{}}", self.lambda_head(params))
            }
            Expr::Lambda { .. } | Expr::TextBlock(_) => return None,
            Expr::Concat(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(|part| self.flat_operand(part)).collect();
                parts?.join(" + ")
            }
            Expr::Assign(left, right) => format!("{} = {}", self.flat(left)?, self.flat(right)?),
            Expr::Compare(left, operator, right) => {
                format!("{} {operator} {}", self.flat_operand(left)?, self.flat_operand(right)?)
            }
            Expr::Not(inner) => format!("!{}", self.flat_operand(inner)?),
            Expr::CastToVariable(name, inner) => format!("({name}) {}", self.flat_operand(inner)?),
        })
    }

    fn type_use(&self, ty: &TypeUse) -> String {
        match ty {
            TypeUse::Raw(ty) => self.type_name(*ty),
            TypeUse::Generic(ty) => self.generic(ty),
            TypeUse::Applied(class, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.type_use(arg)).collect();
                format!("{}<{}>", self.class_name(*class), args.join(", "))
            }
            TypeUse::Diamond(class) => format!("{}<>", self.class_name(*class)),
            TypeUse::Name(simple) => self.word(simple).to_owned(),
            TypeUse::Text(text) => (*text).to_owned(),
        }
    }

    fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Class(class) => self.class_name(class),
            Type::Array(array) => format!("{}[]", self.type_name(array.component())),
            primitive => primitive.to_string(),
        }
    }

    fn generic(&self, ty: &GenericType) -> String {
        match ty {
            GenericType::Primitive(primitive) => primitive.to_string(),
            GenericType::Class(class) => self.generic_class(class),
            GenericType::Variable(name) => self.word(name.as_str()).to_owned(),
            GenericType::Array(component) => format!("{}[]", self.generic(component)),
        }
    }

    fn generic_class(&self, class: &ClassType) -> String {
        let name = self.class_name(class.class);
        if class.arguments.is_empty() {
            return name;
        }
        let arguments: Vec<String> = class
            .arguments
            .iter()
            .map(|argument| match argument {
                TypeArgument::Any => "?".into(),
                TypeArgument::Exactly(ty) => self.generic(ty),
                TypeArgument::Extends(ty) => format!("? extends {}", self.generic(ty)),
                TypeArgument::Super(ty) => format!("? super {}", self.generic(ty)),
            })
            .collect();
        format!("{name}<{}>", arguments.join(", "))
    }
}

/// Calls on the results of calls.
struct Chain<'e> {
    /// `Arrays.stream(x)` is one, too.
    start: &'e Expr,
    links: Vec<(&'e str, &'e [Expr])>,
}

impl<'e> Chain<'e> {
    /// `None` if the target is no chain but only a start.
    fn of(target: &'e Expr) -> Option<Self> {
        let mut links: Vec<(&str, &[Expr])> = Vec::new();
        let mut start = target;
        while let Expr::Call { target: Some(inner), name, args } = start {
            if matches!(**inner, Expr::Class(_)) {
                break;
            }
            links.push((name, args));
            start = inner;
        }
        links.reverse();
        (!links.is_empty()).then_some(Chain { start, links })
    }
}

/// Something with braces, which may hang off the end of a line.
fn has_body(expr: &Expr) -> bool {
    match expr {
        Expr::Lambda { body: LambdaBody::Block(_), .. } | Expr::New { body: Some(_), .. } | Expr::TextBlock(_) => true,
        Expr::Lambda { body: LambdaBody::Value(value), .. } => has_body(value),
        _ => false,
    }
}

/// Whether it needs parentheses before a dot.
fn is_compound(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Cast(..)
            | Expr::CastToVariable(..)
            | Expr::Lambda { .. }
            | Expr::Concat(_)
            | Expr::Assign(..)
            | Expr::Compare(..)
            | Expr::Not(_)
    )
}

/// `(Object) -1` would be read as a subtraction; `(Runnable) () -> {}` is fine.
fn needs_parentheses_in_cast(ty: Type, inner: &Expr) -> bool {
    match inner {
        Expr::Atom(text) => text.starts_with('-') && ty.is_reference(),
        Expr::Concat(_) | Expr::Assign(..) | Expr::Compare(..) => true,
        _ => false,
    }
}

fn parenthesised(text: String, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
}

fn joined_words(left: &str, right: &str) -> String {
    if left.is_empty() || right.is_empty() { format!("{left}{right}") } else { format!("{left} {right}") }
}

fn spaces(count: usize) -> String {
    " ".repeat(count)
}

/// Comma-separated, as many on a line as fit.
fn filled(elements: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let comma = if index + 1 < elements.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if line.len() + element.len() + 2 <= width => line.push_str(&format!(" {element}{comma}")),
            _ => lines.push(format!("{element}{comma}")),
        }
    }
    lines
}

fn indented_lines(lines: &[String], indent: usize) -> String {
    lines.iter().map(|line| format!("\n{}{line}", spaces(indent))).collect()
}
