//! Methods, fields and constructors as objects, looked up by name in a class near the crash or in one of the user's.

use super::Maker;
use crate::dice::Choose;
use crate::draw::Draw;
use objects::Draft;
use objects::Reflected;
use objects::build::{Member, look_up};
use program::{Class, FieldRef, MethodRef, Symbol, Type};
use recipe::{Access, Arg, ClassDecl, FieldDecl};
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
                look_up(draft, wanted, Member::Method(method)).ok()
            }
            Reflected::Constructor => {
                let constructors: Vec<MethodRef> = class
                    .methods
                    .iter()
                    .filter(|method| method.is_constructor())
                    .map(|method| method.reference())
                    .collect();
                let constructor = *self.rng.one(&constructors)?;
                look_up(draft, wanted, Member::Method(constructor)).ok()
            }
            Reflected::Field => {
                let field = self.rng.one(&class.fields)?;
                look_up(draft, wanted, Member::Field(field.reference())).ok()
            }
        }
    }

    /// A field of a new user class: its generic type and annotations are then part of the recipe.
    fn user_field(&mut self, draft: &mut Draft) -> Option<Arg> {
        let name = self.user_class(draft);
        let declared: &ClassDecl = draft.recipe().classes.iter().find(|class| class.name == name)?;
        let reference = |field: &FieldDecl| FieldRef {
            class: name,
            name: field.name,
            descriptor: Symbol::new(&field.ty.descriptor()),
        };
        let fields: Vec<FieldRef> = declared.fields.iter().map(reference).collect();
        look_up(draft, Reflected::Field, Member::Field(*self.rng.one(&fields)?)).ok()
    }

    fn class_with_members(&mut self) -> Option<Arc<Class>> {
        for _ in 0..self.policy().draws_of_type {
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
