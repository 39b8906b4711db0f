//! The recorder: which classes are spliced and how, what the dictionary knows, when a copy is kept.

use crate::Settings;
use crate::arm::{self, ArmFile};
use crate::constants::Constants;
use crate::file::{self, RecordingFile};
use crate::hard;
use program::MethodRef;
use recording::format::{self, Header, Layout};
use recording::{Crash, Level, Method, MethodId, Place, PlaceId};
use rustc_hash::{FxHashMap, FxHashSet};
use splice::{ProbeIds, RecordedKind, RecordedPlace, RecordedSite, RecorderPlan, SplicePlan};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Copies that one process keeps.
const CRASH_LIMIT: usize = 8;

#[derive(Debug)]
pub(crate) struct Recorder {
    settings: Settings,
    jdk: String,
    started: u64,
    file: RecordingFile,
    plan: Arc<RecorderPlan>,
    /// Classes of exceptions that are looked out for, in internal form.
    exceptions: BTreeSet<String>,
    is_off: AtomicBool,
    /// The program has ended.
    is_over: AtomicBool,
    /// What is recorded now: less than was asked for where that cost too much.
    level: AtomicU8,
    state: Mutex<State>,
}

/// Methods, by class in internal form and name.
pub(crate) type Armed = BTreeSet<(String, String)>;

#[derive(Debug)]
struct State {
    ids: ProbeIds,
    constants: Constants,
    methods: FxHashMap<MethodRef, MethodId>,
    /// Methods that are no entries are numbered from above.
    others: u32,
    /// What is not told any more, because it happens too often.
    quiet: Arc<BTreeSet<RecordedPlace>>,
    /// The methods of known crashes.
    armed: Arc<Armed>,
    /// The methods of a crash that has come up and was waited for.
    to_arm: Option<Armed>,
    dictionary_used: usize,
    notes_used: usize,
    /// Crashes of which there is a copy, ..
    crashes: FxHashSet<String>,
    /// .. and how many copies there are of those that are waited for again.
    again: usize,
}

/// Why nothing is recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoRecording {
    /// The user's fault.
    #[error("`maxsize={0}` is too small; 1m is enough")]
    Small(u64),
    /// The user's, or the disk's.
    #[error("cannot make `{path}`: {source}")]
    File {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// The user's fault.
    #[error("cannot read `{path}`: {source}")]
    Hard {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// The VM's, or ours.
    #[error(transparent)]
    Vm(#[from] jvm::JvmError),
}

impl Recorder {
    pub(crate) fn new(settings: Settings, jdk: String) -> Result<Recorder, NoRecording> {
        let layout = Layout::within(settings.maxsize).ok_or(NoRecording::Small(settings.maxsize))?;
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let is_general = settings.level != Level::Facts;
        let has_results = matches!(settings.level, Level::Hard | Level::Trace);
        let results = if has_results { results(&settings)? } else { Default::default() };
        let plan = RecorderPlan {
            application: settings.named(),
            calls: is_general && settings.level >= Level::Calls,
            blocks: settings.level == Level::Trace,
            armed: Arc::default(),
            results,
            quiet: Arc::default(),
            entry_word: format::word(format::ENTER, 0),
            call_word: format::word(format::CALL, 0),
            result_word: format::word(format::HARD, 0),
        };
        let path = settings.dir.join(format!("{}-{started}.live.rec", std::process::id()));
        let failed = |source| NoRecording::File { path: path.display().to_string(), source };
        std::fs::create_dir_all(&settings.dir).map_err(failed)?;
        let file = RecordingFile::create(path.clone(), layout, &header(&settings, started, &jdk)).map_err(failed)?;
        let level = AtomicU8::new(settings.level as u8);
        let exceptions = settings.exceptions.split(':').filter(|name| !name.is_empty());
        let exceptions = exceptions.map(|name| name.replace('.', "/")).collect();
        Ok(Recorder {
            settings,
            jdk,
            started,
            file,
            plan: Arc::new(plan),
            exceptions,
            is_off: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            level,
            state: Mutex::new(State::new()),
        })
    }

    pub(crate) fn file(&self) -> &RecordingFile {
        &self.file
    }

    /// Where Java code looks for constants.
    pub(crate) fn constants(&self) -> &'static [std::sync::atomic::AtomicU64] {
        self.state().constants.places()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether classes that are loaded from now on are of interest.
    pub(crate) fn wants_classes(&self) -> bool {
        self.settings.level > Level::Stack || !self.exceptions.is_empty()
    }

    /// Whether classes that are there already have to be spliced, too.
    pub(crate) fn is_exception(&self, name: &str) -> bool {
        self.exceptions.contains(name)
    }

    /// The spliced class; `None` if it stays as it is.
    pub(crate) fn splice(&self, name: &str, is_boot: bool, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.is_off.load(Ordering::Relaxed) {
            return None;
        }
        let exceptions = self.is_exception(name);
        let guards = if is_boot { SplicePlan::recorder_guards(name) } else { None };
        if is_boot && guards.is_none() && !exceptions {
            return None;
        }
        let mut state = self.state();
        if is_boot || !self.is_recorded(name, &state) {
            let plan = SplicePlan { exceptions, ..guards.unwrap_or_default() };
            let spliced = |plan: &SplicePlan| splice::splice(bytes, plan, &mut state.ids).ok();
            return Some(plan).filter(|plan| !plan.is_empty()).as_ref().and_then(spliced).map(|spliced| spliced.bytes);
        }
        let plan = if state.quiet.is_empty() && state.armed.is_empty() {
            self.plan.clone()
        } else {
            let (quiet, armed) = (state.quiet.clone(), state.armed.clone());
            Arc::new(RecorderPlan { quiet, armed, ..RecorderPlan::clone(&self.plan) })
        };
        let plan = SplicePlan { recorder: Some(plan), exceptions, ..SplicePlan::default() };
        let first = state.ids.recorded().len();
        let spliced = match splice::splice(bytes, &plan, &mut state.ids) {
            Ok(spliced) => spliced,
            Err(error) => {
                self.note(&mut state, &format!("{name} is not recorded: {error}"));
                return None;
            }
        };
        state.know_constants();
        let sites = state.ids.recorded()[first..].to_vec();
        if sites.is_empty() && !exceptions {
            return None;
        }
        if !self.learn(&mut state, first, &sites) {
            self.note(&mut state, "the dictionary is full: classes that were loaded later are not recorded");
            self.is_off.store(true, Ordering::Relaxed);
            return None;
        }
        Some(spliced.bytes)
    }

    /// Whether something of the class is told.
    fn is_recorded(&self, name: &str, state: &State) -> bool {
        let is_armed = || state.armed.iter().any(|(class, _)| class == name);
        let is_level = self.settings.level > Level::Stack && (self.settings.level != Level::Facts || is_armed());
        is_level && self.plan.application.contains(name)
    }

    /// Adds these sites to the dictionary; `false` if there is no room.
    fn learn(&self, state: &mut State, first: usize, sites: &[RecordedSite]) -> bool {
        let mut records = Vec::new();
        for (site, id) in sites.iter().zip(first as u32..) {
            match site.kind {
                RecordedKind::Entry => {
                    state.methods.insert(site.method, MethodId(id));
                    records.extend(format::method_record(MethodId(id), &method(site.method)));
                }
                kind => {
                    let method = state.method(site.method, &mut records);
                    let callee = match kind {
                        RecordedKind::Call(callee) | RecordedKind::Result(callee) => {
                            Some(state.method(callee, &mut records))
                        }
                        _ => None,
                    };
                    records.extend(format::place_record(PlaceId(id), &Place { method, bci: site.bci, callee }));
                }
            }
        }
        self.define(state, &records)
    }

    /// Adds records to the dictionary; `false` if there is no room.
    fn define(&self, state: &mut State, records: &[u8]) -> bool {
        let layout = self.file.layout();
        if state.dictionary_used + records.len() > layout.dictionary {
            return false;
        }
        self.file.put(layout.dictionary_at() + state.dictionary_used, records);
        state.dictionary_used += records.len();
        self.file.count(format::DICTIONARY_USED_AT, state.dictionary_used)
    }

    /// Records these methods in full from now on. The classes that have to be spliced again for it.
    pub(crate) fn arm(&self, methods: Armed) -> BTreeSet<String> {
        let mut state = self.state();
        let new = methods.difference(&state.armed).map(|(class, _)| class.clone());
        let classes: BTreeSet<String> = new.filter(|class| self.plan.application.contains(class)).collect();
        if !classes.is_empty() {
            let names: Vec<&str> = classes.iter().map(String::as_str).collect();
            self.note(&mut state, &format!("armed: {}", names.join(", ").replace('/', ".")));
            state.armed = Arc::new(methods);
        }
        classes
    }

    /// The methods of a crash that has come up since and was waited for.
    pub(crate) fn to_arm(&self) -> Option<Armed> {
        self.state().to_arm.take()
    }

    /// Does without these events from now on, and says so. The classes that have to be spliced again for it.
    pub(crate) fn hush(&self, numbers: &[u32]) -> BTreeSet<String> {
        let mut state = self.state();
        let mut quiet = BTreeSet::clone(&state.quiet);
        let mut classes = BTreeSet::new();
        for number in numbers {
            let Some(site) = state.ids.recorded().get(*number as usize).copied() else { continue };
            if quiet.insert(site.place()) {
                classes.insert(site.method.class.as_internal().to_owned());
                self.note(&mut state, &format!("{} any more: too often", told_of(&site)));
            }
        }
        let gone = |site: &RecordedSite| quiet.contains(&site.place());
        let gone = (0..).zip(state.ids.recorded()).filter(|(_, site)| gone(site));
        let records: Vec<u8> = gone.flat_map(|(number, _)| format::quiet_record(number)).collect();
        // Without room the events stay what they are, which is at worst less than there was.
        self.define(&mut state, &records);
        state.quiet = Arc::new(quiet);
        classes
    }

    /// Less is recorded from now on, and said so. What is still told: nothing, calls.
    pub(crate) fn step_down(&self) -> i32 {
        let next = if self.level() == Level::Hard { Level::Calls } else { Level::Stack };
        self.level.store(next as u8, Ordering::Relaxed);
        self.file.put(format::LEVEL_AT, &[next as u8]);
        let mut state = self.state();
        self.note(&mut state, &format!("stepped down to level {}: recording cost too much", next.name()));
        i32::from(next == Level::Calls)
    }

    /// What is recorded now.
    pub(crate) fn level(&self) -> Level {
        let level = usize::from(self.level.load(Ordering::Relaxed));
        Level::ALL.get(level).copied().unwrap_or(Level::Stack)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn note(&self, state: &mut State, text: &str) {
        let line = format!("{text}\n");
        let layout = self.file.layout();
        if state.notes_used + line.len() <= layout.notes {
            self.file.put(layout.notes_at() + state.notes_used, line.as_bytes());
            state.notes_used += line.len();
            self.file.count(format::NOTES_USED_AT, state.notes_used);
        }
    }

    /// Keeps a copy of the recording with this crash, unless there is one of the same or there are many.
    pub(crate) fn crashed(&self, crash: &Crash, thread: u32) {
        let known: Vec<_> = crash.exceptions.iter().map(|thrown| (&thrown.class, &thrown.frames)).collect();
        let known = format!("{known:?}");
        let mut state = self.state();
        if state.crashes.len() + state.again >= CRASH_LIMIT || !state.crashes.insert(known) {
            return;
        }
        let number = state.crashes.len() + state.again;
        let wanted = self.settings.arm.as_deref().and_then(ArmFile::fingerprint);
        if state.armed.is_empty() && wanted.is_some_and(|wanted| wanted == crash.fingerprint()) {
            // The next one is the one that is waited for.
            state.to_arm = Some(arm::methods(crash.exceptions.iter().flat_map(|thrown| &thrown.frames)));
            state.crashes.clear();
            state.again = number;
        }
        let text = crash.encode();
        let text = &text[..text.floor_char_boundary(self.file.layout().crash)];
        let header = Header { level: self.level(), ..header(&self.settings, self.started, &self.jdk) };
        let bytes = self.file.snapshot(&header, text, thread);
        let path = self.settings.dir.join(format!("{}-{}-crash-{number}.rec", std::process::id(), self.started));
        if file::complete(&path, |mut file| file.write_all(&bytes)).is_err() {
            // The live file keeps the crash for whoever finds it.
            self.file.count(format::CRASHED_AT, thread as usize);
            self.file.replace(self.file.layout().crash_at(), text.as_bytes(), format::CRASH_USED_AT);
        }
    }

    /// The program ends in order: what happened since the last crash is of no interest.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = std::fs::remove_file(self.file.path());
    }

    /// A panic leaves at worst ids that are never used.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn new() -> State {
        State {
            ids: ProbeIds::default(),
            constants: Constants::new(),
            methods: FxHashMap::default(),
            others: 0,
            quiet: Arc::default(),
            armed: Arc::default(),
            to_arm: None,
            dictionary_used: 0,
            notes_used: 0,
            crashes: FxHashSet::default(),
            again: 0,
        }
    }

    /// Numbers that are recorded as they are, before the code that records them runs.
    fn know_constants(&mut self) {
        for (ids, values) in self.ids.take_constants() {
            let has_value =
                |site: &RecordedSite| matches!(site.kind, RecordedKind::Result(_) | RecordedKind::Parameter);
            for id in ids.filter(|id| self.ids.recorded().get(*id).is_some_and(has_value)) {
                values.iter().for_each(|value| self.constants.add(id, *value));
            }
        }
    }

    fn method(&mut self, wanted: MethodRef, records: &mut Vec<u8>) -> MethodId {
        if let Some(known) = self.methods.get(&wanted) {
            return *known;
        }
        let id = MethodId(format::MAX_ID - self.others);
        self.others += 1;
        self.methods.insert(wanted, id);
        records.extend(format::method_record(id, &method(wanted)));
        id
    }
}

fn told_of(site: &RecordedSite) -> String {
    let method = format!("{}.{}{}", site.method.class.dotted(), site.method.name, site.method.descriptor);
    match site.kind {
        RecordedKind::Entry => format!("entries of {method} are not recorded"),
        RecordedKind::Call(_) => format!("the call in {method} @{} is not recorded", site.bci),
        RecordedKind::Block => format!("coming to {method} @{} is not recorded", site.bci),
        RecordedKind::Parameter => format!("parameter {} of {method} is not recorded", site.bci),
        RecordedKind::Result(_) => format!("the result in {method} @{} is not recorded", site.bci),
    }
}

fn method(of: MethodRef) -> Method {
    Method {
        class: of.class.as_internal().to_owned(),
        name: of.name.as_str().to_owned(),
        descriptor: of.descriptor.as_str().to_owned(),
    }
}

fn header<'a>(settings: &'a Settings, started: u64, jdk: &'a str) -> Header<'a> {
    Header {
        level: settings.level,
        redaction: settings.redact,
        started,
        process: std::process::id(),
        jdk,
        application: &settings.application,
    }
}

fn results(settings: &Settings) -> Result<std::collections::BTreeSet<(String, String, String)>, NoRecording> {
    let mut list = hard::Functions::known();
    if let Some(path) = &settings.hard {
        let text = std::fs::read_to_string(path)
            .map_err(|source| NoRecording::Hard { path: path.display().to_string(), source })?;
        list.apply(&text);
    }
    Ok(list.names())
}
