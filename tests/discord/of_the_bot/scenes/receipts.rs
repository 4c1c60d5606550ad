//! The players' means of verification: their words for the seed, the commitment, and their receipts.

use sha2::{Digest, Sha256};

use super::{LOCALES, Scene};
use double::Person;

/// Returns the hex digits after the first occurrence of a text.
fn hex_behind(text: &str, words: &str) -> String {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("{words:?} is not in: {text}"));
    let rest = rest.trim_start_matches([' ', '`']);
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

/// Returns the subtext lines that a person has seen.
fn small(person: &Person) -> String {
    let seen = person.finds("-# ");
    seen.iter().map(|seen| seen.text().to_owned()).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_are_for_their_owner_and_at_the_end_for_everybody_to_check() {
    for locale in LOCALES {
        let scene = Scene::set(locale, "snow").await;
        scene.table(3).await;
        let (alice, bob, carol) = (&scene.alice, &scene.bob, &scene.carol);
        let post = alice.sees(scene.say("シードのハッシュ：", "Seed hash:")).await;
        let commitment = hex_behind(post.text(), scene.say("シードのハッシュ：", "Seed hash:"));
        scene.discord.forgets();
        // The same words in both languages, so that the same dice fall.
        let words = "今夜は負けない";
        let chosen = bob.command("table join").with("value", words).await;
        let value = hex::encode(Sha256::digest(words));
        assert!(chosen.is_private() && chosen.text().contains(&value), "{}", chosen.text());
        bob.command("table join").await;
        bob.command("receipt").await;
        carol.command("receipt").await;
        scene.begins().await;
        let welcome = small(bob);
        assert!(welcome.contains(&format!(" P2 {}", &value[..16])), "{welcome}");
        let late = bob.command("table join").with("value", "hail").await;
        assert!(!late.text().contains(&value), "{}", late.text());
        bob.command("declare").with("text", "3A 4B").await;
        let sealed = bob.command("seal").await;
        let receipt = scene.say("受領証：", "Receipt: ");
        let (_, code) =
            sealed.text().split_once(receipt).map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let code = code.trim().to_owned();
        let open = bob.command("receipt").await;
        assert!(open.text().contains(&format!("`{code}`")), "{}", open.text());
        assert!(open.message().files().is_empty());
        scene.closes().await;
        scene.is_still().await;
        let shown = small(bob);
        assert!(shown.contains(&format!("P2 {}", code.replace('-', ""))), "{shown}");
        bob.command("receipt").await;

        let asked = alice.command("table end").await;
        for button in asked.buttons() {
            alice.press(&button).await;
        }
        let closing = alice.sees(scene.say("シード：", "Seed:")).await;
        let seed = hex_behind(closing.text(), scene.say("シード：", "Seed:"));
        let table = closing.text().split_once(scene.say("この卓（", "his table (")).unwrap();
        let table = table.1.split([')', '）']).next().unwrap();
        let committed = Sha256::digest(format!("shimekiri seed v1\n{table}\n{seed}"));
        assert_eq!(hex::encode(committed), commitment);
        let over = bob.command("receipt").await;
        let (name, bytes) = &over.message().files()[0];
        assert_eq!(name, "receipts.txt");
        let commands = String::from_utf8(bytes.clone()).unwrap();
        let shell = std::process::Command::new("sh").args(["-c", &commands]).output().unwrap();
        let computed = String::from_utf8(shell.stdout).unwrap();
        assert!(computed.len() >= 64, "{commands}");
        for hash in computed.lines().map(|line| &line[..64]) {
            assert!(over.text().contains(hash), "{hash}: {}", over.text());
        }
        scene.is_told("receipts");
        scene.tells("receipts_file", &commands);
    }
}
