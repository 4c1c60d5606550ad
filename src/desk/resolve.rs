//! What the close of a window brings: the resolution, and the next window.

use super::attendance;
use super::form::record;
use super::held::Holding;
use super::letter::{Notice, Part, opening};
use super::strike::{Striking, Struck};
use super::{Games, Happened, Unloaded, by_seat, contest, dice, draw, write_json};
use crate::games::any::AnyContest;
use crate::rules::receipt::Receipt;
use crate::rules::saved::LoadError;
use crate::rules::{self, Declaration, Key, Label, Seat, Viewer};
use crate::store::{Opened, Sealing, SeatRow, StoreError, TableRow, Touched, WindowRow};
use crate::tables::absence::Occasion;
use crate::tables::{Outage, Pace, Stage, Timing, Why};

/// A window that is to be closed, and why.
pub(super) struct Closing<'a> {
    pub(super) games: Games,
    pub(super) window: &'a WindowRow,
    pub(super) pace: &'a Pace,
    pub(super) why: Why,
    /// What its letters begin with, such as why it comes late.
    pub(super) remark: Option<Part>,
    pub(super) now: i64,
}

impl Closing<'_> {
    /// Closes the window, resolves what was declared in it, and opens the next. False: somebody
    /// else had closed it.
    pub(super) async fn resolve(self, touched: &mut Touched<'_>) -> Result<bool, StoreError> {
        let Self { games, window, pace, why, remark, now } = self;
        let Ok(game) = games.of(&touched.table) else { return Ok(false) };
        let seats = touched.seats().await?;
        let occasion = match why {
            Why::Deadline if remark.is_some() => Occasion::Down(Outage::Late),
            Why::Deadline => Occasion::Deadline,
            Why::AllSealed => Occasion::AllSealed,
            Why::Host => Occasion::GmClose,
        };
        let striking = Striking { games, window, pace, now };
        let struck = striking.strike(touched, &seats, occasion).await?;
        let code = touched.table.code.clone();
        let filings = touched.session().filings(&code, window.number).await?;
        let has_sealed =
            |seat: &&Seat| filings.iter().any(|row| row.seat == **seat && row.sealed != 0);
        let awaited: Vec<Seat> =
            window.asked.0.iter().filter(|seat| !has_sealed(seat)).copied().collect();
        let Some(closed) = touched.close(why, &awaited, now).await? else { return Ok(false) };
        let opened = closed.declarations().await?;
        let holding = |what: String| Holding { seats: &seats, pace, window, what, now };
        let table = touched.table.clone();
        let loaded = contest(touched.session(), game, &table, &seats, window).await;
        let mut contest = match loaded {
            Ok(contest) => contest,
            Err(Unloaded::Load(LoadError::Held(held))) => {
                holding(held.to_string()).hold(touched).await?;
                return Ok(true);
            }
            Err(error) => return Err(error.into()),
        };
        let before = contest.window();
        let told = match contest.close(declared(table.chairs, &opened)) {
            Ok(told) => told,
            Err(held) => {
                holding(held.to_string()).hold(touched).await?;
                return Ok(true);
            }
        };
        // What only house players were asked keeps nobody waiting.
        let announced = if asks_people(&seats, &window.asked.0) {
            pace.announced(now, window.closes_at).max(now)
        } else {
            pace.out_of_quiet(now)
        };
        let sealed = opened.iter().filter_map(|row| Some((row.seat, row.hash.clone()?))).collect();
        let happened = Happened::Closed {
            number: window.number,
            window: before,
            why,
            awaited: awaited.clone(),
            sealed,
            announced,
            entries: told.entries(Viewer::All),
            state: hex::encode(contest.state_hash()),
        };
        record(touched, &happened, now).await?;
        let hidden = contest.procedure().sealing == rules::Sealing::Hidden;
        if why == Why::Host || (why == Why::AllSealed && !hidden) {
            let shut = Shutting { seats: &seats, pace, number: window.number, why, now, announced };
            shut.tell(touched).await?;
        }
        let same_root = contest.is_suspended() && contest.window() == before;
        let next = Next {
            seats: &seats,
            pace,
            contest: &*contest,
            number: window.number + 1,
            root: if same_root { window.root } else { window.number + 1 },
            opens: announced,
            now,
        };
        // Where it was not told who had sealed, it is not now.
        let is_told = !hidden && touched.table.count_only == 0;
        let named = if is_told { awaited } else { Vec::new() };
        if touched.table.place.is_some() {
            let (id, send_at) = (format!("{}-struck", window.number), announced);
            let notice = Notice { seats: &seats, zone: pace.zone, contest: None, id, send_at };
            let own = |seat| Struck::told_alone(&struck, seat).into_iter().collect();
            notice.post_to_each(touched, own).await?;
        }
        let told = |you: Option<Seat>| {
            let closed = (why == Why::Deadline).then(|| Part::Closed { awaited: named.clone() });
            let entries = told.entries(you.map_or(Viewer::Public, Viewer::Seat));
            remark
                .clone()
                .into_iter()
                .chain(closed)
                .chain(Struck::told(&struck, you))
                .chain([Part::Result { you, entries }])
                .collect()
        };
        next.open(touched, told).await?;
        Ok(true)
    }
}

/// Whether a window asks anybody who is no house player.
fn asks_people(seats: &[SeatRow], asked: &[Seat]) -> bool {
    seats.iter().any(|row| row.person.is_some() && asked.contains(&row.seat))
}

/// A window that has closed before its deadline.
struct Shutting<'a> {
    seats: &'a [SeatRow],
    pace: &'a Pace,
    number: i64,
    why: Why,
    now: i64,
    announced: i64,
}

impl Shutting<'_> {
    /// Tells that the result is to be waited for, if there is time to tell it. The host who closed
    /// the window knows.
    async fn tell(&self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let Self { pace, number, why, now: closed, announced, .. } = *self;
        let send_at = pace.out_of_quiet(closed);
        if send_at >= announced {
            return Ok(());
        }
        let host = touched.table.host.clone();
        let knows = |row: &&SeatRow| why == Why::Host && row.person.as_ref() == Some(&host);
        let seats: Vec<SeatRow> = self.seats.iter().filter(|row| !knows(row)).cloned().collect();
        let notice = Notice {
            seats: &seats,
            zone: pace.zone,
            contest: None,
            id: format!("{number}-shut"),
            send_at,
        };
        notice.post(touched, |_| vec![Part::Shut { closed, announced }]).await
    }
}

/// The window that follows.
pub(super) struct Next<'a> {
    pub(super) seats: &'a [SeatRow],
    pub(super) pace: &'a Pace,
    pub(super) contest: &'a dyn AnyContest,
    pub(super) number: i64,
    /// The first window of the same root window.
    pub(super) root: i64,
    pub(super) opens: i64,
    pub(super) now: i64,
}

impl Next<'_> {
    /// Opens it, lets the house players declare, and tells everybody what happened before and what
    /// is asked now. After the end of the game it asks nobody, and keeps the final state.
    pub(super) async fn open(
        &self,
        touched: &mut Touched<'_>,
        told: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let Self { seats, pace, contest, number, root, opens, now } = *self;
        let over = contest.standing().is_some();
        let asked = contest.asked();
        let declared = self.house(&touched.table)?;
        let mut timing = Timing::open(pace, opens);
        if over {
            timing.closes = opens;
        }
        let saved = contest.save();
        touched.open(number, root, &asked, timing, saved.said).await?;
        if number == root {
            let hash = hex::encode(contest.state_hash());
            touched.keep_state(number, saved.root, hash).await?;
        }
        let (stage, look_at) =
            if over { (Stage::Over, None) } else { (Stage::Playing, Some(timing.next(pace))) };
        touched.turn_to(stage, number, look_at).await?;
        for (seat, declaration) in declared {
            let complete = contest.interview(seat, &declaration).is_complete();
            let answers = write_json(&declaration)?;
            let sealing = seal(&touched.table.code, number, seat, &declaration, complete);
            touched.declare(seat, answers, Some(sealing)).await?;
        }
        if !over {
            timing = attendance::begin(touched, pace, &contest.procedure(), timing, now).await?;
        }
        let seed = touched.table.seed.clone();
        if over {
            record(touched, &Happened::Over { ended: false, seed: seed.clone() }, now).await?;
        }
        let early = pace.early && contest.procedure().closes_early;
        let announced = if asks_people(seats, &asked) {
            pace.announced(timing.closes, timing.closes)
        } else {
            timing.settles.unwrap_or(timing.closes)
        };
        let notice = Notice {
            seats,
            zone: pace.zone,
            contest: Some(contest),
            id: format!("{number}-opening"),
            send_at: opens,
        };
        let parts = |seat| {
            let mut parts = told(seat);
            if over {
                parts.extend([
                    Part::Scores,
                    Part::Over { ended: false, seed: seed.clone(), reason: None },
                ]);
            } else {
                parts.push(opening(contest, number, timing, announced, early));
            }
            parts
        };
        notice.post(touched, parts).await
    }

    /// What the house players who are asked declare.
    fn house(&self, table: &TableRow) -> Result<Vec<(Seat, Declaration)>, StoreError> {
        let dice = dice(table, self.seats)?.house();
        let number = u32::try_from(self.number).unwrap_or(u32::MAX);
        let dice = dice.of_window(number, 0);
        let declare = |seat: Seat| {
            let policy = self.seats.get(seat.index())?.house.as_deref()?;
            let chance = dice.stream(&Label::of(seat, Key::part("house")));
            Some((seat, self.contest.declare(seat, policy, chance)?))
        };
        Ok(self.contest.asked().into_iter().filter_map(declare).collect())
    }
}

/// Salts and hashes a declaration that is sealed.
pub(super) fn seal(
    code: &str,
    number: i64,
    seat: Seat,
    declaration: &Declaration,
    complete: bool,
) -> Sealing {
    let salt = draw::bytes();
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let receipt = Receipt::of(code, number, seat, &salt, declaration);
    Sealing { complete, salt, receipt }
}

fn declared(chairs: i64, opened: &[Opened]) -> crate::rules::BySeat<Option<Declaration>> {
    by_seat(chairs, |seat| {
        opened.iter().find(|row| row.seat == seat).map(|row| row.answers.clone())
    })
}
