//! Building recipes that are well typed from the first statement on: what does not fit is refused where it is added.

use crate::check::{Checker, Problem, Rules, Scope};
use crate::types::is_assignable;
use crate::{
    Access, Action, Arg, Block, Body, CallbackMethod, Carried, ClassDecl, Def, Literal, OnThrow, Recipe, Stmt,
    Subtyping, VarId,
};
use program::{ClassName, FieldRef, MethodRef, Type};
use rustc_hash::FxHashSet;

/// Adds statements one after the other.
///
/// ```
/// # use recipe::{Arg, Literal, RecipeBuilder, Subtyping};
/// # use program::{ClassName, MethodRef};
/// # struct Lists;
/// # impl Subtyping for Lists {
/// #     fn is_subtype(&self, sub: ClassName, sup: ClassName) -> bool {
/// #         sub == sup || (sub.dotted(), sup.dotted()) == ("java.util.ArrayList".into(), "java.util.List".into())
/// #     }
/// # }
/// let mut build = RecipeBuilder::new(&Lists);
/// let list = build.construct(MethodRef::new("java/util/ArrayList", "<init>", "()V"), vec![])?;
/// let add = MethodRef::new("java/util/List", "add", "(Ljava/lang/Object;)Z");
/// build.call(add, Some(Arg::Var(list)), vec![Arg::Literal(Literal::Int(7))])?;
/// let refused = build.call(add, Some(Arg::Literal(Literal::string("no list"))), vec![Arg::Var(list)]);
/// assert!(refused.is_err());
/// # Ok::<(), recipe::Problem>(())
/// ```
pub struct RecipeBuilder<'p> {
    program: &'p dyn Subtyping,
    classes: Vec<ClassDecl>,
    /// The blocks that are open, innermost last.
    blocks: Vec<Vec<Stmt>>,
    scope: Scope,
    /// All variables of the classes and of finished statements.
    introduced: FxHashSet<VarId>,
    next_var: u32,
}

impl std::fmt::Debug for RecipeBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecipeBuilder")
            .field("classes", &self.classes)
            .field("blocks", &self.blocks)
            .finish_non_exhaustive()
    }
}

impl<'p> RecipeBuilder<'p> {
    pub fn new(program: &'p dyn Subtyping) -> Self {
        RecipeBuilder::extend(Recipe::default(), program)
    }

    /// Goes on where a well-typed recipe ends.
    pub fn extend(recipe: Recipe, program: &'p dyn Subtyping) -> Self {
        let next_var = recipe.fresh_var().0;
        let mut scope = Scope::default();
        recipe.body.stmts.iter().filter_map(|stmt| stmt.def).for_each(|def| scope.push(def.var, def.ty));
        let mut introduced = FxHashSet::default();
        for body in recipe.roots() {
            body.for_each_introduced(&mut |var| {
                introduced.insert(var);
            });
        }
        let Recipe { classes, body } = recipe;
        RecipeBuilder { program, classes, blocks: vec![body.stmts], scope, introduced, next_var }
    }

    pub fn finish(mut self) -> Recipe {
        // Every body closes its own block, so the recipe's is the only one left.
        let stmts = self.blocks.pop().unwrap_or_default();
        Recipe { classes: self.classes, body: Block { stmts } }
    }

    /// Declares a class; later statements may use it.
    pub fn declare(&mut self, class: ClassDecl) -> Result<ClassName, Problem> {
        let name = class.name;
        self.classes.push(class);
        let last = self.classes.len() - 1;
        if let Err(problem) = Checker::class_in(self.rules(), &self.introduced, last) {
            self.classes.pop();
            return Err(problem);
        }
        let alone = Recipe { classes: vec![self.classes[last].clone()], body: Block::default() };
        alone.roots().into_iter().for_each(|body| self.introduce(body));
        Ok(name)
    }

    /// Performs an action for its effect.
    pub fn perform(&mut self, action: Action) -> Result<(), Problem> {
        self.add(None, action)
    }

    /// Performs an action and keeps its value in a variable of the value's own type.
    pub fn define(&mut self, action: Action) -> Result<VarId, Problem> {
        let ty = self.rules().result(&action, &self.scope)?.ok_or(Problem::NoValue)?;
        self.define_as(ty, action)
    }

    /// Performs an action and keeps its value in a variable of this type.
    pub fn define_as(&mut self, ty: Type, action: Action) -> Result<VarId, Problem> {
        let var = VarId(self.next_var);
        self.next_var += 1;
        self.add(Some(Def { var, ty }), action)?;
        Ok(var)
    }

    fn add(&mut self, def: Option<Def>, action: Action) -> Result<(), Problem> {
        let stmt = Stmt { def, action };
        Checker::stmt_in(self.rules(), &self.scope, &self.introduced, &stmt)?;
        // Variables of nested statements count as introduced when the outermost one is finished, because only then is it
        // checked for the last time.
        if self.blocks.len() == 1 {
            stmt.action.bodies().into_iter().for_each(|body| self.introduce(body));
            self.introduced.extend(def.map(|def| def.var));
        }
        if let Some(Def { var, ty }) = def {
            self.scope.push(var, ty);
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
        Ok(())
    }

    /// Bodies made elsewhere may bring variables that we have not handed out.
    fn introduce(&mut self, body: Body<'_>) {
        body.for_each_introduced(&mut |var| {
            self.introduced.insert(var);
            self.next_var = self.next_var.max(var.0 + 1);
        });
    }

    fn rules(&self) -> Rules<'_> {
        Rules { program: self.program, classes: &self.classes }
    }

    pub fn literal(&mut self, literal: Literal) -> Result<VarId, Problem> {
        self.define(Action::Literal(literal))
    }

    /// A public constructor.
    pub fn construct(&mut self, constructor: MethodRef, args: Vec<Arg>) -> Result<VarId, Problem> {
        self.define(Action::New { constructor, args, access: Access::Public })
    }

    /// A public method; gives the variable that holds the result, unless the method is `void`.
    pub fn call(&mut self, method: MethodRef, receiver: Option<Arg>, args: Vec<Arg>) -> Result<Option<VarId>, Problem> {
        let action = Action::Call { method, receiver, args, access: Access::Public };
        match method.signature().ret {
            Some(_) => self.define(action).map(Some),
            None => self.perform(action).map(|()| None),
        }
    }

    /// A public field.
    pub fn get(&mut self, field: FieldRef, receiver: Option<Arg>) -> Result<VarId, Problem> {
        self.define(Action::GetField { field, receiver, access: Access::Public })
    }

    /// A public field.
    pub fn put(&mut self, field: FieldRef, receiver: Option<Arg>, value: Arg) -> Result<(), Problem> {
        self.perform(Action::PutField { field, receiver, value, access: Access::Public })
    }

    /// A block whose exceptions do not end the recipe there.
    pub fn attempt(
        &mut self,
        on_throw: OnThrow,
        body: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let body = self.nested(body)?;
        self.perform(Action::Try { body, on_throw })
    }

    /// A block in a second thread.
    pub fn thread(&mut self, body: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Result<(), Problem> {
        let body = self.nested(body)?;
        self.perform(Action::Thread(body))
    }

    /// A block that runs `times` times.
    pub fn repeat(&mut self, times: u32, body: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Result<(), Problem> {
        let body = self.nested(body)?;
        self.perform(Action::Repeat { times, carried: None, body })
    }

    /// A block that runs `times` times, each time with what the turn before it gave, `from` at first. Gives the variable
    /// that holds the last value.
    pub fn carry(
        &mut self,
        times: u32,
        from: Arg,
        ty: Type,
        body: impl FnOnce(&mut Self, VarId) -> Result<Arg, Problem>,
    ) -> Result<VarId, Problem> {
        let open = self.open_turn(ty);
        let made = body(self, open.var.var);
        let block = self.close(open.block);
        let carried = Carried { from, var: open.var, next: made? };
        self.define(Action::Repeat { times, carried: Some(carried), body: block })
    }

    fn nested(&mut self, body: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Result<Block, Problem> {
        let open = self.open();
        let made = body(self);
        let block = self.close(open);
        made.map(|()| block)
    }

    /// Starts a block: statements go there until it is closed. Blocks are closed innermost first.
    pub fn open(&mut self) -> OpenBlock {
        self.blocks.push(Vec::new());
        OpenBlock { outer: self.scope.len() }
    }

    /// Ends the block, and with it the scope of its variables.
    #[expect(clippy::needless_pass_by_value, reason = "a block is closed once")]
    pub fn close(&mut self, open: OpenBlock) -> Block {
        let OpenBlock { outer } = open;
        self.scope.truncate(outer);
        Block { stmts: self.blocks.pop().unwrap_or_default() }
    }

    /// Starts the body of a method of a callback of this class; its `this` and its parameters are in scope there.
    pub fn open_method(&mut self, class: ClassName, method: MethodRef) -> OpenMethod {
        let block = self.open();
        let this = self.bind(Type::Class(class)).var;
        let params = method.signature().params.into_iter().map(|ty| self.bind(ty)).collect();
        OpenMethod { method, this, params, block }
    }

    /// Ends the body. Whether the result fits is seen when the callback is added.
    pub fn close_method(&mut self, open: OpenMethod, result: Option<Arg>) -> CallbackMethod {
        let OpenMethod { method, this, params, block } = open;
        CallbackMethod { method, params, this: Some(this), body: self.close(block), result }
    }

    /// Starts the body of a loop that carries on a value of this type; the variable that holds it is in scope there.
    pub fn open_turn(&mut self, ty: Type) -> OpenTurn {
        let block = self.open();
        OpenTurn { var: self.bind(ty), block }
    }

    /// Ends the body. Whether the values fit is seen when the action is added.
    pub fn close_turn(&mut self, open: OpenTurn, times: u32, from: Arg, next: Arg) -> Action {
        let OpenTurn { var, block } = open;
        Action::Repeat { times, carried: Some(Carried { from, var, next }), body: self.close(block) }
    }

    fn bind(&mut self, ty: Type) -> Def {
        let def = Def { var: VarId(self.next_var), ty };
        self.next_var += 1;
        self.scope.push(def.var, ty);
        def
    }

    /// The variables in scope, in order of definition.
    pub fn vars(&self) -> Vec<Def> {
        self.scope.iter().collect()
    }

    /// The variables in scope that may be passed where `ty` is declared, in order of definition.
    pub fn vars_for(&self, ty: Type) -> Vec<VarId> {
        let rules = self.rules();
        let types = rules.types();
        self.scope.iter().filter(|def| is_assignable(def.ty, ty, &types)).map(|def| def.var).collect()
    }

    /// The type of a variable in scope.
    pub fn type_of(&self, var: VarId) -> Option<Type> {
        self.scope.ty(&Arg::Var(var)).ok()
    }
}

/// A block that statements are being added to.
#[derive(Debug)]
#[must_use = "a block that was opened is closed by `RecipeBuilder::close`"]
pub struct OpenBlock {
    outer: usize,
}

/// The body of a callback's method that statements are being added to.
#[derive(Debug)]
#[must_use = "a body that was opened is closed by `RecipeBuilder::close_method`"]
pub struct OpenMethod {
    pub method: MethodRef,
    pub this: VarId,
    pub params: Vec<Def>,
    block: OpenBlock,
}

/// The body of a loop that statements are being added to.
#[derive(Debug)]
#[must_use = "a body that was opened is closed by `RecipeBuilder::close_turn`"]
pub struct OpenTurn {
    /// What the turns carry on.
    pub var: Def,
    block: OpenBlock,
}
