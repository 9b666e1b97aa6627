-- Why: /investable and /deals/itc count in indexes, which look into the table for rows that no vacuum has seen since; by default up to a fifth are.
alter table scores set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table credits set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
