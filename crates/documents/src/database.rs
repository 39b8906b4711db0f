//! How is a database of the program addressed? By a URL that one of its JDBC drivers knows: the drivers' own constants tell how
//! such a URL begins, and embedded databases agree on a few ways to say "in memory".

/// What comes after `jdbc:name:` for a database that is in no file.
const IN_MEMORY: [&str; 5] = ["mem:", "mem:test", "memory:test;create=true", ":memory:", ""];

/// The URLs to try for drivers whose code has these constants, the likeliest first.
pub fn urls<'a>(constants: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut prefixes: Vec<String> = Vec::new();
    for prefix in constants.filter_map(prefix) {
        if !prefixes.contains(&prefix) {
            prefixes.push(prefix);
        }
    }
    let urls = IN_MEMORY.iter().flat_map(|rest| prefixes.iter().map(move |prefix| format!("{prefix}{rest}")));
    urls.collect()
}

/// `jdbc:name:`, if the constant begins like that.
fn prefix(constant: &str) -> Option<String> {
    let name = constant.strip_prefix("jdbc:")?.split(':').next().filter(|name| !name.is_empty())?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    // `jdbc:default:connection` is by convention the connection that a stored procedure runs in.
    (is_name && name != "default").then(|| format!("jdbc:{name}:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_drivers_tell_how_urls_begin() {
        let found = urls(["jdbc:h2:", "jdbc:h2:mem", "x", "jdbc:default:connection", "jdbc::"].into_iter());
        assert_eq!(
            found,
            ["jdbc:h2:mem:", "jdbc:h2:mem:test", "jdbc:h2:memory:test;create=true", "jdbc:h2::memory:", "jdbc:h2:"]
        );
        assert!(urls(std::iter::empty()).is_empty());
    }
}
