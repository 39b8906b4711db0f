//! Attribute tables (JVMS 4.7): which known attributes are where. Unknown attributes are skipped.

use super::constant_pool::ConstantPool;
use super::error::Flaw;
use super::input::Input;
use std::ops::Range;

/// One attribute: its kind and where its body is in the file.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) kind: AttributeKind,
    pub(crate) body: Range<usize>,
}

macro_rules! attribute_kinds {
    ($($kind:ident,)*) => {
        /// The attributes that we read; the variants are named as in class files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum AttributeKind {
            $($kind,)*
        }

        impl AttributeKind {
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(AttributeKind::$kind => stringify!($kind),)*
                }
            }

            fn from_name(name: &[u8]) -> Option<Self> {
                $(if name == stringify!($kind).as_bytes() {
                    return Some(AttributeKind::$kind);
                })*
                None
            }
        }
    };
}

attribute_kinds! {
    Code,
    LineNumberTable,
    LocalVariableTable,
    StackMapTable,
    Signature,
    Exceptions,
    ConstantValue,
    MethodParameters,
    SourceFile,
    InnerClasses,
    EnclosingMethod,
    BootstrapMethods,
    NestHost,
    NestMembers,
    Record,
    PermittedSubclasses,
    Deprecated,
    Synthetic,
    AnnotationDefault,
    RuntimeVisibleAnnotations,
    RuntimeInvisibleAnnotations,
    RuntimeVisibleParameterAnnotations,
    RuntimeInvisibleParameterAnnotations,
}

/// Reads a table of attributes and leaves `input` behind it. An attribute whose name cannot be read is skipped like an unknown
/// one; an attribute that is longer than the rest of the file is an error, because nothing after it can be found.
pub(crate) fn read_table(pool: &ConstantPool, input: &mut Input<'_>) -> Result<Vec<Attribute>, Flaw> {
    let mut attributes = Vec::new();
    for _ in 0..input.u16()? {
        let at = input.position();
        let name = input.u16()?;
        let length = input.u32()?;
        let body = input.skip(length as usize)?;
        if let Some(kind) = pool.utf8_bytes(name, at).ok().and_then(AttributeKind::from_name) {
            attributes.push(Attribute { kind, body });
        }
    }
    Ok(attributes)
}
