//! Texts that name what a class has: members, properties, paths from one to the next.

use super::Maker;
use crate::dice::Choose;
use crate::documents;
use objects::Draft;
use program::{ClassName, Type};
use recipe::{Arg, JavaString, Literal};

impl Maker<'_> {
    /// Makes the texts among the arguments of a call name members of a class, now and then.
    pub(super) fn name_members(&mut self, draft: &Draft, args: &mut [Arg]) {
        let is_text = |arg: &Arg| matches!(arg, Arg::Literal(Literal::String(_)));
        if !args.iter().any(is_text) {
            return;
        }
        let numbers = &self.rng.policy().texts;
        let near = args.iter().find_map(|arg| match arg {
            Arg::Literal(Literal::Class(Type::Class(class))) => Some((*class, numbers.about_members)),
            Arg::Var(_) => draft.type_of(arg)?.as_class().map(|class| (class, numbers.about_members_of_objects)),
            _ => None,
        });
        let of_test = draft.recipe().member_names();
        let often = if of_test.is_empty() { near.map_or(0.0, |(_, often)| often) } else { numbers.about_members };
        if !self.rng.chance(often) {
            return;
        }
        let of_program = match near {
            Some((class, _)) if of_test.is_empty() => self.members_of_program(class),
            _ => Vec::new(),
        };
        for arg in args.iter_mut().filter(|arg| is_text(arg)) {
            if !of_test.is_empty() && self.rng.chance(numbers.document_of_members) {
                *arg = Arg::Literal(Literal::String(documents::of_members(&of_test, self.rng)));
            } else if let Some(name) = self.rng.one(&of_test).or(self.rng.one(&of_program)) {
                *arg = Arg::Literal(Literal::String(name.clone().into()));
            }
        }
    }

    /// Methods and fields, and what getters get.
    fn members_of_program(&self, class: ClassName) -> Vec<JavaString> {
        let Some(class) = self.catalogue.program().class(class) else { return Vec::new() };
        let methods = class.methods.iter().map(|method| method.name.as_str()).filter(|name| !name.starts_with('<'));
        let properties = methods.clone().filter_map(|name| {
            let rest = name.strip_prefix("get").or_else(|| name.strip_prefix("is"))?;
            let mut letters = rest.chars();
            Some(letters.next()?.to_lowercase().chain(letters).collect::<String>())
        });
        let fields = class.fields.iter().map(|field| field.name.as_str());
        let names = methods.clone().chain(fields).map(JavaString::new);
        names.chain(properties.map(|name| JavaString::new(&name))).collect()
    }
}
