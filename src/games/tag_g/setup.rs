//! T2: the setup: one form for all, then the deal.

use super::cards::Deck;
use super::decks::{self, Clash, Packed};
use super::happening::Happening;
use super::options::{SeatList, Team};
use super::state::{Order, Phase, Player, Referee, State, Turn, WindowStage, Wishes};
use super::turns;
use crate::cards::deck::{MAX_CHARS, counted};
use rules::{Ask, BySeat, Key, Label, Play, Reason, Seat, TextForm};

/// Opens the window of the form (T2.7).
#[expect(clippy::unnecessary_wraps, reason = "other games ask in their setup")]
pub(super) fn setup(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    for clause in ["T1.1", "T1.2", "T2.7", "T8.1"] {
        referee.cite(clause);
    }
    state.stage = WindowStage::Setup;
    state.players = BySeat::new(state.players.count(), |_| Player::default());
    state.teams.clear();
    state.queues = Default::default();
    state.turn = Turn::of(Seat::new(0), 0);
    Ok(())
}

/// T2.7: asks for everything that is decided before the first turn.
pub(super) fn form(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let ask =
        |section, name, clause| Ask::new(Key::new(section, name), clause).or_nothing().or_missing();
    let all: Vec<Deck> = state.options.set.decks().collect();
    let picked = referee.pick(seat, &ask("deck", "choice", "T2.1"), &all, all.len(), all.len())?;
    state.players[seat].wishes.decks = picked.to_vec();
    own_deck(state, seat, referee)?;
    let members = state.members(state.team(seat));
    if members.first() == Some(&seat) {
        let teams = state.options.format.teams();
        if teams.len() == 2 {
            let ask = ask("first", "order", "T2.2");
            state.players[seat].wishes.order = referee.choose(seat, &ask, Order::ALL)?;
        } else {
            let ask = ask("first", "sides", "T2.2");
            let picked = referee.pick(seat, &ask, teams, teams.len(), teams.len())?;
            state.players[seat].wishes.teams = picked.to_vec();
        }
        if members.len() > 1 {
            let ask = ask("first", "who", "T2.3");
            state.players[seat].wishes.who = referee.choose(seat, &ask, &members)?;
        }
    }
    let phase = referee.choose(seat, &ask("skip", "phase", "T2.4"), Phase::ALL)?;
    state.players[seat].wishes.skip = phase;
    let foes = state.opponents(seat);
    let is_told = foes.iter().any(|foe| state.members(state.team(*foe)).len() > 1);
    if is_told {
        let ask = ask("equal", "order", "T2.5");
        let picked = referee.pick(seat, &ask, &foes, foes.len(), foes.len())?;
        state.players[seat].wishes.equal = picked.to_vec();
    }
    Ok(())
}

/// T2.1: asks for a deck of one's own, with all of its faults at once.
fn own_deck(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let part = Key::part("own-deck");
    referee.part(&part, state, |state, referee| {
        let ask = Ask::new(part.named("cards"), "T2.1").or_nothing();
        let Some(text) = referee.text(seat, &ask, MAX_CHARS, TextForm::List)? else {
            return Ok(());
        };
        let more = state.options.solo_stamina(seat);
        let own = decks::read(&text, state.options.set, more);
        let all = |faults: Vec<Reason>| faults.into_iter().map(|it| (it, "T2.1")).collect();
        let own = match own {
            Err(faults) => return referee.object_to_all(&ask, all(faults)),
            Ok(own) => own,
        };
        let has_partner = state.members(state.team(seat)).len() > 1;
        if has_partner && own.leaves_none(&state.options, seat) {
            referee.note_on(&ask, Reason::noted::<Seat>("leaves-no-deck", &[]), "T2.1");
        }
        state.players[seat].wishes.own = Some(own);
        Ok(())
    })?;
    Ok(())
}

/// T2: gives the decks, throws for the order of the sides, deals, and begins the first turn.
pub(super) fn conclude(state: &mut State, referee: &mut Referee<'_>) {
    let mut by_die = SeatList::new();
    for team in state.options.format.teams() {
        give_decks(state, *team, &mut by_die, referee);
    }
    order_sides(state, referee);
    for seat in state.players.seats() {
        deal(state, seat, by_die.contains(&seat), referee);
    }
    for (_, player) in state.players.iter_mut() {
        // The first player, the phase skipped and the order of equal opponents are still asked for.
        let Wishes { who, skip, equal, .. } = std::mem::take(&mut player.wishes);
        player.wishes = Wishes { who, skip, equal, ..Wishes::default() };
    }
    turns::advance(state, referee);
}

/// The deck that a player gets by the wishes of its side (T2.1).
pub(super) struct Served {
    /// The wishes that clash with the decks of the earlier seats. `None` stands for the own deck.
    pub refused: Vec<(Option<Deck>, Vec<Clash>)>,
    /// The first wish that does not clash; `None` if all clash.
    pub gets: Option<(Option<Deck>, Packed)>,
}

/// T2.1: serves a player, after the earlier seats of the side with these decks.
pub(super) fn serve(state: &State, seat: Seat, given: &[(Seat, Packed)]) -> Served {
    let wishes = &state.players[seat].wishes;
    let ready = wishes.decks.iter();
    let ready = ready.map(|deck| (Some(*deck), Packed::of(&state.options, *deck, seat)));
    let mut refused = Vec::new();
    for (deck, packed) in wishes.own.iter().map(|own| (None, own.clone())).chain(ready) {
        let over = packed.clashes(given);
        if over.is_empty() {
            return Served { refused, gets: Some((deck, packed)) };
        }
        refused.push((deck, over));
    }
    Served { refused, gets: None }
}

/// T2.1: the earlier seat of a side is served first; a later one gets its first deck that goes with those.
fn give_decks(state: &mut State, team: Team, by_die: &mut SeatList, referee: &mut Referee<'_>) {
    referee.cite("T2.1");
    let mut given: Vec<(Seat, Packed)> = Vec::new();
    for seat in state.members(team) {
        if state.options.is_solo(seat) {
            referee.cite("T10.6");
        }
        let Served { refused, gets } = serve(state, seat, &given);
        for (deck, over) in refused {
            referee.tell(Happening::DeckGaveWay { seat, deck, over });
        }
        by_die.extend(gets.is_none().then_some(seat));
        let (deck, packed) = gets.unwrap_or_else(|| deck_by_die(state, seat, &given, referee));
        given.push((seat, packed.clone()));
        let ready = deck.filter(|deck| Packed::of(&state.options, *deck, seat) == packed);
        let own_deck = if ready.is_some() { Vec::new() } else { packed.cards.clone() };
        if let (Some(deck), None) = (deck, ready) {
            referee.tell(Happening::DeckFilled { seat, deck, cards: counted(&packed.cards) });
        }
        let wishes = std::mem::take(&mut state.players[seat].wishes);
        state.players[seat] = Player { own_deck, deck, wishes, ..Player::from(packed) };
    }
}

/// T2.1, T2.7: a ready-made deck that goes with those of the partners, by die; if there is none, one that is changed
/// to go with them.
fn deck_by_die(
    state: &State,
    seat: Seat,
    given: &[(Seat, Packed)],
    referee: &mut Referee<'_>,
) -> (Option<Deck>, Packed) {
    let packed = |deck: Deck| Packed::of(&state.options, deck, seat);
    let is_free = |deck: &Deck| given.iter().all(|(_, it)| it.character != deck.character());
    let all: Vec<Deck> = state.options.set.decks().filter(is_free).collect();
    let fitting = all.iter().copied().filter(|deck| packed(*deck).clashes(given).is_empty());
    let fitting: Vec<Deck> = fitting.collect();
    let options = if fitting.is_empty() { all } else { fitting };
    let sides = u32::try_from(options.len()).unwrap_or(1);
    let shown = referee.throw(&Label::of(seat, Key::new("deck", "choice")), sides).unwrap_or(1);
    let deck = options[shown as usize - 1];
    (Some(deck), packed(deck).beside(given, state.options.set))
}

/// T2.2: the die, and the choice of its winner.
fn order_sides(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("T2.2");
    let teams = state.options.format.teams();
    let sides = u32::try_from(teams.len()).unwrap_or(1);
    let label = Label::table(Key::new("first", "die"));
    let winner = teams[referee.throw(&label, sides).map_or(0, |shown| shown as usize - 1)];
    let speaker = state.members(winner).first().copied().unwrap_or(Seat::new(0));
    let Wishes { order, teams: named, .. } = state.players[speaker].wishes.clone();
    let mut sorted: Vec<Team> = teams.to_vec();
    let (order, by_die) = if teams.len() == 2 {
        let label = Label::table(Key::new("first", "order"));
        let die = || {
            referee.throw(&label, 2).map_or(Order::First, |shows| Order::ALL[shows as usize - 1])
        };
        let declared = order.unwrap_or_else(die);
        sorted.sort_by_key(|team| (*team == winner) != (declared == Order::First));
        (Some(declared), order.is_none())
    } else {
        if named.is_empty() {
            referee.shuffle(&Label::table(Key::new("first", "sides")), &mut sorted);
        }
        let place = |team: &Team| named.iter().position(|other| other == team);
        sorted.sort_by_key(|team| place(team).unwrap_or(usize::MAX));
        (None, named.is_empty())
    };
    state.teams.clone_from(&sorted);
    referee.tell(Happening::SidesOrdered { winner, teams: sorted, order, by_die });
}

/// T2.2: shuffles a deck and draws the first hand.
fn deal(state: &mut State, seat: Seat, by_die: bool, referee: &mut Referee<'_>) {
    let is_later = state.teams.first() != Some(&state.team(seat));
    let for_later = if is_later { state.options.second_hand as usize } else { 0 };
    let for_solo = if state.options.is_solo(seat) { state.options.solo_hand as usize } else { 0 };
    let more = for_later + for_solo;
    let player = &mut state.players[seat];
    referee.shuffle(&Label::of(seat, Key::new("deck", "order")), &mut player.stamina);
    let printed = player.printed().map_or(0, |character| character.hand);
    let left = player.stamina.len().saturating_sub(printed + more);
    player.hand = player.stamina.drain(left..).rev().collect();
    let (cards, stamina, deck) = (player.hand.clone(), player.stamina.len(), player.deck);
    if let Some(character) = player.character {
        referee.tell(Happening::Dealt { seat, character, deck, by_die, cards, stamina });
    }
}
