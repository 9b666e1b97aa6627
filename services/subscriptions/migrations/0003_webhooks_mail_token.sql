-- alone: Why: the links of mails name a webhook by its token.
create unique index concurrently if not exists webhooks_mail_token on webhooks (mail_token);
