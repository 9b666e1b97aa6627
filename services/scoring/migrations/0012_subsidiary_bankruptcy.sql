-- Why: the bankruptcy of a subsidiary is not the developer's own.
alter table filings add column subsidiary_bankruptcy boolean;
