-- The time of the newest entry of a table's journal. Whoever writes after it tells it after it, also
-- where their clock is a little behind that of whoever wrote before.
alter table tables add column told_at bigint not null default 0;

-- What the journal's hashes of people, of their names, and of what they wrote as game masters are salted
-- with. It goes with what it salts.
alter table seats add column salt text;
alter table former_seats add column salt text;
alter table overrides add column salt text;
