//! A letter is a type: its fields are the variables of its template, and the check of the templates makes
//! samples of the letter from samples of its fields.

use std::fmt;

use serde::Serialize;
use serde_json::Value as Json;

use crate::ShownDecision;
use rules::{Fault, Interview, Ruling};

/// The placeholder for a folder: each game has the letter in its own.
pub(crate) const EACH_GAME: &str = "";

/// A letter: the template, and the fields that it sees.
pub trait TypedLetter: Serialize {
    /// The folder of the template, or `EACH_GAME`; for the terminal, the file of the macro.
    const FOLDER: &'static str;
    /// The name of the template, or of the macro.
    const NAME: &'static str;
    /// The names of the fields that the template sees.
    const SEES: &'static [&'static str];
}

/// A type whose values can be made up for the check of the templates.
pub trait Sampled: Sized {
    /// Returns the next sample.
    fn sample(draw: &mut Draw<'_>) -> Self;
}

/// The samples given to the check, which cannot make them up.
#[derive(Clone, Debug, Default)]
pub struct SampleStock {
    pub faults: Vec<Fault>,
    pub rulings: Vec<Ruling>,
    pub interviews: Vec<Interview>,
    pub decisions: Vec<ShownDecision<'static>>,
}

/// Chooses the parts of samples: in a row of samples every choice comes up at every place, in changing
/// combinations.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    pub stock: &'a SampleStock,
    sample: usize,
    place: usize,
    most: usize,
}

/// The minimum number of samples of every letter.
const SAMPLES: usize = 12;

impl<'a> Draw<'a> {
    /// Makes samples until every choice has come up, or there are this many.
    pub(crate) fn all<T: Sampled>(stock: &'a SampleStock, at_most: usize) -> Vec<T> {
        let mut draw = Self { stock, sample: 0, place: 0, most: 0 };
        let mut all = Vec::new();
        while all.len() < SAMPLES.max(draw.most * 2).min(at_most) {
            (draw.sample, draw.place) = (all.len(), 0);
            all.push(T::sample(&mut draw));
        }
        all
    }

    /// Returns a number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.place += 1;
        self.most = self.most.max(count);
        let round = self.sample / count;
        (self.sample + self.place * round * 7 + round / 2) % count
    }

    /// Returns one of the values.
    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// The form of a letter: its template, the fields that it sees, and the maker of samples.
pub struct LetterForm {
    pub folder: &'static str,
    pub name: &'static str,
    pub sees: &'static [&'static str],
    samples: fn(&SampleStock, usize) -> Vec<Json>,
}

impl fmt::Debug for LetterForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.folder, self.name)
    }
}

impl LetterForm {
    /// Returns the form of a letter type.
    pub const fn of<T: TypedLetter + Sampled>() -> Self {
        let (folder, name, sees) = (T::FOLDER, T::NAME, T::SEES);
        Self { folder, name, sees, samples: samples::<T> }
    }

    /// Returns at most this number of samples of the fields that the template reads.
    pub fn samples(&self, stock: &SampleStock, at_most: usize) -> Vec<Json> {
        (self.samples)(stock, at_most)
    }
}

fn samples<T: TypedLetter + Sampled>(stock: &SampleStock, at_most: usize) -> Vec<Json> {
    let all = Draw::all::<T>(stock, at_most).into_iter();
    all.map(|letter| serde_json::to_value(letter).unwrap_or_default()).collect()
}

/// A sample of a field: one of the listed values, or the result of a function, or a sample of its type.
#[macro_export]
macro_rules! field_sample {
    ($draw:ident) => {
        $crate::template::typed::Sampled::sample($draw)
    };
    ($draw:ident = $all:expr) => {
        $draw.one_of(&$all)
    };
    ($draw:ident => $by:expr) => {
        $by($draw)
    };
}
pub use field_sample;

/// Defines a struct for letters, whose samples have a sample in every field.
#[macro_export]
macro_rules! sampled {
    ($(
        $(#[$meta:meta])*
        $seen:vis struct $type:ident $(<$life:lifetime>)? {
            $($(#[$of:meta])* $shown:vis $field:ident: $what:ty $(= $all:expr)? $(=> $by:expr)?),* $(,)?
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Serialize)]
        $seen struct $type $(<$life>)? { $($(#[$of])* $shown $field: $what),* }

        impl $(<$life>)? $crate::template::typed::Sampled for $type $(<$life>)? {
            fn sample(draw: &mut $crate::template::typed::Draw<'_>) -> Self {
                let _ = &draw;
                Self { $($field: $crate::template::typed::field_sample!(
                    draw $(= $all)? $(=> $by)?
                )),* }
            }
        }
    )*};
}
pub use sampled;

/// Defines the letters of a folder, each with the name of its template and its fields, and the list of their
/// forms.
#[macro_export]
macro_rules! letters {
    ($(#[$listed:meta])* $list:ident in $folder:expr; $(
        $(#[$meta:meta])*
        $name:literal $seen:vis struct $type:ident $(<$life:lifetime>)? { $($fields:tt)* }
    )*) => {
        $(#[$listed])*
        #[allow(elided_lifetimes_in_paths, reason = "some of the types have one, and some have none")]
        pub(crate) const $list: &[$crate::template::typed::LetterForm] =
            &[$($crate::template::typed::LetterForm::of::<$type>()),*];

        $(
            $crate::template::typed::sampled! {
                $(#[$meta])*
                $seen struct $type $(<$life>)? { $($fields)* }
            }
            $crate::template::typed::letter! {
                $folder, $name, $type $(<$life>)? { $($fields)* }
            }
        )*
    };
}
pub use letters;

/// Implements `TypedLetter` for a type.
#[macro_export]
macro_rules! letter {
    ($folder:expr, $name:literal, $type:ident $(<$life:lifetime>)? {
        $($(#[$of:meta])* $shown:vis $field:ident: $what:ty $(= $all:expr)? $(=> $by:expr)?),* $(,)?
    }) => {
        impl $(<$life>)? $crate::template::typed::TypedLetter for $type $(<$life>)? {
            const FOLDER: &'static str = $folder;
            const NAME: &'static str = $name;
            const SEES: &'static [&'static str] = &[$(stringify!($field)),*];
        }
    };
}
pub use letter;

/// Defines a letter with the fields of another letter, which writes them as a line of input.
#[macro_export]
macro_rules! as_typed {
    ($(#[$meta:meta])* $list:ident in $folder:ident: $name:literal struct $type:ident($other:ty);) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Serialize)]
        #[serde(transparent)]
        struct $type($other);

        impl $crate::template::typed::TypedLetter for $type {
            const FOLDER: &'static str = $folder;
            const NAME: &'static str = $name;
            const SEES: &'static [&'static str] =
                <$other as $crate::template::typed::TypedLetter>::SEES;
        }

        impl $crate::template::typed::Sampled for $type {
            fn sample(draw: &mut $crate::template::typed::Draw<'_>) -> Self {
                Self($crate::template::typed::Sampled::sample(draw))
            }
        }

        $(#[$meta])*
        pub(crate) const $list: &[$crate::template::typed::LetterForm] =
            &[$crate::template::typed::LetterForm::of::<$type>()];
    };
}
pub use as_typed;

/// Implements `Sampled` for types with a list of their sample values.
#[macro_export]
macro_rules! sampled_from {
    ($($type:ty: $all:expr;)*) => {$(
        impl $crate::template::typed::Sampled for $type {
            fn sample(draw: &mut $crate::template::typed::Draw<'_>) -> Self {
                draw.one_of(&$all)
            }
        }
    )*};
}
pub use sampled_from;

/// Implements `Sampled` for enums, whose samples have a sample in every field. A variant that is left out does not
/// compile.
#[macro_export]
macro_rules! sampled_variants {
    ($($type:ty { $($variant:ident $({ $($field:ident),* })?),* $(,)? })*) => {$(
        impl $crate::template::typed::Sampled for $type {
            fn sample(draw: &mut $crate::template::typed::Draw<'_>) -> Self {
                let _ = |one: &Self| match one { $(Self::$variant { .. } => ()),* };
                let variants: &[fn(&mut $crate::template::typed::Draw<'_>) -> Self] = &[$(|_draw| {
                    Self::$variant { $($($field: $crate::template::typed::Sampled::sample(_draw)),*)? }
                }),*];
                draw.one_of(variants)(draw)
            }
        }
    )*};
}
pub use sampled_variants;

/// Returns a sample that is never `None`, for an optional field.
#[expect(clippy::unnecessary_wraps, reason = "it stands in the place of what gives an option")]
pub(crate) fn always<T: Sampled>(draw: &mut Draw<'_>) -> Option<T> {
    Some(T::sample(draw))
}
