//! Laws that hold in every game, under random play by sealed declarations and by immediate acts; and those of
//! one game alone, in its file.
//!
//! A law is written once, over [`lawful::Lawful`]. A game's file supplies the facts about the game and calls
//! [`every_law`], which makes a test of each law.

#![expect(clippy::print_stdout, reason = "a child process prints its hash")]

use games::GAMES;

mod hidden;
mod known;
mod lawful;
mod meaning;
mod same;
mod throws;
mod windows;

/// Makes each law a test of one game.
macro_rules! every_law {
    ($game:ty) => {
        every_law! { $game:
            windows::every_game_ends_and_asks_no_seat_twice_in_one_window,
            windows::a_play_out_on_the_fly_ends_too,
            windows::nobody_is_asked_inside_of_a_part,
            windows::only_a_declaration_that_was_sealed_as_faulty_is_a_fault,
            windows::a_default_is_always_legal,
            windows::standing_orders_fill_what_is_left_out_and_nothing_else,
            windows::what_is_in_reserve_counts_where_what_is_said_first_cannot_stand_and_nowhere_else,
            hidden::nothing_of_an_open_window_depends_on_anothers_cards,
            hidden::nothing_of_a_suspended_window_depends_on_anothers_cards,
            hidden::no_panel_depends_on_anothers_cards,
            hidden::a_picture_of_the_table_depends_on_no_hidden_card,
            known::who_was_told_the_same_sees_the_same,
            same::saving_and_loading_between_every_two_windows_changes_nothing,
            same::what_is_written_is_read_as_the_same,
            same::the_same_seed_gives_the_same_game,
            same::two_processes_with_the_same_seed_have_the_same_hash,
            meaning::the_name_of_a_card_alone_does_nothing_at_once,
            meaning::a_typed_line_spoils_no_legal_part_of_a_draft,
            throws::a_die_shows_what_it_is_said_to_and_can_be_decided_to_show_anything_it_may,
            throws::a_window_that_is_asked_anew_lets_known_cards_lie_and_shuffles_the_rest,
        }
    };
    ($game:ty: $($room:ident::$law:ident,)+) => {
        $(
            #[test]
            fn $law() {
                crate::laws::$room::$law::<$game>();
            }
        )+
    };
}

mod eitsuku;
mod gangster_paradise;
mod guild_war;
mod tag_g;
mod the_gang;

#[test]
fn no_game_is_without_its_laws() {
    let this = std::env::current_exe().unwrap();
    let listed = std::process::Command::new(this).arg("--list").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for game in GAMES {
        let law = format!("laws::{}::a_default_is_always_legal: test", game.key());
        assert!(listed.lines().any(|line| line == law), "tests/games/laws/{}.rs", game.key());
    }
}
