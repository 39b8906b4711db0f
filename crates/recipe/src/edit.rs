//! Changing recipes one step at a time. A change that would leave the recipe ill typed is refused and nothing is changed.

use crate::check::{TypeError, check};
use crate::walk::{BodyMut, ResultMut};
use crate::{Arg, Block, Place, Recipe, Stmt, Subtyping, VarId};
use rustc_hash::FxHashSet;

/// Why a change was refused; the caller's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    #[error("the recipe has no statement {0}")]
    NoSuchPlace(Place),
    #[error("statement {at} has no argument {index}")]
    NoSuchArg { at: Place, index: usize },
    #[error("the changed recipe is ill typed: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    IllTyped(Vec<TypeError>),
}

impl Recipe {
    /// Inserts before the statement at `at`; the end of a block is a place too.
    pub fn insert(&mut self, at: &Place, stmt: Stmt, program: &dyn Subtyping) -> Result<(), EditError> {
        self.change(program, |recipe| {
            let block = recipe.block_mut(&at.block).filter(|block| at.index <= block.stmts.len());
            block.ok_or_else(|| EditError::NoSuchPlace(at.clone()))?.stmts.insert(at.index, stmt);
            Ok(())
        })
    }

    /// Puts another statement in the place of one, and gives that one back.
    pub fn replace(&mut self, at: &Place, stmt: Stmt, program: &dyn Subtyping) -> Result<Stmt, EditError> {
        self.change(program, |recipe| {
            let old = recipe.stmt_mut(at).ok_or_else(|| EditError::NoSuchPlace(at.clone()))?;
            Ok(std::mem::replace(old, stmt))
        })
    }

    /// Puts another argument in the place of one (counted as in [`crate::Action::args`]), and gives that one back.
    pub fn replace_arg(
        &mut self,
        at: &Place,
        index: usize,
        arg: Arg,
        program: &dyn Subtyping,
    ) -> Result<Arg, EditError> {
        self.change(program, |recipe| {
            let stmt = recipe.stmt_mut(at).ok_or_else(|| EditError::NoSuchPlace(at.clone()))?;
            let old = stmt.action.args_mut().nth(index);
            let old = old.ok_or_else(|| EditError::NoSuchArg { at: at.clone(), index })?;
            Ok(std::mem::replace(old, arg))
        })
    }

    /// Puts an argument in the place of every use of a variable, and says how many there were.
    pub fn substitute(&mut self, var: VarId, with: &Arg, program: &dyn Subtyping) -> Result<usize, EditError> {
        self.change(program, |recipe| {
            let mut uses = 0;
            recipe.for_each_arg_mut(&mut |arg| {
                if arg.var() == Some(var) {
                    *arg = with.clone();
                    uses += 1;
                }
            });
            Ok(uses)
        })
    }

    /// Removes a statement and all that depend on it, nested ones too: those that use its variable, or the variable of one
    /// that was removed. A body whose result is gone gives back its type's default; a turn whose next value is gone carries
    /// on the value that it got. Says how many statements went; 0 when there is none at `at`.
    pub fn remove(&mut self, at: &Place) -> usize {
        let Some(block) = self.block_mut(&at.block).filter(|block| at.index < block.stmts.len()) else { return 0 };
        let removed = block.stmts.remove(at.index);
        let mut gone: FxHashSet<VarId> = removed.def.into_iter().map(|def| def.var).collect();
        let mut count = 1;
        // A user comes after what it uses, and a nested block after the outer statements before it: one pass is enough.
        for body in self.roots_mut() {
            drop_users(body, &mut gone, &mut count);
        }
        count
    }

    /// Changes a copy, and takes it over if it is well typed.
    fn change<T>(
        &mut self,
        program: &dyn Subtyping,
        edit: impl FnOnce(&mut Recipe) -> Result<T, EditError>,
    ) -> Result<T, EditError> {
        let mut changed = self.clone();
        let value = edit(&mut changed)?;
        check(&changed, program).map_err(EditError::IllTyped)?;
        *self = changed;
        Ok(value)
    }
}

fn drop_users(body: BodyMut<'_>, gone: &mut FxHashSet<VarId>, count: &mut usize) {
    let is_gone = |gone: &FxHashSet<VarId>, arg: &Arg| arg.var().is_some_and(|var| gone.contains(&var));
    let Block { stmts } = body.block;
    stmts.retain_mut(|stmt| {
        if stmt.action.args().any(|arg| is_gone(gone, arg)) {
            gone.extend(stmt.def.map(|def| def.var));
            *count += 1;
            return false;
        }
        stmt.action.bodies_mut().into_iter().for_each(|inner| drop_users(inner, gone, count));
        true
    });
    match body.result {
        ResultMut::OrDefault(result) if result.as_ref().is_some_and(|arg| is_gone(gone, arg)) => *result = None,
        ResultMut::Always(next) if is_gone(gone, next) => {
            body.params.iter().for_each(|carried| *next = Arg::Var(carried.var));
        }
        _ => {}
    }
}
