-- alone: Why: a debit for a file is looked up whenever credits are presented for it again.
create index concurrently if not exists payments_of_files on payments (credits_id, resource, finished_at) where file is not null
