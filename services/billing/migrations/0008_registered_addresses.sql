-- Why: /register verifies no address, so an address given there must not lead to an account that exists: each registration opens its own.
alter table accounts
  -- Verified by the operator. Null: the account was opened at /register.
  alter column email drop not null,
  -- Given at /register, lower case, of any number of accounts. Null: the account was opened by the operator, or before this column existed.
  add column registered_email text;
