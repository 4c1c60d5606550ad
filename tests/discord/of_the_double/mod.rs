//! Tests of the fake Discord itself.

mod bot;
mod client;
mod faults;
mod gateway;
mod interactions;
mod library;
mod limits;
mod places;
mod rules;
mod story;
mod views;
