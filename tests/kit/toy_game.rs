//! The test game of the engine as a listed game, for tests with any game. It suspends in the deal and in a
//! turn, and hides a hand.

use std::sync::LazyLock;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::toy::{HiddenToy, State, Toy, ToyOf};
use games::any::{AnyGame, Listed};
use games::playable::{BuiltInFile, Edition, GameFiles, GameOption, MakePolicy, Playable};
use rules::data::DataFault;
use rules::text::Lexicon;

/// The game, by the key `toy`.
pub const TOY: &dyn AnyGame = &Listed::<Toy>::new();

/// The game with hidden seals, by the key `toy-hidden`.
pub const HIDDEN: &dyn AnyGame = &Listed::<HiddenToy>::new();

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

/// The templates that the desk's letters need from a game, the same in each language.
const LETTERS: [(&str, &str); 5] = [
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

/// Creates a folder with the letters of the toy games, laid out like `templates/`. The folder is deleted when
/// it is dropped.
///
/// # Panics
/// If it cannot be written.
pub fn letters_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (game, lang) in [TOY, HIDDEN].iter().flat_map(|game| ["ja", "en"].map(|lang| (game, lang)))
    {
        let within = folder.path().join(game.key()).join(lang);
        std::fs::create_dir_all(&within).unwrap();
        for (name, text) in LETTERS {
            std::fs::write(within.join(format!("{name}.md")), text).unwrap();
        }
    }
    folder
}

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
        static EDITION: LazyLock<Edition> = LazyLock::new(|| Edition::of("1", Toy::DATA.to_vec()));
        &EDITION
    }

    fn lexicon() -> &'static Lexicon {
        static LEXICON: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::parse(WORDS.0, WORDS.1).unwrap());
        &LEXICON
    }

    fn data_faults() -> Vec<DataFault> {
        Vec::new()
    }
}

impl<const HIDDEN: bool> Playable for ToyOf<HIDDEN> {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[];
    const OPTIONS: &'static [GameOption] = &[];

    fn report(seen: &State) -> Json {
        serde_json::to_value(seen).unwrap()
    }
}
