//! Structures of numbers that know what each of them means.

/// A group of numbers that decide about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: &'static str,
    pub about: &'static str,
    pub numbers: Vec<Number>,
}

/// One number, or the weights of alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    pub name: &'static str,
    pub value: String,
    pub meaning: &'static str,
    /// Where it was measured, if it was.
    pub measured: Option<&'static str>,
}

macro_rules! numbers {
    (@measured) => { None };
    (@measured $measured:literal) => { Some($measured) };
    (
        $(#[doc = $about:literal])+
        $Group:ident {
            $(
                $(#[doc = $meaning:literal])+
                $name:ident: $ty:ty = $value:expr $(, measured $measured:literal)?;
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Group {
            $(
                $(#[doc = $meaning])+
                pub $name: $ty,
            )+
        }

        impl $Group {
            pub const STANDARD: $Group = $Group { $($name: $value,)+ };

            pub(crate) fn group(&self, name: &'static str) -> crate::Group {
                crate::Group {
                    name,
                    about: concat!($($about),+),
                    numbers: vec![$(crate::Number {
                        name: stringify!($name),
                        value: format!("{:?}", self.$name),
                        meaning: concat!($($meaning),+),
                        measured: numbers!(@measured $($measured)?),
                    },)+],
                }
            }
        }

        impl Default for $Group {
            fn default() -> Self {
                $Group::STANDARD
            }
        }
    };
}
