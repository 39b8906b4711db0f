//! A policy as command line arguments: how the tool tells its own re-executed self what to apply. Every argument is
//! `--name=value`; paths may hold any bytes; `--` ends the policy.

use super::{ExecPolicy, ResourceLimits, SandboxError, SandboxPolicy};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

type Command = (OsString, Vec<OsString>);

pub(super) fn print(policy: &SandboxPolicy) -> Vec<OsString> {
    let mut args = vec![path_arg("scratch", &policy.scratch)];
    args.extend(policy.scratch_in_memory.map(|bytes| number_arg("scratch-memory", bytes)));
    args.extend(policy.read_only.iter().map(|path| path_arg("read", path)));
    if let ExecPolicy::Only(programs) = &policy.exec {
        args.extend(programs.iter().map(|path| path_arg("exec", path)));
    }
    for (name, limit) in limits(&policy.limits) {
        args.extend(limit.map(|limit| number_arg(name, limit)));
    }
    if !policy.namespaces {
        args.push(number_arg("namespaces", 0));
    }
    if policy.memory_files {
        args.push(number_arg("memory-files", 1));
    }
    args.push("--".into());
    args
}

fn limits(limits: &ResourceLimits) -> [(&'static str, Option<u64>); 4] {
    [
        ("file-size", limits.file_size),
        ("memory", limits.memory),
        ("threads", limits.threads),
        ("open-files", limits.open_files),
    ]
}

fn path_arg(name: &str, path: &Path) -> OsString {
    let mut arg = OsString::from(format!("--{name}="));
    arg.push(path);
    arg
}

fn number_arg(name: &str, value: u64) -> OsString {
    format!("--{name}={value}").into()
}

pub(super) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<(SandboxPolicy, Command), SandboxError> {
    let mut args = args.into_iter();
    let mut policy = SandboxPolicy {
        scratch: PathBuf::new(),
        scratch_in_memory: None,
        read_only: Vec::new(),
        exec: ExecPolicy::Denied,
        limits: ResourceLimits { file_size: None, memory: None, threads: None, open_files: None },
        namespaces: true,
        memory_files: false,
    };
    let mut programs = Vec::new();
    for arg in args.by_ref() {
        if arg == "--" {
            break;
        }
        let (name, value) = split(&arg).ok_or_else(|| SandboxError::Argument(arg.clone()))?;
        let number = || value.to_str().and_then(|text| text.parse().ok()).ok_or(SandboxError::Argument(arg.clone()));
        match name {
            "scratch" => policy.scratch = value.into(),
            "scratch-memory" => policy.scratch_in_memory = Some(number()?),
            "read" => policy.read_only.push(value.into()),
            "exec" => programs.push(PathBuf::from(value)),
            "file-size" => policy.limits.file_size = Some(number()?),
            "memory" => policy.limits.memory = Some(number()?),
            "threads" => policy.limits.threads = Some(number()?),
            "open-files" => policy.limits.open_files = Some(number()?),
            "memory-files" => policy.memory_files = number()? != 0,
            "namespaces" => policy.namespaces = number()? != 0,
            _ => return Err(SandboxError::Argument(arg)),
        }
    }
    if !programs.is_empty() {
        policy.exec = ExecPolicy::Only(programs);
    }
    let program = args.next().ok_or_else(|| SandboxError::Argument("--".into()))?;
    Ok((policy, (program, args.collect())))
}

/// `--name=value`, where the name is plain text.
fn split(arg: &OsStr) -> Option<(&str, &OsStr)> {
    let bytes = arg.as_encoded_bytes();
    let equals = bytes.iter().position(|byte| *byte == b'=')?;
    let name = std::str::from_utf8(bytes.get(..equals)?.strip_prefix(b"--")?).ok()?;
    Some((name, tail(arg, equals + 1)))
}

#[cfg(unix)]
fn tail(arg: &OsStr, from: usize) -> &OsStr {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(&arg.as_bytes()[from..])
}

#[cfg(not(unix))]
fn tail(arg: &OsStr, from: usize) -> &OsStr {
    arg.to_str().map_or(OsStr::new(""), |text| OsStr::new(&text[from..]))
}

#[cfg(test)]
mod tests {
    use super::super::Readable;
    use super::*;

    #[test]
    fn policies_survive_the_command_line() {
        let class_path = ["/x".into()];
        let readable = Readable { java_home: Some("/jdk".as_ref()), class_path: &class_path, ..Readable::default() };
        let plain = SandboxPolicy::for_worker("/tmp/a b", &readable);
        let other = SandboxPolicy {
            scratch_in_memory: Some(1 << 20),
            read_only: vec!["/usr".into(), "/opt/=x".into()],
            limits: ResourceLimits { file_size: None, memory: Some(5), threads: None, open_files: Some(6) },
            namespaces: false,
            memory_files: true,
            ..SandboxPolicy::for_jdk("/scratch", &readable)
        };
        for policy in [plain, other] {
            let mut args = policy.to_args();
            args.extend(["java".into(), "--scratch=x".into()]);
            let (parsed, command) = parse(args).expect("it was printed by us");
            assert_eq!(parsed, policy);
            assert_eq!(command, ("java".into(), vec!["--scratch=x".into()]));
        }
    }

    #[test]
    fn malformed_arguments_are_named() {
        for args in [&["--scratch"][..], &["--memory=x", "--", "java"], &["--what=1", "--", "java"], &["--scratch=/"]] {
            let error = parse(args.iter().map(OsString::from)).expect_err("malformed");
            assert!(matches!(error, SandboxError::Argument(_)), "{args:?}: {error}");
        }
    }
}
