-- Why: what 0079 allows of sources of company evidence holds for what was stored before.
alter table company_evidence validate constraint company_evidence_source_check;
