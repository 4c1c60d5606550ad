//! One game by post: a real table at a real desk, whose clock runs ahead.

use super::model::{Calendar, CalendarError};
use super::people::{ModelPerson, Rhythm};
use super::summary::{ModelWindow, PostalGame};
use desk::{DeclarationStatus, Desk, Form, Guest, Looked, NotDone, PlayView, Sight};
use games::any::AnyContest;
use rules::text::Lang;
use rules::{Answer, Declaration, Dice, Key, Label, Question, Seat, Shape, Value, dice::Stream};
use store::TableRow;
use tables::Stage;
use tables::ids::{Address, TableCode};
use tables::time::Time;

/// What the dice of the table are keyed by, and those of its people.
const DICE: &str = "calendar";

/// When a table is dealt: on Monday, 2026-06-01, at 12:00 in Japan.
const DEALT: Time = Time::from_milliseconds(1_780_282_800_000);

/// Somebody does so much at one look at most.
const MOST_ACTS: usize = 8;

/// After so many looks, of people and the clock, a game comes to no end.
const MOST_LOOKS: usize = 200_000;

/// A table of the model.
struct PostalTable<'a> {
    desk: &'a Desk,
    code: TableCode,
    people: Vec<ModelPerson>,
    dice: Dice,
}

/// Plays the game with this number, in which this share of the people have left orders.
pub(super) async fn play(
    calendar: &Calendar,
    desk: &Desk,
    (game, orders): (u64, u8),
) -> Result<PostalGame, CalendarError> {
    let mut table = PostalTable::formed(calendar, desk, game).await?;
    table.order(orders).await?;
    let mut now = DEALT;
    for _ in 0..MOST_LOOKS {
        let row = table.row().await?;
        if row.stage == Stage::Over {
            break;
        }
        now = table.goes_on(row.look_at, now).await?;
    }
    table.told().await
}

impl<'a> PostalTable<'a> {
    /// A table at which everybody sits, dealt.
    async fn formed(calendar: &Calendar, desk: &'a Desk, game: u64) -> Result<Self, CalendarError> {
        let plan = &calendar.plan;
        let dice = Dice::new(plan.seed("calendar people", game), DICE);
        let looks = dice.of_window(0, 0);
        let rhythm = Rhythm::new(calendar.look, calendar.pace.zone);
        let person = |seat: Seat| {
            let chance = looks.stream(&Label::of(seat, Key::part("looks")));
            let policy = plan.policies[plan.position(seat, game)].clone();
            ModelPerson::new(seat, policy, rhythm.clone(), chance, DEALT)
        };
        let people: Vec<ModelPerson> = Seat::all(plan.policies.len()).map(person).collect();
        let form = Form {
            game: calendar.game.key().to_owned(),
            options: plan.options.clone(),
            chairs: people.len(),
            pace: calendar.pace.clone(),
            host: guest(&people[0]),
            place: None,
            seed: Some((plan.seed("dice", game), DICE.to_owned())),
        };
        let code = desk.form(form, DEALT).await?.code;
        for person in &people {
            desk.join(&code, guest(person), Some([0; 32]), DEALT).await?;
        }
        desk.start(&code, &people[0].account, &people[0].policy, DEALT).await?;
        Ok(Self { desk, code, people, dice })
    }

    /// This share of the people, in percent, leave orders that leave nothing to ask. More of them are
    /// the same people and others.
    async fn order(&self, share: u8) -> Result<(), CalendarError> {
        let mut people: Vec<&ModelPerson> = self.people.iter().collect();
        self.chance(None, (0, 0), "ordering").shuffle(&mut people);
        let count = (people.len() * usize::from(share) + 50) / 100;
        for person in people.into_iter().take(count) {
            let sight = self.desk.see(&self.code, &person.account, DEALT).await?;
            let Some(play) = sight.play else { continue };
            let chance = self.chance(Some(person.seat), (0, 0), "orders");
            let orders = orders(&*play.contest, person.seat, chance);
            if !orders.is_empty() {
                self.desk.give_orders(&self.code, &person.account, &orders, DEALT).await?;
            }
        }
        Ok(())
    }

    async fn row(&self) -> Result<TableRow, CalendarError> {
        let row = self.desk.store().read().await?.table(&self.code).await?;
        row.ok_or(CalendarError::Gone)
    }

    /// Whoever is due next looks, the clock or somebody. Gives when that was.
    async fn goes_on(&mut self, due: Option<Time>, now: Time) -> Result<Time, CalendarError> {
        let next = (0..self.people.len()).min_by_key(|at| self.people[*at].looks_at);
        let next = next.ok_or(CalendarError::Gone)?;
        let looks_at = self.people[next].looks_at;
        if let Some(due) = due.filter(|due| *due <= looks_at) {
            let now = due.max(now);
            if matches!(self.desk.look(&self.code, now).await?, Looked::Closed(_)) {
                self.people.iter_mut().for_each(|person| person.is_done = false);
            }
            return Ok(now);
        }
        if !self.people[next].is_done {
            self.people[next].is_done = self.look(&self.people[next], looks_at).await?;
        }
        self.people[next].looks_later();
        Ok(looks_at)
    }

    /// Somebody looks, and does what waits for them. Gives whether nothing does any more.
    async fn look(&self, person: &ModelPerson, now: Time) -> Result<bool, CalendarError> {
        let mut sight = self.desk.see(&self.code, &person.account, now).await?;
        if sight.held.is_some() {
            let host = &self.people[0].account;
            refusable(self.desk.resume(&self.code, host, None, now).await)?;
            return Ok(false);
        }
        for act in 0..MOST_ACTS {
            if !self.act(person, act, &sight, now).await? {
                break;
            }
            sight = self.desk.see(&self.code, &person.account, now).await?;
        }
        let Some(play) = opened(&sight, now) else { return Ok(false) };
        if play.asked.contains(&person.seat) && !sight.has_sealed() {
            self.seal(person, play, now).await?;
        }
        // What others do at once can make somebody think again.
        Ok(!play.contest.is_open_handed())
    }

    /// Does something at once, as their policy would. Gives whether they did.
    async fn act(
        &self,
        person: &ModelPerson,
        act: usize,
        sight: &Sight,
        now: Time,
    ) -> Result<bool, CalendarError> {
        let Some(play) = opened(sight, now) else { return Ok(false) };
        let at = (play.number.get(), person.looked * 16 + u32::try_from(act).unwrap_or(0));
        let chance = self.chance(Some(person.seat), at, "act");
        let Some(act) = play.contest.act_by(person.seat, &person.policy, chance) else {
            return Ok(false);
        };
        let acted = self.desk.act(&self.code, &person.account, &act.said, now).await;
        Ok(refusable(acted)?.is_some())
    }

    async fn seal(
        &self,
        person: &ModelPerson,
        play: &PlayView,
        now: Time,
    ) -> Result<(), CalendarError> {
        let chance = self.chance(Some(person.seat), (play.number.get(), 0), "declaration");
        let declared = play.contest.declare(person.seat, &person.policy, chance);
        let Some(declaration) = declared.filter(|_| !play.contest.is_open_handed()) else {
            return Ok(());
        };
        let (account, sealed) = (&person.account, DeclarationStatus::Sealed);
        let received =
            self.desk.declare(&self.code, account, &declaration, sealed, None, now).await;
        refusable(received).map(drop)
    }

    /// How long it took, and how its windows went.
    async fn told(&self) -> Result<PostalGame, CalendarError> {
        let row = self.row().await?;
        let mut session = self.desk.store().read().await?;
        let mut windows = Vec::new();
        for (number, _) in session.followed(&self.code).await? {
            let window = session.window(&self.code, number).await?.ok_or(CalendarError::Gone)?;
            let Some((closed, why)) = session.closed(&self.code, number).await? else { continue };
            let (kind, opened) = (window.kind, window.opens_at);
            windows.push(ModelWindow { kind, opened, closed, why });
        }
        // The end is kept in a window that opens as it is announced.
        let last = session.window(&self.code, row.open_window).await?;
        let last = last.filter(|_| row.stage == Stage::Over);
        Ok(PostalGame { took: last.map(|last| last.opens_at - DEALT), windows })
    }

    fn chance(
        &self,
        seat: Option<Seat>,
        (window, attempt): (u32, u32),
        what: &'static str,
    ) -> Stream {
        let label = Label { seat, ..Label::table(Key::part(what)) };
        self.dice.of_window(window, attempt + 1).stream(&label)
    }
}

/// What somebody who is no one in particular brings to a table.
fn guest(person: &ModelPerson) -> Guest {
    let account = person.account.clone();
    Guest { address: Address::default(), name: String::new(), language: Lang::En, account }
}

/// The window that is open for declarations, as somebody sees it.
fn opened(sight: &Sight, now: Time) -> Option<&PlayView> {
    let is_open = |play: &&PlayView| play.shut.is_none() && play.timing.takes(now);
    sight.play.as_ref().filter(is_open)
}

/// What was refused is no fault: somebody was faster, or it does not fit any more.
fn refusable<T>(done: Result<T, NotDone>) -> Result<Option<T>, CalendarError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(NotDone::Refused(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Orders that answer everything that can be ordered, by chance.
fn orders(contest: &dyn AnyContest, seat: Seat, mut chance: Stream) -> Declaration {
    let mut orders = Declaration::default();
    loop {
        let asked = contest.ordering(seat, &orders).asked;
        let open = asked.into_iter().find(|asked| asked.answer.is_none());
        let Some(asked) = open else { return orders };
        let answer = answer(&asked.question, &mut chance).map_or(Answer::LeftOut, Answer::Given);
        orders.set(asked.question.key, answer);
    }
}

/// Some answer to a question of orders; none where words of one's own or money are asked for.
fn answer(question: &Question, chance: &mut Stream) -> Option<Value> {
    match &question.shape {
        Shape::Choose { options, .. } => {
            let count = u32::try_from(options.len()).ok().filter(|count| *count > 0)?;
            options.get(chance.below(count) as usize).cloned().map(Value::Choice)
        }
        Shape::Pick { options, min, .. } => {
            let mut options = options.clone();
            chance.shuffle(&mut options);
            options.truncate(usize::from(*min));
            Some(Value::Picks(options))
        }
        Shape::Number { min, .. } => Some(Value::Number(*min)),
        Shape::Pay { .. } | Shape::Text { .. } => None,
    }
}
