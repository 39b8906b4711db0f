//! The numbers of the wire format. `Wire.java` holds the same table; a test compares the two.

macro_rules! numbers {
    ($($name:ident = $value:literal),* $(,)?) => {
        $(pub(super) const $name: u8 = $value;)*

        /// All numbers by name.
        #[cfg(test)]
        const ALL: &[(&str, u8)] = &[$((stringify!($name), $value)),*];
    };
}

numbers! {
    FORMAT = 1,

    DEFINE_STRING = 1,
    DEFINE_TYPE = 2,
    DEFINE_EMITTED_TYPE = 3,
    DEFINE_METHOD = 4,
    DEFINE_FIELD = 5,
    DEFINE_TEXT = 6,
    FORGET_TEXTS = 7,

    MEMBER_STATIC = 0,
    MEMBER_INSTANCE = 1,
    MEMBER_CONSTRUCTOR = 2,

    INVOKER_NONE = 0,
    INVOKER_APART = 1,
    INVOKER_BESIDE = 2,
    INVOKER_SURE = 4,

    OP_VALUE = 1,
    OP_INVOKE = 2,
    OP_GET_FIELD = 3,
    OP_PUT_FIELD = 4,
    OP_NEW_ARRAY = 5,
    OP_ARRAY_OF = 6,
    OP_PUT_ELEMENT = 7,
    OP_GET_ELEMENT = 8,
    OP_COLLECTION = 9,
    OP_CAST = 10,
    OP_CALLBACK = 11,
    OP_TRY = 12,
    OP_THREAD = 13,
    OP_TEMP_FILE = 14,
    OP_TEMP_DIR = 15,
    OP_STREAM = 16,
    OP_SET_PROPERTY = 17,
    OP_SET_LOCALE = 18,
    OP_SET_TIME_ZONE = 19,
    OP_REFUSE = 20,
    OP_REPEAT = 21,
    OP_TOGETHER = 22,
    OP_THROW = 23,
    OP_CAPTURE = 24,
    OP_KEEP = 25,
    OP_LINK = 26,
    OP_CHANGE_FILE = 27,

    ARG_NULL = 0,
    ARG_FALSE = 1,
    ARG_TRUE = 2,
    ARG_BYTE = 3,
    ARG_CHAR = 4,
    ARG_SHORT = 5,
    ARG_INT = 6,
    ARG_LONG = 7,
    ARG_FLOAT = 8,
    ARG_DOUBLE = 9,
    ARG_TEXT = 10,
    ARG_CLASS = 11,
    ARG_FIELD = 12,
    ARG_VAR = 13,
    ARG_SMALL_VAR = 64,

    CONTENT_TEXT = 0,
    CONTENT_BYTES = 1,

    STREAM_BYTES = 0,
    STREAM_READER = 1,
    STREAM_BUFFERED_READER = 2,

    COLLECTION_AS_LIST = 0,
    COLLECTION_ARRAY_LIST = 1,
    COLLECTION_LINKED_LIST = 2,
    COLLECTION_HASH_SET = 3,
    COLLECTION_LINKED_HASH_SET = 4,
    COLLECTION_TREE_SET = 5,
    COLLECTION_HASH_MAP = 6,
    COLLECTION_LINKED_HASH_MAP = 7,
    COLLECTION_TREE_MAP = 8,
    COLLECTION_PROPERTIES = 9,

    ON_THROW_SWALLOW = 0,
    ON_THROW_RETHROW_AT_END = 1,

    CHANGE_DENY_READ = 0,
    CHANGE_DENY_WRITE = 1,
    CHANGE_DELETE = 2,

    RESULT_DEFAULT = 0,
    RESULT_VALUE = 1,
    RESULT_UNBOXED = 2,

    END_COMPLETED = 0,
    END_THREW = 1,
    END_STOPPED = 2,
    END_EXITED = 3,
    END_OUT_OF_MEMORY = 4,
    END_UNLINKABLE = 5,
    FORGET_TABLES = 6,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_have_the_same_numbers() {
        let java = include_str!("../../java/reenact/host/Wire.java");
        let theirs: Vec<(&str, u8)> = java
            .lines()
            .filter_map(|line| line.trim().strip_prefix("static final int ")?.strip_suffix(';')?.split_once(" = "))
            .map(|(name, value)| (name, value.parse().unwrap()))
            .collect();
        assert_eq!(theirs, ALL);
    }
}
