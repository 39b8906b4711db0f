//! How the guided genetic algorithm makes, changes and keeps candidates.

numbers! {
    /// What is taken from the message of a crash.
    Message {
        /// Words that look like values, at most.
        words: usize = 12;
        /// Numbers, at most.
        numbers: usize = 12;
        /// Longer words are no values.
        longest_word: usize = 80;
        /// Longer parts are not taken for input.
        longest: usize = 2000;
        /// The shortest part in brackets that is.
        shortest_in_brackets: usize = 3;
        /// How many times as often as other parts a line of its own, or what is in quotes and has quotes, is a whole input.
        whole: usize = 6;
    }
}

numbers! {
    /// How new candidates begin.
    Start {
        /// How often the object that a new candidate enters is made together with all that share parts with it.
        composed: f64 = 0.4;
        /// The same where the log tells of calls before the crash.
        composed_with_log: f64 = 0.75;
        /// How often its objects are then told again what the log says that the program was told.
        told: f64 = 0.6;
        /// All lines of the log, those with a key that the crash is about, or most.
        lines: [u32; 3] = [1, 1, 1];
        /// How often each line counts where most do.
        told_line: f64 = 0.85;
        /// How often a candidate of the outermost frame goes on with calls of the log that worked before.
        rehearsed: f64 = 0.65;
        /// The same where no log tells of calls, but the program is put together of many parts.
        rehearsed_without_log: f64 = 0.2;
        /// Calls by which a program is put together from which on it has many.
        layers: usize = 6;
        /// How often a call is made beside those of the log.
        acts: f64 = 0.3;
        /// The same for each of several calls, where no log tells of any.
        acts_without_log: f64 = 0.75;
        /// How many these are at most.
        most_acts: usize = 3;
        /// Parts of a program that a container puts together from which on it has many.
        parts: usize = 3;
        /// How often it goes on behind those that got furthest.
        furthest: f64 = 0.5;
        /// How often it begins anew.
        begun_anew: f64 = 0.12;
        /// Failures of one call after which it is left out half of the time.
        tries_of_line: u32 = 12;
        /// Beginnings that are kept which got equally far.
        beginnings: usize = 6;
        /// How often a new candidate calls its core as some call site in the jars does.
        like_others: f64 = 0.25, measured "docs/search.md, ablation of mined-usages";
        /// How often a fitting variable is used again by what grows out of an inner frame.
        reuse_of_grown: f64 = 0.85;
        /// How often a value that an inner frame was given takes the place of a new one of its type.
        handed_on: f64 = 0.6;
        /// How often an object that an inner frame worked with is given to one of the outer frame's.
        given: f64 = 0.5;
        /// Pairs of objects tried for that.
        pairs: usize = 8;
        /// Calls added to what has grown, at most.
        calls: usize = 3;
    }
}

numbers! {
    /// How candidates are changed.
    Mutation {
        /// Changes of one candidate beside the first, at most.
        further: usize = 3;
        /// Share of changes of a value.
        value: f64 = 12.0;
        /// Share of another value for an argument.
        argument: f64 = 8.0;
        /// Share of one more call.
        insert: f64 = 8.0;
        /// Share of one statement less.
        delete: f64 = 4.0;
        /// Share of another way to the value of a statement.
        statement: f64 = 2.0;
        /// What that share has more where the mutations beyond the paper are off.
        statement_alone: f64 = 6.0;
        /// Share of the same call a few times more.
        repeat: f64 = 3.0;
        /// Share of a call at another place.
        move_call: f64 = 1.0;
        /// Share of another environment.
        environment: f64 = 1.0;
        /// Share of a field set by force.
        field: f64 = 1.0;
        /// Share of putting in what the branch compares with that the parent could not pass; all others together have 40.
        comparand: f64 = 10.0, measured "docs/search.md, ablation of comparands";
        /// Share of relating what the core is about to something else, where objects are made of others.
        relate: f64 = 2.0;
        /// How often the core is then called for the other one.
        core_of_other: f64 = 0.7;
        /// Share of chains, where a stack is to overflow.
        chain: f64 = 5.0;
        /// Share of changes of the user's classes: what a library reads of a class is all in its declaration.
        user_class: f64 = 20.0;
        /// How many values a document counts for.
        values_of_document: usize = 3;
        /// How often a text becomes one that is all about the members of the test's own classes.
        of_members: f64 = 0.3;
        /// How often a text becomes one that the candidate has elsewhere.
        shared: f64 = 0.3;
        /// How much more often arguments of the core and of what makes its receiver are changed.
        argument_of_core: f64 = 3.0;
        /// The same for what objects are put together of, where the log tells what they were used for.
        argument_of_wiring: f64 = 0.3;
        /// How often another argument is null.
        null_argument: f64 = 0.12;
        /// How often a call is one on an object that is there already.
        call_on_known: f64 = 0.85;
        /// How often its arguments are variables that are there already.
        reuse_in_call: f64 = 0.6;
        /// Weight of objects of the JDK compared with those of the program.
        object_of_jdk: f64 = 0.4;
        /// Factor of objects of classes of the crash.
        object_of_crash: f64 = 2.0;
        /// Factor of objects that the core is given.
        object_of_core: f64 = 3.0;
        /// How often a call is put right before the core.
        before_core: f64 = 0.6;
        /// Copies of one statement that are added at once, at most.
        copies: usize = 12;
        /// How often the field to set is one that the branch looks at.
        faced_field: f64 = 0.7;
        /// How often another way to a value uses a variable that is there already.
        reuse_in_statement: f64 = 0.2;
        /// How often a crossed candidate does, where it lacks one.
        reuse_in_crossing: f64 = 0.9;
        /// Texts longer than this are not shared.
        longest_shared: u64 = 40;
        /// Texts longer than this get no word put in.
        longest_with_word: u64 = 10_000;
        /// A word: inserted, in the place of a character, of a word, at an end, alone.
        word: [u32; 5] = [3, 2, 1, 1, 1];
        /// A shared text: behind a constant, before one, alone, as an option, as a reference.
        joined: [u32; 5] = [1, 1, 2, 1, 1];
        /// References: `${..}`, `#{..}`, `{{..}}`, `%..%`.
        reference: [u32; 4] = [2, 1, 1, 1];
        /// A number of the branch itself, one more, one less.
        faced_number: [u32; 3] = [3, 1, 1];
    }
}

numbers! {
    /// How what kinds of change were worth so far changes their shares.
    Adaptation {
        /// What is left of the experience of a generation in the next one: a hundred of them count.
        fading: f64 = 0.99;
        /// Children by which a kind is known as well as by its share.
        prior: f64 = 100.0;
        /// How much more often than by its share a kind is chosen.
        most: f64 = 3.0;
        /// How much less often.
        least: f64 = 0.5;
    }
}

numbers! {
    /// Candidates that do the same thing many times.
    Loops {
        /// Turns of a chain.
        lengths: [u32; 3] = [1000, 4000, 16_000];
        /// Turns of each of two threads.
        meetings: [u32; 3] = [50, 300, 2000];
        /// A chain: of a statement that is there, of a new one, of numbers.
        chain: [u32; 3] = [1, 1, 1];
    }
}

numbers! {
    /// Changes that make a test that shows the crash more natural.
    Naturalness {
        /// How often a value is looked for among what everybody can make, before what can be made from where the test is.
        public: f64 = 0.7;
        /// How often an argument is null where all others are real: some bugs are about that.
        null: f64 = 0.15;
        /// How often a method is called in the place of setting a field by force.
        call_for_field: f64 = 0.9;
    }
}

numbers! {
    /// All small steps from the values of one promising candidate.
    LocalSearch {
        /// Steps from one candidate at most.
        steps: usize = 80;
        /// Texts longer than this are documents, which are changed otherwise.
        longest_text: usize = 24;
        /// Sizes of the steps of whole numbers, both ways.
        sizes: [i64; 6] = [1, 2, 4, 16, 128, 4096];
        /// Steps of numbers of less than 32 bits.
        steps_of_small: usize = 8;
        /// Sizes of the steps of other numbers, both ways.
        fractions: [f64; 2] = [1.0, 0.1];
    }
}

numbers! {
    /// How often candidates of outer frames grow out of those of inner ones.
    Growth {
        /// Where there are not enough candidates yet.
        often: f64 = 0.35;
        /// Later, while an inner frame shows all of its crash and the outer one does not.
        behind: f64 = 0.12;
        /// Later, where that is not so.
        seldom: f64 = 0.035;
        /// What a thread of the program gets, until that thread crashes.
        handed_over: f64 = 0.75;
    }
}

numbers! {
    /// How islands select and when they give up.
    Islands {
        /// Failures to make a candidate after which an island that never had one is given up.
        failures: u32 = 20;
        /// How many times as many one that had some gets.
        patience: u32 = 100;
        /// Costly candidates after which an island may be dear.
        costly: u32 = 3;
        /// It is if more than one in so many candidates was costly.
        costly_share: u32 = 50;
        /// Generations at the crash line, without the crash, after which something else may have to happen at the same time.
        at_the_line: u32 = 20;
        /// Generations without progress after which parents are also those that went where few others did.
        stuck: u32 = 6;
        /// How often they are.
        novelty: f64 = 0.2, measured "docs/search.md, ablation of rare-branches";
        /// Outcomes of branches of which the rarest is taken.
        novelty_drawn: usize = 4;
        /// Bias of rank selection to the front: the default of EvoSuite.
        bias: f64 = 1.7;
    }
}

numbers! {
    /// When candidates get wider limits of steps and time.
    LimitsTuning {
        /// More than one stopped in so many candidates is no accident.
        share: u64 = 33;
        /// So many stopped ones tell enough if they are most.
        rule: u64 = 6;
        /// Candidates after which the share of those without steps is known well enough.
        enough_for_steps: u64 = 400;
        /// The same for time, which is dearer: a VM each.
        enough_for_time: u64 = 40;
        /// How many times as many steps: what an engine takes to start is some ten times what a candidate may take.
        more_steps: u64 = 25;
        /// The same if nothing starts at all: only time is to decide.
        any_steps: u64 = 1000;
        /// How many times as much time.
        more_time: u32 = 6;
        /// So many stopped candidates tell something.
        few: u64 = 3;
        /// Candidates after which wider limits have shown that they help.
        trial: u64 = 100;
    }
}

numbers! {
    /// How a round is filled.
    Rounds {
        /// Levels of nesting of texts that are to overflow a stack.
        nesting: [u32; 4] = [20, 200, 1000, 5000];
        /// How often two threads are tried where nothing else helps: they cost as much as dozens of other candidates.
        races: f64 = 0.02;
        /// How often a candidate of an island that is filled is made anew.
        fresh: f64 = 0.1;
        /// The same where the log tells of calls before the crash.
        fresh_with_log: f64 = 0.2;
        /// How often an island is chosen whose candidates cost too much, where there are others.
        dear: f64 = 0.05;
        /// How often a test is at another place than the best one.
        elsewhere: f64 = 0.15;
        /// How often what failed to link or to initialise is tried again: something else may have been to blame.
        again: f64 = 0.01;
        /// How many times as much time a candidate has where runs have to be alike.
        patience: u32 = 8;
        /// The round from which on the whole class path is looked at: what is easy was found before.
        wide_from: u32 = 10;
        /// Failures to make a candidate in one round, beside some for each that is wanted.
        tries: u32 = 20;
    }
}
