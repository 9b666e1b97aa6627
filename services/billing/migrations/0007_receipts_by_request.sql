-- alone: Why: a receipt of prepaid credits is asked for by the request that it was debited for.
create index concurrently if not exists payments_of_requests on payments (credits_id, request_id) where credits_id is not null
