//! Laws under random play.
use shimekiri::games::any::policy;
use shimekiri::games::eitsuku::Eitsuku;
use shimekiri::rules::playout::{Room, quick, sealed};
use shimekiri::rules::*;

fn policies(n: usize, seed: u8) -> Vec<Box<dyn Policy<Eitsuku>>> {
    let dice = Dice::new([seed; 32], "policies").of_window(0, 0);
    (0..n)
        .map(|i| {
            policy::<Eitsuku>("random", dice.stream(&Label::of(Seat::new(i), Key::part("policy"))))
                .unwrap()
        })
        .collect()
}

#[test]
fn every_game_ends() {
    let mut room = Room::default();
    let t = std::time::Instant::now();
    for i in 0..200u8 {
        let p = quick::<Eitsuku>(
            &Default::default(),
            &Dice::new([i; 32], "t"),
            &mut policies(4, i),
            &mut room,
            |_| {},
        );
        assert!(!p.standing.is_empty());
    }
    eprintln!("quick {:?}", t.elapsed());
    let t = std::time::Instant::now();
    for i in 0..50u8 {
        let p = sealed::<Eitsuku>(
            &Default::default(),
            Dice::new([i; 32], "t"),
            &mut policies(4, i),
            |_, _, d| Some(d),
            |_, r| {
                for e in &r.entries {
                    if let Item::Ruling(ruling) = &e.item {
                        if ruling.outcome == Outcome::Skipped {
                            panic!("{ruling:?}")
                        }
                    }
                }
            },
        )
        .unwrap();
        assert!(p.windows <= 13);
    }
    eprintln!("sealed {:?}", t.elapsed());
}
