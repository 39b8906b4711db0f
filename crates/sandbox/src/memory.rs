//! How much memory a VM is given, and what its options say about that.

use std::path::Path;

/// Bytes of heap of a confirming JVM and of the compiler, unless the user says otherwise: a sixteenth of what the machine, or the
/// container, has, as several run side by side, and no more than a gigabyte. A JVM that is not told takes a quarter.
pub fn usual_heap() -> u64 {
    let memory = machine_memory().into_iter().chain(group_memory(Path::new("/"))).min();
    (memory.unwrap_or(16 * MOST_HEAP) / 16).clamp(LEAST_HEAP, MOST_HEAP)
}

const LEAST_HEAP: u64 = 256 << 20;
const MOST_HEAP: u64 = 1 << 30;

/// What a VM needs beside its heap, and beside buffers as large as that: classes, code, stacks, the compiler's own.
const BESIDE: u64 = 1 << 30;

pub(super) struct Needs {
    /// Bytes of private memory, if the options say how large the heap may get.
    pub(super) limit: Option<u64>,
    /// The heap is kept in a file in memory.
    pub(super) memory_files: bool,
}

pub(super) fn needs<'a>(options: impl IntoIterator<Item = &'a str>) -> Needs {
    let mut needs = Needs { limit: None, memory_files: false };
    for option in options {
        let heap = option.strip_prefix("-Xmx").or_else(|| option.strip_prefix("-XX:MaxHeapSize="));
        if let Some(heap) = heap.and_then(bytes) {
            // The last one counts.
            needs.limit = Some(heap.saturating_mul(2).saturating_add(BESIDE));
        }
        needs.memory_files |= option == "-XX:+UseZGC";
    }
    needs
}

/// Bytes of stack of a thread in a VM with such options, the first one included.
pub fn thread_stack(options: &[String]) -> usize {
    /// Of HotSpot, on all systems that it runs on.
    const DEFAULT: usize = 1 << 20;
    let given = options.iter().rev().find_map(|option| {
        let kilobytes = || option.strip_prefix("-XX:ThreadStackSize=").map(|number| format!("{number}k"));
        let text = option.strip_prefix("-Xss").map(str::to_owned).or_else(kilobytes)?;
        usize::try_from(bytes(&text)?).ok()
    });
    given.unwrap_or(DEFAULT)
}

/// `512m`, `2G`, `1048576`.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Bytes of memory that the machine has.
fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix("kB")?;
    Some(kilobytes.trim().parse::<u64>().ok()? << 10)
}

/// Bytes of memory that the control groups which this process is in may have, the least of them; `None` without limit. The root of
/// the file system is given.
fn group_memory(root: &Path) -> Option<u64> {
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    groups.lines().filter_map(|line| group_limit(root, line)).min()
}

/// A line has the number of a hierarchy, its controllers, and the path of the group in it. A container sees its own group as the root of
/// the mounted hierarchy, whatever path it reads.
fn group_limit(root: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, group) = (parts.next()?, parts.next()?.trim_start_matches('/'));
    let (mount, file) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|name| name == "memory") => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return None,
    };
    let mount = root.join(mount);
    let own = mount.join(group);
    let around = own.ancestors().take_while(|path| path.starts_with(&mount));
    // "max" is no number: no limit.
    let limit = |path: &Path| std::fs::read_to_string(path.join(file)).ok()?.trim().parse::<u64>().ok();
    around.filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_groups_limit_memory() {
        /// Name and content.
        type File = (&'static str, &'static str);
        let cases: [(&str, &[File], Option<u64>); 6] = [
            (
                "0::/a/b\n",
                &[("sys/fs/cgroup/a/b/memory.max", "max\n"), ("sys/fs/cgroup/a/memory.max", "4096\n")],
                Some(4096),
            ),
            ("0::/../x\n", &[("sys/fs/cgroup/memory.max", "8192\n")], Some(8192)),
            ("0::/\n", &[("sys/fs/cgroup/memory.max", "max\n")], None),
            ("5:cpu,memory:/d\n0::/\n", &[("sys/fs/cgroup/memory/memory.limit_in_bytes", "1024\n")], Some(1024)),
            ("5:cpu:/d\n", &[("sys/fs/cgroup/memory/d/memory.limit_in_bytes", "1024\n")], None),
            ("garbage", &[], None),
        ];
        for (groups, files, expected) in cases {
            let root = tempfile::tempdir().expect("a directory");
            for (name, content) in [("proc/self/cgroup", groups)].iter().chain(files) {
                let path = root.path().join(name);
                std::fs::create_dir_all(path.parent().expect("it has one")).expect("made");
                std::fs::write(path, content).expect("written");
            }
            assert_eq!(group_memory(root.path()), expected, "{groups}");
        }
    }

    #[test]
    fn the_last_option_says_how_large_a_stack_is() {
        let stack = |options: &[&str]| thread_stack(&options.iter().map(ToString::to_string).collect::<Vec<_>>()) >> 10;
        assert_eq!(stack(&[]), 1024);
        assert_eq!(stack(&["-Xss512k", "-ea"]), 512);
        assert_eq!(stack(&["-Xss512k", "-Xss2m"]), 2048);
        assert_eq!(stack(&["-XX:ThreadStackSize=640"]), 640);
        assert_eq!(stack(&["-Xss655360", "-Xssx"]), 640);
    }

    #[test]
    fn the_last_option_says_how_large_the_heap_is() {
        let limit = |options: &[&str]| needs(options.iter().copied()).limit.map(|limit| (limit - BESIDE) >> 21);
        assert_eq!(limit(&["-ea"]), None);
        assert_eq!(limit(&["-Xmx256m", "-Xmx2g"]), Some(2048));
        assert_eq!(limit(&["-Xmx256m", "-XX:MaxHeapSize=536870912"]), Some(512));
        assert_eq!(limit(&["-Xmxlots"]), None);
        assert!(needs(["-Xmx1g", "-XX:+UseZGC"]).memory_files && !needs(["-XX:-UseZGC"]).memory_files);
    }
}
