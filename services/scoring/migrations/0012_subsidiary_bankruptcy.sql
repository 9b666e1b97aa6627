-- Why: the bankruptcy of a subsidiary is not the developer's own. Reports that were copied before have null: version 1 has no users yet.
alter table filings add column subsidiary_bankruptcy boolean;
