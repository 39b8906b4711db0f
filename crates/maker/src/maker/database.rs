//! Databases: a statement that is to be executed needs its tables, and they are created through the object that executes it.

use super::Maker;
use crate::dice::Choose;
use documents::sql::{self, CONSTRAINTS, TYPES};
use objects::Callable;
use objects::Draft;
use program::{ClassName, MethodRef, Type};
use recipe::{Access, Action, Arg, Literal, Text};

impl Maker<'_> {
    /// The first text of a method that takes the URL of a database.
    pub(super) fn database_url(&mut self, callable: &Callable, index: usize) -> Option<Arg> {
        let string = Type::Class(ClassName::string());
        let is_first = callable.params.iter().position(|param| param.ty == string) == Some(index);
        if !is_first
            || !self.catalogue.takes_database_url(callable)
            || !self.rng.chance(self.rng.policy().databases.known_url)
        {
            return None;
        }
        let urls = self.catalogue.database_urls();
        let url = urls.get(self.rng.small(urls.len().checked_sub(1)?))?;
        Some(Arg::Literal(Literal::String(url.clone().into())))
    }

    /// Creates the tables that a statement among the arguments names, if the receiver can execute or prepare it.
    pub(super) fn prepare_database(&mut self, draft: &mut Draft, receiver: &Arg, args: &[Arg]) {
        if !self.is_of_database(draft, receiver) {
            return;
        }
        let numbers = &self.rng.policy().databases;
        let tables_of = |arg| tables_of(arg, numbers.longest);
        let Some(tables) = args.iter().filter_map(tables_of).find(|tables| !tables.is_empty()) else { return };
        if !self.rng.chance(numbers.prepared) {
            return;
        }
        let Some(executor) = self.executor(draft, receiver) else { return };
        for table in tables.iter().take(numbers.tables) {
            let method = MethodRef::new("java/sql/Statement", "execute", "(Ljava/lang/String;)Z");
            let creation = Arg::Literal(Literal::String(Text::plain(&self.creation(table))));
            let (receiver, args) = (Some(executor.clone()), vec![creation]);
            draft.perform(Action::Call { method, receiver, args, access: Access::Public });
        }
    }

    fn creation(&mut self, table: &sql::Table) -> String {
        let numbers = &self.rng.policy().databases;
        let types: Vec<&str> = table.columns.iter().map(|_| TYPES[self.rng.listed(&numbers.types)]).collect();
        let columns = types.len().max(1);
        let constraint = self.rng.chance(numbers.constrained).then(|| {
            let at = self.rng.small(columns - 1);
            (at, CONSTRAINTS[self.rng.listed(&numbers.constraints)])
        });
        table.creation(&types, constraint)
    }

    fn is_of_database(&self, draft: &Draft, receiver: &Arg) -> bool {
        let ty = draft.type_of(receiver);
        let is = |name: &str| ty.is_some_and(|ty| self.catalogue.is_assignable(ty, Type::class(name)));
        is("java/sql/Statement") || is("java/sql/Connection")
    }

    /// A plain statement object of the receiver's connection, or the receiver itself.
    fn executor(&self, draft: &mut Draft, receiver: &Arg) -> Option<Arg> {
        let ty = draft.type_of(receiver)?;
        let is = |name: &str| self.catalogue.is_assignable(ty, Type::class(name));
        let connection = match () {
            () if is("java/sql/PreparedStatement") => {
                let method = MethodRef::new("java/sql/Statement", "getConnection", "()Ljava/sql/Connection;");
                call(draft, method, receiver.clone())
            }
            () if is("java/sql/Statement") => return Some(receiver.clone()),
            () if is("java/sql/Connection") => receiver.clone(),
            () => return None,
        };
        let method = MethodRef::new("java/sql/Connection", "createStatement", "()Ljava/sql/Statement;");
        Some(call(draft, method, connection))
    }
}

fn call(draft: &mut Draft, method: MethodRef, receiver: Arg) -> Arg {
    let ty = method.signature().ret.expect("both give objects");
    let action = Action::Call { method, receiver: Some(receiver), args: Vec::new(), access: Access::Public };
    draft.define(action, ty)
}

fn tables_of(arg: &Arg, longest: u64) -> Option<Vec<sql::Table>> {
    match arg {
        Arg::Literal(Literal::String(text)) if text.len() <= longest => Some(sql::tables(&text.expanded().to_lossy())),
        _ => None,
    }
}
