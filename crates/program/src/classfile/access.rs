//! Access flags (JVMS tables 4.1-B, 4.5-A, 4.6-A): one type per table, since the same bit means different things.

macro_rules! flags {
    ($(#[$doc:meta])* $name:ident { $($method:ident = $bit:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub u16);

        impl $name {
            $(pub fn $method(self) -> bool {
                self.0 & $bit != 0
            })*

            pub fn visibility(self) -> Visibility {
                if self.is_public() {
                    Visibility::Public
                } else if self.is_protected() {
                    Visibility::Protected
                } else if self.is_private() {
                    Visibility::Private
                } else {
                    Visibility::Package
                }
            }
        }
    };
}

/// From where a class or member can be named, narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    Private,
    Package,
    Protected,
    Public,
}

flags! {
    /// Of a class. `is_private`, `is_protected` and `is_static` are only ever true for the flags of a nested class in
    /// [`InnerClass`](super::InnerClass).
    ClassAccess {
        is_public = 0x0001,
        is_private = 0x0002,
        is_protected = 0x0004,
        is_static = 0x0008,
        is_final = 0x0010,
        is_interface = 0x0200,
        is_abstract = 0x0400,
        is_synthetic = 0x1000,
        is_annotation = 0x2000,
        is_enum = 0x4000,
        is_module = 0x8000,
    }
}

flags! {
    FieldAccess {
        is_public = 0x0001,
        is_private = 0x0002,
        is_protected = 0x0004,
        is_static = 0x0008,
        is_final = 0x0010,
        is_volatile = 0x0040,
        is_transient = 0x0080,
        is_synthetic = 0x1000,
        is_enum_constant = 0x4000,
    }
}

flags! {
    MethodAccess {
        is_public = 0x0001,
        is_private = 0x0002,
        is_protected = 0x0004,
        is_static = 0x0008,
        is_final = 0x0010,
        is_synchronized = 0x0020,
        is_bridge = 0x0040,
        is_varargs = 0x0080,
        is_native = 0x0100,
        is_abstract = 0x0400,
        is_strict = 0x0800,
        is_synthetic = 0x1000,
    }
}
