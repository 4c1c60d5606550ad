-- Lines that somebody writes to their own side, for as long as the game is played.

create table side_lines (
    code text not null references tables (code),
    number bigint not null, -- from 0, in the order in which they were written
    side bigint not null, -- who reads it, from 0
    seat bigint not null, -- who wrote it
    person text not null references people (person), -- the same, who may have left the seat since
    at bigint not null,
    words text not null,
    primary key (code, number)
);

create index side_lines_person on side_lines (person);
