//! Call targets and effects against what HotSpot was seen to do: programs run under the debugger interface, which tells which method
//! each call entered and which methods were on the stack when a field was written. A target or a written field that was seen
//! and is not predicted is a bug. Counts are printed; excused are predictions that say themselves that they are cut or open.
//!
//! What the VM runs by itself between two frames (class loading, linking) is nobody's call, and ends the walk up a stack.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use analysis::{Effects, Limits, Methods};
use ir::Callee;
use program::{Cache, ClassName, ClassPath, FieldRef, Jdk, MethodRef, Program, Symbol};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What happened, once each.
#[derive(Debug)]
enum Seen {
    /// The last frame is the method that was entered; those before called it, the caller first.
    Call { callers: Vec<Frame>, entered: MethodRef },
    /// The frames of the stack, top first.
    Write { field: FieldRef, stack: Vec<Frame> },
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    method: MethodRef,
    /// -1 in native methods.
    bci: Option<u16>,
}

/// Whether the method is of a class that the VM makes for a lambda.
fn is_lambda(method: MethodRef) -> bool {
    method.class.as_internal().contains("$$Lambda")
}

#[derive(Debug, Default)]
struct Count {
    calls: usize,
    dispatched: usize,
    lambdas: usize,
    initialisers: usize,
    excused_calls: usize,
    writes: usize,
    excused_writes: usize,
    failures: Vec<String>,
}

const SOME: Limits = Limits { targets: 300, classes: 1500, methods: 400 };

struct Watched {
    methods: Methods,
    effects: BTreeMap<MethodRef, Arc<Effects>>,
    count: Count,
}

#[test]
fn of_a_program_alone() {
    let mut watched = Watched::new(&[]);
    let seen = watched.run("Own", &["Own"]);
    let main = MethodRef::new("Own", "main", "([Ljava/lang/String;)V");
    let types = watched.methods.rapid_types(&[main], &[], Limits::NONE);
    assert!(!types.open && !types.cut);
    for one in &seen {
        let Seen::Call { callers, entered } = one else { continue };
        let own = entered.class.as_internal().starts_with("Own") && !is_lambda(*entered);
        assert!(!own || types.reached.contains(entered), "{entered} ran");
        if let Some(callee) = callee_of(&watched.methods, callers[0]).filter(|callee| names(callee, *entered)) {
            let targets = watched.methods.rapid_targets(&callee, callers[0].method.class, &types);
            assert!(!own || targets.methods.contains(entered), "{} may run {targets:?}", callers[0].method);
        }
    }
    // Nobody makes one, which the hierarchy alone does not tell.
    let unused = MethodRef::new("Own$Unused", "area", "()I");
    assert!(!types.reached.contains(&unused));
    let area = Callee::Method {
        kind: ir::InvokeKind::Interface,
        method: MethodRef::new("Own$Shape", "area", "()I"),
        interface: true,
    };
    let by_hierarchy = watched.methods.targets(&area, ClassName::internal("Own"), Limits::default());
    assert!(by_hierarchy.methods.contains(&unused) && !by_hierarchy.cut && !by_hierarchy.open);
    watched.check(&seen);
    let count = watched.done("Own");
    assert!(count.calls > 30 && count.dispatched > 8 && count.lambdas > 2 && count.initialisers > 0, "{count:?}");
    assert!(count.writes > 40 && count.excused_writes == 0, "{count:?}");
}

#[test]
fn of_the_collections_of_the_jdk() {
    let mut watched = Watched::new(&[]);
    let seen = watched.run("Collections", &["Collections", "java.util."]);
    watched.check(&seen);
    let count = watched.done("Collections");
    assert!(count.calls > 300 && count.dispatched > 50 && count.writes > 300, "{count:?}");
}

#[test]
fn of_a_library() {
    let jars = std::env::var_os("REENACT_JARS")
        .expect("REENACT_JARS is not set; `cargo xtask test` fetches the jars and sets it");
    let jar = "commons-collections/commons-collections/3.1/commons-collections-3.1.jar";
    let mut watched = Watched::new(&[PathBuf::from(jars).join(jar)]);
    let seen = watched.run("Library", &["Library", "org.apache."]);
    watched.check(&seen);
    let count = watched.done("Library");
    assert!(count.calls > 300 && count.dispatched > 50 && count.writes > 300, "{count:?}");
}

impl Watched {
    fn new(jars: &[PathBuf]) -> Watched {
        let programs = tests().join("programs");
        let class_path = ClassPath::parse(std::iter::once(&programs).chain(jars)).unwrap();
        let (program, _) = Program::open(&class_path, Jdk::find(None).unwrap(), &Cache::none()).unwrap();
        let methods = Methods::new(Arc::new(program));
        Watched { methods, effects: BTreeMap::new(), count: Count::default() }
    }

    #[expect(clippy::disallowed_methods, reason = "the JVM is what the test compares with")]
    fn run(&self, main: &str, prefixes: &[&str]) -> Vec<Seen> {
        let program = self.methods.program();
        let class_path = std::env::join_paths(program.runtime_class_path().unwrap().entries()).unwrap();
        let start = std::time::Instant::now();
        let output = std::process::Command::new(program.jdk().home.join("bin/java"))
            .args(["-XX:+UseSerialGC", "--add-modules", "jdk.jdi", "-cp"])
            .arg(tests().join("debugger"))
            .arg("Watch")
            .arg(class_path)
            .arg(main)
            .args(prefixes)
            .output()
            .unwrap();
        println!("ran {main} in {:.1} s", start.elapsed().as_secs_f64());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| read(line).unwrap_or_else(|| panic!("{line}")))
            .collect()
    }

    fn check(&mut self, seen: &[Seen]) {
        for one in seen {
            match one {
                Seen::Call { callers, entered } => self.check_call(callers, *entered),
                Seen::Write { field, stack } => self.check_write(*field, stack),
            }
        }
    }

    fn check_call(&mut self, callers: &[Frame], entered: MethodRef) {
        let caller = callers[0];
        // What is entered from there is compared.
        if is_lambda(entered) {
            return;
        }
        if entered.name.as_str() == "<clinit>" {
            return self.check_initialiser(caller, entered);
        }
        if is_lambda(caller.method) {
            let Some(outer) = callers.get(1).copied() else { return };
            let Some(callee) = callee_of(&self.methods, outer).filter(|callee| names(callee, caller.method)) else {
                return;
            };
            let targets = self.methods.targets(&callee, outer.method.class, SOME);
            self.count.lambdas += 1;
            let is_known = targets.all().any(|target| target == entered);
            return self.note(is_known, targets.cut || targets.open, &format!("{} runs {entered}", outer.method));
        }
        let Some(callee) = callee_of(&self.methods, caller).filter(|callee| names(callee, entered)) else { return };
        let targets = self.methods.targets(&callee, caller.method.class, SOME);
        self.count.calls += 1;
        self.count.dispatched += usize::from(targets.methods.len() > 1);
        let is_known = targets.methods.contains(&entered);
        self.note(is_known, targets.cut || targets.open, &format!("{} calls {entered}", caller.method));
    }

    fn note(&mut self, is_known: bool, is_excused: bool, what: &str) {
        match () {
            () if is_known => {}
            () if is_excused => self.count.excused_calls += 1,
            () => self.count.failures.push(what.to_owned()),
        }
    }

    /// The instruction that was running says that it may initialise the class, or the VM did so by itself.
    fn check_initialiser(&mut self, caller: Frame, entered: MethodRef) {
        let (Some(unit), Some(bci)) = (self.methods.get(caller.method), caller.bci) else { return };
        let mut classes = unit.body.instrs_at(bci).iter().filter_map(|instr| instr.op.initialises());
        let Some(class) = classes.next() else { return };
        self.count.initialisers += 1;
        if !self.methods.initialisers(class).contains(&entered) {
            self.count.failures.push(format!("{} initialises {}", caller.method, entered.class));
        }
    }

    fn check_write(&mut self, field: FieldRef, stack: &[Frame]) {
        for (index, frame) in stack.iter().enumerate() {
            if is_lambda(frame.method) {
                continue;
            }
            let above = index.checked_sub(1).map(|above| stack[above]);
            if above.is_some_and(|above| !self.is_call(*frame, above)) {
                return;
            }
            let effects = self.effects(frame.method);
            self.count.writes += 1;
            self.count.excused_writes += usize::from(!effects.writes.has(field));
            if !effects.may_write(field) {
                self.count.failures.push(format!("{} writes {field}", frame.method));
            }
            // What it writes itself is no matter of limits.
            if index == 0 && !effects.writes.has(field) {
                self.count.failures.push(format!("{} itself writes {field}", frame.method));
            }
        }
    }

    /// Whether the frame's own code called the one above it.
    fn is_call(&self, frame: Frame, above: Frame) -> bool {
        if above.method.name.as_str() == "<clinit>" {
            let (Some(unit), Some(bci)) = (self.methods.get(frame.method), frame.bci) else { return false };
            return unit.body.instrs_at(bci).iter().any(|instr| instr.op.initialises().is_some());
        }
        callee_of(&self.methods, frame).is_some_and(|callee| names(&callee, above.method))
    }

    fn effects(&mut self, method: MethodRef) -> Arc<Effects> {
        let methods = &self.methods;
        Arc::clone(self.effects.entry(method).or_insert_with(|| methods.effects(method)))
    }

    fn done(self, name: &str) -> Count {
        let mut failures = self.count.failures.clone();
        failures.sort();
        failures.dedup();
        println!("{name}: {}", Count { failures: Vec::new(), ..self.count }.text());
        assert!(
            failures.is_empty(),
            "{} not predicted:\n{}",
            failures.len(),
            failures[..failures.len().min(20)].join("\n")
        );
        self.count
    }
}

impl Count {
    fn text(&self) -> String {
        format!(
            "{} calls ({} dispatched, {} by lambdas besides, {} excused), {} initialisers, {} writes ({} excused) compared",
            self.calls,
            self.dispatched,
            self.lambdas,
            self.excused_calls,
            self.initialisers,
            self.writes,
            self.excused_writes
        )
    }
}

/// The call that the frame is in.
fn callee_of(methods: &Methods, frame: Frame) -> Option<Callee> {
    let unit = methods.get(frame.method)?;
    unit.call_at(frame.bci?).map(|(callee, _)| callee.clone())
}

/// Whether a call names the method, so that it was not the VM that called it.
fn names(callee: &Callee, method: MethodRef) -> bool {
    matches!(callee, Callee::Method { method: named, .. }
        if (named.name, named.descriptor) == (method.name, method.descriptor))
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/watched")
}

fn read(line: &str) -> Option<Seen> {
    let mut words = line.split(' ');
    let kind = words.next()?;
    let rest: Vec<&str> = words.collect();
    match kind {
        "call" => {
            let mut callers = vec![frame(&rest[..4])?];
            callers.extend(rest.get(8..12).and_then(frame));
            Some(Seen::Call { callers, entered: method(&rest[4..7])? })
        }
        "write" => {
            let [class, name, descriptor] = rest.get(..3)?.try_into().ok()?;
            let field = FieldRef {
                class: ClassName::internal(class),
                name: Symbol::new(name),
                descriptor: Symbol::new(descriptor),
            };
            Some(Seen::Write { field, stack: rest[3..].chunks(4).map(frame).collect::<Option<_>>()? })
        }
        _ => None,
    }
}

fn frame(words: &[&str]) -> Option<Frame> {
    Some(Frame { method: method(words.get(..3)?)?, bci: words.get(3)?.parse().ok() })
}

fn method(words: &[&str]) -> Option<MethodRef> {
    let [class, name, descriptor] = words.try_into().ok()?;
    Some(MethodRef::new(class, name, descriptor))
}
