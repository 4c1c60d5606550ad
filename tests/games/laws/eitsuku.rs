//! えいつく: the facts for the laws, and its own laws.

use std::collections::BTreeMap;

use games::eitsuku::Eitsuku;
use games::eitsuku::cards::{Budget, Budgets, EventCard, HandCard, Role, Slot};
use games::eitsuku::edition::EDITION;
use games::eitsuku::happening::Happening;
use games::eitsuku::state::{HeldEvents, HeldRoles, Options, Placed, State};
use games::playable::Playable as _;
use rules::dice::Stream;
use rules::{
    Answer, Contest, Declaration, Game, Key, Outcome, Piece, Reason, Round, Ruling, Seat, Shape,
    Value, Viewer,
};
use serde_json::{from_value, json, to_value};
use smol_str::SmolStr;

use crate::laws::lawful::{Decks, Lawful, Table, below, events, games, play, rulings};

every_law!(Eitsuku);

/// The index of the events' deck, after those of the families.
const EVENTS: usize = 4;

impl Lawful for Eitsuku {
    const GAMES: u32 = 800;
    const TABLES: u32 = 5;
    const SPOILT: &'static [&'static str] =
        &["actor-6", "strike", "3B", "4D", "P1", "P6", "lead", "B", "5B", "use", "nonsense"];
    const MONEY: &'static str = "large";
    const FAULT: Option<&'static str> = Some("E4.4");
    /// In the deal, a player who may choose a family is asked (E1.5).
    const SUSPENDS: bool = true;
    const ACTS: bool = false;
    const THROWN: usize = 100;

    fn table(game: u32) -> (Options, usize) {
        (Options::default(), 2 + game as usize % 5)
    }

    fn most_windows(_: &Options) -> u32 {
        u32::from(EDITION.flow.turns) + 1
    }

    fn twin(state: &State, of: Seat, chance: &mut Stream) -> State {
        let mut twin = state.clone();
        let holds = |seat| twin.players[seat].roles.count() + twin.players[seat].events.count() > 0;
        if !twin.players.seats().any(holds) {
            twin.roles.iter_mut().for_each(|deck| exchange_few(deck, chance));
            exchange_few(&mut twin.events, chance);
            return twin;
        }
        // Each card is exchanged with one of a deck.
        let hand = &mut twin.players[of];
        for pile in [&mut hand.roles.known, &mut hand.roles.fresh] {
            for index in HeldRoles::positions(&pile.clone()) {
                let role = Role::from_index(index);
                let deck = &mut twin.roles[role.family.index()];
                let other = exchange(deck, role, chance).index();
                pile[index] -= 1;
                pile[other] += 1;
            }
        }
        for pile in [&mut hand.events.known, &mut hand.events.fresh] {
            for index in HeldEvents::positions(&pile.clone()) {
                let other = exchange(&mut twin.events, EventCard::ALL[index], chance).index();
                pile[index] -= 1;
                pile[other] += 1;
            }
        }
        twin.roles.iter_mut().for_each(|deck| chance.shuffle(deck));
        chance.shuffle(&mut twin.events);
        twin
    }

    fn decks(state: &State) -> Decks<SmolStr> {
        let roles = state.roles.iter().map(|deck| deck.iter().flatten().map(Piece::id).collect());
        roles.chain([state.events.iter().flatten().map(Piece::id).collect()]).collect()
    }

    fn without_decks(state: &State) -> State {
        let mut state = state.clone();
        state.roles = Default::default();
        state.events.clear();
        state
    }

    fn memory(options: &Options, seats: usize) -> Decks<Option<SmolStr>> {
        let decks = Self::decks(&Self::bare(options, seats));
        decks.iter().map(|deck| vec![None; deck.len()]).collect()
    }

    fn hear(memory: &mut Decks<Option<SmolStr>>, happening: &Happening) {
        let mut draw = |deck: usize, count: usize| {
            let left = memory[deck].len().saturating_sub(count);
            memory[deck].truncate(left);
        };
        match happening {
            Happening::Dealt { events: cards, .. } | Happening::DrewEvents { cards, .. } => {
                draw(EVENTS, cards.len());
            }
            Happening::DealtRole { family, .. } | Happening::DrewRole { family, .. } => {
                draw(family.index(), 1);
            }
            Happening::PutBack { cards, .. } => {
                for card in cards.iter().flatten() {
                    let (deck, id) = match card {
                        HandCard::Role(role) => (role.family.index(), role.id()),
                        HandCard::Event(event) => (EVENTS, event.id()),
                    };
                    memory[deck].push(Some(id));
                }
            }
            _ => {}
        }
    }
}

/// Puts a card into a deck in place of another, which is returned.
fn exchange<T: Copy>(deck: &mut [Option<T>], card: T, chance: &mut Stream) -> T {
    if deck.is_empty() {
        return card;
    }
    let index = below(chance, deck.len());
    deck[index].replace(card).unwrap()
}

/// Exchanges a few cards of a deck with each other.
fn exchange_few<T>(deck: &mut [T], chance: &mut Stream) {
    for _ in 0..2 {
        let (one, other) = (below(chance, deck.len()), below(chance, deck.len()));
        deck.swap(one, other);
    }
}

/// Counts every card and budget card, wherever it is.
fn pieces(state: &State) -> BTreeMap<String, i32> {
    let mut pieces = BTreeMap::new();
    let mut add = |piece: &str, count: i32| *pieces.entry(piece.to_owned()).or_default() += count;
    for role in state.roles.iter().flatten().flatten() {
        add(role.word(), 1);
    }
    for event in state.events.iter().flatten() {
        add(event.word(), 1);
    }
    for &budget in Budget::ALL {
        add(budget.word(), state.supply[budget].into());
    }
    for (_, player) in state.players.iter() {
        for role in Role::all() {
            let held = player.roles.known[role.index()] + player.roles.fresh[role.index()];
            add(role.word(), held.into());
        }
        for card in EventCard::ALL {
            let held = player.events.known[card.index()] + player.events.fresh[card.index()];
            add(card.word(), held.into());
        }
        for &budget in Budget::ALL {
            add(budget.word(), i32::from(player.budgets[budget] + player.put[budget]));
        }
        for laid in &player.laid {
            add(laid.card.word(), 1);
        }
        for slot in Slot::ALL {
            if let Some(placed) = player.slot(*slot) {
                add(piece_in(*slot, placed), 1);
            }
        }
    }
    pieces
}

fn at_the_beginning(game: u32) -> BTreeMap<String, i32> {
    let (options, seats) = Eitsuku::table(game);
    pieces(&State::bare(&options, seats))
}

fn piece_in(slot: Slot, placed: Placed) -> &'static str {
    match placed.promoter {
        Some(_) => EventCard::Promoter.word(),
        None => Role { family: slot.family(), number: placed.number }.word(),
    }
}

/// Returns the pieces that an event destroys.
fn destroyed(happening: &Happening) -> Vec<(&'static str, i32)> {
    let budgets = |paid: Budgets| {
        Budget::ALL.iter().map(move |budget| (budget.word(), i32::from(paid[*budget])))
    };
    match happening {
        Happening::Struck { slot, destroyed, paid, .. } => {
            let role = slot.zip(*destroyed).map(|(slot, placed)| (piece_in(slot, placed), 1));
            role.into_iter().chain(budgets(*paid)).collect()
        }
        Happening::Spent { card, .. } | Happening::Turned { card, .. } => vec![(card.word(), 1)],
        Happening::Laid { slot, replaced, .. } => slot
            .zip(*replaced)
            .map(|(slot, placed)| (piece_in(slot, placed), 1))
            .into_iter()
            .collect(),
        Happening::PlacedRole { slot, replaced, paid, .. } => {
            let role = replaced.map(|placed| (piece_in(*slot, placed), 1));
            role.into_iter().chain(budgets(*paid)).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn nothing_is_made_or_lost_but_what_the_letter_says() {
    for game in games::<Eitsuku>(4) {
        let mut before = at_the_beginning(game);
        play::<Eitsuku>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, resolution| {
                for (piece, count) in events(resolution).flat_map(destroyed) {
                    *before.get_mut(piece).unwrap() -= count;
                }
                let after = pieces(contest.state());
                assert_eq!(before, after, "game {game}, window {}", contest.round());
            },
        );
    }
}

/// E6: what a field is shown to be worth is what its film scores, once it is released.
#[test]
fn a_film_scores_what_it_was_worth() {
    let mut scored = 0;
    for game in games::<Eitsuku>(20) {
        play::<Eitsuku>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                let state = contest.state();
                let report = Eitsuku::report(state);
                for (seat, player) in state.players.iter() {
                    let worth = &report["players"][seat.index()]["worth"];
                    let is_shown = player.film.is_some() || !player.occupied().is_empty();
                    assert_eq!(worth.is_object(), is_shown, "game {game}");
                    let all = report["scores"].as_array().into_iter().flatten();
                    let own = all.filter(|score| score["seat"] == json!(seat));
                    for score in own.filter(|_| player.film.is_some()) {
                        assert_eq!(worth["total"], score["total"], "game {game}");
                        scored += 1;
                    }
                }
            },
        );
    }
    assert!(scored > 20, "{scored}");
}

/// Returns the owner of the cards in an event, and true if the event shows the cards; `None` without cards.
fn shown(happening: &Happening) -> Option<(Seat, bool)> {
    match happening {
        Happening::Dealt { seat, events: cards, .. } | Happening::DrewEvents { seat, cards } => {
            Some((*seat, cards.iter().any(Option::is_some)))
        }
        Happening::DealtRole { seat, card, .. } | Happening::DrewRole { seat, card, .. } => {
            Some((*seat, card.is_some()))
        }
        Happening::PutBack { seat, cards, .. } => Some((*seat, cards.iter().any(Option::is_some))),
        _ => None,
    }
}

#[test]
fn only_their_player_sees_which_cards_come_and_go() {
    for game in games::<Eitsuku>(20) {
        let seats = Eitsuku::table(game).1;
        play::<Eitsuku>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, resolution| {
                for event in events(resolution) {
                    let Some((owner, true)) = shown(event) else { continue };
                    let seen =
                        |viewer| Eitsuku::event_seen_by(contest.state(), event, viewer).unwrap();
                    assert_eq!(seen(Viewer::Seat(owner)), *event, "game {game}");
                    let other = Seat::new((owner.index() + 1) % seats);
                    for viewer in [Viewer::Public, Viewer::Seat(other)] {
                        assert_eq!(shown(&seen(viewer)), Some((owner, false)), "game {game}");
                    }
                }
            },
        );
    }
}

/// Gives answers to one of the GM's moves until no question is open.
fn any_move(contest: &Contest<Eitsuku>, chance: &mut Stream) -> Declaration {
    let moves = [
        "give", "take", "transfer", "place", "lay", "promote", "move", "lift", "stack", "release",
        "bonus", "penalty", "set-turn",
    ];
    let section = moves[below(chance, moves.len())];
    let mut said = Declaration::default();
    loop {
        let found = contest.rehearse(&said, Viewer::All);
        let open = found.asked.iter().find(|asked| {
            asked.question.key.section == section && said.get(&asked.question.key).is_none()
        });
        let Some(asked) = open else { return said };
        let value = match &asked.question.shape {
            Shape::Choose { options, .. } => {
                Value::Choice(options[below(chance, options.len())].clone())
            }
            Shape::Pick { options, max, .. } => {
                let mut picks = options.clone();
                chance.shuffle(&mut picks);
                picks.truncate(below(chance, usize::from(*max).min(6) + 1));
                Value::Picks(picks)
            }
            &Shape::Number { min, max } => {
                let numbers = usize::try_from(max - min + 1).unwrap();
                Value::Number(min + i64::try_from(below(chance, numbers)).unwrap())
            }
            shape => panic!("{shape:?}"),
        };
        said.set(asked.question.key.clone(), Answer::Given(value));
    }
}

#[test]
fn whatever_a_game_master_decides_nothing_is_made_or_lost() {
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    for game in games::<Eitsuku>(80) {
        let (mut table, mut told) = Table::<Eitsuku>::open(game);
        let mut before = at_the_beginning(game);
        let mut attempt = 0;
        // A turn that is set back again and again would go on for ever.
        for _ in 0..20 {
            for (piece, count) in events(&told).flat_map(destroyed) {
                *before.get_mut(piece).unwrap() -= count;
            }
            assert_eq!(before, pieces(table.contest.state()), "game {game}");
            if table.is_over() {
                break;
            }
            if !table.contest.is_suspended() {
                if table.mischief.below(4) == 0 {
                    attempt += 1;
                    table.contest.ask_again(attempt).unwrap();
                }
                for _ in 0..table.mischief.below(4) {
                    let said = any_move(&table.contest, &mut table.mischief);
                    let moved = table.contest.amend(&said);
                    assert!(moved.is_ok(), "game {game}: {said:?} {moved:?}");
                    assert_eq!(before, pieces(table.contest.state()), "game {game}: {said:?}");
                }
            }
            let declared = table.declared();
            let (skipped, played, returned) = (table.seat(), table.seat(), table.seat());
            let asked = table.contest.asked();
            let root = !table.contest.is_suspended() && table.contest.round() > Round::DEAL;
            if root {
                table.contest.unskip(played);
                table.contest.skip(skipped);
                let section = ["1", "2", "3", "4", "5", "strike", "return"];
                let section = section[below(&mut table.mischief, section.len())];
                table.contest.return_part(returned, &Key::part(section));
            }
            told = table.contest.close(declared).unwrap();
            for ruling in rulings(&told) {
                let decided =
                    ruling.fault.as_ref().is_some_and(|fault| fault.reason == Reason::Decided);
                let cited = ruling.clause.as_str() == "E4.7";
                match ruling.outcome {
                    Outcome::Skipped if decided => {
                        assert!(cited && ruling.seat == skipped, "game {game}: {ruling:?}");
                        *met.entry("skipped").or_default() += 1;
                    }
                    Outcome::Skipped => {
                        assert!(![skipped, played].contains(&ruling.seat), "game {game}");
                    }
                    Outcome::Unskipped => {
                        assert!(cited && ruling.seat == played, "game {game}: {ruling:?}");
                        *met.entry("unskipped").or_default() += 1;
                    }
                    Outcome::Returned if decided => {
                        assert!(cited && ruling.seat == returned, "game {game}: {ruling:?}");
                        *met.entry("returned").or_default() += 1;
                    }
                    _ => assert!(!decided || ruling.seat == returned, "game {game}: {ruling:?}"),
                }
            }
            if root && asked.contains(&skipped) {
                let is_skip =
                    |ruling: &Ruling| ruling.seat == skipped && ruling.outcome == Outcome::Skipped;
                assert!(rulings(&told).any(is_skip), "game {game}: {skipped} is skipped");
            }
        }
    }
    assert!(met.len() == 3 && met.values().all(|count| *count > 5), "{met:?}");
}

/// Fields for a GM's moves are left out of a state without such moves, so old states stay readable.
#[test]
fn a_state_without_anything_of_a_game_masters_is_written_as_before() {
    let state = State::bare(&Options::default(), 2);
    let written = to_value(&state).unwrap();
    let fields = ["options", "turn", "order", "supply", "roles", "events", "players", "over"];
    assert_eq!(written.as_object().unwrap().len(), fields.len());
    assert!(fields.iter().all(|field| written.get(field).is_some()));
    let of_player = ["budgets", "put", "roles", "events", "slots", "laid", "film"];
    let player = written["players"][0].as_object().unwrap();
    assert!(player.len() == of_player.len() && of_player.iter().all(|f| player.contains_key(*f)));
    assert_eq!(from_value::<State>(written).unwrap(), state);
}
