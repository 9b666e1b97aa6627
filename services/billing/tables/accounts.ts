/** Changes to accounts and their keys, for the operations and the command line. Each locks the account. */
import { conflict, notFound } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import {
	addKey,
	type Issued,
	keyState,
	type LiveKey,
	markRevoked,
	type NewKey,
	publishAccountKeys,
	publishKeys,
	readIssued,
	readLiveKeys,
	revokeLiveKeys,
} from "./keys.ts";
import { linkEnded, openLink, queueMail } from "./mails.ts";

/** Normalizes an e-mail address, so that spellings that differ only in case identify the same account. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

interface Registration {
	email: string;
	name: string | null;
	key: NewKey;
	at: Date;
}

/**
 * Opens a free account with its first key, for /register. The address is not verified yet, so each registration opens a new account, even
 * if others have the same address: it gives no access to their data, revokes none of their keys, and does not reveal that they exist. A
 * repeated request for the same key gets the same reply. @throws AppError 409 if another account has the key
 */
export async function registerAccount(
	tx: Transaction,
	{ email, name, key, at, sendsMail }: Registration & { sendsMail: boolean },
): Promise<Issued> {
	// A client may repeat a request whose reply is late. The second request then waits for the first.
	await tx`select pg_advisory_xact_lock(hashtextextended(${key.sha256}, 0))`;
	const address = normalizeEmail(email);
	const [existingKey] = await tx<{ id: number }[]>`
		select k.id from keys k join accounts a on a.id = k.account_id
		where k.sha256 = ${key.sha256} and k.revoked_at is null and a.registered_email = lower(${address})`;
	if (existingKey !== undefined) return await readIssued(tx, existingKey.id);
	const [account] = await tx<{ id: number }[]>`
		insert into accounts (registered_email, name, plan, created_at) values (lower(${address}), ${name}, 'Free', ${at}) returning id`;
	if (account === undefined) throw new Error("inserting into accounts returned no row");
	if (sendsMail) await queueMail(tx, { purpose: "verify", accountId: account.id, address, at });
	return await issueKeyTo(tx, account.id, key, true, at);
}

interface Opening extends Registration {
	plan: PlanName;
	/** If false, no account is opened if /register has opened one with this address. */
	evenIfRegistered: boolean;
}

/** Opens an account with its first key, on behalf of the operator. Returns undefined if the address already has an account. */
export async function openAccount(
	tx: Transaction,
	{ email, name, plan, evenIfRegistered, key, at }: Opening,
): Promise<Issued | undefined> {
	const [account] = await tx<{ id: number }[]>`
		insert into accounts (email, name, plan, created_at)
		select address, ${name}, ${plan}, ${at}::timestamptz from lower(${normalizeEmail(email)}) as address
		where ${evenIfRegistered} or not exists (select from accounts where registered_email = address)
		on conflict (email) do nothing returning id`;
	return account && issueKeyTo(tx, account.id, key, false, at);
}

interface FurtherKey {
	accountRef: AccountRef;
	key: NewKey;
	revokeOthers: boolean;
	at: Date;
}

/** Issues a further key of an account, for a customer who has lost the last one. @throws AppError 409 if the account has too many keys; see also `lockAccount` */
export async function issueFurtherKey(
	tx: Transaction,
	{ accountRef, key, revokeOthers, at }: FurtherKey,
): Promise<Issued & { revoked: LiveKey[] }> {
	const { id } = await lockAccount(tx, accountRef);
	const revoked = revokeOthers ? [...(await readLiveKeys(tx, id, at))] : [];
	await revokeLiveKeys(tx, revoked, at);
	return { ...(await issueKeyTo(tx, id, key, false, at)), revoked };
}

async function issueKeyTo(
	tx: Transaction,
	accountId: number,
	key: NewKey,
	registered: boolean,
	at: Date,
): Promise<Issued> {
	const id = await addKey(tx, { accountId, ...key, registered, at });
	await publishKeys(tx, [id], at);
	return await readIssued(tx, id);
}

/** Names an account by its address or by one of its keys. */
type AccountRef = { email: string } | { keyId: number };

export interface Account {
	id: number;
	email: string;
	plan: PlanName;
	/** Whether the account has the plan Free without separate limits. */
	is_free: boolean;
	/** Whether the address is verified, by a mailed link or the operator. */
	is_verified: boolean;
}

/** Address of an account `a`: the verified address, otherwise the one given at /register. */
export const emailOf = (sql: Sql | Transaction): Fragment => sql`coalesce(a.email, a.registered_email)`;

/**
 * Locks an account, so that its changes are serialized and no key is published with outdated limits. Inserts that only reference the
 * account do not wait (`for no key update`).
 * @throws AppError 404; 409 if several accounts have the address
 */
export async function lockAccount(tx: Transaction, accountRef: AccountRef): Promise<Account> {
	const [account, ...others] = await tx<Account[]>`
		select id, ${emailOf(tx)} as email, plan, plan = 'Free' and monthly_queries is null and per_minute is null as is_free,
			email is not null as is_verified
		from accounts a
		where deleted_at is null and ${"email" in accountRef ? tx`${emailOf(tx)} = lower(${normalizeEmail(accountRef.email)})` : tx`id = (select account_id from keys where id = ${accountRef.keyId})`}
		for no key update`;
	if (account === undefined) throw notFound("email" in accountRef ? "this address has no account" : "no such key");
	if (others.length > 0)
		throw conflict(
			`${others.length + 1} accounts have this address: \`list --email ${account.email}\` shows their keys; choose one of them by --key.`,
		);
	return account;
}

export interface Agreement {
	plan: PlanName;
	/** Overrides the plan's limit; null: the plan's limit applies. */
	monthlyQueries: number | null;
	perMinute: number | null;
}

interface PlanChange {
	monthly_queries: number | null;
	per_minute: number | null;
	/** Number of keys whose change was published to the gateways. */
	keys: number;
}

/** Changes the plan of an account, replaces its separately agreed limits, and publishes its keys. @throws AppError 404; see also `lockAccount` */
export async function changePlan(
	tx: Transaction,
	accountRef: AccountRef,
	to: Agreement,
	at: Date,
): Promise<PlanChange> {
	const account = await lockAccount(tx, accountRef);
	const [limits] = await tx<Omit<PlanChange, "keys">[]>`
		update accounts a set plan = p.name, monthly_queries = ${to.monthlyQueries}, per_minute = ${to.perMinute}
		from plans p where a.id = ${account.id} and p.name = ${to.plan}
		returning coalesce(a.monthly_queries, p.monthly_queries) as monthly_queries, coalesce(a.per_minute, p.per_minute) as per_minute`;
	if (limits === undefined) throw conflict(`the plan ${to.plan} is not in the table of plans`);
	return { ...limits, keys: await publishAccountKeys(tx, account.id, at) };
}

interface Replacement {
	keyId: number;
	newKey: NewKey;
	graceSeconds: number;
	at: Date;
}

/**
 * Replaces a live key by a new one. A repeated request for the same new key gets the same reply. A replaced key cannot be replaced again,
 * not even in its grace period: a thief of the old key could end the successor before its owner uses it. @throws AppError 409 if the key was
 * revoked or replaced, or the account has too many keys
 */
export async function replaceKey(
	tx: Transaction,
	{ keyId, newKey, graceSeconds, at }: Replacement,
): Promise<Reply<"replaceKey">> {
	const { id: accountId } = await lockAccount(tx, { keyId });
	const [old] = await tx<
		{ hint: string; registered: boolean; daily_queries: number | null; state: string; until: string }[]
	>`
		select hint, registered, daily_queries, ${keyState(tx, at)} as state, iso(expires_at) as until from keys k where id = ${keyId}`;
	if (old === undefined) throw notFound("no such key");
	const [successor] = await tx<{ id: number; sha256: string }[]>`
		select id, sha256 from keys where id = (select replaced_by from keys where id = ${keyId})`;
	const { hint, registered, daily_queries, state } = old;
	if (successor?.sha256 === newKey.sha256)
		return { ...(await readIssued(tx, successor.id)), replaces: hint, old_key_works_until: old.until };
	if (state === "revoked") throw conflict("this key is revoked: it cannot be replaced");
	if (state !== "live")
		throw conflict("this key was replaced before: use its successor; if that is lost, contact the operator");
	// The old key expires before `addKey` counts the live keys, so that a key replaced without grace is not counted. The expiry is never postponed.
	const [ended] = await tx<{ until: string }[]>`
		update keys set expires_at = least(expires_at, ${at}::timestamptz + make_interval(secs => ${graceSeconds})), version = version + 1
		where id = ${keyId} returning iso(expires_at) as until`;
	const newId = await addKey(tx, { accountId, ...newKey, daily_queries, registered, at });
	await tx`update keys set replaced_by = ${newId} where id = ${keyId}`;
	await publishKeys(tx, [keyId, newId], at);
	return { ...(await readIssued(tx, newId)), replaces: hint, old_key_works_until: ended?.until ?? "" };
}

/** Sets or removes the daily cap of a key. @throws AppError 404 */
export async function capKey(
	tx: Transaction,
	{ keyId, dailyQueries, at }: { keyId: number; dailyQueries: number | null; at: Date },
): Promise<Reply<"capKey">> {
	await lockAccount(tx, { keyId });
	const [key] = await tx<Reply<"capKey">[]>`
		update keys set daily_queries = ${dailyQueries}, version = version + 1 where id = ${keyId} returning hint, daily_queries`;
	if (key === undefined) throw new Error(`key ${keyId} does not exist`);
	await publishKeys(tx, [keyId], at);
	return key;
}

/** Revokes a key permanently. A repeated call returns the time of the first call. @throws AppError 404 */
export async function revokeKey(tx: Transaction, keyId: number, at: Date): Promise<Reply<"endKey">> {
	await lockAccount(tx, { keyId });
	if ((await markRevoked(tx, [keyId], at)) > 0) await publishKeys(tx, [keyId], at);
	const [key] = await tx<Reply<"endKey">[]>`select hint, iso(revoked_at) as revoked_at from keys where id = ${keyId}`;
	if (key === undefined) throw new Error(`key ${keyId} does not exist`);
	return key;
}

/** Verifies the address to which a link was mailed. Opening the link again gets the same reply. @throws AppError 409, 410 */
export async function verifyAddress(tx: Transaction, tokenSha256: string, at: Date): Promise<{ email: string }> {
	const { accountId, address } = await openLink(tx, "verify", tokenSha256, at);
	await tx`select pg_advisory_xact_lock(hashtextextended(${`email:${address}`}, 0))`;
	const [other] = await tx`select from accounts where email = ${address} and id <> ${accountId}`;
	if (other !== undefined)
		throw conflict(
			"Another account has verified this address. If you lost its key, have a link mailed to the address to replace it.",
		);
	const { count } = await tx`
		update accounts set email = ${address} where id = ${accountId} and coalesce(email, ${address}) = ${address}`;
	if (count === 0)
		throw conflict("the account has another verified address, which the operator of the service can change");
	return { email: address };
}

interface Recovery {
	tokenSha256: string;
	key: NewKey;
	at: Date;
}

/**
 * Redeems a mailed recovery link: issues a key and revokes the account's other keys, because a stranger may have the lost key. The new key
 * inherits the daily cap of the account's most recent key. A repeated request for the same key gets the same reply. @throws AppError 409, 410
 */
export async function recoverKey(tx: Transaction, { tokenSha256, key, at }: Recovery): Promise<Reply<"redeemKeyLink">> {
	const { accountId, isUsed } = await openLink(tx, "recover", tokenSha256, at);
	const [newest] = await tx<{ id: number; sha256: string; daily_queries: number | null }[]>`
		select id, sha256, daily_queries from keys where account_id = ${accountId} order by id desc limit 1`;
	if (newest === undefined) throw linkEnded();
	if (newest.sha256 === key.sha256) return { ...(await readIssued(tx, newest.id)), revoked: [] };
	if (isUsed) throw linkEnded();
	const { daily_queries } = newest;
	const further = { accountRef: { keyId: newest.id }, key: { ...key, daily_queries }, revokeOthers: true, at };
	const { revoked, ...issued } = await issueFurtherKey(tx, further);
	return { ...issued, revoked: revoked.map(({ hint }) => hint) };
}

/**
 * Revokes every key of an account and deletes the data that identifies its owner. The row and the hashes of its keys remain, so that the keys
 * can never be valid again. `jobs/delete-old.ts` deletes its usage. @throws AppError 404
 */
export async function closeAccount(tx: Transaction, accountId: number, at: Date): Promise<Reply<"closeAccount">> {
	const [account] = await tx<{ deleted_at: string | null }[]>`
		select iso(deleted_at) as deleted_at from accounts where id = ${accountId} for no key update`;
	if (account === undefined) throw notFound("no such account");
	if (account.deleted_at !== null) return { deleted_at: account.deleted_at };
	await revokeLiveKeys(tx, await readLiveKeys(tx, accountId, at), at);
	await tx`update mails set account_id = null, address = null, token_sha256 = null where account_id = ${accountId}`;
	const [closed] = await tx<{ deleted_at: string }[]>`
		update accounts set email = null, registered_email = null, name = null, deleted_at = ${at} where id = ${accountId}
		returning iso(deleted_at) as deleted_at`;
	return { deleted_at: closed?.deleted_at ?? "" };
}
