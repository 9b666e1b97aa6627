-- Why: a bonus that is open to a technology is not met by each of its plants. What a plant is built of is published by no source.

alter table credits alter column domestic_content_eligible drop not null, add column domestic_content_basis text;
update credits set
  domestic_content_eligible = case when not domestic_content_eligible and status <> 'requires_determination' then false end,
  domestic_content_basis = case when status <> 'requires_determination' then 'technology' end;
