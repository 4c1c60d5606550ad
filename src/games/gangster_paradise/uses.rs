//! P3.1: the acts that the turn player seals, with the player's own reactions to them.

use std::collections::VecDeque;

use smol_str::SmolStr;

use super::cards::{Card, Category};
use super::chain::{AnnouncedAct, ReactionAnswers, SealedAct, Shot, Way};
use super::edition::EDITION;
use super::hands::discard;
use super::happening::Happening;
use super::reactions::MONEY;
use super::state::{Player, Referee, State};
use super::{damage, reactions, resolve};

use crate::pieces::alternatives;
use rules::{Ask, Bar, Key, Piece, Play, Seat};

alternatives! { End { End => "end", GoOn => "go-on" } }

/// A sealed choice: a card, or the end of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Card(Card),
    End,
}

impl Piece for Use {
    fn id(&self) -> SmolStr {
        match self {
            Self::Card(card) => card.id(),
            Self::End => End::End.id(),
        }
    }
}

/// A question of the `number`-th act sealed together, from 1. Following acts (P3.1) have no default: they are
/// sealed whole, or not at all.
fn ask_of(section: &'static str, number: u8, name: &'static str, clause: &'static str) -> Ask {
    let ask = Ask::new(Key::new(section, name).nth(number), clause).or_missing();
    if number > 1 { ask.or_nothing() } else { ask }
}

fn ask(number: u8, name: &'static str, clause: &'static str) -> Ask {
    ask_of("turn", number, name, clause)
}

/// True if a card kills or shoots in one of its ways.
fn is_deadly(card: Card) -> bool {
    card.is_of(Category::Weapon)
        || matches!(card, Card::Killer | Card::TheChefish | Card::TheEndorser)
}

/// True if a weapon needs a bullet.
fn needs_bullet(card: Card) -> bool {
    card.is_of(Category::Weapon) && card != Card::Katana
}

/// True if a bullet of this kind loads the card: ROCKET LAUNCHER takes a GRENADE.
fn loads(card: Card, bullet: Card) -> bool {
    if card == Card::RocketLauncher { bullet == Card::Grenade } else { bullet.is_bullet() }
}

/// The ways of a card; empty if it has only one.
fn ways(card: Card) -> &'static [Way] {
    match card {
        Card::Spy => &[Way::Look, Way::Take],
        Card::SniperRifle => &[Way::Look, Way::Kill],
        Card::AssaultRifle => &[Way::Kill, Way::Discard],
        _ => &[],
    }
}

/// `None` if this way of a card can be played now, otherwise the reason and its clause.
fn hindrance(
    state: &State,
    seat: Seat,
    card: Card,
    way: Option<Way>,
) -> Option<(&'static str, &'static str)> {
    let player = &state.players[seat];
    let is_shot = is_deadly(card) && way != Some(Way::Look);
    let is_free = is_shot && needs_bullet(card) && player.holds(Card::Silencer);
    if !player.may_use(card) {
        Some(("used-up", "P1.1"))
    } else if is_shot && state.is_truce() {
        Some(("truce", "P9.5"))
    } else if card == Card::TheEndorser && !player.is_alive() {
        Some(("dead", "P7.1"))
    } else if cost(card, way) > state.turn.actions && !is_free {
        Some(("no-actions", "P2.1"))
    } else if is_shot && needs_bullet(card) && player.count(|other| loads(card, other)) == 0 {
        Some(("no-bullet", "P2.2"))
    } else if targets(state, seat, card, way).is_some_and(|targets| targets.is_empty())
        || items(state, player, card).is_some_and(|items| items.is_empty())
    {
        Some(("no-target", "P2.2"))
    } else {
        None
    }
}

/// The actions that a use costs (P2.2).
fn cost(card: Card, way: Option<Way>) -> u8 {
    let printed = card.printed().actions.unwrap_or(0);
    // SNIPER RIFLE: 2 for the shot.
    printed + u8::from(card == Card::SniperRifle && way == Some(Way::Kill))
}

/// The possible targets of a card; `None` if it has no target.
fn targets(state: &State, seat: Seat, card: Card, way: Option<Way>) -> Option<Vec<Seat>> {
    let others = state.from(seat).into_iter().skip(1);
    let is_deadly = is_deadly(card) && way != Some(Way::Look);
    let fits = |other: &Seat| {
        let player = &state.players[*other];
        match card {
            _ if is_deadly => player.is_alive(),
            Card::Snatcher => state.are_neighbours(seat, *other) && !player.hand.is_empty(),
            Card::Phantom => player.hand.len() >= EDITION.effect.many_cards,
            Card::TheDon => true,
            _ => !player.hand.is_empty(),
        }
    };
    let is_on_nobody = matches!(card, Card::Hustler | Card::Gunsmith);
    (!is_on_nobody).then(|| others.filter(fits).collect())
}

/// The possible objects of GUNSMITH or THE DON; `None` for other cards.
fn items(state: &State, player: &Player, card: Card) -> Option<Vec<Card>> {
    let mut items = match card {
        Card::Gunsmith => {
            let money = player.count(Card::is_money);
            let fits = |item: &Card| {
                let cost = item.printed().cost.filter(|_| item.is_of(Category::Weapon));
                cost.is_some_and(|cost| usize::from(cost) <= money + 1)
            };
            state.field.iter().copied().filter(fits).collect::<Vec<_>>()
        }
        Card::TheDon => state.field.clone(),
        _ => return None,
    };
    items.dedup();
    Some(items)
}

/// `None` if a card can be used in one of its ways, otherwise the reason and its clause.
pub(super) fn hindrance_of(
    state: &State,
    seat: Seat,
    card: Card,
) -> Option<(&'static str, &'static str)> {
    let ways = ways(card);
    if ways.is_empty() {
        return hindrance(state, seat, card, None);
    }
    let hindrances = ways.iter().map(|way| hindrance(state, seat, card, Some(*way)));
    hindrances.collect::<Option<Vec<_>>>().and_then(|all| all.last().copied())
}

/// Asks for the act and the following acts, pays the actions of the first, and announces it. Without an
/// answer the turn ends (P3.6).
pub(super) fn seal(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let first = sealed(state, seat, 1, referee)?;
    let reloads = reloads(state, seat, referee)?;
    let mut acts = VecDeque::new();
    if let Some(first) = first {
        acts = following(state, seat, &first, 2, referee)?;
        acts.push_front(first);
    }
    if let Some(bullets) = reloads {
        let answers = acts.iter_mut().map(|act| &mut act.answers);
        for answers in answers.chain([&mut state.players[seat].answers]) {
            answers.uses.push(Card::Magazine);
            answers.reload.clone_from(&bullets);
        }
    }
    if let Some(first) = acts.pop_front() {
        begin(state, first, referee);
        state.turn.following = acts;
    }
    Ok(())
}

/// P3.1: asks for the acts that follow this one, each over the state that the earlier acts will leave, as far
/// as the player can know.
fn following(
    state: &State,
    seat: Seat,
    before: &SealedAct,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<VecDeque<SealedAct>> {
    if before.act.end {
        return Ok(VecDeque::new());
    }
    referee.imagine(state, seat, |left, referee| {
        begin(left, before.clone(), referee);
        resolve::foresee(left, referee);
        let Some(next) = sealed(left, seat, number, referee)? else { return Ok(VecDeque::new()) };
        let mut acts = following(left, seat, &next, number + 1, referee)?;
        acts.push_front(next);
        Ok(acts)
    })
}

/// P3.1: begins the next of the acts sealed in order. False if there is none, or an earlier result has made
/// it impossible: then it is returned with those after it.
pub(super) fn go_on(state: &mut State, referee: &mut Referee<'_>) -> bool {
    let Some(next) = state.turn.following.pop_front() else { return false };
    let (seat, Some(card)) = (next.act.by, next.act.card) else { return false };
    referee.cite("P3.1");
    let is_possible = is_possible(state, &next, card);
    if is_possible {
        begin(state, next, referee);
    } else {
        state.turn.following.clear();
        referee.tell(Happening::Returned { seat, card });
    }
    is_possible
}

/// True if a previously sealed act can be played now.
fn is_possible(state: &State, sealed: &SealedAct, card: Card) -> bool {
    let SealedAct { act, is_silent, .. } = sealed;
    let (seat, player) = (act.by, &state.players[act.by]);
    let fits =
        |all: Option<Vec<Seat>>| all.is_none_or(|all| act.on.is_some_and(|on| all.contains(&on)));
    let is_about = |all: Option<Vec<Card>>| match (all, act.item) {
        (Some(all), Some(item)) => all.contains(&item),
        (all, _) => all.is_none(),
    };
    let mut hand: Vec<Card> = player.cards().collect();
    let mut has = |bullet: Card| {
        let place = hand.iter().position(|held| *held == bullet);
        place.map(|place| hand.swap_remove(place)).is_some()
    };
    let is_paid = match is_silent {
        true => player.holds(Card::Silencer),
        false => cost(card, act.way) <= state.turn.actions,
    };
    is_paid
        && player.holds(card)
        && hindrance(state, seat, card, act.way).is_none()
        && fits(targets(state, seat, card, act.way))
        && is_about(items(state, player, card))
        && act.shots.iter().filter_map(|shot| shot.bullet).all(&mut has)
}

/// Asks for the `number`-th act; `None` if it is left out, or if a following act is incomplete.
fn sealed(
    state: &State,
    seat: Seat,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<Option<SealedAct>> {
    let is_first = number == 1;
    let mut options = if is_first { vec![Use::End] } else { Vec::new() };
    let mut bars = Vec::new();
    let mut held: Vec<Card> = state.players[seat].cards().filter(|card| card.is_sealed()).collect();
    held.dedup();
    for card in held.into_iter().filter(|card| card.printed().actions.is_some()) {
        match hindrance_of(state, seat, card) {
            None => options.push(Use::Card(card)),
            Some((why, clause)) => bars.push(Bar { option: Use::Card(card), why, clause }),
        }
    }
    if options.is_empty() {
        return Ok(None);
    }
    let what = ask(number, "card", "P3.1");
    let what = if is_first { what.or_by("end", "P3.6") } else { what };
    let used = referee.choose_barring(seat, &what, &options, &bars)?;
    let Some(Use::Card(card)) = used else { return Ok(None) };
    let act = act(state, seat, card, number, referee)?;
    if !is_first && !is_whole(state, &act) {
        return Ok(None);
    }
    let money = money(state, &act, number, referee)?;
    let answers = reactions::answers(state, seat, &act, number, referee)?;
    let answers = ReactionAnswers { money, ..answers };
    let mut sealed = SealedAct { act, answers, is_silent: false };
    pay(state, &mut sealed, number, referee)?;
    Ok(Some(sealed))
}

/// True if the act has all its answers.
fn is_whole(state: &State, act: &AnnouncedAct) -> bool {
    let Some(card) = act.card else { return false };
    let player = &state.players[act.by];
    let is_shot = is_deadly(card) && act.way != Some(Way::Look);
    (ways(card).is_empty() || act.way.is_some())
        && (targets(state, act.by, card, act.way).is_none() || act.on.is_some())
        && (items(state, player, card).is_none() || act.item.is_some())
        && (!is_shot || !act.shots.is_empty())
}

/// P3.1: asks once for MAGAZINE, used at the end of the turn, and for the bullets that it takes first
/// (P9.10). `None` if it is not used.
fn reloads(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<Option<Vec<Card>>> {
    let player = &state.players[seat];
    if !player.holds(Card::Magazine) {
        return Ok(None);
    }
    let before = player.answers.uses(Card::Magazine).then(|| player.answers.reload.clone());
    let magazine = ask(1, "magazine", "P9.10").or_nothing();
    let Some(_) = referee.choose(seat, &magazine, &[Card::Magazine])? else { return Ok(before) };
    let bullets: Vec<Card> = damage::bullets().collect();
    let ask = ask(1, "reload", "P9.10").or_nothing();
    let named =
        referee.pick(seat, &ask, &bullets, bullets.len(), EDITION.effect.magazine)?.to_vec();
    Ok(before.filter(|_| named.is_empty()).or(Some(named)))
}

/// P9.3: asks for the MONEY CARD that an act prefers to pick up, take or pay.
fn money(
    state: &State,
    act: &AnnouncedAct,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<Option<Card>> {
    let player = &state.players[act.by];
    let is_asked = match act.card {
        Some(Card::Hustler | Card::TheChefish) => true,
        Some(Card::Gunsmith) => MONEY.iter().all(|card| player.holds(*card)),
        _ => false,
    };
    if !is_asked {
        return Ok(None);
    }
    referee.choose(act.by, &ask(number, "money", "P9.3").or_nothing(), &MONEY)
}

/// Asks for the way and the target of a use. Answers left out of the first act are chosen by die (P3.6).
fn act(
    state: &State,
    seat: Seat,
    card: Card,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<AnnouncedAct> {
    let mut act = AnnouncedAct::of(seat, Some(card));
    let ways: Vec<Way> = ways(card)
        .iter()
        .copied()
        .filter(|way| hindrance(state, seat, card, Some(*way)).is_none())
        .collect();
    if !ways.is_empty() {
        act.way = referee.choose(seat, &ask(number, "way", "P2.2"), &ways)?;
    }
    if let Some(targets) = targets(state, seat, card, act.way) {
        let dead = state
            .from(seat)
            .into_iter()
            .skip(1)
            .filter(|other| !targets.contains(other) && !state.players[*other].is_alive());
        let bar = |option| Bar { option, why: "target-dead", clause: "P7.1" };
        let bars: Vec<Bar<Seat>> = dead.filter(|_| is_deadly(card)).map(bar).collect();
        act.on = referee.choose_barring(seat, &ask(number, "on", "P2.2"), &targets, &bars)?;
    }
    if let Some(items) = items(state, &state.players[seat], card) {
        act.item = referee.choose(seat, &ask(number, "item", "P2.2"), &items)?;
    }
    if card == Card::Hustler {
        let is_cheap = |card: &Card| card.printed().cost == Some(1);
        let weapons = state.players[seat].cards().filter(|card| card.is_of(Category::Weapon));
        let (mut cheap, dear): (Vec<Card>, Vec<Card>) = weapons.partition(is_cheap);
        cheap.dedup();
        let bar = |option| Bar { option, why: "dear-weapon", clause: "P7.5" };
        let bars: Vec<Bar<Card>> = dear.into_iter().map(bar).collect();
        let ask = ask(number, "item", "P7.5").or_nothing();
        act.item = referee.choose_barring(seat, &ask, &cheap, &bars)?;
    }
    if is_deadly(card) && act.way != Some(Way::Look) {
        shots(state, &mut act, card, number, referee)?;
    }
    Ok(act)
}

/// Asks for the bullets of a shot, and the target of each (P9.14).
fn shots(
    state: &State,
    act: &mut AnnouncedAct,
    card: Card,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let seat = act.by;
    let shot = |bullet, on| Shot { bullet, on };
    if !needs_bullet(card) {
        let Some(on) = act.on else { return Ok(()) };
        // P6.6: the first shot of THE ENDORSER is at oneself.
        act.shots = if card == Card::TheEndorser { vec![shot(None, seat)] } else { Vec::new() };
        act.shots.push(shot(None, on));
        return Ok(());
    }
    let mut bullets: Vec<Card> =
        state.players[seat].cards().filter(|bullet| loads(card, *bullet)).collect();
    if card != Card::Machinegun {
        bullets.dedup();
        let bullet = referee.choose(seat, &ask(number, "bullet", "P2.2"), &bullets)?;
        act.shots.extend(bullet.zip(act.on).map(|(bullet, on)| shot(Some(bullet), on)));
        return Ok(());
    }
    let all = bullets.len();
    let ask = |name, clause| ask_of("volley", number, name, clause).or_nothing();
    let picked = referee.pick(seat, &ask("bullets", "P9.14"), &bullets, all, all)?;
    if picked.is_empty() {
        // A decoy is fired by default only if there is no other bullet.
        let (decoys, others): (Vec<Card>, Vec<Card>) =
            bullets.iter().partition(|bullet| **bullet == Card::Vanguard);
        if !decoys.is_empty() && !others.is_empty() {
            referee.cite("P9.14");
            bullets = others;
        }
    } else {
        bullets = picked.to_vec();
    }
    let Some(on) = act.on else { return Ok(()) };
    let living = state.living_from(seat);
    let others = living.iter().copied().filter(|other| *other != seat);
    let others: Vec<Seat> =
        others.flat_map(|other| std::iter::repeat_n(other, bullets.len())).collect();
    let count = bullets.len() - 1;
    let at = referee.pick(seat, &ask("at", "P9.14"), &others, others.len(), count)?;
    let at = std::iter::once(on).chain(at.iter().copied());
    let last = at.clone().last().unwrap_or(on);
    let at = at.chain(std::iter::repeat(last));
    act.shots = bullets.into_iter().zip(at).map(|(bullet, on)| shot(Some(bullet), on)).collect();
    let mut others = others;
    others.dedup();
    act.more = referee.choose(seat, &ask("more", "P5.1"), &others)?;
    Ok(())
}

/// Asks for SILENCER instead of the actions, and for the end of the turn.
fn pay(state: &State, sealed: &mut SealedAct, number: u8, referee: &mut Referee<'_>) -> Play<()> {
    let SealedAct { act, is_silent, .. } = sealed;
    let (seat, Some(card)) = (act.by, act.card) else { return Ok(()) };
    let mut cost = cost(card, act.way);
    let is_shot = needs_bullet(card) && !act.shots.is_empty();
    if is_shot && state.players[seat].holds(Card::Silencer) {
        let is_needed = cost > state.turn.actions;
        let ask = ask(number, "silencer", "P3.1");
        let ask = if is_needed { ask.or("silencer") } else { ask.or_nothing() };
        *is_silent = referee.choose(seat, &ask, &[Card::Silencer])?.is_some();
        cost = if *is_silent { 0 } else { cost };
    }
    let default = if cost >= state.turn.actions { "end" } else { "go-on" };
    let ask = ask(number, "end", "P2.2").or_by(default, "P2.2");
    act.end = referee.choose(seat, &ask, &[End::End, End::GoOn])? == Some(End::End);
    Ok(())
}

/// P2.1: spends the actions or SILENCER, and announces the act.
fn begin(state: &mut State, sealed: SealedAct, referee: &mut Referee<'_>) {
    let SealedAct { act, answers, is_silent } = sealed;
    let (seat, Some(card)) = (act.by, act.card) else { return };
    if is_silent {
        discard(state, seat, Card::Silencer);
        referee.tell(Happening::Reacted { seat, card: Card::Silencer, on: None });
    } else {
        let cost = cost(card, act.way);
        state.turn.actions = state.turn.actions.saturating_sub(cost);
    }
    state.players[seat].answers = answers;
    resolve::announce(state, act, referee);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gangster_paradise::options::Options;
    use crate::gangster_paradise::state::{GangsterParadise, WindowStage};
    use crate::playable::GameFiles;
    use rules::text::{Lang, Words, read_anew, write};
    use rules::{BySeat, Contest, Declaration, Dice};

    /// P3.1: a turn declared again replaces the whole earlier declaration.
    #[test]
    fn a_turn_that_is_said_again_keeps_no_act_of_the_one_before() {
        let dice = || Dice::new([3; 32], "again");
        let opened = Contest::<GangsterParadise>::open(&Options::default(), 4, dice()).unwrap().0;
        let mut state = opened.state().clone();
        (state.stage, state.round, state.turn.actions) = (WindowStage::Turn, 2, 2);
        let held = [Card::Gun, Card::Bullet, Card::Katana, Card::Spy];
        let seat = state.active;
        state.players[seat].hand.retain(|held| held.is_some_and(Card::is_life));
        state.players[seat].hand.extend(held.map(Some));
        let contest = Contest::<GangsterParadise>::at(state, dice());
        let form = |declaration: &Declaration| contest.interview(seat, declaration);
        let names = BySeat::new(4, |_| Vec::new());
        let words = Words::new(GangsterParadise::lexicon(), &names);
        let read = |text: &str, before: &Declaration| {
            let reading = read_anew(text, before, &form, &words);
            assert!(reading.is_whole(), "{text}: {:?}", reading.misread);
            reading.declaration
        };
        let two = read("GUN BULLET P3, KATANA P4", &Declaration::default());
        let acts = |declaration: &Declaration| {
            let written = write(declaration, &form(declaration), &words, Lang::En);
            written.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(acts(&two), ["Act: GUN P3 BULLET", "Act: KATANA P4"]);
        assert_eq!(acts(&read("KATANA P4", &two)), ["Act: KATANA P4"]);
        // An answer about the second act leaves the first unchanged.
        let other = read("Act#2 KATANA P3", &two);
        assert_eq!(acts(&other), ["Act: GUN P3 BULLET", "Act: KATANA P3"]);
    }
}
