//! Everything that can happen is told in every language.
use shimekiri::letters::Letters;

#[test]
fn every_letter_can_be_written() {
    let faults = Letters::built_in().check();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
