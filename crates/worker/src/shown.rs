//! Snapshots, ordered outcomes of branches and receivers: what Java's `Trace` and `Snapshots` have written, made into what a plan
//! asks for. Input comes from a worker, which runs foreign code, so nothing is taken on trust.

use program::{ClassName, CodePoint, FieldRef, InstrId, JavaString, Symbol};
use recipe::{BranchOutcome, Receiver, Recipe, ShownContent, ShownObject, ShownValue, Snapshot, VarId, Went};
use splice::readings::{Readings, Value};
use splice::{ProbeKind, ProbeSite};

/// Outcomes by the place of their distance, and snapshots by the number of the place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawShown {
    pub(crate) outcomes: Vec<u32>,
    pub(crate) snapshots: Vec<(Option<usize>, Snapshot)>,
}

impl RawShown {
    /// `None` for anything else than what workers write.
    pub(crate) fn decode(bytes: &[u8]) -> Option<RawShown> {
        let mut input = Input(bytes);
        let count = input.u32()? as usize;
        let outcomes = input.take(count.checked_mul(4)?)?;
        let (words, _) = outcomes.as_chunks::<4>();
        let outcomes = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mut snapshots = Vec::new();
        for _ in 0..input.u32()? {
            let number = usize::try_from(input.u32()?.cast_signed()).ok();
            let len = input.u32()? as usize;
            snapshots.push((number, snapshot(&mut Input(input.take(len)?))?));
        }
        Some(RawShown { outcomes, snapshots })
    }
}

/// What is left to read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u16(&mut self) -> Option<usize> {
        Some(u16::from_le_bytes(self.array()?).into())
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = self.u16()?;
        std::str::from_utf8(self.take(len)?).ok()
    }

    fn value(&mut self) -> Option<ShownValue> {
        let [kind] = self.array()?;
        let bits = i64::from_le_bytes(self.array()?);
        Some(match kind {
            0 => ShownValue::Int(bits as i32),
            1 => ShownValue::Long(bits),
            2 => ShownValue::Float(f32::from_bits(bits as u32)),
            3 => ShownValue::Double(f64::from_bits(bits.cast_unsigned())),
            4 => ShownValue::Null,
            5 => ShownValue::Object(u32::try_from(bits).ok()?),
            8 | 9 => ShownValue::Cut,
            _ => return None,
        })
    }

    fn values(&mut self) -> Option<Vec<ShownValue>> {
        (0..self.u16()?).map(|_| self.value()).collect()
    }

    fn object(&mut self) -> Option<ShownObject> {
        let class = self.text()?.to_owned();
        let [form] = self.array()?;
        let all = self.u32()?;
        let (content, shown) = match form {
            0 => {
                let fields: Option<Vec<_>> = (0..self.u16()?).map(|_| self.field()).collect();
                let fields = fields?;
                let count = fields.len();
                (ShownContent::Fields(fields), count)
            }
            1 => {
                let elements = self.values()?;
                let count = elements.len();
                (ShownContent::Array { length: all, elements }, count)
            }
            2 => {
                let count = self.u16()?;
                let (units, _) = self.take(2 * count)?.as_chunks::<2>();
                let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
                (ShownContent::Text(JavaString::from_utf16(&units)), count)
            }
            _ => return None,
        };
        Some(ShownObject { class, content, is_cut: shown < all as usize })
    }

    fn field(&mut self) -> Option<(FieldRef, ShownValue)> {
        let class = ClassName::from_dotted(self.text()?);
        let (name, descriptor) = (Symbol::new(self.text()?), Symbol::new(self.text()?));
        Some((FieldRef { class, name, descriptor }, self.value()?))
    }
}

fn snapshot(input: &mut Input<'_>) -> Option<Snapshot> {
    let roots = input.values()?;
    let count = input.u32()?;
    let objects = (0..count).map(|_| input.object()).collect::<Option<Vec<_>>>()?;
    Some(Snapshot { roots, objects })
}

/// Which way the branches went, in order.
pub(crate) fn outcomes(shown: &RawShown, sites: &[ProbeSite]) -> Vec<BranchOutcome> {
    let outcome = |place: &u32| {
        let site = sites.get((place >> 1) as usize)?;
        let went = match &site.kind {
            ProbeKind::Branch if place & 1 == 0 => Went::Taken,
            ProbeKind::Branch => Went::NotTaken,
            ProbeKind::Outcome(outcome) => match outcome.keys.first() {
                Some(key) if !outcome.is_default => Went::Case(*key),
                _ => Went::Default,
            },
            _ => return None,
        };
        Some(BranchOutcome { at: CodePoint { method: site.method, at: InstrId::at(site.bci) }, went })
    };
    shown.outcomes.iter().filter_map(outcome).collect()
}

/// The classes of receivers, each once for each place.
pub(crate) fn receivers(readings: &Readings, sites: &[ProbeSite]) -> Vec<Receiver> {
    let mut found = Vec::new();
    for reading in &readings.values {
        let Some(site) = sites.get(reading.id.0 as usize).filter(|site| site.kind == ProbeKind::Receiver) else {
            continue;
        };
        let at = CodePoint { method: site.method, at: InstrId::at(site.bci) };
        let class = |value: &Value| match value {
            Value::Object { class, .. } => Some(Receiver { at, class: ClassName::from_dotted(class) }),
            _ => None,
        };
        found.extend(reading.kept.iter().flatten().filter_map(class));
    }
    found.sort();
    found.dedup();
    found
}

/// The variables of the recipe's own statements with what they hold. Java knows them by their slots.
pub(crate) fn variables(recipe: &Recipe, all: &Snapshot) -> (Vec<VarId>, Snapshot) {
    let slots = crate::wire::slots(recipe);
    let roots = with_roots(all, slots.iter().map(|(_, slot)| Some(*slot as usize)));
    (slots.into_iter().map(|(variable, _)| variable).collect(), roots)
}

/// The same graph, seen from some of its roots.
pub(crate) fn with_roots(all: &Snapshot, roots: impl Iterator<Item = Option<usize>>) -> Snapshot {
    let root = |index: Option<usize>| index.and_then(|index| all.roots.get(index).copied()).unwrap_or(ShownValue::Cut);
    Snapshot { roots: roots.map(root).collect(), objects: all.objects.clone() }
}
