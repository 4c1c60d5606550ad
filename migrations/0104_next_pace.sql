-- The pace that has been set while the game is played: it is the table's from the next window on.

alter table tables add column next_pace text;
