//! How large is a recipe? For minimisers, which want the smallest test, and for engines, which must not let recipes grow.

use crate::{Action, Arg, Block, ClassDecl, ClassKind, Content, JavaString, Literal, OnThrow, Recipe, Stmt};

/// Ordered by statements first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Size {
    /// Java statements of the printed test, roughly: what ends with a semicolon.
    pub statements: u32,
    /// Everything else that a reader must take in: arguments, and the lengths of what they spell out.
    pub weight: u64,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.statements += other.statements;
        self.weight += other.weight;
    }
}

impl Recipe {
    pub fn size(&self) -> Size {
        let mut size = Size::default();
        self.classes.iter().for_each(|class| size += class_size(class));
        size += block_size(&self.body);
        size
    }
}

fn block_size(block: &Block) -> Size {
    let mut size = Size::default();
    block.stmts.iter().for_each(|stmt| size += stmt_size(stmt));
    size
}

fn stmt_size(stmt: &Stmt) -> Size {
    let mut size = Size { statements: own_statements(&stmt.action), weight: own_weight(&stmt.action) };
    stmt.action.args().for_each(|arg| size.weight += 1 + arg_weight(arg));
    for body in stmt.action.bodies() {
        size += block_size(body.block);
        // The next value of a loop is assigned where it is computed.
        let returns = body.result.is_some() && !matches!(stmt.action, Action::Repeat { .. });
        size.statements += u32::from(returns);
        size.weight += body.result.map_or(0, |arg| 1 + arg_weight(arg));
    }
    size
}

/// What the printed form has besides its bodies: a thread is made, started and joined, those that run together also wait for
/// each other, a handler is set and asked for what it has kept, a kept exception is declared and thrown, a file is made and written.
fn own_statements(action: &Action) -> u32 {
    match action {
        Action::Try { on_throw: OnThrow::Swallow, .. } => 0,
        Action::Try { on_throw: OnThrow::RethrowAtEnd, .. } => 3,
        Action::Thread(_) => 3,
        Action::Capture => 4,
        Action::Together(bodies) => 3 + bodies.len() as u32,
        Action::TempFile { .. } => 2,
        Action::TempDir { files } => 1 + files.len() as u32,
        _ => 1,
    }
}

fn own_weight(action: &Action) -> u64 {
    match action {
        Action::Literal(literal) => literal_weight(literal),
        Action::NewArray { length, .. } => u64::from(length.unsigned_abs()).ilog2_or_zero(),
        Action::Repeat { times, .. } => 1 + u64::from(*times).ilog2_or_zero(),
        Action::TempFile { name, content } => name_weight(name) + content_weight(content),
        Action::TempDir { files } => {
            files.iter().map(|(name, content)| name_weight(name) + content_weight(content)).sum()
        }
        Action::Stream(_, content) => content_weight(content),
        Action::SetProperty { key, value } => name_weight(key) + value.as_ref().map_or(0, name_weight),
        _ => 0,
    }
}

fn class_size(class: &ClassDecl) -> Size {
    let mut size = Size { statements: class.fields.len() as u32, weight: 1 + class.annotations.len() as u64 };
    for field in &class.fields {
        size.weight += field.annotations.len() as u64 + field.init.as_ref().map_or(0, literal_weight);
    }
    for method in &class.methods {
        size += block_size(&method.body);
        let returns = method.result.is_some() || class.kind == ClassKind::Interface;
        size.statements += u32::from(returns);
        size.weight += 1 + method.params.len() as u64 + method.annotations.len() as u64;
    }
    size
}

fn arg_weight(arg: &Arg) -> u64 {
    match arg {
        Arg::Var(_) => 0,
        Arg::Literal(literal) => literal_weight(literal),
    }
}

fn literal_weight(literal: &Literal) -> u64 {
    match literal {
        Literal::String(text) => text_weight(text),
        // Small numbers read better than large ones.
        Literal::Int(value) => u64::from(value.unsigned_abs()).ilog2_or_zero(),
        Literal::Long(value) => value.unsigned_abs().ilog2_or_zero(),
        _ => 0,
    }
}

/// A repetition is as long as what it repeats.
fn text_weight(text: &crate::Text) -> u64 {
    let piece = |piece: &crate::TextPiece| match piece {
        crate::TextPiece::Plain(text) => text.0.len() as u64,
        crate::TextPiece::Repeat(unit, times) => unit.0.len() as u64 + u64::from(*times).ilog2_or_zero(),
    };
    text.pieces.iter().map(piece).sum()
}

fn content_weight(content: &Content) -> u64 {
    match content {
        Content::Text(text) => text_weight(text),
        Content::Bytes(bytes) => bytes.len() as u64,
    }
}

fn name_weight(name: &JavaString) -> u64 {
    name.0.len() as u64
}

trait Logarithm {
    fn ilog2_or_zero(self) -> u64;
}

impl Logarithm for u64 {
    fn ilog2_or_zero(self) -> u64 {
        self.checked_ilog2().map_or(0, u64::from)
    }
}

#[cfg(test)]
mod tests {

    #[test]
    fn statements_come_first_then_what_they_spell_out() {
        let size = |text: &str| crate::parse(text).unwrap().size();
        assert!(size(r#"v0: java.lang.String = "aaaaaaaaaaaaaaaa""#) < size("v0: int = 1 v1: int = 1"));
        assert!(size(r#"v0: java.lang.String = "a" * 1000"#) < size(r#"v0: java.lang.String = "aaaaaaaaaaaaaaaa""#));
        assert!(size("v0: int = 3") < size("v0: int = 2147483647"));
        assert_eq!(size("thread { call a.B.c() }").statements, 4);
        assert_eq!(size("try { call a.B.c() } swallow").statements, 1);
        assert_eq!(size("repeat 9 { call a.B.c() }").statements, 2);
        assert_eq!(size("repeat 9 from 1 as v0: int { v1: int = 2 next v1 }").statements, 2);
        assert_eq!(size("together { call a.B.c() } and { call a.B.d() }").statements, 7);
        assert!(size("repeat 9 { call a.B.c() }") < size("repeat 900 { call a.B.c() }"));
    }
}
