-- The sets of cards that tables are bound to since their deal, by the hash of their text.

create table sets (
    hash text not null primary key,
    game text not null,
    text text not null
);

alter table tables add column card_set text references sets (hash);
