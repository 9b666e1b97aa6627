/** What the operations, the command line and the republisher share of the tables `keys` and `accounts`. */

import type { z } from "zod";
import { conflict, notFound } from "#libs/contract/errors.ts";
import { keyChanged } from "#libs/contract/events/billing.ts";
import type { Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/outbox.ts";

/** Keys of an account that work at one time: what is in its grace counts. */
export const mostLiveKeys = 5;

/** A key that was just made: its secret is known to the caller alone. */
export type NewKey = Pick<Params<"issueKey">, "sha256" | "hint">;
export type Issued = Reply<"issueKey">;
export type Replaced = Reply<"replaceKey">;

/** Keys `k` with their account `a` and its plan `p`. */
export const keysInFull = (sql: Sql | Transaction): Fragment => sql`
	keys k join accounts a on a.id = k.account_id join plans p on p.name = a.plan`;

/** What was agreed with the account goes before what its plan says. */
const limits = (sql: Sql | Transaction): Fragment => sql`
	'plan', a.plan,
	'monthly_queries', coalesce(a.monthly_queries, p.monthly_queries),
	'per_minute', coalesce(a.per_minute, p.per_minute)`;

/** `keyGrant` of the contract, of rows of `keysInFull`. */
export const grantOf = (sql: Sql | Transaction): Fragment => sql`
	jsonb_build_object('key_id', k.id, 'account_id', a.id, ${limits(sql)},
		'expires_at', iso(k.expires_at), 'revoked', k.revoked_at is not null)`;

/** In one word what has become of a key `k`. One that was replaced works until its grace ends. */
export const stateOf = (sql: Sql | Transaction, at: Date): Fragment => sql`
	case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${at} then 'expired'
		when k.replaced_by is not null then 'replaced' else 'live' end`;

const isLive = (sql: Sql | Transaction, at: Date): Fragment => sql`${stateOf(sql, at)} in ('live', 'replaced')`;

/** Whether the ledger knows of a request by a key `k`. Only what came after it is looked at; gateways' clocks may differ a little. */
const isUsed = (sql: Sql | Transaction): Fragment => sql`
	exists (select from usage u where u.account_id = k.account_id and u.key_id = k.id and u.occurred_at > k.created_at - interval '1 hour')`;

/** Rows of `key`, `version` and `body`: what is said of the keys that fulfil a condition. */
export const sayable = (tx: Transaction, condition: Fragment): Fragment => tx`
	select k.id::text as key, k.version, jsonb_build_object('sha256', k.sha256) || ${grantOf(tx)} as body
	from ${keysInFull(tx)} where ${condition}`;

/** Tells every gateway of the keys as they are at the end of the caller's transaction; their versions were raised before. */
export async function tellOfKeys(tx: Transaction, ids: readonly number[], at: Date): Promise<void> {
	const said = await tx<{ payload: z.input<typeof keyChanged.payload> }[]>`
		select body || jsonb_build_object('id', 'key:' || key || ':' || version, 'occurred_at', iso(${at}), 'version', version)
			as payload
		from (${sayable(tx, tx`k.id = any(${[...ids]}::bigint[])`)}) as keys order by key::bigint`;
	await publishAll(
		tx,
		keyChanged,
		said.map(({ payload }) => payload),
	);
}

export interface Addition extends NewKey {
	/** Of an account that the caller's transaction has locked. */
	accountId: number;
	/** Nobody has checked whose address the account has. */
	registered: boolean;
	at: Date;
}

/** Another key of an account. @throws 409 for one too many, and for one that was given before. */
export async function addKey(tx: Transaction, key: Addition): Promise<number> {
	const { accountId, sha256, hint, registered, at } = key;
	const [added] = await tx<{ id: number }[]>`
		insert into keys (account_id, sha256, hint, registered, created_at) values (${accountId}, ${sha256}, ${hint}, ${registered}, ${at})
		on conflict (sha256) do nothing returning id`;
	if (added === undefined) throw conflict("This key was given before. Ask for another one.");
	await refuseTooMany(tx, accountId, at);
	return added.id;
}

async function refuseTooMany(tx: Transaction, accountId: number, at: Date): Promise<void> {
	const [live] = await tx<{ count: number }[]>`
		select count(*) from keys k where account_id = ${accountId} and ${isLive(tx, at)}`;
	if ((live?.count ?? 0) > mostLiveKeys)
		throw conflict(
			`This account has ${mostLiveKeys} keys that work. Wait until the grace of a replaced one ends, or revoke one.`,
		);
}

/** A key as it is told to who asked for it. */
export async function readIssued(tx: Transaction, id: number): Promise<Issued> {
	const [issued] = await tx<{ issued: Issued }[]>`
		select jsonb_build_object('key_id', k.id, 'account_id', a.id, ${limits(tx)}, 'created_at', iso(k.created_at)) as issued
		from ${keysInFull(tx)} where k.id = ${id}`;
	if (issued === undefined) throw new Error(`key ${id} is not there`);
	return issued.issued;
}

/**
 * Every change of keys locks their account first: changes of one account come one after the other, whatever was asked for, and none
 * is told with another's limits. Not a key lock, so that rows that only refer to the account do not wait. @throws 404
 */
async function lockAccountOf(tx: Transaction, keyId: number): Promise<number> {
	const [account] = await tx<{ id: number }[]>`
		select a.id from accounts a where a.id = (select account_id from keys where id = ${keyId}) for no key update`;
	if (account === undefined) throw notFound("There is no such key.");
	return account.id;
}

export interface Replacement {
	keyId: number;
	by: NewKey;
	/** How long the old key still works. */
	graceSeconds: number;
	at: Date;
}

/**
 * A new key in the place of a live one. Asked again for the same one, it answers what it answered. In its grace a key can be replaced
 * again while what came in its place was never used: whoever lost that answer has nothing but the old key. @throws 409 for
 * a key that was revoked or replaced by another that is used, or for one key too many.
 */
export async function replaceKeyBy(tx: Transaction, { keyId, by, graceSeconds, at }: Replacement): Promise<Replaced> {
	const accountId = await lockAccountOf(tx, keyId);
	const [old] = await tx<{ hint: string; registered: boolean; state: string; until: string }[]>`
		select hint, registered, ${stateOf(tx, at)} as state, iso(expires_at) as until from keys k where id = ${keyId}`;
	if (old === undefined) throw notFound("There is no such key.");
	const [successor] = await tx<{ id: number; sha256: string; lost: boolean }[]>`
		select id, sha256, ${stateOf(tx, at)} = 'live' and not ${isUsed(tx)} as lost
		from keys k where id = (select replaced_by from keys where id = ${keyId})`;
	const { hint, registered, state } = old;
	if (successor?.sha256 === by.sha256)
		return { ...(await readIssued(tx, successor.id)), replaces: hint, old_key_works_until: old.until };
	if (state === "revoked") throw conflict("This key is revoked: it cannot be replaced.");
	const lost = state === "replaced" && successor?.lost ? [successor.id] : [];
	if (state !== "live" && lost.length === 0)
		throw conflict("This key was replaced before: use the key that came in its place.");
	await endKeys(tx, lost, at);
	// The old one's end is set before keys are counted: without grace it makes room. Never later than it was said to be.
	const [ended] = await tx<{ until: string }[]>`
		update keys set expires_at = least(expires_at, ${at}::timestamptz + make_interval(secs => ${graceSeconds})), version = version + 1
		where id = ${keyId} returning iso(expires_at) as until`;
	const newId = await addKey(tx, { accountId, ...by, registered, at });
	await tx`update keys set replaced_by = ${newId} where id = ${keyId}`;
	await tellOfKeys(tx, [keyId, ...lost, newId], at);
	return { ...(await readIssued(tx, newId)), replaces: hint, old_key_works_until: ended?.until ?? "" };
}

/** Revokes what is not revoked yet of these. Whoever asks tells of them. Answers how many. */
async function endKeys(tx: Transaction, ids: readonly number[], at: Date): Promise<number> {
	const ended = await tx`
		update keys set revoked_at = ${at}, version = version + 1
		where id = any(${[...ids]}::bigint[]) and revoked_at is null`;
	return ended.count;
}

/** Ends a key for good. Once: the second time answers the first's moment. @throws 404 */
export async function revokeKey(tx: Transaction, keyId: number, at: Date): Promise<Reply<"endKey">> {
	await lockAccountOf(tx, keyId);
	if ((await endKeys(tx, [keyId], at)) > 0) await tellOfKeys(tx, [keyId], at);
	const [key] = await tx<Reply<"endKey">[]>`select hint, iso(revoked_at) as revoked_at from keys where id = ${keyId}`;
	if (key === undefined) throw new Error(`key ${keyId} is not there`);
	return key;
}

export interface LiveKey {
	id: number;
	hint: string;
	registered: boolean;
	/** It came from /register a moment ago, and nobody has used it: its answer may have been lost. */
	idle: boolean;
}

/** How long a registration whose key nobody has used can be made again. */
const idleMinutes = 15;

/** Keys of an account that work, oldest first. What came in the place of another has an owner, who needs no second registration. */
export const readLiveKeys = (tx: Transaction, accountId: number, at: Date) => tx<LiveKey[]>`
	select id, hint, registered, case when registered and created_at > ${at}::timestamptz - make_interval(mins => ${idleMinutes})
			-- Anybody may ask this of any address: of an account's long history nothing is read.
			then not ${isUsed(tx)} and not exists (select from keys o where o.replaced_by = k.id) else false end as idle
	from keys k where k.account_id = ${accountId} and ${isLive(tx, at)} order by id`;

/** Revokes keys that work, of an account that the caller's transaction has locked, and tells of them. */
export async function revokeLiveKeys(tx: Transaction, keys: readonly LiveKey[], at: Date): Promise<void> {
	const ids = keys.map(({ id }) => id);
	await endKeys(tx, ids, at);
	await tellOfKeys(tx, ids, at);
}

/** Tells of every key of an account that works, after what it may do has changed. Answers how many. */
export async function tellOfAccount(tx: Transaction, accountId: number, at: Date): Promise<number> {
	const changed = await tx<{ id: number }[]>`
		update keys k set version = version + 1 where account_id = ${accountId} and ${isLive(tx, at)} returning id`;
	await tellOfKeys(
		tx,
		changed.map(({ id }) => id),
		at,
	);
	return changed.length;
}
