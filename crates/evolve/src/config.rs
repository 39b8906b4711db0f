//! The knobs of the search. The paper's settings are one named configuration, so that everything beyond them can be
//! measured against it; each addition can also be switched off alone.

use std::str::FromStr;

#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Individuals of one island.
    pub population: usize,
    /// Statements of a random test at most, objects for arguments not counted.
    pub max_size: usize,
    pub crossover_probability: f64,
    /// Generations without improvement before an island starts anew.
    pub patience: u32,
    /// Whether candidates that take long are not built upon; then no two runs are alike.
    pub minds_time: bool,
    /// Whether two runs of one seed have to be alike: what depends on the clock or on what the VM has compiled is not built upon.
    pub repeatable: bool,
    pub extras: Extras,
}

/// What the engine does beyond the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extras {
    /// All frames at once, an island for each, instead of the top frame's class only.
    pub all_frames: bool,
    /// How far the throw condition was from true counts once the crash line is reached.
    pub throw_condition: bool,
    /// How far the conditions at frames' entries that other engines derived were from holding counts.
    pub preconditions: bool,
    /// Values that other engines derived, and methods that write the fields of their conditions, are used more often.
    pub derived_values: bool,
    /// In straight-line code, how many lines before the target the execution ended.
    pub block_distance: bool,
    /// The message counts, and its facts are seeds.
    pub message: bool,
    /// Constants of the code near the trace are seeds.
    pub constants: bool,
    /// Numbers and strings of promising candidates are walked towards the next branch.
    pub local_search: bool,
    /// Types from casts, `instanceof` and generic signatures decide what containers hold.
    pub mined_types: bool,
    /// Object building copies what call sites in the jars do.
    pub mined_usages: bool,
    /// Methods that may change what the crash looks at are called more often than others.
    pub relevance: bool,
    /// Of equally near candidates, those that do more in the methods of the trace are kept.
    pub coverage: bool,
    /// Mutations that the paper does not have: repeating and moving calls, texts used twice, environment, fields, user classes.
    pub mutations: bool,
    /// The distance to the root cause of the exception counts before everything else.
    pub root_cause: bool,
    /// What counts as progress is what the last statement does, which calls the frame that the candidate enters at.
    pub last_statement: bool,
    /// Constants of the branch that stopped a candidate are put into its values.
    pub comparands: bool,
    /// Candidates that went where few others did are changed further, however far from the crash they are.
    pub rare_branches: bool,
    /// Where the crash line is executed and nothing throws there, two threads do it at the same time.
    pub races: bool,
    /// Kinds of change that brought candidates nearer are made more often.
    pub adaptive: bool,
    /// A candidate equal to an earlier one is not run again.
    pub skip_duplicates: bool,
}

impl Extras {
    pub const ALL: Extras = Extras {
        all_frames: true,
        throw_condition: true,
        preconditions: true,
        derived_values: true,
        block_distance: true,
        message: true,
        constants: true,
        local_search: true,
        mined_types: true,
        mined_usages: true,
        relevance: true,
        coverage: true,
        mutations: true,
        root_cause: true,
        last_statement: true,
        comparands: true,
        rare_branches: true,
        races: true,
        adaptive: true,
        skip_duplicates: true,
    };

    pub const NONE: Extras = Extras {
        all_frames: false,
        throw_condition: false,
        preconditions: false,
        derived_values: false,
        block_distance: false,
        message: false,
        constants: false,
        local_search: false,
        mined_types: false,
        mined_usages: false,
        relevance: false,
        coverage: false,
        mutations: false,
        root_cause: false,
        last_statement: false,
        comparands: false,
        rare_branches: false,
        races: false,
        adaptive: false,
        skip_duplicates: false,
    };

    /// The switches by name, for the command line and for tables of experiments.
    pub const NAMES: [&'static str; 20] = [
        "all-frames",
        "throw-condition",
        "preconditions",
        "derived-values",
        "block-distance",
        "message",
        "constants",
        "local-search",
        "mined-types",
        "mined-usages",
        "relevance",
        "coverage",
        "mutations",
        "root-cause",
        "last-statement",
        "comparands",
        "rare-branches",
        "races",
        "adaptive",
        "skip-duplicates",
    ];

    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let switch = match name {
            "all-frames" => &mut self.all_frames,
            "throw-condition" => &mut self.throw_condition,
            "preconditions" => &mut self.preconditions,
            "derived-values" => &mut self.derived_values,
            "block-distance" => &mut self.block_distance,
            "message" => &mut self.message,
            "constants" => &mut self.constants,
            "local-search" => &mut self.local_search,
            "mined-types" => &mut self.mined_types,
            "mined-usages" => &mut self.mined_usages,
            "relevance" => &mut self.relevance,
            "coverage" => &mut self.coverage,
            "mutations" => &mut self.mutations,
            "root-cause" => &mut self.root_cause,
            "last-statement" => &mut self.last_statement,
            "comparands" => &mut self.comparands,
            "rare-branches" => &mut self.rare_branches,
            "races" => &mut self.races,
            "adaptive" => &mut self.adaptive,
            "skip-duplicates" => &mut self.skip_duplicates,
            _ => return false,
        };
        *switch = on;
        true
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            population: 60,
            max_size: 8,
            crossover_probability: 0.5,
            patience: 80,
            minds_time: true,
            repeatable: false,
            extras: Extras::ALL,
        }
    }
}

impl Config {
    /// Population 50, crossover 0.75, tests of up to 40 statements: EvoSuite's defaults, which the paper kept.
    pub fn paper() -> Self {
        Config {
            population: 50,
            max_size: 40,
            crossover_probability: 0.75,
            patience: u32::MAX,
            minds_time: false,
            repeatable: false,
            extras: Extras::NONE,
        }
    }
}

/// `ours`, `paper`, or `ours` with switches: `-local-search,-message`, `paper,+throw-condition`.
impl FromStr for Config {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut config = Config::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part {
                "ours" => config = Config::default(),
                "paper" => config = Config::paper(),
                _ => {
                    let on = part.starts_with('+');
                    let name = part.strip_prefix(['+', '-']).unwrap_or("");
                    if !config.extras.set(name, on) {
                        return Err(format!(
                            "`{part}` is neither `ours` nor `paper` nor a switch; switches are +/- {}",
                            Extras::NAMES.join(", ")
                        ));
                    }
                }
            }
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_by_name() {
        assert_eq!("paper".parse(), Ok(Config::paper()));
        assert_eq!("".parse(), Ok(Config::default()));
        let config: Config = "paper,+message".parse().unwrap();
        assert!(config.extras.message && !config.extras.all_frames);
        assert!("warp".parse::<Config>().is_err());
    }

    #[test]
    fn every_switch_has_its_name() {
        let mut extras = Extras::NONE;
        for name in Extras::NAMES {
            assert!(extras.set(name, true), "{name}");
        }
        assert_eq!(extras, Extras::ALL);
    }
}
