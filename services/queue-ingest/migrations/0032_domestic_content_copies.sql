-- Why: copies that were made before say the same as those made since. Readers go on; writing it into the body itself is a tenth of the work
-- of making each body anew.

update projects set
  domestic_content_eligible = case when not domestic_content_eligible and tax_credit_status <> 'requires_determination' then false end,
  domestic_content_basis = case when domestic_content_eligible is not null and tax_credit_status <> 'requires_determination' then 'technology' end
where domestic_content_eligible is not null;

update projects set body = replace(body, '"domestic_content_eligible":null,', '"domestic_content_eligible":null,"domestic_content_basis":null,')
where domestic_content_eligible is null and domestic_content_basis is null and body not like '%"domestic_content_basis":%';
