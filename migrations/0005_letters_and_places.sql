-- What lies at a terminal is what a letter tells, and is written when it is read: so a name can be
-- taken out of it. What had been written down before is read.
delete from mail;
alter table mail rename column text to body;

-- Where the places of tables are.
create table places (
    place text not null primary key, -- such as discord:channel:1
    above text, -- the place that it is a thread of
    server text -- such as discord:server:1
);

create index places_above on places (above);
create index places_server on places (server);
