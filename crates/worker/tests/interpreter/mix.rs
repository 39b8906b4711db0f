//! Random candidates over all public members of a library: eight calls each, on objects made before where they fit.
#![allow(dead_code, reason = "tests and benchmarks use their part")]

use program::{ClassName, MethodRef, Program, Subtype, Symbol, Type};
use recipe::{Access, Action, Arg, Collection, Literal, Recipe, RecipeBuilder, VarId};
use std::collections::BTreeMap;

/// A stream of numbers (SplitMix64); the same for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 32) as usize) % bound.max(1)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let index = self.below(items.len());
        items.get(index).copied()
    }
}

/// The public members of public classes.
pub(crate) struct Mix<'p> {
    program: &'p Program,
    constructors: Vec<MethodRef>,
    /// By class, inherited ones included; whether each is static.
    methods: BTreeMap<ClassName, Vec<(MethodRef, bool)>>,
}

const CALLS: usize = 8;

impl<'p> Mix<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut mix = Mix { program, constructors: Vec::new(), methods: BTreeMap::new() };
        for name in program.classes() {
            mix.add(name);
        }
        mix
    }

    pub(crate) fn members(&self) -> usize {
        self.constructors.len() + self.methods.values().map(Vec::len).sum::<usize>()
    }

    fn add(&mut self, name: ClassName) {
        let Some(class) = self.program.class(name).filter(|class| class.access.is_public()) else { return };
        if !class.access.is_abstract() && !class.access.is_interface() {
            let public = class.methods.iter().filter(|method| method.is_constructor() && method.access.is_public());
            self.constructors.extend(public.map(|method| method.reference()));
        }
        let mut methods: BTreeMap<(Symbol, Symbol), (MethodRef, bool)> = BTreeMap::new();
        for above in [name].into_iter().chain(self.program.supertypes(name).0) {
            let Some(class) = self.program.class(above).filter(|_| above != ClassName::object()) else { continue };
            for method in class.methods.iter().filter(|method| method.access.is_public()) {
                let is_special = method.name.as_str().starts_with('<') || method.name.as_str().contains('$');
                if !is_special && class.access.is_public() {
                    let member = (method.reference(), method.access.is_static());
                    methods.entry((method.name, method.descriptor)).or_insert(member);
                }
            }
        }
        self.methods.insert(name, methods.into_values().collect());
    }

    pub(crate) fn candidate(&self, random: &mut Numbers) -> Recipe {
        let mut build = RecipeBuilder::new(self.program);
        for _ in 0..CALLS {
            // Not everything fits everywhere; a candidate is then one call shorter.
            self.step(&mut build, random);
        }
        build.finish()
    }

    fn step(&self, build: &mut RecipeBuilder<'_>, random: &mut Numbers) -> Option<()> {
        let objects: Vec<(VarId, ClassName)> =
            build.vars().into_iter().filter_map(|def| Some((def.var, def.ty.as_class()?))).collect();
        let receiver = if random.below(5) == 0 { None } else { random.pick(&objects) };
        let known = receiver.and_then(|(var, class)| Some((var, self.methods.get(&class).filter(|m| !m.is_empty())?)));
        let Some((var, methods)) = known else {
            let constructor = random.pick(&self.constructors)?;
            let args = self.args(build, constructor, random);
            return build.construct(constructor, args).ok().map(|_| ());
        };
        let (method, is_static) = random.pick(methods)?;
        let args = self.args(build, method, random);
        let receiver = (!is_static).then_some(Arg::Var(var));
        build.call(method, receiver, args).ok().map(|_| ())
    }

    fn args(&self, build: &mut RecipeBuilder<'_>, method: MethodRef, random: &mut Numbers) -> Vec<Arg> {
        method.signature().params.into_iter().map(|param| self.arg(build, param, random)).collect()
    }

    fn arg(&self, build: &mut RecipeBuilder<'_>, ty: Type, random: &mut Numbers) -> Arg {
        let fitting = build.vars_for(ty);
        if !fitting.is_empty() && random.below(3) > 0 {
            return random.pick(&fitting).map_or_else(|| Arg::Literal(Literal::default_of(ty)), Arg::Var);
        }
        self.constant(build, ty, random)
    }

    /// Something simple of the type where there is, else null.
    fn constant(&self, build: &mut RecipeBuilder<'_>, ty: Type, random: &mut Numbers) -> Arg {
        let text = |random: &mut Numbers| Literal::string(&format!("s{}", random.below(5)));
        let literal = match ty {
            Type::Int => Literal::Int(random.below(12) as i32 - 2),
            Type::Boolean => Literal::Boolean(random.below(2) == 0),
            Type::Char => Literal::Char(u16::from(b'a') + random.below(5) as u16),
            Type::Long => Literal::Long(random.below(9) as i64),
            Type::Class(class) => {
                let fits = |kind: &str| self.program.is_subtype(ClassName::internal(kind), class) == Subtype::Yes;
                if fits("java/lang/String") {
                    text(random)
                } else {
                    let elements = |random: &mut Numbers| (0..2).map(|_| Arg::Literal(text(random))).collect();
                    let action = if fits("java/util/ArrayList") {
                        Action::Collection(Collection::ArrayList, elements(random))
                    } else if fits("java/util/HashMap") {
                        Action::Collection(Collection::HashMap, elements(random))
                    } else if class.as_internal() == "java/util/Iterator" {
                        let list = build.define(Action::Collection(Collection::ArrayList, elements(random)));
                        let Ok(list) = list else { return Arg::Literal(Literal::Null(ty)) };
                        let method = MethodRef::new("java/util/List", "iterator", "()Ljava/util/Iterator;");
                        Action::Call { method, receiver: Some(Arg::Var(list)), args: vec![], access: Access::Public }
                    } else {
                        return Arg::Literal(Literal::Null(ty));
                    };
                    return build.define(action).map_or(Arg::Literal(Literal::Null(ty)), Arg::Var);
                }
            }
            Type::Array(array) if array.component() == Type::Class(ClassName::object()) => {
                let elements = vec![Arg::Literal(text(random)), Arg::Literal(text(random))];
                let made = build.define(Action::ArrayOf { component: array.component(), elements });
                return made.map_or(Arg::Literal(Literal::Null(ty)), Arg::Var);
            }
            other => Literal::default_of(other),
        };
        Arg::Literal(literal)
    }
}
