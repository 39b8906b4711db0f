//! Candidates that do the same thing many times. A chain, in which each turn wraps what the last one made, is as deep as a stack
//! that is to overflow; calls that two threads make again and again meet each other in the middle.

use super::{Core, Tools};
use maker::Choose;
use objects::{AccessContext, CallKind, Draft, How};
use program::{MethodRef, Type};
use recipe::{Access, Action, Arg, Block, Carried, Def, Literal, Recipe, Stmt, VarId};

/// A statement whose value can take the place of one of the values that it is made of.
#[derive(Clone, Copy, Debug)]
struct Link {
    at: usize,
    /// Among the arguments, the receiver being the first.
    argument: usize,
}

impl Tools<'_> {
    /// Something that is done once, done in a chain: what a value is made of becomes that value, or numbers count on.
    pub(super) fn chain(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        match self.rng.pick(&self.rng.policy().loops.chain) {
            0 => self.chain_statement(recipe, core),
            1 => self.chain_anew(recipe, core),
            _ => self.chain_numbers(recipe, core),
        }
    }

    fn chain_statement(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let links: Vec<Link> = (0..core.find(recipe)?).flat_map(|at| self.links(recipe, at)).collect();
        let link = *self.rng.one(&links)?;
        self.chained(recipe, link)
    }

    /// What a core is given, wrapped by something that the recipe does not have yet.
    fn chain_anew(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let end = core.find(recipe)?;
        let given: Vec<VarId> = recipe.body.stmts[end].action.args().filter_map(Arg::var).collect();
        let mut draft = Draft::before(recipe.clone(), end);
        let of_given = draft.variables().iter().filter(|variable| given.contains(&variable.id));
        let wrapped: Vec<_> = of_given.filter(|variable| variable.ty.as_class().is_some()).copied().collect();
        let wrapped = *self.rng.one(&wrapped)?;
        let wrappers = self.wrappers(wrapped.ty, core.from);
        let wrapper = *self.rng.one(&wrappers)?;
        self.usual_maker(core.from).call(&mut draft, wrapper)??;
        let at = draft.position() - 1;
        let mut changed = draft.finish();
        let made = changed.body.stmts[at].def?;
        let accepts: Vec<usize> = (0..changed.body.stmts[at].action.args().count())
            .filter(|index| {
                accepted(&changed.body.stmts[at].action, *index)
                    .is_some_and(|ty| self.catalogue.is_assignable(wrapped.ty, ty))
            })
            .collect();
        let argument = *self.rng.one(&accepts)?;
        *changed.body.stmts[at].action.args_mut().nth(argument)? = Arg::Var(wrapped.id);
        for stmt in &mut changed.body.stmts[at + 1..] {
            stmt.action
                .args_mut()
                .filter(|arg| arg.var() == Some(wrapped.id))
                .for_each(|arg| *arg = Arg::Var(made.var));
        }
        let is_link = self.links(&changed, at).any(|link| link.argument == argument);
        if is_link { self.chained(&changed, Link { at, argument }) } else { None }
    }

    /// A call with two values of a kind, made once more for each number and the next, from 0 on.
    fn chain_numbers(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let pairs: Vec<Pair> = (0..core.find(recipe)?).flat_map(|at| pairs(recipe, at)).collect();
        let pair = *self.rng.one(&pairs)?;
        let mut changed = recipe.clone();
        let mut turn = Turn { next: changed.fresh_var().0, stmts: Vec::new() };
        let number = turn.variable(Type::Int);
        let sum = MethodRef::new("java/lang/Integer", "sum", "(II)I");
        let one = Arg::Literal(Literal::Int(1));
        let following = turn.define(Type::Int, call(sum, vec![Arg::Var(number.var), one]));
        let mut action = changed.body.stmts[pair.at].action.clone();
        for (index, number) in [(pair.first, Arg::Var(number.var)), (pair.second, following.clone())] {
            let value = match conversion(pair.ty) {
                Some((method, ty)) => turn.define(ty, call(method, vec![number])),
                None => number,
            };
            *action.args_mut().nth(index)? = value;
        }
        let total = turn.variable(Type::Int);
        turn.stmts.push(Stmt { def: None, action });
        let carried = Carried { from: Arg::Literal(Literal::Int(0)), var: number, next: following };
        let times = *self.rng.one(&self.rng.policy().loops.lengths)?;
        let repeat = Action::Repeat { times, carried: Some(carried), body: Block { stmts: turn.stmts } };
        // The call itself stays: what it gave may be used later on.
        changed.body.stmts.insert(pair.at + 1, Stmt { def: Some(total), action: repeat });
        Some(changed)
    }

    /// The core, made by two threads at the same time, or beside it another call of an object that it is given.
    pub(crate) fn race(&mut self, recipe: &Recipe, core: &Core) -> Option<Recipe> {
        let at = core.find(recipe)?;
        let mut changed = recipe.clone();
        changed.body.stmts.truncate(at + 1);
        let entered = changed.body.stmts.pop()?.action;
        let given: Vec<VarId> = entered.args().filter_map(Arg::var).collect();
        let is_on_given = |action: &&Action| {
            matches!(action, Action::Call { .. }) && action.args().filter_map(Arg::var).any(|var| given.contains(&var))
        };
        let others: Vec<&Action> = changed.body.stmts.iter().map(|stmt| &stmt.action).filter(is_on_given).collect();
        let other = if self.rng.bool() { None } else { self.rng.one(&others).map(|action| (*action).clone()) };
        let times = *self.rng.one(&self.rng.policy().loops.meetings)?;
        let again = |action: Action| {
            let body = Block { stmts: vec![Stmt { def: None, action }] };
            Block { stmts: vec![Stmt { def: None, action: Action::Repeat { times, carried: None, body } }] }
        };
        let beside = again(other.unwrap_or_else(|| entered.clone()));
        changed.body.stmts.push(Stmt { def: None, action: Action::Together(vec![again(entered), beside]) });
        Some(changed)
    }

    fn links<'r>(&self, recipe: &'r Recipe, at: usize) -> impl Iterator<Item = Link> + use<'_, 'r> {
        let stmt = &recipe.body.stmts[at];
        let is_call = matches!(stmt.action, Action::New { .. } | Action::Call { .. });
        let made = stmt.def.filter(|def| is_call && def.ty.as_class().is_some());
        stmt.action.args().enumerate().filter_map(move |(argument, arg)| {
            let (made, taken) = (made?, accepted(&stmt.action, argument)?);
            let given = type_of(recipe, arg.var()?)?;
            let fits = self.catalogue.is_assignable(given, made.ty) && self.catalogue.is_assignable(made.ty, taken);
            fits.then_some(Link { at, argument })
        })
    }

    fn chained(&mut self, recipe: &Recipe, link: Link) -> Option<Recipe> {
        let mut changed = recipe.clone();
        let next = changed.fresh_var().0;
        let stmt = &mut changed.body.stmts[link.at];
        let made = stmt.def?;
        let (carried, turn) = (Def { var: VarId(next), ty: made.ty }, Def { var: VarId(next + 1), ty: made.ty });
        let mut action = stmt.action.clone();
        let from = std::mem::replace(action.args_mut().nth(link.argument)?, Arg::Var(carried.var));
        let carried = Carried { from, var: carried, next: Arg::Var(turn.var) };
        let body = Block { stmts: vec![Stmt { def: Some(turn), action }] };
        stmt.action =
            Action::Repeat { times: *self.rng.one(&self.rng.policy().loops.lengths)?, carried: Some(carried), body };
        Some(changed)
    }

    /// Constructors and methods that make one of these of one of these.
    fn wrappers(&self, ty: Type, from: AccessContext) -> Vec<MethodRef> {
        let ways = self.catalogue.ways(ty, from);
        let wraps = ways.iter().filter_map(|way| {
            let How::Call(callable) = &way.how else { return None };
            let receiver = (callable.kind == CallKind::Virtual).then_some(Type::Class(callable.method.class));
            let mut takes = callable.params.iter().map(|param| param.ty).chain(receiver);
            takes.any(|taken| self.catalogue.is_assignable(ty, taken)).then_some(callable.method)
        });
        wraps.collect()
    }
}

/// Two arguments of one call that can be numbers.
#[derive(Clone, Copy, Debug)]
struct Pair {
    at: usize,
    first: usize,
    second: usize,
    ty: Type,
}

fn pairs(recipe: &Recipe, at: usize) -> Vec<Pair> {
    let action = &recipe.body.stmts[at].action;
    let is_call = matches!(action, Action::Call { .. });
    let receiver = usize::from(matches!(action, Action::Call { receiver: Some(_), .. }));
    let types: Vec<Type> = (0..action.args().count()).filter_map(|index| accepted(action, index)).collect();
    let pair = |first: usize| {
        let ty = types[first];
        let second = (first + 1..types.len()).find(|second| types[*second] == ty)?;
        (ty == Type::Int || conversion(ty).is_some()).then_some(Pair { at, first, second, ty })
    };
    (receiver..types.len()).filter(|_| is_call).filter_map(pair).collect()
}

/// Statements of one turn, and the number of the next variable.
struct Turn {
    next: u32,
    stmts: Vec<Stmt>,
}

impl Turn {
    fn variable(&mut self, ty: Type) -> Def {
        self.next += 1;
        Def { var: VarId(self.next - 1), ty }
    }

    fn define(&mut self, ty: Type, action: Action) -> Arg {
        let def = self.variable(ty);
        self.stmts.push(Stmt { def: Some(def), action });
        Arg::Var(def.var)
    }
}

/// What makes a value of such a type of a number, and of which type it is itself; nothing for numbers.
fn conversion(ty: Type) -> Option<(MethodRef, Type)> {
    match ty.as_class()?.as_internal() {
        "java/lang/String" | "java/lang/CharSequence" => Some((
            MethodRef::new("java/lang/String", "valueOf", "(I)Ljava/lang/String;"),
            Type::class("java/lang/String"),
        )),
        "java/lang/Object" | "java/lang/Integer" | "java/lang/Number" | "java/lang/Comparable" => Some((
            MethodRef::new("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"),
            Type::class("java/lang/Integer"),
        )),
        _ => None,
    }
}

fn call(method: MethodRef, args: Vec<Arg>) -> Action {
    Action::Call { method, receiver: None, args, access: Access::Public }
}

/// The type of what can be given as this argument of a call, the receiver being the first.
fn accepted(action: &Action, index: usize) -> Option<Type> {
    let (method, receivers) = match action {
        Action::New { constructor, .. } => (constructor, 0),
        Action::Call { method, receiver, .. } => (method, usize::from(receiver.is_some())),
        _ => return None,
    };
    match index.checked_sub(receivers) {
        None => Some(Type::Class(method.class)),
        Some(index) => method.signature().params.get(index).copied(),
    }
}

fn type_of(recipe: &Recipe, variable: VarId) -> Option<Type> {
    recipe.body.stmts.iter().filter_map(|stmt| stmt.def).find(|def| def.var == variable).map(|def| def.ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recipe::Text;

    fn one_call(method: MethodRef, args: &[Literal]) -> Recipe {
        let receiver = Some(Arg::Var(VarId(0)));
        let args = args.iter().cloned().map(Arg::Literal).collect();
        let action = Action::Call { method, receiver, args, access: Access::Public };
        let mut recipe = Recipe::default();
        recipe.body.stmts.push(Stmt { def: None, action });
        recipe
    }

    #[test]
    fn numbers_go_where_two_of_a_kind_are_taken() {
        let found = |descriptor: &str, args: &[Literal]| {
            let recipe = one_call(MethodRef::new("a/Graph", "connect", descriptor), args);
            pairs(&recipe, 0).iter().map(|pair| (pair.first, pair.second)).collect::<Vec<_>>()
        };
        let (int, text) = (Literal::Int(7), Literal::String(Text::plain("x")));
        assert_eq!(found("(II)V", &[int.clone(), int.clone()]), [(1, 2)]);
        assert_eq!(found("(ILjava/lang/String;I)V", &[int.clone(), text.clone(), int.clone()]), [(1, 3)]);
        assert_eq!(found("(Ljava/lang/Object;Ljava/lang/Object;)V", &[text.clone(), text.clone()]), [(1, 2)]);
        assert!(found("(ILjava/lang/String;)V", &[int.clone(), text]).is_empty());
        assert!(found("(DD)V", &[Literal::Int(1), int]).is_empty());
    }

    #[test]
    fn the_place_of_an_argument_has_its_type() {
        let method = MethodRef::new("a/Graph", "connect", "(ILjava/lang/String;)V");
        let recipe = one_call(method, &[Literal::Int(1), Literal::String(Text::plain("x"))]);
        let types: Vec<_> = (0..4).map(|index| accepted(&recipe.body.stmts[0].action, index)).collect();
        assert_eq!(types, [Some(Type::class("a/Graph")), Some(Type::Int), Some(Type::class("java/lang/String")), None]);
    }
}
