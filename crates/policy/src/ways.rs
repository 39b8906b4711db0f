//! How likely each way to an object, and each way into a method, is tried before a run has taught better.

numbers! {
    /// What access costs: factors of the weights of everything that is reached that way.
    Access {
        /// Of what everybody can name.
        public: f64 = 1.0;
        /// Of what only the class's package can name.
        package: f64 = 0.5;
        /// Of what only reflection reaches.
        reflective: f64 = 0.03;
    }
}

numbers! {
    /// Weights of the ways to an object of a class, and how many are looked at.
    Ways {
        /// A literal.
        literal: f64 = 10.0;
        /// An array with elements.
        array: f64 = 10.0;
        /// A collection, stream or file that recipes have an action for; the second of several weighs half, the third a third.
        built_in: f64 = 20.0;
        /// A member that the table of JDK ways lists first.
        listed: f64 = 10.0;
        /// By how much the divisor grows for each line of the table further down.
        listed_fading: f64 = 0.3;
        /// The driver manager, for a connection to a database of the program: connections are asked for, not constructed.
        connection: f64 = 60.0;
        /// A subclass that tells a type parameter, where a class asks for it: any other object of it refuses to be made.
        token: f64 = 15.0;
        /// A constructor of the class.
        constructor: f64 = 10.0;
        /// A static method of the class that gives one.
        factory: f64 = 7.0;
        /// A static field of the class that holds one.
        static_field: f64 = 6.0;
        /// A constant of an enum.
        enum_constant: f64 = 10.0;
        /// A member of another class that is declared to give one.
        producer: f64 = 4.0;
        /// Factor of members in other packages: classes of one package are made for each other.
        other_package: f64 = 0.5;
        /// Factor of methods that need what they give: copies, `with..`.
        circular: f64 = 0.3;
        /// Factor of methods that make the object from a text: what people write reaches more states.
        reader: f64 = 3.0;
        /// Factor of fluent builders.
        builder: f64 = 2.0;
        /// Factor of members of classes of the crash: objects of them were there.
        of_the_crash: f64 = 1.5;
        /// Share of a subtype's members against those of the class itself, divided by the root of the number of subtypes.
        subtypes: f64 = 0.8;
        /// What is added to that share, however many there are.
        each_subtype: f64 = 0.1;
        /// A member that certainly gives an object whose constructor only its package sees.
        created_for_others: f64 = 6.0;
        /// A member that certainly gives an object to which no other way is known.
        only_creation: f64 = 8.0;
        /// Any other member that makes one under the name of a supertype.
        creation: f64 = 1.0;
        /// A method that looks for objects of a given class in a document.
        looked_for: f64 = 20.0;
        /// An element of what a method gives: less than what a getter gives, since what is empty ends the test.
        element: f64 = 1.0;
        /// An object of the test that overrides something of a concrete class.
        overriding: f64 = 0.7;
        /// An object of the test where there is no other way.
        only_stub: f64 = 10.0;
        /// An object of the test for an interface of the JDK: what a function does matters less than that there is one.
        jdk_stub: f64 = 6.0;
        /// An object of the test for any other interface or abstract class.
        stub: f64 = 2.0;
        /// Factor for each statement that the way takes at least: each is a further place to fail.
        each_statement: f64 = 0.75;
        /// Statements that count for it.
        statements_counted: u32 = 30;
        /// What all ways over other objects weigh together at most, compared with the direct ones: getters mostly give null.
        over_objects: f64 = 0.5;
        /// Levels of values inside of values that costs are computed for.
        depth: u8 = 5;
        /// Subtypes that are looked at.
        most_subtypes: usize = 60;
        /// Subtypes that are enough without those of archives far from the crash.
        enough_subtypes: usize = 10;
        /// Ways to one class.
        most: usize = 100;
        /// Ways after which no further members of other classes are added for the class itself.
        most_given: usize = 50;
        /// Methods that have an object of the class in what they give.
        most_found: usize = 8;
        /// Subtypes whose readers of texts are looked at.
        subtypes_of_readers: usize = 300;
        /// Call sites of one method that are looked at.
        callers: usize = 1000;
        /// Constructors and factories of one class whose call sites are looked at.
        makers: usize = 4;
        /// Constructors by which an object of the test extends a class.
        stub_constructors: usize = 3;
        /// Classes on whose objects a call runs one body.
        owners: usize = 24;
        /// Drivers of databases that are asked for their URLs.
        drivers: usize = 4;
    }
}

numbers! {
    /// Weights of the ways into a method, and how many are looked at.
    Entries {
        /// Factor of what only the package can name.
        package: f64 = 0.6;
        /// Factor of what only reflection reaches.
        reflective: f64 = 0.05;
        /// Factor for each call on the way to the method, its own included.
        each_call: f64 = 0.6;
        /// Factor for each statement that the arguments take at least.
        each_argument: f64 = 0.9;
        /// Statements that count for it.
        arguments_counted: u32 = 20;
        /// Statements that an argument counts for to which no way is known.
        unknown_argument: u32 = 4;
        /// Factor of a call on what the first call gives, for bodies of lambdas.
        on_result: f64 = 2.0;
        /// Reading a static field, which initialises the class.
        static_field: f64 = 0.5;
        /// Calls on the way at most.
        depth: usize = 5;
        /// Ways into one method.
        most: usize = 24;
        /// Methods looked at: a helper that everybody calls would drag in the whole program.
        visited: usize = 120;
    }
}
