-- Why: the rows that were there before 0042 are of the databases that it names.

alter table dataset_editions validate constraint dataset_editions_database;
