-- Who is missing, late or away.
alter table tables add column absence text not null default '{}'; -- what its host sets about them, as JSON

-- How each person has kept the windows of their seat. Whoever else sits there begins anew.
create table attendance (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person),
    misses bigint not null, -- windows missed in a row
    put_off bigint not null, -- how many windows were put off because it was missing
    inactive_at bigint, -- since when no window waits for it; null if they do
    primary key (code, seat)
);

-- What was done about those who were missing when the deadline of a window came.
create table lateness (
    code text not null,
    number bigint not null, -- of the window
    absence text not null, -- what was set when it opened
    put_off bigint not null, -- by how many windows' lengths it was put off
    missed text not null, -- for which seats that were missing it was put off
    late text, -- which seats may still seal in the time of grace; null before it
    called_at bigint, -- when the last one who was waited for was told so
    primary key (code, number),
    foreign key (code, number) references windows (code, number)
);

-- When somebody is away from all of their tables.
create table away (
    person text not null primary key references people (person),
    from_at bigint not null,
    until_at bigint not null
);

-- Who declares for a seat in its player's stead, as long as that player sits there.
create table substitutes (
    code text not null references tables (code),
    seat bigint not null,
    player text not null references people (person),
    person text not null references people (person),
    address text not null, -- where their letters go
    until_at bigint not null,
    primary key (code, seat)
);

create index substitutes_person on substitutes (person);
