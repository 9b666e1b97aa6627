-- Why: which row and cells of its file an entry of a list of places is made of: where a flag of a request comes from.

-- {sheet, columns: [{column, header}]}. Null of costs, and of a list from before: its file is stored anew when it is loaded again.
alter table reference_files add column layout jsonb;

-- The row, from 1, and the texts of the columns of the layout.
alter table energy_community_counties add column file_row integer, add column filed jsonb;
alter table coal_tracts add column file_row integer, add column filed jsonb;
alter table low_income_tracts add column file_row integer, add column filed jsonb;
