-- How people have kept their windows, at all of their tables.
create table reputation (
    code text not null references tables (code),
    number bigint not null, -- of the window
    seat bigint not null, -- for which they played
    person text not null references people (person), -- who declared, or should have
    kept text not null, -- early, in-time, late, missed or replaced
    at bigint, -- when it is announced how the window ended; null as long as it is open
    counts bigint not null default 1, -- 0 if the table has gone back from that window
    primary key (code, number, seat, person)
);

create index reputation_person on reputation (person, at);

-- Messages that show somebody how all of their tables stand.
create table dashboards (
    place text not null, -- where it is, such as discord:channel:1
    person text not null references people (person), -- whose
    server text, -- whose tables it shows; null for all
    language text not null,
    message text not null,
    shown text not null, -- what had happened when it was last drawn
    shown_at bigint not null,
    primary key (place, person)
);
