//! How classes of the user are made that a library reflects on.

numbers! {
    /// Classes of the user: their members, annotations and objects.
    Classes {
        /// Fields of one class at most.
        fields: usize = 3;
        /// Methods of one class at most, getters and setters not counted.
        methods: usize = 2;
        /// Levels of annotations inside of annotations, and of user classes as types of fields.
        nesting: u8 = 2;
        /// Levels of values inside of values that fields of an object are filled with.
        filled_levels: u8 = 2;
        /// How often the fields have methods that get and set them.
        bean: f64 = 0.4;
        /// How often the getter of a collection gives a new one instead of null.
        giving_getter: f64 = 0.6;
        /// How often a field has an initial value.
        initialised: f64 = 0.3;
        /// How often a field is static.
        static_field: f64 = 0.01;
        /// How often a field is of another class of the user.
        field_of_user_class: f64 = 0.2;
        /// How often a field is of a type with type arguments drawn anew.
        generic_field: f64 = 0.1;
        /// How often a method takes any number of arguments.
        varargs: f64 = 0.15;
        /// How often what a method takes is of a type that the crash speaks of.
        spoken_of: f64 = 0.3;
        /// Annotations at one place: none, one, two.
        annotations: [u32; 3] = [2, 7, 1];
        /// Settings of an annotation that are made on average, however many it has.
        settings: f64 = 1.5;
        /// Classes that an annotation chooses from.
        classes_for_annotation: usize = 20;
        /// Text of a setting: a name, a short option, a long option, any string.
        setting: [u32; 4] = [2, 1, 1, 2];
        /// Strings drawn to find an identifier.
        draws_of_identifier: usize = 4;
        /// How often an identifier that was drawn is taken.
        drawn_identifier: f64 = 0.7;
        /// How often a field of a new object that refers to something is set.
        filled: f64 = 0.25;
        /// How often a field that may hold the object itself does.
        itself: f64 = 0.5;
        /// How often one of the fields of a class is of that class, or a list of it.
        linked: f64 = 0.12;
        /// How often it is of the class and no list.
        linked_directly: f64 = 0.7;
        /// How often a change of a class that has type parameters is one of these.
        change_generic: f64 = 0.6;
        /// How often a change of one that has none gives it some, where somebody looks.
        become_generic: f64 = 0.1;
        /// How often a type with arguments becomes one that is like it.
        near_type: f64 = 0.6;
        /// A new field, one field less, other annotations of a field, another type of a field, a new method, something else.
        change: [u32; 6] = [3, 2, 2, 3, 1, 1];
    }
}

numbers! {
    /// Types with type arguments and classes with type parameters, where somebody takes types apart.
    Generics {
        /// Levels of type arguments inside of type arguments.
        levels: u8 = 2;
        /// Draws before something plain is taken.
        tries: usize = 6;
        /// Draws of what a token is for.
        tries_of_token: usize = 8;
        /// A type: of one argument, of two, an array, a plain one.
        signature: [u32; 4] = [6, 6, 2, 6];
        /// An argument: `? extends`, `? super`, exactly.
        argument: [u32; 3] = [1, 1, 18];
        /// A plain type: a class of the user, one near the crash, a common one.
        plain: [u32; 3] = [2, 2, 6];
        /// A changed type: held by a list, by a map, one of its own arguments, another one.
        change: [u32; 4] = [2, 3, 1, 2];
        /// What a class is below: another generic one of the user, `Comparable`, one of the JDK, nothing.
        above: [u32; 4] = [3, 1, 1, 5];
        /// A change of a generic class: its signature, the type of a field, a new field.
        change_class: [u32; 3] = [2, 3, 1];
        /// How often the type of a field becomes one that is like it.
        near_field: f64 = 0.6;
        /// How often a type is read from a class of the JDK.
        of_the_jdk: f64 = 0.1;
        /// A type as an object: a variable, its bound, an interface, the superclass, the type of a field, one with arguments.
        reflected: [u32; 6] = [4, 1, 1, 1, 3, 2];
        /// Arguments of a class of the user: any, `? extends`, a list, another class of the user, a common type.
        applied: [u32; 5] = [1, 1, 1, 2, 3];
        /// How often a class with a type parameter has two.
        second_parameter: f64 = 0.25;
        /// Bounds: comparable to supertypes, comparable, the class itself, the first parameter or a list of it, a list, a number, none.
        bound: [u32; 7] = [2, 2, 2, 1, 1, 1, 3];
        /// Arguments of what a class is below: a parameter, a list of one, a common type, the class itself.
        argument_above: [u32; 4] = [2, 1, 1, 2];
        /// A type inside of the class: a parameter, a list, a map, the class itself, the class with other arguments, an array, another.
        scoped: [u32; 7] = [4, 4, 2, 2, 5, 1, 2];
        /// An argument inside of the class: `? extends`, `? super`, any, exactly.
        scoped_argument: [u32; 4] = [2, 1, 1, 8];
    }
}
