//! The parts of the reader that all of the grammar needs: tokens, names, types, lists.

use crate::text::lex::{Token, tokens};
use crate::{JavaString, VarId};
use program::{ClassName, Symbol, Type};

/// The text is not a recipe. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct ParseError {
    pub line: usize,
    pub column: usize,
    pub what: String,
}

/// Deeper nesting is no recipe that anyone wrote, and would overflow our stack.
pub(super) const MAX_DEPTH: usize = 100;

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, Token)>,
    pub(super) at: usize,
    pub(super) depth: usize,
}

pub(super) type Parsed<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parsed<Self> {
        let tokens = tokens(text).map_err(|(offset, what)| error(text, offset, what.to_owned()))?;
        Ok(Parser { text, tokens, at: 0, depth: 0 })
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].1
    }

    pub(super) fn peek_after(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].1
    }

    /// The last token, the end, is never passed.
    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn expected<T>(&self, what: &str) -> Parsed<T> {
        Err(error(self.text, self.tokens[self.at].0, format!("expected {what}, found {}", self.peek())))
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(found) if *found == mark)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    pub(super) fn try_mark(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn try_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.try_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    pub(super) fn mark(&mut self, mark: &str) -> Parsed<()> {
        if self.try_mark(mark) { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }

    pub(super) fn end(&mut self) -> Parsed<()> {
        if *self.peek() == Token::End { Ok(()) } else { self.expected("a statement") }
    }

    pub(super) fn name(&mut self) -> Parsed<Symbol> {
        match self.peek() {
            Token::Word(name) | Token::Name(name) => {
                let name = Symbol::new(name);
                self.next();
                Ok(name)
            }
            _ => self.expected("a name"),
        }
    }

    pub(super) fn string(&mut self) -> Parsed<JavaString> {
        match self.next_if(|token| matches!(token, Token::String(_))) {
            Some(Token::String(text)) => Ok(text),
            _ => self.expected("a string"),
        }
    }

    pub(super) fn symbol(&mut self) -> Parsed<Symbol> {
        self.string().map(|text| Symbol::new(&text.to_lossy()))
    }

    pub(super) fn next_if(&mut self, wanted: impl Fn(&Token) -> bool) -> Option<Token> {
        wanted(self.peek()).then(|| self.next())
    }

    pub(super) fn integer<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        let number = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => {
                self.next();
                Ok(number)
            }
            None => self.expected("a whole number"),
        }
    }

    pub(super) fn peek_var(&self) -> Option<VarId> {
        match self.peek() {
            Token::Word(word) => word.strip_prefix('v')?.parse().ok().map(VarId),
            _ => None,
        }
    }

    pub(super) fn var(&mut self) -> Parsed<VarId> {
        match self.peek_var() {
            Some(var) => {
                self.next();
                Ok(var)
            }
            None => self.expected("a variable"),
        }
    }

    /// `a.b.C`
    pub(super) fn class_name(&mut self) -> Parsed<ClassName> {
        let mut internal = self.name()?.as_str().to_owned();
        while self.try_mark(".") {
            internal.push('/');
            internal.push_str(self.name()?.as_str());
        }
        Ok(ClassName::internal(&internal))
    }

    /// `a.b.C.name`
    pub(super) fn member(&mut self) -> Parsed<(ClassName, Symbol)> {
        let start = self.at;
        let mut parts = vec![self.name()?];
        while self.try_mark(".") {
            parts.push(self.name()?);
        }
        match parts.split_last() {
            Some((name, class)) if !class.is_empty() => {
                let internal: Vec<&str> = class.iter().map(|part| part.as_str()).collect();
                Ok((ClassName::internal(&internal.join("/")), *name))
            }
            _ => {
                self.at = start;
                self.expected("a class and a member of it")
            }
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let primitive = match self.peek() {
            Token::Word(word) if *self.peek_after() != Token::Mark(".") => primitive(word),
            _ => None,
        };
        let mut ty = match primitive {
            Some(primitive) => {
                self.next();
                primitive
            }
            None => Type::Class(self.class_name()?),
        };
        while self.is_mark("[") && *self.peek_after() == Token::Mark("]") {
            self.next();
            self.next();
            ty = Type::array_of(ty);
        }
        Ok(ty)
    }

    pub(super) fn result_type(&mut self) -> Parsed<Option<Type>> {
        if self.try_mark(":") { self.ty().map(Some) } else { Ok(None) }
    }

    /// Items separated by commas, up to `close`.
    pub(super) fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.try_mark(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.try_mark(close) {
                return Ok(items);
            }
            self.mark(",")?;
        }
    }
}

fn error(text: &str, offset: usize, what: String) -> ParseError {
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
    ParseError { line, column, what }
}

fn primitive(word: &str) -> Option<Type> {
    Some(match word {
        "boolean" => Type::Boolean,
        "byte" => Type::Byte,
        "char" => Type::Char,
        "short" => Type::Short,
        "int" => Type::Int,
        "long" => Type::Long,
        "float" => Type::Float,
        "double" => Type::Double,
        _ => return None,
    })
}
