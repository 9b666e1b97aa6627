-- alone: Why: a receipt is asked for by the reference of its payment.
create index concurrently if not exists payments_reference on payments (reference) where credits_id is null and reference is not null
