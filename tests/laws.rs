//! Laws that hold in every game, under random play by sealed declarations.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a child process prints its hash")]

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use shimekiri::games::any::{Playable, policy};
use shimekiri::games::eitsuku::Eitsuku;
use shimekiri::games::eitsuku::cards::{Budget, EventCard, HandCard, Role, Slot};
use shimekiri::games::eitsuku::edition::EDITION;
use shimekiri::games::eitsuku::happening::Happening;
use shimekiri::games::eitsuku::state::{Options, Placed, State};
use shimekiri::games::find;
use shimekiri::letters::{Letters, Reader, Widths};
use shimekiri::panel::{self, Modal, Panel, PanelDrawing, PressOutcome, Revision, View};
use shimekiri::rules::ask::largest_first;
use shimekiri::rules::dice::Stream;
use shimekiri::rules::playout::{self, Room};
use shimekiri::rules::text::{Lang, Words};
use shimekiri::rules::*;

/// Whole games in the suite; more on request with `LAW_GAMES=20000`.
const GAMES: u32 = 2000;

fn games() -> u32 {
    std::env::var("LAW_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(GAMES)
}

fn dice(game: u32) -> Dice {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, "laws")
}

fn chance(game: u32, what: &'static str) -> Stream {
    dice(game).of_window(0, 7).stream(&Label::table(Key::part(what)))
}

fn seats(game: u32) -> usize {
    2 + game as usize % 5
}

fn random(game: u32) -> Vec<Box<dyn Policy<Eitsuku>>> {
    let chance = dice(game).of_window(0, 8);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    Seat::all(seats(game)).map(|seat| policy("random", stream(seat)).unwrap()).collect()
}

/// Plays a game by sealed declarations.
fn play(
    game: u32,
    seal: impl FnMut(&Contest<Eitsuku>, Seat, Declaration) -> Option<Declaration>,
    told: impl FnMut(&Contest<Eitsuku>, &contest::Resolution<Happening>),
) -> playout::Played<Eitsuku> {
    let options = Options::default();
    playout::sealed(&options, dice(game), &mut random(game), seal, told).unwrap()
}

fn rulings(resolution: &contest::Resolution<Happening>) -> impl Iterator<Item = &Ruling> {
    resolution.entries.iter().filter_map(|entry| match &entry.item {
        Item::Ruling(ruling) => Some(ruling),
        Item::Event(_) => None,
    })
}

#[test]
fn every_game_ends_in_13_windows_and_asks_no_seat_twice_in_one() {
    for game in 0..games() {
        let mut asked = BTreeSet::new();
        let played = play(
            game,
            |contest, seat, declaration| {
                assert!(asked.insert((contest.window(), seat)), "game {game}: {seat} asked twice");
                Some(declaration)
            },
            |_, resolution| {
                let skipped = rulings(resolution).find(|ruling| ruling.outcome == Outcome::Skipped);
                assert_eq!(skipped, None, "game {game}: a complete declaration was skipped");
            },
        );
        assert!(played.windows <= 13, "game {game}");
        assert_eq!(played.standing.len(), seats(game), "game {game}");
    }
}

/// Every card and budget card, wherever it is.
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

fn piece_in(slot: Slot, placed: Placed) -> &'static str {
    match placed.promoter {
        Some(_) => EventCard::Promoter.word(),
        None => Role { family: slot.family(), number: placed.number }.word(),
    }
}

/// What an event says to have been destroyed.
fn destroyed(happening: &Happening) -> Vec<(&'static str, i32)> {
    let budgets = |paid: shimekiri::games::eitsuku::cards::Budgets| {
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
    for game in 0..games() / 4 {
        let mut before = pieces(&State::bare(Options::default(), seats(game)));
        play(
            game,
            |_, _, declaration| Some(declaration),
            |contest, resolution| {
                for entry in &resolution.entries {
                    if let Item::Event(happening) = &entry.item {
                        for (piece, count) in destroyed(happening) {
                            *before.get_mut(piece).unwrap() -= count;
                        }
                    }
                }
                let after = pieces(contest.state());
                assert_eq!(before, after, "game {game}, window {}", contest.window());
            },
        );
    }
}

/// Leaves things out, names what is not there, and adds what nobody asked.
fn spoil(declaration: &Declaration, chance: &mut Stream) -> Declaration {
    let words = ["actor-6", "strike", "3B", "4D", "P1", "P6", "lead", "B", "5B", "use", "nonsense"];
    let mut spoilt = Declaration::default();
    for (key, answer) in declaration.iter() {
        match chance.below(8) {
            0 => {}
            1 => spoilt.set(key.clone(), Answer::LeftOut),
            2 => {
                let word = words[chance.below(11) as usize];
                spoilt.set(key.clone(), Answer::Given(Value::Choice(word.into())));
            }
            3 => {
                let pieces =
                    vec![("large".into(), chance.below(4).try_into().unwrap()), ("x".into(), 1)];
                spoilt.set(key.clone(), Answer::Given(Value::Payment(pieces)));
            }
            4 => spoilt.set(key.clone().nth(2), answer.clone()),
            _ => spoilt.set(key.clone(), answer.clone()),
        }
    }
    spoilt
}

#[test]
fn only_a_declaration_that_was_sealed_as_faulty_is_a_fault() {
    let mut faults = 0;
    for game in 0..games() / 4 {
        let mut mischief = chance(game, "spoil");
        let sealed_faulty = std::cell::RefCell::new(BTreeSet::new());
        play(
            game,
            |contest, seat, declaration| {
                if mischief.below(10) == 0 {
                    return None;
                }
                let declaration = spoil(&declaration, &mut mischief);
                if !contest.interview(seat, &declaration).faults.is_empty() {
                    sealed_faulty.borrow_mut().insert(seat);
                }
                Some(declaration)
            },
            |_, resolution| {
                for ruling in rulings(resolution).filter(|ruling| ruling.clause.as_str() == "E4.4")
                {
                    assert!(
                        sealed_faulty.borrow().contains(&ruling.seat),
                        "game {game}: {ruling:?}"
                    );
                    faults += 1;
                }
                sealed_faulty.borrow_mut().clear();
            },
        );
    }
    assert!(faults > 100, "faults were met");
}

#[test]
fn a_default_is_always_legal() {
    for game in 0..games() / 4 {
        play(
            game,
            |contest, seat, declaration| {
                for declared in [Declaration::default(), declaration] {
                    for asked in contest.interview(seat, &declared).asked {
                        assert_default(&asked.question);
                    }
                }
                // Nobody says anything but that they are there.
                Some(Declaration::default())
            },
            |_, resolution| {
                let bad = [Outcome::Returned, Outcome::Skipped];
                let bad = rulings(resolution).find(|ruling| bad.contains(&ruling.outcome));
                assert_eq!(bad, None, "game {game}: a default was not legal");
            },
        );
    }
}

fn assert_default(question: &Question) {
    let pays = matches!(question.shape, Shape::Pay { .. });
    assert_eq!(pays, question.suppose == Suppose::LargestFirst, "{question:?}");
    match (&question.shape, &question.suppose) {
        (Shape::Choose { options, .. }, Suppose::This(id)) => {
            assert!(options.contains(id), "{question:?}");
        }
        // Where everything is barred, the phase passes.
        (Shape::Choose { options, barred }, _) => {
            assert!(!options.is_empty() || !barred.is_empty(), "{question:?}");
        }
        (Shape::Pay { cost: Some(cost), purse, limit }, _) if question.key.section != "strike" => {
            assert!(largest_first(*cost, purse, *limit).is_some(), "{question:?}");
        }
        (Shape::Pick { options, min, .. }, _) => assert!(options.len() >= usize::from(*min)),
        (Shape::Number { min, max }, _) => assert!(min <= max),
        _ => {}
    }
}

/// A position in a list of this length.
fn below(chance: &mut Stream, length: usize) -> usize {
    chance.below(length.try_into().unwrap()) as usize
}

/// The same state but for what `seat` holds in its closed hand and what lies in the decks.
fn twin(state: &State, seat: Seat, chance: &mut Stream) -> State {
    let mut twin = state.clone();
    let held: Vec<HandCard> = {
        let player = &twin.players[seat];
        let roles = player.roles.nameable().map(HandCard::Role);
        roles.chain(player.events.nameable().map(HandCard::Event)).collect()
    };
    for card in held {
        // One for one with a card of a deck.
        match card {
            HandCard::Role(role) => {
                let deck = &mut twin.roles[role.family.index()];
                if !deck.is_empty() {
                    let index = below(chance, deck.len());
                    let other = deck[index].replace(role).unwrap();
                    let hand = &mut twin.players[seat].roles.known;
                    hand[role.index()] -= 1;
                    hand[other.index()] += 1;
                }
            }
            HandCard::Event(event) => {
                let deck = &mut twin.events;
                if !deck.is_empty() {
                    let index = below(chance, deck.len());
                    let other = deck[index].replace(event).unwrap();
                    let hand = &mut twin.players[seat].events.known;
                    hand[event.index()] -= 1;
                    hand[other.index()] += 1;
                }
            }
        }
    }
    twin.roles.iter_mut().for_each(|deck| chance.shuffle(deck));
    chance.shuffle(&mut twin.events);
    twin
}

#[test]
fn nothing_of_an_open_window_depends_on_anothers_cards() {
    for game in 0..games() / 8 {
        let mut chance = chance(game, "twin");
        play(
            game,
            |contest, seat, declaration| {
                if contest.is_suspended() {
                    return Some(declaration);
                }
                let count = seats(game);
                let other = Seat::new((seat.index() + 1 + below(&mut chance, count - 1)) % count);
                let state = contest.state();
                let twin = twin(state, other, &mut chance);
                let bytes = |state: &State, viewer| {
                    serde_json::to_vec(&Eitsuku::seen_by(state, viewer)).unwrap()
                };
                for viewer in [Viewer::Seat(seat), Viewer::Public] {
                    assert_eq!(bytes(state, viewer), bytes(&twin, viewer), "game {game}");
                }
                for said in
                    [Declaration::default(), spoil(&declaration, &mut chance), declaration.clone()]
                {
                    let here = interview::interview::<Eitsuku>(state, seat, &said);
                    let there = interview::interview::<Eitsuku>(&twin, seat, &said);
                    assert_eq!(format!("{here:?}"), format!("{there:?}"), "game {game}");
                }
                Some(declaration)
            },
            |_, _| {},
        );
    }
}

/// Every page of the panel of a draft, the modals behind it and its revision.
fn pages(
    letters: &Letters,
    form: panel::InterviewOf<'_>,
    draft: &Declaration,
    lang: Lang,
    seats: usize,
) -> (Revision, Vec<Panel>, Vec<Modal>) {
    let game = find(Eitsuku::KEY).unwrap();
    let reader = Reader::new(game, lang);
    let words = Words::new(game.lexicon(), &BySeat::new(seats, |_| Vec::new()));
    let (mut panels, mut modals) = (Vec::new(), Vec::new());
    let mut views = vec![View::default()];
    while let Some(view) = views.pop() {
        let drawing = PanelDrawing {
            letters,
            reader: &reader,
            form,
            draft,
            view: &view,
            unread: &[],
            at_once: false,
        };
        let drawn = panel::draw(&drawing).unwrap();
        let first = panels.is_empty();
        for action in drawn.actions() {
            match panel::take(action, form, draft).unwrap() {
                PressOutcome::Kept(kept) if first && kept.draft == *draft => views.push(kept.view),
                PressOutcome::Opens(blank) => {
                    modals.push(panel::modal(&drawing, &words, blank).unwrap());
                }
                PressOutcome::Kept(_) | PressOutcome::Seals => {}
            }
        }
        panels.push(drawn);
    }
    (Revision::of(1, draft), panels, modals)
}

#[test]
fn no_panel_depends_on_anothers_cards() {
    let letters = Letters::built_in();
    let mut drawn = 0;
    for game in 0..games() / 500 {
        let mut chance = chance(game, "panel");
        let lang = Lang::ALL[game as usize % 2];
        play(
            game,
            |contest, seat, declaration| {
                if contest.is_suspended() || below(&mut chance, 12) > 0 {
                    return Some(declaration);
                }
                let count = seats(game);
                let other = Seat::new((seat.index() + 1 + below(&mut chance, count - 1)) % count);
                let state = contest.state();
                let twin = twin(state, other, &mut chance);
                for said in [Declaration::default(), spoil(&declaration, &mut chance)] {
                    let of = |state: &State| {
                        let form = |said: &_| interview::interview::<Eitsuku>(state, seat, said);
                        pages(&letters, &form, &said, lang, count)
                    };
                    assert_eq!(of(state), of(&twin), "game {game}");
                    drawn += 1;
                }
                Some(declaration)
            },
            |_, _| {},
        );
    }
    assert!(drawn > 10, "{drawn}");
}

#[test]
fn a_picture_of_the_table_depends_on_no_hidden_card() {
    let letters = Letters::built_in();
    let mut exchanged = 0;
    for game in 0..games() / 500 {
        let mut chance = chance(game, "picture");
        play(
            game,
            |contest, seat, declaration| {
                let (state, twin) = (contest.state(), twin(contest.state(), seat, &mut chance));
                exchanged +=
                    u32::from(serde_json::to_vec(state).ok() != serde_json::to_vec(&twin).ok());
                let drawn = |state: &State| {
                    let report = Eitsuku::report(&Eitsuku::seen_by(state, Viewer::Public));
                    let reader = Reader::new(find("eitsuku").unwrap(), Lang::Ja);
                    let words = letters.alt(&reader, &report, false).unwrap();
                    (letters.picture(&reader, &report, Widths).unwrap(), words)
                };
                assert!(drawn(state) == drawn(&twin), "game {game}");
                Some(declaration)
            },
            |_, _| {},
        );
    }
    assert!(exchanged > 10, "cards were exchanged");
}

/// Whose cards an event shows, and whether it shows them.
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
    for game in 0..games() / 20 {
        play(
            game,
            |_, _, declaration| Some(declaration),
            |contest, resolution| {
                for entry in &resolution.entries {
                    let Item::Event(event) = &entry.item else { continue };
                    let Some((owner, true)) = shown(event) else { continue };
                    let seen =
                        |viewer| Eitsuku::event_seen_by(contest.state(), event, viewer).unwrap();
                    assert_eq!(seen(Viewer::Seat(owner)), *event, "game {game}");
                    let other = Seat::new((owner.index() + 1) % seats(game));
                    for viewer in [Viewer::Public, Viewer::Seat(other)] {
                        assert_eq!(shown(&seen(viewer)), Some((owner, false)), "game {game}");
                    }
                }
            },
        );
    }
}

/// A contest is kept between every two windows, and its record is kept whole.
#[test]
fn saving_and_loading_between_every_two_windows_changes_nothing() {
    let game_of = find(Eitsuku::KEY).unwrap();
    let json = |entries: Vec<Entry<serde_json::Value>>| serde_json::to_string(&entries).unwrap();
    let mut suspended = 0;
    for game in 0..games() / 8 {
        let open = || game_of.open(&serde_json::Value::Null, seats(game), dice(game)).unwrap().0;
        let (mut never_saved, mut kept) = (open(), open());
        let mut mischief = chance(game, "spoil");
        while never_saved.standing().is_none() {
            suspended += u32::from(never_saved.is_suspended());
            let saved = kept.save();
            kept = game_of.load(&saved, dice(game)).unwrap();
            assert_eq!(kept.save(), saved, "game {game}");
            assert_eq!(saved, never_saved.save(), "game {game}");
            assert_eq!(kept.asked(), never_saved.asked(), "game {game}");
            let asked = kept.asked();
            let dice = dice(game).of_window(kept.window(), 9);
            let declared = BySeat::new(seats(game), |seat| {
                let stream = dice.stream(&Label::of(seat, Key::part("policy")));
                let declaration =
                    asked.contains(&seat).then(|| kept.declare(seat, "random", stream));
                let declaration = declaration?.unwrap();
                Some(if mischief.below(4) == 0 {
                    spoil(&declaration, &mut mischief)
                } else {
                    declaration
                })
            });
            let told = never_saved.close(declared.clone()).unwrap();
            let again = kept.close(declared).unwrap();
            let whole = again.entries(Viewer::All);
            for viewer in
                Seat::all(seats(game)).map(Viewer::Seat).chain([Viewer::Public, Viewer::All])
            {
                let seen = json(told.entries(viewer));
                assert_eq!(json(again.entries(viewer)), seen, "game {game}");
                assert_eq!(json(kept.seen(&whole, viewer)), seen, "game {game}");
            }
            assert_eq!(again.met(), told.met(), "game {game}");
            assert_eq!(again.standing(), told.standing(), "game {game}");
            assert_eq!(kept.state_hash(), never_saved.state_hash(), "game {game}");
        }
        let kept = game_of.load(&kept.save(), dice(game)).unwrap();
        assert_eq!(kept.standing(), never_saved.standing(), "game {game}");
        assert_eq!(kept.state_hash(), never_saved.state_hash(), "game {game}");
    }
    assert!(suspended > 10, "suspensions were met");
}

/// A contest under way: whom its players are, and what they do wrong.
struct Table {
    game: u32,
    contest: Contest<Eitsuku>,
    policies: Vec<Box<dyn Policy<Eitsuku>>>,
    mischief: Stream,
}

impl Table {
    fn open(game: u32) -> (Self, contest::Resolution<Happening>) {
        let (contest, dealt) = Contest::open(&Options::default(), seats(game), dice(game)).unwrap();
        let (policies, mischief) = (random(game), chance(game, "decisions"));
        (Self { game, contest, policies, mischief }, dealt)
    }

    fn is_over(&self) -> bool {
        self.contest.standing().is_some()
    }

    /// What everybody declares, some at fault and some not at all.
    fn declared(&mut self) -> BySeat<Option<Declaration>> {
        let declared = playout::declarations(&self.contest, &mut self.policies);
        let mut spoilt = |declaration: &Declaration| match self.mischief.below(6) {
            0 => None,
            1 | 2 => Some(spoil(declaration, &mut self.mischief)),
            _ => Some(declaration.clone()),
        };
        declared.map(|_, declaration| declaration.as_ref().and_then(&mut spoilt))
    }

    fn seat(&mut self) -> Seat {
        Seat::new(below(&mut self.mischief, seats(self.game)))
    }

    /// Something that the die may show.
    fn face(&mut self, faces: &Faces) -> Value {
        let chance = &mut self.mischief;
        match faces {
            Faces::One(options) => Value::Choice(options[below(chance, options.len())].clone()),
            Faces::Several { options, count } => {
                let mut options = options.clone();
                chance.shuffle(&mut options);
                Value::Picks(options[..*count].to_vec())
            }
            &Faces::Number { least, most } => {
                let sides = usize::try_from(most - least + 1).unwrap();
                Value::Number(least + i64::try_from(below(chance, sides)).unwrap())
            }
        }
    }
}

#[test]
fn a_die_shows_what_it_is_said_to_and_can_be_decided_to_show_anything_it_may() {
    let mut thrown_at_all = 0;
    for game in 0..games() / 80 {
        let (mut table, _) = Table::open(game);
        while !table.is_over() {
            let declared = table.declared();
            let before = table.contest.save();
            let thrown = table.contest.thrown(declared.clone());
            assert_eq!(table.contest.save(), before, "game {game}");
            thrown_at_all += thrown.len();
            let rig = |contest: &mut Contest<Eitsuku>, die: &Thrown, shown: &Value| {
                contest.rig(&die.label.parse().unwrap(), shown.clone());
            };
            if !thrown.is_empty() {
                let die = &thrown[below(&mut table.mischief, thrown.len())];
                let face = table.face(&die.faces);
                let mut other = table.contest.clone();
                rig(&mut other, die, &face);
                let again = other.thrown(declared.clone());
                let again = again.iter().find(|again| again.label == die.label).unwrap();
                assert_eq!((&again.faces, &again.showed), (&die.faces, &face), "game {game}");
                other.close(declared.clone()).unwrap();
            }
            let mut same = table.contest.clone();
            for die in &thrown {
                rig(&mut same, die, &die.showed);
            }
            let here = table.contest.close(declared.clone()).unwrap().entries;
            assert_eq!(same.close(declared).unwrap().entries, here, "game {game}");
            assert_eq!(same.state(), table.contest.state(), "game {game}");
        }
    }
    assert!(thrown_at_all > 300, "{thrown_at_all}");
}

/// Every card of a deck that somebody knows, from below, as the letters tell of them.
#[derive(Default)]
struct Memory([Vec<HandCard>; 5]);

impl Memory {
    fn hear(&mut self, happening: &Happening) {
        let of = |card: HandCard| match card {
            HandCard::Role(role) => role.family.index(),
            HandCard::Event(_) => 4,
        };
        match happening {
            Happening::PutBack { cards, .. } => {
                for card in cards.iter().flatten() {
                    self.0[of(*card)].push(*card);
                }
            }
            Happening::DrewRole { family, .. } => drop(self.0[family.index()].pop()),
            Happening::DrewEvents { cards, .. } => {
                let left = self.0[4].len().saturating_sub(cards.len());
                self.0[4].truncate(left);
            }
            _ => {}
        }
    }
}

/// The decks, each from below.
fn decks(state: &State) -> [Vec<HandCard>; 5] {
    std::array::from_fn(|deck| match state.roles.get(deck) {
        Some(roles) => roles.iter().flatten().copied().map(HandCard::Role).collect(),
        None => state.events.iter().flatten().copied().map(HandCard::Event).collect(),
    })
}

#[test]
fn a_window_that_is_asked_anew_lets_known_cards_lie_and_shuffles_the_rest() {
    let (mut known, mut large, mut changed) = (0, 0, 0);
    for game in 0..games() / 40 {
        let (mut table, dealt) = Table::open(game);
        let mut memory = Memory::default();
        let mut entries = dealt.entries;
        loop {
            for entry in &entries {
                if let Item::Event(happening) = &entry.item {
                    memory.hear(happening);
                }
            }
            if table.is_over() {
                break;
            }
            if !table.contest.is_suspended() {
                let of = |attempt| {
                    let mut contest = table.contest.clone();
                    assert!(contest.anew(attempt).unwrap().is_none());
                    contest.state().clone()
                };
                let (before, anew, other) = (table.contest.state(), of(1), of(2));
                assert_eq!(anew, of(1), "game {game}");
                let mut rest = anew.clone();
                (rest.roles, rest.events) = (before.roles.clone(), before.events.clone());
                assert_eq!(rest, *before, "game {game}: everything else stays");
                for (deck, (before, on_top)) in decks(before).into_iter().zip(&memory.0).enumerate()
                {
                    let (anew, other) = (&decks(&anew)[deck], &decks(&other)[deck]);
                    assert!(before.ends_with(on_top), "game {game}: the memory is right");
                    assert!(anew.ends_with(on_top), "game {game}: known cards stay");
                    let sorted = |cards: &[HandCard]| {
                        let mut words: Vec<_> = cards.iter().map(Piece::id).collect();
                        words.sort();
                        words
                    };
                    assert_eq!(sorted(&before), sorted(anew), "game {game}");
                    known += on_top.len();
                    if before.len() - on_top.len() >= 8 {
                        large += 1;
                        changed += u32::from(before != *anew && anew != other);
                    }
                }
            }
            let declared = table.declared();
            entries = table.contest.close(declared).unwrap().entries;
        }
    }
    assert!(known > 20, "{known} known cards were met");
    assert!(changed * 100 > large * 99, "{changed} of {large} were shuffled");
}

/// Says something to one of the GM's moves after the other, as far as it asks.
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
    for game in 0..games() / 80 {
        let (mut table, dealt) = Table::open(game);
        let mut before = pieces(&State::bare(Options::default(), seats(game)));
        let mut entries = dealt.entries;
        let mut attempt = 0;
        // A turn that is set back again and again is played for ever.
        for _ in 0..20 {
            for entry in &entries {
                if let Item::Event(happening) = &entry.item {
                    for (piece, count) in destroyed(happening) {
                        *before.get_mut(piece).unwrap() -= count;
                    }
                }
            }
            assert_eq!(before, pieces(table.contest.state()), "game {game}");
            if table.is_over() {
                break;
            }
            if !table.contest.is_suspended() {
                if table.mischief.below(4) == 0 {
                    attempt += 1;
                    table.contest.anew(attempt).unwrap();
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
            let root = !table.contest.is_suspended() && table.contest.window() > 0;
            if root {
                table.contest.unskip(played);
                table.contest.skip(skipped);
                let section = ["1", "2", "3", "4", "5", "strike", "return"];
                let section = section[below(&mut table.mischief, section.len())];
                table.contest.send_back(returned, &Key::part(section));
            }
            entries = table.contest.close(declared).unwrap().entries;
            for ruling in entries.iter().filter_map(|entry| match &entry.item {
                Item::Ruling(ruling) => Some(ruling),
                Item::Event(_) => None,
            }) {
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
                let resolution = entries
                    .iter()
                    .any(|entry| matches!(&entry.item, Item::Ruling(ruling) if is_skip(ruling)));
                assert!(resolution, "game {game}: {skipped} is skipped");
            }
        }
    }
    assert!(met.len() == 3 && met.values().all(|count| *count > 5), "{met:?}");
}

/// Whatever a GM can do nowadays, a state that it was not done to is written as it always was.
#[test]
fn a_state_without_anything_of_a_game_masters_is_written_as_before() {
    let state = State::bare(Options::default(), 2);
    let written = serde_json::to_value(&state).unwrap();
    let fields = ["options", "turn", "order", "supply", "roles", "events", "players", "over"];
    assert_eq!(written.as_object().unwrap().len(), fields.len());
    assert!(fields.iter().all(|field| written.get(field).is_some()));
    let of_player = ["budgets", "put", "roles", "events", "slots", "laid", "film"];
    let player = written["players"][0].as_object().unwrap();
    assert!(player.len() == of_player.len() && of_player.iter().all(|f| player.contains_key(*f)));
    assert_eq!(serde_json::from_value::<State>(written).unwrap(), state);
}

/// The hash of everything that happened in some games, and of where they ended.
fn hash_of_games() -> String {
    let mut hash = Sha256::new();
    for game in 0..50 {
        let played = play(
            game,
            |_, _, declaration| Some(declaration),
            |_, resolution| hash.update(serde_json::to_vec(&resolution.entries).unwrap()),
        );
        hash.update(serde_json::to_vec(&played.state).unwrap());
    }
    hex::encode(hash.finalize())
}

/// Where the child process of the next test is told to print its hash.
const PRINT: &str = "PRINT_HASH_OF_GAMES";

#[test]
fn the_same_seed_gives_the_same_game() {
    let here = hash_of_games();
    if std::env::var_os(PRINT).is_some() {
        println!("hash {here}");
    } else {
        assert_eq!(here, hash_of_games());
    }
}

#[test]
fn two_processes_with_the_same_seed_have_the_same_hash() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_same_seed_gives_the_same_game", "--nocapture"])
        .env(PRINT, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let there = printed.lines().find_map(|line| line.split_once("hash ")).unwrap().1;
    assert_eq!(there, hash_of_games());
}

#[test]
fn a_play_out_on_the_fly_ends_too() {
    let mut room = Room::default();
    for game in 0..games() {
        let options = Options::default();
        let played = playout::quick(&options, &dice(game), &mut random(game), &mut room, |_| {});
        assert!(played.windows <= u32::from(EDITION.flow.turns) + 1);
        assert_eq!(played.standing.len(), seats(game));
    }
}
