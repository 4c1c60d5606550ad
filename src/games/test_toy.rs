//! The engine's own test game as a member of a list: for tests of what plays any game. It
//! suspends in the deal and in the middle of a turn, and hides a hand.

use std::sync::LazyLock;

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::any::{AnyContest, AnyGame, Listed};
use super::playable::{BuiltInFile, Edition, GameFiles, GameOption, MakePolicy, Playable};
use crate::data::DataFault;
use crate::rules::test_game::{HiddenToy, P1, State, Toy, ToyOf, position, said};
use crate::rules::text::Lexicon;
use crate::rules::{BySeat, Contest, Dice, Entry, Item, Sealing, Viewer};

/// The game, by the key `toy`.
pub(crate) const TOY: &dyn AnyGame = &Listed::<Toy>::new();

/// The same game by the key `toy-hidden`: nothing may be known of its sealings.
pub(crate) const HIDDEN: &dyn AnyGame = &Listed::<HiddenToy>::new();

const WORDS: (&str, &str) = (
    "data/toy/words.toml",
    r#"
noise = { ja = ["を"], en = ["the"] }
pass = { ja = ["なし"], en = ["nothing"] }

[reserve]
ja = ["だめなら"]
en = ["else"]

[piece.way]
draw = { ja = ["引く"], en = ["draw"] }
place = { ja = ["置く"], en = ["place"] }
drop = { ja = ["捨てる"], en = ["drop"] }

[piece.reaction]
stop = { ja = ["止める"], en = ["stop"] }
pass = { ja = ["通す"], en = ["pass"] }

[piece.money]
gold = { ja = ["金"], en = ["gold"] }

[piece.card]
1 = { ja = ["札1"], en = ["card 1"] }
2 = { ja = ["札2"], en = ["card 2"] }
3 = { ja = ["札3"], en = ["card 3"] }
4 = { ja = ["札4"], en = ["card 4"] }
5 = { ja = ["札5"], en = ["card 5"] }

[piece.deed]
give = { ja = ["渡す"], en = ["give"] }
rest = { ja = ["休む"], en = ["rest"] }

[section]
now = { ja = ["今"], en = ["now"] }
bid = { ja = ["入札"], en = ["bid"] }
tax = { ja = ["税"], en = ["tax"] }
react = { ja = ["反応"], en = ["react"] }
act = { ja = ["行動"], en = ["act"] }
gold = { ja = ["金貨"], en = ["purse"] }
"#,
);

/// What letters of the desk ask of a game, in whichever language.
pub(crate) const LETTERS: [(&str, &str); 5] = [
    (
        "left_out",
        "{% macro nothing(q) %}nothing is done{% endmacro %}\
         {% macro worth_saying(q) %}{% endmacro %}\
         {% macro skip(own=false) %}turn skipped{% endmacro %}",
    ),
    ("moves", ""),
    ("name", "Toy"),
    ("silent", "everything goes by its default"),
    (
        "samples",
        "{% macro declaration() %}act: draw{% endmacro %}\
         {% macro turn() %}turn{% endmacro %}\
         {% macro part() %}act{% endmacro %}\
         {% macro answer() %}draw{% endmacro %}\
         {% macro die() %}P2 bid: 3{% endmacro %}\
         {% macro move() %}purse: P2 3{% endmacro %}\
         {% macro deed() %}draw{% endmacro %}\
         {% macro clause() %}T1{% endmacro %}",
    ),
];

impl<const HIDDEN: bool> GameFiles for ToyOf<HIDDEN> {
    const WORDS: BuiltInFile = WORDS;
    const DATA: &'static [BuiltInFile] = &[WORDS];
    const RULES: &'static str = "**T1** Everybody names an amount.\n";
    const SAMPLES: BuiltInFile = (
        "templates/toy/samples.jsonl",
        r#""Dealt"
{"Drew":{"seat":0,"card":1}}
{"Stopped":{"by":0}}
{"Placed":{"seat":0,"card":1,"paid":1}}
{"Taxed":{"seat":0,"gold":1}}
{"Gave":{"seat":0,"to":1}}
{"Rested":{"seat":0}}"#,
    );

    fn edition() -> &'static Edition {
        static EDITION: LazyLock<Edition> = LazyLock::new(|| Edition::of("1", Toy::DATA));
        &EDITION
    }

    fn lexicon() -> &'static Lexicon {
        static LEXICON: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::parse(WORDS.0, WORDS.1).unwrap());
        &LEXICON
    }

    fn data_fault() -> Option<DataFault> {
        None
    }
}

impl<const HIDDEN: bool> Playable for ToyOf<HIDDEN> {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[];
    const OPTIONS: &'static [GameOption] = &[];

    fn report(seen: &State) -> Json {
        serde_json::to_value(seen).unwrap()
    }
}

#[test]
fn its_words_can_be_read() {
    assert_eq!(TOY.check_data(), []);
}

#[test]
fn its_sealings_are_open_or_hidden() {
    let dice = || Dice::new([1; 32], "toy");
    let sealing = |game: &dyn AnyGame| {
        let (contest, _) = game.open(&Json::Null, 2, dice()).unwrap();
        game.load(&contest.save(), dice()).unwrap().procedure().sealing
    };
    assert_eq!((sealing(TOY), sealing(HIDDEN)), (Sealing::Open, Sealing::Hidden));
    assert_ne!(TOY.key(), HIDDEN.key());
}

#[test]
fn an_edition_is_its_name_and_its_files_in_order() {
    let files = [("b", "2"), ("a", "締")];
    let edition = Edition::of("6.1", &files);
    let bytes = "a\n3\n締b\n1\n2";
    assert_eq!((edition.name.as_str(), edition.data), ("6.1", Sha256::digest(bytes).into()));
}

#[test]
fn what_cannot_be_dealt_is_refused_before_it_is() {
    assert_eq!(TOY.check_options(&Json::Null, 2), Ok(()));
    let open = |options: &Json, seats| TOY.open(options, seats, Dice::new([1; 32], "toy"));
    for (options, seats) in [(Json::Null, 5), (Json::Null, 1), ("fast".into(), 2)] {
        let refused = TOY.check_options(&options, seats).unwrap_err();
        assert_eq!(open(&options, seats).unwrap_err(), refused);
    }
}

#[test]
fn of_a_kept_record_everybody_sees_what_they_may_know() {
    let mut state = position();
    state.round = 1;
    let mut contest: Box<dyn AnyContest> =
        Box::new(Contest::<Toy>::at(state, Dice::new([3; 32], "toy")));
    let draw = said("tax.pay=gold*1 act.way=draw");
    let told = contest.close(BySeat::new(2, |seat| (seat == P1).then(|| draw.clone()))).unwrap();
    let mut whole = told.entries;
    assert_eq!(contest.seen(&whole, Viewer::All), whole);
    let public = contest.seen(&whole, Viewer::Public);
    assert_ne!(public, whole);

    let lost = Item::Event("an event of another time".into());
    whole.push(Entry { turn: None, section: "act".into(), item: lost });
    assert_eq!(contest.seen(&whole, Viewer::Public), public);
}
