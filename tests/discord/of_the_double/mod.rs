//! The double is what it says it is.
