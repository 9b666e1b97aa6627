/** Values that an account's owner learns from a mail or from the issue of a key. */
import { digestOf, makeSecret } from "#libs/contract/key.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Token of a link as if it was mailed, for a new account with a key. */
export async function aLink(billingSql: Sql, purpose: "verify" | "recover"): Promise<string> {
	const token = makeSecret("ml_");
	const address = `${token.slice(3, 15).toLowerCase()}@example.org`;
	await billingSql`
		with account as (
			insert into accounts (registered_email, plan) values (${address}, 'Free') returning id),
		key as (
			insert into keys (account_id, sha256, hint) select id, ${digestOf(makeSecret("pk_"))}, 'pk_…' from account)
		insert into mails (purpose, account_id, address, inbox_sha256, requested_at, next_attempt_at, sent_at, token_sha256, expires_at)
		select ${purpose}, id, ${address}, '', now(), now(), now(), ${digestOf(token)}, now() + interval '1 day' from account`;
	return token;
}

/** Token of the links in the mails of a new webhook. */
export async function anAlertToken(subscriptionsSql: Sql): Promise<string> {
	const token = makeSecret("ml_");
	await subscriptionsSql`
		insert into webhooks (account_id, url, format, mail_token, include_row, secret, seq, enabled)
		values (0, 'mailto:ann@example.org', 'email', ${token}, false, '', 0, false)`;
	return token;
}

export async function keyIdOf(billingSql: Sql, key: string): Promise<string> {
	const [row] = await billingSql<{ id: number }[]>`select id from keys where sha256 = ${digestOf(key)}`;
	return String(row?.id);
}
