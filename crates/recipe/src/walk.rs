//! Going over recipes: arguments and nested blocks of an action, all statements, and the name of a statement's place.
//!
//! Every other module that looks at all of a recipe does it through here, so a new kind of action is told apart in few
//! places.

use crate::{
    Access, Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Carried, Content, Def, Literal, MethodDecl,
    Recipe, Stmt, VarId,
};
use program::MethodRef;

impl Recipe {
    /// Whether exceptions of threads or callbacks are kept for its end.
    pub fn keeps_exceptions(&self) -> bool {
        let mut keeps = false;
        self.for_each_stmt(&mut |stmt| keeps |= matches!(stmt.action, Action::Capture | Action::Keep(_)));
        keeps
    }
}

impl Action {
    /// The method or constructor that it calls.
    pub fn called(&self) -> Option<MethodRef> {
        match self {
            Action::New { constructor, .. } => Some(*constructor),
            Action::Call { method, .. } => Some(*method),
            _ => None,
        }
    }

    /// How the member that it uses is reached; none if it uses none.
    pub fn access(&self) -> Option<Access> {
        match self {
            Action::New { access, .. }
            | Action::Call { access, .. }
            | Action::GetField { access, .. }
            | Action::PutField { access, .. } => Some(*access),
            _ => None,
        }
    }

    /// The arguments that are evaluated where the action stands, in order; not those in nested blocks.
    pub fn args(&self) -> impl Iterator<Item = &Arg> {
        let (first, middle, last): (Option<&Arg>, &[Arg], Option<&Arg>) = match self {
            Action::New { args, .. } | Action::Collection(_, args) | Action::ArrayOf { elements: args, .. } => {
                (None, args, None)
            }
            Action::Call { receiver, args, .. } => (receiver.as_ref(), args, None),
            Action::GetField { receiver, .. } => (receiver.as_ref(), &[], None),
            Action::PutField { receiver, value, .. } => (receiver.as_ref(), &[], Some(value)),
            Action::PutElement { array, value, .. } => (Some(array), &[], Some(value)),
            Action::GetElement { array: arg, .. }
            | Action::Cast(arg)
            | Action::Throw(arg)
            | Action::Keep(arg)
            | Action::Link(arg)
            | Action::ChangeFile(_, arg)
            | Action::Repeat { carried: Some(Carried { from: arg, .. }), .. } => (Some(arg), &[], None),
            Action::Callback(Callback { form: CallbackForm::Subclass { args, .. }, .. }) => (None, args, None),
            _ => (None, &[], None),
        };
        first.into_iter().chain(middle).chain(last)
    }

    /// As [`Action::args`].
    pub fn args_mut(&mut self) -> impl Iterator<Item = &mut Arg> {
        let (first, middle, last): (Option<&mut Arg>, &mut [Arg], Option<&mut Arg>) = match self {
            Action::New { args, .. } | Action::Collection(_, args) | Action::ArrayOf { elements: args, .. } => {
                (None, args, None)
            }
            Action::Call { receiver, args, .. } => (receiver.as_mut(), args, None),
            Action::GetField { receiver, .. } => (receiver.as_mut(), &mut [], None),
            Action::PutField { receiver, value, .. } => (receiver.as_mut(), &mut [], Some(value)),
            Action::PutElement { array, value, .. } => (Some(array), &mut [], Some(value)),
            Action::GetElement { array: arg, .. }
            | Action::Cast(arg)
            | Action::Throw(arg)
            | Action::Keep(arg)
            | Action::Link(arg)
            | Action::ChangeFile(_, arg)
            | Action::Repeat { carried: Some(Carried { from: arg, .. }), .. } => (Some(arg), &mut [], None),
            Action::Callback(Callback { form: CallbackForm::Subclass { args, .. }, .. }) => (None, args, None),
            _ => (None, &mut [], None),
        };
        first.into_iter().chain(middle).chain(last)
    }

    /// The blocks nested directly in the action; those of a callback in the order of its methods. What turns carry on is a
    /// parameter of the repeated block, and the next value is its result.
    pub fn bodies(&self) -> Vec<Body<'_>> {
        match self {
            Action::Try { body, .. } | Action::Thread(body) | Action::Repeat { carried: None, body, .. } => {
                vec![Body::plain(body)]
            }
            Action::Repeat { carried: Some(Carried { var, next, .. }), body, .. } => {
                vec![Body { this: None, params: std::slice::from_ref(var), block: body, result: Some(next) }]
            }
            Action::Together(bodies) => bodies.iter().map(Body::plain).collect(),
            Action::Callback(callback) => callback.methods.iter().map(Body::of_callback).collect(),
            _ => Vec::new(),
        }
    }

    /// As [`Action::bodies`].
    pub fn bodies_mut(&mut self) -> Vec<BodyMut<'_>> {
        match self {
            Action::Try { body, .. } | Action::Thread(body) | Action::Repeat { carried: None, body, .. } => {
                vec![BodyMut::plain(body)]
            }
            Action::Repeat { carried: Some(Carried { var, next, .. }), body, .. } => {
                let params = std::slice::from_mut(var);
                vec![BodyMut { this: None, params, block: body, result: ResultMut::Always(next) }]
            }
            Action::Together(bodies) => bodies.iter_mut().map(BodyMut::plain).collect(),
            Action::Callback(callback) => callback.methods.iter_mut().map(BodyMut::of_callback).collect(),
            _ => Vec::new(),
        }
    }
}

/// A nested block with the variables that it brings in and the value that it gives back.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    pub this: Option<VarId>,
    pub params: &'a [Def],
    pub block: &'a Block,
    pub result: Option<&'a Arg>,
}

/// As [`Body`], to be changed.
#[derive(Debug)]
pub struct BodyMut<'a> {
    pub this: Option<&'a mut VarId>,
    pub params: &'a mut [Def],
    pub block: &'a mut Block,
    pub result: ResultMut<'a>,
}

/// What a body gives back, to be changed.
#[derive(Debug)]
pub enum ResultMut<'a> {
    /// It gives nothing back at all.
    Nothing,
    /// Of a method: `None` gives back zero, false or null.
    OrDefault(&'a mut Option<Arg>),
    /// Of a repeated block: what the next turn gets.
    Always(&'a mut Arg),
}

impl<'a> ResultMut<'a> {
    /// The argument, where there is one.
    pub fn arg(self) -> Option<&'a mut Arg> {
        match self {
            ResultMut::Nothing => None,
            ResultMut::OrDefault(result) => result.as_mut(),
            ResultMut::Always(result) => Some(result),
        }
    }
}

impl<'a> Body<'a> {
    fn plain(block: &'a Block) -> Self {
        Body { this: None, params: &[], block, result: None }
    }

    fn of_callback(method: &'a CallbackMethod) -> Self {
        Body { this: method.this, params: &method.params, block: &method.body, result: method.result.as_ref() }
    }

    fn of_declared(method: &'a MethodDecl) -> Self {
        Body { this: method.this, params: &method.params, block: &method.body, result: method.result.as_ref() }
    }
}

impl<'a> BodyMut<'a> {
    fn plain(block: &'a mut Block) -> Self {
        BodyMut { this: None, params: &mut [], block, result: ResultMut::Nothing }
    }

    fn of_callback(method: &'a mut CallbackMethod) -> Self {
        BodyMut {
            this: method.this.as_mut(),
            params: &mut method.params,
            block: &mut method.body,
            result: ResultMut::OrDefault(&mut method.result),
        }
    }

    fn of_declared(method: &'a mut MethodDecl) -> Self {
        BodyMut {
            this: method.this.as_mut(),
            params: &mut method.params,
            block: &mut method.body,
            result: ResultMut::OrDefault(&mut method.result),
        }
    }
}

/// Where a block is: the body of the recipe or of a declared method, then down through statements.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct BlockPath {
    pub root: Root,
    /// Statement, and which of its bodies.
    pub steps: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Root {
    #[default]
    Body,
    Method {
        class: usize,
        method: usize,
    },
}

/// Where a statement is. As the end of a block, one past its last statement, it is a place to insert at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub block: BlockPath,
    pub index: usize,
}

impl Place {
    /// A statement of the recipe's own block.
    pub fn top(index: usize) -> Self {
        Place { block: BlockPath::default(), index }
    }
}

/// `3`, `3.0/1` (statement 1 in the first body of statement 3), `class 0 method 2: 4`.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Root::Method { class, method } = self.block.root {
            write!(f, "class {class} method {method}: ")?;
        }
        for (stmt, body) in &self.block.steps {
            write!(f, "{stmt}.{body}/")?;
        }
        write!(f, "{}", self.index)
    }
}

impl Recipe {
    /// Whether it ends with threads that are to meet.
    pub fn is_race(&self) -> bool {
        matches!(self.body.stmts.last(), Some(Stmt { action: Action::Together(_), .. }))
    }

    pub fn block(&self, path: &BlockPath) -> Option<&Block> {
        let mut block = match path.root {
            Root::Body => &self.body,
            Root::Method { class, method } => &self.classes.get(class)?.methods.get(method)?.body,
        };
        for (stmt, body) in &path.steps {
            block = block.stmts.get(*stmt)?.action.bodies().get(*body)?.block;
        }
        Some(block)
    }

    pub fn block_mut(&mut self, path: &BlockPath) -> Option<&mut Block> {
        let mut block = match path.root {
            Root::Body => &mut self.body,
            Root::Method { class, method } => &mut self.classes.get_mut(class)?.methods.get_mut(method)?.body,
        };
        for (stmt, body) in &path.steps {
            block = block.stmts.get_mut(*stmt)?.action.bodies_mut().into_iter().nth(*body)?.block;
        }
        Some(block)
    }

    pub fn stmt(&self, place: &Place) -> Option<&Stmt> {
        self.block(&place.block)?.stmts.get(place.index)
    }

    pub fn stmt_mut(&mut self, place: &Place) -> Option<&mut Stmt> {
        self.block_mut(&place.block)?.stmts.get_mut(place.index)
    }

    /// The places of all statements, outer before inner, in order of execution otherwise; declared methods first.
    pub fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (c, class) in self.classes.iter().enumerate() {
            for (m, method) in class.methods.iter().enumerate() {
                let root = Root::Method { class: c, method: m };
                add_places(&method.body, &BlockPath { root, steps: Vec::new() }, &mut places);
            }
        }
        add_places(&self.body, &BlockPath::default(), &mut places);
        places
    }

    /// All bodies at the top: those of declared methods, then the recipe's own.
    pub fn roots(&self) -> Vec<Body<'_>> {
        let methods = self.classes.iter().flat_map(|class| &class.methods);
        methods.map(Body::of_declared).chain([Body::plain(&self.body)]).collect()
    }

    /// As [`Recipe::roots`].
    pub fn roots_mut(&mut self) -> Vec<BodyMut<'_>> {
        let methods = self.classes.iter_mut().flat_map(|class| &mut class.methods);
        methods.map(BodyMut::of_declared).chain([BodyMut::plain(&mut self.body)]).collect()
    }

    /// Calls `f` on every statement, outer before inner.
    pub fn for_each_stmt<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        self.roots().into_iter().for_each(|body| visit_stmts(body.block, f));
    }

    /// Calls `f` on every argument anywhere, results of bodies included.
    pub fn for_each_arg<'a>(&'a self, f: &mut dyn FnMut(&'a Arg)) {
        self.roots().into_iter().for_each(|body| body.for_each_arg(f));
    }

    /// Calls `f` on every argument anywhere, results of bodies included.
    pub fn for_each_arg_mut(&mut self, f: &mut dyn FnMut(&mut Arg)) {
        self.roots_mut().into_iter().for_each(|body| visit_args_mut(body, f));
    }

    /// Calls `f` on every literal that stands as an argument or as a value of its own, in order.
    pub fn for_each_literal_mut(&mut self, f: &mut dyn FnMut(&mut Literal)) {
        self.for_each_given_literal_mut(&mut |_, literal| f(literal));
    }

    /// Calls `f` on every literal, with the method or constructor that it is given to, if it is given to one.
    pub fn for_each_given_literal_mut(&mut self, f: &mut dyn FnMut(Option<MethodRef>, &mut Literal)) {
        self.roots_mut().into_iter().for_each(|body| visit_literals_mut(body, f));
    }

    /// Calls `f` on every variable where it is introduced, and where it is used.
    pub fn for_each_var_mut(&mut self, f: &mut dyn FnMut(&mut VarId)) {
        self.roots_mut().into_iter().for_each(|body| visit_vars_mut(body, f));
    }

    /// A variable that the recipe does not have yet.
    pub fn fresh_var(&self) -> VarId {
        let mut next = 0;
        let mut see = |var: VarId| next = next.max(var.0 + 1);
        for body in self.roots() {
            body.for_each_introduced(&mut see);
        }
        VarId(next)
    }

    /// The variables in scope just before the statement at `place`, in order of definition. Of `this` variables the type
    /// is not known here: they are left out.
    pub fn visible_at(&self, place: &Place) -> Vec<Def> {
        let mut visible = Vec::new();
        if let Root::Method { class, method } = place.block.root
            && let Some(method) = self.classes.get(class).and_then(|class| class.methods.get(method))
        {
            visible.extend_from_slice(&method.params);
        }
        let mut at = BlockPath { root: place.block.root, steps: Vec::new() };
        for (stmt, body) in &place.block.steps {
            let Some(block) = self.block(&at) else { return visible };
            visible.extend(block.stmts.iter().take(*stmt).filter_map(|s| s.def));
            let bodies = block.stmts.get(*stmt).map(|s| s.action.bodies()).unwrap_or_default();
            visible.extend(bodies.get(*body).into_iter().flat_map(|b| b.params));
            at.steps.push((*stmt, *body));
        }
        let last = self.block(&at).map_or(&[][..], |block| &block.stmts);
        visible.extend(last.iter().take(place.index).filter_map(|s| s.def));
        visible
    }
}

impl Stmt {
    /// The documents that the statement brings.
    pub fn contents_mut(&mut self) -> Vec<&mut Content> {
        match &mut self.action {
            Action::Stream(_, content) | Action::TempFile { content, .. } => vec![content],
            Action::TempDir { files } => files.iter_mut().map(|(_, content)| content).collect(),
            _ => Vec::new(),
        }
    }

    /// Likewise, to look at.
    pub fn contents(&self) -> Vec<&Content> {
        match &self.action {
            Action::Stream(_, content) | Action::TempFile { content, .. } => vec![content],
            Action::TempDir { files } => files.iter().map(|(_, content)| content).collect(),
            _ => Vec::new(),
        }
    }

    /// All variables that the statement uses, nested blocks included, each once, sorted. Variables that it brings in
    /// itself are among them where they are used.
    pub fn uses(&self) -> Vec<VarId> {
        let mut used = Vec::new();
        self.for_each_arg(&mut |arg| used.extend(arg.var()));
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Calls `f` on every argument of the statement, nested blocks included.
    pub fn for_each_arg<'a>(&'a self, f: &mut dyn FnMut(&'a Arg)) {
        self.action.args().for_each(&mut *f);
        self.action.bodies().into_iter().for_each(|body| body.for_each_arg(f));
    }
}

impl Arg {
    pub fn var(&self) -> Option<VarId> {
        if let Arg::Var(var) = self { Some(*var) } else { None }
    }
}

impl<'a> Body<'a> {
    fn for_each_arg(&self, f: &mut dyn FnMut(&'a Arg)) {
        self.block.stmts.iter().for_each(|stmt| stmt.for_each_arg(f));
        self.result.into_iter().for_each(f);
    }

    /// Calls `f` on every variable that this body or one nested in it brings in, in order.
    pub fn for_each_introduced(&self, f: &mut dyn FnMut(VarId)) {
        self.this.into_iter().for_each(&mut *f);
        self.params.iter().for_each(|param| f(param.var));
        for stmt in &self.block.stmts {
            stmt.action.bodies().into_iter().for_each(|body| body.for_each_introduced(f));
            stmt.def.into_iter().for_each(|def| f(def.var));
        }
    }
}

fn add_places(block: &Block, path: &BlockPath, places: &mut Vec<Place>) {
    for (index, stmt) in block.stmts.iter().enumerate() {
        places.push(Place { block: path.clone(), index });
        for (b, body) in stmt.action.bodies().into_iter().enumerate() {
            let mut inner = path.clone();
            inner.steps.push((index, b));
            add_places(body.block, &inner, places);
        }
    }
}

fn visit_stmts<'a>(block: &'a Block, f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in &block.stmts {
        f(stmt);
        stmt.action.bodies().into_iter().for_each(|body| visit_stmts(body.block, f));
    }
}

fn visit_args_mut(body: BodyMut<'_>, f: &mut dyn FnMut(&mut Arg)) {
    for stmt in &mut body.block.stmts {
        stmt.action.args_mut().for_each(&mut *f);
        stmt.action.bodies_mut().into_iter().for_each(|inner| visit_args_mut(inner, f));
    }
    body.result.arg().into_iter().for_each(f);
}

fn visit_literals_mut(body: BodyMut<'_>, f: &mut dyn FnMut(Option<MethodRef>, &mut Literal)) {
    for stmt in &mut body.block.stmts {
        if let Action::Literal(literal) = &mut stmt.action {
            f(None, literal);
        }
        let called = stmt.action.called();
        stmt.action.args_mut().for_each(|arg| literal_of(called, arg, f));
        stmt.action.bodies_mut().into_iter().for_each(|inner| visit_literals_mut(inner, f));
    }
    body.result.arg().into_iter().for_each(|arg| literal_of(None, arg, f));
}

fn literal_of(given_to: Option<MethodRef>, arg: &mut Arg, f: &mut dyn FnMut(Option<MethodRef>, &mut Literal)) {
    if let Arg::Literal(literal) = arg {
        f(given_to, literal);
    }
}

fn visit_vars_mut(body: BodyMut<'_>, f: &mut dyn FnMut(&mut VarId)) {
    body.this.into_iter().for_each(&mut *f);
    body.params.iter_mut().for_each(|param| f(&mut param.var));
    for stmt in &mut body.block.stmts {
        stmt.action.args_mut().for_each(|arg| var_of(arg, f));
        stmt.action.bodies_mut().into_iter().for_each(|inner| visit_vars_mut(inner, f));
        stmt.def.iter_mut().for_each(|def| f(&mut def.var));
    }
    body.result.arg().into_iter().for_each(|arg| var_of(arg, f));
}

fn var_of(arg: &mut Arg, f: &mut dyn FnMut(&mut VarId)) {
    if let Arg::Var(var) = arg {
        f(var);
    }
}
