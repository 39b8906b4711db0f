//! Methods, fields and constructors as objects, looked up by name in a class near the crash or in one of the user's.

use super::Maker;
use crate::catalogue::Reflected;
use crate::choose::Choose;
use crate::draft::Draft;
use program::{Class, MethodRef, MethodType, Type};
use recipe::{Access, Action, Arg, ClassDecl, Literal};
use std::sync::Arc;

impl Maker<'_> {
    pub(super) fn reflected(&mut self, draft: &mut Draft, wanted: Reflected) -> Option<Arg> {
        if wanted == Reflected::Field && self.rng.bool() {
            return self.user_field(draft);
        }
        let class = self.class_with_members()?;
        match wanted {
            Reflected::Method => {
                let methods: Vec<MethodRef> = class
                    .methods
                    .iter()
                    .filter(|method| {
                        !method.is_constructor() && !method.is_static_initialiser() && !method.access.is_synthetic()
                    })
                    .map(|method| method.reference())
                    .collect();
                let method = *self.rng.one(&methods)?;
                let name = Arg::Literal(Literal::string(method.name.as_str()));
                let types = parameter_types(draft, &method.signature());
                Some(look_up(draft, Type::Class(class.name), "getDeclaredMethod", vec![name, types], Reflected::Method))
            }
            Reflected::Constructor => {
                let constructors: Vec<MethodRef> = class
                    .methods
                    .iter()
                    .filter(|method| method.is_constructor())
                    .map(|method| method.reference())
                    .collect();
                let constructor = *self.rng.one(&constructors)?;
                let types = parameter_types(draft, &constructor.signature());
                Some(look_up(
                    draft,
                    Type::Class(class.name),
                    "getDeclaredConstructor",
                    vec![types],
                    Reflected::Constructor,
                ))
            }
            Reflected::Field => {
                let field = self.rng.one(&class.fields)?;
                let name = Arg::Literal(Literal::string(field.name.as_str()));
                Some(look_up(draft, Type::Class(class.name), "getDeclaredField", vec![name], Reflected::Field))
            }
        }
    }

    /// A field of a new user class: its generic type and annotations are then part of the recipe.
    fn user_field(&mut self, draft: &mut Draft) -> Option<Arg> {
        let name = self.user_class(draft);
        let declared: &ClassDecl = draft.recipe().classes.iter().find(|class| class.name == name)?;
        let fields: Vec<_> = declared.fields.iter().map(|field| field.name).collect();
        let field = Arg::Literal(Literal::string(self.rng.one(&fields)?.as_str()));
        Some(look_up(draft, Type::Class(name), "getDeclaredField", vec![field], Reflected::Field))
    }

    fn class_with_members(&mut self) -> Option<Arc<Class>> {
        for _ in 0..4 {
            let Some(Type::Class(name)) = self.pool.type_for_object(self.rng) else { continue };
            let class = self.catalogue.program().class(name)?;
            let nameable = self.from.class(self.catalogue.program(), &class);
            if nameable.is_some_and(|access| access != Access::Reflective) {
                return Some(class);
            }
        }
        None
    }
}

impl Reflected {
    fn ty(self) -> Type {
        Type::class(match self {
            Reflected::Method => "java/lang/reflect/Method",
            Reflected::Field => "java/lang/reflect/Field",
            Reflected::Constructor => "java/lang/reflect/Constructor",
        })
    }
}

/// `C.class.getDeclaredX(..)`
fn look_up(draft: &mut Draft, class: Type, method: &str, args: Vec<Arg>, wanted: Reflected) -> Arg {
    let params = match wanted {
        Reflected::Method => "Ljava/lang/String;[Ljava/lang/Class;",
        Reflected::Field => "Ljava/lang/String;",
        Reflected::Constructor => "[Ljava/lang/Class;",
    };
    let descriptor = format!("({params}){}", wanted.ty().descriptor());
    let method = MethodRef::new("java/lang/Class", method, &descriptor);
    let receiver = Some(Arg::Literal(Literal::Class(class)));
    draft.define(Action::Call { method, receiver, args, access: Access::Public }, wanted.ty())
}

fn parameter_types(draft: &mut Draft, signature: &MethodType) -> Arg {
    let component = Type::class("java/lang/Class");
    let elements = signature.params.iter().map(|ty| Arg::Literal(Literal::Class(*ty))).collect();
    draft.define(Action::ArrayOf { component, elements }, Type::array_of(component))
}
