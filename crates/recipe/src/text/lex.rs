//! Words of the text form.

use crate::JavaString;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or a word of the grammar.
    Word(String),
    /// A name in backquotes: never a word of the grammar.
    Name(String),
    /// With its suffix.
    Number(String),
    String(JavaString),
    Char(u16),
    /// One of `: = ( ) [ ] { } , . + * @ -` or `->` or `...`.
    Mark(&'static str),
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(text) | Token::Name(text) | Token::Number(text) => write!(f, "`{text}`"),
            Token::String(_) => f.write_str("a string"),
            Token::Char(_) => f.write_str("a character"),
            Token::Mark(mark) => write!(f, "`{mark}`"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// The longest first, so that `->` is not read as `-`.
const MARKS: [&str; 15] = ["...", "->", ":", "=", "(", ")", "[", "]", "{", "}", ",", ".", "+", "*", "@"];

/// Whether a name is read back as it is.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| is_word_char(c) && !c.is_ascii_digit()) && chars.all(is_word_char)
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The tokens with their byte offsets; on failure the offset and what was wrong there.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, &'static str)> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let start = lexer.at;
        let token = lexer.token().map_err(|what| (start, what))?;
        let is_end = token == Token::End;
        tokens.push((start, token));
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip_blank(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if self.peek() != Some('#') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token, &'static str> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        let second = self.rest().chars().nth(1);
        match first {
            '"' => self.quoted('"').map(Token::String),
            '\'' => match self.quoted('\'')?.0[..] {
                [unit] => Ok(Token::Char(unit)),
                _ => Err("a character literal holds one UTF-16 unit"),
            },
            '`' => {
                let units = self.quoted('`')?.0;
                String::from_utf16(&units).map(Token::Name).map_err(|_| "a name has no lone surrogates")
            }
            '0'..='9' => Ok(Token::Number(self.number())),
            '-' if second.is_some_and(|c| c.is_ascii_digit()) => Ok(Token::Number(self.number())),
            '-' if second == Some('I') => {
                self.next();
                Ok(Token::Number(format!("-{}", self.take_while(is_word_char))))
            }
            c if is_word_char(c) => Ok(Token::Word(self.take_while(is_word_char).to_owned())),
            _ => self.mark(),
        }
    }

    fn mark(&mut self) -> Result<Token, &'static str> {
        let mark =
            MARKS.into_iter().find(|mark| self.rest().starts_with(mark)).ok_or("this character has no meaning")?;
        self.at += mark.len();
        Ok(Token::Mark(mark))
    }

    /// Sign, digits, fraction, exponent, suffix.
    fn number(&mut self) -> String {
        let start = self.at;
        if self.peek() == Some('-') {
            self.next();
        }
        self.take_while(|c| c.is_ascii_digit());
        let mut ahead = self.rest().chars();
        if ahead.next() == Some('.') && ahead.next().is_some_and(|c| c.is_ascii_digit()) {
            self.next();
            self.take_while(|c| c.is_ascii_digit());
        }
        if self.peek() == Some('e') {
            self.next();
            self.take_while(|c| c == '-' || c == '+');
            self.take_while(|c| c.is_ascii_digit());
        }
        self.take_while(|c| c.is_ascii_alphabetic());
        self.text[start..self.at].to_owned()
    }

    fn quoted(&mut self, quote: char) -> Result<JavaString, &'static str> {
        self.next();
        let mut units = Vec::new();
        loop {
            match self.next().ok_or("the closing quote is missing")? {
                c if c == quote => return Ok(JavaString(units)),
                '\\' => self.escape(&mut units)?,
                c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self, units: &mut Vec<u16>) -> Result<(), &'static str> {
        let simple = match self.next().ok_or("the closing quote is missing")? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            c @ ('"' | '\'' | '\\' | '`') => c,
            'u' => return self.unicode_escape(units),
            _ => return Err("unknown escape"),
        };
        units.push(simple as u16);
        Ok(())
    }

    fn unicode_escape(&mut self, units: &mut Vec<u16>) -> Result<(), &'static str> {
        let wrong = "a unicode escape is \\u{hex}";
        if self.next() != Some('{') {
            return Err(wrong);
        }
        let value = u32::from_str_radix(self.take_while(|c| c.is_ascii_hexdigit()), 16).map_err(|_| wrong)?;
        if self.next() != Some('}') {
            return Err(wrong);
        }
        match (u16::try_from(value), char::from_u32(value)) {
            // A surrogate of its own is a unit, though not a character.
            (Ok(unit), _) => units.push(unit),
            (Err(_), Some(c)) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            (Err(_), None) => return Err("no such character"),
        }
        Ok(())
    }
}
