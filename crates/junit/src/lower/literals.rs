//! Constants, arrays and collections.

use super::{Lower, Scope, Value, ValueKind};
use crate::generics::{StaticType, TypeArgs};
use crate::literal;
use crate::spelling;
use crate::syntax::{Expr, Statement, TypeUse};
use crate::typed;
use program::{ClassName, Type};
use recipe::{Arg, Collection, Def, Literal};

impl Lower<'_> {
    pub(super) fn literal(&mut self, literal: &Literal, scope: &mut Scope) -> Value {
        let expr = match literal {
            Literal::Null(ty) => {
                let ty = self.access.nameable(*ty);
                return Value { expr: Expr::atom("null"), ty: StaticType::plain(ty), kind: ValueKind::Null };
            }
            Literal::Boolean(value) => Expr::atom(value.to_string()),
            Literal::Byte(value) => Expr::atom(value.to_string()).cast(Type::Byte),
            Literal::Short(value) => Expr::atom(value.to_string()).cast(Type::Short),
            Literal::Char(value) => Expr::atom(literal::character(*value)),
            Literal::Int(value) => literal::int(*value),
            Literal::Long(value) => literal::long(*value),
            Literal::Float(value) => literal::float(*value),
            Literal::Double(value) => literal::double(*value),
            Literal::String(text) => literal::string(text, self.options.release),
            Literal::Class(ty) => return self.class_literal(*ty, scope),
            Literal::Enum(field) => return self.get_field(*field, None, recipe::Access::Public, scope),
        };
        Value::plain(expr, literal.ty())
    }

    pub(super) fn class_literal(&mut self, ty: Type, scope: &mut Scope) -> Value {
        let class = Type::class("java/lang/Class");
        let expr = if self.access.can_name_type(ty) {
            Expr::ClassLiteral(ty)
        } else {
            scope.throws("java/lang/ClassNotFoundException");
            Expr::static_call("java/lang/Class", "forName", vec![spelling::text(&binary_name(ty))])
        };
        Value { expr, ty: StaticType { erased: class, args: TypeArgs::Inferred }, kind: ValueKind::ClassLiteral(ty) }
    }

    pub(super) fn new_array(&mut self, component: Type, length: i32, scope: &mut Scope) -> Value {
        let length = literal::int(length);
        if self.access.can_name_type(component) {
            let array = Type::array_of(component);
            self.note_raw(component);
            return Value::plain(Expr::NewArray { component, length: Box::new(length) }, array);
        }
        // Its class cannot be named, but made.
        let class = self.class_literal(component, scope).expr;
        let made = Expr::static_call("java/lang/reflect/Array", "newInstance", vec![class, length]);
        let ty = Type::array_of(self.access.nameable(component));
        Value::plain(made.cast(ty), ty)
    }

    pub(super) fn array_of(&mut self, component: Type, elements: &[Arg], scope: &mut Scope) -> Value {
        let values: Vec<Value> = elements.iter().map(|element| self.arg(element, scope)).collect();
        if self.access.can_name_type(component) {
            let exprs = values.iter().map(|value| self.assigned(value.clone(), component)).collect();
            self.note_raw(component);
            return Value {
                expr: Expr::ArrayOf { component, elements: exprs },
                ty: StaticType::plain(Type::array_of(component)),
                kind: ValueKind::Elements(values),
            };
        }
        let length = i32::try_from(elements.len()).unwrap_or(i32::MAX);
        let array = self.new_array(component, length, scope);
        let name = self.names.give("array");
        scope.push(Statement::declare(array.ty.erased, &name, array.expr));
        for (index, value) in values.into_iter().enumerate() {
            let place = Expr::Index(Box::new(Expr::atom(&*name)), Box::new(Expr::atom(index.to_string())));
            scope.push(Statement::Expr(Expr::Assign(Box::new(place), Box::new(value.expr))));
        }
        Value { kind: ValueKind::Fresh, ..Value::plain(Expr::atom(name), array.ty.erased) }
    }

    pub(super) fn get_element(&mut self, array: &Arg, index: i32, scope: &mut Scope) -> Value {
        let array = self.array_value(array, scope);
        let element = match array.ty.erased {
            Type::Array(array) => array.component(),
            _ => Type::Class(ClassName::object()),
        };
        Value::plain(Expr::Index(Box::new(array.expr), Box::new(literal::int(index))), element)
    }

    pub(super) fn put_element(&mut self, array: &Arg, index: i32, value: &Arg, scope: &mut Scope) {
        let array = self.array_value(array, scope);
        let value = self.arg(value, scope);
        let right = match array.ty {
            // Of its element type only the erasure is known.
            StaticType { erased: Type::Array(ty), args: TypeArgs::Inferred } if !value.is_null() => {
                self.note_raw(ty.component());
                value.expr.cast(ty.component())
            }
            StaticType { erased: Type::Array(ty), .. } => self.assigned(value, ty.component()),
            _ => value.expr,
        };
        let place = Expr::Index(Box::new(array.expr), Box::new(literal::int(index)));
        scope.push(Statement::Expr(Expr::Assign(Box::new(place), Box::new(right))));
    }

    /// A null array needs to be told that it is one.
    fn array_value(&mut self, array: &Arg, scope: &mut Scope) -> Value {
        let value = self.arg(array, scope);
        match value.ty.erased {
            ty @ Type::Array(_) if value.is_null() => Value::plain(value.expr.cast(ty), ty),
            Type::Array(_) => value,
            _ => {
                let ty = Type::array_of(Type::Class(ClassName::object()));
                Value::plain(value.expr.cast(ty), ty)
            }
        }
    }

    pub(super) fn collection(
        &mut self,
        kind: Collection,
        elements: &[Arg],
        def: Option<Def>,
        scope: &mut Scope,
    ) -> Value {
        let values: Vec<Value> = elements.iter().map(|element| self.arg(element, scope)).collect();
        if kind == Collection::AsList {
            return self.as_list(values);
        }
        let erased = Type::Class(kind.class());
        if kind.is_map() && !values.is_empty() {
            return self.filled_map(erased, &values, def, scope);
        }
        let open = values.is_empty();
        let args = if open { Vec::new() } else { vec![self.as_list(values).expr] };
        self.new_generic(kind.class(), args, open)
    }

    /// A new object of a class that may be generic.
    pub(super) fn new_generic(&mut self, class: ClassName, args: Vec<Expr>, open: bool) -> Value {
        let erased = Type::Class(class);
        let made = |class: TypeUse, args: Vec<Expr>| Expr::New { outer: None, class, args, body: None };
        let value = Value::plain(made(TypeUse::Raw(erased), args.clone()), erased);
        if !typed::is_open(self.world, class) {
            self.note_raw(erased);
            return value;
        }
        let diamond = Box::new(made(TypeUse::Diamond(class), args));
        Value { kind: ValueKind::Diamond { expr: diamond, open }, ..value }
    }

    /// Java has no expression for it: a variable and a statement for each pair.
    fn filled_map(&mut self, erased: Type, values: &[Value], def: Option<Def>, scope: &mut Scope) -> Value {
        let object = Type::Class(ClassName::object());
        let name = match def {
            Some(def) => self.name_of(def.var, def.ty),
            None => self.names.give(&crate::ident::name_for_type(erased)),
        };
        let (ty, static_type) = match def {
            Some(def) => self.variable_type(def.var, erased),
            None => (self.type_use(erased), StaticType::plain(erased)),
        };
        let new = match erased {
            Type::Class(class) => self.new_generic(class, Vec::new(), true),
            _ => Value::plain(Expr::atom("null"), erased),
        };
        let is_raw = static_type.args == TypeArgs::None;
        let new = if is_raw { new.expr } else { self.with_diamond(new) };
        scope.push(Statement::declare(ty, &name, new));
        for pair in values.chunks(2) {
            let args = pair.iter().map(|value| self.assigned(value.clone(), object)).collect();
            scope.push(Statement::Expr(Expr::atom(&*name).then("put", args)));
        }
        Value { expr: Expr::atom(name), ty: static_type, kind: ValueKind::Fresh }
    }

    /// `Arrays.asList(..)`; a single null or array would be taken for the array of all elements.
    fn as_list(&mut self, values: Vec<Value>) -> Value {
        let alone = values.len() == 1;
        let object = Type::Class(ClassName::object());
        let elements = values.clone();
        let args = values
            .into_iter()
            .map(|value| {
                let is_array = matches!(value.ty.erased, Type::Array(array) if array.component().is_reference());
                let ambiguous = alone && (value.is_null() || is_array);
                let untyped = matches!(value.kind, ValueKind::Lambda { .. });
                if let ValueKind::Boxed { inner, .. } = value.kind {
                    *inner
                } else if untyped {
                    value.expr.cast(value.ty.erased)
                } else if ambiguous {
                    value.expr.cast(object)
                } else {
                    value.expr
                }
            })
            .collect();
        let list = Expr::static_call("java/util/Arrays", "asList", args);
        Value { kind: ValueKind::ListOf(elements), ..Value::inferred(list, Type::class("java/util/List")) }
    }

    pub(super) fn cast(&mut self, value: &Arg, def: Option<Def>, scope: &mut Scope) -> Value {
        let value = self.arg(value, scope);
        let Some(def) = def else { return value };
        if !self.access.can_name_type(def.ty) {
            let class = self.class_literal(def.ty, scope).expr;
            return Value::inferred(class.then("cast", vec![value.expr]), self.access.nameable(def.ty));
        }
        self.note_raw(def.ty);
        // Between classes that have nothing in common the compiler refuses a cast; by way of `Object` it is one.
        let expr = if self.castable(value.ty.erased, def.ty) || value.is_null() {
            value.expr
        } else {
            value.expr.cast(Type::Class(ClassName::object()))
        };
        Value::plain(expr.cast(def.ty), def.ty)
    }

    /// Whether the compiler allows the cast (JLS 5.5), as far as classes are known.
    fn castable(&self, from: Type, to: Type) -> bool {
        let interface =
            |ty: Type| ty.as_class().and_then(|class| self.world.class(class)).is_none_or(|class| class.is_interface);
        self.assignable(from, to)
            || self.world.is_subtype(to, from)
            || !from.is_reference() && !to.is_reference()
            || from.as_class().is_some() && to.as_class().is_some() && (interface(from) && interface(to))
    }
}

/// `(byte) 5` where a byte is assigned may be `5`.
pub(super) fn without_narrowing(expr: &Expr, ty: Type) -> Option<Expr> {
    match expr {
        Expr::Cast(cast @ (Type::Byte | Type::Short), inner) if *cast == ty => match &**inner {
            literal @ Expr::Atom(_) => Some(literal.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// As `Class.forName` takes it.
fn binary_name(ty: Type) -> String {
    match ty {
        Type::Class(class) => class.dotted(),
        other => other.descriptor().replace('/', "."),
    }
}
