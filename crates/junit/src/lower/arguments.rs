//! Arguments of calls: casts where the compiler would choose another overload or refuse a type argument, elements in place
//! of an array where the method takes any number.

use super::{Lower, Value, ValueKind};
use crate::generics::{self, Seen, StaticType, TypeArgs};
use crate::missing;
use crate::overload::{self, ArgType, Candidate};
use crate::syntax::Expr;
use crate::typed;
use crate::world::Found;
use program::classfile::signature::{ClassType, GenericType, MethodSignature, TypeArgument, TypeParameter};
use program::{ClassName, MethodRef, Type};
use recipe::types::boxed;

impl Lower<'_> {
    /// The arguments as they must be written so that the compiler means this method. `skipped` is the number of parameters
    /// that stand elsewhere (the outer object of an inner class); `values` are those of the others.
    pub(super) fn arguments(
        &mut self,
        method: MethodRef,
        found: Option<&Found>,
        receiver: Option<StaticType>,
        values: Vec<Value>,
        skipped: usize,
    ) -> Vec<Expr> {
        let Some(found) = found else {
            let params: Vec<Type> = method.signature().params.into_iter().skip(skipped).collect();
            return self.unknown_arguments(&params, values);
        };
        let params: Vec<Type> = generics::seen_params(self.world, found, receiver).into_iter().skip(skipped).collect();
        let seen = generics::seen(self.world, found, receiver);
        // Through a raw type everything is erased, constructors included.
        let raw_constructor = method.is_constructor() && found.class.is_generic();
        let signature = match &seen {
            Seen::Generic(signature) if !raw_constructor => Some(signature),
            _ => None,
        };
        let mut args: Vec<Value> = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let fixed = match params.get(index) {
                Some(param) => self.fitted(value, *param, signature, index + skipped, &values, skipped),
                None => value.clone(),
            };
            args.push(fixed);
        }
        let through = receiver.and_then(|receiver| receiver.erased.as_class()).unwrap_or(method.class);
        let candidates = self.candidates(through, found, receiver, skipped);
        if found.method.is_varargs
            && let Some(spread) = self.spread(&args, &params, &candidates)
        {
            return spread;
        }
        self.chosen(args, &params, &candidates, found.method.is_varargs)
    }

    /// For a method that is not known: nulls say what they are.
    fn unknown_arguments(&mut self, params: &[Type], values: Vec<Value>) -> Vec<Expr> {
        let exprs = values.into_iter().zip(params).map(|(value, param)| {
            let untyped = value.is_null() || matches!(value.kind, ValueKind::Lambda { .. });
            if untyped && self.access.can_name_type(*param) { value.expr.cast(*param) } else { value.expr }
        });
        exprs.collect()
    }

    /// The value, cast where its type does not fit the parameter as the compiler sees it.
    fn fitted(
        &mut self,
        value: &Value,
        param: Type,
        signature: Option<&MethodSignature>,
        index: usize,
        all: &[Value],
        skipped: usize,
    ) -> Value {
        if let ValueKind::Diamond { expr, open } = &value.kind
            && self.assignable(value.ty.erased, param)
        {
            let wanted = signature.and_then(|signature| signature.params.get(index));
            let certain = wanted.is_some_and(generics::is_parametrised);
            let is_there = wanted.is_none_or(|wanted| missing::in_generic(self.world, wanted).is_none());
            // The compiler finds type arguments if those of the parameter are the class's own, as they are in collections.
            let is_found = value.ty.erased == param || is_of_java_util(value.ty.erased);
            if *open && is_found && is_there || !certain {
                return Value {
                    ty: StaticType { args: TypeArgs::Objects, ..value.ty },
                    ..Value::plain((**expr).clone(), value.ty.erased)
                };
            }
            self.note_raw(value.ty.erased);
            return Value::plain(value.expr.clone(), value.ty.erased);
        }
        let untyped = value.is_null() || matches!(value.kind, ValueKind::Lambda { .. });
        let misfit = !untyped && !self.assignable(value.ty.erased, param);
        let refused = signature.is_some_and(|signature| self.is_refused(value, signature, index, all, skipped));
        if (misfit || refused) && self.access.can_name_type(param) { self.as_type(value, param) } else { value.clone() }
    }

    /// The value with a cast; a lambda can only be cast to its own type.
    fn as_type(&mut self, value: &Value, ty: Type) -> Value {
        let ty = cast_type(value, ty);
        self.note_raw(ty);
        Value::plain(value.expr.clone().cast(ty), ty)
    }

    /// Whether the compiler would refuse a value that the erased parameter takes, because of type arguments.
    fn is_refused(
        &self,
        value: &Value,
        signature: &MethodSignature,
        index: usize,
        all: &[Value],
        skipped: usize,
    ) -> bool {
        let Some(param) = signature.params.get(index) else { return false };
        let elsewhere = |name| {
            let others = signature.params.iter().enumerate().filter(|(other, _)| *other != index);
            let of_values =
                others.filter(|(other, _)| all.get(*other - skipped.min(*other)).is_some_and(|v| !v.is_null()));
            of_values.into_iter().any(|(_, ty)| generics::mentions(ty, name))
        };
        let variable = |name| signature.type_parameters.iter().find(|parameter| parameter.name == name);
        match (&value.kind, param) {
            (ValueKind::Null, _) => false,
            // Raw, it need not be looked at.
            (_, param) if generics::is_parametrised(param) && missing::in_generic(self.world, param).is_some() => true,
            (ValueKind::Lambda { open }, _) => {
                let generic = value.ty.erased.as_class().is_some_and(|class| self.world.is_generic(class));
                matches!(param, GenericType::Variable(_)) || *open && generic && generics::is_parametrised(param)
            }
            (_, GenericType::Variable(name)) => {
                variable(*name).is_some_and(|parameter| generics::is_bounded(parameter) && elsewhere(*name))
            }
            (ValueKind::ClassLiteral(literal), GenericType::Class(class)) => match class.arguments.as_slice() {
                [TypeArgument::Exactly(GenericType::Variable(name))] => {
                    let own = &signature.type_parameters;
                    let fits = variable(*name).is_none_or(|parameter| self.is_within_bounds(*literal, parameter, own));
                    elsewhere(*name) || !fits
                }
                [TypeArgument::Extends(GenericType::Class(bound))] => {
                    let bound_type = Type::Class(bound.class);
                    !bound.arguments.is_empty() || !self.is_subtype_boxed(*literal, bound_type)
                }
                [TypeArgument::Extends(GenericType::Variable(_))] => true,
                [TypeArgument::Exactly(exact)] => exact.erasure(&|_| None) != *literal,
                [TypeArgument::Super(_)] => true,
                _ => false,
            },
            (ValueKind::ListOf(elements), GenericType::Class(class)) if self.lists_only(elements, class) => false,
            (_, GenericType::Class(_)) if generics::is_parametrised(param) => match value.ty.args {
                TypeArgs::None => value.ty.erased.as_class().is_some_and(|class| {
                    !self.world.is_generic(class) && Type::Class(class) != param.erasure(&|_| None)
                }),
                TypeArgs::Objects => !typed::takes_objects(param, &signature.type_parameters),
                TypeArgs::Inferred => true,
            },
            _ => false,
        }
    }

    /// Whether a list of these elements can be inferred to be the wanted one.
    fn lists_only(&self, elements: &[Value], wanted: &ClassType) -> bool {
        let [TypeArgument::Exactly(GenericType::Class(element)) | TypeArgument::Extends(GenericType::Class(element))] =
            wanted.arguments.as_slice()
        else {
            return false;
        };
        let element_type = Type::Class(element.class);
        let fits = |value: &Value| value.is_null() || self.is_subtype_boxed(value.ty.erased, element_type);
        element.arguments.is_empty() && elements.iter().all(fits)
    }

    /// Of a parameter that is bounded by another, which is among `all`, that one counts.
    fn is_within_bounds(&self, literal: Type, parameter: &TypeParameter, all: &[TypeParameter]) -> bool {
        let mut bounds = parameter.class_bound.iter().chain(&parameter.interface_bounds);
        bounds.all(|bound| match bound {
            GenericType::Variable(name) => {
                // Only what is declared before: damaged class files may have bounds that go round in circles.
                let at = all.iter().position(|other| other.name == *name).filter(|at| all[*at] != *parameter);
                at.is_none_or(|at| self.is_within_bounds(literal, &all[at], &all[..at]))
            }
            bound => self.is_subtype_boxed(literal, bound.erasure(&|_| None)),
        })
    }

    /// `int.class` is a `Class<Integer>`.
    fn is_subtype_boxed(&self, sub: Type, sup: Type) -> bool {
        let sub = if sub.is_reference() { sub } else { Type::Class(boxed(sub)) };
        self.world.is_subtype(sub, sup)
    }

    /// Whether the compiler finds this method among those of its name, whatever casts the arguments get.
    pub(super) fn can_be_meant(&self, through: ClassName, found: &Found, receiver: Option<StaticType>) -> bool {
        let candidates = self.candidates(through, found, receiver, 0);
        candidates.len() == 1 || overload::can_be_meant(self.world, &candidates, 0)
    }

    /// The methods that the compiler chooses from, the wanted one first.
    fn candidates(
        &self,
        through: ClassName,
        wanted: &Found,
        receiver: Option<StaticType>,
        skipped: usize,
    ) -> Vec<Candidate> {
        let candidate = |found: &Found| Candidate {
            params: generics::seen_params(self.world, found, receiver).into_iter().skip(skipped).collect(),
            is_varargs: found.method.is_varargs,
            signature: match generics::seen(self.world, found, receiver) {
                Seen::Generic(signature) => {
                    Some(MethodSignature { params: signature.params.into_iter().skip(skipped).collect(), ..signature })
                }
                Seen::Erased => None,
            },
        };
        let first = candidate(wanted);
        let others = self.world.methods_named(through, wanted.method.method.name);
        let visible = others.iter().filter(|other| self.access.sees(other.method.visibility, &other.class));
        let mut candidates = vec![first.clone()];
        // What an override sees as the same is the same method.
        candidates.extend(visible.map(candidate).filter(|other| other.params != first.params));
        candidates
    }

    /// Elements instead of the last array, if the call then means the same.
    fn spread(&mut self, args: &[Value], params: &[Type], candidates: &[Candidate]) -> Option<Vec<Expr>> {
        let (last, first) = args.split_last()?;
        let ValueKind::Elements(elements) = &last.kind else { return None };
        let Some(Type::Array(array)) = params.last() else { return None };
        let component = array.component();
        let exact = last.ty.erased == Type::Array(*array);
        // One element that could itself be the array.
        let ambiguous =
            matches!(elements.as_slice(), [one] if one.is_null() || matches!(one.ty.erased, Type::Array(_)));
        let has_lambda = elements.iter().any(|element| matches!(element.kind, ValueKind::Lambda { .. }));
        if !exact || ambiguous || has_lambda {
            return None;
        }
        let of_elements = candidates.first().and_then(|wanted| of_elements(wanted.signature.as_ref()?));
        let mut all: Vec<Value> = first.to_vec();
        for element in elements {
            let is_refused = |signature| self.is_refused(element, signature, first.len(), args, 0);
            let fits = element.is_null()
                || self.assignable(element.ty.erased, component) && !of_elements.as_ref().is_some_and(is_refused);
            all.push(if fits { element.clone() } else { self.as_type(element, component) });
        }
        let unboxed: Vec<Value> = all.iter().map(unboxed).collect();
        [unboxed, all].into_iter().find_map(|args| {
            let types: Vec<ArgType> = args.iter().map(arg_type).collect();
            overload::means(self.world, candidates, 0, &types, true)
                .then(|| args.into_iter().map(|value| value.expr).collect())
        })
    }

    fn is_inexact(&self, value: &Value, array: Type) -> bool {
        let Type::Array(wanted) = array else { return false };
        let is_element = value.ty.erased != array && self.world.is_subtype(value.ty.erased, wanted.component());
        (value.is_null() || is_element) && self.access.can_name_type(array)
    }

    /// As few casts as the choice of the wanted method needs.
    fn chosen(&mut self, args: Vec<Value>, params: &[Type], candidates: &[Candidate], is_varargs: bool) -> Vec<Expr> {
        let plainer: Vec<Value> = args.iter().map(unboxed).collect();
        let plainer_types: Vec<ArgType> = plainer.iter().map(arg_type).collect();
        // For the array of a variable-arity method: a null, or an array that could be one of the elements. Compilers take both
        // for the array, but warn.
        let ends_inexact =
            is_varargs && args.last().zip(params.last()).is_some_and(|(last, param)| self.is_inexact(last, *param));
        if !ends_inexact && overload::means(self.world, candidates, 0, &plainer_types, false) {
            return plainer.into_iter().map(|value| value.expr).collect();
        }
        let types: Vec<ArgType> = args.iter().map(arg_type).collect();
        let mut casts: Vec<bool> = vec![false; args.len()];
        if let Some(cast) = casts.last_mut() {
            *cast = ends_inexact;
        }
        let with = |casts: &[bool]| -> Vec<ArgType> {
            let cast = |index: usize| {
                params.get(index).filter(|_| casts[index]).map(|param| ArgType::Value(cast_type(&args[index], *param)))
            };
            types.iter().enumerate().map(|(index, ty)| cast(index).unwrap_or(*ty)).collect()
        };
        let means = |casts: &[bool]| overload::means(self.world, candidates, 0, &with(casts), false);
        if !means(&casts) {
            let single = (0..args.len()).map(|index| {
                let mut one = casts.clone();
                one[index] = true;
                one
            });
            let castable = |casts: &Vec<bool>| {
                casts.iter().zip(params).all(|(cast, param)| !cast || self.access.can_name_type(*param))
            };
            let all: Vec<bool> = params
                .iter()
                .zip(&types)
                .map(|(param, ty)| *ty != ArgType::Value(*param) && self.access.can_name_type(*param))
                .collect();
            casts = single.into_iter().filter(castable).find(|casts| means(casts)).unwrap_or(all);
        }
        let written = args.into_iter().zip(params).zip(casts);
        written
            .map(|((value, param), cast)| if cast { self.as_type(&value, *param).expr } else { value.expr })
            .collect()
    }
}

/// The signature of a method of variable arity with the type of an element in place of the array.
fn of_elements(signature: &MethodSignature) -> Option<MethodSignature> {
    let (last, first) = signature.params.split_last()?;
    let GenericType::Array(component) = last else { return None };
    let params = first.iter().chain([&**component]).cloned().collect();
    Some(MethodSignature { params, ..signature.clone() })
}

/// What a value is cast to where a parameter of type `ty` wants it.
fn cast_type(value: &Value, ty: Type) -> Type {
    if matches!(value.kind, ValueKind::Lambda { .. }) { value.ty.erased } else { ty }
}

fn arg_type(value: &Value) -> ArgType {
    match value.kind {
        ValueKind::Null => ArgType::Null,
        ValueKind::Lambda { .. } => ArgType::Lambda,
        ValueKind::ClassLiteral(_) => ArgType::Value(value.ty.erased),
        _ if value.ty.args == TypeArgs::Inferred => ArgType::Inferred(value.ty.erased),
        _ => ArgType::Value(value.ty.erased),
    }
}

/// What the compiler boxes by itself.
fn unboxed(value: &Value) -> Value {
    match &value.kind {
        ValueKind::Boxed { inner, primitive } => Value::plain((**inner).clone(), *primitive),
        _ => value.clone(),
    }
}

fn is_of_java_util(ty: Type) -> bool {
    ty.as_class().is_some_and(|class| class.package().starts_with("java/util"))
}
