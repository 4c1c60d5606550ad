//! Faulty input: one clear sentence names the fault, its place and its remedy in the reader's language, and
//! no earlier declaration is lost.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use desk::check_letters;
use games::any::AnyContest;
use games::eitsuku::edition::{self, Edition};
use games::find;
use letters::story;
use letters::{ClosingTimes, Echoed, Letters, Reader, UnreadPiece};
use rules::text::{self, Lang, Lexicon, Words};
use rules::{BySeat, Declaration, Dice, Seat, Viewer};
use serde_json::json;

/// An input in both languages, with the essential words of the answers.
struct Case {
    typed: [&'static str; 2],
    told: [&'static [&'static str]; 2],
}

const fn case(
    [ja, told_ja]: [&'static [&'static str]; 2],
    [en, told_en]: [&'static [&'static str]; 2],
) -> Case {
    Case { typed: [ja[0], en[0]], told: [told_ja, told_en] }
}

/// The seed with which P1 holds 役者1, 役者5, ストライキ and プロモーターの介入, and 5 小 and 2 中.
const SEED: &str = "10715";

/// Inputs for the hand above, after `4B`.
const TYPED: &[Case] = &[
    // A card that does not exist.
    case(
        [
            &["2: ストライカ"],
            &["2：アクションフェイズ", "ストライカ", "わかりません", "ストライキ"],
        ],
        [&["2: Striker"], &["2: Action phase", "Striker", "not a word", "Strike"]],
    ),
    // A phase that does not exist.
    case(
        [&["7: 3A"], &["「7:」", "どの部分", "「3」"]],
        [&["7: 3A"], &["“7:”", "which part", "“3”"]],
    ),
    // A slot that does not exist.
    case(
        [&["2: プロモーターの介入 P1 主円 6"], &["2：アクションフェイズ", "主円", "主演"]],
        [&["2: Promoter P1 Laed 6"], &["2: Action phase", "Laed", "Lead"]],
    ),
    // A player who does not exist.
    case(
        [&["2: プロモーターの介入 P9 主演 6"], &["2：アクションフェイズ", "P9", "P3"]],
        [&["2: Promoter P9 Lead 6"], &["2: Action phase", "P9", "P3"]],
    ),
    case(
        [&["2: プロモーターの介入 P13 主演 6"], &["2：アクションフェイズ", "P13"]],
        [&["2: Promoter P13 Lead 6"], &["2: Action phase", "P13"]],
    ),
    // Cards that are not held.
    case(
        [&["2: タイアップ"], &["配置するイベント", "タイアップキャンペーン", "手札", "E4.4"]],
        [&["2: Tie-in"], &["event to place", "Tie-in Campaign", "not in your hand", "E4.4"]],
    ),
    case(
        [&["3B 役者6"], &["配置する役割", "役者6", "手札", "E4.4"]],
        [&["3B Actor 6"], &["role to place", "Actor 6", "not in your hand", "E4.4"]],
    ),
    case(
        [&["3B 役者5 大×2"], &["破棄する予算", "大", "0枚"]],
        [&["3B Actor 5, Large x 2"], &["budget cards to destroy", "Large", "only 0"]],
    ),
    // Too few funds.
    case(
        [&["3B 役者5 小×2"], &["足りません", "コストは7", "2コスト分"]],
        [&["3B Actor 5, Small x 2"], &["too small", "cost is 7", "worth 2"]],
    ),
    // Six budget cards.
    case(
        [&["3B 役者5 小×6"], &["多すぎます", "5枚まで", "6枚"]],
        [&["3B Actor 5, Small x 6"], &["too many", "At most 5", "6 are named"]],
    ),
    // A release without the roles.
    case(
        [&["5B 夜明け"], &["5：エンドフェイズ", "「5B」は選べません", "E3.8", "役割"]],
        [&["5B Dawn"], &["5: End phase", "5B cannot be chosen", "E3.8", "roles"]],
    ),
    // The same section twice.
    case([&["3A 3A"], &["「3A」", "できる回数を超え"]], [&["3A 3A"], &["“3A”", "too many times"]]),
    // Numbers out of range.
    case(
        [&["2: プロモーターの介入 P1 主演 9"], &["宣言する数字", "1から6", "9", "E5.14"]],
        [&["2: Promoter P1 Lead 9"], &["number declared", "from 1 to 6", "9", "E5.14"]],
    ),
    case(
        [&["2: プロモーターの介入 P1 主演 99999999999999999999"], &["宣言する数字", "1から6"]],
        [&["2: Promoter P1 Lead 99999999999999999999"], &["number declared", "from 1 to 6"]],
    ),
    // Control characters, and bidirectional control characters.
    case(
        [&["\u{202e}2: ス\u{7}\u{1b}[2Jカ"], &["何も変更していません"]],
        [&["\u{202e}2: Stri\u{7}\u{1b}[2Jkerx"], &["nothing has changed"]],
    ),
];

/// Runs the program. Returns its output, its complaints, and its exit code.
fn run(words: &[&str], typed: &[u8]) -> (String, String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let database = format!("sqlite:{}", file.display());
    let mut command = Command::new(kit::program::path());
    let command = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    let command = command.env("SHIMEKIRI_DATABASE_URL", database);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let typed = typed.to_owned();
    let writer = std::thread::spawn(move || {
        // The program may stop reading after a fault.
        let _ = stdin.write_all(&typed);
    });
    let ended = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let opens_table = !words.iter().any(|word| ["--resume", "--table"].contains(word));
    if ended.status.code() == Some(2) && opens_table {
        assert!(!file.exists(), "a misuse creates no database: {words:?}");
    }
    let (out, complaints) = (String::from_utf8(ended.stdout), String::from_utf8(ended.stderr));
    (out.unwrap(), complaints.unwrap(), ended.status.code().unwrap())
}

/// Returns the answer of `play` to the last of these lines.
fn answer(lang: Lang, lines: &[u8]) -> String {
    let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
    let (out, complaints, code) = run(&words, lines);
    assert_eq!((complaints.as_str(), code), ("", 0));
    let at = out.rfind('◆').unwrap();
    out[at..].to_owned()
}

pub(crate) fn check(what: &str, told: &str, words: &[&str]) {
    for word in words {
        assert!(told.contains(word), "{what:?}: {word:?} is not in\n{told}");
    }
}

#[test]
fn what_is_typed_wrongly_is_told_and_nothing_is_lost() {
    for case in TYPED {
        for (index, lang) in [Lang::Ja, Lang::En].into_iter().enumerate() {
            let typed = case.typed[index];
            let told = answer(lang, format!("4B\n{typed}\n").as_bytes());
            check(typed, &told, case.told[index]);
            check(typed, &told, &["・4B"]);
            assert!(!told.contains(['\u{7}', '\u{1b}', '\u{202e}']), "{told:?}");
            // The texts contain no words of the other language.
            let foreign = [&["cannot", "is not a word"][..], &["ません", "です"]][index];
            assert!(!foreign.iter().any(|word| told.contains(word)), "{told}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told() {
    for (lang, words) in [(Lang::Ja, "何も変更していません"), (Lang::En, "nothing has changed")]
    {
        let told = answer(lang, b"4B\n3A\n2: \xff\xfe\x80abc\n");
        check("bytes", &told, &[words, "・4B", "・3A"]);
    }
}

#[test]
fn a_hundred_thousand_bytes_are_told_and_nothing_is_lost() {
    let all = 100_000;
    for (lang, word, bytes) in [
        (Lang::Ja, "ん", all),
        (Lang::Ja, "役者、", all),
        (Lang::Ja, "役者", 10_000),
        (Lang::En, "x", all),
        (Lang::En, "3B ", all),
    ] {
        let long = word.repeat(bytes / word.len());
        let told = answer(lang, format!("4B\n2: {long}\n").as_bytes());
        check(word, &told, &["・4B"]);
    }
}

#[test]
fn a_seal_on_a_fault_is_asked_about_once() {
    for (lang, typed, words) in [
        (Lang::Ja, "3B 役者6\nseal\n", ["不備", "もう一度"]),
        (Lang::En, "3B Actor 6\nseal\n", ["Invalid", "again"]),
    ] {
        let (out, _, _) =
            run(&["play", "eitsuku", "--lang", lang.code(), "--seed", SEED], typed.as_bytes());
        check(typed, &out, &words);
    }
}

#[test]
fn what_is_not_there_cannot_be_withdrawn() {
    for (lang, typed, words) in [
        (Lang::Ja, "3A\n取り下げ\n取り下げ\n", "取り下げる宣言はありません"),
        (Lang::En, "3A\nwithdraw\nwithdraw\n", "no declaration to withdraw"),
    ] {
        let (out, _, code) =
            run(&["play", "eitsuku", "--lang", lang.code(), "--seed", SEED], typed.as_bytes());
        check(typed, &out, &[words]);
        assert_eq!((out.matches(words).count(), code), (1, 0), "{out}");
    }
}

#[test]
fn a_clause_that_does_not_exist_is_told() {
    for (lang, words) in [(Lang::Ja, ["E9.9", "E4.3"]), (Lang::En, ["E9.9", "E4.3"])] {
        let words = words.as_slice();
        let (out, _, _) =
            run(&["play", "eitsuku", "--lang", lang.code(), "--seed", SEED], b"rules E9.9\n");
        check("rules E9.9", &out, words);
    }
}

#[test]
fn a_clause_is_told_in_one_language() {
    let told = [
        (Lang::Ja, "E4.7 裁定\n", "覆す事が出来る", "override"),
        (Lang::En, "E4.7 Rulings\n", "override", "覆す"),
    ];
    for (lang, head, own, other) in told {
        let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
        let (out, _, _) = run(&words, "rules E4.7\n".as_bytes());
        let clause = &out[out.find("E4.7 ").unwrap()..];
        assert!(clause.starts_with(head) && clause.contains(own), "{clause}");
        assert!(!clause.contains(other), "{clause}");
    }
}

/// Inputs at a table with live chips, with their answers.
#[test]
fn what_is_done_at_once_is_told_by_examples_of_the_game_in_play() {
    for (lang, example, other, said) in [
        (Lang::Ja, "・実行 取る ★", "役者5", "「黄色の★1」は読み取っていません。"),
        (Lang::En, "・act Take ★", "Actor 5", "“yellow ★1” was not read"),
    ] {
        let words = ["play", "the_gang", "--lang", lang.code(), "--option", "chips=live"];
        let yellow = if lang == Lang::Ja { "黄色の★1" } else { "yellow ★1" };
        let (out, _, _) = run(&words, format!("act\n{yellow}\nhelp\ngm\n").as_bytes());
        assert!(out.contains(example) && out.contains(said) && out.contains("★3"), "{out}");
        assert!(!out.contains(other) && !out.contains("E4.3"), "{out}");
    }
}

/// Input after a command without arguments is refused, with sealed and with live chips.
#[test]
fn what_stands_behind_a_word_that_takes_nothing_is_told() {
    for chips in ["chips=live", "chips=sealed"] {
        for (lang, typed, words) in [
            (
                Lang::Ja,
                "手札 1\n記録 x\n",
                ["「手札」には続けて書けません", "「記録」には続けて書けません"],
            ),
            (
                Lang::En,
                "hand 1\nlog x\n",
                ["Nothing can follow “hand”", "Nothing can follow “log”"],
            ),
        ] {
            let words_of = ["play", "the_gang", "--lang", lang.code(), "--option", chips];
            let (out, _, _) = run(&words_of, typed.as_bytes());
            check(typed, &out, &words);
        }
    }
}

/// A mistyped command declares nothing.
#[test]
fn a_mistyped_command_is_asked_about_and_nothing_is_declared() {
    for (lang, typed, told) in [
        (Lang::Ja, "締切り", "もしかして：締切"),
        (Lang::Ja, "clsoe", "もしかして：close"),
        (Lang::En, "clsoe", "Did you mean “close”?"),
        (Lang::En, "hnad please", "Did you mean “hand”?"),
    ] {
        let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
        let (out, _, code) = run(&words, format!("4B\n{typed}\ncards\nexit\n3A\n").as_bytes());
        check(typed, &out, &[told]);
        // The declaration is shown when it is made, and once more beside the hand.
        assert_eq!((out.matches("・4B").count(), code), (2, 0), "{out}");
        assert!(!out.contains("・3A"), "who has left says nothing more: {out}");
    }
    // A word of the game is more similar to another word of the game.
    check("Actr", &answer(Lang::En, b"4B\n3B Actr 5\n"), &["・4B", "Actr", "Actor"]);
}

/// Every chip that can be taken is shown in one line.
#[test]
fn all_that_can_be_done_at_once_is_told_in_a_line_each() {
    for (lang, line) in [
        (Lang::Ja, "・実行 取る ★1（取るチップ：★1、★2、★3）\n"),
        (Lang::En, "・act Take ★1 (chip to take: ★1, ★2, ★3)\n"),
    ] {
        let words = ["play", "the_gang", "--seats", "3", "--option", "chips=live"];
        let words = [&words[..], &["--lang", lang.code()]].concat();
        let (out, _, _) = run(&words, b"act\n");
        check("act", &out, &[line]);
    }
}

/// A correction is shown as a sentence; one without effect is refused.
#[test]
fn a_correction_is_told_as_a_sentence() {
    for (lang, typed, told) in [
        (
            Lang::Ja,
            "gm 訂正 チップ配置 P1\ngm 訂正 ホールカード P1 ♠A ♠K\n",
            [
                "「チップ配置」は、それだけでは何も変わらない",
                "訂正します：P1のホールカードを♠A、♠Kにする。",
            ],
        ),
        (
            Lang::En,
            "gm edit chips: P1\ngm edit pocket: P1 ♠A ♠K vaults: 1\n",
            [
                "“Chips” alone would change nothing",
                "corrected: the pocket of P1 is ♠A, ♠K; the number of gold vaults is 1.",
            ],
        ),
    ] {
        let words = ["play", "the_gang", "--lang", lang.code()];
        let (out, _, _) = run(&words, typed.as_bytes());
        check(typed, &out, &told);
    }
}

/// A game master's declaration for a player is shown as a dry run, and can be dropped.
#[test]
fn what_would_be_declared_is_shown_and_can_be_dropped() {
    for (lang, lines, told) in [
        (
            Lang::Ja,
            "gm 代理宣言 P2 3A\ngm いいえ\ngm はい 雨\n",
            ["→ 3A", "取り消しました", "実行する操作がまだ"],
        ),
        (
            Lang::En,
            "gm declare P2 3A\ngm no\ngm yes rain\n",
            ["→ 3A", "Discarded", "no action to carry out yet"],
        ),
    ] {
        let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
        let (out, _, _) = run(&words, lines.as_bytes());
        check(lines, &out, &told);
    }
}

/// Inputs after `gm` of the host, at the same table.
const DECIDED: &[Case] = &[
    case(
        [&["gm 延調 22:00"], &["「延調」というGM操作はありません", "延長"]],
        [&["gm extnd 22:00"], &["no GM action “extnd”", "extend"]],
    ),
    case(
        [&["gm 延長"], &["「延長」の後には時刻", "11/24 22:00", "2時間"]],
        [&["gm extend"], &["“extend” needs a time", "11/24 22:00", "+2h"]],
    ),
    case(
        [&["gm 延長 30:00"], &["「30:00」は時刻として読み取れません", "22:00"]],
        [&["gm extend 30:00"], &["“30:00” cannot be read as a time", "22:00"]],
    ),
    case(
        [&["gm 延長 -3時間"], &["「-3時間」は時刻として読み取れません"]],
        [&["gm extend -3h"], &["“-3h” cannot be read as a time"]],
    ),
    case(
        [&["gm 延長 2020-01-01 22:00"], &["すでに過去"]],
        [&["gm extend 2020-01-01 22:00"], &["already passed"]],
    ),
    case(
        [&["gm 飛ばし P9"], &["「P9」という席", "P4"]],
        [&["gm skip P9"], &["no seat “P9”", "P4"]],
    ),
    case(
        [&["gm 締切 今"], &["「今」は余分", "締切"]],
        [&["gm close now"], &["“now” cannot follow", "close"]],
    ),
    case(
        [&["gm ダイス P2 6"], &["GMにも見えません", "開封"]],
        [&["gm die P2 6"], &["Dice are hidden from GMs", "open"]],
    ),
    case(
        [&["gm 飛ばし 前回 P2"], &["締め切られた受付がまだない"]],
        [&["gm skip last P2"], &["No window has closed"]],
    ),
    case(
        [&["gm 差し戻し P2 9"], &["「9」という部分", "3", "4"]],
        [&["gm return P2 9"], &["no part “9”", "3, 4"]],
    ),
    case(
        [&["gm 招待 P2"], &["「招待」の後には席と、頼む人の名前", "招待 P2 楓"]],
        [&["gm invite P2"], &["“invite” needs a seat and the name", "invite P2 kaede"]],
    ),
    case(
        [&["gm 募集取消 P2"], &["募集中ではありません"]],
        [&["gm recall P2"], &["No replacement is wanted for that seat"]],
    ),
    case([&["gm 退席 P2"], &["人はいません"]], [&["gm kick P2"], &["No player has that seat"]]),
    case([&["gm 決定 P2 3A 3Z"], &["3Z"]], [&["gm choose P2 3A 3Z"], &["3Z"]]),
    case(
        [&["gm 訂正"], &["ゲームの言葉で", "　手札：", "　没収："]],
        [&["gm edit"], &["in the words of the game", "  Give:"]],
    ),
    case(
        [&["gm 訂正 破棄: P2"], &["「破棄: P2」で始まる訂正はありません", "　手札："]],
        [&["gm edit discard: P2"], &["no correction “discard: P2”", "  Give:"]],
    ),
    case([&["gm 訂正 手札: P2 巨×1"], &["巨"]], [&["gm edit give: P2 Huge×1"], &["Huge"]]),
    case(
        [&["gm 巻き戻し 99"], &["戻れる受付に「99」はありません", "第1回受付"]],
        [&["gm rollback 99"], &["no window “99”", "window 1, "]],
    ),
    case(
        [&["gm 取消 5"], &["GM操作はまだありません"]],
        [&["gm undo 5"], &["There have been none yet"]],
    ),
    case(
        [&["gm ハウス P2 強い"], &["「強い」", "greedy"]],
        [&["gm house P2 clever"], &["“clever”", "greedy"]],
    ),
    case(
        [&["gm 交代 P2 P1"], &["「P1」は名前にできません"]],
        [&["gm replace P2 P1"], &["“P1” cannot be a name"]],
    ),
    case(
        [&["gm はい 雨なので"], &["実行する操作がまだありません", "gm 延長"]],
        [&["gm yes it rains"], &["no action to carry out yet", "gm extend"]],
    ),
    case(
        [&["gm いいえ"], &["実行する操作がまだありません", "gm 延長"]],
        [&["gm no"], &["no action to carry out yet", "gm extend"]],
    ),
];

/// Inputs after `vote` of a player among bot players.
const VOTED: &[Case] = &[
    case(
        [&["投票 延調"], &["「延調」は投票の言葉ではありません", "延長", "賛成"]],
        [&["vote extnd"], &["“extnd” is not a word for votes", "extend", "yes"]],
    ),
    case(
        [&["投票 休止"], &["いつまでかが書かれていません", "3日"]],
        [&["vote pause"], &["time is missing", "3d"]],
    ),
    case(
        [&["投票 延長 30:00"], &["「30:00」は時刻ではありません", "22:00"]],
        [&["vote extend 30:00"], &["“30:00” cannot be read as a time", "22:00"]],
    ),
    case([&["投票 休止 90日"], &["30日まで"]], [&["vote pause 90d"], &["30 days at most"]]),
    case(
        [&["投票 交代 P9"], &["「P9」という席", "P4"]],
        [&["vote replace P9"], &["no seat “P9”", "P4"]],
    ),
    case(
        [&["投票 交代"], &["どの席かが書かれていません", "P4"]],
        [&["vote replace"], &["seat is missing", "P4"]],
    ),
    case([&["投票 交代 1"], &["あなた自身の席"]], [&["vote replace 1"], &["your own seat"]]),
    case([&["投票 賛成"], &["投票は開いていません"]], [&["vote yes"], &["no such vote"]]),
    case([&["投票"], &["3分の2", "投票 休止 3日"]], [&["vote"], &["two thirds", "vote pause 3d"]]),
];

#[test]
fn what_says_nothing_of_a_vote_is_told_and_nothing_is_voted() {
    for (index, lang) in [Lang::Ja, Lang::En].into_iter().enumerate() {
        let lines: Vec<&str> = VOTED.iter().map(|case| case.typed[index]).collect();
        let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
        let (out, complaints, code) =
            run(&words, format!("{}\ngm log\n", lines.join("\n")).as_bytes());
        assert_eq!((complaints.as_str(), code), ("", 0));
        for case in VOTED {
            check(case.typed[index], &out, case.told[index]);
        }
        let nothing = ["この卓のGM操作はまだありません。", "no GM actions at this table."];
        check("gm log", &out, &[nothing[index]]);
    }
}

#[test]
fn a_decision_that_is_none_is_told_and_nothing_is_decided() {
    for (index, lang) in [Lang::Ja, Lang::En].into_iter().enumerate() {
        let lines: Vec<&str> = DECIDED.iter().map(|case| case.typed[index]).collect();
        let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
        let (out, complaints, code) =
            run(&words, format!("{}\ngm log\n", lines.join("\n")).as_bytes());
        assert_eq!((complaints.as_str(), code), ("", 0));
        for case in DECIDED {
            check(case.typed[index], &out, case.told[index]);
        }
        let nothing = ["この卓のGM操作はまだありません。", "no GM actions at this table."];
        check("gm log", &out, &[nothing[index]]);
    }
}

// --- A position that must be built ---

fn read(
    contest: &dyn AnyContest,
    said: &str,
    form: &dyn Fn(&Declaration) -> rules::Interview,
) -> text::Reading {
    let names = BySeat::new(contest.seats(), |_| Vec::new());
    text::read(said, &Declaration::default(), form, &Words::new(eitsuku_words(), &names))
}

fn eitsuku_words() -> &'static Lexicon {
    find("eitsuku").unwrap().lexicon()
}

/// Returns the echo of a declaration of P1 at a table of three, after these moves of the GM's.
fn echo(lang: Lang, moves: &[&str], said: &str) -> String {
    let game = find("eitsuku").unwrap();
    let mut contest = game.bare(&json!({}), 3, Dice::new([0; 32], "bad-input")).unwrap();
    for line in moves {
        let reading = read(&*contest, line, &|draft| contest.rehearse(draft, Viewer::All));
        assert_eq!(reading.misread, [], "{line}");
        contest.amend(&reading.declaration).unwrap();
    }
    let seat = Seat::new(0);
    let reading = read(&*contest, said, &|draft| contest.interview(seat, draft));
    let unread: Vec<UnreadPiece> = reading.misread.iter().map(UnreadPiece::from).collect();
    let interview = contest.interview(seat, &reading.declaration);
    let mut echoed = Echoed::of(&interview, ClosingTimes::default());
    echoed.unread = &unread;
    Letters::built_in().write(&Reader::new(game, lang), &echoed).unwrap()
}

#[test]
fn who_has_released_cannot_be_aimed_at_and_that_is_told() {
    let moves = [
        "ターン 4",
        "配置 P2 主演 役者3",
        "配置 P2 脚本家 脚本家2",
        "配置 P2 音楽家 音楽家1",
        "配置 P2 演出家 演出家1",
        "設置 P2 ストライキ",
        "設置 P3 巻きを入れる",
        "公開 P2 3",
        "手札 P1 プロモーターの介入",
        "設置 P1 方針転換",
    ];
    let cases = [
        (
            Lang::Ja,
            "4B\n2: プロモーターの介入 P2 主演 6",
            ["対象のプレイヤー", "P2", "選べるもの：P1、P3"],
        ),
        (Lang::En, "4B\n2: Promoter P2 Lead 6", ["player aimed at", "P2", "Options: P1, P3"]),
        (Lang::Ja, "4B\n方針転換で P2 ストライキ", ["方針転換の使用", "P2", "選べるもの：P3"]),
        (Lang::En, "4B\nChange plan P2 Strike", ["Use of Change of Plan", "P2", "Options: P3"]),
    ];
    for (lang, said, words) in cases {
        let told = echo(lang, &moves, said);
        check(said, &told, &words);
        check(said, &told, &["・4B"]);
    }
}

// --- Files ---

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let of_process = format!("shimekiri-bad-input-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(of_process);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The temporary folder is the place for files that cannot be removed.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the number, from 1, of the first line with this prefix.
fn line_of(text: &str, start: &str) -> usize {
    text.lines().position(|line| line.starts_with(start)).unwrap() + 1
}

#[test]
fn a_wrong_number_in_the_data_is_told_with_its_line_and_clause() {
    let (file, text) = edition::FILE;
    let cases = [
        ("most = 6", "most = 9", "[players]", "E1.1"),
        ("role_copies = [3,", "role_copies = [4,", "role_copies", "E1.3"),
        ("event_copies = 4", "event_copies = 5", "event_copies", "E1.3"),
        ("die = [\"actor\", ", "die = [", "die", "E1.4"),
        ("turns = 12", "turns = 13", "turns", "E2.1"),
        ("late = -5", "late = \"five\"", "late", "expected"),
        ("tie_in = 10", "tie_inn = 10", "tie_inn", "tie_in"),
        ("large = 6", "large = -6", "large = -6", "-6"),
    ];
    for (right, wrong, line, word) in cases {
        assert!(text.contains(right), "{right}");
        let wrong = text.replace(right, wrong);
        let told = Edition::parse(file, &wrong).unwrap_err().to_string();
        check(right, &told, &[&format!("{file}:{}: ", line_of(&wrong, line)), word]);
    }
}

#[test]
fn a_word_that_stands_twice_is_told_with_its_line() {
    let file = "data/eitsuku/words.toml";
    let text = fs::read_to_string(file).unwrap();
    let rush = text.lines().find(|line| line.starts_with("rush = ")).unwrap();
    let cases = [
        ("\"巻き\"", "\"タイアップ\"", vec!["タイアップ", "tie-in", "rush"]),
        ("\"Rush\"", "\"Tie in\"", vec!["Tie in", "tie-in", "rush"]),
        ("rush = ", "tie-in = ", vec!["duplicate"]),
    ];
    for (right, wrong, words) in cases {
        let wrong = text.replacen(rush, &rush.replacen(right, wrong, 1), 1);
        let told = Lexicon::parse(file, &wrong).unwrap_err().to_string();
        check(right, &told, &[&format!("{file}:{}: ", line_of(&text, "rush = "))]);
        check(right, &told, &words);
    }
}

#[test]
fn a_fault_in_an_operators_template_is_told_with_its_line() {
    for lang in Lang::ALL {
        let folder = Folder::new(&format!("template-{lang}"));
        let name = format!("desk/{lang}/goodbye.md");
        let file = folder.file(&name, "one\ntwo\n{{ sead }}\n");
        let letters = Letters::with_folder(&folder.0).unwrap();
        let told: Vec<String> = check_letters(&letters).iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|fault| fault.starts_with(&format!("{file}:3: "))), "{told:?}");
        let file = folder.file(&name, "one\n{% if %}\n");
        let told = Letters::with_folder(&folder.0).unwrap_err().to_string();
        check("no template", &told, &[&format!("{file}:2: ")]);
    }
}

const STORY: &str = "# One.\nclauses: E3.1\nseats: 2\n\nP1:\n  3A\n  4B\nP2:\n  3A\n  4B\nclose\n";

#[test]
fn a_file_that_is_no_story_is_told_with_its_line() {
    let cases = [
        ("seats: 2", "saets: 2", "3: \"saets\" is no header; headers are", "seats"),
        ("seats: 2", "seats: many", "3: \"many\" is no number", "seats"),
        ("seats: 2", "seats: 99", "3: \"99\" is no number", "seats"),
        ("seats: 2", "seats: 2\nlang: fr", "4: \"fr\" is no language", "ja and en"),
        ("seats: 2", "seats: 2\ndeal: x", "4: \"x\" is no seed", "number"),
        ("seats: 2", "seats: 2\nruling:", "4: a ruling is quoted", "word for word"),
        ("seats: 2", "seats: 2\noption: hands", "4: an option", "NAME = VALUE"),
        ("seats: 2", "seats: 2\n  3A", "4: nothing above", "takes it"),
        ("P2:", "P7:", "8: \"P7\" is no seat", "2"),
        ("P2:", "P1:", "8: P1 declares twice", "once"),
        ("P2:", "P2: -", "9: `P1: -` declares nothing", "nothing follows"),
        ("close", "force P1 3.set\nclose", "11: decided in advance", "P1 3.set 3A"),
        ("close", "clos", "11: \"clos\" opens nothing", "close"),
    ];
    for (right, wrong, told, word) in cases {
        let file = "tests/stories/eitsuku/some.txt";
        let fault = story::parse(file, &STORY.replacen(right, wrong, 1)).unwrap_err().to_string();
        check(wrong, &fault, &[&format!("{file}:{told}"), word]);
    }
}

#[test]
fn a_story_that_breaks_off_keeps_what_it_did_not_come_to() {
    let folder = Folder::new("story");
    let later = "P1: 3A 4B 5A\nP2: 3A 4B 5A\nclose\n  = P1 手札 小9 中9 大9 | - | -\n";
    let broken = STORY.replacen("  3A", "  3A\n  ????x", 1);
    let file = folder.file("eitsuku/broken.txt", &format!("{broken}{later}"));
    let (out, _, code) = run(&["story", "--update", &file], b"");
    assert_eq!(code, 1);
    check("a story that breaks off", &out, &["P1 is misread at", "0 passed, 1 failed"]);
    assert!(fs::read_to_string(&file).unwrap().ends_with(later));
}

#[test]
fn a_file_named_without_its_folder_is_a_story_of_that_folders_game() {
    let folder = Folder::new("here");
    folder.file("eitsuku/here.txt", STORY);
    let ended = Command::new(kit::program::path())
        .args(["story", "--update", "here.txt"])
        .current_dir(folder.0.join("eitsuku"))
        .output()
        .unwrap();
    assert!(!String::from_utf8(ended.stdout).unwrap().contains("no game"));
    let text = fs::read_to_string(folder.0.join("eitsuku/here.txt")).unwrap();
    check("here.txt", &text, &["! P1 5.end supposed 5A E4.2", "* income P1 budget=小"]);
}

// --- The command line ---

/// Inputs after `shimekiri`, with the essential words of the complaints.
const COMMANDS: &[Case] = &[
    case(
        [&["play eitsuk"], &["「eitsuk」というゲームはありません", "もしかして：eitsuku"]],
        [&["play eitsuk"], &["no game “eitsuk”", "“eitsuku”"]],
    ),
    case(
        [&["play eitsuku --house hause"], &["「hause」", "もしかして：house", "random"]],
        [&["play eitsuku --house hause"], &["“hause”", "“house”", "random"]],
    ),
    case(
        [&["play eitsuku --seats 9"], &["2〜6人", "9人"]],
        [&["play eitsuku --seats 9"], &["2 to 6 players", "not 9"]],
    ),
    case(
        [&["play eitsuku --seats 1"], &["2〜6人", "1人"]],
        [&["play eitsuku --seats 1"], &["2 to 6 players", "not 1"]],
    ),
    case(
        [
            &["play eitsuku --option hnads=open"],
            &["「hnads」はありません", "もしかして：hands", "early"],
        ],
        [&["play eitsuku --option hnads=open"], &["“hnads”", "“hands”", "early"]],
    ),
    // The state of a continued game is not an option for hosts.
    case(
        [&["play the_gang --option carried=1"], &["「carried」はありません", "mode、chips"]],
        [&["play the_gang --option carried=1"], &["“carried”", "(available: mode, chips"]],
    ),
    case(
        [
            &["play eitsuku --option hands=opne"],
            &["「opne」は選べません", "もしかして：open", "closed"],
        ],
        [&["play eitsuku --option hands=opne"], &["“opne”", "“open”", "closed"]],
    ),
    case(
        [
            &["play eitsuku --option 手札公会"],
            &["「手札公会」という設定の値はありません", "もしかして：手札公開", "、早締めなし、"],
        ],
        [
            &["play eitsuku --option open-hand"],
            &["“open-hand” is not a value", "mean open hands?", ", no early close,"],
        ],
    ),
    case(
        [
            &["play the_gang --option 中級、希望2回、上級"],
            &["「中級」と「上級」は同じ設定の値です"],
        ],
        [
            &["play the_gang --option basic,master"],
            &["“basic” and “master” are values of the same"],
        ],
    ),
    case(
        [
            &["play the_gang --option mode=basic --option 超上級"],
            &["「mode=basic」と「超上級」は同じ設定の値です"],
        ],
        [
            &["play the_gang --option passes=2 --option passes=3"],
            &["“passes=2” and “passes=3” are values of the same"],
        ],
    ),
    case(
        [&["simulate eitsku"], &["「eitsku」というゲームはありません", "もしかして：eitsuku"]],
        [&["simulate eitsku"], &["no game “eitsku”", "“eitsuku”"]],
    ),
    case(
        [&["simulate eitsuku --policy hause"], &["「hause」", "もしかして：house"]],
        [&["simulate eitsuku --policy hause"], &["“hause”", "“house”"]],
    ),
    case(
        [&["simulate eitsuku --seats 7"], &["2〜6人", "7人"]],
        [&["simulate eitsuku --seats 7"], &["2 to 6 players", "not 7"]],
    ),
];

#[test]
fn a_command_that_cannot_be_carried_out_is_told_and_ends_with_two() {
    for case in COMMANDS {
        for (index, lang) in ["ja", "en"].into_iter().enumerate() {
            let typed = case.typed[index];
            let words: Vec<&str> = typed.split(' ').chain(["--lang", lang]).collect();
            let (out, complaints, code) = run(&words, b"");
            assert_eq!((out.as_str(), code), ("", 2), "{typed}: {complaints}");
            assert_eq!(complaints.trim().lines().count(), 1, "{complaints}");
            check(typed, &complaints, case.told[index]);
        }
    }
}

/// A database that cannot be opened is reported without a long wait.
#[test]
fn a_database_that_cannot_be_opened_is_told_at_once() {
    let folder = Folder::new("databases");
    let file = folder.file("letter.txt", &"Dear reader, this is no database.\n".repeat(99));
    let missing = folder.0.join("missing/shimekiri.db").display().to_string();
    let copy = folder.0.join("copy.db").display().to_string();
    let kept = format!("sqlite:{}", folder.0.join("kept.db").display());
    let mut command = Command::new(kit::program::path());
    let command = command.args(["play", "eitsuku"]).env("SHIMEKIRI_DATABASE_URL", &kept);
    assert_eq!(command.stdin(Stdio::null()).output().unwrap().status.code(), Some(0));
    for (url, why) in [
        (format!("sqlite:{file}"), "not a database"),
        (format!("sqlite:{missing}"), "unable to open"),
        (format!("{kept}?immutable=true"), "read-only"),
        // No server listens at the first port.
        ("postgres://u@127.0.0.1:1/db".to_owned(), "refused"),
    ] {
        // A server may be available later.
        let (words, exit) = if why == "refused" {
            ([("ja", "今は使えません"), ("en", "cannot be reached now")], 75)
        } else {
            ([("ja", "開けません"), ("en", "cannot be opened")], 2)
        };
        for (lang, words) in words {
            for verb in [
                "play eitsuku",
                "play --resume",
                "serve",
                "serve --check",
                "backup",
                "verify",
                "replay",
            ] {
                if ["backup", "verify", "replay"].contains(&verb) && why == "read-only" {
                    // A read-only database can be copied and read.
                    continue;
                }
                let mut command = Command::new(kit::program::path());
                command.args(verb.split(' ')).args(["--lang", lang]);
                if verb == "backup" {
                    command.arg(&copy);
                } else if verb == "verify" {
                    command.arg("TABLE");
                } else if verb == "replay" {
                    command.args(["TABLE", "--html"]).arg(&copy);
                }
                let began = std::time::Instant::now();
                let command = command.env("SHIMEKIRI_DATABASE_URL", &url).stdin(Stdio::null());
                let ended = command.output().unwrap();
                let complaints = String::from_utf8(ended.stderr).unwrap();
                // A reason that can be mended is in the reader's language.
                let why =
                    if (lang, why) == ("ja", "read-only") { "読み取り専用" } else { why };
                let place = if exit == 2 { "database.url" } else { "" };
                check(verb, &complaints, &[&url, why, words, place]);
                let told = (ended.stdout, ended.status.code());
                assert_eq!(told, (Vec::new(), Some(exit)), "{verb}");
                assert!(began.elapsed().as_secs() < 15, "{verb} {url}");
            }
        }
    }
}

/// The reader of the log may close it at any time.
#[test]
fn a_log_that_nobody_reads_ends_nothing() {
    let folder = Folder::new("unread");
    let mut command = Command::new(kit::program::path());
    let url = format!("sqlite:{}", folder.0.join("test.db").display());
    let command = command.args(["play", "eitsuku", "--lang", "en", "--seed", SEED]);
    let command = command.env("SHIMEKIRI_DATABASE_URL", url);
    let command = command.env("SHIMEKIRI_LOG_LEVEL", "trace").stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(b"hand\nquit\n").unwrap();
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    check("play", &out, &["◆ Turn 1: declare", "You leave table"]);
    assert_eq!(ended.status.code(), Some(0));
}

/// A fault of the command line is one sentence in the reader's language, with the nearest word.
#[test]
fn words_that_are_no_command_are_told_and_end_with_two() {
    for (typed, ja, en) in [
        ("pley eitsuku", "もしかして：play", "did you mean “play”"),
        ("play eitsuku --sead 3", "もしかして：--seed", "did you mean “--seed”"),
        ("play eitsuku --seats many", "--seats <N> に「many」は書けません", "cannot be “many”"),
        ("play eitsuku --seed", "--seed <N> には値が要ります", "--seed <N> needs a value"),
        ("play eitsuku --resume", "--resume と一緒には書けません", "together with --resume"),
        ("play eitsuku gang", "に「gang」は書けません", "does not take “gang”"),
        ("simulate eitsuku --games 0", "--games <N> に「0」", "--games <N> cannot be “0”"),
        ("simulate eitsuku --mode quik", "もしかして：quick", "did you mean “quick”"),
        ("help pley", "もしかして：play", "did you mean “play”"),
        ("verify", "<FILE> が要ります", "needs <FILE>"),
        ("completions zhs", "fish、powershell、zsh のどれか", "fish, powershell, zsh"),
    ] {
        for (lang, word) in [("ja", ja), ("en", en)] {
            // The language may be named before or after the verb.
            for words in [format!("{typed} --lang {lang}"), format!("--lang {lang} {typed}")] {
                let words: Vec<&str> = words.split(' ').collect();
                let (out, complaints, code) = run(&words, b"");
                assert_eq!((out.as_str(), code), ("", 2), "{words:?}");
                assert_eq!(complaints.trim().lines().count(), 1, "{complaints}");
                check(typed, &complaints, &[word, "--help"]);
            }
        }
    }
}

/// Input after commands without arguments is not ignored.
#[test]
fn what_stands_behind_help_and_why_is_heard() {
    for (lang, typed, told) in [
        (Lang::En, "help vote", "vote  Propose something"),
        (Lang::En, "help vtoe", "“vtoe” is not a command. Did you mean “vote”?"),
        (Lang::En, "why not", "Nothing can follow “why”"),
        (Lang::Ja, "ヘルプ 投票", "投票（vote）　卓に提案"),
        (Lang::Ja, "ヘルプ 登票", "「登票」という言葉はありません。"),
        (Lang::Ja, "裁定 なぜ", "「裁定」には続けて書けません"),
    ] {
        let words = ["play", "eitsuku", "--lang", lang.code(), "--seed", SEED];
        let (out, _, _) = run(&words, format!("{typed}\n").as_bytes());
        check(typed, &out, &[told]);
        assert!(!out.contains("指示（orders") && !out.contains("  orders  "), "{typed}: {out}");
    }
}

/// A person who returns without naming a language reads the earlier one.
#[test]
fn who_comes_back_reads_the_language_of_before() {
    let folder = Folder::new("language");
    let url = format!("sqlite:{}", folder.0.join("test.db").display());
    let play = |words: &[&str]| {
        let mut command = Command::new(kit::program::path());
        let command = command.arg("play").args(words).args(["--as", "kaede"]);
        let command = command.env("SHIMEKIRI_DATABASE_URL", &url).env("LC_ALL", "en_US.UTF-8");
        let out = command.stdin(Stdio::null()).output().unwrap().stdout;
        String::from_utf8(out).unwrap()
    };
    check("formed", &play(&["eitsuku", "--lang", "ja"]), &["締め切り"]);
    check("resumed", &play(&["--resume"]), &["締め切り", "続きは「shimekiri play --resume"]);
    check("another", &play(&["--resume", "--lang", "en"]), &["Continue with “shimekiri play"]);
    check("that one", &play(&["--resume"]), &["Continue with “shimekiri play"]);
}

#[test]
fn the_language_that_is_misused_is_told_without_contradiction() {
    let said = |words: &str| run(&words.split(' ').collect::<Vec<_>>(), b"").1;
    check(
        "twice",
        &said("play eitsuku --lang ja --lang ja"),
        &["--lang <LANG> は1度だけ書けます。"],
    );
    check("none", &said("play eitsuku --lang"), &["--lang <LANG> needs a value (one of: ja, en)"]);
    check("no language", &said("play eitsuku --lang fr"), &["cannot be “fr” (one of: ja, en)"]);
    check("of a story", &said("story --lang ja"), &["「shimekiri story」には <FILE>"]);
    let without_a_bot = said("--lang ja");
    check("without a verb", &without_a_bot, &["ボットのトークンが必要です"]);
}

#[test]
fn stories_and_checks_end_as_they_should() {
    let folder = Folder::new("exits");
    let missing = folder.0.join("eitsuku/missing.txt").display().to_string();
    let (out, _, code) = run(&["story", &missing], b"");
    assert_eq!(code, 2);
    check("a missing file", &out, &[&missing]);

    let failing = folder.file("eitsuku/failing.txt", STORY);
    let (out, _, code) = run(&["story", &failing], b"");
    assert_eq!(code, 1);
    check("a failing story", &out, &[&format!("{failing}:11: "), "5.end supposed", "1 failed"]);

    let good = Path::new("tests/stories/eitsuku/deadline-one-missing.txt").display().to_string();
    assert_eq!(run(&["story", &good], b"").2, 0);

    let (out, _, code) = run(&["check"], b"");
    assert_eq!(code, 0);
    check("check", &out, &["ok"]);
}
