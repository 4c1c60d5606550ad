//! The people's actions at every table, the same in both worlds.

use futures_util::{StreamExt, stream};

use super::pair::Pair;
use super::world::World;

/// The number of concurrent tables.
const AT_ONCE: usize = 4;

/// Plays a window, from its letters to its close, unless the close reveals something. `line` is what the
/// hider writes to their side, in a game with sides.
pub(super) async fn pass(world: &World, pairs: &[Pair], line: &str) {
    world.settles().await;
    at_every_table(pairs, |pair| looks(world, pair)).await;
    at_every_table(pairs, |pair| tells_side(world, pair, line)).await;
    world.settles().await;
    let seats = pairs.iter().map(|pair| pair.people.len()).max().unwrap_or_default();
    for seat in 0..seats {
        at_every_table(pairs, |pair| drafts(world, pair, seat)).await;
        world.settles().await;
        // The seals come in the same order in both worlds, since each draws random numbers.
        for pair in pairs {
            seals(world, pair, seat).await;
        }
        world.settles().await;
    }
    let closing = pairs.iter().filter(|pair| pair.closes);
    at_every_table(closing, |pair| closes(world, pair)).await;
    world.settles().await;
    at_every_table(pairs, |pair| looks_back(world, pair)).await;
}

async fn at_every_table<'p, F: Future<Output = ()>>(
    pairs: impl IntoIterator<Item = &'p Pair>,
    deed: impl FnMut(&'p Pair) -> F,
) {
    stream::iter(pairs).map(deed).buffer_unordered(AT_ONCE).collect::<()>().await;
}

/// Shows everything to everybody, types an unreadable line, and requests completions.
async fn looks(world: &World, pair: &Pair) {
    for (person, text) in pair.people.iter().zip(&pair.texts) {
        let person = world.discord.also(person);
        person.goes_to(pair.place);
        for command in ["declare", "hand", "table show", "log"] {
            person.command(command).await;
        }
        person.command("declare").with("text", "3: nonsense 9Z").await;
        let text = text.as_deref().unwrap_or("3");
        let begun: String = text.chars().take(text.chars().count() / 2).collect();
        person.complete("declare", "text", &begun).await;
    }
    for command in ["table show", "declare", "log"] {
        world.onlooker.command(command).in_channel(pair.place).await;
    }
}

/// The player with a secret writes to their side, and drafts something that differs in each world.
async fn tells_side(world: &World, pair: &Pair, line: &str) {
    let Some((person, text)) = pair.hider_of_a_side() else { return };
    let person = world.discord.also(person);
    person.command("side").with("text", line).await;
    if let Some(text) = text {
        person.command("declare").with("text", text).await;
    }
    let lasts = line.len().is_multiple_of(2);
    person.command(if lasts { "declare" } else { "withdraw" }).await;
}

async fn drafts(world: &World, pair: &Pair, seat: usize) {
    if let Some(Some(text)) = pair.texts.get(seat) {
        let person = world.discord.also(&pair.people[seat]);
        person.command("declare").with("text", text.as_str()).await;
    }
}

async fn seals(world: &World, pair: &Pair, seat: usize) {
    if let Some(Some(_)) = pair.texts.get(seat) {
        world.discord.also(&pair.people[seat]).command("seal").await;
    }
}

async fn closes(world: &World, pair: &Pair) {
    crate::of_the_bot::closes(&world.discord.also(&pair.people[0])).await;
}

async fn looks_back(world: &World, pair: &Pair) {
    for person in &pair.people {
        let person = world.discord.also(person);
        for command in ["hand", "why"] {
            person.command(command).await;
        }
    }
    world.onlooker.command("table show").in_channel(pair.place).await;
}
