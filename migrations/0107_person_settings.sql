-- What somebody sets for all of their tables: their zone, when and how they are called, as JSON.

alter table people add column settings text not null default '{}';
