//! Names, titles and role-play with mentions, formatting, links or hidden characters.

use super::{Bot, PLAIN, people, table};
use double::{Discord, Locale, Person};

const WILD: &str = "@everyone **x** [a](http://b.example) \u{202e}\u{202d}\u{200b}<@1> ||`#_~";

/// The texts that no post may contain.
const HARMFUL: [&str; 11] = [
    "@everyone",
    "@here",
    "**x",
    "[a]",
    "http://",
    "<@1>",
    "||",
    "`#",
    "\u{202e}",
    "\u{202d}",
    "\u{200b}",
];

/// Returns a declaration that brings a film closer, for the hand that is shown: places missing roles, takes
/// money, or releases a complete film.
fn towards_a_film(hand: &str, placed: &mut Vec<String>) -> String {
    const FAMILIES: [&str; 4] = ["役者", "脚本家", "音楽家", "演出家"];
    let mut kinds = hand.trim_start_matches("手札 ").lines().next().unwrap_or_default().split('｜');
    let budgets = kinds.next().unwrap_or_default();
    let count = |budget: &str| {
        let held = budgets.split(' ').find_map(|held| held.strip_prefix(budget));
        held.and_then(|count| count.parse::<i64>().ok()).unwrap_or(0)
    };
    let [small, middle, large] = ["小", "中", "大"].map(count);
    let mut pieces =
        [vec![3; usize::try_from(large).unwrap()], vec![2; usize::try_from(middle).unwrap()]]
            .concat();
    pieces.extend(vec![1; usize::try_from(small + 1).unwrap()]);
    let most: i64 = pieces.iter().take(5).sum();
    let missing = |family: &str| !placed.iter().any(|other| other == family);
    let roles = kinds.next().unwrap_or_default().split(' ');
    let mut roles: Vec<(&str, i64)> = roles
        .filter_map(|role| {
            let family = FAMILIES.into_iter().find(|family| role.starts_with(family))?;
            Some((family, role.trim_start_matches(family).parse().ok()?))
        })
        .filter(|(family, _)| missing(family))
        .collect();
    roles.sort_by_key(|(_, number)| *number);
    let affordable = roles.iter().find(|(_, number)| number + 2 <= most);
    let wanted = FAMILIES
        .into_iter()
        .find(|family| missing(family) && !roles.iter().any(|(held, _)| held == family));
    if FAMILIES.into_iter().all(|family| !missing(family)) {
        return format!("3A 5B 「{WILD}」");
    }
    let set = match affordable {
        Some((family, number)) => {
            placed.push((*family).to_owned());
            format!("3B {family}{number}")
        }
        None => "3A".to_owned(),
    };
    let scout = wanted.map_or(String::new(), |family| format!("4A {family}"));
    format!("{set} {scout} 5A 「{WILD}」")
}

async fn plays_to_a_film(alice: &Person, bob: &Person) {
    let mut placed = Vec::new();
    for turn in 1..=12 {
        bob.sees(&format!("ターン{turn}：宣言の受付")).await;
        bob.sees(&format!("第{turn}回受付")).await;
        let hand = alice.command("hand").await;
        let words = towards_a_film(&hand.text(), &mut placed);
        let panel = alice.command("declare").with("text", words.clone()).await;
        assert!(!panel.text().contains("●不備"), "{words}: {}", panel.text());
        bob.command("declare").with("text", "3A").await;
        super::closes(alice).await;
        if words.contains("5B") {
            bob.sees(&format!("ターン{}：宣言の受付", turn + 1)).await;
            return;
        }
    }
    panic!("no film is released in twelve turns: {}", alice.transcript());
}

#[tokio::test(flavor = "multi_thread")]
async fn names_titles_and_role_play_do_no_harm() {
    let discord = Discord::start();
    let alice = discord.person(WILD, Locale::Ja);
    let bob = discord.person("bob", Locale::Ja);
    let carol = discord.person("carol", Locale::Ja);
    let _bot = Bot::start_with(&discord, &[(super::CHANCE, "film")]).await;
    alice.command("table new").with("game", "eitsuku").with("seats", 3).with("pace", "6h").await;
    let thread = discord.thread("えいつく").await;
    let name = discord.name_of(thread);
    assert!(!name.contains("http://") && !name.contains('\u{202e}'), "{name}");
    for person in [&alice, &bob, &carol] {
        person.goes_to(thread);
    }
    alice.command("table join").await;
    bob.command("table join").await;
    alice.command("table start").await;
    alice.sees("[宣言する]").await;
    if alice.finds("ターン1：宣言の受付").is_empty() {
        super::closes(&alice).await;
    }
    plays_to_a_film(&alice, &bob).await;
    discord.quiet_for(std::time::Duration::from_millis(700)).await;

    let shown = discord.shows(thread);
    for words in HARMFUL {
        let line = shown.lines().find(|line| !line.starts_with("> (pings") && line.contains(words));
        assert_eq!(line, None, "{words:?} is shown");
    }
    assert!(shown.contains("＠everyone ＊＊x＊＊"), "the name is readable: {shown}");
    assert!(shown.matches("＠everyone").count() > 10, "{shown}");
    // The post pings only those who are asked.
    assert!(
        !carol.transcript().lines().any(|line| line.contains("(pings") && line.contains("carol"))
    );
    super::scenes::assert_text("names_film_released", &film(&shown));
}

/// Returns the part of the result with the release of the film.
fn film(shown: &str) -> String {
    let from = shown.rfind("●各フェイズ行動結果").unwrap();
    shown[from..]
        .lines()
        .take_while(|line| !line.contains("プレイヤー現在状況"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn who_changes_their_name_is_shown_by_the_new_one_from_then_on() {
    let discord = Discord::start();
    let [alice, bob, ..] = people(&discord);
    let _bot = Bot::start_with(&discord, &[PLAIN]).await;
    table(&discord, &[&alice, &bob], 2).await;
    alice.goes_by("Alice of the Lake");
    alice.press("始める").await;
    bob.sees("Alice of the Lake").await;
}
