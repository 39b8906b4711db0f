//! The Java classes that run inside a worker, carried along in the executable.

/// Internal names and class files.
const ALL: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// Classes for the boot loader, each behind those it extends and implements.
pub(super) fn of_host() -> Vec<(&'static str, &'static [u8])> {
    let mut waiting: Vec<_> = ALL.iter().copied().filter(|(name, _)| name.starts_with("reenact/host/")).collect();
    let mut ordered: Vec<(&str, &[u8])> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let (ready, blocked): (Vec<_>, Vec<_>) = waiting.iter().copied().partition(|(_, bytes)| {
            let needed = splice::supertypes(bytes).unwrap_or_default();
            !needed.iter().any(|needed| waiting.iter().any(|(other, _)| other.as_bytes() == *needed))
        });
        if ready.is_empty() {
            // Not the case for anything javac has made.
            ordered.extend(blocked);
            break;
        }
        ordered.extend(ready);
        waiting = blocked;
    }
    ordered
}

/// The class on whose behalf recipes call the program, for the program's own loader.
pub(super) fn caller() -> (&'static str, &'static [u8]) {
    ALL.iter().copied().find(|(name, _)| *name == "reenact/user/Caller").expect("java/classes has it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supertypes_come_first() {
        let names: Vec<&str> = of_host().into_iter().map(|(name, _)| name).collect();
        let place = |name: &str| names.iter().position(|other| *other == name).expect("it is there");
        assert!(place("reenact/host/Watcher") < place("reenact/host/Worker"));
        assert!(place("reenact/host/Input") < place("reenact/host/Evaluator"));
        assert!(names.len() > 20);
    }
}
