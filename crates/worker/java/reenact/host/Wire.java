package reenact.host;

/** The numbers of the wire format; the Rust side has the same table and a test compares the two. */
final class Wire {
    static final int FORMAT = 1;

    static final int DEFINE_STRING = 1;
    static final int DEFINE_TYPE = 2;
    static final int DEFINE_EMITTED_TYPE = 3;
    static final int DEFINE_METHOD = 4;
    static final int DEFINE_FIELD = 5;
    static final int DEFINE_TEXT = 6;
    static final int FORGET_TEXTS = 7;

    static final int MEMBER_STATIC = 0;
    static final int MEMBER_INSTANCE = 1;
    static final int MEMBER_CONSTRUCTOR = 2;

    static final int INVOKER_NONE = 0;
    /** In a package of ours, or in that of the member's class. */
    static final int INVOKER_APART = 1;
    static final int INVOKER_BESIDE = 2;
    /** Added if it is certain that it can make the call. */
    static final int INVOKER_SURE = 4;

    static final int OP_VALUE = 1;
    static final int OP_INVOKE = 2;
    static final int OP_GET_FIELD = 3;
    static final int OP_PUT_FIELD = 4;
    static final int OP_NEW_ARRAY = 5;
    static final int OP_ARRAY_OF = 6;
    static final int OP_PUT_ELEMENT = 7;
    static final int OP_GET_ELEMENT = 8;
    static final int OP_COLLECTION = 9;
    static final int OP_CAST = 10;
    static final int OP_CALLBACK = 11;
    static final int OP_TRY = 12;
    static final int OP_THREAD = 13;
    static final int OP_TEMP_FILE = 14;
    static final int OP_TEMP_DIR = 15;
    static final int OP_STREAM = 16;
    static final int OP_SET_PROPERTY = 17;
    static final int OP_SET_LOCALE = 18;
    static final int OP_SET_TIME_ZONE = 19;
    static final int OP_REFUSE = 20;
    static final int OP_REPEAT = 21;
    static final int OP_TOGETHER = 22;
    static final int OP_THROW = 23;
    static final int OP_CAPTURE = 24;
    static final int OP_KEEP = 25;
    static final int OP_LINK = 26;
    static final int OP_CHANGE_FILE = 27;

    static final int ARG_NULL = 0;
    static final int ARG_FALSE = 1;
    static final int ARG_TRUE = 2;
    static final int ARG_BYTE = 3;
    static final int ARG_CHAR = 4;
    static final int ARG_SHORT = 5;
    static final int ARG_INT = 6;
    static final int ARG_LONG = 7;
    static final int ARG_FLOAT = 8;
    static final int ARG_DOUBLE = 9;
    static final int ARG_TEXT = 10;
    static final int ARG_CLASS = 11;
    static final int ARG_FIELD = 12;
    static final int ARG_VAR = 13;
    /** From here on the tag itself holds a variable's slot. */
    static final int ARG_SMALL_VAR = 64;

    static final int CONTENT_TEXT = 0;
    static final int CONTENT_BYTES = 1;

    static final int STREAM_BYTES = 0;
    static final int STREAM_READER = 1;
    static final int STREAM_BUFFERED_READER = 2;

    static final int COLLECTION_AS_LIST = 0;
    static final int COLLECTION_ARRAY_LIST = 1;
    static final int COLLECTION_LINKED_LIST = 2;
    static final int COLLECTION_HASH_SET = 3;
    static final int COLLECTION_LINKED_HASH_SET = 4;
    static final int COLLECTION_TREE_SET = 5;
    static final int COLLECTION_HASH_MAP = 6;
    static final int COLLECTION_LINKED_HASH_MAP = 7;
    static final int COLLECTION_TREE_MAP = 8;
    static final int COLLECTION_PROPERTIES = 9;

    static final int ON_THROW_SWALLOW = 0;
    static final int ON_THROW_RETHROW_AT_END = 1;

    static final int CHANGE_DENY_READ = 0;
    static final int CHANGE_DENY_WRITE = 1;
    static final int CHANGE_DELETE = 2;

    static final int RESULT_DEFAULT = 0;
    static final int RESULT_VALUE = 1;
    static final int RESULT_UNBOXED = 2;

    static final int END_COMPLETED = 0;
    static final int END_THREW = 1;
    static final int END_STOPPED = 2;
    static final int END_EXITED = 3;
    static final int END_OUT_OF_MEMORY = 4;
    static final int END_UNLINKABLE = 5;
    /** Before the end: from here on names and frames are numbered anew. */
    static final int FORGET_TABLES = 6;

    private Wire() {
    }
}
