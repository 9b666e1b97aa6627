-- alone: Why: a payer whose charge was found out late gets that answer also for a new payment, which is not charged.
create index concurrently if not exists payments_unanswered on payments (rail, payer, resource)
  where credits_id is null and delivered_at is null and state in ('settling', 'unknown', 'settled')
