-- How results are told: short, what changed; or full, the whole form of the source.
alter table tables add column results text not null default 'short';
