/** SQL on keys. The complete changes, which lock the account, are in `accounts.ts`. */
import type { z } from "zod";
import { conflict } from "#libs/contract/errors.ts";
import { keyChanged } from "#libs/contract/events/billing.ts";
import type { Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/events/outbox.ts";

/** Maximum live keys of an account, including replaced keys in their grace period. */
const maxLiveKeys = 5;

/** A key that was just generated: only the caller has its secret. */
export type NewKey = Pick<Params<"issueKey">, "sha256" | "hint" | "daily_queries">;
export type Issued = Reply<"issueKey">;

/** Keys `k` with their account `a` and its plan `p`. */
export const keysInFull = (sql: Sql | Transaction): Fragment => sql`
	keys k join accounts a on a.id = k.account_id join plans p on p.name = a.plan`;

/** Limits agreed with the account override those of its plan. */
export const limits = (sql: Sql | Transaction): Fragment => sql`
	'plan', a.plan,
	'monthly_queries', coalesce(a.monthly_queries, p.monthly_queries),
	'per_minute', coalesce(a.per_minute, p.per_minute)`;

/** The contract's `keyGrant`, for rows of `keysInFull`. */
export const grantOf = (sql: Sql | Transaction): Fragment => sql`
	jsonb_build_object('key_id', k.id, 'account_id', a.id, ${limits(sql)}, 'daily_queries', k.daily_queries,
		'expires_at', iso(k.expires_at), 'revoked', k.revoked_at is not null)`;

/** State of a key `k` as one word. A replaced key works until its grace period ends. */
export const keyState = (sql: Sql | Transaction, at: Date): Fragment => sql`
	case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${at} then 'expired'
		when k.replaced_by is not null then 'replaced' else 'live' end`;

/** Whether a key `k` works. */
export const isLive = (sql: Sql | Transaction, at: Date): Fragment => sql`${keyState(sql, at)} in ('live', 'replaced')`;

/** Query for `key`, `version` and `body`: the published payloads of the keys that satisfy the condition. */
export const keyPayloads = (tx: Transaction, condition: Fragment): Fragment => tx`
	select k.id::text as key, k.version, jsonb_build_object('sha256', k.sha256) || ${grantOf(tx)} as body
	from ${keysInFull(tx)} where ${condition}`;

/** Publishes the keys as they are at the end of the caller's transaction. The caller has raised their versions. */
export async function publishKeys(tx: Transaction, ids: readonly number[], at: Date): Promise<void> {
	const rows = await tx<{ payload: z.input<typeof keyChanged.payload> }[]>`
		select body || jsonb_build_object('id', 'key:' || key || ':' || version, 'occurred_at', iso(${at}), 'version', version)
			as payload
		from (${keyPayloads(tx, tx`k.id = any(${[...ids]}::bigint[])`)}) as keys order by key::bigint`;
	await publishAll(
		tx,
		keyChanged,
		rows.map(({ payload }) => payload),
	);
}

interface Addition extends NewKey {
	/** The account, which the caller's transaction must have locked. */
	accountId: number;
	/** Whether the key is issued by /register, which does not verify e-mail addresses. */
	registered: boolean;
	at: Date;
}

/** Adds a key to an account. @throws AppError 409 if the account has too many keys, or the key already exists */
export async function addKey(tx: Transaction, key: Addition): Promise<number> {
	const { accountId, sha256, hint, registered, at, daily_queries = null } = key;
	const [added] = await tx<{ id: number }[]>`
		insert into keys (account_id, sha256, hint, registered, daily_queries, created_at)
		values (${accountId}, ${sha256}, ${hint}, ${registered}, ${daily_queries}, ${at})
		on conflict (sha256) do nothing returning id`;
	if (added === undefined) throw conflict("this key was issued before: request another one");
	await refuseTooMany(tx, accountId, at);
	return added.id;
}

async function refuseTooMany(tx: Transaction, accountId: number, at: Date): Promise<void> {
	const [live] = await tx<{ count: number }[]>`
		select count(*) from keys k where account_id = ${accountId} and ${isLive(tx, at)}`;
	if ((live?.count ?? 0) > maxLiveKeys)
		throw conflict(
			`This account already has ${maxLiveKeys} keys, the maximum that may be valid at a time. Revoke one, or wait until the grace period of a replaced one ends.`,
		);
}

/** Reads a key as the client that requested it sees it. */
export async function readIssued(tx: Transaction, id: number): Promise<Issued> {
	const [issued] = await tx<{ issued: Issued }[]>`
		select jsonb_build_object('key_id', k.id, 'account_id', a.id, ${limits(tx)},
			'daily_queries', k.daily_queries, 'created_at', iso(k.created_at)) as issued
		from ${keysInFull(tx)} where k.id = ${id}`;
	if (issued === undefined) throw new Error(`key ${id} does not exist`);
	return issued.issued;
}

/** Revokes the keys that are not revoked yet; the caller publishes them. @returns how many were revoked */
export async function markRevoked(tx: Transaction, ids: readonly number[], at: Date): Promise<number> {
	const ended = await tx`
		update keys set revoked_at = ${at}, version = version + 1
		where id = any(${[...ids]}::bigint[]) and revoked_at is null`;
	return ended.count;
}

export interface LiveKey {
	id: number;
	hint: string;
	registered: boolean;
}

/** Live keys of an account, oldest first. */
export const readLiveKeys = (tx: Transaction, accountId: number, at: Date) => tx<LiveKey[]>`
	select id, hint, registered from keys k where k.account_id = ${accountId} and ${isLive(tx, at)} order by id`;

/** Revokes live keys of an account that the caller's transaction has locked, and publishes them. */
export async function revokeLiveKeys(tx: Transaction, keys: readonly LiveKey[], at: Date): Promise<void> {
	const ids = keys.map(({ id }) => id);
	await markRevoked(tx, ids, at);
	await publishKeys(tx, ids, at);
}

/** Publishes every live key of an account after its plan or limits have changed. @returns how many */
export async function publishAccountKeys(tx: Transaction, accountId: number, at: Date): Promise<number> {
	const changed = await tx<{ id: number }[]>`
		update keys k set version = version + 1 where account_id = ${accountId} and ${isLive(tx, at)} returning id`;
	await publishKeys(
		tx,
		changed.map(({ id }) => id),
		at,
	);
	return changed.length;
}
