//! A turn of the test game, its reaction and its choice, the same in both worlds.

use rules::Seat;

use super::table::Table;
use crate::of_the_bot::secrecy::world::World;
use double::Person;

/// The steps in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Begins,
    Orders,
    Strikes,
    /// The turn closes, and the reaction opens.
    TurnCloses,
    Answers,
    /// The reaction closes if all have answered; otherwise the missing players are reminded.
    HoursPass,
    Gives,
    /// The open window closes at its deadline.
    DeadlinesPass,
    LooksBack,
}

impl Step {
    pub(super) const ALL: [Self; 9] = [
        Self::Begins,
        Self::Orders,
        Self::Strikes,
        Self::TurnCloses,
        Self::Answers,
        Self::HoursPass,
        Self::Gives,
        Self::DeadlinesPass,
        Self::LooksBack,
    ];
}

/// Carries a step out in one of the worlds, and waits for all letters and posts.
pub(super) async fn pass(world: &World, number: usize, tables: &[Table], step: Step) {
    match step {
        Step::TurnCloses | Step::HoursPass => world.lets_hours_pass(2).await,
        Step::DeadlinesPass => world.lets_hours_pass(12).await,
        _ => {}
    }
    for table in tables {
        at_the_table(world, number, table, step).await;
    }
    world.settles().await;
}

async fn at_the_table(world: &World, number: usize, table: &Table, step: Step) {
    let at = At { world, table };
    match step {
        Step::Orders if table.ordered[number] => {
            let seat = table.orderer();
            let text = table.answers[seat.index()];
            at.person(seat).command("orders").with("text", text).await;
        }
        Step::Strikes => at.seals(Seat::new(0), &format!("strike: {}", table.struck)).await,
        Step::Answers => {
            for seat in table.by_hand(number) {
                at.seals(seat, table.answers[seat.index()]).await;
            }
        }
        Step::Gives if !table.is_late => at.seals(table.struck, "give: 1").await,
        Step::Orders | Step::Gives => {}
        Step::Begins | Step::TurnCloses | Step::HoursPass | Step::DeadlinesPass => {
            at.all_look(&["declare", "hand", "orders", "table show", "log"]).await;
        }
        Step::LooksBack => at.all_look(&["hand", "why", "table show"]).await,
    }
}

/// A table in one of the worlds.
struct At<'a> {
    world: &'a World,
    table: &'a Table,
}

impl At<'_> {
    fn person(&self, seat: Seat) -> Person {
        let person = self.world.discord.also(&self.table.people[seat.index()]);
        person.goes_to(self.table.place);
        person
    }

    async fn seals(&self, seat: Seat, text: &str) {
        let person = self.person(seat);
        person.command("declare").with("text", text).await;
        person.command("seal").await;
    }

    async fn all_look(&self, commands: &[&str]) {
        for seat in Seat::all(self.table.people.len()) {
            for command in commands {
                self.person(seat).command(command).await;
            }
        }
        self.world.onlooker.command("table show").in_channel(self.table.place).await;
    }
}
