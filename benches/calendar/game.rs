//! One game by post: a real table at a real desk with a simulated clock.

use crate::model::{Calendar, CalendarError, GONE};
use crate::people::{ModelPerson, Rhythm};
use desk::{Contact, DeclarationStatus, Desk, Form, NotDone, PlayView, Sight, TickOutcome};
use games::any::AnyContest;
use rules::dice::Stream;
use rules::text::Lang;
use rules::{Answer, Declaration, Dice, Key, Label, Question, Seat, Shape, Value, WindowKind};
use store::{TableRow, absences};
use tables::ids::{Address, TableCode};
use tables::time::{Span, Time};
use tables::{CloseReason, Stage};

/// The key of the dice of the table and of its people.
const DICE: &str = "calendar";

/// The time of the deal: Monday, 2026-06-01, 12:00 in Japan.
const DEALT: Time = Time::from_milliseconds(1_780_282_800_000);

/// The maximum number of acts of a person at one look.
const MOST_ACTS: usize = 8;

/// The number of looks, of people and the clock, after which a game counts as unfinished.
const MOST_LOOKS: usize = 200_000;

/// The course of a game by post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PostalGame {
    /// The time from the deal to the announcement of the end; `None` if the game did not end.
    pub(super) took: Option<Span>,
    pub(super) windows: Vec<ModelWindow>,
}

/// A window of such a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModelWindow {
    pub(super) kind: WindowKind,
    pub(super) opened: Time,
    pub(super) closed: Time,
    pub(super) why: CloseReason,
}

/// A table of the model.
struct PostalTable<'a> {
    desk: &'a Desk,
    code: TableCode,
    people: Vec<ModelPerson>,
    dice: Dice,
}

/// Plays the game with this number, in which a share of the people, in percent, has given standing orders.
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
    table.report().await
}

impl<'a> PostalTable<'a> {
    /// Forms a table with everybody seated and deals it.
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
            settings: tables::TableSettings::default(),
            seed: Some((plan.seed("dice", game), DICE.to_owned())),
        };
        let code = desk::form(desk, form, DEALT).await?.code;
        for person in &people {
            desk::join(desk, &code, guest(person), Some([0; 32]), DEALT).await?;
        }
        desk::start(desk, &code, &people[0].account, &people[0].policy, DEALT).await?;
        Ok(Self { desk, code, people, dice })
    }

    /// Gives standing orders that leave no question open to a share of the people, in percent. A larger share
    /// includes the people of a smaller one.
    async fn order(&self, share: u8) -> Result<(), CalendarError> {
        let mut people: Vec<&ModelPerson> = self.people.iter().collect();
        self.chance(None, (0, 0), "ordering").shuffle(&mut people);
        let count = (people.len() * usize::from(share) + 50) / 100;
        for person in people.into_iter().take(count) {
            let sight = desk::see(self.desk, &self.code, &person.account, DEALT).await?;
            let Some(play) = sight.play else { continue };
            let chance = self.chance(Some(person.seat), (0, 0), "orders");
            let orders = orders(&*play.contest, person.seat, chance);
            if !orders.is_empty() {
                desk::give_orders(self.desk, &self.code, &person.account, &orders, DEALT).await?;
            }
        }
        Ok(())
    }

    async fn row(&self) -> Result<TableRow, CalendarError> {
        let row = self.desk.store().read().await?.table(&self.code).await?;
        Ok(row.ok_or(GONE)?)
    }

    /// Lets the clock or a person look at the table, whichever is next. Returns the time of the look.
    async fn goes_on(&mut self, due: Option<Time>, now: Time) -> Result<Time, CalendarError> {
        let next = (0..self.people.len()).min_by_key(|at| self.people[*at].looks_at);
        let next = next.ok_or(GONE)?;
        let looks_at = self.people[next].looks_at;
        if let Some(due) = due.filter(|due| *due <= looks_at) {
            let now = due.max(now);
            if matches!(desk::look(self.desk, &self.code, now).await?, TickOutcome::Closed(_)) {
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

    /// Lets a person look at the table and do all pending acts. Returns true if the person is done for this
    /// window.
    async fn look(&self, person: &ModelPerson, now: Time) -> Result<bool, CalendarError> {
        let mut sight = desk::see(self.desk, &self.code, &person.account, now).await?;
        if sight.held.is_some() {
            let host = &self.people[0].account;
            refusable(desk::resume(self.desk, &self.code, host, None, now).await)?;
            return Ok(false);
        }
        for act in 0..MOST_ACTS {
            if !self.act(person, act, &sight, now).await? {
                break;
            }
            sight = desk::see(self.desk, &self.code, &person.account, now).await?;
        }
        let Some(play) = opened(&sight, now) else { return Ok(false) };
        if play.asked.contains(&person.seat) && !sight.has_sealed() {
            self.seal(person, play, now).await?;
        }
        // Immediate acts of others can change a person's mind.
        Ok(!play.contest.is_open_handed())
    }

    /// Carries out an immediate act by the person's policy. Returns true if there was one.
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
        let acted = desk::act(self.desk, &self.code, &person.account, &act.declaration, now).await;
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
            desk::declare(self.desk, &self.code, account, &declaration, sealed, None, now).await;
        refusable(received).map(drop)
    }

    /// Returns the duration of the game and its windows.
    async fn report(&self) -> Result<PostalGame, CalendarError> {
        let row = self.row().await?;
        let mut session = self.desk.store().read().await?;
        let mut windows = Vec::new();
        for (number, ..) in absences::lineage(&mut session, &self.code).await? {
            let window =
                store::windows::window(&mut session, &self.code, number).await?.ok_or(GONE)?;
            let Some((closed, why)) =
                store::windows::closed(&mut session, &self.code, number).await?
            else {
                continue;
            };
            let (kind, opened) = (window.kind, window.opens_at);
            windows.push(ModelWindow { kind, opened, closed, why });
        }
        // The end is stored in a window that opens at the announcement.
        let last = store::windows::window(&mut session, &self.code, row.open_window).await?;
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

/// Returns the guest of a model's person.
fn guest(person: &ModelPerson) -> Contact {
    let account = person.account.clone();
    Contact { address: Address::default(), name: String::new(), language: Lang::En, account }
}

/// Returns the view of the game if its window takes declarations; `None` otherwise.
fn opened(sight: &Sight, now: Time) -> Option<&PlayView> {
    let is_open = |play: &&PlayView| play.shut.is_none() && play.timing.takes(now);
    sight.play.as_ref().filter(is_open)
}

/// Turns a refusal into `None`: another person was faster, or the request does not fit any more.
fn refusable<T>(done: Result<T, NotDone>) -> Result<Option<T>, CalendarError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(NotDone::Refused(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns orders that answer every question at random.
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

/// Returns a random answer to a question of orders; `None` for a free text or an amount of money.
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
