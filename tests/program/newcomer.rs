//! Input of people who have read no manual, with the answers.

use kit::database::Database;
use kit::phone::rows_at;
use kit::program::{Running, shimekiri};

/// Lines typed in a language, with the expected answers.
struct Said<'a> {
    lang: &'a str,
    lines: &'a [&'a str],
    /// Texts that are shown, in this order.
    told: &'a [&'a str],
    /// Texts that are not shown.
    untold: &'a [&'a str],
}

/// A table of えいつく, with the same cards every time.
const EITSUKU: &str = "eitsuku --seed 10715";
/// Tables of The Gang: with sealed wishes, and with immediate acts.
const GANG: &str = "the_gang --seed 3";
const LIVE_GANG: &str = "the_gang --seed 3 --option chips=live";

/// Starts a game of one person among bots.
fn alone(url: &str, game: &str, lang: &str, name: &str) -> Running {
    Running::start(shimekiri(url, &format!("play {game} --lang {lang} --as {name}")))
}

/// Types lines at a person's table, and returns all output.
fn all_of(mut person: Running, lines: &[&str]) -> String {
    person.type_lines(lines);
    person.end().0
}

/// Asserts the answers to lines typed at a table of えいつく.
async fn tells(rows: &[Said<'_>]) {
    tells_at(EITSUKU, rows).await;
}

/// Asserts the answers to lines typed at a table of this game.
async fn tells_at(game: &str, rows: &[Said<'_>]) {
    let database = Database::fresh().await;
    for (index, Said { lang, lines, told, untold }) in rows.iter().enumerate() {
        let shown = all_of(alone(&database.url, game, lang, &format!("n{index}")), lines);
        let mut rest = shown.as_str();
        for words in *told {
            let Some((_, behind)) = rest.split_once(words) else {
                panic!("{words} is not told of {lines:?}, but:\n{shown}")
            };
            rest = behind;
        }
        for words in *untold {
            assert!(!shown.contains(words), "{words} is told of {lines:?}:\n{shown}");
        }
    }
}

/// The word that ends a turn ends neither the table nor the session while the game asks for it.
#[tokio::test]
async fn a_turn_ends_with_the_word_that_the_game_asks_for() {
    tells_at(
        "gangster_paradise --seed 3",
        &[
            Said {
                lang: "ja",
                lines: &["封", "封", "終了", "質問"],
                told: &["行動 終了", "行動 終了"],
                untold: &["打ち切り"],
            },
            Said {
                lang: "en",
                lines: &["seal", "seal", "end", "questions"],
                told: &["Act end", "Act end"],
                untold: &["ended early", "is ended now"],
            },
        ],
    )
    .await;
}

/// "No" to a question, and a line that cannot stand, leave everything as it is.
#[tokio::test]
async fn what_is_refused_leaves_everything_as_it_is() {
    tells(&[
        Said {
            lang: "en",
            lines: &["end", "no", "3A 4B", "3B Director 6", "3B none", "no event", "questions"],
            told: &[
                "To confirm",
                "All right, nothing has changed.",
                "・3A",
                "Director 6",
                "The declaration stays as it was.",
                "“none” is not possible: something must be chosen.",
                "・3A",
            ],
            untold: &["・3B"],
        },
        Said {
            lang: "ja",
            lines: &["打ち切り", "いや", "3A 4B", "3B 演出家6 封", "5A 封筒", "質問"],
            told: &[
                "わかりました。何も変更していません。",
                "・3A",
                "演出家6",
                "宣言は前のままです。",
                "「封筒」がわかりません。自由な文は「」で囲んで書いてください。",
                "・3A",
            ],
            untold: &["受領証"],
        },
    ])
    .await;
}

/// The last act is taken back by a vote, which a person among bots decides alone, or by a GM; an act that has
/// touched the deck or shown something stands.
#[tokio::test]
async fn what_was_done_at_once_is_taken_back() {
    tells_at(
        "gangster_paradise --seed 3",
        &[
            Said {
                lang: "ja",
                lines: &[
                    "封",
                    "封",
                    "投票 実行取消",
                    "購入 SPY",
                    "投票 実行取消",
                    "手札",
                    "ワンモアドロー",
                    "はい",
                    "投票 実行取消",
                    "売却 GUN",
                    "はい",
                    "gm 実行取消",
                    "gm はい 間違い",
                    "gm 取消",
                    "gm はい 正しい",
                ],
                told: &[
                    "まだ何も実行されていません",
                    "【SPY】を購入",
                    "可決しました",
                    "最後に実行したことを取り消す",
                    "手札8枚：赤ライフ、GANGSTER、MONEY、BARTENDER",
                    "1枚引く",
                    "最後に実行されたことは取り消せません（P6.9）",
                    "【GUN】を売却",
                    "+ 　P1 n0：手札9枚\n",
                    "理由：間違い",
                    "GM操作 #2を取り消しました",
                ],
                untold: &["手札8枚：SPY"],
            },
            Said {
                lang: "en",
                lines: &[
                    "seal",
                    "seal",
                    "act Use GANGSTER",
                    "yes",
                    "vote take back",
                    "hand",
                    "show MONEY",
                    "yes",
                    "vote take back",
                    "gm take back",
                    "sell GUN",
                    "yes",
                    "gm take-back",
                    "gm yes wrong card",
                    "hand",
                ],
                told: &[
                    "GANGSTER: n1 picks up MONEY",
                    "Take back what n1 did last.",
                    "Hand, 8 cards: RED LIFE, GANGSTER, MONEY, BARTENDER",
                    "n1 shows MONEY",
                    "What was done last cannot be taken back (P6.9):",
                    "What was done last cannot be taken back (P6.9):",
                    "n1 sells GUN",
                    "What n1 did last is taken back; the declarations of the window stay.",
                    "Reason: wrong card",
                    "Hand, 8 cards: RED LIFE, GANGSTER, MONEY, BARTENDER, PHANTOM, BULLET×2, GUN",
                ],
                untold: &[],
            },
        ],
    )
    .await;
}

/// The name of a card alone shows the card to nobody, in any window: it is an answer to a question, or asks
/// for the card's effect. An irrevocable act needs a confirmation.
#[tokio::test]
async fn the_name_of_a_card_alone_is_no_public_act() {
    tells_at(
        "gangster_paradise --seed 3",
        &[
            Said {
                lang: "en",
                lines: &[
                    "MONEY",
                    "GUN?",
                    "what does gun do?",
                    "show GUN",
                    "hand",
                    "show GUN",
                    "yes",
                ],
                told: &[
                    "MONEY (P",
                    "GUN (P",
                    "GUN (P",
                    "“Show GUN”: are you sure? Everyone sees it, and what they have seen cannot be taken back.",
                    "Type “yes” to do it; anything else leaves it undone.",
                    "Hand, ",
                    "are you sure?",
                    "n0 shows GUN",
                ],
                untold: &["n0 shows MONEY"],
            },
            Said {
                lang: "ja",
                lines: &[
                    "金",
                    "ガン？",
                    "拳銃って何",
                    "見せる GUN",
                    "いいえ",
                    "見せる GUN",
                    "はい",
                ],
                told: &[
                    "【MONEY】（",
                    "【GUN】（",
                    "【GUN】（",
                    "「見せる GUN」でよいですか？ 全員に見え、見られたことは元に戻せません。",
                    "でよいですか？",
                    "n1が【GUN】を見せる",
                ],
                untold: &["【MONEY】を見せる"],
            },
        ],
    )
    .await;
}

/// A deed that shows a hidden card is asked about first, whatever it brings, and shows nothing if it is
/// refused; a card that everybody knows is not asked about.
#[tokio::test]
async fn a_hidden_card_is_shown_only_after_a_question() {
    tells_at(
        "gangster_paradise --seed 3",
        &[
            Said {
                lang: "en",
                lines: &["seal", "seal", "sell MONEY", "sell GUN", "no", "Use GANGSTER", "hand"],
                told: &["“Sell GUN”: are you sure?", "“Use GANGSTER”: are you sure?", "Hand, "],
                untold: &["n0 sells", "n0 picks up", "MONEY”: are you sure?"],
            },
            Said {
                lang: "ja",
                lines: &["封", "封", "見せる GUN", "はい", "売却 GUN"],
                told: &["n1が【GUN】を見せる", "【GUN】を売却"],
                untold: &["「売却 GUN」でよいですか"],
            },
        ],
    )
    .await;
}

/// A chip without a verb is taken by nobody: the question about it says what can be done. A player sees how
/// many moves are left.
#[tokio::test]
async fn the_name_of_a_chip_alone_takes_nothing() {
    tells_at(
        LIVE_GANG,
        &[
            Said {
                lang: "en",
                lines: &["★1", "hand", "act 1", "questions", "take ★1", "hand"],
                told: &[
                    "“Take ★1”: are you sure?",
                    "chips: none | moves left in this round: 3 (G2.4)",
                    "“Take ★1”: are you sure?",
                    "chips: none | moves left",
                    "n0 takes ★1",
                    "moves left in this round: 2 (G2.4)",
                ],
                untold: &["just `★3`"],
            },
            Said {
                lang: "ja",
                lines: &["★1", "手札", "★1", "はい", "手札"],
                told: &[
                    "「取る ★1」でよいですか？",
                    "チップ なし｜このラウンドで動かせるのは、あと3回（G2.4）",
                    "「取る ★1」でよいですか？",
                    "n1が★1を",
                    "あと2回（G2.4）",
                ],
                untold: &[],
            },
        ],
    )
    .await;
}

/// The list of questions has whatever a panel still asks, and an empty declaration that gives something up is
/// confirmed.
#[tokio::test]
async fn an_optional_question_is_open_until_it_is_answered() {
    tells_at(
        "guild_war --seed 3",
        &[
            Said {
                lang: "en",
                lines: &[
                    "Shade",
                    "seal",
                    "Gear Hook Knife",
                    "questions",
                    "Order first",
                    "questions",
                    "withdraw",
                    "seal",
                    "seal",
                ],
                told: &[
                    "◆ Preparation: set your gear",
                    "・Gear Hook Knife",
                    "◆ Still open",
                    "・Order, “first or second",
                    "・Order first",
                    "Everything is filled in.",
                    "Nothing is written yet. If you submit it like this",
                    "Receipt: ",
                ],
                untold: &[],
            },
            Said {
                lang: "ja",
                lines: &["影", "封", "順番 先攻", "質問", "取り下げ", "封"],
                told: &["・順番 先攻", "◆未入力", "　・装備", "まだ何も書いていません"],
                untold: &["すべて入力済みです"],
            },
        ],
    )
    .await;
}

/// The first screen of a game has at most 20 rows of 100 columns, and no hash.
#[tokio::test]
async fn the_first_screen_is_short() {
    let database = Database::fresh().await;
    for game in games::GAMES {
        for (lang, last) in [("ja", "「ヘルプ」で使える言葉"), ("en", "“help” what you can type")]
        {
            let words = format!("{} --seed 8", game.key());
            let name = format!("{}-{lang}", game.key());
            let shown = alone(&database.url, &words, lang, &name).end().0;
            assert!(shown.contains(last), "{shown}");
            // The last line is the farewell.
            let screen = shown.trim_end().rsplit_once('\n').unwrap().0;
            let rows = rows_at(screen, 100);
            assert!(rows <= 20, "{rows} rows:\n{shown}");
            assert!(!shown.contains("シード") && !shown.contains("Hash"), "{shown}");
        }
    }
}

/// The options that a host has chosen are told as the game begins.
#[tokio::test]
async fn chosen_options_are_told_at_the_start() {
    let rows = [
        Said { lang: "en", lines: &[], told: &["Settings: live chips\n"], untold: &[] },
        Said {
            lang: "ja", lines: &[], told: &["設定：チップはすぐ取る\n"], untold: &[]
        },
    ];
    tells_at(LIVE_GANG, &rows).await;
    let rows =
        [Said { lang: "en", lines: &[], told: &["The Gang, table "], untold: &["Settings"] }];
    tells_at(GANG, &rows).await;
}

/// A declaration for the next window becomes a draft there if it is possible, and its author is notified.
#[tokio::test]
async fn what_was_declared_ahead_is_told_to_be_a_draft() {
    tells(&[
        Said {
            lang: "en",
            lines: &["next turn: 3A 4B", "3A", "seal", "questions", "hand", "seal"],
            told: &[
                "◆ Declared ahead",
                "◆ What you had declared ahead is your draft in this window",
                "・3A",
                "・4B",
                "“seal” submits it.",
                // The draft is shown again with the questions, and with the hand.
                "◆ Declaration (draft",
                "・4B",
                "◆ Declaration (draft",
                "・4B",
                "◆ Turn 3: declare",
            ],
            untold: &["does not fit"],
        },
        Said {
            lang: "ja",
            lines: &["次の手番：3A 4B", "3A", "封", "質問", "手札", "封"],
            told: &[
                "◆次の受付の宣言",
                "◆前もって書いた宣言が、この受付の下書きになりました",
                "・3A",
                "・4B",
                "「封」で提出できます。",
                "◆宣言（下書き",
                "・4B",
                "◆宣言（下書き",
                "・4B",
                "◆ターン3",
            ],
            untold: &["使えない"],
        },
    ])
    .await;
}

/// A part of a declaration for the next window that is no longer possible is left out whole: no die replaces
/// its author's answer.
#[tokio::test]
async fn a_role_that_is_held_no_more_takes_its_part_with_it() {
    tells(&[
        Said {
            lang: "en",
            lines: &["next 3B Actor 5 4A", "3B Actor 5", "seal"],
            told: &[
                "◆ What you had declared ahead is your draft",
                "・4A",
                "● Left out, as it does not fit in this window",
                "Actor 5",
                "“seal” submits it.",
            ],
            untold: &["3B (role to place: by die)"],
        },
        Said {
            lang: "ja",
            lines: &["次回 3B 役者5 4A", "3B 役者5", "封"],
            told: &[
                "◆前もって書いた宣言が、この受付の下書きになりました",
                "・4A",
                "●この受付では使えないため外した部分",
                "役者5",
            ],
            untold: &["3B（置く役割：ダイス）"],
        },
        Said {
            lang: "en",
            lines: &["next 3B Actor 5", "3B Actor 5", "seal"],
            told: &[
                "◆ What you had declared ahead cannot be used in this window",
                "Actor 5",
                "Please declare again.",
                "◆ Still open",
            ],
            untold: &["is your draft"],
        },
    ])
    .await;
}

/// The commands for the next window, with a colon or without, in several words; and their withdrawal.
#[tokio::test]
async fn a_declaration_ahead_is_begun_and_taken_back_in_many_words() {
    let en = ["next turn 4B", "next window: 4B", "next: 4B", "NEXT TURN : 4B"];
    let ja = ["次の手番 4B", "次の受付：4B", "次回：4B", "次の番　4B"];
    for (lang, begun, back, told, empty) in [
        (
            "en",
            en,
            ["next withdraw", "withdraw next", "next turn none"],
            "◆ Declared ahead",
            "Nothing is written yet.",
        ),
        (
            "ja",
            ja,
            ["次の手番 取り下げ", "取り下げ 次回", "次回 なし"],
            "◆次の受付の宣言",
            "まだ何も書いていません。",
        ),
    ] {
        for words in begun {
            tells(&[Said { lang, lines: &[words], told: &[told, "・4B"], untold: &[] }]).await;
        }
        for words in back {
            let lines = &[begun[0], words];
            tells(&[Said { lang, lines, told: &["・4B", told, empty], untold: &[] }]).await;
        }
    }
}

/// The repetition of a declaration reports the parts left out, and that the present draft was replaced.
#[tokio::test]
async fn the_same_again_tells_what_it_leaves_out_and_replaces() {
    tells(&[
        Said {
            lang: "en",
            lines: &["3B Actor 5 4B", "seal", "4A", "same", "same"],
            told: &[
                "◆ Turn 2: declare",
                "● What you had declared here was replaced",
                "● Left out, as it does not fit in this window",
                "Actor 5",
                "・4B",
            ],
            untold: &[],
        },
        Said {
            lang: "ja",
            lines: &["3B 役者5 4B", "封", "4A", "同じ"],
            told: &[
                "◆ターン2",
                "●それまでの宣言は、前回と同じ宣言に置き換わりました",
                "●この受付では使えないため外した部分",
                "役者5",
                "・4B",
            ],
            untold: &[],
        },
    ])
    .await;
}

/// A chair that does not exist is no word for the seed, and a player's own chair is already taken.
#[tokio::test]
async fn a_chair_that_there_is_not_is_told_with_those_that_are_free() {
    let database = Database::fresh().await;
    for (lang, none, own, value, sits) in [
        (
            "en",
            "There is no seat P9. Free seats: P2, P3",
            "You already have seat P1",
            "Mixed into the seed for P1",
            "You already have seat P1",
        ),
        ("ja", "席P9はありません。空席：P2、P3", "すでにP1", "P1がシードに混ぜる値", "すでにP1"),
    ] {
        let name = format!("{lang}-host");
        let command = format!("play eitsuku --people 2 --seats 3 --lang {lang} --as {name}");
        let host = Running::start(shimekiri(&database.url, &command));
        let join = if lang == "en" { "join" } else { "着席" };
        let lines =
            [format!("{join} rain"), format!("{join} P9"), format!("{join} p1"), join.to_owned()];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let shown = all_of(host, &lines);
        let (before, behind) = shown.split_once(none).unwrap_or_else(|| panic!("{shown}"));
        let (_, value_after) = behind.split_once(own).unwrap_or_else(|| panic!("{shown}"));
        let line = |text: &str| text.lines().find(|line| line.contains(value)).map(str::to_owned);
        let entered = line(before).unwrap_or_else(|| panic!("{shown}"));
        assert!(value_after.contains(entered.trim()), "{shown}");
        tells(&[Said { lang, lines: &[&format!("{join} P1")], told: &[sits], untold: &[] }]).await;
        let command = format!("play eitsuku --seat P9 --seats 3 --lang {lang} --as {name}2");
        let (told, code) = Running::start(shimekiri(&database.url, &command)).end();
        assert!(told.contains("P1") && told.contains("P3") && !told.contains("P4"), "{told}");
        assert_eq!(code, Some(2));
    }
}

/// A locked table answers all input with the author, the time and the reason of the lock.
#[tokio::test]
async fn under_a_lock_it_is_told_who_locked_it_and_why() {
    for lock in ["gm lock", "gm lock stop clock"] {
        let lines = [
            lock,
            "gm yes a dispute",
            "seal",
            "OK",
            "3A",
            "why",
            "gm unlock",
            "gm yes settled",
            "3A",
        ];
        let told = [
            "The GM has locked this table, so this was not accepted.",
            "Locked by n0",
            "Reason: a dispute",
            "The GM has locked this table, so this was not accepted.",
            "The GM has locked this table, so this was not accepted.",
            "◆ Locked",
            "Locked by n0",
            "Reason: a dispute",
            "◆ Declaration (draft",
        ];
        let untold = ["Nothing is written", "it would close", "cannot be written"];
        tells(&[Said { lang: "en", lines: &lines, told: &told, untold: &untold }]).await;
    }
    let lines =
        ["gm ロック", "gm はい 確認中", "封", "3A", "裁定", "gm ロック解除", "gm はい 済み", "3A"];
    let told = [
        "この卓はGMがロックしているため",
        "ロックした人：n0",
        "理由：確認中",
        "この卓はGMがロックしているため",
        "◆ロック中",
        "ロックした人：n0",
        "◆宣言（下書き",
    ];
    let untold = ["まだ何も書いていません", "今そろえば"];
    tells(&[Said { lang: "ja", lines: &lines, told: &told, untold: &untold }]).await;
}

/// Standing orders can be given part by part, in any order, and withdrawn part by part.
#[tokio::test]
async fn an_order_is_given_and_taken_back_by_itself() {
    tells(&[
        Said {
            lang: "en",
            lines: &[
                "orders If struck: A, Chance: Keep",
                "orders If struck: none",
                "orders Chance none",
                "orders Chance none",
            ],
            told: &[
                "answer to the strike: A",
                "use or keep: Keep",
                "take one back: “orders If struck none”",
                "use or keep: Keep",
                "answer to the strike: no order",
                "use or keep: no order",
                "There is no order for “Chance”.",
            ],
            untold: &["cannot be written"],
        },
        Said {
            lang: "ja",
            lines: &[
                "指示 もしストライキなら：A、チャンス：温存",
                "指示 もしストライキなら なし",
                "取り下げ",
            ],
            told: &["ストライキへの応じ方：A", "ストライキへの応じ方：指示なし"],
            untold: &[],
        },
    ])
    .await;
}

/// Standing orders can pass on some reactions or on all others; a reaction without an order is asked about.
#[tokio::test]
async fn orders_let_pass_and_ask() {
    let rows = [
        Said {
            lang: "en",
            lines: &[
                "orders UNDERTAKER: MONEY, the rest passes",
                "orders GRENADE ask me",
                "orders FLASH BANG use",
                "orders React: FLASH BANG ask me",
                "orders GRENADE let pass",
            ],
            told: &[
                "UNDERTAKER, card picked up first: MONEY",
                "・The rest passes",
                "Let pass: HERO,",
                "React, GRENADE: no order",
                "“orders the rest passes” lets all of it pass",
                "React, FLASH BANG: FLASH BANG",
                "React, FLASH BANG: no order",
            ],
            untold: &["cannot be written", "unclear"],
        },
        Said {
            lang: "ja",
            lines: &[
                "指示 ほかは通す",
                "指示 GRENADE 尋ねる",
                "指示 グレネード 使う",
                "指示 GRENADE 通す",
            ],
            told: &["・ほかは通す", "対応 GRENADE：指示なし", "通す：HERO"],
            untold: &[],
        },
    ];
    tells_at("gangster_paradise --seed 3", &rows).await;
}

/// Unread input is quoted whole, with the reason.
#[tokio::test]
async fn what_cannot_be_read_is_told_whole_and_why() {
    tells(&[
        Said {
            lang: "ja", lines: &["でたらめ"], told: &["「でたらめ」"], untold: &["「たらめ」"]
        },
        Said {
            lang: "en",
            lines: &["3B Actor 5 else", "3A, else, else 3B"],
            told: &[
                "“else” needs something of the same part before and after it",
                "“else” needs something of the same part before and after it",
            ],
            untold: &["cannot be written here"],
        },
        Said {
            lang: "ja",
            lines: &["3B 役者5、だめなら"],
            told: &["「だめなら」の前と後の両方に"],
            untold: &[],
        },
        Said {
            lang: "en",
            lines: &["act ★9"],
            told: &["“★9” is not a word of the game."],
            untold: &["not asked now"],
        },
    ])
    .await;
}

/// Naming the same card again replaces its payment.
#[tokio::test]
async fn a_card_that_is_declared_again_has_no_payment_of_before() {
    for (lang, first, again, paid, left) in [
        ("en", "3B Actor 5 Small x5 Medium x1", "3B Actor 5", "Small×5", "largest first"),
        ("ja", "3B 役者5 小×5 中×1", "3B 役者5", "小×5", "大きい順"),
    ] {
        let lines = [first, again];
        tells(&[Said { lang, lines: &lines, told: &[paid, left], untold: &[] }]).await;
    }
}

/// A person's settings: shown by their name alone; faults are answered with valid input.
#[tokio::test]
async fn ones_settings_are_looked_at_by_their_name() {
    tells(&[
        Said {
            lang: "en",
            lines: &[
                "me quiet 23:00-7:00",
                "me quiet",
                "me zone",
                "me zone London",
                "me quiet late",
            ],
            told: &[
                "Quiet hours: 23:00-7:00",
                "Quiet hours: 23:00-7:00",
                "“me quiet 23:00-7:00”",
                "Time zone: the table's",
                "There is no time zone “London”. Did you mean Europe/London?",
                "“late” is no span of hours. Write it like 23:00-7:00",
            ],
            untold: &["word for the pace", "Write a pace"],
        },
        Said {
            lang: "ja",
            lines: &["個人設定 夜休み", "個人設定 時間帯 London", "個人設定 夜休み 遅く"],
            told: &[
                "夜休み（通知しない時間帯）：なし",
                "もしかして：Europe/London",
                "「遅く」は時間の範囲ではありません",
            ],
            untold: &["進行の言葉"],
        },
    ])
    .await;
}

/// Help explains each command well enough to use it, those of game masters too.
#[tokio::test]
async fn help_on_a_word_says_how_it_is_used() {
    tells(&[
        Said {
            lang: "en",
            lines: &[
                "help",
                "help more",
                "help me",
                "help orders",
                "help next",
                "help lock",
                "3A",
                "seal",
                "why 1",
                "why 99",
            ],
            told: &[
                "else …",
                "“help more” lists everything else",
                "  vote  Propose",
                "me zone Europe/Berlin",
                "orders PART: ANSWER",
                "next turn: 3A",
                "gm lock",
                "Turn 2",
                "[Ruling E4.2]",
                "There is no such window.",
            ],
            untold: &["is not a command", "Nothing can follow"],
        },
        Said {
            lang: "ja",
            lines: &["ヘルプ", "ヘルプ 個人設定", "ヘルプ 指示", "ヘルプ 次回", "ヘルプ ロック"],
            told: &[
                "だめなら",
                "個人設定 時間帯 Asia/Tokyo",
                "指示 部分：答え",
                "次の手番：3A",
                "gm ロック",
            ],
            untold: &["という言葉はありません"],
        },
    ])
    .await;
}

/// A pace can be changed in one part.
#[tokio::test]
async fn a_part_of_the_pace_is_changed_by_itself() {
    tells(&[
        Said {
            lang: "en",
            lines: &["gm pace no early"],
            told: &["+ "],
            untold: &["It does not say when windows close"],
        },
        Said {
            lang: "ja",
            lines: &["gm 進行 早締めなし"],
            told: &["+ "],
            untold: &["いつ締め切るのかが"],
        },
    ])
    .await;
}

/// A player who wants to leave a running game is shown the alternatives.
#[tokio::test]
async fn who_cannot_leave_is_told_what_they_can_do() {
    tells(&[
        Said {
            lang: "en",
            lines: &["leave", "3A"],
            told: &["you cannot leave your seat", "“substitute NAME +3d”", "“seal” submits it."],
            untold: &[],
        },
        Said {
            lang: "ja",
            lines: &["離席", "3A"],
            told: &["席を離れられません", "「代理 名前 +3日」", "「封」で提出できます。"],
            untold: &[],
        },
    ])
    .await;
}

/// An input of “else” alone adds to the declaration, and removes nothing.
#[tokio::test]
async fn what_is_said_behind_else_alone_takes_nothing_away() {
    tells(&[
        Said {
            lang: "en",
            lines: &["3B Actor 5", "else 3A", "else 3B Actor 1", "next 3A", "next else 3B Actor 5"],
            told: &[
                "・3B Actor 5 (budget",
                "largest first), else 3A\n",
                "largest first), else 3A, else 3B Actor 1\n",
                "◆ Declared ahead",
                "・3A, else 3B Actor 5\n",
            ],
            untold: &["needs something"],
        },
        Said {
            lang: "ja",
            lines: &["3B 役者5", "だめなら 3A", "次回 3A", "次回 だめなら 3B 役者5"],
            told: &["・3B 役者5", "、だめなら 3A\n", "・3A、だめなら 3B 役者5\n"],
            untold: &["両方に"],
        },
        // The part that the “else” belongs to is not declared.
        Said {
            lang: "en",
            lines: &["3B Actor 5", "else 4A", "else"],
            told: &["・3B Actor 5", "needs something", "nothing has changed", "needs something"],
            untold: &[],
        },
    ])
    .await;
    tells_at(
        GANG,
        &[
            Said {
                lang: "en",
                lines: &["★2", "else ★1"],
                told: &["・Wish ★2, else ★1\n"],
                untold: &["needs something"],
            },
            Said {
                lang: "ja",
                lines: &["★2", "だめなら ★1"],
                told: &["★2、だめなら ★1\n"],
                untold: &["両方に"],
            },
        ],
    )
    .await;
}

/// Parts stored as standing orders are listed, and so are those that cannot be.
#[tokio::test]
async fn what_counts_always_is_told() {
    tells(&[
        Said {
            lang: "en",
            lines: &["orders always", "3B Actor 5 4A 5A", "orders always"],
            told: &[
                "Nothing you have declared can be kept as an order.",
                "● Kept as orders\n  ・5: End phase, “end action”",
                "● Cannot be ordered (your declaration keeps it)\n  ・3: Set phase\n  ・4: Scout",
                "・5, end action: 5A",
            ],
            untold: &["withdraw like"],
        },
        Said {
            lang: "ja",
            lines: &["指示 いつも", "3B 役者5 5A", "指示 いつも"],
            told: &[
                "常時の指示にできることはありません",
                "●これからも使う部分\n　・5：",
                "●常時の指示にはできない部分",
                "　・3：",
            ],
            untold: &["取り下げる部分"],
        },
    ])
    .await;
}

/// No payment is asked for when nothing is to be paid.
#[tokio::test]
async fn no_payment_is_asked_where_nothing_is_to_be_paid() {
    tells(&[
        Said {
            lang: "en",
            lines: &["If struck: B"],
            told: &["If struck B"],
            untold: &["worth 0", "If struck, “budget cards", "Not used this time"],
        },
        Said {
            lang: "ja",
            lines: &["もしストライキなら: B"],
            told: &["もしストライキなら B"],
            untold: &["0コスト分", "今回は使わない"],
        },
    ])
    .await;
}

/// A window of immediate acts closes by itself, and takes no declarations in advance.
#[tokio::test]
async fn where_all_is_done_at_once_it_is_told_when_it_closes() {
    tells_at(
        LIVE_GANG,
        &[
            Said {
                lang: "en",
                lines: &["why", "next ★2", "what do I do"],
                told: &[
                    "It closes as soon as all are done (in a round of chips",
                    "there is nothing to declare ahead.",
                    "“help” lists what you can type",
                ],
                untold: &["before its deadline", "of the same kind"],
            },
            Said {
                lang: "ja",
                lines: &["裁定", "次回 ★2", "どうすればいい"],
                told: &[
                    "全員がチップを持ってOKを出すと",
                    "前もって書けることはありません",
                    "「ヘルプ」",
                ],
                untold: &["早締めはなく"],
            },
        ],
    )
    .await;
}

/// Help finds every command, and the answer to unread input mentions help.
#[tokio::test]
async fn help_is_found_by_every_word() {
    tells(&[
        Said {
            lang: "en",
            lines: &["help gm lock", "help else", "help always", "help Strike", "what do I do"],
            told: &[
                "gm lock  Accept nothing",
                "…, else …  What is done",
                "“orders always” keeps",
                "Every other player",
                "“what do I do” is not a word",
                "“help” lists what you can type",
            ],
            untold: &["is not a command"],
        },
        Said {
            lang: "ja",
            lines: &[
                "ヘルプ gm ロック",
                "ヘルプ だめなら",
                "ヘルプ 鍵",
                "ヘルプ いつも",
                "ヘルプ 席",
            ],
            told: &[
                "gm ロック　解除",
                "…、だめなら…",
                "gm ロック　解除",
                "「指示 いつも」で",
                "席",
            ],
            untold: &["という言葉はありません"],
        },
    ])
    .await;
    tells_at(
        GANG,
        &[Said {
            lang: "ja",
            lines: &["ヘルプ 指示", "★2", "封をする"],
            told: &["指示 部分：答え", "◆宣言（下書き", "◆宣言（封済み"],
            untold: &["ストライキ"],
        }],
    )
    .await;
}

/// A host's decision without its command, and a draw by one's own vote, do nothing at first.
#[tokio::test]
async fn what_decides_for_all_is_asked_about_first() {
    tells(&[
        Said {
            lang: "en",
            lines: &["lock", "unlock", "vote draw", "3A", "vote draw", "vote draw"],
            told: &[
                "the game ends as a draw at once, for good.",
                "・3A",
                "the game ends as a draw at once, for good.",
                "The vote has passed.",
            ],
            // Alone among bots nobody means a decision of a game master.
            untold: &["gm lock", "gm unlock"],
        },
        Said {
            lang: "ja",
            lines: &["ロック", "投票 引き分け", "3A", "投票 引き分け", "投票 引き分け"],
            told: &["引き分けで終わり", "・3A", "引き分けで終わり", "可決しました"],
            untold: &["gm ロック"],
        },
    ])
    .await;
}

/// A card with a wrong number is one fault.
#[tokio::test]
async fn a_card_that_there_is_not_is_told_in_one_sentence() {
    tells(&[
        Said {
            lang: "en",
            lines: &["next turn: 3B Composer 9"],
            told: &["Nothing is written yet.", "“Composer 9” is not a word of the game."],
            untold: &["“9” is not", "slot of the actor", "only if it is needed"],
        },
        Said {
            lang: "ja",
            lines: &["次の手番：3B 音楽家9"],
            told: &["「音楽家9」がわかりません"],
            untold: &["「9」が", "役者の枠"],
        },
    ])
    .await;
}

/// The reasons of rulings name their clauses in a line each, and a locked table waits for nobody.
#[tokio::test]
async fn why_is_short() {
    tells(&[Said {
        lang: "en",
        lines: &["3A", "seal", "why", "gm lock", "gm yes rest", "why"],
        told: &["◆ These clauses (to read one: “rules E4.3”)\n  ・E4.2 ", "locked"],
        untold: &["The die never replaces"],
    }])
    .await;
    let database = Database::fresh().await;
    let lines = ["gm lock", "gm yes rest", "why"];
    let shown = all_of(alone(&database.url, EITSUKU, "en", "kaede"), &lines);
    assert!(!shown.contains("Not submitted:"), "{shown}");
}

/// Gear is added word by word, a card is no mistyped command, and a note is read before a seal.
#[tokio::test]
async fn gear_adds_up_and_notes_come_before_a_seal() {
    tells_at(
        "guild_war --option 1v1 --seed 1",
        &[
            Said {
                lang: "en",
                lines: &[
                    "Swordfighter seal",
                    "Gear Soft Shoes",
                    "wear the Salve",
                    "remove Soft Shoes",
                    "Order first seal",
                    "mend P2",
                    "Salve me seal",
                    "pass seal",
                ],
                told: &[
                    "・Gear Soft Shoes\n・Gear#2 Salve\n",
                    "・Gear Salve\n“seal”",
                    "Receipt: ",
                    "“mend” is not a word of the game.",
                    "・Act Salve n0\n● Notes (it can be sealed as it is)\n  ・Salve heals nothing (W12.3): HP is full.",
                    "the bot plays one for it (W2.2)",
                ],
                untold: &["・Act Salve n0\n\nReceipt", "Did you mean “end”", "frame 1, second step"],
            },
            Said {
                lang: "ja",
                lines: &[
                    "剣士 封",
                    "装備 柔らかい靴",
                    "装備 傷薬",
                    "外す 柔らかい靴",
                    "順番 先攻 封",
                    "傷薬 自分 封",
                    "休む 封",
                ],
                told: &[
                    "・装備 柔らかい靴\n・装備#2 傷薬\n",
                    "・装備 傷薬\n「封」",
                    "「傷薬」では回復しません（W12.3）：HPは満タンです。",
                    "Botが代わりに1枚使います（W2.2）",
                ],
                untold: &[],
            },
        ],
    )
    .await;
}

/// The table of タッグルールG, with the same cards every time.
const TAG_G: &str = "tag_g --seed 3";

/// A word that would withdraw the draft declines behind a question, and a withdrawal names what is withdrawn.
#[tokio::test]
async fn a_question_is_declined_without_the_draft_and_a_withdrawal_is_told() {
    tells_at(
        TAG_G,
        &[
            Said {
                lang: "en",
                lines: &[
                    "Order first",
                    "My deck: Hiiragi, Daimon, 3 Parry",
                    "seal",
                    "cancel",
                    "deck check",
                    "withdraw order#2",
                    "withdraw order",
                    "undo",
                    "deck check",
                ],
                told: &[
                    "type “seal” again",
                    "All right, nothing has changed.",
                    "a deck has one character card only",
                    "Nothing is declared in “order#2”.",
                    "● Withdrawn: Order: first\n",
                    "● Withdrawn: My deck: “Hiiragi, Daimon, 3 Parry”\n",
                    "You have not declared a deck of your own yet.",
                ],
                untold: &["at most 1 copy"],
            },
            Said {
                lang: "ja",
                lines: &[
                    "順番 先攻",
                    "自作デッキ：ヒイラギ、3 受け流し",
                    "封",
                    "やめる",
                    "取り下げ 順番",
                ],
                told: &[
                    "もう一度「封」",
                    "わかりました。何も変更していません。",
                    "●取り下げました：順番: 先攻\n",
                ],
                untold: &[],
            },
        ],
    )
    .await;
}

/// All cards are listed by their kind, in either language.
#[tokio::test]
async fn all_cards_are_listed_by_their_kind() {
    tells_at(
        TAG_G,
        &[
            Said {
                lang: "en",
                lines: &["card all"],
                told: &[
                    "● Character\n",
                    "● Fight card (attack)\n  ・Probing Jab: speed 5",
                    "● Item (equipment)\n",
                ],
                untold: &[],
            },
            Said {
                lang: "ja",
                lines: &["カード 全部"],
                told: &["●格闘（攻撃）\n・【牽制の突き】", "●魔法（召喚）\n"],
                untold: &["というカードはありません"],
            },
        ],
    )
    .await;
}

#[tokio::test]
async fn after_a_game_another_begins_with_yes() {
    tells(&[
        Said {
            lang: "en",
            lines: &["end", "end", "yes please", "quit"],
            told: &["was ended early", "Another table? (yes or no)", "“rules” tells", "You leave"],
            untold: &[],
        },
        Said {
            lang: "ja",
            lines: &["打ち切り", "打ち切り", "いいえ"],
            told: &["途中で", "もう1卓遊びますか（はい・いいえ）。"],
            untold: &["を離れます"],
        },
    ])
    .await;
}

/// "Cancel" behind a half-written act gives up the act alone.
#[tokio::test]
async fn a_half_written_act_is_given_up_without_the_draft() {
    let lines = &["seal", "seal", "Let pass", "concede", "cancel", "declare"];
    tells_at(
        "tag_g --seed 7",
        &[Said {
            lang: "en",
            lines,
            told: &["All right, nothing has changed", "Answer Let pass"],
            untold: &["Withdrawn"],
        }],
    )
    .await;
}

/// The cards with a part in their names are listed.
#[tokio::test]
async fn cards_are_found_by_a_part_of_their_names() {
    tells_at(
        "tag_g --seed 7",
        &[
            Said { lang: "en", lines: &["card sword"], told: &["Iron Sword (T3.5)"], untold: &[] },
            Said {
                lang: "ja",
                lines: &["カード 水"],
                told: &["名前に「水」を含むカード", "水の矢"],
                untold: &[],
            },
        ],
    )
    .await;
}

/// A second "seal" does not submit an empty declaration in a window that the first has opened.
#[tokio::test]
async fn a_seal_typed_twice_passes_no_window_unread() {
    tells_at(
        "tag_g --seed 7",
        &[Said {
            lang: "en",
            lines: &["Order first", "seal", "seal"],
            told: &["Receipt", "Nothing is written yet"],
            untold: &[],
        }],
    )
    .await;
}

/// An order is read as the list names it, with the colon or without; a deck is found by its beginning.
#[tokio::test]
async fn an_order_is_read_as_it_is_listed() {
    tells_at(
        "tag_g --seed 7",
        &[
            Said {
                lang: "en",
                lines: &[
                    "orders Answer, block from damage 1",
                    "orders Answer, defend from damage: 2",
                    "orders Answer, answer to the attack: let pass",
                    "orders",
                    "Deck Homura",
                ],
                told: &[
                    "Answer, block from damage: 1",
                    "Answer, defend from damage: 2",
                    "Let pass: Answer, answer to the attack",
                    "Homura's Wildfire",
                ],
                untold: &[],
            },
            Said {
                lang: "ja",
                lines: &["指示 対応 ブロックするダメージ：1"],
                told: &["対応 ブロックするダメージ：1"],
                untold: &["変わっていません"],
            },
        ],
    )
    .await;
}
