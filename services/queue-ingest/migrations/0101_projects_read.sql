-- Why: index-only scans skip the table only for pages vacuumed since their last write, and by default autovacuum waits until a fifth of the rows
-- has changed. Bodies slightly exceed the size at which PostgreSQL compresses them, and decompression took a third of the time of a list of 500;
-- toast_tuple_target affects only rows written from now on.
alter table projects set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, toast_tuple_target = 4080);
alter table developers set (autovacuum_vacuum_scale_factor = 0.01);
