//! The strength of the policies: `cargo bench --bench policies`, or `-- GAME` for one game alone.
//!
//! Nothing is timed: the counts follow from the seed, on every machine.

#![expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]

use std::collections::BTreeMap;

use clap::Parser;
use games::any::policy;
use games::find;
use games::gangster_paradise::GangsterParadise;
use games::gangster_paradise::cards::Life;
use games::gangster_paradise::happening::Happening;
use games::guild_war::GuildWar;
use games::guild_war::state::Guild;
use games::simulation::{Mode, Plan, Share, Summary};
use rules::playout::{Played, Room, quick};
use rules::{Dice, Game, Item, Key, Label, Piece, Seat};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;
use terminal::simulate::play;

use kit::figures::{Figures, thousands};

/// The strength of policies
#[derive(Debug, Parser)]
struct Arguments {
    /// The games whose policies play [default: all]
    games: Vec<String>,
    /// The number of games of えいつく for a figure
    #[arg(long, default_value_t = 4000)]
    eitsuku: u64,
    /// The number of games of The Gang
    #[arg(long, default_value_t = 1000)]
    the_gang: u64,
    /// The number of games of ギャングスターパラダイス
    #[arg(long, default_value_t = 1250)]
    gangster_paradise: u64,
    /// The number of games of ギルドウォー
    #[arg(long, default_value_t = 10_000)]
    guild_war: u64,
    /// Cargo says so
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), String> {
    let arguments = Arguments::parse();
    let wanted =
        |game: &str| arguments.games.is_empty() || arguments.games.iter().any(|it| it == game);
    if wanted("eitsuku") {
        eitsuku(arguments.eitsuku)?;
    }
    if wanted("the_gang") {
        the_gang(arguments.the_gang)?;
    }
    if wanted("gangster_paradise") {
        gangster_paradise(arguments.gangster_paradise)?;
    }
    if wanted("guild_war") {
        guild_war(arguments.guild_war)?;
    }
    Ok(())
}

/// Plays games and returns their statistics.
fn played(game: &str, games: u64, policies: &[&str], options: Json) -> Result<Summary, String> {
    let game = find(game).ok_or("there is no such game")?;
    let policies: Vec<_> = policies.iter().map(|&name| name.into()).collect();
    let rotate = policies.windows(2).any(|pair| pair[0] != pair[1]);
    let plan = Plan { seed: 1, mode: Mode::Quick, policies, rotate, options };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counted = play(game, &plan, games, threads, &|_| {}).map_err(|why| why.to_string())?;
    Ok(counted.summary())
}

/// Returns a share in percent, with the ends of its 95 % interval.
fn percent(share: &Share) -> String {
    let [value, low, high] = [share.value, share.low, share.high].map(|part| 100.0 * part);
    format!("{value:.1} % ({low:.1}–{high:.1})")
}

/// Measures one seat against three others.
fn eitsuku(games: u64) -> Result<(), String> {
    let mut figures = Figures::new("policies of eitsuku", "bench --bench policies -- eitsuku");
    for (one, others) in [("house", "greedy"), ("house", "random"), ("greedy", "random")] {
        let summary = played("eitsuku", games, &[one, others, others, others], Json::Null)?;
        let side = summary.policies.iter().find(|side| side.name == one).ok_or("nobody played")?;
        let what = format!("wins of one `{one}` among three `{others}`, {} games", count(games));
        figures.add([what, percent(&side.share)]);
    }
    figures.tell()
}

/// Measures the share of successful heists.
fn the_gang(games: u64) -> Result<(), String> {
    let heads = ["policy, mode", "3 players", "4", "5", "6"];
    let command = "bench --bench policies -- the_gang";
    let mut figures = Figures::with_heads("policies of the_gang", command, &heads);
    let rows = [
        ("house", "basic"),
        ("house", "advanced"),
        ("house", "professional"),
        ("house", "master"),
        ("random", "basic"),
        ("random", "master"),
    ];
    for (policy, mode) in rows {
        let mut row = vec![format!("`{policy}`, {mode}, {} games", count(games))];
        for seats in 3..=6 {
            let summary = played("the_gang", games, &vec![policy; seats], json!({ "mode": mode }))?;
            let heists = summary.tallies.iter().find(|group| group.group == "heists");
            let won = heists.and_then(|group| group.members.iter().find(|one| one.id == "won"));
            let share = won.map_or(0.0, |won| won.share.value);
            row.push(format!("{:.1} %", 100.0 * share));
        }
        figures.add(row);
    }
    figures.tell()
}

/// Counts of whole games of ギャングスターパラダイス.
#[derive(Default)]
struct Counted {
    /// The numbers of chairs and of wins, by policy and side.
    chairs: BTreeMap<(&'static str, Life), [u64; 2]>,
    seats: BTreeMap<usize, [u64; 2]>,
    ways: BTreeMap<&'static str, u64>,
    windows: u64,
    turns: u64,
    rounds: u64,
}

impl Counted {
    /// Plays `games` games between policies, which move on by a seat from game to game.
    fn over(games: u64, policies: &[&'static str]) -> Result<Self, String> {
        let mut counted = Self::default();
        let (mut room, options) = (Room::default(), <GangsterParadise as Game>::Options::default());
        for game in 0..games {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&game.to_le_bytes());
            let first = usize::try_from(game).unwrap_or_default();
            let moved = |seat: usize| (seat + first) % policies.len();
            let chance = Dice::new(seed, "policies").of_window(0, 0);
            let made = Seat::all(policies.len()).map(|seat| {
                let stream = chance.stream(&Label::of(seat, Key::part("policy")));
                policy::<GangsterParadise>(policies[moved(seat.index())], stream)
            });
            let mut made = made.collect::<Option<Vec<_>>>().ok_or("there is no such policy")?;
            let dice = Dice::new(seed, "games");
            let played = quick(&options, &dice, &mut made, &mut room, |record| {
                for entry in record.entries() {
                    if let Item::Event(event) = &entry.item {
                        counted.turns += u64::from(matches!(event, Happening::TurnBegan { .. }));
                    }
                }
            });
            if played.standing.is_empty() {
                return Err(format!("game {game} came to no end"));
            }
            counted.end(&played, |seat| policies[moved(seat)]);
        }
        Ok(counted)
    }

    fn end(&mut self, played: &Played<GangsterParadise>, name: impl Fn(usize) -> &'static str) {
        let state = &played.state;
        self.windows += u64::from(played.windows);
        self.rounds += u64::from(state.round);
        let best = state.winners.iter().max_by_key(|winner| winner.points);
        *self.ways.entry(best.map_or("no-game", |winner| winner.way.word())).or_default() += 1;
        for (seat, player) in state.players.iter() {
            let won = u64::from(state.winners.iter().any(|winner| winner.seat == seat));
            let side = player.life().map(|life| (name(seat.index()), life));
            let of_side = side.map(|side| self.chairs.entry(side).or_default());
            let of_seat = self.seats.entry(seat.index()).or_default();
            for [chairs, wins] in of_side.into_iter().chain([of_seat]) {
                *chairs += 1;
                *wins += won;
            }
        }
    }

    /// Returns the share of wins of the chairs that match.
    fn share(&self, is_it: impl Fn(&(&str, Life)) -> bool) -> Share {
        let those = self.chairs.iter().filter(|(key, _)| is_it(key)).map(|(_, counted)| counted);
        share(those.fold([0; 2], |[all, won], counted| [all + counted[0], won + counted[1]]))
    }
}

fn share([chairs, wins]: [u64; 2]) -> Share {
    Share::of(wins as f64, chairs)
}

/// Measures one seat against others, and the wins by side, seat and way among good players.
fn gangster_paradise(games: u64) -> Result<(), String> {
    let heads = ["figure", "4 players", "5", "6", "7"];
    let command = "bench --bench policies -- gangster_paradise";
    let mut figures = Figures::with_heads("policies of gangster_paradise", command, &heads);
    let mut against = Vec::new();
    let mut among = Vec::new();
    for seats in 4..=7 {
        let mut one = vec!["shooter"; seats];
        one[0] = "house";
        against.push(Counted::over(games, &one)?);
        among.push(Counted::over(games, &vec!["house"; seats])?);
    }
    let mut row = |what: &str, of: &[Counted], tell: &dyn Fn(&Counted) -> String| {
        figures.add(std::iter::once(what.to_owned()).chain(of.iter().map(tell)));
    };
    let wins = |name: &'static str| {
        move |counted: &Counted| percent(&counted.share(|(policy, _)| *policy == name))
    };
    row("one `house` among `shooter`s wins", &against, &wins("house"));
    row("a `shooter` beside it", &against, &wins("shooter"));
    row("the first by the second", &against, &|counted| {
        let [house, shooter] =
            ["house", "shooter"].map(|name| counted.share(|(policy, _)| *policy == name).value);
        format!("{:.2}", house / shooter)
    });
    for life in Life::ALL {
        let what = format!("all `house`: {} wins", life.word());
        row(&what, &among, &|counted| percent(&counted.share(|(_, side)| side == life)));
    }
    for seat in 0..7 {
        let what = format!("all `house`: P{} wins", seat + 1);
        row(&what, &among, &|counted| {
            counted.seats.get(&seat).map_or("–".to_owned(), |counted| percent(&share(*counted)))
        });
    }
    for way in ["virtue", "wealth", "greats", "betrayal", "no-game"] {
        let what = format!("all `house`: won by {way}");
        row(&what, &among, &|counted| {
            let won = counted.ways.get(way).copied().unwrap_or(0);
            percent(&share([games, won]))
        });
    }
    row("windows a turn", &among, &|counted| {
        format!("{:.2}", counted.windows as f64 / counted.turns as f64)
    });
    row("rounds a game", &among, &|counted| format!("{:.1}", counted.rounds as f64 / games as f64));
    figures.tell()
}

/// Returns the count of a word in a group of a summary.
fn counted(summary: &Summary, group: &str, id: &str) -> u64 {
    let group = summary.tallies.iter().find(|found| found.group == group);
    let member = group.and_then(|group| group.members.iter().find(|member| member.id == id));
    member.map_or(0, |member| member.total)
}

/// Returns the count of a group of a summary.
fn counted_all(summary: &Summary, group: &str) -> u64 {
    let group = summary.tallies.iter().find(|found| found.group == group);
    group.map_or(0, |group| group.members.iter().map(|member| member.total).sum())
}

/// The number of seats of a 3on3.
const GUILD_WAR_SEATS: usize = 6;

/// Measures 3on3 games: by guild, line, order of the guilds and strategy, and their course.
fn guild_war(games: u64) -> Result<(), String> {
    let mut figures = Figures::new("policies of guild_war", "bench --bench policies -- guild_war");
    let two = |one: &str, other: &str| -> Result<Summary, String> {
        let policies = [one, other].repeat(GUILD_WAR_SEATS / 2);
        played("guild_war", games, &policies, Json::Null)
    };
    let wins = |summary: &Summary| {
        summary.policies.first().map_or_else(String::new, |side| percent(&side.share))
    };
    let same = two("house", "house")?;
    let part = |group: &str, id: &str| {
        let all = counted_all(&same, group);
        percent(&Share::of(counted(&same, group, id) as f64, all))
    };
    figures.add(["all `house`: won by guild A".to_owned(), part("winner", "guild-a")]);
    figures.add(["won by the first of frame 1".to_owned(), part("winner-order", "first")]);
    for (line, share) in guild_war_lines(games)? {
        figures.add([format!("members of `{line}` who win"), percent(&share)]);
    }
    for (group, id, what) in [
        ("pools", "pooled", "pools of two and more"),
        ("verdict", "miss", "pools that miss"),
        ("verdict", "single", "pools that are a single point"),
        ("verdict", "critical", "pools that are critical"),
        ("ended", "all-down", "games that end by all down"),
        ("winner", "draw", "draws"),
        ("used", "normal-attack", "actions that are normal attacks"),
    ] {
        figures.add([what.to_owned(), part(group, id)]);
    }
    let frames = same.tallies.iter().find(|group| group.group == "frames");
    let frames = frames.map_or(0, |group| {
        let of = |frames: &str| frames.parse::<u64>().unwrap_or_default();
        group.members.iter().map(|member| of(&member.id) * member.total).sum()
    });
    figures.add(["frames a game".to_owned(), format!("{:.2}", frames as f64 / games as f64)]);
    let responses = counted_all(&same, "response") as f64 / frames as f64;
    figures.add(["responses a frame".to_owned(), format!("{responses:.2}")]);
    figures.add(["skills and items by their share of uses".to_owned(), extremes(&same)]);
    for (one, other, what) in [
        (
            "house:order.take=first",
            "house:order.take=second",
            "always first, against always second",
        ),
        ("house", "house:order.take=first", "by the position, against always first"),
        ("house", "house:order.take=second", "by the position, against always second"),
        ("house", "house:respond.card=-", "`house`, against one that never responds"),
        ("house", "baseline", "`house`, against `baseline`"),
        ("house", "random", "`house`, against `random`"),
    ] {
        figures.add([format!("wins: {what}"), wins(&two(one, other)?)]);
    }
    figures.tell()
}

/// Returns the least and the most used cards among uses and responses, with their shares.
fn extremes(summary: &Summary) -> String {
    let mut uses: BTreeMap<&str, u64> = BTreeMap::new();
    for group in summary.tallies.iter().filter(|it| ["used", "response"].contains(&it.group)) {
        for member in group.members.iter().filter(|member| member.id != "normal-attack") {
            *uses.entry(&member.id).or_default() += member.total;
        }
    }
    let all = (counted_all(summary, "used") + counted_all(summary, "response")) as f64;
    let mut uses: Vec<(u64, &str)> = uses.into_iter().map(|(id, uses)| (uses, id)).collect();
    uses.sort_unstable();
    let tell = |(uses, id): &(u64, &str)| {
        let id = id.split('@').next().unwrap_or(id);
        format!("{id} {:.2} %", 100.0 * *uses as f64 / all)
    };
    let rare = uses.iter().filter(|(uses, _)| (*uses as f64) < 0.003 * all);
    let rare: Vec<String> = rare.map(tell).collect();
    let most = uses.last().map_or_else(String::new, tell);
    format!("most: {most}; below 0.3 %: {}", rare.join(", "))
}

/// Returns the share of wins of the members of each line, among good players with random lines.
fn guild_war_lines(games: u64) -> Result<Vec<(SmolStr, Share)>, String> {
    let mut lines: BTreeMap<SmolStr, [u64; 2]> = BTreeMap::new();
    let (mut room, options) = (Room::default(), <GuildWar as Game>::Options::default());
    for game in 0..games {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&game.to_le_bytes());
        let chance = Dice::new(seed, "policies").of_window(0, 0);
        let made = Seat::all(GUILD_WAR_SEATS).map(|seat| {
            let stream = chance.stream(&Label::of(seat, Key::part("policy")));
            policy::<GuildWar>("house", stream)
        });
        let mut made = made.collect::<Option<Vec<_>>>().ok_or("there is no such policy")?;
        let played = quick(&options, &Dice::new(seed, "games"), &mut made, &mut room, |_| {});
        let winner = played.state.result.and_then(|result| result.winner);
        let Some(winner) = winner else { continue };
        for (seat, character) in played.state.characters.iter() {
            let line = character.line.map(|line| line.id()).unwrap_or_default();
            let [all, won] = lines.entry(line).or_default();
            *all += 1;
            *won += u64::from(Guild::of(seat) == winner);
        }
    }
    let bare = |line: SmolStr| SmolStr::new(line.split('@').next().unwrap_or_default());
    Ok(lines.into_iter().map(|(line, counted)| (bare(line), share(counted))).collect())
}

fn count(games: u64) -> String {
    thousands(usize::try_from(games).unwrap_or(usize::MAX))
}
