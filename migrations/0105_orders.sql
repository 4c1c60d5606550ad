-- Standing orders: what somebody lets their seat answer for as long as they like.

create table orders (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person), -- whose they are
    since bigint not null, -- the number of the first window in which they count
    answers text not null, -- as JSON
    primary key (code, seat, person, since)
);

create index orders_person on orders (person);
