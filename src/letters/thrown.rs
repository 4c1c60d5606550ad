//! The letter about a die.

use serde::Serialize;
use smol_str::SmolStr;

use crate::checking::samples;
use crate::template::letters::{DESK, LetterFault, Letters};
use crate::template::reader::Reader;
use crate::template::typed::{Draw, Sampled, letters};
use rules::{Cast, Fell, Key, Label, Seat, Value};

/// A die: the question it answers, its result, and the possible results; or a shuffle.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct DieView<'a> {
    seat: Option<Seat>,
    key: Option<Key>,
    showed: Option<Value>,
    options: &'a [SmolStr],
    /// The number of options picked.
    count: usize,
    least: Option<i64>,
    most: Option<i64>,
    /// The number of cards shuffled; `None` for a die.
    shuffled: Option<usize>,
}

impl<'a> DieView<'a> {
    fn of(cast: &'a Cast) -> Self {
        let label = cast.label.parse::<Label>().ok();
        let (seat, key) = label.map_or((None, None), |Label { seat, key, .. }| (seat, Some(key)));
        let die = Self { seat, key, count: 1, ..Self::default() };
        match &cast.fell {
            Fell::One { options, shows } => {
                Self { options, showed: Some(Value::Choice(shows.clone())), ..die }
            }
            Fell::Several { options, shows } => {
                let (showed, count) = (Some(Value::Picks(shows.clone())), shows.len());
                Self { showed, options, count, ..die }
            }
            Fell::Number { least, most, shows } => {
                let showed = Some(Value::Number(*shows));
                Self { showed, least: Some(*least), most: Some(*most), ..die }
            }
            Fell::Order(order) => Self { shuffled: Some(order.len()), ..die },
        }
    }
}

impl Sampled for DieView<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        DieView::of(Box::leak(Box::new(draw.one_of(&samples::thrown()))))
    }
}

letters! {
    /// The letter about a die.
    LETTERS in DESK;

    /// A die: the question it answers, its result, and the possible results; or the number of cards shuffled.
    "thrown" struct Thrown<'a> { die: DieView<'a> }
}

impl Letters {
    /// Writes a die: the question it answers, its result, and the possible results; or the number of cards
    /// shuffled.
    pub fn thrown(&self, reader: &Reader, cast: &Cast) -> Result<String, LetterFault> {
        self.write(reader, &Thrown { die: DieView::of(cast) })
    }
}
