-- Who has sat at a table is asked whenever something is told there.
create index former_seats_code on former_seats (code);
