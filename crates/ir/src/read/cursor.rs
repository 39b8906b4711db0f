//! A position in one line of text, and the tokens that can start there. White space before a token does not matter.

use crate::print::{is_plain, is_plain_in_descriptor};
use program::{FieldRef, MethodRef, Type};
use std::str::FromStr;

pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// What should have been at a position.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) expected: &'static str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    pub(super) fn fault<T>(&self, expected: &'static str) -> Result<T, Fault> {
        Err(Fault { expected, at: self.at })
    }

    /// The text from the next token on.
    pub(super) fn rest(&self) -> &'a str {
        self.text[self.at..].trim_start()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.is_at_end() { Ok(()) } else { self.fault("the end of the line") }
    }

    pub(super) fn peek(&self, token: &str) -> bool {
        self.rest().starts_with(token)
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        if found {
            self.advance(token.len());
        }
        found
    }

    pub(super) fn expect(&mut self, token: &'static str) -> Result<(), Fault> {
        if self.eat(token) { Ok(()) } else { self.fault(token) }
    }

    fn advance(&mut self, length: usize) {
        self.at = self.text.len() - self.rest().len() + length;
    }

    /// The longest run of characters that satisfy `accept`.
    pub(super) fn run(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|character| !accept(character)).unwrap_or(rest.len());
        self.advance(length);
        &rest[..length]
    }

    pub(super) fn word(&mut self) -> Result<&'a str, Fault> {
        let before = self.at;
        let word = self.run(|character| character.is_ascii_alphabetic());
        if word.is_empty() { Err(Fault { expected: "a word", at: before }) } else { Ok(word) }
    }

    pub(super) fn number<T: FromStr>(&mut self) -> Result<T, Fault> {
        let before = self.at;
        let digits = self.run(|character| character.is_ascii_digit() || character == '-');
        digits.parse().map_err(|_| Fault { expected: "a number", at: before })
    }

    /// `@12`
    pub(super) fn index(&mut self) -> Result<u16, Fault> {
        self.expect("@")?;
        self.number()
    }

    pub(super) fn name(&mut self) -> Result<String, Fault> {
        self.quoted_or(is_plain)
    }

    pub(super) fn descriptor(&mut self) -> Result<String, Fault> {
        self.quoted_or(is_plain_in_descriptor)
    }

    fn quoted_or(&mut self, plain: fn(char) -> bool) -> Result<String, Fault> {
        if self.peek("`") {
            let units = self.quoted('`')?;
            return String::from_utf16(&units).or_else(|_| self.fault("a name without lone surrogates"));
        }
        let before = self.at;
        let text = self.run(plain);
        if text.is_empty() { Err(Fault { expected: "a name", at: before }) } else { Ok(text.to_string()) }
    }

    /// Text between quotes, as UTF-16.
    pub(super) fn quoted(&mut self, quote: char) -> Result<Vec<u16>, Fault> {
        let rest = self.rest();
        let mut units = Vec::new();
        let mut characters = rest.char_indices().skip(1);
        while let Some((offset, character)) = characters.next() {
            if character == quote {
                self.advance(offset + quote.len_utf8());
                return Ok(units);
            }
            if character != '\\' {
                units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
                continue;
            }
            match characters.next() {
                Some((_, 'n')) => units.push(u16::from(b'\n')),
                Some((start, 'u')) => {
                    let code = escaped_code(&rest[start..]);
                    let (code, length) = code.ok_or(Fault { expected: "a code like `\\u{41}`", at: self.at })?;
                    match char::from_u32(code) {
                        Some(character) => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
                        None => units.push(u16::try_from(code).unwrap_or(0xFFFD)),
                    }
                    // `start` is at the `u`, which is already taken.
                    characters.nth(length - 1);
                }
                Some((_, other)) => units.extend_from_slice(other.encode_utf16(&mut [0; 2])),
                None => break,
            }
        }
        self.fault("a closing quote")
    }

    pub(super) fn ty(&mut self) -> Result<Type, Fault> {
        let before = self.at;
        let text = self.name()?;
        Type::parse(&text).ok_or(Fault { expected: "a type", at: before })
    }

    pub(super) fn field(&mut self) -> Result<FieldRef, Fault> {
        let class = self.name()?;
        self.expect(".")?;
        let name = self.name()?;
        self.expect(":")?;
        Ok(FieldRef::new(&class, &name, &self.descriptor()?))
    }

    pub(super) fn method(&mut self) -> Result<MethodRef, Fault> {
        let class = self.name()?;
        self.expect(".")?;
        let name = self.name()?;
        Ok(MethodRef::new(&class, &name, &self.descriptor()?))
    }
}

/// The code of `u{..}` at the start of the text, and how many characters follow the `u`.
fn escaped_code(text: &str) -> Option<(u32, usize)> {
    let digits = text.strip_prefix("u{")?;
    let end = digits.find('}')?;
    Some((u32::from_str_radix(&digits[..end], 16).ok()?, end + 2))
}
