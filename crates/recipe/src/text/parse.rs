//! The reader of the text form.

use crate::text::cursor::{MAX_DEPTH, ParseError, Parsed, Parser};
use crate::text::lex::Token;
use crate::{
    Access, Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Carried, Collection, Content, Def, FileChange,
    Literal, OnThrow, Recipe, Stmt, StreamKind, Text, TextPiece, VarId,
};
use program::{ClassName, FieldRef, MethodRef, MethodType, Symbol, Type};

/// Reads a whole recipe.
pub fn parse(text: &str) -> Result<Recipe, ParseError> {
    let mut parser = Parser::new(text)?;
    let mut recipe = Recipe::default();
    while parser.is_class() {
        recipe.classes.push(parser.class()?);
    }
    recipe.body = parser.stmts()?;
    parser.end()?;
    Ok(recipe)
}

/// Reads one statement.
pub fn parse_stmt(text: &str) -> Result<Stmt, ParseError> {
    let mut parser = Parser::new(text)?;
    let stmt = parser.stmt()?;
    parser.end()?;
    Ok(stmt)
}

impl Parser<'_> {
    fn stmts(&mut self) -> Parsed<Block> {
        let mut stmts = Vec::new();
        let is_value = |p: &Self| p.is_word("return") || p.is_word("next");
        while *self.peek() != Token::End && !self.is_mark("}") && !is_value(self) {
            stmts.push(self.stmt()?);
        }
        Ok(Block { stmts })
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let def = match self.peek_var() {
            Some(_) => {
                let def = self.def()?;
                self.mark("=")?;
                Some(def)
            }
            None => None,
        };
        Ok(Stmt { def, action: self.action()? })
    }

    pub(super) fn def(&mut self) -> Parsed<Def> {
        let var = self.var()?;
        self.mark(":")?;
        Ok(Def { var, ty: self.ty()? })
    }

    fn action(&mut self) -> Parsed<Action> {
        let access = match self.peek() {
            Token::Word(word) if word == "package" => Some(Access::Package),
            Token::Word(word) if word == "reflective" => Some(Access::Reflective),
            _ => None,
        };
        if access.is_some() {
            self.next();
        }
        let Token::Word(word) = self.peek().clone() else { return self.literal().map(Action::Literal) };
        if access.is_some() && !matches!(word.as_str(), "new" | "call" | "get" | "put") {
            return self.expected("`new`, `call`, `get` or `put`");
        }
        self.next();
        self.worded(&word, access.unwrap_or(Access::Public))
    }

    /// The action that starts with `word`, which has been read.
    fn worded(&mut self, word: &str, access: Access) -> Parsed<Action> {
        match word {
            "new" => {
                let class = self.class_name()?;
                let (constructor, args) = self.invocation(class, Symbol::new("<init>"))?;
                Ok(Action::New { constructor, args, access })
            }
            "call" => self.call(access),
            "get" => {
                let (receiver, field) = self.field()?;
                Ok(Action::GetField { field, receiver, access })
            }
            "put" => {
                let (receiver, field) = self.field()?;
                self.mark("=")?;
                Ok(Action::PutField { field, receiver, value: self.arg()?, access })
            }
            "array" => self.array(),
            "load" => {
                let (array, index) = self.element()?;
                Ok(Action::GetElement { array, index })
            }
            "store" => {
                let (array, index) = self.element()?;
                self.mark("=")?;
                Ok(Action::PutElement { array, index, value: self.arg()? })
            }
            "collect" => self.collection(),
            "cast" => self.arg().map(Action::Cast),
            "throw" => self.arg().map(Action::Throw),
            "capture" => Ok(Action::Capture),
            "keep" => self.arg().map(Action::Keep),
            "link" => self.arg().map(Action::Link),
            "unreadable" => self.arg().map(|file| Action::ChangeFile(FileChange::DenyRead, file)),
            "unwritable" => self.arg().map(|file| Action::ChangeFile(FileChange::DenyWrite, file)),
            "delete" => self.arg().map(|file| Action::ChangeFile(FileChange::Delete, file)),
            "lambda" | "implement" | "subclass" => self.callback(word),
            "try" => self.try_block(),
            "thread" => self.block().map(|(body, _)| Action::Thread(body)),
            "repeat" => self.repeat(),
            "together" => self.together(),
            "file" => Ok(Action::TempFile { name: self.string()?, content: self.content()? }),
            "directory" => self.directory(),
            "stream" => self.stream(),
            "property" => self.property(),
            "locale" => self.symbol().map(Action::SetLocale),
            "zone" => self.symbol().map(Action::SetTimeZone),
            _ => {
                self.at -= 1;
                self.literal().map(Action::Literal)
            }
        }
    }

    /// The receiver before `->`, where there is one.
    fn receiver(&mut self) -> Parsed<Option<Arg>> {
        let is_receiver = match self.peek() {
            Token::Word(word) => {
                (self.peek_var().is_some() && *self.peek_after() == Token::Mark("->"))
                    || (word == "null" && *self.peek_after() == Token::Mark("("))
                    || (["class", "enum"].contains(&word.as_str())
                        && matches!(self.peek_after(), Token::Word(_) | Token::Name(_)))
            }
            Token::String(_) | Token::Char(_) | Token::Number(_) => true,
            _ => false,
        };
        if !is_receiver {
            return Ok(None);
        }
        let receiver = self.arg()?;
        self.mark("->")?;
        Ok(Some(receiver))
    }

    fn call(&mut self, access: Access) -> Parsed<Action> {
        let receiver = self.receiver()?;
        let (class, name) = self.member()?;
        let (mut method, args) = self.invocation(class, name)?;
        let ret = self.result_type()?;
        method.descriptor = Symbol::new(&MethodType { params: method.signature().params, ret }.descriptor());
        Ok(Action::Call { method, receiver, args, access })
    }

    /// `(type arg, ..)`: a `void` method of these parameters, and the arguments.
    fn invocation(&mut self, class: ClassName, name: Symbol) -> Parsed<(MethodRef, Vec<Arg>)> {
        self.mark("(")?;
        let typed = self.list(")", |p| Ok((p.ty()?, p.arg()?)))?;
        let (params, args) = typed.into_iter().unzip();
        let descriptor = Symbol::new(&MethodType { params, ret: None }.descriptor());
        Ok((MethodRef { class, name, descriptor }, args))
    }

    fn field(&mut self) -> Parsed<(Option<Arg>, FieldRef)> {
        let receiver = self.receiver()?;
        let (class, name) = self.member()?;
        self.mark(":")?;
        let descriptor = Symbol::new(&self.ty()?.descriptor());
        Ok((receiver, FieldRef { class, name, descriptor }))
    }

    fn array(&mut self) -> Parsed<Action> {
        let component = self.ty()?;
        if self.try_mark("[") {
            let length = self.integer()?;
            self.mark("]")?;
            return Ok(Action::NewArray { component, length });
        }
        self.mark("{")?;
        Ok(Action::ArrayOf { component, elements: self.list("}", Self::arg)? })
    }

    fn element(&mut self) -> Parsed<(Arg, i32)> {
        let array = self.arg()?;
        self.mark("[")?;
        let index = self.integer()?;
        self.mark("]")?;
        Ok((array, index))
    }

    fn collection(&mut self) -> Parsed<Action> {
        let kind = self.kind(&Collection::ALL)?;
        self.mark("[")?;
        Ok(Action::Collection(kind, self.list("]", Self::arg)?))
    }

    fn stream(&mut self) -> Parsed<Action> {
        Ok(Action::Stream(self.kind(&StreamKind::ALL)?, self.content()?))
    }

    /// One of these by name.
    fn kind<K: Copy + std::fmt::Debug>(&mut self, all: &[K]) -> Parsed<K> {
        match all.iter().find(|kind| self.is_word(&format!("{kind:?}"))) {
            Some(kind) => {
                self.next();
                Ok(*kind)
            }
            None => self.expected(&format!("one of {all:?}")),
        }
    }

    fn callback(&mut self, word: &str) -> Parsed<Action> {
        let class = self.class_name()?;
        let form = match word {
            "lambda" => CallbackForm::Lambda { interface: class },
            "implement" => CallbackForm::Interface { interface: class },
            _ => {
                let (constructor, args) = self.invocation(class, Symbol::new("<init>"))?;
                CallbackForm::Subclass { constructor, args }
            }
        };
        self.mark("{")?;
        let mut methods = Vec::new();
        while !self.try_mark("}") {
            methods.push(self.callback_method()?);
        }
        Ok(Action::Callback(Callback { form, methods }))
    }

    fn callback_method(&mut self) -> Parsed<CallbackMethod> {
        let (class, name) = self.member()?;
        self.mark("(")?;
        let params = self.list(")", Self::def)?;
        let descriptor = self.descriptor(&params)?;
        let method = MethodRef { class, name, descriptor };
        let this = self.this()?;
        let (body, result) = self.block()?;
        Ok(CallbackMethod { method, params, this, body, result })
    }

    /// The descriptor of these parameters and the result type that follows.
    pub(super) fn descriptor(&mut self, params: &[Def]) -> Parsed<Symbol> {
        let ret = self.result_type()?;
        Ok(Symbol::new(&MethodType { params: params.iter().map(|def| def.ty).collect(), ret }.descriptor()))
    }

    pub(super) fn this(&mut self) -> Parsed<Option<VarId>> {
        if self.try_word("this") { self.var().map(Some) } else { Ok(None) }
    }

    pub(super) fn block(&mut self) -> Parsed<(Block, Option<Arg>)> {
        self.nested(|p| if p.try_word("return") { p.arg().map(Some) } else { Ok(None) })
    }

    /// A block, and what `end` reads behind its last statement.
    fn nested<T>(&mut self, end: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(Block, T)> {
        if self.depth == MAX_DEPTH {
            return self.expected("blocks that are nested less deeply");
        }
        self.depth += 1;
        self.mark("{")?;
        let block = self.stmts()?;
        let end = end(self)?;
        self.mark("}")?;
        self.depth -= 1;
        Ok((block, end))
    }

    fn repeat(&mut self) -> Parsed<Action> {
        let times = self.integer()?;
        if !self.try_word("from") {
            let (body, _) = self.block()?;
            return Ok(Action::Repeat { times, carried: None, body });
        }
        let from = self.arg()?;
        self.word("as")?;
        let var = self.def()?;
        let (body, next) = self.nested(|p| {
            p.word("next")?;
            p.arg()
        })?;
        Ok(Action::Repeat { times, carried: Some(Carried { from, var, next }), body })
    }

    fn together(&mut self) -> Parsed<Action> {
        let mut bodies = vec![self.block()?.0];
        while self.try_word("and") {
            bodies.push(self.block()?.0);
        }
        Ok(Action::Together(bodies))
    }

    fn try_block(&mut self) -> Parsed<Action> {
        let (body, _) = self.block()?;
        let on_throw = if self.try_word("rethrow") {
            OnThrow::RethrowAtEnd
        } else if self.try_word("swallow") {
            OnThrow::Swallow
        } else {
            return self.expected("`swallow` or `rethrow`");
        };
        Ok(Action::Try { body, on_throw })
    }

    fn directory(&mut self) -> Parsed<Action> {
        self.mark("{")?;
        let mut files = Vec::new();
        while !self.try_mark("}") {
            files.push((self.string()?, self.content()?));
        }
        Ok(Action::TempDir { files })
    }

    fn property(&mut self) -> Parsed<Action> {
        let key = self.string()?;
        if self.try_word("unset") {
            return Ok(Action::SetProperty { key, value: None });
        }
        self.mark("=")?;
        Ok(Action::SetProperty { key, value: Some(self.string()?) })
    }

    fn content(&mut self) -> Parsed<Content> {
        if !self.try_word("bytes") {
            return self.text().map(Content::Text);
        }
        let start = self.at;
        let digits = self.string()?.to_lossy();
        match hex(&digits) {
            Some(bytes) => Ok(Content::Bytes(bytes)),
            None => {
                self.at = start;
                self.expected("two hexadecimal digits for each byte")
            }
        }
    }

    fn text(&mut self) -> Parsed<Text> {
        let mut pieces = Vec::new();
        loop {
            let piece = self.string()?;
            pieces.push(if self.try_mark("*") {
                TextPiece::Repeat(piece, self.integer()?)
            } else {
                TextPiece::Plain(piece)
            });
            if !self.try_mark("+") {
                return Ok(Text { pieces }.normalised());
            }
        }
    }

    fn arg(&mut self) -> Parsed<Arg> {
        match self.peek_var() {
            Some(var) => {
                self.next();
                Ok(Arg::Var(var))
            }
            None => self.literal().map(Arg::Literal),
        }
    }

    pub(super) fn literal(&mut self) -> Parsed<Literal> {
        match self.peek().clone() {
            Token::String(_) => self.text().map(Literal::String),
            Token::Char(unit) => {
                self.next();
                Ok(Literal::Char(unit))
            }
            Token::Number(text) => match number(&text) {
                Some(literal) => {
                    self.next();
                    Ok(literal)
                }
                None => self.expected("a number"),
            },
            Token::Word(word) => self.worded_literal(&word),
            _ => self.expected("a literal"),
        }
    }

    fn worded_literal(&mut self, word: &str) -> Parsed<Literal> {
        self.next();
        match word {
            "true" => Ok(Literal::Boolean(true)),
            "false" => Ok(Literal::Boolean(false)),
            "NaNf" => Ok(Literal::Float(f32::from_bits(self.bits()?.unwrap_or(f32::NAN.to_bits())))),
            "NaNd" => Ok(Literal::Double(f64::from_bits(self.bits()?.unwrap_or(f64::NAN.to_bits())))),
            "Infinityf" => Ok(Literal::Float(f32::INFINITY)),
            "Infinityd" => Ok(Literal::Double(f64::INFINITY)),
            "null" => {
                self.mark("(")?;
                let ty = self.ty()?;
                self.mark(")")?;
                Ok(Literal::Null(ty))
            }
            "class" => self.ty().map(Literal::Class),
            "enum" => {
                let (class, name) = self.member()?;
                let ty = self.result_type()?.unwrap_or(Type::Class(class));
                Ok(Literal::Enum(FieldRef { class, name, descriptor: Symbol::new(&ty.descriptor()) }))
            }
            _ => {
                self.at -= 1;
                self.expected("an action or a literal")
            }
        }
    }

    /// `(bits)` behind a NaN that is not the usual one.
    fn bits<N: std::str::FromStr>(&mut self) -> Parsed<Option<N>> {
        if !self.try_mark("(") {
            return Ok(None);
        }
        let bits = self.integer()?;
        self.mark(")")?;
        Ok(Some(bits))
    }
}

fn number(text: &str) -> Option<Literal> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    match &text[digits.len()..] {
        "" => digits.parse().ok().map(Literal::Int),
        "b" => digits.parse().ok().map(Literal::Byte),
        "s" => digits.parse().ok().map(Literal::Short),
        "L" => digits.parse().ok().map(Literal::Long),
        "f" => digits.parse().ok().filter(|value: &f32| value.is_finite()).map(Literal::Float),
        "d" => digits.parse().ok().filter(|value: &f64| value.is_finite()).map(Literal::Double),
        "Infinityf" if digits == "-" => Some(Literal::Float(f32::NEG_INFINITY)),
        "Infinityd" if digits == "-" => Some(Literal::Double(f64::NEG_INFINITY)),
        _ => None,
    }
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = digits.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
