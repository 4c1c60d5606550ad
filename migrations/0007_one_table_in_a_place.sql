-- Whatever is typed in a place is meant for the one table that is played there.
create unique index tables_played on tables (place) where place is not null and stage <> 'over';
