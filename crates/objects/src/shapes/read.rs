//! Reads the code of a method, and of what it calls, for what its parameters are expected to be.

use super::{HOLE, MOST_PARTS, Notation, Shape, Step};
use crate::catalogue::{Catalogue, read_by};
use crate::words::words_of;
use analysis::{Assignment, Lowered};
use ir::{Callee, ConcatPiece, Const, Dynamic, InvokeKind, Op, Operand, Parameter, Rvalue, Terminator, Var};
use program::classfile::HandleKind;
use program::{ClassName, FieldRef, InstrId, MethodRef, Type};
use recipe::JavaString;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Methods that are read for one answer, levels of calls that are followed, and steps back to where a value came from.
const MAX_METHODS: u32 = 60;
const DEPTH: u8 = 6;
const MAX_STEPS: u32 = 120;
/// Callers of one getter that are read.
const MAX_CALLERS: usize = 4;
/// Copies of one object.
const DEEPEST_COPY: u8 = 6;
/// Levels of calls that are gone into for what they give.
const DEEPEST_RETURN: u8 = 3;

/// What a value is taken out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    This,
    Parameter(usize),
    /// A field of whatever object, read by itself or by its getter.
    Field(FieldRef),
}

/// Where a value comes from, and what was taken out of that.
struct Path {
    root: Root,
    steps: Vec<Step>,
}

/// What the code of one method says.
struct Said {
    this: Shape,
    parameters: Vec<Shape>,
    fields: BTreeMap<FieldRef, Shape>,
}

impl Said {
    fn node(&mut self, path: &Path) -> &mut Shape {
        let root = match path.root {
            Root::This => &mut self.this,
            // A method is not called with more than it declares, whatever its code says.
            Root::Parameter(index) => {
                if index >= self.parameters.len() {
                    self.parameters.resize_with(index + 1, Shape::default);
                }
                &mut self.parameters[index]
            }
            Root::Field(field) => self.fields.entry(field).or_default(),
        };
        root.at(&path.steps)
    }
}

pub(crate) struct Reader<'a> {
    catalogue: &'a Catalogue,
    /// Methods and fields that are being looked at, so that recursion ends.
    open: Vec<MethodRef>,
    open_fields: Vec<FieldRef>,
    read: u32,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue) -> Reader<'a> {
        Reader { catalogue, open: Vec::new(), open_fields: Vec::new(), read: 0 }
    }

    /// One shape for each parameter that the method declares.
    pub(crate) fn parameters(&mut self, method: MethodRef) -> Vec<Shape> {
        self.this_and_parameters(method).1
    }

    /// The same with what the method expects of its own object.
    fn this_and_parameters(&mut self, method: MethodRef) -> (Shape, Vec<Shape>) {
        let count = method.signature().params.len();
        let Some(unit) = self.may_read(method) else { return (Shape::default(), vec![Shape::default(); count]) };
        self.open.push(method);
        let mut said = self.said(&unit);
        for (_, instr) in unit.body.instrs() {
            if let Op::PutField { field, value, .. } = &instr.op
                && let Some(path) = self.path(&unit, value, instr.id)
                && let Root::Parameter(_) = path.root
            {
                let kept = self.field(*field);
                said.node(&path).merge(&kept);
            }
        }
        self.open.pop();
        (said.this, said.parameters)
    }

    /// What the program expects of what is in the field: the class itself, and who asks its getter.
    pub(crate) fn field(&mut self, field: FieldRef) -> Shape {
        let mut found = Shape::default();
        let is_own = self.catalogue.program().is_application_default(field.class);
        if !is_own || self.open_fields.contains(&field) || self.open_fields.len() >= usize::from(DEPTH) {
            return found;
        }
        let Some(class) = self.catalogue.program().class(field.class) else { return found };
        self.open_fields.push(field);
        let own: Vec<MethodRef> = class.methods.iter().map(program::Method::reference).collect();
        let getters = own.iter().filter(|method| self.catalogue.got_by(**method) == Some(field));
        let callers = getters.flat_map(|getter| {
            let sites = self.catalogue.callers(*getter);
            sites.iter().take(MAX_CALLERS).map(|site| site.caller).collect::<Vec<_>>()
        });
        let mut readers: Vec<MethodRef> = Vec::new();
        for reader in own.iter().copied().chain(callers.collect::<Vec<_>>()) {
            if !readers.contains(&reader) {
                readers.push(reader);
            }
        }
        for reader in readers {
            let Some(unit) = self.may_read(reader) else { continue };
            self.open.push(reader);
            if let Some(shape) = self.said(&unit).fields.get(&field) {
                found.merge(shape);
            }
            self.open.pop();
        }
        self.open_fields.pop();
        found
    }

    fn may_read(&mut self, method: MethodRef) -> Option<Arc<Lowered>> {
        let may_read = self.catalogue.program().is_application_default(method.class)
            && self.read < MAX_METHODS
            && self.open.len() < usize::from(DEPTH)
            && !self.open.contains(&method);
        if !may_read {
            return None;
        }
        self.read += 1;
        self.catalogue.read_for_shapes(method)
    }

    fn said(&mut self, unit: &Lowered) -> Said {
        let count = unit.reference().signature().params.len();
        let mut said =
            Said { this: Shape::default(), parameters: vec![Shape::default(); count], fields: BTreeMap::new() };
        for (_, instr) in unit.body.instrs() {
            if let Op::Invoke(Callee::Method { method, kind, .. }, args)
            | Op::Assign(_, Rvalue::Invoke(Callee::Method { method, kind, .. }, args)) = &instr.op
            {
                self.used(unit, (*method, *kind), args, instr.id, &mut said);
            }
            if let Op::Assign(_, Rvalue::Cast(value, ty)) = &instr.op {
                self.cast(unit, value, *ty, instr.id, &mut said);
            }
        }
        said
    }

    /// What is taken out of something that may hold anything is of the type that it is cast to.
    fn cast(&self, unit: &Lowered, value: &Operand, ty: Type, at: InstrId, said: &mut Said) {
        let is_value = ty.as_class().is_some_and(|class| self.catalogue.program().is_jdk(class));
        if is_value
            && let Some(path) = self.path(unit, value, at)
            && matches!(path.steps.last(), Some(Step::Key(..)))
        {
            super::add_new(&mut said.node(&path).types, &[ty]);
        }
    }

    /// Where the value comes from, if all of it is known.
    fn path(&self, unit: &Lowered, operand: &Operand, at: InstrId) -> Option<Path> {
        Way::new(self.catalogue, unit).path(operand, at).filter(Path::is_known)
    }

    /// Words of the names under which the value stands.
    fn names(&self, unit: &Lowered, path: &Path) -> Vec<String> {
        match path.root {
            _ if !path.steps.is_empty() => Vec::new(),
            Root::This => Vec::new(),
            Root::Field(field) => words_of(field.name.as_str()).chain(words_of(field.class.simple())).collect(),
            Root::Parameter(index) => {
                let callable = self.catalogue.callable(unit.reference());
                let params = callable.iter().flat_map(|callable| callable.params.get(index));
                params.flat_map(|param| param.about.iter().cloned()).collect()
            }
        }
    }

    /// What is compared with each other has the names of both.
    fn compared(&self, unit: &Lowered, one: &Path, other: &Path, said: &mut Said) {
        for (path, with) in [(one, other), (other, one)] {
            let names = self.names(unit, with);
            super::add_new(&mut said.node(path).about, &names);
        }
    }

    /// What a call says about the values that it is given.
    fn used(
        &mut self,
        unit: &Lowered,
        (method, kind): (MethodRef, InvokeKind),
        args: &[Operand],
        at: InstrId,
        said: &mut Said,
    ) {
        let paths: Vec<Option<Path>> = args.iter().map(|arg| self.path(unit, arg, at)).collect();
        if let (true, [Some(one), Some(other)]) = (is_comparison(method), paths.as_slice()) {
            self.compared(unit, one, other, said);
        }
        if let Some(Some(path)) = paths.first() {
            let samples = samples(method);
            let constants = self.constants(unit, method, args, at);
            let sign = args.get(1).filter(|_| is_index_of(method)).and_then(|arg| sign(unit, arg, at));
            if !samples.is_empty() || !constants.is_empty() || sign.is_some() {
                let found = said.node(path);
                super::add_new(&mut found.samples, samples);
                super::add_new(&mut found.constants, &constants);
                if let Some(sign) = sign {
                    found.separator.get_or_insert(sign);
                }
            }
        }
        if let [_, Some(path)] = paths.as_slice() {
            let constants = self.constants(unit, method, &[args[1].clone(), args[0].clone()], at);
            super::add_new(&mut said.node(path).constants, &constants);
        }
        // What is looked up is needed, whatever is done with it.
        if let Some(path) = Way::new(self.catalogue, unit).through(method, kind, args, at)
            && path.is_known()
            && matches!(path.steps.last(), Some(Step::Key(..)))
        {
            said.node(&path);
        }
        self.handed_to_functions(unit, args, at, &paths, said);
        if paths.iter().all(Option::is_none) || !self.catalogue.program().is_application_default(method.class) {
            return;
        }
        let first = usize::from(kind != InvokeKind::Static);
        self.handed_on(method, first, &paths, said);
    }

    /// What the application's own method expects of what it is given.
    fn handed_on(&mut self, method: MethodRef, first: usize, paths: &[Option<Path>], said: &mut Said) {
        let target = self.catalogue.program().resolve_method(method).found().map(|found| found.reference());
        let (this, expected) = self.this_and_parameters(target.unwrap_or(method));
        if let (1, Some(Some(path))) = (first, paths.first())
            && !this.is_plain()
        {
            said.node(path).merge(&this);
        }
        let callable = target.and_then(|target| self.catalogue.callable(target));
        for (index, path) in paths.iter().skip(first).enumerate() {
            let (Some(path), Some(expected)) = (path, expected.get(index)) else { continue };
            let about = callable.iter().flat_map(|callable| callable.params.get(index)).flat_map(|p| p.about.iter());
            let about: Vec<String> = about.cloned().collect();
            let found = said.node(path);
            found.merge(expected);
            super::add_new(&mut found.about, &about);
        }
    }

    /// A stream or list that is given a function hands it each of its elements.
    fn handed_to_functions(
        &mut self,
        unit: &Lowered,
        args: &[Operand],
        at: InstrId,
        paths: &[Option<Path>],
        said: &mut Said,
    ) {
        let functions: Vec<(HandleKind, MethodRef, Vec<Operand>)> =
            args.iter().filter_map(|arg| function(unit, arg, at)).collect();
        for (handle, target, captured) in functions {
            let mut given: Vec<Option<Path>> = captured.iter().map(|operand| self.path(unit, operand, at)).collect();
            let element = paths.first().and_then(|path| path.as_ref()).map(|path| path.below([Step::Each]));
            let has_element = element.is_some();
            let params = target.signature().params.len();
            let own = params + usize::from(handle != HandleKind::InvokeStatic);
            // The element comes last, behind what was captured.
            if given.len() < own {
                given.resize_with(own - 1, || None);
                given.push(element);
            }
            if let (true, [Some(path)]) = (has_element, given.as_slice()) {
                let samples = samples(target);
                let constants = self.enum_names(target);
                let found = said.node(path);
                super::add_new(&mut found.samples, samples);
                super::add_new(&mut found.constants, &constants);
            }
            if self.catalogue.program().is_application_default(target.class) {
                self.handed_on(target, usize::from(handle != HandleKind::InvokeStatic), &given, said);
            }
        }
    }

    /// What the first value of a call is one of, or is compared with.
    fn constants(&self, unit: &Lowered, method: MethodRef, args: &[Operand], at: InstrId) -> Vec<JavaString> {
        if is_comparison(method)
            && let Some(word) = args.get(1).and_then(|arg| text(unit, arg, at))
        {
            return vec![word];
        }
        self.enum_names(method)
    }

    fn enum_names(&self, method: MethodRef) -> Vec<JavaString> {
        let is_of_enum =
            method.name.as_str() == "valueOf" && method.signature().params == [Type::Class(ClassName::string())];
        if !is_of_enum || self.catalogue.program().is_jdk(method.class) {
            return Vec::new();
        }
        let constants = self.catalogue.enum_constants(method.class);
        constants.iter().map(|constant| JavaString::new(constant.name.as_str())).collect()
    }
}

impl Path {
    fn below(&self, steps: impl IntoIterator<Item = Step>) -> Path {
        Path { root: self.root, steps: self.steps.iter().cloned().chain(steps).collect() }
    }

    /// Whether it has no key that only the callers know.
    fn is_known(&self) -> bool {
        !self.steps.iter().any(|step| matches!(step, Step::KeyGiven(..)))
    }
}

/// The way back from a value to the parameter that it came from.
struct Way<'a> {
    catalogue: &'a Catalogue,
    unit: &'a Lowered,
    steps: u32,
    /// Calls that were gone into.
    depth: u8,
}

impl<'a> Way<'a> {
    fn new(catalogue: &'a Catalogue, unit: &'a Lowered) -> Way<'a> {
        Way { catalogue, unit, steps: 0, depth: 0 }
    }

    fn path(&mut self, operand: &Operand, at: InstrId) -> Option<Path> {
        let Operand::Var(var) = operand else { return None };
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        let assignments = self.unit.assignments(*var, at);
        assignments.into_iter().find_map(|assignment| self.before(*var, assignment))
    }

    fn before(&mut self, var: Var, assignment: Assignment<'_>) -> Option<Path> {
        let Assignment::At(at, value) = assignment else { return self.parameter(var) };
        match value {
            Rvalue::Use(inner) | Rvalue::Cast(inner, _) => self.path(inner, at),
            Rvalue::GetElement { array, index, .. } => {
                let place = place(index).map_or(Step::Each, Step::At);
                Some(self.path(array, at)?.below([place]))
            }
            Rvalue::GetField(_, field) => Some(Path { root: Root::Field(*field), steps: Vec::new() }),
            // What is loaded into it later is all that it has.
            Rvalue::New(class) if class.as_internal() == "java/util/Properties" => {
                let (args, at) = self.call_on(var, "load")?;
                Some(self.path(args.get(1)?, at)?.below([Step::Document(Notation::Properties)]))
            }
            // A reader around a stream, a list of what is in another one.
            Rvalue::New(class) if class.as_internal().starts_with("java/") => {
                let (args, at) = self.call_on(var, "<init>")?;
                args.get(1).and_then(|arg| self.path(arg, at)).or_else(|| self.filled_with(var))
            }
            Rvalue::Invoke(Callee::Method { method, kind, .. }, args) => self.through(*method, *kind, args, at),
            _ => None,
        }
    }

    fn parameter(&self, var: Var) -> Option<Path> {
        let Var::Local(slot) = var else { return None };
        let parameters = self.unit.body.parameters();
        parameters.into_iter().find_map(|(known, parameter)| match parameter {
            _ if known != slot => None,
            Parameter::This => Some(Path { root: Root::This, steps: Vec::new() }),
            Parameter::Declared(index, _) => {
                Some(Path { root: Root::Parameter(usize::from(index)), steps: Vec::new() })
            }
        })
    }

    /// A call of that name on the object: its constructor, where that is the name.
    fn call_on(&self, var: Var, name: &str) -> Option<(&'a [Operand], InstrId)> {
        self.unit.body.instrs().find_map(|(_, instr)| match &instr.op {
            Op::Invoke(Callee::Method { method, .. }, args)
                if method.name.as_str() == name && self.is_on(args.first(), var, instr.id) =>
            {
                Some((args.as_slice(), instr.id))
            }
            _ => None,
        })
    }

    /// A collection of what is in another one, element by element.
    fn filled_with(&mut self, var: Var) -> Option<Path> {
        let (args, at) = self.call_on(var, "add")?;
        let mut path = self.path(args.get(1)?, at)?;
        (path.steps.pop() == Some(Step::Each)).then_some(path)
    }

    /// Whether the operand is the object of the variable, which may have been copied.
    fn is_on(&self, operand: Option<&Operand>, var: Var, at: InstrId) -> bool {
        let Some(Operand::Var(other)) = operand else { return false };
        self.original(*other, at) == self.original(var, at)
    }

    /// The variable that was assigned first the object that this one has.
    fn original(&self, var: Var, at: InstrId) -> Var {
        let (mut var, mut at) = (var, at);
        for _ in 0..DEEPEST_COPY {
            match self.unit.only_assignment(var, at) {
                Some(Assignment::At(made, Rvalue::Use(Operand::Var(other)) | Rvalue::Cast(Operand::Var(other), _))) => {
                    (var, at) = (*other, made);
                }
                _ => break,
            }
        }
        var
    }

    /// What a method of the application gives, in terms of what it was given.
    fn through_own(&mut self, method: MethodRef, kind: InvokeKind, args: &[Operand], at: InstrId) -> Option<Path> {
        if let Some(field) = self.catalogue.got_by(method) {
            return Some(Path { root: Root::Field(field), steps: Vec::new() });
        }
        if self.depth >= DEEPEST_RETURN {
            return None;
        }
        let unit = self.catalogue.read_for_shapes(method)?;
        let mut inner = Way { catalogue: self.catalogue, unit: &unit, steps: 0, depth: self.depth + 1 };
        let given = unit.body.blocks.iter().find_map(|block| match &block.end {
            Terminator::Return(Some(value)) => inner.path(value, block.end_id),
            _ => None,
        })?;
        let which = match given.root {
            Root::Field(_) => return Some(given).filter(Path::is_known),
            Root::This => 0,
            Root::Parameter(index) => index + usize::from(kind != InvokeKind::Static),
        };
        let steps = given.steps.into_iter().map(|step| match step {
            Step::KeyGiven(index, is_optional) => {
                let key = args.get(index + usize::from(kind != InvokeKind::Static))?;
                self.key(key, is_optional, at)
            }
            known => Some(known),
        });
        let steps: Vec<Step> = steps.collect::<Option<_>>()?;
        Some(self.path(args.get(which)?, at)?.below(steps))
    }

    /// A look-up under what the operand is: a text with constant parts, or a parameter of this method.
    fn key(&self, operand: &Operand, is_optional: bool, at: InstrId) -> Option<Step> {
        let key = pattern(self.unit, operand, at, 0)?;
        if key != HOLE.to_string() {
            return Some(Step::Key(JavaString::new(&key), is_optional));
        }
        let Operand::Var(var) = operand else { return None };
        let is_given = matches!(self.unit.only_assignment(*var, at), Some(Assignment::Entry));
        match self.parameter(*var).filter(|_| is_given)?.root {
            Root::Parameter(index) => Some(Step::KeyGiven(index, is_optional)),
            Root::This | Root::Field(_) => None,
        }
    }

    /// What a call gives is a part of what it was given.
    fn through(&mut self, method: MethodRef, kind: InvokeKind, args: &[Operand], at: InstrId) -> Option<Path> {
        if self.catalogue.program().is_application_default(method.class)
            && let Some(path) = self.through_own(method, kind, args, at)
        {
            return Some(path);
        }
        let (which, steps) = self.taken_out(method, kind, args, at)?;
        Some(self.path(args.get(which)?, at)?.below(steps))
    }

    /// Which argument the result is a part of, and which part.
    fn taken_out(
        &self,
        method: MethodRef,
        kind: InvokeKind,
        args: &[Operand],
        at: InstrId,
    ) -> Option<(usize, Vec<Step>)> {
        let word = |index: usize| args.get(index).and_then(|arg| text(self.unit, arg, at));
        let lines = || Step::Split(JavaString::new("\n"));
        let steps = match (method.class.as_internal(), method.name.as_str()) {
            ("java/lang/String", "split") => vec![Step::Split(literal_separator(&word(1)?)?)],
            ("java/lang/String", "lines") | ("java/io/BufferedReader", "lines") => vec![lines()],
            ("java/lang/String", "substring") => vec![Step::At(usize::from(args.len() == 2))],
            ("java/lang/String", name) if keeps_text(name) => Vec::new(),
            ("java/lang/String", _) => return None,
            ("java/nio/file/Files", "readString" | "readAllBytes" | "newBufferedReader" | "newInputStream") => {
                vec![Step::Content]
            }
            ("java/nio/file/Files", "readAllLines" | "lines") => vec![Step::Content, lines()],
            ("java/io/BufferedReader", "readLine") | ("java/util/Scanner", "nextLine") => vec![lines(), Step::Each],
            (_, name) if name.starts_with("readLines") && kind == InvokeKind::Static => vec![Step::Content, lines()],
            ("java/util/Iterator", "next") => vec![Step::Each],
            // Nodes of documents can be gone through as well.
            (_, "iterator" | "elements") if args.len() == 1 => Vec::new(),
            (class, "get" | "elementAt" | "getOrNull") if takes_place(method, class) => {
                let given = args.len() - 1;
                vec![args.get(given).and_then(place).map_or(Step::Each, Step::At)]
            }
            (class, name) if class.starts_with("kotlin/text/StringsKt") => match name.trim_end_matches("$default") {
                "split" => vec![Step::Split(self.separator_in_array(args.get(1)?)?)],
                "lines" | "lineSequence" => vec![lines()],
                name if keeps_text(name) => Vec::new(),
                _ => return None,
            },
            (_, "readTree" | "parseString" | "parseReader") => {
                let which = usize::from(kind != InvokeKind::Static);
                return Some((which, vec![Step::Document(Notation::Json)]));
            }
            (class, _) if ["java/nio/file/Path", "java/nio/file/Paths", "java/io/File"].contains(&class) => Vec::new(),
            (class, name) if is_collecting(class) && keeps_elements(name) => Vec::new(),
            (class, "asList" | "of" | "stream" | "requireNonNull") if class.starts_with("java/util/") => Vec::new(),
            // What is asked for a value as it stands: the value of a node of a document.
            (_, name) if kind != InvokeKind::Static && args.len() <= 2 && gives_own_value(name) => Vec::new(),
            (_, "valueOf") if is_boxing(method) => Vec::new(),
            _ if kind != InvokeKind::Static && takes_key(method) => {
                match self.key(args.get(1)?, args.len() > 2, at) {
                    Some(key) => vec![key],
                    // Of what nobody can name, what stands in its place is known.
                    None => return Some((2, Vec::new())).filter(|_| args.len() > 2),
                }
            }
            _ => return None,
        };
        Some((0, steps))
    }

    /// The first text in the array: `split("/")` of Kotlin takes any number of separators.
    fn separator_in_array(&self, array: &Operand) -> Option<JavaString> {
        self.unit.body.instrs().find_map(|(_, instr)| match &instr.op {
            Op::PutElement { array: Operand::Var(known), value, .. } if self.is_on(Some(array), *known, instr.id) => {
                sign(self.unit, value, instr.id)
            }
            _ => None,
        })
    }
}

/// The field that the method does nothing but get.
pub(crate) fn got_by(unit: &Lowered) -> Option<FieldRef> {
    let mut read = None;
    for (_, instr) in unit.body.instrs() {
        match &instr.op {
            Op::Assign(_, Rvalue::GetField(_, field)) if read.is_none() => read = Some(*field),
            Op::Assign(_, Rvalue::Use(_)) | Op::Guard(_) => {}
            _ => return None,
        }
    }
    read.filter(|field| Some(field.field_type()) == unit.reference().signature().ret)
}

/// The text, with a hole for each part that is not constant.
fn pattern(unit: &Lowered, operand: &Operand, at: InstrId, depth: u8) -> Option<String> {
    if let Some(text) = text(unit, operand, at) {
        return Some(text.to_lossy());
    }
    let Operand::Var(var) = operand else { return Some(HOLE.to_string()) };
    let (made, callee, args) = match unit.only_assignment(*var, at) {
        Some(Assignment::At(made, Rvalue::Invoke(callee, args))) if depth < DEEPEST_RETURN => (made, callee, args),
        Some(Assignment::At(made, Rvalue::Use(inner))) if depth < DEEPEST_RETURN => {
            return pattern(unit, inner, made, depth + 1);
        }
        _ => return Some(HOLE.to_string()),
    };
    let Some(Dynamic::Concat(pieces)) = unit.dynamic(callee) else { return Some(HOLE.to_string()) };
    let piece = |piece: &ConcatPiece| match piece {
        ConcatPiece::Text(text) => Some(String::from_utf16_lossy(&text.utf16())),
        ConcatPiece::Argument(index) => pattern(unit, args.get(*index)?, made, depth + 1),
        ConcatPiece::Constant(_) => None,
    };
    pieces.iter().map(piece).collect()
}

/// The lambda or method reference that the value is, and what it has captured.
fn function(unit: &Lowered, operand: &Operand, at: InstrId) -> Option<(HandleKind, MethodRef, Vec<Operand>)> {
    let Operand::Var(var) = operand else { return None };
    let Assignment::At(_, Rvalue::Invoke(callee, captured)) = unit.only_assignment(*var, at)? else { return None };
    let Dynamic::Lambda(lambda) = unit.dynamic(callee)? else { return None };
    let (handle, target) = lambda.target()?;
    Some((handle, target, captured.clone()))
}

fn text(unit: &Lowered, operand: &Operand, at: InstrId) -> Option<JavaString> {
    match operand {
        Operand::Const(Const::String(text)) => Some(JavaString(text.utf16())),
        Operand::Const(_) => None,
        Operand::Var(var) => match unit.only_assignment(*var, at)? {
            Assignment::At(_, Rvalue::Use(Operand::Const(Const::String(text)))) => Some(JavaString(text.utf16())),
            _ => None,
        },
    }
}

/// A text or character.
fn sign(unit: &Lowered, operand: &Operand, at: InstrId) -> Option<JavaString> {
    match operand {
        Operand::Const(Const::Int(sign)) => u16::try_from(*sign).ok().map(|sign| JavaString(vec![sign])),
        other => text(unit, other, at),
    }
}

fn place(index: &Operand) -> Option<usize> {
    match index {
        Operand::Const(Const::Int(place)) => usize::try_from(*place).ok().filter(|place| *place < MOST_PARTS),
        _ => None,
    }
}

/// A text that the regular expression certainly matches, where it is as simple as separators are.
fn literal_separator(pattern: &JavaString) -> Option<JavaString> {
    let pattern = pattern.to_lossy();
    let without_space = pattern.replace("\\s*", "").replace("\\s+", " ").replace(" +", " ").replace(" *", "");
    let inside = without_space.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(signs, _)| signs);
    let plain = inside.map_or(without_space.clone(), |signs| signs.chars().take(1).collect());
    let mut text = String::new();
    let mut signs = plain.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => match signs.next()? {
                't' => text.push('\t'),
                'n' => text.push('\n'),
                'R' => text.push('\n'),
                other if other.is_alphanumeric() => return None,
                other => text.push(other),
            },
            '|' if text.is_empty() => return None,
            '|' => break,
            '(' | ')' | '*' | '+' | '?' | '^' | '$' | '.' | '{' | '}' | ']' => return None,
            other => text.push(other),
        }
    }
    (!text.is_empty()).then(|| JavaString::new(&text))
}

/// What a text that the method reads may be: what the JDK's readers of numbers and dates read, by whatever name they are called.
fn samples(method: MethodRef) -> &'static [&'static str] {
    let name = method.name.as_str();
    if method.class.as_internal().starts_with("kotlin/text/StringsKt") {
        return match name {
            "toIntOrNull" | "toLongOrNull" => integers(),
            "toDoubleOrNull" => decimals(),
            _ => &[],
        };
    }
    match name {
        "asInt" | "asLong" | "getAsInt" | "getAsLong" | "intValue" | "longValue" => integers(),
        "asDouble" | "getAsDouble" => decimals(),
        _ => read_by(method),
    }
}

fn integers() -> &'static [&'static str] {
    read_by(MethodRef::new("java/lang/Integer", "parseInt", "(Ljava/lang/String;)I"))
}

fn decimals() -> &'static [&'static str] {
    read_by(MethodRef::new("java/lang/Double", "parseDouble", "(Ljava/lang/String;)D"))
}

fn keeps_text(name: &str) -> bool {
    matches!(
        name,
        "trim"
            | "strip"
            | "stripLeading"
            | "stripTrailing"
            | "toLowerCase"
            | "toUpperCase"
            | "intern"
            | "toString"
            | "replace"
            | "replaceAll"
            | "toCharArray"
            | "removePrefix"
            | "removeSuffix"
            | "trimStart"
            | "trimEnd"
    )
}

fn is_collecting(class: &str) -> bool {
    ["java/util/", "java/lang/Iterable", "kotlin/collections/", "kotlin/sequences/"]
        .iter()
        .any(|prefix| class.starts_with(prefix))
}

fn keeps_elements(name: &str) -> bool {
    matches!(
        name,
        "iterator"
            | "listIterator"
            | "stream"
            | "filter"
            | "sorted"
            | "distinct"
            | "peek"
            | "skip"
            | "limit"
            | "toList"
            | "collect"
            | "parallelStream"
            | "copyOf"
            | "unmodifiableList"
            | "asSequence"
            | "drop"
            | "toArray"
    )
}

/// Lists, and not maps, are asked for what is at a place.
fn takes_place(method: MethodRef, class: &str) -> bool {
    method.signature().params.last() == Some(&Type::Int) && is_collecting(class)
}

/// A look-up: one text, and perhaps what is given if there is nothing under it.
fn takes_key(method: MethodRef) -> bool {
    let signature = method.signature();
    let key = [Type::Class(ClassName::string()), Type::Class(ClassName::object())];
    let is_key = signature.params.first().is_some_and(|first| key.contains(first));
    is_key && signature.params.len() <= 2 && signature.ret.is_some() && !keeps_text(method.name.as_str())
}

/// Accessors of the nodes of document models: `asText`, `textValue`, `getAsString`.
fn gives_own_value(name: &str) -> bool {
    let is_accessor = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    is_accessor("as") || is_accessor("getAs") || (name.ends_with("Value") && name != "getValue")
}

fn is_comparison(method: MethodRef) -> bool {
    matches!(method.name.as_str(), "equals" | "equalsIgnoreCase" | "areEqual" | "contentEquals")
}

fn is_boxing(method: MethodRef) -> bool {
    method.signature().params.first().is_some_and(|first| !first.is_reference())
}

fn is_index_of(method: MethodRef) -> bool {
    let class = method.class.as_internal();
    let is_of_texts = class == "java/lang/String" || class.starts_with("kotlin/text/StringsKt");
    is_of_texts && method.name.as_str().starts_with("indexOf")
}
