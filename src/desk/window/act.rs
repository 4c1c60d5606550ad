//! Acts: moves that are made immediately and before everybody's eyes while a window is open.

use std::collections::BTreeSet;

use futures_util::FutureExt;

use crate::absence::attendance::Attendance;
use crate::absence::away::come_back;
use crate::absence::reputation;
use crate::model::random::seal;
use crate::model::{
    Desk, Games, NotDone, contest, dice, house_chance, refuse_if, refusing, retime, seat_of,
    window_pace,
};
use crate::record::{ACT, Event, History, News, record};
use crate::window::declare::takes;
use games::any::{AnyContest, Told};
use letters::{DeclarationRefused, Refused};
use rules::dice::Stream;
use rules::{Act, Declaration, Dice, Key, Label, Seat};
use store::{DeclarationProgressRow, Result, SeatRow, Seats, Session, Touched, WindowRow, Work};
use tables::{AccountId, EntryNumber, Pace, TableCode, Time, WindowNumber};

/// The maximum number of acts of each bot player between two acts of people.
const HOUSE_ROUNDS: usize = 8;

/// A pressed control, as it was shown. The press belongs to the window, and to the acts of the presser's seat
/// until then; the acts of other seats in the meantime do not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressedControl {
    /// The window that was open.
    pub window: WindowNumber,
    /// The number of acts in the window, of all seats.
    pub acts: usize,
    /// The answers that a press on the control gives.
    pub said: Declaration,
    /// True if the control was shown to one person alone, together with all of their acts; one that is shown
    /// to all is pressed by each seat once.
    pub is_private: bool,
}

impl PressedControl {
    /// `None` if the control still works; otherwise the reason why not, by the acts of its seat since it was
    /// shown.
    fn spent(&self, since: &[&Declaration]) -> Option<Refused> {
        if since.iter().any(|act| self.said.is_within(act)) {
            Some(DeclarationRefused::DoneBefore.into())
        } else if self.is_private && !since.is_empty() {
            Some(Refused::MovedOn)
        } else {
            None
        }
    }
}

/// Carries out an act in the open window. Seals in the window stay, and it closes if nobody is asked any
/// more.
/// Refused if the act is impossible now, the window has closed or not opened yet, or the act could not be
/// stored; then nothing has changed.
pub async fn act(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    declared: &Declaration,
    now: Time,
) -> Result<(), NotDone> {
    act_by(desk, code, account, declared, None, now).await
}

/// Carries out an act like [`act`], by a press on a control.
/// Refused also if the control was pressed for this act before, or belongs to another window.
pub async fn act_by(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    declared: &Declaration,
    pressed: Option<PressedControl>,
    now: Time,
) -> Result<(), NotDone> {
    let (code, account) = (code.to_owned(), account.to_owned());
    let acting =
        Acting { games: desk.games, code, account, declared: declared.clone(), pressed, now };
    let work = Work::new(acting, |acting, db| acting.carry_out(db).map(refusing).boxed());
    desk.store.write(work.keeping(Result::is_ok)).await?
}

struct Acting {
    games: Games,
    code: TableCode,
    account: AccountId,
    declared: Declaration,
    pressed: Option<PressedControl>,
    now: Time,
}

impl Acting {
    async fn carry_out(&self, db: &mut Session) -> Result<(), NotDone> {
        match (self.act(db).await, &self.pressed) {
            // This very act may have closed the window at an earlier press.
            (Err(NotDone::Refused(refused)), Some(pressed)) => {
                let spent = self.spent(db, pressed).await?;
                Err(spent.unwrap_or(refused).into())
            }
            (done, _) => done,
        }
    }

    /// `None` if the control still works; otherwise the reason why not, by the journal of its window.
    async fn spent(
        &self,
        db: &mut Session,
        pressed: &PressedControl,
    ) -> Result<Option<Refused>, NotDone> {
        let (_, own) = store::tables::seats_and_own(db, &self.code, &self.account).await?;
        let Some(seat) = seat_of(db, &self.code, &self.account, own, self.now).await? else {
            return Ok(None);
        };
        let acts = acts_in(db, &self.code, pressed.window).await?;
        let since = acts.iter().skip(pressed.acts).filter(|act| act.seat == seat);
        Ok(pressed.spent(&since.map(|act| &act.declaration).collect::<Vec<_>>()))
    }

    async fn act(&self, db: &mut Session) -> Result<(), NotDone> {
        let mut tx = db.touch(&self.code, self.now).await?.ok_or(Refused::NoTable)?;
        let game = self.games.of(&tx.table)?;
        let (seats, own) = store::tables::seats_and_own(tx.db, &self.code, &self.account).await?;
        let substitute = own.is_none().then_some(&self.account);
        let seat = seat_of(tx.db, &self.code, &self.account, own, self.now).await?;
        let seat = seat.ok_or(Refused::NotSeated)?;
        let window = tx.open_window().await?.ok_or(Refused::NotBegun)?;
        match takes(&tx.table, &window, seat, self.now) {
            Ok(()) => {}
            // A seat that is not asked to declare can act as well, as long as others can declare.
            Err(Refused::Declaration(DeclarationRefused::NotAsked))
                if tx.table.held.is_none() && window.timing().takes(self.now) => {}
            Err(Refused::Declaration(DeclarationRefused::Closed)) => {
                return Err(DeclarationRefused::TooLateToAct.into());
            }
            Err(refused) => return Err(refused.into()),
        }
        let contest = contest(tx.db, game, &tx.table, &seats, &window).await?;
        if let Some(pressed) = &self.pressed {
            refuse_if(pressed.window != window.number, DeclarationRefused::TooLateToAct)?;
            if let Some(refused) = pressed.spent(&contest.acts_of(seat, pressed.acts)) {
                return Err(refused.into());
            }
        }
        if contest.asked().is_empty() {
            // The window closes in a moment.
            return Err(DeclarationRefused::TooLateToAct.into());
        }
        let pace = window_pace(&tx.table, &window);
        let keeps = if contest.is_open_handed() {
            Some((window.clone(), Attendance::of(&mut tx, &window).await?))
        } else {
            None
        };
        let mut scene = Scene { seats: &seats, pace: &pace, window, contest };
        if !scene.carry_out(&mut tx, Act { seat, declaration: self.declared.clone() }).await? {
            return Err(Refused::NotNow.into());
        }
        if let Some((window, before)) = &keeps {
            reputation::note(&mut tx, window, before, seat, substitute, true).await?;
            let inactive = before.presence(seat).filter(|row| row.inactive_at.is_some());
            if let Some(row) = inactive {
                come_back(&mut tx, self.games, row).await?;
            }
        }
        scene.house_acts(&mut tx).await?;
        Ok(scene.settle(&mut tx).await?)
    }
}

/// Returns the acts of a window that have not been taken back, in order.
async fn acts_in(db: &mut Session, code: &TableCode, window: WindowNumber) -> Result<Vec<Act>> {
    let history = History::load(db, code).await?;
    let acts = history.standing().filter_map(|event| match event {
        Event::Acted { number, act, .. } if *number == window => Some(act.clone()),
        _ => None,
    });
    Ok(acts.collect())
}

/// Lets the bot players act who begin a window that has just been opened.
pub(crate) async fn house_begins(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    pace: &Pace,
) -> Result<()> {
    if seats.iter().all(|row| row.house.is_none()) && !contest.is_open_handed() {
        return Ok(());
    }
    let Some(window) = tx.open_window().await? else { return Ok(()) };
    let mut scene = Scene { seats, pace, window, contest: contest.copy() };
    if scene.house_acts(tx).await? { scene.settle(tx).await } else { Ok(()) }
}

/// Returns the random stream for a bot player's act that would be this entry of the journal, from the dice
/// of bot players.
pub(crate) fn chance_of_act(
    house: &Dice,
    number: WindowNumber,
    entry: EntryNumber,
    seat: Seat,
) -> Stream {
    let dice = house.of_window(number.get(), entry.get());
    dice.stream(&Label::of(seat, Key::part("act")))
}

/// Stores the acts of a window, and the seats that are asked after them.
pub(crate) async fn keep_acts(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &mut WindowRow,
) -> Result<()> {
    window.said = contest.save().said;
    window.asked = Seats(contest.asked());
    store::windows::keep_acts(tx, window).await
}

/// A window in which players act.
struct Scene<'a> {
    seats: &'a [SeatRow],
    pace: &'a Pace,
    window: WindowRow,
    contest: Box<dyn AnyContest>,
}

impl Scene<'_> {
    /// Carries out an act, stores it, and announces it. Returns false if it is impossible.
    async fn carry_out(&mut self, tx: &mut Touched<'_>, act: Act) -> Result<bool> {
        let Ok(Told { entries, .. }) = self.contest.act(act.clone()) else { return Ok(false) };
        let is_shown = self.contest.is_shown(&entries);
        let (number, round) = (self.window.number, self.contest.round());
        let state = hex::encode(self.contest.state_hash());
        let event = Event::Acted { number, round, act, entries, state };
        keep_acts(tx, &*self.contest, &mut self.window).await?;
        tx.stir();
        if is_shown {
            record(tx, &event)?;
        } else {
            let news = News {
                contest: Some(&*self.contest),
                is_shown: true,
                send_at: tx.now.max(self.window.opens_at),
                ..News::of(event, self.seats, tx.now)
            };
            news.tell(tx, &format!("{number}-{ACT}")).await?;
        }
        Ok(true)
    }

    /// Lets the bot players act in turn until none of them acts any more; returns true if any acted. A bot
    /// player who has acted seals anew, as the act may have changed its possible declarations.
    async fn house_acts(&mut self, tx: &mut Touched<'_>) -> Result<bool> {
        let mut acted: BTreeSet<Seat> = BTreeSet::new();
        let dice = dice(&tx.table, self.seats)?.house();
        // If the answers are sealed, a bot player seals for the missing seats at the deadline.
        let attendance = if self.contest.is_open_handed() {
            Some(Attendance::of(tx, &self.window).await?)
        } else {
            None
        };
        let stands_in = |seat: Seat| {
            attendance.as_ref().is_some_and(|attendance| attendance.is_played_by_house(seat))
        };
        for _ in 0..HOUSE_ROUNDS {
            let mut act_again = false;
            for row in self.seats {
                if row.house.is_none() && !stands_in(row.seat) {
                    continue;
                }
                if self.contest.asked().is_empty() {
                    return Ok(act_again || !acted.is_empty());
                }
                // Each act has a random stream of its own.
                let entry = EntryNumber::new(tx.table.entries);
                let chance = chance_of_act(&dice, self.window.number, entry, row.seat);
                let act = match row.house.as_deref() {
                    Some(policy) => self.contest.act_by(row.seat, policy, chance),
                    None => self.contest.act_by_house(row.seat, chance),
                };
                let Some(act) = act else { continue };
                if self.carry_out(tx, act).await? {
                    act_again = true;
                    acted.insert(row.seat);
                }
            }
            if !act_again {
                break;
            }
        }
        let asked = self.contest.asked().into_iter().filter(|seat| acted.contains(seat));
        let (contest, number) = (&*self.contest, self.window.number);
        house_declares(tx, contest, self.seats, &asked.collect::<Vec<_>>(), number)?;
        Ok(!acted.is_empty())
    }

    /// Lets the window close early if all seats that are asked have sealed, and immediately if none is asked.
    async fn settle(&self, tx: &mut Touched<'_>) -> Result<()> {
        let mut timing = self.window.timing();
        if self.window.asked.0.is_empty() {
            timing.settles = Some(tx.now.max(timing.opens));
        } else {
            let attendance = Attendance::of(tx, &self.window).await?;
            attendance.settle(&mut timing, self.pace, &self.contest.procedure());
        }
        retime(tx, timing, self.pace);
        Ok(())
    }
}

/// Seals the declarations of the bot players among these seats in the open window; returns their progress.
pub(crate) fn house_declares(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    among: &[Seat],
    number: WindowNumber,
) -> Result<Vec<DeclarationProgressRow>> {
    let mut progress_rows = Vec::new();
    if seats.iter().all(|row| row.house.is_none()) {
        return Ok(progress_rows);
    }
    let dice = dice(&tx.table, seats)?;
    for &seat in among {
        let policy = seats.iter().find(|row| row.seat == seat).and_then(|row| row.house.as_deref());
        let chance = house_chance(&dice, number, seat);
        let Some(declaration) = policy.and_then(|policy| contest.declare(seat, policy, chance))
        else {
            continue;
        };
        // If everything is done by acts, there is nothing to seal.
        let found = contest.interview(seat, &declaration);
        if found.asked.is_empty() && contest.acting(seat, &Declaration::default()).is_asking() {
            continue;
        }
        let complete = found.is_complete();
        let sealing = seal(&tx.table.code, number, seat, &declaration, complete);
        progress_rows.push(tx.declare(seat, declaration, Some(sealing)));
    }
    Ok(progress_rows)
}
