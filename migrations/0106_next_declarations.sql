-- What somebody declares for the next window of a kind, before that opens.

create table next_declarations (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person), -- whose it is
    kind text not null, -- of the window: turn, reaction, choice
    answers text not null, -- as JSON
    drafted_in bigint, -- the number of the window whose draft it has become
    primary key (code, seat, person, kind)
);

create index next_declarations_person on next_declarations (person);
