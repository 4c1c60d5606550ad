//! Statistics over play-outs, and `shimekiri simulate`.

#![expect(clippy::float_cmp, clippy::cast_precision_loss, reason = "counts are exact and small")]

use std::path::PathBuf;

use clap::Parser;
use games::simulation::{Mode, Plan, SimulationStatistics};
use games::{any::RANDOM, find};
use rules::text::Lang;
use serde_json::Value as Json;
use terminal::{Exit, simulate};

#[derive(Parser)]
struct Typed {
    #[command(flatten)]
    args: simulate::SimulateArguments,
    #[arg(long, default_value = "en")]
    lang: Lang,
}

/// Runs `simulate`. Returns its output, its complaints, and its exit.
fn typed(words: &str) -> (String, String, Exit) {
    let words = std::iter::once("simulate").chain(words.split_whitespace());
    let typed = Typed::try_parse_from(words).unwrap();
    let (mut out, mut complaints) = (Vec::new(), Vec::new());
    let exit = simulate::run(&typed.args, typed.lang, &mut out, &mut complaints).unwrap();
    (String::from_utf8(out).unwrap(), String::from_utf8(complaints).unwrap(), exit)
}

fn json(words: &str) -> Json {
    let (out, complaints, exit) = typed(&format!("{words} --json"));
    assert_eq!((complaints.as_str(), exit), ("", Exit::Fine));
    serde_json::from_str(&out).unwrap()
}

fn plan(mode: Mode) -> Plan {
    Plan { seed: 5, mode, policies: vec![RANDOM.into(); 3], rotate: true, options: Json::Null }
}

fn play(mode: Mode, games: u64, threads: usize) -> SimulationStatistics {
    simulate::play(find("eitsuku").unwrap(), &plan(mode), games, threads, &|_| {}).unwrap()
}

fn sum(list: &Json, number: impl Fn(&Json) -> f64) -> f64 {
    list.as_array().unwrap().iter().map(number).sum()
}

#[test]
fn the_same_seed_brings_the_same() {
    let count = |words: &str| {
        let mut document = json(words);
        assert!(document["timing"]["games_per_second"].as_f64().unwrap() > 0.0);
        document.as_object_mut().unwrap().remove("timing");
        document.to_string()
    };
    let words = "eitsuku --games 40 --seed 7";
    assert_eq!(count(words), count(words));
    assert_ne!(count(words), count("eitsuku --games 40 --seed 8"));
}

#[test]
fn threads_make_no_difference() {
    for (mode, games) in [(Mode::Quick, 50), (Mode::Sealed, 7)] {
        let alone = play(mode, games, 1);
        for threads in [2, 3, 16] {
            assert_eq!(play(mode, games, threads), alone, "{mode:?} on {threads} threads");
        }
    }
}

#[test]
fn shares_sum_to_one_at_most() {
    for words in ["eitsuku --games 60 --seats 3", "eitsuku --games 60 --policy random,random"] {
        let found = &json(words)["statistics"];
        for sides in ["seats", "policies"] {
            let share =
                |of: fn(&Json) -> &Json| sum(&found[sides], |side| of(side).as_f64().unwrap());
            // A game without a release has no winner.
            let first = share(|side| &side["share"]["value"]);
            assert!(first > 0.0 && first < 1.0 + 1e-9, "{words}: {sides} {first}");
            assert!((share(|side| &side["expected"]) - 1.0).abs() < 1e-9, "{words}: {sides}");
        }
    }
}

#[test]
fn what_is_counted_agrees() {
    for mode in ["quick", "sealed"] {
        let document = json(&format!("eitsuku --games 20 --seats 4 --mode {mode}"));
        let found = &document["statistics"];
        let whole = |number: &Json| number.as_f64().unwrap();
        let bins = |spread: &Json| sum(&spread["histogram"], |bin| whole(&bin["count"]));
        let in_group = |group: &str, id: Option<&str>| {
            let groups = found["tallies"].as_array().unwrap();
            let group = groups.iter().find(|known| known["group"] == group);
            let all = |member: &&Json| id.is_none_or(|id| member["id"] == id);
            let members = group.into_iter().flat_map(|group| group["members"].as_array().unwrap());
            members.filter(all).map(|member| whole(&member["total"])).sum::<f64>()
        };
        assert_eq!(whole(&found["games"]), 20.0);
        assert_eq!(found["unfinished"], Json::Array(Vec::new()));
        // Every game has a length, and every chair a score or none.
        assert_eq!(bins(&found["windows"]), 20.0);
        assert_eq!(bins(&found["scores"]) + whole(&found["unscored"]), 80.0);
        assert_eq!(sum(&found["seats"], |side| whole(&side["chairs"])), 80.0);
        // A score is a film, and a film is a release (E6.5); a role is placed by 3B (E3.3).
        assert_eq!(in_group("end", Some("5B")), bins(&found["scores"]));
        assert!(in_group("role", None) > 0.0);
        assert_eq!(in_group("role", None), in_group("set", Some("3B")));
        assert!(whole(&found["questions_per_game"]) > 100.0);
    }
}

#[test]
fn where_all_win_together_it_is_told_how_often_it_went_well() {
    let words = "the_gang --games 40 --seats 3";
    let found = &json(words)["statistics"];
    assert_eq!(found["shared"], 40);
    let groups = found["tallies"].as_array().unwrap();
    for group in groups {
        let share = sum(&group["members"], |member| member["share"]["value"].as_f64().unwrap());
        assert!((share - 1.0).abs() < 1e-9, "{group}");
    }
    let games = groups.iter().find(|group| group["group"] == "games").unwrap();
    assert_eq!(sum(&games["members"], |member| member["total"].as_f64().unwrap()), 40.0);
    for (lang, shared) in [("en", "Everyone shared the first place"), ("ja", "全員が1位")] {
        let (out, _, _) = typed(&format!("{words} --lang {lang}"));
        assert!(out.contains(shared) && !out.contains("\n\n\n"), "{out}");
    }
    assert!(json("eitsuku --games 9")["statistics"]["shared"].as_u64().unwrap() < 9);
}

#[test]
fn a_list_of_policies_moves_on() {
    let words = "eitsuku --games 9 --policy random,random,random";
    let document = json(words);
    assert_eq!(document["plan"]["rotate"], true);
    assert_eq!(document["plan"]["policies"].as_array().unwrap().len(), 3);
    // One name is one policy, for any number of seats.
    let policies = document["statistics"]["policies"].as_array().unwrap();
    assert_eq!(policies.len(), 1);
    assert_eq!(policies[0]["chairs"], 27);
    assert_eq!(json(&format!("{words} --rotate false"))["plan"]["rotate"], false);
    assert_eq!(json("eitsuku --games 9")["plan"]["rotate"], false);
}

#[test]
fn the_options_of_a_game_can_be_set() {
    let plan = |words: &str| json(words)["plan"].clone();
    let set = plan("eitsuku --games 1 --option hands=open --option skip=off");
    assert_eq!(set["options"], serde_json::json!({ "hands": "open", "skip": "off" }));
    assert_eq!(plan("eitsuku --games 1")["options"], Json::Null);
}

#[test]
fn a_misused_word_is_answered_with_the_nearest() {
    for (words, said) in [
        ("eituku", "“eitsuku”"),
        ("eitsuku --policy ramdom", "“random”"),
        ("eitsuku --policy random,hause", "no policy “hause”"),
        ("eitsuku --seats 7", "2 to 6"),
        ("eitsuku --policy random,random --seats 3", "2 policies for 3 seats"),
        ("eitsuku --policy random,random,random,random,random,random,random,random,random", "9"),
        ("eitsuku --games 1 --option hand=open", "hands"),
        ("eitsuku --games 1 --plot /no/such/folder/plot.svg", "/no/such/folder/plot.svg"),
    ] {
        for lang in ["en", "ja"] {
            let (out, complaints, exit) = typed(&format!("{words} --lang {lang}"));
            assert_eq!((out.as_str(), exit, exit.code()), ("", Exit::Misuse, 2));
            assert_eq!(complaints.trim().lines().count(), 1, "{complaints}");
            assert!(lang == "ja" || complaints.contains(said), "{complaints}");
        }
    }
    assert!(Typed::try_parse_from(["simulate", "eitsuku", "--games", "0"]).is_err());
    assert!(Typed::try_parse_from(["simulate", "eitsuku", "--mode", "slow"]).is_err());
}

#[test]
fn both_languages_say_everything() {
    for (lang, words) in [("en", "share of wins"), ("ja", "勝率")] {
        let (out, _, exit) =
            typed(&format!("eitsuku --games 30 --policy random,random --lang {lang}"));
        assert_eq!((exit, exit.code()), (Exit::Fine, 0));
        assert!(out.contains(words), "{out}");
        for left in ["{{", "{%", "none", "undefined"] {
            assert!(!out.contains(left), "{left} in {out}");
        }
        // Tables are aligned and without gaps.
        assert!(!out.contains("\n\n\n"), "{out}");
        assert!(out.lines().any(|line| line.starts_with("| P1 ")), "{out}");
    }
}

#[test]
fn the_picture_is_well_formed() {
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "plot.svg"].iter().collect();
    for lang in ["en", "ja"] {
        let words = format!("eitsuku --games 30 --lang {lang} --plot {}", path.display());
        assert_eq!(typed(&words).2, Exit::Fine);
        let text = std::fs::read_to_string(&path).unwrap();
        let picture = roxmltree::Document::parse(&text).unwrap();
        let count = |class: &str| {
            picture.descendants().filter(|node| node.attribute("class") == Some(class)).count()
        };
        assert_eq!((count("seat"), count("policy")), (4, 0));
        assert!((2..=24).contains(&count("bar")));
        // The picture loads nothing, and draws nothing outside of its bounds.
        assert!(!text.contains("href") && !text.contains("url("));
        let size = |name| picture.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
        for node in picture.descendants() {
            for (names, most) in [
                (["x", "x1", "x2", "cx"], size("width")),
                (["y", "y1", "y2", "cy"], size("height")),
            ] {
                for value in names.iter().filter_map(|name| node.attribute(*name)) {
                    assert!((0.0..=most).contains(&value.parse::<f64>().unwrap()), "{node:?}");
                }
            }
        }
    }
}

/// Members of a group are listed with 0 if only others of the group have counts.
#[test]
fn ready_made_decks_play_every_pairing() {
    let document = json("guild_war --decks all --games 4 --seats 2 --policy baseline --seed 3");
    let (decks, pairings) = (&document["decks"], document["pairings"].as_array().unwrap());
    assert_eq!((decks.as_array().unwrap().len(), pairings.len()), (6, 36));
    let wins = |deck: &Json, against: &Json| {
        let is_it = |row: &&Json| row["deck"] == *deck && row["against"] == *against;
        pairings.iter().find(is_it).unwrap()["share"]["value"].as_f64().unwrap()
    };
    for deck in decks.as_array().unwrap() {
        assert_eq!(deck["games"], 20, "five others, four games each");
        for other in decks.as_array().unwrap().iter().filter(|other| *other != deck) {
            let (deck, other) = (&deck["name"], &other["name"]);
            assert_eq!(wins(deck, other) + wins(other, deck), 1.0, "{deck} {other}");
        }
    }
    assert_eq!(sum(&document["seats"], |seat| seat["share"]["value"].as_f64().unwrap()), 1.0);
    let lines = |group: &Json| group["group"] == "line";
    let lines = document["tallies"].as_array().unwrap().iter().find(|it| lines(it)).unwrap();
    for member in lines["members"].as_array().unwrap() {
        assert_eq!(member["total"], 5 * 4 + 2 * 4, "the named deck is played: {member}");
    }
    let (out, _, _) = typed("guild_war --decks caster,商人 --games 2 --seats 2 --lang ja");
    assert!(
        out.contains("| 術士 |") && out.contains("| 商人 |") && !out.contains("| 剣士 |"),
        "{out}"
    );
    let (_, said, exit) = typed("guild_war --decks shde --lang ja");
    let known = "「shde」という構築済みデッキはありません。";
    assert!(said.starts_with(known) && exit == Exit::Misuse, "{said}");
    let (_, said, exit) = typed("eitsuku --decks all --lang en");
    assert_eq!(exit, Exit::Misuse);
    assert!(said.starts_with("eitsuku has no ready-made decks"), "{said}");
}

#[test]
fn what_never_came_up_is_a_row_of_0() {
    let found = json("eitsuku --games 1 --seats 2");
    let groups = found["statistics"]["tallies"].as_array().unwrap();
    let members = |name: &str| {
        let group = groups.iter().find(|group| group["group"] == name).unwrap();
        group["members"].as_array().unwrap().clone()
    };
    assert_eq!(members("event").len(), 15);
    assert!(members("event").iter().any(|member| member["total"] == 0));
    assert_eq!(members("role").len(), 24);
}

#[test]
fn house_plays_change_of_plan() {
    let found = json("eitsuku --games 40 --seats 4 --policy house");
    let groups = found["statistics"]["tallies"].as_array().unwrap();
    let events = groups.iter().find(|group| group["group"] == "event").unwrap();
    let members = events["members"].as_array().unwrap();
    let turnaround = members.iter().find(|member| member["id"] == "turnaround").unwrap();
    assert!(turnaround["total"].as_u64().unwrap() > 0, "{turnaround}");
}

#[test]
fn seats_with_a_card_and_without_it_are_all_seats() {
    let document = json("eitsuku --games 40 --policy house,greedy --seed 3");
    let worth = document["statistics"]["worth"].as_array().unwrap();
    assert!(worth.len() > 10, "{}", worth.len());
    for item in worth {
        let part = |side: &str| item[side]["chairs"].as_u64().unwrap();
        assert_eq!(part("with") + part("without"), 80, "{item}");
        let wins = |side: &str| item[side]["wins"]["value"].as_f64().unwrap() * part(side) as f64;
        assert!((wins("with") + wins("without") - 40.0).abs() < 1e-6, "{item}");
    }
    let (text, ..) = typed("eitsuku --games 10 --worth --lang ja");
    assert!(text.contains("## 使った席と使わなかった席"), "{text}");
}

#[test]
fn an_option_is_compared_at_two_values() {
    let document = json("the_gang --games 30 --compare mode=basic,advanced");
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["measure"] == "windows"), "{document}");
    for row in rows.iter().filter(|row| row["difference"].is_object()) {
        let value = |of: &str| row[of]["value"].as_f64().unwrap();
        assert!((value("second") - value("first") - value("difference")).abs() < 1e-9, "{row}");
        assert!(row["difference"]["low"].as_f64().unwrap() <= value("difference"), "{row}");
    }
    for (words, why) in [
        ("eitsuku --compare hands", "takes one option and two values: hands=A,B"),
        ("eitsuku --compare hands=open,closed,open", "two values"),
        ("eitsuku --compare hands=open,opened", "opened"),
        ("eitsuku --compare hand=open,closed", "hands"),
    ] {
        let (text, complaints, exit) = typed(words);
        assert!(
            text.is_empty() && exit == Exit::Misuse && complaints.contains(why),
            "{complaints}"
        );
    }
}

#[test]
fn every_row_of_values_has_the_same_columns() {
    for words in
        ["eitsuku --games 10 --csv", "eitsuku --games 10 --csv --compare hands=open,closed"]
    {
        let (text, _, exit) = typed(words);
        assert_eq!(exit, Exit::Fine);
        assert!(text.starts_with("table,name,measure,value,low,high\n"), "{text}");
        assert!(text.lines().count() > 5 && text.lines().all(|row| row.matches(',').count() == 5));
    }
}
