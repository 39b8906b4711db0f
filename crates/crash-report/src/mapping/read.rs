//! Reads `mapping.txt`.
//!
//! ```text
//! org.shop.Orders -> a.b:
//! # {"id":"sourceFile","fileName":"Orders.kt"}
//!     int total -> a
//!     1:3:void place(int):12:14 -> c
//!     4:4:void org.shop.Stock.take():20:20 -> c
//!     4:4:void place(int):13 -> c
//! ```

use serde_json::Value;

use super::{Class, Mapping, MappingProblem, Member, Notes, Rewrite};

impl Mapping {
    /// Reads a mapping file; lines that are not understood are skipped and reported.
    pub fn parse(text: &[u8]) -> (Mapping, Vec<MappingProblem>) {
        let text = String::from_utf8_lossy(text);
        let mut reader = Reader::default();
        let mut problems = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if !reader.line(line.trim_end()) {
                let line_number = u32::try_from(i + 1).unwrap_or(u32::MAX);
                problems.push(MappingProblem { line: line_number, text: line.chars().take(120).collect() });
            }
        }
        reader.close();
        (reader.mapping, problems)
    }
}

#[derive(Default)]
struct Reader {
    mapping: Mapping,
    /// The class whose members are being read, with its obfuscated name.
    class: Option<(String, Class)>,
    /// The obfuscated name of the member read last, which a comment is about.
    member: Option<String>,
}

impl Reader {
    /// False if the line is not understood.
    fn line(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        if text.is_empty() {
            return true;
        }
        if let Some(comment) = text.strip_prefix('#') {
            self.note(comment.trim());
            return true;
        }
        let Some((original, obfuscated)) = text.split_once(" -> ") else { return false };
        if line.len() != text.len() {
            return self.add_member(original, obfuscated);
        }
        let Some(obfuscated) = obfuscated.strip_suffix(':') else { return false };
        self.close();
        let class = Class { original: original.to_owned(), ..Class::default() };
        self.class = Some((obfuscated.to_owned(), class));
        true
    }

    fn close(&mut self) {
        self.member = None;
        if let Some((obfuscated, class)) = self.class.take() {
            self.mapping.classes.insert(obfuscated, class);
        }
    }

    fn add_member(&mut self, original: &str, obfuscated: &str) -> bool {
        let Some((_, class)) = &mut self.class else { return false };
        self.member = None;
        // Fields have no parentheses; no frame is in one.
        if !original.contains('(') {
            return original.contains(' ');
        }
        let Some(member) = member(original) else { return false };
        class.methods.entry(obfuscated.to_owned()).or_default().push(member);
        self.member = Some(obfuscated.to_owned());
        true
    }

    /// Obeys a comment of R8. Comments are free text otherwise, so nothing in them is wrong.
    fn note(&mut self, comment: &str) {
        // Older versions wrote single quotes.
        let parsed = serde_json::from_str(comment).or_else(|_| serde_json::from_str(&comment.replace('\'', "\"")));
        let (Ok(note), Some((_, class))) = (parsed, &mut self.class) else { return };
        let note: Value = note;
        let id = note.get("id").and_then(Value::as_str).unwrap_or("");
        let id = id.strip_prefix("com.android.tools.r8.").unwrap_or(id);
        let notes = self.member.as_ref().and_then(|name| class.methods.get_mut(name)?.last_mut()).map(|m| &mut m.notes);
        match (id, notes) {
            ("sourceFile", _) => {
                if let Some(file) = note.get("fileName").and_then(Value::as_str) {
                    self.mapping.files.insert(class.original.clone(), file.to_owned());
                }
            }
            ("synthesized", None) => class.synthetic = true,
            ("synthesized", Some(notes)) => notes.synthetic = true,
            ("outline", Some(notes)) => notes.outline = true,
            ("outlineCallsite", Some(notes)) => notes.outline_lines = positions(&note),
            ("rewriteFrame", Some(notes)) => add_rewrites(notes, &note),
            _ => {}
        }
    }
}

/// `1:3:void org.shop.Stock.take(int,int):12:14`
fn member(text: &str) -> Option<Member> {
    let (lines, signature) = leading_range(text);
    let open = signature.find('(')?;
    let close = open + signature[open..].find(')')?;
    let name = signature[..open].split_whitespace().nth(1)?;
    let (owner, method) = match name.rsplit_once('.') {
        Some((owner, method)) => (Some(owner.to_owned()), method),
        None => (None, name),
    };
    let mut numbers = signature[close + 1..].split(':').skip(1).map(str::parse::<u32>);
    let original = match (numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(last))) => Some((first, Some(last))),
        (Some(Ok(first)), None) => Some((first, None)),
        (None, _) => None,
        _ => return None,
    };
    (!method.is_empty()).then(|| Member { lines, owner, method: method.to_owned(), original, notes: Notes::default() })
}

fn leading_range(text: &str) -> (Option<(u32, u32)>, &str) {
    let mut parts = text.splitn(3, ':');
    if let (Some(first), Some(last), Some(rest)) = (parts.next(), parts.next(), parts.next())
        && let (Ok(first), Ok(last)) = (first.parse(), last.parse())
    {
        return (Some((first, last)), rest);
    }
    (None, text)
}

fn positions(note: &Value) -> Vec<(u32, u32)> {
    let number = |v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok());
    let positions = note.get("positions").and_then(Value::as_object);
    let mut positions: Vec<(u32, u32)> =
        positions.into_iter().flatten().filter_map(|(from, to)| Some((from.parse().ok()?, number(to)?))).collect();
    positions.sort_unstable();
    positions
}

/// `"conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]`
fn add_rewrites(notes: &mut Notes, note: &Value) {
    let texts = |key: &str| -> Vec<&str> {
        note.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let remove = texts("actions")
        .into_iter()
        .find_map(|action| action.strip_prefix("removeInnerFrames(")?.strip_suffix(')')?.parse().ok());
    let conditions = texts("conditions");
    // All conditions must hold; of the only kind there is, more than one cannot.
    if let (Some(remove), [condition]) = (remove, &conditions[..])
        && let Some(class) = condition.strip_prefix("throws(L").and_then(|c| c.strip_suffix(";)"))
    {
        notes.rewrites.push(Rewrite { exception: class.replace('/', "."), remove });
    }
}
