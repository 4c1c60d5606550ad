//! Deadlines with missing seats: extensions and the grace period first, and then the strikes by the rules of
//! the game.

use crate::absence::attendance::{Attendance, Strikes};
use crate::model::load::{Games, Unloaded, dice, house_chance, load};
use crate::model::random::seal;
use crate::model::struck::Struck;
use crate::record::event::{Event, Secrecy, record};
use crate::record::tell::{News, announcement};
use games::any::{AnyContest, AnyGame};
use rules::contest::LoadError;
use rules::{Declaration, Dice, Sealing, Seat};
use store::{
    DeclarationProgressRow, PresenceRow, SeatRow, Seats, StoreError, TableRow, Touched,
    WholeWindow, WindowRow, absences,
};
use tables::absence::{Condition, Deed, Fate, Occasion, put_off};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{Absence, Pace, Stage};

/// An open window with everything that decides its next step, loaded once.
pub(crate) struct TakenUp {
    game: &'static dyn AnyGame,
    pub(crate) seats: Vec<SeatRow>,
    /// The contest as it stood when the window opened.
    pub(crate) contest: Result<Box<dyn AnyContest>, LoadError>,
    /// The attendance in the window.
    pub(crate) attendance: Attendance,
    /// The seats with a stored declaration in the window.
    pub(crate) stored: Vec<Seat>,
    /// The current absence settings.
    pub(crate) absence: Absence,
}

impl TakenUp {
    /// `None` if this program does not know the edition of the table, or there is no such window.
    pub(crate) async fn of(
        touched: &mut Touched<'_>,
        games: Games,
        window: &WindowRow,
        now: Time,
    ) -> Result<Option<Self>, StoreError> {
        match touched.whole_window_of(window.number, true).await? {
            Some(whole) => Self::found(touched, games, whole, now),
            None => Ok(None),
        }
    }

    /// Returns the table and its window from data that have been read; `None` for an unknown edition.
    pub(crate) fn found(
        touched: &Touched<'_>,
        games: Games,
        mut whole: WholeWindow,
        now: Time,
    ) -> Result<Option<Self>, StoreError> {
        let Ok(game) = games.of(&touched.table) else { return Ok(None) };
        let state = whole.take_state(&touched.table.code)?;
        let attendance = Attendance::in_window(&whole, now);
        let WholeWindow { window, seats, absence, stored, .. } = whole;
        let contest = match load(game, &touched.table, &seats, &window, state) {
            Ok(contest) => Ok(contest),
            Err(Unloaded::Load(error)) => Err(error),
            Err(Unloaded::Store(error)) => return Err(error),
        };
        Ok(Some(Self { game, seats, contest, attendance, stored, absence }))
    }

    /// `None` if the rules failed, which the close reports; otherwise the game's rules for missing seats.
    fn ruled(&self, table: &TableRow) -> Option<Ruled<'_>> {
        let contest = &**self.contest.as_ref().ok()?;
        let named = Secrecy::of(table, Some(contest)).is_named();
        let openly = contest.is_open_handed();
        Some(Ruled { contest, game: self.game, named, openly })
    }
}

/// The game's rules for missing seats.
struct Ruled<'a> {
    contest: &'a dyn AnyContest,
    game: &'static dyn AnyGame,
    named: bool,
    /// True if nothing was sealed in the window, because everything asked was done by acts.
    openly: bool,
}

impl Ruled<'_> {
    /// Returns the condition and the fate of each missing seat.
    fn fates(&self, attendance: &Attendance, occasion: Occasion) -> Vec<(Seat, Condition, Fate)> {
        let fate = |seat: Seat| {
            let none = Declaration::default();
            let form = self.contest.interview(seat, &none);
            // Acts are asked as well.
            let asks = if self.openly { &self.contest.acting(seat, &none) } else { &form };
            let condition = attendance.condition(seat).over(asks);
            if !condition.is_missing() {
                return None;
            }
            let skips = form.missing.is_some();
            Some((seat, condition, attendance.fate(seat, occasion, skips, self.named)))
        };
        attendance.missing().into_iter().filter_map(fate).collect()
    }

    /// Returns the declaration of a bot player for a seat.
    fn by_house(&self, seat: Seat, dice: &Dice, number: WindowNumber) -> Option<Declaration> {
        let policy = *self.game.policies().last()?;
        self.contest.declare(seat, policy, house_chance(dice, number, seat))
    }
}

/// A deadline that has come.
pub(crate) struct Striking<'a> {
    pub(crate) window: &'a WindowRow,
    pub(crate) pace: &'a Pace,
    pub(crate) now: Time,
}

impl Striking<'_> {
    /// Extends the deadline or begins the grace period, if one of them is still possible. Returns false if
    /// the window closes.
    pub(crate) async fn give_more_time(
        &self,
        touched: &mut Touched<'_>,
        at: &TakenUp,
    ) -> Result<bool, StoreError> {
        let (attendance, seats) = (&at.attendance, &at.seats);
        if attendance.missing().is_empty() {
            return Ok(false);
        }
        let Some(ruled) = at.ruled(&touched.table) else { return Ok(false) };
        let attendance = attendance.clone().acted(ruled.contest.kept_by_acts());
        let fates = ruled.fates(&attendance, Occasion::Deadline);
        let of = |deed: Deed| {
            let all = fates.iter().filter(move |(.., fate)| fate.deed == deed);
            all.map(|(seat, condition, _)| (*seat, *condition)).collect::<Vec<_>>()
        };
        let (put_off, late) = (of(Deed::PutOff), of(Deed::Grace));
        if !put_off.is_empty() {
            return self.put_off(touched, seats, attendance, &ruled, &put_off).await;
        }
        if late.is_empty() {
            return Ok(false);
        }
        self.give_grace(touched, seats, attendance, &ruled).await?;
        Ok(true)
    }

    async fn put_off(
        &self,
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
        mut attendance: Attendance,
        ruled: &Ruled<'_>,
        whom: &[(Seat, Condition)],
    ) -> Result<bool, StoreError> {
        let (window, pace, now) = (self.window, self.pace, self.now);
        let whom = |is_away: bool| -> Vec<Seat> {
            let all = whom.iter().filter(|(_, of)| (*of == Condition::Away) == is_away);
            all.map(|(seat, _)| *seat).collect()
        };
        let (away, missing) = (whom(true), whom(false));
        let back = |seat: &Seat| attendance.presence(*seat).and_then(|row| row.away_until);
        // A player who is back at this very moment has no time left to declare.
        let beyond = away.iter().filter_map(back).max().unwrap_or(window.closes_at);
        let times = attendance.lateness.put_off;
        let Some(put) = put_off(pace, window.closes_at, times, beyond, now) else {
            return Ok(false);
        };
        for seat in &missing {
            let Some(row) = attendance.presence(*seat) else { continue };
            absences::attend(touched, PresenceRow { put_off: row.put_off + 1, ..row.clone() });
        }
        attendance.lateness.put_off = put.times;
        attendance.lateness.missed.0.extend(missing.iter().copied());
        absences::keep_lateness(touched, attendance.lateness.clone());
        let mut timing = window.timing();
        (timing.closes, timing.settles) = (put.closes, None);
        touched.time(timing);
        touched.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
        touched.stir();
        let (number, closes) = (window.number, put.closes);
        let about: Vec<Seat> = missing.iter().chain(&away).copied().collect();
        let event = Event::PutOff { number, missing, away, closes };
        let news = News {
            contest: Some(ruled.contest),
            below: announcement(pace, timing).into_iter().collect(),
            about: &about,
            ..News::of(event, seats, now)
        };
        news.tell(touched, &format!("{number}-put-off"), now).await?;
        Ok(true)
    }

    async fn give_grace(
        &self,
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
        mut attendance: Attendance,
        ruled: &Ruled<'_>,
    ) -> Result<(), StoreError> {
        let (window, pace, now) = (self.window, self.pace, self.now);
        let mut late = attendance.missing();
        late.retain(|seat| attendance.presence(*seat).is_some_and(|row| row.person.is_some()));
        attendance.lateness.late = Some(Seats(late.clone()));
        if late.len() == 1 {
            attendance.lateness.called_at.get_or_insert(now);
        }
        absences::keep_lateness(touched, attendance.lateness.clone());
        let until = window.closes_at.max(now) + attendance.absence.grace;
        let mut timing = window.timing();
        // The letter about the grace period is a reminder.
        (timing.closes, timing.settles, timing.reminded) = (until, None, now);
        touched.time(timing);
        touched.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
        touched.stir();
        let number = window.number;
        let procedure = attendance.shown_to_people(&ruled.contest.procedure());
        let hides = !ruled.openly && procedure.sealing == Sealing::Hidden;
        let step = pace.step(window.opens_at).filter(|_| hides);
        let (about, openly) = (late.clone(), ruled.openly);
        let event = Event::Grace { number, late, openly, step, until };
        let news =
            News { contest: Some(ruled.contest), about: &about, ..News::of(event, seats, now) };
        news.tell(touched, &format!("{number}-grace"), now).await
    }

    /// Returns the strikes of a window that closes now: bot players declare for the seats whose fate that
    /// is, and misses are recorded.
    pub(crate) fn strike(
        &self,
        touched: &mut Touched<'_>,
        at: &TakenUp,
        occasion: Occasion,
    ) -> Result<Strikes, StoreError> {
        let mut attendance = at.attendance.clone();
        let ruled = at.ruled(&touched.table);
        if let Some(ruled) = &ruled {
            attendance = attendance.acted(ruled.contest.kept_by_acts());
        }
        let mut presences = attendance.presences().to_vec();
        let mut progress_rows = attendance.declaration_progress().to_vec();
        let mut all = Vec::new();
        Self::welcome_back(touched, &attendance, &mut presences);
        let Some(ruled) = ruled.filter(|_| !attendance.missing().is_empty()) else {
            return Ok(Strikes { struck: all, attendance, presences, progress_rows });
        };
        let dice = dice(&touched.table, &at.seats)?;
        for (seat, condition, fate) in ruled.fates(&attendance, occasion) {
            let Some(row) = presences.iter_mut().find(|row| row.seat == seat) else { continue };
            if row.person.is_none() || !fate.deed.strikes() {
                continue;
            }
            // The bot player has made its acts by now.
            if fate.deed == Deed::ByHouse
                && !ruled.openly
                && let Some(declared) = ruled.by_house(seat, &dice, self.window.number)
            {
                progress_rows.retain(|row| row.seat != seat);
                progress_rows.push(self.declare(touched, ruled.contest, seat, &declared));
            }
            let struck = self.miss(touched, row, condition, fate, &attendance.absence);
            all.push(Struck { openly: ruled.openly, ..struck });
        }
        if !all.is_empty() {
            let happened = Event::Struck { number: self.window.number, struck: all.clone() };
            record(touched, &happened, self.now)?;
        }
        Ok(Strikes { struck: all, attendance, presences, progress_rows })
    }

    /// Resets the misses of the seats that have declared.
    fn welcome_back(
        touched: &mut Touched<'_>,
        attendance: &Attendance,
        presences: &mut [PresenceRow],
    ) {
        for seat in attendance.meant() {
            let has_declared = attendance.condition(seat).has_declared();
            let row = presences.iter_mut().find(|row| row.seat == seat && row.misses > 0);
            if let Some(row) = row.filter(|_| has_declared) {
                row.misses = 0;
                absences::attend(touched, row.clone());
            }
        }
    }

    fn declare(
        &self,
        touched: &mut Touched<'_>,
        contest: &dyn AnyContest,
        seat: Seat,
        declared: &Declaration,
    ) -> DeclarationProgressRow {
        let complete = contest.interview(seat, declared).is_complete();
        let code = touched.table.code.clone();
        let sealing = seal(&code, self.window.number, seat, declared, complete);
        touched.declare(seat, declared.clone(), Some(sealing))
    }

    fn miss(
        &self,
        touched: &mut Touched<'_>,
        row: &mut PresenceRow,
        condition: Condition,
        fate: Fate,
        absence: &Absence,
    ) -> Struck {
        let was = row.inactive_at;
        if fate.missed {
            row.misses += 1;
            row.inactive_at = was.or(absence.is_inactive(row.misses).then_some(self.now));
            absences::attend(touched, row.clone());
        }
        Struck {
            seat: row.seat,
            condition,
            deed: fate.deed,
            misses: if fate.missed { row.misses } else { 0 },
            most: absence.inactive_after,
            inactive: was.is_none() && row.inactive_at.is_some(),
            openly: false,
            public: fate.public,
        }
    }
}
