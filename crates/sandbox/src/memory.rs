//! How much memory a VM is given, and what its options say about that.

/// Bytes of heap of a confirming JVM and of the compiler, unless the user says otherwise: a sixteenth of the machine, as several run
/// side by side, and no more than a gigabyte. A JVM that is not told takes a quarter of the machine.
pub fn usual_heap() -> u64 {
    (machine_memory().unwrap_or(MOST_HEAP) / 16).clamp(LEAST_HEAP, MOST_HEAP)
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

#[cfg(test)]
mod tests {
    use super::*;

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
