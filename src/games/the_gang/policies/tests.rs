//! What holds of everybody who plays without a person.
