-- What a window is for: how long it is open goes by it, and whether letting it pass is a miss.

alter table windows add column kind text not null default 'turn'; -- setup, turn, reaction, choice
