//! What did the program do before it crashed, by its log? A line that names a class was written by a method of that class; which
//! one it was, and what it had been given, the constant text between the values tells. A line may also quote a command, whose first
//! word is the name of what carried it out.
//!
//! Nothing of this is certain. It suggests calls, in their order, that a test may make.

use crate::log_lines;
use analysis::{Assignment, Lowered, Methods};
use ir::{Callee, Const, Op, Operand, Parameter, Rvalue, Var};
use program::{ClassName, InstrId, MethodRef};
use rustc_hash::FxHashMap;

/// What a line tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LogCall {
    /// The method that wrote it, and what some of its parameters were.
    pub(crate) written_by: Option<(MethodRef, Vec<(usize, String)>)>,
    /// Texts in it that may be commands: their words.
    pub(crate) phrases: Vec<Vec<String>>,
    /// It has a key that the crash is about: the number of an order, the name of a customer.
    pub(crate) is_related: bool,
}

/// Lines that are looked at, the last ones.
const LINES: usize = 60;
/// Words of a command at most.
const MOST_WORDS: usize = 12;
/// What stands for a value in the text of a logger.
const HOLE: &str = "{}";

/// What the lines tell, in their order; `message` is that of the crash. The last one is about the crash itself.
pub(crate) fn calls(before: &str, message: &str, methods: &Methods) -> Vec<LogCall> {
    if before.trim().is_empty() {
        return Vec::new();
    }
    let mut reader = Reader { methods, loggers: classes_by_name(methods), texts: FxHashMap::default() };
    let lines: Vec<&str> = before.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    let read: Vec<Option<LogCall>> = last.iter().map(|line| reader.line(line)).collect();
    let tells_of_crash = read.last().is_some_and(Option::is_some);
    let mut told = once_each(&read.into_iter().flatten().collect::<Vec<_>>());
    let last: Vec<String> = told.last().iter().flat_map(|call| call.phrases.concat()).collect();
    let keys = last.iter().map(String::as_str).chain(message.split(|c: char| c.is_whitespace() || c == ':'));
    let keys: Vec<&str> = keys.filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect();
    for call in &mut told {
        call.is_related = call.phrases.iter().flatten().any(|word| keys.contains(&word.trim_end_matches(',')));
    }
    // The line of the crash may tell nothing: `request failed`. What comes before it is still to be made again.
    if !told.is_empty() && !tells_of_crash {
        told.push(LogCall::default());
    }
    told
}

/// Words that look like keys: those of what the program's own classes wrote; if there are none, of all lines.
pub(crate) fn keys(told: &[LogCall], before: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in told.iter().flat_map(|call| call.phrases.iter().flatten()) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if log_lines::is_key(word) && found.iter().all(|known| known != word) {
            found.push(word.to_owned());
        }
    }
    if found.is_empty() { log_lines::keys(before).into_iter().map(str::to_owned).collect() } else { found }
}

/// Where a method logs and its caller logs the command as well, which then comes next, the command tells more.
fn once_each(told: &[LogCall]) -> Vec<LogCall> {
    let is_told_again = |call: &LogCall, next: Option<&LogCall>| match (&call.written_by, next) {
        (Some((method, given)), Some(next)) => {
            next.phrases.iter().any(|phrase| is_name_of(phrase, *method) && phrase.len() > given.len() + 1)
        }
        _ => false,
    };
    let kept = (0..told.len()).filter(|at| !is_told_again(&told[*at], told.get(at + 1)));
    kept.map(|at| told[at].clone()).collect()
}

/// Whether the first word names the method.
pub(crate) fn is_name_of(phrase: &[String], method: MethodRef) -> bool {
    phrase.first().is_some_and(|word| method.name.as_str().eq_ignore_ascii_case(word))
}

fn classes_by_name(methods: &Methods) -> FxHashMap<&'static str, Vec<ClassName>> {
    let mut by_name: FxHashMap<&'static str, Vec<ClassName>> = FxHashMap::default();
    for class in methods.program().classes() {
        by_name.entry(class.simple()).or_default().push(class);
    }
    by_name
}

struct Reader<'a> {
    methods: &'a Methods,
    loggers: FxHashMap<&'static str, Vec<ClassName>>,
    texts: FxHashMap<ClassName, Vec<LogText>>,
}

/// A text with holes that a method logs.
#[derive(Clone, Debug)]
struct LogText {
    method: MethodRef,
    pieces: Vec<String>,
    /// The parameter that is the value of each hole.
    holes: Vec<Option<usize>>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Option<LogCall> {
        let mut told = LogCall::default();
        for (start, word) in words(line) {
            let name = word.rsplit('.').next().unwrap_or(word);
            let Some(classes) = self.loggers.get(name).cloned() else { continue };
            let message = line[start + word.len()..].trim_start_matches([' ', '-', ':', '\t', ']', '[']);
            for class in classes {
                self.read(class, message, &mut told);
            }
            if told != LogCall::default() {
                return Some(told);
            }
        }
        None
    }

    fn read(&mut self, class: ClassName, message: &str, told: &mut LogCall) {
        for text in self.texts_of(class) {
            let Some(values) = matched(&text.pieces, message) else { continue };
            told.phrases.extend(values.iter().map(|value| phrase(value)).filter(|phrase| !phrase.is_empty()));
            if told.written_by.is_none() {
                let given =
                    text.holes.iter().zip(&values).filter_map(|(hole, value)| Some(((*hole)?, (*value).to_owned())));
                told.written_by = Some((text.method, given.collect()));
            }
        }
    }

    fn texts_of(&mut self, class: ClassName) -> Vec<LogText> {
        if !self.texts.contains_key(&class) {
            let found = self.methods.program().class(class);
            let methods = found.iter().flat_map(|class| class.methods.iter().map(program::Method::reference));
            let texts = methods.filter_map(|method| self.methods.look_at(method)).flat_map(|unit| texts_in(&unit));
            let texts = texts.collect();
            self.texts.insert(class, texts);
        }
        self.texts[&class].clone()
    }
}

/// The words of a line that may be names of classes, and where they are.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$');
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].find(is_part)?;
        let end = line[start..].find(|c| !is_part(c)).map_or(line.len(), |length| start + length);
        at = end;
        Some((start, line[start..end].trim_end_matches('.')))
    })
}

/// A command and its arguments; of a path, the last name is the command.
fn phrase(value: &str) -> Vec<String> {
    let mut words: Vec<String> = value.split_whitespace().take(MOST_WORDS).map(str::to_owned).collect();
    if let Some(first) = words.first_mut()
        && let Some((_, name)) = first.rsplit_once('/')
    {
        *first = name.to_owned();
    }
    words
}

/// What is in the holes, if the message is an instance of the text.
fn matched<'m>(pieces: &[String], message: &'m str) -> Option<Vec<&'m str>> {
    let (first, rest) = pieces.split_first()?;
    let mut left = message.strip_prefix(first.as_str())?;
    let mut values = Vec::new();
    for (index, piece) in rest.iter().enumerate() {
        let end = match piece.as_str() {
            "" if index + 1 == rest.len() => left.len(),
            "" => return None,
            piece if index + 1 == rest.len() => left.strip_suffix(piece)?.len(),
            piece => left.find(piece)?,
        };
        values.push(&left[..end]);
        left = &left[end + piece.len()..];
    }
    (!values.is_empty() || left.is_empty()).then_some(values)
}

/// The texts that the method passes to interfaces or classes that are not the JDK's, with holes in them.
fn texts_in(unit: &Lowered) -> Vec<LogText> {
    let mut found = Vec::new();
    for (_, instr) in unit.body.instrs() {
        let (Op::Invoke(Callee::Method { .. }, args) | Op::Assign(_, Rvalue::Invoke(Callee::Method { .. }, args))) =
            &instr.op
        else {
            continue;
        };
        let text = args.iter().enumerate().find_map(|(place, arg)| match arg {
            Operand::Const(Const::String(text)) => Some((place, String::from_utf16_lossy(&text.utf16()))),
            _ => None,
        });
        let Some((place, text)) = text.filter(|(_, text)| text.contains(HOLE) && text.len() > HOLE.len()) else {
            continue;
        };
        let pieces: Vec<String> = text.split(HOLE).map(str::to_owned).collect();
        let values = values_of(unit, &args[place + 1..], instr.id, pieces.len() - 1);
        let holes =
            values.iter().map(|value| value.as_ref().and_then(|value| parameter(unit, value, instr.id, 0))).collect();
        found.push(LogText { method: unit.reference(), pieces, holes });
    }
    found
}

/// The values behind the text: arguments, or elements of the array that they were put into.
fn values_of(unit: &Lowered, args: &[Operand], at: InstrId, count: usize) -> Vec<Option<Operand>> {
    if args.len() >= count {
        return args[..count].iter().cloned().map(Some).collect();
    }
    let mut values = vec![None; count];
    let Some(Operand::Var(array)) = args.first() else { return values };
    for (_, instr) in unit.body.instrs().take_while(|(_, instr)| instr.id != at) {
        if let Op::PutElement { array: Operand::Var(other), index: Operand::Const(Const::Int(index)), value, .. } =
            &instr.op
            && other == array
            && let Some(place) = usize::try_from(*index).ok().and_then(|index| values.get_mut(index))
        {
            *place = Some(value.clone());
        }
    }
    values
}

/// Which parameter the value is, boxed or not.
fn parameter(unit: &Lowered, value: &Operand, at: InstrId, depth: u8) -> Option<usize> {
    const DEEPEST: u8 = 6;
    let Operand::Var(var) = value else { return None };
    match unit.only_assignment(*var, at)? {
        _ if depth > DEEPEST => None,
        Assignment::Entry => {
            let Var::Local(slot) = var else { return None };
            let parameters = unit.body.parameters();
            parameters.into_iter().find_map(|(known, parameter)| match parameter {
                Parameter::Declared(index, _) if known == *slot => Some(usize::from(index)),
                _ => None,
            })
        }
        Assignment::At(made, Rvalue::Use(inner) | Rvalue::Cast(inner, _)) => parameter(unit, inner, made, depth + 1),
        Assignment::At(made, Rvalue::Invoke(Callee::Method { method, .. }, args))
            if method.name.as_str() == "valueOf" =>
        {
            parameter(unit, args.first()?, made, depth + 1)
        }
        Assignment::At(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        text.split(HOLE).map(str::to_owned).collect()
    }

    #[test]
    fn values_are_read_out_of_a_line() {
        assert_eq!(matched(&pieces("{} {} -> {}"), "P-77 OUT -> ON_VAN"), Some(vec!["P-77", "OUT", "ON_VAN"]));
        assert_eq!(matched(&pieces("{} failed"), "change 1 301 failed"), Some(vec!["change 1 301"]));
        assert_eq!(matched(&pieces("{} closed"), "P-77 OUT"), None);
        assert_eq!(matched(&pieces("{}{}"), "ab"), None);
    }

    #[test]
    fn a_command_stands_for_what_its_method_logs() {
        let book = MethodRef::new("a/Desk", "book", "()V");
        let logged = LogCall { written_by: Some((book, Vec::new())), phrases: Vec::new(), is_related: false };
        let command = LogCall { written_by: None, phrases: vec![phrase("book berg 102")], is_related: false };
        let other = LogCall { written_by: None, phrases: vec![phrase("leave 1")], is_related: false };
        assert_eq!(once_each(&[logged.clone(), command.clone(), other.clone()]), [command, other.clone()]);
        assert_eq!(once_each(&[logged.clone(), other.clone()]), [logged.clone(), other]);
        let name = LogCall { written_by: None, phrases: vec![phrase("BOOK")], is_related: false };
        assert_eq!(once_each(&[logged.clone(), name.clone()]), [logged, name]);
    }

    #[test]
    fn commands_are_told_with_their_words() {
        assert_eq!(phrase("change 1 301"), ["change", "1", "301"]);
        assert_eq!(phrase("/orders/place"), ["place"]);
        assert_eq!(phrase(""), Vec::<String>::new());
    }

    #[test]
    fn names_are_found_in_a_line() {
        let line = "01:17 [main] INFO  a.b.Tracking.Service: x";
        let found: Vec<&str> = words(line).map(|(_, word)| word).collect();
        assert_eq!(found, ["01", "17", "main", "INFO", "a.b.Tracking.Service", "x"]);
    }
}
