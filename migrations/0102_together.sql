-- Tables that are due together are looked at in the order of their codes, in which what is known of
-- them lies together.
drop index tables_due;
create index tables_due on tables (game, edition, data, look_at, code);

-- When a window closes, what was noted of it gets its time: not in an index, too.
drop index reputation_person;
create index reputation_person on reputation (person);
