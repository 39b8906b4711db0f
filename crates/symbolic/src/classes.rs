//! Types of objects by number, as terms name them.

use program::{ClassName, Program, Subtype, Type};
use rustc_hash::FxHashMap;
use smt::{ClassId, ClassSet};
use std::cell::RefCell;
use std::sync::Arc;

/// Numbers types in the order in which they are asked for. Number 0 is a class that nobody has heard of.
#[derive(Debug)]
pub struct Classes {
    program: Arc<Program>,
    table: RefCell<Table>,
}

#[derive(Debug, Default)]
struct Table {
    types: Vec<Type>,
    ids: FxHashMap<Type, ClassId>,
    below: FxHashMap<Type, Arc<ClassSet>>,
}

impl Classes {
    pub(crate) fn new(program: Arc<Program>) -> Classes {
        Classes { program, table: RefCell::default() }
    }

    pub fn id(&self, ty: Type) -> ClassId {
        let mut table = self.table.borrow_mut();
        if let Some(known) = table.ids.get(&ty) {
            return *known;
        }
        table.types.push(ty);
        let id = ClassId(u32::try_from(table.types.len()).unwrap_or(u32::MAX));
        table.ids.insert(ty, id);
        id
    }

    pub fn ty(&self, id: ClassId) -> Option<Type> {
        let index = usize::try_from(id.0).ok()?.checked_sub(1)?;
        self.table.borrow().types.get(index).copied()
    }

    /// The classes of objects that are instances of the type. Of arrays, those of which this world has heard.
    pub fn below(&self, ty: Type) -> Arc<ClassSet> {
        if let Some(known) = self.table.borrow().below.get(&ty) {
            return known.clone();
        }
        let set = Arc::new(self.compute_below(ty));
        // Arrays join as they are heard of, and they are instances of two interfaces too.
        let has_arrays =
            |class: ClassName| matches!(class.as_internal(), "java/lang/Cloneable" | "java/io/Serializable");
        if ty.as_class().is_some_and(|class| !has_arrays(class)) {
            self.table.borrow_mut().below.insert(ty, set.clone());
        }
        set
    }

    fn compute_below(&self, ty: Type) -> ClassSet {
        if ty == Type::Class(ClassName::object()) {
            return ClassSet::all();
        }
        let _ = self.id(ty);
        let below: Vec<ClassName> = ty.as_class().map_or_else(Vec::new, |class| self.program.subtypes(class));
        let classes = below.into_iter().map(Type::Class);
        let arrays: Vec<Type> =
            self.table.borrow().types.iter().copied().filter(|ty| ty.as_class().is_none()).collect();
        let arrays = arrays.into_iter().filter(|array| self.program.is_subtype_of(*array, ty) == Subtype::Yes);
        let all: Vec<Type> = classes.chain(arrays).chain([ty]).collect();
        ClassSet::of(all.into_iter().map(|ty| self.id(ty)))
    }
}
