//! Typical input of players, and its parsed answers.

use crate::text::tests::form::{Form, WORDS, moves, turn};
use crate::text::{Lang, Reading, UnreadReason, complete, read, write};
use crate::{Answer, Declaration, Interview, Value};

type FormFn = fn(&Declaration) -> Interview;

fn read_with(text: &str, draft: &Declaration, form: FormFn) -> Reading {
    read(text, draft, &form, &WORDS)
}

fn shown(answer: &Answer) -> String {
    match answer.value() {
        None => "-".to_owned(),
        Some(Value::Choice(id)) => id.to_string(),
        Some(Value::Picks(ids)) => ids.join(","),
        Some(Value::Payment(pieces)) => {
            pieces.iter().map(|(id, n)| format!("{id}*{n}")).collect::<Vec<_>>().join(",")
        }
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Text(text)) => format!("\"{}\"", text.replace('\n', "\\n")),
    }
}

/// Returns `key=answer` for each answer, and the misread pieces in angle brackets.
pub(in crate::text) fn summary(reading: &Reading) -> String {
    let said = reading.declaration.iter();
    let mut said: Vec<String> =
        said.map(|(key, answer)| format!("{key}={}", shown(answer))).collect();
    for misread in &reading.misread {
        let section = misread.section.as_ref().map(ToString::to_string).unwrap_or_default();
        let near = misread.nearest.join(",");
        said.push(format!("<{section}|{}|{:?}|{near}>", misread.text, misread.why));
    }
    said.join(" ")
}

fn check_form(form: FormFn, text: &str, expected: &str) {
    let reading = read_with(text, &Declaration::default(), form);
    assert_eq!(summary(&reading), expected, "{text}");
}

fn check(text: &str, expected: &str) {
    check_form(turn, text, expected);
}

#[test]
fn the_worked_example_of_the_rules() {
    let expected = "1.role=lead 1.way=A 2.card=strike 3.card=actor-5 3.pay=medium*2,large*1 3.set=3B \
                    4.family=composer 4.scout=4A 5.end=5A strike.pay=large*1 strike.way=B";
    let lines = [
        "1: A 主演",
        "2: ストライキ",
        "3B 役者5 破棄 大×1 中×2",
        "4A 音楽家",
        "5A",
        "もしストライキなら: B 大×1",
    ];
    check(&lines.join("\n"), expected);
    // All on one line; full width, half width and brackets make no difference.
    check(&lines.join(" "), expected);
    let wide = "１：Ａ　【主演】\n２：ｽﾄﾗｲｷ\n３Ｂ　『役者』【５】　大１中２\n４ａ、音楽家。\n５Ａ\n\
                もしストライキなら、B【予算：大(3)】＊1";
    check(wide, expected);
}

#[test]
fn the_forms_of_the_source_can_be_filled_in() {
    let text = "◆プレイヤー側・行動宣言テンプレート
 1:スタートフェイズ(何らかの『イベント』カードの効果がある場合)
 2:アクションフェイズ
   ●配置する『イベント』カードの【ストライキ】
 3:セットフェイズ(『AかB』のどちらか【1つ】を選択する)
   ●3B:配置する『役割』カード【役者5】 破棄する『予算』カード【予算・大(3)×1】【予算・小(1)×1】
 4:スカウトフェイズ(『AからD』のどれか【1つ】を選択する)(『山札』に無いカードは、追加する事は出来ない)
   ●4A:『役割』カードのドロー。
    『役者・脚本家・音楽家・演出家』から1つを指定 演出家
 5:エンドフェイズ(『AかB』どちらか【1つ】を選択する)
   ●5B:『映画の公開』【星の海】
       【ついに完成した!】
";
    check(
        text,
        "2.card=strike 3.card=actor-5 3.pay=small*1,large*1 3.set=3B 4.family=director 4.scout=4A \
         5.end=5B 5.roleplay=\"ついに完成した!\" 5.title=\"星の海\"",
    );
}

#[test]
fn english_reads_as_well() {
    check(
        "2: Promoter's Intervention P2 lead 6\n3B Actor 5, pay 1 large 2 medium\n4C Small x3\n\
         if struck: B large\nreturn: Actor 2, Composer 1",
        "2.card=promoter 2.number=6 2.owner=P2 2.slot=lead 3.card=actor-5 3.pay=medium*2,large*1 \
         3.set=3B 4.pay=small*3 4.scout=4C return.cards=actor-2,composer-1 strike.pay=large*1 \
         strike.way=B",
    );
    check(
        "Start phase: A writer\n3 B actor/5 large 1 medium 2",
        "1.role=writer 1.way=A 3.card=actor-5 \
         3.pay=medium*2,large*1 3.set=3B",
    );
}

#[test]
fn cards_with_a_section_of_their_own() {
    check("方針転換で P2 ストライキ", "turn.event=strike turn.owner=P2");
    check("方針転換→花子のストライキ", "turn.event=strike turn.owner=P1");
    check("チャンス: 使う", "chance.use=use");
    check("2: プロモーターの介入 P3主演6", "2.card=promoter 2.number=6 2.owner=P3 2.slot=lead");
    check("戻す: 役者2×2", "return.cards=actor-2,actor-2");
    // Typed before the card, and parsed all the same.
    check(
        "情報網: 役割 役者 役者 音楽家\n2: 独自の情報網",
        "2.card=network network.first=actor network.kind=roles network.second=actor \
         network.third=composer",
    );
    // Without the card there is no question for it.
    check("情報網: イベント", "<network|情報網: イベント|NotAsked|>");
    // A card's name on a line of its own is the card.
    check("2:\n情報網\n3A", "2.card=network 3.set=3A");
}

#[test]
fn a_section_again_is_its_next_number() {
    check("4B\n4A 役者", "4.scout=4B 4#2.family=actor 4#2.scout=4A");
    check("4A 役者 4B", "4.family=actor 4.scout=4A 4#2.scout=4B");
    check("4:\n4B\n4:\n4B", "4.scout=4B 4#2.scout=4B");
    check("2: ストライキ、タイアップ", "2.card=strike 2#2.card=tie-in");
    check("3A\n3B 役者5\n5A", "3.set=3A 5.end=5A <3|3B 役者5|SectionTwice|>");
    check("2#2: タイアップ 2: ストライキ", "2.card=strike 2#2.card=tie-in");
}

#[test]
fn leaving_out_is_an_answer() {
    check("2: -\n3B パス 大1", "2.card=- 3.card=- 3.pay=large*1 3.set=3B");
    check("- 2: pass\n- 3A", "2.card=- 3.set=3A");
    check("5B -\n\nさあ", "5.end=5B 5.roleplay=\"さあ\" 5.title=-");
}

#[test]
fn nothing_is_no_answer_where_something_must_be_chosen() {
    check("3B なし", "3.set=3B <3|なし|Needed|actor-5,writer-2,director-1>");
    check("3Bなし", "3.set=3B <3|なし|Needed|3A,3B>");
    check("4A none", "4.scout=4A <4|none|Needed|actor,writer,composer,director>");
    check("5B なし", "5.end=5B 5.title=-");
}

#[test]
fn a_stray_word_behind_an_answer_is_no_role_play() {
    check("5A 封筒", "5.end=5A <5|封筒|Unquoted|>");
    check("5A「封筒」", "5.end=5A 5.roleplay=\"封筒\"");
    check("5A ロールプレイ：封筒", "5.end=5A 5.roleplay=\"封筒\"");
    check("5A\n封筒", "5.end=5A 5.roleplay=\"封筒\"");
    check("5A 封筒と手紙 3A", "3.set=3A 5.end=5A <5|封筒と手紙|Unquoted|>");
}

#[test]
fn a_title_is_taken_as_it_was_written() {
    check("5B 『Ｓｅａ　３：ABC』", "5.end=5B 5.title=\"Ｓｅａ　３：ABC\"");
    check("5B 配置の王 2世", "5.end=5B 5.title=\"配置の王 2世\"");
    check("5B『A』と『B』\n4B", "4.scout=4B 5.end=5B 5.title=\"『A』と『B』\"");
    check("5B\n【星の海】", "5.end=5B 5.title=\"星の海\"");
    check(
        "5A\n「3時だ」\n 2:15 の鐘\n\n3 days later\n4B",
        "4.scout=4B 5.end=5A 5.roleplay=\"「3時だ」\\n 2:15 の鐘\\n\\n3 days later\"",
    );
    check("5A『\n4B\n』\n3A", "3.set=3A 5.end=5A 5.roleplay=\"\\n4B\\n\"");
    check("5A もしストライキなら: B", "5.end=5A strike.way=B");
}

#[test]
fn a_label_names_its_question() {
    check("3B 破棄する予算: 大×1\n配置する役割=役者5", "3.card=actor-5 3.pay=large*1 3.set=3B");
    check("5B role-play: now", "5.end=5B 5.roleplay=\"now\"");
}

#[test]
fn what_is_not_legal_is_read_for_the_interview_to_refuse() {
    check("2: 話題の独占\n3B 役者6 大×9", "2.card=monopoly 3.card=actor-6 3.pay=large*9 3.set=3B");
    check("戻す: 役者2 役者2 役者6", "return.cards=actor-2,actor-2,actor-6");
}

#[test]
fn more_than_there_can_be_is_not_read_as_less() {
    let misread = |text: &str| format!("3.card=actor-5 3.set=3B <3|{text}|TooMany|>");
    for text in ["大×999", "大999", "999 大", "大×99999999999"] {
        check(&format!("3B 役者5 {text}"), &misread(text));
    }
    check("3B 役者5 大×200 大×200", &misread("大×200"));
    check("3B 役者5 大×255", "3.card=actor-5 3.pay=large*255 3.set=3B");
}

/// A form with a hand in which no card can be played.
fn bare_hand(said: &Declaration) -> Interview {
    let mut form = Form::new(said);
    for card in ["2.card", "2#2.card"] {
        if form.choose(card, &[]).is_some() {
            form.fault(card);
        }
    }
    if form.choose("3.set", &["3A", "3B"]) == Some("3B") && form.choose("3.card", &[]).is_some() {
        form.fault("3.card");
    }
    form.choose("4.scout", &["4B"]);
    form.done()
}

#[test]
fn what_cannot_be_done_is_read_so_that_the_interview_can_say_why() {
    let text = "1:スタートフェイズ\n2: ストライキ\n2: タイアップ\n3B 役者5 大×1 ぜひ\n4B\nもしストライキなら: なし";
    check_form(
        bare_hand,
        text,
        "2.card=strike 2#2.card=tie-in 3.card=actor-5 3.set=3B 4.scout=4B <3|ぜひ|Unknown|>",
    );
    let moot = read_with(text, &Declaration::default(), bare_hand).moot;
    assert_eq!(moot.iter().map(|moot| moot.text.as_str()).collect::<Vec<_>>(), ["大×1"]);
    check_form(bare_hand, "1: A\n3B 大×1", "3.set=3B <1|1: A|NotAsked|> <3|大×1|NotHere|>");
}

#[test]
fn what_is_not_understood_is_given_back_and_the_rest_is_read() {
    check(
        "よろしくお願いします\n2: ストライク\n3B 役者12 大×1\n4A 役者5\n6: A",
        "3.pay=large*1 3.set=3B 4.scout=4A <|よろしくお願いします|Unknown|> \
         <2|ストライク|Unknown|strike> <3|役者12|Unknown|actor-5> <4|役者5|NotHere|actor,writer,composer,director> <4|6: A|Unknown|>",
    );
    check("2: 役者大章", "<2|役者大章|Unknown|actor-award>");
    check("4A 役者大賞", "4.scout=4A <4|役者大賞|NotHere|actor,writer,composer,director>");
    let reading = read_with("3B なぞの役者5", &Declaration::default(), turn);
    assert_eq!(reading.misread[0].text, "なぞの");
    assert_eq!(reading.misread[0].why, UnreadReason::Unknown);
    assert_eq!(reading.lines[1].span, 12..19);
}

#[test]
fn a_draft_is_changed_where_the_text_speaks() {
    let draft =
        read_with("2: ストライキ\n3B 役者5 大×1", &Declaration::default(), turn).declaration;
    let added = read_with("3: 中×2\n4B", &draft, turn);
    assert_eq!(summary(&added), "2.card=strike 3.card=actor-5 3.pay=medium*2 3.set=3B 4.scout=4B");
    let changed = read_with("3A", &draft, turn);
    assert_eq!(summary(&changed), "2.card=strike 3.set=3A");
}

#[test]
fn the_masters_moves_need_no_colon() {
    check_form(
        moves,
        "手札 P1 小×5 中×2 役者5 ストライキ\n介入 P2 P1 主演 6\n手札 P2 大1\n配置 P1 主演 役者5\n空 イベント\nターン 4",
        "empty.deck=event give.cards=small,small,small,small,small,medium,medium,actor-5,strike \
         give.who=P1 give#2.cards=large give#2.who=P2 place.role=actor-5 place.slot=lead place.who=P1 promote.number=6 promote.owner=P1 \
         promote.slot=lead promote.who=P2 set-turn.turn=4",
    );
}

/// Returns the completions of a text after the unchanged beginning; `…` stands for more.
fn completed(text: &str, lang: Lang) -> String {
    let completions = complete(text, &Declaration::default(), &turn, &WORDS, lang);
    let start = completions.first().map_or(text.len(), |first| first.start);
    let texts: Vec<&str> = completions.iter().map(|completion| completion.text.as_str()).collect();
    format!("{}[{}]", &text[..start], texts.join("|"))
}

#[test]
fn what_has_been_begun_is_completed() {
    let cases = [
        ("3", "[3A|3B]"),
        ("２：ｽﾄ", "２：[ストライキ|もしストライキなら:]"),
        ("2: te", "2: te[]"),
        ("2: tie", "2: [タイアップキャンペーン]"),
        ("3B 役", "3B [役者5]"),
        ("3B 役者5 大", "3B 役者5 [大×]"),
        (
            "3B 役者5 大×1 ",
            "3B 役者5 大×1 [小×|中×|大×|主演|助演|1:|方針転換で:|2:|4A|4B|4C|4D|戻す:|チャンス:|5A|5B|もしストライキなら:]",
        ),
        ("方針転換で", "[方針転換で:| P1| P2| P3| 1:| 2:"),
        ("もし", "[もしストライキなら:]"),
        ("2: ストライキ ", "2: ストライキ [1:|方針転換で:|2:|3A|3B|"),
        ("5B 『海", "5B 『海[]"),
        // A space separates the completion from an unknown word.
        ("?", "?[ 1:| 方針転換で:| 2:| 3A|"),
        ("なぞ!", "なぞ![ 1:|"),
        ("3B、", "3B、[役者5|"),
    ];
    for (text, expected) in cases {
        let completed = completed(text, Lang::Ja);
        assert!(completed.starts_with(expected), "{text}: {completed}");
    }
    assert_eq!(completed("2: Promoter's I", Lang::En), "2: [Promoter's Intervention]");
    assert_eq!(completed("", Lang::En).split('|').next(), Some("[1:"));
}

#[test]
fn a_declaration_is_written_as_players_write() {
    let text = "もしストライキなら、B 大1\n１：Ａ　主演\n2 ストライキ\n3B 破棄 中2大1 役者5\n4B\n4A 音楽家\n5B『海』\n完成!";
    let said = read_with(text, &Declaration::default(), turn).declaration;
    let written = |lang| write(&said, &turn(&said), &WORDS, lang);
    assert_eq!(
        written(Lang::Ja),
        "1: A 主演\n2: ストライキ\n3B 役者5 破棄する予算: 中×2 大×1\n4B\n4A 音楽家\n5B 『海』\n『完成!』\n\
         もしストライキなら: B 大×1"
    );
    assert!(written(Lang::En).starts_with("1: A Lead\n2: Strike\n3B Actor 5"));
}

#[test]
fn a_payment_is_read_as_it_is_counted_or_not_at_all() {
    let paid = |text: &str, pay: &str| {
        check(&format!("3B 役者5 {text}"), &format!("3.card=actor-5 3.pay={pay} 3.set=3B"));
    };
    paid("大を1枚、中を2枚", "medium*2,large*1");
    paid("大一枚 中二枚 破棄", "medium*2,large*1");
    paid("中×二", "medium*2");
    paid("two Medium", "medium*2");
    paid("2枚の中と大1枚", "medium*2,large*1");
    let misread = |text: &str, of: &str| {
        let misread = format!("3.card=actor-5 3.set=3B <3|{of}|Payment|>");
        check(&format!("3B 役者5 {text}"), &misread);
    };
    misread("大×l 中×2", "大×l");
    misread("大×1 なか×2", "なか×2");
    misread("なか2枚 大×1", "なか2枚");
    // A piece of another kind does not affect the payment.
    check(
        "3B 役者5 大×1 中×2 ぜひ",
        "3.card=actor-5 3.pay=medium*2,large*1 3.set=3B <3|ぜひ|Unknown|>",
    );
}

#[test]
fn a_number_behind_an_option_is_read_in_the_sources_notation() {
    for aim in ["脚本家/6", "脚本家・6", "脚本家6", "脚本家-6", "脚本家 6", "Writer/6", "Writer 6"]
    {
        let said = "2.card=promoter 2.number=6 2.owner=P2 2.slot=writer";
        check(&format!("2: プロモーターの介入 P2 {aim}"), said);
    }
    let said = "2.card=promoter 2.number=6 2.owner=P2 2.slot=lead";
    check("2: Promoter -> P2 lead = 6", said);
}
