//! Determinism: contests that are saved and loaded, and games replayed from their seed.

use games::any::{AnyContest, Told};
use rules::{BySeat, Contest, Declaration, Entry, Policy, Seat, Viewer, playout};
use sha2::{Digest, Sha256};

use crate::laws::lawful::{Lawful, chance, dice, events, games, play, random, spoil};

/// Saves and loads a contest between every two windows and after immediate acts, and compares its whole
/// record.
pub(crate) fn saving_and_loading_between_every_two_windows_changes_nothing<G: Lawful>() {
    let (mut suspended, mut acted) = (0, 0);
    for game in games::<G>(8) {
        let (options, seats) = G::table(game);
        let open = || Contest::<G>::open(&options, seats, dice(game)).unwrap().0;
        let mut pair = Pair { game, never_saved: open(), kept: open() };
        let (mut policies, mut mischief) = (random::<G>(game), chance(game, "spoil"));
        while pair.never_saved.standing().is_none() {
            suspended += u32::from(pair.never_saved.is_suspended());
            pair.keep();
            acted += pair.act(&mut policies);
            let declared = playout::declarations(&pair.kept, &mut policies);
            let declared = declared.map(|_, declaration| {
                let is_bad = mischief.below(4) == 0;
                let said_of =
                    |said| if is_bad { spoil::<G>(said, &mut mischief) } else { said.clone() };
                declaration.as_ref().map(said_of)
            });
            pair.close(&declared);
        }
        pair.keep();
    }
    assert!(suspended > 10 || !G::SUSPENDS, "suspensions were met");
    assert!(acted > 100 || !G::ACTS, "{acted} things were done at once");
}

/// Two contests that go on alike.
struct Pair<G: Lawful> {
    game: u32,
    never_saved: Contest<G>,
    kept: Contest<G>,
}

impl<G: Lawful> Pair<G> {
    /// Saves and loads one of the contests.
    fn keep(&mut self) {
        let Self { game, never_saved, kept } = self;
        let saved = kept.save();
        *kept = Contest::load(&saved, dice(*game)).unwrap();
        assert_eq!(kept.save(), saved, "game {game}");
        assert_eq!(saved, never_saved.save(), "game {game}");
        assert_eq!(kept.asked(), never_saved.asked(), "game {game}");
        assert_eq!(kept.state(), never_saved.state(), "game {game}");
        assert_eq!(kept.standing(), never_saved.standing(), "game {game}");
    }

    /// Lets everybody carry out immediate acts in turn. Returns the number of acts.
    fn act(&mut self, policies: &mut [Box<dyn Policy<G>>]) -> u32 {
        let mut acted = 0;
        for round in 0..4 * policies.len() {
            let seat = Seat::new(round % policies.len());
            if self.kept.asked().is_empty() {
                break;
            }
            let act = self.kept.act_by(seat, &mut *policies[seat.index()]);
            let Some(act) = act else { continue };
            let told = AnyContest::act(&mut self.never_saved, act.clone()).unwrap();
            let again = AnyContest::act(&mut self.kept, act).unwrap();
            self.assert_told_alike(&told, &again);
            acted += 1;
        }
        if acted > 0 {
            self.keep();
        }
        acted
    }

    fn close(&mut self, declared: &BySeat<Option<Declaration>>) {
        let told = AnyContest::close(&mut self.never_saved, declared.clone()).unwrap();
        let again = AnyContest::close(&mut self.kept, declared.clone()).unwrap();
        self.assert_told_alike(&told, &again);
    }

    fn assert_told_alike(&self, told: &Told, again: &Told) {
        let Self { game, never_saved, kept } = self;
        let json = |entries: &[Entry<serde_json::Value>]| serde_json::to_string(entries).unwrap();
        let seats = Seat::all(AnyContest::seats(kept)).map(Viewer::Seat);
        for viewer in seats.chain([Viewer::Public]) {
            let seen = json(&never_saved.seen(&told.entries, viewer));
            assert_eq!(json(&kept.seen(&again.entries, viewer)), seen, "game {game}");
        }
        assert_eq!(json(&again.entries), json(&told.entries), "game {game}");
        assert_eq!(kept.seen(&again.entries, Viewer::All), again.entries, "game {game}");
        assert_eq!(again.met, told.met, "game {game}");
        assert_eq!(again.standing, told.standing, "game {game}");
        assert_eq!(kept.state_hash(), never_saved.state_hash(), "game {game}");
    }
}

pub(crate) fn what_is_written_is_read_as_the_same<G: Lawful>() {
    for game in games::<G>(20) {
        play::<G>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, resolution| {
                let written = serde_json::to_string(contest.state()).unwrap();
                let read: G::State = serde_json::from_str(&written).unwrap();
                assert_eq!(read, *contest.state(), "game {game}");
                for event in events(resolution) {
                    let written = serde_json::to_value(event).unwrap();
                    let read: G::Event = serde_json::from_value(written).unwrap();
                    assert_eq!(read, *event, "game {game}");
                }
            },
        );
    }
}

/// Returns the hash of all events of some games, and of their final states.
fn hash_of_games<G: Lawful>() -> String {
    let mut hash = Sha256::new();
    for game in games::<G>(40) {
        let played = play::<G>(
            game,
            |_, _, declaration| Some(declaration),
            |_, resolution| hash.update(serde_json::to_vec(&resolution.entries).unwrap()),
        );
        hash.update(serde_json::to_vec(&played.state).unwrap());
    }
    hex::encode(hash.finalize())
}

/// The environment variable that makes a child process print its hash.
const PRINT: &str = "PRINT_HASH_OF_GAMES";

pub(crate) fn the_same_seed_gives_the_same_game<G: Lawful>() {
    let here = hash_of_games::<G>();
    if std::env::var_os(PRINT).is_some() {
        println!("hash {here}");
    } else {
        assert_eq!(here, hash_of_games::<G>());
    }
}

pub(crate) fn two_processes_with_the_same_seed_have_the_same_hash<G: Lawful>() {
    let law = format!("laws::{}::the_same_seed_gives_the_same_game", G::KEY);
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &law, "--nocapture"])
        .env(PRINT, "1")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let there = printed.lines().find_map(|line| line.split_once("hash ")).unwrap().1;
    assert_eq!(there, hash_of_games::<G>());
}
