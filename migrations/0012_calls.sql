-- Seats that somebody can take: a public call for a player, or somebody who is asked.
create table calls (
    code text not null references tables (code),
    number bigint not null, -- one that the table has not had before
    seat bigint, -- null before the game begins: any chair
    person text references people (person), -- the only one who may take it; null: whoever wants
    address text, -- where that one's letters go
    primary key (code, number)
);

create index calls_person on calls (person) where person is not null;

-- Who was sent away from a table, and does not sit down there again.
create table sent_away (
    code text not null references tables (code),
    person text not null references people (person),
    primary key (code, person)
);

create index sent_away_person on sent_away (person);
