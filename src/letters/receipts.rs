//! Letters that prove a game: receipts of sealed declarations, the replay of a table, and its dice.

use serde::Serialize;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::template::typed::{letters, sampled, sampled_from};
use crate::template::{Draw, Sampled};
use crate::{DESK, Letters, Moment, Reader, Result, samples};
use rules::{Cast, Fell, Key, Label, Round, Seat, Value};
use tables::ids::{EntryNumber, TableCode};

sampled! {
    /// The receipt of a declaration, as shown after its window has closed: only the hash.
    pub struct ReceiptLine {
        /// The seat of the declaration; `None` if it is not public who has sealed.
        pub seat: Option<Seat>,
        /// The short code given to the author.
        pub code: String,
        /// The salted hash, in hex digits.
        pub hash: String,
    }

    /// One of the reader's own receipts.
    pub struct OwnReceipt {
        /// The number of the root window; 0 is the deal. `None` if a rollback removed the window.
        pub window: Option<Round>,
        /// True if the window was within a root window being resolved.
        pub suspended: bool,
        /// The time of the close; `None` if the window is open.
        pub closed: Option<Moment>,
        /// The deadline, if the window is open.
        pub closes: Option<Moment>,
        /// The short code of the receipt.
        pub code: String,
        /// The salted hash, in hex digits.
        pub hash: String,
    }

    /// The value that a seat has mixed into the seed.
    #[derive(PartialEq, Eq)]
    pub struct MixedValue {
        pub seat: Seat,
        /// The value, in hex digits.
        pub value: String,
        /// True if the player chose the value; otherwise it is derived from the drawn seed.
        pub chosen: bool,
        /// True if the value was promised before others were known.
        pub promised: bool,
    }

    /// A head of the journal, as given in a post.
    #[derive(PartialEq, Eq)]
    pub struct PostedHead {
        pub said: String,
        /// True if the journal contains the head.
        pub found: bool,
        /// The last root window published by then, counted from 0, which is the deal; -1 before the deal, and
        /// `None` if the journal does not contain the head.
        pub window: Option<i64>,
        /// True if a full hash was given and the journal goes on after it: the letter then shows the end.
        pub followed: bool,
    }

    /// A window touched by decisions of game masters.
    pub struct TouchedWindow {
        /// The root window, counted from 0, which is the deal; -1 before the deal, and `None` for a window
        /// that never closed.
        pub window: Option<i64>,
        /// The numbers of the decisions, from 1.
        pub decisions: Vec<u32>,
    }
}

letters! {
    /// Letters about receipts.
    LETTERS in DESK;

    /// The receipts of a closed window and the head of the journal, so that neither the declarations nor
    /// earlier entries can be changed later.
    "receipts" pub struct SealedThen<'a> { pub sealed: &'a [ReceiptLine], pub head: &'a str }

    /// The reader's receipts at the table of this code. Once the table is over, the data to recompute each
    /// hash is attached.
    "own_receipts" pub struct OwnReceipts<'a> {
        pub code: &'a TableCode,
        pub receipts: &'a [OwnReceipt],
        pub over: bool,
    }

    /// The result of replaying a table.
    "verified" pub struct PlayedAgain<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        /// The number of closed windows.
        pub closed: usize,
        /// The number of dice thrown.
        pub dice: usize,
        /// True if the verified file contains none of the dice.
        pub dice_untold: bool,
        /// True if the bot players' policies are of another version than this program's.
        pub other_policies: bool,
        /// The number of players and game masters who are not shown or were erased.
        pub unnamed: usize,
        /// The first journal entry that is not chained to the previous one; `None` if all are.
        pub broken: Option<EntryNumber>,
        /// The first difference between the replay and the record; null if there is none.
        pub difference: Json = differences(),
        /// The windows touched by decisions of game masters, in order.
        pub touched: Vec<TouchedWindow>,
        /// The commitment to the dice, in hex digits.
        pub commitment: &'a str,
        /// The table's name in the keys of its dice.
        pub name: &'a str,
        /// The value that each seat has mixed into the seed, in order.
        pub values: Vec<MixedValue>,
        /// The journal heads in posts, as far as the reader has them.
        pub heads: Vec<PostedHead>,
        /// True if the game is over.
        pub over: bool,
    }

    /// A die: the question it answers, its result, and the possible results; or the number of cards shuffled.
    "thrown" struct Thrown<'a> { die: DieView<'a> }
}

sampled_from! { EntryNumber: [EntryNumber::new(7)]; }

/// Returns null for no difference, and a sample of every kind of difference.
fn differences() -> Vec<Json> {
    let about = "commitment seed options value deal ground seal event state die end name order asked decision \
                 policy seating times";
    let difference = |(place, what): (usize, &str)| {
        let is_in_window = place % 2 == 0;
        json!({
            "what": what,
            "number": is_in_window.then_some(place),
            "window": is_in_window.then_some(place),
            "seat": is_in_window.then_some(0),
            "question": (place > 4).then_some("act.way"),
            "expected": if place > 2 { "3" } else { "" },
            "found": if place > 2 { "" } else { "4" },
        })
    };
    std::iter::once(Json::Null).chain(about.split(' ').enumerate().map(difference)).collect()
}

/// A die: the question it answers, its result, and the possible results; or a shuffle.
#[derive(Clone, Debug, Default, Serialize)]
struct DieView<'a> {
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
        DieView::of(draw.one_of(&samples::thrown().iter().collect::<Vec<_>>()))
    }
}

impl Letters {
    /// Writes a die: the question it answers, its result, and the possible results; or the number of cards
    /// shuffled.
    pub fn thrown(&self, reader: &Reader, cast: &Cast) -> Result<String> {
        self.write(reader, &Thrown { die: DieView::of(cast) })
    }
}
