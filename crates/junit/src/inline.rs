//! Which values need no variable? A value used once is written where it is used, if Java then still evaluates everything in
//! the order of the recipe and the line stays short enough to read.
//!
//! Within a block, values that wait for their use form a stack. A statement may take the top of the stack, in order, as its
//! operands; whatever it leaves there must have been evaluated before it, so it gets variables, unless the statement is
//! itself a value that waits. Plain constants wait for nobody: they are written wherever they are used.

use crate::visit;
use program::{ClassName, Symbol, Type};
use recipe::{Action, Arg, Body, CallbackForm, Literal, Recipe, Stmt, Text, TextPiece, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that are written in place.
#[derive(Debug, Default)]
pub(crate) struct Inlining {
    values: BTreeSet<VarId>,
}

/// A statement longer than this, which is a line and a half, is taken apart.
const MAX_LINE: usize = 140;
/// An argument longer than this gets a variable.
const MAX_VALUE: usize = 96;
/// The same of what calls are made on: these are written below each other, and read like statements.
const MAX_CHAIN: usize = 180;
/// Calls as arguments of calls as arguments: people stop reading here.
const MAX_DEPTH: usize = 3;
/// Strings up to this length are repeated where they are used.
const SHORT_TEXT: usize = 24;

impl Inlining {
    /// `is_doomed`: actions that end the test by reflection, in a statement before their own, where nothing may be left to do.
    pub(crate) fn plan(recipe: &Recipe, is_doomed: &dyn Fn(&Action) -> bool) -> Self {
        let uses = visit::uses(recipe);
        let mut plan = Inlining::default();
        visit::bodies(recipe).into_iter().for_each(|body| plan.block(body, &uses, is_doomed));
        plan
    }

    pub(crate) fn contains(&self, var: VarId) -> bool {
        self.values.contains(&var)
    }

    fn block(&mut self, body: Body<'_>, uses: &BTreeMap<VarId, usize>, is_doomed: &dyn Fn(&Action) -> bool) {
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut constants: BTreeMap<VarId, Size> = BTreeMap::new();
        for stmt in &body.block.stmts {
            if is_doomed(&stmt.action) {
                waiting.clear();
            }
            let size = self.take(stmt, &mut waiting, &mut constants);
            let Some(def) = stmt.def else {
                waiting.clear();
                continue;
            };
            let used = uses.get(&def.var).copied().unwrap_or(0);
            if is_repeatable(&stmt.action) {
                self.values.insert(def.var);
            } else if used == 1 && is_constant(&stmt.action) && size.width <= MAX_VALUE {
                constants.insert(def.var, size);
            } else if used == 1 && is_value(&stmt.action) && size.width <= MAX_CHAIN && size.depth <= MAX_DEPTH {
                waiting.push(Waiting { var: def.var, size, is_callback: matches!(stmt.action, Action::Callback(_)) });
            } else {
                waiting.clear();
            }
        }
        // What the block returns is evaluated last.
        if let Some(Arg::Var(var)) = body.result {
            let is_last = waiting.last().is_some_and(|last| last.var == *var && last.size.width <= MAX_VALUE);
            if is_last || constants.contains_key(var) {
                self.values.insert(*var);
            }
        }
    }

    /// Takes what the statement can take from the stack and returns how big it gets.
    fn take(&mut self, stmt: &Stmt, waiting: &mut Vec<Waiting>, constants: &mut BTreeMap<VarId, Size>) -> Size {
        let operands: Vec<&Arg> = stmt.action.args().collect();
        let mut size = own_size(stmt, &operands);
        for var in operands.iter().filter_map(|arg| arg.var()) {
            if let Some(constant) = constants.get(&var)
                && size.link + constant.width <= MAX_LINE
            {
                size.add(*constant);
                self.values.insert(var);
                constants.remove(&var);
            }
        }
        let receiver = receiver_of(&stmt.action);
        let with = |taken: &[Waiting]| {
            let mut size = size;
            for value in taken {
                if receiver == Some(value.var) { size.chain(value.size) } else { size.add(value.size) }
            }
            size
        };
        let mut from = waiting.len() - matching_top(stmt, &operands, waiting);
        while from < waiting.len() && !with(&waiting[from..]).is_readable() {
            from += 1;
        }
        let taken = waiting.split_off(from);
        self.values.extend(taken.iter().map(|value| value.var));
        with(&taken)
    }
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    var: VarId,
    size: Size,
    is_callback: bool,
}

/// How much room a value takes in the text.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    width: usize,
    /// The widest call of a chain, with its arguments.
    link: usize,
    /// Calls nested in arguments.
    depth: usize,
    /// Something in it takes several lines.
    has_body: bool,
}

impl Size {
    fn add(&mut self, argument: Size) {
        self.width += argument.width;
        self.link += argument.width;
        self.depth = self.depth.max(argument.depth + 1);
        self.has_body |= argument.has_body;
    }

    /// A receiver reads from left to right and nests nothing.
    fn chain(&mut self, receiver: Size) {
        self.width += receiver.width;
        self.link = self.link.max(receiver.link);
        self.depth = self.depth.max(receiver.depth);
        self.has_body |= receiver.has_body;
    }

    fn is_readable(&self) -> bool {
        self.link <= MAX_LINE && self.width <= MAX_CHAIN
    }
}

/// How many values from the top of the stack are, in order, among the operands.
fn matching_top(stmt: &Stmt, operands: &[&Arg], waiting: &[Waiting]) -> usize {
    let used: Vec<VarId> = operands.iter().filter_map(|arg| arg.var()).collect();
    let mut matched = 0;
    let mut end = used.len();
    for value in waiting.iter().rev() {
        let Some(at) = used[..end].iter().rposition(|var| *var == value.var) else { break };
        if value.is_callback && !takes_callback(&stmt.action, value.var) {
            break;
        }
        // A dot behind a closing brace is easily overlooked.
        let is_receiver = receiver_of(&stmt.action) == Some(value.var);
        let is_too_long = if is_receiver { value.size.has_body } else { value.size.width > MAX_VALUE };
        if is_too_long {
            break;
        }
        end = at;
        matched += 1;
    }
    matched
}

fn receiver_of(action: &Action) -> Option<VarId> {
    match action {
        Action::Call { receiver, .. } | Action::GetField { receiver, .. } | Action::PutField { receiver, .. } => {
            receiver.as_ref().and_then(Arg::var)
        }
        _ => None,
    }
}

/// A lambda needs to be told its type, which parameters and fields do; a class body reads best as the last thing of a call.
fn takes_callback(action: &Action, var: VarId) -> bool {
    let is_arg = |args: &[Arg]| args.iter().any(|arg| arg.var() == Some(var));
    match action {
        Action::Call { receiver, args, .. } => receiver.as_ref().and_then(Arg::var) != Some(var) && is_arg(args),
        Action::New { args, .. } => is_arg(args),
        _ => false,
    }
}

/// Whether the value has a body of several lines, as far as the recipe shows it.
fn has_body(action: &Action) -> bool {
    let Action::Callback(callback) = action else { return false };
    let is_subclass = matches!(callback.form, CallbackForm::Subclass { .. });
    is_subclass || callback.methods.len() > 1 || callback.methods.iter().any(|m| !m.body.stmts.is_empty())
}

/// Short constants are written at each use, also inside nested blocks.
fn is_repeatable(action: &Action) -> bool {
    match action {
        Action::Literal(Literal::String(text)) => is_short(text),
        Action::Literal(_) => true,
        _ => false,
    }
}

fn is_short(text: &Text) -> bool {
    text.pieces.iter().all(|piece| matches!(piece, TextPiece::Plain(units) if units.0.len() <= SHORT_TEXT))
        && text.pieces.len() <= 1
}

/// Evaluating it has no effect and depends on nothing.
fn is_constant(action: &Action) -> bool {
    match action {
        Action::Literal(_) | Action::NewArray { .. } => true,
        Action::ArrayOf { elements, .. } => elements.iter().all(|arg| arg.var().is_none()),
        _ => false,
    }
}

/// Can be written as an expression.
fn is_value(action: &Action) -> bool {
    match action {
        Action::Literal(_)
        | Action::New { .. }
        | Action::Call { .. }
        | Action::GetField { .. }
        | Action::NewArray { .. }
        | Action::ArrayOf { .. }
        | Action::GetElement { .. }
        | Action::Collection(..)
        | Action::Cast(_)
        | Action::Callback(_)
        | Action::TempFile { .. }
        | Action::TempDir { .. }
        | Action::Link(_)
        | Action::Stream(..) => true,
        Action::PutField { .. }
        | Action::PutElement { .. }
        | Action::Throw(_)
        | Action::Capture
        | Action::Keep(_)
        | Action::ChangeFile(..)
        | Action::Try { .. }
        | Action::Thread(_)
        | Action::Together(_)
        | Action::Repeat { .. }
        | Action::SetProperty { .. }
        | Action::SetLocale(_)
        | Action::SetTimeZone(_) => false,
    }
}

/// An estimate of the text without the operands that are values of their own.
fn own_size(stmt: &Stmt, operands: &[&Arg]) -> Size {
    let class = |name: ClassName| name.simple().len();
    let member = |name: Symbol| name.as_str().len() + 3;
    let head = match &stmt.action {
        Action::New { constructor, .. } => class(constructor.class) + 6,
        Action::Call { method, receiver: None, .. } => class(method.class) + member(method.name),
        Action::Call { method, .. } => member(method.name),
        Action::GetField { field, receiver: None, .. } => class(field.class) + member(field.name),
        Action::GetField { field, .. } => member(field.name),
        Action::Literal(literal) => literal_width(literal),
        Action::NewArray { component, .. } | Action::ArrayOf { component, .. } => type_width(*component) + 9,
        Action::Cast(_) => stmt.def.map_or(0, |def| type_width(def.ty) + 5),
        Action::Collection(..) => 30,
        Action::Callback(_) => 16,
        Action::TempFile { name, .. } => 30 + name.0.len(),
        Action::Stream(..) => 40,
        _ => 10,
    };
    // A variable's name is about as long as its type's.
    let operand = |arg: &&Arg| match arg {
        Arg::Var(_) => 4,
        Arg::Literal(literal) => literal_width(literal) + 2,
    };
    let width = head + operands.iter().map(operand).sum::<usize>();
    Size { width, link: width, depth: 0, has_body: has_body(&stmt.action) }
}

fn type_width(ty: Type) -> usize {
    match ty {
        Type::Class(class) => class.simple().len(),
        Type::Array(array) => type_width(array.component()) + 2,
        _ => 6,
    }
}

fn literal_width(literal: &Literal) -> usize {
    match literal {
        Literal::String(text) => text
            .pieces
            .iter()
            .map(|piece| match piece {
                TextPiece::Plain(units) => units.0.len() + 2,
                TextPiece::Repeat(unit, _) => unit.0.len() + 16,
            })
            .sum(),
        Literal::Class(ty) => type_width(*ty) + 6,
        Literal::Enum(field) => field.class.simple().len() + field.name.as_str().len() + 1,
        Literal::Null(_) => 4,
        Literal::Int(value) => value.to_string().len(),
        Literal::Long(value) => value.to_string().len() + 1,
        _ => 3,
    }
}
