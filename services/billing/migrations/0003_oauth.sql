-- Why: assistants that people host elsewhere connect to /mcp by OAuth. Each of their tokens stands for one API key.
create table oauth_records (
  kind text not null check (kind in ('Client', 'Interaction', 'AuthorizationCode', 'Grant', 'AccessToken', 'RefreshToken')),
  -- Ids are secrets: the client has the token, this table its SHA-256.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  payload jsonb not null,
  -- The consent that it rests on. All records of a consent end together.
  grant_sha256 text check (grant_sha256 ~ '^[0-9a-f]{64}$'),
  -- Null before a key is given. With the key it ends.
  key_id bigint references keys (id),
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, sha256)
);
create index oauth_records_grant on oauth_records (grant_sha256) where grant_sha256 is not null;
create index oauth_records_key on oauth_records (key_id) where key_id is not null;
create index oauth_records_expires_at on oauth_records (expires_at);
