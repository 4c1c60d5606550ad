//! Statistics of the tables that are over: winners, durations, and attendance.
//!
//! Only a game that was played to its end has a result. A game that was ended early, drawn by agreement or
//! cancelled is only counted, but its windows count for attendance all the same.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::{Desk, Result, Stored, announced_stage, contest, edition};
use crate::record::{Event, History, JournalEvent, Lineage};
use games::any::AnyGame;
use games::simulation::{Distribution, Group, Share, Spread, Tallies, count_nothing, groups};
use rules::{Entry, Place};
use store::{Backlog, SeatRow, Session, TableRow, figures, outbox, windows};
use tables::absence::Keeping;
use tables::{CloseReason, EndKind, PersonId, Span, Stage, Time};

/// The length of a day, in seconds.
const DAY: f64 = 86_400.0;

/// The tables to be counted.
#[derive(Clone, Debug, Default)]
pub struct StatisticsFilter {
    pub game: Option<String>,
    /// The name of a person at their last table, to count only the tables of people with this name.
    pub person: Option<String>,
}

/// A seat, a person or a bot player with statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "kebab-case")]
pub enum RatedPlayer {
    /// The players of a seat.
    Seat(String),
    /// A person, by their name at their last table; empty if they had none.
    Person(String),
    /// A bot player, by its policy.
    House(String),
    /// All people who are not known any more.
    #[default]
    Forgotten,
}

/// The statistics of a number of tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    pub tables: Ends,
    /// The statistics of each game, those with the most tables first.
    pub games: Vec<GameStatistics>,
    /// The statistics of each person at all games, those with the most tables first.
    pub people: Vec<PersonStatistics>,
}

/// The number of tables for each kind of end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// Games that were played to their end.
    pub played: u32,
    /// Games that were played to their end by rules that this program does not know any more.
    pub unknown: u32,
    pub ended: u32,
    /// Games that ended as an agreed draw.
    pub drawn: u32,
    pub cancelled: u32,
    /// Tables among those ended or cancelled whose game had not begun.
    pub unbegun: u32,
}

impl Ends {
    /// Returns the number of all tables.
    pub fn all(&self) -> u32 {
        self.played + self.unknown + self.ended + self.drawn + self.cancelled
    }
}

/// The statistics of a game, over all its tables that were played to their end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameStatistics {
    pub game: String,
    pub tables: u32,
    /// The number of players at a table.
    pub players: Option<Spread>,
    pub rounds: Option<Spread>,
    pub windows: Option<Spread>,
    /// The share of all windows that closed early, because all had sealed.
    pub early: Share,
    /// The number of days from the deal to the end.
    pub days: Option<Days>,
    /// The scores of all seats.
    pub scores: Option<Spread>,
    /// The number of tables where everybody shared the first place: all tables, if all win or lose together.
    pub shared: u32,
    /// The counts of the game, by group.
    pub tallies: Vec<Group>,
    pub seats: Vec<PlayerResult>,
    /// The results of each person, and of each policy of bot players.
    pub players_by_name: Vec<PlayerResult>,
}

/// The number of days that something took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Days {
    pub min: f64,
    pub median: f64,
    pub max: f64,
}

/// The results of a seat, a person or a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerResult {
    #[serde(flatten)]
    pub who: RatedPlayer,
    pub tables: u32,
    pub chairs: u32,
    /// The number of first places; one that was shared by `k` counts `1/k`.
    pub wins: f64,
    /// The share of the first places at these tables.
    pub share: Share,
    /// The share of the first places to be expected from the chairs alone.
    pub expected: f64,
    /// The average place, from 1.
    pub place: f64,
    /// The number of ranks without a score.
    pub unscored: u32,
    pub scores: Option<Spread>,
}

/// The results of a person, at all of their tables that are over.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PersonStatistics {
    #[serde(flatten)]
    pub who: RatedPlayer,
    /// The number of tables where they sat to the end, of whatever kind.
    pub tables: u32,
    /// The number of those tables that were played to their end.
    pub played: u32,
    /// The number of first places; one that was shared by `k` counts `1/k`, one that all shared counts
    /// nothing.
    pub wins: f64,
    /// The number of windows they sealed with more than half of the time left.
    pub early: u32,
    /// The number of windows they declared in by the deadline.
    pub in_time: u32,
    /// The number of windows they declared in late.
    pub late: u32,
    /// The number of windows they missed.
    pub missed: u32,
    /// The number of windows in which somebody else was given their seat.
    pub replaced: u32,
}

/// A table that is over.
struct Finished {
    game: String,
    end: EndKind,
    /// The time of the deal, if there was one.
    dealt: Option<Time>,
    /// The players at the end, by seat.
    seats: Vec<RatedPlayer>,
    /// `None` if the game was not played to its end, or its rules are not known any more.
    standing: Option<Vec<Place>>,
    tallies: Tallies,
    rounds: u32,
    windows: u32,
    /// The number of windows that closed because all had sealed.
    early: u32,
    /// The time from the deal to the end.
    took: Span,
    keepings: Vec<(RatedPlayer, Keeping)>,
}

/// Returns the statistics of the tables that are over and whose end has been announced.
pub async fn statistics(desk: &Desk, which: &StatisticsFilter, now: Time) -> Result<Statistics> {
    let mut db = desk.store.read().await?;
    let names = PlayerNames::of(&mut db).await?;
    let mut counting = StatisticsBuilder::default();
    for code in figures::finished(&mut db).await? {
        let Some(table) = db.table(&code).await? else { continue };
        if which.game.as_ref().is_some_and(|game| *game != table.game) {
            continue;
        }
        let Some(finished) = finished(desk, &mut db, &table, &names, now).await? else {
            continue;
        };
        if which.person.as_ref().is_none_or(|name| finished.is_of(name)) {
            counting.count(&finished);
        }
    }
    let mut statistics = counting.statistics();
    if let Some(name) = &which.person {
        statistics.people.retain(|person| person.who == RatedPlayer::Person(name.clone()));
    }
    Ok(statistics)
}

async fn finished(
    desk: &Desk,
    db: &mut Session,
    table: &TableRow,
    names: &PlayerNames,
    now: Time,
) -> Result<Option<Finished>> {
    let window = windows::window(db, &table.code, table.open_window).await?;
    if announced_stage(table, window.as_ref(), now) != Stage::Over {
        return Ok(None);
    }
    let seats = db.seats(&table.code).await?;
    let mut finished = Finished {
        game: table.game.clone(),
        end: EndKind::Played,
        dealt: None,
        seats: seats.iter().map(|row| names.of_seat(row)).collect(),
        standing: None,
        tallies: Tallies::new(),
        rounds: 0,
        windows: 0,
        early: 0,
        took: Span::ZERO,
        keepings: Vec::new(),
    };
    went(desk, db, table, &mut finished).await?;
    for (person, keeping) in figures::kept_at(db, &table.code, now).await? {
        finished.keepings.push((names.of_person(&person), keeping));
    }
    let Some(window) = window.filter(|_| finished.end == EndKind::Played) else {
        return Ok(Some(finished));
    };
    // The time of an end is that of its announcement.
    finished.took = window.opens_at - finished.dealt.unwrap_or_default();
    if let Ok(game) = desk.games.of(table) {
        finished.standing = contest(db, game, table, &seats, &window).await?.standing();
    }
    Ok(Some(finished))
}

/// Reads the course of a table from its journal.
async fn went(
    desk: &Desk,
    db: &mut Session,
    table: &TableRow,
    finished: &mut Finished,
) -> Result<()> {
    let counts = Lineage::of(db, table).await?.line;
    let game = desk.games.of(table).ok();
    let mut dealt = None;
    // The log entries of the deal that counts: the game may have been dealt again.
    let mut deal = Vec::new();
    for JournalEvent { row, event } in History::load(db, &table.code).await?.0 {
        match event {
            Event::Dealt { number, entries, .. } => {
                dealt = dealt.or(Some(row.at));
                if counts.first().is_some_and(|first| number <= *first) {
                    deal = entries;
                }
            }
            Event::Closed { number, round, why, entries, .. } if counts.contains(&number) => {
                finished.tally(game, &entries);
                finished.rounds = finished.rounds.max(round.get());
                finished.windows += 1;
                finished.early += u32::from(why == CloseReason::AllSealed);
            }
            Event::Over { how, .. } => finished.end = how,
            _ => {}
        }
    }
    finished.tally(game, &deal);
    count_nothing(&mut finished.tallies, game.map(AnyGame::countable).unwrap_or_default());
    finished.dealt = dealt;
    Ok(())
}

impl Finished {
    fn tally(&mut self, game: Option<&dyn AnyGame>, entries: &[Entry<Json>]) {
        if let Some(game) = game {
            game.tally(entries, &mut |_, group, id| {
                *self.tallies.entry((group, id)).or_default() += 1;
            });
        }
    }

    fn is_of(&self, name: &str) -> bool {
        self.seats.contains(&RatedPlayer::Person(name.to_owned()))
    }
}

/// The names of all people.
struct PlayerNames(BTreeMap<PersonId, RatedPlayer>);

impl PlayerNames {
    async fn of(db: &mut Session) -> Stored<Self> {
        let mut names = BTreeMap::new();
        for row in figures::called(db).await? {
            let is_known = !row.account.is_erased();
            let player =
                if is_known { RatedPlayer::Person(row.name) } else { RatedPlayer::Forgotten };
            // The name at the newest table stays.
            names.insert(row.person, player);
        }
        Ok(Self(names))
    }

    fn of_person(&self, person: &PersonId) -> RatedPlayer {
        self.0.get(person).cloned().unwrap_or(RatedPlayer::Forgotten)
    }

    fn of_seat(&self, row: &SeatRow) -> RatedPlayer {
        match (&row.house, &row.person) {
            (Some(policy), _) => RatedPlayer::House(policy.clone()),
            (None, Some(person)) => self.of_person(person),
            (None, None) => RatedPlayer::Forgotten,
        }
    }
}

#[derive(Default)]
struct StatisticsBuilder {
    tables: Ends,
    games: BTreeMap<String, OfGame>,
    people: BTreeMap<RatedPlayer, PersonStatistics>,
}

#[derive(Default)]
struct OfGame {
    tables: u32,
    players: Distribution,
    rounds: Distribution,
    windows: Distribution,
    all_windows: u32,
    early: u32,
    seconds: Distribution,
    scores: Distribution,
    shared: u32,
    tallies: Tallies,
    sides: BTreeMap<RatedPlayer, OfSide>,
}

#[derive(Default)]
struct OfSide {
    tables: u32,
    chairs: u32,
    wins: f64,
    expected: f64,
    places: u32,
    unscored: u32,
    scores: Distribution,
}

impl StatisticsBuilder {
    fn count(&mut self, finished: &Finished) {
        let ends = &mut self.tables;
        *match (finished.end, &finished.standing) {
            (EndKind::Played, Some(_)) => &mut ends.played,
            (EndKind::Played, None) => &mut ends.unknown,
            (EndKind::Ended, _) => &mut ends.ended,
            (EndKind::Drawn, _) => &mut ends.drawn,
            (EndKind::Cancelled, _) => &mut ends.cancelled,
        } += 1;
        ends.unbegun += u32::from(finished.dealt.is_none());
        for (seat, who) in finished.seats.iter().enumerate() {
            // A bot player has no attendance.
            if matches!(who, RatedPlayer::House(_)) || finished.seats[..seat].contains(who) {
                continue;
            }
            let person = self.person(who);
            person.tables += 1;
            person.played += u32::from(finished.standing.is_some());
        }
        for (who, keeping) in &finished.keepings {
            let person = self.person(who);
            *match keeping {
                Keeping::Early => &mut person.early,
                Keeping::InTime => &mut person.in_time,
                Keeping::Late => &mut person.late,
                Keeping::Missed => &mut person.missed,
                Keeping::Replaced => &mut person.replaced,
            } += 1;
        }
        if let Some(standing) = &finished.standing {
            self.result(finished, standing);
        }
    }

    fn person(&mut self, who: &RatedPlayer) -> &mut PersonStatistics {
        let new = || PersonStatistics { who: who.clone(), ..PersonStatistics::default() };
        self.people.entry(who.clone()).or_insert_with(new)
    }

    /// Counts the result of a game that was played to its end.
    fn result(&mut self, finished: &Finished, standing: &[Place]) {
        let game = self.games.entry(finished.game.clone()).or_default();
        game.tables += 1;
        game.players.add(i64::try_from(standing.len()).unwrap_or_default());
        game.rounds.add(finished.rounds.into());
        game.windows.add(finished.windows.into());
        game.all_windows += finished.windows;
        game.early += finished.early;
        game.seconds.add(finished.took / Span::seconds(1));
        for (what, count) in &finished.tallies {
            *game.tallies.entry(what.clone()).or_default() += count;
        }
        let winners = standing.iter().filter(|place| place.rank == 1).count();
        game.shared += u32::from(winners == standing.len());
        let mut seen: Vec<RatedPlayer> = Vec::new();
        for place in standing {
            if let Some(score) = place.score {
                game.scores.add(score);
            }
            let win = if place.rank == 1 { 1.0 / real(winners) } else { 0.0 };
            let seat = RatedPlayer::Seat(place.seat.name().to_owned());
            let who = finished.seats.get(place.seat.index()).cloned();
            for who in [Some(seat), who].into_iter().flatten() {
                let side = game.sides.entry(who.clone()).or_default();
                side.add(place, win, 1.0 / real(standing.len()));
                if !seen.contains(&who) {
                    side.tables += 1;
                    seen.push(who);
                }
            }
            // If all win or lose together, nobody has won over the others.
            if winners < standing.len()
                && let Some(who) = finished.seats.get(place.seat.index())
                && let Some(person) = self.people.get_mut(who)
            {
                person.wins += win;
            }
        }
    }

    fn statistics(self) -> Statistics {
        let mut games: Vec<GameStatistics> =
            self.games.into_iter().map(|(game, of)| of.statistics(game)).collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.tables));
        let mut people: Vec<PersonStatistics> = self.people.into_values().collect();
        people.sort_by_key(|person| std::cmp::Reverse(person.tables));
        Statistics { tables: self.tables, games, people }
    }
}

impl OfGame {
    fn statistics(self, game: String) -> GameStatistics {
        let days = self.seconds.spread().map(|spread| Days {
            min: signed(spread.min) / DAY,
            median: spread.median / DAY,
            max: signed(spread.max) / DAY,
        });
        let (seats, mut players): (Vec<PlayerResult>, Vec<PlayerResult>) = self
            .sides
            .into_iter()
            .map(|(who, side)| side.statistics(who))
            .partition(|side| matches!(side.who, RatedPlayer::Seat(_)));
        players.sort_by_key(|side| std::cmp::Reverse(side.tables));
        GameStatistics {
            game,
            tables: self.tables,
            players: self.players.spread(),
            rounds: self.rounds.spread(),
            windows: self.windows.spread(),
            early: Share::of(self.early.into(), self.all_windows.into()),
            days,
            scores: self.scores.spread(),
            shared: self.shared,
            tallies: groups(&self.tallies, self.tables.into()),
            seats,
            players_by_name: players,
        }
    }
}

impl OfSide {
    fn add(&mut self, place: &Place, win: f64, expected: f64) {
        self.chairs += 1;
        self.wins += win;
        self.expected += expected;
        self.places += u32::from(place.rank);
        match place.score {
            Some(score) => self.scores.add(score),
            None => self.unscored += 1,
        }
    }

    fn statistics(self, who: RatedPlayer) -> PlayerResult {
        let tables = f64::from(self.tables.max(1));
        PlayerResult {
            who,
            tables: self.tables,
            chairs: self.chairs,
            wins: self.wins,
            share: Share::of(self.wins, self.tables.into()),
            expected: self.expected / tables,
            place: f64::from(self.places) / f64::from(self.chairs.max(1)),
            unscored: self.unscored,
            scores: self.scores.spread(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts chairs to 2^53")]
fn real(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "no game takes 2^53 seconds")]
fn signed(seconds: i64) -> f64 {
    seconds as f64
}

/// The work to be done at all tables together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of tables at each stage.
    pub tables: Vec<(String, u64)>,
    /// The tables that are due for a look.
    pub due: Backlog,
    /// The letters that can be sent.
    pub letters: Backlog,
}

/// Reads the work to be done now.
pub async fn figures(desk: &Desk, now: Time) -> Stored<Figures> {
    let mut db = desk.store.read().await?;
    let (tables, letters) =
        (figures::tables_by_stage(&mut db).await?, outbox::letters_due(&mut db, now).await?);
    let mut due = Backlog::default();
    for game in desk.games.0 {
        due = due.and(figures::tables_due(&mut db, &edition(*game), now).await?);
    }
    Ok(Figures { tables, due, letters })
}
