-- alone: the order of /deals/itc.
create index concurrently if not exists credits_itc_expected
  on credits (expected_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0
