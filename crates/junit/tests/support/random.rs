//! Recipes at random over all public members of a program: well typed as bytecode is, with no regard to what they do.

use junit::{ClassFact, ClassFacts, MethodFact, Nesting, ProgramFacts};
use program::classfile::Visibility;
use program::{ClassName, FieldRef, MethodRef, Program, Type};
use recipe::{
    Access, Action, Arg, Block, Callback, CallbackForm, CallbackMethod, Carried, Collection, Def, Literal, OnThrow,
    Recipe, Stmt, VarId,
};

pub(crate) struct Maker<'a> {
    program: &'a Program,
    facts: &'a ProgramFacts<'a>,
    /// The classes whose members are used, in a fixed order.
    classes: Vec<ClassName>,
    state: u64,
    next_var: u32,
    /// Variables in scope.
    vars: Vec<Def>,
}

const MAX_DEPTH: usize = 3;

impl<'a> Maker<'a> {
    pub(crate) fn new(program: &'a Program, facts: &'a ProgramFacts<'a>, classes: Vec<ClassName>, seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        Maker { program, facts, classes, state, next_var: 0, vars: Vec::new() }
    }

    pub(crate) fn recipe(&mut self) -> Recipe {
        self.vars.clear();
        self.next_var = 0;
        let length = 2 + self.below(6);
        let mut stmts = Vec::new();
        for _ in 0..length {
            self.stmt(&mut stmts, 0);
        }
        Recipe { classes: Vec::new(), body: Block { stmts } }
    }

    /// A number below the limit, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit.max(1)
    }

    fn stmt(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        match self.below(12) {
            0 if depth < 2 => {
                let known = self.vars.len();
                let mut body = Vec::new();
                for _ in 0..1 + self.below(2) {
                    self.stmt(&mut body, depth + 1);
                }
                self.vars.truncate(known);
                let body = Block { stmts: body };
                let action = match self.below(5) {
                    0 => Action::Thread(body),
                    1 => Action::Try { body, on_throw: OnThrow::RethrowAtEnd },
                    2 => Action::Together(vec![body, Block::default()]),
                    3 => Action::Repeat { times: 3, carried: None, body },
                    _ => Action::Try { body, on_throw: OnThrow::Swallow },
                };
                stmts.push(Stmt { def: None, action });
            }
            3 if depth < 2 && !self.vars.is_empty() => self.carry(stmts, depth),
            1 => {
                let mut elements = Vec::new();
                let kind = Collection::ALL[self.below(Collection::ALL.len())];
                for _ in 0..2 * self.below(3) {
                    let ty = [Type::Class(ClassName::object()), Type::class("java/lang/String")][self.below(2)];
                    elements.push(self.arg(ty, stmts, MAX_DEPTH - 1));
                }
                let elements =
                    elements.into_iter().map(|arg| if kind == Collection::Properties { string_arg() } else { arg });
                let action = Action::Collection(kind, elements.collect());
                self.define(Some(Type::Class(kind.class())), action, stmts);
            }
            2 if self.vars.iter().any(|def| matches!(def.ty, Type::Array(_))) => {
                let arrays: Vec<Def> =
                    self.vars.iter().filter(|def| matches!(def.ty, Type::Array(_))).copied().collect();
                let array = arrays[self.below(arrays.len())];
                let Type::Array(ty) = array.ty else { return };
                let index = self.below(3) as i32;
                if self.below(2) == 0 {
                    let action = Action::GetElement { array: Arg::Var(array.var), index };
                    self.define(Some(ty.component()), action, stmts);
                } else {
                    let value = self.arg(ty.component(), stmts, 1);
                    stmts.push(Stmt {
                        def: None,
                        action: Action::PutElement { array: Arg::Var(array.var), index, value },
                    });
                }
            }
            _ => self.member(stmts, depth),
        }
    }

    /// A loop over the value of some variable.
    fn carry(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        let index = self.below(self.vars.len());
        let from = self.vars[index];
        let known = self.vars.len();
        self.next_var += 1;
        let var = Def { var: VarId(self.next_var), ty: from.ty };
        self.vars.push(var);
        let mut body = Vec::new();
        self.stmt(&mut body, depth + 1);
        // A primitive variable is given its own type only.
        let same: Vec<VarId> = self.vars.iter().filter(|def| def.ty == from.ty).map(|def| def.var).collect();
        let next = if from.ty.is_reference() {
            self.arg(from.ty, &mut body, MAX_DEPTH - 1)
        } else {
            Arg::Var(same[self.below(same.len())])
        };
        self.vars.truncate(known);
        let carried = Some(Carried { from: Arg::Var(from.var), var, next });
        let action = Action::Repeat { times: 2, carried, body: Block { stmts: body } };
        self.define(Some(from.ty), action, stmts);
    }

    /// A call of, or access to, some member.
    fn member(&mut self, stmts: &mut Vec<Stmt>, depth: usize) {
        for _ in 0..50 {
            // Objects that are there already are used more often than others.
            let class = if self.below(2) == 0 && !self.vars.is_empty() {
                let index = self.below(self.vars.len());
                let def = self.vars[index];
                match def.ty {
                    Type::Class(class) => class,
                    _ => continue,
                }
            } else {
                let index = self.below(self.classes.len());
                self.classes[index]
            };
            let Some(fact) = self.facts.class(class) else { continue };
            if !self.is_usable(&fact) {
                continue;
            }
            let members = fact.methods.len() + fact.fields.len();
            if members == 0 {
                continue;
            }
            let index = self.below(members);
            match fact.methods.get(index) {
                Some(method) if self.is_callable(&fact, method) => return self.call(&fact, method, stmts, depth),
                Some(_) => {}
                None => {
                    let field = &fact.fields[index - fact.methods.len()];
                    if field.visibility == Visibility::Public
                        && !field.is_synthetic
                        && self.is_nameable(field.field.field_type())
                    {
                        return self.field(field.field, field.is_static, field.is_final, stmts);
                    }
                }
            }
        }
    }

    fn is_usable(&self, fact: &ClassFact) -> bool {
        let outer_usable = match fact.nesting {
            Nesting::TopLevel => true,
            Nesting::Member { outer, .. } => self.facts.class(outer).is_some_and(|outer| self.is_usable(&outer)),
            Nesting::Unnamed => false,
        };
        outer_usable && fact.visibility == Visibility::Public && fact.exported
    }

    fn is_nameable(&self, ty: Type) -> bool {
        match ty {
            Type::Class(class) => self.facts.class(class).is_some_and(|fact| self.is_usable(&fact)),
            Type::Array(array) => self.is_nameable(array.component()),
            _ => true,
        }
    }

    fn is_callable(&self, class: &ClassFact, method: &MethodFact) -> bool {
        let name = method.method.name.as_str();
        let is_new = name == "<init>";
        let signature = method.method.signature();
        method.visibility == Visibility::Public
            && !method.is_synthetic
            && name != "<clinit>"
            && !(is_new && (class.is_abstract || class.is_enum))
            && signature.params.iter().chain(&signature.ret).all(|ty| self.is_nameable(*ty))
    }

    fn call(&mut self, class: &ClassFact, method: &MethodFact, stmts: &mut Vec<Stmt>, depth: usize) {
        let signature = method.method.signature();
        let is_new = method.method.is_constructor();
        let receiver = (!is_new && !method.is_static).then(|| self.arg(Type::Class(class.name), stmts, depth));
        let mut args = Vec::new();
        for param in &signature.params {
            args.push(self.arg(*param, stmts, depth + 1));
        }
        let access = Access::Public;
        let (ty, action) = if is_new {
            (Some(Type::Class(class.name)), Action::New { constructor: method.method, args, access })
        } else {
            (signature.ret, Action::Call { method: method.method, receiver, args, access })
        };
        self.define(ty, action, stmts);
    }

    fn field(&mut self, field: FieldRef, is_static: bool, is_final: bool, stmts: &mut Vec<Stmt>) {
        let receiver = (!is_static).then(|| self.arg(Type::Class(field.class), stmts, 1));
        if !is_final && self.below(3) == 0 {
            let value = self.arg(field.field_type(), stmts, 1);
            stmts.push(Stmt { def: None, action: Action::PutField { field, receiver, value, access: Access::Public } });
        } else {
            let action = Action::GetField { field, receiver, access: Access::Public };
            self.define(Some(field.field_type()), action, stmts);
        }
    }

    fn define(&mut self, ty: Option<Type>, action: Action, stmts: &mut Vec<Stmt>) -> Option<VarId> {
        let def = ty.map(|ty| {
            self.next_var += 1;
            Def { var: VarId(self.next_var), ty }
        });
        stmts.push(Stmt { def, action });
        self.vars.extend(def);
        def.map(|def| def.var)
    }

    /// A value of this type: a variable, a literal, or something new.
    fn arg(&mut self, ty: Type, stmts: &mut Vec<Stmt>, depth: usize) -> Arg {
        let fitting: Vec<VarId> = self.vars.iter().filter(|def| self.fits(def.ty, ty)).map(|def| def.var).collect();
        if !fitting.is_empty() && self.below(3) > 0 {
            return Arg::Var(fitting[self.below(fitting.len())]);
        }
        match ty {
            Type::Class(class) => self.object(class, stmts, depth),
            Type::Array(array) => {
                let component = array.component();
                if depth >= MAX_DEPTH || self.below(4) == 0 {
                    return Arg::Literal(Literal::Null(ty));
                }
                let elements = (0..self.below(3)).map(|_| self.arg(component, stmts, depth + 1)).collect();
                let action = Action::ArrayOf { component, elements };
                self.define(Some(ty), action, stmts).map_or(Arg::Literal(Literal::Null(ty)), Arg::Var)
            }
            primitive => Arg::Literal(self.number(primitive)),
        }
    }

    fn fits(&self, from: Type, to: Type) -> bool {
        self.program.is_subtype_of(from, to) == program::Subtype::Yes
    }

    fn number(&mut self, ty: Type) -> Literal {
        let small = [0, 1, -1, 2, 7][self.below(5)];
        match ty {
            Type::Boolean => Literal::Boolean(small > 0),
            Type::Byte => Literal::Byte(small as i8),
            Type::Char => Literal::Char([b'a'.into(), b'\''.into(), b'\\'.into(), 0, 0xD800][self.below(5)]),
            Type::Short => Literal::Short(small as i16),
            Type::Int => Literal::Int([small, i32::MIN, i32::MAX][self.below(3)]),
            Type::Long => Literal::Long([i64::from(small), i64::MIN, 1 << 40][self.below(3)]),
            Type::Float => Literal::Float([0.5, -0.0, f32::NAN, f32::INFINITY, 1e20][self.below(5)]),
            _ => Literal::Double([0.5, -0.0, f64::NAN, f64::NEG_INFINITY, 1e-300][self.below(5)]),
        }
    }

    fn object(&mut self, class: ClassName, stmts: &mut Vec<Stmt>, depth: usize) -> Arg {
        let null = Arg::Literal(Literal::Null(Type::Class(class)));
        match class.as_internal() {
            "java/lang/String" | "java/lang/CharSequence" if self.below(4) > 0 => return string_arg(),
            "java/lang/Class" if self.below(4) > 0 => {
                let index = self.below(self.classes.len());
                let named = self.classes[index];
                let ty = if self.below(5) == 0 { Type::Int } else { Type::Class(named) };
                return if self.is_nameable(ty) { Arg::Literal(Literal::Class(ty)) } else { null };
            }
            "java/lang/Object" if self.below(3) == 0 => return string_arg(),
            "java/lang/Object" | "java/lang/Integer" | "java/lang/Comparable" if self.below(2) == 0 => {
                let method = MethodRef::new("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;");
                let args = vec![Arg::Literal(Literal::Int(5))];
                let action = Action::Call { method, receiver: None, args, access: Access::Public };
                return self.define(Some(Type::class("java/lang/Integer")), action, stmts).map_or(null, Arg::Var);
            }
            _ => {}
        }
        if depth >= MAX_DEPTH || self.below(5) == 0 {
            return null;
        }
        let Some(fact) = self.facts.class(class) else { return null };
        if !self.is_usable(&fact) {
            return null;
        }
        if fact.is_interface && self.below(3) > 0 {
            return self.callback(&fact, stmts, depth).unwrap_or(null);
        }
        let makers: Vec<MethodFact> = fact
            .methods
            .iter()
            .filter(|method| {
                let makes = method.method.is_constructor()
                    || method.is_static && method.method.signature().ret == Some(Type::Class(class));
                makes && self.is_callable(&fact, method)
            })
            .cloned()
            .collect();
        if makers.is_empty() {
            let constants: Vec<FieldRef> = fact
                .fields
                .iter()
                .filter(|field| {
                    field.is_static
                        && field.visibility == Visibility::Public
                        && field.field.field_type() == Type::Class(class)
                })
                .map(|field| field.field)
                .collect();
            return match constants.as_slice() {
                [] => null,
                some if fact.is_enum => Arg::Literal(Literal::Enum(some[self.below(some.len())])),
                _ => null,
            };
        }
        let maker = makers[self.below(makers.len())].clone();
        self.call(&fact, &maker, stmts, depth + 1);
        match stmts.last() {
            Some(Stmt { def: Some(def), .. }) => Arg::Var(def.var),
            _ => null,
        }
    }

    /// An object that implements the interface, some methods with bodies.
    fn callback(&mut self, fact: &ClassFact, stmts: &mut Vec<Stmt>, depth: usize) -> Option<Arg> {
        // Nobody else may implement a sealed one.
        let is_sealed = !self.program.class(fact.name)?.permitted_subclasses.is_empty();
        if is_sealed || !recipe::types::can_be_implemented(fact.name, self.program) {
            return None;
        }
        let method = fact.methods.iter().find(|method| method.is_abstract)?.clone();
        let signature = method.method.signature();
        if !signature.params.iter().chain(&signature.ret).all(|ty| self.is_nameable(*ty)) {
            return None;
        }
        let known = self.vars.len();
        let mut params = Vec::new();
        for ty in signature.params {
            self.next_var += 1;
            params.push(Def { var: VarId(self.next_var), ty });
        }
        self.vars.extend(&params);
        let mut body = Vec::new();
        if self.below(2) == 0 && depth < 2 {
            self.stmt(&mut body, depth + 1);
        }
        let result = signature.ret.map(|ret| self.arg(ret, &mut body, MAX_DEPTH));
        self.vars.truncate(known);
        let own = CallbackMethod { method: method.method, params, this: None, body: Block { stmts: body }, result };
        let form = CallbackForm::Interface { interface: fact.name };
        let action = Action::Callback(Callback { form, methods: vec![own] });
        self.define(Some(Type::Class(fact.name)), action, stmts).map(Arg::Var)
    }
}

fn string_arg() -> Arg {
    Arg::Literal(Literal::string("a\n\"\u{e9}\\u0041"))
}

/// Keeps the name of a class short in lists of packages.
pub(crate) fn in_packages(classes: Vec<ClassName>, packages: &[&str]) -> Vec<ClassName> {
    classes.into_iter().filter(|class| packages.contains(&class.package())).collect()
}
