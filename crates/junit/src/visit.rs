//! Walks over recipes: every action, every use of a variable.

use recipe::{Action, Arg, Block, CallbackForm, Recipe, Stmt, VarId};

/// Every action of the recipe, in the order of the text, nested blocks after the action they belong to.
pub(crate) fn actions<'r>(recipe: &'r Recipe, visit: &mut dyn FnMut(&'r Action)) {
    blocks(recipe, &mut |block, _| block.stmts.iter().for_each(|stmt| visit(&stmt.action)));
}

/// Every block with the value it ends with, outer blocks before inner ones.
pub(crate) fn blocks<'r>(recipe: &'r Recipe, visit: &mut dyn FnMut(&'r Block, Option<&'r Arg>)) {
    for class in &recipe.classes {
        class.methods.iter().for_each(|method| within(&method.body, method.result.as_ref(), visit));
    }
    within(&recipe.body, None, visit);
}

fn within<'r>(block: &'r Block, result: Option<&'r Arg>, visit: &mut dyn FnMut(&'r Block, Option<&'r Arg>)) {
    visit(block, result);
    for stmt in &block.stmts {
        match &stmt.action {
            Action::Callback(callback) => {
                callback.methods.iter().for_each(|method| within(&method.body, method.result.as_ref(), visit));
            }
            Action::Try { body, .. } | Action::Thread(body) => within(body, None, visit),
            _ => {}
        }
    }
}

/// What an action evaluates itself, in Java's order; the blocks inside it are not looked at.
pub(crate) fn operands(action: &Action) -> Vec<&Arg> {
    match action {
        Action::New { args, .. } | Action::Collection(_, args) => args.iter().collect(),
        Action::Call { receiver, args, .. } => receiver.iter().chain(args).collect(),
        Action::GetField { receiver, .. } => receiver.iter().collect(),
        Action::PutField { receiver, value, .. } => receiver.iter().chain([value]).collect(),
        Action::ArrayOf { elements, .. } => elements.iter().collect(),
        Action::PutElement { array, value, .. } => vec![array, value],
        Action::GetElement { array, .. } => vec![array],
        Action::Cast(value) => vec![value],
        Action::Callback(callback) => match &callback.form {
            CallbackForm::Subclass { args, .. } => args.iter().collect(),
            CallbackForm::Lambda { .. } | CallbackForm::Interface { .. } => Vec::new(),
        },
        Action::Literal(_)
        | Action::NewArray { .. }
        | Action::Try { .. }
        | Action::Thread(_)
        | Action::TempFile { .. }
        | Action::TempDir { .. }
        | Action::Stream(..)
        | Action::SetProperty { .. }
        | Action::SetLocale(_)
        | Action::SetTimeZone(_) => Vec::new(),
    }
}

/// The variable of an operand.
pub(crate) fn variable(arg: &Arg) -> Option<VarId> {
    if let Arg::Var(var) = arg { Some(*var) } else { None }
}

/// How often each variable is used, in all blocks.
pub(crate) fn uses(recipe: &Recipe) -> std::collections::BTreeMap<VarId, usize> {
    let mut uses = std::collections::BTreeMap::new();
    blocks(recipe, &mut |block, result| {
        let operands = block.stmts.iter().flat_map(|stmt: &Stmt| operands(&stmt.action));
        operands.chain(result).filter_map(variable).for_each(|var| *uses.entry(var).or_default() += 1);
    });
    uses
}
