//! How literals, texts and documents are drawn and changed.

numbers! {
    /// Literals: fresh ones, and neighbours of given ones.
    Literals {
        /// How often a string is a document, where only a whole one will do.
        rich: f64 = 0.9;
        /// How often a string is made of the words of the code that gets it, where these are known.
        worded: f64 = 0.25;
        /// Words of such a string beside the first, at most.
        further_words: usize = 4;
        /// A document, a constant, a changed constant, single characters: where nothing says that a document is wanted.
        string: [u32; 4] = [2, 6, 1, 1];
        /// The same where the place speaks of a kind of document.
        string_on_topic: [u32; 4] = [4, 4, 1, 1];
        /// How often such a document is changed.
        changed_document: f64 = 0.25;
        /// Characters of a string of single characters, at most.
        characters: usize = 6;
        /// A constant, its neighbour, a small number, any number.
        int: [u32; 4] = [7, 1, 1, 1];
        /// The least of small numbers.
        small_from: i64 = -16;
        /// The greatest.
        small_to: i64 = 64;
        /// A constant, a whole constant, a number of any magnitude, any bits.
        float: [u32; 4] = [6, 2, 1, 1];
        /// A constant, a boundary character, a printable one.
        character: [u32; 3] = [6, 2, 2];
        /// How often a literal that is changed is drawn anew.
        fresh: f64 = 0.3;
        /// One more, one less, a little more or less, the negative, twice or half, plus a constant.
        near_int: [u32; 6] = [2, 2, 1, 1, 1, 1];
        /// How far a little is.
        little: i64 = 16;
        /// The next character, the one before, the other case.
        near_character: [u32; 3] = [1, 1, 1];
        /// One more, one less, the negative, some multiple, rounded, plus a constant.
        near_float: [u32; 6] = [1, 1, 1, 1, 1, 1];
        /// A short string: by characters, as a document.
        short_string: [u32; 2] = [2, 2];
        /// How long a string is at most to be changed by characters.
        short: usize = 12;
        /// A character removed, replaced, moved to its neighbour, inserted.
        units: [u32; 4] = [1, 1, 1, 1];
    }
}

numbers! {
    /// Texts, files and the environment.
    Texts {
        /// How often a string is a word of what the test has said before.
        known: f64 = 0.12;
        /// How often where the test has several objects of the program, which may have to agree.
        known_of_several: f64 = 0.3;
        /// Objects of the program from which on they are several.
        several: usize = 2;
        /// How often a text or number is the one that the test has given under a like name, where there is one.
        same_key: f64 = 0.45;
        /// How often a text is a word of the log that looks like a key, where the test has several objects of the program.
        key_of_log: f64 = 0.4;
        /// How much each word weighs that two names have in common.
        like_name: f64 = 4.0;
        /// How often a text inside of an argument is a number or date, where the called method reads texts as such.
        readable: f64 = 0.35;
        /// The same for a text that is an argument itself: much else may be wanted there.
        readable_itself: f64 = 0.1;
        /// How often a text inside of an argument is one that the called method asks its arguments for.
        asked_for: f64 = 0.35;
        /// How often a value looks as the code expects that takes it apart, where that is known.
        shaped: f64 = 0.75;
        /// The same for a text that is an argument itself and has no parts.
        shaped_word: f64 = 0.3;
        /// How often a list has as many parts as a number of the message says, where it states one.
        parts_stated: f64 = 0.3;
        /// How often a key of a map is left out that the code can do without.
        optional_left_out: f64 = 0.3;
        /// How often a value of a map that may hold anything is of another type than it is cast to.
        other_type: f64 = 0.3;
        /// How much seldomer an object is used again in which keys are looked up.
        reuse_with_keys: f64 = 0.15;
        /// Texts drawn near the crash to find one that looks like a sample.
        draws_alike: usize = 8;
        /// How often not all keys are there that are certainly looked up.
        fewer_known_keys: f64 = 0.15;
        /// How often a string for a path is that of a file that exists.
        path_of_file: f64 = 0.15;
        /// How often content that is changed is drawn anew.
        fresh_content: f64 = 0.1;
        /// How often content is a binary file.
        binary: f64 = 0.15;
        /// How often the text of a file is any document and not one of the kind that its name says.
        any_kind: f64 = 0.3;
        /// How often a text is nested deeply, where a stack is to overflow.
        nested: f64 = 0.4;
        /// A system property that the code reads, the time zone, the locale.
        environment: [u32; 3] = [2, 1, 1];
        /// A property: cleared, empty, a constant, any string.
        property: [u32; 4] = [1, 1, 1, 1];
        /// How often a text beside a class, or in a test that declares one, is about its members.
        about_members: f64 = 0.4;
        /// How often one beside an object of the program is.
        about_members_of_objects: f64 = 0.15;
        /// How often a text about members of a declared class is more than a name.
        document_of_members: f64 = 0.6;
        /// Members in such a document beside the first, at most.
        further_members: usize = 2;
        /// Its forms: object, list of objects, lines, properties, table, options, markup, placeholder, path.
        forms_of_members: [u32; 9] = [4, 1, 1, 1, 1, 1, 1, 1, 3];
    }
}

numbers! {
    /// Which documents are drawn.
    Documents {
        /// How often a document is one that the message quotes or the log shows, where there is one.
        quoted: f64 = 0.4;
        /// How often the kind is one that the place speaks of, where it speaks of any.
        on_topic: f64 = 0.6;
        /// How often a document is derived from a grammar and no sample.
        derived: f64 = 0.25;
        /// How often where names of the trace speak of something in the notation.
        derived_with_bias: f64 = 0.5;
        /// How often where the document has to have much in it.
        derived_rich: f64 = 0.8;
        /// Rules that a document is derived by: half of them have the least, a quarter twice as many, and so on.
        least_rules: usize = 12;
        /// How many times that is doubled at most.
        doubled: usize = 4;
        /// How many times more where it has to have much in it.
        richer: usize = 2;
        /// The least for a part of a document.
        least_rules_of_phrase: usize = 4;
        /// How much likelier an alternative is for each word that it has in common with the trace.
        spoken_of: f64 = 6.0;
        /// How often a name or literal is one of the message.
        stated: f64 = 0.25;
        /// How often a literal is a name of the message in quotes, where it also states literals.
        stated_name_as_text: f64 = 0.3;
        /// How often a document with markup gets an element that names what the crash is about, where there is one.
        grafted: f64 = 0.4;
        /// Words that are put into a document that is changed.
        words: usize = 4;
        /// How often a binary file is cut short.
        cut_binary: f64 = 0.2;
    }
}

numbers! {
    /// How documents are changed.
    Edits {
        /// Changes of one text beside the first, at most.
        further: usize = 3;
        /// Kinds of change tried until one fits the text.
        tries: usize = 8;
        /// Delete, double, swap, replace a part; put a phrase; insert, empty, nest, repeat a part; cut; unbalance; delete, double a
        /// token; insert, replace a word; replace a number; other case; other space; insert, delete, replace a character; rescale.
        kinds: [u32; 22] = [2, 1, 1, 2, 3, 1, 1, 1, 1, 1, 1, 2, 1, 2, 3, 2, 1, 1, 2, 1, 1, 1];
        /// How often what is put behind an item or a line is one of its own.
        separated: f64 = 0.8;
        /// How often a borrowed part is of any sort, where there are some of the same sort as the place.
        any_sort: f64 = 0.3;
        /// A phrase: between two tokens, for a part, for a value.
        phrase: [u32; 3] = [1, 1, 2];
        /// How often the beginning is kept of a text that is cut.
        keep_beginning: f64 = 0.8;
        /// How often another word is one that the reader knows, and not one of the text itself.
        known_word: f64 = 0.7;
        /// How often a step of a path is repeated, where there are brackets to nest in as well.
        deepen_path: f64 = 0.2;
        /// Half as many turns, twice as many, one less, one more.
        turns: [u32; 4] = [1, 1, 1, 1];
        /// Changes of bytes beside the first, at most.
        further_bytes: usize = 3;
        /// Set to a boundary value, flip a bit, cut, remove, double, insert.
        bytes: [u32; 6] = [1, 1, 1, 1, 1, 1];
        /// Bytes that are doubled, one less than this at most.
        doubled_bytes: usize = 16;
    }
}

numbers! {
    /// What is prepared for statements that a database executes.
    Databases {
        /// How often the tables that a statement names are created first.
        prepared: f64 = 0.6;
        /// How often a URL is one that a driver of the program may know.
        known_url: f64 = 0.9;
        /// Tables that are created for one statement.
        tables: usize = 4;
        /// Longer texts are not looked into.
        longest: u64 = 10_000;
        /// Types of columns: whole numbers, texts, long numbers, times.
        types: [u32; 4] = [3, 1, 1, 1];
        /// How often a column has a constraint.
        constrained: f64 = 0.4;
        /// Constraints: primary key, not null, unique.
        constraints: [u32; 3] = [3, 1, 1];
    }
}
