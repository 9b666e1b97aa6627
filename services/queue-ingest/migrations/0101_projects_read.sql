-- Why: an index answers without the table for pages that a vacuum has seen since they were written, by default four fifths of them; and a list of 500
-- spent a third of its time on decompressing bodies, each of which makes its row a little longer than PostgreSQL leaves as it is.
alter table projects set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, toast_tuple_target = 4080);
alter table developers set (autovacuum_vacuum_scale_factor = 0.01);
