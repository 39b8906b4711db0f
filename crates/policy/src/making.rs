//! How values are made: constants, arguments, elements, callbacks.

numbers! {
    /// How often constants are drawn, by where they were found, and what the code near the crash tells about types and kinds.
    Constants {
        /// Weight of a value that the message states.
        of_message: u32 = 60;
        /// Weight of a constant in a method of the trace.
        of_trace: u32 = 20;
        /// Weight of a constant in another method of a class of the trace, or in one that a method of the trace calls.
        near: u32 = 4;
        /// Weight of a value that is good for any program.
        general: u32 = 2;
        /// How much classes of the user matter where only other parts of the library look into classes.
        reflection_elsewhere: f64 = 0.3;
        /// How much they matter where the code of the crash does.
        reflection_at_the_crash: f64 = 1.0;
        /// How often a class of the user has type parameters where other parts of the library take types apart.
        generics_elsewhere: f64 = 0.1;
        /// How often where the code of the crash does.
        generics_at_the_crash: f64 = 0.5;
        /// Weight of a kind of document for each word near the crash that speaks for it.
        kind_spoken_for: u32 = 32;
        /// Words that count for one kind.
        most_words_for_kind: u32 = 25;
        /// Weight of a kind that no word speaks for: words may mislead.
        kind: u32 = 8;
        /// Weight of a notation that few programs read: eight of them weigh as much as one other kind.
        rare_kind: u32 = 1;
    }
}

numbers! {
    /// How a value of a type is made.
    Making {
        /// How often a fitting variable is used again.
        reuse: f64 = 0.4;
        /// How often a reference is null.
        null: f64 = 0.03;
        /// Levels of values inside of values that are made by free choice; below, the cheapest way is taken.
        depth: u8 = 4;
        /// The same for an object of which all parts are shared: programs have more layers than values.
        depth_of_parts: u8 = 8;
        /// Statements that one value may add.
        statements: usize = 24;
        /// How many times as many a whole call may add.
        statements_of_call: usize = 2;
        /// How often an object of the program is made the way that others make it, where call sites show one.
        usage: f64 = 0.1, measured "docs/search.md, ablation of mined-usages";
        /// How often an `Object` or a class is one of the user's, where the code near the crash reflects on classes.
        user_class: f64 = 0.3;
        /// How often an argument is of a type that the called method casts to or tests for.
        casts: f64 = 0.3, measured "docs/search.md, ablation of mined-types";
        /// Elements of a collection or array at most.
        elements: usize = 4;
        /// How often a collection that holds objects of the program is filled with some, and not taken from elsewhere.
        collected: f64 = 0.7;
        /// Ways tried by choice before the cheapest is taken.
        tries: usize = 3;
        /// Setters called on one builder at most.
        setters: usize = 4;
        /// Setters of a builder that are also called all together at most.
        all_setters: usize = 8;
        /// How often an object is filled whose class has a constructor without arguments and methods that only set fields.
        filled: f64 = 0.6;
        /// How often each of its fields is then set.
        property: f64 = 0.5;
        /// How often one that the crash looks at is.
        property_of_crash: f64 = 0.85;
        /// How often a part of a value that code takes apart is missing, or a word in the place of a number.
        flawed: f64 = 0.08;
        /// The same in the last one of several lines, rows or elements, where those before it have none.
        flawed_last: f64 = 0.16;
        /// The same in a field that the crash looks at, of an object that is filled.
        flawed_of_crash: f64 = 0.3;
        /// For an `Object`: a string, a number, an object of the test, an object of a type near the crash, any other way.
        object: [u32; 5] = [6, 4, 1, 7, 2];
        /// Types drawn to find one that the test can name.
        draws_of_type: usize = 4;
        /// How much likelier methods are whose names say that they keep what they are given.
        kept: f64 = 5.0;
        /// How often numbers that follow each other are those of a message, where it has as many.
        numbers_of_message: f64 = 0.3;
        /// How often these are the first ones that it states.
        first_numbers: f64 = 0.6;
        /// How often what is looked into was read from a text, where the program can read such things.
        read: f64 = 0.75;
    }
}

numbers! {
    /// How collections and arrays are filled.
    Elements {
        /// How often an array of bytes that is no text is a binary file.
        binary: f64 = 0.5;
        /// Bytes of such a file at most.
        most_bytes: usize = 200;
        /// How often an array has no elements of its own, only a length.
        plain_array: f64 = 0.15;
        /// The lengths of such arrays.
        lengths: [i32; 5] = [0, 1, 2, 16, 100];
        /// How often a collection contains itself, where a stack is to overflow.
        in_itself: f64 = 0.3;
        /// How often something of the program that the test has already is an element, where nothing says what elements are.
        known: f64 = 0.4;
        /// How often such elements are strings: elements of one type are what most code expects.
        strings: f64 = 0.7;
    }
}

numbers! {
    /// How numbers are made to fit what they are parts of.
    Ranges {
        /// How often a pair of numbers behind something with a length is made to fit.
        fitting: f64 = 0.6;
        /// All but the first, a beginning, nothing at the end, all of it.
        parts: [u32; 4] = [1, 1, 1, 5];
    }
}

numbers! {
    /// What the bodies of the test's own objects do.
    Callbacks {
        /// Bodies in one object: an interface like a result set has hundreds of methods.
        bodies: usize = 4;
        /// How often a second method of a concrete class is overridden.
        second: f64 = 0.3;
        /// How often a body acts that has nothing to give.
        acts: f64 = 0.3;
        /// How often one that replaces what worked before.
        replacement_acts: f64 = 0.25;
        /// How often any other.
        giver_acts: f64 = 0.08;
        /// How often a body gives back one of its arguments.
        gives_argument: f64 = 0.35;
        /// How often it gives nothing: zero or null.
        gives_nothing: f64 = 0.2;
        /// How often a body throws where the user's code threw at the crash.
        throws_like_users: f64 = 0.3;
        /// How often elsewhere.
        throws: f64 = 0.015;
    }
}

numbers! {
    /// How much what members did so far counts.
    Statistics {
        /// Successes that are taken for granted, so that one bad argument does not condemn a constructor.
        granted: f64 = 2.0;
        /// The least factor of what always throws.
        least: f64 = 0.05;
        /// Factor of what failed to link or to initialise: hardly ever, but what failed may have been another class.
        dead: f64 = 0.0005;
        /// Candidates that a member must have made costly before it is suspected.
        suspect: u32 = 2;
        /// Draws that may be refused before all factors are asked for.
        refusals: usize = 6;
    }
}
