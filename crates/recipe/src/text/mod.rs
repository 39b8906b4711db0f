//! Recipes as text: what people read in logs and reports and write in tests.
//!
//! ```text
//! v0: java.util.HashMap = new java.util.HashMap(int 16)
//! v1: java.lang.Object = call v0->java.util.Map.put(java.lang.Object "key", java.lang.Object null(java.lang.String)): java.lang.Object
//! v2: java.util.Comparator = lambda java.util.Comparator {
//!   java.util.Comparator.compare(v3: java.lang.Object, v4: java.lang.Object): int {
//!     call v0->java.util.Map.clear()
//!     return -1
//!   }
//! }
//! ```
//!
//! A statement is an action, before it the variable that it defines. Every action starts with a word of its own, or is a
//! literal, so line ends mean nothing; `#` starts a comment. In the grammar below, words in quotes stand for themselves.
//!
//! ```text
//! recipe     = class* stmt*
//! stmt       = [var ":" type "="] action
//! action     = literal
//!            | [access] "new" class "(" args ")"
//!            | [access] "call" [arg "->"] class "." name "(" args ")" [":" type]     no type: void
//!            | [access] "get" [arg "->"] class "." name ":" type
//!            | [access] "put" [arg "->"] class "." name ":" type "=" arg
//!            | "array" type "[" number "]"  |  "array" type "{" [arg ("," arg)*] "}"       of this component type
//!            | "load" arg "[" number "]"  |  "store" arg "[" number "]" "=" arg
//!            | "collect" kind "[" [arg ("," arg)*] "]"                                    ArrayList, HashMap, ..
//!            | "cast" arg
//!            | "lambda" class "{" method "}"  |  "implement" class "{" method* "}"
//!            | "subclass" class "(" args ")" "{" method* "}"
//!            | "try" block ("swallow" | "rethrow")  |  "thread" block
//!            | "repeat" number block  |  "together" block ("and" block)*
//!            | "repeat" number "from" arg "as" var ":" type "{" stmt* "next" arg "}"
//!            | "file" string content  |  "directory" "{" (string content)* "}"
//!            | "stream" kind content
//!            | "property" string ("=" string | "unset")  |  "locale" string  |  "zone" string
//! access     = "package" | "reflective"                                                no word: public
//! args       = [type arg ("," type arg)*]                                              declared type, then value
//! arg        = var | literal
//! method     = class "." name "(" [param ("," param)*] ")" [":" type] ["this" var] block
//! param      = var ":" type
//! block      = "{" stmt* ["return" arg] "}"
//! class      = annotation* "declare" ("class" | "interface") name ["signature" string]
//!              ["extends" class] ["implements" class ("," class)*] "{" (field | declared)* "}"
//! field      = annotation* "field" ["static"] name ":" type ["signature" string] ["=" literal]
//! declared   = annotation* "method" ["static"] name "(" [annotation* param ("," ..)* ["..."]] ")" [":" type]
//!              ["signature" string] ["this" var] block
//! annotation = "@" class ["(" name "=" value ("," name "=" value)* ")"]
//! value      = literal | "[" [value ("," value)*] "]" | annotation
//! content    = text | "bytes" string                                                  two hexadecimal digits each
//! literal    = "null" "(" type ")" | "true" | "false" | 5 | 5b | 5s | 5L | 1.5f | 1.5d | NaNf | -Infinityd | 'c'
//!            | text | "class" type | "enum" class "." name [":" type]
//! text       = string ["*" number] ("+" string ["*" number])*                          "[" * 1000
//! var        = v0, v1, ..
//! ```
//!
//! Class names are dotted, with `$` before nested ones. A part of a name that is not an identifier stands in backquotes.
//! Strings and characters have the escapes `\\ \" \' \n \r \t \u{hex}`; a lone surrogate is written as one of the last.
//!
//! Printing and reading a well-typed recipe gives the same recipe, but for texts, which come back in normal form. Printing is
//! total; reading knows the grammar and no types.

mod cursor;
mod lex;
mod parse;
mod parse_class;
mod print;

pub use cursor::ParseError;
pub use parse::{parse, parse_stmt};
